"""How a practice board of rings looks: our own drawing, in several skins."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from bot.practice import lettering
from bot.practice.rings.figures import Disc
from solver.rings import Ring, Rings
from vision.frame import Box, Pixels, Point

Colour = tuple[int, int, int]
Floats = npt.NDArray[np.float64]
# OpenCV takes sub-pixel coordinates as fixed-point numbers.
SHIFT = 4
ANGLES = 120
# Heights of a target, as shares of a region's number's.
TARGET_SIZES = (0.9, 0.8, 0.7)


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
    """Where a target is written, and how high; on a line it stands on a plate of the ground's colour."""

    at: Point
    height_px: float
    plate: Box | None = None


def outline(picture: Pixels, disc: Disc, colour: Colour, width_px: int) -> None:
    """One ring, at sub-pixel accuracy."""
    # OpenCV counts from the middle of the first pixel, we from its corner.
    centre = (round((disc.x - 0.5) * 2**SHIFT), round((disc.y - 0.5) * 2**SHIFT))
    cv2.circle(picture, centre, round(disc.radius * 2**SHIFT), colour, width_px, cv2.LINE_AA, SHIFT)


def plate(picture: Pixels, box: Box, colour: Colour) -> None:
    """A filled rectangle."""
    cv2.rectangle(picture, (box.left, box.top), (box.left + box.width, box.top + box.height), colour, -1)


def around(at: Point, width_px: float, height_px: float) -> Box:
    """The box of a size round a point."""
    return Box(round(at.x - width_px / 2), round(at.y - height_px / 2), round(width_px), round(height_px))


def target_spots(
    puzzle: Rings, labels: Sequence[Box], skin: Skin, digit_px: float, line_px: float
) -> dict[str, Spot]:
    """Where each ring's target stands: as far from the other lines and the numbers as can be.

    labels: the boxes of the regions' numbers. A target that fits nowhere is written smaller.
    """
    spots: dict[str, Spot] = {}
    taken = [np.array(box, np.float64) for box in labels]
    ways = [(beside, share) for beside in (True, False) for share in TARGET_SIZES]
    for ring in puzzle.rings:
        if not isinstance(ring.target, int):
            continue
        best = (-math.inf, Spot(Point(ring.x, ring.y), digit_px))
        for beside, share in ways[0 if skin.targets == "beside" else len(TARGET_SIZES) :]:
            room, spot, plate = _best_place(ring, puzzle.rings, taken, share * digit_px, beside=beside)
            if room > best[0]:
                best, chosen = (room, spot), plate
            if best[0] > line_px / 2:
                break
        spots[ring.name] = best[1]
        taken.append(chosen)
    return spots


def _best_place(
    ring: Ring, rings: Sequence[Ring], taken: Sequence[Floats], height_px: float, *, beside: bool
) -> tuple[float, Spot, Floats]:
    """The roomiest place round a ring, beside it or on its line: how roomy, where, and the box it takes."""
    width_px = lettering.width_of(str(ring.target), height_px)
    size = np.array([width_px + 0.5 * height_px, 1.4 * height_px])
    away = ring.radius + (0.8 * math.hypot(width_px, height_px) if beside else 0.0)
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False) - np.pi / 2
    # (ANGLES, 2) and, for the points of a box, (ANGLES, 45)
    middles = np.array([ring.x, ring.y]) + away * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    columns = (middles[:, :1, None] + size[0] * np.linspace(-0.5, 0.5, 9)[:, None]).repeat(5, axis=2)
    rows = (middles[:, 1:, None] + size[1] * np.linspace(-0.5, 0.5, 5)[None, :]).repeat(9, axis=1)
    room = np.full(ANGLES, ring.radius)
    for other in rings:
        if math.hypot(other.x - ring.x, other.y - ring.y) > 2 * ring.radius + other.radius or (
            other is ring and not beside
        ):
            continue
        gaps = (np.hypot(columns - other.x, rows - other.y) - other.radius).reshape(ANGLES, -1)
        nearest, furthest = gaps.min(axis=1), gaps.max(axis=1)
        # Beside a ring means outside of all; a line that runs through the box has points on both sides.
        crossed = nearest < 0 if beside else nearest * furthest < 0
        room = np.minimum(room, np.where(crossed, -1.0, np.abs(gaps).min(axis=1)))
        if beside and other is not ring:
            # Whose target it is must be seen: clearly nearer to its own ring.
            room = np.minimum(room, gaps[:, gaps.shape[1] // 2] - 1.6 * (away - ring.radius))
    for box in taken:
        gap = np.abs(middles - box[:2] - box[2:] / 2) - (size + box[2:]) / 2
        room = np.minimum(room, gap.max(axis=1))
    at = Point(*middles[int(room.argmax())].tolist())
    spot = Spot(at, height_px, None if beside else around(at, *size.tolist()))
    return float(room.max()), spot, np.concatenate([at - size / 2, size])


def least_depth(puzzle: Rings) -> float:
    """How far the number of the smallest region stands from the nearest line."""
    return min(
        abs(math.hypot(place.x - ring.x, place.y - ring.y) - ring.radius)
        for place in puzzle.places
        for ring in puzzle.rings
    )


def blank_canvas(width: int, height: int, colour: Colour) -> Pixels:
    """(height, width, 3) uint8 of one colour."""
    return np.full((height, width, 3), colour, np.uint8)
