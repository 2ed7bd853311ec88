"""What every solver is asked and what it answers, whatever the game."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from solver.errors import SearchLimit

S = TypeVar("S")

# Another solution is looked for in so many choices of the search: the same on every machine.
OTHER_CHOICES = 200


@dataclass(frozen=True)
class Limits:
    """How long to search, and what to decide on the way.

    seconds: None searches until the end; at the limit a solver returns the best it has (`optimal=False`),
        or raises SearchLimit when it has nothing.
    choices: the same after so many choices, which mean the same on every machine.
    unique: also decide whether the solution is the only one.
    """

    seconds: float | None = None
    unique: bool = False
    choices: int | None = None

    def stopper(self) -> Callable[[], bool]:
        """A function, asked at every choice, that says whether the time or the choices are over, counted from this call."""
        end = math.inf if self.seconds is None else time.monotonic() + self.seconds
        left = (
            itertools.repeat(1)
            if self.choices is None
            else itertools.chain(range(self.choices, 0, -1), itertools.repeat(0))
        )
        return lambda: not next(left) or (end < math.inf and time.monotonic() >= end)


@dataclass(frozen=True)
class Answer(Generic[S]):
    """A solution and what is proved about it.

    solution: complete by the rules; at a limit the best one found so far.
    cost, bound: for games with a price; `optimal` is True only when it is proved that nothing is cheaper.
    unique: True or False only when proved; None when not asked or not decided.
    second: another solution, where `unique` is False and one was asked for.
    """

    solution: S
    cost: int | None = None
    bound: int | None = None
    optimal: bool | None = None
    unique: bool | None = None
    second: S | None = None


def has_several(solve: Callable[[Any, Limits], Answer[Any]], puzzle: Any) -> bool:
    """Whether a puzzle is known to have another solution; False where that cannot be told in OTHER_CHOICES."""
    try:
        return solve(puzzle, Limits(choices=OTHER_CHOICES, unique=True)).unique is False
    except SearchLimit:
        return False
