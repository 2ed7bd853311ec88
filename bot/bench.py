"""Measured speed: rows that are all timed in one way, and what they were in an earlier run.

A row names cases (calls without arguments). Each case is run a few times and its fastest cpu time is taken; the row
shows median, 95th percentile and worst over its cases, and the peak of the memory that one more pass allocates.
Where a peer is installed the same cases are run through it in the same process, and the geometric mean of the
ratios (peer / ours) is shown: ratios hold where absolute times drift from machine to machine. For the same reason every
row is measured beside a fixed piece of work, its yardstick, in which two runs are compared.

The rows here are of practice boards, for every game. A clone of the project has more, with the peers, in `tests/laboratory`.
"""

from __future__ import annotations

import importlib
import json
import math
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bot.errors import WrongUsage
from bot.games import GAMES
from solver.answer import Limits
from solver.errors import NoSolution
from vision.frame import Frame, Pixels
from vision.profile import Profile

Case = Callable[[], object]
BOARDS = 5
LABORATORY = Path(__file__).resolve().parents[1] / "tests" / "laboratory"
# The yardstick: so many additions, the fastest of so many times.
ADDITIONS, TIMES = 100_000, 5
MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class Row:
    """Something to be measured.

    name: "thaumcraft/solve/large"; `boardsight bench NAME` takes every row whose name starts with NAME.
    what: in words.
    cases: makes the calls; not timed itself.
    peer: the name of what it is compared with, and its calls for the same cases; its ImportError means that it is
        not installed.
    package: the distribution that the peer comes from, whose version is told.
    repeats: how often each case is run; the fastest counts.
    seconds: measures by itself, where time passes in other programs: seconds of real time by case. There are no
        `cases` then.
    """

    name: str
    what: str
    cases: Callable[[], Sequence[Case]]
    peer: tuple[str, Callable[[], Sequence[Case]]] | None = None
    package: str = ""
    repeats: int = 3
    seconds: Callable[[], Sequence[float]] | None = None


@dataclass(frozen=True)
class Figure:
    """A measured row. Times in milliseconds of cpu (of real time where the row measures by itself), memory in MiB.

    yardstick_ms: cpu time of a fixed piece of work just before. ratio: geometric mean of peer / ours over the cases.
    """

    name: str
    what: str
    cases: int
    median_ms: float
    p95_ms: float
    worst_ms: float
    memory_mib: float
    yardstick_ms: float
    peer: str | None = None
    peer_median_ms: float | None = None
    ratio: float | None = None

    def as_json(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True)
class Change:
    """How a row compares with an earlier run: earlier / now, both in yardsticks; above 1 it is faster now."""

    median: float
    worst: float

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def rows(names: Sequence[str], data: Path | None) -> Iterator[Row]:
    """The rows whose name starts with one of `names`; all when none is given.

    data: a folder with more boards to measure on, for the rows of the laboratory.
    """
    for row in _all_rows(data):
        if not names or row.name.startswith(tuple(names)):
            yield row


def _all_rows(data: Path | None) -> Iterator[Row]:
    for name, game in GAMES.items():
        yield Row(
            f"read/{name}", f"the picture of a practice board of {game.title}, read", partial(_read, name)
        )
        what = f"practice boards of {game.title}, solved; whether the solution is the only one is decided"
        yield Row(f"solve/{name}", what, partial(_solved, name))
    if LABORATORY.is_dir():
        # Beside us in a clone, and no part of what is installed elsewhere.
        yield from importlib.import_module("tests.laboratory.rows").rows(data)


def _boards(name: str) -> list[Any]:
    return [GAMES[name].practice(random.Random(seed)) for seed in range(BOARDS)]


def _read(name: str) -> Sequence[Case]:
    return [reading_anew(name, board.render(0.0), board.profile) for board in _boards(name)]


