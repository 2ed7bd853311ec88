"""Photographs of boards, turned and seen a little from the side: read as the same board on a screen is."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.commands.look import profiles_for
from bot.games import GAMES
from bot.recognise import Recognised, recognise
from vision.errors import BoardNotFound
from vision.frame import Frame, Pixels
from vision.measures.straight import straightened
from vision.scene import Scene

SCREENS = Path(__file__).parent / "screens"
BOARDS = (
    "bridges/practice-paper-part",
    "bridges/practice-night-empty",
    "nonogram/page-light",
    "nonogram/practice-candy-part",
    "lightup/sgt-7x7-new",
)


# So many px narrower at each end is the far side of a page.
FARTHER = 28


def opened(name: str) -> Pixels:
    return np.asarray(cv2.imread(str(SCREENS / f"{name}.png")), np.uint8)


def photographed(pixels: Pixels, turn_deg: float, keystone: float, seed: int) -> tuple[Pixels, np.ndarray]:
    """The picture on a table, and the way from its px to those of the photograph."""
    rng = np.random.default_rng(seed)
    height, width = pixels.shape[:2]
    scale, margin = max(1.0, 700 / max(width, height)), 0.12 * max(width, height)
    ends = np.array([(0, 0), (width, 0), (0, height), (width, height)], np.float64)
    turn = np.radians(turn_deg)
    turned = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    middle = np.array([width / 2, height / 2])
    seen = (ends - middle) @ turned.T + middle + rng.uniform(-keystone, keystone, (4, 2)) * (width, height)
    there = cv2.getPerspectiveTransform(ends.astype(np.float32), (scale * (seen + margin)).astype(np.float32))
    size = (int(scale * (width + 2 * margin)), int(scale * (height + 2 * margin)))
    table = cv2.warpPerspective(pixels, there, size, borderValue=(70.0, 80.0, 60.0))
    noisy = cv2.GaussianBlur(table, (3, 3), 0.5) + rng.normal(0, 3, table.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), there


def of_its_px(pixels: Pixels, shown: float) -> Pixels:
    """The screen so near that its own px show, to a share: one red, one green and one blue stripe, and a gap below."""
    near = cv2.resize(pixels, None, fx=3, fy=3, interpolation=cv2.INTER_NEAREST).astype(np.float32)
    stripes = np.where(np.eye(3)[:, ::-1], 1 + 2 * shown, 1 - shown)
    near *= np.tile(stripes, (pixels.shape[1], 1))
    near[2::3] *= 1 - shown
    return np.asarray(np.clip(0.6 * near, 0, 255), np.uint8)


def found_on(pixels: Pixels) -> Recognised:
    return recognise(Frame(pixels), GAMES, profiles_for(None))


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize(("turn_deg", "keystone"), [(3.0, 0.0), (-7.0, 0.03)])
def test_a_turned_photograph_is_read_like_the_screen(name: str, turn_deg: float, keystone: float) -> None:
    screen = opened(name)
    photograph, there = photographed(screen, turn_deg, keystone, seed=4)

    known, seen = found_on(screen), found_on(photograph)

    assert seen.game is known.game
    assert (seen.reading.puzzle, seen.reading.placed) == (known.reading.puzzle, known.reading.placed)
    cells = sorted(known.reading.geometry.centres)
    on_screen = np.array([[known.reading.geometry.centres[cell] for cell in cells]], np.float32)
    expected = cv2.perspectiveTransform(on_screen, there)[0]
    told = np.array([seen.reading.geometry.centres[cell] for cell in cells])
    assert np.hypot(*(told - expected).T).max() < 0.25 * seen.reading.geometry.pitch_px


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("seed", range(4))
def test_a_turn_is_undone_to_half_a_degree(name: str, seed: int) -> None:
    screen = opened(name)
    photograph, there = photographed(screen, (-9.0, -4.0, 3.0, 8.0)[seed], 0.02, seed)
    straight = straightened(Scene(photograph))
    assert straight is not None

    height, width = screen.shape[:2]
    corners = np.array([[(0, 0), (width, 0), (0, height), (width, height)]], np.float64)
    back = cv2.getPerspectiveTransform(
        corners[0].astype(np.float32), straight.back(corners[0]).astype(np.float32)
    )
    top_left, top_right, low_left, low_right = cv2.perspectiveTransform(corners, np.linalg.inv(back) @ there)[
        0
    ]
    across, down = (top_right - top_left, low_right - low_left), (low_left - top_left, low_right - top_right)
    turns = [np.arctan2(y, x) for x, y in across] + [np.arctan2(x, y) for x, y in down]
    assert np.abs(np.degrees(turns)).max() < 0.5


@pytest.mark.parametrize("quality", [75, 30])
@pytest.mark.parametrize("name", BOARDS[::2])
def test_a_turned_photograph_in_a_lossy_format_is_straightened(name: str, quality: int) -> None:
    photograph, _ = photographed(opened(name), 3.0, 0.0, seed=4)
    _, file = cv2.imencode(".jpg", photograph, [cv2.IMWRITE_JPEG_QUALITY, quality])
    lossy = np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)

    assert straightened(Scene(lossy)) is not None


@pytest.mark.parametrize("name", [BOARDS[0], *BOARDS[2:4]])
def test_a_photograph_on_which_the_screen_s_own_px_show_is_read(name: str) -> None:
    screen = opened(name)
    photograph, _ = photographed(of_its_px(screen, 0.4), -4.0, 0.02, seed=4)
    smaller = np.asarray(cv2.resize(photograph, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA), np.uint8)

    known, seen = found_on(screen), found_on(smaller)

    assert (seen.reading.puzzle, seen.reading.placed) == (known.reading.puzzle, known.reading.placed)


@pytest.mark.parametrize("name", BOARDS[:4:2])
def test_the_px_of_a_screen_are_no_edges_of_what_it_shows(name: str) -> None:
    photograph, _ = photographed(of_its_px(opened(name), 1.0), -4.0, 0.02, seed=4)
    smaller = np.asarray(cv2.resize(photograph, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)

    assert straightened(Scene(smaller)) is not None


def test_lines_in_the_middle_are_level_on_a_photograph_from_the_front() -> None:
    paper = np.full((940, 700, 3), 235, np.uint8)
    paper[60:841:26, 60:633] = paper[60:841, 60:633:26] = 60
    height, width = paper.shape[:2]
    flat = np.array([(0, 0), (width, 0), (0, height), (width, height)], np.float32)
    seen = flat + np.array([(FARTHER, 0), (-FARTHER, 0), (0, 0), (0, 0)], np.float32)
    there = cv2.getPerspectiveTransform(flat, seen)
    page = cv2.warpPerspective(paper, there, (width, height), borderValue=(200.0, 200.0, 200.0))
    grain = np.random.default_rng(1).normal(0, 3, page.shape)

    assert straightened(Scene(np.clip(page + grain, 0, 255).astype(np.uint8))) is not None


@pytest.mark.parametrize("path", sorted(SCREENS.glob("*/*.png"))[::4], ids=lambda path: path.stem)
def test_screens_are_straight(path: Path) -> None:
    assert straightened(Scene(np.asarray(cv2.imread(str(path)), np.uint8))) is None


def test_noise_has_no_turn() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (300, 400, 3)).astype(np.uint8)

    assert straightened(Scene(noise)) is None


@pytest.mark.parametrize("name", ["none/sgt-pegs", "none/sgt-map"])
def test_a_photograph_of_another_game_is_no_board(name: str) -> None:
    photograph, _ = photographed(opened(name), 4.0, 0.02, seed=2)

    with pytest.raises(BoardNotFound):
        found_on(photograph)
