"""Algemy step by step: the rules a player uses, the easiest first.

1. only source     a crystal, or a cell that must be lit, with one source left that can do it
2. some source     all sources left that can do it are in one cell: nothing it sees holds another one
3. in the way      a source that would leave a crystal without a colour, or a cell in the dark
4. as good         a source that another one in the same cell can always replace: the richer colour is kept

Rules 1 to 3 hold in every solution. Rule 4 only keeps one, where there are several.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from solver.algemy.board import BITS, COLOUR_NAMES, FULL, PRIMARY, Algemy, AlgemyCell, Solution
from solver.algemy.rules import sight
from solver.steps import Contradiction, Finding

PRIMARY_NAMES = {1: "red", 2: "yellow", 4: "blue"}


@dataclass(frozen=True)
class Known:
    """Sources that are placed, and those that still can be, as bits of option numbers."""

    chosen: int
    free: int


@dataclass(frozen=True)
class _Demand:
    """Something that must be: an empty cell lit (primary 0), a crystal reached by a primary.

    options: the sources that do it.
    """

    cell: AlgemyCell
    primary: int
    options: int


class SourceReasoner:
    """The rules on one puzzle, played with one palette."""

    def __init__(self, puzzle: Algemy, palette: str = FULL) -> None:
        self.puzzle = puzzle
        crystals = puzzle.crystals
        empty = [cell for cell in puzzle.cells if cell not in crystals]
        sees: dict[AlgemyCell, set[AlgemyCell]] = {}
        faces: dict[AlgemyCell, set[AlgemyCell]] = {crystal: set() for crystal in crystals}
        allowed = dict.fromkeys(empty, 7)
        for cell in empty:
            sees[cell] = set()
            for ray, crystal in sight(puzzle, cell):
                sees[cell].update(ray)
                if crystal is not None:
                    allowed[cell] &= BITS[crystals[crystal]]
                    faces[crystal].add(cell)
        self._sees = sees
        self.options = [
            (cell, colour)
            for cell in empty
            for colour in palette
            if BITS[colour] | allowed[cell] == allowed[cell]
        ]
        self._of: dict[AlgemyCell, int] = dict.fromkeys(empty, 0)
        for number, (cell, _) in enumerate(self.options):
            self._of[cell] |= 1 << number
        self._seen = {cell: self._union(sees[cell]) for cell in empty}
        self._demands = [_Demand(cell, 0, self._of[cell] | self._seen[cell]) for cell in empty]
        for crystal, letter in crystals.items():
            facing = self._union(faces[crystal])
            for primary in (1, 2, 4):
                if BITS[letter] & primary:
                    shining = sum(
                        1 << n for n, (_, colour) in enumerate(self.options) if BITS[colour] & primary
                    )
                    self._demands.append(_Demand(crystal, primary, facing & shining))
        self._faces = faces

    def start(self, placed: Solution | None) -> Known:
        board = Known(0, (1 << len(self.options)) - 1)
        number = {option: n for n, option in enumerate(self.options)}
        for cell, colour in sorted((placed or {}).items()):
            option = number.get((cell, colour))
            if option is None:
                raise Contradiction(f"no {COLOUR_NAMES[colour]} source can stand at {self.puzzle.name(cell)}")
            if not board.free >> option & 1:
                raise Contradiction(f"the source at {self.puzzle.name(cell)} is seen by another one")
            board = self._choose(board, option)
        return board

    def known(self, board: Known) -> Solution:
        return dict(self.options[option] for option in _bits(board.chosen))

    def maybe(self, board: Known) -> Mapping[AlgemyCell, str]:
        """The colours that each cell without a source may still have."""
        found: dict[AlgemyCell, str] = {}
        for option in _bits(board.free):
            cell, colour = self.options[option]
            found[cell] = found.get(cell, "") + colour
        return found

    def branches(self, board: Known) -> Iterator[Sequence[Finding[Known]]]:
        """The sources that can do something, what the fewest can do first; each later one without those before."""
        for demand in sorted(self._unmet(board), key=lambda one: (one.options & board.free).bit_count()):
            findings = []
            tried = 0
            for option in _bits(demand.options & board.free):
                cell, colour = self.options[option]
                why = f"Suppose {self._source(option)}, to {self._doing(demand)}."
                after = self._choose(Known(board.chosen, board.free & ~tried), option)
                findings.append(
                    Finding(
                        "guess", why, after, {cell: colour}, self._gone(board, after), (demand.cell, cell)
                    )
                )
                tried |= 1 << option
            yield findings

    def deduce(self, board: Known) -> Finding[Known] | None:
        unmet = self._unmet(board)
        for demand in unmet:
            if not demand.options & board.free:
                raise Contradiction(self._failing(demand))
        for rule in (self._only_source, self._some_source, self._in_the_way, self._as_good):
            for finding in rule(board, unmet):
                return finding
        return None

    # The rules

    def _only_source(self, board: Known, unmet: Sequence[_Demand]) -> Iterator[Finding[Known]]:
        # Crystals first: they are easier to look at than everything that a cell sees.
        for demand in sorted(unmet, key=lambda one: not one.primary):
            left = demand.options & board.free
            if left & (left - 1) == 0:
                option = left.bit_length() - 1
                cell, colour = self.options[option]
                after = self._choose(board, option)
                if demand.cell == cell:
                    source = _a_source(colour)
                    why = f"No light from elsewhere can reach {self.puzzle.name(cell)}, so it holds {source}."
                else:
                    why = f"Only {self._source(option)} can still {self._doing(demand)}."
                yield Finding(
                    "only source", why, after, {cell: colour}, self._gone(board, after), self._around(demand)
                )

    def _some_source(self, board: Known, unmet: Sequence[_Demand]) -> Iterator[Finding[Known]]:
        for demand in unmet:
            left = demand.options & board.free
            cell = self.options[(left & -left).bit_length() - 1][0]
            if left & ~self._of[cell]:
                continue
            # The colours that do not help go as well.
            after = Known(board.chosen, board.free & ~self._seen[cell] & ~(self._of[cell] & ~left))
            if after != board:
                why = (
                    f"Only a source at {self.puzzle.name(cell)} can still {self._doing(demand)}, so nothing it sees"
                    " holds another one."
                )
                yield Finding("some source", why, after, {}, self._gone(board, after), self._around(demand))

    def _in_the_way(self, board: Known, unmet: Sequence[_Demand]) -> Iterator[Finding[Known]]:
        for option in _bits(board.free):
            cell, _ = self.options[option]
            closed = self._seen[cell] | self._of[cell] & ~(1 << option)
            for demand in unmet:
                if not demand.options >> option & 1 and not demand.options & board.free & ~closed:
                    after = Known(board.chosen, board.free & ~(1 << option))
                    why = f"With {self._source(option)}, {self._failing(demand)}; so there is none."
                    focus = (cell, *self._around(demand))
                    yield Finding("in the way", why, after, {}, frozenset((cell,)), focus)
                    break

    def _as_good(self, board: Known, unmet: Sequence[_Demand]) -> Iterator[Finding[Known]]:
        for cell, own in self._of.items():
            # What each source in this cell would do that is not done yet.
            does = {
                option: frozenset(n for n, demand in enumerate(unmet) if demand.options >> option & 1)
                for option in _bits(own & board.free)
            }
            for kept, best in does.items():
                worse = [
                    option for option, done in does.items() if done < best or (done == best and option > kept)
                ]
                if worse:
                    after = Known(board.chosen, board.free & ~sum(1 << option for option in worse))
                    names = " or ".join(COLOUR_NAMES[self.options[option][1]] for option in worse)
                    colour = COLOUR_NAMES[self.options[kept][1]]
                    why = f"At {self.puzzle.name(cell)} {colour} does all that {names} would do, so only {colour} is kept."
                    yield Finding("as good", why, after, {}, frozenset((cell,)), (cell,))

    # What the rules are made of

    def _union(self, cells: set[AlgemyCell]) -> int:
        mask = 0
        for cell in cells:
            mask |= self._of[cell]
        return mask

    def _choose(self, board: Known, option: int) -> Known:
        cell, _ = self.options[option]
        return Known(board.chosen | 1 << option, board.free & ~self._of[cell] & ~self._seen[cell])

    def _unmet(self, board: Known) -> list[_Demand]:
        return [demand for demand in self._demands if not demand.options & board.chosen]

    def _gone(self, before: Known, after: Known) -> frozenset[AlgemyCell]:
        return frozenset(self.options[option][0] for option in _bits(before.free & ~after.free))

    def _around(self, demand: _Demand) -> tuple[AlgemyCell, ...]:
        """A demand's cell and all cells from which a source could meet it."""
        cells = self._faces[demand.cell] if demand.primary else self._sees[demand.cell]
        return (demand.cell, *sorted(cells))

    def _doing(self, demand: _Demand) -> str:
        """What a demand asks for, in words after "can"."""
        where = self.puzzle.name(demand.cell)
        if not demand.primary:
            return f"light the empty cell at {where}"
        colour, primary = COLOUR_NAMES[self.puzzle.crystals[demand.cell]], PRIMARY_NAMES[demand.primary]
        if colour == primary:
            return f"light the {colour} crystal at {where}"
        return f"give the {colour} crystal at {where} its {primary}"

    def _failing(self, demand: _Demand) -> str:
        """That a demand is not met, in words."""
        where = self.puzzle.name(demand.cell)
        if not demand.primary:
            return f"the empty cell at {where} stays dark"
        colour = COLOUR_NAMES[self.puzzle.crystals[demand.cell]]
        return f"the {colour} crystal at {where} gets no {PRIMARY_NAMES[demand.primary]}"

    def _source(self, option: int) -> str:
        cell, colour = self.options[option]
        return f"{_a_source(colour)} at {self.puzzle.name(cell)}"


def reasoner(puzzle: Algemy, solution: Solution) -> SourceReasoner:
    """The rules with the palette of the board; where it is not known, with the one that the solution needs."""
    few = set(solution.values()) <= set(PRIMARY)
    return SourceReasoner(puzzle, puzzle.palette or (PRIMARY if few else FULL))


def _a_source(colour: str) -> str:
    """
    >>> _a_source("O"), _a_source("R")
    ('an orange source', 'a red source')
    """
    name = COLOUR_NAMES[colour]
    return f"{'an' if name == 'orange' else 'a'} {name} source"


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
