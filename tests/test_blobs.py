"""Grids of round cells: no straight side anywhere."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.blobs import find_blob_grids
from vision.scene import Scene


def discs(rows: int, cols: int, pitch: int, filled: set[tuple[int, int]]) -> np.ndarray:
    picture = np.full((rows * pitch + 80, cols * pitch + 100, 3), 245, np.uint8)
    for row in range(rows):
        for col in range(cols):
            colour = (120, 60, 30) if (row, col) in filled else (215, 205, 195)
            middle = (60 + pitch * col + pitch // 2, 50 + pitch * row + pitch // 2)
            cv2.circle(picture, middle, round(0.42 * pitch), colour, -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("pitch", [20, 34])
def test_discs_on_a_lattice_are_a_grid_whatever_their_colours(pitch: int) -> None:
    grid = find_blob_grids(Scene(discs(8, 6, pitch, {(0, 0), (3, 2), (3, 3), (7, 5)})))[0]

    assert (grid.rows, grid.cols) == (8, 6)
    assert grid.xs.pitch == pytest.approx(pitch, abs=0.1)
    centre = grid.centre(0, 0)
    assert (centre.x, centre.y) == pytest.approx((60 + pitch / 2, 50 + pitch / 2), abs=1.5)


def test_discs_anywhere_are_no_grid() -> None:
    picture = np.full((400, 400, 3), 250, np.uint8)
    rng = np.random.default_rng(3)
    for x, y in rng.integers(30, 370, (25, 2)).tolist():
        cv2.circle(picture, (x, y), 9, (60, 90, 120), -1, cv2.LINE_AA)

    assert find_blob_grids(Scene(picture)) == []


def test_blobs_in_one_row_are_no_grid() -> None:
    picture = np.full((120, 600, 3), 250, np.uint8)
    for x in range(40, 560, 40):
        cv2.circle(picture, (x, 60), 15, (60, 90, 120), -1, cv2.LINE_AA)

    assert find_blob_grids(Scene(picture)) == []
