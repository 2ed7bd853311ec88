"""Bridges on the picture: parallel lines between two islands.

Along a span the picture is reduced to one profile across it: at every offset the contrast that at least four
fifths of the length have. Crosses (no-bridge marks) are not as long, drawn lattice lines show on empty lattice
edges as well and are taken off, and what remains are the lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.grids import runs
from vision.readers.bridges.drawn import Contrast

Profile1 = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

# So many places along a span are looked at, so far apart (share of its length, around and around).
SAMPLES = 32
GOLDEN = (5**0.5 - 1) / 2
# Look this far (share of the pitch) to both sides: rings in the next row begin at 0.4.
ASIDE = 0.38
# And no farther than so many radii of an island.
ISLAND = 1.3
# Contrast that this share of the length lacks does not count; what half of it shows is a dashed line or a doubt.
MISSING, DASHED = 20.0, 50.0
# The row of a profile that shows lines in dashes.
DASHES = 2
# Beside a badge so much is left of a span to look at, or all of it is looked at.
BESIDE_PX = 4
# Levels under which a line is none.
LEAST_LEVELS = 22.0
# A line shows at least this share of the strongest line of its span; what shows this one may be a line.
LINE = 0.5
WEAKER = 0.2
MOST_LINES = 4
# Lines of one board have so much of the strongest one's ink.
ALIKE_INK = 0.7
# Between two lines the contrast falls to at most this share, and by as many levels as a line has; from the second share
# on it is one line's own texture.
VALLEY = 0.7
SHALLOW = 0.85
UNSURE = -1
# Within a line with edges the contrast to the ground falls to no less than this share; where it falls below the second one
# the ground shows.
SOLID, SHOWS = 0.9, 0.4
# A line so far from the middle (share of what is looked at) is neither surely a bridge nor surely none.
NEAR = 0.2
# So many percent of what is drawn anyway are no measure of its strongest.
ODD_PERCENT = 5
# What is fainter than this share of the lines is the stripe of a locked bridge.
STRIPE = 0.3
# What is drawn anyway may be so many px off.
NEAR_PX = 2
# Fewer profiles tell no line; where lines are stronger than so many levels they are taken out where this near to the usual.
LEAST_PROFILES, LEAST_LINE, LIKE_LINE, LIKE_LEVELS = 3, 6, 1.3, 10
# One bridge is nearer to the middle than two by this factor; a bundle lies within so many px, or this share, of it.
NEARER, OFF_PX, OFF = 0.5, 2.0, 0.12
# Dashes and the gaps between them are so many, without the outer ones, and each kind of one length to so many px.
LEAST_PIECES, EVEN_PX = 5, 2
# Three and more bridges of one span stand evenly apart, but for so many px and this share.
EVEN = 0.3


class Way(NamedTuple):
    """Where a profile is taken: a straight way on the picture, level or upright, in px.

    start, end: along it; middle: beside it; skip: so much is left out to both sides of its own middle, 0 for nothing.
    """

    level: bool
    start: float
    end: float
    middle: float
    skip: float = 0.0


def profiles(
    contrast: Contrast, ways: Sequence[Way], pitches_px: tuple[float, float], island_px: float
) -> list[Profile1 | None]:
    """(3, offsets) contrast to the ground in any channel, in brightness, and of dashes; None where there is no room.

    Beyond the picture there is nothing but ground: a board may be cut out close around its islands.

    pitches_px: of columns and of rows. island_px: the radius of the islands, which all bridges lead into.
    """
    found: list[Profile1 | None] = [None] * len(ways)
    for level in (True, False):
        own = np.array([nth for nth, way in enumerate(ways) if way.level == level], np.int64)
        away, grey = contrast.away, contrast.grey
        left, top = contrast.box.left, contrast.box.top
        if not level:
            left, top, away, grey = top, left, away.T, grey.T
        start, end, middle, skip = np.array([ways[nth][1:] for nth in own], np.float64).reshape(-1, 4).T
        start = np.maximum(np.ceil(start) - left, 0)
        end = np.minimum(np.floor(end) - left, away.shape[1])
        reach = max(int(min(ASIDE * pitches_px[level], ISLAND * island_px)), 2)
        first = np.floor(middle).astype(int) - reach - top
        room = (end - start >= 2) & (middle >= top) & (middle < top + away.shape[0])
        if not room.any():
            continue
        along = _places(start[room], end[room], skip[room])
        across = first[room, None] + np.arange(2 * reach + 1)
        shown = np.clip(across, 0, away.shape[0] - 1)
        weak = _weak(away[shown[:, :, None], along[:, None, :]], (MISSING, DASHED))
        pale = _weak(grey[shown[:, :, None], along[:, None, :]], (MISSING,))
        taken = np.stack([weak[0], pale[0], weak[1]], axis=1).astype(np.float32)
        taken *= (shown == across)[:, None]
        for nth, seen in zip(own[room].tolist(), taken, strict=True):
            found[nth] = seen
    return found


def _places(start: Floats, end: Floats, skip: Floats) -> npt.NDArray[np.int_]:
    """(n, SAMPLES) px along the ways, without what is skipped around the middle where enough is left.

    Evenly, but in no rhythm, so that no dashes keep step with them.
    """
    share = ((np.arange(SAMPLES) + 0.5) * GOLDEN) % 1
    half = (end - start) / 2
    skip = np.where(half - skip >= BESIDE_PX / 2, skip, 0.0)
    away = np.abs(2 * share - 1) * (half - skip)[:, None] + skip[:, None]
    places = (start + half)[:, None] + np.sign(2 * share - 1) * away
    return np.asarray(np.clip(places, start[:, None], end[:, None] - 1), int)


def _weak(contrast: npt.NDArray[np.uint8], missing: Sequence[float]) -> list[npt.NDArray[np.uint8]]:
    """The percentiles `missing` along the last axis."""
    ordered = np.sort(contrast, axis=-1)
    return [ordered[..., round(share / 100 * (contrast.shape[-1] - 1))] for share in missing]


def line_counts(
    seen: Sequence[Profile1 | None], usual: Sequence[Profile1] = (), least: float = LEAST_LEVELS
) -> list[int]:
    """`count_lines` of each, 0 for None; what looks the same is counted once."""
    known: dict[bytes, int] = {}
    counts = []
    for own in seen:
        # Without a line as strong as that in either there is none.
        if own is None or own[:2].max() < least:
            counts.append(0)
            continue
        key = own.tobytes()
        if key not in known:
            known[key] = count_lines(own, usual, least)
        counts.append(known[key])
    return counts


def usual_profiles(profiles: Sequence[Profile1]) -> tuple[Profile1, ...]:
    """The profile of lattice edges where no bridge can be, what is drawn anyway: as it mostly is, and the strongest.

    Resampled grid lines of one strength are not equally strong any more. They run through the middle; what is to the
    side belongs to islands. Empty where there are too few edges.
    """
    if len(profiles) < LEAST_PROFILES:
        return ()
    size = min(p.shape[1] for p in profiles)
    cut = np.stack([p[:, (p.shape[1] - size) // 2 : (p.shape[1] - size) // 2 + size] for p in profiles])
    mostly = np.median(cut, axis=0).astype(np.float32)
    side = size // 3
    strongest = mostly.copy()
    strongest[:, side : size - side] = np.percentile(cut[:, :, side : size - side], 100 - ODD_PERCENT, axis=0)
    return mostly, strongest


def count_lines(seen: Profile1, usual: Sequence[Profile1] = (), least: float = LEAST_LEVELS) -> int:
    """How many parallel lines the profile shows; UNSURE where it could be another number.

    usual: what is drawn anyway, as it mostly looks and as strong as it gets.
    """
    # Lines of another colour that are about as bright as their ground are not told by brightness.
    asked = (0, 1) if seen[1].max() >= WEAKER * seen[0].max() else (0,)
    both = [[_count(seen[k], drawn[k], least) for k in asked] for drawn in usual or (np.zeros((2, 0)),)]
    edged = edged_lines(seen) if len(asked) > 1 else 0
    counts = set[int]()
    for own in both:
        if edged and own[0] == edged:
            # The ground shows between two such bridges; one alone looks like two on a deck.
            counts.add(edged if edged > 1 else UNSURE)
        else:
            # What is as bright as the ground between two dark lines, and not of its colour, may be the middle of one.
            counts.add(UNSURE if own[0] == UNSURE or 0 < own[0] < max(own) else max(own))
    if counts == {0} and usual and any(_is_hidden(usual[0][k], seen[k], least) for k in asked):
        return UNSURE
    return counts.pop() if len(counts) == 1 else UNSURE


def edged_lines(seen: Profile1) -> int:
    """How many lines the profile shows of which each has dark edges and a middle of another colour; 0 where one has not."""
    edged = [
        seen[0, start + 1 : end - 1].min(initial=np.inf) >= SOLID * seen[0].max()
        and len(_lines_in(seen[1, start:end])) > 1
        for start, end in runs(seen[0] > VALLEY * seen[0].max())
    ]
    return len(edged) if all(edged) else 0


def pieces(seen: Profile1) -> int:
    """How many things a profile shows with the ground between them."""
    return len(runs(seen[0] >= SHOWS * seen[0].max()))


def like_drawn(seen: Profile1, count: int, usual: Sequence[Profile1]) -> bool:
    """Whether each of so many lines of a profile is one as what is drawn anyway, so that a single one on that does not show."""
    if not usual or usual[0][0].max(initial=0) <= LEAST_LINE:
        return False
    lines, drawn = _without(seen[0], usual[0][0]), usual[0][0]
    if lines is None or lines.max() > LIKE_LINE * drawn.max() + LIKE_LEVELS:
        return False
    return bool(lines.sum() <= LIKE_LINE * count * drawn.sum() + LIKE_LEVELS * np.count_nonzero(lines))


def is_dashed(
    seen: Profile1, usual: Sequence[Profile1] = (), least: float = LEAST_LEVELS, *, beside: int = 0
) -> bool:
    """Whether a profile shows more lines that have gaps than whole ones: bridges or hints, which nothing tells.

    beside: how many whole ones it shows.
    """
    return all(_count(seen[DASHES], drawn[DASHES], least) > beside for drawn in usual or (np.zeros((3, 0)),))


def in_even_pieces(along: npt.NDArray[np.uint8], least: float) -> bool:
    """Whether a line is drawn in dashes of one length with gaps of one length: one that grows is a single piece.

    along: contrast at every px of its way. least: the contrast of a dash.
    """
    pieces = np.diff(np.flatnonzero(np.diff((along >= least).astype(np.int8))))
    if len(pieces) >= LEAST_PIECES + 2:
        # The island's soft edge may cut the next ones, too.
        pieces = pieces[1:-1]
    return len(pieces) >= LEAST_PIECES and all(
        np.ptp(kind) <= EVEN_PX for kind in (pieces[::2], pieces[1::2])
    )


def ink(seen: Profile1) -> float:
    """The contrast of the lines, summed over px across them: blurring leaves that as it is."""
    own = seen[0]
    return float(own[own >= STRIPE * own.max(initial=0.0)].sum())


def breadth(seen: Profile1) -> float:
    """How broad the lines are together, in px, as if they had the strongest one's contrast all over; 0 for none."""
    return ink(seen) / max(float(seen[0].max(initial=0.0)), 1.0)


