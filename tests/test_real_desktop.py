"""The real sgt-bridges and sgt-pattern, played through mss and pyautogui on a virtual display.

Every run takes fresh boards; its seed stands in the test's id (BOARDSIGHT_SEED repeats one). What the
program shows in the end is told by a witness that shares no code with our readers, and judged by the
rules.
"""

from __future__ import annotations

import json
import os
import random
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from Xlib import X

from bot.actions import Drag, Tap
from bot.clock import SystemClock
from bot.devices.desktop import DesktopDevice, check_desktop, open_desktop
from bot.devices.session import AutoguiMouse, x_display
from bot.devices.windows import titled
from bot.devices.x11 import ANSWER_S, X11Windows
from bot.errors import DeviceNotFound, InputFailed, NoProgress, Stopped
from bot.games import GAMES
from bot.play import Notice, Options, Outcome, play
from bot.screen import Screen
from solver import bridges
from tests.laboratory.live import fits_other_rules, game_id, missing, x_server
from tests.real_desktop import RealGame
from tests.seldom import few
from tests.shared_data import REQUIRE_REAL
from vision.profile import Profile

SEED = int(os.environ["BOARDSIGHT_SEED"])

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing()),
    pytest.mark.usefixtures("display"),
]

# Parameters of the generator and the window's size; None is the size it starts with.
BRIDGES = [
    ("7x7", None),
    ("7x7d1", (300, 640)),
    ("7x7d2", (801, 700)),
    ("10x10", (400, 420)),
    ("10x10d1", None),
    ("10x10d2", (640, 480)),
    ("15x15", None),
    ("15x15d2", (900, 900)),
    ("12x8", (777, 555)),
    ("20x20d2", (1100, 1150)),
]
PATTERN = [
    ("10x10", None),
    ("10x10", (300, 640)),
    ("5x5", (400, 420)),
    ("12x7", (801, 700)),
    ("15x15", None),
    ("15x15", (1000, 700)),
    ("20x20", None),
    ("10x20", (600, 900)),
    ("25x25", (1100, 1150)),
    ("30x30", None),
]


@pytest.fixture
def start() -> Iterator[Callable[..., RealGame]]:
    running: list[RealGame] = []

    def start(game: str, identity: str, size: tuple[int, int] | None = None, **colours: str) -> RealGame:
        running.append(RealGame(game, identity, size, colours))
        return running[-1]

    yield start
    for one in running:
        one.close()


def fresh(game: str, params: str, number: int = 0) -> str:
    """A game ID that this run has for itself."""
    return game_id(game, params, random.Random(f"{SEED} {game} {params} {number}"))


def play_on(
    device: DesktopDevice,
    game: str,
    options: Options | None = None,
    observe: Callable[[Notice], None] = lambda notice: None,
) -> Outcome:
    return play(GAMES[game], Profile(game, "measured"), Screen(device, SystemClock()), options, observe)


def settled(device: DesktopDevice, running: RealGame) -> Any:
    """What the program shows once its win flash is over."""
    time.sleep(0.8)
    return running.shown(device.capture())


def assert_played_to_the_end(running: RealGame, game: str, identity: str) -> Outcome:
    device = open_desktop(running.title)
    try:
        outcome = play_on(device, game)
        shown = settled(device, running)
    finally:
        device.close()
    assert GAMES[game].check(running.puzzle, shown) == (), identity
    assert outcome.status == "verified"
    return outcome


@pytest.mark.parametrize(
    ("params", "size"), few(BRIDGES, 3), ids=[f"{params}-seed{SEED}" for params, _ in BRIDGES]
)
def test_bridges_is_played_to_the_end(
    start: Callable[..., RealGame], params: str, size: tuple[int, int] | None
) -> None:
    identity = fresh("bridges", params)

    assert_played_to_the_end(start("bridges", identity, size), "bridges", identity)


@pytest.mark.parametrize(
    ("number", "params", "size"),
    few([(number, *case) for number, case in enumerate(PATTERN)], 3),
    ids=[f"{params}-{size}-seed{SEED}" for params, size in PATTERN],
)
def test_pattern_is_played_to_the_end(
    start: Callable[..., RealGame], number: int, params: str, size: tuple[int, int] | None
) -> None:
    identity = fresh("nonogram", params, number)

    assert_played_to_the_end(start("nonogram", identity, size), "nonogram", identity)


@pytest.mark.parametrize(("game", "params"), [("bridges", "10x10"), ("nonogram", "15x15")])
def test_a_dry_run_changes_nothing(start: Callable[..., RealGame], game: str, params: str) -> None:
    running = start(game, fresh(game, params))
    device = open_desktop(running.title)
    before = device.capture()

    outcome = play_on(device, game, Options(dry_run=True))
    after = device.capture()
    device.close()

    assert outcome.status == "planned"
    assert outcome.actions == 0
    assert outcome.plan.missing > 0
    assert (before.pixels == after.pixels).all()


