"""What is painted over a picture for people."""

from __future__ import annotations

import numpy as np

from bot.games import GAMES
from bot.play import to_enter
from solver.lattice import Square
from solver.nonogram import Ink, Nonogram, Palette, Picture
from vision.frame import Box, Frame, Point
from vision.overlay import ENTER, paint
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
