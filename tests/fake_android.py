"""An Android device that is not there: speaks adb's transport protocol over TCP, with a practice board for a screen.

The real `adb` server of this machine connects to it, so tests exercise the whole chain down to the wire. Protocol:
AOSP, packages/modules/adb/protocol.txt.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.actions import Action, Drag, Key, Tap
from bot.clock import SystemClock
from bot.devices.adb_front import ASK, RINGS_WORD, UNLESS_IT_RINGS
from bot.devices.adb_pictures import VIEWPORTS
from bot.devices.adb_server import AdbServer
from bot.devices.practice import Faults, PracticeDevice
from vision.frame import Pixels, Point

MANY_DISPLAYS = (
    b"[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found,"
    b" however this default is not guaranteed to be consistent across captures. A display id should be specified.\n"
    b"A display ID can be specified with the [-d display-id] option.\n"
    b'See "dumpsys SurfaceFlinger --display-id" for valid display IDs.\n'
)
# What the numbers of Android's PixelFormat mean.
TO_FORMAT = {1: cv2.COLOR_BGR2RGBA, 2: cv2.COLOR_BGR2RGBA, 4: cv2.COLOR_BGR2BGR565, 5: cv2.COLOR_BGR2BGRA}
VERSION, MAX_DATA = 0x01000001, 1 << 20
COMMAND = struct.Struct("<6I")


def word(name: bytes) -> int:
    return int.from_bytes(name, "little")


CNXN, AUTH, OPEN, OKAY, WRTE, CLSE = (
    word(name) for name in (b"CNXN", b"AUTH", b"OPEN", b"OKAY", b"WRTE", b"CLSE")
)


@dataclass
class Sickness:
    """What is wrong with the device; each can be switched while it runs."""

    fragment: int = MAX_DATA
    latency_s: float = 0.0
    stall_picture: bool = False
    cut_picture_at: int | None = None
    refuse_pictures: bool = False
    garbage: bool = False
    short_picture: bool = False
    old_header: bool = False
    warning: bytes = b""
    mangle: bool = False
    wants_permission: bool = False
    no_injecting: bool = False
    drops_at_input: int | None = None
    wm_size: str | None = None
    drips: bool = False
    floods: int = 0
    black: bool = False
    pixel_format: int = 1
    padding_px: int = 0
    input_start_s: float = 0.0
    app: str = "com.example.game"
    window: str = "1f2e3d"
    # Where the game's window lies, where that is not the whole screen; and the window of a message over it.
    frame: str | None = None
    banner: bool = False
    rings: bool = False
    rings_after_inputs: int | None = None
    rotation: int = 0
    shell_v2: bool = False
    # Displays by their id, the first one being taken without `-d`: whether each is on.
    displays: dict[str, bool] = field(default_factory=dict)
    # The one that takes the touches: the first that is on, unless it is named here; "" is none that is told.
    touched: str | None = None


class FakeAndroid:
    """A listening device. `screen` draws it; `touch` gets every action that `input` was asked for."""

    def __init__(self, screen: Callable[[], Pixels], touch: Callable[[Action], None]) -> None:
        self.sick = Sickness()
        self.commands: list[str] = []
        self._screen, self._touch = screen, touch
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._links: list[socket.socket] = []
        self._path: list[Point] = []
        self._open = True
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def serial(self) -> str:
        return f"127.0.0.1:{self.port}"

    def drop_connections(self) -> None:
        for link in self._links:
            with suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
            link.close()
        self._links.clear()

    def close(self) -> None:
        self._open = False
        # A listener that is only closed takes one more call, in the thread that waits for it.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.drop_connections()

    def _listen(self) -> None:
        while self._open:
            try:
                link, _ = self._listener.accept()
            except OSError:
                return
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._links.append(link)
            threading.Thread(target=_Link(self, link).run, daemon=True).start()

    def answer(self, service: str) -> bytes | None:
        """What a service sends; None refuses it."""
        time.sleep(self.sick.latency_s)
        kind, _, command = service.partition(":")
        capture = re.fullmatch(r"screencap(?: -d (\d+))?( -p)?", command.replace("'", ""))
        if kind == "exec" and capture:
            if self.sick.refuse_pictures:
                return None
            if self.sick.floods:
                return bytes(self.sick.floods)
            return self._picture(capture[1], png=bool(capture[2]))
        if kind == "shell":
            self.commands.append(command)
            return self._shell(command).encode()
        if kind == "shell,v2,raw" or kind.startswith("shell,v2,TERM="):
            if not self.sick.shell_v2:
                return None
            # Its output (1) and its exit status (3), each with a length.
            told = self._shell(command).encode()
            return struct.pack("<BI", 1, len(told)) + told + struct.pack("<BI", 3, 1) + b"\0"
        return None

    def dark(self, display: str | None) -> bool:
        """Whether a display is off, or shows what may not be seen."""
        shown = display or next(iter(self.sick.displays), None)
        return self.sick.black or (bool(self.sick.displays) and not self.sick.displays.get(str(shown), False))

    def _picture(self, display: str | None, *, png: bool) -> bytes:
        pixels = self._screen()
        if self.dark(display):
            pixels = np.zeros_like(pixels)
        if self.sick.displays and display is None:
            # As Android 13 says it, in front of the picture.
            return MANY_DISPLAYS + self._encoded(pixels, png=png)
        return self._encoded(pixels, png=png)

    def _encoded(self, pixels: Pixels, *, png: bool) -> bytes:
        if png:
            data = bytes(cv2.imencode(".png", pixels)[1].tobytes())
        else:
            height, width = pixels.shape[:2]
            kind = self.sick.pixel_format
            words = (width, height, kind) if self.sick.old_header else (width, height, kind, 0)
            body = cv2.cvtColor(pixels, TO_FORMAT[kind]).reshape(height, width, -1)
            body = np.pad(body, ((0, 0), (0, self.sick.padding_px), (0, 0)), constant_values=77)
            data = struct.pack(f"<{len(words)}I", *words) + body.tobytes()
        if self.sick.garbage:
            return bytes(np.random.default_rng(1).integers(0, 256, 5000, dtype=np.uint8))
        if self.sick.mangle:
            data = data.replace(b"\n", b"\r\n")
        if self.sick.short_picture:
            data = data[: len(data) * 2 // 3]
        return self.sick.warning + data

    def _shell(self, command: str) -> str:
        if command == "wm size":
            height, width = self._screen().shape[:2]
            return self.sick.wm_size or f"Physical size: {width}x{height}\n"
        if command == ASK:
            height, width = self._screen().shape[:2]
            focus = f"Window{{{self.sick.window} u0 {self.sick.app}/{self.sick.app}.Main}}"
            front = f"  mCurrentFocus={focus}\n"
            turned = f"    init=1080x1920 420dpi cur={width}x{height}\n    mRotation={self.sick.rotation}\n"
            shade = _window(0, "77 u0 NotificationShade", f"[0,0][{width},{height}]", drawn=self.sick.banner)
            own = _window(1, focus[7:-1], self.sick.frame or f"[0,0][{width},{height}]", drawn=True)
            return f"{front}{turned}{shade}{own}  mCallState={int(self.sick.rings)}\n  mCallState=0\n"
        if command == "dumpsys SurfaceFlinger --display-id":
            shown = enumerate(self.sick.displays or ["4619827259835644672"])
            return "".join(
                f'Display {name} (HWC display {nth}): port={nth} pnpId=QCM displayName=""\n'
                for nth, name in shown
            )
        if command == VIEWPORTS:
            lit = next((name for name, on in self.sick.displays.items() if on), "4619827259835644672")
            touched = lit if self.sick.touched is None else self.sick.touched
            one = f"displayId=0, uniqueId=local:{touched}, port=0, orientation=0, isActive=[1]"
            return f"    Viewport INTERNAL: {one}\n" if touched else ""
        match = re.fullmatch(r"\((.*)\) 2>&1; echo ([a-z-]+)=\$\?", command)
        assert match, f"not a command that we know: {command}"
        if self.sick.drops_at_input is not None:
            self.sick.drops_at_input -= 1
            if self.sick.drops_at_input < 0:
                self.sick.drops_at_input = None
                self._one(match[1].split(" && ")[0].split())
                self.drop_connections()
                raise ConnectionError("gone in the middle of a step")
        for one in match[1].split(" && "):
            if one == UNLESS_IT_RINGS:
                if self.sick.rings:
                    return f"{RINGS_WORD}\n{match[2]}=1\n"
                continue
            if self.sick.no_injecting and one.startswith("input"):
                return f"java.lang.SecurityException: requires INJECT_EVENTS permission\n{match[2]}=255\n"
            self._one(one.split())
            if self.sick.rings_after_inputs is not None and one.startswith("input"):
                self.sick.rings_after_inputs -= 1
                self.sick.rings |= self.sick.rings_after_inputs <= 0
        return f"{match[2]}=0\n"

    def _one(self, words: list[str]) -> None:
        if words[0] == "input":
            # A process of Java's is started for each of them.
            time.sleep(self.sick.input_start_s)
        match words:
            case ["sleep", seconds]:
                time.sleep(float(seconds))
            case ["input", "tap", x, y]:
                self._touch(Tap(_point(x, y)))
            case ["input", "swipe", x1, y1, x2, y2, ms]:
                start, end = _point(x1, y1), _point(x2, y2)
                seconds = int(ms) / 1000
                self._touch(Tap(start, seconds) if start == end else Drag((start, end), seconds))
            case ["input", "draganddrop", x1, y1, x2, y2, ms]:
                self._touch(Drag((_point(x1, y1), _point(x2, y2)), int(ms) / 1000, button="right"))
            case ["input", "motionevent", "DOWN" | "MOVE" | "UP" as what, x, y]:
                self._path = [*(self._path if what != "DOWN" else []), _point(x, y)]
                if what == "UP":
                    self._touch(Drag(tuple(self._path[:-1])))
            case ["input", "keyevent", "KEYCODE_UNKNOWN"]:
                return
            case ["input", "keyevent", name]:
                self._touch(Key(name.removeprefix("KEYCODE_").lower()))
            case _:
                raise AssertionError(f"not a command that we know: {words}")


def _window(number: int, name: str, frame: str, *, drawn: bool) -> str:
    """A window as `dumpsys window windows` lists it in Android 12 and later, the lines that are asked for."""
    package = name.split()[2].partition("/")[0] if "/" in name else "com.android.systemui"
    return (
        f"  Window #{number} Window{{{name}}}:\n"
        f"    mOwnerUid=10120 showForAllUsers=true package={package} appop=NONE\n"
        f"    mHasSurface={str(drawn).lower()} isReadyForDisplay()={str(drawn).lower()}\n"
        f"    Frames: parent={frame} display={frame} frame={frame} last={frame} insetsChanged=false\n"
    )


def _point(x: str, y: str) -> Point:
    return Point(int(x) + 0.5, int(y) + 0.5)


class _Link:
    """One connection of the adb server to the device."""

    def __init__(self, device: FakeAndroid, link: socket.socket) -> None:
        self.device, self.link = device, link
        self.sending = threading.Lock()
        self.acknowledged: dict[int, threading.Semaphore] = {}
        self.next_id = 1

    def run(self) -> None:
        try:
            while True:
                command, arg0, arg1, data = self.receive()
                self.handle(command, arg0, arg1, data)
        except OSError:
            self.link.close()

    def receive(self) -> tuple[int, int, int, bytes]:
        command, arg0, arg1, length, _, _ = COMMAND.unpack(self.exactly(COMMAND.size))
        return command, arg0, arg1, self.exactly(length)

    def exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self.link.recv(count - len(data))
            if not part:
                raise ConnectionError("the server hung up")
            data += part
        return data

    def send(self, command: int, arg0: int, arg1: int, data: bytes = b"") -> None:
        head = COMMAND.pack(command, arg0, arg1, len(data), sum(data) & 0xFFFFFFFF, command ^ 0xFFFFFFFF)
        with self.sending:
            self.link.sendall(head + data)

    def handle(self, command: int, arg0: int, arg1: int, data: bytes) -> None:
        if command == CNXN:
            if self.device.sick.wants_permission:
                self.send(AUTH, 1, 0, os.urandom(20))
            else:
                self.connect()
        elif command == AUTH:
            # Signatures (2) are not known to us; a public key (3) is accepted when "the user" agrees.
            if arg0 == 3:
                threading.Thread(target=self.wait_for_permission, daemon=True).start()
            else:
                self.send(AUTH, 1, 0, os.urandom(20))
        elif command == OPEN:
            service = data.rstrip(b"\0").decode()
            threading.Thread(target=self.serve, args=(arg0, service), daemon=True).start()
        elif command == OKAY and arg1 in self.acknowledged:
            self.acknowledged[arg1].release()

    def connect(self) -> None:
        self.send(
            CNXN,
            VERSION,
            MAX_DATA,
            b"device::ro.product.name=fake;ro.product.model=Fake;ro.product.device=fake;"
            + (b"features=shell_v2,cmd,stat_v2" if self.device.sick.shell_v2 else b""),
        )

    def wait_for_permission(self) -> None:
        while self.device.sick.wants_permission:
            time.sleep(0.02)
        self.connect()

    def serve(self, host_id: int, service: str) -> None:
        try:
            data = self.device.answer(service)
            if data is None:
                self.send(CLSE, 0, host_id)
                return
            own, self.next_id = self.next_id, self.next_id + 1
            self.acknowledged[own] = threading.Semaphore(0)
            self.send(OKAY, own, host_id)
            self.write(own, host_id, data, picture=service.startswith("exec:"))
            self.send(CLSE, own, host_id)
        except OSError:
            return

    def write(self, own: int, host_id: int, data: bytes, *, picture: bool) -> None:
        sick = self.device.sick
        cut = sick.cut_picture_at if picture else None
        for at in range(0, len(data), sick.fragment):
            if cut is not None and at >= cut:
                self.link.shutdown(socket.SHUT_RDWR)
                return
            if picture and sick.stall_picture:
                time.sleep(60)
            if sick.drips:
                # Never silent for long, and never done.
                for one in data[at : at + sick.fragment]:
                    self.send(WRTE, own, host_id, bytes([one]))
                    self.acknowledged[own].acquire(timeout=10)
                    time.sleep(0.05)
            self.send(WRTE, own, host_id, data[at : at + sick.fragment])
            self.acknowledged[own].acquire(timeout=10)


def practice_android(
    board: Any, faults: Faults | None = None, seed: int = 0, *, long_press_is_right: bool = False
) -> FakeAndroid:
    """A device that shows a practice board, in real time.

    long_press_is_right: a game that a mouse plays with two buttons takes a long press for the right one.
    """
    inner = PracticeDevice(board, SystemClock(), faults, seed=seed)
    lock = threading.Lock()

    def screen() -> Pixels:
        with lock:
            return inner.capture().pixels

    def touch(action: Action) -> None:
        if long_press_is_right and isinstance(action, Tap) and action.hold_s >= 0.5:
            action = Tap(action.at, button="right")
        with lock:
            inner.act([action])

    return FakeAndroid(screen, touch)


@contextmanager
def adb_server(folder: Path) -> Iterator[AdbServer]:
    """Debian's real adb server on a private port, with a HOME of its own."""
    program = shutil.which("adb")
    assert program, "adb is not installed"
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environ = {"HOME": str(folder), "PATH": os.environ["PATH"], "ADB_MDNS": "0"}
    process = subprocess.Popen(
        [program, "-L", f"tcp:{port}", "nodaemon", "server"],
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    server = AdbServer(port, environ)
    try:
        end = time.monotonic() + 10
        while True:
            try:
                server.version()
                break
            except Exception:
                assert time.monotonic() < end, "the adb server did not start"
                time.sleep(0.05)
        yield server
    finally:
        process.terminate()
        process.wait(10)
