"""A stock written as a range: "1-9", "1..9"; the sign between its ends is neither a digit nor a piece of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.frame import Box
from vision.readers.rings.label import Label
from vision.readers.rings.signs import Sign

# The ends of a range stand so near to the sign, in heights.
BESIDE = 1.4
LONGEST = 99


def with_ranges(labels: Sequence[Label], signs: Sequence[Sign]) -> list[Label]:
    """The labels, where the two ends of a range are one label that tells both.

    What stands between two signs is a list, not a range; a range that goes down, or whose ends are unclear, is unclear.
    """
    found = list(labels)
    pairs: list[tuple[Label, Label]] = []
    for sign in signs:
        left, right = _end(sign, labels, before=True), _end(sign, labels, before=False)
        if left is not None and right is not None:
            pairs.append((left, right))
    lefts, rights = [id(a) for a, _ in pairs], [id(b) for _, b in pairs]
    for left, right in pairs:
        if id(left) in rights or id(right) in lefts:
            continue
        box = _around(left.box, right.box)
        found = [label for label in found if label is not right and label is not left]
        good = (
            left.value is not None
            and right.value is not None
            and left.value < right.value <= left.value + LONGEST
        )
        confidence = min(left.confidence, right.confidence)
        found.append(
            replace(left, box=box, until=right.value, confidence=confidence)
            if good
            else replace(left, box=box, kind="unclear", value=None, until=None)
        )
    return found


def _end(sign: Sign, labels: Sequence[Label], *, before: bool) -> Label | None:
    near = []
    for label in labels:
        box = label.box
        level = box.top <= sign.box.centre.y <= box.top + box.height + 1
        gap = (
            sign.box.left - (box.left + box.width) if before else box.left - (sign.box.left + sign.box.width)
        )
        if level and label.kind in ("number", "unclear") and -1 <= gap < BESIDE * box.height:
            near.append((gap, label))
    return min(near, key=lambda pair: pair[0])[1] if near else None


def _around(one: Box, other: Box) -> Box:
    left, top = min(one.left, other.left), min(one.top, other.top)
    right = max(one.left + one.width, other.left + other.width)
    return Box(left, top, right - left, max(one.top + one.height, other.top + other.height) - top)
