"""Calls that must not be left in the middle: a request to stop waits until they have come back.

The X library keeps locks and counts while it talks to the server. An exception thrown into it by Ctrl-C leaves them
as they are, and its next call, the one that lets the pressed button go, waits for ever.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

STOPPING = ("SIGINT", "SIGTERM", "SIGHUP")


@contextlib.contextmanager
def undivided() -> Iterator[None]:
    """Hold back a request to stop until the end of the block, where it is carried out.

    For calls that come back within milliseconds. A second request is not held back: the call may be the trouble.
    Only the main thread is ever interrupted, so elsewhere there is nothing to do.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: dict[int, Callable[[int, FrameType | None], Any]] = {}
    asked: list[int] = []
    inside = True

    def later(number: int, frame: FrameType | None) -> None:
        asked.append(number)
        if len(asked) > 1 or not inside:
            before[number](number, frame)

    try:
        for name in STOPPING:
            number = getattr(signal, name, None)
            if number is not None and callable(handler := signal.getsignal(number)):
                before[number] = handler
                signal.signal(number, later)
        yield
    finally:
        inside = False
        for number, handler in before.items():
            signal.signal(number, handler)
        if len(asked) == 1:
            before[asked[0]](asked[0], None)