def _count(seen: Profile1, usual: Profile1, least: float) -> int:
    clear = _without(seen, usual) if usual.max(initial=0) > LEAST_LINE else seen
    if clear is None:
        return UNSURE
    top = float(clear.max(initial=0))
    if top < least:
        return 0
    edges = runs(clear >= LINE * top)
    free = edges[_free(edges, len(seen))]
    if not _in_the_middle(edges, len(seen)) or (
        0 < len(free) < len(edges) and (_off(free, len(seen)) <= NEARER * _off(edges, len(seen)))
    ):
        if len(free) > 1 and np.ptp(edges[1:, 0] - edges[:-1, 1]) <= EVEN_PX:
            # Or a bundle is as wide as what is looked at.
            return UNSURE
        # The ring of a neighbour may look in from the side.
        edges = free
        if not _in_the_middle(edges, len(seen)):
            # Islands whose middles are not where they were measured may have a bridge beside them.
            return UNSURE if len(edges) and _off(edges, len(seen)) <= NEAR * len(seen) else 0
    # Two rings may look in from both sides; bundles as wide as that have lines in between.
    if not _free(edges, len(seen)).any():
        return 0
    lines = [[start + at for at in _lines_in(clear[start:end])] for start, end in edges.tolist()]
    middles = [*chain.from_iterable(lines)]
    if not all(lines) or _may_be_more(edges, clear) or not _evenly(middles):
        return UNSURE
    return len(middles) if len(middles) <= MOST_LINES else 0


