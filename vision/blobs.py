"""Grids of cells that are areas of one colour each: round or strongly rounded, or with gaps or frames between them.

Blobs of one size whose middles lie on a lattice are a grid, whatever their shape and colours.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.grids import LEAST_CELLS, LEAST_PITCH_PX, Comb, Grid, distinct, evenly, longest
from vision.scene import Scene

# So many sizes of cells are tried.
MOST_SIZES = 6
# Sides of a cell differ by no more than this factor, and those of two cells by no more than this share.
SQUARE = 1.2
SAME_SIZE = 0.12
# A blob covers this share of its box: a disc covers 0.79 of it, less its soft edge.
FULL = 0.4
# A cell's middle is at most this far from its place (share of the pitch).
OFF_PLACE = 0.12
# The cells fill this share of their pitch; nearer ones would touch, farther ones are no grid.
FILLED_PITCH = (0.55, 1.0)
# This share of the places of a grid must have a cell.
LEAST_SEEN = 0.8


def find_blob_grids(scene: Scene, filled: tuple[float, float] = FILLED_PITCH) -> list[Grid]:
    """Grids of equal blobs, the one with the most cells first.

    filled: what the cells fill of their pitch, least and most.
    """
    boxes = _square_blobs(scene)
    found: list[Grid] = []
    # A size that most cells have is a common one.
    sizes, counts = np.unique(np.round(boxes[:, 2:].mean(axis=1)), return_counts=True)
    for size in sizes[np.argsort(-counts, kind="stable")][:MOST_SIZES]:
        own = boxes[np.abs(boxes[:, 2:] - size).max(axis=1) <= max(1.0, SAME_SIZE * size)]
        if len(own) < LEAST_CELLS**2:
            continue
        grid = _lattice(own[:, :2] + own[:, 2:] / 2, float(size), filled)
        if grid is not None:
            found.append(grid)
    return sorted(distinct(found), key=lambda grid: -grid.rows * grid.cols)


def _square_blobs(scene: Scene) -> npt.NDArray[np.float64]:
    """(n, 4) boxes of areas of one colour that are about as wide as high and fill most of their box."""
    found = scene.areas()
    wide, high, area = found.width, found.height, found.count
    good = (np.minimum(wide, high) >= LEAST_PITCH_PX * FILLED_PITCH[0]) & (area >= FULL * wide * high)
    good &= np.maximum(wide, high) <= SQUARE * np.minimum(wide, high)
    good[0] = False
    boxes = np.stack([found.left, found.top, wide, high], axis=1)[good]
    return np.asarray(boxes, np.float64).reshape(-1, 4)


def _lattice(middles: npt.NDArray[np.float64], size: float, filled: tuple[float, float]) -> Grid | None:
    """The grid whose cells these are, if most of them are its cells."""
    steps = []
    for axis in (0, 1):
        other = middles[:, 1 - axis]
        order = np.lexsort((middles[:, axis], np.round(other / (OFF_PLACE * size * 2))))
        along = np.diff(middles[order, axis])
        near = along[(along > size / filled[1] - 1) & (along < size / filled[0])]
        if len(near) < LEAST_CELLS:
            return None
        steps.append(float(np.median(near)))
    pitch = (steps[0] + steps[1]) / 2
    if abs(steps[0] - steps[1]) > OFF_PLACE * pitch:
        return None
    starts = middles[:: max(1, len(middles) // 12)]
    away = (middles - starts[:, None]) / np.array(steps)
    on = np.abs(away - np.round(away)).max(axis=2) <= OFF_PLACE
    own = middles[on[on.sum(axis=1).argmax()]]
    places = np.round((own - own[0]) / np.array(steps)).astype(int)
    combs, inside = [], np.ones(len(places), np.bool_)
    for axis in (0, 1):
        if len(np.unique(places[:, axis])) < LEAST_CELLS:
            return None
        step, first = evenly(places[:, axis], own[:, axis])
        low, high = _solid(places[:, axis], places[:, 1 - axis])
        inside &= (places[:, axis] >= low) & (places[:, axis] <= high)
        combs.append(Comb(first + step * (low - 0.5), step, int(high - low) + 2))
    grid, cells = Grid(combs[0], combs[1]), len(np.unique(places[inside], axis=0))
    large = min(grid.rows, grid.cols) >= LEAST_CELLS
    return grid if large and cells >= LEAST_SEEN * grid.rows * grid.cols else None


def _solid(own: npt.NDArray[np.int_], other: npt.NDArray[np.int_]) -> tuple[int, int]:
    """First and last of the lines that most of the crossing lines have a cell on."""
    least = len(np.unique(other)) / 2
    lines = range(int(own.min()), int(own.max()) + 1)
    full = np.array([len(np.unique(other[own == line])) >= least for line in lines])
    return longest(full, lines.start)
