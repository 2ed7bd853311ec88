"""Nonograms in chance styles, with one to three of the trims that programs paint: see `chance`.

`uv run python -m tests.laboratory.chance_trims FIRST END` draws and reads those with these seeds, and names the wrong ones.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, product

import cv2
import numpy as np
import numpy.typing as npt

from bot.scorecard.spoil import as_jpeg
from solver.lattice import Square
from tests.laboratory import chance
from tests.laboratory.chance import Board, Colour, Hand, Outcome, Style, apart, judged, state, tell
from vision.frame import Pixels

# By so many levels a shade of the page or of the cells differs from it, and the parts of a filled cell from each other.
SHADE, FIELD, PART = 14, 25, 50
# Where the numbers begin, px from the picture's edge, and how far from the cells they end.
EDGE_PX, APART_PX = 10, 4
ACCENT: Colour = (0, 140, 255)
TILES: Sequence[Colour] = ((90, 90, 200), (200, 120, 60), (80, 170, 80), (150, 150, 150))
HANDS = (
    Hand(cv2.FONT_HERSHEY_DUPLEX),
    Hand(cv2.FONT_HERSHEY_COMPLEX),
    Hand(cv2.FONT_HERSHEY_TRIPLEX),
    Hand(thick=2),
)


@dataclass(frozen=True, eq=False)
class Sheet:
    """What a board is drawn on. places: where its rows and columns begin, px. rng: for what a trim leaves open."""

    board: Board
    page: Pixels
    places: Sequence[int]
    rng: random.Random

    @property
    def style(self) -> Style:
        return self.board.style

    @property
    def inner(self) -> slice:
        """The px of the cells and of the lines between them, across and down."""
        return slice(self.places[0], self.places[-1] + self.style.cell)

    @property
    def numbers(self) -> slice:
        """The px of the numbers, left of the cells and above them."""
        return slice(EDGE_PX, self.places[0] - APART_PX)

    def fields(self, nth: int, less: int = 0) -> Sequence[Pixels]:
        """The parts of the page with the numbers of the row and of the column with this number, so many px smaller."""
        own = slice(self.places[nth] + less, self.places[nth] + self.style.cell - less)
        return self.page[own, self.numbers], self.page[self.numbers, own]


@dataclass(frozen=True)
class Trim:
    """What one trim does.

    behind: before the cells are drawn. cell: the style of a cell, and what it holds. filled, every: paint on cells, filled
    ones or all. over: on the whole picture, at the end. hand: how numbers are written.
    """

    behind: Callable[[Sheet], None] | None = None
    cell: Callable[[Sheet, Square], Style] | None = None
    filled: Callable[[Pixels, Style], None] | None = None
    every: Callable[[Pixels, Sheet, Square], None] | None = None
    over: Callable[[Sheet], Pixels] | None = None
    hand: Callable[[Sheet], Hand] | None = None


def board(seed: int) -> Board:
    """The board of a seed, the same at all times."""
    return drawn(chance.board(seed), trims(seed), random.Random(f"details {seed}"))


def trims(seed: int) -> Sequence[str]:
    """The names of the trims of a board."""
    rng = random.Random(f"trims {seed}")
    return rng.sample(sorted(TRIMS), rng.choice((1, 1, 2, 3)))


def outcome(seed: int) -> Outcome:
    """What becomes of the board of a seed."""
    one = board(seed)
    return judged(one.pixels, one.puzzle, one.picture)


def drawn(plain: Board, names: Sequence[str], rng: random.Random) -> Board:
    """A board with these trims."""
    used = [trim for name, trim in TRIMS.items() if name in names]
    page, places = chance.ground(plain.puzzle, plain.style)
    sheet = Sheet(plain, page, places, rng)
    for trim in used:
        if trim.behind:
            trim.behind(sheet)
    for cell in map(Square._make, product(range(len(places)), repeat=2)):
        _draw_cell(sheet, cell, used)
    chance.draw_cursor(page, places, plain.style)
    hand = next((trim.hand(sheet) for trim in used if trim.hand), chance.PLAIN)
    chance.write_clues(page, plain.puzzle, places, plain.style, hand=hand)
    for trim in used:
        if trim.over:
            sheet = replace(sheet, page=trim.over(sheet))
    return replace(plain, pixels=sheet.page)


def _draw_cell(sheet: Sheet, cell: Square, used: Sequence[Trim]) -> None:
    own, holds = chance.window(sheet.page, sheet.places, sheet.style, cell), state(sheet.board.picture, cell)
    for trim in used:
        if trim.cell:
            sheet = replace(sheet, board=replace(sheet.board, style=trim.cell(sheet, cell)))
    chance.draw_cell(own, cell, holds, sheet.style)
    for trim in used:
        if trim.filled and holds == "filled":
            inset = sheet.style.inset
            trim.filled(own[inset : len(own) - inset, inset : len(own) - inset], sheet.style)
        if trim.every:
            trim.every(own, sheet, cell)


def shifted(colour: Colour, levels: float) -> Colour:
    """A shade of a colour: darker where it is light, lighter where it is dark."""
    sign = -1 if sum(colour) > 3 * 127 else 1
    blue, green, red = (int(np.clip(one + sign * levels, 0, 255)) for one in colour)
    return blue, green, red


def lit(own: Pixels, levels: npt.ArrayLike) -> None:
    """Make a part of a picture lighter by so many levels, or darker."""
    own[:] = np.clip(own + np.asarray(levels, np.float64), 0, 255).astype(np.uint8)


# Of the page.


def page_gradient(sheet: Sheet) -> None:
    beside = (sheet.page == sheet.style.page).all(axis=2)[..., None]
    lit(sheet.page, np.linspace(-20, 20, len(sheet.page))[:, None, None] * beside)


def bands(sheet: Sheet) -> None:
    """One field behind all numbers of the rows, one behind those of the columns."""
    for field in (sheet.page[sheet.inner, sheet.numbers], sheet.page[sheet.numbers, sheet.inner]):
        field[:] = shifted(sheet.style.page, FIELD)


def chips(sheet: Sheet) -> None:
    for nth in range(len(sheet.places)):
        for field in sheet.fields(nth, 1):
            field[:] = shifted(sheet.style.page, FIELD)


def boxes(sheet: Sheet) -> None:
    """Thin borders around the numbers of each row and column."""
    for nth in range(len(sheet.places)):
        for field in sheet.fields(nth, 1):
            field[(0, -1), :] = field[:, (0, -1)] = shifted(sheet.style.page, 3 * FIELD)


def crosshair(sheet: Sheet) -> None:
    """The row and the column of the cursor, beside the cells."""
    at = sheet.style.at
    for field in (sheet.fields(at.row)[0], sheet.fields(at.col)[1]):
        field[:] = shifted(sheet.style.page, SHADE)


def board_shadow(sheet: Sheet) -> None:
    end, wide = sheet.inner.stop + 2, 8
    along = slice(sheet.places[0] + wide, end + wide)
    for part in (sheet.page[end : end + wide, along], sheet.page[along, end : end + wide]):
        part[:] = shifted(sheet.style.page, 2 * FIELD)


def dotted(sheet: Sheet) -> None:
    """Lines of dots, where cells lie between lines."""
    if sheet.style.lined:
        lines = sheet.page[sheet.inner, sheet.inner]
        lines[np.indices(lines.shape[:2]).sum(axis=0) // 2 % 2 == 0] = sheet.style.free


def fives(sheet: Sheet) -> None:
    """No lines but after every fifth cell, where cells lie between lines."""
    if not sheet.style.lined:
        return
    gaps = [slice(at - sheet.style.gap, at) for nth, at in enumerate(sheet.places) if nth % 5]
    kept = np.ones(len(sheet.page), np.bool_)
    kept[sheet.inner] = False
    for nth, at in enumerate(sheet.places):
        kept[at - sheet.style.fifth : at] |= nth % 5 == 0
    plain = ~kept[:, None] & ~kept
    for gap in gaps:
        sheet.page[gap][plain[gap]] = sheet.style.free
        sheet.page[:, gap][plain[:, gap]] = sheet.style.free


# Of the ground of cells.


def blocks(sheet: Sheet, cell: Square) -> Style:
    return _shaded(sheet, (cell.row // 5 + cell.col // 5) % 2 == 1)


def chequers(sheet: Sheet, cell: Square) -> Style:
    return _shaded(sheet, (cell.row + cell.col) % 2 == 1)


def lines_of_cursor(sheet: Sheet, cell: Square) -> Style:
    at = sheet.style.at
    return _shaded(sheet, cell.row == at.row or cell.col == at.col)


def done_lines(sheet: Sheet, cell: Square) -> Style:
    """The rows whose filled cells are as their numbers say."""
    filled, puzzle = sheet.board.picture.filled, sheet.board.puzzle
    row = [Square(cell.row, col) in filled for col in range(puzzle.width)]
    runs = tuple(len(list(run)) for full, run in groupby(row) if full)
    return _shaded(sheet, runs == tuple(filter(None, puzzle.rows[cell.row])))


def tiles(sheet: Sheet, cell: Square) -> Style:
    """Cells that are marked empty have a colour of their own, from which their mark stands out."""
    style, chosen = sheet.style, TILES[sheet.board.puzzle.width % len(TILES)]
    may = cell in sheet.board.picture.blank and apart(chosen, style.mark_colour) >= chance.LEAST_APART
    return replace(style, free=chosen) if may else style


def _shaded(sheet: Sheet, which: bool) -> Style:
    return replace(sheet.style, free=shifted(sheet.style.free, SHADE)) if which else sheet.style


# Of filled cells: their own px, without what lies around them.


def fill_gradient(own: Pixels, style: Style) -> None:
    _on_fill(own, style, np.linspace(0, 60, len(own))[:, None, None])


def inner_square(own: Pixels, style: Style) -> None:
    off = len(own) // 4
    own[off:-off, off:-off] = shifted(style.fill, PART)


def hatched(own: Pixels, style: Style) -> None:
    lines = np.zeros(own.shape[:2], np.uint8)
    for off in range(-len(own), len(own), 5):
        cv2.line(lines, (off, 0), (off + len(own), len(own)), 1, 1)
    _on_fill(own, style, PART * lines[..., None])


def edged(own: Pixels, style: Style) -> None:
    if not style.rounding:
        cv2.rectangle(own, (0, 0), (len(own) - 1, len(own) - 1), shifted(style.fill, 60), 2)


def fill_shadow(own: Pixels, style: Style) -> None:
    if not style.rounding:
        lit(own[-3:], -own[-3:] / 2)


def _on_fill(own: Pixels, style: Style, levels: npt.ArrayLike) -> None:
    """Make what is filled darker by so many levels where it is light, else lighter."""
    sign = -1 if sum(style.fill) > 3 * 127 else 1
    full = abs(own.astype(int) - style.fill).max(axis=2) == 0
    lit(own, sign * np.asarray(levels, np.float64) * full[..., None])


# Of all cells.


def bevel(own: Pixels, sheet: Sheet, cell: Square) -> None:
    for part, levels in ((own[:2], 40), (own[:, :2], 40), (own[-2:], -PART), (own[:, -2:], -PART)):
        lit(part, levels)


def thin_highlight(own: Pixels, sheet: Sheet, cell: Square) -> None:
    """A thin line within the cells of the cursor's row and column."""
    at = sheet.style.at
    if cell.row == at.row or cell.col == at.col:
        cv2.rectangle(own, (1, 1), (len(own) - 2, len(own) - 2), ACCENT, 1)


