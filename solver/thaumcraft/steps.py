"""Research notes step by step: what every chain costs at least, then the chain that was found, link by link.

1. lower bound      what linking all givens costs at least, from `ascent` (a proof that needs no search)
2. chain            the next aspect of the solver's chain, beside what hangs together already

Which chain is the cheapest is not found by rules that a player would follow but by search: the steps take it from
the solver's answer, and say whether it is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from solver.answer import Answer
from solver.lattice import Hex, hex_neighbours
from solver.steps import Finding
from solver.thaumcraft.ascent import CutOff, ascend
from solver.thaumcraft.graph import Graph
from solver.thaumcraft.note import Note, Solution, aspects_of
from solver.thaumcraft.rules import cost_of, linked_to


@dataclass(frozen=True)
class Known:
    """What is placed, and whether the lower bound has been told."""

    placed: Solution
    bound_told: bool = False


class ChainReasoner:
    """The way from a note to the solver's answer."""

    def __init__(self, note: Note, answer: Answer[Solution]) -> None:
        self.note, self.answer = note, answer
        self._aspects = aspects_of(note)
        self._chain = {cell: tag for cell, tag in answer.solution.items() if cell not in note.given}
        self._start = min(note.given) if note.given else None

    def start(self, placed: Solution | None) -> Known:
        # On a board in play the bound is no news.
        return Known(dict(placed or {}), bool(placed))

    def known(self, board: Known) -> Solution:
        return board.placed

    def maybe(self, board: Known) -> Mapping[Hex, str]:
        return {}

    def branches(self, board: Known) -> Iterator[Sequence[Finding[Known]]]:
        return iter(())

    def deduce(self, board: Known) -> Finding[Known] | None:
        missing = {cell: tag for cell, tag in self._chain.items() if board.placed.get(cell) != tag}
        if self._start is None or not missing:
            return None
        if not board.bound_told:
            finding = self._lower_bound(board)
            if finding is not None:
                return finding
        return self._next_link(board, missing, self._start)

    def _lower_bound(self, board: Known) -> Finding[Known] | None:
        costs = {**self._aspects.costs, **self.note.costs}
        graph = Graph(self.note, self._aspects, costs)
        try:
            bound = ascend(graph, graph.useful(graph.everything), graph.givens[0], graph.givens[1:]).bound
        except CutOff:
            return None
        why = f"Whatever is placed, linking all {len(self.note.given)} givens costs at least {bound}."
        return Finding("lower bound", why, Known(board.placed, True), {}, frozenset(), tuple(self.note.given))

    def _next_link(self, board: Known, missing: Mapping[Hex, str], start: Hex) -> Finding[Known]:
        """The first missing aspect that touches what hangs together with the first given."""
        lying = {**board.placed, **self.note.given}
        reached = linked_to(self.note, board.placed, start, self._aspects)
        for cell, tag in sorted(missing.items()):
            links = self._aspects.links[tag]
            beside = [other for other in hex_neighbours(cell) if other in reached and lying[other] in links]
            if beside:
                break
        else:
            # Something else lies where the chain begins; then any cell of it will do.
            cell, tag = min(missing.items())
            beside = []
        after = Known({**board.placed, cell: tag}, board.bound_told)
        why = f"{tag} at {self.note.name(cell)}: {self._because(tag, beside, lying)}{self._told()}."
        return Finding("chain", why, after, {cell: tag}, frozenset((cell,)), (cell, *beside))

    def _because(self, tag: str, beside: Sequence[Hex], lying: Mapping[Hex, str]) -> str:
        if not beside:
            return "it belongs to the chain"
        other = lying[beside[0]]
        components = self._aspects.components[tag]
        if components and other in components:
            return f"it is made of {' and '.join(components)}, so it links to the {other} at {self.note.name(beside[0])}"
        parts = self._aspects.components[other] or ()
        return f"the {other} at {self.note.name(beside[0])} is made of {' and '.join(parts)}, so they link"

    def _told(self) -> str:
        cost = cost_of(self.note, self._chain)
        proof = "proved cheapest" if self.answer.optimal else "the cheapest found so far"
        return f"; the whole chain costs {cost}, {proof}"
