"""A captured picture, and places on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import add
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    # A puzzle given as text is solved without numpy: whoever only names a picture's type does not load it.
    import numpy as np
    import numpy.typing as npt

Pixels: TypeAlias = "npt.NDArray[np.uint8]"


class Point(NamedTuple):
    """A place in px of the frame, origin top left, y down; the middle of the first pixel is (0.5, 0.5)."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle of whole px."""

    left: int
    top: int
    width: int
    height: int

    @classmethod
    def around(cls, *boxes: Box) -> Box:
        """The smallest one that holds all of these, of which there is at least one."""
        lefts, tops, widths, heights = zip(*boxes, strict=True)
        left, top = min(lefts), min(tops)
        return cls(left, top, max(map(add, lefts, widths)) - left, max(map(add, tops, heights)) - top)

    @classmethod
    def spanning(cls, near: Point, far: Point) -> Box:
        """The px between two places, of which the first is the upper left one; those they lie in included."""
        left, top = math.floor(near.x), math.floor(near.y)
        return cls(left, top, math.ceil(far.x) - left, math.ceil(far.y) - top)

    @classmethod
    def about(cls, at: Point, reach: float) -> Box:
        """The px up to so far from a place, to each side."""
        return cls.spanning(Point(at.x - reach, at.y - reach), Point(at.x + reach, at.y + reach))

    @property
    def right(self) -> int:
        """The first column that is no more in it."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row that is no more in it."""
        return self.top + self.height

    @property
    def centre(self) -> Point:
        return Point(self.left + self.width / 2, self.top + self.height / 2)

    @property
    def window(self) -> tuple[slice, slice]:
        """The rows and columns of a picture that lie in it: `pixels[box.window]`. For one that is inside the picture."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def contains(self, at: Point) -> bool:
        return self.left <= at.x < self.right and self.top <= at.y < self.bottom

    def like(self, other: Box, px: int) -> bool:
        """Whether no side is farther than so many px from that of the other one."""
        off = (
            self.left - other.left,
            self.top - other.top,
            self.right - other.right,
            self.bottom - other.bottom,
        )
        return max(map(abs, off)) <= px

    def shared(self, other: Box) -> tuple[int, int]:
        """How many px across and down both have; negative where there is a gap."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        return wide, min(self.bottom, other.bottom) - max(self.top, other.top)

    def mostly_in(self, other: Box, share: float) -> bool:
        """Whether so much of it lies in the other one."""
        wide, high = (max(px, 0) for px in self.shared(other))
        return wide * high >= share * self.width * self.height

    def grown(self, px: int) -> Box:
        """With so many px more on every side; less, where that is negative."""
        return Box(self.left - px, self.top - px, self.width + 2 * px, self.height + 2 * px)

    def shrunk(self, times: int) -> Box:
        """Where it is on a picture that is so many times smaller."""
        return Box(*(side // times for side in self))

    def clipped(self, size: tuple[int, int]) -> Box:
        """The part of it that lies on a picture of that (width, height); of no width or height where none does."""
        left, right = (min(max(x, 0), size[0]) for x in (self.left, self.right))
        top, bottom = (min(max(y, 0), size[1]) for y in (self.top, self.bottom))
        return Box(left, top, max(right - left, 0), max(bottom - top, 0))

    def moved(self, right: int, down: int) -> Box:
        """The same one elsewhere."""
        return Box(self.left + right, self.top + down, self.width, self.height)


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of a screen.

    pixels: (H, W, 3) uint8, BGR; the scan lines of an imitated old screen are taken off.
    taken_at: s, by the clock of the run.
    source: where it came from, for people: "adb:emulator-5554", "shots/42.png", "practice:rings:7".
    scale: px of the source for each px of the frame: a very large picture is reduced before it is read.
    cut: the sides on which the window goes on beyond the screen ("left", "top", "right", "bottom").
    title: of the window that it shows; "" where that is not known.
    """

    pixels: Pixels
    taken_at: float = 0.0
    source: str = ""
    scale: float = 1.0
    cut: tuple[str, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        from vision.scanlines import without_scan_lines

        object.__setattr__(self, "pixels", without_scan_lines(self.pixels))

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in px."""
        return int(self.pixels.shape[1]), int(self.pixels.shape[0])