def _without(seen: Profile1, usual: Profile1) -> Profile1 | None:
    """A profile without what is drawn anyway, a bridge on a line of the lattice staying whole; None where it may be two."""
    clear = seen.copy()
    part, drawn = _alongside(clear, usual)
    near = _spread(drawn)
    like = part <= LIKE_LINE * near + LIKE_LEVELS
    lines = [line for line in runs(part >= LEAST_LEVELS).tolist() if near[slice(*line)].max() >= LEAST_LEVELS]
    # Each of the drawn lines is one; another that is as strong is none of them.
    kept = [(start + end) / 2 for start, end in runs(_line_px(drawn)).tolist()]
    nearest = [min(lines, key=lambda line: abs(sum(line) / 2 - at)) for at in kept if lines]
    for start, end in lines:
        line, anyway = part[start:end], like[start:end]
        if anyway.all():
            around = drawn[max(start - NEAR_PX, 0) : end + NEAR_PX]
            more = line.sum() > LIKE_LINE * around.sum() + LIKE_LEVELS * len(line)
            other = [start, end] not in nearest and line.max() >= SOLID * around.max()
            anyway[:] = not (more or other) and _wide(line) <= _wide(around) + 1
            continue
        for begin, stop in runs(anyway).tolist():
            beside, own = np.concatenate((line[:begin][-1:], line[stop:][:1])).min(), line[begin:stop]
            if own.min() < SOLID * beside:
                continue
            if SOLID * own.max() > beside:
                # Seen between two bridges, or through one.
                return None
            anyway[begin:stop] = False
    part[like] = 0
    return clear


