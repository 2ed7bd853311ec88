"""Nonograms in chance styles: nothing is told that is not so, and most boards are read exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from solver.lattice import Square
from tests.laboratory import chance_trims
from tests.laboratory.chance import (
    Board,
    board,
    draw_cell,
    ground,
    judged,
    outcome,
    state,
    window,
    write_clues,
)
from tests.seldom import few

BOARDS = 25
# Of 1,000 boards 841 were.
LEAST_EXACT = 18


@pytest.mark.parametrize("first", few(range(0, 8 * BOARDS, BOARDS), 2))
def test_boards_in_chance_styles_are_read_or_in_doubt(first: int) -> None:
    found = Counter(map(outcome, range(first, first + BOARDS)))

    assert found["wrong"] == 0
    assert found["exact"] >= LEAST_EXACT


@pytest.mark.parametrize("seed", [1383, 2081, 2487, 2931])
def test_rings_that_fill_their_cells_are_marks(seed: int) -> None:
    """They were told as the shade around round cells, which are empty, or as what broad crosses leave free."""
    assert outcome(seed) == "exact"


@pytest.mark.parametrize("seed", [11042, 11182, 11961, 13126])
def test_a_mark_in_the_colour_of_filled_cells_is_none_of_them_though_it_is_alone_or_the_pointer_on_it(
    seed: int,
) -> None:
    """A single ring, and a broad cross: a filled cell with something on it is filled at its sides and corners."""
    assert outcome(seed) == "doubt"


@pytest.mark.parametrize("seed", [12086, 12180, 12202])
def test_a_disc_with_the_pointer_on_it_is_filled(seed: int) -> None:
    assert outcome(seed) == "exact"


def test_a_few_rows_do_not_tell_where_many_more_are() -> None:
    """Five rows showed, a wider gap among them: further ones by numbers were off by half a cell, crosses told as filled."""
    assert outcome(6466) != "wrong"


@pytest.mark.parametrize(
    ("draw", "seed"), [(board, 10636), (chance_trims.board, 10636), (chance_trims.board, 9330)]
)
def test_marks_in_a_row_without_a_number_belong_to_the_board(draw: Callable[[int], Board], seed: int) -> None:
    """The first row is empty, and every cell of it marked: the other four were told as the whole board."""
    drawn = draw(seed)

    assert judged(drawn.pixels, drawn.puzzle, drawn.picture) != "wrong"


@pytest.mark.parametrize("seed", [6732, 6786, 6795])
def test_corners_that_round_cells_leave_free_are_nothing_drawn(seed: int) -> None:
    """Beside thick lines they came into what is looked at: many filled cells were in doubt, as if a box lay over them."""
    assert outcome(seed) == "exact"


@pytest.mark.parametrize("seed", [26, 34, 51])
def test_every_other_band_of_numbers_is_no_column_of_digits_that_touch(seed: int) -> None:
    """On the dark ones the numbers were cut by lines, as digits that touch are parted, and the board was refused."""
    one = board(seed)
    style = replace(one.style, page=(80, 180, 150), ink=(230, 0, 90))
    page, places = ground(one.puzzle, style)
    for nth, at in enumerate(places):
        shade, own = ((50, 125, 110), (150, 215, 190))[nth % 2 == 0], slice(at, at + style.cell)
        page[own, 12 : places[0] - 3] = page[12 : places[0] - 3, own] = shade
    for cell in (Square(row, col) for row in range(one.puzzle.height) for col in range(one.puzzle.width)):
        draw_cell(window(page, places, style, cell), cell, state(one.picture, cell), style)
    write_clues(page, one.puzzle, places, style)

    assert judged(page, one.puzzle, one.picture) == "exact"


@pytest.mark.parametrize("seed", [334, 1092, 2139])
def test_the_texture_of_all_filled_cells_is_no_mark(seed: int) -> None:
    """Hatched ones were told as empty where what is entered does not follow the numbers."""
    one = board(seed)
    _, places = ground(one.puzzle, one.style)
    lighter = [min(level + 50, 255) if sum(one.style.fill) < 380 else level - 50 for level in one.style.fill]
    for cell in one.picture.filled:
        own = window(one.pixels, places, one.style, cell)
        side = len(own)
        for off in range(-side, side, 5):
            cv2.line(own, (off, 0), (off + side, side), lighter, 1)

    assert judged(one.pixels, one.puzzle, one.picture) != "wrong"


@pytest.mark.parametrize("seed", [1038, 2078, 2110, 2126, 2133, 2254, 2378])
def test_crosses_on_tiles_of_their_own_colour_do_not_fill_the_others(seed: int) -> None:
    """The ink of the crosses, or their tiles, passed for the ground, from which the cells left alone stand out."""
    one = board(seed)
    _, places = ground(one.puzzle, one.style)
    tile = [(90, 90, 200), (200, 120, 60), (80, 170, 80)][seed % 3]
    for cell in one.picture.blank:
        own = window(one.pixels, places, one.style, cell)
        own[abs(own.astype(int) - one.style.free).max(axis=2) < 20] = tile

    assert judged(one.pixels, one.puzzle, one.picture) != "wrong"


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_first_row_without_a_number_belongs_to_the_board_though_its_border_hardly_shows(seed: int) -> None:
    """The page gets darker and bluer: the mean of the channels is the same on both sides of the border."""
    one = board(3275)
    _, places = ground(one.puzzle, one.style)
    slope = np.linspace(-20, 20, len(one.pixels))[:, None, None]
    beside = (one.pixels == one.style.page).all(axis=2, keepdims=True)
    page = np.where(beside, one.pixels + slope, one.pixels)
    for cell in one.picture.filled:
        window(np.asarray(page), places, one.style, cell)[-3:] *= 0.5
    page = page.astype(np.uint8) + np.random.default_rng(seed).normal(0, 3, page.shape)

    assert judged(np.clip(page, 0, 255).astype(np.uint8), one.puzzle, one.picture) != "wrong"


def test_a_row_of_marks_between_the_numbers_and_the_cells_is_not_left_out() -> None:
    """Bands of the page's shade behind the numbers; free cells have the page's colour. A row without a number was left out."""
    one = board(4036)
    _, places = ground(one.puzzle, one.style)
    band = slice(10, places[0] - 4)
    for line in (slice(at + 1, at + one.style.cell - 1) for at in places):
        for behind in (one.pixels[line, band], one.pixels[band, line]):
            behind[(behind == one.style.page).all(axis=2)] -= 25

    assert judged(one.pixels, one.puzzle, one.picture) != "wrong"
