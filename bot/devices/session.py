"""The libraries between us and a desktop: mss for pixels, pyautogui for the mouse and keys.

Both are imported when a desktop is opened and not before, so that a machine without a display still reads
screenshots. What they need and do not find is said in words (DeviceNotFound), not in their own exceptions.
All boxes and places here are in *input units*: the px that the mouse is moved by. They may be larger than the
px of a capture (a Retina screen has 2 by 2 px per unit); `DesktopDevice` measures that on every picture.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import math
import os
import re
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from bot.actions import Button
from bot.devices.undivided import undivided
from bot.errors import CaptureFailed, DeviceNotFound, InputFailed, Stopped
from vision.frame import Box, Pixels


class Camera(Protocol):
    """Takes pictures of parts of the desktop."""

    def monitors(self) -> tuple[Box, ...]:
        """The whole virtual desktop first, then each monitor. Lefts and tops may be negative."""
        ...

    def grab(self, area: Box) -> Pixels:
        """(H, W, 3) uint8, BGR; more px than the box has units on a scaled screen. CaptureFailed."""
        ...

    def close(self) -> None: ...


class Mouse(Protocol):
    """Pointer, buttons and keys. Raises Stopped when the pointer is in a corner of the screen."""

    def position(self) -> tuple[int, int]: ...

    def move(self, x: int, y: int) -> None: ...

    def press(self, button: Button) -> None: ...

    def release(self, button: Button) -> None:
        """Never refused, whatever the fail-safe says: a pressed button must come up."""
        ...

    def key(self, name: str, *, down: bool) -> None: ...


def refusal(environ: Mapping[str, str], platform: str = sys.platform) -> DeviceNotFound | None:
    """Why this session cannot be watched and played, or None when it can as far as its variables tell."""
    if platform in ("win32", "darwin"):
        return None
    wayland = environ.get("XDG_SESSION_TYPE", "").lower() == "wayland" or bool(environ.get("WAYLAND_DISPLAY"))
    if wayland:
        return DeviceNotFound(
            "this is a Wayland session, where no program may see or click another program's window; sway allows it",
            hint="log in with an X11 ('Xorg') session, or use sway; for an X server inside it, such as Xvfb, unset"
            " WAYLAND_DISPLAY and XDG_SESSION_TYPE",
        )
    if not environ.get("DISPLAY"):
        return DeviceNotFound(
            "no display: the variable DISPLAY is not set",
            hint="run this inside the desktop session, or set DISPLAY (often DISPLAY=:0)",
        )
    return None


def display_name(environ: Mapping[str, str] = os.environ) -> str:
    """The X display with its one mouse, the same however it is written; empty where there is only one desktop.

    >>> display_name({"DISPLAY": ":99.0"}), display_name({"DISPLAY": "localhost:10"}), display_name({})
    (':99', 'localhost:10', '')
    """
    return re.sub(r"\.\d+$", "", environ.get("DISPLAY", ""))


def x_display() -> Any:
    """A connection to the X server of DISPLAY, through the library that pyautogui brings. DeviceNotFound."""
    _prepare_authority()
    try:
        with quiet_x():
            return importlib.import_module("Xlib.display").Display()
    except Exception as error:
        if not _is_of_xlib(error):
            raise
        raise _connection_refused(error) from error


@contextlib.contextmanager
def quiet_x() -> Iterator[None]:
    """Call the X library without its warnings, and with nothing on standard output, which belongs to results.

    It warns about a display without keys, and forgets to close the file of keys.
    """
    nowhere = io.StringIO()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _prepare_authority() -> None:
    """Let the X library connect without an Xauthority file: many servers need none, but it does not try."""
    named = os.environ.get("XAUTHORITY")
    path = Path(named) if named else Path(os.path.expanduser("~")) / ".Xauthority"
    if not os.path.exists(path):
        os.environ["XAUTHORITY"] = os.devnull


def _connection_refused(error: Exception) -> DeviceNotFound:
    display = os.environ.get("DISPLAY", "")
    if "protocol" in str(error).lower() or "auth" in str(error).lower():
        return DeviceNotFound(
            f"display {display} lets nobody in without the key of its Xauthority file",
            hint="run this as the user of the desktop session, or set XAUTHORITY to that user's .Xauthority",
        )
    return DeviceNotFound(
        f"no X server answers on display {display}: {error}",
        hint="check DISPLAY; `ls /tmp/.X11-unix` lists the local displays (X0 is :0)",
    )


DOCTOR = "run `boardsight doctor desktop`"

# Parts that pyautogui can spare and we do not use. mouseinfo ends the whole program where tkinter is missing;
# pyscreeze starts other programs while it is imported.
UNUSED_PARTS = ("mouseinfo", "pyscreeze")


@contextlib.contextmanager
def _hidden(names: Sequence[str]) -> Iterator[None]:
    """Make these modules impossible to import for a while: None in sys.modules is how Python marks that."""
    modules: dict[str, Any] = sys.modules
    before = {name: modules[name] for name in names if name in modules}
    modules.update(dict.fromkeys(names))
    try:
        yield
    finally:
        for name in names:
            del modules[name]
        modules.update(before)


def load_pyautogui() -> Any:
    """The pyautogui module with its pauses off and its fail-safe on.

    Raises DeviceNotFound with a hint for Wayland, no DISPLAY, no access to the display, a missing package.
    """
    refused = refusal(os.environ)
    if refused is not None:
        raise refused
    if sys.platform not in ("win32", "darwin"):
        _prepare_authority()
    try:
        with _hidden(UNUSED_PARTS), quiet_x():
            gui: Any = importlib.import_module("pyautogui")
    except ImportError as error:
        raise DeviceNotFound(
            f"the mouse cannot be used: {error}",
            hint="reinstall with `pip install pyautogui` in this environment",
        ) from error
    except SystemExit as error:
        raise DeviceNotFound(
            f"the mouse cannot be used: {error}", hint="install tkinter: `sudo apt-get install python3-tk`"
        ) from error
    except Exception as error:
        if not _is_of_xlib(error):
            raise
        raise _connection_refused(error) from error
    gui.PAUSE = 0
    gui.FAILSAFE = True
    return gui


def _is_of_xlib(error: Exception) -> bool:
    """Whether the X library raised this; it has no common base class, and is not there on other systems."""
    return type(error).__module__.split(".")[0] == "Xlib"


# No hand takes the mouse to a corner sooner after the last look, s.
LOOK_S = 0.002


class AutoguiMouse:
    """The mouse and keys through pyautogui.

    Its own functions ask where the pointer is up to seven times a call. Here it is asked once in LOOK_S, and what is to
    be done is told to the part of pyautogui that is made for this system.
    """

    def __init__(self) -> None:
        self._gui = load_pyautogui()
        self._hand = self._gui.platformModule
        self._at, self._asked_s = (0, 0), -math.inf
        self._corners: set[tuple[int, int]] = set(self._gui.FAILSAFE_POINTS)

    def watch(self, monitors: Sequence[Box]) -> None:
        """The corners of these stop as well: where monitors differ in height, no hand reaches a corner of all of them."""
        self._corners |= {
            (x, y) for box in monitors for x in (box.left, box.right - 1) for y in (box.top, box.bottom - 1)
        }

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            with undivided():
                yield
        except self._gui.FailSafeException as error:
            raise Stopped(
                "stopped: the mouse is in a corner of the screen",
                hint="that is the emergency stop; move the mouse away from the corner and start again",
            ) from error
        except (OSError, self._gui.PyAutoGUIException) as error:
            raise InputFailed(f"the mouse did not obey: {error}", hint=DOCTOR) from error
        except Exception as error:
            if _is_of_xlib(error):
                raise DeviceNotFound(f"the display went away: {error}", hint=DOCTOR) from error
            raise

    def size(self) -> tuple[int, int]:
        """Width and height of what pyautogui takes for the screen."""
        with self._translated():
            width, height = self._gui.size()
            return int(width), int(height)

    def _here(self) -> tuple[int, int]:
        """Where the pointer is, or was put less than LOOK_S after it was asked. Raises FailSafeException in a corner."""
        now_s = time.monotonic()
        if now_s - self._asked_s > LOOK_S:
            x, y = self._gui.position()
            self._at, self._asked_s = (int(x), int(y)), now_s
        if self._at in self._corners:
            raise self._gui.FailSafeException("the pointer is in a corner")
        return self._at

    def position(self) -> tuple[int, int]:
        with self._translated():
            self._asked_s = -math.inf
            return self._here()

    def move(self, x: int, y: int) -> None:
        with self._translated():
            self._here()
            self._hand._moveTo(x, y)
            self._at = (x, y)

    def press(self, button: Button) -> None:
        with self._translated():
            self._hand._mouseDown(*self._here(), button)

    def release(self, button: Button) -> None:
        # It goes up where it is: what a hand has moved meanwhile must still show.
        with self._translated():
            hand = self._hand
            if not hasattr(hand, "fake_input"):
                hand._mouseUp(*self._gui.position(), button)
                return
            # On X11 the library's own moves the pointer there first, and some programs take any move for a drag.
            hand.fake_input(hand._display, hand.X.ButtonRelease, hand.BUTTON_NAME_MAPPING[button])
            hand._display.sync()

    def key(self, name: str, *, down: bool) -> None:
        with self._translated():
            if not self._gui.isValidKey(name):
                raise InputFailed(
                    f"no key is called {name!r}", hint="names are those of pyautogui.KEYBOARD_KEYS"
                )
            (self._gui.keyDown if down else self._gui.keyUp)(name, _pause=False)


class MssCamera:
    """Pictures through mss, with one session per thread as mss asks for.

    input_size: what the mouse's library takes for the screen; mss may count in other units.
    """

    def __init__(self, input_size: tuple[int, int] | None = None) -> None:
        self._mss = importlib.import_module("mss")
        self._sessions = threading.local()
        self._opened: list[Any] = []
        self._unit = self._units_per_input_unit(input_size)

    def _session(self) -> Any:
        session = getattr(self._sessions, "session", None)
        if session is None:
            # mss 10.2 renamed the factory `mss.mss` to the class `mss.MSS` and warns about the old name.
            make = getattr(self._mss, "MSS", None) or self._mss.mss
            try:
                session = make()
            except Exception as error:
                raise CaptureFailed(f"no picture of the screen can be taken: {error}", hint=DOCTOR) from error
            self._sessions.session = session
            self._opened.append(session)
        return session

    def _units_per_input_unit(self, input_size: tuple[int, int] | None) -> float:
        """mss units per input unit, measured on the screen that pyautogui calls its own."""
        if input_size is None or min(input_size) <= 0:
            return 1.0
        monitors = self._session().monitors
        # On X11 pyautogui's screen is the whole desktop, elsewhere the first monitor.
        widths = [monitors[0]["width"]]
        if sys.platform in ("win32", "darwin"):
            first = [m for m in monitors[1:] if m.get("is_primary") or (m["left"], m["top"]) == (0, 0)]
            widths = [monitor["width"] for monitor in first] or widths
        ratio = widths[0] / input_size[0]
        return float(ratio) if abs(ratio - 1.0) > 0.01 else 1.0

    def monitors(self) -> tuple[Box, ...]:
        unit = self._unit
        return tuple(
            Box(*(round(monitor[side] / unit) for side in ("left", "top", "width", "height")))
            for monitor in self._session().monitors
        )

    def grab(self, area: Box) -> Pixels:
        unit = self._unit
        region = {side: round(value * unit) for side, value in area._asdict().items()}
        try:
            shot = self._session().grab(region)
        except CaptureFailed:
            raise
        except Exception as error:
            raise CaptureFailed(
                f"no picture of {area.width} x {area.height} at ({area.left}, {area.top}): {error}",
                hint=DOCTOR,
            ) from error
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        return np.ascontiguousarray(pixels[:, :, :3])

    def close(self) -> None:
        while self._opened:
            session = self._opened.pop()
            with contextlib.suppress(Exception):
                session.close()
        self._sessions = threading.local()
