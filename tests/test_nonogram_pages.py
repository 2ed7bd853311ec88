"""Nonograms as web pages write their clues, in real Chromium: lists in brackets, headings right above the numbers."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.games import GAMES
from bot.practice.nonogram import unique
from bot.recognise import recognise
from calibration import store
from solver.nonogram import Clue, Nonogram, parse
from tests.chromium import Browser, needs_chromium
from vision.errors import UncertainReading
from vision.frame import Frame
from vision.grids import find_grids
from vision.profile import Profile
from vision.readers.nonogram.board import read
from vision.readers.nonogram.claim import claim
from vision.scene import scene_of

PROFILE = Profile("nonogram", "default")
SIZE = (560, 600)
STYLE = """
  body { margin: 20px; font: 16px sans-serif; color: #222; }
  table { border-collapse: collapse; }
  td { width: 30px; height: 30px; padding: 0; border: 1px solid #999; }
  th { font: 15px/1.2 sans-serif; }
  th.column { vertical-align: bottom; }
  th.row { text-align: right; padding-right: 6px; white-space: nowrap; }
"""
Written = Callable[[Clue], str]


def words(clue: Clue, between: str = " ") -> str:
    return between.join(map(str, clue))


def drawn(puzzle: Nonogram, row: Written = words, heading: str = "") -> str:
    """The page; what `row` makes of a clue stands beside the rows, the columns have their numbers above each other."""
    head = "".join(f"<th class=column>{words(clue, '<br>')}</th>" for clue in puzzle.cols)
    lines = "".join(
        f"<tr><th class=row>{row(clue)}</th>{'<td></td>' * puzzle.width}</tr>" for clue in puzzle.rows
    )
    return (
        f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{heading}"
        f"<table><tr><th></th>{head}</tr>{lines}</table>"
    )


def clues_seen(browser: Browser, folder: Path, html: str) -> tuple[tuple[Clue, ...], tuple[Clue, ...]]:
    page = folder / "board.html"
    page.write_text(html)
    puzzle = read(Frame(browser.picture(page, *SIZE)), PROFILE).puzzle
    return puzzle.rows, puzzle.cols


BRACKETS: dict[str, Written] = {
    "square": lambda clue: f"[{words(clue, ', ')}]",
    "round": lambda clue: f"({words(clue)})",
    "each": lambda clue: " ".join(f"({number})" for number in clue),
}


@needs_chromium
@pytest.mark.parametrize("form", BRACKETS)
@pytest.mark.parametrize("size", [5, 10])
def test_brackets_around_clues_are_no_ones(browser: Browser, tmp_path: Path, form: str, size: int) -> None:
    puzzle = unique(random.Random(f"{form} {size}"), size, size)

    seen = clues_seen(browser, tmp_path, drawn(puzzle, BRACKETS[form]))

    assert seen == (puzzle.rows, puzzle.cols)


@needs_chromium
@pytest.mark.parametrize("heading", ["12:34", "Nonogram 10 x 10"])
@pytest.mark.parametrize("size", [5, 10])
def test_a_heading_right_above_the_numbers_is_no_clue(
    browser: Browser, tmp_path: Path, heading: str, size: int
) -> None:
    puzzle = unique(random.Random(heading), size, size)
    above = f'<b style="margin-left: 90px; font-size: 15px">{heading}</b>'

    seen = clues_seen(browser, tmp_path, drawn(puzzle, heading=above))

    assert seen == (puzzle.rows, puzzle.cols)


@needs_chromium
def test_numbered_rows_with_boxes_of_clues_as_wide_as_the_cells_are_read_below_a_heading(
    browser: Browser, tmp_path: Path
) -> None:
    """The heading is farther off than the columns' numbers: above the boxes there are none."""
    puzzle, nth = unique(random.Random(4), 10, 10), iter(range(1, 11))
    style = "<style>td { width: 48px; height: 48px; } th.row { width: 46px; padding: 0 2px; border: 1px solid #999;"
    style += (
        " text-align: center; } th { padding: 0 0 2px; } body { margin: 9px; } i { font-size: 20px; }</style>"
    )
    heading = f"{style}<b style='font-size: 30px; margin-left: 9px'>Puzzle 10 by 10</b>"
    html = drawn(puzzle, heading=heading).replace("<tr><th></th>", "<tr><th></th><th></th>")
    for _ in range(10):
        html = html.replace("<tr><th class=row>", f"<tr><th><i>{next(nth)}</i></th><th class=row >", 1)

    assert clues_seen(browser, tmp_path, html) == (puzzle.rows, puzzle.cols)


@needs_chromium
def test_clues_that_a_narrow_page_breaks_are_read_line_by_line(browser: Browser, tmp_path: Path) -> None:
    puzzle = unique(random.Random("broken"), 8, 8)
    large = "<style>td { width: 40px; height: 40px; } th.row { text-align: center; }</style>"
    assert max(map(len, puzzle.rows)) > 2

    html = drawn(puzzle, lambda clue: "<br>".join(filter(None, map(words, (clue[:2], clue[2:])))), large)

    assert clues_seen(browser, tmp_path, html) == (puzzle.rows, puzzle.cols)


HEADINGS = (
    "10:45 of 2 60 Level 3 11 18 20 24 Best 1:58",
    "SOUND 8 RESET 81 SOLUTION 8 10 SAVE 6 GAME 5 80",
    "Choose your level: 1 2 3 4 5 6 7 8 9 10 11 12 13",
    "FIGURE 1 FIGURE 2 FIGURE 3 FIGURE 4 88 FIGURE 5",
    "Solved 4 of 60, 8 left, 16 8 71 816 2 44 55 66 77",
)


@needs_chromium
@pytest.mark.parametrize("text", ["5x5:2/2/1.1/1.2/3.1/2/1/1.1/2.1/5", "6x5:5/4/2/5/2/1/1.1/2.1/5/6/2.1"])
def test_numbers_at_the_left_edges_of_their_columns_are_read_below_buttons(
    browser: Browser, tmp_path: Path, text: str
) -> None:
    puzzle = parse(text)
    style = "<style>td { width: 54px; height: 54px; } th { padding: 0 2px; } th.column { text-align: left; }</style>"
    buttons = (
        "<p style='margin: 0 50px 6px; font: bold 15px sans-serif; letter-spacing: 1px'>"
        "CHANGE SIZE&emsp;Mark: &#9632;&emsp;Blank: &#9633;</p>"
    )

    assert clues_seen(browser, tmp_path, drawn(puzzle, heading=style + buttons)) == (puzzle.rows, puzzle.cols)


@needs_chromium
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "5x5:1/2.2/2.1/3.1/3/5/4/2/1/3",
            [
                (75, 23, "TIME 18:58&emsp;RESET", 2),
                (49, 22, "CHANGE SIZE", 1),
                (23, 24, "Level 8&emsp;Easy Hard", 1),
            ],
        ),
        (
            "5x5:2.1/2/2.1/4/2/5/5/1/1/1.1",
            [
                (87, 9, "<small>TIME 18:58&emsp;BEST 15</small>", 2),
                (61, 19, "TIME 18:58", 0),
                (69, 14, "Mark: Blank:&emsp;TIME 18:58", 0),
            ],
        ),
    ],
)
def test_a_small_board_is_found_below_several_lines_of_words(
    browser: Browser, tmp_path: Path, text: str, lines: list[tuple[int, int, str, int]]
) -> None:
    puzzle = parse(text)
    style = "<style>td { width: 54px; height: 54px; } th { padding: 0 2px; } th.column { text-align: left; }</style>"
    heading = "".join(
        f'<p style="margin: 0 {left}px {below}px; font: {14}px sans-serif; letter-spacing: {spaced}px">'
        f"{words}</p>"
        for left, below, words, spaced in lines
    )

    assert clues_seen(browser, tmp_path, drawn(puzzle, heading=style + heading)) == (puzzle.rows, puzzle.cols)
    assert claim(scene_of(Frame(browser.picture(tmp_path / "board.html", *SIZE)))) is not None


