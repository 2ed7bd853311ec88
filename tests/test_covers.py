"""What lies over a board: over a nonogram it is told by its edges and by the lines that it hides, in games of declared
looks by where things stand in their cells, by their forms, and by lines that go on."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.scorecard.items import items_of_reading
from bot.scorecard.spoil import as_jpeg
from calibration import store
from solver.lattice import Square
from tests.laboratory import chance
from tests.lies import solve_on
from tests.test_screens import frame_of, items_in, profile_of
from vision.errors import VisionError
from vision.frame import Frame, Pixels
from vision.measures.borders import Borders
from vision.measures.covers import COVERED, covered, unlined

SCREENS = Path(__file__).parent / "screens" / "nonogram"
PROFILE = store.load("nonogram", store.DEFAULT)

Drawing = Callable[[Pixels], None]


def box(left: int, top: int, width: int, height: int, colour: tuple[int, int, int]) -> Drawing:
    """A tooltip without a border."""

    def drawn(pixels: Pixels) -> None:
        cv2.rectangle(pixels, (left, top), (left + width, top + height), colour, -1)

    return drawn


def framed(left: int, top: int, width: int, height: int, colour: tuple[int, int, int]) -> Drawing:
    """A tooltip with a black border."""

    def drawn(pixels: Pixels) -> None:
        box(left, top, width, height, colour)(pixels)
        cv2.rectangle(pixels, (left, top), (left + width, top + height), (0, 0, 0), 1)

    return drawn


def beam(x: int, y: int, high: int) -> Drawing:
    """The pointer over text: white and black, from its upper end."""

    def drawn(pixels: Pixels) -> None:
        for colour, px in (((0, 0, 0), 3), ((255, 255, 255), 1)):
            cv2.line(pixels, (x, y), (x, y + high), colour, px)
            for end in (y, y + high):
                cv2.line(pixels, (x - high // 4, end), (x + high // 4, end), colour, px)

    return drawn


def crosshair(x: int, y: int, reach: int) -> Drawing:
    """The pointer of drawing programs: black with a white core."""

    def drawn(pixels: Pixels) -> None:
        for colour, px in (((0, 0, 0), 2), ((255, 255, 255), 1)):
            cv2.line(pixels, (x, y - reach), (x, y + reach), colour, px)
            cv2.line(pixels, (x - reach, y), (x + reach, y), colour, px)

    return drawn


def words(
    left: int, top: int, text: str, colours: tuple[tuple[int, int, int], tuple[int, int, int]]
) -> Drawing:
    """A tooltip with words in it and a grey border."""

    def drawn(pixels: Pixels) -> None:
        (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
        end = left + wide + 12, top + high + 12
        cv2.rectangle(pixels, (left, top), end, colours[0], -1)
        cv2.rectangle(pixels, (left, top), end, (118, 118, 118), 1)
        cv2.putText(
            pixels,
            text,
            (left + 6, top + 6 + high),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.5,
            colours[1],
            1,
            cv2.LINE_AA,
        )

    return drawn


def menu(left: int, top: int, side: int, colours: tuple[tuple[int, int, int], ...]) -> Drawing:
    """Two rows of square buttons with signs on them, of colours that no cell has."""

    def drawn(pixels: Pixels) -> None:
        gap = side // 12
        right, bottom = left + len(colours) * (side + gap) + gap, top + 2 * (side + gap) + gap
        cv2.rectangle(pixels, (left, top), (right, bottom), (232, 232, 231), -1)
        for row in range(2):
            for number, colour in enumerate(colours):
                x, y = left + gap + number * (side + gap), top + gap + row * (side + gap)
                cv2.rectangle(pixels, (x, y), (x + side, y + side), colour, -1)
                near, far = side // 4, 3 * side // 4
                cv2.line(pixels, (x + near, y + near), (x + far, y + far), (0, 0, 0), side // 10)
                if row:
                    cv2.line(pixels, (x + far, y + near), (x + near, y + far), (0, 0, 0), side // 10)

    return drawn


def message(left: int, top: int, width: int, height: int, colour: tuple[int, int, int]) -> Drawing:
    """A plate with round ends."""

    def drawn(pixels: Pixels) -> None:
        half = height // 2
        cv2.rectangle(pixels, (left + half, top), (left + width - half, top + height), colour, -1)
        for x in (left + half, left + width - half):
            cv2.circle(pixels, (x, top + half), half, colour, -1)

    return drawn


RED, ORANGE, BLUE = (28, 42, 240), (83, 182, 247), (150, 60, 30)
DARK_WORDS, LIGHT_WORDS = ((0, 0, 0), (255, 255, 255)), ((225, 255, 255), (0, 0, 0))
COVERS: list[tuple[str, str, Drawing]] = [
    ("web, dark", "practice-web-empty", box(374, 440, 96, 32, (163, 147, 138))),
    ("wood, dark", "practice-wood-empty", box(233, 145, 53, 18, (40, 40, 40))),
    ("sgt, black", "sgt-pattern-15x15-part", box(184, 271, 38, 21, (0, 0, 0))),
    ("sgt, white over filled cells", "sgt-pattern-20x20-solved", box(509, 384, 66, 26, (255, 255, 255))),
    ("phone, words", "practice-phone-empty", words(375, 847, "New game", DARK_WORDS)),
    ("night, words", "practice-night-part", words(400, 404, "3 left", ((235, 206, 120), (0, 0, 0)))),
    ("paper, over the edge", "practice-paper-part", box(210, 428, 91, 26, (30, 20, 20))),
    ("night, over the edge", "practice-night-empty", words(545, 420, "Undo", LIGHT_WORDS)),
    ("sgt, menu", "sgt-pattern-10x10-part", menu(159, 243, 56, (RED, ORANGE, BLUE))),
    ("night, menu", "practice-night-part", menu(373, 181, 48, (RED, ORANGE, BLUE))),
    ("candy, message over the edge", "practice-candy-part", message(139, 270, 180, 28, (50, 140, 30))),
    ("wood, menu", "practice-wood-part", menu(203, 169, 64, (RED, ORANGE, BLUE))),
    ("phone, as filled cells", "practice-phone-part", box(331, 635, 288, 136, (150, 74, 32))),
    ("phone, as filled cells, over some", "practice-phone-part", box(542, 457, 252, 268, (150, 74, 32))),
    ("round, as filled cells", "practice-round-part", box(398, 588, 147, 49, (96, 60, 180))),
    ("sgt, as filled cells", "sgt-pattern-15x15-part", box(298, 230, 106, 84, (0, 0, 0))),
]


@pytest.mark.parametrize(("name", "cover"), [case[1:] for case in COVERS], ids=[case[0] for case in COVERS])
def test_what_lies_over_cells_in_their_own_colour_puts_them_in_doubt(name: str, cover: Drawing) -> None:
    frame = frame_of(SCREENS / f"{name}.png")
    true = items_in((SCREENS / f"{name}.txt").read_text(encoding="utf-8"))
    pixels = frame.pixels.copy()
    cover(pixels)

    reading = GAMES["nonogram"].read(Frame(pixels), PROFILE)

    told = {cell: mark.symbol for cell, mark in reading.marks.items() if mark.symbol is not None}
    wrong = [cell for cell, symbol in told.items() if symbol != true[f"cell {cell.row},{cell.col}"]]
    assert wrong == []
    assert reading.doubtful
    assert not {*reading.placed.filled, *reading.placed.blank} & {*reading.doubtful}


def arrow(x: int, y: int) -> Drawing:
    """The usual pointer: white with a black edge, from its tip."""
    outline = np.array([(0, 0), (0, 16), (4, 12), (7, 18), (9, 17), (6, 11), (11, 11)], np.int32)

    def drawn(pixels: Pixels) -> None:
        cv2.fillPoly(pixels, [outline + (x, y)], (255, 255, 255))
        cv2.polylines(pixels, [outline + (x, y)], True, (0, 0, 0), 1)

    return drawn


OVER_GRIDS: list[tuple[str, str, Drawing]] = [
    ("a tooltip as two lamps", "lightup/sgt-solved", framed(172, 240, 74, 18, (255, 255, 255))),
    ("a tooltip over the lowest row", "lightup/sgt-part", box(40, 235, 71, 31, (0, 0, 0))),
    (
        "a tooltip over the uppermost row",
        "mosaic/sgt-solved",
        words(19, 26, "3 left", ((230, 230, 230), (0, 0, 0))),
    ),
    ("a pointer beside a digit", "solo/sgt-solo-9jx-part", beam(127, 451, 18)),
    ("a pointer as a digit", "unequal/sgt-new", beam(26, 195, 14)),
    ("a pointer as a sign", "unequal/sgt-new", beam(58, 44, 21)),
    ("a tooltip as a zombie", "undead/sgt-solved", box(252, 265, 102, 37, (115, 230, 115))),
    ("a tooltip over a tower", "towers/sgt-towers-6x6-part", framed(300, 262, 49, 31, (0, 138, 0))),
    ("a pointer with a white core as a digit", "unequal/sgt-part", beam(221, 146, 18)),
    ("a crosshair as a sign", "unequal/sgt-solved", crosshair(99, 58, 7)),
    ("a pointer as a clue beside the board", "magnets/sgt-6x5dtS-part", beam(210, 235, 14)),
    ("a tooltip over a part of the frame", "net/sgt-5x5-part", box(120, 15, 48, 26, (40, 40, 40))),
    ("a pointer over a part of the frame", "net/sgt-5x5-part", beam(137, 14, 29)),
    ("a tooltip that touches a clue", "magnets/sgt-8x7de-new", box(40, 0, 102, 37, (225, 255, 255))),
    ("a pointer over a clue at a corner", "slant/sgt-new", arrow(96, 60)),
    ("half a domino in the ground's colour", "magnets/sgt-6x5dtS-part", box(0, 189, 62, 26, (213, 213, 213))),
]


@pytest.mark.parametrize(
    ("name", "cover"), [case[1:] for case in OVER_GRIDS], ids=[case[0] for case in OVER_GRIDS]
)
def test_what_lies_over_a_declared_game_is_never_read_as_a_part_of_it(name: str, cover: Drawing) -> None:
    path = SCREENS.parent / f"{name}.png"
    game, frame = GAMES[path.parent.name], frame_of(path)
    true = items_in(path.with_suffix(".txt").read_text(encoding="utf-8"))
    pixels = frame.pixels.copy()
    cover(pixels)

    try:
        reading = game.read(Frame(pixels), profile_of(game.name))
    except VisionError:
        return

    told = items_of_reading(game, reading)
    assert {
        item: value for item, value in told.items() if value is not None and value != true.get(item)
    } == {}
    assert reading.doubtful


@pytest.mark.parametrize("name", [name for name in GAMES if GAMES[name].eyes is not None])
def test_nothing_lies_over_a_practice_board_that_is_solved(name: str) -> None:
    """Its digits are larger and its faces less exactly in their places than those of the programs."""
    board = GAMES[name].practice(random.Random(3))
    solve_on(name, board)

    reading = GAMES[name].read(Frame(np.ascontiguousarray(board.render(0.0))), board.profile)

    assert not reading.doubtful


@pytest.mark.parametrize("quality", [75, 50])
@pytest.mark.parametrize("name", ["sgt-part", "sgt-solved"])
def test_a_monster_that_a_lossy_picture_breaks_is_never_told_as_nothing(name: str, quality: int) -> None:
    path = SCREENS.parent / "undead" / f"{name}.png"
    true = items_in(path.with_suffix(".txt").read_text(encoding="utf-8"))

    try:
        reading = GAMES["undead"].read(Frame(as_jpeg(quality)(frame_of(path).pixels)), profile_of("undead"))
    except VisionError:
        return

    told = items_of_reading(GAMES["undead"], reading)
    assert {
        item: value for item, value in told.items() if value is not None and value != true.get(item)
    } == {}


@pytest.mark.parametrize("inset", ["flat", "bevel", "shadow", "relief"])
def test_the_first_cell_of_a_look_is_no_cover_however_it_is_drawn(inset: str) -> None:
    """The first cell that a player fills is the only one of its look: narrower than its cell, or with a bevel."""
    pixels = np.full((246, 246, 3), 255, np.uint8)
    for at in range(3, 246, 30):
        pixels[at, 3:244] = pixels[3:244, at] = 128
    left, top = 3 + 30 * 3, 3 + 30 * 4
    pixels[top + 3 : top + 28, left + 3 : left + 28] = (120, 60, 40)
    if inset == "bevel":
        pixels[top + 1 : top + 3, left + 1 : left + 30] = pixels[top + 1 : top + 30, left + 1 : left + 3] = (
            220
        )
        pixels[top + 28 : top + 30, left + 1 : left + 30] = (40, 20, 10)
        pixels[top + 1 : top + 30, left + 28 : left + 30] = (40, 20, 10)
    if inset == "shadow":
        pixels[top + 28 : top + 30, left + 5 : left + 30] = pixels[
            top + 5 : top + 30, left + 28 : left + 30
        ] = 90
    if inset == "relief":
        pixels[top + 1 : top + 30, left + 1 : left + 30] = (120, 60, 40)
        cv2.rectangle(pixels, (left + 5, top + 5), (left + 26, top + 26), (200, 200, 200), 2)
    looks = np.zeros((8, 8), np.int64)
    looks[4, 3] = 1
    edges = tuple(3.5 + 30 * step for step in range(9))

    sides = covered(pixels, Borders(edges, edges), looks, [(255, 255, 255), (120, 60, 40)])

    assert not sides.any()


@pytest.mark.parametrize("cell", [(0, 0), (0, 24), (24, 0), (12, 12)])
def test_the_first_cell_with_a_run_of_colours_beside_lines_a_px_off_is_no_cover(
    cell: tuple[int, int],
) -> None:
    """A browser zoomed out puts lines on whole px: the outer ones lie further out than their places, others do not."""
    size, pitch, start = 25, 12.38, 20
    lines = [start + round(pitch * nth) for nth in range(size + 1)]
    pixels = np.full((350, 350, 3), 255, np.uint8)
    row, col = cell
    middle = [(lines[nth] + lines[nth + 1]) / 2 for nth in cell]
    for down, across in product(range(lines[row] + 1, lines[row + 1]), range(lines[col] + 1, lines[col + 1])):
        red = max(0, round(127 - 2.9 * ((down - middle[0]) ** 2 + (across - middle[1]) ** 2)))
        pixels[down, across] = (226 + red // 7, 181 + red // 3, red)
    for nth in range(size + 1):
        at, light = lines[nth], 204 if nth % 5 else 85
        pixels[at, lines[0] : lines[-1]] = pixels[lines[0] : lines[-1], at] = light
    looks = np.zeros((size, size), np.int64)
    looks[row, col] = 1
    edges = (lines[0] + 0.8, *(at + 0.5 for at in lines[1:-1]), lines[-1] + 0.3)

    sides = covered(pixels, Borders(edges, edges), looks, [(255, 255, 255), (240, 210, 107)])

    assert not sides.any()


def test_a_relief_beside_a_line_where_few_cells_have_it_is_no_cover() -> None:
    """Filled cells with a shadow of a strong colour along their edges; there is only one of them above the thick line."""
    step, size, ink = 53, 10, (245, 218, 128)
    side = step * size + 10
    pixels = np.full((side, side, 3), 255, np.uint8)
    looks = np.zeros((size, size), np.int64)
    looks[:4, 1:] = looks[7:, :9] = looks[4, 4] = 1
    for row, col in np.argwhere(looks):
        cell = pixels[4 + step * row :, 4 + step * col :][:step, :step]
        for px, red in enumerate((32, 42, 57, 71, 85, 97, 107, 115, 121, 125, 128)):
            cell[1 + px : step - px, 1 + px : step - px] = (226 + red // 7, 181 + red // 4, red)
    for nth in range(size + 1):
        at = 4 + step * nth
        pixels[at, 4:-6] = pixels[4:-6, at] = 204 if nth % 5 else 85
    edges = tuple(4.5 + step * nth for nth in range(size + 1))

    sides = covered(pixels, Borders(edges, edges), looks, [(255, 255, 255), ink])

    assert not sides.any()


def test_two_gaps_beside_each_other_with_the_relief_of_all_cells_are_no_cover() -> None:
    """A finished board: its few empty cells are lit from the left and from above as the filled ones are."""
    step, size, start = 40, 6, 6
    free, ink = (197, 197, 197), (0, 0, 197)
    side = step * size + 2 * start
    pixels = np.zeros((side, side, 3), np.uint8)
    looks = np.ones((size, size), np.int64)
    looks[0, 0] = looks[2, 1] = looks[3, 0] = looks[4, 4:] = 0
    for row, col in np.ndindex(size, size):
        cell = pixels[start + 1 + step * row :, start + 1 + step * col :][: step - 1, : step - 1]
        colour = np.asarray((free, ink)[looks[row, col]])
        cell[:] = colour // 2
        cell[6:, 6:] = colour
        cell[-2:, :] = cell[:, -2:] = colour // 6
    edges = tuple(start + 0.5 + step * nth for nth in range(size + 1))

    sides = covered(pixels, Borders(edges, edges), looks, [free, ink])

    assert not sides.any()


def test_two_first_cells_with_a_bevel_beside_each_other_are_no_cover() -> None:
    """The px in the middle of a line of one px is the same one for every line, be its place odd or even."""
    step, size, start = 41, 5, 4
    line, free, ink = (19, 9, 11), (68, 39, 45), (79, 70, 224)
    side = step * size + 2 * start + 1
    pixels = np.full((side, side, 3), line, np.uint8)
    for row in range(size):
        for col in range(size):
            cell = pixels[start + 1 + step * row :, start + 1 + step * col :][: step - 1, : step - 1]
            cell[:] = ink if row == 0 and col in (2, 3) else free
            for one in (cell, cell.transpose(1, 0, 2)):
                if row == 0 and col in (2, 3):
                    one[0], one[-1] = (123, 116, 232), (59, 52, 168)
                else:
                    one[:2], one[-2], one[-1] = (96, 69, 75), (41, 23, 27), (84, 56, 63)
    looks = np.zeros((size, size), np.int64)
    looks[0, 2:4] = 1
    edges = tuple(start + 0.5 + step * nth for nth in range(size + 1))

    sides = covered(pixels, Borders(edges, edges), looks, [free, ink])

    assert not sides.any()


def test_the_first_cell_beside_gaps_of_nearly_the_free_cells_colour_is_no_cover() -> None:
    """Gaps may be of another width upright and level, and of another one beside the board's edge."""
    gap, frame, free, ink = (253, 247, 247), 229, 255, 51
    wide, high, across = 81, 94, 78
    pixels = np.full((5 * high + 8, 5 * wide + 2, 3), gap, np.uint8)
    pixels[:4] = 241
    for row in range(5):
        for col in range(5):
            cell = pixels[8 + high * row :, 1 + wide * col :][:80, : wide - 1]
            filled = (row, col) == (0, 1)
            cell[:] = ink - 6 if filled else frame
            cell[1:-1, 1:-1] = ink if filled else free
    looks = np.zeros((5, 5), np.int64)
    looks[0, 1] = 1
    xs = tuple(wide * step + 0.5 for step in range(6))
    ys = (4.0, *(8.0 + high * step - (high - 80) / 2 for step in range(1, 6)))
    edges = Borders(xs, ys)
    colours = [(free, free, free), (ink, ink, ink)]

    assert not covered(pixels, edges, looks, colours).any()

    tip = pixels.copy()
    tip[60:120, across : across + 60] = ink
    assert covered(tip, edges, looks, colours)[0, 1] > 0


