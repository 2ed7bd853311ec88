"""Cages drawn inside the cells in a colour of their own, each with a number in its first cell."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from solver.grid.board import named
from solver.lattice import Square
from vision.digits import read_numbers
from vision.eyesight import Region
from vision.grids import Grid
from vision.measures.tints import tinted
from vision.scene import Scene

Mask = npt.NDArray[np.bool_]

# The tint of the lines and numbers of cages.
YELLOW = "ffff00"
# Between two cells the lines are looked for so far to either side of the border, along the middle of it, in cells; a line is
# there along so much of it. It is none of the lattice's own, which is drawn on the border itself.
BESIDE, ALONG, LINE = (0.03, 0.16), (0.4, 0.6), 0.8
# Where the number stands in the first cell, what ink of a line counts, and how sure a number is.
NUMBER, FAINT, SURE = Region(0.03, 0.03, 0.75, 0.45), 0.1, 0.5


def cages_inside(scene: Scene, grid: Grid) -> frozenset[tuple[int, int, str]]:
    """The borders between cages: (row, col, "r") to the right of a cell, (row, col, "d") below it.

    Raises InvalidPuzzle where a line is seen on one side of a border only.
    """
    mask = scene.once(tinted, YELLOW)
    found = set()
    for row, col, (down, right) in product(range(grid.rows), range(grid.cols), ((0, 1), (1, 0))):
        if row + down >= grid.rows or col + right >= grid.cols:
            continue
        sides = [_line_beside(mask, grid, row + down, col + right, bool(right), way) for way in (-1, 1)]
        if sides[0] != sides[1]:
            raise InvalidPuzzle(f"the cage at {named(Square(row, col))} is seen on one side only")
        if sides[0]:
            found.add((row, col, "r" if right else "d"))
    return frozenset(found)


def _line_beside(mask: Mask, grid: Grid, row: int, col: int, upright: bool, way: int) -> bool:
    """Whether a line goes along the left border of a cell (the upper one), before or behind it."""
    across, along = (grid.xs, grid.ys) if upright else (grid.ys, grid.xs)
    at, middle = (col, row) if upright else (row, col)
    ends = sorted(across.at(at) + way * share * across.pitch for share in BESIDE)
    first, last = (round(along.at(middle + share)) for share in ALONG)
    strip = (mask if upright else mask.T)[first:last, round(ends[0]) : round(ends[1]) + 1]
    return bool(strip.size and strip.mean(axis=0).max() >= LINE)


def number_inside(scene: Scene, grid: Grid, at: Square) -> int:
    """The number of the cage whose first cell this is. Raises InvalidPuzzle."""
    left, right = round(grid.xs.at(at.col + NUMBER.left)), round(grid.xs.at(at.col + NUMBER.right))
    top, bottom = round(grid.ys.at(at.row + NUMBER.top)), round(grid.ys.at(at.row + NUMBER.bottom))
    pixels = scene.pixels[top:bottom, left:right].astype(np.float32)
    yellow = np.clip(np.minimum(pixels[..., 1], pixels[..., 2]) - pixels[..., 0], 0, None)
    ink = np.asarray(yellow / max(1.0, float(yellow.max(initial=0.0))), np.float32)
    # The lines above and to the left go on beyond what is looked at, digits end in it; they may touch.
    ink[ink[:, -1] > FAINT] = 0
    ink[:, ink[-1] > FAINT] = 0
    number = read_numbers([ink])[0]
    if number.value is None or number.confidence < SURE:
        raise InvalidPuzzle(f"the number of the cage at {named(at)} cannot be read")
    return number.value
