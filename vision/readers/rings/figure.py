"""The regions of a ring figure, from its circles alone.

The distance of a point to the nearest outline is known exactly, so a coarse raster of it is enough: connected parts
off the outlines are the regions, and the point of a part that is furthest from every outline is where its number
stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from vision.errors import UncertainReading
from vision.frame import Point

# Raster px per radius: regions that can hold a digit are several px wide.
RASTER_RADIUS_PX = 48.0
MOST_RASTER_PX = 4_000_000
# Parts less deep than this share of the radius hold no digit: slivers of nearly tangent rings, and the
# crumbs where three outlines almost meet in one point.
LEAST_DEPTH = 0.07


class Circle(NamedTuple):
    """The middle of a ring's line, px of the frame."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Piece:
    """One region of the figure.

    covers: the numbers of the circles it lies in, ascending.
    at: the point furthest from every outline.
    depth_px: how far that is.
    """

    covers: tuple[int, ...]
    at: Point
    depth_px: float


def pieces(circles: Sequence[Circle], least_depth: float = LEAST_DEPTH) -> tuple[Piece, ...]:
    """All regions deep enough for a digit, sorted by the circles that cover them, then from left to right.

    Raises UncertainReading for a figure that is too large to be one.
    """
    if not circles:
        return ()
    smallest = min(circle.radius for circle in circles)
    step = smallest / RASTER_RADIUS_PX
    left = min(c.x - c.radius for c in circles) - step
    top = min(c.y - c.radius for c in circles) - step
    columns = int((max(c.x + c.radius for c in circles) - left) / step) + 2
    rows = int((max(c.y + c.radius for c in circles) - top) / step) + 2
    if columns * rows > MOST_RASTER_PX:
        raise UncertainReading(
            f"{len(circles)} circles are spread over {columns / RASTER_RADIUS_PX:.0f} radii, which is no figure",
            hint="show one ring puzzle at a time",
        )
    xs = (left + step * np.arange(columns, dtype=np.float64))[None, :]
    ys = (top + step * np.arange(rows, dtype=np.float64))[:, None]
    depth = np.full((rows, columns), np.inf)
    inside = np.zeros((rows, columns), dtype=np.bool_)
    for circle in circles:
        signed = circle.radius - np.hypot(xs - circle.x, ys - circle.y)
        np.minimum(depth, np.abs(signed), out=depth)
        inside |= signed > 0
    found = []
    # Off the outlines by more than half a raster step in both directions, parts cannot touch across a line.
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        (inside & (depth > 0.75 * step)).astype(np.uint8), connectivity=4
    )
    for label in range(1, count):
        x0, y0, width, height = (int(stats[label, i]) for i in range(4))
        window = (slice(y0, y0 + height), slice(x0, x0 + width))
        here = np.where(labels[window] == label, depth[window], -1.0)
        row, column = np.unravel_index(int(here.argmax()), here.shape)
        if here[row, column] < least_depth * smallest:
            continue
        at = Point(left + step * (x0 + int(column)), top + step * (y0 + int(row)))
        covers = tuple(i for i, c in enumerate(circles) if np.hypot(at.x - c.x, at.y - c.y) < c.radius)
        found.append(Piece(covers, at, float(here[row, column])))
    return tuple(sorted(found, key=lambda piece: (piece.covers, piece.at)))
