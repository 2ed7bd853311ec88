"""Clues of Keen in windows so small that a sign has four rows: they are read right or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from solver.errors import InvalidPuzzle
from solver.lattice import Square
from vision.eyesight import Region
from vision.grids import Comb, Grid
from vision.measures.arithmetic import clues_in
from vision.scene import Scene

# As the program draws them in cells of 29 px: ink in hundredths, px by px.
TWO_DIVIDED = """
0 0 10 16 2 0 0 0 0 0 0 0 0
0 41 82 86 84 4 0 0 5 3 0 0 0
0 4 0 17 99 15 0 0 57 43 0 0 0
0 0 2 68 66 0 15 58 58 58 58 7 0
0 7 76 60 1 0 5 20 40 35 20 2 0
0 44 99 96 96 25 0 0 41 31 0 0 0
0 0 0 0 0 0 0 0 0 0 0 0 0"""
EIGHT_TIMES = """
0 0 6 17 4 0 0 0 0 0 0 0
0 23 97 73 95 13 0 6 0 0 6 0
0 32 90 20 99 19 1 79 24 34 69 0
0 13 87 82 79 6 0 10 85 79 4 0
0 54 76 0 91 39 0 35 76 81 24 0
0 24 92 83 89 14 1 60 5 10 56 0
0 0 0 6 0 0 0 0 0 0 0 0"""
# The 1 is as high as what is looked at.
FIFTEEN = """
0 17 86 99 23 0 26 96 85 85 1 0
0 0 1 99 23 0 26 86 39 16 0 0
0 0 1 99 23 0 18 55 63 96 15 0
0 0 1 99 23 0 7 0 3 96 31 0
0 14 89 99 92 34 37 86 92 76 5 0"""

# What ends it is narrower than any sign.
NINE_AND_A_BIT = """
0 24 91 73 92 17 0 0 0 0
0 70 77 2 84 60 0 28 22 0
0 72 75 1 83 75 0 56 45 0
0 26 92 74 94 80 0 81 77 0
0 0 6 9 78 66 0 75 68 0
0 17 44 62 88 21 0 55 44 0
0 0 3 9 4 0 0 55 44 0
0 0 0 0 0 0 0 0 0 0"""

# The right arms of the sign lie on the thick line round the cage, which goes on above and below.
SIX_TIMES = """
.....................###
.....####+...........###
...#######...........###
..###+...+...........###
.+##+........+#+....+###
.+##++##+.....##+..+####
.#########.....##++#####
####+.###+......####.###
.###+...###.....####.###
.+##+...###.....+##+.###
.+##+...##+....+##.#+###
..###..+##+...+##...####
..+######+...+#+....+###
....+###+............###
.....................###"""


def clue(drawn: str, *, signed: bool = True) -> str:
    """What is read of a cell that is nothing but its clue."""
    ink = np.array([line.split() for line in drawn.strip().splitlines()], np.float64)
    pixels = np.repeat((230 - 2.3 * ink).astype(np.uint8)[:, :, None], 3, axis=2)
    high, wide = ink.shape
    grid = Grid(Comb(0.0, float(wide), 2), Comb(0.0, float(high), 2))
    return clues_in(Scene(pixels), grid, {Square(0, 0): signed}, Region(0.0, 0.0, 1.0, 1.0))[0, 0]


@pytest.mark.parametrize("drawn", [TWO_DIVIDED, EIGHT_TIMES, NINE_AND_A_BIT])
def test_a_sign_too_small_to_be_told_is_no_other_sign(drawn: str) -> None:
    with pytest.raises(InvalidPuzzle, match="cannot be read"):
        clue(drawn)


def test_a_1_that_fills_what_is_looked_at_is_no_line() -> None:
    assert clue(FIFTEEN, signed=False) == "a15"


def test_a_sign_that_touches_the_line_on_the_right_is_read() -> None:
    in_hundredths = SIX_TIMES.replace("#", "99 ").replace("+", "50 ").replace(".", "0 ")

    assert clue(in_hundredths) == "m6"
