"""Reads a ring puzzle: circles, regions, the numbers in them, the targets and the stock.

Circles are found by voting and fitted to the middle of their lines; the regions follow from the circles alone. A
number belongs to the region it stands in, to the ring on whose line or beside which it stands, or to the stock when it
stands below the figure. Entered numbers are written in colour or on a plate, givens in black, white or grey. The rule for
repeating numbers is not on the picture: the strictest one that leaves exactly one filling is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from solver.lattice import Region
from solver.rings import Entries, Fillings, Rings, check
from vision.colour import away_from, common_colour
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Pixels, Point
from vision.measures.edges import near_edges, partly_off
from vision.profile import Profile
from vision.readers.rings.assemble import assemble, reading_order, region_names
from vision.readers.rings.circles import fit_circles
from vision.readers.rings.claim import FEWEST_RINGS, around, overlapping, rough_circles
from vision.readers.rings.figure import Circle, beyond, box_of, pieces
from vision.readers.rings.places import find_targets, sort_labels
from vision.readers.rings.stock import Stock, read_stock
from vision.readers.rings.symbols import Label, tell_words
from vision.readers.rings.writing import crop, find_writing
from vision.reading import Geometry, Mark, Reading
from vision.scene import scene_of

# Numbers surely read on and around the rings without which circles that overlap are no puzzle.
FEWEST_NUMBERS, SURELY = 2, 0.9
# Ink of at least this saturation is colour: an entered number.
COLOURED = 70.0
# What is further from the figure than this, in radii, is none of its business; the stock may have many rows.
AROUND, BELOW = 1.5, 8.0
# A ground that is off its own colour by so many levels is noisy, and softened by so much.
NOISY, SOFTENED_PX = 5.0, 0.8
# Rings of twice this radius are read on a smaller picture.
ROOMY_RADIUS_PX = 110.0
# What may be tapped reaches so far beyond the figure.
AREA = 0.8


@dataclass(frozen=True, eq=False)
class Seen:
    """What a reading remembers. pixels: the last picture that it was told from; first: the one that was read whole."""

    pixels: Pixels
    first: Pixels


def read(frame: Frame, profile: Profile) -> Reading[Rings, Entries]:
    """The ring puzzle on a frame.

    Raises BoardNotFound when there are no overlapping rings with numbers, UncertainReading when targets or stock make no
    sense, or when the picture's edge cuts the figure.
    """
    scene = scene_of(frame)
    rough = overlapping(scene.once(rough_circles))
    if len(rough) < FEWEST_RINGS:
        raise _no_rings(len(rough))
    # Lines and digits of large rings are thick enough on a smaller picture, and quicker to follow.
    factor = max(1, int(min(c.radius for c in rough) / ROOMY_RADIUS_PX))
    if factor == 1:
        return replace(_read(scene.pixels, rough, profile), seen=Seen(frame.pixels, frame.pixels))
    small = cv2.resize(scene.pixels, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    circles = [Circle(c.x / factor, c.y / factor, c.radius / factor) for c in rough]
    reading = _enlarged(_read(np.asarray(small, np.uint8), circles, profile), factor, scene.size)
    return replace(reading, seen=Seen(frame.pixels, frame.pixels))


def _read(whole: Pixels, rough: Sequence[Circle], profile: Profile) -> Reading[Rings, Entries]:
    size = (whole.shape[1], whole.shape[0])
    figure = _drawn(whole, rough)
    circles, pixels, line_px = figure.circles, figure.pixels, figure.line_px
    parts = pieces(circles)
    written = find_writing(figure.ink, circles, line_px)
    away = beyond(circles, [word.box.centre for word in written.words])
    inside = [bool(row.min() < 0) for row in away]
    labels = tell_words(pixels, written, inside)
    if sum(one.kind == "number" and one.confidence >= SURELY for one in labels) < FEWEST_NUMBERS:
        raise BoardNotFound(
            f"{len(circles)} rings that overlap, but no numbers on or around them",
            hint="show the whole figure with its numbers",
        )
    _refuse_cut(circles, labels, line_px, size)
    where = sort_labels(labels, parts, circles, written.drawn)
    stock, loose = read_stock(where.outside, circles, figure.ink)
    targets = find_targets(where, loose, parts, circles)
    marks = _marks(region_names(circles, parts), where.inside)
    given, placed = (
        {name: int(mark.symbol) for name, mark in marks.items() if mark.state == state and mark.symbol}
        for state in ("given", "placed")
    )
    numbers = _stock_of(stock.numbers, marks, placed, len(circles))
    puzzle, fillings = assemble(
        circles, parts, given=given, numbers=numbers, target=targets.common, own=targets.own
    )
    _refuse_missing_tiles(stock, len(placed))
    doubtful = any(mark.symbol is None for mark in marks.values())
    if fillings is not Fillings.ONE and not doubtful:
        _refuse_impossible(puzzle, fillings)
    complete = len(placed) == len(puzzle.blanks) and not doubtful
    return Reading(
        puzzle=puzzle,
        placed=placed,
        geometry=Geometry(
            dict(zip(marks, (part.at for part in parts), strict=True)),
            2 * min(part.depth_px for part in parts),
        ),
        marks=marks,
        area=around(circles, AREA, AREA, size, stock.tiles),
        controls=stock.controls,
        finished=complete and not check(puzzle, placed),
        ui=profile.name,
        remarks=(fillings.value,) if fillings.value else (),
        facts=_facts(circles, line_px, labels),
    )


def _facts(circles: Sequence[Circle], line_px: float, labels: Sequence[Label]) -> dict[str, float]:
    return {
        "rings": float(len(circles)),
        "line_px": line_px,
        "digit_px": _digit_px(labels, circles),
        "question_marks": float(sum(one.kind == "question" for one in labels)),
    }


@dataclass(frozen=True, eq=False)
class _Drawn:
    """The rings of a picture.

    pixels: softened where they are noisy. ink: (H, W) what differs from the ground.
    """

    circles: tuple[Circle, ...]
    line_px: float
    pixels: Pixels
    ink: npt.NDArray[np.uint8]


def _drawn(whole: Pixels, rough: Sequence[Circle]) -> _Drawn:
    """The rings, exactly, and what is drawn on and around them. Raises BoardNotFound where there are too few."""
    size = (whole.shape[1], whole.shape[0])
    window = around(rough, AROUND, BELOW, size)
    ground = common_colour(crop(whole, around(rough, 0.0, 0.0, size)))
    ink = _ink_in(whole, window, ground)
    found = fit_circles(ink, rough)
    circles = reading_order(overlapping(found.circles))
    if len(circles) < FEWEST_RINGS:
        raise _no_rings(len(circles))
    pixels = whole
    if np.median(crop(ink, window)[::3, ::3]) >= NOISY:
        pixels = np.asarray(cv2.GaussianBlur(whole, (0, 0), SOFTENED_PX), np.uint8)
        ink = _ink_in(pixels, window, ground)
    return _Drawn(tuple(circles), found.line_px, pixels, ink)


def _refuse_missing_tiles(stock: Stock, placed: int) -> None:
    """Raise UncertainReading where more tiles of the stock are missing than numbers have been entered."""
    if stock.gaps > placed:
        raise UncertainReading(
            f"{stock.gaps} tiles are missing between the {len(stock.numbers)} of the stock, but {placed} numbers have"
            " been entered",
            hint="take a larger or sharper picture, with the whole row of number tiles",
        )


def _digit_px(labels: Sequence[Label], circles: Sequence[Circle]) -> float:
    """How high the numbers of the figure are, or those around it where it has none."""
    numbers = [one for one in labels if one.kind in ("number", "question")]
    away = beyond(circles, [one.box.centre for one in numbers])
    within = [one.box.height for one, row in zip(numbers, away, strict=True) if row.min() < 0]
    return float(np.median(within or [one.box.height for one in numbers]))


def _enlarged(
    reading: Reading[Rings, Entries], factor: int, size: tuple[int, int]
) -> Reading[Rings, Entries]:
    """What was read on a picture that is so many times smaller, in px of the whole one."""
    rings = tuple(
        replace(ring, x=factor * ring.x, y=factor * ring.y, radius=factor * ring.radius)
        for ring in reading.puzzle.rings
    )
    places = tuple(replace(place, x=factor * place.x, y=factor * place.y) for place in reading.puzzle.places)
    centres = {name: Point(factor * x, factor * y) for name, (x, y) in reading.geometry.centres.items()}
    left, top, width, height = (factor * value for value in reading.area)
    return replace(
        reading,
        puzzle=replace(reading.puzzle, rings=rings, places=places),
        geometry=Geometry(centres, factor * reading.geometry.pitch_px),
        area=Box(left, top, min(width, size[0] - left), min(height, size[1] - top)),
        controls={
            name: replace(one, at=Point(factor * one.at.x, factor * one.at.y))
            for name, one in reading.controls.items()
        },
        facts={**reading.facts, **{name: factor * reading.facts[name] for name in ("line_px", "digit_px")}},
    )


def _no_rings(count: int) -> BoardNotFound:
    return BoardNotFound(
        f"{count} ring outlines found, a ring puzzle has at least {FEWEST_RINGS} that overlap",
        hint="show the whole figure, with all rings inside the picture",
    )


def _ink_in(pixels: Pixels, window: Box, ground: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """The ink (H, W) within a window, 0 elsewhere."""
    ink = np.zeros(pixels.shape[:2], np.uint8)
    crop(ink, window)[:] = away_from(crop(pixels, window), ground)
    return ink


def _refuse_cut(
    circles: Sequence[Circle], labels: Sequence[Label], line_px: float, size: tuple[int, int]
) -> None:
    """Raises UncertainReading where the picture's edge cuts a ring, or a number beside one."""
    sides = near_edges(box_of(circles), size, line_px / 2)
    if sides:
        raise partly_off(f"a ring of {len(circles)} reaches to the {sides[0]} edge of the picture")
    cut = [
        one
        for one in labels
        if one.kind in ("number", "unclear") and near_edges(one.plate or one.box, size, 1.0)
    ]
    if cut:
        at = cut[0].at
        raise partly_off(f"what is written at ({at.x:.0f}, {at.y:.0f}) is cut by the edge of the picture")


