"""Enters Bridges: which drags turn the bridges on the screen into the solution.

In Simon Tatham's collection, and in most programs after it, a drag from an island to its neighbour adds a
bridge, and the drag after the last possible bridge takes all of them away. So a span with c of at most m
bridges reaches k with k - c drags, or, when k is smaller, with m - c + 1 drags to clear it and k more. What
is too much goes first: a bridge in the way makes the program refuse the one that crosses it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from bot.actions import Action, Drag, Plan, Step, Tap
from solver.bridges import Bridges, Joins, Span
from vision.frame import Point
from vision.reading import Reading


@dataclass(frozen=True)
class Entering:
    """How one program wants a bridge entered.

    gesture: "drag" from island to island, or "taps" on one and then the other.
    press_s, hold_s: rest after the press and before the release of a drag; a tap lasts hold_s.
    """

    gesture: Literal["drag", "taps"] = "drag"
    press_s: float = 0.0
    hold_s: float = 0.02


# Measured on sgt-puzzles 20230122 (GTK 3): a release less than about 5 ms after the motion loses the move,
# because GTK joins motion events; with 10 ms none of 23 was lost. The press needs no rest.
COLLECTION = Entering()
ENTERING: Mapping[str, Entering] = {"sgt": COLLECTION, "taps": Entering("taps", hold_s=0.03)}


def plan(reading: Reading[Bridges, Joins], solution: Joins) -> Plan:
    """The drags that are missing, one step per island: its bridges to the right and down.

    Steps name the spans they change. First come those that take bridges away.
    """
    puzzle = reading.puzzle
    entering = ENTERING.get(reading.ui, COLLECTION)
    wrong = [span for span in puzzle.spans if reading.placed.get(span, 0) != solution.get(span, 0)]
    too_many = [span for span in wrong if reading.placed.get(span, 0) > solution.get(span, 0)]
    too_few = [span for span in wrong if reading.placed.get(span, 0) < solution.get(span, 0)]

    steps: list[Step] = []
    for spans in (too_many, too_few):
        for _, from_one in groupby(spans, key=lambda span: span.a):
            steps.append(_step(reading, solution, list(from_one), entering))
    return Plan(tuple(steps), missing=len(wrong))


def _step(
    reading: Reading[Bridges, Joins], solution: Joins, spans: Sequence[Span], entering: Entering
) -> Step:
    actions: list[Action] = []
    words: list[str] = []
    for span in spans:
        now, then = reading.placed.get(span, 0), solution.get(span, 0)
        start, end = reading.geometry.centres[span.a], reading.geometry.centres[span.b]
        times = moves(now, then, reading.puzzle.max_bridges)
        actions += _bridge(start, end, entering) * times
        words.append(f"{then} {'right' if span.a.row == span.b.row else 'down'} (was {now})")
    row, col = spans[0].a
    why = f"island at row {row + 1}, column {col + 1}: {', '.join(words)}"
    return Step(tuple(actions), why, tuple(spans))


def _bridge(start: Point, end: Point, entering: Entering) -> tuple[Action, ...]:
    if entering.gesture == "taps":
        return Tap(start, entering.hold_s), Tap(end, entering.hold_s)
    return (Drag((start, end), duration_s=0.0, hold_s=entering.hold_s, press_s=entering.press_s),)


def moves(now: int, then: int, most: int) -> int:
    """How many times a bridge must be entered to get from one count to another.

    >>> moves(0, 2, most=2), moves(2, 1, most=2), moves(1, 0, most=2)
    (2, 2, 2)
    """
    return then - now if then >= now else most - now + 1 + then
