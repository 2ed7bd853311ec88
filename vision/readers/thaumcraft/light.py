"""How the picture shows the game's colours: gamma, brightness and tint, measured on what never changes."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels
from vision.match import Floats
from vision.readers.thaumcraft.locate import Placement

_BINS = 24
_FEWEST = 40
_GAMMAS = np.geomspace(0.35, 2.8, 61)
# What a picture without any gamma is worth, squared shades: the nearer to 1 the likelier.
_PLAIN = 2.0
_DRIFT = 6.0
_GREY = 0.3
# What is so near (GUI px) to the picture's edge is not compared.
_RIM = 3
# Shades beyond this may have been anything lighter; a fit needs so many shades, over so many levels, and a gain.
_WHITE, _LEAST_SHADES, _LEAST_RANGE, _LEAST_GAIN = 253, 4, 40.0, 0.1
# What is off by more than this many times the usual is left out.
_OUTLIER = 2.5


class Light:
    """Colours of the game's pictures -> colours on this frame, each channel by gamma, gain and offset.

    They are fitted to the median of what is seen, for each shade of the still parts of the table.
    contrast: how far apart two shades come out, 1 as in the game. colourful: False when the picture is grey.
    """

    def __init__(self, pixels: Pixels, placement: Placement) -> None:
        backdrop = placement.backdrop
        height, width = backdrop.still.shape
        seen = placement.sample(pixels, 0, 0, width, height, 1.0)
        left, top = -placement.left / placement.scale_x, -placement.top / placement.scale_y
        x, y = np.arange(width)[None, :], np.arange(height)[:, None]
        usable = (
            backdrop.inner
            & (x > left + _RIM - 1)
            & (y > top + _RIM - 1)
            & (x < left + pixels.shape[1] / placement.scale_x - _RIM)
            & (y < top + pixels.shape[0] / placement.scale_y - _RIM)
        )
        # A picture may be softer than the textures: both are made soft, and edges bend no curve.
        known = backdrop.soft
        soft = cv2.blur(seen, (3, 3))
        shades = np.arange(256) / 255.0
        table = np.empty((1, 256, 3), np.float32)
        for channel in range(3):
            gamma, gain, offset = _fit(*_points(known[:, :, channel][usable], soft[:, :, channel][usable]))
            table[0, :, channel] = np.clip(255 * gain * shades**gamma + offset, 0, 255)
        self._table = table
        slope = (table[0, 200] - table[0, 50]).mean() / 150
        self.contrast = float(np.clip(slope, 0.2, 1.5))
        self.colourful = _chroma(soft[usable]) >= _GREY * self.contrast * _chroma(known[usable])

    def __call__(self, colours: Pixels | Floats) -> Floats:
        """The colours as they come out on the frame; (..., 3), BGR, 0..255."""
        flat = colours if colours.dtype == np.uint8 else np.clip(np.rint(colours), 0, 255).astype(np.uint8)
        flat = flat.reshape(1, -1, 3)
        return np.asarray(cv2.LUT(flat, self._table), np.float32).reshape(colours.shape)


def _chroma(colours: Pixels) -> float:
    """Mean distance of blue and red, 0..255; colours: (N, 3)."""
    return float(np.abs(colours[:, 2].astype(np.int16) - colours[:, 0]).mean()) if len(colours) else 0.0


def _points(
    known: npt.NDArray[np.uint8], seen: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """(known shade, median of what is seen, weight) of each bin of shades with enough px in it."""
    bins = known.astype(np.int64) * _BINS // 256
    # Sorted by bin and shade at once, so that the median of a bin lies in its middle.
    ranked = np.sort((bins * 256 + seen).astype(np.uint16), kind="stable")
    ends = np.searchsorted(ranked, 256 * np.arange(_BINS + 1))
    count = np.bincount(bins, None, _BINS)
    means = np.bincount(bins, known, _BINS) / np.maximum(count, 1)
    rows = [
        (mean, ranked[(start + end) // 2] % 256, number**0.5)
        for mean, number, (start, end) in zip(means, count, pairwise(ends), strict=True)
        if number >= _FEWEST
    ]
    table = np.array(rows, np.float64).reshape(-1, 3)
    # What is black or white on the frame may have been anything beyond.
    table = table[(table[:, 1] > 1) & (table[:, 1] < _WHITE)]
    return table[:, 0], table[:, 1], table[:, 2]


def _fit(
    known: npt.NDArray[np.float64], seen: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]
) -> tuple[float, float, float]:
    """(gamma, gain, offset in shades) that take known shades to seen ones; (1, 1, 0) when that is not clear."""
    best = 1.0, 1.0, 0.0
    for _ in range(2):
        if len(known) < _LEAST_SHADES or known.max() - known.min() < _LEAST_RANGE:
            return best
        share = weight / weight.sum()
        base = 255 * (known / 255) ** _GAMMAS[:, None]
        mean, middle = base @ share, float(seen @ share)
        spread = (base - mean[:, None]) ** 2 @ share
        gain = ((base - mean[:, None]) * (seen - middle)) @ share / np.maximum(spread, 1e-6)
        offset = middle - gain * mean
        miss = base * gain[:, None] + offset[:, None] - seen
        cost = miss**2 @ share + _PLAIN * np.log(_GAMMAS) ** 2 + np.where(gain > _LEAST_GAIN, 0, 1e6)
        k = int(cost.argmin())
        best = float(_GAMMAS[k]), float(gain[k]), float(offset[k])
        keep = np.abs(miss[k]) < max(_DRIFT, _OUTLIER * float(np.median(np.abs(miss[k]))))
        known, seen, weight = known[keep], seen[keep], weight[keep]
    return best
