"""Cells over which something lies: a tooltip, a pointer, a menu.

What lies over cells may look like a filled cell, or hide a filled one. It betrays itself at the borders: there a board is
drawn alike again and again, and what lies over it is not. A border is compared with what is usual between such cells,
with what is usual beside such a cell, and with the colours of its cells and of its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels
from vision.measures.borders import Borders
from vision.track import SAME_LEVELS

Mask = npt.NDArray[np.bool_]
Names = npt.NDArray[np.int64]
Inks = npt.NDArray[np.int16]

# A border is looked at in so many places along the middle of its cells, this share of a cell left out at both ends,
# and up to this share of a cell to both sides.
ALONG, ENDS, BESIDE, LEAST_PX = 6, 0.18, 0.15, 2
# The line is within so many px of a border, and its soft edge one more; less where so few px are looked at beside it.
NEAR_LINE, FEW_PX = 2, 4
# px are alike up to so many levels; a part is of one colour up to this share of others.
LEVELS, OTHERS = 40, 0.12
# Cells that end before the gap between them are at least so many levels off it.
LEAST_OFF = 4
# Looks are drawn alike at their borders where their colours are no more levels apart.
SHADE = 8
# A line lets so much of a cell's colour through at most, to so many levels.
OPAQUE, SEEN_THROUGH = 0.8, 16
# A line between cells may be so faint (levels), and differs along this share of itself.
FAINT, LINED = 16, 0.5
# A line that is so clear (levels) at some borders is hidden where less is seen, if more than this share of the lines show.
CLEAR, UNSEEN, MOST_SHOWN = 24, 12, 0.5
# Where the px of this share of the strips are those of their cells nothing else is drawn.
OWN = 0.75
# What is usual is known from so many strips, and of looks that so many cells have: a cover has few cells.
LEAST_SIDES, LEAST_CELLS = 4, 8
# So many cells without lines are a block where they fill so much of one (share).
LEAST_SOLID, SOLID = 4, 0.8
# From so many borders is known whether they have a line, and whether their cells are drawn as is thought here; where
# more than these shares are hidden or strange, they are drawn that way.
LEAST_LINES, MOST_HIDDEN, MOST_STRANGE, MOST_ALONG = 8, 0.1, 0.25, 0.75
# A cell is touched where more than this share of one of its sides is strange, or this share along its line.
TOUCHED, CROSSED = 0.2, 0.6
# Frames and bevels leave px of another colour as wide as this (px) at all four sides of a cell, as many at opposite sides
# or nearly as many at all.
FRAME_PX, FRAME_OFF_PX, BEVEL_OFF_PX = 0.9, 1.0, 2.0
# What is around a cell at all its sides differs among these by less than this share of what it differs from the cell.
RINGED = 0.5
# A disc in a cell leaves the corners free so near to the border (shares of a cell), the nearer the larger it is.
# Of four corners a pointer may cover one.
DISC, MOST_PLACES = (0.12, 0.2), 3
# So many px off are the corners of round cells against each other, as their pitch may be no whole px.
NEARER_PX = 1
# A cell that is touched on so many sides is covered for sure; a look is rare that this share of the cells has.
COVERED, RARE = 2, 0.03
# No cell: beyond the board's edge.
OUTSIDE = -1


class _Strips(NamedTuple):
    """The borders that cross n rows, the outer ones too, each with what lies beside it.

    px: (n, k, ALONG, across, 3). before, after: (n, k) the looks of the cells on both sides. lines: (n, k) which lines
    are drawn alike. beside: how many of the px across belong to one side; one more at both ends is for borders that are
    a px off. own: (n, k, 1, across, 3) the colours of the cells. other: (n, k, ALONG, across) which px differ from those.
    """

    px: Inks
    before: Names
    after: Names
    lines: Names
    beside: int
    own: Inks
    other: Mask

    @property
    def edge(self) -> int:
        """How many px of a side are away from the line."""
        return self.beside - (NEAR_LINE if self.beside >= FEW_PX else 1)

    def sides(self, px: int) -> Iterator[tuple[Names, slice]]:
        """The looks on both sides, each with the outermost px of its side."""
        end = 2 * self.beside + 1
        yield self.before, slice(0, px)
        yield self.after, slice(end - px, end)

    def kinds(self, *names: Names) -> Names:
        """(n, k) which borders have the same line and the same looks."""
        kinds = self.lines
        for name in names:
            kinds = kinds * (int(max(self.before.max(), self.after.max())) + 2) + name + 1
        return kinds


def covered(
    pixels: Pixels,
    borders: Borders,
    looks: Names,
    colours: Sequence[tuple[float, float, float]],
    since: tuple[Pixels, Pixels] | None = None,
    learned: Sequence[bool] = (),
) -> npt.NDArray[np.int64]:
    """(rows, cols) on how many of its sides a cell is seen to be touched by what lies over the board, 0 to 4.

    looks: (rows, cols) the number of each cell's look. colours: of each look, BGR. since: the first picture of the board
    and the one that is looked at, as they were captured: over a border that has not changed nothing lies. learned: of each
    look, whether cells of this program are known to have it.
    """
    inks = np.asarray(colours).reshape(-1, 3).round().astype(np.int16)
    xs, ys = np.asarray(borders.xs), np.asarray(borders.ys)
    pitch = min(float(at[-1] - at[0]) / (len(at) - 1) for at in (xs, ys))
    beside = max(LEAST_PX, round(BESIDE * pitch))
    # What is drawn in the middle of cells, or another shade of a run of colours, makes no other borders.
    names = _shades(inks)[looks]
    upright = _cut(pixels, xs, ys, names, inks, beside)
    level = _cut(_turned(pixels), ys, xs, names.T, inks, beside)
    touched = _sides(_touched(upright), _touched(level))
    if since is not None and touched.any():
        turned = _turned(since[0]), _turned(since[1])
        touched &= ~_sides(_same(since, xs, ys, beside), _same(turned, ys, xs, beside))
    if touched.any():
        width = _sides(_width(upright), _width(level))
        usual = _sides(_usual_width(upright), _usual_width(level))
        framed = _framed(width, usual) | _seated(width, usual, touched)
        rims = _sides(_rims(upright), _rims(level))
        framed |= _ringed(rims, inks[looks])
        framed |= _outlined(_sides(_lined_px(upright), _lined_px(level)), rims, inks[looks])
        touched &= ~_beside(framed) & ~framed
        touched &= ~_sides(_whole(upright), _whole(level)).all(axis=0)
    # What hides lines but ends before others is no full cell.
    lineless, short = (_sides(told(upright), told(level)).any(axis=0) for told in (_unlined, _short))
    count = touched.sum(axis=0) + (lineless & short)
    count[_discs(pixels, borders, looks, inks)] = len(touched)
    known = np.array(learned)[looks] if len(learned) else np.zeros(looks.shape, np.bool_)
    return _handed_on(np.asarray(count, np.int64), looks, known)


def unlined(
    pixels: Pixels,
    borders: Borders,
    looks: Names,
    colours: Sequence[tuple[float, float, float]],
    plain: Sequence[Mask],
    *,
    alone: bool = False,
) -> list[Mask]:
    """(rows, cols) of each set of plain cells those in blocks without the lines that are seen between others: a box lies there.

    looks, colours: see `covered`. plain: (rows, cols) which cells hide none of the lines around them. alone: nothing else tells
    of a box; then cells of a shade that mostly show no line, or some a faint one, have none there, nor have others than
    whole blocks.
    """
    inks = np.asarray(colours).reshape(-1, 3).round().astype(np.int16)
    own, looks = inks[looks], _shades(inks)[looks] if alone else looks
    xs, ys = np.asarray(borders.xs), np.asarray(borders.ys)
    upright = _line_steps(pixels, xs, ys, own)
    level = _line_steps(_turned(pixels), ys, xs, _turned(own))
    found = []
    for cells in plain:
        sides = np.zeros((4, *looks.shape), np.bool_)
        sides[0, :, :-1] = _line_hidden(*upright, looks, own, cells, alone)
        sides[2, :-1] = _line_hidden(*level, looks.T, _turned(own), cells.T, alone).T
        sides[1, :, 1:], sides[3, 1:] = sides[0, :, :-1], sides[2, :-1]
        within = np.asarray(sides.sum(axis=0) >= COVERED)
        if alone:
            within = _solid(within)
        # At the ends of a block only one side is without its line.
        found.append(within | (sides & _beside(within)).any(axis=0))
    return found


def _solid(within: Mask) -> Mask:
    """(rows, cols) the cells that hang together as blocks. Dashed lines are hidden here and there."""
    count, blocks, stats, _ = cv2.connectedComponentsWithStats(within.view(np.uint8), connectivity=4)
    wide, high, area = stats[:count, 2], stats[:count, 3], stats[:count, 4]
    full = np.asarray((area >= LEAST_SOLID) & (area >= SOLID * wide * high), np.bool_)
    return np.asarray(within & full[blocks])


def lined(
    pixels: Pixels,
    borders: Borders,
    looks: Names,
    colours: Sequence[tuple[float, float, float]],
    asked: Mask,
) -> bool:
    """Whether a line is seen between all of the cells asked for that are alike: no box lies over them that hides any.

    looks, colours: see `covered`. asked: (rows, cols).
    """
    own = np.asarray(colours).reshape(-1, 3).round().astype(np.int16)[looks]
    xs, ys = np.asarray(borders.xs), np.asarray(borders.ys)
    ways = ((pixels, xs, ys, looks, own, asked), (_turned(pixels), ys, xs, looks.T, _turned(own), asked.T))
    steps: list[float] = []
    for picture, across, along, names, inks, cells in ways:
        within = cells[:, :-1] & cells[:, 1:] & (names[:, :-1] == names[:, 1:])
        steps += _line_steps(picture, across, along, inks)[1][within].tolist()
    return min(steps, default=0.0) > CLEAR


def _shades(inks: Inks) -> Names:
    """Of each colour the first one that is a shade of it."""
    return np.asarray([_far(inks, ink, SHADE).argmin() for ink in inks])


def _line_hidden(
    strips: Inks, step: npt.NDArray[np.float64], looks: Names, own: Inks, plain: Mask, alone: bool
) -> Mask:
    """(n, k - 2) at which inner borders between two plain cells of one look their line is not seen, as it is at others.

    strips, step: see `_line_steps`. alone: see `unlined`.
    """
    asked = plain[:, :-1] & plain[:, 1:] & ~_far(own[:, :-1], own[:, 1:], UNSEEN)
    names, same = looks[:, :-1], asked & (looks[:, :-1] == looks[:, 1:])
    hidden = np.asarray(same & (step < UNSEEN))
    if not hidden.any():
        return hidden
    seen = asked & (step > CLEAR)
    # Where only every fifth line is drawn, or shows, the others are not hidden.
    shown, every = (np.asarray(one.any(axis=0)) for one in (seen, asked))
    alike = _lines(strips, looks[:, :-1], looks[:, 1:])
    hidden &= np.array([shown[alike == one].sum() > MOST_SHOWN * every[alike == one].sum() for one in alike])
    if alone:
        clear, faint, none = (
            np.bincount(names[some & same], minlength=int(names.max(initial=0)) + 1)
            for some in (seen, (step >= UNSEEN) & (step <= CLEAR), hidden)
        )
        hidden &= ((clear > none) & (faint <= MOST_HIDDEN * none))[names]
    return hidden


def _line_steps(
    pixels: Pixels, across: npt.NDArray[np.float64], along: npt.NDArray[np.float64], own: Inks
) -> tuple[Inks, npt.NDArray[np.float64]]:
    """The inner borders, and (n, k - 2) how many levels their lines are away from the cells before them."""
    strips = _strips_px(pixels, across, along, LEAST_PX)[0][:, 1:-1]
    return strips, np.abs(np.median(_inner_px(strips), axis=2) - own[:, :-1, None]).max(axis=(2, 3))


def _handed_on(count: npt.NDArray[np.int64], looks: Names, known: Mask) -> npt.NDArray[np.int64]:
    """With cells of rare looks beside others that are touched: a menu has colours that no other cell has.

    known: (rows, cols) which cells look as cells of the program do.
    """
    rare = ~known & (np.bincount(looks.ravel())[looks] < max(LEAST_CELLS, RARE * looks.size))
    names = cv2.connectedComponents(rare.view(np.uint8), connectivity=4)[1]
    over = rare & np.isin(names, names[rare & (count > 0)])
    return np.where(over, np.maximum(count, COVERED), count)


def _sides(upright: npt.NDArray[Any], level: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """(4, rows, cols, ...) what belongs to the right, left, lower and upper sides of cells, from (2, n, c, ...) of each way."""
    return np.concatenate((upright, level.swapaxes(1, 2)))


def _framed(width: npt.NDArray[np.float64], usual: npt.NDArray[np.float64]) -> Mask:
    """Whether what is seen at the four sides of the cells is as wide as that of a frame, a bevel or an inset.

    width: (4, rows, cols) px of it. usual: of most cells along each line.
    """
    # More than the line that all cells have, which beside these may be a px farther off.
    width = width - np.minimum(np.median(width, axis=(1, 2), keepdims=True), usual)
    right, left, bottom, top = width
    alike = (np.abs(left - right) <= FRAME_OFF_PX) & (np.abs(top - bottom) <= FRAME_OFF_PX)
    alike |= width.max(axis=0) - width.min(axis=0) <= BEVEL_OFF_PX
    return np.asarray(alike & (width > FRAME_PX).all(axis=0))


def _ringed(rims: npt.NDArray[np.float64], own: Inks) -> Mask:
    """Whether one colour is seen around a cell, and another one in it: its look leaves the ground free at all sides.

    rims: (4, rows, cols, 3) the colour at the four sides of the cells. own: (rows, cols, 3) theirs.
    """
    apart = np.abs(rims - own).max(axis=-1).min(axis=0)
    spread = (rims.max(axis=0) - rims.min(axis=0)).max(axis=-1)
    return np.asarray((apart > LEVELS) & (spread < RINGED * apart))


def _outlined(lines: npt.NDArray[np.float64], rims: npt.NDArray[np.float64], own: Inks) -> Mask:
    """Whether the lines around a cell are drawn anew, all four in one colour that is not theirs: a cursor's frame.

    lines: (4, rows, cols, 3) what is seen in place of the four lines; rims: beside them in the cell, where what hides both
    is no frame. own: (rows, cols, 3) the colours of the cells.
    """
    usual = np.median(lines, axis=(1, 2), keepdims=True)
    anew = (np.abs(lines - other).max(axis=-1).min(axis=0) > LEVELS for other in (usual, rims))
    return np.asarray(np.logical_and(*anew) & _ringed(lines, own))


def _whole(strips: _Strips) -> Mask:
    """(2, n, c) the sides at which a cell has its own colour up to the line, and that shows as it mostly does."""
    line = strips.px[..., strips.beside + 1, :]
    usual = _median(line)
    shown = _far(line, usual).mean(axis=2) <= OTHERS
    other = _inner(strips.other & _far(strips.px, usual[..., None, :]))
    whole = (other[..., side].mean(axis=(2, 3)) <= OTHERS for _, side in strips.sides(strips.beside))
    return _of_cells(*(own & shown for own in whole))


def _lined_px(strips: _Strips) -> npt.NDArray[np.float64]:
    """(2, n, c, 3) the colour at the lines beside the cells: of the px there the one that is farthest from the cells'."""
    near = np.median(strips.px[..., strips.beside : strips.beside + 3, :], axis=2)
    own = strips.own[:, :, 0, (0, -1)].transpose(2, 0, 1, 3)[:, :, :, None]
    away = np.abs(near - own).max(axis=-1).argmax(axis=-1)[..., None, None]
    seen = np.take_along_axis(np.broadcast_to(near, (2, *near.shape)), away, axis=3)
    return _of_cells(*seen[..., 0, :])


