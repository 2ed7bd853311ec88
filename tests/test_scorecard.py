"""The scorecard: what was read against what is there, over the shared pictures and our own boards. Wrong is never."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.commands.score import earlier, moved_items
from bot.errors import WrongUsage
from bot.games import GAMES
from bot.scorecard import AS_IT_IS, Score, Told, score_of
from bot.scorecard.items import items_of_reading
from bot.scorecard.spoil import SPOILS, Spoil, as_jpeg, brightened, grainy, scaled
from bot.scorecard.truth import items_of_label, labelled, labelled_case, practice_case, practised
from calibration import store
from calibration.thaumcraft.textures import calibrate_thaumcraft
from solver.errors import InvalidPuzzle
from tests.seldom import ASKED_FIRST, few
from tests.shared_data import SHARED, needs_shared
from vision.errors import BoardNotFound
from vision.frame import Frame
from vision.profile import Profile
from vision.reading import Mark

ROOT = Path(__file__).resolve().parents[1]


def show(scores: Sequence[Score]) -> None:
    """The table, in the log of the test run."""
    print("\ngame        pictures     shown unread  right doubtful refused wrong")
    for row in scores:
        counts = (
            f"{row.pictures:5} {row.unread:6} {row.right:6} {row.doubtful:8} {row.refused:7} {row.wrong:5}"
        )
        print(f"{row.game:11} {row.spoil:12} {counts}")


def wrong(scores: Sequence[Score]) -> list[str]:
    return [f"{row.spoil}: {what}" for row in scores for what in row.wrong_items]


@pytest.mark.parametrize("name", GAMES)
def test_every_skin_is_read_whole_as_it_is(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = score_of(practised([name], len(GAMES[name].skins())), {})

    with capsys.disabled():
        show([row])
    assert (row.wrong_items, row.doubtful, row.refused) == ([], 0, 0)
    assert row.right > 0


def test_cells_that_hold_nothing_to_name_are_no_wrong_claims() -> None:
    """A tile of Magnets that is empty has no item of its own."""
    (row,) = score_of(practised(["magnets"], 1), {})

    assert row.claimed
    assert sum(wrong for _, wrong in row.claimed.values()) == 0


@pytest.mark.parametrize("name", few(GAMES, ASKED_FIRST))
def test_nothing_is_read_wrong_however_the_picture_was_spoilt(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = list(score_of(practised([name], 1), SPOILS))

    with capsys.disabled():
        show(scores)
    assert wrong(scores) == []


def shared_scores(spoils: Mapping[str, Spoil]) -> list[Score]:
    """The shared pictures as they are and spoilt."""
    vanilla = calibrate_thaumcraft([SHARED / "thaumcraft" / "textures"], "vanilla")[0]

    def profiles(game: str) -> Sequence[Profile]:
        return [vanilla] if game == "thaumcraft" else store.candidates(game)

    folders = ("sgt", "screens", "algemy", "thaumcraft/screenshots")
    cases = [case for folder in folders for case in labelled(SHARED / folder, profiles)]
    return list(score_of(cases, spoils))


@pytest.mark.long
@needs_shared
def test_nothing_on_the_shared_pictures_is_read_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    scores = shared_scores({})

    with capsys.disabled():
        show(scores)
    assert wrong(scores) == []
    assert {row.game for row in scores} == {"bridges", "nonogram", "algemy", "thaumcraft"}
    for row in scores:
        assert row.spoil == AS_IT_IS and row.right > 0, row


@pytest.mark.long
@needs_shared
@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("hypo15", "scale 0.6"),
        ("madness", "scale 0.6"),
        ("madness", "gamma 1.4"),
        ("picross_dark_a", "noise 4"),
        ("picross_dark_a", "noise 8"),
    ],
)
def test_what_was_read_wrong_once_is_in_doubt_or_right(name: str, way: str) -> None:
    label = SHARED / "screens" / "nonogram" / f"{name}.json"
    case = labelled_case(label, store.candidates)

    assert wrong(list(score_of([case], {way: SPOILS[way]}))) == []


@pytest.mark.slow
@needs_shared
def test_nothing_on_the_shared_pictures_is_read_wrong_however_they_were_spoilt(
    capsys: pytest.CaptureFixture[str],
) -> None:
    scores = shared_scores(SPOILS)

    with capsys.disabled():
        show(scores)
    assert wrong(scores) == []


def label(name: str, folder: Path, **changes: Any) -> Path:
    """A practice board's picture with its own reading as the label."""
    board = GAMES[name].practice(random.Random(3))
    reading = GAMES[name].read(Frame(board.render(0.0)), board.profile)
    cv2.imwrite(str(folder / f"{name}.png"), board.render(0.0))
    told = {"game": name, "puzzle": GAMES[name].puzzle_json(reading.puzzle)}
    told["placed"] = GAMES[name].solution_json(reading.puzzle, reading.placed)
    (folder / f"{name}.json").write_text(json.dumps(told | changes))
    return folder


@pytest.mark.parametrize("name", GAMES)
def test_what_read_prints_is_a_label(name: str, tmp_path: Path) -> None:
    board = GAMES[name].practice(random.Random(3))

    (row,) = score_of(labelled(label(name, tmp_path), lambda game: [board.profile]), {})

    assert (row.wrong_items, row.doubtful, row.refused) == ([], 0, 0)
    assert row.right > 0


