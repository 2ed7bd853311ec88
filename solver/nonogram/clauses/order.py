"""Which variable is decided next: those of the latest conflicts, in a binary heap."""

from __future__ import annotations

from solver.nonogram.clauses.state import HEAPED, NONE, Search

MOST_ACTIVITY = 1e100


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
