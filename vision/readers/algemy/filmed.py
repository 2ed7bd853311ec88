"""Reads a fresh board on a photograph of a screen; a cell of 10 x 7 px is enough.

The board is made square again, and its white is evened out. So little is left of a gem that
lines and faces cannot be seen: what counts is how dark and how coloured its middle is. Beside light nothing is told.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.algemy import Algemy, Solution
from solver.algemy.board import EMPTY
from solver.lattice import Square
from vision.colour import nearest_hue
from vision.errors import BoardNotFound
from vision.frame import Box, Pixels, Point
from vision.readers.algemy.bar import WHEEL, WHEEL_OUTER
from vision.readers.algemy.filmed_cells import CENTRE, NO_LIGHT_CHROMA, dark_core, mark_of
from vision.readers.algemy.gems import HUES
from vision.readers.algemy.light import is_hidden, tell_lit
from vision.readers.algemy.screen import Filmed, filmed_board
from vision.readers.algemy.squared import CELL_PX, ROOM, Squared, squared, through
from vision.reading import Geometry, Mark, Reading
from vision.scene import Scene

Channels = npt.NDArray[np.float64]

# On a photograph white, orange and faint yellow crystals are in doubt; with more than this share of its cells in doubt it is
# none of a board.
FILMED_SHARE = 0.4
OPEN_A_LEVEL = "open a level; menus are not played"
# What is so near to an open wheel, in cells, is hidden by it. The wheel is there where this share of its places has the hue of
# its sector, with so much chroma; and it is as large as more of them have.
BESIDE_WHEEL, WHEEL_SHOWN, WHEEL_CHROMA, WHOLE = 0.35, 0.65, 0.2, 0.75
SIDES = (-1, 0), (1, 0), (0, -1), (0, 1)


def on_film(scene: Scene) -> Reading[Algemy, Solution] | BoardNotFound | None:
    """The board on a photograph of a screen, why what looks like one is none, or None. Use as `scene.once(on_film)`."""
    filmed = scene.once(filmed_board)
    if filmed is None:
        return None
    try:
        reading = read_filmed(scene.pixels, filmed)
    except BoardNotFound as refusal:
        return refusal
    if unread([mark for mark in reading.marks.values() if not is_hidden(mark)]) > FILMED_SHARE:
        return BoardNotFound(
            f"no Algemy board on the picture: of {filmed.size} x {filmed.size} cells on a photograph"
            f" {len(reading.doubtful)} cannot be told",
            hint="take the picture nearer, from straight above, with a steady hand",
        )
    if not (reading.puzzle.crystals or reading.placed):
        return BoardNotFound(
            "no Algemy board on the picture: a photograph with even lines and no gem that can be told",
            hint=OPEN_A_LEVEL,
        )
    return reading


def unread(seen: Sequence[Mark]) -> float:
    """Share of the cells in doubt. seen: those that no wheel hides."""
    return sum(mark.symbol is None for mark in seen) / max(1, len(seen))


def read_filmed(pixels: Pixels, filmed: Filmed) -> Reading[Algemy, Solution]:
    """The board that was found on a picture. Raises BoardNotFound."""
    board = squared(pixels, filmed.corners, filmed.size)
    wheel = _wheel(board)
    marks: dict[Square, Mark] = {}
    for row, col in itertools.product(range(board.size), repeat=2):
        if wheel is not None and math.dist((row, col), wheel.at) - BESIDE_WHEEL < wheel.radius:
            marks[Square(row, col)] = Mark(None, 0.0)
        else:
            mark = mark_of(board.cell(row, col), board.noise)
            if mark.state == "given" and not board.is_dark_around(row, col):
                mark = Mark(None, 0.2)  # colour runs over from light beside the cell
            marks[Square(row, col)] = mark
    tell_lit(board, marks)
    _tell_dark_cores(board, marks)
    return _reading(board, marks, wheel)


def _reading(board: Squared, marks: Mapping[Square, Mark], wheel: _Wheel | None) -> Reading[Algemy, Solution]:
    rows = tuple(
        "".join(
            (mark.symbol or "W") if (mark := marks[Square(row, col)]).state == "given" else EMPTY
            for col in range(board.size)
        )
        for row in range(board.size)
    )
    centres = {cell: _back(board, cell.row, cell.col) for cell in marks}
    steps = [
        math.dist(centres[a], centres[b])
        for a, b in ((Square(0, 0), Square(0, 1)), (Square(0, 0), Square(1, 0)))
    ]
    across, down = [at.x for at in centres.values()], [at.y for at in centres.values()]
    return Reading(
        puzzle=Algemy("square", rows),
        placed={cell: mark.symbol for cell, mark in marks.items() if mark.state == "placed" and mark.symbol},
        geometry=Geometry(centres, min(steps)),
        marks=marks,
        area=Box(int(min(across)), int(min(down)), math.ceil(np.ptp(across)), math.ceil(np.ptp(down))),
        ui="film" if wheel is None else "wheel",
        facts={} if wheel is None else {"wheel_row": wheel.at[0], "wheel_col": wheel.at[1]},
        remarks=("a photograph: nothing is tapped on it",),
    )


@dataclass(frozen=True)
class _Wheel:
    """An open colour wheel: the cell it stands on, and its outer radius in cells."""

    at: tuple[int, int]
    radius: float


def _wheel(board: Squared) -> _Wheel | None:
    for row, col in itertools.product(range(board.size), repeat=2):
        at = ((ROOM + col + 0.5) * CELL_PX, (ROOM + row + 0.5) * CELL_PX)
        if all(_ring_share(board.px, at, reach) >= WHEEL_SHOWN for reach in (0.6, 0.7, 0.8, 0.9)):
            reaches = np.arange(0.55, 1.5, 0.05)
            whole = [float(reach) + 0.1 for reach in reaches if _ring_share(board.px, at, reach) >= WHOLE]
            return _Wheel((row, col), max([*whole, WHEEL_OUTER]))
    return None


def _ring_share(px: Channels, at: tuple[float, float], reach: float) -> float:
    """Share of places on a ring that have the hue of their sector."""
    good = 0
    places = [(60 * index + turn, colour) for index, colour in enumerate(WHEEL) for turn in (-10, 0, 10)]
    for turn, colour in places:
        angle = math.radians(turn)
        x = round(at[0] + reach * CELL_PX * math.sin(angle) - 0.5)
        y = round(at[1] - reach * CELL_PX * math.cos(angle) - 0.5)
        paint = px[y, x]
        good += float(np.ptp(paint)) > WHEEL_CHROMA and nearest_hue(tuple(255 * paint), HUES).name == colour
    return good / len(places)


def _tell_dark_cores(board: Squared, marks: dict[Square, Mark]) -> None:
    """A black core is a brown crystal where it leaves a cell beside it without light: a source would shine there."""
    for cell in [cell for cell, mark in marks.items() if mark.symbol is None and mark.runner_up == "X"]:
        beside = [Square(cell.row + down, cell.col + right) for down, right in SIDES]
        near = [(at, marks[at]) for at in beside if at in marks]
        # What may be empty: it has no black core, and is not under the wheel.
        free = [at for at, one in near if one.state == "free" and one.runner_up != "X" and one.confidence > 0]
        if any(np.ptp(np.median(board.cell(*at)[CENTRE], axis=0)) < NO_LIGHT_CHROMA for at in free):
            marks[cell] = dark_core(board.cell(*cell), marks[cell], board.noise)


def _back(board: Squared, row: int, col: int) -> Point:
    """Middle of a cell in the frame."""
    return through(board.back, Point((ROOM + col + 0.5) * CELL_PX, (ROOM + row + 0.5) * CELL_PX))
