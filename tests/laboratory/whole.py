"""Reading Thaumcraft's tables on whole screens."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from bot.bench import BOARDS, Case, Row, reading_anew
from bot.practice.thaumcraft import practice

# (name, window in px, px of the screen per px of the game)
WINDOWS = (("1080p", (1920, 1080), 4), ("4k", (3840, 2160), 8))


def rows(data: Path | None) -> Iterator[Row]:
    """One row per size of the screen."""
    for name, window, scale in WINDOWS:
        yield Row(
            f"read/thaumcraft-{name}",
            f"a research table on a screen of {window[0]} x {window[1]} px, read",
            partial(_read, window, scale),
        )


def _read(window: tuple[int, int], scale: int) -> Sequence[Case]:
    boards = [practice(random.Random(seed), window=window, scale=scale, ui="stock") for seed in range(BOARDS)]
    return [reading_anew("thaumcraft", board.render(0.0), board.profile) for board in boards]
