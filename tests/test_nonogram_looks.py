"""What stands in the cells of nonograms of other programs: marks off the middle, highlights, finished boards."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import pytest

import boardsight
from bot.actions import Tap
from bot.practice.nonogram import SKINS, NonogramBoard, practice
from bot.scorecard.spoil import as_jpeg
from solver import nonogram
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame, Pixels, Point
from vision.measures.borders import Borders
from vision.measures.highlights import unlit
from vision.measures.looks import Sample, SharedLook, grouped, measured, sample
from vision.profile import Profile
from vision.readers.nonogram.again import reread
from vision.readers.nonogram.board import read
from vision.readers.nonogram.claim import claim
from vision.readers.nonogram.clues import columns_beside, rows_beside
from vision.readers.nonogram.corrections import witness_of
from vision.readers.nonogram.inks import strong_inks
from vision.readers.nonogram.meanings import Meaning, Possible, Witness, by_samples, meanings
from vision.readers.nonogram.told import BoardReading
from vision.reading import Geometry
from vision.scene import Scene

PROFILE = Profile("nonogram", "default")
PUZZLE = nonogram.parse("10x10:3.4/1.3/2/1.3/4.2/3.2/2/4/5.3/4.4/2.6/1.6/1.2.3/2.3/1/1/1.2/2.3.2/6.2/4")
SOLUTION = nonogram.solve(PUZZLE).solution
LEFT, TOP, CELL = 150, 150, 28
# Where rows have six numbers: OpenCV 4 writes wider, and the page's edge would cut the sixth.
NEARER = 4
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
    ink: tuple[int, int, int] = INK,
    struck: bool = False,
    near: int = 10,
    sign: tuple[int, int, int] = INK,
) -> Pixels:
    """A board with `#` and `x` in some cells.

    rise: crosses stand so many px above the middle. struck: one line through all numbers of each row.
    near: px between the rows' last numbers and the grid. sign: the colour of crosses.
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
                page[y : y + CELL, x : x + CELL] = ink
            elif signs.get(cell) == "x":
                a, b, mid = x + 9, x + CELL - 9, y + CELL // 2 - rise
                cv2.line(page, (a, mid - 5), (b, mid + 5), sign, 2, cv2.LINE_AA)
                cv2.line(page, (a, mid + 5), (b, mid - 5), sign, 2, cv2.LINE_AA)
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


@pytest.mark.parametrize("levels", [8, 12, 16, 24])
@pytest.mark.parametrize("quality", [60, 90])
def test_crosses_so_pale_that_no_single_one_is_seen_are_seen_together(levels: int, quality: int) -> None:
    signs = played(crosses=True, every=2)
    pale = PAPER[0] - levels, PAPER[1] - levels, PAPER[2] - levels

    page = as_jpeg(quality)(drawn(PUZZLE, signs, sign=pale))
    reading = read(Frame(page), Profile("nonogram", "default"))

    assert reading.puzzle == PUZZLE
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


def test_crosses_off_the_middle_of_their_cells_are_crosses() -> None:
    signs = played(crosses=True, every=3)

    reading = read(Frame(drawn(PUZZLE, signs, wide=4, rise=4)), Profile("nonogram", "default"))

    assert reading.puzzle == PUZZLE
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


