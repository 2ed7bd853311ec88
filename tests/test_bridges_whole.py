"""Bridges: a board that the picture's edge cuts is refused, and a whole one, however small, is read."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.practice.bridges import SKINS, BridgesBoard, practice
from solver import bridges
from solver.answer import Limits
from solver.bridges import Bridges, Island
from solver.lattice import Square
from tests.seldom import few
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame
from vision.profile import Profile
from vision.readers.bridges.board import read

PROFILE = Profile("bridges", "default")
SCREENS = Path(__file__).parent / "screens" / "bridges"


def test_a_board_cut_off_at_the_edge_is_not_taken_for_a_smaller_one() -> None:
    pixels = BridgesBoard(bridges.parse("6x6m2:2b4a2g1c2m3a5a3")).render(0.0)

    with pytest.raises(UncertainReading, match="partly off the screen"):
        read(Frame(np.ascontiguousarray(pixels[:, 30:])), PROFILE)


@pytest.mark.parametrize("turn", range(4), ids=["right", "top", "left", "bottom"])
@pytest.mark.parametrize("name", ["sgt-bridges-10x10-part", "sgt-bridges-7x7-empty", "practice-night-empty"])
def test_a_window_that_hangs_over_the_edge_of_the_screen_is_no_smaller_board(name: str, turn: int) -> None:
    pixels = cv2.imread(str(SCREENS / f"{name}.png"))
    whole = read(Frame(pixels), PROFILE)

    for share in np.linspace(0.3, 0.97, 20):
        seen = np.rot90(pixels, turn)
        seen = np.rot90(seen[:, : int(share * seen.shape[1])], -turn)
        try:
            reading = read(Frame(np.ascontiguousarray(seen)), PROFILE)
        except (BoardNotFound, UncertainReading):
            continue
        assert reading.doubtful or len(reading.puzzle.clues) == len(whole.puzzle.clues)


@pytest.mark.parametrize("seed", few(range(16), (3, 7, 11)))
def test_a_small_whole_board_is_read_at_the_first_look(seed: int) -> None:
    """Boards of the fault games, down to four islands, that had been refused for the room above them."""
    board = practice(random.Random(seed), size=(6, 6), tile_px=30)

    reading = read(Frame(board.render(0.0)), board.profile)

    assert sorted(island.clue for island in reading.puzzle.islands) == sorted(board.puzzle.clues.values())
    assert not reading.doubtful


def test_a_bridge_to_an_island_beyond_the_edge_says_that_the_board_goes_on() -> None:
    board = practice(random.Random(9))
    game = GAMES["bridges"]
    before = game.read(Frame(board.render(0.0)), board.profile)
    plan = game.plan(before, game.solve(before.puzzle, Limits()).solution)
    actions = [action for step in plan.steps for action in step.actions]
    for nth, action in enumerate(actions[: len(actions) // 2]):
        board.act(action, 1 + nth / 5)
    pixels = board.render(60.0)

    for height in (179, 187):
        with pytest.raises(UncertainReading, match="leads off the picture"):
            read(Frame(np.ascontiguousarray(pixels[-height:])), PROFILE)


@pytest.mark.parametrize("seed", few([2, 1], 1))
def test_random_cuts_of_pictures_are_no_smaller_boards(seed: int) -> None:
    """One, two or three sides are cut anywhere. (Among thousands some are left that have one solution and even margins.)"""
    rng, cuts = random.Random(seed), 0
    pictures = [cv2.imread(str(path)) for path in sorted(SCREENS.glob("*.png")) if "25x25" not in path.name]
    pictures += [practice(random.Random(n), size=(6, 6), tile_px=30).render(0.0) for n in range(0, 40, 2)]
    wholes = [(pixels, read(Frame(pixels), PROFILE)) for pixels in pictures]

    while cuts < 150:
        pixels, whole = rng.choice(wholes)
        (height, width), box = pixels.shape[:2], [0.0, 0.0, 1.0, 1.0]
        for side in rng.sample(range(4), rng.choice([1, 1, 2, 3])):
            box[side] = abs((side > 1) - rng.uniform(0.0, 0.6))
        left, top, right, bottom = (int(v * n) for v, n in zip(box, (width, height) * 2, strict=True))
        places = [whole.geometry.centres[island.at] for island in whole.puzzle.islands]
        if right - left < 40 or bottom - top < 40:
            continue
        if all(left <= at.x < right and top <= at.y < bottom for at in places):
            continue
        cuts += 1
        try:
            seen = read(Frame(np.ascontiguousarray(pixels[top:bottom, left:right])), PROFILE)
        except (BoardNotFound, UncertainReading):
            continue
        assert seen.doubtful, (left, top, right, bottom)


def test_a_cut_board_that_three_bridges_on_a_span_would_explain_is_refused() -> None:
    """Its clues had no solution with two, several with three, and were taken for a board of three."""
    puzzle = bridges.parse("7x6m3:3c4a3h4b6b3g2b4a21f")
    assert not bridges.solve(puzzle, Limits(unique=True)).unique
    board = BridgesBoard(puzzle)

    with pytest.raises((BoardNotFound, UncertainReading), match="no solution"):
        read(Frame(board.render(0.0)), PROFILE)


@pytest.mark.parametrize("shown", [0.3, 0.6])
def test_islands_that_another_window_half_hides_are_part_of_the_board(shown: float) -> None:
    """What is left has one solution. shown: the share of the islands' height that is seen."""
    board = BridgesBoard(bridges.parse("7x7m2:2b5b4g2a1k2b5b4g3b6b4"), SKINS["paper"], tile_px=60)
    pixels = board.render(0.0)
    middle = round(board.centre(Square(2, 0)).y)
    pixels[: middle + 24 - round(48 * shown)] = (200, 200, 200)

    with pytest.raises(UncertainReading, match="without a number"):
        read(Frame(pixels), PROFILE)


