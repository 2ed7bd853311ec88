"""What is no board is not taken for one: pictures of everything else, and the boards of the other games."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.scorecard.truth import practised
from calibration import store
from tests.no_boards import KINDS, picture
from tests.shared_data import SHARED, needs_shared
from vision.errors import BoardNotFound, VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile

PICTURES = 200


@cache
def profile_of(name: str) -> Profile:
    """What the practice boards of a game look like, so that a reader has all it wants."""
    profile: Profile = GAMES[name].practice(random.Random(1)).profile
    return profile


def claims(pixels: Pixels, name: str) -> str:
    """What a reader makes of a picture: "board", "unsure" or "none"."""
    try:
        GAMES[name].read(Frame(pixels), profile_of(name))
    except BoardNotFound:
        return "none"
    except VisionError:
        return "unsure"
    return "board"


@pytest.mark.parametrize("name", GAMES)
def test_on_two_hundred_pictures_of_other_things_no_board_is_claimed(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told: Counter[str] = Counter()
    claimed = []
    for nth in range(PICTURES):
        kind, pixels = picture(nth)
        claim = claims(pixels, name)
        told[claim] += 1
        if claim == "board":
            claimed.append(f"{nth} ({kind})")

    with capsys.disabled():
        print(f"\n{name:11} {PICTURES} pictures of {len(KINDS)} kinds: ", dict(told), end="")
    assert claimed == []


@pytest.mark.parametrize("name", GAMES)
def test_no_other_reader_claims_the_boards_of_a_game(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every skin by turns; an entered board is the same board."""
    told: Counter[str] = Counter()
    claimed = []
    for case in practised([name], 4):
        for other in GAMES:
            if other != name:
                claim = claims(case.pixels, other)
                told[claim] += 1
                if claim == "board":
                    claimed.append(f"{case.name} by {other}")

    with capsys.disabled():
        print(f"\n{name:11} offered to the others: ", dict(told), end="")
    assert claimed == []


@needs_shared
@pytest.mark.parametrize(
    "folder", ["sgt", "screens/nonogram", "screens/bridges", "algemy", "thaumcraft/screenshots"]
)
def test_no_other_reader_claims_the_shared_pictures(folder: str) -> None:
    owners = {"algemy": {"algemy"}, "thaumcraft/screenshots": {"thaumcraft"}}
    files = sorted((SHARED / folder).glob("*.png"))[::3]
    claimed = []
    for path in files:
        pixels = np.asarray(cv2.imread(str(path)), np.uint8)
        own = (
            {"nonogram"}
            if "pattern" in path.name or "nonogram" in folder
            else owners.get(folder, {"bridges"})
        )
        for name in GAMES.keys() - own:
            profiles = store.candidates(name) or (profile_of(name),)
            for profile in profiles:
                try:
                    GAMES[name].read(Frame(pixels), profile)
                except VisionError:
                    continue
                claimed.append(f"{path.name} by {name}")

    assert files
    assert claimed == []
