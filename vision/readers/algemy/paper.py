"""What of a screen is line, what is colour, and what is ground."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels

Mask = npt.NDArray[np.bool_]

# A line's brightness differs by this much from the ground. A line of one px that falls between two px is seen
# with half its contrast in each, 127; text smoothing and JPEG take some more. Thinner ones are looked for
# when no board is found.
LINE_CONTRASTS = (90, 40, 20)
GROUNDS = (3, 2, 1)
# What is black this far in both directions, in short sides of the picture, is no line but a bar or a black core.
SOLID = 0.04
# Colour: brightest minus darkest channel. The palest beam of the game has 100, JPEG noise of black lines
# reaches 50.
COLOUR_CHROMA = 70
# The pale fringe of a beam under a gamma of 0.7 still has 40; noise that a picture should not have reaches 30.
TINT_CHROMA = 30


@dataclass(frozen=True, eq=False)
class Paper:
    """A screen as black lines and colours on white.

    pixels: (H, W, 3) uint8, BGR; on a dark screen the greys are inverted.
    ground: its brightness, 0..255.
    darkness: (H, W) uint8, how much darker than the ground.
    ink, colour, tint: (H, W) bool. Tinted is what has any colour and is no line: paler than `colour`.
    """

    pixels: Pixels
    ground: int
    darkness: npt.NDArray[np.uint8]
    ink: Mask
    colour: Mask
    tint: Mask


def chroma_of(pixels: Pixels) -> npt.NDArray[np.uint8]:
    """Brightest minus darkest channel, (H, W) uint8."""
    blue, green, red = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    return np.asarray(
        np.maximum(np.maximum(blue, green), red) - np.minimum(np.minimum(blue, green), red), np.uint8
    )


def value_of(pixels: Pixels) -> npt.NDArray[np.uint8]:
    """Brightest channel, (H, W) uint8."""
    return np.asarray(np.maximum(np.maximum(pixels[..., 0], pixels[..., 1]), pixels[..., 2]), np.uint8)


def grounds(pixels: Pixels) -> tuple[int, ...]:
    """Brightnesses that may be the ground, most likely first: the commonest greys of the picture."""
    sample = pixels[::4, ::4] if min(pixels.shape[:2]) >= 400 else pixels
    grey = value_of(sample)[chroma_of(sample) < COLOUR_CHROMA // 2]
    if grey.size == 0:
        return ()
    counts = np.bincount(grey >> 4, minlength=16)
    common = [
        int(index) for index in np.argsort(-counts, kind="stable")[:3] if counts[index] * 50 > grey.size
    ]
    return tuple(index * 16 + 8 for index in common)


def sheets(pixels: Pixels) -> Iterator[Paper]:
    """The picture as a sheet of paper, in the order in which it is worth looking: faint lines on likely grounds only."""
    likely = grounds(pixels)
    for contrast, count in zip(LINE_CONTRASTS, GROUNDS, strict=True):
        for ground in likely[:count]:
            yield on_white(pixels, ground, contrast)


def on_white(pixels: Pixels, ground: int, contrast: int) -> Paper:
    """The screen on white, whatever its ground is. contrast: least difference of a line's brightness."""
    chroma = chroma_of(pixels)
    colour = chroma >= COLOUR_CHROMA
    if ground < 128:
        pixels = np.where(colour[..., None], pixels, 255 - pixels)
        ground = 255 - ground
    value = value_of(pixels)
    ink = _without_solids((value < max(40, ground - contrast)) & ~colour)
    darkness = np.asarray(np.uint8(ground) - np.minimum(value, np.uint8(ground)), np.uint8)
    return Paper(pixels, ground, darkness, ink, colour, (chroma >= TINT_CHROMA) & ~ink)


def _without_solids(ink: Mask) -> Mask:
    """Lines only: the strip of a phone's own buttons would hang together with a wheel that reaches it."""
    side = max(5, round(SOLID * min(ink.shape)))
    solid = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    lines: Mask = ink & (np.asarray(solid) == 0)
    return lines
