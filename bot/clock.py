"""Time as a parameter, so that tests need none of it."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds that only go forward."""

    def now(self) -> float: ...

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """Real time."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))


class SimulatedClock:
    """Time that moves only when somebody sleeps; practice boards and tests live in it."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += max(0.0, seconds)
