"""One set of promises, kept by every game of the table: those that are shipped as `boardsight.testing`."""

from __future__ import annotations

import pytest

from boardsight.testing import PROMISES, Promise
from bot.games import GAMES
from tests.seldom import few


@pytest.mark.parametrize("seed", few((0, 1, 2), 1))
@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: str(promise.__name__))
@pytest.mark.parametrize("name", GAMES)
def test_every_game_keeps(name: str, promise: Promise, seed: int) -> None:
    promise(GAMES[name], seed)
