"""Many inputs: each in turn, or side by side in processes, told in the order they were given.

What goes wrong with one input, also a defect of ours or the death of its process, is that input's error. Only a few
results wait for their turn at any time, so that a hundred thousand pictures take no more memory than a hundred.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Protocol, TypeVar

from bot import output, patience
from bot.errors import Lost, WrongUsage
from bot.messages import (
    BUG,
    DONE,
    USAGE,
    OutputLost,
    Unexpected,
    harmless,
    log,
    named,
    pass_on,
    say,
    show,
    status_of,
    word_of,
)
from calibration.files import read_bytes, sent
from solver.errors import BoardsightError, NoSolution
from vision.errors import UncertainReading, UnreadableImage, VisionError

T = TypeVar("T")

# From so many inputs on all cores are used by themselves.
FEW = 8
# So many inputs are under way or wait for their turn, for each process.
AHEAD = 4
MOST_DONE_BYTES = 500_000_000
# What a machine elsewhere is sent of an input, at most.
MOST_SENT_BYTES = 200_000_000

# Handles one input, by its name and number, and says what there is to say. Returns its status.
One = Callable[[str, int], int]


@dataclass(frozen=True)
class Batch:
    """How a batch is worked through.

    jobs: processes; None for all cores where there are more than a few inputs.
    done: a file of the inputs that are finished; those in it are left out, and each is added.
    cluster: the address of a Dask scheduler, or "local"; None for this machine alone.
    """

    jobs: int | None = None
    done: Path | None = None
    cluster: str | None = None


@dataclass(frozen=True)
class Told:
    """What came of one input: its status and what was said on standard output and standard error."""

    status: int
    out: str = ""
    err: str = ""


class Engine(Protocol):
    """Works through calls of a function, each given a place in the order. `slots`: how many at the same time."""

    slots: int

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Any: ...

    def result(self, place: Any) -> Any:
        """What a call returned. Raises what it raised, or Lost where its process died with it."""
        ...

    def stop(self) -> None: ...


def guarded(one: One, name: str, nth: int, as_json: bool) -> int:
    """Handle one input; whatever goes wrong is said, and stops no other. Returns its status."""
    try:
        return one(name, nth)
    except OutputLost:
        raise
    except BoardsightError as error:
        return refused(name, error, as_json)
    except Exception as error:
        # Also a defect of ours, which a strange picture brings to light, is that picture's error.
        return refused(name, Unexpected.of(error, name), as_json)


def refused(name: str, error: BoardsightError, as_json: bool) -> int:
    """Report one input that could not be handled. Returns its status."""
    status = status_of(error)
    if as_json:
        value: dict[str, Any] = {"source": name, "status": word_of(error), "reason": str(error)}
        if isinstance(error, VisionError) and error.game:
            value["game"] = error.game
        if isinstance(error, UncertainReading) and error.cells:
            value["doubtful"] = [cell.as_json() for cell in error.cells]
        if isinstance(error, NoSolution):
            value |= {"solution": None, "unique": None, "missing": error.missing}
        show(output.line(value))
    say(named(error, name))
    return status


def run(names: Sequence[str], one: One, as_json: bool, batch: Batch) -> int:
    """Handle every input. Returns the largest status.

    one: what to do with an input; for several processes something that can be sent to them.
    Raises WrongUsage where the file of finished inputs or the cluster cannot be used.
    """
    finished = Finished(batch.done)
    numbered = [(name, nth) for nth, name in enumerate(names, start=1) if name not in finished]
    worst = DONE
    with progress("reading", len(names), len(names) - len(numbered)) as step:
        for name, status in _statuses(numbered, one, as_json, batch):
            finished.add(name, status)
            step()
            worst = max(worst, status)
    return worst


def _statuses(
    numbered: Sequence[tuple[str, int]], one: One, as_json: bool, batch: Batch
) -> Iterator[tuple[str, int]]:
    """(input, its status) in order, each once it has been told."""
    engine = engine_of(batch, len(numbered))
    if engine is None:
        for name, nth in numbered:
            yield name, guarded(one, name, nth, as_json)
        return
    away = batch.cluster is not None
    calls = (
        (name, (captured, one, name, nth, as_json, contents([name]) if away else {}))
        for name, nth in numbered
    )
    for name, told in ordered(calls, engine):
        if isinstance(told, Lost):
            error = Unexpected(
                f"{name}: its process died", hint="try it alone, and please report it with this input"
            )
            yield name, refused(name, error, as_json)
            continue
        show(told.out, end="")
        pass_on(told.err)
        yield name, told.status


def gather(
    names: Sequence[str],
    one: Callable[[str, int], T],
    batch: Batch,
    files_of: Callable[[str], Iterable[str]] = lambda name: (name,),
) -> Iterator[T]:
    """What `one` makes of every input, in order. Raises what it raises for the first input where it does.

    files_of: the files that an input needs where it is worked on elsewhere.
    """
    away = batch.cluster is not None
    finished = Finished(batch.done)
    numbered = [(name, nth) for nth, name in enumerate(names, start=1) if name not in finished]
    engine = engine_of(batch, len(numbered))
    with progress("reading", len(names), len(names) - len(numbered)) as step:
        if engine is None:
            made: Iterator[tuple[str, Any]] = ((name, one(name, nth)) for name, nth in numbered)
        else:
            calls = (
                (name, (with_files, one, name, nth, contents(files_of(name)) if away else {}))
                for name, nth in numbered
            )
            made = ordered(calls, engine)
        for name, result in made:
            if isinstance(result, Lost):
                raise Unexpected(f"{name}: its process died", hint="please report it with this input")
            yield result
            finished.add(name, DONE)
            step()


def engine_of(batch: Batch, count: int) -> Engine | None:
    """What works on `count` inputs side by side; None where one after the other is quicker. Raises WrongUsage."""
    if batch.cluster is not None:
        from bot.cluster import Cluster

        return Cluster(batch.cluster, batch.jobs or cores())
    jobs = batch.jobs or (cores() if count > FEW else 1)
    if min(jobs, count) <= 1:
        return None
    from bot.processes import Processes

    return Processes(min(jobs, count))


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def ordered(calls: Iterator[tuple[T, tuple[Any, ...]]], engine: Engine) -> Iterator[tuple[T, Any]]:
    """(key, result) of every (key, call) in order; a call that was lost gives a Lost. Stops the engine at the end."""
    waiting: deque[tuple[T, Any]] = deque()
    try:
        for key, (call, *arguments) in calls:
            waiting.append((key, engine.submit(call, *arguments)))
            if len(waiting) >= AHEAD * engine.slots:
                yield _next(waiting, engine)
        while waiting:
            yield _next(waiting, engine)
    finally:
        engine.stop()


def _next(waiting: deque[tuple[T, Any]], engine: Engine) -> tuple[T, Any]:
    key, place = waiting.popleft()
    try:
        return key, engine.result(place)
    except Lost as lost:
        return key, lost


def captured(one: One, name: str, nth: int, as_json: bool, files: Mapping[str, bytes]) -> Told:
    """What is said of an input, kept for its turn. files: what it needs of another machine."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err), sent(files):
        status = guarded(one, name, nth, as_json)
    return Told(status, out.getvalue(), err.getvalue())