def test_filled_cells_with_a_run_of_colours_are_no_cover_though_they_are_of_two_looks() -> None:
    """A run of colours is measured a few levels apart from cell to cell: what is usual is known of all of them."""
    drawn = ["x22xxx111x", "x22x11xx1x", *[".........."] * 8]
    pixels = np.full((724, 724, 3), 255, np.uint8)
    side = 66
    slope = np.add.outer(np.arange(side), np.arange(side)) / (2 * side - 2)
    run = (np.stack((np.full_like(slope, 255), 255 - 47 * slope, 200 * (1 - slope)), axis=2)).astype(np.uint8)
    for row, line in enumerate(drawn):
        for col, cell in enumerate(line):
            left, top = 2 + 72 * col, 2 + 72 * row
            pixels[top : top + side + 4, left : left + side + 4] = 0
            pixels[top + 2 : top + side + 2, left + 2 : left + side + 2] = run if cell in "12" else 255
    looks = np.array([[".12x".index(cell) for cell in line] for line in drawn])
    edges = Borders(*[tuple(1.0 + 72 * step for step in range(11))] * 2)
    colours = [(255, 255, 255), (255, 231, 106), (255, 229, 99), (255, 255, 255)]

    assert not covered(pixels, edges, looks, colours).any()


def test_cells_that_all_end_before_an_outer_border_hide_no_line_between_them() -> None:
    """The frame may be some px off the place of the outer border."""
    ink = 28
    pixels = np.full((180, 190, 3), 255, np.uint8)
    for step in range(6):
        pixels[14 : 14 + 152, 19 + 30 * step : 21 + 30 * step] = ink
        pixels[14 + 30 * step : 16 + 30 * step, 19 : 19 + 152] = ink
    pixels[14:44, 19:79] = ink
    looks = np.zeros((5, 5), np.int64)
    looks[0, :2] = 1
    xs = (14.8, *(20.0 + 30 * step for step in range(1, 5)), 175.2)
    edges = Borders(xs, tuple(15.0 + 30 * step for step in range(6)))

    assert not covered(pixels, edges, looks, [(255, 255, 255), (ink, ink, ink)]).any()


