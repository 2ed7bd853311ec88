"""From prices back to trees: the cheapest connections in which no cell holds two aspects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from solver.thaumcraft.graph import Graph, bits


class OutOfTime(Exception):
    """The time is over."""


class Prices(Protocol):
    """What a method for the relaxation knows afterwards."""

    @property
    def terminals(self) -> tuple[int, ...]: ...

    def price(self, node: int) -> int: ...

    def hung(self, node: int, covered: int) -> int: ...

    def endings(self) -> Iterator[tuple[int, tuple[int, ...]]]: ...

    def splits(self, node: int, covered: int) -> Iterator[tuple[int, int]]: ...


def trees(
    graph: Graph, nodes: int, prices: Prices, *, steps: int, crowded: bool = False
) -> Iterator[frozenset[int]]:
    """The cheapest connections, as sets of nodes, by depth-first search of at most `steps` steps.

    Only those that use no cell twice, unless `crowded`. Different searches may give the same set again.
    """
    bit_of = {terminal: 1 << i for i, terminal in enumerate(prices.terminals)}
    fixed = {graph.cell_of(terminal) for terminal in prices.terminals}
    around: dict[int, tuple[int, ...]] = {}
    left = steps

    def grow(
        work: tuple[tuple[int, int], ...],
        used: frozenset[int],
        cells: frozenset[int],
        seen: frozenset[tuple[int, int]],
    ) -> Iterator[frozenset[int]]:
        nonlocal left
        left -= 1
        if left < 0:
            return
        if not work:
            yield used
            return
        (node, covered), later = work[0], work[1:]
        if covered == bit_of.get(node):
            yield from grow(later, used, cells, seen)
            return
        if covered.bit_count() > 1:
            for part, rest in prices.splits(node, covered):
                yield from grow(((node, part), (node, rest), *later), used, cells, seen)
        if covered & bit_of.get(node, 0):
            return
        cost = prices.hung(node, covered)
        if node not in around:
            around[node] = tuple(bits(graph.neighbours(node) & nodes))
        for other in around[node]:
            state = (other, covered)
            if state in seen or prices.hung(other, covered) + prices.price(other) != cost:
                continue
            cell = graph.cell_of(other)
            if cell in cells and cell not in fixed and other not in used and not crowded:
                continue
            yield from grow((state, *later), used | {other}, cells | {cell}, seen | {state})

    for node, sets in prices.endings():
        states = tuple((node, covered) for covered in sets)
        yield from grow(states, frozenset((node,)), frozenset((graph.cell_of(node),)), frozenset(states))
        if left < 0:
            return


def doubled_cell(graph: Graph, tree: frozenset[int]) -> tuple[int, ...]:
    """The nodes of the first cell that a tree uses more than once; empty when there is none."""
    by_cell: dict[int, list[int]] = {}
    for node in sorted(tree):
        by_cell.setdefault(graph.cell_of(node), []).append(node)
    return next((tuple(nodes) for nodes in by_cell.values() if len(nodes) > 1), ())
