"""Reads nonograms of any program."""

from vision.readers.nonogram.board import read

__all__ = ["read"]
