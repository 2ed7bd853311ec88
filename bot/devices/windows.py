"""The windows of a desktop, front to back: who is where, and who lies on top.

How a system lists them is in a file of its own: `x11.py`, `win32.py`, `quartz.py`, `sway.py`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.errors import DeviceNotFound
from vision.frame import Box, Point


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
    """Lists the windows that are shown, the front one first.

    answered: whether the program of a window has handled all that it was sent; False where it does not say.
    """

    def listed(self) -> tuple[Window, ...]: ...

    def answered(self, window: int) -> bool: ...

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
