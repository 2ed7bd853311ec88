"""The text format of ring puzzles."""

from __future__ import annotations

import pytest

from solver import rings
from solver.errors import InvalidPuzzle
from solver.lattice import Region
from tests.shared_data import SHARED, needs_shared

TWO = """id: two
numbers: 1 2 3
use: once
target: own

ring a 10 10 10 5
ring b 24 10 10 ?

region a 5 10 3
region a+b 17 10.5 ?
region b 29 10 ?
"""


def test_a_puzzle_is_written_as_it_was_read() -> None:
    puzzle = rings.parse(TWO)

    assert rings.unparse(puzzle) == TWO
    assert puzzle.given == {Region(("a",)): 3}
    assert puzzle.blanks == (Region(("a", "b")), Region(("b",)))
    assert [ring.target for ring in puzzle.rings] == [5, "?"]
    assert puzzle.remarks == (("id", "two"),)


def test_comments_and_blank_lines_do_not_count() -> None:
    assert rings.parse("# a comment\n\n" + TWO.replace("use: once", "use: once  # the rule")) == rings.parse(
        TWO
    )


def test_a_file_may_hold_several_puzzles() -> None:
    first, second = rings.parse_file(TWO + "\n" + TWO.replace("numbers: 1 2 3", "numbers: 1 2 4"))

    assert first.numbers == (1, 2, 3)
    assert second.numbers == (1, 2, 4)


def test_two_pieces_inside_the_same_rings_are_told_apart() -> None:
    text = TWO + "region a+b 17 30 ?\n"

    puzzle = rings.parse(text)

    assert [str(region) for region in puzzle.blanks] == ["a+b", "b", "a+b~2"]
    assert puzzle.covers[Region(("a", "b~2"))] == ("a", "b")
    assert rings.unparse(puzzle) == text
    assert rings.parse(text.replace("region a+b 17 30", "region a+b~2 17 30")) == puzzle


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("numbers: 1 2 3\n", "", "line 1 has no 'numbers:'"),
        ("numbers: 1 2 3", "numbers: 1 x 3", "line 2: a number is a whole number of 0 or more, not 'x'"),
        ("use: once", "use: twice", "line 3: use is once, any or ring-distinct, not 'twice'"),
        ("target: own", "target: -4", "line 4: a target is a whole number"),
        ("target: own", "target: own\ntarget: 3", "line 5: 'target' is there already, in line 4"),
        ("ring a 10 10 10 5", "ring a 10 10 5", "line 6: a ring has name, x, y, radius and target"),
        ("ring a 10 10 10 5", "ring a 10 ten 10 5", "line 6: y is a number of px, not 'ten'"),
        ("ring a 10 10 10 5", "ring a 10 nan 10 5", "line 6: y is nan"),
        ("ring a 10 10 10 5", "ring a+b 10 10 10 5", "line 6: a ring's name has no +"),
        ("ring a 10 10 10 5", "ring a 10 10 10 =", "ring a has no target"),
        ("ring a 10 10 10 5", "ring b 10 10 10 5", "line 9: region a names a ring 'a' that is not above"),
        ("region a 5 10 3", "region a 5 10", "line 9: a region has rings, x, y and a value"),
        ("region a 5 10 3", "region a+c 5 10 3", "line 9: region a+c names a ring 'c' that is not above"),
        ("region a 5 10 3", "region a+a 5 10 3", "region a+a names a ring twice"),
        ("region a 5 10 3", "region a 5 10 99999", "line 9: the value 99999 is too large"),
        ("region a 5 10 3", "areas a 5 10 3", "line 9: 'areas a 5 10 3' is neither"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, words: str) -> None:
    with pytest.raises(InvalidPuzzle) as caught:
        rings.parse(TWO.replace(old, new))

    assert words in str(caught.value)
    assert caught.value.hint


def test_only_ring_puzzles_look_like_ring_puzzles() -> None:
    assert rings.looks_like(TWO)
    assert not rings.looks_like("10x10m2:4b6b")
    assert not rings.looks_like("a ring of fire\nregion")
    assert not rings.looks_like('{"cells": [[0, 0]]}')


def test_the_board_is_drawn_in_text() -> None:
    puzzle = rings.parse(TWO)

    drawn = rings.draw(puzzle, {Region(("a", "b")): 2})

    assert drawn.splitlines()[0].rstrip() == "       aaaaaaa       bbbbbbb"
    assert drawn.splitlines()[-2:] == ["a: <3> + [2] = 5", "b: [2] + {?} = ?"]
    assert "<3>" in drawn.splitlines()[7]


@needs_shared
def test_every_shared_puzzle_survives_writing_and_reading() -> None:
    files = sorted((SHARED / "rings").glob("*.txt"))

    assert files
    for path in files:
        text = path.read_text()
        puzzle = rings.parse(text)
        assert rings.looks_like(text)
        assert rings.parse(rings.unparse(puzzle)) == puzzle
        assert rings.unparse(rings.parse(rings.unparse(puzzle))) == rings.unparse(puzzle)
