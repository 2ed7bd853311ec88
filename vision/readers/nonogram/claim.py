"""Where a nonogram would be, told from a grid and the numbers beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

import cv2
import numpy as np

from solver.nonogram import Clue, Nonogram
from vision.blobs import find_blob_grids
from vision.colour import strongest
from vision.frame import Pixels
from vision.grids import Grid, grids_of, straight_steps
from vision.measures.parts import marked
from vision.readers.nonogram.bands import Band, Ways
from vision.readers.nonogram.clues import (
    LIKELY_WAYS,
    boxes_show,
    columns_beside,
    farthest_first,
    least_clues,
    rows_beside,
    without_boxes,
)
from vision.readers.nonogram.corrections import LEAST_SEVERAL, SEVERAL_ADDED, has_solution, only_solution
from vision.readers.nonogram.extent import GLANCED, enclosed, grown, other_extents, something_beside
from vision.readers.nonogram.inks import strong_inks
from vision.scene import Claim, Scene
from vision.writing import LEAST_CONTRAST

# So many lines are too short for their numbers, and the sums of rows and columns so far apart, at most: some numbers may
# be misread at a quick look.
MOST_TOO_LONG, MOST_APART = 0.25, 0.3
MOST_GRIDS = 2
# Where no lattice shows, it may be this faint (levels).
FAINT_STEP = 4
# Between dashes or dots of a line are at most so many px.
GAP_PX = 6
# Lines of dots go through so much of a cell (share), without so much of it beside its own lines.
THROUGH, RIM = 0.8, 0.1
# On ruled paper a board's lines are so many times as clear as this share of the paper's.
CLEARER, MOST_CLEAR = 1.25, 0.9
# Two digits or two numbers, and where the clues end: so many ways to see that on each side.
MOST_WAYS = 4
# Single numbers beside so many lines both ways: of 400 made-up counts of 8 x 8 four had one picture as a nonogram, of 5 x 5 26.
# Fewer lines do where nothing is in any cell: hardly any other puzzle with counts begins so.
SINGLE_LINES, SINGLE_UNTOUCHED = 8, 5
# Grain of this many levels is noise. A page has a pattern where this share of its steps are no smaller and below so many
# levels; so many px smooth it, and leave digits.
NOISE_LEVELS, PATTERN_LEVELS, PATTERNED, FARTHER_PX = 2, 64, 0.2, 1.0
# A glance sees something beside this share of the lines.
GLANCE = 0.4


def claim(scene: Scene) -> Claim | None:
    """The square lattice with numbers beside most of its lines, on two of its sides; None without one."""
    if found := _claim_in(scene):
        return found
    views = (view for look in (enclosed, smoothed) if (view := scene.once(look)))
    return next((found for view in views if (found := _claim_in(view))), None)


def smoothed(scene: Scene) -> Scene | None:
    """The picture as from farther off, where its pattern of fine lines or dots does not show. None without one."""
    steps = _steps_across(scene.pixels)
    if cv2.countNonZero(cv2.inRange(steps, NOISE_LEVELS, PATTERN_LEVELS - 1)) < PATTERNED * steps.size:
        return None
    return Scene(np.asarray(cv2.GaussianBlur(scene.pixels, (0, 0), FARTHER_PX), np.uint8))


def _steps_across(pixels: Pixels) -> Pixels:
    """(H, W - 1) uint8, by how many levels each px and the next one to the right differ."""
    return strongest(np.asarray(cv2.absdiff(pixels[:, 1:], pixels[:, :-1]), np.uint8))


def _claim_in(scene: Scene) -> Claim | None:
    lined = scene.grids()[:MOST_GRIDS]
    # Filled cells hide lines, but no blobs.
    blobs = [] if lined else scene.once(find_blob_grids)[:1]
    others = chain(lined, _fainter(scene, lined), scene.once(bolder)[:MOST_GRIDS], _finer(scene, lined))
    extents = chain(
        (cells for grid in blobs for cells in (grid, *inner(scene, grid))),
        (cells for grid in others for cells in _extents(scene, grid)),
    )
    seen = []
    for cells in extents:
        if found := _claimed(scene, cells):
            return found
        seen.append(cells)
    # Farther off are the numbers of lines that filled cells hide, or those at the far end of their boxes.
    return next((found for cells in seen if (found := _claimed(scene, cells, far=True))), None)


def _fainter(scene: Scene, lined: Sequence[Grid]) -> Iterator[Grid]:
    """A lattice of fainter lines, where clear ones show none, or one with something beside it: thick lines, boxes of clues.

    None amid grain, which makes faint lines of its own.
    """
    if not scene.grain and (not lined or any(_near(scene, grid, False) for grid in lined)):
        yield from (grid for grid in scene.grids(FAINT_STEP)[:1] if grid not in lined)


def _finer(scene: Scene, lined: Sequence[Grid]) -> Iterator[Grid]:
    """The lattice of dots and dashes where such lines go through a cell of one of whole lines, both ways."""
    for grid in lined:
        row, col = grid.rows // 2, grid.cols // 2
        across, down = (
            slice(*(round(comb.at(nth + share)) for share in (RIM, 1 - RIM)))
            for comb, nth in ((grid.xs, col), (grid.ys, row))
        )
        upright, level = straight_steps(scene.pixels[down, across], gap_px=GAP_PX)
        if min(upright.mean(axis=0).max(), level.mean(axis=1).max()) >= THROUGH:
            yield from scene.once(dashed)[:1]
            return


def dashed(scene: Scene) -> Sequence[Grid]:
    """The lattices of lines that may be dots and dashes."""
    return grids_of(*straight_steps(scene.pixels, gap_px=GAP_PX))


def bolder(scene: Scene) -> Sequence[Grid]:
    """The lattices of lines that are clearer than those of the paper, where that is ruled from side to side."""
    paper = next(iter(scene.grids()), None)
    if paper is None:
        return ()
    (width, height), box = scene.size, paper.box
    if max(box.left, box.top, width - box.right, height - box.bottom) > min(paper.xs.pitch, paper.ys.pitch):
        return ()
    steps = _steps_across(scene.pixels)
    lines = (round(paper.xs.at(line)) for line in range(1, paper.cols))
    # Enlarged, some of them are clearer than others; the board's own are no longer than it.
    clear = [np.median(steps[:, max(at - 2, 0) : at + 2].max(axis=1)) for at in lines]
    return scene.grids(round(CLEARER * float(np.quantile(clear, MOST_CLEAR))))


def glance(scene: Scene) -> Claim | None:
    """The claim of a lattice whose cells are those that show, or those without what looks like boxes of clues."""
    usual = scene.grids()[:MOST_GRIDS]
    extents = (cells for grid in usual for cells in (grid, *inner(scene, grid, boxes_show(scene, grid))))
    return next((found for cells in extents if (found := _claimed(scene, cells))), None)


def inner(scene: Scene, grid: Grid, boxed: bool = True) -> list[Grid]:
    """The grid without the clues' boxes, which may be its outer rows and columns; boxed: whether there may be any."""
    return [cells for cells in [scene.once(without_boxes, grid)] if cells != grid] if boxed else []


