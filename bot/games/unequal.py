"""Unequal (Futoshiki): each digit once in every row and column; a sign between two cells points from the larger one."""

from __future__ import annotations

import random
import re
from functools import partial
from typing import TYPE_CHECKING

from bot.game import later
from bot.games import digits
from bot.grid import GridGame, game
from bot.practice.making import filled, thinned
from solver.errors import InvalidPuzzle
from solver.grid.board import Between, Board, Place, named
from solver.grid.search import Problem
from solver.grid.text import header
from solver.lattice import Square
from vision.eyesight import Eyesight, Region

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

# The first cell of a pair is larger, or smaller; what a letter of the ID looks at.
MORE, LESS = ">", "<"
STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
GROUND = "d5d5d5"
# A cell is so much of the pitch; the rest is the gap in which signs stand.
CELL = 2 / 3
# Framed cells stand apart.
BOXES = partial(later("vision.measures.boxes:box_grids"), apart=(1.3, 1.8))


def parse(text: str) -> Board:
    side, height, params, description = header(text)
    parts = description.removesuffix(",").split(",")
    if (
        side != height
        or not 3 <= side <= 9
        or not re.fullmatch(r"(d[tekxr])?", params)
        or len(parts) != side * side
    ):
        raise InvalidPuzzle(
            f"{text[:30]!r}: an Unequal board has one side from 3 to 9 and a number for each cell",
            hint="boards with bars between neighbours (a) are not solved",
        )
    given: dict[Place, str] = {}
    for at, part in zip(Board(side, side).squares, parts, strict=True):
        if not re.fullmatch(r"\d[URDL]*", part):
            raise InvalidPuzzle(f"{part[:20]!r} at {named(at)} is no number with signs")
        if part[0] != "0":
            given[at] = part[0]
        for letter in part[1:]:
            down, right = STEPS[letter]
            other = Square(at.row + down, at.col + right)
            given[Between(min(at, other), max(at, other))] = MORE if at < other else LESS
    return Board(side, side, given)


def unparse(board: Board) -> str:
    parts = []
    for at in board.squares:
        signs = ""
        for letter, (down, right) in STEPS.items():
            other = Square(at.row + down, at.col + right)
            sign = board.given.get(Between(min(at, other), max(at, other)))
            signs += letter if sign == (MORE if at < other else LESS) else ""
        parts.append(board.given.get(at, "0") + signs)
    return f"{board.width}:{','.join(parts)},"


def rules(problem: Problem) -> None:
    digits.latin(problem)
    for place, value in problem.board.given.items():
        if isinstance(place, Square):
            problem.only(place, value)
        elif isinstance(place, Between):
            high, low = (place.a, place.b) if value == MORE else (place.b, place.a)
            problem.less(low, high, f"{named(high)} is more than {named(low)}")


def signs(scene: Scene, grid: Grid, board: Board) -> Board:
    """The board with the signs between its cells: a corner that points to the smaller one."""
    from vision.measures.between import corners_between

    digits.square(scene, grid, board)
    if not any(abs(known.xs.pitch - grid.xs.pitch) < 1 for known in BOXES(scene)):
        raise InvalidPuzzle("the cells have no frames of their own")
    seen = corners_between(scene, grid)
    if not seen:
        raise InvalidPuzzle("no signs stand between the cells")
    given: dict[Place, str] = {Between(*cells): MORE if away else LESS for cells, away in seen.items()}
    return Board(board.height, board.width, {**board.given, **given})


def make(rng: random.Random) -> Board:
    full = filled(GAMEPLAY, Board(4, 4), rng)
    given = dict(full.given)
    for at in full.squares:
        for other in full.beside(at):
            if at < other and rng.random() < 0.4:
                given[Between(at, other)] = MORE if full.given[at] > full.given[other] else LESS
    # Signs stay: without any it would be a board of another game.
    return thinned(
        GAMEPLAY, Board(4, 4, given), rng, lambda place: given[place] if isinstance(place, Between) else None
    )


GAMEPLAY = GridGame(
    name="unequal",
    title="Unequal",
    key="unequal",
    parse=parse,
    unparse=unparse,
    **digits.ENTERED,
    rules=rules,
    eyes=Eyesight(
        looks=digits.looks((GROUND, "a6a6a6", "ffffff")),
        region=Region(0.21, 0.21, 0.79, 0.79),
        lattices=BOXES,
        finish=signs,
    ),
    draw=partial(later("bot.practice.cells:boxed"), cell=CELL, ink=digits.GREEN, more=MORE),
    make=make,
)
GAME = game(GAMEPLAY)