@pytest.mark.parametrize(("wide", "high"), [(2, 2), (5, 1)])
def test_small_dots_and_dashes_in_the_middle_of_cells_are_marks(wide: int, high: int) -> None:
    signs = played(crosses=True, every=3)
    page = drawn(PUZZLE, dict.fromkeys(placed(signs, "#"), "#"))
    for cell in placed(signs, "x"):
        (x, y), (right, down) = corner(cell.row, cell.col, 0), ((CELL - wide) // 2, (CELL - high) // 2)
        page[y + down : y + down + high, x + right : x + right + wide] = (40, 40, 170)

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


@pytest.mark.parametrize("count", [2, 6])
def test_dots_that_a_program_has_beside_its_crosses_are_in_doubt(count: int) -> None:
    """They say perhaps; as even as the crosses, they were told as some."""
    signs = played(crosses=True, every=3)
    free = [cell for cell in sorted(SOLUTION.filled | SOLUTION.blank) if cell not in signs]
    page = drawn(PUZZLE, dict.fromkeys(placed(signs, "#"), "#"))
    dotted = frozenset(free[:: len(free) // count][:count])
    assert dotted & SOLUTION.filled and dotted & SOLUTION.blank
    for cell in placed(signs, "x") | dotted:
        x, y = (at + CELL // 2 for at in corner(cell.row, cell.col, 0))
        if cell in dotted:
            cv2.circle(page, (x, y), 4, (40, 160, 220), -1, cv2.LINE_AA)
        else:
            cv2.line(page, (x - 4, y - 4), (x + 4, y + 4), (150, 150, 150), 2, cv2.LINE_AA)
            cv2.line(page, (x - 4, y + 4), (x + 4, y - 4), (150, 150, 150), 2, cv2.LINE_AA)

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert frozenset(reading.doubtful) == dotted
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


def test_pale_crosses_are_crosses_where_no_cell_is_left_without_one() -> None:
    """Soft edges make some of them stronger than others."""
    signs = played(crosses=True)
    page = drawn(PUZZLE, dict.fromkeys(placed(signs, "#"), "#"))
    for nth, cell in enumerate(sorted(SOLUTION.blank)):
        (x, y), pale = corner(cell.row, cell.col, 0), (190 if nth % 6 == 0 else 215,) * 3
        for a, b in ((10, CELL - 11), (CELL - 11, 10)):
            cv2.line(page, (x + 10, y + a), (x + CELL - 11, y + b), pale, 1)

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert (reading.placed.filled, reading.placed.blank) == (SOLUTION.filled, SOLUTION.blank)


def test_a_highlight_on_a_finished_board_makes_no_cell_marked() -> None:
    signs, cell = played(crosses=False), min(SOLUTION.blank)

    reading = read(
        Frame(drawn(PUZZLE, signs, highlit={cell: (170, 225, 235)})), Profile("nonogram", "default")
    )

    assert (reading.placed.filled, reading.placed.blank) == (SOLUTION.filled, frozenset())
    assert reading.doubtful == (cell,) and not reading.unknown


def test_one_cell_of_a_strong_colour_on_an_empty_board_is_in_doubt() -> None:
    cell = min(SOLUTION.blank)

    reading = read(Frame(drawn(PUZZLE, {}, highlit={cell: (150, 230, 250)})), Profile("nonogram", "default"))

    assert reading.doubtful == (cell,)
    assert not reading.placed.filled


def test_a_cell_in_doubt_hinders_no_solution_but_a_hint() -> None:
    page = drawn(PUZZLE, {}, highlit={min(SOLUTION.blank): (150, 230, 250)})
    seen = boardsight.read(page, game="nonogram")

    assert boardsight.solve(seen).answer.solution == SOLUTION
    with pytest.raises(UncertainReading):
        boardsight.hint(seen)


def test_an_untouched_board_most_of_which_is_to_be_filled_is_empty() -> None:
    puzzle = Nonogram(((1, 2), (4,), (4,), (4,)), ((4,), (3,), (4,), (4,)))

    reading = read(Frame(drawn(puzzle, {})), Profile("nonogram", "default"))

    assert (reading.puzzle, reading.doubtful, reading.placed.filled) == (puzzle, (), frozenset())


def test_one_line_through_all_numbers_of_a_row_parts_into_struck_digits() -> None:
    reading = read(Frame(drawn(PUZZLE, {}, struck=True)), Profile("nonogram", "default"))

    assert reading.puzzle == PUZZLE


def test_numbers_right_beside_the_grid_are_read() -> None:
    reading = read(Frame(drawn(PUZZLE, {}, near=0)), Profile("nonogram", "default"))

    assert reading.puzzle == PUZZLE


@pytest.mark.parametrize("share", [0.0, 0.02, 0.04])
@pytest.mark.parametrize("size", [30, 72, 120])
def test_a_thin_cross_a_little_off_the_middle_is_a_cross(size: int, share: float) -> None:
    off, thin = round(share * size), max(size // 60, 1)
    cell = np.full((size, size, 3), (58, 48, 44), np.uint8)
    for a, b in (((0, 0), (size, size)), ((0, size), (size, 0))):
        cv2.line(cell, (a[0], a[1] + off), (b[0], b[1] + off), (170, 170, 175), thin, cv2.LINE_AA)

    seen = sample(cell, Geometry({Square(0, 0): Point(size / 2, size / 2)}, size), Square(0, 0))

    assert seen.marked


@pytest.mark.parametrize("gamma", [0.6, 0.7, 1.4, 1.7])
@pytest.mark.parametrize("blanks", [True, False])
def test_a_finished_window_of_the_collection_is_read_under_any_gamma(gamma: float, blanks: bool) -> None:
    board = practice(random.Random(3), skin="sgt", size=(8, 8))
    for cell in sorted(nonogram.solve(board.puzzle).solution.filled):
        board.act(Tap(board.centre(cell)), 0.0)
    if blanks:
        for cell in sorted(nonogram.solve(board.puzzle).solution.blank):
            board.act(Tap(board.centre(cell), button="right"), 0.0)
    shades = (255 * (np.arange(256) / 255.0) ** gamma).round().astype(np.uint8)

    reading = read(Frame(shades[board.render(9.0)]), Profile("nonogram", "default"))

    assert (reading.ui, reading.doubtful, reading.placed) == ("sgt", (), board.picture)


def test_thick_lines_in_the_filled_cells_colour_are_not_hidden_between_those() -> None:
    """White cells on black, some of them with a gap beside their lines: a few are side by side at a thick white one."""
    page = 255 - drawn(PUZZLE, {}, wide=2)
    x, y = (at - 3 for at in corner(5, 5, 2))
    right, bottom = corner(10, 10, 2)
    page[TOP - 1 : bottom, LEFT - 1 : right] = (127, 127, 127)
    for cell in sorted(SOLUTION.filled | SOLUTION.blank):
        left, top = corner(*cell, 2)
        own = page[top : top + CELL, left : left + CELL]
        own[:] = 0
        if cell in SOLUTION.filled:
            own[2 * (cell.row % 3 == 1) :, 2 * (cell.col % 3 == 1) :] = 255
    page[TOP:bottom, x : x + 3] = page[y : y + 3, LEFT:right] = 255

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert reading.doubtful == ()
    assert reading.placed.filled == SOLUTION.filled


def test_whether_a_finished_window_of_strange_greys_is_marked_is_in_doubt() -> None:
    board = practice(random.Random(3), skin="sgt", size=(8, 8))
    solution = nonogram.solve(board.puzzle).solution
    for cell in sorted(solution.filled):
        board.act(Tap(board.centre(cell)), 0.0)
    pixels = board.render(9.0)
    pixels[(pixels == 128).all(axis=2)] = 190

    reading = read(Frame(pixels), Profile("nonogram", "default"))

    assert set(reading.doubtful) == solution.blank
    assert reading.unknown == ()


def test_cells_of_a_colour_that_may_be_two_things_are_all_in_doubt() -> None:
    """Six empty cells of a pale colour: marked empty, or a highlight."""
    cells = sorted(SOLUTION.blank)[:6]

    reading = read(
        Frame(drawn(PUZZLE, {}, highlit=dict.fromkeys(cells, (190, 225, 235)))),
        Profile("nonogram", "default"),
    )

    assert set(reading.doubtful) <= set(cells)
    assert not reading.placed.filled
    assert all(reading.marks[cell].symbol in (None, ".", "") for cell in cells)


TWO_SOLUTIONS = nonogram.parse("6x6:6/6/6/3.1/2.1/2.1/6/6/4/3.1/3.1/4")


def tinted(page: Pixels, inks: Sequence[tuple[int, int, int]]) -> Pixels:
    """The clues of the rows in these inks by turns."""
    for row in range(TWO_SOLUTIONS.height):
        y = corner(row, 0, 0)[1]
        band = page[y : y + CELL, : LEFT - 2]
        shade = (255 - band.astype(float)) / (255 - np.array(INK))
        band[:] = (255 - shade * (255 - np.array(inks[row % len(inks)]))).clip(0, 255).astype(np.uint8)
    return page


def test_a_coloured_nonogram_is_not_taken_for_a_black_one() -> None:
    page = tinted(drawn(TWO_SOLUTIONS, {}), [(30, 30, 210), (190, 90, 20), (40, 150, 30)])

    with pytest.raises(UncertainReading, match="several strong colours"):
        read(Frame(page), Profile("nonogram", "default"))


def test_clues_that_change_their_colour_when_done_make_no_coloured_nonogram() -> None:
    page = tinted(drawn(TWO_SOLUTIONS, {}), [INK, (40, 150, 30)])

    assert read(Frame(page), Profile("nonogram", "default")).puzzle == TWO_SOLUTIONS


def test_bands_of_many_colours_behind_the_numbers_of_their_lines_make_no_coloured_nonogram() -> None:
    page = drawn(PUZZLE, {})
    light = np.array(((150, 160, 255), (120, 200, 255), (150, 240, 140), (255, 200, 120), (240, 150, 220)))
    for line in range(10):
        x, y = corner(line, line, 0)
        for part, colour in (
            (page[y : y + CELL, 10 : LEFT - 4], light[line % 5]),
            (page[10 : TOP - 4, x : x + CELL], light[(line + 2) % 5]),
        ):
            part[:] = part * (colour / 255.0)

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert (reading.puzzle, reading.doubtful) == (PUZZLE, ())


def fringed(page: Pixels, phase: int) -> Pixels:
    """Grey writing as a screen's subpixels show it: red, green and blue side by side. phase: where strokes begin, subpixels."""
    height, width = page.shape[:2]
    fine = np.where(
        cv2.resize(page[..., 1], (3 * width, height), interpolation=cv2.INTER_NEAREST) < 150, 0, 255
    )
    soft = cv2.blur(np.roll(fine, phase, axis=1).astype(np.uint8), (3, 1))
    return np.asarray(soft.reshape(height, width, 3)[..., ::-1], np.uint8)


def test_fringes_of_a_screens_subpixels_are_no_colours_of_clues() -> None:
    page = drawn(TWO_SOLUTIONS, {})
    page[TOP:, : LEFT - 2] = fringed(page[TOP:, : LEFT - 2], 1)
    page[: TOP - 2] = fringed(page[: TOP - 2], 2)
    scene = Scene(page)
    grid = scene.grids()[0]

    rows, cols = rows_beside(scene, grid, False, False)[0], columns_beside(scene, grid, False, False)[0]

    assert (rows.clues, cols.clues) == (TWO_SOLUTIONS.rows, TWO_SOLUTIONS.cols)
    assert strong_inks(Scene(page), rows, cols) == 0


def test_a_board_with_two_solutions_is_read_by_what_they_have_in_common() -> None:
    puzzle = TWO_SOLUTIONS
    answer = nonogram.solve(puzzle)
    assert nonogram.check(puzzle, answer.solution) == ()
    common = [cell for cell in sorted(answer.solution.filled) if cell.row < 3]

    reading = read(
        Frame(drawn(puzzle, dict.fromkeys(common, "#"), ink=(200, 160, 90))), Profile("nonogram", "default")
    )

    assert reading.puzzle == puzzle
    assert not reading.placed.filled - set(common)
    assert not reading.placed.blank


@pytest.mark.parametrize("where", ["filled", "blank"])
def test_one_pale_cell_on_an_empty_board_is_in_doubt_wherever_it_is(where: str) -> None:
    cell = min(SOLUTION.filled if where == "filled" else SOLUTION.blank)

    reading = read(Frame(drawn(PUZZLE, {}, highlit={cell: (165, 220, 240)})), Profile("nonogram", "default"))

    assert reading.doubtful == (cell,)


def test_crosses_that_are_drawn_unevenly_are_told_by_the_even_ones() -> None:
    signs = played(crosses=True, every=2)
    page = drawn(PUZZLE, signs)
    worn = sorted(placed(signs, "x"))[::5]
    for cell in worn:
        x, y = corner(cell.row, cell.col, 0)
        page[y + 5 : y + 13, x + 16 : x + CELL - 6] = PAPER

    reading = read(Frame(page), Profile("nonogram", "default"))

    seen = [reading.marks[cell].symbol for cell in worn]
    assert len(worn) >= 4 and set(seen) <= {".", None}
    assert reading.placed.filled == placed(signs, "#")


def test_several_cells_with_something_strange_in_them_are_in_doubt() -> None:
    page = drawn(PUZZLE, played(crosses=False, every=3))
    strange = sorted(SOLUTION.blank)[::6]
    for cell in strange:
        x, y = corner(cell.row, cell.col, 0)
        cv2.putText(page, "F", (x + 8, y + 20), cv2.FONT_HERSHEY_SIMPLEX, 0.5, INK, 1, cv2.LINE_AA)

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert set(reading.doubtful) == set(strange)


def test_a_filled_cell_of_which_little_shows_is_no_cross() -> None:
    """Small bevelled stones on paper: in one of them there is more paper than stone."""
    signs = played(crosses=True, every=2)
    page = drawn(PUZZLE, signs)
    stones = sorted(placed(signs, "#"))[:2]
    for cell in stones:
        x, y = corner(cell.row, cell.col, 0)
        page[y : y + CELL, x : x + CELL] = PAPER
        cv2.circle(page, (x + CELL // 2, y + CELL // 2), 7, INK, -1, cv2.LINE_AA)

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert not reading.placed.blank & set(stones)


@pytest.mark.parametrize("every", [1, 5, 15])
def test_crosses_far_above_the_middle_of_their_cells_are_crosses(every: int) -> None:
    """As the font has them: two of them were told as left alone, and more of them in doubt."""
    signs = played(crosses=True, every=every)
    page = cv2.resize(
        drawn(PUZZLE, dict.fromkeys(placed(signs, "#"), "#")), None, fx=2, fy=2, interpolation=cv2.INTER_AREA
    )
    for cell in placed(signs, "x"):
        x, y = (2 * at + CELL for at in corner(*cell, 0))
        for arm in (8, -8):
            cv2.line(page, (x - 8, y - 10 - arm), (x + 8, y - 10 + arm), (130, 130, 130), 3, cv2.LINE_AA)

    reading = read(Frame(np.asarray(page, np.uint8)), Profile("nonogram", "default"))

    assert not reading.doubtful
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


def test_the_last_row_of_crosses_off_its_middle_is_not_read_as_left_alone() -> None:
    signs = played(crosses=True)
    page = drawn(PUZZLE, signs)
    x, y = corner(9, 0, 0)
    right = corner(9, 10, 0)[0]
    page[y + 2 : y + CELL - 1, x:right] = page[y + 5 : y + CELL + 2, x:right].copy()

    reading = read(Frame(page), Profile("nonogram", "default"))

    crossed = placed(signs, "x")
    assert reading.placed.filled == placed(signs, "#")
    assert all(reading.marks[cell].symbol in (".", None) for cell in crossed)


def test_shades_beside_the_frame_that_are_taller_than_all_digits_are_no_numbers() -> None:
    page = drawn(PUZZLE, {}, near=14)
    for row in range(PUZZLE.height):
        y = corner(row, 0, 0)[1]
        page[y + 2 : y + CELL - 2, LEFT - 9 : LEFT - 5] = (190, 190, 190)

    reading = read(Frame(cv2.GaussianBlur(page, (0, 0), 0.6)), Profile("nonogram", "default"))

    assert reading.puzzle == PUZZLE


@pytest.mark.parametrize("inset", [6, 7])
def test_a_square_within_a_cell_of_another_shade_is_no_mark(inset: int) -> None:
    cell = np.full((32, 32, 3), (96, 66, 30), np.uint8)
    cell[inset:-inset, inset:-inset] = (255, 217, 0)

    seen = sample(cell, Geometry({Square(0, 0): Point(16, 16)}, 32), Square(0, 0))

    assert (seen.marked, seen.colour) == (False, (255, 217, 0))


def test_a_cell_is_measured_the_same_among_all_others_and_among_a_few() -> None:
    """Later looks measure only the cells that have changed: their edges were smoothed with those of other neighbours then."""
    page = drawn(PUZZLE, dict.fromkeys(sorted(SOLUTION.filled), "#") | dict.fromkeys(SOLUTION.blank, "x"))
    xs = [float(corner(0, col, 0)[0]) for col in range(PUZZLE.width + 1)]
    ys = [float(corner(row, 0, 0)[1]) for row in range(PUZZLE.height + 1)]
    some = np.arange(1, PUZZLE.width * PUZZLE.height, 3)

    every, few = measured(page, Borders(xs, ys)), measured(page, Borders(xs, ys), some)

    assert np.array_equal(every.shapes[some], few.shapes)
    assert np.array_equal(every.relief[some], few.relief)


@pytest.mark.parametrize("left", [5, 6, 7])
@pytest.mark.parametrize("wide", [18, 19, 20])
def test_a_block_a_little_off_the_middle_of_its_light_cell_is_no_mark(left: int, wide: int) -> None:
    """What the cell shows on two of its sides was told as drawn on a dark ground."""
    cell, black = np.full((33, 33, 3), (200, 235, 225), np.uint8), (10, 10, 10)
    cell[:3] = cell[-2:] = cell[:, :3] = cell[:, -2:] = black
    block = cell[8 : 7 + wide, left : left + wide]
    block[3:-3] = block[:, 3:-3] = black
    for x, y in product((3, wide - 4), (3, wide - 5)):
        cv2.circle(block, (x, y), 3, black, -1, cv2.LINE_AA)

    assert not sample(cell, Geometry({Square(0, 0): Point(16.5, 16.5)}, 33), Square(0, 0)).marked


def test_a_thick_line_that_reaches_into_its_column_is_no_drawing_in_it() -> None:
    pixels = np.full((261, 261, 3), 255, np.uint8)
    for at in range(3, 261, 32):
        pixels[at] = pixels[:, at] = 0
    pixels[:, 3 + 4 * 32 - 6 : 3 + 4 * 32] = 0
    edges = tuple(3.5 + 32 * step for step in range(9))

    looks = grouped(measured(pixels, Borders(edges, edges)), 8)

    assert [(len(look.cells), look.odd) for look in looks] == [(64, False)]


def test_rings_in_cells_are_marks() -> None:
    """What a frame leaves free is no filled cell where it is the colour of all the others."""
    page, ringed = drawn(PUZZLE, {}), sorted(SOLUTION.blank)[::3]
    for cell in ringed:
        x, y = corner(cell.row, cell.col, 0)
        cv2.rectangle(page, (x + 6, y + 6), (x + CELL - 7, y + CELL - 7), INK, 1)

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert reading.placed.filled == frozenset()
    assert all(reading.marks[cell].symbol in (".", None) for cell in ringed)


@pytest.mark.parametrize(("thick", "doubtful"), [(4, True), (-1, False)])
def test_one_ring_in_the_colour_of_filled_cells_is_not_told_as_one_of_them(
    thick: int, doubtful: bool
) -> None:
    """It leaves the corners of its cell free. A spot of the ground in a filled cell, as of the pointer, does not."""
    filled = sorted(SOLUTION.filled)[:3]
    page = drawn(PUZZLE, dict.fromkeys(filled, "#"))

    def inside(cell: Square) -> list[int]:
        x, y = corner(*cell, 0)
        return [int(level) for level in page[y + 9, x + 9]]

    ring, spot = sorted(SOLUTION.blank)[20], filled[1]
    cell, colour = (ring, inside(spot)) if doubtful else (spot, inside(ring))
    x, y = corner(*cell, 0)
    cv2.circle(page, (x + CELL // 2, y + CELL // 2), 8 if doubtful else 4, colour, thick)

    reading = read(Frame(page), PROFILE)

    assert (cell in reading.doubtful) == doubtful
    assert reading.placed.filled - set(reading.doubtful) == set(filled)


def test_a_line_of_the_picture_beneath_is_no_cross_though_filled_cells_have_their_relief() -> None:
    signs = dict.fromkeys(sorted(SOLUTION.filled)[:20], "#")
    page = drawn(PUZZLE, signs)
    for row, col in signs:
        x, y = corner(row, col, 0)
        cv2.rectangle(page, (x + 8, y + 8), (x + 19, y + 19), (150, 150, 158), -1)
    through = min(SOLUTION.blank)
    x, y = corner(*through, 0)
    cv2.line(page, (x + 6, y - 2), (x + 21, y + CELL + 1), (120, 120, 120), 2, cv2.LINE_AA)
    page[y - 1, x : x + CELL] = page[y + CELL, x : x + CELL] = LINE

    reading = read(Frame(page), Profile("nonogram", "test"))

    assert reading.placed.filled == signs.keys()
    assert not reading.placed.blank
    assert reading.doubtful == (through,)


@pytest.mark.parametrize(("row", "inset"), [(1, 5), (2, 6), (4, 5), (6, 4), (6, 6)])
def test_a_light_row_around_filled_cells_that_leave_their_ground_free_is_no_cover(
    row: int, inset: int
) -> None:
    signs = {cell for cell in SOLUTION.filled if cell.row <= row}
    page = drawn(PUZZLE, {})
    for cell in (Square(row, col) for row in range(10) for col in range(10)):
        x, y = corner(*cell, 0)
        for out, colour in ((1, (10, 10, 10)), (-1, (180, 180, 180)), (-2, (95, 203, 173))):
            light = (202, 237, 227) if cell.row == row and out == -2 else colour
            page[y - out : y + CELL + out, x - out : x + CELL + out] = light
        if cell in signs:
            page[y + inset : y + CELL - inset, x + inset : x + CELL - inset] = (22, 22, 22)
    board = np.s_[TOP - 2 : corner(10, 10, 0)[1] + 2, LEFT - 2 : corner(10, 10, 0)[0] + 2]
    page[board] = cv2.GaussianBlur(page[board], (0, 0), 0.5)

    reading = read(Frame(page), Profile("nonogram", "test"))

    assert reading.placed.filled == signs
    assert not reading.unknown


@pytest.mark.parametrize("row", [3, 5, 9])
def test_shadows_in_filled_cells_are_no_part_of_the_lines_between_them(
    row: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one column has many filled cells, and the next one few, the line was taken to be in their shadows."""
    monkeypatch.setattr(f"{__name__}.CELL", 51)
    signs = {cell for cell in SOLUTION.filled if cell.row <= row}
    page = drawn(PUZZLE, {})
    for cell in signs:
        x, y = corner(*cell, 0)
        for out, red in enumerate((37, 54, 74, 93, 108, 118, 129)):
            page[y + out : y + CELL - out, x + out : x + CELL - out] = (220 + red // 4, 180 + red // 4, red)

    reading = read(Frame(page), Profile("nonogram", "test"))

    assert reading.placed.filled == signs
    assert not reading.unknown


def test_set_back_cells_are_no_part_of_lines_that_wide_ones_cross(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of two px cut a seventeenth off each other's sides."""
    monkeypatch.setattr(f"{__name__}.CELL", 33)
    monkeypatch.setattr(f"{__name__}.LINE", (222, 216, 216))
    page = drawn(PUZZLE, {})
    for cell in product(range(10), repeat=2):
        x, y = corner(*cell, 0)
        page[y : y + CELL, x] = page[y, x : x + CELL] = LINE
        if cell in SOLUTION.filled:
            for inset, side in ((3, 5), (4, 4), (5, 3)):
                page[y + side : y + CELL - side + 1, x + inset : x + CELL - inset + 1] = (176, 63, 90)

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert reading.placed.filled == SOLUTION.filled
    assert not reading.doubtful
    assert reading.seen and np.abs(np.diff(reading.seen.borders.xs) - CELL - 1).max() < 1


@pytest.mark.parametrize("every", [0, 1, 3])
@pytest.mark.parametrize("down", [False, True])
def test_a_gradient_in_every_cell_is_nothing_drawn_in_it(down: bool, every: int) -> None:
    """From white to a dark grey: it was the same in a mirror as a dash is, and all cells were crossed out."""
    signs = played(crosses=True, every=every) if every else {}
    page = drawn(PUZZLE, signs)
    ramp = np.linspace(0, 130, CELL)[:, None, None] if down else np.linspace(0, 130, CELL)[:, None]
    for cell in (cell for cell in SOLUTION.filled | SOLUTION.blank if signs.get(cell) != "#"):
        x, y = corner(*cell, 0)
        page[y : y + CELL, x : x + CELL] = np.maximum(page[y : y + CELL, x : x + CELL] - ramp, 0)

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert not reading.doubtful
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


def test_what_is_drawn_on_a_gradient_may_be_lighter_than_white_without_it() -> None:
    """White on a dark end: it was counted among the colours of the next cell, and of the last cell nowhere (an error)."""
    page = np.empty((2 * CELL, 2 * CELL, 3))
    page[:] = np.tile(np.linspace(120, 250, CELL), 2)[:, None]
    page[CELL // 3 : CELL // 2] = page[CELL + CELL // 3 : CELL + CELL // 2] = 255

    cells = measured(page.astype(np.uint8), Borders([0, CELL, 2 * CELL], [0, CELL, 2 * CELL]))

    assert np.abs(cells.colours - 185).max() < 10


SHADES = (PAPER, (210, 240, 225), (175, 235, 200), (200, 215, 240))
TURNS: dict[str, Callable[[int, int], int]] = {
    "rows": lambda row, col: row % 2,
    "both": lambda row, col: row % 2 + col % 2,
    "chequered": lambda row, col: (row + col) % 2,
    "blocks": lambda row, col: (row // 5 + col // 5) % 2,
    "chequered blocks": lambda row, col: (row + col) % 2 + 2 * ((row // 5 + col // 5) % 2),
}


@pytest.mark.parametrize("crosses", [False, True])
@pytest.mark.parametrize("every", [0, 1, 3])
@pytest.mark.parametrize("turns", TURNS)
def test_grounds_that_take_turns_from_line_to_line_say_nothing_of_their_cells(
    turns: str, every: int, crosses: bool
) -> None:
    signs = played(crosses=crosses, every=every) if every else {}
    ground = {Square(row, col): SHADES[TURNS[turns](row, col)] for row in range(10) for col in range(10)}

    reading = read(Frame(drawn(PUZZLE, signs, highlit=ground)), Profile("nonogram", "default"))

    assert not reading.doubtful
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


@pytest.mark.parametrize(
    "clues",
    [
        "5x5:1.1/1.1.1/2.1/3/1/2/1.1/1.1/1.3/1.1",
        "6x6:1.1.1/1.1.1/2.1/1.2/1.1.1/1.1.1/3.1/1.1.1/1.1.1/1.2/1.1/1.1.1",
    ],
)
def test_two_strong_colours_that_take_turns_all_over_a_board_fill_nothing(clues: str) -> None:
    """Not even where the solution fills most cells of one of them, as if a player had made a few mistakes."""
    puzzle = nonogram.parse(clues)
    cells = [Square(row, col) for row in range(puzzle.height) for col in range(puzzle.width)]
    ground = {cell: (215, 215, 95) for cell in cells if TURNS["chequered"](*cell)}

    reading = read(Frame(drawn(puzzle, {}, highlit=ground)), Profile("nonogram", "default"))

    assert not reading.placed.filled


@pytest.mark.parametrize("mistakes", [0, 1])
def test_a_chequered_picture_that_was_entered_is_told_as_filled(mistakes: int) -> None:
    puzzle = nonogram.parse("5x5:1.1.1/1.1/1.1.1/1.1/1.1.1/1.1.1/1.1/1.1.1/1.1/1.1.1")
    filled = {Square(row, col) for row in range(5) for col in range(5) if not TURNS["chequered"](row, col)}
    entered = filled | {Square(0, 1)} if mistakes else filled

    reading = read(
        Frame(drawn(puzzle, dict.fromkeys(entered, "#"), ink=(215, 215, 95))), Profile("nonogram", "default")
    )

    assert reading.placed.filled == entered


@pytest.mark.parametrize("dirty", [1, 30])
def test_a_few_marks_among_much_dirt_may_be_dirt(dirty: int) -> None:
    blank = sorted(SOLUTION.blank)
    dirt = {
        cell: SharedLook((255.0, 255.0, 255.0), False, (cell,), odd=True) for cell in blank[2 : 2 + dirty]
    }
    mark = SharedLook((255.0, 255.0, 255.0), True, tuple(blank[:2]))
    left = sorted((SOLUTION.filled | SOLUTION.blank) - dirt.keys() - set(mark.cells))
    plain = SharedLook((255.0, 255.0, 255.0), False, tuple(left))

    meant = meanings(
        [plain, mark, *dirt.values()], Witness(PUZZLE, SOLUTION.filled, SOLUTION.blank), lines=None
    )

    assert meant[1] == (("blank",) if dirty == 1 else ("blank", "free"))


def counted_in_fives(puzzle: Nonogram, signs: Mapping[Square, str]) -> tuple[Pixels, set[Square]]:
    """A board that counts its lines, by fives, within the last cells of these; and those cells."""
    page = drawn(puzzle, signs, near=NEARER)
    counted = {Square(row, puzzle.width - 1): row + 1 for row in range(4, puzzle.height - 1, 5)}
    counted |= {Square(puzzle.height - 1, col): col + 1 for col in range(4, puzzle.width - 1, 5)}
    for cell, count in counted.items():
        x, y = corner(*cell, 0)
        at = x + CELL - 2 - width_of(count), y + CELL - 3
        cv2.putText(page, f"{count}", at, cv2.FONT_HERSHEY_SIMPLEX, 0.55, INK, 2, cv2.LINE_AA)
    return page, set(counted)


def test_lines_that_are_counted_within_their_last_cells_have_no_mark_there() -> None:
    puzzle = practice(random.Random(3), size=(25, 20)).puzzle

    page, _ = counted_in_fives(puzzle, {})
    reading = read(Frame(page), Profile("nonogram", "default"))

    assert reading.puzzle == puzzle
    assert not reading.doubtful
    assert not (reading.placed.filled | reading.placed.blank)


def test_a_count_within_a_cell_of_a_board_with_crosses_is_none_of_them() -> None:
    puzzle = practice(random.Random(3), size=(25, 20)).puzzle
    solution = nonogram.solve(puzzle).solution
    signs = dict.fromkeys(sorted(solution.filled)[::3], "#") | dict.fromkeys(sorted(solution.blank)[::4], "x")
    clear = counted_in_fives(puzzle, {})[1]
    signs = {cell: sign for cell, sign in signs.items() if cell not in clear}

    reading = read(Frame(counted_in_fives(puzzle, signs)[0]), Profile("nonogram", "default"))

    assert reading.placed.blank == placed(signs, "x")
    assert reading.placed.filled == placed(signs, "#")


def test_crosses_in_the_cells_where_some_programs_count_are_crosses() -> None:
    puzzle = practice(random.Random(3), size=(25, 20)).puzzle
    solution = nonogram.solve(puzzle).solution
    signs = dict.fromkeys(solution.filled, "#") | dict.fromkeys(solution.blank, "x")

    reading = read(Frame(drawn(puzzle, signs, near=NEARER)), Profile("nonogram", "default"))

    assert not reading.doubtful
    assert reading.placed.blank == solution.blank


def test_pale_rows_that_are_to_be_filled_are_no_stripes() -> None:
    puzzle = Nonogram(((10,), ()) * 5, ((1, 1, 1, 1, 1),) * 10)
    pale = {Square(row, col) for row in range(0, 10, 2) for col in range(10)}

    reading = read(
        Frame(drawn(puzzle, dict.fromkeys(pale, "#"), ink=(205, 205, 205))), Profile("nonogram", "default")
    )

    assert reading.placed.filled == pale or pale <= set(reading.doubtful)


@pytest.mark.parametrize("cross", [False, True])
def test_a_pale_line_alone_that_is_to_be_filled_may_be_highlit(cross: bool) -> None:
    puzzle = nonogram.parse("5x5:5/1/2/3/5/5/1.3/1.2/1.1/1.1")
    first = {Square(at, 0) for at in range(5) if cross} | {Square(0, at) for at in range(5)}

    pale, dark = (
        read(Frame(drawn(puzzle, {}, highlit=dict.fromkeys(first, shade))), Profile("nonogram", "default"))
        for shade in ((200, 225, 240), INK)
    )

    assert set(pale.doubtful) == first
    assert dark.placed.filled == first


@pytest.mark.parametrize("shade", [(120, 235, 245), (250, 225, 150)], ids=["yellow", "blue"])
def test_a_row_and_a_column_of_a_strong_colour_that_are_not_to_be_filled_are_highlit(
    shade: tuple[int, int, int],
) -> None:
    """They were told as filled before anything was entered."""
    puzzle = practice(random.Random(3), size=(15, 10)).puzzle
    row, col = (clues.index(min(clues, key=sum)) for clues in (puzzle.rows, puzzle.cols))
    lit = {Square(at, col) for at in range(10)} | {Square(row, at) for at in range(15)}

    reading = read(
        Frame(drawn(puzzle, {}, highlit=dict.fromkeys(lit, shade))), Profile("nonogram", "default")
    )

    assert not reading.doubtful and not reading.placed.filled


def test_the_rest_of_a_board_that_is_nearly_finished_is_left_alone() -> None:
    """Who sets cells to empty by a colour alone has hardly set the two that are to be filled as well."""
    puzzle = nonogram.parse("5x5:1.1/2.2/5/2.2/1.1/5/3/1/3/5")
    solution = nonogram.solve(puzzle).solution
    filled = solution.filled - {Square(0, 4), Square(4, 0)}

    reading = read(Frame(drawn(puzzle, dict.fromkeys(filled, "#"))), Profile("nonogram", "default"))

    assert (reading.placed.filled, reading.placed.blank, reading.doubtful) == (filled, frozenset(), ())


def test_cells_beside_one_of_another_look_are_not_all_set_to_empty() -> None:
    """Something round lies over the last cell that is to be filled; all other cells are filled, or plain."""
    signs = played(crosses=False)
    last = max(SOLUTION.filled)
    del signs[last]
    page = drawn(PUZZLE, signs, highlit={last: (128, 128, 128)})

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert reading.placed.filled == placed(signs, "#")
    assert not reading.placed.blank


def test_red_cells_beside_crosses_may_have_been_filled_wrongly() -> None:
    """Some programs paint what was entered wrongly in a colour of its own."""
    crossed, wrong = set(sorted(SOLUTION.blank)[::2]), set(sorted(SOLUTION.blank)[1:9:2])
    signs = dict.fromkeys(SOLUTION.filled, "#") | dict.fromkeys(crossed, "x")
    del signs[max(SOLUTION.filled)]
    page = drawn(PUZZLE, signs, highlit=dict.fromkeys(wrong, (60, 60, 225)))

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert wrong <= set(reading.doubtful)
    assert reading.placed.blank == crossed


@pytest.mark.parametrize("colour", [(0, 0, 255), (60, 160, 40)], ids=["red", "green"])
def test_cells_in_a_second_strong_colour_that_no_solution_is_sure_of_are_in_doubt(
    colour: tuple[int, int, int],
) -> None:
    """A program that makes puzzles paints what it could not conclude; filled and crossed is the rest."""
    puzzle = nonogram.parse(
        "10x10:3.1.1/2.3.1/2.1.3/1.3.1/4.4/2.2/1.5.1/1.1.1.1.1/3.1.1/2.2.1"
        "/1.2.4/1.1.2.2/2.6/1.2.1.1/2.1.1/3.3/1.3.1/5.1/1.1.1/2.1.3"
    )
    witness, _ = witness_of(puzzle)
    filled, blank = sorted(witness.filled)[1:], sorted(witness.blank)[1:]
    signs = dict.fromkeys(filled, "#") | dict.fromkeys(blank, "x")
    unknown = {Square(row, col) for row in range(10) for col in range(10)} - set(signs)
    page = drawn(puzzle, signs, highlit=dict.fromkeys(unknown, colour))

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert reading.placed == Picture(frozenset(filled), frozenset(blank))
    assert set(reading.doubtful) == unknown


@pytest.mark.parametrize(("period", "wide", "shift"), [(8, 3, 2), (11, 3, 5), (13, 4, 1)])
def test_hatched_cells_of_which_few_look_like_marks_are_not_told_as_left_alone(
    period: int, wide: int, shift: int
) -> None:
    """The stripes are pale, and the same upside down in some cells only; no texture leaves all other cells clean."""
    hatched = sorted(SOLUTION.blank)[::2]
    page = drawn(PUZZLE, dict.fromkeys(sorted(SOLUTION.filled)[::2], "#"))
    for number, cell in enumerate(hatched):
        x, y = corner(cell.row, cell.col, 0)
        stripes = (np.add.outer(np.arange(CELL), np.arange(CELL)) + number % 6 * shift) % period < wide
        page[y : y + CELL, x : x + CELL][stripes] = 218

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert set(hatched) <= set(reading.doubtful) | reading.placed.blank


@pytest.mark.parametrize("wide", [16, 17, 18])
@pytest.mark.parametrize("part", [0.2, 0.5, 0.8])
def test_hairlines_of_plus_signs_are_not_lost_between_the_px_that_are_looked_at(
    wide: int, part: float
) -> None:
    """At odd zooms cells are a px larger here and there."""
    pitch = wide + part
    at = [round(5 + pitch * number) for number in range(11)]
    page = np.full((at[-1] + 5, at[-1] + 5, 3), PAPER, np.uint8)
    for y, x in product(at[:-1], at[:-1]):
        page[y + wide // 2, x + 4 : x + wide - 3] = page[y + 4 : y + wide - 3, x + wide // 2] = 120

    assert (measured(page, Borders(at, at)).evenness >= 1.0).all()


def test_a_finished_board_of_which_nothing_is_known_proves_itself() -> None:
    """No cell is the same in all solutions, and just one of two colours makes a picture of the clues."""
    lines = ((1, 1), (1, 1), (1,), (1, 1), (1, 1))
    puzzle, rows = Nonogram(lines, lines), (".#.#.", "#...#", "..#..", "#...#", ".#.#.")
    finished = {Square(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "#"}
    page = drawn(puzzle, dict.fromkeys(finished, "#"), ink=(136, 136, 136))
    part = drawn(puzzle, dict.fromkeys(sorted(finished)[1:], "#"), ink=(136, 136, 136))

    told, doubted = (read(Frame(one), Profile("nonogram", "default")) for one in (page, part))

    assert (told.placed.filled, told.placed.blank, told.doubtful) == (finished, frozenset(), ())
    assert len(doubted.doubtful) == 25


def test_two_looks_that_could_change_their_meanings_are_in_doubt() -> None:
    """Where the clues have several solutions, most cells are left alone, or a few are."""
    cells = [Square(row, col) for row in range(10) for col in range(10)]
    white, black, yellow = cells[:84], cells[84:93], cells[93:]
    filled, blank = {*white[:2], yellow[0]}, {*white[2:72], *black[:7], *yellow[1:5]}
    looks = [
        SharedLook((255.0, 255.0, 255.0), False, tuple(white)),
        SharedLook((0.0, 0.0, 0.0), False, tuple(black)),
        SharedLook((27.0, 217.0, 250.0), False, tuple(yellow)),
    ]

    meant = meanings(looks, Witness(PUZZLE, frozenset(filled), frozenset(blank)), lines=None)

    assert {"free", "blank"} <= set(meant[0]) and {"free", "blank"} <= set(meant[1])


@pytest.mark.parametrize(("some", "meant"), [(9, ("free", "filled")), (40, ("free",))])
def test_white_cells_that_are_all_to_be_filled_are_in_doubt_where_their_ground_is_hidden(
    some: int, meant: Possible
) -> None:
    """Broad white crosses on a dark ground, over which something lies: the white cells were told as left alone.

    some: of the white cells; with more of them some are to be left empty.
    """
    cells = (*sorted(SOLUTION.filled)[: min(some, 9)], *sorted(SOLUTION.blank)[: some - 9])
    white, crosses = (255.0, 255.0, 255.0), tuple(sorted(SOLUTION.blank)[-5:])
    looks = [
        SharedLook(white, False, cells),
        SharedLook(white, True, crosses, leaves=208.0),
    ]

    told = meanings(looks, Witness(PUZZLE, SOLUTION.filled, SOLUTION.blank), lines=None)

    assert told == [meant, ("blank",)]


@pytest.mark.parametrize("veiled", [False, True])
def test_letters_in_the_colour_of_filled_cells_fill_none_where_these_have_another_by_now(
    veiled: bool,
) -> None:
    """A dark veil lies over a solved board, and a word on it has the bright colour that was learned."""
    filled, blank = sorted(SOLUTION.filled), sorted(SOLUTION.blank)
    bright, free, dim = (74.0, 222.0, 128.0), (26.0, 32.0, 56.0), (22.0, 66.0, 38.0)
    looks = [
        SharedLook(dim if veiled else bright, False, tuple(filled)),
        SharedLook(free, False, tuple(blank[1:])),
        SharedLook(bright, True, (blank[0],), odd=True),
    ]
    witness = Witness(PUZZLE, frozenset(filled), frozenset(blank))
    known: tuple[tuple[Meaning, Sample], ...] = (
        ("filled", Sample(bright, False)),
        ("free", Sample(free, False)),
    )

    meant = meanings(looks, witness, lines=None, known=known)

    assert meant[:2] == [("filled",), ("free",)]
    assert (meant[2] == ("filled",)) != veiled


def test_the_one_empty_cell_of_a_highlighted_column_of_crosses_is_left_alone() -> None:
    signs, col = played(crosses=True), 2
    # Nor is the board finished.
    for cell in (max(cell for cell in SOLUTION.blank if cell.col == col), *sorted(SOLUTION.filled)[:3]):
        del signs[cell]
    tint = {Square(row, col): (235, 225, 217) for row in range(10)}

    reading = read(Frame(drawn(PUZZLE, signs, highlit=tint)), Profile("nonogram", "default"))

    assert not reading.doubtful
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


def test_numbers_of_highlighted_lines_may_be_light_on_dark() -> None:
    page, wide = drawn(PUZZLE, {}), CELL + 1
    for at in range(10):
        # The bands end at the lines between them, and only a column and a row are as they were.
        if at != 6:
            page[: TOP - 1, LEFT + at * wide : LEFT + (at + 1) * wide - 1] ^= 255
        if at != 4:
            page[TOP + at * wide : TOP + (at + 1) * wide - 1, : LEFT - 1] ^= 255

    scene = Scene(page)
    grid = scene.grids()[0]

    assert columns_beside(scene, grid, False, True)[0].clues == PUZZLE.cols
    assert rows_beside(scene, grid, False, True)[0].clues == PUZZLE.rows
    assert read(Frame(page), Profile("nonogram", "default")).puzzle == PUZZLE


def test_a_board_of_which_some_numbers_are_light_and_others_dark_is_claimed() -> None:
    """The numbers of lines that are done, on bars of another colour."""
    page, wide = drawn(PUZZLE, {}), CELL + 1
    for at in (0, 1, 2, 5, 6, 8, 9):
        page[: TOP - 1, LEFT + at * wide : LEFT + (at + 1) * wide - 1] ^= 255
    for at in (1, 3, 4, 5, 6, 8, 9):
        page[TOP + at * wide : TOP + (at + 1) * wide - 1, : LEFT - 1] ^= 255

    assert claim(Scene(page)) is not None


def test_a_button_of_the_frame_above_a_column_is_no_number() -> None:
    puzzle = nonogram.parse("10x10:5/7/4/3/2.2/2.3/3.5/1.1.6/4/2/6/5/2.2/3/2.2/2.3/2.4/2.5/1.4/1.4")
    page = drawn(puzzle, {})
    left, top = corner(0, 9, 0)[0] + CELL // 2 - 4, TOP - 95
    for step in range(10):
        page[top + step, [left + step * 8 // 9, left + 8 - step * 8 // 9]] = INK

    scene = Scene(page)
    lines = columns_beside(scene, scene.grids()[0], False, False)[0].lines

    assert [[number.value for number in line] for line in lines] == [list(clue) for clue in puzzle.cols]


def highlighted(page: Pixels, row: int, col: int, times: int = 1) -> Pixels:
    """With a green veil over a row and a column of the board, and over its numbers; once or twice where they cross."""
    wide, result = CELL + 1, page.astype(np.float64)
    level = np.s_[TOP + row * wide : TOP + (row + 1) * wide - 1, : LEFT + 10 * wide]
    upright = np.s_[: TOP + 10 * wide, LEFT + col * wide : LEFT + (col + 1) * wide - 1]
    for strip in (level, upright):
        result[strip] = 0.8 * result[strip] + (0, 51, 0)
    if times == 1:
        both = level[0], upright[1]
        result[both] = 0.8 * page[both] + (0, 51, 0)
    return np.asarray(result.round(), np.uint8)


@pytest.mark.parametrize(("row", "col", "times"), [(8, 4, 2), (3, 0, 1), (0, 9, 2), (5, 5, 1)])
@pytest.mark.parametrize("every", [1, 3])
def test_cells_of_a_highlighted_row_and_column_are_as_all_others(
    row: int, col: int, times: int, every: int
) -> None:
    signs = played(crosses=True, every=every)

    page = highlighted(drawn(PUZZLE, signs), row, col, times)
    reading = read(Frame(page), Profile("nonogram", "default"))

    assert not reading.doubtful
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


@pytest.mark.parametrize("crosses", [True, False])
def test_a_highlighted_row_and_column_may_have_colours_of_their_own(crosses: bool) -> None:
    """Of filled and of empty cells another colour each, which no one veil makes."""
    signs, paper, ink = played(crosses=crosses, every=3), (190, 240, 255), (70, 48, 90)
    lit = {Square(row, col): paper for row, col in product(range(10), repeat=2) if row == 6 or col == 7}
    page = drawn(PUZZLE, signs, highlit=lit)
    page[(page == INK).all(axis=2) & (drawn(PUZZLE, {}, highlit=lit) == paper).all(axis=2)] = ink

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert not reading.doubtful
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


@pytest.mark.parametrize(("paper", "told"), [((168, 233, 255), True), ((0, 180, 255), False)])
@pytest.mark.parametrize("col", [2, 6])
def test_filled_cells_may_hide_a_highlight_of_empty_ones(
    paper: tuple[int, int, int], told: bool, col: int
) -> None:
    """All lines but the one under the pointer are done: other cells are not painted empty for that."""
    signs = {cell: "#" for cell in SOLUTION.filled if cell.row != 8}
    lit = {
        cell: paper
        for cell in map(Square._make, product(range(10), repeat=2))
        if cell.row == 8 or cell.col == col
    }

    reading = read(Frame(drawn(PUZZLE, signs, highlit=lit)), Profile("nonogram", "default"))

    assert (reading.placed.filled, reading.placed.blank) == (signs.keys(), set())
    assert bool(reading.doubtful) != told


def test_a_highlight_that_moves_changes_no_cell() -> None:
    signs, more = played(crosses=True, every=3), played(crosses=True, every=2)
    first = read(Frame(highlighted(drawn(PUZZLE, signs), 8, 4)), Profile("nonogram", "default"))

    frame = Frame(highlighted(drawn(PUZZLE, signs | more), 2, 7))
    later = reread(frame, first) or read(frame, Profile("nonogram", "default"))

    assert not later.doubtful
    assert (later.placed.filled, later.placed.blank) == (placed(signs | more, "#"), placed(signs | more, "x"))


def test_a_row_of_two_other_shades_that_no_veil_makes_is_none() -> None:
    """Grey and olive are not as far apart as paper and ink under any one veil."""
    pixels = np.full((121, 121, 3), 90, np.uint8)
    colours = np.array(
        [[[255, 255, 255], [40, 40, 48]][(row + col) % 2] for row in range(12) for col in range(12)]
    )
    colours[:12] = [[128, 128, 128], [60, 130, 130]] * 6
    edges = tuple(float(10 * at) for at in range(13))

    assert unlit(pixels, Borders(edges, edges), colours.astype(np.float64)) is None


@pytest.mark.parametrize("first", [20, 21])
def test_lines_between_highlighted_cells_stay_as_they_are(first: int) -> None:
    """They have the colour of those between other cells, wherever the middle of a line of one px falls."""
    lines = [first + 12 * nth for nth in range(7)]
    pixels = np.full((120, 120, 3), 255, np.uint8)
    pixels[first : lines[-1] + 1, first : lines[-1] + 1] = 195
    for row, col in product(range(6), repeat=2):
        shade = 20 if (row + col) % 3 == 0 else 220 if row == 2 or col == 4 else 245
        pixels[lines[row] + 1 : lines[row + 1], lines[col] + 1 : lines[col + 1]] = shade
    edges = [line + 0.5 for line in lines]

    plain = unlit(pixels, Borders(edges, edges), measured(pixels, Borders(edges, edges)).colours)

    assert plain is not None
    assert (plain[first : lines[-1] + 1, lines] == 195).all()


def test_white_crosses_and_white_squares_on_a_dark_board_are_told() -> None:
    """Of a broad cross more shows than of its cell, and it is as white as what fills others."""
    puzzle = nonogram.parse("5x5:1/2.1/5/1/5/2.1/4/1.1/1.1/3.1")
    signs = {
        Square(row, col): sign
        for row, line in enumerate(["??#x#", "x####", "??#x#", "?x#x#", "?##?#"])
        for col, sign in enumerate(line)
    }
    dark, cell = (79, 79, 47), 88
    page = np.full((700, 700, 3), dark, np.uint8)
    for at in range(6):
        page[200 + at * cell :, 200:][:2, : 5 * cell] = page[200:, 200 + at * cell :][: 5 * cell, :2] = 255
    for (row, col), sign in signs.items():
        left, top = 202 + col * cell, 202 + row * cell
        if sign == "#":
            page[top + 8 : top + 78, left + 8 : left + 78] = 255
        elif sign == "x":
            for a, b in ((14, 72), (72, 14)):
                cv2.line(page, (left + a, top + 14), (left + b, top + 72), (255, 255, 255), 15, cv2.LINE_AA)
    for row, clue in enumerate(puzzle.rows):
        cv2.putText(
            page, " ".join(map(str, clue)), (60, 262 + row * cell), 0, 1.6, (255, 255, 255), 2, cv2.LINE_AA
        )
    for col, clue in enumerate(puzzle.cols):
        for place, run in enumerate(reversed(clue)):
            at = 228 + col * cell, 180 - 60 * place
            cv2.putText(page, str(run), at, 0, 1.6, (255, 255, 255), 2, cv2.LINE_AA)

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert reading.puzzle == puzzle and not reading.doubtful
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


def test_looks_that_the_solution_turns_round_are_in_doubt() -> None:
    cells = [Square(row, col) for row in range(5) for col in range(5)]
    white, dark, crossed = cells[:13], cells[13:20], cells[20:]
    looks = [
        SharedLook((255.0, 255.0, 255.0), False, tuple(white)),
        SharedLook((79.0, 79.0, 47.0), False, tuple(dark)),
        SharedLook((255.0, 255.0, 255.0), True, tuple(crossed)),
    ]
    solution = Witness(PUZZLE, frozenset({*white, *dark[:2]}), frozenset({*dark[2:], *crossed}))

    meant = meanings(looks, solution, lines=None)

    assert meant[0] != ("free",) and meant[1] != ("filled",)


@pytest.mark.parametrize(("filled", "crossed", "seed"), [(20, 20, 0), (5, 8, 1), (30, 8, 2), (12, 4, 3)])
def test_what_is_entered_anywhere_means_what_it_looks_like(filled: int, crossed: int, seed: int) -> None:
    """Somebody tries a program out: four of ten cells are not as the solution has them."""
    cells = random.Random(seed).sample(sorted(SOLUTION.filled | SOLUTION.blank), filled + crossed)
    signs = {cell: "#" if number < filled else "x" for number, cell in enumerate(cells)}

    reading = read(Frame(drawn(PUZZLE, signs)), Profile("nonogram", "default"))

    assert not reading.doubtful
    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


@pytest.mark.parametrize("skin", SKINS)
@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_is_entered_anywhere_is_told_as_something_else(skin: str, seed: int) -> None:
    board, rng = NonogramBoard(PUZZLE, SKINS[skin]), random.Random(seed)
    for cell in rng.sample(sorted(SOLUTION.filled | SOLUTION.blank), 5 + 9 * seed):
        board.act(Tap(board.centre(cell), rng.choice(("left", "right"))), 0.0)

    reading = read(Frame(board.render(5.0)), Profile("nonogram", "default"))

    picture, doubtful = board.picture, set(reading.doubtful)
    assert reading.placed.filled == picture.filled - doubtful
    assert reading.placed.blank == picture.blank - doubtful


def test_filled_cells_are_filled_where_all_others_are_crossed() -> None:
    """Two cells are entered wrongly, so that nothing is finished."""
    signs = played(crosses=True)
    signs[min(SOLUTION.filled)], signs[min(SOLUTION.blank)] = "x", "#"

    reading = read(Frame(drawn(PUZZLE, signs)), Profile("nonogram", "default"))

    assert (reading.placed.filled, reading.placed.blank) == (placed(signs, "#"), placed(signs, "x"))


@pytest.mark.parametrize(("arm", "thick"), [(5, 3), (6, 3), (6, 4)])
def test_broad_crosses_smaller_than_their_cells_are_crosses(arm: int, thick: int) -> None:
    """They cover more than half of what is looked at, and leave all edges free."""
    page, borders = np.full((8 * 25 + 1, 8 * 25 + 1, 3), 230, np.uint8), [25 * i for i in range(9)]
    for (row, y), (col, x) in product(enumerate(borders[:-1]), repeat=2):
        if (row + col) % 2:
            mid = x + 12, y + 12
            for up in (-1, 1):
                ends = [(mid[0] + side * arm, mid[1] + side * up * arm) for side in (-1, 1)]
                cv2.line(page, *ends, (20, 20, 20), thick, cv2.LINE_AA)

    looks = grouped(measured(page, Borders(borders, borders)), 8)

    assert [(look.colour[0] > 200, look.crossed) for look in looks] == [(True, False), (True, True)]


def test_px_in_the_corners_around_filled_discs_are_no_dots() -> None:
    board, rng = NonogramBoard(PUZZLE, SKINS["round"]), random.Random(0)
    for cell in rng.sample(sorted(SOLUTION.filled | SOLUTION.blank), 30):
        board.act(Tap(board.centre(cell), rng.choice(("left", "right"))), 0.0)

    reading = read(Frame(board.render(5.0)), Profile("nonogram", "default"))

    assert not reading.doubtful and reading.placed == board.picture


def test_few_cells_of_another_shade_may_be_set_to_empty() -> None:
    cells = sorted(SOLUTION.filled | SOLUTION.blank)
    few = tuple(sorted(SOLUTION.blank)[:2])
    looks = [
        SharedLook((14.0, 38.0, 195.0), False, tuple(cell for cell in cells if cell not in few)),
        SharedLook((2.0, 56.0, 241.0), False, few),
    ]

    meant = meanings(looks, Witness(PUZZLE, SOLUTION.filled, SOLUTION.blank), lines=None)

    assert meant == [("free",), ("free", "blank")]


def test_what_is_drawn_in_cells_that_other_marks_are_like_may_mark_them() -> None:
    """Rings of which two are even enough for a mark."""
    cells, white = sorted(SOLUTION.filled | SOLUTION.blank), (220.0, 235.0, 245.0)
    rings = [cell for cell in cells if cell not in SOLUTION.filled]
    looks = [
        SharedLook((0.0, 0.0, 0.0), False, tuple(sorted(SOLUTION.filled)[4:])),
        SharedLook(white, False, (*sorted(SOLUTION.filled)[:4], *rings[2:]), leaves=90.0),
        SharedLook(white, True, tuple(rings[:2]), leaves=90.0),
    ]

    meant = meanings(looks, Witness(PUZZLE, SOLUTION.filled, SOLUTION.blank), lines=None)

    assert meant == [("filled",), ("free", "blank"), ("blank",)]


def test_discs_that_are_filled_anywhere_are_not_told_as_left_alone() -> None:
    cells = random.Random(1).sample(sorted(SOLUTION.filled | SOLUTION.blank), 36)
    discs, rings = cells[:20], cells[20:]
    looks = [
        SharedLook((245.0,) * 3, False, tuple(sorted((SOLUTION.filled | SOLUTION.blank) - {*cells}))),
        SharedLook((0.0,) * 3, False, tuple(discs), leaves=245.0),
        SharedLook((128.0,) * 3, True, tuple(rings), leaves=117.0),
    ]

    meant = meanings(looks, Witness(PUZZLE, SOLUTION.filled, SOLUTION.blank), lines=None)

    assert "filled" in meant[1] and "blank" in meant[2]


@pytest.mark.parametrize(("leaves", "told"), [(0.0, ("free",)), (24.0, ("blank", "free"))])
def test_cells_of_a_finished_board_that_all_hold_something_pale_may_be_marked(
    leaves: float, told: tuple[Meaning, ...]
) -> None:
    looks = [
        SharedLook((227.0, 249.0, 47.0), False, tuple(sorted(SOLUTION.filled))),
        SharedLook((84.0, 24.0, 121.0), False, tuple(sorted(SOLUTION.blank)), leaves=leaves),
    ]

    assert meanings(looks, Witness(PUZZLE, SOLUTION.filled, SOLUTION.blank), lines=None)[1] == told


def test_a_single_ring_in_a_cell_that_is_to_be_filled_may_be_a_mark() -> None:
    cells, wrong = sorted(SOLUTION.filled | SOLUTION.blank), min(SOLUTION.filled)
    looks = [
        SharedLook((215.0, 35.0, 28.0), False, tuple(cell for cell in cells if cell != wrong)),
        SharedLook((222.0, 114.0, 109.0), True, (wrong,), leaves=82.0),
    ]

    meant = meanings(looks, Witness(PUZZLE, SOLUTION.filled, SOLUTION.blank), lines=None)

    assert meant[0] == ("free",) and "blank" in meant[1]


def test_dark_cells_that_are_all_wrong_are_not_told_as_set_to_empty() -> None:
    signs = dict.fromkeys(sorted(SOLUTION.blank)[::6], "#")

    reading = read(Frame(drawn(PUZZLE, signs, ink=(90, 90, 90))), Profile("nonogram", "default"))

    assert set(reading.doubtful) == placed(signs, "#")


def test_letters_that_look_like_marks_in_filled_cells_alone_are_not_told_as_crosses() -> None:
    """All cells are buttons with a letter, grey or blue, of which the grey ones are hardly seen."""
    puzzle = nonogram.parse("5x5:2.2/2/2/2/3/1.1.1/1.3/2/2/2")
    solved = nonogram.solve(puzzle).solution
    pale = [(0, 1), (1, 1), (2, 0), (2, 1), (2, 2), (3, 4), (4, 2), (4, 3), (4, 4)]
    grey = [(0, 3), (3, 2), (3, 3)]
    lettered = [(0, 0), (0, 2), (1, 2), (1, 4), (2, 3), (4, 0), (4, 1)]
    darker = [(0, 4), (1, 0), (1, 3), (2, 4), (3, 0), (3, 1)]
    looks = [
        SharedLook((221.0, 220.0, 221.0), False, tuple(Square(*one) for one in pale), leaves=19.0),
        SharedLook((224.0, 222.0, 218.0), True, tuple(Square(*one) for one in lettered), leaves=72.0),
        SharedLook((229.0, 226.0, 224.0), True, tuple(Square(*one) for one in darker), leaves=81.0),
        SharedLook((226.0, 226.0, 227.0), False, tuple(Square(*one) for one in grey), leaves=26.0),
    ]

    meant = meanings(looks, Witness(puzzle, solved.filled, solved.blank), lines=None)

    truth = ("free", "filled", "filled", "free")
    assert all(one == (is_so,) or len(one) > 1 for one, is_so in zip(meant, truth, strict=True))


def test_a_nought_beside_another_number_is_part_of_it() -> None:
    """A ten in two pieces would be a one: these numbers contradict each other, and so they do when they are read."""
    lines = ((10,), *[(2, 2)] * 8, (10,))

    with pytest.raises((BoardNotFound, UncertainReading)):
        read(Frame(drawn(Nonogram(lines, lines), {})), Profile("nonogram", "default"))


def test_of_broad_crosses_none_is_measured_in_another_way() -> None:
    """One that is a few px off the middle would be a mark on a black cell."""
    cell, paper = 30, (242, 241, 240)
    page = np.full((10 * cell + 1, 10 * cell + 1, 3), paper, np.uint8)
    for at in range(10):
        page[at * cell] = page[:, at * cell] = 0
    for row, col in product(range(10), range(10)):
        left, top = col * cell + 1, row * cell + 1
        if (3 * row + col) % 4:
            off = 2 if (row, col) == (5, 2) else 0
            for a, b in ((3, cell - 4), (cell - 4, 3)):
                ends = (left + a + off, top + 3), (left + b + off, top + cell - 4)
                cv2.line(page, *ends, (0, 0, 0), 6)
    edges = tuple(float(cell * at) for at in range(11))

    looks = grouped(measured(page, Borders(edges, edges)), 10)

    assert {round(look.colour[0]) for look in looks} == {242}
    assert sum(len(look.cells) for look in looks if look.marked or look.odd) == 74


def test_a_dot_far_off_the_middle_of_its_cell_is_a_mark_or_in_doubt() -> None:
    page, marked = drawn(PUZZLE, played(crosses=False)), sorted(SOLUTION.blank)[::2]
    for nth, cell in enumerate(marked):
        x, y = corner(cell.row, cell.col, 0)
        off = CELL // 4 if nth % 12 == 5 else 0
        cv2.circle(page, (x + CELL // 2 + off, y + CELL // 2 + off), 2, INK, -1)

    reading = read(Frame(page), Profile("nonogram", "default"))

    assert reading.placed.blank | set(reading.doubtful) == set(marked)
    assert len(reading.placed.blank) >= 0.8 * len(marked)


def test_numbers_two_cells_from_each_other_are_one_clue() -> None:
    puzzle = nonogram.parse(
        "10x10:3.1.4/1.1.3/2.2/3.4.1/8.1/1.6/2.6/3.1.4/6.3/6.2/1.3.4/10/1.2.3/2.2/2.7/4.2/2.5/10/3.5/1.2.3"
    )
    page = np.full((TOP + 330, LEFT + 350, 3), PAPER, np.uint8)
    side = 10 * (CELL + 1)
    page[TOP - 1 : TOP + side, LEFT - 1 : LEFT + side] = LINE
    for row, col in product(range(10), range(10)):
        x, y = corner(row, col, 0)
        page[y : y + CELL, x : x + CELL] = PAPER
    page = cv2.copyMakeBorder(page, 60, 0, 60, 0, cv2.BORDER_CONSTANT, value=PAPER)
    for line, (row, column) in enumerate(zip(puzzle.rows, puzzle.cols, strict=True)):
        x, y = (60 + at + CELL // 2 for at in corner(line, line, 0))
        for place, run in enumerate(reversed(row)):
            number(page, run, 60 + LEFT - 36 - 2 * (CELL + 1) * place, y)
        for place, run in enumerate(reversed(column)):
            number(page, run, x + width_of(run) // 2, 60 + TOP - 36 - 2 * (CELL + 1) * place)

    assert read(Frame(page), Profile("nonogram", "default")).puzzle == puzzle


def test_a_small_cross_in_a_wide_cell_is_a_cross() -> None:
    """It covers a smaller share of it than of a square."""
    page = np.full((5 * 97, 5 * 174, 3), (194, 236, 248), np.uint8)
    for row in range(5):
        for end in (10, -10):
            middle = 97 * row + 48
            cv2.line(page, (77, middle - end), (97, middle + end), (20, 20, 190), 1, cv2.LINE_AA)

    borders = Borders(tuple(174.0 * at for at in range(6)), tuple(97.0 * at for at in range(6)))
    (crossed,) = [look for look in grouped(measured(page, borders), 5) if look.marked]

    assert crossed.cells == tuple(Square(row, 0) for row in range(5))


@pytest.mark.parametrize(("leaves", "told"), [(150.0, "blank"), (26.0, None)], ids=["a cross", "a pattern"])
def test_a_cross_is_known_on_every_ground_that_free_cells_have(leaves: float, told: Meaning | None) -> None:
    """It had been learned in a lit row; lines of a pattern that cross are none."""
    lit, usual = Sample((200, 230, 220), False), Sample((90, 200, 170), False)
    known: list[tuple[Meaning, Sample]] = [
        ("free", lit),
        ("free", usual),
        ("blank", replace(lit, marked=True)),
    ]
    look = SharedLook((88, 199, 168), True, (Square(0, 0),), leaves=leaves, crossed=True)

    assert by_samples(look, known) == told
    assert by_samples(replace(look, crossed=False), known) is None


@pytest.mark.parametrize("known", [False, True])
def test_cells_that_look_as_filled_ones_are_known_to_are_beneath_no_box(known: bool) -> None:
    """A program has set small signs at both ends of a run: so do letters stand in cells that a clear box covers in part."""
    filled = Square(2, 4), Square(2, 5)
    page = drawn(PUZZLE, dict.fromkeys(filled, "#"))
    for x, y in (corner(2, col, 0) for col in (3, 6)):
        # An F.
        left, top = x + CELL // 2 - 4, y + CELL // 2 - 6
        page[top : top + 9, left : left + 2] = INK
        page[top : top + 2, left : left + 6] = page[top + 4 : top + 6, left : left + 5] = INK
    first = read(Frame(drawn(PUZZLE, {})), PROFILE)
    assert isinstance(first, BoardReading) and first.seen is not None
    looks: list[tuple[Meaning, Sample]] = [("filled", Sample(INK, False)), ("free", Sample(PAPER, False))]

    later = reread(Frame(page), replace(first, seen=replace(first.seen, known=looks if known else ())))

    assert later is not None
    assert later.placed.filled == (frozenset(filled) if known else frozenset())
