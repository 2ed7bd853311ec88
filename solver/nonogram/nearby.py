"""Another picture that differs from a known one in one small part of the board.

A puzzle with several pictures mostly has some that differ in a few cells. All cells outside a square are held as they
are in the known picture, and clause learning decides the rest, mostly at once. It is only a guess: that there is no
other picture near says nothing of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from solver.lattice import Square
from solver.nonogram.board import Nonogram, Picture
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
