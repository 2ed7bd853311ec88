"""The games we know: one record of plain functions each, side by side in one table."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.actions import Action, Plan, Step
from bot.players import algemy as enter_algemy
from bot.players import bridges as enter_bridges
from bot.players import nonogram as enter_nonogram
from bot.players import rings as enter_rings
from bot.players import thaumcraft as enter_thaumcraft
from bot.practice import algemy as practice_algemy
from bot.practice import bridges as practice_bridges
from bot.practice import nonogram as practice_nonogram
from bot.practice import rings as practice_rings
from bot.practice import thaumcraft as practice_thaumcraft
from bot.practice.base import PracticeBoard
from bot.screen import Hands
from bot.show import guide
from bot.show.guide import Guide
from solver import algemy, bridges, nonogram, rings, thaumcraft
from solver.answer import Answer, Limits
from vision.frame import Frame
from vision.profile import Profile
from vision.readers import algemy as read_algemy
from vision.readers import bridges as read_bridges
from vision.readers import nonogram as read_nonogram
from vision.readers import rings as read_rings
from vision.readers import thaumcraft as read_thaumcraft
from vision.reading import Reading
from vision.scene import Claim, Scene

P = TypeVar("P")
S = TypeVar("S")


@dataclass(frozen=True)
class Game(Generic[P, S]):
    """Everything the program needs to know of one game.

    name: file name everywhere, and the word on the command line.
    looks_like: whether a text is this game's notation; no two games claim the same text.
    parse_file: every puzzle of a text file, in order; `parse` takes a single one.
    puzzle_json, solution_json: the forms fixed by the command line's contract.
    check: broken rules in words; empty means solved.
    identity: what makes two readings the same puzzle (a stock may shrink while it is played).
    onward: what brings the next board once this one is finished, from the reading it began with and the one now;
        nothing where that is left to the player.
    uncover: what closes a menu that hides cells of the board, from a reading with doubtful ones; None where there is none.
    learns: whether play shows more of the puzzle than the first look (a palette that opens); a solution that then
        breaks a rule is replaced.
    learn: finds out by a few actions how an unknown program is played, from the look before them; None where there
        is nothing to learn.
    needs: what has been learned, with what the end of the board tells; from the three last looks (the third one
        with nothing missing) and the last reading.
    guide: how its solving is shown step by step; None for a game that only plays.
    claim: where its board would be, from what can be measured without reading it; None where nothing speaks for one.
        A game without it is asked to read every picture.
    read: BoardNotFound when the board is not there, UncertainReading when it cannot be understood.
    reread: a later frame of the board of an earlier reading, for less than `read` takes or better; None where it cannot
        tell.
    """

    name: str
    title: str
    looks_like: Callable[[str], bool]
    parse: Callable[[str], P]
    parse_file: Callable[[str], Sequence[P]]
    unparse: Callable[[P], str]
    puzzle_json: Callable[[P], Any]
    solution_json: Callable[[P, S], Any]
    draw: Callable[[P, S], str]
    solve: Callable[[P, Limits], Answer[S]]
    check: Callable[[P, S], Sequence[str]]
    read: Callable[[Frame, Profile], Reading[P, S]]
    plan: Callable[[Reading[P, S], S], Plan]
    practice: Callable[[random.Random], PracticeBoard]
    claim: Callable[[Scene], Claim | None] | None = None
    identity: Callable[[P], object] = lambda puzzle: puzzle
    onward: Callable[[Reading[P, S], Reading[P, S]], Sequence[Action]] = lambda before, now: ()
    uncover: Callable[[Reading[P, S]], Step | None] = lambda reading: None
    learns: bool = False
    learn: Callable[[Frame, Reading[P, S], S, Hands], Profile | None] = lambda *seen: None
    needs: Callable[[Profile, Sequence[Frame], Reading[P, S]], Profile] = lambda profile, *seen: profile
    reread: Callable[[Frame, Reading[P, S]], Reading[P, S] | None] = lambda frame, earlier: None
    guide: Guide[P, S] | None = None


def _figure_of_islands(puzzle: bridges.Bridges) -> object:
    """The islands without the empty margins, and without the most bridges that a span may carry.

    A picture shows no margins, and how many bridges are allowed only once a span carries that many.
    """
    top = min(island.at.row for island in puzzle.islands)
    left = min(island.at.col for island in puzzle.islands)
    return {(island.at.row - top, island.at.col - left, island.clue) for island in puzzle.islands}


BRIDGES = Game(
    name="bridges",
    title="Bridges",
    looks_like=bridges.looks_like,
    parse=bridges.parse,
    parse_file=bridges.parse_file,
    unparse=bridges.unparse,
    puzzle_json=bridges.puzzle_json,
    solution_json=bridges.solution_json,
    draw=bridges.draw,
    solve=bridges.solve,
    check=bridges.check,
    read=read_bridges.read,
    plan=enter_bridges.plan,
    learn=enter_bridges.learn,
    practice=practice_bridges.practice,
    guide=guide.BRIDGES,
    identity=_figure_of_islands,
    reread=read_bridges.reread,
)

NONOGRAM = Game(
    name="nonogram",
    title="Nonogram",
    looks_like=nonogram.looks_like,
    parse=nonogram.parse,
    parse_file=nonogram.parse_file,
    unparse=nonogram.unparse,
    puzzle_json=nonogram.puzzle_json,
    solution_json=nonogram.solution_json,
    draw=nonogram.draw,
    solve=nonogram.solve,
    check=nonogram.check,
    read=read_nonogram.read,
    plan=enter_nonogram.plan,
    learn=enter_nonogram.learn,
    needs=enter_nonogram.what_is_needed,
    practice=practice_nonogram.practice,
    guide=guide.NONOGRAM,
)

ALGEMY = Game(
    name="algemy",
    title="Algemy",
    looks_like=algemy.looks_like,
    parse=algemy.parse,
    parse_file=algemy.parse_file,
    unparse=algemy.unparse,
    puzzle_json=algemy.puzzle_json,
    solution_json=algemy.solution_json,
    draw=algemy.draw,
    solve=algemy.solve,
    check=algemy.check,
    read=read_algemy.read,
    plan=enter_algemy.plan,
    uncover=enter_algemy.uncover,
    practice=practice_algemy.practice,
    guide=guide.ALGEMY,
    identity=lambda puzzle: (puzzle.shape, puzzle.rows),
    onward=enter_algemy.onward,
    reread=read_algemy.reread,
    learns=True,
)

RINGS = Game(
    name="rings",
    title="Rings",
    looks_like=rings.looks_like,
    parse=rings.parse,
    parse_file=rings.parse_file,
    unparse=rings.unparse,
    puzzle_json=rings.puzzle_json,
    solution_json=rings.solution_json,
    draw=rings.draw,
    solve=rings.solve,
    check=rings.check,
    read=read_rings.read,
    reread=read_rings.reread,
    plan=enter_rings.plan,
    practice=practice_rings.practice,
    guide=guide.RINGS,
)

THAUMCRAFT = Game(
    name="thaumcraft",
    title="Thaumcraft research",
    looks_like=thaumcraft.looks_like,
    parse=thaumcraft.parse,
    parse_file=thaumcraft.parse_file,
    unparse=thaumcraft.unparse,
    puzzle_json=thaumcraft.puzzle_json,
    solution_json=thaumcraft.solution_json,
    draw=thaumcraft.draw,
    solve=thaumcraft.solve,
    check=thaumcraft.check,
    read=read_thaumcraft.read,
    plan=enter_thaumcraft.plan,
    practice=practice_thaumcraft.practice,
    guide=guide.THAUMCRAFT,
    identity=lambda note: (note.cells, note.given),
    onward=enter_thaumcraft.onward,
)

# `Any`: the table holds games of different puzzle and solution types.
_ALL: tuple[Game[Any, Any], ...] = (THAUMCRAFT, BRIDGES, NONOGRAM, ALGEMY, RINGS)
GAMES: Mapping[str, Game[Any, Any]] = {game.name: game for game in _ALL}
