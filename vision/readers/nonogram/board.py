"""Reads nonograms of any program: the grid, the clues beside it, the cells.

The puzzle is a witness. The rows hold as many filled cells as the columns, no clue is longer than its line, and
there is a solution: where the picture leaves a doubt (two digits or two numbers, 6 or 8) these decide, and the
reading says so in its remarks. Nothing is decided against a picture that is clear.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, takewhile
from statistics import median

import cv2
import numpy as np

from solver.lattice import Square
from solver.nonogram import Nonogram, Picture, check
from vision.blobs import find_blob_grids
from vision.digits import EXAMPLE_CONFIDENCE, Number, number_of
from vision.errors import BoardNotFound, UncertainReading, VisionError
from vision.frame import Box, Frame, Pixels
from vision.grids import LEAST_RUN_PX, Grid
from vision.measures.borders import borders_of
from vision.measures.edges import near_edges, partly_off
from vision.measures.looks import grouped, measured
from vision.measures.parts import border_widths, grouped_by, line_colour, line_widths
from vision.profile import Profile
from vision.readers.nonogram.bands import Band, box_of, is_legible
from vision.readers.nonogram.claim import FAINT_STEP, NOISE_LEVELS, bolder, dashed, inner, smoothed
from vision.readers.nonogram.clues import (
    LEAST_CLUES,
    SMALL,
    Looked,
    columns_beside,
    least_clues,
    rows_beside,
    without_boxes,
)
from vision.readers.nonogram.corrections import (
    SEVERAL_ADDED,
    in_colours,
    may_be_pointed_at,
    settled,
    several_a_line,
    witness_of,
)
from vision.readers.nonogram.extent import (
    SOME_LINES,
    clues_within,
    drifts,
    enclosed,
    grown,
    left_out,
    numbers_at_edge,
    other_extents,
    skips,
    undivided,
)
from vision.readers.nonogram.inks import Colour, one_a_line, strong_inks, swatches
from vision.readers.nonogram.learned import ENTERING, looks_of, require_program
from vision.readers.nonogram.meanings import Witness
from vision.readers.nonogram.told import BoardReading, Seen, told
from vision.readers.nonogram.unruled import unruled
from vision.reading import Geometry, Reading
from vision.scene import Scene, scene_of
from vision.writing import read_letters

# Clues that agree in their sums and have just one solution are at least this sure.
WITNESSED = 0.9
# An outer line without a number, more of whose cells (share) hold a sign, is no sure part of the board.
# One is none, either, of which so many cells look as no others do, and not like cells left alone.
EDGE_SIGNS, EDGE_OWN = 0.5, 0.8
# One with fewer is a weak witness: a quick and a thorough look must see this share of its lines alike, and no others are asked.
WEAK, MOST_LINES = 8, 0.7
# Of the digits next to a grid with several solutions it must see as large a share: those as high, give or take a share, in what
# so many px around leaves free.
AS_HIGH, NEXT_TO_PX = 0.25, 2
# A grid is a part of another one where so much of its area lies in it, and it has so many more cells at most.
INSIDE = 0.8
# The numbers of cells so small are looked at on a picture so many times as large, before a thorough look.
SMALL_CELLS_PX, LARGER = 30.0, 2
# Where not all are as sure as this, only boards with so many lines are witness enough, and a clear reading goes before.
SURE, STRONG = 0.8, 10
UNSURE = "the numbers were read on the picture twice as large, where not all of them are sure"
SAMPLED_PX = 500
# Where more of the cells (share) are in doubt on the picture with its pattern, and all others are as without it, that is
# what was seen of them.
PATTERNED_CELLS = 0.25
MOST_GRIDS = 5
# After so much work, in px of quick looks (see `Looked`), no further way to see a board is tried. What is ever read takes up
# to 39 million: the rest are photographs and textures with something like writing all over.
MOST_LOOKED_PX = 40_000_000
# On another view than the picture so much may be done even then: what a box leaves of a board takes 0.4 million.
LEAST_LOOKED_PX = 1_000_000
# Where a digit was decided no more of the cells are in doubt.
MOST_DOUBTFUL = 0.5
# Numbers beside this share of the lines are worth a thorough look; beside this one, where not all lines show.
PROMISING, NEARLY_ALL = 0.25, 0.9
# From so many strong colours on the clues are those of a coloured nonogram; a unique solution speaks against it.
COLOURED, COLOURED_UNIQUE = 2, 3
# A line that goes on past the last one to the picture's edge shows so much of itself there, and so many lines do; the
# frame itself takes so many px.
CUT_LINE, CUT_LINES, FRAME_PX = 0.8, 0.6, 4
# Of a last cell so much is on the picture where only its outer line is not.
NEARLY_A_CELL = 0.8
# Inside the picture the first part of a cell (share of the pitch) has to show its sides.
HIDDEN = 0.45
# Channels of a grey differ by less.
GREY = 12
# The rim of the grid is flat where less than this share of its px is so many levels from the first one's colour.
FLAT_LEVELS, ROUGH = 12, 0.1
# The collection's frame is so many times as wide as its inner lines, give or take a share of those, of one colour to so many
# levels.
FRAME_TO_LINE, OFF_WIDTH, LINE_LEVELS = 3.0, 0.8, 14


def read(frame: Frame, profile: Profile) -> Reading[Nonogram, Picture]:
    """The nonogram on the frame.

    Raises BoardNotFound when no grid with numbers beside it is there, UncertainReading when the numbers contradict
    each other and no doubtful one explains it.
    """
    scene = scene_of(frame)
    scene = scene.once(enclosed) or scene
    noisy = _is_noisy(scene.pixels)
    if noisy:
        # Past the grain of a camera.
        scene = Scene(np.asarray(cv2.bilateralFilter(scene.pixels, 5, 36, 2), np.uint8))
    left, refusals = MOST_LOOKED_PX, list[BoardNotFound | UncertainReading]()
    for view, ways in _looks(scene, profile, noisy, refusals):
        looked, before = view.once(Looked), view.once(Looked).px
        try:
            most = left if view is scene else max(left, LEAST_LOOKED_PX)
            found = _best(_worth_it(ways, looked, before + most))
            if view is scene:
                return found
            again = _seen_on(found, scene.pixels)
            # Cells of which their pattern alone is seen are told without it, and read anew at every look.
            doubted = set(again.doubtful)
            alike = all(
                found.marks[at].symbol in (mark.symbol, None)
                for at, mark in again.marks.items()
                if at not in doubted
            )
            patterned = alike and len(doubted) > PATTERNED_CELLS * len(again.marks)
            return replace(found, seen=None) if patterned else again
        except (BoardNotFound, UncertainReading) as error:
            refusals.append(error)
        left -= looked.px - before
    if left > 0:
        _require_uncut(scene, noisy, refusals[0])
    raise refusals[0]


def _require_uncut(scene: Scene, framed: bool, why: VisionError) -> None:
    """Raises PartlyOff where a grid has clues on one side, and what is beside it on the other is cut by the picture's edge."""
    for grid in (*scene.grids()[:MOST_GRIDS], *scene.once(find_blob_grids)[:MOST_GRIDS]):
        for cells in (grid, *inner(scene, grid)):
            rows, cols = (beside(scene, cells, framed, False)[0] for beside in (rows_beside, columns_beside))
            clued = max(rows.fitting(cells.cols), cols.fitting(cells.rows))
            # A few round things beside a few cells are no numbers.
            least = min(cells.rows, cells.cols)
            if clued >= LEAST_CLUES and least > SOME_LINES:
                _require_uncut_numbers(scene, cells, rows, cols)
            strong = clued >= NEARLY_ALL and least >= WEAK
            if (
                strong
                and isinstance(why, BoardNotFound)
                and (sides := numbers_at_edge(scene, cells, rows, cols))
            ):
                raise _partly_off(sides, f"{why}")


