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
from solver.nonogram import Nonogram, Picture, fast, together
from solver.nonogram.branching import Brancher
from solver.nonogram.learning import Learner
from solver.nonogram.line import line
from tests.laboratory.nonogram_peers import cadical, solve_lines

# Made with the generator of Simon Tatham's Pattern; measured where no folder of puzzles is given.
_OWN = (
    "10x10:3.4/1.3/2/1.3/4.2/3.2/2/4/5.3/4.4/2.6/1.6/1.2.3/2.3/1/1/1.2/2.3.2/6.2/4",
    "10x10:4.5/3.5/3.2/5/3/6.1/4/4/1/1.1.2/1.1/3.1/3.1.1/2.3.1/3/2.7/7.1/6/2.1/2.1.1",
    "10x10:2.4/1.4/1.1.2/6/9/7/4/3/2/4/1.1/5.1/5/6/5.1/4.2/6.2/2.2.1/2.2/2",
)
PUZZLE_SECONDS = 5.0
# A published puzzle that is known to take nearly all programs hours: Gettysburg.
_STRETCH = ("webpbn-22336",)
STRETCH_SECONDS = 60.0


def rows(data: Path | None) -> Iterator[Row]:
    """One row per size of generated boards, and one per collection of `data/nonograms`."""
    folder = None if data is None else data / "nonograms"
    if folder is None or not folder.is_dir():
        yield _generated("10x10", lambda: [*map(nonogram.parse, _OWN)])
        return
    sizes = sorted((folder / "sgt").glob("*.txt"))
    for path in sizes:
        yield _generated(path.stem, partial(_puzzles, [path]))
    for name in ("survey", "survey-personal-use", "cp-benchmarks", "extra", "colour"):
        paths = [path for path in sorted((folder / name).glob("*")) if path.suffix in (".non", ".xml")]
        paths = [path for path in paths if path.stem not in _STRETCH]
        what = f"{name} puzzles, decided, at most {PUZZLE_SECONDS:.0f} s each"
        yield _row(name, what, partial(_puzzles, paths), unique=True)
    paths = [path for path in sorted(folder.rglob("*.non")) if path.stem in _STRETCH]
    what = f"puzzles that few programs solve, decided, at most {STRETCH_SECONDS:.0f} s each"
    yield _row("stretch", what, partial(_puzzles, paths), unique=True, seconds=STRETCH_SECONDS)
    paths = sorted((folder / "tournament").glob("*.txt"))
    what = "contest boards, 25x25 at random, first answer"
    yield _row("contest", what, partial(_puzzles, paths), unique=False)
    # Behind all others: what has been loaded stays so.
    for path in sizes if fast.is_installed() else ():
        yield _compiled(path.stem, partial(_puzzles, [path]))


def _puzzles(paths: Sequence[Path]) -> list[Nonogram]:
    return [puzzle for path in paths for puzzle in nonogram.parse_file(path.read_text(encoding="utf-8"))]


def _generated(name: str, puzzles: Callable[[], list[Nonogram]]) -> Row:
    """Boards that single lines solve, against our own version of the method by which pynogram solves lines."""

    def ours() -> Sequence[Case]:
        return [partial(_solve, puzzle, False, PUZZLE_SECONDS) for puzzle in puzzles()]

    def peer() -> Sequence[Case]:
        return [partial(solve_lines, puzzle) for puzzle in puzzles()]

    what = f"generated {name} boards, first answer"
    return Row(f"nonogram/solve/{name}", what, ours, peer=("our version of pynogram's line method", peer))


def _compiled(name: str, puzzles: Callable[[], list[Nonogram]]) -> Row:
    """The same boards one after the other, where the extra `fast` has been loaded."""

    def ours() -> Sequence[Case]:
        _load_extra()
        return [partial(nonogram.solve, puzzle) for puzzle in puzzles()]

    what = f"generated {name} boards, first answer, with the extra `fast`"
    return Row(f"nonogram/fast/{name}", what, ours, repeats=20)


def _row(
    name: str,
    what: str,
    puzzles: Callable[[], list[Nonogram]],
    unique: bool,
    seconds: float = PUZZLE_SECONDS,
) -> Row:
    def ours() -> Sequence[Case]:
        _load_extra()
        return [partial(_solve, puzzle, unique, seconds) for puzzle in puzzles()]

    def peer() -> Sequence[Case]:
        from pysat.solvers import Cadical153  # an optional peer: its ImportError means "not installed"

        return [partial(cadical, Cadical153, puzzle, unique) for puzzle in puzzles()]

    # The peer knows no limit of time: it is not asked where we have given up ourselves.
    compared = None if name == "stretch" else ("python-sat (CaDiCaL)", peer)
    return Row(f"nonogram/solve/{name}", what, ours, peer=compared, package="python-sat", repeats=1)


def _load_extra() -> None:
    """Load or compile the extra `fast`, where it is installed: that is not a puzzle's time."""
    machine = fast.machine() if fast.is_installed() else None
    if machine is not None:
        puzzle = nonogram.parse("4:1/1/1/1/1/1/1/1")
        Brancher(puzzle, Picture(), machine, 2).go_on(lambda: False, 100)
        Learner(puzzle, Picture(), machine).next_pictures(2, lambda: False)


def _solve(puzzle: Nonogram, unique: bool, seconds: float) -> None:
    """One puzzle as if it were the first: lines prepared for an earlier one do not count."""
    line.cache_clear()
    together.automaton.cache_clear()
    with suppress(SearchLimit):
        nonogram.solve(puzzle, Limits(seconds, unique))
