"""Unequal (Futoshiki): each digit once in every row and column; a sign between two cells points from the larger one."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
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
    import numpy as np

    from vision.grids import Grid
    from vision.scene import Scene

# The first cell of a pair is larger, or smaller; what a letter of the ID looks at.
MORE, LESS = ">", "<"
STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
GROUND = "d5d5d5"
# A cell is so much of the pitch; the rest is the gap in which signs stand.
CELL = 2 / 3


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


def boxes(scene: Scene) -> Iterable[Grid]:
    """The lattice of framed cells that stand apart, each by its own frame."""
    import numpy as np

    from vision.grids import Comb, Grid

    areas = scene.areas(8)
    square = (areas.width > 12) & (np.abs(areas.width - areas.height) <= 2)
    sizes, counts = np.unique(areas.width[square], return_counts=True)
    for size in sizes[np.argsort(-counts)][:2]:
        alike = square & (np.abs(areas.width - size) <= 1)
        xs, ys = _line(areas.left[alike] + size / 2), _line(areas.top[alike] + size / 2)
        if xs and ys and len(xs) == len(ys) >= 3 and alike.sum() >= 0.6 * len(xs) ** 2:
            pitch = (xs[-1] - xs[0]) / (len(xs) - 1)
            if 1.3 * size < pitch < 1.8 * size:
                yield Grid(*(Comb(line[0] - pitch / 2, pitch, len(line) + 1) for line in (xs, ys)))


def _line(values: np.typing.NDArray[np.float64]) -> list[float]:
    """Different places, those of the same cell taken together."""
    found: list[float] = []
    for value in sorted(values.tolist()):
        if not found or value - found[-1] > 4:
            found.append(float(value))
    return found


def signs(scene: Scene, grid: Grid, board: Board) -> Board:
    """The board with the signs between its cells: a corner that points to the smaller one."""
    from vision.measures.parts import part_of

    digits.square(scene, grid, board)
    if not any(abs(known.xs.pitch - grid.xs.pitch) < 1 for known in boxes(scene)):
        raise InvalidPuzzle("the cells have no frames of their own")
    given = dict(board.given)
    for at in board.squares:
        for down, right in ((0, 1), (1, 0)):
            other = Square(at.row + down, at.col + right)
            if not board.has(other):
                continue
            x, y = grid.xs.at(at.col + 0.5 + right / 2), grid.ys.at(at.row + 0.5 + down / 2)
            half = 0.15 * grid.xs.pitch
            patch = scene.pixels[round(y - half) : round(y + half), round(x - half) : round(x + half)]
            if not patch.size:
                raise InvalidPuzzle("a part of the board is not on the picture")
            part = part_of(patch)
            if part.share > 0.03:
                mask = part.drawn if right else part.drawn.T
                given[Between(at, other)] = MORE if _points(mask) else LESS
    if not any(isinstance(place, Between) for place in given):
        raise InvalidPuzzle("no signs stand between the cells")
    return Board(board.height, board.width, given)


def _points(mask: np.typing.NDArray[np.bool_]) -> bool:
    """Whether a corner points to the right: its open side is higher than its point."""
    import cv2
    import numpy as np

    left, _, wide, _ = cv2.boundingRect(mask.astype(np.uint8))
    third = max(1, wide // 3)
    heights = [
        np.ptp(np.flatnonzero(part.any(axis=1)))
        for part in (mask[:, left : left + third], mask[:, left + wide - third : left + wide])
    ]
    return bool(heights[0] > heights[1])


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
    values=digits.values,
    cells=lambda board: board.squares,
    rules=rules,
    eyes=Eyesight(
        looks=digits.looks((GROUND, "a6a6a6", "ffffff")),
        region=Region(0.21, 0.21, 0.79, 0.79),
        lattices=boxes,
        finish=signs,
    ),
    keys=digits.keys,
    draw=partial(later("bot.practice.cells:boxed"), cell=CELL, ink=digits.GREEN, more=MORE),
    make=make,
)
GAME = game(GAMEPLAY)
