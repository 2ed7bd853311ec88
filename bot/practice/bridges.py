"""A small imitation of Bridges: makes a puzzle with one solution, draws it and takes drags.

The measures of the first skin are those of Simon Tatham's Bridges, in cells: rings of 0.6 with a border of
1/8, bridges as wide as their gaps. Gestures are those of the collection as well: a drag adds a bridge or,
after the last one, takes all away; a drag across another bridge is refused; a right drag marks a span as
empty; a tap locks an island; a release in the very moment of the motion is lost.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from bot.actions import Action, Button, Drag, Tap
from bot.practice.lettering import Bgr, write
from solver import bridges
from solver.answer import Limits
from solver.bridges import Bridges, Island, Span, between, check
from solver.errors import SearchLimit
from solver.lattice import Square
from vision.frame import Pixels, Point
from vision.profile import Profile

# A release closer to the motion than this is lost, as in the real program.
LEAST_REST_S = 0.005
# When the board becomes right it flashes white in the second and fourth of five parts of this time.
FLASH_S = 0.5
SIZES = ((5, 5), (7, 7), (7, 9), (10, 10), (12, 8), (15, 15))
# Islands per cell, as the collection's presets have them.
ISLANDS_SHARE = 0.3
# A grown board is not always the only solution of its clues; most sizes need a handful of tries.
TRIES = 400
SEARCH_S = 0.5


@dataclass(frozen=True)
class Skin:
    """How a board looks. Lengths are shares of a cell, colours BGR.

    fill: inside of an island; lock: inside of a locked one.
    """

    name: str
    background: Bgr
    ink: Bgr
    fill: Bgr
    label: Bgr
    lock: Bgr
    radius: float
    ring: float
    line: float
    gap: float
    digit: float


SKINS: Mapping[str, Skin] = {
    skin.name: skin
    for skin in (
        Skin(
            "sgt", (213, 213, 213), (0, 0, 0), (213, 213, 213), (0, 0, 0), (255, 255, 255),
            radius=0.6, ring=0.125, line=0.125, gap=0.125, digit=0.5,
        ),
        Skin(
            "paper", (255, 255, 255), (40, 30, 30), (255, 255, 255), (40, 30, 30), (190, 230, 250),
            radius=0.42, ring=0.06, line=0.07, gap=0.11, digit=0.42,
        ),
        Skin(
            "night", (46, 36, 30), (222, 214, 200), (46, 36, 30), (240, 236, 230), (110, 90, 60),
            radius=0.45, ring=0.08, line=0.08, gap=0.1, digit=0.45,
        ),
    )
}  # fmt: skip


class BridgesBoard:
    """A board of Bridges in one skin.

    tile_px: side of a cell.
    margin_px: left and top of the first cell.
    gesture: "drag" from island to island, or, as other programs have it, "taps" on one and then the other, one tap
        "between" them, or one on the "side" of an island that looks at the other.
    takes: the gesture after the most bridges takes all away ("round"), or each one with the "right" button takes one.
    """

    def __init__(
        self,
        puzzle: Bridges,
        skin: Skin = SKINS["sgt"],
        tile_px: int = 32,
        margin_px: tuple[int, int] = (16, 41),
        gesture: Literal["drag", "taps", "between", "side"] = "drag",
        takes: Literal["round", "right"] = "round",
    ) -> None:
        self._puzzle = puzzle
        self._skin = skin
        self._tile = tile_px
        self._margin = margin_px
        self._gesture, self._takes = gesture, takes
        self.chosen: Square | None = None
        self.joins: dict[Span, int] = {}
        self.empty: set[Span] = set()
        self.locked: set[Square] = set()
        self._solved_at: float | None = None

    @property
    def puzzle(self) -> Bridges:
        return self._puzzle

    @property
    def profile(self) -> Profile:
        return Profile("bridges", self._skin.name)

    def solved(self) -> bool:
        return not check(self._puzzle, self.joins)

    def centre(self, at: Square) -> Point:
        """Middle of a cell, in px of the picture."""
        left, top = self._margin
        return Point(left + self._tile * (at.col + 0.5), top + self._tile * (at.row + 0.5))

    def render(self, now_s: float) -> Pixels:
        skin, tile, puzzle = self._skin, self._tile, self._puzzle
        width = 2 * self._margin[0] + tile * puzzle.width
        height = self._margin[0] + self._margin[1] + tile * puzzle.height
        pixels: Pixels = np.full((height, width, 3), skin.background, np.uint8)
        ink = (255, 255, 255) if self._flashing(now_s) else skin.ink
        for span in sorted(self.empty):
            self._draw_marks(pixels, span)
        for span, count in sorted(self.joins.items()):
            if count:
                self._draw_joins(pixels, span, count, ink)
        for island in puzzle.islands:
            self._draw_island(pixels, island, ink)
        return pixels

    def act(self, action: Action, now_s: float) -> None:
        match action:
            case Tap(at=at, button=button) if self._gesture == "taps":
                self._tap_island(self._island_at(at), button, now_s)
            case Tap(at=at, button=button) if self._gesture == "between":
                self._enter(self._span_at(at), button, now_s)
            case Tap(at=at, button=button) if self._gesture == "side":
                self._enter(self._span_beside(at), button, now_s)
            case Tap(at=at, button="left"):
                island = self._island_at(at)
                if island is not None:
                    self.locked ^= {island}
            case Drag(path=path, button=button, hold_s=hold_s) if hold_s >= LEAST_REST_S:
                if self._gesture == "drag":
                    self._drag(path[0], path[-1], button, now_s)
            case _:
                return

    def _tap_island(self, island: Square | None, button: Button, now_s: float) -> None:
        """The first tap chooses an island, the second joins it with another, or chooses anew."""
        pair = tuple(sorted((self.chosen, island))) if self.chosen is not None and island is not None else ()
        span = next((span for span in self._puzzle.spans if tuple(span) == pair), None)
        self.chosen = None if span is not None or island == self.chosen else island
        self._enter(span, button, now_s)

    def _drag(self, start: Point, end: Point, button: Button, now_s: float) -> None:
        island = self._island_at(start)
        dx, dy = end.x - start.x, end.y - start.y
        # A drag that stays in its own cell is none.
        if island is not None and island not in self.locked and max(abs(dx), abs(dy)) >= self._tile / 2:
            self._enter(self._span_towards(island, dx, dy), button, now_s)

    def _enter(self, span: Span | None, button: Button, now_s: float) -> None:
        """One bridge more, or one less, or a mark."""
        if span is None or span.a in self.locked or span.b in self.locked:
            return
        count, was_solved = self.joins.get(span, 0), self.solved()
        if button == "right" and self._takes == "right":
            self.joins[span] = max(count - 1, 0)
        elif button == "right":
            if not count:
                self.empty ^= {span}
        elif button == "left" and span not in self.empty and not self._crossed(span):
            most = self._puzzle.max_bridges
            self.joins[span] = min(count + 1, most) if self._takes == "right" else (count + 1) % (most + 1)
        if self.solved() and not was_solved:
            self._solved_at = now_s

    def _span_at(self, at: Point) -> Span | None:
        """The span under a place; of two that cross there the one along the nearer middle line."""
        col, row = ((value - margin) / self._tile for value, margin in zip(at, self._margin, strict=True))
        cell = Square(math.floor(row), math.floor(col))
        off = {True: abs(row % 1 - 0.5), False: abs(col % 1 - 0.5)}
        under = [span for span in self._puzzle.spans if cell in between(span)]
        return min(under, key=lambda span: off[span.a.row == span.b.row], default=None)

    def _island_at(self, at: Point) -> Square | None:
        col = math.floor((at.x - self._margin[0]) / self._tile)
        row = math.floor((at.y - self._margin[1]) / self._tile)
        return Square(row, col) if Square(row, col) in self._puzzle.clues else None

    def _span_beside(self, at: Point) -> Span | None:
        """The span on that side of the island under a place; None beside the islands."""
        island = self._island_at(at)
        if island is None or math.dist(at, middle := self.centre(island)) > self._skin.radius * self._tile:
            return None
        return self._span_towards(island, at.x - middle.x, at.y - middle.y)

    def _span_towards(self, island: Square, dx: float, dy: float) -> Span | None:
        """The span in the direction of the larger component."""
        across = abs(dx) > abs(dy)
        forward = (dx if across else dy) > 0
        for span in self._puzzle.spans:
            if (span.a.row == span.b.row) == across and (span.a if forward else span.b) == island:
                return span
        return None

    def _crossed(self, span: Span) -> bool:
        cells = set(between(span))
        return any(
            count and other != span and not cells.isdisjoint(between(other))
            for other, count in self.joins.items()
        )

    def _flashing(self, now_s: float) -> bool:
        if self._solved_at is None:
            return False
        part = math.floor((now_s - self._solved_at) / (FLASH_S / 5))
        return part in (1, 3)

    def _draw_island(self, pixels: Pixels, island: Island, ink: Bgr) -> None:
        skin, tile = self._skin, self._tile
        at = self.centre(island.at)
        fill = skin.lock if island.at in self.locked else skin.fill
        label = skin.label if ink == skin.ink else ink
        _disc(pixels, at, skin.radius * tile, ink)
        _disc(pixels, at, skin.radius * tile - max(1.0, skin.ring * tile), fill)
        digit = skin.digit * tile * (0.72 if island.clue > 9 else 1.0)
        write(pixels, str(island.clue), at, digit, label)

    def _draw_joins(self, pixels: Pixels, span: Span, count: int, ink: Bgr) -> None:
        skin, tile = self._skin, self._tile
        line, gap = max(1, int(skin.line * tile)), max(2, int(skin.gap * tile))
        while gap > 1 and count * line + (count + 1) * gap > tile:
            gap -= 1
        bundle = count * line + (count - 1) * gap
        start, end = self.centre(span.a), self.centre(span.b)
        for number in range(count):
            offset = -(bundle // 2) + number * (line + gap)
            if span.a.row == span.b.row:
                top = int(start.y) + offset
                pixels[top : top + line, int(start.x) : int(end.x)] = ink
            else:
                left = int(start.x) + offset
                pixels[int(start.y) : int(end.y), left : left + line] = ink

    def _draw_marks(self, pixels: Pixels, span: Span) -> None:
        """Two thin crosses in every cell of a span that is to stay empty."""
        arm = self._tile / 8
        for cell in between(span):
            middle = self.centre(cell)
            for side in (-0.25, 0.25):
                x, y = middle
                if span.a.row == span.b.row:
                    x += side * self._tile
                else:
                    y += side * self._tile
                for slope in (-1, 1):
                    start = (round(x - arm), round(y - slope * arm))
                    end = (round(x + arm), round(y + slope * arm))
                    cv2.line(pixels, start, end, self._skin.ink, 1)


def practice(
    rng: random.Random,
    *,
    skin: str | None = None,
    tile_px: int | None = None,
    size: tuple[int, int] | None = None,
) -> BridgesBoard:
    """A board with one solution; what is not given is chosen by `rng`.

    size: (width, height) in cells.
    """
    look = SKINS[skin] if skin is not None else SKINS[rng.choice(sorted(SKINS))]
    width, height = size if size is not None else rng.choice(SIZES)
    tile = tile_px if tile_px is not None else rng.randint(24, 48)
    margin = (tile // 2 + rng.randint(0, 30), tile // 2 + rng.randint(0, 30))
    return BridgesBoard(unique(rng, width, height), look, tile, margin)


def unique(rng: random.Random, width: int, height: int) -> Bridges:
    """A puzzle of this size with exactly one solution."""
    for _ in range(TRIES):
        puzzle = grown(rng, width, height)
        try:
            answer = bridges.solve(puzzle, Limits(seconds=SEARCH_S, unique=True))
        except SearchLimit:
            continue
        if answer.unique:
            return puzzle
    raise AssertionError(f"no board of {width} x {height} with one solution in {TRIES} tries")


def grown(rng: random.Random, width: int, height: int) -> Bridges:
    """A solvable puzzle: islands grow out of islands along free lines until there are enough.

    No two islands touch. What is joined on the way is a solution, not always the only one.
    """
    first = Square(rng.randrange(height), rng.randrange(width))
    islands = {first}
    joins: dict[Span, int] = {}
    taken = {first}
    wanted = max(2, round(width * height * ISLANDS_SHARE * rng.uniform(0.6, 1.0)))
    for _ in range(60 * wanted):
        if len(islands) == wanted:
            break
        start = rng.choice(sorted(islands))
        step = rng.choice((Square(0, 1), Square(1, 0), Square(0, -1), Square(-1, 0)))
        length = rng.choice((2, 2, 2, 3, 3, 4, 5))
        path = [
            Square(start.row + step.row * number, start.col + step.col * number)
            for number in range(1, length + 1)
        ]
        end = path[-1]
        if not (0 <= end.row < height and 0 <= end.col < width) or not taken.isdisjoint(path):
            continue
        if any(
            Square(end.row + dr, end.col + dc) in islands for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
        ):
            continue
        islands.add(end)
        taken.update(path)
        joins[Span(min(start, end), max(start, end))] = rng.choice((1, 2, 2))
    ends = dict.fromkeys(islands, 0)
    for span, count in joins.items():
        ends[span.a] += count
        ends[span.b] += count
    # An island may have grown into the middle of a span's line only where the line was free, so none is
    # cut.
    clued = tuple(Island(at, count) for at, count in sorted(ends.items()) if count)
    return Bridges(clued, width, height)


def _disc(pixels: Pixels, at: Point, radius: float, colour: Bgr) -> None:
    """A filled circle with its middle and radius to 1/16 px."""
    bits = 4
    whole = 1 << bits
    # cv2 counts from the middle of the first pixel.
    middle = (round((at.x - 0.5) * whole), round((at.y - 0.5) * whole))
    cv2.circle(pixels, middle, round(radius * whole), colour, -1, cv2.LINE_AA, bits)
