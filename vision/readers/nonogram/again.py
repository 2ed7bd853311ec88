"""A later look at a nonogram that is known: only the cells that look different are measured.

Puzzle and lattice stand after the first sure look, and numbers are not read again: a program that fades, strikes or
recolours them says nothing new. Where numbers of another shape stand in their place, or cells have a look that was never
there, the picture is read anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from vision.frame import Box, Frame, Pixels
from vision.grids import STEP_LEVELS, Mask, runs
from vision.measures.areas import spread
from vision.measures.borders import Borders
from vision.measures.looks import FEW, SAME_LOOK, Cells, Sample, SharedLook, grouped, measured
from vision.readers.nonogram.inks import ink_of
from vision.readers.nonogram.meanings import Meaning, by_grey, by_samples, crosses
from vision.readers.nonogram.told import BoardReading, Seen, told
from vision.reading import Mark, Reading
from vision.track import Changes, later

# Numbers are the same ones in another style where no more than this share of their edges is lost; what is fainter than
# this share of them is gone, and so many of the lines may have lost theirs.
MOST_LOST, GONE, MOST_GONE = 0.35, 0.15, 0.5
# An edge has this share of the strongest one; so much around what changed (share of the cell) belongs to it.
EDGE, AROUND = 0.3, 0.3
# A line between cells shows along this share of itself, and so many of them do. Where too few do, lines are faint ones, as on
# a highlight: so many levels more than what is in the middle of the cells (without this share of them on every side).
LINE_SHOWN, MOST_LINES, FAINT_LEVELS, MIDDLE = 0.6, 0.7, 3, 0.25
# The sides of a gap between cells are up to so far from its middle, as a share of the pitch.
SIDE = 0.14
# Where the solution knows this share of a look's cells, it speaks for all of them.
MOSTLY = 0.5
# A ground's texture is known from so many cells; the strongest of it may be so many times as strong as in any of those.
LEAST_TEXTURED, MORE = 8, 1.2
# A strip with fewer px a side has no numbers.
LEAST_STRIP_PX = 4


def reread(
    frame: Frame, earlier: Reading[Nonogram, Picture], *, most_gone: float = MOST_GONE
) -> BoardReading | None:
    """The same board on a later frame of the same place; None where it has to be read anew.

    most_gone: the share of the lines that may have lost their numbers.
    """
    if not isinstance(earlier, BoardReading) or earlier.seen is None:
        return None
    return later(frame, earlier, partial(_again, most_gone=most_gone), earlier.seen.board)


def _again(frame: Frame, earlier: BoardReading, differ: Changes, *, most_gone: float) -> BoardReading | None:
    seen, pixels = earlier.seen, frame.pixels
    assert seen is not None
    area = seen.board
    away = np.zeros((area.height, area.width), np.uint8)
    away[differ.area.moved(-area.left, -area.top).window] = differ.mask
    borders, cols = seen.borders, earlier.puzzle.width
    gone = _gone(seen.pixels, pixels, away, earlier)
    if gone is None:
        return None
    most = most_gone * len(seen.row_sure)
    which = np.flatnonzero(differ.between(*(np.round(at).astype(np.int64) for at in borders)))
    if not len(which):
        hidden = _hidden(gone, earlier.puzzle, earlier.placed, most)
        return None if hidden else replace(earlier, seen=replace(seen, pixels=pixels))
    cells = seen.cells.changed(which, measured(pixels, borders, which))
    found = grouped(cells, cols, [one for _, one in seen.known])
    new = [look for look in found if not look.odd and not _known(look, seen)]
    # Programs restyle lines that are done: cells that stay empty, or filled ones. What lies over the board covers both.
    fills, blanks = seen.witness.filled, seen.witness.blank
    if not all(_only(look, blanks, fills) or _only(look, fills, blanks) for look in new):
        return None
    if seen.first is None:
        free = (cell for cell, mark in earlier.marks.items() if mark.symbol == "")
        seen = replace(seen, first=seen.pixels, free=frozenset(free))
    first = seen.first
    assert first is not None
    known = _with_marks(seen)
    now = replace(seen, pixels=pixels, cells=cells, known=known)
    changed = {Square(*divmod(at, cols)) for at in which.tolist()}
    strange = [cell for look in found if look.odd for cell in look.cells]
    texture = frozenset(
        cell
        for cell in strange
        if (cell not in changed and earlier.marks[cell].symbol == "")
        or (cell in seen.free and _untouched(cell, first, pixels, borders))
    )
    again = _as_before(told(replace(earlier, seen=now), found, texture), strange, texture)
    if any(_against(look, again.placed, fills, blanks) for look in new):
        return None
    # A dialog over the board looks like cells that are taken back; under a veil all of them may look as filled ones did.
    odd = earlier.placed.filled - again.placed.filled | again.placed.filled & blanks - earlier.placed.filled
    filled = _mask(again.placed.filled, (earlier.puzzle.height, cols))
    empty = (cell for look in found if _only(look, blanks, fills) for cell in look.cells)
    if len([cell for cell in odd if not _untouched(cell, first, pixels, borders)]) >= FEW or _hidden(
        gone, earlier.puzzle, again.placed, most
    ):
        return None
    return again if _lattice_shows(pixels, borders, which, filled, _mask(empty, filled.shape)) else None


def _known(look: SharedLook, seen: Seen) -> bool:
    """Whether cells have looked so before, or are known to look so in this program."""
    if seen.lines is not None and not look.marked and by_grey(look, seen.lines) is not None:
        return True
    same = [one for one in (*seen.known, *crosses(look, seen.known)) if one[1].marked == look.marked]
    if by_samples(look, same) is not None:
        return True
    return (bool(seen.inks) and not look.marked and ink_of(look.colour, seen.inks) is not None) or any(
        other.marked == look.marked and not other.odd and other.away(look) < SAME_LOOK
        for other, _ in seen.looks
    )


def _with_marks(seen: Seen) -> Sequence[tuple[Meaning, Sample]]:
    """The looks of a program that has been learned, with those by which it marks empty cells of its own accord.

    Once its picture is complete, nothing else tells these from cells that were left alone.
    """
    marks = (
        look for look, meant in seen.looks if meant == ("blank",) and by_samples(look, seen.known) is None
    )
    return [*seen.known, *(("blank", Sample(look.colour, look.marked)) for look in marks if seen.known)]


def _as_before(reading: BoardReading, odd: Sequence[Square], texture: Set[Square]) -> BoardReading:
    """The reading with those of some odd cells left alone that were so on the first picture, or the last one, and look the
    same: what seems to be drawn in them is the texture that was there.

    So are others that show no more of it: where a highlight was, it was not seen before.
    """
    seen = reading.seen
    assert seen is not None
    known = [cell for cell in odd if cell in texture or reading.marks[cell].symbol == ""]
    asked, cols = set(reading.doubtful).intersection(odd), reading.puzzle.width
    alone = asked & texture
    if len(known) >= LEAST_TEXTURED and asked > alone:
        alone |= _showing_no_more(sorted(asked - alone), known, seen.cells, cols)
    marks = {
        cell: Mark("", max(seen.least, min(seen.row_sure[cell.row], seen.col_sure[cell.col])))
        for cell in alone
    }
    return replace(reading, marks={**reading.marks, **marks}) if marks else reading


def _showing_no_more(
    asked: Sequence[Square], textured: Sequence[Square], cells: Cells, cols: int
) -> set[Square]:
    """The cells whose ground is like that of others, and in which nothing is larger, stronger, lighter or darker than there."""
    at, others = ([cell.row * cols + cell.col for cell in some] for some in (asked, textured))
    away = np.abs(cells.colours[at][:, None] - cells.colours[others]).max(axis=2).min(axis=1)
    most = MORE * _extent(cells, others).max(axis=0)
    same = (away < SAME_LOOK) & (_extent(cells, at) <= most).all(axis=1)
    return {cell for cell, like in zip(asked, same.tolist(), strict=True) if like}


def _extent(cells: Cells, which: Sequence[int]) -> npt.NDArray[np.float64]:
    """(n, 4) how much is drawn in cells, and by how many levels at most: at all, lighter, darker."""
    shapes, relief = (part[which].reshape(len(which), -1) for part in (cells.shapes, cells.relief))
    return np.column_stack((cells.drawn[which], shapes.max(axis=1), relief.max(axis=1), -relief.min(axis=1)))


def _untouched(cell: Square, first: Pixels, now: Pixels, borders: Borders) -> bool:
    """Whether a cell and its lines look as on the first picture, where it was empty: it was taken back, and not covered."""
    (left, right), (top, bottom) = borders.xs[cell.col : cell.col + 2], borders.ys[cell.row : cell.row + 2]
    window = np.s_[int(top) : math.ceil(bottom), int(left) : math.ceil(right)]
    drawn = int(np.ptp(first[window], axis=(0, 1)).max())
    return drawn >= STEP_LEVELS and 2 * int(cv2.absdiff(first[window], now[window]).max()) < STEP_LEVELS


def _only(look: SharedLook, own: frozenset[Square], others: frozenset[Square]) -> bool:
    """Whether most cells of a look are some of the solution's, and none is one of its others."""
    return len(own.intersection(look.cells)) >= MOSTLY * len(look.cells) and others.isdisjoint(look.cells)


