"""A later look at a ring puzzle that has been read before: what has come into its blanks since was entered.

Rings, regions and the stock stand. Only the middles of the blanks, the tiles, and whether the rest is still drawn are
looked at; whatever is not plain there is left to a full look.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from solver.rings import Entries, Rings, check
from vision.colour import away_from, common_colour
from vision.digits import Ink, read_numbers
from vision.frame import Box, Frame, Pixels, Point
from vision.readers.rings.figure import Circle, beyond, box_of
from vision.readers.rings.question import tell_marks
from vision.readers.rings.writing import crop
from vision.reading import Control, Mark, Reading
from vision.track import Changes, later

# Ink of a number, 0..255; a number as sure as this is believed without a full look.
LEAST_INK, SURE = 60.0, 0.95
# Elsewhere in the figure no more px of ink may come or go than this share of a digit's square.
MOST_CHANGED = 0.06
# A region is looked at to so much of its depth, and to so many heights of a digit: targets on lines reach into it. A
# tile's number lies within this share of a radius.
DEPTH, REACH, TILE = 0.92, 1.25, 0.12


def reread(frame: Frame, earlier: Reading[Rings, Entries]) -> Reading[Rings, Entries] | None:
    """A later frame of a board that has been read; None where it has to be read anew."""
    return None if earlier.doubtful else later(frame, earlier, _tracked)


def _tracked(
    frame: Frame, earlier: Reading[Rings, Entries], changed: Changes
) -> Reading[Rings, Entries] | None:
    """The reading with what stands in the blanks now; None where that is not plain."""
    del changed  # all blanks and tiles take no longer than finding out which of them changed
    puzzle, pixels = earlier.puzzle, frame.pixels
    spots = _spots(earlier)
    if not _same_elsewhere(earlier, pixels, spots):
        return None
    blanks = list(puzzle.blanks)
    inks = [_ink_at(pixels, at, reach) for at, reach in spots]
    shown = {region: ink for region, ink in zip(blanks, inks, strict=True) if ink is not None}
    numbers = read_numbers(list(shown.values()))
    marks = dict.fromkeys(blanks, Mark("", 1.0, state="free"))
    for region, number, told in zip(shown, numbers, tell_marks(list(shown.values()), numbers), strict=True):
        if told == "mark" and earlier.facts["question_marks"]:
            continue
        if told != "digit" or number.confidence < SURE or number.value not in puzzle.numbers:
            return None
        marks[region] = Mark(str(number.value), number.confidence, str(number.runner_up or ""), "placed")
    placed = {region: int(mark.symbol) for region, mark in marks.items() if mark.symbol}
    controls = _controls(pixels, earlier, placed)
    if controls is None:
        return None
    return replace(
        earlier,
        placed=placed,
        marks={region: marks.get(region, mark) for region, mark in earlier.marks.items()},
        controls=controls,
        finished=len(placed) == len(blanks) and not check(puzzle, placed),
        seen=replace(earlier.seen, pixels=pixels),
    )


def _circles(reading: Reading[Rings, Entries]) -> list[Circle]:
    return [Circle(ring.x, ring.y, ring.radius) for ring in reading.puzzle.rings]


def _spots(reading: Reading[Rings, Entries]) -> list[tuple[Point, float]]:
    """Where the number of each blank is looked for, and how far around, px."""
    centres = [reading.geometry.centres[region] for region in reading.puzzle.blanks]
    away = np.abs(beyond(_circles(reading), centres))
    depths = away.min(axis=1, initial=np.inf) - reading.facts["line_px"] / 2
    reaches = np.minimum(DEPTH * depths, REACH * reading.facts["digit_px"])
    return list(zip(centres, reaches.tolist(), strict=True))


def _same_elsewhere(
    earlier: Reading[Rings, Entries], pixels: Pixels, spots: Sequence[tuple[Point, float]]
) -> bool:
    """Whether the figure is drawn as it was, but for the blanks. A line may have changed its colour."""
    window = box_of(_circles(earlier)).clipped((pixels.shape[1], pixels.shape[0]))
    ground = common_colour(crop(pixels, earlier.area))
    now, was = (
        np.asarray(away_from(crop(each, window), ground) > LEAST_INK, np.uint8)
        for each in (pixels, earlier.seen.first)
    )
    wide = np.ones((3, 3), np.uint8)
    off = np.asarray((now > cv2.dilate(was, wide)) | (was > cv2.dilate(now, wide)), np.uint8)
    for at, reach in spots:
        middle = (round(at.x - window.left - 0.5), round(at.y - window.top - 0.5))
        cv2.circle(off, middle, math.ceil(reach), 0, -1)
    return cv2.countNonZero(off) <= MOST_CHANGED * earlier.facts["digit_px"] ** 2


def _ink_at(pixels: Pixels, at: Point, reach: float) -> Ink | None:
    """What is written around a place, 0..1, within so many px; None for nothing."""
    half = max(1, math.floor(reach))
    left, top = round(at.x) - half, round(at.y) - half
    seen = crop(pixels, Box(left, top, 2 * half, 2 * half))
    if not seen.size:
        return None
    across = np.arange(seen.shape[1]) + max(0, left) + 0.5 - at.x
    down = np.arange(seen.shape[0]) + max(0, top) + 0.5 - at.y
    away = away_from(seen, np.median(seen.reshape(-1, 3), axis=0))
    away[(across**2)[None, :] + (down**2)[:, None] > reach * reach] = 0
    strongest = int(away.max(initial=0))
    return away.astype(np.float32) / np.float32(strongest) if strongest >= LEAST_INK else None


def _controls(
    pixels: Pixels, earlier: Reading[Rings, Entries], placed: Entries
) -> Mapping[str, Control] | None:
    """The tiles that are still there; None where others have come back, or which are gone cannot be told."""
    stock, gone = Counter(earlier.puzzle.numbers), {}
    cleared = [number for region, number in earlier.placed.items() if placed.get(region) != number]
    if any(str(number) not in earlier.controls for number in cleared):
        return None
    half = max(3, round(TILE * min(ring.radius for ring in earlier.puzzle.rings)))
    for name, control in earlier.controls.items():
        window = crop(pixels, Box(round(control.at.x) - half, round(control.at.y) - half, 2 * half, 2 * half))
        if (away_from(window, np.median(window.reshape(-1, 3), axis=0)) > LEAST_INK).any():
            continue
        # Another tile of that number may be elsewhere.
        if stock[int(name)] > 1 and placed != earlier.placed:
            return None
        gone[name] = control
    return {name: one for name, one in earlier.controls.items() if name not in gone}
