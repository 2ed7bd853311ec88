"""The small numbers on palette entries: white with a black outline, right-aligned, half a GUI px per dot."""

from __future__ import annotations

from collections.abc import Sequence
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
class Glyphs:
    """Digits of one width, compared together.

    digits: (M,); ink, ring: (M, 9 * (width + 2)) dots of the digit and of the outline around it.
    advance: dots from one digit to the next.
    """

    digits: tuple[int, ...]
    ink: Floats
    ring: Floats
    advance: int


@lru_cache(maxsize=8)
def glyphs(profile: Profile) -> tuple[Glyphs, ...]:
    """The digits of the profile's default font; empty when it has none. Remembered."""
    dots = []
    for digit in range(10):
        icon = profile.templates.get(f"font/{digit}")
        if icon is None:
            return ()
        dots.append((icon.alpha > 127)[:7, :5])
    found = [_glyphs(tuple(range(10)), dots)]
    used = np.flatnonzero(dots[1].any(axis=0))
    if 0 < len(used) < 5:
        # Some clients leave out the empty columns of the 1.
        found.append(_glyphs((1,), [dots[1][:, used[0] : used[-1] + 1]]))
    return tuple(found)


def _glyphs(digits: tuple[int, ...], dots: Sequence[npt.NDArray[np.bool_]]) -> Glyphs:
    inks, rings = [], []
    for one in dots:
        ink = np.zeros((9, one.shape[1] + 2), np.bool_)
        ink[1:8, 1:-1] = one
        around = ink.copy()
        around[1:] |= ink[:-1]
        around[:-1] |= ink[1:]
        around[:, 1:] |= ink[:, :-1]
        around[:, :-1] |= ink[:, 1:]
        inks.append(ink.reshape(-1))
        rings.append((around & ~ink).reshape(-1))
    return Glyphs(
        digits, np.stack(inks).astype(np.float32), np.stack(rings).astype(np.float32), dots[0].shape[1] + 1
    )


def read_count(patch: Floats, known: tuple[Glyphs, ...]) -> tuple[int | None, bool]:
    """The number on a palette entry (None: none, or not readable), and whether any digit is there.

    patch: (32, 32, 3) BGR, 2 px per GUI px, the entry's own square.
    """
    white = patch.min(axis=2)
    right = _RIGHT
    digits: list[int] = []
    while len(digits) < _MOST_DIGITS and right > 2:
        rows = sorted((row for group in known for row in _scores(white, group, right)), reverse=True)
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


def _scores(white: Floats, group: Glyphs, right: int) -> list[tuple[float, int, int]]:
    """(correlation of the dots that end there with digit and outline, digit, advance) of every digit."""
    width = group.advance + 1
    left = right - group.advance - 1
    part = np.zeros((9, width), np.float32)
    on = np.zeros((9, width), np.float32)
    start, end = max(0, -left), min(width, white.shape[1] - left)
    if end - start < width - 2:
        return []
    part[:, start:end] = white[_TOP - 1 : _TOP + 8, left + start : left + end]
    on[:, start:end] = 1
    row, there = part.reshape(-1), on.reshape(-1)
    ink, ring = group.ink * there, group.ring * there
    n_ink, n_ring = ink.sum(axis=1), ring.sum(axis=1)
    total = n_ink + n_ring
    sum_ink, sum_ring, squares = ink @ row, ring @ row, (ink + ring) @ (row * row)
    contrast = sum_ink / n_ink - sum_ring / n_ring
    mean = (sum_ink + sum_ring) / total
    spread = np.sqrt(np.maximum(squares - total * mean**2, 1e-6) * (n_ink - n_ink**2 / total))
    scores = (sum_ink - n_ink * mean) / spread
    # White on black: a faint pattern in the wood is no number.
    scores = np.where(contrast < 35, 0.0, scores)
    return [(float(score), digit, group.advance) for score, digit in zip(scores, group.digits, strict=True)]


def looks_written(patch: Floats) -> bool:
    """Whether there may be a number in a font that we do not know: light grey beside black, lower right."""
    white = patch[_TOP:30, 12:32].min(axis=2)
    return float(white.max() - np.median(white)) > 60
