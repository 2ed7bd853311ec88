"""What a number of the figure belongs to: a region, a ring (its target), all rings, or the stock."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from vision.errors import UncertainReading
from vision.readers.rings.figure import Circle, Piece
from vision.readers.rings.label import Label
from vision.readers.rings.lines import Lines

# The middle of a target on a line is this near to the line, in heights of the number.
ON_LINE = 0.4
# A target stands at most this many radii from its ring's line.
TARGET_REACH = 0.75
# Below the figure by more than this many radii a row of numbers is no row of targets.
TARGETS_BELOW = 0.5
# Tiles are of one height; tags of targets differ by this share at least.
OTHER_HEIGHT = 0.12
# Letters of a word are less than this share of their height apart.
LETTER_GAP = 0.38
# Numbers of a list are at most this far from each other, in heights.
LIST_PITCH = 5.0
# An unreadable word that is this much of a number may be one.
HALF_READ = 0.45
# A target inside its ring stands this near to its line, in heights, and this far from where the part's own number
# stands, in depths of the part.
NEAR_RIM = 1.9
OFF_MIDDLE = 0.5
HINT = "take a larger or sharper picture"

Target = int | Literal["?"]


@dataclass(frozen=True)
class Sorted:
    """Labels by place.

    inside: all of a piece; on_line: by circle, written in a gap of its line; outside: beyond all rings.
    """

    inside: Mapping[int, Sequence[Label]]
    on_line: Mapping[int, Label]
    outside: tuple[Label, ...]


def sort_labels(labels: Sequence[Label], parts: Sequence[Piece], lines: Lines) -> Sorted:
    """Labels in the pieces, on the lines of rings, and outside all rings.

    Raises UncertainReading for a number inside rings where there is no room for one.
    """
    inside: dict[int, list[Label]] = {}
    on_line: dict[int, Label] = {}
    outside: list[Label] = []
    circles = lines.circles
    for label in labels:
        gaps = [abs(math.hypot(label.at.x - c.x, label.at.y - c.y) - c.radius) for c in circles]
        nearest = min(range(len(circles)), key=gaps.__getitem__)
        covers = tuple(
            i for i, c in enumerate(circles) if math.hypot(label.at.x - c.x, label.at.y - c.y) < c.radius
        )
        in_gap = gaps[nearest] < ON_LINE * label.box.height and not lines.is_drawn(nearest, *label.at)
        if in_gap and label.kind != "empty":
            on_line[nearest] = _one_of(on_line.get(nearest), label)
            continue
        if not covers:
            outside.append(label)
            continue
        homes = [i for i, part in enumerate(parts) if part.covers == covers]
        if homes and label.kind != "empty":
            home = min(homes, key=lambda i: math.dist(parts[i].at, label.at))
            inside.setdefault(home, []).append(label)
        elif label.kind in ("number", "question"):
            what = "a question mark" if label.value is None else f"{label.value}"
            raise UncertainReading(
                f"{what} stands at ({label.at.x:.0f}, {label.at.y:.0f}), where the rings leave no room for a number",
                hint=HINT,
            )
    return Sorted(inside, on_line, tuple(outside))


def written_in(inside: Mapping[int, Sequence[Label]]) -> dict[int, Label]:
    """What is written in each piece: one number, or it is unclear."""
    found: dict[int, Label] = {}
    for piece, labels in inside.items():
        for label in labels:
            found[piece] = _one_of(found.get(piece), label)
    return found


def rim_targets(
    inside: Mapping[int, Sequence[Label]], parts: Sequence[Piece], lines: Lines
) -> dict[int, Label]:
    """The targets that stand inside, each close to the line of its ring in a part of no other ring.

    None at all when no number stands like that. Raises UncertainReading when most rings have such a number, but not
    each of them one, or when two numbers stand in one part.
    """
    circles = lines.circles
    rims: dict[int, list[Label]] = {}
    for home, labels in inside.items():
        part = parts[home]
        if len(part.covers) > 1:
            continue
        ring = part.covers[0]
        c = circles[ring]
        for label in labels:
            to_line = c.radius - lines.line_px / 2 - math.dist(label.at, (c.x, c.y))
            off_middle = math.dist(label.at, part.at)
            if to_line < NEAR_RIM * label.box.height and off_middle > OFF_MIDDLE * part.depth_px:
                rims.setdefault(ring, []).append(label)
    if all(len(rims.get(i, ())) == 1 for i in range(len(circles))):
        return {ring: labels[0] for ring, labels in rims.items()}
    crowded = [labels for labels in inside.values() if sum(label.kind == "number" for label in labels) > 1]
    if 2 * len(rims) > len(circles) or crowded:
        at = [*rims.values(), *crowded][0][0].at
        raise UncertainReading(
            f"no target stands beside a ring, but numbers inside may be targets: {len(rims)} of {len(circles)} rings have"
            f" one near their line, {len(crowded)} parts hold two, one is at ({at.x:.0f}, {at.y:.0f})",
            hint="show a screen with the targets on the lines or beside the rings",
        )
    return {}


def _one_of(one: Label | None, other: Label) -> Label:
    """Of two writings in one place the question mark or number that is no speck; two numbers are unclear."""
    if one is None:
        return other
    small, large = sorted((one, other), key=lambda label: label.box.height)
    if small.kind == "unclear" and small.box.height < 0.7 * large.box.height:
        return large
    if large.kind == "unclear" and small.kind == "unclear":
        return large
    return replace(large, kind="unclear", value=None)


def without_captions(labels: Sequence[Label]) -> list[Label]:
    """The labels that are no part of a word: letters stand closer to each other than numbers do."""
    words = _words([label for label in labels if not label.plate and label.kind != "empty"])
    letters = {id(label) for word in words if len(word) > 1 for label in word}
    return [label for label in labels if id(label) not in letters]


def _words(labels: Sequence[Label]) -> list[list[Label]]:
    """Labels that stand so close together on one line that they make one word."""
    words: list[list[Label]] = []
    for label in sorted(labels, key=lambda item: item.box.left):
        home = next((word for word in words if any(_letters(label, other) for other in word)), None)
        if home is None:
            words.append([label])
        else:
            home.append(label)
    return words


def _letters(one: Label, other: Label) -> bool:
    a, b = one.box, other.box
    across = max(a.left, b.left) - min(a.left + a.width, b.left + b.width)
    down = max(a.top, b.top) - min(a.top + a.height, b.top + b.height)
    return across < LETTER_GAP * max(a.height, b.height) and -down > 0.4 * min(a.height, b.height)


def split_stock(
    outside: Sequence[Label], circles: Sequence[Circle], awaited: int
) -> tuple[list[Label], list[Label]]:
    """The tiles below the figure, and the other labels outside the rings.

    awaited: how many rings have no target on their line.
    """
    bottom = max(c.y + c.radius for c in circles)
    ranges = [label for label in outside if label.until is not None]
    if ranges:
        stock = [
            label
            for label in outside
            if label.kind != "empty"
            and any(abs(label.at.y - one.at.y) < 0.5 * one.box.height for one in ranges)
        ]
        return stock, [
            label for label in outside if label.kind != "empty" and not any(label is one for one in stock)
        ]
    told = [label for label in outside if _is_told(label, outside)]
    outside = [label for label in outside if not any(label is one for one in told)]
    heights = sorted(label.box.height for label in outside if label.kind == "number")
    # A round letter of a caption looks like a plate with a speck on it.
    least = 0.5 * heights[len(heights) // 2] if heights else 0.0
    tiles = [
        label
        for label in outside
        if label.plate and label.kind != "empty" and label.at.y > bottom and label.box.height >= least
    ]
    tags = _tags(tiles, outside, circles, awaited)
    outside = [label for label in outside if not any(label is tag for tag in tags)]
    tiles = [label for label in tiles if not any(label is tag for tag in tags)]
    told += tags
    # Where some tiles are too faint to be seen, their numbers still stand in the rows of the others.
    tiles += [
        label
        for label in outside
        if label.kind == "number"
        and not any(label is tile for tile in tiles)
        and any(abs(label.at.y - tile.at.y) < 0.5 * label.box.height for tile in tiles)
    ]
    if not tiles:
        below = [label for label in outside if label.box.top > bottom]
        # Targets may stand under the lowest rings; a stock is longer than such a row, or further down.
        radius = circles[0].radius
        lowest = sum(c.y + c.radius > bottom - radius / 2 for c in circles)
        rows = [
            row for row in _rows(below) if row[0].at.y > bottom + TARGETS_BELOW * radius or len(row) > lowest
        ]
        tiles = rows[-1] if rows else []
        for row, next_row in reversed(list(pairwise(rows))):
            gap = next_row[0].at.y - row[0].at.y
            # Only the last row of a stock is shorter than the others.
            if gap > 4 * row[0].box.height or len(row) < len(next_row):
                break
            tiles = row + tiles
    chosen = set(map(id, tiles))
    return list(tiles), told + [
        label for label in outside if id(label) not in chosen and label.kind != "empty"
    ]


def _tags(
    tiles: Sequence[Label], outside: Sequence[Label], circles: Sequence[Circle], awaited: int
) -> list[Label]:
    """The first row of what look like tiles, where these are the targets of the lowest rings: they stand close to the
    figure, and are of another height than the tiles below them, or just as many as are missing elsewhere."""
    rows = _rows(tiles)
    if not rows:
        return []
    first, others = rows[0], [tile for row in rows[1:] for tile in row]
    bottom = max(c.y + c.radius for c in circles)
    near = all(label.at.y < bottom + TARGET_REACH * circles[0].radius for label in first)
    if not others:
        # The numbers of a stock without tiles, or with tiles that are hardly seen, stand below tags like those above.
        lower = [
            label for label in outside if not label.plate and label.at.y > first[0].at.y + first[0].box.height
        ]
        tags = [label for label in outside if label.plate and label.kind != "empty" and label.at.y < bottom]
        return first if near and tags and len(lower) > 1 else []
    height = sorted(tile.box.height for tile in others)[len(others) // 2]
    another = all(abs(label.box.height - height) > OTHER_HEIGHT * height for label in first)
    elsewhere = sum(label.kind != "empty" and not any(label is tile for tile in tiles) for label in outside)
    return first if near and (another or elsewhere + len(first) == awaited) else []


def _is_told(label: Label, labels: Sequence[Label]) -> bool:
    """Whether a number alone stands behind a word: "Target: 13", but not the first one of "Numbers: 1 2 3"."""
    return (
        label.captioned
        and not label.plate
        and not any(
            0 < other.at.x - label.at.x < LIST_PITCH * label.box.height
            and abs(other.at.y - label.at.y) < 0.5 * label.box.height
            for other in labels
        )
    )


def _rows(labels: Sequence[Label]) -> list[list[Label]]:
    rows: list[list[Label]] = []
    for label in sorted(labels, key=lambda item: item.at.y):
        if rows and label.at.y - rows[-1][0].at.y < 0.6 * label.box.height:
            rows[-1].append(label)
        else:
            rows.append([label])
    return rows


@dataclass(frozen=True)
class Targets:
    """What the rings add up to.

    common: the one target of all rings, "?" when it is to be found; "own" when every ring has its own.
    own: by circle, where `common` is "own"; doubtful: targets that are written but not read with certainty.
    """

    common: int | Literal["?", "own"]
    own: tuple[Target, ...] = ()
    doubtful: Mapping[int, Label] = field(default_factory=dict)


def find_targets(
    on_line: Mapping[int, Label],
    loose: Sequence[Label],
    circles: Sequence[Circle],
    legend: Mapping[int, Label],
) -> Targets:
    """Targets from what is written on the lines and beside the rings, or in a legend.

    loose: the labels outside all rings that are no stock; legend: by circle, what shows its colour.
    Raises UncertainReading when some rings have targets and others have none, or when a number stands beside one ring
    in the colour of another.
    """
    if not on_line:
        told = [label for label in loose if label.kind == "number"]
        if len(told) == 1 and told[0].value is not None:
            return Targets(told[0].value)
        unread = [label for label in loose if label.kind == "unclear" and label.confidence >= HALF_READ]
        if not told and unread:
            raise unread_target(unread[0])
        if not any(label.kind in ("number", "question") for label in loose):
            return Targets("?")
    found = {**_beside(on_line, loose, circles), **on_line}
    missing = [f"r{i + 1:02d}" for i in range(len(circles)) if i not in found]
    if legend and not on_line and not missing and not _in_column(list(legend.values())):
        strange = [i for i, label in legend.items() if label is not found[i]]
        if strange:
            raise UncertainReading(
                f"the number at ({found[strange[0]].at.x:.0f}, {found[strange[0]].at.y:.0f}) stands beside ring"
                f" r{strange[0] + 1:02d} in the colour of another one",
                hint="show the targets beside their rings, or in a legend that tells them by colour",
            )
    elif legend and not on_line:
        found, missing = dict(legend), []
    if missing:
        raise UncertainReading(
            f"targets were read for {len(found)} of {len(circles)} rings, not for {', '.join(missing)}",
            hint="show every target on the line of its ring or close beside it, or in a legend of the rings' colours",
        )
    values = [found[i].value for i in range(len(circles))]
    return Targets(
        "own",
        tuple("?" if value is None else value for value in values),
        {i: label for i, label in found.items() if label.kind == "unclear"},
    )


def _in_column(labels: Sequence[Label]) -> bool:
    """Whether labels stand one below the other, as in a legend."""
    lefts = [label.box.left for label in labels]
    return max(lefts) - min(lefts) < max(label.box.height for label in labels)


def unread_target(label: Label) -> UncertainReading:
    """The error for a target that cannot be told."""
    return UncertainReading(
        f"the target at ({label.at.x:.0f}, {label.at.y:.0f}) cannot be read with certainty", hint=HINT
    )


def _beside(
    on_line: Mapping[int, Label], loose: Sequence[Label], circles: Sequence[Circle]
) -> dict[int, Label]:
    """The targets beside the rings that have none on their line: together as near to their rings as can be."""
    rings = [i for i in range(len(circles)) if i not in on_line]
    far = 1000.0 * len(circles)
    costs = []
    for i in rings:
        c = circles[i]
        gaps = [abs(math.hypot(label.at.x - c.x, label.at.y - c.y) - c.radius) / c.radius for label in loose]
        costs.append([gap if gap <= TARGET_REACH else far for gap in gaps] + [far] * len(rings))
    chosen = _assign(costs)
    return {
        ring: loose[column]
        for ring, row, column in zip(rings, costs, chosen, strict=True)
        if column < len(loose) and row[column] < far
    }


def _assign(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row so that the sum is smallest; there are no fewer columns than rows (Kuhn's Hungarian
    method with potentials)."""
    if not costs:
        return []
    rows, columns = len(costs), len(costs[0])
    u, v = [0.0] * (rows + 1), [0.0] * (columns + 1)
    owner, way = [0] * (columns + 1), [0] * (columns + 1)
    for row in range(1, rows + 1):
        owner[0], at = row, 0
        least, used = [math.inf] * (columns + 1), [False] * (columns + 1)
        while owner[at]:
            used[at] = True
            here, step, best = owner[at], math.inf, 0
            for column in range(1, columns + 1):
                if used[column]:
                    continue
                cost = costs[here - 1][column - 1] - u[here] - v[column]
                if cost < least[column]:
                    least[column], way[column] = cost, at
                if least[column] < step:
                    step, best = least[column], column
            for column in range(columns + 1):
                if used[column]:
                    u[owner[column]] += step
                    v[column] -= step
                else:
                    least[column] -= step
            at = best
        while at:
            owner[at], at = owner[way[at]], way[at]
    found = [0] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            found[owner[column] - 1] = column - 1
    return found
