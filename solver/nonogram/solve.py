"""The entry of the nonogram solver."""

from __future__ import annotations

from solver.answer import Answer, Limits
from solver.errors import NoSolution, SearchLimit
from solver.nonogram.board import Nonogram, Picture, faults
from solver.nonogram.colour import ColourSolver
from solver.nonogram.search import Solver


def solve(puzzle: Nonogram, limits: Limits = Limits()) -> Answer[Picture]:  # noqa: B008 - frozen
    """A picture that meets every clue, and with `limits.unique` whether it is the only one.

    Raises NoSolution when it is proved that there is none, SearchLimit when time ran out before a picture.
    """
    found_faults = faults(puzzle)
    if found_faults:
        raise NoSolution(f"no picture can exist: {found_faults[0]}", hint="check the clues")
    kind = Solver if puzzle.palette is None else ColourSolver
    solver: Solver | ColourSolver = kind(puzzle, limits.stopper())
    pictures = solver.solutions(2 if limits.unique else 1)
    if not pictures and not solver.complete:
        raise SearchLimit("no picture was found in time", hint="raise the limit")
    if not pictures:
        raise NoSolution("no picture meets all clues", hint="check the clues")
    if not limits.unique:
        return Answer(pictures[0])
    if len(pictures) > 1:
        return Answer(pictures[0], unique=False, second=pictures[1])
    return Answer(pictures[0], unique=True if solver.complete else None)
