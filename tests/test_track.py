"""Later looks at a board that is known: what changed is decided anew, and nothing else is looked at."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from solver.answer import Limits
from tests.calls import calls_of
from tests.lies import solve_on
from tests.seldom import few
from vision.errors import VisionError
from vision.frame import Box, Frame
from vision.measures.parts import Part, box_at
from vision.reading import Reading
from vision.scene import Scene
from vision.track import Windows, changes

SAME = ("puzzle", "placed", "finished", "ui")
# A pass over a picture of 1 Mpx takes as long as about 8,000 calls; on a table 24 to 46 positions change, with their orbs.
CALLS_OF_A_LOOK = 9_000


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


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_later_look_takes_no_more_work_than_a_pass_over_the_picture(name: str) -> None:
    _, first, frame = after(name, 2, 1)
    GAMES[name].reread(Frame(frame.pixels), first)

    assert calls_of(lambda: GAMES[name].reread(Frame(frame.pixels), first)) <= CALLS_OF_A_LOOK


def shown(value: Any) -> Any:
    """A part as what is compared of it."""
    return (value.share, value.box, value.framed, value.cut) if isinstance(value, Part) else repr(value)


@pytest.mark.parametrize("name", few(GAMES, ["flip", "keen", "net"]))
def test_what_is_told_of_a_place_depends_on_its_window_alone(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    each, asked = Scene.each, 0

    def garbled(scene: Scene, grid: Any, name: Any, places: Any, window: Any, measure: Any) -> Any:
        nonlocal asked
        told, pixels = each(scene, grid, name, places, window, measure), scene.pixels
        for place in list(told)[:: max(1, len(told) // 5)]:
            box = window(place).clipped(scene.size)
            alone = measure([place])
            scene.pixels = np.random.default_rng(1).integers(0, 256, pixels.shape, np.uint8)
            scene.pixels[box.window] = pixels[box.window]
            assert shown(measure([place])[place]) == shown(alone[place])
            scene.pixels, asked = pixels, asked + 1
        return told

    board, first, frame = after(name, 2, 0)
    monkeypatch.setattr(Scene, "each", garbled)
    GAMES[name].read(Frame(frame.pixels.copy()), board.profile)

    assert asked or not hasattr(first.seen, "windows")


@pytest.mark.parametrize("name", ["keen", "lightup", "net"])
def test_what_changes_slowly_has_changed_in_the_end(name: str) -> None:
    _, first, frame = after(name, 2, 0)
    game, at = GAMES[name], next(iter(first.geometry.centres))
    x, y = (round(px) for px in first.geometry.centres[at])
    now: Reading[Any, Any] | None = first

    for step in range(1, 40):
        fading = (frame.pixels * (1 - step / 40) + 128 * step / 40).astype(np.uint8)
        # Something else changes in every picture.
        fading[y - 1 : y + 1, x - 1 : x + 1] = 255 * (step % 2)
        now = None if now is None else game.reread(Frame(fading), now)

    assert now is None or len(now.doubtful) > len(first.geometry.centres) / 2


def test_a_finished_note_whose_free_cells_come_back_is_not_finished() -> None:
    """What is entered looks as on the finished note: only cells that this one does not have were not looked at."""
    game = GAMES["thaumcraft"]
    board, open_note, before = after("thaumcraft", 2, 0)
    solve_on("thaumcraft", board)
    finished = game.read(Frame(board.render(1.0).copy()), board.profile)
    page, half = finished.seen.pixels.copy(), round(0.45 * open_note.geometry.pitch_px)
    for cell in set(open_note.puzzle.cells) - set(finished.puzzle.cells):
        x, y = map(round, open_note.geometry.centres[cell])
        place = np.s_[y - half : y + half + 1, x - half : x + half + 1]
        page[place] = before.pixels[place]

    later = game.reread(Frame(page), finished)

    assert finished.finished
    assert not (later or game.read(Frame(page), board.profile)).finished


def test_only_places_whose_windows_have_changed_are_asked_again() -> None:
    before = np.full((40, 60, 3), 200, np.uint8)
    now = before.copy()
    now[12, 20] = 100
    windows = [Box(left, 0, 10, 40) for left in range(0, 60, 10)]
    asked: list[int] = []

    def ask(places: Sequence[int]) -> dict[int, bool]:
        asked.extend(places)
        return dict.fromkeys(places, True)

    first = Windows()
    assert first.told("grid", "that", range(6), windows.__getitem__, ask) == dict.fromkeys(range(6), True)
    asked.clear()
    # Of what was not looked at nobody knows whether it has changed.
    later = Windows(first, changes(before, now, Box(0, 0, 50, 40)))
    assert later.told("grid", "that", range(6), windows.__getitem__, ask) == dict.fromkeys(range(6), True)
    assert asked == [2, 5]
    asked.clear()
    # Where many have changed all are told anew, and so is what was never asked for.
    much = Windows(later, changes(before, 255 - now, Box(0, 0, 30, 40)))
    much.told("grid", "that", range(6), windows.__getitem__, ask)
    much.told("grid", "else", range(2), windows.__getitem__, ask)
    assert asked == [0, 1, 2, 3, 4, 5, 0, 1]


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
