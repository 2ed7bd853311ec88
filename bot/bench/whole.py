"""Reading: from the picture of a practice board to the puzzle, for every game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from bot.bench import Case, Row
from bot.games import GAMES
from bot.practice import thaumcraft as practice_thaumcraft
from bot.practice.base import PracticeBoard
from vision.frame import Frame

BOARDS = 5
# (name, window in px, px of the screen per px of the game)
WINDOWS = (("1080p", (1920, 1080), 4), ("4k", (3840, 2160), 8))


def rows(data: Path | None) -> Iterator[Row]:
    """One row per game, and Thaumcraft's tables on whole screens."""
    for name, game in GAMES.items():
        yield _row(name, f"the picture of a practice board of {game.title} is read", game.practice)
    for name, window, scale in WINDOWS:
        board = partial(practice_thaumcraft.practice, window=window, scale=scale, ui="stock")
        yield _row("thaumcraft", f"a research table on a screen of {window[0]} x {window[1]} px", board, name)


def _row(game: str, what: str, practice: Callable[[random.Random], PracticeBoard], kind: str = "") -> Row:
    def cases() -> Sequence[Case]:
        boards = [practice(random.Random(seed)) for seed in range(BOARDS)]
        return [partial(GAMES[game].read, Frame(board.render(0.0)), board.profile) for board in boards]

    return Row(f"read/{game}{f'-{kind}' if kind else ''}", what, cases)
