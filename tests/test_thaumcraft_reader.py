"""The Thaumcraft reader on real screenshots, and on what people do to screenshots."""

from __future__ import annotations

import json
import random

import cv2
import numpy as np
import pytest

from bot.practice.thaumcraft import practice
from calibration.textures import calibrate_thaumcraft
from solver.lattice import Hex
from solver.thaumcraft import VANILLA
from tests.shared_data import SHARED, needs_shared
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame
from vision.profile import Profile
from vision.readers.thaumcraft import read
from vision.readers.thaumcraft.layout import given_places, ring

SHOTS = SHARED / "thaumcraft" / "screenshots"
NAMES = (
    "stock_3x_board4",
    "stock_4x_board3",
    "stock_resampled_complete",
    "stock_resampled_dragging",
    "tweaks3col_2x_early",
    "tweaks_2x_placed",
)
UIS = {"stock": "stock", "tweaks": "tweaks", "tweaks_old": "tweaks-3col"}
BUTTONS = {"next-note", "next-page", "previous-page", "slot-1", "slot-2", "combine", "copy", "note", "tools"}


@pytest.fixture(scope="module")
def vanilla():
    return calibrate_thaumcraft([SHARED / "thaumcraft" / "textures"], "vanilla")[0]


def shot(name):
    picture = cv2.imread(str(SHOTS / f"{name}.png"))
    truth = json.loads((SHOTS / f"{name}.json").read_text(encoding="utf-8"))
    return picture, truth


def mistakes(reading, truth, scale=1.0, dx=0.0, dy=0.0):
    """Everything the reading claims that is not so; doubts are none."""
    cells = {Hex(cell["q"], cell["r"]): cell for cell in truth["cells"]}
    found = [f"missing {cell}" for cell in cells if cell not in reading.marks]
    for cell, mark in reading.marks.items():
        if mark.symbol is None:
            continue
        true = cells.get(cell)
        if true is None or (mark.symbol, mark.state) != (true["aspect"] or "", true["state"]):
            found.append(f"{cell}: {mark.symbol} {mark.state}, truth {true}")
    for cell, true in cells.items():
        at = reading.geometry.centres.get(cell)
        if at and max(abs(at.x - true["px"] * scale - dx), abs(at.y - true["py"] * scale - dy)) > 2:
            found.append(f"{cell} at {at}")
    if abs(reading.geometry.pitch_px / (truth["hex"]["pitch_px"] * scale) - 1) > 0.03:
        found.append(f"pitch {reading.geometry.pitch_px}")
    palette = {entry["aspect"]: entry for entry in truth["palette"]}
    for symbol in reading.controls.keys() - BUTTONS:
        control, entry = reading.controls[symbol], palette.get(symbol)
        if entry is None or abs(control.at.x - entry["px"] * scale - dx) > 3 * scale:
            found.append(f"palette {symbol} at {control.at}")
        elif entry["count"] is not None and control.count not in (None, entry["count"]):
            found.append(f"{symbol}: {control.count} for {entry['count']}")
    return found


@needs_shared
class TestScreenshots:
    @pytest.mark.parametrize("name", NAMES)
    def test_every_cell_and_palette_icon_is_right(self, vanilla, name):
        picture, truth = shot(name)
        reading = read(Frame(picture), vanilla)
        assert mistakes(reading, truth) == []
        assert reading.doubtful == ()
        assert reading.ui == UIS[truth["ui"]]
        assert reading.finished == (truth["note"] == "complete")
        assert {entry["aspect"] for entry in truth["palette"]} == set(reading.controls) - BUTTONS

    def test_a_table_without_a_note_is_no_board(self, vanilla):
        with pytest.raises(BoardNotFound, match="no note"):
            read(Frame(shot("stock_4x_no_note")[0]), vanilla)

    def test_counts_of_the_default_font_are_read(self, vanilla):
        picture, truth = shot("tweaks3col_2x_early")
        reading = read(Frame(picture), vanilla)
        assert {e["aspect"]: reading.controls[e["aspect"]].count for e in truth["palette"]} == {
            e["aspect"]: e["count"] for e in truth["palette"]
        }
        assert not reading.controls["motus"].active or reading.controls["motus"].count

    def test_the_stock_page_has_arrows_and_slots(self, vanilla):
        controls = read(Frame(shot("stock_resampled_dragging")[0]), vanilla).controls
        assert controls.keys() >= {
            "next-page",
            "previous-page",
            "slot-1",
            "slot-2",
            "combine",
            "note",
            "tools",
        }
        first_page = read(Frame(shot("stock_3x_board4")[0]), vanilla).controls
        assert "next-page" in first_page and "previous-page" not in first_page


def resized(picture, factor, method=None):
    if method is None:
        method = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return cv2.resize(picture, None, fx=factor, fy=factor, interpolation=method)


def as_jpeg(picture, quality):
    return cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)


def with_gamma(picture, gamma):
    return np.rint(255 * (picture / 255.0) ** gamma).astype(np.uint8)


