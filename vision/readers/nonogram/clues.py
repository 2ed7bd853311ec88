"""The clues beside a nonogram's grid: numbers above the columns and left of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from solver.nonogram import Clue
from vision.digits import Number, number_of
from vision.frame import Box, Pixels
from vision.grids import Grid
from vision.writing import Letter, apart, read_letters

# A number's middle is at most this far from the middle of its line (share of the pitch).
OFF_CENTRE = 0.38
# Farther from the middle there are only the lines between the clues.
BETWEEN = 0.42
# Letters of one band are equally high, within this factor.
SAME_HEIGHT = 1.3
# From this share of lighter (or darker) letters the others are no clues.
ONE_POLARITY = 0.8
# What has this share of the others' contrast, and the size of a digit, is a digit that cannot be read.
UNREAD_CONTRAST = 0.6
# How far a band may reach, in cells; beyond it other parts of the screen begin.
LONGEST_BAND = 16
# The frame of the grid may reach this far out: px, and share of the pitch.
FRAME_PX, FRAME = 1, 0.04
# How many outer layers may turn out to be other text.
MOST_CUTS = 6
# Colours this far apart (levels) never make one number.
OTHER_COLOUR = 90.0


@dataclass(frozen=True)
class Band:
    """The numbers of one side, line by line, in reading order."""

    lines: tuple[tuple[Number, ...], ...]
    area: Box

    @property
    def clues(self) -> tuple[Clue, ...]:
        return tuple(tuple(n.value for n in line if n.value) for line in self.lines)

    @property
    def total(self) -> int:
        return sum(map(sum, self.clues))


def clue_rows_in_grid(pixels: Pixels, grid: Grid) -> tuple[int, int]:
    """(rows, columns) at the top and left of the grid that are boxes with clues, not cells."""
    rows, cols = grid.rows // 2, grid.cols // 2
    return (
        _boxes_with_clues(pixels, grid, range(rows), range(cols, grid.cols)),
        _boxes_with_clues(pixels, grid.turned(), range(cols), range(rows, grid.rows), turned=True),
    )


def _boxes_with_clues(
    pixels: Pixels, grid: Grid, lines: range, across: range, *, turned: bool = False
) -> int:
    """How many of the first lines are boxes with clues, told by their cells `across`, away from the corner.

    Patterns of filled cells look like a digit here and there, but clues fill a row or column of boxes.
    turned: the grid is given with rows and columns exchanged.
    """
    shares: list[float] = []
    for line in lines:
        # The first lines decide whether it is worth to go on.
        if len(shares) > 1 and max(shares[-2:]) < 0.3:
            break
        box = _around_cells(grid, line, across)
        if turned:
            box = Box(box.top, box.left, box.height, box.width)
        shares.append(len(set(_digits_in(pixels, box, grid, across, turned=turned))) / max(len(across), 1))
    best = max(shares, default=0.0)
    # Beside the board every line has a number.
    last = max((i for i, share in enumerate(shares) if share >= max(0.3, 0.6 * best)), default=-1)
    return last + 1 if best >= 0.5 else 0


def _around_cells(grid: Grid, row: int, cols: range) -> Box:
    """The cells of a row, with some px around them."""
    left, right = grid.xs.at(cols.start - 0.3), grid.xs.at(cols.stop + 0.3)
    top, bottom = grid.ys.at(row - 0.2), grid.ys.at(row + 1.2)
    return Box(round(left), round(top), round(right - left), round(bottom - top))


def _digits_in(pixels: Pixels, box: Box, grid: Grid, across: range, *, turned: bool) -> Iterator[int]:
    """Which cells of one line have a digit in their middle."""
    pitch = min(grid.xs.pitch, grid.ys.pitch)
    for letter in apart(read_letters(pixels, _inside(pixels, box), pitch)):
        x, y = letter.middle[::-1] if turned else letter.middle
        row, col = (y - grid.ys.first) / grid.ys.pitch, (x - grid.xs.first) / grid.xs.pitch
        near = abs(row % 1 - 0.5) < 0.3 and abs(col % 1 - 0.5) < 0.45
        small = letter.box.height < 0.78 * pitch
        if near and small and letter.glyph.distance < 1.4 and letter.glyph.confidence > 0.65:
            yield int(col)


def _inside(pixels: Pixels, box: Box) -> Box:
    height, width = pixels.shape[:2]
    left, top = min(max(box.left, 0), width), min(max(box.top, 0), height)
    right, bottom = min(box.left + box.width, width), min(box.top + box.height, height)
    return Box(left, top, max(right - left, 0), max(bottom - top, 0))


def read_columns(pixels: Pixels, grid: Grid, *, framed: bool = False) -> list[Band]:
    """The numbers above the grid, top to bottom for every column; likeliest first, then with less and less.

    framed: keep off the grid as far as its frame may reach; numbers may stand nearer than that.
    """
    box, reach = grid.box, round(LONGEST_BAND * grid.ys.pitch)
    side, gap = round(0.6 * grid.xs.pitch), _frame(grid.ys.pitch) if framed else 0
    area = _inside(pixels, Box(box.left - side, box.top - reach, box.width + 2 * side, reach - gap))
    letters = _of_one_height(read_letters(pixels, area, min(grid.xs.pitch, grid.ys.pitch)), box.top, "top")
    cells: dict[int, list[Letter]] = {}
    for letter in letters:
        col = int((letter.middle[0] - grid.xs.first) // grid.xs.pitch)
        off = abs(letter.middle[0] - grid.xs.at(col + 0.5))
        if 0 <= col < grid.cols and off <= BETWEEN * grid.xs.pitch:
            cells.setdefault(col, []).append(letter)
    stacks = {col: [n for n in _stacked(own) if _centred(n, grid, col)] for col, own in cells.items()}
    heights = [box.top - _middle(n)[1] for own in stacks.values() for n in own if _readable(n)]
    steps = [_middle(b)[1] - _middle(a)[1] for own in stacks.values() for a, b in pairwise(own)]
    near = [step for step in steps if step <= 1.6 * grid.ys.pitch]
    step = float(np.median(near)) if near else 1.3 * grid.ys.pitch
    end = _reach(heights, 2.6 * grid.ys.pitch, 1.45 * step)
    bands = []
    for limit in _cuts(heights, end, 0.4 * step):
        # Where the clues end, something unreadable may be one more.
        unread = limit + 1.1 * step if limit == end else limit
        lines = tuple(
            tuple(
                _number(n)
                for n in stacks.get(col, ())
                if box.top - _middle(n)[1] <= (limit if _readable(n) else unread)
            )
            for col in range(grid.cols)
        )
        top = max(int(box.top - limit - grid.ys.pitch), 0)
        bands.append(Band(lines, Box(box.left, top, box.width, box.top - top)))
    return bands


def _frame(pitch: float) -> int:
    return FRAME_PX + round(FRAME * pitch)


def _readable(letters: Sequence[Letter]) -> bool:
    return all(letter.glyph.value is not None for letter in letters)


def _cuts(distances: Sequence[float], end: float, gap: float) -> list[float]:
    """The reach of the band, then without its outermost layer, and so on: other text may follow the clues."""
    inner = sorted((d for d in distances if d <= end), reverse=True)
    cuts = [end]
    for a, b in pairwise(inner):
        if a - b > gap and len(cuts) < MOST_CUTS:
            cuts.append((a + b) / 2)
    return cuts


def _centred(letters: Sequence[Letter], grid: Grid, col: int) -> bool:
    return abs(_middle(letters)[0] - grid.xs.at(col + 0.5)) <= OFF_CENTRE * grid.xs.pitch


def read_rows(pixels: Pixels, grid: Grid, *, framed: bool = False) -> list[Band]:
    """The numbers left of the grid, in every way to tell two digits from two numbers, likeliest first."""
    box, reach = grid.box, round(LONGEST_BAND * grid.xs.pitch)
    side, gap = round(0.6 * grid.ys.pitch), _frame(grid.xs.pitch) if framed else 0
    area = _inside(pixels, Box(box.left - reach, box.top - side, reach - gap, box.height + 2 * side))
    letters = _of_one_height(read_letters(pixels, area, min(grid.xs.pitch, grid.ys.pitch)), box.left, "left")
    lines: dict[int, list[Letter]] = {}
    for letter in letters:
        row = int((letter.middle[1] - grid.ys.first) // grid.ys.pitch)
        off = abs(letter.middle[1] - grid.ys.at(row + 0.5))
        if 0 <= row < grid.rows and off <= OFF_CENTRE * grid.ys.pitch:
            lines.setdefault(row, []).append(letter)
    ways = [box.left - _right(letter) for own in lines.values() for letter in own if _readable([letter])]
    end = _reach(ways, 2.6 * grid.xs.pitch, max(1.75 * grid.xs.pitch, 1.0))
    lines = {row: sorted(own, key=lambda letter: letter.box.left) for row, own in lines.items()}
    cuts = _cuts(ways, end, 0.12 * grid.xs.pitch)
    limits = _limits([[o for o in own if box.left - _right(o) <= end] for own in lines.values()])
    orders = sorted((i + j, i, j) for i in range(len(cuts)) for j in range(len(limits)))
    # Where the clues end, something unreadable may be one more.
    unread = max(1.75 * grid.xs.pitch, 1.0)
    return [_row_band(lines, grid, cuts[i], unread if i == 0 else 0.0, limits[j]) for _, i, j in orders]


def _right(letter: Letter) -> int:
    return letter.box.left + letter.box.width


def _row_band(
    lines: Mapping[int, Sequence[Letter]], grid: Grid, end: float, unread: float, limit: float
) -> Band:
    box = grid.box
    left = max(int(box.left - end - grid.xs.pitch), 0)
    near = {
        row: [o for o in own if box.left - _right(o) <= end + (0.0 if _readable([o]) else unread)]
        for row, own in lines.items()
    }
    return Band(
        tuple(tuple(_number(n) for n in _joined(near.get(row, ()), limit)) for row in range(grid.rows)),
        Box(left, box.top, box.left - left, box.height),
    )


def _of_one_height(letters: Sequence[Letter], edge: int, side: str) -> list[Letter]:
    """Those as high as the certain digits nearest to the grid."""

    def away(letter: Letter) -> float:
        box = letter.box
        return edge - (box.top + box.height if side == "top" else box.left + box.width)

    certain = [one for one in apart(letters) if one.glyph.confidence >= 0.8 and one.glyph.distance < 1.3]
    certain.sort(key=away)
    # Soft shades beside a thick frame pass for ones, but no 1 is taller than all other digits near the grid.
    others = [one.box.height for one in certain if one.glyph.value != 1][:12]
    tallest = SAME_HEIGHT * max(others, default=float("inf"))
    certain = [one for one in certain if one.glyph.value != 1 or one.box.height <= tallest]
    nearest = certain[: max(12, len(certain) // 2)]
    if not nearest:
        return []
    usual = float(np.median([one.box.height for one in nearest]))
    slack = 1.5
    alike = [
        one for one in letters if usual / SAME_HEIGHT - slack <= one.box.height <= usual * SAME_HEIGHT + slack
    ]
    light = float(np.mean([one.light for one in nearest]))
    if max(light, 1 - light) >= ONE_POLARITY:
        alike = [one for one in alike if one.light == (light > 0.5)]
    kept = apart(alike)
    # A piece of a frame is a 1, but a much thinner one than the others.
    ones = [one.box.width for one in kept if one.glyph.value == 1]
    thin = 0.5 * float(np.median(ones)) if ones else 0.0
    clear = UNREAD_CONTRAST * float(np.median([one.contrast for one in nearest]))
    return [
        one
        for one in kept
        if (one.glyph.value is not None and (one.glyph.value != 1 or one.box.width >= thin))
        or (_like_a_digit(one, usual) and one.contrast >= clear)
    ]


def _like_a_digit(one: Letter, usual: float) -> bool:
    """Whether something that is no digit could be one all the same: it has the size of the others."""
    return (
        one.glyph.value is None
        and abs(one.box.height - usual) <= 1 + 0.05 * usual
        and 0.15 * usual <= one.box.width <= usual
    )


def _stacked(letters: Sequence[Letter]) -> list[list[Letter]]:
    """The letters of a column as numbers: what stands side by side is one."""
    found: list[list[Letter]] = []
    for letter in sorted(letters, key=lambda one: one.middle[1]):
        if found and letter.middle[1] - _middle(found[-1])[1] < 0.5 * letter.box.height:
            found[-1].append(letter)
        else:
            found.append([letter])
    return [sorted(one, key=lambda letter: letter.box.left) for one in found]


def _middle(letters: Sequence[Letter]) -> tuple[float, float]:
    left = min(one.box.left for one in letters)
    right = max(one.box.left + one.box.width for one in letters)
    top = min(one.box.top for one in letters)
    bottom = max(one.box.top + one.box.height for one in letters)
    return (left + right) / 2, (top + bottom) / 2


def _reach(distances: Sequence[float], first: float, step: float) -> float:
    """How far from the grid the band goes: until nothing follows within a step."""
    end = -1.0
    for distance in sorted(distances):
        if distance > (first if end < 0 else end + step):
            break
        end = distance
    return end


def _limits(rows: Sequence[Sequence[Letter]]) -> list[float]:
    """Distances between the middles of two letters up to which they are one number, likeliest first."""
    steps = sorted(b.middle[0] - a.middle[0] for line in rows for a, b in pairwise(line))
    letters = [one for line in rows for one in line]
    if not steps or not letters:
        return [0.0]
    height = float(np.median([one.box.height for one in letters]))
    # Two digits of one number are 0.6 to 1.05 heights apart in all common fonts; a number apart starts there.
    usual = 1.02 * height
    jumps = [(b - a, (a + b) / 2) for a, b in pairwise(steps) if 0.5 * height < (a + b) / 2 < 1.9 * height]
    clear = [middle for jump, middle in sorted(jumps, reverse=True)[:4] if jump > 0.08 * height]
    ordered = [*sorted(clear, key=lambda limit: abs(limit - usual)), usual, 0.0]
    return [limit for i, limit in enumerate(ordered) if limit not in ordered[:i]]


def _joined(line: Sequence[Letter], limit: float) -> Iterator[list[Letter]]:
    number: list[Letter] = []
    for letter in line:
        if number:
            near = letter.middle[0] - number[-1].middle[0] <= limit
            alike = (
                max(abs(a - b) for a, b in zip(letter.colour, number[-1].colour, strict=True)) < OTHER_COLOUR
            )
            if not (near and alike and len(number) < 3):
                yield number
                number = []
        number.append(letter)
    if number:
        yield number


def _number(letters: Sequence[Letter]) -> Number:
    return number_of([one.glyph for one in letters])
