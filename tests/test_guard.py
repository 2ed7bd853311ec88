"""What comes over a board while a batch of steps is sent gets at most what was already on its way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bot.actions import Action, Move, Wait, points
from bot.clock import SimulatedClock
from bot.devices.practice import PracticeDevice
from bot.games import GAMES
from bot.guard import Guard
from bot.play import Options, play
from bot.screen import Glance, Screen
from solver.errors import BoardsightError
from tests.seldom import few
from tests.toy import TOY
from tests.toy import practice as toy
from tests.troubled import small_board
from vision.frame import Box, Frame, Pixels

# Pressed on what came, before it could be seen: what is done within 20 ms.
ON_ITS_WAY = 2
SIZES: dict[str, dict[str, Any]] = {
    "bridges": {"size": (9, 9), "tile_px": 26},
    "nonogram": {"size": (10, 10)},
}


class Overtaken(PracticeDevice):
    """After so many gestures something comes up over the board, and swallows what is pressed on it.

    after: how many presses it got before the next look.
    """

    def __init__(self, board: Any, clock: SimulatedClock, at: int, cover: str, other: Any = None) -> None:
        super().__init__(board, clock)
        self.at, self.cover, self.other = at, cover, other
        self.after = 0
        self.looked = False

    @property
    def over(self) -> bool:
        return len(self.sent) >= self.at

    def capture(self) -> Frame:
        self.looked = self.looked or self.over
        return self._shown()

    def peek(self, parts: Sequence[Box]) -> Sequence[Pixels] | None:
        frame = self._shown()
        return [frame.pixels[part.window] for part in parts]

    def act(self, actions: Sequence[Action]) -> None:
        for action in actions:
            if self.over and not isinstance(action, Wait | Move) and self._hit(action):
                self.after += not self.looked
                self._clock.sleep(0.05)
            else:
                super().act([action])

    def _shown(self) -> Frame:
        frame = super().capture()
        if not self.over:
            return frame
        pixels = frame.pixels.copy()
        match self.cover:
            case "dialog":
                pixels[:] = 238
            case "half":
                pixels[:, pixels.shape[1] // 2 :] = 238
            case "veil":
                pixels = (0.45 * pixels).astype(np.uint8)
            case "other":
                pixels = np.asarray(self.other.render(frame.taken_at))
        return replace(frame, pixels=pixels)

    def _hit(self, action: Action) -> bool:
        middle = self.board.render(0.0).shape[1] // 2
        return self.cover != "half" or any(at.x >= middle for at in points(action))


def board_of(name: str, seed: int) -> Any:
    make: Any = GAMES[name].practice
    return make(random.Random(seed), **SIZES[name]) if name in SIZES else small_board(name, seed)


COVERS = ["dialog", "half", "veil", "other"]
# A game, after how many gestures something comes, and what.
CASES = [
    (name, at, cover) for name, at in (("bridges", 14), ("nonogram", 20), ("unruly", 14)) for cover in COVERS
]
NOW = [("bridges", 14, "dialog"), ("bridges", 14, "half"), ("unruly", 14, "veil"), ("nonogram", 20, "other")]


@pytest.mark.parametrize(("name", "at", "cover"), few(CASES, NOW))
def test_what_comes_up_amid_a_batch_gets_only_what_was_on_its_way(name: str, at: int, cover: str) -> None:
    """Twelve steps were sent onto it before; with a nonogram's last ones the run then said "finished"."""
    clock = SimulatedClock()
    board = board_of(name, 3)
    device = Overtaken(board, clock, at, cover, board_of(name, 4))

    with pytest.raises(BoardsightError):
        play(GAMES[name], board.profile, Screen(device, clock), Options(max_s=60.0))

    assert device.over
    assert device.after <= ON_ITS_WAY


