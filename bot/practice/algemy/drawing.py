"""Draws an Algemy screen after written measures of the game, with shapes of our own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from solver import algemy
from solver.algemy import BITS, Algemy, Solution
from solver.algemy.board import AlgemyCell
from solver.lattice import Square
from vision.frame import Pixels, Point

# The game's paint, BGR.
PAINT: Mapping[str, tuple[int, int, int]] = {
    "R": (0, 0, 255),
    "O": (0, 140, 255),
    "Y": (0, 240, 240),
    "G": (0, 150, 0),
    "B": (255, 80, 80),
    "V": (210, 0, 210),
    "X": (0, 60, 120),
    "W": (255, 255, 255),
}
BLACK, WHITE, GREY, PALE = (0, 0, 0), (255, 255, 255), (150, 150, 150), (215, 215, 215)
LETTER = {bits: letter for letter, bits in BITS.items()}

# Measures in cells.
GEM_RADIUS, CORE_RADIUS = 0.43, 0.215
BEAM_WIDTH = 0.34
WHEEL_INNER, WHEEL_OUTER = 0.4, 1.05
WHEEL = "ROYGBV"

# Sub-px drawing: OpenCV takes coordinates in 1/16 px.
SHIFT = 4


@dataclass(frozen=True)
class Arrangement:
    """Where everything is on one screen, in px.

    pitch_px: distance between neighbouring cells.
    origin: centre of the first cell of the widest row's lattice (hex: of axial (0, 0)).
    bar_y_px, unit_px: the middle of the top bar and the size of its buttons.
    nav_px: height of the black strip of a phone's own buttons at the bottom, 0 without.
    line: weight of the board's lines, in cells.
    """

    width_px: int
    height_px: int
    pitch_px: float
    origin: Point
    bar_y_px: float
    unit_px: float
    nav_px: int
    line: float

    def centre(self, cell: AlgemyCell) -> Point:
        if isinstance(cell, Square):
            return Point(self.origin.x + cell.col * self.pitch_px, self.origin.y + cell.row * self.pitch_px)
        return Point(
            self.origin.x + (cell.q + cell.r / 2) * self.pitch_px,
            self.origin.y + cell.r * self.pitch_px * math.sqrt(3) / 2,
        )

    @cached_property
    def buttons(self) -> Mapping[str, Point]:
        """The top bar, left to right: house, previous level, next level, and the half-dark disc."""
        places = {"house": 0.14, "previous-level": 0.29, "next-level": 0.44, "night": 0.86}
        return {name: Point(share * self.width_px, self.bar_y_px) for name, share in places.items()}


def arrange(
    puzzle: Algemy, width_px: int, height_px: int, *, nav: bool, line: float, board: float
) -> Arrangement:
    """An arrangement in the game's proportions. board: share of the screen that the board may take."""
    nav_px = round(0.06 * max(width_px, height_px)) if nav else 0
    room_y = height_px - nav_px
    portrait = width_px < height_px
    bar_y, top, bottom = (0.2, 0.27, 0.96) if portrait else (0.08, 0.16, 0.97)
    if puzzle.shape == "square":
        across, down = float(len(puzzle.rows[0])), float(len(puzzle.rows))
        first = (0.5, 0.5)
    else:
        xs = [cell[0] + cell[1] / 2 for cell in puzzle.cells]
        across = max(xs) - min(xs) + 1
        down = (len(puzzle.rows) - 1) * math.sqrt(3) / 2 + 2 / math.sqrt(3)
        first = (0.5 - min(xs), 1 / math.sqrt(3))
    pitch = min(0.97 * board * width_px / across, (bottom - top) * board * room_y / down)
    left = (width_px - across * pitch) / 2
    upper = room_y * (top + bottom) / 2 - down * pitch / 2
    return Arrangement(
        width_px=width_px,
        height_px=height_px,
        pitch_px=pitch,
        origin=Point(left + first[0] * pitch, upper + first[1] * pitch),
        bar_y_px=bar_y * room_y,
        unit_px=0.035 * min(width_px, 0.7 * height_px) + 6,
        nav_px=nav_px,
        line=line,
    )


