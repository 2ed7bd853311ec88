"""Ring puzzles as somebody else would draw them: nothing here is shared with the practice screen."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from solver import rings
from solver.rings import Rings
from tests.olympic import OLYMPIC, OLYMPIC_ANSWER
from vision.errors import UncertainReading, VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.rings.board import read

Colour = tuple[int, int, int]
COLOURS: dict[str, Colour] = {
    "red": (60, 60, 210), "green": (60, 150, 40), "black": (40, 40, 40), "yellow": (20, 170, 220), "blue": (200, 110, 30),
}  # fmt: skip
# Names that the reader gives the Olympic rings: row by row.
READ_AS = {"red": "r01", "black": "r02", "blue": "r03", "green": "r04", "yellow": "r05"}
WHITE, DARK = (255, 255, 255), (42, 32, 26)


@dataclass(frozen=True)
class Style:
    """fill: opacity of the discs; blank: "", "?", "dot", "dashes", "box", "circle"; target: "above", "word", "below";
    tiles: whether the numbers of the stock stand on some."""

    scale: float = 1.2
    line_px: int = 3
    ground: Colour = WHITE
    colourful: bool = True
    fill: float = 0.0
    blank: str = ""
    target: str = "above"
    tiles: bool = True
    font: int = cv2.FONT_HERSHEY_SIMPLEX
    smooth: int = cv2.LINE_AA


class Drawing:
    """A canvas on which a puzzle is drawn."""

    def __init__(self, puzzle: Rings, style: Style) -> None:
        self.style = style
        self.ink: Colour = (0, 0, 0) if style.ground == WHITE else (255, 255, 255)
        s = style.scale
        width = max(r.x + r.radius for r in puzzle.rings) * s + 60 * s
        height = max(r.y + r.radius for r in puzzle.rings) * s + 200 * s
        self.at = np.array((30 * s, 60 * s))
        self.pixels = np.full((round(height), round(width), 3), style.ground, np.uint8)
        self.rings(puzzle)
        for place in puzzle.places:
            centre = self.at + np.array((place.x, place.y)) * s
            if place.value is None:
                self.blank(centre)
            else:
                self.write(str(place.value), centre, 17 * s)
        self.stock(puzzle)
        where = (width / 2, 25 * s) if style.target != "below" else (width / 2, height - 25 * s)
        self.write(
            {"above": "", "word": "Sum: ", "below": "Target "}[style.target] + str(puzzle.target),
            where,
            20 * s,
        )

    def rings(self, puzzle: Rings) -> None:
        s, style = self.style.scale, self.style
        circles = [
            (
                (round((self.at[0] + r.x * s) * 16), round((self.at[1] + r.y * s) * 16)),
                round(r.radius * s * 16),
                r.name,
            )
            for r in puzzle.rings
        ]
        for centre, radius, name in circles:
            if style.fill:
                over = self.pixels.copy()
                cv2.circle(over, centre, radius, COLOURS[name], -1, style.smooth, 4)
                self.pixels = cv2.addWeighted(over, style.fill, self.pixels, 1 - style.fill, 0)
        for centre, radius, name in circles:
            colour = (
                COLOURS[name] if style.colourful and (name != "black" or style.ground == WHITE) else self.ink
            )
            cv2.circle(self.pixels, centre, radius, colour, style.line_px, style.smooth, 4)

    def write(self, text: str, at: np.ndarray | tuple[float, float], height: float) -> None:
        (_, unit), _ = cv2.getTextSize("0", self.style.font, 10.0, 1)
        size, thick = 10.0 * height / unit, max(1, round(0.1 * height))
        (w, h), _ = cv2.getTextSize(text, self.style.font, size, thick)
        corner = (round(at[0] - w / 2), round(at[1] + h / 2))
        cv2.putText(self.pixels, text, corner, self.style.font, size, self.ink, thick, self.style.smooth)

    def blank(self, at: np.ndarray) -> None:
        s = self.style.scale
        x, y, r = round(at[0]), round(at[1]), round(11 * s)
        if self.style.blank == "?":
            self.write("?", at, 17 * s)
        elif self.style.blank == "dot":
            cv2.circle(self.pixels, (x, y), round(2.5 * s), self.ink, -1, self.style.smooth)
        elif self.style.blank == "circle":
            cv2.circle(self.pixels, (x, y), r, self.ink, 1, self.style.smooth)
        elif self.style.blank == "box":
            cv2.rectangle(self.pixels, (x - r, y - r), (x + r, y + r), self.ink, 1)
        elif self.style.blank == "dashes":
            for start in range(0, 360, 45):
                cv2.ellipse(self.pixels, (x, y), (r, r), 0, start, start + 25, self.ink, 2, self.style.smooth)

    def stock(self, puzzle: Rings) -> None:
        s, half = self.style.scale, round(22 * self.style.scale)
        y = self.pixels.shape[0] - round(85 * s)
        for i, number in enumerate(puzzle.numbers):
            x = round((60 + 65 * i) * s)
            if self.style.tiles:
                cv2.rectangle(
                    self.pixels, (x - half, y - half), (x + half, y + half), self.ink, max(1, round(s))
                )
            self.write(str(number), (x, y), 20 * s)


def seen(pixels: Pixels) -> Rings:
    reading = read(Frame(pixels), Profile("rings", "any"))
    assert reading.doubtful == ()
    assert reading.placed == {}
    return reading.puzzle


def assert_olympic(puzzle: Rings) -> None:
    original = rings.parse(OLYMPIC)
    names = {
        "+".join(sorted(READ_AS[n] for n in str(place.region).split("+"))): place for place in original.places
    }
    assert {str(place.region): place.value for place in puzzle.places} == {
        n: p.value for n, p in names.items()
    }
    assert (puzzle.target, puzzle.numbers) == (original.target, original.numbers)
    solution = rings.solution_json(puzzle, rings.solve(puzzle).solution)
    assert solution == {
        name: OLYMPIC_ANSWER[str(place.region)] for name, place in names.items() if place.value is None
    }


def harmed(pixels: Pixels, how: str) -> Pixels:
    if how == "noise":
        grain = np.random.default_rng(1).normal(0, 5, pixels.shape)
        return np.clip(pixels + grain, 0, 255).astype(np.uint8)
    if how == "jpeg":
        return np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 75])[1], 1), np.uint8
        )
    return pixels


STYLES = [
    Style(),
    Style(blank="?", line_px=1, smooth=cv2.LINE_8),
    Style(blank="?", ground=DARK, colourful=False),
    Style(blank="box"),
    Style(line_px=8),
    Style(ground=DARK, scale=1.6),
    Style(scale=2.4, line_px=6, font=cv2.FONT_HERSHEY_DUPLEX),
]
# What is not read: filled rings, blanks that hold a sign other than a question mark or a box, words, and a stock without tiles.
# With serifs one number is in doubt as OpenCV 4 writes it, and none as OpenCV 5 does.
LET_GO = [
    Style(line_px=8, font=cv2.FONT_HERSHEY_COMPLEX),
    Style(blank="dot", target="word", tiles=False),
    Style(blank="dashes", ground=DARK, colourful=False),
    Style(blank="box", fill=0.25),
    Style(blank="circle", line_px=8, font=cv2.FONT_HERSHEY_COMPLEX),
    Style(ground=DARK, fill=0.3, target="word", scale=1.6),
    Style(blank="dot", target="below", fill=0.15, tiles=False),
    Style(blank="dashes", scale=2.4, line_px=6, font=cv2.FONT_HERSHEY_DUPLEX, target="below"),
    Style(fill=0.4, line_px=1, scale=1.5),
    Style(target="word", tiles=False),
    Style(tiles=False),
    Style(ground=DARK, target="word", scale=1.6),
    Style(blank="?", target="below", tiles=False),
    Style(scale=2.4, line_px=6, font=cv2.FONT_HERSHEY_DUPLEX, target="below"),
]


# With noise: dashes that pass for small digits beside real ones, and dashes, circles and dots that pass for noughts.
GRAINY = [
    Style(blank="dashes", ground=DARK, scale=1.5),
    Style(blank="dashes", ground=DARK, line_px=1),
    Style(blank="circle", line_px=8, scale=1.5),
    Style(blank="dot", scale=1.5),
]


def name_of(style: Style) -> str:
    return f"{style.blank or 'empty'}-{style.line_px}px-{style.target}-{style.fill}"


@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_strange_drawing_is_read_exactly(style: Style) -> None:
    assert_olympic(seen(Drawing(rings.parse(OLYMPIC), style).pixels))


@pytest.mark.parametrize("style", LET_GO, ids=name_of)
def test_what_is_no_plain_drawing_is_refused_or_doubted_and_never_misread(style: Style) -> None:
    assert_not_misread(Drawing(rings.parse(OLYMPIC), style).pixels)


@pytest.mark.parametrize("style", GRAINY, ids=name_of)
def test_signs_for_blanks_are_no_digits_in_grain(style: Style) -> None:
    assert_not_misread(harmed(Drawing(rings.parse(OLYMPIC), style).pixels, "noise"))


def assert_not_misread(pixels: Pixels) -> None:
    try:
        reading = read(Frame(pixels), Profile("rings", "any"))
    except UncertainReading:
        return

    original = {
        "+".join(sorted(READ_AS[n] for n in str(p.region).split("+"))): p.value
        for p in rings.parse(OLYMPIC).places
    }
    told = {str(region): mark.symbol for region, mark in reading.marks.items() if mark.symbol is not None}
    assert told == {name: str(original[name] or "") for name in told}
    if not reading.doubtful:
        assert_olympic(reading.puzzle)


def test_harmed_drawings_are_read_exactly_or_doubted() -> None:
    exact = 0
    for style, how in itertools.product(STYLES, ("noise", "jpeg")):
        pixels = harmed(Drawing(rings.parse(OLYMPIC), style).pixels, how)
        try:
            reading = read(Frame(pixels), Profile("rings", "any"))
        except VisionError:
            continue
        if not reading.doubtful:
            assert_olympic(reading.puzzle)
            exact += 1

    assert exact >= 11


def test_a_shape_on_the_rings_that_is_none_is_a_reason_to_refuse() -> None:
    drawing = Drawing(rings.parse(OLYMPIC), Style())
    cv2.ellipse(drawing.pixels, (400, 210), (150, 70), 0, 0, 360, (0, 0, 0), 3, cv2.LINE_AA)

    with pytest.raises(VisionError):
        seen(drawing.pixels)


@pytest.mark.parametrize("rows", [200, 330, 400, 430, 440])
def test_a_figure_that_is_cut_off_is_refused(rows: int) -> None:
    pixels = Drawing(rings.parse(OLYMPIC), Style()).pixels[:rows]

    with pytest.raises(VisionError):
        seen(pixels)
