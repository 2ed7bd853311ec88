"""What has changed on a later picture of a board that was read, cell by cell and beside the cells."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from bot.screen import Glance
from vision.frame import Frame, Pixels, Point
from vision.reading import Geometry

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# Levels by which a pixel differs that has changed.
CHANGED_LEVELS = 42
# The inner part of a cell, without the lines around it, goes so far from its middle (share of the pitch).
INNER = 0.4
# A cell has changed where this share of its middle has.
MOST = 0.5
# Cells look alike where no more of their middles differs: a small sign in one of them may.
MOST_OTHER = 0.2
# A cell and the lines around it reach so far from its middle (share of the pitch), its neighbours do not.
AROUND = 0.52
# Cells lie side by side whose middles are nearer than so many pitches.
SIDE_BY_SIDE = 1.3
# What is drawn between them is looked for so far to both sides (share of a quarter of the pitch): marks keep away from it.
BETWEEN = 0.4
# The disc inside a cell, with the lines of a hex but not with its neighbours, reaches so far (share of the pitch).
INSIDE = 0.47
# What fills a cell reaches so far over its edge, in halves of a cell.
RIM = 0.25
# A span shows what it holds around its middle, so far along and across it (share of the pitch): islands keep away from there.
ALONG, ACROSS = 0.1, 0.3
# What changes by fewer levels is hardly drawn.
DRAWN = 12
# A cell with the lines on so many sides as they were, and its inside, is not covered.
SIDES_KEPT = 2
# A box over a board is larger than so many pitches, and closed where this share of each side has changed: its border may
# have the colour of what it crosses.
BOX, CLOSED = 1.5, 0.8


def changed_beside(
    look: Glance, frame: Frame, cells: Collection[object] = (), levels: int = CHANGED_LEVELS
) -> float:
    """The share of a later picture that has changed since a look, without these cells; 1.0 where it has another size.

    levels: what differs by more has changed.
    """
    if look.frame.size != frame.size:
        return 1.0
    changed = differ(look.frame.pixels, frame.pixels, levels)
    geometry = look.reading.geometry
    for window in windows_of(geometry, cells, geometry.pitch_px / 2).values():
        changed[window] = False
    return float(changed.mean())


def put_back(look: Glance, frame: Frame, cells: Collection[object]) -> Frame:
    """A later picture of the same size with these cells as they were on a look."""
    pixels = frame.pixels.copy()
    for window in windows_of(look.reading.geometry, cells, look.reading.geometry.pitch_px / 2).values():
        pixels[window] = look.frame.pixels[window]
    return replace(frame, pixels=pixels)


def lifted(look: Glance, frame: Frame) -> Frame:
    """A later picture of the same size without the boxes that came over the board since a look: it is there as it was then.

    A box is larger than a cell, and closed: along each of its sides, or as far as the picture goes, one thing has changed.
    """
    import cv2
    import numpy as np

    changed = differ(look.frame.pixels, frame.pixels, DRAWN)
    count, marks, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8), connectivity=8)
    pixels = frame.pixels
    for mark in range(1, count):
        left, top, width, height = stats[mark, :4]
        if min(width, height) <= BOX * look.reading.geometry.pitch_px:
            continue
        window = slice(top, top + height), slice(left, left + width)
        part = marks[window] == mark
        if min(side.mean() for side in (part[0], part[-1], part[:, 0], part[:, -1])) >= CLOSED:
            pixels = pixels.copy() if pixels is frame.pixels else pixels
            pixels[window] = look.frame.pixels[window]
    return frame if pixels is frame.pixels else replace(frame, pixels=pixels)


def touched(look: Glance, frame: Frame, cells: Collection[object], but: Collection[object]) -> set[object]:
    """Those of these cells, or spans and their ends, in which anything has changed on a later picture of the same size.

    but: what changes in these, and at their ends, is not asked.
    """
    geometry = look.reading.geometry
    asked, apart = (
        {*some, *(end for cell in some for end in ends_of(geometry, cell))} for some in (cells, but)
    )
    changed = changed_px(look, frame)
    for window in windows_of(geometry, but, geometry.pitch_px / 2).values():
        changed[window] = False
    windows = windows_of(geometry, asked - apart, geometry.pitch_px / 2, ACROSS * geometry.pitch_px)
    return {cell for cell, window in windows.items() if changed[window].any()}


def runs_beyond(look: Glance, frame: Frame, cells: Collection[object], but: Collection[object]) -> float:
    """How much has changed since a look around these cells, up to a cell's size away, as a share of what has in them.

    What a span holds is seen along its middle alone. but: cells that are not asked.
    """
    import numpy as np

    changed = changed_px(look, frame)
    geometry = look.reading.geometry
    half = geometry.pitch_px / 2

    def there(cells: Collection[object], far: float) -> npt.NDArray[np.bool_]:
        part = np.zeros_like(changed)
        across = far - half + ACROSS * geometry.pitch_px
        for window in windows_of(geometry, cells, far, across).values():
            part[window] = True
        return part

    inside = changed & there(cells, half)
    # What fills a cell may reach over its edge.
    beyond = changed & there(cells, 3 * half) & ~there({*cells, *but}, half + RIM * half)
    return float(beyond.sum() / max(1, inside.sum()))


def changed_around(look: Glance, frame: Frame, levels: int) -> float:
    """The share of a board beside its cells that differs by more than so many levels on a later picture of the same size."""
    beside = _beside_cells(look, AROUND)
    return float(differ(look.frame.pixels, frame.pixels, levels)[beside].mean()) if beside.any() else 0.0


def drawn_anew(
    look: Glance, frame: Frame, levels: int, reach: float = INNER, cells: Collection[object] = ()
) -> float:
    """The share of a board's lines and numbers that differ by more than so many levels on a later picture of the same size.

    reach: what is nearer to the middle of a cell is left out (share of the pitch); AROUND leaves the numbers.
    cells: what is around these is not asked, nor what has the colour of its cell.
    """
    import numpy as np

    beside = _beside_cells(look, reach)
    geometry = look.reading.geometry
    for window in windows_of(geometry, cells, AROUND * geometry.pitch_px).values():
        beside[window] = False
    px = look.frame.pixels.astype(np.int16)
    ground = np.median(px[beside], axis=0) if beside.any() else 0
    drawn = beside & (np.abs(px - ground).max(axis=2) > CHANGED_LEVELS)
    for at in geometry.centres.values() if reach < AROUND else ():
        window, middle = window_at(at, geometry.pitch_px / 2), px[window_at(at, geometry.pitch_px / 4)]
        own = np.median(middle, axis=(0, 1)) if middle.size else ground
        drawn[window] &= np.abs(px[window] - own).max(axis=2) > CHANGED_LEVELS
    return float(differ(look.frame.pixels, frame.pixels, levels)[drawn].mean()) if drawn.any() else 0.0


def _beside_cells(look: Glance, reach: float) -> npt.NDArray[np.bool_]:
    """(h, w) the px of a board farther from the middles of its cells than that (share of the pitch)."""
    import numpy as np

    geometry, window = look.reading.geometry, look.reading.area.clipped(look.frame.size).window
    beside = np.zeros(look.frame.pixels.shape[:2], np.bool_)
    beside[window] = True
    for at in geometry.centres.values():
        beside[window_at(at, reach * geometry.pitch_px)] = False
    return beside


def lines_gone(
    look: Glance,
    frame: Frame,
    cells: Collection[object],
    levels: int,
    moves: Collection[object] | None = None,
) -> float:
    """The share of what is drawn between these cells, lines or gaps, that differs by more levels on a later picture.

    It is asked for between each two that lie side by side, but for the one cell or move around which most is gone: what is
    drawn in a cell may reach over its lines. 0.0 where nothing else is drawn. frame: of the same size.
    moves: the cells that moves were sent for; None where it is asked for between these cells and all others as well.
    """
    import numpy as np

    geometry = look.reading.geometry
    own = {cell: geometry.centres[cell] for cell in cells if cell in geometry.centres}
    half = geometry.pitch_px / 4
    around = windows_of(geometry, {*(moves or ()), *own}, AROUND * geometry.pitch_px)
    others = [at for cell, at in geometry.centres.items() if moves is None and cell not in own]
    found: list[tuple[Point, int, int]] = []
    for a, b in _side_by_side(list(own.values()), others, SIDE_BY_SIDE * geometry.pitch_px):
        between, side = Point((a.x + b.x) / 2, (a.y + b.y) / 2), abs(a.x - b.x) > abs(a.y - b.y)
        wide, high = (window_at(between, BETWEEN * half), window_at(between, half))[:: 1 if side else -1]
        strip = high[0], wide[1]
        before, now = (one.pixels[strip].astype(np.int16) for one in (look.frame, frame))
        line = np.ones(before.shape[:2], np.bool_)
        for cell in (look.frame.pixels[window_at(at, half)].reshape(-1, 3) for at in (a, b)):
            line &= np.abs(before - np.median(cell, axis=0)).max(axis=2) > levels
        changed = (np.abs(now - before).max(axis=2) > levels)[line]
        found.append((between, int(line.sum()), int(changed.sum())))

    if not found:
        return 0.0
    places, drawn, gone = (np.array(one) for one in zip(*found, strict=True))

    def share(rows: slice, cols: slice) -> float:
        within = (rows.start <= places[:, 1]) & (places[:, 1] <= rows.stop)
        beside = ~(within & (cols.start <= places[:, 0]) & (places[:, 0] <= cols.stop))
        return float(gone[beside].sum()) / max(int(drawn[beside].sum()), 1)

    return min((share(*window) for window in around.values()), default=0.0)


def _side_by_side(
    own: Sequence[Point], others: Sequence[Point], reach: float
) -> Iterator[tuple[Point, Point]]:
    """Each two of these places that are less than so many px apart, and one of them with one of the others."""
    ordered = sorted(own)
    across = [at.x for at in ordered]
    for nth, a in enumerate(ordered):
        near = ordered[nth + 1 : bisect_right(across, a.x + reach)]
        yield from ((a, b) for b in chain(near, others) if 0 < math.dist(a, b) < reach)


def has_gone(look: Glance, frame: Frame, at: Point) -> bool:
    """Whether most of what was seen at a place has changed on a later picture, and the place is no cell's."""
    geometry = look.reading.geometry
    if look.frame.size != frame.size or geometry.nearest(at) is not None:
        return False
    part = changed_px(look, frame)[window_at(at, geometry.pitch_px / 4)]
    return bool(part.size) and float(part.mean()) >= MOST


