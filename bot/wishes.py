"""`--disable` and `--scarce`: what a player of Thaumcraft wants of a solution beside that it is cheap.

Read from pictures they travel as settings of the profile, so that a recorded run is decided again with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.errors import WrongUsage
from solver.thaumcraft import EVERY, Note, wished
from vision.profile import Profile
from vision.readers import thaumcraft


@dataclass(frozen=True)
class Wishes:
    """disabled: aspects that must not be placed; scarce: whether the rare is dear."""

    disabled: tuple[str, ...] = ()
    scarce: bool = False

    def __bool__(self) -> bool:
        return self.scarce or bool(self.disabled)

    def with_profile(self, profile: Profile) -> Profile:
        """The profile with which a note is read so. Raises WrongUsage for another game."""
        if not self:
            return profile
        self.for_game(profile.game)
        settings = {thaumcraft.DISABLED + tag: 1.0 for tag in self.disabled}
        if self.scarce:
            settings[thaumcraft.SCARCE] = 1.0
        return replace(profile, settings={**profile.settings, **settings})

    def with_note(self, note: Note) -> Note:
        """A note that was given as text. Raises InvalidPuzzle where nothing is known to be scarce."""
        return wished(note, self.disabled, self.scarce)

    def for_game(self, name: str) -> None:
        """Raises WrongUsage where there is a wish for a game that knows none."""
        if self and name != "thaumcraft":
            raise WrongUsage(
                f"--disable and --scarce are for thaumcraft, this is {name}", hint="leave them out"
            )


def wishes_of(disable: Sequence[str] | None, scarce: bool) -> Wishes:
    """What was asked for on the command line. Raises WrongUsage for an aspect that nobody knows."""
    unknown = sorted(set(disable or ()) - EVERY.components.keys())
    if unknown:
        raise WrongUsage(
            f"--disable {', '.join(unknown)}: no such aspect",
            hint="tags are the game's internal names, in lower case, such as 'perditio'",
        )
    return Wishes(tuple(sorted(set(disable or ()))), scarce)
