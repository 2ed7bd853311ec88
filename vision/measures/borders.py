"""Where the borders between the cells of a grid really are.

A grid is a comb of equal pitch. A thick line or a wide gap after every fifth cell moves the cells by a few px against
it, and what is drawn in a small cell then seems to stand off its middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
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


# What is looked at across a line reaches so far to both sides (share of the pitch), at so many places along the side of a cell:
# the first and last ones are near its corners.
ACROSS, ALONG, NEAR_CORNER = 0.15, (0.12, 0.2, 0.28, 0.4, 0.5, 0.6, 0.72, 0.8, 0.88), 3
# This share of all places shows the step of a line at least, and that has so many levels; where less of it shows there is no
# line.
MOSTLY_LINED, LEAST_STEP, LINE_LEFT = 0.8, 16, 0.35


class Unlined(NamedTuple):
    """Where something hides the lines of a lattice.

    sides: (4, rows, cols) the left, right, upper and lower sides of cells.
    corners: (rows + 1, cols + 1) the share of the lines that meet at a corner which are hidden near it.
    """

    sides: npt.NDArray[np.bool_]
    corners: npt.NDArray[np.float64]


def unlined(scene: Scene, grid: Grid) -> Unlined | None:
    """Where the lines of a lattice do not show; None where they never do, or nearly everywhere.

    Use as `scene.once(unlined, grid)`.
    """
    upright = _steps_across(scene.pixels, grid.xs, grid.ys)
    level = _steps_across(scene.pixels.transpose(1, 0, 2), grid.ys, grid.xs)
    steps = np.concatenate((upright.ravel(), level.ravel()))
    # Where cells of other colours meet there is more than a line.
    line = float(np.quantile(steps, 1 - MOSTLY_LINED))
    if line < LEAST_STEP or steps.min() >= LINE_LEFT * line:
        return None
    gone = [np.asarray(one < LINE_LEFT * line, np.bool_) for one in (upright, level)]
    across, down = (np.asarray(one[..., NEAR_CORNER:-NEAR_CORNER].all(axis=2), np.bool_) for one in gone)
    sides = np.stack((across[:, :-1], across[:, 1:], down.T[:-1], down.T[1:]))
    hidden, met = (
        _near_corners(ways[0]) + _near_corners(ways[1]).T
        for ways in (gone, [np.ones_like(one) for one in gone])
    )
    return Unlined(sides, hidden / met)


def _near_corners(gone: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """(cells along + 1, lines) how many of the lines that come from both sides along to a corner are gone near it."""
    before, behind = (gone[..., end].all(axis=2) for end in (np.s_[:NEAR_CORNER], np.s_[-NEAR_CORNER:]))
    return np.pad(before, ((0, 1), (0, 0))).astype(np.int64) + np.pad(behind, ((1, 0), (0, 0)))


def _steps_across(pixels: Pixels, across: Comb, along: Comb) -> Pixels:
    """(cells along, lines, places) by how many levels px differ from each other across each line of a comb."""
    reach, (height, width) = max(2, round(ACROSS * across.pitch)), pixels.shape[:2]
    xs, ys = (
        np.rint(comb.first + comb.pitch * places).astype(np.int64).clip(0, end - 1)
        for comb, places, end in (
            (across, np.arange(across.count), width),
            (along, (np.arange(along.count - 1)[:, None] + np.array(ALONG)).ravel(), height),
        )
    )
    rows, window = np.ascontiguousarray(pixels[ys]), np.ones((1, 2 * reach + 1), np.uint8)
    steps = cv2.subtract(cv2.dilate(rows, window), cv2.erode(rows, window))[:, xs].max(axis=2)
    return np.asarray(steps.reshape(-1, len(ALONG), len(xs)).transpose(0, 2, 1), np.uint8)