@dataclass(frozen=True)
class View:
    """What is to be seen at one moment.

    wheel: the cell it is open on, and its scale (1 at rest); wheel_colours: its sectors.
    turn_deg: how far the crystals' gems are turned, and pulse: their scale, in the solved animation.
    pressed: a button that is grey at the moment.
    """

    placed: Solution
    wheel: tuple[AlgemyCell, float] | None = None
    wheel_colours: str = WHEEL
    turn_deg: float = 0.0
    pulse: float = 1.0
    pressed: str = ""
    first_level: bool = True
    counter: str = ""


def draw_screen(puzzle: Algemy, arrangement: Arrangement, view: View) -> Pixels:
    """The whole screen, (H, W, 3) uint8, BGR."""
    canvas = np.full((arrangement.height_px, arrangement.width_px, 3), 255, np.uint8)
    if arrangement.nav_px:
        canvas[arrangement.height_px - arrangement.nav_px :] = 0
        _navigation(canvas, arrangement)
    _bar(canvas, arrangement, view)
    light = received(puzzle, view.placed)
    content = [cell for cell in puzzle.crystals if light[cell] == BITS[puzzle.crystals[cell]]]
    for cell in content:
        letter = puzzle.crystals[cell]
        if letter != "W":
            _polygon(canvas, _outline(puzzle, arrangement, cell), _tint(PAINT[letter], 0.4))
    weight = max(1, round(arrangement.line * arrangement.pitch_px))
    for cell in puzzle.cells:
        _closed(canvas, _outline(puzzle, arrangement, cell), weight)
    for source, letter in view.placed.items():
        _beams(canvas, puzzle, arrangement, source, PAINT[letter])
    for cell, letter in puzzle.crystals.items():
        _crystal(canvas, arrangement, cell, letter, light[cell], view)
    for source, letter in view.placed.items():
        _source(canvas, arrangement, source, letter)
    if view.wheel is not None:
        _wheel(canvas, arrangement, view.wheel[0], view.wheel[1], view.wheel_colours)
    return canvas


def received(puzzle: Algemy, placed: Solution) -> dict[AlgemyCell, int]:
    """Crystal -> set of primaries that it gets now."""
    light = dict.fromkeys(puzzle.crystals, 0)
    for source, letter in placed.items():
        for ray, crystal in algemy.sight(puzzle, source):
            if crystal is not None and not any(cell in placed for cell in ray):
                light[crystal] |= BITS[letter]
    return light


def _tint(paint: tuple[int, int, int], share: float) -> tuple[int, int, int]:
    """Paint thinned with white."""
    blue, green, red = (round(255 + (part - 255) * share) for part in paint)
    return blue, green, red


def _fixed(points: Sequence[tuple[float, float]]) -> npt.NDArray[np.int32]:
    """Places (middle of the first px at 0.5) as OpenCV's fixed-point numbers (middle at 0)."""
    return np.round((np.asarray(points, np.float64) - 0.5) * (1 << SHIFT)).astype(np.int32)


def _polygon(canvas: Pixels, points: Sequence[tuple[float, float]], paint: tuple[int, int, int]) -> None:
    cv2.fillPoly(canvas, [_fixed(points)], paint, cv2.LINE_AA, SHIFT)


def _closed(canvas: Pixels, points: Sequence[tuple[float, float]], weight: int) -> None:
    cv2.polylines(canvas, [_fixed(points)], True, BLACK, weight, cv2.LINE_AA, SHIFT)


def _stroke(
    canvas: Pixels, points: Sequence[tuple[float, float]], paint: tuple[int, int, int], weight: int
) -> None:
    cv2.polylines(canvas, [_fixed(points)], False, paint, weight, cv2.LINE_AA, SHIFT)


def _round(canvas: Pixels, at: Point, radius: float, paint: tuple[int, int, int], weight: int = -1) -> None:
    centre = (round((at.x - 0.5) * (1 << SHIFT)), round((at.y - 0.5) * (1 << SHIFT)))
    cv2.circle(canvas, centre, round(radius * (1 << SHIFT)), paint, weight, cv2.LINE_AA, SHIFT)


def corners(at: Point, radius: float, turn_deg: float = 0.0) -> list[tuple[float, float]]:
    """The corners of a hexagon with a corner up, clockwise from the top."""
    angles = [math.radians(60 * index + turn_deg) for index in range(6)]
    return [(at.x + radius * math.sin(angle), at.y - radius * math.cos(angle)) for angle in angles]


