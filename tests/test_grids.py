"""Grids of equal cells are found by the lines between them."""

from __future__ import annotations

import contextlib
import random
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from tests.lies import solve_on
from tests.test_screens import PAIRS, frame_of, profile_of
from tests.troubled import small_board
from vision.colour import strongest
from vision.errors import PartlyOff, VisionError
from vision.frame import Frame, Pixels
from vision.grids import _combs, _fits, find_grids, grids_of, straight_steps
from vision.measures.borders import goes_on
from vision.profile import Profile
from vision.scene import Scene, scene_of


def drawn(cols: int, rows: int, pitch: int, left: int, top: int) -> Pixels:
    """A grid of black lines of one px on white."""
    picture = np.full((top + rows * pitch + 30, left + cols * pitch + 30, 3), 255, np.uint8)
    bottom, right = top + rows * pitch, left + cols * pitch
    for col in range(cols + 1):
        picture[top : bottom + 1, left + col * pitch] = 0
    for row in range(rows + 1):
        picture[top + row * pitch, left : right + 1] = 0
    return picture


@pytest.mark.parametrize(("cols", "rows", "pitch"), [(3, 3, 12), (5, 4, 31), (10, 15, 20), (30, 30, 9)])
def test_a_drawn_grid_is_found_with_its_rows_columns_and_pitch(cols: int, rows: int, pitch: int) -> None:
    (grid,) = find_grids(drawn(cols, rows, pitch, 17, 23))
    assert (grid.cols, grid.rows) == (cols, rows)
    assert (grid.xs.pitch, grid.ys.pitch) == pytest.approx((pitch, pitch), abs=1e-6)
    assert grid.xs.first == pytest.approx(17.5, abs=0.51)
    assert grid.ys.first == pytest.approx(23.5, abs=0.51)


