"""Cells over which something lies: a tooltip, a pointer, a menu.

What lies over cells may look like a filled cell, or hide a filled one. It betrays itself at the borders: its colour goes
on into a neighbour that looks otherwise elsewhere, it hides a line that shows between other cells of this look, or it
hides lines between its own cells and ends before their outer ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.frame import Pixels
from vision.measures.borders import Borders

Mask = npt.NDArray[np.bool_]
Names = npt.NDArray[np.int64]
Inks = npt.NDArray[np.int16]

# A border is looked at in so many places along the middle of its cells, this share of a cell left out at both ends,
# and up to this share of a cell to both sides.
ALONG, ENDS, BESIDE, LEAST_PX = 8, 0.18, 0.15, 2
# px are alike up to so many levels; a part is of one colour up to this share of others.
LEVELS, OTHERS = 40, 0.12
# A line between cells may be so faint (levels), and differs along this share of itself.
FAINT, LINED = 16, 0.5
# A colour that is seen on more than this share of what lies beyond its cell goes on there.
SPILT = 0.25
# From so many sides of a look is known how they are drawn, and from so many borders between two cells of a look whether
# their line shows: where more than this share is hidden, the program hides them.
LEAST_SIDES, LEAST_LINES, MOST_HIDDEN = 4, 8, 0.1
# A cell that is no part of any look.
NO_LOOK = -1


class _Strips(NamedTuple):
    """The borders that cross the rows of n x k + 1 cells, each with what lies beside it.

    px: (n, k, ALONG, across, 3). before, after: (n, k) the looks of the cells on both sides. lines: (k,) which lines
    are drawn alike. beside: how many of the px across belong to one side.
    """

    px: npt.NDArray[np.uint8]
    before: Names
    after: Names
    lines: Names
    beside: int


def covered(
    pixels: Pixels, borders: Borders, looks: Names, colours: Sequence[tuple[float, float, float]]
) -> npt.NDArray[np.int64]:
    """(rows, cols) on how many of its sides what a cell shows is seen to lie over the board, 0 to 4.

    looks: (rows, cols) the number of each cell's look, NO_LOOK for none. colours: of each look, BGR.
    """
    inks = np.asarray(colours).reshape(-1, 3).round().astype(np.int16)
    count = np.zeros(looks.shape, np.int64)
    ends = np.zeros(looks.shape, np.bool_)
    joined: list[Mask] = []
    for turned, strips in enumerate(_strips(pixels, borders, looks)):
        touched, ending = (count.T, ends.T) if turned else (count, ends)
        hidden, unknown = _hidden(strips, inks)
        for cells, spilt in zip((np.s_[:, :-1], np.s_[:, 1:]), _spilt(strips, inks), strict=True):
            touched[cells] += spilt | hidden
        if unknown.any():
            for cells, short in zip((np.s_[:, :-1], np.s_[:, 1:]), _short(strips, inks), strict=True):
                ending[cells] |= short
        joined.append(unknown)
    return _spread(count, ends, *joined)


def _strips(pixels: Pixels, borders: Borders, looks: Names) -> list[_Strips]:
    """The upright borders, and the level ones with rows and columns exchanged."""
    xs, ys = np.asarray(borders.xs), np.asarray(borders.ys)
    beside = max(LEAST_PX, round(BESIDE * float(min(np.median(np.diff(xs)), np.median(np.diff(ys))))))
    return [
        _cut(pixels, xs, ys, looks, beside),
        _cut(pixels.transpose(1, 0, 2), ys, xs, looks.T, beside),
    ]


def _cut(
    pixels: Pixels,
    across: npt.NDArray[np.float64],
    along: npt.NDArray[np.float64],
    looks: Names,
    beside: int,
) -> _Strips:
    height, width = pixels.shape[:2]
    steps = ENDS + (1 - 2 * ENDS) * (np.arange(ALONG) + 0.5) / ALONG
    ys = np.clip((along[:-1, None] + np.diff(along)[:, None] * steps).astype(np.int64), 0, height - 1)
    # One more on both sides, for borders that are a px off.
    reach = np.arange(-beside - 1, beside + 2)
    xs = np.clip(np.round(across[1:-1]).astype(np.int64)[:, None] + reach, 0, width - 1)
    px = np.asarray(pixels[ys[:, None, :, None], xs[None, :, None, :]])
    return _Strips(px, looks[:, :-1], looks[:, 1:], _lines(px, looks[:, :-1], looks[:, 1:]), beside)


def _lines(px: npt.NDArray[np.uint8], before: Names, after: Names) -> Names:
    """(k,) which of the lines are drawn alike: after every fifth cell there may be a thick one.

    They are compared between cells of one look, where there are such: beside other cells they look otherwise.
    """
    usual = _usual(px, before, after)
    # A line is only a px or two of all that is compared, and may be a px off.
    middle = usual.shape[1] // 2
    line, near = usual[:, middle - 1 : middle + 2], usual[:, middle - 2 : middle + 3]
    missed = np.logical_and.reduce(_far(line[:, None, :, None], near[None, :, None]), axis=3)
    found = ~np.logical_or.reduce(missed, axis=2)
    inner, last = usual[:, None, 1:-1], usual.shape[1] - 2
    apart = [_far(inner, usual[:, off : off + last]).mean(axis=2) for off in (0, 1, 2)]
    alike = (np.minimum.reduce(apart) <= OTHERS) & found & found.T
    return np.asarray((alike & alike.T).argmax(axis=1), np.int64)


def _usual(px: npt.NDArray[np.uint8], before: Names, after: Names) -> npt.NDArray[np.int16]:
    """(k, across, 3) each line as it mostly is between two cells of the look in which most lines show so."""
    same = np.where(before == after, before, NO_LOOK)
    shown = {look: (same == look).any(axis=0) for look in np.unique(same[same != NO_LOOK]).tolist()}
    if not shown:
        return np.asarray(np.median(px, axis=(0, 2)), np.int16)
    look = max(shown, key=lambda one: int(shown[one].sum()))
    rows = [same[:, line] == look if shown[look][line] else np.s_[:] for line in range(px.shape[1])]
    lines = [np.median(px[own, line], axis=(0, 1)) for line, own in enumerate(rows)]
    return np.asarray(lines, np.int16).reshape(px.shape[1], *px.shape[3:])


def _hidden(strips: _Strips, inks: Inks) -> tuple[Mask, Mask]:
    """(n, k) where a line is hidden between two cells of one look that shows between others; and where there are
    too few of them to know."""
    same = (strips.before == strips.after) & (strips.before != NO_LOOK)
    hidden = same & _full(strips, strips.before, inks)
    plain = hidden | ~_full(strips, strips.before, inks, LEVELS) if hidden.any() else hidden
    unknown = np.zeros(same.shape, np.bool_)
    kinds = strips.before * strips.px.shape[1] + strips.lines
    for kind in np.unique(kinds[hidden]).tolist():
        alike = same & (kinds == kind)
        if alike.sum() < LEAST_LINES:
            unknown |= hidden & alike
        # Where lines are faint, some can be lost.
        if alike.sum() < LEAST_LINES or hidden[alike].mean() > MOST_HIDDEN or not plain[alike].all():
            hidden &= ~alike
    return hidden, unknown


def _full(strips: _Strips, looks: Names, inks: Inks, levels: int = FAINT) -> Mask:
    """(n, k) whether a border and all beside it has the colour of a look, without a line of so many levels."""
    away = _far(strips.px, inks[looks][:, :, None, None])
    lines = _far(strips.px, inks[looks][:, :, None, None], levels)[..., 1:-1].mean(axis=2)
    return np.asarray((away[..., 1:-1].mean(axis=(2, 3)) <= OTHERS) & (lines.max(axis=2) <= LINED))


def _spilt(strips: _Strips, inks: Inks) -> list[Mask]:
    """Of the cells before and after each border, (n, k) whose colour goes on beyond it, where that of others does not."""
    beside, width = strips.beside, strips.px.shape[3]
    result = []
    for look, other, first, last in (
        (strips.before, strips.after, width - beside, width - 1),
        (strips.after, strips.before, 1, beside),
    ):
        ink = inks[look][:, :, None, None]
        spilt = ~_far(strips.px[..., first:last, :], ink)
        over = (spilt.mean(axis=(2, 3)) > SPILT) & (look != other)
        over[over] = (spilt & _unlike_usual(strips, other, first, last, over))[over].mean(axis=(1, 2)) > SPILT
        over |= (other == NO_LOOK) & _full(strips, look, inks)
        result.append(over & (look != NO_LOOK))
    return result


def _short(strips: _Strips, inks: Inks) -> list[Mask]:
    """Of the cells before and after each border, (n, k) whose colour ends before it."""
    sides = ((strips.before, np.s_[1 : strips.beside]), (strips.after, np.s_[-strips.beside : -1]))
    return [
        (look != NO_LOOK)
        & (_far(strips.px[:, :, :, part], inks[look][:, :, None, None]).mean(axis=(2, 3)) > OTHERS)
        for look, part in sides
    ]


def _unlike_usual(strips: _Strips, looks: Names, first: int, last: int, asked: Mask) -> Mask:
    """(n, k, ALONG, last - first) px that differ from what is usual on that side of these looks, for those asked for."""
    unlike = np.zeros((*looks.shape, ALONG, last - first), np.bool_)
    kinds = np.where(looks == NO_LOOK, NO_LOOK, looks * strips.px.shape[1] + strips.lines)
    for kind in np.unique(kinds[asked & (kinds != NO_LOOK)]).tolist():
        which = kinds == kind
        own = strips.px[which]
        if len(own) < LEAST_SIDES:
            continue
        usual = _median(own)[None, :, first:last]
        # A line may be a px off.
        unlike[which] = np.logical_and.reduce(
            [_far(own[:, :, first + off : last + off], usual) for off in (-1, 0, 1)]
        )
    return unlike


def _far(px: npt.NDArray[Any], other: npt.NDArray[Any], levels: int = LEVELS) -> Mask:
    """Whether colours are more than so many levels from others, in any channel."""
    away = np.abs(px.astype(np.int16) - other)
    return np.asarray((away[..., 0] > levels) | (away[..., 1] > levels) | (away[..., 2] > levels))


def _median(px: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The median over the first axis."""
    flat = np.ascontiguousarray(px.reshape(len(px), -1).T)
    return np.partition(flat, len(px) // 2, axis=1)[:, len(px) // 2].reshape(px.shape[1:])


def _spread(count: npt.NDArray[np.int64], ends: Mask, upright: Mask, level: Mask) -> npt.NDArray[np.int64]:
    """With doubts handed on through hidden lines; what hides lines but ends before others is no full cell."""
    joins = np.zeros(count.shape, np.bool_)
    joins[:, :-1] |= upright
    joins[:, 1:] |= upright
    joins[:-1] |= level.T
    joins[1:] |= level.T
    result = count + (joins & ends)
    while True:
        more = result.copy()
        more[:, 1:][upright & (result[:, :-1] > 0)] |= 1
        more[:, :-1][upright & (result[:, 1:] > 0)] |= 1
        more[1:][level.T & (result[:-1] > 0)] |= 1
        more[:-1][level.T & (result[1:] > 0)] |= 1
        if (more == result).all():
            return result
        result = more
