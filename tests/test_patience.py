"""What takes longer than a moment shows that it goes on, and ends where a limit was given."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot import patience
from solver.errors import SearchLimit

ROOT = Path(__file__).resolve().parents[1]
CALL = [sys.executable, "-m", "bot"]


def on_a_terminal(code: str) -> str:
    """What a program writes to the terminal that it runs on."""
    import pty

    parent, child = pty.openpty()
    environ = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, env=environ, stdout=child, stderr=child, stdin=child
    ) as process:
        os.close(child)
        told = b""
        while True:
            try:
                part = os.read(parent, 4096)
            except OSError:
                break
            if not part:
                break
            told += part
        process.wait(60)
    os.close(parent)
    return told.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
@pytest.mark.parametrize(("seconds", "expected"), [(1.8, True), (0.2, False)])
def test_only_what_takes_longer_than_a_second_is_shown(seconds: float, expected: bool) -> None:
    code = (
        f"import time; from bot import patience\nwith patience.shown('reading a.png'): time.sleep({seconds})"
    )

    assert ("reading a.png" in on_a_terminal(code)) is expected


def test_nothing_is_shown_beside_a_bar() -> None:
    code = (
        "import time; from bot import patience\n"
        "with patience.bar_shown(), patience.shown('reading a.png'): time.sleep(1.5)"
    )

    assert "reading" not in on_a_terminal(code)


def test_a_block_ends_at_its_limit() -> None:
    began = time.monotonic()

    with (
        pytest.raises(SearchLimit, match=r"reading took longer than the limit of 0.2 s"),
        patience.within(0.2, "reading"),
    ):
        while time.monotonic() < began + 30:
            pass


class Slow:
    """A name of a class that takes longer than the limit of the tests."""

    def __set_name__(self, owner: type, name: str) -> None:
        time.sleep(30)


def test_a_block_ends_at_its_limit_while_a_class_is_made() -> None:
    with pytest.raises(SearchLimit, match=r"reading took longer"), patience.within(0.1, "reading"):

        class Owner:
            slow = Slow()


def test_a_limit_that_the_block_caught_ends_it_all_the_same() -> None:
    with (
        pytest.raises(SearchLimit, match=r"reading took longer"),
        patience.within(0.1, "reading"),
        contextlib.suppress(SearchLimit),
    ):
        time.sleep(30)


def test_a_block_within_its_limit_is_left_alone() -> None:
    with patience.within(0.05, "reading"):
        pass
    time.sleep(0.2)

    with patience.within(None, "reading"):
        pass


def test_the_limit_of_solve_is_for_reading_as_well(tmp_path: Path) -> None:
    picture = tmp_path / "board.png"
    subprocess.run([*CALL, "practice", "bridges", "--out", str(picture)], cwd=ROOT, check=True)

    done = subprocess.run(
        [*CALL, "solve", str(picture), "--limit", "0.001", "--json"], cwd=ROOT, capture_output=True, text=True
    )

    assert done.returncode == 8
    line = json.loads(done.stdout)
    assert (line["source"], line["status"]) == (str(picture), "limit")
    assert "reading took longer" in done.stderr
