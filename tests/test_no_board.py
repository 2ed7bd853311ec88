"""What is no board is not taken for one: pictures of everything else, and the boards of the other games."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.recognise import recognise
from bot.scorecard.spoil import Spoil, as_jpeg, scaled
from bot.scorecard.truth import practised
from calibration import store
from tests.no_boards import KINDS, picture
from tests.seldom import ASKED_FIRST, few
from tests.shared_data import SHARED, needs_shared
from vision.errors import BoardNotFound, VisionError
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.scene import scene_of

# Of how many pictures, and of how many boards of each game; the first are looked at now, all with `-m long`.
PICTURES, BOARDS = (20, 200), (1, 4)


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


@pytest.mark.parametrize("pictures", few(PICTURES, 1))
@pytest.mark.parametrize("name", few(GAMES, ASKED_FIRST))
def test_on_pictures_of_other_things_no_board_is_claimed(
    name: str, pictures: int, capsys: pytest.CaptureFixture[str]
) -> None:
    told: Counter[str] = Counter()
    claimed = []
    for nth in range(pictures):
        kind, pixels = picture(nth)
        claim = claims(pixels, name)
        told[claim] += 1
        if claim == "board":
            claimed.append(f"{nth} ({kind})")

    with capsys.disabled():
        print(f"\n{name:11} {pictures} pictures of {len(KINDS)} kinds: ", dict(told), end="")
    assert claimed == []


@pytest.mark.parametrize("boards", few(BOARDS, 1))
@pytest.mark.parametrize("name", few(GAMES, ASKED_FIRST))
def test_no_other_reader_claims_the_boards_of_a_game(
    name: str, boards: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every skin by turns; an entered board is the same board."""
    told: Counter[str] = Counter()
    claimed = []
    for case in practised([name], boards):
        for other in GAMES:
            if other != name:
                claim = claims(case.pixels, other)
                told[claim] += 1
                if claim == "board":
                    claimed.append(f"{case.name} by {other}")

    with capsys.disabled():
        print(f"\n{name:11} offered to the others: ", dict(told), end="")
    assert claimed == []


FOLDERS = ["sgt", "screens/nonogram", "screens/bridges", "algemy", "thaumcraft/screenshots"]


def owner(path: Path) -> str:
    """The game of a shared picture."""
    if path.parent.name in ("algemy", "nonogram", "bridges"):
        return path.parent.name
    if path.parent.name == "screenshots":
        return "thaumcraft"
    return "nonogram" if path.name.startswith("pattern") else "bridges"


def claimed_by_others(path: Path, spoil: Spoil) -> list[str]:
    pixels = spoil(np.asarray(cv2.imread(str(path)), np.uint8))
    claimed = []
    for name in GAMES.keys() - {owner(path)}:
        for profile in store.candidates(name, measured=GAMES[name].measured) or (profile_of(name),):
            with contextlib.suppress(VisionError):
                GAMES[name].read(Frame(pixels), profile)
                claimed.append(f"{path.name} by {name}")
    return claimed


@needs_shared
@pytest.mark.parametrize("every", few((30, 3), 1))
@pytest.mark.parametrize("folder", few(FOLDERS, 2))
def test_no_other_reader_claims_the_shared_pictures(folder: str, every: int) -> None:
    files = sorted((SHARED / folder).glob("*.png"))[::every]

    assert files
    assert [claim for path in files for claim in claimed_by_others(path, lambda pixels: pixels)] == []


def cropped(pixels: Pixels) -> Pixels:
    """Without a sixth at each edge: boards are cut."""
    height, width = pixels.shape[:2]
    return np.ascontiguousarray(pixels[height // 6 : -height // 6, width // 6 : -width // 6])


HARSH: Mapping[str, Spoil] = {"half": scaled(0.5), "jpeg 60": as_jpeg(60), "cropped": cropped}


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("way", ["as it is", *HARSH])
@pytest.mark.parametrize("folder", FOLDERS)
def test_no_other_reader_claims_any_shared_picture_however_spoilt(folder: str, way: str) -> None:
    spoil = HARSH.get(way, lambda pixels: pixels)
    files = sorted((SHARED / folder).glob("*.png"))

    assert [claim for path in files for claim in claimed_by_others(path, spoil)] == []


OTHERS = sorted((Path(__file__).parent / "screens" / "none").glob("*.png"))


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_a_window_of_another_game_of_the_collection_is_no_board(path: Path) -> None:
    """Nor are cells of it in doubt: a person would look for them."""
    with pytest.raises(BoardNotFound):
        recognise(Frame(np.asarray(cv2.imread(str(path)), np.uint8)), GAMES, store.candidates)


def test_a_board_without_any_clue_is_none_though_cells_are_in_doubt() -> None:
    path = next(iter(sorted((Path(__file__).parent / "screens" / "unruly").glob("*wrong.png"))))
    pixels = np.asarray(cv2.imread(str(path)), np.uint8)
    game = GAMES["unruly"]
    reading = game.read(Frame(pixels), Profile("unruly", "default"))
    centres, half = reading.geometry.centres, int(0.48 * reading.geometry.pitch_px)
    free = centres[next(iter(reading.placed))]
    x, y = round(free.x), round(free.y)
    empty = pixels[y - half : y + half, x - half : x + half].copy()
    for number, at in enumerate(sorted(reading.puzzle.given)):
        x, y = (round(value) for value in centres[at])
        pixels[y - half : y + half, x - half : x + half] = empty
        if number < 2:
            cv2.circle(pixels, (x, y), half // 2, (200, 40, 160), -1)

    with pytest.raises(BoardNotFound, match="no clue"):
        game.read(Frame(pixels), Profile("unruly", "default"))


@pytest.mark.parametrize("pitch", [70, 84])
def test_cells_in_the_colour_of_parchment_are_no_sheet_of_it(pitch: int) -> None:
    """Four empty cells of a nonogram lie above black ones and lines, as a note lies above an inventory."""
    page = np.full((9 * pitch + 60, 9 * pitch, 3), (255, 248, 240), np.uint8)
    for r, row in enumerate(("#####..", "##.##.#", "...####", "##..##.", ".#.##.#", "..#####", "..#...#")):
        for c, cell in enumerate(row):
            x, y = (1 + c) * pitch, (1 + r) * pitch
            cv2.rectangle(page, (x, y), (x + pitch - 3, y + pitch - 3), (0, 0, 0), -1)
            if cell == ".":
                cv2.rectangle(page, (x + 1, y + 1), (x + pitch - 4, y + pitch - 4), (135, 184, 222), -1)

    assert GAMES["thaumcraft"].claim is not None
    assert GAMES["thaumcraft"].claim(scene_of(Frame(page))) is None
