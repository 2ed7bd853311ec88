"""Disjoint sets on a plain list: `parents[i]` is another member of the set of `i`, or `i` itself at its root.

A list can be copied at a branch and be walked without a call in a hot loop, which an object could not.
"""

from __future__ import annotations


def root(parents: list[int], member: int) -> int:
    """The member that stands for the whole set; shortens the way for the next question.

    >>> root([0, 0, 1], 2)
    0
    """
    while (parent := parents[member]) != member:
        parents[member] = member = parents[parent]
    return member


def join(parents: list[int], one: int, other: int) -> bool:
    """Make one set of two; False when they were one already.

    >>> sets = [0, 1, 2]
    >>> join(sets, 0, 2), join(sets, 2, 0), sets
    (True, False, [0, 1, 0])
    """
    one, other = root(parents, one), root(parents, other)
    if one == other:
        return False
    parents[max(one, other)] = min(one, other)
    return True
