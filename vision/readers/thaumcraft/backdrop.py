"""The unchanging parts of each table as one picture, and which parts of it can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Box, Pixels
from vision.profile import Icon, Profile
from vision.readers.thaumcraft.layout import LAYOUTS, Layout

Colours = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

LANDMARK_GUI = 20
_LANDMARKS = 36
# What is as opaque as this hides what is behind it.
_OPAQUE = 0.98
# A landmark is still ground for the most part, has so much structure, and is so much of a corner.
_STILL, _STRUCTURE, _CORNER = 0.8, 60.0, 0.02


@dataclass(frozen=True, eq=False)
class Backdrop:
    """A table with an empty note, one px per GUI px.

    canvas: (H, W, 3) float32, BGR; bare: the same without a note.
    opaque: (H, W), True where the table hides what is behind it.
    still: (H, W), True where nothing is ever drawn on top: wood, frames and the rim of the parchment.
    soft: (H, W, 3) uint8, canvas smoothed over 3 x 3 px; inner: where that mixes in nothing that is not still.
    """

    layout: Layout
    canvas: Colours
    bare: Colours
    opaque: Mask
    still: Mask
    soft: Pixels
    inner: Mask


@lru_cache(maxsize=8)
def backdrops(profile: Profile) -> tuple[Backdrop, ...]:
    """One backdrop for each table that the profile knows."""
    return tuple(
        _backdrop(layout, profile) for layout in LAYOUTS if f"table/{layout.ui}" in profile.templates
    )


def _backdrop(layout: Layout, profile: Profile) -> Backdrop:
    width = max(layout.table.width, layout.inventory.right)
    height = layout.inventory.bottom
    canvas = np.zeros((height, width, 3), np.float32)
    alpha = np.zeros((height, width), np.float32)
    still = np.zeros((height, width), np.bool_)
    _paint(canvas, alpha, layout.table, profile.templates[f"table/{layout.ui}"])
    still[: layout.table.height, : layout.table.width] = True
    if "inventory" in profile.templates:
        _paint(canvas, alpha, layout.inventory, _lower(profile.templates["inventory"], layout))
        box = layout.inventory
        still[box.window] = True
        for col in range(9):
            for top in (8, 26, 44, 66):
                _clear(still, Box(box.left + 7 + 18 * col, box.top + top - layout.inventory_part_top, 18, 18))
    for moving in (*layout.moving, layout.note, layout.tools):
        _clear(still, Box(moving.left, moving.top, moving.width, moving.height))
    bare = canvas.copy()
    if "parchment" in profile.templates:
        _paint(canvas, alpha, layout.parchment, profile.templates["parchment"])
        inner = layout.parchment
        # Runes and icons come nowhere near the rim.
        _clear(still, Box(inner.left + 9, inner.top + 9, inner.width - 18, inner.height - 18))
    opaque = alpha > _OPAQUE
    still &= opaque
    soft = np.asarray(cv2.blur(as_bytes(canvas), (3, 3)), np.uint8)
    within = cv2.erode(still.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return Backdrop(layout, canvas, bare, opaque, still, soft, within)


def as_bytes(colours: Colours) -> Pixels:
    """Colours as a picture has them."""
    return np.clip(np.rint(colours), 0, 255).astype(np.uint8)


def _lower(icon: Icon, layout: Layout) -> Icon:
    """The part of the inventory frame that this table draws."""
    top, box = layout.inventory_part_top, layout.inventory
    area = (slice(top, top + box.height), slice(0, box.width))
    return Icon(icon.pixels[area], icon.alpha[area])


def _paint(canvas: Colours, alpha: npt.NDArray[np.float32], box: Box, icon: Icon) -> None:
    size = (box.width, box.height)
    pixels: npt.NDArray[Any] = icon.pixels
    mask: npt.NDArray[Any] = icon.alpha
    if pixels.shape[:2] != (box.height, box.width):
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        mask = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    weight = mask.astype(np.float32) / 255
    area = box.window
    canvas[area] = canvas[area] * (1 - weight[:, :, None]) + pixels.astype(np.float32) * weight[:, :, None]
    alpha[area] = np.maximum(alpha[area], weight)


def _clear(mask: Mask, box: Box) -> None:
    mask[max(0, box.top) : box.bottom, max(0, box.left) : box.right] = False


@lru_cache(maxsize=16)
def landmarks(backdrop: Backdrop) -> tuple[tuple[int, int], ...]:
    """Middles of the pieces of the backdrop that fix a place best, in GUI px: strong corners on still ground."""
    half = LANDMARK_GUI // 2
    grey = cv2.cvtColor(np.clip(backdrop.canvas, 0, 255).astype(np.uint8), cv2.COLOR_BGR2GRAY).astype(
        np.float32
    )
    gx, gy = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    window = (2 * half, 2 * half)
    xx, yy, xy = (cv2.boxFilter(part, -1, window) for part in (gx * gx, gy * gy, gx * gy))
    corner = (xx + yy) / 2 - np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
    # Normalised correlation does not care for contrast, so a weak corner is nearly as good as a strong one.
    corner = corner / (xx + yy + 1)
    still = cv2.boxFilter(backdrop.still.astype(np.float32), -1, window)
    usable = (still > _STILL) & (xx + yy > _STRUCTURE)
    usable[:half], usable[-half:], usable[:, :half], usable[:, -half:] = False, False, False, False
    merit = np.where(usable, corner, -1.0).astype(np.float32)
    points: list[tuple[int, int]] = []
    while len(points) < _LANDMARKS:
        _, best, _, (x, y) = cv2.minMaxLoc(merit)
        if best <= _CORNER:
            break
        points.append((x, y))
        merit[max(0, y - 9) : y + 10, max(0, x - 9) : x + 10] = -1
    return tuple(points)
