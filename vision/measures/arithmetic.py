"""Numbers with a sign of arithmetic behind them, as cages of digits have them in a corner."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from solver.grid.board import named
from solver.lattice import Square
from vision.components import components
from vision.digits import ink_of, read_numbers
from vision.eyesight import Region
from vision.frame import Box, Pixels
from vision.grids import Grid
from vision.measures.parts import box_at
from vision.scene import Scene

# Numbers are as sure as this at least.
LEAST_SURE = 0.5
# Ink from this on is drawn; where a sign touches the number before it, the other shares may part them. The ends of a small
# cross may have no more than the last one.
DRAWN, PARTING, FAINT = 0.35, (0.35, 0.5, 0.65), 0.22
# What is full to this share is a line: one round a cage, the bar of a sign.
FULL, BAR = 0.9, 0.65
# In fewer rows a plus is like the sign of a division; no sign but a minus has fewer columns.
LEAST_ROWS, LEAST_COLUMNS = 5, 3
# The corners of a plus and the sides of a cross have less ink; the gaps of a division less than this share of its dots.
CORNER, GAP = 0.5, 0.6
# Digits are all as high as this share of the highest.
AS_HIGH = 0.85


def clues_in(scene: Scene, grid: Grid, cells: Mapping[Square, bool], region: Region) -> dict[Square, str]:
    """The number in a region of each cell behind the letter of its sign: a plus, m times, s minus, d divided by.

    cells: with whether there must be a sign; a number without one is a sum. Raises InvalidPuzzle where none
    can be read.
    """

    def window(at: Square) -> Box:
        return box_at(grid, *at, region)

    return scene.each(
        grid,
        (clues_in, region),
        list(cells),
        window,
        lambda places: {at: _clue(scene.pixels[window(at).window], at, cells[at]) for at in places},
    )


def _clue(patch: Pixels, at: Square, signed: bool) -> str:
    ink = ink_of(patch)
    # The thick line round the cage may reach in from above and from both sides; a 1 is as full inside.
    ink[: _full(ink)] = 0
    ink[:, : _full(ink.T)] = 0
    ink[:, ink.shape[1] - _full(ink.T[::-1]) :] = 0
    # A sign may touch the number before it, and digits each other: then they are wider than high.
    for drawn in PARTING:
        glyphs = _glyphs(ink, drawn)
        sign = _sign(glyphs[-1], max(map(_high, glyphs[:-1]))) if len(glyphs) > 1 else ""
        glyphs = glyphs[:-1] if sign else glyphs
        least = sum(1 + (glyph.shape[1] > _high(glyph)) for glyph in glyphs)
        if least == len(glyphs) and (sign or not signed):
            break
    if not glyphs or (signed and not sign):
        raise InvalidPuzzle(f"the {'sign of the ' if glyphs else ''}clue at {named(at)} cannot be read")
    if any(_high(glyph) < AS_HIGH * max(map(_high, glyphs)) for glyph in glyphs):
        raise InvalidPuzzle(f"the sign of the clue at {named(at)} cannot be read")
    digits = [np.pad(glyph, ((0, 0), (1, 1))) for glyph in glyphs]
    # Products may have more digits than other numbers: where all at once make none, each of them does.
    whole = read_numbers([np.concatenate(digits, axis=1)])
    for numbers in (whole, read_numbers(digits)):
        sure = all(number.value is not None and number.confidence >= LEAST_SURE for number in numbers)
        if sure and sum(len(number.glyphs) for number in numbers) >= least:
            return (sign or "a") + "".join(str(number.value) for number in numbers)
    raise InvalidPuzzle(f"the clue at {named(at)} cannot be read")


def _glyphs(ink: npt.NDArray[np.float32], drawn: float) -> list[npt.NDArray[np.float32]]:
    """What is written, from left to right: what hangs together, or stands above each other as the dots of a division."""
    mask = (ink > drawn).view(np.uint8)
    names, stats = components(mask)
    shown: list[tuple[int, int, list[int]]] = []
    for left, wide, name in sorted(
        (int(one[0]), int(one[2]), name) for name, one in enumerate(stats) if name
    ):
        start, end, own = shown[-1] if shown else (0, 0, [])
        if 2 * (end - left) > min(wide, end - start):
            shown[-1] = (start, max(end, left + wide), [*own, name])
        else:
            shown.append((left, left + wide, [name]))
    return [(ink * np.isin(names, [0, *own]))[:, start:end] for start, end, own in shown]


def _high(glyph: npt.NDArray[np.float32]) -> int:
    """How many rows a glyph has."""
    return int(np.ptp(np.flatnonzero((glyph > DRAWN).any(axis=1)))) + 1


def _full(ink: npt.NDArray[np.float32]) -> int:
    """How many rows are full from the first one on."""
    return int(np.argmin(np.append((ink > DRAWN).mean(axis=1) > FULL, False)))


def _sign(glyph: npt.NDArray[np.float32], high: int) -> str:
    """The letter of the sign behind digits so many rows high, "" where it is none."""
    return _sign_in(glyph, high, DRAWN) or _sign_in(glyph, high, FAINT)


def _sign_in(glyph: npt.NDArray[np.float32], high: int, drawn: float) -> str:
    """As `_sign` says, where what has so much ink is drawn."""
    left, top, wide, tall = cv2.boundingRect((glyph > drawn).view(np.uint8))
    body = glyph[top : top + tall, left : left + wide]
    if wide >= 2 * tall:
        return "s" if 2 * tall <= high else ""
    if tall < LEAST_ROWS or wide < LEAST_COLUMNS or max(tall, wide) > high:
        return ""
    rows, cols = _thirds(tall), _thirds(wide)
    corners = [body[row, col].max() for row in rows[::2] for col in cols[::2]]
    stem = body[:, cols[1]].max(axis=1)
    bar = int(body.mean(axis=1).argmax())
    if body[bar].mean() > BAR and rows[1].start <= bar < rows[1].stop and max(corners) < CORNER:
        # The dots of a division are stronger than what is between them and its bar.
        arms = stem[:bar], stem[:bar:-1]
        if min(arm.max() for arm in arms) < DRAWN:
            return ""
        return "d" if min(arm[arm.argmax() :].min() / arm.max() for arm in arms) < GAP else "a"
    sides = (body[0, cols[1]], body[-1, cols[1]], body[rows[1], 0], body[rows[1], -1])
    return "m" if min(corners) > drawn and max(side.min() for side in sides) < CORNER else ""


def _thirds(size: int) -> tuple[slice, slice, slice]:
    """The first, the middle and the last third of so many px, the middle one the largest."""
    part = max(1, size // 3)
    return slice(part), slice(part, size - part), slice(size - part, size)
