"""What takes longer than a moment: a sign of life for who waits, after a second, and an end where one was asked for."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bot.messages import log
from solver.errors import SearchLimit

# Nothing is shown of what is over sooner.
MOMENT_S = 1.0
# While a bar shows how far many inputs are, none of them shows anything of its own.
_bars: list[None] = []


@contextmanager
def bar_shown() -> Iterator[None]:
    """Somebody else shows how far everything is."""
    _bars.append(None)
    try:
        yield
    finally:
        _bars.pop()


@contextmanager
def shown(doing: str) -> Iterator[None]:
    """After a second, say on the terminal what is being done, and for how long; it is gone at the end."""
    if _bars or not (log.is_interactive and log.is_terminal):
        yield
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    sign = Progress(*columns, console=log, transient=True, redirect_stdout=False, redirect_stderr=False)
    sign.add_task(doing, total=None)
    timer = threading.Timer(MOMENT_S, sign.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        sign.stop()


@contextmanager
def within(seconds: float | None, doing: str) -> Iterator[None]:
    """Raise SearchLimit in the block when it takes longer; None for no limit.

    By the system's alarm, which rings in the main thread; where there is none (Windows) the block takes its time.
    """
    alarmed = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not alarmed:
        yield
        return

    reached = SearchLimit(f"{doing} took longer than the limit of {seconds:g} s")
    rang = False

    def ring(number: int, frame: FrameType | None) -> None:
        nonlocal rang
        rang = True
        raise reached

    before = signal.signal(signal.SIGALRM, ring)
    # Zero would mean that it never rings.
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
    try:
        yield
    except Exception as error:
        # Python up to 3.11 tells an error in a class that is just being made as another one, a RuntimeError.
        if not rang or error is reached:
            raise
        raise reached from error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if rang:
        # What the block caught is still what stopped it: its result is not the whole.
        raise reached