def rounded(own: Pixels, sheet: Sheet, cell: Square) -> None:
    """Round corners of cells that lie apart, whatever they hold."""
    if sheet.style.lined:
        return
    shape, radius = np.zeros(own.shape[:2], np.uint8), len(own) // 5
    cv2.rectangle(shape, (radius, radius), (len(own) - 1 - radius,) * 2, 1, -1)
    round_off = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1,) * 2)
    own[cv2.dilate(shape, round_off) == 0] = sheet.style.page


def mark_discs(own: Pixels, sheet: Sheet, cell: Square) -> None:
    """A disc of another shade behind each mark."""
    if cell not in sheet.board.picture.blank:
        return
    plain, style = own.copy(), sheet.style
    disc, half = np.zeros(own.shape[:2], np.uint8), len(own) // 2
    cv2.circle(disc, (half, half), round(0.42 * len(own)), 1, -1)
    chance.draw_cell(own, cell, "blank", replace(style, free=shifted(style.free, FIELD)))
    own[disc == 0] = plain[disc == 0]


# Of the whole picture.


def framed(sheet: Sheet) -> Pixels:
    first, last = sheet.inner.start - 3, sheet.inner.stop + 2
    return np.asarray(cv2.rectangle(sheet.page, (first, first), (last, last), sheet.style.ink, 3))


