"""Where the cells of a board are: squares, hexes, and the regions of overlapping rings."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple


class Square(NamedTuple):
    """A cell of a square board, counted from 0 at the top left."""

    row: int
    col: int

    def as_json(self) -> list[int]:
        return [self.row, self.col]

    def in_words(self) -> str:
        """As people count.

        >>> Square(0, 4).in_words()
        'row 1, column 5'
        """
        return f"row {self.row + 1}, column {self.col + 1}"


class Hex(NamedTuple):
    """A cell of a hexagonal board in axial coordinates; the third axis is `s = -q - r`."""

    q: int
    r: int

    @property
    def s(self) -> int:
        return -self.q - self.r

    def as_json(self) -> list[int]:
        return [self.q, self.r]


class Region(NamedTuple):
    """The part of a ring figure that is covered by exactly these rings, written `red+green`."""

    rings: tuple[str, ...]

    def __str__(self) -> str:
        return "+".join(self.rings)

    def as_json(self) -> str:
        return str(self)

    def in_words(self) -> str:
        return str(self)


Cell = Square | Hex | Region

# Axial steps to the six neighbours, in the order Thaumcraft walks them (counted from the right, anticlockwise
# on a flat-top board drawn with y down).
HEX_STEPS = (Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1), Hex(0, 1))


def hex_neighbours(cell: Hex) -> tuple[Hex, ...]:
    """The six cells around a hex, on the board or not.

    >>> hex_neighbours(Hex(0, 0))[0]
    Hex(q=1, r=0)
    """
    return tuple(Hex(cell.q + step.q, cell.r + step.r) for step in HEX_STEPS)


def in_columns(cell: Hex, cells: Collection[Hex]) -> str:
    """Where a hex of a board with upright columns is, as people count: columns from the left, cells from the top.

    cells: all that are on the board.

    >>> in_columns(Hex(1, 0), [Hex(0, 0), Hex(0, 1), Hex(1, -1), Hex(1, 0)])
    'column 2, cell 2'
    """
    columns = sorted({cell.q, *(other.q for other in cells)})
    above = sum(other.q == cell.q and other.r < cell.r for other in cells)
    return f"column {columns.index(cell.q) + 1}, cell {above + 1}"


def hex_distance(a: Hex, b: Hex) -> int:
    """Steps between two hexes.

    >>> hex_distance(Hex(0, 0), Hex(2, -1))
    2
    """
    dq, dr = a.q - b.q, a.r - b.r
    return max(abs(dq), abs(dr), abs(dq + dr))


@lru_cache(maxsize=16)
def hexagon(radius: int) -> tuple[Hex, ...]:
    """All cells within `radius` steps of (0, 0), sorted; remembered.

    >>> len(hexagon(2))
    19
    """
    span = range(-radius, radius + 1)
    return tuple(Hex(q, r) for q in span for r in span if abs(q + r) <= radius)
