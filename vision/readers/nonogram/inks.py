"""Whether the clues have the colours of a coloured nonogram, which is another puzzle: its runs may touch.

A program may also colour its clues: those of finished lines, of the line under the pointer. That is hardly ever more
than one strong colour beside the usual one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.frame import Box, Pixels
from vision.writing import Letter, apart, read_letters

# Channels of a strong colour differ by so many levels.
STRONG = 70
# Hues of one ink are at most so far apart (of 180).
SAME_HUE = 14
# An ink has this share of the digits, and so many.
LEAST_SHARE, LEAST_DIGITS = 0.08, 2
LEAST_PX = 12


def strong_inks(pixels: Pixels, areas: Sequence[Box], pitch: float) -> int:
    """How many strong colours the digits in these areas have, or the boxes behind them."""
    if not any(_has_hues(pixels, area) for area in areas):
        return 0
    hues = [
        hue
        for area in areas
        for letter in apart(read_letters(pixels, area, pitch))
        if letter.glyph.value is not None and letter.glyph.confidence > 0.65
        for hue in _hue(pixels, letter)
    ]
    left, count = np.array(sorted(hues)), 0
    least = max(LEAST_DIGITS, LEAST_SHARE * len(hues))
    while len(left):
        away = np.abs(left[:, None] - left[None])
        near = np.minimum(away, 180 - away) <= SAME_HUE
        most = int(near.sum(axis=1).argmax())
        count += int(near[most].sum()) >= least
        left = left[~near[most]]
    return count


def _has_hues(pixels: Pixels, area: Box) -> bool:
    """Whether there are strong colours at all, of more than one hue: a quick look."""
    part = pixels[area.top : area.top + area.height, area.left : area.left + area.width].reshape(-1, 1, 3)
    strong = part[np.ptp(part, axis=2)[:, 0] >= STRONG]
    if not len(strong):
        return False
    hues = np.bincount(cv2.cvtColor(strong, cv2.COLOR_BGR2HSV)[:, 0, 0] // SAME_HUE)
    return int((hues >= LEAST_PX).sum()) > 1


def _hue(pixels: Pixels, letter: Letter) -> Iterator[float]:
    """The hue of a digit, or else of what is right around it; nothing where both are grey."""
    box = letter.box
    around = pixels[
        max(box.top - 2, 0) : box.top + box.height + 2, max(box.left - 2, 0) : box.left + box.width + 2
    ]
    ring = np.concatenate((around[0], around[-1], around[:, 0], around[:, -1]))
    for colour in (np.array(letter.colour), np.median(ring, axis=0)):
        if np.ptp(colour) >= STRONG:
            one = colour.round().astype(np.uint8).reshape(1, 1, 3)
            yield float(cv2.cvtColor(one, cv2.COLOR_BGR2HSV)[0, 0, 0])
            return
