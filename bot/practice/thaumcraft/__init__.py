"""A practice research table: our own art, the game's rules and traps, in simulated time."""

from __future__ import annotations

from bot.practice.thaumcraft.art import own_textures
from bot.practice.thaumcraft.server import Server
from bot.practice.thaumcraft.table import ResearchTable

__all__ = ["ResearchTable", "Server", "own_textures"]
