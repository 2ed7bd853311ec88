"""Little pictures of the board in its cells: a small square for every cell that is meant, the cell itself in the middle."""

from __future__ import annotations

from itertools import product

import numpy as np

from solver.errors import InvalidPuzzle
from solver.grid.board import named
from solver.lattice import Square
from vision.frame import Pixels
from vision.grids import Grid, Mask
from vision.scene import Scene

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
    for down, right in product(range(-reach, reach + 1), repeat=2):
        x, y = middle.x - left + right * side, middle.y - top + down * side
        if (down, right) == (0, 0) or _framed(ink, x, y, side / 2):
            shown.add(Square(at.row + down, at.col + right))
            reached = side / 2 + NEAR_PX
            rows, cols = (slice(max(0, round(v - reached)), round(v + reached) + 1) for v in (y, x))
            explained[rows, cols] = True
    return frozenset(shown) if (ink & ~explained).sum() <= MOST_STRANGE_PX else None


def _framed(ink: Mask, x: float, y: float, half: float) -> bool:
    """Whether lines go along all four sides of a square, from corner to corner."""
    return _between_lines(ink, x, y, half) and _between_lines(ink.T, y, x, half)


def _between_lines(ink: Mask, x: float, y: float, half: float) -> bool:
    """Whether a line goes across above a place, and one below it."""
    inner = max(1, round(half) - 1)
    across = slice(max(0, round(x) - inner), round(x) + inner + 1)
    rows = [round(y - half), round(y + half)]
    return all(
        0 < row < len(ink) - NEAR_PX
        and any(ink[max(0, row + off), across].mean() >= WHOLE for off in range(-NEAR_PX, NEAR_PX + 1))
        for row in rows
    )
