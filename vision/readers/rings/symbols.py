"""Tells what each piece of writing on a ring figure is: a number, a question mark, an empty plate, or unclear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import away_from, usual_colour
from vision.components import components
from vision.digits import Ink, Number, read_numbers
from vision.frame import Box, Pixels, Point
from vision.readers.rings.question import tell_marks
from vision.readers.rings.writing import Word, Written, crop

Kind = Literal["number", "question", "empty", "unclear"]

# Fewer question marks than this may be digits.
FEWEST_MARKS = 3
LIKE_A_MARK = 7
# Of the px on and around writing that is sharp at most 0.03 are so many levels off the ground; of JPEGs 0.24 and more.
FAINT_LEVELS, SMEARED, MARGIN_PX = (2, 12), 0.1, 3
# Below this a number is not believed.
SURE = 0.72
LEAST_DIGIT_PX = 5
# Of the height of a digit; the side of a faint frame is thinner than any 1.
WIDEST_DIGIT, THINNEST_DIGIT = 1.25, 10.0
# More parts than this are noise, or dashes.
MOST_PARTS = 6
# Parts lower than this share of a word are dots or crumbs; the digits of a number are of one height, or nearly so.
LOW_PART, SAME_HEIGHT = 0.45, 0.8
# What is as round as this and reads as a nought may be a circle for a blank, or, as full as a disc, a dot; what is
# fuller than any digit is a block.
ROUND, DISC, FULL = 0.87, 0.72, 0.85
# A plate's frame and round corners are this wide, as a share of its shorter side.
INSET = 0.1
# What is left of a frame is so thin and so long, as shares of the plate.
THIN, LONG = 0.12, 0.3
# Under so many levels of contrast nobody writes.
LEAST_CONTRAST = 24.0
# The digits of a figure are of one height: of the usual one's these shares.
LOWEST, HIGHEST = 0.6, 1.7
# Nothing is doubted for its height that is as sure as this, or so high, of the lowest of those.
SURELY, LOW_DIGIT = 0.95, 0.85
# The colour of writing is that of its strongest ink, from this share on; ink from the second on fills a shape.
STRONGEST, INKED = 0.85, 0.5
# A digit is wider than this share of its height, but for the 1.
WIDER = 0.5


@dataclass(frozen=True)
class Label:
    """Something written, or an empty plate.

    kind: "question" is a question mark, "empty" a plate with nothing on it, "unclear" no number we know.
    colour: of the ink, BGR; plate: the rectangle it stands on; likely: what an unclear label is nearest to.
    """

    box: Box
    kind: Kind
    value: int | None = None
    confidence: float = 1.0
    runner_up: int | None = None
    likely: int | None = None
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    plate: Box | None = None

    @property
    def at(self) -> Point:
        return self.box.centre

    @property
    def saturation(self) -> float:
        """Of the ink, 0 for grey .. 255."""
        return max(self.colour) - min(self.colour)


def tell_words(pixels: Pixels, written: Written, inside: Sequence[bool]) -> list[Label]:
    """What every word is. inside: which of them stand in rings."""
    words = written.words
    inks = [_ink_of(pixels, word, written) for word in words]
    filled = [i for i, (ink, _) in enumerate(inks) if ink is not None]
    shown = [ink for ink, _ in inks if ink is not None]
    numbers = read_numbers(shown)
    told = tell_marks(shown, numbers)
    labels: dict[int, Label] = {
        i: Label(word.plate, "empty", plate=word.plate)
        for i, word in enumerate(words)
        if word.plate is not None and inks[i][0] is None
    }
    for i, ink, number, mark in zip(filled, shown, numbers, told, strict=True):
        if mark == "mark":
            kind: Kind = "question"
        elif mark == "unclear" or number.confidence < SURE or _is_no_number(words[i], number, ink):
            kind = "unclear"
        else:
            kind = "number"
        word = words[i]
        value = number.value if kind == "number" else None
        labels[i] = Label(
            word.box, kind, value, number.confidence, number.runner_up, number.value, inks[i][1], word.plate,
        )  # fmt: skip
    marks = [i for i, label in labels.items() if label.kind == "question"]
    for i in marks if len(marks) < FEWEST_MARKS else ():
        # A smeared 7 has been taken for a question mark, which is as open below; among many it stands out.
        one = labels[i]
        if one.likely == LIKE_A_MARK and one.confidence >= SURELY and _is_smeared(pixels, one.box):
            labels[i] = replace(one, kind="unclear")
    return _doubted(labels, inside)


def _ink_of(pixels: Pixels, word: Word, written: Written) -> tuple[Ink | None, tuple[float, float, float]]:
    """How much every px of a word differs from its ground, 0..1, and the colour of the ink; None for no ink at all."""
    if word.plate is not None:
        box = word.plate.grown(-max(3, round(INSET * min(word.plate[2:]))))
    else:
        box = word.box.grown(2)
    seen = crop(pixels, box)
    if min(seen.shape[:2]) < LEAST_DIGIT_PX:
        return None, (0.0, 0.0, 0.0)
    if word.plate is None:
        away = crop(written.ink, box) * _own(word, written.mask, box, seen.shape[:2])
    else:
        ground = usual_colour(np.concatenate([seen[0], seen[-1], seen[:, 0], seen[:, -1]]))
        away = _without_frame(away_from(seen, ground))
    top = int(away.max(initial=0))
    # Noise on an empty plate has no strokes.
    if top < LEAST_CONTRAST or (word.plate is not None and not _has_strokes(away)):
        return None, (0.0, 0.0, 0.0)
    blue, green, red = cv2.mean(seen, (away >= STRONGEST * top).view(np.uint8))[:3]
    return away.astype(np.float32) / np.float32(top), (blue, green, red)


def _own(word: Word, mask: npt.NDArray[np.bool_], box: Box, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """(h, w) 1 at the px of the word's own parts and beside them, in a crop that is cut at the picture's edge."""
    left, top = max(0, box.left), max(0, box.top)
    keep = np.zeros(shape, np.uint8)
    for part in word.parts:
        rows = slice(part.top - top, part.top - top + part.height)
        columns = slice(part.left - left, part.left - left + part.width)
        keep[rows, columns] = mask[part.window]
    return np.asarray(cv2.dilate(keep, np.ones((3, 3), np.uint8)), np.uint8)


def _without_frame(away: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """What a plate shows, without what is left of its frame: thin, long, and at its edge."""
    height, width = away.shape
    limit = max(LEAST_CONTRAST, 0.4 * float(away.max(initial=0)))
    names, stats = components((away > limit).view(np.uint8))
    left, top, wide, high = stats[:, 0], stats[:, 1], stats[:, 2], stats[:, 3]
    upright = ((left == 0) | (left + wide == width)) & (wide <= THIN * width + 1) & (high >= LONG * height)
    level = ((top == 0) | (top + high == height)) & (high <= THIN * height + 1) & (wide >= LONG * width)
    frame = upright | level
    frame[0] = False
    return np.where(frame[names], np.uint8(0), away) if frame.any() else away


def _has_strokes(away: npt.NDArray[np.uint8]) -> bool:
    """Whether a plate shows writing: something that hangs together, as high as a digit, far above what is usual there."""
    limit = max(LEAST_CONTRAST, 0.4 * float(away.max()), 3.2 * float(np.percentile(away, 25)))
    stats = components((away > limit).view(np.uint8)).stats
    return bool((stats[1:, 3] >= LEAST_DIGIT_PX).any())


def _is_no_number(word: Word, number: Number, ink: Ink) -> bool:
    """Whether the parts are no row of digits: bars, frames, dots, circles, dashes, letters."""
    if word.plate is not None:
        return False
    box = word.box
    if box.height < LEAST_DIGIT_PX or box.width > WIDEST_DIGIT * box.height * len(number.glyphs):
        return True
    digits = [part for part in word.parts if part.height > LOW_PART * box.height]
    if not digits or len(word.parts) > MOST_PARTS or any(p.height > THINNEST_DIGIT * p.width for p in digits):
        return True
    tops, ends = [part.top for part in digits], [part.bottom for part in digits]
    slack = (1 - SAME_HEIGHT) * box.height + 1
    if max(tops) - min(tops) > slack or max(ends) - min(ends) > slack:
        return True
    solid = float((ink > INKED).sum()) / max(1, box.width * box.height)
    round_ = number.value in (0, 6, 8, 9) and box.width >= ROUND * box.height
    if round_ and (number.value == 0 or solid >= DISC):
        return True
    return solid >= FULL and box.width > WIDER * box.height


def _is_smeared(pixels: Pixels, box: Box) -> bool:
    """Whether compression or noise lies around what is written there."""
    around = crop(pixels, box.grown(MARGIN_PX).clipped((pixels.shape[1], pixels.shape[0]))).astype(np.int16)
    off = np.abs(around - np.median(around.reshape(-1, 3), axis=0)).max(axis=2)
    low, high = FAINT_LEVELS
    return bool(((off >= low) & (off <= high)).mean() >= SMEARED)


def _doubted(labels: dict[int, Label], inside: Sequence[bool]) -> list[Label]:
    """The labels in order; unclear where one in a figure is of another height than the usual one."""
    numbers = [label for i, label in labels.items() if inside[i] and label.kind == "number"]
    # Dashes may pass for small digits, but not surely.
    surely = [label for label in numbers if label.confidence >= SURELY]
    usual = float(np.median([label.box.height for label in surely or numbers])) if numbers else 0.0
    sure = [one.box.height for one in labels.values() if one.kind == "number" and one.confidence >= SURELY]
    found = []
    for i in sorted(labels):
        label = labels[i]
        if label.kind == "number" and inside[i] and label.plate is None:
            strange = not LOWEST * usual <= label.box.height <= HIGHEST * usual
            # The hook of a question mark that has lost its dot looks like a 2 or a 7.
            strange |= label.confidence < SURELY and label.box.height < LOW_DIGIT * min(sure, default=0)
            if strange:
                label = replace(label, kind="unclear", value=None)
        found.append(label)
    return found
