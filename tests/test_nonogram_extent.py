"""How far a nonogram's grid goes: borders that filled cells hide, boxes of clues, numbers side by side above a column."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from bot.practice.lettering import write
from bot.practice.nonogram import unique
from solver import nonogram
from solver.answer import Limits
from solver.lattice import Square
from solver.nonogram import Nonogram
from tests import test_nonogram_looks as looks
from tests.laboratory import chance
from tests.test_nonogram_looks import (
    CELL,
    INK,
    LEFT,
    LINE,
    PAPER,
    PUZZLE,
    SOLUTION,
    TOP,
    corner,
    drawn,
    number,
    placed,
    played,
    width_of,
)
from vision.digits import Glyph, Number
from vision.errors import BoardNotFound, PartlyOff, UncertainReading
from vision.frame import Box, Frame, Pixels, Point
from vision.grids import Comb, Grid
from vision.profile import Profile
from vision.readers.nonogram import board, clues
from vision.readers.nonogram import claim as claiming
from vision.readers.nonogram.bands import Band, Ways
from vision.readers.nonogram.board import _boxed, read
from vision.readers.nonogram.claim import _unlike, claim, glance
from vision.readers.nonogram.clues import columns_beside, rows_beside
from vision.readers.nonogram.extent import grown
from vision.scene import Scene, scene_of
from vision.writing import Letter, apart

PROFILE = Profile("nonogram", "default")
CELLS = [Square(row, col) for row in range(10) for col in range(10)]


def puzzle_of(picture: str) -> Nonogram:
    """The puzzle that a picture of `#` and `.` gives, rows parted by spaces."""
    rows = picture.split()
    lines = (rows, ["".join(row[col] for row in rows) for col in range(len(rows[0]))])
    found = [tuple(tuple(len(run) for run in line.split(".") if run) for line in side) for side in lines]
    return Nonogram(found[0], found[1])


SOLID = puzzle_of(
    "############ ############ ##.#.##.#### #.##..#.#.## ###.##.##### ##.###.#..## ####.#.##.## #.##.####### "
    "##.###.##.## ######.##### ##.#.##.####"
)

# The line in the middle shows at two of ten rows.
DIVIDED = puzzle_of(
    "#.#.##.#.# .#.#####.. ##.##.#.## ...###.### #.#.##.... ##..##..## #..####.#. .#.##.##.# ###.##.#.. #.####..##"
)


def in_one_piece(puzzle: Nonogram) -> Pixels:
    """The solved board; filled cells hide the lines between them."""
    solution = nonogram.solve(puzzle).solution
    page = drawn(puzzle, dict.fromkeys(solution.filled, "#"))
    for cell in solution.filled:
        x, y = corner(cell.row, cell.col, 0)
        for dx, dy in ((1, 0), (0, 1)):
            if (cell.row + dy, cell.col + dx) in solution.filled:
                cv2.rectangle(
                    page, (x, y), (x + (1 + dx) * CELL - 1 + dx, y + (1 + dy) * CELL - 1 + dy), INK, -1
                )
    return page


def test_outer_rows_and_columns_that_are_all_filled_belong_to_the_board() -> None:
    reading = read(Frame(in_one_piece(SOLID)), PROFILE)

    assert (reading.puzzle, reading.placed.filled) == (SOLID, nonogram.solve(SOLID).solution.filled)


def test_a_solved_board_with_several_solutions_proves_its_hidden_outer_lines() -> None:
    puzzle = puzzle_of(
        "####........ #...#.#..... #...#....... ####..#.##.. #.....#.#..# #.....#.#.## #...#.#....# #.##..#..##."
    )
    assert nonogram.solve(puzzle, Limits(unique=True)).unique is False
    solved = in_one_piece(puzzle)
    part = solved.copy()
    x, y = corner(5, 11, 0)
    part[y : y + CELL, x : x + CELL] = PAPER

    assert read(Frame(solved), PROFILE).puzzle == puzzle
    with pytest.raises((BoardNotFound, UncertainReading)):
        read(Frame(part), PROFILE)


def test_a_finished_board_whose_first_and_last_rows_run_together_is_told_from_its_numbers() -> None:
    rng = random.Random(3)
    middle = ["".join(".#"[rng.random() < 0.2] for _ in range(24)) for _ in range(19)]
    top = ["###########.############", *["##########...###########"] * 2]
    puzzle = puzzle_of(" ".join((*top, *middle, *["###########............."] * 2)))

    found = claim(scene_of(Frame(in_one_piece(puzzle))))

    assert found is not None
    assert "24 x 24" in found.evidence


@pytest.mark.parametrize(("wider", "higher"), [(1.45, 1.0), (1.0, 1.45), (1.75, 1.0)])
def test_cells_need_not_be_square(wider: float, higher: float) -> None:
    page = cv2.resize(drawn(PUZZLE, {}), None, fx=wider, fy=higher, interpolation=cv2.INTER_CUBIC)

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


def test_a_number_that_touches_a_board_whose_outer_lines_are_hidden_is_read() -> None:
    page = in_one_piece(SOLID)
    y, end = corner(5, 0, 0)[1] + CELL // 2, LEFT
    page[y - CELL // 2 : y + CELL // 2, : LEFT - 2] = PAPER
    for place, run in enumerate(reversed(SOLID.rows[5])):
        end = number(page, run, end - (14 if place else 0), y)

    assert read(Frame(page), PROFILE).puzzle == SOLID


def test_a_first_row_without_a_number_is_no_box_of_clues_where_it_holds_none() -> None:
    """The last row is highlit, and hardly seen: with it and without the first one there is a solution, too."""
    puzzle = Nonogram(((), (2, 2), (5,), (2,), (1, 1)), ((2,), (2,), (3,), (3,), (2, 1)))
    page = np.full((TOP + 200, LEFT + 200, 3), 232, np.uint8)
    for cell in (Square(row, col) for row in range(5) for col in range(5)):
        x, y = LEFT + 32 * cell.col, TOP + 32 * cell.row
        page[y : y + CELL, x : x + CELL] = 236 if cell.row == 4 or cell.col == 2 else 255
    for row, clue in enumerate(puzzle.rows):
        for place, run in enumerate(reversed(clue)):
            number(page, run, LEFT - 12 - 26 * place, TOP + 32 * row + CELL // 2)
    for col, clue in enumerate(puzzle.cols):
        for place, run in enumerate(reversed(clue)):
            number(page, run, LEFT + 32 * col + CELL // 2 + 5, TOP - 20 - 26 * place)

    try:
        reading = read(Frame(page), PROFILE)
    except (BoardNotFound, UncertainReading):
        return
    assert reading.puzzle == puzzle


def test_digits_beside_the_cells_are_no_further_line_of_them() -> None:
    scene = scene_of(Frame(drawn(DIVIDED, {}, near=26)))
    (grid,) = scene.grids()

    whole = grown(scene, grid.without(3, 4), framed=False)

    assert (whole.rows, whole.cols, whole.box) == (grid.rows, grid.cols, grid.box)


def test_buttons_on_the_lattice_below_a_board_are_no_further_lines_of_it() -> None:
    page = cv2.copyMakeBorder(drawn(PUZZLE, {}), 0, 4 * CELL, 0, 0, cv2.BORDER_REPLICATE)
    (grid,) = scene_of(Frame(page)).grids()
    pitch, left, end = grid.xs.pitch, round(grid.xs.at(0.4)), grid.ys.at(grid.rows)
    for nth in (1, 2):
        top, bottom = (round(end + pitch * one) for one in (nth, nth + 1))
        cv2.rectangle(page, (left, top), (left + round(4.2 * pitch), bottom), (200 - 20 * nth, 190, 180), -1)
    scene = scene_of(Frame(page))

    assert grown(scene, grid, framed=False).box == grid.box


def test_words_far_above_boxes_of_clues_do_not_make_cells_of_these() -> None:
    """The words looked like more numbers than the boxes hold."""
    puzzle = puzzle_of("#.## #### #### ####")
    page = np.full((12 * CELL, 12 * CELL, 3), PAPER, np.uint8)
    left, top = 5 * CELL, 5 * CELL
    for at in range(6):
        cv2.line(
            page, (left - 2 * CELL * (at > 0), top + at * CELL), (left + 4 * CELL, top + at * CELL), INK, 1
        )
        x = left + (at - 1) * CELL if at else left - 2 * CELL
        cv2.line(page, (x, top + CELL * (at == 0)), (x, top + 5 * CELL), INK, 1)
    for row, clue in enumerate(puzzle.rows):
        for nth, run in enumerate(reversed(clue)):
            number(page, run, left - round((0.3 + 0.8 * nth) * CELL), top + round((row + 1.5) * CELL))
    for col, (run,) in enumerate(puzzle.cols):
        number(page, run, left + round((col + 0.7) * CELL), top + CELL // 2)
    cv2.putText(
        page,
        "unsupported command line",
        (2 * CELL, 3 * CELL),
        cv2.FONT_HERSHEY_SIMPLEX,
        0.6,
        INK,
        1,
        cv2.LINE_AA,
    )

    assert read(Frame(page), PROFILE).puzzle == puzzle


def test_a_board_in_which_filled_cells_hide_a_line_is_claimed() -> None:
    assert claim(scene_of(Frame(in_one_piece(DIVIDED)))) is not None


THUMB = puzzle_of("...##... ..###... ..####.. .####### .######. .######. .######. ..#####.")


def test_single_numbers_are_clues_where_they_have_just_one_picture() -> None:
    assert claim(scene_of(Frame(drawn(THUMB, {})))) is not None


@pytest.mark.parametrize("counts", ["5/2/3/4/1/2/3/1", "1/2/3/4/5/6/7/8", "8/7/6/5/4/3/2/1"])
def test_counts_beside_a_grid_and_the_numbers_of_its_lines_are_no_clues(counts: str) -> None:
    lines = tuple((int(one),) for one in counts.split("/"))

    assert claim(scene_of(Frame(drawn(Nonogram(lines, lines), {})))) is None


def test_a_board_is_as_large_as_its_numbers_say_where_lines_are_missing() -> None:
    page = drawn(PUZZLE, {})
    right, bottom = corner(6, 6, 0)
    x, y = corner(10, 10, 0)
    page[TOP - 1 : y, right:x] = PAPER
    page[bottom:y, LEFT - 1 : x] = PAPER

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


def test_lines_at_an_edge_whose_clue_is_a_nought_belong_to_the_board() -> None:
    lines = [f"{line}...." for line in ("######", *["#....#"] * 8, "######")]
    puzzle = puzzle_of(" ".join(lines))
    page = drawn(puzzle, {})
    for col in range(6, 10):
        number(page, 0, corner(0, col, 0)[0] + CELL // 2 + width_of(0) // 2, TOP - 18)

    assert read(Frame(page), PROFILE).puzzle == puzzle


@pytest.mark.parametrize("quality", [40, 60, 75])
def test_outer_lines_of_crosses_beside_noughts_belong_to_the_board_in_a_jpeg(quality: int) -> None:
    """Their grain hid the last lines, and without these the clues made sense: a nought adds nothing."""
    filled = nonogram.solve(PUZZLE).solution.filled
    rows = [
        "".join(".#"[(row, col) in filled and max(row, col) < 9] for col in range(10)) for row in range(10)
    ]
    puzzle = puzzle_of(" ".join(rows))
    page = drawn(puzzle, {})
    number(page, 0, LEFT - 8, TOP + round(9.5 * CELL))
    number(page, 0, LEFT + round(9.7 * CELL), TOP - CELL // 2)
    for cell in (cell for cell in CELLS if max(cell) == 9):
        x, y = corner(*cell, 0)
        for arm in (8, -8):
            ends = (x + CELL // 2 - 8, y + CELL // 2 - arm), (x + CELL // 2 + 8, y + CELL // 2 + arm)
            cv2.line(page, *ends, (30, 30, 200), 4, cv2.LINE_AA)
    jpeg = cv2.imdecode(cv2.imencode(".jpg", page, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)

    assert read(Frame(np.asarray(jpeg, np.uint8)), PROFILE).puzzle == puzzle


def test_further_boxes_with_parts_of_the_clues_are_no_cells_of_the_board() -> None:
    rows, cols = PUZZLE.rows, PUZZLE.cols
    page = drawn(Nonogram((*rows, ()), (*cols, ())), {})
    for row, clue in enumerate(rows):
        x, y = corner(row, 10, 0)
        number(page, clue[0], x + CELL // 2 + width_of(clue[0]) // 2, y + CELL // 2)
    for col, clue in enumerate(cols):
        x, y = corner(10, col, 0)
        number(page, clue[0], x + CELL // 2 + width_of(clue[0]) // 2, y + CELL // 2)

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


@pytest.mark.parametrize("tint", [PAPER, (255, 240, 215)])
def test_clues_that_are_repeated_beyond_the_last_column_are_no_cells_of_it(
    tint: tuple[int, int, int],
) -> None:
    """Their boxes are as wide as the cells; as a column without a number of its own they left all sums as they are."""
    page = drawn(Nonogram(PUZZLE.rows, (*PUZZLE.cols, ())), {})
    for row, clue in enumerate(PUZZLE.rows):
        x, y = corner(row, 10, 0)
        page[y : y + CELL, x : x + CELL] = tint
        end = x + CELL - 2
        for run in reversed(clue[-2:]):
            end = number(page, run, end, y + CELL // 2) - 2

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


def in_boxes(below: bool, right: bool, puzzle: Nonogram = PUZZLE) -> Pixels:
    """The board in one lattice with the boxes of its clues, which are next to its cells."""
    deep, wide = (max(map(len, side)) for side in (puzzle.cols, puzzle.rows))
    rows, cols = deep + puzzle.height, wide + puzzle.width
    page = np.full((2 * CELL + rows * CELL, 2 * CELL + cols * CELL, 3), PAPER, np.uint8)
    for at in range(rows + 1):
        cv2.line(page, (CELL, CELL + at * CELL), (CELL + cols * CELL, CELL + at * CELL), INK, 1)
    for at in range(cols + 1):
        cv2.line(page, (CELL + at * CELL, CELL), (CELL + at * CELL, CELL + rows * CELL), INK, 1)
    top, left = 0 if below else deep, 0 if right else wide
    for row, clue in enumerate(puzzle.rows):
        for nth, run in enumerate(clue if right else clue[::-1]):
            col = puzzle.width + nth if right else wide - 1 - nth
            number(page, run, round((col + 1.7) * CELL), round((top + row + 1.5) * CELL))
    for col, clue in enumerate(puzzle.cols):
        for nth, run in enumerate(clue if below else clue[::-1]):
            row = puzzle.height + nth if below else deep - 1 - nth
            number(page, run, round((left + col + 1.7) * CELL), round((row + 1.5) * CELL))
    return page


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("right", [False, True])
def test_boxes_of_clues_may_be_at_any_two_sides_of_the_board(below: bool, right: bool) -> None:
    assert read(Frame(in_boxes(below, right)), PROFILE).puzzle == PUZZLE


@pytest.mark.parametrize("px", [2, 8])
def test_where_numbers_of_the_rows_may_be_cut_off_the_columns_have_no_fewer_than_it_looks(px: int) -> None:
    """Each row had one number left, and with the last number of each column these had one solution."""
    page = in_boxes(below=False, right=False, puzzle=puzzle_of("#.#.# ..#.. ##### ..#.. #.#.#"))

    with pytest.raises(PartlyOff, match="may be cut by the left edge"):
        read(Frame(np.ascontiguousarray(page[:, 3 * CELL + px :])), PROFILE)


def test_a_column_has_no_fewer_numbers_than_it_looks_where_something_covers_those_of_a_row() -> None:
    """Two numbers of a row were gone, and two of the columns left away for that: the others had one solution."""
    page = in_boxes(below=False, right=False, puzzle=puzzle_of("#.#.# ..#.. ##### ..#.. #.#.#"))
    page[8 * CELL + 2 : 9 * CELL - 2, CELL + 2 : 3 * CELL - 2] = 0

    with pytest.raises(UncertainReading, match="contradict each other"):
        read(Frame(page), PROFILE)


def test_no_look_leaves_out_the_outer_boxes_of_a_larger_lattice() -> None:
    """With the pointer on a row's number a faint lattice without the uppermost boxes was found as well: what was left of the
    columns agreed with what was left of the rows."""
    scene = Scene(in_boxes(below=False, right=False, puzzle=puzzle_of("#.#.# ..#.. ##### ..#.. #.#.#")))
    whole = scene.grids()[0]

    looks = [view for view, _ in _boxed(scene, [whole, whole.without(1)], PROFILE)]

    assert (whole.rows, whole.cols) == (8, 8)
    assert len(looks) == 1


def test_boxes_beside_the_last_rows_alone_are_none_below_the_cells() -> None:
    """The last rows have the most numbers: their boxes fill half of these rows of the lattice, as boxes below would."""
    puzzle = puzzle_of(
        """
        #########
        ...###...
        ....#....
        ...###...
        #########
        ..#####..
        ..#####..
        #########
        ....#....
        ....#....
        .#######.
        #########
        ..#####..
        #.#.#.#.#
        #.#.#.#.#
        #.#.#.#.#
        #.#.#.#.#
        #.#.#.#.#
        """
    )

    assert read(Frame(in_boxes(below=False, right=False, puzzle=puzzle)), PROFILE).puzzle == puzzle


def test_boxes_of_clues_after_the_cells_are_no_further_lines_where_a_digit_has_to_be_decided() -> None:
    """A digit of a few px looks like another one, and the boxes reach the picture's edges."""
    page = in_boxes(True, True)[CELL : 1 - CELL, CELL : 1 - CELL]

    found = read(Frame(cv2.resize(page, None, fx=0.48, fy=0.48)), PROFILE)

    assert found.puzzle == PUZZLE
    assert found.remarks


