"""What makes the collection refuse a bridge: a locked island, and a span that was crossed out.

Both are marks of the player's own, and both go away by being made again: a click on the island, a drag with the right
button along the span. Measured on sgt-bridges 20230122: a locked island is filled with another colour than the
background, a crossed span carries two small crosses in each of its cells, a quarter of a cell before and after the
middle.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.bridges import Span, between
from solver.lattice import Square
from vision.readers.bridges.spans import Measured

# So many levels from the background, just inside its edge (in radii), an island is filled.
FILLED = 20
INSIDE_EDGE = 0.85
AROUND = np.arange(32) * np.pi / 16 + 0.1
# Half the side of the square in which a cross is looked for, in cells.
CROSS = 0.08


def locked_islands(measured: Measured) -> frozenset[Square]:
    """The islands whose inside has another colour than the board's background; none where all are drawn so."""
    found = []
    for at, disc in measured.discs.items():
        x = (disc.x + INSIDE_EDGE * disc.radius * np.cos(AROUND)).astype(int)
        y = (disc.y + INSIDE_EDGE * disc.radius * np.sin(AROUND)).astype(int)
        fill = np.median(measured.pixels[y, x].astype(np.float32), axis=0)
        if np.abs(fill - measured.ground.colour).max() >= FILLED:
            found.append(at)
    return frozenset(found) if len(found) < len(measured.discs) else frozenset()


def crossed_spans(measured: Measured, joins: Mapping[Span, int]) -> frozenset[Span]:
    """The spans without a bridge that carry both crosses in every cell under no bridge."""
    level = {cell for span, count in joins.items() if count and _level(span) for cell in between(span)}
    upright = {cell for span, count in joins.items() if count and not _level(span) for cell in between(span)}
    found = []
    for span in measured.across:
        free = [cell for cell in between(span) if cell not in (upright if _level(span) else level)]
        if not joins.get(span) and free and all(_has_crosses(measured, cell, _level(span)) for cell in free):
            found.append(span)
    return frozenset(found)


def _level(span: Span) -> bool:
    return span.a.row == span.b.row


def _has_crosses(measured: Measured, cell: Square, level: bool) -> bool:
    xs, ys = measured.xs, measured.ys
    x, y = xs.at(cell.col), ys.at(cell.row)
    reach = max(1.0, CROSS * min(xs.pitch, ys.pitch))
    for quarter in (-0.25, 0.25):
        at_x, at_y = (x + quarter * xs.pitch, y) if level else (x, y + quarter * ys.pitch)
        top, left = max(round(at_y - reach), 0), max(round(at_x - reach), 0)
        seen = measured.pixels[top : round(at_y + reach) + 1, left : round(at_x + reach) + 1]
        if not seen.size or np.abs(seen - measured.ground.colour).max() < measured.least:
            return False
    return True