def _outline(puzzle: Algemy, arrangement: Arrangement, cell: AlgemyCell) -> list[tuple[float, float]]:
    """The border of a cell."""
    at, half = arrangement.centre(cell), arrangement.pitch_px / 2
    if puzzle.shape == "hex":
        return corners(at, arrangement.pitch_px / math.sqrt(3))
    return [(at.x + dx * half, at.y + dy * half) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def _faces(centre: Point, radius: float, turn_deg: float = 0.0) -> dict[int, list[tuple[float, float]]]:
    """The three faces of a cube by primary: top red, lower right yellow, lower left blue."""
    ring = corners(centre, radius, turn_deg)
    return {
        1: [(centre.x, centre.y), ring[5], ring[0], ring[1]],
        2: [(centre.x, centre.y), ring[1], ring[2], ring[3]],
        4: [(centre.x, centre.y), ring[3], ring[4], ring[5]],
    }


def _cube(canvas: Pixels, at: Point, radius: float, weight: int, turn_deg: float) -> None:
    """The lines of a cube seen corner on."""
    ring = corners(at, radius, turn_deg)
    _closed(canvas, ring, weight)
    for index in (1, 3, 5):
        _stroke(canvas, [(at.x, at.y), ring[index]], BLACK, weight)


def _crystal(
    canvas: Pixels, arrangement: Arrangement, cell: AlgemyCell, letter: str, light: int, view: View
) -> None:
    """A cube in a cube: the inner one says what is wanted, the ring around it what arrives."""
    at = arrangement.centre(cell)
    outer = GEM_RADIUS * arrangement.pitch_px * view.pulse
    inner = CORE_RADIUS * arrangement.pitch_px * view.pulse
    content = light == BITS[letter]
    _polygon(canvas, corners(at, outer, view.turn_deg), WHITE)
    ring_paint = PAINT[LETTER[light]]
    for primary, face in _faces(at, outer, view.turn_deg).items():
        if light & primary or content:
            _polygon(canvas, face, ring_paint)
    _polygon(canvas, corners(at, inner, view.turn_deg), WHITE)
    for primary, face in _faces(at, inner, view.turn_deg).items():
        if BITS[letter] & primary or content:
            _polygon(canvas, face, PAINT[letter])
    weight = max(1, round(0.015 * arrangement.pitch_px))
    _cube(canvas, at, outer, weight, view.turn_deg)
    _cube(canvas, at, inner, weight, view.turn_deg)


def _source(canvas: Pixels, arrangement: Arrangement, cell: AlgemyCell, letter: str) -> None:
    """A gem with a black core and its colour on the ring."""
    at, outer, inner = (
        arrangement.centre(cell),
        GEM_RADIUS * arrangement.pitch_px,
        CORE_RADIUS * arrangement.pitch_px,
    )
    _polygon(canvas, corners(at, outer), WHITE)
    for primary, face in _faces(at, outer).items():
        if BITS[letter] & primary:
            _polygon(canvas, face, PAINT[letter])
    weight = max(1, round(0.015 * arrangement.pitch_px))
    _cube(canvas, at, outer, weight, 0.0)
    _polygon(canvas, corners(at, inner), BLACK)


def _beams(
    canvas: Pixels, puzzle: Algemy, arrangement: Arrangement, source: AlgemyCell, paint: tuple[int, int, int]
) -> None:
    """Light along every line from a source: a pale fringe and a full core."""
    ends = []
    here = arrangement.centre(source)
    for ray, crystal in algemy.sight(puzzle, source):
        if not ray and crystal is None:
            continue
        last = arrangement.centre(crystal if crystal is not None else ray[-1])
        length = math.hypot(last.x - here.x, last.y - here.y)
        # Up to the crystal's gem, or to the edge of the last cell.
        wanted = length + arrangement.pitch_px * (0.5 if crystal is None else -0.45)
        share = wanted / length
        ends.append((here.x + (last.x - here.x) * share, here.y + (last.y - here.y) * share))
    for width, strength in ((BEAM_WIDTH, 0.5), (BEAM_WIDTH * 0.5, 1.0)):
        for end in ends:
            along = math.hypot(end[0] - here.x, end[1] - here.y) or 1.0
            dx = -(end[1] - here.y) / along * arrangement.pitch_px * width / 2
            dy = (end[0] - here.x) / along * arrangement.pitch_px * width / 2
            band = [
                (here.x + dx, here.y + dy),
                (end[0] + dx, end[1] + dy),
                (end[0] - dx, end[1] - dy),
                (here.x - dx, here.y - dy),
            ]
            _polygon(canvas, band, _tint(paint, strength))


def _wheel(canvas: Pixels, arrangement: Arrangement, cell: AlgemyCell, scale: float, colours: str) -> None:
    """The colour wheel around a cell: sectors, a pale middle with a faint mark."""
    at = arrangement.centre(cell)
    outer, inner = WHEEL_OUTER * scale * arrangement.pitch_px, WHEEL_INNER * scale * arrangement.pitch_px
    half = 180 / len(colours)
    for letter in colours:
        middle = 60 * WHEEL.index(letter)
        arc = [math.radians(middle - half + step * half / 12) for step in range(25)]
        sector = [(at.x + outer * math.sin(a), at.y - outer * math.cos(a)) for a in arc]
        _polygon(canvas, [(at.x, at.y), *sector], PAINT[letter])
    _round(canvas, at, inner, (245, 245, 245))
    mark = 0.3 * inner
    weight = max(1, round(0.02 * arrangement.pitch_px))
    _stroke(canvas, [(at.x - mark, at.y), (at.x + mark, at.y)], PALE, weight)
    _stroke(canvas, [(at.x, at.y - mark), (at.x, at.y + mark)], PALE, weight)


def _bar(canvas: Pixels, arrangement: Arrangement, view: View) -> None:
    """House, arrows in thin frames, counter and the half-dark disc."""
    unit = arrangement.unit_px
    thin = max(1, round(unit / 16))
    for name, at in arrangement.buttons.items():
        if name == "night":
            _round(canvas, at, unit, (200, 120, 40))
            _round(canvas, Point(at.x + unit * 0.3, at.y), unit * 0.6, (60, 30, 10))
            continue
        paint = BLACK
        if name == view.pressed:
            paint = GREY
        elif name == "previous-level" and view.first_level:
            paint = PALE
        frame = [
            (at.x + dx * unit, at.y + dy * unit) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
        ]
        _stroke(canvas, frame, paint, thin)
        if name == "house":
            roof = [(at.x - 0.65 * unit, at.y), (at.x, at.y - 0.65 * unit), (at.x + 0.65 * unit, at.y)]
            _polygon(canvas, roof, paint)
            walls = [
                (at.x + dx * unit, at.y + dy * unit)
                for dx, dy in ((-0.45, 0), (0.45, 0), (0.45, 0.6), (-0.45, 0.6))
            ]
            _polygon(canvas, walls, paint)
            continue
        side = 1 if name == "next-level" else -1
        arrow = ((0.65, 0), (0.05, -0.55), (0.05, -0.2), (-0.6, -0.2), (-0.6, 0.2), (0.05, 0.2), (0.05, 0.55))
        _polygon(canvas, [(at.x + side * dx * unit, at.y + dy * unit) for dx, dy in arrow], paint)
    _counter(canvas, arrangement, view.counter)


def _counter(canvas: Pixels, arrangement: Arrangement, counter: str) -> None:
    """Level over number of levels, with a small gem."""
    unit = arrangement.unit_px
    x, y = 0.57 * arrangement.width_px, arrangement.bar_y_px
    for line, text in enumerate(counter.split("/")):
        at = (round(x), round(y + (line - 0.1) * unit))
        cv2.putText(
            canvas,
            text,
            at,
            cv2.FONT_HERSHEY_SIMPLEX,
            unit / 32,
            BLACK,
            max(1, round(unit / 14)),
            cv2.LINE_AA,
        )
    _polygon(canvas, corners(Point(x - 0.6 * unit, y), 0.4 * unit), PAINT["X"])


def _navigation(canvas: Pixels, arrangement: Arrangement) -> None:
    """Back, home and recent in the strip of the system."""
    y, size = arrangement.height_px - arrangement.nav_px / 2, 0.2 * arrangement.nav_px
    thin = max(1, round(size / 8))
    x = [share * arrangement.width_px for share in (0.22, 0.5, 0.78)]
    left = [(x[0] + size, y - size), (x[0] - size, y), (x[0] + size, y + size), (x[0] + size, y - size)]
    _stroke(canvas, left, WHITE, thin)
    _round(canvas, Point(x[1], y), size, WHITE, thin)
    frame = ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
    _stroke(canvas, [(x[2] + dx * size, y + dy * size) for dx, dy in frame], WHITE, thin)
