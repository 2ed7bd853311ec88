"""Strips of another colour along one side of cells: what remains where something in the ground's colour hides the rest."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels
from vision.measures.borders import Borders

# A strip is so wide, so far within the border (shares of the pitch, and at least so many px), and this share of it has a colour
# to so many levels.
RIM, STRIP, LEAST_RIM_PX, LEAST_STRIP_PX = 0.12, 0.12, 2, 1
SHOWN, SHOWN_LEVELS = 0.85, 30


def stripped(
    pixels: Pixels,
    borders: Borders,
    colours: Sequence[tuple[float, float, float]],
    asked: npt.NDArray[np.bool_],
) -> npt.NDArray[np.bool_]:
    """(rows, cols) which of the cells that are asked have one of these colours along a side, and not along all.

    colours: BGR. A side along which half of its row or column has it is a broad line, not a strip.
    """
    ys, xs = (
        np.rint(at).astype(np.int64).clip(0, end)
        for at, end in zip((borders.ys, borders.xs), pixels.shape, strict=False)
    )
    board = pixels[ys[0] : ys[-1], xs[0] : xs[-1]]
    ys, xs = ys - ys[0], xs - xs[0]
    own = np.zeros(board.shape[:2], np.uint8)
    for colour in map(np.array, colours):
        own |= np.asarray(cv2.inRange(board, colour - SHOWN_LEVELS, colour + SHOWN_LEVELS), np.uint8) & 1
    if not own.any() or not asked.any():
        return np.zeros(asked.shape, np.bool_)
    pitch = min(np.diff(ys).min(), np.diff(xs).min())
    inset, strip = max(LEAST_RIM_PX, round(RIM * pitch)), max(LEAST_STRIP_PX, round(STRIP * pitch))
    top, bottom, left, right = ys[:-1] + inset, ys[1:] - inset, xs[:-1] + inset, xs[1:] - inset
    sums = cv2.integral(own)
    sides = []
    for first, last, begin, end in (
        (top, top + strip, left, right),
        (bottom - strip, bottom, left, right),
        (top, bottom, left, left + strip),
        (top, bottom, right - strip, right),
    ):
        inner = sums[last][:, end] - sums[last][:, begin] - sums[first][:, end] + sums[first][:, begin]
        sides.append(inner >= SHOWN * np.outer(last - first, end - begin))
    shown = np.array(sides) & asked
    for side, way in enumerate((1, 1, 0, 0)):
        shown[side] &= 2 * shown[side].sum(axis=way, keepdims=True) <= asked.sum(axis=way, keepdims=True)
    return np.asarray(shown.any(axis=0) & ~shown.all(axis=0))
