"""Answers of the declared games' own solver, and whether they are the only ones, against those of a SAT solver."""

from __future__ import annotations

import random
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from bot.games import GAMES
from solver.answer import Limits
from solver.errors import InvalidPuzzle, NoSolution
from solver.grid.board import Board, Entries
from solver.grid.search import Problem
from tests.by_sat import solved

pytestmark = pytest.mark.long
SCREENS = Path(__file__).parent / "screens"
DECLARED = [name for name in GAMES if GAMES[name].eyes is not None]
# Boards of the programs themselves: those of which there are golden pictures.
TEXTS = sorted(
    {
        (path.parent.name, path.read_text(encoding="utf-8").split()[0])
        for path in SCREENS.glob("*/*.txt")
        if path.parent.name in DECLARED
    }
)
EXCHANGED = 0.6
# Each clue of these is a part of the board, without which it is none.
WHOLE = {"keen", "net", "flip"}


def problem_of(name: str, board: Board) -> Problem:
    made: Problem = import_module(f"bot.games.{name}").GAMEPLAY.problem(board)
    return made


def by_ours(name: str, board: Board) -> list[Entries]:
    """Up to two solutions; of a board that has several our second one where it is told."""
    try:
        answer = GAMES[name].solve(board, Limits(unique=True))
    except NoSolution:
        return []
    return [answer.solution] if answer.unique else [answer.solution, answer.second or answer.solution]


def compare(name: str, board: Board) -> int:
    """How many solutions both find, up to two; where there is one it is the same."""
    sat, card = pytest.importorskip("pysat.solvers"), pytest.importorskip("pysat.card")

    ours = by_ours(name, board)
    others = solved(problem_of(name, board), sat.Cadical153, card.CardEnc)

    assert len(ours) == len(others)
    if len(ours) == 1:
        assert ours == others
    return len(ours)


@pytest.mark.parametrize(("name", "text"), TEXTS, ids=lambda told: told[:30])
def test_a_board_of_a_program_has_the_answer_that_a_sat_solver_finds(name: str, text: str) -> None:
    assert compare(name, GAMES[name].parse(text)) == 1 or GAMES[name].several


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", DECLARED)
def test_a_practice_board_has_the_answer_that_a_sat_solver_finds(name: str, seed: int) -> None:
    assert compare(name, GAMES[name].practice(random.Random(seed)).puzzle) == 1 or GAMES[name].several


def spoilt(board: Board, rng: random.Random) -> Board:
    """The board without a clue, or with two numbers exchanged."""
    places = sorted(board.given, key=str)
    numbers = [place for place in places if board.given[place].isdigit()]
    if len({board.given[place] for place in numbers}) > 1 and rng.random() < EXCHANGED:
        one, other = rng.sample(numbers, 2)
        return replace(board, given={**board.given, one: board.given[other], other: board.given[one]})
    gone = rng.choice(places)
    return replace(board, given={place: clue for place, clue in board.given.items() if place != gone})


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", [name for name in DECLARED if name not in WHOLE])
def test_a_spoilt_board_has_as_many_answers_as_a_sat_solver_finds(name: str, seed: int) -> None:
    text = min((text for game, text in TEXTS if game == name), key=len)
    try:
        board = spoilt(GAMES[name].parse(text), random.Random(f"{name} {seed}"))
        assert by_ours(name, board) is not None
    except InvalidPuzzle:
        return

    compare(name, board)


@pytest.mark.parametrize(
    ("text", "count"),
    [("2x2:1a3b4a2_2a4b3a1", 1), ("2x2:1o", 2), ("2x2:1a3b4a2_2a4b3a2", 0)],
)
def test_no_answer_one_and_several_are_told_apart(text: str, count: int) -> None:
    assert compare("solo", GAMES["solo"].parse(text)) == count
