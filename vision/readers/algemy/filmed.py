"""Reads a board on a photograph of a screen, from the corners of the board; a cell of 10 x 7 px is enough.

The board is made square again, its white is evened out, and its lines are found anew. So little is left of a gem that
lines and faces cannot be seen: what counts is how dark and how coloured its middle is, and what the light does. A
source shines on every open side and has a black core; a crystal is filled with its colour, or has a coloured core. In the
end the light seen in the cells must be the light of the sources seen, or nothing is believed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from solver import algemy
from solver.algemy import Algemy, Solution
from solver.algemy.board import EMPTY, AlgemyCell
from solver.lattice import Square
from vision.colour import hue_deg, nearest_hue
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Point
from vision.readers.algemy.gems import HUES
from vision.reading import Geometry, Mark, Reading

Numbers = npt.NDArray[np.float64]
Channels = npt.NDArray[np.float64]

CELL_PX = 48
SIZES = range(4, 10)
# The square board is first made this large, which is a multiple of most sizes.
BOARD_PX = 600
# Room around the board for a wheel at its edge, in cells.
ROOM = 1.5
# Brightness and chroma are shares of the white around: an empty cell has at most so much of both, and a line of the
# board is darker by this much.
PLAIN_DARKNESS, PLAIN_CHROMA = 0.02, 0.05
LEAST_LINE = 0.08
# Light beside a line takes some of its darkness, and moves it by no more than this, in cells.
LINE_BESIDE_LIGHT, OFF_LINE = 0.35, 0.11
BLACK = 0.28
# Chroma in the middle of a cell that light goes through, and of one that is dark; at its sides colour runs over.
LIGHT_CHROMA, NO_LIGHT_CHROMA = 0.16, 0.06
RUN_OVER_CHROMA = 0.14
COLOURED, VIOLET, RING_CHROMA = 0.057, 0.1, 0.05
UNEVEN, DARK_AROUND = 0.1, 0.09
# An unlit brown crystal is black and nothing else, a source's core nearly so.
BLACK_CHROMA, BLACK_MEAN, DARK_CORE = 0.08, 0.42, 0.5
# A gem is at least this dark on the whole. Where its lines leave the ring less bright than this, they alone can blacken a
# core, and make a white one yellowish.
LEAST_GEM, FAINT_LINES = 0.075, 0.865
# A gem full of colour has nothing as white as the first on its ring and nothing as bright as the second; a cell
# with light has something as white as the third.
FILLED_WHITE, FILLED_VALUE, WHITE = 0.7, 0.97, 0.85
SAME_SHADE, GROUND_CHROMA, SAME_HUE_DEG = 0.7, 0.08, 42.0
# Black lines on white have no colour. What the picture gives them is its noise: a core's colour is so many times that, and
# with more noise than the second nothing is known to be black.
OVER_NOISE, MOST_NOISE, NO_LIGHT_HERE = 9.5, 0.012, 0.12
# Where two beams cross it is not darker than this.
CROSSING = 0.4
BROWN_VALUE = 0.5
LEAST_HUE_MARGIN, LEAST_VIOLET_MARGIN = 0.5, 0.7

_LINE = (np.arange(CELL_PX) + 0.5) / CELL_PX - 0.5
_X, _Y = np.meshgrid(_LINE, _LINE)
_R = np.hypot(_X, _Y)
_NEAR_BORDER = (np.abs(_X) < 0.42) & (np.abs(_Y) < 0.42)
_SIDES = {
    (-1, 0): _NEAR_BORDER & (np.abs(_X) < 0.3) & (_Y < -0.28),
    (1, 0): _NEAR_BORDER & (np.abs(_X) < 0.3) & (_Y > 0.28),
    (0, -1): _NEAR_BORDER & (np.abs(_Y) < 0.3) & (_X < -0.28),
    (0, 1): _NEAR_BORDER & (np.abs(_Y) < 0.3) & (_X > 0.28),
}
_CORNERS = [
    (np.abs(_X - 0.38 * right) < 0.05) & (np.abs(_Y - 0.38 * low) < 0.05)
    for right in (-1, 1)
    for low in (-1, 1)
]
_PAIRS = (((0, -1), (0, 1)), ((-1, 0), (1, 0)))


@dataclass(frozen=True, eq=False)
class _Board:
    """A board made square: `size` cells each way of CELL_PX, the white of the paper 1.

    px: (H, W, 3) float, BGR, with ROOM cells around the board.
    back: (3, 3), from px of `px` to px of the frame.
    """

    size: int
    px: Channels
    back: Numbers

    def cell(self, row: int, col: int) -> Channels:
        top, left = (round((ROOM + index) * CELL_PX) for index in (row, col))
        return self.px[top : top + CELL_PX, left : left + CELL_PX]

    @cached_property
    def noise(self) -> float:
        """The colour of places like a core on the lines of the board, a share of their brightness; light aside."""
        reach = round(0.2 * CELL_PX)
        shades = []
        for row, col in itertools.product(range(2 * self.size + 1), repeat=2):
            if row % 2 and col % 2:
                continue  # the middle of a cell
            y, x = (round((ROOM + index / 2) * CELL_PX) for index in (row, col))
            window = self.px[y - reach : y + reach + 1, x - reach : x + reach + 1]
            if float(_chroma(window).max()) < NO_LIGHT_HERE:
                shade = window.mean(axis=(0, 1))
                shades.append(float(np.ptp(shade) / shade.max()))
        return float(np.quantile(shades, 0.15)) if shades else math.inf

    def is_dark_around(self, row: int, col: int) -> bool:
        """Whether no light is in the cells beside a cell."""
        top, left = (round((ROOM + index - 0.4) * CELL_PX) for index in (row, col))
        wide = self.px[top : top + round(1.8 * CELL_PX), left : left + round(1.8 * CELL_PX)]
        place = (np.arange(len(wide)) + 0.5) / CELL_PX - 0.9
        away = np.maximum(*np.meshgrid(np.abs(place), np.abs(place)))
        return float(np.quantile(_chroma(wide)[away > 0.5], 0.9)) < DARK_AROUND


def read_filmed(frame: Frame, corners: Sequence[Point]) -> Reading[Algemy, Solution]:
    """The board within these corners, clockwise from the one at its top left, px of the frame.

    Raises BoardNotFound, and UncertainReading where the light contradicts the sources.
    """
    board = _squared(frame, corners)
    wheel = _wheel(board)
    marks: dict[Square, Mark] = {}
    for row, col in itertools.product(range(board.size), repeat=2):
        if wheel is not None and math.dist((row, col), wheel.at) - 0.25 < wheel.radius + 0.1:
            marks[Square(row, col)] = Mark(None, 0.0)
        else:
            mark = _mark(board.cell(row, col), board.noise)
            if (
                mark.state == "given"
                and not board.is_dark_around(row, col)
                and not _filled(board.cell(row, col))
            ):
                mark = Mark(None, 0.2)  # colour runs over from light beside the cell
            marks[Square(row, col)] = mark
    _tell_dark_cores(board, marks)
    return _reading(frame, board, marks, wheel)


def _reading(
    frame: Frame, board: _Board, marks: Mapping[Square, Mark], wheel: _Wheel | None
) -> Reading[Algemy, Solution]:
    rows = tuple(
        "".join(
            (mark.symbol or "W") if (mark := marks[Square(row, col)]).state == "given" else EMPTY
            for col in range(board.size)
        )
        for row in range(board.size)
    )
    puzzle = Algemy("square", rows)
    placed: dict[AlgemyCell, str] = {
        cell: mark.symbol for cell, mark in marks.items() if mark.state == "placed" and mark.symbol
    }
    doubtful = {cell for cell, mark in marks.items() if mark.symbol is None}
    _check_light(board, puzzle, placed, doubtful)
    centres = {cell: _back(board, cell.row, cell.col) for cell in marks}
    steps = [
        math.dist(centres[a], centres[b])
        for a, b in ((Square(0, 0), Square(0, 1)), (Square(0, 0), Square(1, 0)))
    ]
    across, down = [at.x for at in centres.values()], [at.y for at in centres.values()]
    area = Box(int(min(across)), int(min(down)), math.ceil(np.ptp(across)), math.ceil(np.ptp(down)))
    crystals_full = all(
        _filled(board.cell(cell.row, cell.col)) for cell in puzzle.crystals if isinstance(cell, Square)
    )
    finished = (
        wheel is None and not doubtful and crystals_full and bool(placed) and not algemy.check(puzzle, placed)
    )
    return Reading(
        puzzle=puzzle,
        placed=placed,
        geometry=Geometry(centres, min(steps)),
        marks=marks,
        area=area,
        finished=finished,
        ui="film" if wheel is None else "wheel",
        facts={} if wheel is None else {"wheel_row": wheel.at[0], "wheel_col": wheel.at[1]},
        remarks=("a photograph: nothing is tapped on it",),
    )


def _squared(frame: Frame, corners: Sequence[Point]) -> _Board:
    """The board seen from straight above, once roughly to find its lines, then exactly."""
    px, back = _warped(frame, corners, 0.0, BOARD_PX)
    size, (left, right), (top, bottom) = _lines(px / _paper(px))
    exact = [
        _through(back, Point(x, y)) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))
    ]
    px, back = _warped(frame, exact, ROOM * CELL_PX, size * CELL_PX)
    room = round(ROOM * CELL_PX)
    return _Board(size, px / _paper(px, room), back)


def _warped(frame: Frame, corners: Sequence[Point], room_px: float, side_px: int) -> tuple[Channels, Numbers]:
    """The picture with the corners at a square of `side_px` with room around it, and the way back, (3, 3)."""
    low, high = room_px, room_px + side_px
    # OpenCV counts from the middle of the first px, we from its edge.
    source = np.array(corners, np.float32) - np.float32(0.5)
    target = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32) - np.float32(0.5)
    forth = cv2.getPerspectiveTransform(source, target)
    whole = round(side_px + 2 * room_px)
    px = cv2.warpPerspective(
        frame.pixels, forth, (whole, whole), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(px, np.float64), np.asarray(np.linalg.inv(forth), np.float64)


def _through(back: Numbers, at: Point) -> Point:
    """A place of the squared board in the frame."""
    x, y, w = (float(part) for part in back @ np.array([at.x - 0.5, at.y - 0.5, 1.0]))
    return Point(x / w + 0.5, y / w + 0.5)


def _paper(px: Channels, room: int = 0) -> Channels:
    """The brightness of white everywhere, (H, W, 3): a bilinear surface through the brightest of the greys.

    room: px around the board that do not count.
    """
    height, width = px.shape[:2]
    down, across = np.mgrid[0:height, 0:width]
    terms = np.stack([np.ones_like(across), across, down, across * down], axis=-1).astype(np.float64)
    inside = np.zeros((height, width), bool)
    inside[room : height - room, room : width - room] = True
    value = px.max(axis=2)
    grey = inside & (value - px.min(axis=2) < 0.16 * value)
    if grey.sum() < 0.05 * inside.sum():
        raise BoardNotFound("no white paper within the corners", hint="give the corners of the board itself")
    paper = np.empty_like(px)
    every = max(1, int(grey.sum()) // 20_000)
    for channel in range(3):
        known, values = terms[grey][::every], px[..., channel][grey][::every]
        keep = values >= np.median(values)
        for _ in range(6):
            fit, *_ = np.linalg.lstsq(known[keep], values[keep], rcond=None)
            keep = values - known @ fit > -0.03 * float(np.median(values))
        paper[..., channel] = np.maximum(terms @ fit, 1.0)
    return paper


def _lines(px: Channels) -> tuple[int, tuple[float, float], tuple[float, float]]:
    """How many cells there are each way, and the outer lines in px: left and right, top and bottom.

    The grid whose inner lines are all there. Raises BoardNotFound when there is none, or more than one.
    """
    dark = np.where(px.max(axis=2) - px.min(axis=2) < 0.15, np.clip(1.0 - px.max(axis=2), 0.0, 0.6), np.nan)
    profiles = [_middle(dark), _middle(dark.T)]
    fitting = {}
    for size in SIZES:
        across, down = (_grid(profile, size) for profile in profiles)
        if across is not None and down is not None:
            fitting[size] = across, down
    # Every second or third line is a grid, too.
    sizes = [size for size in fitting if not any(other > size and other % size == 0 for other in fitting)]
    if len(sizes) != 1:
        raise BoardNotFound(
            "no grid of lines within the corners", hint="give the corners of the board itself"
        )
    return sizes[0], *fitting[sizes[0]]


def _middle(dark: Numbers) -> Numbers:
    """The median darkness of each column, where enough of it is not under light; 0 where it is not."""
    known = np.isfinite(dark).sum(axis=0) >= 0.15 * len(dark)
    profile = np.zeros(dark.shape[1])
    profile[known] = np.nanmedian(dark[:, known], axis=0)
    return profile


def _grid(profile: Numbers, size: int) -> tuple[float, float] | None:
    """First and last line of a grid that fills the profile; None when an inner line is not there."""
    pitch = len(profile) / size
    reach = max(1, round(0.12 * pitch))
    places = []
    strengths = []
    for index in range(1, size):
        at = round(index * pitch)
        window = profile[at - reach : at + reach + 1]
        peak = int(np.argmax(window))
        beside = [profile[max(0, at - reach + peak + way * round(0.22 * pitch))] for way in (-1, 1)]
        strengths.append(float(window[peak] - np.mean(beside)))
        places.append(at - reach + peak + 0.5)
    usual = float(np.median(strengths))
    if usual < LEAST_LINE or min(strengths) < LINE_BESIDE_LIGHT * usual:
        return None
    step, first = (float(part) for part in np.polyfit(np.arange(1, size), places, 1))
    away = np.abs(np.arange(1, size) * step + first - places)
    return (first, first + size * step) if away.max() <= OFF_LINE * pitch else None


@dataclass(frozen=True)
class _Wheel:
    """An open colour wheel: the cell it stands on, and its outer radius in cells."""

    at: tuple[int, int]
    radius: float


def _wheel(board: _Board) -> _Wheel | None:
    for row, col in itertools.product(range(board.size), repeat=2):
        at = ((ROOM + col + 0.5) * CELL_PX, (ROOM + row + 0.5) * CELL_PX)
        reaches = [reach for reach in np.arange(0.55, 1.5, 0.05) if _ring_share(board.px, at, reach) >= 0.75]
        if {0.6, 0.7, 0.8, 0.9} <= {round(float(reach), 2) for reach in reaches}:
            return _Wheel((row, col), float(max(reaches)) + 0.1)
    return None


def _ring_share(px: Channels, at: tuple[float, float], reach: float) -> float:
    """Share of places on a ring that have the hue of their sector."""
    good = 0
    places = [(60 * index + turn, colour) for index, colour in enumerate("ROYGBV") for turn in (-10, 0, 10)]
    for turn, colour in places:
        angle = math.radians(turn)
        x = round(at[0] + reach * CELL_PX * math.sin(angle) - 0.5)
        y = round(at[1] - reach * CELL_PX * math.cos(angle) - 0.5)
        paint = px[y, x]
        good += float(np.ptp(paint)) > 0.2 and nearest_hue(tuple(255 * paint), HUES).name == colour
    return good / len(places)


def _chroma(patch: Channels) -> Numbers:
    return np.asarray(patch.max(axis=2) - patch.min(axis=2), np.float64)


def _mark(patch: Channels, noise: float) -> Mark:
    """What stands in a cell, as far as the cell itself tells; a black core is in doubt, with X for the runner-up.

    noise: the colour that a grey place may have.
    """
    value, chromas = patch.max(axis=2), _chroma(patch)
    inside = _R < 0.4
    darkest = float(value[_R < 0.2].min())
    if darkest < BLACK:
        return Mark(None, 0.0, "X")
    darkness = float(np.clip(1.0 - value[inside], 0.0, 1.0).mean())
    if darkness < PLAIN_DARKNESS and float(np.quantile(chromas[_R < 0.3], 0.9)) < PLAIN_CHROMA:
        return Mark("", 0.9)
    if _filled(patch):
        return _named(np.median(patch[_R < 0.3], axis=0))
    lit = {side: _light(patch, side)[0] for side in _SIDES}
    through = [min(lit[side] for side in pair) > LIGHT_CHROMA for pair in _PAIRS]
    if any(through):
        # Where light crosses light, only what the light does beyond tells.
        across = through[0]
        straight = _straight(chromas if across else chromas.T) and _even(value if across else value.T)
        clear = not all(through) and straight and darkest > CROSSING and _whitest(patch) > WHITE
        return Mark("", 0.7) if clear else Mark(None, 0.2)
    ring = (_R > 0.3) & (_R < 0.42)
    # A mean, because single px of grey lines have a colour of their own by noise.
    shade = patch[_R < 0.2].mean(axis=0)
    coloured = float(np.ptp(shade) / shade.max())
    # Light that arrives is mixed into what little is seen of the core.
    dark = max(lit.values()) < RUN_OVER_CHROMA and float(chromas[ring].mean()) < RING_CHROMA
    if dark and darkness > LEAST_GEM and coloured >= max(COLOURED, OVER_NOISE * noise):
        mark = _named(shade)
        # A small core's yellow has been seen as orange, a white one's grey as yellow, and a pale blue as violet.
        sure = mark.symbol != "O" and (mark.symbol not in ("X", "Y") or _has_faint_lines(patch))
        sure = sure and (mark.symbol != "V" or coloured >= VIOLET)
        return mark if sure else Mark(None, 0.3, mark.symbol or mark.runner_up, "given")
    # White and a very faint yellow look the same.
    return Mark(None, 0.2, "W" if dark and darkness > 2 * PLAIN_DARKNESS else "")


def _light(patch: Channels, side: tuple[int, int]) -> tuple[float, tuple[float, float, float]]:
    """Chroma of the light at one side of a cell, where it is strongest, and its colour."""
    px = patch[_SIDES[side]]
    chromas = px.max(axis=1) - px.min(axis=1)
    strongest = float(np.quantile(chromas, 0.85))
    blue, green, red = (255 * float(part) for part in np.median(px[chromas >= strongest], axis=0))
    return strongest, (blue, green, red)


def _straight(chromas: Numbers) -> bool:
    """Whether light goes through from left to right without a break."""
    along = chromas[np.abs(_LINE) < 0.35][:, np.abs(_LINE) < 0.38].mean(axis=0)
    return bool(along.min() > 0.7 * np.median(along))


def _even(value: Numbers) -> bool:
    """Whether brightness does not change from left to right along the middle."""
    along = value[np.abs(_LINE) < 0.2][:, np.abs(_LINE) < 0.36].mean(axis=0)
    return float(np.ptp(along)) < UNEVEN


def _whitest(patch: Channels) -> float:
    """How white the whitest place is on the ring of a gem."""
    return float(np.quantile(patch.min(axis=2)[(_R > 0.18) & (_R < 0.34)], 0.95))


def _has_faint_lines(patch: Channels) -> bool:
    """Whether the ring around a core is bright, so that the core's shade is its own and not that of lines."""
    return bool(patch.max(axis=2)[(_R > 0.24) & (_R < 0.36)].mean() > FAINT_LINES)


