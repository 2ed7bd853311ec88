"""Queens (Star Battle with one star): each row, column and coloured area has one queen, and no two touch, not even at corners.

A board's text has a letter for the area of each cell, row by row: `4x4queens:aabb/cabb/ccdd/ccdd`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from bot.game import later
from bot.grid import GridGame, game
from bot.practice.making import only_one
from solver.errors import InvalidPuzzle
from solver.grid.board import Board, named
from solver.grid.cages import cages_of, grown_areas
from solver.grid.search import Problem
from solver.grid.text import header
from solver.lattice import Square
from vision.eyesight import Eyesight, Look

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

QUEEN, EMPTY = "Q", "."
NAMES = "abcdefghijklmnopqrstuvwxyz"
LEAST = 4
# A practice board, and the colours of its areas.
SIDE, COLOURS = 6, ("b3dfa0", "a3d2d8", "ffc992", "bba3e2", "dfdfdf", "e6f388")
COLOURED_AREAS = later("vision.measures.cages:coloured_areas")


def parse(text: str) -> Board:
    width, height, params, description = header(text)
    rows = description.split("/")
    if params != "queens" or width != height or [len(row) for row in rows] != [width] * height:
        raise InvalidPuzzle(
            f"{text[:40]!r} is no board of Queens", hint="for example 4x4queens:aabb/cabb/ccdd/ccdd"
        )
    letter = dict(zip(Board(height, width).squares, "".join(rows), strict=True))
    near = [(at, Square(at.row + down, at.col + right)) for at in letter for down, right in ((0, 1), (1, 0))]
    apart = {(a.row, a.col, "rd"[b.row > a.row]) for a, b in near if b in letter and letter[a] != letter[b]}
    areas = cages_of(width, apart)
    if len(areas) != width:
        raise InvalidPuzzle(f"{width} rows and {len(areas)} areas that hang together are no board of Queens")
    return with_areas(width, {at: nth for nth, area in enumerate(areas) for at in area})


def with_areas(side: int, area: Mapping[Square, int]) -> Board:
    """The board of the areas of its cells, -1 where that is in doubt. Raises InvalidPuzzle where there are too many."""
    if side > len(NAMES):
        raise InvalidPuzzle(f"a board of Queens has at most {len(NAMES)} rows, this one {side}")
    names: dict[int, str] = {-1: ""}
    for at in sorted(area):
        names.setdefault(area[at], NAMES[len(names) - 1])
    return Board(side, side, {at: names[area[at]] for at in sorted(area)})


def unparse(board: Board) -> str:
    rows = ("".join(board.given.get(at, "?") for at in board.row(row)) for row in range(board.height))
    return f"{board.width}x{board.height}queens:{'/'.join(rows)}"


def rules(problem: Problem) -> None:
    board = problem.board
    for name, line in board.lines:
        problem.exactly(1, line, QUEEN, f"{name} has one queen")
    # A cell in doubt may hold the queen of an area.
    least = int(len(board.given) == len(board.squares))
    for name in sorted(set(board.given.values())):
        area = [at for at in board.squares if board.given.get(at) == name]
        problem.count(area, QUEEN, least, 1, f"the area of {named(area[0])} has one queen")
    for block in board.fours:
        problem.at_most(1, block, QUEEN, f"queens do not touch around {named(block[0])}")


def seen(scene: Scene, grid: Grid, board: Board) -> Board:
    """The board with its areas, by the colours of the cells and the thick lines between them."""
    areas = scene.once(COLOURED_AREAS, grid)
    if areas is None:
        raise InvalidPuzzle(f"{board.height} rows have not as many coloured areas")
    return with_areas(board.height, {at: int(areas[at]) for at in board.squares})


def make(rng: random.Random) -> Board:
    while True:
        cols = rng.sample(range(SIDE), SIDE)
        if all(abs(a - b) > 1 for a, b in pairwise(cols)):
            queens = [Square(row, col) for row, col in enumerate(cols)]
            areas = grown_areas(rng, SIDE, queens)
            board = with_areas(SIDE, {at: nth for nth, area in enumerate(areas) for at in area})
            if only_one(GAMEPLAY, board):
                return board


GAMEPLAY = GridGame(
    name="queens",
    title="Queens",
    parse=parse,
    unparse=unparse,
    values=lambda board: (EMPTY, QUEEN),
    blank=EMPTY,
    # Every cell has its area for a clue.
    cells=lambda board: board.squares,
    shared=True,
    rules=rules,
    words={QUEEN: "a queen", EMPTY: "no queen"},
    eyes=Eyesight(
        looks=(
            Look(""),
            Look(QUEEN, "placed", form="crown", size=(0.2, 1.0)),
            Look(QUEEN, "placed", form="queen", size=(0.2, 1.0)),
            Look(EMPTY, "placed", form="cross", size=(0.15, 0.9)),
            Look(EMPTY, "placed", form="disc", size=(0.08, 0.4)),
        ),
        least=LEAST,
        # An area may be red.
        mistake="",
        likely=lambda scene, grid: scene.once(COLOURED_AREAS, grid) is not None,
        finish=seen,
    ),
    # Pages and phones have one button.
    clicks={("", "left"): EMPTY, (EMPTY, "left"): QUEEN, (QUEEN, "left"): ""},
    ground=lambda board, at: COLOURS[NAMES.index(board.given[at])],
    make=make,
)
GAME = game(GAMEPLAY)
