"""The arrow to the next level in the bar above the board, and the colour wheel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from vision.colour import nearest_hue, strongest
from vision.components import components
from vision.frame import Box, Pixels, Point
from vision.readers.algemy.gems import HUES
from vision.readers.algemy.paper import Paper
from vision.reading import Control

WHEEL = "ROYGBV"
WHEEL_OUTER, WHEEL_TAP = 1.05, 0.75
# Places of the wheel that must have their sector's hue; the rest may lie under a finger mark or off the
# screen.
WHEEL_AGREEMENT = 0.75
# A grey arrow was tapped a moment ago, or leads nowhere.
ACTIVE_VALUE = 100
# The bar above the board is this high at least, and a frame in it this wide, and as high as wide to this share.
LEAST_BAR_PX, LEAST_FRAME_PX, FRAME_SQUARE = 16, 12, 0.12
# A frame has this share of its sides; an arrow in it so many columns, between these shares of the inside.
FRAMED, LEAST_COLUMNS, LEAST_ARROW, MOST_ARROW = 0.9, 5, 0.04, 0.8
# Above its middle it is as below, to this share of its px; its tip has at most this share of the height of its other end.
EVEN, TIP = 0.75, 0.6
# A place of the wheel has so much chroma (levels), and so many of them must be on the picture.
WHEEL_CHROMA, LEAST_SEEN = 60.0, 9


def next_arrow(sheet: Paper, board_top: float) -> Control | None:
    """The framed arrow that points right, above the board; None when it is not seen."""
    height, width = sheet.ink.shape
    above = max(0, min(height, int(board_top)))
    if above < LEAST_BAR_PX:
        return None
    marks = sheet.ink[:above].astype(np.uint8)
    stats = components(marks).stats
    largest = 0.2 * min(width, height)
    found: list[tuple[int, Box]] = []
    for row in stats[1:]:
        box = Box(*(int(part) for part in row[:4]))
        if LEAST_FRAME_PX <= box.width <= largest and abs(box.width - box.height) <= max(
            2, FRAME_SQUARE * box.width
        ):
            found.append((box.left, box))
    for _, box in sorted(found, reverse=True):
        if _points_right(sheet, box):
            inside = strongest(sheet.pixels)[box.window]
            active = float(np.percentile(inside, 2)) < ACTIVE_VALUE
            return Control(box.centre, active=active)
    return None


def _points_right(sheet: Paper, box: Box) -> bool:
    """Whether there is a frame with something in it that is even about its middle height and ends in a tip."""
    margin = max(2, round(0.14 * box.width))
    whole = sheet.ink[box.window]
    inside = whole[margin:-margin, margin:-margin]
    frame = np.concatenate(
        [
            whole[:margin].any(axis=0),
            whole[-margin:].any(axis=0),
            whole[:, :margin].any(axis=1),
            whole[:, -margin:].any(axis=1),
        ]
    )
    cols = np.flatnonzero(inside.any(axis=0))
    if float(frame.mean()) < FRAMED or cols.size < LEAST_COLUMNS:
        return False
    if not LEAST_ARROW < float(inside.mean()) < MOST_ARROW:
        return False
    flipped = inside[::-1]
    if float((inside & flipped).sum()) < EVEN * float((inside | flipped).sum()):
        return False
    extent = [int(np.ptp(np.flatnonzero(inside[:, col]))) + 1 if inside[:, col].any() else 0 for col in cols]
    part = max(1, cols.size // 8)
    return float(np.mean(extent[-part:])) < TIP * float(np.mean(extent[:part]))


def open_wheel(pixels: Pixels, centres: Sequence[Point], pitch_px: float) -> tuple[int | None, str]:
    """The cell that a wheel is open on and its sectors, "RYB" or "ROYGBV"; (None, "") when there is none."""
    six, three = (_agreement(pixels, centres, pitch_px, *kind) for kind in ((WHEEL, 20.0), ("RYB", 45.0)))
    open_on = np.flatnonzero(np.maximum(six, three) >= WHEEL_AGREEMENT)
    if not len(open_on):
        return None, ""
    return int(open_on[0]), WHEEL if six[open_on[0]] >= three[open_on[0]] else "RYB"


def _agreement(
    pixels: Pixels, centres: Sequence[Point], pitch_px: float, colours: str, spread_deg: float
) -> npt.NDArray[np.float64]:
    """(n,) share of places on the ring around each cell that have their sector's hue; 0 where too few are seen, or coloured."""
    height, width = pixels.shape[:2]
    names, ways = _ring(colours, spread_deg)
    x, y = np.moveaxis((np.array(centres)[:, None] + pitch_px * ways).astype(np.int64), 2, 0)
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    paints = pixels[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].astype(np.int16)
    strong = inside & (np.ptp(paints, axis=2) > WHEEL_CHROMA)
    there, found = inside.sum(axis=1), np.zeros(len(centres))
    # Most cells have no colour around them.
    coloured = (there >= LEAST_SEEN) & (strong.sum(axis=1) >= WHEEL_AGREEMENT * there)
    for cell in np.flatnonzero(coloured).tolist():
        places = zip(paints[cell, strong[cell]].tolist(), names[strong[cell]], strict=True)
        good = sum(nearest_hue((blue, green, red), HUES).name == name for (blue, green, red), name in places)
        found[cell] = good / there[cell]
    return found


@cache
def _ring(colours: str, spread_deg: float) -> tuple[npt.NDArray[np.str_], npt.NDArray[np.float64]]:
    """(n,) the sectors, and (n, 2) the way from the middle, in cells, of places on the ring."""
    places = list(product(colours, (0.55, 0.75, 0.9), (-spread_deg, 0.0, spread_deg)))
    angles = [math.radians(60 * WHEEL.index(colour) + turn) for colour, _, turn in places]
    reach = np.array([radius for _, radius, _ in places])
    return np.array([colour for colour, _, _ in places]), reach[:, None] * np.column_stack(
        [np.sin(angles), -np.cos(angles)]
    )


def wheel_controls(centre: Point, pitch_px: float, colours: str) -> dict[str, Control]:
    """Where to tap for each colour."""
    controls = {}
    for colour in colours:
        angle = math.radians(60 * WHEEL.index(colour))
        reach = WHEEL_TAP * pitch_px
        controls[colour] = Control(
            Point(centre.x + reach * math.sin(angle), centre.y - reach * math.cos(angle))
        )
    return controls
