"""`boardsight play` on several devices at once: real adb server, real window, a process for each."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

from bot.devices.adb_server import AdbServer
from bot.devices.desktop import open_desktop
from bot.games import GAMES
from bot.messages import BUG, STOPPED, status_of
from bot.play import Options
from bot.playing import Order
from bot.practice.algemy import practice as algemy_practice
from bot.practice.base import PracticeBoard
from bot.practice.nonogram import practice as nonogram_practice
from bot.practice.rings import practice as rings_practice
from bot.side_by_side import _Away, _played
from tests.fake_android import FakeAndroid, adb_server, practice_android
from tests.laboratory.live import game_id, missing
from tests.real_desktop import RealGame
from tests.seldom import few
from tests.shared_data import REQUIRE_REAL

ROOT = Path(__file__).resolve().parents[1]
SEED = int(os.environ["BOARDSIGHT_SEED"])
PATIENCE_S = 180

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(shutil.which("adb") is None and not REQUIRE_REAL, reason="adb is not installed"),
    pytest.mark.skipif(bool(missing()) and not REQUIRE_REAL, reason=missing()),
    pytest.mark.usefixtures("display"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with adb_server(tmp_path_factory.mktemp("adb-home")) as running:
        yield running


@pytest.fixture
def phone(server: AdbServer) -> Iterator[Callable[[PracticeBoard], FakeAndroid]]:
    """Plugs in a phone that shows a board."""
    phones: list[FakeAndroid] = []

    def plug(board: PracticeBoard) -> FakeAndroid:
        phones.append(practice_android(board))
        server.ask(f"host:connect:{phones[-1].serial}")
        return phones[-1]

    yield plug
    for one in phones:
        server._quietly(f"host:disconnect:{one.serial}")
        one.close()


@pytest.fixture
def start(server: AdbServer, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `boardsight play` with a state folder of its own, in a process group of its own."""
    running: list[subprocess.Popen[str]] = []
    own = {"BOARDSIGHT_RUNS": str(tmp_path / "runs"), "BOARDSIGHT_PROFILES": str(tmp_path / "profiles")}
    port = {"ANDROID_ADB_SERVER_PORT": str(server.port)}

    def start(*arguments: str) -> subprocess.Popen[str]:
        running.append(
            subprocess.Popen(
                [sys.executable, "-m", "bot", "play", *arguments],
                cwd=ROOT,
                env=os.environ | own | port,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        )
        return running[-1]

    yield start
    for one in running:
        if one.poll() is None:
            os.killpg(one.pid, signal.SIGKILL)
        one.communicate()


def levels(seed: int) -> Any:
    return algemy_practice(random.Random(seed), size=3, screen=(720, 1280))


def small_board(seed: int) -> Any:
    return rings_practice(random.Random(seed))


def long_board() -> Any:
    """A board that takes a phone many touches."""
    return nonogram_practice(random.Random(3), size=(15, 15))


def told(process: subprocess.Popen[str]) -> tuple[dict[str, list[dict[str, Any]]], str]:
    """The lines of JSON by their source, and what was said on standard error."""
    out, said = process.communicate(timeout=PATIENCE_S)
    by_source: dict[str, list[dict[str, Any]]] = {}
    for line in map(json.loads, out.splitlines()):
        by_source.setdefault(line["source"], []).append(line)
    return by_source, said


def children_of(process: subprocess.Popen[str]) -> dict[int, str]:
    """The processes that play: those that python's `spawn` has made, by their number."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(process.pid)], capture_output=True, text=True
    ).stdout
    rows = (line.strip().partition(" ") for line in listed.splitlines())
    return {int(number): words for number, _, words in rows if "spawn_main" in words}


def until(seen: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE_S
    while not (found := seen()):
        assert time.monotonic() < end, "not seen in time"
        time.sleep(0.1)
    return found


def test_two_phones_and_a_window_are_played_at_once(
    phone: Callable[[Any], FakeAndroid], start: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    boards = [small_board(1), small_board(2)]
    a, b = (f"adb:{phone(board).serial}" for board in boards)
    window = RealGame("bridges", game_id("bridges", "7x7", random.Random(SEED)))
    report = tmp_path / "report.html"

    playing = start(
        a, b, "desktop:Bridges", "--watch", "--boards", "1", "--yes", "--json", "--report", str(report)
    )
    lines, said = told(playing)
    device = open_desktop(window.title)
    shown = window.shown(device.capture())
    device.close()
    window.close()

    assert playing.returncode == 0, said
    assert {source: [line["status"] for line in its] for source, its in lines.items()} == {
        source: ["verified"] for source in (a, b, "desktop:Bridges")
    }
    assert all(board.solved() for board in boards)
    assert GAMES["bridges"].check(window.puzzle, shown) == ()
    assert [row.split()[:3] for row in said.splitlines()[-4:-1]] == [
        [source, "verified", "1"] for source in (a, b, "desktop:Bridges")
    ]
    page = report.read_text()
    assert [page.count(f"<bdi>{source}</bdi>") for source in (a, b, "desktop:Bridges")] == [1, 1, 1]


@pytest.mark.long
def test_each_goes_on_to_its_next_boards(
    phone: Callable[[Any], FakeAndroid], start: Callable[..., subprocess.Popen[str]]
) -> None:
    boards = [levels(3), levels(4)]
    sources = [f"adb:{phone(board).serial}" for board in boards]

    playing = start(*sources, "--game", "algemy", "--watch", "--boards", "2", "--yes", "--json")
    lines, said = told(playing)

    assert playing.returncode == 0, said
    assert {source: len(its) for source, its in lines.items()} == dict.fromkeys(sources, 2)
    assert [board.levels_solved for board in boards] == [1, 1]


@pytest.mark.long
def test_a_phone_that_is_unplugged_and_a_window_that_is_not_there_touch_no_other(
    phone: Callable[[Any], FakeAndroid], start: Callable[..., subprocess.Popen[str]], server: AdbServer
) -> None:
    good = small_board(5)
    a, lost = phone(good), phone(long_board())
    sources = [f"adb:{a.serial}", f"adb:{lost.serial}", "desktop:Solitaire"]

    playing = start(*sources, "--yes", "--json")
    assert playing.stderr is not None
    # It is told what is begun, and a little later touched.
    until(lambda: f"{sources[1]}: Nonogram" in playing.stderr.readline())
    server._quietly(f"host:disconnect:{lost.serial}")
    lost.close()
    lines, said = told(playing)

    assert playing.returncode == 5, said
    assert {source: its[0]["status"] for source, its in lines.items()} == {
        sources[0]: "verified",
        sources[1]: "no-device",
        sources[2]: "no-device",
    }
    assert good.solved()


def test_a_process_that_is_killed_touches_no_other(
    phone: Callable[[Any], FakeAndroid], start: Callable[..., subprocess.Popen[str]]
) -> None:
    boards = [long_board(), small_board(8)]
    sources = [f"adb:{phone(board).serial}" for board in boards]

    playing = start(*sources, "--yes", "--json")
    assert playing.stderr is not None
    until(lambda: f"{sources[0]}: Nonogram" in playing.stderr.readline())
    first = min(children_of(playing))
    os.kill(first, signal.SIGKILL)
    lines, said = told(playing)

    assert playing.returncode == 1, said
    assert lines[sources[0]][0]["status"] == "error"
    assert "died" in lines[sources[0]][0]["reason"]
    assert lines[sources[1]][0]["status"] == "verified" and boards[1].solved()


@pytest.mark.parametrize("whom", few(["the whole group", "the starter alone"], 1))
def test_ctrl_c_stops_all_of_them(
    phone: Callable[[Any], FakeAndroid], start: Callable[..., subprocess.Popen[str]], whom: str
) -> None:
    sources = [f"adb:{phone(long_board()).serial}" for _ in range(2)]

    playing = start(*sources, "--yes", "--json")
    assert playing.stderr is not None
    until(lambda: "Nonogram" in playing.stderr.readline())
    ones = children_of(playing)
    assert len(ones) == 2
    if whom == "the whole group":
        os.killpg(playing.pid, signal.SIGINT)
    else:
        os.kill(playing.pid, signal.SIGINT)
    lines, said = told(playing)

    assert playing.returncode == 130, said
    assert {line["status"] for its in lines.values() for line in its} <= {"stopped"}
    assert not [number for number in ones if Path(f"/proc/{number}").exists()]
    assert "Traceback" not in said


def test_an_interrupt_that_was_dropped_stops_what_is_asked_or_told_next() -> None:
    dropped: list[int] = []
    ours, theirs = Pipe()
    before = signal.signal(signal.SIGTERM, lambda number, _: dropped.append(number))
    try:
        away = _Away(theirs)
        away.obey()
        ours.send(("stop",))
        with pytest.raises(KeyboardInterrupt):
            away.agree(["3 cells to enter"])
        with pytest.raises(KeyboardInterrupt):
            away.step("filling", 1, 3)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert dropped == [signal.SIGTERM]


def test_a_stop_is_one_from_the_first_moment_on() -> None:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    one = context.Process(target=_played, args=(Order("adb:nowhere", Options()), theirs), daemon=True)
    ours.send(("stop",))
    one.start()
    theirs.close()
    heard = []
    with pytest.raises(EOFError):
        while True:
            heard.append(ours.recv())
    one.join()
    assert heard[-1] == ("over", STOPPED)
    assert one.exitcode == 0


def test_an_interrupt_within_a_class_that_is_being_made_is_one() -> None:
    class Interrupted:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    with pytest.raises((KeyboardInterrupt, RuntimeError)) as caught:
        type("Made", (), {"attribute": Interrupted()})
    assert status_of(caught.value) == STOPPED
    own = RuntimeError("of itself")
    own.__cause__ = own
    assert status_of(own) == BUG


def test_the_mouse_in_the_corner_stops_all_of_them(
    phone: Callable[[Any], FakeAndroid], start: Callable[..., subprocess.Popen[str]]
) -> None:
    sources = [f"adb:{phone(long_board()).serial}", "desktop:Bridges"]
    window = RealGame("bridges", game_id("bridges", "15x15", random.Random(SEED)))

    playing = start(*sources, "--yes", "--json")
    assert playing.stderr is not None
    until(lambda: "desktop:Bridges: Bridges" in playing.stderr.readline())
    while playing.poll() is None:
        window.desk.move_mouse(0, 0)
        time.sleep(0.05)
    lines, said = told(playing)
    pressed = window.desk.buttons_down()
    window.desk.move_mouse(800, 600)
    window.close()

    assert playing.returncode == 130, said
    assert lines["desktop:Bridges"][-1]["status"] == "stopped"
    assert "corner" in lines["desktop:Bridges"][-1]["reason"]
    assert {its[-1]["status"] for its in lines.values()} == {"stopped"}, (lines, said)
    assert not pressed


def test_processes_end_with_a_starter_that_is_killed(
    phone: Callable[[Any], FakeAndroid], start: Callable[..., subprocess.Popen[str]]
) -> None:
    sources = [f"adb:{phone(long_board()).serial}" for _ in range(2)]

    playing = start(*sources, "--yes", "--json")
    assert playing.stderr is not None
    until(lambda: "Nonogram" in playing.stderr.readline())
    ones = children_of(playing)
    assert len(ones) == 2
    os.kill(playing.pid, signal.SIGKILL)

    until(lambda: not [number for number in ones if Path(f"/proc/{number}").exists()])


def test_nothing_is_touched_where_nobody_can_be_asked(
    phone: Callable[[Any], FakeAndroid], start: Callable[..., subprocess.Popen[str]]
) -> None:
    boards = [small_board(6), small_board(7)]
    sources = [f"adb:{phone(board).serial}" for board in boards]

    playing = start(*sources, "--json")
    lines, said = told(playing)

    assert playing.returncode == 2
    assert [its[0]["status"] for its in lines.values()] == ["planned", "planned"]
    assert said.count("nobody to ask") == 2


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        (["desktop:Bridges", "desktop:Pattern"], "share one mouse"),
        (["adb:x", "practice:rings:1", "adb:x"], "adb:x is named twice"),
    ],
)
def test_sources_that_get_into_each_others_way_are_refused(
    start: Callable[..., subprocess.Popen[str]], sources: list[str], words: str
) -> None:
    playing = start(*sources, "--yes")
    out, said = playing.communicate(timeout=PATIENCE_S)

    assert (playing.returncode, out) == (2, "")
    assert words in said and len(said.splitlines()) == 2
