"""The windows of a desktop, front to back: who is where, and who lies on top.

X11 is asked through the X library that pyautogui brings, macOS through Quartz, both of which are there where pyautogui
is; Windows through its own libraries (`win32.py`), sway through its own socket (`sway.py`).
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bot.devices.session import DOCTOR, x_display
from bot.devices.undivided import undivided
from bot.errors import DeviceNotFound
from vision.frame import Box, Point

# Below a window manager's frame the program's own window is at most this deep (mutter: 1, KWin: 2).
FRAME_DEPTH = 3


@dataclass(frozen=True)
class Window:
    """One window that is shown.

    box: what the program draws, without the frame of the window manager, in input units.
    outer: all that it covers, with its frame.
    """

    id: int
    title: str
    box: Box
    outer: Box


class Windows(Protocol):
    """Lists the windows that are shown, the front one first."""

    def listed(self) -> tuple[Window, ...]: ...

    def close(self) -> None: ...


def at(windows: Sequence[Window], place: Point) -> Window | None:
    """The window on top at a place, None for the bare desktop."""
    return next((window for window in windows if window.outer.contains(place)), None)


def by_id(windows: Sequence[Window], identity: int) -> Window | None:
    return next((window for window in windows if window.id == identity), None)


def titled(windows: Sequence[Window], title: str, own_terminal: int | None = None) -> Window:
    """The window whose title contains `title`: an equal title first, then the one in front.

    own_terminal: the window this program runs in; its title often repeats the command line.
    Raises DeviceNotFound, naming the titles there are.
    """
    wanted = title.casefold().strip()
    found = [window for window in windows if wanted in window.title.casefold()]
    others = [window for window in found if window.id != own_terminal]
    found = others or found
    if not found:
        titles = [window.title for window in windows if window.title]
        listed = ", ".join(repr(name) for name in dict.fromkeys(titles)) or "none with a title"
        raise DeviceNotFound(
            f"no window on this desktop has {title!r} in its title", hint=f"open windows: {listed}"
        )
    return min(found, key=lambda window: window.title.casefold().strip() != wanted)


def own_terminal() -> int | None:
    """The X11 window of the terminal we run in, where it says so."""
    number = os.environ.get("WINDOWID", "")
    return int(number) if number.isdigit() else None


def open_windows() -> Windows:
    """The list of windows of this system."""
    if sys.platform == "win32":
        from bot.devices.win32 import Win32Windows

        return Win32Windows()
    if sys.platform == "darwin":
        return QuartzWindows()
    from bot.devices import sway

    if sway.is_here():
        return sway.SwayWindows()
    return X11Windows()


class X11Windows:
    """Windows of an X server, with or without a window manager."""

    def __init__(self) -> None:
        self._x = importlib.import_module("Xlib.X")
        self._error = importlib.import_module("Xlib.error")
        self._display = x_display()
        self._utf8_name = self._display.intern_atom("_NET_WM_NAME")

    def listed(self) -> tuple[Window, ...]:
        try:
            with undivided():
                root = self._display.screen().root
                found = (self._window(child, root) for child in reversed(root.query_tree().children))
                return tuple(window for window in found if window is not None)
        except (self._error.ConnectionClosedError, OSError) as error:
            raise DeviceNotFound(f"the display went away: {error}", hint=DOCTOR) from error

    def close(self) -> None:
        try:
            self._display.close()
        except (self._error.ConnectionClosedError, OSError):
            return  # it is closed already

    def _window(self, top: Any, root: Any) -> Window | None:
        """A child of the root window as a Window; None for one that is not shown or vanishes meanwhile."""
        try:
            attributes = top.get_attributes()
            if attributes.map_state != self._x.IsViewable or attributes.win_class != self._x.InputOutput:
                return None
            frame = top.get_geometry()
            border = 2 * frame.border_width
            outer = Box(frame.x, frame.y, frame.width + border, frame.height + border)
            client, title = self._client(top, FRAME_DEPTH) or (top, "")
            size = client.get_geometry()
            origin = root.translate_coords(client, 0, 0)
            return Window(int(client.id), title, Box(origin.x, origin.y, size.width, size.height), outer)
        except self._error.XError:
            return None

    def _client(self, window: Any, depth: int) -> tuple[Any, str] | None:
        """The program's window at or below this one: the first that has a name."""
        title = self._title(window)
        if title:
            return window, title
        if depth == 0:
            return None
        for child in reversed(window.query_tree().children):
            found = self._client(child, depth - 1)
            if found is not None:
                return found
        return None

    def _title(self, window: Any) -> str:
        name = window.get_full_property(self._utf8_name, self._x.AnyPropertyType)
        if name is not None and name.value:
            value = name.value
            return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
        plain = window.get_wm_name()
        if isinstance(plain, bytes):
            return plain.decode("latin-1")
        return plain or ""


class QuartzWindows:
    """Windows of macOS; the window server lists them front to back.

    Titles need the permission to record the screen; without it a window has its program's name.
    """

    def __init__(self) -> None:
        self._quartz = importlib.import_module("Quartz")

    def listed(self) -> tuple[Window, ...]:
        quartz = self._quartz
        options = quartz.kCGWindowListOptionOnScreenOnly | quartz.kCGWindowListExcludeDesktopElements
        found = []
        for facts in quartz.CGWindowListCopyWindowInfo(options, quartz.kCGNullWindowID):
            if facts.get("kCGWindowLayer", 0) != 0:
                continue  # the menu bar, the dock and their like
            bounds = facts["kCGWindowBounds"]
            box = Box(*(round(bounds[side]) for side in ("X", "Y", "Width", "Height")))
            title = str(facts.get("kCGWindowName") or facts.get("kCGWindowOwnerName") or "")
            found.append(Window(int(facts["kCGWindowNumber"]), title, box, box))
        return tuple(found)

    def close(self) -> None:
        return None
