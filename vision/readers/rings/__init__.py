"""Reads a ring puzzle: circles, regions, the numbers in them, the targets and the stock.

Circles are found by voting and fitted to the middle of their lines; the regions follow from the circles alone. A
number belongs to the region it stands in, to the ring on whose line or beside which it stands, or to the stock when it
stands below the figure. Entered numbers are written in colour, givens in black, white or grey. The rule for repeating
numbers is not on the picture: the strictest one that leaves exactly one filling is taken.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Literal

import cv2
import numpy as np

from solver.lattice import Region
from solver.rings import Entries, Rings, check
from vision.errors import BoardNotFound, UncertainReading, VisionError
from vision.frame import Box, Frame, Point
from vision.profile import Profile
from vision.readers.rings.again import as_entered
from vision.readers.rings.assemble import NO_FILLING, assemble, reading_order, region_names
from vision.readers.rings.circles import find_circles
from vision.readers.rings.figure import Circle, Piece, pieces
from vision.readers.rings.ground import ink_over
from vision.readers.rings.label import Label
from vision.readers.rings.labels import find_labels
from vision.readers.rings.legend import by_colour
from vision.readers.rings.lines import trace
from vision.readers.rings.places import (
    Targets,
    find_targets,
    rim_targets,
    sort_labels,
    split_stock,
    unread_target,
    without_captions,
    written_in,
)
from vision.readers.rings.slivers import refuse_slivers
from vision.reading import Control, Geometry, Mark, Reading

FEWEST_RINGS = 2
# Larger pictures are read at half their size first: lines and digits are thick enough then, and quicker to follow.
# Others at least as large as this are tried so where they cannot be understood as they are.
LARGE_PX, HALVED_PX = 2400, 1200
# Ink of at least this saturation is colour: an entered number.
COLOURED = 70.0
# So many targets that are hard to read are tried both ways, when they look like numbers at least.
MOST_DOUBTFUL = 4
LIKELY = 0.55


def read(frame: Frame, profile: Profile) -> Reading[Rings, Entries]:
    """The ring puzzle on a frame.

    Raises BoardNotFound when there are no overlapping rings, UncertainReading when targets or stock make no
    sense.
    """
    if max(frame.size) > LARGE_PX and (half := _at_half(frame, profile)) is not None:
        return half
    may_halve = HALVED_PX <= max(frame.size) <= LARGE_PX
    try:
        whole = _read(frame, profile)
    except UncertainReading:
        half = _at_half(frame, profile) if may_halve else None
        if half is None:
            raise
        return half
    return (_at_half(frame, profile) if may_halve and whole.doubtful else None) or whole


def reread(frame: Frame, earlier: Reading[Rings, Entries]) -> Reading[Rings, Entries]:
    """A later frame of a board that has been read: what has come into its blanks was entered. Raises like `read`."""
    return as_entered(read(frame, Profile("rings", earlier.ui)), earlier)


def _at_half(frame: Frame, profile: Profile) -> Reading[Rings, Entries] | None:
    """What is read on the picture at half its size, where that is without doubt."""
    half = cv2.resize(frame.pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    try:
        reading = read(replace(frame, pixels=np.asarray(half, np.uint8)), profile)
    except VisionError:
        return None
    return None if reading.doubtful else _doubled(reading, frame)


def _doubled(reading: Reading[Rings, Entries], frame: Frame) -> Reading[Rings, Entries]:
    """What was read on a picture of half the size, in px of the whole one."""

    def at(point: Point) -> Point:
        # Pixel middles: two pixels side by side become one.
        return Point(2 * point.x + 0.5, 2 * point.y + 0.5)

    rings = tuple(
        replace(ring, x=2 * ring.x + 0.5, y=2 * ring.y + 0.5, radius=2 * ring.radius)
        for ring in reading.puzzle.rings
    )
    left, top, width, height = (2 * value for value in reading.area)
    return replace(
        reading,
        puzzle=replace(reading.puzzle, rings=rings),
        geometry=Geometry(
            {name: at(centre) for name, centre in reading.geometry.centres.items()},
            2 * reading.geometry.pitch_px,
        ),
        area=Box(left, top, min(width, frame.size[0] - left), min(height, frame.size[1] - top)),
        controls={name: replace(one, at=at(one.at)) for name, one in reading.controls.items()},
        facts={**reading.facts, "line_px": 2 * reading.facts["line_px"]},
    )


def _read(frame: Frame, profile: Profile) -> Reading[Rings, Entries]:
    found = find_circles(frame.pixels)
    circles = reading_order(found.circles)
    if len(circles) < FEWEST_RINGS or not _overlap(circles):
        raise BoardNotFound(
            f"{len(circles)} ring outlines found, a ring puzzle has at least {FEWEST_RINGS} that overlap",
            hint="show the whole figure, with all rings inside the picture",
        )
    parts = pieces(circles)
    refuse_slivers(circles, parts)
    ink = ink_over(frame.pixels, circles, found.line_px)
    lines = trace(ink, circles, found.line_px)
    labels = find_labels(frame.pixels, ink, lines)
    where = sort_labels(labels, parts, lines)
    stock, loose = split_stock(without_captions(where.outside), circles, len(circles) - len(where.on_line))
    on_line = (
        where.on_line or rim_targets(where.inside, parts, lines) if _no_numbers(loose) else where.on_line
    )
    in_parts = {
        i: [one for one in labels if one not in on_line.values()] for i, labels in where.inside.items()
    }
    targets = find_targets(on_line, loose, circles, by_colour(frame.pixels, loose, lines))
    names = region_names(circles, parts)
    tiles, controls = _numbers(stock)
    *likely, usual = _interpretations(names, written_in(in_parts), [*stock, *loose, *on_line.values()])
    for marks in likely:
        with suppress(UncertainReading):
            puzzle, placed, remark = _understood(circles, parts, marks, tiles, targets)
            if not remark:
                break
    else:
        marks = usual
        puzzle, placed, remark = _understood(circles, parts, marks, tiles, targets)
    if remark and not any(mark.symbol is None for mark in marks.values()):
        _refuse_impossible(puzzle, remark)
    centres = {name: part.at for name, part in zip(names, parts, strict=True)}
    complete = len(placed) == len(puzzle.blanks) and all(mark.symbol is not None for mark in marks.values())
    return Reading(
        puzzle=puzzle,
        placed=placed,
        geometry=Geometry(centres, 2 * min(part.depth_px for part in parts)),
        marks=marks,
        area=_area(circles, [*stock, *loose, *where.on_line.values()], frame),
        controls=controls,
        finished=complete and not check(puzzle, placed),
        ui=profile.name,
        remarks=(remark,) if remark else (),
        facts={"rings": float(len(circles)), "line_px": found.line_px},
    )


def _understood(
    circles: Sequence[Circle],
    parts: Sequence[Piece],
    marks: Mapping[Region, Mark],
    tiles: Sequence[int],
    targets: Targets,
) -> tuple[Rings, dict[Region, int], str]:
    """The puzzle, what is entered, and a remark on the puzzle."""
    given = {n: int(m.symbol) for n, m in marks.items() if m.state == "given" and m.symbol}
    placed = {n: int(m.symbol) for n, m in marks.items() if m.state == "placed" and m.symbol}
    blanks = sum(mark.state != "given" for mark in marks.values())
    numbers = [*tiles, *(placed.values() if _tiles_are_used_up(tiles, placed) else ())]
    if blanks and not numbers:
        raise UncertainReading(
            f"{len(circles)} rings with {blanks} blanks, but no stock of numbers below them",
            hint="show the row of number tiles as well",
        )
    puzzle, remark = _assembled(circles, parts, given, numbers, targets)
    return puzzle, placed, remark


def _no_numbers(labels: Sequence[Label]) -> bool:
    return all(label.kind != "number" for label in labels)


def _overlap(circles: Sequence[Circle]) -> bool:
    return any(
        math.hypot(a.x - b.x, a.y - b.y) < a.radius + b.radius
        for i, a in enumerate(circles)
        for b in circles[:i]
    )


def _interpretations(
    names: Sequence[Region], inside: Mapping[int, Label], around: Sequence[Label]
) -> Iterator[dict[Region, Mark]]:
    """What stands in every region, the likelier first; the last one where none of them makes a puzzle.

    Entered numbers are coloured, givens are not. Where all are coloured, colour may be just the ink of this screen:
    unless most numbers around the figure are not, or no region is left, and the puzzle has one solution without them.
    """
    numbers = [label for label in inside.values() if label.kind == "number"]
    only_colour = bool(numbers) and all(label.saturation >= COLOURED and not label.plate for label in numbers)
    others = [label.saturation < COLOURED for label in around if label.kind == "number"]
    if not only_colour or 2 * sum(others) > len(others) or len(numbers) == len(names):
        yield _marks(names, inside, COLOURED)
    if only_colour:
        yield _marks(names, inside, math.inf)


def _marks(names: Sequence[Region], inside: Mapping[int, Label], coloured: float) -> dict[Region, Mark]:
    """What stands in every region. coloured: entered numbers are at least as saturated."""
    marks: dict[Region, Mark] = {}
    for i, name in enumerate(names):
        label = inside.get(i)
        if label is None or label.kind == "question":
            marks[name] = Mark("", 1.0, state="free")
            continue
        placed = label.plate or (label.kind == "number" and label.saturation >= coloured)
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
    numbers = [
        number
        for label in stock
        if label.value is not None
        for number in range(label.value, (label.until or label.value) + 1)
    ]
    counts = Counter(numbers)
    # The numbers of a range have no tiles of their own.
    controls = {
        str(label.value): Control(label.at, counts[label.value or 0], confidence=label.confidence)
        for label in stock
        if label.until is None
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


def _assembled(
    circles: Sequence[Circle],
    parts: Sequence[Piece],
    given: Entries,
    numbers: Sequence[int],
    targets: Targets,
) -> tuple[Rings, str]:
    """The puzzle and a remark on it. A target that was hard to read is the one of its two likely values that leaves
    exactly one filling, when the other leaves none."""
    choices = [(i, (label.likely, label.runner_up)) for i, label in targets.doubtful.items()]
    first = next(iter(targets.doubtful.values()), None)
    if first is not None and (
        len(choices) > MOST_DOUBTFUL
        or any(label.likely is None or label.confidence < LIKELY for label in targets.doubtful.values())
    ):
        raise unread_target(first)
    possible: list[tuple[Rings, str]] = []
    for values in product(*(values for _, values in choices)):
        own = list(targets.own)
        for (i, _), value in zip(choices, values, strict=True):
            own[i] = "?" if value is None else value
        found = assemble(circles, parts, given=given, numbers=numbers, target=targets.common, own=own)
        if first is None:
            return found
        if found[1] != NO_FILLING:
            possible.append(found)
    if len(possible) != 1 or possible[0][1]:
        assert first is not None, "without doubtful targets the first puzzle is returned"
        raise unread_target(first)
    return possible[0]


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
