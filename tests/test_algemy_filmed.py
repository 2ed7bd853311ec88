"""Photographs of a screen: no cell is ever read wrong."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.practice.algemy import AlgemyPractice, practice
from bot.recognise import recognise
from calibration import store
from solver import algemy
from solver.algemy import Algemy
from solver.lattice import Square
from tests.shared_data import SHARED, needs_shared
from vision.errors import BoardNotFound
from vision.frame import Frame, Pixels, Point
from vision.profile import Profile
from vision.readers.algemy.board import read
from vision.readers.algemy.screen import filmed_board
from vision.readers.algemy.squared import CELL_PX, ROOM, Squared
from vision.scene import Scene

PROFILE = Profile("algemy", "film")
ROLE = {"given": "crystal", "placed": "source", "free": "empty"}


def photographed(
    board: AlgemyPractice, cell_px: float, room: float = 1.2
) -> tuple[Pixels, tuple[Point, ...]]:
    """The screen seen at an angle, soft, dim and noisy, and the corners of the board.

    room: more of the screen and what is around it, in boards.
    """
    first, last = (
        board.arrangement.centre(board.puzzle.cells[0]),
        board.arrangement.centre(board.puzzle.cells[-1]),
    )
    half, size = board.arrangement.pitch_px / 2, cell_px * len(board.puzzle.rows)
    ends = [(first.x, first.y), (last.x, first.y), (last.x, last.y), (first.x, last.y)]
    signs = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    seen = [(x + half * a, y + half * b) for (x, y), (a, b) in zip(ends, signs, strict=True)]
    shown = [(0.6, 0.45), (1.55, 0.3), (1.8, 1.1), (0.65, 1.3)]
    corners = tuple(Point((x + room) * size, (y + room) * size) for x, y in shown)
    turn = cv2.getPerspectiveTransform(np.array(seen, np.float32), np.array(corners, np.float32) * 8)
    width, height = round((2.3 + 2 * room) * size), round((1.9 + 2 * room) * size)
    large = cv2.warpPerspective(board.render(9.0), turn, (8 * width, 8 * height), flags=cv2.INTER_AREA)
    large = cv2.GaussianBlur(large, (0, 0), 3.0)
    small = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA) * 0.85
    small += np.random.default_rng(1).normal(0, 1.5, small.shape)
    return np.clip(small, 0, 255).astype(np.uint8), corners


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("cell_px", [12, 24])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_what_is_read_of_a_photograph_is_right(seed: int, cell_px: float, share: float) -> None:
    board = practice(random.Random(seed), shape="square", size=5, screen=(1080, 1920), line=0.03)
    sources = list(algemy.solve(board.puzzle).solution.items())
    board._placed = dict(sources[: round(share * len(sources))])
    pixels, corners = photographed(board, cell_px)

    try:
        reading = read(Frame(pixels), PROFILE)
    except BoardNotFound:
        # Light hides lines, and beside it nothing is told.
        assert share
        return

    crystals, placed = board.puzzle.crystals, board.placed
    told = {cell: mark.symbol for cell, mark in reading.marks.items() if mark.symbol is not None}
    assert told == {cell: crystals.get(cell, placed.get(cell, "")) for cell in told}
    assert len(told) >= 14 or share
    found = filmed_board(Scene(pixels))
    assert found is not None and found.size == 5 and max(map(math.dist, found.corners, corners)) < 2


def test_a_board_that_is_read_on_a_photograph_needs_no_other_games_word() -> None:
    def never(scene: Scene) -> None:
        raise AssertionError("was asked")

    board = practice(random.Random(2), shape="square", size=5, screen=(1080, 1920), line=0.03)
    pixels, _ = photographed(board, 24)
    late = replace(GAMES["algemy"], name="late", claim=never, glance=None)

    found = recognise(Frame(pixels), {"algemy": GAMES["algemy"], "late": late}, store.candidates)

    assert (found.game.name, found.reading.ui) == ("algemy", "film")


@pytest.mark.parametrize("seed", range(6))
def test_small_sharpened_photographs_in_tinted_light_are_not_read_wrong(seed: int) -> None:
    board = practice(
        random.Random(seed), shape="square", size=6, palette="ROYGBV", screen=(720, 1280), line=0.03
    )
    pixels, _ = photographed(board, 9 + seed / 2)
    soft = pixels * np.array([0.88, 0.94, 1.0])
    hard = np.clip(1.6 * soft - 0.6 * cv2.GaussianBlur(soft, (0, 0), 1.0), 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", hard, [cv2.IMWRITE_JPEG_QUALITY, 65])[1]

    try:
        reading = read(Frame(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))), PROFILE)
    except BoardNotFound as error:
        assert "of 6 x 6 cells on a photograph" in str(error) or "no lattice of cells" in str(error)
        return

    read_so = {cell: mark.symbol for cell, mark in reading.marks.items() if mark.symbol is not None}
    assert read_so == {cell: board.puzzle.crystals.get(cell, "") for cell in read_so}


def test_a_grid_without_a_game_on_a_photographed_page_is_no_board() -> None:
    page = np.full((600, 500, 3), 250, np.uint8)
    for at in range(100, 401, 60):
        cv2.line(page, (at, 150), (at, 450), (0, 0, 0), 2)
        cv2.line(page, (100, at + 50), (400, at + 50), (0, 0, 0), 2)
    seen = np.array([(0, 0), (500, 0), (500, 600), (0, 600)], np.float32)
    turn = cv2.getPerspectiveTransform(
        seen, np.array([(80, 60), (520, 90), (560, 640), (60, 600)], np.float32)
    )
    pixels = cv2.warpPerspective(page, turn, (640, 700), flags=cv2.INTER_AREA)

    with pytest.raises(BoardNotFound, match="no Algemy board"):
        read(Frame(np.asarray(pixels, np.uint8)), PROFILE)


HALF_PLAYED = Algemy("square", ("--R--", "-----", "O---B", "-----", "-G---"))


@pytest.mark.parametrize("cell_px", [10, 14, 20])
@pytest.mark.parametrize(
    ("placed", "in_doubt"),
    [
        ({Square(0, 0): "V"}, {"R", "O"}),
        ({Square(4, 4): "B", Square(1, 2): "R"}, {"O", "G"}),
        ({Square(3, 0): "O", Square(1, 4): "B", Square(2, 2): "G", Square(4, 3): "Y"}, {"R", "O", "B", "G"}),
    ],
)
def test_sources_and_what_their_light_runs_over_are_read(
    placed: dict[Square, str], in_doubt: set[str], cell_px: float
) -> None:
    board = practice(random.Random(1), shape="square", size=5, screen=(1080, 1920), line=0.03)
    board._begin(HALF_PLAYED)
    board._placed = dict(placed)
    pixels, _ = photographed(board, cell_px)

    reading = read(Frame(pixels), PROFILE)

    assert reading.placed == placed
    told = {cell: mark.symbol for cell, mark in reading.marks.items() if mark.symbol is not None}
    assert told == {cell: HALF_PLAYED.crystals.get(cell, placed.get(cell, "")) for cell in told}
    # The colour of crystals with light on them or beside them is in doubt, unless they are full of it.
    assert {HALF_PLAYED.crystals[cell] for cell in reading.doubtful} <= in_doubt


@pytest.mark.parametrize("hidden", range(5))
def test_a_source_is_known_only_by_light_that_leaves_it(hidden: int) -> None:
    board = practice(random.Random(1), shape="square", size=5, screen=(1080, 1920), line=0.03)
    board._begin(Algemy("square", ("-----", "-----", "X----", "-----", "-----")))
    # All light around the brown crystal comes to it.
    board._placed = {Square(0, 0): "O", Square(2, 4): "O", Square(4, 0): "O"}
    pixels, corners = photographed(board, 14)
    turn = cv2.getPerspectiveTransform(
        np.array([(0, 0), (5, 0), (5, 5), (0, 5)], np.float32), np.array(corners, np.float32)
    )
    places = np.array([[(hidden - 0.1, 1.9), (hidden + 1.1, 1.9), (hidden + 1.1, 3.1), (hidden - 0.1, 3.1)]])
    grey = cv2.perspectiveTransform(places, turn)[0].astype(np.int32)
    cv2.fillPoly(pixels, [grey], (90, 90, 90))

    try:
        reading = read(Frame(pixels), PROFILE)
    except BoardNotFound:
        return

    assert set(reading.placed.items()) <= set(board.placed.items())
    assert reading.marks[Square(2, 0)].symbol in ("X", None)


@pytest.mark.parametrize(("down", "found"), [(60, True), (170, False)])
def test_lines_much_further_apart_one_way_than_the_other_are_no_board(down: int, found: bool) -> None:
    page = np.full((1000, 500, 3), 250, np.uint8)
    for at in range(5):
        cv2.line(page, (130 + 60 * at, 150), (130 + 60 * at, 150 + 4 * down), (0, 0, 0), 3)
        cv2.line(page, (130, 150 + down * at), (370, 150 + down * at), (0, 0, 0), 3)
    seen = np.array([(0, 0), (500, 0), (500, 1000), (0, 1000)], np.float32)
    turn = cv2.getPerspectiveTransform(
        seen, np.array([(80, 60), (580, 90), (570, 1060), (60, 1020)], np.float32)
    )
    pixels = np.asarray(cv2.warpPerspective(page, turn, (660, 1120), flags=cv2.INTER_AREA), np.uint8)

    board = filmed_board(Scene(pixels))

    assert (board is not None and board.size == 4) is found


@needs_shared
@pytest.mark.parametrize(
    ("number", "doubts"), [("01", 0), ("05", 5), ("08", 2), ("17", 2), ("29", 10), ("42", 0)]
)
def test_filmed_pictures_of_the_game_are_read_but_for_few_cells(number: str, doubts: int) -> None:
    known = json.loads((SHARED / "algemy" / f"video_{number}.json").read_text())
    pixels = np.asarray(cv2.imread(str(SHARED / "algemy" / f"video_{number}.png")), np.uint8)

    reading = read(Frame(pixels), PROFILE)

    assert len(reading.doubtful) <= doubts
    for cell in known["cells"]:
        at = reading.puzzle.cell(cell["row"], cell["col"])
        mark, middle = reading.marks[at], reading.geometry.centres[at]
        assert abs(middle.x - 0.5 - cell["px"]) < known["tolerance_px"]
        assert abs(middle.y - 0.5 - cell["py"]) < known["tolerance_px"]
        role, _, letter = cell["content"].partition(":")
        if mark.symbol is not None:
            assert (ROLE[mark.state], mark.symbol) == (role, letter), cell


def test_what_is_all_black_has_no_colour() -> None:
    """A black box over the board had no noise that is a number, and a warning was printed."""
    side = round((2 * ROOM + 3) * CELL_PX)

    with np.errstate(all="raise"):
        assert Squared(3, np.zeros((side, side, 3), np.float32), np.eye(3)).noise == 0.0
