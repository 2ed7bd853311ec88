"""Keen (KenKen): each digit once in every row and column; in every cage the digits make its number by its sign.

`-` is a difference and `÷` a quotient of two digits, whichever is larger first.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import partial
from itertools import combinations_with_replacement, permutations
from math import prod
from typing import TYPE_CHECKING

from bot import digits
from bot.game import later
from bot.grid import GridGame, game
from bot.practice.making import answer_of, only_one
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Place, named
from solver.grid.cages import borders_of, cages_of, cages_on, clash, parse_borders, random_cages, shortened
from solver.grid.search import Problem
from solver.grid.text import header
from vision.eyesight import Eyesight, Region

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

SIGNS = {"a": "+", "m": "×", "s": "−", "d": "÷"}
# Where the clue of a cage stands in its first cell.
CLUE = Region(0.09, 0.05, 0.97, 0.32)


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
    return Board(side, side, given, shortened(borders_of(side, cages)))


def unparse(board: Board) -> str:
    clues = "".join(board.given[min(cage)] for cage in cages_on(board))
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


def rules(problem: Problem) -> None:
    board = problem.board
    digits.latin(problem)
    for cage in cages_on(board):
        clue = board.given[min(cage)]
        words = f"the cage at {named(min(cage))} makes {clue[1:]}{SIGNS[clue[0]]}"
        # The order of the digits makes no difference to a clue.
        found = (
            some for some in combinations_with_replacement(problem.values, len(cage)) if makes(clue, some)
        )
        rows = sorted({row for some in found for row in permutations(some) if not clash(cage, row)})
        problem.table(cage, rows, words)


def cages(scene: Scene, grid: Grid, board: Board) -> Board:
    """The cages, by the thick lines, and the clue in the first cell of each."""
    from vision.measures.arithmetic import clues_in
    from vision.measures.parts import cage_lines

    if board.height != board.width:
        raise InvalidPuzzle("Keen boards are square")
    thick = scene.once(cage_lines, grid)
    found = cages_of(board.width, thick)
    # A board without cages, or with blocks only, is of another game.
    if len(found) < board.width or any(len(cage) > 6 for cage in found):
        raise InvalidPuzzle("the thick lines do not make cages")
    clues = clues_in(scene, grid, {min(cage): len(cage) > 1 for cage in found}, CLUE)
    given: dict[Place, str] = {min(cage): clues[min(cage)] for cage in found}
    return Board(board.height, board.width, given, shortened(borders_of(board.width, found)))


def make(rng: random.Random) -> Board:
    side = 4
    plain = Board(side, side, {}, "")
    while True:
        order = rng.sample(range(side), side)
        shift = rng.sample(range(side), side)
        value = {at: (order[at.row] + shift[at.col]) % side + 1 for at in plain.squares}
        cages = random_cages(rng, side, most=3)
        given: dict[Place, str] = {}
        for cage in cages:
            held = sorted(value[at] for at in cage)
            signs = ["a", "m"] if len(cage) != 2 else ["a", "m", "s"] + ["d"] * (held[1] % held[0] == 0)
            sign = rng.choice(signs) if len(cage) > 1 else "a"
            number = {"a": sum(held), "m": prod(held), "s": held[-1] - held[0], "d": held[-1] // held[0]}[
                sign
            ]
            given[cage[0]] = f"{sign}{number}"
        board = Board(side, side, given, shortened(borders_of(side, cages)))
        if only_one(GAMEPLAY, board) and answer_of(GAMEPLAY, board):
            return board


GAMEPLAY = GridGame(
    name="keen",
    title="Keen",
    key="keen",
    parse=parse,
    unparse=unparse,
    **digits.ENTERED,
    rules=rules,
    eyes=Eyesight(
        looks=digits.looks(("e6e6e6", "b3b3b3", "cccccc")),
        region=Region(0.14, 0.36, 0.9, 0.93),
        # Below the clue there is room for the digits of most systems' fonts only.
        wider=Region(0.1, 0.1, 0.9, 0.93),
        lines=("000000",),
        finish=cages,
    ),
    # The clue of a cage stands in its first cell.
    shared=True,
    draw=partial(later("bot.practice.cells:cages"), of=cages_on, ink=digits.GREEN),
    make=make,
)
GAME = game(GAMEPLAY)
