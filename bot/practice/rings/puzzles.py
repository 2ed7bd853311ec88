"""Ring puzzles for practice: figures of circles, filled at random, with just enough givens."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Literal

from solver.lattice import Region
from solver.rings import Rings, Search
from vision.readers.rings.assemble import assemble, reading_order, region_names
from vision.readers.rings.figure import Circle, Piece, pieces

Figure = Literal["chain", "triangle", "flower", "lattice", "honeycomb"]
FIGURES: tuple[Figure, ...] = ("chain", "triangle", "flower", "lattice", "honeycomb")
# A number of guesses within which a practice puzzle must prove that it has one solution.
MOST_GUESSES = 300
MOST_BLANKS = 14


def circles_of(figure: Figure, rng: random.Random, radius_px: float) -> list[Circle]:
    """The circles of a figure, its box at (0, 0)."""
    centres: list[tuple[float, float]]
    if figure == "chain":
        centres = [(1 + 1.15 * i, 1 + (i % 2)) for i in range(rng.choice((5, 5, 6, 8)))]
    elif figure == "triangle":
        centres = [(1, 1), (2.2, 1), (1.6, 1 + 1.2 * math.sin(math.pi / 3))]
    elif figure == "flower":
        around = [(3 + 1.3 * math.cos(a), 3 + 1.3 * math.sin(a)) for a in (k * math.pi / 3 for k in range(6))]
        centres = [(3, 3), *around]
    elif figure == "lattice":
        centres = [(1 + 1.5 * x, 1 + 1.5 * y) for y in range(rng.choice((2, 3))) for x in range(3)]
    else:
        rows = ((y, x) for y in range(2) for x in range(3))
        centres = [(1 + 1.3 * x + 0.65 * (y % 2), 1 + 1.3 * math.sin(math.pi / 3) * y) for y, x in rows]
    left, top = min(x for x, _ in centres) - 1, min(y for _, y in centres) - 1
    drawn = [Circle((x - left) * radius_px, (y - top) * radius_px, radius_px) for x, y in centres]
    return reading_order(drawn)


def make_puzzle(figure: Figure, circles: Sequence[Circle], rng: random.Random) -> Rings:
    """A puzzle with exactly one solution on these circles."""
    parts = pieces(circles)
    names = region_names(circles, parts)
    if figure == "chain" and len(circles) == 5 and rng.random() < 0.6:
        return _equal_chain(circles, parts, names, rng)
    once = rng.random() < 0.6
    stock = list(range(1, len(parts) + 1)) if once else [rng.randint(1, 9) for _ in parts]
    rng.shuffle(stock)
    filling = dict(zip(names, stock, strict=True))
    totals = [
        sum(filling[name] for name, part in zip(names, parts, strict=True) if i in part.covers)
        for i in range(len(circles))
    ]
    numbers = None if once else list(range(1, 10))
    return _thin_out(circles, parts, filling, numbers, "own", totals, rng)


def _equal_chain(
    circles: Sequence[Circle], parts: Sequence[Piece], names: Sequence[Region], rng: random.Random
) -> Rings:
    """NRICH's "Five Rings": 1 to 9 once, every ring the same; told or to be found."""
    empty, _ = assemble(circles, parts, given={}, numbers=range(1, 10), target="?")
    fillings = list(Search(empty).solutions())
    filling = rng.choice(fillings)
    total = sum(value for name, value in filling.items() if "r01" in name.rings)
    target: int | Literal["?"] = rng.choice((total, total, "?"))
    return _thin_out(circles, parts, {name: filling[name] for name in names}, None, target, (), rng)


def _thin_out(
    circles: Sequence[Circle],
    parts: Sequence[Piece],
    filling: dict[Region, int],
    numbers: Sequence[int] | None,
    target: int | Literal["?", "own"],
    own: Sequence[int],
    rng: random.Random,
) -> Rings:
    """Take givens away while one solution remains. numbers: None for just those that were taken away."""
    given = dict(filling)
    best: Rings | None = None
    order = list(filling)
    rng.shuffle(order)
    for name in order:
        value = given.pop(name)
        taken = [filling[region] for region in filling if region not in given]
        puzzle, remark = assemble(
            circles, parts, given=given, numbers=numbers or taken, target=target, own=own
        )
        search = Search(puzzle, most_guesses=MOST_GUESSES)
        if not remark and sum(1 for _ in search.solutions()) == 1 and not search.stopped:
            best = puzzle
            if len(puzzle.blanks) == MOST_BLANKS:
                break
        else:
            given[name] = value
    assert best is not None, "a single blank has a single solution"
    return best
