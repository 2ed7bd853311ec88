"""What sums over overlapping sets say about single blanks: propagation on bit sets.

A domain is an int used as a bit set: bit v is set while the blank may still be v. For one ring the
reachable sums are such a set as well: forward over its blanks by shift and or, backward from the target;
a value stays in a blank only if some sum before it and some sum after it meet the target (Trick's dynamic
programme for knapsack constraints, 2003). An unknown common target is one more set, shared by all rings.
Where the numbers of a ring differ, the same programme over (how many, sum) keeps only numbers that some
sum of different numbers needs: the combination tables of Killer Sudoku players.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from solver.rings.combinations import by_bounds, by_table, mirrored, values_of
from solver.rings.puzzle import Rings

# Rings whose blanks have more values than this together are judged by their smallest and largest sums
# only: with that much freedom the exact sets are full anyway, and cost the most.
MOST_VALUES_IN_SETS = 30
# Longer combination tables cost more than the guesses they spare.
LONGEST_TABLE = 16
# Sums of more blanks than this say nothing until most of them are known.
MOST_LEFT_OVER = 6

FAILED = 0


class Sums:
    """One puzzle as sums over sets of blanks, blanks and rings numbered in the order of the puzzle.

    weight: how often each ring failed, plus 1.
    """

    def __init__(self, puzzle: Rings) -> None:
        self._tables: dict[tuple[int, int, int], int] = {}
        self.stock = Counter(puzzle.numbers)
        once = puzzle.use == "once"
        self.once = once
        self.exact = once and len(puzzle.numbers) == len(puzzle.blanks)
        self.enough = not once or len(puzzle.numbers) >= len(puzzle.blanks)
        self._one_each = once and len(self.stock) == len(puzzle.numbers)
        self._distinct = puzzle.use == "ring-distinct"
        self._differ = self._distinct or self._one_each
        self._given_twice = False
        self.full = sum(1 << value for value in self.stock)
        self._read_rings(puzzle)
        if self.exact:
            self._add_left_over()
        self.weight = [1] * len(self.cells)

    def _read_rings(self, puzzle: Rings) -> None:
        number = {region: i for i, region in enumerate(puzzle.blanks)}
        given = puzzle.given
        self.cells: list[list[int]] = [[] for _ in puzzle.rings]
        self.rings_of: list[list[int]] = [[] for _ in number]
        self._given_sum = [0] * len(puzzle.rings)
        self._given_used = [0] * len(puzzle.rings)
        self._target = [puzzle.sum_of(ring) for ring in puzzle.rings]
        self._common = [puzzle.target == "?" and ring.target == "=" for ring in puzzle.rings]
        ring_number = {ring.name: i for i, ring in enumerate(puzzle.rings)}
        for region, names in puzzle.covers.items():
            cell = number.get(region)
            for name in names:
                ring = ring_number[name]
                if cell is not None:
                    self.cells[ring].append(cell)
                    self.rings_of[cell].append(ring)
                else:
                    value = given[region]
                    self._given_sum[ring] += value
                    self._given_twice |= bool(self._given_used[ring] >> value & 1)
                    self._given_used[ring] |= 1 << value

    def _add_left_over(self) -> None:
        """Sums of blanks that no ring holds together: the whole stock is used, so what rings that share no blank
        leave over must add up to the rest of it. Each ring begins one such choice of rings."""
        insides = [set(cells) for cells in self.cells]
        told = [ring for ring, target in enumerate(self._target) if target is not None]
        told.sort(key=lambda ring: -len(insides[ring]))
        stock = sum(value * times for value, times in self.stock.items())
        seen: set[tuple[int, ...]] = set()
        for first in told:
            covered, rest = set[int](), stock
            for ring in (first, *told):
                if covered.isdisjoint(insides[ring]):
                    covered |= insides[ring]
                    rest -= (self._target[ring] or 0) - self._given_sum[ring]
            left = tuple(cell for cell in range(len(self.rings_of)) if cell not in covered)
            if left in seen or not 0 < len(left) <= MOST_LEFT_OVER:
                continue
            seen.add(left)
            for cell in left:
                self.rings_of[cell].append(len(self.cells))
            self.cells.append(list(left))
            self._target.append(rest)
            self._common.append(False)
            self._given_sum.append(0)
            self._given_used.append(0)

    def start(self) -> tuple[list[int], int] | None:
        """Domains and common targets before any sum; None when it is impossible already."""
        if not self.enough or (self._distinct and self._given_twice):
            return None
        domains = [self.full] * len(self.rings_of)
        if self._distinct:
            for cell, rings in enumerate(self.rings_of):
                for ring in rings:
                    domains[cell] &= ~self._given_used[ring]
            self._peers = [
                sorted({other for ring in rings for other in self.cells[ring]} - {cell})
                for cell, rings in enumerate(self.rings_of)
            ]
        common = 1
        if any(self._common):
            most = self.full.bit_length()
            largest = max(g + most * len(c) for g, c in zip(self._given_sum, self.cells, strict=True))
            common = (1 << (largest + 1)) - 1
        return (domains, common) if all(domains) else None

    def propagate(self, domains: list[int], common: int, changed: Iterable[int], rings: Iterable[int]) -> int:
        """Narrow the domains in place until nothing follows any more.

        changed: blanks that were narrowed since the last call; rings: others to look at.
        Returns the set of common targets, FAILED when some blank has no value left.
        """
        queue = deque(rings)
        waiting = bytearray(len(self.cells))
        for ring in queue:
            waiting[ring] = 1
        news = list(changed)
        while True:
            while news:
                cell = news.pop()
                mask = domains[cell]
                for ring in self.rings_of[cell]:
                    if not waiting[ring]:
                        waiting[ring] = 1
                        queue.append(ring)
                if not mask & (mask - 1) and self._differ | self.once:
                    narrowed = self._settle(domains, cell, mask)
                    if narrowed is None:
                        return FAILED
                    news += narrowed
            if queue:
                # The oldest first: it has heard of the most blanks by then.
                ring = queue.popleft()
                waiting[ring] = 0
                before = common
                if self._target[ring] is not None:
                    narrowed = self._narrow(domains, ring, self._target[ring] or 0)
                elif self._common[ring]:
                    if not common & (common - 1):
                        narrowed = self._narrow(domains, ring, common.bit_length() - 1)
                    else:
                        common, narrowed = self._narrow_common(domains, ring, common)
                else:
                    continue
                if narrowed is None:
                    self.weight[ring] += 1
                    return FAILED
                news += narrowed
                if common != before:
                    for other, shared in enumerate(self._common):
                        if shared and not waiting[other]:
                            waiting[other] = 1
                            queue.append(other)
                continue
            if self.exact:
                narrowed = self._last_places(domains)
                if narrowed is None:
                    return FAILED
                if narrowed:
                    news += narrowed
                    continue
            return common

    def _settle(self, domains: list[int], cell: int, bit: int) -> list[int] | None:
        """A blank has its number: take the number from the blanks that must not repeat it."""
        narrowed: list[int] = []
        if self._distinct:
            others: Iterable[int] = self._peers[cell]
        elif self._one_each:
            others = range(len(domains))
        else:
            times = domains.count(bit)
            left = self.stock[bit.bit_length() - 1] - times
            if left < 0:
                return None
            if left:
                return narrowed
            others = [other for other, mask in enumerate(domains) if mask != bit]
        for other in others:
            mask = domains[other]
            if mask & bit and other != cell:
                if mask == bit:
                    return None
                domains[other] = mask & ~bit
                narrowed.append(other)
        return narrowed

    def _last_places(self, domains: list[int]) -> list[int] | None:
        """The stock is as long as the blanks: a number with just enough places left goes there."""
        narrowed = []
        if self._one_each:
            once = twice = 0
            for mask in domains:
                twice |= once & mask
                once |= mask
            if once != self.full:
                return None
            single = once & ~twice
            for cell, mask in enumerate(domains):
                bit = mask & single
                if bit and bit != mask:
                    if bit & (bit - 1):
                        return None
                    domains[cell] = bit
                    narrowed.append(cell)
            return narrowed
        for value, times in self.stock.items():
            places = [cell for cell, mask in enumerate(domains) if mask >> value & 1]
            if len(places) < times:
                return None
            if len(places) == times:
                for cell in places:
                    if domains[cell] != 1 << value:
                        domains[cell] = 1 << value
                        narrowed.append(cell)
        return narrowed

    def _narrow(self, domains: list[int], ring: int, target: int) -> list[int] | None:
        """One ring with a known target. Returns the narrowed blanks, None when the target cannot be met."""
        rest = target - self._given_sum[ring]
        cells = []
        for cell in self.cells[ring]:
            mask = domains[cell]
            if mask & (mask - 1):
                cells.append(cell)
            else:
                rest -= mask.bit_length() - 1
        if not cells:
            return None if rest else cells
        if rest < 0:
            return None
        if len(cells) == 1:
            cell = cells[0]
            bit = domains[cell] & (1 << rest)
            if not bit:
                return None
            domains[cell] = bit
            return cells
        if len(cells) == 2:
            return self._pair(domains, cells[0], cells[1], rest)
        if len(cells) == 3:
            return self._three(domains, cells, rest)
        return self._several(domains, cells, rest)

    def _pair(self, domains: list[int], a: int, b: int, total: int) -> list[int] | None:
        """Two blanks that add up to `total`: each keeps what the other can complete."""
        first, second = domains[a], domains[b]
        if self._differ and not total & 1:
            half = ~(1 << (total >> 1))
            first &= half
            second &= half
        first &= mirrored(second, total)
        second &= mirrored(first, total)
        if not first or not second:
            return None
        narrowed = []
        if first != domains[a]:
            domains[a] = first
            narrowed.append(a)
        if second != domains[b]:
            domains[b] = second
            narrowed.append(b)
        return narrowed

    def _three(self, domains: list[int], cells: list[int], total: int) -> list[int] | None:
        """Three blanks that add up to `total`: each number of one, with all that the other two make of the rest."""
        one, two, three = sorted(cells, key=lambda cell: domains[cell].bit_count())
        masks = domains[one], domains[two], domains[three]
        first = second = third = 0
        for value in values_of(masks[0]):
            bit, left = 1 << value, total - value
            if left < 0:
                break
            others = masks[1] & mirrored(masks[2], left)
            if self._differ:
                # None of the two is the number itself, nor both the same.
                same = bit | 1 << left >> value
                others &= ~same if left & 1 else ~(same | 1 << (left >> 1))
            if others:
                first |= bit
                second |= others
                third |= mirrored(others, left)
        if not first:
            return None
        narrowed = []
        for cell, mask in ((one, first), (two, second), (three, third)):
            if mask != domains[cell]:
                domains[cell] = mask
                narrowed.append(cell)
        return narrowed

    def _several(self, domains: list[int], cells: list[int], rest: int) -> list[int] | None:
        """Three and more blanks: combinations, smallest and largest sums, then the exact sets."""
        masks = [domains[cell] for cell in cells]
        if self._differ:
            union = 0
            for mask in masks:
                union |= mask
            useful = self._combinations(union, len(cells), rest)
            if useful != union:
                masks = [mask & useful for mask in masks]
                if not all(masks):
                    return None
        least = [(mask & -mask).bit_length() - 1 for mask in masks]
        most = [mask.bit_length() - 1 for mask in masks]
        spare, short = rest - sum(least), sum(most) - rest
        if spare < 0 or short < 0:
            return None
        for i, mask in enumerate(masks):
            if most[i] - least[i] > spare:
                mask &= (1 << (least[i] + spare + 1)) - 1
            if most[i] - least[i] > short:
                mask &= -1 << (most[i] - short)
            if not mask:
                return None
            masks[i] = mask
        if sum(mask.bit_count() for mask in masks) <= MOST_VALUES_IN_SETS:
            supported = self._exact_sets(masks, 1 << rest)
            if supported is None:
                return None
            masks = supported
        narrowed = []
        for cell, mask in zip(cells, masks, strict=True):
            if mask != domains[cell]:
                domains[cell] = mask
                narrowed.append(cell)
        return narrowed

    def _narrow_common(self, domains: list[int], ring: int, common: int) -> tuple[int, list[int] | None]:
        """One ring whose target is one of a set: narrow the set as well as the blanks."""
        base = self._given_sum[ring]
        masks = [domains[cell] for cell in self.cells[ring]]
        sums = 1 << base
        for mask in masks:
            reached = 0
            for value in values_of(mask):
                reached |= sums << value
            sums = reached
        common &= sums
        if not common:
            return FAILED, None
        supported = self._exact_sets(masks, common >> base)
        if supported is None:
            return FAILED, None
        narrowed = []
        for cell, mask in zip(self.cells[ring], supported, strict=True):
            if mask != domains[cell]:
                domains[cell] = mask
                narrowed.append(cell)
        return common, narrowed

    def _exact_sets(self, masks: list[int], targets: int) -> list[int] | None:
        """The values that some choice of the other blanks completes to one of the targets."""
        limit = (1 << targets.bit_length()) - 1
        values = [values_of(mask) for mask in masks]
        before = [1]
        for options in values[:-1]:
            reached, last = 0, before[-1]
            for value in options:
                reached |= last << value
            before.append(reached & limit)
        wanted = targets
        kept = [0] * len(masks)
        for i in range(len(masks) - 1, -1, -1):
            start, earlier, keep = before[i], 0, 0
            for value in values[i]:
                left = wanted >> value
                if left & start:
                    keep |= 1 << value
                    earlier |= left
            if not keep:
                return None
            kept[i] = keep
            wanted = earlier
        return kept

    def _combinations(self, union: int, size: int, total: int) -> int:
        """The numbers of `union` that some `size` different ones of them with the sum `total` contain."""
        key = (union, size, total)
        known = self._tables.get(key)
        if known is not None:
            return known
        values = values_of(union)
        if len(values) > LONGEST_TABLE:
            useful = by_bounds(values, size, total)
        else:
            useful = by_table(values, size, total)
        self._tables[key] = useful
        return useful
