"""The practice research table: its rules, its input with all traps, its pictures."""

from __future__ import annotations

import random
from dataclasses import replace

import cv2
import numpy as np
import pytest

from bot.actions import Action, Drag, Key, Move, Tap
from bot.practice.thaumcraft import ResearchTable, Server, own_textures
from bot.practice.thaumcraft.blueprint import BLUEPRINTS, gui_scale, palette_order, placing
from bot.practice.thaumcraft.screen import CellView, TableScreen, TableView
from solver.lattice import Hex, hexagon
from solver.thaumcraft import VANILLA, Note
from tests.shared_data import SHARED, needs_shared
from vision.frame import Point
from vision.profile import Profile

COLOURS = {tag: VANILLA.rgb(tag)[::-1] for tag in VANILLA.components}
WOOD = {"stock": (169.5, 162.5), "tweaks": (86.5, 150.5), "tweaks-3col": (70.5, 150.5)}


def table(ui: str = "tweaks", scale: int = 2, **more: object) -> ResearchTable:
    """A note of 19 cells with aer at (-2,2) and ignis at (2,0), 5 units of everything, answers in 0.1 s."""
    known = set(VANILLA.components)
    server = Server(
        aspects=VANILLA,
        cells=frozenset(hexagon(2)),
        given={Hex(-2, 2): "aer", Hex(2, 0): "ignis"},
        stock=dict.fromkeys(known, 5),
        discovered=known,
    )
    for name, value in more.items():
        setattr(server, name, value)
    window = (350 * scale, 280 * scale)
    screen = TableScreen(own_textures(), COLOURS, BLUEPRINTS[ui], window, scale)
    return ResearchTable(server, screen, Profile("thaumcraft", "test"), answer_s=0.1)


def at(board: ResearchTable, x: float, y: float) -> Point:
    """Device px of a place in GUI px."""
    place = board.screen.place
    return Point(place.scale * (place.left + x), place.scale * (place.top + y))


def entry(board: ResearchTable, tag: str) -> Point:
    area = board.entries()[tag]
    return at(board, area.x + 8.5, area.y + 8.5)


def cell(board: ResearchTable, q: int, r: int) -> Point:
    return at(board, *board.screen.blueprint.cell_centre(Hex(q, r)))


def wood(board: ResearchTable) -> Point:
    return at(board, *WOOD[board.screen.blueprint.ui])


def drag(*path: Point, stamp: bool = False) -> Drag:
    return Drag(path, duration_s=0.2 * (len(path) - 1), hold_s=0.12, stamp=stamp)


def do(board: ResearchTable, *actions: Action, rest_s: float = 0.3) -> None:
    """Do the actions one after the other, with a rest in between and after."""
    for action in actions:
        board.act(action, board.now + rest_s)
    board.render(board.now + rest_s)


@pytest.mark.parametrize("ui", sorted(BLUEPRINTS))
def test_a_drag_from_the_palette_places_an_aspect_once_the_server_has_answered(ui: str) -> None:
    board = table(ui)

    board.act(drag(entry(board, "aer"), cell(board, 0, 0)), 0.0)
    at_once = dict(board.server.placed)
    board.render(1.0)

    assert at_once == {}
    assert board.server.placed == {Hex(0, 0): "aer"}
    assert board.server.stock["aer"] == 4
    assert board.server.ink == 99


def test_a_table_lives_from_when_it_is_first_seen() -> None:
    days_s = 30 * 24 * 3600.0
    board = table()
    frames: list[float] = []
    board._frame = lambda: frames.append(board.now)  # type: ignore[method-assign]

    board.render(days_s)
    board.render(days_s + 1.0)

    assert len(frames) == 20 and frames[0] > days_s, "a clock that runs since days is no past of the table"


def test_a_pointer_that_leaves_before_the_release_was_sampled_misses() -> None:
    board = table("stock")

    board.act(drag(entry(board, "aer"), cell(board, 0, 0)), 0.01)
    board.act(Move(wood(board)), 0.0)
    board.render(1.0)

    assert board.server.placed == {}