def _against(look: SharedLook, told: Picture, fills: frozenset[Square], blanks: frozenset[Square]) -> bool:
    """Whether a look that nobody has seen before was told as what the solution does not have there."""
    return not (
        blanks.isdisjoint(told.filled.intersection(look.cells))
        and fills.isdisjoint(told.blank.intersection(look.cells))
    )


def _gone(
    before: Pixels, now: Pixels, away: npt.NDArray[np.uint8], earlier: BoardReading
) -> set[tuple[bool, int]] | None:
    """The lines (upright, place) whose numbers are gone; None where others stand there, in whatever style."""
    seen = earlier.seen
    assert seen is not None
    area = seen.board
    xs, ys = np.round(seen.borders.xs).astype(int), np.round(seen.borders.ys).astype(int)
    gone: set[tuple[bool, int]] = set()
    strips = [
        *(
            (False, row, Box(left, a, right - left, b - a))
            for row, (a, b) in enumerate(pairwise(ys))
            for left, right in ((area.left, int(xs[0]) - 3), (int(xs[-1]) + 4, area.right))
        ),
        *(
            (True, col, Box(a, top, b - a, bottom - top))
            for col, (a, b) in enumerate(pairwise(xs))
            for top, bottom in ((area.top, int(ys[0]) - 3), (int(ys[-1]) + 4, area.bottom))
        ),
    ]
    for upright, place, strip in strips:
        if min(strip.width, strip.height) < LEAST_STRIP_PX:
            continue
        left, top, wide, high = cv2.boundingRect(away[strip.moved(-area.left, -area.top).window])
        if not wide:
            continue
        pad = round(AROUND * min(strip.width, strip.height))
        cut = np.s_[
            strip.top + max(top - pad, 0) : min(strip.top + top + high + pad, strip.bottom),
            strip.left + max(left - pad, 0) : min(strip.left + left + wide + pad, strip.right),
        ]
        old, new = spread(np.ascontiguousarray(before[cut])), spread(np.ascontiguousarray(now[cut]))
        if new.max() < GONE * old.max():
            gone.add((upright, place))
            continue
        edges = old > EDGE * old.max()
        # Of two numbers side by side one may have faded.
        strongest = cv2.dilate(new, np.ones((pad, pad), np.uint8))
        if (edges & (new <= EDGE * strongest)).sum() > MOST_LOST * edges.sum():
            return None
    return gone


