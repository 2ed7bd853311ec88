"""`boardsight window` as a person uses it: a real window, clicks by coordinates, a practice board in its own window as
the witness. The board's window is told apart from ours by its title only."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bot.devices.session import MssCamera, x_display
from tests.laboratory.live import missing, on_display, tell_window, x_server
from tests.shared_data import REQUIRE_REAL, SHARED, needs_shared, textures_jar
from vision.frame import Box, Pixels
from vision.image import encode_png

ROOT = Path(__file__).resolve().parents[1]
CALL = [sys.executable, "-m", "bot"]
TITLE = "Bridges practice"
# Where the pictures of the documentation go, when they are wanted: 1280 x 720, with a window manager.
PICTURES = os.environ.get("BOARDSIGHT_PICTURES")


def reports() -> Path:
    """Where the window keeps reports; the tests have a home of their own."""
    return Path.home() / ".local" / "state" / "boardsight" / "reports"


class Person:
    """Sees the screen, finds widgets where they are drawn, and clicks there."""

    def __init__(self) -> None:
        self._x = importlib.import_module("Xlib.X")
        self._gone = importlib.import_module("Xlib.error").BadWindow
        self._display = x_display()
        self._camera = MssCamera()

    def close(self) -> None:
        self._camera.close()
        self._display.close()

    def screen(self) -> Pixels:
        return self._camera.grab(self._camera.monitors()[0])

    def keep(self, name: str) -> None:
        if PICTURES:
            (Path(PICTURES) / f"window-{name}.png").write_bytes(encode_png(self.screen()))

    def click(self, box: Box) -> None:
        x, y = box.left + box.width // 2, box.top + box.height // 2
        subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "1"], check=True)

    def until(self, seen: Callable[[], Any], seconds: float = 90.0) -> Any:
        """What is seen, as soon as it is there."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            # A window may close while it is looked for.
            with suppress(self._gone):
                if found := seen():
                    return found
            time.sleep(0.2)
        raise AssertionError("not seen in time")

    def panel(self) -> list[tuple[Box, list[Box]]]:
        """What is shown in the right part of our window, from top to bottom, each with what is in it."""
        ours = self._ours(self._display.screen().root, 3)
        if ours is None:
            return []
        frames = [child for child in ours.query_tree().children if len(child.query_tree().children) > 8]
        shown = [(self._box(one), one) for one in frames[-1].query_tree().children if self._is_shown(one)]
        inner = [
            (box, [self._box(child) for child in one.query_tree().children if self._is_shown(child)])
            for box, one in shown
        ]
        return sorted(inner, key=lambda pair: pair[0].top)

    def buttons(self) -> list[Box]:
        """Solve, Hint, Play, Pause, Stop, Open the report."""
        return [box for box, inner in self.panel()[1:7]]

    def question(self) -> list[Box]:
        """Start and Cancel, when there is something to agree to."""
        return next((inner for _, inner in self.panel() if len(inner) == 2), [])

    def _ours(self, window: Any, depth: int) -> Any:
        for child in window.query_tree().children:
            name = child.get_wm_name()
            if name == "boardsight" and self._is_shown(child):
                return child.query_tree().children[0] if self._is_wrapper(child) else child
            found = self._ours(child, depth - 1) if depth else None
            if found is not None:
                return found
        return None

    def _is_wrapper(self, window: Any) -> bool:
        """tkinter puts the window with its widgets into another one that bears the name."""
        return len(window.query_tree().children) == 1

    def _is_shown(self, window: Any) -> bool:
        return bool(window.get_attributes().map_state == self._x.IsViewable)

    def _box(self, window: Any) -> Box:
        size, at = window.get_geometry(), window.translate_coords(self._display.screen().root, 0, 0)
        return Box(-at.x, -at.y, size.width, size.height)


@pytest.fixture
def person(display: str) -> Iterator[Person]:
    one = Person()
    yield one
    one.close()


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[str]]]:
    running: list[subprocess.Popen[str]] = []
    yield running
    for one in running:
        one.terminate()
        one.communicate(timeout=20)


def open_both(started: list[subprocess.Popen[str]], place: str = "730 330") -> subprocess.Popen[str]:
    """The practice board, by default at the right lower corner, and our window that looks at it."""
    pipes: dict[str, Any] = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    board = subprocess.Popen([*CALL, "practice", "bridges", "--seed", "3", "--window"], **pipes)
    started.append(board)
    assert board.stderr is not None
    while "open" not in board.stderr.readline().split():
        assert board.poll() is None
    tell_window(TITLE, "windowmove", *place.split())
    started.append(subprocess.Popen([*CALL, "window", f"desktop:{TITLE}"], **pipes))
    return board


@pytest.mark.real
@pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing())
def test_a_board_is_explained_solved_and_played_by_clicks(
    person: Person, started: list[subprocess.Popen[str]]
) -> None:
    board = open_both(started)
    person.until(lambda: len(person.buttons()) == 6)
    # The title of the panel is drawn when the board has been read.
    blank = person.panel()[0][0].height
    person.until(lambda: person.panel()[0][0].height != blank or _is_inked(person, person.panel()[0][0]))
    time.sleep(1.0)
    person.keep("read")

    before = person.screen()
    person.click(person.buttons()[1])
    person.until(lambda: _changed(before, person.screen()))
    time.sleep(2.0)
    person.keep("hint")
    person.click(person.buttons()[0])
    time.sleep(3.0)
    person.click(person.buttons()[2])
    start, _ = person.until(person.question)
    time.sleep(1.0)
    person.keep("ask")
    assert board.poll() is None
    earlier = set(reports().glob("*.html"))
    person.click(start)
    time.sleep(4.0)
    person.keep("play")

    assert board.stdout is not None
    assert board.stdout.readline() == "solved\n"
    (report,) = person.until(lambda: set(reports().glob("*.html")) - earlier)
    time.sleep(3.0)
    person.keep("done")
    assert "verified" in report.read_text()