def reading_anew(name: str, pixels: Pixels, profile: Profile) -> Case:
    """A picture of that game being read: as a new frame each time, since what was measured of a frame is kept."""
    return lambda: GAMES[name].read(Frame(pixels), profile)


def _solved(name: str) -> Sequence[Case]:
    return [partial(_solve, name, board.puzzle) for board in _boards(name)]


def _solve(name: str, puzzle: Any) -> None:
    with suppress(NoSolution):
        GAMES[name].solve(puzzle, Limits(unique=True))


def earlier(path: Path) -> Mapping[str, Mapping[str, float]]:
    """The rows of an earlier `bench --json`, by name. Raises WrongUsage, and UnreadableImage for what is no file."""
    from calibration.files import read_text

    try:
        lines = read_text(path, MOST_BYTES).splitlines()
        found = [json.loads(line) for line in lines if line.strip()]
        kept = ("median_ms", "worst_ms", "yardstick_ms")
        return {str(row["name"]): {key: float(row[key]) for key in kept} for row in found}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WrongUsage(
            f"{path}: not written by bench --json: {error}",
            hint="write one with: boardsight bench --json > FILE",
        ) from error


def change(before: Mapping[str, float], now: Figure) -> Change:
    """An earlier figure of a row beside the one now."""

    def faster(then: float, today: float) -> float:
        return round((then / before["yardstick_ms"]) / max(today / now.yardstick_ms, 1e-9), 3)

    return Change(faster(before["median_ms"], now.median_ms), faster(before["worst_ms"], now.worst_ms))


def yardstick_s() -> float:
    """Cpu time of a fixed piece of work in plain Python."""

    def additions() -> int:
        total = 0
        for number in range(ADDITIONS):
            total += number & 7
        return total

    return _fastest_s(additions, TIMES)


def measure(row: Row) -> Figure:
    """Run a row's cases, and its peer's."""
    cases = list(row.cases())
    yardstick = yardstick_s()
    ours = list(row.seconds()) if row.seconds else [_fastest_s(case, row.repeats) for case in cases]
    memory = _peak_mib(cases) if cases else 0.0
    theirs: list[float] | None = None
    if row.peer is not None:
        try:
            theirs = [_fastest_s(case, row.repeats) for case in row.peer[1]()]
        except ImportError:
            theirs = None
    return Figure(
        name=row.name,
        what=row.what,
        cases=len(ours),
        median_ms=_ms(statistics.median(ours)),
        p95_ms=_ms(_quantile(ours, 0.95)),
        worst_ms=_ms(max(ours)),
        memory_mib=round(memory, 1),
        yardstick_ms=_ms(yardstick),
        peer=_named(row) if theirs else None,
        peer_median_ms=_ms(statistics.median(theirs)) if theirs else None,
        ratio=round(_mean_ratio(ours, theirs), 2) if theirs else None,
    )


def _named(row: Row) -> str:
    """The peer with its version."""
    assert row.peer is not None
    return f"{row.peer[0]} {version(row.package)}" if row.package else row.peer[0]


def _fastest_s(case: Case, repeats: int) -> float:
    best = math.inf
    for _ in range(repeats):
        start = _cpu_s()
        case()
        best = min(best, _cpu_s() - start)
        if best > 1.0:
            break
    return best


def _cpu_s() -> float:
    """Cpu time of this process and of those that it started and saw the end of (not told on Windows)."""
    try:
        import resource
    except ImportError:
        return time.process_time()
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def _peak_mib(cases: Sequence[Case]) -> float:
    """Peak of newly allocated memory over the three slowest-looking (last) cases and the first."""
    tracemalloc.start()
    try:
        for case in (*cases[:1], *cases[-3:]):
            case()
        return tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


def _quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def _mean_ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    logs = [math.log(max(b, 1e-9) / max(a, 1e-9)) for a, b in zip(ours, theirs, strict=True)]
    return math.exp(statistics.fmean(logs))


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 4)
