"""Keen (KenKen): each digit once in every row and column; in every cage the digits make its number by its sign.

`-` is a difference and `÷` a quotient of two digits, whichever is larger first.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from bot.game import later
from bot.games import digits
from bot.games.cages import borders_of, cages_of, parse_borders
from bot.grid import GridGame, game
from bot.practice.making import answer_of, only_one
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Place, named
from solver.grid.search import Problem
from solver.grid.text import header
from solver.lattice import Square
from vision.eyesight import Eyesight, Region

if TYPE_CHECKING:
    import numpy as np

    from vision.grids import Grid
    from vision.scene import Scene

SIGNS = {"a": "+", "m": "×", "s": "−", "d": "÷"}
# Where the clue of a cage stands in its first cell.
CLUE = Region(0.09, 0.05, 0.92, 0.32)


def parse(text: str) -> Board:
    side, height, params, description = header(text)
    borders, comma, clues = description.partition(",")
    if side != height or not 3 <= side <= 9 or params.strip("denxum") or not comma:
        raise InvalidPuzzle(
            "a Keen board has one side from 3 to 9, the borders of its cages, a comma and their clues"
        )
    cages = cages_of(side, parse_borders(borders, side))
    found = re.findall(r"[amsd]\d{1,6}", clues)
    if "".join(found) != clues or len(found) != len(cages):
        raise InvalidPuzzle(f"{len(cages)} cages have {len(found)} clues")
    given: dict[Place, str] = {min(cage): clue for cage, clue in zip(cages, found, strict=True)}
    return Board(side, side, given, borders_of(side, cages))


def unparse(board: Board) -> str:
    clues = "".join(
        board.given[min(cage)] for cage in cages_of(board.width, parse_borders(board.form, board.width))
    )
    return f"{board.width}:{board.form},{clues}"


def makes(clue: str, entries: Sequence[str]) -> bool:
    """Whether digits make the number of a clue."""
    values, wanted = sorted(map(int, entries)), int(clue[1:])
    match clue[0]:
        case "a":
            return sum(values) == wanted
        case "m":
            return prod(values) == wanted
        case "s":
            return len(values) == 2 and values[1] - values[0] == wanted
        case _:
            return len(values) == 2 and values[0] * wanted == values[1]


def cages_on(board: Board) -> list[tuple[Square, ...]]:
    return cages_of(board.width, parse_borders(board.form, board.width))


def rules(problem: Problem) -> None:
    board = problem.board
    digits.latin(problem)
    for cage in cages_on(board):
        clue = board.given[min(cage)]
        words = f"the cage at {named(min(cage))} makes {clue[1:]}{SIGNS[clue[0]]}"
        rows = [
            row
            for row in product(problem.values, repeat=len(cage))
            if makes(clue, row) and not _clash(cage, row)
        ]
        problem.table(cage, rows, words)


def _clash(cage: Sequence[Square], row: Sequence[str]) -> bool:
    """Whether equal digits stand in one line."""
    cells = list(zip(cage, row, strict=True))
    return any(
        value == other and (at.row == to.row or at.col == to.col)
        for nth, (at, value) in enumerate(cells)
        for to, other in cells[:nth]
    )


def cages(scene: Scene, grid: Grid, board: Board) -> Board:
    """The cages, by the thick lines, and the clue in the first cell of each."""
    from vision.measures.parts import cage_lines

    if board.height != board.width:
        raise InvalidPuzzle("Keen boards are square")
    thick = scene.once(cage_lines, grid)
    found = cages_of(board.width, thick)
    # A board without cages, or with blocks only, is of another game.
    if len(found) < board.width or any(len(cage) > 6 for cage in found):
        raise InvalidPuzzle("the thick lines do not make cages")
    given: dict[Place, str] = {min(cage): _clue(scene, grid, min(cage)) for cage in found}
    return Board(board.height, board.width, given, borders_of(board.width, found))


def _clue(scene: Scene, grid: Grid, at: Square) -> str:
    """A number and its sign, as in the ID. Raises InvalidPuzzle."""
    import numpy as np

    from vision.digits import ink_of, read_numbers

    left, right = round(grid.xs.at(at.col + CLUE.left)), round(grid.xs.at(at.col + CLUE.right))
    top, bottom = round(grid.ys.at(at.row + CLUE.top)), round(grid.ys.at(at.row + CLUE.bottom))
    ink = ink_of(scene.pixels[top:bottom, left:right])
    # The thick line round the cage may reach in.
    ink[(ink > 0.35).mean(axis=1) > 0.9] = 0
    ink[:, (ink > 0.35).mean(axis=0) > 0.9] = 0
    columns = np.flatnonzero(np.diff(np.concatenate(([0], (ink > 0.35).any(axis=0), [0])).astype(np.int8)))
    glyphs = [ink[:, first:last] for first, last in columns.reshape(-1, 2)]
    sign = _sign(glyphs[-1]) if glyphs else ""
    if len(glyphs) <= bool(sign):
        raise InvalidPuzzle(f"no clue at {named(at)}")
    number = read_numbers(
        [np.concatenate([np.pad(g, ((0, 0), (1, 1))) for g in (glyphs[:-1] if sign else glyphs)], axis=1)]
    )[0]
    if number.value is None or number.confidence < 0.5:
        raise InvalidPuzzle(f"the clue at {named(at)} cannot be read")
    return f"{sign or 'a'}{number.value}"


def _sign(glyph: np.typing.NDArray[np.float32]) -> str:
    """The letter of a sign, "" for a digit."""
    import cv2

    mask = (glyph > 0.35).astype("uint8")
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count != 2:
        return "d" if count > 2 else ""
    left, top, wide, high, _ = stats[1].tolist()
    if wide >= 2 * high:
        return "s"
    body = mask[top : top + high, left : left + wide]
    third = max(1, round(0.3 * high)), max(1, round(0.3 * wide))
    corners = [
        body[rows, cols]
        for rows in (slice(third[0]), slice(-third[0], None))
        for cols in (slice(third[1]), slice(-third[1], None))
    ]
    if (
        not any(corner.any() for corner in corners)
        and body[high // 2 - 1 : high // 2 + 2].mean(axis=1).max() > 0.9
    ):
        return "a"
    sides = (body[0, wide // 2], body[-1, wide // 2], body[high // 2, 0], body[high // 2, -1])
    return "m" if not any(sides) and all(corner.any() for corner in corners) else ""


def make(rng: random.Random) -> Board:
    side = 4
    plain = Board(side, side, {}, "")
    while True:
        order = rng.sample(range(side), side)
        shift = rng.sample(range(side), side)
        value = {at: (order[at.row] + shift[at.col]) % side + 1 for at in plain.squares}
        group: dict[Square, int] = {}
        for at in rng.sample(plain.squares, side * side):
            near = [
                one for one in plain.beside(at) if one in group and list(group.values()).count(group[one]) < 3
            ]
            group[at] = group[rng.choice(near)] if near and rng.random() < 0.85 else len(group)
        members: dict[int, list[Square]] = defaultdict(list)
        for at, number in sorted(group.items()):
            members[number].append(at)
        given: dict[Place, str] = {}
        for cage in members.values():
            held = sorted(value[at] for at in cage)
            signs = ["a", "m"] if len(cage) != 2 else ["a", "m", "s"] + ["d"] * (held[1] % held[0] == 0)
            sign = rng.choice(signs) if len(cage) > 1 else "a"
            number = {"a": sum(held), "m": prod(held), "s": held[-1] - held[0], "d": held[-1] // held[0]}[
                sign
            ]
            given[cage[0]] = f"{sign}{number}"
        board = Board(side, side, given, borders_of(side, list(members.values())))
        if only_one(GAMEPLAY, board) and answer_of(GAMEPLAY, board):
            return board


GAMEPLAY = GridGame(
    name="keen",
    title="Keen",
    key="keen",
    parse=parse,
    unparse=unparse,
    values=digits.values,
    cells=lambda board: board.squares,
    rules=rules,
    eyes=Eyesight(
        looks=digits.looks(("e6e6e6", "b3b3b3", "cccccc")),
        region=Region(0.14, 0.36, 0.9, 0.93),
        lines=("000000",),
        finish=cages,
    ),
    keys=digits.keys,
    # The clue of a cage stands in its first cell.
    shared=True,
    draw=partial(later("bot.practice.cells:cages"), of=cages_on, ink=digits.GREEN),
    make=make,
)
GAME = game(GAMEPLAY)