def through(line: tuple[int, ...], share: float, cell: tuple[int, ...]) -> tuple[int, ...]:
    """The colour of a line through which so large a share of a cell's colour is seen."""
    return tuple(round((1 - share) * a + share * b) for a, b in zip(line, cell, strict=True))


def test_a_line_through_which_cells_are_seen_is_another_one_beside_filled_cells() -> None:
    free, filled, line = (255, 255, 255), (94, 145, 196), (37, 55, 67)
    pixels = np.full((170, 170, 3), 199, np.uint8)
    for row in range(5):
        for col in range(5):
            cell = filled if (row, col) in ((0, 0), (0, 1)) else free
            part = pixels[10 + 30 * row : 40 + 30 * row, 10 + 30 * col : 40 + 30 * col]
            part[:] = through(line, 0.5, cell)
            part[1:-1, 1:-1] = cell
    looks = np.zeros((5, 5), np.int64)
    looks[0, :2] = 1
    edges = Borders(*[tuple(10.0 + 30 * step for step in range(6))] * 2)

    assert not covered(pixels, edges, looks, [free, filled]).any()

    tip = pixels.copy()
    tip[14:36, 30:50] = (30, 60, 90)
    assert covered(tip, edges, looks, [free, filled])[0, :2].all()


def test_the_frame_of_the_selected_cell_is_no_cover() -> None:
    pixels = np.full((246, 246, 3), 255, np.uint8)
    for at in range(3, 246, 30):
        pixels[at, 3:244] = pixels[3:244, at] = 0
    looks = np.zeros((8, 8), np.int64)
    for row, col in ((4, 2), (3, 3), (0, 0)):
        looks[row, col] = 1
        pixels[4 + 30 * row : 33 + 30 * row, 4 + 30 * col : 33 + 30 * col] = (120, 60, 40)
    cv2.rectangle(pixels, (3 + 30 * 3, 3 + 30 * 4), (33 + 30 * 3, 33 + 30 * 4), (255, 0, 0), 5)
    edges = tuple(3.5 + 30 * step for step in range(9))

    sides = covered(pixels, Borders(edges, edges), looks, [(255, 255, 255), (120, 60, 40)])

    assert not sides.any()


