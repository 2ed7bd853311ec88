"""The bridges of a board: what every span shows, and what of that is the drawing of the board."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median

import numpy as np
import numpy.typing as npt

from solver import bridges
from solver.bridges import Bridges, Span
from solver.lattice import Square
from vision.errors import UncertainReading
from vision.frame import Box, Pixels, Point
from vision.grids import Comb
from vision.readers.bridges.discs import Disc, numbers_in
from vision.readers.bridges.drawn import Colour, Contrast, Ring, contrast_of
from vision.readers.bridges.lines import (
    DASHES,
    LEAST_PROFILES,
    LINE,
    MOST_LINES,
    UNSURE,
    Profile1,
    Way,
    breadth,
    edged_lines,
    in_even_pieces,
    ink,
    is_dashed,
    like_drawn,
    line_counts,
    pieces,
    profiles,
    usual_profiles,
)

# A line of the collection has about the ink of its ring: between these shares on small pictures, and on one board
# the same but for this much. Two lines taken for three would be half as much again.
LINE_INK = (0.88, 1.35)
LINE_INK_OFF = 0.22
# A line is as broad as another one up to this share of it.
LIKE_BREADTH = 0.3
# Bridges of one board have at least this share of the contrast of the strongest; fainter lines may be hints.
FAINT = 0.3
# Where the weakest has less than this share of it, as thin lines have in resampled pictures, others may have faded to so
# few levels.
UNEVEN, TRACE = 0.5, 8.0
# A drawn lattice shows on this share of the spans.
NEARLY_ALL = 0.8
# Browsers round where a line begins and ends: by so much the breadths of equal ones differ, px.
ROUNDED_PX = 1.1
# Bridges lead into their islands: within this share of the radius something is drawn.
INTO = 0.8
# A line is two bridges where it is so many times as broad as those that are one.
BROADER = 1.6
# What leads to no island and has this share of that contrast is a bridge as well.
LOOSE = 0.5
# A bridge that crosses a weaker line has so many times its contrast, or it cannot be told which one is there.
CLEARLY_STRONGER = 1.5
# A badge is so much wider than its bridge, and this share of an island's radius; it hides its bridge within so many radii.
BADGE_PX, BADGE_LEAST = 2, 0.25
BADGE = 1.15
# Where lines cross, less than this share of what is inside a badge's edge is seen.
BADGE_FULL = 0.8
ROUND = np.array([(np.cos(a), np.sin(a)) for a in np.arange(16) * np.pi / 8])
INSIDE = np.concatenate((0.5 * ROUND, 0.75 * ROUND))
# The ring of a badge in the ground's colour is within so many px of its end.
RING_PX = np.array([0.5, 1.0, 1.5])
# So sure a badge tells the number of bridges.
BADGE_SURE = 0.8
# So much of a cell is left out at both ends of a lattice edge; so many edges tell what is drawn on all.
EDGE_END = 0.15
MOST_EDGES = 120
# A bridge may end so far short of its islands, in radii; of what is between them no more than this is left out at each end.
SHORT, MOST_SHORT = 0.4, 0.2
# So far beyond the edges of islands lines are looked for, px; in a gap of so many px they are seen as well.
CLEAR_PX, GAP_PX = 1.5, 5.0
# What leaves an island is looked at so far from it, in cells, and at least so many px.
STUB, STUB_PX = 0.4, 5.0
# So far to both sides of the middle of a span, px, dashes are looked for.
ASIDE_PX = 3


@dataclass(frozen=True)
class Places:
    """Where a board's islands and spans are, which no move changes."""

    discs: Mapping[Square, Disc]
    spans: Sequence[Span]

    @cached_property
    def lines(self) -> tuple[dict[int, float], dict[int, float]]:
        """The y of every row with islands, the x of every column."""
        rows, columns = defaultdict[int, list[float]](list), defaultdict[int, list[float]](list)
        for at, disc in self.discs.items():
            rows[at.row].append(disc.y)
            columns[at.col].append(disc.x)
        first, second = ({n: median(on) for n, on in lines.items()} for lines in (rows, columns))
        return first, second

    @cached_property
    def through(self) -> dict[Square, list[Span]]:
        """The spans that begin, pass or end at every lattice point that has some."""
        found = defaultdict[Square, list[Span]](list)
        for span in self.spans:
            for at in (span.a, *bridges.between(span), span.b):
                found[at].append(span)
        return found


