"""Unequal (Futoshiki): each digit once in every row and column; a sign between two cells points from the larger one.

In an Adjacent board (`a`) bars stand between the neighbours whose digits follow each other, and between no others.
"""

from __future__ import annotations

import random
import re
from functools import partial
from typing import TYPE_CHECKING

from bot import digits
from bot.game import later
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

# The first cell of a pair is larger, or smaller, or next to the other; what a letter of the ID looks at.
MORE, LESS, BAR = ">", "<", "|"
ADJACENT = "a"
STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
GROUND = "d5d5d5"
# A cell is so much of the pitch; the rest is the gap in which signs stand.
CELL = 2 / 3
# Framed cells stand apart.
BOXES = partial(later("vision.blobs:find_blob_grids"), filled=(0.55, 0.72))


def parse(text: str) -> Board:
    side, height, params, description = header(text)
    parts = description.removesuffix(",").split(",")
    if (
        side != height
        or not 3 <= side <= 9
        or not re.fullmatch(r"a?(d[tekxr])?", params)
        or len(parts) != side * side
    ):
        raise InvalidPuzzle(
            f"{text[:30]!r}: an Unequal board has one side from 3 to 9 and a number for each cell",
            hint="for example 4:0,0R,... or, with bars between neighbours, 4a:0R,0L,...",
        )
    form = ADJACENT if params.startswith(ADJACENT) else ""
    given: dict[Place, str] = {}
    plain = Board(side, side)
    for at, part in zip(plain.squares, parts, strict=True):
        if not re.fullmatch(r"\d[URDL]*", part):
            raise InvalidPuzzle(f"{part[:20]!r} at {named(at)} is no number with signs")
        if part[0] != "0":
            given[at] = part[0]
        for letter in part[1:]:
            down, right = STEPS[letter]
            other = Square(at.row + down, at.col + right)
            if not plain.has(other):
                raise InvalidPuzzle(f"the sign {letter} at {named(at)} points off the board")
            given[Between(min(at, other), max(at, other))] = BAR if form else MORE if at < other else LESS
    return Board(side, side, given, form)


def unparse(board: Board) -> str:
    parts = []
    for at in board.squares:
        signs = ""
        for letter, (down, right) in STEPS.items():
            other = Square(at.row + down, at.col + right)
            sign = board.given.get(Between(min(at, other), max(at, other)))
            signs += letter if sign in (BAR, MORE if at < other else LESS) else ""
        parts.append(board.given.get(at, "0") + signs)
    return f"{board.width}{board.form}:{','.join(parts)},"


def rules(problem: Problem) -> None:
    digits.latin(problem)
    board = problem.board
    if board.form == ADJACENT:
        pairs = [Between(at, near) for at in board.squares for near in board.beside(at) if at < near]
        for pair in pairs:
            words = f"{named(pair.a)} and {named(pair.b)} {'' if pair in board.given else 'do not '}follow each other"
            problem.next_to(pair.a, pair.b, pair in board.given, words)
    for place, value in board.given.items():
        if isinstance(place, Square):
            problem.only(place, value)
        elif value != BAR and isinstance(place, Between):
            high, low = (place.a, place.b) if value == MORE else (place.b, place.a)
            problem.less(low, high, f"{named(high)} is more than {named(low)}")


def signs(scene: Scene, grid: Grid, board: Board) -> Board:
    """The board with the signs between its cells: a corner that points to the smaller one, or bars."""
    from vision.measures.between import signs_between

    digits.square(scene, grid, board)
    if not any(abs(known.xs.pitch - grid.xs.pitch) < 1 for known in scene.once(BOXES)):
        raise InvalidPuzzle("the cells have no frames of their own")
    seen = signs_between(scene, grid)
    if not seen or (BAR in seen.values() and len(set(seen.values())) > 1):
        raise InvalidPuzzle("no signs of one kind stand between the cells")
    given: dict[Place, str] = {Between(*cells): sign for cells, sign in seen.items()}
    form = ADJACENT if BAR in seen.values() else ""
    return Board(board.height, board.width, {**board.given, **given}, form)


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
