"""What follows on a Bridges board without guessing.

Every span has a least and a most number of bridges (after the notes in Simon Tatham's bridges.c, whose solver
reasons with the same bounds). Every island has what is still *owed* (its clue without the least numbers) and
what can be *spared* (the most numbers without its clue).
"""

from __future__ import annotations

from solver.bridges.graph import Graph
from solver.groups import root


class Contradiction(Exception):
    """No solution has these bounds."""


class State:
    """Bounds on one board. `copy` at a branch; the functions below change it.

    least, most: bridges by span. owed, spare: by island. parents: groups of joined islands.
    open: spans that were undecided when last looked at.
    """

    __slots__ = ("groups", "least", "most", "open", "owed", "parents", "spare")

    def __init__(self, least: list[int], most: list[int], owed: list[int], spare: list[int]) -> None:
        self.least, self.most, self.owed, self.spare = least, most, owed, spare
        self.parents = list(range(len(owed)))
        self.open = list(range(len(least)))
        self.groups = len(owed)

    def copy(self) -> State:
        twin = State.__new__(State)
        twin.least, twin.most = self.least[:], self.most[:]
        twin.owed, twin.spare = self.owed[:], self.spare[:]
        twin.parents, twin.open, twin.groups = self.parents[:], self.open, self.groups
        return twin


def start(graph: Graph) -> State:
    """The widest bounds. Raises Contradiction when an island cannot have its number."""
    clues = graph.clues
    top = graph.most
    spare = [-clue for clue in clues]
    most = []
    for a, b in graph.ends:
        bound = min(clues[a], clues[b], top)
        most.append(bound)
        spare[a] += bound
        spare[b] += bound
    if spare and min(spare) < 0:
        raise Contradiction
    return State([0] * len(most), most, clues[:], spare)


def settle(graph: Graph, state: State, islands: list[int]) -> None:
    """Bounds that follow from single islands and from crossings, starting at `islands` (which is used up).

    A span takes at most what its island still owes, and at least what the other spans cannot take.
    """
    least, most, owed, spare = state.least, state.most, state.owed, state.spare
    ends, spans, crossing = graph.ends, graph.spans, graph.crossing
    top = graph.most
    while islands:
        island = islands.pop()
        debt, slack = owed[island], spare[island]
        if slack < 0 or debt < 0:
            raise Contradiction
        if debt >= top and slack >= top:
            continue
        again = False
        for span in spans[island]:
            low, high = least[span], most[span]
            room = high - low
            if not room or (room <= debt and room <= slack):
                continue
            a, b = ends[span]
            other = b if a == island else a
            if room > debt:
                cut = room - debt
                most[span] = high = low + debt
                slack -= cut
                spare[island] = slack
                spare[other] -= cut
                if slack < 0:
                    raise Contradiction
                islands.append(other)
                again = True
            gain = high - slack - low
            if gain > 0:
                debt -= gain
                least[span] = low + gain
                owed[island] = debt
                owed[other] -= gain
                islands.append(other)
                again = True
                if not low:
                    _joined(graph, state, a, b)
                    for across in crossing[span]:
                        cut = most[across]
                        if cut:
                            if least[across]:
                                raise Contradiction
                            most[across] = 0
                            for end in ends[across]:
                                spare[end] -= cut
                                islands.append(end)
        if again:
            islands.append(island)


def _joined(graph: Graph, state: State, a: int, b: int) -> None:
    parents = state.parents
    a, b = root(parents, a), root(parents, b)
    if a != b:
        parents[max(a, b)] = min(a, b)
        state.groups -= 1
    elif not graph.loops:
        raise Contradiction


def lower(graph: Graph, state: State, span: int, high: int) -> list[int]:
    """Allow at most `high` bridges on a span; returns the islands to settle."""
    a, b = graph.ends[span]
    cut = state.most[span] - high
    state.most[span] = high
    state.spare[a] -= cut
    state.spare[b] -= cut
    if high < state.least[span]:
        raise Contradiction
    return [a, b]


