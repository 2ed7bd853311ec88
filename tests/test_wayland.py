"""A desktop under Wayland: sway without a screen, native programs in it, and `boardsight` as its user calls it.

What the programs show in the end is told by pictures that grim takes, and a witness that shares no code with our readers.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest

from bot.devices import session as x11
from bot.devices.sway import windows_of
from bot.devices.wayland import KEYS, _keymap
from bot.devices.windows import at
from bot.games import GAMES
from solver import bridges, nonogram
from tests.laboratory.live import game_id
from tests.real_desktop import _bridges_px, _pattern_px, shown_bridges, shown_pattern
from tests.seldom import few
from tests.shared_data import REQUIRE_REAL
from tests.sway_session import Session, absent, sway
from vision.frame import Box, Frame, Point

SEED = int(os.environ["BOARDSIGHT_SEED"])

real = pytest.mark.real
installed = pytest.mark.skipif(bool(absent()) and not REQUIRE_REAL, reason=absent())


@pytest.fixture(scope="module", params=few([1, 1.5, 2], 1), ids=lambda scale: f"scale {scale}")
def scaled(request: pytest.FixtureRequest) -> Iterator[tuple[Session, float]]:
    with sway(request.param) as running:
        yield running, request.param


@pytest.fixture(scope="module")
def plain() -> Iterator[Session]:
    with sway() as running:
        yield running


@pytest.fixture
def session(plain: Session) -> Iterator[Session]:
    yield plain
    plain.close()


def fresh(game: str, params: str) -> str:
    return game_id(game, params, random.Random(f"{SEED} {game} {params}"))


def played(session: Session, *arguments: str) -> dict[str, Any]:
    done = session.boardsight("play", *arguments, "--yes", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@real
@installed
def test_bridges_is_played_to_the_end_at_every_scale(scaled: tuple[Session, float]) -> None:
    session, scale = scaled
    puzzle = bridges.parse(identity := fresh("bridges", "7x7"))
    window = session.start("sgt-bridges", identity)

    told = played(session, "desktop:Bridges")
    picture = session.picture(window)
    session.close()

    assert told["status"] == "verified"
    if scale == 1:
        # A new window has cells of 24 px; what is higher than the board is its menu.
        menu = window["window_rect"]["height"] - _bridges_px(24, puzzle.height)[0]
        shown = shown_bridges(puzzle, Frame(picture), menu)
        assert GAMES["bridges"].check(puzzle, shown) == (), identity
    else:
        # The witness knows windows of whole px only.
        assert picture.shape[1] == pytest.approx(scale * window["window_rect"]["width"], abs=1)


@real
@installed
def test_pattern_is_played_to_the_end_on_the_whole_desktop(session: Session) -> None:
    puzzle = nonogram.parse(identity := fresh("nonogram", "10x10"))
    window = session.start("sgt-pattern", identity)

    told = played(session, "desktop", "--game", "nonogram")

    menu = window["window_rect"]["height"] - _pattern_px(24, puzzle.height)[0]
    shown = shown_pattern(puzzle, Frame(session.picture(window)), menu)
    assert told["status"] == "verified"
    assert GAMES["nonogram"].check(puzzle, shown) == (), identity


@real
@installed
def test_a_window_on_a_second_output_left_of_the_first_is_played() -> None:
    with sway(outputs=2) as session:
        session.tell("focus output HEADLESS-2")
        window = session.start("sgt-bridges", fresh("bridges", "7x7"))

        told = played(session, "desktop:Bridges")
        doctor = session.boardsight("doctor", "desktop")

    assert window["rect"]["x"] < 0
    assert told["status"] == "verified"
    assert "monitors: 2: " in doctor.stdout and "800 x 600 at (-800, 100)" in doctor.stdout


@real
@installed
def test_digits_are_typed(session: Session) -> None:
    session.start("sgt-solo", f"2x2#{SEED}")

    assert played(session, "desktop:Solo")["status"] == "verified"


@real
@installed
def test_what_another_window_covers_is_not_clicked(session: Session) -> None:
    puzzle = bridges.parse(identity := fresh("bridges", "7x7"))
    window = session.start("sgt-bridges", identity)
    cover = session.start("sgt-pattern", "10x10#1")
    rect = window["rect"]
    session.tell(f"[con_id={cover['id']}] move absolute position {rect['x'] - 100} {rect['y'] - 100}")

    done = session.boardsight("play", "desktop:Bridges", "--game", "bridges", "--yes")
    session.tell(f"[con_id={cover['id']}] move absolute position 0 30")
    time.sleep(1.0)

    assert done.returncode in (3, 4, 5), done.stderr
    menu = window["window_rect"]["height"] - _bridges_px(24, puzzle.height)[0]
    assert shown_bridges(puzzle, Frame(session.picture(window)), menu) == {}


@real
@installed
def test_a_window_partly_off_the_screen_is_said_to_be(session: Session) -> None:
    window = session.start("sgt-bridges", fresh("bridges", "7x7"))
    session.tell(f"[con_id={window['id']}] move absolute position -90 200")

    done = session.boardsight("play", "desktop:Bridges", "--game", "bridges", "--yes")

    assert done.returncode in (3, 4, 5)
    assert "partly off the screen" in done.stderr


@real
@installed
def test_windows_and_findings_are_listed(session: Session) -> None:
    session.start("sgt-bridges", fresh("bridges", "7x7"))

    devices = session.boardsight("devices")
    doctor = session.boardsight("doctor", "desktop")

    assert "desktop:Bridges" in devices.stdout
    assert doctor.returncode == 0, doctor.stdout
    assert "only Ctrl-C stops a run here" in doctor.stdout


@real
@installed
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"SWAYSOCK": ""}, "this is a Wayland session"),
        ({"SWAYSOCK": "/nowhere"}, "this is a Wayland session"),
        ({"WAYLAND_DISPLAY": "wayland-77"}, "the Wayland session does not answer"),
        ({"PATH": "/nowhere"}, "grim, which is not installed"),
    ],
    ids=["another compositor", "no socket", "nobody answers", "no grim"],
)
def test_a_session_that_cannot_be_played_is_explained_in_two_lines(
    session: Session, change: dict[str, str], words: str
) -> None:
    before = dict(session.environ)
    session.environ |= change
    try:
        done = session.boardsight("play", "desktop:Bridges", "--yes")
    finally:
        session.environ = before

    assert done.returncode == 5
    first, second = done.stderr.splitlines()
    assert words in first and second.startswith("  ")


def leaf(
    identity: int, name: str, rect: tuple[int, int, int, int], title: int = 0, **more: Any
) -> dict[str, Any]:
    x, y, width, height = rect
    return {
        "id": identity,
        "name": name,
        "pid": 1,
        "visible": True,
        "rect": {"x": x, "y": y, "width": width, "height": height},
        "window_rect": {"x": 2, "y": 0, "width": width - 4, "height": height - 2},
        "deco_rect": {"x": x, "y": y - title, "width": width, "height": title},
        "nodes": [],
        "floating_nodes": [],
        **more,
    }


def branch(*nodes: dict[str, Any], floating: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"nodes": list(nodes), "floating_nodes": list(floating)}


def test_windows_lie_on_each_other_as_sway_draws_them() -> None:
    tiled = leaf(1, "tiled", (0, 0, 800, 600))
    hidden = leaf(2, "on another workspace", (0, 0, 800, 600), visible=False)
    floating = (leaf(3, "below", (100, 100, 200, 200), 25), leaf(4, "above", (150, 150, 200, 200), 25))
    tree = branch(branch(branch(tiled, hidden, floating=floating)))

    listed = tuple(windows_of(tree))[::-1]

    assert [window.title for window in listed] == ["above", "below", "tiled"]
    assert listed[0].box == Box(152, 150, 196, 198)
    assert listed[0].outer == Box(150, 125, 200, 225)
    places = [Point(160, 130), Point(110, 90), Point(700, 500), Point(900, 10)]
    tops = [at(listed, place) for place in places]
    assert [top and top.title for top in tops] == ["above", "below", "tiled", None]


def test_a_window_in_full_screen_lies_on_top() -> None:
    tree = branch(
        leaf(1, "game", (0, 0, 800, 600), fullscreen_mode=1), floating=(leaf(2, "note", (0, 0, 9, 9)),)
    )

    assert [window.title for window in windows_of(tree)] == ["note", "game"]


def test_every_key_has_a_code_of_its_own() -> None:
    text = _keymap()

    assert text.count(" = ") == len(KEYS) + 2
    assert len(KEYS) + 8 < 255
    assert "[ U0037 ]" in text and "[ BackSpace ]" in text


def test_other_wayland_sessions_are_refused_in_words() -> None:
    refused = x11.refusal({"XDG_SESSION_TYPE": "wayland", "WAYLAND_DISPLAY": "wayland-0"}, platform="linux")

    assert refused is not None and "sway allows it" in str(refused) and "Xorg" in refused.hint
