"""Reads a ring puzzle: rings drawn as lines, the numbers in them, the targets and the stock."""
