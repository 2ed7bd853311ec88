"""The programs that we are measured against solve the same puzzles, and solve them right."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot import bench
from bot.bench import Row, measure, rows
from bot.commands.measure import bench as bench_command
from bot.errors import WrongUsage
from bot.games import GAMES
from bot.practice.algemy.levels import make_level
from bot.practice.rings import practice
from bot.practice.rings.figures import FIGURES
from solver import algemy, bridges, rings
from tests.laboratory import algemy as bench_algemy
from tests.laboratory import bridges as bench_bridges
from tests.laboratory import live
from tests.laboratory import rings as bench_rings
from tests.seldom import ASKED_FIRST
from tests.shared_data import REQUIRE_REAL
from vision.scene import Scene


def test_every_game_is_read_and_solved_in_some_row() -> None:
    names = {row.name for row in rows((), None)}
    for game in ASKED_FIRST:
        assert f"read/{game}" in names
        assert any(name.startswith(f"{game}/solve/") for name in names)
    assert {"read/thaumcraft-1080p", "read/thaumcraft-4k"} <= names


def test_without_the_laboratory_every_game_is_still_read_and_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "LABORATORY", Path("nowhere"))

    names = [row.name for row in rows((), None)]

    assert sorted(names) == sorted(f"{verb}/{game}" for verb in ("read", "solve") for game in GAMES)


@pytest.mark.parametrize("name", ["read/nonogram", "read/lightup"])
def test_a_picture_is_measured_anew_each_time_it_is_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was measured of a frame is kept: the fastest of three times was that of remembering."""
    (row,) = rows((name,), None)
    read = row.cases()[0]
    made: list[Scene] = []
    first = Scene.__init__

    def noted(self: Scene, *args: Any, **options: Any) -> None:
        made.append(self)
        first(self, *args, **options)

    monkeypatch.setattr(Scene, "__init__", noted)

    read()
    once = len(made)
    read()

    assert len(made) == 2 * once > 0


def test_a_row_is_measured_without_its_peer_too() -> None:
    (row,) = rows(("rings/solve/triangle",), None)
    figure = measure(row)
    assert (figure.name, figure.cases) == ("rings/solve/triangle", 4)
    assert figure.peer is None or re.fullmatch(r"OR-tools CP-SAT [\d.]+", figure.peer)
    assert figure.yardstick_ms > 0


def test_a_run_is_compared_with_an_earlier_one_in_yardsticks(tmp_path: Path) -> None:
    """A machine that was half as fast the last time made the same rows slower; that is no progress."""
    (row,) = rows(("solve/bridges",), None)
    figure = replace(measure(row), median_ms=3.0, worst_ms=8.0, yardstick_ms=2.0)
    slow_machine = replace(figure, median_ms=6.0, worst_ms=32.0, yardstick_ms=4.0)
    (tmp_path / "before.json").write_text(json.dumps(slow_machine.as_json()) + "\n")

    told = bench.change(bench.earlier(tmp_path / "before.json")["solve/bridges"], figure)

    assert told == bench.Change(median=1.0, worst=2.0)


def test_bench_tells_how_many_times_faster_than_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (row,) = rows(("solve/flip",), None)
    before = tmp_path / "before.json"
    before.write_text(json.dumps(measure(row).as_json()) + "\n")

    assert bench_command(["solve/flip", "read/flip"], against=before, as_json=True) == 0
    flip_read, flip_solved = (json.loads(line) for line in capsys.readouterr().out.splitlines())

    assert (flip_solved["name"], flip_read["name"]) == ("solve/flip", "read/flip")
    assert set(flip_solved["faster"]) == {"median", "worst"}
    assert "faster" not in flip_read


def test_what_is_no_earlier_run_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("fast\n")

    with pytest.raises(WrongUsage, match=r"notes\.txt: not written by bench --json"):
        bench.earlier(tmp_path / "notes.txt")


def test_every_row_says_what_it_measures(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_command(listed=True) == 0

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(list(rows((), None))) > 60
    assert all(re.fullmatch(r"\S+: .{10,}", line) for line in lines)


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
