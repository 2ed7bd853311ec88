"""Errors of reading a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.errors import BoardsightError


class VisionError(BoardsightError):
    """Something about the picture."""


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
