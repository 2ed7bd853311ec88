"""Looks at this desktop as a doctor would: session, monitors, scale, windows, capture time, mouse."""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections.abc import Iterator

from bot.devices import sway
from bot.devices.finding import Finding
from bot.devices.session import Camera, Mouse, refusal
from bot.devices.system import is_watched, open_hands, open_windows
from bot.errors import DeviceError, DeviceNotFound, Stopped
from vision.frame import Box

# How far the mouse is moved, in input units, to see whether it obeys.
NUDGE = 3
CAPTURES = 5
# Slower captures than this make every look at the screen felt.
SLOW_CAPTURE_S = 0.2


def check() -> Iterator[Finding]:
    """Each finding as soon as it is known; the mouse is moved by 3 px and back."""
    refused = None if sway.is_here() else refusal(os.environ)
    if refused is not None:
        yield Finding("session", False, str(refused), refused.hint)
        return
    yield Finding("session", True, _session())
    yield _tkinter()
    try:
        camera, mouse = open_hands()
    except DeviceNotFound as error:
        yield Finding("display", False, str(error), error.hint)
        return
    except DeviceError as error:
        yield Finding("capture", False, str(error), error.hint)
        return
    try:
        whole = camera.monitors()[0]
        yield from _pictures(camera)
    finally:
        camera.close()
    yield _windows()
    yield _nudge(mouse, whole)


def _session() -> str:
    if sys.platform == "win32":
        return "Windows"
    if sys.platform == "darwin":
        return "macOS"
    if sway.is_here():
        return f"Wayland with sway's socket, {os.environ.get('WAYLAND_DISPLAY', '')}"
    return f"X11, display {os.environ.get('DISPLAY', '')}"


def _tkinter() -> Finding:
    if importlib.util.find_spec("tkinter") is None:
        return Finding(
            "tkinter", True, "not installed, and not needed: pyautogui is used without its mouseinfo"
        )
    return Finding("tkinter", True, "installed")


def _pictures(camera: Camera) -> Iterator[Finding]:
    try:
        whole, *monitors = camera.monitors()
        placed = ", ".join(f"{m.width} x {m.height} at ({m.left}, {m.top})" for m in monitors)
        yield Finding("monitors", True, f"{len(monitors)}: {placed}" if monitors else "none listed")
        seconds = []
        for _ in range(CAPTURES):
            began = time.perf_counter()
            pixels = camera.grab(whole)
            seconds.append(time.perf_counter() - began)
    except DeviceError as error:
        yield Finding("capture", False, str(error), error.hint)
        return
    yield Finding("scale", True, f"{pixels.shape[1] / whole.width:.2f} px of the picture per px of the mouse")
    middle = sorted(seconds)[CAPTURES // 2]
    fast = middle <= SLOW_CAPTURE_S
    advice = "" if fast else "name the window (desktop:TITLE): a smaller picture is taken faster"
    yield Finding(
        "capture", fast, f"{middle * 1000:.0f} ms for {pixels.shape[1]} x {pixels.shape[0]} px", advice
    )
    if int(pixels.max()) == int(pixels.min()):
        yield Finding(
            "picture",
            False,
            "the whole screen has one colour",
            "macOS: allow screen recording for this terminal; elsewhere: is anything on this display?",
        )


def _windows() -> Finding:
    try:
        listing = open_windows()
    except (DeviceError, ImportError) as error:
        return Finding(
            "windows", False, f"not listed: {error}", "desktop:TITLE cannot be used; plain desktop can"
        )
    try:
        titles = [window.title for window in listing.listed() if window.title]
    except DeviceError as error:
        return Finding("windows", False, str(error), error.hint)
    finally:
        listing.close()
    if not titles:
        return Finding("windows", True, "none with a title", "open the game first")
    return Finding("windows", True, ", ".join(repr(title) for title in titles))


def _nudge(mouse: Mouse, whole: Box) -> Finding:
    if not is_watched(mouse):
        return Finding(
            "mouse", True, "can be moved; where it is cannot be asked: only Ctrl-C stops a run here"
        )
    try:
        x, y = mouse.position()
        # Towards the middle of the screen, so that the edge cannot hold the pointer back.
        step_x = NUDGE if x < whole.left + whole.width / 2 else -NUDGE
        step_y = NUDGE if y < whole.top + whole.height / 2 else -NUDGE
        mouse.move(x + step_x, y + step_y)
        time.sleep(0.05)
        seen = mouse.position()
        mouse.move(x, y)
    except Stopped as error:
        return Finding("mouse", False, str(error), error.hint)
    except DeviceError as error:
        return Finding("mouse", False, str(error), error.hint)
    if seen != (x + step_x, y + step_y):
        return Finding(
            "mouse",
            False,
            f"sent to ({x + step_x}, {y + step_y}), found at {seen}",
            "keep your hand off the mouse and try again; macOS: allow accessibility for this terminal",
        )
    return Finding("mouse", True, f"moved {NUDGE} px from ({x}, {y}), read back and put back")
