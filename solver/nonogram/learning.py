"""The last stage of the nonogram solver: clause learning over cells and the places of runs.

`clauses` holds the search itself; here a puzzle goes in and pictures come out. The same search runs in plain Python or
compiled (`fast`), with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from solver.lattice import Square
from solver.nonogram import clauses
from solver.nonogram.board import Nonogram, Picture
from solver.nonogram.clauses import OPEN, REFUTED, SOLVED, Search
from solver.nonogram.machine import Machine
from solver.nonogram.positions import Clauses, encode, variables_needed

# Beyond this many variables the clauses would fill gigabytes; no published puzzle comes near (Gettysburg: 65 000).
MOST_VARIABLES = 2_000_000


def can_encode(puzzle: Nonogram) -> bool:
    """Whether the clauses of a puzzle fit the memory."""
    inks = 1 if puzzle.palette is None else len(puzzle.palette.inks)
    cells, lines = puzzle.width * puzzle.height, puzzle.width + puzzle.height
    # Runs that fill s of n cells, in r pieces, need r * (n - s) variables: at most a quarter of n * n.
    at_most = cells * (inks + lines / 4)
    return at_most <= MOST_VARIABLES or variables_needed(puzzle) <= MOST_VARIABLES


class Learner:
    """One puzzle being decided.

    known: the cells that are certain. alike: cells that are to be the same; the pictures are then not all there are.
    """

    def __init__(
        self,
        puzzle: Nonogram,
        known: Picture,
        machine: Machine,
        alike: Iterable[tuple[Square, Square]] = (),
    ) -> None:
        self._puzzle, self._machine = puzzle, machine
        self._chars = [ink.char for ink in puzzle.palette.inks] if puzzle.palette else ["#"]
        self._clauses = encode(puzzle, *_known_lines(puzzle, known), alike)
        self._clauses.facts.extend(self._literals(known))
        self._search = _blank_search(self._clauses, machine)
        self._state = machine.begin(
            self._search,
            machine.array(self._clauses.facts),
            machine.array(self._clauses.pairs),
            machine.array(self._clauses.triples),
        )
        self.conflicts = 0

    def next_picture(self, stop: Callable[[], bool], conflicts: int | None = None) -> Picture | None:
        """A picture that was not met or excluded before. None: `refuted` says that there is none, or it is open.

        conflicts: give up after about so many.
        """
        left = conflicts
        while self._state == OPEN and not stop():
            if left is not None and left <= 0:
                return None
            step = self._machine.conflicts if left is None else min(left, self._machine.conflicts)
            self._state = self._machine.go_on(self._search, step)
            left = None if left is None else left - step
        if self._state != SOLVED:
            return None
        picture = self._picture()
        self.exclude(picture)
        return picture

    def next_pictures(
        self, at_most: int, stop: Callable[[], bool], conflicts: int | None = None
    ) -> list[Picture]:
        """Up to so many other pictures. conflicts: for each of them."""
        found: list[Picture] = []
        while len(found) < at_most and (picture := self.next_picture(stop, conflicts)) is not None:
            found.append(picture)
        return found

    def stay_near(self, picture: Picture) -> None:
        """Try the values of a picture first."""
        for literal in self._literals(picture):
            self._search.phase[literal >> 1] = literal & 1

    @property
    def refuted(self) -> bool:
        return self._state == REFUTED

    def exclude(self, picture: Picture) -> None:
        """Ask for another picture than this one."""
        if self._state == REFUTED:
            return
        literals = list(self._literals(picture))
        for number, literal in enumerate(literals):
            self._search.learned[number] = literal ^ 1
        self._state = self._machine.exclude(self._search, len(literals))

    def _literals(self, picture: Picture) -> Iterable[int]:
        """What a picture says of its cells."""
        inks = dict(picture.inks)
        cell = self._clauses.cell
        for at in sorted(picture.filled | picture.blank):
            filled = at in picture.filled
            for number, char in enumerate(self._chars):
                if not filled:
                    yield 2 * cell(*at, number) + 1
                elif len(self._chars) == 1 or at in inks:
                    yield 2 * cell(*at, number) + (inks.get(at, char) != char)

    def _picture(self) -> Picture:
        value, width, kinds = self._search.value, self._puzzle.width, len(self._chars)
        filled: dict[Square, str] = {}
        blank: list[Square] = []
        for number in range(self._clauses.cell_variables // kinds):
            at = Square(*divmod(number, width))
            first = number * kinds
            ink = next((ink for ink in range(kinds) if value[2 * (first + ink)] > 0), None)
            if ink is None:
                blank.append(at)
            else:
                filled[at] = self._chars[ink]
        inks = frozenset(filled.items()) if self._puzzle.palette else frozenset()
        return Picture(frozenset(filled), frozenset(blank), inks)


def _known_lines(puzzle: Nonogram, known: Picture) -> tuple[set[int], set[int]]:
    """Rows and columns of which every cell is known, with its ink; single lines have been deduced."""
    rows, cols = [0] * puzzle.height, [0] * puzzle.width
    inked = {at for at, _ in known.inks} if puzzle.palette else known.filled
    for at in inked | known.blank:
        rows[at.row] += 1
        cols[at.col] += 1
    return (
        {row for row, count in enumerate(rows) if count == puzzle.width},
        {col for col, count in enumerate(cols) if count == puzzle.height},
    )


def _blank_search(clauses_: Clauses, machine: Machine) -> Search:
    variables = clauses_.variables
    literals = 2 * variables
    ints, naturals, floats = machine.ints, machine.naturals, machine.floats
    # Every learned clause has at most one literal per level; there must always be room for a few.
    shelf = max(machine.shelf, 8 * variables)
    return Search(
        pair_start=naturals(literals + 1),
        pair_other=naturals(len(clauses_.pairs)),
        triple_start=naturals(literals + 1),
        triple_a=naturals(len(clauses_.triples)),
        triple_b=naturals(len(clauses_.triples)),
        value=ints(literals),
        level=ints(variables),
        phase=ints(variables),
        target=ints(variables),
        best=ints(variables),
        reason_a=ints(variables),
        reason_b=ints(variables),
        trail=naturals(variables),
        level_start=ints(variables + 1),
        shelf=naturals(shelf),
        clause_start=ints(machine.most_clauses + 1),
        clause_levels=ints(machine.most_clauses),
        watch_first=ints(literals),
        watch_next=ints(2 * machine.most_clauses),
        activity=floats(variables),
        heap=naturals(variables),
        heap_at=ints(variables),
        seen=ints(variables),
        learned=ints(variables + 1),
        stack=ints(max(variables, clauses.MOST_LEVELS + 1)),
        cleared=ints(variables),
        level_mark=ints(variables + 1),
        step=floats(1),
        now=ints(clauses.NUMBERS),
    )
