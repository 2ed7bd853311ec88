"""Which givens can hang together on one side of a link: those that lie side by side along the rim of the note.

A solution uses no cell twice, so it is a tree drawn in the plane without crossings. A link parts it in two, and
along the rim the givens of the two parts cannot alternate. So no other sets of givens are needed than arcs of the
rim, each with any of the givens inside; on the game's own notes, whose givens are all on the rim, these are few.

R. E. Erickson, C. L. Monma, A. F. Veinott, "Send-and-split method for minimum-concave-cost network flows",
Mathematics of Operations Research 12 (1987), where this makes the table of Dreyfus and Wagner polynomial.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from math import comb

from solver.lattice import HEX_STEPS, Hex, hex_neighbours


class Arcs:
    """The sets of terminals that are needed, as ints with one bit per terminal.

    count: of all terminals. rim: those on the rim, in order around the note.
    """

    def __init__(self, count: int, rim: Sequence[int]) -> None:
        self.full = (1 << count) - 1
        self._rim = sum(1 << i for i in rim)
        self._inner = [1 << i for i in range(count) if i not in set(rim)]
        self._bits = [1 << i for i in rim]
        # Arcs by the number of terminals in them, with their first terminal.
        self._first: dict[int, int] = {}
        for size in range(1, len(rim)):
            for start in range(len(rim)):
                arc = sum(self._bits[(start + i) % len(rim)] for i in range(size))
                self._first[arc] = start
        if rim:
            self._first[self._rim] = 0
        self._known_splits: dict[int, tuple[tuple[int, int], ...]] = {}

    def __contains__(self, covered: int) -> bool:
        outer = covered & self._rim
        return not outer or outer in self._first

    def number(self, largest: int) -> int:
        """How many sets of 1 to `largest` terminals there are."""
        by_size = [0] * (len(self._bits) + 1)
        by_size[0] = 1
        for arc in self._first:
            by_size[arc.bit_count()] += 1
        inner = len(self._inner)
        total = 0
        for size, arcs in enumerate(by_size):
            total += arcs * sum(comb(inner, more) for more in range(min(inner, largest - size) + 1))
        return total - 1

    def of_size(self, size: int) -> list[int]:
        """All sets of so many terminals, rising."""
        sets = []
        for more in range(min(size, len(self._inner)) + 1):
            arcs = [arc for arc in (*self._first, 0) if arc.bit_count() == size - more]
            for chosen in combinations(self._inner, more):
                inner = sum(chosen)
                sets += [arc | inner for arc in arcs]
        return sorted(sets)

    def splits(self, covered: int) -> tuple[tuple[int, int], ...]:
        """All ways in which a set falls in two, each once. Parting the second part again and again
        gives any number of parts in one order only."""
        known = self._known_splits.get(covered)
        if known is None:
            known = self._known_splits[covered] = tuple(self._split(covered))
        return known

    def _split(self, covered: int) -> Iterator[tuple[int, int]]:
        outer, inner = covered & self._rim, covered & ~self._rim
        if not outer:
            low = inner & -inner
            for part in _subsets(inner ^ low):
                if part != inner ^ low:
                    yield part | low, inner ^ low ^ part
            return
        for arc in self._beginnings(outer):
            for part in _subsets(inner):
                if arc != outer or part != inner:
                    yield arc | part, covered ^ arc ^ part

    def _beginnings(self, outer: int) -> Iterator[int]:
        """The arcs within an arc that hold its first terminal and leave an arc."""
        start, count = self._first[outer], len(self._bits)
        # The rim as a whole has no end: an arc of it may also begin before its first terminal.
        for before in range(count if outer == self._rim else 1):
            arc = 0
            for i in range(-before, outer.bit_count() - before):
                arc |= self._bits[(start + i) % count]
                if i >= 0 and (arc != outer or before == 0):
                    yield arc


def _subsets(members: int) -> Iterator[int]:
    """All subsets of a set, the set itself first."""
    part = members
    while True:
        yield part
        if not part:
            return
        part = (part - 1) & members


def along_rim(cells: Collection[Hex], wanted: Collection[Hex]) -> list[Hex]:
    """Those wanted cells that lie on the rim of their region, in order around it.

    Only the region of one of the wanted cells is looked at: when the others are in another one, nothing connects
    them anyway.

    >>> along_rim([Hex(0, 0), Hex(1, 0), Hex(2, 0)], [Hex(2, 0), Hex(0, 0)])
    [Hex(q=0, r=0), Hex(q=2, r=0)]
    """
    around = _walk(_region(set(cells), min(wanted))) if wanted else []
    return list(dict.fromkeys(cell for cell in around if cell in set(wanted)))


def _region(cells: Collection[Hex], start: Hex) -> set[Hex]:
    """The cells that hang together with one."""
    found = {start}
    edge = [start]
    while edge:
        for other in hex_neighbours(edge.pop()):
            if other in cells and other not in found:
                found.add(other)
                edge.append(other)
    return found


def _walk(region: Collection[Hex]) -> list[Hex]:
    """Once around the outside of a region, one hand on its rim; where it is one cell thin, cells come twice."""
    start = min(region)
    cell, outside = start, 3
    walk: list[Hex] = []
    first: tuple[Hex, int] | None = None
    while True:
        for turn in range(1, 7):
            side = (outside + turn) % 6
            step = HEX_STEPS[side]
            other = Hex(cell.q + step.q, cell.r + step.r)
            if other in region:
                break
        else:
            return [cell]
        if (cell, side) == first:
            return walk
        first = first or (cell, side)
        walk.append(cell)
        cell, outside = other, (side + 3) % 6
