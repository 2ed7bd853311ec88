"""Sums of sets of bits over two values, by elimination (C. F. Gauss): what is turned twice is as it was."""

from __future__ import annotations

from collections.abc import Sequence


def combination(vectors: Sequence[int], wanted: int, order: Sequence[int]) -> frozenset[int] | None:
    """The numbers of vectors whose sum is `wanted`, the first ones of an order where those are enough; None without any.

    >>> sorted(combination([0b011, 0b110, 0b101], 0b101, [0, 1, 2]) or ())
    [0, 1]
    """
    # Each kept row by its highest bit: the sum, and the vectors that make it.
    kept: dict[int, tuple[int, int]] = {}
    for number in order:
        sum_, made = _reduced(vectors[number], 1 << number, kept)
        if sum_:
            kept[sum_.bit_length()] = sum_, made
    left, made = _reduced(wanted, 0, kept)
    return None if left else frozenset(number for number in order if made >> number & 1)


def independent(vectors: Sequence[int]) -> bool:
    """Whether no vector is a sum of others, so that every sum is made in one way only."""
    kept: dict[int, tuple[int, int]] = {}
    for vector in vectors:
        left, _ = _reduced(vector, 0, kept)
        if not left:
            return False
        kept[left.bit_length()] = left, 0
    return True


def _reduced(vector: int, made: int, kept: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """What is left of a vector once kept rows are added as far as that goes, and which vectors that took."""
    while vector and vector.bit_length() in kept:
        row, more = kept[vector.bit_length()]
        vector, made = vector ^ row, made ^ more
    return vector, made
