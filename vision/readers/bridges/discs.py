"""Islands: equal discs with a number inside, whatever their shape and colours.

An area of one colour that is as high as wide, around writing, is a disc with a number. Many of one size are islands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from solver.groups import join, root
from vision import digits
from vision.colour import usual_colour
from vision.digits import Number
from vision.frame import Pixels, Point
from vision.measures.areas import Areas
from vision.scene import Scene

Floats = npt.NDArray[np.float64]

# Neighbouring px are one area when they differ by at most so many levels: drawn screens, photographed ones, and soft
# pictures without their grain.
DRAWN, PHOTOGRAPHED, SOFT = 3, 24, 40
# Sides of an area that may be an island's inside, in px; width and height differ by at most this factor, as those of a
# hexagon do; the writing leaves at least this share of the box.
LEAST_PX, MOST_PX = 8, 180
SQUARE = 1.18
LEAST_SHARE = 0.25
MOST_AREAS = 3000
# Squares, also rounded ones, reach here (shares of the box), discs do not.
CORNERS = np.array([(0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)])
# Discs that are not small reach here, diamonds do not: those have this share of the radius.
DIAGONALS, DIAMOND = 0.5 + 0.29 * np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)]), 0.8
# Something is written within this share of the half, and on a circle that a diamond holds as well most is the area.
WRITING = np.array([(u, v) for u in (-0.4, -0.2, 0.0, 0.2, 0.4) for v in (-0.4, -0.2, 0.0, 0.2, 0.4)])
RIM_CIRCLE = 0.65 * np.array([(np.cos(a), np.sin(a)) for a in np.arange(16) * np.pi / 8 + 0.1])
# Of small areas writing leaves less.
MOSTLY, SOME = 0.5, 0.2
# Islands found in two ways have radii that differ by at most this factor.
LIKE = 1.35
# So few of one size are no board.
LEAST_ALIKE = 3
# So many sizes are asked for a board. Islands stand in one row or column when their middles differ by at most this share
# of the radius.
MOST_SIZES = 4
IN_LINE = 0.3
# A number is so high, in radii.
LEAST_WRITING, MOST_WRITING = 0.28, 1.45
# Two digits of a number differ in height by at most this factor, as those of old style do.
SAME_HEIGHT = 1.5
# Numbers of islands of at most this radius are read between the pixels.
SMALL = 8.0
# Radii within this factor, or so many px, are one size.
SAME_SIZE, SAME_PX = 1.13, 0.6
# Of the corners of a circle's box so many belong to what is around it.
CORNERS_AROUND = 3
# Of a 0 the middle has less ink, for all of its height but for this share at both ends.
CLEAR, ENDS = 0.6, 0.28
# What may be an island's number: as sure as this, and no more than twice its eight bridges.
MAY_BE, MOST_NUMBER = 0.35, 16
# One digit is no wider than this many heights; a number is this near to the middle (radii): across for one digit and for two.
DIGIT_WIDE, ASIDE, ASIDE_TWO = 1.05, 0.35, 0.2
# Of a circle this share of the radius is looked at, in so many px at least.
INSIDE = 0.86
LEAST_ROUND_PX = 12


@dataclass(frozen=True)
class Disc:
    """A circle: the middle in px, the radius of its innermost edge, and the number inside."""

    x: float
    y: float
    radius: float
    number: Number


class Found(NamedTuple):
    """What looks like islands, in no order; nothing where there are none.

    blank: middles of what has the islands' shape and size, and no number that can be read. square: whether most islands
    have the corners of a square. written: whether they were found by their numbers alone; bare: and have no edge.
    """

    islands: list[Disc]
    blank: list[Point]
    square: bool = False
    written: bool = False
    bare: bool = False

    def like(self, other: Found) -> bool:
        """Whether both are a board's islands of about one size, so that what is blank in one lacks in the other."""
        if min(len(self.islands), len(other.islands)) < LEAST_ALIKE:
            return self is other
        own, its = (median([disc.radius for disc in one.islands]) for one in (self, other))
        return max(own, its) <= LIKE * min(own, its) + SAME_PX