def with_files(one: Callable[[str, int], T], name: str, nth: int, files: Mapping[str, bytes]) -> T:
    """What `one` makes of an input. files: what it needs of another machine."""
    with sent(files):
        return one(name, nth)


def contents(names: Iterable[str]) -> dict[str, bytes]:
    """The bytes of those inputs that are files and can be read."""
    found = {}
    for name in names:
        with suppress(UnreadableImage):
            if os.path.isfile(name):
                found[name] = read_bytes(Path(name), MOST_SENT_BYTES)
    return found


class Finished:
    """The inputs that are finished, one a line in a file that grows; None for no file.

    An input whose file could not be read, or that a defect of ours stopped, is not finished. Raises WrongUsage.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._names: set[str] = set()
        if path is None:
            return
        try:
            known = read_bytes(path, MOST_DONE_BYTES).decode("utf-8") if os.path.lexists(path) else ""
            self._names = set(known.splitlines())
            with path.open("a", encoding="utf-8") as file:
                # The line of a run that was cut off must not run into the next one.
                file.write("\n" if known and not known.endswith("\n") else "")
        except (BoardsightError, UnicodeDecodeError) as error:
            raise WrongUsage(
                f"--done {path}: {error}", hint="name a file of this program, or a new one"
            ) from error
        except OSError as error:
            raise WrongUsage(f"--done {path}: {error.strerror}", hint="choose another place") from error

    def __contains__(self, name: str) -> bool:
        return harmless(name) in self._names

    def add(self, name: str, status: int) -> None:
        """Note an input as soon as it has been told."""
        if self._path is None or status in (BUG, USAGE):
            return
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(harmless(name) + "\n")
        except OSError as error:
            raise WrongUsage(f"--done {self._path}: {error.strerror}", hint="choose another place") from error


@contextmanager
def progress(
    what: str, count: int, before: int = 0, *, results_show: bool = True
) -> Iterator[Callable[[], None]]:
    """A bar with the rest time on standard error, to be stepped; nothing where nobody looks.

    results_show: results come on standard output meanwhile; no bar then where that is a terminal.
    """
    if count < 2 or not log.is_interactive or (results_show and sys.stdout.isatty()):
        yield lambda: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(24), TextColumn("{task.completed}/{task.total}"))
    bar = Progress(
        *columns,
        TimeRemainingColumn(),
        console=log,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    with bar, patience.bar_shown():
        task = bar.add_task(what, total=count, completed=before)
        yield lambda: bar.advance(task)
