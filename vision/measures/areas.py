"""Areas of one colour: what hangs together without a step of colour. Cells, discs, tiles, the ground, the holes of digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels


@dataclass(frozen=True, eq=False)
class Areas:
    """The areas of one colour of a picture; number 0 is no area but the steps between them.

    names: (H, W) int32, the number of the area that each px belongs to.
    left, top, width, height, count: (N,) their boxes, and how many px they have.
    middles: (N, 2) the mean of their px, in px of the picture (x, y).
    """

    names: npt.NDArray[np.int32]
    left: npt.NDArray[np.int32]
    top: npt.NDArray[np.int32]
    width: npt.NDArray[np.int32]
    height: npt.NDArray[np.int32]
    count: npt.NDArray[np.int32]
    middles: npt.NDArray[np.float64]


def differences(pixels: Pixels) -> tuple[Pixels, Pixels]:
    """By how many levels of its strongest channel each px differs from the next one down, and to the right."""
    return _strongest_step(pixels[1:], pixels[:-1]), _strongest_step(pixels[:, 1:], pixels[:, :-1])


def _strongest_step(one: Pixels, other: Pixels) -> Pixels:
    if not one.size:
        return np.zeros(one.shape[:2], np.uint8)
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def areas(steps: Sequence[Pixels], step: int) -> Areas:
    """The areas in which neighbours differ by at most `step` levels; steps: see `differences`."""
    height, width = steps[1].shape[0], steps[0].shape[1]
    flat = np.ones((height, width), np.uint8)
    down, right = ((off <= step).view(np.uint8) for off in steps)
    flat[:-1] &= down
    flat[1:] &= down
    flat[:, :-1] &= right
    flat[:, 1:] &= right
    _, names, stats, middles = cv2.connectedComponentsWithStats(flat, connectivity=4)
    left, top, wide, high, count = np.asarray(stats, np.int32).T
    return Areas(
        np.asarray(names, np.int32), left, top, wide, high, count, np.asarray(middles, np.float64) + 0.5
    )
