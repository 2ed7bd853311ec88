"""Solo (Sudoku): each digit stands once in every row, every column and every block; with `x` in both diagonals, too.

Blocks are rectangles or, in a jigsaw (`j`), of any form. In a killer board (`k`) the digits of a cage differ and make its sum.
The form of a board is its ID without the digits: `3x3x`, `9j,BORDERS`, `3x3k,BORDERS OF CAGES,SUMS`.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, NamedTuple

from bot import digits
from bot.game import later
from bot.grid import GridGame, game
from bot.practice.making import filled, thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, named
from solver.grid.cages import borders_of, cages_of, in_full, parse_borders, rectangles, with_totals
from solver.grid.search import Problem
from solver.grid.text import as_runs, board_of, in_order, runs
from solver.lattice import Square
from vision.eyesight import SIGNS, Eyesight

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

HEAD = re.compile(r"(([1-9]\d?)(?:x([1-9]\d?)|j)(x?)(k?))([a-z]\w*)?")
CLEAR = later("vision.measures.cages:without_cages")


class Head(NamedTuple):
    """What stands in front of an ID. high, wide: rows and columns of a block; wide is 0 where blocks have any form."""

    text: str
    high: int
    wide: int
    side: int
    diagonals: bool
    killer: bool


def head_of(text: str) -> Head:
    match = HEAD.fullmatch(re.split("[:,]", text.strip())[0])
    side = int(match[2]) * int(match[3] or 1) if match else 0
    if match is None or not 2 <= side <= len(SIGNS):
        told = f"{text[:40]!r} is no Solo board of 2 to {len(SIGNS)} numbers"
        raise InvalidPuzzle(told, hint="for example 3x3:..., or 9j:... for a jigsaw")
    return Head(match[1], int(match[2]), int(match[3] or 0), side, bool(match[4]), bool(match[5]))


def parse(text: str) -> Board:
    head = head_of(text)
    cells, *parts = text.strip().partition(":")[2].split(",")
    token = r"[1-9]" if head.side <= len(digits.SIGNS) else r"\d{1,2}"
    numbers = runs(cells, token, head.side**2)
    if any(number and not 1 <= int(number) <= head.side for number in numbers):
        raise InvalidPuzzle(f"a number is not one from 1 to {head.side}")
    areas = (not head.wide) + head.killer
    if len(parts) != areas + head.killer:
        raise InvalidPuzzle(f"{len(parts)} parts behind the digits are not those of a {head.text} board")
    form = ",".join([head.text, *(in_full(part, head.side) for part in parts[:areas]), *parts[areas:]])
    signs = [number and SIGNS[int(number) - 1] for number in numbers]
    board = board_of(head.side, head.side, signs, form)
    if any(len(block) != head.side for block in blocks_on(board)):
        raise InvalidPuzzle(f"a block has not {head.side} cells")
    cages_on(board)
    return board


def unparse(board: Board) -> str:
    numbers = [sign and str(SIGNS.index(sign) + 1) for sign in in_order(board)]
    head, *parts = board.form.split(",")
    return f"{head}:{','.join([as_runs(numbers, apart='_'), *parts])}"


def blocks_on(board: Board) -> list[tuple[Square, ...]]:
    head, side = head_of(board.form), board.width
    if head.wide:
        return rectangles(side, head.wide, head.high)
    return cages_of(side, parse_borders(board.form.split(",")[1], side))


def cages_on(board: Board) -> list[tuple[tuple[Square, ...], int]]:
    return with_totals(board.width, *board.form.split(",")[-2:]) if head_of(board.form).killer else []


def rules(problem: Problem) -> None:
    board = problem.board
    for at, value in board.given.items():
        if isinstance(at, Square):
            problem.only(at, value)
    digits.latin(problem)
    for block in blocks_on(board):
        problem.different(block, f"the block of {named(block[0])} has each digit once")
    for name, line in board.diagonals if head_of(board.form).diagonals else ():
        problem.different(line, f"{name} has each digit once")
    for cage, total in cages_on(board):
        problem.total(cage, total, f"the cage of {named(cage[0])} makes {total} of different digits")


def seen(scene: Scene, grid: Grid, board: Board) -> Board:
    """The blocks by the thick lines, and what is drawn of cages beside those; darker diagonals are those of an X board."""
    from vision.measures.cages import blocks, numbered_cages
    from vision.measures.tints import darker

    side, clear = board.height, scene.once(CLEAR)
    if side != board.width or side > len(SIGNS):
        raise InvalidPuzzle(f"{board.width} x {side} cells are no square of up to {len(SIGNS)}")
    found, dark = blocks(clear or scene, grid), darker(clear or scene, grid)
    if any(len(block) != side for block in found):
        raise InvalidPuzzle("the thick lines do not make equal blocks")
    crossed = {at for _, line in board.diagonals for at in line}
    # One more is the selected cell.
    signs = "x" * (crossed <= dark and len(dark - crossed) <= 1) + "k" * (clear is not None)
    sizes = [(high, side // high) for high in range(2, side) if side % high == 0]
    shape = next((f"{high}x{wide}" for high, wide in sizes if rectangles(side, wide, high) == found), "")
    told = [f"{shape}{signs}"] if shape else [f"{side}j{signs}", borders_of(side, found)]
    told += numbered_cages(scene, grid) if clear is not None else ()
    return Board(side, side, board.given, ",".join(told))


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
        finish=seen,
        least=4,
        lines=("000000",),
        evidence=("number",),
    ),
    thick=lambda board: (head_of(board.form).wide or board.width, head_of(board.form).high),
    make=make,
)
GAME = game(GAMEPLAY)
