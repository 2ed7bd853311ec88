"""Strangers' words on the terminal: titles, file names and a phone's answers are text, whatever stands in them."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table

from bot import output
from bot.commands import measure
from bot.devices import adb, desktop
from bot.messages import CONTROL, harmless, log, plain, say, show, show_table
from bot.show.canvas import Canvas
from solver.errors import BoardsightError

ROOT = Path(__file__).resolve().parents[1]
WICKED = [
    "[/red]",
    "[b]x",
    "\x1b[2J\x1b]0;mine\x07",
    "\x9b31m",
    "a\u202egnp.exe",
    "two\nlines",
    "half \udcff",
    ":boom:",
]


@given(st.text(st.characters(), max_size=40))
def test_nothing_that_a_terminal_obeys_is_left(words: str) -> None:
    said = harmless(words)

    assert not CONTROL.search(said)
    assert said == words or CONTROL.search(words)
    assert json.loads(output.line({"title": words})) == {"title": words}
    assert not CONTROL.search(output.line({"title": words}))


@pytest.mark.parametrize("words", WICKED)
def test_whatever_is_said_is_text(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("source", words, box=None)
    table.add_row("desktop", words)

    log.print(words, style="dim")
    with log.status(plain(words)):
        pass
    say(BoardsightError(words, hint=words))
    show(words)
    show_table(table)

    told = capsys.readouterr()
    for line in (told.out + told.err).split("\n"):
        assert not CONTROL.search(line)
    text = harmless(" ".join(words.split()))
    assert f"boardsight: {text}\n  {text}\n" in told.err
    assert harmless(words) in told.out


@pytest.mark.parametrize("words", WICKED)
def test_a_window_and_a_device_may_be_called_anything(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(adb, "list_devices", lambda: [(f"adb:{words}:1", words)])
    monkeypatch.setattr(desktop, "list_windows", lambda: [(f"desktop:{words}", words)])

    measure.devices()

    told = capsys.readouterr().out
    assert f"desktop:{harmless(words)}" in told and f"adb:{harmless(words)}:1" in told
    assert not any(CONTROL.search(line) for line in told.split("\n"))


def test_a_picture_of_characters_holds_only_what_is_shown() -> None:
    canvas = Canvas(6, 1)

    canvas.put(0, 0, "a\x1b\u202e█ b")

    assert canvas.text() == "a??█ b"


@pytest.mark.parametrize(
    "command", ["read", "solve", "hint", "score", "replay", "practice", "doctor", "play"]
)
def test_an_argument_is_said_as_text(command: str, tmp_path: Path) -> None:
    wicked = b"[/red]\x1b[2J\xff.png"

    told = subprocess.run(
        [sys.executable, "-m", "bot", command, wicked],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
    )

    assert told.returncode == 2
    assert b"\x1b" not in told.stdout + told.stderr and b"Traceback" not in told.stderr
    assert b"[/red]" in told.stderr


def test_everything_that_is_printed_goes_through_one_place() -> None:
    """`print` and rich's Console are used by bot/messages.py only, and by what draws its own signs."""
    own = {
        "bot/messages.py",
        "bot/start.py",
        "bot/show/work.py",
        "bot/show/terminal.py",
        "tests/laboratory/live.py",
    }
    found = []
    for path in sorted((ROOT / "bot").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("print", "Console"):
                found.append(f"{name}: {ast.unparse(node)}")

    allowed = ("print(trace(), file=sys.stderr)", "Console(quiet=True)", "print(in_encoding(")
    assert [
        line for line in found if line.split(":")[0] not in own and not any(one in line for one in allowed)
    ] == []
