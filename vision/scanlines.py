"""The scan lines of an old screen, as pages imitate them: every second row of px is darker, all over."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.frame import Pixels

# Columns of px that are looked at. Rows differ where they do by so many levels, of px that are not nearly black;
# fewer rows tell nothing.
COLUMNS, DIFFER, DARKEST, LEAST_ROWS = 32, 2, 24, 4
# More than this share of the px has its row's share of light, which lies between these.
MOSTLY, LEAST_SHARE, MOST_SHARE = 0.6, 0.4, 0.97


def without_scan_lines(pixels: Pixels) -> Pixels:
    """The picture with the rows lightened that lie under scan lines; itself where it has none.

    pixels: (H, W, 3) uint8. A black veil of one strength over every second row takes the same share of light from all of it.
    """
    columns = pixels[:, :: max(1, pixels.shape[1] // COLUMNS), 1].astype(np.int16)
    if len(columns) < LEAST_ROWS or not _alternate(columns):
        return pixels
    dark = int(columns[1::2].sum() * len(columns[::2]) < columns[::2].sum() * len(columns[1::2]))
    share = _share(columns[dark::2], columns[1 - dark :: 2])
    if not LEAST_SHARE < share < MOST_SHARE:
        return pixels
    lightened = pixels.copy()
    lightened[dark::2] = np.minimum(np.rint(pixels[dark::2] / share), 255).astype(np.uint8)
    return lightened


def _alternate(columns: npt.NDArray[np.int16]) -> bool:
    """Whether most px differ from the nearest one below them, and not from the next but one."""
    nearest, farther = np.abs(columns[1:] - columns[:-1])[:-1], np.abs(columns[2:] - columns[:-2])
    lit = np.maximum(columns[1:-1], columns[:-2]) >= DARKEST
    return bool(np.count_nonzero(lit & (nearest >= DIFFER) & (farther < DIFFER)) > MOSTLY * max(1, lit.sum()))


def _share(dark: npt.NDArray[np.int16], light: npt.NDArray[np.int16]) -> float:
    """The usual share of light of the darker rows."""
    rows = min(len(dark), len(light))
    dark, light = dark[:rows], light[:rows]
    lit = light >= DARKEST
    return float(np.median(dark[lit] / light[lit])) if lit.any() else 0.0
