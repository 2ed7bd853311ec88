"""Unruly: every cell is black or white; each row and column has as many of both, and no three in a row are alike.

In boards with `u` no two rows and no two columns are the same.
"""

from __future__ import annotations

import random
import re
from itertools import combinations

from bot.grid import GridGame, cycle, game
from bot.practice.making import filled, thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, named
from solver.grid.search import Problem
from solver.grid.text import board_of, header, in_order
from vision.eyesight import Eyesight, Look

BLACK, WHITE = "#", "o"
NAMES = {BLACK: "black", WHITE: "white"}


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    if not re.fullmatch(r"u?(d[ten])?", params) or width % 2 or height % 2:
        raise InvalidPuzzle(
            f"{width}x{height}{params}: Unruly has even sides, and 'u' or a 'd' after them at most"
        )
    cells: list[str | None] = []
    for sign in description:
        if not sign.isascii() or not sign.isalpha():
            raise InvalidPuzzle(f"{sign!r} means nothing in Unruly: only letters do")
        empty = ord(sign.lower()) - 97
        cells += [None] * empty + ([] if empty == 25 else [BLACK if sign.isupper() else WHITE])
    # One letter more than there are cells ends the description.
    if len(cells) != width * height + 1:
        raise InvalidPuzzle(f"the description is of {len(cells) - 1} cells, the board has {width * height}")
    return board_of(width, height, cells[:-1], "u" if "u" in params else "")


def unparse(board: Board) -> str:
    signs, empty = [], 0
    for cell in (*in_order(board), WHITE):
        if cell is None:
            empty += 1
            continue
        letter = "z" * (empty // 25) + chr(97 + empty % 25)
        signs.append(letter[:-1] + (letter[-1].upper() if cell == BLACK else letter[-1]))
        empty = 0
    return f"{board.width}x{board.height}{board.form}:{''.join(signs)}"


def rules(problem: Problem) -> None:
    board = problem.board
    for at, value in board.given.items():
        problem.only(at, value)  # type: ignore[arg-type]  # only cells are given here
    for name, line in board.lines:
        for value in NAMES:
            problem.exactly(len(line) // 2, line, value, f"{name} has {len(line) // 2} {NAMES[value]} cells")
            for three in zip(line, line[1:], line[2:], strict=False):
                problem.at_most(
                    2, three, value, f"no three {NAMES[value]} cells side by side from {named(three[0])}"
                )
    if board.form == "u":
        for lines in (board.lines[: board.height], board.lines[board.height :]):
            for (name, one), (other_name, other) in combinations(lines, 2):
                problem.unlike(one, other, f"{name} and {other_name} are not the same")


def make(rng: random.Random) -> Board:
    return thinned(GAMEPLAY, filled(GAMEPLAY, Board(6, 6), rng), rng, share=1.0)


# Frames of given cells have shades of grey.
GREYS = ("d5d5d5", "afafaf", "ffffff", "333333", "080808", "5d5d5d", "8f8f8f", "797979")


def _looks(value: str, ground: str) -> tuple[Look, ...]:
    return (
        Look(value, "given", (ground,), framed=True, frame=GREYS),
        Look(value, "placed", (ground,), framed=False),
    )


GAMEPLAY = GridGame(
    name="unruly",
    title="Unruly",
    key="unruly",
    parse=parse,
    unparse=unparse,
    values=lambda board: (BLACK, WHITE),
    cells=lambda board: board.squares,
    rules=rules,
    words=NAMES,
    eyes=Eyesight(
        looks=(
            Look("", ground=("808080",), framed=False),
            *_looks(BLACK, "333333"),
            *_looks(WHITE, "d5d5d5"),
        ),
        least=4,
        lines=("4c4c4c",),
        errors="ff0000",
        evidence=(BLACK, WHITE),
    ),
    clicks=cycle(BLACK, WHITE),
    make=make,
)
GAME = game(GAMEPLAY)
