"""Reading and playing ring puzzles."""

from __future__ import annotations

import math
import random
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.players.rings import plan
from bot.practice.rings import RingsPractice, board_of, practice
from bot.practice.rings.drawing import SKINS
from solver import rings
from tests.shared_data import SHARED, needs_shared
from vision.colour import away_from, common_colour
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.rings.board import read
from vision.readers.rings.circles import fit_circles, vote_circles
from vision.readers.rings.figure import Circle, pieces


def look(game: RingsPractice) -> Frame:
    return Frame(game.render(0.0))


@pytest.mark.parametrize("skin", sorted(SKINS))
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("entered", [0, 3, 99])
def test_what_is_drawn_is_what_is_read(skin: str, seed: int, entered: int) -> None:
    game = practice(random.Random(seed), skin=skin)
    solution = rings.solve(game.puzzle).solution
    game.entered = dict(list(solution.items())[:entered])

    reading = read(look(game), game.profile)

    assert reading.puzzle == game.puzzle
    assert reading.placed == game.entered
    assert reading.doubtful == ()
    assert reading.finished == game.solved()


CHAIN_WITHOUT_GIVENS = """
numbers: 1 2 3 4 5
use: once
target: own

ring a 100 100 100 3
ring b 215 200 100 11
ring c 330 100 100 7

region a 80.6 86.1 ?
region a+b 152.8 155.6 ?
region b 215 220 ?
region b+c 272 155.6 ?
region c 350 86.1 ?
"""


@pytest.mark.parametrize("skin", sorted(SKINS))
@pytest.mark.parametrize("values", [[1], [1, 2], [1, 2, 5], [1, 2, 5, 4, 3], [4], [5, 3]])
def test_numbers_entered_on_a_board_without_givens_are_no_givens(skin: str, values: list[int]) -> None:
    game = board_of(rings.parse(CHAIN_WITHOUT_GIVENS), skin=skin)
    names = list(zip(game.puzzle.places, ("r01", "r01+r03", "r03", "r02+r03", "r02"), strict=True))
    game.entered = {place.region: value for (place, _), value in zip(names, values, strict=False)}

    reading = read(look(game), game.profile)

    assert reading.puzzle.given == {}
    assert reading.puzzle.numbers == (1, 2, 3, 4, 5)
    assert {str(region): value for region, value in reading.placed.items()} == {
        name: game.entered[place.region] for place, name in names if place.region in game.entered
    }


# The lettering of OpenCV 4 is wider: on these drawings digits of targets run into the lines of other rings. Such a drawing may
# be refused or in doubt, but never surely something else.
WIDE_LETTERS = cv2.__version__.startswith("4.")
CROWDED = {"dev-04-flower7-once-own", "dev-06-honeycomb5x4-any-own", "dev-08-honeycomb8x6-own"}


def in_doubt(path: Path, skin: str) -> bool:
    """Whether a crowded drawing with wide letters is refused or leaves regions in doubt."""
    if not WIDE_LETTERS or path.stem not in CROWDED:
        return False
    game = board_of(rings.parse(path.read_text(encoding="utf-8")), skin=skin)
    try:
        return bool(read(look(game), game.profile).doubtful)
    except UncertainReading:
        return True


def filled(path: Path, radius_px: float | None, skin: str) -> tuple[dict[str, int], dict[str, int]]:
    """The answer stored with a puzzle, and what a reading of its drawing is solved to; by where regions lie."""
    text = path.read_text(encoding="utf-8")
    puzzle = rings.parse(text)
    game = board_of(puzzle, skin=skin, radius_px=radius_px)
    stored = [int(word) for word in text.split("# answer:")[1].split("numbers")[0].split()]

    reading = read(look(game), game.profile)

    assert reading.doubtful == ()
    names = {
        ring.name: min(
            game.puzzle.rings,
            key=lambda own, r=ring: np.hypot(own.x - r.x, own.y - r.y),  # type: ignore[misc]
        ).name
        for ring in reading.puzzle.rings
    }
    solved = {**reading.puzzle.given, **rings.solve(reading.puzzle).solution}
    found = {
        "+".join(sorted(names[ring] for ring in covers)): solved[region]
        for region, covers in reading.puzzle.covers.items()
    }
    answer = {
        "+".join(sorted(place.region.rings)): number
        for place, number in zip(puzzle.places, stored, strict=True)
    }
    return found, answer


@needs_shared
@pytest.mark.parametrize("skin", sorted(SKINS))
@pytest.mark.parametrize("path", sorted((SHARED / "rings").glob("*.txt")), ids=lambda path: path.stem)
def test_a_drawn_puzzle_is_solved_to_the_stored_answer(path: Path, skin: str) -> None:
    if in_doubt(path, skin):
        return

    found, answer = filled(path, None, skin)

    assert found == answer


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("radius_px", [140.0, 200.0])
@pytest.mark.parametrize("skin", sorted(SKINS))
@pytest.mark.parametrize("path", sorted((SHARED / "rings").glob("*.txt")), ids=lambda path: path.stem)
def test_size_does_not_matter(path: Path, skin: str, radius_px: float) -> None:
    found, answer = filled(path, radius_px, skin)

    assert found == answer


