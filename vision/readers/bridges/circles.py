"""Circles, whatever is in them: every edge pixel votes for the centres of those it could be part of.

One vote for each radius along its gradient (Hough transform with directions; Kimme, Ballard and Sklansky, 1975).
Pyramid levels keep the radii small. A centre counts when the edge goes all the way around it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels

Floats = npt.NDArray[np.float32]

# Radii looked for on every pyramid level, in px of the level; four levels reach 4.5 to 88 px.
RADII = (4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 9.0, 10.0, 11.0)
LEVELS = 4
# Levels of colour from which a pixel is an edge.
EDGE_LEVELS = 14.0
# Share of the circle that shows an edge.
AROUND = 0.78
ANGLES = 48
MOST_CENTRES = 1500
# Centres looked at side by side; OpenCV takes no picture of more than 32767 rows.
TOGETHER = 500


def find_circles(pixels: Pixels) -> list[tuple[float, float, float]]:
    """(x, y, radius) of full circles in px of the picture."""
    found: list[tuple[float, float, float, float]] = []
    gradients: list[tuple[Floats, Floats, Floats]] = []
    level = pixels
    for k in range(LEVELS):
        if k:
            level = cv2.resize(level, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)
        if min(level.shape[:2]) < 12:
            break
        radii = RADII if k == 0 else [r for r in RADII if r >= 5.5]
        gradients.append(_gradient(level))
        circles = _level_circles(gradients[-1], radii)
        # Seen on a coarse level, measured on the finer ones.
        for dx, dy, _ in gradients[-2::-1]:
            circles = _measured_again(dx, dy, [(2 * x, 2 * y, 2 * r, around) for x, y, r, around in circles])
        found += circles
    # A ring has two edges, and pyramid levels see the same circle twice: the fuller one stays.
    found.sort(key=lambda c: -c[3])
    once = [(x, y, r) for x, y, r, _ in found]
    return [once[number] for number in distinct(once, apart=0.25, factor=1.2)]


def _gradient(level: Pixels) -> tuple[Floats, Floats, Floats]:
    """(x, y, strength) of the strongest channel; strength in levels of a step."""
    soft = cv2.GaussianBlur(level, (3, 3), 0.6)
    best = tuple(np.zeros(level.shape[:2], np.float32) for _ in range(3))
    for channel in cv2.split(soft):
        dx, dy = (cv2.Sobel(channel, cv2.CV_32F, *way, scale=0.25) for way in ((1, 0), (0, 1)))
        strength = np.sqrt(dx**2 + dy**2)
        stronger = strength > best[2]
        for kept, own in zip(best, (dx, dy, strength), strict=True):
            np.copyto(kept, own, where=stronger)
    return best[0], best[1], best[2]


def _measured_again(
    dx: Floats, dy: Floats, circles: Sequence[tuple[float, float, float, float]]
) -> list[tuple[float, float, float, float]]:
    """The circles as this finer level shows them; as they are where it shows them less clearly."""
    better = list(circles)
    for start in range(0, len(circles), TOGETHER):
        x, y, r, _ = np.array(circles[start : start + TOGETHER], np.float64).T
        for nth, circle in _settled(dx, dy, x - 0.5, y - 0.5, r, rounds=4):
            before = circles[start + nth]
            if abs(circle[0] - before[0]) + abs(circle[1] - before[1]) < 4 and abs(circle[2] - before[2]) < 4:
                better[start + nth] = circle
    return better


def _level_circles(
    gradient: tuple[Floats, Floats, Floats], radii: Sequence[float]
) -> list[tuple[float, float, float, float]]:
    dx, dy, strength = gradient
    height, width = strength.shape
    ys, xs = np.nonzero(strength >= EDGE_LEVELS)
    if len(xs) == 0 or len(xs) > 0.55 * height * width:
        return []
    ux, uy = dx[ys, xs] / strength[ys, xs], dy[ys, xs] / strength[ys, xs]
    best = np.zeros((height, width), np.float32)
    size = np.zeros((height, width), np.float32)
    # A margin takes the votes for centres beyond the picture.
    edge = 2 * (int(max(radii)) // 2) + 2
    wide, tall = width + 2 * edge, height + 2 * edge
    xs, ys = xs + edge, ys + edge
    for radius in radii:
        places = [
            np.rint(ys + way * uy).astype(np.int32) * wide + np.rint(xs + way * ux).astype(np.int32)
            for way in (-radius, radius)
        ]
        votes = np.bincount(np.concatenate(places), minlength=tall * wide)
        inner = votes.reshape(tall, wide)[edge : edge + height, edge : edge + width].astype(np.float32)
        share = cv2.blur(inner, (3, 3)) * 9 / (2 * np.pi * radius)
        better = share > best
        best[better] = share[better]
        size[better] = radius
    peaks = (best >= 0.8) & (best >= cv2.dilate(best, np.ones((5, 5), np.uint8)))
    py, px = np.nonzero(peaks)
    order = np.argsort(-best[py, px])[:MOST_CENTRES]
    return _verified(dx, dy, px[order], py[order], size[py[order], px[order]])


def _verified(
    dx: Floats, dy: Floats, px: npt.NDArray[np.int64], py: npt.NDArray[np.int64], size: Floats
) -> list[tuple[float, float, float, float]]:
    """Centres with an edge all around, moved to their true middle."""
    found: list[tuple[float, float, float, float]] = []
    for start in range(0, len(px), TOGETHER):
        some = slice(start, start + TOGETHER)
        found += [circle for _, circle in _settled(dx, dy, px[some], py[some], size[some])]
    return found


def _settled(
    dx: Floats,
    dy: Floats,
    px: npt.NDArray[Any],
    py: npt.NDArray[Any],
    size: npt.NDArray[Any],
    rounds: int = 2,
) -> list[tuple[int, tuple[float, float, float, float]]]:
    """The same for a few centres, looked at side by side, each with its number: arrays are (centres, steps, angles)."""
    angles = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    terms = np.stack([np.ones_like(angles), cos, sin], axis=1)
    steps = np.arange(-2.0, 2.01, 0.5, dtype=np.float32)
    mid_x, mid_y, radius = (np.asarray(a, np.float64) for a in (px, py, size))
    names = np.arange(len(mid_x))
    for _ in range(rounds):
        if len(mid_x) == 0:
            return []
        x, y, r = (np.asarray(a, np.float32) for a in (mid_x, mid_y, radius))
        radii = np.maximum(r[:, None] + steps, 2.0)[..., None]
        mx = (x[:, None, None] + radii * cos).reshape(-1, ANGLES)
        my = (y[:, None, None] + radii * sin).reshape(-1, ANGLES)
        along = np.abs(
            cv2.remap(dx, mx, my, cv2.INTER_LINEAR) * cos + cv2.remap(dy, mx, my, cv2.INTER_LINEAR) * sin
        ).reshape(-1, len(steps), ANGLES)
        at = (along * (1 - 0.08 * np.abs(steps))[:, None]).argmax(axis=1)
        top = np.take_along_axis(along, at[:, None], 1)[:, 0]
        good = top >= np.maximum(EDGE_LEVELS * 0.7, 0.35 * np.median(top, axis=1))[:, None]
        reach = r[:, None] + steps[at]
        good &= np.abs(reach - np.median(reach, axis=1)[:, None]) <= 1.01
        around = good.mean(axis=1)
        seen = around >= 0.5
        names, mid_x, mid_y, reach, good, around = (
            a[seen] for a in (names, mid_x, mid_y, reach, good, around)
        )
        # The middle of what was seen: cosine and sine terms of the distance, by least squares.
        own = good[..., None] * terms
        moments = np.linalg.solve(own.transpose(0, 2, 1) @ terms, own.transpose(0, 2, 1) @ reach[..., None])
        radius, off_x, off_y = moments[..., 0].T
        mid_x, mid_y = mid_x + np.clip(off_x, -1.5, 1.5), mid_y + np.clip(off_y, -1.5, 1.5)
    full = (around >= AROUND) & (radius >= 3.5)
    kept = zip(*(a[full].tolist() for a in (mid_x + 0.5, mid_y + 0.5, radius, around)), strict=True)
    return list(zip(names[full].tolist(), kept, strict=True))


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
