"""A lower bound by dual ascent: cuts that every solution must cross, and what crossing costs beyond them.

R. T. Wong, "A dual ascent approach for Steiner tree problems on a directed graph", Mathematical Programming
28 (1984), here with prices on nodes: a cut is a set of nodes around a given without the root; every solution
pays for a node on its rim. Raising a cut lowers the price left on its whole rim; nodes whose price is used up
join the set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from solver.thaumcraft.graph import Graph, bits


class CutOff(Exception):
    """No links at all lead from a given to the root."""

    def __init__(self, given: int) -> None:
        super().__init__(given)
        self.given = given


class Join(NamedTuple):
    terminal: int
    units: int


@dataclass(frozen=True, eq=False)
class Cuts:
    """What dual ascent proved.

    bound: no connection of all terminals with the root costs less.
    units: per terminal one bit for each unit of bound that its cuts give.
    left: the nodes of each price that is left after all cuts have taken their share (reduced costs).
    inside: per node the units whose cut has it inside.
    """

    root: int
    terminals: tuple[int, ...]
    bound: int
    units: tuple[int, ...]
    left: dict[int, int]
    inside: dict[int, int]


def ascend(
    graph: Graph,
    nodes: int,
    root: int,
    terminals: tuple[int, ...],
    stop: Callable[[], bool] = lambda: False,
) -> Cuts:
    """Cuts between the root and the terminals within `nodes`; fewer ones when `stop` says so. Raises CutOff where
    there is no connection."""
    levels = graph.by_cost(nodes)
    inside = [1 << terminal for terminal in terminals]
    rim = [graph.neighbours(terminal) & nodes & ~(1 << terminal) for terminal in terminals]
    joined: dict[int, list[Join]] = {terminal: [Join(i, 0)] for i, terminal in enumerate(terminals)}
    raised: list[list[tuple[int, int]]] = [[] for _ in terminals]
    height = [0] * len(terminals)
    active = list(range(len(terminals)))
    bound = 0
    root_bit = 1 << root
    while active and not (bound and stop()):
        for i in tuple(active):
            free = rim[i] & levels[0]
            while free and not free & root_bit:
                inside[i] |= free
                grown = rim[i]
                for node in bits(free):
                    joined.setdefault(node, []).append(Join(i, height[i]))
                    grown |= graph.neighbours(node)
                rim[i] = grown & nodes & ~inside[i]
                free = rim[i] & levels[0]
            if free:
                active.remove(i)
            elif not rim[i]:
                raise CutOff(terminals[i])
        if not active:
            break
        # The smallest rim takes the least from the others.
        i = min(active, key=lambda i: (rim[i].bit_count(), i))
        step = min(price for price, level in levels.items() if rim[i] & level)
        # Rising prices: what moves down never lands where it would be moved again.
        for price in sorted(levels):
            moved = rim[i] & levels[price]
            if moved:
                levels[price] ^= moved
                levels[price - step] = levels.get(price - step, 0) | moved
        raised[i].append((bound, step))
        height[i] += step
        bound += step
    return _cuts(root, terminals, bound, raised, levels, joined)


def _cuts(
    root: int,
    terminals: tuple[int, ...],
    bound: int,
    raised: list[list[tuple[int, int]]],
    levels: dict[int, int],
    joined: dict[int, list[Join]],
) -> Cuts:
    """Turns heights into bits. A node that joins at height h is inside all later cuts of that terminal."""
    above: list[dict[int, int]] = []
    for steps in raised:
        later = {}
        units = 0
        height = sum(step for _, step in steps)
        later[height] = 0
        for start, step in reversed(steps):
            units |= ((1 << step) - 1) << start
            height -= step
            later[height] = units
        above.append(later)
    inside = {}
    for node, joins in joined.items():
        units = 0
        for terminal, height in joins:
            units |= above[terminal][height]
        inside[node] = units
    return Cuts(root, terminals, bound, tuple(later[0] for later in above), levels, inside)
