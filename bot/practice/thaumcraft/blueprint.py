"""Where everything is on the three research tables, in GUI px from the table's top left corner.

Thaumcraft 4.2.3.5 (`stock`), Thaumcraft Research Tweaks (`tweaks`) and the same before October 2023
(`tweaks-3col`); Minecraft 1.7.10 decides the scale and the place of the table in the window.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from solver.lattice import Hex

# Size of a hex: centre to corner, GUI px.
HEX_SIZE = 9.0
CELL = 16
PAGE_ROWS, PAGE_COLUMNS = 5, 5

# What a primal weighs in the order of the tweaks palette, and whether it leans to the left side.
PRIMAL_VALUES = {"ordo": 10, "terra": 12, "aqua": 14, "perditio": 11, "ignis": 13, "aer": 15}
LEFT_PRIMALS = frozenset({"ordo", "terra", "aqua"})


class Area(NamedTuple):
    """A rectangle in GUI px."""

    x: float
    y: float
    width: float
    height: float

    def contains(self, x: float, y: float) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True)
class Blueprint:
    """After which one table is drawn and its clicks are told.

    sides: top left corners of the palette's parts; columns: the width of each.
    """

    ui: str
    width: int
    height: int
    wood_height: int
    inventory: tuple[int, int]
    inventory_slots: tuple[int, int]
    tools: Area
    note: Area
    parchment: Area
    centre: tuple[int, int]
    sides: tuple[tuple[int, int], ...]
    columns: int
    rows: int
    no_ink: tuple[int, int]
    buttons: Mapping[str, Area]

    @property
    def paged(self) -> bool:
        """One page of a longer palette at a time, with combine slots; the stock table."""
        return self.ui == "stock"

    def cell_centre(self, cell: Hex) -> tuple[float, float]:
        """Middle of a cell; whole GUI px (halves up) in tweaks, exact in stock."""
        dx = 1.5 * HEX_SIZE * cell.q
        dy = HEX_SIZE * math.sqrt(3) * (cell.r + cell.q / 2)
        if not self.paged:
            dx, dy = math.floor(dx + 0.5), math.floor(dy + 0.5)
        return self.centre[0] + dx, self.centre[1] + dy

    def cell_at(self, x: float, y: float) -> Hex | None:
        """The lattice position under a point of the parchment, None outside it."""
        if not self.parchment.contains(x, y):
            return None
        q = (x - self.centre[0]) * 2 / 3 / HEX_SIZE
        r = (y - self.centre[1]) / math.sqrt(3) / HEX_SIZE - q / 2
        return _rounded(q, r)

    def inventory_slot(self, number: int) -> Area:
        """One of the 27 slots of the player's inventory, row by row."""
        row, column = divmod(number, 9)
        return Area(self.inventory_slots[0] + 18 * column, self.inventory_slots[1] + 18 * row, CELL, CELL)

    def last_page(self, entries: int) -> int:
        return max(0, (entries - 4 * PAGE_ROWS) // PAGE_ROWS) if self.paged else 0

    def entries(self, order: Sequence[Sequence[str]], page: int) -> dict[str, Area]:
        """The palette as shown. order: one sequence of aspects per side, see `palette_order`."""
        shown: dict[str, Area] = {}
        for (left, top), tags in zip(self.sides, order, strict=True):
            first = PAGE_ROWS * page
            for n, tag in enumerate(tags[first : first + self.columns * self.rows]):
                col, row = divmod(n, self.rows) if self.paged else (n % self.columns, n // self.columns)
                shown[tag] = Area(left + CELL * col, top + CELL * row, CELL, CELL)
        return shown


_STOCK_BUTTONS = {
    "previous-page": Area(27, 121, 24, 8),
    "next-page": Area(51, 121, 24, 8),
    "slot-1": Area(11, 137, 16, 16),
    "slot-2": Area(71, 137, 16, 16),
    "combine": Area(35, 139, 32, 16),
}


def _tweaks(ui: str, width: int, columns: int, shift: int) -> Blueprint:
    """A tweaks table; everything between the palettes stands `shift` GUI px further left in the old one."""
    return Blueprint(
        ui=ui,
        width=width,
        height=279,
        wood_height=219,
        inventory=(83 - shift, 191),
        inventory_slots=(91 - shift, 198),
        tools=Area(91 - shift, 10, 16, 16),
        note=Area(235 - shift, 10, 16, 16),
        parchment=Area(96 - shift, 35, 150, 150),
        centre=(171 - shift, 110),
        sides=((12, 12), (width - 12 - CELL * columns, 12)),
        columns=columns,
        rows=12,
        no_ink=(171 - shift, 111),
        buttons={},
    )


BLUEPRINTS = {
    "stock": Blueprint(
        ui="stock",
        width=255,
        height=255,
        wood_height=167,
        inventory=(40, 167),
        inventory_slots=(48, 175),
        tools=Area(14, 10, 16, 16),
        note=Area(70, 10, 16, 16),
        parchment=Area(94, 8, 150, 150),
        centre=(169, 83),
        sides=((10, 40),),
        columns=PAGE_COLUMNS,
        rows=PAGE_ROWS,
        no_ink=(157, 84),
        buttons=_STOCK_BUTTONS,
    ),
    "tweaks": _tweaks("tweaks", 342, 4, 0),
    "tweaks-3col": _tweaks("tweaks-3col", 310, 3, 16),
}


@dataclass(frozen=True)
class Placing:
    """A table in a window: one GUI px is `scale` device px, the table's corner is at (left, top) in
    GUI px.
    """

    scale: int
    left: int
    top: int

    def to_gui(self, x: float, y: float) -> tuple[int, int]:
        """The whole GUI px that the game sees for a device px."""
        return int(x // self.scale) - self.left, int(y // self.scale) - self.top


def gui_scale(width: int, height: int, option: int = 0) -> int:
    """The scale Minecraft 1.7.10 takes for a window; option 0 is Auto.

    >>> [gui_scale(w, h) for w, h in ((1920, 1080), (2560, 1440), (3840, 2160))]
    [4, 6, 9]
    """
    limit = option or 1000
    scale = 1
    while scale < limit and width // (scale + 1) >= 320 and height // (scale + 1) >= 240:
        scale += 1
    return scale


def placing(blueprint: Blueprint, width: int, height: int, scale: int) -> Placing:
    """Where a table is in a window of width x height device px; divisions truncate toward zero, as in
    Java.
    """
    columns, rows = -(-width // scale), -(-height // scale)
    return Placing(scale, int((columns - blueprint.width) / 2), int((rows - blueprint.height) / 2))


def palette_order(
    blueprint: Blueprint, discovered: frozenset[str], components: Mapping[str, tuple[str, str] | None]
) -> tuple[tuple[str, ...], ...]:
    """The discovered aspects in the order of the palette, one tuple per side.

    components: every aspect -> its two parts, None for a primal; parts before compounds.
    """
    if blueprint.paged:
        return (tuple(sorted(discovered)),)
    value: dict[str, float] = {}
    lean: dict[str, float] = {}
    for tag, parts in components.items():
        if parts is None:
            value[tag] = PRIMAL_VALUES.get(tag, 10)
            lean[tag] = 1.0 if tag in LEFT_PRIMALS else 0.0
        else:
            value[tag] = sum(value[part] for part in parts)
            lean[tag] = sum(lean[part] for part in parts) / 2
    left = [tag for tag in components if lean[tag] > 0.5]
    right = [tag for tag in components if lean[tag] < 0.5]
    for tag in components:
        if lean[tag] == 0.5:
            (left if len(left) <= len(right) else right).append(tag)
    room = blueprint.columns * blueprint.rows
    sides = (sorted(side, key=lambda tag: value[tag]) for side in (left, right))
    return tuple(tuple(tag for tag in side if tag in discovered)[:room] for side in sides)


def _rounded(q: float, r: float) -> Hex:
    """The hex nearest to fractional axial coordinates (cube rounding)."""
    s = -q - r
    whole = [round(q), round(r), round(s)]
    off = [abs(whole[0] - q), abs(whole[1] - r), abs(whole[2] - s)]
    if off[0] > off[1] and off[0] > off[2]:
        whole[0] = -whole[1] - whole[2]
    elif off[1] > off[2]:
        whole[1] = -whole[0] - whole[2]
    return Hex(whole[0], whole[1])
