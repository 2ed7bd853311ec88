"""Where the islands of a board stand, and how they are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from solver.lattice import Square
from vision.errors import BoardNotFound
from vision.frame import Box, Pixels
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
from vision.readers.bridges.lattice import LEAST_ISLANDS, ONE_PITCH, OUTSIDE, on_lattice

# Without the collection's rings it takes one circle more to be a board.
LEAST_OF_OTHERS = 4
# The collection draws islands of 1.2 cells; nobody else lets them overlap.
COLLECTION = (0.53, 0.66)
# Its rings are as wide as this share of their radius; then smaller islands may show a lattice of two cells.
RING = (0.09, 0.29)
NARROW = (0.55, 0.645)
MEASURED_PX = 0.5


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
    """The islands on their lattice. Raises BoardNotFound."""
    linked = in_line(islands)
    placed = on_lattice(linked) if len(linked) >= LEAST_ISLANDS else None
    if placed is None:
        raise BoardNotFound(
            f"{len(islands)} circles with a number inside, which stand on no common lattice",
            hint="show the whole board, with islands at least 15 px wide",
        )
    discs, xs, ys = placed
    radius = float(np.median([d.radius for d in discs.values()]))
    ground = ground_of(pixels, discs.values())
    contrast = contrast_of(pixels, ground, box_around(pixels, xs, ys, OUTSIDE + 0.7))
    ring = ring_of(contrast, list(discs.values()), radius, min(xs.pitch, ys.pitch))
    real = are_islands(contrast, list(discs.values()), ring)
    discs = {at: disc for (at, disc), island in zip(discs.items(), real, strict=True) if island}
    parts = _cells_of_collection(_touching(discs), xs, ys, ring)
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
    height, width = pixels.shape[:2]
    left, top = max(int(xs.at(-cells)), 0), max(int(ys.at(-cells)), 0)
    right = min(int(xs.at(xs.count - 1 + cells)), width)
    bottom = min(int(ys.at(ys.count - 1 + cells)), height)
    return Box(left, top, right - left, bottom - top)


def _touching(discs: Mapping[Square, Disc]) -> bool:
    """Whether islands stand beside each other, with no room for a bridge on the lattice as it was found."""
    return any(
        other in discs for at in discs for other in (Square(at.row, at.col + 1), Square(at.row + 1, at.col))
    )


def _cells_of_collection(touching: bool, xs: Comb, ys: Comb, ring: Ring) -> int:
    """How many of its cells lie between lattice lines, where the rings are the collection's; 0 where they are not.

    Small boards often have islands in every second row and column only. The rings then still tell the cell.
    """
    pitch = min(xs.pitch, ys.pitch)
    if abs(xs.pitch - ys.pitch) > ONE_PITCH * pitch or not RING[0] <= ring.width / ring.outer <= RING[1]:
        return 0
    if _reaches(ring.outer, pitch, COLLECTION):
        return 1
    return 2 if touching and _reaches(ring.outer, pitch / 2, NARROW) else 0


def _reaches(outer: float, cell_px: float, shares: tuple[float, float]) -> bool:
    """Whether islands reach from one to the other share of a cell, as far as half a px can be measured."""
    return shares[0] * cell_px - MEASURED_PX <= outer <= shares[1] * cell_px + MEASURED_PX


def _divided(comb: Comb, parts: int) -> Comb:
    return Comb(comb.first, comb.pitch / parts, (comb.count - 1) * parts + 1)
