"""A later frame of a board that is known: what is known stays, what has changed is decided anew, a contradiction stops.

One way for all games. A reading keeps what its reader remembers (`Reading.seen`) with the picture that it was told from; a
later look asks where the picture differs, and the game says what those places look like now. Where that contradicts what
is known, or something else has changed, it says None, and the picture is read anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest
from vision.frame import Box, Frame, Pixels
from vision.reading import Reading

# Values that differ by no more levels are the same: a film's noise, and a still screen's JPEG.
SAME_LEVELS = 6

R = TypeVar("R", bound=Reading[Any, Any])


class Remembered(Protocol):
    """What a reader remembers. pixels: the picture that the reading was told from."""

    @property
    def pixels(self) -> Pixels: ...


@dataclass(frozen=True, eq=False)
class Changes:
    """Where a part of a picture is not as it was.

    area: that part, around all that has changed. mask: (height, width) uint8 of it, 1 where it changed.
    """

    area: Box
    mask: npt.NDArray[np.uint8]

    def __bool__(self) -> bool:
        return bool(self.mask.any())

    @cached_property
    def _sums(self) -> npt.NDArray[np.int32]:
        return np.asarray(cv2.integral(self.mask), np.int32)

    def within(self, boxes: Sequence[Box]) -> npt.NDArray[np.int64]:
        """(n,) how many px have changed in each box, px of the whole picture."""
        at = np.array(boxes, np.int64).reshape(-1, 4)
        left, right = (
            np.clip(x - self.area.left, 0, self.area.width) for x in (at[:, 0], at[:, 0] + at[:, 2])
        )
        top, bottom = (
            np.clip(y - self.area.top, 0, self.area.height) for y in (at[:, 1], at[:, 1] + at[:, 3])
        )
        sums = self._sums
        found = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        return np.asarray(found, np.int64)

    def beside(self, boxes: Sequence[Box]) -> int:
        """How many px have changed that lie in none of the boxes."""
        rest = self.mask.copy()
        for box in boxes:
            own = Box(box.left - self.area.left, box.top - self.area.top, box.width, box.height)
            rest[own.clipped((self.area.width, self.area.height)).window] = 0
        return int(cv2.countNonZero(rest))


def changes(before: Pixels, now: Pixels, area: Box, least_levels: int = SAME_LEVELS) -> Changes:
    """Where two pictures of one size differ by more levels. area: the part that is looked at."""
    off = cv2.absdiff(now[area.window], before[area.window])
    cv2.threshold(off, least_levels, 1, cv2.THRESH_BINARY, off)
    # Mostly little has changed: only there channels are told apart.
    first, top, values, height = cv2.boundingRect(off.reshape(area.height, -1))
    left, right = first // 3, (first + values + 2) // 3
    mask = strongest(np.asarray(off[top : top + height, left:right], np.uint8))
    return Changes(Box(area.left + left, area.top + top, right - left, height), mask)


def later(
    frame: Frame, earlier: R, again: Callable[[Frame, R, Changes], R | None], area: Box | None = None
) -> R | None:
    """The reading of a later frame of the same place; None where it has to be read anew.

    again: says what the changed places look like. area: that is looked at, the board's where it is None.
    """
    seen: Remembered | None = earlier.seen
    if seen is None or seen.pixels.shape != frame.pixels.shape:
        return None
    differ = changes(seen.pixels, frame.pixels, earlier.area if area is None else area)
    return again(frame, earlier, differ) if differ else earlier
