"""What stands around a ring figure: targets, words, legends, and the stock."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from solver.rings import Entries, Rings
from tests.test_rings_drawings import COLOURS
from vision.errors import UncertainReading
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.rings.board import read
from vision.reading import Reading

BLACK = (0, 0, 0)
CENTRES = {
    "red": (150, 200),
    "green": (288, 320),
    "black": (426, 200),
    "yellow": (564, 320),
    "blue": (702, 200),
}
GIVENS = {(115, 180): 9, (288, 350): 5, (426, 170): 6, (633, 260): 3, (495, 260): 1}
# In the order in which the reader names the rings: row by row.
TARGETS = {"red": 12, "black": 12, "blue": 9, "green": 13, "yellow": 12}
FONT = cv2.FONT_HERSHEY_SIMPLEX


def put(pixels: Pixels, text: str, at: tuple[int, int], colour: tuple[int, int, int] = BLACK) -> None:
    cv2.putText(pixels, text, at, FONT, 0.9, colour, 2, cv2.LINE_AA)


def drawing(stock: str = "3  4  5  6  7  8", legend: str = "beside", *, tiled: bool = True) -> Pixels:
    """Five rings; tiled: whether each number of the stock stands on a tile.

    legend: a "swatch", a "word" in the ring's colour, "black" words; or targets
    "beside" the rings in their colours, or on "tags"."""
    pixels = np.full((640, 1150, 3), 255, np.uint8)
    for name, centre in CENTRES.items():
        cv2.circle(pixels, centre, 120, COLOURS[name], 4, cv2.LINE_AA)
    for (x, y), value in GIVENS.items():
        put(pixels, str(value), (x - 8, y + 10))
    if tiled:
        for i, number in enumerate(stock.split("  ")):
            cv2.rectangle(pixels, (80 + 70 * i, 540), (130 + 70 * i, 590), BLACK, 1)
            put(pixels, number, (97 + 70 * i, 575))
    else:
        put(pixels, stock, (80, 560))
    for i, (name, target) in enumerate(TARGETS.items()):
        x, y = 930, 130 + 50 * i
        if legend == "swatch":
            cv2.rectangle(pixels, (x, y - 20), (x + 22, y), COLOURS[name], -1)
            put(pixels, str(target), (x + 40, y))
        elif legend == "word":
            put(pixels, f"{name} = {target}", (x, y), COLOURS[name])
        elif legend == "black":
            put(pixels, f"{name} = {target}", (x, y))
        elif legend == "beside":
            up = CENTRES[name][1] == 200
            put(pixels, str(target), (CENTRES[name][0] - 16, 60 if up else 480), COLOURS[name])
        elif legend == "tags":
            (x, y), up = CENTRES[name], CENTRES[name][1] == 200
            top = 22 if up else 454
            cv2.rectangle(pixels, (x - 30, top), (x + 30, top + 40), (205, 205, 205), -1)
            cv2.rectangle(pixels, (x - 30, top), (x + 30, top + 40), COLOURS[name], 1)
            put(pixels, str(target), (x - 16, top + 29))
    return pixels


def seen(pixels: Pixels) -> Reading[Rings, Entries]:
    return read(Frame(pixels), Profile("rings", "any"))


def test_targets_beside_their_rings_in_the_colours_of_these_are_read() -> None:
    reading = seen(drawing())

    assert reading.doubtful == ()
    assert [ring.target for ring in reading.puzzle.rings] == list(TARGETS.values())
    assert sorted(value for value in reading.puzzle.given.values()) == [1, 3, 5, 6, 9]


@pytest.mark.parametrize("legend", ["swatch", "word", "black"])
def test_a_legend_is_refused_with_what_would_help(legend: str) -> None:
    with pytest.raises(UncertainReading) as error:
        seen(drawing(legend=legend))

    assert "beside" in str(error.value.hint) or "larger" in str(error.value.hint)


def test_targets_on_tags_are_read_or_refused_and_never_taken_for_the_stock() -> None:
    pixels = drawing(stock="", legend="tags", tiled=False)
    for i, number in enumerate((3, 5, 6, 8)):
        corner, end = (80 + 80 * i, 540), (80 + 80 * i + 52, 592)
        cv2.rectangle(pixels, corner, end, BLACK, 1)
        put(pixels, str(number), (corner[0] + 18, corner[1] + 35))

    with pytest.raises(UncertainReading, match="or are none"):
        seen(pixels)


@pytest.mark.parametrize(
    "stock",
    [
        "1-9",
        "1 - 9",
        "1..9",
        "1...9",
        "Numbers: 1-9",
        "1  2  3  4-9",
        "9-1",
        "2-12",
        "3  4  5  6  7  8",
        "13",
    ],
)
def test_a_stock_without_tiles_is_refused(stock: str) -> None:
    with pytest.raises(UncertainReading):
        seen(drawing(stock=stock, tiled=False))


def test_the_order_of_the_tiles_does_not_matter() -> None:
    assert seen(drawing(stock="8  4  7  6  5  3")).puzzle.numbers == (3, 4, 5, 6, 7, 8)


def test_a_tile_missing_in_its_row_is_a_doubt() -> None:
    pixels = drawing()
    pixels[535:595, 285:345] = 255

    with pytest.raises(UncertainReading, match="missing between"):
        seen(pixels)


def test_a_tile_with_a_second_number_or_a_word_beside_the_others_is_a_doubt() -> None:
    pixels = drawing()
    put(pixels, "and 9", (520, 575))

    with pytest.raises(UncertainReading, match="or are none"):
        seen(pixels)
