"""The rules of a puzzle of cells, as values: each knows when it is broken, and what it leaves possible.

A cell's possibilities are a set of values, kept as bits of a whole number. `narrow` says which sets a rule makes
smaller; `holds` says of a full board whether the rule is kept, without the former's shortcuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
