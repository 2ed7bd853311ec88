"""Ring puzzles: numbers in the regions of overlapping circles, with a sum for every circle."""

from solver.rings.in_order import InOrder, solve_in_order
from solver.rings.puzzle import Entries, Place, Ring, Rings, Use, check, covering
from solver.rings.rule import Fillings, strictest_rule
from solver.rings.search import Search, count, solve
from solver.rings.text import draw, looks_like, parse, parse_file, puzzle_json, solution_json, unparse

__all__ = [
    "Entries",
    "Fillings",
    "InOrder",
    "Place",
    "Ring",
    "Rings",
    "Search",
    "Use",
    "check",
    "count",
    "covering",
    "draw",
    "looks_like",
    "parse",
    "parse_file",
    "puzzle_json",
    "solution_json",
    "solve",
    "solve_in_order",
    "strictest_rule",
    "unparse",
]
