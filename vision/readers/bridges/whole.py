"""Whether all of the board was read: no island without its number, no bridge to nowhere, nothing cut or covered.

A board that lacks an island may well have a solution: nothing else would notice.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solver.bridges import Bridges, Joins, between
from solver.lattice import Square
from vision.errors import UncertainReading
from vision.frame import Box, Frame, Pixels, Point
from vision.grids import Comb
from vision.measures.edges import near_edges, partly_off
from vision.readers.bridges.covers import covered
from vision.readers.bridges.drawn import Contrast, Floats, arcs_of_islands, are_cornered, look_like_islands
from vision.readers.bridges.lattice import OUTSIDE
from vision.readers.bridges.lines import line_counts, profiles
from vision.readers.bridges.sea import Sea
from vision.readers.bridges.spans import LOOSE, Measured, ways_from_islands

# What is as wide as this share of the pitch, to each side, is a field of the board rather than an island.
TILES = 0.46
# An island may be of another size by these factors.
OTHER_SIZE = (0.85, 1.35)
# A shape belongs to the lattice point that it is so near to (share of the pitch).
NEAR = 0.2
# An island shows when so much of it is on the picture, and is cut when so much of it is not.
SHOWS_PX, CUT_PX = 2.0, 1.0
# Room for so many cells is enough, and where there is one solution; ends of a lattice are alike within this share of one.
# Of 33,000 cuts of drawn boards 0.7 in 1,000 pass so (1.5 with 0.1 for ALIKE).
AMPLE, AMPLE_FOR_ONE, ALIKE, ALIKE_PX = 2.0, 1.2, 0.03, 1.0
# A window made for its board has the same room on so many sides.
FRAMED = 3
# What is left of a cut board has one solution by chance: in 5, 4, 1 of 100 with 3, 4, 5 islands.
SMALL, FEW, LARGE = 4, 5, 8
# With so many 1 in 1,000: of 8,033 cuts of the collection's boards ten.
MANY = 16
LOOSE_SIDES = ("top", "bottom")
# A lattice point's cell ends so far from it, in cells.
CELL_ENDS = 0.5
# With so many islands to a line one without any is seldom: 1 in 100.
NEVER_EMPTY = 4.5
# What differs from the ground by so many levels, in so many px, farther from all lattice lines than this share of a cell.
BORDER_LEVELS, BORDER_PX, OFF_LINES = 16, 12, 0.2
# Beyond the end of a panel nearly all is of another colour, for this share of a cell at least.
PANEL_ENDS, PANEL_BEYOND = 0.95, 0.25
# A table's lines are looked for in so many px at its end, and so many of them run there.
TABLE_PX, MOST_TABLE = 3, 0.5
# An island that bridges seem to run through is looked at so far along and aside, in radii, in so many places.
SHORT, LONG, BROAD_STEPS = 0.45, 0.6, 25


def unread(sea: Sea, blank: Sequence[Point], known: Sequence[Square]) -> dict[Square, Point]:
    """Lattice points without an island, also just outside, that look like one, and those that show a part of its edge.

    blank: places of shapes like the islands', without a number that can be read. known: where islands are.
    """
    xs, ys, ring = sea.xs, sea.ys, sea.ring
    taken = set(known)
    free = [
        Square(row, col)
        for row in range(-OUTSIDE, ys.count + OUTSIDE)
        for col in range(-OUTSIDE, xs.count + OUTSIDE)
        if (row, col) not in taken
    ]
    row, col = np.array(free, np.float64).reshape(-1, 2).T
    x, y = xs.first + xs.pitch * col, ys.first + ys.pitch * row
    outside = (row < 0) | (col < 0) | (row >= ys.count) | (col >= xs.count)
    cornered = are_cornered(sea.contrast, sea.discs.values(), ring)
    found = look_like_islands(sea.contrast, x, y, ring, clearly=outside, cornered=cornered)
    found |= arcs_of_islands(sea.contrast, x, y, ring)
    # The island under the pointer may be larger, or smaller while it is pressed.
    for outer in np.arange(OTHER_SIZE[0] * ring.outer, min(OTHER_SIZE[1] * ring.outer, sea.pitch / 2)):
        found |= ~outside & look_like_islands(sea.contrast, x, y, ring._replace(outer=outer), clearly=outside)
    if ring.outer <= TILES * sea.pitch:
        # Letters of a heading stand in a line with others between the columns, as islands never do.
        between = [at for at in blank if _beside(at.x / xs.pitch, xs.first / xs.pitch) > NEAR]
        for at in blank:
            here = (np.abs(x - at.x) <= NEAR * xs.pitch) & (np.abs(y - at.y) <= NEAR * ys.pitch)
            found |= here & ~(outside & any(abs(other.y - at.y) < ring.outer for other in between))
    return {free[k]: Point(float(x[k]), float(y[k])) for k in np.flatnonzero(found).tolist()}


def passed_through(measured: Measured, joins: Joins, contrast: Contrast) -> dict[Square, Point]:
    """Lattice points under bridges where something as broad as an island is drawn, or that bridges break off at."""
    under = [
        (at, span.a.row == span.b.row)
        for span in joins
        for at in between(span)
        if span not in measured.badges
    ]
    if not under:
        return {}
    middles = [Point(measured.xs.at(at.col), measured.ys.at(at.row)) for at, _ in under]
    (x, y), level = np.array(middles).T[..., None], np.array([level for _, level in under])[:, None]
    outer, half = measured.ring.outer, np.where(level, *(pitch / 2 for pitch in measured.pitches))

    def drawn(along: float | Floats, reach: float) -> npt.NDArray[np.bool_]:
        """(n, places) so far along from the lattice points, up to so far aside."""
        across = outer * np.linspace(-reach, reach, BROAD_STEPS)
        off_x, off_y = (np.where(way, along + 0 * across, across) for way in (level, ~level))
        return np.asarray(contrast.levels(x + off_x, y + off_y)[0] >= measured.least)

    sides, beside = np.array([0, -1]), [drawn(way * half, LONG) for way in (-1, 1)]
    broad = np.all([drawn(way * SHORT * outer, LONG)[:, sides] for way in (-1, 0, 1)], axis=(0, 2))
    broad &= ~np.any([one[:, sides] for one in beside], axis=(0, 2))
    broken = ~np.any([drawn(way * LONG * outer, SHORT) for way in (-1, 1)], axis=(0, 2))
    broken &= np.all([one.any(axis=1) for one in beside], axis=0)
    found = (broad | broken).tolist()
    return {at: middle for (at, _), middle, island in zip(under, middles, found, strict=True) if island}


def require_numbers(sea: Sea, size: tuple[int, int], places: dict[Square, Point]) -> None:
    """Raise UncertainReading where there are islands without a number; size: (width, height) of the picture."""
    if not places:
        return
    first = next(iter(places.values()))
    for at in places.values():
        sides = near_edges(Box.about(at, sea.ring.outer), size, CUT_PX)
        if sides:
            raise partly_off(f"an island is cut by the {sides[0]} edge of the picture", list(places))
    raise UncertainReading(
        f"{len(places)} islands without a number that can be read, the first at ({first.x:.0f}, {first.y:.0f})",
        hint="show the whole board, larger; move the mouse and pop-ups away from it",
        cells=list(places),
    )


def require_uncut(sea: Sea, size: tuple[int, int]) -> None:
    """Raise UncertainReading where the picture's edge cuts an island."""
    for at, disc in sea.discs.items():
        sides = near_edges(Box.about(Point(disc.x, disc.y), sea.ring.outer), size, -CUT_PX)
        if sides:
            raise partly_off(f"an island is cut by the {sides[0]} edge of the picture", [at])


