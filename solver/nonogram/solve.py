"""The entry of the nonogram solver: lines, probing and a short search, then clause learning.

Each stage goes on from what the one before has proved. The last one runs in plain Python; where the extra `fast` is
installed, a puzzle that is still open after some conflicts is decided by the same code compiled. Both make the same
steps, so that the answer does not depend on what is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from solver.answer import Answer, Limits
from solver.errors import NoSolution, SearchLimit
from solver.nonogram import fast
from solver.nonogram.board import Nonogram, Picture, faults
from solver.nonogram.colour import ColourSolver
from solver.nonogram.learning import PLAIN, Learner, Machine, can_encode
from solver.nonogram.search import Solver

# So many cells are probed before clause learning takes over: some tens of milliseconds.
TRIES = 300
# So many conflicts plain Python goes through before it is worth loading the compiled search, about a second.
CONFLICTS_BEFORE_FAST = 200


def solve(puzzle: Nonogram, limits: Limits = Limits()) -> Answer[Picture]:  # noqa: B008 - frozen
    """A picture that meets every clue, and with `limits.unique` whether it is the only one.

    Raises NoSolution when it is proved that there is none, SearchLimit when time ran out before a picture.
    """
    found_faults = faults(puzzle)
    if found_faults:
        raise NoSolution(f"no picture can exist: {found_faults[0]}", hint="check the clues")
    pictures, complete = _pictures(puzzle, limits.stopper(), 2 if limits.unique else 1)
    if not pictures and not complete:
        raise SearchLimit("no picture was found in time", hint="raise the limit")
    if not pictures:
        raise NoSolution("no picture meets all clues", hint="check the clues")
    if not limits.unique:
        return Answer(pictures[0])
    if len(pictures) > 1:
        return Answer(pictures[0], unique=False, second=pictures[1])
    return Answer(pictures[0], unique=True if complete else None)


def _pictures(puzzle: Nonogram, stop: Callable[[], bool], at_most: int) -> tuple[list[Picture], bool]:
    """Up to `at_most` pictures, and whether fewer are proved to be all."""
    solver = Solver(puzzle, stop) if puzzle.palette is None else ColourSolver(puzzle, stop)
    learns = can_encode(puzzle)
    pictures = solver.solutions(at_most, TRIES if learns else None)
    if solver.complete or len(pictures) >= at_most or stop() or not learns:
        return pictures, solver.complete
    return _learn(puzzle, solver.certain, pictures, stop, at_most)


def _learn(
    puzzle: Nonogram, certain: Picture, pictures: list[Picture], stop: Callable[[], bool], at_most: int
) -> tuple[list[Picture], bool]:
    """The same by clause learning: in plain Python for a while, then compiled where that can be had.

    certain: cells that are proved. pictures: those that are known already.
    """
    best = pictures
    for machine, conflicts in _machines():
        learner = Learner(puzzle, certain, machine)
        for picture in pictures:
            learner.exclude(picture)
        found = list(pictures)
        while len(found) < at_most and (met := learner.next_picture(stop, conflicts)) is not None:
            found.append(met)
        if len(found) >= at_most or learner.refuted:
            return found, learner.refuted
        best = max(best, found, key=len)
        if stop():
            break
    return best, False


def _machines() -> Iterator[tuple[Machine, int | None]]:
    """What to learn on, one after the other, and for how many conflicts; None: to the end."""
    if fast.is_installed():
        if not fast.is_loaded():
            yield PLAIN, CONFLICTS_BEFORE_FAST
        compiled = fast.machine()
        if compiled is not None:
            yield compiled, None
            return
    yield PLAIN, None
