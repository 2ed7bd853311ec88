"""Finds circles that cross each other: a vote for the radius, votes for the centres, least squares on the line.

Every edge pixel knows the direction in which the centre of its circle lies. Two pixels of one circle tell its
radius, so the radius that most pairs agree on comes first (all rings of a puzzle are about equal); then every edge
pixel votes for two centres. A peak is a circle only when most of its outline is really there; crossings, digits and
targets on the line hide the rest. At last each circle is fitted to the middle of its line.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest
from vision.frame import Pixels
from vision.readers.rings.figure import Circle

Gray = npt.NDArray[np.float32]

# Votes are taken on a picture of at most this size: positions are refined on the full one.
VOTING_PX = 1100
LEAST_RADIUS_PX = 14.0
PAIRS = 240_000
# Share of the outline that must be seen.
LEAST_OUTLINE = 0.72
MOST_CIRCLES = 64
# Of the strongest ink.
FAINT_LINE = 0.18
FIT_ANGLES = 360


class Found(NamedTuple):
    """The circles of a picture, and how wide their lines are (px)."""

    circles: tuple[Circle, ...]
    line_px: float


def ink_against(pixels: Pixels) -> Gray:
    """How far every pixel is from the ground, the most common colour of the picture; 0..255.

    pixels: (H, W, 3) uint8, BGR.
    """
    high = (pixels >> 4).astype(np.uint16)
    keys = high[..., 0] << 8 | high[..., 1] << 4 | high[..., 2]
    common = np.bincount(keys.ravel(), minlength=4096).argmax()
    ground = cv2.mean(pixels, (keys == common).astype(np.uint8))[:3]
    return strongest(np.abs(pixels.astype(np.float32) - np.array(ground, np.float32)))


def find_circles(ink: Gray) -> Found:
    """All circles drawn as lines, refined to a fraction of a px. ink: (H, W) as from `ink_against`."""
    height, width = ink.shape
    scale = min(1.0, VOTING_PX / max(height, width))
    small = ink if scale == 1.0 else cv2.resize(ink, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.float32)
    points, normals = _edges(small)
    found: list[Circle] = []
    if len(points) >= 60:
        radius = _vote_radius(points, normals, min(small.shape) / 2)
        if radius is not None:
            found = _vote_centres(small, points, normals, radius)
    exact = [_fit(ink, Circle(c.x / scale, c.y / scale, c.radius / scale)) for c in found]
    kept = [fit for fit in exact if fit is not None]
    kept = [fit for i, fit in enumerate(kept) if not any(_same(fit[0], other[0]) for other in kept[:i])]
    line_px = float(np.median([width for _, width in kept])) if kept else 0.0
    return Found(tuple(circle for circle, _ in kept), line_px)


def _edges(ink: Gray) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """(n, 2) places and (n, 2) unit gradients of edge pixels."""
    dx, dy = cv2.Sobel(ink, cv2.CV_32F, 1, 0), cv2.Sobel(ink, cv2.CV_32F, 0, 1)
    strength = np.hypot(dx, dy)
    # A line's edge is a fair part of the strongest ones; noise and JPEG rings lie far below.
    limit = max(40.0, 0.18 * float(np.percentile(strength, 99.5)))
    rows, columns = np.nonzero(strength > limit)
    normals = np.stack([dx[rows, columns], dy[rows, columns]], axis=1).astype(np.float64)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return np.stack([columns + 0.5, rows + 0.5], axis=1).astype(np.float64), normals


def _vote_radius(
    points: npt.NDArray[np.float64], normals: npt.NDArray[np.float64], largest: float
) -> float | None:
    """The radius on which most pairs of edge pixels agree."""
    rng = np.random.default_rng(0)
    first = rng.integers(len(points), size=PAIRS)
    second = rng.integers(len(points), size=PAIRS)
    # Column by column: gathering whole rows takes several times as long.
    x, y, u, v = (np.ascontiguousarray(a) for a in (*points.T, *normals.T))
    cross = u[first] * v[second] - v[first] * u[second]
    good = np.flatnonzero(np.abs(cross) > 0.25)
    first, second, cross = first[good], second[good], cross[good]
    across, down = x[second] - x[first], y[second] - y[first]
    along_n = (across * v[second] - down * u[second]) / cross
    along_m = (across * v[first] - down * u[first]) / cross
    # Both edges of the line point at its middle: the same edge gives equal signs, the two edges opposite ones.
    radius = np.abs(along_n)
    agree = (
        (np.abs(along_n - along_m) < 0.015 * radius + 0.4) & (radius > LEAST_RADIUS_PX) & (radius < largest)
    )
    if agree.sum() < 30:
        return None
    steps = np.log(radius[agree]) / 0.02
    counts = np.bincount(steps.astype(np.int64))
    # Chance pairs spread smoothly over all radii: a real radius stands out of its surroundings.
    smooth = np.convolve(counts, np.ones(3), "same")
    # Near the ends of the scale half of the surroundings is missing.
    around = np.convolve(counts, np.ones(41), "same") * 3 / np.convolve(counts > -1, np.ones(41), "same")
    best = int(np.argmax(smooth - around))
    near = np.abs(steps - (best + 0.5)) < 2.0
    return float(np.median(radius[agree][near])) if near.any() else None


def _vote_centres(
    ink: Gray, points: npt.NDArray[np.float64], normals: npt.NDArray[np.float64], radius: float
) -> list[Circle]:
    """Circles of about one radius, the best seen first."""
    height, width = ink.shape
    votes = np.zeros((height + 2, width + 2), np.float32)
    for sign in (-1.0, 1.0):
        at = np.rint(points + sign * radius * normals).astype(np.int64)
        inside = (at[:, 0] >= 0) & (at[:, 0] < width) & (at[:, 1] >= 0) & (at[:, 1] < height)
        flat = at[inside, 1] * (width + 2) + at[inside, 0]
        votes += np.bincount(flat, minlength=votes.size).reshape(votes.shape).astype(np.float32)
    blur = max(1.2, 0.02 * radius)
    votes = np.asarray(cv2.GaussianBlur(votes, (0, 0), blur), np.float32)
    mask = _line_mask(ink)
    reach = max(3, int(0.12 * radius))
    peaks = votes == cv2.dilate(votes, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    # A full circle gives 2 pi r votes per edge, blurred over 2 pi blur^2.
    peaks &= votes > 0.3 * radius / blur**2
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-votes[rows, columns])[: 4 * MOST_CIRCLES]
    found: list[Circle] = []
    for i in order:
        circle = Circle(float(columns[i]) + 0.5, float(rows[i]) + 0.5, radius)
        if any(_same(circle, other) for other in found):
            continue
        best = max(
            (Circle(circle.x, circle.y, radius * factor) for factor in (0.98, 1.0, 1.02)),
            key=lambda c: _outline_share(mask, c),
        )
        if _outline_share(mask, best) >= LEAST_OUTLINE - 0.12:
            found.append(best)
    return found


def _line_limit(ink: Gray) -> float:
    """Ink from which a line may be there: thin lines in pale colours have little, noise sets the floor."""
    floor = float(np.median(ink[::3, ::3]))
    return max(22.0, 3.5 * floor, FAINT_LINE * float(np.percentile(ink, 99)))


def _line_mask(ink: Gray) -> npt.NDArray[np.bool_]:
    limit = _line_limit(ink)
    return np.asarray(cv2.dilate((ink > limit).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0)


def _outline_share(mask: npt.NDArray[np.bool_], circle: Circle) -> float:
    angles = np.linspace(0, 2 * np.pi, 180, endpoint=False)
    columns = (circle.x + circle.radius * np.cos(angles)).astype(np.int64)
    rows = (circle.y + circle.radius * np.sin(angles)).astype(np.int64)
    inside = (columns >= 0) & (columns < mask.shape[1]) & (rows >= 0) & (rows < mask.shape[0])
    return float(mask[rows[inside], columns[inside]].sum()) / len(angles)


def _same(one: Circle, other: Circle) -> bool:
    near = 0.12 * max(one.radius, other.radius)
    return float(np.hypot(one.x - other.x, one.y - other.y)) < near


def _fit(ink: Gray, start: Circle) -> tuple[Circle, float] | None:
    """The circle through the middle of its line, and the line's width; None when too little of it is there."""
    angles = np.linspace(0, 2 * np.pi, FIT_ANGLES, endpoint=False)
    cos, sin = np.cos(angles), np.sin(angles)
    limit = _line_limit(ink)
    circle, line_px, share = start, 0.0, 0.0
    for reach in (
        max(4.0, 0.08 * start.radius),
        max(3.0, 0.05 * start.radius),
        max(3.0, 0.04 * start.radius),
    ):
        offsets = np.arange(-reach, reach + 0.25, 0.5)
        radii = circle.radius + offsets[:, None]
        xs = (circle.x + radii * cos - 0.5).astype(np.float32)
        ys = (circle.y + radii * sin - 0.5).astype(np.float32)
        profile = cv2.remap(ink, xs, ys, cv2.INTER_LINEAR, borderValue=0.0)
        weight = np.where(profile > limit, profile, 0.0)
        total = weight.sum(axis=0)
        seen = total > 0
        if seen.mean() < 0.5:
            return None
        middle = (weight * offsets[:, None]).sum(axis=0) / np.maximum(total, 1e-6)
        thickness = (profile > limit).sum(axis=0) * 0.5
        line_px = float(np.median(thickness[seen]))
        # Crossings and digits make the line look wider; they would pull the circle.
        clean = seen & (thickness <= 1.35 * line_px + 0.5)
        if clean.sum() < FIT_ANGLES // 4:
            return None
        rows = np.stack([cos, sin, np.ones_like(cos)], axis=1)
        for _ in range(4):
            shift, *_rest = np.linalg.lstsq(rows[clean], middle[clean], rcond=None)
            left = np.abs(middle - rows @ shift)
            spread = max(0.3, 2.5 * float(np.median(left[clean])))
            kept = clean & (left <= spread)
            if kept.sum() < FIT_ANGLES // 4:
                return None
            clean = kept
        circle = Circle(
            circle.x + float(shift[0]), circle.y + float(shift[1]), circle.radius + float(shift[2])
        )
        share = float((seen & (left <= max(1.0, line_px))).mean())
    return (circle, line_px) if share >= LEAST_OUTLINE else None
