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


@pytest.mark.parametrize("seed", [351, 737, 1805])
def test_the_shade_of_whole_lines_is_not_told_as_empty(seed: int) -> None:
    """Programs shade rows that are done, and the cursor's lines."""
    assert outcome(seed) != "wrong"
