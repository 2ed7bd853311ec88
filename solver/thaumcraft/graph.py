"""The graph behind a note: a node is an aspect in a cell, an edge a link between neighbouring cells.

A set of nodes is one int with one bit per node, so that "all neighbours of these that are still allowed"
takes a few big-number operations. Node `cell * A + aspect`; cells and aspects are counted in sorted and in
table order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from solver.lattice import Hex, hex_distance, hex_neighbours
from solver.thaumcraft.arcs import Arcs, along_rim
from solver.thaumcraft.aspects import Aspects
from solver.thaumcraft.note import Note


def bits(nodes: int) -> Iterator[int]:
    """The members of a set of nodes, rising.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while nodes:
        low = nodes & -nodes
        yield low.bit_length() - 1
        nodes ^= low


class Graph:
    """Nodes and edges of a note. `givens` are the nodes of the given cells; given cells have no others."""

    def __init__(self, note: Note, aspects: Aspects, costs: Mapping[str, int]) -> None:
        self.cells: tuple[Hex, ...] = tuple(sorted(note.cells))
        self.tags: tuple[str, ...] = tuple(aspects.components)
        self.width = len(self.tags)
        number = {tag: i for i, tag in enumerate(self.tags)}
        self.links = [sum(1 << number[other] for other in aspects.links[tag]) for tag in self.tags]
        self._index = {cell: i for i, cell in enumerate(self.cells)}
        self._around = [
            [self._index[other] for other in hex_neighbours(cell) if other in self._index]
            for cell in self.cells
        ]
        self._spread = [sum(1 << other * self.width for other in around) for around in self._around]
        self._block = (1 << self.width) - 1
        self.costs = [costs[tag] for tag in self.tags]
        self.givens: tuple[int, ...] = tuple(
            self._index[cell] * self.width + number[tag] for cell, tag in note.given.items()
        )
        self._neighbours: dict[int, int] = {}
        self._linked_blocks: dict[int, int] = {}

    @cached_property
    def everything(self) -> int:
        """All nodes: every aspect in every free cell, and the givens."""
        nodes = 0
        taken = {node // self.width for node in self.givens}
        for cell in range(len(self.cells)):
            if cell not in taken:
                nodes |= self._block << cell * self.width
        return nodes | sum(1 << node for node in self.givens)

    @cached_property
    def arcs(self) -> Arcs:
        """The sets of givens that can hang together."""
        cells = {self.cells[given // self.width]: i for i, given in enumerate(self.givens)}
        return Arcs(len(cells), [cells[cell] for cell in along_rim(self.cells, list(cells))])

    def of_cell(self, cell: int) -> int:
        """All nodes of one cell."""
        return self._block << cell * self.width

    def of_aspects(self, tags: frozenset[str]) -> int:
        """All nodes of some aspects."""
        block = sum(1 << i for i, tag in enumerate(self.tags) if tag in tags)
        return block * sum(1 << cell * self.width for cell in range(len(self.cells)))

    def cell_of(self, node: int) -> int:
        return node // self.width

    def place(self, node: int) -> tuple[Hex, str]:
        """Cell and aspect of a node."""
        cell, aspect = divmod(node, self.width)
        return self.cells[cell], self.tags[aspect]

    def neighbours(self, node: int) -> int:
        """All nodes a node links to."""
        found = self._neighbours.get(node)
        if found is None:
            cell, aspect = divmod(node, self.width)
            found = self.links[aspect] * self._spread[cell]
            self._neighbours[node] = found
        return found

    def by_cost(self, nodes: int) -> dict[int, int]:
        """The nodes of each price; givens are free."""
        everywhere = sum(1 << cell * self.width for cell in range(len(self.cells)))
        givens = sum(1 << node for node in self.givens)
        blocks: dict[int, int] = {}
        for aspect, cost in enumerate(self.costs):
            blocks[cost] = blocks.get(cost, 0) | 1 << aspect
        levels = {cost: block * everywhere & nodes & ~givens for cost, block in blocks.items()}
        levels[0] = levels.get(0, 0) | givens & nodes
        return levels

    def useful(self, nodes: int) -> int:
        """The nodes that a smallest solution can use: those that link to two cells, again and again.

        A placed aspect that does not end a chain has neighbours in two different cells; leaves are givens.
        """
        givens = sum(1 << node for node in self.givens)
        width = self.width
        blocks = [nodes >> cell * width & self._block for cell in range(len(self.cells))]
        fixed = [givens >> cell * width & self._block for cell in range(len(self.cells))]
        linked = [self._linked_block(block) for block in blocks]
        waiting = set(range(len(blocks)))
        while waiting:
            cell = waiting.pop()
            once = twice = 0
            for other in self._around[cell]:
                twice |= once & linked[other]
                once |= linked[other]
            left = blocks[cell] & (twice | fixed[cell])
            if left != blocks[cell]:
                blocks[cell] = left
                now = self._linked_block(left)
                if now != linked[cell]:
                    linked[cell] = now
                    waiting.update(self._around[cell])
        return sum(block << cell * width for cell, block in enumerate(blocks))

    def nearest(self, node: int, others: Collection[int]) -> int:
        """The free nodes of a node's aspect in the cells that are nearer to it than to any of the others, which
        include it."""
        centres = {other: self.cells[other // self.width] for other in others}
        nodes = 0
        for i, cell in enumerate(self.cells):
            if node == min(others, key=lambda other: (hex_distance(cell, centres[other]), other)):
                nodes |= 1 << i * self.width + node % self.width
        return nodes & ~sum(1 << given for given in self.givens)

    def linkable(self, nodes: int) -> list[list[int]]:
        """For every cell the neighbours that it can link to."""
        blocks = [nodes >> cell * self.width & self._block for cell in range(len(self.cells))]
        linked = [self._linked_block(block) for block in blocks]
        return [
            [other for other in around if reach & blocks[other]]
            for reach, around in zip(linked, self._around, strict=True)
        ]

    def _linked_block(self, block: int) -> int:
        """All aspects that link to one of some aspects."""
        found = self._linked_blocks.get(block)
        if found is None:
            found = 0
            for aspect in bits(block):
                found |= self.links[aspect]
            self._linked_blocks[block] = found
        return found
