"""What a reader saw: the puzzle, what has been entered, where everything is and how sure that is."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

from solver.lattice import Cell
from vision.frame import Box, Point

P = TypeVar("P")
S = TypeVar("S")

# "either": given or placed, as a sign that is marked as an error may be.
State = Literal["given", "placed", "either", "free"]


@dataclass(frozen=True)
class Geometry:
    """Cell -> px of the frame; one type for squares, hexes and ring figures.

    pitch_px: distance between neighbouring cells (hexes: between vertical neighbours); the smaller one where
        x and y differ.
    """

    centres: Mapping[Any, Point]
    pitch_px: float

    def nearest(self, at: Point) -> Cell | None:
        """The cell whose centre is nearest, or None when it is further than half a pitch away."""
        if not self.centres:
            return None
        cell, centre = min(
            self.centres.items(), key=lambda item: (item[1].x - at.x) ** 2 + (item[1].y - at.y) ** 2
        )
        inside = (centre.x - at.x) ** 2 + (centre.y - at.y) ** 2 <= (self.pitch_px / 2) ** 2
        return cell if inside else None


@dataclass(frozen=True)
class Mark:
    """What was seen in one cell.

    symbol: "" for a cell with nothing in it; None when the reader will not say.
    confidence: 0..1; 1 is certain.
    runner_up: the second-best symbol, "" when there was none.
    harmless: no symbol only because it may be nothing or a note (a nonogram's cross): surely no entry that could be
        wrong, so that play may go on and look at it again.
    """

    symbol: str | None
    confidence: float
    runner_up: str = ""
    state: State = "free"
    harmless: bool = False


@dataclass(frozen=True)
class Control:
    """A palette entry or a button.

    count: the number printed on it, None when there is none or it cannot be read.
    symbol: False for a button, which is no entry of the palette.
    active: False for one that is shown but cannot be used (no stock).
    """

    at: Point
    count: int | None = None
    active: bool = True
    confidence: float = 1.0
    symbol: bool = True


@runtime_checkable
class NamesCells(Protocol):
    """A puzzle that says where on it a cell is."""

    def name(self, cell: Any, /) -> str: ...


@dataclass(frozen=True)
class Reading(Generic[P, S]):
    """A board on a frame.

    placed: what has been entered so far, a partial solution.
    marks: one per cell that the command line lists (`Geometry.centres` holds all cells).
    controls: palette entries by symbol, and buttons by a name that is no symbol ("next-page").
    area: the part of the frame that belongs to the board and its controls; nothing outside it is ever tapped.
    finished: the screen itself says that the puzzle is solved (a flash, a banner, a seal).
    ui: which of several layouts or programs it is, for people and players ("stock", "tweaks", "sgt").
    remarks: what the trust checks noticed, in words.
    mistakes: the places where the program itself says that something is wrong: an entry, or a clue that is not kept.
    others: where other boards of the game are on the frame: this one was taken without anybody's having said which.
    seen: what its reader remembers for a later look, with the picture: see `vision.track`. Of no meaning to anybody else.
    """

    puzzle: P
    placed: S
    geometry: Geometry
    marks: Mapping[Any, Mark]
    area: Box
    controls: Mapping[str, Control] = field(default_factory=dict)
    finished: bool = False
    ui: str = ""
    remarks: tuple[str, ...] = ()
    facts: Mapping[str, float] = field(default_factory=dict)
    mistakes: tuple[Any, ...] = ()
    others: tuple[Box, ...] = ()
    seen: Any = field(default=None, compare=False, repr=False)

    def name(self, cell: Any) -> str:
        """What people call a cell: the puzzle knows it where cells by themselves do not (hexes)."""
        return str(self.puzzle.name(cell) if isinstance(self.puzzle, NamesCells) else cell.in_words())

    @cached_property
    def doubtful(self) -> tuple[Any, ...]:
        """The cells that the reader will not name."""
        return tuple(cell for cell, mark in self.marks.items() if mark.symbol is None)

    @cached_property
    def unknown(self) -> tuple[Hashable, ...]:
        """The doubtful cells that may hold anything: nothing is played on a board that has some."""
        return tuple(cell for cell in self.doubtful if not self.marks[cell].harmless)

    @property
    def advice(self) -> str | None:
        """What a player can do about the doubtful cells where all are of one kind; None where they are not."""
        either = bool(self.doubtful) and all(self.marks[cell].state == "either" for cell in self.doubtful)
        return "take these entries back: nothing tells them from printed ones" if either else None

    @property
    def confidence(self) -> float:
        """The least certain cell's confidence; 1.0 for a board without marks."""
        return min((mark.confidence for mark in self.marks.values()), default=1.0)