def _hidden(gone: Set[tuple[bool, int]], puzzle: Nonogram, placed: Picture, most: float) -> bool:
    """Whether more numbers than that are gone, without those of lines that are done: programs hide these."""
    if len(gone) <= most:
        return False
    filled = _mask(placed.filled, (puzzle.height, puzzle.width))
    done = {
        (upright, place)
        for upright, clues, lines in ((False, puzzle.rows, filled), (True, puzzle.cols, filled.T))
        for place, (clue, line) in enumerate(zip(clues, lines, strict=True))
        if np.diff(runs(line), axis=1).ravel().tolist() == list(clue)
    }
    return len(gone - done) > most


def _mask(cells: Iterable[Square], shape: tuple[int, int]) -> Mask:
    """(rows, cols) whether a cell is one of these."""
    mask = np.zeros(shape, np.bool_)
    for cell in cells:
        mask[cell] = True
    return mask


def _lattice_shows(
    pixels: Pixels, borders: Borders, which: npt.NDArray[np.int64], filled: Mask, empty: Mask
) -> bool:
    """Whether the lines between unfilled cells that changed show: under a dialog they do not.

    filled: (rows, cols) the cells that are. empty: those of looks that only
    cells have which stay empty; between two of them no line has to show.
    """
    xs, ys = np.round(borders.xs).astype(int), np.round(borders.ys).astype(int)
    left, top = max(int(xs[0]) - 4, 0), max(int(ys[0]) - 4, 0)
    steps = spread(np.ascontiguousarray(pixels[top : ys[-1] + 5, left : xs[-1] + 5]))
    xs, ys = xs - left, ys - top
    changed = np.zeros(filled.shape, np.bool_)
    changed.ravel()[which] = True
    if _lines_show(steps >= STEP_LEVELS, xs, ys, filled, empty, changed):
        return True
    grain = cv2.dilate(steps, np.ones((5, 5), np.uint8))
    x_edge, y_edge = round(MIDDLE * float(np.diff(xs).min())), round(MIDDLE * float(np.diff(ys).min()))
    middles = [
        grain[ys[row] + y_edge : ys[row + 1] - y_edge, xs[col] + x_edge : xs[col + 1] - x_edge].ravel()
        for row, col in np.argwhere(changed & ~filled)
    ]
    least = FAINT_LEVELS + float(np.median(np.concatenate(middles)))
    return least < STEP_LEVELS and _lines_show(steps >= least, xs, ys, filled, empty, changed)


