"""A nonogram page of our own in a real Chromium, played by `boardsight play desktop` and nothing else.

Nobody tells which program it is, how its cells look or what its buttons do. The page itself says whether it is solved.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.devices.desktop import open_desktop
from bot.practice.nonogram import unique
from solver import nonogram
from solver.nonogram import Nonogram
from tests import real_page
from tests.laboratory import live
from tests.real_desktop import RealGame
from tests.seldom import few
from tests.shared_data import REQUIRE_REAL
from vision.profile import Profile
from vision.readers.nonogram import read

SEED = int(os.environ["BOARDSIGHT_SEED"])
MISSING = real_page.missing() or live.missing()
PROJECT = Path(__file__).parents[1]

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(bool(MISSING) and not REQUIRE_REAL, reason=MISSING),
]


@pytest.fixture(scope="module", autouse=True)
def windows(display: str) -> Iterator[None]:
    assert not MISSING, MISSING
    with real_page.window_manager():
        yield


def puzzle(size: int, salt: object = "") -> tuple[Nonogram, str]:
    """A fresh puzzle with one solution, and its picture as the page wants it."""
    made = unique(random.Random(f"{SEED} {salt}"), size, size)
    return made, real_page.rows_of(nonogram.solve(made).solution, size, size)


def play_desktop(folder: Path) -> dict[str, Any]:
    """What `boardsight play desktop --yes --json` says."""
    told = subprocess.run(
        [sys.executable, "-m", "bot", "play", "desktop", "--yes", "--json"],
        cwd=PROJECT,
        env={
            **os.environ,
            "BOARDSIGHT_PROFILES": str(folder / "profiles"),
            "BOARDSIGHT_RUNS": str(folder / "runs"),
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert told.returncode == 0, told.stderr + told.stdout
    outcome: dict[str, Any] = json.loads(told.stdout)
    return outcome


@pytest.mark.parametrize(
    ("mode", "look", "size"),
    few([("cycle", "dark", 8), ("toggle", "light", 10), ("sets", "round", 12)], 1),
    ids=lambda value: f"{value}-seed{SEED}" if isinstance(value, int) else value,
)
def test_the_page_is_read_learned_and_played_to_its_end(
    tmp_path: Path, mode: str, look: str, size: int
) -> None:
    made, picture = puzzle(size, mode)
    with real_page.page(tmp_path / "browser", picture, mode=mode, look=look):
        device = open_desktop()
        reading = read(device.capture(), Profile("nonogram", "default"))
        device.close()

        outcome = play_desktop(tmp_path)

        real_page.wait_for_title(real_page.SOLVED, 5)
    assert (reading.puzzle.rows, reading.puzzle.cols) == (made.rows, made.cols)
    assert not reading.placed.filled | reading.placed.blank
    assert outcome["status"] == "verified"
    assert len(list((tmp_path / "profiles" / "nonogram").iterdir())) == 1


def test_what_was_learned_is_used_for_the_next_puzzle(tmp_path: Path) -> None:
    actions = []
    for salt in ("first", "second"):
        made, picture = puzzle(8, salt)
        with real_page.page(tmp_path / salt, picture, mode="toggle", look="light"):
            outcome = play_desktop(tmp_path)
            real_page.wait_for_title(real_page.SOLVED, 5)
        filled = sum(map(sum, made.rows))
        # Every step ends with the pointer being parked.
        actions.append(outcome["actions"] - filled)

    assert actions[1] < actions[0]
    assert len(list((tmp_path / "profiles" / "nonogram").iterdir())) == 1


@pytest.mark.parametrize(
    ("mode", "look"),
    [("swatches", "digits"), ("swatches", "dark"), ("cycle", "boxes")],
    ids=lambda value: str(value),
)
def test_a_coloured_puzzle_is_read_and_entered_colour_by_colour(tmp_path: Path, mode: str, look: str) -> None:
    picture = "00aaaa00.0aaaaaa0.aabbbbaa.bbcccbbb.0cddcc00.ddddccbb.00dd0cbb.aaaa00bb"
    with real_page.page(tmp_path / "browser", picture, source=real_page.COLOURED, mode=mode, look=look):
        outcome = play_desktop(tmp_path)

        real_page.wait_for_title(real_page.COLOURED_SOLVED, 5)
    assert outcome["status"] == "verified"


def test_pattern_is_told_from_the_page_by_itself(tmp_path: Path) -> None:
    identity = live.game_id("nonogram", "10x10", random.Random(SEED))
    running = RealGame("nonogram", identity)
    try:
        outcome = play_desktop(tmp_path)
    finally:
        running.close()

    assert outcome["status"] == "verified"
    assert not (tmp_path / "profiles").exists()
