"""Nonograms in programs made up by chance: nothing is told that is not so, nothing else is pressed, most are played."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.laboratory import chance_dressed
from tests.laboratory.chance_play import game
from tests.seldom import few

GAMES = 8
# Of 400 games 339 were; of twelve programs one can only cross cells, for a button has to be pressed before.
LEAST_PLAYED = 5


@pytest.mark.parametrize("first", few((0, GAMES), 1))
def test_programs_made_up_by_chance_are_played_or_left_alone(first: int) -> None:
    games = [game(seed) for seed in range(first, first + GAMES)]

    ended = Counter(one.ended for one in games)
    assert ended["false"] == ended["crashed"] == 0
    assert [one.spoiled for one in games if one.spoiled] == []
    assert ended["played"] >= LEAST_PLAYED


@pytest.mark.parametrize("seed", [460, 559])
def test_a_left_button_that_makes_rings_fills_no_cells_where_the_right_one_does(seed: int) -> None:
    """The rings were taken for filled cells, and the board told as verified with one in every other cell."""
    assert game(seed).ended == "played"


def test_a_board_that_is_painted_at_its_end_has_said_so_and_gets_no_other_solution() -> None:
    """Nothing changed beside the board: other solutions were entered over the one that the program had taken."""
    assert game(900).ended == "played"


def test_a_dialog_in_the_colour_of_empty_cells_takes_back_no_entry() -> None:
    """Cells of a complete board were seen empty when it had settled, and pressed again: on the dialog."""
    one = game(3011)

    assert (one.ended, one.spoiled) == ("played", {})


@pytest.mark.parametrize("seed", [16, 49, 61, 77])
def test_boards_on_a_pattern_whose_row_and_column_are_lit_are_played(seed: int) -> None:
    """Where a highlight had been, the pattern was taken for marks; a lit cross, and a filled cell beside one, for covered."""
    one = chance_dressed.game(seed)

    assert (one.ended, one.spoiled) == ("played", {})


def test_a_block_of_cells_left_alone_is_no_box_where_that_is_how_they_look() -> None:
    """All others were filled or crossed, and those that were left alone in one block were taken for a box over it."""
    assert game(459).ended == "played"


def test_a_cell_that_a_lesson_filled_and_nothing_clears_is_not_verified() -> None:
    """Both buttons fill, the numbers go at the end: what the program had taken was told, not what stood there since."""
    one = chance_dressed.game(133)

    assert one.ended == "stopped"
    assert "1 cell is missing, but nothing can be done" in one.why


def test_a_cell_that_a_lesson_clicked_once_too_often_is_filled_again() -> None:
    """The last click showed late, after the numbers had gone, and the board was told as verified without that cell."""
    assert chance_dressed.game(359).ended == "played"


@pytest.mark.parametrize("seed", [602, 605, 612])
def test_faint_patterns_around_a_cell_are_no_box_over_it(seed: int) -> None:
    """Cells between others with a pattern were in doubt, and nothing was played."""
    assert chance_dressed.game(seed).ended == "played"
