"""Errors of reading a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from solver.errors import BoardsightError

# So many doubtful cells are named in a message.
CELLS_NAMED = 5


class VisionError(BoardsightError):
    """Something about the picture.

    game: the name of the likeliest game, "" where there is none.
    """

    game = ""


class UnreadableImage(VisionError):
    """The file is no picture that we open: wrong kind, damaged, truncated or too large."""


class BoardNotFound(VisionError):
    """No board of the game is on the frame."""

    usual_hint = "bring the whole board onto the picture, with nothing over it"


class NoPuzzleShown(BoardNotFound):
    """The game is on the frame, but no puzzle: an empty table, a menu."""


class UncertainReading(VisionError):
    """The board is there, but it cannot be read with certainty.

    cells: the doubtful ones, where they are known.
    """

    def __init__(self, message: str, *, hint: str = "", cells: Sequence[Any] = ()) -> None:
        super().__init__(message, hint=hint)
        self.cells = tuple(cells)

    @classmethod
    def of(
        cls, cells: Sequence[Any], *, hint: str, where: str = "", name: Callable[[Any], str] | None = None
    ) -> UncertainReading:
        """The error of cells in doubt on a board that was read; `where` names the picture, if need be.

        name: what people call a cell (`Reading.name`); None where the cells can tell by themselves.
        """
        named = "; ".join(name(cell) if name else cell.in_words() for cell in cells[:CELLS_NAMED])
        more = "; ..." if len(cells) > CELLS_NAMED else ""
        count = "1 cell is" if len(cells) == 1 else f"{len(cells)} cells are"
        return cls(f"{where}{': ' if where else ''}{count} in doubt: {named}{more}", hint=hint, cells=cells)


class PartlyOff(UncertainReading):
    """The picture's edge cuts the board, or may do so."""
