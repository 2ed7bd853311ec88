"""Enters a nonogram: which strokes turn the cells on the screen into the picture.

In Simon Tatham's Pattern the left button sets cells filled and the right one blank, a drag paints a
straight stretch of them, and painting a cell again changes nothing. The board counts as finished only when
the blank cells are painted as well. Runs of cells that are to become the same are painted with one stroke,
along the rows or along the columns, whichever takes fewer strokes. No stroke ever makes a cell wrong, not
even for a moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.actions import Action, Button, Drag, Plan, Step, Tap
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from vision.reading import Reading


@dataclass(frozen=True)
class Entering:
    """How one program wants cells entered.

    fill, blank: the buttons that make a cell filled and blank.
    strokes: a drag paints all cells that it passes.
    sets: a button sets a cell; False where it toggles, and a wrong cell is cleared first.
    blanks: the blank cells are marked too.
    tap_s: how long a tap lasts.
    press_s, hold_s: rest after the press and before the release of a drag.
    """

    fill: Button = "left"
    blank: Button = "right"
    strokes: bool = True
    sets: bool = True
    blanks: bool = True
    tap_s: float = 0.005
    press_s: float = 0.0
    hold_s: float = 0.01


# Measured on sgt-puzzles 20230122 (GTK 3): 113 of 113 clicks without any pause arrived; a drag is safe with
# 10 ms before the release.
COLLECTION = Entering()
ENTERING: Mapping[str, Entering] = {"sgt": COLLECTION, "toggles": Entering(strokes=False, sets=False)}


@dataclass(frozen=True)
class Stroke:
    """Neighbouring cells of one line that are to become the same, from the first wrong one to the last."""

    cells: tuple[Square, ...]
    filled: bool


def plan(reading: Reading[Nonogram, Picture], solution: Picture) -> Plan:
    """The strokes that are missing, one step per line, the first stroke as a step of its own.

    Steps name all the cells they paint.
    """
    entering = ENTERING.get(reading.ui, COLLECTION)
    wrong = _wrong(reading, solution, entering)
    rows = [list(_strokes(line, solution, wrong, entering)) for line in _rows(reading.puzzle)]
    cols = [list(_strokes(line, solution, wrong, entering)) for line in _cols(reading.puzzle)]
    along_rows = sum(map(len, rows)) <= sum(map(len, cols))
    word, lines = ("row", rows) if along_rows else ("column", cols)

    steps: list[Step] = []
    for number, strokes in enumerate(lines, 1):
        if strokes and not steps:
            steps.append(_step(reading, strokes[:1], f"{word} {number}", entering))
            strokes = strokes[1:]
        if strokes:
            steps.append(_step(reading, strokes, f"{word} {number}", entering))
    return Plan(tuple(steps), missing=len(wrong))


def _wrong(reading: Reading[Nonogram, Picture], solution: Picture, entering: Entering) -> frozenset[Square]:
    placed = reading.placed
    wrong = solution.filled - placed.filled
    if entering.blanks:
        return wrong | (solution.blank - placed.blank)
    return wrong | (placed.filled & solution.blank)


def _rows(puzzle: Nonogram) -> Iterator[tuple[Square, ...]]:
    for row in range(puzzle.height):
        yield tuple(Square(row, col) for col in range(puzzle.width))


def _cols(puzzle: Nonogram) -> Iterator[tuple[Square, ...]]:
    for col in range(puzzle.width):
        yield tuple(Square(row, col) for row in range(puzzle.height))


def _strokes(
    line: Sequence[Square], solution: Picture, wrong: frozenset[Square], entering: Entering
) -> Iterator[Stroke]:
    """What a line needs: the filled runs first, they are what a person wants to see."""
    found: list[Stroke] = []
    for filled, run in groupby(line, key=lambda cell: cell in solution.filled):
        cells = list(run)
        needed = [place for place, cell in enumerate(cells) if cell in wrong]
        if not needed:
            continue
        if entering.strokes:
            found.append(Stroke(tuple(cells[needed[0] : needed[-1] + 1]), filled))
        else:
            found += [Stroke((cells[place],), filled) for place in needed]
    return iter(sorted(found, key=lambda stroke: not stroke.filled))


def _step(
    reading: Reading[Nonogram, Picture], strokes: Sequence[Stroke], line: str, entering: Entering
) -> Step:
    actions = [action for stroke in strokes for action in _paint(reading, stroke, entering)]
    filled = sum(len(stroke.cells) for stroke in strokes if stroke.filled)
    blank = sum(len(stroke.cells) for stroke in strokes if not stroke.filled)
    words = [f"{number} {word}" for number, word in ((filled, "filled"), (blank, "blank")) if number]
    cells = tuple(cell for stroke in strokes for cell in stroke.cells)
    return Step(tuple(actions), f"{line}: {', '.join(words)}", cells)


def _paint(reading: Reading[Nonogram, Picture], stroke: Stroke, entering: Entering) -> Iterator[Action]:
    button = entering.fill if stroke.filled else entering.blank
    start = reading.geometry.centres[stroke.cells[0]]
    end = reading.geometry.centres[stroke.cells[-1]]
    if len(stroke.cells) > 1:
        yield Drag((start, end), 0.0, entering.hold_s, button, press_s=entering.press_s)
        return
    if not entering.sets:
        cell = stroke.cells[0]
        if cell in reading.placed.filled:
            yield Tap(start, entering.tap_s, entering.fill)
        if cell in reading.placed.blank:
            yield Tap(start, entering.tap_s, entering.blank)
        if not stroke.filled and not entering.blanks:
            return
    yield Tap(start, entering.tap_s, button)
