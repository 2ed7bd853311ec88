"""Where things are on the three research tables, in GUI px from the table's top left corner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from solver.lattice import HEX_STEPS, Hex, hexagon
from vision.frame import Box, Point

ICON_GUI = 16
HEX_SIZE_GUI = 9.0
PITCH_GUI = HEX_SIZE_GUI * 3**0.5
COLUMN_GUI = HEX_SIZE_GUI * 1.5
LARGEST_RADIUS = 4


@dataclass(frozen=True)
class Layout:
    """One user interface.

    table, inventory, parchment: boxes of the pictures that never change (parchment: with a note only).
    palette: top left of each block of 16 x 16 entries; columns and rows of a block.
    column_major: entries run down the columns first.
    whole: cell centres are rounded to whole GUI px.
    moving: boxes inside the table where something may lie or change.
    """

    ui: str
    table: Box
    inventory: Box
    inventory_part_top: int
    parchment: Box
    centre: Point
    palette: tuple[tuple[int, int], ...]
    columns: int
    rows: int
    column_major: bool
    whole: bool
    note: Box
    tools: Box
    copy: Box
    slots: tuple[Box, ...]
    combine: Box | None
    arrows: Mapping[str, Box]
    moving: tuple[Box, ...]

    def cell_centre(self, cell: Hex) -> Point:
        """Centre of a cell in GUI px."""
        dx, dy = COLUMN_GUI * cell.q, PITCH_GUI * (cell.r + cell.q / 2)
        if self.whole:
            dx, dy = float(int(dx + 100.5) - 100), float(int(dy + 100.5) - 100)
        return Point(self.centre.x + dx, self.centre.y + dy)

    @cached_property
    def cell_centres(self) -> Mapping[Hex, Point]:
        """Centres of all cells of the largest note, in GUI px."""
        return {cell: self.cell_centre(cell) for cell in hexagon(LARGEST_RADIUS)}

    @property
    def block(self) -> int:
        """Entries in one block of the palette."""
        return self.columns * self.rows

    def palette_boxes(self) -> tuple[Box, ...]:
        """Where the palette's blocks are, in GUI px."""
        wide = -(-self.block // self.rows) if self.column_major else self.columns
        high = self.rows if self.column_major else -(-self.block // self.columns)
        return tuple(Box(left, top, ICON_GUI * wide, ICON_GUI * high) for left, top in self.palette)

    @cached_property
    def palette_centres(self) -> tuple[Point, ...]:
        """Centres of all palette entries in GUI px, in the order that the game fills them."""
        centres = []
        for left, top in self.palette:
            for i in range(self.block):
                if self.column_major:
                    col, row = divmod(i, self.rows)
                else:
                    row, col = divmod(i, self.columns)
                centres.append(Point(left + ICON_GUI * col + 8, top + ICON_GUI * row + 8))
        return tuple(centres)


STOCK = Layout(
    ui="stock",
    table=Box(0, 0, 255, 167),
    inventory=Box(40, 167, 184, 88),
    inventory_part_top=0,
    parchment=Box(94, 8, 150, 150),
    centre=Point(169, 83),
    palette=((10, 40),),
    columns=5,
    rows=5,
    column_major=True,
    whole=False,
    note=Box(70, 10, 16, 16),
    tools=Box(14, 10, 16, 16),
    copy=Box(37, 5, 24, 24),
    slots=(Box(13, 139, 16, 16), Box(71, 139, 16, 16)),
    combine=Box(35, 139, 32, 16),
    arrows={"previous-page": Box(27, 121, 24, 8), "next-page": Box(51, 121, 24, 8)},
    moving=(
        Box(36, 4, 26, 26),
        Box(8, 38, 84, 84),
        Box(25, 119, 52, 12),
        Box(11, 137, 20, 20),
        Box(69, 137, 20, 20),
        Box(33, 137, 36, 20),
    ),
)


def _tweaks(ui: str, columns: int) -> Layout:
    """The table of Research Tweaks: the note in the middle, so many columns of entries on either side."""
    wide = 16 * columns
    return Layout(
        ui=ui,
        table=Box(0, 0, 214 + 2 * wide, 219),
        inventory=Box(19 + wide, 191, 176, 87),
        inventory_part_top=1,
        parchment=Box(32 + wide, 35, 150, 150),
        centre=Point(107 + wide, 110),
        palette=((12, 12), (202 + wide, 12)),
        columns=columns,
        rows=12,
        column_major=False,
        whole=True,
        note=Box(171 + wide, 10, 16, 16),
        tools=Box(27 + wide, 10, 16, 16),
        copy=Box(143 + wide, 6, 24, 24),
        slots=(),
        combine=None,
        arrows={},
        moving=(
            Box(8, 8, 8 + wide, 200),
            Box(198 + wide, 8, 8 + wide, 200),
            Box(141 + wide, 4, 28, 28),
            Box(45 + wide, 4, 28, 28),
        ),
    )


TWEAKS, TWEAKS_3COL = _tweaks("tweaks", 4), _tweaks("tweaks-3col", 3)
LAYOUTS = (STOCK, TWEAKS, TWEAKS_3COL)


def ring(radius: int) -> tuple[Hex, ...]:
    """The outer ring of a note in the order the game numbers it.

    >>> ring(1)[:3]
    (Hex(q=-1, r=1), Hex(q=0, r=1), Hex(q=1, r=0))
    """
    q, r = -radius, radius
    cells = []
    for step in HEX_STEPS:
        for _ in range(radius):
            cells.append(Hex(q, r))
            q, r = q + step.q, r + step.r
    return tuple(cells)


@lru_cache(maxsize=64)
def given_places(radius: int, number: int) -> frozenset[Hex]:
    """Where the game prints that many givens on a note of that radius; remembered.

    >>> sorted(given_places(2, 3))
    [Hex(q=-2, r=2), Hex(q=0, r=-2), Hex(q=2, r=0)]
    """
    cells = ring(radius)
    return frozenset(cells[int(k * 6 * radius / number + 0.5) % len(cells)] for k in range(number))
