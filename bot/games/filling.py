"""Filling (Fillomino): cells with the same digit that hang together are as many as the digit says."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from bot import digits
from bot.grid import GridGame, game
from bot.practice.making import filled, thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board
from solver.grid.search import Problem
from solver.grid.text import as_runs, board_of, header, in_order, runs
from solver.lattice import Square
from vision.eyesight import Eyesight

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

# Thick lines are between so many of the pairs of other numbers; those of a board of blocks of 2 x 2 cells between half.
LEAST_PARTED = 0.75


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    if params:
        raise InvalidPuzzle(f"{params!r} after the size means nothing in Filling")
    return board_of(width, height, runs(description, "[1-9]", width * height))


def unparse(board: Board) -> str:
    return f"{board.width}x{board.height}:{as_runs(in_order(board))}"


def rules(problem: Problem) -> None:
    for at, value in problem.board.given.items():
        if isinstance(at, Square):
            problem.only(at, value)
    problem.sized(
        {sign: int(sign) for sign in digits.SIGNS},
        "each group of equal digits has as many cells as its digit says",
    )


def bordered(scene: Scene, grid: Grid, board: Board) -> Board:
    """The board, if a thick line goes round it and thick lines inside part its numbers. Raises InvalidPuzzle."""
    from vision.measures.cages import without_blocks
    from vision.measures.parts import cage_lines, thick_border

    if not scene.once(thick_border, grid):
        raise InvalidPuzzle("no thick line goes round the cells")
    thick, given = scene.once(cage_lines, grid), board.given
    borders = {
        (at.row, at.col, side)
        for at in board.squares
        for side, near in (("r", Square(at.row, at.col + 1)), ("d", Square(at.row + 1, at.col)))
        if given.get(at, "") != given.get(near, "") and at in given and near in given
    }
    if thick and len(thick & borders) < LEAST_PARTED * len(borders):
        raise InvalidPuzzle("the thick lines do not part its numbers")
    return without_blocks(scene, grid, board)


def make(rng: random.Random) -> Board:
    return thinned(GAMEPLAY, filled(GAMEPLAY, Board(4, 5), rng), rng, share=1.0)


GAMEPLAY = GridGame(
    name="filling",
    title="Filling",
    key="filling",
    parse=parse,
    unparse=unparse,
    values=lambda board: digits.SIGNS,
    cells=lambda board: board.squares,
    rules=rules,
    eyes=Eyesight(
        looks=digits.looks(("e6e6e6", "cfcfcf", "a1a1a1"), ("ffcccc", "ffbfbf", "ff9999"), framed=None),
        finish=bordered,
        lines=("000000",),
        evidence=("number",),
    ),
    keys=digits.keys,
    thick=lambda board: (board.width, board.height),
    make=make,
)
GAME = game(GAMEPLAY)
