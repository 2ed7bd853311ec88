"""Algemy from its rules to proved answers."""

from __future__ import annotations

import itertools
import random
import re
import subprocess
import sys

import pytest

from solver import algemy
from solver.algemy import Algemy, Solution
from solver.answer import Limits
from solver.errors import InvalidPuzzle, NoSolution, SearchLimit
from solver.lattice import Hex, Square
from tests.shared_data import SHARED, needs_shared

SHARED_BOARDS = [
    "levels-seen.txt",
    *(f"{kind}-{palette}.txt" for kind in ("square", "hex") for palette in ("basic", "full")),
    *(f"unique-{kind}-{palette}.txt" for kind in ("square", "hex") for palette in ("basic", "full")),
]

CORNERS = """
shape: square
size: 3
palette: RYB

R - -
- W -
- - Y
"""


def brute_force(puzzle: Algemy) -> list[Solution]:
    """Every solution of a small board, from `check` alone."""
    empty = [cell for cell in puzzle.cells if cell not in puzzle.crystals]
    found = []
    for colours in itertools.product("." + puzzle.palette, repeat=len(empty)):
        solution = {cell: colour for cell, colour in zip(empty, colours, strict=True) if colour != "."}
        if not algemy.check(puzzle, solution):
            found.append(solution)
    return found


def random_board(rng: random.Random, palette: str, hexagonal: bool) -> Algemy:
    lengths = (
        rng.choice([(2, 3, 2), (3, 2), (2, 3)]) if hexagonal else rng.choice([(3, 3, 3), (4, 4), (2, 2, 2)])
    )
    while True:
        rows = tuple("".join(rng.choice("---RYBOGVXW") for _ in range(length)) for length in lengths)
        if sum(row.count("-") for row in rows) <= (5 if len(palette) == 6 else 7):
            return Algemy("hex" if hexagonal else "square", rows, palette)


def test_mixing_is_the_union_of_primaries() -> None:
    board = Algemy("square", ("-X-", "---", "---"), "RYB")

    assert algemy.check(board, {Square(0, 0): "R", Square(0, 2): "Y", Square(1, 1): "B"}) == ()
    assert algemy.check(board, {Square(0, 0): "R", Square(0, 2): "R", Square(1, 1): "B"}) == (
        "the brown crystal at row 1, column 2 gets violet",
    )


def test_two_sources_in_one_sight_line_are_an_error() -> None:
    board = Algemy("square", ("---",), "RYB")

    assert algemy.check(board, {Square(0, 0): "R", Square(0, 2): "R"}) == (
        "the sources at row 1, column 1 and row 1, column 3 see each other",
    )


def test_a_dark_cell_is_an_error() -> None:
    board = Algemy("square", ("-W-",), "RYB")

    assert algemy.check(board, {}) == (
        "the empty cell at row 1, column 1 is dark",
        "the empty cell at row 1, column 3 is dark",
    )


def test_light_crosses_a_hexagonal_board_in_three_directions() -> None:
    board = algemy.parse(" - R\nR - -\n - R")

    assert algemy.check(board, {Hex(-1, 1): "R"}) == ("the source at row 2, column 1 stands on a crystal",)
    assert algemy.check(board, {Hex(0, 1): "R"}) == ()


def test_a_level_of_the_game_has_the_answer_that_was_filmed() -> None:
    board = algemy.parse("X - - - -\n- - - - -\nB - G V -\n- - - - -\nY - - - -")

    answer = algemy.solve(board, Limits(unique=True))

    assert algemy.draw(board, answer.solution) == "\n".join(
        ("* . . . O", "B . . . .", "* B * * .", ". . . V .", "* . Y . .")
    )
    assert answer.unique


def test_the_second_palette_is_tried_when_the_first_has_no_answer() -> None:
    board = algemy.parse("O - W")

    with pytest.raises(NoSolution):
        algemy.solve(board)
    only_full = algemy.parse("O -")
    assert algemy.solve(only_full).solution == {Square(0, 1): "O"}
    with pytest.raises(NoSolution, match="R Y B"):
        algemy.solve(algemy.parse("palette: RYB\n\nO -"))


def test_two_colours_for_one_source_are_two_solutions() -> None:
    board = algemy.parse("palette: RYB\n\n- -")

    answer = algemy.solve(board, Limits(unique=True))

    assert answer.unique is False
    assert answer.second is not None
    assert answer.second != answer.solution
    assert algemy.check(board, answer.second) == ()