@dataclass(frozen=True)
class Measured:
    """What was measured on a frame: what bridges are told by, and what a later frame is compared with.

    badges: what is wider than a bridge in the middle of spans, with a number where it can be read.
    ring: how islands are drawn; least: levels of contrast that a bridge has.
    collection: whether the collection drew the board.
    line_ink: contrast of one bridge summed across it, in levels times px; 0 where that is not known,
        or where bridges are wide enough to be counted.
    broad: how broad one bridge and two are, as shares of the pitch, where the program draws two as one broad line.
    usual: what profiles of lattice edges that no bridge can be on tell is drawn anyway; across: the profile of every
        span; counts: the lines that it shows, UNSURE where it could be another number.
    """

    pixels: Pixels
    places: Places
    xs: Comb
    ys: Comb
    ground: Colour
    ring: Ring
    least: float
    collection: bool = False
    line_ink: float = 0.0
    usual: tuple[Profile1, ...] = ()
    broad: tuple[float, float] | None = None
    across: Mapping[Span, Profile1 | None] = field(default_factory=dict)
    counts: Mapping[Span, int] = field(default_factory=dict)
    badges: Mapping[Span, Disc] = field(default_factory=dict)

    @property
    def pitch(self) -> float:
        return min(self.xs.pitch, self.ys.pitch)

    @property
    def pitches(self) -> tuple[float, float]:
        """Of columns and of rows."""
        return self.xs.pitch, self.ys.pitch

    def middle(self, at: Square) -> Point:
        """Where the lattice lines through an island meet: what was measured of all that stand on them."""
        rows, columns = self.places.lines
        return Point(columns[at.col], rows[at.row])

    @property
    def discs(self) -> Mapping[Square, Disc]:
        """The islands by lattice point."""
        return self.places.discs

    def contrast(self, box: Box) -> Contrast:
        """The contrast to the ground in a part of the picture."""
        return contrast_of(self.pixels, self.ground, box)


