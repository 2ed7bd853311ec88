"""Rings in the terminal: circles in their colours, numbers told apart by kind, and the sum of every ring.

The circles come from the integer midpoint algorithm (Bresenham, "A linear algorithm for incremental digital
display of circular arcs", 1977), and rows are squeezed by `ROWS_PER_COLUMN` so that they look round.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bot.show.canvas import FOCUS, GIVEN, GUESSED, QUIET, SOLVED, WRONG, Canvas, Rgb
from bot.show.scene import Drawing, Moment, Room
from solver.lattice import Region
from solver.rings import Entries, Rings

# Characters are higher than wide; a ring of 10 columns radius is 14 rows high.
ROWS_PER_COLUMN = 0.66
WIDEST_RADIUS, SMALLEST_RADIUS = 10, 4
MOST_COLUMNS = 400
INK = "█"
# Colours of rings that are called by a colour; the others take their turn.
NAMED: dict[str, Rgb] = {
    "red": (214, 60, 70),
    "green": (30, 150, 80),
    "black": (120, 120, 125),
    "yellow": (230, 180, 40),
    "blue": (40, 120, 200),
    "orange": (235, 130, 50),
    "violet": (150, 90, 190),
}
TURNS = tuple(NAMED.values())


@lru_cache(maxsize=64)
def circle(radius: int) -> tuple[tuple[int, int], ...]:
    """The points of a circle around (0, 0), as (x, y), by additions of whole numbers only.

    >>> circle(1)
    ((-1, 0), (0, -1), (0, 1), (1, 0))
    """
    points: set[tuple[int, int]] = set()
    x, y, error = radius, 0, 1 - radius
    while y <= x:
        for a, b in ((x, y), (y, x)):
            points |= {(a, b), (-a, b), (a, -b), (-a, -b)}
        y += 1
        if error < 0:
            error += 2 * y + 1
        else:
            x -= 1
            error += 2 * (y - x) + 1
    return tuple(sorted(points))


def show(puzzle: Rings, moment: Moment[Entries], room: Room, marked: bool) -> Drawing:
    """The figure, and the sums below it."""
    sums = list(_sums(puzzle, moment))
    longest = max(len(text) for text, _ in sums) + 2
    below = -(-len(sums) // max(1, room.columns // longest)) + 1
    scale = _scale(puzzle, Room(room.columns, room.rows - below))
    placed = _figure(puzzle, moment, scale, marked) if scale else None
    top = placed.height + 1 if placed else 0
    per_row = max(1, (placed.width if placed else room.columns) // longest)
    if top + -(-len(sums) // per_row) > room.rows:
        per_row = max(per_row, room.columns // longest)
    width = max(placed.width if placed else 0, min(per_row, len(sums)) * longest)
    canvas = Canvas(width, top + -(-len(sums) // per_row))
    if placed:
        for row, line in enumerate(placed.rows):
            canvas.rows[row][: placed.width] = line
    for number, (text, colour) in enumerate(sums):
        row, col = top + number // per_row, (number % per_row) * longest
        canvas.put(row, col, text, colour)
        canvas.put(row, col, puzzle.rings[number].name, colour_of(puzzle, number))
    return Drawing(canvas, _where(puzzle, moment, scale) if scale else None)


def _scale(puzzle: Rings, room: Room) -> float:
    """Columns per px, so that the smallest ring is round; 0 when there is no drawing or no room."""
    radius = min(ring.radius for ring in puzzle.rings)
    if radius <= 0:
        return 0.0
    left, top = _corner(puzzle)
    wide = max(ring.x + ring.radius for ring in puzzle.rings) - left
    high = max(ring.y + ring.radius for ring in puzzle.rings) - top
    fitting = min(
        WIDEST_RADIUS / radius,
        max(1, room.columns - 5) / wide,
        max(1, room.rows - 1) / (high * ROWS_PER_COLUMN),
    )
    scale = max(fitting, SMALLEST_RADIUS / radius)
    return scale if wide * scale <= MOST_COLUMNS else 0.0


def _corner(puzzle: Rings) -> tuple[float, float]:
    return min(r.x - r.radius for r in puzzle.rings), min(r.y - r.radius for r in puzzle.rings)


def _at(puzzle: Rings, x: float, y: float, scale: float) -> tuple[int, int]:
    """(row, column) of a place of the drawing."""
    left, top = _corner(puzzle)
    return round((y - top) * scale * ROWS_PER_COLUMN), 1 + round((x - left) * scale)


def _figure(puzzle: Rings, moment: Moment[Entries], scale: float, marked: bool) -> Canvas:
    right = max(ring.x + ring.radius for ring in puzzle.rings)
    bottom = max(ring.y + ring.radius for ring in puzzle.rings)
    rows, cols = _at(puzzle, right, bottom, scale)
    canvas = Canvas(cols + 4, rows + 1)
    focus = set(moment.step.focus) if moment.step else set()
    for number, ring in enumerate(puzzle.rings):
        row, col = _at(puzzle, ring.x, ring.y, scale)
        ink = INK if not marked else chr(ord("a") + number % 26)
        bright = bool(focus) and focus == set(puzzle.insides[ring.name])
        for x, y in circle(round(ring.radius * scale)):
            # Squeezed around the centre, so that upper and lower half stay alike.
            canvas.put(row + round(y * ROWS_PER_COLUMN), col + x, ink, colour_of(puzzle, number), bold=bright)
    for place in puzzle.places:
        text, colour, bold = _label(puzzle, place.region, moment, marked)
        row, col = _at(puzzle, place.x, place.y, scale)
        canvas.put(row, col - len(text) // 2, text, colour, bold=bold)
    return canvas


def colour_of(puzzle: Rings, number: int) -> Rgb:
    """The colour of a ring: its name's, or the next one in turn."""
    return NAMED.get(puzzle.rings[number].name, TURNS[number % len(TURNS)])