@needs_chromium
def test_many_headings_above_a_small_board_are_no_clues(browser: Browser, tmp_path: Path) -> None:
    """Its cells are large and its numbers small, and nearly every column has a single one."""
    puzzle = parse("5x5:2/2.1/5/4/2/1/3/5/1.3/3")
    style = "<style>td { width: 64px; height: 64px; } th { padding: 2px; border: 1px solid; }</style>"
    lines = "".join(
        f'<p style="margin: 0 20px {8 + 2 * n}px; font: 15px sans-serif; letter-spacing: {n}px">{text}</p>'
        for n, text in enumerate(HEADINGS)
    )

    assert clues_seen(browser, tmp_path, drawn(puzzle, heading=style + lines)) == (puzzle.rows, puzzle.cols)


@needs_chromium
def test_buttons_above_single_numbers_are_no_clues(browser: Browser, tmp_path: Path) -> None:
    """Nothing but the sums tells them from a second number of each column."""
    puzzle = parse("5x5:2/4/5/4/2/3/5/5/3/1")
    buttons = "".join(f"<button style='margin: 0 2px 6px'>Game {n}</button>" for n in range(1, 6))

    assert clues_seen(browser, tmp_path, drawn(puzzle, heading=buttons)) == (puzzle.rows, puzzle.cols)


