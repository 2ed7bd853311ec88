"""Circles that are no figure of rings: of two sizes, or a few that overlap among many that do not."""

from __future__ import annotations

import math
from itertools import permutations

import cv2
import numpy as np
import pytest

from vision.errors import VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.rings.board import read
from vision.readers.rings.claim import claim, overlapping
from vision.readers.rings.figure import Circle, Piece, pieces
from vision.scene import Scene

FONT = cv2.FONT_HERSHEY_SIMPLEX


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


def test_rings_that_overlap_by_less_than_holds_a_digit_are_no_figure() -> None:
    """As the round cells of a lattice are, which touch each other."""
    circles = [Circle(40.0 + 137 * col, 40.0 + 137 * row, 70.0) for row in range(3) for col in range(4)]

    assert overlapping(circles) == ()


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
