"""What stands in the cells of nonograms of other programs: marks off the middle, highlights, finished boards."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from solver import nonogram
from solver.lattice import Square
from solver.nonogram import Nonogram
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.nonogram import read

PUZZLE = nonogram.parse("10x10:3.4/1.3/2/1.3/4.2/3.2/2/4/5.3/4.4/2.6/1.6/1.2.3/2.3/1/1/1.2/2.3.2/6.2/4")
SOLUTION = nonogram.solve(PUZZLE).solution
LEFT, TOP, CELL = 150, 150, 28
PAPER, INK, LINE = (255, 255, 255), (40, 40, 48), (170, 170, 170)


def corner(row: int, col: int, wide: int) -> tuple[int, int]:
    """x and y of a cell; `wide` more px after every fifth row and column."""
    return LEFT + col * (CELL + 1) + col // 5 * wide, TOP + row * (CELL + 1) + row // 5 * wide


def drawn(
    puzzle: Nonogram,
    signs: Mapping[Square, str],
    *,
    wide: int = 0,
    rise: int = 0,
    highlit: Mapping[Square, tuple[int, int, int]] | None = None,
    struck: bool = False,
    near: int = 10,
) -> Pixels:
    """A board with `#` and `x` in some cells.

    rise: crosses stand so many px above the middle. struck: one line through all numbers of each row.
    near: px between the rows' last numbers and the grid.
    """
    right, bottom = corner(puzzle.height, puzzle.width, wide)
    page = np.full((bottom + 40, right + 40, 3), PAPER, np.uint8)
    page[TOP - 1 : bottom, LEFT - 1 : right] = LINE
    for row in range(puzzle.height):
        for col in range(puzzle.width):
            x, y = corner(row, col, wide)
            cell = Square(row, col)
            page[y : y + CELL, x : x + CELL] = (highlit or {}).get(cell, PAPER)
            if signs.get(cell) == "#":
                page[y : y + CELL, x : x + CELL] = INK
            elif signs.get(cell) == "x":
                a, b, mid = x + 9, x + CELL - 9, y + CELL // 2 - rise
                cv2.line(page, (a, mid - 5), (b, mid + 5), INK, 2, cv2.LINE_AA)
                cv2.line(page, (a, mid + 5), (b, mid - 5), INK, 2, cv2.LINE_AA)
    for row, clue in enumerate(puzzle.rows):
        right, y = LEFT - 1 - near, corner(row, 0, wide)[1] + CELL // 2
        end = right
        for run in reversed(clue):
            end = number(page, run, right, y) if right == end else number(page, run, end - 14, y)
        if struck and clue:
            cv2.line(page, (end - 2, y), (right + 1, y), INK, 1)
    for col, clue in enumerate(puzzle.cols):
        for place, run in enumerate(reversed(clue)):
            middle = corner(0, col, wide)[0] + CELL // 2
            number(page, run, middle + width_of(run) // 2, TOP - 18 - 24 * place)
    return page


def width_of(run: int) -> int:
    return int(cv2.getTextSize(str(run), cv2.FONT_HERSHEY_SIMPLEX, 0.55, 1)[0][0])


def number(page: Pixels, run: int, right: int, y: int) -> int:
    """Write a number that ends at `right`, and say where it begins."""
    left = right - width_of(run)
    cv2.putText(page, str(run), (left, y + 6), cv2.FONT_HERSHEY_SIMPLEX, 0.55, INK, 1, cv2.LINE_AA)
    return left


def played(*, crosses: bool, every: int = 1) -> dict[Square, str]:
    """Every n-th cell as the solution has it."""
    cells = sorted(SOLUTION.filled | SOLUTION.blank)[::every]
    return {
        cell: "#" if cell in SOLUTION.filled else "x" for cell in cells if crosses or cell in SOLUTION.filled
    }


def placed(signs: Mapping[Square, str], sign: str) -> frozenset[Square]:
    return frozenset(cell for cell, one in signs.items() if one == sign)


def test_crosses_off_the_middle_of_their_cells_are_crosses() -> None:
    signs = played(crosses=True, every=3)

    reading = read(Frame(drawn(PUZZLE, signs, wide=4, rise=4)), Profile("nonogram", "default"))

    assert reading.puzzle == PUZZLE
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


def test_a_highlight_on_a_finished_board_makes_no_cell_marked() -> None:
    signs, cell = played(crosses=False), min(SOLUTION.blank)

    reading = read(
        Frame(drawn(PUZZLE, signs, highlit={cell: (170, 225, 235)})), Profile("nonogram", "default")
    )

    assert (reading.placed.filled, reading.placed.blank) == (SOLUTION.filled, frozenset())


def test_one_cell_of_a_strong_colour_on_an_empty_board_is_in_doubt() -> None:
    cell = min(SOLUTION.blank)

    reading = read(Frame(drawn(PUZZLE, {}, highlit={cell: (150, 230, 250)})), Profile("nonogram", "default"))

    assert reading.doubtful == (cell,)
    assert not reading.placed.filled


def test_one_line_through_all_numbers_of_a_row_parts_into_struck_digits() -> None:
    reading = read(Frame(drawn(PUZZLE, {}, struck=True)), Profile("nonogram", "default"))

    assert reading.puzzle == PUZZLE


def test_numbers_right_beside_the_grid_are_read() -> None:
    reading = read(Frame(drawn(PUZZLE, {}, near=0)), Profile("nonogram", "default"))

    assert reading.puzzle == PUZZLE