@pytest.mark.long
@pytest.mark.real
@pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing())
def test_a_board_without_room_beside_it_is_played_though_the_window_comes_over_it(
    person: Person, started: list[subprocess.Popen[str]]
) -> None:
    """A window manager brings the window to the front at every click; the picture was then one of ourselves."""
    board = open_both(started, place="495 213")
    person.until(lambda: len(person.buttons()) == 6)
    person.until(lambda: _is_inked(person, person.panel()[0][0]))

    tell_window("boardsight", "windowraise")
    time.sleep(3.0)
    assert _is_inked(person, person.panel()[0][0])
    person.click(person.buttons()[2])
    person.click(person.until(person.question)[0])

    assert board.stdout is not None
    assert board.stdout.readline() == "solved\n"


@pytest.mark.real
@pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing())
def test_the_key_stops_a_run_from_anywhere(person: Person, started: list[subprocess.Popen[str]]) -> None:
    board = open_both(started)
    person.until(lambda: len(person.buttons()) == 6)
    person.until(lambda: _is_inked(person, person.panel()[0][0]))
    time.sleep(1.0)
    person.click(person.buttons()[2])
    start, _ = person.until(person.question)
    earlier = set(reports().glob("*.html"))
    person.click(start)
    time.sleep(1.0)
    subprocess.run(["xdotool", "key", "ctrl+alt+s"], check=True)

    (report,) = person.until(lambda: set(reports().glob("*.html")) - earlier)
    assert "stopped in the window" in report.read_text()
    assert board.poll() is None


@pytest.mark.real
@pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing())
@needs_shared
def test_the_icons_of_a_table_are_learned_by_a_click(
    person: Person, started: list[subprocess.Popen[str]], tmp_path: Path
) -> None:
    """The button forgot the game that it was shown for."""
    textures_jar(tmp_path / ".minecraft/mods/Thaumcraft-1.7.10-4.2.3.5.jar")
    picture = sorted((SHARED / "thaumcraft/screenshots").glob("stock_*.png"))[0]
    environ = os.environ | {"HOME": str(tmp_path)}
    words = [*CALL, "window", str(picture)]
    started.append(subprocess.Popen(words, cwd=ROOT, env=environ, stderr=subprocess.PIPE, text=True))

    learn, _ = person.until(person.question)
    before = set(tmp_path.rglob("profiles/*/mine"))
    person.click(learn)

    person.until(lambda: set(tmp_path.rglob("profiles/*/mine")) - before)
    person.until(lambda: not person.question())
    person.until(lambda: _is_inked(person, person.panel()[0][0]))


@pytest.mark.real
@pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing())
@pytest.mark.parametrize(("size", "dots", "width"), [("1280x720x24", 96, 1000), ("2560x1440x24", 192, 2000)])
def test_the_window_follows_the_scale_of_the_screen(
    started: list[subprocess.Popen[str]], size: str, dots: int, width: int
) -> None:
    with x_server(size, ["-dpi", str(dots)]) as name:
        with on_display(name):
            started.append(subprocess.Popen([*CALL, "window"], cwd=ROOT, stderr=subprocess.PIPE, text=True))
            told = tell_window("boardsight", "getwindowgeometry", only_visible=True)
        started[-1].terminate()
        started.pop().communicate(timeout=20)

    # An inch is rounded to whole mm on its way.
    wide = int(told.split("Geometry: ")[1].partition("x")[0])
    assert abs(wide - width) <= 4


def _is_inked(person: Person, box: Box) -> bool:
    """Whether something is written in a part of the screen."""
    part = person.screen()[box.top : box.top + box.height, box.left : box.left + box.width]
    return bool(part.size) and int(part.max()) - int(part.min()) > 100


def _changed(before: Pixels, after: Pixels) -> bool:
    return bool((before != after).any())


# A callback that fails, or that a request to end comes into.
FAILING = """
import os, signal, sys, time
from bot.window import toolkit

root = toolkit.open_root("failing")

def fail(event):
    root.unbind("<Map>")
    if sys.argv[1] == "fails":
        raise ZeroDivisionError
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(0.1)  # Python hands a signal on between two steps.

signal.signal(signal.SIGTERM, signal.default_int_handler)
root.bind("<Map>", fail)
try:
    toolkit.until_closed(root, lambda: None, 0.01)
except BaseException as error:
    print(type(error).__name__)
"""


@pytest.mark.real
@pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing())
@pytest.mark.usefixtures("display")
@pytest.mark.parametrize(("what", "told"), [("fails", "ZeroDivisionError"), ("ends", "KeyboardInterrupt")])
def test_what_goes_wrong_while_something_is_drawn_ends_the_window(what: str, told: str) -> None:
    """tkinter forgets errors of its callbacks: a request to end that came while the board was drawn was lost."""
    call = [sys.executable, "-c", FAILING, what]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=60)

    assert done.stdout == f"{told}\n", done.stderr
