"""Bridges boards in chance styles with what programs paint on them: tints, shadows, textures, headings, a pointer.

`uv run python -m tests.laboratory.chance_bridges_trims FIRST END` draws and reads those with these seeds, and names the wrong
ones. Nothing is painted that hides what a board tells.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from bot.scorecard.spoil import as_jpeg, grainy
from solver import bridges
from solver.bridges import Bridges, Island, Joins, Span
from solver.lattice import Square
from tests.laboratory.chance import Colour, Outcome, draw_pointer, resampled, tell
from tests.laboratory.chance_bridges import (
    Form,
    Line,
    Look,
    Place,
    Ruling,
    Sketch,
    Trims,
    draw_form,
    drawn,
    judged,
    mixed,
    sketch,
)
from vision.frame import Pixels

Paint = Callable[[Sketch, random.Random], None]
LineTrim = Callable[[Sketch, Span, list[Line]], list[Line]]
LookTrim = Callable[[Sketch, Island, Look], Look]
Change = Callable[[Pixels, random.Random], Pixels]

GREEN: Colour = (80, 200, 80)
LIT: Colour = (0, 200, 255)
# Of a line with edges each has this share of the ground in its colour.
EDGE_SHARE = 0.3
# Two bridges as one line are so many times as broad as one.
BROAD = 2.5
# Levels by which the tiles and the waves of a ground, and both ends of a page, differ from it.
TILE_LEVELS, WAVE_LEVELS, PAGE_LEVELS, FILL_LEVELS, GRAIN_LEVELS = 8, 4, 18, 25, 4
QUALITIES, SIZES = (50, 70, 85), (0.6, 1.7)
BUTTONS = ("Undo", "Hint", "New")


def board(seed: int) -> tuple[Pixels, Bridges, Joins]:
    """The board of a seed, the same at all times, and what has been entered."""
    one = sketch(seed)
    pixels, _ = painted(one, seed)
    return pixels, one.puzzle, one.joins


def outcome(seed: int) -> Outcome:
    """What becomes of the board of a seed."""
    return judged(*board(seed))


def painted(one: Sketch, seed: int) -> tuple[Pixels, list[str]]:
    """The board with the trims of a seed, and the names of these."""
    rng = random.Random(f"trims {seed}")
    kinds: Sequence[Sequence[Callable[..., object]]] = (BELOW, BETWEEN, LINES, LOOKS, PICTURE)
    every = [trim for kind in kinds for trim in kind]
    chosen = rng.sample(every, rng.choice((1, 1, 2, 3, 4)))
    below, between = ([_with(paint, rng) for paint in kind if paint in chosen] for kind in (BELOW, BETWEEN))
    lines, looks = [trim for trim in LINES if trim in chosen], [trim for trim in LOOKS if trim in chosen]
    pixels = drawn(
        one,
        Trims(
            below,
            between,
            lambda sketch, span, own: reduce(lambda own, trim: trim(sketch, span, own), lines, own),
            lambda sketch, island, look: reduce(lambda look, trim: trim(sketch, island, look), looks, look),
        ),
    )
    for change in PICTURE:
        if change in chosen:
            pixels = change(pixels, rng)
    return pixels, [trim.__name__ for trim in chosen]


def _with(paint: Paint, rng: random.Random) -> Callable[[Sketch], None]:
    return lambda sketch: paint(sketch, rng)


def tiled(sketch: Sketch, rng: random.Random) -> None:
    """A tile around every lattice point, with seams between them."""
    _tiles(sketch, rng.choice((-1, 1)) * TILE_LEVELS, lambda at: True, seam=1)


def chequered(sketch: Sketch, rng: random.Random) -> None:
    _tiles(sketch, rng.choice((-1, 1)) * TILE_LEVELS, lambda at: bool((at.row + at.col) % 2))


def _tiles(sketch: Sketch, levels: int, there: Callable[[Square], bool], seam: int = 0) -> None:
    half, colour = sketch.style.pitch // 2, _lighter(sketch.style.ground, levels)
    for at in _lattice(sketch.puzzle):
        x, y = sketch.middle(at)
        if there(at):
            sketch.page[y - half + seam : y + half, x - half + seam : x + half] = colour


def watery(sketch: Sketch, rng: random.Random) -> None:
    """Soft waves all over the page."""
    height, width = sketch.page.shape[:2]
    grain = np.random.default_rng(rng.randrange(10**6)).normal(0, 1, (height, width))
    waves = cv2.GaussianBlur(grain, (0, 0), sketch.style.pitch / 3, sigmaY=sketch.style.pitch / 8)
    _add(sketch.page, WAVE_LEVELS * (waves / waves.std()).clip(-2, 2))


def framed(sketch: Sketch, rng: random.Random) -> None:
    """A line around the board, half a cell beyond its last lattice points or farther."""
    style, puzzle = sketch.style, sketch.puzzle
    off = round(style.pitch * rng.uniform(0.55, 0.95))
    left, top = style.first
    right, bottom = sketch.middle(Square(puzzle.height - 1, puzzle.width - 1))
    colour = mixed(style.ground, style.ink, rng.choice((0.3, 0.6, 1.0)))
    cv2.rectangle(
        sketch.page, (left - off, top - off), (right + off, bottom + off), colour, rng.choice((1, 2, 4))
    )


def shadowed(sketch: Sketch, rng: random.Random) -> None:
    """A shadow under every island."""
    style, down = sketch.style, rng.choice((2, 3, 4))
    shade = mixed(style.ground, (0, 0, 0), 0.25)
    for one in sketch.puzzle.islands:
        x, y = sketch.middle(one.at)
        draw_form(sketch.page, (x + down - 1, y + down), style.look.form, style.look.radius, shade, -1)


def glowing(sketch: Sketch, rng: random.Random) -> None:
    """A ring around one island, as around that under the pointer."""
    one = rng.choice(sketch.puzzle.islands)
    look = sketch.style.look
    draw_form(sketch.page, sketch.middle(one.at), look.form, look.radius + 4, LIT, 3)


def hinted(sketch: Sketch, rng: random.Random) -> None:
    """Arcs around an island, on those sides where it may get a bridge."""
    one = rng.choice(sketch.puzzle.islands)
    style, (x, y) = sketch.style, sketch.middle(one.at)
    taken = {at for span in sketch.joins for at in bridges.between(span)}
    colour = mixed(style.ground, style.ink, 0.5)
    for span in sketch.puzzle.spans:
        if one.at in span and span not in sketch.joins and taken.isdisjoint(bridges.between(span)):
            other = sketch.middle(span.b if span.a == one.at else span.a)
            way = int(np.degrees(np.arctan2(other[1] - y, other[0] - x)))
            reach = (style.look.radius + 4,) * 2
            cv2.ellipse(sketch.page, (x, y), reach, way, -30, 30, colour, 2, cv2.LINE_AA)


def edged(sketch: Sketch, span: Span, lines: list[Line]) -> list[Line]:
    """Lines with a middle of another shade than their edges."""
    middles = [
        line._replace(colour=mixed(line.colour, sketch.style.ground, EDGE_SHARE), width=line.width - 2)
        for line in lines
        if line.width >= 3
    ]
    return [*lines, *middles]


def broad(sketch: Sketch, span: Span, lines: list[Line]) -> list[Line]:
    """Two bridges as one broad line; not where nothing tells, with few of either kind, or one like a line of the lattice."""
    counts, style = Counter(sketch.joins.values()), sketch.style
    drawn = style.lattice.width if isinstance(style.lattice, Ruling) else 0
    if sketch.joins[span] == 1 or min(counts[1], counts[2]) < 2 or drawn >= style.width:
        return lines
    start, end = map(sketch.middle, span)
    return [Line(start, end, style.colour, round(BROAD * style.width))]


def two_coloured(sketch: Sketch, span: Span, lines: list[Line]) -> list[Line]:
    """Lines between islands that have all their bridges in a colour of their own, about as clear as the others."""
    ends = [one for one in sketch.puzzle.islands if one.at in span]
    if not all(map(sketch.is_full, ends)):
        return lines
    return [line._replace(colour=mixed(line.colour, GREEN, 0.4)) for line in lines]


def done(sketch: Sketch, one: Island, look: Look) -> Look:
    """Islands that have all their bridges are tinted."""
    return look._replace(fill=mixed(look.fill, GREEN, 0.4)) if sketch.is_full(one) else look


def selected(sketch: Sketch, one: Island, look: Look) -> Look:
    """One island has another edge."""
    chosen = sketch.puzzle.islands[len(sketch.puzzle.islands) // 2]
    return look._replace(edge=LIT, width=max(look.width, 3)) if one == chosen else look


def ringed(sketch: Sketch, one: Island, look: Look) -> Look:
    """A second edge within the first one."""
    return look._replace(inside=(*look.inside, _second_edge))


def _second_edge(page: Pixels, middle: Place, look: Look) -> None:
    draw_form(page, middle, look.form, look.radius - look.width - 2, look.edge, 1)


def ramped(sketch: Sketch, one: Island, look: Look) -> Look:
    """Islands are lighter at their upper ends."""
    return look._replace(inside=(*look.inside, _ramp))


def _ramp(page: Pixels, middle: Place, look: Look) -> None:
    (x, y), reach = middle, look.radius
    own = page[y - reach : y + reach + 1, x - reach : x + reach + 1]
    mask = np.zeros(own.shape[:2], np.uint8)
    draw_form(mask, (reach, reach), look.form, reach - look.width, (255, 255, 255), -1)
    ramp = np.linspace(FILL_LEVELS, -FILL_LEVELS, len(own))[:, None]
    _add(own, np.where(mask > 0, ramp, 0))


def _formed(form: Form) -> LookTrim:
    def trim(sketch: Sketch, one: Island, look: Look) -> Look:
        return look._replace(form=form)

    trim.__name__ = form
    return trim


def bold(sketch: Sketch, one: Island, look: Look) -> Look:
    return look._replace(stroke=2)


def headed(pixels: Pixels, rng: random.Random) -> Pixels:
    """A page's heading above the board."""
    page = _with_room(pixels, rng.randint(50, 90), 0)
    _write(page, rng.choice(("Bridges", "Hashiwokakero", "Daily puzzle 17")), (20, 38), 1.0)
    return page


