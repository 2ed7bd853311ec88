"""Parts of a figure that are too narrow for a number: between nearly tangent rings, and where three nearly meet.

Whether such a sliver counts as a region cannot be seen. So the places where two circles nearly touch, or a third one
passes a crossing of two, are looked at closely: every part there is a region already, or invisible, or a reason to
refuse.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import cv2
import numpy as np

from vision.errors import UncertainReading
from vision.frame import Point
from vision.readers.rings.figure import Circle, Piece

# So near to touching or meeting, in radii, leaves slivers; a lens that is so wide is this long to both sides.
NEAR = 0.16
REACH = 0.45
# Circles that touch from inside part more slowly.
INNER = 3.0
CLOSE_UP_PX = 280
# Circles are measured to a few tenths of a px: what is less deep is a point where lines touch.
LEAST_DEPTH_PX = 0.5


def refuse_slivers(circles: Sequence[Circle], parts: Sequence[Piece]) -> None:
    """Raises UncertainReading for a part of the plane inside rings that is none of `parts` but can be seen."""
    looked: list[Point] = []
    for spot, reach in _spots(circles):
        if any(math.dist(spot, other) < 0.2 * reach for other in looked):
            continue
        looked.append(spot)
        for at, depth_px, covers in _close_up(spot, circles, reach):
            if not any(part.covers == covers and math.dist(part.at, at) < reach for part in parts):
                raise UncertainReading(
                    f"{len(covers)} of the {len(circles)} rings leave a sliver of {2 * depth_px:.0f} px at"
                    f" ({at.x:.0f}, {at.y:.0f}): too narrow for a number, so whether it is a region cannot be told",
                    hint="rings must overlap clearly or not at all",
                )


def _spots(circles: Sequence[Circle]) -> Iterator[tuple[Point, float]]:
    """Where two circles nearly touch, from outside or inside, and where three nearly meet; and how far slivers reach
    from there, px."""
    radius = min(c.radius for c in circles)
    near, reach = NEAR * radius, REACH * radius
    for (i, a), (j, b) in combinations(enumerate(circles), 2):
        apart = math.dist((a.x, a.y), (b.x, b.y))
        if apart >= a.radius + b.radius + near or apart == 0:
            continue
        large, small = (a, b) if a.radius >= b.radius else (b, a)
        from_large = ((small.x - large.x) / apart, (small.y - large.y) / apart)
        touch = Point(large.x + from_large[0] * large.radius, large.y + from_large[1] * large.radius)
        if abs(apart - (a.radius + b.radius)) < near:
            yield touch, reach
        if abs(apart - (large.radius - small.radius)) < near:
            yield touch, INNER * reach
        for crossing in _crossings(a, b, apart):
            if any(
                k not in (i, j) and abs(math.dist(crossing, (c.x, c.y)) - c.radius) < near
                for k, c in enumerate(circles)
            ):
                yield crossing, reach


def _crossings(a: Circle, b: Circle, apart: float) -> list[Point]:
    along = (apart**2 + a.radius**2 - b.radius**2) / (2 * apart)
    square = a.radius**2 - along**2
    if square < 0:
        return []
    aside = math.sqrt(square)
    ux, uy = (b.x - a.x) / apart, (b.y - a.y) / apart
    return [Point(a.x + along * ux - s * aside * uy, a.y + along * uy + s * aside * ux) for s in (-1, 1)]


def _close_up(
    spot: Point, circles: Sequence[Circle], reach: float
) -> list[tuple[Point, float, tuple[int, ...]]]:
    """The parts inside rings that end within the surroundings of a spot: the deepest point, its depth in px, and the
    rings that cover it."""
    step = 2 * reach / CLOSE_UP_PX
    xs = (spot.x + step * (np.arange(CLOSE_UP_PX) - CLOSE_UP_PX / 2))[None, :]
    ys = (spot.y + step * (np.arange(CLOSE_UP_PX) - CLOSE_UP_PX / 2))[:, None]
    depth = np.full((CLOSE_UP_PX, CLOSE_UP_PX), np.inf)
    inside = np.zeros(depth.shape, np.bool_)
    for c in circles:
        if abs(math.dist(spot, (c.x, c.y)) - c.radius) > 2 * reach:
            inside |= math.dist(spot, (c.x, c.y)) < c.radius
            continue
        signed = c.radius - np.hypot(xs - c.x, ys - c.y)
        np.minimum(depth, np.abs(signed), out=depth)
        inside |= signed > 0
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        (inside & (depth > 0.75 * step)).astype(np.uint8), connectivity=4
    )
    found = []
    for i in range(1, count):
        x, y, width, height = (int(value) for value in stats[i, :4])
        if x == 0 or y == 0 or x + width == CLOSE_UP_PX or y + height == CLOSE_UP_PX:
            continue
        window = (slice(y, y + height), slice(x, x + width))
        here = np.where(labels[window] == i, depth[window], -1.0)
        row, column = np.unravel_index(int(here.argmax()), here.shape)
        at = Point(float(xs[0, x + int(column)]), float(ys[y + int(row), 0]))
        covers = tuple(k for k, c in enumerate(circles) if math.dist(at, (c.x, c.y)) < c.radius)
        if here[row, column] > max(LEAST_DEPTH_PX, 0.9 * step):
            found.append((at, float(here[row, column]), covers))
    return found