TWELVE = "5x5:2/2.1/5/4/2/1/3/5/1.3/3"


@needs_chromium
@pytest.mark.parametrize("sign", ["9", "8", "6"])
def test_a_sign_beside_the_rows_that_is_too_large_for_them_is_no_clue(
    browser: Browser, tmp_path: Path, sign: str
) -> None:
    """A pattern of the page looks like one more digit, right where it would stand."""
    puzzle = parse(TWELVE)
    html = drawn(puzzle, lambda clue: f"{sign} {words(clue)}" if clue == (1, 3) else words(clue))

    assert clues_seen(browser, tmp_path, html) == (puzzle.rows, puzzle.cols)


@needs_chromium
def test_a_number_beside_the_rows_that_fits_is_never_left_out(browser: Browser, tmp_path: Path) -> None:
    """It may be right, and another number wrong."""
    html = drawn(parse(TWELVE), lambda clue: f"1 {words(clue)}" if clue == (3,) else words(clue))

    with pytest.raises(UncertainReading, match="contradict"):
        clues_seen(browser, tmp_path, html)


# Nearly every line has one number: a heart, and a bulb that has several pictures.
SINGLE = ("5x5:2/4/4/4/2/1.1/5/5/3/1", "10x10:1/2.2/5/9/9/9/6/1.1///1.4/7/6/5/7/6/3/3/3/")


@needs_chromium
@pytest.mark.parametrize("text", SINGLE)
def test_a_board_of_single_numbers_is_found_without_its_name(
    browser: Browser, tmp_path: Path, text: str
) -> None:
    puzzle, page = parse(text), tmp_path / "board.html"
    page.write_text(
        drawn(
            puzzle, lambda clue: words(clue or (0,)), "<style>th.column:empty:after { content: '0' }</style>"
        )
    )

    found = recognise(Frame(browser.picture(page, *SIZE)), GAMES, store.candidates)

    assert (found.reading.puzzle.rows, found.reading.puzzle.cols) == (puzzle.rows, puzzle.cols)


FAINT = {
    "all": "body { background: #222; color: #eee; } td { background: #262626; border-color: #2e2e2e; }",
    # Each fifth is a clear one, so that a lattice shows anyhow.
    "most": "td { border-color: #f9f9fa; } td:nth-child(5n + 1) { border-right-color: #333; } "
    "tr:nth-child(5n + 1) td { border-bottom-color: #333; } th { background: #dde; }",
}


