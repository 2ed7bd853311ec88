"""What has been learned of a program, as the settings of a profile: how its cells look, and what tells it from others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np

from solver.lattice import Square
from vision.errors import BoardNotFound
from vision.frame import Pixels
from vision.measures.looks import Look, Sample
from vision.profile import Profile
from vision.readers.nonogram.meanings import Meaning, by_samples
from vision.reading import Reading

LOOK = "look."
SIGN = "sign."
# The same program on another day: colours within this many levels.
SAME_PROGRAM = 12.0
# A look of this share of the cells is no highlight.
COMMON = 0.3
# Settings that say how cells are entered; they are handed on to the player.
ENTERING = ("move.", "entering.")


def signature(pixels: Pixels, reading: Reading[Any, Any]) -> dict[str, float]:
    """What tells a program from others, whatever is entered: the colour behind the clues of the rows."""
    first, last = reading.geometry.centres[Square(0, 0)], max(reading.geometry.centres.values())
    half = reading.geometry.pitch_px / 2
    left, right = max(reading.area.left, 0), int(first.x - half) - 3
    band = pixels[max(int(first.y - half), 0) : int(last.y + half), left : max(right, left + 1)].reshape(
        -1, 3
    )
    return {
        f"{SIGN}clues.{channel}": float(v) for channel, v in zip("bgr", np.median(band, axis=0), strict=True)
    }


def seen_looks(looks: Mapping[Meaning, Sample]) -> dict[str, float]:
    """The looks as settings of a profile."""
    return {
        f"{LOOK}{meaning}.{part}": float(value)
        for meaning, one in looks.items()
        for part, value in zip(("b", "g", "r", "marked"), (*one.colour, one.marked), strict=True)
    }


def looks_of(profile: Profile) -> dict[Meaning, Sample]:
    """The looks that a profile holds; none in the one that is there from the start."""
    found: dict[Meaning, Sample] = {}
    for meaning in get_args(Meaning):
        parts = [profile.settings.get(f"{LOOK}{meaning}.{part}") for part in ("b", "g", "r", "marked")]
        blue, green, red, marked = parts
        if blue is not None and green is not None and red is not None and marked is not None:
            found[meaning] = Sample((blue, green, red), marked > 0)
    return found


def require_program(
    profile: Profile, pixels: Pixels, reading: Reading[Any, Any], found: Sequence[Look]
) -> None:
    """Raises BoardNotFound where the profile was learned in another program."""
    known = looks_of(profile)
    if not known:
        return
    here = signature(pixels, reading)
    cells = sum(len(look.cells) for look in found)
    strange = any(
        len(look.cells) >= COMMON * cells and not look.marked and by_samples(look, known) is None
        for look in found
    )
    other = any(abs(value - profile.settings.get(key, value)) > SAME_PROGRAM for key, value in here.items())
    if reading.ui != "generic" or strange or other:
        raise BoardNotFound(f"not the program that profile {profile.name!r} was learned in")


def entering_facts(profile: Profile) -> dict[str, float]:
    """What the player has to know of the program."""
    return {key: value for key, value in profile.settings.items() if key.startswith(ENTERING)}
