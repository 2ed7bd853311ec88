"""Reads Bridges of any program."""

from vision.readers.bridges.board import BoardReading, read, reread
from vision.readers.bridges.learned import signature

__all__ = ["BoardReading", "read", "reread", "signature"]
