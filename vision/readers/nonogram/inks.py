"""Whether the clues have the colours of a coloured nonogram, which is another puzzle: its runs may touch.

A program may also colour its clues: those of finished lines, of the line under the pointer. That is hardly ever more
than one strong colour beside the usual one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.frame import Pixels
from vision.writing import Letter

# Channels of a strong colour differ by so many levels.
STRONG = 70
# Hues of one ink are at most so far apart (of 180).
SAME_HUE = 14
# An ink has this share of the digits, and so many.
LEAST_SHARE, LEAST_DIGITS = 0.08, 2


def strong_inks(pixels: Pixels, letters: Sequence[Letter]) -> int:
    """How many strong colours these digits have, or the boxes behind them."""
    hues = [hue for letter in letters for hue in _hue(pixels, letter)]
    left, count = np.array(sorted(hues)), 0
    least = max(LEAST_DIGITS, LEAST_SHARE * len(hues))
    while len(left):
        away = np.abs(left[:, None] - left[None])
        near = np.minimum(away, 180 - away) <= SAME_HUE
        most = int(near.sum(axis=1).argmax())
        count += int(near[most].sum()) >= least
        left = left[~near[most]]
    return count


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
