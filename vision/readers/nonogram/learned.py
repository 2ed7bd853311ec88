"""What has been learned of a program, as the settings of a profile: how its cells look, and what tells it from others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, get_args

import numpy as np

from solver.lattice import Square
from vision.errors import BoardNotFound
from vision.frame import Pixels
from vision.measures.looks import Sample, SharedLook
from vision.profile import SIGN, Profile
from vision.readers.nonogram.meanings import Meaning, by_samples
from vision.reading import Reading

LOOK = "look."
SGT = "sign.sgt"
_PARTS = ("b", "g", "r", "marked")
# The same program on another day: colours within this many levels.
SAME_PROGRAM = 12.0
# A look of this share of the cells is no highlight.
COMMON = 0.3
# Settings that say how cells are entered; they are handed on to the player.
ENTERING = ("move.", "entering.", "cycle.")


def signature(pixels: Pixels, reading: Reading[Any, Any]) -> dict[str, float]:
    """What tells a program from others, whatever is entered: the colour behind the clues of the rows.

    And whether it is drawn as Simon Tatham's: others are, and take other clicks.
    """
    first, last = reading.geometry.centres[Square(0, 0)], max(reading.geometry.centres.values())
    half = reading.geometry.pitch_px / 2
    left, right = max(reading.area.left, 0), int(first.x - half) - 3
    band = pixels[max(int(first.y - half), 0) : int(last.y + half), left : max(right, left + 1)].reshape(
        -1, 3
    )
    colour = {
        f"{SIGN}clues.{channel}": float(v) for channel, v in zip("bgr", np.median(band, axis=0), strict=True)
    }
    return colour | ({SGT: 1.0} if reading.ui == "sgt" else {})


def seen_looks(looks: Sequence[tuple[Meaning, Sample]]) -> dict[str, float]:
    """The looks as settings of a profile: a state may have several, where a row or column is highlighted."""
    settings: dict[str, float] = {}
    for meaning, one in looks:
        name = next(name for name in _names(meaning) if f"{LOOK}{name}.b" not in settings)
        values = (*one.colour, one.marked)
        settings |= {f"{LOOK}{name}.{part}": float(v) for part, v in zip(_PARTS, values, strict=True)}
    return settings


def looks_of(profile: Profile) -> list[tuple[Meaning, Sample]]:
    """The looks that a profile holds; none in the one that is there from the start."""
    found: list[tuple[Meaning, Sample]] = []
    for meaning in get_args(Meaning):
        for name in _names(meaning):
            parts = [profile.settings.get(f"{LOOK}{name}.{part}") for part in _PARTS]
            blue, green, red, marked = parts
            if blue is None or green is None or red is None or marked is None:
                break
            found.append((meaning, Sample((blue, green, red), marked > 0)))
    return found


def _names(meaning: Meaning) -> Iterator[str]:
    yield meaning
    yield from (f"{meaning}-{nth}" for nth in count(2))


def require_program(
    profile: Profile, pixels: Pixels, reading: Reading[Any, Any], found: Sequence[SharedLook]
) -> None:
    """Raises BoardNotFound where the profile was learned in another program.

    A profile without signs is of the program that is shown; cells that look like none that was learned are of no board.
    """
    known = looks_of(profile)
    signed = bool(profile.named(SIGN))
    here = signature(pixels, reading) if signed else {}
    cells = sum(len(look.cells) for look in found)
    strange = bool(known) and any(
        len(look.cells) >= COMMON * cells and not look.marked and by_samples(look, known) is None
        for look in found
    )
    other = any(abs(value - profile.settings.get(key, value)) > SAME_PROGRAM for key, value in here.items())
    drawn_so = signed and (reading.ui == "sgt") != bool(profile.settings.get(SGT))
    if drawn_so or strange or other:
        raise BoardNotFound(f"not the program that profile {profile.name!r} was learned in")
