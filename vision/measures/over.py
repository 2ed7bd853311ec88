"""What is drawn over a board in a colour of its own, and the picture without it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels
from vision.measures.likeness import COLOUR, bgr
from vision.scene import Scene

Mask = npt.NDArray[np.bool_]

# Less than this share of a picture is no lines round all cells; it is told from each so many px.
LEAST, APART_PX = 0.01, 3
# Soft edges of a colour have its tint by so many levels.
TINTED = 12
# A straight side is so long, what lies so near is beside it, and it is soft where more than this share lies there.
SIDE_PX, BESIDE_PX, SOFT = 12, 2, 0.1
# How far round a px the ground is taken from.
AROUND_PX = 3


def without(scene: Scene, rgb: str) -> Scene | None:
    """The picture with the ground in place of lines in a colour; None where few are. Use as `scene.once(without, rgb)`."""
    some = np.ascontiguousarray(scene.pixels[::APART_PX, ::APART_PX])
    return _filled(scene, rgb) if cv2.countNonZero(_in(some, rgb)) >= LEAST * some[..., 0].size else None


def unmarked(scene: Scene, rgb: str) -> Scene | None:
    """The picture with the ground in place of marks of errors. Use as `scene.once(unmarked, rgb)`.

    None where there are none, or their straight sides are soft: resized or lossy, they leave traces beside them.
    """
    own = _in(scene.pixels, rgb)
    if not cv2.countNonZero(own):
        return None
    level = cv2.morphologyEx(own, cv2.MORPH_OPEN, np.ones((1, SIDE_PX), np.uint8))
    near = cv2.dilate(level, np.ones((2 * BESIDE_PX + 1, 1), np.uint8)) > 0
    soft = scene.once(tinted, rgb) & near & (own == 0)
    return None if soft.sum() > SOFT * cv2.countNonZero(level) else _filled(scene, rgb)


def _in(pixels: Pixels, rgb: str) -> Pixels:
    """255 where the picture has a colour."""
    return np.asarray(cv2.inRange(pixels, bgr(rgb) - COLOUR, bgr(rgb) + COLOUR), np.uint8)


def _filled(scene: Scene, rgb: str) -> Scene:
    mask = scene.once(tinted, rgb).astype(np.uint8)
    return Scene(np.asarray(cv2.inpaint(scene.pixels, mask, AROUND_PX, cv2.INPAINT_TELEA), np.uint8))


def tinted(scene: Scene, rgb: str) -> Mask:
    """(h, w) the px in which those channels lead that lead in a colour. Use as `scene.once(tinted, rgb)`."""
    wanted = bgr(rgb)
    leads = wanted > wanted.mean()
    channels = scene.pixels.astype(np.int16)
    return np.asarray(channels[..., leads].min(axis=2) - channels[..., ~leads].max(axis=2) > TINTED, np.bool_)
