"""What games of digits share: values, looks of given and entered digits, of pencil marks and selected cells, and keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from solver.errors import InvalidPuzzle
from solver.grid.board import Board
from solver.grid.search import Problem
from vision.eyesight import Look

if TYPE_CHECKING:
    from vision.grids import Grid
    from vision.scene import Scene

SIGNS = "123456789"
GREEN, RED, PENCIL = "008a00", "ff0000", "7373e6"
# Of digits that are entered, some of them wrong; and of those that are given.
PLACED = GREEN, RED, "cc0000"
INKS = "000000", *PLACED
# A digit is at least so high, in shares of what is looked at of its cell; pencil marks are at most so high, two that touch.
DIGIT, NOTE = (0.3, 1.0), (0.0, 0.6)


def values(board: Board) -> Sequence[str]:
    """As many digits as the board has rows."""
    return SIGNS[: board.height]


def looks(
    grounds: Sequence[str], error: Sequence[str] = (), *, framed: bool | None = False
) -> tuple[Look, ...]:
    """Cells with a digit, given in black or entered in green, red where it is wrong; free ones, perhaps with notes.

    grounds: of free, finished and selected cells. error: of cells that are wrong. framed: whether a frame goes round free
        ones, None where one may, as a cursor's.
    """
    every = (*grounds, *error)
    return (
        # What goes round nothing may be a digit that the mark of a selected cell touches.
        Look("", ground=tuple(every), framed=framed),
        Look("", ground=tuple(every), form="anything", ink=(PENCIL,), tall=NOTE),
        Look("", "given", every, "number", ("000000",), (0.25, 1.0), tall=DIGIT),
        Look("", "placed", every, "number", PLACED, (0.25, 1.0), tall=DIGIT),
    )


def latin(problem: Problem) -> None:
    """Each digit once in every row and column."""
    for name, line in problem.board.lines:
        problem.different(line, f"{name} has each digit once")


def square(scene: Scene, grid: Grid, board: Board) -> Board:
    """The board, which must have as many rows as columns."""
    if board.height != board.width or board.height > len(SIGNS):
        raise InvalidPuzzle(f"{board.width} x {board.height} cells are no square of up to {len(SIGNS)}")
    return board


def keys(value: str) -> str:
    """The key that enters a value."""
    return value or "backspace"


# What every declaration of a game of digits says alike: `GridGame(**ENTERED, ...)`.
ENTERED: dict[str, Any] = {"values": values, "cells": lambda board: board.squares, "keys": keys}
