"""Another picture that differs from a known one in one small part of the board.

A puzzle with several pictures mostly has some that differ in a few cells: in the four corners of a rectangle, the
elementary switch of discrete tomography (Ryser 1957), or within a square. All cells outside a square are held as they
are in the known picture, and clause learning decides the rest, mostly at once. It is only a guess: that there is no
other picture near says nothing of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from solver.lattice import Square
from solver.nonogram.board import Clue, Nonogram, Picture
from solver.nonogram.learning import Learner
from solver.nonogram.machine import Machine

# Sides of the squares that are left open, one after the other.
SIDES = (10, 20)
# So many conflicts each square is worth.
CONFLICTS = 1000


def picture_nearby(
    puzzle: Nonogram, picture: Picture, machine: Machine, stop: Callable[[], bool]
) -> Picture | None:
    """A picture that differs from this one within one of the squares, or None."""
    for side in SIDES:
        for top in _starts(puzzle.height, side):
            for left in _starts(puzzle.width, side):
                if stop():
                    return None
                learner = Learner(puzzle, _without(picture, top, left, side), machine)
                learner.exclude(picture)
                other = learner.next_picture(stop, CONFLICTS)
                if other is not None:
                    return other
    return None


def picture_switched(puzzle: Nonogram, picture: Picture) -> Picture | None:
    """A picture of black and white that differs from this one in four cells, or None."""
    if puzzle.palette is not None:
        return None
    fixed = puzzle.given.filled | puzzle.given.blank
    rows, cols = [0] * puzzle.height, [0] * puzzle.width
    for row, col in picture.filled:
        rows[row] |= 1 << col
        cols[col] |= 1 << row
    across = [_moves(line, puzzle.width) for line in rows]
    down = [_moves(line, puzzle.height) for line in cols]
    for top, moves in enumerate(across):
        for left, right in moves:
            for start, bottom in down[left]:
                if start != top or (right, left) not in across[bottom] or (bottom, top) not in down[right]:
                    continue
                emptied = {Square(top, left), Square(bottom, right)}
                entered = {Square(top, right), Square(bottom, left)}
                if fixed.isdisjoint(emptied | entered):
                    return Picture(picture.filled - emptied | entered, picture.blank - entered | emptied)
    return None


def _moves(line: int, length: int) -> frozenset[tuple[int, int]]:
    """From where to where one filled cell of a line can go while its runs stay; the first cell is the lowest bit."""
    filled = [place for place in range(length) if line >> place & 1]
    free = [place for place in range(length) if not line >> place & 1]
    runs = _runs(line)
    return frozenset(
        (at, to) for at, to in product(filled, free) if _runs(line ^ (1 << at) ^ (1 << to)) == runs
    )


def _runs(line: int) -> Clue:
    return tuple(map(len, filter(None, f"{line:b}".split("0"))))


def _starts(length: int, side: int) -> Iterator[int]:
    """Where squares start that overlap by half; the last one ends with the board.

    >>> list(_starts(23, 10)), list(_starts(8, 10))
    ([0, 5, 10, 13], [0])
    """
    last = max(length - side, 0)
    yield from range(0, last, side // 2)
    yield last


def _without(picture: Picture, top: int, left: int, side: int) -> Picture:
    """The picture with the cells of a square left open."""

    def outside(at: Square) -> bool:
        return not (top <= at.row < top + side and left <= at.col < left + side)

    return Picture(
        frozenset(filter(outside, picture.filled)),
        frozenset(filter(outside, picture.blank)),
        frozenset((at, ink) for at, ink in picture.inks if outside(at)),
    )
