"""The server's side of the research table: what a message costs and changes (Thaumcraft 4.2.3.5).

Nothing here knows of pictures or the mouse. A message that the rules do not allow is ignored in silence,
as the game does it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from solver.lattice import Hex, hex_neighbours
from solver.thaumcraft import Aspects, Note

# A compound made for the first time comes with so many units.
FIRST_UNITS = 3


@dataclass
class Server:
    """A table with a note in it and what its player owns.

    stock, bonus: units in the player's pool and in the table's own store.
    ink: actions left in the scribing tools, None when there are none. free: share of placements that cost
        nothing; refund: share of erasures that give the unit back (both by research).
    """

    aspects: Aspects
    cells: frozenset[Hex]
    given: Mapping[Hex, str]
    stock: dict[str, int]
    discovered: set[str]
    bonus: dict[str, int] = field(default_factory=dict)
    placed: dict[Hex, str] = field(default_factory=dict)
    ink: int | None = 100
    free: float = 0.0
    refund: float = 0.0
    rng: random.Random = field(default_factory=lambda: random.Random(0))
    complete: bool = False
    has_note: bool = True

    def have(self, tag: str) -> int:
        """Units that can be used, the table's own included."""
        return self.stock.get(tag, 0) + self.bonus.get(tag, 0)

    def place(self, cell: Hex, tag: str) -> None:
        """Put an aspect on a cell. What was placed there before is overwritten and paid again."""
        if not self._writable() or cell not in self.cells or cell in self.given or not self.have(tag):
            return
        if self.rng.random() >= self.free:
            self._take(tag)
        self._wear()
        self.placed[cell] = tag
        self._test_completion()

    def erase(self, cell: Hex) -> None:
        """Take a placed aspect off; the unit comes back by chance."""
        if not self._writable() or cell not in self.placed:
            return
        tag = self.placed.pop(cell)
        if self.rng.random() < self.refund:
            self.stock[tag] = self.stock.get(tag, 0) + 1
        self._wear()
        self._test_completion()

    def combine(self, first: str, second: str) -> None:
        """One unit of both for one of their compound; for nothing when there is no such compound."""
        if not self.have(first) or not self.have(second):
            return
        self._take(first)
        self._take(second)
        made = self.aspects.made_of(first, second)
        if made is None:
            return
        if made in self.discovered:
            self.stock[made] = self.stock.get(made, 0) + 1
        else:
            self.discovered.add(made)
            self.stock[made] = FIRST_UNITS

    def put_in(self, note: Note) -> None:
        """Another note in the table."""
        self.cells, self.given, self.placed = note.cells, dict(note.given), {}
        self.has_note, self.complete = True, False

    def lit(self) -> frozenset[Hex]:
        """The cells that hang on some given by links, givens included."""
        return frozenset(cell for start in self.given for cell in self._reached(start))

    def _writable(self) -> bool:
        return self.has_note and not self.complete and bool(self.ink)

    def _wear(self) -> None:
        self.ink = (self.ink or 0) - 1

    def _take(self, tag: str) -> None:
        pool = self.stock if self.stock.get(tag, 0) else self.bonus
        if pool.get(tag, 0):
            pool[tag] -= 1

    def _reached(self, start: Hex) -> set[Hex]:
        board = {**self.placed, **self.given}
        reached, edge = {start}, [start]
        while edge:
            cell = edge.pop()
            for other in hex_neighbours(cell):
                if other not in reached and other in board and self._link(board[cell], board[other]):
                    reached.add(other)
                    edge.append(other)
        return reached

    def _link(self, a: str, b: str) -> bool:
        """Only aspects that the player has discovered link."""
        return b in self.aspects.links.get(a, frozenset()) and {a, b} <= self.discovered

    def _test_completion(self) -> None:
        """When all givens hang together: free cells and what was not reached vanish, the note is sealed."""
        reached = self._reached(min(self.given))
        if set(self.given) <= reached:
            self.complete = True
            self.cells = frozenset(reached)
            self.placed = {cell: tag for cell, tag in self.placed.items() if cell in reached}
