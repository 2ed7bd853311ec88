"""Lagrange multipliers: surcharges on what the relaxation uses too much of, and the bound they give.

Every solution keeps `weight <= room` for each key: one aspect per cell, at most so many of an aspect, at most so
many primals in all. Charging `amount * (weight - room)` for a key therefore never raises the price of a solution
above its true price, but it makes the relaxation look elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from solver.thaumcraft.aspects import Aspects
from solver.thaumcraft.graph import Graph
from solver.thaumcraft.stock import settle

# Surcharges are fractions of a unit of cost.
SCALE = 16


class Key(NamedTuple):
    """What is limited: a cell, an aspect, a primal, or aspects that must be made of one primal."""

    kind: str
    of: str


@dataclass(frozen=True, eq=False)
class Limited:
    """The limits that hold for every solution of a note.

    weights: what one unit of an aspect takes from a limit of the stock.
    rooms: how much every limit of the stock allows.
    """

    graph: Graph
    aspects: Aspects
    stock: Mapping[str, int] | None
    weights: dict[Key, Mapping[str, int]]
    rooms: dict[Key, int]

    @classmethod
    def by(cls, graph: Graph, aspects: Aspects, stock: Mapping[str, int] | None) -> Limited:
        weights: dict[Key, Mapping[str, int]] = {}
        rooms: dict[Key, int] = {}
        if stock is not None:
            content = primals_in(aspects)
            most = len(graph.cells)
            for tag in aspects.components:
                room = _room(tag, stock, aspects, most)
                if room < most:
                    weights[Key("aspect", tag)] = {tag: 1}
                    rooms[Key("aspect", tag)] = room
            for primal in sorted(aspects.primals):
                key = Key("primal", primal)
                weights[key] = {tag: content[tag].get(primal, 0) for tag in aspects.components}
                rooms[key] = sum(units * content[tag].get(primal, 0) for tag, units in stock.items())
        return cls(graph, aspects, stock, weights, rooms)

    def learn(self, tree: frozenset[int]) -> None:
        """Adds the limits that a tree breaks.

        A weight that no combination raises gives a limit: what is placed weighs no more than the stock. Of every
        primal that is missing, weigh the compounds that must be made of it: the others, which there are enough of,
        weigh nothing.
        """
        if self.stock is None:
            return
        graph = self.graph
        wanted = Counter(graph.tags[node % graph.width] for node in tree - frozenset(graph.givens))
        made, missing = settle(wanted, self.stock, self.aspects)
        for primal in missing:
            weight = {primal: 1}
            for tag in reversed(self.aspects.dearest_first):
                if tag in made:
                    units = sum(weight.get(part, 0) for part in self.aspects.components[tag] or ())
                    if units:
                        weight[tag] = units
            key = Key("short", " ".join(sorted(weight)))
            self.weights[key] = weight
            self.rooms[key] = sum(units * self.stock.get(tag, 0) for tag, units in weight.items())

    def excess(self, tree: frozenset[int], charged: Mapping[Key, int]) -> dict[Key, int]:
        """By how much a tree is over each limit; what is under a limit counts only where a charge can fall."""
        graph = self.graph
        givens = frozenset(graph.givens)
        cells: dict[Key, int] = {}
        used: dict[str, int] = {}
        for node in tree - givens:
            key = Key("cell", str(graph.cell_of(node)))
            cells[key] = cells.get(key, 0) + 1
            tag = graph.tags[node % graph.width]
            used[tag] = used.get(tag, 0) + 1
        over = {key: count - 1 for key, count in cells.items() if count > 1}
        over |= {key: -1 for key in charged if key.kind == "cell" and key not in cells}
        for key, weight in self.weights.items():
            amount = sum(weight.get(tag, 0) * count for tag, count in used.items()) - self.rooms[key]
            if amount > 0 or (amount < 0 and key in charged):
                over[key] = amount
        return over

    def raised(self, charged: Mapping[Key, int], over: Mapping[Key, int], aim: int) -> dict[Key, int]:
        """Charges changed along the excess, far enough that the price would rise by `aim` were the tree to stay."""
        norm = sum(amount * amount for amount in over.values())
        changed = dict(charged)
        for key, amount in over.items():
            step = max(1, round(aim * abs(amount) / norm))
            now = changed.get(key, 0) + (step if amount > 0 else -step)
            if now > 0:
                changed[key] = now
            else:
                changed.pop(key, None)
        return changed

    def charges(self, charged: Mapping[Key, int]) -> tuple[dict[int, int], list[int], int]:
        """What a node pays extra by its cell and by its aspect, and what is given back to every solution."""
        cells: dict[int, int] = {}
        tags = [0] * self.graph.width
        back = 0
        for key, amount in charged.items():
            if key.kind == "cell":
                cells[int(key.of)] = amount
                back += amount
            else:
                weight = self.weights[key]
                for i, tag in enumerate(self.graph.tags):
                    tags[i] += amount * weight.get(tag, 0)
                back += amount * self.rooms[key]
        return cells, tags, back


def primals_in(aspects: Aspects) -> dict[str, dict[str, int]]:
    """How often each primal is in each aspect."""
    content: dict[str, dict[str, int]] = {}
    for tag in sorted(aspects.components, key=lambda tag: aspects.costs[tag]):
        content[tag] = {}
        for part in aspects.components[tag] or ():
            for primal, units in content[part].items():
                content[tag][primal] = content[tag].get(primal, 0) + units
        if aspects.components[tag] is None:
            content[tag] = {tag: 1}
    return content


def _room(tag: str, stock: Mapping[str, int], aspects: Aspects, most: int) -> int:
    """How many of one aspect can be had at best, up to `most`."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if settle({tag: middle}, stock, aspects)[1]:
            high = middle - 1
        else:
            low = middle
    return low
