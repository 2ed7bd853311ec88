"""From the events of a real pointer to what a practice board understands."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from bot.actions import Action, Button, Drag, Key, Tap
from bot.practice.base import PracticeBoard
from vision.frame import Point

# Moved further than this between press and release, px of the board's picture, a click is a drag.
DRAG_PX = 5.0


@dataclass(frozen=True)
class Touch:
    """One thing that a pointer did.

    at: px of the board's picture. at_s: when, as the system tells it; a window that draws slowly hears of it late.
    """

    kind: Literal["move", "press", "release"]
    at: Point
    at_s: float
    button: Button = "left"
    shift: bool = False


@runtime_checkable
class FeelsTouches(Protocol):
    """A board that follows the pointer itself, since its game shows what is on the way."""

    def feel(self, touch: Touch, now_s: float) -> None: ...


class Fingers:
    """Makes clicks and drags of touches, for boards that know no others."""

    def __init__(self, board: PracticeBoard) -> None:
        self._board = board
        self._pressed: Touch | None = None
        # Where the pointer is and since when; some programs that move it tell the same place again.
        self._rest = (Point(0.0, 0.0), 0.0)

    def feel(self, touch: Touch, now_s: float) -> None:
        """Hand the touch on; a click or a drag is told when its button comes up."""
        if isinstance(self._board, FeelsTouches):
            self._board.feel(touch, now_s)
            return
        if touch.at != self._rest[0]:
            self._rest = touch.at, touch.at_s
        if touch.kind == "press":
            self._pressed, self._rest = touch, (touch.at, touch.at_s)
        elif self._pressed is not None and touch.kind == "release" and touch.button == self._pressed.button:
            start, self._pressed = self._pressed, None
            self._board.act(self._gesture(start, touch), now_s)

    def type(self, key: str, now_s: float) -> None:
        """A key that was pressed."""
        self._board.act(Key(key), now_s)

    def _gesture(self, start: Touch, end: Touch) -> Action:
        whole_s = end.at_s - start.at_s
        if math.dist(start.at, end.at) <= DRAG_PX:
            modifiers: tuple[Literal["shift"], ...] = ("shift",) if start.shift else ()
            return Tap(start.at, whole_s, start.button, modifiers)
        rest_s = end.at_s - self._rest[1]
        return Drag((start.at, end.at), whole_s - rest_s, rest_s, start.button)
