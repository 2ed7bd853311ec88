"""Reads Bridges of any program: islands, lattice, the bridges that are there.

What was measured stays with the reading: a later frame that differs in bridges only is read in a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from solver.bridges import Bridges, Island, Joins
from solver.lattice import Square
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Pixels, Point
from vision.grids import Comb
from vision.profile import Profile
from vision.readers.bridges.discs import Disc, find_discs, rings_at
from vision.readers.bridges.lattice import lattice_of
from vision.readers.bridges.lines import LEAST_LEVELS
from vision.readers.bridges.spans import Measured, joins_of, measure, measure_again
from vision.readers.bridges.witness import settled
from vision.reading import Geometry, Mark, Reading

# Fewer circles with numbers on one lattice are no board.
LEAST_ISLANDS = 4
# The collection draws islands of 1.2 cells; nobody else lets them overlap.
COLLECTION = (0.53, 0.66)
# Share of the ring's contrast that a bridge of the collection has; hints of possible bridges are fainter.
HINT = 0.4


@dataclass(frozen=True)
class BoardReading(Reading[Bridges, Joins]):
    """A reading that remembers its measurements, for `reread`."""

    measured: Measured | None = None


def read(frame: Frame, profile: Profile) -> Reading[Bridges, Joins]:
    """The Bridges board on the frame.

    Raises BoardNotFound when no circles with numbers stand on a lattice, UncertainReading when the numbers
    contradict each other and no doubtful one explains it.
    """
    islands, small = find_discs(frame.pixels)
    placed = _on_lattice(islands) if len(islands) >= LEAST_ISLANDS else None
    if placed is None:
        raise BoardNotFound(
            f"{len(islands)} circles with a number inside, which stand on no common lattice",
            hint="show the whole board, with islands at least 15 px wide",
        )
    discs, xs, ys = placed
    pixels = frame.pixels
    radius = float(np.median([d.radius for d in discs.values()]))
    discs = _with_overlooked(pixels, discs, xs, ys, radius)
    pitch = min(xs.pitch, ys.pitch)
    background = _background(pixels, xs, ys)
    outer, ring = _outer_edge(pixels, list(discs.values()), radius, pitch, background)
    square = abs(xs.pitch - ys.pitch) <= 0.03 * pitch
    sgt = square and COLLECTION[0] <= outer / pitch <= COLLECTION[1] and outer > 1.1 * radius
    shape = Bridges(tuple(Island(at, 1) for at in discs), xs.count, ys.count)
    least = max(LEAST_LEVELS, HINT * ring) if sgt else LEAST_LEVELS
    area = _area(pixels, xs, ys)
    badges = [
        disc
        for disc in small
        if area.contains(Point(disc.x, disc.y))
        and all(np.hypot(disc.x - o.x, disc.y - o.y) > 0.6 * radius for o in discs.values())
    ]
    measured = measure(Measured(pixels, discs, badges, xs, ys, background, outer, least), shape)
    joins = joins_of(measured)
    puzzle, remarks = settled(discs, joins, xs, ys)
    clues = puzzle.clues
    return BoardReading(
        puzzle=puzzle,
        placed=joins,
        geometry=Geometry(
            {Square(r, c): Point(xs.at(c), ys.at(r)) for r in range(ys.count) for c in range(xs.count)}, pitch
        ),
        marks={
            at: Mark(
                str(clues[at]),
                max(disc.number.confidence, 0.9 if clues[at] == disc.number.value else 0.5),
                str(disc.number.runner_up or ""),
                "given",
            )
            for at, disc in sorted(discs.items())
        },
        area=area,
        ui="sgt" if sgt else "generic",
        remarks=remarks,
        measured=measured,
    )


def reread(frame: Frame, earlier: Reading[Bridges, Joins]) -> Reading[Bridges, Joins] | None:
    """The same board on a later frame of the same place, where nothing but bridges can have changed; else None.

    Islands whose pixels are still the same still have their numbers; only spans that look different are measured.
    """
    if not isinstance(earlier, BoardReading) or earlier.measured is None or earlier.remarks:
        return None
    measured = measure_again(earlier.measured, frame.pixels, earlier.area)
    if measured is None:
        return None
    joins = joins_of(measured)
    if max(joins.values(), default=0) > earlier.puzzle.max_bridges:
        return None
    return replace(earlier, placed=joins, measured=measured)


def _on_lattice(islands: Sequence[Disc]) -> tuple[dict[Square, Disc], Comb, Comb] | None:
    """The islands by lattice point; strays (a number in a button) are left out, the loneliest first."""
    rest = list(islands)
    for _ in range(1 + max(3, len(islands) // 30)):
        radius = float(np.median([d.radius for d in rest]))
        combs = lattice_of([d.x for d in rest], [d.y for d in rest], radius)
        if combs is not None:
            xs, ys = combs
            discs = {
                Square(round((d.y - ys.first) / ys.pitch), round((d.x - xs.first) / xs.pitch)): d
                for d in rest
            }
            return (dict(sorted(discs.items())), xs, ys) if len(discs) == len(rest) else None
        if len(rest) <= LEAST_ISLANDS:
            return None
        rest.remove(min(rest, key=lambda d: (_aligned(d, rest), d.number.confidence)))
    return None


def _with_overlooked(
    pixels: Pixels, discs: Mapping[Square, Disc], xs: Comb, ys: Comb, radius: float
) -> dict[Square, Disc]:
    """The islands with those that the search missed. Raises UncertainReading for one without a number.

    A board that lacks an island may well have a solution: nothing else would notice.
    """
    empty = {
        Square(row, col): Point(xs.at(col), ys.at(row))
        for row in range(ys.count)
        for col in range(xs.count)
        if Square(row, col) not in discs
    }
    more, unread = rings_at(pixels, list(empty.values()), radius)
    if unread:
        raise UncertainReading(
            f"{len(unread)} islands without a number that can be read, the first at"
            f" ({unread[0].x:.0f}, {unread[0].y:.0f})",
            hint="move the mouse and pop-ups away from the board",
            cells=sorted(_nearest(point, empty) for point in unread),
        )
    return dict(sorted({**discs, **{_nearest(Point(d.x, d.y), empty): d for d in more}}.items()))


def _nearest(point: Point, places: Mapping[Square, Point]) -> Square:
    return min(places, key=lambda at: (places[at].x - point.x) ** 2 + (places[at].y - point.y) ** 2)


def _aligned(disc: Disc, others: Sequence[Disc]) -> int:
    """In how many directions (row, column) another stands in line with it, and none nearly so."""
    ways = 0
    for own, all_ in ((disc.x, [o.x for o in others]), (disc.y, [o.y for o in others])):
        off = np.abs(np.array(all_) - own)
        ways += int((off < 0.25 * disc.radius).sum() > 1) - int(
            ((off > 0.35 * disc.radius) & (off < disc.radius)).sum() > 1
        )
    return ways


def _area(pixels: Pixels, xs: Comb, ys: Comb) -> Box:
    height, width = pixels.shape[:2]
    left, top = max(int(xs.at(-0.7)), 0), max(int(ys.at(-0.7)), 0)
    right, bottom = min(int(xs.at(xs.count - 0.3)), width), min(int(ys.at(ys.count - 0.3)), height)
    return Box(left, top, right - left, bottom - top)


def _background(pixels: Pixels, xs: Comb, ys: Comb) -> npt.NDArray[np.float32]:
    """The most common colour of the board."""
    box = _area(pixels, xs, ys)
    part = pixels[box.top : box.top + box.height, box.left : box.left + box.width].reshape(-1, 3)
    keys = (part.astype(np.int32) >> 3) @ np.array([1024, 32, 1], np.int32)
    names, counts = np.unique(keys, return_counts=True)
    return np.asarray(np.median(part[keys == names[counts.argmax()]], axis=0), np.float32)


def _outer_edge(
    pixels: Pixels, discs: Sequence[Disc], radius: float, pitch: float, background: npt.NDArray[np.float32]
) -> tuple[float, float]:
    """(radius to which islands reach, contrast of their edge): rings are drawn outside the inner circle."""
    angles = np.arange(24) * (2 * np.pi / 24) + 0.13
    steps = np.arange(0.85 * radius, max(0.75 * pitch, 1.4 * radius), 0.5)
    height, width = pixels.shape[:2]
    levels = []
    for disc in discs:
        x = np.clip((disc.x + steps[:, None] * np.cos(angles)).astype(int), 0, width - 1)
        y = np.clip((disc.y + steps[:, None] * np.sin(angles)).astype(int), 0, height - 1)
        levels.append(np.median(np.abs(pixels[y, x].astype(np.float32) - background).max(axis=2), axis=1))
    usual = np.median(np.stack(levels), axis=0)
    top = float(usual.max())
    beyond = np.flatnonzero(usual >= 0.5 * top)
    return (float(steps[beyond[-1]]) if len(beyond) else radius), top
