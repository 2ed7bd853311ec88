"""Reads an Algemy screen: the board's lattice from its lines, crystals and sources from hue and faces, the wheel."""

from __future__ import annotations

from vision.readers.algemy.again import reread
from vision.readers.algemy.board import read

__all__ = ["read", "reread"]
