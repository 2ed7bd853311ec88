"""Blocks of a Sudoku: rectangles or of any form (jigsaw), cages with a sum (killer), and how a game ID tells them.

The form of a board is the ID without its digits: `3x3x`, `9j,BORDERS`, `3x3k,BORDERS OF CAGES,SUMS`.
"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from bot.games.cages import borders_of, cages_of, parse_borders
from solver.errors import InvalidPuzzle
from solver.grid.board import Board
from solver.grid.text import as_runs, runs
from solver.lattice import Square
from vision.eyesight import SIGNS

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

_HEAD = re.compile(r"(\d{1,2})(?:x(\d{1,2})|j)(x?)(k?)([a-z]\w*)?")


class Head(NamedTuple):
    """What stands in front of an ID. high, wide: rows and columns of a block; wide is 0 where blocks have any form (jigsaw)."""

    high: int
    wide: int
    side: int
    diagonals: bool
    killer: bool

    def text(self) -> str:
        size = f"{self.high}x{self.wide}" if self.wide else f"{self.side}j"
        return size + "x" * self.diagonals + "k" * self.killer


def head_of(text: str) -> Head:
    """What a form or an ID begins with. Raises InvalidPuzzle."""
    match = _HEAD.fullmatch(re.split("[:,]", text.strip())[0])
    side = int(match[1]) * int(match[2] or 1) if match else 0
    if match is None or not 2 <= side <= len(SIGNS):
        raise InvalidPuzzle(
            f"{text[:40]!r} is no Solo board of 2 to {len(SIGNS)} numbers",
            hint="for example 3x3:..., or 9j:... for a jigsaw",
        )
    return Head(int(match[1]), int(match[2] or 0), side, bool(match[3]), bool(match[4]))


def form_of(head: Head, parts: list[str]) -> str:
    """The form of a board, from what an ID tells behind its digits. Raises InvalidPuzzle."""
    jigsaw = not head.wide
    if len(parts) != jigsaw + 2 * head.killer:
        raise InvalidPuzzle(f"{len(parts)} parts behind the digits are not those of a {head.text()} board")
    told = [head.text()]
    for text in parts[: jigsaw + head.killer]:
        told.append(borders_of(head.side, cages_of(head.side, parse_borders(text, head.side))))
    if head.killer:
        told.append(as_runs(runs(parts[-1], r"\d{1,3}", head.side**2), apart="_"))
    form = ",".join(told)
    board = Board(head.side, head.side, form=form)
    if any(len(block) != head.side for block in blocks_on(board)):
        raise InvalidPuzzle(f"a block has not {head.side} cells")
    cages_on(board)
    return form


def shape(board: Board) -> tuple[int, int]:
    """Columns and rows of a block; the whole board where blocks have any form."""
    head = head_of(board.form)
    return (head.wide, head.high) if head.wide else (head.side, head.side)


def blocks_on(board: Board) -> list[tuple[Square, ...]]:
    """The blocks of a board, by their first cells."""
    head = head_of(board.form)
    if not head.wide:
        return cages_of(head.side, parse_borders(board.form.split(",")[1], head.side))
    wide, high = shape(board)
    corners = product(range(0, head.side, high), range(0, head.side, wide))
    return [
        tuple(Square(top + down, left + right) for down in range(high) for right in range(wide))
        for top, left in corners
    ]


def cages_on(board: Board) -> list[tuple[tuple[Square, ...], int]]:
    """The cages of a killer board with their sums. Raises InvalidPuzzle where those are not told one by one."""
    if not head_of(board.form).killer:
        return []
    *_, borders, told = board.form.split(",")
    cages = cages_of(board.width, parse_borders(borders, board.width))
    sums = dict(zip(board.squares, runs(told, r"\d{1,3}", board.width**2), strict=True))
    if {at for at, total in sums.items() if total} != {cage[0] for cage in cages}:
        raise InvalidPuzzle("the sums do not stand in the first cells of the cages")
    return [(cage, int(sums[cage[0]] or 0)) for cage in cages]


def cages_seen(scene: Scene, grid: Grid, side: int) -> tuple[str, str]:
    """The borders of the cages of a killer board and their sums, as a form tells them. Raises InvalidPuzzle."""
    from vision.measures.cages import cages_inside, number_inside

    if grid.rows != grid.cols or side > len(SIGNS):
        raise InvalidPuzzle("a killer board is a square")
    cages = cages_of(side, scene.once(cages_inside, grid))
    sums = {cage[0]: str(number_inside(scene, grid, cage[0])) for cage in cages}
    told = [sums.get(at) for at in Board(side, side).squares]
    return borders_of(side, cages), as_runs(told, apart="_")


def with_cages(form: str, borders: str, sums: str) -> str:
    """The form of a killer board, from the form without its cages."""
    head, *parts = form.split(",")
    return ",".join([f"{head}k", *parts, borders, sums])
