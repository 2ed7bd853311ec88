"""Light Up: lamps light their row and column up to the next black cell; every other cell must be lit.

No lamp shines on another one, and a number on a black cell says how many of the cells beside it hold a lamp.
"""

from __future__ import annotations

import random
import re

from bot.grid import GridGame, game, switch
from bot.practice.making import thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Place, counted, named, unbroken
from solver.grid.search import Problem
from solver.grid.text import as_runs, board_of, header, in_order, runs
from solver.lattice import Square
from vision.eyesight import Eyesight, Look

LAMP, DARK = "*", "."
LIGHT, LIT, BLACK = "e6e6e6", "ffff00", "000000"


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    if not re.fullmatch(r"(b\d+)?(s\d)?(d\d)?", params):
        raise InvalidPuzzle(f"{params!r} after the size means nothing in Light Up")
    return board_of(width, height, runs(description, "[B0-4]", width * height))


def unparse(board: Board) -> str:
    return f"{board.width}x{board.height}:{as_runs(in_order(board))}"


def rules(problem: Problem) -> None:
    board = problem.board
    for at, clue in board.given.items():
        if isinstance(at, Square) and clue.isdigit():
            lamps = counted(clue, "lamp")
            problem.exactly(
                int(clue), board.beside(at), LAMP, f"the {clue} at {named(at)} has {lamps} beside it"
            )
    for at in problem.cells:
        seen = [at]
        for arm in board.arms(at):
            for cell in arm:
                if cell in board.given:
                    break
                seen.append(cell)
        problem.count(seen, LAMP, 1, len(seen), f"a lamp lights {named(at)}")
    for name, line in board.lines:
        for run in unbroken(line, board.given):
            problem.at_most(1, run, LAMP, f"in {name} no lamp shines on another one")


def make(rng: random.Random) -> Board:
    side = rng.choice((5, 6, 7))
    black = [Square(row, col) for row in range(side) for col in range(side) if rng.random() < 0.25]
    given: dict[Place, str] = dict.fromkeys(black, "B")
    board = Board(side, side, given)
    lamps: set[Square] = set()
    for at in rng.sample(board.squares, side * side):
        seen = {at}
        for arm in board.arms(at):
            for cell in arm:
                if cell in given:
                    break
                seen.add(cell)
        if at not in given and not lamps & seen:
            lamps.add(at)
    known: dict[Place, str] = {**given}
    known.update((at, str(sum(near in lamps for near in board.beside(at)))) for at in black)
    return thinned(GAMEPLAY, Board(side, side, known), rng, lambda place: "B")


GAMEPLAY = GridGame(
    name="lightup",
    title="Light Up",
    key="lightup",
    parse=parse,
    unparse=unparse,
    values=lambda board: (DARK, LAMP),
    blank=DARK,
    rules=rules,
    words={LAMP: "a lamp", DARK: "no lamp"},
    eyes=Eyesight(
        looks=(
            Look("", ground=(LIGHT, LIT)),
            Look(LAMP, "placed", (LIT,), "disc", ("ffffff", "ff4040"), (0.6, 1.0)),
            Look(DARK, "placed", (LIGHT, LIT), "square", (BLACK,), (0.1, 0.5)),
            Look("B", "given", (BLACK,)),
            Look("", "given", (BLACK,), "number", ("ffffff", "ff4040"), (0.3, 0.9)),
        ),
        lines=("999999",),
        evidence=("number",),
    ),
    clicks=switch(LAMP, DARK),
    make=make,
)
GAME = game(GAMEPLAY)
