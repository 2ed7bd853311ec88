"""The lattice that islands stand on: the widest pitch of which all distances are multiples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.grids import Comb

# A coordinate may be this far off the lattice (share of the pitch), on average and at most.
OFF_MEAN, OFF_MOST = 0.07, 0.17
# Touching islands of the collection overlap their cells: the pitch is at least this times the radius.
LEAST_PITCH = 1.5
MOST_LINES = 200


def lattice_of(xs: Sequence[float], ys: Sequence[float], radius: float) -> tuple[Comb, Comb] | None:
    """The lattice lines through the islands' middles, first to last, or None when they stand on none.

    One pitch for both directions where that fits, else one for each.
    """
    lines_x, lines_y = _lines(xs, radius), _lines(ys, radius)
    pitches = _candidates(lines_x, radius) + _candidates(lines_y, radius)
    for pitch in sorted(set(pitches), reverse=True):
        x, y = _fit(lines_x, pitch), _fit(lines_y, pitch)
        if x is not None and y is not None and abs(x.pitch - y.pitch) <= 0.03 * x.pitch:
            return x, y
    return _separate(lines_x, lines_y, radius)


def _separate(
    lines_x: npt.NDArray[np.float64], lines_y: npt.NDArray[np.float64], radius: float
) -> tuple[Comb, Comb] | None:
    combs = []
    for lines in (lines_x, lines_y):
        found = (_fit(lines, pitch) for pitch in sorted(_candidates(lines, radius), reverse=True))
        comb = next((c for c in found if c is not None), None)
        if comb is None:
            return None
        combs.append(comb)
    return combs[0], combs[1]


def _lines(values: Sequence[float], radius: float) -> npt.NDArray[np.float64]:
    """Coordinates that are the same, as one."""
    ordered = np.sort(np.asarray(values, np.float64))
    groups = np.split(ordered, np.flatnonzero(np.diff(ordered) > 0.45 * radius) + 1)
    return np.array([group.mean() for group in groups])


def _candidates(lines: npt.NDArray[np.float64], radius: float) -> list[float]:
    steps = np.diff(lines)
    found = {round(float(step) / k, 2) for step in np.unique(np.round(steps, 1)) for k in range(1, 7)}
    return [p for p in found if p >= LEAST_PITCH * radius]


def _fit(lines: npt.NDArray[np.float64], pitch: float) -> Comb | None:
    """The comb of about this pitch through all lines."""
    if len(lines) < 2:
        return Comb(float(lines[0]), pitch, 1)
    index = np.concatenate(([0.0], np.cumsum(np.round(np.diff(lines) / pitch))))
    if (np.diff(index) < 1).any() or index[-1] >= MOST_LINES:
        return None
    step, first = np.polyfit(index, lines, 1)
    off = np.abs(lines - first - step * index) / step
    if off.mean() > OFF_MEAN or off.max() > OFF_MOST or abs(step - pitch) > 0.06 * pitch:
        return None
    return Comb(float(first), float(step), int(index[-1]) + 1)
