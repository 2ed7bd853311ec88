"""Digits: shapes of fonts that no test machine needs to have; drawn by OpenCV and by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import cv2
import numpy as np
import pytest

from vision import digits
from vision.frame import Box
from vision.writing import Letter, apart, read_letters


def written(text: str, height_px: int, *, thick: int = 1, face: int = cv2.FONT_HERSHEY_DUPLEX) -> digits.Ink:
    """Text in OpenCV's own line font, drawn large and scaled down; a font the reader never learned."""
    image = np.zeros((300, 220 * len(text) + 160), np.uint8)
    cv2.putText(image, text, (60, 230), face, 7.0, 255, 12 + 6 * thick, cv2.LINE_AA)
    scale = height_px / 160
    return cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32) / 255


@pytest.mark.parametrize("height_px", [9, 12, 18, 30, 60])
@pytest.mark.parametrize("digit", range(10))
def test_a_digit_of_a_font_never_learned_is_read(digit: int, height_px: int) -> None:
    assert digits.read_number(written(str(digit), height_px)).value == digit


@pytest.mark.parametrize(
    "face", [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX]
)
@pytest.mark.parametrize("number", [10, 14, 25, 38, 97])
def test_a_number_of_two_digits_is_read(number: int, face: int) -> None:
    assert digits.read_number(written(str(number), 14, face=face)).value == number


def test_of_small_digits_hardly_any_is_told_wrong() -> None:
    """Of those of 5 to 7 px 3 to 8 in 100 were, by the lettering of the library; of larger ones 2 are."""
    faces = (
        cv2.FONT_HERSHEY_SIMPLEX,
        cv2.FONT_HERSHEY_DUPLEX,
        cv2.FONT_HERSHEY_TRIPLEX,
        cv2.FONT_HERSHEY_COMPLEX,
    )
    right = []
    for face, thick, high, way in product(faces, range(3), (5, 6, 7), (cv2.INTER_NEAREST, cv2.INTER_AREA)):
        large = [written(str(digit), 40, thick=thick, face=face) for digit in range(10)]
        small = [cv2.resize(ink, None, fx=high / 40, fy=high / 40, interpolation=way) for ink in large]
        told = digits.read_numbers([np.asarray(ink, np.float32) for ink in small])
        right += [one.value == nth for nth, one in enumerate(told) if one.confidence >= 0.6]

    assert len(right) > 400
    assert right.count(False) <= len(right) / 40


def test_a_trace_beside_a_digit_is_no_other_one() -> None:
    ink = written("0", 22)
    ink[12:18, -4:-2] = 0.45

    assert digits.read_number(ink).value == 0


def test_the_colours_of_writing_and_background_do_not_matter() -> None:
    ink = written("7", 20)[..., None]
    yellow, navy = np.array([0, 220, 240]), np.array([60, 20, 10])

    light_on_dark = (ink * yellow + (1 - ink) * navy).astype(np.uint8)
    dark_on_light = (ink * navy + (1 - ink) * yellow).astype(np.uint8)

    assert digits.read_number(digits.ink_of(light_on_dark)).value == 7
    assert digits.read_number(digits.ink_of(dark_on_light)).value == 7


def test_a_clear_digit_is_certain_and_names_its_runner_up() -> None:
    number = digits.read_number(written("4", 24))

    assert number.value == 4
    assert number.confidence > 0.9
    assert number.runner_up is not None and number.runner_up != 4


def test_nothing_is_no_number() -> None:
    assert digits.read_number(np.zeros((20, 20), np.float32)).value is None
    assert digits.read_number(digits.ink_of(np.full((20, 20, 3), 200, np.uint8))).value is None


def test_a_cross_and_a_block_are_no_certain_digits() -> None:
    cross, block = np.zeros((24, 24), np.float32), np.zeros((24, 24), np.float32)
    cv2.line(cross, (3, 3), (20, 20), 1.0, 2)
    cv2.line(cross, (20, 3), (3, 20), 1.0, 2)
    block[3:21, 3:21] = 1

    assert digits.read_number(cross).confidence < 0.6
    assert digits.read_number(block).confidence < 0.6


