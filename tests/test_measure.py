"""Icons are cut from a screenshot of which the board is told."""

from __future__ import annotations

import json
import random

import cv2
import numpy as np
import pytest

from bot.commands.learn import calibrate
from bot.practice.thaumcraft import own_profile, practice
from calibration import store
from calibration.errors import CalibrationError
from calibration.thaumcraft.measure import measure_icons
from solver.lattice import Hex
from solver.thaumcraft import Note, unparse
from vision.frame import Frame
from vision.profile import Profile
from vision.readers.thaumcraft.board import read


def without(profile, tags):
    kept = {
        name: icon for name, icon in profile.templates.items() if name.removeprefix("aspects/") not in tags
    }
    return Profile(profile.game, "bare", kept)


@pytest.mark.parametrize(("seed", "ui"), [(1, "stock"), (4, "tweaks"), (5, "tweaks-3col")])
def test_icons_cut_from_one_screenshot_read_another(seed, ui):
    board = practice(random.Random(seed), ui=ui, scale=3)
    frames = [Frame(board.render(now_s)) for now_s in (1.0, 1.5)]
    tags = set(board.puzzle.given.values())
    profile, lines = measure_icons(frames, board.puzzle, [without(own_profile(), tags)], "mine")
    assert lines[-1] == f"new: {', '.join(sorted(tags))}"
    reading = read(Frame(board.render(3.0)), profile)
    assert reading.puzzle.given == board.puzzle.given
    assert reading.doubtful == ()


def test_a_board_that_is_not_on_the_picture_is_refused():
    board = practice(random.Random(1), ui="stock", scale=3)
    frame = Frame(board.render(1.0))
    with pytest.raises(CalibrationError, match="shows nothing at 4,0, where the board has aer"):
        measure_icons([frame], Note(frozenset({Hex(4, 0)}), {Hex(4, 0): "aer"}), [own_profile()], "mine")
    with pytest.raises(CalibrationError, match="names no aspect"):
        measure_icons([frame], Note(frozenset({Hex(0, 0)}), {}), [own_profile()], "mine")


def test_without_a_profile_that_knows_the_table_nothing_can_be_cut():
    note = practice(random.Random(1)).puzzle
    grey = Frame(np.full((400, 600, 3), 90, np.uint8))
    with pytest.raises(CalibrationError, match="screenshot alone"):
        measure_icons([grey], note, [], "mine")
    with pytest.raises(CalibrationError, match="no research table"):
        measure_icons([grey], note, [own_profile()], "mine")


class TestCommand:
    @pytest.fixture(autouse=True)
    def screenshot(self, tmp_path, monkeypatch):
        monkeypatch.setenv(store.ENVIRONMENT, str(tmp_path / "profiles"))
        self.board = practice(random.Random(1), ui="stock", scale=3)
        self.picture, self.truth = tmp_path / "shot.png", tmp_path / "board.json"
        cv2.imwrite(str(self.picture), self.board.render(1.0))
        self.truth.write_text(unparse(self.board.puzzle), encoding="utf-8")

    @pytest.mark.parametrize("as_file", [True, False])
    def test_a_screenshot_and_its_board_make_a_profile(self, as_file):
        store.save(without(own_profile(), {"aer"}))
        truth = str(self.truth) if as_file else json.dumps(json.loads(self.truth.read_text("utf-8")))
        assert calibrate("thaumcraft", [self.picture], truth, "cut") == 0
        learned = store.load("thaumcraft", "cut")
        assert {f"aspects/{tag}" for tag in self.board.puzzle.given.values()} <= learned.templates.keys()

    def test_a_screenshot_without_its_board_is_refused(self):
        with pytest.raises(CalibrationError, match="what is on it is not told"):
            calibrate("thaumcraft", [self.picture])

    def test_a_board_without_a_screenshot_is_refused(self):
        with pytest.raises(CalibrationError, match="--truth tells the board of a screenshot"):
            calibrate("thaumcraft", None, str(self.truth))
