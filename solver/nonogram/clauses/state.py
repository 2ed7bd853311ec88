"""Everything that a search over clauses knows, and where its numbers stand."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import NamedTuple

Ints = MutableSequence[int]
Floats = MutableSequence[float]

OPEN, SOLVED, REFUTED = 0, 1, -1

# Where the single numbers of a search stand in `Search.now`.
TRAIL, HEAD, LEVEL, CLAUSES, ROOM, HEAPED, CONFLICTS, RESTARTS, SINCE_RESTART, KEEP = range(10)
CONFLICT_A, CONFLICT_B, CONFLICT_C, TARGET, BEST, TURNS, SINCE_TURN, NUMBERS = range(10, 18)
# Clauses that join more levels than this are all equally bad.
MOST_LEVELS = 63
NONE = -1


class Search(NamedTuple):
    """Everything a search knows; sequences of fixed length, changed in place.

    pair_start, pair_other: for every literal that becomes false, the literals that must then be true.
    triple_start, triple_a, triple_b: the same for the two others of a clause of three, one of which must be true.
    value: by literal 1 true, -1 false, 0 open. level, phase: by variable.
    target, best: by variable its value when most variables were set without a conflict, since the last turn and since
        the last turn to `best`; NONE where it was open. `now` has how many were set.
    reason_a, reason_b: by variable the false literals of the clause that set it; `-2 - clause` in `reason_a` names a
        clause of the shelf; NONE.
    trail, level_start: literals in the order they became true, and where each level starts.
    shelf, clause_start, clause_levels: literals of the clauses; `clause_start` has one more entry than clauses.
    watch_first, watch_next: by literal a chain of `2 * clause + (0 or 1)`, the first or second literal of a clause.
    activity, heap, heap_at: variables by how often they took part in conflicts, as a binary heap; `step` is what the
        next conflict counts.
    """

    pair_start: Ints
    pair_other: Ints
    triple_start: Ints
    triple_a: Ints
    triple_b: Ints
    value: Ints
    level: Ints
    phase: Ints
    target: Ints
    best: Ints
    reason_a: Ints
    reason_b: Ints
    trail: Ints
    level_start: Ints
    shelf: Ints
    clause_start: Ints
    clause_levels: Ints
    watch_first: Ints
    watch_next: Ints
    activity: Floats
    heap: Ints
    heap_at: Ints
    seen: Ints
    learned: Ints
    stack: Ints
    cleared: Ints
    level_mark: Ints
    step: Floats
    now: Ints
