"""Tiles of two cells that cover a board, parted by gaps of the ground: found without any line between cells.

A domino may have one colour or two; what is drawn on it does not matter, since only its outline is measured.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from solver.grid.board import Board
from solver.grid.dominoes import formed, laid
from solver.lattice import Square
from vision.components import components
from vision.frame import Box
from vision.grids import Comb, Grid, evenly
from vision.scene import Scene

# A domino is so many times as long as it is wide: two cells and the gap between them.
LONG = (1.95, 2.45)
# Halves of two colours are almost square.
HALF = (1.0, 1.25)
# So much of its box is a domino, with signs in the colour of the ground taken off; less is writing.
FILLED = 0.45
# Fewer dominoes are no board; nothing smaller in px is one.
LEAST, LEAST_PX = 6, 10
# What differs from the ground by more levels is no ground.
AWAY = 16
# The ground is one of so many of the largest areas, window and desktop among them.
GROUNDS = 3
# Sides of dominoes differ by this share, and their places by this share of the pitch.
ALIKE, OFF = 0.12, 0.12

Boxes = npt.NDArray[np.int64]


def domino_grids(scene: Scene) -> list[Grid]:
    """The lattice of the cells that dominoes cover; at most one.

    Use as `scene.once(domino_grids)`.
    """
    found = scene.once(dominoes)
    return [found[0]] if found else []


def pairs_of(scene: Scene, grid: Grid) -> dict[Square, Square]:
    """For every cell that a domino covers the other cell of it. Raises InvalidPuzzle where none are seen."""
    found = scene.once(dominoes)
    if found is None or (found[0].cols, found[0].rows) != (grid.cols, grid.rows):
        raise InvalidPuzzle("the cells are not covered by dominoes")
    return found[1]


def with_dominoes(scene: Scene, grid: Grid, board: Board) -> Board:
    """The board with the dominoes of the picture, as `Eyesight.finish` asks for it. Raises InvalidPuzzle."""
    form = formed(board.height, board.width, pairs_of(scene, grid))
    return laid(board.height, board.width, board.given, form)


def dominoes(scene: Scene) -> tuple[Grid, dict[Square, Square]] | None:
    """The lattice that dominoes make, and for every cell that one covers the other cell of it."""
    areas = scene.areas()
    sides = np.sort(np.stack([areas.width, areas.height]), axis=0).astype(np.float64)
    shape = sides[1] / np.maximum(1, sides[0])
    whole = (LONG[0] < shape) & (shape < LONG[1])
    tiles = (sides[0] >= LEAST_PX) & (areas.count > FILLED * sides.prod(axis=0)) & (whole | (shape < HALF[1]))
    every = max(1, scene.size[1] // 400)
    starts = np.stack([areas.left, areas.top])
    ends = starts + (areas.width, areas.height)
    for number in [one for one in (-areas.count).argsort().tolist() if one][:GROUNDS]:
        within = (starts >= starts[:, [number]]).all(axis=0) & (ends <= ends[:, [number]]).all(axis=0)
        if _most_alike(sides[0][tiles & within]) < LEAST:
            continue
        ys, xs = np.nonzero(areas.names[::every] == number)
        if len(xs):
            ground = scene.pixels[ys[len(ys) // 2] * every, xs[len(xs) // 2]].astype(np.float64)
            box = Box(*(int(side[number]) for side in (areas.left, areas.top, areas.width, areas.height)))
            found = _lattice(_rectangles(scene, box, ground))
            if found is not None:
                return found
    return None


def _most_alike(sides: npt.NDArray[np.float64]) -> int:
    """How many sides there are of the most common length, a px more or less."""
    counts = np.bincount(sides.astype(np.int64), minlength=1)
    return int(np.convolve(counts, np.ones(3, np.int64)).max())


def _rectangles(scene: Scene, box: Box, ground: npt.NDArray[np.float64]) -> Boxes:
    """The boxes (left, top, width, height) of all that has the form of a domino on a ground."""
    pixels = scene.pixels[box.window]
    other = cv2.bitwise_not(cv2.inRange(pixels, ground - AWAY, ground + AWAY))
    left, top, wide, high, area = components(other, 4).stats[1:].astype(np.int64).T
    short, long = np.minimum(wide, high), np.maximum(wide, high)
    tiles = (short >= LEAST_PX) & (long > LONG[0] * short) & (long < LONG[1] * short)
    tiles &= area >= FILLED * wide * high
    found: Boxes = np.stack([left + box.left, top + box.top, wide, high], axis=1)[tiles]
    return found


def _lattice(tiles: Boxes) -> tuple[Grid, dict[Square, Square]] | None:
    """The lattice of which the most common tiles cover all cells but some single ones."""
    if len(tiles) < LEAST:
        return None
    short, long = tiles[:, 2:].min(axis=1), tiles[:, 2:].max(axis=1)
    side = float(np.median(short))
    tiles = tiles[(np.abs(short - side) <= ALIKE * side) & (np.abs(long - np.median(long)) <= ALIKE * side)]
    if len(tiles) < LEAST:
        return None
    pitch = float(np.mean(tiles[:, 2:].max(axis=1) - tiles[:, 2:].min(axis=1)))
    combs = []
    for axis in (0, 1):
        starts = tiles[:, axis].astype(np.float64)
        ends = starts + tiles[:, 2 + axis]
        nth = np.round((starts - starts.min()) / pitch)
        if nth.max() < 1:
            return None
        exact, first = evenly(nth, starts)
        if np.abs(starts - first - exact * nth).max() > OFF * pitch + 1:
            return None
        count = round((ends.max() - first + (pitch - side)) / exact)
        combs.append(Comb(first - (exact - side) / 2, exact, count + 1))
    grid = Grid(combs[0], combs[1])
    return _covered(grid, tiles, side)


def _covered(grid: Grid, tiles: Boxes, side: float) -> tuple[Grid, dict[Square, Square]] | None:
    """The pairs of cells, if all tiles lie on the grid, no cell is covered twice and all but an odd one are."""
    mates: dict[Square, Square] = {}
    for left, top, wide, high in tiles.tolist():
        cells = [
            Square(
                int((y - grid.ys.first) // grid.ys.pitch),
                int((x - grid.xs.first) // grid.xs.pitch),
            )
            for x, y in _ends(left, top, wide, high, side)
        ]
        inside = all(0 <= at.row < grid.rows and 0 <= at.col < grid.cols for at in cells)
        if not inside or cells[0] == cells[1] or set(cells) & set(mates):
            return None
        mates |= {cells[0]: cells[1], cells[1]: cells[0]}
    return (grid, mates) if len(mates) >= grid.rows * grid.cols - 1 else None


def _ends(left: int, top: int, wide: int, high: int, side: float) -> Iterable[tuple[float, float]]:
    """The middles of the two cells of a tile."""
    half = side / 2
    return (left + half, top + half), (left + wide - half, top + high - half)
