"""Files that are none: pipes, devices, folders, holes and links to them are refused, and nothing waits for them."""

from __future__ import annotations

import errno
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.devices.session import _prepare_authority
from bot.games import GAMES
from bot.scorecard.truth import labelled_case, labels_below
from bot.sources import expand, open_picture, read_puzzles
from bot.window import entry
from calibration.files import read_bytes, read_start
from calibration.thaumcraft.sources import SourceNotFound, find_game_files
from solver.errors import InvalidPuzzle
from vision.errors import UnreadableImage
from vision.image import encode_png

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 300


def boardsight(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command line; what hangs is ended after a time that nothing takes that does not hang."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A folder with a pipe that nobody writes to, links to devices without an end, and a good picture."""
    os.mkfifo(tmp_path / "pipe.png")
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "endless.png").symlink_to("/dev/zero")
    (tmp_path / "endless.txt").symlink_to("/dev/zero")
    (tmp_path / "terminal.png").symlink_to("/dev/tty")
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "good.png").write_bytes(encode_png(np.full((30, 30, 3), 90, np.uint8)))
    return tmp_path


@pytest.mark.parametrize(
    "name", ["pipe.png", "endless.png", "terminal.png", "folder.png", "link.png", "not there.png"]
)
def test_only_regular_files_are_read(odd: Path, name: str) -> None:
    (odd / "link.png").symlink_to(odd / "pipe")

    for read in (read_bytes, read_start):
        with pytest.raises(UnreadableImage, match=name):
            read(odd / name, 1000)


def test_a_name_that_no_file_can_have_is_refused() -> None:
    for name in ("x" * 5000, "x\0y"):
        with pytest.raises(UnreadableImage):
            read_bytes(Path(name), 1000)


def test_a_link_to_a_file_is_read(odd: Path) -> None:
    (odd / "link.png").symlink_to(odd / "good.png")

    assert cv2.imdecode(np.frombuffer(read_bytes(odd / "link.png", 1000), np.uint8), 1).shape == (30, 30, 3)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_a_puzzle_is_read_as_the_shells_write_it(tmp_path: Path, encoding: str) -> None:
    """PowerShell's > writes UTF-16."""
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    (tmp_path / "board.txt").write_text(f"{mark}3x3:1/1.1/1/1/1.1/1\n", encoding=encoding)

    (puzzle,) = read_puzzles(str(tmp_path / "board.txt"), GAMES)

    assert puzzle.game.name == "nonogram"


def test_rings_of_an_editor_of_windows_are_told_by_their_form(tmp_path: Path) -> None:
    text = GAMES["rings"].unparse(GAMES["rings"].practice(random.Random(5)).puzzle)
    (tmp_path / "rings.txt").write_bytes(text.replace("\n", "\r\n").encode())

    (puzzle,) = read_puzzles(str(tmp_path / "rings.txt"), GAMES)

    assert puzzle.game.name == "rings"


def test_a_file_is_read_up_to_its_bound_and_no_byte_further(tmp_path: Path) -> None:
    (tmp_path / "hole").touch()
    os.truncate(tmp_path / "hole", 2**40)
    (tmp_path / "full").write_bytes(b"x" * 1000)

    with pytest.raises(UnreadableImage, match="larger than 1000 bytes"):
        read_bytes(tmp_path / "hole", 1000)
    assert len(read_bytes(tmp_path / "full", 1000)) == 1000
    assert read_start(tmp_path / "hole", 16) == bytes(16)


@pytest.mark.parametrize("command", ["read", "solve"])
def test_pipes_and_devices_stop_no_batch(command: str, odd: Path) -> None:
    names = ["pipe.png", "endless.png", "pipe", "pipe.txt", "endless.txt", "10x10m2:4b6b", "good.png"]

    done = boardsight(command, *names, "--json", cwd=odd)

    said = done.stdout.splitlines()
    assert len(said) == len(names), done.stderr
    assert ['"status":"error"' in line.replace(" ", "") for line in said[:5]] == [True] * 5
    assert "Traceback" not in done.stderr


def test_calibrate_waits_for_no_pipe(odd: Path) -> None:
    for words in (["--from", "pipe"], ["--from", "pipe.png", "--truth", "x"], ["--from", "."]):
        done = boardsight("calibrate", "thaumcraft", *words, cwd=odd)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert "Traceback" not in done.stderr


def test_a_pipe_among_the_mods_is_no_jar(odd: Path) -> None:
    (odd / "mods").mkdir()
    os.mkfifo(odd / "mods" / "Thaumcraft.jar")

    with pytest.raises(SourceNotFound):
        find_game_files([odd])


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that nobody may look into, with a board in it, also for who may look anywhere."""
    folder = tmp_path / "shots" / "closed"
    folder.mkdir(parents=True)
    scandir, listdir, status, access = os.scandir, os.listdir, os.stat, os.access

    def refusing(call: Callable[..., Any]) -> Callable[..., Any]:
        def refused(path: Any = ".", *rest: Any, **more: Any) -> Any:
            inner = call in (scandir, listdir) and str(path) == str(folder)
            if inner or str(path).startswith(f"{folder}{os.sep}"):
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
            return call(path, *rest, **more)

        return refused

    monkeypatch.setattr(os, "scandir", refusing(scandir))
    monkeypatch.setattr(os, "listdir", refusing(listdir))
    monkeypatch.setattr(os, "stat", refusing(status))
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != str(folder) and access(path, mode))
    return folder


def test_a_folder_that_may_not_be_looked_into_is_an_error_and_never_left_out(closed: Path) -> None:
    (closed.parent / "a.png").touch()

    names = expand([str(closed.parent)])

    assert names == [str(closed.parent / "a.png"), str(closed)]
    with pytest.raises(UnreadableImage, match="may not be looked into"):
        open_picture(str(closed), GAMES)
    with pytest.raises(UnreadableImage, match="Permission denied") as refused:
        open_picture(str(closed / "shot.png"), GAMES)
    assert "rights" in refused.value.hint


def test_a_folder_of_labels_that_may_not_be_looked_into_is_no_empty_one(closed: Path) -> None:
    for name in ("a.png", "a.json", "other.json"):
        (closed.parent / name).touch()

    labels = labels_below(closed.parent)

    assert labels == [closed.parent / "a.json", closed]
    with pytest.raises(InvalidPuzzle, match="may not be looked into"):
        labelled_case(closed, lambda game: ())


def test_a_name_of_no_sign_is_shown_as_that() -> None:
    with pytest.raises(UnreadableImage, match=r"^'': No such file"):
        open_picture("", GAMES)


def test_a_home_that_may_not_be_looked_into_holds_no_game_and_no_entry(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with sudo, which may leave HOME as it was."""
    monkeypatch.setenv("HOME", str(closed))
    monkeypatch.setenv("XAUTHORITY", "")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(SourceNotFound, match="none of the usual launchers"):
        find_game_files()
    assert entry.remove() == ()
    _prepare_authority()
    assert os.environ["XAUTHORITY"] == os.devnull


def test_a_report_that_cannot_be_written_does_not_hide_how_the_board_went(tmp_path: Path) -> None:
    """As on a disk that is full; nothing half written stays."""
    report = "r" * 300

    done = boardsight(
        "play",
        "practice:bridges:3",
        "--yes",
        "--no-record",
        "--json",
        "--report",
        report,
        cwd=tmp_path,
    )

    told = json.loads(done.stdout)
    assert (done.returncode, told["status"], told["report"]) == (2, "verified", None)
    assert report in done.stderr.replace("\n", "") and "Traceback" not in done.stderr
    assert [*tmp_path.iterdir()] == []
