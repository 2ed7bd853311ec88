"""How the picture shows the game's colours: gamma, brightness and tint, measured on what never changes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.frame import Pixels
from vision.match import Floats
from vision.readers.thaumcraft.locate import Placement

_BINS = 24


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
        self._curves = [_curve(canvas[:, :, c][usable], seen[:, :, c][usable]) for c in range(3)]

    def __call__(self, colours: Floats) -> Floats:
        """The colours as they come out on the frame; the last axis is BGR."""
        shades = np.arange(256, dtype=np.float32)
        result = np.empty_like(colours, dtype=np.float32)
        for channel, (known, seen) in enumerate(self._curves):
            table = np.interp(shades, known, seen).astype(np.float32)
            index = np.clip(np.rint(colours[..., channel]), 0, 255).astype(np.uint8)
            result[..., channel] = table[index]
        return result


def _curve(known: npt.NDArray[np.float32], seen: npt.NDArray[np.uint8]) -> tuple[list[float], list[float]]:
    """Points of a rising curve from known to seen shades, from 0 to 255."""
    bins = np.clip((known / 256 * _BINS).astype(np.int64), 0, _BINS - 1)
    at: list[float] = []
    to: list[float] = []
    for i in range(_BINS):
        inside = bins == i
        if inside.sum() >= 40:
            at.append(float(known[inside].mean()))
            to.append(max(float(np.median(seen[inside])), to[-1] if to else 0.0))
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