def measure(measured: Measured, shape: Bridges, contrast: Contrast) -> Measured:
    """With the profiles of all spans. The clues of `shape` do not matter."""
    edges = empty_edges(measured, shape)
    some = edges[:: max(1, len(edges) // MOST_EDGES)]
    seen = [own for own in _edge_profiles(measured, contrast, some) if own is not None]
    if len(seen) < LEAST_PROFILES:
        outward = [way for _, span, way in ways_from_islands(measured, shape.spans) if span is None]
        beyond = profiles(contrast, outward, measured.pitches, measured.ring.outer)
        seen += [own for own in beyond if own is not None]
    measured = measured_again(replace(measured, usual=usual_profiles(seen)), contrast, shape.spans)
    offers = _offers(measured)
    return measured_again(replace(measured, usual=offers), contrast, shape.spans) if offers else measured


def _offers(measured: Measured) -> tuple[Profile1, ...]:
    """What is drawn wherever a bridge may be, as spans that cross tell: not all that have a line can have a bridge.

    Empty where a span has no line.
    """
    seen = [own for own in measured.across.values() if own is not None]
    crossed = any(
        sum(at in bridges.between(span) for span in spans) > 1
        for at, spans in measured.places.through.items()
    )
    if not crossed or not all(measured.counts.values()):
        return ()
    strength = np.array([own[0].max() for own in seen])
    return usual_profiles(
        [own for own, top in zip(seen, strength, strict=True) if top <= CLEARLY_STRONGER * strength.min()]
    )


def measured_again(measured: Measured, contrast: Contrast, spans: Sequence[Span]) -> Measured:
    """With the profiles of these spans and their lines, as the contrast shows them."""
    badges = {span: badge for span, badge in measured.badges.items() if span not in set(spans)}
    measured = replace(measured, badges={**badges, **_badges(measured, contrast, spans)})
    seen = across(measured, contrast, spans)
    counts = line_counts(list(seen.values()), measured.usual, measured.least)
    if not measured.collection:
        counts = [
            UNSURE
            if own is not None
            and count > 0
            and (_has_more_in_dashes(measured, span, own, count) or _is_beside(measured, own))
            else count
            for (span, own), count in zip(seen.items(), counts, strict=True)
        ]
    if measured.broad is not None:
        counts = [
            count if own is None or count != 1 else _by_breadth(breadth(own) / measured.pitch, measured.broad)
            for own, count in zip(seen.values(), counts, strict=True)
        ]
    return replace(
        measured,
        across={**measured.across, **seen},
        counts={**measured.counts, **dict(zip(seen, counts, strict=True))},
    )


def _by_breadth(share: float, broad: tuple[float, float]) -> int:
    """One bridge or two by how broad the line is, UNSURE where it is neither."""
    near = [count for count, one in enumerate(broad, 1) if abs(share / one - 1) <= LIKE_BREADTH]
    return near[0] if len(near) == 1 else UNSURE


def across(measured: Measured, contrast: Contrast, spans: Sequence[Span]) -> dict[Span, Profile1 | None]:
    """The profiles across spans, between their islands."""
    rows, columns = measured.places.lines
    outer = measured.ring.outer
    hidden = {span: BADGE * badge.radius for span, badge in measured.badges.items()}
    ways = []
    for a, b in spans:
        level, skip = a.row == b.row, hidden.get(Span(a, b), 0.0)
        start, end = (columns[a.col], columns[b.col]) if level else (rows[a.row], rows[b.row])
        # Between islands side by side a little of the gap is looked at, hardly wider than their edges were measured to be.
        clear = max(outer - 1.0, min(outer + CLEAR_PX, (end - start - GAP_PX) / 2))
        # Beside a badge only the ends are left.
        short = clear + (0.0 if skip else min(SHORT * outer, MOST_SHORT * (end - start - 2 * clear)))
        ways.append(Way(level, start + short, end - short, rows[a.row] if level else columns[a.col], skip))
    return dict(zip(spans, profiles(contrast, ways, measured.pitches, outer), strict=True))


def _edge_profiles(measured: Measured, contrast: Contrast, edges: Sequence[Span]) -> list[Profile1 | None]:
    """The profiles of lattice edges between empty points."""
    ways = []
    for a, b in edges:
        level = a.row == b.row
        (along, place), (over, line) = (measured.xs, a.col), (measured.ys, a.row)
        if not level:
            (along, place), (over, line) = (over, line), (along, place)
        ways.append(Way(level, along.at(place + EDGE_END), along.at(place + 1 - EDGE_END), over.at(line)))
    return profiles(contrast, ways, measured.pitches, measured.ring.outer)


def ways_from_islands(measured: Measured, spans: Sequence[Span]) -> Iterator[tuple[Square, Span | None, Way]]:
    """The first part of the way of a bridge from every island to every side, and its span; None outward, where none is."""
    clear = measured.ring.outer + CLEAR_PX
    for level, pitch in zip((True, False), measured.pitches, strict=True):
        reach = clear + max(STUB * pitch, STUB_PX)
        own = [span for span in spans if (span.a.row == span.b.row) == level]
        for end, (near, far) in enumerate(((clear, reach), (-reach, -clear))):
            led = {span[end]: span for span in own}
            for at in measured.discs:
                along, over = measured.middle(at) if level else measured.middle(at)[::-1]
                yield at, led.get(at), Way(level, along + near, along + far, over)


def joins_of(measured: Measured) -> dict[Span, int]:
    """The bridges on the picture. Raises UncertainReading where they cannot be counted."""
    broader = _broader(measured)
    counts = {**measured.counts, **{span: count for span, count in broader.items() if count != UNSURE}}
    counts |= _edged(measured) | _with_edges(measured)
    labels = {span: _labelled(badge) for span, badge in measured.badges.items() if counts[span]}
    unsure = [span for span, count in counts.items() if count == UNSURE]
    unsure += [span for span, label in labels.items() if label is None]
    # What has no label has fewer lines than those that have one.
    least = min((label for label in labels.values() if label), default=MOST_LINES + 1)
    unsure += [span for span, count in counts.items() if count >= least and span not in labels]
    unsure = unsure or _too_strong(measured, counts) or _neither(measured, counts)
    unsure = unsure or [span for span, count in broader.items() if count == UNSURE]
    unsure = unsure or _unseen(measured, counts)
    if unsure:
        raise uncounted(unsure)
    return {span: labels.get(span) or count for span, count in counts.items() if count}


def _edged(measured: Measured) -> dict[Span, int]:
    """The lines with dark edges that are by themselves: one bridge each where two are two such lines, two where one is a line
    without edges."""
    edged = {
        span: edged_lines(own)
        for span, own in measured.across.items()
        if own is not None and measured.counts[span]
    }
    one = 1 if any(count > 1 for count in edged.values()) else 2 if 1 in measured.counts.values() else UNSURE
    return {span: one for span, count in edged.items() if count == 1 and measured.counts[span] == UNSURE}


def _broader(measured: Measured) -> dict[Span, int]:
    """The lines that are clearly broader than all others, and alike among themselves: two bridges each.

    UNSURE for a single one, which may be highlighted, where an island would have too many, and where rounded px may make the
    difference.
    """
    single = {
        span: own
        for span, own in measured.across.items()
        if own is not None and measured.counts[span] == 1 and span not in measured.badges
    }
    if measured.broad is not None or len(single) < 2:
        return {}
    # Lines by hand are as broad as others along half of their length.
    halves = [own[DASHES:] for own in single.values()]
    strongest = max(float(own.max()) for own in halves)
    sizes = np.array([(ink(own) / max(strongest, 1.0), breadth(own)) for own in halves])
    # Where two are one broad line, more lines are something else.
    more = [span for span, count in measured.counts.items() if count > 1 and span not in measured.badges]
    ordered = np.sort(sizes, axis=0)
    at = _where_broad(ordered[:, 0])
    if measured.collection:
        # It draws all lines alike: two kinds are another program's with rings like its own.
        return {} if at is None else dict.fromkeys(single, UNSURE)
    if at is None:
        uneven = ordered[-1] > np.maximum(BROADER * ordered[0], ordered[0] + [0.0, ROUNDED_PX])
        doubt = uneven[0] and (uneven[1] or ordered[0, 1] <= 2 * ROUNDED_PX)
        return dict.fromkeys(single, UNSURE) if doubt and not more else {}
    broad = sizes >= ordered[at]
    found = {span: 2 for span, one in zip(single, broad[:, 0], strict=True) if one}
    unsure = dict.fromkeys([*found, *more], UNSURE)
    filled = _filled(measured, {**measured.counts, **found})
    if not more and filled == {0}:
        # Every island has what it asks for.
        return found
    rounded = ordered[at, 0] - ordered[at - 1, 0] <= ROUNDED_PX
    if rounded or ordered[at, 1] < (1 + LIKE_BREADTH) * ordered[at - 1, 1]:
        # Lines of another colour are thinner by nothing, but what is paler may be thinner than its px. Beside two lines each,
        # all are one.
        return {} if more or ordered[at - 1, 1] > 2 * ROUNDED_PX else unsure
    if (broad[:, 0] != broad[:, 1]).any():
        return {} if more else unsure
    return unsure if max(filled) > 0 or more or len(found) == 1 else found


def _unseen(measured: Measured, counts: Mapping[Span, int]) -> list[Span]:
    """The free spans on which one bridge would not show: where each of two is a line like those of the lattice."""
    alike = any(
        own is not None and counts[span] > 1 and like_drawn(own, counts[span], measured.usual)
        for span, own in measured.across.items()
    )
    taken = {cell for span, count in counts.items() if count for cell in bridges.between(span)}
    free = [span for span, own in measured.across.items() if own is not None and not counts[span]]
    return [span for span in free if alike and taken.isdisjoint(bridges.between(span))]


def _with_edges(measured: Measured) -> dict[Span, int]:
    """The spans with lines, where nowhere the ground shows on both sides of each: two may be the edges of one.

    They are where all are so, and somewhere two stand side by side; UNSURE else.
    """
    if measured.collection or measured.broad is not None:
        return {}
    counts = measured.counts
    single = {
        span: pieces(own)
        for span, own in measured.across.items()
        if own is not None and counts[span] and span not in measured.badges
    }
    if any(counts[span] <= count for span, count in single.items()):
        return {}
    sure = max(single.values(), default=0) > 1 and all(
        counts[span] == 2 * count for span, count in single.items()
    )
    return single if sure else dict.fromkeys(single, UNSURE)


def _filled(measured: Measured, counts: Mapping[Span, int]) -> set[int]:
    """By how many bridges islands have more than they ask for; where labels count down nothing tells."""
    ends = Counter[Square]()
    for span, count in counts.items():
        ends.update(dict.fromkeys(span, max(count, 0)))
    clues = {at: disc.number.value or 0 for at, disc in measured.discs.items()}
    return {ends[at] - clue for at, clue in clues.items()} if all(clues.values()) else {-1}


def _where_broad(ordered: npt.NDArray[np.float64]) -> int | None:
    """Where lines begin that are broader by far than those before, with both kinds alike among themselves; None nowhere."""
    steps = ordered[1:] / ordered[:-1]
    for at in map(int, np.argsort(-steps, kind="stable") + 1):
        kinds = ordered[:at], ordered[at:]
        alike = all(kind[-1] <= max((1 + LIKE_BREADTH) * kind[0], kind[0] + ROUNDED_PX) for kind in kinds)
        if steps[at - 1] >= BROADER and alike:
            return int(at)
    return None


def uncounted(unsure: Sequence[Span]) -> UncertainReading:
    return UncertainReading(
        f"the bridges between {unsure[0].a.in_words()} and {unsure[0].b.in_words()} cannot be counted",
        hint="show the board larger, and nothing over it",
        cells=sorted({at for span in unsure for at in (*span, *bridges.between(span))}),
    )


def _labelled(badge: Disc) -> int | None:
    """How many bridges the badge says there are; None where that is in doubt."""
    value = badge.number.value
    return value if value and value <= MOST_LINES and badge.number.confidence >= BADGE_SURE else None


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
            if any(strength[other] < CLEARLY_STRONGER * strength[span] for other in over):
                raise _crossing(span, over[0])
        else:
            taken.update(dict.fromkeys(cells, span))
    if measured.collection:
        return unsure
    kept = [strength[span] for span in strength if counts[span]]
    top = max(kept, default=0.0)
    # What is drawn in dashes and faintly is the lattice; a whole line as faint may be a hint whose gap something fills.
    clear = max(measured.least, FAINT * max(top, UNEVEN * measured.ring.contrast))
    least = TRACE if kept and min(kept) < UNEVEN * top else clear
    even: list[Span] = []
    for span, own in measured.across.items():
        if counts[span]:
            if strength[span] < clear:
                unsure.append(span)
        elif own is not None and taken.keys().isdisjoint(bridges.between(span)):
            if _in_dashes(measured, span, least):
                even.append(span)
            elif _is_dashed(measured, span, least):
                unsure.append(span)
    # Beside bridges in one piece dashes say where one can be; in a lattice they are on nearly all spans, and cross each other.
    passed = [cell for span in even for cell in bridges.between(span)]
    whole = kept and not (
        even and any(counts[span] and _in_dashes(measured, span, least) for span in strength)
    )
    hints = whole or (len(even) >= NEARLY_ALL * len(measured.across) and len(set(passed)) < len(passed))
    return unsure if hints else unsure + [span for span in even if _is_dashed(measured, span, least)]


def _is_dashed(measured: Measured, span: Span, least: float) -> bool:
    own = measured.across[span]
    return own is not None and own[2].max() >= least and is_dashed(own, measured.usual, least)


def _has_more_in_dashes(measured: Measured, span: Span, own: Profile1, count: int) -> bool:
    """Whether a span's lines are drawn in dashes, of which by chance not all seem to be whole."""
    dashed = is_dashed(own, measured.usual, measured.least, beside=count)
    return dashed and _in_dashes(measured, span, measured.least)


def _is_beside(measured: Measured, own: Profile1) -> bool:
    """Whether a span's lines run past its islands, as those of a lattice do; numbers alone have no edge to run past."""
    middle, inside = own.shape[1] // 2, int(INTO * measured.ring.outer)
    past = own[0, max(middle - inside, 0) : middle + inside + 1].max() < measured.least
    return bool(measured.ring.width and past)


def _in_dashes(measured: Measured, span: Span, least: float) -> bool:
    """Whether a span's line is drawn in even dashes of so many levels."""
    along = _along(measured, span)
    drawn = along[along >= least]
    # An island that was chosen may have a stronger edge, which reaches into the way.
    return bool(drawn.size) and in_even_pieces(along, LINE * float(np.median(drawn)))


def _along(measured: Measured, span: Span) -> npt.NDArray[np.uint8]:
    """(px,) the strongest contrast across the middle of a span, at every px of its way between the islands."""
    a, b = (measured.middle(at) for at in span)
    clear, aside = round(measured.ring.outer + 1.5), ASIDE_PX
    level = span.a.row == span.b.row
    left, top, right, bottom = round(a.x), round(a.y), round(b.x) + 1, round(b.y) + 1
    if level:
        box = Box(left + clear, top - aside, right - left - 2 * clear, bottom - top + 2 * aside)
    else:
        box = Box(left - aside, top + clear, right - left + 2 * aside, bottom - top - 2 * clear)
    return np.asarray(measured.contrast(box).away.max(axis=0 if level else 1), np.uint8)


def _crossing(one: Span, other: Span) -> UncertainReading:
    return UncertainReading(
        f"the bridges between {one.a.in_words()} and {one.b.in_words()} cross those between {other.a.in_words()} and "
        f"{other.b.in_words()}",
        hint="bridges never cross in this game: take one of them away, or it is another program's puzzle",
        cells=sorted({*one, *other}),
    )


def empty_edges(measured: Measured, shape: Bridges) -> list[Span]:
    """Lattice edges between empty points that belong to no span."""
    free = np.ones((shape.height, shape.width), bool)
    for at in measured.discs:
        free[at] = False
    across, down = free[:, :-1] & free[:, 1:], free[:-1] & free[1:]
    for a, b in shape.spans:
        if a.row == b.row:
            across[a.row, a.col : b.col] = False
        else:
            down[a.row : b.row, a.col] = False
    level = [Span(Square(r, c), Square(r, c + 1)) for r, c in np.argwhere(across).tolist()]
    return level + [Span(Square(r, c), Square(r + 1, c)) for r, c in np.argwhere(down).tolist()]


def _badges(measured: Measured, contrast: Contrast, spans: Sequence[Span]) -> dict[Span, Disc]:
    """What is wider than a bridge in the middle of each span, with the number that is in it; where there is such a thing."""
    found: dict[Span, Disc] = {}
    if measured.collection or not spans:
        return found
    outer = measured.ring.outer
    ends = np.array([(*measured.middle(s.a), *measured.middle(s.b)) for s in spans], np.float64)
    x, y = (ends[:, 0] + ends[:, 2]) / 2, (ends[:, 1] + ends[:, 3]) / 2
    level = (ends[:, 1] == ends[:, 3])[:, None]
    aside = np.arange(0.5, outer + 1)
    # Near an island only the bridge shows.
    near = np.abs(ends[:, 2:] - ends[:, :2]).max(axis=1, keepdims=True) / 2 - outer - 2
    reach = []
    # A badge is round: what is as wide beyond it is a band that lies under the bridge.
    for along in (0 * near, near, np.minimum(near, outer + 2)):
        for way in (-1, 1):
            off_x, off_y = np.where(level, along, way * aside), np.where(level, way * aside, along)
            dark = contrast.levels(x[:, None] + off_x, y[:, None] + off_y)[0] >= measured.least
            reach.append(np.where(dark.any(axis=1), dark.shape[1] - dark[:, ::-1].argmax(axis=1), 0))
    half, bridge = np.minimum(reach[0], reach[1]), np.maximum.reduce(reach[2:])
    there = (half >= bridge + BADGE_PX) & (half >= BADGE_LEAST * outer) & (half < len(aside))

    def dark_on(places: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        off_x, off_y = places.reshape(len(half), -1, 2).transpose(2, 0, 1)
        return np.asarray(contrast.levels(x[:, None] + off_x, y[:, None] + off_y)[0] >= measured.least)

    full = dark_on(np.multiply.outer(half, INSIDE)).mean(axis=1) >= BADGE_FULL
    rings = dark_on((half[:, None] - RING_PX)[..., None, None] * ROUND).reshape(len(half), len(RING_PX), -1)
    hollow = rings.any(axis=1).mean(axis=1) >= BADGE_FULL
    there &= full | hollow
    inner = np.where(full, half, half - RING_PX[-1])
    circles = [(float(x[k]), float(y[k]), float(inner[k])) for k in np.flatnonzero(there).tolist()]
    for k, circle, number in zip(
        np.flatnonzero(there).tolist(), circles, numbers_in(measured.pixels, circles), strict=True
    ):
        found[spans[k]] = Disc(*circle, number)
    return found