def raise_(graph: Graph, state: State, span: int, low: int) -> list[int]:
    """Ask for at least `low` bridges on a span; returns the islands to settle."""
    a, b = graph.ends[span]
    before = state.least[span]
    state.least[span] = low
    state.owed[a] -= low - before
    state.owed[b] -= low - before
    if low > state.most[span]:
        raise Contradiction
    islands = [a, b]
    if not before:
        _joined(graph, state, a, b)
        for across in graph.crossing[span]:
            if state.most[across]:
                islands += lower(graph, state, across, 0)
    return islands


def connect(graph: Graph, state: State) -> bool:
    """Bounds that follow from "all islands hang together"; whether there were any.

    A group of joined islands that is not the whole board may not be closed: the last bridges that two groups
    owe may not go between them. A group with a single way out must take it.
    """
    least, most, owed, parents, ends = state.least, state.most, state.owed, state.parents, graph.ends
    state.open = still = [span for span in state.open if least[span] < most[span]]
    groups = state.groups
    debts: dict[int, int] = {}
    for island, debt in enumerate(owed):
        if debt:
            while (parent := parents[island]) != island:
                island = parent
            debts[island] = debts.get(island, 0) + debt
    if groups > 1 and len(debts) < groups:
        raise Contradiction
    islands: list[int] = []
    ways: dict[int, int] = {}
    for span in still:
        low, high = least[span], most[span]
        if low >= high:
            continue
        a, b = ends[span]
        while (parent := parents[a]) != a:
            a = parent
        while (parent := parents[b]) != b:
            b = parent
        if a == b:
            if not low and not graph.loops:
                islands += lower(graph, state, span, 0)
            elif groups > 1 and debts.get(a, 0) <= 2 * (high - low) and debts.get(a, 0) % 2 == 0:
                islands += lower(graph, state, span, low + debts.get(a, 0) // 2 - 1)
            continue
        if groups > 2:
            debt = debts.get(a, 0)
            if debt <= high and debt == debts.get(b, 0):
                islands += lower(graph, state, span, debt - 1)
                if debt == 1:
                    continue
        ways[a] = -1 if a in ways else span
        ways[b] = -1 if b in ways else span
    if groups > 1:
        if len(ways) < groups:
            raise Contradiction
        for span in ways.values():
            if span >= 0 and not least[span]:
                islands += raise_(graph, state, span, 1)
    if not islands:
        return False
    settle(graph, state, islands)
    return True


def cut(graph: Graph, state: State) -> bool:
    """Bounds that follow from the only connection between two parts of the board; whether there were any.

    With groups as nodes and undecided spans as edges, an edge whose loss takes the board apart must be used
    (Tarjan, "A note on finding the bridges of a graph", 1974). Raises Contradiction when it is apart already.
    """
    if state.groups <= 1:
        return False
    parents, least, most = state.parents, state.least, state.most
    edges: dict[int, list[tuple[int, int]]] = {}
    for span in state.open:
        if least[span] or not most[span]:
            continue
        a, b = graph.ends[span]
        while (parent := parents[a]) != a:
            a = parent
        while (parent := parents[b]) != b:
            b = parent
        if a != b:
            edges.setdefault(a, []).append((b, span))
            edges.setdefault(b, []).append((a, span))
    if len(edges) < state.groups:
        raise Contradiction
    first = next(iter(edges))
    # Numbers in the order of the walk, and the smallest one within reach without the edge walked in by.
    order = {first: 0}
    reach = {first: 0}
    needed: list[int] = []
    walk = [(first, -1, iter(edges[first]))]
    while walk:
        node, entry, ways = walk[-1]
        for other, span in ways:
            if other not in order:
                order[other] = reach[other] = len(order)
                walk.append((other, span, iter(edges[other])))
                break
            if span != entry and order[other] < reach[node]:
                reach[node] = order[other]
        else:
            walk.pop()
            if walk:
                before = walk[-1][0]
                if reach[node] < reach[before]:
                    reach[before] = reach[node]
                if reach[node] > order[before]:
                    needed.append(entry)
    if len(order) < state.groups:
        raise Contradiction
    if not needed:
        return False
    islands: list[int] = []
    for span in needed:
        if not state.least[span]:
            islands += raise_(graph, state, span, 1)
    settle(graph, state, islands)
    return True
