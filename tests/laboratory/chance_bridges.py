"""Bridges boards in chance styles: islands, edges, fonts, grounds, and what has been entered.

`uv run python -m tests.laboratory.chance_bridges FIRST END` draws and reads those with these seeds, and names the wrong ones.
Two bridges are two lines with a gap between them, as one broad line alone tells nothing.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Mapping
from functools import cache
from itertools import product

import cv2
import numpy as np

from bot.practice.bridges import practice
from solver import bridges
from solver.bridges import Bridges, Joins, Span
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


def board(seed: int) -> tuple[Pixels, Bridges, Joins]:
    """The board of a seed, the same at all times, and what has been entered."""
    rng = random.Random(seed)
    puzzle, solution = _puzzle(rng.randrange(PUZZLES))
    joins = _entered(rng, solution)
    return _drawn(rng, puzzle, joins), puzzle, joins


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


def _drawn(rng: random.Random, puzzle: Bridges, joins: Joins) -> Pixels:
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
    left, top = rng.randint(pitch, 2 * pitch), rng.randint(pitch, 2 * pitch)
    page = np.full(
        (2 * top + pitch * (puzzle.height - 1), 2 * left + pitch * (puzzle.width - 1), 3), ground, np.uint8
    )
    if rng.random() < 0.3:
        dots = tuple(int(0.85 * a + 0.15 * b) for a, b in zip(ground, ink, strict=True))
        for row, col in product(range(puzzle.height), range(puzzle.width)):
            cv2.circle(page, (left + pitch * col, top + pitch * row), 2, dots, -1, cv2.LINE_AA)

    elif rng.random() < 0.4:
        _ruled(rng, page, (left, top), pitch, (ground, ink), most=min((width + 1) // 2, gap - width - 4))

    def middle(at: Square) -> tuple[int, int]:
        return left + pitch * at.col, top + pitch * at.row

    for span, count in joins.items():
        (x, y), (end_x, end_y) = middle(span.a), middle(span.b)
        for off in (0,) if count == 1 else (-(gap // 2), gap - gap // 2):
            across, down = (0, off) if y == end_y else (off, 0)
            cv2.line(page, (x + across, y + down), (end_x + across, end_y + down), colour, width)
    square, font, size = rng.random() < 0.3, rng.choice(FONTS), radius / rng.uniform(19, 26) * 1.1
    for one in puzzle.islands:
        x, y = middle(one.at)
        for own, thick in ((fill, -1), (ink, edge)):
            if square:
                cv2.rectangle(page, (x - radius, y - radius), (x + radius, y + radius), own, thick)
            else:
                cv2.circle(page, (x, y), radius, own, thick, cv2.LINE_AA)
        (wide, high), _ = cv2.getTextSize(str(one.clue), font, size, 1)
        cv2.putText(page, str(one.clue), (x - wide // 2, y + high // 2), font, size, number, 1, cv2.LINE_AA)
    return page


def _ruled(
    rng: random.Random,
    page: Pixels,
    first: tuple[int, int],
    pitch: int,
    colours: tuple[Colour, Colour],
    most: int,
) -> None:
    """Lines through the islands, or between them, as clear as bridges at most; those through them are thinner than bridges."""
    ground, ink = colours
    clear, off = rng.choice((0.1, 0.3, 0.6, 1.0)), rng.choice((0, 0, pitch // 2))
    thick = rng.choice((1, 1, 2)) if off else most
    if thick < 1:
        return
    colour = tuple(round((1 - clear) * a + clear * b) for a, b in zip(ground, ink, strict=True))
    height, width = page.shape[:2]
    ends = [edge - pitch // 2 for edge in first]
    for x in range(first[0] - off, width - ends[0] + 1, pitch):
        cv2.line(page, (x, ends[1]), (x, height - ends[1]), colour, thick)
    for y in range(first[1] - off, height - ends[1] + 1, pitch):
        cv2.line(page, (ends[0], y), (width - ends[0], y), colour, thick)


if __name__ == "__main__":
    tell(outcome, *sys.argv[1:])
