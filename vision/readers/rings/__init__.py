"""Reads a ring puzzle: circles, regions, the numbers in them, the targets and the stock.

Circles are found by voting and fitted to the middle of their lines; the regions follow from the circles alone. A
number belongs to the region it stands in, to the ring on whose line or beside which it stands, or to the stock when it
stands below the figure. Entered numbers are written in colour, givens in black, white or grey. The rule for repeating
numbers is not on the picture: the strictest one that leaves exactly one filling is taken.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from solver.lattice import Region
from solver.rings import Entries, Rings, check
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Point
from vision.profile import Profile
from vision.readers.rings.assemble import NO_FILLING, assemble, reading_order, region_names
from vision.readers.rings.circles import find_circles, ink_against
from vision.readers.rings.figure import Circle, Piece, pieces
from vision.readers.rings.labels import Label, find_labels
from vision.reading import Control, Geometry, Mark, Reading

FEWEST_RINGS = 2
# Ink of at least this saturation is colour: an entered number.
COLOURED = 70.0
# A target stands at most this many radii from its ring's line.
TARGET_REACH = 0.75
# Below the figure by more than this many radii a row of numbers is no row of targets.
TARGETS_BELOW = 0.5

Target = int | Literal["?"]


def read(frame: Frame, profile: Profile) -> Reading[Rings, Entries]:
    """The ring puzzle on a frame.

    Raises BoardNotFound when there are no overlapping rings, UncertainReading when targets or stock make no
    sense.
    """
    ink = ink_against(frame.pixels)
    found = find_circles(ink)
    circles = reading_order(found.circles)
    if len(circles) < FEWEST_RINGS or not _overlap(circles):
        raise BoardNotFound(
            f"{len(circles)} ring outlines found, a ring puzzle has at least {FEWEST_RINGS} that overlap",
            hint="show the whole figure, with all rings inside the picture",
        )
    parts = pieces(circles)
    labels = find_labels(frame.pixels, ink, circles, found.line_px)
    inside, targets, outside = _sort_labels(labels, circles, parts, found.line_px)
    stock, loose = _stock(outside, circles)
    own, target = _targets(targets, loose, circles)
    names = region_names(circles, parts)
    marks = _marks(names, inside)
    numbers, controls = _numbers(stock)
    given = {n: int(m.symbol) for n, m in marks.items() if m.state == "given" and m.symbol}
    placed = {n: int(m.symbol) for n, m in marks.items() if m.state == "placed" and m.symbol}
    blanks = sum(mark.state != "given" for mark in marks.values())
    if _tiles_are_used_up(numbers, placed):
        numbers += list(placed.values())
    if blanks and not numbers:
        raise UncertainReading(
            f"{len(circles)} rings with {blanks} blanks, but no stock of numbers below them",
            hint="show the row of number tiles as well",
        )
    puzzle, remark = assemble(circles, parts, given=given, numbers=numbers, target=target, own=own)
    if remark and not any(mark.symbol is None for mark in marks.values()):
        _refuse_impossible(puzzle, remark)
    centres = {name: part.at for name, part in zip(names, parts, strict=True)}
    complete = len(placed) == blanks and all(mark.symbol is not None for mark in marks.values())
    return Reading(
        puzzle=puzzle,
        placed=placed,
        geometry=Geometry(centres, 2 * min(part.depth_px for part in parts)),
        marks=marks,
        area=_area(circles, [*stock, *loose, *targets.values()], frame),
        controls=controls,
        finished=complete and not check(puzzle, placed),
        ui=profile.name,
        remarks=(remark,) if remark else (),
        facts={"rings": float(len(circles)), "line_px": found.line_px},
    )


def _overlap(circles: Sequence[Circle]) -> bool:
    return any(
        math.hypot(a.x - b.x, a.y - b.y) < a.radius + b.radius
        for i, a in enumerate(circles)
        for b in circles[:i]
    )


def _sort_labels(
    labels: Sequence[Label], circles: Sequence[Circle], parts: Sequence[Piece], line_px: float
) -> tuple[dict[int, Label], dict[int, Label], list[Label]]:
    """Labels in the pieces, on the lines of rings, and outside all rings.

    A number on a line is a target: the line runs through its middle, which a number in a region never allows.
    """
    inside: dict[int, Label] = {}
    targets: dict[int, Label] = {}
    outside: list[Label] = []
    for label in labels:
        gaps = [abs(math.hypot(label.at.x - c.x, label.at.y - c.y) - c.radius) for c in circles]
        nearest = min(range(len(circles)), key=gaps.__getitem__)
        covers = tuple(
            i for i, c in enumerate(circles) if math.hypot(label.at.x - c.x, label.at.y - c.y) < c.radius
        )
        if gaps[nearest] < 0.3 * label.box.height and label.kind != "empty":
            targets[nearest] = _clearer(targets.get(nearest), label)
            continue
        if not covers:
            outside.append(label)
            continue
        homes = [i for i, part in enumerate(parts) if part.covers == covers]
        if homes and label.kind != "empty":
            home = min(homes, key=lambda i: math.dist(parts[i].at, label.at))
            inside[home] = _clearer(inside.get(home), label)
    return inside, targets, outside


def _clearer(one: Label | None, other: Label) -> Label:
    """Of two writings in one place the number, or the larger one."""
    if one is None:
        return other
    return max((one, other), key=lambda label: (label.kind == "number", label.box.height))


def _stock(outside: Sequence[Label], circles: Sequence[Circle]) -> tuple[list[Label], list[Label]]:
    """The tiles below the figure, and the other labels outside the rings."""
    bottom = max(c.y + c.radius for c in circles)
    tiles = [label for label in outside if label.plate and label.kind != "empty" and label.at.y > bottom]
    if not tiles:
        below = [label for label in outside if label.box.top > bottom]
        # Targets may stand under the lowest rings; a stock is longer than such a row, or further down.
        radius = circles[0].radius
        lowest = sum(c.y + c.radius > bottom - radius / 2 for c in circles)
        rows = [
            row for row in _rows(below) if row[0].at.y > bottom + TARGETS_BELOW * radius or len(row) > lowest
        ]
        tiles = rows[-1] if rows else []
        for row, next_row in reversed(list(itertools.pairwise(rows))):
            gap = next_row[0].at.y - row[0].at.y
            # Only the last row of a stock is shorter than the others.
            if gap > 4 * row[0].box.height or len(row) < len(next_row):
                break
            tiles = row + tiles
    chosen = set(map(id, tiles))
    return list(tiles), [label for label in outside if id(label) not in chosen and label.kind != "empty"]


def _rows(labels: Sequence[Label]) -> list[list[Label]]:
    rows: list[list[Label]] = []
    for label in sorted(labels, key=lambda item: item.at.y):
        if rows and label.at.y - rows[-1][0].at.y < 0.6 * label.box.height:
            rows[-1].append(label)
        else:
            rows.append([label])
    return rows


def _targets(
    on_lines: Mapping[int, Label], loose: Sequence[Label], circles: Sequence[Circle]
) -> tuple[list[Target], int | Literal["?", "own"]]:
    """A target per ring, or one for all."""
    found: dict[int, Label] = dict(on_lines)
    radius = circles[0].radius
    near: list[tuple[float, int, Label]] = []
    for label in loose:
        for i, c in enumerate(circles):
            gap = math.hypot(label.at.x - c.x, label.at.y - c.y) - c.radius
            if gap <= TARGET_REACH * radius:
                near.append((gap, i, label))
    readable = [label for label in loose if label.kind == "number"]
    if not found and len(readable) == 1 and readable[0].value is not None:
        return [], readable[0].value
    taken: set[int] = set()
    for _, i, label in sorted(near, key=lambda item: item[:2]):
        if i not in found and id(label) not in taken:
            found[i] = label
            taken.add(id(label))
    told = {i: label for i, label in found.items() if label.kind in ("number", "question")}
    if not told:
        return [], "?"
    if len(told) < len(circles):
        missing = [f"r{i + 1:02d}" for i in range(len(circles)) if i not in told]
        raise UncertainReading(
            f"targets were read for {len(told)} of {len(circles)} rings, not for {', '.join(missing)}",
            hint="take a larger or sharper picture",
        )
    own: list[Target] = []
    for i in range(len(circles)):
        value = told[i].value
        own.append("?" if value is None else value)
    return own, "own"


def _marks(names: Sequence[Region], inside: Mapping[int, Label]) -> dict[Region, Mark]:
    """What stands in every region. All in colour means that colour is just the ink of this screen."""
    coloured = {i for i, label in inside.items() if label.kind == "number" and label.saturation >= COLOURED}
    numbers = [i for i, label in inside.items() if label.kind == "number"]
    plates = any(inside[i].plate for i in coloured)
    only_colour = bool(numbers) and len(coloured) == len(numbers) and not plates
    marks: dict[Region, Mark] = {}
    for i, name in enumerate(names):
        label = inside.get(i)
        if label is None or label.kind == "question":
            marks[name] = Mark("", 1.0, state="free")
            continue
        placed = (i in coloured and not only_colour) or label.plate
        state: Literal["given", "placed"] = "placed" if placed else "given"
        runner_up = "" if label.runner_up is None else str(label.runner_up)
        symbol = None if label.value is None else str(label.value)
        marks[name] = Mark(symbol, label.confidence, runner_up, state)
    return marks


def _numbers(stock: Sequence[Label]) -> tuple[list[int], dict[str, Control]]:
    unclear = [label for label in stock if label.value is None]
    if unclear:
        at = unclear[0].at
        raise UncertainReading(
            f"{len(unclear)} of {len(stock)} stock tiles cannot be read, one at ({at.x:.0f}, {at.y:.0f})",
            hint="take a larger or sharper picture",
        )
    numbers = [label.value for label in stock if label.value is not None]
    counts = Counter(numbers)
    controls = {
        str(label.value): Control(label.at, counts[label.value or 0], confidence=label.confidence)
        for label in stock
    }
    return numbers, controls


def _refuse_impossible(puzzle: Rings, remark: str) -> None:
    """A number read wrongly leaves no filling, or many; only sums that are to be found may leave several."""
    open_sums = any(puzzle.sum_of(ring) is None for ring in puzzle.rings)
    if remark == NO_FILLING or not open_sums:
        raise UncertainReading(
            f"{len(puzzle.rings)} rings and {len(puzzle.numbers)} stock numbers were read, but {remark}",
            hint="a number may have been misread: take a larger or sharper picture",
        )


def _tiles_are_used_up(tiles: Sequence[int], placed: Entries) -> bool:
    """Whether entered numbers have left the stock: one of them is no tile any more, or the tiles repeat a number,
    which a stock that never shrinks does not."""
    return any(number not in tiles for number in placed.values()) or len(set(tiles)) < len(tiles)


def _area(circles: Sequence[Circle], labels: Sequence[Label], frame: Frame) -> Box:
    width, height = frame.size
    corners = [Point(c.x + s * c.radius, c.y + s * c.radius) for c in circles for s in (-1, 1)]
    for label in labels:
        corners += [
            Point(label.box.left - label.box.width, label.box.top - label.box.height),
            Point(label.box.left + 2 * label.box.width, label.box.top + 2 * label.box.height),
        ]
    left, top = max(0, int(min(p.x for p in corners))), max(0, int(min(p.y for p in corners)))
    right = min(width, math.ceil(max(p.x for p in corners)))
    bottom = min(height, math.ceil(max(p.y for p in corners)))
    return Box(left, top, right - left, bottom - top)
