"""Adjacent boards of Unequal: bars between the neighbours whose digits follow each other, and between no others."""

from __future__ import annotations

import random
from itertools import permutations, product

import cv2
import numpy as np
import pytest

from bot.games import GAMES, unequal
from bot.scorecard.spoil import as_jpeg
from solver.answer import Limits
from solver.errors import InvalidPuzzle, NoSolution
from solver.grid.board import Between, Board
from solver.grid.search import solutions
from tests.test_screens import SCREENS, frame_of, profile_of
from vision.errors import BoardNotFound
from vision.frame import Frame

UNEQUAL = GAMES["unequal"]


def test_a_sign_that_points_off_the_board_is_refused() -> None:
    for text in ("3:0U,0,0,0,0,0,0,0,0,", "3a:0,0,0R,0,0,0,0,0,0,"):
        with pytest.raises(InvalidPuzzle, match="points off the board"):
            UNEQUAL.parse(text)


@pytest.mark.parametrize("seed", range(8))
def test_bars_leave_just_the_squares_that_trying_all_leaves(seed: int) -> None:
    side, rng = 3, random.Random(seed)
    plain = Board(side, side)
    every = [
        dict(zip(plain.squares, sum(rows, ()), strict=True))
        for rows in product(permutations("123"), repeat=side)
        if all(len(set(column)) == side for column in zip(*rows, strict=True))
    ]

    def bars(full: dict) -> set[Between]:  # type: ignore[type-arg]
        pairs = [Between(at, near) for at in plain.squares for near in plain.beside(at) if at < near]
        return {pair for pair in pairs if abs(int(full[pair.a]) - int(full[pair.b])) == 1}

    wanted = bars(rng.choice(every))
    board = Board(side, side, dict.fromkeys(wanted, "|"), "a")
    found = list(solutions(unequal.GAMEPLAY.problem(board)))
    assert found
    assert sorted(map(str, found)) == sorted(str(full) for full in every if bars(full) == wanted)
    for full in every:
        assert (not UNEQUAL.check(board, full)) == (bars(full) == wanted)


def test_a_bar_that_is_hidden_never_makes_another_board() -> None:
    path = SCREENS / "unequal" / "sgt-unequal-5a-empty.png"
    reading = UNEQUAL.read(frame_of(path), profile_of("unequal"))
    bars = [place for place in reading.puzzle.given if isinstance(place, Between)]
    pitch, told = reading.geometry.pitch_px, 0
    for bar in bars:
        a, b = (reading.geometry.centres[at] for at in bar)
        pixels = frame_of(path).pixels.copy()
        half = round(0.14 * pitch)
        x, y = round((a.x + b.x) / 2), round((a.y + b.y) / 2)
        wide, high = (half, 2 * half) if bar.a.row == bar.b.row else (2 * half, half)
        pixels[y - high : y + high, x - wide : x + wide] = pixels[3, -3]
        try:
            seen = UNEQUAL.read(Frame(pixels), profile_of("unequal"))
        except BoardNotFound:
            continue
        told += seen.puzzle != reading.puzzle
    assert told == 0


def test_a_bar_and_a_corner_do_not_stand_on_one_board() -> None:
    pixels = np.asarray(cv2.imread(str(SCREENS / "unequal" / "sgt-unequal-5a-empty.png")), np.uint8)
    reading = UNEQUAL.read(Frame(pixels), profile_of("unequal"))
    bar = next(at for at in reading.puzzle.given if isinstance(at, Between) and at.a.row == at.b.row)
    a, b = (reading.geometry.centres[at] for at in bar)
    x, y, size = round((a.x + b.x) / 2), round(a.y), round(0.08 * reading.geometry.pitch_px)
    pixels[y - 4 * size : y + 4 * size, x - size : x + size] = pixels[3, -3]
    for side in (-size, size):
        cv2.line(pixels, (x - size // 2, y + side), (x + size // 2, y), (0, 0, 0), 1)
    with pytest.raises(BoardNotFound):
        UNEQUAL.read(Frame(pixels), profile_of("unequal"))


def test_without_bars_no_digits_follow_each_other() -> None:
    # Three digits a row cannot stand so that none follow each other.
    with pytest.raises(NoSolution):
        UNEQUAL.solve(UNEQUAL.parse("3a:0,0,0,0,0,0,0,0,0,"), Limits())


def test_a_digit_that_the_mark_of_a_selected_cell_touches_is_never_read_as_nothing() -> None:
    """Together they look like a frame round an empty cell."""
    game, path = GAMES["unequal"], SCREENS / "unequal" / "sgt-solved.png"
    pixels = np.asarray(cv2.imread(str(path)), np.uint8)
    before = game.read(Frame(pixels), profile_of("unequal"))
    at = min(cell for cell, digit in before.placed.items() if digit == "2")
    x, y = (round(value) for value in before.geometry.centres[at])
    cv2.fillPoly(pixels, [np.array([(x - 15, y - 15), (x - 1, y - 15), (x - 15, y - 1)])], (255, 255, 255))

    reading = game.read(Frame(pixels), profile_of("unequal"))

    assert reading.placed.get(at) == before.placed[at] or at in reading.doubtful


def signs_of(board: Board) -> dict[Between, str]:
    return {place: sign for place, sign in board.given.items() if isinstance(place, Between)}


def test_a_pale_sign_of_which_a_part_is_paler_points_where_all_of_it_does() -> None:
    path = SCREENS / "unequal" / "sgt-ticked.png"
    pixels = cv2.resize(frame_of(path).pixels, None, fx=0.68, fy=0.68, interpolation=cv2.INTER_LINEAR)
    veiled = as_jpeg(82)(np.asarray(0.7 * pixels + 0.3 * 255, np.uint8))

    pale, clear = (
        UNEQUAL.read(frame, profile_of("unequal")).puzzle for frame in (Frame(veiled), frame_of(path))
    )

    assert signs_of(pale) == signs_of(clear) != {}
