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
from typing import NamedTuple

from solver import bridges
from solver.answer import Limits
from solver.bridges import Bridges, Island, Span
from solver.errors import InvalidPuzzle, NoSolution, SearchLimit
from solver.lattice import Square
from vision.errors import BoardNotFound, UncertainReading
from vision.readers.bridges.discs import Disc

# So few circles without a solution are anything: buttons, counters.
SURELY_A_BOARD = 9
SURE = 0.9
# Only a number hardly likelier than its runner-up is changed for the puzzle's sake; one that is clearly legible stays.
NEAR_TIE = 0.7
MOST_DOUBTS = 8
WITNESS_S = 1.5
STRICTER_S = 0.3
# Nearly every board allows two bridges on a span; some programs allow more.
USUAL_BRIDGES = 2
MOST_BRIDGES = 4
# Larger clues are rare; those of four islands around, with the usual two bridges to each.
MOST_CLUE = 8
CLEARER = "a clearer or larger picture of the whole board helps"
# So many of the islands must be sure of themselves; two bridges each way make at most this number.
MOSTLY_SURE, MOST_NUMBER = 0.7, 16


class Way(NamedTuple):
    """Clues as they may be meant: what had to be decided for that, and the islands that are not as they look."""

    clues: Mapping[Square, int]
    remarks: tuple[str, ...] = ()
    changed: frozenset[Square] = frozenset()


class Settled(NamedTuple):
    """The puzzle, whether it speaks for its numbers, and the way to understand them that led to it.

    unique: it has exactly one solution, with no more bridges than usual: three and four explain a misread number.
    only: it has exactly one solution, with however many bridges.
    """

    puzzle: Bridges
    unique: bool
    way: Way
    only: bool


def settled(
    discs: Mapping[Square, Disc], joins: Mapping[Span, int], size: tuple[int, int], sgt: bool
) -> Settled:
    """The puzzle that has a solution.

    size: (width, height) of the board; sgt: the collection's own drawing, whose labels are always the clues.
    """
    labels = {at: disc.number.value or 0 for at, disc in discs.items()}
    ways = [Way(labels)]
    if not sgt:
        attached = {at: sum(n for span, n in joins.items() if at in span) for at in labels}
        rest = {at: label + attached[at] for at, label in labels.items()}
        if any(disc.number.value == 0 and disc.number.confidence >= SURE for disc in discs.values()):
            ways = [Way(rest, ("labels are the bridges still missing",))]
        elif joins:
            why = "labels are taken for the bridges still missing: as clues they contradict"
            ways.append(Way(rest, (why,)))
    seen = max(joins.values(), default=0)
    usual = max(seen, USUAL_BRIDGES)
    one, two = (list(_corrected(ways[0], discs, number)) for number in (1, 2))
    # Three and four bridges explain many a misread number, so doubtful numbers are thought of first.
    for most in (range(usual, usual + 1), range(usual + 1, MOST_BRIDGES + 1)):
        for way in ways:
            found = _board(way.clues, size, most, seen)
            # What is not the usual meaning needs a puzzle as most are: with one solution, and no more bridges than usual.
            # More bridges explain many a board of which a part is missing, so there one solution is asked for as well.
            odd = (way is not ways[0]) + (usual not in most)
            if found is not None and (odd == 0 or (odd == 1 and found[1])):
                return Settled(found[0], found[1] and usual in most, way, found[1])
        for changed in (one, two):
            boards = [(found, way) for way in changed if (found := _board(way.clues, size, most, seen))]
            # A board with one solution is likelier the one that was meant; two such boards are one too many.
            best = [(found, way) for found, way in boards if found[1]] or boards
            if len(best) == 1 and not _others_fit(best[0][1], size, most, seen):
                return Settled(*best[0][0], best[0][1], False)
            if best:
                raise _undecided(discs, frozenset[Square]().union(*(way.changed for _, way in best)))
    first = ways[0].clues
    total = sum(first.values())
    sure = sum(disc.number.confidence >= SURE for disc in discs.values())
    if (
        len(discs) < SURELY_A_BOARD
        or sure < MOSTLY_SURE * len(discs)
        or any(c > MOST_NUMBER for c in first.values())
    ):
        raise BoardNotFound(
            f"{len(discs)} circles with numbers (sum {total}), which have no solution as a Bridges board",
            hint="show the whole board, large enough to read its numbers",
        )
    raise UncertainReading(
        f"{len(discs)} islands were read, but their numbers (sum {total}) have no solution with {usual} bridges a span",
        hint=CLEARER,
        cells=sorted(at for at, disc in discs.items() if disc.number.confidence < SURE),
    )


def _others_fit(way: Way, size: tuple[int, int], most: range, seen: int) -> bool:
    """Whether a changed clue may be a third number as well: a spoilt digit is not always one of two."""
    return any(
        clue != way.clues[at] and _board({**way.clues, at: clue}, size, most, seen) is not None
        for at in way.changed
        for clue in range(2 - way.clues[at] % 2, MOST_CLUE + 1, 2)
    )


def _undecided(discs: Mapping[Square, Disc], cells: frozenset[Square]) -> UncertainReading:
    return UncertainReading(
        f"{len(discs)} islands were read, and their numbers have a solution only when one of {len(cells)} doubtful ones is read"
        " as something else",
        hint=CLEARER,
        cells=sorted(cells),
    )


def _board(
    clues: Mapping[Square, int], size: tuple[int, int], most: range, seen: int
) -> tuple[Bridges, bool] | None:
    """The puzzle under the rules that fit, and whether it has just one solution; None when there is none.

    most: how many bridges a span may carry, to be tried in order; seen: how many some span has.
    """
    if sum(clues.values()) % 2:
        return None
    try:
        islands = tuple(Island(at, clue) for at, clue in clues.items())
    except InvalidPuzzle:
        return None
    for most_bridges in most:
        puzzle = Bridges(islands, *size, most_bridges)
        solutions = _solutions(puzzle, WITNESS_S)
        if solutions > 1:
            single = [replace(puzzle, max_bridges=1), replace(puzzle, max_bridges=1, loops=False)]
            stricter = [*(single if seen <= 1 else []), replace(puzzle, loops=False)]
            only = next((rules for rules in stricter if _solutions(rules, STRICTER_S) == 1), None)
            return only or puzzle, only is not None
        if solutions:
            return puzzle, solutions == 1
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


def _corrected(way: Way, discs: Mapping[Square, Disc], number: int) -> Iterator[Way]:
    """The clues with so many near ties as their runner-up, the least certain first."""
    doubts = sorted(
        (disc.number.confidence, at)
        for at, disc in discs.items()
        if disc.number.runner_up and disc.number.confidence < NEAR_TIE
    )[:MOST_DOUBTS]
    for chosen in combinations([at for _, at in doubts], number):
        clues, remarks = dict(way.clues), list(way.remarks)
        for at in chosen:
            was, now = discs[at].number.value or 0, discs[at].number.runner_up or 0
            clues[at] += now - was
            remarks.append(
                f"island at row {at.row + 1}, column {at.col + 1}: {was} looked likelier, but only {now} can be solved"
            )
        yield Way(clues, tuple(remarks), frozenset(chosen))
