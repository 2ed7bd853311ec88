"""What the nonogram solver is compared with."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from solver.nonogram import Clue, Nonogram
from solver.nonogram.positions import encode

FILLED, BLANK = 1, 2
UNKNOWN = FILLED | BLANK


# `Any`: a class of an optional module that is handed over untyped.
def cadical(make: Callable[..., Any], puzzle: Nonogram, unique: bool) -> int:
    """How many pictures a SAT solver finds, up to 2 (`unique`) or 1, on the clauses that we use ourselves."""
    clauses = encode(puzzle)
    numbers = [
        *([literal] for literal in clauses.facts),
        *zip(clauses.pairs[::2], clauses.pairs[1::2], strict=True),
        *zip(clauses.triples[::3], clauses.triples[1::3], clauses.triples[2::3], strict=True),
    ]
    signed = [[-(lit // 2 + 1) if lit % 2 else lit // 2 + 1 for lit in clause] for clause in numbers]
    with make(bootstrap_with=signed) as solver:
        found = int(solver.solve())
        if found and unique:
            solver.add_clause([-literal for literal in solver.get_model()[: clauses.cell_variables]])
            found += int(solver.solve())
    return found


def solve_lines(puzzle: Nonogram) -> list[list[int]] | None:
    """A board as far as single lines tell, by the method that pynogram uses; None for a contradiction.

    pynogram (Ladelschikov) solves a line by a table of "can the first cells hold the first runs", filled from the end
    back, after the solver of the Ben-Gurion University (Berend, Pomeranz, Rabani and Raziel, "Nonograms: Combinatorial
    questions and algorithms", 2014), and keeps a queue of changed lines. It is not on the package index, so the method
    stands here, written anew in plain Python.
    """
    width, height = puzzle.width, puzzle.height
    board = [[UNKNOWN] * width for _ in range(height)]
    waiting = deque([(True, row) for row in range(height)] + [(False, col) for col in range(width)])
    queued = set(waiting)
    while waiting:
        is_row, number = job = waiting.popleft()
        queued.discard(job)
        clue = puzzle.rows[number] if is_row else puzzle.cols[number]
        line = board[number] if is_row else [row[number] for row in board]
        solved = solve_line(clue, line)
        if solved is None:
            return None
        for cell, (before, after) in enumerate(zip(line, solved, strict=True)):
            if before != after:
                row, col = (number, cell) if is_row else (cell, number)
                board[row][col] = after
                other = (not is_row, cell)
                if other not in queued:
                    queued.add(other)
                    waiting.append(other)
    return board


def solve_line(clue: Clue, line: list[int]) -> list[int] | None:
    """What each cell can be in some placement of the runs, None when there is none.

    >>> solve_line((3,), [UNKNOWN] * 4) == [UNKNOWN, FILLED, FILLED, UNKNOWN]
    True
    """
    length, runs = len(line), len(clue)
    table: dict[tuple[int, int], bool] = {}
    solved = [0] * length

    def steps(cell: int, run: int) -> Iterator[tuple[int, int, int]]:
        """Ways to lay out the end of the first cells: (first cell, cell behind it, what they are)."""
        if line[cell - 1] & BLANK:
            yield cell - 1, run, 0
        if run:
            start = cell - clue[run - 1]
            if start >= 0 and all(line[at] & FILLED for at in range(start, cell)):
                if run == 1:
                    yield start, 0, clue[0]
                elif start > 0 and line[start - 1] & BLANK:
                    yield start - 1, run - 1, clue[run - 1]

    def fits(cell: int, run: int) -> bool:
        if cell == 0:
            return run == 0
        if (cell, run) in table:
            return table[cell, run]
        table[cell, run] = False
        for before, run_before, size in steps(cell, run):
            if fits(before, run_before):
                table[cell, run] = True
                for at in range(before, cell):
                    solved[at] |= FILLED if at >= cell - size else BLANK
        return table[cell, run]

    return solved if fits(length, runs) else None
