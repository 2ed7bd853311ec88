"""Saved screenshots as a device: shows them in order and keeps what would have been tapped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from bot.actions import Action
from bot.errors import CaptureFailed
from calibration.files import read_bytes
from vision.frame import Box, Frame, Pixels
from vision.image import MAX_BYTES, decode

# Larger pictures are reduced to so many px, a 4K screen, before they are read: 39 million took 1.6 GB and a minute.
MOST_READ = 3840 * 2160


def load_frame(path: Path) -> Frame:
    """The picture in a file, reduced where it is very large. Raises UnreadableImage, also for a file that is not there."""
    pixels = decode(read_bytes(path, MAX_BYTES), str(path))
    height, width = pixels.shape[:2]
    if width * height <= MOST_READ:
        return Frame(pixels, source=str(path))
    import cv2
    import numpy as np

    scale = math.sqrt(width * height / MOST_READ)
    size = max(1, math.floor(width / scale)), max(1, math.floor(height / scale))
    small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Frame(small, source=str(path), scale=width / size[0] if width > height else height / size[1])


class ImageDevice:
    """Shows each of its frames once, then the last one again; takes any action and does nothing with it.

    actions: what was asked for, in order, for tests and dry runs.
    """

    def __init__(self, frames: Sequence[Frame]) -> None:
        if not frames:
            raise CaptureFailed("no picture given", hint="name at least one screenshot")
        self._frames = list(frames)
        self.actions: list[Action] = []

    @classmethod
    def open(cls, paths: Sequence[Path]) -> ImageDevice:
        return cls([load_frame(path) for path in paths])

    def capture(self) -> Frame:
        return self._frames.pop(0) if len(self._frames) > 1 else self._frames[0]

    def peek(self, parts: Sequence[Box]) -> Sequence[Pixels] | None:
        return None

    def act(self, actions: Sequence[Action]) -> None:
        self.actions.extend(actions)

    def close(self) -> None:
        pass
