"""Declared games in the real windows of Simon Tatham's collection: fresh boards played to the end, on a virtual display.

The truth is the program's own: the board that it was given, solved by the program, must be what stands there at the end.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.devices.desktop import open_desktop
from bot.errors import DeviceNotFound
from bot.games import GAMES
from bot.play import play
from bot.screen import Screen
from tests.laboratory.live import GAMES_FOLDER
from tests.seldom import few
from vision.profile import Profile

# The generator's parameters: of the boards that are played in every run the first two, in slow tests all of them, from the
# smallest of the program's presets to the largest that a person plays.
PARAMS = {
    "lightup": ("7x7b20s4d0", "10x10b20s2d1", "7x7b20s4d2", "14x14b20s2d2"),
    "unruly": ("8x8de", "10x10de", "8x8dt", "14x14dn"),
    "singles": ("6x6de", "8x8dk", "5x5de", "10x10dk", "12x12dk"),
    "range": ("9x6", "12x8", "13x9", "16x11"),
    "tents": ("8x8de", "10x10de", "8x8dt", "15x15dt"),
    "mosaic": ("5x5", "10x10", "3x3", "15x15", "25x25"),
    "solo": ("2x3db", "3x3db", "3x3xdb", "2x2", "3x3di", "3x3de", "9jdb", "9jxdb", "3x3ka", "3x4db", "4x4db"),
    "filling": ("9x7", "13x9", "17x13"),
    "slant": ("5x5de", "8x8de", "8x8dh", "12x10dh"),
    "towers": ("4de", "5de", "5dh", "6dx"),
    "undead": ("4x4de", "5x5dn", "4x4dt", "7x7dn"),
    "flip": ("4x4c", "5x5r", "5x5c", "3x3c"),
    "keen": ("4de", "6de", "5dem", "6dx", "9dn"),
    "unequal": ("4de", "5de", "6dk", "7dx", "5adk", "7adk"),
    "magnets": ("6x5de", "8x7dt", "6x5dtS", "10x9dtS"),
    "net": ("5x5", "7x7w", "9x9", "13x11", "13x11w"),
}
SEED = int(os.environ["BOARDSIGHT_SEED"])

pytestmark = pytest.mark.real


class WronglyVerified(AssertionError):
    """A board was called verified that is not solved in its window."""


def program(name: str) -> str:
    found = shutil.which(f"sgt-{name}", path=os.environ.get("PATH", "") + os.pathsep + GAMES_FOLDER)
    if found is None or shutil.which("Xvfb") is None:
        if os.environ.get("BOARDSIGHT_REQUIRE_REAL"):
            raise AssertionError(f"sgt-{name} and Xvfb are needed")
        pytest.skip(f"needs Xvfb and sgt-{name}")
    return found


def assert_played(name: str, params: str, seed: int) -> None:
    """A fresh board is verified, and the window then shows a board that keeps all rules of the ID that it was given."""
    game, path = GAMES[name], program(name)
    told = [path, "--generate", "1", f"{params}#{seed}"]
    identity = subprocess.run(told, capture_output=True, text=True, timeout=60, check=True).stdout.strip()
    running = subprocess.Popen([path, identity], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        device = opened(game.title)
        try:
            outcome = play(game, Profile(name, "default"), Screen(device, SystemClock()))
            # The program flashes when a board is done.
            time.sleep(1.2)
            shown = game.reread(device.capture(), outcome.after.reading) or game.read(
                device.capture(), Profile(name, "default")
            )
        finally:
            device.close()
    finally:
        running.kill()
        running.wait(10)
    assert outcome.status == "verified", identity
    true = game.parse(identity)
    # Boards without entries of their own show by their cells that they are done.
    left = game.plan(shown, outcome.answer.solution if outcome.answer else shown.placed)
    solved = outcome.answer is not None and not game.check(true, outcome.answer.solution)
    if game.identity(shown.puzzle) != game.identity(true) or left.missing or not solved:
        raise WronglyVerified(identity)


def opened(title: str):  # type: ignore[no-untyped-def]
    """The window, once it is there and drawn."""
    end = time.monotonic() + 20
    while True:
        try:
            device = open_desktop(title)
            time.sleep(0.5)
            return device
        except DeviceNotFound:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize("nth", few((0, 1), 1))
@pytest.mark.parametrize("name", few(PARAMS, ("lightup", "solo", "slant", "magnets")))
def test_a_fresh_board_is_played_to_its_end(name: str, nth: int) -> None:
    assert_played(name, PARAMS[name][nth], random.Random(f"{SEED} {name} {nth}").randrange(10**9))


@pytest.mark.slow
@pytest.mark.usefixtures("display")
@pytest.mark.parametrize("name", PARAMS)
def test_nineteen_of_twenty_fresh_boards_are_played_to_their_end(name: str) -> None:
    failed = []
    for nth in range(20):
        seed = random.Random(f"{SEED} {name} slow {nth}").randrange(10**9)
        params = PARAMS[name][nth % len(PARAMS[name])]
        try:
            assert_played(name, params, seed)
        except WronglyVerified:
            raise
        except Exception as error:
            failed.append(f"{params}#{seed}: {type(error).__name__}: {error}")

    assert len(failed) <= 1, failed


def test_every_declared_game_has_its_boards() -> None:
    names = {path.stem for path in (Path(__file__).parents[1] / "bot" / "games").glob("*.py")}
    assert set(PARAMS) <= names
