"""Reads Bridges of any program."""

from vision.readers.bridges.board import read, reread
from vision.readers.bridges.learned import signature

__all__ = ["read", "reread", "signature"]
