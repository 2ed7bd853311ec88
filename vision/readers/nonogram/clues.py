"""The clues beside a nonogram's grid: numbers above the columns and left of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise, product
from statistics import median
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from vision.components import components
from vision.digits import EXAMPLE_CONFIDENCE, Number
from vision.frame import Box, Pixels
from vision.grids import Comb, Grid, evenly
from vision.measures.parts import marked
from vision.readers.nonogram.bands import (
    MOST_DIGITS,
    NEXT,
    Band,
    Ways,
    before_a_hole,
    cut_places,
    end_of,
    far_step,
    inner_ends,
    is_readable,
    joined,
    joints,
    middle,
    number_in,
    usual_step,
    wrapped,
)
from vision.scene import Scene
from vision.writing import LEAST_CONTRAST, Letter, apart, read_letters

Level = TypeVar("Level", bound=np.generic)

# A way that few boards need comes after so many others.
USUAL_WAYS = 3
# The numbers of some lines, in the order they are written in.
Stacks = Mapping[int, Sequence[Sequence[Letter]]]

# This share of the lines must have a clue, or the grid is no nonogram. The side right of it, or below, is looked at closely
# where so many have one at a glance.
LEAST_CLUES, OTHER_SIDE = 0.6, 0.2
# So many lines at least have numbers of their own beyond their clues, where these count up.
NUMBERED = 5
# A side is judged by so many of the likeliest ways to see it.
LIKELY_WAYS = 16
# A board with fewer rows or columns is no witness for its own digits.
SMALL = 5
# A number's middle is at most this far from the middle of its line (share of the pitch), or from the place beside it where
# this share of all numbers stand, to so much.
OFF_CENTRE, MOSTLY_ALIGNED, ALIGNED = 0.38, 0.75, 0.08
# Farther from the middle there are only the lines between the clues.
BETWEEN = 0.42
# Lines of numbers with a place and step of their own are on the whole so far off their rows at most (share of the pitch).
MOST_DRIFT = 0.75
# The gaps between lines of numbers are so many times as wide as those within a line.
WIDER_GAPS = 1.25
# Letters of one band are equally high, within this factor.
SAME_HEIGHT = 1.3
# From this share of lighter (or darker) letters the others are no clues.
ONE_POLARITY = 0.8
# A bracket is taller than the digits by this share of their height, and by so many px, and so wide (share of its own).
BRACKET, BRACKET_PX, BRACKET_WIDTH = 0.12, 1.6, 0.45
# So many digits other than 1 tell how low a digit may be, and so many before a gap of so many heights how high digits are.
SEVERAL_OTHERS, GAP = 4, 3.0
# What has less than the first share of the clear digits' contrast is a piece of a drawing where it stands farther than the
# second one (of its height) from the heights at which they do.
PIECE_CONTRAST, OFF_HEIGHT = 0.6, 0.4
# What has this share of the others' contrast, and the size of a digit, is a digit that cannot be read.
UNREAD_CONTRAST = 0.6
# Digits may be so much taller than usual. What differs so much from the ground is drawn: levels, and share of the clearest.
TALL, PARTED_LEVELS, PARTED = 1.4, 60, 0.5
# Digits that touch are together so many cells high at least, and so wide, from and to, and leave more of their box free than
# this; every so many px tell their ground.
TOUCHING_HIGH, TOUCHING_WIDE, SOLID, STRIDE = 1.5, (0.2, 0.9), 0.7, 97
# How far a band may reach, in cells, unless a line has room for more numbers; beyond it other parts of the screen begin.
LONGEST_BAND = 16
# The frame of the grid may reach this far out: px, and share of the pitch.
FRAME_PX, FRAME = 1, 0.04
# The first number of a line is at most so many pitches away from the grid, unless it stands at the far end of a box.
FIRST = 2.6
# What is so much lower (share of its height) stands on the next line of a text.
SAME_LINE = 0.7
# Between the numbers of rows that stand above each other there is so much room (share of the pitch) to either side.
LAYER = 0.12
# Numbers above each other are all one step apart: this share of the steps is at most a usual one. Beside each other two
# digits are nearer than two numbers: only the other share is more than a usual step.
ABOVE, BESIDE = 0.25, 0.1
# A digit in a box is lower than this share of it, and this near to its middle, down and across; nearer than the fourth to its
# pattern, and surer than the fifth.
IN_BOX, OFF_DOWN, OFF_ACROSS, NEAR_DIGIT, SURE_DIGIT = 0.78, 0.4, 0.45, 1.4, 0.65
# The fullest lines of boxes have digits to the first share; others are clues with the second, and with
# the third of the fullest.
FULLEST, LEAST_FULL, AS_FULL = 0.5, 0.3, 0.6
# Boxes of clues are as full as the first share, 0.51 and more on five boards, and the cells hold no more than the second share
# of that: 0.48 and less there. Of 19 other lattices with full first lines those so full have 0.62 and more.
FULL_BOXES, EMPTIER = 0.5, 0.55
# So many boxes beside each other tell at which place their numbers stand.
SOME_BOXES = 3
# Boxes have one ground to so many levels; it shows in this share of a box from its edges.
GROUND_LEVELS, BESIDE_NUMBER = 12, 0.15
# Digits that others are measured by are surer and nearer than this.
CERTAIN, CERTAIN_NEAR = 0.8, 1.3
# Half of the writing is light. What may be a digit has the others' height to this share, and this share of it as width.
HALF, LIKE_HEIGHT, LEAST_WIDE = 0.5, 0.05, 0.15
# At a thorough look a px is as much work as so many at a quick one.
THOROUGH_WORK = 8
# What is taken for a letter is as much work as so many.
LETTER_WORK_PX = 5_000
# Letters and words of a text are at most so many heights apart, and large ones so many times as high as small ones: frames
# are higher.
LETTERS_APART, SMALL_LETTER = 0.75, 1.7
# Numbers of narrow columns stand as near; so many of their digits (share) are clear.
MOSTLY_CLEAR = 0.8
# Letters are side by side where their middles are nearer than this share of their height.
SIDE_BY_SIDE = 0.5
# Boxes of clues meet in the corner at the top and left, or else in one of these: (below, right).
OTHER_CORNERS = (True, True), (False, True), (True, False)


class Corner(NamedTuple):
    """So many rows and columns of boxes with clues that meet in a corner."""

    below: bool
    right: bool
    rows: int
    cols: int

    def rest_of(self, grid: Grid) -> Grid:
        top, bottom = (0, self.rows) if self.below else (self.rows, 0)
        left, right = (0, self.cols) if self.right else (self.cols, 0)
        return grid.without(top, left, bottom=bottom, right=right)


class Looked:
    """How much work the looks for numbers beside the grids of a picture were, in px of quick looks: `scene.once(Looked)`."""

    def __init__(self, _: Scene) -> None:
        self.px = 0

    def at(self, area: Box, thorough: bool, letters: int) -> None:
        """A look at an area more, in which so much was taken for letters."""
        self.px += area.width * area.height * (THOROUGH_WORK if thorough else 1) + letters * LETTER_WORK_PX


def least_clues(grid: Grid) -> float:
    """The share of a grid's lines that have a clue: a few cells with a few digits beside them may be anything."""
    return 1.0 if min(grid.rows, grid.cols) < SMALL else LEAST_CLUES


