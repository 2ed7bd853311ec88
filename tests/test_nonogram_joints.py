"""Nonograms whose clues stand in a list of their own, in real Chromium: out of joint with the cells, far off, in boxes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.practice.nonogram import unique
from bot.recognise import recognise
from calibration import store
from solver.nonogram import Clue, Nonogram
from tests.chromium import Browser, needs_chromium
from vision.frame import Frame

LEFT, TOP = 260, 220
PAGE = """<!doctype html><meta charset=utf-8><style>
  body { margin: 0; } i, b { position: absolute; box-sizing: border-box; }
  i { border: 1px solid #888; } b { display: flex; font-weight: normal; white-space: pre; line-height: 1.2; padding: 2px; }
</style>"""


@dataclass(frozen=True)
class Lists:
    """Where the clues stand.

    off: of the first clue, and of the last one, px, from the middle of their line. gap: between the board and the lists, px.
    end: of a row's box at which its numbers stand; stacked: above each other, there too. boxed: a frame around each clue.
    """

    off: tuple[float, float] = (0, 0)
    cell: int = 44
    font: int = 14
    gap: int = 8
    wide: int = 110
    end: str = "flex-end"
    edge: str = "center"
    stacked: bool = False
    boxed: bool = False
    family: str = "DejaVu Sans"

    def page(self, puzzle: Nonogram) -> str:
        cells = "".join(
            f"<i style='left:{LEFT + col * self.cell}px;top:{TOP + row * self.cell}px;"
            f"width:{self.cell + 1}px;height:{self.cell + 1}px'></i>"
            for row in range(puzzle.height)
            for col in range(puzzle.width)
        )
        high = round(1.2 * self.font * max(map(len, puzzle.cols))) + 12
        rows, columns = (
            [
                line * self.cell + self.off[0] + line * (self.off[1] - self.off[0]) / (len(clues) - 1)
                for line in range(len(clues))
            ]
            for clues in (puzzle.rows, puzzle.cols)
        )
        beside = "".join(
            self._box(clue, LEFT - self.gap - self.wide, TOP + at, self.wide, self.cell - 4, self.stacked)
            for clue, at in zip(puzzle.rows, rows, strict=True)
        )
        above = "".join(
            self._box(clue, LEFT + at, TOP - self.gap - high, self.cell - 4, high, True)
            for clue, at in zip(puzzle.cols, columns, strict=True)
        )
        return f"{PAGE}<body style='font-family: \"{self.family}\"'>{cells}{beside}{above}"

    def _box(self, clue: Clue, left: float, top: float, wide: int, high: int, column: bool) -> str:
        numbers = ("\n" if column else " ").join(map(str, clue))
        across, down = (self.edge, self.end) if column and not self.stacked else (self.end, "center")
        frame = "border:1px solid #000;" if self.boxed else ""
        return (
            f"<b style='left:{left:.1f}px;top:{top:.1f}px;width:{wide}px;height:{high}px;{frame}"
            f"font-size:{self.font}px;justify-content:{across};align-items:{down}'>{numbers}</b>"
        )


@needs_chromium
@pytest.mark.parametrize(
    ("lists", "size"),
    [
        (Lists(off=(20, 20)), 5),
        (Lists(off=(-20, -20)), 8),
        (Lists(off=(24, -12)), 5),
        (Lists(off=(-18, 26)), 6),
        (Lists(off=(6, -22), boxed=True), 8),
        (Lists(edge="flex-start"), 5),
        (Lists(end="flex-start", cell=30), 5),
        (Lists(end="flex-start", cell=26, font=12, wide=140), 10),
        (Lists(stacked=True, boxed=True, wide=18, font=10, cell=60), 5),
        (Lists(stacked=True, off=(-12, 16), wide=24, font=10, cell=48), 8),
        (Lists(font=10, cell=90), 4),
        (Lists(font=10, cell=150, gap=1), 5),
        (Lists(font=11, cell=104, gap=4, off=(-40, -40)), 5),
        (Lists(font=10, cell=104, gap=3, end="flex-start", wide=60), 5),
        (Lists(off=(20, 20), family="Nimbus Roman"), 5),
        (Lists(end="flex-start", cell=30, family="Nimbus Roman"), 5),
        (Lists(font=10, cell=90, family="DejaVu Serif"), 4),
    ],
    ids=str,
)
def test_clues_in_lists_of_their_own_belong_to_the_lines_in_their_order(
    browser: Browser, tmp_path: Path, lists: Lists, size: int
) -> None:
    """Nobody names the game."""
    puzzle, page = unique(random.Random(7), size, size), tmp_path / "board.html"
    page.write_text(lists.page(puzzle))

    found = recognise(Frame(browser.picture(page, 1040, 1000)), GAMES, store.candidates)

    assert (found.reading.puzzle.rows, found.reading.puzzle.cols) == (puzzle.rows, puzzle.cols)


@needs_chromium
@pytest.mark.parametrize(
    ("font", "heading"), [(10, "New game Check Level 2"), (14, "Time 00:14 &nbsp;Solved 8 of 10")]
)
def test_words_right_above_few_numbers_are_none_of_them(
    browser: Browser, tmp_path: Path, font: int, heading: str
) -> None:
    lists, page = Lists(font=font, end="flex-start", gap=24), tmp_path / "board.html"
    puzzle = unique(random.Random(7), 4, 4)
    words = f"<b style='left:{LEFT}px;top:{TOP - 86}px;font:14px sans-serif'>{heading}</b>"
    page.write_text(lists.page(puzzle) + words)

    found = recognise(Frame(browser.picture(page, 1040, 1000)), GAMES, store.candidates)

    assert (found.reading.puzzle.rows, found.reading.puzzle.cols) == (puzzle.rows, puzzle.cols)
