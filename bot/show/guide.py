"""What a game brings along so that its solving can be watched: one record per game, part of its entry in `GAMES`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.show import algemy as show_algemy
from bot.show import bridges as show_bridges
from bot.show import nonogram as show_nonogram
from bot.show import rings as show_rings
from bot.show import thaumcraft as show_thaumcraft
from bot.show.scene import Drawing, Moment, Room
from solver.algemy import Algemy, Solution
from solver.algemy.board import COLOUR_NAMES, AlgemyCell
from solver.algemy.steps import reasoner as algemy_reasoner
from solver.answer import Answer
from solver.bridges import Bridges, Joins, Span
from solver.bridges.steps import BridgeReasoner
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from solver.nonogram.steps import LineReasoner
from solver.rings import Entries, Rings
from solver.rings.steps import RingReasoner
from solver.steps import Reasoner
from solver.thaumcraft import Note
from solver.thaumcraft import Solution as Chain
from solver.thaumcraft.steps import ChainReasoner

P = TypeVar("P")
S = TypeVar("S")


def _as_they_are(board: Any) -> Mapping[Any, Any]:
    entries: Mapping[Any, Any] = board
    return entries


def _differs(placed: Any, right: Any) -> bool:
    return bool(placed != right)


@dataclass(frozen=True)
class Guide(Generic[P, S]):
    """How a game explains its solving.

    reasoner: the rules for one puzzle, one at a time; it is told the solver's answer, which is what it explains
        where no rule is known.
    scene: draws a moment: puzzle, moment, how much room there is, and whether signs must do what colours do.
    words: where a cell is and what it holds, in words: ("at row 3, column 4", "filled").
    entries: a board as cell -> value, in the form of the steps.
    wrong: whether what is placed contradicts what the solution has there (None: nothing).
    """

    reasoner: Callable[[P, Answer[S]], Reasoner[Any, S]]
    scene: Callable[[P, Moment[S], Room, bool], Drawing]
    words: Callable[[P, Any, Any], tuple[str, str]]
    entries: Callable[[S], Mapping[Any, Any]] = _as_they_are
    wrong: Callable[[Any, Any], bool] = _differs


def _square(at: Square) -> str:
    return f"row {at.row + 1}, column {at.col + 1}"


def _pixels(picture: Picture) -> Mapping[Square, str]:
    """Every known cell of a nonogram: `#` or its ink, `.` for a blank."""
    return dict.fromkeys(picture.blank, ".") | dict.fromkeys(picture.filled, "#") | dict(picture.inks)


def _pixel(puzzle: Nonogram, at: Square, value: str) -> tuple[str, str]:
    names = {ink.char: ink.name for ink in puzzle.palette.inks} if puzzle.palette else {}
    return f"at {_square(at)}", "blank" if value == "." else names.get(value, "filled")


def _span(puzzle: Bridges, span: Span, count: int) -> tuple[str, str]:
    where = f"between {_square(span.a)} and {_square(span.b)}"
    return where, "one bridge" if count == 1 else f"{count} bridges"


def _source(puzzle: Algemy, cell: AlgemyCell, colour: str) -> tuple[str, str]:
    return f"at {puzzle.name(cell)}", f"a {COLOUR_NAMES[colour]} source"


ALGEMY: Guide[Algemy, Solution] = Guide(
    lambda puzzle, answer: algemy_reasoner(puzzle, answer.solution), show_algemy.show, _source
)
BRIDGES: Guide[Bridges, Joins] = Guide(
    lambda puzzle, answer: BridgeReasoner(puzzle),
    show_bridges.show,
    _span,
    # Fewer bridges than there will be are not wrong.
    wrong=lambda placed, right: placed > (right or 0),
)
NONOGRAM: Guide[Nonogram, Picture] = Guide(
    lambda puzzle, answer: LineReasoner(puzzle), show_nonogram.show, _pixel, _pixels
)
RINGS: Guide[Rings, Entries] = Guide(
    lambda puzzle, answer: RingReasoner(puzzle),
    show_rings.show,
    lambda puzzle, region, number: (f"in region {region}", f"the {number}"),
)
THAUMCRAFT: Guide[Note, Chain] = Guide(
    ChainReasoner,
    show_thaumcraft.show,
    lambda note, cell, tag: (f"at ({cell.q}, {cell.r})", tag),
    # What lies beside the chain does no harm.
    wrong=lambda placed, right: right is not None and placed != right,
)
