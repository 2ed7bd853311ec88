"""How one program wants its bridges entered: by which gesture, and how a bridge goes away again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from bot.actions import Action, Button, Drag, Move, Tap, Wait
from solver.bridges import Span, between
from vision.frame import Point
from vision.profile import SIGN
from vision.reading import Reading

Gesture = Literal["drag", "taps", "between", "side"]
Takes = Literal["round", "right"]
GESTURES: tuple[Gesture, ...] = get_args(Gesture)
TAKES: tuple[Takes, ...] = get_args(Takes)
# Facts of a reading, and settings of a profile, that name the two by their places above.
GESTURE, TAKE = "entering.gesture", "entering.takes"
# The side of an island is so far from its middle, in radii: beside its number, and clearly in it. Every gesture is a
# little off the line between the islands, as a hand is: some programs take nothing that lies exactly in a line with the
# middle, and what a program draws on that line while the button is down, or after the first bridge, takes the release or
# the second tap. Where the reading does not tell how large islands are, they are taken for so large a share of the pitch.
SIDE, OFF, RADIUS = 0.6, 0.2, 0.35
# A tap between two islands lies so far (cells) from the line of another span that crosses there: more than from its own.
CROSSED = 0.3


@dataclass(frozen=True)
class Entering:
    """What a program does with gestures.

    gesture: "drag" from island to island, "taps" on one and then the other, one tap "between" them, or one on the "side"
        of an island that looks at the other; each time one bridge more.
    takes: bridges go away all at once by the gesture after the most ("round"), or one at a time by the gesture with
        the "right" button.
    press_s, hold_s: rest after the press and before the release of a drag; a tap lasts hold_s. answered: see `Drag`.
    """

    gesture: Gesture = "drag"
    takes: Takes = "round"
    press_s: float = 0.0
    hold_s: float = 0.01
    answered: bool = False

    def actions(self, reading: Reading[Any, Any], span: Span, now: int, then: int) -> tuple[Action, ...]:
        """What turns `now` bridges on a span into `then`."""
        if self.takes == "right" and then < now:
            return self.once(reading, span, "right") * (now - then)
        return self.once(reading, span) * moves(now, then, reading.puzzle.max_bridges)

    def once(self, reading: Reading[Any, Any], span: Span, button: Button = "left") -> tuple[Action, ...]:
        """The gesture for one bridge."""
        start, end = (_beside(reading, span, reading.geometry.centres[at]) for at in span)
        match self.gesture:
            case "drag":
                return (
                    Drag(
                        (start, end),
                        0.0,
                        self.hold_s,
                        button,
                        press_s=self.press_s,
                        answered=self.answered,
                    ),
                )
            case "taps":
                return Tap(start, self.hold_s, button), Tap(end, self.hold_s, button)
            case "between":
                # Some programs offer a bridge only while the pointer is on an island of it.
                place = _beside(reading, span, _own_place(reading, span))
                return Move(start), Wait(self.hold_s), Tap(place, self.hold_s, button)
            case "side":
                return (
                    Tap(_beside(reading, span, reading.geometry.centres[span[0]], SIDE), self.hold_s, button),
                )


# Measured on sgt-puzzles 20230122 (GTK 3): a release less than about 5 ms after the motion loses the move,
# because GTK joins motion events; with 10 ms none of 23 was lost, and on a machine with eight times the work that it
# can do 1 of 100. The press needs no rest, and none is needed where each drag waits until the one before is handled.
COLLECTION = Entering()
# Programs by the name that the reader gives them; what is not known is entered like the collection.
ENTERING: Mapping[str, Entering] = {
    "sgt": replace(COLLECTION, answered=True),
    "taps": Entering("taps", hold_s=0.03),
}


def entering_of(reading: Reading[Any, Any]) -> Entering:
    """How the program on the screen wants its bridges entered: learned, known, or else as the collection does."""
    if GESTURE in reading.facts:
        gesture = GESTURES[int(reading.facts[GESTURE]) % len(GESTURES)]
        takes = TAKES[int(reading.facts.get(TAKE, 0)) % len(TAKES)]
        return Entering(gesture, takes, press_s=0.02, hold_s=0.03)
    return ENTERING.get(reading.ui, COLLECTION)


def aside(reading: Reading[Any, Any]) -> Move:
    """The pointer where nothing lights up under it."""
    return Move(Point(reading.area.left + 1.0, reading.area.top + 1.0))


def _beside(reading: Reading[Any, Any], span: Span, place: Point, along: float = 0.0) -> Point:
    """A little off the line of a span, so many radii from a place on it towards the span's second island."""
    radius = reading.facts.get(f"{SIGN}islands", RADIUS) * reading.geometry.pitch_px
    start, end = (reading.geometry.centres[at] for at in span)
    length = math.dist(start, end)
    dx, dy = radius * (end.x - start.x) / length, radius * (end.y - start.y) / length
    return Point(place.x + along * dx - OFF * dy, place.y + along * dy + OFF * dx)


def moves(now: int, then: int, most: int) -> int:
    """How many times a bridge must be entered to get from one count to another, where they go round.

    >>> moves(0, 2, most=2), moves(2, 1, most=2), moves(1, 0, most=2)
    (2, 2, 2)
    """
    return then - now if then >= now else most - now + 1 + then


def _own_place(reading: Reading[Any, Any], span: Span) -> Point:
    """A place under the span that is under no other, where there is one; else about its middle."""
    cells = between(span)
    others = {cell for other in reading.puzzle.spans if other != span for cell in between(other)}
    own = [cell for cell in cells if cell not in others]
    if own:
        return reading.geometry.centres[own[len(own) // 2]]
    # In a cell that others cross, nearer to this span's line than to theirs.
    share = (len(cells) // 2 + 1 - CROSSED) / (len(cells) + 1) if cells else 0.5
    a, b = (reading.geometry.centres[at] for at in span)
    return Point(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y))
