"""Puzzles of cells that are told by their rules: board, rules, search, steps and text forms for all of them."""
