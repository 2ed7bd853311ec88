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


class Light:
    """Colours of the game's pictures -> colours on this frame, each channel by a curve.

    The curve is the median of what is seen, for each shade of the still parts of the table.
    """

    def __init__(self, pixels: Pixels, placement: Placement) -> None:
        scene = placement.scene
        height, width = scene.still.shape
        seen = placement.sample(pixels, 0, 0, width, height, 1.0)
        left, top = -placement.left / placement.scale_x, -placement.top / placement.scale_y
        x, y = np.arange(width)[None, :], np.arange(height)[:, None]
        usable = (
            scene.still
            & (x > left + 1)
            & (y > top + 1)
            & (x < left + pixels.shape[1] / placement.scale_x - 2)
            & (y < top + pixels.shape[0] / placement.scale_y - 2)
        )
        canvas = scene.canvas if placement.note else scene.bare
        curves = [_curve(canvas[:, :, c][usable], seen[:, :, c][usable]) for c in range(3)]
        shades = np.arange(256)
        table = np.stack([np.interp(shades, known, shown) for known, shown in curves], axis=1)
        self._table = np.ascontiguousarray(table[None], np.float32)

    def __call__(self, colours: Pixels | Floats) -> Floats:
        """The colours as they come out on the frame; (..., 3), BGR, 0..255."""
        flat = colours if colours.dtype == np.uint8 else np.clip(np.rint(colours), 0, 255).astype(np.uint8)
        flat = flat.reshape(1, -1, 3)
        return np.asarray(cv2.LUT(flat, self._table), np.float32).reshape(colours.shape)


def _curve(known: npt.NDArray[np.float32], seen: npt.NDArray[np.uint8]) -> tuple[list[float], list[float]]:
    """Points of a rising curve from known to seen shades, from 0 to 255."""
    bins = np.clip((known / 256 * _BINS).astype(np.int64), 0, _BINS - 1)
    # Sorted by bin and shade at once, so that the median of a bin lies in its middle.
    ranked = np.sort((bins * 256 + seen).astype(np.uint16), kind="stable")
    ends = np.searchsorted(ranked, 256 * np.arange(_BINS + 1))
    means = np.bincount(bins, known, _BINS) / np.maximum(np.bincount(bins, None, _BINS), 1)
    at: list[float] = []
    to: list[float] = []
    for mean, (start, end) in zip(means, pairwise(ends), strict=True):
        if end - start >= _FEWEST:
            at.append(float(mean))
            to.append(max(float(ranked[(start + end) // 2] % 256), to[-1] if to else 0.0))
    if len(at) < 2 or at[-1] - at[0] < 60:
        return [0.0, 255.0], [0.0, 255.0]
    # Beyond the shades that the table shows: straight on to black and white.
    if at[0] > 1:
        at.insert(0, 0.0)
        to.insert(0, max(0.0, to[0] - at[1]))
    if at[-1] < 254:
        at.append(255.0)
        to.append(min(255.0, max(to[-1], to[-1] + (255.0 - at[-2]) * to[-1] / max(at[-2], 1.0))))
    return at, to
