"""Rules about what hangs together: groups of cells, points without a loop, pairs of posts and cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from solver.grid.rules import Narrowed, Sets
from solver.steps import Contradiction


@dataclass(frozen=True)
class Connected:
    """All cells that hold one of some values hang together. beside: the neighbours of every cell, by its number."""

    cells: tuple[int, ...]
    beside: Mapping[int, tuple[int, ...]]
    wanted: int
    why: str

    def narrow(self, sets: Sets) -> Narrowed:
        sure = [cell for cell in self.cells if not sets[cell] & ~self.wanted]
        if not sure:
            return {}
        low, after, below, parent, order = self._walk(sets, sure[0], set(sure))
        if below[sure[0]] != len(sure):
            raise Contradiction(f"{self.why}, and two parts are cut off from each other")
        found = {
            cell: sets[cell] & ~self.wanted
            for cell in self.cells
            if sets[cell] & self.wanted and cell not in low and sets[cell] & ~self.wanted
        }
        # A cell whose loss would cut sure cells off must be one of them.
        for cell in order[1:]:
            up = parent[cell]
            if below[cell] and low[cell] >= after[up] and sets[up] & ~self.wanted:
                found[up] = sets[up] & self.wanted
        return found

    def _walk(
        self, sets: Sets, root: int, sure: set[int]
    ) -> tuple[dict[int, int], dict[int, int], dict[int, int], dict[int, int], list[int]]:
        """A walk over all cells that may belong (R. Tarjan, 1972): low links, order, sure cells below, parents."""
        low, after, below, parent = {root: 0}, {root: 0}, {root: int(root in sure)}, {root: root}
        order = [root]
        stack = [(root, iter(self.beside[root]))]
        while stack:
            cell, rest = stack[-1]
            for near in rest:
                if not sets[near] & self.wanted:
                    continue
                if near not in after:
                    after[near] = low[near] = len(order)
                    order.append(near)
                    parent[near], below[near] = cell, int(near in sure)
                    stack.append((near, iter(self.beside[near])))
                    break
                low[cell] = min(low[cell], after[near])
            else:
                stack.pop()
                if stack:
                    up = stack[-1][0]
                    low[up] = min(low[up], low[cell])
                    below[up] += below[cell]
        return low, after, below, parent, order

    def holds(self, sets: Sets) -> bool:
        left = {cell for cell in self.cells if sets[cell] & self.wanted}
        front = [min(left)] if left else []
        left -= set(front)
        while front:
            front = [near for near in self.beside[front.pop()] if near in left] + front
            left -= set(front)
        return not left


@dataclass(frozen=True)
class Forest:
    """Joins between points make no loop; with `spanning`, all points hang together besides.

    joins: for every cell and value the pairs of points that it joins.
    """

    cells: tuple[int, ...]
    joins: Mapping[int, Mapping[int, tuple[tuple[int, int], ...]]]
    points: int
    why: str
    spanning: bool = False
    _known: dict[tuple[int, int], frozenset[tuple[int, int]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def _sure(self, cell: int, have: int) -> frozenset[tuple[int, int]]:
        """The pairs that every value left in a cell joins."""
        if (cell, have) not in self._known:
            joins = self.joins[cell]
            each = [frozenset(joins.get(1 << bit, ())) for bit in range(have.bit_length()) if have >> bit & 1]
            self._known[cell, have] = frozenset.intersection(*each)
        return self._known[cell, have]

    def narrow(self, sets: Sets) -> Narrowed:
        groups = list(range(self.points))

        def find(at: int) -> int:
            while groups[at] != at:
                groups[at] = groups[groups[at]]
                at = groups[at]
            return at

        for cell in self.cells:
            for a, b in self._sure(cell, sets[cell]):
                one, other = find(a), find(b)
                if one == other:
                    raise Contradiction(f"{self.why}, and there is a loop")
                groups[one] = other
        found: Narrowed = {}
        for cell in self.cells:
            have = sets[cell]
            if have & (have - 1):
                sure = self._sure(cell, have)
                for value, pairs in self.joins[cell].items():
                    if have & value and any(find(a) == find(b) for a, b in pairs if (a, b) not in sure):
                        found[cell] = found.get(cell, have) & ~value
                if found.get(cell) == 0:
                    raise Contradiction(f"{self.why}, and any line in one cell makes a loop")
        if self.spanning:
            for cell in self.cells:
                for value, pairs in self.joins[cell].items():
                    if sets[cell] & value:
                        for a, b in pairs:
                            groups[find(a)] = find(b)
            if len({find(point) for point in range(self.points)}) > 1:
                raise Contradiction(f"{self.why}, and a part is cut off")
        return found

    def holds(self, sets: Sets) -> bool:
        pairs = [pair for cell in self.cells for pair in self.joins[cell].get(sets[cell], ())]
        reached, near = {0}, dict[int, list[int]]()
        for a, b in pairs:
            near.setdefault(a, []).append(b)
            near.setdefault(b, []).append(a)
        if self.spanning:
            front = [0]
            while front:
                fresh = [b for b in near.get(front.pop(), ()) if b not in reached]
                reached |= set(fresh)
                front += fresh
            return len(reached) == self.points and len(pairs) == self.points - 1
        # Without a loop, taking away points with at most one join again and again leaves nothing.
        rest_of = [set(pair) for pair in pairs]
        while rest_of:
            counts: dict[int, int] = {}
            for joined in rest_of:
                for point in joined:
                    counts[point] = counts.get(point, 0) + 1
            kept = [joined for joined in rest_of if all(counts[point] > 1 for point in joined)]
            if len(kept) == len(rest_of):
                return False
            rest_of = kept
        return True


@dataclass(frozen=True)
class Matched:
    """Every post can be given a cell of its own that holds one of some values, and no such cell is left over.

    posts: the cells that each post may be given. full: whether every cell must go to a post.
    """

    posts: tuple[tuple[int, ...], ...]
    wanted: int
    why: str
    cells: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(dict.fromkeys(cell for post in self.posts for cell in post)))

    def narrow(self, sets: Sets) -> Narrowed:
        may = [[cell for cell in post if sets[cell] & self.wanted] for post in self.posts]
        if len(_matching(may)) < len(self.posts):
            raise Contradiction(f"{self.why}, and one has none left")
        sure = [cell for cell in self.cells if not sets[cell] & ~self.wanted]
        posts_of = [[i for i, post in enumerate(self.posts) if cell in post] for cell in sure]
        if len(_matching(posts_of)) < len(sure):
            raise Contradiction(f"{self.why}, and one is too many")
        # A post with one cell left needs that cell.
        return {
            cells[0]: sets[cells[0]] & self.wanted
            for cells in may
            if len(cells) == 1 and sets[cells[0]] & ~self.wanted
        }

    def holds(self, sets: Sets) -> bool:
        mine = [cell for cell in self.cells if sets[cell] & self.wanted]
        may = [[cell for cell in post if cell in mine] for post in self.posts]
        return len(mine) == len(self.posts) == len(_matching(may))


def _matching(choices: Iterable[Sequence[int]]) -> dict[int, int]:
    """A largest matching, choice -> its number (augmenting paths, C. Berge, 1957)."""
    wanted = list(choices)
    owner: dict[int, int] = {}

    def give(one: int, tried: set[int]) -> bool:
        for choice in wanted[one]:
            if choice not in tried:
                tried.add(choice)
                if choice not in owner or give(owner[choice], tried):
                    owner[choice] = one
                    return True
        return False

    for one in range(len(wanted)):
        give(one, set())
    return owner


@dataclass(frozen=True)
class Sized:
    """Cells of a value hang together in groups of as many cells as the value says. sizes: value bit -> size.

    cells: numbers, with the place of each in `places`: counted row by row of `width` cells, where the last column of each
    row is no cell. Sets of cells are kept as bits of one whole number, a bit for each place, so that a group grows on all
    sides at once and never round the end of a row.
    """

    cells: tuple[int, ...]
    places: tuple[int, ...]
    width: int
    sizes: Mapping[int, int]
    why: str

    def narrow(self, sets: Sets) -> Narrowed:
        alike = self._alike(sets)
        without: dict[int, int] = {}
        needed: dict[int, int] = {}
        for value, size in self.sizes.items():
            may = sum(cells for have, cells in alike.items() if have & value)
            if may:
                sure = alike.get(value, 0)
                needed[value], gone = self._grow(self._parts(sure), may & ~sure, may, size)
                without[value] = gone | self._lonely(may, size)
        return self._told(sets, without, needed)

    def _grow(self, groups: Sequence[int], free: int, may: int, size: int) -> tuple[int, int]:
        """The free cells that a group of known cells needs, and those that would make one too large."""
        needed = gone = once = twice = 0
        edges = [self._round(group) & free for group in groups]
        for group, edge in zip(groups, edges, strict=True):
            count = group.bit_count()
            if count > size:
                raise Contradiction(f"{self.why}, and a group of {size} is too large")
            if count == size:
                gone |= edge
                continue
            if not self._room(group, may, size):
                raise Contradiction(f"{self.why}, and a group of {size} has no room to grow")
            # Without a cell that it needs to grow, the group would stay too small.
            needed |= sum(cell for cell in _each(edge) if not self._room(group, may ^ cell, size))
            twice |= once & edge
            once |= edge
        # A cell that would join groups to a larger one than its value allows.
        for cell in _each(twice & ~gone):
            joined = 1 + sum(
                group.bit_count() for group, edge in zip(groups, edges, strict=True) if edge & cell
            )
            gone |= cell if joined > size else 0
        return needed, gone

    def _lonely(self, may: int, size: int) -> int:
        """The cells whose value has too little room around them."""
        return sum(part for part in self._parts(may) if part.bit_count() < size)

    def _told(self, sets: Sets, without: Mapping[int, int], needed: Mapping[int, int]) -> Narrowed:
        touched = 0
        for cells in (*without.values(), *needed.values()):
            touched |= cells
        found: Narrowed = {}
        for cell, place in zip(self.cells, self.places, strict=True) if touched else ():
            if touched >> place & 1:
                left = sets[cell]
                for value in self.sizes:
                    if without.get(value, 0) >> place & 1:
                        left &= ~value
                    if needed.get(value, 0) >> place & 1:
                        left &= value
                if not left:
                    raise Contradiction(f"{self.why}, and one cell has nothing left")
                if left != sets[cell]:
                    found[cell] = left
        return found

    def _alike(self, sets: Sets) -> dict[int, int]:
        """For every set of values the cells that have just this one."""
        alike: dict[int, int] = {}
        for cell, place in zip(self.cells, self.places, strict=True):
            have = sets[cell]
            alike[have] = alike.get(have, 0) | 1 << place
        return alike

    def _round(self, cells: int) -> int:
        """Cells and the places beside them."""
        return cells | cells << 1 | cells >> 1 | cells << self.width | cells >> self.width

    def _parts(self, cells: int) -> list[int]:
        """The parts that cells fall into, the first cell's part first."""
        parts = []
        while cells:
            part, before = cells & -cells, 0
            while part != before:
                before, part = part, self._round(part) & cells
            parts.append(part)
            cells ^= part
        return parts

    def _room(self, group: int, may: int, size: int) -> bool:
        """Whether a group can grow to a size among the cells that may belong to it."""
        before = 0
        while group != before and group.bit_count() < size:
            before, group = group, self._round(group) & may
        return group.bit_count() >= size

    def holds(self, sets: Sets) -> bool:
        alike = self._alike(sets)
        if not alike.keys() <= self.sizes.keys():
            return False
        return all(
            part.bit_count() == self.sizes[value]
            for value, cells in alike.items()
            for part in self._parts(cells)
        )


def _each(cells: int) -> Iterator[int]:
    """The bits of a set of cells, one by one."""
    while cells:
        yield cells & -cells
        cells &= cells - 1
