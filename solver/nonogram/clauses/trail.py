"""Making literals true, following the clauses from them, and taking them back."""

from __future__ import annotations

from solver.nonogram.clauses.order import sift_up
from solver.nonogram.clauses.state import (
    CONFLICT_A,
    CONFLICT_B,
    CONFLICT_C,
    HEAD,
    HEAPED,
    LEVEL,
    NONE,
    TRAIL,
    Search,
)


def enqueue(s: Search, literal: int, reason_a: int, reason_b: int) -> None:
    """Make an open literal true."""
    variable = literal >> 1
    s.value[literal] = 1
    s.value[literal ^ 1] = -1
    s.level[variable] = s.now[LEVEL]
    s.reason_a[variable] = reason_a
    s.reason_b[variable] = reason_b
    s.trail[s.now[TRAIL]] = literal
    s.now[TRAIL] += 1


def propagate(s: Search) -> bool:
    """Follow the clauses from the literals that became true; False at a conflict, which `now` then names."""
    now, value, trail = s.now, s.value, s.trail
    pair_start, pair_other = s.pair_start, s.pair_other
    triple_start, triple_a, triple_b = s.triple_start, s.triple_a, s.triple_b
    while now[HEAD] < now[TRAIL]:
        false = trail[now[HEAD]] ^ 1
        now[HEAD] += 1
        for at in range(pair_start[false], pair_start[false + 1]):
            other = pair_other[at]
            if value[other] == 0:
                enqueue(s, other, false, NONE)
            elif value[other] < 0:
                return conflict(s, false, other, NONE)
        for at in range(triple_start[false], triple_start[false + 1]):
            a = triple_a[at]
            value_a = value[a]
            if value_a > 0:
                continue
            b = triple_b[at]
            value_b = value[b]
            if value_b > 0:
                continue
            if value_a < 0:
                if value_b < 0:
                    return conflict(s, false, a, b)
                enqueue(s, b, false, a)
            elif value_b < 0:
                enqueue(s, a, false, b)
        if s.watch_first[false] != NONE and not follow_watches(s, false):
            return False
    return True


def conflict(s: Search, a: int, b: int, c: int) -> bool:
    """Note the clause that is broken: two or three literals, or `-2 - clause`; always False."""
    s.now[CONFLICT_A], s.now[CONFLICT_B], s.now[CONFLICT_C] = a, b, c
    return False


def follow_watches(s: Search, false: int) -> bool:
    """Find new watches for the clauses of the shelf that watch a literal that became false."""
    value, shelf, starts, chain = s.value, s.shelf, s.clause_start, s.watch_next
    before = NONE
    watch = s.watch_first[false]
    while watch != NONE:
        following = chain[watch]
        clause, place = watch >> 1, watch & 1
        start = starts[clause]
        other = shelf[start + 1 - place]
        if value[other] > 0:
            before, watch = watch, following
            continue
        for at in range(start + 2, starts[clause + 1]):
            literal = shelf[at]
            if value[literal] >= 0:
                shelf[start + place] = literal
                shelf[at] = false
                if before == NONE:
                    s.watch_first[false] = following
                else:
                    chain[before] = following
                chain[watch] = s.watch_first[literal]
                s.watch_first[literal] = watch
                break
        else:
            if value[other] < 0:
                return conflict(s, -2 - clause, NONE, NONE)
            enqueue(s, other, -2 - clause, NONE)
            before = watch
        watch = following
    return True


def back_to(s: Search, level: int) -> None:
    """Open everything again that was set above a level; its values are remembered as the likely ones."""
    now = s.now
    if now[LEVEL] <= level:
        return
    start = s.level_start[level]
    for at in range(now[TRAIL] - 1, start - 1, -1):
        literal = s.trail[at]
        variable = literal >> 1
        s.value[literal] = 0
        s.value[literal ^ 1] = 0
        s.phase[variable] = literal & 1
        if s.heap_at[variable] == NONE:
            s.heap[now[HEAPED]] = variable
            s.heap_at[variable] = now[HEAPED]
            now[HEAPED] += 1
            sift_up(s, now[HEAPED] - 1)
    now[TRAIL] = now[HEAD] = start
    now[LEVEL] = level
