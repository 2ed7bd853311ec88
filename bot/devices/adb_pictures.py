"""Pictures of an Android device: which way is faster, which display is on, and what its replies mean.

Pictures come over `exec:` (nothing on the way changes line ends), raw or as PNG, whichever this device delivers
faster. A device with several displays, such as one that folds, is asked for the one that shows something.
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
MOST_DISPLAYS = 8


class Black(CaptureFailed):
    """The picture shows nothing at all."""


class Camera:
    """Takes pictures of one device behind the server."""

    def __init__(self, server: AdbServer, serial: str) -> None:
        self._server, self._serial = server, serial
        self._raw: bool | None = None
        # The id of the display that is on, for `screencap -d`; empty for the one that the device chooses.
        self._display = ""

    def take(self) -> Pixels:
        """The screen now. Raises CaptureFailed, GivenUp, DeviceNotFound, UnreadableImage."""
        if self._raw is None:
            times = self.times()
            # A way that fails loses.
            self._raw = bool(times) and min(times, key=lambda raw: times[raw])
        try:
            return self._lit(self._picture(self._raw))
        except Black:
            return self._of_another_display()

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
        return decode_raw(data) if raw else decode(from_signature(data), f"screen of {self._serial}")

    def _of_another_display(self) -> Pixels:
        """The picture of the first display that shows something, which is kept to. Raises Black."""
        before = self._display
        for display in self._displays():
            self._display = display
            try:
                return self._lit(self._picture(bool(self._raw)))
            except GivenUp:
                raise
            except (CaptureFailed, UnreadableImage):
                continue
        self._display = before
        raise Black(
            f"device {self._serial}: the picture is black",
            hint="switch the screen on and unlock it; some apps (banking, video) forbid pictures",
        )

    def _displays(self) -> list[str]:
        """The ids of the displays, as SurfaceFlinger knows them."""
        told = self._server.transport(
            self._serial, "shell:dumpsys SurfaceFlinger --display-id", DISPLAYS_S, MOST_TEXT_BYTES
        )
        found = re.findall(rb"(?m)^Display (\d{1,20}) ", told)
        return [number.decode() for number in found[:MOST_DISPLAYS]]

    def _lit(self, pixels: Pixels) -> Pixels:
        if int(pixels.max()) <= BLACK_LEVELS:
            raise Black(f"device {self._serial}: the picture is black")
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
