"""A later look at a board that is known: an open wheel hides crystals, but nothing that was not seen before."""

from __future__ import annotations

import math
from dataclasses import replace

from solver.algemy import Algemy, Solution
from vision.frame import Frame
from vision.profile import Profile
from vision.readers.algemy.board import read
from vision.reading import Reading

# A board stays where it is; its places are measured this exactly, in cells.
SAME_PLACE = 0.2


def reread(frame: Frame, earlier: Reading[Algemy, Solution]) -> Reading[Algemy, Solution]:
    """The reading of a frame, where an open wheel hides something with what an earlier one saw there.

    Raises BoardNotFound.
    """
    now = read(frame, Profile("algemy", ""))
    if now.ui != "wheel" or not now.doubtful or earlier.doubtful or not _same_board(now, earlier):
        return now
    hidden = set(now.doubtful)
    placed = {cell: colour for cell, colour in now.placed.items() if cell not in hidden}
    placed |= {cell: colour for cell, colour in earlier.placed.items() if cell in hidden}
    marks = {cell: earlier.marks[cell] if cell in hidden else mark for cell, mark in now.marks.items()}
    return replace(now, puzzle=earlier.puzzle, placed=placed, marks=marks)


def _same_board(now: Reading[Algemy, Solution], earlier: Reading[Algemy, Solution]) -> bool:
    """Whether both show the same cells at the same places, with the same crystals wherever both can be seen."""
    if (now.puzzle.shape, now.puzzle.lengths) != (earlier.puzzle.shape, earlier.puzzle.lengths):
        return False
    reach = SAME_PLACE * now.geometry.pitch_px
    before, after = earlier.puzzle.crystals, now.puzzle.crystals
    hidden = set(now.doubtful)
    return all(
        math.dist(at, earlier.geometry.centres[cell]) <= reach
        and (cell in hidden or before.get(cell) == after.get(cell))
        for cell, at in now.geometry.centres.items()
    )