def test_a_frame_in_place_of_the_lines_around_a_cell_is_no_cover() -> None:
    """The cursor of a terminal: the lines of the cells beside it end before it."""
    pixels = np.zeros((246, 246, 3), np.uint8)
    for at in range(3, 246, 30):
        pixels[at, 3:244] = pixels[3:244, at] = 110
    pixels[115:162, 85:132] = 0
    cv2.rectangle(pixels, (93, 123), (123, 153), (235, 235, 235), 1)
    edges = tuple(3.5 + 30 * step for step in range(9))

    sides = covered(pixels, Borders(edges, edges), np.zeros((8, 8), np.int64), [(0, 0, 0)])

    assert not sides.any()


def test_a_disc_in_the_colour_of_empty_cells_may_lie_in_a_filled_one() -> None:
    """Where the pointer is, some programs draw a disc of the colour that a click would give the cell."""
    drawn = ["..##..#.", "........", "...#....", "........", "##....##", "........", ".#....#.", "..####.."]
    pixels = np.zeros((246, 246, 3), np.uint8)
    for row, line in enumerate(drawn):
        for col, cell in enumerate(line):
            left, top = 3 + 30 * col, 3 + 30 * row
            pixels[top + 1 : top + 30, left + 1 : left + 30] = 0 if cell == "#" else 128
    cv2.circle(pixels, (3 + 30 * 3 + 15, 3 + 30 * 2 + 15), 13, (128, 128, 128), -1)
    tip = np.array((3 + 30 * 3 + 18, 3 + 30 * 2 + 18))
    cv2.fillPoly(pixels, [tip + [(0, 0), (0, 18), (5, 14), (13, 13)]], (255, 255, 255))
    looks = np.array([[1 if cell == "#" else 0 for cell in line] for line in drawn])
    looks[2, 3] = 0
    edges = tuple(3.5 + 30 * step for step in range(9))

    sides = covered(pixels, Borders(edges, edges), looks, [(128, 128, 128), (0, 0, 0)])

    assert sides[2, 3] == 4
    assert sides.sum() == 4


