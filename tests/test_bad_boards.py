"""Boards that are none, or not the only one: two lines and the right exit code, before anything is touched."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.grid import game
from solver.errors import InvalidPuzzle
from solver.grid.board import Outside
from solver.lattice import Square
from tests.cells_window import declared
from tests.test_cli import two_lines
from tests.test_learn import boardsight
from tests.test_screens import SCREENS, frame_of, profile_of
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame, Point


@pytest.mark.parametrize(
    ("words", "code", "seen"),
    [
        (("solve", "lightup:5x5:zzz"), 2, "78 cells"),
        (("solve", "towers:banana"), 2, "banana"),
        (("solve", "magnets:3x3:1..,1..,..1,..1,LLTTTBBB*"), 2, "dominoes"),
        (("solve", "net:2x2:3333"), 2, "three rows"),
        (("solve", "5x5:y"), 2, "lightup, range"),
        (("hint", "5x5:y"), 2, "lightup, range"),
        (("play", "lightup:5x5:zzz", "--yes"), 2, "lightup"),
        (("solve", "lightup:3x3:4h"), 6, "keep all the rules"),
        (("hint", "lightup:3x3:4h"), 6, "keep all the rules"),
        (("solve", "net:3x3:111111111"), 6, "keep all the rules"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_text_that_cannot_be_solved_says_why_in_two_lines(
    words: tuple[str, ...], code: int, seen: str, tmp_path: Path
) -> None:
    done = boardsight(*words, cwd=tmp_path)

    assert done.returncode == code, done.stderr
    assert seen in two_lines(done.stderr)[0]


def test_a_board_with_several_solutions_is_solved_and_said_to_have_them(tmp_path: Path) -> None:
    done = boardsight("solve", "lightup:3x3:i", "--unique", "--json", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert '"unique": false' in done.stdout


def test_a_picture_of_a_board_with_several_solutions_is_not_played() -> None:
    """Every program makes boards with one solution, so that it must be another game's, or misread."""
    one = declared("solo")
    many = replace(one, make=lambda rng: one.parse("2x3:1zi"))
    board = game(many).practice(random.Random(0))

    with pytest.raises(BoardNotFound, match="more than one solution"):
        GAMES["solo"].read(Frame(board.render(0.0)), board.profile)


def test_where_cells_are_in_doubt_they_are_named_and_not_that_there_is_no_solution() -> None:
    path = SCREENS / "solo" / "sgt-new.png"
    pixels, pitch = frame_of(path).pixels.copy(), 48
    reading = GAMES["solo"].read(frame_of(path), profile_of("solo"))
    # The first row has a 3 in its first cell: another 3 is drawn at the end of it.
    known = {at: centre for at, centre in reading.geometry.centres.items() if isinstance(at, Square)}
    given = next(at for at in sorted(known) if at in reading.puzzle.given)
    twin = max(at for at in known if at.row == given.row)
    pixels[window(known[twin], pitch)] = pixels[window(known[given], pitch)]
    with pytest.raises(BoardNotFound, match="no solution"):
        GAMES["solo"].read(Frame(pixels.copy()), profile_of("solo"))

    # One more digit is half hidden.
    hidden = max(at for at in known if at in reading.puzzle.given)
    rows, cols = window(known[hidden], pitch)
    pixels[rows.start : round(known[hidden].y), cols] = (60, 120, 60)
    with pytest.raises(UncertainReading) as refused:
        GAMES["solo"].read(Frame(pixels), profile_of("solo"))
    assert refused.value.cells == (hidden,)
    assert "no solution" in refused.value.hint


def window(centre: Point, pitch: int) -> tuple[slice, slice]:
    """The inside of a cell, without its lines."""
    half = round(0.4 * pitch)
    x, y = round(centre.x), round(centre.y)
    return slice(y - half, y + half), slice(x - half, x + half)


def test_clues_of_undead_in_doubt_are_named_and_rule_nothing_out() -> None:
    path = SCREENS / "undead" / "sgt-new.png"
    pixels = frame_of(path).pixels.copy()
    whole = GAMES["undead"].read(frame_of(path), profile_of("undead"))
    hidden = (Outside("top", 0), Outside("right", 1))
    for place in hidden:
        x, y = (round(value) for value in whole.geometry.centres[place])
        pixels[y - 20 : y, x - 20 : x + 20] = (60, 120, 60)
    reading = GAMES["undead"].read(Frame(pixels), profile_of("undead"))
    assert set(reading.doubtful) == set(hidden)


def test_a_declaration_whose_digits_are_only_printed_is_refused() -> None:
    """It was read, and ended in an internal error as soon as a digit was entered."""
    one = declared("filling")
    seen = tuple(look for look in one.eyes.looks if (look.form, look.state) != ("number", "placed"))
    assert len(seen) < len(one.eyes.looks)

    with pytest.raises(InvalidPuzzle, match="no look for it once it is entered"):
        game(replace(one, eyes=replace(one.eyes, looks=seen))).practice(random.Random(0))


def test_a_declaration_with_a_symbol_that_has_no_look_is_refused() -> None:
    one = declared("lightup")
    blind = replace(
        one, eyes=replace(one.eyes, looks=tuple(look for look in one.eyes.looks if look.symbol != "*"))
    )

    with pytest.raises(InvalidPuzzle, match="no look") as refused:
        game(blind).practice(random.Random(0))

    assert refused.value.hint
