"""A key that stops a run from anywhere, where the system lets a program have one."""

from __future__ import annotations

import importlib
import select
import sys
import threading
from collections.abc import Callable
from typing import Any

from bot.devices import sway
from bot.devices.session import x_display
from bot.errors import DeviceError

NAME = "Ctrl+Alt+S"
CORNER = "the mouse in a corner of the screen"
# Caps Lock and Num Lock are modifiers as well; the key must work with them on.
_LOCKS = (0, 2, 16, 18)


class HotKey:
    """Calls `pressed`, in a thread of its own, whenever the key goes down anywhere. X11 only.

    Raises DeviceError where the system has none to give, or another program has it.
    """

    def __init__(self, pressed: Callable[[], object]) -> None:
        if sys.platform in ("win32", "darwin"):
            raise DeviceError("no key for the whole desktop is asked for on this system")
        x = importlib.import_module("Xlib.X")
        xk = importlib.import_module("Xlib.XK")
        error = importlib.import_module("Xlib.error")
        self._display: Any = x_display()
        root = self._display.screen().root
        code = self._display.keysym_to_keycode(xk.string_to_keysym("s"))
        refused = error.CatchError(error.BadAccess)
        for lock in _LOCKS:
            modifiers = x.ControlMask | x.Mod1Mask | lock
            root.grab_key(code, modifiers, True, x.GrabModeAsync, x.GrabModeAsync, onerror=refused)
        self._display.sync()
        if refused.get_error() is not None:
            self._display.close()
            raise DeviceError(f"another program has {NAME}")
        self._press, self._pressed, self._open = x.KeyPress, pressed, True
        threading.Thread(target=self._listen, name="stop key", daemon=True).start()

    def close(self) -> None:
        self._open = False

    def _listen(self) -> None:
        while self._open:
            ready, _, _ = select.select([self._display], [], [], 0.2)
            while ready and self._display.pending_events():
                if self._display.next_event().type == self._press:
                    self._pressed()
        self._display.close()


def stop_key(pressed: Callable[[], object]) -> tuple[HotKey | None, str]:
    """The key, and a sentence that says how a run is stopped at once."""
    if sway.is_here():
        return None, "Stops at once: the button Stop."
    try:
        key = HotKey(pressed)
    except (DeviceError, ImportError):
        return None, f"Stops at once: {CORNER}."
    return key, f"Stops at once: {NAME}, or {CORNER}."
