"""Plates: the tiles of the stock, boxes for blanks, tags of targets - rectangles, filled or framed.

A frame that touches the line of a ring is no shape of its own; but the ground that it encloses is.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Box
from vision.readers.rings.ground import Gray
from vision.readers.rings.lines import Lines

# Ink of a tile that is hardly seen.
FAINT_TILE = 9.0
# So many at least, and of this share of a radius: fewer and smaller ones are letters.
LEAST_TILES = 3
LEAST_TILE = 0.25
# Sides of a plate in ring radii: anything smaller is a dot; larger ones are no digits.
LEAST_PLATE = 0.1
MOST_PLATE = 1.5
ROUND_PLATE = 0.34
# A small plate is solid, or one opening takes up this share of it.
SOLID, OPEN = 0.9, 0.35
# What a frame encloses is a rectangle but for its corners; the parts of the rings' own figure have curved sides.
ENCLOSED = 0.93
MOST_FRAME = 0.9
# In a filled ring a frame of the ring's own colour is hardly seen: this share of the usual limit.
FAINT_FRAME = 0.35
Mask = npt.NDArray[np.bool_]


def find_plates(ink: Gray, limit: float, lines: Lines, radius: float) -> list[Box]:
    """The boxes of all plates. limit: of the ink that counts; radius: of the rings, px."""
    full = ink > limit
    mask = full & ~lines.mask
    plates = [box for box in parts_of(full) if is_plate(full, box, radius)]
    for box in [
        *(box for box in parts_of(mask) if is_plate(mask, box, radius)),
        *_framed(full, lines, radius),
        *_framed(ink > FAINT_FRAME * limit, lines, radius),
        *_faint_tiles(ink, lines, radius),
    ]:
        if not any(plate.contains(box.centre) for plate in plates):
            plates.append(box)
    return plates


def _framed(full: Mask, lines: Lines, radius: float) -> list[Box]:
    """Rectangles of ground with something on them, inside a frame that crosses the line of a ring."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((~full).astype(np.uint8), connectivity=4)
    least, most = max(8.0, LEAST_PLATE * radius), MOST_FRAME * radius
    found = []
    for i in range(1, count):
        x, y, width, height, area = (int(value) for value in stats[i])
        if not (least <= height <= most and least <= width <= most) or area < 0.3 * width * height:
            continue
        ground = (labels[y : y + height, x : x + width] == i).astype(np.uint8)
        outlines, _ = cv2.findContours(ground, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[-2:]
        filled = cv2.drawContours(np.zeros_like(ground), list(outlines), -1, 1, cv2.FILLED)
        box = Box(x - 1, y - 1, width + 2, height + 2)
        written = int(filled.sum()) - area
        on_line = lines.gap_px(*box.centre) < height / 2
        if filled.mean() >= ENCLOSED and written > 0.02 * area and on_line:
            found.append(box)
    return found


def is_plate(mask: Mask, box: Box, radius: float) -> bool:
    """A filled or framed rectangle: ink along all four sides, but for the corners."""
    if (
        min(box.width, box.height) < max(8.0, LEAST_PLATE * radius)
        or max(box.width, box.height) > MOST_PLATE * radius
    ):
        return False
    # Bold digits with straight sides are narrower.
    if box.width < 0.85 * box.height:
        return False
    # Large rectangles may have round corners; a small one with round corners may be an 8.
    if not has_straight_sides(mask, box, 0.2 if box.height > ROUND_PLATE * radius else 0.08):
        return False
    return box.height > ROUND_PLATE * radius or _is_full_or_framed(mask, box)


def has_straight_sides(mask: Mask, box: Box, corner: float) -> bool:
    """Whether there is ink along all four sides. corner: this share of a side may be missing at either end."""
    x0, x1 = box.left + round(corner * box.width), box.left + round((1 - corner) * box.width)
    y0, y1 = box.top + round(corner * box.height), box.top + round((1 - corner) * box.height)
    right, bottom = box.left + box.width, box.top + box.height
    sides = (
        mask[box.top : box.top + 2, x0:x1].max(axis=0),
        mask[bottom - 2 : bottom, x0:x1].max(axis=0),
        mask[y0:y1, box.left : box.left + 2].max(axis=1),
        mask[y0:y1, right - 2 : right].max(axis=1),
    )
    return all(float(side.mean()) >= 0.9 for side in sides)


def _is_full_or_framed(mask: Mask, box: Box) -> bool:
    """Whether a small rectangle is one: an 8 with straight sides has two holes, each much smaller."""
    window = mask[box.top : box.top + box.height, box.left : box.left + box.width].astype(np.uint8)
    if float(window.mean()) >= SOLID:
        return True
    _, labels, stats, _ = cv2.connectedComponentsWithStats(window, connectivity=8)
    outline = labels == 1 + int(np.argmax(stats[1:, 2] * stats[1:, 3]))
    _, _, holes, _ = cv2.connectedComponentsWithStats((~outline).astype(np.uint8), connectivity=4)
    return float(holes[1:, 4].max(initial=0)) >= OPEN * window.size


def _faint_tiles(ink: Gray, lines: Lines, radius: float) -> list[Box]:
    """Tiles below the figure that are hardly darker than the ground, and no plates at the usual limit."""
    bottom = int(max(c.y + c.radius + lines.line_px for c in lines.circles)) + 2
    below = ink[bottom:] > max(FAINT_TILE, 4 * float(np.median(ink[::3, ::3])))
    boxes = [box for box in parts_of(below) if is_plate(below, box, radius)]
    width, height = (float(np.median([box[side] for box in boxes] or [0])) for side in (2, 3))
    # Tiles are all alike, round letters are not.
    alike = [b for b in boxes if abs(b.width - width) <= 2 and abs(b.height - height) <= 2]
    if len(alike) < LEAST_TILES or len(alike) < len(boxes) or min(width, height) < LEAST_TILE * radius:
        return []
    return [Box(box.left, box.top + bottom, box.width, box.height) for box in alike]


def parts_of(mask: Mask) -> list[Box]:
    """The boxes of what hangs together, corners included; single pixels are nothing."""
    if not mask.size:
        # OpenCV crashes on an empty picture: nothing is below a figure that is cut off.
        return []
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    return [Box(*(int(stats[i, j]) for j in range(4))) for i in range(1, count) if stats[i, 4] >= 2]
