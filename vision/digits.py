"""Digits of any common user-interface font, read by comparing them with averaged shapes.

A glyph is an *ink* image: (h, w) float32, 0 background, 1 the colour of the writing. It is cut to its box,
brought to 16 rows at its own proportions, and projected onto the directions that tell the ten digits apart
while ignoring the differences between fonts (Fisher's linear discriminants). There it is compared with a few
hundred centroids. The distance to the nearest one says whether it looks like a digit at all, the margin to
the nearest of another digit says how sure that is.

The centroids are `data/digits.npz`, `data/struck.npz` for digits with a line through them, and `data/signs.npz` for
numbers of one sign each, 1 to 9 and letters from ten on, made by
`tests/laboratory/train_digits.py` from fonts under free licences; the files hold averages, no font. So does
`data/marks.npz`, made by `train_question.py` beside it, which tells question marks from digits.

    number = read_number(ink_of(pixels))
    number.value, number.confidence, number.runner_up        # 14, 0.93, 11
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import common_colour, strongest
from vision.eyesight import SIGNS
from vision.frame import Box, Pixels
from vision.grids import runs
from vision.match import product

Ink = npt.NDArray[np.float32]
Kind = Literal["digits", "struck", "signs", "marks"]

# A glyph's image for the comparison.
ROWS = 16
COLUMNS = 14
# Ink below this share of the strongest is background: the halo of antialiasing and JPEG.
HALO = 0.35
THIN_HALO = 0.18
# Smaller than this no font has ten different digits.
LEAST_HEIGHT_PX = 5
# What is lower than this share of the highest digit beside it is none.
LOW = 0.5
# Margin (share of the nearest distance) at which a decision is as good as certain; see `_decided`.
SURE_MARGIN = 0.45
# Of less than so many px every one that is missing asks for as much again: so little of a shape is left.
PLAIN_PX = 8
# A confidence from which a reader may use a glyph as an example for its doubtful neighbours.
EXAMPLE_CONFIDENCE = 0.9
# Under so many levels of contrast nobody writes.
LEAST_CONTRAST = 24
# So many numbers in one lettering help each other.
TOGETHER = 4
# So many looks of one digit that is surely read tell how far apart its looks are; what is so many times as far is another.
LEAST_ALIKE, UNLIKE = 3, 2.0
# A block of ink is full to this share, and wider than the second of its height.
BLOCK, BLOCK_WIDE = 0.9, 0.5
# Two digits that touch are wider than this share of their height and than so many px; they meet where there is less than the
# third share of the usual ink.
TWO_WIDE, TWO_PX, WAIST = 0.95, 6, 0.6
# The inside of a digit is closed along this share of its height: a 0 along two thirds; between two digits that touch it is
# 0.56 at most.
CLOSED = 0.6
# A number has no more digits.
MOST_DIGITS = 3


@dataclass(frozen=True)
class Glyph:
    """One digit.

    value: None when it looks like no digit.
    confidence: 0..1.
    runner_up: the second-best digit.
    distance: to the nearest centroid; 1.0 is where 99.5 % of the digits of the training fonts lie below.
    high: px.
    """

    value: int | None
    confidence: float
    runner_up: int | None
    distance: float
    distances: tuple[float, ...]
    high: int = PLAIN_PX


@dataclass(frozen=True)
class Number:
    """A number of one or more digits; `value` is None when there is none or it is no number.

    sign: how it is written where that is one sign for each number.
    """

    value: int | None
    confidence: float
    runner_up: int | None
    glyphs: tuple[Glyph, ...] = ()
    sign: str = ""

    @property
    def text(self) -> str:
        """As it is written."""
        return self.sign or str(self.value)


NOTHING = Number(None, 0.0, None)


def ink_of(pixels: Pixels, background: Sequence[float] | None = None) -> Ink:
    """How much every pixel differs from the background, 0..1.

    pixels: (h, w, 3) uint8, BGR; background: its colour, by default the most common one of the crop.
    """
    if pixels.size == 0:
        return np.zeros(pixels.shape[:2], np.float32)
    ground = common_colour(pixels) if background is None else np.asarray(background, np.float32)
    away = strongest(np.abs(pixels.astype(np.float32) - ground))
    top = float(away.max())
    # Under 24 levels of contrast nobody writes; what is there is noise.
    return (away / top).astype(np.float32) if top >= LEAST_CONTRAST else np.zeros(away.shape, np.float32)


def ink_box(ink: Ink) -> Box | None:
    """The box of everything above the halo, or None."""
    mask = ink > HALO * strength(ink)
    box = Box(*cv2.boundingRect(mask.view(np.uint8)))
    return box if box.width else None


def strength(ink: Ink) -> float:
    """The strongest ink there is."""
    return cv2.norm(ink, cv2.NORM_INF) if ink.size else 0.0


def normalise(ink: Ink) -> npt.NDArray[np.float32]:
    """The glyph at 16 rows, in its own proportions, centred in 14 columns; flat, of unit strength."""
    return _normalised(_inside(ink))


def _inside(ink: Ink) -> Ink:
    """What stands in the box of the ink; empty where there is none."""
    box = ink_box(ink)
    return ink[:0] if box is None else ink[box.window]


def _normalised(inside: Ink) -> npt.NDArray[np.float32]:
    canvas = np.zeros((ROWS, COLUMNS), np.float32)
    if not inside.size:
        return canvas.ravel()
    width = min(max(round(inside.shape[1] * ROWS / inside.shape[0]), 1), COLUMNS)
    way = cv2.INTER_AREA if inside.shape[0] >= ROWS else cv2.INTER_LINEAR
    small = cv2.resize(np.ascontiguousarray(inside), (width, ROWS), interpolation=way)
    left = (COLUMNS - width) // 2
    canvas[:, left : left + width] = small
    # The box keeps its proportions, they tell as much as the shape: a 1 is narrow before it is anything else.
    soft = cv2.GaussianBlur(canvas, (3, 3), 0.7).ravel()
    return np.asarray(soft / max(cv2.norm(soft), 1e-6), np.float32)


@cache
def _shapes(kind: Kind = "digits") -> tuple[npt.NDArray[np.float32], ...]:
    """(mean, directions, centroids, labels, scale) of the training fonts."""
    path = Path(__file__).parent / "data" / f"{kind}.npz"
    with np.load(path, allow_pickle=False) as stored:
        return tuple(
            stored[name].astype(np.float32) for name in ("mean", "directions", "centroids", "labels", "scale")
        )


def distances(inks: Sequence[Ink], kind: Kind) -> npt.NDArray[np.float32]:
    """(n, signs) how far each glyph is from each sign of a kind; of "marks": from a digit, and from a question mark."""
    return _distances(_features([_inside(ink) for ink in inks], kind), kind)


def _features(insides: Sequence[Ink], kind: Kind) -> npt.NDArray[np.float32]:
    mean, directions = _shapes(kind)[:2]
    rows = np.stack([_normalised(inside) for inside in insides])
    return product(rows - mean, directions.T)


def _distances(features: npt.NDArray[np.float32], kind: Kind) -> npt.NDArray[np.float32]:
    """(n, signs) distance to the nearest centroid of each sign, in their order; 10 for digits."""
    _, _, centroids, labels, scale = _shapes(kind)
    square = (features**2).sum(axis=1)[:, None] - product(2 * features, centroids)
    square += (centroids**2).sum(axis=1)[None, :]
    # The centroids are in order of their signs.
    nearest = np.minimum.reduceat(square, np.searchsorted(labels, np.arange(labels.max() + 1)), axis=1)
    return np.asarray(np.sqrt(np.maximum(nearest, 0.0)) / float(scale), np.float32)


def _decided(away: npt.NDArray[np.float32], highs: Sequence[int]) -> list[Glyph]:
    """The digit that each glyph is, from how far it is from each digit (n, digits), and how high it is, px.

    Its confidence comes from the margin to the second digit, and is less for what is far from every digit.
    """
    order = away.argsort(axis=1)[:, :2]
    near = away[np.arange(len(away))[:, None], order].astype(np.float64)
    margin = (near[:, 1] - near[:, 0]) / np.maximum(near[:, 0], 0.25)
    margin /= 1 + np.maximum(0, PLAIN_PX - np.asarray(highs))
    sure = np.minimum(1.0, 0.5 + 0.5 * np.maximum(margin, 0.0) / SURE_MARGIN)
    sure *= np.clip((2.2 - near[:, 0]) / 0.9, 0.0, 1.0)
    rows = zip(order.tolist(), sure.tolist(), near[:, 0].tolist(), away.tolist(), highs, strict=True)
    return [
        Glyph(first if confidence > 0.0 else None, confidence, second, nearest, tuple(row), high)
        for (first, second), confidence, nearest, row, high in rows
    ]


def read_glyphs(inks: Sequence[Ink], *, kind: Kind = "digits") -> list[Glyph]:
    """Every glyph as a digit, or, of the kind "signs", as a place in SIGNS.

    They are of one font, so the certain ones serve as examples for the others.
    """
    if not inks:
        return []
    # A screen draws a digit alike in many places: it is measured once.
    looks, of = _distinct(inks)
    insides = [_inside(ink) for ink in looks]
    features = _features(insides, kind)
    away = _distances(features, kind)
    away[[_is_block(inside) for inside in insides]] += 2.5
    highs = [len(inside) for inside in insides]
    glyphs = _decided(away, highs)
    if len(inks) >= TOGETHER:
        sure = [g.value if g.confidence >= EXAMPLE_CONFIDENCE and g.distance < 1.0 else None for g in glyphs]
        scale, better = float(_shapes(kind)[4]), away.copy()
        for digit in {one for one in sure if one is not None}:
            own = np.sort(features[[nth for nth in of if sure[nth] == digit]], axis=0)
            middle = (own[(len(own) - 1) // 2] + own[len(own) // 2]) / 2
            far = np.linalg.norm(features - middle, axis=1) / scale * 1.15
            better[:, digit] = np.minimum(better[:, digit], far)
            # Of one font all look like those that are sure, where there are some.
            alike = [nth for nth, value in enumerate(sure) if value == digit]
            if len(alike) >= LEAST_ALIKE:
                unlike = far > UNLIKE * far[alike].max()
                better[unlike, digit] = np.maximum(away, far[:, None])[unlike, digit]
        again = _decided(better, highs)
        glyphs = [
            g if g.confidence >= EXAMPLE_CONFIDENCE else other for g, other in zip(glyphs, again, strict=True)
        ]
    return [glyphs[nth] for nth in of]


def _distinct(inks: Sequence[Ink]) -> tuple[list[Ink], list[int]]:
    """The inks that differ, and which of them each ink is."""
    known: dict[tuple[tuple[int, ...], bytes], int] = {}
    of = [known.setdefault((ink.shape, ink.tobytes()), len(known)) for ink in inks]
    return [inks[of.index(nth)] for nth in range(len(known))], of


def _is_block(inside: Ink) -> bool:
    """A full rectangle wider than any 1: a filled cell, a button, a piece of a line."""
    high, wide = inside.shape
    return wide > BLOCK_WIDE * high > 0 and float(inside.mean()) > BLOCK


def split_glyphs(ink: Ink, halo: float = HALO) -> list[Box]:
    """The boxes of the digits of one line of writing, left to right.

    Columns without ink above the halo separate digits; what is wider than a digit can be is cut at its
    thinnest columns.
    """
    box = ink_box(ink)
    if box is None:
        return []
    mask = ink > halo * strength(ink)
    boxes: list[Box] = []
    for left, right in runs(mask[box.top : box.bottom].any(axis=0)).tolist():
        boxes += _cut_wide(ink, Box(left, box.top, right - left, box.height))
    return [_tight(mask, b) for b in boxes]


def _tight(mask: npt.NDArray[np.bool_], box: Box) -> Box:
    _, top, _, height = cv2.boundingRect(mask[box.window].view(np.uint8))
    return Box(box.left, box.top + top, box.width, height) if height else box


def _cut_wide(ink: Ink, box: Box) -> list[Box]:
    """Two digits that touch, as two."""
    if box.width <= TWO_WIDE * box.height or box.width < TWO_PX:
        return [box]
    sums = ink[box.window].sum(axis=0)
    third = box.width // 4
    # Two digits meet in a waist; a block or one very wide digit has none.
    if sums[third : box.width - third].min() > WAIST * sums.mean():
        return [box]
    # The middle of a 0 is as thin.
    thin = np.where(_closed(ink[box.window]), np.inf, sums)
    at = third + int(thin[third : box.width - third].argmin())
    if thin[at] > WAIST * sums.mean():
        return [box]
    left = Box(box.left, box.top, at, box.height)
    right = Box(box.left + at, box.top, box.width - at, box.height)
    # What two cuts leave of the waist is no digit.
    strong = np.flatnonzero(sums > WAIST * sums.mean()) + box.left
    return [
        piece
        for piece in _cut_wide(ink, left) + _cut_wide(ink, right)
        if ((strong >= piece.left) & (strong < piece.right)).any()
    ]


def _closed(ink: Ink) -> npt.NDArray[np.bool_]:
    """(columns,) whether most of the height is inside of what the ink encloses."""
    free = cv2.copyMakeBorder(
        (ink <= HALO * strength(ink)).view(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1
    )
    names = cv2.connectedComponents(free, connectivity=4)[1][1:-1, 1:-1]
    return np.asarray((names > 1).mean(axis=0) >= CLOSED)


def number_of(glyphs: Sequence[Glyph]) -> Number:
    """The number that the digits make, as certain as its least certain digit."""
    if not glyphs or any(g.value is None for g in glyphs):
        return Number(None, 0.0, None, tuple(glyphs))
    digits = [g.value or 0 for g in glyphs]
    weakest = min(range(len(glyphs)), key=lambda i: glyphs[i].confidence)
    other = list(digits)
    other[weakest] = glyphs[weakest].runner_up or 0
    return Number(_value(digits), glyphs[weakest].confidence, _value(other), tuple(glyphs))


def among(number: Number, most: int) -> Number:
    """A number of one digit where no larger one than `most` may stand: larger ones are no second choice.

    A number that looks larger stays as it is.
    """
    if len(number.glyphs) != 1 or number.value is None or number.value > most:
        return number
    row = np.array(number.glyphs[0].distances, np.float32)
    row[most + 1 :] = np.inf
    return number_of(_decided(row[None], [number.glyphs[0].high]))


def _value(digits: Sequence[int]) -> int:
    return int("".join(map(str, digits)))


def read_numbers(inks: Sequence[Ink]) -> list[Number]:
    """One number per image, all in one font; at most 3 digits each."""
    numbers = _read_split(inks, HALO)
    doubtful = [i for i, number in enumerate(numbers) if number.confidence < EXAMPLE_CONFIDENCE]
    # Thin small writing falls apart at the usual limit: a 0 becomes two strokes.
    again = _read_split([inks[i] for i in doubtful], THIN_HALO)
    for i, other in zip(doubtful, again, strict=True):
        if other.confidence > numbers[i].confidence:
            numbers[i] = other
    return numbers


def _read_split(inks: Sequence[Ink], halo: float) -> list[Number]:
    looks, of = _distinct(inks)
    cuts = [[ink[box.window] for box in _high(split_glyphs(ink, halo))] for ink in looks]
    glyphs = read_glyphs([glyph for nth in of for glyph in cuts[nth]])
    ends = zip(of, accumulate(len(cuts[nth]) for nth in of), strict=True)
    told = {
        nth: number_of(glyphs[end - len(cuts[nth]) : end]) if len(cuts[nth]) <= MOST_DIGITS else NOTHING
        for nth, end in dict(ends).items()
    }
    return [told[nth] for nth in of]


def _high(boxes: Sequence[Box]) -> list[Box]:
    """Those that are high enough for digits, beside each other."""
    least = max(LEAST_HEIGHT_PX, LOW * max((box.height for box in boxes), default=0))
    return [box for box in boxes if box.height >= least]


def read_number(ink: Ink) -> Number:
    """The number in the picture, alone."""
    return read_numbers([ink])[0]


def read_signs(inks: Sequence[Ink]) -> list[Number]:
    """One number per image, all in one font, each of one sign: 1 to 9, and letters from ten on."""
    looks, of = _distinct(inks)
    cuts = [_high(split_glyphs(ink)) for ink in looks]
    single = [nth for nth, boxes in enumerate(cuts) if len(boxes) == 1]
    glyphs = read_glyphs([looks[nth][cuts[nth][0].window] for nth in single], kind="signs")
    told = {nth: _as_number(glyph) for nth, glyph in zip(single, glyphs, strict=True)}
    return [told.get(nth, NOTHING) for nth in of]


def _as_number(glyph: Glyph) -> Number:
    if glyph.value is None:
        return NOTHING
    runner_up = None if glyph.runner_up is None else glyph.runner_up + 1
    return Number(glyph.value + 1, glyph.confidence, runner_up, (glyph,), SIGNS[glyph.value])