def without_boxes(scene: Scene, grid: Grid) -> Grid:
    """The grid without its rows and columns at two sides, or at both ends, that are boxes with clues, not cells.

    Patterns of filled cells look like a digit here and there, but beside the board every box has its number: told by the
    boxes away from the corner. At the top and left one side may do, unless a number of its own stands beside each row.
    """
    cells = _between_boxes(scene, grid)
    if cells != grid:
        return cells
    usual = _corner(scene, grid, below=False, right=False)
    others = (_corner(scene, grid, below, right) for below, right in OTHER_CORNERS)
    found = next((one for one in chain([usual], others) if one.rows and one.cols), usual)
    if not (found.rows or found.cols):
        return grid.without(_rows_of_boxes(scene, grid))
    if (
        found.rows
        and not found.cols
        and all(rows_beside(scene, grid, False, False)[0].lines[: found.rows])
        and not _has_own_ground(_grounds(scene, grid), found.rows)
    ):
        # Signs in a row of cells look like digits. Above a column of boxes, and beside a row of them, a heading may stand.
        return grid
    return found.rest_of(grid)


def _rows_of_boxes(scene: Scene, grid: Grid) -> int:
    """How many first rows are boxes by their ground: no cell after them has it, something stands in each of the last of them,
    and numbers stand beside all other rows, but beside none of these.
    """
    grounds = _grounds(scene, grid)
    same = _like_the_boxes(grounds).all(axis=1)
    rows = int(np.argmin(same))
    if not (rows > 0 and _fits(rows, grid.rows - rows) and _has_own_ground(grounds, rows)):
        return 0
    if not scene.once(marked, grid, LEAST_CONTRAST)[rows - 1].all():
        return 0
    beside = list(map(bool, rows_beside(scene, grid, False, False)[0].lines))
    return rows if beside == [at >= rows for at in range(grid.rows)] else 0


def _between_boxes(scene: Scene, grid: Grid) -> Grid:
    """The grid without the rows at its top and bottom, or the columns at its left and right, that repeat the same clues."""
    seen = scene.once(marked, grid, LEAST_CONTRAST)
    first, last = (_full_lines(_from(seen, after, after)) for after in (False, True))
    if not any(a and b for a, b in zip(first, last, strict=True)):
        return grid
    shown = _digits_shown(scene, grid, below=False, right=False)
    shown |= _digits_shown(scene, grid, below=True, right=True)
    rows, cols = _both_ends(shown)
    # The boxes at the ends of the shorter side are no digits of the longer one.
    if grid.cols > grid.rows > 2 * rows:
        cols = _both_ends(shown[rows : grid.rows - rows])[1]
    elif grid.cols > 2 * cols:
        rows = _both_ends(shown[:, cols : grid.cols - cols])[0]
    if rows and not cols:
        # Nor are those at one end of the rows, which half of the last ones may be.
        beside = _full_lines(shown)[1]
        rows = _both_ends(shown[:, beside : grid.cols - beside])[0] if grid.cols > 2 * beside else 0
    # Where boxes meet there is nothing; a photograph seems to have something everywhere.
    if rows and cols and seen[[0, 0, -1, -1], [0, -1, 0, -1]].any() and not scene.grain:
        return grid
    high, wide = grid.rows - 2 * rows, grid.cols - 2 * cols
    fits = min(high, wide) >= SMALL and _fits(rows, high) and _fits(cols, wide)
    return grid.without(rows, cols, bottom=rows, right=cols) if fits else grid


