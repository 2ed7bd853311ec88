"""Reads Bridges of any program."""

from vision.readers.bridges.again import reread
from vision.readers.bridges.board import BoardReading, read
from vision.readers.bridges.claim import claim
from vision.readers.bridges.learned import signature

__all__ = ["BoardReading", "claim", "read", "reread", "signature"]
