"""Bridges (Hashiwokakero): the puzzle, its spans, its rules and its picture in text.

Islands stand on a square board, each with a number. Between two islands next to each other in a row or column
run 0 to m straight bridges; bridges never cross. Every island has exactly its number of bridge ends, and all
islands hang together. With `loops=False` the spans that carry bridges form a tree. Islands that touch may be
joined as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from solver.errors import InvalidPuzzle
from solver.lattice import Square

# What the games in use allow; a clue then is at most 16 (a letter in a game ID).
MOST_BRIDGES = 4
MOST_CLUE = 4 * MOST_BRIDGES
# Far above any printed board; keeps a hostile text from asking for gigabytes.
MOST_CELLS = 250_000


@dataclass(frozen=True, slots=True, order=True)
class Island:
    """A circle that asks for `clue` bridge ends."""

    at: Square
    clue: int

    def __post_init__(self) -> None:
        if not 1 <= self.clue <= MOST_CLUE:
            raise InvalidPuzzle(
                f"the island at row {self.at.row + 1}, column {self.at.col + 1} asks for {self.clue} bridges",
                hint=f"an island has 1 to {MOST_CLUE} bridges",
            )


class Span(NamedTuple):
    """A place where bridges could go, between two islands with nothing in between; `a < b`."""

    a: Square
    b: Square

    def as_json(self) -> list[int]:
        return [*self.a, *self.b]


Joins = Mapping[Span, int]


@dataclass(frozen=True)
class Bridges:
    """A board. `islands` is sorted by row, then column; spans are derived.

    max_bridges: the most bridges that one span carries, 1 to 4.
    loops: False where the joined islands must form a tree.
    Raises InvalidPuzzle for islands outside the board or on top of each other.
    """

    islands: tuple[Island, ...]
    width: int
    height: int
    max_bridges: int = 2
    loops: bool = True

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or self.width * self.height > MOST_CELLS:
            raise InvalidPuzzle(
                f"a board of {self.width} by {self.height} cells", hint=f"boards have 1 to {MOST_CELLS} cells"
            )
        if not 1 <= self.max_bridges <= MOST_BRIDGES:
            raise InvalidPuzzle(
                f"{self.max_bridges} bridges on one span", hint=f"a span carries at most 1 to {MOST_BRIDGES}"
            )
        object.__setattr__(self, "islands", tuple(sorted(self.islands)))
        seen: set[Square] = set()
        for island in self.islands:
            row, col = island.at
            if not (0 <= row < self.height and 0 <= col < self.width):
                raise InvalidPuzzle(
                    f"the island at row {row + 1}, column {col + 1} is outside the board of"
                    f" {self.width} by {self.height}"
                )
            if island.at in seen:
                raise InvalidPuzzle(f"two islands at row {row + 1}, column {col + 1}")
            seen.add(island.at)

    @cached_property
    def clues(self) -> dict[Square, int]:
        return {island.at: island.clue for island in self.islands}

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Every pair of islands next to each other in a row or column, sorted."""
        found: list[Span] = []
        above: dict[int, Square] = {}
        left: Square | None = None
        for island in self.islands:
            at = island.at
            if left is not None and left.row == at.row:
                found.append(Span(left, at))
            left = at
            if at.col in above:
                found.append(Span(above[at.col], at))
            above[at.col] = at
        return tuple(sorted(found))


def spans(puzzle: Bridges) -> tuple[Span, ...]:
    """Every place where bridges could go, sorted."""
    return puzzle.spans


def between(span: Span) -> tuple[Square, ...]:
    """The cells under the span, without the islands.

    >>> between(Span(Square(0, 0), Square(0, 3)))
    (Square(row=0, col=1), Square(row=0, col=2))
    """
    (row_a, col_a), (row_b, col_b) = span
    if row_a == row_b:
        return tuple(Square(row_a, col) for col in range(col_a + 1, col_b))
    return tuple(Square(row, col_a) for row in range(row_a + 1, row_b))


def check(puzzle: Bridges, solution: Joins) -> tuple[str, ...]:
    """The broken rules in words; empty means solved. Spans may be missing, or be there with 0."""
    broken: list[str] = []
    known = frozenset(puzzle.spans)
    ends = dict.fromkeys(puzzle.clues, 0)
    neighbours: dict[Square, list[Square]] = {at: [] for at in puzzle.clues}
    taken: dict[Square, Span] = {}
    joined = 0
    for span, count in sorted(solution.items()):
        name = _name(span)
        if span not in known:
            broken.append(f"{name} are not two islands next to each other")
            continue
        if not 0 <= count <= puzzle.max_bridges:
            broken.append(f"{name} are joined by {count} bridges, at most {puzzle.max_bridges} are allowed")
        if count <= 0:
            continue
        joined += 1
        for end, other in ((span.a, span.b), (span.b, span.a)):
            ends[end] += count
            neighbours[end].append(other)
        for cell in between(span):
            if cell in taken:
                broken.append(f"{name} crosses {_name(taken[cell])}")
            taken[cell] = span
    broken += [
        f"the island at row {at.row + 1}, column {at.col + 1} has {ends[at]} of {clue} bridges"
        for at, clue in puzzle.clues.items()
        if ends[at] != clue
    ]
    groups = _groups(neighbours)
    if groups > 1:
        broken.append(f"the islands form {groups} groups instead of one")
    if not puzzle.loops and joined != len(puzzle.islands) - groups:
        broken.append("the bridges form a loop")
    return tuple(broken)


def _name(span: Span) -> str:
    (row_a, col_a), (row_b, col_b) = span
    return f"row {row_a + 1}, column {col_a + 1} and row {row_b + 1}, column {col_b + 1}"


def _groups(neighbours: Mapping[Square, Sequence[Square]]) -> int:
    """How many sets of islands hang together."""
    unseen = set(neighbours)
    groups = 0
    while unseen:
        groups += 1
        reached = [unseen.pop()]
        while reached:
            for other in neighbours[reached.pop()]:
                if other in unseen:
                    unseen.remove(other)
                    reached.append(other)
    return groups


ACROSS = " -=≡≣"
DOWN = ' |"⦀⁞'
CLUE_SIGNS = "0123456789ABCDEFG"


def draw(puzzle: Bridges, solution: Joins) -> str:
    """The board in text: every second character is an island or a cell, with room for bridges in between.

    Clues from 10 on are letters (A is 10). One to four bridges: `- = ≡ ≣` across, `| " ⦀ ⁞` down.
    """
    lines = [[" "] * (2 * puzzle.width - 1) for _ in range(2 * puzzle.height - 1)]
    for span, count in sorted(solution.items()):
        (row_a, col_a), (row_b, col_b) = span
        if row_a == row_b:
            for col in range(2 * col_a + 1, 2 * col_b):
                lines[2 * row_a][col] = ACROSS[count]
        else:
            for row in range(2 * row_a + 1, 2 * row_b):
                lines[row][2 * col_a] = DOWN[count]
    for at, clue in puzzle.clues.items():
        lines[2 * at.row][2 * at.col] = CLUE_SIGNS[clue]
    return "\n".join("".join(line).rstrip() for line in lines)


def solution_json(puzzle: Bridges, solution: Joins) -> list[list[int]]:
    """`[[row, col, row, col, bridges], ...]`, sorted, without spans that carry none."""
    return [[*span.a, *span.b, count] for span, count in sorted(solution.items()) if count]