def handwritten(points: Sequence[tuple[int, int]], off: int = 0) -> digits.Ink:
    """A stroke through these points, so many quarters of a px beside them."""
    large = np.zeros((96, 96), np.float32)
    cv2.polylines(large, [np.array(points, np.int32) * 4 + off], False, 1.0, 8, cv2.LINE_AA)
    return np.asarray(cv2.resize(large, (24, 24), interpolation=cv2.INTER_AREA), np.float32)


def test_what_looks_unlike_the_sure_ones_of_its_font_is_another_digit() -> None:
    ones = [handwritten([(9, 6), (11, 5), (11, 17)], off) for off in range(4)]
    narrow_two = handwritten([(9, 6), (11, 5), (12, 8), (10, 13), (9, 16), (13, 16)])

    assert digits.read_number(narrow_two).confidence < 0.9
    assert [number.value for number in digits.read_numbers([*ones, narrow_two])] == [1, 1, 1, 1, 2]


@pytest.mark.parametrize("height_px", [10, 14, 24])
@pytest.mark.parametrize("face", [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX])
def test_letters_stand_for_numbers_above_nine_where_every_number_is_one_sign(
    face: int, height_px: int
) -> None:
    told = digits.read_signs([written(sign, height_px, face=face) for sign in digits.SIGNS])

    surely = [number for number in told if number.confidence >= 0.6]
    assert len(surely) >= 14
    assert [number.text for number in surely] == [
        sign for sign, number in zip(digits.SIGNS, told, strict=True) if number.confidence >= 0.6
    ]
    assert all(number.value == digits.SIGNS.index(number.text) + 1 for number in surely)


def test_two_signs_are_no_number_of_one_sign() -> None:
    assert [number.value for number in digits.read_signs([written("1a", 20), written("b", 20)])] == [None, 11]


def test_pale_shadows_of_numbers_in_a_pixel_font_are_no_numbers() -> None:
    page, shadow = np.full((60, 200, 3), 255, np.uint8), (3, 200)
    font = {"1": "010 110 010 010 010", "2": "111 001 111 100 111", "3": "111 001 111 001 111"}
    for off, ink in (shadow, (0, 0)):
        for nth, digit in enumerate("2131"):
            for row, col in np.argwhere([[dot == "1" for dot in line] for line in font[digit].split()]):
                y, x = 20 + 4 * row + off, 20 + 40 * nth + 4 * col + off
                page[y : y + 4, x : x + 4] = ink

    letters = read_letters(page, Box(0, 0, 200, 60), 36.0, thorough=False)

    assert [one.glyph.value for one in sorted(letters, key=lambda one: one.box.left)] == [2, 1, 3, 1]


def test_touching_digits_are_not_cut_in_the_middle_of_a_nought() -> None:
    rows = (
        ".#####....#####..",
        "###.###..###.###.",
        "##...##.###...##.",
        ".....######...###",
        ".....######...###",
        "....##..###...###",
        "...###..###...###",
        "..###...###...###",
        ".###....###...###",
        "###.....###...##.",
        "###......##..###.",
        "########..#####..",
    )
    ink = np.asarray([[mark == "#" for mark in row] for row in rows], np.float32)

    assert digits.read_number(ink).value == 20


def letter(box: tuple[int, int, int, int], value: int, distance: float, *, light: bool) -> Letter:
    return Letter(Box(*box), digits.Glyph(value, 0.9, None, distance, ()), (0.0, 0.0, 0.0), light=light)


def test_the_ground_between_a_digit_and_its_box_is_no_digit_with_that_one_as_its_hole() -> None:
    """White in the right end of a box looked like a 3, and the small black digit beside it like a hole of that."""
    digit, ground = letter((0, 6, 7, 12), 1, 0.55, light=False), letter((0, 0, 12, 25), 3, 0.69, light=True)
    nought, hole = letter((40, 0, 10, 14), 0, 0.5, light=False), letter((43, 3, 4, 8), 1, 0.6, light=True)

    assert set(apart([ground, digit, nought, hole])) == {digit, nought}
