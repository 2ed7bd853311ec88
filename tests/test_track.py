"""Later looks at a board that is known: what changed is decided anew, and nothing else is looked at."""

from __future__ import annotations

import contextlib
import random
from itertools import permutations
from typing import Any

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from solver.answer import Limits
from vision.errors import VisionError
from vision.frame import Box, Frame
from vision.measures.parts import box_at
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


@pytest.mark.parametrize("name", GAMES)
def test_another_board_in_the_same_place_is_not_taken_for_the_known_one(name: str) -> None:
    game = GAMES[name]
    boards = [game.practice(random.Random(seed)) for seed in range(3)]
    frames = [Frame(board.render(0.0).copy()) for board in boards]
    seen = [game.read(frame, board.profile) for frame, board in zip(frames, boards, strict=True)]

    for known, other in permutations(range(3), 2):
        later = game.reread(frames[other], seen[known])

        same = game.identity(seen[other].puzzle)
        assert later is None or game.identity(later.puzzle) == same


def test_cells_that_a_click_has_turned_are_told_without_reading_the_board_anew() -> None:
    board, first, frame = after("flip", 2, 1)
    flip = GAMES["flip"]

    later = flip.reread(frame, first)

    assert later is not None
    assert later.puzzle.given != first.puzzle.given
    assert later.puzzle == flip.read(Frame(frame.pixels), board.profile).puzzle


def test_a_tile_that_was_seen_while_it_turned_is_known_when_it_lies_still() -> None:
    board, first, still = after("net", 4, 2)
    at = next(iter(first.puzzle.squares))
    turning = still.pixels.copy()
    box = box_at(first.seen.board.grid, at.row, at.col)
    middle = (box.width / 2, box.height / 2)
    turned = cv2.getRotationMatrix2D(middle, 45, 1.0)
    cell = turning[box.window]
    turning[box.window] = cv2.warpAffine(cell, turned, cell.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    net = GAMES["net"]

    meanwhile = net.reread(Frame(turning), first) or net.read(Frame(turning), board.profile)
    later = net.reread(still, meanwhile) or net.read(still, board.profile)

    assert at in meanwhile.doubtful
    assert net.identity(later.puzzle) == net.identity(first.puzzle)


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
