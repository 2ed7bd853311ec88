"""Grids of cells without straight sides: round or strongly rounded, with gaps between them.

Every cell is a blob that is lighter, or darker, than what is around it. Blobs of one size whose middles lie on a
lattice are a grid, whatever their shape and colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest
from vision.frame import Pixels
from vision.grids import LEAST_CELLS, LEAST_PITCH_PX, Comb, Grid

LEVELS = range(12, 250, 14)
# Sides of a cell differ by no more than this factor, and those of two cells by no more than this share.
SQUARE = 1.2
SAME_SIZE = 0.12
# A blob covers this share of its box: a disc covers 0.79 of it.
FULL = 0.7
# A cell's middle is at most this far from its place (share of the pitch).
OFF_PLACE = 0.12
# The cells fill this share of their pitch; nearer ones would touch, farther ones are no grid.
FILLED_PITCH = (0.6, 1.0)
# This share of the places of a grid must have a cell.
LEAST_SEEN = 0.8


def find_blob_grids(pixels: Pixels) -> list[Grid]:
    """Grids of equal blobs, the one with the most cells first."""
    boxes = np.array(sorted(set(_square_blobs(pixels))), np.float64).reshape(-1, 4)
    found: list[Grid] = []
    sizes = boxes[:, 2]
    for size in np.unique(np.round(sizes)):
        own = boxes[np.abs(boxes[:, 2:] - size).max(axis=1) <= max(1.0, SAME_SIZE * size)]
        if len(own) < LEAST_CELLS**2:
            continue
        grid = _lattice(own[:, :2] + own[:, 2:] / 2, float(size))
        if grid is not None and not any(_same(grid, other) for other in found):
            found.append(grid)
    return sorted(found, key=lambda grid: -grid.rows * grid.cols)


def _square_blobs(pixels: Pixels) -> Iterator[tuple[int, int, int, int]]:
    dark = np.minimum(np.minimum(pixels[..., 0], pixels[..., 1]), pixels[..., 2])
    for one in (strongest(pixels), dark):
        low, high = int(one.min()), int(one.max())
        for level in LEVELS:
            if not low < level <= high:
                continue
            above = (one >= level).astype(np.uint8)
            for mask in (above, 1 - above):
                _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
                wide, high_px, area = stats[:, 2], stats[:, 3], stats[:, 4]
                good = (np.minimum(wide, high_px) >= LEAST_PITCH_PX * FILLED_PITCH[0]) & (
                    area >= FULL * wide * high_px
                )
                good &= np.maximum(wide, high_px) <= SQUARE * np.minimum(wide, high_px)
                good[0] = False
                for left, top, w, h, _ in stats[good].tolist():
                    yield left, top, w, h


def _lattice(middles: npt.NDArray[np.float64], size: float) -> Grid | None:
    """The grid whose cells these are, if most of them are its cells."""
    steps = []
    for axis in (0, 1):
        other = middles[:, 1 - axis]
        order = np.lexsort((middles[:, axis], np.round(other / (OFF_PLACE * size * 2))))
        along = np.diff(middles[order, axis])
        near = along[(along > size / FILLED_PITCH[1] - 1) & (along < size / FILLED_PITCH[0])]
        if len(near) < LEAST_CELLS:
            return None
        steps.append(float(np.median(near)))
    pitch = (steps[0] + steps[1]) / 2
    if abs(steps[0] - steps[1]) > OFF_PLACE * pitch:
        return None
    best: tuple[int, npt.NDArray[np.bool_]] | None = None
    for start in middles[:: max(1, len(middles) // 12)]:
        away = (middles - start) / np.array(steps)
        on = np.abs(away - np.round(away)).max(axis=1) <= OFF_PLACE
        if best is None or int(on.sum()) > best[0]:
            best = int(on.sum()), on
    if best is None:
        return None
    own = middles[best[1]]
    places = np.round((own - own[0]) / np.array(steps)).astype(int)
    combs = []
    for axis in (0, 1):
        if len(np.unique(places[:, axis])) < LEAST_CELLS:
            return None
        step, first = np.polyfit(places[:, axis], own[:, axis], 1)
        low, high = _solid(places[:, axis], places[:, 1 - axis])
        combs.append(Comb(float(first + step * (low - 0.5)), float(step), int(high - low) + 2))
    grid = Grid(combs[0], combs[1])
    inside = {
        (x, y)
        for x, y in places.tolist()
        if 0 <= _index(grid.xs, own[0, 0] + steps[0] * x) < grid.cols
        and 0 <= _index(grid.ys, own[0, 1] + steps[1] * y) < grid.rows
    }
    if min(grid.rows, grid.cols) < LEAST_CELLS or len(inside) < LEAST_SEEN * grid.rows * grid.cols:
        return None
    return grid


def _index(comb: Comb, at: float) -> int:
    return int(np.floor((at - comb.first) / comb.pitch))


def _solid(own: npt.NDArray[np.int_], other: npt.NDArray[np.int_]) -> tuple[int, int]:
    """First and last of the lines that most of the crossing lines have a cell on."""
    crossing = len(set(other.tolist()))
    full = [
        line for line in sorted(set(own.tolist())) if len(set(other[own == line].tolist())) >= crossing / 2
    ]
    runs: list[list[int]] = []
    for line in full:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    longest: Sequence[int] = max(runs, key=len, default=[0])
    return longest[0], longest[-1]


def _same(a: Grid, b: Grid) -> bool:
    return b.box.contains(a.centre(0, 0)) and abs(a.xs.pitch - b.xs.pitch) < 0.05 * b.xs.pitch
