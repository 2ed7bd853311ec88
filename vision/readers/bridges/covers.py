"""Something that lies over the board: a tooltip, a menu, a window.

It may hide an island or a bridge, and the rest may still look like a whole board. What belongs to a board is known:
islands, what runs along their spans, and badges. Whatever else is as large as a part of a cell does not.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from solver.bridges import Span
from solver.lattice import Square
from vision.readers.bridges.spans import Measured

Mask = npt.NDArray[np.bool_]

# Levels from the ground, and share of the islands' contrast, from which something is there.
LEAST_LEVELS, SHARE = 40.0, 0.3
# An area is seen by fewer levels, and by so many times what the ground itself varies.
AREA_LEVELS, VARIES = 12.0, 4.0
# What runs along a span keeps within these shares of a cell of its middle: crosses or drawn lines, one to four bridges.
ALONG = (0.22, 0.3, 0.36, 0.42, 0.45)
# Px around an island that its blurred edge may reach.
EDGE_PX = 2
# What the collection never draws is this long, in cells; anywhere a full area counts, this deep from its edge.
LONG, DEEP = 0.5, 0.32


def covered(measured: Measured, joins: Mapping[Span, int], contrast: float) -> list[Square]:
    """The lattice points near something that is no part of the board; empty where there is nothing.

    contrast: of the islands, in levels.
    """
    xs, ys = measured.xs, measured.ys
    pitch = min(xs.pitch, ys.pitch)
    left, top = max(int(xs.at(-0.5)), 0), max(int(ys.at(-0.5)), 0)
    part = measured.pixels[top : int(ys.at(ys.count - 0.5)), left : int(xs.at(xs.count - 0.5))]
    height, width = part.shape[:2]
    ground = measured.ground.at(np.arange(left, left + width), np.arange(top, top + height)[:, None])
    away = np.abs(part.astype(np.float32) - ground).max(axis=2)
    own = _own(away.shape, measured, joins, (left, top))
    rest = away[~own]
    if not rest.size:
        return []
    found = _cells_of_areas(away >= max(AREA_LEVELS, VARIES * float(np.median(rest))), own, DEEP * pitch)
    # The collection draws nothing else.
    if measured.collection:
        found |= _cells_of_parts((away >= max(LEAST_LEVELS, SHARE * contrast)) & ~own, LONG * pitch)
    return sorted(
        {
            Square(round((top + y - ys.first) / ys.pitch), round((left + x - xs.first) / xs.pitch))
            for x, y in found
        }
    )


def _cells_of_areas(there: Mask, own: Mask, deep_px: float) -> set[tuple[int, int]]:
    """Places (x, y) deep inside an area of which a good part does not belong to the board."""
    deep = cv2.distanceTransform(there.astype(np.uint8), cv2.DIST_L2, 3) >= deep_px
    ys, xs = np.nonzero(deep & ~own)
    return set(zip(xs.tolist(), ys.tolist(), strict=True))


def _cells_of_parts(foreign: Mask, long_px: float) -> set[tuple[int, int]]:
    """The middles of connected parts of at least this length."""
    _, _, stats, middles = cv2.connectedComponentsWithStats(foreign.astype(np.uint8), connectivity=8)
    longest = np.maximum(stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT])
    return {(round(float(x)), round(float(y))) for x, y in middles[1:][longest >= long_px]}


def _own(
    shape: tuple[int, ...], measured: Measured, joins: Mapping[Span, int], corner: tuple[int, int]
) -> Mask:
    """What belongs to the board: islands, badges, and the strips along spans; (H, W)."""
    own = np.zeros(shape[:2], np.uint8)
    xs, ys = measured.xs, measured.ys
    left, top = corner
    for span in measured.across:
        aside = ALONG[min(joins.get(span, 0), len(ALONG) - 1)]
        level = span.a.row == span.b.row
        across_x, across_y = (0.0, aside * ys.pitch) if level else (aside * xs.pitch, 0.0)
        x0, x1 = xs.at(span.a.col) - left - across_x, xs.at(span.b.col) - left + across_x
        y0, y1 = ys.at(span.a.row) - top - across_y, ys.at(span.b.row) - top + across_y
        own[max(int(y0), 0) : int(y1) + 1, max(int(x0), 0) : int(x1) + 1] = 1
    for disc in (*measured.discs.values(), *measured.badges):
        reach = (measured.outer if disc in measured.discs.values() else 1.5 * disc.radius) + EDGE_PX
        # A square, since islands may be squares.
        x, y = disc.x - left, disc.y - top
        own[max(int(y - reach), 0) : int(y + reach) + 1, max(int(x - reach), 0) : int(x + reach) + 1] = 1
    return own > 0
