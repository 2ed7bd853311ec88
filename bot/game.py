"""What a game is: one record of plain functions and values. The table of all games is `bot/games`."""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bot.actions import Action, Plan, Step
from bot.practice.base import PracticeBoard
from bot.screen import Hands
from bot.show.guide import Guide
from bot.told import Telling
from solver.answer import Answer, Limits
from vision.brush import LABELS, Brush
from vision.frame import Frame
from vision.profile import Profile
from vision.reading import Reading

if TYPE_CHECKING:
    from vision.eyesight import Eyesight
    from vision.readers.lessons import Lesson
    from vision.scene import Claim, Scene

P = TypeVar("P")
S = TypeVar("S")

Label = Mapping[str, Any]
# Name -> value; None for an item that nobody knows.
Items = Mapping[str, str | None]
PracticeMaker = Callable[[random.Random], PracticeBoard]


def later(place: str) -> Callable[..., Any]:
    """The function `module:name`, whose module is imported when it is first called.

    >>> later("math:sqrt")(9.0)
    3.0
    """
    module, _, name = place.partition(":")

    @cache
    def found() -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(importlib.import_module(module), name)
        return function

    def call(*arguments: Any, **options: Any) -> Any:
        return found()(*arguments, **options)

    call.__name__, call.__doc__ = name, f"{place}, imported when it is first called."
    return call


def no_glance(scene: Scene) -> Claim | None:
    """The first look of a game at a picture with a grid on it, when its own board is none: nothing is claimed."""
    return None


def _as_they_are(board: Any) -> Mapping[Any, Any]:
    entries: Mapping[Any, Any] = board
    return entries


@dataclass(frozen=True)
class ItemForm(Generic[P]):
    """A board as a flat list of named items, so that a reading can be compared with its label.

    of: the items of a puzzle and of its entries, those in the JSON form of a solution.
    cell: the item of a cell of a reading.
    nothing: a board as it begins in the JSON form of a solution, empty in most games.
    of_label: the items of a label in a form of another collection; KeyError where it is no such form, None for a
        picture without a board.
    """

    of: Callable[[P, Any], dict[str, str]]
    cell: Callable[[P, Any], str] = lambda puzzle, cell: f"cell {cell[0]},{cell[1]}"
    nothing: Callable[[P], Any] = lambda puzzle: {}
    of_label: Callable[[Label], Items | None] | None = None


@dataclass(frozen=True)
class Desires(Generic[P]):
    """What a player may want of a solution beside that it is right (`--disable`, `--scarce`).

    symbol: what a symbol of the game is called; known: whether there is one of that name.
    in_profile, in_puzzle: the profile or puzzle with which it is solved so, from the symbols that must not be placed and
        whether the rare is dear. Raise InvalidPuzzle where that cannot be told.
    """

    symbol: str
    known: Callable[[str], bool]
    in_profile: Callable[[Profile, Sequence[str], bool], Profile]
    in_puzzle: Callable[[P, Sequence[str], bool], P]


# Files of the game, screenshots, the puzzle on them, the profile's name -> the profile, and what to say of it.
Calibrate = Callable[
    [Sequence[Path], Sequence[Frame], Any, str, Sequence[Profile]], tuple[Profile, Sequence[str]]
]


