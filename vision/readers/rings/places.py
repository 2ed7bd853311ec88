"""What a number of the figure belongs to: a region, a ring (its target), or all rings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from vision.errors import UncertainReading
from vision.readers.rings.figure import Circle, Piece, beyond
from vision.readers.rings.symbols import Label

# The middle of a target on a line is this near to the line, in heights of the number.
ON_LINE = 0.4
# A target stands at most this many radii from its ring's line, and that much nearer to it than to any other ring's.
TARGET_REACH, CLEARLY = 0.75, 1.15
# What is lower than this share of the usual number is a speck.
SPECK = 0.45
HINT = "take a larger or sharper picture"

Target = int | Literal["?"]
# What is unclear and lower than this share of a number beside it is a speck of it.
LOWER = 0.7


@dataclass(frozen=True)
class Sorted:
    """Labels by place.

    inside: by number of the piece; on_line: by circle, written in a gap of its line; outside: beyond all rings.
    """

    inside: Mapping[int, Label]
    on_line: Mapping[int, Label]
    outside: tuple[Label, ...]


@dataclass(frozen=True)
class Targets:
    """What the rings add up to.

    common: the one target of all rings, "?" when it is to be found; "own" when every ring has its own.
    own: by circle, where `common` is "own".
    """

    common: int | Literal["?", "own"]
    own: tuple[Target, ...] = ()


def sort_labels(
    labels: Sequence[Label],
    parts: Sequence[Piece],
    circles: Sequence[Circle],
    drawn: npt.NDArray[np.bool_],
) -> Sorted:
    """Labels in the pieces, on the lines of rings, and outside all rings. drawn: (circles, angles) where lines are.

    Raises UncertainReading for a number inside rings where there is no room for one.
    """
    inside: dict[int, Label] = {}
    on_line: dict[int, Label] = {}
    outside: list[Label] = []
    heights = [label.box.height for label in labels if label.kind == "number"]
    least = SPECK * float(np.percentile(heights, 20)) if heights else 0.0
    away = beyond(circles, [label.at for label in labels])
    for label, gaps in zip(labels, away, strict=True):
        covers = tuple(np.flatnonzero(gaps < 0).tolist())
        if label.kind != "question" and label.box.height < least:
            continue
        nearest = int(np.abs(gaps).argmin())
        on_gap = abs(gaps[nearest]) < ON_LINE * label.box.height and not _is_drawn(
            drawn[nearest], circles[nearest], label
        )
        if on_gap and label.kind != "empty":
            on_line[nearest] = _one_of(on_line.get(nearest), label)
            continue
        if not covers:
            outside.append(label)
            continue
        homes = [i for i, part in enumerate(parts) if part.covers == covers]
        if homes and label.kind != "empty":
            home = min(homes, key=lambda i: math.dist(parts[i].at, label.at))
            inside[home] = _one_of(inside.get(home), label)
        elif label.kind in ("number", "question"):
            raise UncertainReading(
                f"{label.value or 'a question mark'} stands at ({label.at.x:.0f}, {label.at.y:.0f}), where the rings"
                " leave no room for a number",
                hint=HINT,
            )
    return Sorted(inside, on_line, tuple(outside))


def _is_drawn(drawn: npt.NDArray[np.bool_], circle: Circle, label: Label) -> bool:
    turn = math.atan2(label.at.y - circle.y, label.at.x - circle.x) % (2 * math.pi)
    return bool(drawn[int(turn / (2 * math.pi) * len(drawn)) % len(drawn)])


def _one_of(one: Label | None, other: Label) -> Label:
    """Of two writings in one place the number that is no speck; two numbers are unclear."""
    if one is None:
        return other
    small, large = sorted((one, other), key=lambda label: label.box.height)
    if small.kind == "unclear" and small.box.height < LOWER * large.box.height:
        return large
    return replace(large, kind="unclear", value=None)


def find_targets(
    where: Sorted,
    loose: Sequence[Label],
    parts: Sequence[Piece],
    circles: Sequence[Circle],
) -> Targets:
    """Targets from what is written on the lines and beside the rings.

    loose: the labels outside all rings that are no stock.
    Raises UncertainReading when some rings have targets and others have none, and where a number may be one or not.
    """
    on_line = where.on_line
    told = [label for label in loose if label.kind == "number"]
    if not on_line:
        unread = [label for label in loose if label.kind == "unclear"]
        if not told and unread:
            raise unread_target(unread[0])
        if len(told) == 1 and told[0].value is not None:
            return Targets(told[0].value)
        if not told and not any(label.kind == "question" for label in loose):
            return Targets("?")
    found = {**_beside(on_line, loose, circles), **on_line}
    missing = [f"r{i + 1:02d}" for i in range(len(circles)) if i not in found]
    if missing:
        raise UncertainReading(
            f"targets were read for {len(found)} of {len(circles)} rings, not for {', '.join(missing)}",
            hint="show every target on the line of its ring or close beside it",
        )
    unread = [label for label in found.values() if label.kind == "unclear"]
    if unread:
        raise unread_target(unread[0])
    values = [found[i].value for i in range(len(circles))]
    return Targets("own", tuple("?" if value is None else value for value in values))


def unread_target(label: Label) -> UncertainReading:
    """The error for a target that cannot be told."""
    return UncertainReading(
        f"the target at ({label.at.x:.0f}, {label.at.y:.0f}) cannot be read with certainty", hint=HINT
    )


def _beside(
    on_line: Mapping[int, Label], loose: Sequence[Label], circles: Sequence[Circle]
) -> dict[int, Label]:
    """The targets beside the rings that have none on their line: each is clearly nearest to one ring, one to each.

    Raises UncertainReading for two numbers beside one ring, and for one between two rings.
    """
    found: dict[int, Label] = {}
    for label in loose:
        gaps = sorted(
            (abs(math.dist(label.at, (c.x, c.y)) - c.radius), i)
            for i, c in enumerate(circles)
            if i not in on_line
        )
        if not gaps or gaps[0][0] > TARGET_REACH * circles[gaps[0][1]].radius:
            if label.kind == "number":
                raise UncertainReading(
                    f"{label.value} stands at ({label.at.x:.0f}, {label.at.y:.0f}), which is neither a target nor a tile",
                    hint=HINT,
                )
            continue
        ring = gaps[0][1]
        between = len(gaps) > 1 and gaps[1][0] < CLEARLY * gaps[0][0]
        if between or ring in found:
            what = "lies between two rings" if between else f"is the second one beside ring r{ring + 1:02d}"
            raise UncertainReading(
                f"the number at ({label.at.x:.0f}, {label.at.y:.0f}) {what}, so whose target it is cannot be told",
                hint="show every target on the line of its ring or close beside it",
            )
        found[ring] = label
    return found
