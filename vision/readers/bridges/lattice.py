"""The lattice that islands stand on: the widest pitch of which all distances are multiples, and who is on it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np
import numpy.typing as npt

from solver.lattice import Square
from vision.grids import Comb, evenly
from vision.readers.bridges.discs import Disc
from vision.readers.bridges.drawn import SURE_ENOUGH

# A coordinate may be this far off the lattice (share of the pitch), on average and at most.
OFF_MEAN, OFF_MOST = 0.07, 0.17
# Touching islands of the collection overlap their cells: the pitch is at least this times the radius. Where no such
# lattice fits, islands may stand at half steps: never in neighbouring points, but one and a half of their distance away.
LEAST_PITCH = (1.5, 1.0)
MOST_LINES = 200
# Fewer circles with numbers on one lattice are no board.
LEAST_ISLANDS = 3
# The cells of the outer islands reach so far beyond their lines.
CELL = 0.5
# Islands so far outside the others are looked for, in cells.
OUTSIDE = 2
# Pitches across and down are one within this share, and as fitted and as guessed within the second.
ONE_PITCH, AS_GUESSED = 0.03, 0.06
# Places nearer than this share of a radius are on one line.
ONE_LINE = 0.45


def lattice_of(
    xs: Sequence[float], ys: Sequence[float], radius: float, least_px: float
) -> tuple[Comb, Comb] | None:
    """The lattice lines through the islands' middles, first to last, or None when they stand on none.

    One pitch for both directions where that fits, else one for each. least_px: of the pitch.
    """
    lines_x, lines_y = _lines(xs, radius), _lines(ys, radius)
    pitches = _candidates(lines_x, least_px) + _candidates(lines_y, least_px)
    for pitch in sorted(set(pitches), reverse=True):
        x, y = _fit(lines_x, pitch), _fit(lines_y, pitch)
        if x is not None and y is not None and abs(x.pitch - y.pitch) <= ONE_PITCH * x.pitch:
            return x, y
    return _separate(lines_x, lines_y, least_px)


def _separate(
    lines_x: npt.NDArray[np.float64], lines_y: npt.NDArray[np.float64], least_px: float
) -> tuple[Comb, Comb] | None:
    combs = []
    for lines in (lines_x, lines_y):
        found = (_fit(lines, pitch) for pitch in sorted(_candidates(lines, least_px), reverse=True))
        comb = next((c for c in found if c is not None), None)
        if comb is None:
            return None
        combs.append(comb)
    return combs[0], combs[1]


def _lines(values: Sequence[float], radius: float) -> npt.NDArray[np.float64]:
    """Coordinates that are the same, as one."""
    ordered = np.sort(np.asarray(values, np.float64))
    groups = np.split(ordered, np.flatnonzero(np.diff(ordered) > ONE_LINE * radius) + 1)
    return np.array([group.mean() for group in groups])


def _candidates(lines: npt.NDArray[np.float64], least_px: float) -> list[float]:
    steps = np.diff(lines)
    found = {round(float(step) / k, 2) for step in np.unique(np.round(steps, 1)) for k in range(1, 7)}
    return [p for p in found if p >= least_px]


def _fit(lines: npt.NDArray[np.float64], pitch: float) -> Comb | None:
    """The comb of about this pitch through all lines."""
    if len(lines) < 2:
        return Comb(float(lines[0]), pitch, 1)
    index = np.concatenate(([0.0], np.cumsum(np.round(np.diff(lines) / pitch))))
    if (np.diff(index) < 1).any() or index[-1] >= MOST_LINES:
        return None
    step, first = evenly(index, lines)
    off = np.abs(lines - first - step * index) / step
    if off.mean() > OFF_MEAN or off.max() > OFF_MOST or abs(step - pitch) > AS_GUESSED * pitch:
        return None
    return Comb(first, step, int(index[-1]) + 1)


def on_lattice(islands: Sequence[Disc]) -> tuple[dict[Square, Disc], Comb, Comb] | None:
    """The islands by lattice point; strays around the board (a number in a button) are left out, the least certain first."""
    for least in LEAST_PITCH:
        found = _without_strays(islands, least)
        if found is not None:
            return found
    return None


def _without_strays(islands: Sequence[Disc], least: float) -> tuple[dict[Square, Disc], Comb, Comb] | None:
    rest, strays = list(islands), list[Disc]()
    for _ in range(1 + max(3, len(islands) // 30)):
        radius = median([d.radius for d in rest])
        combs = lattice_of([d.x for d in rest], [d.y for d in rest], radius, least * radius)
        if combs is not None:
            xs, ys = combs
            discs = {
                Square(round((d.y - ys.first) / ys.pitch), round((d.x - xs.first) / xs.pitch)): d
                for d in rest
            }
            whole = len(discs) == len(rest) and not any(within(d, xs, ys) for d in strays)
            return (dict(sorted(discs.items())), xs, ys) if whole else None
        if len(rest) <= LEAST_ISLANDS:
            return None
        strays.append(min(rest, key=lambda d: d.number.confidence))
        rest.remove(strays[-1])
    return None


def within(disc: Disc, xs: Comb, ys: Comb) -> bool:
    """Whether a sure island stands in the cells of the lattice, on whose lines all of them do: no button is so near."""
    inside = all(
        comb.at(-CELL) <= at <= comb.at(comb.count - 1 + CELL) for comb, at in ((xs, disc.x), (ys, disc.y))
    )
    return inside and disc.number.confidence >= SURE_ENOUGH
