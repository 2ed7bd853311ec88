"""A desktop under sway and its like (wlroots compositors): windows by the compositor's own socket, pictures by grim.

The socket speaks the protocol of i3 (sway-ipc(7)): eight bytes of its name, a length, a type, and JSON.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import struct
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bot.devices.wayland import WaylandMouse
from bot.devices.windows import Window
from bot.errors import CaptureFailed, DeviceNotFound
from vision.frame import Box, Pixels

MAGIC = b"i3-ipc"
GET_OUTPUTS, GET_TREE = 3, 4
ANSWER_S = 5.0
# A tree of some hundred windows is a megabyte.
MOST_ANSWER_BYTES = 50_000_000
CAPTURE_S = 10.0


def is_here(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether this is a session of sway or its like."""
    return bool(environ.get("WAYLAND_DISPLAY")) and Path(environ.get("SWAYSOCK") or "/nowhere").is_socket()


def socket_path(environ: Mapping[str, str] = os.environ) -> str:
    """The socket of the Wayland session that the environment names."""
    return os.path.join(environ.get("XDG_RUNTIME_DIR", ""), environ["WAYLAND_DISPLAY"])


def open_mouse() -> WaylandMouse:
    """Raises DeviceNotFound."""
    return WaylandMouse(socket_path(), _monitors())


class SwayWindows:
    """The windows that are shown, the front one first. Raises DeviceNotFound.

    Bars and notifications are no windows for sway before 1.10, so that one that covers is not seen there.
    """

    def listed(self) -> tuple[Window, ...]:
        return tuple(windows_of(_asked(GET_TREE)))[::-1]

    def answered(self, window: int) -> bool:
        return False

    def close(self) -> None:
        return None


class GrimCamera:
    """Pictures through grim; more px than units on a scaled output. mouse: is put aside before each."""

    def __init__(self, mouse: WaylandMouse | None = None) -> None:
        program = shutil.which("grim")
        if program is None:
            raise DeviceNotFound(
                "pictures of a Wayland session are taken by grim, which is not installed",
                hint="for example `sudo apt install grim`",
            )
        self._program, self._mouse = program, mouse

    def monitors(self) -> tuple[Box, ...]:
        return _monitors()

    def grab(self, area: Box) -> Pixels:
        if self._mouse is not None:
            self._mouse.park()
        place = f"{area.left},{area.top} {area.width}x{area.height}"
        try:
            done = subprocess.run(
                [self._program, "-g", place, "-t", "ppm", "-"], capture_output=True, timeout=CAPTURE_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CaptureFailed(
                f"no picture from grim: {error}", hint="try `grim shot.png` by hand"
            ) from error
        if done.returncode != 0:
            words = done.stderr.decode("utf-8", "replace").strip()
            raise CaptureFailed(f"no picture from grim: {words}", hint="try `grim shot.png` by hand")
        return _pixels(done.stdout)

    def close(self) -> None:
        return None


def windows_of(tree: Mapping[str, Any]) -> Iterator[Window]:
    """The windows in sway's tree that are shown, from back to front: tiled, floating, full screen."""
    found = [(one, floats) for one, floats in _leaves(tree, False) if one.get("visible")]
    layers = sorted(found, key=lambda pair: 2 if pair[0].get("fullscreen_mode") else int(pair[1]))
    for one, _ in layers:
        rect, inner, title = one["rect"], one["window_rect"], one["deco_rect"]
        left, top = rect["x"] + inner["x"], rect["y"] + inner["y"]
        box = Box(left, top, inner["width"], inner["height"])
        outer = Box(rect["x"], rect["y"], rect["width"], rect["height"])
        if title["height"] and not one.get("fullscreen_mode"):
            # A title bar lies above the rest.
            outer = Box(outer.left, outer.top - title["height"], outer.width, outer.height + title["height"])
        yield Window(int(one["id"]), str(one.get("name") or ""), box, outer)


def _leaves(node: Mapping[str, Any], floats: bool) -> Iterator[tuple[Mapping[str, Any], bool]]:
    if node.get("pid") and not node["nodes"]:
        yield node, floats
    for child in node["nodes"]:
        yield from _leaves(child, floats)
    for child in node["floating_nodes"]:
        yield from _leaves(child, True)


def _monitors() -> tuple[Box, ...]:
    """The whole desktop first, then each output that is on. Raises DeviceNotFound."""
    boxes = [
        Box(*(int(one["rect"][side]) for side in ("x", "y", "width", "height")))
        for one in _asked(GET_OUTPUTS)
        if one.get("active")
    ]
    if not boxes:
        raise DeviceNotFound(
            "no output of this session is switched on", hint="`swaymsg -t get_outputs` lists them"
        )
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    right, bottom = max(box.left + box.width for box in boxes), max(box.top + box.height for box in boxes)
    return Box(left, top, right - left, bottom - top), *boxes


def _asked(kind: int) -> Any:
    """What the compositor answers. Raises DeviceNotFound."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(ANSWER_S)
            line.connect(os.environ.get("SWAYSOCK", ""))
            line.sendall(MAGIC + struct.pack("=II", 0, kind))
            head = _received(line, len(MAGIC) + 8)
            (length,) = struct.unpack("=I", head[len(MAGIC) : len(MAGIC) + 4])
            if head[: len(MAGIC)] != MAGIC or length > MOST_ANSWER_BYTES:
                raise ValueError("not the protocol of sway")
            return json.loads(_received(line, length))
    except (OSError, ValueError) as error:
        raise DeviceNotFound(
            f"sway does not answer: {error}", hint="check SWAYSOCK; is sway running?"
        ) from error


def _received(line: socket.socket, count: int) -> bytes:
    parts: list[bytes] = []
    while count > 0:
        part = line.recv(min(count, 1 << 16))
        if not part:
            raise ConnectionError("it closed the connection")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _pixels(ppm: bytes) -> Pixels:
    """The pixels of a binary PPM, as (H, W, 3) uint8, BGR. Raises CaptureFailed."""
    head = re.match(rb"P6\s+(\d{1,6})\s+(\d{1,6})\s+255\s", ppm)
    if head is None:
        raise CaptureFailed("grim gave no picture", hint="try `grim shot.png` by hand")
    width, height = int(head[1]), int(head[2])
    if len(ppm) - head.end() != 3 * width * height:
        raise CaptureFailed("grim gave half a picture", hint="try `grim shot.png` by hand")
    pixels = np.frombuffer(ppm, np.uint8, offset=head.end()).reshape(height, width, 3)
    return np.ascontiguousarray(pixels[:, :, ::-1])
