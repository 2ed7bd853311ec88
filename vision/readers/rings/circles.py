"""Finds circles that cross each other: a vote for the radius, then votes for the centres.

Every edge pixel knows the direction in which the centre of its circle lies. Two pixels of one circle tell its
radius, so the radius that most pairs agree on comes first (all rings of a puzzle are about equal); then every edge
pixel votes for two centres. A peak is a circle only when most of its outline is really there; crossings, digits and
targets on the line hide the rest. Edges that no circle explains may be circles of another size: they vote again.
At last each circle is fitted to the middle of its line (`fit.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels
from vision.readers.rings.figure import Circle
from vision.readers.rings.fit import fit

Floats = npt.NDArray[np.float64]

# Votes are taken on a picture of at most this size: positions are refined on the full one.
VOTING_PX = 1100
LEAST_RADIUS_PX = 14.0
PAIRS = 240_000
# Pairs are taken from the whole picture, and from tiles of so many to its longer side.
TILES = (1, 4, 8)
# Fewer edge pixels make no circle.
LEAST_EDGES = 60
# Share of the outline that must be seen before the circle is fitted.
LEAST_OUTLINE = 0.6
MOST_CIRCLES = 64
# Rounds of votes, and how much smaller or larger than the first ones later circles may be.
MOST_SIZES = 6
SMALLEST, LARGEST = 0.6, 1.7
# So many radii are tried, until circles of one explain this share of the edges.
MOST_RADII = 5
EXPLAINED = 0.4
# So far from a circle, in radii, edges are explained by it; and how far off its radius is looked for.
NEAR_LINE = 0.06
# An edge belongs to a circle when it runs along it: the cosine between its normal and the radius.
ALONG = 0.85


class Found(NamedTuple):
    """The circles of a picture, and how wide their lines are (px)."""

    circles: tuple[Circle, ...]
    line_px: float


class _Edges(NamedTuple):
    """Edge pixels: (n, 2) places, (n, 2) unit gradients; the shape of their picture."""

    points: Floats
    normals: Floats
    shape: tuple[int, int]

    def without(self, circles: list[Circle]) -> _Edges:
        """The edges that these circles do not explain."""
        keep = np.ones(len(self.points), np.bool_)
        for c in circles:
            away = np.abs(np.hypot(self.points[:, 0] - c.x, self.points[:, 1] - c.y) - c.radius)
            keep &= away > max(3.0, NEAR_LINE * c.radius)
        return self._replace(points=self.points[keep], normals=self.normals[keep])


def find_circles(pixels: Pixels) -> Found:
    """All circles drawn as lines, refined to a fraction of a px. pixels: (H, W, 3) uint8, BGR."""
    height, width = pixels.shape[:2]
    scale = min(1.0, VOTING_PX / max(height, width))
    small = pixels
    if scale < 1.0:
        small = np.asarray(
            cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    exact: list[tuple[Circle, float]] = []
    for circle in _vote(_edges(small)):
        fitted = fit(pixels, Circle(circle.x / scale, circle.y / scale, circle.radius / scale))
        if fitted is not None and not any(_same(fitted[0], other) for other, _ in exact):
            exact.append(fitted)
    line_px = float(np.median([width for _, width in exact])) if exact else 0.0
    return Found(tuple(circle for circle, _ in exact), line_px)


def _vote(edges: _Edges) -> list[Circle]:
    """Circles of a picture, roughly."""
    found: list[Circle] = []
    least, most = LEAST_RADIUS_PX, min(edges.shape) / 2
    for _ in range(MOST_SIZES):
        left = edges.without(found)
        more, explained = [], 0.0
        for radius in _vote_radii(left, least, most) if len(left.points) >= LEAST_EDGES else ():
            circles = [c for c in _vote_centres(left, edges, radius) if not any(_same(c, o) for o in found)]
            share = 1 - len(left.without(circles).points) / len(left.points)
            if share > explained:
                more, explained = circles, share
            if explained >= EXPLAINED:
                break
        if not more:
            break
        # The radii of the circles are known better than the vote: with them the others come out clearly.
        radius = float(np.median([c.radius for c in more]))
        again = [c for c in _vote_centres(left, edges, radius) if not any(_same(c, o) for o in found)]
        more = again if len(again) > len(more) else more
        if not found:
            first = more[0].radius
            least, most = max(least, SMALLEST * first), min(most, LARGEST * first)
        found += more
    return found[:MOST_CIRCLES]


def _edges(small: Pixels) -> _Edges:
    """The edges of a picture, from the channel that changes most."""
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.float32)
    dx = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 1, 0), np.float32)
    dy = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 0, 1), np.float32)
    square = dx**2 + dy**2
    channel = square.argmax(axis=2)[..., None]
    dx, dy, square = (np.take_along_axis(a, channel, axis=2)[..., 0] for a in (dx, dy, square))
    strength = np.sqrt(square)
    # A line's edge is a fair part of the strongest ones; noise and JPEG rings lie far below.
    limit = max(40.0, 0.18 * float(np.percentile(strength, 99.5)))
    rows, columns = np.nonzero(strength > limit)
    normals = np.stack([dx[rows, columns], dy[rows, columns]], axis=1).astype(np.float64)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    points = np.stack([columns + 0.5, rows + 0.5], axis=1).astype(np.float64)
    return _Edges(points, normals, (small.shape[0], small.shape[1]))


def _vote_radii(edges: _Edges, least: float, most: float) -> Iterator[float]:
    """The radii on which most pairs of edge pixels agree, the best first."""
    first, second = _pairs(edges)
    # Column by column: gathering whole rows takes several times as long.
    x, y, u, v = (np.ascontiguousarray(a) for a in (*edges.points.T, *edges.normals.T))
    cross = u[first] * v[second] - v[first] * u[second]
    good = np.flatnonzero(np.abs(cross) > 0.25)
    first, second, cross = first[good], second[good], cross[good]
    across, down = x[second] - x[first], y[second] - y[first]
    along_n = (across * v[second] - down * u[second]) / cross
    along_m = (across * v[first] - down * u[first]) / cross
    # Both edges of the line point at its middle: the same edge gives equal signs, the two edges opposite ones.
    radius = np.abs(along_n)
    agree = (np.abs(along_n - along_m) < 0.015 * radius + 0.4) & (radius > least) & (radius < most)
    if agree.sum() < 30:
        return
    steps = np.log(radius[agree]) / 0.02
    counts = np.bincount(steps.astype(np.int64))
    # Chance pairs spread smoothly over all radii: a real radius stands out of its surroundings.
    smooth = np.convolve(counts, np.ones(3), "same")
    # Near the ends of the scale half of the surroundings is missing.
    around = np.convolve(counts, np.ones(41), "same") * 3 / np.convolve(counts > -1, np.ones(41), "same")
    stands_out = smooth - around
    for _ in range(MOST_RADII):
        best = int(np.argmax(stands_out))
        near = np.abs(steps - (best + 0.5)) < 2.0
        if stands_out[best] <= 0 or not near.any():
            return
        yield float(np.median(radius[agree][near]))
        stands_out[max(0, best - 1) : best + 2] = 0


def _pairs(edges: _Edges) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Edge pixels that may be of one circle: where rings are many and small, only near ones are."""
    rng = np.random.default_rng(0)
    firsts, seconds = [], []
    for tiles in TILES:
        side = max(edges.shape) / tiles
        tile = (edges.points[:, 1] // side) * tiles + edges.points[:, 0] // side
        order = np.argsort(tile, kind="stable")
        names = tile[order]
        first = rng.integers(len(order), size=PAIRS // len(TILES))
        low, high = (
            np.searchsorted(names, names[first], "left"),
            np.searchsorted(names, names[first], "right"),
        )
        second = low + (rng.random(len(first)) * (high - low)).astype(np.int64)
        firsts.append(order[first])
        seconds.append(order[second])
    return np.concatenate(firsts), np.concatenate(seconds)


def _vote_centres(voters: _Edges, edges: _Edges, radius: float) -> list[Circle]:
    """Circles of about one radius, the best seen first. edges: all of the picture, for their outlines."""
    height, width = edges.shape
    votes = np.zeros((height + 2, width + 2), np.float32)
    for sign in (-1.0, 1.0):
        at = np.rint(voters.points + sign * radius * voters.normals).astype(np.int64)
        inside = (at[:, 0] >= 0) & (at[:, 0] < width) & (at[:, 1] >= 0) & (at[:, 1] < height)
        flat = at[inside, 1] * (width + 2) + at[inside, 0]
        votes += np.bincount(flat, minlength=votes.size).reshape(votes.shape).astype(np.float32)
    blur = max(1.2, 0.02 * radius)
    votes = np.asarray(cv2.GaussianBlur(votes, (0, 0), blur), np.float32)
    reach = max(3, int(0.12 * radius))
    peaks = votes == cv2.dilate(votes, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    # A full circle gives 2 pi r votes per edge, blurred over 2 pi blur^2.
    peaks &= votes > 0.3 * radius / blur**2
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-votes[rows, columns])[: 4 * MOST_CIRCLES]
    outlines = _outlines(edges)
    found: list[Circle] = []
    for i in order:
        circle = Circle(float(columns[i]) + 0.5, float(rows[i]) + 0.5, radius)
        if not any(_same(circle, other) for other in found):
            circle, share = _best_seen(outlines, circle)
            if share >= LEAST_OUTLINE:
                found.append(circle)
    return found


def _outlines(edges: _Edges) -> npt.NDArray[np.float32]:
    """(H, W, 2) the unit gradient where there is an edge, 0 elsewhere."""
    picture = np.zeros((*edges.shape, 2), np.float32)
    picture[edges.points[:, 1].astype(np.int64), edges.points[:, 0].astype(np.int64)] = edges.normals
    return picture


def _best_seen(outlines: npt.NDArray[np.float32], circle: Circle) -> tuple[Circle, float]:
    """The circle with the radius near its own that is seen best, and the share of its outline that is there."""
    angles = np.linspace(0, 2 * np.pi, 180, endpoint=False)
    cos, sin = np.cos(angles), np.sin(angles)
    reach = max(3, round(NEAR_LINE * circle.radius))
    radii = circle.radius + np.arange(-reach - 2, reach + 3, dtype=np.float64)
    columns = (circle.x + radii[:, None] * cos).astype(np.int64)
    rows = (circle.y + radii[:, None] * sin).astype(np.int64)
    height, width = outlines.shape[:2]
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    normals = outlines[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
    seen = inside & (np.abs(normals[..., 0] * cos + normals[..., 1] * sin) > ALONG)
    # The two edges of a line, or one that is out by a px or two at some angles.
    shares = np.array([seen[i - 2 : i + 3].any(axis=0).mean() for i in range(2, len(radii) - 2)])
    best = np.flatnonzero(shares >= shares.max() - 0.02)
    at = float(np.mean(best)) - reach
    return circle._replace(radius=circle.radius + at), float(shares.max())


def _same(one: Circle, other: Circle) -> bool:
    near = 0.12 * max(one.radius, other.radius)
    return float(np.hypot(one.x - other.x, one.y - other.y)) < near
