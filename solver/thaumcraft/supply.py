"""Whether a stock suffices at all: what a note takes of it at least, whatever it costs.

Only what is limited is charged for, so the cheapest tree is one that spares the stock. When even that one pays more
than any solution could, no solution exists; when it keeps to the stock, it is a first one. The charges are found as
in the search, by going along the excess.
"""

from __future__ import annotations

from collections.abc import Callable

from solver.thaumcraft.dense import FAR, Addresses, Tables
from solver.thaumcraft.graph import Graph
from solver.thaumcraft.surcharges import Key, Limited
from solver.thaumcraft.trees import trees

# Steps of the search for a tree that uses no cell twice.
STEPS = 60
# How far above what is allowed the charges aim.
MARGIN = 64


def suffices(
    graph: Graph,
    addresses: Addresses,
    nodes: int,
    limited: Limited,
    accept: Callable[[frozenset[int]], bool],
    stop: Callable[[], bool],
    rounds: int,
) -> bool:
    """False when it is proved that no solution keeps to the limits within some nodes.

    accept: is shown trees, and says whether one is a solution. Raises OutOfTime.
    """
    # Every node costs 1, so that chains are not longer than they must; a solution costs no more than this.
    most = len(graph.cells) - len(graph.givens)
    charged: dict[Key, int] = {}
    for _ in range(rounds):
        cells, tags, back = limited.charges(charged)
        prices = addresses.prices(graph, nodes, 0, cells, [1 + amount for amount in tags])
        tables = Tables(graph, addresses, prices, stop)
        if tables.cost >= FAR:
            # Charges that leave the table's range prove nothing.
            return bool(charged)
        paid = tables.cost - back
        if paid > most:
            return False
        tree = next(trees(graph, nodes, tables, steps=STEPS), None)
        if tree is None:
            tree = next(trees(graph, nodes, tables, steps=1 << 40, crowded=True))
        elif accept(tree):
            return True
        limited.learn(tree)
        charged = limited.raised(charged, limited.excess(tree, charged), most + MARGIN - paid)
    return True
