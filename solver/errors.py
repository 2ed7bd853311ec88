"""Every error this project raises on purpose, and the errors of puzzles.

BoardsightError                      message, hint
├─ PuzzleError                      solver
│  ├─ InvalidPuzzle                 the clues contradict the format or the rules
│  ├─ NoSolution                    proved: no answer exists
│  └─ SearchLimit                   gave up at a limit; nothing is proved
├─ VisionError                      vision/errors.py
├─ CalibrationError                 calibration/errors.py
├─ DeviceError                      bot/errors.py
└─ PlayError                        bot/errors.py
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class BoardsightError(Exception):
    """Root of every error this project raises on purpose.

    The message says what was seen and where; `hint` says what to do, by default what helps with most errors of the kind.
    """

    usual_hint: ClassVar[str] = ""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint or self.usual_hint


class PuzzleError(BoardsightError):
    """Something about the puzzle itself."""


class InvalidPuzzle(PuzzleError):
    """The clues contradict the format or the rules before any search."""

    usual_hint = (
        "compare the text with where it comes from; 'boardsight practice GAME --text' shows a game's form"
    )


class NoSolution(PuzzleError):
    """It is proved that no answer exists.

    missing: what would be needed in addition (aspect -> units), where the game has a stock.
    """

    usual_hint = "compare the puzzle with where it comes from"

    def __init__(self, message: str, *, hint: str = "", missing: Mapping[str, int] | None = None) -> None:
        super().__init__(message, hint=hint)
        self.missing = dict(missing or {})


class SearchLimit(PuzzleError):
    """The limit was reached before an answer was found; nothing is proved."""

    usual_hint = "give it more time: --limit"
