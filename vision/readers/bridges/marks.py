"""What makes the collection refuse a bridge: a locked island, and a span that was crossed out.

Both are marks of the player's own, and both go away by being made again: a click on the island, a drag with the right
button along the span. Measured on sgt-bridges 20230122: a locked island is filled with another colour than the
background, a crossed span carries two small crosses in each of its cells, a quarter of a cell before and after the
middle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from solver.bridges import Span, between
from solver.lattice import Square
from vision.readers.bridges.drawn import Contrast, grounds_around
from vision.readers.bridges.spans import Measured

# So many levels from the background, just inside its edge (in radii), an island is filled.
FILLED = 20
INSIDE_EDGE = 0.85
# Half the side of the square in which a cross is looked for, in cells.
CROSS = 0.08


def locked_islands(measured: Measured) -> frozenset[Square]:
    """The islands whose inside has another colour than the board's background; none where all are drawn so."""
    fill = grounds_around(measured.pixels, measured.discs.values(), (INSIDE_EDGE,))
    other = np.abs(fill - measured.ground).max(axis=1) >= FILLED
    found = frozenset(at for at, away in zip(measured.discs, other, strict=True) if away)
    return found if len(found) < len(measured.discs) else frozenset()


def crossed_spans(
    measured: Measured, joins: Mapping[Span, int], contrast: Contrast, spans: Iterable[Span]
) -> frozenset[Span]:
    """Those of the spans without a bridge that carry both crosses in every cell under no bridge."""
    taken = {(_level(span), cell) for span, count in joins.items() if count for cell in between(span)}
    crosses = {way: _crosses(measured, contrast, way) for way in (True, False)}
    found = []
    for span in spans:
        level = _level(span)
        free = [cell for cell in between(span) if (not level, cell) not in taken]
        if not joins.get(span) and free and all(crosses[level][cell] for cell in free):
            found.append(span)
    return frozenset(found)


def _level(span: Span) -> bool:
    return span.a.row == span.b.row


def _crosses(measured: Measured, contrast: Contrast, level: bool) -> npt.NDArray[np.bool_]:
    """(rows, columns) the cells that carry both crosses of a span across, or down."""
    xs, ys = measured.xs, measured.ys
    side = 2 * round(max(1.0, CROSS * measured.pitch)) + 1
    near = replace(
        contrast, away=np.asarray(cv2.dilate(contrast.away, np.ones((side, side), np.uint8)), np.uint8)
    )
    x, y = np.meshgrid(xs.first + xs.pitch * np.arange(xs.count), ys.first + ys.pitch * np.arange(ys.count))
    both = np.ones(x.shape, bool)
    for quarter in (-0.25, 0.25):
        off_x, off_y = (quarter * xs.pitch, 0.0) if level else (0.0, quarter * ys.pitch)
        both &= near.levels(x + off_x, y + off_y)[0] >= measured.least
    return both
