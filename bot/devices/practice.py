"""A practice board as a device, with the faults that real screens have: all seeded, none of them in real time."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from bot.actions import Action, Drag, Key, Move, Tap, Wait
from bot.clock import Clock
from bot.practice.base import PracticeBoard
from vision.frame import Box, Frame, Pixels, Point

NO_SHIFT = Point(0.0, 0.0)


@dataclass(frozen=True)
class Faults:
    """What goes wrong, how often.

    lost, doubled: shares of the actions, 0..1.
    late_s: every action takes effect only so long after it was sent; jitter_s more at random.
    shift: the action lands so many px beside its aim (a wrong calibration).
    noise: standard deviation of the picture noise, 0..255.
    scale: the frame is the board's picture resized by this factor.
    frames_per_s: the program samples its input only so often, and never sees what is over between two samples; 0 for one
        that gets every event. unsteady: by which share of its time a sample may come early or late, 0..1.
    """

    lost: float = 0.0
    doubled: float = 0.0
    late_s: float = 0.0
    jitter_s: float = 0.0
    shift: Point = NO_SHIFT
    noise: float = 0.0
    scale: float = 1.0
    frames_per_s: float = 0.0
    unsteady: float = 0.0


class PracticeDevice:
    """Shows a practice board and hands it the actions that survive the faults.

    sent: the gestures that it was given, survivors or not.
    """

    def __init__(
        self,
        board: PracticeBoard,
        clock: Clock,
        faults: Faults | None = None,
        *,
        seed: int = 0,
        source: str = "",
    ) -> None:
        self.board = board
        self.sent: list[Action] = []
        self._clock = clock
        self._faults = faults or Faults()
        self._rng = random.Random(f"practice-{seed}")
        # Random numbers of Python leave the sign of a seed out, NumPy takes none.
        self._noise = np.random.default_rng(abs(seed))
        self._due: list[tuple[float, Action]] = []
        self._source = source or "practice"

    def capture(self) -> Frame:
        now = self._clock.now()
        self._settle(now)
        pixels = self._spoil(self.board.render(now))
        return Frame(pixels, taken_at=now, source=self._source)

    def peek(self, parts: Sequence[Box]) -> Sequence[Pixels] | None:
        frame = self.capture()
        return [frame.pixels[part.clipped(frame.size).window] for part in parts]

    def act(self, actions: Sequence[Action]) -> None:
        for action in actions:
            if not isinstance(action, Wait):
                self.sent.append(action)
                self._send(action)
            self._clock.sleep(duration_s(action))
            self._settle(self._clock.now())

    def close(self) -> None:
        self._due.clear()

    def _send(self, action: Action) -> None:
        faults = self._faults
        times = 1
        if not isinstance(action, Move):
            if self._rng.random() < faults.lost or not self._sampled(action):
                times = 0
            elif self._rng.random() < faults.doubled:
                times = 2
        due = self._clock.now() + faults.late_s + self._rng.random() * faults.jitter_s
        self._due.extend([(due, self._place(action))] * times)

    def _sampled(self, action: Action) -> bool:
        """Whether a frame of the program sees the press, and for a drag also the rest before its release."""
        now = self._clock.now()
        match action:
            case Tap(hold_s=hold_s) | Key(hold_s=hold_s):
                return self._frame_within(now, now + hold_s)
            case Drag(duration_s=way_s, hold_s=hold_s, press_s=press_s):
                moved = now + (hold_s if press_s is None else press_s)
                end = moved + way_s
                return self._frame_within(now, moved) and self._frame_within(end, end + hold_s)
        return True

    def _frame_within(self, start_s: float, end_s: float) -> bool:
        rate, unsteady = self._faults.frames_per_s, self._faults.unsteady
        if not rate:
            return True
        first, last = int(start_s * rate) - 1, int(end_s * rate) + 1
        times = [
            (n + unsteady * (random.Random(n).random() - 0.5)) / rate for n in range(max(0, first), last + 1)
        ]
        return any(start_s <= at < end_s for at in times)

    def _place(self, action: Action) -> Action:
        """The action in px of the board's own picture."""
        scale, shift = self._faults.scale, self._faults.shift

        def moved(at: Point) -> Point:
            return Point(at.x / scale + shift.x, at.y / scale + shift.y)

        match action:
            case Tap(at=at) | Move(at=at):
                return replace(action, at=moved(at))
            case Drag(path=path, taps=taps):
                return replace(action, path=tuple(map(moved, path)), taps=tuple(map(moved, taps)))
            case Key() | Wait():
                return action

    def _settle(self, now: float) -> None:
        """Let everything that is due by now happen, in the order of the times."""
        due = sorted((entry for entry in self._due if entry[0] <= now), key=lambda entry: entry[0])
        self._due = [entry for entry in self._due if entry[0] > now]
        for at, action in due:
            self.board.act(action, at)

    def _spoil(self, pixels: Pixels) -> Pixels:
        scale, noise = self._faults.scale, self._faults.noise
        if scale != 1.0:
            how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
            pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=how).astype(np.uint8)
        if noise > 0.0:
            grain = self._noise.normal(0.0, noise, pixels.shape)
            pixels = np.clip(pixels + grain, 0, 255).astype(np.uint8)
        return pixels


def duration_s(action: Action) -> float:
    """How long an action takes while it is done."""
    match action:
        case Tap(hold_s=hold_s) | Key(hold_s=hold_s):
            return hold_s
        case Drag(duration_s=duration, hold_s=hold_s, press_s=press_s, stamp=stamp, path=path):
            clicks = hold_s * (len(path) - 1) if stamp else 0.0
            return duration + (hold_s if press_s is None else press_s) + hold_s + clicks
        case Wait(seconds=seconds):
            return seconds
        case Move():
            return 0.0
