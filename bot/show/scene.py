"""What a game shows of one step of its solver.

A scene is a function `show(puzzle, moment, room, marked) -> Drawing`, one per game: no larger than `room` where the
game can be drawn smaller; `marked` tells things apart by signs, since there will be no colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from bot.show.canvas import Canvas
from solver.steps import Thought

S = TypeVar("S")


class Room(NamedTuple):
    """How much can be shown at once, in characters."""

    columns: int
    rows: int


@dataclass(frozen=True)
class Moment(Generic[S]):
    """A moment of the work: the step that was just made (None at the start) and the board after it.

    finished: nothing is left to do.
    guessed: cells that rest on a guess.
    """

    board: S
    step: Thought[S] | None = None
    finished: bool = False
    guessed: frozenset[Any] = frozenset()


@dataclass(frozen=True, eq=False)
class Drawing:
    """A drawn moment.

    focus: row and column of the canvas where something happened; what a small window should show.
    """

    canvas: Canvas
    focus: tuple[int, int] | None = None


def moments(start: S, steps: Iterable[Thought[S]]) -> Iterator[Moment[S]]:
    """The moments of a work: the board before the first step, then one per step; the last one is finished."""
    before = Moment(start)
    rests_on: dict[Any, int] = {}
    for step in steps:
        yield before
        if step.kind in ("undo", "guess"):
            kept = step.depth if step.kind == "undo" else step.depth - 1
            rests_on = {cell: depth for cell, depth in rests_on.items() if depth <= kept}
        if step.depth:
            rests_on |= dict.fromkeys(step.settled, step.depth)
        before = Moment(step.board, step, False, frozenset(rests_on))
    yield Moment(before.board, before.step, True, before.guessed)
