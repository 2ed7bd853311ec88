"""Thaumcraft 4 research: link all givens of a note with the cheapest chain of aspects.

Rules: neighbours link when one aspect is a component of the other; the note is complete when all givens hang
together over links. Chains may pass through givens and touch each other; what links to nothing does no harm.
"""

from __future__ import annotations

from solver.thaumcraft.aspects import ALL, EVERY, VANILLA, Aspects
from solver.thaumcraft.note import (
    Note,
    Solution,
    aspects_of,
    draw,
    looks_like,
    parse,
    parse_file,
    puzzle_json,
    scarce_costs,
    solution_json,
    unparse,
    wished,
)
from solver.thaumcraft.research import in_ring_order, is_vanilla_research
from solver.thaumcraft.rules import check, cost_of, linked_to
from solver.thaumcraft.search import solve
from solver.thaumcraft.stock import combinations, shortage

__all__ = [
    "ALL",
    "EVERY",
    "VANILLA",
    "Aspects",
    "Note",
    "Solution",
    "aspects_of",
    "check",
    "combinations",
    "cost_of",
    "draw",
    "in_ring_order",
    "is_vanilla_research",
    "linked_to",
    "looks_like",
    "parse",
    "parse_file",
    "puzzle_json",
    "scarce_costs",
    "shortage",
    "solution_json",
    "solve",
    "unparse",
    "wished",
]