def _require_uncut_numbers(
    scene: Scene, grid: Grid, rows: Band, cols: Band, *, legible: bool = False
) -> None:
    """Raises PartlyOff where the picture's edge cuts numbers. legible: none that was read for sure."""
    at_edge = numbers_at_edge(scene, grid, rows, cols, legible=legible)
    sides = [side for side, how in at_edge.items() if how == "cut"]
    if sides:
        raise partly_off(f"numbers are cut by the {' and '.join(sides)} edge of the picture")


def _require_room(scene: Scene, grid: Grid, bands: Iterable[Band], px: float) -> None:
    """Raises PartlyOff where the numbers beside a grid end nearer to the picture's edge than so many px."""
    digits = (one.box for band in bands for one in band.digits)
    around = Box.around(grid.box, *digits)
    sides = [
        side
        for side in near_edges(around, scene.size, px)
        if getattr(around, side) != getattr(grid.box, side)
    ]
    if sides:
        raise partly_off(f"numbers may be cut by the {' and '.join(sides)} edge of the picture")


def _require_room_beyond_odd(scene: Scene, grid: Grid, rows: Band, cols: Band) -> None:
    """Raises PartlyOff where a line ends with a number beyond another one that alone of its digits is hard to read, and
    further numbers may be cut off: it may be something else that makes up for one of these."""
    odd = Counter(
        glyph.value
        for number in chain(*rows.lines, *cols.lines)
        for glyph in number.glyphs
        if glyph.confidence < EXAMPLE_CONFIDENCE
    )
    for band, level in ((rows, True), (cols, False)):
        after = band.after(grid.box, level=level)
        outermost = (line[-1 if after else 0] for line in band.lines if len(line) > 1)
        if any(
            odd[glyph.value] == 1
            for number in outermost
            if not is_legible([number])
            for glyph in number.glyphs
        ):
            _require_room(scene, grid, [band], band.widest_gap(level=level))


