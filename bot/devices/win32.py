"""The windows of Microsoft Windows, and its true px, through user32 and dwmapi alone.

A window counts whether it has a title or not: one without a title covers as well. What a program draws is its client
area; the title bar and the frame are not part of it. Not shown are windows that are minimised, cloaked (on another
virtual desktop, or kept ready by the system), transparent, or let the mouse through to what lies below.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable
from typing import Any

from bot.devices.windows import Window
from vision.frame import Box

# winuser.h and dwmapi.h
EXTENDED_STYLE = -20
LETS_MOUSE_THROUGH = 0x20
LAYERED = 0x80000
HAS_ALPHA = 0x2
FRAME_BOUNDS, CLOAKED = 9, 14
PER_MONITOR_V2 = -4
MOST_TITLE_SIGNS = 512


class _Rect(ctypes.Structure):
    _fields_ = (
        ("left", ctypes.c_long),
        ("top", ctypes.c_long),
        ("right", ctypes.c_long),
        ("bottom", ctypes.c_long),
    )

    def box(self) -> Box:
        return Box(self.left, self.top, self.right - self.left, self.bottom - self.top)


class _Point(ctypes.Structure):
    _fields_ = (("x", ctypes.c_long), ("y", ctypes.c_long))


def libraries() -> Any:
    """The system's libraries; there are none elsewhere."""
    return getattr(ctypes, "windll")  # noqa: B009 - mypy knows it on Windows only


def use_true_pixels() -> None:
    """Ask for the px of every monitor as they are. To be called before the first window, picture or click.

    Another library may have asked before us; Windows keeps the first answer.
    """
    dll = libraries()
    # The newest call first; each older Windows lacks the one before.
    asks: tuple[Callable[[], bool], ...] = (
        lambda: bool(dll.user32.SetProcessDpiAwarenessContext(ctypes.c_void_p(PER_MONITOR_V2))),
        lambda: bool(dll.shcore.SetProcessDpiAwareness(2) == 0),
        lambda: bool(dll.user32.SetProcessDPIAware()),
    )
    for ask in asks:
        with contextlib.suppress(OSError, AttributeError):
            if ask():
                return


class Win32Windows:
    """EnumWindows lists the windows of the desktop front to back."""

    def __init__(self) -> None:
        use_true_pixels()
        self._user = libraries().user32
        # Handles are as wide as pointers, and returned as 32 bits where nothing is said.
        self._callback = getattr(ctypes, "WINFUNCTYPE")(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)  # noqa: B009

    def listed(self) -> tuple[Window, ...]:
        handles: list[int] = []

        def note(handle: int | None, _: int | None) -> bool:
            handles.append(handle or 0)
            return True

        self._user.EnumWindows(self._callback(note), None)
        found = (self._window(handle) for handle in handles if handle)
        return tuple(window for window in found if window is not None)

    def answered(self, window: int) -> bool:
        return False

    def close(self) -> None:
        return None

    def _window(self, number: int) -> Window | None:
        user, handle = self._user, ctypes.c_void_p(number)
        if not user.IsWindowVisible(handle) or user.IsIconic(handle) or self._is_seen_through(handle):
            return None
        client, corner = _Rect(), _Point(0, 0)
        if not user.GetClientRect(handle, ctypes.byref(client)) or not user.ClientToScreen(
            handle, ctypes.byref(corner)
        ):
            return None
        outer = self._outer(handle)
        box = Box(corner.x, corner.y, client.right, client.bottom)
        if min(outer.width, outer.height) <= 0:
            return None
        title = ctypes.create_unicode_buffer(MOST_TITLE_SIGNS)
        user.GetWindowTextW(handle, title, MOST_TITLE_SIGNS)
        return Window(number, title.value, box if min(box.width, box.height) > 0 else outer, outer)

    def _is_seen_through(self, handle: ctypes.c_void_p) -> bool:
        style = self._user.GetWindowLongW(handle, EXTENDED_STYLE)
        if style & LAYERED:
            if style & LETS_MOUSE_THROUGH:
                return True
            alpha, flags = ctypes.c_ubyte(255), ctypes.c_uint(0)
            told = self._user.GetLayeredWindowAttributes(
                handle, None, ctypes.byref(alpha), ctypes.byref(flags)
            )
            if told and flags.value & HAS_ALPHA and alpha.value == 0:
                return True
        cloaked = ctypes.c_uint(0)
        return self._ask_compositor(handle, CLOAKED, cloaked) and cloaked.value != 0

    def _outer(self, handle: ctypes.c_void_p) -> Box:
        """All that a window covers. What GetWindowRect tells has an invisible border, of some px, to be dragged by."""
        rect = _Rect()
        if not self._ask_compositor(handle, FRAME_BOUNDS, rect) or min(rect.box()[2:]) <= 0:
            self._user.GetWindowRect(handle, ctypes.byref(rect))
        return rect.box()

    def _ask_compositor(self, handle: ctypes.c_void_p, what: int, answer: Any) -> bool:
        with contextlib.suppress(OSError, AttributeError):
            asked = libraries().dwmapi.DwmGetWindowAttribute(
                handle, what, ctypes.byref(answer), ctypes.sizeof(answer)
            )
            return bool(asked == 0)
        return False
