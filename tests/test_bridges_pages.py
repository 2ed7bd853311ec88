"""Bridges as web pages draw them, in real Chromium: islands of other shapes than rings, on other grounds than one colour."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from solver import bridges
from solver.bridges import Bridges, Joins
from solver.lattice import Square
from tests.chromium import Browser, needs_chromium
from vision.errors import VisionError
from vision.frame import Frame
from vision.profile import Profile
from vision.readers.bridges.board import read
from vision.readers.bridges.claim import claim
from vision.scene import scene_of

PROFILE = Profile("bridges", "default")
PUZZLE = bridges.parse("7x7m2:3c3a3a3a4a2g2g4b1b1a1e4b4a3a")
PITCH = 40
MARGIN = 30


def polygon(corners: int, turn: float, reach: float) -> str:
    """An island with so many corners, as SVG around 0, 0."""
    angles = [turn + 2 * math.pi * k / corners for k in range(corners)]
    return f'<polygon points="{" ".join(f"{reach * math.cos(a):.1f},{reach * math.sin(a):.1f}" for a in angles)}"/>'


ISLANDS = {
    "squares": '<rect x="-14" y="-14" width="28" height="28"/>',
    "rounded": '<rect x="-13" y="-13" width="26" height="26" rx="5"/>',
    "hexagons": polygon(6, math.pi / 6, 16),
    "diamonds": polygon(4, 0, 19),
    "discs": '<circle r="15"/>',
}
# Island, its edge, and the ground.
COLOURS = {
    "plain": ("#fffaf0", "stroke: #5b4636", "#f4efe4"),
    "pale, without an edge": ("#fffdf8", "stroke: none", "#efe8d8"),
    "dark": ("#313244", "stroke: #cdd6f4", "#1e1e2e"),
}


def played(share: float) -> Joins:
    """So large a share of the solution's bridges."""
    solution = bridges.solve(PUZZLE).solution
    return dict(list(solution.items())[: round(share * len(solution))])


def drawn(puzzle: Bridges, joins: Joins, island: str, colours: str) -> tuple[str, int, int]:
    """The page, and its size in px."""
    fill, edge, ground = COLOURS[colours]
    width, height = (2 * MARGIN + PITCH * side for side in (puzzle.width, puzzle.height))

    def at(cell: Square) -> tuple[float, float]:
        return MARGIN + (cell.col + 0.5) * PITCH, MARGIN + (cell.row + 0.5) * PITCH

    lines = []
    for (a, b), count in joins.items():
        (x1, y1), (x2, y2) = at(a), at(b)
        for off in (0,) if count == 1 else (-4, 4):
            dx, dy = (0, off) if a.row == b.row else (off, 0)
            lines.append(f'<line x1="{x1 + dx}" y1="{y1 + dy}" x2="{x2 + dx}" y2="{y2 + dy}"/>')
    islands = [
        f'<g transform="translate({at(cell)[0]} {at(cell)[1]})">{ISLANDS[island]}<text>{clue}</text></g>'
        for cell, clue in puzzle.clues.items()
    ]
    ink = "#cdd6f4" if colours == "dark" else "#3b2a20"
    return (
        f"""<!doctype html><style>
        body {{ margin: 0; background: {ground}; }}
        line {{ stroke: {ink}; stroke-width: 2; }}
        g > :first-child {{ fill: {fill}; {edge}; stroke-width: 1.5; }}
        text {{ font: bold 18px sans-serif; fill: {ink}; text-anchor: middle; dominant-baseline: central; }}
        </style><svg width="{width}" height="{height}" style="display: block">{"".join(lines + islands)}</svg>""",
        width,
        height,
    )