def test_a_single_line_of_islands_in_a_narrow_picture_is_no_board() -> None:
    """What is left of a cut board: one column with a solution of its own, and as much room on both sides."""
    board = BridgesBoard(bridges.parse("1x7m2:1a3a3a1"), SKINS["paper"], margin_px=(10, 10))

    with pytest.raises(UncertainReading, match="partly off the screen"):
        read(Frame(board.render(0.0)), PROFILE)


def test_a_window_made_for_its_board_shows_all_of_it() -> None:
    """Several solutions, and as much room on all sides: a screen's edge may cut such a picture, but no whole window."""
    puzzle = bridges.parse("5x5m2:3a3a3e3c3e3a3a3")
    assert not bridges.solve(puzzle, Limits(unique=True)).unique
    pixels = BridgesBoard(puzzle, SKINS["paper"], margin_px=(0, 0)).render(0.0)

    for seen in (Frame(pixels), Frame(pixels, title="Islands", cut=("right",))):
        with pytest.raises(UncertainReading, match="partly off the screen"):
            read(seen, PROFILE)
    assert not read(Frame(pixels, title="Islands"), PROFILE).doubtful
    beside = np.ascontiguousarray(pixels[:, : -round(0.3 * pixels.shape[1] / 5)])
    with pytest.raises(UncertainReading, match="partly off the screen"):
        read(Frame(beside, title="Islands"), PROFILE)


@pytest.mark.parametrize("cut_px", [0, 9, 14], ids=lambda px: f"cut by {px} px")
def test_a_board_on_a_panel_at_the_edge_of_a_page_ends_where_the_panel_does(cut_px: int) -> None:
    """As far from its islands on the left, at the picture's edge, as on the right, where the page goes on in white."""
    puzzle = bridges.parse("7x7m2:4a4g2b3g5a6b4i2a4a4a3e3")
    board = BridgesBoard(puzzle, margin_px=(6, 6)).render(0.0)[:, cut_px:]
    page = cv2.copyMakeBorder(board, 61, 233, 0, 317, cv2.BORDER_CONSTANT, value=(255, 255, 255))

    if cut_px:
        with pytest.raises(UncertainReading, match="partly off the screen"):
            read(Frame(page), PROFILE)
    else:
        assert read(Frame(page), PROFILE).puzzle.clues == puzzle.clues


@pytest.mark.parametrize(
    ("side", "turned"),
    [
        ("left", lambda row, col: (row, col)),
        ("top", lambda row, col: (col, row)),
        ("right", lambda row, col: (row, 6 - col)),
        ("bottom", lambda row, col: (6 - col, row)),
    ],
)
def test_nothing_tells_the_end_of_a_board_in_a_window_that_goes_on(
    side: str, turned: Callable[[int, int], tuple[int, int]]
) -> None:
    """Seven columns of which four were off the screen were played as three: what was left had one solution."""
    board = bridges.parse("7x7m2:3a4a6a3g5c4i4c3j2b5a3")
    islands = (Island(Square(*turned(*island.at)), island.clue) for island in board.islands)
    puzzle = Bridges(tuple(sorted(islands, key=lambda island: island.at)), 7, 7)
    pixels = BridgesBoard(puzzle).render(0.0)
    assert read(Frame(pixels), PROFILE).puzzle == puzzle

    for gone_px in range(2, 120, 2):
        left, top, right, bottom = (gone_px * (side == name) for name in ("left", "top", "right", "bottom"))
        seen = pixels[top : pixels.shape[0] - bottom, left : pixels.shape[1] - right]
        with suppress(BoardNotFound, UncertainReading):
            reading = read(Frame(np.ascontiguousarray(seen), cut=(side,), title="Bridges"), PROFILE)
            assert reading.puzzle.clues == puzzle.clues, gone_px
