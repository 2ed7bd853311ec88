"""Hints: true, one at a time, until the board is solved; wrong marks are pointed out instead."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.game import Game
from bot.games import GAMES
from bot.play import answer
from bot.show.hints import Hint, hint
from bot.show.work import guide_of
from solver import nonogram, rings
from solver.answer import Limits
from solver.bridges import Span
from solver.errors import NoSolution
from solver.lattice import Region, Square
from solver.nonogram import Picture
from solver.steps import work
from tests.olympic import OLYMPIC
from tests.seldom import ASKED_FIRST, few
from tests.shared_data import SHARED, needs_shared
from tests.test_cli import boardsight, two_lines

DECLARED = [name for name, game in GAMES.items() if game.eyes is not None]
NOTHING_TO_SEE = "2x2:1/1/1/1"
WRITTEN = "5x5:1.1/1.1/5/1.1/1.1/3/1/5/1/3"


def entered(game: Game[Any, Any], placed: Any, told: Hint) -> Any:
    """The board after somebody has done what a hint says."""
    if game.name != "nonogram":
        return {**(placed or {}), **told.settled}
    board = placed or Picture()
    filled = {at for at, sign in told.settled.items() if sign != "."}
    return Picture(board.filled | filled, board.blank | told.settled.keys() - filled)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
@pytest.mark.parametrize("seed", (0, 3))
def test_hint_after_hint_solves_the_board(game: Game[Any, Any], seed: int) -> None:
    puzzle = game.practice(random.Random(seed)).puzzle
    answered = answer(game, puzzle, Limits(unique=True))
    placed: Any = None

    for _ in range(200):
        told = hint(game, puzzle, placed)
        if told.status == "solved":
            break
        assert told.status == "hint" and told.settled and told.why.endswith(".")
        placed = entered(game, placed, told)
        if answered.unique:
            right, guide = game.entries(answered.solution), guide_of(game)
            assert not any(guide.wrong(value, right.get(cell)) for cell, value in told.settled.items()), told

    blanks = {at for at, sign in game.entries(answered.solution).items() if sign == "."}
    if game.name == "nonogram" and answered.unique:
        placed = Picture(placed.filled, frozenset(blanks))
    assert list(game.check(puzzle, placed)) == []


def test_a_hint_says_what_had_to_be_seen_before() -> None:
    puzzle = rings.parse(
        "numbers: 1 2 3 4 5 6\nuse: once\ntarget: own\nring a 0 0 9 3\nring b 0 0 9 8\n"
        "region a 0 0 ?\nregion a+b 0 0 ?\nregion b 0 0 ?\n"
    )

    told = hint(GAMES["rings"], puzzle, None)

    assert told.because == (
        "Ring a needs 3 from 2 blanks, so a alone can only be 1 or 2, a+b can only be 1 or 2.",
    )
    assert told.why == "Ring b needs 8 from 2 blanks, so a+b is 2, b alone is 6."


def test_what_is_placed_counts() -> None:
    puzzle = rings.parse(OLYMPIC)
    first = hint(GAMES["rings"], puzzle, None)

    second = hint(GAMES["rings"], puzzle, first.settled)

    assert first.settled == {Region(("red", "green")): 2}
    assert second.settled == {Region(("green", "black")): 4}


def test_a_wrong_mark_is_pointed_out_instead() -> None:
    wrong = {Region(("red", "green")): 3}

    told = hint(GAMES["rings"], rings.parse(OLYMPIC), wrong)

    assert (told.status, told.wrong) == ("wrong-mark", wrong)
    assert told.why == "Take back the 3 in region red+green: no solution has that with the rest."


def test_a_bridge_too_many_is_wrong_and_one_too_few_is_not() -> None:
    puzzle = GAMES["bridges"].parse("3x1:2a2")
    span = Span(Square(0, 0), Square(0, 2))

    assert hint(GAMES["bridges"], puzzle, {span: 1}).settled == {span: 2}
    assert hint(GAMES["bridges"], GAMES["bridges"].parse("3x1:1a1"), {span: 2}).status == "wrong-mark"


def test_another_solution_than_ours_is_as_right() -> None:
    puzzle = nonogram.parse(NOTHING_TO_SEE)
    ours = nonogram.solve(puzzle).solution
    other = Picture(frozenset({min(ours.blank)}))

    told = hint(GAMES["nonogram"], puzzle, other)

    assert told.status == "hint"
    assert set(told.settled) <= ours.filled | ours.blank


def test_where_no_rule_applies_it_says_so() -> None:
    told = hint(GAMES["nonogram"], nonogram.parse(NOTHING_TO_SEE), None)

    assert told.rule == "search"
    assert told.why.startswith("No simple rule applies here; by search: filled at row 1, column ")


def test_where_lines_say_nothing_a_short_dead_end_does() -> None:
    puzzle = nonogram.parse("4x4:2/1/1.1/1.1/2/1/1.1/2")
    solution = nonogram.solve(puzzle).solution
    placed, rules = Picture(), []

    while (told := hint(GAMES["nonogram"], puzzle, placed)).status == "hint":
        rules.append(told.rule)
        placed = entered(GAMES["nonogram"], placed, told)

    assert placed.filled == solution.filled
    assert "dead end" in rules and "search" not in rules


def test_who_marks_no_blank_cells_is_told_of_filled_ones() -> None:
    puzzle = nonogram.parse(WRITTEN)
    placed = Picture(frozenset(Square(2, col) for col in range(5)))

    told = hint(GAMES["nonogram"], puzzle, placed)

    assert "#" in told.settled.values()


def test_a_solved_board_needs_no_hint() -> None:
    puzzle = rings.parse(OLYMPIC)

    assert hint(GAMES["rings"], puzzle, rings.solve(puzzle).solution).status == "solved"


def test_a_puzzle_without_a_solution_has_no_hint() -> None:
    with pytest.raises(NoSolution):
        hint(GAMES["nonogram"], nonogram.parse("3x3:1.1//1.1/1.1/1.1/"), None)


# The command


def test_a_hint_for_a_text_is_one_sentence() -> None:
    done = boardsight("hint", WRITTEN)

    assert done.returncode == 0
    assert done.stdout == "Row 3 (5): the runs with a blank between them fill the line exactly.\n"


def test_a_hint_as_json_says_what_to_enter(tmp_path: Path) -> None:
    done = boardsight("hint", "bridges:3x1:1a1", "--json", cwd=tmp_path)

    assert json.loads(done.stdout) == {
        "game": "bridges",
        "status": "hint",
        "rule": "one way left",
        "text": "The 1 at row 1, column 1 has one way left: one bridge to the 1 at row 1, column 3.",
        "because": [],
        "by_search": False,
        "enter": [{"cell": [0, 0, 0, 2], "value": 1}],
        "take_back": [],
        "look_at": [[0, 0], [0, 2], [0, 0, 0, 2]],
        "source": "bridges:3x1:1a1",
    }


@pytest.mark.parametrize("game", few(GAMES, ASKED_FIRST))
def test_a_hint_is_marked_on_the_picture(game: str, tmp_path: Path) -> None:
    out = tmp_path / "marked.png"

    done = boardsight("hint", f"practice:{game}:1", "--overlay", str(out), cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    plain = GAMES[game].practice(random.Random(1)).render(0.0)
    marked = cv2.imread(str(out))
    changed = np.any(marked != plain, axis=2).mean()
    assert 0 < changed < 0.4


def test_the_refusals_have_their_status(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((200, 300, 3), 90, np.uint8))

    for arguments, status in (
        (("grey.png",), 3),
        ((WRITTEN, "--overlay", "out.png"), 2),
        (("3x3:1.1//1.1/1.1/1.1/",), 6),
    ):
        done = boardsight("hint", *arguments, cwd=tmp_path)

        assert done.returncode == status, arguments
        two_lines(done.stderr)


@needs_shared
def test_the_error_that_the_real_game_marks_is_pointed_out() -> None:
    done = boardsight("hint", str(SHARED / "sgt" / "bridges-06-25x25-m2-marks-error.png"), "--json")

    told = json.loads(done.stdout)
    assert (done.returncode, told["status"]) == (0, "wrong-mark")
    assert {"cell": [0, 9, 0, 11], "value": 2} in told["take_back"]


@pytest.mark.parametrize("name", few(DECLARED, ("undead", "magnets", "mosaic", "net")))
def test_the_rules_of_declared_games_are_said_in_english(name: str) -> None:
    """One thing is no "1 things", and no rule is "0 of -" or "1 monsters are seen"."""
    said = set()
    for seed in (1, 2):
        puzzle = GAMES[name].practice(random.Random(seed)).puzzle
        found = GAMES[name].solve(puzzle, Limits())
        said |= {step.why for step in work(guide_of(GAMES[name]).reasoner(puzzle, found))}

    wrong = re.compile(
        r"\b1 (\w+ )?(lamps|tents|lines|cells|poles|monsters|ghosts|zombies|vampires)\b"
        r"|\d of (?!row|column)|wires \w+ is|row 0|column 0"
    )
    assert said and not [why for why in said if wrong.search(why)]
