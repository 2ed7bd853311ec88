"""Programs made up by chance (see `chance_programs`) in windows with more in them than a board.

A pattern shows through the cells, the row and the column of the last click are lit a moment later, a small picture of the
board is drawn beside it.

`uv run python -m tests.laboratory.chance_dressed FIRST END` plays those with these seeds, as `chance_play` does.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from bot.actions import Action, Tap
from bot.play import Notice
from solver.lattice import Square
from tests.laboratory import chance
from tests.laboratory.chance_play import Game, played, tell
from tests.laboratory.chance_programs import Program
from vision.frame import Pixels

# So many shapes make a pattern, of so many levels each; the light of a row and a column, as a share of the way to white.
SHAPES, LEVELS, LIGHT = (8, 40), (6, 22), (0.4, 0.8)
# How long after a click its row and column are lit.
LIT_S = (0.0, 0.05, 0.12)
# A small picture has so many px to a cell.
SMALL_PX = 2


class Dressed(Program):
    """The program of a seed, with what is beside and behind its board."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        rng = random.Random(f"dressed {seed}")
        self.style = replace(self.style, cursor="")
        self.pattern = pattern(rng, self._places[-1] + 2 * self.style.cell)
        self.light = rng.uniform(*LIGHT) if rng.random() < 0.7 else 0.0
        self.lit_s = rng.choice(LIT_S)
        self.small = rng.random() < 0.5
        self.lit = [(Square(0, 0), 0.0)]

    def act(self, action: Action, now_s: float) -> None:
        super().act(action, now_s)
        at = self._at(action.at) if isinstance(action, Tap) else None
        if at is not None:
            self.lit.append((at, now_s + self.lit_s))

    def render(self, now_s: float) -> Pixels:
        self._shown = None, self._shown[1]
        return super().render(now_s)

    def _page(self, now_s: float, end: str) -> Pixels:
        page = super()._page(now_s, end)
        if self.small and end != "gone":
            side = self.puzzle.width
            filled = np.array([self.states[cell] == "filled" for cell in self.cells]).reshape(-1, side)
            small = np.where(np.kron(filled, np.ones((SMALL_PX, SMALL_PX))) > 0, 0, 255)
            page[2 : 2 + len(small), -2 - small.shape[1] : -2] = small[..., None]
        return page

    def _board(self, now_s: float, end: str) -> Pixels:
        page = super()._board(now_s, end)
        if end not in ("next", "colours", "no lines", "picture"):
            lit = next(cell for cell, since in reversed(self.lit) if now_s >= since)
            for cell in self.cells:
                own = chance.window(page, self._places, self.style, cell)
                ground = np.abs(own.astype(np.int16) - self.style.free).max(axis=2) <= 2
                seen = own + self.pattern_of(cell)[: own.shape[0], : own.shape[1], None]
                if cell.row == lit.row or cell.col == lit.col:
                    seen = seen + self.light * (255 - seen)
                own[ground] = np.clip(seen, 0, 255)[ground]
        return page

    def pattern_of(self, cell: Square) -> npt.NDArray[np.float64]:
        x, y = self._places[cell.col], self._places[cell.row]
        return self.pattern[y:, x:]


def pattern(rng: random.Random, side: int) -> npt.NDArray[np.float64]:
    """(side, side) levels by which rings, discs and lines of a pattern are lighter or darker than what is below them."""
    levels = np.zeros((side, side))
    for _ in range(rng.randint(*SHAPES)):
        shape = np.zeros((side, side), np.uint8)
        at = rng.randrange(side), rng.randrange(side)
        if rng.random() < 0.5:
            cv2.circle(shape, at, rng.randint(4, side // 3), 255, rng.choice((-1, 2, 6)), cv2.LINE_AA)
        else:
            cv2.line(
                shape, at, (rng.randrange(side), rng.randrange(side)), 255, rng.randint(1, 6), cv2.LINE_AA
            )
        levels += shape / 255 * rng.choice((-1, 1)) * rng.uniform(*LEVELS)
    return np.clip(levels, -LEVELS[1], LEVELS[1])


def game(seed: int, observe: Callable[[Notice], None] = lambda notice: None) -> Game:
    """The game of a seed, from the first look to the end."""
    return played(Dressed(seed), observe)


if __name__ == "__main__":
    tell(game, *sys.argv[1:])
