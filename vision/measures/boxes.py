"""Lattices of cells that are areas of one colour, whatever is drawn in them: each is found by its own outline."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.grids import Comb, Grid
from vision.scene import Scene

# Smaller areas are holes of writing.
LEAST_PX = 12
# So many of the most common sizes are tried; so many of the cells must be seen.
SIZES, SEEN = 3, 0.6
# Edges of the same row or column differ by so many px at most.
SAME_PX = 4
# A board has so many boxes a side at least.
LEAST_SIDE = 3


def box_grids(scene: Scene, apart: tuple[float, float]) -> list[Grid]:
    """The square lattices of square areas of one size; apart: their pitch, least and most, in sizes of an area.

    Use as `scene.once(box_grids, apart)`.
    """
    areas, found = scene.areas(8), []
    square = (areas.width > LEAST_PX) & (np.abs(areas.width - areas.height) <= 2)
    sizes, counts = np.unique(areas.width[square], return_counts=True)
    for size in sizes[np.argsort(-counts, kind="stable")][:SIZES]:
        alike = square & (np.abs(areas.width - size) <= 1)
        xs, ys = _line(areas.left[alike] + size / 2), _line(areas.top[alike] + size / 2)
        if not len(xs) == len(ys) >= LEAST_SIDE or alike.sum() < SEEN * len(xs) ** 2:
            continue
        combs = [_comb(line) for line in (xs, ys)]
        if all(apart[0] * size < comb.pitch < apart[1] * size for comb in combs):
            found.append(Grid(*combs))
    return found


def _line(values: npt.NDArray[np.float64]) -> list[float]:
    """Different places, those of the same row or column taken together."""
    found: list[float] = []
    for value in np.sort(values).tolist():
        if not found or value - found[-1] > SAME_PX:
            found.append(float(value))
    return found


def _comb(middles: list[float]) -> Comb:
    """The lines between cells with these middles."""
    pitch = (middles[-1] - middles[0]) / (len(middles) - 1)
    return Comb(middles[0] - pitch / 2, pitch, len(middles) + 1)
