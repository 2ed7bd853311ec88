"""The nonogram reader against real windows, where the shared material is, and against what is no nonogram."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.actions import Tap
from bot.practice.nonogram import SKINS, NonogramBoard, practice
from solver import nonogram
from solver.lattice import Square
from tests.shared_data import SHARED, needs_shared
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.nonogram import board as reader
from vision.readers.nonogram.board import read

PROFILE = Profile("nonogram", "default")
WINDOWS = sorted((SHARED / "sgt").glob("pattern-*.json"))
SCREENS = sorted((SHARED / "screens" / "nonogram").glob("*.json"))
# What cannot be read yet: 7 px print. And boards with cells in doubt: heavy crosses, one cell under the cursor, cells in
# the colour of the player's guesses.
REFUSED = {"smallprint"}
DOUBTED = {"madness", "picross_dark_a", "hypo15", "hypo15_dark", "hypo20", "hypo20_dark"}
SIGNS = {".": ".", "#": "#", "?": ""}


def clues(lines: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(run for run in line if run) for line in lines)


@needs_shared
@pytest.mark.parametrize("truth_file", WINDOWS, ids=lambda path: path.stem)
def test_every_window_of_the_collection_is_read_exactly(truth_file: Path) -> None:
    truth = json.loads(truth_file.read_text())
    picture = cv2.imread(str(truth_file.with_suffix(".png")))

    reading = read(Frame(picture), PROFILE)

    assert reading.puzzle.rows == clues(truth["row_clues"])
    assert reading.puzzle.cols == clues(truth["column_clues"])
    seen = {cell: mark.symbol for cell, mark in reading.marks.items()}
    assert seen == {
        Square(row, col): SIGNS[sign]
        for row, line in enumerate(truth["cells"])
        for col, sign in enumerate(line)
    }


@needs_shared
@pytest.mark.parametrize("truth_file", SCREENS, ids=lambda path: path.stem)
def test_no_screen_of_another_program_is_misread(truth_file: Path) -> None:
    truth = json.loads(truth_file.read_text())
    try:
        reading = read(Frame(cv2.imread(str(truth_file.parent / truth["picture"]))), PROFILE)
    except (BoardNotFound, UncertainReading):
        assert truth.get("expect") == "refuse" or truth_file.stem in REFUSED
        return

    assert truth.get("expect") != "refuse"
    assert (reading.puzzle.rows, reading.puzzle.cols) == (clues(truth["rows"]), clues(truth["cols"]))
    drawn = {"#": "#", "x": ".", ".": ""}
    seen = {
        Square(row, col): (reading.marks[Square(row, col)].symbol, drawn[sign])
        for row, line in enumerate(truth["cells"])
        for col, sign in enumerate(line)
        if sign != "?"
    }
    doubts = truth_file.stem in DOUBTED
    wrong = {cell: pair for cell, pair in seen.items() if pair[0] != pair[1]}
    assert {cell: pair for cell, pair in wrong.items() if not doubts or pair[0] is not None} == {}


def part_played(skin: str, size: tuple[int, int], tile_px: int) -> NonogramBoard:
    """A practice board with about half of its cells entered rightly."""
    rng = random.Random(f"{skin} {size} {tile_px}")
    board = practice(rng, skin=skin, size=size, tile_px=tile_px)
    solution = nonogram.solve(board.puzzle).solution
    for cell in sorted(solution.filled | solution.blank):
        if rng.random() < 0.5:
            at, filled = board.centre(cell), cell in solution.filled
            if SKINS[skin].clicks == "cycles":
                for _ in range(1 if filled else 2):
                    board.act(Tap(at), 0.0)
            else:
                board.act(Tap(at, button="left" if filled else "right"), 0.0)
    return board


@pytest.mark.parametrize("skin", sorted(SKINS))
def test_no_practice_board_is_misread_in_any_skin(skin: str) -> None:
    refused = 0
    for size, tile_px in product(((5, 5), (10, 10), (15, 10)), (20, 32)):
        board = part_played(skin, size, tile_px)
        try:
            reading = read(Frame(board.render(9.0)), PROFILE)
        except (BoardNotFound, UncertainReading):
            refused += 1
            continue
        assert reading.puzzle == board.puzzle
        assert reading.placed == board.picture
    assert refused <= 1


def spoil(pixels: Pixels, spoilt: str) -> Pixels:
    if spoilt in ("half", "twice"):
        factor = 0.6 if spoilt == "half" else 2.0
        return cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    if spoilt == "jpeg":
        return cv2.imdecode(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 70])[1], 1)
    if spoilt == "dark":
        return (255 * (pixels / 255.0) ** 1.5).astype(np.uint8)
    if spoilt == "grain":
        grain = np.random.default_rng(1).normal(0, 5, pixels.shape)
        return np.clip(pixels + grain, 0, 255).astype(np.uint8)
    return cv2.GaussianBlur(pixels, (0, 0), 0.6)


@pytest.mark.parametrize("skin", ["paper", "phone", "wood"])
def test_spoilt_pictures_are_never_misread_and_most_are_read(skin: str) -> None:
    board = part_played(skin, (10, 10), 30)
    refused = []
    for spoilt in ("half", "twice", "jpeg", "dark", "grain", "blur"):
        try:
            reading = read(Frame(spoil(board.render(9.0), spoilt)), PROFILE)
        except (BoardNotFound, UncertainReading):
            refused.append(spoilt)
            continue
        assert reading.puzzle == board.puzzle
        wrong = reading.placed.filled - board.picture.filled | reading.placed.blank - board.picture.blank
        assert not wrong

    assert len(refused) <= 1, refused


@needs_shared
@pytest.mark.parametrize(("skin", "quality"), [("sgt", 100), ("sgt", 60), ("paper", 40)])
def test_small_cells_are_read_where_numbers_are_a_few_px_high(skin: str, quality: int) -> None:
    shown = practice(random.Random(5), skin=skin, size=(10, 10), tile_px=14)
    _, lossy = cv2.imencode(".jpg", shown.render(9.0), [cv2.IMWRITE_JPEG_QUALITY, quality])

    reading = read(Frame(cv2.imdecode(lossy, cv2.IMREAD_COLOR)), PROFILE)

    assert reading.puzzle == shown.puzzle
    at = shown.centre(Square(9, 9))
    seen = reading.geometry.centres[Square(9, 9)]
    assert abs(seen.x - at.x) + abs(seen.y - at.y) < 2


def require_no_other(puzzle: nonogram.Nonogram, pixels: Pixels) -> None:
    """A picture is refused, or read as the puzzle that it shows."""
    try:
        reading = read(Frame(pixels), PROFILE)
    except (BoardNotFound, UncertainReading):
        return
    assert reading.puzzle == puzzle


def test_two_tiny_digits_of_the_same_shape_are_not_misread_alike() -> None:
    """5 px high: without the bar on top both pass for a 4, the sums agree, and there is one solution."""
    shown = practice(random.Random(1076), skin="sgt", size=(8, 8), tile_px=9)
    _, lossy = cv2.imencode(".jpg", shown.render(9.0), [cv2.IMWRITE_JPEG_QUALITY, 80])

    require_no_other(shown.puzzle, cv2.imdecode(lossy, cv2.IMREAD_COLOR))


def test_digits_are_not_decided_so_that_an_outer_column_without_a_number_fits() -> None:
    shown = practice(random.Random(3441), skin="sgt", size=(10, 10), tile_px=9)
    _, lossy = cv2.imencode(".jpg", shown.render(9.0), [cv2.IMWRITE_JPEG_QUALITY, 65])

    require_no_other(shown.puzzle, cv2.imdecode(lossy, cv2.IMREAD_COLOR))


def test_a_small_board_in_a_small_picture_has_no_further_column() -> None:
    """Beside the cells of a lattice that begins among the numbers of the rows there are numbers as well."""
    shown = practice(random.Random(611), skin="night", size=(6, 6), tile_px=11)
    pixels = cv2.resize(shown.render(9.0), None, fx=0.9, fy=0.9, interpolation=cv2.INTER_AREA)

    require_no_other(shown.puzzle, pixels)


@needs_shared
def test_a_window_on_a_larger_desktop_is_found_where_it_is() -> None:
    window = cv2.imread(str(SHARED / "sgt" / "pattern-02-15x15-partial.png"))
    desktop = np.full((900, 1300, 3), (90, 60, 40), np.uint8)
    desktop[:120] = (60, 60, 60)
    desktop[200 : 200 + window.shape[0], 500 : 500 + window.shape[1]] = window

    alone, there = read(Frame(window), PROFILE), read(Frame(desktop), PROFILE)

    assert there.puzzle == alone.puzzle
    corner = Square(0, 0)
    assert there.geometry.centres[corner].x == pytest.approx(alone.geometry.centres[corner].x + 500, abs=1.5)
    assert there.geometry.centres[corner].y == pytest.approx(alone.geometry.centres[corner].y + 200, abs=1.5)


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_no_board(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (300, 400, 3), np.uint8)

    with pytest.raises(BoardNotFound):
        read(Frame(noise), PROFILE)


def test_an_empty_grid_without_numbers_is_no_nonogram() -> None:
    picture = np.full((400, 400, 3), 255, np.uint8)
    for at in range(100, 341, 24):
        picture[at, 100:341] = 0
        picture[100:341, at] = 0

    with pytest.raises(BoardNotFound):
        read(Frame(picture), PROFILE)


def test_a_board_with_clues_that_contradict_each_other_is_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = practice(random.Random(5), skin="paper", size=(10, 10), tile_px=30)
    page = shown.render(9.0).copy()
    # Two clues of a row are painted over.
    area, at = read(Frame(page), PROFILE).area, shown.centre(Square(4, 0))
    page[round(at.y) - 13 : round(at.y) + 13, area.left : round(at.x) - 17] = page[0, 0]
    looked: list[tuple[int, int, bool]] = []
    look = reader._read_cells

    def counted(scene: Any, grid: Any, profile: Any, framed: bool, **how: Any) -> Any:
        looked.append((grid.rows, grid.cols, how["thorough"]))
        return look(scene, grid, profile, framed, **how)

    monkeypatch.setattr(reader, "_read_cells", counted)

    with pytest.raises(UncertainReading):
        read(Frame(page), PROFILE)

    assert looked.count((10, 10, True)) == 1
