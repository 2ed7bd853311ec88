"""A later frame of a board that is known: only what has changed is looked at.

Puzzle and lattice stand. Programs fade, strike and recolour the numbers of finished islands, count down what is
missing, light up the last move: that says nothing about the puzzle, and is no reason to read it again. Another number
that is surely read is, and so is an island that came or went.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solver.bridges import Bridges, Joins
from solver.lattice import Square
from vision.frame import Box, Frame, Pixels, Point
from vision.readers.bridges.board import BoardReading
from vision.readers.bridges.covers import covered
from vision.readers.bridges.discs import Disc, numbers_in
from vision.readers.bridges.drawn import (
    DRAWN,
    LEAST_PALE,
    PALE,
    Contrast,
    edge_shares,
    grounds_around,
    look_like_islands,
    shares_around,
)
from vision.readers.bridges.marks import crossed_spans, locked_islands
from vision.readers.bridges.spans import Measured, joins_of, measured_again
from vision.reading import Reading
from vision.track import Changes, later

# A number so certain contradicts what is known.
SURELY_ANOTHER = 0.9
# An island has kept its place where so much of its edge is seen; where more than this share of those that look
# different has not, it is another picture.
STANDS, GONE = 0.5, 0.34
# So many levels make another ground.
OTHER_GROUND = 20
# A board that moved fits so much better a few px to one side, and more than this share of its islands look different.
MOVED, MOVES_ALL = 0.12, 0.75
BESIDE = [(far * i, far * j) for far in (2, 4) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
# Of so many changed islands the numbers are read again: a screen that shows another puzzle changes most of them.
MOST_READ = 12


def reread(frame: Frame, earlier: Reading[Bridges, Joins]) -> Reading[Bridges, Joins] | None:
    """The same board on a later frame of the same place; None where it may be another, or cannot be told."""
    return later(frame, earlier, _again) if isinstance(earlier, BoardReading) else None


def _again(frame: Frame, earlier: BoardReading, changed_px: Changes) -> BoardReading | None:
    before = earlier.seen
    assert before is not None
    cells = _changed_cells(before, changed_px)
    now = replace(before, pixels=frame.pixels)
    contrast = now.contrast(_box_of(now, cells))
    changed = [at for at in cells if at in now.discs]
    if not _stand(now, before.pixels, contrast, changed):
        return None
    spans = sorted({span for at in cells for span in now.places.through.get(at, ())})
    now = measured_again(now, contrast, spans)
    joins = joins_of(now)
    if max(joins.values(), default=0) > earlier.puzzle.max_bridges or _another(earlier, now, changed, joins):
        return None
    if _something_there(now, contrast, [at for at in cells if at not in now.discs], joins):
        return None
    again = replace(earlier, placed=joins, seen=now)
    if not now.collection:
        return again
    # Where a bridge came or went, crosses under it went or came.
    crossed = crossed_spans(now, joins, contrast, spans)
    return replace(again, locked=locked_islands(now), crossed=earlier.crossed.difference(spans) | crossed)


def _changed_cells(before: Measured, changed: Changes) -> list[Square]:
    """The lattice points whose cells are not as they were."""
    # One row and one column around the lattice belong to the area.
    upright, level = (
        np.rint(comb.first + comb.pitch * (np.arange(comb.count + 3) - 1.5)).astype(np.int64)
        for comb in (before.xs, before.ys)
    )
    return [Square(row - 1, col - 1) for row, col in np.argwhere(changed.between(upright, level)).tolist()]


def _box_of(measured: Measured, cells: Sequence[Square]) -> Box:
    """The part of the picture with these cells and all spans through them."""
    ends = {at for cell in cells for span in measured.places.through.get(cell, ()) for at in span}
    rows, cols = zip(*[*cells, *ends], strict=True)
    near, far = (
        Point(measured.xs.at(col), measured.ys.at(row))
        for row, col in ((min(rows) - 1, min(cols) - 1), (max(rows) + 1, max(cols) + 1))
    )
    return Box.spanning(near, far).clipped((measured.pixels.shape[1], measured.pixels.shape[0]))


def _stand(measured: Measured, before: Pixels, contrast: Contrast, changed: Sequence[Square]) -> bool:
    """Whether islands that look different are still where they were; before: the picture on which they were seen."""
    if not changed:
        return True
    some = changed[:: max(1, len(changed) // MOST_READ)]
    discs = [measured.discs[at] for at in some]
    x, y = np.array([(disc.x, disc.y) for disc in discs], np.float64).T
    # Under a cover, flat or dim, everything is far from the ground that was there; a window's frame may be beside them.
    around = grounds_around(measured.pixels, discs)
    away = [np.abs(around - was).max(axis=1) for was in (measured.ground, grounds_around(before, discs))]
    if (np.minimum(*away) > OTHER_GROUND).mean() > GONE:
        return False
    drawn = measured.ring.contrast
    levels = min(max(PALE * drawn, LEAST_PALE), DRAWN * drawn)
    there = edge_shares(contrast, x, y, measured.ring, levels)
    if (there < STANDS).mean() > GONE:
        return False

    def fit(off_x: int, off_y: int) -> float:
        at = x + off_x, y + off_y
        edge = edge_shares(contrast, *at, measured.ring, levels)
        return float(np.nanmean(edge - shares_around(contrast, *at, measured.ring, levels)))

    # Where nearly all look different the board may have moved a little: islands then fit better beside their places.
    here = fit(0, 0) + MOVED
    return len(changed) <= MOVES_ALL * len(measured.discs) or all(fit(*off) <= here for off in BESIDE)


def _another(earlier: BoardReading, now: Measured, changed: Sequence[Square], joins: Joins) -> bool:
    """Whether an island surely shows a number that is neither its own nor what it still lacks."""
    discs = [now.discs[at] for at in changed]
    inside = [
        (at, disc) for at, disc in zip(changed, discs, strict=True) if _changed_inside(earlier, now, disc)
    ]
    some = inside[:: max(1, len(inside) // MOST_READ)]
    numbers = numbers_in(now.pixels, [(disc.x, disc.y, disc.radius) for _, disc in some])
    for (at, disc), number in zip(some, numbers, strict=True):
        clue = earlier.puzzle.clues[at]
        # Labels that count down may lag behind the bridges.
        least = clue - sum(n for span, n in joins.items() if at in span)
        usual = {clue, disc.number.value, *range(least, clue)}
        if number.value is not None and number.value not in usual and number.confidence >= SURELY_ANOTHER:
            return True
    return False


def _changed_inside(earlier: BoardReading, now: Measured, disc: Disc) -> bool:
    """Whether the island's own inside is not as it was; mostly a bridge beside it is what has changed."""
    assert earlier.seen is not None
    before, size = earlier.seen.pixels, (now.pixels.shape[1], now.pixels.shape[0])
    inside = Box.about(Point(disc.x, disc.y), 0.7 * disc.radius).clipped(size).window
    return not np.array_equal(before[inside], now.pixels[inside])


def _something_there(measured: Measured, contrast: Contrast, free: Sequence[Square], joins: Joins) -> bool:
    """Whether an island came to a lattice point without one, or something lies over the board."""
    if free:
        row, col = np.array(free, np.float64).T
        x, y = measured.xs.first + measured.xs.pitch * col, measured.ys.first + measured.ys.pitch * row
        if look_like_islands(contrast, x, y, measured.ring, clearly=np.zeros(len(x), bool)).any():
            return True
    return bool(covered(measured, joins, contrast))
