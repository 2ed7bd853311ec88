"""Golden pictures: windows of real programs, our page and our practice boards are read exactly, in any clone.

`tests/laboratory/capture_screens.py` made them, and their texts from the puzzles that were shown.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.practice.thaumcraft.art import own_textures
from bot.recognise import recognise
from bot.scorecard.items import items_of_reading
from bot.scorecard.spoil import as_jpeg
from calibration import store
from calibration.thaumcraft.textures import profile_from_textures
from solver.lattice import Square
from tests.laboratory.chance_spoils import chance_spoil
from vision.errors import VisionError
from vision.frame import Frame
from vision.profile import Profile

SCREENS = Path(__file__).parent / "screens"
CHANCE_SPOILS = 4
PAIRS = sorted(path.with_suffix(".png") for path in SCREENS.glob("*/*.txt"))


@cache
def profile_of(game: str) -> Profile:
    """What reads the golden pictures of a game."""
    if game == "thaumcraft":
        return profile_from_textures(own_textures(), "own")
    return store.load(game, store.DEFAULT)


def frame_of(path: Path) -> Frame:
    return Frame(np.asarray(cv2.imread(str(path)), np.uint8), source=path.name)


def items_in(text: str) -> dict[str, str]:
    lines = text.partition("\n---\n")[2].splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def test_every_game_has_golden_pictures() -> None:
    assert {path.parent.name for path in PAIRS} >= {"thaumcraft", "bridges", "nonogram", "algemy", "rings"}


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_picture_is_read_exactly(path: Path) -> None:
    game = GAMES[path.parent.name]
    true = items_in(path.with_suffix(".txt").read_text(encoding="utf-8"))

    reading = game.read(frame_of(path), profile_of(game.name))

    told = {
        item: value
        for item, value in items_of_reading(game, reading).items()
        if not item.startswith("palette")
    }
    assert told == true


@pytest.mark.long
@pytest.mark.parametrize("path", PAIRS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_picture_spoilt_by_chance_is_never_read_wrong(path: Path) -> None:
    game = GAMES[path.parent.name]
    true = items_in(path.with_suffix(".txt").read_text(encoding="utf-8"))
    wrong = {}
    for seed in range(CHANCE_SPOILS):
        what, spoil = chance_spoil(f"{path.stem} {seed}")
        with suppress(VisionError):
            reading = game.read(Frame(spoil(frame_of(path).pixels)), profile_of(game.name))
            told = items_of_reading(game, reading)
            for item in {*true, *told}:
                value = told.get(item, "nothing")
                # In other colours nothing tells that the light cells of a complete nonogram are marked as empty.
                right = (true.get(item), "" if true.get(item) == "." else None)
                if value is not None and value not in right and not item.startswith("palette"):
                    wrong[f"{what}: {item}"] = value

    assert wrong == {}


def test_a_board_that_its_enlarged_picture_shows_with_other_lines_is_read_without_that() -> None:
    """On the picture twice as large, soft and with noise, it had a line more, and there was no place for its cells."""
    path, game = SCREENS / "nonogram" / "sgt-pattern-10x10-empty.png", GAMES["nonogram"]
    spoil = chance_spoil(f"{path.stem} 1")[1]

    readings = [
        game.read(Frame(pixels), profile_of(game.name))
        for pixels in (frame_of(path).pixels, spoil(frame_of(path).pixels))
    ]

    assert readings[0].puzzle == readings[1].puzzle


@pytest.mark.parametrize("times", [2, 3])
@pytest.mark.parametrize("path", sorted(SCREENS.glob("nonogram/sgt-*.png")), ids=lambda path: path.stem)
def test_a_screen_of_high_resolution_shows_every_px_as_a_few(path: Path, times: int) -> None:
    game, frame = GAMES["nonogram"], frame_of(path)
    larger = cv2.resize(frame.pixels, None, fx=times, fy=times, interpolation=cv2.INTER_NEAREST)

    reading = game.read(replace(frame, pixels=np.asarray(larger, np.uint8)), profile_of("nonogram"))

    assert items_of_reading(game, reading) == items_in(path.with_suffix(".txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize("times", [1.31, 1.47, 1.71])
@pytest.mark.parametrize("name", ["sgt-x", "sgt-solo-2x2-like-filling", "sgt-solo-2x2-like-range"])
def test_a_window_that_was_made_larger_px_by_px_shows_the_same_game(name: str, times: float) -> None:
    """Its thin lines are one or two px wide: two px are no thick line beside four."""
    pixels = frame_of(SCREENS / "solo" / f"{name}.png").pixels
    larger = cv2.resize(pixels, None, fx=times, fy=times, interpolation=cv2.INTER_NEAREST)

    seen = recognise(Frame(np.asarray(larger, np.uint8)), GAMES, lambda game: [profile_of(game)])

    assert seen.game.name == "solo"


@pytest.mark.parametrize("times", [1.45, 1.7, 1.9])
@pytest.mark.parametrize("name", ["sgt-new", "sgt-part"])
def test_the_soft_edge_of_a_circle_that_was_made_larger_px_by_px_is_no_part_of_its_number(
    name: str, times: float
) -> None:
    path = SCREENS / "slant" / f"{name}.png"
    larger = cv2.resize(frame_of(path).pixels, None, fx=times, fy=times, interpolation=cv2.INTER_NEAREST)

    reading = GAMES["slant"].read(Frame(np.asarray(larger, np.uint8)), profile_of("slant"))

    assert items_of_reading(GAMES["slant"], reading) == items_in(
        path.with_suffix(".txt").read_text(encoding="utf-8")
    )


# In windows as large as the program opens them, and without marks of errors, whose red JPEG spreads.
SLANTS = [
    path
    for path in sorted(SCREENS.glob("slant/*.png"))
    if not any(word in path.stem for word in ("small", "loop"))
]


@pytest.mark.parametrize("path", SLANTS, ids=lambda path: path.stem)
def test_points_of_slant_without_a_number_are_told_from_those_with_one_in_jpeg(path: Path) -> None:
    game = GAMES["slant"]
    pixels = as_jpeg(80)(frame_of(path).pixels)
    true = items_in(path.with_suffix(".txt").read_text(encoding="utf-8"))

    reading = game.read(Frame(pixels), profile_of("slant"))

    told = items_of_reading(game, reading)
    # What a place holds is told as it is or is in doubt.
    assert {item for item, value in told.items() if value is not None} <= set(true)
    assert [item for item, value in told.items() if value is not None and value != true[item]] == []
    assert set(true) <= set(told)


def test_a_digit_of_towers_that_fell_apart_is_in_doubt() -> None:
    """A lossy format leaves less of its colour than of its shade: thin parts of it have none."""
    game, frame = GAMES["towers"], frame_of(SCREENS / "towers" / "sgt-towers-5x5-solved.png")
    at, pixels = Square(2, 3), frame.pixels.copy()
    geometry = game.read(frame, profile_of("towers")).geometry
    x, y = (round(place) for place in geometry.centres[at])
    y -= round(geometry.pitch_px / 8)
    pixels[y - 1 : y + 2, x - 8 : x + 16] = 230

    reading = game.read(replace(frame, pixels=pixels), profile_of("towers"))

    assert reading.doubtful == (at,)
