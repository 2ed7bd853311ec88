"""Signs in the gaps between cells that stand apart: corners that point to one of the two cells, or bars."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from solver.grid.board import named
from solver.lattice import Square
from vision.grids import Grid, runs
from vision.scene import Scene

# One half of a sign is lower than the other by this share at least.
CLEAR = 0.25
# Each column of a bar is drawn to this share at least.
BAR = 0.9
# The lines of a bar's outline.
OUTLINE = 2
# What is looked at between two cells, to either side of the middle of the gap and across it, in pitches: a sign may touch
# the frames of its cells.
GAP, ACROSS = 0.11, 0.2
# So much of a corner lies, give or take a px, where its mirror image does, and its middle so near to that of the gap.
MIRRORED, OFF_MIDDLE = 0.97, 0.1
# What differs from the ground by more levels is drawn, and by so many times the grain of a picture; so much of what is looked
# at is a sign.
LEVELS, OF_GRAIN, LEAST = 15, 3.5, 0.03


def signs_between(scene: Scene, grid: Grid) -> dict[tuple[Square, Square], str]:
    """The pairs of neighbours with a sign between them: > and < are corners, > points to the second cell; | is a bar.

    Raises InvalidPuzzle where a sign is none of these.
    """
    found = {}
    levels = max(LEVELS, OF_GRAIN * scene.grain)
    for row, col, (down, right) in product(range(grid.rows), range(grid.cols), ((0, 1), (1, 0))):
        at, other = Square(row, col), Square(row + down, col + right)
        if other.row >= grid.rows or other.col >= grid.cols:
            continue
        x, y = grid.xs.at(col + 0.5 + right / 2), grid.ys.at(row + 0.5 + down / 2)
        wide, high = (GAP, ACROSS) if right else (ACROSS, GAP)
        wide, high = wide * grid.xs.pitch, high * grid.ys.pitch
        patch = scene.pixels[round(y - high) : round(y + high), round(x - wide) : round(x + wide)]
        if not patch.size:
            raise InvalidPuzzle("a part of the board is not on the picture")
        # The gaps cross at the corner that is inside the board; nothing is drawn there.
        corner = scene.pixels[round(grid.ys.at(row or 1)), round(grid.xs.at(col or 1))]
        away = patch.astype(np.int16) - corner.astype(np.int16)
        drawn = np.abs(away).max(axis=2) > levels
        mask = drawn if right else drawn.T
        # The outline of a bar marks digits that follow each other where no bar is.
        if drawn.mean() > LEAST and not _is_outline(mask):
            # A sign is of one colour: a pointer has a core or a rim on the other side of the ground.
            of_two = min((away.min(axis=2) > levels).mean(), (away.max(axis=2) < -levels).mean()) > LEAST
            sign = "" if of_two else _sign(mask)
            if not sign:
                raise InvalidPuzzle(f"the sign between {named(at)} and {named(other)} cannot be told")
            found[at, other] = sign
    return found


def _sign(mask: npt.NDArray[np.bool_]) -> str:
    """A corner is higher on its open side, a bar goes through what is looked at from top to bottom; "" for neither."""
    columns = [column for column in mask.T if column.any()]
    half = len(columns) // 2
    if not half:
        return ""
    if all(column.mean() >= BAR for column in columns):
        return "|" if len(columns) < len(mask.T) else ""
    if not _upright(mask):
        return ""
    heights = [int(np.ptp(np.flatnonzero(column))) for column in columns]
    near, far = sum(heights[:half]) / half, sum(heights[-half:]) / half
    if abs(near - far) < CLEAR * max(near, far):
        return ""
    return ">" if near > far else "<"


def _is_outline(mask: npt.NDArray[np.bool_]) -> bool:
    """Whether two full lines go through what is looked at from top to bottom, and nothing is between them."""
    shares = mask.mean(axis=0)
    lines = runs(shares >= BAR)
    return len(lines) == OUTLINE and not shares[lines[0, 1] : lines[1, 0]].any()


def _upright(mask: npt.NDArray[np.bool_]) -> bool:
    """Whether the upper half of a drawing is the lower one's mirror image, in the middle of what is looked at."""
    rows = np.flatnonzero(mask.any(axis=1))
    drawn = mask[rows[0] : rows[-1] + 1].astype(np.uint8)
    mirrored = cv2.dilate(drawn[::-1], np.ones((3, 3), np.uint8)) > 0
    off = abs((rows[0] + rows[-1] + 1) / 2 / len(mask) - 0.5)
    return bool(mirrored[drawn > 0].mean() >= MIRRORED) and bool(off <= OFF_MIDDLE)
