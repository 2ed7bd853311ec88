"""Algemy: put coloured light sources on a board so that every crystal gets exactly its colour.

The rules, on square boards (4 directions) and hexagonal ones (6):

1. A source shines along every line of the board, over empty cells, up to the first crystal or the edge.
2. A sight-line, a maximal run of empty cells along one line, holds at most one source.
3. Every empty cell holds a source or is lit by one.
4. The colours of all sources that a crystal sees, mixed, are exactly the crystal's colour. Mixing is the
   bitwise OR of primaries: red 1, yellow 2, blue 4; a white crystal must stay dark.
"""

from __future__ import annotations

from solver.algemy.board import BITS, FULL, PRIMARY, Algemy, Solution
from solver.algemy.rules import check, sight
from solver.algemy.search import solve
from solver.algemy.text import (
    draw,
    looks_like,
    parse,
    parse_file,
    parse_solution,
    puzzle_json,
    solution_json,
    unparse,
)

__all__ = [
    "BITS",
    "FULL",
    "PRIMARY",
    "Algemy",
    "Solution",
    "check",
    "draw",
    "looks_like",
    "parse",
    "parse_file",
    "parse_solution",
    "puzzle_json",
    "sight",
    "solution_json",
    "solve",
    "unparse",
]
