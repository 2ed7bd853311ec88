"""The regions of a ring figure, from its circles alone.

The distance of a point to the nearest outline is known exactly, so a coarse raster of it is enough: connected parts
off the outlines are the regions, and the point of a part that is furthest from every outline is where its number
stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.components import components
from vision.errors import UncertainReading
from vision.frame import Box, Point

# Raster px per radius: regions that can hold a digit are several px wide.
RASTER_RADIUS_PX = 36.0
MOST_RASTER_PX = 4_000_000
# Parts less deep than this share of the radius hold no digit: slivers of nearly tangent rings, and the
# crumbs where three outlines almost meet in one point.
LEAST_DEPTH = 0.07
# No point inside rings is deeper than a radius, so an outline further away than this, in radii, is not its nearest.
REACH = 2.0
# The middle of a piece is deeper than this share of a px of the map.
DEEPER = 0.75


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


def pieces(circles: Sequence[Circle]) -> tuple[Piece, ...]:
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
    depth, inside = _depths(circles, (rows, columns), (left, top), step)
    # Off the outlines by more than half a raster step in both directions, parts cannot touch across a line.
    labels, stats = components((inside & (depth > DEEPER * step)).astype(np.uint8), 4)
    found = []
    for label in range(1, len(stats)):
        x0, y0, width, height = (int(stats[label, i]) for i in range(4))
        window = (slice(y0, y0 + height), slice(x0, x0 + width))
        here = np.where(labels[window] == label, depth[window], -1.0)
        row, column = divmod(int(here.argmax()), width)
        if here[row, column] >= LEAST_DEPTH * smallest:
            at = Point(left + step * (x0 + column), top + step * (y0 + row))
            found.append(Piece(covering(circles, at), at, float(here[row, column])))
    return tuple(sorted(found, key=lambda piece: (piece.covers, piece.at)))


def covering(circles: Sequence[Circle], at: Point) -> tuple[int, ...]:
    """The numbers of the circles that a point lies in."""
    return tuple(
        i for i, (x, y, radius) in enumerate(circles) if (at.x - x) ** 2 + (at.y - y) ** 2 < radius * radius
    )


def beyond(
    circles: Sequence[Circle], places: Sequence[Point] | npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """(places, circles) how far each place lies outside of each circle, negative inside."""
    at, all_ = np.array(places, np.float64).reshape(-1, 2), np.array(circles, np.float64)
    return np.asarray(np.hypot(at[:, None, 0] - all_[:, 0], at[:, None, 1] - all_[:, 1]) - all_[:, 2])


def box_of(circles: Sequence[Circle]) -> Box:
    """The box around circles, px."""
    return Box.around(*(Box.about(Point(c.x, c.y), c.radius) for c in circles))


def _depths(
    circles: Sequence[Circle], shape: tuple[int, int], origin: tuple[float, float], step: float
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """(rows, columns) how far each place is from the nearest outline, and whether it is in any ring."""
    depth = np.full(shape, np.inf, np.float32)
    inside = np.zeros(shape, np.bool_)
    for c in circles:
        reach = REACH * c.radius
        x0, x1 = (int(np.clip((c.x + way * reach - origin[0]) / step, 0, shape[1])) for way in (-1, 1))
        y0, y1 = (int(np.clip((c.y + way * reach - origin[1]) / step, 0, shape[0])) for way in (-1, 1))
        xs = (np.arange(x0, x1) * step + (origin[0] - c.x)).astype(np.float32)
        ys = (np.arange(y0, y1) * step + (origin[1] - c.y)).astype(np.float32)
        signed = np.float32(c.radius) - np.sqrt((ys**2)[:, None] + (xs**2)[None, :])
        window = (slice(y0, y1), slice(x0, x1))
        np.minimum(depth[window], np.abs(signed), out=depth[window])
        inside[window] |= signed > 0
    return depth, inside