def _filled(patch: Channels) -> bool:
    """Whether a gem is full of colour: the whole cell is tinted, the core as the ring.

    Light alone leaves the room beside its beams white, and a gem that gets something else has a core of another shade.
    """
    ring, core = (_R > 0.18) & (_R < 0.34), _R < 0.12
    value, chromas = patch.max(axis=2), _chroma(patch)
    return bool(
        min(float(chromas[mask].mean()) for mask in _CORNERS) > GROUND_CHROMA
        and _whitest(patch) < FILLED_WHITE
        and np.quantile(value[ring], 0.97) < FILLED_VALUE
        and value[core].mean() > SAME_SHADE * np.median(value[ring])
        and chromas[core].mean() > SAME_SHADE * np.median(chromas[ring])
        and _is_of_one_hue(patch)
    )


def _is_of_one_hue(patch: Channels) -> bool:
    """Whether the corners and sides of a cell have the hue of its core."""
    core, *others = (
        hue_deg(_bgr(patch[mask].mean(axis=0))) for mask in (_R < 0.12, *_CORNERS, *_SIDES.values())
    )
    return all(abs((hue - core + 180) % 360 - 180) <= SAME_HUE_DEG for hue in others)


def _bgr(shade: Numbers) -> tuple[float, float, float]:
    """A share of white as a colour, 0..255."""
    blue, green, red = (255 * float(part) for part in shade)
    return blue, green, red