@dataclass(frozen=True)
class Game(Generic[P, S]):
    """Everything the program needs to know of one game.

    name: file name everywhere, and the word on the command line.
    called: how the titles of its programs call it, as the beginning of a word in small letters (a regular expression).
    looks_like: whether a text is this game's notation; a text that two games claim is refused.
    parse_file: every puzzle of a text file, in order; `parse` takes a single one.
    puzzle_json, solution_json: the forms fixed by the command line's contract.
    check: broken rules in words; empty means solved.
    items: how a reading is compared with a label.
    entries: a solution, or a part of one, as cell -> value.
    brush: how entries are drawn over a picture.
    identity: what makes two readings the same puzzle (a stock may shrink while it is played).
    several: whether the program takes every solution of a board that has several.
    agreeing: the puzzle with what the program has taken as given, from what stands on the board and the cells that were
        sent in vain: it may want another of several solutions than ours. None where it takes every one, or there is one.
    another: another solution than a known one, where one is seen at once; None tells nothing.
    solutions: the solutions of a puzzle, one by one, for a program that wants one of several and does not say which.
    became: whether a finished puzzle is what the one begun with became (a note may lose its free cells); None where
        `identity` tells.
    back: what takes a step back, from the reading before it and the solution that it served; None where nothing does.
    onward: what brings the next board once this one is finished, from the reading it began with and the one now;
        nothing where that is left to the player.
    uncover: what closes a menu that hides cells of the board, from a reading with doubtful ones; None where there is none.
    learns: whether play shows more of the puzzle than the first look (a palette that opens); a solution that then
        breaks a rule is replaced.
    learn: finds out by a few actions how an unknown program is played, from the look before them; None where there
        is nothing to learn.
    taught: an earlier reading with what was learned since, so that it is reread; None where it must be read again.
    said: whether the program says something beside the board when the last entry is made, as far as the last looks tell.
    needs: what has been learned, with what the end of the board tells; from the three last looks (the third one
        with nothing missing) and the last reading.
    guide: how its solving is shown step by step; None for a game that only plays.
    claim: where its board would be, from what can be measured without reading it; None where nothing speaks for one.
        A game without it is asked to read every picture.
    lookalikes: whether other games are drawn alike, so that their claims are heard before its reading is believed.
    glance: what is asked in place of its claim at first where a grid is on the picture, for less; the claim is asked after all
        others, and only if none of them is sure. A board that is no grid of cells has `no_glance`.
    read: BoardNotFound when the board is not there, UncertainReading when it cannot be understood.
    reread: a later frame of the board of an earlier reading, for less than `read` takes or better; None where it cannot
        tell.
    skins: practice boards by the name of their looks; the first way is as good as any other.
    measured: whether it is read without any profile made before.
    photographed: whether photographs of a screen that stands askew are read.
    calibrate: learns symbols from the game's files or from screenshots; None where nothing has to be learned.
    kept_in: the folders in which `calibrate` looks for the game's files by itself, whether they are there or not.
    desires: what may be wanted of a solution; None where there is nothing to choose.
    told: how a person's word for a cell changes the board; None where cells cannot be told.
    eyes: the looks of its cells, where they are declared; None for others.
    teach: the looks on a picture in a skin that nobody knows, for a person to name; None where looks are not learned so.
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
    practice: PracticeMaker
    items: ItemForm[P]
    called: str | None = None
    claim: Callable[[Scene], Claim | None] | None = None
    lookalikes: bool = False
    glance: Callable[[Scene], Claim | None] | None = None
    entries: Callable[[S], Mapping[Any, Any]] = _as_they_are
    brush: Brush = LABELS
    identity: Callable[[P], object] = lambda puzzle: puzzle
    another: Callable[[P, S], S | None] = lambda puzzle, known: None
    solutions: Callable[[P], Iterator[S]] = lambda puzzle: iter(())
    became: Callable[[P, P], bool] | None = None
    several: bool = False
    agreeing: Callable[[P, S, Collection[Any]], P] | None = None
    back: Callable[[Reading[P, S], S, Step], Step | None] = lambda *told: None
    onward: Callable[[Reading[P, S], Reading[P, S]], Sequence[Action]] = lambda before, now: ()
    uncover: Callable[[Reading[P, S]], Step | None] = lambda reading: None
    learns: bool = False
    learn: Callable[[Frame, Reading[P, S], S, Hands], Profile | None] = lambda *seen: None
    taught: Callable[[Reading[P, S], Profile], Reading[P, S] | None] = lambda *known: None
    said: Callable[[Sequence[Frame], Reading[P, S]], bool] = lambda *seen: True
    needs: Callable[[Profile, Sequence[Frame], Reading[P, S]], Profile] = lambda profile, *seen: profile
    reread: Callable[[Frame, Reading[P, S]], Reading[P, S] | None] = lambda frame, earlier: None
    guide: Guide[P, S] | None = None
    skins: Callable[[], Mapping[str, PracticeMaker]] = dict
    measured: bool = True
    photographed: bool = False
    calibrate: Calibrate | None = None
    kept_in: Callable[[], Sequence[Path]] = tuple
    desires: Desires[P] | None = None
    told: Telling[P, S] | None = None
    eyes: Eyesight | None = None
    teach: Callable[[Frame], Lesson] | None = None

    def is_title(self, title: str) -> bool:
        """Whether the title of a window names this game."""
        return self.called is not None and re.search(rf"\b(?:{self.called})", title.casefold()) is not None

    @property
    def clued_beside(self) -> bool:
        """Whether cells hold entries alone: what is in doubt there leaves the puzzle as it is."""
        return self.told is not None and not self.told.printed
