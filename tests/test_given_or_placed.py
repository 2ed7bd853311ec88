"""A digit that is marked as an error may be printed or entered: which one is told by the board's only solution."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from bot.games import GAMES
from bot.games.towers import GAMEPLAY
from bot.grid import _decided
from solver.answer import Limits
from solver.grid.board import Board, Entries
from solver.lattice import Square
from vision.frame import Frame
from vision.profile import Profile
from vision.reading import Mark, Reading

TOWERS = GAMES["towers"]
CLASH = Path(__file__).parent / "screens" / "towers" / "sgt-5x5dh-clash.png"


def clash() -> Reading[Board, Entries]:
    """Two printed digits and an entered one are red, since each stands twice in a line."""
    return TOWERS.read(Frame(np.asarray(cv2.imread(str(CLASH)), np.uint8)), Profile("towers", "default"))


def in_red(reading: Reading[Board, Entries]) -> tuple[Reading[Board, Entries], Square]:
    """The reading with a digit that was entered rightly in red, and where that is."""
    solution = TOWERS.solve(reading.puzzle, Limits()).solution
    at = next(at for at, digit in reading.placed.items() if solution[at] == digit)
    marks = {**reading.marks, at: Mark(reading.placed[at], 1.0, "", "either")}
    return replace(reading, marks=marks), at


def test_a_red_digit_without_which_there_are_several_solutions_is_a_given_one() -> None:
    reading = clash()

    printed = {at for at in reading.puzzle.given if isinstance(at, Square)}
    assert not reading.doubtful
    assert reading.advice is None
    assert len(GAMEPLAY.answers(reading.puzzle)) == 1
    for at in printed:
        less = {place: digit for place, digit in reading.puzzle.given.items() if place != at}
        assert len(GAMEPLAY.answers(replace(reading.puzzle, given=less))) == 2


def test_a_red_digit_that_is_right_whoever_wrote_it_is_in_doubt_and_harmless() -> None:
    reading, at = in_red(clash())

    decided = _decided(GAMEPLAY, reading)

    assert decided.doubtful == (at,)
    assert decided.unknown == ()
    assert decided.advice == "take these entries back: nothing tells them from printed ones"
    assert at not in decided.placed
    assert decided.puzzle == reading.puzzle


def test_a_later_look_at_red_digits_shows_the_same_puzzle() -> None:
    reading = clash()

    again = TOWERS.reread(Frame(np.asarray(cv2.imread(str(CLASH)), np.uint8)), reading)

    assert again is not None
    assert (again.puzzle, again.placed) == (reading.puzzle, reading.placed)


def test_what_turns_black_when_the_error_is_gone_was_printed_and_the_puzzle_stays() -> None:
    reading, at = in_red(clash())
    reading = _decided(GAMEPLAY, reading)
    pixels = np.asarray(cv2.imread(str(CLASH)), np.uint8)
    x, y, half = *reading.geometry.centres[at], round(reading.geometry.pitch_px * 0.45)
    cell = pixels[round(y) - half : round(y) + half, round(x) - half : round(x) + half]
    cell[np.ptp(cell, axis=2) > 12] = 0

    again = TOWERS.reread(Frame(pixels), reading)

    assert again is not None
    assert not again.doubtful
    assert again.puzzle == reading.puzzle
    assert again.placed[at] == reading.marks[at].runner_up


def test_however_many_digits_are_red_on_a_board_that_needs_none_only_right_ones_are_in_doubt() -> None:
    reading = clash()
    solution = TOWERS.solve(reading.puzzle, Limits()).solution
    red = {at: solution[at] for at in reading.puzzle.squares if at not in reading.puzzle.given}
    wrong = min(red)
    red[wrong] = next(digit for digit in "12345" if digit != solution[wrong])
    marks = {**reading.marks, **{at: Mark(digit, 1.0, "", "either") for at, digit in red.items()}}

    decided = _decided(GAMEPLAY, replace(reading, marks=marks, placed=red))

    assert decided.placed == {wrong: red[wrong]}
    assert set(decided.doubtful) == set(red) - {wrong}
    assert not decided.unknown
