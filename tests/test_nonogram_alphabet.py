"""Clues in a font of their own: signs that are like no digit are settled by all clues together, legible ones never."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from solver.nonogram import Nonogram, Picture
from tests.test_nonogram_looks import PUZZLE, drawn
from vision.digits import Glyph, Number, number_of
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box
from vision.readers.nonogram import clues
from vision.readers.nonogram.bands import Band, Ways, joined, joints
from vision.readers.nonogram.board import _require_entries
from vision.readers.nonogram.clues import _without_words, columns_beside
from vision.readers.nonogram.corrections import settled, witness_of
from vision.scene import Scene
from vision.writing import Letter

# How far a handwritten 1 of a web page is from the ten digits: like none, a 4 at the nearest.
HANDWRITTEN = (1.94, 1.71, 1.87, 1.69, 1.01, 1.97, 1.8, 2.14, 1.62, 1.85)
# And what a legible 4 is.
LEGIBLE = (1.83, 1.71, 2.23, 2.1, 0.4, 1.77, 1.78, 2.35, 1.83, 1.53)
# A 1 on a blurred photograph may look like a nought.
BLURRED = (0.5, 0.53, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0)


def glyph(digit: int, distances: Sequence[float] = ()) -> Glyph:
    """A digit that is sure, unless told otherwise."""
    away = tuple(distances) or tuple(0.3 if i == digit else 2.0 for i in range(10))
    return Glyph(digit, 1.0, None, away[digit], away)


def band(text: str, sign: Sequence[float]) -> Band:
    """Lines parted by slashes; `x` is a sign that is as far from the ten digits as it says."""
    lines: list[tuple[Number, ...]] = []
    for line in text.split("/"):
        glyphs = [
            glyph(sign.index(min(sign)), sign) if one == "x" else glyph(int(one)) for one in line.split()
        ]
        lines.append(tuple(number_of([one]) for one in glyphs))
    return Band(tuple(lines), Box(0, 0, 1, 1))


def alone(text: str, sign: Sequence[float]) -> Ways:
    return Ways([lambda: band(text, sign)])


ROWS, COLS = "5/x x/5/x x/5", "5/x x x/x x x/x x x/5"


def test_a_sign_that_is_like_no_digit_is_the_one_that_fits_all_clues() -> None:
    rows, cols, remarks = settled(alone(ROWS, HANDWRITTEN), alone(COLS, HANDWRITTEN))

    assert rows.clues == ((5,), (1, 1), (5,), (1, 1), (5,))
    assert cols.clues == ((5,), (1, 1, 1), (1, 1, 1), (1, 1, 1), (5,))
    assert remarks and all("only 1 fits" in remark for remark in remarks)


def test_filled_cells_may_speak_against_a_number_that_the_other_clues_decided() -> None:
    """Of a part-played console's screen four digits were decided so, against a row that was filled to its end. And of a
    finished board a column lost its last 1, of which a half was covered: a 3 beside it became a 2, as others had it then."""
    rows, cols, _ = settled(alone(ROWS, HANDWRITTEN), alone(COLS, HANDWRITTEN))
    witness, _ = witness_of(Nonogram(rows.clues, cols.clues))

    _require_entries(Picture(witness.filled), 0.4, rows, cols, witness)
    with pytest.raises(UncertainReading, match="most cells speak against"):
        _require_entries(Picture(witness.filled), 0.7, rows, cols, witness)
    for wrong in witness.blank:
        with pytest.raises(UncertainReading, match="speaks against the number"):
            _require_entries(Picture(witness.filled | {wrong}), 0.0, rows, cols, witness)


def test_what_looks_like_a_nought_beside_another_number_may_be_another_digit() -> None:
    rows, cols, remarks = settled(alone(ROWS, BLURRED), alone(COLS, BLURRED))

    assert rows.clues == ((5,), (1, 1), (5,), (1, 1), (5,))
    assert cols.clues == ((5,), (1, 1, 1), (1, 1, 1), (1, 1, 1), (5,))
    assert remarks and all("0 looked likelier, but only 1 fits" in remark for remark in remarks)


def test_a_legible_digit_is_not_changed_whatever_the_others_say() -> None:
    with pytest.raises((BoardNotFound, UncertainReading)):
        settled(alone(ROWS, LEGIBLE), alone(COLS, LEGIBLE))


def test_a_single_number_of_two_digits_is_one_though_its_digits_are_half_a_pixel_further_apart() -> None:
    # As sgt-pattern at 32 px a cell draws the only large number above its columns.
    two, nothing = (
        Letter(box, glyph(digit), (0, 0, 0))
        for digit, box in ((2, Box(0, 0, 11, 13)), (0, Box(13, 0, 12, 13)))
    )

    numbers = list(joined([two, nothing], joints([[two, nothing]])[0]))

    assert [len(number) for number in numbers] == [2]


def test_numbers_of_narrow_columns_that_stand_close_are_no_word() -> None:
    """30, 23 and 30 side by side, one digit of them blurred."""
    letters = [
        Letter(Box(12 * at, 0, 11, 15), replace(glyph(digit), confidence=0.5 if at == 3 else 1.0), (0, 0, 0))
        for at, digit in enumerate((3, 0, 2, 3, 3, 0))
    ]
    word = [replace(one, glyph=replace(one.glyph, value=None)) for one in letters[:2]] + letters[2:]

    assert _without_words(letters) == letters
    assert _without_words(word) == []


def test_what_looks_like_a_word_is_read_where_more_lines_have_numbers_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clues, "_without_words", lambda letters: letters[::3])
    scene = Scene(drawn(PUZZLE, {}))

    assert columns_beside(scene, scene.grids()[0], False, False)[0].clues == PUZZLE.cols
