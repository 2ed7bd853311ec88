"""The small numbers on palette entries: white with a black outline, right-aligned, half a GUI px per dot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.match import Floats, product
from vision.profile import Profile

_TOP = 23
_RIGHT = 32
_ADVANCE = 6
_SCORE, _MARGIN, _DOUBT = 0.8, 0.07, 0.45
_MOST_DIGITS = 5
# What a digit and its outline change at least, root mean square of shades.
_INK = 75.0


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


class Written(NamedTuple):
    """The number on a palette entry (None: none, or not readable), whether any digit is there, and where the
    leftmost one begins, in dots.
    """

    number: int | None
    some: bool
    left: int


def read_counts(patches: Floats, known: tuple[Glyphs, ...]) -> list[Written]:
    """The number of each palette entry.

    patches: (N, 32, 32, 3) BGR, 2 px per GUI px, the entries' own squares. Digits are read from the right,
    of all entries at once.
    """
    white = patches.min(axis=3)
    digits: list[list[int]] = [[] for _ in white]
    found: list[tuple[int | None, bool]] = [(None, False)] * len(white)
    right = np.full(len(white), _RIGHT)
    names = np.array([digit for group in known for digit in group.digits])
    advances = np.array([group.advance for group in known for _ in group.digits])
    active = np.arange(len(white)) if known else np.arange(0)
    for place in range(_MOST_DIGITS):
        active = active[right[active] > 2]
        if not len(active):
            break
        scores = np.concatenate([_scores(white[active], group, right[active]) for group in known], axis=1)
        best = scores.argmax(axis=1)
        top = scores[np.arange(len(active)), best]
        following = np.where(names[None] == names[best][:, None], 0.0, scores).max(axis=1)
        clear = (top >= _SCORE) & (top - following >= _MARGIN)
        for i, score, sure in zip(active, top, clear, strict=True):
            if score >= _DOUBT and not sure:
                digits[i], found[i] = [], (None, place > 0 or bool(score >= _SCORE))
        going = clear & (top >= _DOUBT)
        for i, one in zip(active[going], best[going], strict=True):
            digits[i].append(int(names[one]))
        right[active[going]] -= advances[best[going]]
        active = active[going]
    return [
        Written(*some, int(at))
        if not read
        # No number begins with a zero, and a pool of zero is not printed.
        else Written(_number(read) if read[-1] else None, True, int(at))
        for read, some, at in zip(digits, found, right, strict=True)
    ]


def _number(digits: Sequence[int]) -> int:
    """The number of digits from the last to the first."""
    return int("".join(str(digit) for digit in reversed(digits)))


def _scores(white: Floats, group: Glyphs, right: npt.NDArray[np.int64]) -> Floats:
    """(N, M): correlation of the dots that end at `right` with each digit and its outline; 0 off the patch.

    white: (N, 32, 32).
    """
    width, side = group.advance + 1, white.shape[2]
    columns = right[:, None] - width + np.arange(width)
    on = (columns >= 0) & (columns < side)
    rows = white[:, _TOP - 1 : _TOP + 8]
    taken = np.take_along_axis(rows, np.clip(columns, 0, side - 1)[:, None, :], axis=2) * on[:, None, :]
    row = taken.reshape(len(white), -1)
    there = np.repeat(on[:, None, :], 9, axis=1).reshape(len(white), -1).astype(np.float32)
    n_ink, n_ring = product(there, group.ink), product(there, group.ring)
    total = n_ink + n_ring
    sum_ink, sum_ring = product(row, group.ink), product(row, group.ring)
    squares = product(row * row, group.ink + group.ring)
    contrast = sum_ink / np.maximum(n_ink, 1) - sum_ring / np.maximum(n_ring, 1)
    mean = (sum_ink + sum_ring) / np.maximum(total, 1)
    share = n_ink - n_ink**2 / np.maximum(total, 1)
    spread = np.sqrt(np.maximum(squares - total * mean**2, 1e-6) * np.maximum(share, 1e-6))
    scores = (sum_ink - n_ink * mean) / spread
    # White on black: a faint pattern in the wood is no number.
    usable = (contrast >= 35) & (on.sum(axis=1) >= width - 2)[:, None]
    return np.asarray(np.where(usable, scores, 0.0), np.float32)


def runs_on(on_wood: Floats, icon: Floats, left: int, contrast: float) -> bool:
    """Whether one more digit, that could not be read, may stand before the number that begins there.

    on_wood, icon: (32, 32, 3), what the entry adds to the empty palette, and what its icon does.
    """
    box = (slice(_TOP, _TOP + 7), slice(max(0, left - _ADVANCE), max(0, left - 1)))
    rest = on_wood[box] - icon[box]
    return rest.size > 0 and float(np.sqrt((rest**2).mean())) > _INK * contrast


def looks_written(patch: Floats, contrast: float) -> bool:
    """Whether there may be a number in a font that we do not know: light grey beside black, lower right."""
    white = patch[_TOP:30, 12:32].min(axis=2)
    return float(white.max() - np.median(white)) > 60 * contrast
