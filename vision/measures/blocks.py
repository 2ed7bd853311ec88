"""Digits that stand on blocks: shifted off the middle of their cells, and lines of the blocks between them.

Blocks lean to the right and up over the lines of their lattice; only the line to its left and the one below it show whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.digits import Ink, Number, ink_of, read_numbers
from vision.frame import Box, Point
from vision.grids import Comb, Grid
from vision.scene import Scene

# Colours of entered digits differ by so many levels between channels; black is darker than so many.
COLOURED, BLACK = 60, 100
# A digit is so high, in cells; lines are higher, notes and corners lower. It is so wide at most.
HIGH, WIDE = (0.27, 0.62), 0.5
# The two whole lines of a lattice are straight for so many px at least, and their ends meet within so many px.
LINE_PX, MEET_PX = 60, 3
# So many cells a side are tried. A number beside the board is not larger than so much of a cell, and stands in the middle
# of its place within so much.
SIDES, NUMBER, MIDDLE, OFF = range(3, 10), 0.7, 0.5, 0.17
# What differs from the ground by more levels is drawn.
DRAWN = 50


def block_grids(scene: Scene) -> list[Grid]:
    """The square lattices on whose left and lower line blocks may stand, with numbers beside them."""
    black = (scene.light < BLACK).astype(np.uint8)
    upright, level = (
        _boxes(np.asarray(cv2.morphologyEx(black, cv2.MORPH_OPEN, np.ones(size, np.uint8)), np.uint8))
        for size in ((LINE_PX, 1), (1, LINE_PX))
    )
    found = []
    for left, below in product(upright, level):
        away = left.left - below.left, left.bottom - below.bottom, left.height - below.width
        if max(map(abs, away)) <= MEET_PX:
            side, corner = below.width - 1, Point(below.left + 0.5, below.bottom - 0.5)
            found += _numbered(scene, corner, side)
    return found


def _numbered(scene: Scene, corner: Point, side_px: int) -> list[Grid]:
    """The lattice on a square, from its lower left corner, in which all that stands beside it is in the middle of a place."""
    found = []
    for count in SIDES:
        pitch = side_px / count
        grid = Grid(Comb(corner.x, pitch, count + 1), Comb(corner.y - side_px, pitch, count + 1))
        beside = list(_beside(scene, grid))
        if beside and all(abs(place % 1 - MIDDLE) <= OFF for middle in beside for place in middle):
            found.append(grid)
    return found


def _beside(scene: Scene, grid: Grid) -> Iterator[tuple[float, float]]:
    """The middles of what is drawn in the places beside a lattice, in cells from its upper left corner."""
    pitch = grid.xs.pitch
    left, top = max(0, round(grid.xs.at(-1))), max(0, round(grid.ys.at(-1)))
    window = scene.shades[top : round(grid.ys.at(grid.rows + 1)), left : round(grid.xs.at(grid.cols + 1))]
    drawn = np.abs(window.astype(np.int16) - int(np.median(window))) > DRAWN
    for box in _boxes(drawn.astype(np.uint8)):
        x, y = (
            (left + box.left + box.width / 2 - grid.xs.first) / pitch,
            (top + box.top + box.height / 2 - grid.ys.first) / pitch,
        )
        inside = 0 <= x <= grid.cols and 0 <= y <= grid.rows
        if not inside and max(box.width, box.height) <= NUMBER * pitch:
            yield x, y


def _boxes(mask: npt.NDArray[np.uint8]) -> list[Box]:
    """The boxes of the pieces of a mask."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return [Box(*row[:4]) for row in stats[1:count].tolist()]


def digits_on_blocks(
    scene: Scene, grid: Grid, shift: tuple[float, float]
) -> dict[tuple[int, int], tuple[Number, bool]]:
    """The digits on a grid by row and column, and whether each has a colour.

    shift: how far to the right and down the middle of all of them stands from the middles of their cells, in cells.
    Use as `scene.once(digits_on_blocks, grid, shift)`.
    """
    found = list(_drawn(scene, grid, shift))
    numbers = read_numbers([ink for _, _, ink in found])
    return {at: (number, coloured) for (at, coloured, _), number in zip(found, numbers, strict=True)}


def _drawn(
    scene: Scene, grid: Grid, shift: tuple[float, float]
) -> Iterator[tuple[tuple[int, int], bool, Ink]]:
    """The cell, whether it has a colour, and the ink of everything that has the size of a digit."""
    box, pitch = grid.box, grid.ys.pitch
    top, first = max(0, box.top - round(pitch)), max(0, box.left)
    window = np.s_[top : box.bottom, first : box.right + round(0.4 * grid.xs.pitch)]
    coloured = scene.light[window].astype(np.int16) - scene.dark[window] > COLOURED
    for mask, has_colour in ((coloured, True), (~coloured & (scene.light[window] < BLACK), False)):
        if not mask.size:
            return
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
        for left, up, wide, high, _ in stats[1:count].tolist():
            if not HIGH[0] * pitch <= high <= HIGH[1] * pitch or wide > WIDE * grid.xs.pitch:
                continue
            x, y = first + left + wide / 2, top + up + high / 2
            col = round((x - grid.xs.first) / grid.xs.pitch - 0.5 - shift[0])
            row = round((y - grid.ys.first) / pitch - 0.5 - shift[1])
            if 0 <= row < grid.rows and 0 <= col < grid.cols:
                y0, x0 = max(0, top + up - 1), max(0, first + left - 1)
                cut = scene.pixels[y0 : top + up + high + 1, x0 : first + left + wide + 1]
                yield (row, col), has_colour, ink_of(cut, cut[0, 0].tolist())
