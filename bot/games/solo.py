"""Solo (Sudoku): each digit stands once in every row, every column and every block; with `x` in both diagonals, too.

Blocks are rectangles or, in a jigsaw (`j`), of any form. In a killer board (`k`) the digits of a cage differ and make its sum.
"""

from __future__ import annotations

import random
from statistics import median
from typing import TYPE_CHECKING

from bot.game import later
from bot.games import digits
from bot.games.blocks import blocks_on, cages_on, cages_seen, form_of, head_of, shape, with_cages
from bot.games.cages import borders_of, cages_of
from bot.grid import GridGame, game
from bot.practice.making import filled, thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, named
from solver.grid.search import Problem
from solver.grid.text import as_runs, board_of, in_order, runs
from solver.lattice import Square
from vision.eyesight import SIGNS, Eyesight, Region

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene


# Where a cell shows its ground, and the share of the others' brightness that a darker one has at most.
CLEAR = later("vision.measures.cages:without_cages")
INSIDE, DARKER = Region(0.1, 0.1, 0.9, 0.9), 0.95


def parse(text: str) -> Board:
    head = head_of(text)
    cells, *parts = text.strip().partition(":")[2].split(",")
    token = r"[1-9]" if head.side <= len(digits.SIGNS) else r"\d{1,2}"
    numbers = runs(cells, token, head.side**2)
    if any(number and not 1 <= int(number) <= head.side for number in numbers):
        raise InvalidPuzzle(f"a number is not one from 1 to {head.side}")
    signs = [number and SIGNS[int(number) - 1] for number in numbers]
    return board_of(head.side, head.side, signs, form_of(head, parts))


def unparse(board: Board) -> str:
    numbers = [sign and str(SIGNS.index(sign) + 1) for sign in in_order(board)]
    head, *parts = board.form.split(",")
    return f"{head}:{','.join([as_runs(numbers, apart='_'), *parts])}"


def rules(problem: Problem) -> None:
    board, side = problem.board, problem.board.height
    for at, value in board.given.items():
        if isinstance(at, Square):
            problem.only(at, value)
    digits.latin(problem)
    for block in blocks_on(board):
        problem.different(block, f"the block of {named(block[0])} has each digit once")
    if head_of(board.form).diagonals:
        problem.different([Square(i, i) for i in range(side)], "the falling diagonal has each digit once")
        problem.different(
            [Square(side - 1 - i, i) for i in range(side)], "the rising diagonal has each digit once"
        )
    for cage, total in cages_on(board):
        problem.total(cage, total, f"the cage of {named(cage[0])} makes {total} of different digits")


def blocks(scene: Scene, grid: Grid, board: Board) -> Board:
    """The blocks, by the thick lines; darker diagonals count as those of an X board."""
    from vision.measures.parts import cage_lines, thick_lines

    # What is drawn of cages lies beside the lines.
    clear = scene.once(CLEAR)
    if clear is not None:
        killer = cages_seen(scene, grid, board.height)
        plain = blocks(clear, grid, board)
        return Board(board.height, board.width, board.given, with_cages(plain.form, *killer))
    side = board.height
    if side != board.width or side > len(SIGNS):
        raise InvalidPuzzle(f"{board.width} x {side} cells are no square of up to {len(SIGNS)}")
    cross = "x" if dark_diagonals(scene, grid) else ""
    found = cages_of(side, scene.once(cage_lines, grid))
    if all(len(block) == side for block in found):
        known = [f"{high}x{side // high}" for high in range(2, side) if side % high == 0]
        alike = [form for form in known if blocks_on(Board(side, side, form=form)) == found]
        form = f"{alike[0]}{cross}" if alike else f"{side}j{cross},{borders_of(side, found)}"
        return Board(side, side, board.given, form)
    # Something covers a piece of a line here and there.
    upright, level = scene.once(thick_lines, grid)
    for high in (high for high in range(2, side) if side % high == 0):
        cols, rows = set(range(side // high, side, side // high)), set(range(high, side, high))
        if cols == upright and rows == level:
            return Board(side, side, board.given, f"{high}x{side // high}{cross}")
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
    values=lambda board: SIGNS[: board.height],
    cells=lambda board: board.squares,
    keys=digits.keys,
    rules=rules,
    eyes=Eyesight(
        looks=digits.looks(("e6e6e6", "b3b3b3", "cccccc")),
        letters=True,
        clear=CLEAR,
        finish=blocks,
        least=4,
        lines=("000000",),
        evidence=("number",),
    ),
    thick=shape,
    make=make,
)
GAME = game(GAMEPLAY)
