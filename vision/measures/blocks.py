"""Digits that stand on blocks: shifted off the middle of their cells, and lines of the blocks between them.

Blocks lean to the right and up over the lines of their lattice; only the line to its left and the one below it show whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import usual_colour
from vision.components import components
from vision.digits import NOTHING, Ink, Number, ink_of, read_numbers
from vision.frame import Box, Point
from vision.grids import Comb, Grid
from vision.measures.likeness import bgr, colours_away
from vision.reading import State
from vision.scene import Scene

# Colours of entered digits differ by so many levels between channels; black is darker than so many.
COLOURED, BLACK = 60, 100
# A digit is so high, in cells; lines are higher, notes and corners lower. It is so wide at most.
HIGH, WIDE = (0.27, 0.62), 0.5
# What is lower than a digit, of a digit's colour and so high (cells) is a piece of one that fell apart.
PIECE = 0.12
# The two whole lines of a lattice are straight for so many px at least, and their ends meet within so many px.
LINE_PX, MEET_PX = 60, 3
# So many cells a side are tried. A number beside the board is not larger than so much of a cell, and stands in the middle
# of its place within so much.
SIDES, NUMBER, MIDDLE, OFF = range(3, 10), 0.7, 0.5, 0.17
# What differs from the ground by more levels is drawn.
DRAWN = 50
# Of a digit the px that differ by less than the most that any does, and by more than this share of it, are its soft edge; the
# others are so near to a colour that digits have, in shares of what is the same colour: pictures that are lighter or darker
# go that far from it.
SOFT, SAME = 0.15, 2.2
# What differs from all grounds by more levels, is thicker than lines (in cells, and px) and wider or higher than a digit
# lies over the board. A digit reaches so far from its middle, with what its block's height moves it (cells).
COVER_LEVELS, THICK, LEAST_THICK_PX, PLACE = 16, 0.1, 3, 0.3


def block_grids(scene: Scene) -> list[Grid]:
    """The square lattices on whose left and lower line blocks may stand, with numbers beside them."""
    black = (scene.light < BLACK).astype(np.uint8)
    upright, level = (
        _boxes(np.asarray(cv2.morphologyEx(black, cv2.MORPH_OPEN, np.ones(size, np.uint8)), np.uint8))
        for size in ((LINE_PX, 1), (1, LINE_PX))
    )
    found = []
    for left, below in product(upright, level):
        away = left.left - below.left, left.bottom - below.bottom, left.height - below.width
        if max(map(abs, away)) <= MEET_PX:
            side, corner = below.width - 1, Point(below.left + 0.5, below.bottom - 0.5)
            found += _numbered(scene, corner, side)
    return found


def _numbered(scene: Scene, corner: Point, side_px: int) -> list[Grid]:
    """The lattice on a square, from its lower left corner, in which all that stands beside it is in the middle of a place."""
    square = Box(int(corner.x), int(corner.y) - side_px, side_px, side_px)
    boxes = np.array(_drawn_around(scene, square, side_px // SIDES[0]), np.float64).reshape(-1, 4)
    middles, sizes = boxes[:, :2] + boxes[:, 2:] / 2, boxes[:, 2:].max(axis=1)
    found = []
    for count in SIDES:
        pitch = side_px / count
        places = (middles - (corner.x, corner.y - side_px)) / pitch
        beside = ((places >= -1) & (places <= count + 1)).all(axis=1) & (sizes <= NUMBER * pitch)
        beside &= ((places < 0) | (places > count)).any(axis=1)
        if beside.any() and (np.abs(places[beside] % 1 - MIDDLE) <= OFF).all():
            found.append(Grid(*(Comb(first, pitch, count + 1) for first in (corner.x, corner.y - side_px))))
    return found


def _drawn_around(scene: Scene, square: Box, reach: int) -> list[Box]:
    """The boxes of what is drawn on and around a square."""
    left, top = max(0, square.left - reach), max(0, square.top - reach)
    window = scene.shades[top : square.bottom + reach, left : square.right + reach]
    drawn = np.abs(window.astype(np.int16) - int(np.median(window))) > DRAWN
    return [one._replace(left=left + one.left, top=top + one.top) for one in _boxes(drawn.astype(np.uint8))]


def _boxes(mask: npt.NDArray[np.uint8]) -> list[Box]:
    """The boxes of the pieces of a mask."""
    return [Box(*row[:4]) for row in components(mask).stats[1:].tolist()]


def digits_on_blocks(
    scene: Scene, grid: Grid, shift: tuple[float, float], inks: tuple[str, ...]
) -> dict[tuple[int, int], tuple[Number, State]]:
    """The digits on a grid by row and column: black ones are given, coloured ones entered, and red ones either.

    shift: how far to the right and down the middle of all of them stands from the middles of their cells, in cells.
    inks: hexadecimal RGB of digits; what has another colour is no digit for sure.
    Use as `scene.once(digits_on_blocks, grid, shift, inks)`.
    """
    found = list(_drawn(scene, grid, shift, HIGH))
    numbers = read_numbers([ink for _, _, ink, _ in found])
    away = colours_away(np.array([colour for *_, colour in found]).reshape(-1, 3), inks).tolist()
    told = {
        at: (number if far <= SAME else replace(number, confidence=0.0), state)
        for (at, state, *_), number, far in zip(found, numbers, away, strict=True)
    }
    for at, state, _, colour in _drawn(scene, grid, shift, (PIECE, HIGH[0])):
        # Lines and corners of blocks are black, and low as well.
        if state != "given" and colours_away(colour[None], inks)[0] <= SAME:
            told.setdefault(at, (NOTHING, state))
    return told


def covered_blocks(
    scene: Scene, grid: Grid, shift: tuple[float, float], grounds: tuple[str, ...]
) -> set[tuple[int, int]]:
    """The cells, by row and column, over whose digits something lies that is larger than a digit and no line.

    shift: as in `digits_on_blocks`. grounds: hexadecimal RGB of the cells. Use as `scene.once(covered_blocks, ...)`.
    """
    box, pitch = grid.box, grid.ys.pitch
    left, top = max(0, box.left), max(0, box.top - round(pitch))
    window = scene.pixels[top : box.bottom, left : box.right + round(pitch)]
    if not window.size:
        return set()
    strange = np.full(window.shape[:2], 255, np.uint8)
    for rgb in grounds:
        strange[cv2.inRange(window, bgr(rgb) - COVER_LEVELS, bgr(rgb) + COVER_LEVELS) > 0] = 0
    thick = np.ones((max(LEAST_THICK_PX, round(THICK * pitch)),) * 2, np.uint8)
    found: set[tuple[int, int]] = set()
    for piece in _boxes(np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, thick), np.uint8)):
        if piece.width <= WIDE * pitch and piece.height <= HIGH[1] * pitch:
            continue
        cols = (np.array([piece.left, piece.right]) + left - grid.xs.first) / pitch - 0.5 - shift[0]
        rows = (np.array([piece.top, piece.bottom]) + top - grid.ys.first) / pitch - 0.5 - shift[1]
        found |= {
            (row, col)
            for row in range(grid.rows)
            for col in range(grid.cols)
            if cols[0] - PLACE <= col <= cols[1] + PLACE and rows[0] - PLACE <= row <= rows[1] + PLACE
        }
    return found


def _drawn(
    scene: Scene, grid: Grid, shift: tuple[float, float], highs: tuple[float, float]
) -> Iterator[tuple[tuple[int, int], State, Ink, npt.NDArray[np.float64]]]:
    """The cell, whether its colour tells who wrote it, the ink and its BGR, of everything that is no wider than a digit and
    so high, least and most, in cells."""
    box, pitch = grid.box, grid.ys.pitch
    top, first = max(0, box.top - round(pitch)), max(0, box.left)
    window = np.s_[top : box.bottom, first : box.right + round(0.4 * grid.xs.pitch)]
    coloured = scene.light[window].astype(np.int16) - scene.dark[window] > COLOURED
    for mask, has_colour in ((coloured, True), (~coloured & (scene.light[window] < BLACK), False)):
        if not mask.size:
            return
        for left, up, wide, high, _ in components(mask.astype(np.uint8)).stats[1:].tolist():
            if not highs[0] * pitch <= high <= highs[1] * pitch or wide > WIDE * grid.xs.pitch:
                continue
            x, y = first + left + wide / 2, top + up + high / 2
            col = round((x - grid.xs.first) / grid.xs.pitch - 0.5 - shift[0])
            row = round((y - grid.ys.first) / pitch - 0.5 - shift[1])
            if 0 <= row < grid.rows and 0 <= col < grid.cols:
                y0, x0 = max(0, top + up - 1), max(0, first + left - 1)
                cut = scene.pixels[y0 : top + up + high + 1, x0 : first + left + wide + 1]
                # Its ground is grey.
                _, green, red = cut.mean(axis=(0, 1)).tolist()
                state: State = "given" if not has_colour else "either" if red > green else "placed"
                ink = ink_of(cut, cut[0, 0].tolist())
                yield (row, col), state, ink, usual_colour(cut[ink >= (1 - SOFT) * ink.max()])
