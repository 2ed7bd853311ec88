"""Bridges boards in chance styles: nothing is told that is not so, and most boards are read exactly."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.laboratory.chance_bridges import outcome

BOARDS = 25
# Of 6,000 boards 5,288 were.
LEAST_EXACT = 18


@pytest.mark.parametrize("first", range(0, 4 * BOARDS, BOARDS))
def test_boards_in_chance_styles_are_read_or_refused(first: int) -> None:
    found = Counter(map(outcome, range(first, first + BOARDS)))

    assert found["wrong"] == 0
    assert found["exact"] >= LEAST_EXACT