@pytest.mark.parametrize(("game", "params"), [("bridges", "10x10"), ("nonogram", "15x15")])
def test_a_board_is_found_on_the_whole_desktop(
    start: Callable[..., RealGame], game: str, params: str
) -> None:
    running = start(game, fresh(game, params))
    running.desk.place(running.window.id, at=(333, 222))
    device = open_desktop()

    outcome = play_on(device, game)
    device.close()

    window = open_desktop(running.title)
    assert GAMES[game].check(running.puzzle, settled(window, running)) == ()
    window.close()
    assert outcome.status == "verified"


@pytest.mark.parametrize(("game", "params"), [("bridges", "10x10"), ("nonogram", "15x15")])
def test_a_window_moved_between_two_steps_is_followed(
    start: Callable[..., RealGame], game: str, params: str
) -> None:
    running = start(game, fresh(game, params))
    device = open_desktop(running.title)
    moved: list[int] = []

    def move_it(notice: Notice) -> None:
        if notice.kind == "act" and len(moved) < 3:
            moved.append(1)
            running.desk.place(running.window.id, at=(150 * len(moved), 90 * len(moved)))
            time.sleep(0.15)

    outcome = play_on(device, game, observe=move_it)
    shown = settled(device, running)
    device.close()

    assert len(moved) == 3
    assert GAMES[game].check(running.puzzle, shown) == ()
    assert outcome.status == "verified"


def test_a_covered_window_is_not_clicked(start: Callable[..., RealGame]) -> None:
    running = start("nonogram", fresh("nonogram", "10x10"))
    device = open_desktop(running.title)
    covers: list[Any] = []

    def cover_it(notice: Notice) -> None:
        if notice.kind == "act" and not covers:
            box = running.window.box
            covers.append(running.desk.cover(box.left, box.top, box.width, box.height))

    with pytest.raises(InputFailed, match="'Pattern' is covered by 'Cover'"):
        play_on(device, "nonogram", observe=cover_it)

    running.desk.uncover(covers[0])
    shown = settled(device, running)
    device.close()
    assert shown.filled | shown.blank == frozenset()


def test_a_cover_that_goes_away_is_waited_for(start: Callable[..., RealGame]) -> None:
    running = start("bridges", fresh("bridges", "7x7"))
    device = open_desktop(running.title)
    device.capture()
    cover = running.desk.cover(0, 0, 1000, 1000)
    timer = threading.Timer(0.7, running.desk.uncover, [cover])
    timer.start()
    began = time.monotonic()

    device.act([Tap(running.middle(running.puzzle.islands[0].at))])
    timer.join()
    device.close()

    assert time.monotonic() - began >= 0.7


def test_a_resized_window_is_refused_and_read_afresh(start: Callable[..., RealGame]) -> None:
    running = start("bridges", fresh("bridges", "7x7"))
    device = open_desktop(running.title)
    device.capture()
    running.desk.place(running.window.id, size=(500, 527))
    time.sleep(0.3)

    with pytest.raises(InputFailed, match="in the last picture and is 500 x 527 now"):
        device.act([Tap(running.middle(running.puzzle.islands[0].at))])

    assert device.capture().size == (500, 527)
    assert running.shown(device.capture()) == {}
    device.close()


def test_a_program_answers_once_it_has_handled_what_it_was_sent(start: Callable[..., RealGame]) -> None:
    running = start("bridges", fresh("bridges", "7x7"))
    windows = X11Windows()
    try:
        shown = titled(windows.listed(), running.title)
        assert windows.answered(shown.id) and windows.answered(shown.id)
        assert not windows.answered(windows._display.screen().root.id)

        running.process.send_signal(signal.SIGSTOP)
        began_s = time.monotonic()
        assert not windows.answered(shown.id)
        waited_s = time.monotonic() - began_s
        running.process.send_signal(signal.SIGCONT)
        # Who was silent once is waited for no more.
        began_s = time.monotonic()
        assert not windows.answered(shown.id)
        assert waited_s >= ANSWER_S and time.monotonic() - began_s < ANSWER_S
    finally:
        windows.close()