def _extents(scene: Scene, grid: Grid) -> Iterator[Grid]:
    """The grid, without the clues' boxes, and with lines that filled cells hide."""
    yield grid
    yield from inner(scene, grid)
    if (larger := grown(scene, grid, framed=False)) != grid:
        yield larger
        # Filled cells may hide whole lines beside which the numbers go on.
        if rows_beside(scene, larger, False, False)[0].clued >= least_clues(grid):
            yield from (longer for longer, more in other_extents(scene, grid, framed=False) if more)


def _claimed(scene: Scene, grid: Grid, *, far: bool = False) -> Claim | None:
    if not _near(scene, grid, far):
        return None
    least = least_clues(grid)
    rows = rows_beside(scene, grid, False, False)
    if rows[0].clued < least:
        return None
    # Lines that cannot hold their numbers, even where none have room between them.
    too_long = [sum(sum(clue) > grid.cols for clue in way.clues) for way in rows[:MOST_WAYS]]
    if min(too_long) > MOST_TOO_LONG * (grid.rows + grid.cols):
        return None
    cols = columns_beside(scene, grid, False, False)
    if cols[0].clued < least:
        return None
    ways = [(way, other) for way in _unlike(rows) for other in _unlike(cols)]
    # Where only the clues themselves say that they end there, or much other text stands beyond them, all of them have to.
    pairs = chain(
        ((rows[0], way) for way in _less_likely(cols)), ((way, cols[0]) for way in _less_likely(rows))
    )
    nearer = (pair for pair in pairs if pair[0].total == pair[1].total)
    if not any(_add_up(scene, grid, *pair) for pair in chain(ways, nearer)):
        return None
    return Claim(
        grid.box,
        min(rows[0].clued, cols[0].clued),
        f"a lattice of {grid.rows} x {grid.cols} cells with numbers on two of its sides",
    )


