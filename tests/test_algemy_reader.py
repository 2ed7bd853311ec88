"""What is drawn is what is read."""

from __future__ import annotations

import json
import random

import cv2
import numpy as np
import pytest

from bot.practice.algemy import AlgemyPractice, practice
from solver import algemy
from solver.algemy.board import Shape
from tests.shared_data import SHARED, needs_shared
from vision.errors import BoardNotFound
from vision.frame import Frame, Pixels
from vision.readers.algemy.board import read
from vision.readers.algemy.gems import look
from vision.readers.algemy.paper import papers


def half_played(board: AlgemyPractice, seed: int = 0) -> None:
    solution = list(algemy.solve(board.puzzle).solution.items())
    random.Random(seed).shuffle(solution)
    board._placed = dict(solution[: len(solution) // 2])


def seen(board: AlgemyPractice, pixels: Pixels) -> dict[object, str | None]:
    return {cell: mark.symbol for cell, mark in read(Frame(pixels), board.profile).marks.items()}


def truth(board: AlgemyPractice) -> dict[object, str | None]:
    return {
        cell: board.puzzle.crystals.get(cell) or board.placed.get(cell, "") for cell in board.puzzle.cells
    }


@pytest.mark.parametrize("size", [3, 5, 7])
@pytest.mark.parametrize("shape", ["square", "hex"])
def test_fresh_half_played_and_solved_boards_are_read(shape: Shape, size: int) -> None:
    board = practice(random.Random(size), shape=shape, size=size, palette="ROYGBV")

    assert seen(board, board.render(0.0)) == truth(board)
    half_played(board)
    assert seen(board, board.render(1.0)) == truth(board)
    board._placed = dict(algemy.solve(board.puzzle).solution)
    assert read(Frame(board.render(2.0)), board.profile).finished


@pytest.mark.parametrize("shape", ["square", "hex"])
def test_twenty_px_per_cell_are_enough(shape: Shape) -> None:
    board = practice(random.Random(1), shape=shape, size=4, palette="ROYGBV", screen=(720, 1280), line=0.04)
    half_played(board)
    pixels = board.render(0.0)
    scale = 22 / board.arrangement.pitch_px
    small = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)

    marks = seen(board, small)

    assert {cell: symbol for cell, symbol in marks.items() if symbol != truth(board)[cell]} == {}


def test_the_wheel_offers_its_colours() -> None:
    board = practice(random.Random(5), shape="square", size=5, palette="ROYGBV", screen=(1080, 1920))
    cell = next(cell for cell in board.puzzle.cells if cell not in board.puzzle.crystals)
    board._wheel = (cell, 0.0)

    reading = read(Frame(board.render(1.0)), board.profile)

    row, col = board.puzzle.place(cell)
    assert reading.ui == "wheel"
    assert (reading.facts["wheel_row"], reading.facts["wheel_col"]) == (row, col)
    assert set("ROYGBV") <= set(reading.controls)
    at = board.arrangement.centre(cell)
    assert reading.controls["R"].at.y == pytest.approx(at.y - 0.75 * board.arrangement.pitch_px, abs=2)
    named = {c: m.symbol for c, m in reading.marks.items() if m.symbol is not None}
    assert named == {c: truth(board)[c] for c in named}


@pytest.mark.parametrize("seed", [1000, 1029, 1035])
def test_buttons_one_cell_above_the_board_are_no_line_of_it(seed: int) -> None:
    board = practice(random.Random(seed), size=3, screen=(540, 960))

    reading = read(Frame(board.render(0.0)), board.profile)

    assert not reading.doubtful
    assert reading.puzzle.rows == board.puzzle.rows


def test_the_arrow_to_the_next_level_is_found() -> None:
    board = practice(random.Random(8), screen=(1080, 2400))

    control = read(Frame(board.render(0.0)), board.profile).controls["next-level"]

    assert control.at.x == pytest.approx(board.arrangement.buttons["next-level"].x, abs=3)
    assert control.active


@pytest.mark.parametrize("shape", ["square", "hex"])
@pytest.mark.parametrize("line", [0.012, 0.08])
@pytest.mark.parametrize("spoil", ["noise", "jpeg", "gamma"])
def test_spoiled_pictures_are_never_read_wrong(shape: Shape, line: float, spoil: str) -> None:
    board = practice(random.Random(2), shape=shape, size=4, palette="ROYGBV", screen=(1080, 1920), line=line)
    half_played(board)
    scale = 44 / board.arrangement.pitch_px
    pixels = cv2.resize(board.render(0.0), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if spoil == "noise":
        pixels = np.clip(pixels + np.random.default_rng(1).normal(0, 6, pixels.shape), 0, 255).astype(
            np.uint8
        )
    elif spoil == "jpeg":
        pixels = cv2.imdecode(
            cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 70])[1], cv2.IMREAD_COLOR
        )
    else:
        pixels = (255 * (pixels / 255.0) ** 0.7).astype(np.uint8)

    marks = seen(board, np.asarray(pixels, np.uint8))

    named = {cell: symbol for cell, symbol in marks.items() if symbol is not None}
    assert named == {cell: truth(board)[cell] for cell in named}
    assert len(named) >= len(marks) - 1


