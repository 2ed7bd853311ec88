"""The games we know, one file each beside this one."""

from __future__ import annotations

from bot.games.table import GAMES

__all__ = ["GAMES"]
