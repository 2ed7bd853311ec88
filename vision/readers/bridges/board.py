"""Reads Bridges of any program: islands, lattice, the bridges that are there.

What was measured stays with the reading: a later frame that differs in bridges only is read in a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.bridges import Bridges, Island, Joins, Span
from solver.lattice import Square
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Pixels, Point
from vision.grids import Comb
from vision.profile import Profile
from vision.readers.bridges.covers import covered
from vision.readers.bridges.discs import Disc, find_discs, rings_at
from vision.readers.bridges.lattice import (
    LEAST_ISLANDS,
    OUTSIDE,
    SURE_ENOUGH,
    in_line,
    on_lattice,
    with_others_near,
)
from vision.readers.bridges.learned import SIGN, entering_facts, require_program
from vision.readers.bridges.lines import LEAST_LEVELS
from vision.readers.bridges.marks import crossed_spans, locked_islands
from vision.readers.bridges.spans import Measured, joins_of, measure, measure_again
from vision.readers.bridges.witness import settled
from vision.reading import Geometry, Mark, Reading

Colour = npt.NDArray[np.float32]

# Without the collection's rings it takes one circle more to be a board.
LEAST_OF_OTHERS = 4
# Levels from which a colour, seen so far from the middle (in radii), is another; where at most this share has one.
OTHER_GROUND = 40
AROUND = (1.55, 1.7, 1.85)
FEW = 0.25
# The collection draws islands of 1.2 cells; nobody else lets them overlap.
COLLECTION = (0.53, 0.66)
# Its rings are as wide as this share of their radius; then smaller islands may show a lattice of two cells.
RING = (0.09, 0.29)
NARROW = (0.55, 0.645)
MEASURED_PX = 0.5
# A misread number rarely leaves exactly one solution: where there is one, this share of the doubt remains.
WITNESSED = 0.4
CHANGED = 0.75
# Less certain clues are not named.
DOUBT = 0.6
# A place with this share of a ring is an island that could not be read.
LOOKS_ROUND = 0.65
LEAST_ANGLES = 8
CIRCLE = np.array([np.cos(np.arange(32) * np.pi / 16 + 0.1), np.sin(np.arange(32) * np.pi / 16 + 0.1)])
# Bridges as thin as this are counted by how dark they are as well.
THIN_PX = 1.6
# Share of the ring's contrast that a bridge of the collection has; hints of possible bridges are fainter.
HINT = 0.4


class Ring(NamedTuple):
    """How islands are drawn.

    outer: the radius to which they reach; width, contrast: of their edge, in px and levels.
    ink: the contrast of the edge, summed over px from its inside to its outside; blurring leaves that as it is.
    """

    outer: float
    width: float
    contrast: float
    ink: float


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
    islands, small = find_discs(frame.pixels)
    islands = _on_one_ground(frame.pixels, islands)
    linked = in_line(islands)
    placed = on_lattice(linked) if len(linked) >= LEAST_ISLANDS else None
    if placed is None:
        raise BoardNotFound(
            f"{len(islands)} circles with a number inside, which stand on no common lattice",
            hint="show the whole board, with islands at least 15 px wide",
        )
    discs, xs, ys = with_others_near(*placed, islands)
    pixels = frame.pixels
    radius = float(np.median([d.radius for d in discs.values()]))
    background = np.median(_grounds(pixels, discs.values()), axis=0)
    ring = _ring(pixels, list(discs.values()), radius, min(xs.pitch, ys.pitch), background)
    discs = {at: d for at, d in discs.items() if _is_island(pixels, d, ring, background)}
    parts = _cells_of_collection(discs, xs, ys, ring)
    sgt = parts > 0
    if sgt:
        xs, ys = _divided(xs, parts), _divided(ys, parts)
        discs = {Square(parts * at.row, parts * at.col): disc for at, disc in discs.items()}
    elif len(discs) < LEAST_OF_OTHERS:
        raise BoardNotFound(
            f"{len(discs)} circles with a number inside are too few for a board",
            hint="show the whole board",
        )
    pitch = min(xs.pitch, ys.pitch)
    facts: dict[str, float] = {
        f"{SIGN}{name}": round(float(value)) for name, value in zip("bgr", background, strict=True)
    }
    facts[f"{SIGN}islands"] = round(ring.outer / pitch, 2)
    require_program(profile, facts)
    discs = _with_overlooked(pixels, discs, xs, ys, radius)
    _nothing_left(pixels, discs, xs, ys, ring, background)
    shape = Bridges(tuple(Island(at, 1) for at in discs), xs.count, ys.count)
    least = max(LEAST_LEVELS, HINT * ring.contrast) if sgt else LEAST_LEVELS
    area = _area(pixels, xs, ys)
    badges = [
        disc
        for disc in small
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
            background,
            ring.outer,
            least,
            ring.ink if sgt and ring.width <= THIN_PX else 0.0,
        ),
        shape,
    )
    joins = joins_of(measured)
    _nothing_over_it(measured, joins, ring.contrast, sgt)
    puzzle, unique, way = settled(discs, joins, (xs.count, ys.count), sgt)
    return BoardReading(
        puzzle=puzzle,
        placed=joins,
        geometry=Geometry(
            {Square(r, c): Point(xs.at(c), ys.at(r)) for r in range(ys.count) for c in range(xs.count)}, pitch
        ),
        marks={at: _mark(discs[at], puzzle.clues[at], unique, at in way.changed) for at in sorted(discs)},
        area=area,
        ui="sgt" if sgt else "generic",
        remarks=way.remarks,
        facts={**facts, **entering_facts(profile)},
        measured=measured,
        locked=locked_islands(measured) if sgt else frozenset(),
        crossed=crossed_spans(measured, joins) if sgt else frozenset(),
    )


def _mark(disc: Disc, clue: int, unique: bool, changed: bool) -> Mark:
    """The clue of an island, as certain as its digits; a board with one solution speaks for what was read.

    changed: the second-best number was taken, since the best has no solution.
    """
    if changed:
        return Mark(str(clue), CHANGED if unique else DOUBT, str(disc.number.value), "given")
    sure = 1 - (1 - disc.number.confidence) * (WITNESSED if unique else 1.0)
    return Mark(str(clue) if sure >= DOUBT else None, sure, str(disc.number.runner_up or ""), "given")


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


def _cells_of_collection(discs: Mapping[Square, Disc], xs: Comb, ys: Comb, ring: Ring) -> int:
    """How many of its cells lie between lattice lines, where the rings are the collection's; 0 where they are not.

    Small boards often have islands in every second row and column only. The rings then still tell the cell.
    """
    pitch = min(xs.pitch, ys.pitch)
    if abs(xs.pitch - ys.pitch) > 0.03 * pitch or not RING[0] <= ring.width / ring.outer <= RING[1]:
        return 0
    if _reaches(ring.outer, pitch, COLLECTION):
        return 1
    touching = any(
        other in discs for at in discs for other in (Square(at.row, at.col + 1), Square(at.row + 1, at.col))
    )
    parts = round(0.6 * pitch / ring.outer)
    return parts if touching and _reaches(ring.outer, pitch / parts, NARROW) else 0


def _reaches(outer: float, cell_px: float, shares: tuple[float, float]) -> bool:
    """Whether islands reach from one to the other share of a cell, as far as half a px can be measured."""
    return shares[0] * cell_px - MEASURED_PX <= outer <= shares[1] * cell_px + MEASURED_PX


def _divided(comb: Comb, parts: int) -> Comb:
    return Comb(comb.first, comb.pitch / parts, (comb.count - 1) * parts + 1)


def _on_one_ground(pixels: Pixels, islands: Sequence[Disc]) -> list[Disc]:
    """Without the few that stand on another colour than the others: letters and buttons of other windows."""
    if not islands:
        return []
    grounds = _grounds(pixels, islands)
    away = np.abs(grounds - np.median(grounds, axis=0)).max(axis=1) > OTHER_GROUND
    if away.mean() > FEW:
        return list(islands)
    return [disc for disc, other in zip(islands, away, strict=True) if not other]


def _grounds(pixels: Pixels, discs: Iterable[Disc]) -> Colour:
    """(discs, 3) the colour around each."""
    height, width = pixels.shape[:2]
    found = []
    for disc in discs:
        x, y = (
            at + disc.radius * np.outer(AROUND, direction).ravel()
            for at, direction in zip((disc.x, disc.y), CIRCLE, strict=True)
        )
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        seen = pixels[y[inside].astype(int), x[inside].astype(int)]
        found.append(np.median(seen, axis=0) if len(seen) else np.zeros(3))
    return np.asarray(found, np.float32)


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
    pixels: Pixels, discs: Mapping[Square, Disc], xs: Comb, ys: Comb, ring: Ring, background: Colour
) -> None:
    """Raise UncertainReading where lattice points without an island, also just outside, look like one all around.

    A board that lacks an island may well have a solution: nothing else would notice.
    """
    unread = {}
    for row in range(-OUTSIDE, ys.count + OUTSIDE):
        for col in range(-OUTSIDE, xs.count + OUTSIDE):
            at, place = Square(row, col), Point(xs.at(col), ys.at(row))
            if at not in discs and _looks_round(pixels, place, ring, background):
                unread[at] = place
    if unread:
        first = next(iter(unread.values()))
        raise UncertainReading(
            f"{len(unread)} islands without a number that can be read, the first at ({first.x:.0f}, {first.y:.0f})",
            hint="show the whole board, larger; move the mouse and pop-ups away from it",
            cells=list(unread),
        )


def _nothing_over_it(measured: Measured, joins: Joins, contrast: float, sgt: bool) -> None:
    """Raise UncertainReading where something lies over the board that may hide a part of it."""
    cells = covered(measured, joins, contrast, sgt)
    if cells:
        raise UncertainReading(
            f"something lies over the board near row {cells[0].row + 1}, column {cells[0].col + 1}",
            hint="move the mouse, tooltips and pop-ups away from the board",
            cells=cells,
        )


def _looks_round(pixels: Pixels, at: Point, ring: Ring, background: Colour) -> bool:
    """Whether there is a ring or disc like an island's, with the board's background around it."""
    on = _on_circle(pixels, at, ring.outer - min(0.5 * ring.width, 0.2 * ring.outer), ring, background)
    around = _on_circle(pixels, at, ring.outer + max(1.5, 0.1 * ring.outer), ring, background)
    return on is not None and around is not None and on >= LOOKS_ROUND and around <= 1 - LOOKS_ROUND


def _is_island(pixels: Pixels, disc: Disc, ring: Ring, background: Colour) -> bool:
    """Whether a circle has a sure number or else an island's edge; bridges that cross between others leave neither."""
    if disc.number.confidence >= SURE_ENOUGH:
        return True
    edge = ring.outer - min(0.5 * ring.width, 0.2 * ring.outer)
    on = _on_circle(pixels, Point(disc.x, disc.y), edge, ring, background)
    return on is None or on >= 0.5


