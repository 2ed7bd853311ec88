"""Sentences of the contract of the command line, tried as somebody would who has only read them."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import RLock
from typing import NamedTuple

import numpy as np
import pytest
from rich.progress import ProgressColumn, Task, TaskID

from bot import cli
from bot.audience import progress_bar
from bot.games import GAMES
from vision.image import encode_png

ROOT = Path(__file__).resolve().parents[1]
BRIDGES = "7x7m2:a1d23c3k2a5a43d3g12b2a3a"


class Said(NamedTuple):
    """What a command left with, and what it wrote."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def error(self) -> list[str]:
        """The two lines of an error."""
        lines = self.err.splitlines()
        assert len(lines) == 2 and lines[0].startswith("boardsight: ") and lines[1].startswith("  "), lines
        return lines


Call = Callable[..., Said]


@pytest.fixture
def boardsight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """The command line, in an empty folder, without a display and with nothing learned."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOARDSIGHT_PROFILES", str(tmp_path / ".profiles"))
    monkeypatch.setenv("BOARDSIGHT_RUNS", str(tmp_path / ".runs"))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK"):
        monkeypatch.delenv(name, raising=False)

    def call(*words: str) -> Said:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["boardsight", *words])
        status = cli._status()
        return Said(status, *capsys.readouterr())

    return call


def a_board(path: str = "b.png", game: str = "bridges") -> str:
    Path(path).write_bytes(encode_png(GAMES[game].practice(random.Random(3)).render(0.0)))
    return path


def a_grey_picture(path: str = "grey.png") -> str:
    Path(path).write_bytes(encode_png(np.full((200, 300, 3), 90, np.uint8)))
    return path


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_a_bare_word_is_the_device_whatever_lies_in_the_folder(boardsight: Call, kind: str) -> None:
    # Android's platform-tools hold a program `adb`; Windows and macOS find the folder Desktop by `desktop`.
    for word in ("adb", "desktop"):
        Path(word).mkdir() if kind == "folder" else Path(word).write_bytes(b"\x7fELF")

    desktop, phone = boardsight("read", "desktop"), boardsight("play", "adb:no-such-phone-here")
    bare = boardsight("play", "desktop")

    assert desktop.status == bare.status == 5, desktop.err
    assert "no display" in desktop.error[0] and "no display" in bare.err
    assert phone.status == 5


def test_a_text_has_no_picture_to_paint_over(boardsight: Call) -> None:
    said = boardsight("solve", BRIDGES, "--overlay", "o.png", "--json")

    assert said.status == 2
    assert "--overlay" in said.error[0]
    assert [line["status"] for line in said.lines] == ["error"]


def test_a_picture_that_cannot_be_opened_stops_no_lattice(boardsight: Call) -> None:
    said = boardsight("read", "none.png", a_grey_picture(), a_board(), "--lattice", "l.png", "--json")

    assert said.status == 3
    assert [line["status"] for line in said.lines] == ["error", "no-board", "read"]
    assert sorted(path.name for path in Path().glob("l-*.png")) == ["l-2.png", "l-3.png"]


@pytest.mark.parametrize("command", ["read", "solve"])
def test_a_folder_without_pictures_is_the_error_of_one_input(boardsight: Call, command: str) -> None:
    Path("empty").mkdir()

    said = boardsight(command, "empty", a_board(), "--json")

    assert said.status == 2
    assert [line["status"] for line in said.lines] == ["error", "read" if command == "read" else "solved"]
    assert "empty: no picture in this folder" in said.error[0]


def test_a_folder_of_icons_is_no_screenshot(boardsight: Call) -> None:
    Path("icons").mkdir()
    a_board("icons/aer.png")

    said = boardsight("calibrate", "thaumcraft", "--from", "icons")

    assert "screenshot" not in said.err


def test_a_practice_board_as_text_goes_where_it_is_told(boardsight: Call) -> None:
    shown, written = (
        boardsight("practice", "slant", "--text"),
        boardsight("practice", "slant", "--text", "--out", "s.txt"),
    )

    assert (written.status, written.out) == (0, "s.txt\n")
    assert Path("s.txt").read_text() == shown.out
    assert boardsight("practice", "slant", "--text", "--window").status == 2
    assert boardsight("practice", "slant", "--out", "s.png", "--window").status == 2


@pytest.mark.parametrize("command", ["solve", "hint"])
@pytest.mark.parametrize(
    "text", ["lightup:7x7:aBk1f", "lightup:3x3:B0B0aBB0B", "rings:zzz", "undead:4x4:1,2"]
)
def test_an_error_of_a_text_names_the_text(boardsight: Call, command: str, text: str) -> None:
    said = boardsight(command, text)

    assert said.error[0].startswith(f"boardsight: {text}: ")


@pytest.mark.parametrize("command", ["read", "solve", "hint", "play", "learn"])
def test_an_error_of_a_picture_names_the_picture(boardsight: Call, command: str) -> None:
    source = "practice:bridges:1" if command == "play" else a_grey_picture()

    said = boardsight(command, source, "--game", "lightup")

    assert said.status == 3
    assert f"boardsight: {source}: " in said.err


def test_learn_finds_the_game_in_the_board_that_is_told(boardsight: Call) -> None:
    text = GAMES["lightup"].unparse(GAMES["lightup"].practice(random.Random(3)).puzzle)

    told = boardsight("learn", a_board("s.png", "lightup"), "--truth", f"lightup:{text}")
    untold = boardsight("learn", "s.png")

    assert told.status == 0 and Path(told.out.strip()).parent.name == "lightup"
    assert untold.status == 2
    assert "--game" in untold.error[1] and "--truth" in untold.error[1]


def test_a_limit_is_told_with_its_reason(boardsight: Call) -> None:
    note = GAMES["thaumcraft"].unparse(GAMES["thaumcraft"].practice(random.Random(9)).puzzle)

    said = boardsight("solve", note, "--limit", "0", "--json")

    assert said.status == 8
    assert said.lines[0]["status"] == "limit"
    assert "not proved" in str(said.lines[0]["reason"])


def test_play_without_anybody_to_ask_is_wrong_usage(boardsight: Call) -> None:
    # Status 0 is for a board that was seen solved.
    said = boardsight("play", "practice:rings:1", "--json")

    assert said.status == 2
    assert [line["status"] for line in said.lines] == ["error"]
    assert "nobody to ask" in said.err.splitlines()[-2] and "--yes" in said.err.splitlines()[-1]


@pytest.mark.parametrize("command", [("replay", "none"), ("score", "none"), ("bench", "no-such-row")])
def test_an_error_is_a_line_of_json_too(boardsight: Call, command: tuple[str, str]) -> None:
    said = boardsight(*command, "--json")

    assert said.status == 2
    assert [line["status"] for line in said.lines] == ["error"]
    assert str(said.lines[0]["reason"]) in said.error[0]


def test_a_dry_run_is_counted_in_json_too(boardsight: Call) -> None:
    said = boardsight("play", "practice:rings:1", "--dry-run", "--json", "--no-record")

    assert said.lines[0]["status"] == "planned"
    assert said.lines[0]["plan"] == {"cells": 4, "actions": 8, "steps": 4}


@pytest.mark.parametrize(
    ("words", "first", "second"),
    [
        (["read", BRIDGES], "No such file", "boardsight solve"),
        (["play", BRIDGES], "No such file", "boardsight solve"),
        (["solve", ""], "nothing stands there", "a puzzle"),
        (["play", "practice"], "no game", "practice:rings:7"),
        (["read", "grey.png", "--profile", "none"], "no profile 'none'", "boardsight profiles"),
        (
            ["read", "grey.png", "--game", "bridges", "--profile", "none"],
            "no profile 'none'",
            "boardsight profiles",
        ),
        (["solve", "rings:zzz"], "zzz", "boardsight practice GAME --text"),
        (["solve", "5x5:l8a2b8c3a3a"], "may be a puzzle of", "the game and a colon in front"),
        (["play", "practice:rings:1", "--yes", "--boards", "2"], "--boards", "--watch"),
        (["read", "none/"], "none/: No such file", "check"),
        (["bench", "--against", "none"], "none: No such file", "check"),
        (["score", "practice:rings", "--against", "none"], "none: No such file", "check"),
        (["practice", "rings", "--window"], "no window can be opened", "DISPLAY"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)
def test_an_error_says_what_was_seen_and_what_to_do(
    boardsight: Call, words: list[str], first: str, second: str
) -> None:
    a_grey_picture()

    said = boardsight(*words)

    assert first in said.error[0] and said.error[0].count("No such file") <= 1
    assert second in said.error[1]


def test_a_clue_on_the_edge_of_a_slant_board_is_named_as_people_see_it(boardsight: Call) -> None:
    said = boardsight("hint", "slant:4x4:a01a10c1a3a1a1c1111b")

    assert "row 0" not in said.out and "column 0" not in said.out
    assert "1 lines" not in said.out


def test_help_tells_a_default_once(boardsight: Call) -> None:
    for command in ("learn", "calibrate"):
        assert (
            boardsight(command, "--help").out.count("'mine'")
            + boardsight(command, "--help").out.count(": mine")
            == 1
        )


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("solve --un", {"--unique"}),
        ("practice br", {"bridges"}),
        ("read --game sl", {"slant"}),
        ("demo mo", {"mosaic"}),
    ],
)
def test_the_tab_key_finishes_options_and_games(
    typed: str, words: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMP_WORDS", f"boardsight {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
    monkeypatch.setenv("_BOARDSIGHT_COMPLETE", "complete_bash")

    done = subprocess.run([sys.executable, "-m", "bot"], cwd=ROOT, capture_output=True, text=True)

    assert set(done.stdout.split()) == words


def test_a_run_that_comes_to_its_limit_says_so(boardsight: Call) -> None:
    words = ("play", "practice:nonogram:2", "--yes", "--max-actions", "3", "--no-record")

    said, told = boardsight(*words), boardsight(*words, "--json")

    assert said.status == told.status == 8
    assert "--max-actions" in said.err.splitlines()[-1]
    assert "--max-actions" in str(told.lines[0]["reason"])


def test_a_title_that_is_for_copying_is_not_cut(boardsight: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    title = "desktop:" + "a very long title of a window " * 4 + "end"
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("bot.devices.desktop.list_windows", lambda: [(title, "window, 300 x 200")])
    monkeypatch.setattr("bot.devices.adb.list_devices", lambda: [])

    assert title in boardsight("devices").out


@pytest.mark.parametrize("report", ["none/r.html", "."])
def test_a_report_without_a_place_is_refused_before_anything_is_played(boardsight: Call, report: str) -> None:
    said = boardsight("play", "practice:rings:1", "--yes", "--report", report, "--record", "run")

    assert said.status == 2
    assert said.error[0].startswith(f"boardsight: {report}: ")
    assert not Path("run").exists()


def test_a_recording_that_is_wanted_and_not_wanted_is_wrong_usage(boardsight: Call) -> None:
    said = boardsight("play", "practice:rings:1", "--yes", "--record", "run", "--no-record")

    assert said.status == 2
    assert "--no-record" in said.error[0]
    assert not Path("run").exists()


@pytest.mark.parametrize("option", [("--overlay", "none/o.png"), ("--gif", "none/o.gif")])
def test_an_input_whose_file_cannot_be_written_is_one_line(boardsight: Call, option: tuple[str, str]) -> None:
    said = boardsight("solve", a_board(), *option, "--json")

    assert said.status == 2
    assert option[1] in said.error[0]
    assert [line["status"] for line in said.lines] == ["error"]


@pytest.mark.parametrize("command", [("read", "--json"), ("hint",), ("play", "--yes", "--no-record")])
def test_a_seed_may_be_any_whole_number(boardsight: Call, command: tuple[str, ...]) -> None:
    below = boardsight(command[0], "practice:bridges:-3", *command[1:])
    above = boardsight(command[0], "practice:bridges:3", *command[1:])

    assert below.status == above.status == 0, below.err
    assert [len(said.splitlines()) for said in below[1:]] == [len(said.splitlines()) for said in above[1:]]


def test_a_folder_of_boards_that_is_not_there_is_not_measured(boardsight: Call) -> None:
    said = boardsight("bench", "--list", "--data", "none")

    assert said.status == 2
    assert "none" in said.error[0]


def test_without_a_home_boards_are_read_and_played(boardsight: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose user has a number and no name."""
    for name in ("BOARDSIGHT_PROFILES", "BOARDSIGHT_RUNS"):
        monkeypatch.setenv(name, "~nobody-of-this-name/here")

    read = boardsight("read", a_board())
    played = boardsight("play", "practice:rings:1", "--yes")
    last = boardsight("replay")

    assert (read.status, played.status) == (0, 0), read.err + played.err
    assert "this run is not recorded" in played.err
    assert last.status == 2 and "no run is kept" in last.error[0]


