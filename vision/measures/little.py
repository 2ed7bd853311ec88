"""Little pictures of the board in its cells: a small square for every cell that is meant, the cell itself in the middle."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from solver.grid.board import named
from solver.lattice import Square
from vision.frame import Pixels
from vision.grids import Grid, Mask
from vision.scene import Scene

Floats = npt.NDArray[np.floating]

# Squares smaller than this run into each other.
LEAST_PX = 4.0
# A line differs from the ground by more levels, in any channel, within so many px of its place.
LEVELS, NEAR_PX = 24, 1
# A line shows along so much of it.
WHOLE = 0.75
# What is drawn in the middle of a cell, this share of it, is squares; so few px may be none of theirs.
INNER, MOST_STRANGE_PX = 0.42, 2


def little_pictures(scene: Scene, grid: Grid, small: float, reach: int) -> dict[Square, frozenset[Square]]:
    """The cells that the picture in each cell shows, itself among them.

    small: the side of a square, in cells; programs draw an even number of px at most. reach: how far the cells of a
    picture lie at most. Raises InvalidPuzzle where the squares do not explain all that is drawn, or show cells beyond the grid.
    """
    exact = small * grid.xs.pitch
    if exact < LEAST_PX:
        raise InvalidPuzzle("the little pictures in the cells are too small to be read")
    strange = ""
    for side in dict.fromkeys((2.0 * int(exact / 2), exact)):
        found = {
            Square(row, col): _shown(scene.pixels, grid, Square(row, col), side, reach)
            for row in range(grid.rows)
            for col in range(grid.cols)
        }
        strange = next((named(at) for at, shown in found.items() if shown is None), "")
        if not strange:
            shown = {at: cells for at, cells in found.items() if cells is not None}
            if not set().union(*shown.values()) <= set(shown):
                raise InvalidPuzzle(
                    "the little pictures show cells beyond the board: the window is partly off the screen"
                )
            return shown
    raise InvalidPuzzle(f"the little picture at {strange} cannot be read")


def _shown(pixels: Pixels, grid: Grid, at: Square, side: float, reach: int) -> frozenset[Square] | None:
    """The cells that one picture shows; None where something else is drawn there."""
    ground = pixels[round(grid.ys.at(at.row + 0.2)), round(grid.xs.at(at.col + 0.1))].astype(np.int16)
    middle, half = grid.centre(at.row, at.col), round(INNER * grid.xs.pitch)
    top, left = round(middle.y) - half, round(middle.x) - half
    part = pixels[max(0, top) : top + 2 * half + 1, max(0, left) : left + 2 * half + 1]
    ink: Mask = np.abs(part.astype(np.int16) - ground).max(axis=2) > LEVELS
    shown, explained = {at}, np.zeros_like(ink)
    steps = np.arange(-reach, reach + 1)
    ys, xs = middle.y - top + steps * side, middle.x - left + steps * side
    framed = _between_lines(ink, ys, xs, side / 2) & _between_lines(ink.T, xs, ys, side / 2).T
    framed[reach, reach] = True
    reached = side / 2 + NEAR_PX
    for down, right in np.argwhere(framed).tolist():
        shown.add(Square(at.row + down - reach, at.col + right - reach))
        rows, cols = (
            slice(max(0, round(v - reached)), round(v + reached) + 1) for v in (ys[down], xs[right])
        )
        explained[rows, cols] = True
    return frozenset(shown) if (ink & ~explained).sum() <= MOST_STRANGE_PX else None


def _between_lines(ink: Mask, ys: Floats, xs: Floats, half: float) -> Mask:
    """(ys, xs) whether a line goes across above each place, from corner to corner of its square, and one below it."""
    height, width = ink.shape
    inner = max(1, round(half) - 1)
    first, end = (np.clip(np.rint(xs).astype(int) + off, 0, width) for off in (-inner, inner + 1))
    sums = np.zeros((height, width + 1), np.int64)
    np.cumsum(ink, axis=1, out=sums[:, 1:])
    full = sums[:, end] - sums[:, first] >= WHOLE * np.maximum(1, end - first)
    near = cv2.dilate(full.view(np.uint8), np.ones((2 * NEAR_PX + 1, 1), np.uint8)) > 0
    between = np.ones((len(ys), len(xs)), np.bool_)
    for edge in (ys - half, ys + half):
        rows = np.rint(edge).astype(int)
        inside = (rows > 0) & (rows < height - NEAR_PX)
        between &= near[np.clip(rows, 0, height - 1)] & inside[:, None]
    return between
