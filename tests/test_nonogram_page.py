"""A nonogram page of our own in a real Chromium, played by `boardsight play desktop` and nothing else.

Nobody tells which program it is, how its cells look or what its buttons do. The page itself says whether it is solved.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

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
from vision.readers.nonogram.board import read

SEED = int(os.environ["BOARDSIGHT_SEED"])
MISSING = real_page.missing() or live.missing()
# The page without the title of its window, which says that it is solved.
WINDOW = f"desktop:{real_page.TITLE}"

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

        outcome = real_page.play_desktop(tmp_path)

        real_page.wait_for_title(real_page.SOLVED, 5)
    assert (reading.puzzle.rows, reading.puzzle.cols) == (made.rows, made.cols)
    assert not reading.placed.filled | reading.placed.blank
    assert outcome["status"] == "verified"
    assert len(list((tmp_path / "profiles" / "nonogram").iterdir())) == 1


@pytest.mark.parametrize("mode", few(["fills", "toggle"], 1))
def test_a_browsers_own_menu_is_closed_after_one_right_click(tmp_path: Path, mode: str) -> None:
    """Nothing in the page keeps the menu from opening; with "toggle" the cross is drawn under it.

    The page shows nothing when it is solved: it might want crosses.
    """
    _, picture = puzzle(8, f"menu {mode}")
    with real_page.page(tmp_path / "browser", picture, mode=mode, menu="browser", told="nothing"):
        outcome = real_page.play_desktop(tmp_path, WINDOW)

        real_page.wait_for_title(f"{real_page.SOLVED} after 1 right clicks", 5)
        assert real_page.menus() == 0
    assert outcome["status"] == "verified"


@pytest.mark.parametrize("stop", few([signal.SIGINT, signal.SIGTERM], 1), ids=lambda stop: stop.name)
def test_a_run_that_is_stopped_while_the_browsers_menu_is_open_closes_it(
    tmp_path: Path, stop: signal.Signals
) -> None:
    # On a busy machine the run may have closed it before anybody can stop it.
    assert any(stopped_in_time(tmp_path / str(nth), stop) for nth in range(3))


def stopped_in_time(folder: Path, stop: signal.Signals) -> bool:
    """Whether the menu was still open when the run was told to stop; if so, it has closed it."""
    _, picture = puzzle(8, "stopped")
    with real_page.page(folder / "browser", picture, mode="fills", menu="browser", told="nothing"):
        running = real_page.start_desktop(folder, WINDOW)
        real_page.wait_for_title(f"{real_page.SOLVED} after 1 right clicks", 120)
        was_open = real_page.menus() == 1

        running.send_signal(stop)
        running.communicate(timeout=120)

        end = time.monotonic() + 20
        while was_open and real_page.menus():
            assert time.monotonic() < end, f"{real_page.menus()} menus are open"
            time.sleep(0.02)
        assert not was_open or f"{real_page.SOLVED} after 1 right clicks" in real_page.titles()
    assert not was_open or running.returncode == 130
    return was_open


def test_what_was_learned_is_used_for_the_next_puzzle(tmp_path: Path) -> None:
    actions = []
    for salt in ("first", "second"):
        made, picture = puzzle(8, salt)
        with real_page.page(tmp_path / salt, picture, mode="toggle", look="light"):
            outcome = real_page.play_desktop(tmp_path)
            real_page.wait_for_title(real_page.SOLVED, 5)
        filled = sum(map(sum, made.rows))
        # Every step ends with the pointer being parked.
        actions.append(outcome["actions"] - filled)

    assert actions[1] < actions[0]
    assert len(list((tmp_path / "profiles" / "nonogram").iterdir())) == 1


@pytest.mark.parametrize(
    ("mode", "look"),
    few([("swatches", "digits"), ("swatches", "dark"), ("cycle", "boxes")], 1),
    ids=lambda value: str(value),
)
def test_a_coloured_puzzle_is_read_and_entered_colour_by_colour(tmp_path: Path, mode: str, look: str) -> None:
    picture = "00aaaa00.0aaaaaa0.aabbbbaa.bbcccbbb.0cddcc00.ddddccbb.00dd0cbb.aaaa00bb"
    with real_page.page(tmp_path / "browser", picture, source=real_page.COLOURED, mode=mode, look=look):
        outcome = real_page.play_desktop(tmp_path)

        real_page.wait_for_title(real_page.COLOURED_SOLVED, 5)
    assert outcome["status"] == "verified"


def test_pattern_is_told_from_the_page_by_itself(tmp_path: Path) -> None:
    identity = live.game_id("nonogram", "10x10", random.Random(SEED))
    running = RealGame("nonogram", identity)
    try:
        outcome = real_page.play_desktop(tmp_path)
    finally:
        running.close()

    assert outcome["status"] == "verified"
    assert not (tmp_path / "profiles").exists()
