"""A small imitation of a nonogram program: makes a puzzle with one solution, draws it and takes strokes.

The measures of the first skin are those of Simon Tatham's Pattern. Gestures are its own as well: the left
button fills, the right one makes blank, the middle one unknown; a drag paints a straight line along its
longer side. Other skins take clicks only, in the ways that other programs do (see `skins`).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import groupby

import cv2
import numpy as np

from bot.actions import Action, Button, Drag, Tap
from bot.practice.nonogram.drawing import BOLD_EVERY, Sheet, paint
from bot.practice.nonogram.skins import SKINS, Clicks, Skin
from solver import nonogram
from solver.answer import Limits
from solver.errors import SearchLimit
from solver.lattice import Square
from solver.nonogram import Clue, Nonogram, Picture, check
from vision.frame import Pixels, Point
from vision.profile import Profile

__all__ = ["SKINS", "NonogramBoard", "clues_of", "practice", "unique"]

SIZES = ((5, 5), (8, 8), (10, 10), (10, 15), (15, 15), (20, 20))
# The board flashes inverted twice when it becomes right: (from, to) in s after the last stroke.
FLASHES = ((0.02, 0.06), (0.1, 0.135))
TRIES = 2000
SEARCH_S = 0.5


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
        # As in the collection, a two-digit column makes all numbers smaller.
        one_digit = max((run for clue in puzzle.cols for run in clue), default=0) < 10
        self._sheet = _sheet(puzzle, skin, tile_px, margin_px, tile_px * (0.6 if one_digit else 0.42))
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
        # Asked before and after every click: most boards are told by how much is filled.
        if sum(self._cells.values()) != sum(map(sum, self._puzzle.rows)):
            return False
        picture = self.picture
        if self._skin.mark != "colour" or self._skin.clicks != "sets":
            cells = {
                Square(row, col) for row in range(self._puzzle.height) for col in range(self._puzzle.width)
            }
            picture = Picture(picture.filled, frozenset(cells - picture.filled))
        return not check(self._puzzle, picture)

    def centre(self, at: Square) -> Point:
        """Middle of a cell, in px of the picture."""
        sheet, half = self._sheet, (self._sheet.tile + 1) / 2
        return Point(sheet.left + sheet.tile * at.col + half, sheet.top + sheet.tile * at.row + half)

    def act(self, action: Action, now_s: float) -> None:
        match action:
            case Tap(at=at, button=button):
                self._paint(at, at, button, now_s)
            case Drag(path=path, button=button):
                # Where clicks do not set, a drag is a click where it began.
                self._paint(path[0], path[-1] if self._skin.clicks == "sets" else path[0], button, now_s)
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
            after = _clicked(self._cells.get(cell), button, self._skin.clicks)
            if after is None:
                self._cells.pop(cell, None)
            else:
                self._cells[cell] = after
        if self.solved() and not was_solved:
            self._solved_at = now_s

    def _cell_at(self, at: Point) -> Square:
        sheet = self._sheet
        return Square(
            math.floor((at.y - sheet.top) / sheet.tile), math.floor((at.x - sheet.left) / sheet.tile)
        )

    def _inside(self, cell: Square) -> bool:
        return 0 <= cell.row < self._puzzle.height and 0 <= cell.col < self._puzzle.width

    def render(self, now_s: float) -> Pixels:
        return paint(self._puzzle, self._skin, self._sheet, self._cells, inverted=self._flashing(now_s))

    def _flashing(self, now_s: float) -> bool:
        since = now_s - self._solved_at if self._solved_at is not None else -1.0
        return any(start <= since < end for start, end in FLASHES)


def _clicked(now: bool | None, button: Button, clicks: Clicks) -> bool | None:
    """What a click makes of a cell: True filled, False blank, None neither."""
    if clicks == "cycles":
        return {None: True, True: False, False: None}[now] if button == "left" else now
    if button == "middle":
        return None if clicks == "sets" else now
    wanted = button == "left"
    return None if clicks == "toggles" and now is wanted else wanted


def _sheet(puzzle: Nonogram, skin: Skin, tile: int, margin: tuple[int, int], digit_px: float) -> Sheet:
    """Room for the longest clues on both sides, and for what stands around the board."""
    measure = Sheet(tile, 0, 0, 0, 0, digit_px)
    longest = max(map(measure.row_width, puzzle.rows))
    if skin.boxes is not None:
        longest = tile * max(map(len, puzzle.rows))
    left = max(tile * (puzzle.width // BOLD_EVERY + 2), math.ceil(longest) + tile)
    top = tile * max(puzzle.height // BOLD_EVERY + 2, *map(len, puzzle.cols))
    below = 2 * tile if skin.around else tile // 2
    left, top = margin[0] + left + tile // 2, margin[1] + top + tile // 2
    return Sheet(
        tile,
        left,
        top,
        left + tile * puzzle.width + margin[0] + tile // 2,
        top + tile * puzzle.height + margin[0] + below,
        digit_px,
    )


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
