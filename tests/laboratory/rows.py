"""The rows of the laboratory, for `boardsight bench`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bot.bench import Row
from tests.laboratory import algemy, bridges, live, look, nonogram, rings, start, thaumcraft, whole

# Boards and pictures of other people may lie beside the project.
BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"


def rows(data: Path | None) -> Iterator[Row]:
    """All of them. data: a folder with more boards; None for the one beside the project, where there is one."""
    if data is None and BESIDE.is_dir():
        data = BESIDE
    for part in (thaumcraft, bridges, nonogram, algemy, rings, whole, look, start, live):
        yield from part.rows(data)
