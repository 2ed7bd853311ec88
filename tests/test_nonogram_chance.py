"""Nonograms in chance styles: nothing is told that is not so, and most boards are read exactly."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.laboratory.chance import outcome
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


def test_a_few_rows_do_not_tell_where_many_more_are() -> None:
    """Five rows showed, a wider gap among them: further ones by numbers were off by half a cell, crosses told as filled."""
    assert outcome(6466) != "wrong"


@pytest.mark.parametrize("seed", [6732, 6786, 6795])
def test_corners_that_round_cells_leave_free_are_nothing_drawn(seed: int) -> None:
    """Beside thick lines they came into what is looked at: many filled cells were in doubt, as if a box lay over them."""
    assert outcome(seed) == "exact"
