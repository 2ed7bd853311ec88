"""What the symbols of one game look like in one skin: pure data, stored by `calibration/store.py`."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vision.frame import Pixels

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


# Settings that tell a program from others are called so.
SIGN = "sign."


@dataclass(frozen=True, eq=False)
class Icon:
    """A symbol as the game draws it.

    pixels: (H, W, 3) uint8, BGR.
    alpha: (H, W) uint8, 255 opaque.
    """

    pixels: Pixels
    alpha: npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Profile:
    """One skin of one game.

    templates: symbol name -> icon, at the size it was cut. Names may have a folder: "aspects/aer", "font/7".
    settings: thresholds, times and measures, named with their units.
    """

    game: str
    name: str
    templates: Mapping[str, Icon] = field(default_factory=dict)
    settings: Mapping[str, float] = field(default_factory=dict)

    def named(self, *beginnings: str) -> dict[str, float]:
        """The settings whose names begin so."""
        return {name: value for name, value in self.settings.items() if name.startswith(beginnings)}


def of_known_program(profile: Profile) -> Profile:
    """The profile without what tells its program from others, for a board that has been begun.

    Programs light up what is finished, and their ground, their islands or their numbers look otherwise then.
    """
    signs = profile.named(SIGN)
    settings = {name: value for name, value in profile.settings.items() if name not in signs}
    return replace(profile, settings=settings) if signs else profile


def learned(game: str, settings: Mapping[str, float]) -> Profile:
    """What was learned of a program that nobody told us about, under a name that its settings give."""
    return Profile(game, f"seen-{zlib.crc32(repr(sorted(settings.items())).encode()):08x}", settings=settings)
