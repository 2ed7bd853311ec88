"""Boards that are none, or not the only one: two lines and the right exit code, before anything is touched."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.grid import game
from solver.errors import InvalidPuzzle
from tests.cells_window import declared
from tests.test_cli import two_lines
from tests.test_learn import boardsight
from vision.errors import BoardNotFound
from vision.frame import Frame


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


def test_a_declaration_with_a_symbol_that_has_no_look_is_refused() -> None:
    one = declared("lightup")
    blind = replace(
        one, eyes=replace(one.eyes, looks=tuple(look for look in one.eyes.looks if look.symbol != "*"))
    )

    with pytest.raises(InvalidPuzzle, match="no look") as refused:
        game(blind).practice(random.Random(0))

    assert refused.value.hint
