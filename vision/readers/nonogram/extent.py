"""How far a grid really goes, told by the numbers beside it.

The boxes of the clues may be drawn like cells, and cells that are filled hide the lines between them, the outermost
too. Numbers say more: above a box of the rows' clues none stands, and where they go on at the same pitch, so do the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import compress, pairwise, product

import cv2
import numpy as np

from vision.frame import Box, Pixels
from vision.grids import STEP_LEVELS, Comb, Grid, Mask, evenly
from vision.measures.borders import borders_of
from vision.measures.edges import near_edges
from vision.measures.looks import measured
from vision.readers.nonogram.bands import NEXT, Band, box_of, is_legible, middle
from vision.readers.nonogram.clues import (
    OFF_CENTRE,
    Side,
    columns_beside,
    frame_px,
    letters_in,
    rows_beside,
    without_boxes,
)
from vision.scene import Scene
from vision.writing import LEAST_CONTRAST, apart

# Numbers right beside the grid are at most so many cells away from it.
NEAR = 1.7
# A glance takes in so many cells.
GLANCED = 2.8
# Lines between boxes are so near to the edge of a line (share of the pitch).
EDGE = 0.06
# A digit is so sure, and so near to its shape (see `digits.Glyph`).
SURE, SHAPED = 0.65, 1.4
# This share of the other lines has numbers, or lines without tell nothing.
MOST_CLUED = 0.6
# A line that filled cells hide shows along this share of itself at least, within so many px of its place.
SOME, LINE_PX = 0.15, 2
# A line of a frame shows along itself but for this share. In a texture so many px (share) differ from those beside them. Of the
# grids of a picture so many are asked for a frame.
HIDDEN_LINE, TEXTURE, FRAMED_GRIDS = 0.05, 0.1, 2
# With so few lines the first ones are no boxes of clues.
SOME_LINES = 3
# A faint line is so many levels from what is so many px beside it, along all of its cells but for this share.
FAINT_LINE, BESIDE_PX, LINE_GAPS = 4.0, 4, 0.2
# From the first line to the last numbers move off their lines by less than this share of the pitch.
DRIFT = 0.33
# Rows and columns are told in turn so often.
MOST_ROUNDS = 3
# Numbers that end so near to the picture's edge leave no room for more (share of the pitch).
NO_ROOM = 0.45
# What stands out by less than this share of what the faintest number does is grain.
GRAIN = 0.25
HALF = 0.5


def other_extents(scene: Scene, grid: Grid, framed: bool) -> Iterator[tuple[Grid, bool]]:
    """The grid less the boxes of its clues; and with further lines, where cells or numbers go on (True)."""
    inner = _without_repeated(scene, _without_leading(scene, grid, framed), framed)
    if inner != grid:
        yield inner, False
    whole = grown(scene, inner, framed)
    if whole.rows < inner.rows or whole.cols < inner.cols:
        # These were no boxes before either.
        whole = inner
    if whole != inner and (cells := scene.once(without_boxes, whole)) not in (whole, inner):
        # Boxes right of the rows and below the columns leave the corner between them empty: one of the two was no part of
        # the grid.
        yield cells, True
    # No line may close the last cells: those between them end there.
    bands = (beside(scene, inner, framed, False)[0] for beside in (rows_beside, columns_beside))
    if (ended := left_out(scene, inner, *bands)) != inner:
        yield ended, True
    # What stands left of the rows stands above the columns, too, while the rows above are missing: either may come first.
    ways = (_longer(scene, of, first) for of in (inner, whole) for first in ("rows", "cols"))
    for larger in dict.fromkeys((whole, *ways)):
        if larger != inner:
            yield larger, True
    if inner == grid and clues_within(scene, grid, framed):
        yield grid.without(1, 1), True
    # The upper left edges of raised cells may hardly show.
    raised = inner.without(-1, -1)
    if all(beside(scene, raised, framed, False)[0].lines[0] for beside in (rows_beside, columns_beside)):
        yield raised, True


def enclosed(scene: Scene) -> Scene | None:
    """The picture within the frame around a board and its clues, where that stands on a texture. None without one.

    What is beyond the frame gets the ground's colour: a texture has something like writing all over.
    """
    for grid in scene.grids()[:FRAMED_GRIDS]:
        corner = min(_frame_corners(scene, grid), default=None)
        if corner is None:
            continue
        x, y = corner
        edge = round(HALF * min(grid.xs.pitch, grid.ys.pitch))
        rows, cols = slice(y, grid.box.bottom + edge), slice(x, grid.box.right + edge)
        beside = scene.spread[rows, max(x - 2 * edge, 0) : x], scene.spread[max(y - 2 * edge, 0) : y, cols]
        if any(part.size and (part >= STEP_LEVELS).mean() >= TEXTURE for part in beside):
            pixels = np.full_like(scene.pixels, scene.ground)
            pixels[rows, cols] = scene.pixels[rows, cols]
            return Scene(pixels)
    return None


def _frame_corners(scene: Scene, grid: Grid) -> Iterator[tuple[int, int]]:
    """(x, y) where two lines beside all of the grid meet that end where it does."""
    upright, level = scene.steps()
    lefts, tops = _lines_before(upright, grid.xs, grid.ys), _lines_before(level.T, grid.ys, grid.xs)
    near = HALF * min(grid.xs.pitch, grid.ys.pitch)
    for (x, top), (y, left) in product(lefts, tops):
        if max(abs(top - y), abs(left - x)) <= near:
            yield x, y


def _lines_before(steps: Mask, across: Comb, along: Comb) -> Iterator[tuple[int, int]]:
    """(place, beginning) of each line before the grid that runs beside all of it, begins before it and ends with it."""
    first, last = max(round(along.first), 0), round(along.at(along.count - 1))
    before = steps[:, : max(round(across.at(-HALF)), 0)]
    whole = np.flatnonzero(before[first:last].mean(axis=0) >= 1 - HIDDEN_LINE)
    for place in whole.tolist():
        ahead, beyond = (
            int(np.argmin([*side, False])) for side in (before[:first, place][::-1], before[last:, place])
        )
        if ahead > HALF * along.pitch >= beyond:
            yield place, first - ahead


def clues_within(scene: Scene, grid: Grid, framed: bool) -> bool:
    """Whether the first row and the first column are boxes of clues: without them there are more numbers.

    Round signs in the corner of such boxes pass for noughts.
    """
    if min(grid.rows, grid.cols) <= SOME_LINES:
        return False
    bands = rows_beside(scene, grid, framed, False)[0], columns_beside(scene, grid, framed, False)[0]
    if any(any(band.clues[0]) or not all(band.clues[1:]) for band in bands):
        return False
    cells = grid.without(1, 1)
    inner = rows_beside(scene, cells, framed, False)[0], columns_beside(scene, cells, framed, False)[0]
    return all(_numbers(more) > _numbers(band) for band, more in zip(bands, inner, strict=True))


def _numbers(band: Band) -> tuple[int, int]:
    """How many numbers are legible, and how many there are: other text looks like many, and few are legible."""
    return sum(is_legible([one]) for line in band.lines for one in line if one.value), sum(
        map(len, band.clues)
    )


def _without_leading(scene: Scene, grid: Grid, framed: bool) -> Grid:
    """Without first columns that no number stands above, while one stands above the others, and that hold numbers themselves;
    rows alike."""
    left, top = (_clueless(scene, grid, framed, upright=upright) for upright in (False, True))
    for lines, beside in (((0, left), rows_beside), ((top, 0), columns_beside)):
        inner = grid.without(*lines)
        if any(lines) and _numbers(beside(scene, inner, framed, False)[0]) > _numbers(
            beside(scene, grid, framed, False)[0]
        ):
            grid = inner
    return grid


def _clueless(scene: Scene, grid: Grid, framed: bool, *, upright: bool) -> int:
    """How many first columns have nothing above them as far as the numbers of the others go; upright: rows, beside them."""
    glances = (
        something_beside(scene, grid, after, upright=upright, within=within)
        for within in (GLANCED, 1.0)
        for after in (False, True)
    )
    if not any(map(_leading, glances)):
        return 0
    band = (rows_beside if upright else columns_beside)(scene, grid, framed, False)[0]
    first = _leading(band.lines)
    if not first:
        return 0
    reach = band.area.width / grid.xs.pitch if upright else band.area.height / grid.ys.pitch
    # A number that is seen, but not read, would be there. The area goes on for a cell beyond the numbers.
    seen = (
        something_beside(scene, grid, after, upright=upright, within=reach - 1) for after in (False, True)
    )
    return first if any(map(_leading, seen)) else 0


def _without_repeated(scene: Scene, grid: Grid, framed: bool) -> Grid:
    """Without last columns that no number stands above, and whose cells repeat the clues of their rows; rows alike."""
    for beside, upright in ((columns_beside, True), (rows_beside, False)):
        far = _leading(beside(scene, grid, framed, False)[0].lines[::-1])
        if far and _repeat(scene, grid, framed, far, upright=upright):
            grid = grid.without(right=far) if upright else grid.without(bottom=far)
    return grid


def _repeat(scene: Scene, grid: Grid, framed: bool, far: int, *, upright: bool) -> bool:
    """Whether in so many last columns (upright) or rows most cells hold digits of their line's clue: crosses do not."""
    lines = (rows_beside if upright else columns_beside)(scene, grid, framed, False)[0].clues
    cells = grid.without(left=grid.cols - far) if upright else grid.without(top=grid.rows - far)
    along = grid.ys if upright else grid.xs
    held: set[int] = set()
    for place, value in scene.once(_digits_in, cells.box, along.pitch):
        line = int((place[upright] - along.first) // along.pitch)
        if 0 <= line < len(lines) and f"{value}" in "".join(map(str, lines[line])):
            held.add(line)
    return len(held) >= MOST_CLUED * len(lines)


def something_beside(
    scene: Scene, grid: Grid, after: bool, *, upright: bool, within: float = GLANCED
) -> list[bool]:
    """Beside which lines of a grid something stands, before or after it, within so many cells. upright: on a side that is."""
    side, along = Side(grid, upright, after), grid.ys if upright else grid.xs
    px = round(within * side.along.pitch), frame_px(side.along.pitch)
    strip = side.strip(*px).clipped(scene.size)
    return _something_in(scene, strip, along, upright=upright)


def numbers_at_edge(
    scene: Scene, grid: Grid, rows: Band, cols: Band, *, legible: bool = False
) -> dict[str, str]:
    """The sides on which the numbers beside a grid end at the picture's edge, and whether something is "cut" there, where
    the next ones would stand, or they are only "near" it, with no room for more.

    What is drawn at the edge beside lines whose numbers end before it is the ground of all, and no number.
    legible: what was read for sure is whole, though it may touch the edge.
    """
    width, height = scene.size
    sides: dict[str, str] = {}
    for band, across, along, upright in ((rows, grid.xs, grid.ys, True), (cols, grid.ys, grid.xs, False)):
        side, edge = {
            (True, False): ("left", Box(0, grid.box.top, 1, grid.box.height)),
            (True, True): ("right", Box(width - 1, grid.box.top, 1, grid.box.height)),
            (False, False): ("top", Box(grid.box.left, 0, grid.box.width, 1)),
            (False, True): ("bottom", Box(grid.box.left, height - 1, grid.box.width, 1)),
        }[upright, band.after(grid.box, level=upright)]
        seen = [
            Box.around(grid.box, *(one.box for number in line for one in number)) for line in band.letters
        ]
        sizes = [box_of(number)[3 - upright] for line in band.letters for number in line]
        gap = band.likely_gap(rows if band is cols else cols, level=upright)
        # Cells may be far wider than their numbers' steps.
        step = min(across.pitch, gap + max(sizes, default=0)) if gap else across.pitch
        ends, next_to = (
            [side in near_edges(box, scene.size, NEXT * px) for box in seen] for px in (across.pitch, step)
        )
        faintest = min((one.contrast for one in band.digits), default=0.0)
        least = max(LEAST_CONTRAST, GRAIN * faintest)
        drawn = _something_in(scene, edge.clipped(scene.size), along, upright=upright, within=True, by=least)
        if legible:
            drawn = [
                shows and not (side in near_edges(box, scene.size, 1) and is_legible(line))
                for shows, box, line in zip(drawn, seen, band.lines, strict=True)
            ]
        beyond = [near or not line for near, line in zip(next_to, band.lines, strict=True)]
        if any(compress(drawn, beyond)) and all(compress(ends, drawn)):
            sides[side] = "cut"
        elif side in near_edges(Box.around(*seen), scene.size, NO_ROOM * across.pitch):
            sides[side] = "near"
    return sides


def _something_in(
    scene: Scene,
    strip: Box,
    along: Comb,
    *,
    upright: bool,
    within: bool = False,
    by: float = LEAST_CONTRAST,
) -> list[bool]:
    """In which lines of a grid something is drawn within a strip beside them. upright: on a side that is.

    within: what ends in the line, as numbers do; a window's edge goes on. by: how many levels it stands out at least.
    """
    # A number may be a twentieth as high as a cell, and its strokes are 1 px wide: every px is looked at.
    beside = scene.pixels[strip.window]
    if not beside.size:
        return [False] * (along.count - 1)
    most, least = (
        np.asarray(cv2.reduce(beside, int(upright), way), np.int16).reshape(-1, 3)
        for way in (cv2.REDUCE_MAX, cv2.REDUCE_MIN)
    )
    places = [along.at(line + end) for line in range(along.count - 1) for end in (EDGE, 1 - EDGE)]
    ends = np.clip(np.rint(places).astype(int) - (strip.top if upright else strip.left), 0, len(most) - 1)
    away = np.maximum.reduceat(most, ends)[::2] - np.minimum.reduceat(least, ends)[::2]
    found = away.max(axis=1) >= by
    if within:
        sides = (most[ends] + least[ends]) / 2
        found &= np.abs(sides[::2] - sides[1::2]).max(axis=1) < LEAST_CONTRAST
    return [bool(one) for one in found]


def _leading(lines: Sequence[object]) -> int:
    """How many lines at the start are empty; none where the others are, too."""
    first = next((i for i, line in enumerate(lines) if line), len(lines))
    rest = lines[first:]
    full = first <= len(lines) / 2 and sum(map(bool, rest)) >= MOST_CLUED * len(rest)
    return first if full else 0


def _longer(scene: Scene, grid: Grid, first: str) -> Grid:
    """With as many further rows and columns as have numbers of their own. first: "rows" or "cols"."""
    width, height = scene.size
    for side in (first, "cols" if first == "rows" else "rows"):
        box, upright = grid.box, side == "rows"
        along, near = (grid.ys, grid.xs) if upright else (grid.xs, grid.ys)
        px = round(NEAR * near.pitch)
        strip = Box(box.left - px, 0, px, height) if upright else Box(0, box.top - px, width, px)
        seen = _seen(scene, strip, along, upright=upright)
        along = _stretched(along, seen.__contains__, along.count - 1)
        grid = Grid(grid.xs, along) if upright else Grid(along, grid.ys)
    return grid


def grown(scene: Scene, grid: Grid, framed: bool) -> Grid:
    """With all further lines of the lattice that show in some places, as they do beside filled cells."""
    upright, level = scene.steps()
    larger = grid
    for _ in range(MOST_ROUNDS):
        before = larger
        larger = Grid(
            _lined(upright, level, before.xs, before.ys), _lined(level.T, upright.T, before.ys, before.xs)
        )
        if larger == before:
            break
    # A digit beside the cells may show like a line.
    return _without_leading(scene, larger, framed) if larger != grid else grid


def drifts(grid: Grid, rows: Band, cols: Band) -> bool:
    """Whether the numbers move off their lines from the first one to the last: the pitch is not that of the board then."""
    for band, along, upright in ((rows, grid.ys, True), (cols, grid.xs, False)):
        nth = [line for line, own in enumerate(band.letters) for _ in own]
        if len(set(nth)) > SOME_LINES:
            places = [middle(one)[upright] for own in band.letters for one in own]
            pitch, _ = evenly(np.array(nth), np.array(places))
            if abs(pitch / along.pitch - 1) * along.count > DRIFT:
                return True
    return False


def skips(scene: Scene, grid: Grid, rows: Band, cols: Band, *, marked: bool) -> bool:
    """Whether the numbers of a side stand more than a line of cells off, and something that is none of them within that line:
    marks, perhaps, in cells that belong to the board. marked: whether it has to look like one, as no frame does."""
    for names, band, across, _, _ in _directions(scene, grid, rows, cols):
        upright = band is rows
        # A nought may be any round sign.
        boxes = [
            box_of(letters)
            for line in zip(band.lines, band.letters, strict=True)
            for number, letters in zip(*line, strict=True)
            if number.value
        ]
        ends = [(one.left, one.right) if upright else (one.top, one.bottom) for one in boxes]
        before = min((across.first - end for _, end in ends if end <= across.first), default=0.0)
        last = across.at(across.count - 1)
        after = min((begin - last for begin, _ in ends if begin >= last), default=0.0)
        if max(before, after) <= across.pitch or not any(
            something_beside(scene, grid, after > before, upright=upright, within=1.0)
        ):
            continue
        if not marked:
            return True
        line = Comb(last if after > before else across.at(-1), across.pitch, 2)
        alone = Grid(line, grid.ys) if upright else Grid(grid.xs, line)
        # What covers most of a cell is a mark where other cells show their ground.
        whole = grid.without(**{names[after > before]: -1})
        for cells in (alone, whole):
            even = measured(scene.pixels, borders_of(scene, cells)).evenness.reshape(cells.rows, cells.cols)
            if (even.take(-1 if after > before else 0, axis=int(upright)) >= 1.0).any():
                return True
    return False


def left_out(scene: Scene, grid: Grid, rows: Band, cols: Band) -> Grid:
    """With a further line of cells on each side where one shows, however faintly, and none of the numbers stands.

    A line without a clue adds nothing to the sums, and its own lines may be lost beside cells that are left alone.
    """
    larger = grid
    for side, band, across, along, pixels in _directions(scene, grid, rows, cols):
        middles = [one.middle[band is cols] for one in band.digits]
        for name, edge in zip(side, (0, across.count - 1), strict=True):
            far = across.at(edge + (1 if edge else -1))
            near, beyond = sorted((across.at(edge), far))
            if not any(near <= one <= beyond for one in middles) and _closed(
                pixels, along, near, beyond, far
            ):
                larger = larger.without(**{name: -1})
    return larger


def undivided(scene: Scene, grid: Grid, rows: Band, cols: Band) -> list[str]:
    """The sides on which the outer line has no number, and its cells are open: no lines between them, while others show theirs,
    or none at the outer side, while the other end of the grid has one.

    A band between the numbers and the cells may be as broad as one of these, and so may the end of a box of clues.
    """
    found = []
    numbers = {"left": cols.lines[0], "right": cols.lines[-1], "top": rows.lines[0], "bottom": rows.lines[-1]}
    for names, _, across, along, pixels in _directions(scene, grid, rows, cols):
        cells = [(across.at(line), across.at(line + 1)) for line in range(across.count - 1)]
        shown = partial(_shown, pixels, along)
        edges = cells[0][0], cells[-1][1]
        # Beside a shadow the end of a cell is a line.
        bare = [
            name
            for name, ends, here, there in zip(
                names, (cells[0], cells[-1]), edges, reversed(edges), strict=True
            )
            if not numbers[name]
            and (
                shown(*ends) < LINE_GAPS
                or (
                    _ended(pixels, along, here) < LINE_GAPS
                    and _bordered(pixels, along, there) >= 1 - LINE_GAPS
                )
            )
        ]
        most = max(shown(*ends) for ends in cells) if bare else 0.0
        # Where no cells show any lines, nothing but their numbers tells how many they are.
        if bare and not LINE_GAPS <= most < 1 - LINE_GAPS:
            found += bare
    return found


def _bordered(pixels: Pixels, along: Comb, at: float) -> float:
    """The share of the cells along a place across the grid's lines that have a line there."""
    places = [along.at(line) for line in range(along.count)]
    return float(np.mean([_contrast(pixels, at, *cell) >= FAINT_LINE for cell in pairwise(places)]))


def _ended(pixels: Pixels, along: Comb, at: float) -> float:
    """The share of the cells along a place across the grid's lines that have a line there, or another flat colour on either
    side of it: numbers are not flat."""
    places = [along.at(line) for line in range(along.count)]
    beside = np.clip((round(at) - BESIDE_PX, round(at) + BESIDE_PX), 0, pixels.shape[1] - 1)
    shown = []
    for begin, end in pairwise(places):
        sides = pixels[max(round(begin), 0) + LINE_PX + 1 : round(end) - LINE_PX, beside].astype(int)
        flat = len(sides) > 0 and np.ptp(sides, axis=0).max() < FAINT_LINE
        apart = flat and np.abs(sides[0, 0] - sides[0, 1]).max() >= FAINT_LINE
        shown.append(apart or _contrast(pixels, at, begin, end) >= FAINT_LINE)
    return float(np.mean(shown))


def _directions(
    scene: Scene, grid: Grid, rows: Band, cols: Band
) -> Iterator[tuple[tuple[str, str], Band, Comb, Comb, Pixels]]:
    """Across the columns and across the rows: the two sides there, the numbers along them, the combs across and along, and
    the picture as (along, across, 3)."""
    yield ("left", "right"), rows, grid.xs, grid.ys, scene.pixels
    yield ("top", "bottom"), cols, grid.ys, grid.xs, scene.pixels.swapaxes(0, 1)


def _sides(pixels: Pixels, along: Comb, near: float, beyond: float) -> list[bool]:
    """Which of the lines across a grid's line of cells show, between two places. pixels: (along, across, 3)."""
    across = pixels.swapaxes(0, 1)
    return [_contrast(across, along.at(line), near, beyond) >= FAINT_LINE for line in range(along.count)]


def _shown(pixels: Pixels, along: Comb, near: float, beyond: float) -> float:
    """The share of the lines between the cells of a grid's line that show."""
    return float(np.mean(_sides(pixels, along, near, beyond)[1:-1]))


def _closed(pixels: Pixels, along: Comb, near: float, beyond: float, far: float) -> bool:
    """Whether cells show between two places across a grid's lines, closed at the far one: by a line, or as those between them
    end there. pixels: (along, across, 3)."""
    ends, middles = (_bordered(pixels, along, at) for at in (far, (near + beyond) / 2))
    sides = _sides(pixels, along, near, beyond)
    # In a texture something shows everywhere.
    if middles >= HALF:
        return False
    # A frame encloses cells that have no lines between them.
    framed = sides[0] and sides[-1] and not any(sides[1:-1])
    if ends >= 1 - LINE_GAPS and (framed or float(np.mean(sides)) >= 1 - LINE_GAPS):
        return True
    half = (near + beyond) / 2
    first, last = sorted((far, 2 * far - half))
    if first < 0 or last > pixels.shape[1]:
        return False
    # The ticks of a scale are as long as a part of a cell.
    halves = (_sides(pixels, along, *ends)[1:-1] for ends in ((near, half), (half, beyond)))
    return all(map(all, halves)) and not any(_sides(pixels, along, first, last))


def _contrast(pixels: Pixels, at: float, first: float, last: float) -> float:
    """How many levels a line differs from both its sides, between two places along it. pixels: (along, across, 3)."""
    place = round(at)
    part = pixels[max(round(first), 0) + LINE_PX + 1 : round(last) - LINE_PX, max(place - BESIDE_PX, 0) :]
    part = part[:, : 2 * BESIDE_PX + 1]
    if place < BESIDE_PX or part.shape[1] <= 2 * BESIDE_PX or not len(part):
        return 0.0
    # Of what is bluer and darker the mean may be the same.
    means = part.mean(axis=0)
    inner, sides = means[BESIDE_PX - LINE_PX : BESIDE_PX + LINE_PX + 1], means[[0, -1]]
    return float(max(*(inner.max(axis=0) - sides.max(axis=0)), *(sides.min(axis=0) - inner.min(axis=0))))


def _lined(steps: Mask, crossing: Mask, across: Comb, along: Comb) -> Comb:
    """steps, crossing: (along, across); the comb with all lines next to it that show for `SOME` of their length, and between
    them some of those that cross them: buttons that happen to stand on the lattice have their sides elsewhere."""
    places = [round(along.at(line)) for line in range(along.count)]
    top, bottom = max(places[0], 0), places[-1]

    def shown(index: int) -> bool:
        at = round(across.at(index))
        if not 0 <= at < steps.shape[1]:
            return False
        strip = steps[top:bottom, max(at - LINE_PX, 0) : at + LINE_PX + 1]
        if strip.any(axis=1).mean() < SOME:
            return False
        begin, end = sorted((at, round(across.at(index - 1 if index >= across.count else index + 1))))
        cells = crossing[:, begin + LINE_PX + 1 : end - LINE_PX]
        return any(
            cells[max(place - LINE_PX, 0) : place + LINE_PX + 1].any(axis=0).mean() >= SOME
            for place in places
            if place < len(cells)
        )

    return _stretched(across, shown, across.count)


def _seen(scene: Scene, strip: Box, comb: Comb, *, upright: bool) -> set[int]:
    """At which places of the comb there are digits in a strip; a nought alone may be any round sign."""
    found = set()
    for at, value in scene.once(_digits_in, strip, comb.pitch):
        place = (at[upright] - comb.first) / comb.pitch
        if value and abs(place % 1 - HALF) <= OFF_CENTRE:
            found.add(int(place // 1))
    return found


def _digits_in(scene: Scene, strip: Box, pitch: float) -> list[tuple[tuple[float, float], int | None]]:
    """The middles of the sure digits in a strip, and which they are."""
    letters = apart(scene.once(letters_in, strip, pitch))
    return [
        (one.middle, one.glyph.value)
        for one in letters
        if one.glyph.confidence > SURE and one.glyph.distance < SHAPED
    ]


def _stretched(comb: Comb, shown: Callable[[int], bool], known: int) -> Comb:
    """With further lines as long as they, or the cells between them, are shown; known: how many of those there are."""
    last, first = known, -1
    while shown(last):
        last += 1
    while shown(first):
        first -= 1
    return Comb(comb.at(first + 1), comb.pitch, comb.count - known + last - first - 1)
