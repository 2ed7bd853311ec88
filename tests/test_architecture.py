"""The shape of the project: who may import whom, and that reading needs no display and no device library."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("solver", "vision", "calibration", "bot")
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


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_only_to_the_left(path: Path) -> None:
    own = LAYERS.index(path.relative_to(ROOT).parts[0])

    to_the_right = imports(path) & set(LAYERS[own + 1 :])

    assert not to_the_right


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_solvers_know_no_pixels(path: Path) -> None:
    if path.relative_to(ROOT).parts[0] == "solver":
        assert not imports(path) & {"cv2", *DEVICE_LIBRARIES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_dangerous_is_used(path: Path) -> None:
    assert not imports(path) & {"pickle", "marshal", "shelve", "yaml", "socketserver"}


def test_the_command_line_starts_without_display_and_device_libraries() -> None:
    code = f"import sys, bot.cli; print([name for name in {DEVICE_LIBRARIES!r} if name in sys.modules])"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={"PATH": ""}, capture_output=True, text=True
    )

    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr
