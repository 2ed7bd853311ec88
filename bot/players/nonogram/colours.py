"""Enters a coloured nonogram: a click on the swatch of an ink, then one on each cell that gets it.

Where the program shows no swatches, every click brings a cell to the next ink: how many clicks it takes is learned (see
`learning`). Blank cells are left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from bot.actions import Action, Move, Plan, Step, Tap
from bot.players.nonogram.entering import parking
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from vision.reading import Reading

TAP_S = 0.02
# Facts of a reading, and settings of a profile: after so many clicks an empty cell has this colour ("cycle.d42a20" = 1),
# and after "cycle.empty" it is empty again.
CYCLE, EMPTY = "cycle.", "cycle.empty"
# Colours of one ink on two boards differ by so many levels at most.
SAME_INK = 24


def in_colours(reading: Reading[Nonogram, Picture], solution: Picture) -> Plan:
    """The clicks that are missing, ink by ink and row by row."""
    palette = reading.puzzle.palette
    assert palette is not None
    wanted, placed = dict(solution.inks), dict(reading.placed.inks)
    wrong = [cell for cell in sorted(reading.geometry.centres) if wanted.get(cell) != placed.get(cell)]
    steps: list[Step] = []
    for ink in palette.inks:
        # A cell that is to be empty is cleared with the ink that it has.
        own = [cell for cell in wrong if wanted.get(cell, placed.get(cell)) == ink.char]
        for row, cells in groupby(own, key=lambda cell: cell.row):
            steps += _steps(reading, ink.char, ink.name, row, list(cells), first=not steps)
    return Plan(tuple(steps), missing=len(wrong))


def _steps(
    reading: Reading[Nonogram, Picture],
    ink: str,
    name: str,
    row: int,
    cells: Sequence[Square],
    *,
    first: bool,
) -> list[Step]:
    """One step; the very first cell is a step of its own."""
    taps = {cell: _taps(reading, ink, cell) for cell in cells}
    known = [cell for cell in cells if taps[cell]]
    swatch = reading.controls.get(ink)
    pick: list[Action] = [Tap(swatch.at, TAP_S)] if swatch is not None else []
    parts = [known[:1], known[1:]] if first else [known]
    return [
        Step(
            (*pick, *(tap for cell in part for tap in taps[cell]), Move(parking(reading))),
            f"row {row + 1}: {len(part)} {name}",
            tuple(part),
        )
        for part in parts
        if part
    ]


def _taps(reading: Reading[Nonogram, Picture], ink: str, cell: Square) -> list[Tap]:
    """The clicks on a cell; none where no way is known."""
    at = reading.geometry.centres[cell]
    if ink in reading.controls:
        return [Tap(at, TAP_S)]
    places = cycle_of(reading)
    now = dict(reading.placed.inks).get(cell, "")
    if not places:
        return []
    # A cell with an ink that it should not have is clicked on to the end of the round.
    target = 0 if now == ink else places[ink]
    return [Tap(at, TAP_S)] * ((target - places.get(now, 0)) % places[""])


def cycle_of(reading: Reading[Nonogram, Picture]) -> dict[str, int]:
    """After how many clicks an empty cell has each ink, and after how many it is empty again; empty unless all are known."""
    palette = reading.puzzle.palette
    known = {key.removeprefix(CYCLE): round(v) for key, v in reading.facts.items() if key.startswith(CYCLE)}
    places = {"": known.pop(EMPTY.removeprefix(CYCLE), 0)}
    for ink in palette.inks if palette is not None else ():
        own = bytes.fromhex(ink.rgb)
        near = [
            v
            for rgb, v in known.items()
            if all(abs(a - b) <= SAME_INK for a, b in zip(bytes.fromhex(rgb), own, strict=True))
        ]
        if len(near) == 1:
            places[ink.char] = near[0]
    complete = palette is not None and places[""] and len(places) == len(palette.inks) + 1
    return places if complete else {}


def _same(rgb: str, other: str) -> bool:
    parts = zip(bytes.fromhex(rgb), bytes.fromhex(other), strict=True)
    return all(abs(a - b) <= SAME_INK for a, b in parts)
