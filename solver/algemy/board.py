"""What an Algemy board is: its shape, its cells and its crystals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from solver.errors import InvalidPuzzle
from solver.lattice import Hex, Square

# Colour letter -> set of primaries: red 1, yellow 2, blue 4.
BITS: Mapping[str, int] = {"W": 0, "R": 1, "Y": 2, "O": 3, "B": 4, "V": 5, "G": 6, "X": 7}
COLOUR_NAMES: Mapping[str, str] = {
    "R": "red",
    "O": "orange",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "V": "violet",
    "X": "brown",
    "W": "white",
}
PRIMARY = "RYB"
FULL = "ROYGBV"
EMPTY = "-"

# No menu goes beyond 7; the bound keeps a hostile text from costing minutes.
MAX_SIDE = 64

Shape = Literal["square", "hex"]
AlgemyCell = Square | Hex
Solution = Mapping[AlgemyCell, str]


@dataclass(frozen=True)
class Algemy:
    """A board before anything is placed on it.

    shape: "square" (a rectangle is fine), or "hex": rows of pointy-top hexagons that grow by one cell up to
        the widest row and then shrink by one.
    rows: one string per row; a crystal's colour letter, or "-" for an empty cell.
    palette: the sources there are, "RYB" or "ROYGBV"; "" when it is not known.
    Raises InvalidPuzzle.
    """

    shape: Shape
    rows: tuple[str, ...]
    palette: str = ""

    def __post_init__(self) -> None:
        if self.shape not in ("square", "hex"):
            raise InvalidPuzzle(f"shape {self.shape!r} is unknown", hint="square or hex")
        if self.palette not in ("", PRIMARY, FULL):
            raise InvalidPuzzle(f"palette {self.palette!r} is unknown", hint=f"{PRIMARY} or {FULL}")
        if not self.rows or not all(self.rows):
            raise InvalidPuzzle("a board needs at least one row, and a row at least one cell")
        if len(self.rows) > MAX_SIDE or max(map(len, self.rows)) > MAX_SIDE:
            raise InvalidPuzzle(f"a board has at most {MAX_SIDE} rows and {MAX_SIDE} cells in a row")
        for index, row in enumerate(self.rows):
            wrong = set(row) - set(BITS) - {EMPTY}
            if wrong:
                raise InvalidPuzzle(
                    f"row {index + 1} has {sorted(wrong)[0]!r} in it",
                    hint=f"a cell is {EMPTY} or one of {' '.join(BITS)}",
                )
        self._check_lengths(tuple(map(len, self.rows)))

    def _check_lengths(self, lengths: tuple[int, ...]) -> None:
        if self.shape == "square":
            expected = (lengths[0],) * len(lengths)
            told = "all rows of a square board have the same length"
        else:
            top = lengths.index(max(lengths))
            expected = tuple(lengths[top] - abs(row - top) for row in range(len(lengths)))
            told = "the rows of a hexagonal board grow by one cell up to the widest and then shrink by one"
        for index, (length, right) in enumerate(zip(lengths, expected, strict=True)):
            if length != right:
                raise InvalidPuzzle(f"row {index + 1} has {length} cells where {right} fit", hint=told)

    @property
    def lengths(self) -> tuple[int, ...]:
        """Cells per row."""
        return tuple(map(len, self.rows))

    @cached_property
    def top(self) -> int:
        """Index of the widest row; 0 on square boards."""
        lengths = self.lengths
        return lengths.index(max(lengths))

    @cached_property
    def cells(self) -> tuple[AlgemyCell, ...]:
        """All cells, row by row."""
        return tuple(self.cell(row, col) for row, text in enumerate(self.rows) for col in range(len(text)))

    @cached_property
    def places(self) -> frozenset[AlgemyCell]:
        """All cells, to ask whether one is on the board."""
        return frozenset(self.cells)

    @cached_property
    def crystals(self) -> Mapping[AlgemyCell, str]:
        """Crystal -> colour letter."""
        return {
            self.cell(row, col): letter
            for row, text in enumerate(self.rows)
            for col, letter in enumerate(text)
            if letter != EMPTY
        }

    def cell(self, row: int, col: int) -> AlgemyCell:
        """The cell that is the col-th of its row, both counted from 0.

        >>> Algemy("hex", ("--", "---", "--")).cell(2, 0)
        Hex(q=-1, r=2)
        """
        return Square(row, col) if self.shape == "square" else Hex(col - min(row, self.top), row)

    def place(self, cell: AlgemyCell) -> tuple[int, int]:
        """(row, col) of a cell, the inverse of `cell`."""
        if isinstance(cell, Square):
            return cell.row, cell.col
        return cell.r, cell.q + min(cell.r, self.top)

    def name(self, cell: AlgemyCell) -> str:
        """Where a cell is, for people, who count from 1."""
        row, col = self.place(cell)
        return f"row {row + 1}, column {col + 1}"
