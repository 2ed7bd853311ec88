"""What is painted over a picture for people."""

from __future__ import annotations

import numpy as np
import pytest

from bot.games import GAMES
from bot.play import to_enter
from solver.lattice import Square
from solver.nonogram import Ink, Nonogram, Palette, Picture
from vision.frame import Box, Frame, Point
from vision.overlay import ENTER, _write, paint
from vision.profile import Profile
from vision.reading import Geometry, Reading


def test_a_coloured_nonogram_is_painted_in_its_colours() -> None:
    inks = (Ink("r", "red", "FF0000"), Ink("x", "unknown", "reddish"))
    puzzle = Nonogram(
        ((1, 1),),
        ((1,), (1,), ()),
        palette=Palette(Ink(".", "white", "FFFFFF"), inks, ("rx",), ("r", "x", "")),
    )
    squares = [Square(0, col) for col in range(3)]
    centres = {square: Point(20.0 + 40 * square.col, 20.0) for square in squares}
    reading = Reading(puzzle, Picture(), Geometry(centres, 40.0), {}, Box(0, 0, 120, 40))
    solution = Picture(
        frozenset(squares[:2]), frozenset(squares[2:]), frozenset({(squares[0], "r"), (squares[1], "x")})
    )
    frame = Frame(np.full((40, 120, 3), 255, np.uint8), source="test")

    game = GAMES["nonogram"]
    painted = paint(
        frame, reading, Profile("nonogram", "any"), to_enter(game, Picture(), solution), game.brush
    )

    assert tuple(painted[20, 20]) == (0, 0, 255)
    assert tuple(painted[20, 60]) == ENTER
    assert tuple(painted[20, 100]) == (255, 255, 255)


@pytest.mark.parametrize("word", ["7", "18", "B", "aer"])
def test_what_is_written_stands_in_the_middle_of_its_cell(word: str) -> None:
    pixels = np.full((120, 160, 3), 255, np.uint8)

    _write(pixels, word, Point(80.0, 60.0), 1.0, 48.0)

    rows, cols = np.nonzero((pixels != 255).any(axis=2))
    assert abs((rows.min() + rows.max()) / 2 - 60) <= 1
    assert abs((cols.min() + cols.max()) / 2 - 80) <= 1
