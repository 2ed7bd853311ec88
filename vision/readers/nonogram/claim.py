"""Where a nonogram would be, told from a grid and the numbers beside it."""

from __future__ import annotations

from vision.grids import Grid
from vision.readers.nonogram.clues import LEAST_CLUES, clue_rows_in_grid, columns_beside, rows_beside
from vision.scene import Claim, Scene

# So many of its columns (share) have several numbers: other puzzles have one beside each line.
LEAST_SEVERAL = 0.1
MOST_GRIDS = 2


def claim(scene: Scene) -> Claim | None:
    """The square lattice with numbers beside most of its lines, on two of its sides; None without one."""
    for grid in scene.grids()[:MOST_GRIDS]:
        if found := _claimed(scene, grid):
            return found
        # The grid may have the boxes of the clues as its first rows and columns.
        top, left = scene.once(clue_rows_in_grid, grid)
        if (top or left) and (found := _claimed(scene, grid.without(top, left))):
            return found
    return None


def _claimed(scene: Scene, grid: Grid) -> Claim | None:
    rows = scene.once(rows_beside, grid, False, False)[0]
    if rows.clued < LEAST_CLUES:
        return None
    cols = scene.once(columns_beside, grid, False, False)[0]
    several = sum(len(line) > 1 for line in cols.lines)
    if cols.clued < LEAST_CLUES or several < LEAST_SEVERAL * grid.cols:
        return None
    return Claim(
        grid.box,
        min(rows.clued, cols.clued),
        f"a lattice of {grid.rows} x {grid.cols} cells with numbers on two of its sides",
    )
