"""How the cells of a grid look: their colours, and whether something is drawn in them.

Cells that look alike are one *look*. What a look means is not known here: a game, a lesson or the only solution says it.
All cells are measured side by side, in arrays; a later picture of the same grid is measured where it differs only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt

from solver.lattice import Square
from vision.colour import apart, usual_colour
from vision.frame import Pixels
from vision.measures.borders import Borders
from vision.reading import Geometry

Mask = npt.NDArray[np.bool_]

# Without this share of the cell on every side: lines and bevels are no part of what it shows.
MARGIN = 0.18
# A cell is looked at with at most so many px a side.
MOST_PX = 32
# Colours within this many levels are the same look.
SAME_LOOK = 26.0
# Cells whose colours differ by less than this hang together; less where all cells have one of a few colours.
NEXT_LOOK, NEXT_FLAT = 8.0, 4.0
# So many cells are compared with all others at once: more would take memory.
AT_ONCE = 64
FEW_COLOURS = 12
# So few cells are no look of their own where another is near.
FEW = 3
# A cross or dot covers this share of a cell; less is noise, more is another colour. A clean cell has far less.
MARKED, CLEAN = (0.035, 0.75), 0.009
# A dot or dash that covers less is as wide and high as this share of what is looked at, at most, and fills so much of its box.
DOT, LEAST_SOLID = 0.6, 0.6
# Share of a cross or dot that is the same upside down around the middle of the cell, and around its own.
SYMMETRIC = (0.6, 0.9)
# As even is whatever is drawn.
LEAST_EVEN = 1e-6
# So far from the middle of its cell (share of what is looked at) is no cross.
OFF_MIDDLE = 0.2
# The middle of a thin cross may be half of this (share of what is looked at) off the middle of its cell.
NEAR_MIDDLE = 0.12
# What is so nearly a cross (share of what a cross has) is in doubt.
ODD = 0.75
# A cell in which this much of a mark is drawn is no clean one, where so few are (of the marks): a dot far off the middle.
HALF_A_MARK, SELDOM = 0.45, 0.25
# What runs along this share of the edge of what is looked at, and leaves this share of it free in the middle, is around it.
AROUND, FREE_MIDDLE = 0.9, 0.4
# So far from two sides of a cell, from and to as shares of it, lies what is around a disc, and none of a ring, beside thick
# lines too; at so many corners.
CORNER, MOST_CORNERS = (0.1, 0.14), 3
# The corner of a disc takes so much of the width of what is looked at.
ROUND = 0.3
# A cross that has no like on the board shows this share of itself in a mirror, upright and level: pointers do not.
MIRRORED = 0.93
# So many times as much as of a cross is of another shade than its cell, at most: its soft edge.
MOST_AROUND = 4.0
# Drawings are compared at so many by so many px; they are alike, and are others, from and below these correlations.
SHAPE = 10
SAME_DRAWING, OTHER_DRAWING = 0.75, 0.65
# The places of a drawing without its edge, and of one that is a tenth off to every side: in the middle it is not off.
NEARBY = np.asarray(
    [
        [(down + y) * SHAPE + across + x for y in range(SHAPE - 2) for x in range(SHAPE - 2)]
        for down in range(3)
        for across in range(3)
    ]
)
# Of crosses what is away from their middle lies so much between down and across (-1 to 1): 0.34 and more in twelve programs,
# up to 0.14 of other marks.
DIAGONAL = 0.25
# Marks with so many times as much ink as others may be another kind: dots had 1.41 and 1.43 times as much as crosses. Crosses
# of hairlines have up to 1.9 at fractional zooms, on highlighted cells 1.4: all solutions told them as crosses still.
OTHER_INK = 1.3
# What covers so many times as much of its cell as most crosses is none.
OTHER_SHARE = 1.7
# A broad cross leaves this share of the edges of what is looked at free in their middles; what shows there, and what is in
# the middle, are of one colour each, to this share of how far these are apart. So many px a side show them, and of one
# colour so many cells.
EDGE, SOFT, LEAST_ARMS_PX, MOSTLY_CROSSED = 0.2, 0.3, 10, 0.8
# Less than this share of a cell has a colour that is a mean of others; so many px a side are asked for theirs.
LEAST_OWN, ASKED_PX = 0.25, 8
# A cell is tied between two colours where the shares that they have of it differ by this much, at most.
TIED = 0.3
# What does not fill a cell leaves this share of what is looked at free, at least.
LEAVES = 0.05
# A gradient gets lighter, or darker, all the way, but for so many levels (sum of the channels); no step of it is larger than
# this share of all.
NOTHING, GRADUAL = 3.0, 0.3
# Levels by which the ink of a cross differs from the cell.
MARK_LEVELS = 45.0
FAINT_LEVELS = 14.0
# Of a mark that many cells share so much is off the rim (what a JPEG leaves of the lines beside a cell lies there), and it
# is as even as this. Cells with it and cells without differ by so many levels (root of the squares of all parts), and in
# the mean by so many times as much as those of each kind among themselves.
INNER, EVEN, LEAST_APART, FAR_APART = 0.45, 0.5, 4.0, 3.0
# So many times is guessed what cells differ by most.
TURNS = 12
# Brightness is counted in bins of so many levels (sum of the channels); a ground has so many of them.
BIN_LEVELS, GROUND_BINS = 12, 7


@dataclass(frozen=True)
class SharedLook:
    """A look that cells share: their colour (BGR), whether something is drawn in them, and which they are.

    odd: what is drawn in them is nearly a cross or dot, but not quite: a mark that is half hidden, perhaps.
    crossed: what is drawn in them is a cross of two diagonals.
    leaves: by how many levels what their colour leaves free of them differs from it; 0 where it fills them.
    within: whether it leaves the middles of all four sides free, as a cross in that colour does, or as a mark all corners, as
        a ring does.
    """

    colour: tuple[float, float, float]
    marked: bool
    cells: tuple[Square, ...]
    odd: bool = False
    leaves: float = 0.0
    crossed: bool = False
    within: bool = False

    def away(self, other: SharedLook) -> float:
        """By how many levels their colours differ."""
        return apart(self.colour, other.colour)


@dataclass(frozen=True)
class Sample:
    """How one cell looks: its colour (BGR), whether something is drawn in it, and the share of it that stands out."""

    colour: tuple[float, float, float]
    marked: bool
    drawn: float = 0.0


@dataclass(frozen=True, eq=False)
class Cells:
    """What was measured of n cells, in the order of their names.

    colours: (n, 3) of the ground, BGR. drawn: (n,) the share that stands out from it.
    evenness: (n,) of what is drawn, in shares of what a cross or dot has; 0 where nothing of that size is drawn.
    faint: (n,) whether a faint cross or dot is there.
    mirrored: (n,) the share that a mirror leaves of what is drawn in the middle.
    shapes: (n, SHAPE, SHAPE) how much of each part stands out, in levels.
    leaves: (n,) by how many levels what is left free of the cell differs from its ground; 0 where that fills it.
    relief: (n, SHAPE, SHAPE) by how many levels each part is lighter than the ground, darker where negative.
    """

    colours: npt.NDArray[np.float64]
    drawn: npt.NDArray[np.float64]
    evenness: npt.NDArray[np.float64]
    faint: Mask
    mirrored: npt.NDArray[np.float64]
    shapes: npt.NDArray[np.float32]
    leaves: npt.NDArray[np.float64]
    relief: npt.NDArray[np.float32]

    @property
    def clean(self) -> Mask:
        return self.drawn < CLEAN

    def changed(self, which: npt.NDArray[np.int64], now: Cells) -> Cells:
        """With other measurements for some cells, given by their numbers."""
        parts = []
        for name in ("colours", "drawn", "evenness", "faint", "mirrored", "shapes", "leaves", "relief"):
            part = getattr(self, name).copy()
            part[which] = getattr(now, name)
            parts.append(part)
        return Cells(*parts)


def sample(pixels: Pixels, geometry: Geometry, cell: Square) -> Sample:
    """How a cell of a board that has been read looks on another picture of it."""
    first = [place - geometry.pitch_px / 2 for place in geometry.centres[cell]]
    seen = measured(pixels, Borders(*([place, place + geometry.pitch_px] for place in first)))
    blue, green, red = seen.colours[0].tolist()
    return Sample((blue, green, red), bool(seen.evenness[0] >= 1.0), float(seen.drawn[0]))


def measured(pixels: Pixels, borders: Borders, which: npt.NDArray[np.int64] | None = None) -> Cells:
    """The cells between these borders, row by row, or those with these numbers only."""
    planes = _levelled(_cut(pixels, borders, which))
    colours = _grounds(planes)
    away = _away(planes, colours)
    count = len(colours)
    beyond = _beyond(pixels, borders, np.arange(count) if which is None else which, colours)
    _round_off(away, beyond > MARK_LEVELS)
    flat = away.reshape(count, -1)
    drawn = (flat > FAINT_LEVELS).mean(axis=1)
    # In a cell that is not square a mark is as large as in a square in it.
    size = _usual_size(borders)
    least = MARKED[0] * min(size) / max(size)
    some = np.flatnonzero(drawn >= least)
    small = np.flatnonzero((drawn >= CLEAN) & (drawn < least))
    evenness, mirrored, leaves = np.zeros(count), np.zeros(count), np.zeros(count)
    faint = np.zeros(count, np.bool_)
    shapes = np.zeros((count, SHAPE, SHAPE), np.float32)
    if len(some):
        marked = away[some] > MARK_LEVELS
        marked[_surrounds(marked, beyond[some] > MARK_LEVELS)] = False
        for edge in (marked[:, 0], marked[:, -1], marked[:, :, 0], marked[:, :, -1]):
            # A thick line that reaches so far in is no drawing.
            edge[edge.mean(axis=1) >= AROUND] = False
        evenness[some], mirrored[some] = _evenness(marked, least)
        # Around a cross is its cell; where far more than the cross has another shade, it is the edge of something.
        mirrored[some[drawn[some] > MOST_AROUND * marked.reshape(len(some), -1).mean(axis=1)]] = 0.0
        # Noise is everywhere, a mark is not.
        ranks = middle, high = flat.shape[1] // 2, int((1 - LEAVES) * flat.shape[1])
        ranked = np.partition(flat[some], ranks, axis=1)
        noise, leaves[some] = ranked[:, middle], ranked[:, high]
        uneven = evenness[some] < 1.0
        weak, limit = some[uneven], FAINT_LEVELS + 4 * noise[uneven]
        if len(weak):
            weakly, around = away[weak] > limit[:, None, None], beyond[weak] > limit[:, None]
            faint[weak] = (_evenness(weakly, least)[0] >= 1.0) & ~_surrounds(weakly, around)
        faint |= evenness >= 1.0
    clear = away[small] > MARK_LEVELS
    dots = _are_dots(clear)
    # One or two are specks, unless others are known.
    dots &= dots.sum() >= FEW or which is not None
    mirrored[small] = dots
    evenness[small] = np.where(dots, 1.0, np.where(clear.mean(axis=(1, 2)) >= CLEAN, ODD, 0.0))
    if len(shown := np.flatnonzero(drawn >= CLEAN)):
        shapes[shown] = _shaped(away[shown])
    lighter = planes.mean(axis=0, dtype=np.float32) - colours.mean(axis=1)[:, None, None]
    return Cells(colours, drawn, evenness, faint, mirrored, shapes, leaves, _shaped(lighter))


def _shaped(levels: npt.NDArray[np.number]) -> npt.NDArray[np.float32]:
    """(n, SHAPE, SHAPE) what n cells show, (n, side, side); of each by its own px alone."""
    side = levels.shape[-1]
    # One more row at both ends keeps the cells apart.
    stack = np.pad(levels.astype(np.float32), ((0, 0), (1, 1), (0, 0)), mode="edge").reshape(-1, side)
    own = cv2.blur(stack, (3, 3)).reshape(-1, side + 2, side)[:, 1:-1].reshape(-1, side)
    resized = cv2.resize(own, (SHAPE, SHAPE * len(levels)), interpolation=cv2.INTER_AREA)
    return np.asarray(resized.reshape(-1, SHAPE, SHAPE), np.float32)


def _usual_size(borders: Borders) -> tuple[float, float]:
    """How wide and how high most cells are, px."""
    wide, high = (median([b - a for a, b in pairwise(at)]) for at in (borders.xs, borders.ys))
    return wide, high


def _cut(pixels: Pixels, borders: Borders, which: npt.NDArray[np.int64] | None) -> npt.NDArray[np.int16]:
    """(3, n, side, side) the inner part of every cell, one plane for each channel."""
    wide, high = (size * (1 - 2 * MARGIN) for size in _usual_size(borders))
    # Large cells are averaged first: a thin line in them gets fainter, but is not lost between the samples.
    shrink = max(int(np.ceil(min(wide, high) / MOST_PX)), 1)
    left, top = max(int(borders.xs[0]), 0), max(int(borders.ys[0]), 0)
    part = pixels[top : int(borders.ys[-1]) + 2, left : int(borders.xs[-1]) + 2]
    if part.size == 0:
        part = np.zeros((1, 1, 3), np.uint8)
    if shrink > 1:
        size = max(part.shape[1] // shrink, 1), max(part.shape[0] // shrink, 1)
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    # As many as most cells have: one left out of their middles may be all of a thin line.
    side = max(int(np.ceil(min(wide, high) / shrink)), 1)
    xs = _places(borders.xs, left, shrink, side, part.shape[1])
    ys = _places(borders.ys, top, shrink, side, part.shape[0])
    if which is None:
        which = np.arange(len(xs) * len(ys))
    rows, cols = ys[which // len(xs)], xs[which % len(xs)]
    index = rows[:, :, None] * part.shape[1] + cols[:, None, :]
    return np.stack([part[..., channel].ravel()[index] for channel in range(3)]).astype(np.int16)


def _levelled(planes: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """The cells without a gradient that goes from edge to edge: what a cell is painted with is nothing drawn in it.

    planes: (3, n, side, side) as of `_cut`, changed in place.
    """
    for axis in (2, 3):
        ends = planes.take((0, -1), axis).mean(axis=5 - axis)
        away = np.abs(ends[..., 0] - ends[..., 1]).max(axis=0)
        some = np.flatnonzero(away > MARK_LEVELS)
        if not len(some):
            continue
        ramp = np.median(planes[:, some], axis=5 - axis)
        light = ramp.sum(axis=0)
        steps = np.diff(light, axis=1) * np.sign(light[:, -1:] - light[:, :1])
        total = steps.sum(axis=1)
        even = (total > MARK_LEVELS) & (steps.min(axis=1) >= -NOTHING)
        even &= steps.max(axis=1) <= GRADUAL * total
        ramp -= np.median(ramp, axis=2, keepdims=True)
        planes[:, some[even]] -= np.expand_dims(ramp[:, even].round().astype(np.int16), 5 - axis)
    return planes


def _places(borders: Sequence[float], start: int, shrink: int, side: int, end: int) -> npt.NDArray[np.int64]:
    """(cells, side) px between every two borders, margins left out."""
    at = np.asarray(borders)
    size = np.diff(at)
    first = np.round(at[:-1] + MARGIN * size)
    last = np.maximum(np.round(at[1:] - MARGIN * size), first + 1)
    # Cells that are one px larger than most end one earlier.
    last -= last - first == shrink * side + 1
    steps = (np.arange(side) + 0.5) / side
    px = (first[:, None] - start + (last - first)[:, None] * steps) / shrink
    return np.clip(px.astype(np.int64), 0, end - 1)


def _grounds(planes: npt.NDArray[np.int16]) -> npt.NDArray[np.float64]:
    """(n, 3) the colour that most of each cell has: in small cells a soft cross may cover more than half of it."""
    count, all_bins = planes.shape[1], 3 * 255 // BIN_LEVELS + 1
    # What is drawn on a gradient may be lighter than white, or darker than black, once that is taken away.
    bins = (planes.sum(axis=0, dtype=np.int16).clip(0, 3 * 255) // BIN_LEVELS).reshape(count, -1)
    names = np.arange(count)[:, None]
    counts = np.bincount((bins + all_bins * names).ravel(), minlength=all_bins * count).reshape(count, -1)
    sums = np.cumsum(np.pad(counts, ((0, 0), (1, GROUND_BINS))), axis=1)
    window = sums[:, GROUND_BINS:] - sums[:, :-GROUND_BINS]
    first = window.argmax(axis=1)
    # The bin of the median among them, and its neighbours.
    half = sums[names[:, 0], first] + window.max(axis=1) / 2
    middle = (sums[:, 1:] < half[:, None]).sum(axis=1)
    own = np.abs(bins - middle[:, None]) <= 1
    own &= (bins >= first[:, None]) & (bins < first[:, None] + GROUND_BINS)
    total = np.maximum(own.sum(axis=1), 1)
    usual = np.stack([(plane.reshape(count, -1) * own).sum(axis=1) / total for plane in planes], axis=1)
    return _beside_crosses(planes, _as_others(planes, _unmixed(planes, usual.astype(np.float64), own)))


def _unmixed(
    planes: npt.NDArray[np.int16], usual: npt.NDArray[np.float64], own: Mask
) -> npt.NDArray[np.float64]:
    """(n, 3) the colours, without what is as bright, but of another colour. own: (n, side * side) the px whose means they are.

    Where hardly any px has its cell's colour, that is a mean of two, and the one that most have is it.
    """
    side = planes.shape[-1]
    near = own & (_away(planes, usual).reshape(own.shape) <= FAINT_LEVELS)
    some = np.flatnonzero((near != own).any(axis=1) | (near.mean(axis=1) < LEAST_OWN))
    if not len(some):
        return usual
    near = near[some]
    kept = (planes[:, some].reshape(3, len(some), -1) * near).sum(axis=2).T
    usual[some] = kept / np.maximum(near.sum(axis=1), 1)[:, None]
    every = slice(None, None, max(side // ASKED_PX, 1))
    for one in some[near.mean(axis=1) < LEAST_OWN].tolist():
        asked = planes[:, one, every, every].reshape(3, -1, 1)
        alike = np.abs(asked - asked.transpose(0, 2, 1)).max(axis=0) <= FAINT_LEVELS
        usual[one] = asked[:, alike[alike.sum(axis=1).argmax()], 0].mean(axis=1)
    return usual


def _as_others(planes: npt.NDArray[np.int16], usual: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(n, 3) the colours, and of cells half of which has another one, that of the two which is the ground of most such cells.

    A px more or less would decide else: thick rings, squares within others.
    """
    away = _away(planes, usual) > MARK_LEVELS
    tied = np.flatnonzero(np.abs(2 * away.mean(axis=(1, 2)) - 1) <= TIED)
    if len(tied) < FEW:
        return usual
    rest = np.array([np.median(planes[:, one][:, away[one]], axis=1) for one in tied.tolist()])
    both, settled = np.stack((usual[tied], rest)), usual.copy()
    left = np.ones(len(tied), np.bool_)
    for first in range(len(tied)):
        if not left[first]:
            continue
        same, turned = (
            left & (np.abs(both - pair[:, None]).max(axis=(0, 2)) < SAME_LOOK)
            for pair in (both[:, first], both[::-1, first])
        )
        left &= ~(same | turned)
        fewer, more = (same, turned) if same.sum() < turned.sum() else (turned, same)
        if fewer.any():
            settled[tied[fewer]] = np.median(usual[tied[more]], axis=0)
    return settled


