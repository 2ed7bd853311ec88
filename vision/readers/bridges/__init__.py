"""Reads Bridges of any program."""

from vision.readers.bridges.board import read

__all__ = ["read"]
