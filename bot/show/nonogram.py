"""Nonograms in the terminal: the picture comes out of the fog.

The shade of an unknown cell is the share of the ways to lay its lines that fill it. A cell is two characters wide,
which is about square; where that is too wide, one character shows two cells above each other.
"""

from __future__ import annotations

from itertools import zip_longest

from bot.show.canvas import FOCUS, GUESSED, QUIET, SOLVED, Canvas, Rgb, mix
from bot.show.scene import Drawing, Moment, Room
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from solver.nonogram.steps import fog

FILLED: Rgb = (226, 229, 235)
BLANK: Rgb = (38, 41, 50)
FOG: tuple[Rgb, Rgb] = (48, 58, 84), (150, 165, 205)
# Without colours: what is known, and four densities of fog.
SIGNS = {"filled": "█", "blank": "·", "fog": " ░▒▓"}


def show(puzzle: Nonogram, moment: Moment[Picture], room: Room, marked: bool) -> Drawing:
    """The picture with its clues; without clues where there is no room for them."""
    tops = [[str(run) for run in clue] or ["0"] for clue in puzzle.cols]
    sides = [" ".join(map(str, clue)) or "0" for clue in puzzle.rows]
    left, top = max(map(len, sides)) + 1, max(map(len, tops))
    wide = 2 * puzzle.width
    colours = _colours(puzzle, moment)
    if left + wide <= room.columns and all(len(run) <= 2 for clue in tops for run in clue):
        canvas = Canvas(left + wide, top + puzzle.height)
        _clues(canvas, puzzle, moment, tops, sides, left, top)
        _cells(canvas, puzzle, moment, colours, left, top, 2, marked)
        return Drawing(canvas, _focus(moment, left, top, 2, 1))
    if wide <= room.columns or marked:
        each = 2 if wide <= room.columns else 1
        canvas = Canvas(each * puzzle.width, puzzle.height)
        _cells(canvas, puzzle, moment, colours, 0, 0, each, marked)
        return Drawing(canvas, _focus(moment, 0, 0, each, 1))
    canvas = Canvas(puzzle.width, -(-puzzle.height // 2))
    for row in range(canvas.height):
        for col in range(puzzle.width):
            upper, lower = colours[Square(2 * row, col)], colours.get(Square(2 * row + 1, col))
            canvas.put(row, col, "▀", upper, lower)
    return Drawing(canvas, _focus(moment, 0, 0, 1, 2))


def _colours(puzzle: Nonogram, moment: Moment[Picture]) -> dict[Square, Rgb]:
    """The colour of every cell."""
    board = moment.board
    palette = {ink.char: _rgb(ink.rgb) for ink in puzzle.palette.inks} if puzzle.palette else {}
    inks = dict(board.inks)
    blank = _rgb(puzzle.palette.background.rgb) if puzzle.palette else BLANK
    new = moment.step.settled if moment.step and not moment.finished else {}
    shares = fog(puzzle, board)
    colours: dict[Square, Rgb] = {}
    for row in range(puzzle.height):
        for col in range(puzzle.width):
            at = Square(row, col)
            if at in board.filled:
                colours[at] = palette.get(inks.get(at, ""), FILLED)
            elif at in board.blank:
                colours[at] = blank
            else:
                colours[at] = mix(*FOG, shares.get(at, 0.5))
            if at in moment.guessed and not moment.finished:
                colours[at] = mix(colours[at], GUESSED, 0.45)
            if at in new:
                colours[at] = mix(colours[at], SOLVED, 0.75 if at in board.filled else 0.35)
    return colours


def _cells(
    canvas: Canvas,
    puzzle: Nonogram,
    moment: Moment[Picture],
    colours: dict[Square, Rgb],
    left: int,
    top: int,
    each: int,
    marked: bool,
) -> None:
    """Every cell, `each` characters wide."""
    shares = fog(puzzle, moment.board) if marked else {}
    for at, colour in colours.items():
        if marked:
            canvas.put(top + at.row, left + each * at.col, _sign(moment, at, shares) * each)
        else:
            canvas.put(top + at.row, left + each * at.col, " " * each, None, colour)


def _sign(moment: Moment[Picture], at: Square, shares: dict[Square, float]) -> str:
    if at in moment.board.filled:
        return SIGNS["filled"]
    if at in moment.board.blank:
        return SIGNS["blank"]
    return SIGNS["fog"][min(3, int(4 * shares.get(at, 0.5)))]


def _clues(
    canvas: Canvas,
    puzzle: Nonogram,
    moment: Moment[Picture],
    tops: list[list[str]],
    sides: list[str],
    left: int,
    top: int,
) -> None:
    """Clues beside their lines; that of the line just looked at is bright."""
    focus = set(moment.step.focus) if moment.step and not moment.finished else set()
    rows = {at.row for at in focus} if len({at.row for at in focus}) == 1 else set()
    cols = {at.col for at in focus} if len({at.col for at in focus}) == 1 else set()
    for row, text in enumerate(sides):
        canvas.put(top + row, left - 1 - len(text), text, FOCUS if row in rows else QUIET, bold=row in rows)
    # Every second column of numbers is brighter, since two digits leave no gap.
    shades = (mix(QUIET, FILLED, 0.45), QUIET)
    for row, runs in enumerate(zip_longest(*(clue[::-1] for clue in tops), fillvalue="")):
        for col, run in enumerate(runs):
            colour = FOCUS if col in cols else shades[col % 2]
            canvas.put(top - 1 - row, left + 2 * col, run.rjust(2) if run else "", colour, bold=col in cols)


def _focus(moment: Moment[Picture], left: int, top: int, each: int, above: int) -> tuple[int, int] | None:
    if moment.step is None:
        return None
    cells = sorted(moment.step.settled) or sorted(moment.step.focus)
    if not cells:
        return None
    middle = cells[len(cells) // 2]
    return top + middle.row // above, left + each * middle.col


def _rgb(hexadecimal: str) -> Rgb:
    """
    >>> _rgb("ff8000")
    (255, 128, 0)
    """
    text = hexadecimal.lstrip("#")
    text = "".join(2 * char for char in text) if len(text) == 3 else text
    try:
        number = int(text, 16)
    except ValueError:
        return FILLED
    return number >> 16 & 255, number >> 8 & 255, number & 255
