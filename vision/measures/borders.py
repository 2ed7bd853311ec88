"""Where the borders between the cells of a grid really are.

A grid is a comb of equal pitch. A thick line or a wide gap after every fifth cell moves the cells by a few px against
it, and what is drawn in a small cell then seems to stand off its middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.frame import Pixels
from vision.grids import Comb, Grid, counts
from vision.scene import Scene

# A border may be this far from its place on the comb (share of the pitch).
OFF_COMB = 0.22
# Steps of colour beside this share of the cells are all of a border, where there are two; so are those with this share of the
# strongest near it, where lines that cross it leave so much of that; or else all with this share of the strongest.
EVERYWHERE, LIKE_STRONGEST, CUT, BORDER = 0.95, 0.88, 0.8, 0.25
# This share of the cells beside it must show a border, or it stays where the comb has it.
LEAST_SHOWN = 0.1
# A border this far (share of the pitch, and px) from where both its neighbours want it is none: round cells and long
# crosses have straight pieces, too.
ASTRAY, ASTRAY_PX = 0.04, 1.5


class Borders(NamedTuple):
    """The places of the vertical and of the horizontal borders, in px; one more than there are cells."""

    xs: Sequence[float]
    ys: Sequence[float]


def borders_of(scene: Scene, grid: Grid) -> Borders:
    """The borders where the picture has them, each in the middle between its two sides."""
    xs, ys = grid.xs, grid.ys
    left, top = max(round(xs.first - xs.pitch / 2), 0), max(round(ys.first - ys.pitch / 2), 0)
    right, bottom = round(xs.at(xs.count - 0.5)), round(ys.at(ys.count - 0.5))
    upright, level = (steps[top:bottom, left:right] for steps in scene.steps())
    return Borders(
        _places(counts(upright), xs, left, ys.pitch * grid.rows),
        _places(level.sum(axis=1), ys, top, xs.pitch * grid.cols),
    )


def _places(shown: npt.NDArray[np.int_], comb: Comb, start: int, whole: float) -> list[float]:
    """shown: how many px of straight steps there are at every place, counted from `start`; whole: of the longest."""
    # The outer borders stay: a frame around the board has its own two sides.
    found = [comb.at(0)]
    for index in range(1, comb.count - 1):
        at = comb.at(index)
        first = max(round(at - OFF_COMB * comb.pitch) - start, 0)
        near = shown[first : max(round(at + OFF_COMB * comb.pitch) + 1 - start, 0)]
        strongest = int(near.max(initial=0))
        if strongest >= LEAST_SHOWN * whole:
            # Both sides of a line beside all cells. Beside it, shadows in filled cells are no part of the border.
            for least in (
                EVERYWHERE * whole,
                LIKE_STRONGEST * max(strongest, CUT * whole),
                BORDER * strongest,
            ):
                sides = np.flatnonzero(near >= least)
                if len(sides) >= 2:
                    break
            # A step at x is the border between the pixels x - 1 and x.
            at = start + first + float(sides[0] + sides[-1]) / 2
        found.append(at)
    return _straightened([*found, comb.at(comb.count - 1)], comb.pitch)


def _straightened(places: Sequence[float], pitch: float) -> list[float]:
    """Without borders that make one of their cells small and the other one large: thick lines only make both larger."""
    usual = float(np.median(np.diff(places)))
    result = list(places)
    for i in range(1, len(places) - 1):
        before, after = result[i - 1] + usual - places[i], places[i + 1] - usual - places[i]
        if before * after > 0 and min(abs(before), abs(after)) > max(ASTRAY * pitch, ASTRAY_PX):
            result[i] += (before + after) / 2
    return result


# Where the lines of a lattice would go on beyond its edge, in pitches from there; beside them, the ground.
BEYOND, BESIDE = (0.12, 0.25, 0.4, 0.6, 0.75), 0.16
# A line differs from both its sides by more levels; so many of the places must show one, and nearly all of them beside a
# board on whose corners clues stand, which hide lines.
LINE_LEVELS, GOES_ON, NEARLY_ALL = 24, 0.4, 0.8
# A line that goes on is seen at one of so many places nearest to the edge.
NEAREST = 2


def goes_on(scene: Scene, grid: Grid, least: float = GOES_ON, first: float = BEYOND[0]) -> bool:
    """Whether so large a share of the lines of a grid goes on beyond an edge that the grid is a part of a larger one.

    first: how far from the edge they are looked for at first, in pitches. Use as `scene.once(goes_on, grid, least)`.
    """
    return any(
        _lined(pixels, across, at, step, least, first)
        for pixels, across, along in (
            (scene.pixels, grid.xs, grid.ys),
            (scene.pixels.transpose(1, 0, 2), grid.ys, grid.xs),
        )
        for at, step in ((along.first, -along.pitch), (along.at(along.count - 1), along.pitch))
    )


def _lined(pixels: Pixels, across: Comb, edge: float, step: float, least: float, first: float) -> bool:
    """Whether so many lines that cross an edge (at a y of the pixels) are seen beyond it, as far as the picture goes."""
    height, width = pixels.shape[:2]
    ys = np.rint([edge + part * step for part in BEYOND if part >= first]).astype(np.int64)
    # What the picture's edge leaves of a next row is a part of a larger board as well.
    ys = ys[(ys >= 0) & (ys < height)]
    xs = np.rint([across.at(nth) for nth in range(1, across.count - 1)]).astype(np.int64)
    beside = max(3, round(BESIDE * across.pitch))
    xs = xs[(xs >= beside) & (xs < width - beside)]
    if not len(xs) or not len(ys):
        return False
    near = pixels[ys[:, None, None], (xs[:, None] + np.arange(-2, 3))[None]].astype(np.int16)
    sides = pixels[ys[:, None, None], (xs[:, None] + np.array([-beside, beside]))[None]].astype(np.int16)
    away = np.abs(near[:, :, :, None] - sides[:, :, None]).max(axis=4).min(axis=3).max(axis=2)
    # Nearest first. Words farther off, as of a menu, are no line that goes on.
    seen = away > LINE_LEVELS
    return bool((seen & seen[:NEAREST].any(axis=0)).mean() >= least)
