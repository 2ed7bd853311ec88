"""A board's lattice, as the searches for squares and for the honeycomb hand it on."""

from __future__ import annotations

from dataclasses import dataclass

from solver.algemy.board import Shape
from vision.frame import Point

# Cells smaller than this have no room for faces.
LEAST_PITCH_PX = 12.0
# So much of a region's ink may lie beside the board found in it: a board has no more cells than were found.
INK_BESIDE = 0.03


@dataclass(frozen=True)
class Found:
    """A board's lattice.

    rows: the centres of the cells, row by row.
    """

    shape: Shape
    rows: tuple[tuple[Point, ...], ...]
    pitch_px: float
