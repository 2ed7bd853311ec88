"""Finds square boards by two families of evenly spaced straight lines."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.algemy.board import MAX_SIDE
from vision.frame import Box, Point
from vision.readers.algemy.found import INK_BESIDE, LEAST_PITCH_PX, Found
from vision.readers.algemy.paper import Mask, Paper

Numbers = npt.NDArray[np.float64]
Darkness = npt.NDArray[np.uint8]

# Part of a line that is there where no colour covers it. Gems' upright sides reach 0.43 of a column of
# crystals.
LINE_COVERAGE = 0.6
# Part of the board's height that a line shows in black, and part of the lines that must be found.
# Beams hide a third of a line, an open wheel up to half of it on a small board: first strict, then lenient.
LEAST_INK = (0.5, 0.28)
LINES_SEEN = 0.6
# A line of which less can be seen says nothing. Weights of lines (grey levels times px): the least of any, and of what is no
# line at most, against the usual one.
LEAST_VISIBLE = 0.15
LEAST_WEIGHT = 12.0
LINE_WEIGHT = 0.3
PITCH_AGREEMENT = 0.04
# A line is known to half a px; a line of a comb may be off by so many, and a board has so many lines a side at least.
HALF_PX, OFF_PX, LEAST_LINES = 0.5, 1.5, 3
# No picture of a board has more lines than those of so many boards.
MOST_COMBS = 3


def find_squares(sheet: Paper, box: Box) -> Iterator[Found]:
    """Square lattices, the one with most lines first. Where gems fill whole columns, half the pitch fits too."""
    tried: set[tuple[int, int]] = set()
    window = box.window
    ink, colour = sheet.ink[window], sheet.colour[window]
    for least_ink in LEAST_INK:
        across = _combs(_coverage(ink, colour, 0, least_ink), box.left)
        down = _combs(_coverage(ink, colour, 1, least_ink), box.top)
        pairs = [
            (x, y)
            for x, y in itertools.product(across, down)
            if abs(x.pitch - y.pitch) <= PITCH_AGREEMENT * max(x.pitch, y.pitch) + HALF_PX
        ]
        pairs.sort(key=lambda pair: -pair[0].lines - pair[1].lines)
        for x, y in pairs[:4]:
            if (x.gaps, y.gaps) in tried or not _are_lines(x, y, sheet):
                continue
            tried.add((x.gaps, y.gaps))
            if _ink_outside(ink, x, y, box) > INK_BESIDE:
                continue
            centres = tuple(
                tuple(
                    Point(x.first + (col + 0.5) * x.pitch, y.first + (row + 0.5) * y.pitch)
                    for col in range(x.gaps)
                )
                for row in range(y.gaps)
            )
            yield Found("square", centres, min(x.pitch, y.pitch))


def _ink_outside(ink: Mask, x: _Comb, y: _Comb, box: Box) -> float:
    """Share of a region's ink that is outside the lattice."""
    reach = 0.1 * x.pitch
    left, top = max(0, round(x.first - reach) - box.left), max(0, round(y.first - reach) - box.top)
    right = round(x.first + x.gaps * x.pitch + reach) - box.left
    bottom = round(y.first + y.gaps * y.pitch + reach) - box.top
    return 1.0 - float(ink[top:bottom, left:right].sum()) / max(1, int(ink.sum()))


def _coverage(ink: Mask, colour: Mask, axis: int, least_ink: float) -> Numbers:
    """How much of each px column (axis 0) or row (axis 1) is line, where it is not under colour."""
    length = ink.shape[axis]
    black = ink.sum(axis=axis)
    seen = black / np.maximum(length - colour.sum(axis=axis), 1)
    return np.asarray(np.where(black >= least_ink * length, seen, 0.0), np.float64)


class _Comb(NamedTuple):
    """Evenly spaced lines: the first one's middle and the spacing in px, gaps between them, lines really seen."""

    first: float
    pitch: float
    gaps: int
    lines: int


