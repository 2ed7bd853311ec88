"""How a game's entries are painted: what a brush is, without anything that paints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vision.frame import Pixels, Point
from vision.profile import Profile


@dataclass(frozen=True)
class Canvas:
    """What a brush paints on.

    pixels: (H, W, 3) uint8, BGR; changed in place.
    thick: a line's width, px.
    """

    pixels: Pixels
    pitch: float
    thick: int
    profile: Profile
    colours: Mapping[str, tuple[int, int, int]]


@dataclass(frozen=True)
class Brush:
    """How the entries of a game are drawn over a picture.

    ends: the cells between which an entry lies; one for an entry in a cell.
    draw: paints one entry; from the canvas, the px of its ends, and its value. None paints its icon or its name.
    colours: hexadecimal RGB by value, of a puzzle; values whose text is no such colour have none.
    """

    ends: Callable[[Any], Sequence[Any]] = lambda cell: (cell,)
    draw: Callable[[Canvas, Sequence[Point], Any], None] | None = None
    colours: Callable[[Any], Mapping[str, str]] = lambda puzzle: {}


LABELS = Brush()
