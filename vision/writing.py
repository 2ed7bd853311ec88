"""Writing on a picture: the glyphs of a region, whatever its background, read as digits.

The background of every place is the median of its neighbourhood, so that gradients, photographs and coloured
boxes do not matter. What differs from it hangs together in blobs; blobs of the height of a digit are glyphs.
A line through a glyph (a clue that is done) is taken out when the glyph is a better digit without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import digits
from vision.colour import strongest
from vision.frame import Box, Pixels

# Levels of contrast under which nothing is writing.
LEAST_CONTRAST = 28.0
# Share of the strongest ink nearby from which a pixel belongs to a glyph.
SOLID = 0.42
# Added to the distance of a glyph without its strike: a bar of a 4 is none, one that sticks out surely is.
DOUBTFUL_STRIKE, SURE_STRIKE = 0.25, -0.4
# Nothing farther than this from every digit (see `digits.Glyph.distance`) is taken for one.
FARTHEST = 1.9


@dataclass(frozen=True)
class Letter:
    """A digit on the picture: where, which, and its colour (BGR)."""

    box: Box
    glyph: digits.Glyph
    colour: tuple[float, float, float]
    struck: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        return self.box.left + self.box.width / 2, self.box.top + self.box.height / 2


def local_ink(pixels: Pixels, size_px: float) -> npt.NDArray[np.float32]:
    """How far every pixel is from the median of its neighbourhood, in levels; size_px: the neighbourhood."""
    size = min(max(int(size_px) | 1, 5), 255)
    # The edge is replicated by medianBlur; a small region keeps its own colour.
    background = cv2.medianBlur(np.ascontiguousarray(pixels), size)
    away: npt.NDArray[np.float32] = strongest(cv2.absdiff(pixels, background)).astype(np.float32)
    return away


def read_letters(pixels: Pixels, region: Box, size_px: float) -> list[Letter]:
    """The digits in the region, in no order.

    size_px: about the room that a digit has (the pitch of the board); glyphs are 0.22 to 1.05 times as high.
    """
    if region.width < 3 or region.height < 3:
        return []
    part = pixels[region.top : region.top + region.height, region.left : region.left + region.width]
    away = local_ink(part, 1.1 * size_px)
    reach = max(int(size_px) | 1, 3)
    strongest = cv2.dilate(away, np.ones((reach, reach), np.uint8))
    ink = (away / np.maximum(strongest, LEAST_CONTRAST)).astype(np.float32)
    _, names, stats, _ = cv2.connectedComponentsWithStats((ink >= SOLID).astype(np.uint8), connectivity=8)
    boxes, inks = [], []
    for name, (left, top, width, height, area) in enumerate(stats.tolist()):
        wanted = 0.22 * size_px <= height <= 1.05 * size_px and height >= digits.LEAST_HEIGHT_PX
        # What touches the edge is part of something else: the frame of the board, a window.
        wanted = wanted and left > 0 and top > 0 and left + width < region.width
        wanted = wanted and top + height < region.height
        if name == 0 or not wanted or width > 3.2 * height or area > 0.92 * width * height > 40 + height * 4:
            continue
        # One px around keeps the soft edge; ink of neighbours does not count.
        box = Box(max(left - 1, 0), max(top - 1, 0), width + 2, height + 2)
        own = names[box.top : box.top + box.height, box.left : box.left + box.width] == name
        own = cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        boxes.append(Box(left, top, width, height))
        inks.append(np.where(own, digits.crop(ink, box), 0).astype(np.float32))
    return [
        Letter(
            Box(box.left + region.left, box.top + region.top, box.width, box.height), glyph, colour, struck
        )
        for box, glyph, colour, struck in _best(part, away, boxes, inks)
    ]


def _best(
    part: Pixels, away: npt.NDArray[np.float32], boxes: Sequence[Box], inks: Sequence[digits.Ink]
) -> list[tuple[Box, digits.Glyph, tuple[float, float, float], bool]]:
    """Every blob as it is, without a strike, or as several digits that touch: what reads best."""
    ways: list[tuple[int, bool, float, list[tuple[Box, digits.Ink]]]] = []
    for i, (box, ink) in enumerate(zip(boxes, inks, strict=True)):
        for struck in (False, True):
            taken_out = without_strike(ink) if struck else (ink, False)
            if taken_out is None:
                continue
            clean, sticks_out = taken_out
            pieces = [
                (Box(box.left - 1 + b.left, box.top - 1 + b.top, b.width, b.height), digits.crop(clean, b))
                for b in digits.split_glyphs(clean)
                if b.height >= max(digits.LEAST_HEIGHT_PX, 0.5 * box.height)
            ]
            if 1 <= len(pieces) <= 3:
                ways.append(
                    (i, struck, 0.0 if not struck else SURE_STRIKE if sticks_out else DOUBTFUL_STRIKE, pieces)
                )
    glyphs = iter(digits.read_glyphs([ink for *_, pieces in ways for _, ink in pieces]))
    best: dict[int, tuple[float, list[tuple[Box, digits.Glyph, bool]]]] = {}
    for i, struck, cost, pieces in ways:
        read = [(box, next(glyphs), struck) for box, _ in pieces]
        worst = max(g.distance for _, g, _ in read) + cost
        if i not in best or worst < best[i][0]:
            best[i] = worst, read
    return [
        (box, glyph, _colour(part, away, box), struck)
        for worst, read in best.values()
        if worst <= FARTHEST
        for box, glyph, struck in read
    ]


def _colour(part: Pixels, away: npt.NDArray[np.float32], box: Box) -> tuple[float, float, float]:
    inside = digits.crop(away, box)
    strong = inside >= 0.8 * float(inside.max(initial=1.0))
    colours = part[box.top : box.top + box.height, box.left : box.left + box.width][strong]
    blue, green, red = np.median(colours, axis=0) if len(colours) else (0.0, 0.0, 0.0)
    return float(blue), float(green), float(red)


def without_strike(ink: digits.Ink) -> tuple[digits.Ink, bool] | None:
    """The glyph without the line through its middle, and whether the line sticks out; None without a line."""
    box = digits.ink_box(ink)
    if box is None or box.height < 7:
        return None
    inside = digits.crop(ink, box)
    full = (inside > digits.HALO).mean(axis=1) >= 0.93
    low, high = int(0.3 * box.height), int(0.72 * box.height)
    rows = [r for r in range(low, high + 1) if full[r]]
    if not rows or rows[-1] - rows[0] + 1 > max(2, 0.25 * box.height) or full[:low].any():
        return None
    first, last = rows[0], rows[-1]
    clean = inside.copy()
    above, below = inside[max(first - 2, 0)], inside[min(last + 2, box.height - 1)]
    # Strokes that cross the line go on above or below it.
    through = np.maximum(
        cv2.dilate(above[None], np.ones((1, 3), np.uint8))[0] * (above.max() > 0),
        cv2.dilate(below[None], np.ones((1, 3), np.uint8))[0],
    )
    for row in range(max(first - 1, 0), min(last + 2, box.height)):
        clean[row] = np.minimum(inside[row], through)
    rest = np.concatenate((inside[: max(first - 1, 0)], inside[last + 2 :])) > digits.HALO
    columns = np.flatnonzero(rest.any(axis=0))
    if len(columns) == 0:
        return None
    # The bar of a 4 ends where its diagonal ends; a strike goes on at both sides.
    out = min(int(columns[0]), box.width - 1 - int(columns[-1]))
    return np.ascontiguousarray(clean), out >= max(1.0, 0.06 * box.height)
