"""All cheap connections in which no cell holds two aspects, by exhaustive search over few nodes.

Where the relaxation is wrong on a small board, few nodes are left that a cheap solution can use. A tree is then
grown from one given: at every node it goes on to one neighbour or falls in two, and what is still to be hung costs
at least what the tables of the relaxation say. What a step costs beyond the tables is taken from the slack between
bound and limit, which is small.
"""

from __future__ import annotations

from collections.abc import Callable

from solver.thaumcraft.dense import FAR, Tables
from solver.thaumcraft.graph import Graph, bits
from solver.thaumcraft.trees import OutOfTime

# What is still to be hung on a tree: (node, set of terminals, whether it must go on to a neighbour, the others).
Goals = tuple[int, int, bool, "Goals"] | None


class Exhaustive:
    """The search within some nodes. `tables` must know the rows of all sets of givens (`Tables.within`)."""

    def __init__(self, graph: Graph, tables: Tables, nodes: int) -> None:
        self.graph, self.tables = graph, tables
        self.nodes = list(bits(nodes))
        self.root, self.terminals = tables.terminals[0], tables.terminals[1:]
        self.hung = tables.hung_on(self.nodes)
        self.price = {node: tables.price(node) for node in self.nodes}
        self.cell = {node: 1 << graph.cell_of(node) for node in self.nodes}
        self.bit_of = {terminal: 2 << i for i, terminal in enumerate(self.terminals)}
        self._within = nodes
        self._known_steps: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._known_splits: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        self._near: dict[int, list[int]] = {}

    def _steps(self, node: int, covered: int) -> list[tuple[int, int]]:
        """(extra cost, neighbour) for every neighbour that a set may hang on, by rising cost."""
        known = self._known_steps.get((node, covered))
        if known is None:
            row = self.hung[covered]
            now = row[node]
            near = self._near.get(node)
            if near is None:
                near = self._near[node] = list(bits(self.graph.neighbours(node) & self._within))
            known = self._known_steps[node, covered] = sorted(
                (self.price[other] + row[other] - now, other)
                for other in near
                if row[other] < FAR and (other not in self.bit_of or self.bit_of[other] & covered)
            )
        return known

    def _splits(self, node: int, covered: int) -> list[tuple[int, int, int]]:
        """(extra cost, part, rest) for every way a set falls in two."""
        known = self._known_splits.get((node, covered))
        if known is None:
            known = []
            own = self.bit_of.get(node, 0) & covered
            now = self.hung[covered][node]
            for part, rest in self.tables.arcs.splits(covered):
                # What goes on to a neighbour leaves the node's own terminal behind.
                if part & own and part != own:
                    continue
                extra = self.hung[part][node] + self.hung[rest][node] - now
                if extra < FAR:
                    known.append((extra, part, rest))
            known.sort()
            self._known_splits[node, covered] = known
        return known

    def search(
        self, limit: int, accept: Callable[[frozenset[int]], int], budget: int, stop: Callable[[], bool]
    ) -> bool:
        """Shows every connection of at most `limit` to `accept`; False when `budget` steps did not suffice.

        limit: in the prices of the tables. accept: gives the limit from there on. Raises OutOfTime.
        """
        everything = sum(self.bit_of.values())
        left = budget
        cell, bit_of = self.cell, self.bit_of
        known_steps, known_splits = self._known_steps, self._known_splits

        def grow(goals: Goals, used: int, tree: tuple[int, ...], cost: int) -> None:
            """Reaches the goals in every way; cost: what the tree costs at least, by the tables."""
            nonlocal limit, left
            left -= 1
            if left & 255 == 0 and stop():
                raise OutOfTime
            if goals is None:
                limit = min(limit, accept(frozenset(tree)))
                return
            node, covered, onward, later = goals
            own = bit_of.get(node, 0) & covered
            if own == covered:
                grow(later, used, tree, cost)
                return
            if not onward and covered & (covered - 1):
                ways = known_splits.get((node, covered))
                for extra, part, rest in self._splits(node, covered) if ways is None else ways:
                    if cost + extra > limit or left < 0:
                        break
                    grow((node, part, True, (node, rest, False, later)), used, tree, cost + extra)
            if own:
                return
            near = known_steps.get((node, covered))
            for extra, other in self._steps(node, covered) if near is None else near:
                if cost + extra > limit or left < 0:
                    break
                if not used & cell[other]:
                    grow((other, covered, False, later), used | cell[other], (*tree, other), cost + extra)

        lowest = self.hung[everything][self.root]
        if lowest <= limit:
            grow((self.root, everything, False, None), cell[self.root], (self.root,), lowest)
        return left >= 0
