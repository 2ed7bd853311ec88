"""What our windows share: opening one, in words where that cannot be done, and pictures in it.

tkinter is imported when a window is opened and not before.
"""

from __future__ import annotations

import importlib
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np

from bot.errors import DeviceNotFound
from vision.frame import Pixels


def open_root(title: str) -> Any:
    """A new main window (`tkinter.Tk`). What fails in one of its callbacks is raised by `until_closed`.

    Raises DeviceNotFound where there is no tkinter or no display.
    """
    try:
        tkinter = importlib.import_module("tkinter")
    except ImportError as error:
        raise DeviceNotFound(
            f"windows need tkinter, which this Python lacks: {error}",
            hint="Debian and Ubuntu: apt install python3-tk; everything else works without it",
        ) from error
    _see_every_px()
    try:
        root = tkinter.Tk(className="boardsight")
    except tkinter.TclError as error:
        raise DeviceNotFound(
            f"no window can be opened: {error}",
            hint="run it on a desktop, or set DISPLAY; under Wayland it needs Xwayland",
        ) from error
    root.title(title)
    # tkinter prints errors of callbacks and goes on.
    root.failures = []
    root.report_callback_exception = lambda kind, error, trace: root.failures.append(error)
    return root


def scale_style(root: Any, scale: float) -> None:
    """Make as large as the lettering, which follows the screen's scale by itself, what does not follow it."""
    style = importlib.import_module("tkinter.ttk").Style(root)
    style.configure("TScrollbar", arrowsize=round(13 * scale))
    style.configure("TButton", padding=round(4 * scale))
    style.configure("Horizontal.TProgressbar", thickness=round(16 * scale))
    # The usual box of a check button has a fixed size.
    style.element_create("Scaled.indicator", "from", "clam", "Checkbutton.indicator")
    label = ("Checkbutton.focus", {"side": "left", "children": [("Checkbutton.label", {"sticky": "nswe"})]})
    box = ("Scaled.indicator", {"side": "left"})
    style.layout("TCheckbutton", [("Checkbutton.padding", {"sticky": "nswe", "children": [box, label]})])
    style.configure(
        "TCheckbutton",
        indicatorsize=round(12 * scale),
        indicatormargin=round(3 * scale),
        indicatorbackground="white",
    )


def _see_every_px() -> None:
    """Windows: ask for true px on every monitor before the first window, or pictures are blurred and places shift."""
    if sys.platform != "win32":
        return
    from bot.devices.win32 import use_true_pixels

    use_true_pixels()


def photo_of(pixels: Pixels, root: Any) -> Any:
    """A picture as tkinter shows it (`PhotoImage`); somebody must hold it as long as it is shown.

    pixels: (H, W, 3) uint8, BGR.
    """
    height, width = pixels.shape[:2]
    rgb = np.ascontiguousarray(pixels[:, :, ::-1])
    content = b"P6 %d %d 255\n" % (width, height) + rgb.tobytes()
    return importlib.import_module("tkinter").PhotoImage(master=root, data=content, format="ppm")


def fitted(pixels: Pixels, width: int, height: int, most: float = 1.0) -> tuple[Pixels, float]:
    """The picture made small enough for a room of so many px, at most `most` times as large as it is; and the factor."""
    factor = min(most, width / pixels.shape[1], height / pixels.shape[0])
    if factor == 1.0:
        return pixels, 1.0
    size = max(1, round(pixels.shape[1] * factor)), max(1, round(pixels.shape[0] * factor))
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return cv2.resize(pixels, size, interpolation=how).astype(np.uint8), factor


def until_closed(root: Any, tick: Callable[[], object], pause_s: float) -> None:
    """Show the window until somebody closes it; `tick` is called between two updates, at most so often.

    Raises KeyboardInterrupt after a signal that asks for the end, and what failed in a callback.
    """
    open_still = True

    def close() -> None:
        nonlocal open_still
        open_still = False

    root.protocol("WM_DELETE_WINDOW", close)
    with _noticed() as came:
        try:
            while open_still:
                began = time.monotonic()
                tick()
                root.update()
                if root.failures:
                    raise root.failures[0]
                if came:
                    raise KeyboardInterrupt
                time.sleep(max(0.001, pause_s - (time.monotonic() - began)))
        finally:
            root.destroy()


@contextmanager
def _noticed() -> Iterator[list[int]]:
    """The signals that ask for the end, as they come: raised at once, one would get lost where tkinter calls us."""
    came: list[int] = []
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    asking = [number for number in numbers if signal.getsignal(number) is signal.default_int_handler]
    for number in asking:
        signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield came
    finally:
        for number in asking:
            signal.signal(number, signal.default_int_handler)