def _named(shade: Numbers) -> Mark:
    """The crystal of a colour."""
    named = nearest_hue(_bgr(shade), HUES)
    # Blue paint has some red in a photograph, and drifts towards violet.
    if named.margin < (LEAST_VIOLET_MARGIN if named.name == "V" else LEAST_HUE_MARGIN):
        return Mark(None, 0.3, named.name, "given")
    dark = shade.max() < BROWN_VALUE
    if dark and named.name == "R":
        return Mark(None, 0.3, "X", "given")
    letter = "X" if dark and named.name == "O" else named.name
    return Mark(letter, 0.6 + 0.3 * named.margin, named.runner_up, "given")


def _tell_dark_cores(board: _Board, marks: dict[Square, Mark]) -> None:
    """A black core is a source when light leaves it on every open side, a brown crystal when on some side none does."""
    for cell in [cell for cell, mark in marks.items() if mark.symbol is None and mark.runner_up == "X"]:
        patch = board.cell(*cell)
        rays = [_ray(marks, cell, side) for side in _SIDES]
        lights = [[_middle_light(board, at) for at in ray] for ray in rays if ray]
        if _filled(patch):
            marks[cell] = _named(np.median(patch[_R < 0.3], axis=0))
        elif lights:
            marks[cell] = _source_or_crystal(patch, lights, marks[cell], board.noise)


