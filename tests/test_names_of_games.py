"""No file but a game's own, and the table, knows a game by its name: a new game is a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.games import GAMES

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path("bot/games/table.py")
# A file of one of these declared games may not be longer.
MOST_LINES = 150


def files() -> list[Path]:
    tops = ("bot", "boardsight", "calibration", "vision", "solver")
    return [path.relative_to(ROOT) for top in tops for path in sorted((ROOT / top).rglob("*.py"))]


def names_in(path: Path) -> Iterator[str]:
    """The games that a file names: in a text that is nothing but the name, and in what it imports."""
    known = set(GAMES)
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and node.value in known:
            yield str(node.value)
        elif isinstance(node, ast.Import):
            yield from (part for alias in node.names for part in alias.name.split(".") if part in known)
        elif isinstance(node, ast.ImportFrom):
            words = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            yield from (word for word in words if word in known)


def belongs(path: Path, name: str) -> bool:
    """Whether a file is one of a game's own: its file or a folder is called so."""
    return path == TABLE or name in path.parts or path.stem.split("_")[0] == name


def test_no_game_is_named_outside_its_own_files() -> None:
    found = {
        (path.as_posix(), name) for path in files() for name in names_in(path) if not belongs(path, name)
    }

    assert not found


@pytest.mark.parametrize("name", [name for name in GAMES if GAMES[name].eyes is not None])
def test_a_declared_game_is_a_short_file(name: str) -> None:
    lines = (ROOT / "bot" / "games" / f"{name}.py").read_text(encoding="utf-8").splitlines()

    assert len(lines) <= MOST_LINES


def test_beside_the_table_there_is_one_file_for_each_game_and_no_other() -> None:
    """What a declared game has of its own stands in its file; parts that games share know none of them."""
    found = {path.stem for path in (ROOT / "bot" / "games").glob("*.py")}
    own = {name for name in GAMES if (ROOT / "bot" / "games" / f"{name}.py").exists()}

    assert found == own | {"__init__", TABLE.stem}
