"""Draws a practice nonogram in a skin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.practice.lettering import Bgr, width_of, write
from bot.practice.nonogram.skins import Skin
from solver.lattice import Square
from solver.nonogram import Clue, Nonogram
from vision.frame import Pixels, Point

# The collection draws every fifth line bold.
BOLD_EVERY = 5
# How much of a fading background cells let through.
THROUGH = 0.12


@dataclass(frozen=True)
class Sheet:
    """What the puzzle is drawn on, and where, in px. tile: distance between two cells; left, top: corner of the first cell."""

    tile: int
    left: int
    top: int
    width: int
    height: int
    digit_px: float

    @property
    def space_px(self) -> float:
        """Between two numbers of a row: two blanks of a common font."""
        return 0.8 * self.digit_px

    def row_width(self, clue: Clue) -> float:
        numbers = sum(width_of(str(run), self.digit_px) for run in clue)
        return numbers + self.space_px * max(0, len(clue) - 1)


def paint(
    puzzle: Nonogram, skin: Skin, sheet: Sheet, cells: Mapping[Square, bool], *, inverted: bool
) -> Pixels:
    """The whole board. cells: what is filled (True) and blank; inverted: it flashes."""
    pixels = _background(skin, sheet).copy()
    if skin.around:
        _draw_around(pixels, skin, sheet, puzzle, cells)
    for row in range(puzzle.height):
        for col in range(puzzle.width):
            _draw_cell(pixels, skin, sheet, Square(row, col), cells.get(Square(row, col)), inverted)
    if not skin.gap:
        _draw_grid(pixels, skin, sheet, puzzle)
    _draw_clues(pixels, skin, sheet, puzzle, cells)
    return pixels


@lru_cache(maxsize=4)
def _background(skin: Skin, sheet: Sheet) -> Pixels:
    pixels: Pixels = np.full((sheet.height, sheet.width, 3), skin.background, np.uint8)
    if skin.fade is not None:
        down = np.linspace(0, 1, sheet.height)[:, None, None]
        both = np.array(skin.background) * (1 - down) + np.array(skin.fade) * down
        pixels[:] = np.rint(np.broadcast_to(both, pixels.shape))
    if skin.texture:
        grain = np.random.default_rng(7).normal(0, 5, (sheet.height, max(sheet.width // 16, 1)))
        wide = cv2.resize(grain.astype(np.float32), (sheet.width, sheet.height))
        planks = 6 * ((np.arange(sheet.height) // 60) % 2)[:, None]
        pixels[:] = np.clip(pixels + wide[:, :, None] + planks[:, :, None], 0, 255)
    return pixels


def _draw_cell(
    pixels: Pixels, skin: Skin, sheet: Sheet, at: Square, filled: bool | None, inverted: bool
) -> None:
    tile = sheet.tile
    left, top = sheet.left + tile * at.col, sheet.top + tile * at.row
    colour = skin.unknown
    if filled is not None:
        colour = skin.filled if filled != inverted else skin.blank
    here = slice(top, top + tile), slice(left, left + tile)
    pixels[here] = _cells_of(skin, sheet, colour)[here]
    if filled is False and skin.mark != "colour":
        _draw_mark(pixels, skin, tile, left, top)


@lru_cache(maxsize=8)
def _cells_of(skin: Skin, sheet: Sheet, colour: Bgr) -> Pixels:
    """The background with cells of one colour wherever there is room for them."""
    pixels = _background(skin, sheet).copy()
    tile = sheet.tile
    shape = _rounded(tile, round(tile * skin.gap / 2), round(tile * skin.radius))
    ink = np.array(colour, np.float64)
    for top in range(sheet.top, sheet.height - tile + 1, tile):
        for left in range(sheet.left, sheet.width - tile + 1, tile):
            ground = pixels[top : top + tile, left : left + tile]
            if skin.texture or skin.fade is not None:
                below = ground.astype(np.float64) - (np.array(skin.background) if skin.texture else 0.0)
                painted = ink + below if skin.texture else ink * (1 - THROUGH) + below * THROUGH
                ground[shape] = np.clip(painted, 0, 255).astype(np.uint8)[shape]
            else:
                ground[shape] = colour
    return pixels


def _rounded(tile: int, inset: int, radius: int) -> npt.NDArray[np.bool_]:
    """Which px of a cell, (tile, tile), belong to its square with round corners."""
    shape = np.zeros((tile, tile), np.uint8)
    low, high = inset, tile - inset - 1
    cv2.rectangle(shape, (low + radius, low), (high - radius, high), 255, -1)
    cv2.rectangle(shape, (low, low + radius), (high, high - radius), 255, -1)
    for x in (low + radius, high - radius):
        for y in (low + radius, high - radius):
            cv2.circle(shape, (x, y), radius, 255, -1)
    return shape > 0


def _draw_mark(pixels: Pixels, skin: Skin, tile: int, left: int, top: int) -> None:
    if skin.mark == "dot":
        middle = (left + tile // 2, top + tile // 2)
        cv2.circle(pixels, middle, max(2, tile // 7), skin.grid, -1, cv2.LINE_AA)
        return
    inset, thick = max(3, tile // 4), max(1, tile // 14)
    low, high = inset, tile - inset
    for start, end in (((low, low), (high, high)), ((low, high), (high, low))):
        near, far = (left + start[0], top + start[1]), (left + end[0], top + end[1])
        cv2.line(pixels, near, far, skin.grid, thick, cv2.LINE_AA)


def _draw_grid(pixels: Pixels, skin: Skin, sheet: Sheet, puzzle: Nonogram) -> None:
    tile = sheet.tile
    right, bottom = sheet.left + tile * puzzle.width, sheet.top + tile * puzzle.height

    def band(number: int, count: int, origin: int) -> slice:
        bold = number % BOLD_EVERY == 0 or number == count
        thick = skin.bold_px if bold else skin.line_px
        start = origin + tile * number - (thick - 1) // 2
        return slice(start, start + thick)

    reach = skin.bold_px // 2
    for col in range(puzzle.width + 1):
        pixels[sheet.top - reach : bottom + reach + 1, band(col, puzzle.width, sheet.left)] = skin.grid
    for row in range(puzzle.height + 1):
        pixels[band(row, puzzle.height, sheet.top), sheet.left - reach : right + reach + 1] = skin.grid


def _draw_clues(
    pixels: Pixels, skin: Skin, sheet: Sheet, puzzle: Nonogram, cells: Mapping[Square, bool]
) -> None:
    tile, digit = sheet.tile, sheet.digit_px
    for col, clue in enumerate(puzzle.cols):
        colour = _colour(skin, clue, [cells.get(Square(row, col)) for row in range(puzzle.height)])
        x = sheet.left + tile * col + tile / 2
        for place, run in enumerate(reversed(clue or (0,))):
            y = sheet.top - tile // 2 - tile * place - tile / 2
            _draw_number(pixels, skin, sheet, run, Point(x, y), colour)
    for row, clue in enumerate(puzzle.rows):
        colour = _colour(skin, clue, [cells.get(Square(row, col)) for col in range(puzzle.width)])
        y = sheet.top + tile * row + tile / 2
        if skin.boxes is not None:
            for place, run in enumerate(reversed(clue or (0,))):
                x = sheet.left - tile // 2 - tile * place - tile / 2
                _draw_number(pixels, skin, sheet, run, Point(x, y), colour)
            continue
        right = sheet.left - tile * 0.9
        for run in reversed(clue or (0,)):
            width = width_of(str(run), digit)
            write(pixels, str(run), Point(right - width / 2, y), digit, colour)
            right -= width + sheet.space_px


def _draw_number(pixels: Pixels, skin: Skin, sheet: Sheet, number: int, at: Point, colour: Bgr) -> None:
    if skin.boxes is not None:
        half = 0.44 * sheet.tile
        corner, other = (round(at.x - half), round(at.y - half)), (round(at.x + half), round(at.y + half))
        cv2.rectangle(pixels, corner, other, skin.boxes, -1)
    write(pixels, str(number), at, sheet.digit_px, colour)


def _colour(skin: Skin, clue: Clue, line: list[bool | None]) -> Bgr:
    runs = "".join("#" if cell else " " for cell in line).split()
    done = tuple(len(run) for run in runs) == tuple(run for run in clue if run)
    return skin.done if skin.done is not None and done else skin.clue


def _draw_around(
    pixels: Pixels, skin: Skin, sheet: Sheet, puzzle: Nonogram, cells: Mapping[Square, bool]
) -> None:
    """A small picture of the board in the corner, and buttons with numbers below it."""
    dot = max(1, sheet.tile // 8)
    corner = max(sheet.left - sheet.tile - dot * puzzle.width - 6, 2)
    top = max(sheet.top - sheet.tile - dot * puzzle.height - 6, 2)
    end = (corner + dot * puzzle.width + 3, top + dot * puzzle.height + 3)
    cv2.rectangle(pixels, (corner, top), end, skin.grid, 1)
    for at, filled in cells.items():
        if filled:
            y, x = top + 2 + dot * at.row, corner + 2 + dot * at.col
            pixels[y : y + dot, x : x + dot] = skin.filled
    for number, text in enumerate(("3", "11", "250")):
        middle = (sheet.left + round((2 * number + 1.0) * sheet.tile), sheet.height - sheet.tile)
        cv2.circle(pixels, middle, round(0.7 * sheet.tile), skin.grid, -1, cv2.LINE_AA)
        write(pixels, text, Point(*middle), 0.4 * sheet.tile, skin.background)
