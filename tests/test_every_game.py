"""One set of promises, kept by every game of the table."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from bot.clock import SimulatedClock
from bot.devices.practice import Faults, PracticeDevice
from bot.errors import NeverStill, PlayError
from bot.game import Game
from bot.games import GAMES
from bot.play import Options, answer, play
from bot.recognise import recognise
from bot.screen import Screen
from bot.sources import read_puzzles
from calibration import store
from solver.answer import Limits
from solver.errors import BoardsightError, InvalidPuzzle
from vision.errors import BoardNotFound, VisionError
from vision.frame import Frame

SEEDS = (0, 1, 2)
EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
EVERY_SEED = pytest.mark.parametrize("seed", SEEDS)


def board_of(game: Game[Any, Any], seed: int) -> Any:
    return game.practice(random.Random(seed))


@EVERY_GAME
@EVERY_SEED
def test_a_puzzle_survives_its_text(game: Game[Any, Any], seed: int) -> None:
    puzzle = board_of(game, seed).puzzle

    text = game.unparse(puzzle)

    assert game.parse(text) == puzzle
    assert list(game.parse_file(text)) == [puzzle]


@EVERY_GAME
def test_its_text_is_its_own_or_every_game_that_takes_it_is_named(game: Game[Any, Any]) -> None:
    puzzle = board_of(game, 0).puzzle
    text = game.unparse(puzzle)
    claims = [other.name for other in GAMES.values() if other.looks_like(text)]

    (named,) = read_puzzles(f"{game.name}:{text}", GAMES)

    assert (named.game.name, named.puzzle) == (game.name, puzzle)
    assert game.name in claims
    if len(claims) > 1:
        with pytest.raises(InvalidPuzzle) as refused:
            read_puzzles(text, GAMES)
        assert all(name in str(refused.value) for name in claims)


@EVERY_GAME
@EVERY_SEED
def test_a_practice_board_is_solved_and_checked(game: Game[Any, Any], seed: int) -> None:
    puzzle = board_of(game, seed).puzzle

    found = answer(game, puzzle, Limits())

    assert list(game.check(puzzle, found.solution)) == []


@EVERY_GAME
@EVERY_SEED
def test_what_is_drawn_is_what_is_read(game: Game[Any, Any], seed: int) -> None:
    board = board_of(game, seed)

    reading = game.read(Frame(board.render(0.0)), board.profile)

    assert not reading.doubtful
    assert game.identity(reading.puzzle) == game.identity(board.puzzle)


@EVERY_GAME
@EVERY_SEED
def test_play_ends_verified_and_that_is_the_truth(game: Game[Any, Any], seed: int) -> None:
    board, clock = board_of(game, seed), SimulatedClock()

    outcome = play(game, board.profile, Screen(PracticeDevice(board, clock), clock))

    assert outcome.status == "verified"
    assert board.solved()


@EVERY_GAME
@EVERY_SEED
def test_with_lost_and_doubled_actions_verified_is_still_the_truth(game: Game[Any, Any], seed: int) -> None:
    board, clock = board_of(game, seed), SimulatedClock()
    device = PracticeDevice(board, clock, Faults(lost=0.05, doubled=0.02, late_s=0.3), seed=seed)

    try:
        outcome = play(game, board.profile, Screen(device, clock))
    except PlayError:
        # An honest stop is allowed; a wrong "verified" never is.
        return

    assert outcome.status != "verified" or board.solved()


@EVERY_GAME
def test_a_dead_screen_is_never_called_verified(game: Game[Any, Any]) -> None:
    board, clock = board_of(game, 0), SimulatedClock()
    device = PracticeDevice(board, clock, Faults(lost=1.0))

    with pytest.raises(PlayError) as stop:
        play(game, board.profile, Screen(device, clock))

    assert not isinstance(stop.value, NeverStill)


@EVERY_GAME
def test_a_dry_run_sends_nothing(game: Game[Any, Any]) -> None:
    board, clock = board_of(game, 0), SimulatedClock()
    device = PracticeDevice(board, clock)

    outcome = play(game, board.profile, Screen(device, clock), Options(dry_run=True))

    assert (outcome.status, device.sent) == ("planned", [])


@EVERY_GAME
@pytest.mark.parametrize("kind", ["black", "white", "noise", "stripes"])
def test_a_picture_without_a_board_is_refused(game: Game[Any, Any], kind: str) -> None:
    rng = np.random.default_rng(7)
    pixels = {
        "black": np.zeros((480, 640, 3), np.uint8),
        "white": np.full((480, 640, 3), 255, np.uint8),
        "noise": rng.integers(0, 256, (480, 640, 3), dtype=np.uint8),
        "stripes": np.tile(np.repeat(np.arange(64, dtype=np.uint8) * 4, 10)[None, :, None], (480, 1, 3)),
    }[kind]

    with pytest.raises(VisionError):
        game.read(Frame(pixels), board_of(game, 0).profile)


@EVERY_GAME
@EVERY_SEED
def test_the_game_is_recognised_among_all(game: Game[Any, Any], seed: int) -> None:
    board = board_of(game, seed)

    def profiles(name: str) -> Any:
        return (
            (board.profile,) if name == game.name else store.candidates(name, measured=GAMES[name].measured)
        )

    found = recognise(Frame(board.render(0.0)), GAMES, profiles)

    assert found.game.name == game.name


@EVERY_GAME
def test_other_games_do_not_claim_its_board(game: Game[Any, Any]) -> None:
    frame = Frame(board_of(game, 1).render(0.0))

    for other in GAMES.values():
        if other is not game:
            for profile in store.candidates(other.name, measured=other.measured):
                with pytest.raises((BoardNotFound, BoardsightError)):
                    other.read(frame, profile)