def _looks(
    scene: Scene, profile: Profile, noisy: bool, refusals: Sequence[VisionError]
) -> Iterator[tuple[Scene, Iterator[Way]]]:
    """The looks at a picture, each with what it looks at: as it is, at faint, clearer and dashed lines, without its pattern.

    refusals: of the looks so far; where one saw a board, no pattern hides it.
    """
    yield scene, _ways(scene, scene.grids(), profile, framed=noisy)
    if noisy:
        return
    known = scene.grids()[:MOST_GRIDS]
    faint = _others((*scene.grids(FAINT_STEP), *scene.once(find_blob_grids)), known)
    # Boxes leave little to look at, and a photograph around them much.
    yield from _boxed(scene, (*known, *faint)[:MOST_GRIDS], profile)
    # What is so faint may have a frame that is not; numbers may stand nearer than that could reach.
    yield scene, chain.from_iterable(_ways(scene, faint, profile, framed=framed) for framed in (True, False))
    yield scene, _ways(scene, scene.once(bolder), profile, framed=False)
    yield scene, _ways(scene, _others(scene.once(dashed), (*known, *faint)), profile, framed=False)
    if any(isinstance(one, UncertainReading) for one in refusals):
        return
    if view := scene.once(smoothed):
        yield view, _ways(view, view.grids(), profile, framed=False)
    # Numbers may stand on chips, each with a frame of its own, and in line with fainter cells, like a further row of them.
    parts = [one for one in scene.grids(FAINT_STEP)[:MOST_GRIDS] if not _others([one], known)]
    look = partial(_read_cells, scene, profile=profile, framed=True, smaller=True)
    yield scene, (partial(look, one, thorough=thorough) for one in parts for thorough in (False, True))


def _boxed(scene: Scene, grids: Sequence[Grid], profile: Profile) -> Iterator[tuple[Scene, Iterator[Way]]]:
    """Looks at boards whose clues stand in boxes like the cells, without what is beyond the boxes."""
    for grid in grids:
        larger = (one for one in grids if one.rows * one.cols > grid.rows * grid.cols)
        # Without what is beyond it no look shows that the board goes on, or that the outer boxes are missing.
        if "cut" in scene.once(_cut_sides, grid).values() or any(
            grid.box.mostly_in(one.box, INSIDE) for one in larger
        ):
            continue
        cells = scene.once(without_boxes, grid)
        if cells.rows < grid.rows and cells.cols < grid.cols:
            pixels = np.full_like(scene.pixels, scene.ground)
            inside = Box.around(grid.box).clipped(scene.size).window
            pixels[inside] = scene.pixels[inside]
            view = Scene(pixels)
            looks = (False, True)
            yield view, (partial(_read_cells, view, cells, profile, False, thorough=look) for look in looks)


def _others(grids: Iterable[Grid], known: Sequence[Grid]) -> list[Grid]:
    """The grids that are no part of those which were looked at whole: some of their cells, and a line beside them perhaps."""
    return [
        one
        for one in grids
        if not any(
            one.box.mostly_in(grid.box, INSIDE) and INSIDE * one.rows * one.cols <= grid.rows * grid.cols
            for grid in known
        )
    ]


def _worth_it(ways: Iterable[Way], looked: Looked, most: int) -> Iterator[Way]:
    """The ways before so much work was done. most: px of quick looks."""
    return takewhile(lambda _: looked.px <= most, ways)


def _seen_on(reading: BoardReading, pixels: Pixels) -> BoardReading:
    """A reading whose cells hold what they show on another picture of the same board.

    Raises UncertainReading where more than one solution is left: numbers may be of what was taken for the page's pattern.
    """
    seen = reading.seen
    if not seen or reading.remarks or seen.least < WITNESSED:
        raise UncertainReading("without what belongs to the page the numbers have more than one solution")
    cells = measured(pixels, seen.borders)
    on = replace(reading, seen=replace(seen, pixels=pixels, cells=cells), marks={})
    return told(on, grouped(cells, reading.puzzle.width))


