"""What our windows share: opening one, in words where that cannot be done, and pictures in it.

tkinter is imported when a window is opened and not before.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from bot.errors import DeviceNotFound
from vision.frame import Pixels


def open_root(title: str) -> Any:
    """A new main window (`tkinter.Tk`), whose failures are raised where `update` is called.

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
            f"no window can be opened: {error}", hint="run it on a desktop, or set DISPLAY"
        ) from error
    root.title(title)
    root.report_callback_exception = _raise
    return root


def _see_every_px() -> None:
    """Windows: ask for true px on every monitor before the first window, or pictures are blurred and places shift."""
    if sys.platform != "win32":
        return
    from bot.devices.win32 import use_true_pixels

    use_true_pixels()


def _raise(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """tkinter prints errors of its callbacks and goes on; here they end the loop, Ctrl-C above all."""
    raise error.with_traceback(trace)


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
    """Show the window until somebody closes it; `tick` is called between two updates, at most so often."""
    open_still = True

    def close() -> None:
        nonlocal open_still
        open_still = False

    root.protocol("WM_DELETE_WINDOW", close)
    try:
        while open_still:
            began = time.monotonic()
            tick()
            root.update()
            time.sleep(max(0.001, pause_s - (time.monotonic() - began)))
    finally:
        root.destroy()
