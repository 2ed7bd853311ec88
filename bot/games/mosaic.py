"""Mosaic: a number says how many cells are black in the three by three around it, its own cell among them."""

from __future__ import annotations

import random
import re

from bot.grid import GridGame, cycle, game
from bot.practice.making import thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Place, counted, named
from solver.grid.search import Problem
from solver.grid.text import as_runs, board_of, header, in_order, runs
from solver.lattice import Square
from vision.eyesight import Eyesight, Look

BLACK, WHITE = "#", "."
OPEN, DARK, LIGHT = "94c4be", "141414", "ececec"


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    if not re.fullmatch(r"h?\d*", params):
        raise InvalidPuzzle(f"{params!r} after the size means nothing in Mosaic")
    return board_of(width, height, runs(description, "[0-9]", width * height))


def unparse(board: Board) -> str:
    return f"{board.width}x{board.height}:{as_runs(in_order(board))}"


def seen(board: Board) -> tuple[Square, ...]:
    """The cells that a number sees; the others may stay as they are."""
    clued = {near for at in board.given if isinstance(at, Square) for near in board.around(at)}
    return tuple(at for at in board.squares if at in clued)


def rules(problem: Problem) -> None:
    board = problem.board
    for at, clue in board.given.items():
        if isinstance(at, Square):
            problem.exactly(
                int(clue),
                board.around(at),
                BLACK,
                f"the {clue} at {named(at)} sees {counted(clue, 'black cell')}",
            )


def make(rng: random.Random) -> Board:
    side = 5
    board = Board(side, side)
    black = {at for at in board.squares if rng.random() < 0.5}
    given: dict[Place, str] = {at: str(len(black & set(board.around(at)))) for at in board.squares}
    return thinned(GAMEPLAY, Board(side, side, given), rng, share=1.0)


def _looks(value: str, ground: str, inks: tuple[str, ...]) -> tuple[Look, ...]:
    inks = (*inks, "ff0000")
    return (
        Look(value, "placed", (ground,)),
        Look(value, "placed", (ground,), "number", inks, (0.2, 0.9), clue=True),
    )


GAMEPLAY = GridGame(
    name="mosaic",
    title="Mosaic",
    key="mosaic",
    parse=parse,
    unparse=unparse,
    values=lambda board: (BLACK, WHITE),
    cells=seen,
    rules=rules,
    words={BLACK: "black", WHITE: "white"},
    eyes=Eyesight(
        looks=(
            Look("", ground=(OPEN,)),
            Look("", "given", (OPEN,), "number", ("141414", "ff0000"), (0.2, 0.9)),
            *_looks(BLACK, DARK, ("ececec", "646464")),
            *_looks(WHITE, LIGHT, ("000000", "646464")),
        ),
        lines=("006663",),
        evidence=("number",),
    ),
    clicks=cycle(BLACK, WHITE),
    several=True,
    make=make,
)
GAME = game(GAMEPLAY)