def islands_of_areas(scene: Scene, step: int) -> Found:
    """Areas in which neighbours differ by at most `step` levels and that are islands."""
    pixels, areas = scene.pixels, scene.areas(step)
    name, x, y, half, square = _candidates(areas)
    written = _around_writing(areas, name, x, y, half)
    discs = with_numbers(pixels, list(zip(x[written], y[written], half[written], strict=True)))
    islands = of_one_size(discs)
    if not islands:
        return Found([], [])
    usual = median([d.radius for d in islands])
    numbered = {(d.x, d.y) for d in discs}
    cornered = {(float(u), float(v)) for u, v in zip(x[square], y[square], strict=True)}
    squares = 2 * sum((d.x, d.y) in cornered for d in islands) > len(islands)
    # Among round islands the cells of a drawn grid are no islands.
    fits = (np.abs(half - usual) <= _tolerance(usual)) & (squares | ~square)
    blank = [(float(u), float(v)) for u, v in zip(x[fits], y[fits], strict=True)]
    rest = [(*at, usual) for at in blank if at not in numbered]
    # A digit that reaches its ring leaves pieces of the area around it. Tiles without a number are many.
    more = with_numbers(pixels, rest) if len(rest) <= len(islands) else []
    numbered |= {(d.x, d.y) for d in more}
    return Found([*islands, *more], [Point(*at) for at in blank if at not in numbered], squares)


def _candidates(
    areas: Areas,
) -> tuple[npt.NDArray[np.int_], Floats, Floats, Floats, npt.NDArray[np.bool_]]:
    """(name, x, y, half, square) of the areas that are about as wide as high, those of a common size."""
    size = np.maximum(areas.width, areas.height)
    fits = (size >= LEAST_PX) & (size <= MOST_PX)
    fits &= size <= SQUARE * np.minimum(areas.width, areas.height) + 1
    fits &= areas.count >= LEAST_SHARE * areas.width * areas.height
    fits[0] = False
    name = np.flatnonzero(fits)[:MOST_AREAS]
    half = (areas.width[name] + areas.height[name]) / 4
    common = are_common(half, _tolerance(half))
    name, half = name[common], half[common]
    left, top, width, height = (
        side[name].astype(np.float64) for side in (areas.left, areas.top, areas.width, areas.height)
    )
    corners, diagonals = (
        _belongs(
            areas,
            name,
            left[:, None] + 1 + places[:, 0] * (width[:, None] - 2),
            top[:, None] + 1 + places[:, 1] * (height[:, None] - 2),
        ).sum(axis=1)
        for places in (CORNERS, DIAGONALS)
    )
    half = np.where((diagonals > 0) | (half <= SMALL), half, DIAMOND * half)
    return name, left + width / 2, top + height / 2, half, corners >= CORNERS_AROUND


def are_common(sizes: Floats, off: Floats) -> npt.NDArray[np.bool_]:
    """(n,) of which sizes there are as many, give or take so much, as a board has islands."""
    ordered = np.sort(sizes)
    alike = np.searchsorted(ordered, sizes + off, "right") - np.searchsorted(ordered, sizes - off)
    return np.asarray(alike >= LEAST_ALIKE)


def _around_writing(
    areas: Areas, name: npt.NDArray[np.int_], x: Floats, y: Floats, half: Floats
) -> npt.NDArray[np.bool_]:
    """Whether an area has something else in its middle, and itself farther out."""
    inner, rim = (
        _belongs(
            areas,
            name,
            x[:, None] + half[:, None] * places[:, 0],
            y[:, None] + half[:, None] * places[:, 1],
        )
        for places in (WRITING, RIM_CIRCLE)
    )
    return np.asarray(~inner.all(axis=1) & (rim.mean(axis=1) >= np.where(half <= SMALL, SOME, MOSTLY)))


