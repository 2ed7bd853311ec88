"""A board beneath a dimming or translucent cover: a dialog's veil, a fade, a tint.

Such a cover turns every colour x of the board into a * x + b, the same a and b for all of it. An earlier picture of the
board tells both, and the board's own colours come back. Only the cells are taken from the new picture: lines, numbers
and all else around them are known from the earlier one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vision.frame import Box, Pixels, Point
from vision.reading import Geometry

# A veil leaves at least this share of every difference, and an earlier picture explains this share of the new one.
LEAST_LEFT, LEAST_EXPLAINED = 0.06, 0.6
# A picture without a veil measures at most this.
MOST_LEFT = 1.05
# Levels by which a pixel may differ from what the earlier picture makes of it.
SLACK = 8.0
# A level of which there are fewer pixels tells nothing about the veil.
LEAST_PX = 12
# The rim of a cell, as a share of it, in which its lines are; what stands out there by so many levels is drawn.
RIM, DRAWN = 0.15, 25.0
# So many px of lines are needed to tell, and this share of them must still be there for a cell to be seen.
LEAST_LINES_PX, LINES_LEFT = 4, 0.6


def beneath(
    pixels: Pixels, earlier: Pixels, area: Box, geometry: Geometry, *, most_left: float = MOST_LEFT
) -> Pixels | None:
    """The earlier picture with the cells as they are now, without the veil; None where there is no such veil.

    pixels, earlier: (H, W, 3) uint8, BGR, of the same place. area: where the board is. most_left: a veil leaves at most
    this share of every difference; from 1.0 on a picture without any passes too. None as well where something lies
    over a cell through which its own lines cannot be seen.
    """
    if pixels.shape != earlier.shape:
        return None
    # Many cells may have other entries by now: what is beside them tells the veil better.
    stays = np.zeros(pixels.shape[:2], np.bool_)
    stays[area.window] = True
    for centre in geometry.centres.values():
        stays[_window(centre, geometry.pitch_px, pixels.shape)] = False
    veil = _veil(earlier[stays], pixels[stays])
    if veil is None:
        veil = _veil(earlier[area.window].reshape(-1, 3), pixels[area.window].reshape(-1, 3))
    if veil is None:
        return None
    left, added = veil
    if left.max() > most_left:
        return None
    whole = np.clip(np.rint((pixels.astype(np.float32) - added) / left), 0, 255).astype(np.uint8)
    shown = earlier.copy()
    for centre in geometry.centres.values():
        window = _window(centre, geometry.pitch_px, pixels.shape)
        if not _seen(whole[window], earlier[window]):
            return None
        shown[window] = whole[window]
    return shown


def _veil(
    before: npt.NDArray[np.uint8], now: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None:
    """(3,) a and (3,) b of now = a * before + b for most of n pixels (n, 3)."""
    lines = [_line(before[:, channel], now[:, channel]) for channel in range(3)]
    if any(line is None for line in lines):
        return None
    left, added = np.array([line for line in lines if line is not None]).T
    return left, added


def _line(before: npt.NDArray[np.uint8], now: npt.NDArray[np.uint8]) -> tuple[float, float] | None:
    """(a, b) of now = a * before + b for most pixels of one channel; None where that explains too few."""
    became = np.bincount(256 * before.ravel().astype(np.intp) + now.ravel(), minlength=1 << 16).reshape(
        256, 256
    )
    counts = became.sum(axis=1)
    levels = np.flatnonzero(counts >= LEAST_PX)
    if len(levels) < 2 or levels[-1] - levels[0] < DRAWN:
        return None
    usual = _medians(became[levels])
    # Lines through two levels each, weighed by their pixels: the one that explains the most pixels.
    most = levels[np.argsort(-counts[levels])[:12]]
    best: tuple[float, float, float] = (0.0, 0.0, 0.0)
    of_level = dict(zip(levels.tolist(), usual.tolist(), strict=True))
    for one in most.tolist():
        for other in most.tolist():
            if other - one < DRAWN:
                continue
            a = (of_level[other] - of_level[one]) / (other - one)
            b = of_level[one] - a * one
            explained = float(counts[levels][np.abs(usual - (a * levels + b)) <= SLACK / 2].sum())
            best = max(best, (explained, a, b))
    _, a, b = best
    for _ in range(2):
        near = np.abs(usual - (a * levels + b)) <= SLACK / 2
        if near.sum() < 2:
            return None
        a, b = np.polyfit(levels[near], usual[near], 1, w=np.sqrt(counts[levels[near]]))
    if not LEAST_LEFT <= a <= MOST_LEFT:
        return None
    away = np.abs(np.arange(256) - (a * np.arange(256) + b)[:, None])
    explained = became[away <= SLACK / 2 + SLACK / 2 * a].sum() / counts.sum()
    return (a, b) if explained >= LEAST_EXPLAINED else None


def _medians(counts: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    """(n,) the medians of n samples of levels, given as (n, 256) how often each level is in them."""
    so_far, whole = counts.cumsum(axis=1), counts.sum(axis=1)
    lower, upper = (
        (so_far >= middle[:, None]).argmax(axis=1) for middle in ((whole + 1) // 2, whole // 2 + 1)
    )
    return np.asarray((lower + upper) / 2)


def _window(centre: Point, pitch_px: float, shape: tuple[int, ...]) -> tuple[slice, slice]:
    half = pitch_px / 2
    top, bottom = max(0, round(centre.y - half)), min(shape[0], round(centre.y + half) + 1)
    left, right = max(0, round(centre.x - half)), min(shape[1], round(centre.x + half) + 1)
    return slice(top, bottom), slice(left, right)


def _seen(now: npt.NDArray[Any], earlier: npt.NDArray[Any]) -> bool:
    """Whether the lines around a cell can still be seen, where it has any."""
    if now.size == 0:
        return False
    height, width = earlier.shape[:2]
    rim = np.ones((height, width), np.bool_)
    edge = max(2, round(RIM * min(height, width)))
    rim[edge : height - edge, edge : width - edge] = False
    usual = np.median(earlier.reshape(-1, 3), axis=0)
    drawn = rim & (np.abs(earlier - usual).max(axis=2) > DRAWN)
    if drawn.sum() < LEAST_LINES_PX:
        return True
    away = np.abs(now.astype(np.int16) - earlier.astype(np.int16)).max(axis=2)
    return bool((away[drawn] <= 2 * DRAWN).mean() >= LINES_LEFT)