def _unlike(side: Ways) -> list[Band]:
    """So many of the likeliest ways to see one side of which no two are the same numbers."""
    found: dict[Sequence[Clue], Band] = {}
    for way in side[:LIKELY_WAYS]:
        found.setdefault(way.clues, way)
    return list(found.values())[:MOST_WAYS]


def _less_likely(side: Ways) -> Iterator[Band]:
    """The ways after those that are tried anyhow."""
    yield from side[MOST_WAYS:LIKELY_WAYS]
    yield from side.inner


def _near(scene: Scene, grid: Grid, far: bool) -> bool:
    """Whether beside the grid there is something, on two of its sides: a glance before numbers are read.

    far: at most as far off as the first number may be.
    """
    return all(
        any(
            sum(something_beside(scene, grid, after, upright=upright, within=within)) >= GLANCE * lines
            for after in (False, True)
        )
        for upright, lines, across in ((True, grid.rows, grid.cols), (False, grid.cols, grid.rows))
        for within in [farthest_first(across) if far else GLANCED]
    )


def _add_up(scene: Scene, grid: Grid, rows: Band, cols: Band) -> bool:
    """Whether the numbers could be a nonogram's, but for some that are misread."""
    sides = [
        [(_with_room(line, len(other.lines)), len(other.lines)) for line in band.clues]
        for band, other in ((rows, cols), (cols, rows))
    ]
    clues, totals = (*sides[0], *sides[1]), [sum(sum(line) for line, _ in side) for side in sides]
    several = sum(len(line) > 1 for line, _ in clues)
    if several < LEAST_SEVERAL * len(clues):
        untouched = not scene.once(marked, grid, LEAST_CONTRAST).any()
        return _proved(Nonogram(rows.clues, cols.clues), several, untouched)
    if abs(totals[0] - totals[1]) > MOST_APART * max(totals):
        return False

    def fit(gap: int) -> bool:
        too_long = sum(sum(line) + gap * (len(line) - 1) > room for line, room in clues)
        return too_long <= MOST_TOO_LONG * len(clues)

    # Runs of different colours may touch.
    return fit(1) or (fit(0) and strong_inks(scene, rows, cols) > 0)


def _with_room(clue: Clue, room: int) -> Clue:
    """A clue whose numbers fit: one for which there is no room is several of one digit, which stand close together."""
    return tuple(part for run in clue for part in ([run] if run <= room else map(int, f"{run}")))


def _proved(puzzle: Nonogram, several: int, untouched: bool) -> bool:
    """Whether clues of which so few have several numbers are a nonogram's: counts of other puzzles stand beside grids, too.

    untouched: nothing is in any cell; puzzles with counts have something given in some.
    """
    if any(_counts_up(side) for side in (puzzle.rows, puzzle.cols)):
        return False
    clues = len(puzzle.rows) + len(puzzle.cols)
    if several > 1 and several >= SEVERAL_ADDED * clues:
        return has_solution(puzzle)
    large = min(len(puzzle.rows), len(puzzle.cols)) >= (SINGLE_UNTOUCHED if untouched else SINGLE_LINES)
    return (large or several >= SEVERAL_ADDED * clues) and only_solution(puzzle) is not None


def _counts_up(clues: Sequence[Clue]) -> bool:
    """Whether the lines are numbered, as on a chessboard or in a table."""
    return all(len(line) == 1 for line in clues) and {b[0] - a[0] for a, b in pairwise(clues)} in ({1}, {-1})
