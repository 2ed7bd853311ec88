"""What of a screen is line, what is colour, and what is ground."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest, weakest
from vision.frame import Pixels

Mask = npt.NDArray[np.bool_]
# Blue, green, red, 0..255.
Colour = tuple[int, int, int]

# A line's brightness differs by this much from the ground. A line of one px that falls between two px is seen
# with half its contrast in each, 127; text smoothing and JPEG take some more. Thinner ones are looked for
# when no board is found.
LINE_CONTRASTS = (90, 40, 20)
GROUNDS = (3, 2, 1)
# How many shades of each channel are told apart before its colour is measured, and the lightest one.
SHADES, LIGHTEST = 8, 255
# A ground is at least this part of all that may be one, and colours of it differ by no more than this in any channel.
LEAST_GROUND, SAME_GROUND = 0.02, 16
# White in warm or cold light has at most this much chroma for its brightness, and next to nothing is whiter than it.
TINTED, MOST_WHITER = 0.5, 0.01
# A paper as white as this is taken for white.
WHITE = 246
# What is black this far in both directions, in short sides of the picture, is no line but a bar or a black core.
SOLID = 0.04
# Colour: brightest minus darkest channel. The palest beam of the game has 100, JPEG noise of black lines
# reaches 50.
COLOUR_CHROMA = 70
# The pale fringe of a beam under a gamma of 0.7 still has 40; noise that a picture should not have reaches 30.
TINT_CHROMA = 30
# Darker than this is no pale ground, but a dark one; ink on white is darker than the second, however faint its lines.
DARK, INK = 128, 40
# A picture of this side is sampled.
LARGE_PX = 400


@dataclass(frozen=True, eq=False)
class Paper:
    """A screen as black lines and colours on white.

    pixels: (H, W, 3) uint8, BGR; its white made white, and on a dark screen the greys inverted.
    paper: the ground's colour in the picture. contrast: least difference of a line's brightness from it.
    ground: its brightness now, 0..255. solid_px: what is dark so far both ways is no line.
    darkness: (H, W) uint8, how much darker than the ground.
    ink, colour, tint: (H, W) bool. Tinted is what has any colour and is no line: paler than `colour`.
    """

    pixels: Pixels
    paper: Colour
    contrast: int
    ground: int
    solid_px: int
    darkness: npt.NDArray[np.uint8]
    ink: Mask
    colour: Mask
    tint: Mask


def papers(pixels: Pixels) -> tuple[Colour, ...]:
    """Colours that may be the ground, most likely first: the commonest greys, or what is white in tinted light."""
    height, width = pixels.shape[:2]
    sample = pixels
    if min(height, width) >= LARGE_PX:
        size = (width // 4, height // 4)
        sample = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    value = strongest(sample)
    shade = np.arange(256)
    most_chroma = np.where(shade < DARK, COLOUR_CHROMA // 2 - 1, TINTED * shade).astype(np.uint8)
    mask = (cv2.subtract(value, weakest(sample)) <= cv2.LUT(value, most_chroma)).view(np.uint8)
    total = cv2.countNonZero(mask)
    if not total:
        return ()
    # Eight shades of each channel make a picture's commonest colour stand out of its noise.
    counts = cv2.calcHist([sample], [0, 1, 2], mask, [SHADES] * 3, [0, 256] * 3).T.ravel()
    found: list[Colour] = []
    for index in np.argsort(-counts, kind="stable")[:6]:
        if counts[index] < LEAST_GROUND * total or len(found) == max(GROUNDS):
            break
        shades = np.array(np.unravel_index(index, (SHADES,) * 3))[::-1] * (256 // SHADES)
        middle = _usual(sample, mask, shades, shades + 256 // SHADES - 1)
        blue, green, red = map(int, _usual(sample, mask, middle - SAME_GROUND, middle + SAME_GROUND))
        paper = (blue, green, red)
        if max(paper) - min(paper) >= COLOUR_CHROMA // 2:
            whiter = cv2.bitwise_and(
                _between(sample, np.array(paper) + SAME_GROUND + 1, np.full(3, LIGHTEST)), mask
            )
            if cv2.countNonZero(whiter) > MOST_WHITER * total:
                continue
        if min(paper) >= DARK and any(
            all(a < b for a, b in zip(paper, other, strict=True)) for other in found
        ):
            continue  # where white is commoner, a grey is what lines leave of it
        if all(max(abs(a - b) for a, b in zip(paper, other, strict=True)) > SAME_GROUND for other in found):
            found.append(paper)
    return tuple(found)


def _usual(
    pixels: Pixels,
    mask: npt.NDArray[np.uint8],
    least: npt.NDArray[np.floating],
    most: npt.NDArray[np.floating],
) -> npt.NDArray[np.float64]:
    """(3,) the median of each channel of the px of a mask that lie between two colours; at least one does."""
    own = cv2.bitwise_and(_between(pixels, least, most), mask)
    middle = (cv2.countNonZero(own) - 1) / 2
    found = []
    for channel in range(3):
        sums = np.cumsum(cv2.calcHist([pixels], [channel], own, [256], [0, 256]).ravel(), dtype=np.float64)
        found.append(np.searchsorted(sums, [math.floor(middle), math.ceil(middle)], side="right").mean())
    return np.array(found)


def _between(
    pixels: Pixels, least: npt.NDArray[np.floating], most: npt.NDArray[np.floating]
) -> npt.NDArray[np.uint8]:
    """1 where every channel lies between two colours, both included."""
    if np.max(least) > LIGHTEST:
        return np.zeros(pixels.shape[:2], np.uint8)
    found = cv2.inRange(pixels, np.ceil(least).clip(0, LIGHTEST), np.floor(most).clip(0, LIGHTEST))
    return np.asarray(found, np.uint8) & np.uint8(1)


def sheets(pixels: Pixels) -> Iterator[Paper]:
    """The picture as a sheet of paper, in the order in which it is worth looking: faint lines on likely grounds only."""
    likely = papers(pixels)
    for contrast, count in zip(LINE_CONTRASTS, GROUNDS, strict=True):
        for paper in likely[:count]:
            yield on_white(pixels, paper, contrast)


def on_white(pixels: Pixels, paper: Colour, contrast: int, solid_px: int | None = None) -> Paper:
    """The screen on white, whatever its ground is. contrast, solid_px: see `Paper`; of a whole screen they follow from it."""
    solid_px = max(5, round(SOLID * min(pixels.shape[:2]))) if solid_px is None else solid_px
    ground = max(paper)
    if ground >= DARK and min(paper) < WHITE:
        # A dimmed screen, or one in warm light: every channel is brightened as much as white needs it.
        pixels, ground = _whitened(pixels, paper), 255
    value = strongest(pixels)
    chroma = cv2.subtract(value, weakest(pixels))
    colour = chroma >= COLOUR_CHROMA
    if ground < DARK:
        pixels = np.where(colour[..., None], pixels, 255 - pixels)
        ground, value = 255 - ground, strongest(pixels)
    ink = _without_solids((value < max(INK, ground - contrast)) & ~colour, solid_px)
    darkness = np.asarray(cv2.subtract(np.full_like(value, ground), value), np.uint8)
    tint = (chroma >= TINT_CHROMA) & ~ink
    return Paper(pixels, paper, contrast, ground, solid_px, darkness, ink, colour, tint)


def part_on_white(sheet: Paper, pixels: Pixels) -> Paper:
    """A part of a later picture of the same screen, on white in the same way."""
    return on_white(pixels, sheet.paper, sheet.contrast, sheet.solid_px)


def _whitened(pixels: Pixels, paper: Colour) -> Pixels:
    table = np.empty((1, 256, 3), np.uint8)
    for channel, white in enumerate(paper):
        table[0, :, channel] = np.minimum(np.round(np.arange(256) * (255 / max(1, white))), 255)
    return np.asarray(cv2.LUT(pixels, table), np.uint8)


def _without_solids(ink: Mask, solid_px: int) -> Mask:
    """Lines only: the strip of a phone's own buttons would hang together with a wheel that reaches it."""
    solid = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_OPEN, np.ones((solid_px, solid_px), np.uint8))
    lines: Mask = ink & (np.asarray(solid) == 0)
    return lines
