"""How one program wants the cells of a nonogram entered: what each button makes of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, get_args

from bot.actions import Button
from vision.frame import Point
from vision.readers.nonogram.meanings import Meaning
from vision.reading import Reading

BUTTONS: tuple[Button, ...] = get_args(Button)
STATES: tuple[Meaning, ...] = ("free", "filled", "blank")
# More clicks in a row than this no program needs.
MOST_CLICKS = 3
# Facts of a reading, and settings of a profile, that tell what a click does: "move.left.free" = 1.
MOVE = "move."
BLANKS = "entering.blanks"


@dataclass(frozen=True)
class Entering:
    """What a program does with clicks.

    moves: (button, cell before) -> cell after; what is not in it is not known, and never clicked.
    strokes: a drag paints all cells that it passes.
    blanks: the blank cells are marked too.
    tap_s: how long a tap lasts.
    press_s, hold_s: rest after the press and before the release of a drag.
    """

    moves: Mapping[tuple[Button, Meaning], Meaning]
    strokes: bool = False
    blanks: bool = True
    tap_s: float = 0.005
    press_s: float = 0.0
    hold_s: float = 0.01

    def way(self, now: Meaning, wanted: Meaning) -> tuple[Button, ...]:
        """The fewest clicks that turn a cell into what is wanted; none where that is not known."""
        if now == wanted:
            return ()
        for count in range(1, MOST_CLICKS + 1):
            for buttons in product(BUTTONS, repeat=count):
                state: Meaning | None = now
                for button in buttons:
                    state = self.moves.get((button, state)) if state is not None else None
                if state == wanted:
                    return buttons
        return ()

    def brush(self, wanted: Meaning) -> Button:
        """The button that makes any cell what is wanted."""
        return next((b for b in BUTTONS if all(self.moves.get((b, now)) == wanted for now in STATES)), "left")


def _sets(button: Button, to: Meaning) -> dict[tuple[Button, Meaning], Meaning]:
    return {(button, now): to for now in STATES}


# Measured on sgt-puzzles 20230122 (GTK 3): 297 of 297 clicks without any pause arrived, 184 of them on a
# machine with eight times the work that it can do; a drag is safe with 10 ms before the release (there, 2 of 100 are not).
COLLECTION = Entering(
    {**_sets("left", "filled"), **_sets("right", "blank"), **_sets("middle", "free")}, strokes=True, tap_s=0.0
)
# A program of which nothing has been learned: a right button that nobody knows may open a menu.
UNKNOWN = Entering({("left", "free"): "filled", ("left", "filled"): "free"}, blanks=False)


def entering_of(reading: Reading[Any, Any]) -> Entering:
    """How the program on the screen wants its cells entered: known, learned, or else by the left button alone."""
    moves = {
        (button, state): STATES[int(reading.facts[f"{MOVE}{button}.{state}"])]
        for button, state in product(BUTTONS, STATES)
        if f"{MOVE}{button}.{state}" in reading.facts
    }
    if moves:
        return Entering(moves, blanks=reading.facts.get(BLANKS, 0.0) > 0, tap_s=0.02)
    return COLLECTION if reading.ui == "sgt" else UNKNOWN


def parking(reading: Reading[Any, Any]) -> Point:
    """Where the pointer is on no cell: the corner between the clues of the rows and of the columns."""
    return Point(reading.area.left + 2, reading.area.top + 2)
