"""An Android device: pictures and touches through the adb server.

Touches are `input` commands made of whole numbers only, one shell call for all actions of a step. Before each step the
device is asked what is in front: what was looked at is touched, and nothing else.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from ipaddress import ip_address, ip_network

from bot.actions import Action, Drag, Key, Move, Tap, Wait, points
from bot.devices.adb_front import (
    ASK,
    GOES_ON,
    RINGS_WORD,
    UNLESS_IT_RINGS,
    Front,
    interrupted,
    parse,
    refusal,
)
from bot.devices.adb_pictures import MOST_TEXT_BYTES, Camera, WhichDisplay
from bot.devices.adb_server import AdbServer, GivenUp, Listed
from bot.errors import CaptureFailed, DeviceError, DeviceNotFound, InputFailed
from vision.errors import UnreadableImage
from vision.frame import Box, Frame, Pixels, Point

SHELL_S = 10.0
# What is added for each command of a step: a process of Java's is started for it.
INPUT_S = 2.0
CAPTURE_TRIES = 3
RETRY_S = 0.5
WAIT_FOR_DEVICE_S = 20.0
DIAL_AGAIN_S = 3.0
LOCKED_HINT = "unlock the device; some apps (banking, video) forbid screenshots"
# The shell's own exit status is not transported by the plain shell service, so it is printed.
STATUS_WORD = "boardsight-status"
LEAST_SWIPE_MS = 60
# No single action of any game takes longer.
MOST_ACTION_S = 60.0
MOST_PLACE_PX = 1e6
# A tap this long is a touch that stays. A finger's long press (Android takes 0.4 to 0.5 s for one) is the right button,
# and a drag after it, `draganddrop` in Android 7 and later, a drag with the right button.
LEAST_HOLD_S = 0.3
LONG_PRESS_S = 0.6
# This machine, private networks (RFC 1918, RFC 4193), links (RFC 3927, RFC 4291) and carriers' own (RFC 6598).
NEAR = tuple(
    ip_network(words)
    for words in (
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
        "::1/128", "fc00::/7", "fe80::/10",
    )
)  # fmt: skip
KEYS = {"enter": "ENTER", "esc": "ESCAPE", "escape": "ESCAPE", "back": "BACK", "space": "SPACE", "tab": "TAB"}
KEYS |= {"backspace": "DEL", "delete": "FORWARD_DEL", "left": "DPAD_LEFT", "right": "DPAD_RIGHT"}
KEYS |= {"up": "DPAD_UP", "down": "DPAD_DOWN"}


class AdbDevice:
    """One device behind the server; `serial` as adb names it."""

    def __init__(self, server: AdbServer, serial: str) -> None:
        self.server, self.serial = server, serial
        self._camera = Camera(server, serial)
        # What was in front when the board was looked at. After a refusal it is asked again, with the next picture and no
        # sooner: until then everything else is refused as well.
        self._front: Front | None = None
        self._refused = False
        self._frame_size: tuple[int, int] | None = None
        self._input_size: tuple[int, int] | None = None

    def capture(self) -> Frame:
        """The screen now. Tries three times, but waits only once; raises CaptureFailed, DeviceNotFound."""
        for attempt in range(1, CAPTURE_TRIES + 1):
            try:
                # Asked before the picture: what comes to the front after it is another thing than this.
                if self._front is None or self._refused:
                    self._front, self._refused = self.front(), False
                pixels = self._camera.take()
                if self._frame_size not in (None, (pixels.shape[1], pixels.shape[0])):
                    # Turned meanwhile: this picture may still be of before.
                    self._front = self.front()
                    pixels = self._camera.take()
            except GivenUp as error:
                raise CaptureFailed(f"device {self.serial}: no picture: {error}", hint=error.hint) from error
            except (CaptureFailed, DeviceNotFound, UnreadableImage) as error:
                if attempt == CAPTURE_TRIES:
                    raise CaptureFailed(
                        f"device {self.serial}: no picture after {attempt} tries: {error}",
                        hint=error.hint if isinstance(error, WhichDisplay) else LOCKED_HINT,
                    ) from error
                time.sleep(RETRY_S)
                wait_for(self.server, self.serial, WAIT_FOR_DEVICE_S, known=True)
            else:
                break
        size = int(pixels.shape[1]), int(pixels.shape[0])
        if size != self._frame_size:
            self._frame_size, self._input_size = size, self._logical_size(size)
        return Frame(pixels, taken_at=time.monotonic(), source=f"adb:{self.serial}")

    def peek(self, parts: Sequence[Box]) -> Sequence[Pixels] | None:
        """A picture takes 0.3 s and more: what is in front is asked for instead, before every step."""
        return None

    def act(self, actions: Sequence[Action]) -> None:
        """All actions in one shell call; the first that fails stops the others.

        Nothing is done where another app is in front than when the board was looked at, where a call comes in or the
        screen was turned; a call amid the actions stops the rest. When the connection breaks meanwhile nobody knows which
        of them were done: the device is waited for, nothing is sent again, and the next picture tells. A device that
        does not answer in time may still do them, at any time: nothing more is sent. Raises InputFailed, DeviceNotFound.
        """
        commands: list[str] = []
        for action in actions:
            own = list(self._commands(action))
            # A finger that is down is not left there.
            between = [UNLESS_IT_RINGS] if own and any(one.startswith("input") for one in commands) else []
            commands += between + own
        if not commands:
            return
        pauses = sum(float(command.split()[1]) for command in commands if command.startswith("sleep"))
        try:
            self._require_front()
            self._run(commands, SHELL_S + pauses + INPUT_S * len(commands))
        except GivenUp as error:
            raise InputFailed(
                f"device {self.serial} did not say that the touches were done: {error}; nothing more was sent",
                hint=f"wait until it answers, {GOES_ON}",
            ) from error
        except (CaptureFailed, DeviceNotFound):
            wait_for(self.server, self.serial, WAIT_FOR_DEVICE_S, known=True)

    def _require_front(self) -> None:
        """Raises InputFailed where the screen is no longer the one that was looked at."""
        if self._front is None:
            return
        refused = refusal(self.serial, self._front, self.front())
        if refused is not None:
            self._refused = True
            raise refused

    def _run(self, commands: Sequence[str], deadline_s: float) -> None:
        """Commands in one shell call; the first that fails stops the others. Raises InputFailed."""
        script = f"({' && '.join(commands)}) 2>&1; echo {STATUS_WORD}=$?"
        text = self._shell(script, deadline_s)
        words, found, status = text.rpartition(f"{STATUS_WORD}=")
        if RINGS_WORD in words:
            self._refused = True
            raise interrupted(self.serial)
        if not found or status.strip() != "0" or "Exception" in words or "Error" in words:
            said = " ".join(words.split())[:200] or "nothing"
            raise InputFailed(
                f"device {self.serial} refused a touch and said: {said}", hint=_input_advice(said)
            )

    def close(self) -> None:
        """Nothing stays open or pressed between two calls."""

    def _commands(self, action: Action) -> Iterator[str]:
        """The shell commands of one action, from a closed set and made of whole numbers only."""
        if isinstance(action, Tap | Drag) and action.button == "middle":
            raise InputFailed(
                "a touch screen has no middle button",
                hint="this game's way of entering needs a mouse: play it in a desktop window",
            )
        if isinstance(action, Tap) and action.modifiers:
            raise InputFailed(
                f"a touch screen cannot hold {action.modifiers[0]} down",
                hint="this game's way of entering needs a keyboard: play it in a desktop window",
            )
        _check_numbers(action)
        match action:
            case Tap(at=at, hold_s=hold_s, button=button) if hold_s >= LEAST_HOLD_S or button == "right":
                x, y = self._input_point(at)
                held_s = max(hold_s, LONG_PRESS_S) if button == "right" else hold_s
                yield f"input swipe {x} {y} {x} {y} {round(held_s * 1000)}"
            case Tap(at=at):
                x, y = self._input_point(at)
                yield f"input tap {x} {y}"
            case Drag(path=(start, *others), stamp=True):
                # Letting go over a place does what the second button does there.
                for at in others:
                    yield from self._commands(replace(action, path=(start, at), stamp=False))
            case Drag(path=(first, last), duration_s=duration_s, button=button):
                (x1, y1), (x2, y2) = self._input_point(first), self._input_point(last)
                word = "draganddrop" if button == "right" else "swipe"
                yield f"input {word} {x1} {y1} {x2} {y2} {max(LEAST_SWIPE_MS, round(duration_s * 1000))}"
            case Drag(path=path):
                # A bent path in one touch; Android 11 and later know `motionevent`.
                for nth, at in enumerate(path):
                    x, y = self._input_point(at)
                    yield f"input motionevent {'MOVE' if nth else 'DOWN'} {x} {y}"
                    if not nth and action.button == "right":
                        yield f"sleep {LONG_PRESS_S:.3f}"
                x, y = self._input_point(path[-1])
                yield f"input motionevent UP {x} {y}"
            case Key(name=name):
                yield f"input keyevent KEYCODE_{_key_code(name)}"
            case Wait(seconds=seconds):
                yield f"sleep {max(0.0, float(seconds)):.3f}"
            case Move():
                return

    def _input_point(self, at: Point) -> tuple[int, int]:
        frame, logical = self._frame_size, self._input_size
        if frame is None or logical is None:
            raise InputFailed("nothing has been captured yet", hint="this is a bug: please report it")
        x, y = int(at.x * logical[0] / frame[0]), int(at.y * logical[1] / frame[1])
        if not (0 <= x < logical[0] and 0 <= y < logical[1]):
            raise InputFailed(
                f"({x}, {y}) is outside the screen of {logical[0]} x {logical[1]}", hint="report this bug"
            )
        return x, y

    def check_input(self) -> None:
        """Ask for a key that no app knows, which touches nothing. Raises InputFailed."""
        self._run(["input keyevent KEYCODE_UNKNOWN"], SHELL_S)

    def display_sizes(self) -> dict[str, str]:
        """What `wm size` says: "Physical" and perhaps "Override" -> "1080x2400"; empty when it says nothing."""
        return dict(
            re.findall(r"(Physical|Override) size: (\d{1,5}x\d{1,5})", self._shell("wm size", SHELL_S))
        )

    def time_pictures(self) -> dict[bool, float]:
        """Seconds of a picture, raw (True) and as PNG (False); a way that fails is left out."""
        return self._camera.times()

    def front(self) -> Front:
        """What is in front now."""
        return parse(self._shell(ASK, SHELL_S))

    def _logical_size(self, frame: tuple[int, int]) -> tuple[int, int]:
        """The size that `input` counts in: the override of `wm size` where there is one, turned like the picture."""
        sizes = self.display_sizes()
        words = sizes.get("Override") or sizes.get("Physical")
        if words is None:
            return frame
        width, height = (int(part) for part in words.split("x"))
        if (width > height) != (frame[0] > frame[1]):
            width, height = height, width
        if abs(width * frame[1] - height * frame[0]) > 0.02 * width * frame[1]:
            raise CaptureFailed(
                f"device {self.serial}: the picture is {frame[0]} x {frame[1]}, but touches count in {width} x {height}",
                hint="undo the override with 'adb shell wm size reset'",
            )
        return width, height

    def _shell(self, command: str, deadline_s: float) -> str:
        data = self.server.transport(self.serial, f"shell:{command}", deadline_s, MOST_TEXT_BYTES)
        return data.decode("utf-8", "replace").replace("\r\n", "\n")


def _check_numbers(action: Action) -> None:
    """Refuse what is no place and no time: `sleep inf` would hold the device for ever."""
    times = [getattr(action, name, 0.0) for name in ("hold_s", "duration_s", "seconds")]
    places = [value for at in points(action) for value in at]
    if not all(abs(seconds) <= MOST_ACTION_S for seconds in times) or not all(
        abs(at) <= MOST_PLACE_PX for at in places
    ):
        raise InputFailed(
            f"cannot be done on a device: {action}",
            hint="this is a bug in the game's player: please report it",
        )


def open_adb(
    serial: str | None,
    server: AdbServer | None = None,
    wait_s: float = WAIT_FOR_DEVICE_S,
    tell: Callable[[str], None] = lambda words: None,
    *,
    far: bool = False,
) -> AdbDevice:
    """The device named, or the only one there is.

    tell: hears what is waited for. far: whether an address outside private networks may be dialled.
    Raises DeviceNotFound in clear words.
    """
    if serial is not None and not far and not is_near(serial):
        raise DeviceNotFound(
            f"{serial} is outside private networks: its screen and your touches would cross them openly",
            hint="'boardsight play' with --yes goes there all the same; a tunnel (ssh -L) is safer",
        )
    server = server or AdbServer()
    server.ensure_running()
    listed = server.devices()
    if serial is None:
        # Devices on the network are used only when they are named: they may be somebody else's.
        local = [device for device in listed if not _on_network(device.serial)]
        if len(local) != 1:
            raise _which(local, listed)
        serial = local[0].serial
    wait_for(server, serial, wait_s, tell=tell)
    return AdbDevice(server, serial)


def wait_for(
    server: AdbServer,
    serial: str,
    seconds: float,
    *,
    known: bool = False,
    tell: Callable[[str], None] = lambda words: None,
) -> None:
    """Wait until a device can be used; an offline one is reconnected: on a cable once, on the network now and then.

    known: it was there before and may come back; otherwise a serial that nobody knows is an error at once.
    tell: hears what is waited for, again whenever that changes.
    Raises DeviceNotFound.
    """
    end = time.monotonic() + seconds
    dial_at = time.monotonic()
    told: str | None = ""
    while True:
        state = {device.serial: device.state for device in server.devices()}.get(serial)
        if state == "device":
            return
        if state is None and not known and ":" not in serial:
            raise DeviceNotFound(
                f"no device {serial!r}", hint="'boardsight devices' lists those that are there"
            )
        if state in (None, "offline") and time.monotonic() >= dial_at:
            server.reconnect(serial)
            dial_at = time.monotonic() + DIAL_AGAIN_S if ":" in serial else math.inf
        if time.monotonic() >= end:
            raise DeviceNotFound(f"device {serial} is {state or 'gone'}", hint=state_advice(state))
        if state != told:
            tell(
                f"device {serial} is {state or 'gone'}: {state_advice(state)}; waiting for up to {seconds:.0f} s"
            )
            told = state
        time.sleep(0.2)


def _on_network(serial: str) -> bool:
    """Whether a device was reached over the network: by an address, or by the name under which it announced itself."""
    return ":" in serial or "._tcp" in serial


def is_near(serial: str) -> bool:
    """Whether a device is on a cable, on this machine or in a private network.

    >>> is_near("R5CT"), is_near("192.168.1.7:5555"), is_near("8.8.8.8:5555"), is_near("[fe80::1]:5555")
    (True, True, False, True)
    """
    host, colon, _ = serial.rpartition(":")
    if not colon:
        return True
    host = host.strip("[]")
    if host == "localhost" or host.endswith(".local"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return any(address in network for network in NEAR if network.version == address.version)


def list_devices() -> Iterable[tuple[str, str]]:
    """(source, what it is) of every device the server knows; starts no server."""
    try:
        listed = AdbServer().devices()
    except DeviceError:
        return []
    return [
        (f"adb:{one.serial}", "ready" if one.state == "device" else f"{one.state}: {state_advice(one.state)}")
        for one in listed
    ]


def _key_code(name: str) -> str:
    if len(name) == 1 and name.isascii() and name.isalnum():
        return name.upper()
    if name.lower() in KEYS:
        return KEYS[name.lower()]
    raise InputFailed(
        f"no key called {name!r} on Android", hint="this is a bug in the game's player: please report it"
    )


def _which(local: Sequence[Listed], listed: Sequence[Listed]) -> DeviceNotFound:
    if local:
        names = ", ".join(device.serial for device in local)
        return DeviceNotFound(f"{len(local)} devices are connected: {names}", hint="name one: adb:SERIAL")
    if listed:
        names = ", ".join(device.serial for device in listed)
        return DeviceNotFound(
            f"only devices on the network: {names}", hint="name the one you mean: adb:SERIAL"
        )
    return DeviceNotFound(
        "no Android device is connected", hint="plug it in, switch on USB debugging, and allow this computer"
    )


def state_advice(state: str | None) -> str:
    """What to do about a device that cannot be used; None for one that is gone."""
    if state and state.startswith("no permissions"):
        return "allow this user to use it (Debian: apt install android-sdk-platform-tools-common), then plug it in again"
    return {
        "unauthorized": "unlock the phone and allow USB debugging for this computer",
        "offline": "unplug the device and plug it in again",
        "recovery": "start Android on the device",
    }.get(state or "", "plug it in and switch on USB debugging")


def _input_advice(said: str) -> str:
    if "INJECT_EVENTS" in said or "SecurityException" in said:
        return "switch on 'USB debugging (Security settings)' in the phone's developer options"
    return "unlock the device, and see 'boardsight doctor adb'"
