"""Sentences of the contract of the command line, tried as somebody would who has only read them."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from bot import cli
from bot.games import GAMES
from vision.image import encode_png

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