def _combs(coverage: Numbers, start_px: int) -> list[_Comb]:
    """Spacings that explain the lines, the one with most lines first, the widest of equals.

    Every pair of lines proposes a spacing. start_px: where the coverage begins in the picture.
    """
    on = np.flatnonzero(coverage >= LINE_COVERAGE)
    if on.size == 0:
        return []
    runs = np.split(on, np.flatnonzero(np.diff(on) > 1) + 1)
    lines = np.array([float(np.average(run, weights=coverage[run])) + 0.5 + start_px for run in runs])
    if not LEAST_LINES <= len(lines) <= MOST_COMBS * MAX_SIDE:
        return []
    found: dict[tuple[int, int], _Comb] = {}
    for first, second in itertools.combinations(lines[: 2 * MAX_SIDE], 2):
        pitch = float(second - first)
        if pitch < LEAST_PITCH_PX:
            continue
        index = np.round((lines - first) / pitch)
        fits = np.abs(first + index * pitch - lines) <= max(OFF_PX, PITCH_AGREEMENT * pitch)
        count, span = int(fits.sum()), int(np.ptp(index[fits])) + 1
        if count < LEAST_LINES or len(set(index[fits].tolist())) < LINES_SEEN * span or span > MAX_SIDE + 1:
            continue
        low = index[fits].min()
        step, start = (float(part) for part in np.polyfit(index[fits] - low, lines[fits], 1))
        comb = _Comb(start, step, span - 1, count)
        known = found.get((round(start), span))
        if known is None or count > known.lines:
            found[round(start), span] = comb
    return sorted(found.values(), key=lambda comb: (-comb.lines, -comb.pitch))[:6]


def _are_lines(x: _Comb, y: _Comb, sheet: Paper) -> bool:
    """Whether all lines of both combs are as dark as lines of one lattice.

    A line's weight (its darkness summed across it) is the same for all lines, wherever it falls between the px.
    """
    darkness, tint = sheet.darkness, sheet.tint
    for comb, other, dark, under in ((x, y, darkness, tint), (y, x, darkness.T, tint.T)):
        weights = [_weight(comb, index, other, dark, under) for index in range(comb.gaps + 1)]
        seen = [weight.low for weight in weights if weight is not None]
        if weights[0] is None or weights[-1] is None:
            return False
        usual = float(np.median(seen))
        palest = min(*seen, weights[0].least, weights[-1].least)
        if usual < LEAST_WEIGHT or palest < LINE_WEIGHT * usual:
            return False
    return True


class _Weight(NamedTuple):
    """How dark a line is along its pieces: the lower quartile, and the palest cell."""

    low: float
    least: float


def _weight(comb: _Comb, index: int, other: _Comb, darkness: Darkness, tint: Mask) -> _Weight | None:
    """Darkness of one line, summed across it, above that beside it; None when it is hidden.

    Looked at piece by piece: a line is there along all of them, writing is not. A gem may come near.
    """
    at = comb.first + index * comb.pitch
    reach, beside = max(1, round(0.05 * comb.pitch)), max(1, round(0.03 * comb.pitch))
    low, high = math.floor(at) - reach, math.floor(at) + reach + 1
    first, last = max(0, low - beside), min(darkness.shape[1], high + beside)
    if high <= 0 or low >= darkness.shape[1]:
        return _Weight(0.0, 0.0)
    weights: list[float] = []
    cells: dict[int, list[float]] = {}
    for cell, part in itertools.product(range(other.gaps), (0.08, 0.66)):
        begin, end = (
            max(0, round(other.first + (cell + share) * other.pitch)) for share in (part, part + 0.26)
        )
        seen = ~tint[begin:end, max(0, low) : high].all(axis=1)
        if seen.sum() < LEAST_VISIBLE * other.pitch:
            continue
        profile = darkness[begin:end, first:last][seen].mean(axis=0)
        sides = [part.mean() for part in (profile[: low - first], profile[high - first :]) if part.size]
        weights.append(float((profile[max(0, low - first) : high - first] - min(sides, default=0.0)).sum()))
        cells.setdefault(cell, []).append(weights[-1])
    if len(weights) < 2 * LEAST_VISIBLE * other.gaps:
        return None
    palest = min(sum(pieces) / len(pieces) for pieces in cells.values())
    return _Weight(float(np.quantile(weights, 0.25)), palest)
