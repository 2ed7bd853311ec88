"""Digits that stand on blocks: shifted off the middle of their cells, and lines of the blocks between them."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.digits import Ink, Number, ink_of, read_numbers
from vision.grids import Grid
from vision.scene import Scene

# Colours of entered digits differ by so many levels between channels; black is darker than so many.
COLOURED, BLACK = 60, 100
# A digit is so high, in cells; lines are higher, notes and corners lower. It is so wide at most.
HIGH, WIDE = (0.27, 0.62), 0.5


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
