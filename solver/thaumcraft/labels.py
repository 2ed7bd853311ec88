"""The cheapest connection when a cell may hold several aspects, by guided label setting.

S. Hougardy, J. Silvanus, J. Vygen, "Dijkstra meets Steiner", Mathematical Programming Computation 9 (2017): a
label (node, set of terminals) is the cheapest tree that hangs those terminals on that node. Labels go to
neighbours and join at a node; the cuts of `ascent` say what the rest must cost at least, so that few labels
are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from solver.thaumcraft.ascent import Cuts
from solver.thaumcraft.graph import Graph, bits
from solver.thaumcraft.trees import OutOfTime

# No price, or too high a one.
FAR = 1 << 40

# A node, the set of terminals that hang on it, and their price.
_Label = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Relaxed:
    """The cheapest connection without the rule that a cell holds one aspect.

    cost: its price; FAR when it is above the limit asked for.
    labels: per node the price of each set of terminals, complete as far as the cheapest trees need them.
    """

    cost: int
    terminals: tuple[int, ...]
    root: int
    prices: Mapping[int, int]
    labels: Mapping[int, Mapping[int, int]]

    def price(self, node: int) -> int:
        return self.prices[node]

    def hung(self, node: int, covered: int) -> int:
        """The cheapest tree that hangs a set of terminals on a node, without the node's own price."""
        return self.labels.get(node, {}).get(covered, FAR)

    def endings(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        yield self.root, ((1 << len(self.terminals)) - 1,)

    def splits(self, node: int, covered: int) -> Iterator[tuple[int, int]]:
        """The ways in which the cheapest tree for a set falls in two at its node."""
        known = self.labels[node]
        for part, cost in known.items():
            rest = covered & ~part
            if part < rest and part | rest == covered and cost + known.get(rest, FAR) == known[covered]:
                yield part, rest


def connect(graph: Graph, cuts: Cuts, nodes: int, limit: int, stop: Callable[[], bool]) -> Relaxed:
    """The cheapest connection of at most `limit` within `nodes`. Raises OutOfTime."""
    kept, extra = near_cuts(graph, cuts, nodes, limit - cuts.bound)
    root, terminals = cuts.root, cuts.terminals
    bit_of = {terminal: 1 << i for i, terminal in enumerate(terminals)}
    full = (1 << len(terminals)) - 1
    width = graph.width
    price = {node: graph.costs[node % width] for node in extra}
    for given in (root, *terminals):
        price[given] = 0
    near: dict[int, tuple[int, ...]] = {}
    arcs = graph.arcs
    labels: dict[int, dict[int, int]] = {node: {} for node in extra}
    done: dict[int, dict[int, int]] = {node: {} for node in extra}
    queue: list[list[_Label]] = [[] for _ in range(limit - cuts.bound + 1)]
    offer = _offers(cuts, extra, labels, queue, limit)
    for terminal, bit in bit_of.items():
        offer(terminal, bit, 0, 0)
    best = FAR
    looked = 0
    for slack, bucket in enumerate(queue):
        while bucket:
            node, covered, cost = bucket.pop()
            if labels[node][covered] != cost or done[node].get(covered) == cost:
                continue
            looked += 1
            if looked & 255 == 0 and stop():
                raise OutOfTime
            done[node][covered] = cost
            for other, other_cost in tuple(done[node].items()):
                if not other & covered and (other | covered) << 1 in arcs:
                    offer(node, other | covered, cost + other_cost, slack)
            # What meets a terminal takes it along.
            if node == root or bit_of.get(node, 0) & ~covered:
                continue
            around = near.get(node)
            if around is None:
                around = near[node] = tuple(bits(graph.neighbours(node) & kept))
            cost += price[node]
            for other in around:
                if not covered & bit_of.get(other, 0):
                    offer(other, covered, cost, slack)
        if full in done[root]:
            best = done[root][full]
            break
    return Relaxed(best, terminals, root, price, done)


def _offers(
    cuts: Cuts,
    extra: Mapping[int, int],
    labels: Mapping[int, dict[int, int]],
    queue: Sequence[list[_Label]],
    limit: int,
) -> Callable[[int, int, int, int], None]:
    """What notes a label in `labels` and in the queue of its slack. A closure: it is called for every label there is."""
    rest_units: dict[int, int] = {}
    inside, base = cuts.inside, cuts.bound

    def rest(covered: int) -> int:
        units = 0
        for i, own in enumerate(cuts.units):
            if not covered >> i & 1:
                units |= own
        rest_units[covered] = units
        return units

    def offer(node: int, covered: int, cost: int, now: int) -> None:
        """Notes a label, unless it is known as cheap or cannot end within the limit."""
        known = labels[node]
        if known.get(covered, limit + 1) <= cost:
            return
        units = rest_units.get(covered)
        if units is None:
            units = rest(covered)
        slack = cost + (units | inside.get(node, 0)).bit_count() + extra[node] - base
        if slack < len(queue):
            known[covered] = cost
            queue[slack if slack > now else now].append((node, covered, cost))

    return offer


def near_cuts(graph: Graph, cuts: Cuts, nodes: int, gap: int) -> tuple[int, dict[int, int]]:
    """The nodes that a connection of at most bound + gap can use, and what the way from the root costs
    beyond the cuts (without the node itself)."""
    ends = sum(1 << terminal for terminal in cuts.terminals)
    down = _floods(graph, cuts, nodes & ~ends | ends, 1 << cuts.root, gap)
    up = _floods(graph, cuts, nodes & ~(1 << cuts.root), ends, gap)
    kept = ends | 1 << cuts.root
    extra = {}
    seen = 0
    for distance, (reached, rim) in enumerate(down):
        del reached
        # A node on the rim at this distance is left towards a terminal with what remains of the gap.
        fresh = rim & ~seen
        seen |= fresh
        for own, level in cuts.left.items():
            if own + distance <= gap:
                fits = fresh & level & (up[gap - distance - own][1] | ends)
                kept |= fits
                for node in bits(fits):
                    extra[node] = distance + own
    extra[cuts.root] = 0
    return kept, extra


def _floods(graph: Graph, cuts: Cuts, nodes: int, start: int, gap: int) -> list[tuple[int, int]]:
    """For 0..gap: the nodes reached from `start` for at most that much beyond the cuts, with all neighbours.

    The price of a node counts when it is entered; the start is free.
    """
    floods = []
    reached = start
    rim = 0
    fresh = start
    levels = cuts.left
    # Neighbours of everything reached for at most d, for d = 0, 1, ..
    rims: list[int] = []
    sets: list[int] = []
    for distance in range(gap + 1):
        if distance:
            fresh = 0
            for own, level in levels.items():
                if 0 < own <= distance:
                    fresh |= rims[distance - own] & level
            fresh &= nodes & ~reached
        while fresh:
            reached |= fresh
            for node in bits(fresh):
                rim |= graph.neighbours(node)
            fresh = rim & nodes & levels[0] & ~reached
        rims.append(rim & nodes)
        sets.append(reached)
        floods.append((reached, rim & nodes))
    return floods
