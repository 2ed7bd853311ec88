"""The cheapest connection when a cell may hold several aspects: the table of sets of givens, in numpy.

S. E. Dreyfus, R. A. Wagner, "The Steiner problem in graphs", Networks 1 (1971): the cheapest tree that hangs
a set of terminals on a node is either grown from a neighbour or joined from two smaller sets. Every tree has
a node whose branches hold at most half of the terminals each, so sets up to half of them are enough; and of those
only the sets that `arcs` tells.

A row of the table is (row, place): places are the cells in a rectangle with a rim, so that "the cheapest of
six neighbours" is six shifted views of one array. Entries leave out the price of the node itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from solver.thaumcraft.graph import Graph, bits
from solver.thaumcraft.necks import Neck, closed
from solver.thaumcraft.trees import OutOfTime

Table = npt.NDArray[np.uint16]

NOWHERE = np.array([], dtype=np.intp)

# Above every price, and small enough that twice as much fits 16 bits.
FAR = 30000
# Entries that are grown together; keeps the work inside the processor's cache.
CHUNK = 150_000
# Entries of a row from which one call per link is faster than one per rank of links.
MANY = 1500


class Addresses:
    """Where every cell and aspect stands in a board's tables: places, shifts and links."""

    def __init__(self, graph: Graph) -> None:
        qs = [cell.q for cell in graph.cells]
        rs = [cell.r for cell in graph.cells]
        self.stride = max(rs) - min(rs) + 2
        self.places = (max(qs) - min(qs) + 2) * self.stride
        self.place_of = np.array(
            [(q - min(qs) + 1) * self.stride + r - min(rs) for q, r in graph.cells], dtype=np.intp
        )
        self._cells = {int(place): cell for cell, place in enumerate(self.place_of)}
        self._at: dict[int, tuple[int, int]] = {}
        self.width = graph.width
        # Rows by falling number of links, so that "all aspects with a third link" is a slice.
        by_links = sorted(range(graph.width), key=lambda aspect: (-graph.links[aspect].bit_count(), aspect))
        self.row_of = np.empty(graph.width, dtype=np.intp)
        self.row_of[by_links] = np.arange(graph.width)
        self.aspect_of = by_links
        self.sources = [[int(self.row_of[i]) for i in bits(graph.links[aspect])] for aspect in by_links]
        self._necks: tuple[Neck, ...] = ()
        self._closed: dict[int, tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]] = {}
        self._terminals = [self.at(given) for given in graph.givens]
        most = len(self.sources[0])
        self.ranks = [
            np.array([links[rank] for links in self.sources if len(links) > rank], dtype=np.intp)
            for rank in range(most)
        ]

    def narrow(self, found: tuple[Neck, ...]) -> None:
        """From now on tables heed these bottlenecks."""
        self._necks = found
        self._closed = {}

    def prices(
        self, graph: Graph, nodes: int, scale: int, by_cell: Mapping[int, int], by_aspect: Sequence[int]
    ) -> Table:
        """(row, place): `scale` times the price of each node and what its cell and its aspect are charged in
        addition; FAR where there is no node."""
        prices = np.full((self.width, self.places), FAR, dtype=np.uint16)
        size = len(graph.cells) * graph.width
        packed = np.frombuffer(nodes.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
        there = np.unpackbits(packed, count=size, bitorder="little").reshape(len(graph.cells), graph.width)
        costs = np.array(graph.costs, dtype=np.int64) * scale + np.array(by_aspect, dtype=np.int64)
        full = np.tile(costs, (len(graph.cells), 1))
        for cell, amount in by_cell.items():
            full[cell] += amount
        full[~there.astype(bool)] = FAR
        prices[:, self.place_of] = np.minimum(full, FAR).astype(np.uint16).T[self.aspect_of]
        for given in graph.givens:
            prices[self.at(given)] = 0
        return prices

    def at(self, node: int) -> tuple[int, int]:
        """(row, place) of a node."""
        known = self._at.get(node)
        if known is None:
            cell, aspect = divmod(node, self.width)
            known = self._at[node] = int(self.row_of[aspect]), int(self.place_of[cell])
        return known

    def node(self, row: int, place: int) -> int:
        """The node at a place of a table."""
        return self._cells[place] * self.width + self.aspect_of[row]

    def around(self, place: int) -> npt.NDArray[np.intp]:
        """The six places beside a place."""
        stride = self.stride
        return (place + np.array([stride, stride - 1, -1, -stride, 1 - stride, 1])) % self.places

    def grow(
        self, rows: Table, prices: Table, stop: Callable[[], bool], sets: Sequence[int] | None = None
    ) -> None:
        """Lets every entry of some rows (n, row, place) reach all nodes, in place.

        sets: the terminals of every row. A chain then never comes back to one of them, and leaves no other terminal
        behind: those that it meets must be joined. Raises OutOfTime.
        """
        per = max(1, CHUNK // (self.width * self.places))
        for start in range(0, len(rows), per):
            if stop():
                raise OutOfTime
            self._grow(rows[start : start + per], prices, () if sets is None else sets[start : start + per])

    def _grow(self, rows: Table, prices: Table, sets: Sequence[int]) -> None:
        stride, count = self.stride, len(rows)
        size = count * self.places
        guard = stride + 1
        now = np.ascontiguousarray(rows.transpose(1, 0, 2)).reshape(self.width, size)
        paid = np.full((self.width, size + 2 * guard), FAR, dtype=np.uint16)
        middle = paid[:, guard : guard + size]
        around = [
            paid[:, guard + shift : guard + shift + size]
            for shift in (stride, stride - 1, -1, -stride, 1 - stride, 1)
        ]
        price = np.tile(prices, (1, count))
        price[self._terminals_of(sets, own=False)] = FAR
        never, still = self._closed_to(sets)
        price[:, never] = FAR
        price[:, still] = FAR
        own = self._terminals_of(sets, own=True)
        joined = now[own]
        best = np.empty((self.width, size), dtype=np.uint16)
        many = size > MANY
        before = now.copy()
        while True:
            np.add(now, price, out=middle)
            np.minimum(around[0], around[1], out=best)
            for view in around[2:]:
                np.minimum(best, view, out=best)
            if many:
                for row, linked in zip(now, self.sources, strict=True):
                    for source in linked:
                        np.minimum(row, best[source], out=row)
            else:
                for sources in self.ranks:
                    top = now[: len(sources)]
                    np.minimum(top, best[sources], out=top)
            now[own] = joined
            if np.array_equal(now, before):
                break
            before[:] = now
        now[:, never] = FAR
        rows[:] = now.reshape(self.width, count, self.places).transpose(1, 0, 2)

    def _terminals_of(
        self, sets: Sequence[int], *, own: bool
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Where in rows that lie side by side the terminals of each set are, or all other terminals."""
        found = [
            (row, n * self.places + place)
            for n, covered in enumerate(sets)
            for i, (row, place) in enumerate(self._terminals)
            if (covered >> i & 1 == 1) is own
        ]
        both = np.array(found, dtype=np.intp).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    def _closed_to(self, sets: Sequence[int]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """In rows that lie side by side, the places that the sets cannot hang on, and those they cannot leave."""
        if not self._necks:
            return NOWHERE, NOWHERE
        found = []
        for n, covered in enumerate(sets):
            if covered not in self._closed:
                never, still = closed(self._necks, covered)
                self._closed[covered] = self.place_of[never], self.place_of[still]
            found.append([places + n * self.places for places in self._closed[covered]])
        return (
            np.concatenate([NOWHERE, *(never for never, _ in found)]),
            np.concatenate([NOWHERE, *(still for _, still in found)]),
        )


class Tables:
    """The prices of all small sets of terminals on all nodes, and the cheapest connection of all.

    cost: price of the cheapest connection, FAR or more when there is none.
    Raises OutOfTime when `stop` says so.
    """

    def __init__(self, graph: Graph, addresses: Addresses, prices: Table, stop: Callable[[], bool]) -> None:
        self.addresses, self.prices = addresses, prices
        self.terminals = graph.givens
        self.arcs = graph.arcs
        self.half = len(self.terminals) // 2
        self.rows: dict[int, Table] = {}
        self._spare = np.empty((addresses.width, addresses.places), dtype=np.uint16)
        for size in range(1, self.half + 1):
            self._hang(size, stop)
        self.cost = 2 * FAR
        self._through: Table | None = None
        self._last: list[int] = []
        self._close(stop)

    def _hang(self, size: int, stop: Callable[[], bool]) -> None:
        """The rows of all sets of one size."""
        addresses = self.addresses
        sets = self.arcs.of_size(size)
        table = np.full((len(sets), addresses.width, addresses.places), FAR, dtype=np.uint16)
        for covered, row in zip(sets, table, strict=True):
            if size == 1:
                row[addresses.at(self.terminals[covered.bit_length() - 1])] = 0
            else:
                self._join(covered, row)
            if stop():
                raise OutOfTime
        addresses.grow(table, self.prices, stop, sets)
        self.rows.update(zip(sets, table, strict=True))

    def _join(self, covered: int, best: Table, largest: int = 64) -> None:
        """The cheapest of two parts that meet in a node; no part is larger than half, or has more than `largest`
        terminals."""
        rows, spare = self.rows, self._spare
        for part, rest in self.arcs.splits(covered):
            one, other = rows.get(part), rows.get(rest)
            if one is None or other is None or part.bit_count() > largest or rest.bit_count() > largest:
                continue
            np.add(one, other, out=spare)
            np.minimum(best, spare, out=best)

    def _close(self, stop: Callable[[], bool]) -> None:
        """Joins up to three parts, each at most half, the first being the largest, in one node."""
        spare = np.empty_like(self._spare)
        for size in range(self.half, -(-len(self.terminals) // 3) - 1, -1):
            for covered in self.arcs.of_size(size):
                if stop():
                    raise OutOfTime
                rest = self.arcs.full ^ covered
                best = self.rows.get(rest)
                if best is None:
                    best = np.full_like(spare, FAR)
                    self._join(rest, best, size)
                np.add(best, self.prices, out=spare)
                np.minimum(spare, FAR, out=spare)
                spare += self.rows[covered]
                cost = int(spare.min())
                if cost < self.cost:
                    self.cost = cost
                    self._last = []
                if cost == self.cost:
                    self._last.append(covered)
        self._last.sort(key=lambda covered: (covered.bit_count(), covered))

    def within(self, limit: int, stop: Callable[[], bool]) -> int:
        """The nodes of all connections that cost at most `limit`.

        A node parts a tree in two; so the rows for the larger sets are made too.
        """
        if self._through is None:
            self._through = self._all_through(stop)
        best = self._through
        there = (best <= limit)[self.addresses.row_of][:, self.addresses.place_of].T
        return int.from_bytes(np.packbits(there, bitorder="little").tobytes(), "little")

    def _all_through(self, stop: Callable[[], bool]) -> Table:
        """(row, place): the cheapest connection that uses a node."""
        for size in range(self.half + 1, len(self.terminals)):
            sets = self.arcs.of_size(size)
            table = np.full((len(sets), *self._spare.shape), FAR, dtype=np.uint16)
            for covered, row in zip(sets, table, strict=True):
                if stop():
                    raise OutOfTime
                self._join(covered, row)
            self.addresses.grow(table, self.prices, stop, sets)
            self.rows.update(zip(sets, table, strict=True))
        best = np.full_like(self._spare, FAR)
        self._join(self.arcs.full, best)
        np.add(best, self.prices, out=best)
        return best

    def price(self, node: int) -> int:
        return int(self.prices[self.addresses.at(node)])

    def hung(self, node: int, covered: int) -> int:
        """The cheapest tree that hangs a set of terminals on a node, without the node's own price."""
        row = self.rows.get(covered)
        return FAR if row is None else int(row[self.addresses.at(node)])

    def hung_on(self, nodes: Sequence[int]) -> dict[int, dict[int, int]]:
        """For every set of terminals whose row is known, `hung` for some nodes."""
        at = [self.addresses.at(node) for node in nodes]
        rows, places = [row for row, _ in at], [place for _, place in at]
        return {
            covered: dict(zip(nodes, table[rows, places].tolist(), strict=True))
            for covered, table in self.rows.items()
        }

    def endings(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The nodes where a cheapest connection meets, with the sets of terminals that meet there."""
        addresses = self.addresses
        for covered in self._last:
            last = self.rows[covered].astype(np.int32) + self.prices
            for parts in self._parts(self.arcs.full ^ covered):
                total = last.copy()
                for part in parts:
                    total += self.rows[part]
                for row, place in zip(*np.nonzero(total == self.cost), strict=True):
                    yield addresses.node(int(row), int(place)), (covered, *parts)

    def splits(self, node: int, covered: int) -> Iterator[tuple[int, int]]:
        """The ways in which the cheapest tree for a set falls in two at its node."""
        cost = self.hung(node, covered)
        for part, rest in self.arcs.splits(covered):
            if self.hung(node, part) + self.hung(node, rest) == cost:
                yield part, rest

    def _parts(self, covered: int) -> Iterator[tuple[int, ...]]:
        if covered in self.rows:
            yield (covered,)
        for part, rest in self.arcs.splits(covered):
            if part in self.rows and rest in self.rows:
                yield part, rest