@needs_chromium
@pytest.mark.parametrize("lines", FAINT)
def test_a_board_with_faint_lines_is_found_without_its_name(
    browser: Browser, tmp_path: Path, lines: str
) -> None:
    puzzle, page = unique(random.Random("faint"), 15, 15), tmp_path / "board.html"
    page.write_text(drawn(puzzle, heading=f"<style>{FAINT[lines]}</style>"))

    found = recognise(Frame(browser.picture(page, *SIZE)), GAMES, store.candidates)

    assert (found.reading.puzzle.rows, found.reading.puzzle.cols) == (puzzle.rows, puzzle.cols)


@needs_chromium
def test_ones_that_stand_close_together_hide_no_board(browser: Browser, tmp_path: Path) -> None:
    """A quick look takes 2 1 1 for 211; the cells have lines at two sides only, and the board none at its left and top."""
    puzzle, page = unique(random.Random(7), 15, 15), tmp_path / "board.html"
    style = """<style>
      td { width: 29px; height: 29px; border: 0; border-right: 1px solid #ccc; border-bottom: 1px solid #ccc; }
      th.row { word-spacing: 2px; } i { font-style: normal; margin: 0 -4px; }
    </style>"""
    page.write_text(drawn(puzzle, lambda clue: words(clue).replace("1", "<i>1</i>"), style))
    frame = Frame(browser.picture(page, 620, 700))

    assert claim(scene_of(frame)) is not None


@needs_chromium
def test_small_numbers_beside_large_cells_are_read(browser: Browser, tmp_path: Path) -> None:
    puzzle = unique(random.Random("small"), 5, 5)
    style = "<style>td { width: 92px; height: 92px; } th { font-size: 12px; }</style>"

    assert clues_seen(browser, tmp_path, drawn(puzzle, heading=style)) == (puzzle.rows, puzzle.cols)


@needs_chromium
@pytest.mark.parametrize(("cell", "size", "pale"), [(37, 9, "#bbb"), (28, 13, "#d3d3d3")])
def test_small_numbers_that_faded_beside_others_are_read(
    browser: Browser, tmp_path: Path, cell: int, size: int, pale: str
) -> None:
    # What is lost without them is the same in rows and columns: the rest agrees.
    puzzle = parse("5x5:2.2/1.1/3/2/1.3/3.1/1.1/2.1/1.2/1.2")
    style = f"td {{ width: {cell}px; height: {cell}px; }} th {{ font: {size}px sans-serif; }}"
    style += f" i {{ color: {pale}; font-style: normal; }}"
    page = drawn(puzzle, lambda clue: words(clue).replace("1 2", "<i>1</i> 2"), f"<style>{style}</style>")
    page = page.replace("2<br>2", "2<br><i>2</i>")

    assert clues_seen(browser, tmp_path, page) == (puzzle.rows, puzzle.cols)


# A 1 stands on the 5 below it: all the digits right of the board are in one piece.
TOUCHING = """
  body { margin: 0; }
  i, p { position: absolute; margin: 0; background: #f2dc5a; }
  b { position: absolute; color: #555; font: 92px/69px sans-serif; }
"""