def test_the_strict_sample_of_the_fan_site_has_two_answers_by_these_rules() -> None:
    board = algemy.parse("shape: square\nsize: 3\npalette: RYB\n\nG - Y\n- - -\n- G -")

    assert {algemy.draw(board, solution) for solution in brute_force(board)} == {
        "* Y *\n. . .\nB * Y",
        "* Y *\n. . Y\nB * .",
    }


@pytest.mark.parametrize("hexagonal", [False, True], ids=["square", "hex"])
@pytest.mark.parametrize("palette", ["RYB", "ROYGBV"])
@pytest.mark.parametrize("seed", range(12))
def test_answers_agree_with_brute_force(seed: int, palette: str, hexagonal: bool) -> None:
    board = random_board(random.Random(seed), palette, hexagonal)
    solutions = brute_force(board)

    if not solutions:
        with pytest.raises(NoSolution):
            algemy.solve(board)
        return
    answer = algemy.solve(board, Limits(unique=True))
    assert answer.solution in solutions
    assert answer.unique is (len(solutions) == 1)


@needs_shared
@pytest.mark.parametrize("name", SHARED_BOARDS)
def test_every_shared_board_is_answered_as_it_is_known_to_be(name: str) -> None:
    text = (SHARED / "algemy" / "boards" / name).read_text()
    known = re.findall(r"^solutions: (\S+)", text, re.MULTILINE)
    boards = algemy.parse_file(text)

    assert len(boards) == len(known)
    for board, count in zip(boards, known, strict=True):
        if count == "0":
            with pytest.raises(NoSolution):
                algemy.solve(board)
            continue
        answer = algemy.solve(board, Limits(unique=True))
        assert algemy.check(board, answer.solution) == ()
        assert answer.unique is (count == "1")
        assert algemy.parse(algemy.unparse(board)) == board


def test_text_goes_there_and_back() -> None:
    board = algemy.parse("  - - W\n R - - -\n- - - - -\n - Y R R\n  - - -")

    assert board.shape == "hex"
    assert algemy.unparse(board) == (
        "shape: hex\nsize: 3\n\n  - - W\n R - - -\n- - - - -\n - Y R R\n  - - -\n"
    )
    assert algemy.parse(algemy.unparse(board)) == board
    answer = algemy.solve(board)
    assert algemy.parse_solution(board, algemy.draw(board, answer.solution)) == answer.solution


def test_several_boards_are_separated_by_a_line() -> None:
    boards = algemy.parse_file(f"# two\n{CORNERS}\n---\n{CORNERS.replace('RYB', 'ROYGBV')}\n---\n")

    assert [board.palette for board in boards] == ["RYB", "ROYGBV"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no board"),
        ("shape: square\n\n- -\n- - -", "row 2 has 3 cells where 2 fit"),
        ("shape: hex\n\n- -\n- - - -\n- -", "grow by one|cells where"),
        ("shape: hex\n\n- - -\n- - -", "row 2 has 3 cells where 2 fit"),
        ("shape: round\n\n- -", "'round' is unknown"),
        ("- Q", "'Q' in row 1"),
        ("- RR", "'RR' in row 1"),
        ("palette: RGB\n\n- -", "palette 'RGB'"),
        ("size: 4\n\n- -\n- -", "size '4' does not fit"),
        ("size: ²\n\n- -\n- -", "size '²' does not fit"),
        ("- " * 65, "at most 64"),
    ],
)
def test_texts_that_are_no_board_are_refused_with_the_place(text: str, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=words):
        algemy.parse(text)


def test_only_this_games_texts_look_like_it() -> None:
    assert algemy.looks_like(CORNERS)
    assert algemy.looks_like("  - - -\n R R -")
    assert not algemy.looks_like("10x10m2:4b6b")
    assert not algemy.looks_like("width 5\nheight 5\n\nrows\n1\n2")
    assert not algemy.looks_like('{"cells": [[0,0]]}')
    assert not algemy.looks_like("")


def test_a_cut_off_hexagon_is_a_board() -> None:
    board = algemy.parse("shape: hex\n\n - - -\n- - - -\n - R -")

    assert algemy.check(board, algemy.solve(board).solution) == ()


def test_the_largest_board_ends_within_its_limit() -> None:
    rng = random.Random(3)
    rows = tuple("".join(rng.choice("-" * 9 + "X") for _ in range(64)) for _ in range(64))
    board = Algemy("square", rows, "ROYGBV")

    try:
        answer = algemy.solve(board, Limits(seconds=2))
    except (NoSolution, SearchLimit):
        return
    assert algemy.check(board, answer.solution) == ()


def test_the_solver_imports_no_other_package() -> None:
    code = (
        "import sys, solver.algemy; "
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'numpy', 'cv2', 'bot', 'vision'}))"
    )

    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout.strip() == "[]"
