"""Reads nonograms of any program."""

from vision.measures.looks import Sample, sample
from vision.readers.nonogram.board import read
from vision.readers.nonogram.claim import claim
from vision.readers.nonogram.inks import ink_of
from vision.readers.nonogram.learned import seen_looks, signature
from vision.readers.nonogram.meanings import Meaning
from vision.readers.nonogram.told import reread

__all__ = ["Meaning", "Sample", "claim", "ink_of", "read", "reread", "sample", "seen_looks", "signature"]
