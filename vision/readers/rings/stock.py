"""The stock of a ring puzzle: number tiles in even rows below the figure.

All rows but the last are full, so a tile that is missing leaves a gap. One that has been used does, too: there are at most
as many gaps as numbers have been entered. Where a tile would stand nothing else may be seen, however faint.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.errors import UncertainReading
from vision.frame import Box, Point
from vision.measures.edges import near_edges, partly_off
from vision.readers.rings.figure import Circle, box_of
from vision.readers.rings.symbols import Label
from vision.readers.rings.writing import crop
from vision.reading import Control

Floats = npt.NDArray[np.float64]

# Tiles are of one size, but for this share and two px.
ALIKE = 0.15
# Of a tile's ink so much where no tile was seen is a tile that cannot be read; its middle, this share of it, is looked at.
FAINT, MIDDLE = 0.3, 0.7
# Tiles further apart than so many times the least are no neighbours; a single tile would have one beside it this far away.
NEIGHBOURS, BESIDE = 1.75, 1.3
# The picture goes on below and beside the tiles for this share of a tile's height, or of the space between two.
ROOM, OF_SPACE = 0.2, 0.8
# Tiles stand in their places but for this share of the way to the next.
IN_PLACE = 0.15
HINT = "take a larger or sharper picture, with the whole row of number tiles"


@dataclass(frozen=True)
class Stock:
    """numbers: of the tiles; controls: where to tap for each; gaps: tiles missing between the others; tiles: where they are."""

    numbers: tuple[int, ...] = ()
    controls: Mapping[str, Control] = field(default_factory=dict)
    gaps: int = 0
    tiles: tuple[Box, ...] = ()


def read_stock(
    outside: Sequence[Label], circles: Sequence[Circle], ink: npt.NDArray[np.uint8]
) -> tuple[Stock, list[Label]]:
    """The tiles below the figure, and the other labels outside the rings. ink: (H, W) of the picture.

    Raises UncertainReading for a tile that cannot be read or is of another size, for writing among the tiles, and for a stock
    that the picture's edge cuts.
    """
    bottom = box_of(circles).bottom
    plates = [one.plate for one in outside if one.plate is not None and one.at.y > bottom]
    if not plates:
        return Stock(), [one for one in outside if one.kind != "empty"]
    top = min(plate.top for plate in plates)
    labels = [one for one in outside if one.box.bottom > top]
    usual = np.median(np.array(plates)[:, 2:], axis=0)
    # Grain may hide a plate, but not its number.
    tiles = tuple(one.plate or _about(one.at, usual) for one in labels)
    grid = _Grid.of(plates)
    strange = [
        one.at
        for one, tile in zip(labels, tiles, strict=True)
        if one.value is None
        or (one.plate is None and not grid.has(one.at))
        or (np.abs(np.array(tile[2:]) - usual) > ALIKE * usual + 2).any()
    ]
    if strange:
        raise UncertainReading(
            f"{len(strange)} of {len(tiles)} stock tiles cannot be read, or are none, one at ({strange[0].x:.0f},"
            f" {strange[0].y:.0f})",
            hint=HINT,
        )
    numbers = tuple(one.value for one in labels if one.value is not None)
    counts = Counter(str(number) for number in numbers)
    controls = {
        str(one.value): Control(one.at, counts[str(one.value)], confidence=one.confidence) for one in labels
    }
    gaps = _gaps(tiles, grid, ink)
    _refuse_cut(tiles, (ink.shape[1], ink.shape[0]))
    return Stock(numbers, controls, gaps, tiles), [one for one in outside if one not in labels]


class _Grid(NamedTuple):
    """Where tiles may stand: the middle of the first one, and how far the middles of neighbours are apart."""

    first: Point
    across: float
    down: float

    @classmethod
    def of(cls, tiles: Sequence[Box]) -> _Grid:
        pitches = []
        for way in (0, 1):
            middles = sorted(tile.centre[way] for tile in tiles)
            steps = [b - a for a, b in pairwise(middles) if b - a > tiles[0][2 + way] / 2]
            pitches.append(
                float(np.median([one for one in steps if one < NEIGHBOURS * min(steps)])) if steps else 0.0
            )
        across, down = (one or max(*pitches, BESIDE * tiles[0].width) for one in pitches)
        return cls(Point(*(min(tile.centre[way] for tile in tiles) for way in (0, 1))), across, down)

    def place(self, at: Point) -> tuple[int, int]:
        """The row and column of a tile."""
        return round((at.y - self.first.y) / self.down), round((at.x - self.first.x) / self.across)

    def middle(self, row: int, column: int) -> Point:
        return Point(self.first.x + column * self.across, self.first.y + row * self.down)

    def has(self, at: Point) -> bool:
        return math.dist(at, self.middle(*self.place(at))) < IN_PLACE * self.down


def _gaps(tiles: Sequence[Box], grid: _Grid, ink: npt.NDArray[np.uint8]) -> int:
    """How many tiles are missing between others in their grid. Raises UncertainReading for one that is faintly there."""
    taken = {grid.place(tile.centre) for tile in tiles}
    rows, columns = (max(place[way] for place in taken) + 1 for way in (0, 1))
    end = max(column for row, column in taken if row == rows - 1)
    around = {(row, column) for row in range(rows) for column in range(-1, columns + 1)} | {(rows, 0)}
    middle = MIDDLE * np.array(tiles[0][2:])
    ground = float(np.median(ink[::3, ::3]))
    usual = np.median([_ink_in(ink, tile.centre, middle) for tile in tiles]) - ground
    for row, column in sorted(around - taken):
        at = grid.middle(row, column)
        # A tile stands apart from others; what goes on between its place and the next ones is another ground.
        step = np.array((0.5 * grid.across, 0.0) if row < rows else (0.0, 0.5 * grid.down))
        space = np.where(step > 0, MIDDLE * (2 * step - tiles[0][2:]), middle)
        apart = [_ink_in(ink, Point(*(at + way * step)), space) for way in (-1, 1)]
        if _ink_in(ink, at, middle) > ground + FAINT * usual >= max(apart):
            raise UncertainReading(
                f"a tile at ({at.x:.0f}, {at.y:.0f}) in the stock's row is too faint to be read", hint=HINT
            )
    return sum(
        row < rows and 0 <= column < (columns if row < rows - 1 else end) for row, column in around - taken
    )


def _about(at: Point, size: Floats) -> Box:
    """The box of a size around a place."""
    return Box.spanning(Point(*(at - size / 2)), Point(*(at + size / 2)))


def _ink_in(ink: npt.NDArray[np.uint8], at: Point, size: Floats) -> float:
    """The mean ink around a place, 0 where a part of that is not on the picture."""
    part = crop(ink, _about(at, size))
    return float(part.mean()) if part.size >= size[0] * size[1] else 0.0


def _refuse_cut(tiles: Sequence[Box], size: tuple[int, int]) -> None:
    spaces = [b.left - a.right for a, b in pairwise(sorted(tiles)) if b.left > a.right]
    sides = near_edges(
        Box.around(*tiles),
        size,
        max(2.0, min([ROOM * tiles[0].height, *(OF_SPACE * space for space in spaces)])),
    )
    if sides:
        raise partly_off(f"the stock of {len(tiles)} numbers ends at the {sides[0]} of the picture")
