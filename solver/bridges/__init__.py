"""Bridges: islands joined by bridges until all hang together."""

from solver.bridges.board import Bridges, Island, Joins, Span, between, check, draw, solution_json, spans
from solver.bridges.solve import solve
from solver.bridges.text import looks_like, parse, parse_file, puzzle_json, unparse

__all__ = [
    "Bridges",
    "Island",
    "Joins",
    "Span",
    "between",
    "check",
    "draw",
    "looks_like",
    "parse",
    "parse_file",
    "puzzle_json",
    "solution_json",
    "solve",
    "spans",
    "unparse",
]
