"""What the searches over numbers run on: plain Python here, or compiled (`fast`). Both make the same steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from solver.nonogram import clauses, probing
from solver.nonogram.clauses import Floats, Ints, Search
from solver.nonogram.probing import Probing


class Machine(NamedTuple):
    """What the searches run on.

    ints, longs, floats: sequences of so many zeros. array, long_array: sequences of given numbers.
    begin, exclude, go_on: the functions of `clauses`. begin_probing, go_on_probing: those of `probing`.
    shelf, most_clauses: room for learned clauses: literals and clauses.
    conflicts, tries: how many to go through before the time is looked at, some tenths of a second at most.
    """

    ints: Callable[[int], Ints]
    longs: Callable[[int], Ints]
    naturals: Callable[[int], Ints]
    floats: Callable[[int], Floats]
    array: Callable[[Sequence[int]], Sequence[int]]
    long_array: Callable[[Iterable[int]], Ints]
    numbers: Callable[[Ints], list[int]]
    begin: Callable[[Search, Sequence[int], Sequence[int], Sequence[int]], int]
    exclude: Callable[[Search, int], int]
    go_on: Callable[[Search, int], int]
    begin_probing: Callable[[Probing, int], int]
    go_on_probing: Callable[[Probing, int], int]
    shelf: int
    most_clauses: int
    conflicts: int
    tries: int


PLAIN = Machine(
    ints=lambda count: [0] * count,
    longs=lambda count: [0] * count,
    naturals=lambda count: [0] * count,
    floats=lambda count: [0.0] * count,
    array=lambda numbers: numbers,
    long_array=list,
    numbers=list,
    begin=clauses.begin,
    exclude=clauses.exclude,
    go_on=clauses.go_on,
    begin_probing=probing.begin,
    go_on_probing=probing.go_on,
    shelf=1_000_000,
    most_clauses=20_000,
    conflicts=20,
    tries=100,
)
