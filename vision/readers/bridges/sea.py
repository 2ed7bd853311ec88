"""Where the islands of a board stand, and how they are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from solver.lattice import Square
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Pixels, Point
from vision.grids import Comb
from vision.readers.bridges.discs import Disc, in_line
from vision.readers.bridges.drawn import (
    Colour,
    Contrast,
    Ring,
    are_islands,
    contrast_of,
    ground_of,
    ring_of,
)
from vision.readers.bridges.lattice import LEAST_ISLANDS, ONE_PITCH, OUTSIDE, on_lattice, within

# Without the collection's rings it takes one circle more to be a board.
LEAST_OF_OTHERS = 4
# The collection draws islands of 1.2 cells; nobody else lets them overlap.
COLLECTION = (0.53, 0.66)
# Its rings are as wide as this share of their radius; then smaller islands may show a lattice of more cells.
RING = (0.09, 0.29)
NARROW = (0.55, 0.645)
MEASURED_PX = 0.5
# So many of its cells may lie between lattice lines. Its window ends a cell beyond the outer islands, and so near to it.
MOST_CELLS = 8
FRAME, FRAME_PX = 0.06, 1.5
# Beyond the window there is something else on this share of its side, and nothing is drawn on as much of its last px.
ELSE, FRAME_LEVELS = 0.95, 16


class Sea(NamedTuple):
    """The islands, where they stand, and how they are drawn; sgt: as the collection does.

    contrast: of the board, as far as islands are looked for outside.
    """

    discs: Mapping[Square, Disc]
    xs: Comb
    ys: Comb
    ground: Colour
    ring: Ring
    contrast: Contrast
    sgt: bool

    @property
    def pitch(self) -> float:
        return min(self.xs.pitch, self.ys.pitch)

    @property
    def radius(self) -> float:
        """Of the inside of an island, in px."""
        return float(np.median([d.radius for d in self.discs.values()]))


def sea_of(pixels: Pixels, islands: Sequence[Disc]) -> Sea:
    """The islands on their lattice. Raises BoardNotFound and, where one has no neighbour at all, UncertainReading."""
    linked = in_line(islands)
    placed = on_lattice(linked) if len(linked) >= LEAST_ISLANDS else None
    if placed is None:
        raise BoardNotFound(
            f"{len(islands)} circles with a number inside, which stand on no common lattice",
            hint="show the whole board, with islands at least 15 px wide",
        )
    discs, xs, ys = placed
    # Islands in a single line have nothing between first and last ones: any other one tells that most were not seen.
    line = 1 in (xs.count, ys.count)
    apart = [disc for disc in islands if disc not in linked and (line or within(disc, xs, ys))]
    if apart:
        raise UncertainReading(
            f"the island at ({apart[0].x:.0f}, {apart[0].y:.0f}) stands in line with no other",
            hint="show the whole board, and nothing over it",
        )
    radius = float(np.median([d.radius for d in discs.values()]))
    ground = ground_of(pixels, discs.values())
    contrast = contrast_of(pixels, ground, box_around(pixels, xs, ys, OUTSIDE + 0.7))
    ring = ring_of(contrast, list(discs.values()), radius, min(xs.pitch, ys.pitch))
    real = are_islands(contrast, list(discs.values()), ring)
    discs = {at: disc for (at, disc), island in zip(discs.items(), real, strict=True) if island}
    parts = _cells_of_collection(contrast, discs, xs, ys, ring)
    if len(discs) < (LEAST_ISLANDS if parts else LEAST_OF_OTHERS):
        raise BoardNotFound(
            f"{len(discs)} circles with a number inside are too few for a board",
            hint="show the whole board",
        )
    if parts > 1:
        xs, ys = _divided(xs, parts), _divided(ys, parts)
        discs = {Square(parts * at.row, parts * at.col): disc for at, disc in discs.items()}
    return Sea(discs, xs, ys, ground, ring, contrast, parts > 0)


def box_around(pixels: Pixels, xs: Comb, ys: Comb, cells: float) -> Box:
    """The part of the picture that reaches so many cells beyond the lattice's first and last lines."""
    far = Point(xs.at(xs.count - 1 + cells), ys.at(ys.count - 1 + cells))
    return Box.spanning(Point(xs.at(-cells), ys.at(-cells)), far).clipped((pixels.shape[1], pixels.shape[0]))


def _touching(discs: Mapping[Square, Disc]) -> bool:
    """Whether islands stand beside each other, with no room for a bridge on the lattice as it was found."""
    return any(
        other in discs for at in discs for other in (Square(at.row, at.col + 1), Square(at.row + 1, at.col))
    )


def _cells_of_collection(
    contrast: Contrast, discs: Mapping[Square, Disc], xs: Comb, ys: Comb, ring: Ring
) -> int:
    """How many of its cells lie between lattice lines, where the rings are the collection's; 0 where they are not.

    Small boards often have islands in every second row and column only, and boards of few islands in every third or
    sixth. The rings then still tell the cell; and for more than two, where other programs draw islands as small, the
    window, which ends a cell beyond the outer ones.
    """
    pitch = min(xs.pitch, ys.pitch)
    if abs(xs.pitch - ys.pitch) > ONE_PITCH * pitch or not RING[0] <= ring.width / ring.outer <= RING[1]:
        return 0
    if _reaches(ring.outer, pitch, COLLECTION):
        return 1
    if _reaches(ring.outer, pitch / 2, NARROW):
        return 2 if _touching(discs) else 0
    fitting = (cells for cells in range(3, MOST_CELLS + 1) if _reaches(ring.outer, pitch / cells, NARROW))
    return next((cells for cells in fitting if _ends_with_the_window(contrast, xs, ys, pitch / cells)), 0)


def _ends_with_the_window(contrast: Contrast, xs: Comb, ys: Comb, cell_px: float) -> bool:
    """Whether the ground ends so far beyond the outer lattice lines to the left, to the right and below."""
    box, slack = contrast.box, FRAME * cell_px + FRAME_PX
    drawn = np.pad(contrast.away >= FRAME_LEVELS, 1, constant_values=True)
    left, right = xs.first - box.left, xs.at(xs.count - 1) - box.left
    top, bottom = ys.first - box.top, ys.at(ys.count - 1) - box.top
    side = drawn[int(top) : int(bottom) + 2].mean(axis=0)
    below = drawn[:, int(left) : int(right) + 2].mean(axis=1)
    for shares, last, way in ((side, left, -1), (side, right, 1), (below, bottom, 1)):
        inner, outer = (round(last + 1 + way * (cell_px + off)) for off in (-slack, slack))
        beyond = shares[np.clip(np.arange(min(inner, outer), max(inner, outer) + 1), 0, len(shares) - 1)]
        if beyond.max() < ELSE or beyond.min() > 1 - ELSE:
            return False
    return True


def _reaches(outer: float, cell_px: float, shares: tuple[float, float]) -> bool:
    """Whether islands reach from one to the other share of a cell, as far as half a px can be measured."""
    return shares[0] * cell_px - MEASURED_PX <= outer <= shares[1] * cell_px + MEASURED_PX


def _divided(comb: Comb, parts: int) -> Comb:
    return Comb(comb.first, comb.pitch / parts, (comb.count - 1) * parts + 1)
