"""What the desk tells the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vision.frame import Pixels
from vision.reading import Reading

# Of a board's larger side, so much is shown around it.
ROOM_AROUND = 0.03


@dataclass(frozen=True)
class Shown:
    """The picture with what is known painted on it.

    reading: None where no board was read. title: the game's, "" without one.
    """

    pixels: Pixels
    reading: Reading[Any, Any] | None = None
    title: str = ""


@dataclass(frozen=True)
class Said:
    """A sentence for the person. kind: how it is meant; more: what to do, or what had to be seen before.

    learn: the game whose looks must be learned before its board can be read; "" otherwise.
    """

    kind: str
    text: str
    more: str = ""
    learn: str = ""


@dataclass(frozen=True)
class Asked:
    """The plan waits for a yes or a no (`Desk.reply`)."""

    text: str


@dataclass(frozen=True)
class Moved:
    """How far a run has come, in cells."""

    done: int
    total: int
    text: str


@dataclass(frozen=True)
class Idle:
    """The last thing is done; `game` is what is on the picture, "" for none."""

    game: str = ""


@dataclass(frozen=True)
class Ended:
    """A run has come to its end. section: its story as HTML."""

    status: str
    section: str


Event = Shown | Said | Asked | Moved | Idle | Ended


def board_of(shown: Shown) -> tuple[Pixels, tuple[int, int]]:
    """The part of a picture that holds the board, with some room around it, and its left top corner."""
    if shown.reading is None:
        return shown.pixels, (0, 0)
    height, width = shown.pixels.shape[:2]
    area = shown.reading.area
    room = round(ROOM_AROUND * max(area.width, area.height))
    left, top = max(0, area.left - room), max(0, area.top - room)
    right, bottom = min(width, area.left + area.width + room), min(height, area.top + area.height + room)
    return shown.pixels[top:bottom, left:right], (left, top)
