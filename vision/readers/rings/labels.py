"""The numbers on a ring figure: what is ink and no ring line, joined to words, on plates or on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.digits import Ink, ink_box, ink_of, read_numbers
from vision.frame import Box, Pixels, Point
from vision.readers.rings.circles import Gray
from vision.readers.rings.figure import Circle

# Below this a number is not believed.
SURE = 0.5
LEAST_DIGIT_PX = 5
# The gap above a question mark's dot has less than this share of the ink of its strongest row.
DOT_GAP = 0.62
# Sides of a plate in ring radii: anything smaller is a dot; larger ones are no digits.
LEAST_PLATE = 0.1
ROUND_PLATE = 0.34
Kind = Literal["number", "question", "empty", "unclear"]


@dataclass(frozen=True)
class Label:
    """Something written, or an empty plate.

    kind: "question" is a question mark, "empty" a plate with nothing on it, "unclear" no number we know.
    saturation: of the ink, 0 grey .. 255; plate: it stands on a filled or framed rectangle.
    """

    box: Box
    kind: Kind
    value: int | None
    confidence: float
    runner_up: int | None
    saturation: float
    plate: bool

    @property
    def at(self) -> Point:
        return self.box.centre


@dataclass(frozen=True)
class _Word:
    box: Box
    ink: Ink
    colour: npt.NDArray[np.float64]
    plate: bool


def find_labels(pixels: Pixels, ink: Gray, circles: Sequence[Circle], line_px: float) -> list[Label]:
    """Every number, question mark and empty plate of the picture."""
    radius = float(np.median([circle.radius for circle in circles]))
    limit = max(26.0, 0.28 * float(np.percentile(ink, 99.5)))
    mask = (ink > limit).astype(np.uint8)
    parts = _parts(mask)
    parts = _without_lines(mask, parts, circles, line_px)
    plates = [box for box in parts if _is_plate(mask, box, radius)]
    loose = [
        box
        for box in parts
        if box not in plates
        and not any(_inside(box, plate) for plate in plates)
        and 2 <= box.height <= 0.6 * radius
        and box.width <= 0.8 * radius
    ]
    words = [_word(pixels, group, plate=False) for group in _join(loose)]
    empty: list[Label] = []
    for plate in plates:
        word = _on_plate(pixels, plate)
        if word is None:
            empty.append(Label(plate, "empty", None, 1.0, None, 0.0, True))
        else:
            words.append(word)
    words = [word for word in words if word.box.height >= LEAST_DIGIT_PX]
    numbers = read_numbers([word.ink for word in words])
    labels = list(empty)
    for word, number in zip(words, numbers, strict=True):
        kind: Kind = "number"
        if _is_question(word):
            kind = "question"
        elif number.value is None or number.confidence < SURE:
            kind = "unclear"
        saturation = float(word.colour.max() - word.colour.min())
        value = number.value if kind == "number" else None
        labels.append(
            Label(word.box, kind, value, number.confidence, number.runner_up, saturation, word.plate)
        )
    return labels


def _parts(mask: npt.NDArray[np.uint8]) -> list[Box]:
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return [Box(*(int(stats[i, j]) for j in range(4))) for i in range(1, count) if stats[i, 4] >= 2]


def _without_lines(
    mask: npt.NDArray[np.uint8], parts: Sequence[Box], circles: Sequence[Circle], line_px: float
) -> list[Box]:
    """The parts that are no ring line. What touches a line is cut off it at the line's edge."""
    radius = float(np.median([circle.radius for circle in circles]))
    long = np.zeros_like(mask)
    count, found, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    labels = np.asarray(found, np.int32)
    touching = [
        i
        for i in range(1, count)
        if _is_line(labels, np.asarray(stats[i], np.int32), i, circles, line_px, radius)
    ]
    if not touching:
        return list(parts)
    ids = np.isin(labels, touching)
    long[ids] = 1
    for circle in circles:
        centre = (round((circle.x - 0.5) * 16), round((circle.y - 0.5) * 16))
        width = max(3, int(np.ceil(line_px + 3)))
        cv2.circle(long, centre, round(circle.radius * 16), 0, width, cv2.LINE_8, 4)
    rest = mask.copy()
    rest[ids] = 0
    crumbs = [box for box in _parts(long) if box.height >= LEAST_DIGIT_PX and min(box.width, box.height) >= 2]
    return _parts(rest) + crumbs


