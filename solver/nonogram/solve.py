"""The entry of the nonogram solver: lines, probing and a short search, then clause learning.

Each stage goes on from what the one before has proved. The last one runs in plain Python; where the extra `fast` is
installed, a puzzle that is still open after some conflicts goes on compiled. What is decided does not depend on it; of
several pictures another one may come first.
"""

from __future__ import annotations

from collections.abc import Callable

from solver.answer import Answer, Limits
from solver.errors import NoSolution, SearchLimit
from solver.nonogram import fast
from solver.nonogram.board import Nonogram, Picture, faults
from solver.nonogram.branching import Brancher, fits
from solver.nonogram.colour import ColourSolver
from solver.nonogram.learning import Learner, can_encode
from solver.nonogram.machine import PLAIN, Machine
from solver.nonogram.nearby import picture_nearby, picture_switched
from solver.nonogram.search import Solver
from solver.nonogram.symmetry import symmetries

# So many cells are probed before clause learning takes over: some tens of milliseconds.
TRIES = 300
# So many where the compiled search is ready to go on.
TRIES_IF_LOADED = 5
# So many conflicts plain Python goes through before it is worth loading numba, which takes about a second.
CONFLICTS_FIRST = 200
# So many cells the compiled search probes on a board of one cell, fewer on larger ones, before it goes on with clauses:
# tenths of a second.
BRANCH_TRIES = 12_000_000
# Where the clues are symmetric, symmetric pictures and all pictures are looked for in turns of so many conflicts.
CONFLICTS_IN_TURN = 5000


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
    if len(pictures) == 1 and not complete and (other := picture_switched(puzzle, pictures[0])):
        pictures.append(other)
    if len(pictures) > 1:
        return Answer(pictures[0], unique=False, second=pictures[1])
    return Answer(pictures[0], unique=True if complete else None)


def _pictures(puzzle: Nonogram, stop: Callable[[], bool], at_most: int) -> tuple[list[Picture], bool]:
    """Up to `at_most` pictures, and whether fewer are proved to be all."""
    # A process that has loaded numba for an earlier puzzle has little use for plain Python.
    machine = fast.machine() if fast.is_loaded() else None
    if machine is not None and fits(puzzle):
        return _compiled(puzzle, puzzle.given, [], machine, stop, at_most)
    solver = Solver(puzzle, stop) if puzzle.palette is None else ColourSolver(puzzle, stop)
    learns = can_encode(puzzle)
    tries = None if not learns else TRIES if machine is None else TRIES_IF_LOADED
    pictures = solver.solutions(at_most, tries)
    if solver.complete or len(pictures) >= at_most or stop() or not learns:
        return pictures, solver.complete
    if machine is not None:
        return _compiled(puzzle, solver.certain, pictures, machine, stop, at_most)
    return _learn(puzzle, solver.certain, pictures, stop, at_most)


def _learn(
    puzzle: Nonogram, certain: Picture, pictures: list[Picture], stop: Callable[[], bool], at_most: int
) -> tuple[list[Picture], bool]:
    """The same by clause learning; where numba is installed, compiled, after a while and another kind of search.

    certain: cells that are proved. pictures: those that are known already.
    """
    learner = _learner(puzzle, certain, pictures, PLAIN)
    compiles = fast.is_installed()
    found = pictures + learner.next_pictures(
        at_most - len(pictures), stop, CONFLICTS_FIRST if compiles else None
    )
    machine = (
        fast.machine() if compiles and not learner.refuted and len(found) < at_most and not stop() else None
    )
    if machine is not None:
        return _compiled(puzzle, certain, found, machine, stop, at_most)
    if compiles:
        found += learner.next_pictures(at_most - len(found), stop)
    return found, learner.refuted


def _compiled(
    puzzle: Nonogram,
    certain: Picture,
    pictures: list[Picture],
    machine: Machine,
    stop: Callable[[], bool],
    at_most: int,
) -> tuple[list[Picture], bool]:
    """The same on a compiled machine: branching for a while, then clauses."""
    found = pictures
    if fits(puzzle):
        brancher = Brancher(puzzle, certain, machine, at_most)
        if brancher.go_on(stop, BRANCH_TRIES // (puzzle.width * puzzle.height)):
            return brancher.pictures[:at_most], brancher.refuted
        certain = brancher.certain
        found = max(found, brancher.pictures, key=len)
    if not can_encode(puzzle):
        return found, False
    learner = _learner(puzzle, certain, found, machine)
    guesses = [] if found else [Learner(puzzle, certain, machine, pairs) for pairs in symmetries(puzzle)]
    while guesses and not found and not learner.refuted and not stop():
        for guess in guesses:
            found = guess.next_pictures(1, stop, CONFLICTS_IN_TURN)
            if found:
                learner.exclude(found[0])
                learner.stay_near(found[0])
                break
        guesses = [guess for guess in guesses if not guess.refuted]
        found = found or learner.next_pictures(1, stop, CONFLICTS_IN_TURN)
    if found and len(found) < at_most:
        found += learner.next_pictures(1, stop, CONFLICTS_IN_TURN)
        if (
            len(found) < at_most
            and not learner.refuted
            and (other := picture_nearby(puzzle, found[0], machine, stop))
        ):
            return [*found, other], False
    return found + learner.next_pictures(at_most - len(found), stop), learner.refuted


def _learner(puzzle: Nonogram, certain: Picture, pictures: list[Picture], machine: Machine) -> Learner:
    """A search for other pictures than those known."""
    learner = Learner(puzzle, certain, machine)
    for picture in pictures:
        learner.exclude(picture)
    return learner
