"""A device that keeps what it shows and what is done to it, in a folder: a bug report that can be looked at again.

The folder holds `frames/NNNN.png`, one per picture that differs from the one before, and `run.jsonl`, one line per
picture and per call of `act`, written as it happens, so that a run that is killed leaves all that came before.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from bot.actions import Action
from bot.devices.base import Device
from bot.errors import WrongUsage
from vision.frame import Frame, Pixels
from vision.image import encode_png

# A run keeps at most so much: afterwards pictures are counted, but no longer kept.
MOST_FRAMES = 2000
MOST_BYTES = 500_000_000


class RecordingDevice:
    """Passes everything on to another device and writes it down. Raises WrongUsage when the folder is not usable."""

    def __init__(self, inner: Device, folder: Path) -> None:
        self._inner, self._folder = inner, folder
        self._last: Pixels | None = None
        self._frames = self._bytes = 0
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise WrongUsage(f"{folder}: already holds something", hint="record into a new folder")
            (folder / "frames").mkdir(mode=0o700)
            self._log = (folder / "run.jsonl").open("w", encoding="utf-8")
        except OSError as error:
            raise WrongUsage(
                f"{folder}: cannot be written: {error.strerror}", hint="choose another --record"
            ) from error

    def capture(self) -> Frame:
        frame = self._inner.capture()
        if self._last is None or not np.array_equal(self._last, frame.pixels):
            self._last = frame.pixels
            self._frames += 1
            self._write({"frame": self._keep(frame), "source": frame.source, "taken_at": frame.taken_at})
        return frame

    def act(self, actions: Sequence[Action]) -> None:
        self._write({"actions": [{"kind": type(action).__name__} | asdict(action) for action in actions]})
        self._inner.act(actions)

    def close(self) -> None:
        self._inner.close()
        self._log.close()

    def _keep(self, frame: Frame) -> str | None:
        """The name of the picture's file; None once the run is full."""
        if self._frames > MOST_FRAMES or self._bytes > MOST_BYTES:
            return None
        name = f"frames/{self._frames:04}.png"
        data = encode_png(frame.pixels)
        self._bytes += len(data)
        (self._folder / name).write_bytes(data)
        return name

    def _write(self, entry: dict[str, object]) -> None:
        self._log.write(json.dumps({"at": round(time.time(), 3)} | entry) + "\n")
        self._log.flush()