def test_a_stock_drag_that_no_frame_sees_on_the_entry_misses() -> None:
    board = table("stock")

    board.act(Drag((entry(board, "aer"), cell(board, 0, 0)), duration_s=0.01, hold_s=0.005), 0.051)
    board.render(1.0)

    assert board.server.placed == {}


def test_a_second_drag_before_the_answer_is_paid_again() -> None:
    board = table("tweaks")
    quick = Drag((entry(board, "aer"), cell(board, 0, 0)), duration_s=0.0, hold_s=0.0)

    board.act(quick, 0.0)
    board.act(quick, 0.06)
    board.render(1.0)

    assert board.server.placed == {Hex(0, 0): "aer"}
    assert board.server.stock["aer"] == 3


def test_tweaks_a_click_on_an_aspect_destroys_two_units_of_it() -> None:
    board = table("tweaks")

    do(board, Tap(entry(board, "aer"), hold_s=0.1))

    assert board.server.stock["aer"] == 3


def test_tweaks_one_drag_places_many_with_right_clicks_until_the_stock_is_gone() -> None:
    board = table("tweaks", stock={"aer": 2})
    cells = [cell(board, 0, 0), cell(board, 1, 0), cell(board, 0, 1)]

    do(board, replace(drag(entry(board, "aer"), *cells, wood(board), stamp=True), hold_s=0.3))

    assert board.server.placed == {Hex(0, 0): "aer", Hex(1, 0): "aer"}
    assert board.server.stock["aer"] == 0


def test_tweaks_a_drop_on_another_entry_combines() -> None:
    board = table("tweaks")

    do(board, drag(entry(board, "aer"), entry(board, "ignis")))
    do(board, drag(entry(board, "aer"), entry(board, "terra")))

    assert board.server.stock["lux"] == 6
    assert (board.server.stock["aer"], board.server.stock["ignis"], board.server.stock["terra"]) == (3, 4, 4)


def test_stock_plain_clicks_fill_the_slots_and_the_button_combines_again_and_again() -> None:
    board = table("stock")
    button = Tap(at(board, 51.5, 147.5), hold_s=0.05)

    do(board, Tap(entry(board, "aer")), Tap(entry(board, "ignis")))
    slots = board.view().slots
    do(board, button, button)
    board.act(button, board.now)
    board.act(button, board.now + 0.01)
    board.render(board.now + 1)

    assert slots == ("aer", "ignis")
    assert board.server.stock["aer"] == 2


def test_a_compound_made_for_the_first_time_is_discovered_with_three_units() -> None:
    board = table("tweaks", discovered={"aer", "ignis"}, stock={"aer": 1, "ignis": 1})

    do(board, drag(entry(board, "aer"), entry(board, "ignis")))

    assert board.server.stock == {"aer": 0, "ignis": 0, "lux": 3}
    assert "lux" in board.entries()


def test_an_aspect_without_units_cannot_be_dragged_but_a_bonus_unit_can() -> None:
    board = table("stock", stock={}, bonus={"ignis": 1})

    do(board, drag(entry(board, "aer"), cell(board, 0, 0)))
    do(board, drag(entry(board, "ignis"), cell(board, 0, 1)))

    assert board.server.placed == {Hex(0, 1): "ignis"}
    assert board.server.bonus == {"ignis": 0}


def test_without_ink_nothing_is_placed_and_a_box_covers_the_parchment() -> None:
    board = table("stock", ink=1)
    before = board.render(0.0)

    do(board, drag(entry(board, "aer"), cell(board, 0, 0)), drag(entry(board, "aer"), cell(board, 0, 1)))
    x, y = at(board, 157, 84)

    assert board.server.placed == {Hex(0, 0): "aer"}
    assert int(board.render(board.now)[int(y), int(x)].max()) < int(before[int(y), int(x)].max())


