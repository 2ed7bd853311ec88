"""Queens: rules, and pictures as pages draw them: areas told by colours, by lines, or by both; queens, crosses and dots."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise, permutations, product

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.games.queens import with_areas
from bot.recognise import recognise
from calibration import store
from solver.answer import Limits
from solver.errors import InvalidPuzzle, NoSolution
from solver.grid.board import Board
from solver.grid.cages import grown_areas
from solver.lattice import Square
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame, Pixels
from vision.profile import Profile
from vision.readers.lessons import Named
from vision.reading import Reading

QUEENS = GAMES["queens"]
Bgr = tuple[int, int, int]
PASTEL: tuple[Bgr, ...] = (
    (160, 223, 179), (216, 210, 163), (146, 201, 255), (226, 163, 187), (223, 223, 223), (136, 243, 230), (120, 133, 240),
)  # fmt: skip
SIX = "6x6queens:aaabbb/aaacbb/aaaddb/aaaadd/effddd/eeeddd"
PLAYED = """
. x . . x .
. . . . Q .
. . o . . .
. . . . . .
. o . . . x
. . . . . .
"""


@dataclass(frozen=True)
class Style:
    """How a page draws its board: px of a cell, of the lines between cells, and of those between areas; signs: what reaches
    a third of a cell to both sides, in shares of that."""

    pitch: int = 48
    thin: int = 1
    thick: int = 3
    page: Bgr = (255, 255, 255)
    line: Bgr = (40, 40, 40)
    ink: Bgr = (30, 30, 30)
    gap: int = 0
    signs: float = 1.0


PLAIN = Style()


def drawn(
    text: str,
    played: str = "",
    style: Style = PLAIN,
    colours: tuple[Bgr, ...] = PASTEL,
    changed: Mapping[tuple[int, int], Bgr] | None = None,
) -> Pixels:
    """The picture of a board; changed: cells in another colour."""
    board, margin, pitch = QUEENS.parse(text), 60, style.pitch
    pixels = np.full((board.height * pitch + 2 * margin,) * 2 + (3,), style.page, np.uint8)
    letters = {at: board.given[at] for at in board.squares}
    signs = [line.split() for line in played.split("\n") if line]
    for at, letter in letters.items():
        x, y = margin + at.col * pitch, margin + at.row * pitch
        colour = (changed or {}).get(at, colours[ord(letter) - ord("a")])
        cv2.rectangle(
            pixels, (x + style.gap, y + style.gap), (x + pitch - style.gap, y + pitch - style.gap), colour, -1
        )
        enter(pixels, signs[at.row][at.col] if signs else ".", (x + pitch // 2, y + pitch // 2), style)
    for (at, letter), (down, right) in product(letters.items(), ((1, 0), (0, 1))):
        for step in (-1, 1):
            near = Square(at.row + step * down, at.col + step * right)
            wide = style.thin if letters.get(near) == letter else style.thick
            first = max(at, near)
            x, y = margin + first.col * pitch, margin + first.row * pitch
            if wide:
                cv2.line(pixels, (x, y), (x + pitch * down, y + pitch * right), style.line, wide)
    return pixels


def enter(pixels: Pixels, sign: str, at: tuple[int, int], style: Style) -> None:
    """A queen (Q: a crown, K: a chess piece), a cross or a dot."""
    (x, y), third = at, int(style.signs * style.pitch) // 3
    if sign == "Q":
        outline = [(-9, 9), (-9, -5), (-4, 0), (0, -9), (4, 0), (9, -5), (9, 9)]
        points = [(x + round(a * third / 10), y + round(b * third / 10)) for a, b in outline]
        cv2.fillPoly(pixels, [np.array(points, np.int32)], style.ink, cv2.LINE_AA)
    elif sign == "K":
        for along, up in ((-9, -5), (-4, -8), (0, -10), (4, -8), (9, -5)):
            tip = x + round(along * third / 10), y + round(up * third / 10)
            cv2.circle(pixels, tip, max(2, third // 6), style.ink, -1, cv2.LINE_AA)
            cv2.line(
                pixels, tip, (x + round(along * third / 16), y), style.ink, max(2, third // 5), cv2.LINE_AA
            )
        foot = third * 6 // 10
        cv2.rectangle(pixels, (x - foot, y), (x + foot, y + third * 9 // 10), style.ink, -1)
    elif sign == "x":
        for way in (-1, 1):
            half = third // 2
            cv2.line(
                pixels, (x - half, y - way * half), (x + half, y + way * half), style.ink, 2, cv2.LINE_AA
            )
    elif sign == "o":
        cv2.circle(pixels, (x, y), third // 4, style.ink, -1, cv2.LINE_AA)


def read(pixels: Pixels) -> Reading[Board, Mapping[Square, str]]:
    found: Reading[Board, Mapping[Square, str]] = QUEENS.read(Frame(pixels), Profile("queens", "any"))
    return found


def entries(played: str) -> dict[Square, str]:
    rows = [line.split() for line in played.split("\n") if line]
    values = {"Q": "Q", "K": "Q", "x": ".", "o": "."}
    return {
        Square(row, col): values[sign]
        for row, line in enumerate(rows)
        for col, sign in enumerate(line)
        if sign != "."
    }


def test_a_board_is_told_by_a_letter_for_the_area_of_each_cell() -> None:
    board = QUEENS.parse(SIX)

    assert QUEENS.unparse(board) == SIX
    assert QUEENS.parse("6x6queens:bbbaaa/bbbcaa/bbbdda/bbbbdd/effddd/eeeddd") == board


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("6x6queens:aaabbb/aaacbb", "is no board of Queens"),
        ("6x6:aaabbb/aaacbb/aaaddb/aaaadd/effddd/eeeddd", "is no board of Queens"),
        ("4x4queens:aabb/aabb/cccc/cccc", "4 rows and 3 areas"),
        ("4x4queens:aabb/ccdd/aabb/ccdd", "4 rows and 8 areas"),
        (f"27x27queens:{'/'.join(chr(65 + row) * 27 for row in range(27))}", "at most 26 rows"),
    ],
)
def test_what_is_no_board_is_refused(text: str, told: str) -> None:
    with pytest.raises(InvalidPuzzle, match=told):
        QUEENS.parse(text)


def brute(board: Board) -> list[set[Square]]:
    """The solutions, by trying all."""
    found = []
    for cols in permutations(range(board.width)):
        queens = [Square(row, col) for row, col in enumerate(cols)]
        touching = any(abs(a - b) == 1 for a, b in pairwise(cols))
        if not touching and len({board.given[at] for at in queens}) == board.width:
            found.append(set(queens))
    return found


@pytest.mark.parametrize("seed", range(30))
def test_solutions_and_whether_there_are_others_are_those_of_trying_all(seed: int) -> None:
    rng = random.Random(seed)
    side = rng.choice((5, 6, 7))
    areas = grown_areas(rng, side, rng.sample(Board(side, side).squares, side))
    board = with_areas(side, {at: nth for nth, area in enumerate(areas) for at in area})
    wanted = brute(board)

    if not wanted:
        with pytest.raises(NoSolution):
            QUEENS.solve(board, Limits(unique=True))
        return
    answer = QUEENS.solve(board, Limits(unique=True))

    assert {at for at, value in answer.solution.items() if value == "Q"} in wanted
    assert answer.unique == (len(wanted) == 1)


def test_a_broken_rule_is_named() -> None:
    board = QUEENS.parse(SIX)

    told = QUEENS.check(board, {Square(0, 0): "Q", Square(1, 1): "Q"})

    assert any("queens do not touch around row 1, column 1" in one for one in told)
    assert any("row 3 has one queen" in one for one in told)


STYLES = {
    "thick lines between areas": Style(),
    "lines all alike": Style(thick=1),
    "thick lines on a dark page": Style(page=(46, 26, 26), line=(50, 50, 50), thick=4),
    "tiles apart": Style(thin=0, thick=0, gap=2),
    "small cells": Style(pitch=30),
    "large cells": Style(pitch=83, thin=2, thick=5),
    "red ink": Style(ink=(40, 40, 220)),
}


@pytest.mark.parametrize("queen", ["Q", "K"])
@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_areas_and_entries_are_read(style: Style, queen: str) -> None:
    played = PLAYED.replace("Q", queen)

    reading = read(drawn(SIX, played, style))

    assert QUEENS.unparse(reading.puzzle) == SIX
    assert (reading.placed, reading.doubtful) == (entries(played), ())


@pytest.mark.parametrize("queen", ["Q", "K"])
@pytest.mark.parametrize("style", [Style(pitch=87, signs=0.4), Style(pitch=110, signs=0.3)])
def test_a_small_queen_is_no_dot(style: Style, queen: str) -> None:
    """A page that draws its queens as large on small boards as on others had them told as marks of empty cells."""
    played = PLAYED.replace("Q", queen).replace("o", "x")

    assert read(drawn(SIX, played, style)).placed == entries(played)


def test_it_is_recognised_among_all_games() -> None:
    found = recognise(Frame(drawn(SIX, PLAYED)), GAMES, store.candidates)

    assert (found.game.name, found.game.unparse(found.reading.puzzle)) == ("queens", SIX)


def near(colour: Bgr, levels: int) -> Bgr:
    blue, green, red = colour
    return blue - levels, green - levels, red - levels


def test_neighbours_in_nearly_one_colour_are_two_areas_where_their_number_says_so() -> None:
    """c is one cell amid a and b, hardly darker than a."""
    colours = (*PASTEL[:2], near(PASTEL[0], 7), *PASTEL[3:])

    assert QUEENS.unparse(read(drawn(SIX, style=Style(thick=1), colours=colours)).puzzle) == SIX


def test_cells_whose_area_neither_colours_nor_their_number_tell_are_in_doubt() -> None:
    """A cell of a is hardly lighter than the others, and c hardly darker: either may be an area."""
    colours = (*PASTEL[:2], near(PASTEL[0], 7), *PASTEL[3:])
    pixels = drawn(SIX, style=Style(thick=1), colours=colours, changed={(0, 0): near(PASTEL[0], -7)})

    reading = read(pixels)

    assert set(reading.doubtful) == {Square(0, 0), Square(1, 3)}


def test_two_areas_of_nearly_one_colour_are_not_told_as_one() -> None:
    """b is hardly darker than d, and a cell of a hardly lighter than the others: not all steps are between areas."""
    colours = (PASTEL[0], near(PASTEL[3], 7), *PASTEL[2:])
    pixels = drawn(SIX, style=Style(thick=1), colours=colours, changed={(0, 0): near(PASTEL[0], -7)})

    reading, board = read(pixels), QUEENS.parse(SIX)

    assert set(reading.doubtful) == {Square(0, 0), *(at for at in board.squares if board.given[at] == "b")}


def test_lines_part_areas_of_one_colour() -> None:
    colours = (*PASTEL[:5], PASTEL[4], *PASTEL[6:])

    assert QUEENS.unparse(read(drawn(SIX, style=Style(thick=4), colours=colours)).puzzle) == SIX


@pytest.mark.parametrize("thick", [1, 4])
def test_a_lighter_cell_below_the_pointer_is_no_area(thick: int) -> None:
    pixels = drawn(SIX, PLAYED, Style(thick=thick), changed={(3, 1): near(PASTEL[0], -30)})

    if thick == 1:
        with pytest.raises(BoardNotFound):
            read(pixels)
    else:
        assert QUEENS.unparse(read(pixels).puzzle) == SIX


def test_a_white_board_with_thick_lines_is_none() -> None:
    with pytest.raises((BoardNotFound, UncertainReading)):
        read(drawn(SIX, style=Style(thick=4), colours=((255, 255, 255),) * 7))


def test_a_red_area_is_no_mistake() -> None:
    reading = read(drawn(SIX, PLAYED, colours=((0, 0, 255), *PASTEL[1:])))

    assert (reading.mistakes, reading.placed) == ((), entries(PLAYED))


def test_a_lossy_picture_is_read() -> None:
    _, data = cv2.imencode(".jpg", drawn(SIX, PLAYED), [cv2.IMWRITE_JPEG_QUALITY, 80])

    reading = read(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8))

    assert QUEENS.unparse(reading.puzzle) == SIX
    assert reading.placed == entries(PLAYED)


def test_traces_of_a_lossy_format_beside_a_dot_are_none_of_it() -> None:
    pixels = drawn(SIX, PLAYED)
    for row, col in product(range(6), repeat=2):
        above = np.s_[72 + 48 * row : 75 + 48 * row, 82 + 48 * col : 84 + 48 * col]
        pixels[above] -= 30

    reading = read(pixels)

    assert (reading.placed, reading.doubtful) == (entries(PLAYED), ())


def test_what_is_neither_queen_nor_cross_is_in_doubt() -> None:
    pixels = drawn(SIX)
    cv2.putText(
        pixels, "5", (60 + 48 + 14, 60 + 36), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 0), 2, cv2.LINE_AA
    )

    assert read(pixels).doubtful == (Square(0, 1),)


def hourglass(pixels: Pixels, at: Square, pitch: int) -> None:
    """A queen that nobody knows."""
    x, y, half = 60 + at.col * pitch + pitch // 2, 60 + at.row * pitch + pitch // 2, pitch * 3 // 10
    for way in (-1, 1):
        corners = [(x, y), (x - half, y + way * half), (x + half, y + way * half)]
        cv2.fillPoly(pixels, [np.array(corners, np.int32)], (20, 20, 20), cv2.LINE_AA)


def test_another_queen_is_learned_whatever_the_colours_of_its_areas() -> None:
    taught, other = drawn(SIX), drawn(SIX, colours=PASTEL[::-1])
    for at in (Square(0, 1), Square(3, 4)):
        hourglass(taught, at, 48)
    hourglass(other, Square(5, 1), 48)
    assert read(other).doubtful == (Square(5, 1),)

    assert QUEENS.teach is not None
    lesson = QUEENS.teach(Frame(taught))
    assert sorted(len(group.cells) for group in lesson.groups) == [2, 34]
    names = (Named("", "free"), Named("Q", "placed"))
    profile = lesson.profile("mine", dict(enumerate(names)))
    reading: Reading[Board, Mapping[Square, str]] = QUEENS.read(Frame(other), profile)

    assert (reading.placed, reading.doubtful) == ({Square(5, 1): "Q"}, ())
    assert QUEENS.unparse(reading.puzzle) == SIX


def test_an_untouched_board_teaches_what_an_empty_cell_is() -> None:
    assert QUEENS.teach is not None
    lesson = QUEENS.teach(Frame(drawn(SIX)))

    assert set(lesson.told(QUEENS.parse(SIX)).values()) == {Named("", "free")}
