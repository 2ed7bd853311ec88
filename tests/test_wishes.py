"""`--disable` and `--scarce`: what a Thaumcraft player wants of a solution, from pictures and from texts."""

from __future__ import annotations

import json
import random
from typing import Any

from bot.games import GAMES
from bot.practice.thaumcraft import practice
from bot.wishes import Wishes
from solver import thaumcraft
from solver.thaumcraft import scarce_costs
from tests.test_cli import boardsight, two_lines
from vision.frame import Frame
from vision.readers.thaumcraft.board import read

NOTE = '{"cells": [[0,0],[1,0],[2,0]], "given": {"0,0": "aer", "2,0": "aer"}}'
STOCKED = NOTE.replace("}}", '}, "stock": {"lux": 0, "potentia": 40, "ignis": 90, "aer": 90}}')


def solved(*arguments: str) -> dict[str, Any]:
    done = boardsight("solve", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_a_disabled_aspect_is_not_placed_on_a_board_that_is_seen() -> None:
    usual = solved("practice:thaumcraft:3")
    unwanted = sorted(set(usual["solution"].values()))[0]

    other = solved("practice:thaumcraft:3", "--disable", unwanted)

    assert unwanted not in other["solution"].values()
    assert other["optimal"] and other["cost"] >= usual["cost"]
    assert other["puzzle"] == usual["puzzle"] | {"disabled": [unwanted]}


def test_a_board_is_played_and_replayed_without_the_disabled_aspect(tmp_path: Any) -> None:
    unwanted = sorted(set(solved("practice:thaumcraft:3")["solution"].values()))[0]

    done = boardsight(
        "play", "practice:thaumcraft:3", "--disable", unwanted, "--yes", "--record", "run", cwd=tmp_path
    )
    again = boardsight("replay", "run", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert again.returncode == 0, again.stderr
    assert f"place {unwanted} " not in (tmp_path / "run" / "run.jsonl").read_text()


def test_what_little_is_seen_of_is_dear() -> None:
    board = practice(random.Random(5), ui="tweaks", scale=3)
    frame, profile = Frame(board.render(1.0)), board.profile
    usual = read(frame, profile).puzzle

    wished = read(frame, Wishes(scarce=True).with_profile(GAMES["thaumcraft"], profile)).puzzle

    assert usual.stock is not None and usual.costs == {}
    assert wished.stock == usual.stock
    assert wished.costs == {tag: scarce_costs(usual)[tag] for tag in usual.stock}


def test_a_note_in_text_takes_the_same_wishes() -> None:
    note = thaumcraft.parse(NOTE)
    least = thaumcraft.solve(note).solution
    (unwanted,) = least.values()

    assert unwanted not in solved(NOTE, "--disable", unwanted)["solution"].values()
    assert solved(STOCKED, "--scarce")["puzzle"]["costs"]["potentia"] > 2


def test_wishes_that_cannot_be_met_are_told_in_two_lines() -> None:
    for arguments, word in (
        (("solve", NOTE, "--disable", "nonsense"), "no such aspect"),
        (("solve", NOTE, "--scarce"), "without a stock"),
        (("solve", "practice:rings", "--scarce"), "for thaumcraft"),
        (("play", "practice:bridges", "--disable", "aer", "--yes"), "for thaumcraft"),
    ):
        done = boardsight(*arguments)

        assert done.returncode == 2, arguments
        assert word in two_lines("\n".join(done.stderr.splitlines()[-2:]))[0]
