"""What the nonogram reader must not say: pointers that are no crosses, black cells that are no marks, legible clues
that are changed, boards of which a part is missing."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from bot.practice.nonogram import SKINS, NonogramBoard, practice
from solver import nonogram
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from tests.laboratory import chance
from tests.test_nonogram_extent import puzzle_of
from tests.test_nonogram_looks import CELL, INK, PAPER, PUZZLE, SOLUTION, corner, drawn, played
from vision.digits import Glyph, number_of
from vision.errors import BoardNotFound, PartlyOff, UncertainReading
from vision.frame import Box, Frame, Pixels
from vision.grids import Grid
from vision.profile import Profile
from vision.readers.nonogram import board
from vision.readers.nonogram.bands import Band, Ways
from vision.readers.nonogram.board import read
from vision.readers.nonogram.corrections import settled
from vision.scene import Scene
from vision.writing import Letter

PROFILE = Profile("nonogram", "default")
# An arrow that points up and left, its tip at the origin, 1 high.
ARROW = np.array(
    [(0, 0), (0, 0.78), (0.18, 0.62), (0.31, 0.93), (0.43, 0.88), (0.3, 0.58), (0.55, 0.56)], np.float64
)


def with_pointer(page: Pixels, x: int, y: int, high: int, *, black: bool) -> Pixels:
    page, outline = page.copy(), np.round(ARROW * high + (x, y)).astype(np.int32)
    inside, edge = ((0, 0, 0), (255, 255, 255)) if black else ((255, 255, 255), (0, 0, 0))
    cv2.fillPoly(page, [outline], inside, cv2.LINE_AA)
    cv2.polylines(page, [outline], True, edge, max(1, high // 18), cv2.LINE_AA)
    return page


def with_tooltip(page: Pixels, x: int, y: int, words: str) -> Pixels:
    page = page.copy()
    (wide, high), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.45, 1)
    cv2.rectangle(page, (x, y), (x + wide + 8, y + high + 8), (255, 255, 255), -1)
    cv2.rectangle(page, (x, y), (x + wide + 8, y + high + 8), (90, 90, 90), 1)
    cv2.putText(page, words, (x + 4, y + high + 4), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 1, cv2.LINE_AA)
    return page


@pytest.mark.parametrize("cover", ["18", "36", "18 black", "36 black", "12", "3 left"])
@pytest.mark.parametrize("crosses", [False, True])
def test_a_pointer_or_tooltip_over_empty_cells_is_no_cross(cover: str, crosses: bool) -> None:
    signs = played(crosses=crosses, every=2)
    page, rng = drawn(PUZZLE, signs), random.Random(f"{cover} {crosses}")
    for _ in range(6):
        x, y = corner(rng.randrange(1, 8), rng.randrange(1, 7), 0)
        x, y = x + rng.randrange(CELL), y + rng.randrange(CELL)
        size, _, shade = cover.partition(" ")
        pixels = (
            with_pointer(page, x, y, int(size), black=shade == "black")
            if cover[:2] in ("18", "36")
            else with_tooltip(page, x, y, cover)
        )

        reading = read(Frame(pixels), PROFILE)

        told = {
            cell: mark.symbol
            for cell, mark in reading.marks.items()
            if mark.symbol not in (None, {"#": "#", "x": ".", "": ""}[signs.get(cell, "")])
        }
        assert told == {}, (x, y)


@pytest.mark.parametrize(("ink", "share"), [(20, 1.0), (60, 0.5), (40, 0.8), (250, 1.0)])
@pytest.mark.parametrize("skin", ["phone", "night", "sgt", "photo", "web"])
def test_a_box_without_a_frame_over_an_empty_board_is_no_filled_cells(
    skin: str, ink: int, share: float
) -> None:
    """A notice, or a half-clear one: where filled cells may hide the lines between them it was told as some."""
    rng = random.Random(f"{skin} {ink}")
    for _ in range(4):
        board = practice(rng, skin=skin, size=(10, 10))
        page = board.render(0.0)
        centres = read(Frame(page), board.profile).geometry.centres
        row, col, down, across = (rng.randrange(*ends) for ends in ((1, 5), (1, 5), (2, 4), (2, 4)))
        first, last = centres[Square(row, col)], centres[Square(row + down, col + across)]
        window = np.s_[round(first.y) + 5 : round(last.y) - 3, round(first.x) + 5 : round(last.x) - 3]
        page[window] = share * ink + (1 - share) * page[window]

        reading = read(Frame(page), board.profile)

        assert reading.placed.filled == frozenset()


@pytest.mark.parametrize("ink", [(60, 60, 60), (200, 120, 40), (205, 240, 240), (255, 255, 255)])
@pytest.mark.parametrize("beyond", [2, 9])
def test_a_notice_over_a_finished_board_leaves_no_cell_beneath_it_alone(
    ink: tuple[int, int, int], beyond: int
) -> None:
    """Its cells were told as left alone, and all others as finished: no lines are between them."""
    page = drawn(PUZZLE, played(crosses=False))
    (left, top), (right, bottom) = corner(2, 3, 0), corner(7, 9, 0)
    page[top - beyond : bottom + beyond, left - beyond : right + beyond] = ink
    shade = (0, 0, 0) if max(ink) > 200 else (255, 255, 255)
    cv2.putText(page, "Solved!", (left + 40, top + 80), cv2.FONT_HERSHEY_SIMPLEX, 0.8, shade, 2, cv2.LINE_AA)
    cells = {Square(row, col) for row in range(2, 7) for col in range(3, 9)}

    reading = read(Frame(page), PROFILE)

    assert {reading.marks[cell].symbol for cell in cells} == {None}
    assert {reading.marks[cell].symbol for cell in sorted(SOLUTION.filled - cells)} <= {"#", None}


def boxed(page: Pixels, first: Square, last: Square, ink: tuple[int, int, int], out: int = 1) -> Pixels:
    """With a box over whole cells, and so many px around them."""
    (left, top), (right, bottom) = corner(*first, 0), corner(*last, 0)
    page[top - out : bottom + CELL + out, left - out : right + CELL + out] = ink
    return page


@pytest.mark.parametrize("out", [1, 5, 20])
@pytest.mark.parametrize("ink", ["filled", "ground", "pale", "other"])
@pytest.mark.parametrize("signs", ["#", "#x"])
def test_a_box_over_a_board_that_is_done_hides_what_was_entered(ink: str, signs: str, out: int) -> None:
    """In the ground's colour, or that of filled cells, nothing but the lines that it hides told of it."""
    colour = {"filled": INK, "ground": PAPER, "pale": (225, 232, 238), "other": (9, 92, 113)}[ink]
    page = drawn(PUZZLE, played(crosses="x" in signs))
    whole = read(Frame(page.copy()), PROFILE)
    assert whole.placed.filled == SOLUTION.filled
    for row, col, down, across in ((2, 3, 1, 2), (4, 2, 2, 2), (6, 6, 1, 1), (1, 7, 2, 1)):
        reading = read(
            Frame(boxed(page.copy(), Square(row, col), Square(row + down, col + across), colour, out)),
            PROFILE,
        )

        doubtful = set(reading.doubtful)
        assert reading.placed.filled <= SOLUTION.filled
        assert SOLUTION.filled - doubtful <= reading.placed.filled, (row, col)


