"""Rules about what hangs together: groups of cells, points without a loop, pairs of posts and cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    """Cells of a value hang together in groups of as many cells as the value says. sizes: value bit -> size."""

    cells: tuple[int, ...]
    beside: Mapping[int, tuple[int, ...]]
    sizes: Mapping[int, int]
    why: str

    def narrow(self, sets: Sets) -> Narrowed:
        found: Narrowed = {}
        group, members = self._groups(sets)
        for value, size in self.sizes.items():
            may = {cell for cell in self.cells if sets[cell] & value}
            seen: set[int] = set()
            for cell in sorted(may):
                if cell in seen:
                    continue
                reach = self._flood(cell, may)
                seen |= reach
                if len(reach) < size:
                    for one in reach:
                        self._without(found, sets, one, value)
        for number, cells in enumerate(members):
            value = sets[cells[0]]
            size = self.sizes[value]
            if len(cells) > size:
                raise Contradiction(f"{self.why}, and a group of {size} is too large")
            edge = {
                near
                for cell in cells
                for near in self.beside[cell]
                if group.get(near) != number and sets[near] & value and sets[near] & (sets[near] - 1)
            }
            if len(cells) == size:
                for near in edge:
                    self._without(found, sets, near, value)
                continue
            if not edge:
                raise Contradiction(f"{self.why}, and a group of {size} has no room to grow")
            # Without a cell that it needs to grow, the group would stay too small.
            needed = edge
            for one in sorted(edge):
                grown = self._grown(sets, cells, value, size, without=one)
                if grown < size:
                    found[one] = found.get(one, sets[one]) & value
                    needed = needed - {one}
            if len(needed) == len(edge) and self._grown(sets, cells, value, size, without=-1) < size:
                raise Contradiction(f"{self.why}, and a group of {size} has no room to grow")
        # A cell that would join groups to a larger one than its value allows.
        for cell in self.cells:
            have = sets[cell]
            if not have & (have - 1):
                continue
            for value, size in self.sizes.items():
                if have & value:
                    joined = {group[n] for n in self.beside[cell] if n in group and sets[n] == value}
                    if joined and 1 + sum(len(members[number]) for number in joined) > size:
                        self._without(found, sets, cell, value)
        if any(not left for left in found.values()):
            raise Contradiction(f"{self.why}, and one cell has nothing left")
        return {cell: left for cell, left in found.items() if left != sets[cell]}

    def _groups(self, sets: Sets) -> tuple[dict[int, int], list[list[int]]]:
        """The groups of cells that are known: the group of every such cell, and the cells of every group."""
        group: dict[int, int] = {}
        members: list[list[int]] = []
        for cell in self.cells:
            if cell in group or sets[cell] & (sets[cell] - 1):
                continue
            alike = self._flood(cell, {one for one in self.cells if sets[one] == sets[cell]})
            group |= dict.fromkeys(alike, len(members))
            members.append(sorted(alike))
        return group, members

    def _flood(self, start: int, among: set[int]) -> set[int]:
        reached, front = {start}, [start]
        while front:
            for near in self.beside[front.pop()]:
                if near in among and near not in reached:
                    reached.add(near)
                    front.append(near)
        return reached

    def _grown(self, sets: Sets, group: Sequence[int], value: int, size: int, without: int) -> int:
        """How many cells a group can reach, a cell left out; no more than it needs."""
        reached, front, left = set(group), list(group), size - len(group)
        while front and left > 0 and len(reached) < size:
            left -= 1
            front = [
                near
                for near in dict.fromkeys(n for cell in front for n in self.beside[cell])
                if near not in reached and near != without and sets[near] & value
            ]
            reached |= set(front)
        return len(reached)

    def _without(self, found: Narrowed, sets: Sets, cell: int, value: int) -> None:
        found[cell] = found.get(cell, sets[cell]) & ~value
        if not found[cell]:
            raise Contradiction(f"{self.why}, and one cell has nothing left")

    def holds(self, sets: Sets) -> bool:
        group, members = self._groups(sets)
        return len(group) == len(self.cells) and all(len(m) == self.sizes[sets[m[0]]] for m in members)
