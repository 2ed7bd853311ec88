"""Bridges step by step: the rules a player uses, the easiest first.

1. one way left    an island with one neighbour that can still take bridges
2. all ways full   an island that needs as many bridges as there is room for
3. at least        the other ways of an island cannot take all it needs
4. closed group    bridges that would shut off a group of islands are ruled out
5. way out         a group with a single way to the others takes it
6. only link       a span without which the board would fall apart carries a bridge

Bridges become known one by one: `settled` says how many a span has at least.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from solver.bridges.board import Bridges, Joins, Span
from solver.bridges.graph import Graph
from solver.groups import join, root
from solver.lattice import Square
from solver.steps import Contradiction, Finding


@dataclass(frozen=True)
class Known:
    """By span: how many bridges there are at least, and how many rules have left at most."""

    least: tuple[int, ...]
    most: tuple[int, ...]


@dataclass(frozen=True)
class _View:
    """What follows at once from a board.

    high: by span the most bridges it can have now. owed, room: by island the bridges that are missing, and that
    could be added. parents: groups of joined islands, as in `solver.groups`.
    """

    high: list[int]
    owed: list[int]
    room: list[int]
    parents: list[int]

    def group(self, island: int) -> int:
        return root(self.parents, island)


class BridgeReasoner:
    """The rules on one puzzle."""

    def __init__(self, puzzle: Bridges) -> None:
        self.puzzle = puzzle
        self._graph = Graph(puzzle)
        islands = puzzle.islands
        self._spans = [Span(islands[a].at, islands[b].at) for a, b in self._graph.ends]

    def start(self, placed: Joins | None) -> Known:
        joins = placed or {}
        stranger = next((span for span in sorted(joins) if span not in set(self._spans)), None)
        if stranger is not None:
            raise Contradiction(f"no bridge can go from {_at(stranger.a)} to {_at(stranger.b)}")
        clues = self._graph.clues
        most = tuple(min(self._graph.most, clues[a], clues[b]) for a, b in self._graph.ends)
        return Known(tuple(joins.get(span, 0) for span in self._spans), most)

    def known(self, board: Known) -> Joins:
        return dict(
            sorted((span, least) for span, least in zip(self._spans, board.least, strict=True) if least)
        )

    def maybe(self, board: Known) -> Mapping[Span, tuple[int, int]]:
        """(least, most) of the spans that are not decided."""
        high = self._view(board).high
        return {
            span: (least, most)
            for span, least, most in zip(self._spans, board.least, high, strict=True)
            if least < most
        }

    def branches(self, board: Known) -> Iterator[Sequence[Finding[Known]]]:
        """One more bridge on a span, or no more; spans at the islands with the fewest ways left first."""
        view = self._view(board)
        open_spans = [span for span, least in enumerate(board.least) if least < view.high[span]]
        ways = [sum(board.least[span] < view.high[span] for span in spans) for spans in self._graph.spans]
        for span in sorted(
            open_spans, key=lambda one: (sum(ways[end] for end in self._graph.ends[one]), one)
        ):
            least = board.least[span]
            one_more = "a bridge" if not least else "one more bridge"
            fewer = replace(board, most=_put(board.most, span, least))
            no_more = f"Suppose no {'' if not least else 'more '}bridges from {self._way(span)}."
            yield (
                self._raise(
                    board, {span: least + 1}, "guess", f"Suppose {one_more} from {self._way(span)}.", ()
                ),
                Finding("guess", no_more, fewer, {}, self._cells([span])),
            )

    def deduce(self, board: Known) -> Finding[Known] | None:
        view = self._view(board)
        self._look_for_faults(board, view)
        for rule in (self._full, self._at_least, self._way_out, self._closed_group, self._only_link):
            for finding in rule(board, view):
                return finding
        return None

    # The rules

    def _full(self, board: Known, view: _View) -> Iterator[Finding[Known]]:
        for only_one in (True, False):
            for island, spans in enumerate(self._graph.spans):
                owed = view.owed[island]
                ways = [span for span in spans if board.least[span] < view.high[span]]
                if not owed or view.room[island] != owed or (len(ways) == 1) != only_one:
                    continue
                raised = {span: view.high[span] for span in ways}
                if only_one:
                    other = self._other(ways[0], island)
                    why = f"{self._island(island)} has one way left: {_bridges(owed)} to {self._island(other, False)}."
                    yield self._raise(board, raised, "one way left", why, spans)
                else:
                    why = f"{self._island(island)} needs {_more(board, spans, owed)}, and there is room for no more."
                    yield self._raise(board, raised, "all ways full", why, spans)

    def _at_least(self, board: Known, view: _View) -> Iterator[Finding[Known]]:
        for island, spans in enumerate(self._graph.spans):
            raised = {}
            for span in spans:
                gain = view.owed[island] - (view.room[island] - (view.high[span] - board.least[span]))
                if gain > 0:
                    raised[span] = board.least[span] + gain
            if raised:
                span = next(iter(raised))
                rest = view.room[island] - (view.high[span] - board.least[span])
                more = _bridges(raised[span] - board.least[span])
                ways = [self._island(self._other(one, island), False) for one in raised]
                go = "goes" if raised[span] == board.least[span] + 1 else "go"
                where = ways[0] if len(ways) == 1 else f"each of {', '.join(ways[:-1])} and {ways[-1]}"
                why = (
                    f"{self._island(island)} needs {_more(board, spans, view.owed[island])}; without one way the"
                    f" others take {rest} at most, so at least {more} {go} to {where}."
                )
                yield self._raise(board, raised, "at least", why, spans)

    def _closed_group(self, board: Known, view: _View) -> Iterator[Finding[Known]]:
        groups = {view.group(island) for island in range(len(view.owed))}
        debts = self._debts(view)
        for span, (a, b) in enumerate(self._graph.ends):
            least, high = board.least[span], view.high[span]
            if least == high:
                continue
            one, other = view.group(a), view.group(b)
            closing = 0
            if one != other and len(groups) > 2 and debts[one] == debts[other]:
                closing = debts[one]
            elif one == other and len(groups) > 1 and debts[one] % 2 == 0:
                closing = debts[one] // 2
            if closing and least + closing <= high:
                lowered = replace(board, most=_put(board.most, span, least + closing - 1))
                why = (
                    f"{_bridges(closing).capitalize()} from {self._way(span)} would shut these islands off from the"
                    " others, so there are fewer."
                )
                yield Finding(
                    "closed group",
                    why,
                    lowered,
                    {},
                    self._cells([span]),
                    (self._spans[span].a, self._spans[span].b),
                )

    def _way_out(self, board: Known, view: _View) -> Iterator[Finding[Known]]:
        ways: dict[int, list[int]] = {view.group(island): [] for island in range(len(view.owed))}
        if len(ways) == 1:
            return
        for span, (a, b) in enumerate(self._graph.ends):
            one, other = view.group(a), view.group(b)
            if one != other and view.high[span]:
                ways[one].append(span)
                ways[other].append(span)
        for group, spans in ways.items():
            inside = [island for island in range(len(view.owed)) if view.group(island) == group]
            if not spans:
                raise Contradiction(
                    f"no bridge can leave {self._island(inside[0], False)} and what it is joined to"
                )
            if len(spans) == 1:
                who = (
                    self._island(inside[0])
                    if len(inside) == 1
                    else f"The group with {self._island(inside[0], False)}"
                )
                why = f"{who} must be joined to the others, and the only way is from {self._way(spans[0])}."
                around = [span for island in inside for span in self._graph.spans[island]]
                yield self._raise(board, {spans[0]: 1}, "way out", why, around)

    def _only_link(self, board: Known, view: _View) -> Iterator[Finding[Known]]:
        islands = len(view.owed)
        # Only a span that joins something when the spans are laid one after the other can be the only link.
        forest = list(view.parents)
        links = [
            span for span, (a, b) in enumerate(self._graph.ends) if view.high[span] and join(forest, a, b)
        ]
        for left_out in links:
            parents = list(view.parents)
            for span, (a, b) in enumerate(self._graph.ends):
                if span != left_out and view.high[span]:
                    join(parents, a, b)
            if len({root(parents, island) for island in range(islands)}) == 1:
                continue
            a, b = self._graph.ends[left_out]
            if root(parents, a) == root(parents, b):
                raise Contradiction("the islands cannot all be joined")
            why = f"Without a bridge from {self._way(left_out)} the board would fall into two parts."
            yield self._raise(board, {left_out: 1}, "only link", why, range(len(self._spans)))

    # What the rules are made of

    def _view(self, board: Known) -> _View:
        graph = self._graph
        owed = list(graph.clues)
        parents = list(range(len(owed)))
        for span, least in enumerate(board.least):
            if least:
                a, b = graph.ends[span]
                owed[a] -= least
                owed[b] -= least
                join(parents, a, b)
        high = []
        for span, (a, b) in enumerate(graph.ends):
            least = board.least[span]
            most = min(board.most[span], least + max(0, min(owed[a], owed[b])))
            crossed = any(board.least[across] for across in graph.crossing[span])
            loop = not graph.loops and not least and root(parents, a) == root(parents, b)
            high.append(least if crossed or loop else max(least, most))
        room = [sum(high[span] - board.least[span] for span in spans) for spans in graph.spans]
        return _View(high, owed, room, parents)

    def _look_for_faults(self, board: Known, view: _View) -> None:
        graph = self._graph
        for span, least in enumerate(board.least):
            if least > board.most[span]:
                raise Contradiction(f"there are too many bridges from {self._way(span)}")
            across = next((one for one in graph.crossing[span] if least and board.least[one]), None)
            if across is not None:
                raise Contradiction(f"the bridges from {self._way(span)} cross others")
        for island, owed in enumerate(view.owed):
            if owed < 0:
                raise Contradiction(f"{self._island(island, False)} has {_bridges(-owed)} too many")
            if owed > view.room[island]:
                raise Contradiction(
                    f"{self._island(island, False)} needs {_bridges(owed)} more, and there is room for"
                    f" {view.room[island]}"
                )
        groups = {view.group(island) for island in range(len(view.owed))}
        if not graph.loops and sum(map(bool, board.least)) > len(view.owed) - len(groups):
            raise Contradiction("the bridges form a loop")
        closed = next((group for group, debt in self._debts(view).items() if not debt), None)
        if len(groups) > 1 and closed is not None:
            raise Contradiction(
                f"{self._island(closed, False)} and what it is joined to are shut off from the others"
            )

    def _debts(self, view: _View) -> dict[int, int]:
        """By group the bridges that its islands miss."""
        debts: dict[int, int] = {}
        for island, owed in enumerate(view.owed):
            group = view.group(island)
            debts[group] = debts.get(group, 0) + owed
        return debts

    def _raise(
        self, board: Known, raised: Mapping[int, int], rule: str, why: str, looked_at: Sequence[int]
    ) -> Finding[Known]:
        least = list(board.least)
        for span, count in raised.items():
            least[span] = count
        settled = {self._spans[span]: count for span, count in raised.items()}
        focus = dict.fromkeys(self._spans[span] for span in looked_at)
        islands = dict.fromkeys(end for span in settled for end in span)
        return Finding(
            rule, why, replace(board, least=tuple(least)), settled, frozenset(settled), (*islands, *focus)
        )

    def _cells(self, spans: Sequence[int]) -> frozenset[Span]:
        return frozenset(self._spans[span] for span in spans)

    def _other(self, span: int, island: int) -> int:
        a, b = self._graph.ends[span]
        return b if a == island else a

    def _island(self, island: int, first: bool = True) -> str:
        """An island in a sentence, `first` word or not."""
        found = self.puzzle.islands[island]
        return f"{'The' if first else 'the'} {found.clue} at {_at(found.at)}"

    def _way(self, span: int) -> str:
        a, b = self._graph.ends[span]
        return f"{self._island(a, False)} to {self._island(b, False)}"


def _more(board: Known, spans: Sequence[int], owed: int) -> str:
    """What an island needs, in words."""
    return f"{_bridges(owed)} more" if any(board.least[span] for span in spans) else _bridges(owed)


def _bridges(count: int) -> str:
    return "one bridge" if count == 1 else f"{count} bridges"


def _at(cell: Square) -> str:
    return f"row {cell.row + 1}, column {cell.col + 1}"


def _put(numbers: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    return (*numbers[:place], number, *numbers[place + 1 :])
