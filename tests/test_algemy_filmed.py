"""Photographs of a screen, read from the corners of the board: no cell is ever read wrong."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.commands.options import corners_of
from bot.errors import WrongUsage
from bot.practice.algemy import AlgemyPractice, practice
from solver import algemy
from tests.shared_data import SHARED, needs_shared
from vision.errors import BoardNotFound
from vision.frame import Frame, Pixels, Point
from vision.profile import Profile
from vision.readers.algemy.board import read
from vision.readers.algemy.screen import board_corners

PROFILE = Profile("algemy", "film")
ROLE = {"given": "crystal", "placed": "source", "free": "empty"}


def photographed(
    board: AlgemyPractice, cell_px: float, room: float = 0.0
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

    reading = read(Frame(pixels, corners=corners), PROFILE)

    crystals, placed = board.puzzle.crystals, board.placed
    told = sum(mark.symbol is not None for mark in reading.marks.values())
    # Beside light nothing is told.
    assert told >= 14 or share
    for cell, mark in reading.marks.items():
        if mark.symbol is not None:
            assert mark.symbol == crystals.get(cell, placed.get(cell, "")), cell


@pytest.mark.parametrize("seed", range(6))
def test_small_sharpened_photographs_in_tinted_light_are_not_read_wrong(seed: int) -> None:
    board = practice(
        random.Random(seed), shape="square", size=6, palette="ROYGBV", screen=(720, 1280), line=0.03
    )
    pixels, corners = photographed(board, 9 + seed / 2)
    soft = pixels * np.array([0.88, 0.94, 1.0])
    hard = np.clip(1.6 * soft - 0.6 * cv2.GaussianBlur(soft, (0, 0), 1.0), 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", hard, [cv2.IMWRITE_JPEG_QUALITY, 65])[1]

    reading = read(Frame(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR)), corners=corners), PROFILE)

    read_so = {cell: mark.symbol for cell, mark in reading.marks.items() if mark.symbol is not None}
    assert read_so == {cell: board.puzzle.crystals.get(cell, "") for cell in read_so}


@pytest.mark.parametrize("seed", range(2))
def test_the_corners_of_a_fresh_board_are_found_on_the_screen(seed: int) -> None:
    board = practice(random.Random(seed), shape="square", size=5, screen=(1080, 1920), line=0.03)
    pixels, corners = photographed(board, 24, room=1.2)

    reading = read(Frame(pixels), PROFILE)

    assert reading.ui == "film" and len(reading.puzzle.rows) == 5
    read_so = {cell: mark.symbol for cell, mark in reading.marks.items() if mark.symbol is not None}
    assert read_so == {cell: board.puzzle.crystals.get(cell, "") for cell in read_so}
    assert len(read_so) >= 14
    found = board_corners(pixels)
    assert found is not None and max(map(math.dist, found, corners)) < 2


@needs_shared
def test_a_filmed_picture_is_read_without_its_corners() -> None:
    known = json.loads((SHARED / "algemy" / "video_01.json").read_text())
    pixels = np.asarray(cv2.imread(str(SHARED / "algemy" / "video_01.png")), np.uint8)

    reading = read(Frame(pixels), PROFILE)

    assert list(reading.puzzle.rows) == known["board"] and not reading.doubtful


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


def test_without_a_board_within_the_corners_there_is_none() -> None:
    corners = tuple(Point(x, y) for x, y in ((10, 10), (90, 12), (88, 92), (9, 90)))

    with pytest.raises(BoardNotFound):
        read(Frame(np.full((100, 100, 3), 220, np.uint8), corners=corners), PROFILE)


@needs_shared
@pytest.mark.parametrize("number", ["01", "05", "08", "17", "29", "42"])
def test_filmed_pictures_of_the_game_are_never_read_wrong(number: str) -> None:
    known = json.loads((SHARED / "algemy" / f"video_{number}.json").read_text())
    pixels = np.asarray(cv2.imread(str(SHARED / "algemy" / f"video_{number}.png")), np.uint8)
    corners = tuple(Point(x + 0.5, y + 0.5) for x, y in known["board_quad"])

    reading = read(Frame(pixels, corners=corners), PROFILE)

    assert len(reading.puzzle.rows) == known["rows"]
    if known["state"] == "start":
        assert list(reading.puzzle.rows) == known["board"] and not reading.doubtful
    for cell in known["cells"]:
        at = reading.puzzle.cell(cell["row"], cell["col"])
        mark, middle = reading.marks[at], reading.geometry.centres[at]
        assert abs(middle.x - 0.5 - cell["px"]) < known["tolerance_px"]
        assert abs(middle.y - 0.5 - cell["py"]) < known["tolerance_px"]
        role, _, letter = cell["content"].partition(":")
        if mark.symbol is not None:
            assert (ROLE[mark.state], mark.symbol) == (role, letter), cell


@pytest.mark.parametrize("text", ["", "1,2 3,4", "1,2 3,4 5,6 a,b", "0,0 0,9 9,9 9,0"])
def test_corners_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(WrongUsage):
        corners_of(text)


def test_solve_takes_the_corners_too(tmp_path: Path) -> None:
    pixels, corners = photographed(
        practice(random.Random(0), shape="square", size=5, screen=(1080, 1920), line=0.03), 24
    )
    cv2.imwrite(str(tmp_path / "photo.png"), pixels)
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    command = [sys.executable, "-m", "bot", "solve", str(tmp_path / "photo.png"), "--json", "--corners", text]

    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True)
    other = subprocess.run([*command, "--game", "rings"], cwd=Path(__file__).parents[1], capture_output=True)

    seen = json.loads(done.stdout)
    assert (done.returncode, seen["game"], seen["status"], len(seen["cells"])) == (4, "algemy", "unsure", 25)
    assert other.returncode == 2