def require_ends(
    measured: Measured, shape: Bridges, joins: Joins, contrast: Contrast, size: tuple[int, int]
) -> None:
    """Raise UncertainReading where a bridge leads to an island that was not found."""
    found = _stubs(measured, shape, joins, contrast)
    stubs = sorted(at for at, _ in found)
    for at in sorted(at for at, outward in found if outward):
        place = measured.middle(at)
        sides = near_edges(Box.about(place, measured.ring.outer), size, 2 * measured.pitch)
        if sides:
            raise partly_off(
                f"the bridge at row {at.row + 1}, column {at.col + 1} leads off the picture", stubs
            )
    if stubs:
        raise UncertainReading(
            f"the bridge near row {stubs[0].row + 1}, column {stubs[0].col + 1} leads to no island that can be read",
            hint="show the whole board, larger",
            cells=stubs,
        )


def _stubs(measured: Measured, shape: Bridges, joins: Joins, contrast: Contrast) -> list[tuple[Square, bool]]:
    """Islands that a bridge leaves without leading to another one; and whether outward, where there is none."""
    strong = [float(own[0].max()) for own in measured.across.values() if own is not None]
    least = max(LOOSE * max(strong, default=0.0), measured.least)
    # Between two islands side by side nothing is missing.
    ways = [
        (at, span is None, way)
        for at, span, way in ways_from_islands(measured, shape.spans)
        if span is None or (span not in joins and between(span))
    ]
    seen = profiles(contrast, [way for _, _, way in ways], measured.pitches, measured.ring.outer)
    counts = line_counts(seen, measured.usual[:1], measured.least)
    return [
        (at, outward)
        for (at, outward, _), own, count in zip(ways, seen, counts, strict=True)
        if own is not None
        and count > 0
        and own[0].max() >= least
        # Beside it is mostly the ground: a window's frame and its title are drawn all over.
        and np.median(own[0]) < measured.least
    ]


