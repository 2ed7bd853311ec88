"""How many ways there are to lay the runs of a line on what is known, and how many of them fill each cell.

A table over (runs so far, cells so far) from both ends; their products give every run at every place. So the
classic griddler solvers know how likely a cell is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from solver.nonogram.colour import Runs

# For every ink (0 is blank) the cells that may have it, as bits.
Masks = tuple[int, ...]


@lru_cache(maxsize=8192)
def shares(runs: Runs, length: int, masks: Masks) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """How many ways there are to lay the runs, and by ink (0 is blank) how many of them give it to each cell.

    >>> shares(((1, 2),), 3, (7, 7))
    (2, ((1, 0, 1), (1, 2, 1)))
    """
    before = _ways(runs, length, masks)
    after = _ways(runs[::-1], length, tuple(_mirror(mask, length) for mask in masks))
    ways = before[-1][length]
    counts = [[0] * (length + 1) for _ in masks]
    for number, (ink, run) in enumerate(runs):
        fits = _starts(masks[ink], run)
        for start in range(length - run + 1):
            if fits >> start & 1:
                left = _beside(before[number], start, number > 0 and runs[number - 1][0] == ink, masks[0])
                rest = length - start - run
                last = number + 1 == len(runs)
                right = _beside(
                    after[len(runs) - number - 1],
                    rest,
                    not last and runs[number + 1][0] == ink,
                    _mirror(masks[0], length),
                )
                counts[ink][start] += left * right
                counts[ink][start + run] -= left * right
    cells: list[tuple[int, ...]] = [()]
    for ink in range(1, len(masks)):
        total, line = 0, []
        for change in counts[ink][:length]:
            total += change
            line.append(total)
        cells.append(tuple(line))
    cells[0] = tuple(ways - sum(line[cell] for line in cells[1:]) for cell in range(length))
    return ways, tuple(cells)


def _ways(runs: Runs, length: int, masks: Masks) -> list[list[int]]:
    """`_ways(...)[n][p]`: ways to decide the first `p` cells with the first `n` runs."""
    blank = masks[0]
    table = [[1] + [0] * length]
    for p in range(length):
        table[0][p + 1] = table[0][p] if blank >> p & 1 else 0
    for number, (ink, run) in enumerate(runs):
        fits = _starts(masks[ink], run)
        apart = number > 0 and runs[number - 1][0] == ink
        line = [0] * (length + 1)
        for p in range(1, length + 1):
            ways = line[p - 1] if blank >> (p - 1) & 1 else 0
            start = p - run
            if start >= 0 and fits >> start & 1:
                ways += _beside(table[number], start, apart, blank)
            line[p] = ways
        table.append(line)
    return table


def _beside(ways: Sequence[int], start: int, apart: bool, blank: int) -> int:
    """Ways to decide what lies before a run that starts here, with a blank cell between where one is needed."""
    if not apart:
        return ways[start]
    return ways[start - 1] if start > 0 and blank >> (start - 1) & 1 else 0


def _starts(mask: int, run: int) -> int:
    """Where a run of cells of the mask can start."""
    size = 1
    while size < run:
        step = min(size, run - size)
        mask &= mask >> step
        size += step
    return mask


def _mirror(mask: int, length: int) -> int:
    return int(f"{mask:0{length}b}"[::-1], 2)
