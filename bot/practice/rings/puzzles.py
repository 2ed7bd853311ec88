"""Ring puzzles for practice: figures of rings, filled at random, with just enough givens."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Literal

from bot.practice.rings.figures import Disc, Figure, Spot, ring_name, spots_of
from solver.lattice import Region
from solver.rings import Fillings, Place, Ring, Rings, Search, strictest_rule

# A number of guesses within which a practice puzzle must prove that it has one solution.
MOST_GUESSES = 300
MOST_BLANKS = 14


def make_puzzle(figure: Figure, discs: Sequence[Disc], rng: random.Random) -> Rings:
    """A puzzle with exactly one solution on these circles."""
    spots = spots_of(discs)
    if figure == "chain" and len(discs) == 5 and rng.random() < 0.6:
        return _equal_chain(discs, spots, rng)
    once = rng.random() < 0.6
    stock = list(range(1, len(spots) + 1)) if once else [rng.randint(1, 9) for _ in spots]
    rng.shuffle(stock)
    filling = {spot.region: number for spot, number in zip(spots, stock, strict=True)}
    totals = [sum(filling[spot.region] for spot in spots if i in spot.rings) for i in range(len(discs))]
    numbers = None if once else list(range(1, 10))
    return _thin_out(discs, spots, filling, numbers, "own", totals, rng)


def _equal_chain(discs: Sequence[Disc], spots: Sequence[Spot], rng: random.Random) -> Rings:
    """NRICH's "Five Rings": 1 to 9 once, every ring the same; told or to be found."""
    empty, _ = _puzzle(discs, spots, {}, range(1, 10), "?")
    fillings = list(Search(empty).solutions())
    filling = rng.choice(fillings)
    total = sum(value for name, value in filling.items() if "r01" in name.rings)
    target: int | Literal["?"] = rng.choice((total, total, "?"))
    return _thin_out(
        discs, spots, {spot.region: filling[spot.region] for spot in spots}, None, target, (), rng
    )


def _thin_out(
    discs: Sequence[Disc],
    spots: Sequence[Spot],
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
        puzzle, fillings = _puzzle(discs, spots, given, numbers or taken, target, own)
        search = Search(puzzle, most_guesses=MOST_GUESSES)
        if fillings is Fillings.ONE and sum(1 for _ in search.solutions()) == 1 and not search.stopped:
            best = puzzle
            if len(puzzle.blanks) == MOST_BLANKS:
                break
        else:
            given[name] = value
    assert best is not None, "a single blank has a single solution"
    return best


def _puzzle(
    discs: Sequence[Disc],
    spots: Sequence[Spot],
    given: Mapping[Region, int],
    numbers: Sequence[int],
    target: int | Literal["?", "own"],
    own: Sequence[int] = (),
) -> tuple[Rings, Fillings]:
    """The puzzle with its strictest rule, and how many fillings that leaves."""
    rings = tuple(
        Ring(ring_name(i), own[i] if target == "own" else "=", disc.x, disc.y, disc.radius)
        for i, disc in enumerate(discs)
    )
    places = tuple(Place(spot.region, given.get(spot.region), spot.x, spot.y) for spot in spots)
    return strictest_rule(Rings(rings, places, tuple(numbers), "any", target))
