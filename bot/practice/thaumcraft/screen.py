"""Draws the research table as Minecraft does: textures, nearest-neighbour, in whole multiples of a GUI px.

`TableView` is all that can be seen; the same view and time always give the same picture. What moves in the
game moves here: orbs behind givens, runes that come and go, pulsing links, sparkles on bonus aspects.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from bot.practice.thaumcraft.blueprint import CELL, Area, Blueprint, Placing, placing
from solver.lattice import HEX_STEPS, Hex, hexagon
from vision.frame import Pixels

Texture = npt.NDArray[np.uint8]

DIM_ALPHA, OUTLINE_ALPHA, SILHOUETTE_ALPHA, RUNE_ALPHA, UNKNOWN_ALPHA = 0.33, 0.25, 0.53, 0.33, 0.5
LINK_BGR, LINK_PX = (0.8, 0.6, 0.0), 3
TICK_S = 0.05
RUNE_LIFE_S = 18.0


# Textures of a research note that is open and of a finished one.
NOTE, DISCOVERY = "items/researchnotes", "items/discovery"


@dataclass(frozen=True)
class CellView:
    """One cell: `aspect` "" when free; "?" is a given that the player has not discovered."""

    aspect: str = ""
    given: bool = False
    linked: bool = True


@dataclass(frozen=True)
class TableView:
    """All that the table shows.

    cells: the cells of the note, None without a note. A finished note has only what was kept.
    entries: palette as shown, aspect -> place; stock and bonus in units.
    links: pairs of cells with a line between them.
    buttons: names of the buttons drawn; slots: aspect in slot 1 and 2, "" when empty.
    ink: how much of the scribing tools is left, 0..1; None when there are none.
    pointer: whole GUI px, where the mouse is; dragging: the aspect on it.
    items: what lies in the slots of the player's inventory, by texture name; "" for nothing.
    """

    blueprint: Blueprint
    cells: Mapping[Hex, CellView] | None
    entries: Mapping[str, Area]
    stock: Mapping[str, int]
    bonus: Mapping[str, int] = field(default_factory=dict)
    links: tuple[tuple[Hex, Hex], ...] = ()
    buttons: tuple[str, ...] = ()
    slots: tuple[str, str] = ("", "")
    complete: bool = False
    ink: float | None = 1.0
    pointer: tuple[int, int] | None = None
    dragging: str = ""
    items: tuple[str, ...] = ()
    seed: int = 0


class TableScreen:
    """A window with the table in it.

    textures: the game's relative path -> (H, W, 4) uint8, BGRA. colours: aspect -> (blue, green, red),
    0..255.
    solid: aspects whose texture is broken on this client: drawn as plain squares of their colour.
    """

    def __init__(
        self,
        textures: Mapping[str, Texture],
        colours: Mapping[str, tuple[int, int, int]],
        blueprint: Blueprint,
        window: tuple[int, int],
        scale: int,
        solid: frozenset[str] = frozenset(),
    ) -> None:
        self.textures = textures
        self.colours = colours
        self.blueprint = blueprint
        self.window = window
        self.place: Placing = placing(blueprint, window[0], window[1], scale)
        self._solid = solid
        self._canvas = np.zeros((window[1], window[0], 3), np.uint8)
        self._bare = _world(window[0], window[1], scale)
        self._draw_table()
        # What was drawn last of what does not move, and the picture of it.
        self._still: tuple[tuple[object, ...], Pixels] | None = None

    def world(self) -> Pixels:
        """What is there when the table is closed."""
        return np.asarray(np.clip(_world(*self.window, self.place.scale) * 4.0, 0, 255), np.uint8)

    def render(self, view: TableView, now_s: float) -> Pixels:
        """The window at this time, (H, W, 3) uint8, BGR."""
        tick = int(now_s / TICK_S)
        self._draw_still(view)
        self._draw_bonus(view, tick)
        if view.cells is not None:
            sheet = self.blueprint.parchment
            self._blit("misc/parchment3", (0, 0, 150, 150), sheet)
            self._draw_runes(view, now_s)
            self._draw_cells(view, now_s, tick)
            if not view.ink:
                self._tooltip(self.blueprint.no_ink[0] - 60, self.blueprint.no_ink[1] - 10, 120, 22)
        self._draw_pointer(view, tick)
        return self._canvas

    def _draw_still(self, view: TableView) -> None:
        """Items and palette: drawn when they change, which is seldom."""
        mappings = (tuple(part.items()) for part in (view.entries, view.stock, view.bonus))
        shown = (view.items, view.ink, view.cells is None, view.complete, view.buttons, view.slots, *mappings)
        if self._still is None or self._still[0] != shown:
            self._canvas = self._bare.copy()
            self._draw_items(view)
            self._draw_palette(view)
            self._still = shown, self._canvas
        self._canvas = self._still[1].copy()

    def _draw_table(self) -> None:
        """The parts that never change, into the bare window."""
        self._canvas = self._bare
        blueprint = self.blueprint
        wood = (0, 0, blueprint.width, blueprint.wood_height)
        name = "gui/guiresearchtable2" if blueprint.paged else self._wood_name()
        self._blit(name, wood, Area(0, 0, blueprint.width, blueprint.wood_height))
        x, y = blueprint.inventory
        part = (0, 166, 184, 88) if blueprint.paged else (0, 167, 176, 88)
        self._blit("gui/guiresearchtable2", part, Area(x, y, part[2], part[3]))

    def _wood_name(self) -> str:
        """The wood of a tweaks table is the one that is as wide as the table."""
        for name, texture in self.textures.items():
            if name.startswith("research/table/") and texture.shape[1] == self.blueprint.width:
                return name
        raise KeyError(f"no texture research/table/... is {self.blueprint.width} px wide")

    def _draw_items(self, view: TableView) -> None:
        blueprint = self.blueprint
        if view.ink is not None:
            self._item("items/inkwell", blueprint.tools)
            if view.ink < 1:
                bar = blueprint.tools
                self._fill(Area(bar.x + 2, bar.y + 13, 13, 2), (0, 0, 0))
                green = round(255 * view.ink)
                self._fill(Area(bar.x + 2, bar.y + 13, round(13 * view.ink), 1), (0, green, 255 - green))
        if view.cells is not None:
            self._item(DISCOVERY if view.complete else NOTE, blueprint.note)
        for slot, name in enumerate(view.items):
            if name:
                self._item(name, blueprint.inventory_slot(slot))

    def _item(self, name: str, at: Area) -> None:
        """An item in its slot; a texture set without items leaves the slot with a plain mark."""
        texture = self.textures.get(name)
        if texture is None:
            self._fill(Area(at.x + 3, at.y + 3, 10, 10), (120, 170, 200))
        else:
            self._blit(name, (0, 0, texture.shape[1], texture.shape[0]), at)

    def _draw_palette(self, view: TableView) -> None:
        for name in view.buttons:
            source = {"previous-page": (184, 208, 24, 8), "next-page": (208, 208, 24, 8)}.get(name)
            if source is not None:
                self._blit("gui/guiresearchtable2", source, self.blueprint.buttons[name])
        for name, tag in zip(("slot-1", "slot-2"), view.slots, strict=True):
            if tag:
                area = self.blueprint.buttons[name]
                self._icon(tag, Area(13 if name == "slot-1" else 71, area.y + 2, CELL, CELL))
        if all(view.slots):
            self._blit(
                "gui/guiresearchtable2", (184, 168, 32, 16), self.blueprint.buttons["combine"], alpha=0.4
            )
        for tag, at in view.entries.items():
            stock, bonus = view.stock.get(tag, 0), view.bonus.get(tag, 0)
            self._icon(tag, at, alpha=1.0 if stock + bonus > 0 else DIM_ALPHA)
            if stock > 0:
                self._number(stock, at)

    def _draw_bonus(self, view: TableView, tick: int) -> None:
        """Sparkles over what the table owns itself, which leave a cell to the left and upwards only."""
        for tag, at in view.entries.items():
            bonus = view.bonus.get(tag, 0)
            if bonus > 0:
                sparkle = (16 * (tick % 16), 80, 16, 16)
                self._blit("misc/particles", sparkle, Area(at.x - 4, at.y - 4, CELL, CELL), additive=True)
                if bonus > 1:
                    self._number(bonus, Area(at.x - 8, at.y - 9, CELL, CELL))

    def _draw_runes(self, view: TableView, now_s: float) -> None:
        """Signs on lattice positions that are no cells: each comes, stays and fades in a life of its own."""
        assert view.cells is not None
        for cell in hexagon(5):
            x, y = self.blueprint.cell_centre(cell)
            inside = self.blueprint.parchment.contains(x - 6, y - 6) and self.blueprint.parchment.contains(
                x + 6, y + 6
            )
            if cell in view.cells or not inside:
                continue
            phase = random.Random(f"{view.seed} {cell}").random()
            life, part = divmod(now_s / RUNE_LIFE_S + phase, 1.0)
            turn = random.Random(f"{view.seed} {cell} {int(life)}")
            if turn.random() < 0.6:
                continue
            strength = min(1.0, 4 * part, 4 * (1 - part))
            sign = (16 * turn.randrange(16), 0, 16, 16)
            self._blit(
                "misc/script", sign, Area(x - 5, y - 5, 10, 10), tint=(0, 0, 0), alpha=RUNE_ALPHA * strength
            )

    def _draw_cells(self, view: TableView, now_s: float, tick: int) -> None:
        assert view.cells is not None
        order = (self._draw_links, self._draw_outlines)
        for draw in order if self.blueprint.paged else reversed(order):
            draw(view, now_s)
        flicker = random.Random(tick)
        for cell, seen in view.cells.items():
            at = self._cell_area(cell)
            if seen.given and not (view.complete and self.blueprint.paged):
                colour = tuple(flicker.randrange(150, 256) for _ in range(3))
                orb = (128 + 16 * flicker.randrange(8), 128, 16, 16)
                self._blit("misc/particles", orb, at, tint=colour, alpha=0.8)
            if seen.aspect == "?":
                self._blit("aspects/_unknown", (0, 0, 32, 32), at, tint=(0, 0, 0), alpha=UNKNOWN_ALPHA)
            elif seen.aspect:
                shown = seen.linked or seen.given
                self._icon(
                    seen.aspect, at, alpha=1.0 if shown else SILHOUETTE_ALPHA, light=1.0 if shown else 0.1
                )

    def _cell_area(self, cell: Hex) -> Area:
        x, y = self.blueprint.cell_centre(cell)
        return Area(x - CELL / 2, y - CELL / 2, CELL, CELL)

    def _draw_links(self, view: TableView, now_s: float) -> None:
        """Lines of so many device px at every scale, brighter and darker with time."""
        for a, b in view.links:
            ends = np.array([self._device(*self.blueprint.cell_centre(cell)) for cell in (a, b)], np.intp)
            pulse = 0.6 + 0.3 * math.sin(3.0 * now_s + a.q + 2 * a.r)
            left, top = np.maximum(ends.min(axis=0) - LINK_PX, 0)
            right, bottom = ends.max(axis=0) + LINK_PX
            part = self._canvas[top:bottom, left:right]
            line = np.zeros(part.shape[:2], np.uint8)
            start, end = (ends - (left, top)).tolist()
            cv2.line(line, start, end, 255, LINK_PX)
            part[line > 0] = np.clip(
                part[line > 0] + np.array(LINK_BGR, np.float32) * 255 * pulse, 0, 255
            ).astype(np.uint8)

    def _draw_outlines(self, view: TableView, now_s: float) -> None:
        assert view.cells is not None
        hovered = (
            self.blueprint.cell_at(view.pointer[0] + 0.5, view.pointer[1] + 0.5) if view.pointer else None
        )
        for cell, seen in view.cells.items():
            if seen.given or view.complete:
                continue
            at = self._cell_area(cell)
            self._blit("gui/hex1", (0, 0, 32, 32), at, alpha=OUTLINE_ALPHA)
            if cell == hovered:
                self._blit("gui/hex2", (0, 0, 32, 32), at, additive=True)

    def _draw_pointer(self, view: TableView, tick: int) -> None:
        if view.pointer is None:
            return
        x, y = view.pointer
        if view.dragging:
            colour = self.colours[view.dragging]
            orb = (128 + 16 * (tick % 8), 128, 16, 16)
            self._blit("misc/particles", orb, Area(x - 8, y - 8, CELL, CELL), tint=colour)
            return
        over = [tag for tag, at in view.entries.items() if at.contains(x, y)]
        over += [
            tag
            for n, tag in enumerate(view.slots)
            if tag and self.blueprint.buttons[f"slot-{n + 1}"].contains(x, y)
        ]
        if over or self.blueprint.tools.contains(x, y) or self.blueprint.note.contains(x, y):
            self._tooltip(x + 12, y - 12, 70, 30)

    def _icon(self, tag: str, at: Area, alpha: float = 1.0, light: float = 1.0) -> None:
        """An aspect's texture times its colour."""
        blue, green, red = self.colours[tag]
        tint = (blue * light, green * light, red * light)
        if tag in self._solid:
            self._fill(at, tint, alpha)
            return
        texture = self.textures[f"aspects/{tag}"]
        self._blit(f"aspects/{tag}", (0, 0, texture.shape[1], texture.shape[0]), at, tint=tint, alpha=alpha)

    def _number(self, number: int, at: Area) -> None:
        """Digits at half size with a black outline, right and bottom aligned in a palette cell."""
        text = str(number)
        left, top = at.x + CELL - 3 * len(text), at.y + 11.5
        outline = [((0.5, 0.0), 0), ((-0.5, 0.0), 0), ((0.0, 0.5), 0), ((0.0, -0.5), 0), ((0.0, 0.0), 255)]
        for (dx, dy), light in outline:
            for n, digit in enumerate(text):
                source = (8 * int(digit), 24, 8, 8)
                place = Area(left + 3 * n + dx, top + dy, 4, 4)
                self._blit("font/ascii", source, place, tint=(light, light, light))

    def _tooltip(self, x: float, y: float, width: float, height: float) -> None:
        self._fill(Area(x - 3, y - 3, width + 6, height + 6), (16, 0, 16), 0.94)
        self._fill(Area(x - 2, y - 2, width + 4, 1), (255, 0, 80), 0.31)
        for line in range(8, int(height), 12):
            self._fill(Area(x, y + line - 6, width - 8, 3), (200, 200, 200), 0.9)

    def _device(self, x: float, y: float) -> tuple[float, float]:
        scale = self.place.scale
        return scale * (self.place.left + x), scale * (self.place.top + y)

    def _span(self, start: float, length: float, limit: int) -> tuple[int, int]:
        """The device px whose middles lie in a stretch, cut to the window."""
        return max(0, math.ceil(start - 0.5)), min(limit, math.ceil(start + length - 0.5))

    def _fill(self, at: Area, colour: tuple[float, ...], alpha: float = 1.0) -> None:
        x, y = self._device(at.x, at.y)
        left, right = self._span(x, at.width * self.place.scale, self.window[0])
        top, bottom = self._span(y, at.height * self.place.scale, self.window[1])
        part = self._canvas[top:bottom, left:right]
        part[:] = part * (1 - alpha) + np.array(colour[:3], np.float32) * alpha

    def _blit(
        self,
        name: str,
        source: tuple[int, int, int, int],
        at: Area,
        *,
        tint: tuple[float, ...] = (255, 255, 255),
        alpha: float = 1.0,
        additive: bool = False,
    ) -> None:
        """Draw a part (x, y, width, height) of a texture; every device px takes the texel under its
        middle.
        """
        scale = self.place.scale
        x, y = self._device(at.x, at.y)
        left, right = self._span(x, at.width * scale, self.window[0])
        top, bottom = self._span(y, at.height * scale, self.window[1])
        if left >= right or top >= bottom:
            return
        texture = self.textures[name]
        u = source[0] + ((np.arange(left, right) + 0.5 - x) * source[2] / (at.width * scale)).astype(np.intp)
        v = source[1] + ((np.arange(top, bottom) + 0.5 - y) * source[3] / (at.height * scale)).astype(np.intp)
        texels = texture[np.ix_(v, u)].astype(np.float32)
        weight = texels[..., 3:] * (alpha / 255)
        colour = texels[..., :3] * (np.array(tint, np.float32) / 255)
        part = self._canvas[top:bottom, left:right]
        mixed = part + colour * weight if additive else part * (1 - weight) + colour * weight
        part[:] = np.clip(mixed, 0, 255)


