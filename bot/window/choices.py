"""What can be chosen to look at: windows, phones and practice boards, each with a small picture of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import DeviceError
from bot.games import GAMES
from bot.window.place import overlap
from bot.window.toolkit import fitted
from vision.errors import VisionError
from vision.frame import Box, Pixels

if TYPE_CHECKING:
    from bot.devices.windows import Window

TITLE = "boardsight"


@dataclass(frozen=True)
class Choice:
    """source: as the command line takes it. title: for people. pixels: a small picture; None where there is none."""

    source: str
    title: str
    pixels: Pixels | None = None


def others(width: int, height: int) -> Iterator[Choice]:
    """Phones and practice boards, with pictures of at most that size; what cannot be looked at has none."""
    yield from _phones(width, height)
    for name, game in GAMES.items():
        pixels = game.practice(random.Random(1)).render(0.0)
        yield Choice(
            f"practice:{name}:1", f"{game.title}, a practice board", fitted(pixels, width, height)[0]
        )


def windows(width: int, height: int) -> Iterator[Choice]:
    """The windows of other programs, as the screen shows them now."""
    from bot.devices.system import open_camera, open_windows

    try:
        desktop = open_windows()
        camera = open_camera()
    except (DeviceError, ImportError):
        return
    try:
        whole = camera.monitors()[0]
        for window in desktop.listed():
            if not window.title or window.title.startswith(TITLE):
                continue
            left, top = max(whole.left, window.box.left), max(whole.top, window.box.top)
            right = min(whole.left + whole.width, window.box.left + window.box.width)
            bottom = min(whole.top + whole.height, window.box.top + window.box.height)
            if right - left < 2 or bottom - top < 2:
                continue
            try:
                box = window.box._replace(left=left, top=top, width=right - left, height=bottom - top)
                pixels = fitted(camera.grab(box), width, height)[0]
            except DeviceError:
                continue
            yield Choice(f"desktop:{window.title}", window.title, pixels)
    except DeviceError:
        return
    finally:
        camera.close()
        desktop.close()


def _phones(width: int, height: int) -> Iterator[Choice]:
    from bot.devices.adb import list_devices, open_adb

    for source, what in list_devices():
        try:
            device = open_adb(source.partition(":")[2])
            try:
                pixels = fitted(device.capture().pixels, width, height)[0]
            finally:
                device.close()
        except (DeviceError, VisionError):
            yield Choice(source, f"{source}: {what}")
        else:
            yield Choice(source, source, pixels)


def window_box(source: str) -> Box | None:
    """Where the window of a SOURCE lies on the desktop; None for other sources, and where it cannot be told."""
    target = _target(source)
    return None if target is None else target[0].box


def is_under_ours(source: str) -> bool:
    """Whether our own window lies over the window of a SOURCE, and would be on its picture."""
    target = _target(source)
    return target is not None and any(
        window.title == TITLE and overlap(window.outer, target[0].box) for window in target[1]
    )


def _target(source: str) -> tuple[Window, tuple[Window, ...]] | None:
    """The window of a SOURCE, and those in front of it; None for other sources, and where it cannot be told."""
    kind, _, title = source.partition(":")
    if kind != "desktop" or not title:
        return None
    from bot.devices.system import open_windows
    from bot.devices.windows import titled

    try:
        windows = open_windows()
    except (DeviceError, ImportError):
        return None
    try:
        listed = windows.listed()
        window = titled(listed, title)
    except DeviceError:
        return None
    finally:
        windows.close()
    return window, listed[: listed.index(window)]
