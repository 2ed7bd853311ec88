"""The command itself, killed or stopped in the middle on a screen that outlives it, and given once more.

The screens are a phone behind the real adb server and the window of the real sgt-bridges; neither knows our process.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.actions import Action
from bot.devices.adb_server import AdbServer
from bot.practice.algemy import practice as algemy_practice
from bot.practice.base import PracticeBoard
from bot.practice.bridges import practice as bridges_practice
from bot.practice.nonogram import practice as nonogram_practice
from bot.practice.rings import practice as rings_practice
from solver import bridges
from solver.bridges import Joins, Span
from solver.lattice import Square
from tests.fake_android import FakeAndroid, adb_server, practice_android
from tests.laboratory import live
from tests.laboratory.live import game_id, missing
from tests.real_desktop import RealGame
from tests.seldom import few
from tests.shared_data import REQUIRE_REAL

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 120.0
# So often a run is stopped at a chance moment.
STOPS = 10

pytestmark = pytest.mark.real
needs_adb = pytest.mark.skipif(
    shutil.which("adb") is None and not REQUIRE_REAL, reason="adb is not installed"
)
needs_desktop = pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing())

BOARDS: Mapping[str, Callable[[random.Random], PracticeBoard]] = {
    "bridges": lambda rng: bridges_practice(rng, size=(7, 7)),
    "nonogram": lambda rng: nonogram_practice(rng, size=(7, 7)),
    "algemy": lambda rng: algemy_practice(rng, size=3, screen=(720, 1280)),
    "rings": rings_practice,
}


class Runs:
    """Starts `boardsight play` with a state folder of its own."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder / "runs"
        own = {"BOARDSIGHT_RUNS": str(self.folder), "BOARDSIGHT_PROFILES": str(folder / "profiles")}
        self._environment = os.environ | own | environment

    def notes(self) -> list[Path]:
        """The notes of what is held down, one for each run that holds something or was killed while it did."""
        return sorted(self.folder.glob("held-*"))

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "bot", *arguments],
            cwd=ROOT,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def end(self, process: subprocess.Popen[str]) -> tuple[int, str]:
        try:
            told, said = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(f"still running after {PATIENCE_S} s: {process.communicate()}") from None
        return process.returncode, told or said

    def play(self, *arguments: str) -> subprocess.Popen[str]:
        return self.start("play", *arguments, "--yes", "--json")

    def replayed(self) -> str:
        """What `replay` says of the last run; it must come out the same."""
        status, told = self.end(self.start("replay"))
        assert status == 0, told
        return told

    def last_event(self) -> Mapping[str, Any]:
        log = max(self.folder.iterdir()) / "run.jsonl"
        return json.loads(log.read_text().splitlines()[-1])  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with adb_server(tmp_path_factory.mktemp("adb-home")) as running:
        yield running


class Interrupted:
    """A phone that shows a practice board; at its n-th touch the process that plays is sent a signal."""

    def __init__(self, server: AdbServer, board: PracticeBoard, name: str) -> None:
        self.phone: FakeAndroid = practice_android(board, long_press_is_right=name == "nonogram")
        self.touches = self.calls = 0
        self.at: int | None = None
        self.number = signal.SIGKILL
        self.process: subprocess.Popen[str] | None = None
        inner = self.phone._touch

        def touch(action: Action) -> None:
            self.touches += 1
            if self.touches == self.at and self.process is not None:
                self.calls = len(self.phone.commands)
                self.process.send_signal(self.number)
            inner(action)

        self.phone._touch = touch
        server.ask(f"host:connect:{self.phone.serial}")


@pytest.fixture
def phone(server: AdbServer) -> Iterator[Callable[[str, int], tuple[Interrupted, PracticeBoard]]]:
    made: list[FakeAndroid] = []

    def make(name: str, seed: int) -> tuple[Interrupted, PracticeBoard]:
        board = BOARDS[name](random.Random(seed))
        one = Interrupted(server, board, name)
        made.append(one.phone)
        return one, board

    yield make
    for one in made:
        server._quietly(f"host:disconnect:{one.serial}")
        one.close()


@needs_adb
@pytest.mark.parametrize("name", few(BOARDS, 1))
def test_a_killed_run_on_a_phone_is_finished_by_the_same_command(
    name: str, server: AdbServer, phone: Any, tmp_path: Path
) -> None:
    shown, board = phone(name, 2)
    runs = Runs(tmp_path, ANDROID_ADB_SERVER_PORT=str(server.port))
    command = (f"adb:{shown.phone.serial}", "--game", name)

    shown.at = 4
    shown.process = runs.play(*command)
    status, _ = runs.end(shown.process)
    solved_before = board.solved()
    runs.replayed()
    shown.process = None
    again, told = runs.end(runs.play(*command))

    assert status == -signal.SIGKILL and not solved_before
    assert (again, json.loads(told)["status"]) == (0, "verified")
    assert board.solved()
    # Every touch is one command that the phone carries out by itself: there is nothing to let go.
    assert not runs.notes()


