"""Measured speed: rows that any module can add, timed in one way.

A row names cases (calls without arguments). Each case is run a few times and its fastest cpu time is taken; the row
shows median, 95th percentile and worst over its cases, and the peak of the memory that one more pass allocates.
Where a peer is installed the same cases are run through it in the same process, and the geometric mean of the
ratios (peer / ours) is shown: ratios hold where absolute times drift from machine to machine.
"""

from __future__ import annotations

import math
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.games import GAMES

Case = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """Something to be measured.

    name: "thaumcraft/solve/large"; `boardsight bench NAME` takes every row whose name starts with NAME.
    what: in words.
    cases: makes the calls; not timed itself.
    peer: the name of what it is compared with, and its calls for the same cases; its ImportError means that it is
        not installed.
    repeats: how often each case is run; the fastest counts.
    seconds: measures by itself, where time passes in other programs: seconds of real time by case. There are no
        `cases` then.
    """

    name: str
    what: str
    cases: Callable[[], Sequence[Case]]
    peer: tuple[str, Callable[[], Sequence[Case]]] | None = None
    repeats: int = 3
    seconds: Callable[[], Sequence[float]] | None = None


@dataclass(frozen=True)
class Figure:
    """A measured row. Times in milliseconds of cpu (of real time where the row measures by itself), memory in MiB."""

    name: str
    what: str
    cases: int
    median_ms: float
    p95_ms: float
    worst_ms: float
    memory_mib: float
    peer: str | None = None
    peer_median_ms: float | None = None
    ratio: float | None = None

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def rows(names: Sequence[str], data: Path | None) -> Iterator[Row]:
    """The rows of all games whose name starts with one of `names`; all when none is given.

    data: a folder with more boards to measure on (laid out like the project's shared data), where there is one.
    """
    from bot.bench import live, look, start, whole

    for found in (*(game.bench for game in GAMES.values()), whole.rows, look.rows, start.rows, live.rows):
        for row in found(data):
            if not names or any(row.name.startswith(name) for name in names):
                yield row


def measure(row: Row) -> Figure:
    """Run a row's cases, and its peer's."""
    cases = list(row.cases())
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
        peer=row.peer[0] if row.peer and theirs else None,
        peer_median_ms=_ms(statistics.median(theirs)) if theirs else None,
        ratio=round(_mean_ratio(ours, theirs), 2) if theirs else None,
    )


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
