"""Practice boards in real windows, played by the command line as anybody would; the board itself is the witness."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot.actions import Drag, Tap
from bot.games import GAMES
from bot.practice.gestures import Fingers, Touch
from tests.laboratory.live import missing
from tests.seldom import few
from tests.shared_data import REQUIRE_REAL
from vision.frame import Point

ROOT = Path(__file__).resolve().parents[1]
CALL = [sys.executable, "-m", "bot"]


@pytest.mark.real
@pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing())
@pytest.mark.usefixtures("display")
@pytest.mark.parametrize("game", few(GAMES, ("bridges", "keen")))
def test_a_practice_board_in_a_window_is_played_by_the_command_it_names(game: str, tmp_path: Path) -> None:
    words = [*CALL, "practice", game, "--seed", "5", "--window"]
    window = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert window.stdout is not None and window.stderr is not None
    try:
        assert window.stderr.readline().strip() == "the window is open"
        window.stderr.readline()
        _, source, options = window.stderr.readline().split("'")

        done = subprocess.run(
            [*CALL, "play", source, *options.split(), "--yes", "--no-record"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )

        assert done.returncode == 0, done.stderr
        assert window.stdout.readline() == "solved\n"
    finally:
        window.kill()
        window.communicate()


@pytest.mark.real
@pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing())
@pytest.mark.usefixtures("display")
@pytest.mark.long
@pytest.mark.parametrize("rate", [20, 5, 10, 60])
def test_a_research_table_in_a_window_of_few_unsteady_pictures_a_second_is_played(rate: int) -> None:
    """Drags got lost at 20 a second until the run gave up; a modded Minecraft draws 10 to 20."""
    title = f"Slow table {rate}"
    words = [sys.executable, "-m", "tests.slow_table", str(rate), title]
    window = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert window.stdout is not None
    try:
        assert window.stdout.readline() == "open\n"

        done = subprocess.run(
            [*CALL, "play", f"desktop:{title}", "--game", "thaumcraft", "--yes", "--no-record", "--json"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )

        assert (done.returncode, json.loads(done.stdout)["status"]) == (0, "verified"), done.stderr
        assert window.stdout.readline() == "solved\n"
    finally:
        window.kill()
        window.communicate()


class Told:
    """A board that keeps what it was told."""

    def __init__(self) -> None:
        self.actions: list[object] = []

    def act(self, action: object, now_s: float) -> None:
        self.actions.append(action)


def feel(*touches: Touch) -> list[object]:
    board = Told()
    fingers = Fingers(board)  # type: ignore[arg-type]
    for touch in touches:
        fingers.feel(touch, touch.at_s)
    return board.actions


def test_a_press_and_a_release_at_one_place_are_a_click() -> None:
    told = feel(
        Touch("press", Point(10, 10), 1.0, "right", shift=True), Touch("release", Point(11, 10), 1.5, "right")
    )

    assert told == [Tap(Point(10, 10), 0.5, "right", ("shift",))]


def test_the_rest_before_the_release_counts_from_the_last_change_of_place() -> None:
    told = feel(
        Touch("press", Point(10, 10), 1.0),
        Touch("move", Point(90, 10), 1.5),
        Touch("move", Point(90, 10), 1.75),
        Touch("release", Point(90, 10), 2.0),
    )

    assert told == [Drag((Point(10, 10), Point(90, 10)), 0.5, 0.5)]


def test_another_button_that_comes_up_ends_nothing() -> None:
    assert feel(Touch("press", Point(10, 10), 1.0), Touch("release", Point(10, 10), 1.5, "right")) == []
