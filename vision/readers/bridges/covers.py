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
from vision.readers.bridges.drawn import Contrast
from vision.readers.bridges.spans import Measured

Mask = npt.NDArray[np.bool_]
Levels = npt.NDArray[np.uint8]

# An area is seen by fewer levels, and by so many times what the ground itself varies.
AREA_LEVELS, VARIES = 12.0, 4.0
# What runs along a span keeps within these shares of a cell of its middle: crosses or drawn lines, one to four bridges.
ALONG = (0.22, 0.3, 0.36, 0.42, 0.45)
# Px around an island that its blurred edge may reach.
EDGE_PX = 2
# A full area counts this deep from its edge, in cells.
DEEP = 0.32
# Cells larger than this are looked at smaller, in px.
CELL_PX = 18.0


def covered(measured: Measured, joins: Mapping[Span, int], contrast: Contrast) -> list[Square]:
    """The lattice points near something that is no part of the board; empty where there is nothing.

    contrast: of the board, or of the part of it that is looked at.
    """
    xs, ys, box = measured.xs, measured.ys, contrast.box
    left, top = max(int(xs.at(-0.5)), box.left), max(int(ys.at(-0.5)), box.top)
    right, bottom = int(xs.at(xs.count - 0.5)), int(ys.at(ys.count - 0.5))
    part = contrast.away[top - box.top : bottom - box.top, left - box.left : right - box.left]
    block = max(1, int(measured.pitch / CELL_PX))
    weak = _blocks(part, block)
    own = _own(weak.shape, measured, joins, (left, top), block)
    usual = _usual_levels(weak, own, measured, (left, top), block)
    there = (weak >= np.maximum(AREA_LEVELS, VARIES * usual)).astype(np.uint8)
    deep = cv2.distanceTransform(there, cv2.DIST_L2, 3) >= DEEP * measured.pitch / block
    return sorted(
        {
            Square(
                round((top + block * (y + 0.5) - ys.first) / ys.pitch),
                round((left + block * (x + 0.5) - xs.first) / xs.pitch),
            )
            for y, x in np.argwhere(deep & ~own).tolist()
        }
    )


def _usual_levels(
    weak: Levels, own: Mask, measured: Measured, corner: tuple[int, int], block: int
) -> npt.NDArray[np.float64]:
    """(H, W) by how much the ground itself differs there: every second cell may have another colour, as on a chess board."""
    odd = [
        np.round((first + block * (np.arange(size) + 0.5) - comb.first) / comb.pitch).astype(int) % 2
        for comb, first, size in zip((measured.ys, measured.xs), corner[::-1], weak.shape, strict=True)
    ]
    second = (odd[0][:, None] ^ odd[1]).astype(bool)
    levels = [
        float(np.median(weak[~own & cells])) if (~own & cells).any() else 0.0 for cells in (~second, second)
    ]
    return np.where(second, levels[1], levels[0])


def _blocks(part: Levels, block: int) -> Levels:
    """The weakest level of every block of so many px to the right and down."""
    weak = cv2.erode(part, np.ones((block, block), np.uint8), anchor=(block - 1, block - 1))
    return np.asarray(weak[block - 1 :: block, block - 1 :: block], np.uint8)


def _own(
    shape: tuple[int, ...],
    measured: Measured,
    joins: Mapping[Span, int],
    corner: tuple[int, int],
    block: int,
) -> Mask:
    """What belongs to the board: islands, badges, and the strips along spans; (H, W) blocks."""
    own = np.zeros(shape[:2], np.uint8)
    xs, ys = measured.xs, measured.ys
    left, top = corner

    def mark(x0: float, y0: float, x1: float, y1: float) -> None:
        first_x, first_y = (max(int(at // block), 0) for at in (x0 - left, y0 - top))
        own[first_y : int((y1 - top) // block) + 1, first_x : int((x1 - left) // block) + 1] = 1

    for span in measured.across:
        aside = ALONG[min(joins.get(span, 0), len(ALONG) - 1)]
        level = span.a.row == span.b.row
        across_x, across_y = (0.0, aside * ys.pitch) if level else (aside * xs.pitch, 0.0)
        mark(
            xs.at(span.a.col) - across_x,
            ys.at(span.a.row) - across_y,
            xs.at(span.b.col) + across_x,
            ys.at(span.b.row) + across_y,
        )
    reaches = [(disc, measured.ring.outer) for disc in measured.discs.values()]
    for disc, outer in [*reaches, *((badge, 1.5 * badge.radius) for badge in measured.badges.values())]:
        reach = outer + EDGE_PX
        # A square, since islands may be squares.
        mark(disc.x - reach, disc.y - reach, disc.x + reach, disc.y + reach)
    return own > 0
