"""Solo's other boards: jigsaws, killers and numbers above nine; their text, their rules, and what is read of them."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.games.solo import cages_on
from solver.answer import Limits
from solver.errors import InvalidPuzzle
from solver.grid.board import Board
from solver.grid.search import Problem, propagate
from solver.lattice import Square
from solver.steps import Contradiction
from tests.test_screens import SCREENS, frame_of, profile_of
from vision.errors import UncertainReading, VisionError
from vision.frame import Frame

SOLO = GAMES["solo"]
JIGSAW = "9j:4_7a9f9_3b6c1e3a6d2a7b8g1b2a1d5a1e2c7b6_1f7a5_9,bae_bba_aa__aa__a_a_a__ccaaacb_bcbha_bbacbb_a__a_c_bbadcdd"
KILLER = (
    "3x3k:zzzc,_aa____a_a__a__aaa_aa_aa__aa___________a__aa_aaaac____a_____a___a_a__a__a_____b_a__a_b___a_a_aa_aaaa_,"
    "4_11a10a22_11_10_5a11a7e13a11a6a10a11_7b16a9a17a17a3a8_9b11_22a5_9b21_6a9g11a5a14a17_12b11a11c13b"
)
LARGE = (
    "3x4:j10a8c10a2_6a9_3_12a5_9a7_8_3b6_4a6d12c4_2c5e11b6a4a8_11_1c10d12c7_4_9a6a5b6e12c7_4c1d8a9_6b3_10_5a11_7a7_8"
    "_10a12_9a11c3a3j"
)


@pytest.mark.parametrize("text", [JIGSAW, KILLER, LARGE, JIGSAW.replace("9j:", "9jx:")])
def test_every_kind_of_board_keeps_its_text(text: str) -> None:
    board = SOLO.parse(text)
    assert SOLO.unparse(board) == text
    assert SOLO.parse(SOLO.unparse(board)) == board


def test_each_block_of_a_jigsaw_has_each_digit_once() -> None:
    board = SOLO.parse(JIGSAW)
    answer = SOLO.solve(board, Limits(unique=True))
    assert answer.unique
    # The first block by hand: it goes down the left side and takes two cells of the second column and of the third.
    cells = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 1)]
    assert sorted(answer.solution[Square(*at)] for at in cells) == list("123456789")
    # Two cells of a row exchanged break columns and blocks.
    one, other = Square(0, 2), Square(0, 4)
    wrong = {**answer.solution, one: answer.solution[other], other: answer.solution[one]}
    assert any("block" in broken for broken in SOLO.check(board, wrong))


def test_cages_of_a_killer_make_their_sums_without_a_given_digit() -> None:
    board = SOLO.parse(KILLER)
    answer = SOLO.solve(board, Limits(unique=True))
    assert not board.given
    assert answer.unique
    # The first cage stands in the first column and makes 4, the next one makes 11 side by side.
    assert {answer.solution[Square(0, 0)], answer.solution[Square(1, 0)]} == {"1", "3"}
    assert int(answer.solution[Square(0, 1)]) + int(answer.solution[Square(0, 2)]) == 11


def test_numbers_above_nine_are_letters() -> None:
    board = SOLO.parse(LARGE)
    answer = SOLO.solve(board, Limits(unique=True))
    assert answer.unique
    assert board.given[Square(0, 10)] == "a"
    assert {answer.solution[Square(0, col)] for col in range(12)} == set("123456789abc")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (JIGSAW.split(",")[0], "parts behind the digits"),
        ("9j:zzzc," + KILLER.split(",")[1], "cells"),
        (KILLER.replace(",4_11", ",a11"), "first cells"),
        ("3x3:10" + "z" * 3 + "b", "means nothing"),
        ("3x4:13" + "z" * 5 + "m", "from 1 to 12"),
        ("5x5:" + "z" * 24 + "a", "no Solo board"),
        ("9:" + "z" * 3 + "c", "no Solo board"),
    ],
)
def test_what_is_no_board_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(InvalidPuzzle, match=words):
        SOLO.parse(text)


@pytest.mark.parametrize("what", ["number", "line"])
def test_a_killer_of_which_a_piece_is_hidden_is_refused(what: str) -> None:
    path = SCREENS / "solo" / "sgt-solo-3x3k-empty.png"
    whole = SOLO.read(frame_of(path), profile_of("solo"))
    refused = 0
    firsts = [cage[0] for cage, _ in cages_on(whole.puzzle)][::4]
    for at in firsts:
        pixels, centre = frame_of(path).pixels.copy(), whole.geometry.centres[at]
        pitch = whole.geometry.pitch_px
        left, top = round(centre.x - 0.44 * pitch), round(centre.y - 0.4 * pitch)
        if what == "number":
            box = np.s_[top + 2 : top + round(0.3 * pitch), left + 3 : left + round(0.55 * pitch)]
        else:
            box = np.s_[round(centre.y - 0.2 * pitch) : round(centre.y + 0.2 * pitch), left : left + 5]
        pixels[box] = 230
        try:
            seen = SOLO.read(Frame(pixels), profile_of("solo"))
        except VisionError:
            refused += 1
            continue
        # A line beside the edge of the board says nothing that the edge does not say.
        assert seen.puzzle == whole.puzzle
    assert refused >= (len(firsts) if what == "number" else len([at for at in firsts if at.col]))


@pytest.mark.parametrize("seed", range(20))
def test_a_cage_leaves_what_some_way_to_make_its_sum_has(seed: int) -> None:
    rng = random.Random(seed)
    cells = tuple(Square(0, col) for col in range(rng.randint(2, 4)))
    problem = Problem(Board(1, len(cells)), "123456", cells)
    total = rng.randint(3, 18)
    may = {at: rng.sample("123456", rng.randint(1, 5)) for at in cells}
    for at, values in may.items():
        problem.only(at, values)
    problem.total(cells, total, "a cage")
    ways = [
        way
        for way in product(*(may[at] for at in cells))
        if len(set(way)) == len(way) and sum(map(int, way)) == total
    ]
    sets = list(problem.start)
    try:
        propagate(problem, sets)
    except Contradiction:
        assert not ways
        return
    for nth, have in enumerate(sets):
        left = {value for value, bit in problem.bits.items() if have & bit}
        assert {way[nth] for way in ways} <= left <= set(may[cells[nth]])
    full = [way for way in ways if problem.rules[-1].holds([problem.bits[value] for value in way])]
    assert full == ways


LETTERS = sorted((SCREENS / "solo").glob("sgt-solo-[34]x4-*.png"))


@pytest.mark.parametrize("way", ["twice 2", "soft 1.5", "jpeg 90", "jpeg 60"])
@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_letters_are_read_right_or_not_at_all(path: Path, way: str) -> None:
    pixels, (kind, value) = frame_of(path).pixels, way.split()
    if kind == "twice":
        other = pixels.repeat(2, axis=0).repeat(2, axis=1)
    elif kind == "soft":
        other = cv2.resize(pixels, None, fx=float(value), fy=float(value), interpolation=cv2.INTER_CUBIC)
    else:
        other = cv2.imdecode(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(value)])[1], 1)
    true = SOLO.read(frame_of(path), profile_of("solo"))
    try:
        seen = SOLO.read(Frame(np.asarray(other, np.uint8)), profile_of("solo"))
    except VisionError:
        assert kind == "jpeg"
        return
    assert seen.puzzle.form == true.puzzle.form
    for at in set(true.puzzle.squares) - set(seen.doubtful):
        assert seen.puzzle.given.get(at) == true.puzzle.given.get(at)
        assert seen.placed.get(at) == true.placed.get(at)
    assert len(seen.doubtful) <= len(true.marks) / 10


def test_a_letter_that_is_no_number_of_the_board_is_in_doubt() -> None:
    path = next(path for path in LETTERS if "3x4" in path.stem)
    true = SOLO.read(frame_of(path), profile_of("solo"))
    pixels = frame_of(path).pixels.copy()
    wide = SOLO.read(frame_of(SCREENS / "solo" / "sgt-solo-4x4-solved.png"), profile_of("solo"))
    # An "f" of the larger board over a free cell; twelve numbers end with "c".
    there = next(at for at in true.puzzle.squares if at not in {**true.puzzle.given, **true.placed})
    here = next(at for at, sign in wide.placed.items() if sign == "f")
    half = round(0.35 * true.geometry.pitch_px)
    source = frame_of(SCREENS / "solo" / "sgt-solo-4x4-solved.png").pixels
    boxes = [
        np.s_[round(at.y) - half : round(at.y) + half, round(at.x) - half : round(at.x) + half]
        for at in (true.geometry.centres[there], wide.geometry.centres[here])
    ]
    pixels[boxes[0]] = source[boxes[1]]

    with pytest.raises(UncertainReading, match="row"):
        SOLO.read(Frame(pixels), profile_of("solo"))
