"""Entries that are drawn as if the program had not taken them: otherwise than others of their value."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from bot.changed import (
    ALONG,
    CHANGED_LEVELS,
    DRAWN,
    INNER,
    changed_px,
    ends_of,
    shown_between,
    windows_of,
)
from bot.screen import Glance
from vision.frame import Pixels

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# Fewer entries of a value tell nothing of each other.
LEAST_ALIKE = 3
# A preview is drawn with less than this share of what entries of its value are drawn with, and lacks this share of what most
# of them show, more than a line between two px does.
WEAKER, LACKS = 0.85, 0.3
# What is drawn in one colour differs from it by less than this share of what it adds, px by px; from SOLID of the most that any
# px adds on it is no soft edge. Of red the other channels are lower by so many levels, and about alike.
MIXED, SOLID, RED = 0.25, 0.7, 100
# What keeps as much of what it has added to the first picture does not fade.
FADED = 0.95
# A number is as high as this share of the others: more than a small letter is beside a large one, and old figures are.
LOWER = 0.6
# What is drawn in a cell differs by this share from what others of its value show, at the best of the places a px away, where
# it is of another form, size or place; what differs by less than half of that is alike. Less than FAINT of a cell is noise.
UNLIKE, FAINT = 0.4, 0.04
# A mark for a mistake is this share of its cell.
LEAST_MARK = 0.008
# A board has moved where one of its cells has by more px.
MOVED_PX = 1


def drawn_weaker(first: Glance, look: Glance, entries: Mapping[Any, object]) -> set[Any]:
    """The spans whose entry is drawn with less than most others of its value: pale, or only a part of it.

    first: the board without them, in the same place; else nothing is told. entries: span -> value, of which LEAST_ALIKE are
    compared. Cells are not asked: what is drawn in them may have stood on another ground at first, under a cursor or a
    highlight.
    """
    import cv2
    import numpy as np

    from vision.colour import strongest

    geometry = look.reading.geometry
    spans = {at: value for at, value in entries.items() if len(ends_of(geometry, at)) > 1}
    if not spans or not _in_place(first, look):
        return set()
    # A line between two px is half as strong, and twice as broad.
    broad = max(3, round(ALONG * geometry.pitch_px)) | 1
    added: Pixels = np.asarray(
        cv2.blur(strongest(cv2.absdiff(first.frame.pixels, look.frame.pixels)), (broad, broad))
    )
    found = set[Any]()
    for value in set(spans.values()):
        parts = {span: shown_between(added, geometry, *span) for span, own in spans.items() if own == value}
        if len(parts) < LEAST_ALIKE:
            continue
        height, width = np.min([part.shape for part in parts.values()], axis=0)
        drawn = np.array([part[:height, :width] for part in parts.values()], np.float32)
        usual = np.median(drawn, axis=0)
        share = drawn.sum(axis=(1, 2)) / max(1, usual.sum())
        lacks = np.maximum(usual - drawn, 0).sum(axis=(1, 2)) / max(1, usual.sum())
        weak = (share < WEAKER) & (lacks > LACKS) & (usual.max() > DRAWN)
        found.update(span for span, one in zip(parts, weak, strict=True) if one)
    return found


def drawn_strangely(first: Glance, look: Glance, entries: Mapping[Any, object]) -> set[Any]:
    """The spans whose entry is of no one colour where most are not, or red where most of its kind are not: no bridge, or one
    that is marked as a mistake.

    first, entries: as in `drawn_weaker`. One alone may look as it does.
    """
    import numpy as np

    from vision.colour import usual_colour

    geometry = look.reading.geometry
    spans = [at for at in entries if len(ends_of(geometry, at)) > 1]
    if not spans or not _in_place(first, look):
        return set()
    mixed, red, reddish = set[Any](), set[Any](), set[Any]()
    for span in spans:
        before, now = (
            shown_between(one.frame.pixels, geometry, *span).reshape(-1, 3).astype(float)
            for one in (first, look)
        )
        amount = np.linalg.norm(now - before, axis=1)
        drawn = amount > CHANGED_LEVELS
        if not drawn.any():
            continue
        added, now, amount = (now - before)[drawn], now[drawn], amount[drawn]
        # Not their sum: as much may have gone as came, of a span that was crossed.
        way = np.linalg.svd(added, full_matrices=False)[2][0]
        beside = np.linalg.norm(added - (added @ way)[:, None] * way, axis=1)
        if beside.sum() > MIXED * amount.sum():
            mixed.add(span)
        colour = usual_colour(now[amount >= SOLID * amount.max()])
        red |= {span} if _is_red(colour) else set()
        reddish |= {span} if _is_red(colour, RED / 2) else set()
    # A theme may draw all bridges as planks, and those of one kind in red: in a dark one some are hardly less red than others.
    kinds, reds = (Counter(entries[span] for span in some) for some in (spans, reddish))
    alone = {span for span in red if 2 * reds[entries[span]] < kinds[entries[span]]}
    return alone | (mixed if 2 * len(mixed) < len(spans) else set())


def fading(first: Glance, before: Glance, look: Glance, entries: Collection[Any]) -> set[Any]:
    """The entries that are drawn with less than on a look before: they are on their way to nothing, or come to rest.

    first: the board without them, in the same place; else nothing is told.
    """
    import cv2

    from vision.colour import strongest

    if not (_in_place(first, look) and _in_place(before, look)):
        return set()
    was, now = (
        strongest(cv2.absdiff(first.frame.pixels, one.frame.pixels)).astype(float) for one in (before, look)
    )
    windows = windows_of(look.reading.geometry, entries, INNER * look.reading.geometry.pitch_px)
    return {at for at, window in windows.items() if now[window].sum() < FADED * was[window].sum()}


def drawn_small(look: Glance, entries: Mapping[Any, object]) -> set[Any]:
    """The cells whose number is much lower than most others, as a note is, or one that still grows.

    entries: cell -> value; of numbers of as many digits LEAST_ALIKE and one more are compared. What reaches to the edge of its
    cell is not asked: more than a number is seen there.
    """
    import numpy as np

    from vision.measures.parts import parts_in

    geometry = look.reading.geometry
    written = {at: len(str(value)) for at, value in entries.items() if str(value).isdigit()}
    windows = windows_of(geometry, written.keys() & geometry.centres.keys(), INNER * geometry.pitch_px)
    parts = parts_in({cell: look.frame.pixels[window] for cell, window in windows.items()})
    highs = {cell: part.tallest * len(part.drawn) for cell, part in parts.items() if not part.cut}
    found = set[Any]()
    for digits in set(written.values()):
        alike = {cell: high for cell, high in highs.items() if written[cell] == digits}
        if len(alike) > LEAST_ALIKE:
            usual = np.median(list(alike.values()))
            found.update(cell for cell, high in alike.items() if high < LOWER * usual)
    return found


def drawn_unlike(first: Glance, look: Glance, entries: Mapping[Any, object]) -> set[Any]:
    """The cells in which something of another form or size, or in another place, is drawn than in all others of their value.

    first, entries: as in `drawn_weaker`, cell -> value; of LEAST_ALIKE and more all but one are alike. Their grounds and their
    strength are not asked, nor what stood in any of them at first. What reaches to the edge of its cell is left out: more than
    an entry is seen there.
    """
    import cv2
    import numpy as np

    from vision.measures.parts import parts_in

    geometry = look.reading.geometry
    cells = [at for at in entries if at in geometry.centres]
    if not _in_place(first, look):
        return set()
    windows = windows_of(geometry, cells, INNER * geometry.pitch_px)
    was, now = (
        parts_in({at: one.frame.pixels[part] for at, part in windows.items()}) for one in (first, look)
    )
    found = set[Any]()
    for value in {entries[at] for at in cells}:
        own = [at for at in cells if entries[at] == value]
        if len(own) < LEAST_ALIKE:
            continue
        high, wide = np.min([now[at].drawn.shape for at in own], axis=0)
        stood = np.any([was[at].for_digits[:high, :wide] > 0 for at in own], axis=0)
        empty = cv2.dilate(stood.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0
        inks = {at: now[at].for_digits[:high, :wide] * empty for at in own}
        inks = {at: ink for at, ink in inks.items() if not _at_edge(ink)}
        if len(inks) < LEAST_ALIKE:
            continue
        usual = np.median(list(inks.values()), axis=0)
        away = {at: _apart(usual, ink) for at, ink in inks.items()}
        odd = [at for at, far in away.items() if far > UNLIKE / 2]
        if len(odd) == 1 and away[odd[0]] > UNLIKE:
            found.update(odd)
    return found


def marked_red(first: Glance, look: Glance, entries: Mapping[Any, object]) -> set[Any]:
    """The one cell of all with something red in it, as a program marks a mistake; others of its value have none.

    first, entries: as in `drawn_unlike`. A red frame around a cell is no mark: it may be chosen.
    """
    geometry = look.reading.geometry
    windows = windows_of(
        geometry, [at for at in entries if at in geometry.centres], INNER * geometry.pitch_px
    )
    if not _in_place(first, look):
        return set()
    red, reddish = (
        _is_red(look.frame.pixels, levels) & changed_px(first, look.frame) for levels in (RED, RED / 2)
    )

    def with_any(of: npt.NDArray[np.bool_]) -> list[object]:
        return [at for at, window in windows.items() if of[window].size and of[window].mean() >= LEAST_MARK]

    marked = with_any(red)
    alike = {at for at in windows if len(marked) == 1 and entries[at] == entries[marked[0]]}
    # Of entries in one dark red some may be more so than others.
    if len(alike) < LEAST_ALIKE or alike & {*with_any(reddish)} > {*marked}:
        return set()
    return set() if _goes_round(red[windows[marked[0]]]) else set(marked)


def _is_red(pixels: npt.NDArray[Any], levels: float = RED) -> npt.NDArray[np.bool_]:
    """(...) whether colours, (..., 3) BGR, are red as marks for mistakes are, by so many levels."""
    import numpy as np

    blue, green, ruddy = np.moveaxis(pixels.astype(np.float32), -1, 0)
    return np.asarray((ruddy - np.maximum(blue, green) >= levels) & (np.abs(blue - green) < RED / 2))


def _goes_round(drawn: npt.NDArray[np.bool_]) -> bool:
    """Whether something is drawn along the middle of each side of (h, w) a part of a picture, as a frame is."""
    (top, left), (high, wide) = (tuple(-(-side // parts) for side in drawn.shape) for parts in (6, 3))
    upright, level = slice(high, -high), slice(wide, -wide)
    sides = drawn[:top, level], drawn[-top:, level], drawn[upright, :left], drawn[upright, -left:]
    return all(side.any() for side in sides)


def _at_edge(ink: npt.NDArray[np.float32]) -> bool:
    """Whether anything is drawn at the edge of (h, w) a part of a picture."""
    return bool(max(side.max(initial=0) for side in (ink[0], ink[-1], ink[:, 0], ink[:, -1])))


def _apart(usual: npt.NDArray[np.float32], ink: npt.NDArray[np.float32]) -> float:
    """By what share of the stronger one (h, w) two drawings differ, one of them moved by a px where that is better."""
    import numpy as np

    inner = ink[1:-1, 1:-1]
    most = max(1.0, FAINT * inner.size, float(usual.sum()), float(inner.sum()))
    high, wide = inner.shape
    moved = (usual[y : y + high, x : x + wide] for y, x in product(range(3), repeat=2))
    return min(float(np.abs(inner - one).sum()) for one in moved) / most


def _in_place(first: Glance, look: Glance) -> bool:
    """Whether the board has not moved since a look."""
    before, now = first.reading.geometry.centres, look.reading.geometry.centres
    moved = any(math.dist(at, before.get(cell, (0, 0))) > MOVED_PX for cell, at in now.items())
    return not moved and first.frame.size == look.frame.size
