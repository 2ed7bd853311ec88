"""A later frame of a board that is known: what is known stays, what has changed is decided anew, a contradiction stops.

One way for all games. A reading keeps what its reader remembers (`Reading.seen`) with the picture that it was told from; a
later look asks where the picture differs, and the game says what those places look like now. Where that contradicts what
is known, or something else has changed, it says None, and the picture is read anew.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Pixels
from vision.reading import Reading

# Values that differ by no more levels are the same: a film's noise, and a still screen's JPEG.
SAME_LEVELS = 6
# So many rows are compared at once, to see whether anything has changed there.
STRIPE_PX = 32
# Where more of the places have changed all of them are looked at: together they are told as at first.
MOST_CHANGED = 0.4

R = TypeVar("R", bound=Reading[Any, Any])
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Remembered(Protocol):
    """What a reader remembers. pixels: the picture that the reading was told from."""

    @property
    def pixels(self) -> Pixels: ...


@dataclass(frozen=True, eq=False)
class Changes:
    """Where a part of a picture is not as it was.

    looked: that part. area: the part of it around all that has changed. mask: (height, width) uint8 of the area, 1 where
    it changed.
    """

    looked: Box
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

    def between(self, upright: npt.NDArray[np.int64], level: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """(rows, columns) how many px have changed between each two lines of a lattice, px of the whole picture."""
        x = np.clip(upright - self.area.left, 0, self.area.width)
        y = np.clip(level - self.area.top, 0, self.area.height)
        return np.diff(np.diff(self._sums[y][:, x], axis=0), axis=1)

    def nowhere_in(self, boxes: Sequence[Box]) -> npt.NDArray[np.bool_]:
        """(n,) which of the boxes were looked at, all of them, and have not changed."""
        at, looked = np.array(boxes, np.int64).reshape(-1, 4), self.looked
        inside = (at[:, :2] >= looked[:2]).all(axis=1)
        inside &= (at[:, :2] + at[:, 2:] <= (looked.right, looked.bottom)).all(axis=1)
        return np.asarray(inside & (self.within(boxes) == 0), np.bool_)

    def beside(self, boxes: Sequence[Box]) -> int:
        """How many px have changed that lie in none of the boxes."""
        rest = self.mask.copy()
        for box in boxes:
            own = Box(box.left - self.area.left, box.top - self.area.top, box.width, box.height)
            rest[own.clipped((self.area.width, self.area.height)).window] = 0
        return int(cv2.countNonZero(rest))


def changes(before: Pixels, now: Pixels, area: Box) -> Changes:
    """Where two pictures of one size differ by more levels. area: the part that is looked at."""
    old, new = before[area.window], now[area.window]
    # Mostly little has changed: only there px are told apart.
    stripes = [slice(top, top + STRIPE_PX) for top in range(0, area.height, STRIPE_PX)]
    mask = np.zeros((area.height, area.width), np.uint8)
    for rows in stripes:
        if cv2.norm(old[rows], new[rows], cv2.NORM_INF) > SAME_LEVELS:
            mask[rows] = cv2.inRange(cv2.absdiff(old[rows], new[rows]), (0,) * 3, (SAME_LEVELS,) * 3) == 0
    changed = Box(*cv2.boundingRect(mask))
    return Changes(area, changed.moved(area.left, area.top), mask[changed.window])


class Windows:
    """What measures have said of places of a grid, each by the px of its own window alone.

    Of a later picture they are asked only where that has changed.
    """

    def __init__(self, before: Windows | None = None, changed: Changes | None = None) -> None:
        """before: of the picture that `changed` compares with a later one."""
        self._before = before._told if before else {}
        self._changed = changed
        self._told: dict[tuple[Hashable, Hashable], dict[Any, Any]] = {}
        # Where the windows are is asked once for each place.
        self._boxes: dict[tuple[Hashable, Hashable], dict[Any, Box]] = before._boxes if before else {}

    def told(
        self,
        grid: Hashable,
        name: Hashable,
        places: Sequence[K],
        window: Callable[[K], Box],
        measure: Callable[[Sequence[K]], Mapping[K, V]],
    ) -> dict[K, V]:
        """What is told of the places; `measure` says it of some of them. name: of what is measured."""
        key = grid, name
        if key not in self._told:
            self._told[key] = self._still(key, window)
        told = self._told[key]
        new = [place for place in places if place not in told]
        if len(new) > MOST_CHANGED * len(places):
            new = list(places)
        if new:
            told |= measure(new)
        return {place: told[place] for place in places if place in told}

    def _still(self, key: tuple[Hashable, Hashable], window: Callable[[Any], Box]) -> dict[Any, Any]:
        """What was told earlier of windows that have not changed."""
        before = self._before.get(key)
        if self._changed is None or not before:
            return {}
        boxes = self._boxes.setdefault(key, {})
        boxes |= {place: window(place) for place in before if place not in boxes}
        still = self._changed.nowhere_in([boxes[place] for place in before]).tolist()
        return {place: value for (place, value), is_so in zip(before.items(), still, strict=True) if is_so}

    def of(self, grid: Hashable) -> Windows:
        """Those of one grid."""
        own = Windows()
        own._told = {key: told for key, told in self._told.items() if key[0] == grid}
        return own


def later(
    frame: Frame, earlier: R, again: Callable[[Frame, R, Changes], R | None], area: Box | None = None
) -> R | None:
    """The reading of a later frame of the same place; None where it has to be read anew.

    again: says what the changed places look like, or raises where that is in doubt. area: that is looked at; None for the
    board's.
    """
    seen: Remembered | None = earlier.seen
    if seen is None or seen.pixels.shape != frame.pixels.shape:
        return None
    differ = changes(seen.pixels, frame.pixels, earlier.area if area is None else area)
    try:
        now = again(frame, earlier, differ) if differ else earlier
    except (BoardNotFound, UncertainReading):
        return None
    if now is None or now is earlier:
        return now
    # What changes slowly has changed in the end: px that are as they were stay those that were looked at.
    told = seen.pixels.copy()
    cv2.copyTo(frame.pixels[differ.area.window], differ.mask, told[differ.area.window])
    return replace(now, seen=replace(now.seen, pixels=told))
