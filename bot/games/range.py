"""Range: some cells become black. A number says how many white cells it sees along its row and column, itself among them.

Black cells never touch along a side, cells with a number stay white, and the white cells hang together.
"""

from __future__ import annotations

import random

from bot.game import later
from bot.grid import GridGame, cycle, game
from bot.practice.making import thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Place, counted, named
from solver.grid.search import Problem
from solver.grid.search import check as check_rules
from solver.grid.text import as_runs, board_of, header, in_order, runs
from solver.lattice import Square
from vision.eyesight import Eyesight, Look, Region

BLACK, WHITE = "#", "."
LIGHT, DARK = "e6e6e6", "000000"
# Of a free cell, and of the one under the keyboard's cursor.
GROUNDS = (LIGHT, "bbbbbb")


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    if params:
        raise InvalidPuzzle(f"{params!r} after the size means nothing in Range")
    return board_of(width, height, runs(description, r"\d{1,3}", width * height))


def unparse(board: Board) -> str:
    return f"{board.width}x{board.height}:{as_runs(in_order(board), apart='_')}"


def rules(problem: Problem) -> None:
    board = problem.board
    for at in board.squares:
        for near in board.beside(at):
            if at < near:
                problem.at_most(1, (at, near), BLACK, f"{named(at)} and {named(near)} are not both black")
    for place, clue in board.given.items():
        if isinstance(place, Square):
            at = place
            problem.only(at, WHITE)
            problem.sight(
                at, WHITE, int(clue), f"the {clue} at {named(at)} sees {counted(clue, 'white cell')}"
            )
    problem.connected(WHITE, "the white cells hang together")


def make(rng: random.Random) -> Board:
    height, width = 5, 6
    board = Board(height, width)
    black: dict[Square, str] = {}
    for at in rng.sample(board.squares, 12):
        trial = {**black, at: BLACK}
        if not check_rules(GAMEPLAY.problem(board), trial):
            black = trial
    given: dict[Place, str] = {}
    for at in board.squares:
        if at not in black:
            seen = 1
            for arm in board.arms(at):
                for cell in arm:
                    if cell in black:
                        break
                    seen += 1
            given[at] = str(seen)
    return thinned(GAMEPLAY, Board(height, width, given), rng, share=1.0)


GAMEPLAY = GridGame(
    name="range",
    title="Range",
    key="range",
    parse=parse,
    unparse=unparse,
    values=lambda board: (WHITE, BLACK),
    blank=WHITE,
    cells=lambda board: board.squares,
    rules=rules,
    words={BLACK: "black", WHITE: "white"},
    eyes=Eyesight(
        looks=(
            Look("", ground=GROUNDS),
            Look(BLACK, "placed", (DARK, "ff0000")),
            Look(WHITE, "placed", GROUNDS, "disc", (DARK, "ff0000"), (0.04, 0.28)),
            Look("", "given", GROUNDS, "number", (DARK, "ff0000"), (0.3, 0.98)),
        ),
        region=Region(0.05, 0.05, 0.95, 0.95),
        lines=("000000",),
        evidence=("number",),
        finish=later("vision.measures.cages:without_blocks"),
    ),
    clicks=cycle(BLACK, WHITE),
    make=make,
)
GAME = game(GAMEPLAY)
