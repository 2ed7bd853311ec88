"""The clues beside a nonogram's grid: numbers above the columns and left of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import overload

import numpy as np
import numpy.typing as npt

from solver.nonogram import Clue
from vision.digits import Number, number_of
from vision.frame import Box, Pixels
from vision.grids import Grid
from vision.measures.parts import marked
from vision.scene import Scene
from vision.writing import LEAST_CONTRAST, Letter, apart, read_letters

# This share of the lines must have a clue, or the grid is no nonogram.
LEAST_CLUES = 0.6
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
# How many outer layers may turn out to be other text, which stands off by so many of the usual steps.
MOST_CUTS, LOOSE = 6, 1.25
# The next number of a line is at most so many pitches farther out.
NEXT = 1.6
# Numbers above each other are all one step apart; beside each other two digits are nearer than two numbers.
ABOVE, BESIDE = 0.25, 0.9
# Colours this far apart (levels) never make one number.
OTHER_COLOUR = 90.0


@dataclass(frozen=True)
class Band:
    """The numbers of one side, line by line, in reading order, and the letters of each."""

    lines: tuple[tuple[Number, ...], ...]
    area: Box
    letters: tuple[tuple[tuple[Letter, ...], ...], ...] = ()

    @property
    def clues(self) -> tuple[Clue, ...]:
        return tuple(tuple(n.value for n in line if n.value) for line in self.lines)

    @property
    def clued(self) -> float:
        """The share of the lines that have numbers."""
        return sum(map(bool, self.lines)) / max(len(self.lines), 1)

    @property
    def total(self) -> int:
        return sum(map(sum, self.clues))


class Ways(Sequence[Band]):
    """The ways to see one side, the likeliest first; each is made when it is asked for."""

    def __init__(self, makers: Sequence[Callable[[], Band]]) -> None:
        self._makers, self._made = makers, dict[int, Band]()

    def __len__(self) -> int:
        return len(self._makers)

    @overload
    def __getitem__(self, index: int) -> Band: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Band]: ...
    def __getitem__(self, index: int | slice) -> Band | Sequence[Band]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index not in self._made:
            self._made[index] = self._makers[index]()
        return self._made[index]


def clue_rows_in_grid(scene: Scene, grid: Grid) -> tuple[int, int]:
    """(rows, columns) at the top and left of the grid that are boxes with clues, not cells.

    Patterns of filled cells look like a digit here and there, but beside the board every box has its number: told by the
    boxes away from the corner.
    """
    something = scene.once(marked, grid, LEAST_CONTRAST)
    if not any(_full_lines(something)):
        return 0, 0
    pitch = min(grid.xs.pitch, grid.ys.pitch)
    side = round(0.3 * pitch)
    box = grid.box
    around = inside(
        scene.pixels, Box(box.left - side, box.top - side, box.width + 2 * side, box.height + 2 * side)
    )
    letters = read_letters(scene.pixels, around, pitch, thorough=False)
    # A frame in a box is no nought.
    letters = [one for one in letters if one.box.height < 0.78 * pitch]
    shown = np.zeros((grid.rows, grid.cols), np.bool_)
    for letter in _of_one_height(letters, lambda one: min(one.box.top - box.top, one.box.left - box.left)):
        row = (letter.middle[1] - grid.ys.first) / grid.ys.pitch
        col = (letter.middle[0] - grid.xs.first) / grid.xs.pitch
        near = abs(row % 1 - 0.5) < 0.3 and abs(col % 1 - 0.5) < 0.45
        sure = letter.glyph.distance < 1.4 and letter.glyph.confidence > 0.65
        if (
            near
            and sure
            and letter.box.height < 0.78 * pitch
            and 0 <= row < grid.rows
            and 0 <= col < grid.cols
        ):
            shown[int(row), int(col)] = True
    return _full_lines(shown)


def _full_lines(shown: npt.NDArray[np.bool_]) -> tuple[int, int]:
    rows, cols = shown.shape
    return _last_full(shown[:, cols // 2 :]), _last_full(shown.T[:, rows // 2 :])


def _last_full(shown: npt.NDArray[np.bool_]) -> int:
    """How many of the lines of the first half are clues: down to the last one that is full of digits."""
    shares = shown[: len(shown) // 2].mean(axis=1)
    best = float(shares.max(initial=0.0))
    return int(np.flatnonzero(shares >= max(0.3, 0.6 * best))[-1]) + 1 if best >= 0.5 else 0


def inside(pixels: Pixels, box: Box) -> Box:
    height, width = pixels.shape[:2]
    left, top = min(max(box.left, 0), width), min(max(box.top, 0), height)
    right, bottom = min(box.right, width), min(box.bottom, height)
    return Box(left, top, max(right - left, 0), max(bottom - top, 0))


def rows_beside(scene: Scene, grid: Grid, framed: bool, thorough: bool) -> Ways:
    """The numbers left of the grid, or right of it where more lines have some there: see `read_rows`."""
    return scene.once(_rows_beside, grid, framed, thorough)


def columns_beside(scene: Scene, grid: Grid, framed: bool, thorough: bool) -> Ways:
    """The numbers above the grid, or below it where more lines have some there: see `read_columns`."""
    return scene.once(_columns_beside, grid, framed, thorough)


def _rows_beside(scene: Scene, grid: Grid, framed: bool, thorough: bool) -> Ways:
    return _fuller(lambda other: read_rows(scene.pixels, grid, framed=framed, thorough=thorough, right=other))


def _columns_beside(scene: Scene, grid: Grid, framed: bool, thorough: bool) -> Ways:
    return _fuller(
        lambda other: read_columns(scene.pixels, grid, framed=framed, thorough=thorough, below=other)
    )


def _fuller(read_side: Callable[[bool], Ways]) -> Ways:
    near = read_side(False)
    if near[0].clued >= LEAST_CLUES:
        return near
    return max(near, read_side(True), key=lambda bands: bands[0].clued)


def read_columns(
    pixels: Pixels, grid: Grid, *, framed: bool = False, thorough: bool = True, below: bool = False
) -> Ways:
    """The numbers above the grid, top to bottom for every column; likeliest first, then with less and less.

    framed: keep off the grid as far as its frame may reach; numbers may stand nearer than that.
    thorough: see `read_letters`. below: the numbers below the grid.
    """
    box, reach = grid.box, round(LONGEST_BAND * grid.ys.pitch)
    side, gap = round(0.6 * grid.xs.pitch), _frame(grid.ys.pitch) if framed else 0
    top, edge = (box.bottom + gap, box.bottom) if below else (box.top - reach, box.top)
    area = inside(pixels, Box(box.left - side, top, box.width + 2 * side, reach - gap))
    letters = _of_one_height(
        read_letters(pixels, area, min(grid.xs.pitch, grid.ys.pitch), thorough=thorough),
        lambda one: one.box.top - edge if below else edge - one.box.bottom,
    )
    cells: dict[int, list[Letter]] = {}
    for letter in letters:
        col = int((letter.middle[0] - grid.xs.first) // grid.xs.pitch)
        off = abs(letter.middle[0] - grid.xs.at(col + 0.5))
        # Only a 1 looks like such a line.
        line = letter.glyph.value in (1, None) and off > BETWEEN * grid.xs.pitch
        if 0 <= col < grid.cols and not line:
            cells.setdefault(col, []).append(letter)
    stacks = {col: [n for n in _stacked(own) if _centred(n, grid, col)] for col, own in cells.items()}
    limits = _limits([level for own in stacks.values() for level in own])

    def away(number: Sequence[Letter]) -> float:
        return abs(edge - _middle(number)[1])

    readable = [[away(n) for n in own if _readable(n)] for own in stacks.values()]
    heights = [height for own in readable for height in own]
    first = 2.6 * grid.ys.pitch
    pairs = [pair for own in stacks.values() for pair in pairwise(own) if min(map(away, pair)) <= first]
    steps = [_middle(b)[1] - _middle(a)[1] for a, b in pairs]
    near = [step for step in steps if step <= NEXT * grid.ys.pitch]
    step = float(np.median(near)) if near else 1.3 * grid.ys.pitch
    end = _reach(heights, first, 1.45 * step)

    def band(limit: float, apart_px: float) -> Band:
        # Where the clues end, something unreadable may be one more.
        unread = limit + 1.1 * step if limit == end else limit
        kept = {
            col: [
                number
                for n in own
                if away(n) <= (limit if _readable(n) else unread)
                for number in _joined(n, apart_px)
            ]
            for col, own in stacks.items()
        }
        wide = max(round(limit + grid.ys.pitch), 0)
        around = Box(box.left, edge if below else max(box.top - wide, 0), box.width, wide)
        return Band(_numbers(kept, grid.cols), inside(pixels, around), _letters(kept, grid.cols))

    cuts = _cuts(readable, end, 0.4 * step, grid.ys.pitch, ABOVE)
    orders = sorted((i + j, i, j) for i in range(len(cuts)) for j in range(len(limits)))
    return Ways([partial(band, cuts[i], limits[j]) for _, i, j in orders])


def _numbers(lines: Mapping[int, Sequence[Sequence[Letter]]], count: int) -> tuple[tuple[Number, ...], ...]:
    return tuple(tuple(_number(n) for n in lines.get(line, ())) for line in range(count))


def _letters(
    lines: Mapping[int, Sequence[Sequence[Letter]]], count: int
) -> tuple[tuple[tuple[Letter, ...], ...], ...]:
    return tuple(tuple(tuple(number) for number in lines.get(line, ())) for line in range(count))


def _frame(pitch: float) -> int:
    return FRAME_PX + round(FRAME * pitch)


def _readable(letters: Sequence[Letter]) -> bool:
    return all(letter.glyph.value is not None for letter in letters)


def _cuts(
    lines: Sequence[Sequence[float]], end: float, gap: float, pitch: float, share: float
) -> list[float]:
    """The reach of the band, then without its outermost layer, and so on: other text may follow the clues.

    lines: how far from the grid the numbers of every line are. What stands at a usual step from the number before it is a
    clue, and no cut goes between them. share: of the steps that are at most a usual one.
    """
    inside = [sorted(d for d in line if d <= end) for line in lines]
    steps = [b - a for line in inside for a, b in pairwise(line) if b - a <= NEXT * pitch]
    usual = float(np.quantile(steps, share)) if steps else 0.0
    nearest = float(np.median([line[0] for line in inside if line])) if any(inside) else 0.0
    cuts = [end]
    for a, b in pairwise(sorted((d for line in inside for d in line), reverse=True)):
        cut = (a + b) / 2
        if (
            a - b > gap
            and len(cuts) < MOST_CUTS
            and all(_parts(line, cut, usual, nearest) for line in inside)
        ):
            cuts.append(cut)
    return cuts


def _parts(line: Sequence[float], cut: float, usual: float, nearest: float) -> bool:
    """Whether what a line has beyond a cut stands off from the rest of it."""
    beyond = next((d for d in line if d > cut), None)
    if beyond is None:
        return True
    before = max((d for d in line if d <= cut), default=nearest)
    return beyond - before > LOOSE * usual


def _centred(letters: Sequence[Letter], grid: Grid, col: int) -> bool:
    return abs(_middle(letters)[0] - grid.xs.at(col + 0.5)) <= OFF_CENTRE * grid.xs.pitch


def read_rows(
    pixels: Pixels, grid: Grid, *, framed: bool = False, thorough: bool = True, right: bool = False
) -> Ways:
    """The numbers left of the grid, in every way to tell two digits from two numbers, likeliest first.

    right: the numbers right of the grid; else as for the columns.
    """
    box, reach = grid.box, round(LONGEST_BAND * grid.xs.pitch)
    side, gap = round(0.6 * grid.ys.pitch), _frame(grid.xs.pitch) if framed else 0
    left, edge = (box.right + gap, box.right) if right else (box.left - reach, box.left)
    area = inside(pixels, Box(left, box.top - side, reach - gap, box.height + 2 * side))

    def away(one: Letter) -> float:
        return one.box.left - edge if right else edge - one.box.right

    letters = _of_one_height(
        read_letters(pixels, area, min(grid.xs.pitch, grid.ys.pitch), thorough=thorough), away
    )
    lines: dict[int, list[Letter]] = {}
    for letter in letters:
        row = int((letter.middle[1] - grid.ys.first) // grid.ys.pitch)
        off = abs(letter.middle[1] - grid.ys.at(row + 0.5))
        if 0 <= row < grid.rows and off <= OFF_CENTRE * grid.ys.pitch:
            lines.setdefault(row, []).append(letter)
    readable = [[away(letter) for letter in own if _readable([letter])] for own in lines.values()]
    ways = [distance for own in readable for distance in own]
    # Where the clues end, something unreadable may be one more.
    further = max(1.75 * grid.xs.pitch, 1.0)
    end = _reach(ways, 2.6 * grid.xs.pitch, further)
    lines = {row: sorted(own, key=lambda letter: letter.box.left) for row, own in lines.items()}
    cuts = _cuts(readable, end, 0.12 * grid.xs.pitch, grid.xs.pitch, BESIDE)
    limits = _limits([[one for one in own if away(one) <= end] for own in lines.values()])

    def band(i: int, j: int) -> Band:
        unread = further if i == 0 else 0.0
        kept = {
            row: list(
                _joined([o for o in own if away(o) <= cuts[i] + unread * (not _readable([o]))], limits[j])
            )
            for row, own in lines.items()
        }
        wide = max(round(cuts[i] + grid.xs.pitch), 0)
        around = Box(edge if right else max(box.left - wide, 0), box.top, wide, box.height)
        return Band(_numbers(kept, grid.rows), inside(pixels, around), _letters(kept, grid.rows))

    orders = sorted((i + j, i, j) for i in range(len(cuts)) for j in range(len(limits)))
    return Ways([partial(band, i, j) for _, i, j in orders])


def _of_one_height(letters: Sequence[Letter], away: Callable[[Letter], float]) -> list[Letter]:
    """Those as high as the certain digits nearest to the grid. away: how far from it one is, in px."""
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
