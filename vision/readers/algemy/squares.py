"""Finds square boards by two families of evenly spaced straight lines."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.algemy.board import MAX_SIDE
from vision.frame import Box, Point
from vision.grids import evenly
from vision.readers.algemy.found import INK_BESIDE, LEAST_PITCH_PX, Found
from vision.readers.algemy.paper import Mask, Paper

Numbers = npt.NDArray[np.float64]

# Part of a line that is there where no colour covers it. Gems' upright sides reach 0.43 of a column of
# crystals.
LINE_COVERAGE = 0.6
# Part of the board's height that a line shows in black, and part of the lines that must be found.
# Beams hide a third of a line, an open wheel up to half of it on a small board: first strict, then lenient.
LEAST_INK = (0.5, 0.28)
LINES_SEEN = 0.6
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
            if (x.gaps, y.gaps) in tried:
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
        step, start = evenly(index[fits] - low, lines[fits])
        comb = _Comb(start, step, span - 1, count)
        known = found.get((round(start), span))
        if known is None or count > known.lines:
            found[round(start), span] = comb
    return sorted(found.values(), key=lambda comb: (-comb.lines, -comb.pitch))[:6]
