"""Pointer and keys of a Wayland session, through the two protocols by which wlroots compositors let programs have them.

zwlr_virtual_pointer_v1 and zwp_virtual_keyboard_v1, spoken over the session's own socket: seven requests in all. A package
for Wayland would bring a C library and code made from the protocols' files for the same seven. Sources: wayland.xml
(the wire's form), wlr-virtual-pointer-unstable-v1.xml, virtual-keyboard-unstable-v1.xml.
"""

from __future__ import annotations

import array
import os
import socket
import struct
import time
from collections.abc import Mapping, Sequence

from bot.actions import Button
from bot.errors import DeviceNotFound, InputFailed
from vision.frame import Box, Point

POINTERS, KEYBOARDS, SEAT = "zwlr_virtual_pointer_manager_v1", "zwp_virtual_keyboard_manager_v1", "wl_seat"
# The number of the object that is there from the start; all others are given in order, from 2 on.
DISPLAY = 1
# linux/input-event-codes.h
BUTTONS: Mapping[Button, int] = {"left": 0x110, "right": 0x111, "middle": 0x112}
# Names as pyautogui has them, and those of XKB.
KEYS: Mapping[str, str] = {
    "escape": "Escape",
    "esc": "Escape",
    "enter": "Return",
    "return": "Return",
    "backspace": "BackSpace",
    "delete": "Delete",
    "del": "Delete",
    "tab": "Tab",
    "space": "space",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "home": "Home",
    "end": "End",
    "pageup": "Prior",
    "pagedown": "Next",
    "shift": "Shift_L",
    "ctrl": "Control_L",
    "alt": "Alt_L",
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
    **{chr(code): f"U{code:04X}" for code in range(0x20, 0x7F)},
}
# Real modifiers of XKB, by their bits.
MODIFIERS: Mapping[str, int] = {"shift": 1, "ctrl": 4, "alt": 8}
# The first code that XKB gives to a key; the kernel counts from 8 less.
FIRST_CODE, CODE_OFFSET = 9, 8
ANSWER_S = 5.0
MOST_MESSAGE_BYTES = 1 << 16


