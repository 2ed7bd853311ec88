"""Solo (Sudoku): each digit stands once in every row, every column and every block; with `x` in both diagonals, too."""

from __future__ import annotations

import random
import re
from itertools import product
from statistics import median
from typing import TYPE_CHECKING

from bot.games import digits
from bot.grid import GridGame, game
from bot.practice.making import filled, thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board
from solver.grid.search import Problem
from solver.grid.text import as_runs, board_of, in_order, runs
from solver.lattice import Square
from vision.eyesight import Eyesight, Region

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene


# Where a cell shows its ground, and the share of the others' brightness that a darker one has at most.
INSIDE, DARKER = Region(0.1, 0.1, 0.9, 0.9), 0.95


def parse(text: str) -> Board:
    match = re.fullmatch(r"(\d)x(\d)(x?)[a-z]*:([\w]*)", text.strip())
    side = int(match[1]) * int(match[2]) if match else 0
    if match is None or not 2 <= side <= len(digits.SIGNS):
        raise InvalidPuzzle(
            f"{text[:40]!r} is no Solo board of up to nine digits",
            hint="jigsaw and killer boards are not solved",
        )
    cells = runs(match[4], r"[1-9]", side * side)
    return board_of(side, side, cells, f"{match[1]}x{match[2]}{match[3]}")


def unparse(board: Board) -> str:
    return f"{board.form}:{as_runs(in_order(board), apart='_')}"


def shape(board: Board) -> tuple[int, int]:
    """Columns and rows of a block; the ID counts the blocks side by side and one below the other."""
    return int(board.form[2]), int(board.form[0])


def rules(problem: Problem) -> None:
    board = problem.board
    for at, value in board.given.items():
        if isinstance(at, Square):
            problem.only(at, value)
    digits.latin(problem)
    wide, high = shape(board)
    for top, left in product(range(0, board.height, high), range(0, board.width, wide)):
        block = [Square(top + down, left + right) for down in range(high) for right in range(wide)]
        problem.different(block, f"the block at row {top + 1}, column {left + 1} has each digit once")
    if "x" in board.form[3:]:
        side = board.height
        problem.different([Square(i, i) for i in range(side)], "the falling diagonal has each digit once")
        problem.different(
            [Square(side - 1 - i, i) for i in range(side)], "the rising diagonal has each digit once"
        )


def blocks(scene: Scene, grid: Grid, board: Board) -> Board:
    """The size of the blocks, by the thick lines; darker diagonals count as those of an X board."""
    from vision.measures.parts import thick_lines

    upright, level = scene.once(thick_lines, grid)
    side = board.height
    for wide in range(2, side):
        high = side // wide
        if board.width == side == wide * high and high > 1:
            cols = {col for col in range(1, side) if col % wide == 0}
            rows = {row for row in range(1, side) if row % high == 0}
            if cols == upright and rows == level:
                cross = "x" if dark_diagonals(scene, grid) else ""
                return Board(side, side, board.given, f"{high}x{wide}{cross}")
    raise InvalidPuzzle("the thick lines do not make equal blocks")


def dark_diagonals(scene: Scene, grid: Grid) -> bool:
    """Whether just the cells of both diagonals are darker than the others; one more may be, the selected one."""
    from vision.measures.parts import grounds

    levels = scene.once(grounds, grid, INSIDE).mean(axis=1).tolist()
    if len(levels) != grid.rows * grid.cols:
        return False
    places = [divmod(cell, grid.cols) for cell in range(len(levels))]
    crossed = {at for at in places if at[0] == at[1] or sum(at) == grid.cols - 1}
    usual = median(level for at, level in zip(places, levels, strict=True) if at not in crossed)
    dark = {at for at, level in zip(places, levels, strict=True) if level < DARKER * usual}
    return crossed <= dark and len(dark - crossed) <= 1


def make(rng: random.Random) -> Board:
    return thinned(GAMEPLAY, filled(GAMEPLAY, Board(6, 6, form="2x3"), rng), rng, share=0.7)


GAMEPLAY = GridGame(
    name="solo",
    title="Solo",
    key="solo",
    parse=parse,
    unparse=unparse,
    **digits.ENTERED,
    rules=rules,
    eyes=Eyesight(
        looks=digits.looks(("e6e6e6", "b3b3b3", "cccccc")),
        finish=blocks,
        least=4,
        lines=("000000",),
        evidence=("number",),
    ),
    thick=shape,
    make=make,
)
GAME = game(GAMEPLAY)