def _marks(names: Sequence[Region], inside: Mapping[int, Label]) -> dict[Region, Mark]:
    """What stands in every region."""
    marks: dict[Region, Mark] = {}
    for i, name in enumerate(names):
        label = inside.get(i)
        if label is None or label.kind == "question":
            marks[name] = Mark("", 1.0, state="free")
            continue
        placed = label.plate is not None or (label.kind == "number" and label.saturation >= COLOURED)
        state: Literal["given", "placed"] = "placed" if placed else "given"
        runner_up = "" if label.runner_up is None else str(label.runner_up)
        symbol = None if label.value is None else str(label.value)
        marks[name] = Mark(symbol, label.confidence, runner_up, state)
    return marks


def _stock_of(
    tiles: Sequence[int], marks: Mapping[Region, Mark], placed: Mapping[Region, int], rings: int
) -> list[int]:
    """All numbers of the puzzle: the tiles, and what has been entered where that takes a tile away."""
    numbers = [*tiles, *(placed.values() if _tiles_are_used_up(tiles, placed) else ())]
    blanks = sum(mark.state != "given" for mark in marks.values())
    if blanks and not numbers:
        raise UncertainReading(
            f"{rings} rings with {blanks} blanks, but no stock of numbers below them",
            hint="show the row of number tiles as well",
        )
    return numbers


def _tiles_are_used_up(tiles: Sequence[int], placed: Entries) -> bool:
    """Whether entered numbers have left the stock: one of them is no tile any more, or the tiles repeat a number,
    which a stock that never shrinks does not."""
    return any(number not in tiles for number in placed.values()) or len(set(tiles)) < len(tiles)


def _refuse_impossible(puzzle: Rings, fillings: Fillings) -> None:
    """A number read wrongly leaves no filling, or many; only sums that are to be found may leave several."""
    open_sums = any(puzzle.sum_of(ring) is None for ring in puzzle.rings)
    if fillings is Fillings.NONE or not open_sums:
        raise UncertainReading(
            f"{len(puzzle.rings)} rings and {len(puzzle.numbers)} stock numbers were read, but {fillings.value}",
            hint="a number may have been misread: take a larger or sharper picture",
        )
