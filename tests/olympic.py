"""The original puzzle, task 1 of Weekly Challenge 043: the five Olympic rings."""

from __future__ import annotations

OLYMPIC = """
numbers: 1 2 3 4 6
use: once
target: 11

ring red 100 100 100 =
ring green 215 200 100 =
ring black 330 100 100 =
ring yellow 445 200 100 =
ring blue 560 100 100 =

region red 80.6 86.1 9
region red+green 152.8 155.6 ?
region green 213.9 227.8 5
region green+black 275 152.8 ?
region black 330.6 72.2 ?
region black+yellow 383.3 155.6 ?
region yellow 444.4 227.8 7
region yellow+blue 500 147.2 ?
region blue 577.8 83.3 8
"""
OLYMPIC_ANSWER = {"red+green": 2, "green+black": 4, "black": 6, "black+yellow": 1, "yellow+blue": 3}
