"""The puzzle as a witness: which clues, and which rules, fit the numbers that were read.

Labels may be the clues, or (in some programs) the bridges still missing: a 0, or clues without a solution, tell
the second. An odd sum or a board without solution sends the least certain number to its runner-up, and the remarks
say so.

A picture tells neither how many bridges a span may carry nor whether loops are allowed. What has one solution under
stricter rules and the board's own solution is the same: so where two bridges and loops leave a choice, stricter
rules that leave none are taken for the board's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from solver import bridges
from solver.answer import Limits
from solver.bridges import Bridges, Island, Span
from solver.errors import InvalidPuzzle, NoSolution, SearchLimit
from solver.lattice import Square
from vision.errors import BoardNotFound, UncertainReading
from vision.grids import Comb
from vision.readers.bridges.discs import Disc

# So few circles without a solution are anything: buttons, counters.
SURELY_A_BOARD = 9
SURE = 0.9
MOST_DOUBTS = 8
WITNESS_S = 1.5
STRICTER_S = 0.3
# Nearly every board allows two bridges on a span; some programs allow more.
USUAL_BRIDGES = 2
MOST_BRIDGES = 4


def settled(
    discs: Mapping[Square, Disc], joins: Mapping[Span, int], xs: Comb, ys: Comb
) -> tuple[Bridges, tuple[str, ...]]:
    """The puzzle that has a solution, and what had to be decided for that."""
    labels = {at: disc.number.value or 0 for at, disc in discs.items()}
    attached = {at: sum(n for span, n in joins.items() if at in span) for at in labels}
    rest = {at: label + attached[at] for at, label in labels.items()}
    ways: list[tuple[Mapping[Square, int], tuple[str, ...]]] = []
    if 0 in labels.values():
        ways.append((rest, ("labels are the bridges still missing",)))
    else:
        ways.append((labels, ()))
        if joins:
            ways.append((rest, ("labels are taken for the bridges still missing: as clues they contradict",)))
    first, why = ways[0]
    changed: list[tuple[Mapping[Square, int], tuple[str, ...]]] = [
        (clues, (*why, *remark)) for clues, remark in _corrected(first, discs)
    ]
    seen = max(joins.values(), default=0)
    usual, most = max(seen, USUAL_BRIDGES), MOST_BRIDGES
    # More bridges than usual explain much: they are thought of before a doubtful number only if there is none.
    tries = [
        (ways, usual, usual),
        (changed, usual, usual),
        (ways, usual + 1, most),
        (changed, usual + 1, most),
    ]
    for readings, least_bridges, most_bridges in tries:
        for clues, remarks in readings:
            puzzle = _board(clues, xs, ys, range(least_bridges, most_bridges + 1), seen)
            if puzzle is not None:
                return puzzle, remarks
    total = sum(first.values())
    sure = sum(disc.number.confidence >= SURE for disc in discs.values())
    if len(discs) < SURELY_A_BOARD or sure < 0.7 * len(discs) or any(c > 16 for c in first.values()):
        raise BoardNotFound(
            f"{len(discs)} circles with numbers (sum {total}), which have no solution as a Bridges board",
            hint="show the whole board, large enough to read its numbers",
        )
    raise UncertainReading(
        f"{len(discs)} islands were read, but their numbers (sum {total}) have no solution",
        hint="a clearer or larger picture of the whole board helps",
        cells=sorted(at for at, disc in discs.items() if disc.number.confidence < SURE),
    )


def _board(clues: Mapping[Square, int], xs: Comb, ys: Comb, most: range, seen: int) -> Bridges | None:
    """The puzzle under the rules that fit; None when there is no solution.

    most: how many bridges a span may carry, to be tried in order; seen: how many some span has.
    """
    if sum(clues.values()) % 2:
        return None
    try:
        islands = tuple(Island(at, clue) for at, clue in clues.items())
    except InvalidPuzzle:
        return None
    for most_bridges in most:
        puzzle = Bridges(islands, xs.count, ys.count, most_bridges)
        solutions = _solutions(puzzle, WITNESS_S)
        if solutions > 1:
            single = [replace(puzzle, max_bridges=1), replace(puzzle, max_bridges=1, loops=False)]
            stricter = [*(single if seen <= 1 else []), replace(puzzle, loops=False)]
            return next((rules for rules in stricter if _solutions(rules, STRICTER_S) == 1), puzzle)
        if solutions:
            return puzzle
    return None


def _solutions(puzzle: Bridges, seconds: float) -> float:
    """0, 1, 2 for more than one; 1.5 for one or more, where it takes too long to say."""
    try:
        answer = bridges.solve(puzzle, Limits(seconds, unique=True))
    except NoSolution:
        return 0
    except SearchLimit:
        return 1.5
    return {True: 1.0, False: 2.0, None: 1.5}[answer.unique]


def _corrected(
    clues: Mapping[Square, int], discs: Mapping[Square, Disc]
) -> Iterator[tuple[dict[Square, int], tuple[str, ...]]]:
    """The clues with one or two doubtful ones as their runner-up, the least certain first."""
    doubts = sorted(
        (disc.number.confidence, at)
        for at, disc in discs.items()
        if disc.number.runner_up and disc.number.confidence < SURE
    )[:MOST_DOUBTS]
    for size in (1, 2):
        for chosen in combinations([at for _, at in doubts], size):
            changed, remarks = dict(clues), []
            for at in chosen:
                was, now = discs[at].number.value or 0, discs[at].number.runner_up or 0
                changed[at] += now - was
                remarks.append(
                    f"island at row {at.row + 1}, column {at.col + 1}: {was} looked likelier, but only {now} can"
                    " be solved"
                )
            yield changed, tuple(remarks)
