"""What speaks for a ring puzzle: circles drawn as lines that overlap, found by voting on the coarse picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from vision.colour import away_from
from vision.frame import Box, Point
from vision.readers.rings.circles import are_lines, fit_circles, vote_circles
from vision.readers.rings.figure import LEAST_DEPTH, Circle
from vision.scene import Claim, Scene

FEWEST_RINGS = 2
# A claim is made where so many of the circles that were voted for are of one figure, and so many of those are lines.
MOSTLY = 0.8
# No number fits where smaller rings overlap.
LEAST_RADIUS_PX = 24.0
# A few rings whose radii differ by no more than this factor are surely one figure; the cells of a lattice may look like many.
ALIKE, FEW = 0.9, 12
# Rings of one figure are this near to each other, as a share of their radii together, and their middles apart by more than
# this share of the smaller radius.
CLOSE, APART = 1.4, 0.3


def claim(scene: Scene) -> Claim | None:
    """Rings drawn as lines that overlap, or None."""
    voted = scene.once(rough_circles)
    rough = overlapping(voted)
    if len(rough) < max(FEWEST_RINGS, MOSTLY * len(voted)):
        return None
    ink = away_from(scene.coarse.pixels, scene.coarse.ground)
    found = fit_circles(ink, [Circle(*(value / scene.factor for value in circle)) for circle in rough])
    drawn = [
        c
        for c, line in zip(found.circles, are_lines(ink, found), strict=True)
        if line and c.radius * scene.factor >= LEAST_RADIUS_PX
    ]
    circles = overlapping([Circle(*(value * scene.factor for value in circle)) for circle in drawn])
    if len(circles) < max(FEWEST_RINGS, MOSTLY * len(rough)):
        return None
    alike = len(circles) <= FEW and min(c.radius for c in circles) >= ALIKE * max(c.radius for c in circles)
    what = f"a figure of {len(circles)} rings that overlap"
    return Claim(around(circles, 1.0, 1.0, scene.size), 0.8 if alike else 0.5, what)


def rough_circles(scene: Scene) -> tuple[Circle, ...]:
    """The circles drawn as lines, px of the picture, of at least the least radius; not yet fitted on the picture itself."""
    return vote_circles(away_from(scene.coarse.pixels, scene.coarse.ground), scene.factor, LEAST_RADIUS_PX)


def overlapping(circles: Sequence[Circle]) -> tuple[Circle, ...]:
    """The circles of the largest figure: they stand close together, and some of them overlap by as much as holds a digit."""
    left = list(circles)
    figures: list[list[Circle]] = []
    while left:
        figure = [left.pop()]
        for one in figure:
            figure += (near := [c for c in left if _closeness(c, one) < CLOSE])
            left = [c for c in left if c not in near]
        if any(_closeness(one, other) < 1 - LEAST_DEPTH for one, other in combinations(figure, 2)):
            figures.append(figure)
    largest = max(figures, key=len, default=[])
    return tuple(c for c in circles if c in largest)


def _closeness(one: Circle, other: Circle) -> float:
    """How far apart two rings are, in shares of their radii together: below 1 they overlap; inf where one is in the other."""
    apart = math.dist(one[:2], other[:2])
    return apart / (one.radius + other.radius) if apart > APART * min(one.radius, other.radius) else math.inf


def around(
    circles: Sequence[Circle], margin: float, below: float, size: tuple[int, int], others: Sequence[Box] = ()
) -> Box:
    """The box around circles with a margin in radii, and around other boxes, as far as it is on the picture."""
    radius = max(c.radius for c in circles)
    left = min([c.x - c.radius - margin * radius for c in circles] + [box.left for box in others])
    top = min([c.y - c.radius - margin * radius for c in circles] + [box.top for box in others])
    right = max([c.x + c.radius + margin * radius for c in circles] + [box.right for box in others])
    bottom = max([c.y + c.radius + below * radius for c in circles] + [box.bottom for box in others])
    return Box.spanning(Point(left, top), Point(right, bottom)).clipped(size)
