"""Research notes in the terminal: columns of flat hexagons as on the note, aspects in their own tints."""

from __future__ import annotations

from bot.show.canvas import QUIET, SOLVED, Canvas, Rgb, mix
from bot.show.scene import Drawing, Moment, Room
from solver.lattice import Hex
from solver.thaumcraft import Note, Solution, aspects_of, linked_to

DARK: Rgb = (38, 41, 50)
LIGHT: Rgb = (245, 246, 250)
BLACK: Rgb = (16, 16, 20)
# Letters of an aspect's name at least and at most; shorter names are cut to what there is room for.
SHORTEST, LONGEST = 4, 12


def show(note: Note, moment: Moment[Solution], room: Room, marked: bool) -> Drawing:
    """The note; what hangs together with the first given is bright, givens are capitals."""
    if not note.cells:
        return Drawing(Canvas(1, 1))
    left = min(cell.q for cell in note.cells)
    top = min(2 * cell.r + cell.q for cell in note.cells)
    columns = max(cell.q for cell in note.cells) - left + 1
    lying = {**moment.board, **note.given}
    longest = max((len(tag) for tag in lying.values()), default=SHORTEST)
    wide = min(max(SHORTEST, room.columns // columns - 1), LONGEST, max(longest, SHORTEST + 1))
    rows = max(2 * cell.r + cell.q for cell in note.cells) - top + 2
    canvas = Canvas(columns * (wide + 1), rows)
    aspects = aspects_of(note)
    reached = linked_to(note, moment.board, min(note.given), aspects) if note.given else frozenset()
    new = moment.step.settled if moment.step and not moment.finished else {}
    for cell in sorted(note.cells):
        row, col = 2 * cell.r + cell.q - top, (cell.q - left) * (wide + 1)
        tag = lying.get(cell)
        if tag is None:
            text, ink, ground = "·", QUIET, DARK
        else:
            tint = aspects.rgb(tag)
            ground = tint if cell in reached else mix(DARK, tint, 0.4)
            ink = BLACK if sum(ground) > 330 else LIGHT
            text = tag[:wide].upper() if cell in note.given else tag[:wide]
        if marked:
            canvas.put(row, col, text.center(wide), bold=cell in new)
            continue
        for line in (row, row + 1):
            canvas.put(line, col, " " * wide, None, ground)
        canvas.put(row, col, text.center(wide), ink, ground, bold=cell in note.given or cell in new)
        if cell in new:
            canvas.put(row + 1, col, "▄" * wide, SOLVED, ground)
    return Drawing(canvas, _focus(new, left, top, wide))


def _focus(new: Solution, left: int, top: int, wide: int) -> tuple[int, int] | None:
    cell: Hex | None = next(iter(new), None)
    return None if cell is None else (2 * cell.r + cell.q - top, (cell.q - left) * (wide + 1))
