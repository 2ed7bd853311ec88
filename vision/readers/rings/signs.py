"""Signs between two numbers: a dash, or two or three dots on the line they stand on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from vision.frame import Box

# In heights of the digits: how long and thick a dash is, how large dots are, and how far the digits are away.
SHORTEST, LONGEST, THICKEST = 0.18, 1.4, 0.24
FLAT = 1.3
LARGEST_DOT = 0.3
NEAR = 1.4
# A dash stands in this part of the height, dots below that.
HIGHEST, LOWEST = 0.3, 0.75
MOST_DOTS = 3


class Sign(NamedTuple):
    """A sign and the parts it is made of."""

    box: Box
    parts: tuple[Box, ...]


def find_signs(parts: Sequence[Box]) -> list[Sign]:
    """The signs among parts of writing outside the rings."""
    found: list[Sign] = []
    for run in _runs(parts):
        box = Box(
            run[0].left,
            min(one.top for one in run),
            run[-1].left + run[-1].width - run[0].left,
            max(one.top + one.height for one in run) - min(one.top for one in run),
        )
        left, right = _beside(box, parts, before=True), _beside(box, parts, before=False)
        if left is not None and right is not None and _fits(run, box, left, right):
            found.append(Sign(box, tuple(run)))
    return found


def _runs(parts: Sequence[Box]) -> list[list[Box]]:
    """Small parts, and up to three alike in a row."""
    tallest = max((box.height for box in parts), default=0)
    small = sorted(box for box in parts if box.height <= LARGEST_DOT * tallest + 1)
    runs: list[list[Box]] = []
    for box in small:
        last = runs[-1] if runs else []
        alike = (
            bool(last)
            and len(last) < MOST_DOTS
            and abs(box.top - last[-1].top) <= 1
            and abs(box.height - last[-1].height) <= 1
            and abs(box.width - last[-1].width) <= 1
            and box.left - (last[-1].left + last[-1].width) <= 2.5 * box.height + 2
        )
        if alike:
            last.append(box)
        else:
            runs.append([box])
    return runs


def _beside(sign: Box, parts: Sequence[Box], *, before: bool) -> Box | None:
    """The nearest part next to a sign that is as high as a digit."""
    near = []
    for box in parts:
        gap = sign.left - (box.left + box.width) if before else box.left - (sign.left + sign.width)
        level = box.top <= sign.centre.y <= box.top + box.height + 1
        if level and box.height > 2 * sign.height and -1 <= gap < NEAR * box.height:
            near.append((gap, box))
    return min(near)[1] if near else None


def _fits(run: Sequence[Box], sign: Box, left: Box, right: Box) -> bool:
    low, high = sorted((left.height, right.height))
    level = (sign.centre.y - left.top) / left.height
    if low < 0.8 * high or abs(left.top - right.top) > 0.2 * high:
        return False
    if len(run) > 1:
        return level > LOWEST and all(box.width <= LARGEST_DOT * high + 1 for box in run)
    return (
        HIGHEST <= level <= LOWEST
        and sign.height <= THICKEST * high + 1
        and SHORTEST * high <= sign.width <= LONGEST * high
        and sign.width >= FLAT * sign.height
    )