@needs_adb
def test_ctrl_c_stops_a_run_on_a_phone_after_the_step_under_way(
    server: AdbServer, phone: Any, tmp_path: Path
) -> None:
    shown, board = phone("bridges", 3)
    runs = Runs(tmp_path, ANDROID_ADB_SERVER_PORT=str(server.port))

    shown.at, shown.number = 4, signal.SIGINT
    shown.process = runs.play(f"adb:{shown.phone.serial}", "--game", "bridges")
    status, told = runs.end(shown.process)

    assert status == 130
    assert json.loads(told)["status"] == runs.last_event()["status"] == "stopped"
    assert len(shown.phone.commands) == shown.calls and not board.solved()
    assert "stopped" in runs.replayed()


@needs_adb
@pytest.mark.slow
def test_a_stop_at_any_moment_holds_at_once_on_a_phone(
    server: AdbServer, phone: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late: list[float] = []
    for number in range(STOPS):
        shown, _ = phone("bridges", number)
        runs = Runs(tmp_path / str(number), ANDROID_ADB_SERVER_PORT=str(server.port))
        process = runs.play(f"adb:{shown.phone.serial}", "--game", "bridges")
        before = interrupted(process, runs, random.Random(number))
        commands = len(shown.phone.commands)
        late.append(halted_ms(process, runs, before))
        # The step under way is one command that the phone brings to its end; no other follows.
        assert len(shown.phone.commands) == commands
    with capsys.disabled():
        print(f"\nphone: {STOPS} stops, {max(late):.0f} ms at most until the last thing was done")


@needs_desktop
@pytest.mark.slow
def test_a_stop_at_any_moment_holds_at_once_in_a_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late: list[float] = []
    for number in range(STOPS):
        with live.x_server() as name, live.on_display(name):
            running = RealGame("bridges", game_id("bridges", "10x10", random.Random(number)))
            runs = Runs(tmp_path / str(number))
            process = runs.play(f"desktop:{running.title}")
            before = interrupted(process, runs, random.Random(number))
            late.append(halted_ms(process, runs, before))
            assert not running.desk.buttons_down()
            running.close()
    with capsys.disabled():
        print(f"\nwindow: {STOPS} stops, {max(late):.0f} ms at most until the last thing was done")


def interrupted(process: subprocess.Popen[str], runs: Runs, rng: random.Random) -> float:
    """Ctrl-C at a chance moment after the first action; when, by the clock of the disk."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and process.poll() is None:
        if runs.folder.exists() and any(
            '"act"' in log.read_text() for log in runs.folder.glob("*/run.jsonl")
        ):
            break
        time.sleep(0.02)
    time.sleep(rng.uniform(0.0, 1.0))
    sent = time.time()
    process.send_signal(signal.SIGINT)
    return sent


def halted_ms(process: subprocess.Popen[str], runs: Runs, sent: float) -> float:
    """How long after the signal the run was over: its last line says so, and nothing was done after it."""
    status, _ = runs.end(process)
    assert status == 130 and runs.last_event()["status"] == "stopped"
    log = max(runs.folder.iterdir()) / "run.jsonl"
    return max(0.0, 1000 * (log.stat().st_mtime - sent))


@pytest.fixture
def window() -> Iterator[RealGame]:
    """The game on a screen of its own: nothing that other tests left there has its title."""
    with live.x_server() as name, live.on_display(name):
        running = RealGame("bridges", game_id("bridges", "10x10", random.Random(5)))
        yield running
        running.close()


def held(running: RealGame, process: subprocess.Popen[str]) -> None:
    """Wait until the process holds a mouse button down, and leave it stopped there."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if running.desk.buttons_down():
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.05)
            if running.desk.buttons_down():
                return
            process.send_signal(signal.SIGCONT)
    raise AssertionError("no button went down")


@needs_desktop
def test_a_killed_run_in_a_window_is_finished_by_the_same_command_and_lets_the_button_go(
    window: RealGame, tmp_path: Path
) -> None:
    runs = Runs(tmp_path)

    first = runs.play(f"desktop:{window.title}")
    held(window, first)
    first.kill()
    status, _ = runs.end(first)
    left_down, noted = window.desk.buttons_down(), [note.read_text() for note in runs.notes()]
    runs.replayed()
    again, told = runs.end(runs.play(f"desktop:{window.title}"))

    assert status == -signal.SIGKILL
    assert left_down and noted == ["button left"]
    assert (again, json.loads(told)["status"]) == (0, "verified")
    assert not window.desk.buttons_down() and not runs.notes()
    assert bridges.check(window.puzzle, shown_by(window, runs)) == ()


@needs_desktop
def test_ctrl_c_in_the_middle_of_a_press_lets_the_button_go(window: RealGame, tmp_path: Path) -> None:
    runs = Runs(tmp_path)

    process = runs.play(f"desktop:{window.title}")
    held(window, process)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    status, told = runs.end(process)

    assert status == 130
    assert json.loads(told)["status"] == runs.last_event()["status"] == "stopped"
    assert not window.desk.buttons_down() and not runs.notes()
    assert "stopped" in runs.replayed()


def shown_by(running: RealGame, runs: Runs) -> Joins:
    """What another process reads in the window: captures of this one may still go to an earlier screen."""
    _, told = runs.end(runs.start("read", f"desktop:{running.title}", "--json"))
    placed = json.loads(told)["placed"]
    return {Span(Square(a, b), Square(c, d)): count for a, b, c, d, count in placed}
