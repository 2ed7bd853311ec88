"""The promises that every game keeps, for the tests of a package that adds one.

    import pytest
    from boardsight.testing import PROMISES
    from my_game import GAME

    @pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
    @pytest.mark.parametrize("seed", (0, 1, 2))
    def test_my_game(promise, seed):
        promise(GAME, seed)

A promise is a function of the record of a game and the seed of a practice board; it raises AssertionError when it is
not kept. They show that rules, texts, reader and player go together. That the real program is read, only pictures of the
real program show.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

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
from vision.errors import VisionError
from vision.frame import Frame, Pixels
from vision.scene import scene_of

Promise = Callable[[Game[Any, Any], int], None]
# Of so many runs with faults one must come to its end.
ATTEMPTS = 3


def _board(game: Game[Any, Any], seed: int) -> Any:
    return game.practice(random.Random(seed))


def a_puzzle_survives_its_text(game: Game[Any, Any], seed: int) -> None:
    puzzle = _board(game, seed).puzzle
    text = game.unparse(puzzle)
    assert game.parse(text) == puzzle
    assert list(game.parse_file(text)) == [puzzle]


def _takes(game: Game[Any, Any], text: str) -> bool:
    try:
        return bool(game.parse_file(text))
    except InvalidPuzzle:
        return False


def its_text_is_its_own_or_every_game_that_takes_it_is_named(game: Game[Any, Any], seed: int) -> None:
    puzzle = _board(game, seed).puzzle
    text = game.unparse(puzzle)
    games = {**GAMES, game.name: game}
    claims = [other.name for other in games.values() if other.looks_like(text) and _takes(other, text)]
    (named,) = read_puzzles(f"{game.name}:{text}", games)
    assert (named.game.name, named.puzzle) == (game.name, puzzle)
    assert game.name in claims
    if len(claims) > 1:
        try:
            read_puzzles(text, games)
        except InvalidPuzzle as refused:
            assert all(name in str(refused) for name in claims), refused
        else:
            raise AssertionError(f"a text of {' and '.join(claims)} is taken without a question")


def a_practice_board_is_solved_and_checked(game: Game[Any, Any], seed: int) -> None:
    puzzle = _board(game, seed).puzzle
    found = answer(game, puzzle, Limits())
    assert list(game.check(puzzle, found.solution)) == []


def what_is_drawn_is_what_is_read(game: Game[Any, Any], seed: int) -> None:
    board = _board(game, seed)
    reading = game.read(Frame(board.render(0.0)), board.profile)
    assert not reading.doubtful
    assert game.identity(reading.puzzle) == game.identity(board.puzzle)


def play_ends_verified_and_that_is_the_truth(game: Game[Any, Any], seed: int) -> None:
    board, clock = _board(game, seed), SimulatedClock()
    outcome = play(game, board.profile, Screen(PracticeDevice(board, clock), clock))
    assert outcome.status == "verified"
    assert board.solved()


def with_lost_and_doubled_actions_verified_is_still_the_truth(game: Game[Any, Any], seed: int) -> None:
    for attempt in range(ATTEMPTS):
        board, clock = _board(game, seed), SimulatedClock()
        faults = Faults(lost=0.05, doubled=0.02, late_s=0.3)
        device = PracticeDevice(board, clock, faults, seed=seed + 1000 * attempt)
        try:
            outcome = play(game, board.profile, Screen(device, clock))
        except PlayError:
            # An honest stop is allowed, but not always; a wrong "verified" never is.
            continue
        if outcome.status == "verified":
            assert board.solved()
            return
    raise AssertionError(
        f"{game.name} was brought to an end in none of {ATTEMPTS} runs with lost and doubled actions"
    )


def a_dead_screen_is_never_called_verified(game: Game[Any, Any], seed: int) -> None:
    board, clock = _board(game, seed), SimulatedClock()
    device = PracticeDevice(board, clock, Faults(lost=1.0))
    try:
        play(game, board.profile, Screen(device, clock))
    except PlayError as stop:
        assert not isinstance(stop, NeverStill)
    else:
        raise AssertionError("a screen that takes no input was played to an end")


def a_dry_run_sends_nothing(game: Game[Any, Any], seed: int) -> None:
    board, clock = _board(game, seed), SimulatedClock()
    device = PracticeDevice(board, clock)
    outcome = play(game, board.profile, Screen(device, clock), Options(dry_run=True))
    assert (outcome.status, device.sent) == ("planned", [])


def a_picture_without_a_board_is_refused(game: Game[Any, Any], seed: int) -> None:
    profile, rng = _board(game, seed).profile, np.random.default_rng(seed)
    pictures: dict[str, Pixels] = {
        "black": np.zeros((480, 640, 3), np.uint8),
        "white": np.full((480, 640, 3), 255, np.uint8),
        "noise": rng.integers(0, 256, (480, 640, 3), dtype=np.uint8),
        "stripes": np.tile(np.repeat(np.arange(64, dtype=np.uint8) * 4, 10)[None, :, None], (480, 1, 3)),
    }
    for kind, pixels in pictures.items():
        try:
            game.read(Frame(pixels), profile)
        except VisionError:
            continue
        raise AssertionError(f"a board of {game.name} is read from a {kind} picture")


def it_is_recognised_among_all_games(game: Game[Any, Any], seed: int) -> None:
    board, games = _board(game, seed), {**GAMES, game.name: game}

    def profiles(name: str) -> Any:
        return (
            (board.profile,) if name == game.name else store.candidates(name, measured=games[name].measured)
        )

    assert recognise(Frame(board.render(0.0)), games, profiles).game.name == game.name


def no_other_game_reads_its_board(game: Game[Any, Any], seed: int) -> None:
    frame = Frame(_board(game, seed).render(0.0))
    for other in GAMES.values():
        for profile in (
            store.candidates(other.name, measured=other.measured) if other.name != game.name else ()
        ):
            if other.claim is not None and other.claim(scene_of(frame)) is None:
                # The program asks only games that claim a picture; this one is read only where a person names the game.
                continue
            try:
                reading = other.read(frame, profile)
            except BoardsightError:
                continue
            assert reading.unknown, f"a board of {game.name} is read as {other.name}"


PROMISES: tuple[Promise, ...] = (
    a_puzzle_survives_its_text,
    its_text_is_its_own_or_every_game_that_takes_it_is_named,
    a_practice_board_is_solved_and_checked,
    what_is_drawn_is_what_is_read,
    play_ends_verified_and_that_is_the_truth,
    with_lost_and_doubled_actions_verified_is_still_the_truth,
    a_dead_screen_is_never_called_verified,
    a_dry_run_sends_nothing,
    a_picture_without_a_board_is_refused,
    it_is_recognised_among_all_games,
    no_other_game_reads_its_board,
)