def changed_cells(look: Glance, frame: Frame) -> set[object]:
    """The cells of a board of which most has changed on a later picture of the same size."""
    changed, geometry = changed_px(look, frame), look.reading.geometry
    found = set[object]()
    for cell, at in geometry.centres.items():
        part = changed[window_at(at, geometry.pitch_px / 4)]
        if part.size and part.mean() >= MOST:
            found.add(cell)
    return found


def untouched_cells(look: Glance, frame: Frame, cells: Collection[object]) -> set[object]:
    """Those of some cells that are still seen on a later picture of the same size and look as before, with the lines around
    them, however pale, or with what shows inside; where nothing but one colour shows the same may cover it."""
    import numpy as np

    geometry = look.reading.geometry
    found = set[object]()
    for cell, window in windows_of(geometry, cells, AROUND * geometry.pitch_px).items():
        before, now = (one.pixels[window].astype(np.int16) for one in (look.frame, frame))
        drawn, away = np.ptp(before, axis=(0, 1)).max(initial=0), np.abs(before - now).max(axis=2)
        as_before = drawn > DRAWN and away.max() <= min(CHANGED_LEVELS, drawn / 2)
        kept = cell in geometry.centres and _sides_kept(before, away, geometry.pitch_px) >= SIDES_KEPT
        if as_before or kept or _inside_kept(look, frame, cell):
            found.add(cell)
    return found


