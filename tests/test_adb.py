"""The Android path through the real adb server: pictures, touches, and everything that goes wrong on the way."""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from bot.actions import Action, Drag, Key, Tap, Wait
from bot.clock import SystemClock
from bot.devices import adb, adb_pictures
from bot.devices.adb import AdbDevice, open_adb
from bot.devices.adb_check import check_adb
from bot.devices.adb_front import ASK
from bot.devices.adb_server import AdbServer, Listed, find_adb
from bot.devices.practice import Faults
from bot.errors import CaptureFailed, DeviceNotFound, InputFailed
from bot.games import GAMES
from bot.play import play
from bot.practice.algemy import AlgemyPractice
from bot.practice.algemy import practice as algemy_practice
from bot.practice.base import PracticeBoard
from bot.practice.bridges import practice as bridges_practice
from bot.practice.nonogram import practice as nonogram_practice
from bot.practice.rings import practice as rings_practice
from bot.practice.thaumcraft import practice as thaumcraft_practice
from bot.screen import Screen
from tests.fake_android import FakeAndroid, adb_server, practice_android
from tests.seldom import few
from tests.shared_data import REQUIRE_REAL
from tests.toy import TOY, practice
from vision.frame import Pixels, Point

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(shutil.which("adb") is None and not REQUIRE_REAL, reason="adb is not installed"),
]

SCREEN = np.random.default_rng(5).integers(0, 256, (96, 54, 3), dtype=np.uint8)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with adb_server(tmp_path_factory.mktemp("adb-home")) as running:
        yield running


@pytest.fixture
def touched() -> list[Action]:
    return []


@pytest.fixture
def shown() -> list[Pixels]:
    """What the phone has shown; the last of it is there now."""
    return [SCREEN]


@pytest.fixture
def phone(server: AdbServer, shown: list[Pixels], touched: list[Action]) -> Iterator[FakeAndroid]:
    device = FakeAndroid(lambda: shown[-1], touched.append)
    server.ask(f"host:connect:{device.serial}")
    yield device
    server._quietly(f"host:disconnect:{device.serial}")
    device.close()


def test_the_picture_arrives_as_it_was_shown(server: AdbServer, phone: FakeAndroid) -> None:
    frame = open_adb(phone.serial, server).capture()

    assert np.array_equal(frame.pixels, SCREEN)
    assert frame.source == f"adb:{phone.serial}"


# Every piece is acknowledged: those of one byte are too many on a busy machine, but of a low picture.
@pytest.mark.parametrize(("fragment", "rows"), [(1, 24), (7, 96), (4096, 96)])
def test_a_picture_in_pieces_is_whole(
    server: AdbServer, phone: FakeAndroid, shown: list[Pixels], fragment: int, rows: int
) -> None:
    shown.append(SCREEN[:rows])
    device = open_adb(phone.serial, server)
    phone.sick.fragment = fragment

    assert np.array_equal(device.capture().pixels, shown[-1])


@pytest.mark.parametrize(
    "sickness",
    [
        {"warning": b"[Warning] Multiple displays were found, but no display id was specified!\n"},
        {"mangle": True},
        {"old_header": True},
    ],
    ids=lambda sickness: next(iter(sickness)),
)
def test_pictures_that_come_oddly_are_read(
    server: AdbServer, phone: FakeAndroid, sickness: dict[str, object]
) -> None:
    for name, value in sickness.items():
        setattr(phone.sick, name, value)

    assert np.array_equal(open_adb(phone.serial, server).capture().pixels, SCREEN)


