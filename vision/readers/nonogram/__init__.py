"""Reads nonograms of any program."""
