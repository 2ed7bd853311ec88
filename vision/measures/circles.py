"""Circles drawn round the points where cells meet, however many lines go through those."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from vision.eyesight import Region
from vision.frame import Pixels
from vision.grids import Grid
from vision.measures.parts import Part, parts_in

# A circle is looked for at these radii, in pitches, at steps of so many px, along so many angles.
RADII, STEP_PX, ANGLES = (0.22, 0.38), 0.5, 32
# Its line is darker or lighter than the ground inside by so many levels, within so many steps of one radius, at so many of
# the angles: four lines through the point and their ends show at half of them. A circle without a number is in doubt.
LEVELS, STEPS, AROUND = 45, 2, 0.55
# It begins where it is seen at so many of the angles, and its soft edge so many px before; in a window that was made larger
# px by px so many pitches.
BEGINS, LINE_PX, LINE = 0.5, 1.3, 0.05
# All that is looked at around a point.
AROUND_POINT = Region(-0.4, -0.4, 0.4, 0.4)


def with_circles(
    pixels: Pixels, grid: Grid, found: Mapping[tuple[int, int], Part]
) -> dict[tuple[int, int], Part]:
    """The parts of round regions at the top left corners of cells, by row and column of those, framed where a circle goes
    round them. It is looked for within AROUND_POINT."""
    if not found:
        return {}
    ways = 2 * np.pi * np.arange(ANGLES) / ANGLES
    radii = np.arange(RADII[0] * grid.xs.pitch, RADII[1] * grid.xs.pitch, STEP_PX)[:, None]
    points = np.array([(grid.xs.at(col), grid.ys.at(row)) for row, col in found])
    xs, ys = (
        np.clip(
            (points[:, axis, None, None] + radii * way(ways)).astype(np.int64), 0, pixels.shape[1 - axis] - 1
        )
        for axis, way in enumerate((np.cos, np.sin))
    )
    grounds = np.array([part.ground for part in found.values()])
    lined = np.abs(pixels[ys, xs] - grounds[:, None, None]).max(axis=3) > LEVELS
    near = lined.copy()
    for step in range(1, STEPS + 1):
        near[:, step:] |= lined[:, :-step]
        near[:, :-step] |= lined[:, step:]
    ringed = near.mean(axis=2).max(axis=1) >= AROUND
    # Where the line itself begins.
    first = (lined.mean(axis=2) >= BEGINS).argmax(axis=1)
    rings = {
        place: float(radii[begin, 0])
        for place, ring, begin in zip(found, ringed.tolist(), first.tolist(), strict=True)
        if ring
    }
    soft = max(LINE_PX, LINE * grid.xs.pitch)
    patches = {place: _inside(found[place], radius - soft) for place, radius in rings.items()}
    inside = parts_in({place: patch for place, patch in patches.items() if patch is not None}, in_round=True)
    return {**found, **{place: replace(inside.get(place, found[place]), framed=True) for place in rings}}


def _inside(part: Part, radius: float) -> Pixels | None:
    """What is drawn within a circle of which the region has some px; None where nothing is beyond it."""
    if not part.cut:
        return None
    height, width = part.patch.shape[:2]
    down, right = np.mgrid[0:height, 0:width]
    beyond = np.hypot(down - (height - 1) / 2, right - (width - 1) / 2) > radius
    if not (beyond & part.drawn).any():
        return None
    patch = part.patch.copy()
    patch[beyond] = np.rint(part.ground)
    return patch