def _is_line(
    labels: npt.NDArray[np.int32],
    stats: npt.NDArray[np.int32],
    part: int,
    circles: Sequence[Circle],
    line_px: float,
    radius: float,
) -> bool:
    """Whether most of a part runs along the rings; short pieces between two plates count too."""
    left, top, width, height, area = (int(value) for value in stats)
    if area < 3:
        return False
    window = labels[top : top + height, left : left + width] == part
    rows, columns = np.nonzero(window)
    if len(rows) > 4000:
        chosen = np.linspace(0, len(rows) - 1, 4000).astype(np.int64)
        rows, columns = rows[chosen], columns[chosen]
    xs, ys = columns + left + 0.5, rows + top + 0.5
    away = np.full(len(xs), np.inf)
    for circle in circles:
        away = np.minimum(away, np.abs(np.hypot(xs - circle.x, ys - circle.y) - circle.radius))
    if max(width, height) > 0.7 * radius:
        return float((away <= line_px / 2 + 1.5).mean()) > 0.5
    # A digit of a target on the line is wider than the line.
    return float((away <= line_px / 2 + 0.75).mean()) > 0.95


def _is_plate(mask: npt.NDArray[np.uint8], box: Box, radius: float) -> bool:
    """A filled or framed rectangle: ink along all four sides, but for the corners."""
    if (
        min(box.width, box.height) < max(8.0, LEAST_PLATE * radius)
        or max(box.width, box.height) > 1.5 * radius
    ):
        return False
    # Bold digits with straight sides are narrower.
    if box.width < 0.85 * box.height:
        return False
    # Large rectangles may have round corners; a small one with round corners may be an 8.
    corner = 0.2 if box.height > ROUND_PLATE * radius else 0.08
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


def _on_plate(pixels: Pixels, plate: Box) -> _Word | None:
    inset = max(2, round(0.1 * min(plate.width, plate.height)))
    area = Box(plate.left + inset, plate.top + inset, plate.width - 2 * inset, plate.height - 2 * inset)
    ink = ink_of(pixels[area.top : area.top + area.height, area.left : area.left + area.width])
    if float(ink.max(initial=0.0)) <= 0.0:
        return None
    parts = [
        Box(area.left + b.left, area.top + b.top, b.width, b.height)
        for b in _parts((ink > 0.4).astype(np.uint8))
        if b.height >= 2
    ]
    tall = [b for b in parts if b.height >= LEAST_DIGIT_PX]
    return _word(pixels, parts, plate=True) if tall else None


def _join(parts: Sequence[Box]) -> list[list[Box]]:
    """Digits side by side make a number; a dot under a hook makes a question mark."""
    groups: list[list[Box]] = []
    for box in sorted(parts):
        home = next((g for g in groups if any(_belongs(box, other) for other in g)), None)
        if home is None:
            groups.append([box])
        else:
            home.append(box)
            for other in [g for g in groups if g is not home]:
                if any(_belongs(box, b) for b in other):
                    home += other
                    groups.remove(other)
    return groups


def _belongs(one: Box, other: Box) -> bool:
    tall = max(one.height, other.height)
    across = max(one.left, other.left) - min(one.left + one.width, other.left + other.width)
    down = max(one.top, other.top) - min(one.top + one.height, other.top + other.height)
    beside = across < 0.42 * tall and -down > 0.7 * min(one.height, other.height)
    if beside and min(one.height, other.height) > 0.75 * tall:
        return True
    # Parts of one glyph: a dot under its hook, a digit broken by noise.
    return across < 0 and down < 0.4 * tall and min(one.height, other.height) < 0.45 * tall


def _inside(box: Box, plate: Box) -> bool:
    return plate.contains(box.centre)


def _word(pixels: Pixels, parts: Sequence[Box], *, plate: bool) -> _Word:
    left, top = min(b.left for b in parts), min(b.top for b in parts)
    right, bottom = max(b.left + b.width for b in parts), max(b.top + b.height for b in parts)
    box = Box(left, top, right - left, bottom - top)
    pad = 1
    y0, x0 = max(0, top - pad), max(0, left - pad)
    crop = pixels[y0 : bottom + pad, x0 : right + pad]
    ground = np.median(
        np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]]).astype(np.float64), axis=0
    )
    ink = ink_of(crop, tuple(float(channel) for channel in ground))
    strong = crop[ink >= 0.85 * max(float(ink.max(initial=0.0)), 1e-6)].astype(np.float64)
    colour = np.median(strong, axis=0) if len(strong) else ground
    return _Word(box, ink, colour, plate)


def _is_question(word: _Word) -> bool:
    """A hook with a dot below it: no digit has a row without strong ink between its top and its foot."""
    box = ink_box(word.ink)
    if box is None or box.height < LEAST_DIGIT_PX or box.width > 1.1 * box.height:
        return False
    rows = word.ink[box.top : box.top + box.height].max(axis=1)
    gap_rows = rows[round(0.5 * box.height) : max(round(0.92 * box.height), 1)]
    return float(gap_rows.min(initial=1.0)) < DOT_GAP * float(rows.max())
