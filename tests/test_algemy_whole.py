"""Boards that are not seen whole: cut by the picture's edge, or with something over them. In doubt, never misread."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.practice.algemy import AlgemyPractice, practice
from bot.recognise import recognise
from calibration import store
from solver import algemy
from solver.algemy.board import Shape
from tests.seldom import few
from vision.errors import BoardNotFound, UncertainReading, VisionError
from vision.frame import Frame, Pixels
from vision.readers.algemy.board import read

SCREENS = Path(__file__).parent / "screens"


def board_of(shape: Shape, seed: int, share: float = 0.0) -> AlgemyPractice:
    board = practice(random.Random(seed), shape=shape)
    sources = list(algemy.solve(board.puzzle).solution.items())
    board._placed = dict(sources[: round(share * len(sources))])
    return board


def lines_of(board: AlgemyPractice, axis: int) -> list[int]:
    """Where the cells end along x (0) or y (1), px."""
    half = board.arrangement.pitch_px / 2
    ends = {
        board.arrangement.centre(cell)[axis] + way * half for cell in board.puzzle.cells for way in (-1, 1)
    }
    return sorted({round(end) for end in ends})


def misread(board: AlgemyPractice, pixels: Pixels) -> list[str]:
    """Cells told wrongly, none where the picture is refused; raises for a board of another size."""
    reading = read(Frame(pixels), board.profile)
    assert reading.puzzle.lengths == board.puzzle.lengths
    truth = {
        cell: board.puzzle.crystals.get(cell) or board.placed.get(cell, "") for cell in board.puzzle.cells
    }
    return [str(cell) for cell, mark in reading.marks.items() if mark.symbol not in (None, truth[cell])]


@pytest.mark.parametrize("share", [0.0, 0.5])
@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
@pytest.mark.parametrize("off", few((-0.5, -0.1, -0.05, 0.0, 0.15, 0.4), (0.0,)))
def test_a_square_board_that_the_edge_cuts_is_no_smaller_whole_board(
    side: str, off: float, share: float
) -> None:
    board = board_of("square", 3, share)
    pixels, pitch = board.render(9.0), board.arrangement.pitch_px
    xs, ys = lines_of(board, 0), lines_of(board, 1)
    at = round(off * pitch)
    if side == "left":
        pixels = pixels[:, xs[0] + round(pitch) + at :]
    elif side == "right":
        pixels = pixels[:, : xs[-1] - round(pitch) - at]
    elif side == "top":
        pixels = pixels[ys[0] + round(pitch) + at :]
    else:
        pixels = pixels[: ys[-1] - round(pitch) - at]

    with pytest.raises((UncertainReading, BoardNotFound)):
        read(Frame(np.ascontiguousarray(pixels)), board.profile)


@pytest.mark.parametrize("rows", [2, 3])
def test_a_hexagonal_board_that_the_edge_cuts_is_no_smaller_whole_board(rows: int) -> None:
    board = board_of("hex", 1)
    tops = sorted({round(board.arrangement.centre(cell).y) for cell in board.puzzle.cells})
    pixels = board.render(9.0)[: tops[-rows]]

    with pytest.raises((UncertainReading, BoardNotFound)):
        read(Frame(np.ascontiguousarray(pixels)), board.profile)


@pytest.mark.parametrize("away", [470, 618, -200, -400])
def test_cells_beyond_the_picture_are_no_hindrance_to_a_claim(away: int) -> None:
    """Of their middles nothing is seen, which is no picture for OpenCV."""
    pixels = np.asarray(cv2.imread(str(SCREENS / "algemy" / "practice-hex-part.png")), np.uint8)
    part = pixels[:, :-away] if away > 0 else pixels[:, -away:]

    with pytest.raises((UncertainReading, BoardNotFound)):
        recognise(Frame(np.ascontiguousarray(part)), GAMES, store.candidates)


def test_a_cut_board_is_refused_with_what_would_help() -> None:
    board = board_of("square", 1)
    ys = lines_of(board, 1)

    with pytest.raises(UncertainReading, match="partly off the screen"):
        read(Frame(board.render(9.0)[: ys[3] + 40]), board.profile)


def subtitle(pixels: Pixels, top: int, ground: int) -> None:
    high, wide = 90, pixels.shape[1]
    pixels[top : top + high] = ground
    ink = (255 - ground,) * 3
    cv2.putText(pixels, "a subtitle goes here", (wide // 8, top + 62), 0, 1.4, ink, 3, cv2.LINE_AA)


def tooltip(pixels: Pixels, top: int, left: int) -> None:
    cv2.rectangle(pixels, (left, top), (left + 110, top + 62), (225, 255, 255), -1)
    cv2.rectangle(pixels, (left, top), (left + 110, top + 62), (90, 90, 90), 1)
    cv2.putText(pixels, "12", (left + 12, top + 50), 0, 1.2, (20, 20, 20), 2, cv2.LINE_AA)


def in_the_way(how: str, row: int) -> Callable[[Pixels, list[int], list[int]], None]:
    def draw(pixels: Pixels, xs: list[int], ys: list[int]) -> None:
        top = ys[min(row, len(ys) - 2)]
        if how == "tooltip":
            for x in xs[:-1:2]:
                tooltip(pixels, top + 12, x + 10)
        else:
            subtitle(pixels, top + 20, 0 if how == "dark band" else 255)

    return draw


COVERS = [(how, shape) for how in ("tooltip", "dark band", "white band") for shape in ("square", "hex")]


@pytest.mark.parametrize(("how", "shape"), few(COVERS, [("tooltip", "square"), ("white band", "hex")]))
def test_nothing_that_lies_over_the_cells_is_read_as_a_crystal_or_an_empty_cell(
    how: str, shape: Shape
) -> None:
    told = 0
    for seed, row in ((0, 1), (1, 2), (2, 0)):
        board = board_of(shape, seed, 0.5)
        pixels = board.render(9.0)
        in_the_way(how, row)(pixels, lines_of(board, 0), lines_of(board, 1))
        try:
            assert misread(board, pixels) == []
        except VisionError:
            continue
        told += 1

    assert how != "tooltip" or told >= 1
