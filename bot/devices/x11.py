"""The windows of an X server, through the X library that pyautogui brings."""

from __future__ import annotations

import contextlib
import importlib
import select
import time
from typing import Any

from bot.devices.session import DOCTOR, x_display
from bot.devices.undivided import undivided
from bot.devices.windows import Window
from bot.errors import DeviceNotFound
from vision.frame import Box

# Below a window manager's frame the program's own window is at most this deep (mutter: 1, KWin: 2).
FRAME_DEPTH = 3
# A program that is at work answers within milliseconds; one that draws a large picture takes tens of them.
ANSWER_S = 0.25


class X11Windows:
    """Windows of an X server, with or without a window manager."""

    def __init__(self) -> None:
        self._x = importlib.import_module("Xlib.X")
        self._error = importlib.import_module("Xlib.error")
        self._display = x_display()
        self._utf8_name = self._display.intern_atom("_NET_WM_NAME")
        self._protocols = self._display.intern_atom("WM_PROTOCOLS")
        self._ping_name = self._display.intern_atom("_NET_WM_PING")
        # How many pings were sent, which windows answer them by their own account, and which did not.
        self._pings = 0
        self._pingable: dict[int, bool] = {}
        self._silent: set[int] = set()

    def listed(self) -> tuple[Window, ...]:
        try:
            with undivided():
                root = self._display.screen().root
                found = (self._window(child, root) for child in reversed(root.query_tree().children))
                return tuple(window for window in found if window is not None)
        except (self._error.ConnectionClosedError, OSError) as error:
            raise DeviceNotFound(f"the display went away: {error}", hint=DOCTOR) from error

    def answered(self, window: int) -> bool:
        """Ask the program, as window managers do (`_NET_WM_PING`): it answers in the order of its events.

        One that has once kept us waiting is not asked again.
        """
        return window not in self._silent and self._pinged(window)

    def _pinged(self, window: int) -> bool:
        root = self._display.screen().root
        self._pings += 1
        try:
            with undivided():
                asked = self._display.create_resource_object("window", window)
                if not self._pings_to(asked):
                    return False
                # The answer comes to the root window.
                root.change_attributes(event_mask=self._x.SubstructureNotifyMask)
                # A window that is closed meanwhile is noticed by the next list.
                asked.send_event(self._ping(asked), event_mask=0, onerror=lambda *_: True)
                self._display.flush()
            return self._heard(window)
        except self._error.XError:
            return False
        except (self._error.ConnectionClosedError, OSError) as error:
            raise DeviceNotFound(f"the display went away: {error}", hint=DOCTOR) from error
        finally:
            with undivided(), contextlib.suppress(self._error.ConnectionClosedError, OSError):
                root.change_attributes(event_mask=0)

    def _pings_to(self, asked: Any) -> bool:
        """Whether the program says that it answers."""
        if asked.id not in self._pingable:
            kinds = asked.get_full_property(self._protocols, self._x.AnyPropertyType)
            self._pingable[asked.id] = kinds is not None and self._ping_name in list(kinds.value)
        return self._pingable[asked.id]

    def _ping(self, asked: Any) -> Any:
        message = importlib.import_module("Xlib.protocol.event").ClientMessage
        data = (32, [self._ping_name, self._pings, asked.id, 0, 0])
        return message(window=asked, client_type=self._protocols, data=data)

    def _heard(self, window: int) -> bool:
        """Whether the answer to the last ping comes in time."""
        end_s = time.monotonic() + ANSWER_S
        while (left_s := end_s - time.monotonic()) > 0:
            with undivided():
                while self._display.pending_events():
                    event = self._display.next_event()
                    if event.type == self._x.ClientMessage and list(event.data[1])[:3] == [
                        self._ping_name,
                        self._pings,
                        window,
                    ]:
                        return True
            select.select([self._display.fileno()], [], [], left_s)
        self._silent.add(window)
        return False

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
