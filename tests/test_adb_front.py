"""What real phones do while they are played: calls, other apps, turning, folding, odd pictures, endless answers."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from collections.abc import Iterator

import numpy as np
import pytest

from bot.actions import Action, Drag, Key, Tap
from bot.clock import SystemClock
from bot.devices import adb, adb_pictures
from bot.devices.adb import AdbDevice, is_near, open_adb
from bot.devices.adb_front import ASK, parse
from bot.devices.adb_pictures import decode_raw
from bot.devices.adb_server import AdbServer
from bot.errors import CaptureFailed, DeviceNotFound, InputFailed
from bot.play import Options, play
from bot.screen import Patience, Screen
from tests import toy
from tests.fake_android import MANY_DISPLAYS, FakeAndroid, adb_server
from tests.shared_data import REQUIRE_REAL
from vision.errors import BoardNotFound
from vision.frame import Pixels, Point

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(shutil.which("adb") is None and not REQUIRE_REAL, reason="adb is not installed"),
]

SCREEN = np.random.default_rng(5).integers(0, 256, (96, 54, 3), dtype=np.uint8)
HERE = Tap(Point(10.5, 20.5))


class Held:
    """The screen of a phone that may be turned."""

    def __init__(self) -> None:
        self.pixels: Pixels = SCREEN

    def __call__(self) -> Pixels:
        return self.pixels


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with adb_server(tmp_path_factory.mktemp("adb-home")) as running:
        yield running


@pytest.fixture
def touched() -> list[Action]:
    return []


@pytest.fixture
def screen() -> Held:
    return Held()


@pytest.fixture
def phone(server: AdbServer, touched: list[Action], screen: Held) -> Iterator[FakeAndroid]:
    device = FakeAndroid(screen, touched.append)
    server.ask(f"host:connect:{device.serial}")
    yield device
    server._quietly(f"host:disconnect:{device.serial}")
    device.close()


def looked_at(server: AdbServer, phone: FakeAndroid) -> AdbDevice:
    device = open_adb(phone.serial, server)
    device.capture()
    return device


def test_a_call_that_comes_in_is_never_tapped(
    server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    device = looked_at(server, phone)
    # A banner over the game: the game keeps the focus.
    phone.sick.rings = True

    with pytest.raises(InputFailed, match="a call comes in; nothing was tapped"):
        device.act([HERE])

    assert touched == []


def test_a_call_amid_the_taps_of_a_step_gets_none_of_the_rest(
    server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    device = looked_at(server, phone)
    phone.sick.rings_after_inputs = 2

    with pytest.raises(InputFailed, match="a call comes in; the rest of the step was not tapped"):
        device.act([HERE] * 5)
    phone.sick.rings, phone.sick.rings_after_inputs = False, None
    device.capture()
    device.act([HERE])

    assert touched == [HERE] * 3


@pytest.mark.parametrize("comes", ["a call", "an app"])
def test_after_a_refusal_nothing_at_all_is_sent_before_the_next_picture(
    comes: str, server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    """A run that stops after a right click closes the menu that may be open: its Escape went to the call."""
    device = looked_at(server, phone)
    phone.sick.rings, phone.sick.app = (
        comes == "a call",
        "com.example.game" if comes == "a call" else "com.bank",
    )

    for action in (HERE, Key("escape"), HERE):
        with pytest.raises(InputFailed, match="nothing was tapped"):
            device.act([action])

    assert touched == []


def test_a_bent_path_is_never_left_half_way_for_a_call(
    server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    device = looked_at(server, phone)
    phone.sick.rings_after_inputs = 1

    device.act([Drag((Point(5, 5), Point(5, 30), Point(30, 30)), 0.1)])

    assert len(touched) == 1


def test_another_app_in_front_is_never_tapped_and_the_game_is_once_it_is_back(
    server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    device = looked_at(server, phone)
    phone.sick.app = "com.android.incallui"

    with pytest.raises(
        InputFailed, match=r"com\.android\.incallui is in front now, .* in com\.example\.game"
    ):
        device.act([HERE])
    device.capture()
    phone.sick.app = "com.example.game"
    with pytest.raises(InputFailed):
        device.act([HERE])
    assert touched == []
    device.capture()
    device.act([HERE])

    assert touched == [HERE]


@pytest.mark.parametrize(
    "comes",
    [{"window": "adadad"}, {"frame": "[0,48][54,96]"}, {"banner": True}],
    ids=["dialog", "split screen", "message"],
)
def test_what_comes_over_the_board_ends_the_batch_and_is_looked_at(
    comes: dict[str, object], server: AdbServer, phone: FakeAndroid
) -> None:
    """An advertisement in the app itself, another app beside it, a message that takes no focus: twelve steps were tapped
    before the next look."""
    board = toy.practice(random.Random(3))
    taps: list[Action] = []

    def touch(action: Action) -> None:
        taps.append(action)
        board.act(action, 0.0)
        if len(taps) == 3:
            for name, value in comes.items():
                setattr(phone.sick, name, value)

    phone._touch = touch
    phone._screen = lambda: board.render(0.0) if len(taps) < 3 else np.full_like(board.render(0.0), 230)
    screen = Screen(open_adb(phone.serial, server), SystemClock(), Patience(unread_s=0.2, hidden_s=0.2))

    with pytest.raises(BoardNotFound):
        play(toy.TOY, board.profile, screen)

    assert len(taps) == 3


def test_another_window_of_the_app_that_shows_the_board_is_played_on(
    server: AdbServer, phone: FakeAndroid
) -> None:
    board = toy.practice(random.Random(3))

    def touch(action: Action) -> None:
        board.act(action, 0.0)
        phone.sick.window = "abcdef"

    phone._touch, phone._screen = touch, lambda: board.render(0.0)
    screen = Screen(open_adb(phone.serial, server), SystemClock())

    outcome = play(toy.TOY, board.profile, screen, Options(settle_s=0.1))

    assert outcome.status == "verified" and board.solved()


def test_nothing_is_waited_for_where_nothing_was_sent(server: AdbServer, phone: FakeAndroid) -> None:
    board = toy.practice(random.Random(3))
    taps: list[Action] = []
    pictures: list[int] = []

    def touch(action: Action) -> None:
        taps.append(action)
        board.act(action, 0.0)

    def screen() -> Pixels:
        pictures.append(len(taps))
        # A small bubble that comes after the first look, beside the board.
        phone.sick.banner = len(pictures) > 6
        return board.render(0.0)

    phone._touch, phone._screen = touch, screen
    play(toy.TOY, board.profile, Screen(open_adb(phone.serial, server), SystemClock()), Options(settle_s=0.1))

    # Sizes are asked for by the same function.
    assert pictures.count(0) < 20 and board.solved()


def test_a_window_that_never_rests_is_named(server: AdbServer, phone: FakeAndroid) -> None:
    """A bubble that moves all the time: "11 rounds brought nothing closer" did not tell what to do about it."""
    board = toy.practice(random.Random(3))
    shown = phone._shell

    def shell(command: str) -> str:
        phone.sick.banner ^= command == ASK
        return shown(command)

    phone._shell, phone._screen = shell, lambda: board.render(0.0)  # type: ignore[method-assign]

    with pytest.raises(InputFailed, match=r"what lies over com\.example\.game has changed") as refused:
        play(toy.TOY, board.profile, Screen(open_adb(phone.serial, server), SystemClock()))

    assert "close what lies over the board" in refused.value.hint


@pytest.mark.parametrize("turn", ["half", "quarter"])
def test_a_phone_that_is_turned_after_the_picture_is_not_tapped(
    turn: str, server: AdbServer, phone: FakeAndroid, screen: Held, touched: list[Action]
) -> None:
    device = looked_at(server, phone)
    screen.pixels = np.rot90(SCREEN, 2 if turn == "half" else 1).copy()
    phone.sick.rotation = 2 if turn == "half" else 1

    with pytest.raises(InputFailed, match="turned after its picture was taken; nothing was tapped"):
        device.act([HERE])
    device.capture()
    device.act([HERE])

    assert touched == [HERE]


def test_a_phone_that_is_turned_before_the_picture_is_touched_where_it_shows_things(
    server: AdbServer, phone: FakeAndroid, screen: Held, touched: list[Action]
) -> None:
    device = looked_at(server, phone)
    screen.pixels, phone.sick.rotation = np.rot90(SCREEN).copy(), 1

    frame = device.capture()
    device.act([Tap(Point(90.5, 50.5))])

    assert frame.size == (96, 54)
    assert touched == [Tap(Point(90.5, 50.5))]


def test_a_step_asks_once_what_is_in_front(server: AdbServer, phone: FakeAndroid) -> None:
    device = looked_at(server, phone)
    phone.commands.clear()

    device.act([HERE, HERE, HERE])
    device.capture()

    assert phone.commands.count(ASK) == 1 and len(phone.commands) == 2


@pytest.mark.parametrize(
    ("said", "app"),
    [
        ("  mCurrentFocus=Window{8d2 u0 com.a.b/com.a.b.Main}\n", "com.a.b"),
        ("  mCurrentFocus=Window{8d2 com.a.b/com.a.b.Main paused=false}\n", "com.a.b"),
        ("  mCurrentFocus=Window{8d2 u10 NotificationShade}\n", "NotificationShade"),
        ("  mCurrentFocus=null\n  mCurrentFocus=Window{1 u0 com.c/.D}\n", "com.c"),
        ("  mCurrentFocus=null\n", ""),
        (
            "  mCurrentFocus=Window{9 u0 Application Not Responding: com.a.b}\n",
            "Application Not Responding: com.a.b",
        ),
        (
            "  mCurrentFocus=Window{9 u0 PopupWindow:5a3b}\n"
            "  Window #0 Window{9 u0 PopupWindow:5a3b}:\n    mOwnerUid=1 package=com.a.b appop=NONE\n",
            "com.a.b",
        ),
        ("Can't find service: window\n", ""),
    ],
)
def test_the_app_in_front_is_told_as_androids_of_all_ages_write_it(said: str, app: str) -> None:
    assert parse(said).app == app


@pytest.mark.parametrize(
    "frames", ["    Frames: parent=[0,0][54,96] frame={}", "    mFrame={} last=[0,0][0,0]"]
)
def test_the_place_of_the_window_is_told_as_androids_of_all_ages_write_it(frames: str) -> None:
    focus = "Window{8d2 u0 com.a.b/com.a.b.Main}"
    listed = f"  Window #3 {focus}:\n{frames.format('[0,-4][54,48]')}\n  Window #2 Window{{1 u0 Wall}}:\n"

    assert parse(f"  mCurrentFocus={focus}\n{listed}").frame == "[0,-4][54,48]"


def test_more_windows_are_no_turn_of_the_screen() -> None:
    one = "    mCurrentRotation=ROTATION_0\n      mRotation=ROTATION_0\n"

    assert parse(one).turned == parse(one + "      mRotation=ROTATION_0\n").turned


def test_a_second_card_that_rings_is_heard() -> None:
    assert parse("  mCallState=0\n  mCallState=1\n").rings
    assert not parse("  mCallState=2\n").rings


@pytest.mark.parametrize("first_on", [True, False])
def test_of_several_displays_the_one_that_is_on_is_shown(
    first_on: bool, server: AdbServer, phone: FakeAndroid
) -> None:
    phone.sick.displays = {"4619827259835644672": first_on, "4619827551948147201": not first_on}
    device = open_adb(phone.serial, server)

    frames = [device.capture() for _ in range(3)]

    assert all(np.array_equal(frame.pixels, SCREEN) for frame in frames)


@pytest.mark.parametrize("taking", ["4619827259835644672", ""], ids=["the black one", "not told"])
def test_a_display_that_takes_no_touches_is_not_looked_at(
    taking: str, server: AdbServer, phone: FakeAndroid, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bank's app, which forbids pictures, and another display that is on: every tap would go to the bank."""
    monkeypatch.setattr(adb, "RETRY_S", 0.01)
    phone.sick.displays = {"4619827259835644672": False, "4619827551948147201": True}
    phone.sick.touched = taking

    with pytest.raises(CaptureFailed, match=r"several displays|is black") as refused:
        open_adb(phone.serial, server).capture()

    assert ("unlock" if taking else "switch the other displays off") in refused.value.hint


