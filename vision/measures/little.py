"""Little pictures of the board in its cells: a small square for every cell that is meant, the cell itself in the middle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from math import floor

import cv2
import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from solver.grid.board import named
from solver.lattice import Square
from vision.eyesight import Region
from vision.frame import Box, Pixels
from vision.grids import Grid, Mask
from vision.measures.parts import box_at
from vision.scene import Scene

Floats = npt.NDArray[np.floating]

# Squares of fewer lines' widths have hardly room inside: every px of theirs must be as drawn. With fewer than the second they
# run into each other.
LEAST_SIDE, NO_SIDE = 4.0, 2.0
# Middles are known to a part of a px.
NEARLY = 0.25
# A line differs from the ground by more levels, in any channel, within its own width of its place.
LEVELS = 24
# A line shows along so much of it.
WHOLE = 0.75
# What is looked at of a picture is within its cell, and places are rounded by so many px.
LOOKED, ROUNDED_PX = Region(0.08, 0.08, 0.92, 0.92), 2
# What is drawn in the middle of a cell, this share of it, is squares; so little may be none of theirs, as many squares as
# wide as a line.
INNER, MOST_STRANGE = 0.42, 2


def little_pictures(scene: Scene, grid: Grid, small: float, reach: int) -> dict[Square, frozenset[Square]]:
    """The cells that the picture in each cell shows, itself among them.

    small: the side of a square, in cells; programs draw an even number of lines' widths at most, one px or, on a screen of
    high resolution, several. reach: how far the cells of a picture lie at most.
    Raises InvalidPuzzle where the squares do not explain all that is drawn, or show cells beyond the grid.
    """
    exact = small * grid.xs.pitch
    cells = [Square(row, col) for row in range(grid.rows) for col in range(grid.cols)]

    def window(at: Square) -> Box:
        return box_at(grid, *at, LOOKED).grown(ROUNDED_PX)

    inks = scene.each(
        grid, _ink, cells, window, lambda places: {at: _ink(scene.pixels, grid, at) for at in places}
    )
    width = _line_px([ink for ink, _, _ in inks.values()])
    if exact < LEAST_SIDE * width:
        return _on_board(_shown_exactly(inks, width, reach) if exact >= NO_SIDE * width else None)
    strange = ""
    for side in dict.fromkeys((2.0 * width * int(exact / (2 * width)), exact)):
        squares = side, width, reach
        found = scene.each(grid, (_shown, squares), cells, window, partial(_all_shown, inks, squares))
        strange = next((named(at) for at, shown in found.items() if shown is None), "")
        if not strange:
            return _on_board({at: cells for at, cells in found.items() if cells is not None})
    raise InvalidPuzzle(f"the little picture at {strange} cannot be read")


def _on_board(shown: dict[Square, frozenset[Square]] | None) -> dict[Square, frozenset[Square]]:
    """The pictures, of cells of the grid. Raises InvalidPuzzle."""
    if shown is None:
        raise InvalidPuzzle("the little pictures in the cells are too small to be read")
    if not set().union(*shown.values()) <= set(shown):
        raise InvalidPuzzle(
            "the little pictures show cells beyond the board: the window is partly off the screen"
        )
    return shown


def _shown_exactly(
    inks: Mapping[Square, tuple[Mask, float, float]], width: int, reach: int
) -> dict[Square, frozenset[Square]] | None:
    """The cells that pictures of the smallest squares show; None where they are not drawn so, wherever their middles are."""
    ways = []
    near = range(-width, width + 1)
    for off in ((down, right) for down in near for right in near):
        found = {at: _drawn_at(at, *drawn, off, width, reach) for at, drawn in inks.items()}
        shown = {at: cells for at, cells in found.items() if cells is not None}
        if len(shown) == len(inks):
            ways.append(shown)
    return ways[0] if len(ways) == 1 else None


def _drawn_at(
    at: Square, ink: Mask, x: float, y: float, off: tuple[int, int], width: int, reach: int
) -> frozenset[Square] | None:
    """The cells that the picture of a cell shows, with squares that have room for one more line's width inside; None where
    that is not just what is drawn, with its middle so many px off."""
    side, shown, explained = 3 * width, set(), np.zeros_like(ink)
    for down, right in product(range(-reach, reach + 1), repeat=2):
        top, left = (
            floor(middle - side / 2 + NEARLY) + (side - width) * step + px
            for middle, step, px in zip((y, x), (down, right), off, strict=True)
        )
        window = np.s_[max(0, top) : top + side, max(0, left) : left + side]
        square = ink[window]
        if square.shape == (side, side) and _is_square(square, width, full=down == right == 0):
            shown.add(Square(at.row + down, at.col + right))
            explained[window] = True
            explained[top + width : top + side - width, left + width : left + side - width] = (
                down == right == 0
            )
    return frozenset(shown) if at in shown and (ink == explained).all() else None


def _is_square(square: Mask, width: int, *, full: bool) -> bool:
    """Whether there is ink all round, and inside just where it is full."""
    inside = square[width:-width, width:-width]
    return int(square.sum()) == square.size - inside.size * (not full) and bool(inside.all()) == full


def _all_shown(
    inks: Mapping[Square, tuple[Mask, float, float]],
    squares: tuple[float, int, int],
    cells: Sequence[Square],
) -> dict[Square, frozenset[Square] | None]:
    return {at: _shown(at, *inks[at], *squares) for at in cells}


def _ink(pixels: Pixels, grid: Grid, at: Square) -> tuple[Mask, float, float]:
    """What is drawn in the middle of a cell, and where in it the middle is: ink, x, y."""
    ground = pixels[round(grid.ys.at(at.row + 0.2)), round(grid.xs.at(at.col + 0.1))].astype(np.int16)
    middle, half = grid.centre(at.row, at.col), round(INNER * grid.xs.pitch)
    top, left = max(0, round(middle.y) - half), max(0, round(middle.x) - half)
    part = pixels[top : round(middle.y) + half + 1, left : round(middle.x) + half + 1]
    ink: Mask = np.abs(part.astype(np.int16) - ground).max(axis=2) > LEVELS
    return ink, middle.x - left, middle.y - top


def _line_px(inks: Sequence[Mask]) -> int:
    """How wide the lines are: rows across the squares meet little else."""
    runs = [np.diff(np.flatnonzero(np.diff(np.pad(ink, ((0, 0), (1, 1))).ravel())))[::2] for ink in inks]
    every = np.concatenate(runs) if runs else np.array([], np.int64)
    return int(np.bincount(every).argmax()) if len(every) else 1


def _shown(
    at: Square, ink: Mask, x: float, y: float, side: float, width: int, reach: int
) -> frozenset[Square] | None:
    """The cells that the picture of a cell shows, with lines of that width; None where something else is drawn there."""
    shown, explained = {at}, np.zeros_like(ink)
    steps = np.arange(-reach, reach + 1)
    ys, xs = y + steps * side, x + steps * side
    framed = _between_lines(ink, ys, xs, side / 2, width) & _between_lines(ink.T, xs, ys, side / 2, width).T
    framed[reach, reach] = True
    reached = side / 2 + width
    for down, right in np.argwhere(framed).tolist():
        shown.add(Square(at.row + down - reach, at.col + right - reach))
        rows, cols = (
            slice(max(0, round(v - reached)), round(v + reached) + 1) for v in (ys[down], xs[right])
        )
        explained[rows, cols] = True
    return frozenset(shown) if (ink & ~explained).sum() <= MOST_STRANGE * width**2 else None


def _between_lines(ink: Mask, ys: Floats, xs: Floats, half: float, width: int) -> Mask:
    """(ys, xs) whether a line goes across above each place, from corner to corner of its square, and one below it."""
    height, end_x = ink.shape
    inner = max(1, round(half) - width)
    first, end = (np.clip(np.rint(xs).astype(int) + off, 0, end_x) for off in (-inner, inner + 1))
    sums = np.zeros((height, end_x + 1), np.int64)
    np.cumsum(ink, axis=1, out=sums[:, 1:])
    full = sums[:, end] - sums[:, first] >= WHOLE * np.maximum(1, end - first)
    near = cv2.dilate(full.view(np.uint8), np.ones((2 * width + 1, 1), np.uint8)) > 0
    between = np.ones((len(ys), len(xs)), np.bool_)
    for edge in (ys - half, ys + half):
        rows = np.rint(edge).astype(int)
        inside = (rows > 0) & (rows < height - width)
        between &= near[np.clip(rows, 0, height - 1)] & inside[:, None]
    return between