def test_cells_with_round_corners_whose_pitch_is_no_whole_px_hold_no_disc() -> None:
    """A phone's screen: what shows at the corners is a px more on some of them."""
    drawn = [".....#..", ".....###", ".....##.", "##...###", "....####", ".....###", "...#.#.#", "........"]
    round_px, edges = 79, tuple(20 + 65.45 * step for step in range(9))
    large = np.full((2280, 2280, 3), 25, np.uint8)
    for row, col in product(range(8), range(8)):
        colour = (255, 43, 146) if drawn[row][col] == "#" else (60, 60, 60)
        left, top, right, bottom = (
            round(4 * (edges[n] + gap)) for gap, at in ((2, 0), (-2, 1)) for n in (col + at, row + at)
        )
        cv2.rectangle(large, (left + round_px, top), (right - round_px, bottom - 1), colour, -1)
        cv2.rectangle(large, (left, top + round_px), (right - 1, bottom - round_px), colour, -1)
        for middle in product(
            (left + round_px, right - round_px - 1), (top + round_px, bottom - round_px - 1)
        ):
            cv2.circle(large, middle, round_px, colour, -1)
    pixels = np.asarray(cv2.resize(large, (570, 570), interpolation=cv2.INTER_AREA), np.uint8)
    looks = np.array([[int(cell == "#") for cell in line] for line in drawn])

    sides = covered(pixels, Borders(edges, edges), looks, [(60, 60, 60), (255, 43, 146)])

    assert not sides.any()