def counted(pixels: Pixels, rng: random.Random) -> Pixels:
    """A line of text above the board: level, moves and time."""
    page = _with_room(pixels, 30, 0)
    _write(
        page,
        f"Level {rng.randint(1, 99)}   Moves {rng.randint(0, 40)}   0{rng.randint(0, 9)}:4{rng.randint(0, 9)}",
        (12, 20),
        0.5,
    )
    return page


def buttoned(pixels: Pixels, rng: random.Random) -> Pixels:
    """A row of buttons under the board."""
    page = _with_room(pixels, 0, 60)
    top, ink = len(page) - 48, _ink_on(page)
    for nth, label in enumerate(BUTTONS):
        left = 16 + 72 * nth
        cv2.rectangle(page, (left, top), (left + 60, top + 30), ink, 1)
        _write(page, label, (left + 8, top + 20), 0.45)
    return page


def _with_room(pixels: Pixels, above: int, below: int) -> Pixels:
    """The picture with room in the colour of its corner."""
    colour = pixels[0, 0].tolist()
    return np.asarray(
        cv2.copyMakeBorder(pixels, above, below, 0, 0, cv2.BORDER_CONSTANT, value=colour), np.uint8
    )


def _write(page: Pixels, text: str, corner: Place, size: float) -> None:
    cv2.putText(page, text, corner, cv2.FONT_HERSHEY_SIMPLEX, size, _ink_on(page), 1, cv2.LINE_AA)


