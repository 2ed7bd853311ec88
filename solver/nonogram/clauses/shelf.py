"""The shelf: longer and learned clauses, of which the worse half goes when it is full."""

from __future__ import annotations

from solver.nonogram.clauses.state import CLAUSES, KEEP, MOST_LEVELS, NONE, ROOM, Search
from solver.nonogram.clauses.trail import back_to, enqueue

# A learned clause that joins so few levels is never thrown away.
GLUE = 2
# So many clauses are kept at first, and so many more after every tidying.
KEEP_FIRST, KEEP_MORE = 4000, 500


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