@pytest.mark.long
def test_a_phone_that_takes_three_seconds_for_every_answer_is_seen_and_touched(
    server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    phone.sick.latency_s = 3.0
    device = open_adb(phone.serial, server)

    assert np.array_equal(device.capture().pixels, SCREEN)
    device.act([Tap(Point(10.5, 20.5)), Wait(0.01), Tap(Point(11.5, 21.5))])

    assert touched == [Tap(Point(10.5, 20.5)), Tap(Point(11.5, 21.5))]


@pytest.mark.parametrize("sickness", ["garbage", "refuse_pictures", "short_picture"])
def test_a_device_without_pictures_is_told_so(
    server: AdbServer, phone: FakeAndroid, sickness: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adb, "RETRY_S", 0.01)
    setattr(phone.sick, sickness, True)

    with pytest.raises(CaptureFailed, match="no picture after 3 tries"):
        open_adb(phone.serial, server).capture()


def test_a_stalled_picture_ends_at_its_deadline(
    server: AdbServer, phone: FakeAndroid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adb_pictures, "CAPTURE_S", 0.4)
    monkeypatch.setattr(adb, "RETRY_S", 0.01)
    phone.sick.stall_picture = True

    with pytest.raises(CaptureFailed, match="did not answer"):
        open_adb(phone.serial, server).capture()


def test_a_reset_in_the_middle_of_a_picture_is_followed_by_a_new_one(
    server: AdbServer, phone: FakeAndroid
) -> None:
    device = open_adb(phone.serial, server)
    device.capture()
    phone.sick.fragment, phone.sick.cut_picture_at = 1000, 3000

    def heal(seconds: float) -> None:
        phone.sick.cut_picture_at = None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adb.time, "sleep", lambda seconds: (heal(seconds), time.monotonic())[0])
        pixels = device.capture().pixels

    assert np.array_equal(pixels, SCREEN)


