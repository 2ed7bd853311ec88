"""The cheapest solution, proved: relaxation, trace-back, and branching on what the relaxation got wrong.

The relaxation lets a cell hold several aspects and ignores the stock. Mostly one of its cheapest trees is a
solution; it is then a cheapest one. Otherwise all trees of that price are tried, then dearer ones. Where they are
too many, the search branches, best bound first: on a cell that is used twice (one aspect only, the other only,
neither), or on placed aspects that are too many for the stock (one of them is not used).
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from time import monotonic

from solver.answer import Answer, Limits
from solver.errors import InvalidPuzzle, NoSolution, SearchLimit
from solver.thaumcraft.ascent import CutOff, ascend
from solver.thaumcraft.aspects import Aspects
from solver.thaumcraft.branch import Branch, Charged, Relaxation
from solver.thaumcraft.dense import FAR, Addresses, Tables
from solver.thaumcraft.exhaust import Exhaustive
from solver.thaumcraft.graph import Graph
from solver.thaumcraft.greedy import fillings
from solver.thaumcraft.labels import connect
from solver.thaumcraft.necks import necks
from solver.thaumcraft.note import Note, Solution, scarce_costs
from solver.thaumcraft.refusal import too_little_stock, unlinkable
from solver.thaumcraft.stock import settle
from solver.thaumcraft.supply import suffices
from solver.thaumcraft.surcharges import SCALE, Limited
from solver.thaumcraft.trees import OutOfTime, Prices, doubled_cell, trees

# Table entries of 16 bits that the dense method may use; larger boards are left to the labels.
DENSE_ENTRIES = 60_000_000
# Steps of the search for a tree that is a solution: at first, where all trees are tried afterwards anyway, and after
# charges have changed.
TREE_STEPS = 3000
QUICK_STEPS = 40
FEWER_STEPS = 80
# How often charges are changed before branching.
ROUNDS = 8
# With more sets of givens the tables that tell a node's cheapest tree cost more than they save.
WITHIN_SETS = 4100
# The share of the time after which any filling is welcome.
FIRST_SHARE = 0.5
# Rounds of charges to see whether the stock suffices: for the whole note, and for a branch while nothing is found.
SUPPLY_ROUNDS = 40
FEWER_SUPPLY_ROUNDS = 12
# Dearer solutions are looked for in steps that double up to this one, then without limit.
FURTHEST = 31
UNLIMITED = 1 << 40
# Steps of the search through all trees within a price, before charging and branching.
TREES_LOOKED = 5000
# With a stock, how many of the cheapest trees are tried before branching.
TREES_TRIED = 200


def cheapest(note: Note, limits: Limits, aspects: Aspects, disabled: Collection[str]) -> Answer[Solution]:
    """What `solve` gives."""
    search = _Search(note, aspects, note.disabled.union(disabled), limits)
    if len(note.given) < 2:
        return Answer({}, 0, 0, optimal=True)
    try:
        search.run()
    except OutOfTime:
        if search.best is None:
            raise SearchLimit(
                f"no filling found within {limits.seconds} s", hint="give it more time with --limit"
            ) from None
    if search.best is None:
        raise search.impossible()
    return Answer(
        search.best,
        cost=search.cost,
        bound=min(search.bound, search.cost),
        optimal=search.bound >= search.cost,
    )


class _Search:
    def __init__(self, note: Note, aspects: Aspects, disabled: frozenset[str], limits: Limits) -> None:
        unknown = sorted({*note.given.values(), *disabled} - aspects.components.keys())
        if unknown:
            raise InvalidPuzzle(f"unknown aspects: {', '.join(unknown)}")
        self.note, self.aspects, self.disabled = note, aspects, disabled
        self.limits, self._began = limits, monotonic()
        self._over = limits.stopper()
        half = None if limits.seconds is None else limits.seconds * FIRST_SHARE
        self._late = Limits(half).stopper()
        self._hurried = False
        self.costs = {**aspects.costs, **{tag: note.costs[tag] for tag in note.costs if tag in aspects}}
        self.graph = Graph(note, aspects, self.costs)
        self.givens = sum(1 << node for node in self.graph.givens)
        self.best: Solution | None = None
        # Nothing dearer than this is looked for: without special prices, what the whole stock is worth.
        self.cost = UNLIMITED
        if note.stock is not None and not note.costs:
            self.cost = 1 + sum(units * aspects.costs.get(tag, 0) for tag, units in note.stock.items())
        self.bound = 0
        self.limited = Limited.by(self.graph, aspects, note.stock)
        self.few_sets = self.graph.arcs.number(len(note.given)) <= WITHIN_SETS
        self.dense = len(note.given) > 1 and self._fits_dense()
        self._known_addresses: Addresses | None = None
        # The last relaxation without charges and the last tree that is no solution: a branch that goes on with
        # dearer solutions needs them again.
        self._relaxed: tuple[int, Relaxation] | None = None
        self._unfit: tuple[int, Prices, frozenset[int]] | None = None

    def _start(self) -> int:
        """The nodes that may be used at all."""
        graph = self.graph
        nodes = graph.everything & ~(graph.of_aspects(self.disabled) & ~self.givens)
        return self._affordable(nodes, Counter())

    def run(self) -> None:
        queue = [Branch(0, 0, 0, self._start())]
        number = 0
        while queue:
            branch = heapq.heappop(queue)
            self.bound = max(self.bound, branch.bound)
            if branch.bound >= self.cost:
                self.bound = self.cost
                return
            for child in self._explore(branch):
                number += 1
                if child.bound < self.cost:
                    child.number = number
                    heapq.heappush(queue, child)
        self.bound = self.cost

    def _explore(self, branch: Branch) -> Iterator[Branch]:
        """Solves a branch as far as its limit, and leaves the rest as branches of their own."""
        nodes = self.graph.useful(branch.nodes)
        if branch.number == 1 and self.dense:
            self._narrow()
        relaxed = self._relax(nodes, branch.charged)
        if relaxed is None:
            return
        bound = max(branch.bound, relaxed.bound)
        if branch.number == 0:
            self.bound = max(self.bound, min(bound, self.cost))
        first = branch.number == 1
        unsure = first or (branch.depth < 0 and self.best is None)
        if unsure and not self._supplied(nodes, SUPPLY_ROUNDS if first else FEWER_SUPPLY_ROUNDS):
            return
        limit = branch.limit
        if limit is None:
            limit = bound + branch.stretch if branch.stretch <= FURTHEST else UNLIMITED
        yield from self._search(branch, nodes, relaxed, limit)
        if branch.limit is None and limit < UNLIMITED:
            further = 2 * branch.stretch + 1
            yield Branch(limit + 1, branch.depth, 0, nodes, branch.reserved, stretch=further)

    def _narrow(self) -> None:
        """Lets the relaxation heed the note's bottlenecks from now on; mostly it is right without them."""
        found = necks(self.graph, self.graph.useful(self._start()))
        if found:
            self._addresses().narrow(found)
            self._relaxed = self._unfit = None

    def _supplied(self, nodes: int, rounds: int) -> bool:
        """False when it is proved that the stock cannot suffice."""
        if self.note.stock is None or not self.dense:
            return True

        def accept(tree: frozenset[int]) -> bool:
            fits = not self._short(self._demand(tree))
            if fits:
                self._keep(tree)
            return fits

        return suffices(self.graph, self._addresses(), nodes, self.limited, accept, self.stop, rounds)

    def _search(self, branch: Branch, nodes: int, relaxed: Relaxation | None, limit: int) -> Iterator[Branch]:
        """Looks for solutions of at most `limit`: nodes whose cheapest tree costs more drop out, what the
        relaxation gets wrong is charged for, and in the end branched on."""
        bound = branch.bound
        charged = branch.charged
        wrong: frozenset[int] = frozenset()
        # The turn beyond the rounds is without charges, for a tree that is wrong by itself.
        for turn in range(ROUNDS + 1):
            if relaxed is None:
                return
            bound = max(bound, relaxed.bound)
            if bound > limit or bound >= self.cost:
                return
            first = QUICK_STEPS if self._few(relaxed) else TREE_STEPS
            tree, fits = self._best_tree(nodes, relaxed.prices, FEWER_STEPS if turn else first)
            if bound >= self.cost or (fits and not charged):
                return
            if not fits:
                wrong = tree
            if not self.dense or turn == ROUNDS or (turn == ROUNDS - 1 and wrong):
                break
            if turn in (0, ROUNDS - 1) or not self._short(self._demand(tree)):
                nodes = self.graph.useful(nodes & self._within(relaxed, min(limit, self.cost - 1)))
                if self._exhaust(nodes, relaxed, limit):
                    return
            if turn == ROUNDS - 1:
                charged = {}
            else:
                self.limited.learn(tree)
                over = self.limited.excess(tree, charged)
                if over:
                    aim = (bound + 2) * SCALE - relaxed.low
                    charged = self.limited.raised(charged, over, aim)
            relaxed = self._relax(nodes, charged)
        yield from self._branches(branch, nodes, bound, limit, wrong, charged)

    def _within(self, relaxed: Relaxation, limit: int) -> int:
        """The nodes of all trees of at most this price; all nodes where the method does not tell."""
        highest = relaxed.highest(limit)
        if self._few(relaxed) and isinstance(relaxed.prices, Tables) and highest < FAR:
            return relaxed.prices.within(highest, self.stop)
        return -1

    def _few(self, relaxed: Relaxation) -> bool:
        """Whether the tables for all sets of givens are worth their time."""
        return isinstance(relaxed.prices, Tables) and self.few_sets

    def _exhaust(self, nodes: int, relaxed: Relaxation, limit: int) -> bool:
        """Tries all trees of at most this price that use no cell twice; False when they are too many.

        nodes: from `_within`.
        """
        tables = relaxed.prices
        if not self._few(relaxed) or not isinstance(tables, Tables):
            return False

        def accept(tree: frozenset[int]) -> int:
            if not self._missing(self._demand(tree)):
                self._keep(tree)
            return relaxed.highest(min(limit, self.cost - 1))

        highest = relaxed.highest(min(limit, self.cost - 1))
        if highest >= FAR:
            return False
        return Exhaustive(self.graph, tables, nodes).search(highest, accept, TREES_LOOKED, self.stop)

    def _best_tree(self, nodes: int, prices: Prices, steps: int) -> tuple[frozenset[int], bool]:
        """A cheapest tree, and whether it is a solution; solutions are kept."""
        graph = self.graph
        if self._unfit is not None and self._unfit[0] == nodes and self._unfit[1] is prices:
            return self._unfit[2], False
        short: frozenset[int] | None = None
        for count, tree in enumerate(trees(graph, nodes, prices, steps=steps)):
            if not self._missing(self._demand(tree)):
                self._keep(tree)
                return tree, True
            short = short or tree
            if count >= TREES_TRIED:
                break
        if short is not None:
            return short, False
        tree = next(trees(graph, nodes, prices, steps=1 << 40, crowded=True))
        fits = not doubled_cell(graph, tree) and not self._missing(self._demand(tree))
        if fits:
            self._keep(tree)
        else:
            self._unfit = nodes, prices, tree
        return tree, fits

    def _branches(
        self,
        branch: Branch,
        nodes: int,
        bound: int,
        limit: int,
        wrong: frozenset[int],
        charged: Charged,
    ) -> Iterator[Branch]:
        """Splits a branch so that a tree that is no solution is in none of the parts."""
        graph = self.graph
        depth, reserved = branch.depth - 1, branch.reserved
        doubled = doubled_cell(graph, wrong)
        if doubled:
            cell = graph.of_cell(graph.cell_of(doubled[0])) & nodes
            used = sum(1 << node for node in doubled)
            for keep in (*(1 << node for node in doubled), cell & ~used):
                yield Branch(bound, depth, 0, nodes & ~cell | keep, reserved, charged, limit)
            return
        # Every solution has too little stock for one of these: its aspect is nowhere near it.
        placed = sorted(self._overdrawn(wrong))
        before: Counter[str] = Counter()
        for node in placed:
            tag = graph.place(node)[1]
            near = graph.nearest(node, [other for other in placed if graph.place(other)[1] == tag])
            least = reserved | before
            left = self._affordable(nodes & ~near, least)
            yield Branch(bound, depth, 0, left, least, charged, limit)
            before[tag] += 1

    def _relax(self, nodes: int, charged: Charged) -> Relaxation | None:
        """The relaxation within some nodes, by the method that fits the board; None when nothing connects."""
        graph = self.graph
        if self.dense:
            if not charged and self._relaxed is not None and self._relaxed[0] == nodes:
                return self._relaxed[1]
            scale = SCALE if charged else 1
            cells, tags, back = self.limited.charges(charged)
            priced = self._addresses().prices(graph, nodes, scale, cells, tags)
            tables = Tables(graph, self._addresses(), priced, self.stop)
            if tables.cost < FAR:
                unit = SCALE // scale
                relaxed = Relaxation(tables, tables.cost * unit - back, unit, back)
                if not charged:
                    self._relaxed = nodes, relaxed
                return relaxed
            # Charged prices that leave the table's range prove nothing.
            return self._relax(nodes, {}) if charged else None
        try:
            cuts = ascend(graph, nodes, graph.givens[0], graph.givens[1:])
        except CutOff:
            return None
        gap = 4
        while True:
            labels = connect(graph, cuts, nodes, cuts.bound + gap, self.stop)
            if labels.cost <= cuts.bound + gap:
                return Relaxation(labels, labels.cost * SCALE)
            gap *= 2

    def _addresses(self) -> Addresses:
        if self._known_addresses is None:
            self._known_addresses = Addresses(self.graph)
        return self._known_addresses

    def _fits_dense(self) -> bool:
        note, count = self.note, len(self.graph.givens)
        qs, rs = [cell.q for cell in note.cells], [cell.r for cell in note.cells]
        places = (max(qs) - min(qs) + 2) * (max(rs) - min(rs) + 2)
        sets = self.graph.arcs.number(count // 2)
        dearest = max(self.costs.values()) * len(note.cells)
        return sets * places * self.graph.width <= DENSE_ENTRIES and dearest < FAR

    def _keep(self, tree: frozenset[int]) -> None:
        placed = dict(self.graph.place(node) for node in sorted(tree) if not self.givens >> node & 1)
        cost = sum(self.costs[tag] for tag in placed.values())
        if cost < self.cost:
            self.best, self.cost = placed, cost

    def _demand(self, tree: Collection[int]) -> Counter[str]:
        return Counter(self.graph.place(node)[1] for node in tree if not self.givens >> node & 1)

    def _missing(self, wanted: Counter[str]) -> dict[str, int]:
        if self.note.stock is None:
            return {}
        return settle(wanted, self.note.stock, self.aspects)[1]

    def _overdrawn(self, tree: frozenset[int]) -> frozenset[int]:
        """Nodes of a tree that together are too many for the stock, few of them; empty if none."""
        if not self._missing(self._demand(tree)):
            return frozenset()
        kept = [node for node in sorted(tree) if not self.givens >> node & 1]
        # Cheap aspects first: what stays are the few dear ones, whose absence prunes more.
        for node in sorted(kept, key=lambda node: (self.costs[self.graph.place(node)[1]], node)):
            fewer = [other for other in kept if other != node]
            if self._missing(self._demand(fewer)):
                kept = fewer
        return frozenset(kept)

    def _affordable(self, nodes: int, reserved: Counter[str]) -> int:
        """Without the aspects of which not even one can be had beside what is reserved."""
        if self.note.stock is None:
            return nodes
        dear = frozenset(
            tag for tag in self.graph.tags if tag not in reserved and self._short(reserved + Counter([tag]))
        )
        return nodes & ~(self.graph.of_aspects(dear) & ~self.givens)

    def stop(self) -> bool:
        """Whether the time is over. When a good part of it is and nothing is known yet, a filling and a bound that
        take little time are made first."""
        if not self._hurried and self._late():
            self._hurried = True
            if self.best is None:
                self._hurry()
        return self._over()

    def _hurry(self) -> None:
        """One filling at least, if this way finds any, and more as long as there is time."""
        graph = self.graph
        nodes = graph.useful(self._start())
        weights = [self.costs]
        if self.note.stock is not None:
            weights.append({**self.costs, **scarce_costs(self.note)})
        with suppress(OutOfTime, CutOff):
            for weight in weights:
                for tree in fillings(graph, self._addresses(), nodes, weight, self._short, self._over):
                    if tree is not None and not self._short(self._demand(tree)):
                        self._keep(tree)
                    if self.bound == 0:
                        self.bound = ascend(graph, nodes, graph.givens[0], graph.givens[1:], self._over).bound
                if self._over():
                    return

    def _short(self, wanted: Counter[str]) -> bool:
        return bool(self._missing(wanted))

    def impossible(self) -> NoSolution:
        """Why there is no solution, in words."""
        note = self.note
        if note.stock is not None:
            free = replace(note, stock=None)
            left = None if self.limits.seconds is None else self.limits.seconds - (monotonic() - self._began)
            try:
                answer = cheapest(free, Limits(left), self.aspects, self.disabled)
            except (NoSolution, SearchLimit):
                pass
            else:
                return too_little_stock(note.stock, answer, self.aspects)
        return unlinkable(self.graph, self.note, self.graph.useful(self._start()), self.disabled)
