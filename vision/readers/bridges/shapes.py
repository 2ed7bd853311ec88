"""Islands of any shape: closed areas of one colour, about as high as wide, where many have the same size.

Squares, rounded ones and discs that hardly differ from the ground have no circle to vote for, but still one colour
inside, and another around.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.frame import Pixels

# Neighbouring pixels are one area when they differ by at most so many levels: drawn screens, and photographed ones.
STEPS = (3, 14)
LEAST_PX, MOST_PX = 9, 180
# Width and height differ by at most this factor, as those of a hexagon do; the writing leaves at least this share of the box.
SQUARE = 1.18
LEAST_SHARE = 0.35
MOST_SHAPES = 3000
# Squares, also rounded ones, reach here (shares of the box), discs do not.
CORNERS = ((0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9))


class Shape(NamedTuple):
    """The middle and half the width of an area, in px; whether it has the corners of a square."""

    x: float
    y: float
    half: float
    square: bool


def flat_shapes(pixels: Pixels) -> list[Shape]:
    """The areas of one colour that are about as wide as high."""
    found: list[Shape] = []
    for step in STEPS:
        flat = np.ones(pixels.shape[:2], np.uint8)
        for axis in (0, 1):
            off = cv2.split(cv2.absdiff(*_shifted(pixels, axis)))
            other = cv2.max(cv2.max(off[0], off[1]), off[2]) > step
            first, second = _shifted(flat, axis)
            first[other] = 0
            second[other] = 0
        _, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
        for number, (left, top, width, height, area) in enumerate(stats[1:].tolist(), start=1):
            size = max(width, height)
            if not LEAST_PX <= size <= MOST_PX or size > SQUARE * min(width, height) + 1:
                continue
            if area < LEAST_SHARE * width * height:
                continue
            corners = [
                labels[top + round(v * (height - 1)), left + round(u * (width - 1))] == number
                for u, v in CORNERS
            ]
            middle = left + width / 2, top + height / 2
            shape = Shape(*middle, (width + height) / 4, sum(corners) >= 3)
            if not _there(shape, found):
                found.append(shape)
            if len(found) >= MOST_SHAPES:
                return found
    return found


def _shifted(picture: Pixels, axis: int) -> tuple[Pixels, Pixels]:
    """The picture without its last and without its first row (axis 0) or column (axis 1)."""
    return (picture[:-1], picture[1:]) if axis == 0 else (picture[:, :-1], picture[:, 1:])


def _there(shape: Shape, found: Sequence[Shape]) -> bool:
    x, y, half, _ = shape
    return any(abs(x - o.x) + abs(y - o.y) < 0.3 * half and abs(half - o.half) < 0.25 * half for o in found)
