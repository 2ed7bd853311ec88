"""Ring figures: the parts of a puzzle, and what it means to be solved.

Circles overlap; every region (the part of the figure that lies in exactly the same rings) holds one
number. Blanks take numbers from a stock, so that the numbers of every ring add up to the ring's target.
`use` says how often a number may be taken: `once` - as often as it is listed; `any` - as often as you
like; `ring-distinct` - as often as you like, but not twice in one ring, givens included.

The original is task 1 of Weekly Challenge 043 (the Olympic rings); the NRICH tasks "Overlaps" and "Five
Rings", Sujiko, Kakuro and Killer cages are the same puzzle on other figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from solver.errors import InvalidPuzzle
from solver.lattice import Region

Use = Literal["once", "any", "ring-distinct"]
Entries = Mapping[Region, int]

# Larger numbers are a slip of the pen or an attack on the memory: sums are kept as bit sets.
LARGEST_NUMBER = 9999
MOST_RINGS = 200
MOST_REGIONS = 2000


@dataclass(frozen=True)
class Ring:
    """One circle. Where it is drawn is not part of the puzzle, so two drawings of one puzzle are equal.

    target: own sum; "=" the common one of all rings; "?" an own sum that is not told.
    x, y, radius: px of a drawing, y down.
    """

    name: str
    target: int | Literal["=", "?"] = "="
    x: float = field(default=0.0, compare=False)
    y: float = field(default=0.0, compare=False)
    radius: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class Place:
    """One region of the figure.

    value: the given number, None for a blank.
    x, y: where its number is drawn: the point that lies deepest inside.
    """

    region: Region
    value: int | None = None
    x: float = field(default=0.0, compare=False)
    y: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class Rings:
    """A ring puzzle.

    numbers: the stock for the blanks, sorted.
    target: the common sum; "?" common, but to be found; "own" when every ring has its own.
    remarks: keys of the file that say nothing about the puzzle (id, origin, ...), in their order.
    """

    rings: tuple[Ring, ...]
    places: tuple[Place, ...]
    numbers: tuple[int, ...]
    use: Use = "once"
    target: int | Literal["?", "own"] = "own"
    remarks: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", tuple(sorted(self.numbers)))
        _validate(self)

    @cached_property
    def blanks(self) -> tuple[Region, ...]:
        """The regions without a given number, in the order of the file."""
        return tuple(place.region for place in self.places if place.value is None)

    @cached_property
    def given(self) -> dict[Region, int]:
        """The given numbers."""
        return {place.region: place.value for place in self.places if place.value is not None}

    @cached_property
    def covers(self) -> dict[Region, tuple[str, ...]]:
        """The names of the rings that each region lies in (the piece number is no part of them)."""
        names = frozenset(ring.name for ring in self.rings)
        return {place.region: covering(place.region, names) for place in self.places}

    @cached_property
    def insides(self) -> dict[str, tuple[Region, ...]]:
        """The regions of each ring."""
        found: dict[str, list[Region]] = {ring.name: [] for ring in self.rings}
        for region, names in self.covers.items():
            for name in names:
                found[name].append(region)
        return {name: tuple(regions) for name, regions in found.items()}

    def sum_of(self, ring: Ring) -> int | None:
        """The sum that a ring must have, None when it is to be found."""
        if isinstance(ring.target, int):
            return ring.target
        if ring.target == "=" and isinstance(self.target, int):
            return self.target
        return None


def covering(region: Region, names: frozenset[str]) -> tuple[str, ...]:
    """The rings of a region. A second piece of the plane inside the same rings is written `red+green~2`.

    >>> covering(Region(("red", "green~2")), frozenset({"red", "green"}))
    ('red', 'green')
    """
    last = region.rings[-1]
    stem, mark, number = last.rpartition("~")
    if last not in names and mark and number.isdigit() and stem in names:
        return (*region.rings[:-1], stem)
    return region.rings


def check(puzzle: Rings, solution: Entries) -> list[str]:
    """The broken rules in words; empty means solved. `solution` holds the blanks only."""
    broken = []
    for region in solution:
        if region not in puzzle.covers:
            broken.append(f"there is no region {region}")
        elif region in puzzle.given:
            broken.append(f"region {region} is given, nothing can be entered there")
    entered = {region: solution[region] for region in puzzle.blanks if region in solution}
    broken += [f"region {region} is empty" for region in puzzle.blanks if region not in entered]
    broken += _stock_rule(puzzle, entered)
    values = {**puzzle.given, **entered}
    common: dict[int, str] = {}
    for ring in puzzle.rings:
        inside = [values.get(region) for region in puzzle.insides[ring.name]]
        known = [value for value in inside if value is not None]
        if puzzle.use == "ring-distinct":
            twice = sorted(value for value, times in Counter(known).items() if times > 1)
            broken += [f"{value} stands twice in ring {ring.name}" for value in twice]
        if len(known) < len(inside):
            continue
        target = puzzle.sum_of(ring)
        if target is not None and sum(known) != target:
            broken.append(f"ring {ring.name} adds up to {sum(known)}, not {target}")
        if target is None and ring.target == "=":
            common.setdefault(sum(known), ring.name)
    if len(common) > 1:
        sums = ", ".join(f"{name} {total}" for total, name in sorted(common.items()))
        broken.append(f"the rings must have equal sums, but they add up to {sums}")
    return broken


def _stock_rule(puzzle: Rings, entered: Entries) -> list[str]:
    stock = Counter(puzzle.numbers)
    broken = [
        f"region {region} has {value}, which is not in the stock"
        for region, value in entered.items()
        if value not in stock
    ]
    if puzzle.use == "once":
        broken += [
            f"{value} is used {times} times, the stock has it {stock[value]} times"
            for value, times in sorted(Counter(entered.values()).items())
            if 0 < stock[value] < times
        ]
    return broken


def _validate(puzzle: Rings) -> None:
    names = [ring.name for ring in puzzle.rings]
    if not 1 <= len(names) <= MOST_RINGS:
        raise InvalidPuzzle(f"a puzzle has 1 to {MOST_RINGS} rings, this one {len(names)}")
    if not 1 <= len(puzzle.places) <= MOST_REGIONS:
        raise InvalidPuzzle(f"a puzzle has 1 to {MOST_REGIONS} regions, this one {len(puzzle.places)}")
    for what, listed in (("ring", names), ("region", [str(place.region) for place in puzzle.places])):
        twice = [name for name, times in Counter(listed).items() if times > 1]
        if twice:
            raise InvalidPuzzle(f"{what} {twice[0]} is there twice")
    known = frozenset(names)
    for region, covers in puzzle.covers.items():
        stranger = next((name for name in covers if name not in known), None)
        if stranger is not None:
            raise InvalidPuzzle(f"region {region} names a ring {stranger!r} that is not there")
        if len(set(covers)) < len(covers):
            raise InvalidPuzzle(f"region {region} names a ring twice")
    for ring in puzzle.rings:
        if not puzzle.insides[ring.name]:
            raise InvalidPuzzle(
                f"ring {ring.name} has no region", hint="every ring holds at least one number"
            )
        if ring.target == "=" and puzzle.target == "own":
            raise InvalidPuzzle(
                f"ring {ring.name} has no target", hint="write a number or ?, or a common target"
            )
    for number in (*puzzle.numbers, *puzzle.given.values()):
        if not 0 <= number <= LARGEST_NUMBER:
            raise InvalidPuzzle(f"a number is 0 to {LARGEST_NUMBER}, not {number}")
    if puzzle.blanks and not puzzle.numbers:
        raise InvalidPuzzle(f"{len(puzzle.blanks)} blanks, but no numbers to put into them")
