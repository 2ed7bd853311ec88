"""`--disable` and `--scarce`: what a player wants of a solution beside that it is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.errors import WrongUsage
from bot.game import Desires, Game
from bot.games import GAMES
from vision.profile import Profile


@dataclass(frozen=True)
class Wishes:
    """disabled: symbols that must not be placed; scarce: whether the rare is dear."""

    disabled: tuple[str, ...] = ()
    scarce: bool = False

    def __bool__(self) -> bool:
        return self.scarce or bool(self.disabled)

    def with_profile(self, game: Game[Any, Any], profile: Profile) -> Profile:
        """The profile with which a board is read so. Raises WrongUsage for a game that knows no wishes."""
        return self._of(game).in_profile(profile, self.disabled, self.scarce) if self else profile

    def with_puzzle(self, game: Game[Any, Any], puzzle: Any) -> Any:
        """A puzzle that was given as text. Raises WrongUsage as above, InvalidPuzzle where nothing tells what is scarce."""
        return self._of(game).in_puzzle(puzzle, self.disabled, self.scarce) if self else puzzle

    def _of(self, game: Game[Any, Any]) -> Desires[Any]:
        if game.desires is None:
            known = [name for name, one in GAMES.items() if one.desires is not None]
            raise WrongUsage(
                f"--disable and --scarce are for {', '.join(known)}, this is {game.name}",
                hint="leave them out",
            )
        unknown = [symbol for symbol in self.disabled if not game.desires.known(symbol)]
        if unknown:
            raise WrongUsage(
                f"--disable {', '.join(unknown)}: no such {game.desires.symbol}",
                hint="tags are the game's internal names, in lower case, such as 'perditio'",
            )
        return game.desires
