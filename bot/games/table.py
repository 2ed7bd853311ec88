"""The only table of games: a name and the module that has the record. A game is loaded when it is asked for.

Games of other packages are found by the entry points of the group `boardsight.games`: the name of the game, and the
module (or `module:attribute`) of its record. One that cannot be loaded is named and left out; the others go on.
"""

from __future__ import annotations

import importlib
import logging
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from bot.errors import WrongUsage

if TYPE_CHECKING:
    from bot.game import Game

GROUP = "boardsight.games"
# In the order in which they are listed, and asked what speaks for their board: what costs less comes before the rest.
_OWN = ("thaumcraft", "bridges", "nonogram", "algemy", "rings")
# Declared games of cells.
_CELLS = (
    "lightup",
    "unruly",
    "singles",
    "range",
    "tents",
    "mosaic",
    "solo",
    "filling",
    "slant",
    "towers",
    "undead",
    "flip",
    "keen",
    "unequal",
    "magnets",
    "net",
    "queens",
)

_log = logging.getLogger(__name__)

# A game ID of Simon Tatham's collection, of which declared games have no other text: size, parameters, a colon. `m` and a
# number stand for the most bridges of a span and for nothing else.
_ID = re.compile(r"(?:\s*#.*\n)*\s*\d{1,9}(?:x\d{1,9})?(?![a-z\d]{0,80}m\d)[a-zA-Z\d]{0,80}:")

# What every text of a game has somewhere: an object in JSON; a colon or lines; clues apart, lines or a tag; two things beside
# each other, or a name; two lines.
_MARKS = {
    "thaumcraft": re.compile(r"^\s*\{"),
    "bridges": re.compile(r"[:\n]"),
    "nonogram": re.compile(r"[/\n<]"),
    "algemy": re.compile(r"\S[ \t]+\S|shape", re.IGNORECASE),
    "rings": re.compile(r"\S[^\S\n]*\n\s*\S"),
}


def may_be(name: str, text: str) -> bool:
    """Whether a text can be a puzzle of a game, told without loading it; its own `looks_like` decides.

    >>> may_be("lightup", "7x7m2:a1d23c3k2a5"), may_be("lightup", "7x7b20s4d0:aB0"), may_be("bridges", "{}")
    (False, True, False)
    """
    if name in _CELLS:
        return _ID.match(text) is not None
    return name not in _MARKS or _MARKS[name].search(text) is not None


def _record() -> type[Game[Any, Any]]:
    """What a record is; loaded only where another package brings one."""
    from bot.game import Game

    return Game


# `Any`: the table holds games of different puzzle and solution types.
class Table(Mapping[str, "Game[Any, Any]"]):
    """Games by name. Looking one up imports its module, which has the record as `GAME`; the names alone cost nothing.

    own: name -> module. Going over the games leaves out those of other packages that cannot be loaded; looking such a
    one up by its name raises WrongUsage.
    """

    def __init__(self, own: Mapping[str, str]) -> None:
        self._own = dict(own)
        self._loaded: dict[str, Game[Any, Any]] = {}
        self._broken: dict[str, str] = {}

    @cached_property
    def _places(self) -> dict[str, str]:
        """Where every game is: module:attribute."""
        foreign = {point.name: point.value for point in entry_points(group=GROUP)}
        for name in sorted(foreign.keys() & self._own.keys()):
            _log.warning("the game %s of another package is left out: there is one of that name", name)
        return {**foreign, **self._own}

    def __getitem__(self, name: str) -> Game[Any, Any]:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> Game[Any, Any]:
        module, _, attribute = self._places[name].partition(":")
        if name in self._own:
            game: Game[Any, Any] = importlib.import_module(module).GAME
            return game
        if name not in self._broken:
            try:
                found = getattr(importlib.import_module(module), attribute or "GAME")
                if not isinstance(found, _record()):
                    self._broken[name] = (
                        f"its record is a {type(found).__name__}, which game(...) makes a Game of"
                    )
                elif found.name == name:
                    foreign: Game[Any, Any] = found
                    return foreign
                else:
                    self._broken[name] = f"its record is called {found.name!r}"
            # Whatever other people's code raises while it is imported must not stop our own games.
            except Exception as error:
                self._broken[name] = f"{type(error).__name__}: {error}"
        raise WrongUsage(
            f"the game {name} of another package cannot be loaded: {self._broken[name][:200]}",
            hint="mend or uninstall that package; all other games work",
        )

    def __iter__(self) -> Iterator[str]:
        for name in (*self._own, *(name for name in self._places if name not in self._own)):
            if self._usable(name):
                yield name

    def _usable(self, name: str) -> bool:
        """Whether a game is there; the first time that another package's is not, it is told."""
        if name in self._own or name in self._loaded:
            return True
        told = name in self._broken
        try:
            self[name]
        except WrongUsage as error:
            if not told:
                _log.warning("%s", error)
            return False
        return True

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self._places


GAMES: Mapping[str, Game[Any, Any]] = Table({name: f"bot.games.{name}" for name in (*_OWN, *_CELLS)})
