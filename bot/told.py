"""What a person says of cells that could not be read, and a board with that in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from vision.reading import Mark, Reading, State

P = TypeVar("P")
S = TypeVar("S")


@dataclass(frozen=True)
class Telling(Generic[P, S]):
    """How a person's word for a cell changes a board.

    symbols: what a cell may hold, as the marks call it; "" for nothing.
    tell: the puzzle and its entries with that symbol in the cell; the last argument is whether it is printed there rather
        than entered. Raises InvalidPuzzle for what cannot stand there.
    """

    symbols: Callable[[P], Sequence[str]]
    tell: Callable[[P, S, Any, str, bool], tuple[P, S]]


def with_words(
    telling: Telling[Any, Any] | None, reading: Reading[Any, Any], words: Mapping[Any, str]
) -> Reading[Any, Any]:
    """The reading with what somebody said of its cells.

    Only of cells that are in doubt or printed: what is entered, and clearly seen, is believed as it is seen.
    Raises InvalidPuzzle for what cannot stand there.
    """
    if telling is None:
        return reading
    marks = dict(reading.marks)
    puzzle, placed = reading.puzzle, reading.placed
    for cell, symbol in words.items():
        mark = marks.get(cell)
        if mark is None or (mark.symbol is not None and mark.state != "given"):
            continue
        puzzle, placed = telling.tell(puzzle, placed, cell, symbol, mark.state == "given")
        state: State = mark.state if mark.state != "free" or not symbol else "placed"
        marks[cell] = Mark(symbol, 1.0, mark.runner_up, state)
    return replace(reading, puzzle=puzzle, placed=placed, marks=marks)
