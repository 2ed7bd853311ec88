"""What the sights of single cells say together: givens, blanks and contradictions of the rules."""

from __future__ import annotations

import pytest

from solver.lattice import Hex, hexagon
from vision.errors import UncertainReading
from vision.readers.thaumcraft.board import put_together
from vision.readers.thaumcraft.cells import Sight
from vision.readers.thaumcraft.layout import LARGEST_RADIUS

HIDDEN = float("nan")
GIVEN = {Hex(-2, 2): "aqua", Hex(2, 0): "ignis", Hex(0, -2): "terra"}


def sights(radius=2, given=GIVEN, outline=1.0, **changed):
    """A note without blanks on which nothing is placed; changed: sights by cell."""
    seen = {}
    for cell in hexagon(LARGEST_RADIUS):
        inside = max(abs(cell.q), abs(cell.r), abs(cell.q + cell.r)) <= radius
        seen[cell] = Sight("", 1.0, "", outline if inside else -0.1)
    seen |= {cell: Sight(symbol, 1.0, "", 0.0) for cell, symbol in given.items()}
    return seen | changed.get("cells", {})


def test_an_open_note_is_its_cells_and_givens():
    board = put_together(sights())
    assert board.givens == GIVEN.keys()
    assert board.cells == tuple(sorted(hexagon(2)))
    assert not board.doubtful and not board.finished


def test_a_ring_of_which_nothing_was_looked_at_is_no_part_of_the_note():
    inner = {cell: sight for cell, sight in sights().items() if cell in hexagon(3)}
    assert put_together(inner).cells == tuple(sorted(hexagon(2)))


def test_outlines_may_be_faint_on_a_soft_picture():
    assert len(put_together(sights(outline=0.4)).cells) == 19


def test_an_aspect_under_the_cursor_is_no_given():
    placed = {Hex(0, 0): Sight("lux", 1.0, "", -0.8, hovered=True, dim=True)}
    board = put_together(sights(cells=placed))
    assert board.givens == GIVEN.keys()
    assert not board.doubtful


def test_a_given_that_cannot_be_seen_is_a_cell_in_doubt():
    gone = {Hex(0, -2): Sight("", 1.0, "", -0.1)}
    board = put_together(sights(cells=gone))
    assert board.doubtful == {Hex(0, -2)}
    assert Hex(0, -2) in board.cells


def test_a_lit_aspect_that_links_to_nothing_is_in_doubt():
    alone = {Hex(0, 0): Sight("mortuus", 1.0, "", 1.0, dim=False)}
    board = put_together(sights(cells=alone))
    assert board.doubtful == {Hex(0, 0)}


def test_what_cannot_be_told_may_link_its_neighbours():
    chain = {
        Hex(-1, 1): Sight(None, 0.2, "", 1.0),
        Hex(0, 0): Sight("mortuus", 1.0, "", 1.0, dim=False),
    }
    assert put_together(sights(cells=chain)).doubtful == {Hex(-1, 1)}


def test_something_over_a_cell_leaves_faint_neighbours_in_doubt():
    cover = {
        Hex(0, 0): Sight(None, 0.2, "", HIDDEN, foreign=True),
        Hex(0, 1): Sight("", 0.7, "", 0.5),
    }
    assert put_together(sights(cells=cover)).doubtful == {Hex(0, 0), Hex(0, 1)}


def test_what_lies_outside_the_note_does_not_make_it_larger():
    tooltip = {
        Hex(-4, 4): Sight(None, 0.3, "arbor", 0.1),
        Hex(-4, 3): Sight(None, 0.2, "", HIDDEN, foreign=True),
    }
    board = put_together(sights(cells=tooltip))
    assert board.radius == 2
    assert board.givens == GIVEN.keys()


def finished(**symbols):
    """A note of radius 2 on which only these cells are left, by "q_r" with m for minus."""
    blank = {cell: Sight("", 1.0, "", -0.1) for cell in hexagon(LARGEST_RADIUS)}
    for place, symbol in symbols.items():
        q, r = (int(part.replace("m", "-")) for part in place.removeprefix("at").split("_"))
        blank[Hex(q, r)] = Sight(symbol, 1.0, "", 0.0)
    return blank


STRAIGHT = {"atm2_2": "aqua", "atm1_1": "victus", "at0_0": "terra", "at1_m1": "vitreus", "at2_m2": "ordo"}


def test_the_ends_of_the_chain_are_the_givens_of_a_finished_note():
    board = put_together(finished(**STRAIGHT))
    assert board.finished
    assert board.givens == {Hex(-2, 2), Hex(2, -2)}
    assert not board.doubtful


def test_a_finished_note_that_falls_apart_is_not_understood():
    with pytest.raises(UncertainReading, match="not complete"):
        put_together(finished(**{**STRAIGHT, "at0_0": "lux"}))
