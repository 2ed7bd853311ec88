"""A device that is looked at until it is understood, and touched only where the board is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.actions import Action, gestures, points
from bot.clock import Clock
from bot.devices.base import Device
from bot.errors import InputFailed, LimitReached, NeverStill, SizeChanged
from vision.errors import VisionError
from vision.frame import Box, Frame
from vision.reading import Reading

AnyReading: TypeAlias = Reading[Any, Any]

# A fact of a reading that is handed to a lesson: the program is known by its look, but does not take what it is known for.
ANEW = "lesson.anew"
# A screen that cannot be read is asked less and less often, down to this.
MOST_PAUSE_S = 0.4
# On a busy machine a single look takes seconds: patience is over only after so many.
LEAST_UNREAD, LEAST_CHANGES = 2, 6


@dataclass(frozen=True)
class Glance:
    """A frame and what was read on it.

    covered: it was read through a translucent cover; nothing is to be done on such a board.
    """

    frame: Frame
    reading: AnyReading
    covered: bool = False


@dataclass(frozen=True)
class Patience:
    """How long to wait for a screen.

    between_s: rest between two frames that must tell the same.
    still_s: how long the readings may keep changing before NeverStill.
    unread_s: how long a screen that cannot be read is given before its error is raised.
    hidden_s: the same once a board has been read there: whatever covers it may go away again.
    """

    between_s: float = 0.06
    still_s: float = 10.0
    unread_s: float = 2.0
    hidden_s: float = 15.0


class Screen:
    """The eyes and hands of a run.

    acted: how many gestures were sent; pauses are none.

    Stillness is judged by what is read, not by pixels: sparkles, pulsing lines and noise never rest, but two
    looks in a row that tell the same board do. A board that tells at once what must come of what was sent is not
    on its way to anything else.
    """

    def __init__(self, device: Device, clock: Clock, patience: Patience | None = None) -> None:
        self.device = device
        self.clock = clock
        self.acted = 0
        self._patience = patience or Patience()
        self._known = False

    def look(
        self,
        read: Callable[[Frame], AnyReading | None],
        waiting: Callable[[VisionError], object] = lambda error: None,
        expected: Callable[[AnyReading], bool] = lambda reading: False,
    ) -> Glance:
        """Capture and read until two looks in a row tell the same, or one tells what is expected.

        read: None for a picture that is not worth reading, since it still changes: it counts for nothing, and the next
            one follows.
        waiting: hears once what is in the way of a board that has been read before.
        Raises NeverStill, or the reader's own VisionError when the screen stays unreadable.
        """
        start, pause = self.clock.now(), self._patience.between_s
        patience_s = self._patience.hidden_s if self._known else self._patience.unread_s
        before: Glance | None = None
        told = False
        unread = changes = 0
        while True:
            frame = self.device.capture()
            try:
                reading = read(frame)
            except VisionError as error:
                before = None
                unread += 1
                waited = self.clock.now() - start
                if unread >= LEAST_UNREAD and waited >= patience_s:
                    raise
                if not told and waited >= self._patience.unread_s:
                    told = True
                    waiting(error)
                pause = min(1.5 * pause, MOST_PAUSE_S)
            else:
                if reading is None:
                    pause = min(1.5 * pause, MOST_PAUSE_S)
                    self.clock.sleep(pause)
                    continue
                pause = self._patience.between_s
                if expected(reading) or (before is not None and same_state(before.reading, reading)):
                    self._known = True
                    return Glance(frame, reading)
                before = Glance(frame, reading)
                changes += 1
                if changes >= LEAST_CHANGES and self.clock.now() - start >= self._patience.still_s:
                    raise NeverStill(
                        f"the board kept changing for {self._patience.still_s:.0f} s",
                        hint="wait until animations have ended, and leave the mouse alone",
                    )
            self.clock.sleep(pause)

    def act(self, actions: Sequence[Action], area: Box) -> None:
        """Do the actions, all of them inside `area` (px of the frame) or none at all."""
        for action in actions:
            for at in points(action):
                if not area.contains(at):
                    raise InputFailed(
                        f"an action at ({at.x:.0f}, {at.y:.0f}) lies outside the board's area {tuple(area)}",
                        hint="this is a bug in the game's player: please report it; nothing was tapped",
                    )
        self.device.act(actions)
        self.acted += gestures(actions)


class Budget:
    """What a run may still do: so many actions, for so long from now on; None is no limit."""

    def __init__(self, screen: Screen, max_actions: int | None = None, max_s: float | None = None) -> None:
        self._screen = screen
        self._max_actions = math.inf if max_actions is None else max_actions
        self._end_s = math.inf if max_s is None else screen.clock.now() + max_s

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return self._screen.clock.now() >= self._end_s

    @property
    def actions(self) -> float:
        """How many actions are left, in time or not."""
        return max(0.0, self._max_actions - self._screen.acted)

    @property
    def left(self) -> float:
        """How many actions may still be begun: none once the time is over."""
        return 0.0 if self.late else self.actions


class Hands:
    """What a player may use to try out a program that it does not know: the screen, within the area of the board seen.

    used: whether anything was sent.
    """

    def __init__(self, screen: Screen, seen: Glance, budget: Budget) -> None:
        self._screen, self._area, self._size, self._budget = (
            screen,
            seen.reading.area,
            seen.frame.size,
            budget,
        )
        self._last_size = self._size
        self.used = False

    def require(self, actions: int) -> None:
        """Before something is begun that takes so many actions at most. Raises LimitReached."""
        if actions > self._budget.left:
            raise LimitReached(f"{self._budget.left:.0f} actions are left, {actions} are needed")

    def act(self, actions: Sequence[Action]) -> None:
        """Do the actions, also late: what was begun is brought to its end.

        Raises LimitReached; SizeChanged where the last picture had another size than the one that was read; InputFailed.
        """
        if self._last_size != self._size:
            raise SizeChanged(f"the picture is {self._last_size} px and was {self._size} px")
        needed = gestures(actions)
        if needed > self._budget.actions:
            raise LimitReached(f"{self._budget.actions:.0f} actions are left, {needed} are needed")
        self.used = True
        self._screen.act(actions, self._area)

    def capture(self) -> Frame:
        frame = self._screen.device.capture()
        self._last_size = frame.size
        return frame

    def sleep(self, seconds: float) -> None:
        self._screen.clock.sleep(seconds)

    def now(self) -> float:
        return self._screen.clock.now()


def same_state(a: AnyReading, b: AnyReading) -> bool:
    """Whether two readings tell the same board with the same things on it."""
    return bool(
        a.puzzle == b.puzzle
        and a.placed == b.placed
        and a.finished == b.finished
        and a.doubtful == b.doubtful
        and _controls(a) == _controls(b)
    )


def _controls(reading: AnyReading) -> dict[str, tuple[int | None, bool]]:
    return {name: (control.count, control.active) for name, control in reading.controls.items()}
