"""Search on a Bridges board: look-ahead on single spans, then branching with restarts.

Boards with one solution are decided by deduction and look-ahead. Boards with many solutions need a choice
here and there. The next span is taken where the choice is narrow and has led to dead ends before (Boussemart
et al., "Boosting Systematic Search by Weighting Constraints", 2004). After a growing number of dead ends the
search starts again with what it has learned about hard places (Gomes, Selman and Kautz, "Boosting Combinatorial
Search Through Randomization", 1998), and begins with the values of the state that came nearest to a solution
(Pipatsrisawat and Darwiche, "A Lightweight Component Caching Scheme for Satisfiability Solvers", 2007).
A search that comes to its end is a proof.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from solver.bridges.deduce import Contradiction, State, connect, cut, lower, raise_, settle, start
from solver.bridges.graph import Graph

# Dead ends before the first restart, and how much more each time: small, since the weights learn quickly.
FIRST_DEAD_ENDS = 30
MORE_DEAD_ENDS = 1.5
# Look-ahead tries every span; a board with more open spans than this has many solutions: a choice is cheaper.
MOST_LOOK_AHEAD = 40
# How much chance there is in the choice of a span, so that restarts differ.
CHANCE = 0.2


class OutOfTime(Exception):
    """The limit was reached."""


class _Restart(Exception):
    """Too many dead ends from this start."""


class Search:
    """One board being solved.

    stop: asked at every choice whether time is over.
    tries: how many choices were made; 0 when deduction and look-ahead were enough.
    found: bridges by span of the solutions so far, all different.
    """

    def __init__(self, graph: Graph, stop: Callable[[], bool]) -> None:
        self.graph, self.stop = graph, stop
        self.tries = 0
        self.found: list[list[int]] = []
        self._weights = [1.0] * len(graph.ends)
        # The bridges of the state that came nearest to a solution.
        self._nearest: list[int] = []
        self._still_open = len(graph.ends) + 1
        self._random = random.Random(len(graph.ends))

    def solutions(self, at_most: int) -> list[list[int]]:
        """Up to `at_most` solutions; fewer are all there are. Raises OutOfTime, which leaves `found`."""
        graph = self.graph
        try:
            state = start(graph)
            follow(graph, state, list(range(len(graph.clues))))
            if state.open and len(state.open) <= MOST_LOOK_AHEAD:
                self._look_ahead(state)
        except Contradiction:
            return self.found
        limit = float(FIRST_DEAD_ENDS)
        while True:
            try:
                self._branch(state, at_most, limit)
                return self.found
            except _Restart:
                limit *= MORE_DEAD_ENDS

    def _look_ahead(self, state: State) -> None:
        """Rule out bounds with consequences that contradict each other. Raises Contradiction."""
        graph = self.graph
        idle = turn = 0
        while state.open and idle < len(state.open):
            span = state.open[turn % len(state.open)]
            turn += 1
            idle += 1
            low, high = state.least[span], state.most[span]
            if low < high and self._after(state, span, low + 1, high) is None:
                follow(graph, state, lower(graph, state, span, low))
                idle = 0
            elif low < high and self._after(state, span, low, high - 1) is None:
                follow(graph, state, raise_(graph, state, span, high))
                idle = 0

    def _after(self, state: State, span: int, low: int, high: int) -> State | None:
        """A copy with other bounds on one span and all that follows, None for a contradiction."""
        state = state.copy()
        graph = self.graph
        try:
            islands: list[int] = []
            if low > state.least[span]:
                islands += raise_(graph, state, span, low)
            if high < state.most[span]:
                islands += lower(graph, state, span, high)
            follow(graph, state, islands)
        except Contradiction:
            return None
        return state

    def _branch(self, state: State, at_most: int, dead_ends: float) -> None:
        """Depth first from a state to its end, or until enough is found. Raises OutOfTime and _Restart."""
        waiting = [state]
        while waiting and len(self.found) < at_most:
            state = waiting.pop()
            if not state.open:
                if state.least not in self.found:
                    self.found.append(state.least)
                continue
            if self.stop():
                raise OutOfTime
            self.tries += 1
            if len(state.open) < self._still_open:
                self._still_open, self._nearest = len(state.open), state.least
            span = self._choose(state)
            low, high = state.least[span], state.most[span]
            # The last one waiting is gone on with: what the nearest try had there, or else more bridges.
            ways = ((low, low), (low + 1, high))
            if self._nearest and self._nearest[span] <= low:
                ways = ways[::-1]
            for after in (self._after(state, span, *way) for way in ways):
                if after is not None:
                    waiting.append(after)
                    continue
                self._weights[span] += 1
                dead_ends -= 1
                if dead_ends < 0:
                    raise _Restart

    def _choose(self, state: State) -> int:
        """The open span whose islands have the fewest open spans, weighed by the dead ends met there."""
        graph, weights, chance = self.graph, self._weights, self._random.random
        choices = [0] * len(graph.clues)
        for span in state.open:
            a, b = graph.ends[span]
            choices[a] += 1
            choices[b] += 1
        best, best_score = -1, float("inf")
        for span in state.open:
            a, b = graph.ends[span]
            score = (choices[a] + choices[b] - 1) / weights[span] * (1 + CHANCE * chance())
            if score < best_score:
                best, best_score = span, score
        return best


def follow(graph: Graph, state: State, islands: list[int]) -> None:
    """Everything that follows without trying; `islands` are those that changed. Raises Contradiction."""
    settle(graph, state, islands)
    while connect(graph, state) or cut(graph, state):
        pass
