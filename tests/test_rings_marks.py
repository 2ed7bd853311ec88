"""What stands in a ring figure without being a number: question marks, dashed outlines, left-over pieces of lines."""

from __future__ import annotations

import itertools
import random

import cv2
import numpy as np
import pytest

from bot.practice.rings import practice
from solver import rings
from vision.colour import away_from, common_colour
from vision.digits import read_numbers
from vision.frame import Box, Frame, Pixels
from vision.readers.rings.board import read
from vision.readers.rings.circles import fit_circles, vote_circles
from vision.readers.rings.figure import covering
from vision.readers.rings.question import likeness, tell_marks
from vision.readers.rings.symbols import Label, _doubted, tell_words
from vision.readers.rings.writing import Word, Written, find_writing

FONTS = [
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_PLAIN,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
]


def written(text: str, font: int, height: int, bold: float, sigma: float) -> np.ndarray:
    (_, unit), _ = cv2.getTextSize("0", font, 10.0, 1)
    picture = np.zeros((3 * height, 3 * height), np.uint8)
    thick = max(1, round(bold * height))
    cv2.putText(picture, text, (height, 2 * height), font, 10.0 * height / unit, 255, thick, cv2.LINE_AA)
    soft = cv2.GaussianBlur(picture, (0, 0), sigma) if sigma else picture
    return soft.astype(np.float32) / max(float(soft.max()), 1.0)


@pytest.mark.parametrize("font", FONTS)
def test_a_question_mark_is_never_a_digit_and_a_digit_never_a_question_mark(font: int) -> None:
    for height, bold, sigma in itertools.product((8, 10, 13, 17, 24), (0.05, 0.1, 0.14), (0.0, 0.6, 0.9)):
        inks = [written(text, font, height, bold, sigma) for text in "?0123456789"]
        told = tell_marks(inks, read_numbers(inks))
        assert told[0] != "digit", f"? at {height} px, {bold} bold, blurred by {sigma}"
        assert "mark" not in told[1:], f"{told[1:]} at {height} px, {bold} bold, blurred by {sigma}"


def test_a_question_mark_is_told_from_a_seven_where_its_dot_has_run_into_its_hook() -> None:
    mark, seven = (written(text, cv2.FONT_HERSHEY_SIMPLEX, 12, 0.14, 1.0) for text in "?7")

    assert likeness([mark, seven])[0] > 0.55
    assert likeness([mark, seven])[1] < 0.45


def labels_of(pixels: Pixels) -> list[Label]:
    ink = away_from(pixels, common_colour(pixels))
    found = fit_circles(ink, vote_circles(ink))
    written = find_writing(ink, found.circles, found.line_px)
    inside = [bool(covering(found.circles, word.box.centre)) for word in written.words]
    return tell_words(pixels, written, inside)


def on_plate(pixels: Pixels) -> Label:
    """What stands on a plate as large as the picture."""
    side = len(pixels)
    plate = Word(Box(0, 0, side, side), (), Box(0, 0, side, side))
    nothing = np.zeros((side, side), np.uint8)
    (label,) = tell_words(pixels, Written((plate,), nothing[:0] > 0, nothing > 0, nothing), [True])
    return label


@pytest.mark.parametrize("side", [14, 18, 24, 33])
@pytest.mark.parametrize("turned", range(4))
def test_what_is_left_of_a_boxs_frame_is_no_number(side: int, turned: int) -> None:
    box = np.full((side, side, 3), 225, np.uint8)
    cv2.rectangle(box, (1, 1), (side - 2, side - 2), (40, 40, 40), 1)
    # The side of a frame that lies between two columns of pixels reaches into the box.
    box[3 : side - 4, max(2, round(0.1 * side))] = 160
    pixels = np.ascontiguousarray(np.rot90(box, turned))

    assert on_plate(pixels).value is None


def test_an_underline_makes_what_stands_above_it_doubtful_at_worst() -> None:
    pixels = np.full((400, 520, 3), 245, np.uint8)
    for x in (160, 330):
        cv2.circle(pixels, (x, 200), 140, (60, 60, 60), 4, cv2.LINE_AA)
    for text, x in (("?", 90), ("7", 238), ("2", 395)):
        cv2.putText(pixels, text, (x, 210), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2, cv2.LINE_AA)
        cv2.rectangle(pixels, (x - 4, 216), (x + 22, 219), (130, 130, 130), -1)

    labels = sorted(labels_of(pixels), key=lambda label: label.at.x)

    assert [label.value for label in labels if label.box.height > 10] in ([None, 7, 2], [None, None, None])


