"""Bridges boards in chance styles: nothing is told that is not so, and most boards are read exactly."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.laboratory.chance_bridges import board, judged, outcome

BOARDS = 25
# Of 6,000 boards 5,288 were.
LEAST_EXACT = 18


@pytest.mark.parametrize("first", range(0, 4 * BOARDS, BOARDS))
def test_boards_in_chance_styles_are_read_or_refused(first: int) -> None:
    found = Counter(map(outcome, range(first, first + BOARDS)))

    assert found["wrong"] == 0
    assert found["exact"] >= LEAST_EXACT


@pytest.mark.parametrize("seed", [12, 93])
@pytest.mark.parametrize("grain", [1, 2, 4])
def test_islands_in_the_colour_of_their_bridges_are_read_in_grain(seed: int, grain: int) -> None:
    """They are one area with their bridges, and only their numbers stand apart: so did all grain at so few levels."""
    page, puzzle, joins = board(seed)
    grainy = page + np.random.default_rng(seed).normal(0, grain, page.shape)

    assert judged(np.clip(grainy, 0, 255).astype(np.uint8), puzzle, joins) == "exact"
