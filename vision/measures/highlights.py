"""A row and a column that a program highlights: one colour lies half transparent over all of their cells.

Every cell then has a look of its own there. Undone, the cells are as all others: each colour of a highlighted line is that of
some other cells, mixed with one and the same tint. Where filled and empty cells have another tint each, or filled ones hide it,
every colour is clearly nearest to the one that it stands for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.frame import Pixels
from vision.measures.borders import Borders
from vision.measures.looks import FEW_COLOURS

Floats = npt.NDArray[np.float64]
Names = npt.NDArray[np.int64]
# How much of a cell is seen through a highlight, and what that adds (BGR both).
Mix = tuple[Floats, Floats]

# Colours this near (levels) are one; two that tell of a highlight are so far apart without it.
SAME, APART = 6.0, 60.0
# So much of a cell is seen through a highlight, from and to; what was mixed is so near (levels) to the other cells.
SEEN_THROUGH, NEAR = (0.4, 0.96), 8.0
# What is nearest to a colour is so many times nearer than any other.
CLEARLY = 2.0
# So many cells are highlighted at least: fewer may have looks of their own.
LEAST_CELLS = 8


def unlit(pixels: Pixels, borders: Borders, colours: Floats) -> Pixels | None:
    """The picture without the highlight; None where there is none. colours: (cells, 3) what each cell shows, row by row."""
    names, inks = _inks(colours)
    if len(inks) > FEW_COLOURS:
        return None
    names = names.reshape(len(borders.ys) - 1, len(borders.xs) - 1)
    for rows, cols in _lines_apart(names, len(inks)):
        times = np.zeros(names.shape, np.int64)
        times[rows] += 1
        times[:, cols] += 1
        plain = inks[np.unique(names[times == 0])]
        lit = inks[np.unique(names[times == 1])]
        mix = _mix(lit, plain) if (times > 0).sum() >= LEAST_CELLS else None
        if mix is None and rows and cols:
            # Of a single line it may be the colours of one that is done.
            mix = _tints(lit, plain)
        if mix is None:
            continue
        # Where two lines cross, both may lie over the cell, or the highlight once.
        crossing = _undone(inks[names[times == 2]], mix)
        if _are_near(crossing, plain) or _are_near(_undone(crossing, mix), plain):
            return _without(pixels, borders, (rows, cols), mix, plain)
    return None


def _inks(colours: Floats) -> tuple[Names, Floats]:
    """(cells,) which colour each cell has, and the colours; of too many only the most frequent."""
    every, of, counts = np.unique(colours.round(), axis=0, return_inverse=True, return_counts=True)
    names, inks = np.zeros(len(every), np.int64), list[int]()
    for one in np.argsort(-counts, kind="stable").tolist():
        away = np.abs(every[inks] - every[one]).max(axis=1)
        if len(inks) and away.min() <= SAME:
            names[one] = away.argmin()
        elif len(inks) <= FEW_COLOURS:
            names[one] = len(inks)
            inks.append(one)
    return names[of.ravel()], every[inks]


def _lines_apart(names: Names, count: int) -> Iterator[tuple[list[int], list[int]]]:
    """A row, a column or one of each whose colours no other cell has; of one of each one colour may be that of others, as
    where filled cells hide a highlight, if there are enough of its own."""
    own = names[..., None] == np.arange(count)
    total, in_row, in_col = own.sum(axis=(0, 1)), own.sum(axis=1), own.sum(axis=0)
    for row in np.flatnonzero(((in_row == 0) | (in_row == total)).all(axis=1)).tolist():
        yield [row], []
    for col in np.flatnonzero(((in_col == 0) | (in_col == total)).all(axis=1)).tolist():
        yield [], [col]
    both = in_row[:, None] + in_col[None] - own
    its = (both > 0) & (both == total)
    shared = (its != (both > 0)).sum(axis=2)
    hidden = (shared == 1) & (its.sum(axis=2) == 1) & ((both * its).sum(axis=2) >= LEAST_CELLS)
    for row, col in np.argwhere((shared == 0) | hidden).tolist():
        yield [row], [col]


def _mix(lit: Floats, plain: Floats) -> Mix | None:
    """What the highlight is; None where no single one tells all colours of its cells."""
    apart = np.abs(lit[:, None] - lit[None]).max(axis=2)
    one, other = (int(at) for at in np.unravel_index(apart.argmax(), apart.shape))
    found: list[Mix] = []
    for a, b in permutations(plain, 2):
        step = b - a
        share = float((lit[other] - lit[one]) @ step / max(float(step @ step), 1.0))
        if np.abs(step).max() < APART or not SEEN_THROUGH[0] <= share <= SEEN_THROUGH[1]:
            continue
        mix = np.full(3, share), np.asarray(lit[one] - share * a, np.float64)
        tint = mix[1] / (1 - share)
        if np.abs(tint - tint.clip(0, 255)).max() < NEAR and _are_near(_undone(lit, mix), plain):
            found.append(mix)
    return found[0] if len(found) == 1 else None


def _tints(lit: Floats, plain: Floats) -> Mix | None:
    """The highlight that gives filled and empty cells a tint each; None where not every colour is clearly that of others."""
    away = np.abs(lit[:, None] - plain[None]).max(axis=2)
    names, least = away.argmin(axis=1), np.sort(away, axis=1)
    if len(lit) != 2 or names[0] == names[1] or (least[:, 1] < CLEARLY * least[:, 0]).any():
        return None
    step, lit_step = np.diff(plain[names], axis=0)[0], np.diff(lit, axis=0)[0]
    clear = np.abs(step) >= APART
    share = np.where(clear, lit_step / np.where(clear, step, 1), (lit_step @ step) / (step @ step))
    mix = share, np.asarray(lit[0] - share * plain[names[0]], np.float64)
    return mix if clear.any() and share.min() >= SEEN_THROUGH[0] else None


def _undone(colours: npt.NDArray[Any], mix: Mix) -> Floats:
    """Colours without the highlight over them."""
    share, added = mix
    return np.asarray((colours - added) / share, np.float64)


def _are_near(colours: Floats, plain: Floats) -> bool:
    """Whether all colours are those of other cells."""
    return all(np.abs(plain - one).max(axis=1).min() <= NEAR for one in colours)


def _without(
    pixels: Pixels, borders: Borders, lines: tuple[list[int], list[int]], mix: Mix, plain: Floats
) -> Pixels:
    """The picture with the highlight undone along these rows and columns; what has a colour of other cells, or of the lines
    between them, stays as it is."""
    result = pixels.copy()
    # The middle px of a line of one is the one before the middle between its two sides.
    xs, ys = (np.ceil(np.asarray(at) - 0.501).astype(int) for at in (borders.xs, borders.ys))
    down = [at for at in range(1, len(ys) - 1) if at not in lines[0] and at - 1 not in lines[0]]
    across = [at for at in range(len(xs) - 1) if at not in lines[1]]
    between = pixels[np.ix_(ys[down], (xs[:-1] + xs[1:])[across] // 2)]
    plain = np.concatenate((plain, _inks(between.reshape(-1, 3).astype(np.float64))[1]))
    strips = [np.s_[ys[row] : ys[row + 1] + 1, xs[0] : xs[-1] + 1] for row in lines[0]]
    strips += [np.s_[ys[0] : ys[-1] + 1, xs[col] : xs[col + 1] + 1] for col in lines[1]]
    for strip in strips:
        part = result[strip].astype(np.float64)
        as_it_is = np.logical_or.reduce([np.abs(part - one).max(axis=2) <= NEAR for one in plain])
        part[~as_it_is] = _undone(part[~as_it_is], mix).round().clip(0, 255)
        result[strip] = part
    return result
