"""The numbers on a ring figure: what is ink and no ring line, joined to words, on plates or on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.digits import Ink, Number, ink_box, ink_of, read_numbers
from vision.errors import UncertainReading
from vision.frame import Box, Pixels
from vision.readers.rings.captions import is_behind, split_captions
from vision.readers.rings.ground import Gray
from vision.readers.rings.label import Kind, Label
from vision.readers.rings.lines import EDGE_PX, Lines
from vision.readers.rings.placeholders import without_placeholders
from vision.readers.rings.plates import find_plates, has_straight_sides, parts_of
from vision.readers.rings.question import Told, tell_marks
from vision.readers.rings.ranges import with_ranges
from vision.readers.rings.signs import Sign, find_signs

# Below this a number is not believed.
SURE = 0.72
LEAST_DIGIT_PX = 5
# Of the height of a digit.
WIDEST_DIGIT = 1.25
THINNEST_DIGIT = 15.0
# More parts than this are the noise of an empty plate.
MOST_PARTS = 12
# Of its height a box is so wide at least; smaller ones are not told from the blocks of pixel fonts.
BOXY, LEAST_BOX_PX, HALF_INK = 0.85, 12, 0.4
# A block is so wide and full, and as high as the digits, or nearly so.
BLOCK_WIDE, BLOCK_FULL, BLOCK_HIGH = 0.6, 0.92, 0.5
# Nothing is doubted for its height that is as sure as this, or so high, of the lowest of those.
SURELY, LOW_DIGIT = 0.95, 0.85
# Digits of a number are of one height, or nearly so.
SAME_HEIGHT = 0.8
# Digits of one number: the gap between them, or the distance of their middles, in heights. Two numbers with a blank
# between them are 1.1 apart at least, the digits of OpenCV's line fonts 0.97, a 1 and its neighbour there 1.12.
NEAR_GAP = 0.37
NEAR_PITCH = 1.03
# In the figure numbers do not stand side by side without a line between them, as those of the stock do.
FIGURE_PITCH = 1.15
STOCK_BELOW = 0.45
# So near to another one a number in the figure may be half of a longer one.
DOUBTFUL_GAP = 0.5
# Ink lower than this share of the figure's digits is a speck.
LEAST_OF_DIGITS = 0.45
# What runs along this share of a plate's side is its frame.
FRAME = 0.8
# What is left of a thin one at the edge is at least so long; digits do not stand there.
THIN_FRAME, LEFT_OF_FRAME = 0.15, 0.3
# Writing is at most so large, in radii; what is larger, up to the size of a ring, is a line of something else.
HIGHEST_PART, WIDEST_PART = 0.7, 0.9
# Blurred lines leave edges behind, which run along them; of a strange line this share is elsewhere.
LARGEST_STRANGE = 2.6
STRANGE = 0.5
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Word:
    box: Box
    ink: Ink
    colour: npt.NDArray[np.float64]
    plate: bool
    parts: tuple[Box, ...]


def find_labels(pixels: Pixels, ink: Gray, lines: Lines) -> list[Label]:
    """Every number, question mark and empty plate of the picture.

    Raises UncertainReading for a line on the rings that is none of theirs.
    """
    radius = float(np.median([circle.radius for circle in lines.circles]))
    limit = max(26.0, 0.28 * float(np.percentile(ink, 99.5)))
    mask = (ink > limit) & ~lines.mask
    plates = find_plates(ink, limit, lines, radius)
    free = [box for box in parts_of(mask) if not any(plate.contains(box.centre) for plate in plates)]
    # What is left over of a blurred line may hang on a plate.
    bare = [box for box in free if not any(box.contains(plate.centre) for plate in plates)]
    _refuse_strange_lines(mask, bare, lines, radius)
    loose = [
        box for box in free if 2 <= box.height <= HIGHEST_PART * radius and box.width <= WIDEST_PART * radius
    ]
    inside = [box for box in loose if lines.inside(*box.centre)]
    outside, captions = split_captions([box for box in loose if not lines.inside(*box.centre)])
    signs = find_signs(outside)
    dropped = {id(part) for sign in signs for part in sign.parts}
    outside = [box for box in outside if id(box) not in dropped]
    loose = without_placeholders(mask, inside, radius) + outside
    loose, crumbs = _without_crumbs(mask, loose, lines)
    words = [_word(pixels, mask, group, plate=False) for group in _join(loose, lines, signs)]
    empty: list[Label] = []
    for plate in plates:
        word = _on_plate(pixels, plate)
        if word is None:
            empty.append(Label(plate, "empty", None, 1.0, None, None, 0.0, True))
        else:
            words.append(word)
    words = [word for word in words if word.box.height >= LEAST_DIGIT_PX]
    numbers = read_numbers([word.ink for word in words])
    told = tell_marks([word.ink for word in words], numbers)
    labels = [_label(word, number, one) for word, number, one in zip(words, numbers, told, strict=True)]
    labels = [
        replace(one, kind="unclear", value=None)
        if one.kind == "number" and (_is_boxy(word.ink) or _has_block(word.ink))
        else one
        for word, one in zip(words, labels, strict=True)
    ]
    labels = [
        replace(_doubted(label, labels, crumbs, lines), captioned=is_behind(captions, label.box))
        for label in _without_specks(labels)
    ]
    return empty + with_ranges(labels, signs)


def _refuse_strange_lines(mask: Mask, parts: Sequence[Box], lines: Lines, radius: float) -> None:
    """Raises UncertainReading for something larger than any writing on the rings: a ring that was not found."""
    for box in parts:
        large = box.height > HIGHEST_PART * radius or box.width > WIDEST_PART * radius
        near = large and lines.inside(*box.centre) and max(box.width, box.height) < LARGEST_STRANGE * radius
        if near and _off_lines(mask, box, lines) > STRANGE:
            raise UncertainReading(
                f"a line of {box.width} x {box.height} px at ({box.centre.x:.0f}, {box.centre.y:.0f}) belongs to none of"
                f" the {len(lines.circles)} rings that were found",
                hint="show the figure alone, with all rings whole",
            )


def _off_lines(mask: Mask, box: Box, lines: Lines) -> float:
    """The share of the part that fills a box which is further from every ring than a blurred line is wide."""
    away = _away(mask, box, lines)
    return float((away > 1.5 * lines.line_px + 2 * EDGE_PX).mean())


def _away(mask: Mask, box: Box, lines: Lines) -> npt.NDArray[np.float64]:
    """How far the pixels of the part that fills a box are from the middle of the nearest line, px."""
    window = mask[box.top : box.top + box.height, box.left : box.left + box.width].astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(window, connectivity=8)
    largest = 1 + int(np.argmax(stats[1:, 2] * stats[1:, 3]))
    rows, columns = np.nonzero(labels == largest)
    xs, ys = np.asarray(columns + box.left + 0.5, np.float64), np.asarray(rows + box.top + 0.5, np.float64)
    away = np.full(len(xs), np.inf)
    for circle in lines.circles:
        away = np.minimum(away, np.abs(np.hypot(xs - circle.x, ys - circle.y) - circle.radius))
    return away


def _label(word: _Word, number: Number, told: Told) -> Label:
    kind: Kind = "number"
    if told == "mark":
        kind = "question"
    elif told == "unclear" or number.value is None or number.confidence < SURE or _is_no_row(word, number):
        kind = "unclear"
    saturation = float(word.colour.max() - word.colour.min())
    value = number.value if kind == "number" else None
    return Label(
        word.box,
        kind,
        value,
        number.confidence,
        number.runner_up,
        number.value,
        saturation,
        word.plate,
    )


def _has_block(ink: Ink) -> bool:
    """Whether a part of it is a block of ink, as no digit is but a narrow 1: square dots read as eights."""
    mask = ink > HALF_INK
    return any(
        part.width >= BLOCK_WIDE * part.height
        and mask[part.top : part.top + part.height, part.left : part.left + part.width].mean() >= BLOCK_FULL
        for part in parts_of(mask)
        if part.height >= BLOCK_HIGH * len(ink)
    )


def _is_boxy(ink: Ink) -> bool:
    """Whether what reads as a digit may be a box in noise: as wide as high, with four straight sides."""
    box = ink_box(ink)
    return (
        box is not None
        and box.width >= BOXY * box.height
        and box.height >= LEAST_BOX_PX
        and has_straight_sides(ink > HALF_INK, box, 0.08)
    )


def _is_no_row(word: _Word, number: Number) -> bool:
    """Whether the parts are no row of digits.

    Bars are wider than digits, the side of a faint frame is thinner than any 1; letters have different heights, while
    the digits of a number stand on one line and are equally high.
    """
    if word.box.width > WIDEST_DIGIT * word.box.height * len(number.glyphs):
        return True
    digits = [part for part in word.parts if part.height > 0.45 * word.box.height]
    tops, ends = [part.top for part in digits], [part.top + part.height for part in digits]
    if (
        not digits
        or len(word.parts) > MOST_PARTS
        or any(part.height > THINNEST_DIGIT * part.width for part in digits)
    ):
        return True
    slack = (1 - SAME_HEIGHT) * word.box.height + 1
    return max(tops) - min(tops) > slack or max(ends) - min(ends) > slack


def _without_specks(labels: Sequence[Label]) -> list[Label]:
    """Crumbs much lower than the numbers are no writing, even where they look like a 1 or an 8."""
    heights = [label.box.height for label in labels if label.kind == "number"]
    if not heights:
        return list(labels)
    least = LEAST_OF_DIGITS * float(np.percentile(heights, 20))
    return [label for label in labels if label.kind == "question" or label.box.height >= least]


def _doubted(label: Label, labels: Sequence[Label], crumbs: Sequence[Box], lines: Lines) -> Label:
    """The label, unclear where another digit may belong to it, or where it is lower than all that is surely a digit.

    The hook of a question mark that has lost its dot looks like a 2 or a 7.
    """
    near = [c for c in crumbs if c.height > 0.6 * label.box.height] + [
        other.box for other in labels if other is not label and other.kind in ("number", "unclear")
    ]
    inside = any(
        np.hypot(label.at.x - c.x, label.at.y - c.y) < c.radius + label.box.height for c in lines.circles
    )
    if label.kind != "number" or label.plate or not inside:
        return label
    sure = [other.box.height for other in labels if other.kind == "number" and other.confidence >= SURELY]
    low = label.confidence < SURELY and label.box.height < LOW_DIGIT * min(sure, default=0)
    return (
        replace(label, kind="unclear", value=None)
        if low or any(_almost(label.box, b) for b in near)
        else label
    )


def _almost(one: Box, other: Box) -> bool:
    across = max(one.left, other.left) - min(one.left + one.width, other.left + other.width)
    down = _down(one, other)
    low, tall = sorted((one.height, other.height))
    return across < DOUBTFUL_GAP * tall and -down > 0.7 * low and low > 0.6 * tall


def _without_crumbs(mask: Mask, parts: Sequence[Box], lines: Lines) -> tuple[list[Box], list[Box]]:
    """The parts that are writing, and those that are left-over pieces of a ring's line.

    A piece that lies along a line is a digit only where another digit of its height stands beside it.
    """
    along = [_runs_along(mask, box, lines) for box in parts]
    digits = [box for box, crumb in zip(parts, along, strict=True) if not crumb]
    kept = [
        not crumb or any(_beside(b, d, FIGURE_PITCH) for d in digits)
        for b, crumb in zip(parts, along, strict=True)
    ]
    written = [box for box, keep in zip(parts, kept, strict=True) if keep]
    return written, [box for box, keep in zip(parts, kept, strict=True) if not keep]


def _runs_along(mask: Mask, box: Box, lines: Lines) -> bool:
    away = _away(mask, box, lines)
    return float((away <= lines.line_px / 2 + EDGE_PX).mean()) > 0.95


def _on_plate(pixels: Pixels, plate: Box) -> _Word | None:
    inset = max(2, round(0.1 * min(plate.width, plate.height)))
    area = Box(plate.left + inset, plate.top + inset, plate.width - 2 * inset, plate.height - 2 * inset)
    ink = ink_of(pixels[area.top : area.top + area.height, area.left : area.left + area.width])
    if float(ink.max(initial=0.0)) <= 0.0:
        return None
    parts = [
        Box(area.left + b.left, area.top + b.top, b.width, b.height)
        for b in parts_of(ink > 0.4)
        if b.height >= 2 and not _is_frame(b, area)
    ]
    tall = [b for b in parts if b.height >= LEAST_DIGIT_PX]
    return _word(pixels, None, parts, plate=True) if tall else None


def _is_frame(part: Box, area: Box) -> bool:
    """Whether a part of what a plate shows (relative to it) is a side of its frame, or all of it."""
    upright = part.left == 0 or part.left + part.width == area.width
    flat = part.top == 0 or part.top + part.height == area.height
    if (upright and part.width <= THIN_FRAME * area.width) or (
        flat and part.height <= THIN_FRAME * area.height
    ):
        return max(part.width, part.height) >= LEFT_OF_FRAME * min(area.width, area.height)
    return (upright and part.height >= FRAME * area.height) or (flat and part.width >= FRAME * area.width)


def _join(parts: Sequence[Box], lines: Lines, signs: Sequence[Sign]) -> list[list[Box]]:
    """Digits side by side make a number, unless a sign stands between them; a dot under a hook makes a question mark."""
    glyphs, dots = [], []
    for box in sorted(parts):
        homes = [(_down(box, other), other) for other in parts if _is_piece_of(box, other)]
        if homes:
            dots.append((box, min(homes)[1]))
        else:
            glyphs.append(box)
    groups: list[list[Box]] = []
    for box in glyphs:
        homes_of = [group for group in groups if any(_belongs(box, other, lines, signs) for other in group)]
        joined = [box, *(other for group in homes_of for other in group)]
        groups = [group for group in groups if not any(group is home for home in homes_of)]
        groups.append(joined)
    for dot, glyph in dots:
        home = next((group for group in groups if glyph in group), None)
        if home is not None:
            home.append(dot)
    return groups


def _is_piece_of(box: Box, glyph: Box) -> bool:
    """Whether a small part is a piece of a glyph: the dot under a hook, a digit broken by noise."""
    across = max(box.left, glyph.left) - min(box.left + box.width, glyph.left + glyph.width)
    return across < 0 and box.height < 0.45 * glyph.height and _down(box, glyph) < 0.4 * glyph.height


def _down(one: Box, other: Box) -> int:
    """The gap between two boxes from top to bottom, negative where they overlap."""
    return max(one.top, other.top) - min(one.top + one.height, other.top + other.height)


def _belongs(one: Box, other: Box, lines: Lines, signs: Sequence[Sign]) -> bool:
    """Whether two parts are digits of one number, with no sign and no line of a ring between them."""
    if not _beside(one, other, _pitch_for(one, lines)):
        return False
    left, right = (one, other) if one.left < other.left else (other, one)
    if any(left.left < sign.box.left < right.left and _down(left, sign.box) < 0 for sign in signs):
        return False
    top, bottom = max(one.top, other.top), min(one.top + one.height, other.top + other.height)
    between = lines.mask[top:bottom, left.left + left.width : right.left]
    # A line between two numbers runs through from top to bottom; the corner of its end does not.
    return between.size == 0 or float(between.any(axis=1).mean()) < 0.5


def _pitch_for(box: Box, lines: Lines) -> float:
    """How far digits may be apart, in heights: less where the stock is, below the figure."""
    bottom = max(c.y + (1 + STOCK_BELOW) * c.radius for c in lines.circles)
    return FIGURE_PITCH if box.top < bottom else NEAR_PITCH


def _beside(one: Box, other: Box, most_pitch: float) -> bool:
    """Whether two parts are equally high and side by side, as the digits of a number are."""
    across = max(one.left, other.left) - min(one.left + one.width, other.left + other.width)
    down = _down(one, other)
    low, tall = sorted((one.height, other.height))
    pitch = abs(one.centre.x - other.centre.x)
    # Digits share one width and a 1 stands in the middle of its own: the pitch tells more than the gap.
    near = across < NEAR_GAP * tall or pitch < most_pitch * tall
    return near and -down > 0.7 * low and low > 0.75 * tall


def _word(pixels: Pixels, mask: Mask | None, parts: Sequence[Box], *, plate: bool) -> _Word:
    """mask: where ink may be the word's; None for all of it."""
    left, top = min(b.left for b in parts), min(b.top for b in parts)
    right, bottom = max(b.left + b.width for b in parts), max(b.top + b.height for b in parts)
    box = Box(left, top, right - left, bottom - top)
    pad = 2
    y0, x0 = max(0, top - pad), max(0, left - pad)
    crop = pixels[y0 : bottom + pad, x0 : right + pad]
    own: Mask | None = None
    if mask is not None:
        near = mask[y0 : bottom + pad, x0 : right + pad].astype(np.uint8)
        keep = np.zeros_like(near)
        for part in parts:
            rows = slice(part.top - y0, part.top - y0 + part.height)
            columns = slice(part.left - x0, part.left - x0 + part.width)
            keep[rows, columns] = near[rows, columns]
        own = cv2.dilate(keep, np.ones((3, 3), np.uint8)) > 0
    edge = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]]).astype(np.float64)
    ground = np.median(edge, axis=0)
    ink = ink_of(crop if own is None else _only(crop, own, ground), tuple(float(c) for c in ground))
    strong = crop[ink >= 0.85 * max(float(ink.max(initial=0.0)), 1e-6)].astype(np.float64)
    colour = np.median(strong, axis=0) if len(strong) else ground
    return _Word(box, ink, colour, plate, tuple(parts))


def _only(crop: Pixels, own: Mask, ground: npt.NDArray[np.float64]) -> Pixels:
    """The crop with nothing but a word's own pixels on the ground."""
    return np.where(own[..., None], crop, np.rint(ground).astype(np.uint8)).astype(np.uint8)
