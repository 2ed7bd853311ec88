"""Reads Bridges of any program: islands, lattice, the bridges that are there.

Labels may be the clues, or (in some programs) the bridges still missing: a 0, or clues without a solution, tell
the second. The puzzle is a witness: an odd sum or a board without solution sends the least certain number to its
runner-up, and the reading says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from solver import bridges
from solver.answer import Limits
from solver.bridges import Bridges, Island, Joins, Span
from solver.errors import InvalidPuzzle, NoSolution, SearchLimit
from solver.lattice import Square
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Pixels, Point
from vision.grids import Comb
from vision.profile import Profile
from vision.readers.bridges.discs import Disc, find_discs, rings_at
from vision.readers.bridges.lattice import lattice_of
from vision.readers.bridges.lines import LEAST_LEVELS, count_lines, profile, usual_profile
from vision.reading import Geometry, Mark, Reading

# Fewer circles with numbers on one lattice are no board.
LEAST_ISLANDS = 4
# So few circles without a solution are anything: buttons, counters.
SURELY_A_BOARD = 9
# The collection draws islands of 1.2 cells; nobody else lets them overlap.
COLLECTION = (0.53, 0.66)
SURE = 0.9
MOST_DOUBTS = 8
WITNESS_S = 1.5
# Share of the ring's contrast that a bridge of the collection has; hints of possible bridges are fainter.
HINT = 0.4


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
    joins = _joins(pixels, shape, discs, small, xs, ys, background, outer, least)
    puzzle, remarks = _settled(discs, joins, xs, ys)
    clues = puzzle.clues
    return Reading(
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
        area=_area(pixels, xs, ys),
        ui="sgt" if sgt else "generic",
        remarks=remarks,
    )


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


def _joins(
    pixels: Pixels,
    shape: Bridges,
    discs: Mapping[Square, Disc],
    small: Sequence[Disc],
    xs: Comb,
    ys: Comb,
    background: npt.NDArray[np.float32],
    outer: float,
    least: float,
) -> dict[Span, int]:
    """The bridges on the picture."""
    covered: set[tuple[Square, bool]] = set()
    seen = {}
    for span in shape.spans:
        level = span.a.row == span.b.row
        covered.update((at, level) for at in (span.a, *bridges.between(span)))
        a, b = (Point(discs[at].x, discs[at].y) for at in span)
        seen[span] = profile(pixels, background, a, b, outer + 1.5, ys.pitch if level else xs.pitch)
    empty = list(_empty_edges(pixels, background, shape, discs, covered, xs, ys))
    usual = usual_profile(empty)
    joins: dict[Span, int] = {}
    for span, own in seen.items():
        count = 0 if own is None else count_lines(own, usual, least)
        if count:
            joins[span] = _badge(span, discs, small) or count
    return _without_crossings(joins, seen)


def _empty_edges(
    pixels: Pixels,
    background: npt.NDArray[np.float32],
    shape: Bridges,
    discs: Mapping[Square, Disc],
    covered: set[tuple[Square, bool]],
    xs: Comb,
    ys: Comb,
) -> Iterator[npt.NDArray[np.float32]]:
    """Profiles of lattice edges that belong to no span: between empty points."""
    for row in range(shape.height):
        for col in range(shape.width):
            at = Square(row, col)
            for level, other in ((True, Square(row, col + 1)), (False, Square(row + 1, col))):
                inside = other.row < shape.height and other.col < shape.width
                if inside and at not in discs and other not in discs and (at, level) not in covered:
                    a, b = (Point(xs.at(p.col), ys.at(p.row)) for p in (at, other))
                    pitch = xs.pitch if level else ys.pitch
                    own = profile(pixels, background, a, b, 0.15 * pitch, ys.pitch if level else xs.pitch)
                    if own is not None:
                        yield own


def _badge(span: Span, discs: Mapping[Square, Disc], small: Sequence[Disc]) -> int | None:
    """The number on a small disc in the middle of the bridge, where a program counts that way."""
    a, b = discs[span.a], discs[span.b]
    for disc in small:
        if abs(disc.x - (a.x + b.x) / 2) + abs(disc.y - (a.y + b.y) / 2) < 0.5 * a.radius:
            value = disc.number.value
            return value if value and value <= 4 and disc.number.confidence > 0.6 else None
    return None


def _without_crossings(
    joins: Mapping[Span, int], seen: Mapping[Span, npt.NDArray[np.float32] | None]
) -> dict[Span, int]:
    """Of two bridges that cross only the stronger line can be one."""
    taken: dict[Square, Span] = {}
    kept = dict(joins)

    def strength(span: Span) -> float:
        own = seen[span]
        return 0.0 if own is None else float(own.max())

    for span in sorted(joins, key=strength, reverse=True):
        cells = bridges.between(span)
        if any(cell in taken for cell in cells):
            del kept[span]
        else:
            taken.update(dict.fromkeys(cells, span))
    return kept


def _settled(
    discs: Mapping[Square, Disc], joins: Mapping[Span, int], xs: Comb, ys: Comb
) -> tuple[Bridges, tuple[str, ...]]:
    """The puzzle that has a solution, and what had to be decided for that."""
    labels = {at: disc.number.value or 0 for at, disc in discs.items()}
    attached = {at: sum(n for span, n in joins.items() if at in span) for at in labels}
    rest = {at: label + attached[at] for at, label in labels.items()}
    ways: list[tuple[Mapping[Square, int], tuple[str, ...]]] = []
    if 0 in labels.values():
        ways.append((rest, ("labels are the bridges still missing",)))
    else:
        ways.append((labels, ()))
        if joins:
            ways.append((rest, ("labels are taken for the bridges still missing: as clues they contradict",)))
    most = max([2, *joins.values()])
    unsolved: Bridges | None = None
    for clues, remarks in ways:
        puzzle = _board(clues, most, xs, ys)
        if puzzle is None:
            continue
        unsolved = unsolved or puzzle
        if _solvable(puzzle) is not False:
            return puzzle, remarks
    first, why = ways[0]
    for clues, remark in _corrected(first, discs):
        puzzle = _board(clues, most, xs, ys)
        if puzzle is not None and _solvable(puzzle):
            return puzzle, (*why, *remark)
    total = sum(first.values())
    sure = sum(disc.number.confidence >= SURE for disc in discs.values())
    if len(discs) < SURELY_A_BOARD or sure < 0.7 * len(discs) or any(c > 16 for c in first.values()):
        raise BoardNotFound(
            f"{len(discs)} circles with numbers (sum {total}), which have no solution as a Bridges board",
            hint="show the whole board, large enough to read its numbers",
        )
    raise UncertainReading(
        f"{len(discs)} islands were read, but their numbers (sum {total}) have no solution",
        hint="a clearer or larger picture of the whole board helps",
        cells=sorted(at for at, disc in discs.items() if disc.number.confidence < SURE),
    )


def _board(clues: Mapping[Square, int], most: int, xs: Comb, ys: Comb) -> Bridges | None:
    """The puzzle with as many bridges on a span as was seen, or as the largest clue needs."""
    try:
        islands = tuple(Island(at, clue) for at, clue in clues.items())
        for limit in range(most, 5):
            puzzle = Bridges(islands, xs.count, ys.count, limit)
            spans = dict.fromkeys(clues, 0)
            for span in puzzle.spans:
                for at in span:
                    spans[at] += 1
            if all(clue <= limit * spans[at] for at, clue in clues.items()):
                return puzzle
    except InvalidPuzzle:
        pass
    return None


def _solvable(puzzle: Bridges) -> bool | None:
    """Whether there is a solution; None when that takes too long to say."""
    if sum(puzzle.clues.values()) % 2:
        return False
    try:
        bridges.solve(puzzle, Limits(seconds=WITNESS_S))
    except NoSolution:
        return False
    except SearchLimit:
        return None
    return True


def _corrected(
    clues: Mapping[Square, int], discs: Mapping[Square, Disc]
) -> Iterator[tuple[dict[Square, int], tuple[str, ...]]]:
    """The clues with one or two doubtful ones as their runner-up, the least certain first."""
    doubts = sorted(
        (disc.number.confidence, at)
        for at, disc in discs.items()
        if disc.number.runner_up and disc.number.confidence < SURE
    )[:MOST_DOUBTS]
    for size in (1, 2):
        for chosen in combinations([at for _, at in doubts], size):
            changed, remarks = dict(clues), []
            for at in chosen:
                was, now = discs[at].number.value or 0, discs[at].number.runner_up or 0
                changed[at] += now - was
                remarks.append(
                    f"island at row {at.row + 1}, column {at.col + 1}: {was} looked likelier, but only {now} can"
                    " be solved"
                )
            yield changed, tuple(remarks)
