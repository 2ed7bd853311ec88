"""A captured picture, and places on it."""

from __future__ import annotations

from dataclasses import dataclass
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

    def contains(self, at: Point) -> bool:
        return self.left <= at.x < self.left + self.width and self.top <= at.y < self.top + self.height

    @property
    def centre(self) -> Point:
        return Point(self.left + self.width / 2, self.top + self.height / 2)


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of a screen.

    pixels: (H, W, 3) uint8, BGR.
    taken_at: s, by the clock of the run.
    source: where it came from, for people: "adb:emulator-5554", "shots/42.png", "practice:rings:7".
    corners: of the board on a photograph, as somebody told them, clockwise from its top left; empty for a screen.
    """

    pixels: Pixels
    taken_at: float = 0.0
    source: str = ""
    corners: tuple[Point, ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in px."""
        return int(self.pixels.shape[1]), int(self.pixels.shape[0])
