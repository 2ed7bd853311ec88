"""What somebody sees who has just installed the program."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from bot.commands import demo
from bot.errors import NoProgress
from bot.game import Game
from bot.games import GAMES
from bot.play import to_enter
from bot.practice.thaumcraft import own_profile, practice
from calibration.thaumcraft.textures import ALIKE, review_lines
from solver.answer import Limits
from solver.grid.board import Outside
from solver.lattice import Hex, Square, hexagon
from solver.thaumcraft import Note
from vision.errors import UncertainReading
from vision.frame import Box, Frame
from vision.overlay import ENTER, PLATE, paint
from vision.reading import Geometry, Mark, Reading

ROOT = Path(__file__).resolve().parents[1]


def boardsight(*words: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *words],
        cwd=home,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(home)},
        capture_output=True,
        text=True,
    )


def test_games_say_which_have_to_learn_their_symbols_first(tmp_path: Path) -> None:
    lines = boardsight("games", home=tmp_path).stdout.splitlines()

    told = {line.split()[0]: line for line in lines[1:]}
    assert set(told) == set(GAMES)
    for name, game in GAMES.items():
        wanted = "none needed" if game.measured else f"not learned yet: boardsight calibrate {name}"
        assert wanted in told[name]


def test_profiles_have_no_cut_paths_and_no_none(tmp_path: Path) -> None:
    own = tmp_path / ("long" * 40) / "thaumcraft" / "mine"
    own.mkdir(parents=True)
    (own / "profile.toml").write_text('format = 1\ngame = "thaumcraft"\nname = "mine"\n')

    done = subprocess.run(
        [sys.executable, "-m", "bot", "profiles"],
        cwd=ROOT,
        env={"PATH": "", "BOARDSIGHT_PROFILES": str(own.parents[1])},
        capture_output=True,
        text=True,
    )

    assert str(own) in done.stdout
    assert "None" not in done.stdout and "comes with boardsight" in done.stdout


def test_a_dry_run_counts_what_it_would_do(tmp_path: Path) -> None:
    done = boardsight("play", "practice:bridges:3", "--dry-run", "--no-record", home=tmp_path)

    steps = done.stdout.splitlines()
    assert done.returncode == 0
    assert f"nothing was touched: 23 cells to enter, by 39 actions in {len(steps)} steps" in done.stderr


def test_a_dry_run_counts_no_pauses(tmp_path: Path) -> None:
    """The wheels of Algemy are waited for; what is counted is what `--max-actions` counts."""
    planned = boardsight("play", "practice:algemy:3", "--dry-run", "--no-record", home=tmp_path)
    played = boardsight("play", "practice:algemy:3", "--yes", "--no-record", home=tmp_path)

    assert "7 cells to enter, by 21 actions in 7 steps" in planned.stderr
    assert "verified: 7 cells, 21 actions" in played.stderr


def test_the_doctor_finds_nothing_to_play_on_where_there_is_nothing(tmp_path: Path) -> None:
    done = boardsight("doctor", "desktop", home=tmp_path)

    assert done.returncode == 5
    assert done.stdout.startswith("BAD  desktop: session: no display")


def test_the_demo_says_what_is_simulated_and_where_the_report_is(tmp_path: Path) -> None:
    done = boardsight("demo", "bridges", home=tmp_path)

    assert done.returncode == 0
    assert "simulated" in done.stderr
    assert (tmp_path / "boardsight-demo" / "report.html").as_uri() in done.stderr
    assert done.stdout == "boardsight-demo/report.html\n"


def test_cells_are_named_as_people_see_them() -> None:
    many = [Square(0, col) for col in range(30)]

    one = UncertainReading.of([Square(4, 0)], hint="", where="shot.png")
    all_of_them = UncertainReading.of(many, hint="")

    assert str(one) == "shot.png: 1 cell is in doubt: row 5, column 1"
    assert str(all_of_them).startswith("30 cells are in doubt: row 1, column 1; row 1, column 2;")
    assert Outside("top", 2).in_words() == "above column 3"
    assert Outside("right", 0).in_words() == "right of row 1"


@pytest.mark.parametrize("name", GAMES)
def test_every_place_of_every_game_can_be_in_doubt(name: str) -> None:
    """A number beside a board of Tents that was in doubt ended in an internal error."""
    game = GAMES[name]
    board = game.practice(random.Random(3))
    reading = game.read(Frame(board.render(0.0)), board.profile)

    for place in reading.marks:
        assert "1 cell is in doubt" in str(UncertainReading.of([place], hint="", name=reading.name))


@pytest.mark.parametrize("ui", ["stock", "tweaks"])
def test_an_icon_stands_on_a_light_plate_and_its_palette_entry_is_ringed(ui: str) -> None:
    game = GAMES["thaumcraft"]
    board = practice(random.Random(7), ui=ui, scale=3)
    frame = Frame(board.render(0.0))
    reading = game.read(frame, board.profile)
    enter = to_enter(game, reading.placed, game.solve(reading.puzzle, Limits()).solution)

    painted = paint(frame, reading, board.profile, enter, game.brush)

    half = round(reading.geometry.pitch_px / 2)
    for cell in enter:
        x, y = (round(value) for value in reading.geometry.centres[cell])
        around = painted[y - half : y + half, x - half : x + half]
        assert np.all(around == PLATE, axis=2).sum() > half * half / 8
    shown = {aspect for aspect in enter.values() if aspect in reading.controls}
    for aspect in shown:
        x, y = (round(value) for value in reading.controls[aspect].at)
        assert np.all(painted[y - half : y + half, x - half : x + half] == ENTER, axis=2).any()
    assert shown or ui == "stock"


def test_calibration_says_what_is_missing_why_it_matters_and_what_alike_icons_mean() -> None:
    lines = review_lines(own_profile())
    bare = replace(own_profile(), templates={"aspects/aer": own_profile().templates["aspects/aer"]})

    told = "\n".join(review_lines(bare))

    assert not any(line.startswith("no font") for line in lines)
    assert (ALIKE in lines) == any(line.startswith("look alike") for line in lines)
    assert "no table: add the mod's jar" in told
    assert "no font/0" in told and "more than you own" in told and "Minecraft's own jar" in told


def test_demo_tells_of_each_game_as_soon_as_it_has_been_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Into a pipe, the whole table came after half a minute."""
    told, before = io.StringIO(), list[str]()

    def played(game: Game[Any, Any], seed: int, watcher: object) -> None:
        before.append(told.getvalue())
        raise NoProgress("nothing moves")

    monkeypatch.setattr(demo, "log", Console(file=told))
    monkeypatch.setattr(demo, "_play_practice", played)
    demo.demo(["bridges", "rings"], 1, tmp_path)

    assert "game's time" in before[0] and "bridges" not in before[0]
    assert "bridges" in before[1] and "NoProgress" in before[1]