@needs_chromium
@pytest.mark.parametrize("island", ISLANDS)
@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("share", [0.0, 0.6])
def test_a_page_is_read_exactly(
    browser: Browser, tmp_path: Path, island: str, colours: str, share: float
) -> None:
    joins = played(share)
    html, width, height = drawn(PUZZLE, joins, island, colours)
    page = tmp_path / "board.html"
    page.write_text(html)

    reading = read(Frame(browser.picture(page, width, height)), PROFILE)

    assert not reading.doubtful
    assert reading.puzzle.clues == PUZZLE.clues
    assert reading.placed == joins


@needs_chromium
@pytest.mark.parametrize("share", [0.0, 0.6])
def test_narrow_diamonds_on_graph_paper_are_read(browser: Browser, tmp_path: Path, share: float) -> None:
    """A circle as large as a diamond holds its corners beside the number; the paper's lines run to the page's edges."""
    joins = played(share)
    html, width, height = drawn(PUZZLE, joins, "diamonds", "plain")
    lines = ", ".join(
        f"linear-gradient({way}, #bfe0cf 1px, transparent 1px) {MARGIN}px {MARGIN}px / 20px 20px"
        for way in ("0deg", "90deg")
    )
    html = html.replace(ISLANDS["diamonds"], polygon(4, 0, 16)).replace(
        "stroke-width: 1.5", "stroke-width: 2"
    )

    reading = read(
        seen(browser, tmp_path, html.replace("background: #f4efe4", f"background: {lines}"), width, height),
        PROFILE,
    )

    assert not reading.doubtful
    assert reading.puzzle.clues == PUZZLE.clues
    assert reading.placed == joins


@needs_chromium
@pytest.mark.parametrize("fill", ["#fffaf0", "#8a7f70"])
def test_an_island_of_another_size_that_bridges_run_through_is_read(
    browser: Browser, tmp_path: Path, fill: str
) -> None:
    """Without it the bridges on both sides are one span's, and the board has a solution."""
    joins = bridges.solve(PUZZLE).solution
    html, width, height = drawn(PUZZLE, joins, "discs", "plain")
    island = f'<g transform="translate({MARGIN + 3.5 * PITCH} {MARGIN + 6.5 * PITCH})"><circle r="15"/><text>'
    larger = island.replace('15"', f'19" style="fill: {fill}"').replace(
        "<text", '<text style="font-size: 22px"'
    )
    assert island in html

    reading = read(seen(browser, tmp_path, html.replace(island, larger), width, height), PROFILE)

    assert (reading.puzzle.clues, reading.placed) == (PUZZLE.clues, joins)


@needs_chromium
@pytest.mark.parametrize("doubled", [True, False])
def test_bridges_with_dark_edges_are_told_from_pairs(browser: Browser, tmp_path: Path, doubled: bool) -> None:
    """What has the brightness of the sea between two edges and not its colour is a bridge's own middle."""
    joins = {span: count for span, count in bridges.solve(PUZZLE).solution.items() if doubled or count == 1}
    html, width, height = drawn(PUZZLE, joins, "discs", "plain")
    html = html.replace("background: #f4efe4", "background: #5ec8e5")
    # So far apart that sea shows between two.
    lines = "".join(re.findall("<line.*?/>", html))
    edged = "".join(
        lines.replace("<line", f'<line style="stroke: {colour}; stroke-width: {wide}"')
        for wide, colour in ((7, "#14213d"), (3, "#ffd23f"))
    )
    frame = seen(
        browser,
        tmp_path,
        html.replace(lines, edged),
        width,
        height,
    )

    if doubled:
        assert read(frame, PROFILE).placed == joins
    else:
        with pytest.raises(VisionError, match="cannot be counted"):
            read(frame, PROFILE)