def _beside_crosses(planes: npt.NDArray[np.int16], usual: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(n, 3) the colours, and of cells that a broad cross covers for the most part what shows between its arms."""
    side = planes.shape[-1]
    near, arm = max(round(EDGE * side), 1), round((1 - EDGE) / 2 * side)
    low, high, mid = slice(near), slice(side - near, side), slice(arm, side - arm)
    if side < LEAST_ARMS_PX:
        return usual
    leaves = (_away(planes, usual) > MARK_LEVELS).mean(axis=(1, 2))

    def shown(of: npt.NDArray[np.int64], *parts: tuple[slice, slice]) -> npt.NDArray[np.float64]:
        px = np.array([planes[:, of, y, x] for y, x in parts])
        return np.asarray(np.median(px, axis=(3, 4)).transpose(0, 2, 1), np.float64)

    # Where nothing is drawn there is no cross, nor where what shows between its arms is the cell's own colour.
    some = np.flatnonzero(leaves)
    one = usual.copy()
    if len(some):
        level, upright = shown(some, (low, mid), (high, mid)), shown(some, (mid, low), (mid, high))
        between = np.concatenate((level, upright))
        one[some] = between.mean(axis=0)
    away = np.abs(one - usual).max(axis=1)
    may = away[some] > MARK_LEVELS
    if not may.any():
        return usual
    some, between = some[may], between[:, may]
    off = (
        np.abs(between - one[some]).max(axis=(0, 2)),
        np.abs(shown(some, (mid, mid))[0] - usual[some]).max(axis=1),
    )
    crossed = np.zeros(len(usual), np.bool_)
    crossed[some] = np.maximum(*off) < SOFT * away[some]
    drawn = _away(planes[:, some], one[some]) > MARK_LEVELS
    crossed[some] &= _notched(drawn) & (drawn.mean(axis=(1, 2)) <= MARKED[1])
    for colour in np.unique(usual[crossed].round(), axis=0):
        # All cells of this colour with something in them are crossed, or none is.
        same = (np.abs(usual - colour).max(axis=1) < NEXT_LOOK) & (leaves >= MARKED[0])
        mostly = crossed[same].mean() >= MOSTLY_CROSSED
        if mostly:
            one[same & ~crossed] = np.median(one[same & crossed], axis=0)
        crossed[same] = mostly
    return np.where(crossed[:, None], one, usual)


def _notched(drawn: Mask) -> Mask:
    """(n,) whether drawings leave the middles of all sides of their box free: crosses do, squares and discs do not. Nor does a
    cross end on the way along its diagonals, as what is left free by a ring does."""
    nth = np.arange(len(drawn))
    (bottom, top), (right, left) = (_span(np.asarray(drawn.any(axis=axis))) for axis in (2, 1))
    middle, centre = (top + bottom) // 2, (left + right) // 2
    ends = (
        drawn[nth, top, centre],
        drawn[nth, bottom, centre],
        drawn[nth, middle, left],
        drawn[nth, middle, right],
    )
    down, across = (
        np.linspace(first, last, drawn.shape[1], axis=1).round().astype(np.int64)
        for first, last in ((top, bottom), (left, right))
    )
    diagonals = np.stack([drawn[nth[:, None], down, to] for to in (across, across[:, ::-1])])
    begins = diagonals[..., 0] + (diagonals[..., 1:] & ~diagonals[..., :-1]).sum(axis=-1)
    return np.asarray(~np.logical_or.reduce(ends) & (begins == 1).all(axis=0))


def _away(planes: npt.NDArray[np.int16], colours: npt.NDArray[np.float64]) -> npt.NDArray[np.int16]:
    """(n, side, side) by how many levels each px of the cells differs from these colours."""
    away = [
        np.abs(plane - own[:, None, None])
        for plane, own in zip(planes, colours.round().astype(np.int16).T, strict=True)
    ]
    return np.asarray(np.maximum.reduce(away), np.int16)


def _beyond(
    pixels: Pixels, borders: Borders, which: npt.NDArray[np.int64], colours: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """(n, 4) by how many levels the corners of these cells, beyond what is looked at, differ from their colours (n, 3)."""
    away: list[npt.NDArray[np.float64]] = []
    for share in CORNER:
        ends = []
        for of, end in ((borders.xs, pixels.shape[1]), (borders.ys, pixels.shape[0])):
            at, off = np.asarray(of, np.float64), share * np.diff(of)
            both = np.stack((at[:-1] + off, at[1:] - off), axis=1)
            ends.append(np.clip(both.astype(np.int64), 0, end - 1))
        (xs, ys), wide = ends, len(borders.xs) - 1
        shown = pixels[ys[which // wide][:, :, None], xs[which % wide][:, None, :]].reshape(-1, 4, 3)
        away.append(np.abs(shown - colours[:, None]).max(axis=2))
    return np.maximum(*away)


def _round_off(away: npt.NDArray[np.int16], beyond: Mask) -> None:
    """Clear the corners of what is looked at, in cells whose own corners are round and that are clean but for these.

    away: (n, side, side) in levels, changed in place. beyond: see `_surrounds`.
    """
    away_px = np.abs(np.arange(away.shape[1]) - (away.shape[1] - 1) / 2)
    # Where nothing is at the tips of the corners, as beside a ring, the cells are not round.
    tips = away[:, (0, 0, -1, -1), (0, -1, 0, -1)] > FAINT_LEVELS
    some = np.flatnonzero((beyond.sum(axis=1) >= MOST_CORNERS) & tips.any(axis=1))
    # Along the diagonals from the middle: what lies over a corner is no triangle.
    corners = away_px[:, None] + away_px >= (1 - ROUND) * away.shape[1]
    inner = np.where(corners, 0, away[some])
    clean = (inner > FAINT_LEVELS).mean(axis=(1, 2)) < CLEAN
    away[some[clean]] = inner[clean]


def _surrounds(drawn: Mask, beyond: Mask) -> Mask:
    """(n,) whether what is drawn is the cell's own shade around a square that fills the rest of it, or around a disc.

    beyond: (n, 4) whether anything is drawn in the cell's own corners: nothing of a ring, which ends before them, is.
    """
    side = drawn.shape[1]
    free = round((1 - FREE_MIDDLE) / 2 * side)
    edges = np.concatenate((drawn[:, 0], drawn[:, -1], drawn[:, :, 0], drawn[:, :, -1]), axis=1)
    middle, corners = drawn[:, free : side - free, free : side - free], drawn[:, (0, -1)][:, :, (0, -1)]
    around = (corners.all(axis=(1, 2)) | (edges.mean(axis=1) >= AROUND)) & ~middle.any(axis=(1, 2))
    return np.asarray(around & (beyond.sum(axis=1) >= MOST_CORNERS))


def _evenness(drawn: Mask, least: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How much of what is drawn in n cells is the same upside down, as crosses and dots are; and in a mirror.

    From 1.0 on it is a cross or dot. Around the middle of the cell, or, where what is drawn is not far from there,
    its own: letters stand where their font has them. least: what covers a smaller share of its cell is neither.
    """
    count, side = drawn.shape[:2]
    even, mirrored = np.zeros(count), np.zeros(count)
    share = drawn.reshape(count, -1).mean(axis=1)
    some = np.flatnonzero((share >= least) & (share <= MARKED[1]))
    even[share > MARKED[1]] = LEAST_EVEN
    if not len(some):
        return even, mirrored
    own = drawn[some]
    middle = np.full(len(some), side - 1)
    rows, cols = _ends(np.asarray(own.any(axis=2))), _ends(np.asarray(own.any(axis=1)))
    off = np.maximum(np.abs(rows + 1 - side), np.abs(cols + 1 - side)) / (2 * side)
    around_own = np.where(off <= OFF_MIDDLE, _same(own, rows, cols) / SYMMETRIC[1], 0.0)
    best = np.maximum(_same(own, middle, middle) / SYMMETRIC[0], around_own)
    reach = round(NEAR_MIDDLE * side)
    for i in np.flatnonzero(best < 1.0).tolist():
        # Around the place near the middle that suits it best: a thin cross shows every px that its cell is off.
        best[i] = max(best[i], _same_nearby(own[i], reach) / SYMMETRIC[1])
    # What is nowhere the same is drawn as well.
    even[some] = np.maximum(best, LEAST_EVEN)
    mirrored[some] = np.where(
        off <= NEAR_MIDDLE, np.minimum(_same(own, None, cols), _same(own, rows, None)), 0
    )
    return even, mirrored


def _are_dots(drawn: Mask) -> Mask:
    """(n,) whether what little is drawn is a dot or dash in the middle of its cell."""
    side = drawn.shape[1]
    spans = [_span(np.asarray(drawn.any(axis=axis))) for axis in (2, 1)]
    high, wide = (last - first + 1 for last, first in spans)
    off = np.maximum.reduce([np.abs(last + first + 1 - side) for last, first in spans]) / (2 * side)
    solid = drawn.sum(axis=(1, 2)) >= LEAST_SOLID * wide * high
    return np.asarray((np.maximum(wide, high) <= DOT * side) & solid & (off <= OFF_MIDDLE))


def _ends(shown: Mask) -> npt.NDArray[np.int64]:
    """(n,) first + last place of True."""
    return np.asarray(np.add(*_span(shown)), np.int64)


def _span(shown: Mask) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """(n,) the last place of True, and the first."""
    return shown.shape[1] - 1 - shown[:, ::-1].argmax(axis=1), shown.argmax(axis=1)


def _same(
    own: Mask, rows: npt.NDArray[np.int64] | None, cols: npt.NDArray[np.int64] | None
) -> npt.NDArray[np.float64]:
    """(n,) the share of each drawing that is the same when turned round; rows, cols: twice the middle, None to leave."""
    count, side = own.shape[:2]
    place = np.arange(side)[None]
    down = np.broadcast_to(place, (count, side)) if rows is None else rows[:, None] - place
    across = np.broadcast_to(place, (count, side)) if cols is None else cols[:, None] - place
    inside = ((down >= 0) & (down < side))[:, :, None] & ((across >= 0) & (across < side))[:, None]
    down, across = np.clip(down, 0, side - 1), np.clip(across, 0, side - 1)
    turned = own[np.arange(count)[:, None, None], down[:, :, None], across[:, None]] & inside
    near = np.pad(turned, ((0, 0), (1, 1), (1, 1)))
    near = near[:, :-2] | near[:, 1:-1] | near[:, 2:]
    near = near[:, :, :-2] | near[:, :, 1:-1] | near[:, :, 2:]
    both = (own & near).reshape(count, -1).sum(axis=1)
    return np.asarray(both / np.maximum(own.reshape(count, -1).sum(axis=1), 1), np.float64)


def _same_nearby(part: Mask, far: int) -> float:
    """The share of a drawing that is the same upside down, around the best place at most far / 2 px off its middle."""
    own = part.astype(np.float32)
    turned = cv2.dilate(own[::-1, ::-1], np.ones((3, 3), np.uint8))
    around = cv2.copyMakeBorder(turned, far, far, far, far, cv2.BORDER_CONSTANT, value=0)
    both = cv2.matchTemplate(around, own, cv2.TM_CCORR)
    return float(both.max()) / max(float(own.sum()), 1.0)


def grouped(seen: Cells, cols: int, known: Sequence[Sample] = ()) -> list[SharedLook]:
    """The looks of cells that were measured row by row, so many to a row; the most frequent first.

    known: looks that are told apart however near they are.
    """
    marks = seen.evenness >= 1.0
    marks |= _among(seen, seen.faint, seen.clean)
    hardly = _hardly_drawn(seen, ~marks)
    marks |= hardly
    shown = np.where(hardly[:, None, None], np.abs(seen.relief), seen.shapes)
    # It covers as much as any, though less of it stands out.
    seen = replace(seen, shapes=shown, drawn=np.where(hardly, np.maximum(seen.drawn, MARKED[0]), seen.drawn))
    drawn = (seen.evenness > 0.0) & ~marks
    # A cross is one however far it stands from the middle of its cell, as fonts have it.
    for i in np.flatnonzero(drawn).tolist():
        marks[i] = _is_crossed(seen.shapes[[i]])
    drawn &= ~marks
    nearly = missed = np.zeros(len(drawn), np.bool_)
    if marks.sum() >= FEW:
        likeness = _alikeness(seen.shapes, seen.shapes[marks].mean(axis=0))
        alike = (drawn | (seen.faint & ~marks)) & (likeness >= SAME_DRAWING)
        drawn, marks = drawn & ~alike, marks | alike
        # A cross that a line beside it cuts is neither quite like the others nor another drawing.
        nearly = drawn & (likeness >= OTHER_DRAWING)
        missed = ~marks & (seen.drawn >= HALF_A_MARK * np.median(seen.drawn[marks]))
        missed = _among(seen, missed, marks | seen.clean)
    # One or two cells with something else in them have the mouse pointer there.
    strange = _among(seen, drawn, marks | seen.clean)
    odd = strange & (nearly | (seen.evenness >= (0.0 if strange.sum() >= FEW else ODD)))
    for i in np.flatnonzero(drawn & ~odd).tolist():
        near = np.abs(seen.colours - seen.colours[i]).max(axis=1) < NEXT_LOOK
        odd[i] = near.sum() < FEW
    # Where others of their colour are clean, what is drawn in many is no texture of the board: hatching, say.
    odd |= missed if missed.sum() <= SELDOM * marks.sum() else _among(seen, missed, seen.clean)
    groups: list[list[int]] = []
    other = _other_kind(seen, marks & ~odd)
    for own in (~marks & ~odd, marks & ~odd & ~other, other):
        groups += _alike(seen.colours, np.flatnonzero(own), known)
    # Few of another kind are known by their ground alone.
    strange = other if other.sum() >= FEW else _among(seen, other, marks & ~other)
    for group in groups:
        if len(group) < FEW:
            odd[group] |= strange[group]
    # What most crosses of a colour do not look like is none, though it may be as even as they are.
    for group in groups:
        if marks[group[0]]:
            odd[_unlike_most(seen, group)] = True
    # A pointer or a word may be even, too: a single cross is one that a mirror leaves as it is.
    kept = marks & ~odd
    uneven = kept & (seen.mirrored < MIRRORED)
    if uneven.sum() == kept.sum() == 1:
        odd[uneven] = True
    for i in (i for group in groups if len(group) < FEW for i in group if uneven[i]):
        others = kept.copy()
        others[i] = False
        like = others.any() and _alikeness(seen.shapes[others], seen.shapes[i]).max() >= SAME_DRAWING
        odd[i] |= not like
    groups = [rest for group in groups if (rest := [i for i in group if not odd[i]])]
    groups.sort(key=lambda group: -len(group))
    found = []
    for group in groups + [[i] for i in np.flatnonzero(odd).tolist()]:
        blue, green, red = usual_colour(seen.colours[group]).tolist()
        cells = tuple([Square(i // cols, i % cols) for i in group])
        marked = bool(marks[group[0]])
        leaves, crossed = float(np.median(seen.leaves[group])), marked and _is_crossed(seen.shapes[group])
        free = np.median(seen.shapes[group], axis=0) > FAINT_LEVELS
        half = SHAPE // 2
        within = bool(free[(0, -1, half, half), (half, half, 0, -1)].all())
        within |= marked and bool(free[(0, 0, -1, -1), (0, -1, 0, -1)].all())
        found.append(
            SharedLook((blue, green, red), marked, cells, bool(odd[group[0]]), leaves, crossed, within)
        )
    return found


def _alike(
    every: npt.NDArray[np.float64], names: npt.NDArray[np.int64], known: Sequence[Sample]
) -> list[list[int]]:
    """Cells whose colours hang together, in groups; a few cells apart join the nearest group, unless they are known apart.

    Colours that change slowly over the board, as of a photograph behind it, hang together, and two flat colours
    do not, however near they are.
    """
    if not len(names):
        return []
    colours, of = np.unique(every[names].round(1), axis=0, return_inverse=True)
    of = of.ravel()
    flat = len({*map(tuple, colours.round().tolist())}) <= FEW_COLOURS
    next_look = NEXT_FLAT if flat else NEXT_LOOK
    group_of, count = np.full(len(colours), -1), 0
    for start in range(len(colours)):
        if group_of[start] >= 0:
            continue
        front = np.array([start])
        while len(front):
            group_of[front] = count
            left = np.flatnonzero(group_of < 0)
            away = np.abs(colours[left][None] - colours[front][:, None]).max(axis=2)
            front = left[away.min(axis=0) < next_look] if len(left) else left
        count += 1
    groups = [names[group_of[of] == number].tolist() for number in range(count)]
    groups.sort(key=lambda group: -len(group))
    kept: list[list[int]] = []
    middles: list[npt.NDArray[np.float64]] = []
    for group in groups:
        middle = usual_colour(every[group])
        apart = [float(np.abs(middle - other).max()) for other in middles]
        near = int(np.argmin(apart)) if apart else 0
        same = bool(apart) and _nearest(middle, known) == _nearest(middles[near], known)
        if len(group) < FEW and same and apart[near] < SAME_LOOK:
            kept[near] += group
        else:
            kept.append(group)
            middles.append(middle)
    return kept


def _nearest(colour: npt.NDArray[np.float64], known: Sequence[Sample]) -> int | None:
    """Which of the known looks has the colour next to this one."""
    away = [float(np.abs(colour - one.colour).max()) for one in known]
    return int(np.argmin(away)) if away else None


def _among(seen: Cells, some: Mask, others: Mask) -> Mask:
    """Those of some cells that have the colour of two others: a texture is in all cells of its colour."""
    result = np.zeros(len(some), np.bool_)
    colours, places = seen.colours[others], np.flatnonzero(some)
    for start in range(0, len(places), AT_ONCE):
        part = places[start : start + AT_ONCE]
        away = np.abs(seen.colours[part][:, None] - colours).max(axis=2)
        result[part] = (away < NEXT_LOOK).sum(axis=1) >= 2
    return result


def _hardly_drawn(seen: Cells, some: Mask) -> Mask:
    """Those of some cells that share a mark too faint to be seen in a single one, where others of their colour have none.

    Cells with it and cells without it lie far apart on the first principal component of what they show.
    """
    result = np.zeros(len(some), np.bool_)
    for group in map(np.asarray, _alike(seen.colours, np.flatnonzero(some), ())):
        if len(group) < 2 * FEW:
            continue
        shown = seen.relief[group].reshape(len(group), -1)
        shown = shown - np.median(shown, axis=1, keepdims=True)
        centred = shown - shown.mean(axis=0)
        # The first component by the power method: where it is slow nothing stands out.
        shape = centred[np.abs(centred).sum(axis=1).argmax()]
        for _ in range(TURNS):
            shape = (centred @ shape) @ centred
            shape /= max(float(np.linalg.norm(shape)), LEAST_EVEN)
        drawing = shape.reshape(1, SHAPE, SHAPE)
        inner = float((drawing[0, 1:-1, 1:-1] ** 2).sum())
        if inner < INNER or _alikeness(drawing, drawing[0, ::-1, ::-1])[0] < EVEN:
            continue
        along = shown @ shape
        order = np.argsort(along)
        steps = np.diff(along[order])[FEW - 1 : len(group) - FEW]
        at = int(steps.argmax()) + FEW
        low, high = along[order[:at]], along[order[at:]]
        spread = float(low.std() + high.std())
        if steps.max() < LEAST_APART or high.mean() - low.mean() < FAR_APART * spread:
            continue
        # What is nearer to nothing is nothing.
        with_it = order[at:] if abs(high.mean()) > abs(low.mean()) else order[:at]
        result[group[with_it]] = True
    return result


def _other_kind(seen: Cells, marks: Mask) -> Mask:
    """The marks that have far more ink than most, or far less: dots beside crosses say something else.

    How much ink a mark has is the same wherever it stands in its cell.
    """
    other, every = np.zeros(len(marks), np.bool_), np.maximum(seen.shapes.sum(axis=(1, 2)), 1.0)
    ink = np.sort(every[marks])
    steps = ink[1:] / ink[:-1]
    at = int(steps.argmax()) + 1 if len(steps) else 0
    # Both kinds are alike among themselves.
    if at and steps[at - 1] >= max(OTHER_INK, ink[at - 1] / ink[0], ink[-1] / ink[at]):
        other = marks & ((every >= ink[at]) == (2 * at > len(ink)))
    return other


def _unlike_most(seen: Cells, group: Sequence[int]) -> list[int]:
    """The cells of a group in which something else is drawn than in most."""
    usual = np.median(seen.shapes[group], axis=0)
    share = float(np.median(seen.drawn[group]))
    other = _alikeness(seen.shapes[group], usual) < OTHER_DRAWING
    other |= seen.drawn[group] > OTHER_SHARE * share
    return [group[i] for i in np.flatnonzero(other).tolist()]


def _is_crossed(drawings: npt.NDArray[np.float32]) -> bool:
    """Whether drawings are crosses: what is away from their middle lies between down and across, by its fourth harmonic.

    The corners around a disc or ring lie there, too, but from the middle on the way there is something else.
    """
    down, across = np.indices((SHAPE, SHAPE))
    drawn = drawings.sum(axis=0) / max(float(drawings.sum()), 1.0)
    # Moved to the middle of its cell.
    middle = [round((SHAPE - 1) / 2 - float((drawn * at).sum())) for at in (down, across)]
    drawn = np.roll(drawn, middle, (0, 1))
    arms = (drawn + drawn[::-1] + drawn[:, ::-1] + drawn[::-1, ::-1]).diagonal()[SHAPE // 2 - 1 :: -1]
    strong = arms >= arms.max() / 2
    if not strong[0] or (strong[1:] & ~strong[:-1]).any():
        return False
    down, across = down - (drawn * down).sum(), across - (drawn * across).sum()
    drawn[np.hypot(down, across) <= 1] = 0
    harmonic = (drawn * np.cos(4 * np.arctan2(down, across))).sum()
    return bool(-harmonic > DIAGONAL * drawn.sum())


def _alikeness(drawings: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """(n,) how much alike drawings are to another, up to 1, though perhaps not equally strong or a tenth off."""
    parts = drawings.reshape(len(drawings), -1)[:, NEARBY]
    parts -= parts.mean(axis=2, keepdims=True)
    middle = other.ravel()[NEARBY[4]]
    middle = middle - middle.mean()
    norms = np.sqrt((parts * parts).sum(axis=2) * float((middle * middle).sum()))
    return np.asarray((parts @ middle / np.maximum(norms, 1e-6)).max(axis=1), np.float64)
