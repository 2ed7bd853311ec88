"""Tells question marks from digits: a small hook with its dot close below looks much like a 7.

`vision.digits` compares it with averaged shapes of digits and of question marks; the two distances say what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import cv2
import numpy as np

from vision.components import components
from vision.digits import LEAST_HEIGHT_PX, Ink, Number, distances, ink_box

Told = Literal["mark", "digit", "unclear"]

# Of fonts that were not learned, no digit looks more like a mark than the first, nine in ten marks do; one digit in a
# thousand does more than the second, one mark in a thousand less.
SURELY_MARK = 0.59
SURELY_DIGIT = 0.43
# The gap above the dot has less than this share of the ink of the strongest row; a row of a thin stroke, in noise, has
# more than the second.
DOT_GAP, THIN_STROKE = 0.5, 0.62
# A question mark is hardly wider than high, and its dot is narrower than the hook; a line below a digit is not.
WIDEST_HOOK = 1.05
WIDEST_DOT = 0.8
# Ink of a dot, and of a stroke round a hole, as a share of its strongest; a hole has so much of a glyph's box.
DOT_INK, HOLE = 0.5, 0.03


def tell_marks(inks: Sequence[Ink], numbers: Sequence[Number]) -> list[Told]:
    """What each of the words is. numbers: what it is if it is made of digits."""
    single = [i for i, number in enumerate(numbers) if len(number.glyphs) <= 1]
    gap_of = {i: _gap_above_dot(inks[i]) for i in single}
    single = [i for i in single if gap_of[i] < 1.0]
    gaps = [gap_of.get(i, 1.0) for i in range(len(inks))]
    shares = dict(zip(single, likeness([inks[i] for i in single]), strict=True))
    told = [_tell(gap, shares.get(i, 0.0)) for i, gap in enumerate(gaps)]
    return ["unclear" if one == "mark" and _has_hole(inks[i]) else one for i, one in enumerate(told)]


def _has_hole(ink: Ink) -> bool:
    """Whether a stroke goes all around some ground, as in a 9 with a speck below; in a question mark none does."""
    inked = ink > DOT_INK * ink.max(initial=0.0)
    _, _, wide, high = cv2.boundingRect(inked.view(np.uint8))
    stats = components(np.pad(~inked, 1, constant_values=True).view(np.uint8), 4).stats
    # The first is ink, the second what is around.
    return bool((stats[2:, 4] >= HOLE * wide * high).any())


def _tell(gap: float, share: float) -> Told:
    """gap: 1 for what is too wide or too low to be a mark."""
    if gap == 1.0:
        return "digit"
    if share >= SURELY_MARK or (gap < DOT_GAP and share >= SURELY_DIGIT):
        return "mark"
    return "unclear" if share >= SURELY_DIGIT or gap < THIN_STROKE else "digit"


def likeness(inks: Sequence[Ink]) -> list[float]:
    """How much each glyph is a question mark: 0 a digit, 1 a mark, 0.5 between the two."""
    if not inks:
        return []
    to_digit, to_mark = distances(inks, "marks").T
    return [float(share) for share in to_digit / np.maximum(to_digit + to_mark, 1e-6)]


def _gap_above_dot(ink: Ink) -> float:
    """The ink of the weakest row in the lower half of a glyph, of its strongest, below 1; 1 where it is no mark.

    Which is what is too wide, too low, or has no dot below the gap: a question mark has a hook with a dot below it, no
    digit has a row without strong ink there.
    """
    box = ink_box(ink)
    if box is None or box.height < LEAST_HEIGHT_PX or box.width > WIDEST_HOOK * box.height:
        return 1.0
    part = ink[box.window]
    rows = part.max(axis=1)
    first = round(0.5 * box.height)
    gap_rows = rows[first : max(round(0.92 * box.height), 1)]
    gap = float(gap_rows.min(initial=1.0)) / float(rows.max())
    below = part[first + int(gap_rows.argmin()) + 1 :] if len(gap_rows) else part[:0]
    if (
        gap < DOT_GAP
        and (below > DOT_INK * below.max(initial=0.0)).any(axis=0).sum() > WIDEST_DOT * box.width
    ):
        return 1.0
    return min(0.99, gap)
