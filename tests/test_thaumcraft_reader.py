"""The Thaumcraft reader on real screenshots, and on what people do to screenshots."""

from __future__ import annotations

import json
import random

import cv2
import numpy as np
import pytest

from bot.actions import Move
from bot.practice.thaumcraft import practice
from bot.practice.thaumcraft.art import own_textures
from bot.practice.thaumcraft.making import own_profile
from calibration.thaumcraft.textures import calibrate_thaumcraft, profile_from_textures
from solver.lattice import Hex, hexagon
from solver.thaumcraft import VANILLA
from tests.shared_data import SHARED, needs_shared
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Frame, Point
from vision.profile import Profile
from vision.readers.thaumcraft.again import reread
from vision.readers.thaumcraft.board import read
from vision.readers.thaumcraft.layout import LARGEST_RADIUS, given_places, ring

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

    def test_counts_of_another_font_are_read_where_they_are_legible_and_never_wrongly(self, vanilla):
        picture, truth = shot("stock_4x_board3")
        printed = {entry["aspect"]: entry["count"] for entry in truth["palette"]}

        controls = read(Frame(picture), vanilla).controls

        seen = {tag: controls[tag].count for tag in printed if controls[tag].count is not None}
        assert seen.items() <= printed.items()
        assert len(seen) >= 15

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