@pytest.mark.parametrize(
    ("cell", "inset", "gap", "fifth"), [(27, 2, 1, 4), (22, 3, 1, 4), (29, 1, 3, 5), (30, 2, 1, 4)]
)
def test_filled_cells_with_round_corners_beside_thick_lines_hold_no_disc(
    cell: int, inset: int, gap: int, fifth: int
) -> None:
    """Their corners are nearer to the border than those of others, on some sides."""
    style = chance.style_of(random.Random(0), Square(0, 0))
    style = replace(
        style, cell=cell, gap=gap, fifth=fifth, lined=gap == 1, inset=inset, rounding=3, cursor=""
    )
    style = replace(style, page=(255, 240, 225), free=(245, 245, 245), ink=(20, 20, 20), fill=(60, 60, 60))
    puzzle, solution = chance.puzzle_of(10, 2)
    finished = replace(solution, blank=frozenset())

    reading = GAMES["nonogram"].read(Frame(chance.drawn(puzzle, finished, style)), PROFILE)

    assert reading.placed == finished
    assert not reading.doubtful


@pytest.mark.parametrize("turn", range(4), ids=["left", "top", "right", "bottom"])
def test_a_highlighted_clue_beside_a_filled_outer_cell_is_no_cover(turn: int) -> None:
    drawn = ["####....", "#...#.#.", "#...#...", "####..#.", "#.....#.", "#.....#.", "#.....#.", "#.....#."]
    pixels = np.full((208, 208, 3), 200, np.uint8)
    pixels[19:189, 19:189] = 0
    for row, line in enumerate(drawn):
        for col, cell in enumerate(line):
            if cell == ".":
                pixels[21 + 21 * row : 40 + 21 * row, 21 + 21 * col : 40 + 21 * col] = 200
    pixels[19 + 63 : 42 + 63, :19] = 255
    looks = np.array([[int(cell == "#") for cell in line] for line in drawn])
    edges = Borders(*[tuple(20.0 + 21 * step for step in range(9))] * 2)
    colours = [(200, 200, 200), (0, 0, 0)]

    pixels, looks = (
        np.ascontiguousarray(np.rot90(pixels, -turn)),
        np.ascontiguousarray(np.rot90(looks, -turn)),
    )

    assert not covered(pixels, edges, looks, colours).any()


