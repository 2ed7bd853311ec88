"""The report as a file and as it looks in a browser, with hostile names in it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.clock import SimulatedClock
from bot.devices.practice import Faults, PracticeDevice
from bot.errors import NoProgress
from bot.games import GAMES
from bot.play import Notice, play
from bot.report import page, run_section, stopped_section
from bot.screen import Glance, Screen
from tests.chromium import Browser, needs_chromium
from tests.seldom import few
from tests.troubled import small_board
from vision.errors import UncertainReading
from vision.frame import Frame
from vision.reading import Mark

HOSTILE = (
    "\"><script>alert('x')</script><img src=https://evil.example/x onerror=alert(1)>'<!-- \u202e javascript:x"
)


def a_run(name: str, source: str = HOSTILE, seed: int = 3) -> str:
    """The section of a whole run with some repairs."""
    game, clock = GAMES[name], SimulatedClock()
    board = small_board(name, seed)
    notices: list[Notice] = []
    device = PracticeDevice(board, clock, Faults(lost=0.2), seed=seed, source=source)
    outcome = play(game, board.profile, Screen(device, clock), observe=notices.append)
    return run_section(game, replace(board.profile, name=source), outcome, notices)


def a_stop(name: str) -> str:
    """The section of a run that stopped with cells in doubt."""
    game = GAMES[name]
    board = game.practice(random.Random(3))
    frame = Frame(board.render(0.0), source=HOSTILE)
    reading = game.read(frame, board.profile)
    first = next(iter(reading.marks))
    marks = {**reading.marks, first: Mark(None, 0.4, HOSTILE)}
    look = Glance(frame, replace(reading, marks=marks))
    notices: Sequence[Notice] = [Notice("repair", HOSTILE, 1.0), Notice("act", HOSTILE, 1.5)]
    return stopped_section(game, board.profile, look, UncertainReading(HOSTILE, hint=HOSTILE), notices)


@pytest.mark.parametrize("name", GAMES)
def test_whatever_a_window_is_called_nothing_of_it_becomes_markup(name: str) -> None:
    html = page(HOSTILE, [a_stop(name)])

    tags = set(re.findall(r"<\s*/?\s*([a-zA-Z!]\w*)", html))
    assert tags <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "span", "div", "figure",
        "figcaption", "img", "bdi", "table", "tr", "td", "th", "details", "summary",
    } | {"!doctype"}  # fmt: skip
    assert not re.search(r"<[^>]*\son\w+\s*=", html)
    assert all(
        source.startswith("data:image/png;base64,") for source in re.findall(r"<img [^>]*src='([^']*)", html)
    )
    assert "&lt;script&gt;" in html


def test_the_policy_forbids_everything_but_what_is_inside() -> None:
    html = page("x", [])

    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy.split("; ") == [
        "default-src 'none'",
        "img-src data:",
        "style-src 'unsafe-inline'",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_repairs_times_and_every_cell_are_told() -> None:
    html = a_run("nonogram", "practice")

    assert "Done again" in html
    for verb in ("look", "solve", "act", "verify"):
        assert f"<th>{verb}</th>" in html
    assert "56 of 56 cells" in html


def test_a_stop_tells_the_reason_and_shows_the_cell_in_doubt() -> None:
    html = a_stop("thaumcraft")

    assert "UncertainReading" in html and "In doubt" in html
    assert html.count("class='cell'") == 1


def test_a_run_that_made_no_progress_can_be_told_of() -> None:
    game, clock = GAMES["rings"], SimulatedClock()
    board = small_board("rings", 1)
    notices: list[Notice] = []
    with pytest.raises(NoProgress) as stop:
        screen = Screen(PracticeDevice(board, clock, Faults(lost=1.0)), clock)
        play(game, board.profile, screen, observe=notices.append)
    last = [notice.look for notice in notices if notice.look is not None][-1]

    html = stopped_section(game, board.profile, last, stop.value, notices)

    assert "NoProgress" in html and "without effect" in html


@needs_chromium
@pytest.mark.parametrize(
    ("width", "mobile", "letters"),
    few([(360, True, "16px"), (360, True, "24px"), (412, True, "16px"), (1280, False, "16px")], 1),
    ids=["small", "small with large letters", "phone", "desktop"],
)
def test_the_page_opens_well_in_a_browser(
    browser: Browser, width: int, mobile: bool, letters: str, tmp_path: Path
) -> None:
    sections = [a_run(name) for name in ("nonogram", "bridges", "rings")] + [
        a_stop("algemy"),
        a_stop("thaumcraft"),
    ]
    path = tmp_path / "report.html"
    # Fonts differ in width from machine to machine, by more than a quarter.
    path.write_text(page(HOSTILE, sections).replace("font: 16px", f"font: {letters}"), encoding="utf-8")

    seen = browser.look(path, width, 800, mobile=mobile)

    assert (seen.said, seen.asked, seen.broken) == ([], [], 0)
    # A desktop's scroll bar takes some of the width.
    assert width - 20 <= seen.window_px <= width
    assert seen.content_px <= seen.window_px, "the page is wider than the window"
    for name in ("Nonogram", "Bridges", "Rings", "Algemy", "Thaumcraft research"):
        assert name in seen.text
    assert "verified" in seen.text and "<script>alert('x')</script>" in seen.text
    assert "Done again" in seen.text and "In doubt" in seen.text and "runner-up" in seen.text


@needs_chromium
def test_the_browser_would_tell_of_a_page_that_loads_and_overflows(browser: Browser, tmp_path: Path) -> None:
    """The test's own eyes: a bad page is seen to be bad."""
    path = tmp_path / "bad.html"
    path.write_text(
        "<script>console.error('oh')</script><img src='http://127.0.0.1:9/x.png'><div style='width:3000px'>x</div>"
    )

    seen = browser.look(path, 400, 800, mobile=False)

    assert seen.asked == ["http://127.0.0.1:9/x.png"]
    assert seen.broken == 1 and seen.said
    assert seen.content_px >= 3000
