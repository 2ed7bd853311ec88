"""What a conflict teaches: one clause that excludes all its kind."""

from __future__ import annotations

from solver.nonogram.clauses.order import bump
from solver.nonogram.clauses.state import (
    CONFLICT_A,
    CONFLICT_B,
    CONFLICT_C,
    CONFLICTS,
    LEVEL,
    NONE,
    TRAIL,
    Search,
)


def analyse(s: Search) -> tuple[int, int, int]:
    """Learn from the conflict: (literals in `learned`, level to go back to, levels that they join).

    Goes back along the reasons until one literal of the newest level is left (the first unique implication point).
    """
    now, seen, trail, level, learned = s.now, s.seen, s.trail, s.level, s.learned
    a, b, c = now[CONFLICT_A], now[CONFLICT_B], now[CONFLICT_C]
    size, paths, at = 1, 0, now[TRAIL]
    while True:
        count = 3 if a >= NONE else clause_size(s, a)
        for number in range(count):
            literal = clause_literal(s, a, b, c, number)
            if literal == NONE or seen[literal >> 1]:
                continue
            variable = literal >> 1
            if level[variable] == 0 or s.value[literal] > 0:
                continue
            seen[variable] = 1
            bump(s, variable)
            if level[variable] == now[LEVEL]:
                paths += 1
            else:
                learned[size] = literal
                size += 1
        at -= 1
        while not seen[trail[at] >> 1]:
            at -= 1
        variable = trail[at] >> 1
        seen[variable] = 0
        paths -= 1
        if paths == 0:
            learned[0] = trail[at] ^ 1
            break
        a, b, c = s.reason_a[variable], s.reason_b[variable], NONE
    return shorten(s, size)


def clause_size(s: Search, name: int) -> int:
    """How many literals a clause of the shelf has; it is named by `-2 - clause`."""
    clause = -2 - name
    return s.clause_start[clause + 1] - s.clause_start[clause]


def clause_literal(s: Search, a: int, b: int, c: int, number: int) -> int:
    """A literal of a clause of the shelf, or one of the three literals of a short clause."""
    if a < NONE:
        return s.shelf[s.clause_start[-2 - a] + number]
    if number == 0:
        return a
    return b if number == 1 else c


def shorten(s: Search, size: int) -> tuple[int, int, int]:
    """Leave out what the rest of the learned clause implies, and put a literal of the second newest level second."""
    learned, level, seen = s.learned, s.level, s.seen
    noted = 0
    for number in range(1, size):
        s.cleared[noted] = learned[number] >> 1
        noted += 1
    kept = 1
    for number in range(1, size):
        implied, noted = is_implied(s, learned[number] >> 1, noted)
        if not implied:
            learned[kept] = learned[number]
            kept += 1
    for number in range(noted):
        seen[s.cleared[number]] = 0
    back = 0
    for number in range(1, kept):
        if level[learned[number] >> 1] > back:
            back = level[learned[number] >> 1]
            learned[1], learned[number] = learned[number], learned[1]
    levels = 1
    mark = s.now[CONFLICTS]
    for number in range(1, kept):
        if s.level_mark[level[learned[number] >> 1]] != mark:
            s.level_mark[level[learned[number] >> 1]] = mark
            levels += 1
    return kept, back, levels


def is_implied(s: Search, variable: int, noted: int) -> tuple[bool, int]:
    """Whether all reasons of a variable lead back to literals of the learned clause (`seen`).

    Variables proved on the way are marked as seen too, and noted in `cleared`; returns how many are noted.
    """
    if s.reason_a[variable] == NONE:
        return False, noted
    before = noted
    stack, seen = s.stack, s.seen
    stack[0] = variable
    depth = 1
    while depth:
        depth -= 1
        top = stack[depth]
        a, b = s.reason_a[top], s.reason_b[top]
        count = 3 if a >= NONE else clause_size(s, a)
        for number in range(count):
            literal = clause_literal(s, a, b, NONE, number)
            if literal == NONE:
                continue
            other = literal >> 1
            if other == top or seen[other] or s.level[other] == 0:
                continue
            if s.reason_a[other] == NONE:
                for undone in range(before, noted):
                    seen[s.cleared[undone]] = 0
                return False, before
            seen[other] = 1
            s.cleared[noted] = other
            noted += 1
            stack[depth] = other
            depth += 1
    return True, noted
