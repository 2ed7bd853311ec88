"""Figures of rings for practice boards, and their regions: places inside the same rings that hang together.

The plane is sampled: every place has a number for the set of rings it lies in, and the one that is furthest from every
other set is where the region's number is written.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Literal, NamedTuple

import cv2
import numpy as np

from solver.lattice import Region

Figure = Literal["chain", "triangle", "flower", "lattice", "honeycomb"]
FIGURES: tuple[Figure, ...] = ("chain", "triangle", "flower", "lattice", "honeycomb")
# Samples to a radius, and how deep a region is, in radii, that can hold a number.
SAMPLES, DEEP = 60, 0.08


class Disc(NamedTuple):
    """Where a ring is drawn: its middle and radius, px."""

    x: float
    y: float
    radius: float


class Spot(NamedTuple):
    """A region: its name, the numbers of its rings, and where its number is written, px."""

    region: Region
    rings: tuple[int, ...]
    x: float
    y: float


def discs_of(figure: Figure, rng: random.Random, radius_px: float) -> list[Disc]:
    """The rings of a figure row by row, its box at (0, 0)."""
    centres: list[tuple[float, float]]
    if figure == "chain":
        centres = [(1 + 1.15 * i, 1 + (i % 2)) for i in range(rng.choice((5, 5, 6, 8)))]
    elif figure == "triangle":
        centres = [(1, 1), (2.2, 1), (1.6, 1 + 1.2 * math.sin(math.pi / 3))]
    elif figure == "flower":
        around = [(3 + 1.3 * math.cos(a), 3 + 1.3 * math.sin(a)) for a in (k * math.pi / 3 for k in range(6))]
        centres = [(3, 3), *around]
    elif figure == "lattice":
        centres = [(1 + 1.5 * x, 1 + 1.5 * y) for y in range(rng.choice((2, 3))) for x in range(3)]
    else:
        rows = ((y, x) for y in range(2) for x in range(3))
        centres = [(1 + 1.3 * x + 0.65 * (y % 2), 1 + 1.3 * math.sin(math.pi / 3) * y) for y, x in rows]
    left, top = min(x for x, _ in centres) - 1, min(y for _, y in centres) - 1
    centres.sort(key=lambda at: (round(at[1], 6), at[0]))
    return [Disc((x - left) * radius_px, (y - top) * radius_px, radius_px) for x, y in centres]


def ring_name(index: int) -> str:
    """The name of a ring of a practice board."""
    return f"r{index + 1:02d}"


def spots_of(discs: Sequence[Disc]) -> list[Spot]:
    """The regions of a figure that can hold a number, by the rings they lie in."""
    step = discs[0].radius / SAMPLES
    right, bottom = max(d.x + d.radius for d in discs), max(d.y + d.radius for d in discs)
    xs = np.arange(-1, int(right / step) + 2) * step
    ys = np.arange(-1, int(bottom / step) + 2) * step
    inside = np.stack([np.hypot(xs[None, :] - d.x, ys[:, None] - d.y) < d.radius for d in discs])
    codes = (inside * (1 << np.arange(len(discs)))[:, None, None]).sum(axis=0)
    found = []
    for code in np.unique(codes)[1:].tolist():
        rings = tuple(i for i in range(len(discs)) if code >> i & 1)
        same = np.asarray(codes == code, np.uint8)
        count, pieces = cv2.connectedComponents(same, connectivity=4)
        for piece in range(1, count):
            away = cv2.distanceTransform(
                np.asarray(pieces == piece, np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE
            )
            row, column = np.unravel_index(int(away.argmax()), away.shape)
            if away[row, column] >= DEEP * SAMPLES:
                found.append((rings, float(xs[column]), float(ys[row])))
    spots: list[Spot] = []
    for rings, x, y in sorted(found):
        words = [ring_name(ring) for ring in rings]
        before = sum(spot.rings == rings for spot in spots)
        words[-1] += f"~{before + 1}" if before else ""
        spots.append(Spot(Region(tuple(words)), rings, x, y))
    return spots