@needs_chromium
@pytest.mark.parametrize(
    "text", ["5x5:2/4/4/4/2/1.1/5/5/3/1", "6x6:1/5/2/5/2.1/2/2.1/1.3/1.2/3/4/1"], ids=["all", "some"]
)
def test_large_digits_that_touch_each_other_are_read(browser: Browser, tmp_path: Path, text: str) -> None:
    puzzle, cell, left, top = parse(text), 69, 20, 20
    size = puzzle.height * cell
    lines = "".join(
        f"<i style='left:{left + cell * n}px;top:{top}px;width:1px;height:{size}px'></i>"
        f"<i style='left:{left}px;top:{top + cell * n}px;width:{size}px;height:1px'></i>"
        for n in range(1, puzzle.height)
    )
    numbers = [
        (run, left + size + 40 + cell * place, top + cell * row)
        for row, clue in enumerate(puzzle.rows)
        for place, run in enumerate(clue)
    ] + [
        (run, left + 8 + cell * col, top + size + 30 + 80 * place)
        for col, clue in enumerate(puzzle.cols)
        for place, run in enumerate(clue)
    ]
    # The desktop shows below the page.
    written = "".join(f"<b style='left:{x}px;top:{y}px'>{run}</b>" for run, x, y in numbers)
    dark = f"<p style='left:0;top:{top + size + 190}px;width:400px;height:600px;background:#000'></p>"
    page = tmp_path / "board.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><style>{TOUCHING}</style>{lines}{written}{dark}")

    assert read(Frame(browser.picture(page, 640, 1400)), PROFILE).puzzle == puzzle


# Two lines of signs that no font has, below a board on a card.
SIGNS = """
  body { margin: 0; background: #eeeff5; }
  div { position: absolute; left: 60px; top: 20px; width: 204px; height: 205px; background: #fff; }
  table { position: absolute; left: 100px; top: 62px; border-collapse: collapse; }
  td { width: 29px; height: 29px; padding: 0; border: 1px solid #dde2e8; background: #f7f9fd; }
  p { position: absolute; margin: 0; white-space: nowrap; font: 12px sans-serif; color: #889; }
"""


@needs_chromium
def test_boxes_for_signs_that_no_font_has_are_no_cells(browser: Browser, tmp_path: Path) -> None:
    """Their edges are a little beside where further lines of the grid would be."""
    sign, row, page = "\ue000", "<tr>" + "<td></td>" * 5 + "</tr>", tmp_path / "board.html"
    page.write_text(
        f"<!doctype html><meta charset=utf-8><style>{SIGNS}</style><div></div><table>{row * 5}</table>"
        f"<p style='left: 99px; top: 236px'>{sign * 20}</p>"
        f"<p style='left: 30px; top: 253px; font-size: 11px'>{sign * 44}</p>"
    )

    (grid,) = find_grids(browser.picture(page, 420, 330))

    assert (grid.rows, grid.cols) == (5, 5)


@needs_chromium
def test_a_board_on_squared_paper_is_found_without_its_name(browser: Browser, tmp_path: Path) -> None:
    """The paper's squares have half the size of the cells, and all of the picture."""
    puzzle, page = unique(random.Random("squared"), 10, 10), tmp_path / "board.html"
    style = """<style>
      body { background: linear-gradient(#cfe3f5 1px, #0000 1px), linear-gradient(90deg, #cfe3f5 1px, #0000 1px);
             background-size: 15px 15px; }
      td { width: 29px; height: 29px; background: #fff; border-color: #446; }
    </style>"""
    page.write_text(drawn(puzzle, heading=style))

    found = recognise(Frame(browser.picture(page, *SIZE)), GAMES, store.candidates)

    assert (found.reading.puzzle.rows, found.reading.puzzle.cols) == (puzzle.rows, puzzle.cols)


@needs_chromium
def test_a_board_whose_lines_go_on_beside_it_is_read_on_ruled_paper(browser: Browser, tmp_path: Path) -> None:
    """Fine lines of the page make a lattice of their own, and signs among the numbers; the cells are plain."""
    puzzle = unique(random.Random(3), 10, 10)
    style = """<style>
      body { background: #fefefe; } td { background: #fff; }
      td, th { border: 1px solid #000; padding: 0 6px; } th.column { border-top: 0; } th.row { border-left: 0; }
      tr:nth-child(7) > * { border-top: 4px solid #000; } tr > :nth-child(7) { border-left: 4px solid #000; }
      th.column { letter-spacing: 0; line-height: 26px; } th.row { word-spacing: 22px; }
    </style>"""
    page = tmp_path / "board.html"
    page.write_text(drawn(puzzle) + style)
    pixels = browser.picture(page, *SIZE)
    chance = np.random.default_rng(1)
    grain = chance.integers(0, 26, pixels.shape[:2])
    paper = 248 - cv2.blur(grain.astype(np.float32), (2, 2))
    for at in range(3, max(SIZE), 16):
        paper[at : at + 1] -= chance.integers(8, 24)
        paper[:, at : at + 1] -= chance.integers(8, 24)
    pixels = np.where(pixels < 255, np.minimum(pixels, paper[..., None]), pixels).astype(np.uint8)

    read_as = read(Frame(pixels), PROFILE)

    assert (read_as.puzzle.rows, read_as.puzzle.cols) == (puzzle.rows, puzzle.cols)
    assert {mark.symbol for mark in read_as.marks.values()} == {""}


