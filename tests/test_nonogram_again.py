"""Later looks at a nonogram: puzzle and lattice stand, cells that changed are decided again, numbers are not read."""

from __future__ import annotations

import random
from collections.abc import Mapping, Set
from dataclasses import replace

import cv2
import numpy as np
import pytest

from bot.actions import Tap
from bot.practice.nonogram import SKINS, NonogramBoard, clues_of, practice
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture, solve
from tests.calls import calls_of
from tests.test_nonogram_looks import (
    CELL,
    INK,
    LEFT,
    PAPER,
    PUZZLE,
    SOLUTION,
    TOP,
    corner,
    drawn,
    placed,
    played,
)
from tests.test_nonogram_truth import with_clue
from vision.frame import Frame, Pixels
from vision.measures.looks import Sample
from vision.profile import Profile
from vision.readers.nonogram.again import reread
from vision.readers.nonogram.board import read
from vision.readers.nonogram.told import BoardReading

PROFILE = Profile("nonogram", "default")


def looked(page: Pixels) -> BoardReading:
    reading = read(Frame(page), PROFILE)
    assert isinstance(reading, BoardReading)
    return reading


def later(first: BoardReading, page: Pixels) -> BoardReading:
    again = reread(Frame(page), first)
    assert again is not None
    return again


HALF: Mapping[Square, str] = played(crosses=True, every=2)
WHOLE: Mapping[Square, str] = played(crosses=True)


def test_cells_entered_since_the_first_look_are_told_without_reading_anew() -> None:
    first = looked(drawn(PUZZLE, HALF))

    again = later(first, drawn(PUZZLE, WHOLE))

    assert (again.placed.filled, again.placed.blank) == (placed(WHOLE, "#"), placed(WHOLE, "x"))
    assert again.puzzle == first.puzzle and not again.doubtful


def test_cells_that_are_taken_back_for_another_solution_are_told_without_reading_anew() -> None:
    """They look as before anything was entered, lines and all; under a cover they do not."""
    entered = {cell: sign for cell, sign in WHOLE.items() if sign == "#"}
    full = later(looked(drawn(PUZZLE, {})), drawn(PUZZLE, entered))
    back = sorted(entered)[3:20:3]
    page = drawn(PUZZLE, {cell: sign for cell, sign in entered.items() if cell not in back})

    again = later(full, page)

    assert again.placed.filled == full.placed.filled - set(back) and not again.doubtful
    covered = page.copy()
    for cell in back:
        x, y = corner(*cell, 0)
        covered[y : y + CELL + 1, x : x + CELL + 1] = PAPER
    assert reread(Frame(covered), full) is None


def framing(puzzle: Nonogram, solution: Picture, filled: Set[Square]) -> Pixels:
    """A dark board with gaps: of lines that are done the other cells get crosses, and all cells frames inside."""
    every = solution.filled | solution.blank
    lines = [{one for one in every if one[way] == n} for way in (0, 1) for n in range(10)]
    done = {cell for line in lines if solution.filled & line <= filled for cell in line}
    page = 255 - drawn(puzzle, {})
    page[TOP - 2 :, LEFT - 2 :] = (32, 20, 15)
    page[TOP - 2 : TOP + 300, LEFT - 2 : LEFT + 300] = (69, 53, 42)
    for cell in every:
        x, y = LEFT + 30 * cell.col, TOP + 30 * cell.row
        own, ring = ((252, 238, 231), (240, 196, 220)) if cell in filled else ((35, 23, 14), (71, 28, 50))
        page[y : y + 28, x : x + 28] = ring if cell in done else own
        page[y + 2 : y + 26, x + 2 : x + 26] = own
        if cell in done - filled:
            for sign in (-1, 1):
                cv2.line(
                    page, (x + 10, y + 14 - 4 * sign), (x + 18, y + 14 + 4 * sign), (211, 197, 190), 2, 16
                )
    return page


@pytest.mark.parametrize("seed", [1, 7, 8, 25])
def test_a_whole_cell_between_lines_that_show_is_not_covered_though_all_others_have_frames(seed: int) -> None:
    """The last filled cell without a frame was taken for something that lies over the board."""
    rng = random.Random(seed)
    puzzle = clues_of([[rng.random() < 0.6 for _ in range(10)] for _ in range(10)])
    solution = solve(puzzle).solution
    cells = sorted(solution.filled)
    reading = looked(framing(puzzle, solution, frozenset()))

    for count in (*range(1, len(cells), 5), *range(len(cells) - 10, len(cells))):
        shown = frozenset(cells[:count])
        page = framing(puzzle, solution, shown)
        reading = reread(Frame(page), reading) or looked(page)
        assert shown.isdisjoint(reading.doubtful)