class Wire:
    """A connection to the compositor. Raises DeviceNotFound when it goes away or refuses what is asked."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(ANSWER_S)
        self._received = b""
        self._next = DISPLAY + 1
        self._free: list[int] = []
        # Each interface with its number in the registry.
        self.offered: dict[str, int] = {}
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise _gone(error) from error
        self._registry = self.new()
        self.send(DISPLAY, 1, struct.pack("=I", self._registry))
        self.wait()

    def new(self) -> int:
        """A number for another object."""
        if self._free:
            return self._free.pop()
        self._next += 1
        return self._next - 1

    def object_of(self, interface: str) -> int:
        """A new object of an interface that is offered, in its first version."""
        identity = self.new()
        kind = struct.pack("=I", self.offered[interface]) + _text(interface)
        self.send(self._registry, 0, kind + struct.pack("=II", 1, identity))
        return identity

    def send(self, identity: int, request: int, arguments: bytes, handle: int | None = None) -> None:
        head = struct.pack("=II", identity, (8 + len(arguments)) << 16 | request)
        extra = [] if handle is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [handle]))]
        try:
            self._socket.sendmsg([head + arguments], extra)
        except OSError as error:
            raise _gone(error) from error

    def wait(self) -> None:
        """Until the compositor has done all that was asked."""
        callback = self.new()
        self.send(DISPLAY, 0, struct.pack("=I", callback))
        while True:
            identity, event, arguments = self._event()
            if identity == callback:
                return
            if (identity, event) == (DISPLAY, 0):
                raise InputFailed(
                    f"the compositor refused: {_read_text(arguments[8:])}",
                    hint="please report it with its name",
                )
            if (identity, event) == (DISPLAY, 1):
                self._free.append(*struct.unpack("=I", arguments))
            if (identity, event) == (self._registry, 0):
                self.offered[_read_text(arguments[4:])] = struct.unpack("=I", arguments[:4])[0]

    def close(self) -> None:
        self._socket.close()

    def _event(self) -> tuple[int, int, bytes]:
        identity, word = struct.unpack("=II", self._take(8))
        size = word >> 16
        if not 8 <= size <= MOST_MESSAGE_BYTES:
            raise DeviceNotFound(f"the compositor sent {size} bytes that are no message")
        return identity, word & 0xFFFF, self._take(size - 8)

    def _take(self, count: int) -> bytes:
        while len(self._received) < count:
            try:
                more = self._socket.recv(4096)
            except OSError as error:
                raise _gone(error) from error
            if not more:
                raise _gone(ConnectionError("it closed the connection"))
            self._received += more
        taken, self._received = self._received[:count], self._received[count:]
        return taken


class WaylandMouse:
    """Pointer and keys of the session, in the compositor's own units. monitors: the whole desktop first, then each output.

    Nobody can ask where the pointer is: its place is where it was last sent to, so that a person who takes the mouse is
    not noticed, and there is no corner that stops. Ctrl-C does.
    """

    def __init__(self, path: str, monitors: Sequence[Box]) -> None:
        self._wire = Wire(path)
        absent = [name for name in (POINTERS, KEYBOARDS, SEAT) if name not in self._wire.offered]
        if absent:
            self._wire.close()
            raise DeviceNotFound(
                f"this compositor does not let programs move the pointer ({', '.join(absent)})",
                hint="it is possible under sway and its like; elsewhere log in with an X11 ('Xorg') session",
            )
        self._desk, *self._outputs = monitors
        desk = self._desk
        self._at = (desk.left + desk.width // 2, desk.top + desk.height // 2)
        self._parked = True
        self._down: list[str] = []
        wire = self._wire
        seat = wire.object_of(SEAT)
        pointers, self._pointer = wire.object_of(POINTERS), wire.new()
        wire.send(pointers, 0, struct.pack("=II", seat, self._pointer))
        keyboards, self._keyboard = wire.object_of(KEYBOARDS), wire.new()
        wire.send(keyboards, 0, struct.pack("=II", seat, self._keyboard))
        self._send_keys()
        wire.wait()

    def position(self) -> tuple[int, int]:
        return self._at

    def move(self, x: int, y: int) -> None:
        self._point(x, y)
        self._at, self._parked = (x, y), False

    def park(self) -> None:
        """Put the pointer aside before a picture: some compositors draw it in. Left alone where we have not moved it."""
        if not self._parked:
            # On the output where it is: over another one the window would lose the focus.
            here = (box for box in self._outputs if box.contains(Point(*self._at)))
            box = next(here, self._desk)
            self._point(box.left + box.width - 1, box.top + box.height - 1)
            self._parked = True

    def press(self, button: Button) -> None:
        self._button(button, 1)

    def release(self, button: Button) -> None:
        self._button(button, 0)

    def key(self, name: str, *, down: bool) -> None:
        if name not in KEYS:
            raise InputFailed(f"no key is called {name!r}", hint="names are those of pyautogui.KEYBOARD_KEYS")
        code = FIRST_CODE + list(KEYS).index(name) - CODE_OFFSET
        self._wire.send(self._keyboard, 1, struct.pack("=III", _now_ms(), code, int(down)))
        if name in MODIFIERS:
            self._down = [one for one in self._down if one != name] + [name] * down
            held = sum(MODIFIERS[one] for one in self._down)
            self._wire.send(self._keyboard, 2, struct.pack("=IIII", held, 0, 0, 0))
        self._wire.wait()

    def close(self) -> None:
        self._wire.close()

    def _point(self, x: int, y: int) -> None:
        desk = self._desk
        place = (x - desk.left, y - desk.top, desk.width, desk.height)
        self._wire.send(self._pointer, 1, struct.pack("=IIIII", _now_ms(), *place))
        self._frame()

    def _button(self, button: Button, state: int) -> None:
        self._wire.send(self._pointer, 2, struct.pack("=III", _now_ms(), BUTTONS[button], state))
        self._frame()

    def _frame(self) -> None:
        """Requests up to here belong together; come back when they are done."""
        self._wire.send(self._pointer, 4, b"")
        self._wire.wait()

    def _send_keys(self) -> None:
        content = _keymap().encode() + b"\0"
        handle = os.memfd_create("boardsight-keys")
        try:
            os.write(handle, content)
            # 1: the text form of XKB.
            self._wire.send(self._keyboard, 0, struct.pack("=II", 1, len(content)), handle)
        finally:
            os.close(handle)


def _keymap() -> str:
    """A keyboard with a key for each of KEYS, in XKB's text form."""
    numbered = list(enumerate(KEYS.values(), start=FIRST_CODE))
    codes = " ".join(f"<K{code}> = {code};" for code, _ in numbered)
    symbols = " ".join(f"key <K{code}> {{ [ {symbol} ] }};" for code, symbol in numbered)
    return (
        f'xkb_keymap {{ xkb_keycodes "boardsight" {{ minimum = 8; maximum = 255; {codes} }};'
        ' xkb_types "boardsight" { include "complete" }; xkb_compatibility "boardsight" { include "complete" };'
        f' xkb_symbols "boardsight" {{ {symbols} }}; }};'
    )


def _text(words: str) -> bytes:
    """A string as the wire has it: its length with a zero, itself, and zeros up to four bytes."""
    data = words.encode() + b"\0"
    return struct.pack("=I", len(data)) + data + bytes(-len(data) % 4)


def _read_text(data: bytes) -> str:
    (length,) = struct.unpack("=I", data[:4])
    return data[4 : 3 + length].decode("utf-8", "replace")


def _now_ms() -> int:
    return int(time.monotonic() * 1000) & 0xFFFFFFFF


def _gone(error: OSError) -> DeviceNotFound:
    return DeviceNotFound(
        f"the Wayland session does not answer: {error}", hint="check WAYLAND_DISPLAY and XDG_RUNTIME_DIR"
    )
