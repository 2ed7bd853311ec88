"""The entry in the desktop's menu starts the program, wherever it lies."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from bot.window import entry
from tests.shared_data import REQUIRE_REAL


@pytest.fixture
def menu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.mark.skipif(shutil.which("gio") is None and not REQUIRE_REAL, reason="gio is not installed")
@pytest.mark.parametrize("folder", ["plain", "two words", 'odd $HOME `x` "y" \\z'])
def test_the_desktop_starts_what_the_entry_names(
    menu: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    program = tmp_path / folder / "boardsight"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$0 $@" >"{tmp_path}/started"\n')
    program.chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(program)])

    written, _ = entry.install()
    subprocess.run(["gio", "launch", str(written)], check=True)

    end = time.monotonic() + 20
    while not (tmp_path / "started").is_file() or not (tmp_path / "started").read_text():
        assert time.monotonic() < end, "it was not started"
        time.sleep(0.05)
    assert (tmp_path / "started").read_text() == f"{program} window\n"


@pytest.mark.skipif(
    shutil.which("desktop-file-validate") is None and not REQUIRE_REAL,
    reason="desktop-file-utils is not installed",
)
def test_the_entry_is_well_formed(menu: Path) -> None:
    written, _ = entry.install()

    assert (
        subprocess.run(["desktop-file-validate", str(written)], capture_output=True, text=True).stdout == ""
    )


def test_what_was_written_is_taken_away(menu: Path) -> None:
    written = entry.install()

    assert entry.remove() == written
    assert not [path for path in menu.rglob("*") if path.is_file()]
    assert entry.remove() == ()
