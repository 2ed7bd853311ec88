"""Areas of one colour: what hangs together without a step of colour. Cells, discs, tiles, the ground, the holes of digits."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels

# Neighbours in a field of one colour differ by no more levels, as a program draws it and JPEG leaves it.
EVEN_LEVELS = 10
# Four px around a corner, the px itself being the last of them.
_SQUARE = np.ones((2, 2), np.uint8)


@dataclass(frozen=True, eq=False)
class Areas:
    """The areas of one colour of a picture; number 0 is no area but the steps between them.

    names: (H, W) int32, the number of the area that the 2 x 2 px above and left of each px's far corner belong to: a
        line of 1 px parts areas, and one of 2 px is an area.
    left, top, width, height: (N,) their boxes in px of the picture. count: (N,) how many px of `names` are theirs.
    middles: (N, 2) the mean of their px (x, y).
    """

    names: npt.NDArray[np.int32]
    left: npt.NDArray[np.int32]
    top: npt.NDArray[np.int32]
    width: npt.NDArray[np.int32]
    height: npt.NDArray[np.int32]
    count: npt.NDArray[np.int32]
    middles: npt.NDArray[np.float64]


def spread(pixels: Pixels) -> Pixels:
    """By how many levels of its strongest channel each px and its neighbours above and left differ, (H, W) uint8."""
    blue, green, red = cv2.split(cv2.morphologyEx(pixels, cv2.MORPH_GRADIENT, _SQUARE))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def areas(spread_levels: Pixels, step: int) -> Areas:
    """The areas in which neighbours differ by at most `step` levels. spread_levels: see `spread`."""
    _, flat = cv2.threshold(spread_levels, step, 1, cv2.THRESH_BINARY_INV)
    # The first row and column have no neighbours, and would only join what they touch.
    flat[0] = flat[:, 0] = 0
    _, names, stats, middles = cv2.connectedComponentsWithStats(flat, connectivity=8)
    left, top, width, height, count = np.asarray(stats, np.int32).T
    return Areas(
        np.asarray(names, np.int32),
        left - 1,
        top - 1,
        width + 1,
        height + 1,
        count,
        np.asarray(middles, np.float64),
    )
