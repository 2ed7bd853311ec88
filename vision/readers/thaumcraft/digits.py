"""The small numbers on palette entries: white with a black outline, right-aligned, half a GUI px per dot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.match import Floats
from vision.profile import Profile

_TOP = 23
_RIGHT = 32
_ADVANCE = 6
_SCORE, _MARGIN, _DOUBT = 0.8, 0.07, 0.45
_MOST_DIGITS = 5


@dataclass(frozen=True, eq=False)
class Glyph:
    """A digit: `ink` and `care` are (9, width + 2) with the outline around; advance: dots to the next."""

    digit: int
    ink: Floats
    care: npt.NDArray[np.bool_]
    advance: int


@lru_cache(maxsize=8)
def glyphs(profile: Profile) -> tuple[Glyph, ...]:
    """The digits of the profile's default font; empty when it has none. Remembered."""
    found: list[Glyph] = []
    for digit in range(10):
        icon = profile.templates.get(f"font/{digit}")
        if icon is None:
            return ()
        dots = (icon.alpha > 127)[:7, :5]
        found.append(_glyph(digit, dots, _ADVANCE))
        used = np.flatnonzero(dots.any(axis=0))
        if digit == 1 and len(used) and len(used) < 5:
            # Some clients leave out the empty columns of the 1.
            narrow = dots[:, used[0] : used[-1] + 1]
            found.append(_glyph(1, narrow, narrow.shape[1] + 1))
    return tuple(found)


def _glyph(digit: int, dots: npt.NDArray[np.bool_], advance: int) -> Glyph:
    ink = np.zeros((9, dots.shape[1] + 2), np.bool_)
    ink[1:8, 1:-1] = dots
    around = ink.copy()
    around[1:] |= ink[:-1]
    around[:-1] |= ink[1:]
    around[:, 1:] |= ink[:, :-1]
    around[:, :-1] |= ink[:, 1:]
    return Glyph(digit, ink.astype(np.float32), around, advance)


def read_count(patch: Floats, known: tuple[Glyph, ...]) -> tuple[int | None, bool]:
    """The number on a palette entry (None: none, or not readable), and whether any digit is there.

    patch: (32, 32, 3) BGR, 2 px per GUI px, the entry's own square.
    """
    white = patch.min(axis=2)
    right = _RIGHT
    digits: list[int] = []
    while len(digits) < _MOST_DIGITS and right > 2:
        rows = sorted(
            ((_score(white, glyph, right), glyph.digit, glyph.advance) for glyph in known), reverse=True
        )
        if not rows or rows[0][0] < _DOUBT:
            break
        score, digit, advance = rows[0]
        following = max((s for s, other, _ in rows if other != digit), default=0.0)
        if score < _SCORE or score - following < _MARGIN:
            return None, bool(digits) or score >= _SCORE
        digits.append(digit)
        right -= advance
    if not digits or (len(digits) > 1 and digits[-1] == 0):
        return None, False
    return int("".join(str(digit) for digit in reversed(digits))), True


def looks_written(patch: Floats) -> bool:
    """Whether there may be a number in a font that we do not know: light grey beside black, lower right."""
    white = patch[_TOP:30, 12:32].min(axis=2)
    return float(white.max() - np.median(white)) > 60


def _score(white: Floats, glyph: Glyph, right: int) -> float:
    """Correlation of the dots at a place with a digit and its outline."""
    left = right - glyph.advance - 1
    height, width = glyph.ink.shape
    start = max(0, -left)
    part = white[_TOP - 1 : _TOP - 1 + height, max(0, left) : left + width]
    end = start + part.shape[1]
    if part.shape[0] < height or end - start < width - 2:
        return 0.0
    care = glyph.care[:, start:end]
    seen, ink = part[care], glyph.ink[:, start:end][care]
    # White on black: a faint pattern in the wood is no number.
    if seen[ink > 0.5].mean() - seen[ink < 0.5].mean() < 35:
        return 0.0
    seen, ink = seen - seen.mean(), ink - ink.mean()
    return float((seen * ink).sum() / max(np.sqrt((seen**2).sum() * (ink**2).sum()), 1e-6))
