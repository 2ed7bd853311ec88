"""Explains the solving of a board of cells: one rule after the other, each with the sentence of its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from solver.grid.board import Entries, named
from solver.grid.search import Problem
from solver.lattice import Square
from solver.steps import Contradiction, Finding

Sets = tuple[int, ...]
# So many cells are named in a sentence; of more the number is told.
NAMED = 3


class GridReasoner:
    """The rules of one board, the one with the fewest cells first. told: the entries that are taken for known."""

    def __init__(
        self,
        problem: Problem,
        words: Mapping[str, str],
        told: Callable[[Entries], Entries] = lambda entries: entries,
    ) -> None:
        self._problem, self._words, self._known = problem, words, told
        self._rules = sorted(problem.rules, key=lambda rule: len(rule.cells))

    def start(self, placed: Entries | None) -> Sets:
        """The board with what has been placed. Raises Contradiction."""
        return tuple(self._problem.sets(self._known(placed or {})))

    def deduce(self, board: Sets) -> Finding[Sets] | None:
        """What the smallest rule that applies tells: one that settles a cell before one that only narrows some."""
        narrowing: Finding[Sets] | None = None
        for rule in self._rules:
            found = rule.narrow(board)
            if not found:
                continue
            finding = self._finding(rule.why, board, found, rule.cells)
            if finding.settled:
                return finding
            narrowing = narrowing or finding
        return narrowing

    def branches(self, board: Sets) -> Iterator[Sequence[Finding[Sets]]]:
        """The values of the open cells, those with the fewest first."""
        open_cells = [(have.bit_count(), cell) for cell, have in enumerate(board) if have & (have - 1)]
        for _, cell in sorted(open_cells):
            at = self._problem.cells[cell]
            findings = []
            for value, bit in self._problem.bits.items():
                if board[cell] & bit:
                    after = (*board[:cell], bit, *board[cell + 1 :])
                    why = f"Suppose {self._word(value)} is at {named(at)}."
                    findings.append(
                        Finding("guess", why, after, self._seen({at: value}), frozenset({at}), (at,))
                    )
            yield findings

    def known(self, board: Sets) -> dict[Square, str]:
        """The board as a partial solution; cells that stay empty are told, too."""
        return self._problem.entries(board, blanks=True)

    def maybe(self, board: Sets) -> Mapping[Any, Any]:
        """The values that open cells may have."""
        return {
            self._problem.cells[cell]: tuple(value for value, bit in self._problem.bits.items() if have & bit)
            for cell, have in enumerate(board)
            if have & (have - 1)
        }

    def _finding(
        self, why: str, board: Sets, found: Mapping[int, int], cells: Sequence[int]
    ) -> Finding[Sets]:
        after = list(board)
        for cell, left in found.items():
            if not left:
                raise Contradiction(f"nothing is left for {named(self._problem.cells[cell])}: {why}")
            after[cell] = left
        changed = {cell: left for cell, left in found.items() if left != board[cell]}
        settled = {
            self._problem.cells[cell]: self._problem.values[left.bit_length() - 1]
            for cell, left in changed.items()
            if not left & (left - 1)
        }
        at = tuple(self._problem.cells[cell] for cell in cells)
        text = f"{why[:1].upper()}{why[1:]}; so {self._told(settled, changed)}."
        narrowed = frozenset(self._problem.cells[cell] for cell in changed)
        return Finding(why, text, tuple(after), self._seen(settled), narrowed, at)

    def _seen(self, settled: Mapping[Square, str]) -> Mapping[Square, str]:
        return dict(settled)

    def _told(self, settled: Mapping[Square, str], changed: Mapping[int, int]) -> str:
        by_value: dict[str, list[Square]] = {}
        for cell, value in sorted(settled.items()):
            by_value.setdefault(value, []).append(cell)
        if by_value:
            return " and ".join(
                f"{self._word(value)} is at {_places(cells)}" for value, cells in sorted(by_value.items())
            )
        number, left = next(iter(sorted(changed.items())))
        values = [self._word(value) for value, bit in self._problem.bits.items() if left & bit]
        others = len(changed) - 1
        more = f", and {others} more {'cell is' if others == 1 else 'cells are'} narrowed" if others else ""
        return f"{named(self._problem.cells[number])} is {' or '.join(values)}{more}"

    def _word(self, value: str) -> str:
        return self._words.get(value, value)


def _places(cells: Sequence[Square]) -> str:
    told = " and at ".join(named(cell) for cell in cells[:NAMED])
    return told if len(cells) <= NAMED else f"{told} and {len(cells) - NAMED} more"