def test_the_cells_of_a_note_are_named_as_people_see_them(tmp_path: Path) -> None:
    """Columns from the left and cells from the top: the axial numbers of a hexagon stand nowhere on the screen."""
    hinted = boardsight("hint", "practice:thaumcraft:3", home=tmp_path)
    planned = boardsight("play", "practice:thaumcraft:3", "--dry-run", "--no-record", home=tmp_path)

    assert re.match(r"\w+ at column \d, cell \d: the \w+ at column \d, cell \d is made of", hinted.stdout)
    assert re.findall(r"place \w+ at column \d, cell \d", planned.stdout)
    assert "-" not in hinted.stdout + planned.stdout


def test_cells_of_a_note_in_doubt_are_named_by_column_and_cell() -> None:
    cells = hexagon(2)
    note = Note(frozenset(cells), {})
    marks = {
        cell: Mark(None, 0.1) if cell in (Hex(-2, 0), Hex(-1, 2), Hex(2, 0)) else Mark("", 1.0)
        for cell in cells
    }
    reading = Reading(note, {}, Geometry({}, 10.0), marks, Box(0, 0, 1, 1))

    told = UncertainReading.of(reading.doubtful, hint="", name=reading.name)

    assert str(told) == "3 cells are in doubt: column 1, cell 1; column 2, cell 4; column 5, cell 3"


def test_the_report_names_cells_as_people_count(tmp_path: Path) -> None:
    for name, first in (("nonogram", "row 1, column 1"), ("thaumcraft", "column 1, cell 1")):
        report = tmp_path / f"{name}.html"

        boardsight(
            "play", f"practice:{name}:3", "--yes", "--no-record", "--report", str(report), home=tmp_path
        )

        assert f"<td>{first}</td>" in report.read_text()
