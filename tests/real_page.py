"""Our own nonogram page in a real Chromium, with a window manager, on a virtual X server.

Needs Xvfb, openbox and chromium (Debian: xvfb, openbox, chromium).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from Xlib import X
from Xlib.error import BadDrawable, BadWindow

from bot.devices.session import x_display
from bot.devices.x11 import X11Windows
from solver.nonogram import Picture

PROJECT = Path(__file__).parents[1]
PAGE = Path(__file__).parent / "pages" / "nonogram.html"
# A browser that shows its page in a window, and asks nobody for anything.
QUIET = (
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync", "--password-store=basic",
    "--disable-background-networking", "--disable-component-update", "--disable-features=Translate",
)  # fmt: skip
COLOURED = PAGE.with_name("coloured.html")
TITLE, COLOURED_TITLE = "Picture puzzle", "Colour puzzle"
SOLVED, COLOURED_SOLVED = "Picture puzzle solved", "Colour puzzle solved"


def browser() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


def missing() -> str:
    """What is not installed, in words; empty when the page can be played."""
    absent = [name for name in ("Xvfb", "openbox") if shutil.which(name) is None]
    absent += [] if browser() else ["chromium"]
    return f"not installed: {', '.join(absent)}" if absent else ""


@contextmanager
def window_manager() -> Iterator[None]:
    """openbox on the display that DISPLAY names."""
    manager = subprocess.Popen(["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        manager.terminate()
        manager.wait(10)


def rows_of(picture: Picture, width: int, height: int) -> str:
    """A solution as the page wants it: 1 for filled, rows parted by dots."""
    filled = {(at.row, at.col) for at in picture.filled}
    return ".".join("".join(str(int((y, x) in filled)) for x in range(width)) for y in range(height))


@contextmanager
def page(
    folder: Path, picture: str, at: tuple[int, int] = (0, 0), source: Path = PAGE, **options: str
) -> Iterator[None]:
    """The page in a window of its own; the profile of the browser is kept in `folder`."""
    program = browser()
    assert program is not None
    url = f"{source.as_uri()}?{urlencode({'picture': picture, **options})}"
    command = [
        program, *QUIET,
        f"--user-data-dir={folder}", f"--window-position={at[0]},{at[1]}", "--window-size=900,800", f"--app={url}",
    ]  # fmt: skip
    running = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ}
    )
    try:
        wait_for_title(TITLE if source == PAGE else COLOURED_TITLE, 60)
        # The window is there before its first picture.
        time.sleep(1.5)
        yield
    finally:
        running.terminate()
        try:
            running.wait(15)
        except subprocess.TimeoutExpired:
            running.kill()


def start_desktop(folder: Path, source: str = "desktop") -> subprocess.Popen[str]:
    """`boardsight play SOURCE --yes --json`, running; what it learns and records is kept in `folder`."""
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "play", source, "--yes", "--json"],
        cwd=PROJECT,
        env={
            **os.environ,
            "BOARDSIGHT_PROFILES": str(folder / "profiles"),
            "BOARDSIGHT_RUNS": str(folder / "runs"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def play_desktop(folder: Path, source: str = "desktop") -> dict[str, Any]:
    """What `boardsight play SOURCE --yes --json` says at its good end."""
    running = start_desktop(folder, source)
    told, errors = running.communicate(timeout=300)
    assert running.returncode == 0, errors + told
    outcome: dict[str, Any] = json.loads(told)
    return outcome


def titles() -> list[str]:
    windows = X11Windows()
    try:
        return [window.title for window in windows.listed()]
    finally:
        windows.close()


def menus() -> int:
    """How many menus are open: windows that no window manager is to frame, larger than a tooltip."""
    display, count = x_display(), 0
    try:
        for top in display.screen().root.query_tree().children:
            # One that closes meanwhile is none.
            with suppress(BadWindow, BadDrawable):
                seen, box = top.get_attributes(), top.get_geometry()
                shown = seen.override_redirect and seen.map_state == X.IsViewable
                count += bool(shown) and min(box.width, box.height) > 80
    finally:
        display.close()
    return count


def wait_for_title(title: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while title not in titles():
        assert time.monotonic() < end, f"no window {title!r} within {seconds} s, only {titles()}"
        time.sleep(0.02)
