"""A headless sway of its own, with native Wayland programs in it (Debian: sway, grim, sgt-puzzles)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vision.frame import Pixels
from vision.image import decode

PATIENCE_S = 30.0
CONFIG = """
output HEADLESS-1 resolution 1280x1024 position 0 0 scale {scale}
output HEADLESS-2 resolution 800x600 position -800 100
default_border normal
for_window [app_id=".*"] floating enable
"""


def absent() -> str:
    """What is not installed, in words."""
    names = [name for name in ("sway", "swaymsg", "grim", "sgt-bridges") if _program(name) is None]
    return f"not installed: {', '.join(names)}" if names else ""


class Session:
    """environ: what programs need to be in the session."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = dict(environ)
        self._programs: list[subprocess.Popen[bytes]] = []

    def start(self, name: str, *arguments: str) -> dict[str, Any]:
        """A native program, and its window as sway has it."""
        path = _program(name)
        assert path is not None
        self._programs.append(
            subprocess.Popen(
                [path, *arguments],
                env=self.environ | {"GDK_BACKEND": "wayland"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        number = self._programs[-1].pid
        return self._settled(number)

    def _settled(self, number: int) -> dict[str, Any]:
        """A program's window as soon as it was drawn and stood still: GTK draws and fits it some time after it is there."""
        last: tuple[dict[str, Any], bytes] | None = None
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            time.sleep(0.5)
            window = next((one for one in self.windows() if one["pid"] == number), None)
            if window is None:
                continue
            picture = self.picture(window)
            now = (window["rect"] | window["window_rect"], picture.tobytes())
            if now == last and picture.min() < picture.max():
                return window
            last = now
        raise AssertionError("the window does not come to rest")

    def windows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []

        def walk(node: dict[str, Any]) -> None:
            found.extend([node] if node.get("pid") and node.get("visible") else [])
            for child in node["nodes"] + node["floating_nodes"]:
                walk(child)

        walk(json.loads(self._run("swaymsg", "-r", "-t", "get_tree")))
        return found

    def tell(self, command: str) -> None:
        self._run("swaymsg", command)

    def picture(self, window: Mapping[str, Any]) -> Pixels:
        """The window's picture, taken without any code of ours."""
        rect, inner = window["rect"], window["window_rect"]
        place = f"{rect['x'] + inner['x']},{rect['y'] + inner['y']} {inner['width']}x{inner['height']}"
        return decode(self._run("grim", "-g", place, "-"), "grim")

    def boardsight(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "bot", *arguments]
        return subprocess.run(command, env=self.environ, capture_output=True, text=True, timeout=120)

    def close(self) -> None:
        """End the programs."""
        while self._programs:
            one = self._programs.pop()
            one.kill()
            one.wait(10)

    def _run(self, *command: str) -> bytes:
        return subprocess.run(command, env=self.environ, capture_output=True, check=True, timeout=30).stdout


@contextmanager
def sway(scale: float = 1, outputs: int = 1) -> Iterator[Session]:
    """A session of its own, with one output of 1280 x 1024 px, or a second one left of it and lower."""
    with tempfile.TemporaryDirectory(prefix="boardsight-sway-") as folder:
        config = Path(folder) / "config"
        config.write_text(CONFIG.format(scale=scale))
        config.chmod(0o644)
        own = {
            "XDG_RUNTIME_DIR": folder,
            "WLR_BACKENDS": "headless",
            "WLR_HEADLESS_OUTPUTS": str(outputs),
            "WLR_LIBINPUT_NO_DEVICES": "1",
            "WLR_RENDERER": "pixman",
        }
        environ = {
            name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")
        }
        command = ["sway", "-c", str(config)]
        if os.geteuid() == 0:
            # It refuses to run as root.
            shutil.chown(folder, "nobody")
            command = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", *command]
        server = subprocess.Popen(
            command,
            env=environ | own | {"HOME": folder},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            socket = _until(lambda: next(Path(folder).glob("sway-ipc.*.sock"), None))
            display = _until(
                lambda: next((one for one in Path(folder).glob("wayland-*") if one.is_socket()), None)
            )
            session = Session(
                environ
                | {
                    "XDG_RUNTIME_DIR": folder,
                    "WAYLAND_DISPLAY": display.name,
                    "SWAYSOCK": str(socket),
                    "XDG_SESSION_TYPE": "wayland",
                }
            )
            try:
                # A headless session draws its pointer into pictures; nobody's should lie over a board.
                session.tell("seat - cursor set 0 0")
                yield session
            finally:
                session.close()
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(10)


def _program(name: str) -> str | None:
    return shutil.which(name, path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")


def _until(seen: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE_S
    while not (found := seen()):
        assert time.monotonic() < end, "not seen in time"
        time.sleep(0.05)
    return found
