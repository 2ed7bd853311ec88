"""Finds rings drawn as lines: a vote for the radius, then votes for the centres, then a fit to the middle of the lines.

Every edge pixel knows the direction in which the centre of its circle lies. Two pixels of one circle tell its radius,
so the radius that most pairs agree on comes first (all rings of a puzzle are about equal); then every edge pixel votes
for two centres. A peak is a circle only when most of its outline is really there; crossings, digits and targets on the
line hide the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.readers.rings.figure import Circle

Floats = npt.NDArray[np.float32]
Ink = npt.NDArray[np.uint8]

# Votes are taken on a picture of at most so many px, with so many of its edge pixels, and pairs of them.
VOTING_PX = 160_000
MOST_EDGES = 8_000
PAIRS = 24_000
# Pairs are taken from the whole picture, and from tiles of so many to its longer side.
TILES = (1, 4, 8)
LEAST_RADIUS_PX = 10.0
# Edges are as steep as this share of the steepest (their 99.5th percentile), and as this, in levels.
STEEP, LEAST_STEEP = 0.18, 20.0
LEAST_EDGES = 60
# Share of the outline that must be seen, and of that of a line that has ink on it and none beside it.
LEAST_OUTLINE, LEAST_LINE = 0.72, 0.6
MOST_CIRCLES = 64
# A peak has this share of the votes of half an outline.
LEAST_VOTES = 0.22
# Two circles whose middles are nearer than this, in radii, are one.
SAME = 0.12
# The fit looks so far to both sides of a line, in radii, pass by pass, at so many angles.
REACHES = (0.07, 0.05)
ANGLES = 120
# Ink of a line, 0..255, that can be told from noise.
LEAST_INK = 16.0
# Crossings and digits make a line look wider than this many times the usual; they would pull the circle.
WIDE = 1.35
# Edges that run along each other, by the sine between them, tell no circle; two agree on a radius within this share and these
# px, and so many pairs must.
LEAST_SINE, AGREES, AGREES_PX, LEAST_PAIRS = 0.25, 0.015, 0.4, 30
# What is in so many steps of the histogram is one radius.
ONE_RADIUS = 2.0
# Widths are known to half a px. A circle is fitted to at least this share of its angles.
HALF_PX, FITTED = 0.5, 0.25


class Found(NamedTuple):
    """The circles of a picture, and how wide their lines are (px)."""

    circles: tuple[Circle, ...]
    line_px: float


def vote_circles(ink: Ink, px: float = 1.0, least_px: float = 0.0) -> tuple[Circle, ...]:
    """Circles drawn as lines, roughly, in units of `px` px of the ink's picture; of a radius of `least_px` or more."""
    scale = min(1.0, float(np.sqrt(VOTING_PX / ink.size)))
    small = ink
    if scale < 1.0:
        small = np.asarray(cv2.resize(ink, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return tuple(
        Circle(*(value * px / scale for value in circle))
        for circle in _vote(_Edges.of(small), small, least_px * scale / px)
    )


class _Edges(NamedTuple):
    """Edge pixels: places and unit gradients, each (n,); how many there are in all; and the picture's (height, width)."""

    x: Floats
    y: Floats
    u: Floats
    v: Floats
    total: int
    shape: tuple[int, int]

    @classmethod
    def of(cls, small: Ink) -> _Edges:
        soft = cv2.GaussianBlur(small, (0, 0), 1.0)
        dx, dy = (cv2.Sobel(soft, cv2.CV_32F, *order) for order in ((1, 0), (0, 1)))
        strength = cv2.magnitude(dx, dy)
        limit = max(LEAST_STEEP, STEEP * float(np.percentile(strength[::3, ::3], 99.5)))
        rows, columns = np.nonzero(strength > limit)
        steep = strength[rows, columns]
        u, v = (np.asarray(way[rows, columns] / steep, np.float32) for way in (dx, dy))
        chosen = np.arange(len(rows))
        if len(rows) > MOST_EDGES:
            chosen = (_spread(MOST_EDGES)[0] * len(rows)).astype(np.int64)
        x, y = (places[chosen].astype(np.float32) + 0.5 for places in (columns, rows))
        return cls(x, y, u[chosen], v[chosen], len(rows), (small.shape[0], small.shape[1]))


def _vote(edges: _Edges, ink: Ink, least_px: float) -> list[Circle]:
    """Circles of a picture, roughly."""
    radius = _vote_radius(edges, max(LEAST_RADIUS_PX, least_px), min(edges.shape) / 2)
    return (
        [] if radius is None else list(fit_circles(ink, _vote_centres(edges, radius)).circles[:MOST_CIRCLES])
    )


def _vote_radius(edges: _Edges, least: float, most: float) -> float | None:
    """The radius on which most pairs of edge pixels agree."""
    if len(edges.x) < LEAST_EDGES:
        return None
    first, second = _pairs(edges)
    cross = edges.u[first] * edges.v[second] - edges.v[first] * edges.u[second]
    good = np.abs(cross) > LEAST_SINE
    first, second, cross = first[good], second[good], cross[good]
    across, down = edges.x[second] - edges.x[first], edges.y[second] - edges.y[first]
    along_n = (across * edges.v[second] - down * edges.u[second]) / cross
    along_m = (across * edges.v[first] - down * edges.u[first]) / cross
    # Both edges of the line point at its middle: the same edge gives equal signs, the two edges opposite ones.
    radius = np.abs(along_n)
    agree = (np.abs(along_n - along_m) < AGREES * radius + AGREES_PX) & (radius > least) & (radius < most)
    if agree.sum() < LEAST_PAIRS:
        return None
    steps = np.log(radius[agree]) / 0.02
    counts = np.bincount(steps.astype(np.int64))
    # Chance pairs spread smoothly over all radii: a real radius stands out of its surroundings. Near the ends of the
    # scale half of the surroundings is missing.
    smooth = np.convolve(counts, np.ones(3), "same")
    around = np.convolve(counts, np.ones(41), "same") * 3 / np.convolve(counts > -1, np.ones(41), "same")
    stands_out = smooth - around
    best = int(np.argmax(stands_out))
    return (
        float(np.median(radius[agree][np.abs(steps - best - HALF_PX) < ONE_RADIUS]))
        if stands_out[best] > 0
        else None
    )


@cache
def _spread(count: int) -> npt.NDArray[np.float64]:
    """(2, count) points of the unit square, spread evenly: the additive recurrence R2 of Roberts (2018)."""
    return np.outer((0.7548776662466927, 0.5698402909980532), np.arange(count)) % 1.0


def _pairs(edges: _Edges) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Edge pixels that may be of one circle: where rings are many and small, only near ones are."""
    one, other = _spread(PAIRS // len(TILES))
    firsts, seconds = [], []
    for tiles in TILES:
        side = max(edges.shape) / tiles
        tile = (edges.y // side).astype(np.int64) * tiles + (edges.x // side).astype(np.int64)
        order = np.argsort(tile, kind="stable")
        ends = np.cumsum(np.bincount(tile, minlength=tiles * tiles))
        first = (one * len(order)).astype(np.int64)
        high = ends[tile[order[first]]]
        low = np.concatenate([[0], ends])[tile[order[first]]]
        second = low + (other * (high - low)).astype(np.int64)
        firsts.append(order[first])
        seconds.append(order[second])
    return np.concatenate(firsts), np.concatenate(seconds)


def _vote_centres(voters: _Edges, radius: float) -> list[Circle]:
    """Circles of about one radius, the best seen first."""
    height, width = voters.shape
    votes = np.zeros(height * width, np.float32)
    for sign in (-radius, radius):
        columns = np.rint(voters.x + sign * voters.u).astype(np.int32)
        rows = np.rint(voters.y + sign * voters.v).astype(np.int32)
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        np.add.at(votes, rows[inside] * width + columns[inside], np.float32(1.0))
    blur = max(1.2, 0.02 * radius)
    field = cv2.GaussianBlur(votes.reshape(height, width), (0, 0), blur)
    reach = max(3, int(SAME * radius))
    # A full circle gives 2 pi r votes per edge, blurred over 2 pi blur^2; only a part of the edges may vote.
    least = LEAST_VOTES * min(1.0, MOST_EDGES / voters.total) * radius / blur**2
    places = np.flatnonzero(
        (field >= cv2.dilate(field, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))) & (field > least)
    )
    places = places[np.argsort(-field.ravel()[places])][: 2 * MOST_CIRCLES]
    return [Circle(float(at % width) + 0.5, float(at // width) + 0.5, radius) for at in places.tolist()]


def _same(one: Circle, other: Circle) -> bool:
    near = SAME * max(one.radius, other.radius)
    return math.dist(one[:2], other[:2]) < near


def fit_circles(ink: Ink, voted: Sequence[Circle]) -> Found:
    """The voted circles through the middle of their lines, by least squares, all at once; those too little seen are gone."""
    if not voted:
        return Found((), 0.0)
    at = np.array(voted, np.float64)
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    turn = np.stack([np.cos(angles), np.sin(angles), np.ones(ANGLES)], axis=1)
    widths = np.zeros(len(at), np.float32)
    for factor in REACHES:
        reach = max(4.0, factor * float(np.median(at[:, 2])), 0.8 * float(np.median(widths)) + 1.5)
        offsets = np.arange(-reach, reach + 0.25, 0.5)
        profile = sampled(ink, at, offsets, turn)
        limit = np.maximum(LEAST_INK, 0.4 * np.median(profile.max(axis=1), axis=1))[:, None, None]
        line = np.where(profile > limit, profile, 0.0)
        total = line.sum(axis=1)
        middle = (line * offsets[:, None]).sum(axis=1) / np.maximum(total, 1e-6)
        thick = (line > 0).sum(axis=1) * 0.5
        seen = total > 0
        widths = _medians(thick, seen)
        clean = seen & (thick <= WIDE * widths[:, None] + HALF_PX)
        shift = _least_squares(turn, middle, clean)
        left = np.abs(middle - shift @ turn.T)
        spread = np.maximum(0.3, 2.5 * _medians(left, clean))
        shift = _least_squares(turn, middle, clean & (left <= spread[:, None]))
        left = np.abs(middle - shift @ turn.T)
        at = at + shift
    shares = (seen & (left <= np.maximum(1.0, widths)[:, None])).mean(axis=1)
    found: list[Circle] = []
    for row, share in zip(at.tolist(), shares, strict=True):
        # Sums depend on how memory lies; what is read of one picture does not.
        circle = Circle(*(round(value, 2) for value in row))
        if share >= LEAST_OUTLINE and not any(_same(circle, other) for other in found):
            found.append(circle)
    return Found(tuple(found), float(np.median(widths[shares >= LEAST_OUTLINE])) if found else 0.0)


def _medians(values: Floats, counts: npt.NDArray[np.bool_]) -> Floats:
    """(n,) the median of each row's values that count; 0 where none does."""
    number = counts.sum(axis=1)
    ordered = np.sort(np.where(counts, values, np.inf), axis=1)
    rows = np.arange(len(values))
    low, high = (
        ordered[rows, np.maximum(number - 1, 0) // 2],
        ordered[rows, np.minimum(number // 2, values.shape[1] - 1)],
    )
    return np.asarray(np.where(number > 0, (low + high) / 2, 0.0), np.float32)


def are_lines(ink: Ink, found: Found) -> list[bool]:
    """Which circles are lines: there is more ink on them than at both of their sides, nearly everywhere."""
    if not found.circles:
        return []
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    turn = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    beside = found.line_px + 2.5
    across = sampled(ink, np.array(found.circles, np.float64), np.array([-beside, 0.0, beside]), turn)
    line = across[:, 1] > across[:, ::2].max(axis=1) + LEAST_INK
    return [bool(share >= LEAST_LINE) for share in line.mean(axis=1)]


def sampled(
    ink: Ink,
    circles: npt.NDArray[np.float64],
    offsets: npt.NDArray[np.float64],
    turn: npt.NDArray[np.float64],
) -> Floats:
    """(circles, offsets, angles) the ink across the lines of circles.

    circles: (n, 3) x, y, radius; turn: (angles, 2 or more) cos, sin.
    """
    radii = circles[:, 2, None, None] + offsets[:, None]
    xs = (circles[:, 0, None, None] - 0.5 + radii * turn[:, 0]).astype(np.float32)
    ys = (circles[:, 1, None, None] - 0.5 + radii * turn[:, 1]).astype(np.float32)
    flat = (len(circles) * len(offsets), len(turn))
    # OpenCV's remap takes at most 32767 rows.
    got = cv2.remap(
        ink, xs.reshape(flat), ys.reshape(flat), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(got, np.float32).reshape(xs.shape)


def _least_squares(
    turn: npt.NDArray[np.float64], middle: Floats, keep: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """(n, 3) shifts in x, y and radius that explain the kept middles best; none where too few are kept."""
    weights = keep.astype(np.float64)
    normal = np.einsum("na,ai,aj->nij", weights, turn, turn) + 1e-6 * np.eye(3)
    right = np.einsum("na,ai->ni", weights * middle, turn)
    solved = np.linalg.solve(normal, right[..., None])[..., 0]
    return np.asarray(np.where(keep.sum(axis=1)[:, None] >= FITTED * ANGLES, solved, 0.0))
