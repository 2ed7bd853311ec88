"""Makes Algemy levels: sources first, then the crystals' colours follow from the light."""

from __future__ import annotations

import random

from solver import algemy
from solver.algemy import BITS, Algemy
from solver.algemy.board import EMPTY, AlgemyCell, Shape
from solver.answer import Limits
from solver.errors import NoSolution, SearchLimit

# Share of crystals: fewer leave several solutions, more leave nothing to think about.
CRYSTALS = (0.22, 0.4)
# Boards tried until one has a single solution; the large ones hardly ever have, and are fine without.
TRIES = 150
UNIQUE_SECONDS = 0.2


def make_level(rng: random.Random, shape: Shape, size: int, palette: str) -> Algemy:
    """A solvable level, with one solution where that is found soon.

    size: the number of rows of a square board, the side of a hexagonal one; at least 2.
    """
    lengths = [size] * size if shape == "square" else _hexagon_rows(size)
    tries = TRIES if size <= 7 else 1
    for _ in range(tries):
        level = _level(rng, shape, lengths, palette)
        try:
            if algemy.solve(level, Limits(UNIQUE_SECONDS, unique=True)).unique:
                return level
        except (NoSolution, SearchLimit):  # light from nowhere cannot be asked for, so only the limit happens
            continue
    return level


def _hexagon_rows(side: int) -> list[int]:
    return [2 * side - 1 - abs(side - 1 - row) for row in range(2 * side - 1)]


def _level(rng: random.Random, shape: Shape, lengths: list[int], palette: str) -> Algemy:
    """A level made backwards: crystals anywhere, sources until every cell is lit, colours from the light."""
    share = rng.uniform(*CRYSTALS)
    stones = [[rng.random() < share for _ in range(length)] for length in lengths]
    blank = Algemy(shape, tuple("".join("W" if stone else EMPTY for stone in row) for row in stones), palette)
    light = dict.fromkeys(blank.crystals, 0)
    dark = [cell for cell in blank.cells if cell not in blank.crystals]
    rng.shuffle(dark)
    lit: set[AlgemyCell] = set()
    for source in dark:
        if source in lit:
            continue
        colour = rng.choice(palette)
        lit.add(source)
        for ray, crystal in algemy.sight(blank, source):
            lit.update(ray)
            if crystal is not None:
                light[crystal] |= BITS[colour]
    letters = {bits: letter for letter, bits in BITS.items()}
    rows = [
        "".join(letters[light[blank.cell(row, col)]] if stone else EMPTY for col, stone in enumerate(line))
        for row, line in enumerate(stones)
    ]
    return Algemy(shape, tuple(rows), palette)
