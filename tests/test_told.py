"""What a person says of a cell in doubt is believed: the board is then the one that was drawn."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from bot.games import GAMES
from bot.told import Word, with_words
from solver.answer import Limits
from solver.errors import InvalidPuzzle
from solver.lattice import Square
from vision.frame import Frame
from vision.reading import Mark, Reading

# Games in which a cell holds more than a word can say.
MORE_IN_A_CELL = {"singles", "mosaic", "keen", "undead", "towers", "flip", "net", "queens"}
DECLARED = [name for name, game in GAMES.items() if game.eyes is not None and game.told is not None]


def reading_of(name: str) -> Reading[Any, Any]:
    game = GAMES[name]
    board = game.practice(random.Random(4))
    assert board.profile is not None
    return game.read(Frame(board.render(0.0)), board.profile)


def in_doubt(reading: Reading[Any, Any], cell: Any) -> Reading[Any, Any]:
    """The same with a cell that could not be read."""
    given = {place: value for place, value in reading.puzzle.given.items() if place != cell}
    puzzle = replace(reading.puzzle, given=given)
    return replace(reading, puzzle=puzzle, marks=dict(reading.marks) | {cell: Mark(None, 0.0)})


def test_every_declared_game_with_one_thing_in_a_cell_can_be_told() -> None:
    without = {name for name, game in GAMES.items() if game.eyes is not None and game.told is None}

    assert without == MORE_IN_A_CELL


@pytest.mark.parametrize("name", DECLARED)
def test_a_word_for_each_printed_place_makes_the_board_whole_again(name: str) -> None:
    game, reading = GAMES[name], reading_of(name)
    printed = {place: mark for place, mark in reading.marks.items() if mark.state == "given" and mark.symbol}
    assert printed or name in ("magnets",)

    for place, mark in list(printed.items())[:12]:
        told = with_words(game.told, in_doubt(reading, place), {place: Word(mark.symbol or "", True)})

        assert told.puzzle == reading.puzzle and not told.doubtful
        assert mark.symbol in game.told.choices(reading.puzzle, True)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", DECLARED)
def test_a_word_for_an_entry_is_an_entry(name: str) -> None:
    game, reading = GAMES[name], reading_of(name)
    solution = game.solve(reading.puzzle, Limits()).solution
    cell = min(at for at, value in solution.items() if value and at not in reading.puzzle.given)
    value = solution[cell]

    told = with_words(game.told, in_doubt(reading, cell), {cell: Word(value, False)})
    nothing = with_words(game.told, in_doubt(told, cell), {cell: Word("", False)})

    assert told.placed == {**reading.placed, cell: value} and told.puzzle == reading.puzzle
    assert nothing.placed == reading.placed


@pytest.mark.parametrize("name", DECLARED)
def test_a_word_that_no_cell_can_hold_is_refused(name: str) -> None:
    reading = reading_of(name)
    cell = next(at for at in reading.marks if isinstance(at, Square))

    with pytest.raises(InvalidPuzzle, match="is never"):
        with_words(GAMES[name].told, in_doubt(reading, cell), {cell: Word("dragon", True)})