@pytest.mark.parametrize(("below", "right"), [(False, False), (True, True)])
@pytest.mark.parametrize("filled", [False, True])
def test_numbers_may_begin_at_the_far_ends_of_boxes_with_a_ground_of_their_own(
    below: bool, right: bool, filled: bool
) -> None:
    """Few of the boxes next to the cells held a number, and these were taken for cells."""
    puzzle = puzzle_of("....#.#... .####.##.. " + ".########. " * 5 + "..######.. ...####... ....##....")
    wide, deep = len(puzzle.rows[0]), len(puzzle.cols[3])
    page = np.full(((deep + 12) * CELL, (wide + 12) * CELL, 3), PAPER, np.uint8)
    top, left = 1 if below else 1 + deep, 1 if right else 1 + wide
    page[CELL:-CELL, CELL:-CELL] = (90, 230, 250)
    page[top * CELL :, left * CELL :][: 10 * CELL, : 10 * CELL] = (255, 255, 255)
    picture = nonogram.solve(puzzle).solution.filled
    for row, col in picture if filled else ():
        page[(top + row) * CELL :, (left + col) * CELL :][:CELL, :CELL] = INK
    for at in range(1, wide + 12):
        cv2.line(page, (at * CELL, CELL), (at * CELL, (deep + 11) * CELL), (120, 120, 120), 1)
    for at in range(1, deep + 12):
        cv2.line(page, (CELL, at * CELL), ((wide + 11) * CELL, at * CELL), (120, 120, 120), 1)
    for at, clue in enumerate(puzzle.rows):
        for nth, run in enumerate(clue):
            col = 10 + wide - len(clue) + nth if right else nth
            number(page, run, round((col + 1.7) * CELL), round((top + at + 0.5) * CELL))
    for at, clue in enumerate(puzzle.cols):
        for nth, run in enumerate(clue):
            row = 10 + deep - len(clue) + nth if below else nth
            number(page, run, round((left + at + 0.7) * CELL), round((row + 1.5) * CELL))

    found = read(Frame(page), PROFILE)

    assert found.puzzle == puzzle
    assert not found.doubtful


def test_a_board_with_boxes_of_clues_whose_last_row_the_picture_cuts_is_not_read_without_it() -> None:
    solution = nonogram.solve(PUZZLE).solution
    rows = ["".join("#" if (row, col) in solution.filled else "." for col in range(10)) for row in range(9)]
    page = in_boxes(False, False, puzzle_of(" ".join([*rows, "." * 10])))

    with pytest.raises(UncertainReading, match="edge"):
        read(Frame(page[: -CELL - 1]), PROFILE)