def _label(puzzle: Rings, region: Region, moment: Moment[Entries], marked: bool) -> tuple[str, Rgb, bool]:
    """The number of a region as text, its colour by its kind, and whether it is new.

    In colour all numbers are `[n]`; without, `<n>` is given, `{n}` rests on a guess, `[n]` is certain.
    """
    if region in puzzle.given:
        number = puzzle.given[region]
        return (f"<{number}>" if marked else f"[{number}]"), GIVEN, False
    new = moment.step is not None and region in moment.step.settled
    if region in moment.board:
        number = moment.board[region]
        guessed = region in moment.guessed and not moment.finished
        return (f"{{{number}}}" if marked and guessed else f"[{number}]"), GUESSED if guessed else SOLVED, new
    maybe = moment.step.maybe.get(region, ()) if moment.step else ()
    looked_at = moment.step is not None and region in moment.step.narrowed
    text = "{" + "/".join(map(str, sorted(maybe))) + "}" if len(maybe) == 2 else "{?}"
    return text, FOCUS if looked_at else QUIET, looked_at


def _sums(puzzle: Rings, moment: Moment[Entries]) -> Iterator[tuple[str, Rgb]]:
    """Per ring its sum so far, green at the target, red past it or when it is full and wrong."""
    values = {**puzzle.given, **moment.board}
    full = [
        sum(values[region] for region in puzzle.insides[ring.name])
        for ring in puzzle.rings
        if ring.target == "=" and all(region in values for region in puzzle.insides[ring.name])
    ]
    for ring in puzzle.rings:
        inside = puzzle.insides[ring.name]
        total = sum(values[region] for region in inside if region in values)
        complete = all(region in values for region in inside)
        target = puzzle.sum_of(ring)
        if target is None and ring.target == "=" and full:
            target = full[0]
        wanted = "?" if target is None else str(target)
        sign, colour = " ", QUIET
        if target is not None and (total > target or (complete and total != target)):
            sign, colour = "✗", WRONG
        elif complete and target is not None:
            sign, colour = "✓", SOLVED
        yield f"{ring.name} {total}/{wanted} {sign}", colour


def _where(puzzle: Rings, moment: Moment[Entries], scale: float) -> tuple[int, int] | None:
    if moment.step is None:
        return None
    cells = set(moment.step.settled) or set(moment.step.narrowed) or set(moment.step.focus)
    at = [_at(puzzle, place.x, place.y, scale) for place in puzzle.places if place.region in cells]
    return at[0] if at else None
