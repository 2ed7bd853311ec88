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


def test_files_that_are_made_by_hand_are_written_as_it_is_told() -> None:
    """Windows writes two bytes for every line end, unless it is told not to; a note in its place grew without end."""
    made = [path for path in FILES if "os.O_CREAT" in path.read_text(encoding="utf-8")]
    assert made

    assert not [path.name for path in made if '"O_BINARY"' not in path.read_text(encoding="utf-8")]


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


# What says only whether there is something, one thing, or a pair.
COUNTS = {0, 1, 2}
# Through these a measure is still compared with the number itself.
SEEN_THROUGH = {"max", "min", "abs", "maximum", "minimum", "round", "float", "int"}


def bare_numbers(node: ast.expr) -> list[ast.Constant]:
    """The numbers that one side of a comparison is made of, without those inside other calls or indices."""
    if isinstance(node, ast.Constant):
        value = node.value
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return [node] if number and abs(value) not in COUNTS else []
    if isinstance(node, ast.BinOp):
        return bare_numbers(node.left) + bare_numbers(node.right)
    if isinstance(node, ast.UnaryOp):
        return bare_numbers(node.operand)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return [one for side in node.args for one in bare_numbers(side)] if name in SEEN_THROUGH else []
    return []


def test_bare_numbers_are_seen() -> None:
    sides = ast.parse("max(4, 0.2 * high) < -3.5 * abs(wide)", mode="eval").body
    assert isinstance(sides, ast.Compare)
    found = [one.value for side in (sides.left, *sides.comparators) for one in bare_numbers(side)]

    assert found == [4, 0.2, 3.5]


def test_vision_compares_nothing_with_a_number_without_a_name() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number.lineno} {number.value}"
        for path in FILES
        if path.relative_to(ROOT).parts[0] == "vision"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        for number in bare_numbers(side)
    ]

    assert not found