@needs_chromium
@pytest.mark.parametrize("label", ["", "2", "?", "2 but for one", " but for one"])
def test_two_bridges_may_be_one_broad_line(browser: Browser, tmp_path: Path, label: str) -> None:
    """With their number on a disc in the ground's colour, or without; beside thin lines both say how many they are.

    Where others are broad, or have a label, two lines without one are what is left of something else.
    """
    solution = bridges.solve(PUZZLE).solution
    bars = []
    one = next(span for span, count in solution.items() if count == 2 and span.a.row == span.b.row)
    for (a, b), count in solution.items():
        (x1, y1), (x2, y2) = (
            (MARGIN + (at.col + 0.5) * PITCH, MARGIN + (at.row + 0.5) * PITCH) for at in (a, b)
        )
        if len(label) > 1 and (a, b) == one:
            bars += [f'<line x1="{x1}" y1="{y1 + off}" x2="{x2}" y2="{y2 + off}"/>' for off in (-4, 4)]
            continue
        bars.append(
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" style="stroke-width: {5 if count == 1 else 11}"/>'
        )
        if label[:1] in ("2", "?") and count == 2:
            bars.append(
                f'<g transform="translate({(x1 + x2) / 2} {(y1 + y2) / 2})"><circle r="7" style="fill: #f4efe4"/>'
                f'<text style="font-size: 10px">{label[0]}</text></g>'
            )
    html, width, height = drawn(PUZZLE, {}, "discs", "plain")
    frame = seen(
        browser,
        tmp_path,
        html.replace('style="display: block">', f'style="display: block">{"".join(bars)}'),
        width,
        height,
    )

    if label not in ("", "2"):
        with pytest.raises(VisionError, match="cannot be counted"):
            read(frame, PROFILE)
    else:
        assert read(frame, PROFILE).placed == solution


@needs_chromium
@pytest.mark.parametrize("island", ISLANDS)
def test_an_island_without_its_number_is_noticed(browser: Browser, tmp_path: Path, island: str) -> None:
    """Without that island the board may well have a solution."""
    two = bridges.parse("7x7m2:2c2bgb1dg2c2bgg")
    html, width, height = drawn(two, {}, island, "plain")
    page = tmp_path / "board.html"
    page.write_text(html.replace("<text>1</text>", ""))

    with pytest.raises(VisionError):
        read(Frame(browser.picture(page, width, height)), PROFILE)


def seen(browser: Browser, folder: Path, html: str, width: int, height: int) -> Frame:
    page = folder / "board.html"
    page.write_text(html)
    return Frame(browser.picture(page, width, height))


def with_islands(island: str) -> str:
    html, _, _ = drawn(PUZZLE, {}, "discs", "plain")
    return html.replace(ISLANDS["discs"], island)


SIZE = (2 * MARGIN + PITCH * PUZZLE.width + 40, 2 * MARGIN + PITCH * PUZZLE.height + 120)


@needs_chromium
def test_bare_numbers_are_islands(browser: Browser, tmp_path: Path) -> None:
    frame = seen(browser, tmp_path, with_islands("<g></g>"), *SIZE)

    assert read(frame, PROFILE).puzzle.clues == PUZZLE.clues
    assert claim(scene_of(frame)) is not None


@needs_chromium
def test_discs_in_the_colour_of_their_bridges_are_told_apart(browser: Browser, tmp_path: Path) -> None:
    solution = bridges.solve(PUZZLE).solution
    html, _, _ = drawn(PUZZLE, solution, "discs", "plain")
    frame = seen(browser, tmp_path, html.replace("fill: #fffaf0; stroke: #5b4636", "fill: #3b2a20").replace(
        "sans-serif; fill: #3b2a20", "sans-serif; fill: #fffaf0"), *SIZE)  # fmt: skip

    reading = read(frame, PROFILE)

    assert (reading.puzzle.clues, reading.placed) == (PUZZLE.clues, solution)
    assert claim(scene_of(frame)) is not None


@needs_chromium
def test_chips_with_numbers_above_the_board_are_no_islands(browser: Browser, tmp_path: Path) -> None:
    chip = "<b style='display: inline-block; width: 44px; font: 24px/44px sans-serif; text-align: center; border: 1px solid'>"
    chips = "".join(f"{chip}{number}</b> " for number in (1, 2, 3))
    html = with_islands('<circle r="11"/>').replace("<svg", f"<p style='margin: 8px 12px'>{chips}</p><svg")
    html += "<p style='margin: 8px 12px'>Connect all islands.</p>"
    frame = seen(browser, tmp_path, html, *SIZE)

    assert read(frame, PROFILE).puzzle.clues == PUZZLE.clues
    assert claim(scene_of(frame)) is not None


