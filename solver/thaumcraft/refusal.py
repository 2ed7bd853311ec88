"""Why a note has no solution, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from solver.answer import Answer
from solver.errors import NoSolution
from solver.thaumcraft.aspects import Aspects
from solver.thaumcraft.graph import Graph, bits
from solver.thaumcraft.note import Note, Solution
from solver.thaumcraft.stock import settle


def too_little_stock(stock: Mapping[str, int], free: Answer[Solution], aspects: Aspects) -> NoSolution:
    """The refusal of a note that could be solved with more aspects; free: how, with any number of them."""
    missing = settle(Counter(free.solution.values()), stock, aspects)[1]
    which = "the cheapest solution" if free.optimal else "the cheapest solution found"
    short = ", ".join(f"{units} {tag}" for tag, units in missing.items())
    return NoSolution(
        f"the stock is too small; {which} lacks {short}",
        hint="scan or distil more of these, then try again",
        missing=missing,
    )


def unlinkable(graph: Graph, note: Note, nodes: int, disabled: Collection[str]) -> NoSolution:
    """The refusal of a note that no aspects but the disabled ones can solve."""
    lonely = _lonely_given(graph, nodes)
    where = "a given "
    if lonely is not None:
        cell, tag = graph.place(lonely)
        where = f"the given {tag} at {note.name(cell)} "
    return NoSolution(
        f"the note is impossible: {where}cannot be linked to the others",
        hint="allow some of the disabled aspects"
        if disabled
        else "blanks are random, so some notes are impossible; make a new note",
    )


def _lonely_given(graph: Graph, nodes: int) -> int | None:
    """A given that no chain within `nodes` leads away from, or else one from which not all others are reached."""
    givens = sum(1 << given for given in graph.givens)
    alone = []
    for given in graph.givens:
        reached = fresh = 1 << given
        while fresh:
            near = 0
            for node in bits(fresh):
                near |= graph.neighbours(node)
            fresh = near & nodes & ~reached
            reached |= fresh
        if reached & givens == 1 << given:
            return given
        if reached & givens != givens:
            alone.append(given)
    return alone[0] if alone else None
