"""Later looks at a board that is known: what changed is decided anew, and nothing else is looked at."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import numpy as np
import pytest

from bot.games import GAMES
from solver.answer import Limits
from vision.errors import VisionError
from vision.frame import Box, Frame
from vision.reading import Reading
from vision.track import changes

SAME = ("puzzle", "placed", "finished", "ui")


def after(name: str, seed: int, steps: int) -> tuple[Any, Reading[Any, Any], Frame]:
    """A practice board, its first reading, and a frame of it some steps later."""
    game = GAMES[name]
    board = game.practice(random.Random(seed))
    first = game.read(Frame(board.render(0.0).copy()), board.profile)
    plan = game.plan(first, game.solve(first.puzzle, Limits()).solution)
    for nth, step in enumerate(plan.steps[:steps]):
        for number, action in enumerate(step.actions):
            board.act(action, 1.0 + nth + number / 5)
    return board, first, Frame(board.render(10.0 + steps).copy())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_a_later_look_says_what_a_new_one_would(name: str, steps: int) -> None:
    board, first, frame = after(name, 2, steps)
    game = GAMES[name]

    later = game.reread(frame, first)

    fresh = game.read(Frame(frame.pixels), board.profile)
    if later is not None:
        assert [getattr(later, what) for what in SAME] == [getattr(fresh, what) for what in SAME]
        assert {at: mark.symbol for at, mark in later.marks.items()} == {
            at: mark.symbol for at, mark in fresh.marks.items()
        }
        assert later.controls.keys() == fresh.controls.keys()
    # Only what turns the board into another one has to be read anew.
    assert later is not None or steps


@pytest.mark.parametrize("name", GAMES)
def test_a_board_under_something_else_is_in_doubt_or_read_anew(name: str) -> None:
    _, first, frame = after(name, 3, 0)
    covered, area = frame.pixels.copy(), first.area
    covered[area.top + area.height // 5 : area.bottom, area.left : area.right - area.width // 5] = 70, 90, 120
    later: Reading[Any, Any] | None = None

    with contextlib.suppress(VisionError):
        later = GAMES[name].reread(Frame(covered), first)

    assert later is None or later.doubtful


def test_changes_are_counted_by_place() -> None:
    before = np.full((40, 60, 3), 200, np.uint8)
    now = before.copy()
    now[12:16, 20:30] = 100
    now[30, 50] = 203

    found = changes(before, now, Box(10, 5, 50, 35))

    assert found
    assert found.area == Box(20, 12, 10, 4)
    assert found.within([Box(0, 0, 25, 14), Box(40, 20, 20, 20), Box(-5, -5, 100, 100)]).tolist() == [
        10,
        0,
        40,
    ]
    assert found.beside([Box(20, 12, 4, 4)]) == 24