def require_no_cover(measured: Measured, joins: Joins, contrast: Contrast) -> None:
    """Raise UncertainReading where something lies over the board that may hide a part of it."""
    cells = covered(measured, joins, contrast)
    if cells:
        raise UncertainReading(
            f"something lies over the board near row {cells[0].row + 1}, column {cells[0].col + 1}",
            hint="move the mouse, tooltips and pop-ups away from the board",
            cells=cells,
        )


def require_end_of_lattice(sea: Sea, frame: Frame, *, speaks: bool) -> None:
    """Raise UncertainReading where the board may go on beyond the picture.

    It does not where there is room for more lines, or where something else is drawn beyond its end. Or the picture ends
    as far from the lattice as on another side, or as the panel on which the board lies: an edge that cuts a board is
    there by chance only.
    speaks: the puzzle has exactly one solution, as few boards have that lack something; then whole cells make no
        difference, as outer lines may be without islands. Nor does it where the next line would show and a line of such
        a board is never without islands.
    A whole window is cut by its program only where somebody scrolls it. Where it goes on beyond the screen nothing but the
    end of its panel tells that the board does not.
    """
    xs, ys, size = sea.xs, sea.ys, frame.size
    left, top = xs.first / xs.pitch, ys.first / ys.pitch
    right, bottom = (size[0] - xs.at(xs.count - 1)) / xs.pitch, (size[1] - ys.at(ys.count - 1)) / ys.pitch
    rooms = {"left": left, "top": top, "right": right, "bottom": bottom}
    count, next_shows = len(sea.discs), 1 - (sea.ring.outer - SHOWS_PX) / sea.pitch
    near = ALIKE + ALIKE_PX / sea.pitch
    # A table that fills its window: few cuts end with whole cells on all sides, and of 1,255 that did four passed here.
    if (
        not frame.cut
        and speaks
        and count >= LARGE
        and all(_beside(room, CELL_ENDS) <= near for room in rooms.values())
    ):
        return
    panel = {side: end for side in rooms if (end := _end_of_panel(sea, side)) is not None}
    if frame.title and not frame.cut and min(xs.count, ys.count) > 1 and count >= SMALL:
        # Where something else is drawn beyond the board, as buttons, the room is another one.
        free = [
            panel.get(side, room)
            for side, room in rooms.items()
            if side in panel or not _more_beyond(sea, side)
        ]
        if len(free) >= FRAMED and max(free) - min(free) <= near:
            return
    for side, room in rooms.items():
        others = [panel.get(name, other) for name, other in rooms.items() if name != side]
        if min(xs.count, ys.count) == 1:
            # Few boards are a single line, and how far away the next one might be is not known.
            enough = room > AMPLE
        elif not speaks or count < SMALL:
            enough = room > AMPLE or (
                room > next_shows and min(abs(room - other) for other in others) <= near
            )
        else:
            off = sorted(_beside(room, other) for other in others)
            # Above and below there are often other margins than to the sides; a title bar above is seldom off the screen.
            framed = max(_beside(other, others[0]) for other in others) <= near
            if count < FEW:
                enough = off[1] <= near or room > AMPLE or (framed and side == "top")
            else:
                loose = side in LOOSE_SIDES if count >= LARGE else framed and side == "top"
                enough = off[0] <= near or room > AMPLE_FOR_ONE or (loose and room > next_shows)
        lines = xs.count if side in ("left", "right") else ys.count
        enough |= (speaks and count >= MANY) or (room > next_shows and count >= NEVER_EMPTY * lines)
        ends = side in panel if side in frame.cut else enough or _more_beyond(sea, side)
        if not ends or (room <= OUTSIDE and _table_goes_on(sea, side)):
            raise partly_off(f"the board may go on beyond the {side} edge of the picture")