@needs_chromium
def test_a_ground_like_a_chess_board_covers_nothing(browser: Browser, tmp_path: Path) -> None:
    cells = "".join(
        f'<rect x="{MARGIN + col * PITCH}" y="{MARGIN + row * PITCH}" width="{PITCH}" height="{PITCH}" style="fill: #8882"/>'
        for row in range(7)
        for col in range(7)
        if (row + col) % 2
    )
    html, _, _ = drawn(PUZZLE, {}, "rounded", "plain")
    frame = seen(browser, tmp_path, html.replace('block">', f'block">{cells}'), *SIZE)

    assert read(frame, PROFILE).puzzle.clues == PUZZLE.clues


@needs_chromium
def test_a_lattice_of_faint_dots_is_no_bridge(browser: Browser, tmp_path: Path) -> None:
    lines = "".join(
        f'<path d="M{MARGIN + 20} {at}H{MARGIN + 6 * PITCH + 20}M{at} {MARGIN + 20}V{MARGIN + 6 * PITCH + 20}"'
        ' style="stroke: #ccc; stroke-dasharray: 2 3"/>'
        for at in range(MARGIN + 20, MARGIN + 7 * PITCH, PITCH)
    )
    html, _, _ = drawn(PUZZLE, {}, "discs", "plain")
    frame = seen(browser, tmp_path, html.replace('block">', f'block">{lines}'), *SIZE)

    reading = read(frame, PROFILE)

    assert (reading.puzzle.clues, reading.placed) == (PUZZLE.clues, {})


@needs_chromium
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_a_pale_band_under_a_bridge_is_no_badge(browser: Browser, tmp_path: Path, share: float) -> None:
    """Many pages light up the way between two islands that was last clicked."""
    joins = played(share)
    html, _, _ = drawn(PUZZLE, joins, "discs", "plain")
    a, b = max(joins, key=lambda span: math.dist(*span))
    (x1, y1), (x2, y2) = ((MARGIN + (at.col + 0.5) * PITCH, MARGIN + (at.row + 0.5) * PITCH) for at in (a, b))
    # It begins and ends where the islands do.
    x, y, width, height = (
        (x1 - 9, y1 + 21, 18, y2 - y1 - 42) if x1 == x2 else (x1 + 21, y1 - 9, x2 - x1 - 42, 18)
    )
    band = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" style="fill: #f5dcae"/>'
    frame = seen(browser, tmp_path, html.replace('block">', f'block">{band}'), *SIZE)

    reading = read(frame, PROFILE)

    assert (reading.puzzle.clues, reading.placed) == (PUZZLE.clues, joins)


@needs_chromium
def test_lines_of_a_grid_beside_the_islands_are_no_bridges(browser: Browser, tmp_path: Path) -> None:
    """All islands stand in every third cell of a faint grid, whose lines run between them."""
    wide = bridges.parse("7x7m2:4b5b2gg5b5b5gg4b2b2")
    lines = "".join(
        f'<path d="M{MARGIN} {at}H{MARGIN + 7 * PITCH}M{at} {MARGIN}V{MARGIN + 7 * PITCH}" style="stroke: #cfc6b4"/>'
        for at in range(MARGIN, MARGIN + 7 * PITCH + 1, PITCH)
    )
    html, _, _ = drawn(wide, {}, "discs", "plain")
    frame = seen(browser, tmp_path, html.replace('block">', f'block">{lines}'), 600, 600)

    reading = read(frame, PROFILE)

    assert sorted(reading.puzzle.clues.values()) == sorted(wide.clues.values())
    assert reading.placed == {}
