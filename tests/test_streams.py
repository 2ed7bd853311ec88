"""The program without standard input, with an output that is full, and stopped while it starts: words, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NONOGRAM = "nonogram:2x2:1/1/1/1"


def run(*words: str, cwd: Path, redirected: str = "") -> subprocess.CompletedProcess[str]:
    """The command line. redirected: streams, as the shell has it."""
    return subprocess.run(
        ["sh", "-c", f'exec "$0" -m bot "$@" {redirected}', sys.executable, *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    "words",
    [["play", "practice:rings:1"], ["read", "practice:rings:1"], ["hint", "practice:nonogram:1"], ["games"]],
    ids=lambda words: words[0],
)
def test_no_standard_input_is_an_empty_one(words: list[str], tmp_path: Path) -> None:
    done = run(*words, cwd=tmp_path, redirected="<&-")

    assert "Traceback" not in done.stderr
    assert done.returncode == (2 if words[0] == "play" else 0)
    if words[0] == "play":
        assert "nobody to ask" in done.stderr


def test_neither_input_nor_output_nor_errors_are_needed(tmp_path: Path) -> None:
    done = run("practice", "rings", cwd=tmp_path, redirected="<&- >&- 2>&-")

    assert done.returncode == 0
    assert (tmp_path / "rings-0.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a system without /dev/full")
@pytest.mark.parametrize(
    ("words", "status"),
    [(["play", "practice:rings:1", "--yes"], 0), (["read", "nowhere.png"], 2), (["--no-such-option"], 2)],
    ids=["play", "read", "usage"],
)
def test_words_that_nobody_can_take_change_no_status(words: list[str], status: int, tmp_path: Path) -> None:
    assert run(*words, cwd=tmp_path, redirected="2>/dev/full").returncode == status


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a system without /dev/full")
@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["--version"],
        ["read", "-h"],
        ["games"],
        ["practice", "rings", "--text"],
        ["read", "practice:rings:1"],
        ["read", "practice:rings:1", "--json"],
        ["solve", "practice:rings:1", "nothing", "--json"],
        ["solve", "3x3", "--json"],
        ["hint", "practice:nonogram:1"],
    ],
    ids=" ".join,
)
def test_a_full_output_is_said_in_two_lines(words: list[str], tmp_path: Path) -> None:
    done = run(*words, cwd=tmp_path, redirected=">/dev/full")

    assert done.returncode == 2
    assert done.stderr.splitlines()[-2:] == [
        "boardsight: standard output: No space left on device",
        "  make room, or send the output elsewhere",
    ]
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [["games"], ["read", "practice:rings:1", "practice:rings:2", "--json"], ["--help"], ["read", "-h"]],
    ids=" ".join,
)
def test_a_reader_that_goes_away_is_no_error(words: list[str], tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "bot", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writing)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["read", "solve", "hint", "play", "score", "replay", "doctor"])
@pytest.mark.parametrize("length", [300, 5000])
def test_a_source_longer_than_any_file_name_is_an_error_of_two_lines(
    command: str, length: int, tmp_path: Path
) -> None:
    done = run(command, "x" * length, cwd=tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 2, done.stderr


def test_demo_in_a_folder_that_cannot_be_written_plays_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    done = run("demo", "rings", "--out", "file/demo", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "boardsight: file/demo: cannot be made: Not a directory\n  choose another --out\n"


# Every moment of a start, told by the module that is being loaded.
MOMENTS = [
    "bot.cli",
    "typer",
    "bot.messages",
    "rich.console",
    "bot.commands.look",
    "numpy",
    "cv2",
    "bot.sources",
]


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_while_it_starts_is_a_stop_in_order(moment: str, tmp_path: Path) -> None:
    code = f"""
import os, signal, sys
# What is started in the background may ignore Ctrl-C, and so may all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
class Moment:
    def find_spec(self, name, path, target=None):
        if name == {moment!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Moment())
sys.argv = ["boardsight", "read", "practice:rings:1"]
from bot.start import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "boardsight: stopped by the user\n"


def test_the_program_starts_where_ctrl_c_is_expected() -> None:
    import tomllib

    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]

    assert scripts == {"boardsight": "bot.start:main"}
