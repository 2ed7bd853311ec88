"""Who follows a run: a person at the terminal with a bar, or a program that reads lines of JSON; and the report."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot import output
from bot.errors import WrongUsage
from bot.messages import log, say, show, write_file
from bot.playing import Ending
from bot.report import page

# A report shows so many boards, the last ones: a picture of each is in it, and a night's run must stay readable.
MOST_SECTIONS = 40


class Report:
    """The one page of a run, written anew at the end of every board; nothing where it is not wanted.

    failed: whether it could not be written, which has been said. Raises WrongUsage for a place in no folder, and for a folder.
    """

    def __init__(self, path: Path | None) -> None:
        if path is not None:
            # A name that is too long is none of a folder: Path.is_dir would raise.
            taken = os.path.isdir(path)
            if taken or not path.absolute().parent.is_dir():
                what = "a folder is there" if taken else "no such folder"
                raise WrongUsage(f"{path}: {what}; nothing was played", hint="choose another --report")
        self.path = path
        self.failed = False
        self._sections: deque[str] = deque(maxlen=MOST_SECTIONS)
        self._boards = 0

    def add(self, section: str | None) -> None:
        """Write the page with one more section."""
        if self.path is None or section is None:
            return
        self._sections.append(section)
        self._boards += 1
        title = "boardsight play"
        if self._boards > MOST_SECTIONS:
            title += f": the last {MOST_SECTIONS} of {self._boards} boards"
        try:
            write_file(self.path, page(title, list(self._sections)).encode())
        except WrongUsage as error:
            # The run goes on, and how the board went is told all the same.
            say(error)
            self.path, self.failed = None, True


def progress_bar() -> Progress:
    """A bar on standard error: what is being done, how far, and the rest time; nothing where nobody looks."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[now]}", markup=False),
        TimeRemainingColumn(),
        console=log if log.is_interactive else Console(quiet=True),
        transient=True,
    )


class Terminal:
    """A person at the terminal, or a program that reads lines of JSON."""

    def __init__(self, yes: bool, as_json: bool, report: Report) -> None:
        self._yes, self._as_json, self._report = yes, as_json, report
        self._progress = progress_bar()
        self._task = self._progress.add_task("", total=None, now="", visible=False)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def begin(self, title: str) -> None:
        self._progress.reset(self._task, description=title, total=None, now="", visible=True)
        self._progress.start()

    def step(self, doing: str, done: int, total: int | None) -> None:
        self._progress.update(self._task, now=doing, completed=done, total=total)

    def agree(self, words: Sequence[str]) -> bool:
        self._progress.stop()
        try:
            return asked(words, self._yes)
        finally:
            self._progress.start()

    def end(self, ending: Ending) -> None:
        self._progress.stop()
        self._report.add(ending.section)
        tell_ending(ending, self._as_json, self._report)


def asked(words: Sequence[str], yes: bool) -> bool:
    """Tell somebody what would be done, and ask unless `yes`. Raises WrongUsage where nobody can be asked."""
    first, *others = words
    log.print(first, soft_wrap=True)
    for one in others:
        log.print(one, style="yellow", soft_wrap=True)
    if yes:
        return True
    if not sys.stdin.isatty():
        raise WrongUsage(
            "nobody to ask: standard input is no terminal; nothing was touched",
            hint="--yes goes on without asking, --dry-run shows the plan",
        )
    return typer.confirm("go on?", err=True)


def tell_ending(ending: Ending, as_json: bool, report: Report, whose: str = "") -> None:
    """What came of a board: a line of JSON, or words. whose: stands before the words."""
    if as_json:
        show(output.line(ending.facts | {"report": str(report.path) if report.path else None}))
        return
    for number, words in enumerate(ending.steps, start=1):
        show(f"{whose}{number:4}  {words}")
    for words in ending.words:
        log.print(f"{whose}{words}", soft_wrap=True)
