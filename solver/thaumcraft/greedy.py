"""A filling without any promise about its price, in little time: the nearest given is linked first, used cells are
closed.

H. Takahashi, A. Matsuyama, "An approximate solution for the Steiner problem in graphs", Mathematica Japonica 24
(1980), from every given as the start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from solver.thaumcraft.dense import FAR, Addresses, Table
from solver.thaumcraft.graph import Graph

# How often a chain is looked for anew because it used a cell twice or more aspects than there are.
TRIES = 12
# Starts that are brought to their end in any case, until there is a filling.
PATIENCE = 3
# The dearest node in the prices that chains are compared by.
DEAREST = 400
# Whether the stock is too small for some placements.
Short = Callable[[Counter[str]], bool]


def fillings(
    graph: Graph,
    addresses: Addresses,
    nodes: int,
    weights: Mapping[str, int],
    short: Short,
    stop: Callable[[], bool],
) -> Iterator[frozenset[int] | None]:
    """Connections of all givens in which no cell is used twice, as sets of nodes; None for a start that leads to none.

    weights: what chains are compared by, per aspect. Raises OutOfTime.
    """
    prices = _coarse(graph, addresses, nodes, weights)
    starts = list(graph.givens)
    patience = PATIENCE
    while starts:
        growth = _Growth(graph, addresses, prices, starts.pop(0), short, _never if patience else stop)
        tree = growth.grown()
        yield tree
        patience = 0 if tree else max(0, patience - 1)
        # Who was shut in comes first next time.
        starts.sort(key=lambda given: given not in growth.shut_in)


def _never() -> bool:
    return False


def _coarse(graph: Graph, addresses: Addresses, nodes: int, weights: Mapping[str, int]) -> Table:
    """Prices of at least 1, so that every step back along a chain is one towards its start."""
    prices = addresses.prices(graph, nodes, 0, {}, [0] * graph.width)
    dearest = max(1, *weights.values())
    for aspect, tag in enumerate(graph.tags):
        row = prices[addresses.row_of[aspect]]
        row[row < FAR] = 1 + weights[tag] * min(16, DEAREST / dearest)
    for given in graph.givens:
        prices[addresses.at(given)] = 1
    return prices


class _Growth:
    """A tree that grows from one given; prices: a table that may be changed in a copy."""

    def __init__(
        self,
        graph: Graph,
        addresses: Addresses,
        prices: Table,
        start: int,
        short: Short,
        stop: Callable[[], bool],
    ) -> None:
        self.graph, self.addresses, self.short, self.stop = graph, addresses, short, stop
        self.prices = prices.copy()
        self.tree: set[int] = set()
        # The givens that were not reached, when it ends so.
        self.shut_in: set[int] = set()
        self.used: Counter[str] = Counter()
        self.row = np.full((1, *prices.shape), FAR, dtype=np.uint16)
        self._add([start])

    def grown(self) -> frozenset[int] | None:
        """The tree when it holds all givens; None when it cannot."""
        waiting = set(self.graph.givens) - self.tree
        while waiting:
            chain = self._chain(waiting)
            if chain is None:
                self.shut_in = waiting
                return None
            self._add(chain)
            waiting -= self.tree
        return frozenset(self.tree)

    def _add(self, chain: list[int]) -> None:
        for node in chain:
            row, place = self.addresses.at(node)
            self.prices[:, place] = FAR
            self.prices[row, place] = 0
            self.row[0, row, place] = 0
            if node not in self.graph.givens and node not in self.tree:
                self.used[self.graph.place(node)[1]] += 1
            self.tree.add(node)

    def _chain(self, waiting: set[int]) -> list[int] | None:
        """The cheapest chain from the tree to a waiting given that uses no cell twice and nothing that is sold out."""
        graph, addresses = self.graph, self.addresses
        prices = self.prices.copy()
        self._close(prices, self._sold_out())
        for _ in range(TRIES):
            row = self.row.copy()
            addresses.grow(row, prices, self.stop)
            cost, given = min((int(row[0][addresses.at(given)]), given) for given in waiting)
            if cost >= FAR:
                return None
            chain = self._back(row[0], prices, given)
            cells: dict[int, int] = {}
            for node in chain:
                if cells.setdefault(graph.cell_of(node), node) != node:
                    # Without the one that is nearer to the tree the chain is another one.
                    prices[addresses.at(node)] = FAR
                    break
            else:
                added = Counter(
                    graph.place(node)[1]
                    for node in chain
                    if node not in graph.givens and node not in self.tree
                )
                over = self._overdrawn(added)
                if over is None:
                    return chain
                self._close(prices, (over,))
        return None

    def _overdrawn(self, added: Counter[str]) -> str | None:
        """The first aspect of a chain that there is not enough of; None if there is."""
        used = self.used.copy()
        for tag in added.elements():
            used[tag] += 1
            if self.short(used):
                return tag
        return None

    def _sold_out(self) -> list[str]:
        """The aspects that cannot be had once more."""
        return [tag for tag in self.graph.tags if self.short(self.used + Counter([tag]))]

    def _close(self, prices: Table, tags: Iterable[str]) -> None:
        """Takes aspects out of the prices, but not out of the tree."""
        for tag in tags:
            row = prices[self.addresses.row_of[self.graph.tags.index(tag)]]
            row[row > 0] = FAR
        for given in self.graph.givens:
            prices[self.addresses.at(given)] = self.prices[self.addresses.at(given)]

    def _back(self, row: Table, prices: Table, given: int) -> list[int]:
        """The chain by which a given hangs on the tree, from the given on."""
        addresses = self.addresses
        chain = [given]
        while chain[-1] not in self.tree:
            at, place = addresses.at(chain[-1])
            around = addresses.around(place)
            sources = np.array(addresses.sources[at])
            near = row[np.ix_(sources, around)].astype(np.int64) + prices[np.ix_(sources, around)]
            source, side = np.unravel_index(int(near.argmin()), near.shape)
            chain.append(addresses.node(int(sources[source]), int(around[int(side)])))
        return chain
