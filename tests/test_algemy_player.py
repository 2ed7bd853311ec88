"""Algemy from the picture to the solved board, in simulated time."""

from __future__ import annotations

import random

import pytest

from bot.actions import Action, Tap, Wait
from bot.clock import SimulatedClock
from bot.devices.practice import PracticeDevice
from bot.games import GAMES
from bot.play import play
from bot.players.algemy import plan
from bot.practice.algemy import AlgemyPractice, practice
from bot.screen import Screen
from solver import algemy
from vision.frame import Frame, Pixels
from vision.readers.algemy.board import read


def run(board: AlgemyPractice, *, lost: float = 0.0, seed: int = 0, rounds: int = 12) -> int:
    """Looks and plays until the picture says solved; returns the number of looks."""
    dice = random.Random(seed)
    now = 0.0
    for looks in range(1, rounds + 1):
        reading = read(Frame(board.render(now)), board.profile)
        if reading.finished:
            return looks
        steps = plan(reading, algemy.solve(board.puzzle).solution).steps
        for action in (action for step in steps for action in step.actions):
            now = act(board, action, now, dice.random() < lost)
        now += 1.0
    return 0


def act(board: AlgemyPractice, action: Action, now: float, lost: bool) -> float:
    if isinstance(action, Wait):
        return now + action.seconds
    if isinstance(action, Tap) and not lost:
        board.act(action, now)
    return now + 0.05


@pytest.mark.parametrize("shape", ["square", "hex"])
@pytest.mark.parametrize("palette", ["RYB", "ROYGBV"])
def test_a_fresh_board_takes_one_plan(shape: str, palette: str) -> None:
    board = practice(
        random.Random(11),
        shape="hex" if shape == "hex" else "square",
        size=3,
        palette=palette,
        screen=(720, 1280),
    )

    assert run(board) == 2
    assert board.solved()


@pytest.mark.parametrize("seed", range(3))
def test_lost_taps_are_made_up_for(seed: int) -> None:
    board = practice(random.Random(seed), shape="square", size=4, palette="ROYGBV", screen=(720, 1280))

    assert run(board, lost=0.15, seed=seed) > 0
    assert board.solved()


class LosesTheColour:
    """A practice board that does not get the second tap, nor those that would close the wheel."""

    def __init__(self, board: AlgemyPractice, lost: int) -> None:
        self._board, self._taps, self._lost = board, 0, lost
        self.profile, self.puzzle = board.profile, board.puzzle

    def render(self, now_s: float) -> Pixels:
        return self._board.render(now_s)

    def act(self, action: Action, now_s: float) -> None:
        self._taps += 1
        if not 1 < self._taps <= 1 + self._lost:
            self._board.act(action, now_s)

    def solved(self) -> bool:
        return self._board.solved()


@pytest.mark.parametrize(("shape", "size"), [("square", 3), ("square", 4), ("hex", 2), ("hex", 3)])
@pytest.mark.parametrize("seed", range(2))
def test_a_wheel_that_stays_open_hides_nothing_that_was_seen_before(shape: str, size: int, seed: int) -> None:
    board = practice(
        random.Random(seed), shape="hex" if shape == "hex" else "square", size=size, screen=(720, 1280)
    )
    clock = SimulatedClock()
    device = PracticeDevice(LosesTheColour(board, lost=2), clock)

    outcome = play(GAMES["algemy"], board.profile, Screen(device, clock))

    assert outcome.status == "verified"
    assert board.solved()


def test_wrong_sources_go_before_anything_is_placed() -> None:
    board = practice(random.Random(6), shape="square", size=4, palette="ROYGBV", screen=(720, 1280))
    solution = algemy.solve(board.puzzle).solution
    spare = next(
        cell for cell in board.puzzle.cells if cell not in solution and cell not in board.puzzle.crystals
    )
    board._placed[spare] = "R"

    reading = read(Frame(board.render(0.0)), board.profile)
    first = plan(reading, solution)

    assert [step.cells for step in first.steps] == [(spare,)]
    assert first.missing == len(solution) + 1
    assert run(board) > 0
    assert board.solved()


def test_a_solved_board_needs_no_step() -> None:
    board = practice(random.Random(6), shape="hex", size=3, screen=(720, 1280))
    solution = algemy.solve(board.puzzle).solution
    board._placed = dict(solution)

    reading = read(Frame(board.render(0.0)), board.profile)

    assert reading.finished
    assert plan(reading, solution).missing == 0
