"""How much work a first look is, counted in calls: a pass over a picture of 1 Mpx takes as long as about 8,000 of them."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import Any

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.recognise import recognise
from calibration import store
from tests.calls import calls_of
from tests.laboratory.look import _track
from vision.errors import BoardNotFound, VisionError
from vision.frame import Box, Frame, Pixels
from vision.profile import Profile
from vision.readers.nonogram import board, clues
from vision.writing import Letter, read_letters

SCREENS = Path(__file__).parent / "screens"
# What is asked for is 12 passes over all pictures, 25 for those of one game, and 8 where there is no board.
MOST, MOST_OF_A_GAME, MOST_WITHOUT = 64_000, 100_000, 40_000
# One pass for a later look; a call of it takes a little less time.
MOST_LATER = 9_000


def calls_of_a_look(pixels: Pixels) -> int:
    """How many functions, our own and those of libraries, are called until the game is found out."""

    def look() -> None:
        with contextlib.suppress(VisionError):
            recognise(Frame(pixels), GAMES, store.candidates)

    return calls_of(look)


@pytest.mark.long
def test_a_first_look_takes_no_more_work_than_some_passes_over_the_picture() -> None:
    found: dict[str, list[int]] = defaultdict(list)
    for path in sorted(SCREENS.glob("*/*.png")):
        pixels = np.asarray(cv2.imread(str(path)), np.uint8)
        if not found[path.parent.name]:
            # What is imported and remembered at the first time is no work of a look.
            calls_of_a_look(pixels)
        found[path.parent.name].append(calls_of_a_look(pixels))

    without = found.pop("none")
    assert mean(without) <= MOST_WITHOUT
    assert mean(calls for group in found.values() for calls in group) <= MOST
    assert {name: group for name, group in found.items() if mean(group) > MOST_OF_A_GAME} == {}


@pytest.mark.parametrize("game", GAMES)
def test_a_later_look_takes_no_more_work_than_a_pass_over_the_picture(game: str) -> None:
    looks = _track(game).cases()
    for look in looks:
        look()

    assert mean(calls_of(look) for look in looks) <= MOST_LATER


def page_of_digits(side: int, lattices: int, cells: int, pitch: int) -> Pixels:
    """A square page full of digits, with lattices of `cells` x `cells` on it that have nothing to do with them."""
    rng, black = np.random.default_rng(3), (0, 0, 0)
    page = np.full((side, side, 3), 255, np.uint8)
    for y in range(20, side, 20):
        for x in range(5, side - 20, 20):
            if rng.random() < 0.7:
                digit = str(rng.integers(1, 10))
                cv2.putText(page, digit, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, black, 1, cv2.LINE_AA)
    for number in range(lattices):
        top, left = (at * side // 3 + 3 * pitch for at in divmod(number, 3))
        for line in range(0, (cells + 1) * pitch, pitch):
            cv2.line(page, (left + line, top), (left + line, top + cells * pitch), black, 2)
            cv2.line(page, (left, top + line), (left + cells * pitch, top + line), black, 2)
    return page


@pytest.mark.long
def test_writing_all_over_a_picture_is_looked_at_for_clues_only_so_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = 0

    def counted(
        pixels: Pixels, region: Box, size_px: float, *, thorough: bool = True, **how: Any
    ) -> list[Letter]:
        nonlocal looked
        letters = read_letters(pixels, region, size_px, thorough=thorough, **how)
        looked += region.width * region.height * (clues.THOROUGH_WORK if thorough else 1)
        looked += len(letters) * clues.LETTER_WORK_PX
        return letters

    monkeypatch.setattr(clues, "read_letters", counted)
    with pytest.raises(BoardNotFound):
        board.read(Frame(page_of_digits(1500, 4, 6, 40)), Profile("nonogram", "any"))

    # The last way may go beyond it, and the quick looks that say which ways there are.
    assert board.MOST_LOOKED_PX < looked < 1.5 * board.MOST_LOOKED_PX
