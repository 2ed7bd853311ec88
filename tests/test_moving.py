"""Programs that draw what was entered step by step: a known board is read anew only when it rests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from bot.actions import Action, Tap
from bot.clock import SimulatedClock
from bot.devices.practice import Faults, PracticeDevice
from bot.errors import NoProgress
from bot.eyes import Eyes
from bot.games import GAMES
from bot.play import Outcome, play
from bot.practice.nonogram import SKINS, NonogramBoard, practice
from bot.screen import Patience, Screen
from solver import nonogram
from solver.answer import Limits
from solver.lattice import Square
from tests.seldom import few
from vision.errors import UncertainReading
from vision.frame import Frame, Pixels
from vision.profile import Profile

NONOGRAM = GAMES["nonogram"]


class Growing(NonogramBoard):
    """What a click makes of a cell grows out of its middle for so long, over what the cell was; a finished line fades."""

    grows_s = 0.4

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.since: dict[Square, tuple[float, Pixels]] = {}

    def act(self, action: Action, now_s: float) -> None:
        before = self.render(now_s)
        if isinstance(action, Tap):
            self.since[self._cell_at(action.at)] = now_s, before
        super().act(action, now_s)

    def _flashing(self, now_s: float) -> bool:
        return False

    def moving(self, now_s: float) -> bool:
        return any(now_s - began < self.grows_s for began, _ in self.since.values())

    def render(self, now_s: float) -> Pixels:
        shown = super().render(now_s)
        for cell, (began, before) in self.since.items():
            grown = (now_s - began) / self.grows_s
            if 0 <= grown < 1:
                at, half = self.centre(cell), int(self._sheet.tile * grown / 2)
                whole = self._sheet.tile // 2 - 1
                y, x = int(at.y), int(at.x)
                around = np.s_[y - whole : y + whole + 1, x - whole : x + whole + 1]
                inner = np.s_[y - half : y + half + 1, x - half : x + half + 1]
                new = shown[inner].copy()
                shown[around] = before[around]
                shown[inner] = new
        return shown


class Read:
    """The nonogram's reader, which remembers of what pictures it was asked."""

    def __init__(self) -> None:
        self.at: list[float] = []

    def __call__(self, frame: Frame, profile: Profile) -> Any:
        self.at.append(frame.taken_at)
        return NONOGRAM.read(frame, profile)


def growing(seed: int, skin: str = "web") -> Growing:
    board = practice(random.Random(seed), skin=skin, size=(6, 6), tile_px=28)
    return Growing(board.puzzle, SKINS[skin], 28)


@pytest.mark.parametrize("seed", range(3))
def test_only_pictures_that_rest_are_read_anew(seed: int) -> None:
    board, clock, read = growing(seed), SimulatedClock(), Read()
    moving: list[float] = []
    device = PracticeDevice(board, clock)
    capture = device.capture

    def seen() -> Frame:
        if board.moving(clock.now()):
            moving.append(clock.now())
        return capture()

    device.capture = seen  # type: ignore[method-assign]

    ended: Outcome = play(replace(NONOGRAM, read=read), board.profile, Screen(device, clock))

    assert ended.status == "verified"
    assert board.solved()
    assert moving
    assert not set(read.at) & set(moving), sorted(set(read.at) & set(moving))


class Unreadable(Read):
    """Reads the first picture, and none after it: the numbers have changed their colours."""

    def __call__(self, frame: Frame, profile: Profile) -> Any:
        if self.at:
            raise UncertainReading("the clues contradict each other")
        return super().__call__(frame, profile)


def eyes_on(device: PracticeDevice, clock: SimulatedClock, profile: Profile) -> Eyes:
    """Eyes that have seen the board, and cannot read it anew."""
    screen = Screen(device, clock, Patience(hidden_s=1.0))
    eyes = Eyes(
        replace(NONOGRAM, read=Unreadable()),
        profile,
        screen,
        {"look": 0.0},
        lambda why: None,
        lambda look: False,
    )
    eyes.begin(eyes.look("look"))
    return eyes


def crossed() -> tuple[NonogramBoard, Square]:
    """A board of a program that nobody knows, and a cell of it that stays empty."""
    board = practice(random.Random(1), skin="web", size=(6, 6), tile_px=28)
    return board, min(nonogram.solve(board.puzzle, Limits()).solution.blank)


def test_a_cell_that_looks_as_at_first_again_is_empty_though_nothing_can_be_read_anew() -> None:
    board, cell = crossed()
    clock = SimulatedClock()
    device = PracticeDevice(board, clock)
    eyes = eyes_on(device, clock, board.profile)
    cross = Tap(board.centre(cell), 0.0, "right")

    device.act((cross,))
    with_cross = eyes.look("look").reading.placed
    device.act((cross,))
    without = eyes.look("look").reading.placed

    assert with_cross.blank == {cell}
    assert not without.blank


def test_a_cell_that_is_taken_back_in_another_light_is_empty_though_nothing_can_be_read_anew() -> None:
    board, cell = crossed()
    clock = SimulatedClock()
    device = PracticeDevice(board, clock)
    eyes = eyes_on(device, clock, board.profile)
    cross, capture, light = Tap(board.centre(cell), 0.0, "right"), device.capture, False
    empty = nonogram.solve(board.puzzle, Limits()).solution.blank

    def lit() -> Frame:
        frame = capture()
        for one in empty if light else ():
            at = board.centre(one)
            inner = frame.pixels[int(at.y) - 10 : int(at.y) + 11, int(at.x) - 10 : int(at.x) + 11]
            inner[(inner > 150).all(axis=2)] = (150, 230, 230)
        return frame

    device.capture = lit  # type: ignore[method-assign]
    device.act((cross,))
    eyes.look("look")
    light = True
    eyes.look("look")
    device.act((cross,))

    assert not eyes.look("look", sent={cell}).reading.placed.blank
    with pytest.raises(UncertainReading):
        device.act((cross,))
        eyes.look("look")
        device.act((cross,))
        eyes.look("look")


