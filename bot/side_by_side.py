"""Several devices played at once: a process for each, one table of their progress, one report.

What happens to one, also its sudden death, touches no other. They stop together: with Ctrl-C, with the mouse in the
corner of the screen, and with the program that started them, however that one ends.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import queue
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot.audience import Report, asked, tell_ending
from bot.errors import WrongUsage
from bot.messages import (
    BUG,
    DONE,
    STOPPED,
    USAGE,
    Unexpected,
    log,
    say,
    status_of,
    word_of,
)
from bot.playing import Ending, Order, play_source
from bot.processes import later_ctrl_c
from solver.errors import BoardsightError

# The table is looked after so often, in seconds.
LOOK_S = 0.2
# A process that was told to stop lets go of everything within this time, or is ended.
STOP_S = 10.0


@dataclass
class _Lane:
    """One source and its process, as its starter sees them."""

    order: Order
    process: Any
    line: Connection
    task: TaskID
    status: int | None = None
    unasked: bool = False
    word: str = ""
    boards: int = 0
    figures: dict[str, int] = field(default_factory=lambda: {"cells": 0, "actions": 0, "repaired": 0})
    began: float = field(default_factory=time.monotonic)
    took_s: float = 0.0


def play_all(orders: Sequence[Order], as_json: bool, report: Report) -> int:
    """Play every source in a process of its own. Returns the largest status. Raises KeyboardInterrupt, once all have let go."""
    several = _Several(as_json, report)
    try:
        with several.bar:
            several.start(orders)
            several.follow()
    except BaseException:
        several.stop()
        raise
    finally:
        several.sum_up()
    return max(lane.status or DONE for lane in several.lanes)


class _Several:
    """The processes, the table of their progress and what they have said."""

    def __init__(self, as_json: bool, report: Report) -> None:
        self._as_json, self._report = as_json, report
        self.lanes: list[_Lane] = []
        self.bar = Progress(
            TextColumn("{task.description}", markup=False),
            TextColumn("board {task.fields[board]}"),
            BarColumn(bar_width=12),
            MofNCompleteColumn(),
            TextColumn("{task.fields[now]}", markup=False),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=log if log.is_interactive else Console(quiet=True),
        )

    def start(self, orders: Sequence[Order]) -> None:
        context = multiprocessing.get_context("spawn")
        for order in orders:
            ours, theirs = context.Pipe()
            process = context.Process(target=_played, args=(order, theirs), name=order.source, daemon=True)
            task = self.bar.add_task(order.source, total=None, board="-", now="starting")
            with later_ctrl_c():
                process.start()
            theirs.close()
            self.lanes.append(_Lane(order, process, ours, task))

    def follow(self) -> None:
        """Hear every process to its end."""
        while open_lanes := [lane for lane in self.lanes if lane.status is None]:
            ready = wait([lane.line for lane in open_lanes], timeout=LOOK_S)
            for lane in open_lanes:
                if lane.line in ready:
                    self._hear(lane)
            if any(lane.status == STOPPED for lane in self.lanes):
                # The mouse went into the corner: that is meant for everything.
                raise KeyboardInterrupt

    def stop(self) -> None:
        """Tell every process to let go of everything and end; hear what it says meanwhile."""
        for lane in self.lanes:
            with contextlib.suppress(OSError):
                lane.line.send(("stop",))
        end = time.monotonic() + STOP_S
        while open_lanes := [lane for lane in self.lanes if lane.status is None]:
            left = end - time.monotonic()
            if left <= 0:
                break
            for lane in open_lanes:
                if lane.line.poll(min(LOOK_S, left)):
                    self._hear(lane)
        for lane in self.lanes:
            if lane.status is None:
                lane.status = STOPPED
                lane.process.kill()
            if not lane.word:
                facts = {"source": lane.order.source, "status": "stopped", "reason": "stopped by the user"}
                self._note(lane, Ending("stopped", facts, (), None))

    def sum_up(self) -> None:
        """One table of what came of each."""
        table = Table("device", "result", "boards", "cells", "actions", "repaired", "time", box=None)
        for lane in self.lanes:
            figures = [str(number) for number in lane.figures.values()]
            table.add_row(lane.order.source, lane.word, str(lane.boards), *figures, f"{lane.took_s:.1f} s")
            lane.process.join(STOP_S)
            lane.line.close()
        log.print(table)
        if self._report.path is not None:
            log.print(f"report: {self._report.path}", soft_wrap=True)

    def _hear(self, lane: _Lane) -> None:
        """One thing that a process says, or that it is gone."""
        try:
            kind, *what = lane.line.recv()
        except (EOFError, OSError):
            self._lose(lane)
            return
        if kind == "said":
            for words in what[0].split("\n"):
                log.print(f"{lane.order.source}: {words}", soft_wrap=True)
        elif kind == "begin":
            self.bar.reset(lane.task, total=None, board=lane.boards + 1, now=what[0])
        elif kind == "step":
            doing, done, total = what
            self.bar.update(lane.task, now=doing, completed=done, total=total)
        elif kind == "agree":
            self._ask(lane, what[0])
        elif kind == "end":
            self._note(lane, what[0])
        elif kind == "over":
            lane.status = max(what[0], USAGE) if lane.unasked else what[0]
            lane.took_s = time.monotonic() - lane.began

    def _ask(self, lane: _Lane, words: Sequence[str]) -> None:
        self.bar.stop()
        try:
            first, *others = words
            agreed = asked((f"{lane.order.source}: {first}", *others), lane.order.yes)
        except WrongUsage as error:
            say(error)
            agreed, lane.unasked = False, True
        finally:
            self.bar.start()
        with contextlib.suppress(OSError):
            lane.line.send(("agreed", agreed))

    def _note(self, lane: _Lane, ending: Ending) -> None:
        lane.word = ending.status
        if "actions" in ending.facts:
            lane.boards += 1
            for name, key in (("cells", "verified"), ("actions", "actions"), ("repaired", "repaired")):
                lane.figures[name] += ending.facts[key]
        self.bar.update(lane.task, now=ending.status)
        self._report.add(ending.section)
        tell_ending(ending, self._as_json, self._report, f"{lane.order.source}: ")

    def _lose(self, lane: _Lane) -> None:
        error = Unexpected(
            f"{lane.order.source}: its process died", hint="the others go on; play it alone to see why"
        )
        lane.status, lane.took_s = BUG, time.monotonic() - lane.began
        facts = {"source": lane.order.source, "status": word_of(error), "reason": str(error)}
        self._note(lane, Ending(word_of(error), facts, (), None))
        say(error)


# What happens in the process of a source.


class _Away:
    """The starter of this process, at the other end of a pipe."""

    def __init__(self, line: Connection) -> None:
        self._line = line
        self._sending = threading.Lock()
        self._replies: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._stopping = False
        self._last_step: tuple[Any, ...] = ()

    def obey(self) -> None:
        """From here on KeyboardInterrupt is raised in the main thread as soon as the starter tells this process to stop."""
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, *what: Any) -> None:
        # A starter that has gone is noticed by the thread that listens.
        with self._sending, contextlib.suppress(OSError):
            self._line.send(what)

    def begin(self, title: str) -> None:
        self._stop_if_told()
        self.send("begin", title)

    def step(self, doing: str, done: int, total: int | None) -> None:
        self._stop_if_told()
        if (doing, done, total) != self._last_step:
            self._last_step = (doing, done, total)
            self.send("step", doing, done, total)

    def agree(self, words: Sequence[str]) -> bool:
        self.send("agree", tuple(words))
        agreed = self._replies.get()
        self._stop_if_told()
        return agreed

    def end(self, ending: Ending) -> None:
        self.send("end", ending)

    def _listen(self) -> None:
        """Hear answers; a request to stop, and the end of the starter, stop this process as Ctrl-C would."""
        while True:
            try:
                kind, *what = self._line.recv()
            except (EOFError, OSError):
                kind, what = "stop", []
            if kind == "agreed":
                self._replies.put(what[0])
                continue
            _interrupt()
            self._stopping = True
            # Who waits for an answer waits no more.
            self._replies.put(False)
            return

    def _stop_if_told(self) -> None:
        """An interrupt that fell into a callback of the interpreter, where it is dropped, is raised again here."""
        if self._stopping:
            raise KeyboardInterrupt


class _Said(io.TextIOBase):
    """Standard output and standard error of a process: whole lines go to its starter."""

    def __init__(self, away: _Away) -> None:
        self._away, self._rest = away, ""

    def write(self, text: str) -> int:
        *lines, self._rest = (self._rest + text).split("\n")
        if lines:
            self._away.send("said", "\n".join(lines))
        return len(text)


def _interrupt() -> None:
    """Raise KeyboardInterrupt in the main thread, also while it waits for the system."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, signal.SIGTERM)
    else:
        import _thread

        _thread.interrupt_main(signal.SIGTERM)


def _status(order: Order, away: _Away) -> int:
    """Play a source; what ended it is told. Returns the status it stands for."""
    try:
        return play_source(order, away)
    except BoardsightError as error:
        say(error)
        return status_of(error)
    except Exception as error:
        if status_of(error) == STOPPED:
            return STOPPED
        unexpected = Unexpected.of(error, order.source)
        facts = {"source": order.source, "status": word_of(unexpected), "reason": str(unexpected)}
        away.end(Ending(word_of(unexpected), facts, (), None))
        say(unexpected)
        return BUG


def _played(order: Order, line: Connection) -> None:
    """Play a source and tell everything through the pipe."""
    # Ctrl-C reaches every process of a terminal: its starter hears it, and tells us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    log.soft_wrap = True
    away = _Away(line)
    said = _Said(away)
    status = BUG
    with redirect_stdout(said), redirect_stderr(said):
        try:
            away.obey()
            status = _status(order, away)
        except KeyboardInterrupt:
            status = STOPPED
        finally:
            # From here on nothing is left that could be stopped.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
    away.send("over", status)
    line.close()
    sys.exit(0)
