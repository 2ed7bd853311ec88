"""Nonograms with the trims that programs paint on them: nothing is told that is not so, and most boards are read exactly."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.laboratory.chance_trims import outcome
from tests.seldom import few

BOARDS = 25
# Of 2,000 boards 1,529 were.
LEAST_EXACT = 15


@pytest.mark.parametrize("first", few(range(0, 8 * BOARDS, BOARDS), 2))
def test_boards_with_trims_are_read_or_in_doubt(first: int) -> None:
    found = Counter(map(outcome, range(first, first + BOARDS)))

    assert found["wrong"] == 0
    assert found["exact"] >= LEAST_EXACT


@pytest.mark.parametrize("seed", [501, 835])
def test_cells_that_two_colours_share_by_halves_have_one_ground(seed: int) -> None:
    """Squares within filled cells, thick rings: of equal cells some had one colour as their ground, others the other one."""
    assert outcome(seed) == "exact"


@pytest.mark.parametrize("seed", [3371, 6474])
def test_the_other_half_of_a_cell_is_seen_without_the_soft_edge_between(seed: int) -> None:
    """Broad crosses on a page that gets darker, and squares within filled discs, were told in two ways."""
    assert outcome(seed) != "wrong"


@pytest.mark.parametrize("seed", [351, 737, 1805, 2255, 4687])
def test_the_shade_of_whole_lines_is_not_told_as_empty(seed: int) -> None:
    """Programs shade rows that are done, and the cursor's lines."""
    assert outcome(seed) != "wrong"


@pytest.mark.parametrize("seed", [326, 2436, 6939])
def test_a_first_row_of_marks_without_a_number_is_not_left_out(seed: int) -> None:
    """The row was left out as clues in boxes are, and a board without it was read."""
    assert outcome(seed) != "wrong"


def test_an_outer_line_without_a_number_is_no_cells_where_no_lines_show() -> None:
    """Cells of the page's own colour: one column too many was told."""
    assert outcome(2127) != "wrong"


def test_dashed_lines_that_are_not_seen_everywhere_are_hidden_by_nothing() -> None:
    """A box that leaves no other trace hides all lines of a block."""
    assert outcome(13340) == "exact"


@pytest.mark.parametrize("seed", [7414, 7437])
def test_the_last_cells_left_alone_are_not_told_as_the_filled_ones(seed: int) -> None:
    """The solution fills both, crosses stand on a colour of their own: the cells that were filled were told as left alone."""
    assert outcome(seed) == "doubt"


def test_a_broad_cross_that_covers_nearly_all_of_its_cell_is_seen() -> None:
    assert outcome(316) != "wrong"


@pytest.mark.parametrize("seed", [314, 2458, 3730])
def test_what_is_as_bright_as_its_cell_is_another_colour(seed: int) -> None:
    """The mean of both passed for the ground: marks were not seen, or told as filled."""
    assert outcome(seed) == "exact"


def test_a_ring_beside_the_cursors_frame_is_no_corner_of_a_round_cell() -> None:
    assert outcome(2302) == "exact"


def test_cells_left_alone_hold_nothing_that_others_do_not() -> None:
    """Dots that cover most of their cell, which has a colour of its own around them."""
    assert outcome(4134) != "wrong"


@pytest.mark.parametrize("seed", [4505, 5321, 5351])
def test_rings_and_crosses_that_hide_most_of_a_cell_do_not_fill_it(seed: int) -> None:
    """Rings in the colour of filled cells, and a single cross in the colour of its soft edge, were told as filled."""
    assert outcome(seed) != "wrong"


@pytest.mark.parametrize("seed", [3054, 4388])
def test_a_shadow_at_the_other_end_opens_no_cells_of_a_line_without_a_number(seed: int) -> None:
    """Beside it the last cells end in a line; the first ones, where the page begins, were said to be open."""
    assert outcome(seed) == "exact"


@pytest.mark.parametrize("seed", [7176, 7820])
def test_a_row_without_a_number_within_the_frame_belongs_to_the_board(seed: int) -> None:
    """No lines are between its cells, nor between others that are empty: the board was read without it."""
    assert outcome(seed) == "exact"
