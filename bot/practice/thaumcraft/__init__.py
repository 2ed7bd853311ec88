"""A practice research table: our own art, the game's rules and traps, in simulated time."""

from __future__ import annotations

from bot.practice.thaumcraft.art import own_textures
from bot.practice.thaumcraft.making import make_note, note_of, own_profile, practice
from bot.practice.thaumcraft.server import Server
from bot.practice.thaumcraft.table import ResearchTable

__all__ = ["ResearchTable", "Server", "make_note", "note_of", "own_profile", "own_textures", "practice"]
