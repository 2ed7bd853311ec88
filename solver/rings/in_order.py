"""Plain backtracking in the order of the file: the search of the original program, kept for comparison.

Weekly Challenge 043, task 1: its Perl solution tries the numbers ascending, blank by blank, and claims
113 calls when only the full board is checked and 16 when a full ring with a wrong sum stops the branch.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from solver.errors import NoSolution
from solver.lattice import Region
from solver.rings.puzzle import Rings, check


@dataclass(frozen=True)
class InOrder:
    """The first solution in this order, and how many calls it took; the call that starts the search
    counts, and so do those that stop at once."""

    solution: dict[Region, int]
    calls: int


def solve_in_order(puzzle: Rings, *, pruning: bool = True) -> InOrder:
    """Fill the blanks in the order of the file, numbers ascending.

    pruning: stop a branch at a full ring that breaks a rule; without it only the full board is checked.
    Raises NoSolution. No limit: meant for small figures.
    """
    left = Counter(puzzle.numbers)
    entered: dict[Region, int] = {}
    calls = 0

    def fits(region: Region) -> bool:
        values = {**puzzle.given, **entered}
        for ring in puzzle.rings:
            inside = puzzle.insides[ring.name]
            target = puzzle.sum_of(ring)
            full = region in inside and all(other in values for other in inside)
            if full and target is not None and sum(values[other] for other in inside) != target:
                return False
        return True

    def search() -> bool:
        nonlocal calls
        calls += 1
        if pruning and entered and not fits(puzzle.blanks[len(entered) - 1]):
            return False
        if len(entered) == len(puzzle.blanks):
            return not check(puzzle, entered)
        region = puzzle.blanks[len(entered)]
        for number in sorted(left):
            if not left[number]:
                continue
            entered[region] = number
            if puzzle.use == "once":
                left[number] -= 1
            if search():
                return True
            if puzzle.use == "once":
                left[number] += 1
            del entered[region]
        return False

    if not search():
        raise NoSolution(f"no filling of the {len(puzzle.blanks)} blanks meets every target")
    return InOrder(dict(entered), calls)
