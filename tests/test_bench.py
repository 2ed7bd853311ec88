"""The programs that we are measured against solve the same puzzles, and solve them right."""

from __future__ import annotations

import random

import pytest

from bot.bench import Row, live, measure, rows
from bot.bench import algemy as bench_algemy
from bot.bench import bridges as bench_bridges
from bot.bench import rings as bench_rings
from bot.practice.algemy.levels import make_level
from bot.practice.rings import practice
from bot.practice.rings.figures import FIGURES
from solver import algemy, bridges, rings
from tests.shared_data import REQUIRE_REAL


def test_every_game_is_read_and_solved_in_some_row() -> None:
    names = {row.name for row in rows((), None)}
    for game in ("thaumcraft", "bridges", "nonogram", "algemy", "rings"):
        assert f"read/{game}" in names
        assert any(name.startswith(f"{game}/solve/") for name in names)
    assert {"read/thaumcraft-1080p", "read/thaumcraft-4k"} <= names


def test_a_row_is_measured_without_its_peer_too() -> None:
    (row,) = rows(("rings/solve/triangle",), None)
    figure = measure(row)
    assert (figure.name, figure.cases) == ("rings/solve/triangle", 4)
    assert figure.peer in (None, "OR-tools CP-SAT")


def test_a_row_that_measures_by_itself_shows_its_own_seconds() -> None:
    figure = measure(Row("play/x", "told", cases=lambda: (), seconds=lambda: (0.5, 2.0, 1.0)))
    assert (figure.cases, figure.median_ms, figure.worst_ms) == (3, 1000.0, 2000.0)


@pytest.mark.real
@pytest.mark.skipif(bool(live.missing()) and not REQUIRE_REAL, reason=live.missing())
def test_real_windows_are_played_against_the_clock() -> None:
    assert {row.name for row in live.rows(None)} == {"play/bridges-15x15", "play/nonogram-20x20"}
    assert len(live.measured("bridges", "7x7", 1)) == 1


def test_cp_sat_solves_algemy() -> None:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    rng = random.Random(5)
    for level in (make_level(rng, "square", 5, "RYB"), make_level(rng, "hex", 3, "ROYGBV")):
        solution = bench_algemy.cp_sat(cp_model, level)
        assert solution is not None
        assert algemy.check(level, solution) == ()


def test_the_classic_solver_solves_algemy() -> None:
    pywrapcp = pytest.importorskip("ortools.constraint_solver.pywrapcp")
    level = make_level(random.Random(5), "square", 5, "RYB")
    solution = bench_algemy.classic(pywrapcp, level)
    assert solution is not None
    assert algemy.check(level, solution) == ()


def test_peers_see_that_an_algemy_board_has_no_solution() -> None:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    pywrapcp = pytest.importorskip("ortools.constraint_solver.pywrapcp")
    board = algemy.Algemy("square", ("R-", "-Y"), "RYB")
    assert bench_algemy.cp_sat(cp_model, board) is None
    assert bench_algemy.classic(pywrapcp, board) is None


@pytest.mark.parametrize("figure", FIGURES)
def test_cp_sat_solves_rings_and_finds_no_second_filling(figure: bench_rings.Figure) -> None:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    puzzle = practice(random.Random(3), figure=figure).puzzle
    (filling,) = bench_rings.cp_sat(cp_model, puzzle)
    assert rings.check(puzzle, filling) == []
    assert filling == dict(rings.solve(puzzle).solution)


def test_cp_sat_solves_bridges() -> None:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    puzzle = bridges.parse("7x7m2:a1d23c3k2a5a43d3g12b2a3a")
    solution = bench_bridges.cp_sat(cp_model, puzzle)
    assert solution is not None
    assert list(bridges.check(puzzle, solution)) == []
