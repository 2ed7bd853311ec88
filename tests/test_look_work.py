"""How much work a first look is, counted in calls: a pass over a picture of 1 Mpx takes as long as about 8,000 of them."""

from __future__ import annotations

import contextlib
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean
from types import FrameType

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.recognise import recognise
from calibration import store
from vision.errors import VisionError
from vision.frame import Frame, Pixels

SCREENS = Path(__file__).parent / "screens"
# What is asked for is 12 passes over all pictures, 25 for those of one game, and 8 where there is no board.
MOST, MOST_OF_A_GAME, MOST_WITHOUT = 93_000, 160_000, 60_000


def calls_of_a_look(pixels: Pixels) -> int:
    """How many functions, our own and those of libraries, are called until the game is found out."""
    calls = 0

    def count(frame: FrameType, event: str, what: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    with contextlib.suppress(VisionError):
        sys.setprofile(count)
        try:
            recognise(Frame(pixels), GAMES, store.candidates)
        finally:
            sys.setprofile(None)
    return calls


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
