"""Reads nonograms of any program."""

from vision.readers.nonogram.board import read
from vision.readers.nonogram.cells import Meaning, Sample, sample
from vision.readers.nonogram.learned import seen_looks, signature

__all__ = ["Meaning", "Sample", "read", "sample", "seen_looks", "signature"]