def _belongs(areas: Areas, name: npt.NDArray[np.int_], x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
    """(areas, places) whether the places belong to the areas."""
    height, width = areas.names.shape
    at_x = np.clip(np.rint(x), 0, width - 1).astype(int)
    at_y = np.clip(np.rint(y), 0, height - 1).astype(int)
    return np.asarray(areas.names[at_y, at_x] == name[:, None])


def _tolerance(radius: npt.NDArray[np.float64] | float) -> Floats:
    return np.maximum((SAME_SIZE - 1) * np.asarray(radius), SAME_PX)


def _same_size(radius: float, usual: float) -> bool:
    return bool(abs(radius - usual) <= _tolerance(usual))


def with_numbers(pixels: Pixels, circles: Sequence[tuple[float, float, float]]) -> list[Disc]:
    """The circles with a number in the middle."""
    numbers = numbers_in(pixels, circles)
    return [
        Disc(float(x), float(y), float(r), number)
        for (x, y, r), number in zip(circles, numbers, strict=True)
        if is_clue(number)
    ]


def is_clue(number: Number) -> bool:
    """Whether it may be an island's: 0 where labels count down."""
    return number.value is not None and number.confidence > MAY_BE and number.value <= MOST_NUMBER


def numbers_in(pixels: Pixels, circles: Sequence[tuple[float, float, float]]) -> list[Number]:
    """The numbers in the middle of circles (x, y, radius); what looks exactly the same is read once."""
    looks: dict[tuple[bytes, float, float], int] = {}
    inks: list[digits.Ink] = []
    which = []
    for x, y, radius in circles:
        part, off_x, off_y = _cut(pixels, x, y, radius)
        key = (part.tobytes(), off_x, off_y)
        if key not in looks:
            looks[key] = len(inks)
            ink = _inside(part, off_x, off_y, radius)
            inks.append(ink if _in_the_middle(ink, radius) else np.zeros((1, 1), np.float32))
        which.append(looks[key])
    numbers = read_numbers(inks)
    return [numbers[k] for k in which]


def read_numbers(inks: Sequence[digits.Ink]) -> list[Number]:
    """The numbers that are written; an island around its own one looks like a 0, and is none."""
    return [
        digits.NOTHING if number.value == 0 and _is_full(ink) else number
        for ink, number in zip(inks, digits.read_numbers(inks), strict=True)
    ]


def _is_full(ink: digits.Ink) -> bool:
    """Whether something is in the middle of what looks like a 0."""
    box = digits.ink_box(ink)
    if box is None:
        return False
    middle, ends = ink[box.window][:, box.width // 2], round(ENDS * box.height)
    return bool(middle[ends : box.height - ends].max(initial=0) > CLEAR)


def _in_the_middle(ink: digits.Ink, radius: float) -> bool:
    """Whether the writing has the height of an island's number and stands in its middle."""
    radius *= _enlarged(radius)
    boxes = [b for b in digits.split_glyphs(ink) if b.height >= digits.LEAST_HEIGHT_PX]
    # What is wider than high is no digit, but two that cannot be told apart.
    if any(b.width > DIGIT_WIDE * b.height for b in boxes):
        return False
    if not boxes or not LEAST_WRITING * radius <= max(b.height for b in boxes) <= MOST_WRITING * radius:
        return False
    # A piece of the edge beside a digit is no second one: it is higher, and not in the middle with it.
    if max(b.height for b in boxes) > SAME_HEIGHT * min(b.height for b in boxes):
        return False
    height, width = ink.shape
    x = (boxes[0].left + boxes[-1].right) / 2
    y = (min(b.top for b in boxes) + max(b.bottom for b in boxes)) / 2
    aside = ASIDE if len(boxes) == 1 else ASIDE_TWO
    return bool(abs(x - width / 2) <= aside * radius and abs(y - height / 2) <= ASIDE * radius)


def of_one_size(discs: Sequence[Disc]) -> list[Disc]:
    """Those of the size that a board's islands are likeliest to have.

    Letters of a text are many, but small; chips and buttons of a heading are larger, but stand in one line.
    """
    left, groups = list(discs), list[list[Disc]]()
    while left and len(groups) < MOST_SIZES:
        usual = _usual_radius(left)
        groups.append([d for d in left if _same_size(d.radius, usual)])
        left = [d for d in left if not _same_size(d.radius, usual)]
    planes = (group for group in groups if _is_plane(in_line(group)))
    first = next(planes, groups[0] if groups else [])
    return next((group for group in planes if not _count_up(group)), first) if _count_up(first) else first


def _count_up(discs: Sequence[Disc]) -> bool:
    """Whether the numbers count up from the first line to the last, as those of levels and keys do."""
    if len(discs) < LEAST_ALIKE:
        return False
    x, y, values = np.array([(d.x, d.y, d.number.value or 0) for d in discs]).T
    lines = np.round(y / (2 * discs[0].radius))
    return bool((np.diff(values[np.lexsort((x, lines))]) == 1).all())


def _is_plane(islands: Sequence[Disc]) -> bool:
    """Whether they are as many as a board has, and stand in more than one row and more than one column."""
    if len(islands) < LEAST_ALIKE:
        return False
    x, y = np.array([(d.x, d.y) for d in islands]).T
    return bool(min(np.ptp(x), np.ptp(y)) > islands[0].radius)


def in_line(islands: Sequence[Disc]) -> list[Disc]:
    """The largest set of islands that hang together by rows and columns, as those of every board do.

    What is left out are letters and buttons of other windows.
    """
    if not islands:
        return []
    x, y, radius = np.array([(d.x, d.y, d.radius) for d in islands], np.float64).T
    reach = IN_LINE * np.minimum(radius[:, None], radius)
    aligned = (np.abs(x[:, None] - x) < reach) | (np.abs(y[:, None] - y) < reach)
    parents = list(range(len(islands)))
    for one, other in zip(*np.nonzero(np.triu(aligned, 1)), strict=True):
        join(parents, int(one), int(other))
    groups = [root(parents, number) for number in range(len(islands))]
    largest = max(groups, key=groups.count)
    return [disc for disc, group in zip(islands, groups, strict=True) if group == largest]


def _usual_radius(discs: Sequence[Disc]) -> float:
    """The radius that most discs have; letters of a text are many, but small."""
    if not discs:
        return 0.0
    radii, sure = np.array([(d.radius, d.number.confidence) for d in discs]).T
    alike = np.abs(radii[:, None] - radii) <= _tolerance(radii[:, None])
    best = np.lexsort((radii, (alike @ sure) * radii**0.5))[-1]
    return float(np.median(radii[alike[best]]))


def _enlarged(radius: float) -> int:
    """How many times larger the writing in such a circle is looked at."""
    return 2 if radius <= SMALL else 1


def _cut(pixels: Pixels, x: float, y: float, radius: float) -> tuple[Pixels, float, float]:
    """The square around a circle's inside, and where in it the circle's middle is."""
    reach = INSIDE * radius
    height, width = pixels.shape[:2]
    left, right = max(int(x - reach), 0), min(int(x + reach) + 1, width)
    top, bottom = max(int(y - reach), 0), min(int(y + reach) + 1, height)
    return pixels[top:bottom, left:right], x - left, y - top


def _inside(part: Pixels, off_x: float, off_y: float, radius: float) -> digits.Ink:
    """The ink of what is written in a circle; part, off_x, off_y: see `_cut`."""
    if part.size == 0:
        return np.zeros((1, 1), np.float32)
    scale = _enlarged(radius)
    if scale > 1:
        part = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    round_ = _distance(part.shape[1], part.shape[0], scale * off_x, scale * off_y) <= INSIDE * scale * radius
    if round_.sum() < LEAST_ROUND_PX:
        return np.zeros((1, 1), np.float32)
    ink = digits.ink_of(part, usual_colour(part[round_]).tolist())
    return np.where(round_, ink, 0).astype(np.float32)


@lru_cache(maxsize=64)
def _distance(width: int, height: int, x: float, y: float) -> Floats:
    """(height, width) how far each px is from a place."""
    across, down = np.arange(width) + 0.5 - x, np.arange(height) + 0.5 - y
    return np.asarray(np.hypot(across, down[:, None]))
