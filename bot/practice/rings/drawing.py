"""How a practice board of rings looks: our own drawing, in several skins."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.frame import Box, Pixels, Point
from vision.readers.rings.figure import Circle

Colour = tuple[int, int, int]
# OpenCV takes sub-pixel coordinates as fixed-point numbers.
SHIFT = 4
ANGLES = 72


@dataclass(frozen=True)
class Skin:
    """Colours are BGR. lines: one colour for all rings, or several in turn.

    blank: what stands in an empty region; targets: on the ring's line, or beside it where there is room.
    """

    ground: Colour
    lines: tuple[Colour, ...]
    ink: Colour
    entered: Colour
    tile: Colour
    blank: Literal["", "?", "box"]
    targets: Literal["line", "beside"]


SKINS: Mapping[str, Skin] = {
    "paper": Skin(
        (255, 255, 255), ((20, 20, 20),), (20, 20, 20), (200, 60, 20), (225, 225, 225), "", "line",
    ),
    "games": Skin(
        (240, 246, 250),
        ((40, 40, 220), (60, 150, 20), (30, 30, 30), (0, 170, 230), (200, 110, 10), (150, 30, 150)),
        (30, 30, 30), (190, 40, 40), (200, 215, 225), "?", "beside",
    ),
    "night": Skin(
        (46, 36, 30),
        ((120, 220, 255), (160, 240, 150), (255, 200, 130), (190, 160, 255)),
        (240, 240, 240), (80, 220, 255), (90, 74, 64), "box", "line",
    ),
}  # fmt: skip
RIGHT: Colour = (70, 190, 60)
WRONG: Colour = (40, 40, 225)
SELECTED: Colour = (230, 160, 40)


@dataclass(frozen=True)
class Spot:
    """Where a target is written."""

    at: Point
    on_line: bool


def outline(picture: Pixels, circle: Circle, colour: Colour, width_px: int) -> None:
    """One ring, at sub-pixel accuracy."""
    # OpenCV counts from the middle of the first pixel, we from its corner.
    centre = (round((circle.x - 0.5) * 2**SHIFT), round((circle.y - 0.5) * 2**SHIFT))
    cv2.circle(picture, centre, round(circle.radius * 2**SHIFT), colour, width_px, cv2.LINE_AA, SHIFT)


def plate(picture: Pixels, box: Box, colour: Colour) -> None:
    """A filled rectangle."""
    cv2.rectangle(picture, (box.left, box.top), (box.left + box.width, box.top + box.height), colour, -1)


def around(at: Point, width_px: float, height_px: float) -> Box:
    """The box of a size round a point."""
    return Box(round(at.x - width_px / 2), round(at.y - height_px / 2), round(width_px), round(height_px))


def target_spots(
    circles: Sequence[Circle], labels: Sequence[Point], beside: bool, digit_px: float
) -> list[Spot]:
    """Where each ring's target stands: as far from the other lines and the numbers as can be."""
    spots = []
    for i, circle in enumerate(circles):
        others = [other for j, other in enumerate(circles) if j != i]
        out = circle.radius + 1.6 * digit_px
        spot = _best(circle, out, others, (), from_outside=True) if beside else None
        if spot is not None and spot[1] > 1.5 * digit_px:
            spots.append(Spot(spot[0], False))
        else:
            line = _best(circle, circle.radius, others, labels, from_outside=False)
            assert line is not None
            spots.append(Spot(line[0], True))
    return spots


def _best(
    circle: Circle,
    away_px: float,
    others: Sequence[Circle],
    labels: Sequence[Point],
    *,
    from_outside: bool,
) -> tuple[Point, float] | None:
    best: tuple[Point, float] | None = None
    for step in range(ANGLES):
        angle = 2 * math.pi * step / ANGLES - math.pi / 2
        at = Point(circle.x + away_px * math.cos(angle), circle.y + away_px * math.sin(angle))
        gaps = [math.hypot(at.x - o.x, at.y - o.y) - o.radius for o in others]
        room = min((gap if from_outside else abs(gap) for gap in gaps), default=circle.radius)
        # Numbers are wider than lines: half their distance counts.
        room = min([room, *(math.dist(at, label) / 2 for label in labels)])
        if best is None or room > best[1] + 1e-6:
            best = (at, room)
    return best


def blank_canvas(width: int, height: int, colour: Colour) -> Pixels:
    """(height, width, 3) uint8 of one colour."""
    return np.full((height, width, 3), colour, np.uint8)
