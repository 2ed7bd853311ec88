"""Reads Bridges of any program."""

from vision.readers.bridges.board import read, reread

__all__ = ["read", "reread"]
