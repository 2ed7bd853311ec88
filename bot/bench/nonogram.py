"""Nonogram: solving generated boards, published puzzles and contest boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from bot.bench import Case, Row
from solver import nonogram
from solver.answer import Limits
from solver.errors import SearchLimit
from solver.nonogram import Nonogram
from solver.nonogram.line import line

# Made with the generator of Simon Tatham's Pattern; measured where no folder of puzzles is given.
_OWN = (
    "10x10:3.4/1.3/2/1.3/4.2/3.2/2/4/5.3/4.4/2.6/1.6/1.2.3/2.3/1/1/1.2/2.3.2/6.2/4",
    "10x10:4.5/3.5/3.2/5/3/6.1/4/4/1/1.1.2/1.1/3.1/3.1.1/2.3.1/3/2.7/7.1/6/2.1/2.1.1",
    "10x10:2.4/1.4/1.1.2/6/9/7/4/3/2/4/1.1/5.1/5/6/5.1/4.2/6.2/2.2.1/2.2/2",
)
PUZZLE_SECONDS = 5.0


def rows(data: Path | None) -> Iterator[Row]:
    """One row per size of generated boards, and one per collection of `data/nonograms`."""
    folder = None if data is None else data / "nonograms"
    if folder is None or not folder.is_dir():
        yield _row("10x10", "generated 10x10 boards", lambda: [*map(nonogram.parse, _OWN)], False, 3)
        return
    for path in sorted((folder / "sgt").glob("*.txt")):
        yield _row(path.stem, f"generated {path.stem} boards", partial(_puzzles, [path]), False, 3)
    for name in ("survey", "survey-personal-use", "colour"):
        paths = [path for path in sorted((folder / name).glob("*")) if path.suffix in (".non", ".xml")]
        what = f"{name} puzzles, decided, at most {PUZZLE_SECONDS:.0f} s each"
        yield _row(name, what, partial(_puzzles, paths), True, 1)
    paths = sorted((folder / "tournament").glob("*.txt"))
    yield _row("contest", "contest boards, 25x25 at random, first answer", partial(_puzzles, paths), False, 1)


def _puzzles(paths: Sequence[Path]) -> list[Nonogram]:
    return [puzzle for path in paths for puzzle in nonogram.parse_file(path.read_text(encoding="utf-8"))]


def _row(name: str, what: str, puzzles: Callable[[], list[Nonogram]], unique: bool, repeats: int) -> Row:
    def ours() -> Sequence[Case]:
        return [partial(_solve, puzzle, unique) for puzzle in puzzles()]

    return Row(f"nonogram/solve/{name}", what, ours, repeats=repeats)


def _solve(puzzle: Nonogram, unique: bool) -> None:
    """One puzzle as if it were the first: lines prepared for an earlier one do not count."""
    line.cache_clear()
    with suppress(SearchLimit):
        nonogram.solve(puzzle, Limits(PUZZLE_SECONDS, unique))
