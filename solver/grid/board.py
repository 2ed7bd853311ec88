"""A board of square cells, whatever the game: its size and everything that is printed on it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise
from typing import Literal, NamedTuple

from solver.errors import InvalidPuzzle
from solver.lattice import Square

# Far above what a program shows, far below what hurts.
MOST_SIDE = 60

Edge = Literal["top", "bottom", "left", "right"]


class Outside(NamedTuple):
    """A place beside the board: at the end of a row or a column, counted from 0."""

    edge: Edge
    nth: int

    def in_words(self) -> str:
        """
        >>> Outside("left", 0).in_words(), Outside("top", 2).in_words()
        ('left of row 1', 'above column 3')
        """
        if self.edge in ("left", "right"):
            return f"{self.edge} of row {self.nth + 1}"
        return f"{'above' if self.edge == 'top' else 'below'} column {self.nth + 1}"

    def as_json(self) -> list[str | int]:
        return [self.edge, self.nth]


class Corner(NamedTuple):
    """A point where cells meet; (0, 0) is the top left corner of the board."""

    row: int
    col: int
    # Tuples of equal numbers are equal: without it a point would be the cell of the same numbers.
    kind: str = "corner"

    def in_words(self) -> str:
        return f"the point at line {self.row + 1} down, line {self.col + 1} across"

    def as_json(self) -> list[int | str]:
        return ["corner", self.row, self.col]


class Between(NamedTuple):
    """The border of two neighbouring cells, `a` before `b`."""

    a: Square
    b: Square

    def in_words(self) -> str:
        return f"between {self.a.in_words()} and {self.b.in_words()}"

    def as_json(self) -> list[int]:
        return [*self.a, *self.b]


Place = Square | Outside | Corner | Between

# The entries of a board: cell -> value. Cells that hold nothing are left out.
Entries = Mapping[Square, str]


@dataclass(frozen=True)
class Board:
    """A board as it is printed.

    given: what is printed and where: numbers, blocked cells, signs between cells.
    form: what else there is to know, in the words of the game ("3x3" blocks, three kinds of monsters).
    """

    height: int
    width: int
    given: Mapping[Place, str] = field(default_factory=dict)
    form: str = ""

    def __post_init__(self) -> None:
        if not (1 <= self.height <= MOST_SIDE and 1 <= self.width <= MOST_SIDE):
            raise InvalidPuzzle(
                f"a board of {self.width} x {self.height} cells", hint=f"1 to {MOST_SIDE} each way"
            )

    @property
    def squares(self) -> tuple[Square, ...]:
        """All cells, row by row."""
        return tuple(chain.from_iterable(rows_of(self.height, self.width)))

    def row(self, row: int) -> tuple[Square, ...]:
        return rows_of(self.height, self.width)[row]

    def col(self, col: int) -> tuple[Square, ...]:
        return tuple([row[col] for row in rows_of(self.height, self.width)])

    def edge(self, edge: Edge) -> tuple[tuple[Square, ...], ...]:
        """The lines that begin or end at an edge, in the order of its places."""
        if edge in ("top", "bottom"):
            return tuple(self.col(col) for col in range(self.width))
        return tuple(self.row(row) for row in range(self.height))

    @property
    def lines(self) -> tuple[tuple[str, tuple[Square, ...]], ...]:
        """Every row and column with its name."""
        rows = [(f"row {row + 1}", self.row(row)) for row in range(self.height)]
        return (*rows, *((f"column {col + 1}", self.col(col)) for col in range(self.width)))

    @property
    def diagonals(self) -> tuple[tuple[str, tuple[Square, ...]], ...]:
        """The two lines from corner to corner of a square board, with their names."""
        falling = tuple(Square(nth, nth) for nth in range(self.height))
        rising = tuple(Square(self.height - 1 - nth, nth) for nth in range(self.height))
        return ("the falling diagonal", falling), ("the rising diagonal", rising)

    def has(self, at: Square) -> bool:
        return 0 <= at.row < self.height and 0 <= at.col < self.width

    def beside(self, at: Square) -> tuple[Square, ...]:
        """The cells above, right, below and left of a cell."""
        rows, (row, col) = rows_of(self.height, self.width), at
        near = ((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1))
        return tuple([rows[r][c] for r, c in near if 0 <= r < self.height and 0 <= c < self.width])

    def around(self, at: Square) -> tuple[Square, ...]:
        """The up to nine cells of the three by three around a cell, itself among them."""
        rows = rows_of(self.height, self.width)[max(at.row - 1, 0) : at.row + 2]
        return tuple(chain.from_iterable([row[max(at.col - 1, 0) : at.col + 2] for row in rows]))

    @property
    def fours(self) -> tuple[tuple[Square, ...], ...]:
        """The cells of every two by two, row by row, the upper left one first."""
        rows = rows_of(self.height, self.width)
        return tuple(
            [
                (*upper[col : col + 2], *lower[col : col + 2])
                for upper, lower in pairwise(rows)
                for col in range(self.width - 1)
            ]
        )

    def arms(self, at: Square) -> tuple[tuple[Square, ...], ...]:
        """The cells up, right, down and left of a cell to the edge of the board, the nearest first."""
        row, col = self.row(at.row), self.col(at.col)
        return col[: at.row][::-1], row[at.col + 1 :], col[at.row + 1 :], row[: at.col][::-1]


@lru_cache(maxsize=64)
def rows_of(height: int, width: int) -> tuple[tuple[Square, ...], ...]:
    """The cells of a board of a size, row by row: they are made once."""
    return tuple(tuple(Square(row, col) for col in range(width)) for row in range(height))


def named(cell: Square) -> str:
    """A cell as people count it.

    >>> named(Square(0, 4))
    'row 1, column 5'
    """
    return f"row {cell.row + 1}, column {cell.col + 1}"


def counted(number: str | int, thing: str) -> str:
    """So many things, as people say it.

    >>> counted("1", "lamp"), counted(0, "white cell")
    ('1 lamp', '0 white cells')
    """
    return f"{number} {thing}{'' if int(number) == 1 else 's'}"


def unbroken(line: Iterable[Square], blocked: Container[object]) -> Iterator[list[Square]]:
    """The runs of cells of a line between those that are blocked.

    >>> [len(run) for run in unbroken([Square(0, 0), Square(0, 1), Square(0, 2)], {Square(0, 1)})]
    [1, 1]
    """
    run: list[Square] = []
    for cell in line:
        if cell in blocked:
            if run:
                yield run
            run = []
        else:
            run.append(cell)
    if run:
        yield run