def _rims(strips: _Strips) -> npt.NDArray[np.float64]:
    """(2, n, c, 3) the colour of the cells at their sides, away from the line."""
    px = _inner_px(strips.px)
    return _of_cells(*(np.median(px[..., side, :], axis=(2, 3)) for _, side in strips.sides(strips.edge)))


def _seated(width: npt.NDArray[np.float64], usual: npt.NDArray[np.float64], touched: Mask) -> Mask:
    """Whether the cells end where all cells of their lines do, and more is beyond than what may hide it could miss: a relief,
    or gaps that show only beside a filled one."""
    gap = np.maximum(width - np.median(width, axis=(1, 2), keepdims=True), usual - FRAME_OFF_PX) > FRAME_PX
    return np.asarray(((np.abs(width - usual) <= FRAME_OFF_PX) & (gap | ~touched)).all(axis=0))


def _beside(framed: Mask) -> Mask:
    """(4, rows, cols) the right, left, lower and upper sides of cells where a cell with a frame round it lies beside them."""
    sides = np.zeros((4, *framed.shape), np.bool_)
    sides[0, :, :-1], sides[1, :, 1:] = framed[:, 1:], framed[:, :-1]
    sides[2, :-1], sides[3, 1:] = framed[1:], framed[:-1]
    return sides


