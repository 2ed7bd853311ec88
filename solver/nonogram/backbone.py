"""The cells that all pictures of a nonogram have in common (the backbone of its clues)."""

from __future__ import annotations

from dataclasses import replace

from solver.answer import Limits
from solver.nonogram import together
from solver.nonogram.board import Nonogram, Picture
from solver.nonogram.search import Solver


def in_common(puzzle: Nonogram, one: Picture, other: Picture, *, choices: int) -> Picture:
    """What two pictures of a black and white puzzle have in common, less what a third one has otherwise.

    What single lines tell is the same in all. Of the other cells one by one a picture is looked for that has it
    otherwise; each one found takes all its differences with it, and a cell of which there is none is known for the next
    (J. Marques-Silva, M. Janota, I. Lynce, On Computing Backbones of Propositional Theories, ECAI 2010).

    choices: so many are made in all; what was not asked until then may still differ in a third picture.
    """
    stop = Limits(choices=choices).stopper()
    filled, blank = one.filled & other.filled, one.blank & other.blank
    known = together.settle(puzzle) if together.fits(puzzle) else puzzle.given
    for cell in sorted((filled | blank) - known.filled - known.blank):
        if cell not in filled and cell not in blank:
            continue
        if_filled = Picture(known.filled | {cell}, known.blank)
        if_blank = Picture(known.filled, known.blank | {cell})
        here, otherwise = (if_filled, if_blank) if cell in filled else (if_blank, if_filled)
        solver = Solver(replace(puzzle, given=otherwise), stop)
        for third in solver.solutions(1):
            filled, blank = filled & third.filled, blank & third.blank
        if not solver.complete:
            break
        if cell in filled or cell in blank:
            known = here
    return Picture(filled, blank)