@pytest.mark.parametrize("low", [0.5, 0.8, 0.86])
def test_small_numbers_may_stand_low_in_high_boxes_like_the_cells(low: float) -> None:
    """At the bottom of their boxes they were overlooked, and these taken for a row of cells."""
    rows, cols, cell = ((1, 1), (5,), (5,), (3,), (1,)), ((2,), (4,), (4,), (4,), (2,)), 84
    page = np.full((7 * cell, 8 * cell, 3), PAPER, np.uint8)
    for at in range(8):
        cv2.line(page, (cell // 2 + at * cell, cell // 2), (cell // 2 + at * cell, 13 * cell // 2), INK, 1)
        y = cell // 2 + min(at, 6) * cell
        cv2.line(page, (cell // 2, y), (15 * cell // 2, y), INK, 1)
    for row, clue in enumerate(rows):
        for nth, run in enumerate(clue[::-1]):
            write(page, str(run), Point((2.3 - nth) * cell, (row + 2) * cell), 11, INK)
    for col, clue in enumerate(cols):
        write(page, str(clue[0]), Point((col + 3) * cell, (0.5 + low) * cell), 11, INK)

    found = read(Frame(page), PROFILE).puzzle

    assert (found.rows, found.cols) == (rows, cols)


@pytest.mark.parametrize("thick", [3, 7])
def test_soft_thick_lines_between_small_boxes_of_clues_are_no_writing(thick: int) -> None:
    """They reached into the boxes, of which all seemed full then, and into a grey field where these meet."""
    page, cell = in_boxes(False, False), CELL
    deep, wide = (max(map(len, side)) for side in (PUZZLE.cols, PUZZLE.rows))
    height, width = page.shape[:2]
    for at in (0, 5, 10):
        x, y, stroke = (1 + wide + at) * cell, (1 + deep + at) * cell, 3 if at == 5 else thick
        cv2.line(page, (x, cell), (x, height - cell), INK, stroke)
        cv2.line(page, (cell, y), (width - cell, y), INK, stroke)
    page[cell : (1 + deep) * cell, cell : (1 + wide) * cell] = PAPER
    cv2.rectangle(page, (cell + 5, cell + 5), ((1 + wide) * cell - 5, (1 + deep) * cell - 5), (212,) * 3, -1)
    cv2.rectangle(page, (cell, cell), (width - cell, height - cell), INK, thick)
    small = cv2.resize(page, None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.resize(small, None, fx=1.5, fy=1.5, interpolation=cv2.INTER_CUBIC), np.uint8)

    assert read(Frame(soft), PROFILE).puzzle == PUZZLE


def test_a_small_picture_may_stand_where_the_boxes_of_clues_meet() -> None:
    page = in_boxes(False, False)
    cv2.circle(page, (round(1.5 * CELL), round(1.5 * CELL)), CELL // 4, INK, -1)

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


@pytest.mark.parametrize("pitch", [17, 20])
def test_the_end_of_wide_boxes_of_clues_is_no_column_without_a_number(pitch: int) -> None:
    """Numbers in the middle of a box leave as much of it empty as a cell is wide."""
    box, size, step = 4 * pitch, round(0.45 * pitch), round(0.6 * pitch)
    wide, high = 20 + box + 10 * pitch, 70 + 10 * pitch
    page = np.full((high + 12, wide + 12, 3), PAPER, np.uint8)
    for at in range(10):
        x, y = 20 + box + at * pitch, 70 + at * pitch
        cv2.rectangle(page, (20, y), (17 + box, y + pitch - 3), LINE, 1)
        cv2.rectangle(page, (x, 8), (x + pitch - 3, 67), LINE, 1)
        for col in range(10):
            left = 20 + box + col * pitch
            cv2.rectangle(page, (left, y), (left + pitch - 3, y + pitch - 3), LINE, 1)
    for row, clue in enumerate(PUZZLE.rows):
        for nth, run in enumerate(clue):
            x = 20 + box / 2 + (nth - (len(clue) - 1) / 2) * step
            write(page, str(run), Point(x, 70 + row * pitch + (pitch - 3) / 2), size, INK)
    for col, clue in enumerate(PUZZLE.cols):
        for nth, run in enumerate(clue):
            write(page, str(run), Point(20 + box + col * pitch + (pitch - 3) / 2, 16 + nth * 11), size, INK)
    soft = np.asarray(cv2.GaussianBlur(page, (0, 0), 0.6), np.uint8)

    assert read(Frame(soft), PROFILE).puzzle == PUZZLE


def test_a_clock_may_stand_where_boxes_with_a_ground_of_their_own_meet() -> None:
    """It was taken for a number of the first row, and the boxes above for that row's cells."""
    puzzle = puzzle_of(".#.#. ##### ##### #.#.# #...#")
    page = np.full((9 * CELL, 11 * CELL, 3), PAPER, np.uint8)
    page[CELL : 7 * CELL, CELL : 9 * CELL] = (158, 193, 205)
    page[2 * CELL : 7 * CELL, 4 * CELL : 9 * CELL] = PAPER
    for at in range(7):
        cv2.line(page, (CELL, (1 + at) * CELL), (9 * CELL, (1 + at) * CELL), INK, 1)
    for at in (1, *range(4, 10)):
        cv2.line(page, (at * CELL, CELL), (at * CELL, 7 * CELL), INK, 1)
    words(page, "00 : 00", CELL + 10, round(1.7 * CELL), 0.55)
    for row, clue in enumerate(puzzle.rows):
        for nth, run in enumerate(clue[::-1]):
            number(page, run, round((3.8 - nth) * CELL), round((row + 2.5) * CELL))
    for col, (run,) in enumerate(puzzle.cols):
        number(page, run, round((col + 4.7) * CELL), round(1.5 * CELL))

    assert read(Frame(page), PROFILE).puzzle == puzzle


def test_boxes_of_clues_within_the_lattice_are_seen_at_a_glance() -> None:
    found = glance(scene_of(Frame(in_boxes(False, False))))

    assert found is not None and f"{PUZZLE.height} x {PUZZLE.width} cells" in found.evidence


def side_by_side() -> Pixels:
    """The board with the numbers of each column in one line above it, in cells of twice the size."""
    small = drawn(PUZZLE, {})
    page = cv2.resize(small, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    page[: 2 * TOP - 3] = PAPER
    page[2 * TOP :, : 2 * LEFT - 3] = PAPER
    for row, clue in enumerate(PUZZLE.rows):
        end, y = 2 * LEFT - 12, 2 * corner(row, 0, 0)[1] + CELL
        for run in reversed(clue):
            end = number(page, run, end, y) - 10
    for col, clue in enumerate(PUZZLE.cols):
        wide = sum(map(width_of, clue)) + 10 * (len(clue) - 1)
        end = 2 * corner(0, col, 0)[0] + CELL + wide // 2
        for run in reversed(clue):
            end = number(page, run, end, 2 * TOP - 24) - 10
    return np.asarray(page, np.uint8)


def test_the_rows_own_numbers_left_of_their_clues_are_none_of_them() -> None:
    page = drawn(Nonogram(tuple((i, *clue) for i, clue in enumerate(PUZZLE.rows, 1)), PUZZLE.cols), {})

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


def test_the_rows_own_numbers_left_of_the_board_are_no_clues_where_those_stand_right_of_it() -> None:
    page = drawn(PUZZLE, {})
    right = corner(0, PUZZLE.width, 0)[0]
    page = np.pad(page, ((0, 0), (0, 100), (0, 0)), constant_values=255)
    page[TOP:, right + 1 : right + LEFT - 10] = page[TOP:, : LEFT - 11]
    page[TOP:, : LEFT - 1] = PAPER
    for row in range(PUZZLE.height):
        number(page, row + 1, LEFT - 10, corner(row, 0, 0)[1] + CELL // 2)

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


def test_clues_that_count_up_are_clues() -> None:
    stairs = puzzle_of(" ".join("#" * (row + 1) + "." * (9 - row) for row in range(10)))

    assert read(Frame(drawn(stairs, {})), PROFILE).puzzle == stairs


def test_a_round_sign_below_the_last_row_is_no_clue_of_a_further_one() -> None:
    """On a finished board whose cells hide the lines: a button was read as a nought, and the board with a row more."""
    page = in_one_piece(SOLID)
    number(page, 0, LEFT - 10, TOP + round((SOLID.height + 0.5) * (CELL + 1)))

    assert read(Frame(page), PROFILE).puzzle == SOLID


def test_the_upper_left_edges_of_raised_cells_need_not_show() -> None:
    """They are as light as the page; the first row and column were lost, and the rest adds up to nothing."""
    page = drawn(PUZZLE, {})
    for cell in CELLS:
        x, y = corner(*cell, 0)
        cv2.rectangle(page, (x - 1, y - 1), (x + CELL - 1, y + CELL - 1), PAPER, -1)
        cv2.line(page, (x, y + CELL - 1), (x + CELL - 1, y + CELL - 1), LINE, 1)
        cv2.line(page, (x + CELL - 1, y), (x + CELL - 1, y + CELL - 1), LINE, 1)

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


def test_several_numbers_side_by_side_above_a_column_are_read_one_by_one() -> None:
    assert read(Frame(side_by_side()), PROFILE).puzzle == PUZZLE


def test_digits_taller_than_the_cells_are_read_right_of_and_below_the_grid() -> None:
    page = np.full((900, 1400, 3), PAPER, np.uint8)
    cell, left, top = 60, 40, 60
    for line in range(11):
        cv2.line(page, (left + cell * line, top), (left + cell * line, top + 10 * cell), (120, 200, 240), 2)
        cv2.line(page, (left, top + cell * line), (left + 10 * cell, top + cell * line), (120, 200, 240), 2)
    for row, clue in enumerate(PUZZLE.rows):
        for place, run in enumerate(clue):
            at = (left + 10 * cell + 30 + 100 * place, top + row * cell + 62)
            cv2.putText(page, str(run), at, cv2.FONT_HERSHEY_SIMPLEX, 2.9, INK, 6, cv2.LINE_AA)
    for col, clue in enumerate(PUZZLE.cols):
        for place, run in enumerate(clue):
            at = (left + col * cell + 8, top + 10 * cell + 70 + 75 * place)
            cv2.putText(page, str(run), at, cv2.FONT_HERSHEY_SIMPLEX, 2.2, INK, 4, cv2.LINE_AA)

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


def test_a_board_that_a_window_cuts_is_said_to_be_cut() -> None:
    page = drawn(PUZZLE, {})
    page[corner(7, 0, 0)[1] + CELL * 2 // 3 :] = (210, 210, 215)

    with pytest.raises(UncertainReading, match="a part of it is hidden") as refusal:
        read(Frame(page), PROFILE)
    assert "scroll" in refusal.value.hint


@pytest.mark.parametrize(
    ("shown", "wide", "told"), [(200, 300, "hidden"), (196, 201, "hidden"), (201, 201, "cut")]
)
def test_small_cells_whose_lines_go_on_are_cut_by_a_window_or_the_picture(
    shown: int, wide: int, told: str
) -> None:
    """The frame of a window may be all that is left of the picture beside the cells that it hides."""
    pixels = np.full((240, wide, 3), 255, np.uint8)
    pixels[40:185:18, 40:shown] = pixels[40:185, 40:185:18] = 0
    (grid,) = Scene(pixels).grids()

    assert (grid.cols, board._cut_sides(Scene(pixels), grid)) == (8, {"right": told})


def test_a_board_of_which_only_its_last_lines_are_cut_off_is_read() -> None:
    signs = played(crosses=False)
    right, bottom = corner(10, 10, 0)

    reading = read(Frame(drawn(PUZZLE, signs)[: bottom - 1, : right - 1]), PROFILE)

    assert (reading.puzzle, reading.placed.filled) == (PUZZLE, placed(signs, "#"))


def test_a_ten_that_is_broken_over_two_lines_is_a_ten() -> None:
    rows = (
        ["##########", "#.#.#.#.##", "##########"]
        + [f"#{'.' * 7}##"] * 2
        + ["##########"]
        + [f"##{'.' * 7}#"] * 4
    )
    puzzle = puzzle_of(" ".join(rows))
    page = drawn(Nonogram(puzzle.rows, ((),) * 10), {})
    for col, clue in enumerate(puzzle.cols):
        digits = list(reversed("".join(map(str, clue))))
        for place, digit in enumerate(digits):
            middle = corner(0, col, 0)[0] + CELL // 2
            number(page, int(digit), middle + width_of(int(digit)) // 2, TOP - 18 - 22 * place)

    assert read(Frame(page), PROFILE).puzzle == puzzle


def ruled(page: Pixels, cells: int, size: int, first: tuple[int, int], ink: tuple[int, int, int]) -> None:
    """Thin lines around so many square cells each way, from the corner of the first one on."""
    left, top = first
    for at in range(0, (cells + 1) * size, size):
        cv2.line(page, (left + at, top), (left + at, top + cells * size), ink, 1)
        cv2.line(page, (left, top + at), (left + cells * size, top + at), ink, 1)


def beside_a_menu() -> Pixels:
    """Small numbers near to each other at large cells, a menu left of them, and a word above."""
    size, left, top = 50, 320, 90
    page = np.full((top + 10 * size + 40, left + 10 * size + 40, 3), PAPER, np.uint8)
    ruled(page, 10, size, (left, top), INK)

    def small(run: int, x: int, y: int) -> None:
        cv2.putText(page, str(run), (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.45, INK, 1, cv2.LINE_AA)

    for row, clue in enumerate(PUZZLE.rows):
        for place, run in enumerate(reversed(clue)):
            small(run, left - 20 - 10 * place, top + row * size + 30)
    for col, clue in enumerate(PUZZLE.cols):
        for place, run in enumerate(reversed(clue)):
            small(run, left + col * size + 20, top - 10 - 18 * place)
    small(25, left + 4 * size + 16, top - 46)
    for row, word in enumerate(
        ("5000 x 5000", "Size 515x515", "10x10x10", "Check 31253", "Easy 105335", "Level 12513", "Time 41512")
    ):
        at = (left - 205, top + row * size + 33)
        cv2.putText(page, word, at, cv2.FONT_HERSHEY_SIMPLEX, 0.55, INK, 1, cv2.LINE_AA)
    return page


def test_words_left_of_the_numbers_say_nothing_of_how_near_two_numbers_are() -> None:
    assert read(Frame(beside_a_menu()), PROFILE).puzzle == PUZZLE


def test_words_left_of_the_rows_leave_their_numbers_among_the_ways_that_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As those above the columns do: the sums tell which way is meant, however many are likelier."""
    monkeypatch.setattr(claiming, "MOST_WAYS", 1)
    top, left, size = 160, 420, 40
    full = "#" * 10
    puzzle = puzzle_of(
        " ".join((full, full, full, "." * 10, "....##....", "....##....", "." * 10, full, full, full))
    )
    page = np.full((top + 10 * size + 60, left + 10 * size + 60, 3), PAPER, np.uint8)
    ruled(page, 10, size, (left, top), (150, 150, 150))
    for row, clue in enumerate(puzzle.rows):
        for run in clue:
            words(page, str(run), left - 12 - 12 * len(str(run)), top + row * size + 26, 0.6)
    for col, clue in enumerate(puzzle.cols):
        for place, run in enumerate(reversed(clue)):
            words(page, str(run), left + col * size + 14, top - 10 - 24 * place, 0.6)
    cv2.putText(
        page,
        "58 1 170 61 1",
        (left - 220, top + 4 * size + 26),
        cv2.FONT_HERSHEY_SIMPLEX,
        0.75,
        INK,
        2,
        cv2.LINE_AA,
    )

    assert claim(scene_of(Frame(page))) is not None


FIVE = puzzle_of("#.#.# ##### ..#.. .###. .#.##")


def five(size: int, scale: float, near: int, between: int) -> tuple[Pixels, int, int]:
    """A board of large cells on a page, and where it begins.

    near: px between the grid and its numbers. between: from one number to the next.
    """
    left, top = 220, 240
    page = np.full((top + 5 * size + 120, left + 5 * size + 60, 3), PAPER, np.uint8)
    ruled(page, 5, size, (left, top), (150, 150, 150))
    for row, clue in enumerate(FIVE.rows):
        for place, run in enumerate(reversed(clue)):
            words(page, str(run), left - near - 12 - between * place, top + row * size + size // 2 + 5, scale)
    for col, clue in enumerate(FIVE.cols):
        for place, run in enumerate(reversed(clue)):
            words(page, str(run), left + col * size + size // 2 - 5, top - near - between * place, scale)
    return page, left, top


def words(page: Pixels, text: str, x: int, y: int, scale: float) -> None:
    cv2.putText(page, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, INK, 1, cv2.LINE_AA)


def among_words() -> Pixels:
    """A board with words above its numbers and below it."""
    page, left, top = five(36, 0.4, 8, 14)
    for up, text in (
        (61, "Easy 18 Medium 18 Hard 105 98 8"),
        (98, "Time 00:05 Left 10:05 80 68"),
        (114, "5 x 5 Check 9 0 18 60 5 5"),
    ):
        words(page, text, left, top - up, 0.4)
    words(page, "3 Undo 4 Check 2 Clear", left + 8, top + 5 * 36 + 40, 0.4)

    return page


def test_words_above_the_numbers_and_below_the_board_are_no_numbers() -> None:
    assert read(Frame(among_words()), PROFILE).puzzle == FIVE


def test_a_line_without_a_number_is_not_added_by_words_below_the_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The words below are taken for the columns' numbers.
    monkeypatch.setattr(clues, "LIKELY_WAYS", 1)
    monkeypatch.setattr(clues, "_without_words", list)

    with pytest.raises((BoardNotFound, UncertainReading)):
        read(Frame(among_words()), PROFILE)


def test_numbers_of_a_usual_size_beside_huge_cells_are_read() -> None:
    page, _, _ = five(168, 0.45, 8, 16)

    assert read(Frame(page), PROFILE).puzzle == FIVE


def test_numbers_that_touch_the_frame_of_faint_cells_are_read() -> None:
    page, left, top = five(110, 0.55, 2, 22)
    board = page[top + 1 : top + 550, left + 1 : left + 550]
    cells = np.arange(549) // 110
    board[:] = np.where((cells[:, None] + cells)[..., None] % 2, (249, 250, 250), (255, 254, 254))

    assert read(Frame(page), PROFILE).puzzle == FIVE


def test_light_numbers_of_a_dark_board_below_dark_words_of_a_light_page_are_read() -> None:
    page, left, top = five(60, 0.7, 10, 24)
    page = np.asarray(255 - page, np.uint8)
    page[: top - 70] = PAPER
    for up in (80, 110, 140, 170):
        words(page, "5 x 5  10 x 10  15 x 15  20 x 20  25 x 25", left - 10, top - up, 0.7)

    assert read(Frame(page), PROFILE).puzzle == FIVE


def test_large_numbers_below_small_words_are_read() -> None:
    page, left, top = five(80, 1.3, 22, 44)
    words(page, "8 x 8  10 Nonogram 5 Back 1 Light 38", left + 60, top - 110, 0.5)
    words(page, "Nonogram 18 8 0 1", left + 100, top - 140, 0.5)

    assert read(Frame(page), PROFILE).puzzle == FIVE


def test_more_numbers_of_a_line_than_small_boards_have_are_read() -> None:
    size, cell = 60, 18
    filled = np.random.default_rng(5).random((size, size)) < np.where(np.arange(size)[:, None] % 9, 0.6, 0.5)
    puzzle = puzzle_of(" ".join("".join("#" if one else "." for one in row) for row in filled))
    left = top = cell * max(len(clue) for clue in (*puzzle.rows, *puzzle.cols)) + 8
    lines = [cell * i for i in range(size + 1)]
    page = np.full((top + lines[-1] + 4, left + lines[-1] + 4, 3), PAPER, np.uint8)
    for row, col in zip(*np.nonzero(filled), strict=True):
        page[top + lines[row] : top + lines[row + 1], left + lines[col] : left + lines[col + 1]] = INK
    for at in lines:
        page[top:, left + at] = page[top + at, left:] = 150
    for i, at in enumerate(lines[:-1]):
        for place, run in enumerate(reversed(puzzle.rows[i])):
            words(page, str(run), left - cell * (place + 1) + 4, top + at + 13, 0.35)
        for place, run in enumerate(reversed(puzzle.cols[i])):
            words(page, str(run), left + at + 4, top - cell * place - 5, 0.35)

    reading = read(Frame(page), PROFILE)

    assert max(map(len, puzzle.rows)) > clues.LONGEST_BAND
    assert reading.puzzle == puzzle
    assert {(cell.row, cell.col) for cell in reading.placed.filled} == set(
        zip(*np.nonzero(filled), strict=True)
    )


def test_a_table_of_small_numbers_far_above_large_single_ones_does_not_hide_them() -> None:
    page = np.full((640, 420, 3), PAPER, np.uint8)
    left, top, size = 90, 300, 60
    plus = Nonogram(((1,), (1,), (5,), (1,), (1,)), ((1,), (1,), (5,), (1,), (1,)))
    for line in range(6):
        at = size * line
        cv2.line(page, (left + at, top), (left + at, top + 5 * size), INK, 2)
        cv2.line(page, (left, top + at), (left + 5 * size, top + at), INK, 2)
    for i, (row, col) in enumerate(zip(plus.rows, plus.cols, strict=True)):
        words(page, str(row[0]), left - 32, top + i * size + size // 2 + 8, 0.8)
        words(page, str(col[0]), left + i * size + size // 2 - 8, top - 10, 0.8)
    for line in range(9):
        words(page, f"{line + 1} 0{line}:{line * 7 % 6}8 5 x 5 86 98 08:28 88", left, 28 + 18 * line, 0.4)

    assert read(Frame(page), PROFILE).puzzle == plus


@pytest.mark.parametrize(("dash", "gap"), [(2, 2), (5, 4)])
def test_lines_between_cells_may_be_dots_or_dashes(dash: int, gap: int) -> None:
    page, left, top = five(40, 0.5, 8, 18)
    board = page[top - 1 : top + 202, left - 1 : left + 202]
    board[:] = 240
    drawn = np.arange(203) % (dash + gap) < dash
    for line in range(1, 5):
        board[drawn, 40 * line : 40 * line + 2] = 200
        board[40 * line : 40 * line + 2, drawn] = 200
    cv2.rectangle(page, (left - 1, top - 1), (left + 202, top + 202), INK, 2)

    assert read(Frame(page), PROFILE).puzzle == FIVE


def test_a_board_whose_lines_are_whole_only_after_every_fifth_is_claimed() -> None:
    """Beside such a lattice of 3 x 3 large cells a board was not looked for."""
    page = drawn(unique(random.Random(1), 15, 15), {})
    for x, y in (corner(line, line, 0) for line in range(1, 15) if line % 5):
        page[TOP:-40:2, x - 1] = PAPER
        page[y - 1, LEFT:-40:2] = PAPER

    found = claim(scene_of(Frame(page)))

    assert found is not None
    assert found.evidence.startswith("a lattice of 15 x 15 cells")


def test_numbers_in_boxes_are_read_whatever_is_painted_around_them() -> None:
    size, top, left = 40, 3, 3
    some = np.random.default_rng(5)
    paint = cv2.GaussianBlur(some.integers(0, 256, (520, 620, 3)).astype(np.uint8), None, 5.0)
    page = np.asarray(np.clip(120 + 5.0 * (paint - 127.5), 0, 255), np.uint8)
    x, y = 150, 120
    for line in range(9):
        page[y + line * size, x : x + 8 * size + 1] = 90
        page[y : y + 8 * size + 1, x + line * size] = 90
    for row, col in np.ndindex(8, 8):
        box = page[y + row * size + 1 : y + (row + 1) * size, x + col * size + 1 : x + (col + 1) * size]
        if row >= top and col >= left:
            box[:] = 255
        else:
            box[:] = 160 + box // 3
        if (row < top) != (col < left):
            numbers = FIVE.rows[row - top] if row >= top else FIVE.cols[col - left]
            nth = left - 1 - col if row >= top else top - 1 - row
            if nth < len(numbers):
                box[:] = 240
                words(box, str(numbers[-1 - nth]), 14, 26, 0.6)

    assert read(Frame(page), PROFILE).puzzle == FIVE


@pytest.mark.parametrize("off", [7, 8])
def test_numbers_that_all_stand_at_one_side_of_wide_columns_are_read(off: int) -> None:
    """off: px from the left edge of a column of 74 px to the middle of its numbers."""
    puzzle = unique(random.Random(3), 6, 6)
    left, top, wide, high = 150, 170, 74, 70
    page = np.zeros((top + 7 * high, left + 7 * wide, 3), np.uint8)
    for row in range(7):
        cv2.line(page, (left, top + row * high), (left + 6 * wide, top + row * high), (150, 150, 150), 1)
        cv2.line(page, (left + row * wide, 40), (left + row * wide, top + 6 * high), (150, 150, 150), 1)

    def write(run: int, x: float, y: float) -> None:
        (w, h), _ = cv2.getTextSize(str(run), 0, 0.5, 1)
        at = round(x - w / 2), round(y + h / 2)
        cv2.putText(page, str(run), at, 0, 0.5, (255, 255, 255), 1, cv2.LINE_AA)

    for row, clue in enumerate(puzzle.rows):
        for place, run in enumerate(clue):
            write(run, 20 + 18 * place, top + (row + 0.5) * high)
    for col, clue in enumerate(puzzle.cols):
        for place, run in enumerate(clue):
            write(run, left + col * wide + off, 90 + 18 * place)

    reading = read(Frame(page), Profile("nonogram", "test"))

    assert reading.puzzle == puzzle


@pytest.mark.parametrize("step", [54, 62])
@pytest.mark.parametrize("side", ["rows", "columns"])
def test_numbers_with_a_step_of_their_own_belong_to_the_lines_in_their_order(side: str, step: int) -> None:
    """A page whose numbers stand in a list of their own: beside the last cells they are nearly half a cell off."""
    puzzle, pitch, left, top = unique(random.Random(3), 6, 6), 58, 160, 170
    page = np.full((top + 7 * pitch, left + 7 * pitch, 3), 255, np.uint8)
    for line in range(7):
        cv2.line(page, (left, top + line * pitch), (left + 6 * pitch, top + line * pitch), (90, 90, 90), 1)
        cv2.line(page, (left + line * pitch, top), (left + line * pitch, top + 6 * pitch), (90, 90, 90), 1)

    def along(line: int, own: bool) -> int:
        return (line * step if own else line * pitch) + pitch // 2 + (np.sign(step - pitch) * 6 if own else 0)

    def write(run: int, x: int, y: int) -> None:
        (w, h), _ = cv2.getTextSize(str(run), 0, 0.6, 2)
        cv2.putText(
            page, str(run), (round(x - w / 2), round(y + h / 2)), 0, 0.6, (20, 20, 20), 2, cv2.LINE_AA
        )

    for row, clue in enumerate(puzzle.rows):
        for place, run in enumerate(reversed(clue)):
            write(run, left - 24 - 26 * place, top + along(row, side == "rows"))
    for col, clue in enumerate(puzzle.cols):
        for place, run in enumerate(reversed(clue)):
            write(run, left + along(col, side == "columns"), top - 24 - 26 * place)

    reading = read(Frame(page), Profile("nonogram", "test"))

    assert reading.puzzle == puzzle


def test_words_beyond_a_hole_beside_some_rows_are_no_numbers() -> None:
    """They stand no farther out than the numbers of another row, and their letters look like digits."""
    puzzle = puzzle_of(
        ".####..... ########.. ..######.. #.#.#.#.#. .########. ..####.... .######... ####......"
    )
    assert nonogram.solve(puzzle, Limits(unique=True)).unique
    page = drawn(puzzle, {})
    for row in (1, 2):
        cv2.putText(
            page, "808", (42, corner(row, 0, 0)[1] + CELL // 2 + 6), cv2.FONT_HERSHEY_SIMPLEX, 0.55, INK
        )

    assert read(Frame(page), PROFILE).puzzle == puzzle


def test_a_corner_of_a_frame_above_a_hole_is_no_number() -> None:
    """On a photograph the frame around the clues bends, and what is left of its corner looks like a 7."""
    puzzle = puzzle_of(
        ".#.#...# ##..#.## ######## ###.#### #######. .##.###. .####.#. .##.#... ...##... ........"
    )
    assert nonogram.solve(puzzle, Limits(unique=True)).unique
    page = drawn(puzzle, {})
    farthest = TOP - 18 - 24 * (max(map(len, puzzle.cols)) - 1)
    number(page, 7, corner(0, 1, 0)[0] + CELL // 2 + width_of(7), farthest)

    assert read(Frame(page), PROFILE).puzzle == puzzle


@pytest.mark.parametrize("band", [(219, 249, 204), (102, 102, 255)])
def test_a_band_between_the_numbers_and_the_cells_is_no_row_of_cells(band: tuple[int, int, int]) -> None:
    signs = {cell: "#" if cell in nonogram.solve(PUZZLE).solution.filled else "x" for cell in CELLS[::2]}
    page = drawn(PUZZLE, signs)
    page = np.insert(page, [LEFT - 1] * (CELL + 1), PAPER, axis=1)
    page = np.insert(page, [TOP - 1] * (CELL + 1), PAPER, axis=0)
    right, bottom = corner(10, 10, 0)
    for strip in (
        page[TOP : TOP + CELL, LEFT + CELL :][:, : right - LEFT],
        page[TOP + CELL :, LEFT : LEFT + CELL][: bottom - TOP],
    ):
        strip[:] = band
    page[TOP - 1, LEFT + CELL : right + CELL] = page[TOP + CELL : bottom + CELL, LEFT - 1] = LINE
    for at in range(11):
        page[TOP : TOP + CELL, LEFT + CELL + at * (CELL + 1)] = page[
            TOP + CELL + at * (CELL + 1), LEFT : LEFT + CELL
        ] = LINE

    try:
        reading = read(Frame(page), PROFILE)
    except UncertainReading:
        return

    assert reading.puzzle == PUZZLE


NOTE = puzzle_of(
    "...####### ...#.....# ...####### ...#.....# ...#.....# ...#.....# ...#.....# .###...### ####..#### .###...###"
)


def in_a_frame(puzzle: Nonogram, frame: int, *, dark: bool) -> Pixels:
    """The solved board within a grey frame as broad as its cells, on whose outside the boxes of the clues stand."""
    page, (deep, wide) = (
        in_boxes(False, False, puzzle),
        (max(map(len, side)) for side in (puzzle.cols, puzzle.rows)),
    )
    if dark:
        page = (255 - page).astype(np.uint8)
    left, top = CELL * (1 + wide), CELL * (1 + deep)
    width, height = CELL * puzzle.width + 1, CELL * puzzle.height + 1
    result = np.full((page.shape[0] + 2 * CELL, page.shape[1] + 2 * CELL, 3), 192, np.uint8)
    result[top : top + height + 2 * CELL, left : left + width + 2 * CELL] = frame
    cells = np.full((height, width, 3), 255, np.uint8)
    for row, col in nonogram.solve(puzzle).solution.filled:
        cells[row * CELL : (row + 1) * CELL, col * CELL : (col + 1) * CELL] = 0
    cells[::CELL] = cells[:, ::CELL] = 192
    result[top + CELL : top + CELL + height, left + CELL : left + CELL + width] = cells
    result[CELL : top + 1, left + CELL : left + CELL + width] = page[CELL : top + 1, left : left + width]
    result[top + CELL : top + CELL + height, CELL : left + 1] = page[top : top + height, CELL : left + 1]
    return result


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("frame", [128, 160, 224])
def test_a_frame_as_broad_as_a_cell_is_no_row_of_the_board(frame: int, dark: bool) -> None:
    """In another shade all along, it passed for a row under the pointer, without a number."""
    assert read(Frame(in_a_frame(NOTE, frame, dark=dark)), PROFILE).puzzle == NOTE


def dithered(page: Pixels) -> Pixels:
    """The page in few colours, as animations are: paper is dots of two, and some of a third."""
    result, (y, x) = page.copy(), np.mgrid[: page.shape[0], : page.shape[1]]
    paper, some = (page == PAPER).all(axis=2), np.random.default_rng(1).random(page.shape[:2]) < 0.06
    result[paper & ((x + y) % 2 == 1)] = 216, 255, 255
    result[paper & some] = 255, 200, 200
    return result


def on_stone(page: Pixels) -> Pixels:
    """The page on small stones of different shades."""
    high, wide = (size // 3 + 1 for size in page.shape[:2])
    shades = np.random.default_rng(2).integers(0, 50, (high, wide, 3))
    stones = shades.repeat(3, axis=0).repeat(3, axis=1)[: page.shape[0], : page.shape[1]]
    return np.where((page == PAPER).all(axis=2)[..., None], 255 - stones, page).astype(np.uint8)


@pytest.mark.parametrize("every", [0, 2])
@pytest.mark.parametrize("ground", [dithered, on_stone])
def test_a_board_whose_ground_is_finer_than_its_numbers_is_read(
    ground: Callable[[Pixels], Pixels], every: int
) -> None:
    signs = played(crosses=True, every=every) if every else {}

    reading = read(Frame(ground(drawn(PUZZLE, signs))), PROFILE)

    assert reading.puzzle == PUZZLE and not reading.doubtful
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


def test_a_dithered_board_is_claimed() -> None:
    assert claim(scene_of(Frame(dithered(drawn(PUZZLE, {}))))) is not None


def test_each_side_may_be_seen_by_the_look_that_sees_it_better(monkeypatch: pytest.MonkeyPatch) -> None:
    page = drawn(PUZZLE, {})
    spoilt = page.copy()
    spoilt[: TOP - 2, LEFT + 3 * CELL : LEFT + 5 * CELL] = PAPER
    spoilt[TOP + 4 * CELL : TOP + 6 * CELL, : LEFT - 2] = PAPER
    other = scene_of(Frame(spoilt))
    for beside, lost in ((rows_beside, True), (columns_beside, False)):

        def seen(
            scene: Scene, grid: Grid, framed: bool, thorough: bool, beside: Any = beside, lost: bool = lost
        ) -> Ways:
            ways: Ways = beside(other if thorough == lost else scene, grid, framed, thorough)
            return ways

        monkeypatch.setattr(board, beside.__name__, seen)

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


def on_four_sides(boxed: bool, puzzle: Nonogram = PUZZLE) -> Pixels:
    """The board with its clues above and below, left and right; boxed: each number has a box like the cells."""
    deep, wide = (max(map(len, side)) for side in (puzzle.cols, puzzle.rows))
    height, width = puzzle.height, puzzle.width
    page = np.full(((2 + 2 * deep + height) * CELL, (2 + 2 * wide + width) * CELL, 3), PAPER, np.uint8)
    left, top = (1 + wide) * CELL, (1 + deep) * CELL
    right, bottom = left + width * CELL, top + height * CELL
    for at in range(-wide, width + wide + 1):
        if boxed or 0 <= at <= width or at in (-wide, width + wide):
            inner = 0 <= at <= width
            ends = (CELL, bottom + deep * CELL) if inner else (top, bottom)
            cv2.line(page, (left + at * CELL, ends[0]), (left + at * CELL, ends[1]), INK, 1)
    for at in range(-deep, height + deep + 1):
        if boxed or 0 <= at <= height or at in (-deep, height + deep):
            ends = (CELL, right + wide * CELL) if 0 <= at <= height else (left, right)
            cv2.line(page, (ends[0], top + at * CELL), (ends[1], top + at * CELL), INK, 1)
    for row, clue in enumerate(puzzle.rows):
        for nth, run in enumerate(clue):
            for col in (nth - len(clue), width + nth):
                number(page, run, left + round((col + 0.7) * CELL), top + round((row + 0.5) * CELL))
    for col, clue in enumerate(puzzle.cols):
        for nth, run in enumerate(clue):
            for row in (nth - len(clue), height + nth):
                number(page, run, left + round((col + 0.7) * CELL), top + round((row + 0.5) * CELL))
    return page


@pytest.mark.parametrize("boxed", [False, True])
def test_boxes_of_clues_may_be_on_all_four_sides_of_the_board(boxed: bool) -> None:
    assert read(Frame(on_four_sides(boxed)), PROFILE).puzzle == PUZZLE


def test_boxes_of_clues_above_and_below_are_no_cells_where_crosses_stand() -> None:
    """The clues at the sides have no boxes: where the lattice ends there are cells, not the corners of boxes."""
    puzzle = unique(random.Random(0), 15, 15)
    solution = nonogram.solve(puzzle).solution
    page, bare = on_four_sides(True, puzzle), on_four_sides(False, puzzle)
    left, top = ((1 + max(map(len, side))) * CELL for side in (puzzle.rows, puzzle.cols))
    right = left + puzzle.width * CELL
    page[:, : left - 1], page[:, right + 2 :] = bare[:, : left - 1], bare[:, right + 2 :]
    for cell in solution.filled | solution.blank:
        x, y = left + cell.col * CELL, top + cell.row * CELL
        if cell in solution.filled:
            page[y + 1 : y + CELL, x + 1 : x + CELL] = INK
        else:
            cv2.line(page, (x + 9, y + 9), (x + 19, y + 19), INK, 2)
            cv2.line(page, (x + 9, y + 19), (x + 19, y + 9), INK, 2)

    reading = read(Frame(page), PROFILE)

    assert (reading.puzzle, reading.placed.filled) == (puzzle, solution.filled)


@pytest.mark.parametrize("turned", [False, True])
def test_boxes_of_clues_on_all_four_sides_of_a_flat_board_are_no_cells(turned: bool) -> None:
    """Where the lattice goes on in the corners, the boxes below seemed to be boxes of the rows: they are as many."""
    flat = unique(random.Random(1), 26, 12)
    puzzle = Nonogram(flat.cols, flat.rows) if turned else flat
    page = on_four_sides(True, puzzle)
    height, width = page.shape[:2]
    for x in range(CELL, width, CELL):
        cv2.line(page, (x, CELL), (x, height - CELL), INK, 1)
    for y in range(CELL, height, CELL):
        cv2.line(page, (CELL, y), (width - CELL, y), INK, 1)

    assert read(Frame(page), PROFILE).puzzle == puzzle


def test_the_light_gap_beside_a_dark_stroke_or_the_frame_is_no_digit() -> None:
    dark = [letter(4, x, False) for x in range(100, 220, 12)] + [letter(1, 80, False)]
    gap, rim = letter(1, 84, True), letter(1, 236, True)

    kept = clues._of_one_height([*dark, gap, rim], lambda one: 240 - one.box.right)

    assert sorted(kept, key=lambda one: one.box.left) == sorted(dark, key=lambda one: one.box.left)


def test_a_light_number_among_dark_ones_is_read() -> None:
    every = [letter(4, x, False) for x in range(100, 220, 20)] + [letter(1, 80, True)]

    kept = clues._of_one_height(every, lambda one: 240 - one.box.right)

    assert len(kept) == len(every)


def letter(value: int, left: int, light: bool) -> Letter:
    """A sure digit at so many px from the left."""
    wide = 4 if value == 1 else 8
    return Letter(Box(left, 50, wide, 12), Glyph(value, 1.0, None, 0.5, ()), (0.0, 0.0, 0.0), light=light)


def test_a_single_line_has_no_step_to_tell() -> None:
    side = clues.Side(Grid(Comb(100, 30, 6), Comb(40, 30, 2)), of_rows=True, after=False)

    assert clues._lines_of([letter(1, 60, False), letter(2, 80, False)], side) == side.grid.ys


def test_a_digit_whose_hole_looks_like_a_digit_in_a_frame_stays() -> None:
    one = Letter(Box(44, 84, 24, 28), Glyph(1, 1.0, None, 0.28, ()), (0.0, 0.0, 0.0))
    hole = Letter(Box(48, 92, 4, 16), Glyph(1, 1.0, None, 0.29, ()), (250.0, 250.0, 250.0), light=True)

    assert apart([hole, one]) == [one]


@pytest.mark.parametrize("lines", [1, 2])
def test_crosses_in_outer_lines_without_numbers_are_no_boxes_of_clues(lines: int) -> None:
    """They look like one digit in all of them: the board was read without these lines."""
    side = 10 - lines
    kept = "".join(
        "#" if Square(row, col) in SOLUTION.filled and max(row, col) < side else "."
        for row in range(10)
        for col in range(10)
    )
    puzzle = puzzle_of(" ".join(kept[10 * row : 10 * row + 10] for row in range(10)))
    page = drawn(puzzle, {cell: "x" for cell in CELLS if max(cell) >= side})

    with pytest.raises(UncertainReading, match="no number"):
        read(Frame(page), PROFILE)


def test_signs_like_digits_in_a_row_with_a_number_of_its_own_make_no_boxes_of_its_cells() -> None:
    """A row of crosses, smeared by a lossy picture: the board was read without it."""
    page = drawn(PUZZLE, {})
    for at in range(10):
        x, y = corner(0, at, 0)
        sign = (4, 7)[at % 2]
        number(page, sign, x + CELL // 2 + width_of(sign) // 2, y + CELL // 2)
    scene = Scene(page)

    assert clues.without_boxes(scene, scene.grids()[0]) == scene.grids()[0]


def test_boxes_of_clues_may_stand_one_cell_off_the_cells() -> None:
    """In a spreadsheet: a grey row and a grey column lie between them, whose edge shows beside the first row."""
    page = in_boxes(False, False)
    deep, wide = (max(map(len, side)) for side in (PUZZLE.cols, PUZZLE.rows))
    top, left = (deep + 1) * CELL, (wide + 1) * CELL
    for axis, at in ((0, top), (1, left)):
        page = np.insert(page, [at] * CELL, 190, axis=axis)
    page[: top + CELL, : left + CELL] = 190
    page[top + 3 : top + CELL, left:] = page[top + 3 :, left : left + CELL] = 128

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


def test_single_numbers_are_no_witnesses_for_digits_that_they_decide() -> None:
    """Nine times a 4 that may be a 7 beside seven nines is a board of filled cells alone: one solution, and nonsense."""
    scene = Scene(np.full((300, 300, 3), 255, np.uint8))
    rows, cols = (
        Band(((Number(value, 1.0, None),),) * lines, Box(0, 0, 9, 9)) for value, lines in ((7, 9), (9, 7))
    )

    board._require_nonogram(scene, rows, cols, unique=True, decided=False)
    with pytest.raises(UncertainReading, match="another puzzle"):
        board._require_nonogram(scene, rows, cols, unique=True, decided=True)


def test_ways_that_are_the_same_numbers_are_one() -> None:
    one, other = (Band(((Number(value, 1.0, None),),), Box(0, 0, 9, 9)) for value in (11, 2))

    assert _unlike(Ways([lambda: one] * 6 + [lambda: other])) == [one, other]


def test_digits_of_a_number_above_a_column_may_be_far_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """In pixel fonts the digits of a 10 are 1.1 heights apart, farther than two numbers are in others."""
    puzzle = puzzle_of(
        "#.##.#.##. ####.#..## #..###.#.# #.####..## ####.#.#.# #.#..#.#.# ##.####..# #.#.##.##. ####.#..## #.##.#.#.#"
    )

    def spaced(page: Pixels, run: int, right: int, y: int) -> int:
        for digit in reversed(str(run)):
            right = number(page, int(digit), right, y) - 4
        return right + 4

    monkeypatch.setattr(looks, "number", spaced)

    assert read(Frame(drawn(puzzle, {})), PROFILE).puzzle == puzzle


def test_faint_pieces_of_a_drawing_between_the_numbers_are_no_digits() -> None:
    """They stand where no number does: lower in their rows, and between two numbers of a column."""
    page = drawn(PUZZLE, {})
    for value, x, y in ((4, LEFT - 80, TOP + 31), (1, LEFT - 60, TOP + 118), (9, LEFT - 75, TOP + 205)):
        cv2.putText(page, str(value), (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (175, 175, 175), 1, cv2.LINE_AA)
    cv2.putText(
        page, "4", (corner(0, 2, 0)[0] + 8, TOP - 30), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (175, 175, 175), 1
    )

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


def test_pale_numbers_of_finished_columns_below_a_heading_are_clues() -> None:
    """No other column has two: from a number to the heading above it is no step down from one to the next."""
    puzzle, cell, left, top = puzzle_of("##### ##.#. ##..# #...# ...##"), 130, 260, 560
    page = np.full((1500, 1080, 3), 255, np.uint8)
    for line in range(6):
        cv2.line(page, (left, top + line * cell), (left + 5 * cell, top + line * cell), (90, 90, 90), 2)
        cv2.line(page, (left + line * cell, top), (left + line * cell, top + 5 * cell), (90, 90, 90), 2)

    def put(text: str, x: int, y: int, ink: int) -> None:
        cv2.putText(page, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 1.9, (ink,) * 3, 4, cv2.LINE_AA)

    for row, clue in enumerate(puzzle.rows):
        for nth, run in enumerate(reversed(clue), 1):
            put(str(run), left - 20 - 80 * nth, top + row * cell + 85, 20)
    for col, clue in enumerate(puzzle.cols):
        for nth, run in enumerate(reversed(clue), 1):
            put(str(run), left + col * cell + 45, top + 80 - 110 * nth, 170 if len(clue) > 1 else 20)
    put("12", left + 180, 160, 20)

    assert read(Frame(page), PROFILE).puzzle == puzzle


@pytest.mark.parametrize("blurred", [1.0, 1.4])
def test_no_digit_is_decided_on_a_smaller_board_while_lines_show_beyond_it(blurred: float) -> None:
    """The last row and column have no numbers, and a soft picture loses the outermost line."""
    puzzle = puzzle_of(
        "..#####... .#######.. ##.###.##. ##.###.##. #########. #.#####.#. ##.###.##. .##...##.. ..#####... .........."
    )
    left, top, cell, font = 110, 90, 30, cv2.FONT_HERSHEY_SIMPLEX
    page = np.full((top + 10 * cell + 30, left + 10 * cell + 160, 3), 17, np.uint8)
    filled = nonogram.solve(puzzle).solution.filled
    for at in CELLS:
        x, y = left + at.col * cell, top + at.row * cell
        page[y : y + cell, x : x + cell] = 255 if at in filled else 0
        for rise in (1, -1) if at not in filled else ():
            ends = (x + 3, y + cell // 2 - 12 * rise), (x + cell - 3, y + cell // 2 + 12 * rise)
            cv2.line(page, *ends, (30, 30, 30), 1, cv2.LINE_AA)
    for nth in range(11):
        page[top + nth * cell, left : left + 10 * cell + 1] = 110
        page[top : top + 10 * cell + 1, left + nth * cell] = 110

    def put(text: str, middle: float, y: int) -> None:
        wide = cv2.getTextSize(text, font, 0.45, 1)[0][0]
        cv2.putText(page, text, (round(middle - wide / 2), y), font, 0.45, (220, 220, 220), 1, cv2.LINE_AA)

    for nth, clue in enumerate(puzzle.rows):
        text = ", ".join(map(str, clue))
        put(
            text, left - 10 - cv2.getTextSize(text, font, 0.45, 1)[0][0] / 2, top + nth * cell + cell // 2 + 4
        )
    for nth, clue in enumerate(puzzle.cols):
        for place, run in enumerate(reversed(clue)):
            put(str(run), left + nth * cell + cell / 2, top - 14 - 16 * place)
    soft = cv2.resize(cv2.GaussianBlur(page, (0, 0), blurred), None, fx=1.3, fy=1.3)

    try:
        reading = read(Frame(np.asarray(soft, np.uint8)), PROFILE)
    except (BoardNotFound, UncertainReading):
        return

    assert reading.puzzle == puzzle


def test_a_column_of_which_less_than_half_is_on_the_picture_is_none() -> None:
    page = drawn(PUZZLE, {})[:, : LEFT + 10 * (CELL + 1) + CELL // 3]
    comb = Comb(LEFT - 0.5, CELL + 1.0, 12)
    beyond = Grid(comb, Comb(TOP - 0.5, CELL + 1.0, 11))

    assert board._read_cells(Scene(page), beyond, PROFILE, framed=False, thorough=False) is None


def test_a_board_in_its_frame_is_read_on_a_texture() -> None:
    board_ = drawn(PUZZLE, {})
    high, wide = board_.shape[:2]
    rng = np.random.default_rng(5)
    page = np.full((high + 300, wide + 600, 3), PAPER, np.uint8)
    for x, y, length, turn in zip(
        *(rng.integers(0, most, 9000) for most in (wide + 600, high + 300, 12, 4)), strict=True
    ):
        dx, dy = ((length, 0), (0, length), (length, length), (-length, length))[turn]
        cv2.line(page, (int(x), int(y)), (int(x + dx), int(y + dy)), INK, 2)
    # Around the board and its clues, as near as the last lines are.
    end = corner(10, 10, 0)
    page[150 + 40 : 150 + end[1] + 2, 300 + 60 : 300 + end[0] + 2] = board_[40 : end[1] + 2, 60 : end[0] + 2]
    cv2.rectangle(page, (300 + 58, 150 + 38), (300 + end[0] + 2, 150 + end[1] + 2), INK, 4)

    reading = read(Frame(page), PROFILE)

    assert (reading.puzzle, reading.doubtful) == (PUZZLE, ())
    assert claim(scene_of(Frame(page))) is not None


def without_end_lines(puzzle: Nonogram) -> Pixels:
    """A board whose last row and column no line closes."""
    page = drawn(puzzle, {})
    right, bottom = corner(puzzle.height, puzzle.width, 0)
    page[:, right - 1 :], page[bottom - 1 :] = PAPER, PAPER
    return page


def test_the_last_row_and_column_need_no_line_that_closes_them() -> None:
    page = without_end_lines(PUZZLE)
    # Where a further row would have its clue.
    number(page, 10, LEFT - 12, corner(PUZZLE.height, 0, 0)[1] + CELL // 2)
    assert read(Frame(page), PROFILE).puzzle == PUZZLE


@pytest.mark.parametrize("lines", [1, 2])
def test_a_board_that_ends_with_its_page_between_two_lines_is_not_taken_for_whole(lines: int) -> None:
    page = drawn(PUZZLE, {})
    right, _ = corner(0, PUZZLE.width - lines, 0)
    page[:, right - 1 :] = PAPER
    with pytest.raises((UncertainReading, BoardNotFound)):
        read(Frame(page), PROFILE)


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right"])
def test_a_line_without_a_clue_whose_own_lines_are_faint_belongs_to_the_board(side: str) -> None:
    """Strong compression leaves the lines between cells left alone fainter than those beside filled ones."""
    rows, cols = PUZZLE.rows, PUZZLE.cols
    before, after = ((),) * (side in ("top", "left")), ((),) * (side in ("bottom", "right"))
    upright = side in ("top", "bottom")
    puzzle = Nonogram((*before, *rows, *after), cols) if upright else Nonogram(rows, (*before, *cols, *after))
    filled = {
        Square(at.row + upright * len(before), at.col + (not upright) * len(before)) for at in SOLUTION.filled
    }
    page = drawn(puzzle, dict.fromkeys(filled, "#"))
    page[(page == LINE).all(axis=2)] = (247, 247, 247)

    reading = read(Frame(page), PROFILE)

    assert reading.puzzle == puzzle
    assert reading.placed.filled == filled


@pytest.mark.parametrize(("side", "nth", "clue"), [(12, 5, (1, 10)), (15, 3, (10, 2)), (15, 4, (1, 12))])
def test_two_numbers_that_stand_as_near_as_digits_of_one_are_two_where_one_is_too_long(
    side: int, nth: int, clue: tuple[int, ...]
) -> None:
    """Numbers in equal boxes: a 10 fills its own, and nearly touches the 1 beside it. No number begins with a nought, and of
    two ways to part a 112 one has a solution."""
    puzzle, _ = chance.puzzle_of(side, nth)
    row = puzzle.rows.index(clue)
    page = drawn(puzzle, {})
    y = corner(row, 0, 0)[1]
    page[y : y + CELL, : corner(0, 0, 0)[0] - 1] = PAPER
    number(page, int("".join(map(str, clue))), corner(0, 0, 0)[0] - 11, y + CELL // 2)

    reading = read(Frame(page), PROFILE)

    assert reading.puzzle == puzzle
    assert reading.remarks == ("numbers that are longer than their rows are two each",)


@pytest.mark.parametrize(("deep", "wide"), [(4, 3), (2, 4)])
def test_boxes_of_clues_right_and_below_with_an_empty_corner_between_them(deep: int, wide: int) -> None:
    """The lattice had gone on over the deeper ones alone. deep: boxes below each column; wide: right of each row."""
    page = np.full((620, 620, 3), PAPER, np.uint8)
    side = 30

    def box(row: int, col: int, run: int | None, ground: int) -> None:
        x, y = 60 + col * side, 60 + row * side
        cv2.rectangle(page, (x, y), (x + side, y + side), (ground,) * 3, -1)
        cv2.rectangle(page, (x, y), (x + side, y + side), (150, 150, 150), 1)
        if run is not None:
            number(page, run, x + side // 2 + width_of(run) // 2 + 1, y + side // 2)

    for row in range(PUZZLE.height):
        for col in range(PUZZLE.width):
            box(row, col, None, 255)
    for row, clue in enumerate(PUZZLE.rows):
        for nth in range(wide):
            box(row, PUZZLE.width + nth, clue[nth] if nth < len(clue) else None, 225)
    for col, clue in enumerate(PUZZLE.cols):
        for nth in range(deep):
            box(PUZZLE.height + nth, col, clue[nth] if nth < len(clue) else None, 225)

    assert read(Frame(page), PROFILE).puzzle == PUZZLE


@pytest.mark.parametrize(("wide", "further", "told"), [(2, 0, True), (0, 0, False), (2, 1, False)])
def test_thick_lines_tell_that_lines_without_numbers_belong_to_the_board(
    wide: int, further: int, told: bool
) -> None:
    """Two at both ends have none. Without thick lines, or with one beyond the last of them, the board may be smaller."""
    rows = (), (), (2,), (4, 2), (1, 4), (2, 1), (4,), (1, 1), (), ()
    cols = (), (), (2,), (2, 1), (5,), (2, 2), (3,), (2, 2), (1,), ()
    puzzle = Nonogram((*rows, *((),) * further), cols)
    frame = Frame(drawn(puzzle, {}, wide=wide))

    if told:
        assert read(frame, PROFILE).puzzle == puzzle
    else:
        with pytest.raises(UncertainReading, match="smaller than it looks"):
            read(frame, PROFILE)


DARK, BOX, PALE, CELL_GREY, GAP = (28, 28, 28), (1, 1, 140), (180, 184, 236), (205, 205, 205), (160, 160, 160)


def old_screen(puzzle: Nonogram, scan_lines: float = 0.0, side: int = 44) -> Pixels:
    """A board with its columns' clues in dark boxes as large as its cells, its rows' on one dark ground.

    scan_lines: by which share every second row of px is darker.
    """
    deep, left = max(map(len, puzzle.cols)), 190
    top = 100 + deep * side
    right, bottom = left + puzzle.width * side, top + puzzle.height * side
    page = np.full((bottom + 40, right + 60, 3), DARK, np.uint8)
    page[top - deep * side : top, left:right] = BOX
    page[top:bottom, left - 130 : left] = BOX
    page[top:bottom, left:right] = CELL_GREY
    for at in range(1, max(puzzle.width, puzzle.height)):
        if at < puzzle.width:
            x = left + at * side
            page[top:bottom, x - 3 : x] = GAP
            page[top - deep * side : top, x - 3 : x] = (0, 0, 100)
        if at < puzzle.height:
            page[top + at * side - 3 : top + at * side, left:right] = GAP
    for above in range(1, deep):
        page[top - above * side - 3 : top - above * side, left:right] = (0, 0, 100)
    for row, clue in enumerate(puzzle.rows):
        for place, run in enumerate(reversed(clue or (0,))):
            write(page, str(run), Point(left - 22.0 - 40 * place, top + (row + 0.5) * side), 20.0, PALE)
    for col, clue in enumerate(puzzle.cols):
        for place, run in enumerate(reversed(clue or (0,))):
            write(page, str(run), Point(left + (col + 0.5) * side, top - (place + 0.5) * side), 20.0, PALE)
    page[1::2] = (page[1::2] * (1 - scan_lines)).astype(np.uint8)
    return page


ISLAND = puzzle_of(
    ".......... .......... .###.#.... ##.#.###.. .##.#####. ########## #####.###. .###.#.... .......... .........."
)


@pytest.mark.parametrize("numbered", [False, True])
def test_rows_of_boxes_are_told_by_their_ground_where_a_quick_look_sees_no_digits(
    numbered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Light digits on dark boxes over light cells: a heading above was taken for more of the columns' numbers.

    numbered: beside the boxes stand numbers as well; then they are cells that are filled.
    """
    page = old_screen(ISLAND)
    for row in range(2 * numbered):
        write(page, "4", Point(168.0, 122.0 + 44 * row), 20.0, PALE)
    scene = Scene(page)
    (grid,) = scene.grids()
    monkeypatch.setattr(clues, "_digits_shown", lambda *_: np.zeros((12, 10), np.bool_))

    assert (grid.rows, clues.without_boxes(scene, grid).rows) == (12, 12 if numbered else 10)


@pytest.mark.parametrize("darker", [0.1, 0.2, 0.35])
def test_scan_lines_of_an_old_screen_are_looked_past(darker: float) -> None:
    reading = read(Frame(old_screen(ISLAND, darker)), PROFILE)

    assert (reading.puzzle, reading.doubtful) == (ISLAND, ())


def in_chips(puzzle: Nonogram, levels: int, pitch: float = 78.6) -> Pixels:
    """A board whose clues stand in chips of another colour, those of the columns in line with its cells, which are fainter.

    levels: by which the lines between cells are darker than these, between px.
    """
    ground, finer, left, top = (15, 188, 155), 10, 190, 180
    high, wide = top + puzzle.height * 80 + 60, left + puzzle.width * 80 + 60
    large = np.full((high * finer, wide * finer, 3), ground, np.uint8)
    first, end = np.array((top, left)) * finer, np.array((puzzle.height, puzzle.width)) * round(pitch * finer)
    large[first[0] - 140 : (first + end)[0], first[1] - 140 : (first + end)[1]] = (
        15,
        188 - levels,
        155 - levels,
    )
    for row in range(puzzle.height):
        for col in range(puzzle.width):
            y, x = first + np.array((row, col)) * round(pitch * finer)
            large[y : y + 644, x : x + 644] = ground
    page = np.asarray(cv2.resize(large, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
    places = [(clue, left - 94, top + 25 + row * 80, 57, 43) for row, clue in enumerate(puzzle.rows)]
    places += [(clue, left - 3 + col * 80, top - 95, 55, 66) for col, clue in enumerate(puzzle.cols)]
    for clue, x, y, wide, high in places:
        page[y : y + high, x : x + wide] = (15, 56, 15)
        page[y + 6 : y + high - 6, x + 6 : x + wide - 6] = (48, 98, 48)
        text = " ".join(map(str, clue or (0,)))
        write(page, text, Point(x + wide / 2, y + high / 2), 11.0, (15, 172, 139))
    return page


@pytest.mark.parametrize("levels", [15, 16])
def test_faint_numbers_on_chips_beside_fainter_cells_are_read(levels: int) -> None:
    """The frames of the chips were taken for a part of the numbers."""
    heart = puzzle_of("##.## ##### ##### .###. ..#..")

    reading = read(Frame(in_chips(heart, levels)), PROFILE)

    assert (reading.puzzle, reading.doubtful) == (heart, ())


def test_words_whose_lines_are_nearer_to_each_other_than_the_numbers_do_not_end_these() -> None:
    """Of fifteen columns four have two numbers: from one line of the words down to the next is the more frequent step."""
    puzzle = puzzle_of(
        "..........###.. ..........###.. ..........####. ..........##### ..........##### ............### "
        "######......### ######......### ######......... .#####......... .##............ ........###.... "
        "...########.... ...########.... ...######......"
    )
    left, top, cell = 120, 330, 34
    page = np.full((top + 15 * cell + 60, left + 15 * cell + 180, 3), 38, np.uint8)
    for at in range(16):
        page[top + at * cell, left : left + 15 * cell + 1] = 62
        page[top : top + 15 * cell + 1, left + at * cell] = 62
    for y in range(110, 180, 21):
        write(
            page,
            "no line solves by simple counting alone; expect to cross",
            Point(370.0, y),
            14.0,
            (140, 140, 140),
        )
    for row, clue in enumerate(puzzle.rows):
        for nth, run in enumerate(reversed(clue)):
            write(
                page, str(run), Point(left - 14.0 - 15 * nth, top + 17.0 + row * cell), 13.0, (170, 170, 170)
            )
    for col, clue in enumerate(puzzle.cols):
        for nth, run in enumerate(reversed(clue)):
            write(
                page, str(run), Point(left + 17.0 + col * cell, top - 15.0 - 31 * nth), 13.0, (170, 170, 170)
            )

    assert read(Frame(page), PROFILE).puzzle == puzzle