def test_touches_arrive_where_and_as_they_were_meant(
    server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    device = open_adb(phone.serial, server)
    device.capture()

    device.act([Tap(Point(10.5, 20.5)), Wait(0.01), Drag((Point(1.2, 2.9), Point(50, 90)), 0.25), Key("7")])

    assert touched == [Tap(Point(10.5, 20.5)), Drag((Point(1.5, 2.5), Point(50.5, 90.5)), 0.25), Key("7")]


def test_a_step_is_one_shell_call(server: AdbServer, phone: FakeAndroid) -> None:
    device = open_adb(phone.serial, server)
    device.capture()
    phone.commands.clear()

    device.act([Tap(Point(1, 1)), Tap(Point(2, 2)), Tap(Point(3, 3))])

    # And one before it, which asks what is in front.
    assert phone.commands[:-1] == [ASK] and phone.commands[-1].count("input tap") == 3


def test_a_long_press_is_a_swipe_that_stays(
    server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    device = open_adb(phone.serial, server)
    device.capture()

    device.act([Tap(Point(5.5, 5.5), hold_s=0.6)])

    assert touched == [Tap(Point(5.5, 5.5), 0.6)]


def test_a_phone_that_forbids_touches_is_explained(server: AdbServer, phone: FakeAndroid) -> None:
    device = open_adb(phone.serial, server)
    device.capture()
    phone.sick.no_injecting = True

    with pytest.raises(InputFailed, match="INJECT_EVENTS") as refused:
        device.act([Tap(Point(1, 1))])

    assert "Security settings" in refused.value.hint


def test_an_override_of_the_size_scales_touches(
    server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    phone.sick.wm_size = "Physical size: 54x96\nOverride size: 108x192\n"
    device = open_adb(phone.serial, server)
    device.capture()

    device.act([Tap(Point(10.5, 20.5))])

    assert touched == [Tap(Point(21.5, 41.5))]


def test_touches_are_turned_with_the_screen(
    server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    phone.sick.wm_size = "Physical size: 96x54\n"
    device = open_adb(phone.serial, server)
    device.capture()

    device.act([Tap(Point(10.5, 90.5))])

    assert touched == [Tap(Point(10.5, 90.5))]


def test_an_override_of_another_form_than_the_picture_is_refused(
    server: AdbServer, phone: FakeAndroid
) -> None:
    phone.sick.wm_size = "Physical size: 54x96\nOverride size: 54x80\n"

    with pytest.raises(CaptureFailed, match="touches count in 54 x 80") as refused:
        open_adb(phone.serial, server).capture()

    assert "wm size reset" in refused.value.hint


def test_the_right_button_is_a_long_press(
    server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    device = open_adb(phone.serial, server)
    device.capture()

    device.act(
        [Tap(Point(5.5, 5.5), button="right"), Drag((Point(1.5, 2.5), Point(9.5, 8.5)), 0.25, button="right")]
    )

    assert touched == [
        Tap(Point(5.5, 5.5), 0.6),
        Drag((Point(1.5, 2.5), Point(9.5, 8.5)), 0.25, button="right"),
    ]


def test_stamps_are_drags_of_their_own(server: AdbServer, phone: FakeAndroid, touched: list[Action]) -> None:
    device = open_adb(phone.serial, server)
    device.capture()
    start, one, two = Point(1.5, 1.5), Point(20.5, 5.5), Point(30.5, 6.5)

    device.act([Drag((start, one, two), 0.1, stamp=True)])

    assert touched == [Drag((start, one), 0.1), Drag((start, two), 0.1)]


def test_a_bent_path_is_one_touch(server: AdbServer, phone: FakeAndroid, touched: list[Action]) -> None:
    device = open_adb(phone.serial, server)
    device.capture()
    path = (Point(1.5, 1.5), Point(20.5, 5.5), Point(30.5, 60.5))

    device.act([Drag(path)])

    assert touched == [Drag(path)]


@pytest.mark.parametrize(
    "action",
    [Tap(Point(1, 1), button="middle"), Tap(Point(1, 1), modifiers=("shift",))],
    ids=["middle button", "shift"],
)
def test_what_a_finger_cannot_do_is_refused_before_anything_is_touched(
    server: AdbServer, phone: FakeAndroid, touched: list[Action], action: Action
) -> None:
    device = open_adb(phone.serial, server)
    device.capture()

    with pytest.raises(InputFailed, match="a touch screen"):
        device.act([Tap(Point(5, 5)), action])

    assert touched == []


@pytest.mark.parametrize("name", ["a;reboot", "$(id)", "ENTER && ls", "é", ""])
def test_no_text_reaches_the_shell(server: AdbServer, phone: FakeAndroid, name: str) -> None:
    device = open_adb(phone.serial, server)
    device.capture()
    phone.commands.clear()

    with pytest.raises(InputFailed):
        device.act([Key(name)])

    assert phone.commands == []


def test_an_unauthorised_phone_is_waited_for_and_named(server: AdbServer) -> None:
    device = FakeAndroid(lambda: SCREEN, lambda action: None)
    device.sick.wants_permission = True
    server._quietly(f"host:connect:{device.serial}")

    with pytest.raises(DeviceNotFound, match="unauthorized") as refused:
        open_adb(device.serial, server, wait_s=0.5)
    assert "allow USB debugging" in refused.value.hint

    device.sick.wants_permission = False
    assert np.array_equal(open_adb(device.serial, server, wait_s=10).capture().pixels, SCREEN)
    server._quietly(f"host:disconnect:{device.serial}")
    device.close()


def test_network_devices_are_used_only_when_named(server: AdbServer, phone: FakeAndroid) -> None:
    with pytest.raises(DeviceNotFound, match="only devices on the network"):
        open_adb(None, server)


def test_a_device_that_announced_itself_on_the_network_is_used_only_when_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = AdbServer(1)
    monkeypatch.setattr(server, "ensure_running", lambda: None)
    monkeypatch.setattr(
        server, "devices", lambda: [Listed("adb-R5CT-x2vC9o._adb-tls-connect._tcp", "device")]
    )

    with pytest.raises(DeviceNotFound, match="only devices on the network"):
        open_adb(None, server)


def test_of_two_devices_one_must_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    server = AdbServer(1)
    monkeypatch.setattr(server, "ensure_running", lambda: None)
    monkeypatch.setattr(
        server, "devices", lambda: [Listed("R5CT", "device"), Listed("emulator-5554", "device")]
    )

    with pytest.raises(DeviceNotFound, match="2 devices are connected: R5CT, emulator-5554") as refused:
        open_adb(None, server)

    assert refused.value.hint == "name one: adb:SERIAL"


def test_two_phones_are_told_apart(server: AdbServer, phone: FakeAndroid) -> None:
    other = FakeAndroid(lambda: 255 - SCREEN, lambda action: None)
    server.ask(f"host:connect:{other.serial}")

    pictures = [open_adb(one.serial, server).capture().pixels for one in (phone, other)]

    assert np.array_equal(pictures[0], SCREEN) and np.array_equal(pictures[1], 255 - SCREEN)
    server._quietly(f"host:disconnect:{other.serial}")
    other.close()


def test_doctor_walks_the_whole_way(server: AdbServer, phone: FakeAndroid, touched: list[Action]) -> None:
    findings = list(check_adb(phone.serial, server))

    assert [(one.what, one.ok) for one in findings] == [
        (what, True) for what in ("program", "server", "device", "display", "picture", "input")
    ]
    told = {one.what: one.text for one in findings}
    assert told["display"] == "physical 54x96 px"
    assert re.fullmatch(r"54 x 96 px; PNG \d\.\d\d s, raw \d\.\d\d s", told["picture"])
    assert touched == []


def test_doctor_says_why_taps_are_refused(server: AdbServer, phone: FakeAndroid) -> None:
    phone.sick.no_injecting = True

    *_, last = check_adb(phone.serial, server)

    assert (last.what, last.ok) == ("input", False)
    assert "Security settings" in last.advice


def test_waiting_for_a_phone_is_told_once(server: AdbServer) -> None:
    device = FakeAndroid(lambda: SCREEN, lambda action: None)
    device.sick.wants_permission = True
    server._quietly(f"host:connect:{device.serial}")
    told: list[str] = []

    with pytest.raises(DeviceNotFound):
        open_adb(device.serial, server, wait_s=0.6, tell=told.append)

    assert [words.split(": ")[1].split(";")[0] for words in told][-1] == (
        "unlock the phone and allow USB debugging for this computer"
    )
    assert len(told) <= 2
    server._quietly(f"host:disconnect:{device.serial}")
    device.close()


def test_an_unknown_serial_is_not_waited_for(server: AdbServer, phone: FakeAndroid) -> None:
    with pytest.raises(DeviceNotFound, match="no device 'emulator-1'"):
        open_adb("emulator-1", server)


def test_a_device_that_drops_off_is_dialled_again(server: AdbServer, phone: FakeAndroid) -> None:
    device = open_adb(phone.serial, server)
    device.capture()
    phone.drop_connections()
    time.sleep(0.3)

    assert np.array_equal(device.capture().pixels, SCREEN)


def test_a_phone_on_a_cable_that_comes_back_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    server, looks = AdbServer(1), iter([[], [], [Listed("R5CT", "offline")], [Listed("R5CT", "device")]])
    dialled: list[str] = []
    monkeypatch.setattr(server, "devices", lambda: next(looks))
    monkeypatch.setattr(server, "reconnect", dialled.append)

    adb.wait_for(server, "R5CT", 5.0, known=True)

    assert dialled == ["R5CT"]


def test_a_board_behind_the_whole_chain_is_played_to_a_verified_end(server: AdbServer) -> None:
    board = practice(random.Random(12))
    phone = practice_android(board)
    server.ask(f"host:connect:{phone.serial}")
    device = open_adb(phone.serial, server)

    outcome = play(TOY, board.profile, Screen(device, SystemClock()))

    assert outcome.status == "verified" and board.solved()
    server._quietly(f"host:disconnect:{phone.serial}")
    phone.close()


@pytest.mark.slow
def test_a_board_on_a_phone_with_three_seconds_of_latency_is_played_to_a_verified_end(
    server: AdbServer,
) -> None:
    board = practice(random.Random(12))
    phone = practice_android(board)
    server.ask(f"host:connect:{phone.serial}")
    phone.sick.latency_s = 3.0

    outcome = play(TOY, board.profile, Screen(open_adb(phone.serial, server), SystemClock()))

    # A tap that was sent twice would switch its light off again.
    assert outcome.status == "verified" and board.solved()
    server._quietly(f"host:disconnect:{phone.serial}")
    phone.close()


def test_a_phone_that_goes_in_the_middle_of_a_step_is_looked_at_again_first(server: AdbServer) -> None:
    board = practice(random.Random(12))
    phone = practice_android(board)
    server.ask(f"host:connect:{phone.serial}")
    device = open_adb(phone.serial, server)
    phone.sick.drops_at_input = 1

    # A tap that was sent twice would switch its light off again.
    outcome = play(TOY, board.profile, Screen(device, SystemClock()))

    assert outcome.status == "verified" and board.solved()
    assert phone.sick.drops_at_input is None
    server._quietly(f"host:disconnect:{phone.serial}")
    phone.close()


SMALL: Mapping[str, Callable[[random.Random], PracticeBoard]] = {
    "thaumcraft stock": lambda rng: thaumcraft_practice(rng, ui="stock", scale=2, complexity=1),
    "thaumcraft tweaks": lambda rng: thaumcraft_practice(rng, ui="tweaks", scale=2, complexity=1),
    "bridges": lambda rng: bridges_practice(rng, size=(5, 5)),
    "nonogram": lambda rng: nonogram_practice(rng, size=(5, 5)),
    "rings": rings_practice,
}


@pytest.mark.parametrize("name", few(SMALL, ("thaumcraft tweaks", "nonogram")))
def test_every_game_can_be_played_by_touch(server: AdbServer, name: str) -> None:
    board = SMALL[name](random.Random(2))
    phone = practice_android(board, long_press_is_right=name == "nonogram")
    server.ask(f"host:connect:{phone.serial}")
    device = open_adb(phone.serial, server)

    outcome = play(GAMES[name.split()[0]], board.profile, Screen(device, SystemClock()))

    assert outcome.status == "verified" and board.solved()
    server._quietly(f"host:disconnect:{phone.serial}")
    phone.close()


def play_levels(server: AdbServer, board: AlgemyPractice, levels: int, seed: int) -> None:
    """`boardsight play adb:SERIAL --watch` in a process of its own, every twentieth tap lost."""
    phone = practice_android(board, Faults(lost=0.05), seed)
    server.ask(f"host:connect:{phone.serial}")

    done = subprocess.run(
        [sys.executable, "-m", "bot", "play", f"adb:{phone.serial}", "--game", "algemy", "--yes", "--json"]
        + ["--watch", "--boards", str(levels)],
        env=os.environ | {"ANDROID_ADB_SERVER_PORT": str(server.port)},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr + done.stdout
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["verified"] * levels
    assert board.solved() and board.levels_solved == levels - 1
    server._quietly(f"host:disconnect:{phone.serial}")
    phone.close()


@pytest.mark.long
def test_algemy_is_played_level_after_level_with_lost_taps(server: AdbServer) -> None:
    board = algemy_practice(random.Random(3), size=3, screen=(720, 1280), mixed=True)

    play_levels(server, board, 4, seed=3)

    assert len(set(board.kinds_seen)) == 4


@pytest.mark.slow
def test_twenty_levels_of_both_shapes_and_palettes_in_a_row_with_lost_taps(server: AdbServer) -> None:
    """BOARDSIGHT_SEED repeats a run; otherwise every run is another one."""
    seed = int(os.environ["BOARDSIGHT_SEED"])
    board = algemy_practice(random.Random(seed), mixed=True)

    play_levels(server, board, 20, seed)

    kinds = Counter(board.kinds_seen)
    assert kinds == dict.fromkeys(itertools.product(("square", "hex"), ("RYB", "ROYGBV")), 5)


def test_a_server_that_is_not_there_is_started(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ADB_MDNS": "0"}
    server = AdbServer(port, environ)
    try:
        server.ensure_running()
        assert server.devices() == []
    finally:
        subprocess.run(["adb", "-P", str(port), "kill-server"], env=environ, check=True, capture_output=True)


def test_play_without_any_device_says_so_in_two_lines(server: AdbServer) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "play", "adb"],
        env=os.environ | {"ANDROID_ADB_SERVER_PORT": str(server.port)},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 5
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "boardsight: no Android device is connected",
        "  plug it in, switch on USB debugging, and allow this computer",
    ]


def test_without_a_server_and_without_adb_the_words_are_clear(tmp_path: Path) -> None:
    server = AdbServer(1, {"PATH": str(tmp_path), "HOME": str(tmp_path)})

    with pytest.raises(DeviceNotFound, match="no adb program"):
        server.ensure_running()


def test_adb_is_found_in_the_sdk(tmp_path: Path) -> None:
    program = tmp_path / "sdk/platform-tools/adb"
    program.parent.mkdir(parents=True)
    program.touch()

    assert find_adb({"PATH": "", "ANDROID_HOME": str(tmp_path / "sdk"), "HOME": str(tmp_path)}) == program


def test_the_device_module_needs_no_adb_to_be_imported() -> None:
    assert isinstance(AdbDevice(AdbServer(1, dict(os.environ)), "x"), AdbDevice)
