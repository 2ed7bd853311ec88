"""The islands and spans of a board by number, and which spans cross."""

from __future__ import annotations

from solver.bridges.board import Bridges, Span


class Graph:
    """Numbers instead of squares, for the solver's inner loops.

    clues: by island, in the order of `Bridges.islands`.
    ends: the two islands of every span; the upper or left one first.
    spans: the spans of every island.
    crossing: for every span those that cross it.
    """

    __slots__ = ("clues", "crossing", "ends", "loops", "most", "puzzle", "spans")

    def __init__(self, puzzle: Bridges) -> None:
        self.puzzle = puzzle
        self.most, self.loops = puzzle.max_bridges, puzzle.loops
        self.clues = [island.clue for island in puzzle.islands]
        self.spans: list[list[int]] = [[] for _ in self.clues]
        self.ends: list[tuple[int, int]] = []
        self.crossing: list[list[int]] = []
        # The last island above in every column, and the spans across that have passed under it since.
        above = [-1] * puzzle.width
        passed: list[list[int]] = [[] for _ in above]
        left, left_row, left_col = -1, -1, -1
        for number, island in enumerate(puzzle.islands):
            row, col = island.at
            if row == left_row:
                span = self._add(left, number)
                for under in range(left_col + 1, col):
                    if above[under] >= 0:
                        passed[under].append(span)
            if above[col] >= 0:
                span = self._add(above[col], number)
                if passed[col]:
                    self.crossing[span] = passed[col]
                    for across in passed[col]:
                        self.crossing[across].append(span)
                    passed[col] = []
            above[col] = number
            left, left_row, left_col = number, row, col

    def _add(self, a: int, b: int) -> int:
        span = len(self.ends)
        self.ends.append((a, b))
        self.crossing.append([])
        self.spans[a].append(span)
        self.spans[b].append(span)
        return span

    def joins(self, counts: list[int]) -> dict[Span, int]:
        """A solution by squares from bridges by span number; spans without bridges are left out."""
        islands = self.puzzle.islands
        found = {
            Span(islands[a].at, islands[b].at): count
            for (a, b), count in zip(self.ends, counts, strict=True)
            if count
        }
        return dict(sorted(found.items()))
