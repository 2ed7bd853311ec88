"""Nonograms in chance styles: cells, gaps, colours, marks, cursors and what somebody has entered.

`uv run python -m tests.laboratory.chance FIRST END` draws and reads those with these seeds, and names the wrong ones. Nothing
is drawn that a picture cannot tell, as cells painted empty that are entered anywhere.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Literal

import cv2
import numpy as np

from bot.practice.nonogram import unique
from solver import nonogram
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from vision.errors import VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.nonogram.board import read

Colour = tuple[int, int, int]
Outcome = Literal["exact", "doubt", "refused", "wrong"]
SIDES = (5, 8, 10, 10, 12, 15)
PAPERS: Sequence[Colour] = (
    (255, 255, 255),
    (245, 245, 245),
    (230, 230, 230),
    (220, 235, 245),
    (255, 240, 225),
)
MARKS = ("cross", "cross", "cross", "broad cross", "dot", "dash", "ring", "slash", "nothing")
CURSORS = ("", "", "", "", "cell", "lines", "frame", "pointer")
# The colour of numbers whose line is complete.
DONE: Colour = (60, 160, 60)
POINTER = np.array([(0, 0), (0, 16), (4, 12), (7, 18), (9, 17), (6, 11), (11, 11)])
LEAST_APART, FONT = 50, cv2.FONT_HERSHEY_SIMPLEX


@dataclass(frozen=True)
class Style:
    """How a board is drawn, px. lined: by lines, else separate cells. fifth: the gap after every fifth cell.

    inset, rounding: of filled cells. mark: of empty ones, its size a share of the cell. cursor: how the cell at `at` is told.
    """

    cell: int
    gap: int
    fifth: int
    lined: bool
    page: Colour
    ink: Colour
    free: Colour
    fill: Colour
    inset: int
    rounding: int
    mark: str
    mark_colour: Colour
    mark_size: float
    mark_width: int
    cursor: str
    at: Square
    tint: int


@dataclass(frozen=True)
class Hand:
    """How numbers are written. box: the colour of a field behind each of them."""

    font: int = FONT
    thick: int = 1
    box: Colour | None = None


PLAIN = Hand()


@dataclass(frozen=True, eq=False)
class Board:
    pixels: Pixels
    puzzle: Nonogram
    picture: Picture
    style: Style


def board(seed: int) -> Board:
    """The board of a seed, the same at all times."""
    rng = random.Random(seed)
    puzzle, solution = puzzle_of(rng.choice(SIDES), rng.randrange(6))
    cells = [Square(row, col) for row in range(puzzle.height) for col in range(puzzle.width)]
    style = style_of(rng, rng.choice(cells))
    picture = _entered(rng, cells, solution)
    if style.mark == "nothing":
        picture = Picture(picture.filled, frozenset())
    return Board(drawn(puzzle, picture, style), puzzle, picture, style)


def outcome(seed: int) -> Outcome:
    """What becomes of the board of a seed."""
    one = board(seed)
    return judged(one.pixels, one.puzzle, one.picture)


def judged(pixels: Pixels, puzzle: Nonogram, picture: Picture) -> Outcome:
    """What becomes of a board; wrong where the puzzle or a cell that is not in doubt is told as another one."""
    try:
        reading = read(Frame(pixels), Profile("nonogram", "default"))
    except VisionError:
        return "refused"
    doubtful, told = set(reading.doubtful), reading.placed
    right = (reading.puzzle.rows, reading.puzzle.cols) == (puzzle.rows, puzzle.cols)
    right &= told.filled - doubtful == picture.filled - doubtful
    right &= told.blank - doubtful == picture.blank - doubtful
    return "wrong" if not right else "doubt" if doubtful else "exact"


@cache
def puzzle_of(side: int, nth: int) -> tuple[Nonogram, Picture]:
    puzzle = unique(random.Random(100 * nth + side), side, side)
    return puzzle, nonogram.solve(puzzle).solution


def shade(rng: random.Random, darkest: int, lightest: int) -> Colour:
    while True:
        blue, green, red = (rng.randrange(256) for _ in range(3))
        if darkest <= 0.114 * blue + 0.587 * green + 0.299 * red <= lightest:
            return blue, green, red


def style_of(rng: random.Random, at: Square) -> Style:
    dark, lined = rng.random() < 0.35, rng.random() < 0.6
    cell, gap = rng.randint(18, 40), 1 if lined else rng.randint(2, 6)
    page: Colour = shade(rng, 0, 60) if dark else rng.choice(PAPERS)
    ink: Colour = (235, 235, 235) if dark else (20, 20, 20)
    free = shade(rng, 20, 90) if dark else rng.choice(PAPERS)
    red: Colour = (60, 60, 220)
    colours = [one for one in (ink, (128, 128, 128), red) if apart(one, free) >= LEAST_APART]
    inset = rng.choice((0, 0, 0, 1, 2, 3))
    return Style(
        cell=cell,
        gap=gap,
        fifth=gap + rng.choice((0, 0, 2, 3)),
        lined=lined,
        page=page,
        ink=ink,
        free=free,
        fill=shade(rng, 150, 255) if dark else rng.choice(((0, 0, 0), (60, 60, 60), shade(rng, 20, 130))),
        inset=inset,
        rounding=rng.choice((0, 0, 3, cell // 2 - inset)) if inset else 0,
        mark=rng.choice(MARKS),
        mark_colour=rng.choice(colours),
        mark_size=rng.uniform(0.35, 0.8),
        mark_width=rng.choice((1, 1, 2, 2, 3)),
        cursor=rng.choice(CURSORS),
        at=at,
        tint=rng.randint(10, 24) * (1 if dark else -1),
    )


def apart(one: Colour, other: Colour) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _entered(rng: random.Random, cells: Sequence[Square], solution: Picture) -> Picture:
    """As by somebody who solves the board, with mistakes or without, or who tries the program out."""
    mistakes = rng.choice((0.0, 0.0, 0.0, 0.05, 0.5))
    # Who tries it out enters no more than half of the cells.
    share = rng.random() * (0.5 if mistakes == 0.5 else 1)
    chosen = [cell for cell in cells if rng.random() < share]
    filled = frozenset(cell for cell in chosen if (cell in solution.filled) != (rng.random() < mistakes))
    return Picture(filled, frozenset(chosen) - filled)


def drawn(puzzle: Nonogram, picture: Picture, style: Style) -> Pixels:
    page, places = ground(puzzle, style)
    for cell in (Square(row, col) for row, col in product(range(puzzle.height), range(puzzle.width))):
        draw_cell(window(page, places, style, cell), cell, state(picture, cell), style)
    draw_cursor(page, places, style)
    write_clues(page, puzzle, places, style)
    return page


def ground(puzzle: Nonogram, style: Style) -> tuple[Pixels, Sequence[int]]:
    """The page with the lines of a square board, and where its rows and columns begin, px."""
    margin = int(0.55 * style.cell * puzzle.width) + 40
    places = [margin]
    for nth in range(1, puzzle.width):
        places.append(places[-1] + style.cell + (style.gap if nth % 5 else style.fifth))
    end = places[-1] + style.cell
    page = np.full((end + 40, end + 40, 3), style.page, np.uint8)
    if style.lined:
        light = sum(style.free) > 380
        page[margin - 2 : end + 2, margin - 2 : end + 2] = np.clip(
            np.array(style.free) + (-60 if light else 60), 0, 255
        )
    return page, places


def window(page: Pixels, places: Sequence[int], style: Style, cell: Square) -> Pixels:
    """The part of a page where a cell is."""
    left, top = places[cell.col], places[cell.row]
    return page[top : top + style.cell, left : left + style.cell]


def state(picture: Picture, cell: Square) -> str:
    return "filled" if cell in picture.filled else "blank" if cell in picture.blank else "free"


def draw_cell(own: Pixels, cell: Square, state: str, style: Style) -> None:
    """Draw a cell in its part of the page."""
    lit = style.cursor == "cell" and cell == style.at
    lit |= style.cursor == "lines" and (cell.row == style.at.row or cell.col == style.at.col)
    own[:] = np.clip(np.array(style.free) + (style.tint if lit else 0), 0, 255)
    if state == "filled":
        _fill(own, style)
    elif state == "blank":
        _mark(own, style)


def draw_cursor(page: Pixels, places: Sequence[int], style: Style) -> None:
    """Draw the cursor that lies over the cells, if the style has one."""
    at = places[style.at.col], places[style.at.row]
    if style.cursor == "frame":
        cv2.rectangle(page, at, (at[0] + style.cell - 1, at[1] + style.cell - 1), (0, 140, 255), 2)
    elif style.cursor == "pointer":
        draw_pointer(page, (at[0] + style.cell // 2, at[1] + style.cell // 2))


def draw_pointer(page: Pixels, tip: tuple[int, int]) -> None:
    """Draw a mouse pointer whose tip is there."""
    outline = [(POINTER + tip).astype(np.int32)]
    cv2.fillPoly(page, outline, (255, 255, 255), cv2.LINE_AA)
    cv2.polylines(page, outline, True, (0, 0, 0), 1, cv2.LINE_AA)


def resampled(pixels: Pixels, rng: random.Random, sizes: tuple[float, float]) -> Pixels:
    """The picture at another size, from and to so many times its own, as one of three filters makes it."""
    size, how = rng.uniform(*sizes), rng.choice((cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC))
    return np.asarray(cv2.resize(pixels, None, fx=size, fy=size, interpolation=how), np.uint8)


def write_clues(
    page: Pixels,
    puzzle: Nonogram,
    places: Sequence[int],
    style: Style,
    done: Collection[tuple[str, int]] = (),
    shown: str = "",
    hand: Hand = PLAIN,
) -> None:
    """Write the numbers of all rows and columns.

    done: the lines that are complete. shown: how their numbers tell it: "faded", "green", "struck", "gone", or not.
    """
    size, half, margin = 0.5 if style.cell >= 22 else 0.42, style.cell // 2, places[0]
    faded = _mixed(style.ink, style.page, 0.35)

    def write(way: str, nth: int, run: int, right: int, low: int) -> int:
        shows = shown if (way, nth) in done else ""
        if shows == "gone":
            return 0
        ink = {"faded": faded, "green": DONE}.get(shows, style.ink)
        wide = _write(page, run, right, low, size, ink, hand)
        if shows == "struck":
            middle = low - round(10 * size)
            cv2.line(page, (right - wide - 2, middle), (right + 2, middle), style.ink, 1)
        return wide

    for row, clue in enumerate(puzzle.rows):
        right = margin - 8 - style.gap
        for run in reversed(clue):
            right -= write("row", row, run, right, places[row] + half + 6) + int(28 * size)
    for col, clue in enumerate(puzzle.cols):
        for nth, run in enumerate(reversed(clue)):
            wide = cv2.getTextSize(str(run), hand.font, size, hand.thick)[0][0]
            low = margin - 10 - style.gap - int(44 * size * nth)
            write("col", col, run, places[col] + half + wide // 2, low)


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    blue, green, red = (round(share * a + (1 - share) * b) for a, b in zip(one, other, strict=True))
    return blue, green, red


def _write(page: Pixels, run: int, right: int, low: int, size: float, ink: Colour, hand: Hand) -> int:
    """Write a number that ends there, and say how wide it is, px."""
    (wide, high), _ = cv2.getTextSize(str(run), hand.font, size, hand.thick)
    if hand.box is not None:
        corners = (right - wide - 4, low - high - 4), (right + 3, low + 4)
        cv2.rectangle(page, *corners, hand.box, -1)
    cv2.putText(page, str(run), (right - wide, low), hand.font, size, ink, hand.thick, cv2.LINE_AA)
    return int(wide)


def _fill(own: Pixels, style: Style) -> None:
    first, last, round_px = style.inset, style.cell - style.inset - 1, style.rounding
    for side, edge in ((round_px, 0), (0, round_px)):
        cv2.rectangle(own, (first + side, first + edge), (last - side, last - edge), style.fill, -1)
    for x, y in product((first + round_px, last - round_px), repeat=2):
        cv2.circle(own, (x, y), round_px, style.fill, -1, cv2.LINE_AA)


def _mark(own: Pixels, style: Style) -> None:
    middle, reach = style.cell // 2, style.mark_size * style.cell / 2
    low, high = round(middle - reach), round(middle + reach)
    if "cross" in style.mark or style.mark == "slash":
        width = max(3, style.cell // 7) if style.mark == "broad cross" else style.mark_width
        cv2.line(own, (low, high), (high, low), style.mark_colour, width, cv2.LINE_AA)
        if style.mark != "slash":
            cv2.line(own, (low, low), (high, high), style.mark_colour, width, cv2.LINE_AA)
    elif style.mark == "dash":
        cv2.line(own, (low, middle), (high, middle), style.mark_colour, max(style.mark_width, 2))
    elif style.mark == "dot":
        cv2.circle(own, (middle, middle), max(2, round(0.4 * reach)), style.mark_colour, -1, cv2.LINE_AA)
    else:
        cv2.circle(
            own, (middle, middle), max(3, round(reach)), style.mark_colour, style.mark_width, cv2.LINE_AA
        )


def tell(outcome: Callable[[int], Outcome], first: str, end: str) -> None:
    """Print the seeds from the first up to the end whose boards are told wrong, and how many become what."""
    found: Counter[Outcome] = Counter()
    for seed in range(int(first), int(end)):
        found[one := outcome(seed)] += 1
        if one == "wrong":
            print(seed)
    print(dict(found))


if __name__ == "__main__":
    tell(outcome, *sys.argv[1:])