def _on_circle(pixels: Pixels, at: Point, radius: float, ring: Ring, background: Colour) -> float | None:
    """The share of a circle that is not background; None where the picture ends."""
    height, width = pixels.shape[:2]
    x = (at.x + radius * CIRCLE[0]).astype(int)
    y = (at.y + radius * CIRCLE[1]).astype(int)
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    if inside.sum() < LEAST_ANGLES:
        return None
    away = np.abs(pixels[y[inside], x[inside]].astype(np.float32) - background).max(axis=1)
    return float((away >= 0.5 * ring.contrast).mean())


def _nearest(point: Point, places: Mapping[Square, Point]) -> Square:
    return min(places, key=lambda at: (places[at].x - point.x) ** 2 + (places[at].y - point.y) ** 2)


def _area(pixels: Pixels, xs: Comb, ys: Comb) -> Box:
    height, width = pixels.shape[:2]
    left, top = max(int(xs.at(-0.7)), 0), max(int(ys.at(-0.7)), 0)
    right, bottom = min(int(xs.at(xs.count - 0.3)), width), min(int(ys.at(ys.count - 0.3)), height)
    return Box(left, top, right - left, bottom - top)


def _ring(pixels: Pixels, discs: Sequence[Disc], radius: float, pitch: float, background: Colour) -> Ring:
    """How islands are drawn; `radius` is that of the circle found inside them."""
    angles = np.arange(24) * (2 * np.pi / 24) + 0.13
    steps = np.arange(0.6 * radius, min(0.75 * pitch, 1.5 * radius) + 2, 0.5)
    height, width = pixels.shape[:2]
    levels = []
    for disc in discs:
        x = np.clip((disc.x + steps[:, None] * np.cos(angles)).astype(int), 0, width - 1)
        y = np.clip((disc.y + steps[:, None] * np.sin(angles)).astype(int), 0, height - 1)
        levels.append(np.median(np.abs(pixels[y, x].astype(np.float32) - background).max(axis=2), axis=1))
    usual = np.median(np.stack(levels), axis=0)
    outside = steps >= 0.85 * radius
    top = float(usual[outside].max())
    dark = usual >= 0.5 * top
    beyond = np.flatnonzero(dark & outside)
    if len(beyond) == 0:
        return Ring(radius, 0.0, top, 0.0)
    inside = np.flatnonzero(~dark[: beyond[-1]])
    inner = steps[inside[-1]] if len(inside) else 0.0
    edge = (steps >= inner - 1) & (steps <= steps[beyond[-1]] + 1.5)
    ink = 0.5 * float(usual[edge].sum())
    return Ring(float(steps[beyond[-1]]), float(steps[beyond[-1]] - inner), top, ink)