def _both_ends(shown: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """How many rows, and how many columns, are clues at both ends."""
    first, last = (_full_lines(_from(shown, after, after)) for after in (False, True))
    rows, cols = (max(pair) if min(pair) else 0 for pair in zip(first, last, strict=True))
    return rows, cols


def _fits(boxes: int, cells: int) -> bool:
    """Whether a line of so many cells has so many runs: between two there is a cell. More are another game's digits."""
    return 2 * boxes <= cells + 1


def _corner(scene: Scene, grid: Grid, below: bool, right: bool) -> Corner:
    """The rows and columns at two sides of the grid that are boxes with clues."""
    none = Corner(below, right, 0, 0)
    seen = _from(scene.once(marked, grid, LEAST_CONTRAST), below, right)
    least = _full_lines(seen)
    if not (all(least) if below or right else any(least)):
        return none
    # Where boxes meet there is nothing, or a small picture of the board; a photograph seems to have something everywhere.
    if all(least) and seen[0, 0] and not (scene.grain or _stand_out(seen)):
        return none
    shown = _digits_shown(scene, grid, below, right)
    rows, cols = _full_lines(_from(shown, below, right))
    if rows and cols:
        rows, cols = _of_their_ground(_from(_grounds(scene, grid), below, right), rows, cols)
    fits = _fits(rows, grid.rows - rows) and _fits(cols, grid.cols - cols)
    return Corner(below, right, rows, cols) if fits else none


def _grounds(scene: Scene, grid: Grid) -> npt.NDArray[np.int16]:
    """(rows, cols, BGR) the colour of each cell away from the numbers in boxes."""
    high, wide = scene.pixels.shape[:2]
    ys, xs = (
        (comb.first + comb.pitch * (np.arange(comb.count - 1) + BESIDE_NUMBER))
        .astype(np.int64)
        .clip(0, end - 1)
        for comb, end in ((grid.ys, high), (grid.xs, wide))
    )
    return np.asarray(scene.pixels[ys[:, None], xs], np.int16)


def _like_the_boxes(seen: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
    """(rows, cols) which cells have the ground of the first row's last one, a box. seen: see `_grounds`."""
    return np.asarray(np.abs(seen - seen[0, -1]).max(axis=2) <= GROUND_LEVELS, np.bool_)


def _has_own_ground(seen: npt.NDArray[np.int16], rows: int) -> bool:
    """Whether so many first rows have one ground, which no cell after them has."""
    same = _like_the_boxes(seen)
    return bool(same[:rows].all() and not same[rows:].any())


def _of_their_ground(seen: npt.NDArray[np.int16], rows: int, cols: int) -> tuple[int, int]:
    """So many rows and columns of boxes, and those after them that have the ground of the boxes, where no cell has it.

    Numbers that begin at the far ends of their boxes leave most of the near ones empty.
    """
    same = _like_the_boxes(seen)
    alike = same[:, cols:].all(axis=1), same[rows:].all(axis=0)
    high, wide = (int(np.argmin(one)) for one in alike)
    more = high >= rows and wide >= cols and not same[high:, wide:].any()
    return (high, wide) if more else (rows, cols)


def _digits_shown(scene: Scene, grid: Grid, below: bool, right: bool) -> npt.NDArray[np.bool_]:
    """(rows, cols) the cells with digits as high as those nearest to two sides, away from the corner."""
    pitch, box = min(grid.xs.pitch, grid.ys.pitch), grid.box
    side = round(0.3 * pitch)
    wide, high = box.width // 2 + 2 * side, box.height // 2 + 2 * side
    # Away from the corner, and in the nearer half of the lines: nowhere else boxes with clues are told from cells.
    lefts, tops = (
        (box.left - side, box.left + box.width // 2 - side),
        (box.top - side, box.top + box.height // 2 - side),
    )
    halves = Box(lefts[not right], tops[below], wide, high), Box(lefts[right], tops[not below], wide, high)

    def place(one: Letter) -> tuple[float, float]:
        x, y = one.middle
        return (y - grid.ys.first) / grid.ys.pitch, (x - grid.xs.first) / grid.xs.pitch

    def in_box(one: Letter) -> bool:
        # A frame in a box is no nought. On a photograph pieces of the lines between boxes look like low digits.
        row, col = place(one)
        across = BETWEEN if one.glyph.value in (1, None) else OFF_ACROSS
        near = abs(row % 1 - HALF) < OFF_DOWN and abs(col % 1 - HALF) < across
        return near and 0 <= row < grid.rows and 0 <= col < grid.cols and one.box.height < IN_BOX * pitch

    letters = [one for half in halves for one in scene.once(letters_in, half, pitch) if in_box(one)]

    def away(one: Letter) -> float:
        down = box.bottom - one.box.bottom if below else one.box.top - box.top
        return min(down, box.right - one.box.right if right else one.box.left - box.left)

    shown = np.zeros((grid.rows, grid.cols), np.bool_)
    values: set[int | None] = set()
    for letter in _of_one_height(letters, away):
        if letter.glyph.distance < NEAR_DIGIT and letter.glyph.confidence > SURE_DIGIT:
            row, col = place(letter)
            shown[int(row), int(col)] = True
            values.add(letter.glyph.value)
    # What looks like the same digit in all boxes is a cross in all of them; all clues may be ones.
    return shown & (len(values) > 1 or values == {1})


def _from(shown: npt.NDArray[Level], below: bool, right: bool) -> npt.NDArray[Level]:
    """Cells from the corner of the clues on."""
    return shown[:: -1 if below else 1, :: -1 if right else 1]


def letters_in(scene: Scene, area: Box, pitch: float) -> list[Letter]:
    """What a quick look shows of the digits in an area."""
    return read_letters(scene.pixels, area.clipped(scene.size), pitch, thorough=False)


def boxes_show(scene: Scene, grid: Grid) -> bool:
    """Whether boxes of clues seem to be the first rows and columns: before any is read."""
    return _stand_out(scene.once(marked, grid, LEAST_CONTRAST))


def _stand_out(something: npt.NDArray[np.bool_]) -> bool:
    """Whether the first rows and columns are full and the rest is emptier."""
    top, left = _full_lines(something)
    if not (top and left):
        return False
    boxes = min(something[:top, left:].mean(), something[top:, :left].mean())
    return bool(boxes >= FULL_BOXES and something[top:, left:].mean() <= EMPTIER * boxes)


def _full_lines(shown: npt.NDArray[np.bool_]) -> tuple[int, int]:
    rows, cols = shown.shape
    return _last_full(shown[:, cols // 2 :]), _last_full(shown.T[:, rows // 2 :])


def _last_full(shown: npt.NDArray[np.bool_]) -> int:
    """How many of the lines of the first half are clues: down to the last one that is full of digits."""
    shares = shown[: len(shown) // 2].mean(axis=1)
    best = float(shares.max(initial=0.0))
    return int(np.flatnonzero(shares >= max(LEAST_FULL, AS_FULL * best))[-1]) + 1 if best >= FULLEST else 0


def rows_beside(scene: Scene, grid: Grid, framed: bool, thorough: bool) -> Ways:
    """The numbers left of the grid, or right of it where more lines have some there: see `_read_rows`."""
    return scene.once(_fuller, grid, True, framed, thorough)


def columns_beside(scene: Scene, grid: Grid, framed: bool, thorough: bool) -> Ways:
    """The numbers above the grid, or below it where more lines have some there: see `_read_columns`."""
    return scene.once(_fuller, grid, False, framed, thorough)


def _fuller(scene: Scene, grid: Grid, of_rows: bool, framed: bool, thorough: bool) -> Ways:
    """The side where more lines have numbers that fit.

    A thorough look is at a side where digits of one row touch those of the next, or a quick one saw some, and takes in digits
    taller than the cells, too.
    """
    room = grid.cols if of_rows else grid.rows

    def likeliest(looks: Iterable[Ways]) -> Ways:
        found: list[Ways] = []
        for bands in looks:
            found.append(bands)
            if bands[0].fitting(room) >= LEAST_CLUES and not _is_numbering(bands[0]):
                return bands
        # Where words stand beyond the numbers, all of it fits nowhere.
        fits = [max(band.fitting(room) for band in bands[:LIKELY_WAYS]) for bands in found]
        # Numbers of the lines are their clues where no others stand.
        clear = [
            (fit >= LEAST_CLUES and not _is_numbering(bands[0]), fit)
            for fit, bands in zip(fits, found, strict=True)
        ]
        return found[clear.index(max(clear))]

    def look(thorough: bool, after: bool, tall: bool) -> Ways:
        return scene.once(_read, Side(grid, of_rows, after), framed, thorough, tall)

    def touching(after: bool) -> bool:
        return scene.once(_touching, Side(grid, of_rows, after))

    def promises(after: bool) -> bool:
        return not after or touching(after) or look(False, True, False)[0].clued >= OTHER_SIDE

    if not thorough:
        return likeliest(look(False, after, False) for after in (False, True))
    ways = sorted(product((False, True), repeat=2), key=lambda way: not (way[0] and touching(way[1])))
    return likeliest(look(True, after, tall) for tall, after in ways if promises(after))


class Side(NamedTuple):
    """A side of a grid: of its rows or of its columns, before or after it."""

    grid: Grid
    of_rows: bool
    after: bool

    @property
    def along(self) -> Comb:
        """The lattice lines that one crosses on the way from the grid."""
        return self.grid.xs if self.of_rows else self.grid.ys

    @property
    def away(self) -> Callable[[Letter], int]:
        """Tells how far a letter is from the grid, px."""
        left, top, *_ = self.strip(0)
        if self.of_rows:
            return (lambda one: one.box.left - left) if self.after else (lambda one: left - one.box.right)
        return (lambda one: one.box.top - top) if self.after else (lambda one: top - one.box.bottom)

    def strip(self, wide: int, gap: int = 0, beyond: int = 0) -> Box:
        """So many px from the grid on, after a gap. beyond: how far it reaches beyond the first and last lines."""
        box = self.grid.box
        if self.of_rows:
            left = box.right + gap if self.after else box.left - wide
            return Box(left, box.top - beyond, wide - gap, box.height + 2 * beyond)
        top = box.bottom + gap if self.after else box.top - wide
        return Box(box.left - beyond, top, box.width + 2 * beyond, wide - gap)


def _read(scene: Scene, side: Side, framed: bool, thorough: bool, tall: bool) -> Ways:
    """The numbers on a side.

    framed: keep off the grid as far as its frame may reach; numbers may stand nearer than that.
    thorough: see `read_letters`. tall: digits may be taller than the cells; then what is tiny is none.
    """
    grid, pixels, pitch = side.grid, scene.pixels, side.along.pitch
    if tall and (side.of_rows or scene.once(_touching, side)):
        pixels = parted(pixels, side)
    reach, gap = round(_longest(side.along.count - 1) * pitch), frame_px(pitch) if framed else 0
    other = grid.ys if side.of_rows else grid.xs
    area = side.strip(reach, gap, round(0.6 * other.pitch)).clipped(scene.size)
    beside = side.strip(round(pitch)).clipped(scene.size)
    room = min(grid.xs.pitch, grid.ys.pitch) * (TALL if tall else 1.0)
    letters = read_letters(pixels, area, room, thorough=thorough, first=beside, tiny=not tall)
    scene.once(Looked).at(area, thorough, len(letters))
    if side.of_rows:
        return _read_rows(scene, side, _in_place(_of_one_height(letters, side.away), side))
    # Numbers of narrow columns, and the lines between them, may look like words: these are left out where more lines fit then,
    # or as many with more numbers, as words above them may stand nearer to each other than they.
    sets = dict.fromkeys((tuple(letters), tuple(_without_words(letters))))
    found = [_read_columns(scene, side, _in_place(_of_one_height(some, side.away), side)) for some in sets]
    return max(found, key=lambda ways: (ways[0].fitting(grid.rows), sum(map(len, ways[0].lines))))


def _without_words(letters: Sequence[Letter]) -> list[Letter]:
    """Without those in a row of more than a number has, of which many are no clear digits."""
    kept: list[Letter] = []
    for line in _in_lines(letters, SIDE_BY_SIDE):
        boxes = [one.box for one in line]
        ends = [
            i
            for i, (a, b) in enumerate(pairwise(boxes), 1)
            if b.left - a.right > LETTERS_APART * b.height
            or max(a.height, b.height) > SMALL_LETTER * min(a.height, b.height)
        ]
        for first, last in pairwise((0, *ends, len(line))):
            # One place may have several letters.
            places = 1 + sum(b.left >= a.right for a, b in pairwise(boxes[first:last]))
            run = apart(line[first:last])
            clear = is_readable(run) and sum(map(_is_certain, run)) >= MOSTLY_CLEAR * len(run)
            if places <= MOST_DIGITS or clear:
                kept += line[first:last]
    return kept


def _is_certain(letter: Letter) -> bool:
    return letter.glyph.confidence >= CERTAIN and letter.glyph.distance < CERTAIN_NEAR


def _touching(scene: Scene, side: Side) -> bool:
    """Whether on a side stands what is no wider than a number, and goes on from one to the one below: digits that touch."""
    grid, near = side.grid, round(FIRST * side.along.pitch)
    beside = scene.pixels[side.strip(near + 1, 1).clipped(scene.size).window]
    if not beside.size:
        return False
    ground = np.median(beside.reshape(-1, 3)[::STRIDE], axis=0)
    wide, high, px = components(_drawn(beside, ground).astype(np.uint8)).stats[1:, 2:].T
    least, most = TOUCHING_WIDE[0] * grid.xs.pitch, TOUCHING_WIDE[1] * grid.xs.pitch
    # What is solid is no writing, but the ground of every other line.
    digits = (wide > least) & (wide < most) & (px < SOLID * wide * high)
    return bool((digits & (high > TOUCHING_HIGH * grid.ys.pitch)).any())


def _drawn(pixels: Pixels, ground: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """(H, W) which px are drawn on the ground: what is soft between dim digits is as much of a piece as between clear ones."""
    away = np.abs(pixels - ground).max(axis=2)
    return np.asarray(away > min(PARTED_LEVELS, max(PARTED * away.max(initial=0.0), LEAST_CONTRAST)))


def parted(pixels: Pixels, side: Side) -> Pixels:
    """The picture with a line of the ground's colour between numbers and those below them.

    Digits taller than the cells touch each other. All are equally high, and those of each row begin as far from its border as
    the first row's do. In columns they are a row's height apart as well.
    """
    pitch, box = side.grid.ys.pitch, side.grid.box
    size = pixels.shape[1], pixels.shape[0]
    reach, over = round(_longest(side.along.count - 1) * side.along.pitch), side.of_rows * round(pitch / 2)
    band = side.strip(reach, 1, over).clipped(size)
    near = side.strip(round(FIRST * side.along.pitch), 1, over).clipped(size)
    beside = pixels[near.window]
    if not beside.size:
        return pixels
    ground = np.median(beside.reshape(-1, 3)[:: max(len(beside) // 100, 1)], axis=0)
    if side.of_rows:
        beside = beside[: round(box.top + pitch / 2) - near.top]
    drawn = np.flatnonzero(_drawn(beside, ground).any(axis=1))
    if not len(drawn):
        return pixels
    page = pixels.copy()
    # Above the grid the numbers end where the nearest ones do.
    between = near.top + int(drawn[0] - 1 if side.of_rows or side.after else drawn[-1] + 1)
    first = between - pitch * ((between - band.top) // pitch)
    for y in np.arange(first, band.bottom, pitch).round().astype(int):
        page[min(y, size[1] - 1), band.left : band.right] = ground
    return page


def _read_columns(scene: Scene, side: Side, letters: Sequence[Letter]) -> Ways:
    """The numbers above or below the grid, top to bottom for every column; likeliest first, then with less and less."""
    grid, edge = side.grid, side.strip(0).top
    stacks = _by_column(letters, side)
    levels = [level for own in stacks.values() for level in own]
    # What stands side by side above a column is one number, as a rule, however far apart its digits are in their font.
    widest = max([b.middle[0] - a.middle[0] for level in levels for a, b in pairwise(level)], default=0.0)
    limits = list(dict.fromkeys([*joints(levels), widest]))

    def away(number: Sequence[Letter]) -> float:
        return abs(edge - middle(number)[1])

    readable = [[away(n) for n in own if is_readable(n)] for own in stacks.values()]
    heights = [height for own in readable for height in own]
    first = farthest_first(grid.rows) * grid.ys.pitch
    pairs = (pair for own in stacks.values() for pair in pairwise(own) if min(map(away, pair)) <= first)
    step = far_step(readable, grid.ys.pitch) or _step(pairs, grid.ys.pitch, 1.3 * grid.ys.pitch)
    end = end_of(heights, first, 1.45 * step)

    whole = wrapped(stacks)
    piles: list[Stacks] = [stacks, whole] if whole != stacks else [stacks]

    usual = usual_step([sorted(own) for own in readable], grid.ys.pitch, ABOVE)
    held = {col: before_a_hole([away(n) for n in own], usual) for col, own in stacks.items()}

    def band(limit: float, apart_px: float, of: Stacks, holed: bool = True) -> Band:
        # Where the clues end, something unreadable may be one more.
        near = _within(of, away, limit, limit + 1.1 * step if limit == end else limit, step)
        kept = {
            col: [number for n in own if holed or away(n) <= held[col] for number in joined(n, apart_px)]
            for col, own in near.items()
        }
        return _band(scene, side, kept, limit)

    layer = 0.4 * step
    cuts = cut_places(readable, end, layer, grid.ys.pitch, ABOVE)
    ends = inner_ends(readable, cuts, layer)
    before_words = [
        cut for cut in ends if _words_begin([one for one in letters if away([one]) <= end], away, cut)
    ]
    inner = [partial(band, cut, limits[0], stacks) for cut in ends if cut not in before_words]
    # Other text above the columns is more frequent than several numbers side by side, or broken ones.
    ways = product(range(len(cuts)), range(0, 2 * len(limits), 2), range(0, 2 * len(piles), 2))
    makers = [partial(band, cuts[i], limits[j // 2], piles[k // 2]) for i, j, k in sorted(ways, key=sum)]
    makers[1:1] = [partial(band, cut, limits[0], stacks) for cut in before_words]
    if any(away(n) > held[col] for col, own in stacks.items() for n in own if away(n) <= end):
        # Pieces of a frame above some of the columns alone, beyond a hole.
        makers.insert(USUAL_WAYS, partial(band, end, limits[0], stacks, False))
    return Ways(makers, inner)


def _words_begin(letters: Sequence[Letter], away: Callable[[Sequence[Letter]], float], cut: float) -> bool:
    """Whether most of what is farther from the grid than a cut is unlike digits, and all that is nearer is like them."""
    far = np.array([away([one]) > cut for one in letters])
    clear = np.array([one.glyph.confidence >= EXAMPLE_CONFIDENCE for one in letters])
    return bool(clear[~far].all() and clear[far].mean() < HALF)


def _by_column(letters: Sequence[Letter], side: Side) -> dict[int, list[list[Letter]]]:
    """The numbers of every column, from the top down."""
    comb, cells = _lines_of(letters, side), dict[int, list[Letter]]()
    for letter in letters:
        col = int((letter.middle[0] - comb.first) // comb.pitch)
        off = abs(letter.middle[0] - comb.at(col + 0.5))
        # Only a 1 looks like such a line.
        line = letter.glyph.value in (1, None) and off > BETWEEN * comb.pitch
        if 0 <= col < side.grid.cols and not line:
            cells.setdefault(col, []).append(letter)
    stacks = {col: _in_lines(one, SIDE_BY_SIDE) for col, one in cells.items()}
    beside = {
        col: [(middle(number)[0] - comb.at(col + 0.5)) / comb.pitch for number in one]
        for col, one in stacks.items()
    }
    # Other writing above them stands anywhere.
    usual = _usual_place([one[0 if side.after else -1] for one in beside.values() if one])
    return {
        col: [n for n, off in zip(one, beside[col], strict=True) if abs(off - usual) <= OFF_CENTRE]
        for col, one in stacks.items()
    }


def _usual_place(off: Sequence[float]) -> float:
    """How far off the middle of their columns numbers stand (shares of the pitch): in wide boxes perhaps all at one side."""
    usual = median(off) if off else 0.0
    aligned = np.abs(np.asarray(off) - usual) <= ALIGNED
    return usual if abs(usual) > OFF_CENTRE and aligned.mean() >= MOSTLY_ALIGNED else 0.0


def _step(pairs: Iterable[tuple[Sequence[Letter], ...]], pitch: float, otherwise: float) -> float:
    """From one number of a column down to the next, px. pairs: of such numbers; headings are farther off."""
    steps = [middle(b)[1] - middle(a)[1] for a, b in pairs]
    return median([step for step in steps if step <= NEXT * pitch] or [otherwise])


def _within(
    stacks: Stacks, away: Callable[[Sequence[Letter]], float], limit: float, unread: float, step: float
) -> dict[int, list[Sequence[Letter]]]:
    """The numbers that are at most so far away; what cannot be read may be as far as `unread`, next to another one."""
    return {
        line: [
            n
            for n in own
            if away(n) <= (limit if is_readable(n) else unread)
            and (
                is_readable(n)
                or own == [n]
                or min(abs(away(n) - away(o)) for o in own if o is not n) <= NEXT * step
            )
        ]
        for line, own in stacks.items()
    }


def _longest(cells: int) -> int:
    """How far a band may reach, in cells: numbers of a line have an empty cell between them."""
    return max(LONGEST_BAND, (cells + 1) // 2)


def farthest_first(cells: int) -> float:
    """How far from the grid the nearest number may be, in cells: at the far end of a box with room for all of a line."""
    return max(FIRST, (cells + 1) / 2 + HALF)


def _band(scene: Scene, side: Side, lines: Stacks, limit: float) -> Band:
    """The numbers of the lines, which reach so far from the grid."""
    count = side.grid.rows if side.of_rows else side.grid.cols
    own = [tuple(map(tuple, lines.get(line, ()))) for line in range(count)]
    numbers = [tuple(map(number_in, line)) for line in own]
    labels = _numbering(numbers, side.after)
    if sum(a < len(line) for a, line in zip(labels, numbers, strict=False)) >= LEAST_CLUES * count:
        clues = [slice(None, -a) if side.after else slice(a, None) for a in labels]
        own = [line[some] for line, some in zip(own, clues, strict=True)]
        numbers = [line[some] for line, some in zip(numbers, clues, strict=True)]
    area = side.strip(max(round(limit + side.along.pitch), 0)).clipped(scene.size)
    return Band(tuple(numbers), area, tuple(own))


def _is_numbering(band: Band) -> bool:
    """Whether nothing but the lines' own numbers stands there."""
    return _numbering(band.lines, False) == [len(line) for line in band.lines]


def _numbering(lines: Sequence[Sequence[Number]], after: bool) -> list[int]:
    """How many outermost numbers of each line are its own number, and no clue; none where the lines are not numbered.

    A gap may part the digits of one. after: the numbers stand right of the grid, or below it.
    """
    if len(lines) < NUMBERED or not all(lines):
        return []
    first, found = lines[0][-1 if after else 0].value, []
    for nth, line in enumerate(lines, first or 0):
        text, label = "", 0
        while label < len(line) and text != f"{nth}":
            label += 1
            text = f"{line[-label].value}{text}" if after else f"{text}{line[label - 1].value}"
        if text != f"{nth}":
            return []
        found.append(label)
    return found


def frame_px(pitch: float) -> int:
    """How far out the frame of the grid may reach."""
    return FRAME_PX + round(FRAME * pitch)


def _read_rows(scene: Scene, side: Side, letters: Sequence[Letter]) -> Ways:
    """The numbers left or right of the grid, in every way to tell two digits from two numbers, likeliest first."""
    grid, away = side.grid, side.away
    lines = _by_row(letters, side)
    readable = [[away(letter) for letter in own if is_readable([letter])] for own in lines.values()]
    ways = [distance for own in readable for distance in own]
    # Where the clues end, something unreadable may be one more.
    further = max(1.75 * grid.xs.pitch, 1.1 * far_step(readable, grid.xs.pitch), 1.0)
    end = end_of(ways, farthest_first(grid.cols) * grid.xs.pitch, further)
    texts = {row: _in_lines(own, SAME_LINE) for row, own in lines.items()}
    cuts = cut_places(readable, end, LAYER * grid.xs.pitch, grid.xs.pitch, 1 - BESIDE)

    def limits(cut: float) -> list[float]:
        # Where the band ends nearer to the grid, what is beyond tells nothing of its digits.
        return joints([[one for one in text if away(one) <= cut] for own in texts.values() for text in own])

    usual = usual_step([sorted(own) for own in readable], grid.xs.pitch, 1 - BESIDE)
    whole = {row: before_a_hole([away(one) for one in own], usual) for row, own in lines.items()}

    def band(cut: float, apart_px: float, holed: bool = True) -> Band:
        unread = cut + (further if cut == end else 0.0)
        kept = {
            row: [
                number
                for text in own
                for number in joined(
                    [
                        o
                        for o in text
                        if away(o) <= (cut if is_readable([o]) else unread)
                        and (holed or away(o) <= whole[row])
                    ],
                    apart_px,
                )
            ]
            for row, own in texts.items()
        }
        return _band(scene, side, kept, cut)

    orders = sorted((i + j, i, cut, px) for i, cut in enumerate(cuts) for j, px in enumerate(limits(cut)))
    inner = inner_ends(readable, cuts, LAYER * grid.xs.pitch)
    makers = [partial(band, cut, apart_px) for *_, cut, apart_px in orders]
    if any(away(one) > whole[row] for row, own in lines.items() for one in own if away(one) <= end):
        # Text beside some of the rows alone, beyond a hole.
        makers.insert(USUAL_WAYS, partial(band, *orders[0][2:], False))
    return Ways(makers, [partial(band, cut, limits(cut)[0]) for cut in inner])


def _by_row(letters: Sequence[Letter], side: Side) -> dict[int, list[Letter]]:
    """The letters beside every row."""
    comb, lines = _lines_of(letters, side), dict[int, list[Letter]]()
    for letter in letters:
        row = int((letter.middle[1] - comb.first) // comb.pitch)
        if 0 <= row < side.grid.rows and abs(letter.middle[1] - comb.at(row + 0.5)) <= BETWEEN * comb.pitch:
            lines.setdefault(row, []).append(letter)
    return lines


def _lines_of(letters: Sequence[Letter], side: Side) -> Comb:
    """Between which places the numbers of each line of the grid stand: the lines' own, or others with another step.

    Told by those nearest to the grid that stand in as many lines as it has, all one step apart, where it has several; hardly
    off the grid's own, they are those: blurred digits are read where they are.
    """
    comb, axis = (side.grid.ys, 1) if side.of_rows else (side.grid.xs, 0)
    lines, away = comb.count - 1, np.fromiter(map(side.away, letters), np.int64)
    order = away.argsort(kind="stable")
    ends = [*(np.flatnonzero(np.diff(away[order])) + 1).tolist(), len(letters)]
    boxes = np.array([one.box for one in letters], np.float64).reshape(-1, 4)[order]
    spans = np.stack((boxes[:, axis], boxes[:, axis] + boxes[:, axis + 2]), axis=1)
    found = (_even_lines(spans[:end], lines, ALIGNED * comb.pitch) for end in ends if end >= lines > 1)
    own = next((one for one in found if one), comb)
    first, centre, last = (abs(own.at(at) - comb.at(at)) / comb.pitch for at in (0, lines / 2, lines))
    return own if max(first, last) > ALIGNED and centre <= MOST_DRIFT else comb


def _even_lines(spans: npt.NDArray[np.float64], lines: int, most_off: float) -> Comb | None:
    """The lines in which something stands, if they begin, end or are centred one step apart, but for so many px.

    spans: (n, 2) from where to where each letter reaches, px. None where they are not so many lines.
    """
    spans = spans[spans[:, 0].argsort()]
    reached = np.maximum.accumulate(spans[:, 1])
    gaps = spans[1:, 0] - reached[:-1]
    order = np.argsort(-gaps, kind="stable")
    cuts, rest = np.sort(order[: lines - 1]), order[lines - 1 :]
    first, last = spans[[0, *(cuts + 1)], 0], reached[[*cuts, -1]]
    if gaps[cuts].min() <= WIDER_GAPS * gaps[rest].max(initial=0):
        return None
    middles, nth = (first + last) / 2, np.arange(lines)
    for places in (middles, first, last):
        step, start = evenly(nth, places)
        off = np.abs(places - start - step * nth)
        if off.max() <= most_off and (last - first).max() < step:
            return Comb(float(middles.mean()) - step * lines / 2, step, lines + 1)
    return None


def _of_one_height(letters: Sequence[Letter], away: Callable[[Letter], float]) -> list[Letter]:
    """Those as high as the certain digits nearest to the grid. away: how far from it one is, in px."""
    certain = [one for one in apart(letters) if _is_certain(one)]
    certain.sort(key=away)
    # Brackets, soft shades beside a thick frame and specks of its texture pass for ones, but no 1 is taller than all other
    # digits near the grid, nor lower than all of several.
    others = _before_a_gap([one for one in certain if one.glyph.value != 1], away)[:12]
    heights = [one.box.height for one in others]
    tallest = float(max(heights, default=float("inf")))
    lowest = min(heights) / SAME_HEIGHT if len(heights) >= SEVERAL_OTHERS else 0.0
    certain = [
        one
        for one in certain
        if one.glyph.value != 1
        or (lowest <= one.box.height <= SAME_HEIGHT * tallest and not _is_bracket(one, tallest))
    ]
    nearest = _before_a_gap(certain, away)[: max(12, len(certain) // 2)]
    if not nearest:
        return []
    usual = median([one.box.height for one in nearest])
    slack = 1.5
    alike = [
        one for one in letters if usual / SAME_HEIGHT - slack <= one.box.height <= usual * SAME_HEIGHT + slack
    ]
    light = float(np.mean([one.light for one in nearest]))
    if max(light, 1 - light) >= ONE_POLARITY:
        strokes, sure = [one.box for one in certain if one.light == (light > HALF)], set(certain)
        alike = [
            one
            for one in alike
            if one.light == (light > HALF)
            or (one in sure and not (one.glyph.value == 1 and _is_gap(one, away, strokes)))
        ]
    kept = apart(alike)
    # A piece of a frame is a 1, but a much thinner one than the others.
    ones = [one.box.width for one in kept if one.glyph.value == 1]
    thin = 0.5 * median(ones) if ones else 0.0
    clear = UNREAD_CONTRAST * median([one.contrast for one in nearest])
    return [
        one
        for one in kept
        if not _is_bracket(one, usual)
        and (
            (one.glyph.value is not None and (one.glyph.value != 1 or one.box.width >= thin))
            or (_like_a_digit(one, usual) and one.contrast >= clear)
        )
    ]


def _in_place(letters: Sequence[Letter], side: Side) -> list[Letter]:
    """Without faint letters where no number stands: pieces of a drawing behind the numbers, and of lines between boxes.

    Numbers stand in the rows, or at every step of a column; in the boxes of rows also at the same places across.
    """
    clear = [one for one in letters if _is_certain(one)]
    least = PIECE_CONTRAST * median([one.contrast for one in clear]) if clear else 0.0
    if min([one.contrast for one in letters], default=least) >= least:
        return list(letters)
    clear = [one for one in clear if one.contrast >= least]
    grid, places = side.grid, [(1, side.grid.ys.pitch if side.of_rows else _steps_down(clear, side.grid))]
    if side.of_rows and _are_boxed([(one.middle[0] - grid.xs.first) / grid.xs.pitch for one in clear]):
        places.append((0, grid.xs.pitch))

    def stands(one: Letter) -> bool:
        return all(
            any(
                abs((one.middle[axis] - other.middle[axis] + step / 2) % step - step / 2)
                <= OFF_HEIGHT * one.box.height
                for other in clear
            )
            for axis, step in places
        )

    return [one for one in letters if one.contrast >= least or stands(one)]


def _are_boxed(at: Sequence[float]) -> bool:
    """Whether numbers stand in several boxes, in all of them at one place. at: in boxes from the grid on."""
    boxes: dict[int, list[float]] = {}
    for one in at:
        boxes.setdefault(int(one // 1), []).append(one % 1)
    usual = [median(own) for own in boxes.values()]
    return len(usual) >= SOME_BOXES and max(usual) - min(usual) <= 2 * ALIGNED


def _steps_down(letters: Sequence[Letter], grid: Grid) -> float:
    """From one number of a column down to the next, px; 1 where no column has two."""
    cols: dict[float, list[Letter]] = {}
    for one in letters:
        cols.setdefault((one.middle[0] - grid.xs.first) // grid.xs.pitch, []).append(one)
    pairs = (pair for own in cols.values() for pair in pairwise(_in_lines(own, SIDE_BY_SIDE)))
    return _step(pairs, grid.ys.pitch, 1.0)


def _is_gap(one: Letter, away: Callable[[Letter], float], strokes: Sequence[Box]) -> bool:
    """Whether something is the ground between strokes: right beside one, or beside the grid. away: how far from it, px."""
    left, top, right, bottom = one.box.left, one.box.top, one.box.right, one.box.bottom
    return away(one) <= FRAME_PX or any(
        box.left <= right + FRAME_PX
        and left <= box.right + FRAME_PX
        and box.top < bottom
        and top < box.bottom
        for box in strokes
    )


def _before_a_gap(letters: Sequence[Letter], away: Callable[[Letter], float]) -> Sequence[Letter]:
    """Of letters in the order of how far away they are, px, those after which there is nothing for a while.

    The numbers of a small board are few, and a page's other writing would outnumber them.
    """
    for i, (one, after) in enumerate(pairwise(letters), 1):
        if i >= SEVERAL_OTHERS and away(after) - away(one) > GAP * one.box.height:
            return letters[:i]
    return letters


def _is_bracket(one: Letter, usual: float) -> bool:
    """Whether something narrow is taller than the digits, as the signs around a list of numbers are."""
    taller = max(BRACKET_PX, BRACKET * usual)
    return one.box.width <= BRACKET_WIDTH * one.box.height and one.box.height >= usual + taller


def _like_a_digit(one: Letter, usual: float) -> bool:
    """Whether something that is no digit could be one all the same: it has the size of the others."""
    return (
        one.glyph.value is None
        and abs(one.box.height - usual) <= 1 + LIKE_HEIGHT * usual
        and LEAST_WIDE * usual <= one.box.width <= usual
    )


def _in_lines(letters: Sequence[Letter], apart_by: float) -> list[list[Letter]]:
    """The letters line by line, each from left to right; what is so much lower (share of its height) is on the next line."""
    found: list[list[Letter]] = []
    for letter in sorted(letters, key=lambda one: one.middle[1]):
        if found and letter.middle[1] - middle(found[-1])[1] < apart_by * letter.box.height:
            found[-1].append(letter)
        else:
            found.append([letter])
    return [sorted(one, key=lambda letter: letter.box.left) for one in found]
