"""Reads nonograms of any program."""

from vision.measures.looks import Sample, sample
from vision.readers.nonogram.board import read
from vision.readers.nonogram.learned import seen_looks, signature
from vision.readers.nonogram.meanings import Meaning

__all__ = ["Meaning", "Sample", "read", "sample", "seen_looks", "signature"]
