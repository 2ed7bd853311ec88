"""Reads Bridges of any program: islands, lattice, the bridges that are there.

What was measured stays with the reading: a later frame that differs in bridges only is read in a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from solver.bridges import Bridges, Island, Joins, Span
from solver.lattice import Square
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Pixels, Point
from vision.grids import Comb
from vision.profile import Profile
from vision.readers.bridges.covers import covered
from vision.readers.bridges.discs import Disc, find_discs, rings_at
from vision.readers.bridges.drawn import (
    Ground,
    Ring,
    ground_of,
    grounds_around,
    is_island,
    looks_like_island,
    ring_of,
)
from vision.readers.bridges.lattice import LEAST_ISLANDS, OUTSIDE, in_line, on_lattice, with_others_near
from vision.readers.bridges.learned import SIGN, entering_facts, require_program
from vision.readers.bridges.lines import LEAST_LEVELS
from vision.readers.bridges.marks import crossed_spans, locked_islands
from vision.readers.bridges.spans import Measured, joins_of, loose_ends, measure, measure_again
from vision.readers.bridges.witness import settled
from vision.reading import Geometry, Mark, Reading

# Without the collection's rings it takes one circle more to be a board.
LEAST_OF_OTHERS = 4
# Levels from which a colour is another; where at most this share has one.
OTHER_GROUND = 40
FEW = 0.25
# The collection draws islands of 1.2 cells; nobody else lets them overlap.
COLLECTION = (0.53, 0.66)
# Its rings are as wide as this share of their radius; then smaller islands may show a lattice of two cells.
RING = (0.09, 0.29)
NARROW = (0.55, 0.645)
MEASURED_PX = 0.5
# Islands that stand beside each other but reach less far than this share of the pitch have a lattice line between them.
SMALL_ISLANDS = 0.25
# A misread number rarely leaves exactly one solution: where there is one, this share of the doubt remains.
WITNESSED = 0.4
CHANGED = 0.75
# Less certain clues are not named.
DOUBT = 0.6
# What is as wide as this share of the pitch, to each side, is a field of the board rather than an island.
TILES = 0.46
# A shape belongs to the lattice point that it is so near to (share of the pitch).
NEAR = 0.2
# Bridges as thin as this are counted by how dark they are as well.
THIN_PX = 1.6
# Share of the ring's contrast that a bridge of the collection has; hints of possible bridges are fainter.
HINT = 0.4


@dataclass(frozen=True)
class BoardReading(Reading[Bridges, Joins]):
    """A reading that remembers its measurements, for `reread`.

    locked, crossed: islands and spans at which the collection refuses bridges.
    """

    measured: Measured | None = None
    locked: frozenset[Square] = frozenset()
    crossed: frozenset[Span] = frozenset()


def read(frame: Frame, profile: Profile) -> Reading[Bridges, Joins]:
    """The Bridges board on the frame.

    Raises BoardNotFound when no circles with numbers stand on a lattice, UncertainReading when the numbers
    contradict each other and no doubtful one explains it.
    """
    pixels = frame.pixels
    found = find_discs(pixels)
    discs, xs, ys, ground, ring, sgt = _laid_out(pixels, _on_one_ground(pixels, found.islands))
    pitch = min(xs.pitch, ys.pitch)
    facts: dict[str, float] = {
        f"{SIGN}{name}": round(float(value)) for name, value in zip("bgr", ground.colour, strict=True)
    }
    facts[f"{SIGN}islands"] = round(ring.outer / pitch, 2)
    require_program(profile, facts)
    radius = float(np.median([d.radius for d in discs.values()]))
    discs = _with_overlooked(pixels, discs, xs, ys, radius)
    blank = [] if ring.outer > TILES * pitch else found.blank
    _nothing_left(pixels, discs, xs, ys, ring, ground, blank)
    shape = Bridges(tuple(Island(at, 1) for at in discs), xs.count, ys.count)
    least = max(LEAST_LEVELS, HINT * ring.contrast) if sgt else LEAST_LEVELS
    area = _area(pixels, xs, ys)
    badges = [
        disc
        for disc in (() if sgt else found.small)
        if area.contains(Point(disc.x, disc.y))
        and all(np.hypot(disc.x - o.x, disc.y - o.y) > 0.6 * radius for o in discs.values())
    ]
    measured = measure(
        Measured(
            pixels,
            discs,
            badges,
            xs,
            ys,
            ground,
            ring.outer,
            least,
            sgt,
            ring.ink if sgt and ring.width <= THIN_PX else 0.0,
        ),
        shape,
    )
    joins = joins_of(measured)
    _no_loose_ends(measured)
    _nothing_over_it(measured, joins, ring.contrast)
    puzzle, unique, way = settled(discs, joins, (xs.count, ys.count), sgt)
    return BoardReading(
        puzzle=puzzle,
        placed=joins,
        geometry=Geometry(
            {Square(r, c): Point(xs.at(c), ys.at(r)) for r in range(ys.count) for c in range(xs.count)}, pitch
        ),
        marks=_marks(discs, puzzle, unique, way.changed),
        area=area,
        ui="sgt" if sgt else "generic",
        remarks=way.remarks,
        facts={**facts, **entering_facts(profile)},
        measured=measured,
        locked=locked_islands(measured) if sgt else frozenset(),
        crossed=crossed_spans(measured, joins) if sgt else frozenset(),
    )


class _Layout(NamedTuple):
    """Where islands stand, and how they are drawn; sgt: as the collection does."""

    discs: Mapping[Square, Disc]
    xs: Comb
    ys: Comb
    ground: Ground
    ring: Ring
    sgt: bool


def _laid_out(pixels: Pixels, islands: Sequence[Disc]) -> _Layout:
    """The islands on their lattice. Raises BoardNotFound."""
    linked = in_line(islands)
    placed = on_lattice(linked) if len(linked) >= LEAST_ISLANDS else None
    if placed is None:
        raise BoardNotFound(
            f"{len(islands)} circles with a number inside, which stand on no common lattice",
            hint="show the whole board, with islands at least 15 px wide",
        )
    discs, xs, ys = with_others_near(*placed, islands)
    radius = float(np.median([d.radius for d in discs.values()]))
    ground = ground_of(pixels, discs.values())
    ring = ring_of(pixels, list(discs.values()), radius, min(xs.pitch, ys.pitch), ground)
    discs = {at: d for at, d in discs.items() if is_island(pixels, d, ring, ground)}
    touching = _touching(discs)
    parts = _cells_of_collection(touching, xs, ys, ring)
    sgt = parts > 0
    if not sgt and touching and ring.outer < SMALL_ISLANDS * min(xs.pitch, ys.pitch):
        parts = 2
    if parts:
        xs, ys = _divided(xs, parts), _divided(ys, parts)
        discs = {Square(parts * at.row, parts * at.col): disc for at, disc in discs.items()}
    if len(discs) < (LEAST_ISLANDS if sgt else LEAST_OF_OTHERS):
        raise BoardNotFound(
            f"{len(discs)} circles with a number inside are too few for a board",
            hint="show the whole board",
        )
    return _Layout(discs, xs, ys, ground, ring, sgt)


def _marks(
    discs: Mapping[Square, Disc], puzzle: Bridges, unique: bool, changed: frozenset[Square]
) -> dict[Square, Mark]:
    """The clues, as certain as their digits; a board with one solution speaks for what was read.

    changed: where the second-best number was taken, since the best has no solution. Such a board speaks for nothing
    else, and with more in doubt not for the change either: another one might have had another solution.
    """
    marks = {}
    for at in sorted(discs):
        number = discs[at].number
        sure = 1 - (1 - number.confidence) * (WITNESSED if unique and not changed else 1.0)
        marks[at] = Mark(
            str(puzzle.clues[at]) if sure >= DOUBT else None, sure, str(number.runner_up or ""), "given"
        )
    doubt = any(mark.symbol is None for at, mark in marks.items() if at not in changed)
    for at in changed:
        clue = None if doubt else str(puzzle.clues[at])
        marks[at] = Mark(clue, CHANGED if unique else DOUBT, str(discs[at].number.value), "given")
    return marks


def reread(frame: Frame, earlier: Reading[Bridges, Joins]) -> Reading[Bridges, Joins] | None:
    """The same board on a later frame of the same place, where nothing but bridges can have changed; else None.

    Islands whose pixels are still the same still have their numbers; only spans that look different are measured.
    """
    if not isinstance(earlier, BoardReading) or earlier.measured is None or earlier.remarks:
        return None
    measured = measure_again(earlier.measured, frame.pixels, earlier.area)
    if measured is None:
        return None
    try:
        joins = joins_of(measured)
    except UncertainReading:
        return None
    if max(joins.values(), default=0) > earlier.puzzle.max_bridges:
        return None
    again = replace(earlier, placed=joins, measured=measured)
    if earlier.ui != "sgt":
        return again
    return replace(again, locked=locked_islands(measured), crossed=crossed_spans(measured, joins))


def _touching(discs: Mapping[Square, Disc]) -> bool:
    """Whether islands stand beside each other, with no room for a bridge on the lattice as it was found."""
    return any(
        other in discs for at in discs for other in (Square(at.row, at.col + 1), Square(at.row + 1, at.col))
    )


def _cells_of_collection(touching: bool, xs: Comb, ys: Comb, ring: Ring) -> int:
    """How many of its cells lie between lattice lines, where the rings are the collection's; 0 where they are not.

    Small boards often have islands in every second row and column only. The rings then still tell the cell.
    """
    pitch = min(xs.pitch, ys.pitch)
    if abs(xs.pitch - ys.pitch) > 0.03 * pitch or not RING[0] <= ring.width / ring.outer <= RING[1]:
        return 0
    if _reaches(ring.outer, pitch, COLLECTION):
        return 1
    return 2 if touching and _reaches(ring.outer, pitch / 2, NARROW) else 0


def _reaches(outer: float, cell_px: float, shares: tuple[float, float]) -> bool:
    """Whether islands reach from one to the other share of a cell, as far as half a px can be measured."""
    return shares[0] * cell_px - MEASURED_PX <= outer <= shares[1] * cell_px + MEASURED_PX


def _divided(comb: Comb, parts: int) -> Comb:
    return Comb(comb.first, comb.pitch / parts, (comb.count - 1) * parts + 1)


def _on_one_ground(pixels: Pixels, islands: Sequence[Disc]) -> list[Disc]:
    """Without the few that stand on another colour than the others: letters and buttons of other windows."""
    if not islands:
        return []
    x, y = np.array([(d.x, d.y) for d in islands]).T
    usual = ground_of(pixels, islands).at(x, y)
    away = np.abs(grounds_around(pixels, islands) - usual).max(axis=1) > OTHER_GROUND
    if away.mean() > FEW:
        return list(islands)
    return [disc for disc, other in zip(islands, away, strict=True) if not other]


def _with_overlooked(
    pixels: Pixels, discs: Mapping[Square, Disc], xs: Comb, ys: Comb, radius: float
) -> dict[Square, Disc]:
    """The islands with those that the search missed."""
    empty = {
        Square(row, col): Point(xs.at(col), ys.at(row))
        for row in range(ys.count)
        for col in range(xs.count)
        if Square(row, col) not in discs
    }
    more = rings_at(pixels, list(empty.values()), radius)
    return dict(sorted({**discs, **{_nearest(Point(d.x, d.y), empty): d for d in more}}.items()))


def _nothing_left(
    pixels: Pixels,
    discs: Mapping[Square, Disc],
    xs: Comb,
    ys: Comb,
    ring: Ring,
    ground: Ground,
    blank: Sequence[Point],
) -> None:
    """Raise UncertainReading where lattice points without an island, also just outside, look like one all around.

    A board that lacks an island may well have a solution: nothing else would notice.
    blank: places of shapes like the islands', without a number that can be read.
    """
    unread = {}
    for row in range(-OUTSIDE, ys.count + OUTSIDE):
        for col in range(-OUTSIDE, xs.count + OUTSIDE):
            at, place = Square(row, col), Point(xs.at(col), ys.at(row))
            if at in discs:
                continue
            near = any(
                abs(o.x - place.x) <= NEAR * xs.pitch and abs(o.y - place.y) <= NEAR * ys.pitch for o in blank
            )
            if near or looks_like_island(pixels, place, ring, ground):
                unread[at] = place
    if unread:
        first = next(iter(unread.values()))
        raise UncertainReading(
            f"{len(unread)} islands without a number that can be read, the first at ({first.x:.0f}, {first.y:.0f})",
            hint="show the whole board, larger; move the mouse and pop-ups away from it",
            cells=list(unread),
        )


def _no_loose_ends(measured: Measured) -> None:
    """Raise UncertainReading where a bridge leads to an island that was not found."""
    cells = loose_ends(measured)
    if cells:
        raise UncertainReading(
            f"the bridge near row {cells[0].row + 1}, column {cells[0].col + 1} leads to no island that can be read",
            hint="show the whole board, larger",
            cells=cells,
        )


def _nothing_over_it(measured: Measured, joins: Joins, contrast: float) -> None:
    """Raise UncertainReading where something lies over the board that may hide a part of it."""
    cells = covered(measured, joins, contrast)
    if cells:
        raise UncertainReading(
            f"something lies over the board near row {cells[0].row + 1}, column {cells[0].col + 1}",
            hint="move the mouse, tooltips and pop-ups away from the board",
            cells=cells,
        )


def _nearest(point: Point, places: Mapping[Square, Point]) -> Square:
    return min(places, key=lambda at: (places[at].x - point.x) ** 2 + (places[at].y - point.y) ** 2)


def _area(pixels: Pixels, xs: Comb, ys: Comb) -> Box:
    height, width = pixels.shape[:2]
    left, top = max(int(xs.at(-0.7)), 0), max(int(ys.at(-0.7)), 0)
    right, bottom = min(int(xs.at(xs.count - 0.3)), width), min(int(ys.at(ys.count - 0.3)), height)
    return Box(left, top, right - left, bottom - top)