def _lines_show(
    steps: Mask, xs: npt.NDArray[np.int_], ys: npt.NDArray[np.int_], filled: Mask, empty: Mask, changed: Mask
) -> bool:
    """Whether there are steps of colour on the lines between unfilled cells at least one of which changed."""
    shown, asked = 0, 0
    for one, own, left, new, across, along in (
        (steps, filled, empty, changed, xs, ys),
        (np.ascontiguousarray(steps.T), filled.T, empty.T, changed.T, ys, xs),
    ):
        side = max(2, round(SIDE * float(np.diff(across).min())))
        near = cv2.dilate(one.view(np.uint8), np.ones((1, 2 * side + 1), np.uint8))
        lines = near[:, np.clip(across[1:-1], 0, near.shape[1] - 1)]
        sums = np.concatenate(
            (np.zeros((1, lines.shape[1]), np.int64), np.cumsum(lines, axis=0, dtype=np.int64))
        )
        ends = np.clip(along, 0, len(lines))
        seen = np.diff(sums[ends], axis=0) >= LINE_SHOWN * np.diff(ends)[:, None]
        free = ~(own[:, :-1] | own[:, 1:]) & (new[:, :-1] | new[:, 1:]) & ~(left[:, :-1] & left[:, 1:])
        shown, asked = shown + int((seen & free).sum()), asked + int(free.sum())
    return shown >= MOST_LINES * asked