def test_a_highlighted_clue_of_the_empty_cells_colour_lies_over_none_of_them() -> None:
    pixels = np.full((208, 208, 3), 80, np.uint8)
    pixels[19:189, 19:189] = 0
    for row, col in product(range(8), range(8)):
        pixels[21 + 21 * row : 40 + 21 * row, 21 + 21 * col : 40 + 21 * col] = 60 if (row + col) % 3 else 240
    pixels[19 + 63 : 42 + 63, :19] = 240
    looks = np.array([[int((row + col) % 3 > 0) for col in range(8)] for row in range(8)])
    edges = Borders(*[tuple(20.0 + 21 * step for step in range(9))] * 2)

    assert not covered(pixels, edges, looks, [(240, 240, 240), (60, 60, 60)]).any()


def test_a_thick_line_in_nearly_the_colour_of_filled_cells_hides_nothing() -> None:
    """Every fifth line of many pages is thicker, and as dark as filled cells."""
    drawn = [".#...##.", "#....#.#", "###.##.#", "#####...", "#####...", "##...###", "###..###", ".####.##"]
    ink, blank, thin, thick = (56, 44, 38), (255, 255, 255), (165, 146, 138), (68, 56, 48)
    pixels = np.full((246, 246, 3), thick, np.uint8)
    for row, line in enumerate(drawn):
        for col, cell in enumerate(line):
            left, top = 3 + 30 * col, 3 + 30 * row
            pixels[top - 1 : top + 30, left - 1 : left + 30] = thin
            pixels[top : top + 29, left : left + 29] = ink if cell == "#" else blank
    pixels[151:154] = thick
    looks = np.array([[1 if cell == "#" else 0 for cell in line] for line in drawn])
    edges = tuple(2.5 + 30 * step for step in range(9))

    sides = covered(pixels, Borders(edges, edges), looks, [blank, ink])

    assert not sides.any()


