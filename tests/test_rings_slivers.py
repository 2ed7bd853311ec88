"""Pictures of rings that touch, from outside or inside, and of three through one point: read rightly, or refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import permutations

import cv2
import numpy as np
import pytest

from solver import rings
from tests.test_rings_drawings import nearly_one_point, nearly_tangent, regions_of
from vision.errors import UncertainReading, VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.rings.assemble import reading_order, region_names
from vision.readers.rings.board import read
from vision.readers.rings.claim import claim, overlapping
from vision.readers.rings.figure import Circle, Piece, pieces
from vision.scene import Scene

Figure = Callable[[float, float], list[Circle]]
FONT = cv2.FONT_HERSHEY_SIMPLEX
# A part is a px deep before its two lines can be told apart.
SEEN_PX = 1.0
# How far a ring is off its place: px, and shares of a radius.
OFF_PX = (-12.0, -6.0, -3.0, -1.5, 0.0, 1.5, 3.0, 6.0, 12.0)
OFF = (0.12, 0.15, 0.35, 0.45)


def chain_that_touches(radius: float, off: float) -> list[Circle]:
    """Two rings that overlap as usual, and one that touches the second from outside."""
    return [Circle(200 - 1.2 * radius, 200, radius), *nearly_tangent(radius, off)]


def thin_lens(radius: float, off: float) -> list[Circle]:
    """Two rings whose lens is as wide as 7 % of a radius, and a third one as usual."""
    wide = 0.14 * radius + off
    return [
        Circle(250, 200, radius),
        Circle(250 + 2 * radius - wide, 200, radius),
        Circle(250, 200 + 1.2 * radius, radius),
    ]


def write(pixels: Pixels, text: str, x: float, y: float, height: float) -> None:
    (_, unit), _ = cv2.getTextSize("0", FONT, 10.0, 1)
    size = 10.0 * height / unit
    (wide, high), _ = cv2.getTextSize(text, FONT, size, 1)
    cv2.putText(
        pixels, text, (round(x - wide / 2), round(y + high / 2)), FONT, size, (0, 0, 0), 1, cv2.LINE_AA
    )


def picture(circles: list[Circle], parts: tuple[Piece, ...]) -> tuple[Pixels, dict[tuple[int, ...], int]]:
    """The figure with 1, 2, 3, ... in its parts, one blank, the targets on the lines; and what stands where."""
    left, top = (min(c[i] - c.radius for c in circles) - 40 for i in (0, 1))
    right, bottom = (max(c[i] + c.radius for c in circles) + 40 for i in (0, 1))
    pixels = np.full((round(bottom - top) + 120, round(right - left), 3), 255, np.uint8)
    for c in circles:
        centre = (round((c.x - left) * 16), round((c.y - top) * 16))
        cv2.circle(pixels, centre, round(c.radius * 16), (60, 60, 60), 2, cv2.LINE_AA, 4)
    values = {part.covers: i + 1 for i, part in enumerate(parts)}
    blank = max(parts, key=lambda part: part.depth_px)
    for part in parts:
        if part is not blank:
            height = min(14.0, 0.9 * part.depth_px)
            write(pixels, str(values[part.covers]), part.at.x - left, part.at.y - top, height)
    for i, c in enumerate(circles):
        total = sum(value for covers, value in values.items() if i in covers)
        x, y = free_spot(c, circles)
        x0, y0 = round(x - left), round(y - top)
        cv2.rectangle(pixels, (x0 - 14, y0 - 10), (x0 + 14, y0 + 10), (255, 255, 255), -1)
        write(pixels, str(total), x0, y0, 14)
    for i in range(9):
        x, y = 25 + 30 * i, pixels.shape[0] - 30
        cv2.rectangle(pixels, (x - 12, y - 12), (x + 12, y + 12), (200, 200, 200), -1)
        write(pixels, str(i + 1), x, y, 14)
    return pixels, values


def free_spot(c: Circle, circles: list[Circle]) -> tuple[float, float]:
    """Where the line of a circle is furthest from every other line."""
    spots = [
        (c.x + c.radius * math.cos(turn), c.y + c.radius * math.sin(turn))
        for turn in np.linspace(0, 2 * math.pi, 72, endpoint=False).tolist()
    ]
    others = [other for other in circles if other is not c]
    return max(
        spots,
        key=lambda at: min(abs(math.dist(at, (o.x, o.y)) - o.radius) for o in others),
    )


@pytest.mark.parametrize("radius", [70.0, 120.0])
@pytest.mark.parametrize("figure", [chain_that_touches, nearly_one_point, thin_lens])
def test_a_picture_of_a_sliver_is_read_rightly_or_refused_with_the_place(
    figure: Figure, radius: float
) -> None:
    told = refused = 0
    for off in (*OFF_PX, *(share * radius for share in OFF)):
        circles = reading_order(figure(radius, off))
        parts = pieces(circles)
        pixels, values = picture(circles, parts)
        try:
            reading = read(Frame(pixels), Profile("rings", "any"))
        except UncertainReading as error:
            assert "sliver" in str(error)
            refused += 1
            continue
        names = dict(zip(region_names(circles, parts), parts, strict=True))
        assert [place.region for place in reading.puzzle.places] == list(names)
        assert sorted(part.covers for part in parts) == regions_of(circles, SEEN_PX)
        told += 1
        if reading.doubtful:
            continue
        solution = rings.solve(reading.puzzle).solution
        assert {**reading.puzzle.given, **solution} == {
            name: values[part.covers] for name, part in names.items()
        }
    assert told >= 2
    assert refused >= 1


@pytest.mark.parametrize("share", [0.5, 0.6, 0.75, 1.3, 1.6])
def test_rings_of_two_sizes_are_refused(share: float) -> None:
    circles = [Circle(200, 200, 100), Circle(350, 200, 100), Circle(350, 200 + 90 * share, 100 * share)]
    pixels, _ = picture(circles, pieces(circles))

    with pytest.raises(VisionError):
        read(Frame(pixels), Profile("rings", "any"))


def test_the_order_in_which_rings_are_found_does_not_matter() -> None:
    """Two that overlap, and one near both of them that overlaps neither."""
    circles = (Circle(0, 0, 70), Circle(120, 0, 70), Circle(60, 140, 70))

    for order in permutations(circles):
        assert set(overlapping(order)) == set(circles)


def test_a_few_circles_that_overlap_among_many_that_do_not_are_no_figure() -> None:
    """As the letters of a large print are on a photograph."""
    pixels = np.full((900, 1200, 3), 255, np.uint8)
    for at in [(120 * col + 60, 150 * row + 75) for row in range(6) for col in range(10)]:
        cv2.circle(pixels, at, 30, (0, 0, 0), 3)
    alone = claim(Scene(pixels))
    for at in ((60, 75), (105, 75), (80, 110)):
        cv2.circle(pixels, at, 30, (0, 0, 0), 3)

    assert alone is None
    assert claim(Scene(pixels)) is None
