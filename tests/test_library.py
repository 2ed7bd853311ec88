"""`import boardsight`: thin, typed, and documented by examples that run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardsight

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "library.md"


def test_the_examples_of_the_page_run_from_top_to_bottom(tmp_path: Path) -> None:
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    (tmp_path / "page.py").write_text("\n".join(examples))

    done = subprocess.run(
        [sys.executable, "page.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )

    assert len(examples) == 6
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "solved.png").read_bytes().startswith(b"\x89PNG")


def test_every_name_that_is_handed_on_is_there_and_told_of() -> None:
    for name in boardsight.__all__:
        assert getattr(boardsight, name).__doc__ or name in ("Source", "Pixels"), name


def test_whoever_imports_it_loads_no_display_and_no_pictures() -> None:
    code = "import sys, boardsight; print([n for n in ('cv2', 'numpy', 'mss', 'pyautogui', 'tkinter') if n in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)

    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr


@pytest.mark.parametrize("pixels", [np.zeros((20, 30), np.uint8), np.zeros((20, 30, 3), np.float32), [1, 2]])
def test_what_is_no_picture_in_our_form_is_refused_in_words(pixels: object) -> None:
    with pytest.raises(boardsight.WrongUsage, match="uint8, BGR") as refused:
        boardsight.read(pixels)  # type: ignore[arg-type]

    assert refused.value.hint


@pytest.mark.parametrize("seconds", [-1.0, float("nan")])
@pytest.mark.parametrize("ask", [boardsight.solve, boardsight.hint])
def test_a_time_that_is_none_limits_nothing(ask: Any, seconds: float) -> None:
    with pytest.raises(boardsight.WrongUsage, match="limit_s") as refused:
        ask("practice:rings:1", limit_s=seconds)

    assert refused.value.hint


def test_a_saved_picture_is_not_played() -> None:
    shot = next((ROOT / "tests" / "screens" / "bridges").glob("*.png"))

    with pytest.raises(boardsight.WrongUsage, match="cannot be played"):
        boardsight.play(str(shot))


@pytest.mark.parametrize("source", [Path("shot.png"), np.zeros((200, 300, 3), np.uint8), None])
def test_what_is_not_live_is_not_played(
    source: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("shot.png").write_bytes(boardsight.read("practice:rings:1").painted())

    with pytest.raises(boardsight.WrongUsage) as refused:
        boardsight.play(source)  # type: ignore[arg-type]

    assert refused.value.hint


def test_a_path_is_a_file_whatever_it_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    board = boardsight.read("practice:bridges:1")
    for name in ("adb", "desktop"):
        Path(name).write_bytes(board.painted())
    Path("board.txt").write_text(board.found.game.unparse(board.reading.puzzle))

    read = [boardsight.read(path) for path in (Path("adb"), Path("./desktop"))]
    solved = boardsight.solve(Path("board.txt"))

    assert [one.found.game.name for one in read] == ["bridges", "bridges"]
    assert solved.entries() == boardsight.solve(board).entries()
    assert boardsight.hint(Path("board.txt")).why


def test_a_board_is_not_solved_as_another_game() -> None:
    board = boardsight.read("practice:bridges:1")

    for call in (boardsight.solve, boardsight.hint):
        with pytest.raises(boardsight.WrongUsage, match="read as bridges, not rings"):
            call(board, game="rings")


def test_a_profile_that_is_not_there_is_an_error_of_the_page() -> None:
    with pytest.raises(boardsight.ProfileNotFound):
        boardsight.read("practice:bridges:1", profile="nobody's")

    assert "ProfileNotFound" in PAGE.read_text()
