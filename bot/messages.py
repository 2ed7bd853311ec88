"""What the command line says when something is not as it should be, and the status it leaves with."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from bot.errors import DeviceError, PlayError, Stopped, WrongUsage
from calibration.errors import CalibrationError
from solver.errors import BoardsightError, InvalidPuzzle, NoSolution, SearchLimit
from vision.errors import BoardNotFound, UncertainReading, UnreadableImage

DONE, BUG, USAGE, NO_BOARD, DOUBT, NO_DEVICE, NO_SOLUTION, NOT_VERIFIED, LIMIT = range(9)
STOPPED = 130

log = Console(stderr=True, highlight=False)


def status_of(error: BaseException) -> int:
    """The exit status that an error stands for."""
    table: Sequence[tuple[type[BaseException] | tuple[type[BaseException], ...], int]] = (
        ((KeyboardInterrupt, Stopped), STOPPED),
        ((WrongUsage, UnreadableImage, InvalidPuzzle, CalibrationError), USAGE),
        (BoardNotFound, NO_BOARD),
        (UncertainReading, DOUBT),
        (DeviceError, NO_DEVICE),
        (NoSolution, NO_SOLUTION),
        (PlayError, NOT_VERIFIED),
        (SearchLimit, LIMIT),
    )
    return next((status for kinds, status in table if isinstance(error, kinds)), BUG)


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


def say(error: BoardsightError) -> None:
    """An error in two lines: what was seen where, and what to do."""
    message = " ".join(str(error).split())
    print(f"boardsight: {message}", file=sys.stderr)
    if error.hint:
        print(f"  {' '.join(error.hint.split())}", file=sys.stderr)


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises WrongUsage with the reason."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise WrongUsage(
            f"{path}: cannot be written: {error.strerror}", hint="choose another place"
        ) from error
