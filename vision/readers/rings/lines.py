"""Where the lines of the rings really are: a ring's line is interrupted where a number stands on it.

Along every circle the picture is sampled at the middle of the line. Long runs of ink are the line; what is between
two of them is a gap, and ink in a gap is writing, even where it runs along the line as the stroke of a 1 does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.readers.rings.figure import Circle
from vision.readers.rings.ground import Gray

# Shorter runs of ink, in radii, are strokes of writing, or crumbs of line between two numbers on it.
LEAST_RUN = 0.28
# Antialiased edges of a line reach this far beyond its measured width.
EDGE_PX = 1.0
# Pixels of thinner lines lie now on one side of the circle, now on the other: its strips are followed as one.
THIN_PX = 2.5
SHIFT = 4
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lines:
    """drawn: per circle, whether its line is there, at equal angles from 3 o'clock clockwise.

    mask: (H, W) bool, the pixels of the lines.
    """

    circles: tuple[Circle, ...]
    line_px: float
    drawn: tuple[npt.NDArray[np.bool_], ...]
    mask: npt.NDArray[np.bool_]

    def is_drawn(self, circle: int, x: float, y: float) -> bool:
        """Whether the line of a circle is there in the direction of a point."""
        seen = self.drawn[circle]
        angle = np.arctan2(y - self.circles[circle].y, x - self.circles[circle].x) % (2 * np.pi)
        return bool(seen[int(angle / (2 * np.pi) * len(seen)) % len(seen)])

    def inside(self, x: float, y: float) -> bool:
        """Whether a point lies in any ring."""
        return any(np.hypot(x - c.x, y - c.y) < c.radius for c in self.circles)

    def gap_px(self, x: float, y: float) -> float:
        """The distance of a point to the middle of the nearest circle's line."""
        return min(abs(float(np.hypot(x - c.x, y - c.y)) - c.radius) for c in self.circles)


def trace(ink: Gray, circles: Sequence[Circle], line_px: float) -> Lines:
    """Follow the line of every circle. ink: (H, W), 0..255."""
    mask = np.zeros(ink.shape, np.uint8)
    line_px = float(np.median([_width(ink, circle, line_px) for circle in circles]))
    half = line_px / 2 + EDGE_PX
    # The line in strips of about a px: its end at the plate of a number is cut across, not square.
    edges = np.linspace(-half, half, max(3, round(2 * half)) + 1, dtype=np.float64)
    middles = np.clip((edges[:-1] + edges[1:]) / 2, -0.4 * line_px, 0.4 * line_px)
    drawn = []
    for circle in circles:
        count = max(360, int(4 * np.pi * circle.radius))
        angles = np.arange(count, dtype=np.float64) * (2 * np.pi / count)
        xs = circle.x + (circle.radius + middles[:, None]) * np.cos(angles) - 0.5
        ys = circle.y + (circle.radius + middles[:, None]) * np.sin(angles) - 0.5
        along = cv2.remap(ink, xs.astype(np.float32), ys.astype(np.float32), cv2.INTER_LINEAR)
        seen = along > 0.5 * float(np.median(along.max(axis=0)))
        if line_px <= THIN_PX:
            seen = np.broadcast_to(seen.any(axis=0), seen.shape)
        least = LEAST_RUN * count / (2 * np.pi)
        line = np.zeros(count, np.bool_)
        for strip, inner, outer in zip(seen, edges[:-1], edges[1:], strict=True):
            for start, length in _runs(strip, least):
                steps = np.arange(start, start + length) % count
                line[steps] = True
                band = _band(circle, angles[steps], float(inner), float(outer))
                cv2.fillPoly(mask, [band], 1, cv2.LINE_8, SHIFT)
        drawn.append(line)
    return Lines(tuple(circles), line_px, tuple(drawn), mask > 0)


def _width(ink: Gray, circle: Circle, about_px: float) -> float:
    """How wide a circle's line is at half its strength, px; `about_px` is at least that."""
    angles = np.linspace(0, 2 * np.pi, 180, endpoint=False)
    offsets = np.arange(-about_px, about_px + 0.25, 0.25)[:, None]
    xs = circle.x + (circle.radius + offsets) * np.cos(angles) - 0.5
    ys = circle.y + (circle.radius + offsets) * np.sin(angles) - 0.5
    across = cv2.remap(ink, xs.astype(np.float32), ys.astype(np.float32), cv2.INTER_LINEAR)
    profile = np.median(across, axis=1)
    return max(1.0, 0.25 * float((profile > 0.5 * profile.max()).sum()))


def _band(circle: Circle, angles: Floats, inner: float, outer: float) -> npt.NDArray[np.int32]:
    """The outline of a strip along a circle between two distances from it, in fixed-point px."""
    back, out = circle.radius + inner, circle.radius + outer
    xs = np.concatenate([out * np.cos(angles), back * np.cos(angles[::-1])]) + circle.x - 0.5
    ys = np.concatenate([out * np.sin(angles), back * np.sin(angles[::-1])]) + circle.y - 0.5
    return np.asarray(np.rint(np.stack([xs, ys], axis=1) * 2**SHIFT), np.int32)


def _runs(seen: npt.NDArray[np.bool_], least: float) -> list[tuple[int, int]]:
    """(start, length) of the cyclic runs of True that are long enough."""
    count = len(seen)
    if seen.all():
        return [(0, count + 1)]
    starts = np.flatnonzero(seen & ~np.roll(seen, 1))
    ends = np.flatnonzero(seen & ~np.roll(seen, -1))
    found = []
    for start in starts.tolist():
        later = ends[ends >= start]
        end = int(later[0]) if len(later) else int(ends[0]) + count
        if end - start + 1 >= least:
            found.append((start, end - start + 1))
    return found
