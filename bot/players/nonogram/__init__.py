"""Enters a nonogram: which strokes and clicks turn the cells on the screen into the picture.

In Simon Tatham's Pattern the left button sets cells filled and the right one blank, a drag paints a
straight stretch of them, and painting a cell again changes nothing. The board counts as finished only when
the blank cells are painted as well. Runs of cells that are to become the same are painted with one stroke,
along the rows or along the columns, whichever takes fewer strokes. No stroke ever makes a cell wrong, not
even for a moment.

How any other program takes clicks is learned first (see `learning`); its cells are then clicked one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.actions import Action, Button, Drag, Move, Plan, Step, Tap
from bot.players.nonogram.colours import in_colours
from bot.players.nonogram.entering import Entering, entering_of, parking
from bot.players.nonogram.learning import learn, said, taught, what_is_needed
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from vision.readers.nonogram.meanings import Meaning
from vision.reading import Reading

__all__ = ["back", "learn", "plan", "said", "taught", "what_is_needed"]


@dataclass(frozen=True)
class Stroke:
    """Neighbouring cells of one line that are to become the same, from the first wrong one to the last."""

    cells: tuple[Square, ...]
    filled: bool


def plan(reading: Reading[Nonogram, Picture], solution: Picture) -> Plan:
    """The strokes that are missing, line by line, those that take a filled cell away first.

    Steps name all the cells they paint.
    """
    if reading.puzzle.palette is not None:
        return in_colours(reading, solution)
    entering = entering_of(reading)
    wrong = _wrong(reading, solution, entering)
    # A program may be satisfied, and take no click any more, while a cell of another solution is filled as well.
    first = frozenset[Square]() if entering.strokes else wrong & reading.placed.filled & solution.blank
    steps = [step for cells in (first, wrong - first) for step in _steps(reading, solution, cells, entering)]
    return Plan(tuple(steps), missing=len(wrong))


def _steps(
    reading: Reading[Nonogram, Picture], solution: Picture, wrong: frozenset[Square], entering: Entering
) -> list[Step]:
    """One step per line, the first stroke as a step of its own."""
    rows = [list(_strokes(line, solution, wrong, reading.placed, entering)) for line in _rows(reading.puzzle)]
    cols = [list(_strokes(line, solution, wrong, reading.placed, entering)) for line in _cols(reading.puzzle)]
    along_rows = sum(map(len, rows)) <= sum(map(len, cols))
    word, lines = ("row", rows) if along_rows else ("column", cols)

    steps: list[Step] = []
    for number, strokes in enumerate(lines, 1):
        if strokes and not steps:
            steps.append(_step(reading, strokes[:1], f"{word} {number}", entering))
            strokes = strokes[1:]
        if strokes:
            steps.append(_step(reading, strokes, f"{word} {number}", entering))
    return steps


def back(reading: Reading[Nonogram, Picture], solution: Picture, step: Step) -> Step | None:
    """The clicks that take a step back, cell by cell; None where no way is known for one of them.

    reading: the board before the step. solution: what it brought the board closer to.
    """
    if reading.puzzle.palette is not None:
        return None
    entering, before = entering_of(reading), reading.placed
    actions: list[Action] = []
    for cell in step.cells:
        made: Meaning = "filled" if cell in solution.filled else "blank"
        was: Meaning = "filled" if cell in before.filled else "blank" if cell in before.blank else "free"
        way = entering.way(made, was)
        if made != was and not way:
            return None
        actions += [Tap(reading.geometry.centres[cell], entering.tap_s, button) for button in way]
    return Step((*actions, Move(parking(reading))), f"take back: {step.why}", step.cells)


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
    line: Sequence[Square], solution: Picture, wrong: frozenset[Square], placed: Picture, entering: Entering
) -> Iterator[Stroke]:
    """What a line needs: the filled runs first, they are what a person wants to see.

    Cells that nobody knows how to change are left out.
    """
    found: list[Stroke] = []
    for filled, run in groupby(line, key=lambda cell: cell in solution.filled):
        cells = list(run)
        needed = [place for place, cell in enumerate(cells) if cell in wrong]
        if not needed:
            continue
        if entering.strokes:
            found.append(Stroke(tuple(cells[needed[0] : needed[-1] + 1]), filled))
        else:
            found += [
                Stroke((cells[place],), filled)
                for place in needed
                if _way(placed, cells[place], filled, entering)
            ]
    return iter(sorted(found, key=lambda stroke: not stroke.filled))


def _step(
    reading: Reading[Nonogram, Picture], strokes: Sequence[Stroke], line: str, entering: Entering
) -> Step:
    actions = [action for stroke in strokes for action in _paint(reading, stroke, entering)]
    if not entering.strokes:
        # A cell under the pointer may look different.
        actions.append(Move(parking(reading)))
    filled = sum(len(stroke.cells) for stroke in strokes if stroke.filled)
    blank = sum(len(stroke.cells) for stroke in strokes if not stroke.filled)
    words = [f"{number} {word}" for number, word in ((filled, "filled"), (blank, "blank")) if number]
    cells = tuple(cell for stroke in strokes for cell in stroke.cells)
    return Step(tuple(actions), f"{line}: {', '.join(words)}", cells)


def _paint(reading: Reading[Nonogram, Picture], stroke: Stroke, entering: Entering) -> Iterator[Action]:
    start = reading.geometry.centres[stroke.cells[0]]
    end = reading.geometry.centres[stroke.cells[-1]]
    wanted: Meaning = "filled" if stroke.filled else "blank"
    if len(stroke.cells) > 1:
        taps = tuple(reading.geometry.centres[cell] for cell in stroke.cells)
        button = entering.brush(wanted)
        yield Drag((start, end), 0.0, entering.hold_s, button, press_s=entering.press_s, taps=taps)
        return
    for button in _way(reading.placed, stroke.cells[0], stroke.filled, entering):
        yield Tap(start, entering.tap_s, button)


def _way(placed: Picture, cell: Square, filled: bool, entering: Entering) -> tuple[Button, ...]:
    """The clicks that bring one cell to what the solution has there; none where no way is known.

    A blank cell that is to be filled is clicked even so, and looked at again: a program may have been learned while a
    click came twice, so that what leads away from blank has not been seen.
    """
    now: Meaning = "filled" if cell in placed.filled else "blank" if cell in placed.blank else "free"
    known = entering.way(now, "filled" if filled else "blank" if entering.blanks else "free")
    return known or (("left",) if filled and now == "blank" else ())
