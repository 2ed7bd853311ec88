"""What a research note costs at least, for tests that compare ways to find it."""

from __future__ import annotations

from solver import thaumcraft
from solver.errors import NoSolution
from solver.thaumcraft import Note


def least_cost(note: Note) -> int | None:
    """The cost of the proved and checked answer, None for a note that is proved to have none."""
    try:
        answer = thaumcraft.solve(note)
    except NoSolution:
        return None
    assert thaumcraft.check(note, answer.solution) == ()
    assert answer.optimal
    return answer.cost
