"""Which game is on a frame, in which skin: every reader is asked, the surest answer is taken."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.game import Game
from vision.errors import BoardNotFound, NoPuzzleShown, UncertainReading
from vision.frame import Frame
from vision.profile import Profile
from vision.reading import Reading

Profiles = Callable[[str], Sequence[Profile]]


@dataclass(frozen=True)
class Recognised:
    """A game that was found on a frame, the profile that fitted best, and what was read with it.

    read_s: how long that reading took, without those of other games and profiles.
    """

    game: Game[Any, Any]
    profile: Profile
    reading: Reading[Any, Any]
    read_s: float


def recognise(frame: Frame, games: Mapping[str, Game[Any, Any]], profiles: Profiles) -> Recognised:
    """The game on the frame.

    profiles: the profiles to try for a game, by its name.
    Raises BoardNotFound when no game is on it, UncertainReading when a board is there but nobody can read it.
    """
    found: list[Recognised] = []
    unsure: list[UncertainReading] = []
    empty: list[NoPuzzleShown] = []
    refusals: list[str] = []
    for game in games.values():
        try:
            found.append(read_with_any(frame, game, profiles(game.name)))
        except NoPuzzleShown as error:
            empty.append(error)
        except BoardNotFound as error:
            refusals.append(f"{game.name}: {error}")
        except UncertainReading as error:
            unsure.append(error)
    if found:
        return max(found, key=_certainty)
    if unsure:
        raise unsure[0]
    if empty:
        raise empty[0]
    if len(refusals) == 1:
        raise BoardNotFound(refusals[0], hint=_HINT)
    raise BoardNotFound(f"no board of {', '.join(games)} in the picture", hint=_HINT)


_HINT = "show the whole board, or name the game with --game to hear why its reader refuses"


def read_with_any(frame: Frame, game: Game[Any, Any], profiles: Sequence[Profile]) -> Recognised:
    """The reading of the profile that is surest of it. Raises like `recognise`."""
    found: list[Recognised] = []
    unsure: UncertainReading | None = None
    missing: BoardNotFound | None = None
    for profile in profiles:
        try:
            began = time.perf_counter()
            reading = game.read(frame, profile)
            found.append(Recognised(game, profile, reading, time.perf_counter() - began))
        except BoardNotFound as error:
            missing = error if missing is None or isinstance(error, NoPuzzleShown) else missing
        except UncertainReading as error:
            unsure = error
    if found:
        return max(found, key=_certainty)
    if unsure is not None:
        raise unsure
    raise missing or BoardNotFound(
        f"no profile of {game.name} to read with", hint=f"run 'boardsight calibrate {game.name}'"
    )


def _certainty(one: Recognised) -> tuple[float, float]:
    marks = one.reading.marks.values()
    known = sum(mark.symbol is not None for mark in marks)
    mean = sum(mark.confidence for mark in marks) / max(1, len(marks))
    return known / max(1, len(marks)), mean