def test_all_at_once_is_no_longer_blind_either() -> None:
    clock = SimulatedClock()
    board = board_of("bridges", 3)
    device = Overtaken(board, clock, 10, "dialog")

    with pytest.raises(BoardsightError):
        play(GAMES["bridges"], board.profile, Screen(device, clock), Options(speed="fast", max_s=60.0))

    assert device.after <= ON_ITS_WAY


class Still:
    """A screen that always shows the same.

    takes_s: how long it takes to see a part of it; None for a phone, where it cannot be seen in a moment.
    """

    def __init__(self, frame: Frame, clock: SimulatedClock, takes_s: float | None = 0.0) -> None:
        self.frame, self.clock, self.takes_s = frame, clock, takes_s
        self.peeks = 0

    def capture(self) -> Frame:
        return self.frame

    def peek(self, parts: Sequence[Box]) -> Sequence[Pixels] | None:
        self.peeks += 1
        if self.takes_s is None:
            return None
        self.clock.sleep(self.takes_s)
        return [self.frame.pixels[part.clipped(self.frame.size).window] for part in parts]

    def act(self, actions: Sequence[Action]) -> None:
        """Nothing happens."""

    def close(self) -> None:
        """Nothing is open."""


def look_at(board: Any, pixels: Pixels | None = None) -> Glance:
    frame = PracticeDevice(board, SimulatedClock()).capture()
    reading = TOY.read(frame, board.profile)
    return Glance(frame if pixels is None else replace(frame, pixels=pixels), reading)


def alarmed(guard: Guard, clock: SimulatedClock, look: Glance, after_s: float = 0.1) -> bool:
    guard.begin(look)
    clock.sleep(after_s)
    return guard.alarmed()


def test_a_change_that_means_nothing_costs_one_look() -> None:
    clock, look = SimulatedClock(), look_at(toy(random.Random(3)))
    striped = np.where(np.arange(100)[None, :, None] % 5, look.frame.pixels, 255).astype(np.uint8)
    shown = replace(look, frame=replace(look.frame, pixels=striped))
    guard = Guard(Screen(Still(shown.frame, clock), clock))

    first = alarmed(guard, clock, look)
    guard.harmless(shown)

    assert (first, alarmed(guard, clock, look)) == (True, False)


def test_what_was_a_message_that_has_gone_again_is_no_harmless_change() -> None:
    clock, look = SimulatedClock(), look_at(toy(random.Random(3)))
    covered = replace(look.frame, pixels=np.full_like(look.frame.pixels, 238))
    guard = Guard(Screen(Still(covered, clock), clock))

    first = alarmed(guard, clock, look)
    guard.harmless(look)

    assert (first, alarmed(guard, clock, look)) == (True, True)


def test_another_size_of_the_screen_is_an_alarm() -> None:
    clock, look = SimulatedClock(), look_at(toy(random.Random(3)))
    small = replace(look.frame, pixels=look.frame.pixels[:50, :50])

    assert alarmed(Guard(Screen(Still(small, clock), clock)), clock, look)


def test_where_nothing_is_seen_in_a_moment_a_batch_ends_after_two_seconds() -> None:
    clock, look = SimulatedClock(), look_at(toy(random.Random(3)))
    guard = Guard(Screen(Still(look.frame, clock, None), clock))

    assert [alarmed(guard, clock, look, after_s) for after_s in (0.1, 1.9, 2.0)] == [False, False, True]


@pytest.mark.parametrize(("takes_s", "peeks"), [(0.0, 50), (0.01, 19), (0.05, 4)])
def test_seeing_takes_a_tenth_of_the_time_at_most(takes_s: float, peeks: int) -> None:
    """In two seconds of steps of 20 ms, but for the first one; a moment is not looked at twice."""
    clock, look = SimulatedClock(), look_at(toy(random.Random(3)))
    device = Still(look.frame, clock, takes_s)
    guard = Guard(Screen(device, clock))
    guard.begin(look)

    while clock.now() < 2.0:
        clock.sleep(0.04)
        assert not guard.alarmed()

    assert device.peeks <= peeks
