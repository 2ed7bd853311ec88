"""The nonogram reader against real windows, where the shared material is, and against what is no nonogram."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from solver.lattice import Square
from tests.shared_data import SHARED, needs_shared
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame
from vision.profile import Profile
from vision.readers.nonogram import read

PROFILE = Profile("nonogram", "default")
WINDOWS = sorted((SHARED / "sgt").glob("pattern-*.json"))
# A photograph of a screen with cells of 17 px: the reader says that it cannot read it.
NOT_YET = {"pokemon_picross_photo"}
SCREENS = sorted(
    path for path in (SHARED / "screens" / "nonogram").glob("*.json") if path.stem not in NOT_YET
)
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
def test_the_screens_of_other_programs_are_read_exactly(truth_file: Path) -> None:
    truth = json.loads(truth_file.read_text())

    reading = read(Frame(cv2.imread(str(truth_file.parent / truth["picture"]))), PROFILE)

    assert (reading.puzzle.rows, reading.puzzle.cols) == (clues(truth["rows"]), clues(truth["cols"]))
    drawn = {"#": "#", "x": ".", ".": ""}
    seen = {
        Square(row, col): (reading.marks[Square(row, col)].symbol, drawn[sign])
        for row, line in enumerate(truth["cells"])
        for col, sign in enumerate(line)
        if sign != "?"
    }
    assert {cell: signs for cell, signs in seen.items() if signs[0] != signs[1]} == {}


@needs_shared
@pytest.mark.parametrize("name", sorted(NOT_YET))
def test_what_cannot_be_read_is_not_guessed(name: str) -> None:
    truth = json.loads((SHARED / "screens" / "nonogram" / f"{name}.json").read_text())
    picture = cv2.imread(str(SHARED / "screens" / "nonogram" / truth["picture"]))

    with pytest.raises((UncertainReading, BoardNotFound)):
        read(Frame(picture), PROFILE)


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
