"""Coloured nonograms: read by the colours of digits or boxes, solved, and entered by swatches or by clicks in turn."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from bot.actions import Tap
from bot.players.nonogram import plan
from solver import nonogram
from solver.lattice import Square
from solver.nonogram import Nonogram
from solver.nonogram.board import Ink, Palette
from tests.test_nonogram_looks import CELL, LEFT, LINE, PAPER, TOP, corner, number, width_of
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Pixels, Point
from vision.profile import Profile
from vision.readers.nonogram.again import reread
from vision.readers.nonogram.board import read
from vision.writing import read_letters

PROFILE = Profile("nonogram", "default")
COLOURS = {"a": (32, 42, 212), "b": (217, 95, 43), "c": (60, 154, 31), "d": (20, 16, 16)}
PICTURE = ["..aaaa..", ".aaaaaa.", "aabbbbaa", "bbcccbbb", ".cddcc..", "ddddccbb", "..dd.cbb", "aaaa..bb"]
SWATCHES = TOP + 9 * CELL + 20


def puzzle_of(rows: list[str]) -> Nonogram:
    """The coloured puzzle that a picture gives, `.` for blank cells."""
    lines = (rows, ["".join(row[col] for row in rows) for col in range(len(rows[0]))])
    clues, inks = [], []
    for side in lines:
        runs = [_runs(line) for line in side]
        clues.append(tuple(tuple(length for _, length in line) for line in runs))
        inks.append(tuple("".join(char for char, _ in line) for line in runs))
    palette = Palette(
        Ink(".", "blank", "ffffff"), tuple(Ink(char, char, "000000") for char in COLOURS), inks[0], inks[1]
    )
    return Nonogram(clues[0], clues[1], palette=palette)


def _runs(line: str) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    last = "."
    for char in line:
        if char == last and found and char != ".":
            found[-1] = (char, found[-1][1] + 1)
        elif char != ".":
            found.append((char, 1))
        last = char
    return found


PUZZLE = puzzle_of(PICTURE)


def drawn(
    placed: dict[Square, str], *, boxes: bool = False, swatches: bool = True, puzzle: Nonogram = PUZZLE
) -> Pixels:
    """The board on paper; in boxes the digits are white."""
    right, bottom = corner(8, 8, 0)
    page = np.full((bottom + 80, right + 40, 3), PAPER, np.uint8)
    page[TOP - 1 : bottom, LEFT - 1 : right] = LINE
    for row in range(8):
        for col in range(8):
            x, y = corner(row, col, 0)
            page[y : y + CELL, x : x + CELL] = COLOURS.get(placed.get(Square(row, col), ""), PAPER)
    assert puzzle.palette is not None
    for row, (clue, inks) in enumerate(zip(puzzle.rows, puzzle.palette.rows, strict=True)):
        end, y = LEFT - 12, corner(row, 0, 0)[1] + CELL // 2
        for run, ink in zip(reversed(clue), reversed(inks), strict=True):
            end = _written(page, run, ink, end, y, boxes) - 12
    for col, (clue, inks) in enumerate(zip(puzzle.cols, puzzle.palette.cols, strict=True)):
        middle = corner(0, col, 0)[0] + CELL // 2
        for place, (run, ink) in enumerate(zip(reversed(clue), reversed(inks), strict=True)):
            _written(page, run, ink, middle + width_of(run) // 2, TOP - 18 - 24 * place, boxes)
    if swatches:
        for place, char in enumerate(COLOURS):
            page[bottom + 20 : bottom + 50, LEFT + 50 * place : LEFT + 30 + 50 * place] = COLOURS[char]
    return page


def _written(page: Pixels, run: int, ink: str, right: int, y: int, boxes: bool) -> int:
    """A number in its colour, or white in a box of it; where it begins."""
    if boxes:
        page[y - 11 : y + 11, right - width_of(run) - 5 : right + 5] = COLOURS[ink]
    part = np.zeros_like(page)
    part[:] = 255
    left = number(part, run, right, y)
    share = part.astype(np.float32)[..., :1].max(axis=2, keepdims=True) / 255
    colour = np.array(PAPER if boxes else COLOURS[ink], np.float32)
    page[:] = np.round(page * share + colour * (1 - share)).astype(np.uint8)
    return left


def inks_in_place(reading_puzzle: Nonogram) -> tuple[list[list[tuple[int, str]]], ...]:
    """Runs with the hexadecimal colours of their inks, line by line."""
    palette = reading_puzzle.palette
    assert palette is not None
    rgb = {ink.char: ink.rgb for ink in palette.inks}
    return tuple(
        [
            [(run, rgb[char]) for run, char in zip(clue, chars, strict=True)]
            for clue, chars in zip(clues, inks, strict=True)
        ]
        for clues, inks in ((reading_puzzle.rows, palette.rows), (reading_puzzle.cols, palette.cols))
    )


@pytest.mark.parametrize("boxes", [False, True], ids=["digits", "boxes"])
def test_clues_are_read_with_their_colours_and_have_the_one_picture(boxes: bool) -> None:
    reading = read(Frame(drawn({}, boxes=boxes)), PROFILE)

    solution = nonogram.solve(reading.puzzle).solution
    assert (reading.puzzle.rows, reading.puzzle.cols) == (PUZZLE.rows, PUZZLE.cols)
    cells = {char: {at for at, one in solution.inks if one == char} for _, char in solution.inks}
    wanted = [{Square(r, c) for r in range(8) for c in range(8) if PICTURE[r][c] == char} for char in COLOURS]
    assert sorted(map(sorted, cells.values())) == sorted(map(sorted, wanted))


def test_a_gap_as_wide_as_a_cell_beside_the_boxes_is_no_line_of_the_board() -> None:
    """Boxes and cells are on one lattice, and a frame around all of it: the board was read with a row and a column more."""
    step, palette = CELL + 1, PUZZLE.palette
    assert palette is not None
    left, top = (step * (max(map(len, side)) + 1) + 30 for side in (PUZZLE.rows, PUZZLE.cols))
    page = np.full((top + 8 * step + 30, left + 8 * step + 30, 3), PAPER, np.uint8)
    cv2.rectangle(page, (4, 4), (page.shape[1] - 5, page.shape[0] - 5), COLOURS["d"], 4)

    def box(row: int, col: int, colour: tuple[int, int, int]) -> tuple[int, int]:
        x, y = left + col * step, top + row * step
        page[y - 1 : y + step, x - 1 : x + step] = 0
        page[y : y + CELL, x : x + CELL] = colour
        return x + CELL // 2, y + CELL // 2

    for row, col in np.ndindex(8, 8):
        box(row, col, PAPER)
    for rows, clues, inks in ((True, PUZZLE.rows, palette.rows), (False, PUZZLE.cols, palette.cols)):
        for line, (clue, chars) in enumerate(zip(clues, inks, strict=True)):
            for away, (run, char) in enumerate(zip(reversed(clue), reversed(chars), strict=True), 2):
                at = (line, -away) if rows else (-away, line)
                x, y = box(*at, COLOURS[char])
                where = (x - width_of(run) // 2, y + 6)
                cv2.putText(page, str(run), where, cv2.FONT_HERSHEY_SIMPLEX, 0.55, PAPER, 1, cv2.LINE_AA)

    reading, boxed = (read(Frame(one), PROFILE) for one in (page, drawn({}, boxes=True)))

    assert reading.doubtful == ()
    assert inks_in_place(reading.puzzle) == inks_in_place(boxed.puzzle)


@pytest.mark.parametrize("swatches", [False, True])
def test_the_numbers_of_a_cell_that_somebody_points_at_are_no_ink_of_the_puzzle(swatches: bool) -> None:
    """Of one row and one column the first number is in another colour; where that can be picked it is an ink."""
    rows = ["a.dddd.d", ".d.dd..d", "....d...", "ddd...d.", "d.dd.d..", "dd.dd.dd", "d..dddd.", "dd.d.d.."]
    puzzle = puzzle_of(rows)

    told = read(Frame(drawn({}, swatches=swatches, puzzle=puzzle)), PROFILE).puzzle

    assert (told.rows, told.cols) == (puzzle.rows, puzzle.cols)
    assert (told.palette is not None) == swatches


def test_cells_that_are_filled_are_told_by_their_ink() -> None:
    placed = {Square(0, 2): "a", Square(1, 2): "b", Square(3, 3): "d", Square(2, 3): "c"}

    reading = read(Frame(drawn(placed)), PROFILE)

    assert reading.puzzle.palette is not None
    rgb = {ink.char: ink.rgb for ink in reading.puzzle.palette.inks}
    seen = {cell: tuple(bytes.fromhex(rgb[char]))[::-1] for cell, char in reading.placed.inks}
    assert {cell: nearest(colour) for cell, colour in seen.items()} == placed
    assert not reading.doubtful


def nearest(colour: tuple[int, ...]) -> str:
    return min(COLOURS, key=lambda char: max(abs(a - b) for a, b in zip(COLOURS[char], colour, strict=True)))


def test_each_colour_is_picked_from_its_swatch_and_clicked_into_its_cells() -> None:
    reading = read(Frame(drawn({})), PROFILE)
    solution = nonogram.solve(reading.puzzle).solution
    bottom = corner(8, 0, 0)[1]
    places = {char: Point(LEFT + 15 + 50 * i, bottom + 35) for i, char in enumerate(COLOURS)}

    entered: dict[Square, str] = {}
    picked = ""
    for step in plan(reading, solution).steps:
        for tap in (action for action in step.actions if isinstance(action, Tap)):
            cell = reading.geometry.nearest(tap.at)
            if isinstance(cell, Square):
                entered[cell] = picked
            else:
                picked = next(
                    c for c, at in places.items() if abs(at.x - tap.at.x) + abs(at.y - tap.at.y) < 6
                )

    assert entered == {
        Square(r, c): PICTURE[r][c] for r in range(8) for c in range(8) if PICTURE[r][c] != "."
    }


@pytest.mark.parametrize(
    ("places", "found"),
    [
        ([(0, 0), (1, 0), (2, 0), (0, 1)], True),
        ([(0, 0), (0, 1), (1, 0), (1, 1)], True),
        ([(0, 0), (1, 1), (2, 0), (3, 1)], False),
        ([(0, 0), (2, 0), (0, 2), (3, 3)], False),
    ],
)
def test_swatches_may_stand_in_several_rows(places: list[tuple[int, int]], found: bool) -> None:
    page = cv2.copyMakeBorder(
        drawn({}, swatches=False), 0, 80, 0, 0, cv2.BORDER_CONSTANT, value=list(map(float, PAPER))
    )
    where = {}
    for char, (col, row) in zip(COLOURS, places, strict=True):
        x, y = LEFT + 40 * col, SWATCHES + 40 * row
        page[y : y + 30, x : x + 30] = COLOURS[char]
        where[char] = Point(x + 15, y + 15)

    reading = read(Frame(page), PROFILE)

    picked = {
        nearest(tuple(page[round(one.at.y), round(one.at.x)].tolist())): one.at
        for one in reading.controls.values()
    }
    assert picked == (where if found else {})


def test_a_later_look_tells_new_cells_without_reading_the_numbers_again() -> None:
    first = read(Frame(drawn({})), PROFILE)

    again = reread(Frame(drawn({Square(0, 2): "a", Square(3, 3): "d"})), first)

    assert again is not None and again.placed.filled == {Square(0, 2), Square(3, 3)}
    assert len({char for _, char in again.placed.inks}) == 2


def test_an_unknown_colour_in_a_cell_is_in_doubt() -> None:
    page = drawn({})
    x, y = corner(4, 4, 0)
    page[y : y + CELL, x : x + CELL] = (200, 160, 240)

    reading = read(Frame(page), PROFILE)

    assert reading.doubtful == (Square(4, 4),)


def crossed(page: Pixels, cell: Square) -> None:
    x, y = corner(cell.row, cell.col, 0)
    for ends in (((5, 5), (CELL - 6, CELL - 6)), ((CELL - 6, 5), (5, CELL - 6))):
        (ax, ay), (bx, by) = ends
        cv2.line(page, (x + ax, y + ay), (x + bx, y + by), (20, 16, 16), 2, cv2.LINE_AA)


def test_crosses_in_all_cells_that_stay_empty_are_read_and_an_unknown_colour_beside_them_is_not() -> None:
    solution = nonogram.solve(PUZZLE).solution
    page = drawn(dict(solution.inks))
    empty = [
        cell for cell in (Square(row, col) for row, col in np.ndindex(8, 8)) if cell not in solution.filled
    ]
    for cell in empty:
        crossed(page, cell)

    reading = read(Frame(page), PROFILE)
    assert (reading.placed.inks, reading.placed.blank) == (solution.inks, frozenset(empty))
    assert not reading.doubtful

    x, y = corner(empty[0].row, empty[0].col, 0)
    page[y : y + CELL, x : x + CELL] = (160, 160, 90)
    assert list(read(Frame(page), PROFILE).doubtful) == [empty[0]]


def test_one_wrong_colour_in_the_clues_is_never_read_as_a_puzzle() -> None:
    page = drawn({})
    # The first row's only number in the colour of the second ink.
    y = corner(0, 0, 0)[1]
    band = page[y : y + CELL, : LEFT - 2]
    away = (255 - band.astype(np.float32)).max(axis=2, keepdims=True) / 235
    band[:] = np.clip(255 - away * (255 - np.array(COLOURS["b"], np.float32)), 0, 255).astype(np.uint8)

    with pytest.raises((BoardNotFound, UncertainReading)):
        read(Frame(page), PROFILE)


def test_a_board_without_swatches_is_read_but_nothing_is_clicked_before_it_is_learned() -> None:
    reading = read(Frame(drawn({}, swatches=False)), PROFILE)

    missing = plan(reading, nonogram.solve(reading.puzzle).solution)

    assert missing.missing > 0 and not missing.steps


def test_clicks_in_turn_bring_each_cell_to_its_colour() -> None:
    reading = read(Frame(drawn({Square(0, 2): "b"}, swatches=False)), PROFILE)
    chars = {ink.char: nearest(tuple(bytes.fromhex(ink.rgb))[::-1]) for ink in reading.puzzle.palette.inks}  # type: ignore[union-attr]
    facts = {f"cycle.{ink.rgb}": 1.0 + "abcd".index(chars[ink.char]) for ink in reading.puzzle.palette.inks}  # type: ignore[union-attr]
    facts |= {"cycle.empty": 5.0}

    steps = plan(replace(reading, facts=facts), nonogram.solve(reading.puzzle).solution).steps

    clicks: dict[Square, int] = {}
    for step in steps:
        for tap in (action for action in step.actions if isinstance(action, Tap)):
            cell = reading.geometry.nearest(tap.at)
            assert isinstance(cell, Square)
            clicks[cell] = clicks.get(cell, 0) + 1
    # A blue cell comes to red by way of green, black and blank.
    assert clicks[Square(0, 2)] == 4
    assert {cell: "abcd"[count - 1] for cell, count in clicks.items() if cell != Square(0, 2)} == {
        Square(r, c): PICTURE[r][c]
        for r in range(8)
        for c in range(8)
        if PICTURE[r][c] != "." and (r, c) != (0, 2)
    }


# A 1 with a foot, in hundredths of its ink.
ONE = """
0 0 0 33 97 84 0 0
0 0 42 99 99 84 0 0
0 52 99 87 99 84 0 0
0 65 74 14 99 84 0 0
0 0 0 7 99 84 0 0
0 0 0 7 99 84 0 0
0 0 0 7 99 84 0 0
0 0 0 7 99 84 0 0
0 0 0 7 99 84 0 0
0 16 56 58 99 92 56 44
0 29 99 99 99 99 99 80"""


def test_white_ones_on_bright_chips_are_read_not_what_they_leave_free() -> None:
    """The strongest channel of a red, green or blue chip is as light as a page; its brightness is not."""
    ink = np.array([line.split() for line in ONE.strip().splitlines()], np.float64)[..., None] / 100
    pixels = np.full((160, 300, 3), 250, np.uint8)
    for row in range(6):
        for col in range(9):
            chip = np.array([(32, 42, 212), (215, 92, 43), (60, 156, 34)][row % 3])
            left, top = 10 + 30 * col, 8 + 24 * row
            pixels[top : top + 22, left : left + 28] = chip
            pixels[top + 6 : top + 17, left + 11 : left + 19] = chip + ink * (255 - chip)

    letters = read_letters(
        pixels, Box(0, 0, 300, 160), 30.0, thorough=False, first=Box(0, 128, 300, 30), tiny=True
    )

    assert sum(one.light and one.glyph.value == 1 and one.box.height == 11 for one in letters) == 54
