"""The games we know, one file each beside this one."""

from __future__ import annotations

from bot.games.table import GAMES, may_be

__all__ = ["GAMES", "may_be"]
