"""Magnets and Net: dominoes of which one click sets both halves, and tiles that are turned."""

from __future__ import annotations

import random
from itertools import product

import pytest

from bot.games import GAMES
from bot.grid import plan
from bot.show.hints import hint
from solver.answer import Limits
from solver.errors import InvalidPuzzle
from solver.grid.wires import TILES, turned, turns
from solver.lattice import Square
from tests.cells_window import declared
from vision.frame import Frame

MAGNETS, NET = GAMES["magnets"], GAMES["net"]


def by_trying(name: str, text: str) -> list[dict[Square, str]]:
    """Every solution of a small board, found by trying all entries."""
    problem = declared(name).problem(GAMES[name].parse(text))
    found = []
    for values in product(
        *([bit for bit in problem.bits.values() if bit & start] for start in problem.start)
    ):
        if all(rule.holds(values) for rule in problem.rules):
            found.append(problem.entries(values))
    return found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("magnets", "3x3:1..,1..,..1,..1,LRTTTBBB*"),
        ("magnets", "3x3:...,2..,...,...,LRTTTBBB*"),
        ("magnets", "3x2:1.1,..,...,.1,TTTBBB"),
        ("net", "3x3:9d8121412"),
        ("net", "3x3w:9d8121412"),
        ("net", "3x3:1d4353515"),
        ("net", "3x3:19v1373131"),
    ],
)
def test_small_boards_have_the_solutions_that_trying_finds(name: str, text: str) -> None:
    game = GAMES[name]
    try:
        found = game.solve(game.parse(text), Limits(unique=True))
    except Exception as error:
        assert type(error).__name__ == "NoSolution"
        assert by_trying(name, text) == []
        return

    every = by_trying(name, text)

    assert dict(found.solution) in every
    assert found.unique is (len(every) == 1)


def test_a_tile_turned_four_times_lies_as_before() -> None:
    for bits in range(16):
        assert turned(turned(turned(turned(bits)))) == bits
        assert len(turns(bits)) in (1, 2, 4)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("magnets", "3x3:1..,1..,..1,..1,LRTTTBBBL"),
        ("magnets", "3x3:1..,1..,..1,..1,LLTTTBBB*"),
        ("magnets", "3x3:1.,1..,..1,..1,LRTTTBBB*"),
        ("net", "3x3:9d812141"),
        ("net", "3x3:9d812140g"),
        ("net", "2x2:3333"),
    ],
)
def test_a_text_that_is_no_board_is_refused(name: str, text: str) -> None:
    with pytest.raises(InvalidPuzzle):
        GAMES[name].parse(text)


def test_one_click_sets_both_halves_of_a_domino() -> None:
    board = MAGNETS.practice(random.Random(1))
    reading = MAGNETS.read(Frame(board.render(0.0)), board.profile)
    solution = MAGNETS.solve(reading.puzzle, Limits()).solution

    steps = plan(declared("magnets"), reading, solution).steps

    assert 2 * len(steps) == len(solution)
    assert all(len(step.cells) == 2 for step in steps)


def test_a_question_mark_of_magnets_is_no_wrong_mark() -> None:
    board = MAGNETS.practice(random.Random(1)).puzzle
    cell = next(iter(MAGNETS.solve(board, Limits()).solution))

    found = hint(MAGNETS, board, {cell: "?"})

    assert found.status == "hint"


def test_tiles_that_lie_otherwise_are_no_wrong_marks_and_those_that_lie_right_are_known() -> None:
    board = NET.practice(random.Random(2))
    solution = NET.solve(board.puzzle, Limits()).solution
    lying = {**board.entries, **dict(list(solution.items())[:-1])}

    found = hint(NET, board.puzzle, lying)

    (last,) = [at for at in solution if lying[at] != solution[at]]
    assert found.status == "hint"
    assert dict(found.settled) == {last: solution[last]}


def test_wires_that_leave_the_board_end_unless_it_wraps() -> None:
    assert NET.parse("3x3:9d8121412").form == ""
    assert NET.parse("3x3w:9d8121412").form == "w"
    assert " " not in "".join(TILES[1:])
