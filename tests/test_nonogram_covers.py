"""Real pictures of nonograms of which a part is out of sight: nothing is told that is not so."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from tests.laboratory.chance import judged
from tests.laboratory.chance_covers import PICTURES, WAYS, board_on, partly_hidden
from tests.seldom import few
from tests.shared_data import SHARED, needs_shared

SCREENS = sorted(path for path in (SHARED / "screens" / "nonogram").glob("*") if path.suffix in PICTURES)
SEEDS = 5
# Of the pictures so many have a board with one solution.
LEAST_BOARDS = 19


@needs_shared
@pytest.mark.parametrize("seed", few(range(SEEDS), 1))
def test_clues_out_of_sight_make_no_other_puzzle(seed: int) -> None:
    found: Counter[str] = Counter()
    for path in SCREENS:
        pixels = np.asarray(cv2.imread(str(path)), np.uint8)
        if (whole := board_on(pixels)) is None:
            continue
        found["boards"] += 1
        for way in WAYS:
            page = partly_hidden(pixels, whole, way, f"{path.name} {seed}")
            outcome = judged(page, whole.puzzle, whole.placed)
            found[outcome] += 1
            assert outcome != "wrong", f"{path.name}, {way}"

    assert found["boards"] >= LEAST_BOARDS
    # Not everything is refused.
    assert found["exact"] + found["doubt"] > found["boards"] / 2
