"""Singles: cells are blackened until no number stands twice among the others of a row or column.

Black cells never touch along a side, and the others hang together.
"""

from __future__ import annotations

import random
import re

from bot.actions import Step, Tap
from bot.grid import GridGame, game, switch
from bot.practice.making import only_one
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, Entries, Place, named
from solver.grid.search import Problem
from solver.grid.text import board_of, header, in_order
from solver.lattice import Square
from vision.eyesight import Eyesight, Look, Region
from vision.reading import Reading

BLACK, WHITE = "#", "."
LIGHT, DARK = "e6e6e6", "000000"
DIGITS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    if not re.fullmatch(r"(d[ek])?", params) or len(description) != width * height:
        raise InvalidPuzzle(
            f"a Singles board of {width} x {height} cells has as many characters after the colon"
        )
    if any(sign not in DIGITS for sign in description):
        raise InvalidPuzzle("a Singles board has a digit or a letter for each cell")
    return board_of(width, height, [str(DIGITS.index(sign) + 1) for sign in description])


def unparse(board: Board) -> str:
    return f"{board.width}x{board.height}:{''.join(DIGITS[int(cell or 1) - 1] for cell in in_order(board))}"


def rules(problem: Problem) -> None:
    board = problem.board
    for at in board.squares:
        for near in board.beside(at):
            if at < near:
                problem.at_most(1, (at, near), BLACK, f"{named(at)} and {named(near)} are not both black")
    for name, line in board.lines:
        numbers: dict[str, list[Square]] = {}
        for at in line:
            numbers.setdefault(board.given.get(at, ""), []).append(at)
        for number, cells in numbers.items():
            if number and len(cells) > 1:
                problem.at_most(1, cells, WHITE, f"at most one {number} of {name} stays white")
    problem.connected(WHITE, "the white cells hang together")


def make(rng: random.Random) -> Board:
    """Black cells and a latin square; what is black gets a number that its row has already."""
    side = 5
    while True:
        shift = rng.sample(range(side), side)
        turn = rng.sample(range(side), side)
        numbers = {
            Square(row, col): str((shift[row] + turn[col]) % side + 1)
            for row in range(side)
            for col in range(side)
        }
        given: dict[Place, str] = dict(numbers.items())
        for at in rng.sample(sorted(numbers), 7):
            given[at] = numbers[Square(at.row, rng.randrange(side))]
        board = Board(side, side, given)
        if only_one(GAMEPLAY, board):
            return board


def uncover(reading: Reading[Board, Entries]) -> Step | None:
    """Numbers under black cells cannot be seen: those cells become white again."""
    hidden = [at for at in reading.doubtful if reading.marks[at].runner_up == BLACK]
    actions = tuple(Tap(reading.geometry.centres[at]) for at in hidden)
    return Step(actions, f"clear {len(hidden)} black cells, whose numbers cannot be seen") if hidden else None


GAMEPLAY = GridGame(
    name="singles",
    title="Singles",
    key="singles",
    parse=parse,
    unparse=unparse,
    values=lambda board: (WHITE, BLACK),
    blank=WHITE,
    cells=lambda board: board.squares,
    rules=rules,
    words={BLACK: "black", WHITE: "white"},
    eyes=Eyesight(
        looks=(
            Look("", "given", (LIGHT,), "number", (DARK, "ff0000"), (0.3, 0.95), framed=False),
            Look(WHITE, "placed", (LIGHT,), "number", (DARK, "ff0000"), (0.3, 0.95), framed=True, clue=True),
            Look(BLACK, "placed", (DARK, "ff0000")),
            Look(
                BLACK,
                "placed",
                (DARK, "ff0000"),
                "number",
                (LIGHT, "ffffff", "808080"),
                (0.3, 0.95),
                clue=True,
            ),
        ),
        lines=("bbbbbb",),
        cursor="33cc00",
        evidence=("number",),
        covers=(BLACK,),
        region=Region(0.03, 0.03, 0.97, 0.97),
    ),
    clicks=switch(BLACK, WHITE) | {(WHITE, "left"): BLACK, (BLACK, "right"): WHITE},
    uncover=uncover,
    make=make,
)
GAME = game(GAMEPLAY)
