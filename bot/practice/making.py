"""Makes practice boards with one solution: from a full board, what is not needed is taken away."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from solver.errors import SearchLimit
from solver.grid.board import Board, Entries, Place
from solver.grid.search import solutions

if TYPE_CHECKING:
    from bot.grid import GridGame

# So many clues are tried; the others stay.
TRIALS = 40
# So many cells are chosen by chance; the rest follows. A choice whose solution is not found after so many branches is not
# made.
SEEDED = 8
BRANCHES = 40


def only_one(one: GridGame, board: Board) -> bool:
    """Whether a board has exactly one solution."""
    return len(list(islice(solutions(one.problem(board)), 2))) == 1


def thinned(
    one: GridGame,
    full: Board,
    rng: random.Random,
    less: Callable[[Place], str | None] = lambda place: None,
    share: float = 0.6,
) -> Board:
    """A board with fewer clues than a full one and still one solution; the next random one where that has several.

    less: what stays at a place whose clue is taken away. share: of the clues that are tried.
    """
    if not only_one(one, full):
        return one.make(rng)
    board = full
    clues = [place for place, value in full.given.items() if less(place) != value]
    for place in rng.sample(clues, round(share * len(clues)))[:TRIALS]:
        rest = {at: value for at, value in board.given.items() if at != place}
        stays = less(place)
        fewer = Board(full.height, full.width, rest if stays is None else {**rest, place: stays}, full.form)
        if only_one(one, fewer):
            board = fewer
    return board


def answer_of(one: GridGame, board: Board) -> Entries:
    """The first solution of a board."""
    return next(solutions(one.problem(board)))


def filled(one: GridGame, empty: Board, rng: random.Random) -> Board:
    """A board on which a random solution of an empty one is given."""
    board, values = empty, list(one.values(empty))
    solution: Entries | None = None
    for at in rng.sample(one.cells_of(empty), len(one.cells_of(empty))):
        if len(board.given) - len(empty.given) >= SEEDED:
            break
        for value in rng.sample(values, len(values)):
            trial = Board(empty.height, empty.width, {**board.given, at: value}, empty.form)
            found = _soon(one, trial)
            if found is not None:
                board, solution = trial, found
                break
    full = answer_of(one, board) if solution is None else solution
    return Board(empty.height, empty.width, {**empty.given, **dict[Place, str](full.items())}, empty.form)


def _soon(one: GridGame, board: Board) -> Entries | None:
    """The first solution of a board; None where it has none, or the search takes long."""
    left = iter(range(BRANCHES))
    try:
        return next(solutions(one.problem(board), lambda: next(left, None) is None), None)
    except SearchLimit:
        return None