def _is_noisy(pixels: Pixels) -> bool:
    """Whether more than half of the middle is grain: a screen is flat, a camera or a stream is not."""
    top, left = (max((side - SAMPLED_PX) // 2, 0) for side in pixels.shape[:2])
    part = np.ascontiguousarray(pixels[top : top + SAMPLED_PX, left : left + SAMPLED_PX])
    grain = cv2.absdiff(part, cv2.medianBlur(part, 3)) >= NOISE_LEVELS
    return bool(2 * np.count_nonzero(grain) > part.size)


Way = Callable[[], BoardReading | None]


def _ways(scene: Scene, grids: Sequence[Grid], profile: Profile, *, framed: bool) -> Iterator[Way]:
    """Every way to see a board, the cheapest first; None where there are too few clues, or what `read` raises.

    framed: the frame of the grid may touch the numbers.
    """
    look = partial(_read_cells, profile=profile, framed=framed)
    for grid in grids[:MOST_GRIDS]:
        yield partial(look, scene, grid, thorough=False)
        beyond = (
            (end - comb.at(comb.count - 1)) / comb.pitch
            for comb, end in zip((grid.xs, grid.ys), scene.size, strict=True)
        )
        if "cut" in scene.once(_cut_sides, grid).values() and not any(
            NEARLY_A_CELL <= one < 1 for one in beyond
        ):
            # No other look shows what lies beyond the picture.
            continue
        # The grid may have the boxes of the clues as its outer rows and columns.
        within = inner(scene, grid)
        for cells in within:
            yield partial(look, scene, cells, thorough=False, smaller=True)
            if min(cells.rows, cells.cols) >= WEAK:
                yield partial(_unsaid, partial(_read_unruled, scene, cells, profile))
        # Of both that one is looked at closely beside which the quick look saw more numbers: some on two sides, or most of
        # them on one.
        sides, cells = max(
            ((_clued_beside(scene, of, framed), of) for of in (grid, *within)), key=lambda one: one[0]
        )
        if sides[0] >= PROMISING or sides[1] >= LEAST_CLUES:
            small = min(cells.xs.pitch, cells.ys.pitch) <= SMALL_CELLS_PX
            if small and min(cells.rows, cells.cols) >= WEAK:
                yield partial(_unsaid, partial(_read_enlarged, scene, cells, profile, framed))
            yield partial(look, scene, cells, thorough=True, smaller=cells != grid)
            if min(cells.rows, cells.cols) >= WEAK:
                # One side may be better seen by either look.
                for side in ("rows", "columns"):
                    yield partial(_unsaid, partial(look, scene, cells, thorough=side, larger=True))
        # Boxes that end a line before the cells do are told by what stands beside all of the grid.
        both = (one for of in dict.fromkeys((cells, grid)) for one in other_extents(scene, of, framed))
        others = list(dict.fromkeys(both))
        for other, larger in others:
            way = partial(look, scene, other, larger=larger, smaller=not larger)
            yield partial(_unsaid, partial(way, thorough=False))
        for other, larger in others:
            if _clued_beside(scene, other, framed)[0] >= NEARLY_ALL:
                way = partial(look, scene, other, larger=larger, smaller=not larger)
                yield partial(_unsaid, partial(way, thorough=True))


def _clued_beside(scene: Scene, grid: Grid, framed: bool) -> tuple[float, float]:
    """Beside which share of the lines the quick look saw numbers: on the side with fewer, and on the other one."""
    less, more = sorted(
        beside(scene, grid, framed, False)[0].clued for beside in (rows_beside, columns_beside)
    )
    return less, more


def _best(ways: Iterable[Way]) -> BoardReading:
    """The first way that needs nothing decided, or else the first one that makes sense."""
    corrected: BoardReading | None = None
    doubts: UncertainReading | None = None
    for way in ways:
        try:
            reading = way()
        except UncertainReading as error:
            doubts = error
            continue
        except BoardNotFound:
            continue
        if reading is not None and not reading.remarks:
            return reading
        corrected = corrected or reading
    if corrected is not None:
        return corrected
    raise doubts or BoardNotFound(
        "no grid with numbers on two of its sides on the picture", hint="show the whole board with its clues"
    )


def _read_unruled(scene: Scene, grid: Grid, profile: Profile) -> BoardReading | None:
    """The board whose clues stand in boxes, read without the lines around them.

    It is proved by a single solution and numbers at all outer lines, as the one with small cells is.
    """
    view = scene.once(unruled, grid)
    found = _read_cells(view, grid, profile, framed=False, thorough=False, larger=True)
    return found and _seen_on(found, scene.pixels)


def _read_enlarged(scene: Scene, grid: Grid, profile: Profile, framed: bool) -> BoardReading | None:
    """The board with small cells, its numbers read on a picture so many times as large."""
    view, large = scene.once(_enlarged), grid.enlarged(LARGER)
    found = _read_cells(view, large, profile, framed=framed, thorough=False, larger=True)
    if found is None or found.seen is None or found.seen.inks:
        return None
    if (found.puzzle.height, found.puzzle.width) != (grid.rows, grid.cols):
        # Of fewer lines, or more, the places are not known here.
        return None
    sure = min(*found.seen.row_sure, *found.seen.col_sure) >= SURE
    if not sure and min(grid.rows, grid.cols) < STRONG:
        return None
    board = found.seen.board.shrunk(LARGER)
    seen = replace(found.seen, borders=borders_of(scene, grid), board=board)
    reading = _seen_on(replace(found, geometry=_geometry(grid), area=board, seen=seen), scene.pixels)
    return reading if sure else replace(reading, remarks=(UNSURE,))


def _enlarged(scene: Scene) -> Scene:
    pixels = cv2.resize(scene.pixels, None, fx=LARGER, fy=LARGER, interpolation=cv2.INTER_CUBIC)
    return Scene(np.asarray(pixels, np.uint8))


def _unsaid(way: Way) -> BoardReading | None:
    """A way to see a board whose doubts say nothing."""
    try:
        return way()
    except UncertainReading:
        return None


def _read_cells(
    scene: Scene,
    grid: Grid,
    profile: Profile,
    framed: bool,
    *,
    thorough: bool | str,
    larger: bool = False,
    smaller: bool = False,
) -> BoardReading | None:
    """The board whose cells are these, all of them; None when too few of their lines have clues.

    thorough: of both sides, or of "rows" or "columns" alone. larger: numbers alone say that there are so many lines; then
    only a single solution proves it, or one that is shown. smaller: they alone say that there are no more.
    """
    ends = grid.centre(0, 0), grid.centre(grid.rows - 1, grid.cols - 1)
    if min(grid.rows, grid.cols) < 2 or not all(map(Box(0, 0, *scene.size).contains, ends)):
        # What lies beyond the picture is no cell.
        return None
    ways = rows_beside(scene, grid, framed, thorough in (True, "rows"))
    if not any(ways[0].lines):
        return None
    columns = columns_beside(scene, grid, framed, thorough in (True, "columns"))
    lines = grid.rows + grid.cols
    clued = sum(bool(line) for line in (*columns[0].lines, *ways[0].lines))
    if clued < least_clues(grid) * lines or not any(columns[0].lines):
        return None
    if clues_within(scene, grid, framed):
        raise UncertainReading("numbers stand in the first row and the first column of the grid")
    cut = scene.once(_cut_sides, grid)
    if "cut" in cut.values():
        raise _partly_off(cut, "the lines of the grid go on to the picture's edge")
    if (cells := _without_gaps(scene, grid, ways[0], columns[0])) != grid:
        return _read_cells(scene, cells, profile, framed, thorough=thorough, larger=larger, smaller=smaller)
    in_inks = in_colours(scene, ways, columns)
    if in_inks is not None:
        rows, cols, puzzle, inks = in_inks
        reading = _with_cells(scene, grid, profile, (rows, cols), (Witness(puzzle), True), inks=inks)
        if reading.controls or not may_be_pointed_at(puzzle):
            return reading
    try:
        rows, cols, remarks = settled(ways, columns)
    except (BoardNotFound, UncertainReading) as error:
        # Numbers too long for the lines that show speak against a nonogram, but not where there may be more.
        if isinstance(error, BoardNotFound) and not (cut and several_a_line(ways[0], columns[0])):
            raise
        if max(ways[0].fitting(grid.cols), columns[0].fitting(grid.rows)) >= LEAST_CLUES:
            _require_uncut_numbers(scene, grid, ways[0], columns[0])
        beyond = cut or numbers_at_edge(scene, grid, ways[0], columns[0])
        raise (_partly_off(beyond, f"{error}".removesuffix(": no nonogram")) if beyond else error) from None
    _require_last(scene, grid, framed, cut)
    _require_whole(scene, grid, framed, rows, cols, bool(thorough))
    whole = left_out(scene, grid, rows, cols)
    if whole != grid:
        return _read_cells(scene, whole, profile, framed, thorough=thorough, larger=larger, smaller=smaller)
    if outer := undivided(scene, grid, rows, cols):
        raise UncertainReading(
            f"the {' and '.join(outer)} line of the grid has no number and no lines around its cells: no part of the board?",
            hint="show the whole board with its clues on two sides, and nothing beside it",
        )
    if not any(rows.clues) and not any(cols.clues):
        # Round things beside a grid, pieces on a chessboard, that pass for noughts.
        return None
    if remarks:
        _require_witnesses(scene, grid, framed, rows, cols, remarks[0])
    known = witness_of(Nonogram(rows.clues, cols.clues))
    if not (known[1] or thorough):
        _require_all_seen(scene, grid, rows, cols)
    # What is left of a digit looks like another one, or is missed while something else passes for a number.
    _require_uncut_numbers(scene, grid, rows, cols, legible=known[1] and not remarks)
    if larger:
        _require_room(scene, grid, (rows, cols), 1)
    as_read = all(map(_as_read, chain(*rows.lines, *cols.lines)))
    if remarks and as_read:
        # No digit was decided, but how many numbers there are: on the other side some may be missing.
        for band, most, other, level in (
            (rows, ways[0], columns[0], True),
            (cols, columns[0], ways[0], False),
        ):
            if band == most:
                _require_room(scene, grid, [band], band.likely_gap(other, level=level))
    _require_room_beyond_odd(scene, grid, rows, cols)
    # A nought beyond the last line may be any round sign.
    at_all_ends = all(band.clues[end] for band in (rows, cols) for end in (0, -1))
    if larger and (not at_all_ends or drifts(grid, rows, cols)):
        return None
    if skips(scene, grid, rows, cols, marked=not larger):
        if larger:
            return None
        raise UncertainReading(
            "marks stand between the numbers and the cells, as in a line of the board without a number",
            hint="show the whole board with its clues on two sides, and nothing beside it",
        )
    _require_nonogram(scene, rows, cols, unique=known[1], decided=bool(remarks) and not as_read)
    reading = _with_cells(scene, grid, profile, (rows, cols), known, remarks=remarks)
    _require_entries(reading.placed, len(reading.doubtful) / (grid.rows * grid.cols), rows, cols, known[0])
    return reading if known[1] or not larger or _is_solved(reading) else None


def _without_gaps(scene: Scene, grid: Grid, rows: Band, cols: Band) -> Grid:
    """The grid without outer lines that are the gap between the numbers and the cells."""
    numbered = {
        "right" if rows.after(grid.box, level=True) else "left",
        "bottom" if cols.after(grid.box, level=False) else "top",
    }
    gaps = [side for side in undivided(scene, grid, rows, cols) if side in numbered]
    cells = grid.without(**dict.fromkeys(gaps, 1))
    return cells if gaps and left_out(scene, cells, rows, cols) == cells else grid


def _is_solved(reading: BoardReading) -> bool:
    """Whether the filled cells are a solution and nothing is in doubt."""
    filled = reading.placed.filled
    blank = frozenset(reading.geometry.centres) - filled
    return not reading.doubtful and not check(reading.puzzle, Picture(filled, blank))


def _as_read(number: Number) -> bool:
    """Whether it is what its digits look like, not what the other clues decided."""
    return number.value == number_of(number.glyphs).value


def _require_witnesses(scene: Scene, grid: Grid, framed: bool, rows: Band, cols: Band, decided: str) -> None:
    """Raises UncertainReading where the other clues are not enough to decide what a digit is."""
    why, box, larger = "", grid.box, scene.once(grown, grid, framed).box
    # Lines go on around numbers that stand there.
    right = larger.right > box.right + FRAME_PX and rows.area.right <= box.right
    if right or (larger.bottom > box.bottom + FRAME_PX and cols.area.bottom <= box.bottom):
        why = "lines show beyond the last number, and between digits nothing can be decided then"
    elif min(grid.rows, grid.cols) < SMALL:
        why = f"a grid of {grid.rows} x {grid.cols} is too small to decide between digits"
    elif not all(band.lines[0] and band.lines[-1] for band in (rows, cols)):
        # One without is no hindrance to a single solution, and so none is proved.
        why = "an outer line of the grid has no number, and between digits nothing can be decided then"
    if why:
        hint = "a clearer or larger picture of the whole board helps"
        raise UncertainReading(f"{why}: {decided}", hint=hint)


def _require_entries(placed: Picture, doubtful: float, rows: Band, cols: Band, witness: Witness) -> None:
    """Raises UncertainReading where a filled cell speaks against a number that the other clues decided, or most cells do.

    doubtful: the share of the cells in doubt: beside another puzzle they make no sense.
    """
    wrong = placed.filled & witness.blank
    if not (wrong or doubtful > MOST_DOUBTFUL) or all(map(_as_read, chain(*rows.lines, *cols.lines))):
        return
    first = min(wrong, default=None)
    where = (
        f"row {first.row + 1}, column {first.col + 1}: the filled cell speaks"
        if first
        else "most cells speak"
    )
    raise UncertainReading(
        f"{where} against the number that fits the other clues",
        hint="a clearer or larger picture of the whole board helps",
    )


def _require_last(scene: Scene, grid: Grid, framed: bool, cut: Mapping[str, str]) -> None:
    """Raises UncertainReading where the lines go on and a number stands beside the next one: a nought adds nothing."""
    below, right = (cut.get(side) == "hidden" for side in ("bottom", "right"))
    larger = grid.without(0, 0, bottom=-below, right=-right)
    sides = [(below, rows_beside), (right, columns_beside)]
    if any(more and beside(scene, larger, framed, False)[0].lines[-1] for more, beside in sides):
        raise _partly_off(cut, "a number stands beside a further line")


def _require_whole(scene: Scene, grid: Grid, framed: bool, rows: Band, cols: Band, thorough: bool) -> None:
    """Raises UncertainReading where the numbers may be others, or the board smaller than it looks."""
    if min(grid.rows, grid.cols) < WEAK and thorough and not _agree(scene, grid, framed, rows, cols):
        raise UncertainReading(
            f"the numbers beside a grid of {grid.rows} x {grid.cols} are read in two ways",
            hint="a clearer or larger picture of the whole board helps",
        )
    empty = [_empty_at_an_end(band) for band in (cols, rows)]
    # Thick lines tell how many lines there are.
    if max(empty) > 1 and any(
        1 < most >= every for most, every in zip(empty, scene.once(grouped_by, grid), strict=True)
    ):
        raise UncertainReading(
            "two lines at an edge of the grid have no numbers: the board may be smaller than it looks",
            hint="show the whole board with its clues, and nothing beside it",
        )


def _empty_at_an_end(band: Band) -> int:
    """How many lines have no clue before the first one that has, or after the last, whichever are more."""
    clued = _clued(band)
    return max(ends.index(True) if any(ends) else len(ends) for ends in (clued, clued[::-1]))


def _clued(band: Band) -> list[bool]:
    """Which lines have a clue: several noughts are none but round letters, unless all lines are filled up with them."""
    filled_up = len({len(line) for line in band.lines}) == 1
    return [
        bool(line) and (filled_up or len(line) == 1 or any(number.value for number in line))
        for line in band.lines
    ]


def _require_nonogram(scene: Scene, rows: Band, cols: Band, *, unique: bool, decided: bool) -> None:
    """Raises UncertainReading where the numbers may be those of another puzzle, or of a coloured nonogram.

    decided: some digits are what makes a single solution of them.
    """
    clues = (*rows.clues, *cols.clues)
    if (decided or not unique) and sum(len(clue) > 1 for clue in clues) < SEVERAL_ADDED * len(clues):
        raise UncertainReading(
            "hardly any line of the grid has more than one number, and they have no single solution as they look:"
            " another puzzle?",
            hint="name the game with --game if it is another one",
        )
    inks = strong_inks(scene, rows, cols)
    if inks >= (COLOURED_UNIQUE if unique else COLOURED) and not one_a_line(scene, rows, cols):
        raise UncertainReading(
            "the numbers have several strong colours, but as the clues of a coloured nonogram they have no single solution",
            hint="a clearer or larger picture helps; a coloured puzzle can be given as a webpbn XML file",
        )


def _with_cells(
    scene: Scene,
    grid: Grid,
    profile: Profile,
    bands: tuple[Band, Band],
    known: tuple[Witness, bool],
    *,
    remarks: tuple[str, ...] = (),
    inks: Mapping[str, Colour] | None = None,
) -> BoardReading:
    """The reading of a board with what its cells hold.

    bands: the clues of rows and columns. known: what they tell of the solution, and whether it is the only one. inks: of a
    coloured nonogram. Raises UncertainReading where an ink cannot be told from an empty cell.
    """
    (rows, cols), (witness, unique), inks = bands, known, inks or {}
    pixels, borders = scene.pixels, borders_of(scene, grid)
    board = Box.around(grid.box, rows.area, cols.area).clipped(scene.size)
    controls = swatches(scene, board, min(grid.xs.pitch, grid.ys.pitch), inks) if inks else {}
    # Cells with inks mean what their colours say.
    sgt_lines, learned = (None, ()) if inks else (_collection_lines(scene, grid), looks_of(profile))
    cells, least = measured(pixels, borders), WITNESSED if unique else 0.0
    sure = _sure(rows), _sure(cols)
    seen = Seen(pixels, borders, cells, (), witness, sgt_lines, learned, *sure, least, board, inks)
    reading = told(
        BoardReading(
            puzzle=witness.puzzle,
            placed=Picture(),
            geometry=_geometry(grid),
            marks={},
            controls=controls,
            area=Box.around(
                board, *(Box(round(one.at.x), round(one.at.y), 1, 1) for one in controls.values())
            ),
            ui="coloured" if inks else "generic" if sgt_lines is None else "sgt",
            remarks=remarks,
            facts=profile.named(*ENTERING),
            seen=seen,
        ),
        grouped(cells, grid.cols, [one for _, one in seen.known]),
    )
    require_program(profile, pixels, reading, reading.looks)
    if seen.known and witness.blank and reading.placed.filled >= reading.geometry.centres.keys():
        # Under a dark veil cells that were left alone look as filled ones did.
        raise UncertainReading("all cells look filled", hint="close what lies over the board")
    if not inks:
        _require_edges(reading, rows, cols)
    return reading


def _require_edges(reading: BoardReading, rows: Band, cols: Band) -> None:
    """Raise UncertainReading where signs stand in outer lines without numbers alone: clues of another side."""
    signs = {cell for look in reading.looks if look.marked or look.odd for cell in look.cells}
    edges = {
        (name, line): {cell for cell in reading.marks if getattr(cell, name[:3]) == line}
        for band, name in ((rows, "row"), (cols, "column"))
        for line in (0, len(band.lines) - 1)
        if not band.lines[line]
    }
    if signs - set(reading.doubtful) - set().union(*edges.values()):
        # Where other cells have crosses, signs that are none are told by them.
        signs = set(reading.doubtful)
    # A band between the numbers and the cells has a colour that no cell has.
    every = set().union(*edges.values())
    own = {cell for look in reading.looks if every.issuperset(look.cells) for cell in look.cells}
    for (name, line), cells in edges.items():
        if len(cells & signs) > EDGE_SIGNS * len(cells) or len(cells & (own | signs)) > EDGE_OWN * len(cells):
            raise UncertainReading(
                f"{name} {line + 1} has no number, and what stands in its cells may be numbers: no part of the board?",
                hint="show the whole board with its clues on two sides, and nothing beside it",
            )


def _sure(band: Band) -> list[float]:
    """How sure the clues of each line are."""
    return [min((number.confidence for number in line), default=1.0) for line in band.lines]


def _geometry(grid: Grid) -> Geometry:
    return Geometry(
        {Square(r, c): grid.centre(r, c) for r in range(grid.rows) for c in range(grid.cols)},
        min(grid.xs.pitch, grid.ys.pitch),
    )


def _agree(scene: Scene, grid: Grid, framed: bool, rows: Band, cols: Band) -> bool:
    """Whether the quick look saw most lines as the thorough one did: a small board is a weak witness."""
    quick = (
        *rows_beside(scene, grid, framed, False)[0].clues,
        *columns_beside(scene, grid, framed, False)[0].clues,
    )
    # What was decided since is no other look.
    seen = (tuple(number_of(n.glyphs).value for n in line) for line in (*rows.lines, *cols.lines))
    # A line of which the quick look saw nothing, for digits taller than the cells, has to be quite sure.
    sure = map(is_legible, (*rows.lines, *cols.lines))
    same = [
        _begins_or_ends(a, tuple(n for n in b if n)) or (not a and whole)
        for a, b, whole in zip(quick, seen, sure, strict=True)
    ]
    return float(np.mean(same)) >= MOST_LINES


def _require_all_seen(scene: Scene, grid: Grid, rows: Band, cols: Band) -> None:
    """Raises UncertainReading where a thorough look sees other digits next to the grid: a quick one may see only some.

    Numbers with several solutions prove nothing.
    """
    room = min(grid.xs.pitch, grid.ys.pitch)
    for band, level in ((rows, True), (cols, False)):
        nearest = 0 if band.after(grid.box, level=level) else -1
        inner = [letter for line in band.letters if line for letter in line[nearest]]
        if not inner:
            continue
        area = box_of(inner).grown(NEXT_TO_PX).clipped(scene.size)
        high = median([letter.box.height for letter in inner])
        looked = [
            letter.box
            for letter in read_letters(scene.pixels, area, room)
            if letter.glyph.value is not None and abs(letter.box.height - high) <= AS_HIGH * high
        ]
        quick = [one.box for one in band.digits if area.contains(one.box.centre)]
        alike = sum(any(_at_one_place(box, other) for other in looked) for box in quick)
        missed = sum(not any(_at_one_place(box, other) for other in quick) for box in looked)
        if alike < MOST_LINES * (len(quick) + missed):
            raise UncertainReading(
                "the numbers beside many lines are seen in two ways",
                hint="a clearer or larger picture of the whole board helps",
            )


def _at_one_place(one: Box, other: Box) -> bool:
    """Whether two boxes hold the same digit."""
    return one.contains(other.centre) or other.contains(one.centre)


def _begins_or_ends(quick: tuple[int, ...], seen: tuple[int | None, ...]) -> bool:
    """Whether a line's clue is what the quick look saw next to the grid: beyond it may be a heading."""
    return bool(quick == seen or (seen and seen in (quick[-len(seen) :], quick[: len(seen)])))


def _cut_sides(scene: Scene, grid: Grid) -> dict[str, str]:
    """The sides on which the grid ends at the picture's edge, and whether it is "cut" there, or only "near" it.

    And those on which its lines go on for a part of a cell inside the picture: the rest is "hidden" by a window's edge.
    """
    width, height = scene.size
    upright, level = scene.steps()
    sides: dict[str, str] = {}
    for side, comb, along, end, steps in (
        ("right", grid.xs, grid.ys, width, level.T),
        ("bottom", grid.ys, grid.xs, height, upright),
    ):
        last = comb.at(comb.count - 1)
        inside = end - last >= comb.pitch
        lines = [round(along.at(i)) for i in range(1, along.count - 1)]
        # In small cells so far that a run of px is seen.
        ends = {
            "cut": 0 if inside else end,
            "hidden": round(last + max(HIDDEN * comb.pitch, FRAME_PX + LEAST_RUN_PX)),
        }
        for how, stop in ends.items():
            strip = steps[round(last) + FRAME_PX : stop]
            shown = [
                strip[:, max(at - 1, 0) : at + 2].any(axis=1).mean() > CUT_LINE for at in lines if len(strip)
            ]
            if len(strip) >= LEAST_RUN_PX and float(np.mean(shown)) > CUT_LINES:
                sides[side] = how
                break
        if end < ends["hidden"]:
            # Too little of a further cell to show its sides.
            sides.setdefault(side, "near")
    return sides


def _partly_off(cut: Mapping[str, str], why: str) -> UncertainReading:
    if "hidden" in cut.values():
        where = " and ".join({"right": "right of", "bottom": "below"}[side] for side in cut)
        return UncertainReading(
            f"{why}; the lines of the board go on {where} its last whole cells: a part of it is hidden",
            hint="scroll, zoom out or enlarge the window until the whole board shows",
        )
    return partly_off(f"{why}; the board reaches the picture's {' and '.join(cut)} edge")


def _collection_lines(scene: Scene, grid: Grid) -> float | None:
    """How bright the lines are in the collection's own window: a flat surround, and a frame three times as wide as the
    lines, in one grey. None where it is another program."""
    box, pixels = grid.box, scene.pixels
    clear = pixels[max(box.top - 4, 0), max(box.left, 0) : box.right].astype(int)
    if (abs(clear - clear[:1]).max(axis=1) >= FLAT_LEVELS).mean() >= ROUGH:
        return None
    inner, frame = float(np.median(scene.once(line_widths, grid)[0])), border_widths(scene, grid)[0]
    colour = np.array(scene.once(line_colour, grid))
    rows = np.clip([grid.ys.at(row + 0.5) for row in range(grid.rows)], 0, len(pixels) - 1).astype(int)
    of_frame = np.median(pixels[rows, min(max(int(grid.xs.at(0)), 0), pixels.shape[1] - 1)], axis=0)
    alike = float(np.abs(of_frame - colour).max()) < LINE_LEVELS and float(np.ptp(colour)) < GREY
    wide = abs(frame - FRAME_TO_LINE * inner) < OFF_WIDTH * inner
    return float(np.median(colour)) if alike and wide else None
