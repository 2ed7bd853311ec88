"""Nonogram: the puzzle, its rules and its picture in text.

Every row and column names the lengths of its filled runs in order; at least one blank cell parts them.
In a coloured nonogram every run has an ink, and runs of different inks may touch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress, groupby, pairwise, repeat
from operator import add
from typing import Any, NamedTuple, cast

from solver.errors import InvalidPuzzle
from solver.lattice import Square

Clue = tuple[int, ...]

# Far above any published puzzle; keeps a hostile text from asking for gigabytes.
MOST_SIDE = 1000
FILLED, BLANK, UNKNOWN = "#", ".", "?"
_TO_FLAGS = bytes.maketrans(b"01", b"\0\1")


class Ink(NamedTuple):
    """A colour of a coloured nonogram: its character in texts, its name, and its RGB in hexadecimal."""

    char: str
    name: str
    rgb: str


@dataclass(frozen=True)
class Palette:
    """The colours of a coloured nonogram, and which ink each run has.

    rows, cols: one string per line, one character per run.
    """

    background: Ink
    inks: tuple[Ink, ...]
    rows: tuple[str, ...]
    cols: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """Which cells are filled and which are blank; a solution has every cell in one of them.

    inks: the ink character of every filled cell, for coloured nonograms only.
    """

    filled: frozenset[Square] = field(default_factory=frozenset)
    blank: frozenset[Square] = field(default_factory=frozenset)
    inks: frozenset[tuple[Square, str]] = field(default_factory=frozenset)

    @classmethod
    def from_bits(cls, filled: Sequence[int], blank: Sequence[int] | None, width: int) -> Picture:
        """A black-and-white picture from one integer per row, with a bit per cell, the left one lowest.

        blank: None where every cell that is not filled is blank.
        The sets of cells are made when one is asked for: they take longer than many a solution.
        """
        picture = cls.__new__(cls)
        picture.__dict__["_bits"] = filled, blank, width
        return picture

    def __getattr__(self, name: str) -> frozenset[Any]:
        if "_bits" not in self.__dict__ or name not in {"filled", "blank", "inks"}:
            raise AttributeError(f"a picture has no {name}")
        filled, blank, width = self.__dict__["_bits"]
        squares = _squares(len(filled), width)
        cells = frozenset(compress(squares, _flags(filled, width)))
        others = (
            _every_square(len(filled), width) - cells
            if blank is None
            else frozenset(compress(squares, _flags(blank, width)))
        )
        self.__dict__.update(filled=cells, blank=others, inks=frozenset())
        return cast("frozenset[Any]", self.__dict__[name])


def is_whole(puzzle: Nonogram, picture: Picture) -> bool:
    """Whether every cell is filled or blank."""
    return len(picture.filled) + len(picture.blank) == puzzle.width * puzzle.height


def _flags(rows: Sequence[int], width: int) -> bytes:
    """One byte per cell, 1 where its bit is set; through text, which C code does at once."""
    return "".join(map(format, reversed(rows), repeat(f"0{width}b")))[::-1].encode().translate(_TO_FLAGS)


@lru_cache(maxsize=16)
def _squares(height: int, width: int) -> tuple[Square, ...]:
    return tuple(Square(row, col) for row in range(height) for col in range(width))


@lru_cache(maxsize=16)
def _every_square(height: int, width: int) -> frozenset[Square]:
    return frozenset(_squares(height, width))


@dataclass(frozen=True)
class Nonogram:
    """A puzzle: one clue per row (top to bottom) and per column (left to right); an empty line has `()`.

    given: cells that are fixed from the start.
    palette: None for black and white.
    Only the form is checked here; `faults` says what no picture could meet.
    """

    rows: tuple[Clue, ...]
    cols: tuple[Clue, ...]
    given: Picture = field(default_factory=Picture)
    palette: Palette | None = None

    def __post_init__(self) -> None:
        if not (1 <= self.height <= MOST_SIDE and 1 <= self.width <= MOST_SIDE):
            raise InvalidPuzzle(
                f"a nonogram of {self.width} by {self.height} cells",
                hint=f"a side has 1 to {MOST_SIDE} cells",
            )
        for kind, lines in (("row", self.rows), ("column", self.cols)):
            for number, clue in enumerate(lines, 1):
                if min(clue, default=1) < 1:
                    raise InvalidPuzzle(
                        f"{kind} {number} has a run of {min(clue)}", hint="a run is 1 or longer"
                    )
        given = self.given.filled | self.given.blank
        if given and (outside := given - _every_square(self.height, self.width)):
            at = min(outside)
            raise InvalidPuzzle(f"the given cell at row {at.row + 1}, column {at.col + 1} is outside")
        if self.palette is not None:
            _check_palette(self, self.palette)

    @property
    def width(self) -> int:
        return len(self.cols)

    @property
    def height(self) -> int:
        return len(self.rows)


def _check_palette(puzzle: Nonogram, palette: Palette) -> None:
    known = {ink.char for ink in palette.inks}
    for kind, lines, inks in (("row", puzzle.rows, palette.rows), ("column", puzzle.cols, palette.cols)):
        if len(lines) != len(inks):
            raise InvalidPuzzle(f"colours for {len(inks)} of {len(lines)} {kind}s")
        for number, (clue, chars) in enumerate(zip(lines, inks, strict=True), 1):
            if len(clue) != len(chars) or not known.issuperset(chars):
                raise InvalidPuzzle(f"{kind} {number} has {len(clue)} runs and the colours {chars!r}")


def faults(puzzle: Nonogram) -> tuple[str, ...]:
    """Why no picture can meet the clues, in words: sums that differ, clues longer than their line."""
    found: list[str] = []
    cells: list[int] = []
    inks = puzzle.palette
    for kind, lines, chars, room in (
        ("row", puzzle.rows, inks.rows if inks else (), puzzle.width),
        ("column", puzzle.cols, inks.cols if inks else (), puzzle.height),
    ):
        filled = list(map(sum, lines))
        cells.append(sum(filled))
        # With the blank cell that may stand behind the last run; in colours runs may touch.
        needs = list(map(add, filled, map(_gaps, chars) if inks else map(len, lines)))
        beyond = 0 if inks else 1
        if max(needs) > room + beyond:
            found += [
                f"{kind} {number} needs {need - beyond} cells and has {room}"
                for number, need in enumerate(needs, start=1)
                if need > room + beyond
            ]
    rows, cols = cells
    if rows != cols:
        found.append(f"the rows have {rows} filled cells, the columns {cols}")
    elif inks is not None:
        for ink in inks.inks:
            rows = _cells_of(ink, puzzle.rows, inks.rows)
            cols = _cells_of(ink, puzzle.cols, inks.cols)
            if rows != cols:
                found.append(f"the rows have {rows} cells of {ink.name}, the columns {cols}")
    return tuple(found)


def _cells_of(ink: Ink, lines: Sequence[Clue], chars: Sequence[str]) -> int:
    pairs = (zip(clue, at, strict=True) for clue, at in zip(lines, chars, strict=True))
    return sum(run for line in pairs for run, char in line if char == ink.char)


def _gaps(chars: str) -> int:
    """How many blank cells a coloured line needs at least between its runs."""
    return sum(a == b for a, b in pairwise(chars))


def check(puzzle: Nonogram, solution: Picture) -> tuple[str, ...]:
    """The broken rules in words; empty means solved, which needs every cell to be filled or blank."""
    broken: list[str] = []
    cells = {Square(row, col) for row in range(puzzle.height) for col in range(puzzle.width)}
    both = solution.filled & solution.blank
    if both:
        broken.append(f"{len(both)} cells are both filled and blank")
    outside = (solution.filled | solution.blank) - cells
    if outside:
        broken.append(f"{len(outside)} cells are outside the board")
    unknown = len(cells - solution.filled - solution.blank)
    if unknown:
        broken.append(f"{unknown} cells are unknown")
    changed = (puzzle.given.filled - solution.filled) | (puzzle.given.blank - solution.blank)
    changed |= {at for at, _ in puzzle.given.inks - solution.inks}
    broken += [
        f"the given cell at row {at.row + 1}, column {at.col + 1} was changed" for at in sorted(changed)
    ]

    chars = dict(solution.inks) if puzzle.palette else dict.fromkeys(solution.filled, FILLED)
    if puzzle.palette and (len(chars) != len(solution.inks) or chars.keys() != solution.filled):
        broken.append("not every filled cell has exactly one ink")
    row_inks = puzzle.palette.rows if puzzle.palette else [None] * puzzle.height
    col_inks = puzzle.palette.cols if puzzle.palette else [None] * puzzle.width
    for row, clue in enumerate(puzzle.rows):
        line = [chars.get(Square(row, col), "") for col in range(puzzle.width)]
        broken += _line_faults(f"row {row + 1}", line, clue, row_inks[row])
    for col, clue in enumerate(puzzle.cols):
        line = [chars.get(Square(row, col), "") for row in range(puzzle.height)]
        broken += _line_faults(f"column {col + 1}", line, clue, col_inks[col])
    return tuple(broken)


def _line_faults(name: str, line: Sequence[str], clue: Clue, chars: str | None) -> list[str]:
    runs = [(char, sum(1 for _ in cells)) for char, cells in groupby(line) if char]
    if runs == list(zip(chars or FILLED * len(clue), clue, strict=True)):
        return []
    found = " ".join(f"{length}{char if chars is not None else ''}" for char, length in runs) or "nothing"
    return [f"{name} has {found} instead of {' '.join(map(str, clue)) or 'nothing'}"]


def solution_json(puzzle: Nonogram, solution: Picture) -> list[str]:
    """One string per row: `#` filled, `.` blank, `?` unknown; colours use the file's characters."""
    filled, blank = FILLED, BLANK
    inks: dict[Square, str] = {}
    if puzzle.palette is not None:
        blank = puzzle.palette.background.char
        inks = dict(solution.inks)

    def sign(at: Square) -> str:
        if at in solution.filled:
            return inks.get(at, filled)
        return blank if at in solution.blank else UNKNOWN

    return ["".join(sign(Square(row, col)) for col in range(puzzle.width)) for row in range(puzzle.height)]


def draw(puzzle: Nonogram, solution: Picture) -> str:
    """The picture in text, one character per cell: `#` filled, `.` blank, `?` unknown."""
    return "\n".join(solution_json(puzzle, solution))
