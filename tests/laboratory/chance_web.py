"""Nonograms as web pages in chance styles, in real Chromium: tables of cells with what pages put on, beside and around them.

`uv run python -m tests.laboratory.chance_web FIRST END` shows and reads those with these seeds, and names the wrong ones. The
fonts are those of the machine: other ones, other boards.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from solver.lattice import Square
from solver.nonogram import Clue, Nonogram, Picture
from tests.chromium import Browser
from tests.laboratory.chance import Outcome, judged, puzzle_of, tell
from vision.frame import Pixels

SIDES, WINDOW_PX = (5, 8, 10, 10, 12, 15), 1000
FONTS = (
    "sans-serif",
    "serif",
    "monospace",
    "system-ui",
    "DejaVu Sans",
    "DejaVu Serif",
    "Nimbus Sans",
    "Nimbus Roman",
)
CELLS_PX, OF_CELL, ZOOMS = (
    (14, 18, 22, 26, 30, 36, 40),
    (0.45, 0.55, 0.6, 0.7, 0.8),
    (0.67, 0.8, 1, 1, 1, 1.1, 1.25),
)
# Smaller numbers no reader tells, and narrower gaps no browser draws, px.
LEAST_FONT_PX, LEAST_GAP_PX = 8, 1
# Of light pages and of dark ones: the page, numbers, cells, filled cells and lines.
COLOURS = {
    False: (
        ("#fff", "#f5f5f5", "#e8eef4", "#f3e9d2"),
        ("#000", "#222", "#1f3a5f", "#c00", "#b5651d"),
        ("#fff", "#fdfdfd", "#eee", "#f8f8ff"),
        ("#000", "#333", "#1e40af", "#444"),
        ("#000", "#666", "#999", "#bbb"),
    ),
    True: (
        ("#111", "#1e1e2e", "#222831", "#0f172a"),
        ("#eee", "#fff", "#cbd5e1", "#bbb"),
        ("#333", "#1e293b", "#2d2d44", "#fff"),
        ("#4ade80", "#f5f5f5", "#60a5fa", "#facc15"),
        ("#555", "#888", "#000"),
    ),
}
FILLED = {
    "flat": "",
    "gradient": "background-image: linear-gradient(transparent, #7778)",
    "inset": "box-shadow: inset 0 0 0 2px #fff6",
    "round": "border-radius: 30%",
    "disc": "border-radius: 50%",
    "relief": "box-shadow: inset 2px 2px 3px #fff8, inset -2px -2px 3px #0008",
}
FREE = {
    "flat": "",
    "gradient": "background-image: linear-gradient(transparent, #9993)",
    "raised": "box-shadow: inset 1px 1px 0 #fff, inset -1px -1px 0 #0005",
    "sunken": "box-shadow: inset 0 0 4px #0004",
}
DONE = {"": "", "fade": "opacity: .4", "strike": "text-decoration: line-through", "green": "color: #2a2"}
AROUND = {
    "": "",
    "card": "border-radius: 16px; padding: 20px; box-shadow: 0 4px 24px #0006",
    "border": "border: 3px solid #888; padding: 12px",
}
CROSS = "<svg viewBox='0 0 10 10'><path d='M1 1L9 9M9 1L1 9' stroke='#999' stroke-width=1.6 /></svg>"
MARKS = ("×", "✕", "X", "•", CROSS)
HEADINGS = (
    "",
    "<h2>Nonogram</h2>",
    "<h2>Puzzle 10x10</h2><p>00:42</p>",
    "<h2>Level 12</h2><p>Mistakes: 0/3</p>",
)
BUTTONS = ("", "<button>Check</button> <button>Undo</button>", "<button>New game</button> <button>⚙</button>")


@dataclass(frozen=True, eq=False)
class Page:
    html: str
    puzzle: Nonogram
    picture: Picture


def page(seed: int) -> Page:
    """The page of a seed, the same at all times."""
    rng = random.Random(seed)
    puzzle, solution = puzzle_of(rng.choice(SIDES), rng.randrange(6))
    share = rng.choice((0.0, 0.0, 0.3, 0.6, 1.0))
    entered = [cell for cell in sorted(solution.filled | solution.blank) if rng.random() < share]
    # Finished boards have no crosses, as a rule.
    crossed = frozenset(solution.blank.intersection(entered)) if share < 1 else frozenset[Square]()
    picture = Picture(frozenset(solution.filled.intersection(entered)), crossed)
    return Page(_html(rng, puzzle, solution, picture), puzzle, picture)


def outcome_in(browser: Browser, folder: Path) -> Callable[[int], Outcome]:
    """Tells what becomes of the page of a seed."""

    def outcome(seed: int) -> Outcome:
        one = page(seed)
        return judged(shown(browser, folder, one.html), one.puzzle, one.picture)

    return outcome


def shown(browser: Browser, folder: Path, html: str) -> Pixels:
    """What the window shows of a page."""
    file = folder / "page.html"
    file.write_text(html)
    return browser.picture(file, WINDOW_PX, WINDOW_PX)


def _html(rng: random.Random, puzzle: Nonogram, solution: Picture, picture: Picture) -> str:
    dark = rng.random() < 0.3
    ground, ink, free, fill, line = map(rng.choice, COLOURS[dark])
    if dark and free == "#fff":
        fill = "#333"
    apart = rng.random() < 0.3 and free not in ("#fff", "#fdfdfd")
    cell, zoom = rng.choice(CELLS_PX), rng.choice(ZOOMS)
    gap = max(rng.choice((1, 2, 3)), LEAST_GAP_PX / zoom)
    font = max(cell * rng.choice(OF_CELL), LEAST_FONT_PX / zoom)
    cell = max(cell, round(font * 1.2))
    form, boxed = rng.choice(("text", "apart", "boxes", "pills")), rng.random() < 0.4
    right, below = rng.choice(((False, False),) * 8 + ((True, False), (True, True)))
    both, numbered = rng.random() < 0.06 and not right, rng.random() < 0.06
    border = f"1px {rng.choice(('solid', 'solid', 'solid', 'dashed'))} {line}"
    lit = rng.choice(("", "", "", "row", "cell", "cross"))
    at = Square(rng.randrange(puzzle.height), rng.randrange(puzzle.width))
    mark, empty = rng.choice(MARKS), rng.choice(("0", "0", "-", "·"))
    done = rng.choice(list(DONE))
    fives, heading, buttons = rng.choice((0, 0, 0, 3)), rng.choice(HEADINGS), rng.choice(BUTTONS)
    style = f"""
      body {{ margin: 0; background: {ground}; color: {ink}; font-family: {rng.choice(FONTS)}; zoom: {zoom}; padding: 24px; }}
      main {{ display: inline-block; {rng.choice(list(AROUND.values()))} }}
      table {{ {f"border-spacing: {gap}px" if apart else "border-collapse: collapse"};
        font-size: {font}px; font-weight: {rng.choice((400, 400, 600, 700))}; }}
      td, th {{ padding: 0; font-weight: inherit; text-align: center; white-space: nowrap; box-sizing: border-box; }}
      td {{ width: {cell}px; min-width: {cell}px; height: {cell}px; line-height: 1; background-color: {free}; color: #888;
        {"" if apart else f"border: {border}"}; {rng.choice(list(FREE.values()))} }}
      td.filled {{ background-color: {fill}; {rng.choice(list(FILLED.values()))} }}
      td svg {{ display: block; margin: auto; width: 50%; }}
      td.lit {{ filter: brightness(.9) sepia(.2); }} td.at {{ outline: 2px solid #f80; outline-offset: -2px; }}
      {f"tr:nth-child(5n+1) td {{ border-top-width: {fives}px; }}" if fives and not apart else ""}
      th {{ {f"border: {border}; background: #8882" if boxed and not apart else ""}; }}
      th.row {{ height: {cell}px; padding: 0 {rng.choice((2, 4, 6))}px; text-align: {"left" if right else "right"}; }}
      th.column {{ vertical-align: {"top" if below else "bottom"}; line-height: 1.2; max-width: {cell}px; }}
      th.box {{ width: {cell}px; min-width: {cell}px; height: {cell}px; }} th.number {{ color: #999; padding: 0 6px; }}
      th.done {{ {DONE[done]} }}
      b {{ display: inline-block; font-weight: inherit; min-width: {cell * 0.8}px; }} th.column b {{ display: block; }}
      {"b { background: #8884; border-radius: 6px; margin: 1px; }" if form == "pills" else ""}"""

    def finished(cells: Iterable[Square]) -> str:
        some = list(cells)
        met = solution.filled.intersection(some) == picture.filled.intersection(some)
        return " done" if done and met and not solution.filled.isdisjoint(some) else ""

    def written(clue: Clue, between: str) -> str:
        texts = [str(run) for run in clue] or [empty]
        return between.join(texts) if form == "text" else "".join(f"<b>{text}</b>" for text in texts)

    deep, wide = (max(max(map(len, side)), 1) for side in (puzzle.cols, puzzle.rows))

    def in_boxes(clue: Clue, count: int, after: bool) -> list[str]:
        texts, blank = [str(run) for run in clue] or [empty], [""] * (count - max(len(clue), 1))
        return texts + blank if after else blank + texts

    def row_clue(row: int, after: bool) -> str:
        clue = puzzle.rows[row]
        its = finished(Square(row, col) for col in range(puzzle.width))
        if form == "boxes":
            return "".join(f"<th class='box{its}'>{text}</th>" for text in in_boxes(clue, wide, after))
        return f"<th class='row{its}'>{written(clue, ' ')}</th>"

    corner = "" if right else "<th></th>" * (wide if form == "boxes" else 1)
    corner = "<th></th>" * numbered + corner
    its = [finished(Square(row, col) for row in range(puzzle.height)) for col in range(puzzle.width)]
    if form == "boxes":
        columns = [in_boxes(clue, deep, below) for clue in puzzle.cols]
        lines = [
            "".join(f"<th class='box{one}'>{texts[at]}</th>" for texts, one in zip(columns, its, strict=True))
            for at in range(deep)
        ]
    else:
        heads = zip(puzzle.cols, its, strict=True)
        lines = ["".join(f"<th class='column{one}'>{written(clue, '<br>')}</th>" for clue, one in heads)]
    head = "".join(f"<tr>{corner}{line}</tr>" for line in lines)
    body = ""
    for row in range(puzzle.height):
        cells = "".join(_cell(Square(row, col), picture, mark, lit, at) for col in range(puzzle.width))
        number = f"<th class=number>{row + 1}</th>" * numbered
        left = "" if right else row_clue(row, False)
        body += f"<tr>{number}{left}{cells}{row_clue(row, True) if right or both else ''}</tr>"
    board = f"<table>{body}{head}</table>" if below else f"<table>{head}{body}</table>"
    return f"<!doctype html><meta charset=utf-8><style>{style}</style>{heading}<main>{board}</main><p>{buttons}</p>"


def _cell(cell: Square, picture: Picture, mark: str, lit: str, at: Square) -> str:
    names: Mapping[str, bool] = {
        "filled": cell in picture.filled,
        "lit": (lit in ("row", "cross") and cell.row == at.row) or (lit == "cross" and cell.col == at.col),
        "at": lit == "cell" and cell == at,
    }
    return f"<td class='{' '.join(name for name, so in names.items() if so)}'>{mark if cell in picture.blank else ''}</td>"


def tell_pages(outcome_in: Callable[[Browser, Path], Callable[[int], Outcome]], *seeds: str) -> None:
    """As `tell` does, in a browser of its own."""
    with Browser() as browser, tempfile.TemporaryDirectory() as folder:
        tell(outcome_in(browser, Path(folder)), *seeds)


if __name__ == "__main__":
    tell_pages(outcome_in, *sys.argv[1:])