@pytest.mark.parametrize("white", [(255, 240, 225), (150, 225, 255), (140, 140, 140), (235, 255, 215)])
def test_a_dimmed_or_tinted_screen_is_read_like_a_white_one(white: tuple[int, int, int]) -> None:
    board = practice(random.Random(4), shape="square", size=5, palette="ROYGBV", screen=(720, 1280))
    half_played(board)

    assert seen(board, (board.render(0.0) * (np.array(white) / 255)).astype(np.uint8)) == truth(board)


def test_grey_that_is_less_common_than_white_is_not_taken_for_white() -> None:
    pixels = np.full((200, 200, 3), 255, np.uint8)
    pixels[:40] = 207

    assert papers(pixels) == ((255, 255, 255),)


def test_a_dull_full_crystal_without_lines_is_no_empty_cell() -> None:
    patch = np.full((64, 64, 3), (195, 220, 195), np.uint8)
    cv2.circle(patch, (32, 32), 26, (72, 132, 72), -1)

    assert look(patch, "square", 255).mark.symbol is None


@pytest.mark.parametrize("seed", range(3))
def test_a_dark_red_is_not_taken_for_brown(seed: int) -> None:
    board = practice(random.Random(seed), shape="square", size=5, palette="RYB", screen=(720, 1280))
    board._placed = dict(algemy.solve(board.puzzle).solution)
    pixels = board.render(2.0)
    red = (pixels == (0, 0, 255)).all(axis=2)
    assert red.any()
    pixels[red] = (45, 44, 160)

    marks = seen(board, pixels)

    assert {c: m for c, m in marks.items() if m not in (None, truth(board)[c])} == {}


def test_crossing_light_with_hard_edges_is_no_crystal() -> None:
    board = practice(random.Random(35), shape="hex", size=5, palette="ROYGBV", screen=(1080, 1920), line=0.02)
    board._placed = dict(algemy.solve(board.puzzle).solution)
    packed = cv2.imencode(".jpg", board.render(2.0), [cv2.IMWRITE_JPEG_QUALITY, 55])[1]
    soft = cv2.imdecode(packed, cv2.IMREAD_COLOR).astype(np.float64)
    hard = np.clip(1.7 * soft - 0.7 * cv2.GaussianBlur(soft, (0, 0), 1.2), 0, 255).astype(np.uint8)

    assert {c: m for c, m in seen(board, hard).items() if m not in (None, truth(board)[c])} == {}


@pytest.mark.parametrize(("shape", "size"), [("square", 3), ("square", 4), ("hex", 2), ("hex", 3)])
def test_the_board_is_found_wherever_the_wheel_stands(shape: Shape, size: int) -> None:
    board = practice(random.Random(5), shape=shape, size=size, palette="ROYGBV", screen=(720, 1280))
    half_played(board)
    for cell in set(board.puzzle.cells) - set(board.puzzle.crystals):
        board._wheel = (cell, 0.0)

        reading = read(Frame(board.render(1.0)), board.profile)

        row, col = board.puzzle.place(cell)
        assert reading.puzzle.lengths == board.puzzle.lengths
        assert (reading.ui, reading.facts["wheel_row"], reading.facts["wheel_col"]) == ("wheel", row, col)


@pytest.mark.parametrize("grey", [0, 255])
def test_a_blank_screen_has_no_board(grey: int) -> None:
    with pytest.raises(BoardNotFound):
        read(Frame(np.full((400, 300, 3), grey, np.uint8)), practice(random.Random(1)).profile)


@needs_shared
def test_the_level_menu_is_no_board() -> None:
    pixels = cv2.imread(str(SHARED / "algemy" / "menu_levels.png"))

    with pytest.raises(BoardNotFound):
        read(Frame(np.asarray(pixels, np.uint8)), practice(random.Random(1)).profile)


@needs_shared
def test_the_games_own_board_is_read_under_drawn_lines() -> None:
    known = json.loads((SHARED / "algemy" / "board_4x4_lines.json").read_text())
    pixels = np.asarray(cv2.imread(str(SHARED / "algemy" / "board_4x4_lines.png")), np.uint8)

    reading = read(Frame(pixels), practice(random.Random(1)).profile)

    assert list(reading.puzzle.rows) == known["board"]
    assert reading.placed == {}
    for cell in known["cells"]:
        at = reading.geometry.centres[reading.puzzle.cell(cell["row"], cell["col"])]
        assert abs(at.x - 0.5 - cell["px"]) <= known["tolerance_px"]
        assert abs(at.y - 0.5 - cell["py"]) <= known["tolerance_px"]
