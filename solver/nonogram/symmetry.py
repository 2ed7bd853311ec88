"""Symmetric pictures: where the clues look the same turned or mirrored, the picture often does too.

To ask for a symmetric picture leaves a half or a quarter of the cells to be found. It is only a guess: that there is
no symmetric picture says nothing of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from solver.lattice import Square
from solver.nonogram.board import Clue, Nonogram, Picture

Pairs = list[tuple[Square, Square]]


def symmetries(puzzle: Nonogram) -> list[Pairs]:
    """For every way to turn or mirror the clues onto themselves, the cells that a symmetric picture has alike.

    Empty lines at the margins do not count.

    >>> symmetries(Nonogram(((2,),), ((1,), (1,))))[0]
    [(Square(row=0, col=0), Square(row=0, col=1)), (Square(row=0, col=1), Square(row=0, col=0))]
    """
    if puzzle.palette is not None or puzzle.given != Picture():
        return []
    top, rows = _trimmed(puzzle.rows)
    left, cols = _trimmed(puzzle.cols)
    last_row, last_col = len(rows) - 1, len(cols) - 1
    rows_back, cols_back = [clue[::-1] for clue in rows], [clue[::-1] for clue in cols]
    ways: list[tuple[bool, Callable[[int, int], tuple[int, int]]]] = [
        # A quarter turn, the two diagonals, a half turn, left to right, top to bottom.
        (rows == cols_back and cols == rows[::-1], lambda row, col: (col, last_row - row)),
        (rows == cols, lambda row, col: (col, row)),
        (rows == cols_back[::-1], lambda row, col: (last_col - col, last_row - row)),
        (
            rows == rows_back[::-1] and cols == cols_back[::-1],
            lambda row, col: (last_row - row, last_col - col),
        ),
        (rows == rows_back and cols == cols[::-1], lambda row, col: (row, last_col - col)),
        (cols == cols_back and rows == rows[::-1], lambda row, col: (last_row - row, col)),
    ]
    found = []
    for holds, image in ways:
        if holds:
            cells = [(row, col) for row in range(len(rows)) for col in range(len(cols))]
            images = [image(row, col) for row, col in cells]
            found.append([
                (Square(top + row, left + col), Square(top + there[0], left + there[1]))
                for (row, col), there in zip(cells, images, strict=True)
                if there != (row, col)
            ])  # fmt: skip
    return found


def _trimmed(lines: Sequence[Clue]) -> tuple[int, list[Clue]]:
    """The number of the first line with a run, and the clues from there to the last one."""
    inked = [number for number, clue in enumerate(lines) if clue]
    return (inked[0], list(lines[inked[0] : inked[-1] + 1])) if inked else (0, [])