def vignette(sheet: Sheet) -> Pixels:
    away = np.linspace(-1, 1, len(sheet.page)) ** 2
    return (sheet.page * (1 - 0.12 * (away[:, None] + away)[..., None])).astype(np.uint8)


def scaled(sheet: Sheet) -> Pixels:
    return chance.resampled(sheet.page, sheet.rng, (0.85, 1.7))


def noise(sheet: Sheet) -> Pixels:
    page = sheet.page.copy()
    lit(page, np.random.default_rng(sheet.rng.randrange(10**6)).normal(0, 3, page.shape))
    return page


def lossy(sheet: Sheet) -> Pixels:
    return as_jpeg(sheet.rng.choice((60, 75, 90)))(sheet.page)


# Of the numbers.


def other_hand(sheet: Sheet) -> Hand:
    return sheet.rng.choice(HANDS)


def boxed_numbers(sheet: Sheet) -> Hand:
    return Hand(box=shifted(sheet.style.page, FIELD))


# In the order in which they are painted.
TRIMS: Mapping[str, Trim] = {
    "page gradient": Trim(behind=page_gradient),
    "board shadow": Trim(behind=board_shadow),
    "bands": Trim(behind=bands),
    "chips": Trim(behind=chips),
    "boxes": Trim(behind=boxes),
    "crosshair": Trim(behind=crosshair, cell=lines_of_cursor),
    "dotted lines": Trim(behind=dotted),
    "lines by fives": Trim(behind=fives),
    "blocks": Trim(cell=blocks),
    "chequers": Trim(cell=chequers),
    "done lines": Trim(cell=done_lines),
    "tiles": Trim(cell=tiles),
    "mark discs": Trim(every=mark_discs),
    "fill gradient": Trim(filled=fill_gradient),
    "inner square": Trim(filled=inner_square),
    "hatched": Trim(filled=hatched),
    "edged": Trim(filled=edged),
    "fill shadow": Trim(filled=fill_shadow),
    "bevel": Trim(every=bevel),
    "thin highlight": Trim(every=thin_highlight),
    "rounded": Trim(every=rounded),
    "other hand": Trim(hand=other_hand),
    "boxed numbers": Trim(hand=boxed_numbers),
    "frame": Trim(over=framed),
    "vignette": Trim(over=vignette),
    "scaled": Trim(over=scaled),
    "noise": Trim(over=noise),
    "lossy": Trim(over=lossy),
}


if __name__ == "__main__":
    tell(outcome, *sys.argv[1:])
