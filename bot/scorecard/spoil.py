"""What happens to screenshots on their way: other sizes, grain, other brightness, JPEG. All of it repeatable."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from vision.frame import Pixels

Spoil = Callable[[Pixels], Pixels]


def scaled(factor: float) -> Spoil:
    """The picture at another size."""

    def change(pixels: Pixels) -> Pixels:
        how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=how), np.uint8)

    return change


def grainy(sigma: float) -> Spoil:
    """Noise of this standard deviation, shades of 0..255."""

    def change(pixels: Pixels) -> Pixels:
        grain = np.random.default_rng(1).normal(0.0, sigma, pixels.shape)
        return np.clip(pixels + grain, 0, 255).astype(np.uint8)

    return change


def brightened(gamma: float) -> Spoil:
    """Every shade v becomes 255 (v / 255) ** gamma."""
    table = (255 * (np.arange(256) / 255.0) ** gamma).round().astype(np.uint8)
    return lambda pixels: np.asarray(table[pixels], np.uint8)


def as_jpeg(quality: int) -> Spoil:
    """The picture after JPEG of this quality, 1..100."""

    def change(pixels: Pixels) -> Pixels:
        _, packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    return change


SPOILS: Mapping[str, Spoil] = {
    **{f"scale {factor:g}": scaled(factor) for factor in (0.6, 0.8, 1.25, 1.5, 2.0)},
    **{f"noise {sigma}": grainy(sigma) for sigma in (4, 8)},
    **{f"gamma {gamma:g}": brightened(gamma) for gamma in (0.7, 1.4)},
    **{f"jpeg {quality}": as_jpeg(quality) for quality in (90, 75, 50)},
}
