"""What a search may spend (tries, when they are counted, and time), and how it ends."""

from __future__ import annotations

from collections.abc import Callable


class Contradiction(Exception):
    """The board has no picture."""


class OutOfTime(Exception):
    """The limit was reached, or the tries are used up."""


class Budget:
    """tries: so many, None for any number. stop: asked at every try whether time is over."""

    def __init__(self, tries: int | None, stop: Callable[[], bool]) -> None:
        self._left, self._stop = tries, stop

    def spend(self) -> None:
        """One try. Raises OutOfTime when the tries are used up, or the time."""
        if self._left is not None:
            if self._left <= 0:
                raise OutOfTime
            self._left -= 1
        if self._stop():
            raise OutOfTime
