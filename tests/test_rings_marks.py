"""What stands in a ring figure without being a number: question marks, dashed outlines, left-over pieces of lines."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from vision.digits import read_numbers
from vision.frame import Box, Pixels
from vision.readers.rings.circles import find_circles
from vision.readers.rings.figure import Circle
from vision.readers.rings.ground import ink_over
from vision.readers.rings.label import Label
from vision.readers.rings.labels import _doubted, _is_no_row, _on_plate, find_labels
from vision.readers.rings.lines import trace
from vision.readers.rings.placeholders import without_placeholders
from vision.readers.rings.plates import parts_of
from vision.readers.rings.question import likeness, tell_marks

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


def parts_at(*boxes: tuple[int, int, int, int]) -> tuple[np.ndarray, list[Box]]:
    mask = np.zeros((80, 80), np.bool_)
    for x, y, width, height in boxes:
        mask[y : y + height, x : x + width] = True
    return mask, [Box(*box) for box in boxes]


def test_two_digits_and_two_crumbs_of_a_line_are_no_dashed_outline() -> None:
    mask, parts = parts_at((12, 12, 7, 9), (19, 12, 8, 9), (31, 40, 2, 2), (25, 47, 2, 2))
    mask[14:19, 22:25] = False

    assert without_placeholders(mask, parts, 103.0)[:2] == parts[:2]


def test_dashes_all_around_are_an_outline() -> None:
    mask, parts = parts_at(
        (20, 10, 5, 2), (30, 12, 4, 4), (34, 22, 2, 5), (29, 32, 4, 4), (18, 35, 5, 2), (10, 24, 2, 6)
    )

    assert without_placeholders(mask, parts, 103.0) == []


def labels_of(pixels: Pixels) -> list[Label]:
    found = find_circles(pixels)
    ink = ink_over(pixels, found.circles, found.line_px)
    return find_labels(pixels, ink, trace(ink, found.circles, found.line_px))


def test_numbers_within_the_bend_of_a_left_over_line_are_read_one_by_one() -> None:
    circles = [(269, 303), (552, 286), (427, 473)]
    pixels = np.full((700, 780, 3), 255, np.uint8)
    for (x, y), colour in zip(circles, [(60, 60, 210), (20, 140, 250), (200, 110, 30)], strict=True):
        over = pixels.copy()
        cv2.circle(over, (x, y), 169, colour, -1, cv2.LINE_AA)
        pixels = np.asarray(cv2.addWeighted(over, 0.35, pixels, 0.65, 0), np.uint8)
    for (x, y), colour in zip(circles, [(60, 60, 210), (20, 140, 250), (200, 110, 30)], strict=True):
        cv2.circle(pixels, (x, y), 169, colour, 4, cv2.LINE_AA)
    for text, at in (("6", (403, 287)), ("4", (408, 336)), ("5", (330, 400)), ("9", (200, 300))):
        cv2.putText(pixels, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1, cv2.LINE_AA)
    for times in (1.0, 1.5, 0.97 * 2):
        picture = cv2.resize(pixels, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR)
        labels = labels_of(np.asarray(picture, np.uint8))
        assert sorted(label.value for label in labels if label.value is not None) == [4, 5, 6, 9]


def test_a_sliver_too_thin_for_the_samples_shifts_no_ground() -> None:
    """A part that lies between the thinned-out samples had given its number to the next one."""
    circles = [Circle(901, 900, 500), Circle(1900.2, 900, 500), Circle(1400.6, 1500, 500)]
    pixels = np.full((2200, 2600, 3), 255, np.uint8)
    shades = [(200, 230, 200), (200, 200, 240), (240, 210, 200)]
    for c, colour in zip(circles, shades, strict=True):
        over = pixels.copy()
        cv2.circle(over, (round(c.x * 16), round(c.y * 16)), round(c.radius * 16), colour, -1, cv2.LINE_AA, 4)
        pixels = np.minimum(pixels, over)

    ink = ink_over(pixels, circles, 3.0)

    for c in circles:
        assert float(ink[int(c.y) + 100, int(c.x)]) < 1.0


@pytest.mark.parametrize("side", [14, 18, 24, 33])
@pytest.mark.parametrize("turned", range(4))
def test_what_is_left_of_a_boxs_frame_is_no_number(side: int, turned: int) -> None:
    box = np.full((side, side, 3), 225, np.uint8)
    cv2.rectangle(box, (1, 1), (side - 2, side - 2), (40, 40, 40), 1)
    # The side of a frame that lies between two columns of pixels reaches into the box.
    box[3 : side - 4, max(2, round(0.1 * side))] = 160
    pixels = np.ascontiguousarray(np.rot90(box, turned))

    assert _on_plate(pixels, Box(0, 0, side, side)) is None


def test_an_underline_is_no_part_of_what_stands_above_it() -> None:
    pixels = np.full((400, 520, 3), 245, np.uint8)
    for x in (160, 330):
        cv2.circle(pixels, (x, 200), 140, (60, 60, 60), 4, cv2.LINE_AA)
    for text, x in (("?", 90), ("7", 238), ("2", 395)):
        cv2.putText(pixels, text, (x, 210), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2, cv2.LINE_AA)
        cv2.rectangle(pixels, (x - 4, 216), (x + 22, 219), (130, 130, 130), -1)

    labels = sorted(labels_of(pixels), key=lambda label: label.at.x)

    assert [(label.kind, label.value) for label in labels] == [
        ("question", None),
        ("number", 7),
        ("number", 2),
    ]


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


@pytest.mark.parametrize("font", FONTS)
def test_a_small_bold_eight_among_digits_of_its_height_is_no_dot(font: int) -> None:
    picture = np.zeros((60, 260), np.float32)
    for i, text in enumerate("2345678"):
        picture[:, 36 * i : 36 * i + 36] = written(text, font, 12, 0.2, 0.7)[:36, :36].repeat(2, axis=0)[:60]
    mask = picture > 0.3
    parts = [box for box in parts_of(mask) if box.height > 8]

    assert without_placeholders(mask, parts, 330.0) == parts


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
    lines = trace(ink_over(two_rings(), [], 8.0), [Circle(320, 400, 280), Circle(660, 400, 280)], 8.0)

    def label(x: int, height: int, confidence: float) -> Label:
        return Label(Box(x, 400, 12, height), "number", 2, confidence, 7, 2, 0.0, False)

    digits = [label(200, 17, 1.0), label(480, 18, 0.97)]
    hook, small, other = label(800, 12, 0.83), label(850, 12, 0.99), label(700, 17, 0.8)
    kinds = [_doubted(one, [*digits, one], [], lines).kind for one in (hook, small, other)]

    assert kinds == ["unclear", "number", "number"]


def test_noise_on_an_empty_plate_is_no_number() -> None:
    grain = np.random.default_rng(5).normal(40, 8, (57, 57, 3))
    word = _on_plate(np.clip(grain, 0, 255).astype(np.uint8), Box(0, 0, 57, 57))

    assert word is None or _is_no_row(word, read_numbers([word.ink])[0])
