"""The rules of a puzzle of cells, as values: each knows when it is broken, and what it leaves possible.

A cell's possibilities are a set of values, kept as bits of a whole number. `narrow` says which sets a rule makes
smaller; `holds` says of a full board whether the rule is kept, without the former's shortcuts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from solver.steps import Contradiction

# Possibilities of every cell, by the cell's number.
Sets = Sequence[int]
Narrowed = dict[int, int]


class Rule(Protocol):
    """One rule of one board.

    cells: the numbers of the cells that it is about. why: the rule as a sentence without its end.
    """

    @property
    def cells(self) -> tuple[int, ...]: ...

    @property
    def why(self) -> str: ...

    def narrow(self, sets: Sets) -> Narrowed:
        """The cells that can hold less than before, and what is left. Raises Contradiction."""
        ...

    def holds(self, sets: Sets) -> bool:
        """Whether the rule is kept on a full board, where each set has one value."""
        ...


@dataclass(frozen=True)
class Count:
    """Between `least` and `most` of the literals hold; a literal is a cell and the values it may have for it."""

    literals: tuple[tuple[int, int], ...]
    least: int
    most: int
    why: str
    cells: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(dict.fromkeys(cell for cell, _ in self.literals)))

    def narrow(self, sets: Sets) -> Narrowed:
        sure = 0
        maybe: list[tuple[int, int]] = []
        for cell, wanted in self.literals:
            have = sets[cell]
            if have & wanted:
                if have & ~wanted:
                    maybe.append((cell, wanted))
                else:
                    sure += 1
        if sure > self.most or sure + len(maybe) < self.least:
            raise Contradiction(f"{self.why}, and that is not possible any more")
        found: Narrowed = {}
        if maybe and sure == self.most:
            for cell, wanted in maybe:
                found[cell] = found.get(cell, sets[cell]) & ~wanted
        elif maybe and sure + len(maybe) == self.least:
            for cell, wanted in maybe:
                found[cell] = found.get(cell, sets[cell]) & wanted
        return found

    def holds(self, sets: Sets) -> bool:
        return self.least <= sum(1 for cell, wanted in self.literals if sets[cell] & wanted) <= self.most


@dataclass(frozen=True)
class Different:
    """No value stands twice in the cells. all_of: the values that must each stand in one of them; 0 where none must."""

    cells: tuple[int, ...]
    why: str
    all_of: int = 0

    def narrow(self, sets: Sets) -> Narrowed:
        found: Narrowed = {}
        taken = 0
        for cell in self.cells:
            have = sets[cell]
            if not have & (have - 1):
                if have & taken:
                    raise Contradiction(f"{self.why}, and one stands there twice")
                taken |= have
        once = twice = 0
        for cell in self.cells:
            have = sets[cell]
            if have & (have - 1):
                if have & taken:
                    have &= ~taken
                    found[cell] = have
                twice |= once & have
                once |= have
        if self.all_of:
            if self.all_of & ~(once | taken):
                raise Contradiction(f"{self.why}, and one has no place left")
            alone = self.all_of & once & ~twice & ~taken
            if alone and not found:
                for cell in self.cells:
                    have = sets[cell] & alone
                    if have and sets[cell] != have:
                        found[cell] = have
        return found or self._pairs(sets)

    def _pairs(self, sets: Sets) -> Narrowed:
        """Two cells with the same two values (three with three) keep them for themselves."""
        seen: dict[int, list[int]] = {}
        for cell in self.cells:
            have = sets[cell]
            if 2 <= have.bit_count() <= 3:
                seen.setdefault(have, []).append(cell)
        for have, cells in seen.items():
            if len(cells) == have.bit_count() < len(self.cells):
                found = {
                    cell: sets[cell] & ~have for cell in self.cells if cell not in cells and sets[cell] & have
                }
                if found:
                    return found
        return {}

    def holds(self, sets: Sets) -> bool:
        values = [sets[cell] for cell in self.cells]
        return len(set(values)) == len(values)


@dataclass(frozen=True)
class Total:
    """The cells hold one of some sets of values, each value in one cell. ways: those sets."""

    cells: tuple[int, ...]
    ways: tuple[int, ...]
    why: str

    def narrow(self, sets: Sets) -> Narrowed:
        have = [sets[cell] for cell in self.cells]
        known = may = 0
        for one in have:
            may |= one
            known |= 0 if one & (one - 1) else one
        # Every set that has the known values, nothing that no cell may hold, and something for each cell.
        ways = [w for w in self.ways if not (w & ~may or known & ~w) and all(w & one for one in have)]
        if not ways:
            raise Contradiction(f"{self.why}, and that is not possible any more")
        some, every = 0, ways[0]
        for way in ways:
            some |= way
            every &= way
        found = {cell: sets[cell] & some for cell in self.cells if sets[cell] & ~some}
        while every and not found:
            value = every & -every
            every ^= value
            places = [cell for cell in self.cells if sets[cell] & value]
            if len(places) == 1 and sets[places[0]] != value:
                found[places[0]] = value
        return found

    def holds(self, sets: Sets) -> bool:
        return sum(sets[cell] for cell in self.cells) in self.ways


@dataclass(frozen=True)
class Less:
    """The value of the first cell comes before that of the second one, in the order of the values."""

    cells: tuple[int, int]
    why: str

    def narrow(self, sets: Sets) -> Narrowed:
        low, high = sets[self.cells[0]], sets[self.cells[1]]
        least, most = low & -low, 1 << (high.bit_length() - 1)
        small, large = low & (most - 1), high & ~((least << 1) - 1)
        if not small or not large:
            raise Contradiction(f"{self.why}, and that is not possible any more")
        found = {self.cells[0]: small} if small != low else {}
        return found | ({self.cells[1]: large} if large != high else {})

    def holds(self, sets: Sets) -> bool:
        return sets[self.cells[0]] < sets[self.cells[1]]


@dataclass(frozen=True)
class Next:
    """The values of two cells follow each other, in the order of the values; or, where `wanted` is False, they do not."""

    cells: tuple[int, int]
    wanted: bool
    why: str

    def narrow(self, sets: Sets) -> Narrowed:
        found: Narrowed = {}
        for cell, other in (self.cells, self.cells[::-1]):
            have, near = sets[cell], sets[other]
            above, below = near << 1, near >> 1
            if self.wanted:
                left = have & (above | below)
            # What is beside every value that the other cell may hold.
            elif not near & (near - 1):
                left = have & ~(above | below)
            else:
                left = have & ~(above & below) if near.bit_count() == 2 else have
            if not left:
                raise Contradiction(f"{self.why}, and that is not possible any more")
            if left != have:
                found[cell] = left
        return found

    def holds(self, sets: Sets) -> bool:
        one, other = sets[self.cells[0]], sets[self.cells[1]]
        return (one == other << 1 or other == one << 1) == self.wanted


@dataclass(frozen=True)
class Unlike:
    """Two lines of cells are not the same: they differ in one place at least."""

    pairs: tuple[tuple[int, int], ...]
    why: str
    cells: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(dict.fromkeys(cell for pair in self.pairs for cell in pair)))

    def narrow(self, sets: Sets) -> Narrowed:
        left = None
        for a, b in self.pairs:
            one, other = sets[a], sets[b]
            if one == other and not one & (one - 1):
                continue
            if not one & other or left is not None:
                return {}
            left = a, b
        if left is None:
            raise Contradiction(f"{self.why}, but they are")
        a, b = left
        one, other = sets[a], sets[b]
        if not one & (one - 1):
            return {b: other & ~one}
        return {} if other & (other - 1) else {a: one & ~other}

    def holds(self, sets: Sets) -> bool:
        return any(sets[a] != sets[b] for a, b in self.pairs)


@dataclass(frozen=True)
class Parity:
    """An odd, or an even, number of cells hold one of some values."""

    cells: tuple[int, ...]
    wanted: int
    odd: bool
    why: str

    def narrow(self, sets: Sets) -> Narrowed:
        count, left = 0, -1
        for cell in self.cells:
            have = sets[cell]
            if have & self.wanted and have & ~self.wanted:
                if left >= 0:
                    return {}
                left = cell
            count += not have & ~self.wanted
        if left < 0:
            if count % 2 != self.odd:
                raise Contradiction(f"{self.why}, and that is not possible any more")
            return {}
        return {left: sets[left] & (self.wanted if count % 2 != self.odd else ~self.wanted)}

    def holds(self, sets: Sets) -> bool:
        return sum(1 for cell in self.cells if sets[cell] & self.wanted) % 2 == self.odd


@dataclass(frozen=True)
class Both:
    """Two literals hold, or neither does; a literal is a cell and the values it may have for it."""

    one: tuple[int, int]
    other: tuple[int, int]
    why: str

    @property
    def cells(self) -> tuple[int, ...]:
        return self.one[0], self.other[0]

    def narrow(self, sets: Sets) -> Narrowed:
        found: Narrowed = {}
        for (cell, wanted), (near, its) in ((self.one, self.other), (self.other, self.one)):
            if not sets[cell] & ~wanted:
                left = sets[near] & its
            elif not sets[cell] & wanted:
                left = sets[near] & ~its
            else:
                continue
            if not left:
                raise Contradiction(f"{self.why}, and that is not possible any more")
            if left != sets[near]:
                found[near] = left
        return found

    def holds(self, sets: Sets) -> bool:
        return bool(sets[self.one[0]] & self.one[1]) == bool(sets[self.other[0]] & self.other[1])


@dataclass(frozen=True)
class Sight:
    """From a place so many cells of some values are seen, along arms that end at the first cell of another value.

    own: how many are seen already at the place itself.
    """

    arms: tuple[tuple[int, ...], ...]
    seen: int
    total: int
    why: str
    own: int = 1
    cells: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(cell for arm in self.arms for cell in arm))

    def narrow(self, sets: Sets) -> Narrowed:
        least = [self._run(arm, sets, sure=True) for arm in self.arms]
        most = [self._run(arm, sets, sure=False) for arm in self.arms]
        low, high = self.own + sum(least), self.own + sum(most)
        if low > self.total or high < self.total:
            raise Contradiction(f"{self.why}, and that is not possible any more")
        found: Narrowed = {}
        for arm, short, long in zip(self.arms, least, most, strict=True):
            # What all other arms can give at most, this one must make up for; and the other way round.
            must = self.total - (high - long)
            may = self.total - (low - short)
            for cell in arm[short : max(must, short)]:
                found[cell] = sets[cell] & self.seen
            # The cell after a run that would become too long must end it.
            if short == may and short < len(arm) and sets[arm[short]] & self.seen:
                found[arm[short]] = sets[arm[short]] & ~self.seen
            for at in range(short, min(long, len(arm))):
                # Seeing up to a cell brings all sure ones behind it.
                run = at + 1
                while run < len(arm) and not sets[arm[run]] & ~self.seen:
                    run += 1
                if run > may:
                    left = sets[arm[at]] & ~self.seen
                    if arm[at] not in found and at == short:
                        found[arm[at]] = left
                    break
        if any(not left for left in found.values()):
            raise Contradiction(f"{self.why}, and that is not possible any more")
        return {cell: left for cell, left in found.items() if left != sets[cell]}

    def _run(self, arm: tuple[int, ...], sets: Sets, *, sure: bool) -> int:
        for count, cell in enumerate(arm):
            if (sets[cell] & ~self.seen) if sure else not sets[cell] & self.seen:
                return count
        return len(arm)

    def holds(self, sets: Sets) -> bool:
        return self.own + sum(self._run(arm, sets, sure=True) for arm in self.arms) == self.total