def test_a_block_of_filled_cells_that_nobody_should_fill_is_a_box_where_these_have_no_lines() -> None:
    """It ended with cells, or just beside their ends, and nothing else of it was seen."""
    solved = played(crosses=False)
    ruled = drawn(PUZZLE, solved)
    page = np.where((ruled == INK).all(axis=2, keepdims=True), np.uint8(0), ruled)
    for row, col in SOLUTION.filled:
        x, y = corner(row, col, 0)
        if Square(row, col + 1) in SOLUTION.filled:
            page[y : y + CELL, x + CELL] = 0
        if Square(row + 1, col) in SOLUTION.filled:
            page[y + CELL, x : x + CELL] = 0

    reading = read(Frame(boxed(page, Square(4, 4), Square(6, 6), (0, 0, 0), 0)), PROFILE)

    assert reading.placed.filled <= SOLUTION.filled
    assert {cell for cell in SOLUTION.blank if 4 <= cell.row <= 6 and 4 <= cell.col <= 6} & set(
        reading.doubtful
    )


@pytest.mark.parametrize("share", [0.15, 0.5])
def test_a_notice_in_the_filled_cells_colour_fills_no_cell(share: float) -> None:
    """Only those at its rim and behind its words were in doubt, where some other cells are filled."""
    board = practice(random.Random("0"), skin="sgt", size=(15, 15))
    filled = sorted(nonogram.solve(read(Frame(board.render(0.0)), board.profile).puzzle).solution.filled)
    board._cells.update(dict.fromkeys(filled[: int(share * len(filled))], True))
    page = board.render(0.0)
    base = read(Frame(page), board.profile)
    first, last = (base.geometry.centres[cell] for cell in (Square(5, 4), Square(10, 11)))
    beyond = round(0.95 * (last.x - first.x) / 7)
    left, top, right, bottom = (round(at) for at in (first.x, first.y, last.x, last.y))
    page[top - beyond : bottom + beyond, left - beyond : right + beyond] = (0, 0, 0)
    where, white = ((left + right) // 2 - 20, (top + bottom) // 2 + 8), (255, 255, 255)
    cv2.putText(page, "OK", where, cv2.FONT_HERSHEY_SIMPLEX, 0.8, white, 2, cv2.LINE_AA)

    reading = read(Frame(page), board.profile)

    assert reading.puzzle == base.puzzle
    assert reading.placed.filled <= base.placed.filled


@pytest.mark.parametrize("size", [(10, 10), (15, 12)])
@pytest.mark.parametrize("share", [0.4, 0.6])
def test_columns_with_a_mistake_that_were_entered_one_by_one_are_no_box(
    share: float, size: tuple[int, int]
) -> None:
    """A stroke was lost as the columns were entered: all of them were taken for what lies over the board."""
    board = practice(random.Random(f"{size}"), skin="sgt", size=size)
    solution = nonogram.solve(board.puzzle).solution
    columns = range(round(share * size[0]))
    wrong = max(cell for cell in solution.filled if cell.col in columns)
    entered = {
        cell: cell in solution.filled for cell in solution.filled | solution.blank if cell.col in columns
    }
    board._cells.update(entered | {wrong: False})

    reading = read(Frame(board.render(0.0)), board.profile)

    assert reading.doubtful == ()
    assert reading.placed == board.picture


@pytest.mark.parametrize("rows", [3, 6])
@pytest.mark.parametrize("grey", [INK, (192, 192, 192)])
def test_rows_with_a_mistake_that_were_entered_one_by_one_are_no_box(
    rows: int, grey: tuple[int, int, int]
) -> None:
    """So were they, where a puzzle had several solutions and the program wanted another one."""
    signs = {cell: sign for cell, sign in played(crosses=True).items() if cell.row < rows}
    wrong = max(cell for cell, sign in signs.items() if sign == "#")

    reading = read(Frame(drawn(PUZZLE, signs | {wrong: "x"}, ink=grey)), PROFILE)

    assert reading.doubtful == ()
    assert reading.placed.filled == {cell for cell, sign in signs.items() if sign == "#"} - {wrong}


def test_black_cells_that_are_mostly_mistakes_are_filled_all_the_same() -> None:
    wrong, right = sorted(SOLUTION.blank)[4:34:10], sorted(SOLUTION.filled)[:1]
    signs = dict.fromkeys([*wrong, *right], "#") | dict.fromkeys(sorted(SOLUTION.blank)[7:60:20], "x")

    reading = read(Frame(drawn(PUZZLE, signs)), PROFILE)

    assert {reading.marks[cell].symbol for cell in (*wrong, *right)} == {"#"}


def test_a_cross_beside_a_thick_line_is_never_told_as_nothing() -> None:
    """The line cuts a little of it off: it was neither a cross nor in doubt, beside three others that were read."""
    board = practice(random.Random(4), skin="wood", size=(12, 12), tile_px=18)
    filled = [(7, 9), (7, 7), (10, 0), (5, 10), (10, 1), (1, 6)]
    crossed = [Square(0, 11), Square(4, 7), Square(9, 3), Square(8, 0)]
    board._cells.update({Square(*cell): True for cell in filled} | dict.fromkeys(crossed, False))

    reading = read(Frame(board.render(0.0)), PROFILE)

    assert {reading.marks[cell].symbol for cell in crossed} <= {".", None}


def test_cells_in_the_colours_of_guesses_are_never_said_to_be_empty() -> None:
    """A program that paints guesses in other colours, with a sign in the first cell of each; half of one are wrong."""
    filled, blank = sorted(SOLUTION.filled), sorted(SOLUTION.blank)
    guessed = {
        (34, 139, 34): filled[:12],
        (51, 51, 204): filled[12:16] + blank[:4],
        (153, 51, 153): blank[20:22],
    }
    signs = dict.fromkeys(filled[16:], "#") | dict.fromkeys(blank[22:], "x")
    colours = {cell: colour for colour, cells in guessed.items() for cell in cells}
    page = drawn(PUZZLE, signs, highlit=colours)
    for cells in guessed.values():
        x, y = corner(*cells[0], 0)
        cv2.circle(page, (x + CELL // 2, y + CELL // 2), 5, (255, 255, 255), -1, cv2.LINE_AA)

    reading = read(Frame(page), PROFILE)

    assert {reading.marks[cell].symbol for cell in colours} <= {"#", None}
    assert {reading.marks[cell].symbol for cell in guessed[34, 139, 34]} == {"#"}


@pytest.mark.parametrize("right", [1, 2, 3])
def test_stars_on_cells_left_alone_do_not_fill_them(right: int) -> None:
    """A star leaves the corners of its cell free: five of them were told as filled, most against the solution."""
    page, turns = drawn(PUZZLE, {}), np.arange(10) * np.pi / 5
    star = (
        np.stack([np.sin(turns), -np.cos(turns)], axis=1) * np.where(np.arange(10) % 2, 0.26, 0.46)[:, None]
    )
    cells = [*sorted(SOLUTION.filled)[3 : 3 + right], *sorted(SOLUTION.blank)[5 : 10 - right]]
    for cell in cells:
        x, y = corner(*cell, 0)
        outline = np.round((star * CELL + (x + CELL / 2, y + CELL / 2)) * 16).astype(np.int32)
        cv2.fillPoly(page, [outline], (77, 219, 255), cv2.LINE_AA, 4)

    reading = read(Frame(page), PROFILE)

    assert {reading.marks[cell].symbol for cell in cells} <= {"", None}
    assert {mark.symbol for cell, mark in reading.marks.items() if cell not in cells} == {""}


def with_clue(puzzle: Nonogram, row: int, clue: tuple[int, ...]) -> Nonogram:
    return Nonogram((*puzzle.rows[:row], clue, *puzzle.rows[row + 1 :]), puzzle.cols)


@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize(("row", "other"), [(0, 8), (1, 8), (8, 8), (8, 5)])
def test_a_legible_clue_is_not_changed_to_fit_the_sums(row: int, other: int, scale: int) -> None:
    clue = tuple(other if run == 6 else run for run in PUZZLE.rows[row])
    page = drawn(with_clue(PUZZLE, row, clue), {})
    page = np.asarray(cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)

    with pytest.raises(UncertainReading, match="contradict"):
        read(Frame(page), PROFILE)


@pytest.mark.parametrize("side", ["right", "bottom"])
@pytest.mark.parametrize("cells", [1.0, 2.5])
def test_a_board_that_the_pictures_edge_cuts_is_said_to_be_cut(side: str, cells: float) -> None:
    page = drawn(PUZZLE, {})
    right, bottom = corner(PUZZLE.height, PUZZLE.width, 0)
    keep = round(cells * (CELL + 1))
    page = page[:, : right - keep] if side == "right" else page[: bottom - keep]

    with pytest.raises(UncertainReading, match="partly off the screen"):
        read(Frame(page), PROFILE)


@pytest.mark.parametrize("side", ["right", "bottom"])
def test_a_board_beyond_which_no_lines_go_on_is_not_said_to_be_cut(side: str) -> None:
    """The picture ends less than a cell beyond the last line, and that less shows no line of a further cell."""
    page = drawn(with_clue(PUZZLE, 0, (8,)), {})
    right, bottom = corner(PUZZLE.height, PUZZLE.width, 0)
    keep = CELL * 7 // 10
    page = page[:, : right + keep] if side == "right" else page[: bottom + keep]

    with pytest.raises(UncertainReading, match="contradict") as refusal:
        read(Frame(page), PROFILE)
    assert "off the screen" not in str(refusal.value)


def test_a_picture_cropped_to_its_whole_board_is_read() -> None:
    right, bottom = corner(PUZZLE.height, PUZZLE.width, 0)

    reading = read(Frame(drawn(PUZZLE, {})[:bottom, :right]), PROFILE)

    assert reading.puzzle == PUZZLE
    assert reading.marks[Square(0, 0)].symbol == ""


def test_two_lines_without_numbers_at_an_edge_are_no_sure_part_of_the_board() -> None:
    longer = Nonogram((*PUZZLE.rows, (), ()), PUZZLE.cols)

    with pytest.raises(UncertainReading, match="smaller than it looks"):
        read(Frame(drawn(longer, {})), PROFILE)


@pytest.mark.parametrize("sigma", [6, 14])
def test_a_small_noisy_board_is_read_or_refused_but_never_without_its_ones(sigma: int) -> None:
    puzzle = Nonogram(((1, 2), (1,), (1, 1), (1, 1), (1, 1, 1)), ((1, 2), (1,), (1, 1), (1,), (1, 3)))
    page = drawn(puzzle, {})
    grain = np.random.default_rng(sigma).normal(0, sigma, page.shape)
    pixels = np.clip(page + grain, 0, 255).astype(np.uint8)

    try:
        reading = read(Frame(pixels), PROFILE)
    except UncertainReading:
        return

    assert reading.puzzle == puzzle


def band(lines: str, nearly: float, another: int = 3) -> Band:
    """The clues of one side; behind a star a digit that another one is nearly as near to."""

    def glyph(digit: int, other: int | None) -> Glyph:
        away = [9.0] * 10
        away[digit] = 1.0
        if other is not None:
            away[other] = 1.0 + nearly
        return Glyph(digit, 0.55 if other else 1.0, other, 1.0, tuple(away))

    numbers = [
        tuple(number_of([glyph(int(one[-1]), another if "*" in one else None)]) for one in line.split())
        for line in lines.split("/")
    ]
    return Band(tuple(numbers), Box(0, 0, 1, 1))


def alone(seen: Band) -> Ways:
    return Ways([lambda: seen])


def test_digits_that_may_as_well_be_others_are_not_told_though_they_add_up() -> None:
    """The same blurred digit in a row and in a column: both boards have one solution."""

    def both(nearly: float) -> tuple[Band, Band]:
        return band("*1 1/2/2 1/1 2/1 1", nearly), band("1/1 2/*1 1/1 1/1 3", nearly)

    rows, cols = both(0.4)
    clear = settled(alone(rows), alone(cols))

    assert (clear[0].clues[0], clear[2]) == ((1, 1), ())
    with pytest.raises(UncertainReading, match="two readings make sense"):
        rows, cols = both(0.05)
        settled(alone(rows), alone(cols))


def test_digits_of_a_board_with_several_solutions_are_no_others_with_which_it_has_one() -> None:
    """Blurred noughts of the outer lines were told as ones, with which there are several solutions as well."""

    def side(nearly: float) -> Ways:
        return alone(band("*1/2/2/*1", nearly, another=0))

    legible = settled(side(0.6), side(0.6))

    assert (legible[0].clues, legible[2]) == (((1,), (2,), (2,), (1,)), ())
    with pytest.raises(UncertainReading, match="two readings make sense"):
        settled(side(0.3), side(0.3))


def test_no_number_becomes_a_nought_beside_another() -> None:
    """With 0 1 in the first row the sums would fit, but nobody writes such a clue: the 2 is something else."""
    rows, cols = band("*2 1/3/1", 0.05, another=0), band("1/3/1", 0.05)

    with pytest.raises((BoardNotFound, UncertainReading)):
        settled(alone(rows), alone(cols))


def stacked(lines: str) -> Band:
    """Numbers above the columns, each with its letter; what is behind a star is no legible one."""

    def letter(one: str, col: int, level: int) -> Letter:
        away = tuple(0.4 if digit == int(one[-1]) else 2.0 for digit in range(10))
        glyph = Glyph(int(one[-1]), 0.5 if "*" in one else 1.0, 7, 0.4, away)
        return Letter(Box(33 * col, 200 - 26 * level, 10, 16), glyph, (0, 0, 0))

    letters = tuple(
        tuple((letter(one, col, len(line) - nth),) for nth, one in enumerate(line))
        for col, line in enumerate(own.split() for own in lines.split("/"))
    )
    return Band(tuple(tuple(one.number for (one,) in line) for line in letters), Box(0, 0, 1, 1), letters)


def test_a_number_that_one_column_has_lost_is_not_what_is_drawn_above_another() -> None:
    """A stroke of a window's pattern stood for the topmost number of the next column: their sums are the same."""
    rows = alone(band("1 1/1/5/1 1 1/3 2/1 3", 0.5))
    every, lost = stacked("3/1 1/*1 4/1 1 1/2 2/1 3"), stacked("3/1 1/*1 4/1 1/2 2/1 3")
    right = stacked("3/1 1/4/1 1 1/2 2/1 3")

    cols = settled(rows, Ways([lambda: every, lambda: lost, lambda: right]))[1]

    assert cols.clues == right.clues
    with pytest.raises(UncertainReading):
        settled(rows, Ways([lambda: every, lambda: lost]))


@pytest.mark.parametrize("px", [0, 2])
def test_what_is_left_of_digits_at_the_pictures_edge_decides_for_no_others(px: int) -> None:
    """Fours without their tips had become a three and twos, the only ones that fitted the rows."""
    puzzle = Nonogram(((), (1,), (3,), (5,), (2, 2)), ((4,), (3,), (2,), (2,), (2,)))
    board = NonogramBoard(puzzle, SKINS["night"], 35)
    page = np.asarray(board.render(0.0))
    top = read(Frame(page), PROFILE).geometry.centres[Square(0, 0)].y - 35 / 2

    with pytest.raises(PartlyOff, match="cut by the top edge"):
        read(Frame(page[round(top) - 45 + px :].copy()), PROFILE)


@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize(
    ("side", "px", "told"),
    [
        ("left", 3, "cut by the left edge"),
        ("left", 6, "cut by the left edge"),
        ("top", 4, "cut by the top edge"),
        ("top", 8, "cut by the top edge"),
        ("left", None, "reaches the picture's left edge"),
        ("top", None, "reaches the picture's top edge"),
    ],
)
def test_a_board_whose_numbers_the_pictures_edge_cuts_is_said_to_be_cut(
    side: str, px: int | None, told: str, scale: int
) -> None:
    """px: of the outermost numbers that are missing; None for all numbers of that side."""
    page = drawn(PUZZLE, {})
    first = corner(0, 0, 0)[side == "top"]
    beside = page[:first] if side == "top" else page[:, :first]
    inked = np.flatnonzero((beside.min(axis=2) < 100).any(axis=int(side == "top")))
    start = first - 4 if px is None else int(inked[0]) + px
    page = page[start:] if side == "top" else page[:, start:]
    page = np.asarray(cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)

    with pytest.raises(PartlyOff, match=told):
        read(Frame(page), PROFILE)


def test_a_ground_that_the_pictures_edge_cuts_beside_all_rows_is_no_number() -> None:
    """A board in a pattern, whose numbers contradict each other, was said to be partly off the screen."""
    page = drawn(Nonogram((*PUZZLE.rows[1:], PUZZLE.rows[0]), PUZZLE.cols), {})
    first = corner(0, 0, 0)[0]
    inked = np.flatnonzero((page[:, :first].min(axis=2) < 100).any(axis=0))
    page = page[:, int(inked[0]) - 20 :].copy()
    page[:, :2] = (180, 210, 150)
    page[::3, :2] = (90, 120, 60)

    with pytest.raises(UncertainReading, match="no solution") as told:
        read(Frame(page), PROFILE)
    assert not isinstance(told.value, PartlyOff)


def test_a_board_whose_numbers_are_cut_is_no_smaller_one_without_its_clueless_line() -> None:
    """Ones in the picture's first px were not seen at first, and without its first row the board had just one solution."""
    pixels = chance.board(139).pixels
    whole = read(Frame(pixels), PROFILE)
    inked = np.flatnonzero((pixels[145:361, :140].min(axis=2) < 100).any(axis=0))

    with pytest.raises(PartlyOff, match="cut by the left edge"):
        read(Frame(np.ascontiguousarray(pixels[:, inked[0] :])), PROFILE)
    assert whole.puzzle.rows[0] == ()


@pytest.mark.parametrize(
    ("left", "error", "told"),
    [(60, UncertainReading, "contradict each other"), (69, PartlyOff, "left edge")],
)
def test_where_a_further_number_may_be_cut_off_nothing_odd_is_decided(
    left: int, error: type[UncertainReading], told: str
) -> None:
    """A row had lost its outermost number beyond the edge, and a column the one that was then too many."""
    rows = ((1, 3, 2), (5,), (3, 1), (6, 1), (8,), (3,), (1, 3), (1, 3))
    cols = ((1, 2, 2), (2,), (1, 3), (5,), (7,), (1, 5), (2, 4), (5, 1))
    page = np.asarray(NonogramBoard(Nonogram(rows, cols), SKINS["photo"], 37).render(0.0))

    with pytest.raises(error, match=told):
        read(Frame(page[:, left:].copy()), PROFILE)


def test_what_a_quick_look_sees_of_numbers_is_not_told_where_it_has_several_solutions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of small grey digits on orange beside thick black lines it saw those with an upright stroke. Here it sees the ones."""
    puzzle = puzzle_of("##.#.#.# #..#.##. ..###### ####.### ..#..#.. #####.## .###.#.# #.##.###")

    def ones(band: Band) -> Band:
        pairs = [
            [(number, letters) for number, letters in zip(*line, strict=True) if number.value == 1]
            for line in zip(band.lines, band.letters, strict=True)
        ]
        numbers, letters = (tuple(tuple(one[part] for one in line) for line in pairs) for part in (0, 1))
        return replace(band, lines=numbers, letters=letters)

    for name in ("rows_beside", "columns_beside"):
        usual = getattr(board, name)

        def seen(scene: Scene, grid: Grid, framed: bool, thorough: bool, usual: Any = usual) -> Ways:
            found = usual(scene, grid, framed, thorough)
            return found if thorough else Ways([lambda: ones(found[0])])

        monkeypatch.setattr(board, name, seen)

    assert read(Frame(drawn(puzzle, {})), PROFILE).puzzle == puzzle


# Without the topmost 1 of its last column, and with one more over the third from the right, it has one solution as well.
CUT = "2.1/1.3.1/3.5/1.2.1/4.1.1/2.5/6.1/8/2.4.1/2.2.1.2 2.1.5/1.1.6/4.2/9/1.6/2.4/2.2.3/1.1.1/1.1/1.1.1.1.2"
PLAIN = chance.Style(
    28, 1, 1, True, (255, 255, 255), (0, 0, 0), (255, 255, 255), (40, 40, 40), 0, 0, "nothing", (0, 0, 0), 0.5, 1, "",
    Square(0, 0), 0,
)  # fmt: skip


@pytest.mark.parametrize("left", [1, 5, 9, 13])
@pytest.mark.parametrize(
    ("ends", "thick", "beside"), [((15, 13), 2, False), ((16, 14), 3, False), ((16, 13), 2, True)]
)
def test_a_stroke_is_no_number_in_place_of_one_that_the_pictures_edge_has_cut_off(
    ends: tuple[int, int], thick: int, beside: bool, left: int
) -> None:
    """ends: of the stroke. beside: something else is cut by the edge as well. left: px of the cut row of numbers."""
    rows, cols = (tuple(tuple(map(int, line.split("."))) for line in side.split("/")) for side in CUT.split())
    puzzle = Nonogram(rows, cols)
    page = chance.drawn(puzzle, Picture(frozenset(), frozenset()), PLAIN)
    place = chance.ground(puzzle, PLAIN)[1]
    low = place[0] - 11 - 3 * 22
    cv2.line(page, (place[7] + ends[0], low), (place[7] + ends[1], low - 10), (0, 0, 0), thick, cv2.LINE_AA)
    if beside:
        cv2.line(page, (place[0] + 5, 0), (place[0] + 5, low - 11), (190, 190, 190), 1)

    try:
        told = read(Frame(page[low - 22 - left :]), Profile("nonogram", "default"))
    except UncertainReading:
        return
    assert told.puzzle == puzzle


@pytest.mark.parametrize("length", [4, 8])
def test_the_ticks_of_a_scale_beside_the_cells_are_no_lines_of_further_ones(length: int) -> None:
    puzzle, solution = chance.puzzle_of(10, 1)
    page = chance.drawn(puzzle, solution, replace(PLAIN, lined=False, gap=0, fifth=0))
    places = [*chance.ground(puzzle, replace(PLAIN, gap=0, fifth=0))[1]]
    places.append(end := places[-1] + PLAIN.cell)
    for place in places:
        cv2.line(page, (place, places[0]), (place, end + length), (0, 0, 0), 1)
        cv2.line(page, (places[0], place), (end + length, place), (0, 0, 0), 1)

    page = cv2.copyMakeBorder(page, 0, PLAIN.cell, 0, PLAIN.cell, cv2.BORDER_REPLICATE)
    assert read(Frame(page), Profile("nonogram", "default")).puzzle == puzzle


@pytest.mark.parametrize("words", ["Heart . Easy . 7 x 7", "A nice 5 for today"])
def test_words_right_above_single_numbers_are_no_further_numbers(words: str) -> None:
    lines = ((2, 2), (7,), (7,), (5,), (3,), (1,), ())
    puzzle = Nonogram(lines, ((2,), (4,), (5,), (5,), (5,), (4,), (2,)))
    page = chance.drawn(puzzle, Picture(frozenset(), frozenset()), replace(PLAIN, cell=40))
    left, top = (chance.ground(puzzle, replace(PLAIN, cell=40))[1][0],) * 2
    cv2.putText(
        page, words, (left + 20, top - 45), cv2.FONT_HERSHEY_DUPLEX, 0.45, (60, 60, 60), 1, cv2.LINE_AA
    )

    assert read(Frame(page), Profile("nonogram", "default")).puzzle == puzzle


def test_a_clock_above_one_of_single_numbers_leaves_a_nonogram() -> None:
    """No digit was decided, and there is one solution: it was refused as another puzzle."""
    puzzle = Nonogram(((1,), (7,), (7,), (1,), (1,), (), ()), ((2,), (2,), (2,), (5,), (2,), (2,), (2,)))
    style = replace(PLAIN, cell=40)
    page = chance.drawn(puzzle, Picture(frozenset(), frozenset()), style)
    places = chance.ground(puzzle, style)[1]
    for row in (5, 6):
        cv2.putText(
            page, "0", (places[0] - 22, places[row] + 26), chance.FONT, 0.5, (0, 0, 0), 1, cv2.LINE_AA
        )
    cv2.putText(page, "0 2", (places[6] + 4, places[0] - 46), chance.FONT, 0.5, (0, 0, 0), 1, cv2.LINE_AA)

    assert read(Frame(page), Profile("nonogram", "default")).puzzle == puzzle


def test_a_board_whose_last_rows_the_pictures_edge_cuts_is_said_to_be_cut_though_its_numbers_are_too_long() -> (
    None
):
    puzzle, _ = chance.puzzle_of(15, 0)
    style = replace(PLAIN, cell=30, gap=3, fifth=3, lined=False, free=(200, 200, 200))
    page = chance.drawn(puzzle, Picture(frozenset(), frozenset()), style)
    places = chance.ground(puzzle, style)[1]

    with pytest.raises(PartlyOff, match="bottom edge"):
        read(Frame(page[: places[8] + 6]), Profile("nonogram", "default"))


@pytest.mark.parametrize("shown", [6, 8, 11])
@pytest.mark.parametrize("col", [4, 5])
def test_filled_cells_of_which_one_side_is_left_are_in_doubt(col: int, shown: int) -> None:
    """A strip in the ground's colour lay over the rest of them: what was left in their middles was the ground.

    shown: so many px of each cell along its left side.
    """
    page = drawn(PUZZLE, played(crosses=False))
    (left, top), (right, bottom) = corner(2, col, 0), corner(6, col + 1, 0)
    page[top - 1 : bottom, left + shown : right - 1] = PAPER

    reading = read(Frame(page), PROFILE)

    assert reading.puzzle == PUZZLE
    assert reading.placed.filled <= SOLUTION.filled
    assert SOLUTION.filled - set(reading.doubtful) <= reading.placed.filled
