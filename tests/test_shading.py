"""Cells through which a photograph, a texture or a gradient is seen are of one look; what a program painted is not."""

from __future__ import annotations

import random
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from bot.practice.nonogram import NonogramBoard, practice
from solver import nonogram
from solver.lattice import Square
from vision.frame import Frame, Pixels
from vision.measures.borders import Borders
from vision.measures.looks import grouped, measured
from vision.measures.shading import joined
from vision.profile import Profile
from vision.readers.nonogram.board import read

Shade = npt.NDArray[np.float64]
TILE, CELLS = 36, 6


def gradient(size: int) -> Shade:
    """Dark at the top, as light as it gets from the middle on."""
    down = np.maximum(110 * (1 - np.arange(size) / (size / 2)), 0)
    return np.repeat(down[:, None], size, axis=1)


def horizon(size: int) -> Shade:
    """A dark sky that ends within the third row."""
    return np.where(np.arange(size) < 0.45 * size, 45.0, 0.0)[:, None] * np.ones(size)


def bands(size: int) -> Shade:
    """Soft broad bands across the board."""
    y, x = np.mgrid[:size, :size]
    return np.asarray(35 + 35 * np.sin((x + 2 * y) / (1.6 * TILE)))


def seen_through(board: NonogramBoard, behind: Callable[[int], Shade]) -> Pixels:
    """The board, with what is behind it darkening its white cells."""
    pixels = board.render(0.0).astype(float)
    corner = board.centre(Square(0, 0))
    left, top = (round(value - TILE / 2) for value in corner)
    part = pixels[top : top + CELLS * TILE, left : left + CELLS * TILE]
    white = (part == 255).all(axis=2)
    part[white] -= behind(CELLS * TILE)[white][:, None]
    return np.asarray(pixels.round(), np.uint8)


@pytest.mark.parametrize("entered", [0, 1, 2, 3])
@pytest.mark.parametrize("behind", [gradient, horizon, bands])
def test_what_is_seen_through_free_cells_fills_none(behind: Callable[[int], Shade], entered: int) -> None:
    board = practice(random.Random(2), skin="web", size=(CELLS, CELLS), tile_px=TILE)
    solution = nonogram.solve(board.puzzle).solution
    right = sorted(solution.filled)[:: 4 - entered] if entered else []
    board._cells.update(dict.fromkeys(right, True))

    reading = read(Frame(seen_through(board, behind)), Profile("nonogram", "measured"))

    assert reading.puzzle == board.puzzle
    assert not reading.unknown
    assert reading.placed.filled == set(right)


def inset(cell: Pixels) -> None:
    cell[8:-8, 8:-8] -= 40


def pale(cell: Pixels) -> None:
    cell[1:, 1:] -= 40


def fading(cell: Pixels) -> None:
    """From the ground of the page at its left to another colour at its right."""
    cell[1:, 1:] -= np.linspace(0, 80, TILE - 1)[None, :, None]


def disc(cell: Pixels) -> None:
    shape = np.zeros(cell.shape[:2], np.uint8)
    cv2.circle(shape, (TILE // 2, TILE // 2), TILE // 2 - 6, 1, -1)
    cell[shape > 0] -= 40


@pytest.mark.parametrize("blurred", [False, True])
@pytest.mark.parametrize("line", [120, 230, 250])
@pytest.mark.parametrize("paint", [inset, pale, fading, disc])
def test_cells_that_a_program_paints_are_no_shades(
    paint: Callable[[Pixels], None], line: int, blurred: bool
) -> None:
    """However pale they are, and where they touch each other."""
    painted = {
        Square(1, 1),
        Square(1, 2),
        Square(2, 4),
        Square(3, 0),
        Square(4, 4),
        Square(4, 3),
        Square(5, 5),
    }
    picture = np.full((CELLS * TILE + 1, CELLS * TILE + 1, 3), 250.0)
    picture[::TILE] = picture[:, ::TILE] = line
    for row, col in painted:
        paint(picture[row * TILE : (row + 1) * TILE, col * TILE : (col + 1) * TILE])
    pixels = np.asarray(picture.round(), np.uint8)
    if blurred:
        pixels = cv2.GaussianBlur(pixels, (5, 5), 1.2)
    places = [float(TILE * i) for i in range(CELLS + 1)]
    borders = Borders(places, places)
    cells = measured(pixels, borders)
    looks = grouped(cells, CELLS)

    again = joined(pixels, borders, cells.colours, looks)

    assert again == looks
