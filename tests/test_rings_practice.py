"""The practice screen of ring puzzles."""

from __future__ import annotations

import contextlib
import random

import cv2
import numpy as np
import pytest

from bot.actions import Key, Tap
from bot.games import GAMES
from bot.practice.rings import RingsPractice, practice
from bot.practice.rings.drawing import SKINS
from bot.practice.rings.figures import FIGURES, Figure
from solver import rings
from solver.answer import Limits
from solver.lattice import Region
from tests.troubled import small_board
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame, Point


def board(seed: int = 1) -> RingsPractice:
    return practice(random.Random(seed), figure="chain", skin="paper")


def region_at(game: RingsPractice, region: Region) -> Point:
    place = next(place for place in game.puzzle.places if place.region == region)
    return Point(place.x, place.y)


def tile_at(game: RingsPractice, number: int) -> Point:
    return next(box.centre for shown, box in game._visible_tiles() if shown == number)


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_makes_a_puzzle_with_one_solution(figure: Figure) -> None:
    for seed in range(3):
        game = practice(random.Random(seed), figure=figure)

        answer = rings.solve(game.puzzle, Limits(unique=True))

        assert answer.unique is True
        assert rings.parse(rings.unparse(game.puzzle)) == game.puzzle


def test_tapping_regions_and_tiles_solves_the_board() -> None:
    game = board()
    solution = rings.solve(game.puzzle).solution

    for region, number in solution.items():
        game.act(Tap(region_at(game, region)), 0.0)
        game.act(Tap(tile_at(game, number)), 0.0)

    assert game.entered == solution
    assert game.solved()


def test_a_used_tile_leaves_its_slot_and_comes_back() -> None:
    game = board()
    region = game.puzzle.blanks[0]
    number = game.puzzle.numbers[0]
    start = game.render(0.0)

    game.act(Tap(region_at(game, region)), 0.0)
    game.act(Tap(tile_at(game, number)), 0.0)

    assert game.puzzle.use == "once"
    assert number not in [shown for shown, _ in game._visible_tiles()]
    assert not np.array_equal(game.render(0.0), start)

    game.act(Tap(region_at(game, region), hold_s=0.8), 0.0)

    assert game.entered == {}
    assert np.array_equal(game.render(0.0), start)


def test_digits_can_be_typed() -> None:
    game = board()
    region = game.puzzle.blanks[0]
    number = game.puzzle.numbers[-1]

    game.act(Tap(region_at(game, region)), 0.0)
    for digit in str(number):
        game.act(Key(digit), 0.1)

    assert game.entered == {region: number}

    game.act(Key("backspace"), 0.2)

    assert game.entered == {}


@pytest.mark.parametrize("skin", sorted(SKINS))
def test_the_same_seed_draws_the_same_picture(skin: str) -> None:
    first = practice(random.Random(3), skin=skin).render(0.0)
    again = practice(random.Random(3), skin=skin).render(0.0)

    assert np.array_equal(first, again)
    assert first.dtype == np.uint8


def test_a_second_row_of_tiles_whose_plates_noise_hides_is_no_smaller_stock() -> None:
    """The numbers 7, 8 and 9 had been left out, and nothing had been said."""
    board = small_board("rings", 304)
    pixels, grain = board.render(1000.0), np.random.default_rng(4)
    whole = GAMES["rings"].read(Frame(pixels.copy()), board.profile)
    seen = []

    for sigma in (6, 10, 10, 12):
        noisy = np.clip(pixels + grain.normal(0, sigma, pixels.shape), 0, 255).astype(np.uint8)
        _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 40])
        with contextlib.suppress(UncertainReading, BoardNotFound):
            shown = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
            seen.append(GAMES["rings"].read(Frame(shown), board.profile).puzzle.numbers)

    assert set(seen) == {whole.puzzle.numbers}
