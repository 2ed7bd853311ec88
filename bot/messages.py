"""What the command line says, the status it leaves with, and the one place where strangers' words become harmless.

Window titles, file names, puzzles and a phone's answers are text and nothing else: a sign that would move the cursor,
change a colour or turn the direction of writing is shown as its code, and square brackets are no markup. Everything
that is printed goes through `log`, `show`, `show_table`, `tell` or `say`.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from bot.errors import DeviceError, PlayError, Stopped, WrongUsage
from calibration.errors import CalibrationError
from solver.errors import BoardsightError, InvalidPuzzle, NoSolution, PuzzleError, SearchLimit
from vision.errors import BoardNotFound, UncertainReading, UnreadableImage, VisionError

DONE, BUG, USAGE, NO_BOARD, DOUBT, NO_DEVICE, NO_SOLUTION, NOT_VERIFIED, LIMIT = range(9)
STOPPED = 130

# Signs of control (C0, DEL, C1), of the direction of writing (Unicode's bidirectional algorithm, UAX 9), line ends, and
# halves of signs, which stand for the bytes of a file name that is no UTF-8.
CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


# Our own longest messages list all games; signs.
MOST_WORDS = 1001
# Signs of a source before an error that is about it: a puzzle as text may be a page long.
MOST_OF_A_SOURCE = 120


def harmless(words: str) -> str:
    """Strangers' words as they may be printed: what a terminal would obey is shown as its code.

    >>> print(harmless("Note\\x1b[2J"))
    Note\\x1b[2J
    """
    return CONTROL.sub(lambda sign: sign[0].encode("unicode_escape").decode("ascii"), words)


class Teller(Console):
    """A console for which every string, also in a table or beside a spinner, is text and nothing else."""

    def on_broken_pipe(self) -> None:
        """Let the error through: who reads from us no more has what it wants."""
        raise

    def render_str(self, text: str, **form: Any) -> Text:
        return super().render_str(
            harmless(text), **form | {"markup": False, "emoji": False, "highlight": False}
        )


def plain(words: str) -> Text:
    """Strangers' words for a place where rich would look for markup in a string."""
    return Text(harmless(words))


log = Teller(stderr=True, highlight=False)


class OutputLost(Exception):
    """Standard output takes no more: its reader has gone, or its disk is full."""


@contextmanager
def _output() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputLost(error.strerror) from error


class Unexpected(BoardsightError):
    """A defect of ours that one input brought to light."""

    @classmethod
    def of(cls, error: Exception, where: str) -> Unexpected:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return cls(
            f"{where}: an internal error: {type(error).__name__}: {error}"
            f" ({Path(last.filename).name}, line {last.lineno})",
            hint="please report it with this input; the others go on",
        )


def status_of(error: BaseException) -> int:
    """The exit status that an error stands for."""
    if _interrupted(error):
        return STOPPED
    table: Sequence[tuple[type[BaseException] | tuple[type[BaseException], ...], int]] = (
        (Stopped, STOPPED),
        ((WrongUsage, UnreadableImage, InvalidPuzzle, CalibrationError), USAGE),
        (BoardNotFound, NO_BOARD),
        (UncertainReading, DOUBT),
        (DeviceError, NO_DEVICE),
        (NoSolution, NO_SOLUTION),
        (PlayError, NOT_VERIFIED),
        (SearchLimit, LIMIT),
    )
    return next((status for kinds, status in table if isinstance(error, kinds)), BUG)


def _interrupted(error: BaseException) -> bool:
    """Whether it is Ctrl-C. Python up to 3.11 tells one in a class that is just being made as another error's cause."""
    causes = [error]
    # A refusal that is raised once more by whoever looked further may be its own cause.
    while (cause := causes[-1].__cause__) is not None and cause not in causes:
        causes.append(cause)
    return any(isinstance(one, KeyboardInterrupt) for one in causes)


def word_of(error: BaseException) -> str:
    """The `status` that JSON output gives for an error."""
    words = {
        NO_BOARD: "no-board",
        DOUBT: "unsure",
        NO_SOLUTION: "no-solution",
        LIMIT: "limit",
        STOPPED: "stopped",
    }
    words |= {NO_DEVICE: "no-device", NOT_VERIFIED: "not-verified"}
    return words.get(status_of(error), "error")


def named(error: BoardsightError, source: str) -> BoardsightError:
    """An error about a picture or a puzzle, with what it was seen in before its words, unless they begin with that."""
    start = source[:MOST_OF_A_SOURCE]
    if isinstance(error, (VisionError, PuzzleError)) and not str(error).startswith(start.rstrip("/")):
        error.args = (f"{start if start == source else start + '...'}: {error}",)
    return error


def say(error: BoardsightError) -> None:
    """An error in two lines: what was seen where, and what to do."""
    tell(str(error), error.hint)


def tell(message: str, hint: str = "") -> None:
    """A message in a line of standard error, and what to do about it in a second one."""
    if sys.stderr is None:
        return
    for start, words in (("boardsight: ", message), ("  ", hint)):
        if words:
            print(start + shortened(harmless(" ".join(words.split()))), file=sys.stderr)


def shortened(words: str) -> str:
    """Words that fit on a screen: of a name as long as a book the middle is left out.

    >>> len(shortened("a" * 100_000)) == MOST_WORDS
    True
    """
    if len(words) <= MOST_WORDS:
        return words
    half = (MOST_WORDS - 3) // 2
    return f"{words[:half]}...{words[-half:]}"


def pass_on(words: str) -> None:
    """On standard error what another process has said there, as it stands."""
    print("\n".join(map(harmless, words.split("\n"))), end="", file=sys.stderr, flush=True)


def show(text: str, end: str = "\n") -> None:
    """A result on standard output, line by line as it stands."""
    with _output():
        print("\n".join(map(harmless, text.split("\n"))), end=end, flush=True)


def show_table(table: RenderableType, width: int | None = None) -> None:
    """A table on standard output. width: where nobody looks, columns; None for as many as it takes."""
    asked = Teller()
    out = asked if width is None or asked.is_terminal else Teller(width=width)
    with _output():
        out.print(table, soft_wrap=width is None)
        sys.stdout.flush()


def show_rows(rows: Sequence[tuple[str, ...]]) -> None:
    """Rows of words that are for copying, one below the other; no table, whose columns would cut them."""
    plain_rows = [tuple(map(harmless, row)) for row in rows]
    widths = [max(len(row[column]) for row in plain_rows) for column in range(len(rows[0]) - 1)]
    for *firsts, last in plain_rows:
        show("".join(f"{word:{width}}  " for word, width in zip(firsts, widths, strict=True)) + last)


def trace() -> str:
    """The traceback of the error at hand, harmless."""
    return "\n".join(map(harmless, traceback.format_exc().split("\n")))


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; a link stays, and what it points to is written.

    Raises WrongUsage with the reason, also for a device or a pipe, which must not become a file.
    """
    from tempfile import mkstemp

    target = Path(os.path.realpath(path))
    made = None
    try:
        if os.path.lexists(target) and not os.path.isfile(target):
            what = "a folder" if os.path.isdir(target) else "a device or a pipe"
            raise WrongUsage(f"{path}: is {what}, not a file", hint="choose another place")
        handle, made = mkstemp(prefix=f".{target.name[:40]}-", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(made, _mode_of(target))
        os.replace(made, target)
        made = None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise WrongUsage(f"{path}: cannot be written: {reason}", hint="choose another place") from error
    finally:
        # Also where Ctrl-C came in between.
        if made is not None:
            with suppress(OSError):
                os.unlink(made)


def _mode_of(target: Path) -> int:
    """The rights of a file that is written again, or those that a new one gets from the umask."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
