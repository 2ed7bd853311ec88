"""Thaumcraft 4 research: link all givens of a note with the cheapest chain of aspects.

Rules: neighbours link when one aspect is a component of the other; the note is complete when all givens hang
together over links. Chains may pass through givens and touch each other; what links to nothing does no harm.
"""

from __future__ import annotations

from collections.abc import Collection

from solver.answer import Answer, Limits
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
from solver.thaumcraft.stock import combinations, shortage


def solve(
    note: Note,
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
    *,
    aspects: Aspects | None = None,
    disabled: Collection[str] = (),
) -> Answer[Solution]:
    """The cheapest filling.

    aspects: the pack's tables, where `aspects_of` is not right.
    disabled: aspects that may not be placed, beside those of the note.
    Raises NoSolution when it is proved that there is none, with what the stock lacks, and SearchLimit when
    the time is over before anything was found.
    """
    # The search brings numpy along, which whoever only asks what a text is does not need.
    from solver.thaumcraft.search import cheapest

    return cheapest(note, limits, aspects or aspects_of(note), disabled)


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
