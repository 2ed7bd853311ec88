"""Thaumcraft: rules, notation, stock and the cheapest solution."""

from __future__ import annotations

import json

import pytest

from solver import thaumcraft
from solver.errors import InvalidPuzzle, NoSolution
from solver.lattice import Hex
from solver.thaumcraft import ALL, VANILLA, Note
from tests.shared_data import SHARED, needs_shared

THREE = Note(frozenset({Hex(0, 0), Hex(1, 0), Hex(2, 0)}), {Hex(0, 0): "aer", Hex(2, 0): "ignis"})
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
    ],
)
def test_a_damaged_note_is_refused_with_what_was_seen(text: str, word: str) -> None:
    with pytest.raises(InvalidPuzzle, match=word):
        thaumcraft.parse(text)


def test_check_names_the_given_that_is_not_linked() -> None:
    assert thaumcraft.check(THREE, {Hex(1, 0): "lux"}) == ()
    assert thaumcraft.check(THREE, {Hex(1, 0): "motus"}) == (
        "given ignis at 2,0 is not linked to aer at 0,0",
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