def test_a_bar_whose_end_is_not_known_says_no_none() -> None:
    step = progress_bar().columns[2]
    begun = Task(TaskID(0), "Rings", None, 0, lambda: 0.0, _lock=RLock())

    assert isinstance(step, ProgressColumn)
    assert "None" not in str(step.render(begun))


@pytest.mark.parametrize("time", ["nan", "inf", "1e300"])
@pytest.mark.parametrize(
    "words",
    [
        ("solve", BRIDGES, "--limit"),
        ("hint", BRIDGES, "--limit"),
        ("play", "practice:bridges", "--yes", "--settle"),
        ("play", "practice:bridges", "--yes", "--max-minutes"),
    ],
)
def test_a_time_that_no_clock_counts_is_wrong_usage(
    boardsight: Call, words: tuple[str, ...], time: str
) -> None:
    """A settling time that is no number was over at once."""
    said = boardsight(*words, time)

    assert said.status == 2 and "is no time that can be counted" in said.err and not said.out


def test_of_several_pictures_each_reading_says_whose_it_is(boardsight: Call) -> None:
    alone, both = boardsight("read", a_board()), boardsight("read", a_board(), a_board("c.png"))

    assert alone.err.startswith("Bridges, profile ")
    assert [line.split(",")[0] for line in both.err.splitlines()] == ["b.png: Bridges", "c.png: Bridges"]
