"""Sets of numbers as bits, and which numbers can stand in a sum of different numbers.

The combination tables of Killer Sudoku players: `by_bounds` and `by_table` answer for `size` different numbers of `values`
that add up to `total`.
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=2048)
def values_of(mask: int) -> tuple[int, ...]:
    """The numbers of a set, ascending."""
    return tuple([value for value, bit in enumerate(bin(mask)[:1:-1]) if bit == "1"])


def mirrored(mask: int, total: int) -> int:
    """The set of `total - v` for all v of a set."""
    shift = total - mask.bit_length() + 1
    return _backwards(mask) << shift if shift >= 0 else _backwards(mask) >> -shift


@lru_cache(maxsize=2048)
def _backwards(mask: int) -> int:
    return int(bin(mask)[:1:-1], 2)


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
    """Exactly those of `values` that stand in some choice; ascending.

    The sums that n numbers can have are a field of bits, and the fields of all n lie side by side in one integer, so
    that one more number is one shift.
    """
    if len(values) < size:
        return 0
    # What is added to a sum beyond the total must not reach the next field.
    field = total + values[-1] + 1
    fields = sum(1 << n * field for n in range(size + 1))
    room = (fields << total + 1) - fields
    before = [1]
    for value in values:
        last = before[-1]
        before.append((last | last << field + value) & room)
    # Sums that so many numbers so far must have so that the rest can complete them.
    wanted = 1 << size * field + total
    if not before.pop() & wanted:
        return 0
    useful = 0
    for value, sums in zip(reversed(values), reversed(before), strict=True):
        earlier = wanted >> field + value
        if sums & earlier:
            useful |= 1 << value
        wanted = (wanted | earlier) & room
    return useful
