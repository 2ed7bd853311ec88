"""What a game brings along so that its solving can be watched: part of its record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.show.scene import Drawing, Moment, Room
from solver.answer import Answer
from solver.lattice import Square
from solver.steps import Reasoner

P = TypeVar("P")
S = TypeVar("S")


def _differs(placed: Any, right: Any) -> bool:
    return bool(placed != right)


@dataclass(frozen=True)
class Guide(Generic[P, S]):
    """How a game explains its solving.

    reasoner: the rules for one puzzle, one at a time; it is told the solver's answer, which is what it explains
        where no rule is known.
    scene: draws a moment: puzzle, moment, how much room there is, and whether signs must do what colours do.
    words: where a cell is and what it holds, in words: ("at row 3, column 4", "filled").
    wrong: whether what is placed contradicts what the solution has there (None: nothing).
    blank: the value that needs no mark on the board.
    """

    reasoner: Callable[[P, Answer[S]], Reasoner[Any, S]]
    scene: Callable[[P, Moment[S], Room, bool], Drawing]
    words: Callable[[P, Any, Any], tuple[str, str]]
    wrong: Callable[[Any, Any], bool] = _differs
    blank: object = None


def square_words(at: Square) -> str:
    """A square's place as people count it.

    >>> square_words(Square(0, 4))
    'row 1, column 5'
    """
    return f"row {at.row + 1}, column {at.col + 1}"
