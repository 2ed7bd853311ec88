"""The rule that a drawing does not tell: how often a number may be used."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from solver.rings.puzzle import Rings, Use
from solver.rings.search import Search

# A rule is believed when it leaves one filling; looking for it must not take long.
MOST_GUESSES = 400


class Fillings(Enum):
    """How many fillings the rule leaves that was chosen, and what is to be said of it."""

    ONE = ""
    SEVERAL = "more than one filling is possible"
    NONE = "no filling meets every target"


def strictest_rule(puzzle: Rings) -> tuple[Rings, Fillings]:
    """The puzzle with the first rule that leaves exactly one filling, from the strictest to the freest.

    Where none does, with the strictest that leaves any. The puzzle's own `use` does not count.
    """
    rules: list[Use] = ["ring-distinct", "any"]
    if len(puzzle.numbers) >= len(puzzle.blanks):
        rules.insert(0, "once")
    if len(set(puzzle.numbers)) < len(puzzle.numbers):
        rules = [rule for rule in rules if rule == "once"] or ["any"]
    possible: list[Rings] = []
    for rule in rules:
        candidate = replace(puzzle, use=rule)
        search = Search(candidate, most_guesses=MOST_GUESSES)
        found = search.solutions()
        first, second = next(found, None), next(found, None)
        if first is not None and second is None and not search.stopped:
            return candidate, Fillings.ONE
        if first is not None or search.stopped:
            possible.append(candidate)
    if possible:
        return possible[0], Fillings.SEVERAL
    return replace(puzzle, use=rules[0]), Fillings.NONE
