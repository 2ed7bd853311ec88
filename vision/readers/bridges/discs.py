"""Islands: equal circles with a number inside, whether ring or disc, whatever the colours.

A circle, or an area of one colour as high as wide, is an island when a number stands in it and many others have its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision import digits
from vision.digits import Number
from vision.frame import Pixels, Point
from vision.readers.bridges.circles import circles_at, find_circles
from vision.readers.bridges.shapes import distinct, flat_shapes

# Writing that stays farther out than this share of the circle is none.
RIM = 0.75
MOST_RIM = 0.2
# Zeros are narrower than this share of their height; rings are so sure to be zeros.
ROUND_ZERO, RING_SURE = 0.93, 0.5
# Two digits of a number differ in height by at most this factor, as those of old style do.
SAME_HEIGHT = 1.5
# Islands of at most this radius are looked for at twice the size as well, in pictures of at most so many values;
# where none are found to begin with, only in small pictures. Their middles are better known there, which is worth
# some certainty of numbers.
SMALL = 8.0
NEARLY, CLEARLY = 0.9, 1.03
LEAST_DISCS = 2
MOST_DOUBLED, SMALL_PICTURE = 6_000_000, 500_000
# Radii within this factor are one size.
SAME_SIZE = 1.13


@dataclass(frozen=True)
class Disc:
    """A circle: the middle in px, the radius of its innermost edge, and the number inside."""

    x: float
    y: float
    radius: float
    number: Number


class Found(NamedTuple):
    """What looks like islands, in no order; nothing where there are none.

    small: smaller shapes with a number. blank: middles of what has the islands' shape and size, and no number that
    can be read.
    """

    islands: list[Disc]
    small: list[Disc]
    blank: list[Point]


def find_discs(pixels: Pixels) -> Found:
    """The islands on the picture."""
    found = _find(pixels)
    islands = found.islands
    some = len(islands) >= LEAST_DISCS
    if pixels.size > (MOST_DOUBLED if some else SMALL_PICTURE) or (some and islands[0].radius > SMALL):
        return found
    # Smaller circles are rounder, and their numbers clearer, in a picture drawn between the pixels.
    twice = cv2.resize(pixels, None, fx=2, fy=2, interpolation=cv2.INTER_LANCZOS4).astype(np.uint8)
    doubled, others, blank = _find(twice)
    if sum(d.number.confidence for d in doubled) < NEARLY * sum(d.number.confidence for d in islands):
        return found
    return Found(
        [_halved(d, islands) for d in doubled],
        [_halved(d, ()) for d in others],
        [Point(at.x / 2, at.y / 2) for at in blank],
    )


def _halved(disc: Disc, seen: Sequence[Disc]) -> Disc:
    """At the size of the picture; with the surer one of two numbers that are the same."""
    x, y, radius, number = disc.x / 2, disc.y / 2, disc.radius / 2, disc.number
    for other in seen:
        same = other.number.value == number.value and np.hypot(other.x - x, other.y - y) < 0.5 * radius
        if same and other.number.confidence > number.confidence:
            number = other.number
    return Disc(x, y, radius, number)


def _find(pixels: Pixels) -> Found:
    """The same at the size that the picture has."""
    of_any_shape, square = _of_any_shape(pixels)
    found = _round(pixels)
    certainty = [sum(d.number.confidence for d in seen.islands) for seen in (of_any_shape, found)]
    if certainty[0] > (NEARLY if square else CLEARLY) * certainty[1]:
        return of_any_shape
    return found._replace(blank=of_any_shape.blank if certainty[0] > NEARLY * certainty[1] else [])


def _round(pixels: Pixels) -> Found:
    """Circles that are islands."""
    circles = find_circles(pixels)
    # Of a thick ring perhaps only the outer edge was seen; the number stands within the inner one.
    discs = _with_numbers(pixels, [*circles, *((x, y, 0.8 * r) for x, y, r in circles)])
    usual = _usual_radius(discs)
    if usual == 0:
        return Found([], [], [])
    alike = [d for d in discs if usual / SAME_SIZE <= d.radius <= usual * SAME_SIZE]
    # Where only the outer edge of a ring was seen whole, the inner one is taken from the others.
    middles = np.array([(d.x, d.y) for d in alike])
    wide = [
        (x, y, usual)
        for x, y, r in circles
        if usual / 1.3 <= r <= usual * 1.5 and np.hypot(*(middles - (x, y)).T).min() >= 0.5 * usual
    ]
    seen = sorted(alike + _with_numbers(pixels, wide), key=lambda d: -d.number.confidence)
    islands = [seen[k] for k in distinct([(d.x, d.y, usual) for d in seen], 1.3)]
    return Found(islands, [d for d in discs if d.radius < usual / SAME_SIZE and d not in islands], [])


def _of_any_shape(pixels: Pixels) -> tuple[Found, bool]:
    """Areas of one colour that are islands, and whether most of them are squares."""
    shapes = flat_shapes(pixels)
    square = {(x, y, half): square for x, y, half, square in shapes}
    discs = _with_numbers(pixels, list(square))
    usual = _usual_radius(discs)
    islands = [d for d in discs if usual / SAME_SIZE <= d.radius <= usual * SAME_SIZE]
    small = [d for d in discs if d.radius < usual / SAME_SIZE]
    numbered = {(d.x, d.y, d.radius) for d in discs}
    squares = 2 * sum(square[d.x, d.y, d.radius] for d in islands) > len(islands)
    # Among round islands the cells of a drawn grid are no islands.
    blank = [
        Point(x, y)
        for (x, y, half), cornered in square.items()
        if usual / SAME_SIZE <= half <= usual * SAME_SIZE
        and (x, y, half) not in numbered
        and (squares or not cornered)
    ]
    return Found(islands, small, blank), squares


def rings_at(pixels: Pixels, points: Sequence[Point], radius: float) -> list[Disc]:
    """Islands of that radius at the points.

    For what the search missed: where bridges arrive on all sides, a circle is too broken to be found, but not to
    be confirmed where it is expected.
    """
    circles = [
        (x, y, r)
        for x, y, r in circles_at(pixels, points, radius)
        if radius / SAME_SIZE <= r <= radius * SAME_SIZE
    ]
    return _with_numbers(pixels, circles)


def still_numbered(pixels: Pixels, discs: Sequence[Disc]) -> bool:
    """Whether the numbers in these circles, which may have changed their colours, are surely the same."""
    inks = [inside(pixels, disc.x, disc.y, disc.radius) for disc in discs]
    return all(
        number.value == disc.number.value and number.confidence >= digits.EXAMPLE_CONFIDENCE
        for disc, number in zip(discs, digits.read_numbers(inks), strict=True)
    )


def _with_numbers(pixels: Pixels, circles: Sequence[tuple[float, float, float]]) -> list[Disc]:
    """The circles with a number in the middle."""
    inks = [inside(pixels, *circle) for circle in circles]
    return [
        Disc(x, y, r, _doubted(number, ink, r))
        for (x, y, r), ink, number in zip(circles, inks, digits.read_numbers(inks), strict=True)
        if number.value is not None
        and number.confidence > 0.35
        and number.value < 17
        and _in_the_middle(ink, r)
    ]


def _doubted(number: Number, ink: digits.Ink, radius: float) -> Number:
    """The number, less certain where it is a large zero as wide as high: the inside of a thick ring looks so."""
    if number.value != 0:
        return number
    box = digits.ink_box(ink)
    ring = box is not None and box.width > ROUND_ZERO * box.height and box.height > radius
    return replace(number, confidence=min(number.confidence, RING_SURE)) if ring else number


def _in_the_middle(ink: digits.Ink, radius: float) -> bool:
    """Whether the writing has the height of an island's number and stands in its middle."""
    boxes = [b for b in digits.split_glyphs(ink) if b.height >= digits.LEAST_HEIGHT_PX]
    # What is wider than high is no digit, but two that cannot be told apart.
    if any(b.width > 1.05 * b.height for b in boxes):
        return False
    if not boxes or not 0.5 * radius <= max(b.height for b in boxes) <= 1.45 * radius:
        return False
    # A piece of the edge beside a digit is no second one: it is higher, and not in the middle with it.
    if max(b.height for b in boxes) > SAME_HEIGHT * min(b.height for b in boxes):
        return False
    height, width = ink.shape
    x = (boxes[0].left + boxes[-1].left + boxes[-1].width) / 2
    y = (min(b.top for b in boxes) + max(b.top + b.height for b in boxes)) / 2
    aside = 0.35 if len(boxes) == 1 else 0.2
    return bool(abs(x - width / 2) <= aside * radius and abs(y - height / 2) <= 0.35 * radius)