def test_a_cell_that_is_not_as_the_label_says_is_wrong(tmp_path: Path) -> None:
    board = GAMES["bridges"].practice(random.Random(3))
    cases = list(labelled(label("bridges", tmp_path), lambda game: [board.profile]))
    assert cases[0].items is not None
    items = dict(cases[0].items)
    gone = items.popitem()[0]
    items["cell 77,77"] = "3"

    (row,) = score_of([replace(cases[0], items=items)], {})

    assert row.wrong == 2
    assert any(gone in what for what in row.wrong_items)


def test_a_board_that_is_not_there_is_wrong_and_none_found_is_right(tmp_path: Path) -> None:
    board = GAMES["rings"].practice(random.Random(3))
    label("rings", tmp_path, status="no-board").joinpath("rings.json").write_text(
        '{"game": "rings", "status": "no-board"}'
    )
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((90, 90, 3), 99, np.uint8))
    (tmp_path / "grey.json").write_text('{"game": "rings", "status": "no-board"}')

    (row,) = score_of(labelled(tmp_path, lambda game: [board.profile]), {})

    assert (row.right, row.wrong) == (1, 1)


def test_a_refused_picture_is_counted_cell_by_cell(tmp_path: Path) -> None:
    def refuse(frame: Frame, profile: Profile) -> Any:
        raise BoardNotFound("no")

    cases = list(practised(["algemy"], 1))
    blind = replace(cases[0].game, read=refuse)

    (row,) = score_of([replace(cases[0], game=blind)], {})

    assert cases[0].items is not None
    assert (row.unread, row.refused, row.right) == (1, len(cases[0].items), 0)


@pytest.mark.parametrize(
    "text",
    ["[]", "{", '{"game": "chess", "puzzle": ""}', '{"cells": [{"content": 3}]}', '{"hex": 1}', "[" * 9999],
)
def test_a_label_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((9, 9, 3), np.uint8))
    (tmp_path / "a.json").write_text(text)

    with pytest.raises(InvalidPuzzle):
        list(labelled(tmp_path, store.candidates))


def test_cells_that_cannot_be_seen_are_not_compared() -> None:
    game, items = items_of_label(
        {"kind": "nonogram", "rows": [[1]], "cols": [[0], [1]], "cells": ["?x"], "game": "any"}
    )

    assert (game, items) == (
        "nonogram",
        {"row 0": "1", "col 0": "", "col 1": "1", "cell 0,0": None, "cell 0,1": "."},
    )


def test_pictures_are_spoilt_the_same_way_every_time() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (20, 30, 3), np.uint8)

    assert scaled(1.5)(pixels).shape == (30, 45, 3)
    assert np.array_equal(grainy(5)(pixels), grainy(5)(pixels))
    assert brightened(1.0)(pixels).tolist() == pixels.tolist()
    assert brightened(0.5)(np.full((1, 1, 3), 64, np.uint8)).tolist() == [[[128, 128, 128]]]
    assert as_jpeg(90)(pixels).shape == pixels.shape


def test_the_command_prints_the_table_and_fails_on_a_wrong_cell(tmp_path: Path) -> None:
    def boardsight(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "bot", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    right = boardsight("score", "practice:rings", "--boards", "1", "--json")
    label("nonogram", tmp_path, placed=["#" * 99])
    bad = boardsight("score", str(tmp_path))
    none = boardsight("score", str(tmp_path / "nowhere"))

    assert (right.returncode, json.loads(right.stdout)["wrong"]) == (0, 0)
    assert bad.returncode == 7 and "wrong" in bad.stdout
    assert none.returncode == 2


def test_what_was_right_before_and_is_no_more_is_named(tmp_path: Path) -> None:
    def boardsight(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "bot", "score", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    before = tmp_path / "before.json"
    before.write_text(boardsight("practice:bridges", "--boards", "1", "--json").stdout)
    row = json.loads(before.read_text())
    (picture,) = row["told"]
    same = boardsight("practice:bridges", "--boards", "1", "--calibration", "--against", str(before))
    now = Score(row["game"], row["spoil"], told={picture: Told(doubtful=["cell 0,0"])})

    assert (same.returncode, "worse" in same.stderr) == (0, False), same.stderr
    assert "0 of them wrong" in same.stdout
    assert moved_items(row["told"], now) == [f"worse: {picture}, as it is: cell 0,0 was right"]


def test_another_file_is_nothing_to_compare_with(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")

    with pytest.raises(WrongUsage, match="not written by score --json"):
        earlier(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("name", "clue"),
    [("slant", "clue corner,"), ("tents", "clue bottom,"), ("bridges", "cell "), ("algemy", "cell ")],
)
def test_a_clue_in_doubt_is_doubtful_and_not_wrong(name: str, clue: str) -> None:
    case = practice_case(name, 1)
    assert case.items is not None
    reading = case.game.read(Frame(case.pixels), case.profiles[0])
    for cell in reading.marks:
        told = items_of_reading(
            case.game, replace(reading, marks={cell: Mark(None, 0.0, "", "given")}, controls={})
        )

        doubtful = [item for item, value in told.items() if value is None]
        assert len(doubtful) == 1
        if doubtful[0] in case.items and doubtful[0].startswith(clue):
            break
    else:
        pytest.fail(f"no mark is that of an item {clue}")