def test_a_cell_that_went_beneath_something_else_is_not_empty() -> None:
    board, cell = crossed()
    clock = SimulatedClock()
    device = PracticeDevice(board, clock)
    eyes = eyes_on(device, clock, board.profile)
    device.act((Tap(board.centre(cell), 0.0, "right"),))
    eyes.look("look")
    capture, at = device.capture, board.centre(cell)

    def covered() -> Frame:
        frame = capture()
        ground = frame.pixels[int(at.y) - 11, int(at.x) - 11]
        frame.pixels[int(at.y) - 16 : int(at.y) + 17, int(at.x) - 16 : int(at.x) + 17] = ground
        return frame

    device.capture = covered  # type: ignore[method-assign]

    with pytest.raises(UncertainReading):
        eyes.look("look")


class Mistaken(NonogramBoard):
    """A program that says of some cells that they are not to be filled, by a red cross of its own."""

    said: frozenset[Square] = frozenset()

    def act(self, action: Action, now_s: float) -> None:
        super().act(action, now_s)
        for cell in CROSSED & {cell for cell, filled in self._cells.items() if filled}:
            del self._cells[cell]
            self.said |= {cell}

    def render(self, now_s: float) -> Pixels:
        shown = super().render(now_s).copy()
        for cell in self.said:
            x, y = (int(value) for value in self.centre(cell))
            for way in (-1, 1):
                cv2.line(shown, (x - 10, y - way * 10), (x + 10, y + way * 10), (40, 40, 220), 2, cv2.LINE_AA)
        return shown


CROSSED = frozenset({Square(2, 4), Square(4, 6), Square(5, 3)})


@pytest.mark.parametrize("skin", ["paper", "round", "wood", "photo"])
def test_a_cross_of_the_program_s_own_is_no_filled_cell(skin: str) -> None:
    """Whatever our solution has there: filled cells are full of a colour."""
    puzzle = practice(random.Random(3), skin=skin, size=(7, 7), tile_px=28).puzzle
    assert nonogram.solve(puzzle, Limits()).solution.filled >= CROSSED
    board, clock = Mistaken(puzzle, SKINS[skin], 28), SimulatedClock()

    with pytest.raises(NoProgress):
        play(NONOGRAM, board.profile, Screen(PracticeDevice(board, clock), clock))

    assert board.said == CROSSED and not board.solved()


class Turning(PracticeDevice):
    """For a while after a click the picture shows the cell clicked as it will be, and all others as they were."""

    turns_s = 0.35

    def __init__(self, board: Any, clock: SimulatedClock) -> None:
        super().__init__(board, clock)
        self.amid: tuple[float, Pixels, tuple[slice, slice]] | None = None

    def act(self, actions: Sequence[Action]) -> None:
        for action in actions:
            if isinstance(action, Tap):
                x, y, now = round(action.at.x), round(action.at.y), self._clock.now()
                self.amid = now, self.board.render(now), np.s_[y - 20 : y + 21, x - 20 : x + 21]
            super().act([action])

    def capture(self) -> Frame:
        shown = super().capture()
        if self.amid is None or shown.taken_at - self.amid[0] >= self.turns_s:
            return shown
        _, before, cell = self.amid
        pixels = before.copy()
        pixels[cell] = shown.pixels[cell]
        return replace(shown, pixels=pixels)


@pytest.mark.parametrize("seed", range(4))
def test_cells_amid_a_turn_from_which_no_clicks_lead_on_are_waited_for(seed: int) -> None:
    """It was told that the board has no solution."""
    game, clock = GAMES["flip"], SimulatedClock()
    board = game.practice(random.Random(seed))

    outcome = play(game, board.profile, Screen(Turning(board, clock), clock))

    assert (outcome.status, board.solved()) == ("verified", True)


class Seldom(PracticeDevice):
    """Two pictures a second, however often it is looked at."""

    shown: tuple[int, Pixels] | None = None

    def capture(self) -> Frame:
        frame = super().capture()
        number = int(2 * frame.taken_at)
        if self.shown is None or self.shown[0] != number:
            self.shown = number, frame.pixels
        return replace(frame, pixels=self.shown[1])


@pytest.mark.parametrize("seed", few(range(5, 9), (5,)))
def test_a_table_that_never_rests_is_played_where_every_reading_takes_two_seconds(seed: int) -> None:
    """Each reading was followed by a picture that moved, and was forgotten over it: the board was said to keep changing."""
    game, clock = GAMES["thaumcraft"], SimulatedClock()
    board = game.practice(random.Random(seed))
    device = Seldom(board, clock, Faults(lost=0.3), seed=seed)

    def read(frame: Frame, profile: Profile) -> Any:
        clock.sleep(2.0)
        return game.read(frame, profile)

    busy = replace(game, read=read, reread=lambda frame, known: None)
    outcome = play(busy, board.profile, Screen(device, clock))

    assert (outcome.status, board.solved()) == ("verified", True)
