"""How many solutions a board of cells has, told by a SAT solver (CaDiCaL) that knows what each rule means and none of our ways.

Rules about what hangs together are asked of each answer: where one is broken, what breaks it is forbidden, and the solver is
asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product
from typing import Any

from solver.grid.joined import Connected, Forest, Matched, Sized
from solver.grid.rules import Both, Count, Different, Less, Next, Parity, Rule, Sight, Total, Unlike
from solver.grid.search import Problem
from solver.grid.table import Table
from solver.lattice import Square

Clause = list[int]


class Formula:
    """A problem as clauses. holds(cell, wanted): the literal that says that a cell, by its number, holds one of some values."""

    # `Any`: a class of an optional module that is handed over untyped.
    def __init__(self, problem: Problem, make: type[Any], cards: type[Any]) -> None:
        self.problem, self.cards = problem, cards
        self.solver = make()
        self.top = 0
        self.wide = len(problem.values)
        self.value = [[self.new() for _ in problem.values] for _ in problem.cells]
        self.sets: dict[tuple[int, int], int] = {}
        for own, start in zip(self.value, problem.start, strict=True):
            self.add(own)
            for nth, literal in enumerate(own):
                if not start >> nth & 1:
                    self.add([-literal])
            for one, other in combinations(own, 2):
                self.add([-one, -other])
        for rule in problem.rules:
            self.say(rule)

    def new(self) -> int:
        self.top += 1
        return self.top

    def add(self, clause: Iterable[int]) -> None:
        self.solver.add_clause(list(clause))

    def holds(self, cell: int, wanted: int) -> int:
        if (cell, wanted) not in self.sets:
            self.sets[cell, wanted] = self.either(
                [literal for nth, literal in enumerate(self.value[cell]) if wanted >> nth & 1]
            )
        return self.sets[cell, wanted]

    def either(self, literals: Sequence[int]) -> int:
        """A literal that says that one of some holds."""
        told = self.new()
        self.add([-told, *literals])
        for literal in literals:
            self.add([-literal, told])
        return told

    def every(self, literals: Sequence[int]) -> int:
        """A literal that says that all of some hold."""
        return -self.either([-literal for literal in literals])

    def one_of(self, cells: Sequence[int], rows: Iterable[Sequence[int]]) -> None:
        """The cells hold the values, a bit each, of one of the rows."""
        self.add([self.every([self.holds(*pair) for pair in zip(cells, row, strict=True)]) for row in rows])

    def card(self, literals: Sequence[int], least: int, most: int) -> None:
        # A literal that stands there twice counts twice.
        own = [self.either([literal]) for literal in literals]
        for sign, bound in ((1, most), (-1, len(own) - least)):
            if bound < 0:
                self.add([])
            elif bound < len(own):
                made = self.cards.atmost([sign * one for one in own], bound=bound, top_id=self.top)
                self.top = max(self.top, made.nv)
                for clause in made.clauses:
                    self.add(clause)

    def say(self, rule: Rule) -> None:
        """The clauses of a rule; of one about what hangs together none yet."""
        bits = [1 << nth for nth in range(self.wide)]
        match rule:
            case Count():
                self.card([self.holds(*one) for one in rule.literals], rule.least, rule.most)
            case Different():
                for bit in bits:
                    own = [self.holds(cell, bit) for cell in rule.cells]
                    self.card(own, int(bool(rule.all_of & bit)), 1)
            case Total():
                self.add(
                    [
                        self.every([-self.holds(cell, (1 << self.wide) - 1 & ~way) for cell in rule.cells])
                        for way in rule.ways
                    ]
                )
            case Less():
                self.one_of(rule.cells, [(a, b) for a, b in product(bits, bits) if a < b])
            case Next():
                near = [(a, b) for a, b in product(bits, bits) if (a in (b << 1, b >> 1)) == rule.wanted]
                self.one_of(rule.cells, near)
            case Unlike():
                alike = [
                    self.every([self.holds(a, bit), self.holds(b, bit)])
                    for a, b in rule.pairs
                    for bit in bits
                ]
                self.card(alike, 0, len(rule.pairs) - 1)
            case Parity():
                odd = self.either([])
                for cell in rule.cells:
                    own, told = self.holds(cell, rule.wanted), self.new()
                    for a, b in product((1, -1), repeat=2):
                        self.add([-a * odd, -b * own, (-1 if a == b else 1) * told])
                    odd = told
                self.add([odd if rule.odd else -odd])
            case Both():
                one, other = self.holds(*rule.one), self.holds(*rule.other)
                self.add([-one, other])
                self.add([one, -other])
            case Sight():
                self.say_sight(rule)
            case Matched():
                self.say_matched(rule)
            case Table():
                self.one_of(rule.cells, rule.rows.tolist())
            case Connected() | Forest() | Sized():
                pass
            case _:
                raise NotImplementedError(type(rule).__name__)

    def say_sight(self, rule: Sight) -> None:
        runs = []
        for arm in rule.arms:
            seen = [self.holds(cell, rule.seen) for cell in arm]
            runs.append(
                [
                    self.every([*seen[:far], *(-one for one in seen[far : far + 1])])
                    for far in range(len(arm) + 1)
                ]
            )
        ways = [
            way for way in product(*(range(len(run)) for run in runs)) if sum(way) + rule.own == rule.total
        ]
        self.add([self.every([run[far] for run, far in zip(runs, way, strict=True)]) for way in ways])

    def say_matched(self, rule: Matched) -> None:
        of: dict[int, list[int]] = {cell: [] for cell in rule.cells}
        for post in rule.posts:
            own = {cell: self.new() for cell in post}
            self.card(list(own.values()), 1, 1)
            for cell, literal in own.items():
                self.add([-literal, self.holds(cell, rule.wanted)])
                of[cell].append(literal)
        for cell, literals in of.items():
            self.card(literals, 0, 1)
            self.add([-self.holds(cell, rule.wanted), *literals])

    def solutions(self) -> Iterator[list[int]]:
        """The solutions, a bit for each cell."""
        while self.solver.solve():
            true = set(self.solver.get_model())
            found = [next(1 << nth for nth, one in enumerate(own) if one in true) for own in self.value]
            broken = [list(clause) for rule in self.problem.rules for clause in self.against(rule, found)]
            for clause in broken:
                self.add(clause)
            if not broken:
                yield found
                self.add([-self.holds(cell, have) for cell, have in enumerate(found)])

    def against(self, rule: Rule, found: Sequence[int]) -> Iterator[Clause]:
        """What a solution breaks of a rule about what hangs together, as clauses that no right one breaks."""
        match rule:
            case Connected():
                own = {cell for cell in rule.cells if found[cell] & rule.wanted}
                groups = list(_groups(own, rule.beside))
                for group, other in pairwise(groups):
                    around = {near for cell in group for near in rule.beside[cell]} - group
                    yield [
                        *(-self.holds(cell, rule.wanted) for cell in (*group, min(other))),
                        *(self.holds(cell, rule.wanted) for cell in around),
                    ]
            case Sized():
                yield from self.against_sized(rule, found)
            case Forest():
                yield from self.against_forest(rule, found)

    def against_sized(self, rule: Sized, found: Sequence[int]) -> Iterator[Clause]:
        at = dict(zip(rule.places, rule.cells, strict=True))
        beside = {
            cell: tuple(at[place + way] for way in (1, -1, rule.width, -rule.width) if place + way in at)
            for place, cell in at.items()
        }
        for value, size in rule.sizes.items():
            for group in _groups({cell for cell in rule.cells if found[cell] == value}, beside):
                if len(group) > size:
                    yield [-self.holds(cell, value) for cell in _first(group, beside, size + 1)]
                elif len(group) < size:
                    around = {near for cell in group for near in beside[cell]} - group
                    yield [
                        *(-self.holds(cell, value) for cell in group),
                        *(self.holds(cell, value) for cell in around),
                    ]

    def against_forest(self, rule: Forest, found: Sequence[int]) -> Iterator[Clause]:
        joined: dict[int, dict[int, int]] = {point: {} for point in range(rule.points)}
        for cell in rule.cells:
            for a, b in rule.joins[cell].get(found[cell], ()):
                if loop := _way(joined, a, b):
                    yield [-self.holds(one, found[one]) for one in {cell, *loop}]
                    return
                joined[a][b] = joined[b][a] = cell
        if rule.spanning and (part := _reached(joined, 0)) != set(joined):
            yield [
                self.holds(cell, value)
                for cell in rule.cells
                for value, pairs in rule.joins[cell].items()
                if any((a in part) != (b in part) for a, b in pairs)
            ]


def _groups(cells: set[int], beside: Mapping[int, Sequence[int]]) -> Iterator[set[int]]:
    left = set(cells)
    while left:
        group = _first(left, beside, len(left))
        left -= group
        yield group


def _first(cells: set[int], beside: Mapping[int, Sequence[int]], most: int) -> set[int]:
    """Up to so many cells that hang together with the first one."""
    order = [min(cells)]
    for cell in order:
        order += [near for near in beside[cell] if near in cells and near not in order]
    return set(order[:most])


def _way(joined: Mapping[int, Mapping[int, int]], start: int, end: int) -> set[int]:
    """The cells whose joins lead from a point to another; none where they do not."""
    before = {start: (start, -1)}
    order = [start]
    for point in order:
        for other, cell in joined[point].items():
            if other not in before:
                before[other] = point, cell
                order.append(other)
    found: set[int] = set()
    while end in before and end != start:
        end, cell = before[end]
        found.add(cell)
    return found


def _reached(joined: Mapping[int, Mapping[int, int]], start: int) -> set[int]:
    order = [start]
    for point in order:
        order += [other for other in joined[point] if other not in order]
    return set(order)


def solved(problem: Problem, make: type[Any], cards: type[Any]) -> list[dict[Square, str]]:
    """Up to two solutions, without the cells that need no entry."""
    formula = Formula(problem, make, cards)
    found = []
    for sets in formula.solutions():
        found.append(problem.entries(sets))
        if len(found) == 2:
            break
    formula.solver.delete()
    return found
