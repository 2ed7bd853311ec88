"""Starting costs no more than what is asked for: counted in modules, which is the work that a start does."""

from __future__ import annotations

import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from bot.cli import COMMANDS, command
from bot.games import GAMES, may_be

ROOT = Path(__file__).resolve().parents[1]


def modules_of(code: str) -> set[str]:
    """The modules that are loaded when a piece of code has run, in a fresh interpreter."""
    tell = "import sys; print('\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", f"try:\n    {code}\nfinally:\n    {tell}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return set(done.stderr.split())


def modules_of_call(*words: str) -> set[str]:
    """The modules that `boardsight WORDS` has loaded at its end."""
    return modules_of(f"import sys; from bot.cli import main; sys.argv[1:] = {list(words)!r}; main()")


def ours(loaded: set[str]) -> set[str]:
    return {name for name in loaded if name.split(".")[0] in ("bot", "solver", "vision", "calibration")}


@pytest.mark.parametrize("word", ["--help", "-h", "--version"])
def test_help_and_version_load_no_command_and_no_library_of_pictures(word: str) -> None:
    loaded = modules_of_call(word)

    assert "bot.cli" in loaded
    assert not {"numpy", "cv2", "pydantic", "asyncio"} & loaded
    # The table of commands, the errors and how they are said.
    assert len(ours(loaded)) <= 12, sorted(ours(loaded))


# Their searches count in arrays.
WITH_ARRAYS = {"thaumcraft", "towers", "keen"}


@pytest.mark.parametrize("name", GAMES)
def test_a_puzzle_given_as_text_is_solved_without_any_library_of_pictures(name: str) -> None:
    text = GAMES[name].unparse(GAMES[name].practice(random.Random(3)).puzzle)

    loaded = modules_of_call("solve", f"{name}:{text}")

    assert "solver.grid.search" in loaded or f"solver.{name}" in loaded
    assert not {"cv2", "PIL", "pydantic", "urllib.request", "bot.show.film"} & loaded
    assert ("numpy" in loaded) == (name in WITH_ARRAYS)
    assert not any(
        module.startswith(("vision.readers", "vision.measures", "bot.players", f"bot.practice.{name}"))
        for module in loaded
    )


@pytest.mark.parametrize("name", GAMES)
def test_no_text_of_a_game_is_taken_for_none_before_the_game_is_asked(name: str) -> None:
    texts = [GAMES[name].unparse(GAMES[name].practice(random.Random(seed)).puzzle) for seed in range(3)]

    assert all(may_be(name, text) and may_be(name, f"\n{text}\n") for text in texts)


def test_every_command_is_listed_with_the_first_line_of_its_own_words() -> None:
    for name, (where, line) in COMMANDS.items():
        module, _, function = where.partition(":")
        words = getattr(import_module(f"bot.commands.{module}"), function).__doc__
        assert words.split("\n")[0] == line, name
        assert command(name).name == name


@pytest.mark.parametrize("module", ["bot", "boardsight"])
def test_the_version_is_that_of_the_package(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"], cwd=ROOT, capture_output=True, text=True
    )

    assert (done.stdout.split()[0], done.returncode) == ("boardsight", 0)
    assert f'version = "{done.stdout.split()[1]}"' in (ROOT / "pyproject.toml").read_text()


def test_completion_is_offered() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot"],
        cwd=ROOT,
        env={
            "PATH": "",
            "_BOARDSIGHT_COMPLETE": "complete_bash",
            "COMP_WORDS": "boardsight so",
            "COMP_CWORD": "1",
        },
        capture_output=True,
        text=True,
    )

    assert done.stdout.split() == ["solve"]
