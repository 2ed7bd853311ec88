"""The tutorial of docs/new-game.md, run as it stands: a package that adds a game, installed and used by every command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")

Run = Callable[..., subprocess.CompletedProcess[str]]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs Python in an environment in which the tutorial's package, and a broken one, are installed."""
    source, place = tmp_path_factory.mktemp("stones"), tmp_path_factory.mktemp("site")
    *code, tests = blocks("python")
    (source / "pyproject.toml").write_text(blocks("toml")[0])
    (source / "stones.py").write_text("\n\n".join(code))
    subprocess.run(
        ["uv", "pip", "install", "-q", "--no-deps", "--target", str(place), str(source)],
        check=True,
        cwd=source,
    )
    broken = place / "broken_game-1.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1\n")
    (broken / "entry_points.txt").write_text(
        "[boardsight.games]\nbroken = no_such_module\nbare = stones:STONES\nmistyped = mistyped\n"
    )
    declared = "\n\n".join(code).replace('"number", (BLUE,)', '"nummer", (BLUE,)')
    (place / "mistyped.py").write_text(declared.replace('name="stones"', 'name="mistyped"'))
    home = tmp_path_factory.mktemp("home")
    (home / "test_stones.py").write_text(tests)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        paths = os.pathsep.join([str(place), str(ROOT)])
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": paths, "HOME": str(home)}
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=home,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
        )

    return run


def test_the_commands_of_the_tutorial_work(run: Run) -> None:
    for line in blocks("sh")[0].splitlines():
        name, *words = line.split()
        assert name == "boardsight"
        done = run("-m", "bot", *words)
        assert done.returncode == 0, (line, done.stderr)


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        (("games",), "Stepping stones"),
        (("profiles",), "stones"),
        (("read", "practice:stones:1", "--json"), '"game": "stones"'),
        (("read", "practice:stones:1", "--overlay", "seen.png"), ""),
        (("solve", "practice:stones:1", "--unique", "--json"), '"unique": true'),
        (("solve", "stones:4x4stones:a3d241b3c1", "--gif", "stones.gif"), ""),
        (("hint", "practice:stones:1", "--json"), '"status": "hint"'),
        (("play", "practice:stones:2", "--yes", "--record", "run", "--json"), '"status": "verified"'),
        (("replay", "run"), "every decision came out the same"),
        (("practice", "stones", "--text"), "4x4stones:"),
        (("score", "practice:stones", "--json"), '"wrong": 0'),
        (("demo", "stones"), "report.html"),
        (("bench", "read/stones", "--json"), "read/stones"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_every_command_knows_the_new_game(run: Run, words: tuple[str, ...], seen: str) -> None:
    done = run("-m", "bot", *words)

    assert done.returncode == 0, done.stderr
    assert seen in done.stdout


def test_calibrate_says_that_there_is_nothing_to_learn(run: Run) -> None:
    done = run("-m", "bot", "calibrate", "stones")

    assert done.returncode == 2
    assert "stones" in done.stderr


def test_a_broken_package_is_named_and_the_others_go_on(run: Run) -> None:
    listed, asked = run("-m", "bot", "games"), run("-m", "bot", "practice", "broken")

    assert listed.returncode == 0 and "Stepping stones" in listed.stdout
    assert asked.returncode == 2
    assert "broken" in asked.stderr and "no_such_module" in asked.stderr


def test_a_record_that_is_none_is_named_and_the_others_go_on(run: Run) -> None:
    listed, asked = run("-m", "bot", "games"), run("-m", "bot", "practice", "mistyped")

    assert listed.returncode == 0 and "Stepping stones" in listed.stdout
    assert "is a GridGame" in listed.stderr and "'nummer'" in listed.stderr
    assert "Traceback" not in listed.stderr
    assert asked.returncode == 2
    what, hint = asked.stderr.splitlines()[-2:]
    assert "mistyped" in what and "'nummer'" in what and "mend" in hint


def test_the_promises_of_the_tutorial_are_kept(run: Run) -> None:
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_stones.py")

    assert done.returncode == 0, done.stdout
    assert re.search(r"\d+ passed", done.stdout)


def test_the_shown_solution_is_the_only_one(run: Run) -> None:
    done = run("-m", "bot", "solve", "stones:4x4stones:a3d241b3c1", "--json", "--unique")

    assert json.loads(done.stdout)["status"] == "solved"
