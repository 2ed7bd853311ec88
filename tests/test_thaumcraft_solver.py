"""Thaumcraft: rules, notation, stock and the cheapest solution."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import thaumcraft
from solver.answer import Limits
from solver.errors import InvalidPuzzle, NoSolution
from solver.lattice import Hex, hex_neighbours, hexagon
from solver.thaumcraft import ALL, VANILLA, Aspects, Note, search
from solver.thaumcraft.ascent import CutOff, ascend
from solver.thaumcraft.dense import FAR, Addresses, Tables
from solver.thaumcraft.graph import Graph
from solver.thaumcraft.labels import connect
from solver.thaumcraft.stock import settle
from tests.optimum import least_cost
from tests.shared_data import SHARED, needs_shared

THREE = Note(frozenset({Hex(0, 0), Hex(1, 0), Hex(2, 0)}), {Hex(0, 0): "aer", Hex(2, 0): "ignis"})
TINY = Aspects(
    {
        tag: VANILLA.components[tag]
        for tag in ("aer", "terra", "ignis", "ordo", "lux", "motus", "iter", "volatus")
    }
)
BOARDS = SHARED / "thaumcraft" / "boards"


def test_vanilla_has_48_aspects_with_84_links_and_the_addons_make_69_with_126() -> None:
    assert (len(VANILLA.components), len(VANILLA.primals)) == (48, 6)
    assert sum(map(len, VANILLA.links.values())) == 2 * 84
    assert len(ALL.components) == 69
    assert sum(map(len, ALL.links.values())) == 2 * 126


@needs_shared
def test_the_costs_are_the_published_ones() -> None:
    published = json.loads((BOARDS / "optimal.json").read_text())["aspect_cost"]

    assert dict(ALL.costs) == published


def test_a_note_survives_its_text_form() -> None:
    note = Note(THREE.cells, THREE.given, {"lux": 1, "aer": 0}, {"lux": 7})

    assert thaumcraft.parse(thaumcraft.unparse(note)) == note
    assert thaumcraft.looks_like(thaumcraft.unparse(note))


def test_a_file_may_hold_one_note_per_line() -> None:
    text = thaumcraft.unparse(THREE) + "\n\n" + thaumcraft.unparse(THREE) + "\n"

    assert thaumcraft.parse_file(text) == (THREE, THREE)
    assert thaumcraft.looks_like(text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("{", "JSON"),
        ("[]", "object"),
        ('{"cells": []}', "given"),
        ('{"cells": [[0]], "given": {}}', "cell"),
        ('{"cells": [[0, 0]], "given": {"1,0": "aer"}}', "not on a cell"),
        ('{"cells": [[0, 0]], "given": {"0,0": "unobtanium"}}', "unobtanium"),
        ('{"cells": [[0, 0]], "given": {}, "stock": {"aer": -1}}', "-1"),
        ('{"cells": [[0, 0]], "given": {}, "stock": {"aer": 1.5}}', "1.5"),
        ('{"cells": [[0, 0]], "given": {}, "disabled": "aer"}', "list"),
        ('{"cells": [[0, 0]], "given": {}, "disabled": ["unobtanium"]}', "unobtanium"),
        ('{"cells": [[0, 0]], "given": {}, "scarce": 1}', "true or false"),
        ('{"cells": [[0, 0]], "given": {}, "scarce": true}', "without a stock"),
    ],
)
def test_a_damaged_note_is_refused_with_what_was_seen(text: str, word: str) -> None:
    with pytest.raises(InvalidPuzzle, match=word):
        thaumcraft.parse(text)


def test_check_names_the_given_that_is_not_linked() -> None:
    assert thaumcraft.check(THREE, {Hex(1, 0): "lux"}) == ()
    assert thaumcraft.check(THREE, {Hex(1, 0): "motus"}) == (
        "given ignis at column 3, cell 1 is not linked to aer at column 1, cell 1",
    )


def test_check_counts_what_can_be_combined() -> None:
    makes = Note(THREE.cells, THREE.given, {"aer": 1, "ignis": 1})
    short = Note(THREE.cells, THREE.given, {"aer": 1})

    assert thaumcraft.check(makes, {Hex(1, 0): "lux"}) == ()
    assert thaumcraft.combinations(makes, {Hex(1, 0): "lux"}) == (("aer", "ignis", "lux"),)
    assert thaumcraft.check(short, {Hex(1, 0): "lux"}) == ("1 ignis too few in stock",)


def test_a_vanilla_stock_is_not_combined_to_addon_aspects() -> None:
    assert thaumcraft.aspects_of(Note(THREE.cells, THREE.given, {"aer": 1})) is VANILLA
    assert thaumcraft.aspects_of(Note(THREE.cells, THREE.given, {"tempus": 0})) is ALL
    assert thaumcraft.aspects_of(THREE) is ALL


@needs_shared
@pytest.mark.parametrize("name", ["small", "medium", "real", "large"])
def test_every_shared_board_is_solved_at_the_published_optimum(name: str) -> None:
    optimal = json.loads((BOARDS / "optimal.json").read_text())["optimal"]
    lines = (BOARDS / f"{name}.jsonl").read_text().splitlines()

    for line in lines:
        note = thaumcraft.parse(line)
        answer = thaumcraft.solve(note)

        assert thaumcraft.check(note, answer.solution) == ()
        assert thaumcraft.cost_of(note, answer.solution) == answer.cost == answer.bound
        assert (answer.cost, answer.optimal) == (optimal[json.loads(line)["id"]], True)


def test_the_cheapest_link_is_found_and_proved() -> None:
    answer = thaumcraft.solve(THREE)

    assert answer.solution == {Hex(1, 0): "lux"}
    assert (answer.cost, answer.bound, answer.optimal) == (2, 2, True)


def test_a_corridor_whose_length_fits_no_chain_is_proved_impossible() -> None:
    # aer and terra are both primal: between them would be a compound of both, and there is none.
    note = Note(THREE.cells, {Hex(0, 0): "aer", Hex(2, 0): "terra"})

    with pytest.raises(NoSolution, match="impossible"):
        thaumcraft.solve(note)


def test_a_stock_that_is_too_small_is_said_with_what_is_missing() -> None:
    note = Note(THREE.cells, THREE.given, {"aer": 5})

    with pytest.raises(NoSolution) as caught:
        thaumcraft.solve(note)

    assert caught.value.missing == {"ignis": 1}


def brute_force(note: Note, aspects: Aspects) -> int | None:
    """The cheapest price over all fillings of the free cells, by trying every one."""
    free = sorted(note.cells - note.given.keys())
    best = None
    for words in itertools.product((None, *aspects.components), repeat=len(free)):
        board = {cell: tag for cell, tag in zip(free, words, strict=True) if tag} | dict(note.given)
        placed = Counter(tag for tag in words if tag)
        cost = sum(note.costs.get(tag, aspects.costs[tag]) * units for tag, units in placed.items())
        if best is not None and cost >= best:
            continue
        if note.stock is not None and settle(placed, note.stock, aspects)[1]:
            continue
        reached = [next(iter(note.given))]
        for cell in reached:
            reached += [
                other
                for other in hex_neighbours(cell)
                if other in board and other not in reached and board[other] in aspects.links[board[cell]]
            ]
        if set(note.given) <= set(reached):
            best = cost
    return best


def tiny_note(seed: int) -> Note:
    rng = random.Random(seed)
    cells = rng.sample(hexagon(1), rng.randint(5, 6))
    tags = list(TINY.components)
    givens = {cell: rng.choice(tags) for cell in cells[: rng.randint(2, 3)]}
    stock = None if rng.random() < 0.4 else {tag: rng.randint(0, 2) for tag in tags if rng.random() < 0.7}
    costs = {} if rng.random() < 0.6 else {rng.choice(tags): rng.randint(0, 9)}
    return Note(frozenset(cells), givens, stock, costs)


@pytest.mark.parametrize("seed", range(150))
def test_tiny_notes_agree_with_trying_every_filling(seed: int) -> None:
    note = tiny_note(seed)

    expected = brute_force(note, TINY)

    if expected is None:
        with pytest.raises(NoSolution):
            thaumcraft.solve(note, aspects=TINY)
    else:
        answer = thaumcraft.solve(note, aspects=TINY)
        assert (answer.cost, answer.bound, answer.optimal) == (expected, expected, True)
        assert thaumcraft.check(note, answer.solution) == ()


@settings(max_examples=40, deadline=None, database=None, derandomize=True)
@given(st.randoms(use_true_random=False), st.integers(2, 3), st.integers(2, 7))
def test_both_methods_for_the_relaxation_agree(rng: random.Random, radius: int, count: int) -> None:
    cells = [cell for cell in hexagon(radius) if rng.random() < 0.85]
    givens = {cell: rng.choice(list(ALL.components)) for cell in rng.sample(cells, count)}
    graph = Graph(Note(frozenset(cells), givens), ALL, ALL.costs)
    nodes = graph.useful(graph.everything)

    frame = Addresses(graph)
    prices = frame.prices(graph, nodes, 1, {}, [0] * graph.width)
    dense = Tables(graph, frame, prices, lambda: False).cost

    try:
        cuts = ascend(graph, nodes, graph.givens[0], graph.givens[1:])
    except CutOff:
        assert dense >= FAR
    else:
        assert cuts.bound <= dense
        assert connect(graph, cuts, nodes, cuts.bound + 30, lambda: False).cost == dense


@pytest.mark.parametrize("seed", range(20))
def test_trying_all_trees_and_branching_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    cells = [cell for cell in hexagon(2) if rng.random() < 0.9]
    givens = {cell: rng.choice(list(ALL.components)) for cell in rng.sample(cells, rng.randint(3, 6))}
    note = Note(frozenset(cells), givens)
    # Without the quick look for a tree, so that all trees are tried wherever one is crowded.
    costs: list[int | None] = []
    for looked in (10**6, 0):
        monkeypatch.setattr(search, "QUICK_STEPS", 0)
        monkeypatch.setattr(search, "TREES_LOOKED", looked)
        costs.append(least_cost(note))

    assert costs[0] == costs[1]


@settings(max_examples=25, deadline=None, database=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_random_boards_end_with_a_checked_answer_or_a_refusal(rng: random.Random) -> None:
    cells = [cell for cell in hexagon(3) if rng.random() < 0.9]
    givens = {cell: rng.choice(list(ALL.components)) for cell in rng.sample(cells, rng.randint(2, 5))}
    note = Note(frozenset(cells), givens)

    try:
        answer = thaumcraft.solve(note)
    except NoSolution as refusal:
        assert "impossible" in str(refusal)
    else:
        assert thaumcraft.check(note, answer.solution) == ()
        assert thaumcraft.cost_of(note, answer.solution) == answer.cost
        assert answer.optimal


def test_a_stock_that_has_just_enough_is_used_to_the_last_unit() -> None:
    note = Note(frozenset(hexagon(2)), {Hex(-2, 2): "corpus", Hex(2, 0): "sensus", Hex(0, -2): "aer"})
    free = thaumcraft.solve(note)
    stock = dict(Counter(free.solution.values()))

    exact = thaumcraft.solve(Note(note.cells, note.given, stock), aspects=ALL)

    assert exact.cost == free.cost
    assert exact.optimal


def test_a_disabled_aspect_is_not_placed() -> None:
    with pytest.raises(NoSolution):
        thaumcraft.solve(THREE, disabled=("lux",))


def test_a_note_may_name_its_disabled_aspects() -> None:
    note = thaumcraft.parse(thaumcraft.unparse(replace(THREE, disabled=frozenset({"lux"}))))

    assert note.disabled == {"lux"}
    assert thaumcraft.check(note, {Hex(1, 0): "lux"}) == ("lux at column 2, cell 1 is disabled",)
    with pytest.raises(NoSolution):
        thaumcraft.solve(note)


def test_a_disabled_given_stays_where_it_is() -> None:
    note = replace(THREE, disabled=frozenset({"aer"}))

    answer = thaumcraft.solve(note)

    assert answer.solution == {Hex(1, 0): "lux"}
    assert thaumcraft.check(note, answer.solution) == ()


def test_a_note_may_ask_for_prices_by_which_the_scarce_is_dear() -> None:
    text = thaumcraft.unparse(replace(THREE, stock={"lux": 1, "aer": 80}))
    asked = thaumcraft.parse(text.removesuffix("}") + ',"costs":{"terra":3},"scarce":true}')

    assert (asked.costs["lux"], asked.costs["aer"], asked.costs["terra"]) == (18, 2, 3)
    assert thaumcraft.solve(asked).cost == 18


def test_costs_replace_single_prices() -> None:
    answer = thaumcraft.solve(Note(THREE.cells, THREE.given, costs={"lux": 40}))

    assert (answer.solution, answer.cost) == ({Hex(1, 0): "lux"}, 40)


def test_at_the_limit_the_best_filling_is_given_with_its_proved_gap() -> None:
    ring = [cell for cell in hexagon(5) if max(abs(cell.q), abs(cell.r), abs(cell.s)) == 5]
    tags = ["ignis", "corpus", "fabrico", "sensus", "aer", "telum", "lucrum", "terra", "machina"]
    note = Note(frozenset(hexagon(5)), dict(zip(ring[::3], tags, strict=False)))

    answer = thaumcraft.solve(note, Limits(seconds=0))

    assert thaumcraft.check(note, answer.solution) == ()
    assert answer.optimal is False
    assert answer.cost is not None
    assert answer.bound is not None
    assert 0 < answer.bound < answer.cost


def test_a_note_with_one_given_is_already_complete() -> None:
    answer = thaumcraft.solve(Note(THREE.cells, {Hex(0, 0): "aer"}))

    assert (dict(answer.solution), answer.cost, answer.optimal) == ({}, 0, True)


def test_scarce_aspects_are_dear_on_request() -> None:
    stock = dict.fromkeys(VANILLA.components, 100) | {"ignis": 0}

    costs = thaumcraft.scarce_costs(Note(THREE.cells, THREE.given, stock))

    assert (costs["aer"], costs["ignis"]) == (1, 10)
