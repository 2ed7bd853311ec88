"""Solves coloured nonograms: the sets of positions of `line.py`, once per ink.

What is known of a line is one integer per ink (number 0 is blank) with a bit for every cell that may have it.
Runs of different inks may touch; between two runs of one ink is a blank cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from solver.lattice import Square
from solver.nonogram.board import Nonogram, Picture
from solver.nonogram.budget import Budget, OutOfTime


class _Contradiction(Exception):
    """The board has no picture."""


Runs = tuple[tuple[int, int], ...]


@dataclass
class _Board:
    """For every line and every ink the cells that may have it."""

    rows: list[list[int]]
    cols: list[list[int]]

    def copy(self) -> _Board:
        return _Board([line[:] for line in self.rows], [line[:] for line in self.cols])


class ColourSolver:
    """One coloured puzzle being solved; has the methods of `search.Solver`."""

    def __init__(self, puzzle: Nonogram, stop: Callable[[], bool]) -> None:
        if puzzle.palette is None:
            raise ValueError("a black-and-white nonogram has no inks")
        self._puzzle, self._stop = puzzle, stop
        self._chars = [ink.char for ink in puzzle.palette.inks]
        self._rows = [self._runs(*pair) for pair in zip(puzzle.rows, puzzle.palette.rows, strict=True)]
        self._cols = [self._runs(*pair) for pair in zip(puzzle.cols, puzzle.palette.cols, strict=True)]
        self.complete = True

    def _runs(self, clue: Sequence[int], chars: str) -> Runs:
        return tuple((self._chars.index(char) + 1, run) for run, char in zip(clue, chars, strict=True))

    def solutions(self, at_most: int, tries: int | None = None) -> list[Picture]:
        """Up to `at_most` different pictures; fewer are all there are, if `complete` is True after it.

        tries: give up after probing so many cells; `certain` is then what was proved until there.
        """
        self.complete = True
        self._budget = Budget(tries, self._stop)
        found: list[Picture] = []
        try:
            for board in self._search(self._start()):
                found.append(self._picture(board))
                if len(found) >= at_most:
                    break
        except _Contradiction:
            return []
        except OutOfTime:
            self.complete = False
        return found

    def _start(self) -> _Board:
        """The board after the given cells and everything that single lines and probing tell."""
        width, height = self._puzzle.width, self._puzzle.height
        kinds = len(self._chars) + 1
        board = _Board([[(1 << width) - 1] * kinds for _ in range(height)], [])
        board.cols = [[(1 << height) - 1] * kinds for _ in range(width)]
        given = self._puzzle.given
        inks = {at: self._chars.index(char) + 1 for at, char in given.inks}
        for at in sorted(given.filled | given.blank):
            for ink in range(kinds):
                allowed = ink == 0 if at in given.blank else ink == inks.get(at, ink) and ink > 0
                if not allowed:
                    _forbid(board, at.row, at.col, ink)
        self._propagate(board, set(range(height)), set(range(width)))
        self._root = board
        self._probe(board)
        return board

    @property
    def certain(self) -> Picture:
        """The cells that are the same in every picture, as far as that is proved."""
        return self._picture(self._root)

    def _propagate(self, board: _Board, dirty_rows: set[int], dirty_cols: set[int]) -> None:
        """Solve changed lines until nothing changes. Raises _Contradiction."""
        here, there, clues, others = board.rows, board.cols, self._rows, self._cols
        dirty, dirty_next = dirty_rows, dirty_cols
        lengths = [self._puzzle.width, self._puzzle.height]
        while dirty or dirty_next:
            for number in sorted(dirty):
                before = here[number]
                after = deduce(clues[number], lengths[0], before)
                if after is None:
                    raise _Contradiction
                for ink, (was, now) in enumerate(zip(before, after, strict=True)):
                    gone = was & ~now
                    while gone:
                        lowest = gone & -gone
                        gone ^= lowest
                        cell = lowest.bit_length() - 1
                        there[cell][ink] &= ~(1 << number)
                        dirty_next.add(cell)
                here[number] = after
            here, there, clues, others = there, here, others, clues
            lengths.reverse()
            dirty, dirty_next = dirty_next, set()

    def _probe(self, board: _Board) -> None:
        """Rule out inks that lead to a contradiction, until none does. Raises _Contradiction and OutOfTime."""
        changed = True
        while changed:
            changed = False
            for row, col in self._open(board):
                for ink in _inks(board, row, col):
                    self._budget.spend()
                    try:
                        self._with(board, row, col, ink)
                    except _Contradiction:
                        _forbid(board, row, col, ink)
                        self._propagate(board, {row}, {col})
                        changed = True

    def _with(self, board: _Board, row: int, col: int, ink: int) -> _Board:
        """A copy with one cell decided and everything that follows. Raises _Contradiction."""
        board = board.copy()
        for other in _inks(board, row, col):
            if other != ink:
                _forbid(board, row, col, other)
        self._propagate(board, {row}, {col})
        return board

    def _search(self, board: _Board) -> Iterator[_Board]:
        """Every solved board that can be reached, depth first."""
        waiting = [board]
        while waiting:
            board = waiting.pop()
            open_cells = self._open(board)
            if not open_cells:
                yield board
                continue
            self._budget.spend()
            row, col = min(open_cells, key=lambda at: (len(_inks(board, *at)), at))
            for ink in _inks(board, row, col):
                try:
                    waiting.append(self._with(board, row, col, ink))
                except _Contradiction:
                    continue

    def _open(self, board: _Board) -> list[tuple[int, int]]:
        """Cells that may have more than one ink."""
        cells = []
        for row, masks in enumerate(board.rows):
            once = twice = 0
            for mask in masks:
                twice |= once & mask
                once |= mask
            cells += [(row, col) for col in range(self._puzzle.width) if twice >> col & 1]
        return cells

    def _picture(self, board: _Board) -> Picture:
        inks = {
            Square(row, col): _inks(board, row, col)
            for row in range(self._puzzle.height)
            for col in range(self._puzzle.width)
        }
        return Picture(
            frozenset(at for at, left in inks.items() if 0 not in left),
            frozenset(at for at, left in inks.items() if left == [0]),
            frozenset(
                (at, self._chars[left[0] - 1]) for at, left in inks.items() if left[0] and len(left) == 1
            ),
        )


def _forbid(board: _Board, row: int, col: int, ink: int) -> None:
    board.rows[row][ink] &= ~(1 << col)
    board.cols[col][ink] &= ~(1 << row)


def _inks(board: _Board, row: int, col: int) -> list[int]:
    return [ink for ink, mask in enumerate(board.rows[row]) if mask >> col & 1]


def deduce(runs: Runs, length: int, masks: Sequence[int]) -> list[int] | None:
    """The cells that each ink can have in some placement of the runs, None when there is no placement.

    runs: (ink, length) in order. masks: by ink the cells that may have it, 0 is blank.
    """
    starts, reach = _lay(runs, masks)
    if not reach[-1] >> length & 1:
        return None
    full = (1 << length) - 1
    back_starts, back_reach = _lay(runs[::-1], [_mirror(mask, length) for mask in masks])
    possible = [0] * len(masks)
    for (ink, run), start, back in zip(runs, starts, reversed(back_starts), strict=True):
        cells = start & (_mirror(back, length) >> run - 1)
        size = 1
        while size < run:
            step = min(size, run - size)
            cells |= cells << step
            size += step
        possible[ink] |= cells
    for before, after in zip(reach, reversed(back_reach), strict=True):
        possible[0] |= before & masks[0] & _mirror(after & full, length)
    return possible


def _lay(runs: Runs, masks: Sequence[int]) -> tuple[list[int], list[int]]:
    """Where every run can start when those before it fit, and up to where the line can be laid after each."""
    blank = masks[0]
    starts = []
    reach = [_flood(1, blank)]
    last_ink = 0
    for ink, run in runs:
        fit = masks[ink]
        size = 1
        while size < run:
            step = min(size, run - size)
            fit &= fit >> step
            size += step
        free = (reach[-1] & blank) << 1 if ink == last_ink else reach[-1]
        starts.append(free & fit)
        reach.append(_flood(starts[-1] << run, blank))
        last_ink = ink
    return starts, reach


def _flood(start: int, cells: int) -> int:
    """The positions within reach over `cells` towards higher bits, by the carry of an addition."""
    return ((start & cells) + cells ^ cells) | start


def _mirror(mask: int, length: int) -> int:
    return int(f"{mask:0{length}b}"[::-1], 2)
