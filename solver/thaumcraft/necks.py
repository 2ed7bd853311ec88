"""Bottlenecks: cells that part the givens, so that every solution goes through them with one aspect.

A solution uses such a cell once. So what hangs together on one side of it has either none or all of the givens that
are not on that side; and a chain that leaves the cell to one side takes along the givens of all the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from solver.thaumcraft.graph import Graph


class Side(NamedTuple):
    """Cells that hang together without the bottleneck, and which givens are not among them."""

    cells: tuple[int, ...]
    beyond: int


class Neck(NamedTuple):
    cell: int
    sides: tuple[Side, ...]


def necks(graph: Graph, nodes: int) -> tuple[Neck, ...]:
    """All bottlenecks, where links are possible only within `nodes`."""
    near = graph.linkable(nodes)
    givens = {graph.cell_of(given): 1 << i for i, given in enumerate(graph.givens)}
    everyone = (1 << len(givens)) - 1
    found = []
    for cell in range(len(near)):
        sides = []
        for cells in _parts(near, cell):
            here = sum(givens.get(other, 0) for other in cells)
            if here:
                sides.append(Side(cells, everyone ^ here))
        if len(sides) > 1:
            found.append(Neck(cell, tuple(sides)))
    return tuple(found)


def _parts(near: Sequence[Sequence[int]], without: int) -> list[tuple[int, ...]]:
    """The parts into which the cells fall without one of them."""
    left = set(range(len(near))) - {without}
    parts = []
    while left:
        start = left.pop()
        part = [start]
        for cell in part:
            fresh = left.intersection(near[cell])
            left -= fresh
            part += fresh
        parts.append(tuple(part))
    return parts


def closed(found: Sequence[Neck], covered: int) -> tuple[list[int], list[int]]:
    """Cells that a set of givens cannot hang on in any solution, and cells that it cannot leave."""
    never: list[int] = []
    still: list[int] = []
    for neck in found:
        for side in neck.sides:
            if covered & side.beyond not in (0, side.beyond):
                never += side.cells
        if not any(covered & side.beyond == side.beyond for side in neck.sides):
            still.append(neck.cell)
    return never, still
