"""A board beneath a dimming or translucent cover: a dialog's veil, a fade, a tint.

Such a cover turns every colour x of the board into a * x + b, the same a and b for all of it. An earlier picture of the
board tells both, and the board's own colours come back. Only the cells are taken from the new picture: lines, numbers
and all else around them are known from the earlier one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.frame import Box, Pixels, Point
from vision.reading import Geometry

# (3,) a and (3,) b of a veil, a value for each channel.
Veil = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]

# A veil leaves at least this share of every difference, and an earlier picture explains this share of the new one.
LEAST_LEFT, LEAST_EXPLAINED = 0.06, 0.6
# A picture without a veil measures at most this.
MOST_LEFT = 1.05
# Levels by which a pixel may differ from what the earlier picture makes of it.
SLACK = 8.0
# A level of which there are fewer pixels tells nothing about the veil.
LEAST_PX = 12
# (2, 1) the darkest level and the lightest.
ENDS = np.array([[0], [255]], np.uint8)
# The rim of a cell, as a share of it, in which its lines are; what stands out there by so many levels is drawn.
RIM, DRAWN = 0.15, 25.0
# So many px of lines are needed to tell, and this share of them must still be there for a cell to be seen.
LEAST_LINES_PX, LINES_LEFT = 4, 0.6


def beneath(
    pixels: Pixels,
    earlier: Pixels,
    area: Box,
    geometry: Geometry,
    *,
    most_left: float = MOST_LEFT,
    sent: Collection[object] = (),
) -> Pixels | None:
    """The earlier picture with the cells as they are now, without the veil; None where there is no such veil.

    pixels, earlier: (H, W, 3) uint8, BGR, of the same place. area: where the board is. most_left: a veil leaves at most
    this share of every difference; from 1.0 on a picture without any passes too. sent: cells for which something was sent
    since. None as well where something lies over a cell through which its own lines cannot be seen.
    """
    if pixels.shape != earlier.shape:
        return None
    # Many cells may have other entries by now: what is beside them tells the veil better, unless it lies over them alone.
    stays = np.zeros(pixels.shape[:2], np.bool_)
    stays[area.window] = True
    stays &= ~_within(geometry.centres.values(), geometry, pixels.shape)
    veil, alone = _veil(earlier[stays], pixels[stays]), None
    if veil is None:
        veil = _veil(earlier[area.window].reshape(-1, 3), pixels[area.window].reshape(-1, 3))
    elif not _moved(veil, ENDS).any():
        alone = _veil_over(pixels, earlier, geometry, sent)
    veil = alone or veil
    if veil is None:
        return None
    left, added = veil
    if left.max() > most_left:
        return None
    whole = np.clip(np.rint((pixels.astype(np.float32) - added) / left), 0, 255).astype(np.uint8)
    if alone is not None:
        # What has not changed is not beneath it, as the frame around the cells.
        stays = (pixels == earlier).all(axis=2)
        whole[stays] = earlier[stays]
    shown = earlier.copy()
    for centre in geometry.centres.values():
        window = _window(centre, geometry.pitch_px, pixels.shape)
        if not _seen(whole[window], earlier[window]):
            return None
        shown[window] = whole[window]
    return shown


def over_others(pixels: Pixels, earlier: Pixels, geometry: Geometry, sent: Collection[object]) -> bool:
    """Whether a veil lies over the cells for which nothing was sent. Otherwise as for `beneath`."""
    return pixels.shape == earlier.shape and _veil_over(pixels, earlier, geometry, sent) is not None


def _veil_over(pixels: Pixels, earlier: Pixels, geometry: Geometry, sent: Collection[object]) -> Veil | None:
    """The veil over the cells that are not among these; None as well where it does not dim every channel.

    A move may change such cells, too, but not all that a veil changes.
    """
    others = [centre for cell, centre in geometry.centres.items() if cell not in sent]
    within = _within(others, geometry, pixels.shape)
    before, now = earlier[within], pixels[within]
    veil = _veil(before, now)
    if veil is None or not _moved(veil, ENDS).max(axis=0).min():
        return None
    moved = _moved(veil, before).max(axis=1)
    away = np.abs(veil[0] * before + veil[1] - now).max(axis=1)
    return veil if moved.any() and (away[moved] <= SLACK).mean() >= LEAST_EXPLAINED else None


def _moved(veil: Veil, levels: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """(n, 3) whether a veil changes the levels (n, 1) or (n, 3) of each channel."""
    left, added = veil
    return np.abs(left * levels + added - levels) > SLACK


def _within(centres: Iterable[Point], geometry: Geometry, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """(H, W) the px of the cells with these middles."""
    within = np.zeros(shape[:2], np.bool_)
    for centre in centres:
        within[_window(centre, geometry.pitch_px, shape)] = True
    return within


def _veil(before: npt.NDArray[np.uint8], now: npt.NDArray[np.uint8]) -> Veil | None:
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
