"""A filling without any promise about its price: the nearest given is linked first, used cells are closed."""

from __future__ import annotations

import heapq

from solver.thaumcraft.graph import Graph, bits


def fill(graph: Graph, nodes: int) -> frozenset[int] | None:
    """The nodes of a connection of all givens in which no cell is used twice; None when this way finds none.

    Every given is tried as the start until one succeeds (H. Takahashi, A. Matsuyama, 1980).
    """
    for start in graph.givens:
        tree = _from(graph, nodes, start)
        if tree is not None:
            return tree
    return None


def _from(graph: Graph, nodes: int, start: int) -> frozenset[int] | None:
    tree = {start}
    open_nodes = nodes
    waiting = set(graph.givens) - tree
    while waiting:
        chain = _nearest(graph, open_nodes, tree, waiting)
        if chain is None:
            return None
        tree.update(chain)
        waiting -= tree
        for node in chain:
            open_nodes &= ~graph.of_cell(graph.cell_of(node)) | 1 << node
    return frozenset(tree)


def _nearest(graph: Graph, nodes: int, tree: set[int], waiting: set[int]) -> list[int] | None:
    """The cheapest chain from a tree to a waiting given that uses no cell twice."""
    givens = set(graph.givens)
    queue = [(0, node) for node in sorted(tree)]
    before: dict[int, int] = {}
    known = dict.fromkeys(tree, 0)
    while queue:
        cost, node = heapq.heappop(queue)
        if cost > known[node]:
            continue
        chain = [node]
        while chain[-1] in before:
            chain.append(before[chain[-1]])
        if node in waiting:
            return chain
        crossed = {graph.cell_of(step) for step in chain}
        for other in bits(graph.neighbours(node) & nodes):
            if graph.cell_of(other) in crossed:
                continue
            further = cost + (0 if other in givens else graph.costs[other % graph.width])
            if further < known.get(other, 1 << 60):
                known[other] = further
                before[other] = node
                heapq.heappush(queue, (further, other))
    return None