def noisy(picture, strength):
    noise = np.random.default_rng(1).normal(0, strength, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


# What people do to pictures -> (changed picture, scale, shift x, shift y).
CHANGES = {
    **{
        f"resized {f}": (lambda p, f=f: (resized(p, f), f, 0, 0))
        for f in (0.6, 0.75, 0.9, 1.1, 1.3, 1.5, 1.7)
    },
    "resized sharply": lambda p: (resized(p, 0.8, cv2.INTER_CUBIC), 0.8, 0, 0),
    "jpeg 70": lambda p: (as_jpeg(p, 70), 1, 0, 0),
    "jpeg 70, smaller": lambda p: (as_jpeg(resized(p, 0.8), 70), 0.8, 0, 0),
    "darker gamma": lambda p: (with_gamma(p, 1.6), 1, 0, 0),
    "lighter gamma": lambda p: (with_gamma(p, 0.6), 1, 0, 0),
    "noise": lambda p: (noisy(p, 10), 1, 0, 0),
    "dim": lambda p: ((p * 0.7).astype(np.uint8), 1, 0, 0),
    "shifted": lambda p: (
        cv2.copyMakeBorder(p, 37, 11, 53, 90, cv2.BORDER_CONSTANT, value=(200, 120, 40)),
        1,
        53,
        37,
    ),
    "cropped": lambda p: (np.ascontiguousarray(p[3:, 5:]), 1, -5, -3),
}


@needs_shared
@pytest.mark.parametrize("change", CHANGES)
def test_changed_pictures_are_never_read_wrongly(vanilla, change):
    right = 0
    for name in NAMES:
        picture, truth = shot(name)
        changed, scale, dx, dy = CHANGES[change](picture)
        try:
            reading = read(Frame(changed), vanilla)
        except (BoardNotFound, UncertainReading):
            continue
        assert mistakes(reading, truth, scale, dx, dy) == [], name
        right += not reading.doubtful
    assert right >= 3


@needs_shared
@pytest.mark.parametrize("name", ["stock_3x_board4", "tweaks_2x_placed"])
def test_a_tooltip_over_cells_is_a_doubt(vanilla, name):
    picture, truth = shot(name)
    x, y = truth["hex"]["center"]
    pitch = truth["hex"]["pitch_px"]
    box = (slice(int(y - 0.2 * pitch), int(y + 1.6 * pitch)), slice(int(x - 0.5 * pitch), int(x + 4 * pitch)))
    picture[box] = (picture[box] * 0.06 + np.array([16, 0, 16]) * 0.94).astype(np.uint8)
    try:
        reading = read(Frame(picture), vanilla)
    except (BoardNotFound, UncertainReading):
        return
    assert reading.doubtful
    assert mistakes(reading, truth) == []


def test_givens_have_fixed_places():
    assert ring(2)[0] == Hex(-2, 2)
    assert given_places(2, 4) == {Hex(-2, 2), Hex(1, 1), Hex(2, -2), Hex(-1, -1)}
    assert given_places(4, 5) == {Hex(-4, 4), Hex(1, 3), Hex(4, -2), Hex(2, -4), Hex(-3, -1)}


def test_a_profile_without_a_table_finds_no_board():
    with pytest.raises(BoardNotFound, match="does not know"):
        read(Frame(np.zeros((300, 300, 3), np.uint8)), Profile("thaumcraft", "empty"))


@needs_shared
@pytest.mark.parametrize("size", [(1, 1), (40, 700), (480, 640), (1080, 1920)])
def test_noise_is_no_board(vanilla, size):
    random = np.random.default_rng(5)
    picture = random.integers(0, 256, (*size, 3), dtype=np.uint8)
    with pytest.raises((BoardNotFound, UncertainReading)):
        read(Frame(picture), vanilla)


class TestPracticeTables:
    """What our own tables have shown the reader to get wrong."""

    @pytest.mark.parametrize(("seed", "ui"), [(111, "stock"), (112, "tweaks")])
    def test_a_ring_with_an_orb_behind_is_no_plain_square(self, seed, ui):
        board = practice(random.Random(seed), ui=ui, scale=4)
        reading = read(Frame(board.render(1.0)), board.profile)
        assert reading.puzzle.given == board.puzzle.given
        assert reading.doubtful == ()

    def test_a_primal_under_sparkle_and_number_of_its_bonus_is_seen(self):
        board = practice(random.Random(0))
        assert board.server.bonus == {"terra": 3, "aer": 2}
        for now_s in (1.0, 1.4, 1.8):
            reading = read(Frame(board.render(now_s)), board.profile)
            assert {"terra", "aer"} <= reading.controls.keys()

    def test_a_given_of_the_colour_of_parchment_does_not_turn_the_others_into_placed_ones(self):
        board = practice(random.Random(9), solid=frozenset(VANILLA.components))
        reading = read(Frame(board.render(1.0)), board.profile)
        assert "placed" not in {mark.state for mark in reading.marks.values() if mark.symbol}


@needs_shared
def test_a_note_of_the_games_research_is_confirmed(vanilla):
    remark = "confirmed by the game's research list"
    assert remark in read(Frame(shot("stock_4x_board3")[0]), vanilla).remarks
    assert remark not in read(Frame(shot("stock_3x_board4")[0]), vanilla).remarks
