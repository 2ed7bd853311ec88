"""A practice board behind a screen that misbehaves, seeded and in simulated time, and what came of playing it."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from bot.actions import Action, Drag, Move, points
from bot.clock import SimulatedClock
from bot.devices.practice import Faults, PracticeDevice
from bot.errors import DeviceNotFound
from bot.games import GAMES
from bot.play import Options, play
from bot.screen import Screen
from solver.errors import BoardsightError
from tests.lies import LIES, LyingBoard
from vision.frame import Box, Frame, Pixels, Point
from vision.profile import Profile
from vision.reading import Reading

# Small boards on small screens: a run looks at them hundreds of times.
SMALL: dict[str, dict[str, Any]] = {
    "bridges": {"size": (6, 6), "tile_px": 30},
    "nonogram": {"size": (8, 7), "tile_px": 20},
    "algemy": {"size": 3, "screen": (540, 960)},
    "rings": {},
    "thaumcraft": {"scale": 2, "complexity": 1, "givens": 2},
}
DEVICE_TROUBLES = ("none", "frozen", "pop-up", "device lost", "device back", "resolution", "restart")
TROUBLES = (*DEVICE_TROUBLES, *LIES)
# What is taken back after the usual settling time needs a longer one.
SETTLE_S = 3.2


@dataclass
class Troubled:
    """How one game went.

    ended: "verified", "finished", or the name of the error.
    solved: the truth about the board, some time later.
    stray: actions that were aimed at neither the board nor a named control.
    """

    game: str
    trouble: str
    ended: str
    solved: bool
    message: str = ""
    stray: list[str] = field(default_factory=list)
    actions: int = 0


class TroubledDevice:
    """A practice device on which something happens from `begin_s` to `end_s`, by the run's clock."""

    def __init__(
        self, inner: PracticeDevice, clock: SimulatedClock, trouble: str, rng: random.Random
    ) -> None:
        self.inner, self.clock, self.trouble = inner, clock, trouble
        self.begin_s = rng.uniform(0.5, 12.0)
        self.end_s = self.begin_s + rng.uniform(0.3, 6.0)
        self.corner, self.shade = (rng.random(), rng.random()), rng.randrange(256)
        self.scale = rng.choice((0.8, 1.25, 1.5))
        self.reading: Reading[Any, Any] | None = None
        self.stray: list[str] = []
        self.killed_after: int | None = None
        self._shown: Frame | None = None
        self._pop_up: Box | None = None

    def capture(self) -> Frame:
        self._wait_for_it()
        now = self.clock.now()
        if self.trouble == "frozen" and self._troubled(now) and self._shown is not None:
            return replace(self._shown, taken_at=now)
        frame = self.inner.capture()
        pixels = frame.pixels
        height, width = pixels.shape[:2]
        left, top = int(self.corner[1] * width * 0.5), int(self.corner[0] * height * 0.6)
        self._pop_up = Box(left, top, width // 2, height // 3)
        if self.trouble == "pop-up" and self._troubled(now):
            pixels = pixels.copy()
            pixels[top : top + height // 3, left : left + width // 2] = self.shade
            cv2.putText(pixels, "Battery low 15", (left + 8, top + 40), 0, 1.0, (0, 0, 0), 2, cv2.LINE_AA)
        factor = self._factor(now)
        if factor != 1.0:
            how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
            pixels = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=how)
        self._shown = replace(frame, pixels=np.asarray(pixels, np.uint8))
        return self._shown

    def peek(self, parts: Sequence[Box]) -> Sequence[Pixels] | None:
        frame = self.capture()
        return [frame.pixels[part.clipped(frame.size).window] for part in parts]

    def act(self, actions: Sequence[Action]) -> None:
        for action in actions:
            if self.killed_after is not None and len(self.inner.sent) >= self.killed_after:
                raise KeyboardInterrupt
            self._aimed(action)
            if self.trouble == "device back" and self._troubled(self.clock.now()):
                # As on a phone whose cable was pulled: the rest is not sent, the device is waited for.
                return self._wait_for_it()
            self._wait_for_it()
            # Aimed at the last picture, done on the screen as it is by now.
            done = _shrunk(action, self._factor(self.clock.now()))
            if not self._swallowed(done):
                self.inner.act([done])

    def close(self) -> None:
        self.inner.close()

    def _factor(self, now: float) -> float:
        return self.scale if self.trouble == "resolution" and now >= self.begin_s else 1.0

    def _troubled(self, now: float) -> bool:
        return self.begin_s <= now < self.end_s

    def _wait_for_it(self) -> None:
        now = self.clock.now()
        if self.trouble == "device lost" and now >= self.begin_s:
            raise DeviceNotFound("the device went away", hint="plug it in")
        if self.trouble == "device back" and self._troubled(now):
            self.clock.sleep(self.end_s - now)

    def _swallowed(self, action: Action) -> bool:
        """Whether a pop-up takes it instead of the board."""
        if self.trouble != "pop-up" or not self._troubled(self.clock.now()) or self._pop_up is None:
            return False
        return any(self._pop_up.contains(at) for at in points(action))

    def _aimed(self, action: Action) -> None:
        """Note every place that is pressed and is neither on the board (a cell's distance from a cell) nor a control.

        A pointer that is parked presses nothing, and a carried thing may be let go over the bare table.
        """
        reading = self.reading
        pressed = action.path[:-1] if isinstance(action, Drag) and action.stamp else points(action)
        for at in () if isinstance(action, Move) else pressed:
            if reading is None or not _near_something(reading, at):
                self.stray.append(f"({at.x:.0f}, {at.y:.0f}) in {action}")


def _near_something(reading: Reading[Any, Any], at: Point) -> bool:
    reach = reading.geometry.pitch_px
    places = [*reading.geometry.centres.values(), *(control.at for control in reading.controls.values())]
    return any(max(abs(place.x - at.x), abs(place.y - at.y)) <= reach for place in places)


def _shrunk(action: Action, factor: float) -> Action:
    def moved(at: Point) -> Point:
        return Point(at.x / factor, at.y / factor)

    changed: Any = action
    if hasattr(action, "at"):
        changed = replace(changed, at=moved(changed.at))
    if hasattr(action, "path"):
        changed = replace(changed, path=tuple(moved(at) for at in changed.path))
    return changed  # type: ignore[no-any-return]


def small_board(name: str, seed: int) -> Any:
    """A practice board that is quick to draw and to read."""
    # The record of a game knows `practice` without its options.
    make: Any = GAMES[name].practice
    return make(random.Random(seed), **SMALL.get(name, {}))


def play_troubled(name: str, seed: int, trouble: str) -> Troubled:
    """One game with 0 to 3 s latency, 5 % lost and 2 % doubled actions, and one trouble more."""
    rng = random.Random(f"{name}-{seed}-{trouble}")
    game, clock = GAMES[name], SimulatedClock()
    board = small_board(name, seed)
    faults = Faults(lost=0.05, doubled=0.02, late_s=rng.uniform(0.0, 3.0))
    inner: Any = PracticeDevice(board, clock, faults, seed=seed)
    device = TroubledDevice(inner, clock, trouble, rng)
    options = Options()
    if trouble in LIES:
        lying = LyingBoard(name, board, trouble, rng, lambda n: small_board(name, seed + n), device.begin_s)
        inner.board = lying
        if trouble == "taken back" and lying.back_s > 2.0:
            options = Options(settle_s=SETTLE_S)

    def read(frame: Frame, profile: Profile) -> Reading[Any, Any]:
        device.reading = game.read(frame, profile)
        return device.reading

    def reread(frame: Frame, earlier: Reading[Any, Any]) -> Reading[Any, Any] | None:
        again: Reading[Any, Any] | None = game.reread(frame, earlier)
        device.reading = again or device.reading
        return again

    watched = replace(game, read=read, reread=reread)
    ended, message = "", ""
    try:
        if trouble == "restart":
            # Killed somewhere, in the middle of a step or of a lesson, then the same command once more.
            device.killed_after = rng.randrange(1, 12)
            with contextlib.suppress(KeyboardInterrupt):
                play(watched, board.profile, Screen(device, clock))
            device.killed_after = None
        ended = play(watched, board.profile, Screen(device, clock), options).status
    except BoardsightError as error:
        ended, message = type(error).__name__, str(error)
    if trouble in LIES:
        # What is still to be taken back is by now.
        inner.board.render(clock.now() + 10.0)
    solved = board.solved() or (trouble in LIES and inner.board.tells_nothing())
    return Troubled(name, trouble, ended, solved, message, device.stray, len(device.inner.sent))
