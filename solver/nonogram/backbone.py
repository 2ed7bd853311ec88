"""The cells that all pictures of a nonogram have in common (the backbone of its clues)."""

from __future__ import annotations

from dataclasses import replace

from solver.answer import Limits
from solver.nonogram.board import Nonogram, Picture
from solver.nonogram.search import Solver


def in_common(puzzle: Nonogram, one: Picture, other: Picture, *, choices: int) -> Picture:
    """What two pictures of a black and white puzzle have in common, less what a third one has otherwise.

    Cell by cell a picture is looked for that has it otherwise; each one found takes all its differences with it
    (J. Marques-Silva, M. Janota, I. Lynce, On Computing Backbones of Propositional Theories, ECAI 2010).

    choices: so many are made in all; what was not asked until then may still differ in a third picture.
    """
    stop = Limits(choices=choices).stopper()
    filled, blank = one.filled & other.filled, one.blank & other.blank
    for cell in sorted(filled | blank):
        if cell not in filled and cell not in blank:
            continue
        own, given = frozenset((cell,)), puzzle.given
        opposite = (
            replace(given, blank=given.blank | own)
            if cell in filled
            else replace(given, filled=given.filled | own)
        )
        solver = Solver(replace(puzzle, given=opposite), stop)
        for third in solver.solutions(1):
            filled, blank = filled & third.filled, blank & third.blank
        if not solver.complete:
            break
    return Picture(filled, blank)
