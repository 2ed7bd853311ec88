"""Algemy in the terminal: crystals, sources, and the light on the cells between them."""

from __future__ import annotations

from bot.show.canvas import FOCUS, GUESSED, QUIET, Canvas, Rgb, mix
from bot.show.scene import Drawing, Moment, Room
from solver.algemy import BITS, Algemy, Solution, sight
from solver.algemy.board import AlgemyCell

COLOURS: dict[str, Rgb] = {
    "R": (214, 60, 70),
    "O": (235, 130, 50),
    "Y": (232, 196, 60),
    "G": (50, 165, 85),
    "B": (60, 120, 215),
    "V": (150, 90, 195),
    "X": (125, 90, 65),
    "W": (235, 235, 240),
}
BY_BITS = {bits: letter for letter, bits in BITS.items() if bits}
DARK: Rgb = (40, 43, 52)
INK: Rgb = (20, 20, 24)
# A cell in characters, and the gap between cells.
WIDTH, HEIGHT, GAP = 5, 2, 1


def show(puzzle: Algemy, moment: Moment[Solution], room: Room, marked: bool) -> Drawing:
    """The board. Crystals are filled, sources are round brackets on the light of their colour."""
    widest = max(puzzle.lengths)
    step = WIDTH + GAP if (WIDTH + GAP) * widest <= room.columns and not marked else 4
    high = HEIGHT + 1 if (HEIGHT + 1) * len(puzzle.rows) <= room.rows and step == WIDTH + GAP else 1
    light = _light(puzzle, moment.board)
    made = moment.step if not moment.finished else None
    canvas = Canvas(step * widest, high * len(puzzle.rows))
    for cell in puzzle.cells:
        row, col = _at(puzzle, cell, step, high)
        text, ink, ground, bold = _cell(puzzle, moment, cell, light.get(cell, 0), marked)
        if made and cell in made.focus and cell not in made.settled and not marked:
            ground = mix(ground or DARK, FOCUS, 0.3)
        if made and cell in made.settled:
            bold = True
        if marked:
            canvas.put(row, col, text, bold=bold)
            continue
        # Gaps stay empty; a cell that is one row high is as wide as its text.
        width = WIDTH if step == WIDTH + GAP else 3
        for line in range(max(1, high - 1)):
            canvas.put(row + line, col, " " * width, None, ground)
        canvas.put(row + (high - 1) // 2, col, text.center(width), ink, ground, bold)
    focus = next(iter(made.settled), made.focus[0] if made.focus else None) if made else None
    return Drawing(canvas, None if focus is None else _at(puzzle, focus, step, high))


def _at(puzzle: Algemy, cell: AlgemyCell, step: int, high: int) -> tuple[int, int]:
    """(row, column) of a cell's corner; hexagonal rows are shifted by half a cell."""
    row, col = puzzle.place(cell)
    indent = step * (max(puzzle.lengths) - len(puzzle.rows[row])) // 2 if puzzle.shape == "hex" else 0
    return high * row, indent + step * col


def _light(puzzle: Algemy, sources: Solution) -> dict[AlgemyCell, int]:
    """The primaries that shine on each empty cell."""
    light: dict[AlgemyCell, int] = {}
    for source, colour in sources.items():
        for ray, _ in sight(puzzle, source):
            for cell in ray:
                light[cell] = light.get(cell, 0) | BITS[colour]
    return light


def _cell(
    puzzle: Algemy, moment: Moment[Solution], cell: AlgemyCell, light: int, marked: bool
) -> tuple[str, Rgb | None, Rgb | None, bool]:
    """Text, colours and weight of a cell."""
    crystal = puzzle.crystals.get(cell)
    if crystal is not None:
        text = f"[{crystal}]" if marked else crystal
        return text, INK if crystal not in "XBV" else COLOURS["W"], COLOURS[crystal], True
    source = moment.board.get(cell)
    if source is not None:
        guessed = cell in moment.guessed and not moment.finished
        text = f"{{{source}}}" if marked and guessed else f"({source})"
        ground = mix(DARK, GUESSED, 0.35) if guessed else DARK
        return text, COLOURS[source], mix(ground, COLOURS[source], 0.25), True
    if light:
        return " + ", COLOURS[BY_BITS[light]], mix(DARK, COLOURS[BY_BITS[light]], 0.35), False
    return " · ", QUIET, DARK, False
