"""Bridges boards with what programs paint on them: nothing is told that is not so, and most boards are read exactly."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.laboratory.chance_bridges_trims import outcome
from tests.seldom import few

BOARDS = 50
# Of 3,000 boards 2,199 were, of 50 at least 29.
LEAST_EXACT = 25


@pytest.mark.parametrize("first", few(range(0, 20 * BOARDS, BOARDS), now=2))
def test_boards_with_what_programs_paint_on_them_are_read_or_refused(first: int) -> None:
    found = Counter(map(outcome, range(first, first + BOARDS)))

    assert found["wrong"] == 0
    assert found["exact"] >= LEAST_EXACT