def test_a_click_on_a_placed_cell_erases_it_and_the_unit_is_lost() -> None:
    board = table("tweaks", placed={Hex(0, 0): "aer"})

    do(board, Tap(cell(board, 0, 0)))

    assert board.server.placed == {}
    assert board.server.stock["aer"] == 5


def test_the_note_is_sealed_when_the_givens_hang_together() -> None:
    path = {Hex(-1, 1): "lux", Hex(0, 1): "ignis", Hex(1, 0): "lux", Hex(-1, 0): "terra"}
    board = table("stock", given={Hex(-2, 2): "aer", Hex(2, 0): "ignis"}, placed=path)
    missing = Hex(0, 0)

    assert not board.solved()
    del board.server.placed[Hex(0, 1)]
    do(board, drag(entry(board, "ignis"), cell(board, 0, 1)))
    kept = set(board.server.cells)
    do(board, drag(entry(board, "ignis"), cell(board, *missing)))

    assert board.solved()
    assert kept == {Hex(-2, 2), Hex(-1, 1), Hex(0, 1), Hex(1, 0), Hex(2, 0)}
    assert missing not in board.server.placed


def test_an_undiscovered_given_shows_as_unknown_and_links_to_nothing() -> None:
    path = {Hex(-1, 1): "lux", Hex(0, 1): "ignis", Hex(1, 0): "lux"}
    board = table("stock", discovered=set(VANILLA.components) - {"aer"}, placed=path)

    do(board, drag(entry(board, "aqua"), cell(board, -1, 0)))
    cells = board.view().cells

    assert cells is not None
    assert cells[Hex(-2, 2)].aspect == "?"
    assert not board.solved()


def test_stock_pages_move_by_one_column() -> None:
    board = table("stock")
    first = list(board.entries())

    do(board, Tap(at(board, 63.5, 125.5)))
    second = list(board.entries())
    for _ in range(9):
        do(board, Tap(at(board, 63.5, 125.5)))

    assert second == sorted(VANILLA.components)[5:30]
    assert first == sorted(VANILLA.components)[:25]
    assert board.view().buttons == ("previous-page",)
    assert list(board.entries()) == sorted(VANILLA.components)[25:]


@pytest.mark.parametrize("ui", ["stock", "tweaks"])
def test_shift_and_a_click_swap_the_note_for_another_one(ui: str) -> None:
    board = table(ui)
    other = Note(frozenset(hexagon(2)), {Hex(-2, 2): "terra", Hex(2, 0): "aqua"})
    board = ResearchTable(
        board.server,
        board.screen,
        board.profile,
        answer_s=0.1,
        further_notes=2,
        new_note=lambda number: other,
    )
    note, second = board.screen.blueprint.note, board.screen.blueprint.inventory_slot(1)

    board.act(Tap(at(board, note.x + 8, note.y + 8), modifiers=("shift",)), 0.1)
    board.render(1.0)
    emptied, kept = board.view().cells, board.view().items[:4]
    board.act(Tap(at(board, second.x + 8, second.y + 8), modifiers=("shift",)), 1.0)
    board.render(2.0)

    assert emptied is None
    assert kept == ("items/researchnotes",) * 3 + ("",)
    assert board.view().items[:4] == ("items/researchnotes", "", "items/researchnotes", "")
    assert board.puzzle == other


def test_the_escape_key_closes_the_table() -> None:
    board = table("stock")
    before = board.render(0.0)

    board.act(Key("esc"), 0.1)

    assert float(np.abs(board.render(0.2).astype(float) - before).mean()) > 5


def test_the_window_decides_the_scale_and_the_place_as_in_minecraft() -> None:
    assert [gui_scale(*size) for size in ((1920, 1080), (2560, 1440), (3840, 2160))] == [4, 6, 9]
    assert gui_scale(1920, 1080, 2) == 2
    place = placing(BLUEPRINTS["tweaks"], 1280, 960, 4)
    assert (place.left, place.top) == (-11, -19)