def _ray(marks: Mapping[Square, Mark], cell: Square, side: tuple[int, int]) -> list[Square]:
    """The cells beside a cell that are empty, or may be, up to the first that is not."""
    ray = []
    at = Square(cell.row + side[0], cell.col + side[1])
    while (
        at in marks and marks[at].state == "free" and marks[at].runner_up != "X" and marks[at].confidence > 0
    ):
        ray.append(at)
        at = Square(at.row + side[0], at.col + side[1])
    return ray


def _middle_light(board: _Board, cell: Square) -> tuple[float, str]:
    """Chroma in the middle of a cell, and the hue of it; no name where it is between two hues."""
    px = board.cell(*cell)[_R < 0.15]
    blue, green, red = (255 * float(part) for part in np.median(px, axis=0))
    named = nearest_hue((blue, green, red), HUES)
    return max(blue, green, red) / 255 - min(blue, green, red) / 255, named.name if named.margin > 0.4 else ""


def _source_or_crystal(
    patch: Channels, rays: Sequence[Sequence[tuple[float, str]]], doubt: Mark, noise: float
) -> Mark:
    """What a black core is, by the light in the cells of its open sides."""
    core = patch[_R < 0.17]
    if any(ray[0][0] < NO_LIGHT_CHROMA for ray in rays):
        black = core.max(axis=1).mean() < BLACK_MEAN and np.ptp(core, axis=1).max() < BLACK_CHROMA
        return (
            Mark("X", 0.7, "", "given")
            if black and noise <= MOST_NOISE and _has_faint_lines(patch)
            else doubt
        )
    if any(ray[0][0] < LIGHT_CHROMA for ray in rays) or core.max(axis=1).mean() > DARK_CORE:
        return doubt
    hues = [hue for ray in rays for _, hue in ray if hue]
    ring = patch[(_R > 0.22) & (_R < 0.42)]
    chromas = np.ptp(ring, axis=1)
    own = nearest_hue(tuple(255 * np.median(ring[chromas >= np.quantile(chromas, 0.8)], axis=0)), HUES)
    # Other light may cross the rays, so the source's own ring has to agree.
    for hue in dict.fromkeys(hues):
        enough = hues.count(hue) >= max(3, 0.8 * sum(map(len, rays)))
        if enough and own.name == hue and own.margin >= LEAST_HUE_MARGIN:
            return Mark(hue, 0.7, "", "placed")
    return doubt


