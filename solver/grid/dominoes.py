"""Boards that dominoes cover: which cells belong together, as letters L, R, T, B for their halves and * for a single cell."""

from __future__ import annotations

import random
from collections.abc import Mapping

from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Place
from solver.lattice import Square

SINGLE = "*"
# Where the other half is.
STEPS = {"L": (0, 1), "R": (0, -1), "T": (1, 0), "B": (-1, 0), SINGLE: (0, 0)}


def mate(board: Board, at: Square) -> Square:
    """The other cell of a domino; a single cell itself."""
    down, right = STEPS[board.form[at.row * board.width + at.col]]
    return Square(at.row + down, at.col + right)


def laid(height: int, width: int, given: Mapping[Place, str], form: str) -> Board:
    """The board with its single cells. Raises InvalidPuzzle where letters do not make dominoes."""
    board = Board(height, width, given, form)
    if (
        len(form) != height * width
        or set(form) - set(STEPS)
        or not all(board.has(mate(board, at)) and mate(board, mate(board, at)) == at for at in board.squares)
    ):
        raise InvalidPuzzle(f"{form[:40]!r} does not lay dominoes on {width} x {height} cells")
    alone: dict[Place, str] = {at: SINGLE for at in board.squares if mate(board, at) == at}
    if any(sign == SINGLE and at not in alone for at, sign in given.items()):
        raise InvalidPuzzle("a half of a domino shows no domino")
    return Board(height, width, {**given, **alone}, form)


def formed(height: int, width: int, mates: Mapping[Square, Square]) -> str:
    """The letters of the dominoes, from the other cell of every cell that one covers."""
    letters = {way: letter for letter, way in STEPS.items()}
    ways = [(at, mates.get(at, at)) for at in Board(height, width).squares]
    return "".join(letters[other.row - at.row, other.col - at.col] for at, other in ways)


def tiling(rng: random.Random, height: int, width: int) -> Board:
    """A board that dominoes cover by lot, but for one cell of an odd number."""
    squares = Board(height, width).squares
    while True:
        form: dict[Square, str] = {}
        for at in squares:
            others = [(way, Square(at.row + STEPS[way][0], at.col + STEPS[way][1])) for way in "LT"]
            free = [(way, other) for way, other in others if other in squares and other not in form]
            if at not in form and free:
                way, other = rng.choice(free)
                form |= {at: way, other: "R" if way == "L" else "B"}
        if len(form) >= len(squares) - 1:
            return laid(height, width, {}, "".join(form.get(at, SINGLE) for at in squares))
