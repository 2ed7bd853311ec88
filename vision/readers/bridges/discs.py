"""Islands: equal circles with a number inside, whether ring or disc, whatever the colours.

Every edge pixel votes for the centres of circles it could be part of, one vote for each radius along its
gradient (Hough transform with directions; Kimme, Ballard and Sklansky, 1975). Pyramid levels keep the radii small.
A centre counts when the edge goes all the way around it; the circle is an island when a number stands in it and
many others have its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision import digits
from vision.digits import Number
from vision.frame import Pixels, Point
from vision.readers.bridges.shapes import distinct, flat_shapes

Floats = npt.NDArray[np.float32]

# Radii looked for on every pyramid level, in px of the level; four levels reach 4.5 to 88 px.
RADII = (4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 9.0, 10.0, 11.0)
LEVELS = 4
# Levels of colour from which a pixel is an edge.
EDGE_LEVELS = 14.0
# Share of the circle that shows an edge.
AROUND = 0.78
ANGLES = 48
MOST_CENTRES = 1500
# Centres looked at side by side; OpenCV takes no picture of more than 32767 rows.
TOGETHER = 500
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
    circles = _circles(pixels)
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
    if not points:
        return []
    x, y = np.array([(round(p.x - 0.5), round(p.y - 0.5)) for p in points], np.int64).T
    reach = int(2 * radius) + 8
    left, top = max(int(x.min()) - reach, 0), max(int(y.min()) - reach, 0)
    dx, dy, _ = _gradient(pixels[top : int(y.max()) + reach, left : int(x.max()) + reach])
    sizes = np.full(len(points), radius, np.float32)
    circles = [
        (left + x, top + y, r)
        for x, y, r, _ in _verified(dx, dy, x - left, y - top, sizes)
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


def _circles(pixels: Pixels) -> list[tuple[float, float, float]]:
    """(x, y, radius) of full circles in px of the picture."""
    found: list[tuple[float, float, float, float]] = []
    gradients: list[tuple[Floats, Floats, Floats]] = []
    level = pixels
    for k in range(LEVELS):
        if k:
            level = cv2.resize(level, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)
        if min(level.shape[:2]) < 12:
            break
        radii = RADII if k == 0 else [r for r in RADII if r >= 5.5]
        gradients.append(_gradient(level))
        circles = _level_circles(gradients[-1], radii)
        # Seen on a coarse level, measured on the finer ones.
        for dx, dy, _ in gradients[-2::-1]:
            circles = _measured_again(dx, dy, [(2 * x, 2 * y, 2 * r, around) for x, y, r, around in circles])
        found += circles
    # A ring has two edges, and pyramid levels see the same circle twice: the fuller one stays.
    found.sort(key=lambda c: -c[3])
    once = [(x, y, r) for x, y, r, _ in found]
    return [once[number] for number in distinct(once, apart=0.25, factor=1.2)]


def _gradient(level: Pixels) -> tuple[Floats, Floats, Floats]:
    """(x, y, strength) of the strongest channel; strength in levels of a step."""
    soft = cv2.GaussianBlur(level, (3, 3), 0.6)
    best = tuple(np.zeros(level.shape[:2], np.float32) for _ in range(3))
    for channel in cv2.split(soft):
        dx, dy = (cv2.Sobel(channel, cv2.CV_32F, *way, scale=0.25) for way in ((1, 0), (0, 1)))
        strength = np.sqrt(dx**2 + dy**2)
        stronger = strength > best[2]
        for kept, own in zip(best, (dx, dy, strength), strict=True):
            np.copyto(kept, own, where=stronger)
    return best[0], best[1], best[2]


def _measured_again(
    dx: Floats, dy: Floats, circles: Sequence[tuple[float, float, float, float]]
) -> list[tuple[float, float, float, float]]:
    """The circles as this finer level shows them; as they are where it shows them less clearly."""
    better = list(circles)
    for start in range(0, len(circles), TOGETHER):
        x, y, r, _ = np.array(circles[start : start + TOGETHER], np.float64).T
        for nth, circle in _settled(dx, dy, x - 0.5, y - 0.5, r, rounds=4):
            before = circles[start + nth]
            if abs(circle[0] - before[0]) + abs(circle[1] - before[1]) < 4 and abs(circle[2] - before[2]) < 4:
                better[start + nth] = circle
    return better


def _level_circles(
    gradient: tuple[Floats, Floats, Floats], radii: Sequence[float]
) -> list[tuple[float, float, float, float]]:
    dx, dy, strength = gradient
    height, width = strength.shape
    ys, xs = np.nonzero(strength >= EDGE_LEVELS)
    if len(xs) == 0 or len(xs) > 0.55 * height * width:
        return []
    ux, uy = dx[ys, xs] / strength[ys, xs], dy[ys, xs] / strength[ys, xs]
    best = np.zeros((height, width), np.float32)
    size = np.zeros((height, width), np.float32)
    # A margin takes the votes for centres beyond the picture.
    edge = 2 * (int(max(radii)) // 2) + 2
    wide, tall = width + 2 * edge, height + 2 * edge
    xs, ys = xs + edge, ys + edge
    for radius in radii:
        places = [
            np.rint(ys + way * uy).astype(np.int32) * wide + np.rint(xs + way * ux).astype(np.int32)
            for way in (-radius, radius)
        ]
        votes = np.bincount(np.concatenate(places), minlength=tall * wide)
        inner = votes.reshape(tall, wide)[edge : edge + height, edge : edge + width].astype(np.float32)
        share = cv2.blur(inner, (3, 3)) * 9 / (2 * np.pi * radius)
        better = share > best
        best[better] = share[better]
        size[better] = radius
    peaks = (best >= 0.8) & (best >= cv2.dilate(best, np.ones((5, 5), np.uint8)))
    py, px = np.nonzero(peaks)
    order = np.argsort(-best[py, px])[:MOST_CENTRES]
    return _verified(dx, dy, px[order], py[order], size[py[order], px[order]])


def _verified(
    dx: Floats, dy: Floats, px: npt.NDArray[np.int64], py: npt.NDArray[np.int64], size: Floats
) -> list[tuple[float, float, float, float]]:
    """Centres with an edge all around, moved to their true middle."""
    found: list[tuple[float, float, float, float]] = []
    for start in range(0, len(px), TOGETHER):
        some = slice(start, start + TOGETHER)
        found += [circle for _, circle in _settled(dx, dy, px[some], py[some], size[some])]
    return found


def _settled(
    dx: Floats,
    dy: Floats,
    px: npt.NDArray[Any],
    py: npt.NDArray[Any],
    size: npt.NDArray[Any],
    rounds: int = 2,
) -> list[tuple[int, tuple[float, float, float, float]]]:
    """The same for a few centres, looked at side by side, each with its number: arrays are (centres, steps, angles)."""
    angles = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    terms = np.stack([np.ones_like(angles), cos, sin], axis=1)
    steps = np.arange(-2.0, 2.01, 0.5, dtype=np.float32)
    mid_x, mid_y, radius = (np.asarray(a, np.float64) for a in (px, py, size))
    names = np.arange(len(mid_x))
    for _ in range(rounds):
        if len(mid_x) == 0:
            return []
        x, y, r = (np.asarray(a, np.float32) for a in (mid_x, mid_y, radius))
        radii = np.maximum(r[:, None] + steps, 2.0)[..., None]
        mx = (x[:, None, None] + radii * cos).reshape(-1, ANGLES)
        my = (y[:, None, None] + radii * sin).reshape(-1, ANGLES)
        along = np.abs(
            cv2.remap(dx, mx, my, cv2.INTER_LINEAR) * cos + cv2.remap(dy, mx, my, cv2.INTER_LINEAR) * sin
        ).reshape(-1, len(steps), ANGLES)
        at = (along * (1 - 0.08 * np.abs(steps))[:, None]).argmax(axis=1)
        top = np.take_along_axis(along, at[:, None], 1)[:, 0]
        good = top >= np.maximum(EDGE_LEVELS * 0.7, 0.35 * np.median(top, axis=1))[:, None]
        reach = r[:, None] + steps[at]
        good &= np.abs(reach - np.median(reach, axis=1)[:, None]) <= 1.01
        around = good.mean(axis=1)
        seen = around >= 0.5
        names, mid_x, mid_y, reach, good, around = (
            a[seen] for a in (names, mid_x, mid_y, reach, good, around)
        )
        # The middle of what was seen: cosine and sine terms of the distance, by least squares.
        own = good[..., None] * terms
        moments = np.linalg.solve(own.transpose(0, 2, 1) @ terms, own.transpose(0, 2, 1) @ reach[..., None])
        radius, off_x, off_y = moments[..., 0].T
        mid_x, mid_y = mid_x + np.clip(off_x, -1.5, 1.5), mid_y + np.clip(off_y, -1.5, 1.5)
    full = (around >= AROUND) & (radius >= 3.5)
    kept = zip(*(a[full].tolist() for a in (mid_x + 0.5, mid_y + 0.5, radius, around)), strict=True)
    return list(zip(names[full].tolist(), kept, strict=True))
