"""What icons would look like where they may be drawn: what patches of the picture are compared with.

A patch is compared by what it *adds* to the known background: the observed picture minus the empty table or
note, against alpha times (icon minus background). So outlines, soft edges and dimming need no thresholds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from solver.thaumcraft import EVERY
from vision.frame import Pixels
from vision.match import Floats
from vision.profile import Profile
from vision.readers.thaumcraft.light import Light
from vision.readers.thaumcraft.locate import Placement

SIDE = 32
PATCH_GUI = 16
PER_GUI = SIDE // PATCH_GUI
SILHOUETTE_ALPHA, SILHOUETTE_SHADE = 0.53, 0.1
OUTLINE_ALPHA = 0.25
# What lies over icons: so wide, so plain, so far from the icon. True icons are 17 shades off at most where they are so
# plain, and 28 with an orb shining through them.
COVER_GUI, COVER_SPREAD, COVER_SHADE = 6, 9.0, 50.0


@dataclass(frozen=True, eq=False)
class Bank:
    """All icons of a profile.

    symbols: tags; colours: (M, 32, 32, 3) uint8 BGR; silhouettes: the same as unlinked aspects are drawn;
        alphas: (M, 32, 32, 1), 0..1.
    tints: (M, 3), the colour that the game multiplies each icon with; the icon's mean where not known.
    outline: alpha of a cell's outline, (32, 32, 1); outline_ink: its colour, (3,).
    hover: what the hovered outline adds, (32, 32, 3).
    orb: (8, 32, 32, 1), the frames of the orb, brightness 0..1; unknown: colours and alpha of that tag.
    """

    symbols: tuple[str, ...]
    colours: Pixels
    silhouettes: Pixels
    alphas: Floats
    tints: Floats
    outline: Floats
    outline_ink: Floats
    hover: Floats
    orb: Floats


@lru_cache(maxsize=8)
def bank(profile: Profile) -> Bank:
    """The icons of a profile at the size they are compared in; remembered."""
    names = sorted(name for name in profile.templates if name.startswith("aspects/"))
    colours, alphas = [], []
    for name in [*names, *(["unknown"] if "unknown" in profile.templates else [])]:
        icon = profile.templates[name]
        alpha = icon.alpha.astype(np.float32) / 255 * (0.5 if name == "unknown" else 1.0)
        pixels = icon.pixels.astype(np.float32) * (0.0 if name == "unknown" else 1.0)
        colours.append(_fit(pixels))
        alphas.append(_fit(alpha)[:, :, None])
    tints = [
        np.array(EVERY.rgb(name.removeprefix("aspects/"))[::-1], np.float32)
        if name.removeprefix("aspects/") in EVERY.colours
        else (colour * alpha).sum(axis=(0, 1)) / max(float(alpha.sum()), 1e-6)
        for name, colour, alpha in zip([*names, UNKNOWN], colours, alphas, strict=False)
    ]
    outline, ink = np.zeros((SIDE, SIDE, 1), np.float32), np.zeros(3, np.float32)
    hover = np.zeros((SIDE, SIDE, 3), np.float32)
    orb = np.zeros((1, SIDE, SIDE, 1), np.float32)
    if "hex" in profile.templates:
        outline = _fit(profile.templates["hex"].alpha.astype(np.float32) / 255)[:, :, None] * OUTLINE_ALPHA
        drawn_px = profile.templates["hex"].pixels[profile.templates["hex"].alpha > 0]
        ink = drawn_px.mean(axis=0).astype(np.float32) if len(drawn_px) else ink
    if "hover" in profile.templates:
        icon = profile.templates["hover"]
        hover = _fit(icon.pixels.astype(np.float32)) * _fit(icon.alpha.astype(np.float32) / 255)[:, :, None]
    if "orb" in profile.templates:
        icon = profile.templates["orb"]
        strip = icon.pixels.max(axis=2) * (icon.alpha.astype(np.float32) / 255**2)
        orb = np.stack([_fit(strip[:, x : x + 16])[:, :, None] for x in range(0, strip.shape[1] - 15, 16)])
    symbols = tuple(name.removeprefix("aspects/") for name in names)
    if "unknown" in profile.templates:
        symbols = (*symbols, UNKNOWN)
    drawn = np.stack(colours)
    return Bank(
        symbols,
        np.rint(drawn).astype(np.uint8),
        np.rint(drawn * SILHOUETTE_SHADE).astype(np.uint8),
        np.stack(alphas),
        np.stack(tints),
        outline,
        ink,
        hover,
        orb,
    )


# Stands for the tag of an undiscovered aspect among the symbols; no aspect has such a tag.
UNKNOWN = "?"


def _fit(image: npt.NDArray[np.floating]) -> Floats:
    if image.shape[:2] == (SIDE, SIDE):
        return image.astype(np.float32)
    return np.asarray(
        cv2.resize(image.astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.float32
    )


def drawn_on(
    bank: Bank,
    ground: Floats,
    light: Light,
    strength: float = 1.0,
    *,
    silhouettes: bool = False,
    which: Sequence[int] | slice = slice(None),
) -> Floats:
    """What icons add to a plain ground of that colour, as it comes out on the frame: (M, 32, 32, 3).

    The game blends first, then the picture changes the colours; ground: (3,), the game's own colour. which: of all icons.
    """
    shade = tuple(float(part) for part in ground)
    drawn = light(_blended(bank, shade, strength, silhouettes)[which])
    return np.asarray(drawn - light(ground[None])[0], np.float32)


@lru_cache(maxsize=32)
def _blended(bank: Bank, ground: tuple[float, ...], strength: float, silhouettes: bool) -> Pixels:
    """Icons on a plain ground as the game draws them; remembered."""
    colours = bank.silhouettes if silhouettes else bank.colours
    weight = bank.alphas * strength
    blended = colours * weight + np.array(ground, np.float32) * (1 - weight)
    return np.asarray(np.clip(np.rint(blended), 0, 255), np.uint8)


def patches(
    pixels: Pixels,
    placement: Placement,
    centres: Sequence[tuple[float, float]],
    margin_gui: int,
    sharp: bool = False,
) -> Floats:
    """Square pieces around places in GUI px, at 2 px per GUI px: (N, side, side, 3) float32, BGR.

    A piece holds an icon's 16 GUI px and `margin_gui` around it. Black outside of the picture.
    sharp: take single px where the mean of several would blur (for digits).
    """
    half = PATCH_GUI / 2 + margin_gui
    side = int(2 * half * PER_GUI)
    offset = (np.arange(side) + 0.5) / PER_GUI - half
    places = np.asarray(centres, np.float64)
    if len(places) == 0:
        return np.zeros((0, side, side, 3), np.float32)
    wide = 2 * PER_GUI if sharp else PER_GUI
    blur_x = max(1, round(placement.scale_x / wide))
    blur_y = max(1, round(placement.scale_y / wide))
    x = placement.left + placement.scale_x * (places[:, :1] + offset[None]) - 0.5
    y = placement.top + placement.scale_y * (places[:, 1:] + offset[None]) - 0.5
    # A part of the picture is enough, and the blur below then costs little.
    x0, y0 = max(0, int(x.min()) - blur_x - 1), max(0, int(y.min()) - blur_y - 1)
    x1 = max(x0 + 1, min(pixels.shape[1], int(x.max()) + blur_x + 3))
    y1 = max(y0 + 1, min(pixels.shape[0], int(y.max()) + blur_y + 3))
    part: npt.NDArray[Any] = pixels[y0:y1, x0:x1]
    if part.size == 0:
        return np.zeros((len(places), side, side, 3), np.float32)
    if max(blur_x, blur_y) > 1:
        part = cv2.blur(part, (blur_x, blur_y))
        # A box of even size lies half a px to the left of its middle.
        x, y = x + (0.5 if blur_x % 2 == 0 else 0.0), y + (0.5 if blur_y % 2 == 0 else 0.0)
    map_x = np.broadcast_to((x - x0)[:, None, :], (len(places), side, side)).reshape(-1, side)
    map_y = np.broadcast_to((y - y0)[:, :, None], (len(places), side, side)).reshape(-1, side)
    taken = cv2.remap(
        part,
        np.ascontiguousarray(map_x, np.float32),
        np.ascontiguousarray(map_y, np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
    )
    return taken.reshape(len(places), side, side, 3).astype(np.float32)


def covered(added: Floats, icon: Floats, contrast: float) -> bool:
    """Whether something of one colour lies over a part of an icon, a few GUI px wide: the corner of a window, say.

    added, icon: (32, 32, 3), what the picture adds to the ground, and what the icon does. No icon has such a part
    without its template having the same.
    """
    strange = np.abs(_blurred(halved((added - icon)[None])[0])).max(axis=2) > COVER_SHADE * contrast
    inside = slice(COVER_GUI // 2, 1 - COVER_GUI // 2)
    if not strange[inside, inside].any():
        return False
    small = halved(added[None])[0]
    spread = np.sqrt(np.maximum(_blurred(small**2) - _blurred(small) ** 2, 0)).max(axis=2)
    return bool((strange & (spread < COVER_SPREAD))[inside, inside].any())


def _blurred(image: Floats) -> Floats:
    """The means of squares as wide as what lies over icons."""
    return np.asarray(cv2.blur(image, (COVER_GUI, COVER_GUI)), np.float32)


def moments(images: Floats) -> tuple[Floats, Floats]:
    """(N, C) mean and standard deviation of each channel of (N, H, W, C), by products of matrices."""
    flat = np.ascontiguousarray(images, np.float32).reshape(len(images), -1, images.shape[3])
    share = np.full((1, flat.shape[1]), 1 / flat.shape[1], np.float32)
    mean = np.matmul(share, flat)
    off = flat - mean
    return mean[:, 0], np.sqrt(np.matmul(share, off * off))[:, 0]


def halved(images: Floats) -> Floats:
    """(N, H, W, C) at half the resolution, by means of four."""
    quarter = images[:, ::2, ::2] + images[:, 1::2, ::2]
    quarter += images[:, ::2, 1::2]
    quarter += images[:, 1::2, 1::2]
    return np.asarray(quarter * 0.25, np.float32)
