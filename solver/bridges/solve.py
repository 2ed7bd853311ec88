"""The entry of the Bridges solver."""

from __future__ import annotations

from solver.answer import Answer, Limits
from solver.bridges.board import Bridges, Joins
from solver.bridges.graph import Graph
from solver.bridges.search import OutOfTime, Search
from solver.errors import NoSolution, SearchLimit


def solve(puzzle: Bridges, limits: Limits = Limits()) -> Answer[Joins]:  # noqa: B008 - frozen
    """Bridges that meet every clue, and with `limits.unique` whether they are the only ones.

    Spans without bridges are left out. Raises NoSolution when it is proved that there is none, SearchLimit
    when time ran out before a first solution.
    """
    total = sum(island.clue for island in puzzle.islands)
    if total % 2:
        raise NoSolution(
            f"the clues add up to {total}, but every bridge has two ends",
            hint="check the clues: one is misread",
        )
    graph = Graph(puzzle)
    search = Search(graph, limits.stopper())
    complete = True
    try:
        search.solutions(2 if limits.unique else 1)
    except OutOfTime:
        complete = False
    found = [graph.joins(counts) for counts in search.found]
    if not found and not complete:
        raise SearchLimit("no solution was found in time", hint="raise the limit")
    if not found:
        raise NoSolution("no bridges meet all clues and join all islands", hint="check the clues")
    if not limits.unique:
        return Answer(found[0])
    if len(found) > 1:
        return Answer(found[0], unique=False, second=found[1])
    return Answer(found[0], unique=True if complete else None)