def _lying(sea: Sea, side: str) -> tuple[Comb, Comb, Pixels, int, int]:
    """The lattice's lines on the way to a side and those over it, the contrast turned so that this way runs along its rows, and
    where its columns and rows begin, in px of the picture."""
    box, away = sea.contrast.box, sea.contrast.away
    if side in ("left", "right"):
        return sea.xs, sea.ys, away, box.left, box.top
    return sea.ys, sea.xs, away.T, box.top, box.left


def _end_of_panel(sea: Sea, side: str) -> float | None:
    """How far from the lattice, in cells, the ground on which the board lies ends on that side; None where that is not seen."""
    along, over, away, start, begin = _lying(sea, side)
    beside = away[max(int(over.first) - begin, 0) : int(over.at(over.count - 1)) - begin + 1]
    other = (beside >= BORDER_LEVELS).mean(axis=0) >= PANEL_ENDS
    # Outward, from the far end of what is seen.
    outer = along.at(along.count - 1) - start
    if side in ("left", "top"):
        other, outer = other[::-1], start + len(other) - along.first
    end = len(other) - int(other[::-1].argmin())
    return (end - outer) / along.pitch if len(other) - end >= PANEL_BEYOND * along.pitch else None


def _beside(room: float, other: float) -> float:
    """How unlike two places or rooms are, in cells, whole ones aside."""
    return abs((room - other + 0.5) % 1 - 0.5)


def _table_goes_on(sea: Sea, side: str) -> bool:
    """Whether the lines of a table with the islands in its cells run as far to that side as is looked.

    They run between the cells, not through their middles as well, as those of graph paper do. Where there are islands in every
    second cell only, the lattice has two cells for one of its own.
    """
    _, over, away, _, begin = _lying(sea, side)
    ends = away[:, :TABLE_PX] if side in ("left", "top") else away[:, -TABLE_PX:]
    for cell in (over.pitch, over.pitch / 2):
        lines = np.arange(0.5, round(over.pitch / cell) * (over.count - 1))[:, None]
        at = over.first + cell * (lines + np.array([0.0, -0.25, 0.25, -0.5, 0.5])) - begin
        places = np.clip(np.rint(at[:, :, None]).astype(int) + np.arange(-1, 2), 0, len(ends) - 1)
        drawn = ends[places[:, 0]].max(axis=1).min(axis=1) >= BORDER_LEVELS
        for beside in (slice(1, 3), slice(3, 5)):
            drawn &= ends[places[:, beside]].max(axis=2).min(axis=(1, 2)) < BORDER_LEVELS
        if len(drawn) and drawn.mean() >= MOST_TABLE:
            return True
    return False


def _more_beyond(sea: Sea, side: str) -> bool:
    """Whether something that is no lattice line and no bridge is drawn between the board and that side of the picture."""
    along, over, away, start, begin = _lying(sea, side)
    if side in ("left", "top"):
        places = np.arange(0, int(along.first - sea.ring.outer - SHOWS_PX) - start)
    else:
        places = np.arange(int(along.at(along.count - 1) + sea.ring.outer + SHOWS_PX) - start, away.shape[1])

    def off_lines(comb: Comb, at: npt.NDArray[np.int_], first: int) -> npt.NDArray[np.int_]:
        off = ((at + first + 0.5 - comb.first) / comb.pitch + 0.5) % 1 - 0.5
        return np.asarray(at[(np.abs(off) > OFF_LINES) & (at >= 0)], int)

    between = np.arange(int(over.first) - begin, int(over.at(over.count - 1)) - begin + 1)
    strip = away[np.ix_(off_lines(over, between, begin), off_lines(along, places, start))]
    return bool((strip >= BORDER_LEVELS).sum() >= BORDER_PX)