def test_a_person_who_takes_the_mouse_pauses_the_run(start: Callable[..., RealGame]) -> None:
    running = start("nonogram", fresh("nonogram", "10x10"))
    device = open_desktop(running.title)
    waved: list[float] = []

    def wave() -> None:
        for number in range(12):
            running.desk.move_mouse(900 + 20 * number, 700)
            waved.append(time.monotonic())
            time.sleep(0.05)

    acted: list[float] = []

    def take_the_mouse(notice: Notice) -> None:
        if notice.kind == "act":
            acted.append(time.monotonic())
            if len(acted) == 2:
                wave()

    outcome = play_on(device, "nonogram", observe=take_the_mouse)
    shown = settled(device, running)
    device.close()

    assert acted[2] - waved[-1] >= 0.9
    assert GAMES["nonogram"].check(running.puzzle, shown) == ()
    assert outcome.status == "verified"


def test_the_mouse_in_the_corner_stops_the_run(start: Callable[..., RealGame]) -> None:
    running = start("nonogram", fresh("nonogram", "10x10"))
    device = open_desktop(running.title)

    def into_the_corner(notice: Notice) -> None:
        if notice.kind == "act":
            running.desk.move_mouse(0, 0)

    with pytest.raises(Stopped, match="corner"):
        play_on(device, "nonogram", observe=into_the_corner)

    assert not running.desk.buttons_down()
    running.desk.move_mouse(800, 600)
    shown = settled(device, running)
    device.close()
    assert shown.filled | shown.blank == frozenset()


@pytest.mark.parametrize(("game", "params"), [("bridges", "10x10"), ("nonogram", "10x10")])
def test_a_game_closed_half_way_ends_the_run(start: Callable[..., RealGame], game: str, params: str) -> None:
    running = start(game, fresh(game, params))
    device = open_desktop(running.title)
    acted: list[Notice] = []

    def close_it(notice: Notice) -> None:
        if notice.kind == "act":
            acted.append(notice)
            if len(acted) == 3:
                running.process.kill()
                running.process.wait(10)
                time.sleep(0.2)

    with pytest.raises(DeviceNotFound, match="is gone"):
        play_on(device, game, observe=close_it)

    assert not running.desk.buttons_down()
    device.close()


def test_no_window_of_that_title_names_those_there_are(start: Callable[..., RealGame]) -> None:
    start("bridges", fresh("bridges", "7x7"))

    with pytest.raises(DeviceNotFound, match="'Solitaire'") as caught:
        open_desktop("Solitaire")

    assert "'Bridges'" in caught.value.hint


def test_the_doctor_finds_nothing_wrong_here(start: Callable[..., RealGame]) -> None:
    running = start("bridges", fresh("bridges", "7x7"))
    running.desk.move_mouse(800, 600)

    findings = {finding.what: finding for finding in check_desktop()}

    assert [what for what, finding in findings.items() if not finding.ok and what != "capture"] == []
    assert findings["monitors"].text == "1: 1600 x 1200 at (0, 0)"
    assert "'Bridges'" in findings["windows"].text
    assert findings["mouse"].text.startswith("moved 3 px")


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"XDG_SESSION_TYPE": "wayland"}, "Wayland"),
        ({"DISPLAY": ""}, "DISPLAY is not set"),
        ({"DISPLAY": ":4093"}, "no X server answers"),
    ],
    ids=["wayland", "no display", "wrong display"],
)
def test_a_desktop_that_cannot_be_played_is_explained_in_two_lines(
    environ: dict[str, str], words: str
) -> None:
    command = [sys.executable, "-m", "bot", "play", "desktop:Bridges", "--yes"]

    told = subprocess.run(command, env={**os.environ, **environ}, capture_output=True, text=True, timeout=60)

    assert told.returncode == 5
    assert told.stdout == ""
    lines = told.stderr.splitlines()
    assert len(lines) == 2
    assert words in lines[0]
    assert lines[1].startswith("  ")


def test_a_display_that_asks_for_a_key_is_explained_in_two_lines(tmp_path: Path) -> None:
    name, key = b"MIT-MAGIC-COOKIE-1", os.urandom(16)
    # Any address, any display: the form of Xlib's Xau.
    parts = [b"", b"", name, key]
    keys = struct.pack(">H", 0xFFFF) + b"".join(struct.pack(">H", len(part)) + part for part in parts)
    (tmp_path / "keys").write_bytes(keys)
    command = [sys.executable, "-m", "bot", "play", "desktop:Bridges", "--yes"]

    with x_server(options=("-auth", str(tmp_path / "keys"))) as locked:
        environ = {**os.environ, "DISPLAY": locked, "HOME": str(tmp_path)}
        environ.pop("XAUTHORITY", None)
        told = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60)

    assert told.returncode == 5
    lines = told.stderr.splitlines()
    assert len(lines) == 2
    assert "key of its Xauthority file" in lines[0]
    assert "XAUTHORITY" in lines[1]


