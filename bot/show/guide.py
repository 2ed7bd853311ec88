"""What a game brings along so that its solving can be watched: one record per game, part of its entry in `GAMES`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.show import algemy as show_algemy
from bot.show import bridges as show_bridges
from bot.show import nonogram as show_nonogram
from bot.show import rings as show_rings
from bot.show import thaumcraft as show_thaumcraft
from bot.show.scene import Drawing, Moment, Room
from solver.algemy import Algemy, Solution
from solver.algemy.steps import reasoner as algemy_reasoner
from solver.answer import Answer
from solver.bridges import Bridges, Joins
from solver.bridges.steps import BridgeReasoner
from solver.nonogram import Nonogram, Picture
from solver.nonogram.steps import LineReasoner
from solver.rings import Entries, Rings
from solver.rings.steps import RingReasoner
from solver.steps import Reasoner
from solver.thaumcraft import Note
from solver.thaumcraft import Solution as Chain
from solver.thaumcraft.steps import ChainReasoner

P = TypeVar("P")
S = TypeVar("S")


@dataclass(frozen=True)
class Guide(Generic[P, S]):
    """How a game explains its solving.

    reasoner: the rules for one puzzle, one at a time; it is told the solver's answer, which is what it explains
        where no rule is known.
    scene: draws a moment: puzzle, moment, how much room there is, and whether signs must do what colours do.
    """

    reasoner: Callable[[P, Answer[S]], Reasoner[Any, S]]
    scene: Callable[[P, Moment[S], Room, bool], Drawing]


ALGEMY: Guide[Algemy, Solution] = Guide(
    lambda puzzle, answer: algemy_reasoner(puzzle, answer.solution), show_algemy.show
)
BRIDGES: Guide[Bridges, Joins] = Guide(lambda puzzle, answer: BridgeReasoner(puzzle), show_bridges.show)
NONOGRAM: Guide[Nonogram, Picture] = Guide(lambda puzzle, answer: LineReasoner(puzzle), show_nonogram.show)
RINGS: Guide[Rings, Entries] = Guide(lambda puzzle, answer: RingReasoner(puzzle), show_rings.show)
THAUMCRAFT: Guide[Note, Chain] = Guide(ChainReasoner, show_thaumcraft.show)
