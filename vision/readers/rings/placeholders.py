"""Marks that stand for "nothing here yet" inside the rings: dots, dashed outlines, small circles."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.frame import Box

Mask = npt.NDArray[np.bool_]

# A dot is as high as wide, full, a disc, and small, in radii of a ring. Digits are narrower, and have holes or corners.
DOT_SHAPE = 0.9
DOT_FULL = 0.82
MOST_DOT = 0.1
# One that is not lower than this share of the digits' height is a disc in every pixel, or nearly so.
LOW_DOT, SURELY_DISC = 0.6, 0.93
# What is so much taller than a dot is none.
TALLER = 1.6
# A circle is round, thin, and its middle is empty; the rounder noughts of fonts are a seventh higher than wide.
CIRCLE_SHAPE = 0.93
CIRCLE_FULL = 0.45
# Dashes: so many at least, so near together in radii, around an empty middle.
LEAST_DASHES = 4
DASH_GAP = 0.2
# They stand all around: seen from their middle, two of them are at most so many degrees apart.
DASH_ANGLE = 125.0
# The middle of a box has this share of its sides; that of a dot is as good as full.
MIDDLE = 0.5
ALL_FULL = 0.9
WIDEST_OUTLINE = 0.8
# A bar is so many times as wide as high, and this share of a number's height below it.
BAR, CLEAR = 3.0, 0.15


def without_placeholders(mask: Mask, parts: Sequence[Box], radius: float) -> list[Box]:
    """The parts that are no placeholder. mask: (H, W) the ink; radius: of the rings, px."""
    dashes = {
        id(box)
        for group in _clusters(parts, DASH_GAP * radius)
        if _is_dashed(mask, group, radius)
        for box in group
    }
    higher = [
        box.height for box in parts if box.height > MOST_DOT * radius or box.width < DOT_SHAPE * box.height
    ]
    digit_px = float(np.median(higher)) if higher else np.inf
    return [
        box
        for box in parts
        if id(box) not in dashes
        and not (_is_dot(mask, box, radius, digit_px) and not _has_company(box, parts, radius))
        and not (_is_circle(mask, box) and not _has_company(box, parts, radius))
        and not _is_underline(mask, box, parts)
    ]


def _is_underline(mask: Mask, box: Box, parts: Sequence[Box]) -> bool:
    """A bar below a number or a mark, wider than that and clear of it: where the player types, or a blank to fill in.
    The foot of a 2 that noise has broken off is no wider than the 2, and nearer to it."""
    if box.width < BAR * box.height or _full(mask, box) < ALL_FULL:
        return False
    above = [
        other
        for other in parts
        if other is not box
        and other.height > 2 * box.height
        and other.left < box.left + box.width
        and box.left < other.left + other.width
        and 0 <= box.top - (other.top + other.height) < other.height
    ]
    return bool(above) and all(
        box.width > other.width and box.top - (other.top + other.height) >= CLEAR * other.height
        for other in above
    )


def _is_dot(mask: Mask, box: Box, radius: float, digit_px: float) -> bool:
    low, high = sorted((box.width, box.height))
    # A px more or less is the edge's; a bold digit of 13 px is two narrower than high.
    small, round_ = high <= max(4.0, MOST_DOT * radius), low >= min(DOT_SHAPE * high, high - 1)
    # A small bold 8 is much like a disc.
    least = DOT_FULL if high < LOW_DOT * digit_px else SURELY_DISC
    return small and round_ and _like_disc(mask, box) >= least and _full(mask, _middle(box)) >= ALL_FULL


def _like_disc(mask: Mask, box: Box) -> float:
    """How much of the part and of the disc in its box is in both."""
    part = mask[box.top : box.top + box.height, box.left : box.left + box.width]
    xs = (np.arange(box.width) + 0.5) * 2 / box.width - 1
    ys = (np.arange(box.height) + 0.5) * 2 / box.height - 1
    disc = (xs**2)[None, :] + (ys**2)[:, None] <= 1.0
    return float((part & disc).sum()) / max(int((part | disc).sum()), 1)


def _is_circle(mask: Mask, box: Box) -> bool:
    low, high = sorted((box.width, box.height))
    return (
        high >= 8 and low >= CIRCLE_SHAPE * high and _full(mask, box) <= CIRCLE_FULL and _hollow(mask, [box])
    )


def _has_company(box: Box, parts: Sequence[Box], radius: float) -> bool:
    """Whether something taller than dots stands beside or above it: the hook of a question mark, a digit."""
    reach = max(box.height, MOST_DOT * radius)
    taller = min(TALLER * box.height, MOST_DOT * radius)
    return any(other is not box and other.height > taller and _gap(box, other) < reach for other in parts)


def _is_dashed(mask: Mask, group: Sequence[Box], radius: float) -> bool:
    whole = _around(group)
    sides = sorted((whole.width, whole.height))
    return (
        len(group) >= LEAST_DASHES
        and sides[1] <= WIDEST_OUTLINE * radius
        and sides[0] >= 0.5 * sides[1]
        and _widest_angle(group, whole) <= DASH_ANGLE
        and _hollow(mask, group)
    )


def _widest_angle(group: Sequence[Box], whole: Box) -> float:
    """The widest angle between neighbouring parts, seen from the middle of all; in degrees."""
    turns = sorted(
        math.degrees(math.atan2(box.centre.y - whole.centre.y, box.centre.x - whole.centre.x))
        for box in group
    )
    return max(later - turn for turn, later in zip(turns, [*turns[1:], turns[0] + 360], strict=True))


def _hollow(mask: Mask, group: Sequence[Box]) -> bool:
    return _full(mask, _middle(_around(group))) == 0.0


def _middle(box: Box) -> Box:
    dx, dy = (int((1 - MIDDLE) / 2 * side) for side in (box.width, box.height))
    return Box(box.left + dx, box.top + dy, box.width - 2 * dx, box.height - 2 * dy)


def _full(mask: Mask, box: Box) -> float:
    return float(mask[box.top : box.top + box.height, box.left : box.left + box.width].mean())


def _around(group: Sequence[Box]) -> Box:
    left, top = min(b.left for b in group), min(b.top for b in group)
    right, bottom = max(b.left + b.width for b in group), max(b.top + b.height for b in group)
    return Box(left, top, right - left, bottom - top)


def _gap(one: Box, other: Box) -> int:
    """The distance between two boxes, across or down, whichever is larger."""
    across = max(one.left, other.left) - min(one.left + one.width, other.left + other.width)
    down = max(one.top, other.top) - min(one.top + one.height, other.top + other.height)
    return max(across, down)


def _clusters(parts: Sequence[Box], most_gap: float) -> list[list[Box]]:
    """Parts that are linked by gaps of at most so many px."""
    groups: list[list[Box]] = []
    for box in parts:
        near = [group for group in groups if any(_gap(box, other) <= most_gap for other in group)]
        groups = [group for group in groups if not any(group is home for home in near)]
        groups.append([box, *(other for group in near for other in group)])
    return groups
