"""Conflict-driven clause learning: decides what deduction and probing leave open.

The method is that of MiniSat (Een and Sorensson, "An Extensible SAT-solver", 2003): decide a variable, follow the
clauses, learn from every conflict one clause that excludes all its kind, go back as far as that clause tells. Learned
clauses are kept by the number of decision levels they join (Audemard and Simon, "Predicting Learnt Clause Quality in
Modern SAT Solvers", 2009); the worse half goes whenever the shelf is full, so that memory is bounded.

The functions of this module use nothing but loops, numbers and indexing: they run as they stand on lists, and `fast`
compiles the same functions for arrays. A literal is `2 * variable`, plus one for "not". Clauses of two and three
literals never change and are stored by literal; longer ones and all learned ones lie on a shelf with two of their
literals watched.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

Ints = MutableSequence[int]
Floats = MutableSequence[float]

OPEN, SOLVED, REFUTED = 0, 1, -1

# Where the single numbers of a search stand in `Search.now`.
TRAIL, HEAD, LEVEL, CLAUSES, ROOM, HEAPED, CONFLICTS, RESTARTS, SINCE_RESTART, KEEP = range(10)
CONFLICT_A, CONFLICT_B, CONFLICT_C, NUMBERS = range(10, 14)
# A restart after so many conflicts, times the terms 1 1 2 1 1 2 4 ... of Luby's sequence. Restarts by the quality of
# recent clauses were several times slower on some published puzzles and nowhere clearly faster.
RESTART_AFTER = 100
# A learned clause that joins so few levels is never thrown away.
GLUE = 2
KEEP_FIRST, KEEP_MORE = 4000, 500
# Clauses that join more levels than this are all equally bad.
MOST_LEVELS = 63
ACTIVITY_DECAY = 0.9
MOST_ACTIVITY = 1e100
NONE = -1


class Search(NamedTuple):
    """Everything a search knows; sequences of fixed length, changed in place.

    pair_start, pair_other: for every literal that becomes false, the literals that must then be true.
    triple_start, triple_a, triple_b: the same for the two others of a clause of three, one of which must be true.
    value: by literal 1 true, -1 false, 0 open. level, phase: by variable.
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
            conflicts -= 1
            if now[LEVEL] == 0:
                return REFUTED
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
        variable = most_active(s)
        if variable == NONE:
            return SOLVED
        s.level_start[now[LEVEL]] = now[TRAIL]
        now[LEVEL] += 1
        enqueue(s, 2 * variable + s.phase[variable], NONE, NONE)


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


def learn(s: Search, size: int, levels: int) -> None:
    """Add the clause in `learned` and make its first literal true. All its other literals are false."""
    if size == 1:
        enqueue(s, s.learned[0], NONE, NONE)
        return
    clause = put_on_shelf(s, size, levels)
    enqueue(s, s.learned[0], -2 - clause, NONE)


def put_on_shelf(s: Search, size: int, levels: int) -> int:
    """Add the clause in `learned`, watching its first two literals; returns its number."""
    now = s.now
    clause, start = now[CLAUSES], now[ROOM]
    for number in range(size):
        s.shelf[start + number] = s.learned[number]
    s.clause_levels[clause] = levels
    now[CLAUSES] += 1
    now[ROOM] += size
    s.clause_start[clause + 1] = now[ROOM]
    watch(s, clause)
    return clause


def watch(s: Search, clause: int) -> None:
    """Watch the first two literals of a clause."""
    for place in range(2):
        literal = s.shelf[s.clause_start[clause] + place]
        s.watch_next[2 * clause + place] = s.watch_first[literal]
        s.watch_first[literal] = 2 * clause + place


def tidy(s: Search) -> None:
    """Throw the worse half of the learned clauses away; starts from level 0 again."""
    now = s.now
    back_to(s, 0)
    throw_away(s, GLUE)
    while now[CLAUSES] >= now[KEEP] or 2 * now[ROOM] > len(s.shelf):
        throw_away(s, 0)
    now[KEEP] = min(now[KEEP] + KEEP_MORE, len(s.clause_levels) - 1)


def throw_away(s: Search, glue: int) -> None:
    """Keep the better half of the clauses, the newer ones among equals, and all that join at most `glue` levels."""
    now, counts = s.now, s.stack
    for levels in range(MOST_LEVELS + 1):
        counts[levels] = 0
    for clause in range(now[CLAUSES]):
        counts[min(s.clause_levels[clause], MOST_LEVELS)] += 1
    quota = now[CLAUSES] // 2
    limit = 0
    while limit < MOST_LEVELS and (limit <= glue or quota >= counts[limit]):
        quota -= counts[limit]
        limit += 1
    too_many = counts[limit] - max(0, quota)
    kept = room = start = 0
    for clause in range(now[CLAUSES]):
        end = s.clause_start[clause + 1]
        levels = min(s.clause_levels[clause], MOST_LEVELS)
        if levels == limit and too_many > 0:
            too_many -= 1
        elif levels <= limit:
            for at in range(start, end):
                s.shelf[room + at - start] = s.shelf[at]
            s.clause_levels[kept] = levels
            room += end - start
            kept += 1
            s.clause_start[kept] = room
        start = end
    now[CLAUSES], now[ROOM] = kept, room
    for literal in range(len(s.watch_first)):
        s.watch_first[literal] = NONE
    for clause in range(kept):
        watch(s, clause)


def bump(s: Search, variable: int) -> None:
    """A variable took part in a conflict."""
    activity = s.activity
    activity[variable] += s.step[0]
    if activity[variable] > MOST_ACTIVITY:
        for other in range(len(activity)):
            activity[other] /= MOST_ACTIVITY
        s.step[0] /= MOST_ACTIVITY
    if s.heap_at[variable] != NONE:
        sift_up(s, s.heap_at[variable])


def most_active(s: Search) -> int:
    """The open variable that took part in most of the latest conflicts; NONE when all are set."""
    now, heap, heap_at = s.now, s.heap, s.heap_at
    while now[HEAPED]:
        variable = heap[0]
        now[HEAPED] -= 1
        heap_at[variable] = NONE
        if now[HEAPED]:
            heap[0] = heap[now[HEAPED]]
            heap_at[heap[0]] = 0
            sift_down(s)
        if s.value[2 * variable] == 0:
            return variable
    return NONE


def sift_up(s: Search, at: int) -> None:
    """Move a variable of the heap up to its place."""
    heap, heap_at, activity = s.heap, s.heap_at, s.activity
    variable = heap[at]
    mine = activity[variable]
    while at:
        parent = (at - 1) >> 1
        above = heap[parent]
        if activity[above] >= mine:
            break
        heap[at] = above
        heap_at[above] = at
        at = parent
    heap[at] = variable
    heap_at[variable] = at


def sift_down(s: Search) -> None:
    """Move the first variable of the heap down to its place."""
    heap, heap_at, activity = s.heap, s.heap_at, s.activity
    size = s.now[HEAPED]
    variable = heap[0]
    mine = activity[variable]
    at, child = 0, 1
    while child < size:
        if child + 1 < size and activity[heap[child + 1]] > activity[heap[child]]:
            child += 1
        if activity[heap[child]] <= mine:
            break
        heap[at] = heap[child]
        heap_at[heap[at]] = at
        at = child
        child = 2 * at + 1
    heap[at] = variable
    heap_at[variable] = at
