"""Cuts what is written on a ring figure out of the picture: the lines of the rings, plates, and words of digits.

Along every circle the picture is sampled at the middle of the line. Long runs of ink are the line; what is between two
of them is a gap, and ink in a gap is writing, even where it runs along the line as the stroke of a 1 does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.components import components
from vision.errors import UncertainReading
from vision.frame import Box
from vision.grids import runs
from vision.readers.rings.circles import sampled
from vision.readers.rings.figure import Circle, beyond

T = TypeVar("T", bound=np.generic)
Mask = npt.NDArray[np.bool_]
Ink = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]

# What counts as ink, 0..255: so much at least, this share of the strongest, and so many times the usual noise.
LEAST_INK, OF_STRONGEST, OF_NOISE = 26.0, 0.28, 3.2
# Shorter runs of ink, in radii, are strokes of writing, or crumbs of line between two numbers on it.
LEAST_RUN = 0.28
ANGLES = 720
# Antialiased edges of a line reach this far beyond its measured width, px.
EDGE_PX = 1.5
# Writing is at most so large, in radii; what is larger, on the rings, is a line of something else
# if so much of it is off their lines.
HIGHEST, WIDEST, STRANGE = 0.5, 0.7, 0.5
# Plates are looked for on a picture whose rings have this radius, in px, and where their ground is off the picture's by
# so many levels; they are of so many radii, and full but for round corners. A digit is narrower than a plate.
PLATE_RADIUS_PX = 40.0
LEAST_PLATE_INK = 8.0
LEAST_PLATE, MOST_PLATE, FULL, SQUARE = 0.12, 1.2, 0.9, 0.85
# On the whole picture a large one is as full as the first, a small one as the second: a bold digit is not.
SOLID, ALL_SOLID, LARGE_PLATE = 0.85, 0.96, 0.3
# Digits of one number: the gap between them, or the distance of their middles, in heights.
NEAR_GAP, NEAR_PITCH, SAME_HEIGHT = 0.37, 1.1, 0.75
# Smaller parts are specks; a small part so near above or below another, in heights of that, is a piece of it.
LEAST_PART_PX, PIECE, PIECE_GAP = 3, 0.45, 0.4
# A left-over of a line is no larger than so many line widths.
LEFT_OVER = 1.5
# A line is drawn where it has more than this share of its usual ink.
DRAWN = 0.5
# Ink inside rings that is further than this many line widths from all lines is none of theirs.
OFF_LINES = 1.5
# The least side of a plate, px; two boxes are the same where each side is this share of the other's; a plate's rows and columns
# are full from the third on.
LEAST_PLATE_PX, SAME_SIDE, FULL_ROWS = 4, 0.75, 0.5
# Parts of one number share this much of the lower one's height.
LEVEL = 0.7


@dataclass(frozen=True, eq=False)
class Word:
    """Parts of writing that make one number or sign, or a plate; parts: none for an empty plate."""

    box: Box
    parts: tuple[Box, ...]
    plate: Box | None = None


@dataclass(frozen=True, eq=False)
class Written:
    """What is on the picture but for the rings' lines.

    drawn: (circles, ANGLES) where the line of a ring is there. mask: (H, W) what counts
    as ink, without the lines; ink: (H, W), 0..255.
    """

    words: tuple[Word, ...]
    drawn: Mask
    mask: Mask
    ink: Ink


def find_writing(ink: Ink, circles: Sequence[Circle], line_px: float) -> Written:
    """Everything written on or around a figure. ink: (H, W), 0..255.

    Raises UncertainReading for filled rings, and for something large on the rings that is none of them.
    """
    thinned = ink[::3, ::3]
    noise = OF_NOISE * float(np.median(thinned))
    limit = max(LEAST_INK, OF_STRONGEST * float(np.percentile(thinned, 99.5)), noise)
    lines, drawn = _lines(ink, circles, line_px)
    mask = (ink > limit) & ~lines
    radius = float(np.median([c.radius for c in circles]))
    names, stats = components(mask.view(np.uint8))
    large = (stats[:, 3] > HIGHEST * radius) | (stats[:, 2] > WIDEST * radius)
    for name in np.flatnonzero(large[1:]) + 1:
        _refuse_strange(
            np.asarray(names, np.int32), int(name), Box(*stats[name, :4].tolist()), circles, line_px
        )
    boxes = np.asarray(stats[~large & (stats[:, 4] >= LEAST_PART_PX), :4], np.int32)
    plates = _plates(ink, lines, mask, radius)
    small = boxes[boxes[:, 3] >= LEAST_PART_PX].tolist()
    parts, standing = _by_plate([Box(*row) for row in small], plates)
    words = [Word(Box.around(*some) if some else plate, tuple(some), plate) for plate, some in standing]
    away = beyond(circles, [box.centre for box in parts])
    nearest = np.abs(away).min(axis=1, initial=np.inf)
    crumbs = [
        box for box, gap in zip(parts, nearest, strict=True)
        if gap < line_px / 2 + EDGE_PX + 1 and max(box.width, box.height) <= LEFT_OVER * line_px
    ]  # fmt: skip
    for group in _joined([box for box in parts if box not in crumbs]):
        words.append(Word(Box.around(*group), tuple(group)))
    return Written(tuple(words), drawn, mask, ink)


def _lines(ink: Ink, circles: Sequence[Circle], line_px: float) -> tuple[Mask, Mask]:
    """(H, W) the px of the rings' lines, and (circles, ANGLES) where they are there."""
    turns = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    turn = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    near = np.array([-0.25, 0.0, 0.25]) * line_px
    along = sampled(ink, np.array(circles, np.float64), near, turn).min(axis=1)
    drawn = along > DRAWN * np.median(along, axis=1, keepdims=True)
    least = round(LEAST_RUN * ANGLES / (2 * np.pi))
    canvas = np.zeros(ink.shape, np.uint8)
    half = line_px / 2 + EDGE_PX
    for i, circle in enumerate(circles):
        runs = [(start, length) for start, length in _runs(drawn[i]) if length >= least]
        drawn[i] = False
        for start, length in runs:
            drawn[i, np.arange(start, start + length) % ANGLES] = True
            steps = 2 * np.pi / ANGLES * np.arange(start - 0.5, start + length)
            way = np.stack([np.cos(steps), np.sin(steps)], axis=1)
            band = np.concatenate([(circle.radius + half) * way, (circle.radius - half) * way[::-1]])
            outline = np.rint(16 * (band + np.array(circle[:2]) - 0.5)).astype(np.int32)
            cv2.fillPoly(canvas, [outline], 1, cv2.LINE_8, 4)
    return canvas > 0, drawn