def test_tkinter_is_not_needed(start: Callable[..., RealGame]) -> None:
    start("bridges", fresh("bridges", "7x7"))
    attempt = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(('tkinter', '_tkinter', 'Tkinter')))\n"
        "from bot.devices.desktop import open_desktop\n"
        "device = open_desktop('Bridges')\n"
        "print(device.capture().source)\n"
        "device.close()"
    )

    told = subprocess.run([sys.executable, "-c", attempt], capture_output=True, text=True, timeout=60)

    assert (told.stdout.strip(), told.stderr) == ("desktop:Bridges", "")


# How many bridges are allowed, and whether in a loop, no picture tells.
@pytest.mark.parametrize("params", few(("7x7m1d0", "10x10m1Ld0", "10x10m2Ld2", "10x10m3d2", "7x7m4Ld1"), 1))
def test_boards_under_other_rules_are_played_to_the_end(start: Callable[..., RealGame], params: str) -> None:
    identity = fresh("bridges", params)

    assert_played_to_the_end(start("bridges", identity), "bridges", identity)


def test_what_the_program_marks_as_a_loop_is_not_called_solved(start: Callable[..., RealGame]) -> None:
    """Three bridges a span and loops give its clues exactly one solution, its own rules, four and none, another."""
    running = start("bridges", "7x7m4L:f13d4g3b2b4a3b7b5h3a9b4")
    device = open_desktop(running.title)
    with pytest.raises(NoProgress, match="as if they were not taken"):
        play_on(device, "bridges")
    shown = settled(device, running)
    device.close()

    assert fits_other_rules(running.puzzle)
    assert bridges.check(running.puzzle, shown) != ()


def test_a_board_with_wrong_bridges_is_put_right(start: Callable[..., RealGame]) -> None:
    identity = fresh("bridges", "7x7m3d1")
    running = start("bridges", identity)
    device = open_desktop(running.title)
    device.capture()
    solution = bridges.solve(running.puzzle).solution
    for span in running.puzzle.spans[::3]:
        ends = running.middle(span.a), running.middle(span.b)
        device.act([Drag(ends, 0.0, 0.02)] * (1 + solution.get(span, 0) % 3))
    device.close()

    assert_played_to_the_end(running, "bridges", identity)


def test_islands_that_are_locked_and_spans_that_are_crossed_out_are_freed(
    start: Callable[..., RealGame],
) -> None:
    identity = fresh("bridges", "10x10")
    running = start("bridges", identity)
    solution = bridges.solve(running.puzzle).solution
    device = open_desktop(running.title)
    device.capture()
    for span in sorted(solution)[::3]:
        device.act([Drag((running.middle(span.a), running.middle(span.b)), 0.05, 0.03, "right")])
    for island in running.puzzle.islands[::4]:
        device.act([Tap(running.middle(island.at))])
    device.close()

    assert_played_to_the_end(running, "bridges", identity)


def test_a_button_comes_up_without_a_move() -> None:
    """Many a page takes any move of a pressed pointer for a drag, also one by no px."""
    display = x_display()
    screen = display.screen()
    heard = X.PointerMotionMask | X.ButtonPressMask | X.ButtonReleaseMask
    window = screen.root.create_window(
        40, 40, 200, 200, 0, screen.root_depth, override_redirect=True, event_mask=heard
    )
    window.map()
    display.sync()
    mouse = AutoguiMouse()
    try:
        mouse.move(100, 100)
        mouse.press("left")
        mouse.release("left")
        display.sync()
        told = [display.next_event().type for _ in range(display.pending_events())]
    finally:
        window.destroy()
        display.close()

    assert told[-2:] == [X.ButtonPress, X.ButtonRelease]


def test_the_command_plays_the_window_it_is_told(start: Callable[..., RealGame]) -> None:
    running = start("bridges", fresh("bridges", "10x10"))
    command = [sys.executable, "-m", "bot", "play", "desktop:bridges", "--yes", "--json"]

    told = subprocess.run(command, capture_output=True, text=True, timeout=120)

    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["status"] == "verified"
    device = open_desktop(running.title)
    assert bridges.check(running.puzzle, settled(device, running)) == ()
    device.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(50))
def test_fifty_fresh_boards_of_bridges_in_a_row(start: Callable[..., RealGame], number: int) -> None:
    params, size = BRIDGES[number % len(BRIDGES)]
    identity = fresh("bridges", params, 1000 + number)

    assert_played_to_the_end(start("bridges", identity, size), "bridges", identity)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(50))
def test_fifty_fresh_boards_of_pattern_in_a_row(start: Callable[..., RealGame], number: int) -> None:
    params, size = PATTERN[number % len(PATTERN)]
    identity = fresh("nonogram", params, 1000 + number)

    assert_played_to_the_end(start("nonogram", identity, size), "nonogram", identity)
