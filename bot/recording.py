"""Keeps a run in a folder as it happens: every picture, reading, answer, plan and action, for a later look.

A run folder holds `run.jsonl`, one line per event, `frames/NNNNN.png`, and `profile-N/` with what
they are read with. It is private to the user, bounded in size, and complete up to the moment of a `kill -9`:
a picture is written before the line that names it, and only the last line can be cut off. A picture is kept whole
now and then, and else as the rectangle that changed, each value XOR the one before. Documented in docs/reliability.md.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.actions import Action
from bot.devices.base import Device
from bot.errors import WrongUsage
from bot.game import Game
from bot.state import make_private, runs_folder
from calibration import store
from calibration.errors import CalibrationError
from vision.frame import Box, Frame, Pixels
from vision.image import encode_png
from vision.profile import Profile

FORMAT = 1
LOG, FRAMES, PROFILE = "run.jsonl", "frames", "profile"
# A run that nobody asked for keeps so much, and so many of them are kept: 1 GB at the very most.
KEPT_BYTES, KEPT_RUNS = 64_000_000, 16
# A run that was asked for by name may be larger.
ASKED_BYTES = 500_000_000
# A whole picture is kept at least so often, so that a damaged file spoils few others.
WHOLE_EVERY = 50
# A profile may change while an unknown program is learned.
MOST_PROFILES = 9
_FULL = json.dumps({"kind": "full"}) + "\n"
_RUN_NAME = re.compile(r"\d{8}-\d{6}-\d+")


def kept_runs(root: Path | None = None) -> list[Path]:
    """The runs in the user's folder, oldest first."""
    root = root or runs_folder()
    try:
        found = [path for path in root.iterdir() if _RUN_NAME.fullmatch(path.name) and not path.is_symlink()]
    except OSError:
        return []
    return sorted(path for path in found if (path / LOG).is_file())


def new_run(root: Path | None = None, tell: Callable[[str], None] = lambda words: None) -> Recording:
    """A recording in the user's folder; the oldest ones make room. Raises WrongUsage. tell: as for Recording."""
    root = root or runs_folder()
    for old in kept_runs(root)[: -(KEPT_RUNS - 1)]:
        shutil.rmtree(old, ignore_errors=True)
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    return Recording(root / stamp, KEPT_BYTES, tell)


