"""Finds the answer of a board from its rules, and proves whether there is another one.

Propagation first: every rule leaves in its cells what it allows, until none says anything new. Where that is not enough,
the cell with the fewest values left is tried, and what failed is told to the rest (depth first, fewest values first:
R. Haralick and G. Elliott, 1980).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product

from solver.answer import Answer, Limits
from solver.errors import InvalidPuzzle, NoSolution, SearchLimit
from solver.grid.board import Board, Entries, named
from solver.grid.joined import Connected, Forest, Matched, Sized
from solver.grid.rules import (
    Both,
    Count,
    Different,
    Less,
    Next,
    Parity,
    Rule,
    Sets,
    Sight,
    Total,
    Unlike,
)
from solver.lattice import Square
from solver.steps import Contradiction


@dataclass
class Problem:
    """A board with its rules.

    values: what a cell may hold, in order. cells: those that hold something, numbered in this order.
    blank: the value of a cell with nothing entered; None where every cell needs an entry.
    """

    board: Board
    values: Sequence[str]
    cells: tuple[Square, ...]
    blank: str | None = None
    rules: list[Rule] = field(default_factory=list)
    start: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.bits = {value: 1 << i for i, value in enumerate(self.values)}
        self.numbers = {cell: number for number, cell in enumerate(self.cells)}
        self.all = (1 << len(self.values)) - 1
        self.start = [self.all] * len(self.cells)

    # What a game says of its board.

    def only(self, cell: Square, values: Iterable[str]) -> None:
        """From the beginning a cell may hold these values only."""
        self.start[self.numbers[cell]] &= self._set(values)

    def count(self, cells: Iterable[Square], values: Iterable[str], least: int, most: int, why: str) -> None:
        """Between `least` and `most` of the cells hold one of the values."""
        wanted = self._set(values)
        self.literals([(cell, wanted) for cell in cells], least, most, why)

    def exactly(self, number: int, cells: Iterable[Square], values: Iterable[str], why: str) -> None:
        self.count(cells, values, number, number, why)

    def at_most(self, number: int, cells: Iterable[Square], values: Iterable[str], why: str) -> None:
        self.count(cells, values, 0, number, why)

    def literals(self, literals: Iterable[tuple[Square, int]], least: int, most: int, why: str) -> None:
        """Between `least` and `most` of (cell, set of values) hold; a cell may stand there several times."""
        known = tuple((self.numbers[cell], wanted) for cell, wanted in literals if cell in self.numbers)
        self.rules.append(Count(known, least, most, why))

    def different(self, cells: Sequence[Square], why: str) -> None:
        """No value twice; where there are as many cells as values, each once."""
        numbers = tuple(self.numbers[cell] for cell in cells)
        self.rules.append(Different(numbers, why, self.all if len(cells) == len(self.values) else 0))

    def total(self, cells: Sequence[Square], total: int, why: str) -> None:
        """The cells hold different values that make a total; the first value counts 1, the next one 2 and so on."""
        counts = combinations(range(len(self.values)), len(cells))
        ways = tuple(sum(1 << i for i in way) for way in counts if sum(way) + len(way) == total)
        self.different(cells, why)
        self.rules.append(Total(tuple(self.numbers[cell] for cell in cells), ways, why))

    def table(self, cells: Sequence[Square], rows: Iterable[Sequence[str]], why: str) -> None:
        """The cells hold one of the rows."""
        bits = [[self.bits[value] for value in row] for row in rows]
        if not bits:
            raise InvalidPuzzle(f"{why}, and nothing does that")
        # Brings numpy along, which most games do not need.
        from solver.grid.table import Table

        numbers = tuple(self.numbers[cell] for cell in cells)
        self.rules.append(Table.of(numbers, bits, why))

    def relation(self, cells: Sequence[Square], kept: Callable[..., bool], why: str) -> None:
        """The values of the cells are in a relation; for few cells and values."""
        choices = [[v for v in self.values if self.bits[v] & self.start[self.numbers[c]]] for c in cells]
        self.table(cells, [row for row in product(*choices) if kept(*row)], why)

    def less(self, low: Square, high: Square, why: str) -> None:
        self.rules.append(Less((self.numbers[low], self.numbers[high]), why))

    def next_to(self, one: Square, other: Square, wanted: bool, why: str) -> None:
        """The values of two cells follow each other, or do not, in the order of the values."""
        self.rules.append(Next((self.numbers[one], self.numbers[other]), wanted, why))

    def unlike(self, line: Sequence[Square], other: Sequence[Square], why: str) -> None:
        """Two lines of cells are not the same."""
        pairs = tuple((self.numbers[a], self.numbers[b]) for a, b in zip(line, other, strict=True))
        self.rules.append(Unlike(pairs, why))

    def parity(self, cells: Iterable[Square], values: Iterable[str], odd: bool, why: str) -> None:
        """An odd, or an even, number of the cells hold one of the values."""
        self.rules.append(Parity(tuple(self.numbers[cell] for cell in cells), self._set(values), odd, why))

    def both(self, one: tuple[Square, Iterable[str]], other: tuple[Square, Iterable[str]], why: str) -> None:
        """One cell holds one of its values and the other cell one of its own, or neither does."""
        (a, mine), (b, its) = one, other
        self.rules.append(Both((self.numbers[a], self._set(mine)), (self.numbers[b], self._set(its)), why))

    def sight(self, at: Square, values: Iterable[str], total: int, why: str) -> None:
        """From a cell so many cells of the values are seen along row and column, itself among them."""
        arms = []
        for arm in self.board.arms(at):
            seen: list[int] = []
            for cell in arm:
                if cell not in self.numbers:
                    break
                seen.append(self.numbers[cell])
            arms.append(tuple(seen))
        self.rules.append(Sight(tuple(arms), self._set(values), total, why))

    def connected(self, values: Iterable[str], why: str) -> None:
        """The cells with one of the values hang together."""
        self.rules.append(Connected(*self._near(), self._set(values), why))

    def sized(self, sizes: Mapping[str, int], why: str) -> None:
        """Cells of a value hang together in groups of as many cells as it says."""
        width = self.board.width + 1
        places = tuple(cell.row * width + cell.col for cell in self.cells)
        known = {self.bits[value]: size for value, size in sizes.items()}
        self.rules.append(Sized(tuple(self.numbers.values()), places, width, known, why))

    def matched(self, posts: Iterable[Iterable[Square]], values: Iterable[str], why: str) -> None:
        """Each post has a cell with one of the values for itself, and no such cell is left over."""
        known = tuple(tuple(self.numbers[cell] for cell in post if cell in self.numbers) for post in posts)
        self.rules.append(Matched(known, self._set(values), why))

    def forest(
        self,
        joins: Mapping[Square, Mapping[str, Sequence[tuple[int, int]]]],
        points: int,
        why: str,
        *,
        spanning: bool = False,
    ) -> None:
        """The points that the values join make no loop; with `spanning` they all hang together."""
        known = {
            self.numbers[cell]: {self.bits[value]: tuple(pairs) for value, pairs in by_value.items()}
            for cell, by_value in joins.items()
        }
        self.rules.append(Forest(tuple(known), known, points, why, spanning))

    def _set(self, values: Iterable[str]) -> int:
        return sum(self.bits[value] for value in set(values) if value in self.bits)

    def _near(self) -> tuple[tuple[int, ...], dict[int, tuple[int, ...]]]:
        numbers = self.numbers
        near = {
            numbers[cell]: tuple(numbers[one] for one in self.board.beside(cell) if one in numbers)
            for cell in self.cells
        }
        return tuple(near), near

    # Boards and sets of possibilities.

    def sets(self, entries: Entries) -> list[int]:
        """The possibilities with these entries. Raises Contradiction where one cannot stand where it does."""
        found = list(self.start)
        for cell, value in entries.items():
            number = self.numbers.get(cell)
            if number is None or not self.bits.get(value, 0) & found[number]:
                raise Contradiction(f"{value!r} cannot stand at {named(cell)}")
            found[number] = self.bits[value]
        return found

    def entries(self, sets: Sets, *, blanks: bool = False) -> dict[Square, str]:
        """The cells that are known. blanks: those that need no entry, too."""
        return {
            cell: self.values[have.bit_length() - 1]
            for cell, have in zip(self.cells, sets, strict=True)
            if not have & (have - 1) and (blanks or self.values[have.bit_length() - 1] != self.blank)
        }

    # Asked once all rules are said.
    @cached_property
    def watchers(self) -> list[list[int]]:
        """The rules about every cell."""
        found: list[list[int]] = [[] for _ in self.cells]
        for number, rule in enumerate(self.rules):
            for cell in rule.cells:
                found[cell].append(number)
        return found

    @cached_property
    def heavy(self) -> list[bool]:
        """Which rules are about so many cells that they are asked last."""
        return [len(rule.cells) > HEAVY for rule in self.rules]


def propagate(problem: Problem, sets: list[int], due: Iterable[int] | None = None) -> None:
    """Leave in `sets`, which is changed, what all rules allow. due: the rules to begin with. Raises Contradiction."""
    rules, watchers, is_heavy = problem.rules, problem.watchers, problem.heavy
    queue = dict.fromkeys(range(len(rules)) if due is None else sorted(due))
    # Rules over many cells cost more: they wait until the small ones have nothing to say.
    heavy: dict[int, None] = {}
    while queue or heavy:
        if queue:
            number = next(iter(queue))
            del queue[number]
            if is_heavy[number] and queue:
                heavy[number] = None
                continue
        else:
            number = next(iter(heavy))
            del heavy[number]
        for cell, left in rules[number].narrow(sets).items():
            if not left:
                raise Contradiction(f"nothing is left for {named(problem.cells[cell])}: {rules[number].why}")
            if left != sets[cell]:
                sets[cell] = left
                for other in watchers[cell]:
                    if is_heavy[other]:
                        heavy[other] = None
                    else:
                        queue[other] = None


# Rules over more cells than this are asked last.
HEAVY = 20


def solutions(problem: Problem, stop: Callable[[], bool] = lambda: False) -> Iterator[dict[Square, str]]:
    """Every solution, in a fixed order. Raises SearchLimit when `stop` says so."""
    try:
        sets = list(problem.start)
        if 0 in sets:
            return
        propagate(problem, sets)
    except Contradiction:
        return
    stack = [sets]
    # How often the rules about each cell failed, each counted once to begin with.
    loads = [float(len(rules)) for rules in problem.watchers]
    while stack:
        if stop():
            raise SearchLimit("the time is over before an answer was found")
        sets = stack.pop()
        cell = _next_cell(sets, loads)
        if cell is None:
            yield problem.entries(sets)
            continue
        have = sets[cell]
        branches = []
        while have:
            value = have & -have
            have ^= value
            trial = list(sets)
            trial[cell] = value
            try:
                propagate(problem, trial, problem.watchers[cell])
            except Contradiction:
                for number in problem.watchers[cell]:
                    for other in problem.rules[number].cells:
                        loads[other] += 0.1
                # Of a rule about all cells, this one tells where it fails.
                loads[cell] += 0.5
                continue
            branches.append(trial)
        stack.extend(reversed(branches))


def _next_cell(sets: Sequence[int], loads: Sequence[float]) -> int | None:
    """The open cell with the fewest values for what the rules about it weigh; None where no cell is open."""
    best: int | None = None
    least = math.inf
    for cell, have in enumerate(sets):
        if have & (have - 1):
            score = have.bit_count() / (1e-9 + loads[cell])
            if score < least:
                best, least = cell, score
    return best


def solve(problem: Problem, limits: Limits) -> Answer[dict[Square, str]]:
    """The answer, with `unique` told where it was asked for. Raises NoSolution, SearchLimit."""
    found = solutions(problem, limits.stopper())
    first = next(found, None)
    if first is None:
        raise NoSolution("no entries keep all the rules")
    if not limits.unique:
        return Answer(first)
    try:
        second = next(found, None)
    except SearchLimit:
        return Answer(first)
    return Answer(first, unique=second is None, second=second)


def check(problem: Problem, entries: Entries) -> tuple[str, ...]:
    """The broken rules in words; empty means solved."""
    strange = [
        f"{value!r} cannot stand at {named(cell)}"
        for cell, value in entries.items()
        if cell not in problem.numbers
        or not problem.bits.get(value, 0) & problem.start[problem.numbers[cell]]
    ]
    if strange:
        return tuple(strange)
    sets = []
    for number, cell in enumerate(problem.cells):
        value = entries.get(cell, problem.blank)
        own = problem.start[number]
        if value is None and own & (own - 1):
            return (f"nothing stands at {named(cell)}",)
        sets.append(own if value is None else problem.bits[value] & own)
        if not sets[-1]:
            return (f"{value!r} cannot stand at {named(cell)}",)
    return tuple(rule.why for rule in problem.rules if not rule.holds(sets))
