"""The bridges of a board: what every span shows, and what of that is the drawing of the board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solver import bridges
from solver.bridges import Bridges, Span
from solver.lattice import Square
from vision.errors import UncertainReading
from vision.frame import Box, Pixels, Point
from vision.grids import Comb
from vision.readers.bridges.discs import Disc, still_numbered
from vision.readers.bridges.drawn import Ground
from vision.readers.bridges.lines import (
    MOST_LINES,
    UNSURE,
    Profile1,
    count_lines,
    ink,
    is_dashed,
    profile,
    usual_profiles,
)

# A line of the collection has about the ink of its ring: between these shares on small pictures, and on one board
# the same but for this much. Two lines taken for three would be half as much again.
LINE_INK = (0.88, 1.35)
LINE_INK_OFF = 0.22
# Bridges of one board have at least this share of the contrast of the strongest; fainter lines may be hints.
FAINT = 0.3
# Where the weakest has less than this share of it, as thin lines have in resampled pictures, others may have faded to so
# few levels.
UNEVEN, TRACE = 0.5, 8.0
# What leads to no island and has this share of that contrast is a bridge as well.
LOOSE = 0.5
# A bridge that crosses a weaker line has so many times its contrast, or it cannot be told which one is there.
CLEARLY_STRONGER = 1.5
# A badge hides its bridge within so many radii of its inside.
BADGE = 1.35
# So sure a badge tells the number of bridges; what is less sure than the second is none.
BADGE_SURE, DOUBTED = 0.8, 0.6


@dataclass(frozen=True)
class Measured:
    """What was measured on a frame: what bridges are told by, and what a later frame is compared with.

    badges: smaller discs with a number on the board.
    outer: the radius to which islands reach; least: levels of contrast that a bridge has.
    collection: whether the collection drew the board.
    line_ink: contrast of one bridge summed across it, in levels times px; 0 where that is not known,
        or where bridges are wide enough to be counted.
    empty: the profiles of lattice edges that no bridge can be on; usual: what they tell is drawn anyway; across: the
        profile of every span.
    """

    pixels: Pixels
    discs: Mapping[Square, Disc]
    badges: Sequence[Disc]
    xs: Comb
    ys: Comb
    ground: Ground
    outer: float
    least: float
    collection: bool = False
    line_ink: float = 0.0
    empty: Mapping[Span, Profile1] = field(default_factory=dict)
    usual: tuple[Profile1, ...] = ()
    across: Mapping[Span, Profile1 | None] = field(default_factory=dict)

    def middle(self, at: Square) -> Point:
        """Where the lattice lines through an island meet: what was measured of all that stand on them."""
        rows, columns = self._lines
        return Point(columns[at.col], rows[at.row])

    @cached_property
    def _lines(self) -> tuple[dict[int, float], dict[int, float]]:
        """The y of every row with islands, the x of every column."""
        rows, columns = defaultdict[int, list[float]](list), defaultdict[int, list[float]](list)
        for at, disc in self.discs.items():
            rows[at.row].append(disc.y)
            columns[at.col].append(disc.x)
        first, second = ({n: float(np.median(on)) for n, on in lines.items()} for lines in (rows, columns))
        return first, second


def measure(measured: Measured, shape: Bridges) -> Measured:
    """With the profiles of all spans. The clues of `shape` do not matter."""
    empty = dict(_empty_edges(measured, shape))
    return replace(
        measured,
        empty=empty,
        usual=usual_profiles(list(empty.values())),
        across={span: _across(measured, span) for span in shape.spans},
    )


def measure_again(before: Measured, pixels: Pixels, area: Box) -> Measured | None:
    """The same board on a later frame; None where more than bridges may have changed.

    Only spans that look different are measured, and of islands that do (a colour for an error, a lock) the number
    is read again. area: the part of the frame that matters.
    """
    if pixels.shape != before.pixels.shape or before.badges:
        return None
    changed = np.zeros(pixels.shape[:2], bool)
    part = _slices(area)
    changed[part] = (pixels[part] != before.pixels[part]).any(axis=2)
    now = replace(before, pixels=pixels)
    boxes = {span: _slices(_span_box(before, span)) for span in before.across}
    again = [span for span, box in boxes.items() if changed[box].any()]
    for box in boxes.values():
        changed[box] = False
    touched = _touched(before, changed)
    if touched is None or not still_numbered(pixels, touched):
        return None
    return replace(now, across={**before.across, **{span: _across(now, span) for span in again}})


def _touched(measured: Measured, changed: npt.NDArray[np.bool_]) -> list[Disc] | None:
    """The islands with changed pixels; None when pixels elsewhere have changed."""
    left, touched = changed.copy(), []
    reach = measured.outer + 2
    for disc in measured.discs.values() if left.any() else ():
        top, bottom = max(int(disc.y - reach), 0), int(disc.y + reach) + 1
        start, end = max(int(disc.x - reach), 0), int(disc.x + reach) + 1
        part = left[top:bottom, start:end]
        ys, xs = np.nonzero(part)
        own = np.hypot(xs + start + 0.5 - disc.x, ys + top + 0.5 - disc.y) <= reach
        if own.any():
            part[ys[own], xs[own]] = False
            touched.append(disc)
    return None if left.any() else touched


def _slices(box: Box) -> tuple[slice, slice]:
    return slice(box.top, box.top + box.height), slice(box.left, box.left + box.width)


def joins_of(measured: Measured) -> dict[Span, int]:
    """The bridges on the picture. Raises UncertainReading where they cannot be counted."""
    counts = {
        span: 0 if own is None else count_lines(own, measured.usual, measured.least)
        for span, own in measured.across.items()
    }
    labels = {
        span: badge
        for span, count in counts.items()
        if count and (badge := _badge(span, measured.discs, measured.badges))
    }
    unsure = [span for span, count in counts.items() if count == UNSURE]
    unsure += [span for span, badge in labels.items() if DOUBTED < badge.number.confidence < BADGE_SURE]
    unsure = unsure or _too_strong(measured, counts) or _neither(measured, counts)
    if unsure:
        raise UncertainReading(
            f"the bridges between {tuple(unsure[0].a)} and {tuple(unsure[0].b)} cannot be counted",
            hint="show the board larger",
            cells=sorted({at for span in unsure for at in span}),
        )
    joins = {span: _labelled(labels.get(span)) or count for span, count in counts.items() if count}
    return joins


def _labelled(badge: Disc | None) -> int | None:
    """How many bridges the badge says there are; None where it does not."""
    if badge is None or badge.number.confidence < BADGE_SURE:
        return None
    value = badge.number.value
    return value if value and value <= MOST_LINES else None


def _too_strong(measured: Measured, counts: Mapping[Span, int]) -> list[Span]:
    """Spans whose lines have the ink of more or of fewer; asked only where `line_ink` is known."""
    if not measured.line_ink:
        return []
    shares = {
        span: ink(own) / (measured.line_ink * counts[span])
        for span, own in measured.across.items()
        if own is not None and counts[span]
    }
    single = [share for span, share in shares.items() if counts[span] == 1]
    usual = float(np.clip(np.median(single), *LINE_INK)) if single else sum(LINE_INK) / 2
    return [span for span, share in shares.items() if abs(share / usual - 1) > LINE_INK_OFF]


def _neither(measured: Measured, counts: dict[Span, int]) -> list[Span]:
    """Spans whose lines are neither surely bridges nor surely none; takes weaker lines that cross others off `counts`."""
    strength = {
        span: 0.0 if own is None else float(own[0].max())
        for span, own in measured.across.items()
        if counts[span]
    }
    unsure: list[Span] = []
    taken: dict[Square, Span] = {}
    for span in sorted(strength, key=lambda span: -strength[span]):
        cells = bridges.between(span)
        over = [taken[cell] for cell in cells if cell in taken]
        if over:
            counts[span] = 0
            unsure += [span for other in over if strength[other] < CLEARLY_STRONGER * strength[span]]
        else:
            taken.update(dict.fromkeys(cells, span))
    if measured.collection:
        return unsure
    kept = [strength[span] for span in strength if counts[span]]
    top = max(kept, default=0.0)
    least = TRACE if kept and min(kept) < UNEVEN * top else measured.least
    for span, own in measured.across.items():
        if counts[span]:
            doubtful = strength[span] < FAINT * top
        else:
            free = not any(cell in taken for cell in bridges.between(span))
            doubtful = own is not None and free and is_dashed(own, measured.usual, least)
        if doubtful:
            unsure.append(span)
    return unsure


def _across(measured: Measured, span: Span) -> Profile1 | None:
    """The profile across the span, between its islands."""
    a, b = (measured.middle(at) for at in span)
    pitch = measured.ys.pitch if span.a.row == span.b.row else measured.xs.pitch
    badge = _badge(span, measured.discs, measured.badges)
    hidden = BADGE * badge.radius if badge is not None else 0.0
    return profile(measured.pixels, measured.ground, a, b, measured.outer + 1.5, pitch, hidden)


def _span_box(measured: Measured, span: Span) -> Box:
    """All that bridges of this span may paint: between the islands, with the soft edges of their rings."""
    a, b = (measured.discs[at] for at in span)
    if span.a.row == span.b.row:
        half, clear = 0.5 * measured.ys.pitch, measured.outer - 1.5
        left, top, right, bottom = a.x + clear, a.y - half, b.x - clear, a.y + half
    else:
        half, clear = 0.5 * measured.xs.pitch, measured.outer - 1.5
        left, top, right, bottom = a.x - half, a.y + clear, a.x + half, b.y - clear
    height, width = measured.pixels.shape[:2]
    left, top = max(int(left), 0), max(int(top), 0)
    return Box(
        left, top, max(min(int(right) + 1, width) - left, 0), max(min(int(bottom) + 1, height) - top, 0)
    )


def loose_ends(measured: Measured) -> list[Square]:
    """Lattice points that a bridge passes which leads to no island: one was not found.

    Nothing else drawn along the lattice is as strong as the bridges and on few of its edges only.
    """
    strong = [float(own[0].max()) for own in measured.across.values() if own is not None]
    least = max(LOOSE * max(strong, default=0.0), measured.least)
    found = [
        edge
        for edge, own in measured.empty.items()
        if own[0].max() >= least and count_lines(own, measured.usual[:1], measured.least) > 0
    ]
    return sorted({at for edge in found for at in edge}) if len(found) < 0.5 * len(measured.empty) else []


def _empty_edges(measured: Measured, shape: Bridges) -> Iterator[tuple[Span, Profile1]]:
    """Profiles of lattice edges that belong to no span: between empty points."""
    discs, xs, ys = measured.discs, measured.xs, measured.ys
    covered = {
        (at, span.a.row == span.b.row) for span in shape.spans for at in (span.a, *bridges.between(span))
    }
    for row in range(shape.height):
        for col in range(shape.width):
            at = Square(row, col)
            for level, other in ((True, Square(row, col + 1)), (False, Square(row + 1, col))):
                inside = other.row < shape.height and other.col < shape.width
                if inside and at not in discs and other not in discs and (at, level) not in covered:
                    a, b = (Point(xs.at(p.col), ys.at(p.row)) for p in (at, other))
                    along, over = (xs.pitch, ys.pitch) if level else (ys.pitch, xs.pitch)
                    own = profile(measured.pixels, measured.ground, a, b, 0.15 * along, over)
                    if own is not None:
                        yield Span(at, other), own


def _badge(span: Span, discs: Mapping[Square, Disc], small: Sequence[Disc]) -> Disc | None:
    """The surest small disc with a number in the middle of the span, where a program counts that way."""
    a, b = discs[span.a], discs[span.b]
    x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
    there = [disc for disc in small if abs(disc.x - x) + abs(disc.y - y) < 0.5 * a.radius]
    return max(there, key=lambda disc: disc.number.confidence, default=None)
