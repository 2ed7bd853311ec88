"""A nonogram's picture without the lines around its clues, so that numbers which touch them stand free.

On a photograph of print the lines are thick, slanted and curved, and no band of rows of px parts them from the numbers.
But the side of a box is drawn from one corner to the other, which no stroke of a digit is: side by side it is found near its
place on the board's own lattice, and painted over with the ground of its box.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest, usual_colour
from vision.frame import Pixels
from vision.grids import Comb, Grid, Mask
from vision.scene import Scene
from vision.writing import LEAST_CONTRAST

# A side of a box is at most so far from its place, and goes on so far beyond its corners (shares of the pitch).
NEAR, BEYOND = 0.3, 0.12
# It is drawn on this share of its length, and on no less than so much of it may be on the picture.
DRAWN, SHOWS = 0.85, 0.5
# Its soft edge is so wide.
SOFT_PX = 2
# What is seen beside the grid begins so far within its first cells (share of the pitch): its border may lie there.
WITHIN = 0.1


def unruled(scene: Scene, grid: Grid) -> Scene:
    """The picture, without the lines above and left of the cells; what is there has moved off the grid by WITHIN."""
    pixels, box = scene.pixels.copy(), grid.box
    right, down = round(WITHIN * grid.xs.pitch), round(WITHIN * grid.ys.pitch)
    above = scene.pixels[: box.top + round(NEAR * grid.ys.pitch)]
    if box.top > 0:
        pixels[: box.top] = _without_lines(above, grid)[down : box.top + down]
    beside = scene.pixels[:, : box.left + round(NEAR * grid.xs.pitch)]
    if box.left > 0:
        top = max(box.top, 0)
        pixels[top:, : box.left] = _without_lines(beside, grid)[top:, right : box.left + right]
    return Scene(pixels)


def _without_lines(part: Pixels, grid: Grid) -> Pixels:
    """The upper left part of a picture with its lines painted over, be they darker or lighter than the boxes."""
    ground = _ground(part, grid)
    away = (cv2.subtract(ground, part), cv2.subtract(part, ground))
    ways = [np.asarray(strongest(np.asarray(one, np.uint8)) >= LEAST_CONTRAST) for one in away]
    lines = max((_lines(drawn, grid) for drawn in ways), key=np.count_nonzero)
    return np.where(lines[..., None], ground, part)


def _lines(drawn: Mask, grid: Grid) -> Mask:
    """Where the sides of boxes are."""
    found = np.zeros_like(drawn)
    _mark_upright(drawn, grid.xs, grid.ys, found)
    _mark_upright(drawn.T, grid.ys, grid.xs, found.T)
    return found


def _mark_upright(drawn: Mask, xs: Comb, ys: Comb, found: Mask) -> None:
    """Mark the sides that run down. drawn, found: (H, W); xs, ys: where lines are due, across and down."""
    height, width = drawn.shape
    above = np.zeros((height + 1, width), np.int32)
    np.cumsum(drawn, axis=0, out=above[1:])
    reach, on = round(NEAR * xs.pitch), round(BEYOND * ys.pitch)
    soft = np.ones(2 * SOFT_PX + 1, np.int32)
    for x in (xs.at(i) for i in _within(xs, width)):
        left, right = max(round(x) - reach, 0), round(x) + reach + 1
        for j in _within(ys, height):
            top, bottom = max(round(ys.at(j)), 0), min(round(ys.at(j + 1)), height)
            if bottom - top < SHOWS * ys.pitch or left >= width:
                continue
            full = above[bottom, left:right] - above[top, left:right] >= DRAWN * (bottom - top)
            if full.any():
                full = np.convolve(full, soft)[SOFT_PX:-SOFT_PX] > 0
                found[max(top - on, 0) : bottom + on, left:right][:, full] = True


def _ground(part: Pixels, grid: Grid) -> Pixels:
    """The usual colour of every box, and between their middles what lies between their colours."""
    height, width = part.shape[:2]
    cols, rows = _within(grid.xs, width), _within(grid.ys, height)
    usual = [[usual_colour(_piece(part, grid, row, col).reshape(-1, 3)) for col in cols] for row in rows]
    x = _index(grid.xs, width, cols)
    y = _index(grid.ys, height, rows)
    across, down = np.meshgrid(x, y)
    seen = cv2.remap(
        np.array(usual, np.float32), across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(np.rint(seen), np.uint8)


def _piece(part: Pixels, grid: Grid, row: int, col: int) -> Pixels:
    """Every second px of a box, as far as it is on the picture."""
    top, left = (max(round(comb.at(i)), 0) for comb, i in ((grid.ys, row), (grid.xs, col)))
    bottom, right = (max(round(comb.at(i + 1)), 1) for comb, i in ((grid.ys, row), (grid.xs, col)))
    return part[top:bottom:2, left:right:2]


def _within(comb: Comb, length: int) -> range:
    """The indices of the boxes of which more than a px is on a picture so long."""
    first = int(np.ceil((1 - comb.first) / comb.pitch - 1))
    return range(first, int(np.ceil((length - 1 - comb.first) / comb.pitch)))


def _index(comb: Comb, length: int, boxes: Sequence[int]) -> npt.NDArray[np.float32]:
    """For every px the box in whose middle it is, counted from the first one, in parts."""
    at = (np.arange(length) + 0.5 - comb.first) / comb.pitch - 0.5 - boxes[0]
    return at.astype(np.float32)