class Recording:
    """The folder of one run while it is written. Raises WrongUsage when the folder is not usable.

    A disk that takes no more ends the recording and never the run. tell: hears why, once.
    """

    def __init__(
        self, folder: Path, most_bytes: int = ASKED_BYTES, tell: Callable[[str], None] = lambda words: None
    ) -> None:
        self.folder = folder
        self._room = most_bytes
        self._tell = tell
        self._began = time.monotonic()
        self._last: Pixels | None = None
        self._frames = 0
        self._numbers: dict[int, int] = {}
        self._profile: Profile | None = None
        self._profile_folder: str | None = None
        self._profiles = 0
        try:
            make_private(folder)
            if any(folder.iterdir()):
                raise WrongUsage(f"{folder}: already holds something", hint="record into a new folder")
            folder.chmod(0o700)
            (folder / FRAMES).mkdir(mode=0o700)
            self._log = _private(folder / LOG)
        except OSError as error:
            raise WrongUsage(
                f"{folder}: cannot be written: {error.strerror}", hint="choose another --record"
            ) from error
        self.write("run", format=FORMAT, date=time.strftime("%Y-%m-%dT%H:%M:%S%z"), versions=versions())

    def board(self, game: Game[Any, Any], profile: Profile) -> None:
        """From here on this game is played, read with this profile."""
        self.write("board", game=game.name)
        self.read_with(profile)

    def read_with(self, profile: Profile) -> None:
        """From here on pictures are read with this profile; it is kept, the first time it is used."""
        if self._profile is not profile:
            self._profile, self._profile_folder = profile, self._keep_profile(profile)
        self.write("profile", name=profile.name, kept=self._profile_folder)

    def picture(self, frame: Frame) -> None:
        """A captured frame; one that shows the same as the one before is not kept again."""
        box = changed(self._last, frame.pixels)
        if box is not None:
            self._frames += 1
            try:
                kept = self._keep(frame.pixels, box)
            except OSError as error:
                self._stop(error)
                kept = {}
            self.write("frame", number=self._frames, source=frame.source, **kept)
            self._last = frame.pixels
        self._numbers = {id(frame): self._frames}

    def number_of(self, frame: Frame) -> int | None:
        """The number of the picture that a frame shows; None for one that was never captured here."""
        return self._numbers.get(id(frame))

    def write(self, kind: str, **entry: Any) -> None:
        """One event; nothing more is written once the run is full."""
        line = json.dumps({"kind": kind, "at": round(time.monotonic() - self._began, 3)} | entry) + "\n"
        if len(line) > self._room > 0:
            self._room, line = 0, _FULL
        elif self._room > 0:
            self._room -= len(line)
        else:
            return
        try:
            self._log.write(line)
            self._log.flush()
        except OSError as error:
            self._stop(error)

    def close(self) -> None:
        # What could not be written before is tried once more, and given up.
        with suppress(OSError):
            self._log.close()

    def _stop(self, error: OSError) -> None:
        """Write no more. The file that it happened in may be cut off, as after a kill."""
        if self._room > 0:
            self._room = 0
            self._tell(f"recording stopped, the run goes on: {self.folder}: {error.strerror}")

    def _keep_profile(self, profile: Profile) -> str | None:
        """The folder inside the run that holds a profile; None where there is no room for it."""
        size = sum(icon.pixels.nbytes for icon in profile.templates.values())
        if size > self._room or self._profiles >= MOST_PROFILES:
            return None
        self._profiles += 1
        name = f"{PROFILE}-{self._profiles}"
        try:
            store.save(profile, self.folder / name)
        except (CalibrationError, OSError):
            return None
        return name

    def _keep(self, pixels: Pixels, box: Box) -> dict[str, Any]:
        """Write a picture, or how its changed part differs, while there is room."""
        height, width = pixels.shape[:2]
        last = self._last
        if last is None or last.shape != pixels.shape or self._frames % WHOLE_EVERY == 1:
            last, box = None, Box(0, 0, width, height)
        inner = slice(box.top, box.top + box.height), slice(box.left, box.left + box.width)
        # Bit by bit against the picture before: sparkles over a table then take a twentieth of their box.
        part = pixels[inner] if last is None else pixels[inner] ^ last[inner]
        data = encode_png(np.ascontiguousarray(part))
        if len(data) >= self._room:
            # The line does not fit any more either: the run is full.
            self._room = min(self._room, 1)
            return {}
        self._room -= len(data)
        name = f"{FRAMES}/{self._frames:05}.png"
        try:
            with _private(self.folder / name, "wb") as file:
                file.write(data)
        except OSError:
            with suppress(OSError):
                (self.folder / name).unlink(missing_ok=True)
            raise
        return {
            "file": name,
            "size": [width, height],
            "at_px": [box.left, box.top],
            "differs": last is not None,
        }


class RecordingDevice:
    """Passes everything on to another device and writes it down."""

    def __init__(self, inner: Device, recording: Recording) -> None:
        self._inner, self._recording = inner, recording

    def capture(self) -> Frame:
        frame = self._inner.capture()
        self._recording.picture(frame)
        return frame

    def peek(self, parts: Sequence[Box]) -> Sequence[Pixels] | None:
        """Nothing is read there, so nothing is kept."""
        return self._inner.peek(parts)

    def act(self, actions: Sequence[Action]) -> None:
        self._recording.write("act", actions=[action_json(action) for action in actions])
        self._inner.act(actions)

    def close(self) -> None:
        self._inner.close()
        self._recording.close()


def action_json(action: Action) -> dict[str, Any]:
    """An action by its name and fields, places rounded to a tenth of a px."""
    return {"kind": type(action).__name__} | {name: _rounded(value) for name, value in asdict(action).items()}


def _rounded(value: Any) -> Any:
    if isinstance(value, float | np.floating):
        return round(float(value), 3)
    return [_rounded(part) for part in value] if isinstance(value, tuple | list) else value


def changed(before: Pixels | None, pixels: Pixels) -> Box | None:
    """The smallest rectangle that holds every difference; the whole picture when there is nothing to compare."""
    height, width = pixels.shape[:2]
    if before is None or before.shape != pixels.shape:
        return Box(0, 0, width, height)
    flat = cv2.absdiff(before.reshape(height, -1), pixels.reshape(height, -1))
    left, top, wide, high = cv2.boundingRect(flat)
    if not wide:
        return None
    first, last = left // 3, (left + wide - 1) // 3
    return Box(first, top, last - first + 1, high)


def versions() -> Mapping[str, str]:
    """What the run was made with."""
    named = {}
    for package in ("boardsight", "numpy", "opencv-python"):
        try:
            named[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            named[package] = "unknown"
    return named | {"python": platform.python_version(), "system": platform.system()}


def _private(path: Path, mode: str = "w") -> Any:
    """A new file that only the user may read."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    return os.fdopen(handle, mode, encoding=None if "b" in mode else "utf-8")
