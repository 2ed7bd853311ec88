"""The only table of games: a name and the module that has the record. A game is loaded when it is asked for."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.game import Game

# In the order in which they are listed.
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
)

# A game ID of Simon Tatham's collection, of which declared games have no other text: size, parameters, a colon. `m` and a
# number stand for the most bridges of a span and for nothing else.
_ID = re.compile(r"(?:\s*#.*\n)*\s*\d+(?:x\d+)?(?![a-z\d]*m\d)[a-zA-Z\d]*:")


def may_be(name: str, text: str) -> bool:
    """Whether a text can be a puzzle of a game, told without loading it; its own `looks_like` decides.

    >>> may_be("lightup", "7x7m2:a1d23c3k2a5"), may_be("lightup", "7x7b20s4d0:aB0"), may_be("bridges", "{}")
    (False, True, True)
    """
    return name not in _CELLS or _ID.match(text) is not None


# `Any`: the table holds games of different puzzle and solution types.
class Table(Mapping[str, Game[Any, Any]]):
    """Games by name. Looking one up imports its module, which has the record as `GAME`; the names alone cost nothing."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = dict(modules)
        self._loaded: dict[str, Game[Any, Any]] = {}

    def __getitem__(self, name: str) -> Game[Any, Any]:
        if name not in self._loaded:
            game: Game[Any, Any] = importlib.import_module(self._modules[name]).GAME
            assert game.name == name, f"the record in {self._modules[name]} is called {game.name}"
            self._loaded[name] = game
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __contains__(self, name: object) -> bool:
        return name in self._modules


GAMES: Mapping[str, Game[Any, Any]] = Table({name: f"bot.games.{name}" for name in (*_OWN, *_CELLS)})
