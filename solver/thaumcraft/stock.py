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
    need = Counter(wanted)
    made: dict[str, int] = {}
    missing: dict[str, int] = {}
    # A compound costs more than its components, so that by falling cost every need is complete when it is
    # met.
    for tag in sorted(aspects.components, key=lambda tag: (-aspects.costs[tag], tag)):
        short = need[tag] - stock.get(tag, 0)
        if short <= 0:
            continue
        pair = aspects.components[tag]
        if pair is None:
            missing[tag] = short
            continue
        made[tag] = short
        for part in pair:
            need[part] += short
    return made, dict(sorted(missing.items()))


def scarce_costs(note: Note) -> dict[str, int]:
    """Prices by which the rare is dear: the usual price times a factor of 1 (plenty) to 10 (none left).

    For `Note.costs`; what can be combined counts as owned by its rarer component.
    """
    if note.stock is None:
        return {}
    aspects = aspects_of(note)
    owned: dict[str, int] = {}
    for tag in sorted(aspects.components, key=lambda tag: aspects.costs[tag]):
        pair = aspects.components[tag]
        makes = 0 if pair is None else min(owned[part] for part in pair)
        owned[tag] = note.stock.get(tag, 0) + makes
    return {tag: aspects.costs[tag] * (1 + 9 * 10 // (10 + owned[tag])) for tag in aspects.components}
