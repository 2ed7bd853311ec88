"""What a player owns: which combinations a solution needs, and what is missing.

A compound has one recipe, so what must be combined follows: compounds that are short, the dearest first, are
made of their components, until only primals can be short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from solver.thaumcraft.aspects import Aspects
from solver.thaumcraft.note import Note, Solution, aspects_of


def combinations(note: Note, solution: Solution) -> tuple[tuple[str, str, str], ...]:
    """Combinations (component, component, compound) in an order that can be carried out, one per unit made.

    Empty without a stock, or when the stock holds everything. When the stock is short, those that would be
    needed.
    """
    if note.stock is None:
        return ()
    aspects = aspects_of(note)
    made, _ = settle(demand(note, solution), note.stock, aspects)
    steps = []
    for tag in sorted(made, key=lambda tag: (aspects.costs[tag], tag)):
        first, second = aspects.components[tag] or ("", "")
        steps += [(first, second, tag)] * made[tag]
    return tuple(steps)


def shortage(note: Note, solution: Solution) -> dict[str, int]:
    """Primals that are missing, with their number; empty when the stock suffices or is unlimited."""
    if note.stock is None:
        return {}
    return settle(demand(note, solution), note.stock, aspects_of(note))[1]


def demand(note: Note, solution: Solution) -> Counter[str]:
    """Units placed of each aspect."""
    return Counter(tag for cell, tag in solution.items() if cell not in note.given)


def settle(
    wanted: Mapping[str, int], stock: Mapping[str, int], aspects: Aspects
) -> tuple[dict[str, int], dict[str, int]]:
    """Units to make of each compound, and units of primals that are missing.

    >>> from solver.thaumcraft.aspects import VANILLA
    >>> settle({"lux": 2}, {"lux": 1, "aer": 1}, VANILLA)
    ({'lux': 1}, {'ignis': 1})
    """
    need = dict(wanted)
    made: dict[str, int] = {}
    missing: dict[str, int] = {}
    # A compound costs more than its components, so that by falling cost every need is complete when it is
    # met.
    for tag in aspects.dearest_first:
        short = need.get(tag, 0) - stock.get(tag, 0)
        if short <= 0:
            continue
        pair = aspects.components[tag]
        if pair is None:
            missing[tag] = short
            continue
        made[tag] = short
        for part in pair:
            need[part] = need.get(part, 0) + short
    return made, dict(sorted(missing.items()))
