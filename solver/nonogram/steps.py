"""Nonograms step by step: one line at a time, the easiest line first.

1. empty line     no runs at all
2. exact fit      the runs and the blanks between them fill the line
3. complete       all cells of the clue are filled, the rest is blank
4. overlap        on a line of which nothing is known: what a run covers wherever it starts
5. every way      what all ways to lay the runs on the known cells have in common

Rule 5 contains the others; they are what a player would call it. `shares` counts the ways, as the classic
griddler solvers do whose picture comes out of the fog.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from solver.lattice import Square
from solver.nonogram.board import BLANK, FILLED, Nonogram, Picture
from solver.nonogram.colour import Runs, deduce
from solver.nonogram.ways import Masks, shares
from solver.steps import Contradiction, Finding


class Known(NamedTuple):
    """For every line and every ink (0 is blank) the cells that may have it, as bits."""

    rows: tuple[Masks, ...]
    cols: tuple[Masks, ...]


class Place(NamedTuple):
    """A line: `side` 0 for rows, 1 for columns, and its number."""

    side: int
    number: int

    def __str__(self) -> str:
        return f"{'column' if self.side else 'row'} {self.number + 1}"

    def square(self, cell: int) -> Square:
        return Square(cell, self.number) if self.side else Square(self.number, cell)


class LineReasoner:
    """The rules on one puzzle, coloured or not."""

    def __init__(self, puzzle: Nonogram) -> None:
        self.puzzle = puzzle
        palette = puzzle.palette
        self._chars = BLANK + ("".join(ink.char for ink in palette.inks) if palette else FILLED)
        self._names = ["blank", *(ink.name for ink in palette.inks)] if palette else ["blank", "filled"]
        rows = palette.rows if palette else [FILLED * len(clue) for clue in puzzle.rows]
        cols = palette.cols if palette else [FILLED * len(clue) for clue in puzzle.cols]
        self._runs = (
            [_runs(clue, chars, self._chars) for clue, chars in zip(puzzle.rows, rows, strict=True)],
            [_runs(clue, chars, self._chars) for clue, chars in zip(puzzle.cols, cols, strict=True)],
        )
        self._lengths = (puzzle.width, puzzle.height)
        self._places = [Place(side, n) for side in (0, 1) for n in range(len(self._runs[side]))]

    def start(self, placed: Picture | None) -> Known:
        height, width = self.puzzle.height, self.puzzle.width
        kinds = len(self._chars)
        rows = [[(1 << width) - 1] * kinds for _ in range(height)]
        cols = [[(1 << height) - 1] * kinds for _ in range(width)]
        for picture in (self.puzzle.given, placed or Picture()):
            inks = dict(picture.inks)
            for at in sorted(picture.filled | picture.blank):
                for ink, char in enumerate(self._chars):
                    allowed = ink == 0 if at in picture.blank else ink > 0 and inks.get(at, char) == char
                    if not allowed:
                        rows[at.row][ink] &= ~(1 << at.col)
                        cols[at.col][ink] &= ~(1 << at.row)
        return Known(tuple(map(tuple, rows)), tuple(map(tuple, cols)))

    def known(self, board: Known) -> Picture:
        filled: set[Square] = set()
        blank: set[Square] = set()
        inks: set[tuple[Square, str]] = set()
        for row, masks in enumerate(board.rows):
            for cell, ink in _settled(row, masks, self.puzzle.width):
                (filled if ink else blank).add(cell)
                if ink and self.puzzle.palette:
                    inks.add((cell, self._chars[ink]))
        return Picture(frozenset(filled), frozenset(blank), frozenset(inks))

    def maybe(self, board: Known) -> Mapping[Square, object]:
        """Nothing: what is likely in a cell that is not known is a matter of `shares`, for those who draw it."""
        return {}

    def deduce(self, board: Known) -> Finding[Known] | None:
        found: list[tuple[int, int, Place]] = []
        for place in self._places:
            before = self._masks(board, place)
            if self._deduced(place, before) != before:
                found.append((self._rank(place, before), _open(before), place))
        return self.look_at(board, min(found)[2]) if found else None

    def look_at(self, board: Known, place: Place) -> Finding[Known] | None:
        """What one line tells; None when it is nothing new. Raises Contradiction."""
        before = self._masks(board, place)
        after = self._deduced(place, before)
        return None if after == before else self._finding(board, place, after, self._rank(place, before))

    def branches(self, board: Known) -> Iterator[Sequence[Finding[Known]]]:
        """The inks of an unknown cell: cells that most ways to lay their lines fill first, and likelier inks first.

        A blank says little: most cells of most lines are blank.
        """
        cells: list[tuple[float, Square, list[float]]] = []
        for row, masks in enumerate(board.rows):
            for col in range(self.puzzle.width):
                if sum(mask >> col & 1 for mask in masks) > 1:
                    share = self._share(board, row, col)
                    cells.append((-max(share[1:]), Square(row, col), share))
        for _, at, share in sorted(cells):
            inks = [ink for ink, mask in enumerate(board.rows[at.row]) if mask >> at.col & 1]
            yield [self._suppose(board, at, ink) for ink in sorted(inks, key=lambda ink: (-share[ink], ink))]

    # What the rules are made of

    def _masks(self, board: Known, place: Place) -> Masks:
        return board[place.side][place.number]

    def _deduced(self, place: Place, before: Masks) -> Masks:
        after = _deduced(self._runs[place.side][place.number], self._lengths[place.side], before)
        if after is None:
            raise Contradiction(f"there is no way to lay the runs of {self._clue(place)}")
        return after

    def _clue(self, place: Place) -> str:
        clue = (self.puzzle.cols if place.side else self.puzzle.rows)[place.number]
        return f"{place} ({' '.join(map(str, clue)) or '0'})"

    def _rank(self, place: Place, masks: Masks) -> int:
        """Which of the five rules tells it."""
        runs, length = self._runs[place.side][place.number], self._lengths[place.side]
        full = (1 << length) - 1
        if not runs:
            return 1
        untouched = all(mask == full for mask in masks)
        if untouched and _need(runs) == length:
            return 2
        sure = full & ~masks[0]
        if sure.bit_count() == sum(run for _, run in runs):
            return 3
        return 4 if untouched and len(masks) == 2 else 5

    def _finding(self, board: Known, place: Place, after: Masks, rank: int) -> Finding[Known]:
        before = self._masks(board, place)
        settled = {
            place.square(cell): self._chars[ink]
            for cell, ink in _cells(after, self._lengths[place.side])
            if sum(mask >> cell & 1 for mask in before) > 1
        }
        changed = 0
        for was, now in zip(before, after, strict=True):
            changed |= was & ~now
        narrowed = frozenset(place.square(cell) for cell in _bits(changed))
        focus = tuple(place.square(cell) for cell in range(self._lengths[place.side]))
        rule = ("", "empty line", "exact fit", "complete", "overlap", "every way")[rank]
        why = self._why(place, before, after, rank)
        return Finding(rule, why, _write(board, place, after), settled, narrowed, focus)

    def _why(self, place: Place, before: Masks, after: Masks, rank: int) -> str:
        clue, runs = self._clue(place), self._runs[place.side][place.number]
        clue = clue[0].upper() + clue[1:]
        name = ("column", "row")[place.side]
        if rank == 1:
            return f"{clue} has no runs, so all of it is blank."
        if rank == 2:
            return f"{clue}: the runs with a blank between them fill the line exactly."
        if rank == 3:
            return f"{clue} has all its filled cells, so the rest is blank."
        if rank == 4:
            slack = self._lengths[place.side] - _need(runs)
            told, start = [], 0
            for _, run in runs:
                if run > slack:
                    told.append(f"the {run} covers {_range(name, start + slack, start + run)}")
                start += run + 1
            return f"{clue}: wherever it starts, {' and '.join(told)}."
        ways, _ = shares(runs, self._lengths[place.side], before)
        full = (1 << self._lengths[place.side]) - 1
        known = " on what is known" if any(mask != full for mask in before) else ""
        return f"{clue}: {_how_many(ways)} to lay its runs{known} {self._tells(place, before, after, ways == 1)}."

    def _tells(self, place: Place, before: Masks, after: Masks, one: bool) -> str:
        """What becomes known of a line, in words; `one`: said of a single way."""
        name, s = ("column", "row")[place.side], "s" if one else ""
        parts = []
        for ink, called in enumerate(self._names):
            new = [
                cell
                for cell, found in _cells(after, self._lengths[place.side])
                if found == ink and sum(mask >> cell & 1 for mask in before) > 1
            ]
            if new and ink == 0:
                parts.append(f"leave{s} {_list(name, new)} blank")
            elif new:
                parts.append(f"fill{s} {_list(name, new)}" + (f" {called}" if len(self._names) > 2 else ""))
        return " and ".join(parts) or f"rule{s} out a colour in some cells"

    def _suppose(self, board: Known, at: Square, ink: int) -> Finding[Known]:
        place = Place(0, at.row)
        masks = list(board.rows[at.row])
        for other in range(len(masks)):
            if other != ink:
                masks[other] &= ~(1 << at.col)
        why = f"Suppose row {at.row + 1}, column {at.col + 1} is {self._names[ink]}."
        settled = {at: self._chars[ink]}
        return Finding("guess", why, _write(board, place, tuple(masks)), settled, frozenset((at,)), (at,))

    def _share(self, board: Known, row: int, col: int) -> list[float]:
        """How likely each ink is in a cell, from the ways to lay its row and its column."""
        totals = [0.0] * len(self._chars)
        for place, cell in ((Place(0, row), col), (Place(1, col), row)):
            ways, counts = shares(
                self._runs[place.side][place.number], self._lengths[place.side], self._masks(board, place)
            )
            for ink, cells in enumerate(counts):
                totals[ink] += cells[cell] / ways / 2
        return totals


def fog(puzzle: Nonogram, picture: Picture) -> dict[Square, float]:
    """For every unknown cell the share of the ways to lay its row and its column that fill it, 0..1.

    The mean of both lines; a cell whose lines have no way any more is left out.
    """
    reasoner = LineReasoner(puzzle)
    board = reasoner.start(picture)
    found: dict[Square, float] = {}
    for row, masks in enumerate(board.rows):
        for col in range(puzzle.width):
            if sum(mask >> col & 1 for mask in masks) > 1:
                try:
                    found[Square(row, col)] = 1 - reasoner._share(board, row, col)[0]
                except ZeroDivisionError:
                    continue
    return found


@lru_cache(maxsize=65536)
def _deduced(runs: Runs, length: int, masks: Masks) -> Masks | None:
    found = deduce(runs, length, masks)
    if found is None:
        return None
    # `deduce` says what can be; only what was possible before stays so.
    return tuple(now & was for now, was in zip(found, masks, strict=True))


def _runs(clue: Sequence[int], chars: str, inks: str) -> Runs:
    return tuple((inks.index(char), run) for char, run in zip(chars, clue, strict=True))


def _need(runs: Runs) -> int:
    """How many cells the runs take at least."""
    inks = [ink for ink, _ in runs]
    return sum(run for _, run in runs) + sum(a == b for a, b in pairwise(inks))


def _open(masks: Masks) -> int:
    """How many cells of a line are not decided."""
    once = twice = 0
    for mask in masks:
        twice |= once & mask
        once |= mask
    return twice.bit_count()


def _cells(masks: Masks, length: int) -> Iterator[tuple[int, int]]:
    """(cell, ink) of every decided cell of a line."""
    for cell in range(length):
        inks = [ink for ink, mask in enumerate(masks) if mask >> cell & 1]
        if len(inks) == 1:
            yield cell, inks[0]


@lru_cache(maxsize=65536)
def _settled(row: int, masks: Masks, width: int) -> tuple[tuple[Square, int], ...]:
    return tuple((Square(row, col), ink) for col, ink in _cells(masks, width))


def _write(board: Known, place: Place, masks: Masks) -> Known:
    """The board with one line changed, and the lines across."""
    here, there = list(board[place.side]), list(board[1 - place.side])
    before = here[place.number]
    here[place.number] = masks
    bit = 1 << place.number
    for ink, (was, now) in enumerate(zip(before, masks, strict=True)):
        for cell in _bits(was & ~now):
            across = list(there[cell])
            across[ink] &= ~bit
            there[cell] = tuple(across)
    sides = (tuple(there), tuple(here)) if place.side else (tuple(here), tuple(there))
    return Known(*sides)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _how_many(ways: int) -> str:
    """
    >>> _how_many(1), _how_many(2), _how_many(12)
    ('the only way', 'both ways', 'all 12 ways')
    """
    return {1: "the only way", 2: "both ways"}.get(
        ways, f"all {ways} ways" if ways < 10_000 else "all the many ways"
    )


def _range(name: str, first: int, end: int) -> str:
    """Cells in words, counted from 1.

    >>> _range("column", 3, 7), _range("row", 0, 1)
    ('columns 4 to 7', 'row 1')
    """
    return f"{name} {first + 1}" if end - first == 1 else f"{name}s {first + 1} to {end}"


def _list(name: str, cells: Sequence[int]) -> str:
    """Cells in words, neighbours together.

    >>> _list("column", [0, 1, 2, 5])
    'columns 1-3, 6'
    """
    groups: list[list[int]] = []
    for cell in cells:
        if groups and groups[-1][-1] == cell - 1:
            groups[-1].append(cell)
        else:
            groups.append([cell])
    words = [str(g[0] + 1) if len(g) == 1 else f"{g[0] + 1}-{g[-1] + 1}" for g in groups]
    return f"{name}{'s' if len(cells) > 1 else ''} {', '.join(words)}"
