"""Parts of a figure that are too narrow for a number: between nearly tangent rings, and where three nearly meet.

Whether such a sliver counts as a region cannot be seen. So every lens of two circles, every crescent and every
triangle of three is measured: it is a region already, or invisible, or a reason to refuse.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from vision.errors import UncertainReading
from vision.frame import Point
from vision.readers.rings.figure import LEAST_DEPTH, Circle, Piece, covering

# Circles are measured to a few tenths of a px: what is less deep is a point where lines touch.
LEAST_DEPTH_PX = 0.5
# Regions are found on a raster, and triangles of arcs measured as if their sides were straight: what is deeper than a
# region's least depth by this share may still be none. A third circle that passes a crossing further away than this, in
# radii, makes one that is a region.
STRAIGHT, NEAR = 1.5, 0.3


class _Sliver(NamedTuple):
    """A narrow part: the deepest point of it, and how deep it is, px."""

    at: Point
    depth_px: float


def refuse_slivers(circles: Sequence[Circle], parts: Sequence[Piece]) -> None:
    """Raises UncertainReading for a part of the plane inside rings that is none of `parts` but can be seen."""
    radius = min(c.radius for c in circles)
    for sliver in _slivers(circles, radius):
        if sliver.depth_px <= LEAST_DEPTH_PX:
            continue
        covers = covering(circles, sliver.at)
        reach = 6 * sliver.depth_px + LEAST_DEPTH * radius
        if not any(part.covers == covers and math.dist(part.at, sliver.at) < reach for part in parts):
            raise UncertainReading(
                f"{len(covers)} of the {len(circles)} rings leave a sliver of {2 * sliver.depth_px:.0f} px at"
                f" ({sliver.at.x:.0f}, {sliver.at.y:.0f}): too narrow for a number, so whether it is a region cannot be"
                " told",
                hint="rings must overlap clearly or not at all",
            )


def _slivers(circles: Sequence[Circle], radius: float) -> Iterator[_Sliver]:
    crossings: list[tuple[int, int, Point]] = []
    for (i, a), (j, b) in combinations(enumerate(circles), 2):
        apart = math.dist((a.x, a.y), (b.x, b.y))
        if apart >= a.radius + b.radius or apart == 0:
            continue
        large, small = (a, b) if a.radius >= b.radius else (b, a)
        way = ((small.x - large.x) / apart, (small.y - large.y) / apart)
        # How deep the small one reaches into the large one, and out of it at the far side.
        lens, beyond = large.radius + small.radius - apart, apart + small.radius - large.radius
        for width, middle in ((lens, large.radius - lens / 2), (beyond, large.radius + beyond / 2)):
            if 0 < width < 2 * STRAIGHT * LEAST_DEPTH * radius:
                yield _Sliver(Point(large.x + way[0] * middle, large.y + way[1] * middle), width / 2)
        crossings += [(i, j, at) for at in _crossings(a, b, apart)]
    if not crossings:
        return
    places = np.array([at for _, _, at in crossings])
    middles = np.array(circles)
    away = np.hypot(places[:, None, 0] - middles[:, 0], places[:, None, 1] - middles[:, 1]) - middles[:, 2]
    for row, k in np.argwhere(np.abs(away) < NEAR * radius).tolist():
        i, j, at = crossings[row]
        if k > j:
            triangle = _triangle(circles, (i, j, k), at, radius)
            if triangle is not None:
                yield triangle


def _triangle(
    circles: Sequence[Circle], three: tuple[int, int, int], near: Point, radius: float
) -> _Sliver | None:
    """The small triangle that three circles leave between them near a point, if it is too small for a region."""
    corners = [near]
    for i, k in ((three[0], three[2]), (three[1], three[2])):
        a, b = circles[i], circles[k]
        both = _crossings(a, b, math.dist((a.x, a.y), (b.x, b.y)))
        if not both:
            return None
        corners.append(min(both, key=lambda at: math.dist(at, near)))
    sides = [math.dist(corners[1], corners[2]), math.dist(corners[0], corners[2]), math.dist(*corners[:2])]
    around = sum(sides)
    if around == 0:
        return None
    (ax, ay), (bx, by), (cx, cy) = corners
    depth = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / around
    if depth >= STRAIGHT * LEAST_DEPTH * radius:
        return None
    x, y = (
        sum(side * corner[axis] for side, corner in zip(sides, corners, strict=True)) / around
        for axis in (0, 1)
    )
    return _Sliver(Point(x, y), depth)


def _crossings(a: Circle, b: Circle, apart: float) -> list[Point]:
    if apart == 0:
        return []
    along = (apart**2 + a.radius**2 - b.radius**2) / (2 * apart)
    square = a.radius**2 - along**2
    if square < 0:
        return []
    aside = math.sqrt(square)
    ux, uy = (b.x - a.x) / apart, (b.y - a.y) / apart
    return [Point(a.x + along * ux - s * aside * uy, a.y + along * uy + s * aside * ux) for s in (-1, 1)]
