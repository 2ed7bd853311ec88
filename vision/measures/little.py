"""Little pictures of the board in its cells: a small square for every cell that is meant, the cell itself in the middle."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from solver.lattice import Square
from vision.grids import Grid
from vision.scene import Scene

# Squares smaller than this run into each other.
LEAST_PX = 4.5
# A line differs from the ground by more levels, within so many px of its place.
LEVELS, NEAR_PX = 24, 2


def little_pictures(scene: Scene, grid: Grid, small: float, reach: int) -> dict[Square, frozenset[Square]]:
    """The cells that the picture in each cell shows, itself among them.

    small: the side of a square, in cells. reach: how far the cells of a picture lie at most.
    Raises InvalidPuzzle where the squares are too small.
    """
    side = small * grid.xs.pitch
    if side < LEAST_PX:
        raise InvalidPuzzle("the little pictures in the cells are too small to be read")
    shades = scene.shades.astype(np.int16)
    squares = [Square(row, col) for row in range(grid.rows) for col in range(grid.cols)]
    found = {}
    for at in squares:
        middle = grid.centre(at.row, at.col)
        ground = int(shades[round(grid.ys.at(at.row + 0.2)), round(grid.xs.at(at.col + 0.1))])
        shown = {at}
        for down, right in product(range(-reach, reach + 1), repeat=2):
            x, y = middle.x + right * side, middle.y + down * side
            sides = ((x - side / 2, y), (x + side / 2, y), (x, y - side / 2), (x, y + side / 2))
            if all(_line(shades, *place, ground) for place in sides):
                shown.add(Square(at.row + down, at.col + right))
        found[at] = frozenset(shown)
    return found


def _line(shades: npt.NDArray[np.int16], x: float, y: float, ground: int) -> bool:
    near = shades[int(y) - NEAR_PX : int(y) + NEAR_PX + 1, int(x) - NEAR_PX : int(x) + NEAR_PX + 1]
    return bool((np.abs(near - ground) > LEVELS).any())
