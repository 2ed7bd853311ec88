"""Numbers with a sign of arithmetic behind them, as cages of digits have them in a corner."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from solver.grid.board import named
from solver.lattice import Square
from vision.digits import ink_of, read_numbers
from vision.eyesight import Region
from vision.frame import Box, Pixels
from vision.grids import Grid, runs
from vision.measures.parts import box_at
from vision.scene import Scene

# Numbers are as sure as this at least.
LEAST_SURE = 0.5
# Ink from this on is drawn; a row or column of a sign that is full to the second is a line.
DRAWN, FULL = 0.35, 0.9
# In fewer rows a plus is like the sign of a division.
LEAST_SIGN_PX = 5
# Digits are all as high as this share of the highest.
AS_HIGH = 0.85


def clues_in(scene: Scene, grid: Grid, cells: Iterable[Square], region: Region) -> dict[Square, str]:
    """The number in a region of each cell behind the letter of its sign: a plus, m times, s minus, d divided by.

    A number without a sign is one of a single cell, and a sum. Raises InvalidPuzzle where there is none to be read.
    """

    def window(at: Square) -> Box:
        return box_at(grid, *at, region)

    return scene.each(
        grid,
        (clues_in, region),
        list(cells),
        window,
        lambda places: {at: _clue(scene.pixels[window(at).window], at) for at in places},
    )


def _clue(patch: Pixels, at: Square) -> str:
    ink = ink_of(patch)
    # The thick line round the cage may reach in from above and from both sides; a 1 is as full inside.
    ink[: _full(ink)] = 0
    ink[:, : _full(ink.T)] = 0
    ink[:, ink.shape[1] - _full(ink.T[::-1]) :] = 0
    glyphs = [ink[:, first:last] for first, last in runs((ink > DRAWN).any(axis=0)).tolist()]
    sign = _sign(glyphs[-1]) if glyphs else ""
    if len(glyphs) <= bool(sign):
        raise InvalidPuzzle(f"no clue at {named(at)}")
    if any(_high(glyph) < AS_HIGH * max(map(_high, glyphs)) for glyph in (glyphs[:-1] if sign else glyphs)):
        raise InvalidPuzzle(f"the sign of the clue at {named(at)} cannot be read")
    digits = [np.pad(glyph, ((0, 0), (1, 1))) for glyph in (glyphs[:-1] if sign else glyphs)]
    # Products may have more digits than other numbers: where all at once make none, each of them does.
    whole = read_numbers([np.concatenate(digits, axis=1)])
    for numbers in (whole, read_numbers(digits)):
        if all(number.value is not None and number.confidence >= LEAST_SURE for number in numbers):
            return (sign or "a") + "".join(str(number.value) for number in numbers)
    raise InvalidPuzzle(f"the clue at {named(at)} cannot be read")


def _high(glyph: npt.NDArray[np.float32]) -> int:
    """How many rows a glyph has."""
    return int(np.ptp(np.flatnonzero((glyph > DRAWN).any(axis=1)))) + 1


def _full(ink: npt.NDArray[np.float32]) -> int:
    """How many rows are full from the first one on."""
    return int(np.argmin(np.append((ink > DRAWN).mean(axis=1) > FULL, False)))


def _sign(glyph: npt.NDArray[np.float32]) -> str:
    """The letter of a sign, "" for a digit."""
    mask = (glyph > DRAWN).astype("uint8")
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count != 2:
        return "d" if count > 2 else ""
    left, top, wide, high, _ = stats[1].tolist()
    if wide >= 2 * high:
        return "s"
    if high < LEAST_SIGN_PX:
        return ""
    body = mask[top : top + high, left : left + wide]
    third = max(1, round(0.3 * high)), max(1, round(0.3 * wide))
    corners = [
        body[rows, cols]
        for rows in (slice(third[0]), slice(-third[0], None))
        for cols in (slice(third[1]), slice(-third[1], None))
    ]
    if (
        not any(corner.any() for corner in corners)
        and body[high // 2 - 1 : high // 2 + 2].mean(axis=1).max() > FULL
    ):
        return "a"
    sides = (body[0, wide // 2], body[-1, wide // 2], body[high // 2, 0], body[high // 2, -1])
    return "m" if not any(sides) and all(corner.any() for corner in corners) else ""