@needs_shared
@pytest.mark.parametrize(("right", "below"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_the_corner_of_a_window_over_a_cell_is_no_icon(vanilla, right, below):
    """The green of a tint is the worst case: the corner is as strange to parchment as half of that icon."""
    plain, truth = shot("stock_4x_board3")
    cell = next(one for one in truth["cells"] if (one["q"], one["r"]) == (0, 2))
    x, y, side = round(cell["px"]) + (-4 if right else 4), round(cell["py"]), 150
    for colour in ((77, 118, 77), (250, 120, 40)):
        picture = plain.copy()
        picture[y - side * (1 - below) : y + side * below, x - side * (1 - right) : x + side * right] = colour
        assert mistakes(read(Frame(picture), vanilla), truth) == []


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
        broken = frozenset(practice(random.Random(9)).puzzle.given.values())
        board = practice(random.Random(9), solid=broken)
        reading = read(Frame(board.render(1.0)), board.profile)
        assert "placed" not in {mark.state for mark in reading.marks.values() if mark.symbol}


def played(seed, ui, scale):
    """A practice table with aspects on it, linked and not, and some stock at zero."""
    rng = random.Random(seed)
    board = practice(rng, ui=ui, scale=scale)
    free = sorted(board.server.cells - board.server.given.keys())
    for cell in rng.sample(free, 3):
        board.server.placed[cell] = rng.choice(sorted(VANILLA.components))
    for tag in rng.sample(sorted(board.server.stock), 12):
        board.server.stock[tag] = 0
    return board


def wrong(reading, board, factor=1.0, dx=0, dy=0):
    """What a reading of a practice table says that is not so; doubts are none."""
    server, place = board.server, board.screen.place
    found = []
    for cell in server.cells:
        given = cell in server.given
        true = (server.given if given else server.placed).get(cell, "")
        state = "given" if given else "placed" if true else "free"
        mark = reading.marks.get(cell)
        if mark is None or (mark.symbol is not None and (mark.symbol, mark.state) != (true, state)):
            found.append(f"{cell}: {mark}, truth {true} {state}")
    found += [f"{c}: {m}" for c, m in reading.marks.items() if c not in server.cells and m.symbol is not None]
    shown = board.entries()
    for tag, control in reading.controls.items():
        if not control.symbol:
            continue
        area = shown.get(tag)
        x = place.scale * (place.left + area.x + 8) * factor + dx if area else -99
        y = place.scale * (place.top + area.y + 8) * factor + dy if area else -99
        if max(abs(control.at.x - x), abs(control.at.y - y)) > 6:
            found.append(f"palette {tag} at {control.at}")
        elif control.count not in (None, server.stock[tag]):
            found.append(f"{tag}: {control.count} for {server.stock[tag]}")
    return found


# Name -> (change, factor, shift x, shift y).
WAYS = {
    "as it is": (lambda p: p, 1, 0, 0),
    "noise": (lambda p: noisy(p, 8), 1, 0, 0),
    "lighter": (lambda p: with_gamma(p, 0.7), 1, 0, 0),
    "darker": (lambda p: with_gamma(p, 1.4), 1, 0, 0),
    "jpeg 70": (lambda p: as_jpeg(p, 70), 1, 0, 0),
    "cropped": (lambda p: np.ascontiguousarray(p[13:, 17:]), 1, -17, -13),
    "framed": (
        lambda p: cv2.copyMakeBorder(p, 31, 8, 8, 8, cv2.BORDER_CONSTANT, value=(70, 60, 50)),
        1,
        8,
        31,
    ),
    "resized": (lambda p: resized(p, 0.75), 0.75, 0, 0),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ui", ["stock", "tweaks", "tweaks-3col"])
def test_practice_tables_are_never_read_wrongly(ui, way):
    change, factor, dx, dy = WAYS[way]
    for seed, scale in ((21, 2), (22, 3)):
        board = played(seed, ui, scale)
        reading = read(Frame(change(board.render(7.0))), board.profile)
        assert wrong(reading, board, factor, dx, dy) == []
        assert len(reading.doubtful) <= (0 if way == "as it is" else 2)


def test_buttons_are_no_entries_of_the_palette():
    board = practice(random.Random(3), ui="stock", scale=2)
    controls = read(Frame(board.render(1.0)), board.profile).controls
    assert not any(controls[name].symbol for name in ("note", "tools", "slot-1", "combine", "next-page"))
    assert {name for name, control in controls.items() if control.symbol} <= set(VANILLA.components)


@pytest.mark.parametrize("ui", ["stock", "tweaks"])
def test_a_tooltip_over_the_palette_hides_entries_and_moves_none(ui):
    board = practice(random.Random(5), ui=ui, scale=3)
    area = list(board.entries().values())[8]
    board.act(Move(Point(*board.screen._device(area.x + 8, area.y + 8))), 0.5)
    reading = read(Frame(board.render(1.0)), board.profile)
    assert wrong(reading, board) == []
    assert reading.puzzle.stock is None


def test_what_hangs_over_the_empty_part_of_the_palette_is_no_entry():
    """An aspect on the pointer, or a tooltip in whose text one is seen: the game fills the palette without gaps."""
    board = practice(random.Random(5), ui="tweaks", scale=2)
    area = board.entries()["victus"]
    board.server.discovered.remove("victus")
    whole = practice(random.Random(5), ui="tweaks", scale=2).render(1.0)
    picture = board.render(1.0).copy()
    last = max(board.entries().values(), key=lambda one: (one.x == area.x, one.y))
    (left, top), (x, y) = (map(round, board.screen._device(one.x, one.y)) for one in (last, area))
    top += 4 * 32
    picture[top : top + 32, left : left + 32] = whole[y : y + 32, x : x + 32]

    reading = read(Frame(picture), board.profile)

    assert "victus" not in reading.controls
    assert wrong(reading, board) == []


@pytest.mark.parametrize("scale", [2, 3])
def test_discs_of_a_helper_program_over_the_note_are_named(scale):
    """Dark discs over the blanks and pale ones with the aspects that it would place over the cells."""
    board = practice(random.Random(4), ui="stock", scale=scale)
    picture = board.render(1.0).copy()
    plain = read(Frame(picture), board.profile)
    icons = [control.at for control in plain.controls.values() if control.symbol]
    reach = round(0.45 * plain.geometry.pitch_px)
    placement = plain.seen.placement
    for nth, cell in enumerate(hexagon(LARGEST_RADIUS)):
        x, y = (round(at) for at in placement.point(*placement.backdrop.layout.cell_centre(cell)))
        if cell in board.server.cells:
            icon = icons[nth % len(icons)]
            cv2.circle(picture, (x, y), reach, (225, 235, 240), -1)
            picture[y - 7 : y + 7, x - 7 : x + 7] = picture[
                round(icon.y) - 7 : round(icon.y) + 7, round(icon.x) - 7 : round(icon.x) + 7
            ]
        else:
            cv2.circle(picture, (x, y), reach, (40, 50, 60), -1)

    with pytest.raises(UncertainReading, match="nothing that the game draws"):
        read(Frame(picture), board.profile)


def test_a_picture_without_colours_is_refused():
    board = practice(random.Random(2), ui="stock", scale=2)
    grey = cv2.cvtColor(cv2.cvtColor(board.render(1.0), cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    with pytest.raises(UncertainReading, match="no colours"):
        read(Frame(grey), board.profile)


def pale_wood(name, texture):
    if "research" not in name:
        return texture
    return np.dstack([255 - texture[:, :, :3], texture[:, :, 3]])


def turned_icons(name, texture):
    return np.ascontiguousarray(np.rot90(texture)) if name.startswith("aspects/") else texture


def plain_icons(name, texture):
    return np.full_like(texture, 255) if name.startswith("aspects/") and "_" not in name else texture


class TestSkins:
    """Resource packs that the profile does not know, and the same when they were learned."""

    @pytest.mark.parametrize("pack", [pale_wood, turned_icons, plain_icons])
    @pytest.mark.parametrize("ui", ["stock", "tweaks"])
    def test_an_unknown_skin_is_refused(self, ui, pack):
        textures = {name: pack(name, texture) for name, texture in own_textures().items()}
        board = practice(random.Random(7), ui=ui, scale=3, textures=textures)
        with pytest.raises((BoardNotFound, UncertainReading), match=r"skin|not those that were learned"):
            read(Frame(board.render(1.0)), own_profile())

    @pytest.mark.parametrize("pack", [pale_wood, turned_icons])
    @pytest.mark.parametrize("ui", ["stock", "tweaks"])
    def test_a_skin_that_was_learned_is_read(self, ui, pack):
        textures = {name: pack(name, texture) for name, texture in own_textures().items()}
        learned = profile_from_textures(textures, "pack")
        board = practice(random.Random(7), ui=ui, scale=3, textures=textures, profile=learned)
        reading = read(Frame(board.render(1.0)), learned)
        assert wrong(reading, board) == []
        assert reading.doubtful == ()


@needs_shared
def test_a_note_of_the_games_research_is_confirmed(vanilla):
    remark = "confirmed by the game's research list"
    assert remark in read(Frame(shot("stock_4x_board3")[0]), vanilla).remarks
    assert remark not in read(Frame(shot("stock_3x_board4")[0]), vanilla).remarks


@pytest.mark.parametrize("axis", [0, 1], ids=["one above the other", "side by side"])
@pytest.mark.parametrize("ui", ["stock", "tweaks"])
def test_of_two_tables_on_a_picture_it_is_said_that_one_was_read(axis: int, ui: str) -> None:
    boards = [practice(random.Random(seed), ui=ui, scale=2, window=(720, 600)) for seed in (3, 5)]

    reading = read(Frame(np.concatenate([board.render(1.0) for board in boards], axis)), boards[0].profile)

    assert reading.puzzle.cells in [board.puzzle.cells for board in boards]
    (other,) = reading.others
    assert (other.top >= 600) == (axis == 0 and reading.area.top < 600)
    assert (other.left >= 720) == (axis == 1 and reading.area.left < 720)
    assert any("another research table is" in remark for remark in reading.remarks)


def test_a_stock_that_is_not_known_is_said_to_count_as_endless() -> None:
    stock, tweaks = (practice(random.Random(3), ui=ui, scale=2) for ui in ("stock", "tweaks"))
    table, profile = tweaks.render(1.0), tweaks.profile
    first = read(Frame(table), profile)
    beside = round(min(control.at.x for control in first.controls.values() if control.symbol))

    pages = read(Frame(stock.render(1.0)), stock.profile)
    cut = read(Frame(np.ascontiguousarray(table[:, beside:])), profile)

    assert first.puzzle.stock and not any("stock" in remark for remark in first.remarks)
    assert pages.puzzle.stock is None and any("other pages" in remark for remark in pages.remarks)
    assert cut.puzzle.stock is None and any("not on the picture" in remark for remark in cut.remarks)


def test_one_table_has_no_others() -> None:
    board = practice(random.Random(3), ui="stock", scale=2)

    reading = read(Frame(board.render(1.0)), board.profile)

    assert reading.others == ()
    assert not any("another" in remark for remark in reading.remarks)


@pytest.mark.parametrize(("one", "other"), [(23, 15), (21, 17), (15, 23)])
def test_another_note_in_the_place_of_a_known_one_is_seen_as_it_is(one, other):
    known, now = (
        practice(random.Random(seed), ui="tweaks", scale=2, window=(800, 600)) for seed in (one, other)
    )
    earlier = read(Frame(known.render(0.0).copy()), known.profile)

    again = reread(Frame(now.render(0.0).copy()), earlier)

    assert again is None or (again.puzzle.cells, again.puzzle.given) == (now.puzzle.cells, now.puzzle.given)
