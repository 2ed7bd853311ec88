"""The next step over a game that somebody plays: told again after each move, and nothing is ever clicked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.clock import Clock
from bot.devices.base import Device
from bot.game import Game
from bot.recognise import Recognised
from bot.show.hints import Hint
from bot.show.hints import hint as find_hint
from solver.answer import Limits
from solver.errors import NoSolution, SearchLimit
from vision.errors import UncertainReading, VisionError
from vision.frame import Frame
from vision.reading import Reading

LOOK_S = 0.5

# A look and the hint for it.
Tell = Callable[[Frame, Recognised, Hint], object]


def follow(
    device: Device,
    clock: Clock,
    find: Callable[[Frame], Recognised],
    tell: Tell,
    limits: Limits,
    wait: Callable[[str], object],
) -> None:
    """Look, and tell the next step whenever the board has changed, until it is solved.

    find: which game is on the first frame that can be read. wait: hears why nothing can be told now, once for each reason.
    Raises DeviceError when the device goes away.
    """
    known: Recognised | None = None
    last: tuple[Any, Any] | None = None
    why = ""
    while True:
        frame = device.capture()
        try:
            known = find(frame) if known is None else _again(frame, known)
            reading = known.reading
            if reading.unknown:
                raise UncertainReading.of(reading.unknown, hint="", name=reading.name)
            state = (reading.puzzle, reading.placed)
            if state != last:
                last, why = state, ""
                found = find_hint(known.game, reading.puzzle, reading.placed, limits)
                tell(frame, known, found)
                if found.status == "solved":
                    return
        except (VisionError, NoSolution, SearchLimit) as error:
            if str(error) != why:
                why = str(error)
                wait(why)
        clock.sleep(LOOK_S)


def _again(frame: Frame, known: Recognised) -> Recognised:
    """The same game on a later frame."""
    game: Game[Any, Any] = known.game
    reading: Reading[Any, Any] = game.reread(frame, known.reading) or game.read(frame, known.profile)
    return Recognised(game, known.profile, reading, known.read_s)
