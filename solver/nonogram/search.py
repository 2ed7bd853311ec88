"""Solves black-and-white nonograms: lines until nothing changes, then probing, then search.

Every step is a proof: a cell is set because the other value has no picture. So "no solution" and "unique"
come from the same code as the picture.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from solver.nonogram import together
from solver.nonogram.board import Nonogram, Picture, is_whole
from solver.nonogram.budget import Budget, Contradiction, OutOfTime
from solver.nonogram.line import Line, line


class _Board(NamedTuple):
    """What is known of every row and column (`Line.deduce` says how)."""

    rows: list[int]
    cols: list[int]


class _Lines(NamedTuple):
    rows: list[Line]
    cols: list[Line]


Possible = tuple[int, int] | None
_Memory = tuple[list[dict[int, Possible]], list[dict[int, Possible]]]

# Deductions kept by line while probing: most of them come again from the next cell probed.
_MOST_REMEMBERED = 400_000


class Solver:
    """One puzzle being solved.

    stop: asked now and then whether time is over.
    """

    def __init__(self, puzzle: Nonogram, stop: Callable[[], bool]) -> None:
        self._puzzle = puzzle
        self._stop = stop
        # Filled from the first probe on; a board that needs none is not slowed down.
        self._memory: _Memory | None = None
        self._memory_left = _MOST_REMEMBERED

    def solutions(self, at_most: int, tries: int | None = None) -> list[Picture]:
        """Up to `at_most` different pictures; fewer are all there are, if `complete` is True after it.

        tries: give up after probing so many cells; `certain` is then what was proved until there.
        """
        self.complete = True
        self._budget = Budget(tries, self._stop)
        puzzle = self._puzzle
        try:
            if together.fits(puzzle):
                picture = together.settle(puzzle)
                if is_whole(puzzle, picture):
                    return [picture]
                board = self._start(picture)
            else:
                board = self._start(puzzle.given)
                self._propagate(board, (1 << puzzle.height) - 1, (1 << puzzle.width) - 1)
        except Contradiction:
            return []
        if self._is_solved(board):
            return [self._picture(board)]
        self._memory = ([{} for _ in board.rows], [{} for _ in board.cols])
        found: dict[tuple[int, ...], Picture] = {}
        self._root, self._at_root = board, True
        open_boards = [board]
        while open_boards and len(found) < at_most:
            try:
                open_boards += self._probe(open_boards.pop(), found, at_most)
            except Contradiction:
                continue
            except OutOfTime:
                self.complete = False
                break
            finally:
                self._at_root = False
        return list(found.values())

    @property
    def certain(self) -> Picture:
        """The cells that are the same in every picture, as far as that is proved."""
        return self._picture(self._root)

    # Lines

    def _start(self, known: Picture) -> _Board:
        """The board with these cells, and the lines for what comes then."""
        puzzle = self._puzzle
        self._lines = _Lines(
            [line(clue, puzzle.width) for clue in puzzle.rows],
            [line(clue, puzzle.height) for clue in puzzle.cols],
        )
        board = _Board([0] * puzzle.height, [0] * puzzle.width)
        for cells, value in ((known.filled, True), (known.blank, False)):
            for row, col in cells:
                self._set(board, row, col, value)
        return board

    def _set(self, board: _Board, row: int, col: int, value: bool) -> None:
        along, across = self._lines.rows[0], self._lines.cols[0]
        board.rows[row] |= along.set_filled[col] if value else along.set_blank[col]
        board.cols[col] |= across.set_filled[row] if value else across.set_blank[row]

    def _propagate(self, board: _Board, dirty_rows: int, dirty_cols: int) -> None:
        """Solve changed lines until nothing changes. Raises Contradiction."""
        here, there = board
        lines, others = self._lines
        dirty, dirty_next = dirty_rows, dirty_cols
        memory, side = self._memory, 0
        while dirty or dirty_next:
            across = others[0]
            full, slot = lines[0].full, lines[0].slot
            while dirty:
                lowest = dirty & -dirty
                dirty ^= lowest
                number = lowest.bit_length() - 1
                known = here[number]
                ruler = lines[number]
                if memory is None:
                    possible = ruler.deduce(known)
                else:
                    seen = memory[side][number]
                    if known in seen:
                        possible = seen[known]
                    else:
                        possible = ruler.deduce(known)
                        self._remember(seen, known, possible)
                if possible is None:
                    raise Contradiction
                can_fill, can_blank = possible
                change = full ^ ((known | known >> slot) & full)
                blank = change & ~can_fill
                change = filled = change & ~can_blank
                change |= blank
                if not change:
                    continue
                dirty_next |= change
                sets, mine = ruler.set_filled, across.set_filled[number]
                while filled:
                    cell = filled.bit_length() - 1
                    filled ^= 1 << cell
                    known |= sets[cell]
                    there[cell] |= mine
                sets, mine = ruler.set_blank, across.set_blank[number]
                while blank:
                    cell = blank.bit_length() - 1
                    blank ^= 1 << cell
                    known |= sets[cell]
                    there[cell] |= mine
                here[number] = known
            here, there = there, here
            lines, others = others, lines
            side = 1 - side
            dirty, dirty_next = dirty_next, 0

    def _remember(self, seen: dict[int, Possible], known: int, possible: Possible) -> None:
        if self._memory_left > 0:
            self._memory_left -= 1
            seen[known] = possible

    # Probing and search

    def _probe(
        self, board: _Board, found: dict[tuple[int, ...], Picture], at_most: int
    ) -> tuple[_Board, ...]:
        """Try both values of every unknown cell until no try tells anything new.

        A value that leads to a contradiction is ruled out; what both values lead to is certain (Batenburg and
        Kosters, "Solving Nonograms by combining relaxations", 2009). Pictures met on the way go to `found`.
        Returns the two boards to go on with, the likelier one last; nothing when the board is decided.
        Raises Contradiction.
        """
        cells = self._unknown(board)
        best: tuple[tuple[int, int], tuple[_Board, ...]] | None = None
        idle = turn = 0
        while idle < len(cells):
            row, col = cells[turn % len(cells)]
            turn += 1
            idle += 1
            if (board.rows[row] | board.rows[row] >> self._lines.rows[0].slot) >> col & 1:
                continue
            self._budget.spend()
            tries = [self._try(board, row, col, value) for value in (True, False)]
            left = [tried for tried in tries if tried is not None]
            for tried in left:
                if self._is_solved(tried):
                    found.setdefault(tuple(tried.rows), self._picture(tried))
            if len(found) >= at_most:
                return ()
            if not left:
                raise Contradiction
            common = left[0] if len(left) == 1 else _common(left[0], left[1])
            if common != board:
                board, idle, best = self._go_on(common, board) if len(left) == 2 else common, 0, None
                if self._at_root:
                    self._root = board
                if self._is_solved(board):
                    return ()
                continue
            gains = sorted((self._count(tried), number) for number, tried in enumerate(left))
            score = (gains[0][0], gains[1][0])
            if best is None or score > best[0]:
                best = score, tuple(left[number] for _, number in gains)
        return best[1] if best else ()

    def _try(self, board: _Board, row: int, col: int, value: bool) -> _Board | None:
        """The board with one cell set and everything that follows, None for a contradiction."""
        tried = _Board(board.rows[:], board.cols[:])
        self._set(tried, row, col, value)
        try:
            self._propagate(tried, 1 << row, 1 << col)
        except Contradiction:
            return None
        return tried

    def _go_on(self, board: _Board, before: _Board) -> _Board:
        """What follows from the lines that are not as they were before."""
        dirty = [
            sum(1 << number for number, (now, then) in enumerate(zip(*sides, strict=True)) if now != then)
            for sides in zip(board, before, strict=True)
        ]
        self._propagate(board, *dirty)
        return board

    def _unknown(self, board: _Board) -> list[tuple[int, int]]:
        """Unknown cells, those with the most known neighbours first."""
        height, width = len(board.rows), len(board.cols)
        slot, full = self._lines.rows[0].slot, self._lines.rows[0].full
        known = [(row | row >> slot) & full for row in board.rows]
        framed = [full, *known, full]

        def neighbours(row: int, col: int) -> int:
            wide = known[row] << 1 | 1 | 1 << width + 1
            beside = (wide >> col & 1) + (wide >> col + 2 & 1)
            return beside + (framed[row] >> col & 1) + (framed[row + 2] >> col & 1)

        cells = [(row, col) for row in range(height) for col in range(width) if not known[row] >> col & 1]
        return sorted(cells, key=lambda at: (-neighbours(*at), at))

    def _count(self, board: _Board) -> int:
        """Twice the number of known cells."""
        return sum(map(int.bit_count, board.rows))

    def _is_solved(self, board: _Board) -> bool:
        return self._count(board) == 2 * len(board.rows) * len(board.cols)

    def _picture(self, board: _Board) -> Picture:
        slot, full = self._lines.rows[0].slot, self._lines.rows[0].full
        return Picture.from_bits(
            [row & full for row in board.rows], [row >> slot & full for row in board.rows], len(board.cols)
        )


def _common(one: _Board, other: _Board) -> _Board:
    """What both boards know."""
    return _Board(
        [a & b for a, b in zip(one.rows, other.rows, strict=True)],
        [a & b for a, b in zip(one.cols, other.cols, strict=True)],
    )
