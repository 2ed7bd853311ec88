"""Reads a ring puzzle: rings drawn as lines, the numbers in them, the targets and the stock."""

from __future__ import annotations

from vision.readers.rings.board import claim
from vision.readers.rings.track import read, reread

__all__ = ["claim", "read", "reread"]
