"""Bridges in the terminal: islands, the bridges so far, and dots where there may still be some."""

from __future__ import annotations

from bot.show.canvas import FOCUS, GUESSED, QUIET, SOLVED, WRONG, Canvas, Rgb, mix
from bot.show.scene import Drawing, Moment, Room
from solver.bridges import Bridges, Joins, Span
from solver.lattice import Square

ACROSS = " ─═≡≣"
DOWN = " │║⦀⁞"
BRIDGE: Rgb = (205, 208, 214)
ISLAND: Rgb = (235, 238, 244)
FAINT: Rgb = mix((0, 0, 0), QUIET, 0.7)
# Columns per cell where there is room, so that cells are square; and where there is none.
WIDE, NARROW, ROWS = 4, 2, 2


def show(puzzle: Bridges, moment: Moment[Joins], room: Room, marked: bool) -> Drawing:
    """The board; islands that have all their bridges are green, or in square brackets."""
    pitch = WIDE if WIDE * puzzle.width <= room.columns else NARROW
    canvas = Canvas(pitch * (puzzle.width - 1) + (3 if pitch == WIDE else 2), ROWS * (puzzle.height - 1) + 1)
    step = moment.step if not moment.finished else None
    if step:
        for span in step.maybe:
            if not moment.board.get(span):
                _line(canvas, span, pitch, "·", "·", FAINT, every=2)
    for span, count in sorted(moment.board.items()):
        new = step is not None and span in step.settled
        colour = SOLVED if new else GUESSED if span in moment.guessed and not moment.finished else BRIDGE
        _line(canvas, span, pitch, ACROSS[count], DOWN[count], colour, bold=new)
    ends = dict.fromkeys(puzzle.clues, 0)
    for span, count in moment.board.items():
        ends[span.a] += count
        ends[span.b] += count
    looked_at = set(step.focus) if step else set()
    for at, clue in puzzle.clues.items():
        done = ends[at] == clue
        colour = WRONG if ends[at] > clue else FOCUS if at in looked_at else SOLVED if done else ISLAND
        text = str(clue) if clue < 10 else chr(ord("A") + clue - 10)
        if pitch == WIDE:
            text = f"[{text}]" if marked and done else f"({text})"
        canvas.put(ROWS * at.row, pitch * at.col, text, colour, bold=at in looked_at)
    return Drawing(canvas, _focus(moment, pitch))


def _line(
    canvas: Canvas,
    span: Span,
    pitch: int,
    across: str,
    down: str,
    colour: Rgb,
    *,
    every: int = 1,
    bold: bool = False,
) -> None:
    """What lies on a span, from island to island."""
    (row_a, col_a), (row_b, col_b) = span
    width = 3 if pitch == WIDE else 1
    if row_a == row_b:
        for col in range(pitch * col_a + width, pitch * col_b, every):
            canvas.put(ROWS * row_a, col, across, colour, bold=bold)
    else:
        for row in range(ROWS * row_a + 1, ROWS * row_b, every):
            canvas.put(row, pitch * col_a + width // 2, down, colour, bold=bold)


def _focus(moment: Moment[Joins], pitch: int) -> tuple[int, int] | None:
    cells = [cell for cell in moment.step.focus if isinstance(cell, Square)] if moment.step else []
    return (ROWS * cells[0].row, pitch * cells[0].col) if cells else None
