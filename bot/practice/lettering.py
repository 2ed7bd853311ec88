"""Numbers on practice boards, at any height and as smooth as a desktop draws them."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels, Point

Bgr = tuple[int, int, int]

# Letters are drawn this many times larger and shrunk: the font's own strokes are too coarse below 20 px.
OVERSIZE = 6
FONT = cv2.FONT_HERSHEY_SIMPLEX
# Height of a digit of this font at scale 1, in px.
UNIT_PX = 21.0


def width_of(text: str, height_px: float) -> float:
    """How wide a text becomes, in px."""
    (width, _), _ = cv2.getTextSize(text, FONT, height_px * OVERSIZE / UNIT_PX, _thickness(height_px))
    return float(width) / OVERSIZE


def write(pixels: Pixels, text: str, centre: Point, height_px: float, colour: Bgr) -> None:
    """Write a text onto the pixels (in place), its middle at `centre`; parts beyond the edge are cut off.

    pixels: (H, W, 3) uint8, BGR.
    height_px: height of a digit.
    """
    middle_x, middle_y, _ = _drawn(text, height_px)
    shift_x, shift_y = centre.x * OVERSIZE - middle_x, centre.y * OVERSIZE - middle_y
    left, top = int(np.floor(shift_x / OVERSIZE)), int(np.floor(shift_y / OVERSIZE))
    over = (round(shift_x - left * OVERSIZE), round(shift_y - top * OVERSIZE))
    _blend(pixels, _smooth(text, height_px, *over), left, top, colour)


@lru_cache(maxsize=256)
def _drawn(text: str, height_px: float) -> tuple[float, float, Pixels]:
    """(x, y of the middle of what is really there, the text), OVERSIZE times as large. The font's box has room for accents."""
    pad = OVERSIZE * 2
    width, height = round(width_of(text, height_px) * OVERSIZE), round(height_px * OVERSIZE)
    ink = np.zeros((height + 2 * pad, width + 2 * pad), np.uint8)
    scale = height_px * OVERSIZE / UNIT_PX
    cv2.putText(ink, text, (pad, pad + height), FONT, scale, 255, _thickness(height_px), cv2.LINE_AA)
    left, top, wide, high = cv2.boundingRect(ink)
    return left + wide / 2, top + high / 2, ink


@lru_cache(maxsize=1024)
def _smooth(text: str, height_px: float, x: int, y: int) -> npt.NDArray[np.float32]:
    """The text as strongly as it covers each px, 0..1, so many of its own px right of and below the first corner."""
    _, _, ink = _drawn(text, height_px)
    canvas = np.zeros((_up(ink.shape[0] + y), _up(ink.shape[1] + x)), np.uint8)
    canvas[y : y + ink.shape[0], x : x + ink.shape[1]] = ink
    size = (canvas.shape[1] // OVERSIZE, canvas.shape[0] // OVERSIZE)
    return cv2.resize(canvas, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255.0


def _blend(pixels: Pixels, alpha: npt.NDArray[np.float32], left: int, top: int, colour: Bgr) -> None:
    """Lay a colour over the pixels (in place) as strongly as `alpha` (h, w), 0..1, says."""
    height, width = pixels.shape[:2]
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(width, left + alpha.shape[1]), min(height, top + alpha.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    part = alpha[y0 - top : y1 - top, x0 - left : x1 - left, None]
    below = pixels[y0:y1, x0:x1].astype(np.float32)
    mixed = below * (1 - part) + np.array(colour, np.float32) * part
    pixels[y0:y1, x0:x1] = np.rint(mixed).astype(np.uint8)


def _thickness(height_px: float) -> int:
    return max(1, round(height_px * OVERSIZE / 8))


def _up(length: int) -> int:
    """The next multiple of OVERSIZE."""
    return -(-length // OVERSIZE) * OVERSIZE