def _inside_kept(look: Glance, frame: Frame, cell: Any) -> bool:
    """Whether something shows inside a cell, or half way along a span, that is as it was: beyond it others may have changed."""
    import numpy as np

    geometry = look.reading.geometry
    if cell in geometry.centres:
        window = window_at(geometry.centres[cell], INSIDE * geometry.pitch_px)
        parts = [one.pixels[window] for one in (look.frame, frame)]
        down, right = np.ogrid[tuple(slice(-1, 1, side * 1j) for side in parts[0].shape[:2])]
        before, now = (part[down**2 + right**2 <= 1].astype(np.int16) for part in parts)
    else:
        before, now = (
            shown_between(one.pixels, geometry, *cell).reshape(-1, 3).astype(np.int16)
            for one in (look.frame, frame)
        )
    drawn = np.ptp(before, axis=0).max() if before.size else 0
    return bool(drawn > CHANGED_LEVELS and np.abs(now - before).max() <= DRAWN)


def _sides_kept(before: npt.NDArray[np.int16], away: npt.NDArray[np.int16], pitch_px: float) -> int:
    """How many sides of a cell, with a line on them, are as they were; 0 where its inside is not.

    before: (h, w, 3) it was, AROUND its middle; away: (h, w) by how many levels it is otherwise now. Beyond the line of a side
    its neighbour may have taken what was sent for it.
    """
    import numpy as np

    rim = max(1, round((AROUND - INNER) * pitch_px))
    if not away.size or away[rim:-rim, rim:-rim].max(initial=0) > DRAWN:
        return 0
    line = np.abs(before - np.median(before, axis=(0, 1))).max(axis=2) > CHANGED_LEVELS
    sides = (np.s_[:rim, rim:-rim], np.s_[-rim:, rim:-rim], np.s_[rim:-rim, :rim], np.s_[rim:-rim, -rim:])
    return sum(bool(line[side].any()) and away[side].max(initial=0) <= DRAWN for side in sides)


