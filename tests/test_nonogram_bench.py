"""Nonograms: what the solver is compared with does the same work."""

from __future__ import annotations

import random

from solver import nonogram
from tests.laboratory.nonogram_peers import BLANK, FILLED, UNKNOWN, solve_line, solve_lines
from tests.test_nonogram_solver import every_line, lengths


def test_the_line_method_of_the_peer_is_exact() -> None:
    for seed in range(200):
        rng = random.Random(seed)
        length = rng.randint(1, 9)
        clue = lengths("".join(rng.choice("#.") for _ in range(length)))
        line = [rng.choice((FILLED, BLANK, UNKNOWN, UNKNOWN)) for _ in range(length)]

        solved = solve_line(clue, line)

        meaning = {"#": FILLED, ".": BLANK}
        fitting = [
            [meaning[sign] for sign in text]
            for text in every_line(clue, length)
            if all(cell & meaning[sign] for cell, sign in zip(line, text, strict=True))
        ]
        assert solved == ([sum(set(cells)) for cells in zip(*fitting, strict=True)] if fitting else None)


def test_the_peer_solves_a_generated_board() -> None:
    puzzle = nonogram.parse("5:1/1/5/1/1/1/1/5/1/1")

    board = solve_lines(puzzle)

    assert board is not None
    drawn = "\n".join("".join("#" if cell == FILLED else "." for cell in row) for row in board)
    assert drawn == nonogram.draw(puzzle, nonogram.solve(puzzle).solution)