def _cut(
    pixels: Pixels,
    across: npt.NDArray[np.float64],
    along: npt.NDArray[np.float64],
    looks: Names,
    inks: Inks,
    beside: int,
) -> _Strips:
    px, reach = _strips_px(pixels, across, along, beside)
    outside = np.full((len(looks), 1), OUTSIDE)
    before, after = np.hstack((outside, looks)), np.hstack((looks, outside))
    count = len(across)
    lines = np.concatenate(([count], _lines(px[:, 1:-1], looks[:, :-1], looks[:, 1:]), [count + 1]))
    of = np.where(reach < 0, before[..., None], after[..., None])
    own = np.vstack((inks, inks[:1]))[of][:, :, None]
    other = _far(px, own) & (of != OUTSIDE)[:, :, None]
    return _Strips(px, before, after, np.broadcast_to(lines, before.shape), beside, own, other)


def _turned(pixels: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return pixels.transpose(1, 0, 2)


def _strips_px(
    pixels: Pixels, across: npt.NDArray[np.float64], along: npt.NDArray[np.float64], beside: int
) -> tuple[Inks, npt.NDArray[np.int64]]:
    """(n, k, ALONG, across, 3) the px of the strips, and how far from its line each of a strip is."""
    height, width = pixels.shape[:2]
    steps = ENDS + (1 - 2 * ENDS) * (np.arange(ALONG) + 0.5) / ALONG
    ys = np.clip((along[:-1, None] + np.diff(along)[:, None] * steps).astype(np.int64), 0, height - 1)
    reach = np.arange(-beside - 1, beside + 2)
    # The px in the middle of a line: of one px it is the one before its two sides' middle.
    xs = np.clip(np.ceil(across - 0.501).astype(np.int64)[:, None] + reach, 0, width - 1)
    part = pixels[ys.ravel()][:, xs.ravel()].reshape(*ys.shape, *xs.shape, 3)
    px = part.swapaxes(1, 2).astype(np.int16, order="C")
    return px, reach


def _same(
    since: tuple[Pixels, Pixels], across: npt.NDArray[np.float64], along: npt.NDArray[np.float64], beside: int
) -> Mask:
    """(2, n, c) the sides of the cells whose borders are as on the first picture."""
    before, after = (_strips_px(one, across, along, beside)[0] for one in since)
    same = ~np.logical_or.reduce(_far(before, after, SAME_LEVELS), axis=(2, 3))
    return _of_cells(same, same)


def _lines(px: Inks, before: Names, after: Names) -> Names:
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


def _usual(px: Inks, before: Names, after: Names) -> Inks:
    """(k, across, 3) each line as it mostly is between two cells of the look in which most lines show so."""
    same = np.where(before == after, before, OUTSIDE)
    shown = {look: (same == look).any(axis=0) for look in np.unique(same[same != OUTSIDE]).tolist()}
    if not shown:
        return np.asarray(np.median(px, axis=(0, 2)), np.int16)
    look = max(shown, key=lambda one: int(shown[one].sum()))
    rows = [same[:, line] == look if shown[look][line] else np.s_[:] for line in range(px.shape[1])]
    across = px.shape[3:]
    return np.stack([_median(px[own, line].reshape(-1, *across)) for line, own in enumerate(rows)])


def _of_cells(before: npt.NDArray[Any], after: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """(2, n, c) what belongs to the cells, at the sides where they end and where they begin; from that of n x k borders."""
    return np.stack((before[:, 1:], after[:, :-1]))


def _touched(strips: _Strips) -> Mask:
    """(2, n, c) the sides of the cells that something touches."""
    strange = _strange(strips)
    _take_reliefs(strips, strange)
    kinds = strips.kinds(strips.before, strips.after)
    found = []
    line = slice(strips.beside - 1, strips.beside + 2)
    along = strange[..., line].mean(axis=2) >= CROSSED
    crossed = along.any(axis=2)
    # A highlighted clue that begins right beside an outer line lies over no cell.
    along[:, 0, 0] = along[:, -1, -1] = False
    within, shut = along.any(axis=2), _shut(strips)
    for (names, side), over in zip(strips.sides(strips.beside + 1), _spilt(strips, strange), strict=True):
        own = strange[..., side].mean(axis=(2, 3)) > TOUCHED
        touched = own | over | crossed
        for kind in np.unique(kinds[touched]).tolist():
            which = kinds == kind
            if which.sum() >= LEAST_LINES and touched[which].mean() > MOST_STRANGE:
                touched &= ~which
            # A border that was found some px off its line is strange along all of it.
            count = which.sum(axis=0)
            off = (count >= LEAST_SIDES) & ((which & touched).sum(axis=0) > MOST_ALONG * count)
            touched &= ~(which & off)
        found.append(touched & (own | (over & shut) | within) & (names != OUTSIDE))
    return _of_cells(*found)


def _take_reliefs(strips: _Strips, strange: Mask) -> None:
    """Take from what is strange what is usual beside such a cell at all lines: its relief, at a line where few of its look
    are seen."""
    # As little as a part of what is away from the line tells of something.
    asked = strange.mean(axis=(2, 3)) > TOUCHED * strips.edge / strange.shape[-1]
    if not asked.any():
        return
    for names, side in strips.sides(strips.beside):
        for look in np.unique(names[asked]).tolist():
            same = names == look
            if look != OUTSIDE and same.sum() >= LEAST_CELLS:
                which = same & asked
                strange[which, :, side] &= _unlike(strips.px[which], _median(strips.px[same]))[..., side]


def _shut(strips: _Strips) -> Mask:
    """(n, k) whether something may go on over a border: not where a highlighted clue leaves an outer line as it is."""
    shut = np.ones(strips.before.shape, np.bool_)
    line = strips.px[..., strips.beside : strips.beside + 3, :]
    for outer in (0, -1):
        hidden = _far(line[:, outer], _median(line[:, outer])).all(axis=2)
        shut[:, outer] = hidden.mean(axis=1) >= CROSSED
    return shut


def _width(strips: _Strips, levels: int = LEVELS) -> npt.NDArray[np.float64]:
    """(2, n, c) how many px at the sides of the cells, the line with them, are so many levels off their colour."""
    px = _inner_px(strips.px)
    return _of_cells(
        *(
            _far(px[..., side, :], strips.own[:, :, :, end, None], levels).mean(axis=2).sum(axis=2)
            for (_, side), end in zip(strips.sides(strips.beside + 1), (0, -1), strict=True)
        )
    )


def _usual_width(strips: _Strips) -> npt.NDArray[np.float64]:
    """(2, n, c) how many px at the sides of most cells along a line have not quite their colour."""
    width = _width(strips, LEAST_OFF)
    return np.broadcast_to(np.median(width, axis=1, keepdims=True), width.shape)


def _short(strips: _Strips) -> Mask:
    """(2, n, c) the sides of the cells where their colour ends before the line, and not that of all cells along it."""
    other = _inner(strips.other)
    short = _of_cells(
        *(other[..., side].mean(axis=(2, 3)) > OTHERS for _, side in strips.sides(strips.beside - 1))
    )
    return np.asarray(short & (short.mean(axis=1, keepdims=True) <= MOST_ALONG))


def _discs(pixels: Pixels, borders: Borders, looks: Names, inks: Inks) -> Mask:
    """(rows, cols) whether a cell has the colour of other cells in its corners, and its own between them, though most
    cells of its look have not, nor a px nearer to theirs, as round cells have: a disc in such a cell."""
    every = np.zeros(looks.shape, np.bool_)
    for depth in DISC:
        found = _cornered(pixels, borders, looks, inks, depth, 0)
        near = found | _cornered(pixels, borders, looks, inks, depth, NEARER_PX) if found.any() else found
        for look in np.unique(looks[found]).tolist():
            same = looks == look
            if same.sum() < LEAST_CELLS or near[same].mean() > MOST_STRANGE:
                found[same] = False
        every |= found
    return every


def _cornered(
    pixels: Pixels, borders: Borders, looks: Names, inks: Inks, depth: float, nearer_px: int
) -> Mask:
    """(rows, cols) whether a cell has the colour of other cells in its corners, and its own between them."""
    ys = _places(borders.ys, depth, nearer_px, len(pixels))
    xs = _places(borders.xs, depth, nearer_px, pixels.shape[1])
    px = pixels[np.ix_(ys, xs)].astype(np.int16)
    px = px.reshape(len(looks), 3, -1, 3, 3).swapaxes(1, 2).reshape(*looks.shape, 9, 3)
    own = inks[looks][..., None, :]
    corners, between = px[..., ::2, :][..., (0, 1, 3, 4), :], px[..., 1::2, :]
    others = np.max([(_far(corners, own) & ~_far(corners, ink)).sum(axis=-1) for ink in inks], axis=0)
    return np.asarray((others >= MOST_PLACES) & ((~_far(between, own)).sum(axis=-1) >= MOST_PLACES))


def _places(borders: Sequence[float], depth: float, nearer_px: int, end: int) -> npt.NDArray[np.int64]:
    """(3 n,) the px near the first border of n cells, in the middle, and near the last; depth: how near, in cells."""
    at = np.asarray(borders)
    places = at[:-1, None] + np.diff(at)[:, None] * (depth, 0.5, 1 - depth) + (-nearer_px, 0, nearer_px)
    # A px goes from its number to the next one: rounded, the places would not be as near to both borders.
    return np.asarray(np.clip(np.floor(places).astype(np.int64).ravel(), 0, end - 1))


def _spilt(strips: _Strips, strange: Mask) -> list[Mask]:
    """Of the cells before and after each border, (n, k) whose colour is what is strange beyond it."""
    result = []
    px = _inner_px(strips.px)
    for (_, side), end, outer in zip(strips.sides(strips.edge), (-1, 0), (0, -1), strict=True):
        there = strange[..., side].copy()
        # Beyond the board strange is what is not there beside most cells.
        there[:, outer] = _far(px[:, outer], _median(px[:, outer]))[..., side]
        over = there & ~_far(px[..., side, :], strips.own[:, :, :, end, None])
        result.append(over.mean(axis=(2, 3)) > TOUCHED)
    return result[::-1]


def _strange(strips: _Strips) -> Mask:
    """(n, k, ALONG, px) the px that are not drawn as the board is."""
    expected = _expected(strips)
    told = _unlike(strips.px, expected)
    strange, known = _unusual(strips, told)
    # Lines are of many widths, and soft: near them strange is what is neither of their colour nor of the cells'.
    band = slice(max(1, strips.edge - 1), 2 * strips.beside + 1 - max(1, strips.edge - 1))
    asked = np.asarray(strange[..., band].any(axis=(2, 3)))
    strange[asked, :, band] &= _alien(strips, expected, band, asked)
    _off_line(strips, strange, known)
    strange[..., strips.beside] |= _hidden(strips, told)
    return strange


def _off_line(strips: _Strips, strange: Mask, known: Mask) -> None:
    """Take from what is strange where too few cells are seen what does not reach the line: a cover's colour ends before
    the line, and a relief begins away from it."""
    asked = (strange & ~known[:, :, None]).any(axis=(2, 3))
    if not asked.any():
        return
    other, beside = strips.other[asked][..., 1:-1], strips.beside
    for side in (np.s_[..., beside - 1 :: -1], np.s_[..., beside + 1 :]):
        other[side] = np.logical_and.accumulate(other[side], axis=-1)
    ends = np.s_[..., strips.edge : 2 * beside + 1 - strips.edge]
    other[ends] = True
    strange[asked] &= known[asked][:, None] | other


def _expected(strips: _Strips) -> Inks:
    """(n, k, ALONG, across, 3) the colours of the cells, and where others are drawn at most borders of a line, those."""
    expected = np.broadcast_to(strips.own, strips.px.shape).copy()
    for line in np.unique(strips.lines[0]).tolist():
        which = np.flatnonzero(strips.lines[0] == line)[:, None]
        drawn = np.flatnonzero(strips.other[:, which[:, 0]].mean(axis=(0, 1, 2)) > 1 - OWN)
        if len(drawn):
            px = strips.px[:, which, :, drawn].swapaxes(1, 2)
            expected[:, which, :, drawn] = _median(px.reshape(-1, *px.shape[2:]))[:, None]
    return expected


def _unusual(strips: _Strips, told: Mask) -> tuple[Mask, Mask]:
    """The px of those told that are not usual between such cells, and beside such a cell; and (n, k, px) for which
    is known what is usual."""
    strange, known = told.copy(), np.zeros((*told.shape[:2], told.shape[3]), np.bool_)
    sizes = np.bincount(strips.after[:, :-1].ravel(), minlength=int(strips.after.max()) + 1)
    common = np.append(sizes >= LEAST_CELLS, True)
    whole = slice(0, told.shape[3])
    pairs = (strips.kinds(strips.before, strips.after), common[strips.before] & common[strips.after], whole)
    beside = [
        (strips.kinds(names), common[names] & (names != OUTSIDE), side)
        for names, side in strips.sides(strips.edge)
    ]
    asked = told.any(axis=(2, 3))
    for kinds, allowed, part in (pairs, *beside):
        for kind in np.unique(kinds[allowed & asked]).tolist():
            which = (kinds == kind) & allowed
            if which.sum() < LEAST_SIDES:
                continue
            known[which, part] = True
            which &= asked
            strange[which, :, part] &= _unlike(
                strips.px[which], _median(strips.px[(kinds == kind) & allowed])
            )[..., part]
    return strange, known


def _alien(strips: _Strips, expected: Inks, band: slice, asked: Mask) -> Mask:
    """(m, ALONG, band) px of the m borders asked for that have none of the colours of the cells and the line, nor one
    between those."""
    near = slice(strips.edge + 1, 2 * strips.beside + 2 - strips.edge)
    cells = strips.own[asked][:, 0, (0, -1)]
    # What most borders along a line show at a place, though the others of its kind may show it a px beside.
    line = _median(strips.px[..., near, :])[np.nonzero(asked)[1]]
    seen = expected[asked][..., near, :]
    low = np.minimum(np.minimum(seen.min(axis=(1, 2)), line.min(axis=(1, 2))), cells.min(axis=1)) - LEVELS
    high = np.maximum(np.maximum(seen.max(axis=(1, 2)), line.max(axis=(1, 2))), cells.max(axis=1)) + LEVELS
    px = _inner_px(strips.px[asked])[..., band, :]
    alien = ((px < low[:, None, None]) | (px > high[:, None, None])).any(axis=-1)
    return np.asarray(alien & ~_seen_through(strips, px, band, asked))


def _seen_through(strips: _Strips, px: Inks, band: slice, asked: Mask) -> Mask:
    """(m, ALONG, band) px of the m borders asked for that are the usual line with the cell's own colour showing through."""
    line = _median(strips.px)[np.nonzero(asked)[1]][..., 1:-1, :][..., band, :]
    own = np.broadcast_to(strips.own, (*strips.px.shape[:2], 1, *strips.px.shape[3:]))
    usual = _median(own)[np.nonzero(asked)[1]][..., 1:-1, :][..., band, :]
    other = (own[asked][..., 1:-1, :][..., band, :] - usual).astype(np.float64)
    away = px - line
    share = (away * other).sum(axis=-1) / np.maximum((other * other).sum(axis=-1), 1)
    unlike = _far(away, np.clip(share, 0, 1)[..., None] * other, SEEN_THROUGH)
    return np.asarray(~unlike & (share < OPAQUE))


def _hidden(strips: _Strips, told: Mask) -> Mask:
    """(n, k, ALONG) at which borders no line is seen, though nearly all others between such cells have one."""
    hidden = np.zeros(strips.px.shape[:3], np.bool_)
    kinds, middle = strips.kinds(strips.before, strips.after), strips.beside + 1
    reach = min(NEAR_LINE, strips.beside - 1) + 1
    asked = told[..., strips.beside - 1 : strips.beside + 2].mean(axis=2).max(axis=2) >= CROSSED
    for kind in np.unique(kinds[asked]).tolist():
        which = kinds == kind
        if which.sum() < LEAST_LINES:
            continue
        own = strips.px[which]
        usual = _median(own)
        cells = strips.own[which][0, 0, (0, -1)]
        contrast = np.abs(usual[:, None] - cells[None, :, None]).max(axis=3).min(axis=1)
        at = middle - 1 + int(contrast[:, middle - 1 : middle + 2].mean(axis=0).argmax())
        if (contrast[:, at] > LEVELS).mean() < OWN:
            continue
        near = own[:, :, middle - reach : middle + reach + 1]
        missed = _far(near, usual[None, :, at, None]).all(axis=2).mean(axis=1) >= CROSSED
        if missed.mean() <= MOST_HIDDEN:
            hidden[which] = missed[:, None]
    return hidden


def _unlined(strips: _Strips) -> Mask:
    """(2, n, c) the sides where no line is seen between two cells of one look, too few of them to know whether there is one."""
    joined = (strips.before == strips.after) & (_inner(strips.other).mean(axis=(2, 3)) <= OTHERS)
    joined[joined] = (
        _inner(_far(strips.px[joined], strips.own[joined], FAINT)).mean(axis=1).max(axis=1) <= LINED
    )
    kinds = strips.kinds(strips.before, strips.after)
    for kind in np.unique(kinds[joined]).tolist():
        if (kinds == kind).sum() >= LEAST_LINES:
            joined &= kinds != kind
    # A line in the colour of cells is not seen between those.
    middle = strips.beside + 1
    for line in np.unique(strips.lines[joined]).tolist():
        drawn = (strips.lines == line) & (strips.before == strips.after) & ~joined
        if drawn.any():
            ink = np.median(strips.px[drawn][:, :, middle], axis=(0, 1))
            joined &= (strips.lines != line) | _far(strips.own[:, :, 0, middle], ink, FAINT)
    return _of_cells(joined, joined)


def _inner(part: Mask) -> Mask:
    """Without the px at both ends that are there for borders that are a px off."""
    return part[..., 1:-1]


def _inner_px(px: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return px[..., 1:-1, :]


def _unlike(px: Inks, other: npt.NDArray[Any]) -> Mask:
    """Which px, without those at both ends, are far from others, though a line may be a px off."""
    end, other = px.shape[-2] - 1, np.broadcast_to(other, px.shape)[..., 1:-1, :]
    unlike = _far(px[..., 1:end, :], other)
    some = unlike.any(axis=(-1, -2))
    for off in (-1, 1):
        unlike[some] &= _far(px[some][..., 1 + off : end + off, :], other[some])
    return unlike


def _far(px: npt.NDArray[Any], other: npt.NDArray[Any], levels: int = LEVELS) -> Mask:
    """Whether colours are more than so many levels from others, in any channel."""
    away = np.abs(px - other) > levels
    return np.asarray(away[..., 0] | away[..., 1] | away[..., 2])


def _median(px: Inks) -> Inks:
    """The median over the first axis."""
    flat = px.reshape(len(px), -1).T.copy()
    flat.partition(len(px) // 2, axis=1)
    return flat[:, len(px) // 2].reshape(px.shape[1:])
