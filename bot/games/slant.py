"""Slant (Gokigen): every cell has a line from corner to corner; a number says how many lines meet at its point.

The lines make no loop.
"""

from __future__ import annotations

import random
import re

from bot.grid import GridGame, cycle, game
from bot.practice.making import answer_of, thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Corner, Place, counted
from solver.grid.search import Problem
from solver.grid.text import as_runs, header, runs
from solver.lattice import Square
from vision.eyesight import Eyesight, Look, Region

FALLING, RISING = "\\", "/"
LIGHT, BLACK = "d5d5d5", ("000000", "ff0000")
# Of a free cell, of one with a line, and of the one under the keyboard's cursor.
GROUNDS = (LIGHT, "adadad", "ffffff")
# Between a line and its ground.
MIXED = ("6e6e6e", "8c8c8c")


def corners(board: Board) -> list[Corner]:
    return [Corner(row, col) for row in range(board.height + 1) for col in range(board.width + 1)]


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    if not re.fullmatch(r"(d[eh])?", params):
        raise InvalidPuzzle(f"{params!r} after the size means nothing in Slant")
    clues = runs(description, "[0-4]", (width + 1) * (height + 1))
    places = corners(Board(height, width))
    return Board(
        height, width, {at: clue for at, clue in zip(places, clues, strict=True) if clue is not None}
    )


def unparse(board: Board) -> str:
    return f"{board.width}x{board.height}:{as_runs(board.given.get(at) for at in corners(board))}"


def touching(board: Board, at: Corner) -> list[tuple[Square, str]]:
    """The cells around a point, with the line that meets it."""
    near = [
        (Square(at.row - 1, at.col - 1), FALLING),
        (Square(at.row - 1, at.col), RISING),
        (Square(at.row, at.col - 1), RISING),
        (Square(at.row, at.col), FALLING),
    ]
    return [(cell, line) for cell, line in near if board.has(cell)]


def _place(board: Board, at: Corner) -> str:
    """Where a point is, by the cells above and left of it, which people count from 1."""
    row = {0: "on the top edge", board.height: "on the bottom edge"}.get(at.row, f"below row {at.row}")
    col = {0: "at the left edge", board.width: "at the right edge"}.get(at.col, f"right of column {at.col}")
    return f"{row} and {col}"


def rules(problem: Problem) -> None:
    board = problem.board
    for at, clue in board.given.items():
        if isinstance(at, Corner):
            lines = [(cell, problem.bits[line]) for cell, line in touching(board, at)]
            problem.literals(
                lines, int(clue), int(clue), f"the {clue} {_place(board, at)} has {counted(clue, 'line')}"
            )

    def point(row: int, col: int) -> int:
        return row * (board.width + 1) + col

    joins = {
        at: {
            FALLING: [(point(at.row, at.col), point(at.row + 1, at.col + 1))],
            RISING: [(point(at.row, at.col + 1), point(at.row + 1, at.col))],
        }
        for at in board.squares
    }
    problem.forest(joins, (board.width + 1) * (board.height + 1), "the lines make no loop")


def make(rng: random.Random) -> Board:
    side = 4
    board = Board(side, side)
    lines = dict(answer_of(GAMEPLAY, board))
    for at in rng.sample(board.squares, len(board.squares)):
        turned = {**lines, at: FALLING if lines[at] == RISING else RISING}
        if not GAMEPLAY.broken(board, turned):
            lines = turned
    given: dict[Place, str] = {}
    for corner in corners(board):
        given[corner] = str(sum(lines[cell] == line for cell, line in touching(board, corner)))
    return thinned(GAMEPLAY, Board(side, side, given), rng, share=0.8)


GAMEPLAY = GridGame(
    name="slant",
    title="Slant",
    key="slant",
    parse=parse,
    unparse=unparse,
    values=lambda board: (FALLING, RISING),
    cells=lambda board: board.squares,
    rules=rules,
    words={FALLING: "a falling line", RISING: "a rising line"},
    eyes=Eyesight(
        looks=(
            Look("", ground=GROUNDS),
            Look(FALLING, "placed", GROUNDS, "backslash", BLACK, (0.7, 1.0)),
            Look(RISING, "placed", GROUNDS, "slash", BLACK, (0.7, 1.0)),
        ),
        region=Region(0.3, 0.3, 0.7, 0.7),
        corners=(
            Look("", framed=False),
            # Lines that meet there, which fill most of a small one.
            Look("", ground=(*GROUNDS, *MIXED), form="anything", framed=False),
            Look("", "given", (LIGHT,), "number", BLACK, (0.3, 1.0), framed=True, most=4),
        ),
        lines=("959595",),
        evidence=("number",),
    ),
    clicks=cycle(FALLING, RISING),
    make=make,
)
GAME = game(GAMEPLAY)
