"""What has been learned of a program, as the settings of a profile: what tells it from others, and how it is entered."""

from __future__ import annotations

from typing import Any

from vision.errors import BoardNotFound
from vision.profile import SIGN, Profile
from vision.reading import Reading

ENTERING = "entering."
# How broad one bridge and two are, as shares of the pitch, where two are one broad line.
BREADTHS = (f"{ENTERING}one", f"{ENTERING}two")
# The same program on another day: colours within this many levels, shares within this much.
SAME_LEVELS, SAME_SHARE = 12.0, 0.04


def signature(reading: Reading[Any, Any]) -> dict[str, float]:
    """What tells a program from others, whatever is entered: its background, and how islands fill their cells."""
    return {key: value for key, value in reading.facts.items() if key.startswith(SIGN)}


def require_program(profile: Profile, facts: dict[str, float]) -> None:
    """Raises BoardNotFound where the profile was learned in another program."""
    for key, value in facts.items():
        known = profile.settings.get(key, value)
        if abs(value - known) > (SAME_SHARE if key == f"{SIGN}islands" else SAME_LEVELS):
            raise BoardNotFound(f"not the program that profile {profile.name!r} was learned in")


def broad_of(profile: Profile) -> tuple[float, float] | None:
    """How broad one bridge and two are, where that tells them apart; None where two are two lines, or it is not known."""
    one, two = (profile.settings.get(name, 0.0) for name in BREADTHS)
    return (one, two) if one > 0 and two > 0 else None