def _check_light(board: _Board, puzzle: Algemy, placed: Solution, doubtful: set[Square]) -> None:
    """Every empty cell seen is lit exactly when a source seen shines into it. Raises UncertainReading."""
    lit: set[Square] = set()
    for source in placed:
        for ray, _ in algemy.sight(puzzle, source):
            for cell in itertools.takewhile(lambda cell: cell not in doubtful, ray):
                lit.add(Square(*cell))
    contradicting = []
    for cell in puzzle.cells:
        if cell in doubtful or cell in placed or cell in puzzle.crystals:
            continue
        if any(seen in doubtful for ray, _ in algemy.sight(puzzle, cell) for seen in ray):
            continue
        shines = float(_chroma(board.cell(*cell))[_R < 0.12].mean())
        if (cell in lit) != (shines > LIGHT_CHROMA / 2):
            contradicting.append(cell)
    if contradicting:
        raise UncertainReading(
            f"the light at {puzzle.name(contradicting[0])} does not come from the sources seen",
            hint="take the picture larger and straighter",
            cells=contradicting,
        )


def _back(board: _Board, row: int, col: int) -> Point:
    """Middle of a cell in the frame."""
    return _through(board.back, Point((ROOM + col + 0.5) * CELL_PX, (ROOM + row + 0.5) * CELL_PX))
