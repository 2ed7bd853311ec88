"""Pictures of an Android device: which way is faster, which display is on, and what its replies mean.

Pictures come over `exec:` (nothing on the way changes line ends), raw or as PNG, whichever this device delivers
faster. A device with several displays, such as one that folds, is asked for the one that takes the touches.
"""

from __future__ import annotations

import re
import time

import cv2
import numpy as np

from bot.devices.adb_server import AdbServer, GivenUp
from bot.errors import CaptureFailed
from vision import MAX_PIXELS
from vision.errors import UnreadableImage
from vision.frame import Pixels
from vision.image import PNG_SIGNATURE, decode

# A picture is given up after this time, whatever still drips in; with what comes before, all is told within 10 s.
CAPTURE_S = 9.0
DISPLAYS_S = 2.0
# The largest screens have 8 million px of 4 bytes; twice that is no picture any more.
MOST_PICTURE_BYTES = 64_000_000
MOST_TEXT_BYTES = 1_000_000
# Android's PixelFormat numbers in the raw header: RGBA_8888, RGBX_8888, RGB_565, BGRA_8888.
RGBA, RGBX, RGB_565, BGRA = 1, 2, 4, 5
# Rows in memory are longer than those of the picture by at most so many px.
MOST_PADDING_PX = 256
# A screen that is off, or an app that forbids pictures, gives levels of 0; so much is left to compression.
BLACK_LEVELS = 2
BLACK_HINT = "switch the screen on and unlock it; some apps (banking, video) forbid pictures"
# What `screencap` says in front of a picture where it had to choose the display, and which display has the number 0.
MANY_DISPLAYS = b"Multiple displays were found"
VIEWPORTS = "dumpsys input | grep -E 'Viewport .*displayId=0,'"


class Black(CaptureFailed):
    """The picture shows nothing at all."""


class WhichDisplay(CaptureFailed):
    """The picture is of a display that the device chose among several."""


class Camera:
    """Takes pictures of one device behind the server."""

    def __init__(self, server: AdbServer, serial: str) -> None:
        self._server, self._serial = server, serial
        self._raw: bool | None = None
        # The id of the display that is on, for `screencap -d`; empty for the one that the device chooses.
        self._display = ""

    def take(self) -> Pixels:
        """The screen now. After a failure the way is chosen anew. Raises CaptureFailed, GivenUp, DeviceNotFound,
        UnreadableImage."""
        if self._raw is None:
            times = self.times()
            # A way that fails loses.
            self._raw = bool(times) and min(times, key=lambda raw: times[raw])
        try:
            try:
                return self._lit(self._picture(self._raw))
            except (Black, WhichDisplay) as error:
                return self._of_touched_display(error)
        except (CaptureFailed, UnreadableImage):
            self._raw, self._display = None, ""
            raise

    def times(self) -> dict[bool, float]:
        """Seconds of a picture, raw (True) and as PNG (False); a way that fails is left out. Raises GivenUp."""
        times = {}
        for raw in (False, True):
            began = time.monotonic()
            try:
                self._picture(raw)
            except GivenUp:
                raise
            except (CaptureFailed, UnreadableImage):
                continue
            times[raw] = time.monotonic() - began
        return times

    def _picture(self, raw: bool) -> Pixels:
        of_display = f" -d {self._display}" if self._display else ""
        service = f"exec:screencap{of_display}" if raw else f"exec:screencap{of_display} -p"
        data = self._server.transport(self._serial, service, CAPTURE_S, MOST_PICTURE_BYTES)
        if raw:
            return decode_raw(data)
        picture = from_signature(data)
        if not self._display and MANY_DISPLAYS in data[: len(data) - len(picture)]:
            raise WhichDisplay(
                f"device {self._serial}: it has several displays and does not say which takes the touches",
                hint="switch the other displays off, then try again",
            )
        return decode(picture, f"screen of {self._serial}")

    def _of_touched_display(self, error: CaptureFailed) -> Pixels:
        """The picture of the display that takes the touches, which is kept to; raises `error` where that is not known, or
        was shown already."""
        touched = self._touched_display()
        if touched in ("", self._display):
            raise error
        self._display = touched
        return self._lit(self._picture(bool(self._raw)))

    def _touched_display(self) -> str:
        """The id of the display that takes the touches, as SurfaceFlinger knows it; empty where that is not told."""
        listed = self._told("dumpsys SurfaceFlinger --display-id")
        displays: list[str] = [number.decode() for number in re.findall(rb"(?m)^Display (\d{1,20}) ", listed)]
        if len(displays) == 1:
            return displays[0]
        viewports = self._told(VIEWPORTS)
        touched = re.findall(rb"displayId=0,[^\n]*?\buniqueId='?local:(\d{1,20})\b", viewports)
        return next((number for number in displays if number.encode() in touched), "")

    def _told(self, command: str) -> bytes:
        return self._server.transport(self._serial, f"shell:{command}", DISPLAYS_S, MOST_TEXT_BYTES)

    def _lit(self, pixels: Pixels) -> Pixels:
        if int(pixels.max()) <= BLACK_LEVELS:
            raise Black(f"device {self._serial}: the picture is black", hint=BLACK_HINT)
        return pixels


def decode_raw(data: bytes) -> Pixels:
    """The picture in the output of `screencap` without -p: width, height, format, since Android 9 also a colour space.

    Rows may be longer than the picture is wide. Returns (H, W, 3) uint8, BGR. Raises CaptureFailed when the sizes do
    not add up.
    """
    if len(data) < 16:
        raise CaptureFailed(f"{len(data)} bytes are no picture", hint="unlock the device")
    width, height, kind = (int(word) for word in np.frombuffer(data[:12], "<u4"))
    bytes_each = 2 if kind == RGB_565 else 4
    if kind not in (RGBA, RGBX, RGB_565, BGRA) or not 0 < width * height <= MAX_PIXELS:
        raise CaptureFailed(
            f"an unknown picture of {width} x {height}, format {kind}", hint="PNG is tried instead"
        )
    # The shorter rows first: a header of 16 bytes could also be one of 12 and padding.
    rows = sorted(
        ((len(data) - header) // (height * bytes_each), header)
        for header in (12, 16)
        if (len(data) - header) % (height * bytes_each) == 0
    )
    fits = [(row, header) for row, header in rows if width <= row <= width + MOST_PADDING_PX]
    if not fits:
        raise CaptureFailed(
            f"{len(data)} bytes do not fit a picture of {width} x {height}", hint="check the cable"
        )
    row, header = fits[0]
    body = np.frombuffer(data, np.uint8, offset=header).reshape(height, row, bytes_each)[:, :width]
    if kind == RGB_565:
        code = cv2.COLOR_BGR5652BGR
    else:
        code = cv2.COLOR_BGRA2BGR if kind == BGRA else cv2.COLOR_RGBA2BGR
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(body), code), np.uint8)


def from_signature(data: bytes) -> bytes:
    """The PNG in a reply: warnings in front of it are cut off, CR LF mangling is undone."""
    at = data.find(PNG_SIGNATURE)
    if at >= 0:
        return data[at:]
    for mangled in (b"\x89PNG\r\r\n\x1a\r\n", b"\x89PNG\r\r\n\x1a\n"):
        at = data.find(mangled)
        if at >= 0:
            return data[at:].replace(b"\r\n", b"\n")
    return data
