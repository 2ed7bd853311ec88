"""Thaumcraft's solver within a stock: what is too little, and why."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from solver import thaumcraft
from solver.errors import NoSolution
from solver.lattice import Hex, hexagon
from solver.thaumcraft import VANILLA, Note
from solver.thaumcraft.graph import Graph
from solver.thaumcraft.stock import settle
from solver.thaumcraft.surcharges import Limited

CORNERS = (Hex(-2, 2), Hex(2, 0), Hex(0, -2))


def triangle(*tags: str, **stock: int) -> Note:
    return Note(frozenset(hexagon(2)), dict(zip(CORNERS, tags, strict=True)), stock)


@pytest.mark.parametrize("seed", range(60))
def test_what_is_learnt_from_placements_that_are_too_many_forbids_none_that_there_is_enough_of(
    seed: int,
) -> None:
    rng = random.Random(seed)
    tags = list(VANILLA.components)
    stock = {tag: rng.choice((0, 0, 1, 2, 5)) for tag in tags}
    note = Note(frozenset(hexagon(2)), {}, stock)
    graph = Graph(note, VANILLA, VANILLA.costs)
    limited = Limited.by(graph, VANILLA, stock)
    drawn = [rng.sample(tags, rng.randint(1, 8)) for _ in range(200)]
    short = [wanted for wanted in drawn if settle(Counter(wanted), stock, VANILLA)[1]]

    for wanted in short:
        tree = frozenset(cell * graph.width + tags.index(tag) for cell, tag in enumerate(wanted))
        limited.learn(tree)
        assert any(key.kind == "short" for key in limited.excess(tree, {}))

    for wanted in drawn:
        if wanted not in short:
            for key, weight in limited.weights.items():
                assert sum(weight.get(tag, 0) for tag in wanted) <= limited.rooms[key]


@pytest.mark.parametrize(
    ("note", "missing"),
    [
        (
            triangle("exanimis", "telum", "auram", aer=2, aqua=0, ignis=3, ordo=3, perditio=3, terra=3),
            {"aer": 2},
        ),
        (
            triangle("fames", "ordo", "vinculum", aer=3, aqua=2, ignis=3, ordo=1, perditio=3, terra=1),
            {"aer": 1, "ordo": 1},
        ),
    ],
)
def test_a_stock_that_no_filling_keeps_to_is_refused_with_what_would_be_enough(
    note: Note, missing: dict[str, int]
) -> None:
    with pytest.raises(NoSolution, match="stock is too small") as caught:
        thaumcraft.solve(note)

    assert caught.value.missing == missing
    owned = note.stock or {}
    more = replace(note, stock={tag: units + missing.get(tag, 0) for tag, units in owned.items()})
    assert thaumcraft.check(more, thaumcraft.solve(more).solution) == ()


def test_what_is_scarce_is_gone_around() -> None:
    note = triangle("corpus", "sensus", "aer", **dict.fromkeys(VANILLA.components, 9))
    free = thaumcraft.solve(note)
    used = set(free.solution.values())

    for tag in sorted(used):
        lacking = replace(note, stock={**(note.stock or {}), tag: 0}, disabled=frozenset({tag}))
        answer = thaumcraft.solve(lacking)
        assert tag not in answer.solution.values()
        assert thaumcraft.check(lacking, answer.solution) == ()
        assert answer.optimal
        assert answer.cost is not None
        assert free.cost is not None
        assert answer.cost >= free.cost


@pytest.mark.parametrize("seed", range(12))
def test_with_few_of_everything_the_answer_keeps_to_the_stock_and_less_stock_is_never_cheaper(
    seed: int,
) -> None:
    rng = random.Random(seed)
    tags = sorted(VANILLA.components)
    note = triangle(*rng.sample(tags, 3), **{tag: rng.choice((0, 1, 1, 2)) for tag in tags})
    fewer = replace(note, stock={tag: max(0, units - 1) for tag, units in (note.stock or {}).items()})
    costs = []
    for each in (
        replace(note, stock=None, disabled=thaumcraft.ALL.components.keys() - VANILLA.components),
        note,
        fewer,
    ):
        try:
            answer = thaumcraft.solve(each)
        except NoSolution:
            costs.append(10**6)
        else:
            assert thaumcraft.check(each, answer.solution) == ()
            assert answer.optimal
            costs.append(answer.cost or 0)

    assert costs == sorted(costs)
