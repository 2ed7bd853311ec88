"""Where the program starts: before anything slow is loaded, so that Ctrl-C is a stop in order from the first moment."""

from __future__ import annotations

import os
import sys

# What takes long to load, as typing and signal do, is not loaded before somebody listens to Ctrl-C.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, TextIO

STOPPED = 130


def main() -> NoReturn:
    """Run the command line; leaves with the status that docs/formats.md promises."""
    try:
        _open_streams()
        # NumPy multiplies small tables here: threads of its own would wait for each other, a hundred times as long on a
        # busy machine, and cost a third of the start.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from bot.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        # A second Ctrl-C must not stop the stop.
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("boardsight: stopped by the user", file=sys.stderr)
        sys.exit(STOPPED)


class Heedless:
    """Standard error that may be full, or that nobody reads any more: words are lost there, and never a run."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, words: str) -> int:
        try:
            return self._stream.write(words)
        except OSError:
            return len(words)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            return

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def _open_streams() -> None:
    """Give a program that was started without standard input, output or error an empty one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open to the end
        elif mode == "w" and hasattr(stream, "reconfigure"):
            # A sign that the terminal's encoding does not have is shown as its code.
            stream.reconfigure(errors="backslashreplace")
    setattr(sys, "stderr", Heedless(sys.stderr))  # noqa: B010 - it is no whole stream
