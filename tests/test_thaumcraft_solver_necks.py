"""Thaumcraft's solver: bottlenecks, and notes that are impossible because of one."""

from __future__ import annotations

import random

import pytest

from solver.lattice import Hex, hexagon
from solver.thaumcraft import ALL, Note, search
from solver.thaumcraft.graph import Graph
from solver.thaumcraft.necks import closed, necks
from tests.optimum import least_cost
from tests.seldom import few

LINE = [Hex(q, 0) for q in range(5)]


def found_in(note: Note) -> dict[Hex, list[int]]:
    graph = Graph(note, ALL, ALL.costs)
    found = necks(graph, graph.useful(graph.everything))
    return {graph.cells[neck.cell]: [side.beyond for side in neck.sides] for neck in found}


def test_every_inner_cell_of_a_corridor_is_a_bottleneck() -> None:
    note = Note(frozenset(LINE), {LINE[0]: "aer", LINE[4]: "aer"})

    assert found_in(note) == {cell: [0b10, 0b01] for cell in LINE[1:4]}


def test_an_open_board_has_no_bottleneck() -> None:
    assert found_in(Note(frozenset(hexagon(2)), {Hex(-2, 2): "aer", Hex(2, 0): "ignis"})) == {}


def test_givens_that_do_not_link_do_not_lead_around_a_bottleneck() -> None:
    triangle = {Hex(0, 0): "aer", Hex(0, 1): "aqua", Hex(2, 0): "ordo"}
    note = Note(frozenset({*triangle, Hex(1, 0)}), triangle)

    assert list(found_in(note)) == [Hex(1, 0)]


def test_a_set_hangs_on_one_side_with_all_or_none_of_the_others_and_leaves_only_with_whole_sides() -> None:
    note = Note(frozenset(LINE), {LINE[0]: "aer", LINE[1]: "motus", LINE[4]: "aer"})
    graph = Graph(note, ALL, ALL.costs)
    found = [
        neck for neck in necks(graph, graph.useful(graph.everything)) if graph.cells[neck.cell] == LINE[2]
    ]

    assert closed(found, 0b001) == ([3, 4], [2])
    assert closed(found, 0b011) == ([], [])


# Seeds 2, 30 and 57 take seconds each.
@pytest.mark.parametrize("seed", few(range(60), range(3, 23)))
def test_heeding_bottlenecks_changes_no_optimum(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    cells = [cell for cell in hexagon(2) if rng.random() < 0.75]
    givens = {cell: rng.choice(list(ALL.components)) for cell in rng.sample(cells, rng.randint(3, 6))}
    note = Note(frozenset(cells), givens)
    costs: list[int | None] = []
    for heeded in (True, False):
        # Without the quick look for a tree, so that the relaxation is asked again.
        monkeypatch.setattr(search, "QUICK_STEPS", 0)
        if not heeded:
            monkeypatch.setattr(search, "necks", lambda graph, nodes: ())
        costs.append(least_cost(note))

    assert costs[0] == costs[1]
