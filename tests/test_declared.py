"""What a declaration of a game may say beyond colours of its own: cells of any colour."""

from __future__ import annotations

from dataclasses import replace

from bot.games.lightup import GAMEPLAY as LIGHTUP
from bot.grid import GridGame
from bot.practice.grid import GridBoard
from solver.grid.board import Board
from solver.lattice import Square
from vision.eyesight import Look

PINK, GREY = "f0b0c0", "b0b0b0"


def chequered(board: Board, at: Square) -> str:
    return (PINK, GREY)[(at.row + at.col) % 2]


def coloured(*, looks: tuple[Look, ...]) -> GridGame:
    """A game whose looks name no ground, on pink and grey cells."""
    eyes = replace(LIGHTUP.eyes, looks=looks)
    return replace(LIGHTUP, eyes=eyes, ground=chequered)


def plain(*looks: Look) -> tuple[Look, ...]:
    return tuple(replace(look, ground=()) for look in looks)


def test_practice_cells_without_a_colour_or_a_look_of_their_own_are_drawn() -> None:
    board = LIGHTUP.parse("3x3:BaBa4aBaB")
    shown = GridBoard(coloured(looks=plain(Look(""))), board, "paper").render(0.0)

    middle = [shown[84 + 40 * row + 20, 84 + 40 * col + 20].tolist() for row in range(3) for col in range(3)]
    assert middle == [[0xC0, 0xB0, 0xF0], [0xB0, 0xB0, 0xB0]] * 4 + [[0xC0, 0xB0, 0xF0]]
