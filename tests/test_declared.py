"""What a declaration of a game may say beyond colours of its own: cells of any colour, places in doubt, unlikely lattices."""

from __future__ import annotations

import random
from dataclasses import replace

from bot.games.lightup import GAMEPLAY as LIGHTUP
from bot.grid import GridGame
from bot.practice.grid import GridBoard
from solver.grid.board import Board
from solver.lattice import Square
from vision.eyesight import Eyesight, Look
from vision.frame import Frame
from vision.grids import Grid
from vision.profile import Profile
from vision.readers.grid import claim, read
from vision.readers.lessons import Named, teach
from vision.scene import Scene, scene_of

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


def seen_by(finish: object = None, **more: object) -> tuple[Frame, Eyesight]:
    """A practice board of Light Up, and its eyes with something else declared."""
    board = GridBoard(LIGHTUP, LIGHTUP.make(random.Random(3)), "paper")
    given = {"finish": finish} if finish else {}
    return Frame(board.render(0.0)), replace(LIGHTUP.eyes, **given, **more)  # type: ignore[arg-type]


def test_a_place_that_a_game_cannot_tell_is_in_doubt_and_has_no_clue() -> None:
    doubted = Square(1, 1)

    def finish(scene: Scene, grid: Grid, board: Board) -> Board:
        return replace(board, given={**board.given, doubted: ""})

    frame, eyes = seen_by(finish)

    reading = read(frame, Profile("lightup", "any"), eyes, "Light Up")

    assert reading.doubtful == (doubted,)
    assert doubted not in reading.puzzle.given and doubted not in reading.placed


def test_a_lattice_that_is_unlikely_is_not_looked_at() -> None:
    asked: list[Grid] = []

    def likely(scene: Scene, grid: Grid) -> bool:
        asked.append(grid)
        return False

    frame, eyes = seen_by(likely=likely)

    assert claim(scene_of(frame), LIGHTUP.eyes) is not None
    assert claim(scene_of(frame), eyes) is None
    assert asked


def test_looks_that_name_no_ground_are_learned_whatever_the_ground() -> None:
    one = coloured(looks=plain(Look(""), Look("*", "placed", form="disc")))
    board = GridBoard(one, LIGHTUP.parse("4x4:p"), "paper")
    board.entries = {Square(0, 0): "*", Square(0, 1): "*", Square(2, 2): "*"}

    lesson = teach(Frame(board.render(0.0)), one.eyes, "lightup")
    assert [len(group.cells) for group in lesson.groups] == [13, 3]
    learned = lesson.profile("mine", {0: Named("", "free"), 1: Named("*", "placed")})
    board.entries = {Square(3, 2): "*"}
    reading = read(Frame(board.render(0.0)), learned, replace(one.eyes, evidence=()), "Light Up")

    assert (reading.placed, reading.doubtful) == ({Square(3, 2): "*"}, ())
