"""A later look at a ring puzzle that has been read before: what has come into its blanks since was entered.

Rings, regions and the stock stand. Only the lines' being there, the middles of the blanks and the tiles are looked at;
whatever is not plain there is read anew from the whole picture.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from solver.rings import Entries, Rings, check
from vision.digits import Ink, read_numbers
from vision.frame import Box, Frame, Pixels, Point
from vision.profile import Profile
from vision.readers.rings.board import read
from vision.readers.rings.circles import ground_of, ink_on, sampled
from vision.readers.rings.figure import Circle, beyond
from vision.readers.rings.question import tell_marks
from vision.readers.rings.writing import crop
from vision.reading import Control, Mark, Reading
from vision.track import Changes, later

# A ring is there where so much of its outline is line, at so many angles, of so many levels at least.
OUTLINE, ANGLES, LEAST_LINE = 0.6, 60, 30.0
# Ink of a number, 0..255; a number as sure as this is believed without a full look.
LEAST_INK, SURE = 60.0, 0.95
# Elsewhere in the figure no more px of ink may come or go than this share of a digit's square.
MOST_CHANGED = 0.06
# A region is looked at to so much of its depth, and to so many heights of a digit: targets on lines reach into it. A
# tile's number lies within this share of a radius.
DEPTH, REACH, TILE = 0.92, 1.25, 0.12


def reread(frame: Frame, earlier: Reading[Rings, Entries]) -> Reading[Rings, Entries]:
    """A later frame of a board that has been read. Raises like `read`."""
    tracked = None if earlier.doubtful else later(frame, earlier, _tracked)
    return tracked or as_entered(read(frame, Profile("rings", earlier.ui)), earlier)


def _tracked(
    frame: Frame, earlier: Reading[Rings, Entries], changed: Changes
) -> Reading[Rings, Entries] | None:
    """The reading with what stands in the blanks now; None where that is not plain."""
    del changed  # all blanks and tiles take no longer than finding out which of them changed
    puzzle, pixels = earlier.puzzle, frame.pixels
    circles = [Circle(ring.x, ring.y, ring.radius) for ring in puzzle.rings]
    ground = ground_of(crop(pixels, earlier.area))
    if not _still_there(pixels, circles, earlier.facts["line_px"], ground):
        return None
    spots = _spots(earlier)
    still, was = (_still_px(each, earlier, ground, spots) for each in (pixels, earlier.seen.first))
    if abs(still - was) > MOST_CHANGED * earlier.facts["digit_px"] ** 2:
        return None
    blanks = list(puzzle.blanks)
    inks = [_ink_at(pixels, at, reach) for at, reach in spots]
    shown = {region: ink for region, ink in zip(blanks, inks, strict=True) if ink is not None}
    numbers = read_numbers(list(shown.values()))
    marks = dict.fromkeys(blanks, Mark("", 1.0, state="free"))
    for region, number, told in zip(shown, numbers, tell_marks(list(shown.values()), numbers), strict=True):
        if told == "mark" and earlier.facts["question_marks"]:
            continue
        if told != "digit" or number.confidence < SURE or number.value not in puzzle.numbers:
            return None
        marks[region] = Mark(str(number.value), number.confidence, str(number.runner_up or ""), "placed")
    placed = {region: int(mark.symbol) for region, mark in marks.items() if mark.symbol}
    controls = _controls(pixels, earlier, placed)
    if controls is None:
        return None
    return replace(
        earlier,
        placed=placed,
        marks={region: marks.get(region, mark) for region, mark in earlier.marks.items()},
        controls=controls,
        finished=len(placed) == len(blanks) and not check(puzzle, placed),
        seen=replace(earlier.seen, pixels=pixels),
    )


def _spots(reading: Reading[Rings, Entries]) -> list[tuple[Point, float]]:
    """Where the number of each blank is looked for, and how far around, px."""
    circles = [Circle(ring.x, ring.y, ring.radius) for ring in reading.puzzle.rings]
    centres = [reading.geometry.centres[region] for region in reading.puzzle.blanks]
    depths = np.abs(beyond(circles, centres)).min(axis=1, initial=np.inf) - reading.facts["line_px"] / 2
    reaches = np.minimum(DEPTH * depths, REACH * reading.facts["digit_px"])
    return list(zip(centres, reaches.tolist(), strict=True))


def _still_px(
    pixels: Pixels,
    reading: Reading[Rings, Entries],
    ground: npt.NDArray[np.float32],
    spots: Sequence[tuple[Point, float]],
) -> int:
    """How many px of the figure are ink, but for those where numbers of blanks are looked for."""
    rings = reading.puzzle.rings
    left, top = (
        max(0, math.floor(min(at)))
        for at in zip(*((r.x - r.radius, r.y - r.radius) for r in rings), strict=True)
    )
    right, bottom = (
        math.ceil(max(at)) for at in zip(*((r.x + r.radius, r.y + r.radius) for r in rings), strict=True)
    )
    marked = np.asarray(ink_on(pixels[top:bottom, left:right], ground) > LEAST_INK, np.uint8)
    for at, reach in spots:
        cv2.circle(marked, (round(at.x - left - 0.5), round(at.y - top - 0.5)), math.ceil(reach), 0, -1)
    return int(cv2.countNonZero(marked))


def _still_there(
    pixels: Pixels, circles: Sequence[Circle], line_px: float, ground: npt.NDArray[np.float32]
) -> bool:
    """Whether the line of every ring is where it was, and darker or lighter than what is beside it."""
    turns = np.linspace(0, 2 * math.pi, ANGLES, endpoint=False)
    turn = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    left, top = (max(0, math.floor(min(c[i] - c.radius for c in circles)) - 8) for i in (0, 1))
    right, bottom = (math.ceil(max(c[i] + c.radius for c in circles)) + 8 for i in (0, 1))
    ink = ink_on(pixels[top:bottom, left:right], ground)
    at = np.array([(c.x - left, c.y - top, c.radius) for c in circles])
    beside = line_px + 3.0
    across = sampled(ink, at, np.array([-beside, 0.0, beside]), turn)
    seen = (across[:, 1] > LEAST_LINE) & (across[:, 1] > across[:, ::2].min(axis=1) + LEAST_LINE / 2)
    return bool((seen.mean(axis=1) >= OUTLINE).all())


def _ink_at(pixels: Pixels, at: Point, reach: float) -> Ink | None:
    """What is written around a place, 0..1, within so many px; None for nothing."""
    half = max(1, math.floor(reach))
    left, top = round(at.x) - half, round(at.y) - half
    seen = crop(pixels, Box(left, top, 2 * half, 2 * half))
    if not seen.size:
        return None
    across = np.arange(seen.shape[1]) + max(0, left) + 0.5 - at.x
    down = np.arange(seen.shape[0]) + max(0, top) + 0.5 - at.y
    away = ink_on(seen, np.median(seen.reshape(-1, 3), axis=0))
    away[(across**2)[None, :] + (down**2)[:, None] > reach * reach] = 0
    strongest = int(away.max(initial=0))
    return away.astype(np.float32) / np.float32(strongest) if strongest >= LEAST_INK else None


def _controls(
    pixels: Pixels, earlier: Reading[Rings, Entries], placed: Entries
) -> Mapping[str, Control] | None:
    """The tiles that are still there; None where others have come back, or which are gone cannot be told."""
    stock, gone = Counter(earlier.puzzle.numbers), {}
    cleared = [number for region, number in earlier.placed.items() if placed.get(region) != number]
    if any(str(number) not in earlier.controls for number in cleared):
        return None
    radius = min(ring.radius for ring in earlier.puzzle.rings)
    half = max(3, round(TILE * radius))
    for name, control in earlier.controls.items():
        window = crop(pixels, Box(round(control.at.x) - half, round(control.at.y) - half, 2 * half, 2 * half))
        there = bool((ink_on(window, np.median(window.reshape(-1, 3), axis=0)) > LEAST_INK).any())
        if there:
            continue
        # Another tile of that number may be elsewhere.
        if stock[int(name)] > 1 and placed != earlier.placed:
            return None
        gone[name] = control
    return {name: one for name, one in earlier.controls.items() if name not in gone}


def as_entered(now: Reading[Rings, Entries], earlier: Reading[Rings, Entries]) -> Reading[Rings, Entries]:
    """The reading with those numbers as entered ones that stand in blanks of the earlier reading.

    A single picture tells givens from entries by their colour. Where nothing is given, all its numbers have that
    colour, which may as well be the ink of the screen. Another puzzle comes back as it is.
    """
    was, puzzle = earlier.puzzle, now.puzzle
    fresh = {region: value for region, value in puzzle.given.items() if region not in was.given}
    same_figure = was.rings == puzzle.rings and [p.region for p in was.places] == [
        p.region for p in puzzle.places
    ]
    same_givens = {
        region: value for region, value in puzzle.given.items() if region not in fresh
    } == was.given
    stock = Counter(puzzle.numbers)
    same_stock = Counter(was.numbers) in (stock, stock + Counter(fresh.values()))
    if not fresh or not (same_figure and same_givens and same_stock):
        return now
    places = tuple(replace(place, value=None) if place.region in fresh else place for place in puzzle.places)
    told = replace(puzzle, places=places, numbers=was.numbers, use=was.use, target=was.target)
    placed = {**now.placed, **fresh}
    marks = {
        region: replace(mark, state="placed") if region in fresh else mark
        for region, mark in now.marks.items()
    }
    complete = len(placed) == len(told.blanks) and not now.doubtful
    return replace(
        now,
        puzzle=told,
        placed=placed,
        marks=marks,
        finished=complete and not check(told, placed),
        remarks=(),
    )