def links_of(
    cells: Mapping[Hex, CellView], linked: Mapping[str, frozenset[str]]
) -> tuple[tuple[Hex, Hex], ...]:
    """Every pair of neighbouring lit cells whose aspects link, each once."""
    pairs = []
    for cell, seen in cells.items():
        for step in HEX_STEPS[:3]:
            other = Hex(cell.q + step.q, cell.r + step.r)
            beside = cells.get(other)
            if beside is None or not (seen.linked and beside.linked):
                continue
            if beside.aspect in linked.get(seen.aspect, frozenset()):
                pairs.append((cell, other))
    return tuple(pairs)


def _world(width: int, height: int, scale: int) -> Pixels:
    """A dark landscape of blocks, as Minecraft dims the world behind a table."""
    rng = np.random.default_rng(width * 10007 + height)
    cell = 4 * scale
    rows, cols = height // cell + 2, width // cell + 2
    light = rng.normal(1.0, 0.22, (rows, cols, 1))
    ground = np.linspace(0, 1, rows)[:, None, None] > 0.45 + 0.05 * np.sin(np.arange(cols) / 9)[None, :, None]
    colour = np.where(ground, np.array([14.0, 28.0, 22.0]), np.array([40.0, 28.0, 21.0])) * light
    blocks = np.clip(colour, 0, 255).astype(np.uint8)
    return np.asarray(np.kron(blocks, np.ones((cell, cell, 1), np.uint8))[:height, :width])
