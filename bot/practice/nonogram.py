"""A small imitation of a nonogram program: makes a puzzle with one solution, draws it and takes strokes.

The measures of the first skin are those of Simon Tatham's Pattern. Gestures are its own as well: the left
button fills, the right one makes blank, the middle one unknown; a drag paints a straight line along its
longer side.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

import cv2
import numpy as np

from bot.actions import Action, Button, Drag, Tap
from bot.practice.lettering import Bgr, width_of, write
from solver import nonogram
from solver.answer import Limits
from solver.errors import SearchLimit
from solver.lattice import Square
from solver.nonogram import Clue, Nonogram, Picture, check
from vision.frame import Pixels, Point
from vision.profile import Profile

SIZES = ((5, 5), (8, 8), (10, 10), (10, 15), (15, 15), (20, 20))
# The board flashes inverted twice when it becomes right: (from, to) in s after the last stroke.
FLASHES = ((0.02, 0.06), (0.1, 0.135))
# The collection draws every fifth line bold.
BOLD_EVERY = 5
TRIES = 2000
SEARCH_S = 0.5


@dataclass(frozen=True)
class Skin:
    """How a board looks; colours BGR.

    crosses: blank cells carry a cross instead of a colour of their own.
    line_px, bold_px: grid lines, and every fifth of them.
    """

    name: str
    background: Bgr
    unknown: Bgr
    filled: Bgr
    blank: Bgr
    grid: Bgr
    clue: Bgr
    line_px: int
    bold_px: int
    crosses: bool = False


SKINS: Mapping[str, Skin] = {
    skin.name: skin
    for skin in (
        Skin(
            "sgt", (230, 230, 230), (128, 128, 128), (0, 0, 0), (255, 255, 255), (76, 76, 76), (0, 0, 0),
            line_px=1, bold_px=3,
        ),
        Skin(
            "paper", (255, 255, 255), (255, 255, 255), (40, 30, 30), (255, 255, 255), (150, 150, 150), (30,
            20, 20), line_px=1, bold_px=2, crosses=True,
        ),
        Skin(
            "night", (46, 36, 30), (86, 72, 62), (235, 206, 120), (46, 36, 30), (140, 124, 110), (240, 236,
            230), line_px=1, bold_px=3, crosses=True,
        ),
    )
}  # fmt: skip


class NonogramBoard:
    """A nonogram in one skin.

    tile_px: distance between the left edges of two cells.
    margin_px: empty border around everything.
    """

    def __init__(
        self,
        puzzle: Nonogram,
        skin: Skin = SKINS["sgt"],
        tile_px: int = 24,
        margin_px: tuple[int, int] = (18, 43),
    ) -> None:
        self._puzzle = puzzle
        self._skin = skin
        self._tile = tile_px
        self._margin = margin_px
        # As in the collection, a two-digit column makes all numbers smaller.
        one_digit = max((run for clue in puzzle.cols for run in clue), default=0) < 10
        self._digit_px = tile_px * (0.6 if one_digit else 0.42)
        longest = max(map(self._row_width, puzzle.rows))
        room = max(tile_px * (puzzle.width // BOLD_EVERY + 2), math.ceil(longest) + tile_px)
        self._left = margin_px[0] + room + tile_px // 2
        deepest = max(map(len, puzzle.cols))
        room = tile_px * max(puzzle.height // BOLD_EVERY + 2, deepest)
        self._top = margin_px[1] + room + tile_px // 2
        self._cells: dict[Square, bool] = dict.fromkeys(puzzle.given.filled, True)
        self._cells.update(dict.fromkeys(puzzle.given.blank, False))
        self._given = frozenset(self._cells)
        self._solved_at: float | None = None

    @property
    def puzzle(self) -> Nonogram:
        return self._puzzle

    @property
    def profile(self) -> Profile:
        return Profile("nonogram", self._skin.name)

    @property
    def picture(self) -> Picture:
        """What is on the board now."""
        return Picture(
            frozenset(at for at, filled in self._cells.items() if filled),
            frozenset(at for at, filled in self._cells.items() if not filled),
        )

    def solved(self) -> bool:
        """Whether the picture is right; where blank cells carry crosses, those need not be there."""
        picture = self.picture
        if self._skin.crosses:
            cells = {
                Square(row, col) for row in range(self._puzzle.height) for col in range(self._puzzle.width)
            }
            picture = Picture(picture.filled, frozenset(cells - picture.filled))
        return not check(self._puzzle, picture)

    def centre(self, at: Square) -> Point:
        """Middle of a cell, in px of the picture."""
        half = (self._tile + 1) / 2
        return Point(self._left + self._tile * at.col + half, self._top + self._tile * at.row + half)

    def act(self, action: Action, now_s: float) -> None:
        match action:
            case Tap(at=at, button=button):
                self._paint(at, at, button, now_s)
            case Drag(path=path, button=button):
                self._paint(path[0], path[-1], button, now_s)
            case _:
                return

    def _paint(self, start: Point, end: Point, button: Button, now_s: float) -> None:
        first = self._cell_at(start)
        if not self._inside(first):
            return
        was_solved = self.solved()
        for cell in _line(first, self._cell_at(end)):
            if not self._inside(cell) or cell in self._given:
                continue
            if button == "middle":
                self._cells.pop(cell, None)
            else:
                self._cells[cell] = button == "left"
        if self.solved() and not was_solved:
            self._solved_at = now_s

    def _cell_at(self, at: Point) -> Square:
        return Square(
            math.floor((at.y - self._top) / self._tile), math.floor((at.x - self._left) / self._tile)
        )

    def _inside(self, cell: Square) -> bool:
        return 0 <= cell.row < self._puzzle.height and 0 <= cell.col < self._puzzle.width

    def render(self, now_s: float) -> Pixels:
        skin, tile, puzzle = self._skin, self._tile, self._puzzle
        width = self._left + tile * puzzle.width + self._margin[0] + tile // 2
        height = self._top + tile * puzzle.height + self._margin[0] + tile // 2
        pixels: Pixels = np.full((height, width, 3), skin.background, np.uint8)
        self._draw_cells(pixels, inverted=self._flashing(now_s))
        self._draw_grid(pixels)
        self._draw_clues(pixels)
        return pixels

    def _flashing(self, now_s: float) -> bool:
        since = now_s - self._solved_at if self._solved_at is not None else -1.0
        return any(start <= since < end for start, end in FLASHES)

    def _draw_cells(self, pixels: Pixels, *, inverted: bool) -> None:
        skin, tile = self._skin, self._tile
        for row in range(self._puzzle.height):
            for col in range(self._puzzle.width):
                left, top = self._left + tile * col, self._top + tile * row
                filled = self._cells.get(Square(row, col))
                colour = skin.unknown
                if filled is not None:
                    colour = skin.filled if filled != inverted else skin.blank
                pixels[top : top + tile, left : left + tile] = colour
                if filled is False and skin.crosses:
                    self._draw_cross(pixels, left, top)

    def _draw_cross(self, pixels: Pixels, left: int, top: int) -> None:
        tile = self._tile
        inset, thick = max(3, tile // 4), max(1, tile // 14)
        low, high = inset, tile - inset
        for start, end in (((low, low), (high, high)), ((low, high), (high, low))):
            near, far = (left + start[0], top + start[1]), (left + end[0], top + end[1])
            cv2.line(pixels, near, far, self._skin.grid, thick, cv2.LINE_AA)

    def _draw_grid(self, pixels: Pixels) -> None:
        skin, tile, puzzle = self._skin, self._tile, self._puzzle
        right, bottom = self._left + tile * puzzle.width, self._top + tile * puzzle.height

        def band(number: int, count: int, origin: int) -> slice:
            bold = number % BOLD_EVERY == 0 or number == count
            thick = skin.bold_px if bold else skin.line_px
            start = origin + tile * number - (thick - 1) // 2
            return slice(start, start + thick)

        reach = skin.bold_px // 2
        for col in range(puzzle.width + 1):
            pixels[self._top - reach : bottom + reach + 1, band(col, puzzle.width, self._left)] = skin.grid
        for row in range(puzzle.height + 1):
            pixels[band(row, puzzle.height, self._top), self._left - reach : right + reach + 1] = skin.grid

    def _draw_clues(self, pixels: Pixels) -> None:
        skin, tile = self._skin, self._tile
        for col, clue in enumerate(self._puzzle.cols):
            x = self._left + tile * col + tile / 2
            for place, run in enumerate(reversed(clue)):
                y = self._top - tile // 2 - tile * place - tile / 2
                write(pixels, str(run), Point(x, y), self._digit_px, skin.clue)
        for row, clue in enumerate(self._puzzle.rows):
            right = self._left - tile * 0.9
            y = self._top + tile * row + tile / 2
            for run in reversed(clue):
                width = width_of(str(run), self._digit_px)
                write(pixels, str(run), Point(right - width / 2, y), self._digit_px, skin.clue)
                right -= width + self._space

    @property
    def _space(self) -> float:
        """Between two numbers of a row, in px: two blanks of a common font."""
        return 0.8 * self._digit_px

    def _row_width(self, clue: Clue) -> float:
        numbers = sum(width_of(str(run), self._digit_px) for run in clue)
        return numbers + self._space * max(0, len(clue) - 1)


def practice(
    rng: random.Random,
    *,
    skin: str | None = None,
    tile_px: int | None = None,
    size: tuple[int, int] | None = None,
) -> NonogramBoard:
    """A board with one solution; what is not given is chosen by `rng`.

    size: (width, height) in cells.
    """
    look = SKINS[skin] if skin is not None else SKINS[rng.choice(sorted(SKINS))]
    width, height = size if size is not None else rng.choice(SIZES)
    tile = tile_px if tile_px is not None else rng.randint(20, 40)
    margin = (rng.randint(8, 40), rng.randint(8, 40))
    return NonogramBoard(unique(rng, width, height), look, tile, margin)


def unique(rng: random.Random, width: int, height: int) -> Nonogram:
    """A puzzle of this size with exactly one solution, made from a random picture."""
    for _ in range(TRIES):
        puzzle = clues_of(_random_picture(rng, width, height))
        try:
            answer = nonogram.solve(puzzle, Limits(seconds=SEARCH_S, unique=True))
        except SearchLimit:
            continue
        if answer.unique:
            return puzzle
    raise AssertionError(f"no picture of {width} x {height} with one solution in {TRIES} tries")


def clues_of(rows: list[list[bool]]) -> Nonogram:
    """The puzzle whose solution is this picture.

    >>> clues_of([[True, True, False], [False, True, True]]).rows
    ((2,), (2,))
    """
    return Nonogram(tuple(map(_runs, rows)), tuple(_runs(list(col)) for col in zip(*rows, strict=True)))


def _runs(line: list[bool]) -> Clue:
    return tuple(sum(1 for _ in cells) for filled, cells in groupby(line) if filled)


def _random_picture(rng: random.Random, width: int, height: int) -> list[list[bool]]:
    """Noise, smoothed a little so that blobs appear: pictures of single pixels rarely have one solution."""
    noise = np.array([[rng.random() for _ in range(width)] for _ in range(height)], np.float32)
    smooth = cv2.blur(noise, (3, 3), borderType=cv2.BORDER_REFLECT) + 0.35 * noise
    level = float(np.quantile(smooth, rng.uniform(0.35, 0.5)))
    return [[bool(cell) for cell in row] for row in smooth > level]


def _line(start: Square, end: Square) -> Iterator[Square]:
    """The straight stretch from start along the longer side of the way to end."""
    rows, cols = end.row - start.row, end.col - start.col
    if abs(cols) >= abs(rows):
        for col in range(min(0, cols), max(0, cols) + 1):
            yield Square(start.row, start.col + col)
    else:
        for row in range(min(0, rows), max(0, rows) + 1):
            yield Square(start.row + row, start.col)