def test_a_large_grid_whose_fifth_lines_are_thicker_is_found_whole() -> None:
    """Its last line is more than a cell away from where equal steps of a cell would lead."""
    lines = [12 * i + i // 5 for i in range(91)]
    picture = np.full((lines[-1] + 60, lines[-1] + 60, 3), 255, np.uint8)
    for i, at in enumerate(lines):
        thick = 1 + (i % 5 == 0)
        picture[20 : 22 + lines[-1], 20 + at : 20 + at + thick] = 0
        picture[20 + at : 20 + at + thick, 20 : 22 + lines[-1]] = 0

    (grid,) = find_grids(picture)

    assert (grid.cols, grid.rows) == (90, 90)
    assert (grid.xs.pitch, grid.ys.pitch) == pytest.approx((12.2, 12.2), abs=0.02)


@pytest.mark.parametrize(("beyond", "larger"), [((20, 40), False), ((1, 40), True)])
def test_a_line_that_goes_on_begins_at_the_edge(beyond: tuple[int, int], larger: bool) -> None:
    """Words of a menu above the middle lines of a small board are none. beyond: px from the edge that are dark."""
    picture = drawn(3, 3, 51, 28, 60)
    (grid,) = find_grids(picture)
    for at in (79, 130):
        picture[60 - beyond[1] : 60 - beyond[0], at] = 0

    assert goes_on(Scene(picture), grid) is larger


@pytest.mark.parametrize(("pitch", "cols"), [(15.7, 10), (20.8, 8), (24.6, 8), (27.1, 10)])
def test_the_last_px_of_a_picture_may_be_a_line_that_seems_to_be_beyond_it(pitch: float, cols: int) -> None:
    """Two boxes of numbers left of the cells are narrower than these, so that the pitch is told a little too large."""
    box = round(0.6 * pitch)
    right, bottom = round(2 * box + pitch * cols), round(9 * pitch)
    page = np.full((bottom + 1, right + 1, 3), 255, np.uint8)
    for row in range(10):
        page[round(pitch * row)] = 60
    for at in (0, box, *(round(2 * box + pitch * col) for col in range(cols + 1))):
        page[:, at] = 60

    grid = find_grids(page)[0]

    assert (grid.xs.at(grid.cols), grid.ys.at(grid.rows)) == pytest.approx((right, bottom), abs=2)


def test_the_edges_of_writing_beside_a_grid_are_no_line_of_it() -> None:
    """A column of ones, one cell to the left, with shelves between them."""
    picture = drawn(6, 6, 30, 90, 40)
    for row in range(6):
        picture[45 + 30 * row : 66 + 30 * row, 60] = 0
        picture[40 + 30 * row, 60:90] = 0

    (grid,) = find_grids(picture)

    assert (grid.cols, grid.rows) == (6, 6)
    assert grid.xs.first == pytest.approx(90.5, abs=0.51)


def test_an_empty_picture_has_no_grid() -> None:
    assert find_grids(np.full((200, 300, 3), 255, np.uint8)) == []


def test_the_strongest_channel_is_the_maximum_over_the_channels() -> None:
    channels = np.random.default_rng(1).integers(0, 256, (9, 7, 3)).astype(np.uint8)
    assert (strongest(channels) == channels.max(axis=2)).all()


def test_a_faint_texture_does_not_bend_the_lattice() -> None:
    rng = np.random.default_rng(5)
    shades = np.full((400, 420), 200.0)
    for row in range(len(shades)):
        starts = np.sort(rng.integers(0, 420, 12))
        for start, end in pairwise([0, *starts.tolist(), 420]):
            shades[row, start:end] += rng.normal(0.0, 2.0)
    for line in range(11):
        wide = 4 if line % 5 == 0 else 1
        shades[40 + 32 * line : 40 + 32 * line + wide, 40:364] = 90
        shades[40:364, 40 + 32 * line : 40 + 32 * line + wide] = 90
    pixels = np.repeat(shades[..., None], 3, axis=2).astype(np.uint8)

    grid = grids_of(*straight_steps(pixels, least_levels=4))[0]

    assert (grid.rows, grid.cols) == (10, 10)
    assert grid.ys.pitch == pytest.approx(32.0, abs=0.1)
    assert grid.ys.at(10) == pytest.approx(361, abs=2)


def half_filled(name: str, seed: int) -> tuple[Any, Frame]:
    """A practice board of a declared game with some of its solution entered, and a frame of it."""
    board, rng = small_board(name, 1000 + seed), random.Random(seed)
    fresh, entered = dict(board.entries), board.entries
    solve_on(name, board)
    share = rng.random()
    for at in [at for at in entered if rng.random() > share]:
        entered.pop(at)
        if at in fresh:
            entered[at] = fresh[at]
    return board, Frame(board.render(1000.0).copy())


@pytest.mark.parametrize(("name", "seed"), [("filling", 6), ("slant", 23)])
def test_what_stands_in_the_cells_moves_no_line_and_hides_no_row(name: str, seed: int) -> None:
    """Strokes of digits had bent the lattice; clues on an outer line had hidden it with the row that it bounds."""
    board, frame = half_filled(name, seed)

    reading = GAMES[name].read(frame, board.profile)

    assert GAMES[name].identity(reading.puzzle) == GAMES[name].identity(board.puzzle)
    assert GAMES[name].claim(scene_of(frame)) is not None


@pytest.mark.parametrize(
    ("name", "seed", "side", "cells"),
    [
        ("flip", 50, "top", 1.0),
        ("flip", 53, "left", 0.9),
        ("flip", 52, "top", 0.5),
        ("undead", 52, "right", 0.6),
    ]
    + [("magnets", 53, "bottom", 0.9)],
)
def test_a_picture_that_cuts_a_row_or_its_clues_off_is_no_whole_board(
    name: str, seed: int, side: str, cells: float
) -> None:
    game, board = GAMES[name], small_board(name, seed)
    pixels = board.render(10.0).copy()
    whole = game.read(Frame(pixels), board.profile)
    cut, area = round(cells * whole.geometry.pitch_px), whole.area
    left = area.left + cut if side == "left" else 0
    top = area.top + cut if side == "top" else 0
    right = area.right - cut if side == "right" else pixels.shape[1]
    bottom = area.bottom - cut if side == "bottom" else pixels.shape[0]

    with contextlib.suppress(VisionError):
        assert game.read(Frame(pixels[top:bottom, left:right].copy()), board.profile).unknown


@pytest.mark.parametrize("seed", [81, 84])
def test_what_lies_beside_a_digit_makes_no_number_that_the_game_does_not_have(seed: int) -> None:
    """A small pop-up or a pointer beside a 1 had made it a printed 13 or 17, on a board of six."""
    board = small_board("solo", seed)
    pixels = board.render(10.0).copy()
    whole = GAMES["solo"].read(Frame(pixels.copy()), board.profile)

    for cell in whole.puzzle.given:
        x, y = (round(value) for value in whole.geometry.centres[cell])
        covered = pixels.copy()
        covered[y - 8 : y + 9, x + 8 : x + 16] = 255
        cv2.putText(covered, "7", (x + 7, y + 8), 0, 0.7, (0, 0, 0), 2, cv2.LINE_AA)
        with contextlib.suppress(VisionError):
            reading = GAMES["solo"].read(Frame(covered), board.profile)
            assert cell in reading.doubtful or reading.puzzle.given.get(cell, "?") in "123456"


def test_dark_diagonals_of_a_solo_board_are_part_of_its_rules() -> None:
    """A cell beside them is selected, and darker still."""
    path = Path(__file__).parent / "screens" / "solo" / "sgt-x.png"
    pixels = np.asarray(cv2.imread(str(path)), np.uint8)

    reading = GAMES["solo"].read(Frame(pixels), Profile("solo", "default"))

    assert GAMES["solo"].unparse(reading.puzzle) == path.with_suffix(".txt").read_text().split()[0]


def test_clues_that_a_player_has_ticked_off_are_clues() -> None:
    """The program draws them in grey."""
    path = Path(__file__).parent / "screens" / "towers" / "sgt-new.png"
    pixels = np.asarray(cv2.imread(str(path)), np.float64)
    below = pixels[-50:]
    ground, ticked = float(below.max()), 153.0
    below[:] = ticked + (ground - ticked) / ground * below

    reading = GAMES["towers"].read(Frame(pixels.astype(np.uint8)), Profile("towers", "default"))

    assert not reading.doubtful
    assert GAMES["towers"].unparse(reading.puzzle) == path.with_suffix(".txt").read_text().split()[0]


@pytest.mark.parametrize("grain", [5, 6, 8])
def test_grain_beside_a_grid_is_no_row_of_it(grain: int) -> None:
    """On white the grain is clipped away; on the grey below, it looks like lines everywhere."""
    cells, pitch = 12, 50
    end = 20 + pitch * cells
    pixels = np.full((end + 110, end + 60, 3), 240.0)
    pixels[20:end, 20:end] = 255
    # The lower edge of the panel is where the next line would be.
    pixels[end + pitch :] = 150
    for at in range(20, end + 1, pitch):
        pixels[20 : end + 1, at : at + 2] = pixels[at : at + 2, 20 : end + 1] = 0
    pixels += np.random.default_rng(1).normal(0, grain, pixels.shape)

    found = find_grids(np.clip(pixels, 0, 255).astype(np.uint8))

    assert [(grid.rows, grid.cols) for grid in found] == [(cells, cells)]


CUT_ONES = ("flip", "lightup", "unequal", "slant")


@pytest.mark.parametrize("part", [0.0, 0.3, 0.95])
@pytest.mark.parametrize("name", CUT_ONES)
def test_a_declared_board_that_the_pictures_edge_cuts_is_no_smaller_one(name: str, part: float) -> None:
    """Cut so far (in cells) beyond a line that is not the last one; the golden picture is what is left of a window."""
    path = next(path for path in PAIRS if path.parent.name == name)
    frame, game = frame_of(path), GAMES[name]
    grid = game.read(frame, profile_of(name)).seen.board.grid
    end = round(grid.ys.at(grid.rows - 1) + part * grid.ys.pitch) + 1
    right = round(grid.xs.at(grid.cols - 2) + part * grid.xs.pitch) + 1

    for pixels in (frame.pixels[:end], frame.pixels[:, :right]):
        with pytest.raises(VisionError):
            game.read(Frame(np.ascontiguousarray(pixels)), profile_of(name))


def test_a_board_at_the_edge_says_that_its_window_is_partly_off_the_screen() -> None:
    path = next(path for path in PAIRS if path.parent.name == "lightup")
    frame, game = frame_of(path), GAMES["lightup"]
    grid = game.read(frame, profile_of("lightup")).seen.board.grid

    with pytest.raises(PartlyOff, match="partly off the screen"):
        game.read(Frame(frame.pixels[: round(grid.ys.at(grid.rows - 1)) + 2].copy()), profile_of("lightup"))


@pytest.mark.parametrize("seed", [0, 8, 13])
def test_lamps_near_the_lines_do_not_hide_their_colour(seed: int) -> None:
    """What is beside a line is looked at before the discs of the lamps begin."""
    game = GAMES["lightup"]
    board = game.practice(random.Random(seed), skin="paper")  # type: ignore[call-arg]
    solve_on("lightup", board)

    reading = game.read(Frame(np.asarray(board.render(0.0)).copy()), board.profile)

    assert not reading.doubtful and board.solved()


def test_steps_of_crosses_that_run_together_hide_no_lines() -> None:
    """What is as wide as cells is no line, however regularly four such pieces stand."""
    profile = np.zeros(720, np.int64)
    profile[[257, *range(276, 633, 3), *range(647, 716, 3)]] = 100
    profile[[1, 238, *range(287, 720, 48)]] = 460

    assert any(abs(comb.pitch - 48) < 1 and comb.count >= 10 for _, comb in _combs(profile))


def test_cells_nearly_twice_as_wide_as_high_are_no_halves_of_themselves() -> None:
    """Lines half as far apart make squares of them, but only every second one of those is there."""
    page = np.full((634, 980, 3), 8, np.uint8)
    page[:31], page[31:, 1], page[31:, 979] = 40, 90, 90
    for row, col in np.ndindex(6, 6):
        left, right = (7, 96) if col == 0 else (174 * col - 72, 174 * col + 99)
        top, bottom = (37, 109) if row == 0 else (97 * row + 18, 97 * row + 112)
        if row or col:
            page[top:bottom, left:right] = 230

    (grid,) = find_grids(page)

    assert (grid.cols, grid.rows) == (5, 5)
    assert (grid.xs.pitch, grid.ys.pitch) == pytest.approx((174, 97), abs=0.5)


@pytest.mark.parametrize(("pitch", "wide", "beside"), [(37.5, 44, 6), (38.0, 44, 6), (40.0, 40, 12)])
def test_boxes_beside_separate_cells_take_no_last_column_away(pitch: float, wide: int, beside: int) -> None:
    """A box of numbers at the left of each row, and one above each column; cells are 14 px apart."""
    page = np.full((843, 601, 3), (151, 184, 222), np.uint8)
    starts = [round(140 + pitch * col) for col in range(8)]
    size, box = round(pitch - 14), (242, 225, 207)
    for top in range(281, 281 + 11 * 48, 48):
        cv2.rectangle(page, (140 - beside - wide, top + 2), (140 - beside, top + 36), box, -1)
        cv2.rectangle(page, (140 - beside - wide, top + 2), (140 - beside, top + 36), 0, 1)
        for left in starts:
            cv2.rectangle(page, (left, top), (left + size, top + 39), (255, 255, 255), -1)
    for left in starts:
        cv2.rectangle(page, (left, 211), (left + size, 271), box, -1)
        cv2.rectangle(page, (left, 211), (left + size, 271), 0, 1)

    grid = find_grids(page)[0]

    assert abs(grid.centre(0, grid.cols - 1).x - starts[7] - size / 2) < 3


def test_a_comb_that_fits_its_lines_badly_is_worth_less_than_one_without_the_first_of_them() -> None:
    """Two ways to see where the lines of separate cells in a JPEG are; the first one is a box of numbers beside them."""
    inner = [126.5, 176, 226.5, 276, 326, 376, 426, 476]
    badly, well = (
        max(score for score, _ in _fits(np.array([*first, *inner]), np.full(10, 650.0), [50.0, 52.0]))
        for first in ([10.0, 63.0], [5.5, 76.5])
    )

    assert badly < well


@pytest.mark.parametrize(
    ("cols", "rows"),
    [((1, 6), (3, 8)), ((1, 4, 6, 8), (1, 6, 8)), ((2, 6), (3, 4, 7, 8)), ((), (5,))],
)
def test_lines_that_a_zoomed_out_browser_does_not_draw_part_no_grid(
    cols: tuple[int, ...], rows: tuple[int, ...]
) -> None:
    """Lines of less than a px between cells of 17.4 px: some are nowhere, and those across run on."""
    page = np.full((300, 300, 3), 255, np.uint8)
    places = [40 + round(17.4 * i) for i in range(11)]
    for i, at in enumerate(places):
        if i not in cols:
            page[40 : places[-1] + 1, at] = 60
        if i not in rows:
            page[at, 40 : places[-1] + 1] = 60

    (grid,) = find_grids(page)

    assert (grid.cols, grid.rows) == (10, 10)
    assert (grid.xs.pitch, grid.ys.pitch) == pytest.approx((17.4, 17.4), abs=0.07)


@pytest.mark.parametrize("wide", [2, 3])
@pytest.mark.parametrize("beyond", [0, 1, 2, 4])
def test_boxes_as_wide_as_several_cells_are_no_cells_beside_a_grid(wide: int, beyond: int) -> None:
    """beyond: how many cells farther out a frame around them has its edge."""
    left = 24 * beyond + 10
    page = drawn(10, 10, 24, left + 24 * wide, 20)
    page[20:261, [10, left]] = 0
    page[20:261:24, left : left + 24 * wide] = 0
    page[[20, 260], 10:left] = 0

    (grid,) = find_grids(page)

    assert (grid.cols, grid.rows) == (10, 10)


def test_two_grids_two_cells_apart_are_not_one() -> None:
    page = np.hstack((drawn(5, 8, 24, 20, 20)[:, :141], drawn(5, 8, 24, 47, 20)))

    assert [(grid.cols, grid.rows) for grid in find_grids(page)] == [(5, 8)] * 2


def test_long_lines_of_the_page_that_hang_together_with_a_grid_hide_it_not() -> None:
    upright, level = np.zeros((2, 500, 900), np.bool_)
    for line in range(11):
        upright[100:400, 300 + 30 * line] = True
        level[100 + 30 * line, 300:601] = True
    upright[:, [151, 625, 695, 813]] = True
    level[[100, 400]] = True

    grids = grids_of(upright, level)

    assert [(grid.cols, grid.rows) for grid in grids] == [(10, 10)]


def test_a_bar_over_a_small_board_hides_none_of_its_lines() -> None:
    """Its edge is longer than all of them together; with the end of the panel under them it makes two lines of a comb."""
    lines = np.array([2.0, 16.0, 48.0, 80.0, 112.0, 144.0, 176.0, 192.0])
    mass = np.array([800.0, 162.0, 160.0, 160.0, 160.0, 160.0, 162.0, 192.0])

    combs = [comb for _, comb in _fits(lines, mass, [32.0])]

    assert [(comb.first, comb.pitch, comb.count) for comb in combs] == [(16.0, 32.0, 6)]


@pytest.mark.parametrize(
    ("cols", "rows", "pitch", "step", "high"), [(5, 5, 60, 35, 24), (4, 5, 70, 40, 28), (8, 8, 48, 52, 36)]
)
@pytest.mark.parametrize("beside", [24, 60])
def test_panels_beside_a_grid_hide_no_row_of_it(
    cols: int, rows: int, pitch: int, step: int, high: int, beside: int
) -> None:
    """Lines of the page hang the grid together with a banner, so that buttons and a list are in the box of both."""
    left, top, edge = 330, 220, 250
    right, below = left + cols * pitch + beside, top + rows * pitch
    picture = np.full((below + 30, right + 230, 3), 255, np.uint8)
    picture[:, : left + cols * pitch + 30] = drawn(cols, rows, pitch, left, top)
    picture[:140] = 30
    picture[140:, edge - 2 : edge] = 0
    picture[top - 1, edge : left + cols * pitch + 1] = 0
    for button in range(156, below, step):
        cv2.rectangle(picture, (64, button), (184, button + high), (120,) * 3)
    for upper, lower in ((156, below - 90), (below - 78, below - 4)):
        cv2.rectangle(picture, (right, upper), (right + 200, lower), (0,) * 3)
    # The list's bar, with its two arrows.
    cv2.rectangle(picture, (right + 184, 156), (right + 200, below - 90), (0,) * 3)
    picture[[172, 196, below - 106], right + 184 : right + 200] = 0

    sizes = [(grid.cols, grid.rows) for grid in find_grids(picture)]

    assert sizes[:1] == [(cols, rows)]


@pytest.mark.parametrize(("pitch", "away"), [(39, 7), (48, 7)])
def test_a_grid_without_a_frame_has_the_cells_beside_which_numbers_stand_near(pitch: int, away: int) -> None:
    """The edges of the numbers passed for an outer line off its place, and the cells up to it were left out."""
    page = np.full((250 + 15 * pitch, 100 + 15 * pitch, 3), 255, np.uint8)
    last = 40 + 15 * pitch
    for at in range(40 + pitch, last, pitch):
        cv2.line(page, (at, 40), (at, last), (0, 200, 250), 2)
        cv2.line(page, (40, at), (last, at), (0, 200, 250), 2)
    for nth in range(15):
        foot = 40 + pitch * nth + pitch // 5, last + away + round(0.75 * pitch)
        cv2.putText(
            page, f"{1 + nth % 8}", foot, cv2.FONT_HERSHEY_SIMPLEX, pitch / 32, (80, 80, 80), 2, cv2.LINE_AA
        )

    grid = Scene(page).grids()[0]

    assert (grid.rows, grid.cols) == (15, 15)


@pytest.mark.parametrize(("side", "across", "down"), [(14, 2, 7), (20, 1, 9), (24, 2, 9), (28, 3, 14)])
def test_raised_cells_whose_rows_stand_farther_apart_than_their_columns_are_found(
    side: int, across: int, down: int
) -> None:
    """Gaps of a third of the pitch passed for one of cells that would be larger; or the first row was beyond reach."""
    page = np.full((90 + 5 * (side + down), 80 + 6 * (side + across), 3), 217, np.uint8)
    for row, col in product(range(5), range(6)):
        top, left = 60 + row * (side + down), 50 + col * (side + across)
        button = page[top : top + side, left : left + side]
        button[:, 0] = button[0] = 255
        button[1:, -1] = button[-1, 1:] = 130
        button[2:-2, 2:-2] = 255

    (grid,) = find_grids(page)

    assert (grid.rows, grid.cols) == (5, 6)
    assert (grid.xs.pitch, grid.ys.pitch) == pytest.approx((side + across, side + down), abs=0.5)


@pytest.mark.parametrize(("pitch", "away"), [(60, 9), (60, 12), (60, 18), (110, 20)])
def test_the_edges_of_a_frame_near_few_cells_do_not_draw_these_apart(pitch: int, away: int) -> None:
    """A comb reached from edge to edge of the frame: its inner lines still were those of the cells, all too near together."""
    side = 4 * pitch + 1
    page = np.full((side + 2 * pitch, side + 2 * pitch, 3), 90, np.uint8)
    for out, shade in ((away + pitch // 6, 40), (away + pitch // 10, 200), (away, 20)):
        page[pitch - out : pitch + side + out, pitch - out : pitch + side + out] = shade
    cells = page[pitch : pitch + side, pitch : pitch + side]
    cells[:] = 255
    cells[pitch : 2 * pitch] = 0
    cells[::pitch] = cells[:, ::pitch] = 170

    (grid,) = find_grids(page)

    assert (grid.cols, grid.rows) == (4, 4)
    assert (grid.xs.pitch, grid.ys.pitch) == pytest.approx((pitch, pitch), abs=0.5)


@pytest.mark.parametrize(("pitch", "high"), [(40, 15), (66, 16), (44, 20)])
def test_ones_in_the_middles_of_all_cells_do_not_halve_these(pitch: int, high: int) -> None:
    """Their strokes and the lines made a comb of half the pitch that left nothing over, and no other was looked for."""
    page = drawn(6, 6, pitch, 17, 23)
    for row, col in product(range(6), range(6)):
        x, y = 17 + col * pitch + pitch // 2, 23 + row * pitch + (pitch - high) // 2
        page[y : y + high, x : x + 2] = 0

    (grid,) = find_grids(page)

    assert (grid.cols, grid.rows) == (6, 6)


@pytest.mark.parametrize("part", [0.15, 0.5, 1.0])
@pytest.mark.parametrize(
    ("name", "side"),
    [("towers", "left"), ("towers", "bottom"), ("tents", "right"), ("undead", "top"), ("magnets", "left")],
)
def test_numbers_beside_a_board_that_the_pictures_edge_cuts_are_said_to_be_cut(
    name: str, side: str, part: float
) -> None:
    """So much of them is missing, in shares of what is drawn there; they had been in doubt, without a word of the edge."""
    game, board = GAMES[name], small_board(name, 52)
    pixels = board.render(10.0).copy()
    grid = game.read(Frame(pixels), board.profile).seen.board.grid
    turns = {"left": 0, "top": 1, "right": 2, "bottom": 3}[side]
    # Turned so that the side is at the left.
    turned = np.rot90(pixels, turns)
    comb = (grid.xs, grid.ys)[turns % 2]
    first = round(comb.first if turns < 2 else turned.shape[1] - comb.at(comb.count - 1))
    beside = turned[:, max(first - round(0.95 * comb.pitch), 0) : first - 4].astype(int)
    drawn = np.flatnonzero((np.abs(beside - beside[0, 0]).max(axis=2) > 60).any(axis=0))
    start = first - 4 - beside.shape[1] + round(drawn[0] + part * (drawn[-1] - drawn[0])) + 1
    cut = np.rot90(turned[:, start:], -turns)

    with pytest.raises(PartlyOff, match=f"numbers? beside the board (is|are) cut by the {side} edge"):
        game.read(Frame(np.ascontiguousarray(cut)), board.profile)


@pytest.mark.parametrize(("wide", "high", "box"), [(67, 103, 63), (60, 90, 60), (67, 100, 67)])
def test_cells_half_as_high_again_as_wide_are_no_finer_grid_of_squares(
    wide: int, high: int, box: int
) -> None:
    """With the boxes of the clues their lines nearly fit a lattice of squares, two of every three of them missing."""
    left, top, cells = 150, 60 + 2 * box, 5
    page = np.full((top + cells * high + 60, left + cells * wide + 70, 3), 203, np.uint8)
    for at in range(cells):
        x, y = left + at * wide, top + at * high
        page[top - box : top - 1, x : x + wide - 1] = 221
        if at % 2:
            page[top - 2 * box : top - box - 1, x : x + wide - 1] = 221
        page[y : y + high - 1, left - 41 : left - 1] = 221
    page[top : top + cells * high, left : left + cells * wide] = 255
    for at in range(1, cells + 1):
        page[top + at * high - 1, left : left + cells * wide] = 170
        page[top : top + cells * high, left + at * wide - 1] = 170

    (grid,) = find_grids(page)

    assert (grid.cols, grid.rows, round(grid.xs.pitch), round(grid.ys.pitch)) == (cells, cells, wide, high)
