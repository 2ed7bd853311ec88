"""The command line as a person or a program calls it: output, two-line errors, exit status."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.sources import read_puzzles
from solver.errors import InvalidPuzzle
from tests.seldom import ASKED_FIRST, few
from tests.test_nonogram_looks import PUZZLE, SOLUTION, drawn

ROOT = Path(__file__).resolve().parents[1]


def boardsight(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": os.environ["HOME"]},
        capture_output=True,
        text=True,
    )


def two_lines(text: str) -> list[str]:
    lines = text.rstrip("\n").split("\n")
    assert len(lines) == 2 and lines[0].startswith("boardsight: ") and lines[1].startswith("  "), text
    return lines


def test_a_missing_file_is_two_lines_and_status_2() -> None:
    done = boardsight("read", "nowhere.png")

    assert done.returncode == 2
    assert "nowhere.png" in two_lines(done.stderr)[0]
    assert done.stdout == ""


def test_a_picture_without_a_board_is_status_3(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((200, 300, 3), 90, np.uint8))

    done = boardsight("read", "grey.png", "--json", cwd=tmp_path)

    assert done.returncode == 3
    assert json.loads(done.stdout)["status"] == "no-board"


def test_a_nonogram_with_a_cell_in_doubt_is_solved_and_the_cell_named(tmp_path: Path) -> None:
    page = drawn(PUZZLE, {}, highlit={min(SOLUTION.blank): (150, 230, 250)})
    cv2.imwrite(str(tmp_path / "page.png"), page)

    done = boardsight("solve", str(tmp_path / "page.png"), "--game", "nonogram", "--json")

    told = json.loads(done.stdout)
    assert (done.returncode, told["status"]) == (0, "solved")
    assert told["solution"] == GAMES["nonogram"].solution_json(PUZZLE, SOLUTION)
    assert "1 cell is in doubt: row 1, column 3; solved from the clues" in told["remarks"]


def test_a_note_of_an_unknown_stock_is_solved_and_that_is_said() -> None:
    done = boardsight("solve", str(ROOT / "tests" / "screens" / "thaumcraft" / "practice-stock-part.png"))

    assert done.returncode == 0
    assert "every aspect counts as owned" in " ".join(done.stderr.split())


def test_a_text_that_is_no_puzzle_is_status_2() -> None:
    done = boardsight("solve", "hello world")

    assert done.returncode == 2
    two_lines(done.stderr)


BROKEN = {
    "half.json": '{"cells": [[0,0',
    "list.json": "[1, 2]",
    "empty.txt": "",
    "strange-aspect.json": '{"cells": [[0,0],[1,0]], "given": {"0,0": "aer", "1,0": "nonsense"}}',
    "given-outside.json": '{"cells": [[0,0],[1,0]], "given": {"0,0": "aer", "5,5": "aer"}}',
    "second-line.jsonl": '{"cells": [[0,0]], "given": {"0,0": "aer"}}\n{"cells": 4}\n',
    "short-id.txt": "10x10m2:4b6b",
    "long-clue.non": "width 2\nheight 2\nrows\n9\n1\ncolumns\n1\n1\n",
    "half.xml": "<puzzle",
    "no-puzzle.xml": "<puzzleset></puzzleset>",
    "sums.txt": "5x5:1/1/1/1/1/1/1/1/1/2",
    "rings.txt": "ring red 10 10\n",
    "islands.has": "2 2 2\n1 0\n0 0\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_puzzle_file_is_named_in_two_lines(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(BROKEN[name])

    done = boardsight("solve", name, cwd=tmp_path)

    assert done.returncode == 2
    assert two_lines(done.stderr)[0].startswith(f"boardsight: {name}: ")


def test_an_overlay_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken.png").mkdir()

    done = boardsight("solve", "practice:rings:1", "--overlay", "taken.png", cwd=tmp_path)

    assert done.returncode == 2
    assert "taken.png: is a folder" in two_lines(done.stderr.split("\n", 1)[1])[0]
    assert [path.name for path in tmp_path.iterdir()] == ["taken.png"]


def test_wrong_usage_is_status_2() -> None:
    assert boardsight("read").returncode == 2
    assert boardsight("read", "--no-such-option").returncode == 2


def test_an_unknown_game_names_those_there_are() -> None:
    done = boardsight("practice", "chess")

    assert done.returncode == 2
    for name in GAMES:
        assert name in done.stderr


def test_a_desktop_without_display_is_status_5() -> None:
    done = boardsight("read", "desktop")

    assert done.returncode == 5
    two_lines(done.stderr)


def test_an_impossible_puzzle_is_status_6() -> None:
    done = boardsight("solve", "3x3:1.1//1.1/1.1/1.1/", "--json")

    assert done.returncode == 6
    assert json.loads(done.stdout)["status"] == "no-solution"


@pytest.mark.parametrize("name", few(GAMES, ASKED_FIRST))
def test_a_practice_puzzle_is_solved_from_its_text(name: str, tmp_path: Path) -> None:
    text = boardsight("practice", name, "--seed", "3", "--text", cwd=tmp_path).stdout
    # Several games may take one text: the name in front says whose it is.
    (tmp_path / "puzzle.txt").write_text(f"{name}:{text}")

    done = boardsight("solve", "puzzle.txt", "--json", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["game"], answer["status"]) == (name, "solved")


@pytest.mark.parametrize("name", few(GAMES, ASKED_FIRST))
def test_a_practice_picture_is_read_solved_and_painted(name: str, tmp_path: Path) -> None:
    boardsight("practice", name, "--seed", "3", "--out", "board.png", cwd=tmp_path)

    done = boardsight("solve", "board.png", "--json", "--overlay", "painted.png", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["game"], answer["status"]) == (name, "solved")
    assert {"source", "profile", "size", "pitch_px", "puzzle", "cells", "seconds"} <= set(answer)
    assert cv2.imread(str(tmp_path / "painted.png")).shape == cv2.imread(str(tmp_path / "board.png")).shape


@pytest.mark.parametrize("name", few(GAMES, ASKED_FIRST))
def test_play_on_a_practice_board_reports_its_end_as_json(name: str, tmp_path: Path) -> None:
    done = boardsight("play", f"practice:{name}:5", "--yes", "--json", "--report", "run.html", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["status"] == "verified"
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page and "<script" not in page


def test_the_demo_plays_every_game_and_leaves_a_report(tmp_path: Path) -> None:
    done = boardsight("demo", "--out", "out", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count("class='verified'") == len(GAMES)


def test_watch_goes_on_from_level_to_level(tmp_path: Path) -> None:
    done = boardsight(
        "play", "practice:algemy:3", "--watch", "--boards", "2", "--yes", "--json", cwd=tmp_path
    )

    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["verified"] * 2


def test_watch_takes_the_next_research_note_from_the_inventory(tmp_path: Path) -> None:
    done = boardsight(
        "play", "practice:thaumcraft:5", "--watch", "--boards", "2", "--yes", "--json", cwd=tmp_path
    )

    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["verified"] * 2


def test_a_saved_picture_cannot_be_played(tmp_path: Path) -> None:
    boardsight("practice", "rings", "--out", "rings.png", cwd=tmp_path)

    done = boardsight("play", "rings.png", "--yes", cwd=tmp_path)

    assert done.returncode == 2
    assert "solve" in two_lines(done.stderr)[1]


def test_a_recording_keeps_every_picture_and_action(tmp_path: Path) -> None:
    done = boardsight("play", "practice:rings:1", "--yes", "--json", "--record", "run", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    entries = [json.loads(line) for line in (tmp_path / "run/run.jsonl").read_text().splitlines()]
    sent = [action for entry in entries for action in entry.get("actions", ())]
    # The pauses between gestures are kept as well, and counted as no actions.
    done_something = [action for action in sent if action["kind"] != "Wait"]
    assert len(done_something) == json.loads(done.stdout)["actions"] > 0
    kept = {entry["file"] for entry in entries if entry["kind"] == "frame"}
    assert {f"frames/{file.name}" for file in (tmp_path / "run/frames").iterdir()} == kept
    assert (tmp_path / "run").stat().st_mode & 0o077 == 0


def test_a_recording_never_mixes_with_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")

    done = boardsight("play", "practice:rings:1", "--yes", "--record", ".", cwd=tmp_path)

    assert done.returncode == 2
    two_lines(done.stderr)


def test_a_game_s_name_before_a_text_says_whose_it_is() -> None:
    text = GAMES["rings"].unparse(GAMES["rings"].practice(random.Random(3)).puzzle)

    named = boardsight("solve", f"rings:{text}", "--json")
    other = boardsight("solve", f"algemy:{text}", "--json")

    assert json.loads(named.stdout)["game"] == "rings"
    assert (other.returncode, json.loads(other.stdout)["status"]) == (2, "error")


def test_a_text_that_several_games_accept_names_them() -> None:
    few = {name: GAMES[name] for name in ("bridges", "lightup", "filling", "rings")}

    with pytest.raises(InvalidPuzzle, match="bridges, lightup and filling"):
        read_puzzles("3x3:2c2b1a", few)


def test_help_and_a_named_text_load_no_game_that_is_not_needed() -> None:
    code = (
        "import sys; from bot.cli import app; from bot.games import GAMES; from bot.sources import read_puzzles\n"
        "print(sorted(name for name in GAMES if f'bot.games.{name}' in sys.modules))\n"
        "read_puzzles('bridges:3x1:2a2', GAMES)\n"
        "print(sorted(name for name in GAMES if f'bot.games.{name}' in sys.modules))\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)

    assert done.stdout.split("\n")[:2] == ["[]", "['bridges']"], done.stderr
