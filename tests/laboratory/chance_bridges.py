"""Bridges boards in chance styles: islands, edges, fonts, grounds, and what has been entered.

`uv run python -m tests.laboratory.chance_bridges FIRST END` draws and reads those with these seeds, and names the wrong ones.
Two bridges are two lines with a gap between them, as one broad line alone tells nothing.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Literal, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from bot.practice.bridges import practice
from solver import bridges
from solver.bridges import Bridges, Island, Joins, Span
from solver.lattice import Square
from tests.laboratory.chance import PAPERS, Colour, Outcome, apart, shade, tell
from vision.errors import VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.bridges.board import read

PUZZLES = 40
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
)
LEAST_APART = 60
# A board is told from where its first island is, in steps of its coarsest lattice: that is what a picture shows.
Told = tuple[Mapping[Square, int], Mapping[Span, int]]
Place = tuple[int, int]
Form = Literal["circle", "square", "rounded", "hexagon", "octagon"]


def _corners(count: int, turn: float) -> npt.NDArray[np.float64]:
    angles = 2 * np.pi * (np.arange(count) + turn) / count
    return np.column_stack((np.cos(angles), np.sin(angles)))


def _rounded(corner: float) -> npt.NDArray[np.float64]:
    """A square with so much of its half side rounded."""
    arcs = np.split(_corners(64, 0.5), 4)
    signs = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
    return np.concatenate([(1 - corner) * way + corner * arc for way, arc in zip(signs, arcs, strict=True)])


# (n, 2) in radii.
OUTLINES = {"rounded": _rounded(0.4), "hexagon": _corners(6, 0.5), "octagon": _corners(8, 0.5)}


class Look(NamedTuple):
    """How an island is drawn, px. inside: what is painted within its edge, under the number."""

    form: Form
    radius: int
    fill: Colour
    edge: Colour
    width: int
    number: Colour
    font: int
    size: float
    stroke: int = 1
    inside: tuple[Callable[[Pixels, Place, Look], None], ...] = ()


class Ruling(NamedTuple):
    """Lines all over the board; off: so far from the middles of the islands, px."""

    colour: Colour
    width: int
    off: int


Lattice = Ruling | Literal["dots"] | None


class Line(NamedTuple):
    start: Place
    end: Place
    colour: Colour
    width: int


class Style(NamedTuple):
    """How a board is drawn, px. first: where the first lattice point is. gap: between the middles of two bridges."""

    ground: Colour
    ink: Colour
    pitch: int
    first: Place
    look: Look
    colour: Colour
    width: int
    gap: int
    lattice: Lattice


class Sketch(NamedTuple):
    """A board, how it is drawn, and the page for that."""

    page: Pixels
    puzzle: Bridges
    joins: Joins
    style: Style

    def middle(self, at: Square) -> Place:
        left, top = self.style.first
        return left + self.style.pitch * at.col, top + self.style.pitch * at.row

    def is_full(self, one: Island) -> bool:
        """Whether an island has as many bridges as it asks for."""
        return sum(count for span, count in self.joins.items() if one.at in span) == one.clue


class Trims(NamedTuple):
    """What a program paints besides: under everything, between bridges and islands, and how it draws both."""

    below: Sequence[Callable[[Sketch], None]] = ()
    between: Sequence[Callable[[Sketch], None]] = ()
    lines: Callable[[Sketch, Span, list[Line]], list[Line]] = lambda _, __, lines: lines
    look: Callable[[Sketch, Island, Look], Look] = lambda _, __, look: look


PLAIN = Trims()


def board(seed: int) -> tuple[Pixels, Bridges, Joins]:
    """The board of a seed, the same at all times, and what has been entered."""
    one = sketch(seed)
    return drawn(one), one.puzzle, one.joins


def sketch(seed: int) -> Sketch:
    """What the board of a seed shows, and its page with nothing on it yet."""
    rng = random.Random(seed)
    puzzle, solution = _puzzle(rng.randrange(PUZZLES))
    joins = _entered(rng, solution)
    style = style_of(rng)
    wide, high = (
        2 * edge + style.pitch * (count - 1)
        for edge, count in zip(style.first, (puzzle.width, puzzle.height), strict=True)
    )
    return Sketch(np.full((high, wide, 3), style.ground, np.uint8), puzzle, joins, style)


def outcome(seed: int) -> Outcome:
    """What becomes of the board of a seed."""
    return judged(*board(seed))


def judged(pixels: Pixels, puzzle: Bridges, joins: Joins) -> Outcome:
    """What becomes of a board; wrong where an island or a span that is not in doubt is told as another one."""
    try:
        reading = read(Frame(pixels), Profile("bridges", "default"))
    except VisionError:
        return "refused"
    doubtful = set(reading.doubtful)
    joins = {span: count for span, count in joins.items() if span not in doubtful}
    own, told = _told(puzzle, joins), _told(reading.puzzle, reading.placed)
    clear = [at for at, one in zip(told[0], reading.puzzle.islands, strict=True) if one.at not in doubtful]
    same = own[0].keys() == told[0].keys() and all(own[0][at] == told[0][at] for at in clear)
    if not same or own[1] != told[1]:
        return "wrong"
    return "doubt" if doubtful else "exact"


def _told(puzzle: Bridges, joins: Joins) -> Told:
    rows, cols = ([getattr(one.at, way) for one in puzzle.islands] for way in ("row", "col"))
    (top, down), (left, across) = (
        (min(places), math.gcd(*(at - min(places) for at in places)) or 1) for places in (rows, cols)
    )

    def at(cell: Square) -> Square:
        return Square((cell.row - top) // down, (cell.col - left) // across)

    islands = {at(one.at): one.clue for one in puzzle.islands}
    return islands, {Span(at(span.a), at(span.b)): count for span, count in joins.items() if count}


@cache
def _puzzle(nth: int) -> tuple[Bridges, Joins]:
    puzzle = practice(random.Random(nth)).puzzle
    return puzzle, bridges.solve(puzzle).solution


def _entered(rng: random.Random, solution: Joins) -> Joins:
    """Nothing, a part of the solution, all of it, or anything along its spans."""
    how = rng.choice(("new", "part", "part", "finished", "anything"))
    share = {"new": 0.0, "part": 0.6, "finished": 1.0, "anything": 0.6}[how]
    some = {span: count for span, count in solution.items() if rng.random() < share}
    return {span: rng.choice((1, 2)) for span in some} if how == "anything" else some


def style_of(rng: random.Random) -> Style:
    dark = rng.random() < 0.35
    ground = shade(rng, 0, 50) if dark else rng.choice(PAPERS)
    ink = shade(rng, 170, 255) if dark else shade(rng, 0, 90)
    pitch = rng.randint(28, 60)
    radius, edge = int(pitch * rng.uniform(0.28, 0.44)), rng.choice((1, 2, 3))
    fill = rng.choice((ground, ground, ink, shade(rng, 20, 80) if dark else shade(rng, 200, 250)))
    number = (
        ground if fill == ink else ink if fill == ground else (0, 0, 0) if sum(fill) >= 380 else (255,) * 3
    )
    colour = rng.choice((ink, shade(rng, 100, 200)))
    colour = colour if apart(colour, ground) >= LEAST_APART else ink
    width = rng.choice((1, 2, 2, 3, 3, 5, 7))
    width = min(width, max(1, radius // 3))
    gap = max(width + 3, int(radius * rng.uniform(0.3, 0.7)))
    first = rng.randint(pitch, 2 * pitch), rng.randint(pitch, 2 * pitch)
    lattice: Lattice = None
    if rng.random() < 0.3:
        lattice = "dots"
    elif rng.random() < 0.4:
        lattice = _ruling(rng, pitch, (ground, ink), most=min((width + 1) // 2, gap - width - 4))
    form: Form = "square" if rng.random() < 0.3 else "circle"
    font, size = rng.choice(FONTS), radius / rng.uniform(19, 26) * 1.1
    return Style(
        ground,
        ink,
        pitch,
        first,
        Look(form, radius, fill, ink, edge, number, font, size),
        colour,
        width,
        gap,
        lattice,
    )


def drawn(sketch: Sketch, trims: Trims = PLAIN) -> Pixels:
    """The page of a board: its ground, its lattice, its bridges and its islands, with what a program paints besides."""
    page, style = sketch.page, sketch.style
    for paint in trims.below:
        paint(sketch)
    if style.lattice == "dots":
        _dot(sketch)
    elif style.lattice is not None:
        _rule(sketch, style.lattice)
    for span in sketch.joins:
        for line in trims.lines(sketch, span, lines_of(sketch, span)):
            cv2.line(page, line.start, line.end, line.colour, line.width)
    for paint in trims.between:
        paint(sketch)
    for one in sketch.puzzle.islands:
        _draw_island(page, sketch.middle(one.at), one.clue, trims.look(sketch, one, style.look))
    return page


def lines_of(sketch: Sketch, span: Span) -> list[Line]:
    """One line, or two beside each other."""
    style, (x, y), (end_x, end_y) = sketch.style, *map(sketch.middle, span)
    offs = (0,) if sketch.joins[span] == 1 else (-(style.gap // 2), style.gap - style.gap // 2)
    ways = [(0, off) if y == end_y else (off, 0) for off in offs]
    return [
        Line((x + across, y + down), (end_x + across, end_y + down), style.colour, style.width)
        for across, down in ways
    ]


def _draw_island(page: Pixels, middle: Place, clue: int, look: Look) -> None:
    for colour, width in ((look.fill, -1), (look.edge, look.width)):
        draw_form(page, middle, look.form, look.radius, colour, width)
    for paint in look.inside:
        paint(page, middle, look)
    x, y = middle
    (wide, high), _ = cv2.getTextSize(str(clue), look.font, look.size, look.stroke)
    corner = x - wide // 2, y + high // 2
    cv2.putText(page, str(clue), corner, look.font, look.size, look.number, look.stroke, cv2.LINE_AA)


def draw_form(page: Pixels, middle: Place, form: Form, radius: int, colour: Colour, width: int) -> None:
    """Draw a form around a place; width: of its edge in px, -1 for a full one."""
    x, y = middle
    if form == "circle":
        cv2.circle(page, middle, radius, colour, width, cv2.LINE_AA)
    elif form == "square":
        cv2.rectangle(page, (x - radius, y - radius), (x + radius, y + radius), colour, width)
    else:
        outline = np.rint(radius * OUTLINES[form] + (x, y)).astype(np.int32)
        if width < 0:
            cv2.fillPoly(page, [outline], colour, cv2.LINE_AA)
        else:
            cv2.polylines(page, [outline], True, colour, width, cv2.LINE_AA)


def _dot(sketch: Sketch) -> None:
    style, puzzle = sketch.style, sketch.puzzle
    dots = mixed(style.ground, style.ink, 0.15)
    for row, col in product(range(puzzle.height), range(puzzle.width)):
        cv2.circle(sketch.page, sketch.middle(Square(row, col)), 2, dots, -1, cv2.LINE_AA)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """One colour with so much of the other."""
    blue, green, red = (int((1 - share) * a + share * b) for a, b in zip(one, other, strict=True))
    return blue, green, red


def _ruling(rng: random.Random, pitch: int, colours: tuple[Colour, Colour], most: int) -> Ruling | None:
    """Lines through the islands, or between them, as clear as bridges at most; those through them are thinner than bridges."""
    ground, ink = colours
    clear, off = rng.choice((0.1, 0.3, 0.6, 1.0)), rng.choice((0, 0, pitch // 2))
    thick = rng.choice((1, 1, 2)) if off else most
    if thick < 1:
        return None
    blue, green, red = (round((1 - clear) * a + clear * b) for a, b in zip(ground, ink, strict=True))
    return Ruling((blue, green, red), thick, off)


def _rule(sketch: Sketch, ruling: Ruling) -> None:
    page, (first, pitch) = sketch.page, (sketch.style.first, sketch.style.pitch)
    height, width = page.shape[:2]
    ends = [edge - pitch // 2 for edge in first]
    for x in range(first[0] - ruling.off, width - ends[0] + 1, pitch):
        cv2.line(page, (x, ends[1]), (x, height - ends[1]), ruling.colour, ruling.width)
    for y in range(first[1] - ruling.off, height - ends[1] + 1, pitch):
        cv2.line(page, (ends[0], y), (width - ends[0], y), ruling.colour, ruling.width)


if __name__ == "__main__":
    tell(outcome, *sys.argv[1:])
