"""Opens a page in Chromium and tells what a person would see, over the browser's own pipe: no port is opened."""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.shared_data import REQUIRE_REAL
from vision.frame import Pixels
from vision.image import decode

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

needs_chromium = pytest.mark.skipif(PROGRAM is None and not REQUIRE_REAL, reason="Chromium is not installed")


@dataclass
class Seen:
    """A page as it was shown.

    text: what can be read; widths: of the window and of what is in it, CSS px.
    asked: addresses that the page wanted, besides itself and pictures inside it. said: console and error messages.
    broken: pictures that did not show.
    """

    text: str
    window_px: int
    content_px: int
    broken: int
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


class Browser:
    """One Chromium without a window; `with Browser() as browser`.

    options: for one with a window, how it is opened.
    """

    def __init__(self, *options: str) -> None:
        assert PROGRAM is not None
        # Chromium's own helpers may still write when it has gone itself.
        self._home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        # Chromium reads commands from descriptor 3 and answers on 4.
        command = f'exec "$@" 3<&{to_read} 4>&{from_write}'
        always = (
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            "--no-first-run",
            "--disable-sync",
        )
        shown = options or ("--headless=new", "about:blank")
        self._process = subprocess.Popen(
            ["bash", "-c", command, "bash", PROGRAM, *always, f"--user-data-dir={self._home.name}", *shown],
            pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self._home.name}, start_new_session=True,
        )  # fmt: skip
        os.close(to_read)
        os.close(from_write)
        self._out = os.fdopen(to_write, "wb", buffering=0)
        self._in = os.fdopen(from_read, "rb")
        self._ids = itertools.count(1)
        self._events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *gone: object) -> None:
        self._out.close()
        self._process.terminate()
        self._process.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._in.close()
        self._home.cleanup()

    def look(self, path: Path, width: int, height: int, *, mobile: bool) -> Seen:
        """The page in a window of this size."""
        with self._opened(path, width, height, mobile=mobile) as session:
            told = self._ask(
                "Runtime.evaluate",
                session,
                returnByValue=True,
                expression="""(() => {
                    document.querySelectorAll("details").forEach(one => one.open = true);
                    const page = document.documentElement;
                    const broken = [...document.images].filter(one => !one.complete || !one.naturalWidth).length;
                    return [document.body.innerText, page.clientWidth, page.scrollWidth, broken];
                })()""",
            )["result"]["value"]
            asked = [
                event["params"]["request"]["url"]
                for event in self._events
                if event["method"] == "Network.requestWillBeSent"
            ]
            own = ("data:", path.as_uri())
            said = [
                json.dumps(event["params"])[:300]
                for event in self._events
                if event["method"]
                in ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")
            ]
        return Seen(*told, [one for one in asked if not one.startswith(own)], said)

    def says(self, expression: str) -> Any:
        """What the page that is shown in the window makes of a line of script."""
        pages = self._ask("Target.getTargets")["targetInfos"]
        target = next(one["targetId"] for one in pages if one["type"] == "page")
        session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        told = self._ask("Runtime.evaluate", session, expression=expression, returnByValue=True)
        self._ask("Target.detachFromTarget", sessionId=session)
        return told["result"].get("value")

    def picture(self, path: Path, width: int, height: int) -> Pixels:
        """What a window of this size shows of the page."""
        with self._opened(path, width, height, mobile=False) as session:
            shot = self._ask("Page.captureScreenshot", session, format="png")["data"]
        return decode(base64.b64decode(shot), path.name)

    @contextmanager
    def _opened(self, path: Path, width: int, height: int, *, mobile: bool) -> Iterator[str]:
        """The session of a window of this size that has loaded the page."""
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self._ask(f"{domain}.enable", session)
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            session,
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )
        self._events.clear()
        self._ask("Page.navigate", session, url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._receive()
        try:
            yield session
        finally:
            self._ask("Target.closeTarget", targetId=target)

    def _ask(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        number = next(self._ids)
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        self._out.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def _receive(self) -> dict[str, Any]:
        """The next message; events are kept."""
        data = bytearray()
        while (byte := self._in.read(1)) != b"\0":
            assert byte, "Chromium has gone"
            data += byte
        message: dict[str, Any] = json.loads(data)
        if "method" in message:
            self._events.append(message)
        return message