def cells_like(look: Glance, frame: Frame, example: object) -> set[object]:
    """The cells that look on a later picture of the same size as one of them did: in most of their middle."""
    geometry = look.reading.geometry
    if example not in geometry.centres:
        return set()
    half = geometry.pitch_px / 4
    was = look.frame.pixels[window_at(geometry.centres[example], half)]
    found = set[object]()
    for cell, at in geometry.centres.items():
        now = frame.pixels[window_at(at, half)]
        height, width = min(was.shape[0], now.shape[0]), min(was.shape[1], now.shape[1])
        other = differ(was[:height, :width], now[:height, :width])
        if other.size and other.mean() <= MOST_OTHER:
            found.add(cell)
    return found


def shown_between(drawn: Pixels, geometry: Geometry, one: Any, other: Any) -> Pixels:
    """The part of a picture half way between two cells, turned to lie."""
    a, b = geometry.centres[one], geometry.centres[other]
    middle = Point((a.x + b.x) / 2, (a.y + b.y) / 2)
    along, across = (
        window_at(middle, ALONG * geometry.pitch_px),
        window_at(middle, ACROSS * geometry.pitch_px),
    )
    return drawn[along[0], across[1]].swapaxes(0, 1) if _upright(a, b) else drawn[across[0], along[1]]


def changed_px(look: Glance, frame: Frame) -> npt.NDArray[np.bool_]:
    """(h, w) which px have changed on a later picture of the same size."""
    return differ(look.frame.pixels, frame.pixels)


def differ(before: Pixels, now: Pixels, levels: int = CHANGED_LEVELS) -> npt.NDArray[np.bool_]:
    """(h, w) which px of two pictures of one size differ by more than so many levels."""
    import cv2

    from vision.colour import strongest

    return strongest(cv2.absdiff(before, now)) > levels


def window_at(at: Point, half: float) -> tuple[slice, slice]:
    """The rows and columns of px that reach so far from a place to all sides."""
    return slice(max(0, int(at.y - half)), int(at.y + half) + 1), slice(
        max(0, int(at.x - half)), int(at.x + half) + 1
    )


def windows_of(
    geometry: Geometry, cells: Collection[object], half: float, across: float | None = None
) -> dict[object, tuple[slice, slice]]:
    """The rows and columns of px of cells that are on a board, so far to all sides; of a span from end to end.

    across: how far a span reaches to both of its sides; None for as far as its ends.
    """
    found = dict[object, tuple[slice, slice]]()
    for cell in cells:
        if ends := [geometry.centres[end] for end in ends_of(geometry, cell)]:
            high = wide = half
            if across is not None and len(ends) > 1:
                high, wide = (half, across) if _upright(*ends) else (across, half)
            rows, cols = [window_at(at, high)[0] for at in ends], [window_at(at, wide)[1] for at in ends]
            found[cell] = _all_from(rows), _all_from(cols)
    return found


def ends_of(geometry: Geometry, cell: object) -> tuple[object, ...]:
    """The cell itself, or those at the ends of a span; none where they are not on the board."""
    ends = (cell,) if cell in geometry.centres or not isinstance(cell, tuple) else cell
    return ends if all(end in geometry.centres for end in ends) else ()


def _upright(a: Point, b: Point) -> bool:
    return abs(a.x - b.x) < abs(a.y - b.y)


def _all_from(parts: Sequence[slice]) -> slice:
    return slice(min(part.start for part in parts), max(part.stop for part in parts))
