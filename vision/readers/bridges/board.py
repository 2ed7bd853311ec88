"""Reads Bridges of any program: islands, lattice, the bridges that are there.

What was measured stays with the reading: a later frame that differs in bridges only is read in a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from solver.bridges import Bridges, Island, Joins, Span, check
from solver.lattice import Square
from vision.errors import BoardNotFound, PartlyOff, UncertainReading, VisionError
from vision.frame import Frame, Pixels, Point
from vision.profile import SIGN, Profile
from vision.readers.bridges.discs import (
    DRAWN,
    PHOTOGRAPHED,
    SOFT,
    Disc,
    Found,
    is_clue,
    islands_of_areas,
    numbers_in,
)
from vision.readers.bridges.drawn import half_hidden
from vision.readers.bridges.learned import ENTERING, broad_of, require_program
from vision.readers.bridges.lines import LEAST_LEVELS
from vision.readers.bridges.marks import crossed_spans, locked_islands
from vision.readers.bridges.sea import Sea, box_around, sea_of
from vision.readers.bridges.spans import Measured, Places, joins_of, measure, uncounted
from vision.readers.bridges.whole import (
    passed_through,
    require_end_of_lattice,
    require_ends,
    require_no_cover,
    require_numbers,
    require_uncut,
    unread,
)
from vision.readers.bridges.witness import USUAL_BRIDGES, rivalled, settled
from vision.readers.bridges.written import islands_of_writing
from vision.reading import Geometry, Mark, Reading
from vision.scene import Scene, scene_of

# A misread number rarely leaves exactly one solution: where there is one, this share of the doubt remains.
WITNESSED = 0.4
# Less certain clues are not named.
DOUBT = 0.6
# Bridges as thin as this are counted by how dark they are as well.
THIN_PX = 1.6
# Share of the ring's contrast that a bridge of the collection has; hints of possible bridges are fainter.
HINT = 0.4
# An island that is chosen may have a broader edge, and this share of the others' radius inside.
CHOSEN = 0.8
# The board reaches so far (in cells) beyond its first and last lines.
BORDER = 0.7


@dataclass(frozen=True)
class BoardReading(Reading[Bridges, Joins]):
    """A reading that remembers its measurements, for `reread`.

    locked, crossed: islands and spans at which the collection refuses bridges.
    """

    seen: Measured | None = field(default=None, compare=False, repr=False)
    locked: frozenset[Square] = frozenset()
    crossed: frozenset[Span] = frozenset()


def read(frame: Frame, profile: Profile) -> Reading[Bridges, Joins]:
    """The Bridges board on the frame.

    Islands are looked for as drawn screens show them, then as photographs do, then by their numbers alone, until all is
    certain. Raises BoardNotFound when no circles with numbers stand on a lattice, UncertainReading when the numbers
    contradict each other and no doubtful one explains it.
    """
    scene = scene_of(frame)
    refusals: list[VisionError] = []
    doubtful: list[Reading[Bridges, Joins]] = []
    before: list[Found] = []
    for found in _ways_to_find(scene):
        before.append(found)
        # What one way could not read another one may not even see.
        blank = [at for other in before if other.like(found) for at in other.blank]
        try:
            reading = _read(frame, found, blank, profile)
        except (BoardNotFound, UncertainReading) as refusal:
            # Numbers stand on many a page: no board is in doubt for their sake.
            if found.written:
                continue
            # Whoever looks otherwise may miss what is cut.
            if isinstance(refusal, PartlyOff):
                raise
            refusals.append(refusal)
            continue
        if not reading.doubtful:
            return reading
        doubtful.append(reading)
    if doubtful:
        return min(doubtful, key=lambda reading: len(reading.doubtful))
    raise next((no for no in refusals if isinstance(no, UncertainReading)), refusals[0])


def _ways_to_find(scene: Scene) -> Iterator[Found]:
    """The islands on the picture, the cheapest way first."""
    yield scene.once(islands_of_areas, DRAWN)
    yield scene.once(islands_of_areas, PHOTOGRAPHED)
    yield scene.calm.once(islands_of_areas, SOFT)
    yield scene.once(islands_of_writing, DRAWN)
    yield scene.once(islands_of_writing, PHOTOGRAPHED)


def _read(frame: Frame, found: Found, blank: Sequence[Point], profile: Profile) -> Reading[Bridges, Joins]:
    """The board of these islands. Raises BoardNotFound and UncertainReading."""
    pixels = frame.pixels
    sea = sea_of(pixels, found.islands)
    ring, sgt = sea.ring, sea.sgt
    facts: dict[str, float] = {
        f"{SIGN}{name}": round(float(value)) for name, value in zip("bgr", sea.ground, strict=True)
    }
    facts[f"{SIGN}islands"] = round(ring.outer / sea.pitch, 2)
    require_program(profile, facts)
    size = pixels.shape[1], pixels.shape[0]
    sea = _with_overlooked(pixels, sea, blank, size)
    require_uncut(sea, size)
    xs, ys, discs, contrast = sea.xs, sea.ys, sea.discs, sea.contrast
    shape = Bridges(tuple(Island(at, 1) for at in discs), xs.count, ys.count)
    measured = measure(
        Measured(
            pixels,
            Places(discs, shape.spans),
            xs,
            ys,
            sea.ground,
            ring,
            max(LEAST_LEVELS, HINT * ring.contrast) if sgt else LEAST_LEVELS,
            sgt,
            ring.ink if sgt and ring.width <= THIN_PX else 0.0,
            broad=broad_of(profile),
        ),
        shape,
        contrast,
    )
    joins = joins_of(measured)
    require_ends(measured, shape, joins, contrast, size)
    require_no_cover(measured, joins, contrast)
    require_numbers(sea, size, passed_through(measured, joins, contrast))
    puzzle, unique, way, only = settled(discs, joins, (xs.count, ys.count), sgt)
    if not sgt:
        _require_no_letters(puzzle, joins)
    # Where all bridges are there, none leads to an island beyond the picture.
    if check(puzzle, joins):
        require_end_of_lattice(sea, frame, speaks=unique or (only and sgt))
    return BoardReading(
        puzzle=puzzle,
        placed=joins,
        geometry=Geometry(
            {Square(r, c): Point(xs.at(c), ys.at(r)) for r in range(ys.count) for c in range(xs.count)},
            sea.pitch,
        ),
        marks=_marks(discs, puzzle, unique, half_hidden(contrast, discs, ring)),
        area=box_around(pixels, xs, ys, BORDER),
        ui="sgt" if sgt else "generic",
        remarks=way.remarks,
        facts={**facts, **profile.named(ENTERING)},
        seen=measured,
        locked=locked_islands(measured) if sgt else frozenset(),
        crossed=crossed_spans(measured, joins, contrast, shape.spans) if sgt else frozenset(),
    )


def _require_no_letters(puzzle: Bridges, joins: Joins) -> None:
    """Raise UncertainReading where more bridges than usual are seen than one of their islands asks for.

    The letters of a message over a bridge look like more of them.
    """
    for span, count in joins.items():
        if count > max(USUAL_BRIDGES, min(puzzle.clues[at] for at in span)):
            raise uncounted([span])


def _with_overlooked(pixels: Pixels, sea: Sea, blank: Sequence[Point], size: tuple[int, int]) -> Sea:
    """The sea with the islands that the search missed. Raises UncertainReading where some cannot be read."""
    places = unread(sea, blank, list(sea.discs))
    if not places:
        return sea
    inside = {
        at: place for at, place in places.items() if 0 <= at.row < sea.ys.count and 0 <= at.col < sea.xs.count
    }
    more = _numbered(pixels, sea, inside)
    require_numbers(sea, size, {at: place for at, place in places.items() if at not in more})
    return sea._replace(discs=dict(sorted({**sea.discs, **more}.items())))


def _numbered(pixels: Pixels, sea: Sea, places: Mapping[Square, Point]) -> dict[Square, Disc]:
    """The islands at these places, where a number can be read."""
    found: dict[Square, Disc] = {}
    for share in (1.0, CHOSEN):
        left = [at for at in places if at not in found]
        circles = [(*places[at], share * sea.radius) for at in left]
        numbers = numbers_in(pixels, circles)
        found |= {
            at: Disc(*circle, number)
            for at, circle, number in zip(left, circles, numbers, strict=True)
            if is_clue(number)
        }
    return found


def _marks(
    discs: Mapping[Square, Disc], puzzle: Bridges, unique: bool, hidden: Set[Square]
) -> dict[Square, Mark]:
    """The clues, as certain as their digits; a board with one solution speaks for what was read, where nothing is hidden."""
    marks = {}
    rivals = hidden | (rivalled(puzzle, discs) if unique else set())
    for at in sorted(discs):
        number = discs[at].number
        sure = 1 - (1 - number.confidence) * (WITNESSED if unique and at not in rivals else 1.0)
        symbol = None if sure < DOUBT or at in rivals else str(puzzle.clues[at])
        marks[at] = Mark(symbol, sure, str(number.runner_up or ""), "given")
    return marks
