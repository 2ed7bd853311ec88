"""The player of research notes, on the practice table: what it does, and above all what it never does.

Most tests read the table by its own memory instead of its picture, so that they speak of the player alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from bot.actions import Action, Drag, Move, Step, Tap, points
from bot.clock import SimulatedClock
from bot.devices.practice import Faults, PracticeDevice
from bot.errors import PlayError
from bot.game import Game
from bot.games import GAMES
from bot.play import Options, Outcome, play
from bot.players.thaumcraft import plan
from bot.practice.thaumcraft import ResearchTable, Server, own_textures, practice
from bot.practice.thaumcraft.blueprint import BLUEPRINTS
from bot.practice.thaumcraft.screen import TableScreen
from bot.screen import Screen
from solver.answer import Answer
from solver.lattice import Hex, hexagon
from solver.thaumcraft import VANILLA, Note, Solution
from tests.seldom import few
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Point
from vision.profile import Profile
from vision.reading import Control, Geometry, Mark, Reading

UIS = sorted(BLUEPRINTS)
GIVEN = {Hex(-2, 2): "aer", Hex(2, 0): "ignis"}
# aer - lux - aer - lux - ignis, and one lux that is not needed: an aspect that is placed more than once.
SOLUTION = {Hex(-1, 1): "lux", Hex(0, 0): "aer", Hex(1, 0): "lux", Hex(0, 1): "lux"}
COLOURS = {tag: VANILLA.rgb(tag)[::-1] for tag in VANILLA.components}


def table(ui: str = "tweaks", page: int = 0, answer_s: float = 0.15, **more: object) -> ResearchTable:
    """The note above with plenty of everything, at two px per GUI px."""
    known = set(VANILLA.components)
    server = Server(VANILLA, frozenset(hexagon(2)), GIVEN, dict.fromkeys(known, 50), known)
    for name, value in more.items():
        setattr(server, name, value)
    screen = TableScreen(own_textures(), COLOURS, BLUEPRINTS[ui], (700, 570), 2)
    return ResearchTable(server, screen, Profile("thaumcraft", "test"), answer_s=answer_s, page=page)


def remembered(board: ResearchTable, *, names_slots: bool = False) -> Reading[Note, Solution]:
    """What a perfect reader sees; one that names what lies in the slots, or one that only sees something."""
    view, place = board.view(), board.screen.place
    if view.cells is None:
        raise BoardNotFound("no note")

    def on_frame(x: float, y: float) -> Point:
        return Point(place.scale * (place.left + x), place.scale * (place.top + y))

    blueprint = view.blueprint
    controls = {
        tag: Control(
            on_frame(area.x + 8, area.y + 8),
            count=view.stock.get(tag) or None,
            active=view.stock.get(tag, 0) + view.bonus.get(tag, 0) > 0,
        )
        for tag, area in view.entries.items()
    }
    for name in view.buttons:
        area = blueprint.buttons[name]
        controls[name] = Control(on_frame(area.x + 12, area.y + 4))
    for n, tag in enumerate(view.slots):
        if blueprint.paged:
            controls[f"slot-{n + 1}"] = Control(on_frame(0, 0), active=bool(tag))
        if tag and names_slots:
            controls[f"slot-{n + 1}:{tag}"] = Control(on_frame(0, 0))
    tools = blueprint.tools
    controls["tools"] = Control(on_frame(tools.x + 8, tools.y + 8), active=bool(view.ink))
    left, top = on_frame(0, 0)
    marks = {
        cell: Mark(seen.aspect, 1.0, state="given" if seen.given else "placed" if seen.aspect else "free")
        for cell, seen in view.cells.items()
    }
    return Reading(
        puzzle=Note(frozenset(view.cells), {c: s.aspect for c, s in view.cells.items() if s.given}),
        placed={c: s.aspect for c, s in view.cells.items() if s.aspect and not s.given},
        geometry=Geometry({c: on_frame(*blueprint.cell_centre(c)) for c in view.cells}, 31.18),
        marks=marks,
        area=Box(int(left), int(top), 2 * blueprint.width, 2 * blueprint.height),
        controls=controls,
        finished=view.complete,
        ui=blueprint.ui,
    )


def game(board: ResearchTable, solution: Solution, names_slots: bool) -> Game[Note, Solution]:
    return replace(
        GAMES["thaumcraft"],
        solve=lambda note, limits: Answer(solution),
        read=lambda frame, profile: remembered(board, names_slots=names_slots),
    )


def played(
    board: ResearchTable,
    solution: Solution = SOLUTION,
    faults: Faults | None = None,
    seed: int = 0,
    names_slots: bool = False,
) -> tuple[Outcome, PracticeDevice]:
    clock = SimulatedClock()
    device = PracticeDevice(board, clock, faults, seed=seed)
    outcome = play(game(board, solution, names_slots), board.profile, Screen(device, clock), Options())
    return outcome, device


def spent(board: ResearchTable, before: Mapping[str, int] | None = None) -> dict[str, int]:
    """Units gone, by aspect."""
    full = before or dict.fromkeys(VANILLA.components, 50)
    return {tag: n - board.server.stock[tag] for tag, n in full.items() if n != board.server.stock[tag]}


@pytest.mark.parametrize("ui", UIS)
def test_a_note_is_played_to_its_seal_and_costs_exactly_the_solution(ui: str) -> None:
    board = table(ui)

    outcome, _ = played(board)

    assert outcome.status == "verified"
    assert board.solved()
    # The note is sealed as soon as the givens hang together; the cell that is left over may stay empty.
    assert spent(board) in ({"aer": 1, "lux": 3}, {"lux": 3}, {"aer": 1, "lux": 2})


@pytest.mark.parametrize("ui", UIS)
def test_no_drag_ends_over_the_palette_and_the_pointer_rests_on_wood(ui: str) -> None:
    board = table(ui)

    _, device = played(board)
    place, blueprint = board.screen.place, board.screen.blueprint
    ends = [action.path[-1] for action in device.sent if isinstance(action, Drag)]
    rests = [action.at for action in device.sent if isinstance(action, Move)]

    assert ends
    assert rests
    for at in [*ends, *rests]:
        x, y = place.to_gui(at.x, at.y)
        assert not any(area.contains(x, y) for area in board.entries().values())
    for at in rests:
        x, y = place.to_gui(at.x, at.y)
        assert not blueprint.parchment.contains(x, y)
        assert not any(area.contains(x, y) for area in blueprint.buttons.values())
        assert 0 <= x < blueprint.width
        assert 0 <= y < blueprint.wood_height


def test_tweaks_one_drag_places_all_cells_of_an_aspect() -> None:
    board = table("tweaks")

    steps = plan(remembered(board), SOLUTION).steps

    assert [step.cells for step in steps] == [
        (Hex(-1, 1), Hex(0, 1), Hex(1, 0)),
        (Hex(0, 0),),
    ]
    assert isinstance(steps[0].actions[0], Drag)
    assert steps[0].actions[0].stamp


@pytest.mark.parametrize("start", [0, 3, 5])
def test_stock_turns_pages_forth_and_back_to_reach_an_aspect(start: int) -> None:
    solution = {Hex(-1, 1): "tempestas", Hex(0, 0): "aqua", Hex(1, 0): "victus", Hex(0, 1): "lux"}
    board = table("stock", page=start, given={Hex(-2, 2): "aer", Hex(2, 0): "terra"})

    outcome, _ = played(board, {cell: solution[cell] for cell in (Hex(-1, 1), Hex(0, 0), Hex(1, 0))})

    assert outcome.status == "verified"
    assert spent(board) == {"tempestas": 1, "aqua": 1, "victus": 1}


@pytest.mark.parametrize("ui", UIS)
def test_what_is_missing_is_combined_first(ui: str) -> None:
    stock = dict.fromkeys(VANILLA.components, 0) | dict.fromkeys(VANILLA.primals, 10)
    board = table(ui, stock=dict(stock))

    outcome, _ = played(board)

    assert outcome.status == "verified"
    assert board.server.stock["ignis"] == 7
    assert board.server.stock["lux"] in (0, 1)


@pytest.mark.parametrize("names_slots", [False, True])
@pytest.mark.parametrize("ui", UIS)
def test_a_compound_of_compounds_is_made_from_primals_across_pages(ui: str, names_slots: bool) -> None:
    """herba is victus and terra, victus is aqua and terra: three pages of the stock palette."""
    stock = dict.fromkeys(VANILLA.components, 0) | dict.fromkeys(VANILLA.primals, 20)
    board = table(ui, stock=dict(stock), given={Hex(-2, 2): "victus", Hex(2, 0): "terra"})

    outcome, _ = played(
        board, {Hex(-1, 1): "herba", Hex(0, 0): "terra", Hex(1, 0): "victus"}, names_slots=names_slots
    )

    assert outcome.status == "verified"
    assert spent(board, stock) == {"aqua": 2, "terra": 4}


@pytest.mark.parametrize("ui", ["tweaks", "tweaks-3col"])
def test_what_cannot_be_made_is_said_before_anything_is_spent(ui: str) -> None:
    board = table(ui, stock={"aer": 1, "ignis": 9})

    with pytest.raises(PlayError, match="2 aer"):
        plan(remembered(board), {Hex(-1, 1): "lux", Hex(0, 0): "lux", Hex(1, 0): "lux"})


@pytest.mark.parametrize("ui", UIS)
def test_a_wrong_aspect_on_the_way_is_erased_and_one_beside_it_stays(ui: str) -> None:
    board = table(ui, placed={Hex(0, 0): "terra", Hex(-1, 0): "ordo"})

    first = plan(remembered(board), SOLUTION)
    outcome, device = played(board)
    erased = [action for action in device.sent if isinstance(action, Tap)]

    assert [step.why for step in first.steps] == ["erase terra at column 3, cell 3, which is in the way"]
    assert first.missing == 4
    assert outcome.status == "verified"
    assert len(erased) <= 1


def test_without_ink_it_stops_and_says_so() -> None:
    board = table("stock", ink=0)

    with pytest.raises(PlayError, match="scribing tools"):
        played(board)


def test_ink_that_runs_out_in_the_middle_stops_the_run() -> None:
    board = table("stock", ink=2)

    with pytest.raises(PlayError, match="scribing tools"):
        played(board)

    assert len(board.server.placed) == 2


class Meddler(PracticeDevice):
    """A practice device of which somebody changes the table after so many actions."""

    def __init__(
        self, board: ResearchTable, clock: SimulatedClock, after: int, meddle: Callable[[], None]
    ) -> None:
        super().__init__(board, clock)
        self._after, self._meddle = after, meddle

    def act(self, actions: Sequence[Action]) -> None:
        super().act(actions)
        if len(self.sent) >= self._after:
            self._meddle()


def take_note(board: ResearchTable) -> None:
    board.server.has_note = False


@pytest.mark.parametrize(
    ("meddle", "said"),
    [(take_note, "no note in it"), (ResearchTable.close, "no research table")],
)
@pytest.mark.parametrize("ui", UIS)
def test_a_note_or_a_table_that_is_taken_away_stops_the_run_and_nothing_more_is_touched(
    ui: str, meddle: Callable[[ResearchTable], None], said: str
) -> None:
    board, clock = practice(random.Random(3), ui=ui, complexity=2, givens=4), SimulatedClock()
    device = Meddler(board, clock, 1, lambda: meddle(board))

    with pytest.raises(BoardNotFound, match=said):
        play(GAMES["thaumcraft"], board.profile, Screen(device, clock), Options())

    sent = len(device.sent)
    assert 0 < sent < 6


def test_a_note_that_is_finished_needs_nothing() -> None:
    board = table("stock", complete=True)

    assert plan(remembered(board), SOLUTION) == replace(plan(remembered(board), {}), steps=(), missing=0)


def test_a_complete_board_that_was_not_sealed_gets_one_more_change() -> None:
    board = table("tweaks", placed=dict(SOLUTION))

    todo = plan(remembered(board), SOLUTION)
    outcome, _ = played(board)

    assert todo.missing == 1
    assert outcome.status == "verified"
    assert sum(spent(board).values()) == 1


def test_a_board_that_will_not_be_sealed_is_given_up_with_the_reason() -> None:
    board = table("tweaks", placed=dict(SOLUTION), discovered=set(VANILLA.components) - {"lux"})

    with pytest.raises(PlayError, match="not finished"):
        played(board)


@pytest.mark.parametrize("ui", UIS)
@pytest.mark.parametrize("seed", few(range(4), 1))
def test_lost_doubled_and_late_input_is_repaired(ui: str, seed: int) -> None:
    board = table(ui, answer_s=random.Random(seed).choice((0.05, 0.3, 1.0)))

    outcome, _ = played(board, faults=Faults(lost=0.15, doubled=0.1, late_s=0.1), seed=seed)

    assert outcome.status == "verified"
    assert board.solved()


def test_every_step_says_what_it_does_and_stays_inside_the_table() -> None:
    for ui in UIS:
        reading = remembered(table(ui))
        steps: tuple[Step, ...] = plan(reading, SOLUTION).steps

        for step in steps:
            assert step.why.startswith("place ")
            assert all(reading.area.contains(at) for action in step.actions for at in points(action))


def test_a_primal_that_a_sparkle_hides_is_looked_for_again() -> None:
    reading = remembered(table("tweaks"))
    hidden = replace(reading, controls={tag: c for tag, c in reading.controls.items() if tag != "aer"})

    todo = plan(hidden, {Hex(0, 0): "aer"})

    assert [step.why for step in todo.steps] == ["look again: aer is not to be seen in the palette"]


class TwoTables(PracticeDevice):
    """A screen with the table twice, side by side."""

    def capture(self) -> Frame:
        pixels = super().capture().pixels
        return Frame(np.concatenate([pixels, pixels], 1))


def test_of_two_tables_on_the_screen_none_is_played() -> None:
    board, clock = practice(random.Random(3), ui="stock", scale=2), SimulatedClock()
    device = TwoTables(board, clock)

    with pytest.raises(UncertainReading, match="2 boards of this game") as refused:
        play(GAMES["thaumcraft"], board.profile, Screen(device, clock), Options())

    assert device.sent == []
    assert "all but one" in refused.value.hint
