"""The search itself: decide, follow, learn, go back, and start again now and then."""

from __future__ import annotations

from collections.abc import Sequence

from solver.nonogram.clauses.conflicts import analyse
from solver.nonogram.clauses.order import most_active
from solver.nonogram.clauses.shelf import KEEP_FIRST, learn, put_on_shelf, tidy
from solver.nonogram.clauses.state import (
    BEST,
    CLAUSES,
    CONFLICTS,
    HEAPED,
    KEEP,
    LEVEL,
    NONE,
    OPEN,
    REFUTED,
    RESTARTS,
    ROOM,
    SINCE_RESTART,
    SINCE_TURN,
    SOLVED,
    TARGET,
    TRAIL,
    TURNS,
    Ints,
    Search,
)
from solver.nonogram.clauses.trail import back_to, enqueue, propagate

# A restart after so many conflicts, times the terms 1 1 2 1 1 2 4 ... of Luby's sequence. Restarts by the quality of
# recent clauses were several times slower on some published puzzles and nowhere clearly faster.
RESTART_AFTER = 100
ACTIVITY_DECAY = 0.9
# After so many conflicts, three times as many, five times and so on, other values are expected, and from then on variables
# are decided as they were when most of them were set without a conflict (Biere and Fleury, "Chasing Target Phases", 2020).
# With this 300 contest boards need 256,000 conflicts instead of 400,000, and Faase (80x95), open after 4.7 million, 522,000.
TURN_AFTER = 500


def begin(s: Search, facts: Sequence[int], pairs: Sequence[int], triples: Sequence[int]) -> int:
    """Store the clauses, make the facts true and follow them: REFUTED, or OPEN.

    facts: literals; pairs, triples: literals of the clauses one after the other.
    """
    now = s.now
    for at in range(len(pairs)):
        s.pair_start[pairs[at] + 1] += 1
    for at in range(len(triples)):
        s.triple_start[triples[at] + 1] += 1
    for literal in range(len(s.value)):
        s.pair_start[literal + 1] += s.pair_start[literal]
        s.triple_start[literal + 1] += s.triple_start[literal]
    # `watch_first` counts how many clauses of a literal are stored, until the shelf needs it.
    for at in range(len(pairs)):
        literal = pairs[at]
        s.pair_other[s.pair_start[literal] + s.watch_first[literal]] = pairs[at ^ 1]
        s.watch_first[literal] += 1
    for literal in range(len(s.value)):
        s.watch_first[literal] = 0
    for at in range(len(triples)):
        literal, place = triples[at], at % 3
        free = s.triple_start[literal] + s.watch_first[literal]
        s.triple_a[free] = triples[at - place + (place + 1) % 3]
        s.triple_b[free] = triples[at - place + (place + 2) % 3]
        s.watch_first[literal] += 1
    for literal in range(len(s.value)):
        s.watch_first[literal] = NONE
    for variable in range(len(s.level)):
        s.phase[variable] = 1
        s.target[variable] = NONE
        s.best[variable] = NONE
        s.heap[variable] = s.heap_at[variable] = variable
    now[HEAPED] = len(s.level)
    now[KEEP] = min(KEEP_FIRST, len(s.clause_levels) - 1)
    s.step[0] = 1.0
    for literal in facts:
        if s.value[literal] < 0:
            return REFUTED
        if s.value[literal] == 0:
            enqueue(s, literal, NONE, NONE)
    return OPEN if propagate(s) else REFUTED


def exclude(s: Search, size: int) -> int:
    """Add the clause in `learned` for good: REFUTED when it can not be met, or OPEN."""
    back_to(s, 0)
    kept = 0
    for number in range(size):
        literal = s.learned[number]
        if s.value[literal] > 0:
            return OPEN
        if s.value[literal] == 0:
            s.learned[kept] = literal
            kept += 1
    if kept == 0:
        return REFUTED
    if kept == 1:
        enqueue(s, s.learned[0], NONE, NONE)
    else:
        put_on_shelf(s, kept, 0)
    return OPEN


def go_on(s: Search, conflicts: int) -> int:
    """Search until SOLVED or REFUTED, or OPEN after so many conflicts; call again to go on."""
    now = s.now
    while True:
        if now[CLAUSES] >= now[KEEP] or 4 * now[ROOM] > 3 * len(s.shelf):
            tidy(s)
        if not propagate(s):
            now[CONFLICTS] += 1
            now[SINCE_RESTART] += 1
            now[SINCE_TURN] += 1
            conflicts -= 1
            if now[LEVEL] == 0:
                return REFUTED
            if now[TURNS]:
                note_values(s)
            size, back, levels = analyse(s)
            back_to(s, back)
            learn(s, size, levels)
            s.step[0] /= ACTIVITY_DECAY
            continue
        if conflicts <= 0:
            return OPEN
        if now[SINCE_RESTART] >= RESTART_AFTER * luby(now[RESTARTS]):
            now[SINCE_RESTART] = 0
            now[RESTARTS] += 1
            back_to(s, 0)
            if now[SINCE_TURN] >= TURN_AFTER * (2 * now[TURNS] + 1):
                turn(s)
        variable = most_active(s)
        if variable == NONE:
            return SOLVED
        s.level_start[now[LEVEL]] = now[TRAIL]
        now[LEVEL] += 1
        likely = s.target[variable]
        enqueue(s, 2 * variable + (s.phase[variable] if likely == NONE else likely), NONE, NONE)


def note_values(s: Search) -> None:
    """Note the values before the decision that led to a conflict, where never so many variables were set."""
    now = s.now
    count = s.level_start[now[LEVEL] - 1]
    if count > now[TARGET]:
        now[TARGET] = count
        copy_values(s, s.target, count)
    if count > now[BEST]:
        now[BEST] = count
        copy_values(s, s.best, count)


def copy_values(s: Search, values: Ints, count: int) -> None:
    """Store the first values of the trail by variable."""
    for at in range(count):
        values[s.trail[at] >> 1] = s.trail[at] & 1


def turn(s: Search) -> None:
    """Expect other values: in turns all blank, the best seen, all filled, the best seen."""
    now = s.now
    best = now[TURNS] % 2 == 1
    for variable in range(len(s.level)):
        s.target[variable] = NONE
        if not best:
            s.phase[variable] = int(now[TURNS] % 4 == 0)
        elif s.best[variable] != NONE:
            s.phase[variable] = s.best[variable]
    if best:
        now[BEST] = 0
    now[TARGET] = now[SINCE_TURN] = 0
    now[TURNS] += 1


def luby(number: int) -> int:
    """A term of Luby's sequence, counted from 0: 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..."""
    size, term = 1, 1
    while size <= number:
        size, term = 2 * size + 1, 2 * term
    while size - 1 != number:
        size, term = size >> 1, term >> 1
        if number >= size:
            number -= size
    return term
