"""The Bridges reader against real windows, where the shared material is, and against what is no board."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.shared_data import SHARED, needs_shared
from vision.errors import BoardNotFound
from vision.frame import Frame, Point
from vision.profile import Profile
from vision.readers.bridges import read
from vision.readers.bridges.discs import rings_at

PROFILE = Profile("bridges", "default")
WINDOWS = sorted((SHARED / "sgt").glob("bridges-*.json"))
SCREENS = sorted((SHARED / "screens" / "bridges").glob("*.json"))


def board(reading) -> tuple[dict, dict]:  # type: ignore[no-untyped-def]
    return dict(reading.puzzle.clues), {(*span.a, *span.b): n for span, n in reading.placed.items()}


@needs_shared
@pytest.mark.parametrize("truth_file", WINDOWS, ids=lambda path: path.stem)
def test_every_window_of_the_collection_is_read_exactly(truth_file: Path) -> None:
    truth = json.loads(truth_file.read_text())

    reading = read(Frame(cv2.imread(str(truth_file.with_suffix(".png")))), PROFILE)

    islands = {(y, x): clue for x, y, clue in truth["islands"]}
    joins = {(y1, x1, y2, x2): n for x1, y1, x2, y2, n in truth["bridges"]}
    assert board(reading) == (islands, joins)
    assert reading.ui == "sgt"


@needs_shared
@pytest.mark.parametrize("truth_file", SCREENS, ids=lambda path: path.stem)
def test_the_screens_of_other_programs_are_read_exactly(truth_file: Path) -> None:
    truth = json.loads(truth_file.read_text())

    reading = read(Frame(cv2.imread(str(truth_file.with_suffix(".png")))), PROFILE)

    islands = {(row, col): clue for row, col, clue in truth["islands"]}
    joins = {(*a, *b): n for *ends, n in truth["bridges"] for a, b in [sorted((ends[:2], ends[2:]))]}
    assert board(reading) == (islands, joins)
    assert reading.ui == "generic"


@needs_shared
@pytest.mark.parametrize("scale", [0.8, 1.25, 2.0])
def test_a_scaled_jpeg_of_a_window_is_read_alike(scale: float) -> None:
    window = cv2.imread(str(SHARED / "sgt" / "bridges-03-15x15-m2-noloops-partial.png"))
    scaled = cv2.resize(window, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, packed = cv2.imencode(".jpg", scaled, [cv2.IMWRITE_JPEG_QUALITY, 85])

    assert board(read(Frame(cv2.imdecode(packed, cv2.IMREAD_COLOR)), PROFILE)) == board(
        read(Frame(window), PROFILE)
    )


@needs_shared
def test_a_window_on_a_larger_desktop_is_found_where_it_is() -> None:
    window = cv2.imread(str(SHARED / "sgt" / "bridges-02-10x10-m1.png"))
    desktop = np.full((900, 1300, 3), (90, 60, 40), np.uint8)
    desktop[200 : 200 + window.shape[0], 500 : 500 + window.shape[1]] = window

    alone, there = read(Frame(window), PROFILE), read(Frame(desktop), PROFILE)

    assert board(there) == board(alone)
    for cell, centre in alone.geometry.centres.items():
        assert there.geometry.centres[cell].x == pytest.approx(centre.x + 500, abs=1)
        assert there.geometry.centres[cell].y == pytest.approx(centre.y + 200, abs=1)


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_no_board(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (300, 400, 3), np.uint8)

    with pytest.raises(BoardNotFound):
        read(Frame(noise), PROFILE)


@needs_shared
def test_a_nonogram_is_no_bridges_board() -> None:
    window = cv2.imread(str(SHARED / "sgt" / "pattern-01-10x10-default.png"))

    with pytest.raises(BoardNotFound):
        read(Frame(window), PROFILE)


def test_an_island_is_confirmed_where_it_is_expected_and_one_without_a_number_is_reported() -> None:
    pixels = np.full((120, 300, 3), 212, np.uint8)
    for x in (60, 180):
        cv2.circle(pixels, (x, 60), 28, (0, 0, 0), 6, cv2.LINE_AA)
    cv2.putText(pixels, "6", (47, 73), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (0, 0, 0), 4, cv2.LINE_AA)

    discs, unread = rings_at(pixels, [Point(61, 60), Point(181, 60), Point(250, 60)], 25.0)

    assert [(round(disc.x), round(disc.y), disc.number.value) for disc in discs] == [(60, 60, 6)]
    assert [(round(point.x), round(point.y)) for point in unread] == [(180, 60)]
