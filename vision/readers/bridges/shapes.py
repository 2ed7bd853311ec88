"""Islands of any shape: closed areas of one colour, about as high as wide, where many have the same size.

Squares, rounded ones and discs that hardly differ from the ground have no circle to vote for, but still one colour
inside, and another around.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.frame import Pixels

# Neighbouring pixels are one area when they differ by at most so many levels: drawn screens, and photographed ones.
STEPS = (3, 14)
LEAST_PX, MOST_PX = 9, 180
# Width and height differ by at most this factor, as those of a hexagon do; the writing leaves at least this share of the box.
SQUARE = 1.18
LEAST_SHARE = 0.25
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
    differences = [_differences(pixels, axis) for axis in (0, 1)]
    found = [shape for step in STEPS for shape in _areas(differences, step)]
    kept = distinct([shape[:3] for shape in found], apart=0.3, factor=4 / 3)
    return [found[number] for number in kept[:MOST_SHAPES]]


def _differences(pixels: Pixels, axis: int) -> Pixels:
    """By how many levels pixels differ from the next one down (axis 0) or to the right (axis 1)."""
    off = cv2.split(cv2.absdiff(*_shifted(pixels, axis)))
    return np.asarray(cv2.max(cv2.max(off[0], off[1]), off[2]))


def _areas(differences: Sequence[Pixels], step: int) -> Iterator[Shape]:
    """The areas in which neighbours differ by at most so many levels."""
    height, width = differences[1].shape[0], differences[0].shape[1]
    flat = np.ones((height, width), np.uint8)
    for axis, off in enumerate(differences):
        alike = (off <= step).view(np.uint8)
        for part in _shifted(flat, axis):
            part &= alike
    _, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
    wide, high, area = (stats[:, what] for what in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA))
    size = np.maximum(wide, high)
    fits = (size >= LEAST_PX) & (size <= MOST_PX) & (size <= SQUARE * np.minimum(wide, high) + 1)
    fits &= area >= LEAST_SHARE * wide * high
    fits[0] = False
    for number in np.flatnonzero(fits)[:MOST_SHAPES].tolist():
        left, top, w, h, _ = stats[number].tolist()
        corners = [labels[top + round(v * (h - 1)), left + round(u * (w - 1))] == number for u, v in CORNERS]
        yield Shape(left + w / 2, top + h / 2, (w + h) / 4, sum(corners) >= 3)


def _shifted(picture: Pixels, axis: int) -> tuple[Pixels, Pixels]:
    """The picture without its last and without its first row (axis 0) or column (axis 1)."""
    return (picture[:-1], picture[1:]) if axis == 0 else (picture[:, :-1], picture[:, 1:])


def distinct(
    circles: Sequence[tuple[float, float, float]], apart: float, factor: float = math.inf
) -> list[int]:
    """The numbers of those (x, y, radius) that are not the same as an earlier one.

    The same are two whose middles differ by less than `apart` radii (x and y together), and whose radii by less than
    `factor`.
    """
    seen = np.empty((3, len(circles)))
    kept: list[int] = []
    for number, (x, y, radius) in enumerate(circles):
        xs, ys, radii = seen[:, : len(kept)]
        near = np.abs(xs - x) + np.abs(ys - y) < apart * radius
        if not (near & (radii < factor * radius) & (radius < factor * radii)).any():
            seen[:, len(kept)] = x, y, radius
            kept.append(number)
    return kept
