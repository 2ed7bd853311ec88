"""A photographed board made square: seen from straight above, its paper white, its lines found anew."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest, weakest
from vision.errors import BoardNotFound
from vision.frame import Frame, Point

Numbers = npt.NDArray[np.float64]
Channels = npt.NDArray[np.float64]

# Cells are looked at in this size.
CELL_PX = 48
SIZES = range(4, 10)
# The square board is first made this large, which is a multiple of most sizes.
BOARD_PX = 600
# Room around the board for a wheel at its edge, in cells.
ROOM = 1.5
# A line of the board is darker than beside it by this share of white.
LEAST_LINE = 0.08
# Light beside a line takes some of its darkness, and moves it by no more than this, in cells.
LINE_BESIDE_LIGHT, OFF_LINE = 0.35, 0.11
# Chroma, a share of white, of what has no light in it or beside it.
NO_LIGHT_HERE, DARK_AROUND = 0.12, 0.09
# Half a cell from its middle its border is. The paper is as grey as the first share of its brightness; less than the second of
# the board tells none; what is darker by the third is no paper.
HALF, GREY, LEAST_GREY, DARKER = 0.5, 0.16, 0.05, 0.03
# Darkness is told by px with less chroma than this, where so large a share of them is seen.
COLOURLESS, LEAST_KNOWN = 0.15, 0.15


@dataclass(frozen=True, eq=False)
class Squared:
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
            if float(chroma_of(window).max()) < NO_LIGHT_HERE:
                shade = window.mean(axis=(0, 1))
                shades.append(float(np.ptp(shade) / shade.max()))
        return float(np.quantile(shades, 0.15)) if shades else math.inf

    def is_dark_around(self, row: int, col: int) -> bool:
        """Whether no light is in the cells beside a cell."""
        top, left = (round((ROOM + index - 0.4) * CELL_PX) for index in (row, col))
        wide = self.px[top : top + round(1.8 * CELL_PX), left : left + round(1.8 * CELL_PX)]
        place = (np.arange(len(wide)) + 0.5) / CELL_PX - 0.9
        away = np.maximum(*np.meshgrid(np.abs(place), np.abs(place)))
        return float(np.quantile(chroma_of(wide)[away > HALF], 0.9)) < DARK_AROUND


def chroma_of(patch: Channels) -> Numbers:
    return np.asarray(strongest(patch) - weakest(patch), np.float64)


def squared(frame: Frame, corners: Sequence[Point]) -> Squared:
    """The board seen from straight above, once roughly to find its lines, then exactly."""
    px, back = _warped(frame, corners, 0.0, BOARD_PX)
    size, (left, right), (top, bottom) = _lines(px / _paper(px))
    exact = [
        through(back, Point(x, y)) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))
    ]
    px, back = _warped(frame, exact, ROOM * CELL_PX, size * CELL_PX)
    room = round(ROOM * CELL_PX)
    return Squared(size, px / _paper(px, room), back)


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


def through(back: Numbers, at: Point) -> Point:
    """A place of the squared board in the frame."""
    x, y, w = (float(part) for part in back @ np.array([at.x - 0.5, at.y - 0.5, 1.0]))
    return Point(x / w + 0.5, y / w + 0.5)


def _paper(px: Channels, room: int = 0) -> Channels:
    """The brightness of white everywhere, (H, W, 3): a bilinear surface through the brightest of the greys.

    room: px around the board that do not count.
    """
    height, width = px.shape[:2]
    inside = np.zeros((height, width), bool)
    inside[room : height - room, room : width - room] = True
    value = strongest(px)
    grey = inside & (value - weakest(px) < GREY * value)
    if grey.sum() < LEAST_GREY * inside.sum():
        raise BoardNotFound("no white paper within the corners", hint="give the corners of the board itself")
    paper = np.empty_like(px)
    every = max(1, int(grey.sum()) // 20_000)
    down, across = (at[::every].astype(np.float64) for at in np.nonzero(grey))
    known, seen = np.stack([np.ones_like(across), across, down, across * down], axis=-1), px[grey][::every]
    right, below = np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64)[:, None]
    for channel in range(3):
        values = seen[:, channel]
        keep = values >= np.median(values)
        for _ in range(6):
            fit, *_ = np.linalg.lstsq(known[keep], values[keep], rcond=None)
            keep = values - known @ fit > -DARKER * float(np.median(values))
        level, by_right, by_below, by_both = fit
        paper[..., channel] = np.maximum(level + by_right * right + (by_below + by_both * right) * below, 1.0)
    return paper


def _lines(px: Channels) -> tuple[int, tuple[float, float], tuple[float, float]]:
    """How many cells there are each way, and the outer lines in px: left and right, top and bottom.

    The grid whose inner lines are all there. Raises BoardNotFound when there is none, or more than one.
    """
    value = strongest(px)
    dark = np.where(value - weakest(px) < COLOURLESS, np.clip(1.0 - value, 0.0, 0.6), np.nan)
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
    known = np.isfinite(dark).sum(axis=0)
    # What is not a number comes last.
    ordered, every = np.sort(dark, axis=0), np.arange(dark.shape[1])
    low, high = (ordered[np.clip(at, 0, len(dark) - 1), every] for at in ((known - 1) // 2, known // 2))
    return np.asarray(np.where(known >= LEAST_KNOWN * len(dark), (low + high) / 2, 0.0), np.float64)


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