@pytest.mark.parametrize("hidden", [False, True], ids=["nothing over it", "a box over it"])
def test_thick_lines_as_dark_as_filled_cells_are_not_hidden_while_thin_ones_show(hidden: bool) -> None:
    """Every fifth line is thick and black; between filled cells, black too, the others are seen."""
    side, thin, thick, grey = 26, (60, 60, 60), (0, 0, 0), (120, 120, 120)
    looks = np.array([[int(2 <= row < 9 and 2 <= col < 14) for col in range(16)] for row in range(11)])
    pixels = np.full((side * 11, side * 16, 3), grey, np.uint8)
    for row, col in np.argwhere(looks):
        pixels[side * row : side * (row + 1), side * col : side * (col + 1)] = thick
    for at in range(0, side * 16, side):
        wide = 1 if at % (5 * side) else 3
        for lines in (pixels[at : at + wide], pixels[:, at : at + wide]):
            lines[:] = thick if wide > 1 else thin
    if hidden:
        pixels[side * 6 + 9 : side * 9 - 9, side * 6 + 9 : side * 9 - 9] = thick
    borders = Borders(*(tuple(side * step + 0.5 for step in range(count + 1)) for count in (16, 11)))

    (bare,) = unlined(pixels, borders, looks, [grey, thick], [looks > 0])

    assert {tuple(cell) for cell in np.argwhere(bare).tolist()} == (
        {(row, col) for row in (6, 7, 8) for col in (6, 7, 8)} if hidden else set()
    )


def test_lines_as_dark_as_filled_cells_with_round_corners_are_not_hidden_by_anything() -> None:
    """No line shows between two such cells; beside other cells lines look as if they were of several kinds."""
    drawn = [
        "##..######",
        "..#.##.#.#",
        ".....#####",
        "#########.",
        "..###...#.",
        "##.##.#..#",
        "###.#....#",
        "#......##.",
        "##########",
        "..........",
    ]
    black, green = (0, 0, 0), (212, 255, 127)
    pixels = np.full((241, 241, 3), green, np.uint8)
    pixels[::24] = pixels[:, ::24] = black
    for row, line in enumerate(drawn):
        for col, cell in enumerate(line):
            if cell == "#":
                left, top = 24 * col + 1, 24 * row + 1
                for inset, width in enumerate((9, 13, 17, 19, 21, 21)):
                    side = (23 - width) // 2
                    pixels[top + inset : top + 23 - inset, left + side : left + 23 - side] = black
                pixels[top + 6 : top + 17, left : left + 23] = black
    looks = np.array([[1 if cell == "#" else 0 for cell in line] for line in drawn])
    edges = tuple(1.5 + 24 * step for step in range(11))

    sides = covered(pixels, Borders(edges, edges), looks, [green, black])

    assert not sides.any()


def test_over_a_border_that_is_as_on_the_first_picture_nothing_lies() -> None:
    """A thick line that shows only between some cells of a small board, because filled ones reach over it."""
    free, filled, line, step, first_at = (255, 255, 255), (255, 190, 14), (12, 212, 252), 886, 145
    drawn = ["##...#", ".#.###", ".#.##.", ".###..", ".####.", "......"]
    looks = np.array([[int(cell == "#") for cell in row] for row in drawn])
    fine = np.full((5600, 5600, 3), free, np.uint8)
    for nth in range(1, 6):
        at, half = first_at + step * nth, 26 if nth == 5 else 9
        for way in (fine, fine.transpose(1, 0, 2)):
            way[at - half : at + half, first_at : first_at + step * 6] = line
    first = np.asarray(cv2.resize(fine, (560, 560), interpolation=cv2.INTER_AREA), np.uint8)
    for row, col in np.argwhere(looks).tolist():
        left, top = first_at + step * col, first_at + step * row
        fine[top - 45 : top + step + 45, left - 45 : left + step + 45] = filled
    now = np.asarray(cv2.resize(fine, (560, 560), interpolation=cv2.INTER_AREA), np.uint8)
    edges = Borders(*[(14.5, 103.0, 192.0, 280.0, 369.0, 457.5, 546.1)] * 2)
    colours = [free, filled]

    assert (covered(now, edges, looks, colours)[looks == 0] >= COVERED).any()
    assert not (covered(now, edges, looks, colours, (first, now))[looks == 0] >= COVERED).any()

    tip = now.copy()
    tip[390:525, 24:103] = (190, 230, 230)
    assert (covered(tip, edges, looks, colours, (first, tip))[4:, 0] > 0).all()
