"""Areas, dominoes and tiles of wires are parts for any declared game: made-up games of each keep the promises."""

from __future__ import annotations

import pytest

from boardsight import testing
from boardsight.testing import PROMISES, Promise
from tests.made_up import MADE_UP

# What a part does: a text, rules, a reader and the moves. All other promises are of the shared code.
FIRST = (
    testing.a_puzzle_survives_its_text,
    testing.what_is_drawn_is_what_is_read,
    testing.play_ends_verified_and_that_is_the_truth,
)
# A board of sums is one of Keen as well, which has more signs.
APART = (testing.it_is_recognised_among_all_games, testing.no_other_game_reads_its_board)


@pytest.mark.parametrize("promise", FIRST, ids=lambda promise: promise.__name__)
@pytest.mark.parametrize("name", MADE_UP)
def test_a_game_of_a_shared_part(name: str, promise: Promise) -> None:
    promise(MADE_UP[name], 1)


@pytest.mark.long
@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
@pytest.mark.parametrize("seed", [0, 2])
@pytest.mark.parametrize("name", MADE_UP)
def test_a_game_of_a_shared_part_keeps_all_promises(name: str, seed: int, promise: Promise) -> None:
    if not (name == "sums" and promise in APART):
        promise(MADE_UP[name], seed)
