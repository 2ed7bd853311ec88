"""Pieces of a colour in a cell, and numbers that stand somewhere beside a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from vision import digits
from vision.eyesight import Region
from vision.frame import Pixels
from vision.grids import Grid
from vision.measures.likeness import bgr
from vision.measures.parts import Part
from vision.scene import Scene

# A number as sure as this is one.
SURE_ENOUGH = 0.6


def shaded(
    colours: Mapping[str, str], light: str, cells: Sequence[Part]
) -> dict[str, npt.NDArray[np.float64]]:
    """(3,) BGR of colours that are told for cells of one ground, `light`, where most cells have another one."""
    ground = np.median([cell.ground for cell in cells], axis=0) if cells else bgr(light)
    return {name: bgr(rgb) * ground / bgr(light) for name, rgb in colours.items()}


def largest_piece(patch: Pixels, colour: npt.NDArray[np.float64], levels: int) -> float:
    """The larger side of the largest piece of a colour, BGR give or take so many levels, in shares of the patch."""
    mask = np.asarray(cv2.inRange(patch, colour - levels, colour + levels), np.uint8)
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