def _usual_radius(discs: Sequence[Disc]) -> float:
    """The radius that most discs have; letters of a text are many, but small."""
    if not discs:
        return 0.0
    radii, sure = np.array([(d.radius, d.number.confidence) for d in discs]).T
    alike = (radii[:, None] <= radii * SAME_SIZE) & (radii <= radii[:, None] * SAME_SIZE)
    best = np.lexsort((radii, (alike @ sure) * radii**0.5))[-1]
    return float(np.median(radii[alike[best]]))


def inside(pixels: Pixels, x: float, y: float, radius: float) -> digits.Ink:
    """The ink of what is written in the circle."""
    reach = 0.86 * radius
    height, width = pixels.shape[:2]
    left, right = max(int(x - reach), 0), min(int(x + reach) + 1, width)
    top, bottom = max(int(y - reach), 0), min(int(y + reach) + 1, height)
    part = pixels[top:bottom, left:right]
    if part.size == 0:
        return np.zeros((1, 1), np.float32)
    ys, xs = np.mgrid[top:bottom, left:right]
    away = np.hypot(xs + 0.5 - x, ys + 0.5 - y) / reach
    round_ = away <= 1
    if round_.sum() < 12:
        return np.zeros((1, 1), np.float32)
    ink = digits.ink_of(part, np.median(part[round_], axis=0).tolist())
    return _without_rim(np.where(round_, ink, 0).astype(np.float32), away)


def _without_rim(ink: digits.Ink, away: npt.NDArray[np.float64]) -> digits.Ink:
    """The ink without pieces of the ring, which get inside where a circle was found a px beside its true place.

    away: distance to the middle, 1 at the rim.
    """
    dark = ink > digits.HALO * float(ink.max())
    if not dark[away > RIM].any():
        return ink
    count, labels = cv2.connectedComponents(dark.astype(np.uint8))
    rim = np.zeros(dark.shape, np.uint8)
    for number in range(1, count):
        piece = labels == number
        if away[piece].min() > RIM:
            rim[piece] = 1
    # A ring that goes most of the way around is no accident: this circle is larger than the island.
    if rim.sum() > MOST_RIM * (away > RIM).sum():
        return ink
    return np.where(cv2.dilate(rim, np.ones((3, 3), np.uint8)) > 0, 0, ink).astype(np.float32)
