"""Nonograms: a picture from the lengths of its runs."""

from solver.nonogram.backbone import in_common
from solver.nonogram.board import Clue, Ink, Nonogram, Palette, Picture, check, draw, faults, solution_json
from solver.nonogram.nearby import picture_switched
from solver.nonogram.solve import solve
from solver.nonogram.text import looks_like, parse, parse_file, puzzle_json, unparse, write

__all__ = [
    "Clue",
    "Ink",
    "Nonogram",
    "Palette",
    "Picture",
    "check",
    "draw",
    "faults",
    "in_common",
    "looks_like",
    "parse",
    "parse_file",
    "picture_switched",
    "puzzle_json",
    "solution_json",
    "solve",
    "unparse",
    "write",
]
