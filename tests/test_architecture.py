"""The shape of the project: who may import whom, and that reading needs no display and no device library."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("solver", "vision", "calibration", "bot", "boardsight")
FILES = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
DEVICE_LIBRARIES = ("pyautogui", "mss", "ppadb")


def imports(path: Path, *, top_level_only: bool = False) -> set[str]:
    """First words of everything a module imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = tree.body if top_level_only else ast.walk(tree)
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module.split(".")[0])
    return found


def broken(rule: Callable[[str, set[str]], set[str]]) -> dict[str, set[str]]:
    """Of every file that breaks a rule its path and the imports that break it.

    rule: of a layer and all that one of its files imports, those imports that are against it.
    """
    found = {path.relative_to(ROOT): imports(path) for path in FILES}
    assert len(found) > 100, "the project was not found"
    wrong = {str(path): rule(path.parts[0], names) for path, names in found.items()}
    return {path: names for path, names in wrong.items() if names}


def test_imports_go_only_to_the_left() -> None:
    assert not broken(lambda layer, names: names & set(LAYERS[LAYERS.index(layer) + 1 :]))


def test_solvers_know_no_pixels() -> None:
    assert not broken(lambda layer, names: names & {"cv2", *DEVICE_LIBRARIES} if layer == "solver" else set())


def test_nothing_dangerous_is_used() -> None:
    assert not broken(lambda layer, names: names & {"pickle", "marshal", "shelve", "yaml", "socketserver"})


def test_the_command_line_starts_without_display_and_device_libraries() -> None:
    code = f"import sys, bot.cli; print([name for name in {DEVICE_LIBRARIES!r} if name in sys.modules])"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={"PATH": ""}, capture_output=True, text=True
    )

    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr


def test_readers_have_the_same_verbs_in_the_same_files() -> None:
    verbs = {"claim.py": "claim", "board.py": "read", "again.py": "reread"}
    readers = sorted(
        path for path in (ROOT / "vision" / "readers").iterdir() if (path / "__init__.py").exists()
    )
    assert len(readers) == 5

    for reader in readers:
        for file, verb in verbs.items():
            tree = ast.parse((reader / file).read_text(encoding="utf-8"))
            named = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
            assert verb in named, f"{reader.name}/{file} has no {verb}"
