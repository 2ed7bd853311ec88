"""A small imitation of Algemy: levels, colour wheel, light, and the arrow to the next level."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace

from bot.actions import Action, Tap
from bot.practice.algemy.drawing import (
    WHEEL,
    WHEEL_INNER,
    WHEEL_OUTER,
    Arrangement,
    View,
    arrange,
    draw_screen,
)
from bot.practice.algemy.levels import make_level
from solver import algemy
from solver.algemy import FULL, PRIMARY, Algemy
from solver.algemy.board import AlgemyCell, Shape
from vision.frame import Pixels, Point
from vision.profile import Profile

# Phones upright, tablets, and both on their side, (width, height) in px.
SCREENS = (
    (720, 1280),
    (1080, 1920),
    (1080, 2400),
    (1440, 3200),
    (1200, 1920),
    (1600, 2560),
    (1280, 720),
    (2340, 1080),
    (2560, 1600),
)
# The wheel's bounce: (seconds since the tap, scale), rest size after the last. A film of the game shows it 5
# % too small and then 20 % too large, one film picture (84 ms) each.
BOUNCE = ((0.084, 0.95), (0.168, 1.2))
# How long the gems of a solved board turn, and the arrow stays grey after a tap.
SOLVED_S = 0.5
PRESSED_S = 0.25
LEVELS = 1205


def practice(
    rng: random.Random,
    *,
    shape: Shape | None = None,
    size: int | None = None,
    palette: str | None = None,
    screen: tuple[int, int] | None = None,
    line: float | None = None,
    basic_wheel: str | None = None,
    mixed: bool = False,
) -> AlgemyPractice:
    """A run of levels; what is not told is drawn by lot, the same for the same `rng`.

    size: rows of a square board, side of a hexagonal one.
    mixed: the levels take turns: square and hexagonal, and after both the other palette.
    palette: "RYB" or "ROYGBV".
    screen: (width, height) in px.
    line: weight of the outlines, in cells.
    basic_wheel: the sectors of the wheel when the palette is RYB; nobody has seen it, so both "RYB" and
        "ROYGBV" are imitated.
    """
    hexagonal, full, sectors = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.5
    squares, sides, wide = rng.randint(3, 7), rng.randint(3, 5), rng.choice(SCREENS)
    weight = rng.uniform(0.012, 0.05)
    chosen_shape: Shape = shape or ("hex" if hexagonal else "square")
    return AlgemyPractice(
        random.Random(rng.random()),
        shape=chosen_shape,
        size=size or (squares if chosen_shape == "square" else sides),
        palette=palette or (FULL if full else PRIMARY),
        screen=screen or wide,
        line=weight if line is None else line,
        basic_wheel=basic_wheel or (PRIMARY if sectors else WHEEL),
        mixed=mixed,
    )


class AlgemyPractice:
    """Levels one after the other, in simulated time; all of one kind unless `mixed`.

    A tap on an empty cell or a source opens the wheel; a tap on a sector sets the source, one in the middle
    takes it away, one beside the wheel closes it. The right arrow goes to the next level.
    """

    def __init__(
        self,
        rng: random.Random,
        *,
        shape: Shape,
        size: int,
        palette: str,
        screen: tuple[int, int],
        line: float,
        basic_wheel: str,
        mixed: bool = False,
    ) -> None:
        self._rng = rng
        self._shape: Shape = shape
        self._size = size
        self._palette = palette
        self._screen = screen
        self._line = line
        self._basic_wheel = basic_wheel
        self._mixed = mixed
        self._nav = rng.random() < 0.6
        self._level = rng.randint(1, LEVELS // 2)
        self._board = rng.uniform(0.82, 0.98)
        self._pressed = ("", -math.inf)
        self._cache: tuple[View, Pixels] | None = None
        self.levels_solved = 0
        self.kinds_seen: list[tuple[Shape, str]] = []
        self._begin(make_level(rng, shape, size, palette))

    def _begin(self, puzzle: Algemy) -> None:
        self._puzzle = puzzle
        self.kinds_seen.append((self._shape, self._palette))
        self._sectors = WHEEL if self._palette == FULL else self._basic_wheel
        self._placed: dict[AlgemyCell, str] = {}
        self._wheel: tuple[AlgemyCell, float] | None = None
        self._solved_at: float | None = None
        self.arrangement: Arrangement = arrange(
            puzzle, *self._screen, nav=self._nav, line=self._line, board=self._board
        )

    @property
    def puzzle(self) -> Algemy:
        """The level on the screen."""
        return self._puzzle

    @property
    def placed(self) -> Mapping[AlgemyCell, str]:
        """The sources that stand on it now."""
        return dict(self._placed)

    @property
    def profile(self) -> Profile:
        return Profile("algemy", "practice")

    def solved(self) -> bool:
        return not algemy.check(self._puzzle, self._placed)

    def render(self, now_s: float) -> Pixels:
        view = View(
            placed=dict(self._placed),
            wheel=None if self._wheel is None else (self._wheel[0], _wheel_scale(now_s - self._wheel[1])),
            wheel_colours=self._sectors,
            pressed=self._pressed[0] if now_s - self._pressed[1] < PRESSED_S else "",
            first_level=self._level == 1,
            counter=f"{self._level}/{LEVELS}",
        )
        if self._solved_at is not None and now_s - self._solved_at < SOLVED_S:
            share = (now_s - self._solved_at) / SOLVED_S
            view = replace(view, turn_deg=120 * share, pulse=1 - 0.12 * math.sin(math.pi * share))
        if self._cache is None or self._cache[0] != view:
            self._cache = (view, draw_screen(self._puzzle, self.arrangement, view))
        return self._cache[1].copy()

    def act(self, action: Action, now_s: float) -> None:
        if not isinstance(action, Tap) or action.button != "left":
            return
        if self._wheel is not None:
            self._tap_wheel(action.at, *self._wheel, now_s)
            return
        for name, at in self.arrangement.buttons.items():
            if max(abs(action.at.x - at.x), abs(action.at.y - at.y)) <= self.arrangement.unit_px:
                self._tap_button(name, now_s)
                return
        cell = self._cell_at(action.at)
        if cell is not None and cell not in self._puzzle.crystals:
            self._wheel = (cell, now_s)

    def _cell_at(self, at: Point) -> AlgemyCell | None:
        distances = {cell: math.dist(self.arrangement.centre(cell), at) for cell in self._puzzle.cells}
        cell = min(distances, key=distances.__getitem__)
        centre = self.arrangement.centre(cell)
        half = self.arrangement.pitch_px / 2
        if self._shape == "square":
            inside = max(abs(at.x - centre.x), abs(at.y - centre.y)) <= half
        else:
            inside = distances[cell] <= half * 1.1
        return cell if inside else None

    def _tap_wheel(self, at: Point, cell: AlgemyCell, opened_s: float, now_s: float) -> None:
        """A sector sets, the middle removes, anything else closes. A wheel that still bounces is deaf."""
        if now_s - opened_s < BOUNCE[-1][0]:
            return
        centre = self.arrangement.centre(cell)
        radius = math.dist(centre, at) / self.arrangement.pitch_px
        self._wheel = None
        if radius < WHEEL_INNER:
            self._placed.pop(cell, None)
        elif radius <= WHEEL_OUTER:
            turn = math.degrees(math.atan2(at.x - centre.x, centre.y - at.y))
            self._placed[cell] = min(
                self._sectors, key=lambda c: abs((turn - 60 * WHEEL.index(c) + 180) % 360 - 180)
            )
        if self.solved():
            self._solved_at = now_s
        elif self._solved_at is not None:
            self._solved_at = None

    def _tap_button(self, name: str, now_s: float) -> None:
        self._pressed = (name, now_s)
        step = {"next-level": 1, "previous-level": -1}.get(name, 0)
        if step and 1 <= self._level + step <= LEVELS:
            self.levels_solved += self.solved()
            self._level += step
            if self._mixed:
                self._take_turns()
            self._begin(make_level(self._rng, self._shape, self._size, self._palette))

    def _take_turns(self) -> None:
        """The other shape, and the other palette after both shapes."""
        nth = len(self.kinds_seen)
        self._shape = "square" if self._shape == "hex" else "hex"
        self._size = self._rng.randint(3, 6 if self._shape == "square" else 4)
        if nth % 2 == 0:
            self._palette = PRIMARY if self._palette == FULL else FULL


def _wheel_scale(age_s: float) -> float:
    """The wheel's size against its rest size."""
    return next((scale for until_s, scale in BOUNCE if age_s < until_s), 1.0)
