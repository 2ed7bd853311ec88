"""Photographs of pages that bend: read as flat ones are, or refused."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from bot.commands.look import profiles_for
from bot.games import GAMES
from bot.recognise import Recognised, recognise
from solver.nonogram import Nonogram
from tests.seldom import few
from tests.test_nonogram_print import CELL, DEEP, MARGIN, PUZZLE, WIDE, photographed, printed
from tests.test_straight import SCREENS
from vision.errors import VisionError
from vision.frame import Frame, Pixels
from vision.measures.bent import Floats, flattened
from vision.measures.straight import straightened
from vision.scene import Scene

SIZE = (1200, 900)
Bend = Callable[[Floats, Floats], tuple[Floats, Floats]]

# How far a page is bent across and down, in cells, at shares of its width and height: a page that bulges, one that curves
# into its fold, more at its top, and one that waves.
BENDS: dict[str, Bend] = {
    "bulges": lambda x, y: (0 * x, np.sin(np.pi * x)),
    "fold": lambda x, y: (0.4 * np.sin(np.pi * y) * (2 * x - 1), 3 * (x - 0.5) ** 2 * (1 - 0.6 * y)),
    "both": lambda x, y: (0.5 * np.sin(np.pi * y), 0.6 * np.sin(np.pi * x)),
    "waves": lambda x, y: (0 * x, 0.3 * np.sin(2 * np.pi * x)),
}


def bent(page: Pixels, bend: Bend, px: float) -> Pixels:
    """The page, moved by the bend, so many px for each cell of it."""
    height, width = page.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    across, down = bend(x / width, y / height)
    where = [np.asarray(places, np.float32) for places in (x + px * across, y + px * down)]
    seen = cv2.remap(page, where[0], where[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def found_on(pixels: Pixels) -> Recognised:
    return recognise(Frame(pixels), GAMES, profiles_for(None))


@pytest.mark.parametrize("name", few(["both", "bulges", "fold"], 1))
def test_a_bent_page_is_read_as_a_flat_one(name: str) -> None:
    page = photographed(bent(printed(9), BENDS[name], CELL), 0.0, 0.0)
    height, width = page.shape[:2]

    reading = found_on(page).reading

    assert reading.puzzle == PUZZLE
    assert not reading.unknown
    assert not any(mark.symbol for mark in reading.marks.values())
    for (row, col), at in reading.geometry.centres.items():
        across, down = BENDS[name](np.array(at.x / width), np.array(at.y / height))
        assert abs(at.x + CELL * across - MARGIN - (WIDE + col + 0.5) * CELL) < 0.1 * CELL
        assert abs(at.y + CELL * down - MARGIN - (DEEP + row + 0.5) * CELL) < 0.1 * CELL


def test_a_page_that_is_bent_and_turned_is_read() -> None:
    reading = found_on(photographed(bent(printed(9), BENDS["bulges"], CELL), 2.0, 0.0)).reading

    assert reading.puzzle == PUZZLE
    assert not reading.unknown


@pytest.mark.parametrize("name", few(BENDS, 1))
def test_a_page_that_is_bent_too_far_is_read_right_or_refused(name: str) -> None:
    page = photographed(bent(printed(9), BENDS[name], 2.0 * CELL), 1.0, 0.0)

    try:
        reading = found_on(page).reading
    except VisionError:
        return

    assert isinstance(reading.puzzle, Nonogram)
    assert reading.puzzle == PUZZLE


@pytest.mark.parametrize("cells", [0.5, 0.8])
def test_an_island_that_a_bend_lifts_off_its_row_is_not_left_out(cells: float) -> None:
    screen = np.asarray(cv2.imread(str(SCREENS / "bridges" / "practice-sgt-empty.png")), np.uint8)
    known = found_on(screen).reading
    wide = cv2.copyMakeBorder(screen, *4 * (60,), cv2.BORDER_REPLICATE)
    large = np.asarray(cv2.resize(wide, None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC), np.uint8)
    page = photographed(bent(large, BENDS["bulges"], cells * 2.5 * known.geometry.pitch_px), 0.0, 0.0)

    try:
        reading = found_on(page).reading
    except VisionError:
        return

    assert reading.puzzle == known.puzzle


def test_a_flat_page_is_not_bent() -> None:
    straight = straightened(Scene(photographed(printed(9), 2.0, 0.0)))

    assert straight is not None and straight.bent is None


def pieces(bend: Bend, level: bool, grain_px: float) -> npt.NDArray[np.float64]:
    """(n, 4) pieces of the lines of a bent lattice, their ends off by some grain."""
    rng = np.random.default_rng(5)
    width, height = SIZE if level else SIZE[::-1]
    start = rng.uniform((0, 0), (width - 40, height), (300, 2))
    ends = np.stack([start, start + (40, 0)], axis=1)
    if not level:
        ends = ends[..., ::-1]
    across, down = bend(ends[..., 0] / SIZE[0], ends[..., 1] / SIZE[1])
    moved = ends - 20 * np.stack([across, down], axis=-1) + rng.normal(0, grain_px, ends.shape)
    return np.asarray(moved.reshape(-1, 4))


@pytest.mark.parametrize("name", BENDS)
def test_lines_are_straight_again_where_pieces_tell_how_they_bend(name: str) -> None:
    flat = flattened(pieces(BENDS[name], True, 0.05), pieces(BENDS[name], False, 0.05), SIZE)

    assert flat is not None
    for level in (True, False):
        ends = pieces(BENDS[name], level, 0.0).reshape(-1, 2)
        over = flat(ends)[:, 1 if level else 0].reshape(-1, 2)
        assert np.abs(np.degrees(np.arctan2(over[:, 1] - over[:, 0], 40))).mean() < 0.3


def test_straight_lines_and_pieces_that_agree_on_nothing_tell_no_bend() -> None:
    straight: Bend = lambda x, y: (0 * x, 0 * x)  # noqa: E731
    level, upright = (pieces(straight, way, 0.05) for way in (True, False))
    strewn = pieces(BENDS["bulges"], True, 3.0)

    assert flattened(level, upright, SIZE) is None
    assert flattened(strewn, upright, SIZE) is None
