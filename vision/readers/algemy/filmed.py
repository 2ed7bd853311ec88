"""Reads a board on a photograph of a screen, from the corners of the board; a cell of 10 x 7 px is enough.

The board is made square again, its white is evened out, and its lines are found anew. So little is left of a gem that
lines and faces cannot be seen: what counts is how dark and how coloured its middle is, and what the light does. A
source shines on every open side and has a black core; a crystal is filled with its colour, or has a coloured core. In the
end the light seen in the cells must be the light of the sources seen, or nothing is believed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver import algemy
from solver.algemy import Algemy, Solution
from solver.algemy.board import EMPTY, AlgemyCell
from solver.lattice import Square
from vision.colour import nearest_hue
from vision.errors import UncertainReading
from vision.frame import Box, Frame, Point
from vision.readers.algemy.filmed_cells import (
    HEART,
    LIGHT_CHROMA,
    SIDES,
    WITHIN,
    disc,
    is_filled,
    mark_of,
    named,
    source_or_crystal,
)
from vision.readers.algemy.gems import HUES
from vision.readers.algemy.squared import CELL_PX, ROOM, Squared, chroma_of, squared, through
from vision.reading import Geometry, Mark, Reading

Channels = npt.NDArray[np.float64]
# What is so near to an open wheel, in cells, is hidden by it. The wheel is there where this share of its places has the hue of
# its sector, with so much chroma.
BESIDE_WHEEL, WHEEL_SHOWN, WHEEL_CHROMA = 0.35, 0.75, 0.2
# Light whose hue is no nearer than this is between two.
BETWEEN_HUES = 0.4


def read_filmed(frame: Frame, corners: Sequence[Point]) -> Reading[Algemy, Solution]:
    """The board within these corners, clockwise from the one at its top left, px of the frame.

    Raises BoardNotFound, and UncertainReading where the light contradicts the sources.
    """
    board = squared(frame, corners)
    wheel = _wheel(board)
    marks: dict[Square, Mark] = {}
    for row, col in itertools.product(range(board.size), repeat=2):
        if wheel is not None and math.dist((row, col), wheel.at) - BESIDE_WHEEL < wheel.radius:
            marks[Square(row, col)] = Mark(None, 0.0)
        else:
            mark = mark_of(board.cell(row, col), board.noise)
            if (
                mark.state == "given"
                and not board.is_dark_around(row, col)
                and not is_filled(board.cell(row, col))
            ):
                mark = Mark(None, 0.2)  # colour runs over from light beside the cell
            marks[Square(row, col)] = mark
    _tell_dark_cores(board, marks)
    return _reading(frame, board, marks, wheel)


def _reading(
    frame: Frame, board: Squared, marks: Mapping[Square, Mark], wheel: _Wheel | None
) -> Reading[Algemy, Solution]:
    rows = tuple(
        "".join(
            (mark.symbol or "W") if (mark := marks[Square(row, col)]).state == "given" else EMPTY
            for col in range(board.size)
        )
        for row in range(board.size)
    )
    puzzle = Algemy("square", rows)
    placed: dict[AlgemyCell, str] = {
        cell: mark.symbol for cell, mark in marks.items() if mark.state == "placed" and mark.symbol
    }
    doubtful = {cell for cell, mark in marks.items() if mark.symbol is None}
    _check_light(board, puzzle, placed, doubtful)
    centres = {cell: _back(board, cell.row, cell.col) for cell in marks}
    steps = [
        math.dist(centres[a], centres[b])
        for a, b in ((Square(0, 0), Square(0, 1)), (Square(0, 0), Square(1, 0)))
    ]
    across, down = [at.x for at in centres.values()], [at.y for at in centres.values()]
    area = Box(int(min(across)), int(min(down)), math.ceil(np.ptp(across)), math.ceil(np.ptp(down)))
    crystals_full = all(
        is_filled(board.cell(cell.row, cell.col)) for cell in puzzle.crystals if isinstance(cell, Square)
    )
    finished = (
        wheel is None and not doubtful and crystals_full and bool(placed) and not algemy.check(puzzle, placed)
    )
    return Reading(
        puzzle=puzzle,
        placed=placed,
        geometry=Geometry(centres, min(steps)),
        marks=marks,
        area=area,
        finished=finished,
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
            return _Wheel(
                (row, col),
                max(float(reach) for reach in reaches if _ring_share(board.px, at, reach) >= WHEEL_SHOWN)
                + 0.1,
            )
    return None


def _ring_share(px: Channels, at: tuple[float, float], reach: float) -> float:
    """Share of places on a ring that have the hue of their sector."""
    good = 0
    places = [(60 * index + turn, colour) for index, colour in enumerate("ROYGBV") for turn in (-10, 0, 10)]
    for turn, colour in places:
        angle = math.radians(turn)
        x = round(at[0] + reach * CELL_PX * math.sin(angle) - 0.5)
        y = round(at[1] - reach * CELL_PX * math.cos(angle) - 0.5)
        paint = px[y, x]
        good += float(np.ptp(paint)) > WHEEL_CHROMA and nearest_hue(tuple(255 * paint), HUES).name == colour
    return good / len(places)


def _tell_dark_cores(board: Squared, marks: dict[Square, Mark]) -> None:
    """A black core is a source when light leaves it on every open side, a brown crystal when on some side none does."""
    for cell in [cell for cell, mark in marks.items() if mark.symbol is None and mark.runner_up == "X"]:
        patch = board.cell(*cell)
        rays = [_ray(marks, cell, side) for side in SIDES]
        lights = [[_middle_light(board, at) for at in ray] for ray in rays if ray]
        if is_filled(patch):
            marks[cell] = named(np.median(patch[WITHIN], axis=0))
        elif lights:
            marks[cell] = source_or_crystal(patch, lights, marks[cell], board.noise)


def _ray(marks: Mapping[Square, Mark], cell: Square, side: tuple[int, int]) -> list[Square]:
    """The cells beside a cell that are empty, or may be, up to the first that is not."""
    ray = []
    at = Square(cell.row + side[0], cell.col + side[1])
    while (
        at in marks and marks[at].state == "free" and marks[at].runner_up != "X" and marks[at].confidence > 0
    ):
        ray.append(at)
        at = Square(at.row + side[0], at.col + side[1])
    return ray


def _middle_light(board: Squared, cell: Square) -> tuple[float, str]:
    """Chroma in the middle of a cell, and the hue of it; no name where it is between two hues."""
    px = board.cell(*cell)[disc(0.15)]
    blue, green, red = (255 * float(part) for part in np.median(px, axis=0))
    named = nearest_hue((blue, green, red), HUES)
    return max(blue, green, red) / 255 - min(
        blue, green, red
    ) / 255, named.name if named.margin > BETWEEN_HUES else ""


def _check_light(board: Squared, puzzle: Algemy, placed: Solution, doubtful: set[Square]) -> None:
    """Every empty cell seen is lit exactly when a source seen shines into it. Raises UncertainReading."""
    lit: set[Square] = set()
    for source in placed:
        for ray, _ in algemy.sight(puzzle, source):
            for cell in itertools.takewhile(lambda cell: cell not in doubtful, ray):
                lit.add(Square(*cell))
    contradicting = []
    for cell in puzzle.cells:
        if cell in doubtful or cell in placed or cell in puzzle.crystals:
            continue
        if any(seen in doubtful for ray, _ in algemy.sight(puzzle, cell) for seen in ray):
            continue
        shines = float(chroma_of(board.cell(*cell))[HEART].mean())
        if (cell in lit) != (shines > LIGHT_CHROMA / 2):
            contradicting.append(cell)
    if contradicting:
        raise UncertainReading(
            f"the light at {puzzle.name(contradicting[0])} does not come from the sources seen",
            hint="take the picture larger and straighter",
            cells=contradicting,
        )


def _back(board: Squared, row: int, col: int) -> Point:
    """Middle of a cell in the frame."""
    return through(board.back, Point((ROOM + col + 0.5) * CELL_PX, (ROOM + row + 0.5) * CELL_PX))
