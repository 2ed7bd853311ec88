"""Which numbers can stand in a sum of different numbers: the combination tables of Killer Sudoku players.

Both functions answer for `size` different numbers of `values` that add up to `total`, as a bit set.
"""

from __future__ import annotations


def by_bounds(values: tuple[int, ...], size: int, total: int) -> int:
    """What the smallest and the largest sums leave of `values`; ascending."""
    if len(values) < size:
        return 0
    low, high = sum(values[: size - 1]), sum(values[len(values) - size + 1 :])
    if not low + values[size - 1] <= total <= high + values[-size]:
        return 0
    smallest, largest = values[: size - 1], values[len(values) - size + 1 :]
    useful = 0
    for value in values:
        if (value in smallest or value <= total - low) and (value in largest or value >= total - high):
            useful |= 1 << value
    return useful


def by_table(values: tuple[int, ...], size: int, total: int) -> int:
    """Exactly those of `values` that stand in some choice; costs (values x size) steps on bit sets."""
    if len(values) < size:
        return 0
    limit = (1 << (total + 1)) - 1
    before: list[list[int]] = [[1] + [0] * size]
    for value in values:
        last = before[-1]
        row = [1]
        row += [last[n] | (last[n - 1] << value & limit) for n in range(1, size + 1)]
        before.append(row)
    if not before[-1][size] >> total & 1:
        return 0
    # wanted[n]: sums that n numbers so far must have so that the rest can complete them.
    wanted = [0] * size + [1 << total]
    useful = 0
    for i in range(len(values) - 1, -1, -1):
        value, row = values[i], before[i]
        if any((row[n] << value) & wanted[n + 1] for n in range(size)):
            useful |= 1 << value
        wanted = [wanted[n] | wanted[n + 1] >> value for n in range(size)] + [wanted[size]]
    return useful