def test_circles_are_found_to_a_fraction_of_a_px() -> None:
    game = practice(random.Random(4), skin="games", figure="honeycomb")
    drawn = game._discs

    ink = away_from(game.render(0.0), common_colour(game.render(0.0)))
    found = fit_circles(ink, vote_circles(ink)).circles

    assert len(found) == len(drawn)
    for circle in drawn:
        nearest = min(found, key=lambda c: np.hypot(c.x - circle.x, c.y - circle.y))
        assert np.allclose(nearest, circle, atol=0.35)


def noise(pixels: Pixels) -> Pixels:
    rng = np.random.default_rng(1)
    return np.clip(pixels + rng.normal(0, 6, pixels.shape), 0, 255).astype(np.uint8)


def jpeg(pixels: Pixels) -> Pixels:
    return np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 80])[1], 1), np.uint8
    )


def larger(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.resize(pixels, None, fx=1.7, fy=1.7, interpolation=cv2.INTER_CUBIC), np.uint8)


@pytest.mark.parametrize("harm", [noise, jpeg, larger])
def test_harmed_pictures_are_read_or_doubted_but_never_wrong(harm: object) -> None:
    game = practice(random.Random(11), skin="paper", figure="chain")
    assert callable(harm)

    reading = read(Frame(harm(game.render(0.0))), game.profile)

    assert reading.puzzle == game.puzzle


def test_a_region_is_where_the_rings_say() -> None:
    found = pieces([Circle(100, 100, 60), Circle(180, 100, 60)])

    assert [piece.covers for piece in found] == [(0,), (0, 1), (1,)]
    assert found[1].at.x == pytest.approx(140, abs=1.5)
    assert found[1].depth_px == pytest.approx(20, abs=1.5)


def test_a_sliver_between_nearly_tangent_rings_is_no_region() -> None:
    found = pieces([Circle(100, 100, 60), Circle(217, 100, 60)])

    assert [piece.covers for piece in found] == [(0,), (1,)]


@pytest.mark.parametrize("value", [0, 128, 255])
def test_an_empty_picture_is_no_board(value: int) -> None:
    with pytest.raises(BoardNotFound, match="0 ring outlines"):
        read(Frame(np.full((300, 400, 3), value, np.uint8)), Profile("rings", "any"))


def test_noise_is_no_board() -> None:
    pixels = np.random.default_rng(2).integers(0, 255, (300, 400, 3)).astype(np.uint8)

    with pytest.raises(BoardNotFound):
        read(Frame(pixels), Profile("rings", "any"))


@pytest.mark.parametrize("seed", range(6))
def test_a_plan_solves_the_board_and_then_has_nothing_left(seed: int) -> None:
    game = practice(random.Random(seed))
    solution = rings.solve(game.puzzle).solution

    for step in plan(read(look(game), game.profile), solution).steps:
        for action in step.actions:
            game.act(action, 0.0)

    assert game.solved()
    after = plan(read(look(game), game.profile), solution)
    assert (after.steps, after.missing) == ((), 0)


def test_wrong_numbers_are_cleared_before_others_are_put() -> None:
    game = practice(random.Random(3), skin="paper", figure="triangle")
    solution = rings.solve(game.puzzle).solution
    a, b, *_ = game.puzzle.blanks
    game.entered = {a: solution[b], b: solution[a]}

    first = plan(read(look(game), game.profile), solution)

    assert [step.why.split()[0] for step in first.steps] == ["clear", "clear"]
    assert first.missing == len(solution)


def test_rings_is_one_of_the_games() -> None:
    assert GAMES["rings"].title == "Rings"


@pytest.mark.parametrize("name", ["dev-00-olympic", "dev-02-triangle3-once-own", "dev-08-honeycomb8x6-own"])
@needs_shared
def test_a_picture_of_4k_is_read_and_its_places_are_px_of_it(name: str) -> None:
    if in_doubt(SHARED / "rings" / f"{name}.txt", "paper"):
        return

    puzzle = rings.parse((SHARED / "rings" / f"{name}.txt").read_text())
    drawn = board_of(puzzle, skin="paper").render(0.0)
    factor = 3840 / max(drawn.shape)
    large = cv2.resize(drawn, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)

    profile = Profile("rings", "paper")
    small, reading = read(Frame(drawn), profile), read(Frame(np.asarray(large, np.uint8)), profile)

    assert reading.puzzle == small.puzzle
    for ring, seen in zip(small.puzzle.rings, reading.puzzle.rings, strict=True):
        assert (seen.x, seen.y) == pytest.approx(
            (ring.x * factor, ring.y * factor), abs=0.002 * max(large.shape)
        )
    for name, tile in small.controls.items():
        at = reading.controls[name].at
        assert math.dist(at, (tile.at.x * factor, tile.at.y * factor)) < 0.005 * max(large.shape)


def test_what_lies_below_a_dark_board_on_a_light_page_is_no_tile() -> None:
    game = practice(random.Random(1), skin="night")
    board = look(game).pixels
    page = np.full((board.shape[0] + 100, board.shape[1] + 40, 3), 235, np.uint8)
    page[: board.shape[0], 20:-20] = board

    assert read(Frame(page), game.profile).puzzle == game.puzzle
