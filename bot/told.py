"""What a person says of cells that could not be read, and a board with that in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, TypeVar

from vision.reading import Mark, Reading, State

P = TypeVar("P")
S = TypeVar("S")


class Word(NamedTuple):
    """What a cell holds, as the marks call it ("" for nothing), and whether that is printed there rather than entered."""

    symbol: str
    printed: bool


@dataclass(frozen=True)
class Telling(Generic[P, S]):
    """How a person's word for a cell changes a board.

    symbols: what a cell may hold, as the marks call it; "" for nothing.
    prints: what may be printed in it, where that is something else than what may be entered.
    tell: the puzzle and its entries with that word for a cell. Raises InvalidPuzzle for what cannot stand there.
    printed, entered: which of the two a symbol may be.
    """

    symbols: Callable[[P], Sequence[str]]
    tell: Callable[[P, S, Any, Word], tuple[P, S]]
    printed: bool = True
    entered: bool = True
    prints: Callable[[P], Sequence[str]] | None = None

    def choices(self, puzzle: P, printed: bool) -> Sequence[str]:
        """What may be printed, or entered, in a cell."""
        return self.prints(puzzle) if printed and self.prints is not None else self.symbols(puzzle)

    def kinds(self, mark: Mark) -> tuple[bool, ...]:
        """Whether what is in a cell may be printed (True) or entered (False); both where nobody knows."""
        if mark.state != "free":
            return (mark.state == "given",)
        return (True,) * self.printed + (False,) * self.entered


def with_words(
    telling: Telling[Any, Any] | None, reading: Reading[Any, Any], words: Mapping[Any, Word]
) -> Reading[Any, Any]:
    """The reading with what somebody said of its cells.

    Only of cells that are in doubt or printed: what is entered, and clearly seen, is believed as it is seen.
    Raises InvalidPuzzle for what cannot stand there.
    """
    if telling is None:
        return reading
    marks = dict(reading.marks)
    puzzle, placed = reading.puzzle, reading.placed
    for cell, word in words.items():
        mark = marks.get(cell)
        if mark is None or (mark.symbol is not None and mark.state != "given"):
            continue
        puzzle, placed = telling.tell(puzzle, placed, cell, word)
        state: State = "free" if not word.symbol else "given" if word.printed else "placed"
        marks[cell] = Mark(word.symbol, 1.0, mark.runner_up, state)
    return replace(reading, puzzle=puzzle, placed=placed, marks=marks)
