"""KDE's Picmi in its window: a program of others that nobody told us about, three boards in a row.

The truth is the program's own: when a board is solved, and all of its empty cells are crossed, it shows a list of the best.
Needs Xvfb, openbox, xdotool, picmi and dbus-run-session (Debian: xvfb, openbox, xdotool, picmi, dbus).
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.laboratory.live import GAMES_FOLDER
from tests.real_page import PROJECT, titles, window_manager

TITLE, BEST, BOARDS = "Picmi", "High Scores — Picmi", 3
WINDOW_S = 60.0
# What OpenCV sets for itself, and other programs must not see.
QT = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")

pytestmark = [pytest.mark.real, pytest.mark.slow]


def program() -> str:
    path = os.environ.get("PATH", "") + os.pathsep + GAMES_FOLDER
    needed = ("Xvfb", "openbox", "xdotool", "dbus-run-session", "picmi")
    missing = [name for name in needed if shutil.which(name, path=path) is None]
    if missing:
        if os.environ.get("BOARDSIGHT_REQUIRE_REAL"):
            raise AssertionError(f"needed: {', '.join(missing)}")
        pytest.skip(f"not installed: {', '.join(missing)}")
    return str(shutil.which("picmi", path=path))


def wait(until: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + WINDOW_S
    while not until():
        assert time.monotonic() < end, f"{what}: {titles()}"
        time.sleep(0.2)


@contextmanager
def picmi(home: Path) -> Iterator[None]:
    """Picmi as on its first day, with a window manager, on the display that DISPLAY names."""
    home.mkdir(mode=0o700)
    own = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    clean = {name: value for name, value in os.environ.items() if name not in QT}
    with window_manager():
        running = subprocess.Popen(
            ["dbus-run-session", "--", program()],
            env={**clean, **own, "HOME": str(home), "XDG_RUNTIME_DIR": str(home)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            wait(lambda: TITLE in titles(), "no window")
            time.sleep(2)
            yield
        finally:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait(10)


class Watcher(Thread):
    """Notices the list of the best, which a player may close again at once: it lies over the board."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seen, self.over = Event(), Event()

    def run(self) -> None:
        while not self.over.wait(0.05):
            if BEST in titles():
                self.seen.set()


@contextmanager
def watched() -> Iterator[Event]:
    """Set once the list of the best has been shown."""
    watcher = Watcher()
    watcher.start()
    try:
        yield watcher.seen
    finally:
        watcher.over.set()
        watcher.join(10)


def played(*named: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "bot", "play", f"desktop:{TITLE}", "--yes", "--json", *named]
    told = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stdout + told.stderr
    result: dict[str, Any] = json.loads(told.stdout)
    return result


@pytest.mark.usefixtures("display")
def test_three_boards_are_played_in_a_row(tmp_path: Path) -> None:
    """What the first one teaches is known for the others; only the first is named."""
    program()
    with picmi(tmp_path / "home"):
        for nth in range(BOARDS):
            with watched() as seen:
                result = played(*(("--game", "nonogram") if nth == 0 else ()))
                assert result["status"] in ("verified", "finished")
                wait(seen.is_set, f"no list of the best: {result}")
            if BEST in titles():
                subprocess.run(["xdotool", "key", "Escape"], check=True, timeout=30)
            wait(lambda: BEST not in titles(), "the list of the best does not close")
            subprocess.run(["xdotool", "key", "ctrl+n"], check=True, timeout=30)
            time.sleep(2)
