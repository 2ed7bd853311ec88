"""Reads Bridges of any program."""
