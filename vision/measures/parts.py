"""The cells of a grid, or the places between and beside them, one by one: their ground and what is drawn on it.

What is measured here knows no game: the colour of the ground, the colour, size and form of what is drawn, whether a
frame or ring goes round it, and the number that it may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision import digits
from vision.eyesight import WHOLE, Region
from vision.frame import Pixels
from vision.grids import Grid
from vision.scene import Scene

Mask = npt.NDArray[np.bool_]
Shape = npt.NDArray[np.float32]

# What differs from the ground by more levels is drawn.
DRAWN_LEVELS = 24
# A frame or ring is as wide and as high as this share of what is looked at, and fills at most this share of its box.
FRAME_SIZE, FRAME_FILL = 0.62, 0.55
# A drawing is compared at so many by so many px.
SHAPE = 12
# Drawn px from this share of the strongest on have the colour of the drawing; the others are its soft edge.
SOLID = 0.7


@dataclass(frozen=True, eq=False)
class Part:
    """One cell as it looks.

    ground: BGR. drawn: (h, w) what differs from it, without a frame. ink: its colour, BGR; the ground's where nothing is
    drawn. share: of the region that is drawn. box: left, top, right, bottom of the drawing, in shares of the region.
    shape: (SHAPE, SHAPE) the drawing brought to its own box, 0..1. framed: whether a frame or ring goes round it;
    frame: the colour of that. tallest: height of the tallest piece of the drawing, in shares of the
    region. cut: whether the drawing goes on beyond the region.
    """

    ground: npt.NDArray[np.float64]
    drawn: Mask
    ink: npt.NDArray[np.float64]
    share: float
    box: tuple[float, float, float, float]
    shape: Shape
    framed: bool
    frame: npt.NDArray[np.float64]
    tallest: float
    cut: bool
    patch: Pixels = field(repr=False)

    @property
    def size(self) -> float:
        """The larger side of the drawing, in shares of the region."""
        left, top, right, bottom = self.box
        return max(right - left, bottom - top)

    @cached_property
    def number(self) -> digits.Number:
        """The number that the drawing is."""
        return digits.read_number(self.for_digits)

    @property
    def for_digits(self) -> digits.Ink:
        """The drawing as ink on nothing, 0..1."""
        away = np.abs(self.patch.astype(np.float32) - self.ground.astype(np.float32)).max(axis=2)
        near = cv2.dilate(self.drawn.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
        away[~near] = 0
        top = float(away.max(initial=0.0))
        return np.asarray(away / top if top >= DRAWN_LEVELS else np.zeros_like(away), np.float32)


def parts(scene: Scene, grid: Grid, region: Region = WHOLE, beyond: int = 0) -> dict[tuple[int, int], Part]:
    """Every cell of a grid by row and column. beyond: also so many rows and columns outside, as far as the picture goes.

    Use as `scene.once(parts, grid, region)`.
    """
    found = {}
    for row in range(-beyond, grid.rows + beyond):
        for col in range(-beyond, grid.cols + beyond):
            part = part_at(scene.pixels, grid, row, col, region)
            if part is not None:
                found[row, col] = part
    return found


def part_at(pixels: Pixels, grid: Grid, row: int, col: int, region: Region = WHOLE) -> Part | None:
    """One cell; None where the picture does not show all of it."""
    height, width = pixels.shape[:2]
    left, right = grid.xs.at(col + region.left), grid.xs.at(col + region.right)
    top, bottom = grid.ys.at(row + region.top), grid.ys.at(row + region.bottom)
    x0, x1, y0, y1 = round(left), round(right), round(top), round(bottom)
    if x0 < 0 or y0 < 0 or x1 > width or y1 > height or x1 - x0 < 4 or y1 - y0 < 4:
        return None
    return part_of(pixels[y0:y1, x0:x1], in_round=region.round)


def part_of(patch: Pixels, *, in_round: bool = False) -> Part:
    """What a patch of the picture shows. in_round: only in the ellipse inside it, where no frame goes round anything."""
    rim_of_round = _rim(*patch.shape[:2])
    # The smallest patches have no rim.
    ground = np.median(patch[rim_of_round], axis=0) if in_round and rim_of_round.any() else _ground(patch)
    away = np.abs(patch.astype(np.int16) - ground).max(axis=2)
    drawn = away > DRAWN_LEVELS
    cut = bool((drawn & rim_of_round).any())
    if in_round:
        drawn &= _inside(*patch.shape[:2])
    else:
        cut = bool(drawn[0].any() or drawn[-1].any() or drawn[:, 0].any() or drawn[:, -1].any())
    frame, framed, tallest = ground, False, 0.0
    if drawn.any():
        drawn, rim, tallest = _without_frame(drawn, not in_round)
        if rim is not None:
            frame, framed = _colour(patch, away, rim), True
    height, width = drawn.shape
    if not drawn.any():
        nothing = np.zeros((SHAPE, SHAPE), np.float32)
        return Part(ground, drawn, ground, 0.0, (0.5, 0.5, 0.5, 0.5), nothing, framed, frame, 0.0, cut, patch)
    left, top, wide, high = cv2.boundingRect(drawn.astype(np.uint8))
    inside = drawn[top : top + high, left : left + wide].astype(np.float32)
    shape = cv2.resize(inside, (SHAPE, SHAPE), interpolation=cv2.INTER_AREA)
    box = (left / width, top / height, (left + wide) / width, (top + high) / height)
    ink = _colour(patch, away, drawn)
    return Part(
        ground,
        drawn,
        ink,
        float(drawn.mean()),
        box,
        np.asarray(shape, np.float32),
        framed,
        frame,
        tallest,
        cut,
        patch,
    )


@cache
def _radii(height: int, width: int) -> npt.NDArray[np.float64]:
    """How far every px is from the middle, in radii of the ellipse inside the patch."""
    down, right = np.mgrid[0:height, 0:width]
    return np.asarray(
        np.hypot((down - (height - 1) / 2) / (height / 2), (right - (width - 1) / 2) / (width / 2)),
        np.float64,
    )


def _inside(height: int, width: int) -> Mask:
    return np.asarray(_radii(height, width) <= 1.0, np.bool_)


def _rim(height: int, width: int) -> Mask:
    radii = _radii(height, width)
    return np.asarray((radii > 0.9) & (radii <= 1.0), np.bool_)


def _ground(patch: Pixels) -> npt.NDArray[np.float64]:
    """The colour along the edge of a patch: whatever is drawn in a cell stands in its middle."""
    height, width = patch.shape[:2]
    rim = max(1, min(height, width) // 12)
    edge = np.concatenate(
        [
            patch[:rim].reshape(-1, 3),
            patch[-rim:].reshape(-1, 3),
            patch[:, :rim].reshape(-1, 3),
            patch[:, -rim:].reshape(-1, 3),
        ]
    )
    return np.asarray(np.median(edge, axis=0), np.float64)


def _colour(patch: Pixels, away: npt.NDArray[np.float64], mask: Mask) -> npt.NDArray[np.float64]:
    """The colour of what is drawn, without its soft edge."""
    solid = mask & (away >= SOLID * float(away[mask].max()))
    return np.asarray(np.median(patch[solid], axis=0), np.float64)


def _without_frame(drawn: Mask, framable: bool) -> tuple[Mask, Mask | None, float]:
    """What is drawn without a frame or ring round it, that frame, and the height of the tallest other piece."""
    height, width = drawn.shape
    count, names, stats, _ = cv2.connectedComponentsWithStats(drawn.astype(np.uint8), connectivity=8)
    rim, tallest = None, 0
    for number in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[number])
        if framable and rim is None and wide >= FRAME_SIZE * width and high >= FRAME_SIZE * height:
            middle = names[top + high // 2, left + wide // 4 : left + 3 * wide // 4]
            if area <= FRAME_FILL * wide * high and not (middle == number).any():
                rim = names == number
                continue
        tallest = max(tallest, high)
    return drawn if rim is None else drawn & ~rim, rim, tallest / height


def line_colour(scene: Scene, grid: Grid) -> tuple[float, float, float]:
    """The colour of the thin lines between the cells, BGR: of what differs most from the cells beside it."""
    seen = []
    height, width = scene.pixels.shape[:2]
    for row in range(grid.rows):
        for col in range(1, grid.cols):
            x, y = round(grid.xs.at(col)), round(grid.ys.at(row + 0.5))
            beside = round(0.15 * grid.xs.pitch)
            if beside + 2 <= x < width - beside - 2 and 0 <= y < height:
                strip = scene.pixels[y, x - 2 : x + 3].astype(np.int16)
                cells = scene.pixels[y, [x - beside, x + beside]].astype(np.int16)
                away = np.abs(strip[:, None] - cells[None]).max(axis=2).min(axis=1)
                seen.append(strip[int(away.argmax())])
    blue, green, red = np.median(seen, axis=0).tolist() if seen else (0.0, 0.0, 0.0)
    return float(blue), float(green), float(red)


# A thick line is so many times as wide as the thin ones, and by so many px.
THICK, THICK_PX = 1.6, 0.9


def thick_lines(scene: Scene, grid: Grid) -> tuple[frozenset[int], frozenset[int]]:
    """The inner lines of a grid that are thick over most of their length: columns of the upright, rows of the level ones."""
    across, down = scene.once(line_widths, grid)
    thin = float(min(across.min(initial=99.0), down.min(initial=99.0)))
    least = max(THICK * thin, thin + THICK_PX)
    cols = frozenset(col for col in range(1, grid.cols) if np.median(across[:, col - 1]) >= least)
    return cols, frozenset(row for row in range(1, grid.rows) if np.median(down[row - 1]) >= least)


def cage_lines(scene: Scene, grid: Grid) -> frozenset[tuple[int, int, str]]:
    """The thick ones of the inner borders: (row, col, "r") to the right of a cell, (row, col, "d") below it."""
    across, down = scene.once(line_widths, grid)
    thin = float(min(across.min(initial=99.0), down.min(initial=99.0)))
    least = max(THICK * thin, thin + THICK_PX)
    found = {(int(row), int(col), "r") for row, col in np.argwhere(across >= least)}
    return frozenset(found | {(int(row), int(col), "d") for row, col in np.argwhere(down >= least)})


def thick_border(scene: Scene, grid: Grid) -> bool:
    """Whether the line round the whole grid is thicker than the thin ones between its cells."""
    across, down = scene.once(line_widths, grid)
    thin = float(min(across.min(initial=99.0), down.min(initial=99.0)))
    rows = [grid.ys.at(row + 0.5) for row in range(grid.rows)]
    sides = [
        float(np.median([_dark(scene.shades, grid.xs.at(col), y, grid.xs.pitch, True) for y in rows]))
        for col in (0, grid.cols)
    ]
    return min(sides) >= max(THICK * thin, thin + THICK_PX)


def line_widths(scene: Scene, grid: Grid) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How many px of dark line are between neighbours: (rows, cols - 1) side by side, (rows - 1, cols) one below the other."""
    shades = scene.shades
    across = np.zeros((grid.rows, grid.cols - 1))
    down = np.zeros((grid.rows - 1, grid.cols))
    for row in range(grid.rows):
        for col in range(grid.cols):
            if col:
                across[row, col - 1] = _dark(
                    shades, grid.xs.at(col), grid.ys.at(row + 0.5), grid.xs.pitch, True
                )
            if row:
                down[row - 1, col] = _dark(
                    shades, grid.xs.at(col + 0.5), grid.ys.at(row), grid.ys.pitch, False
                )
    return across, down


def _dark(shades: Pixels, x: float, y: float, pitch: float, level: bool) -> float:
    """The width of a line through a place, in px of its full colour, however dark or light that is; of several
    places along it the median."""
    found = []
    reach = max(3, round(0.1 * pitch))
    for along in (-0.2, -0.1, 0.1, 0.2, 0.3, 0.4):
        if level:
            at = round(y + along * pitch)
            strip = shades[at : at + 1, max(0, round(x) - reach) : round(x) + reach + 1].ravel()
        else:
            at = round(x + along * pitch)
            strip = shades[max(0, round(y) - reach) : round(y) + reach + 1, at : at + 1].ravel()
        if strip.size:
            # A selected cell on one side is darker than that on the other, and no line.
            levels = strip.astype(np.float64)
            away = np.minimum(np.abs(levels - levels[0]), np.abs(levels - levels[-1]))
            found.append(float(away.sum()) / max(float(away.max()), DRAWN_LEVELS))
    return float(np.median(found)) if found else 0.0


def numbers_of(found: Sequence[Part]) -> list[digits.Number]:
    """The numbers of several parts, in one font."""
    return digits.read_numbers([part.for_digits for part in found])
