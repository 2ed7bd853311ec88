"""Finds the board by its lines: two families of straight lines, or the honeycomb's edges."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.components import components
from vision.frame import Box, Point
from vision.readers.algemy.found import LEAST_PITCH_PX, Found
from vision.readers.algemy.honeycomb import find_honeycomb
from vision.readers.algemy.paper import Paper
from vision.readers.algemy.squares import find_squares

# The search for a honeycomb is the dear one: only what is large is worth it.
HONEYCOMBS = 2


def find_boards(sheet: Paper, *, honeycombs: bool = True) -> Iterator[Found]:
    """Boards on the screen, larger ones first: mostly one, but frames and tables may look like a board too.

    honeycombs: whether hexagonal ones are looked for, which takes long.
    """
    for number, box in enumerate(_regions(sheet)):
        window = box.window
        ink, tint = sheet.ink[window], sheet.tint[window]
        yield from find_squares(sheet, box)
        for found in find_honeycomb(ink, tint) if honeycombs and number < HONEYCOMBS else ():
            rows = tuple(tuple(Point(at.x + box.left, at.y + box.top) for at in row) for row in found.rows)
            yield Found(found.shape, rows, found.pitch_px)


def _regions(sheet: Paper) -> Iterator[Box]:
    """Boxes around everything that hangs together, larger ones first."""
    marks = (sheet.ink | sheet.colour).astype(np.uint8)
    marks = np.asarray(cv2.dilate(marks, np.ones((3, 3), np.uint8)), np.uint8)
    stats = components(marks).stats
    boxes = [Box(*(int(part) for part in row[:4])) for row in stats[1:]]
    large = [box for box in boxes if min(box.width, box.height) >= 2 * LEAST_PITCH_PX]
    large.sort(key=lambda box: (-box.width * box.height, box))
    yield from large[:6]
