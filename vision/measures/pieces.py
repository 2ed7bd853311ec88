"""Pieces of a colour in a cell, and numbers that stand somewhere beside a board."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from solver.errors import InvalidPuzzle
from vision import digits
from vision.eyesight import Region
from vision.frame import Pixels
from vision.grids import Grid
from vision.measures.likeness import bgr
from vision.scene import Scene

# A number as sure as this is one.
SURE_ENOUGH = 0.6


def largest_piece(patch: Pixels, rgb: str, levels: int) -> float:
    """The larger side of the largest piece of a colour, give or take so many levels, in shares of the patch."""
    mask = np.asarray(cv2.inRange(patch, bgr(rgb) - levels, bgr(rgb) + levels), np.uint8)
    if not cv2.countNonZero(mask):
        return 0.0
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    sides = stats[1:count, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]] / [patch.shape[1], patch.shape[0]]
    return float(sides.max(initial=0.0))


def numbers_at(scene: Scene, grid: Grid, regions: Sequence[Region]) -> list[int]:
    """The numbers in regions that are told in cells from the grid's corner. Raises InvalidPuzzle where one cannot be read."""
    inks = []
    for region in regions:
        left, right = round(grid.xs.at(region.left)), round(grid.xs.at(region.right))
        top, bottom = round(grid.ys.at(region.top)), round(grid.ys.at(region.bottom))
        if top < 0 or left < 0:
            raise InvalidPuzzle("a number beside the board is not on the picture")
        inks.append(digits.ink_of(scene.pixels[top:bottom, left:right]))
    read = digits.read_numbers(inks)
    values = [
        number.value for number in read if number.value is not None and number.confidence >= SURE_ENOUGH
    ]
    if len(values) < len(read):
        raise InvalidPuzzle("a number beside the board cannot be read")
    return values
