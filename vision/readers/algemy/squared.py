"""A photographed board made square: seen from straight above, its paper white."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import chroma_of, strongest, weakest
from vision.errors import BoardNotFound
from vision.frame import Pixels, Point

Numbers = npt.NDArray[np.float64]
Channels = npt.NDArray[np.float64]

# Cells are looked at in this size.
CELL_PX = 48
# Room around the board for a wheel at its edge, in cells.
ROOM = 1.5
# Chroma, a share of white, of what has no light in it or beside it.
NO_LIGHT_HERE, DARK_AROUND = 0.12, 0.09
# Half a cell from its middle its border is. The paper is as grey as the first share of its brightness; less than the second of
# the board tells none; what is darker by the third is no paper.
HALF, GREY, LEAST_GREY, DARKER = 0.5, 0.16, 0.05, 0.03
# So many px tell what the paper is like.
PAPER_PX = 5_000


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
                # What is all black has no colour.
                shades.append(float(np.ptp(shade) / (shade.max() or 1.0)))
        return float(np.quantile(shades, 0.15)) if shades else math.inf

    def is_dark_around(self, row: int, col: int) -> bool:
        """Whether no light is in the cells beside a cell."""
        top, left = (round((ROOM + index - 0.4) * CELL_PX) for index in (row, col))
        wide = self.px[top : top + round(1.8 * CELL_PX), left : left + round(1.8 * CELL_PX)]
        place = (np.arange(len(wide)) + 0.5) / CELL_PX - 0.9
        away = np.maximum(*np.meshgrid(np.abs(place), np.abs(place)))
        return float(np.quantile(chroma_of(wide)[away > HALF], 0.9)) < DARK_AROUND


def squared(pixels: Pixels, corners: Sequence[Point], size: int) -> Squared:
    """The board within these corners, clockwise from its top left, of so many cells each way, from straight above."""
    room = round(ROOM * CELL_PX)
    low, high = room, room + size * CELL_PX
    # OpenCV counts from the middle of the first px, we from its edge.
    source = np.array(corners, np.float32) - np.float32(0.5)
    target = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32) - np.float32(0.5)
    forth = cv2.getPerspectiveTransform(source, target)
    px = cv2.warpPerspective(
        pixels, forth, (room + high, room + high), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float64)
    return Squared(size, px / _paper(px, room), np.asarray(np.linalg.inv(forth), np.float64))


def through(back: Numbers, at: Point) -> Point:
    """A place of the squared board in the frame."""
    x, y, w = (float(part) for part in back @ np.array([at.x - 0.5, at.y - 0.5, 1.0]))
    return Point(x / w + 0.5, y / w + 0.5)


def _paper(px: Channels, room: int) -> Channels:
    """The brightness of white everywhere, (H, W, 3): a bilinear surface through the brightest of the greys.

    room: px around the board that do not count.
    """
    height, width = px.shape[:2]
    inside = np.zeros((height, width), bool)
    inside[room : height - room, room : width - room] = True
    value = strongest(px)
    grey = inside & (value - weakest(px) < GREY * value)
    if grey.sum() < LEAST_GREY * inside.sum():
        raise BoardNotFound("no white paper within the lines found", hint="take a larger picture")
    paper = np.empty_like(px)
    every = max(1, int(grey.sum()) // PAPER_PX)
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
