"""Nonograms in print, photographed: clues in boxes, thick lines that are slanted and touch the numbers."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import pytest

from solver.nonogram import Nonogram
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.nonogram.board import read
from vision.readers.nonogram.clues import without_boxes
from vision.scene import Scene

PROFILE = Profile("nonogram", "default")
CELL, MARGIN, INK, PAPER = 72, 60, 50, 150
ROWS = (
    "##.######### ############ .##.######## .#######.... ##########.. "
    "####...##### #.###.##.### ########.### ###.....#### ..####..####"
)


def puzzle_of(picture: str) -> Nonogram:
    rows = picture.split()
    sides = (rows, ["".join(line) for line in zip(*rows, strict=True)])
    clues = [tuple(tuple(len(run) for run in line.split(".") if run) for line in side) for side in sides]
    return Nonogram(clues[0], clues[1])


PUZZLE = puzzle_of(ROWS)
DEEP, WIDE = (max(map(len, side)) for side in (PUZZLE.cols, PUZZLE.rows))


def printed(near_px: int) -> Pixels:
    """The page; every number stands so many px above the lower line of its box."""
    rows, cols = DEEP + PUZZLE.height, WIDE + PUZZLE.width
    page = np.full((2 * MARGIN + rows * CELL, 2 * MARGIN + cols * CELL, 3), PAPER, np.uint8)
    for count, other, upright in ((cols, rows, True), (rows, cols, False)):
        for at in range(count + 1):
            inner = at - (WIDE if upright else DEEP)
            thick = 14 if at == 0 or inner in (0, 5, 10) or at == count else 6
            ends = (MARGIN + at * CELL, MARGIN), (MARGIN + at * CELL, MARGIN + other * CELL)
            a, b = ends if upright else (end[::-1] for end in ends)
            cv2.line(page, a, b, (INK, INK, INK), thick)
    for row, clue in enumerate(PUZZLE.rows):
        for nth, run in enumerate(reversed(clue)):
            _write(page, run, WIDE - 1 - nth, DEEP + row, near_px)
    for col, clue in enumerate(PUZZLE.cols):
        for nth, run in enumerate(reversed(clue)):
            _write(page, run, WIDE + col, DEEP - 1 - nth, near_px)
    return page


def _write(page: Pixels, run: int, col: int, row: int, near_px: int) -> None:
    text, font = str(run), cv2.FONT_HERSHEY_DUPLEX
    (width, _), _ = cv2.getTextSize(text, font, 1.2, 2)
    at = MARGIN + col * CELL + (CELL - width) // 2, MARGIN + (row + 1) * CELL - 9 - near_px
    cv2.putText(page, text, at, font, 1.2, (INK, INK, INK), 2, cv2.LINE_AA)


def photographed(page: Pixels, turn_deg: float, bent_px: float) -> Pixels:
    """The page turned a little and bent, in soft light and with a camera's grain."""
    height, width = page.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    slope = float(np.tan(np.radians(turn_deg)))
    bent = bent_px * np.sin(np.pi * x / width)
    seen = cv2.remap(
        page,
        (x + slope * (y - height / 2)).astype(np.float32),
        (y - slope * (x - width / 2) + bent).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    light = 1.05 - 0.2 * (x + y) / (width + height)
    grain = np.random.default_rng(3).normal(0, 2.0, (height // 2, width // 2)).astype(np.float32)
    soft = cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
    shades = cv2.GaussianBlur(seen, (3, 3), 0.8) * light[..., None] + soft[..., None]
    return np.asarray(np.clip(shades, 0, 255), np.uint8)


@pytest.mark.parametrize(("near_px", "turn_deg", "bent_px"), [(1, 1.2, 0.0), (3, 1.2, 4.0), (6, 1.2, 4.0)])
def test_numbers_that_touch_the_slanted_lines_of_their_boxes_are_read(
    near_px: int, turn_deg: float, bent_px: float
) -> None:
    reading = read(Frame(photographed(printed(near_px), turn_deg, bent_px)), PROFILE)

    assert reading.puzzle == PUZZLE
    assert not any(mark.symbol for mark in reading.marks.values())


def test_light_lines_are_painted_over_as_dark_ones_are() -> None:
    reading = read(Frame(255 - photographed(printed(1), 1.2, 0.0)), PROFILE)

    assert reading.puzzle == PUZZLE


@pytest.mark.parametrize("cell", [24, 63, 120])
def test_ones_that_are_plain_bars_are_read_in_every_size(cell: int) -> None:
    rows, cols = DEEP + PUZZLE.height, WIDE + PUZZLE.width
    page = np.full(((rows + 1) * cell, (cols + 1) * cell, 3), 190, np.uint8)
    for at in range(max(rows, cols) + 1):
        page[DEEP * cell : rows * cell + 1, min(WIDE + at, cols) * cell] = INK
        page[min(DEEP + at, rows) * cell, WIDE * cell : cols * cell + 1] = INK
    high, bar, strong = cell * 0.55, max(round(0.1 * cell), 2), max(cell // 20, 1)

    def write(run: int, col: int, row: int) -> None:
        x = col * cell + cell // 2 - (len(str(run)) - 1) * cell // 5
        for digit in str(run):
            top, font = round((row + 0.5) * cell - high / 2), cv2.FONT_HERSHEY_DUPLEX
            if digit == "1":
                page[top : top + round(high), x - bar // 2 : x - bar // 2 + bar] = 0
            else:
                scale = high / 22
                (wide, _), _ = cv2.getTextSize(digit, font, scale, strong)
                at = x - wide // 2, top + round(high)
                cv2.putText(page, digit, at, font, scale, (0, 0, 0), strong, cv2.LINE_AA)
            x += 2 * cell // 5

    for row, clue in enumerate(PUZZLE.rows):
        for nth, run in enumerate(reversed(clue)):
            write(run, WIDE - 1 - nth, DEEP + row)
    for col, clue in enumerate(PUZZLE.cols):
        for nth, run in enumerate(reversed(clue)):
            write(run, WIDE + col, DEEP - 1 - nth)

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


@pytest.mark.parametrize(("bent_px", "every_px"), [(1.5, 300.0), (3.0, 110.0)])
def test_pieces_of_bent_lines_are_no_digits_in_boxes(bent_px: float, every_px: float) -> None:
    """The boxes above the columns have no lines in common with the cells; those left of the rows do."""
    pitch, rows, cols, boxes = 43, 20, 12, 3
    page = np.full((100 + rows * pitch + MARGIN, 2 * MARGIN + (boxes + cols) * pitch, 3), 205, np.uint8)
    right, bottom = MARGIN + (boxes + cols) * pitch, 100 + rows * pitch
    for x in range(MARGIN, right + 1, pitch):
        cv2.line(page, (x, 100), (x, bottom), (60, 60, 60), 2)
    for y in range(100, bottom + 1, pitch):
        cv2.line(page, (MARGIN, y), (right, y), (60, 60, 60), 2)
    digits = np.random.default_rng(2).integers(2, 9, (rows, boxes))
    digits[::2, :-1] = digits[1::3, :-1] = 0
    for (row, box), digit in np.ndenumerate(digits):
        if digit:
            at = MARGIN + box * pitch + 14, 100 + row * pitch + 30
            cv2.putText(page, str(digit), at, cv2.FONT_HERSHEY_SIMPLEX, 0.75, (40, 40, 40), 2, cv2.LINE_AA)
    height, width = page.shape[:2]
    x_px, y_px = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    seen = cv2.remap(
        page,
        (x_px + bent_px * np.sin(2 * np.pi * y_px / every_px)).astype(np.float32),
        (y_px + bent_px * np.sin(2 * np.pi * x_px / every_px)).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    grain = np.random.default_rng(3).normal(0, 2, seen.shape)
    scene = Scene(np.clip(cv2.GaussianBlur(seen, (3, 3), 0.8) + grain, 0, 255).astype(np.uint8))
    grid = scene.grids()[0]
    assert (grid.rows, grid.cols) == (rows, boxes + cols)

    cells = without_boxes(scene, grid)

    assert (cells.rows, cells.cols) == (rows, cols)


def test_faint_pieces_of_lines_between_boxes_are_no_ones() -> None:
    cell, deep, wide = 32, DEEP * 32 + 20, WIDE * 32 + 20
    page = np.full((deep + PUZZLE.height * cell + 20, wide + PUZZLE.width * cell + 20, 3), 200, np.uint8)
    for at in range(PUZZLE.width + 1):
        page[deep:-20, wide + at * cell] = 60
    for at in range(PUZZLE.height + 1):
        page[deep + at * cell, wide:-20] = 60

    def write(run: int, box: int, line: int) -> None:
        (width, high), _ = cv2.getTextSize(str(run), cv2.FONT_HERSHEY_SIMPLEX, 0.55, 1)
        at = wide + box * cell + (cell - width) // 2, deep + line * cell + (cell + high) // 2
        cv2.putText(page, str(run), at, cv2.FONT_HERSHEY_SIMPLEX, 0.55, (60, 60, 60), 1, cv2.LINE_AA)

    for row, clue in enumerate(PUZZLE.rows):
        for nth, run in enumerate(reversed(clue)):
            write(run, -1 - nth, row)
        # The outer line of the next box, nearly straightened away.
        x, y = wide - (len(clue) + 1) * cell, deep + row * cell + cell // 2
        page[y - 6 : y + 6, x - 1 : x + 2] = 165
    for col, clue in enumerate(PUZZLE.cols):
        for nth, run in enumerate(reversed(clue)):
            write(run, col, -1 - nth)

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


@pytest.mark.parametrize("seed", [2, 3])
def test_a_card_on_a_photograph_of_blossoms_is_read(seed: int) -> None:
    """What passed for writing all over it used up the looks before one was taken at the boxes of the board alone."""
    chance, side, left, top = np.random.default_rng(seed), 64, 358, 286
    page = np.full((900, 1100, 3), (200, 170, 90), np.uint8)
    for _ in range(8000):
        x, y = int(chance.integers(0, 1100)), int(chance.integers(300, 900))
        pink = chance.random() < 0.6
        low, high = ((150, 120, 200), (256, 200, 256)) if pink else ((20, 20, 20), (110, 110, 110))
        colour = chance.integers(low, high).tolist()
        cv2.circle(page, (x, y), int(chance.integers(1, 5)), colour, -1, cv2.LINE_AA)
    page[200:701, 330:771] = 255
    rows, cols = ((3,), (5,), (3,), (1,), (1,)), ((1,), (3,), (5,), (3,), (1,))
    written = {(0, at + 1): clue for at, clue in enumerate(cols)} | {
        (at + 1, 0): clue for at, clue in enumerate(rows)
    }
    for row, col in product(range(6), repeat=2):
        x, y = left + col * side, top + row * side
        if row or col:
            cv2.rectangle(page, (x, y), (x + side, y + side), (180, 170, 170), 1)
        if clue := written.get((row, col)):
            page[y + 1 : y + side, x + 1 : x + side] = (232, 228, 226)
            at = x + 27, y + 38
            cv2.putText(page, str(*clue), at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)

    assert read(Frame(page), PROFILE).puzzle == Nonogram(rows, cols)


@pytest.mark.parametrize("at_edge", ["specks", "grain", "squares"])
def test_numbers_that_end_steps_before_the_edge_of_a_window_are_not_cut(at_edge: str) -> None:
    """Its border lets something through of the window behind it, a film has grain there, or a pattern goes around the board:
    the cells are far wider than the numbers' steps, and one more of these was thought to be there."""
    # With "squares" no row tells how far its numbers are from each other.
    wide, high, left, top = 150, 80, 200 if at_edge == "squares" else 50, 110
    page = np.full((top + 5 * high + 20, left + 5 * wide + 20, 3), 40, np.uint8)
    rows, cols = ((1,), (3,), (1, 1), (3,), (3,)), ((), (4,), (1, 2), (5,), ())
    if at_edge == "squares":
        rows, cols = ((1,), (3,), (1,), (3,), (3,)), ((), (2,), (5,), (1, 2), (1,))
    for row, col in product(range(6), repeat=2):
        x, y = left + (col - 1) * wide if col else 5, top + (row - 1) * high if row else 30
        right, bottom = left + col * wide - 3, top + row * high - 3
        page[y:bottom, x:right] = (194, 236, 248) if row or col else 0
    for row, clue in enumerate(rows):
        for nth, run in enumerate(reversed(clue)):
            at = left - 18 - 20 * nth, top + row * high + 48
            cv2.putText(page, str(run), at, cv2.FONT_HERSHEY_DUPLEX, 0.7, (0, 0, 0), 2, cv2.LINE_AA)
    for col, clue in enumerate(cols):
        for nth, run in enumerate(reversed(clue or (0,))):
            at = left + col * wide + 68, top - 12 - 32 * nth
            cv2.putText(page, str(run), at, cv2.FONT_HERSHEY_DUPLEX, 0.7, (0, 0, 0), 2, cv2.LINE_AA)
    if at_edge == "specks":
        page[0, left + wide + 40 : left + wide + 110 : 4] = 130
    elif at_edge == "squares":
        page[top + 20 : top + 45, :4] = page[top + 2 * high + 30 : top + 2 * high + 50, :4] = 160
    else:
        page[top + 10 : top + 60 : 5, 0] = 70

    assert read(Frame(page), PROFILE).puzzle == Nonogram(rows, cols)
