"""Scan lines of an imitated old screen are taken off a picture, and nothing else is."""

from __future__ import annotations

import numpy as np
import pytest

from tests.troubled import small_board
from vision.frame import Frame, Pixels
from vision.scanlines import without_scan_lines


def plain(game: str = "nonogram") -> Pixels:
    return np.asarray(small_board(game, 7).render(0.0))


def lined(pixels: Pixels, first: int, darker: float) -> Pixels:
    """As pages lay them over themselves: every second row takes a share of the light of all its px."""
    page = pixels.copy()
    page[first::2] = (page[first::2] * (1 - darker)).astype(np.uint8)
    return page


@pytest.mark.parametrize("game", ["nonogram", "bridges", "rings"])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("darker", [0.05, 0.2, 0.5])
def test_what_lies_under_scan_lines_is_seen_as_it_was(game: str, first: int, darker: float) -> None:
    pixels = plain(game)

    seen = Frame(lined(pixels, first, darker)).pixels

    assert int(np.abs(seen.astype(int) - pixels).max()) <= 6


@pytest.mark.parametrize("game", ["nonogram", "bridges", "rings", "thaumcraft", "algemy"])
def test_a_picture_without_them_is_left_alone(game: str) -> None:
    pixels = plain(game)

    assert without_scan_lines(pixels) is pixels


def test_noise_and_lines_of_other_kinds_are_left_alone() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (90, 120, 3), np.uint8)
    thirds, columns = plain().copy(), plain().copy()
    thirds[::3] //= 2
    columns[:, ::2] //= 2

    for pixels in (noise, thirds, columns, np.zeros((50, 50, 3), np.uint8), noise[:3], noise[:, :1]):
        assert without_scan_lines(pixels) is pixels
