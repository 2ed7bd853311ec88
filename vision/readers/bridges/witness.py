"""The puzzle as a witness: which clues, and which rules, fit the numbers that were read.

Labels may be the clues, or (in some programs) the bridges still missing: a 0, or clues without a solution, tell
the second.

A picture tells neither how many bridges a span may carry nor whether loops are allowed. What has one solution under
stricter rules and the board's own solution is the same: so where two bridges and loops leave a choice, stricter
rules that leave none are taken for the board's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from solver import bridges
from solver.answer import Limits
from solver.bridges import Bridges, Island, Span
from solver.errors import InvalidPuzzle, NoSolution, SearchLimit
from solver.lattice import Square
from vision.digits import Number
from vision.errors import BoardNotFound, UncertainReading
from vision.readers.bridges.discs import Disc

# So few circles without a solution are anything: buttons, counters.
SURELY_A_BOARD = 9
SURE = 0.9
# More bridges than usual explain many a misread number: they are thought of where all are as sure as this.
LEGIBLE = 0.7
# With more pairs of what others may be instead, one solution speaks for none of them: so many take 50 ms.
MOST_PAIRS = 780
# What is hardly farther away than the digit that was chosen may be the one as well.
AS_NEAR = 1.1
WITNESS_S = 1.5
STRICTER_S = 0.3
# Nearly every board allows two bridges on a span; some programs allow more.
USUAL_BRIDGES = 2
MOST_BRIDGES = 4
CLEARER = "a clearer or larger picture of the whole board helps"
# So many of the islands must be sure of themselves; two bridges each way make at most this number.
MOSTLY_SURE, MOST_NUMBER = 0.7, 16


class Way(NamedTuple):
    """Clues as they may be meant, and what had to be decided for that."""

    clues: Mapping[Square, int]
    remarks: tuple[str, ...] = ()


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
    legible = all(disc.number.confidence >= LEGIBLE for disc in discs.values())
    more: int | None = None
    for most in (range(usual, usual + 1), range(usual + 1, (MOST_BRIDGES if legible else usual) + 1)):
        for way in ways:
            found = _board(way.clues, size, most, seen)
            # What is not the usual meaning needs a puzzle as most are: with one solution, and no more bridges than usual.
            # More bridges explain many a board of which a part is missing, so there one solution is asked for as well.
            odd = (way is not ways[0]) + (usual not in most)
            if found is not None and (odd == 0 or (odd == 1 and found[1])):
                return Settled(found[0], found[1] and usual in most, way, found[1])
            more = more or (found[0].max_bridges if found else None)
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
    several = f", and more than one with up to {more}: which of them is wanted cannot be told" if more else ""
    none = f"their numbers (sum {total}) have no solution with {usual} bridges a span"
    raise UncertainReading(
        f"{len(discs)} islands were read, but {none}{several}",
        hint=f"{CLEARER}; where a program allows more, the board can be given as text" if more else CLEARER,
        cells=sorted(at for at, disc in discs.items() if disc.number.confidence < SURE),
    )


def rivalled(puzzle: Bridges, discs: Mapping[Square, Disc]) -> set[Square]:
    """Islands for whose numbers one solution does not speak: two of them may as well be others that they look like."""
    others = {
        at: [puzzle.clues[at] + value - disc.number.value for value in _alike(disc.number)]
        for at, disc in discs.items()
        if disc.number.confidence < LEGIBLE and disc.number.value and disc.number.runner_up
    }
    pairs = [
        {one: clue, two: second}
        for one, two in combinations(sorted(others), 2)
        for clue, second in product(others[one], others[two])
    ]
    if len(pairs) > MOST_PAIRS:
        return set(others)
    found: set[Square] = set()
    for pair in pairs:
        if not pair.keys() <= found:
            size = puzzle.width, puzzle.height
            most = range(puzzle.max_bridges, puzzle.max_bridges + 1)
            rival = _board({**puzzle.clues, **pair}, size, most, 0)
            if rival is not None and rival[1]:
                found.update(pair)
    return found


def _alike(number: Number) -> list[int]:
    """What else the number may be: the digit that comes second, and all that are as near."""
    near = {number.runner_up}
    if len(number.glyphs) == 1:
        (glyph,) = number.glyphs
        near.update(np.flatnonzero(np.array(glyph.distances) <= AS_NEAR * glyph.distance).tolist())
    return sorted(value for value in near if value and value != number.value)


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