def test_the_tweaks_palette_splits_the_vanilla_aspects_in_two_halves() -> None:
    left, right = palette_order(BLUEPRINTS["tweaks"], frozenset(VANILLA.components), VANILLA.components)

    assert (len(left), len(right)) == (24, 24)
    assert left[:3] == ("ordo", "terra", "aqua")
    assert right[:3] == ("perditio", "ignis", "aer")


@pytest.mark.parametrize("ui", sorted(BLUEPRINTS))
def test_a_picture_in_another_scale_is_the_same_picture_larger(ui: str) -> None:
    small = table(ui, 2).render(0.0)
    large = table(ui, 4).render(0.0)

    shrunk = cv2.resize(large, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA)

    assert float(np.abs(shrunk.astype(float) - small).mean()) < 4


def test_our_own_signs_are_all_different() -> None:
    textures = own_textures()
    icons = {tag: textures[f"aspects/{tag}"][..., 3].astype(float) for tag in VANILLA.components}
    tags = sorted(icons)

    apart = {
        (a, b): float(np.abs(icons[a] - icons[b]).mean()) for n, a in enumerate(tags) for b in tags[n + 1 :]
    }

    assert min(apart.values()) > 20, min(apart, key=lambda pair: apart[pair])


def test_what_moves_in_the_game_moves_and_the_rest_stands_still() -> None:
    board = table("stock", placed={Hex(-1, 1): "lux"})

    first = board.render(0.0).astype(int)
    second = board.render(2.0)
    moved = np.abs(second - first).max(axis=2) > 0
    x, y = cell(board, -2, 2)
    left, top = at(board, 94, 8)
    right, bottom = at(board, 244, 158)

    assert moved[int(y) - 8 : int(y) + 8, int(x) - 8 : int(x) + 8].any()
    moved[int(top) : int(bottom), int(left) : int(right)] = False
    assert not moved.any()


@needs_shared
def test_with_the_games_own_textures_the_picture_is_the_games() -> None:
    """The wood, the inventory and the icons of a real screenshot, drawn again, agree with it."""
    folder = SHARED / "thaumcraft" / "textures"
    textures = {
        str(path.relative_to(folder).with_suffix("")).replace("tweaks/", "research/table/"): picture
        for path in sorted(folder.rglob("*.png"))
        if (picture := cv2.imread(str(path), cv2.IMREAD_UNCHANGED)) is not None and picture.shape[-1] == 4
    }
    real = cv2.imread(str(SHARED / "thaumcraft" / "screenshots" / "tweaks_2x_placed.png"))
    blueprint = BLUEPRINTS["tweaks"]
    order = palette_order(blueprint, frozenset(VANILLA.components), VANILLA.components)
    cells = {cell: CellView() for cell in hexagon(2)}
    cells |= {Hex(-2, 2): CellView("cognitio", True), Hex(-1, 1): CellView("humanus")}
    view = TableView(blueprint, cells, blueprint.entries(order, 0), dict.fromkeys(VANILLA.components, 20))
    screen = TableScreen(textures, COLOURS, blueprint, (684, 558), 2)

    drawn = screen.render(view, 0.0).astype(float)
    seen = real[47 : 47 + 558, 37 : 37 + 684].astype(float)
    spots = {
        "wood": np.s_[300:390, 30:150],
        "humanus": np.s_[204 - 16 : 204 + 16, 316 - 16 : 316 + 16],
        "parchment": np.s_[330:360, 210:300],
    }

    for spot in spots.values():
        ours, theirs = drawn[spot][: seen[spot].shape[0]], seen[spot]
        assert float(np.corrcoef(ours.ravel(), theirs.ravel())[0, 1]) > 0.9


def test_the_same_seed_draws_the_same_pictures() -> None:
    rng = random.Random(3)
    moment = rng.random() * 30

    assert (table("stock").render(moment) == table("stock").render(moment)).all()
