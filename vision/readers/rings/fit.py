"""Fits a circle to the middle of its line, by least squares.

Across the line the picture is sampled at equal angles. What is line differs from the ground on both of its sides,
which may be of two colours: each is taken from the neighbourhood at its own side, so that a digit near the line does
not matter. A disc without an outline has no such middle; there the step between the two colours is its line.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest
from vision.frame import Pixels
from vision.readers.rings.figure import Circle

Floats = npt.NDArray[np.float32]

ANGLES = 360
# Share of the outline that must be there.
LEAST_OUTLINE = 0.72
# How far to both sides of the line is looked, in radii, pass by pass.
REACHES = (0.08, 0.055, 0.05)
# Ground is the median of so many neighbouring angles: most of them have no digit there.
NEIGHBOURS = 21
# Contrast, 0..255, of a line that can be told from noise, and its share of the usual one.
LEAST_CONTRAST = 12.0
OF_USUAL = 0.4
# What differs from the ground by so many times the usual noise is no noise.
NOISE = 3.5


def fit(pixels: Pixels, start: Circle) -> tuple[Circle, float] | None:
    """The circle through the middle of its line, and the line's width (px); None when too little of it is there.

    pixels: (H, W, 3) uint8, BGR; start: the circle, to about 6 % of its radius.
    """
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    cos, sin = np.cos(angles), np.sin(angles)
    circle, line_px, share = start, 0.0, 0.0
    for factor in REACHES:
        reach = max(4.0, factor * start.radius, 0.8 * line_px + 1.5)
        offsets = np.arange(-reach, reach + 0.25, 0.5)
        profile, limit = _across(pixels, circle, offsets, cos, sin)
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
        if clean.sum() < ANGLES // 4:
            return None
        rows = np.stack([cos, sin, np.ones_like(cos)], axis=1)
        for _ in range(4):
            shift, *_rest = np.linalg.lstsq(rows[clean], middle[clean], rcond=None)
            left = np.abs(middle - rows @ shift)
            spread = max(0.3, 2.5 * float(np.median(left[clean])))
            kept = clean & (left <= spread)
            if kept.sum() < ANGLES // 4:
                return None
            clean = kept
        circle = Circle(
            circle.x + float(shift[0]), circle.y + float(shift[1]), circle.radius + float(shift[2])
        )
        share = float((seen & (left <= max(1.0, line_px))).mean())
    return (circle, line_px) if share >= LEAST_OUTLINE else None


def _across(
    pixels: Pixels,
    circle: Circle,
    offsets: npt.NDArray[np.float64],
    cos: npt.NDArray[np.float64],
    sin: npt.NDArray[np.float64],
) -> tuple[Floats, float]:
    """(offsets, angles) how much of the line there is, 0..255, and from where on it is line."""
    radii = circle.radius + offsets[:, None]
    xs = (circle.x + radii * cos - 0.5).astype(np.float32)
    ys = (circle.y + radii * sin - 0.5).astype(np.float32)
    sampled = cv2.remap(pixels, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = np.asarray(sampled, np.float32)
    inner, outer = (_calm(np.median(ends, axis=0)) for ends in (colours[:3], colours[-3:]))
    line = np.minimum(strongest(np.abs(colours - inner)), strongest(np.abs(colours - outer)))
    if _usual(line) < LEAST_CONTRAST:
        # No outline: the step from one colour to the other.
        step = strongest(np.abs(np.gradient(colours, axis=0)))
        line = np.asarray(step, np.float32)
    limit = max(
        LEAST_CONTRAST,
        OF_USUAL * _usual(line),
        NOISE * float(np.median(np.concatenate([line[:3], line[-3:]]))),
    )
    return line, limit


def _usual(line: Floats) -> float:
    return float(np.median(line.max(axis=0)))


def _calm(ends: npt.NDArray[np.floating]) -> Floats:
    """(angles, 3) colours, each the median of its neighbourhood along the circle."""
    half = NEIGHBOURS // 2
    around = np.concatenate([ends[-half:], ends, ends[:half]])
    windows = np.lib.stride_tricks.sliding_window_view(around, NEIGHBOURS, axis=0)
    return np.asarray(np.median(windows, axis=-1), np.float32)
