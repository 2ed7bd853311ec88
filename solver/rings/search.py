"""Solves ring puzzles: propagation of sums (`sums.py`), and a search where that is not enough.

The search takes the blank with the fewest values whose rings failed most often and have the fewest other blanks
(dom/wdeg, Boussemart et al. 2004); or a value of the common target, where that has fewer.
"""

from __future__ import annotations

from collections.abc import Iterator

from solver.answer import Answer, Limits
from solver.errors import NoSolution, SearchLimit
from solver.lattice import Region
from solver.rings.puzzle import Entries, Rings
from solver.rings.sums import FAILED, Sums

NO_LIMITS = Limits()


def solve(puzzle: Rings, limits: Limits = NO_LIMITS) -> Answer[Entries]:
    """A filling of the blanks that breaks no rule; with `limits.unique` also whether it is the only one.

    Raises NoSolution when it is proved that there is none, SearchLimit when the time is over before the
    first.
    """
    search = Search(puzzle, limits)
    found = search.solutions()
    first: Entries | None = next(found, None)
    if first is None:
        if search.stopped:
            raise SearchLimit(f"no filling found in {limits.seconds} s", hint="allow more time with --limit")
        raise NoSolution(
            f"no filling of the {len(puzzle.blanks)} blanks meets every target",
            hint="compare the numbers, the stock and the targets with the screen",
        )
    if not limits.unique:
        return Answer(first)
    second = next(found, None)
    unique = False if second is not None else None if search.stopped else True
    return Answer(first, unique=unique, second=second)


def count(puzzle: Rings, at_most: int | None = None, limits: Limits = NO_LIMITS) -> int:
    """How many fillings there are, mirror images counted apart; counting stops at `at_most`.

    Raises SearchLimit when the time is over.
    """
    search = Search(puzzle, limits)
    found = 0
    for _ in search.solutions():
        found += 1
        if found == at_most:
            return found
    if search.stopped:
        raise SearchLimit(f"{found} fillings found in {limits.seconds} s, there may be more")
    return found


class Search:
    """The search for one puzzle.

    guesses: branches taken so far; 0 where propagation alone was enough.
    stopped: the time, or `most_guesses`, ended the search.
    """

    def __init__(self, puzzle: Rings, limits: Limits = NO_LIMITS, *, most_guesses: int | None = None) -> None:
        self.guesses = 0
        self._most_guesses = most_guesses
        self.stopped = False
        self._blanks = puzzle.blanks
        self._sums = Sums(puzzle)
        self._stop = limits.stopper()

    def solutions(self) -> Iterator[dict[Region, int]]:
        """Every filling, one by one."""
        start = self._sums.start()
        if start is None:
            return
        domains, common = start
        settled = [cell for cell, mask in enumerate(domains) if not mask & (mask - 1)]
        common = self._sums.propagate(domains, common, settled, range(len(self._sums.cells)))
        if common == FAILED:
            return
        stack = [self._branches(domains, common)]
        while stack:
            node = next(stack[-1], None)
            if node is None:
                stack.pop()
                continue
            domains, common = node
            if all(not mask & (mask - 1) for mask in domains):
                yield {
                    region: mask.bit_length() - 1 for region, mask in zip(self._blanks, domains, strict=True)
                }
                continue
            if self._stop() or (self._most_guesses is not None and self.guesses >= self._most_guesses):
                self.stopped = True
                return
            stack.append(self._branches(domains, common))

    def _branches(self, domains: list[int], common: int) -> Iterator[tuple[list[int], int]]:
        """The boards after each way to go on; a full board is its own only branch."""
        cell = self._choose(domains)
        if cell < 0:
            yield domains, common
            return
        mask = domains[cell]
        if 1 < common.bit_count() <= mask.bit_count():
            left = common
            while left:
                bit = left & -left
                left ^= bit
                yield from self._after(list(domains), bit, [], range(len(self._sums.cells)))
            return
        while mask:
            bit = mask & -mask
            mask ^= bit
            board = list(domains)
            board[cell] = bit
            yield from self._after(board, common, [cell], [])

    def _after(
        self, board: list[int], common: int, changed: list[int], rings: range | list[int]
    ) -> Iterator[tuple[list[int], int]]:
        self.guesses += 1
        common = self._sums.propagate(board, common, changed, rings)
        if common != FAILED:
            yield board, common

    def _choose(self, domains: list[int]) -> int:
        """The blank to branch on, -1 when all are settled."""
        sums = self._sums
        # A ring says more about its blanks the fewer of them are open.
        pull = []
        for cells, weight in zip(sums.cells, sums.weight, strict=True):
            unsettled = 0
            for cell in cells:
                unsettled += domains[cell] & (domains[cell] - 1) != 0
            pull.append(weight / (unsettled or 1))
        best, best_score = -1, 0.0
        for cell, mask in enumerate(domains):
            if mask & (mask - 1):
                score = sum([pull[ring] for ring in sums.rings_of[cell]]) / mask.bit_count()
                if best < 0 or score > best_score:
                    best, best_score = cell, score
        return best