def test_of_two_displays_that_are_on_the_one_that_takes_the_touches_is_shown(
    server: AdbServer, phone: FakeAndroid, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.sick.displays = {"4619827259835644672": True, "4619827551948147201": True}
    phone.sick.touched = "4619827551948147201"

    def picture(display: str | None, *, png: bool) -> bytes:
        if display == phone.sick.touched:
            return phone._encoded(SCREEN, png=png)
        return MANY_DISPLAYS + phone._encoded(255 - SCREEN, png=png)

    monkeypatch.setattr(phone, "_picture", picture)

    assert np.array_equal(open_adb(phone.serial, server).capture().pixels, SCREEN)


def test_a_warning_that_comes_before_the_pictures_from_now_on_is_no_end(
    server: AdbServer, phone: FakeAndroid, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The faster way was the raw one, which does not tell where its picture begins."""
    monkeypatch.setattr(adb, "RETRY_S", 0.01)
    device = looked_at(server, phone)
    device._camera._raw = True
    phone.sick.warning = MANY_DISPLAYS

    assert np.array_equal(device.capture().pixels, SCREEN)


def test_a_phone_that_is_unfolded_shows_the_other_display(server: AdbServer, phone: FakeAndroid) -> None:
    phone.sick.displays = {"4619827259835644672": False, "4619827551948147201": True}
    device = looked_at(server, phone)
    phone.sick.displays = {"4619827259835644672": True, "4619827551948147201": False}

    assert np.array_equal(device.capture().pixels, SCREEN)


def test_a_black_picture_is_refused_with_its_reason(
    server: AdbServer, phone: FakeAndroid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adb, "RETRY_S", 0.01)
    phone.sick.black = True

    with pytest.raises(CaptureFailed, match="the picture is black") as refused:
        open_adb(phone.serial, server).capture()

    assert "forbid" in refused.value.hint


@pytest.mark.parametrize("kind", [1, 2, 4, 5], ids=["RGBA", "RGBX", "565", "BGRA"])
@pytest.mark.parametrize("padding", [0, 10])
@pytest.mark.parametrize("old", [False, True], ids=["16 bytes", "12 bytes"])
def test_raw_pictures_of_every_form_are_read(kind: int, padding: int, old: bool, phone: FakeAndroid) -> None:
    phone.sick.pixel_format, phone.sick.padding_px, phone.sick.old_header = kind, padding, old

    pixels = decode_raw(phone._encoded(SCREEN, png=False))

    assert pixels.shape == SCREEN.shape
    # 565 keeps five and six bits of each colour.
    assert np.abs(pixels.astype(int) - SCREEN).max() <= (8 if kind == 4 else 0)


def test_a_phone_that_drips_is_given_up_once(
    server: AdbServer, phone: FakeAndroid, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = looked_at(server, phone)
    monkeypatch.setattr(adb_pictures, "CAPTURE_S", 0.5)
    monkeypatch.setattr(adb, "CAPTURE_TRIES", 1000)
    phone.sick.drips = True

    with pytest.raises(CaptureFailed, match="did not answer within"):
        device.capture()


def test_no_more_waiting_is_asked_for_than_is_promised() -> None:
    assert adb_pictures.CAPTURE_S <= 10


def test_a_phone_that_sends_without_end_is_given_up_once(
    server: AdbServer, phone: FakeAndroid, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = looked_at(server, phone)
    monkeypatch.setattr(adb_pictures, "MOST_PICTURE_BYTES", 1_000_000)
    monkeypatch.setattr(adb, "CAPTURE_TRIES", 1000)
    phone.sick.floods = 250_000_000 // 50

    with pytest.raises(CaptureFailed, match="more than 1000000 bytes"):
        device.capture()


def test_an_input_command_that_starts_slowly_is_waited_for(
    server: AdbServer, phone: FakeAndroid, touched: list[Action]
) -> None:
    device = looked_at(server, phone)
    phone.sick.input_start_s = 1.0

    device.act([HERE, HERE])

    assert touched == [HERE, HERE]


def test_nothing_more_is_sent_to_a_phone_that_may_still_be_at_the_last_step(
    server: AdbServer, phone: FakeAndroid, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tap that was sent again switched its light off when the first one was done at last: the board was called verified."""
    board = toy.practice(random.Random(3))
    taps: list[Action] = []

    def touch(action: Action) -> None:
        taps.append(action)
        board.act(action, 0.0)

    phone._touch, phone._screen = touch, lambda: board.render(0.0)
    device = looked_at(server, phone)
    monkeypatch.setattr(adb, "SHELL_S", 0.3)
    monkeypatch.setattr(adb, "INPUT_S", 0.0)
    phone.sick.input_start_s = 1.0

    with pytest.raises(InputFailed, match="did not say that the touches were done"):
        play(toy.TOY, board.profile, Screen(device, SystemClock()))
    time.sleep(1.0)

    assert len(taps) == 1


@pytest.mark.parametrize("v2", [False, True])
def test_the_pretended_phone_speaks_to_the_real_client(v2: bool, server: AdbServer) -> None:
    device = FakeAndroid(lambda: SCREEN, lambda action: None)
    device.sick.shell_v2 = v2
    server.ask(f"host:connect:{device.serial}")

    told = subprocess.run(
        ["adb", "-P", str(server.port), "-s", device.serial, "shell", "wm", "size"],
        env=dict(server._environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    picture = open_adb(device.serial, server).capture().pixels

    assert (told.stdout, told.returncode) == ("Physical size: 54x96\n", 0)
    assert np.array_equal(picture, SCREEN)
    server._quietly(f"host:disconnect:{device.serial}")
    device.close()


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8:5555",
        "203.0.113.5:5555",
        "[2001:4860::1]:5555",
        "phone.example.com:5555",
        "10.0.0.1%a.example.com:5555",
    ],
)
def test_an_address_outside_private_networks_asks_for_yes(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    server = AdbServer(1)
    monkeypatch.setattr(server, "ensure_running", lambda: asked.append("server"))
    monkeypatch.setattr(server, "devices", lambda: [])
    monkeypatch.setattr(server, "reconnect", asked.append)

    with pytest.raises(DeviceNotFound, match="outside private networks") as refused:
        open_adb(address, server)
    before = list(asked)
    with pytest.raises(DeviceNotFound, match="is gone"):
        open_adb(address, server, wait_s=0, far=True)

    assert "--yes" in refused.value.hint
    assert (before, asked) == ([], ["server", address])


@pytest.mark.parametrize(
    "address",
    [
        "R5CT",
        "emulator-5554",
        "192.168.1.7:5555",
        "10.0.0.2:5555",
        "172.31.0.1:37001",
        "localhost:5555",
        "127.0.0.1:5555",
        "[fe80::1%eth0]:5555",
        "[fd00::2]:5555",
        "phone.local:5555",
        "100.100.1.2:5555",
    ],
)
def test_a_phone_at_home_is_dialled(address: str) -> None:
    assert is_near(address)