def _ink_on(page: Pixels) -> Colour:
    return (30, 30, 30) if page[0, 0].mean() > 127 else (230, 230, 230)


def graded(pixels: Pixels, rng: random.Random) -> Pixels:
    """A page that grows lighter from top to bottom."""
    page = pixels.copy()
    _add(page, np.linspace(-PAGE_LEVELS, PAGE_LEVELS, len(page))[:, None])
    return page


def noisy(pixels: Pixels, rng: random.Random) -> Pixels:
    return grainy(GRAIN_LEVELS)(pixels)


def packed(pixels: Pixels, rng: random.Random) -> Pixels:
    """The picture as a lossy file."""
    return as_jpeg(rng.choice(QUALITIES))(pixels)


def scaled(pixels: Pixels, rng: random.Random) -> Pixels:
    return resampled(pixels, rng, SIZES)


def pointed(pixels: Pixels, rng: random.Random) -> Pixels:
    """A pointer anywhere on the picture."""
    page = pixels.copy()
    draw_pointer(page, (rng.randrange(page.shape[1] - 20), rng.randrange(page.shape[0] - 20)))
    return page


def _lattice(puzzle: Bridges) -> list[Square]:
    return [Square(row, col) for row, col in product(range(puzzle.height), range(puzzle.width))]


def _lighter(colour: Colour, levels: int) -> Colour:
    blue, green, red = (min(max(one + levels, 0), 255) for one in colour)
    return blue, green, red


def _add(page: Pixels, levels: npt.NDArray[np.float64]) -> None:
    """Make a page lighter by so many levels; (height, width), or what spreads to that."""
    page[:] = np.clip(np.rint(page + levels[..., None]), 0, 255)


BELOW: Sequence[Paint] = (tiled, chequered, watery, framed)
BETWEEN: Sequence[Paint] = (shadowed, glowing, hinted)
LINES: Sequence[LineTrim] = (broad, two_coloured, edged)
LOOKS: Sequence[LookTrim] = (
    _formed("rounded"),
    _formed("hexagon"),
    _formed("octagon"),
    done,
    selected,
    ringed,
    ramped,
    bold,
)
PICTURE: Sequence[Change] = (headed, counted, buttoned, graded, noisy, packed, scaled, pointed)


if __name__ == "__main__":
    tell(outcome, *sys.argv[1:])