@pytest.mark.parametrize("cut_px", [1, 4])
@pytest.mark.parametrize("side", ["below", "right"])
def test_a_board_whose_last_line_the_edge_of_the_picture_cuts_off_is_looked_at_again(
    side: str, cut_px: int
) -> None:
    right, bottom = corner(PUZZLE.height, PUZZLE.width, 0)
    shown = np.s_[: bottom - cut_px] if side == "below" else np.s_[:, : right - cut_px]
    first = looked(np.ascontiguousarray(drawn(PUZZLE, HALF)[shown]))

    again = later(first, np.ascontiguousarray(drawn(PUZZLE, WHOLE)[shown]))

    assert again.placed.filled == placed(WHOLE, "#")
    height, width = drawn(PUZZLE, HALF)[shown].shape[:2]
    assert first.area.right <= width and first.area.bottom <= height


@pytest.mark.parametrize("style", ["faded", "faded around one", "recoloured", "struck", "on a chip"])
def test_finished_clues_in_another_style_stop_nothing(style: str) -> None:
    first = looked(drawn(PUZZLE, HALF))
    page = drawn(PUZZLE, WHOLE)
    for row in range(0, PUZZLE.height, 2):
        y = corner(row, 0, 0)[1]
        band = page[y : y + CELL, : LEFT - 2]
        if style == "faded":
            band[:] = 255 - (255 - band) // 4
        elif style == "faded around one":
            around = np.r_[: LEFT - 48, LEFT - 28 : LEFT - 2]
            band[:, around] = 255 - (255 - band[:, around]) // 4
        elif style == "recoloured":
            band[..., 1] = 255 - (255 - band[..., 1]) // 3
        elif style == "struck":
            band[CELL // 2, LEFT - 60 :] = 40
        else:
            band[3:-3, LEFT - 70 :] -= 50

    again = later(first, page)

    assert again.placed.filled == placed(WHOLE, "#")


def test_another_number_in_its_place_is_read_anew() -> None:
    first = looked(drawn(PUZZLE, HALF))
    other = with_clue(with_clue(PUZZLE, 0, (4, 4)), 8, (1, 7))

    assert reread(Frame(drawn(other, HALF)), first) is None


def test_a_board_that_moved_or_went_is_read_anew() -> None:
    page = drawn(PUZZLE, HALF)
    first = looked(page)

    assert reread(Frame(np.roll(page, 3, axis=1)), first) is None
    assert reread(Frame(np.roll(page, 2, axis=0)), first) is None
    assert reread(Frame(np.full_like(page, 255)), first) is None
    assert reread(Frame(page[:-1]), first) is None


def test_a_dialog_over_the_board_is_read_anew() -> None:
    page = drawn(PUZZLE, HALF)
    first = looked(page)
    covered = drawn(PUZZLE, WHOLE)
    x, y = corner(3, 2, 0)
    covered[y : y + 110, x : x + 170] = 255
    cv2.putText(
        covered, "SOLVED!", (x + 20, y + 60), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (0, 0, 0), 2, cv2.LINE_AA
    )

    assert reread(Frame(covered), first) is None


def test_a_look_that_was_never_there_is_read_anew() -> None:
    first = looked(drawn(PUZZLE, {}))
    veiled = {Square(r, c): (180, 200, 120) for r in range(4) for c in range(4)}

    assert reread(Frame(drawn(PUZZLE, HALF, highlit=veiled)), first) is None


def test_cells_restyled_when_their_line_is_done_are_told_without_reading_anew() -> None:
    """Filled ones are grey then, and the others have gone with their lines."""
    first = looked(drawn(PUZZLE, played(crosses=False, every=2)))
    page = drawn(PUZZLE, played(crosses=False))
    done = 6
    top, bottom = corner(0, 0, 0)[1] - 1, corner(done, 0, 0)[1] - 1
    board = page[top:bottom, LEFT - 1 : corner(0, PUZZLE.width, 0)[0]]
    filled = (board == INK).all(axis=2)
    board[:] = (225, 240, 225)
    board[filled] = 120, 120, 125

    again = later(first, page)

    assert again.placed.filled == SOLUTION.filled
    assert not again.unknown


def test_a_plain_cover_over_cells_of_both_kinds_is_read_anew() -> None:
    first = looked(drawn(PUZZLE, played(crosses=False, every=2)))
    page = drawn(PUZZLE, played(crosses=False, every=2))
    x, y = corner(3, 2, 0)
    page[y : y + 110, x : x + 170] = 225, 240, 225

    assert reread(Frame(page), first) is None


def test_a_veil_under_which_empty_cells_look_as_a_filled_one_did_is_read_anew() -> None:
    """What fills a cell in this program was learned while it came up slowly."""
    first, ink = looked(drawn(PUZZLE, {})), (36, 34, 38)
    known = ("filled", Sample((78, 78, 87), False)), ("free", Sample(PAPER, False))
    assert first.seen is not None
    taught = replace(first, seen=replace(first.seen, known=known))
    page = drawn(PUZZLE, played(crosses=False), ink=ink)

    assert later(taught, page).placed.filled == SOLUTION.filled
    assert reread(Frame(np.asarray(0.4 * page, np.uint8)), taught) is None


def test_numbers_that_go_with_their_lines_stop_nothing_and_others_do() -> None:
    signs = {cell: sign for cell, sign in WHOLE.items() if cell.row < PUZZLE.height - 1}
    first = looked(drawn(PUZZLE, {}))
    page = drawn(PUZZLE, signs)
    page[corner(0, 0, 0)[1] : corner(PUZZLE.height - 1, 0, 0)[1] - 1, : LEFT - 2] = PAPER

    assert later(first, page).placed.filled == placed(signs, "#")
    page[TOP:, : LEFT - 2] = PAPER
    assert later(first, page).placed.filled == placed(signs, "#")
    assert (
        reread(Frame(np.where(np.arange(page.shape[1])[:, None] < LEFT - 2, page, drawn(PUZZLE, {}))), first)
        is None
    )


def test_the_first_entries_of_the_collections_own_window_are_told_without_reading_anew() -> None:
    board = practice(random.Random(3), skin="sgt", size=(10, 10), tile_px=24)
    first = looked(board.render(0.0))
    assert not first.placed.filled
    for nth, cell in enumerate(sorted(solve(board.puzzle).solution.filled)[:-1]):
        board.act(Tap(board.centre(cell), button="left" if nth % 3 else "right"), 0.0)

    again = later(first, board.render(0.0))

    assert (again.placed.filled, again.placed.blank) == (board.picture.filled, board.picture.blank)
    assert again.placed.blank and not again.doubtful


def test_numbers_that_had_to_be_decided_stand_like_all_others() -> None:
    first = replace(looked(drawn(PUZZLE, HALF)), remarks=("row 1, number 1: 8 looked likelier",))

    again = later(first, drawn(PUZZLE, WHOLE))

    assert again.placed.filled == placed(WHOLE, "#") and again.remarks == first.remarks


def highlighted(rows: int) -> dict[Square, tuple[int, int, int]]:
    """The first rows in hardly another colour than the lines."""
    return {Square(r, c): (174, 174, 174) for r in range(rows) for c in range(PUZZLE.width)}


def test_a_highlight_on_which_lines_are_faint_stops_nothing() -> None:
    half, more = played(crosses=False, every=2), played(crosses=False)
    first = looked(drawn(PUZZLE, half, highlit=highlighted(1)))

    again = later(first, drawn(PUZZLE, more, highlit=highlighted(5)))

    assert again.placed.filled == placed(more, "#")


def test_a_plain_dialog_in_the_colour_of_a_highlight_is_read_anew() -> None:
    half = played(crosses=False, every=2)
    first = looked(drawn(PUZZLE, half, highlit=highlighted(1)))
    covered = drawn(PUZZLE, half, highlit=highlighted(1))
    x, y = corner(3, 2, 0)
    covered[y : y + 110, x : x + 170] = 174

    assert reread(Frame(covered), first) is None


@pytest.mark.parametrize("gap", [0.1, 0.2, 0.25])
def test_crosses_in_cells_that_stand_apart_are_told_without_reading_anew(gap: float) -> None:
    board = NonogramBoard(PUZZLE, replace(SKINS["round"], gap=gap, radius=0.0, mark="cross"), 36)
    first = looked(board.render(0.0))
    crossed = frozenset(cell for cell in SOLUTION.blank if cell.row < 2)
    for cell in crossed:
        board.act(Tap(board.centre(cell), button="right"), 0.0)

    assert later(first, board.render(0.0)).placed.blank == crossed


def test_a_later_look_costs_three_tenths_of_the_first_at_most() -> None:
    """What lies over the board is looked for at every look, in all of it."""
    page, more = drawn(PUZZLE, HALF), drawn(PUZZLE, WHOLE)
    first = looked(page)

    whole = calls_of(lambda: read(Frame(more), PROFILE))
    again = calls_of(lambda: reread(Frame(more), first))

    assert again < 0.3 * whole