def _is_hidden(usual: Profile1, seen: Profile1, least: float) -> bool:
    """Whether something weaker lies over the line that is drawn anyway."""
    part, drawn = _alongside(seen, usual)
    mask = _line_px(drawn)
    near = _spread(mask.astype(np.float32)) > 0
    # A page that grows darker is no part of the line.
    own = np.maximum(part[near] - np.median(part), 0)
    tolerated = LIKE_LINE * own.sum() + LIKE_LEVELS * np.count_nonzero(mask)
    return bool(mask.any() and own.max() >= least and tolerated < drawn[near].sum())


def _alongside(seen: Profile1, usual: Profile1) -> tuple[Profile1, Profile1]:
    """Both as far as the shorter one goes, views around the middle."""
    size = min(len(seen), len(usual))
    part, drawn = (one[(len(one) - size) // 2 :][:size] for one in (seen, usual))
    return part, drawn


def _spread(drawn: Profile1) -> Profile1:
    """At every px the strongest of what is drawn as far as it may be off."""
    reach = np.ones((1 + 2 * NEAR_PX, 1), np.uint8)
    return np.asarray(cv2.dilate(drawn[:, None], reach).ravel(), np.float32)


def _line_px(drawn: Profile1) -> npt.NDArray[np.bool_]:
    """Where the lines are that are drawn anyway."""
    return np.asarray(drawn >= max(LINE * drawn.max(initial=0), LEAST_LEVELS))


def _wide(line: Profile1) -> int:
    """Of how many px a line is, without its soft edges."""
    return int(np.count_nonzero(line >= LINE * line.max(initial=1)))


def _may_be_more(edges: npt.NDArray[np.intp], clear: Profile1) -> bool:
    """Whether weaker runs may be lines, too: resampled ones differ in strength, and one between two px is broader instead."""
    both = runs(clear >= WEAKER * clear.max())
    both = both[_free(both, len(clear))]
    if len(both) <= len(edges):
        return False
    inks = [float(clear[start:end].sum()) for start, end in both.tolist()]
    off = _off(edges, len(clear))
    # The counterpart of those beside the middle, on its other side, or as much ink as the strongest has.
    half = off > 1 and _off(both, len(clear)) <= NEARER * off
    return half or sum(ink >= ALIKE_INK * max(inks) for ink in inks) > len(edges)


def _free(edges: npt.NDArray[np.intp], size: int) -> npt.NDArray[np.bool_]:
    """Which runs touch neither end of the profile."""
    return (edges[:, 0] > 0) & (edges[:, 1] < size)


def _off(edges: npt.NDArray[np.intp], size: int) -> float:
    """How far from the middle the runs lie together, in px."""
    return abs(float(edges.mean()) - size / 2)


def _in_the_middle(edges: npt.NDArray[np.intp], size: int) -> bool:
    """Whether the runs lie as a bundle of bridges does; anything else is a line of something else."""
    return len(edges) > 0 and _off(edges, size) <= max(OFF_PX, OFF * size)


def _lines_in(run: Profile1) -> list[float]:
    """The middles of the lines that a dark run is, from its beginning; none where it may be one or two.

    Blurred lines run into each other, but leave a valley in between.
    """
    shallow = False
    cuts = [0]
    top = valley = float(run[0])
    lowest = 0
    for at, value in enumerate(run.tolist()):
        if value <= valley:
            valley, lowest = value, at
        elif valley <= min(VALLEY * min(top, value), min(top, value) - LEAST_LEVELS):
            cuts.append(lowest)
            top = valley = value
        elif valley <= SHALLOW * min(top, value):
            shallow = True
            top = max(top, value)
        if value > top:
            top = valley = value
    if shallow and len(cuts) == 1:
        return []
    return [
        start + float(np.flatnonzero(run[start:end] >= VALLEY * run[start:end].max()).mean())
        for start, end in pairwise([*cuts, len(run)])
    ]


def _evenly(middles: Sequence[float]) -> bool:
    """Whether lines stand as far apart as the bridges of one span do; a line's own edges are nearer to it."""
    apart = np.diff(middles)
    return len(apart) < 2 or bool(np.ptp(apart) <= max(EVEN_PX, EVEN * apart.max()))
