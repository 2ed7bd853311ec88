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
from vision.grids import Comb, Grid, straight_steps

# A border may be this far from its place on the comb (share of the pitch).
OFF_COMB = 0.22
# Steps of colour with this share of the strongest near it belong to the border, too.
BORDER = 0.25
# This share of the cells beside it must show a border, or it stays where the comb has it.
LEAST_SHOWN = 0.1
# A border this far (share of the pitch, and px) from where both its neighbours want it is none: round cells and long
# crosses have straight pieces, too.
ASTRAY, ASTRAY_PX = 0.04, 1.5


class Borders(NamedTuple):
    """The places of the vertical and of the horizontal borders, in px; one more than there are cells."""

    xs: Sequence[float]
    ys: Sequence[float]

    def inside(self, row: int, col: int, margin: float) -> tuple[float, float, float, float]:
        """Left, right, top and bottom of a cell without a margin (share of its size) on every side."""
        left, right, top, bottom = self.xs[col], self.xs[col + 1], self.ys[row], self.ys[row + 1]
        wide, high = margin * (right - left), margin * (bottom - top)
        return left + wide, right - wide, top + high, bottom - high


def on_comb(grid: Grid) -> Borders:
    """The borders where the grid has them."""
    return Borders(*([comb.at(i) for i in range(comb.count)] for comb in (grid.xs, grid.ys)))


def borders_of(pixels: Pixels, grid: Grid) -> Borders:
    """The borders where the picture has them, each in the middle between its two sides."""
    xs, ys = grid.xs, grid.ys
    left, top = max(round(xs.first - xs.pitch / 2), 0), max(round(ys.first - ys.pitch / 2), 0)
    right, bottom = round(xs.at(xs.count - 0.5)), round(ys.at(ys.count - 0.5))
    upright, level = straight_steps(pixels[top:bottom, left:right])
    return Borders(
        _places(upright.sum(axis=0), xs, left, LEAST_SHOWN * ys.pitch * grid.rows),
        _places(level.sum(axis=1), ys, top, LEAST_SHOWN * xs.pitch * grid.cols),
    )


def _places(shown: npt.NDArray[np.int_], comb: Comb, start: int, least: float) -> list[float]:
    """shown: how many px of straight steps there are at every place, counted from `start`."""
    # The outer borders stay: a frame around the board has its own two sides.
    found = [comb.at(0)]
    for index in range(1, comb.count - 1):
        at = comb.at(index)
        first = max(round(at - OFF_COMB * comb.pitch) - start, 0)
        near = shown[first : max(round(at + OFF_COMB * comb.pitch) + 1 - start, 0)]
        strongest = int(near.max(initial=0))
        if strongest >= least:
            sides = np.flatnonzero(near >= BORDER * strongest)
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