def test_the_side_of_a_frame_that_is_hardly_seen_is_no_one() -> None:
    pixels = np.full((800, 1040, 3), 245, np.uint8)
    for x in (320, 660):
        cv2.circle(pixels, (x, 400), 280, (60, 60, 60), 8, cv2.LINE_AA)
    cv2.rectangle(pixels, (150, 360), (230, 440), (190, 190, 190), 1)
    pixels[366:436, 150] = 120

    assert [label.value for label in labels_of(pixels) if label.kind == "number"] == []


def test_a_box_whose_ground_is_half_lost_in_noise_is_no_eight() -> None:
    pixels = np.full((800, 1040, 3), 90, np.uint8)
    for x in (320, 660):
        cv2.circle(pixels, (x, 400), 280, (230, 230, 230), 8, cv2.LINE_AA)
    cv2.rectangle(pixels, (130, 370), (186, 426), (38, 38, 38), -1)
    cv2.rectangle(pixels, (130, 370), (186, 426), (230, 230, 230), 1)
    grain = np.random.default_rng(3).normal(0, 6, pixels.shape)
    noisy = np.clip(pixels + grain, 0, 255).astype(np.uint8)

    assert [label.value for label in labels_of(noisy) if label.kind == "number"] == []


def two_rings() -> Pixels:
    pixels = np.full((800, 1040, 3), 245, np.uint8)
    for x in (320, 660):
        cv2.circle(pixels, (x, 400), 280, (60, 60, 60), 8, cv2.LINE_AA)
    return pixels


def test_three_square_dots_are_no_eights() -> None:
    pixels = two_rings()
    for x in (180, 190, 200):
        pixels[396:404, x : x + 8] = 0

    assert [label.value for label in labels_of(pixels) if label.kind == "number"] == []


def test_what_is_lower_than_every_digit_is_doubted_unless_it_is_sure() -> None:
    """The hook of a question mark that has lost its dot is like a 2."""

    def label(x: int, height: int, confidence: float) -> Label:
        return Label(Box(x, 400, 12, height), "number", 2, confidence, 7, 2)

    digits = [label(200, 17, 1.0), label(480, 18, 0.97)]
    hook, small, other = label(800, 12, 0.83), label(850, 12, 0.99), label(700, 17, 0.8)
    kinds = [_doubted(dict(enumerate([*digits, one])), [True] * 3)[-1].kind for one in (hook, small, other)]

    assert kinds == ["unclear", "number", "number"]


def test_noise_on_an_empty_plate_is_no_number() -> None:
    grain = np.random.default_rng(5).normal(40, 8, (57, 57, 3))
    assert on_plate(np.clip(grain, 0, 255).astype(np.uint8)).value is None


def test_a_lone_seven_that_looks_like_a_question_mark_is_no_blank() -> None:
    """A 7 in a box, in a JPEG of quality 50, was taken for a question mark: the region was read as empty."""
    game = practice(random.Random(0), skin="night")
    game.entered = dict(rings.solve(game.puzzle).solution)
    packed = cv2.imencode(".jpg", game.render(0.0), [cv2.IMWRITE_JPEG_QUALITY, 50])[1]

    reading = read(Frame(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)), game.profile)

    truth = {str(region): str(number) for region, number in (game.puzzle.given | game.entered).items()}
    told = {str(region): mark.symbol for region, mark in reading.marks.items()}
    assert told["r02+r03"] in (None, truth["r02+r03"])


NINE = """
0000011111011000
0001136988631000
0011479999974110
0003799655998200
0014995222789410
0016994102598600
0004996111779210
0012899646888110
0001379999993100
0022135598961100
0013112399721000
0013212899302100
0122216995112200
0222138962023100
0222112111022200
0000000000022100
0000000000000000
0000222110000000
0000233220000000
0000134320000000
0000133320000000
"""


def test_a_nine_with_a_speck_below_it_is_no_question_mark() -> None:
    """Sharpened, and a JPEG: tenths of the strongest ink."""
    ink = np.array([[int(level) / 9 for level in row] for row in NINE.split()], np.float32)

    assert tell_marks([ink], read_numbers([ink])) == ["unclear"]
