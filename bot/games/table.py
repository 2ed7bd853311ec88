"""The only table of games: a name and the module that has the record. A game is loaded when it is asked for."""

from __future__ import annotations

import importlib
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