@needs_chromium
def test_clues_in_the_boxes_of_an_open_lattice_are_read_beside_round_signs(
    browser: Browser, tmp_path: Path
) -> None:
    """The lattice has no frame, and choices for the player stand in the corner of the clues' boxes."""
    puzzle = unique(random.Random(5), 8, 8)
    style = """<style>
      td { width: 40px; height: 40px; } th { font: 15px/1 monospace; padding: 0; }
      table { border-style: hidden; } th, td { border: 1px solid #060; }
      th.column { height: 80px; vertical-align: top; }
      th.row { min-width: 90px; text-align: left; padding: 0; word-spacing: 3px; }
      tr:first-child th:first-child { font-size: 14px; line-height: 36px; padding-left: 36px; text-align: left; }
    </style>"""
    html = drawn(puzzle).replace("<th></th>", "<th>o&nbsp;&nbsp;O<br>o&nbsp;&nbsp;X</th>", 1)

    assert clues_seen(browser, tmp_path, html + style) == (puzzle.rows, puzzle.cols)


# Drawn in one size and shown in another: between digits that stand on each other there is some of their grey.
SOFT = """<!doctype html><body style="margin: 0; background: GROUND"><canvas style="width: WIDTHpx"></canvas><script>
const [rows, cols] = CLUES, cell = CELL, canvas = document.querySelector("canvas");
canvas.width = canvas.height = 640;
const pen = canvas.getContext("2d");
pen.translate(20, 20);
pen.fillStyle = "#fcd000";
for (let n = 1; n < rows.length; n++) {
  pen.fillRect(n * cell, 0, 1, rows.length * cell);
  pen.fillRect(0, n * cell, rows.length * cell, 1);
}
pen.font = `${cell}pt monospace`;
pen.textAlign = "center";
pen.textBaseline = "middle";
pen.fillStyle = "#555";
const write = (clues, at) => clues.forEach((clue, line) => clue.forEach((run, n) =>
  pen.fillText(run, ...at((line + 0.5) * cell, (rows.length + 1 + n) * cell))));
write(rows, (along, away) => [away, along]);
write(cols, (along, away) => [along, away]);
</script>"""


@needs_chromium
@pytest.mark.parametrize(
    ("cell", "width", "ground"),
    [(47, 960, "#fff"), (47, 960, "#121212"), (45, 960, "#fff"), (47, 430, "#fff")],
    ids=["clear", "dim", "columns", "small"],
)
def test_soft_digits_that_touch_each_other_are_read(
    browser: Browser, tmp_path: Path, cell: int, width: int, ground: str
) -> None:
    puzzle = parse("8x8:5.1/1.2.1/4/6.1/1.2.1/5.1/1.1.1/4/1.3/2.1.2/1.3.1/8/4.1.1/2.1/1.1/2.3")
    page = tmp_path / "board.html"
    values = {"GROUND": ground, "WIDTH": width, "CELL": cell, "CLUES": json.dumps([puzzle.rows, puzzle.cols])}
    text = SOFT
    for name, value in values.items():
        text = text.replace(name, str(value))
    page.write_text(text, "utf-8")

    assert read(Frame(browser.picture(page, 960, 1000)), PROFILE).puzzle == puzzle
