"""The small numbers on palette entries: white with a black outline, right-aligned, half a GUI px per dot.

The default font is known dot by dot. Other ones (*Force Unicode Font*, resource packs) are left to the reader of
digits of any font, which needs more px.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import weakest
from vision.digits import Ink, ink_box, read_numbers
from vision.frame import Box
from vision.match import Floats, product
from vision.profile import Profile

# Where the game writes a number on an entry's square, px, and how far apart its digits begin.
_NUMBER, _ADVANCE = Box(12, 23, 20, 7), 6
_SCORE, _MARGIN, _DOUBT = 0.8, 0.07, 0.45
_MOST_DIGITS = 5
# What a digit and its outline change at least, root mean square of shades.
_INK = 75.0
# A dot of a digit in a font's own picture; a digit of the font has this many columns.
_DOT, _COLUMNS = 127, 5
# How far white ink stands out from its outline, and from the wood (levels), at least.
_STANDS_OUT, _LOOKS_WRITTEN = 35.0, 60.0

# Digits of another font: how many GUI px high they are, how far their right edge is from the entry's at most,
# how sure each reading must be, and how many entries must have been read for any to count.
_OTHER_HEIGHT, _OTHER_RIGHT, _OTHER_SURE, _OTHER_LEAST = (1.8, 3.6), 1.3, 0.8, 3
# White ink, as shares of the brightest that is seen.
_WHITE = (0.55, 1.0)


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
        dots.append((icon.alpha > _DOT)[:7, :_COLUMNS])
    found = [_glyphs(tuple(range(10)), dots)]
    used = np.flatnonzero(dots[1].any(axis=0))
    if 0 < len(used) < _COLUMNS:
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
    white = weakest(patches)
    digits: list[list[int]] = [[] for _ in white]
    found: list[tuple[int | None, bool]] = [(None, False)] * len(white)
    right = np.full(len(white), _NUMBER.right)
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
        active, best = active[clear], best[clear]
        for i, one in zip(active, best, strict=True):
            digits[i].append(int(names[one]))
        right[active] -= advances[best]
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
    rows = white[:, _NUMBER.grown(1).window[0]]
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
    usable = (contrast >= _STANDS_OUT) & (on.sum(axis=1) >= width - 2)[:, None]
    return np.asarray(np.where(usable, scores, 0.0), np.float32)


def read_other_font(parts: Sequence[Floats], px_per_gui: float) -> list[Written]:
    """The numbers where no entry has one of the default font.

    parts: (h, w, 3) BGR in px of the picture, each the entry's lower part down to its lower right corner. A number
    counts when it reads the same at its own size and doubled, and when a few entries can be read so.
    """
    once, twice = (read_numbers([_white_ink(part, factor) for part in parts]) for factor in (1, 2))
    found = []
    for part, one, other in zip(parts, once, twice, strict=True):
        sure = min(one.confidence, other.confidence) >= _OTHER_SURE and one.value == other.value
        box = ink_box(_white_ink(part, 1)) if sure else None
        if box is None or one.value is None or one.value == 0:
            found.append(Written(None, False, _NUMBER.right))
            continue
        off = part.shape[1] - box.left - box.width
        placed = off <= _OTHER_RIGHT * px_per_gui
        placed &= _OTHER_HEIGHT[0] <= box.height / px_per_gui <= _OTHER_HEIGHT[1]
        left = _NUMBER.right - round(2 * (part.shape[1] - box.left) / px_per_gui)
        found.append(Written(one.value if placed else None, placed, left))
    if sum(one.some for one in found) < _OTHER_LEAST:
        return [Written(None, False, _NUMBER.right)] * len(found)
    return found


def _white_ink(part: Floats, factor: int) -> Ink:
    white = weakest(part)
    if factor > 1:
        white = np.asarray(cv2.resize(white, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC))
    low, high = (share * max(1.0, float(np.percentile(white, 99.5))) for share in _WHITE)
    return np.asarray(np.clip((white - low) / (high - low), 0, 1), np.float32)


def runs_on(on_wood: Floats, icon: Floats, left: int, contrast: float) -> bool:
    """Whether one more digit, that could not be read, may stand before the number that begins there.

    on_wood, icon: (32, 32, 3), what the entry adds to the empty palette, and what its icon does.
    """
    box = (_NUMBER.window[0], slice(max(0, left - _ADVANCE), max(0, left - 1)))
    rest = on_wood[box] - icon[box]
    return rest.size > 0 and float(np.sqrt((rest**2).mean())) > _INK * contrast


def looks_written(patch: Floats, contrast: float) -> bool:
    """Whether there may be a number in a font that we do not know: light grey beside black, lower right."""
    white = weakest(patch[_NUMBER.window])
    return float(white.max() - np.median(white)) > _LOOKS_WRITTEN * contrast