def _runs(seen: Mask) -> list[tuple[int, int]]:
    """(start, length) of the cyclic runs of True."""
    first = int(seen.argmin())
    return [(a + first, b - a) for a, b in runs(np.roll(seen, -first)).tolist()]


def _refuse_strange(
    names: npt.NDArray[np.int32], name: int, box: Box, circles: Sequence[Circle], line_px: float
) -> None:
    """Raises UncertainReading for something larger than any writing that reaches into the rings: one not found.

    What runs along a ring is a left-over of its blurred line.
    """
    ys, xs = np.nonzero(crop(names, box) == name)
    every = max(1, len(xs) // 500)
    away = beyond(circles, np.stack([xs, ys], axis=1)[::every] + np.array(box[:2]))
    strange = (away.min(axis=1) < 0) & (np.abs(away).min(axis=1) > OFF_LINES * line_px + 2 * EDGE_PX)
    if strange.sum() > STRANGE * len(away) or strange.sum() * every > line_px * HIGHEST * circles[0].radius:
        raise UncertainReading(
            f"a line of {box.width} x {box.height} px at ({box.centre.x:.0f}, {box.centre.y:.0f}) belongs to none of"
            f" the {len(circles)} rings that were found",
            hint="show the figure alone, with all rings whole",
        )


def _plates(ink: Ink, lines: Mask, mask: Mask, radius: float) -> list[Box]:
    """Rectangles, filled or framed: tiles of the stock, boxes for blanks."""
    least, most = LEAST_PLATE * radius, MOST_PLATE * radius
    shrink = min(1.0, PLATE_RADIUS_PX / radius)
    small = cv2.resize(ink, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    found: list[Box] = []
    limit = max(LEAST_PLATE_INK, 1.25 * float(np.median(small[::2, ::2])))
    full = np.asarray(small > limit, np.uint8)
    bare = cv2.resize(lines.view(np.uint8), small.shape[::-1], interpolation=cv2.INTER_AREA)
    full[bare > 0] = 0
    names, stats = components(full, 4)
    for i, (x, y, width, height) in enumerate(stats[:, :4].tolist()):
        if (
            i == 0
            or width < SQUARE * height
            or min(width, height) < max(LEAST_PLATE_PX, least * shrink)
            or width > most * shrink
        ):
            continue
        # Digits in another colour are holes, and so is the inside of a frame.
        if _without_holes(names[y : y + height, x : x + width] == i) < FULL * width * height - 1:
            continue
        about = Box(*(round(value / shrink) for value in (x, y, width, height)))
        box = _exactly(ink, lines, about, limit)
        # Blurred digits are full on the small picture only.
        solid = SOLID if box.height >= LARGE_PLATE * radius else ALL_SOLID
        same = box.width > SAME_SIDE * about.width and box.height > SAME_SIDE * about.height
        inked = max(int((crop(ink, box) > limit).sum()), _without_holes(crop(mask, box)))
        if not same or box.width < SQUARE * box.height or inked < solid * box.width * box.height:
            continue
        if not any(_touch(box, other) for other in found):
            found.append(box)
    return found


def _exactly(ink: Ink, lines: Mask, about: Box, limit: float) -> Box:
    """A filled rectangle to the px, where it is known to a few."""
    left, top = max(0, about.left - 3), max(0, about.top - 3)
    part = (ink[top : about.bottom + 3, left : about.right + 3] > limit) & ~lines[
        top : about.bottom + 3, left : about.right + 3
    ]
    columns, rows = (np.flatnonzero(part.mean(axis=axis) > FULL_ROWS) for axis in (0, 1))
    if not len(columns) or not len(rows):
        return about
    x, y = int(columns[0]), int(rows[0])
    return Box(left + x, top + y, int(columns[-1]) - x + 1, int(rows[-1]) - y + 1)


def _without_holes(part: Mask) -> int:
    outlines = cv2.findContours(part.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[-2]
    return int(cv2.drawContours(np.zeros(part.shape, np.uint8), list(outlines), -1, 1, cv2.FILLED).sum())


def _by_plate(parts: Sequence[Box], plates: Sequence[Box]) -> tuple[list[Box], list[tuple[Box, list[Box]]]]:
    """The parts on no plate, and the plates with what stands on each."""
    standing: list[tuple[Box, list[Box]]] = [(plate, []) for plate in plates]
    if not plates or not parts:
        return list(parts), standing
    left, top, width, height = np.array(plates).T
    x, y = np.array([box.centre for box in parts]).T[:, :, None]
    on = (left <= x) & (x < left + width) & (top <= y) & (y < top + height)
    loose = [box for box, home in zip(parts, on, strict=True) if not home.any()]
    for box, home in zip(parts, on, strict=True):
        if home.any() and box not in plates:
            standing[int(home.argmax())][1].append(box)
    return loose, standing


def _touch(one: Box, other: Box) -> bool:
    return one.contains(other.centre) or other.contains(one.centre)


def _joined(parts: Sequence[Box]) -> list[list[Box]]:
    """Digits side by side make a number; a dot under a hook makes a question mark."""
    if not parts:
        return []
    at = np.array(parts, np.float64)
    left, top, width, height = at.T
    right, bottom = left + width, top + height
    across = np.maximum(left[:, None], left) - np.minimum(right[:, None], right)
    down = np.maximum(top[:, None], top) - np.minimum(bottom[:, None], bottom)
    low, tall = np.minimum(height[:, None], height), np.maximum(height[:, None], height)
    pitch = np.abs((left + right)[:, None] - (left + right)) / 2
    level = (-down > LEVEL * low) & (low > SAME_HEIGHT * tall)
    beside = level & ((across < NEAR_GAP * tall) | (pitch < NEAR_PITCH * tall))
    piece = (across < 0) & (low < PIECE * tall) & (down < PIECE_GAP * tall)
    group = list(range(len(parts)))
    for i, j in np.argwhere(np.triu(beside | piece, 1)).tolist():
        old, new = group[j], group[i]
        group = [new if name == old else name for name in group]
    found: dict[int, list[Box]] = {}
    for name, box in zip(group, parts, strict=True):
        found.setdefault(name, []).append(box)
    return list(found.values())


def crop(pixels: npt.NDArray[T], box: Box) -> npt.NDArray[T]:
    """The px of a box, cut at the picture's edge."""
    return pixels[box.clipped((pixels.shape[1], pixels.shape[0])).window]
