"""The imitation of Algemy behaves as the game was seen to behave."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from bot.actions import Tap
from bot.practice.algemy import AlgemyPractice, practice
from bot.practice.algemy.drawing import PAINT
from solver import algemy
from solver.algemy.board import AlgemyCell
from vision.frame import Point


def sector(board: AlgemyPractice, cell: AlgemyCell, colour: str) -> Point:
    at, turn = board.arrangement.centre(cell), math.radians(60 * "ROYGBV".index(colour))
    reach = 0.75 * board.arrangement.pitch_px
    return Point(at.x + reach * math.sin(turn), at.y - reach * math.cos(turn))


def place(board: AlgemyPractice, cell: AlgemyCell, colour: str, now_s: float) -> None:
    board.act(Tap(board.arrangement.centre(cell)), now_s)
    board.act(Tap(sector(board, cell, colour)), now_s + 0.3)


def play(board: AlgemyPractice, start_s: float) -> float:
    now = start_s
    for cell, colour in algemy.solve(board.puzzle).solution.items():
        place(board, cell, colour, now)
        now += 1
    return now


@pytest.mark.parametrize("shape", ["square", "hex"])
@pytest.mark.parametrize("palette", ["RYB", "ROYGBV"])
def test_a_level_is_solved_through_the_wheel(shape: str, palette: str) -> None:
    board = practice(random.Random(5), shape="hex" if shape == "hex" else "square", palette=palette)

    play(board, 0.0)

    assert board.solved()
    assert board.puzzle.palette == palette


def test_a_small_level_has_one_solution() -> None:
    from solver.answer import Limits

    board = practice(random.Random(2), shape="square", size=4)

    assert algemy.solve(board.puzzle, Limits(unique=True)).unique


def test_a_wheel_that_still_bounces_is_deaf() -> None:
    board = practice(random.Random(1), shape="square", size=4, palette="ROYGBV")
    cell = next(cell for cell in board.puzzle.cells if cell not in board.puzzle.crystals)

    board.act(Tap(board.arrangement.centre(cell)), 0.0)
    board.act(Tap(sector(board, cell, "B")), 0.05)
    assert board.placed == {}
    board.act(Tap(sector(board, cell, "B")), 0.2)

    assert board.placed == {cell: "B"}


def test_the_middle_of_the_wheel_takes_a_source_away_and_a_tap_beside_it_closes_it() -> None:
    board = practice(random.Random(1), shape="square", size=4, palette="ROYGBV")
    cell = next(cell for cell in board.puzzle.cells if cell not in board.puzzle.crystals)
    place(board, cell, "V", 0.0)
    empty = board.render(1.0)

    board.act(Tap(board.arrangement.centre(cell)), 2.0)
    board.act(Tap(Point(1.0, 1.0)), 3.0)
    assert np.array_equal(board.render(3.5), empty)
    board.act(Tap(board.arrangement.centre(cell)), 4.0)
    board.act(Tap(board.arrangement.centre(cell)), 5.0)

    assert board.placed == {}


def test_the_wheel_has_the_games_measures() -> None:
    board = practice(random.Random(3), shape="square", size=5, palette="ROYGBV", screen=(1080, 1920))
    cell = next(cell for cell in board.puzzle.cells if cell not in board.puzzle.crystals)

    board.act(Tap(board.arrangement.centre(cell)), 0.0)
    pixels = board.render(1.0)

    for colour in "ROYGBV":
        at = sector(board, cell, colour)
        if 0 < at.x < 1080:
            assert tuple(int(part) for part in pixels[int(at.y), int(at.x)]) == PAINT[colour]


def test_the_arrow_leads_to_the_next_level() -> None:
    board = practice(random.Random(4), shape="hex", size=3)
    now = play(board, 0.0)
    first = board.puzzle

    board.act(Tap(board.arrangement.buttons["next-level"]), now + 1)

    assert board.puzzle != first
    assert board.placed == {}
    assert board.levels_solved == 1


def test_the_solved_board_turns_its_gems_and_then_rests() -> None:
    board = practice(random.Random(4), shape="square", size=4)
    now = play(board, 0.0)

    moving = board.render(now - 1 + 0.3 + 0.2)
    resting = board.render(now + 5)

    assert not np.array_equal(moving, resting)
    assert np.array_equal(resting, board.render(now + 6))


@pytest.mark.parametrize("seed", range(6))
def test_every_screen_has_the_board_and_the_bar_on_it(seed: int) -> None:
    board = practice(random.Random(seed))
    height, width = board.render(0.0).shape[:2]
    half = board.arrangement.pitch_px / 2

    for cell in board.puzzle.cells:
        at = board.arrangement.centre(cell)
        assert half <= at.x <= width - half
        assert board.arrangement.bar_y_px + board.arrangement.unit_px < at.y - half
        assert at.y + half <= height - board.arrangement.nav_px


def test_the_same_seed_gives_the_same_level() -> None:
    assert practice(random.Random(9)).puzzle == practice(random.Random(9)).puzzle
