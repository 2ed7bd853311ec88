"""The numbers of one side of a nonogram's grid, and where one number ends and the next, or other text, begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product
from statistics import median
from typing import overload

import numpy as np

from solver.nonogram import Clue
from vision.colour import apart
from vision.digits import EXAMPLE_CONFIDENCE, Number, number_of
from vision.frame import Box
from vision.writing import Letter

# How many outer layers may turn out to be other text, which stands off by so many of the usual steps.
MOST_CUTS, LOOSE = 10, 1.25
# Of the layers between which nothing parts so many are tried as the outermost one.
MOST_INNER = 3
# Where a line has a hole of so many of the usual steps, what follows is other text.
HOLE = 1.75
# The next number of a line is at most so many pitches farther out; or all are to the second number, as far to this share.
NEXT, FAR, EVEN = 1.6, 2.5, 0.1
# Lines of one number are at most so many digits' heights apart, and numbers by so much more (share of the height).
NEXT_LINE, LINE_JUMP = 2.2, 0.2
# Colours this far apart (levels) never make one number.
OTHER_COLOUR = 90.0
# Bands are so many heights of a digit apart; a jump this large (heights) parts two; so many of the largest are looked at.
APART, JUMP = (0.5, 1.9), 0.08
# A number has no more digits.
MOST_DIGITS = 3
# So many numbers of a side may be two each.
MOST_PARTED = 3
# Lines are filled up with noughts where more than this share of them has some.
FILLED_UP = 0.5


@dataclass(frozen=True)
class Band:
    """The numbers of one side, line by line, in reading order, and the letters of each."""

    lines: tuple[tuple[Number, ...], ...]
    area: Box
    letters: tuple[tuple[tuple[Letter, ...], ...], ...] = ()

    @cached_property
    def clues(self) -> tuple[Clue, ...]:
        return tuple(tuple([n.value for n in line if n.value]) for line in self.lines)

    @property
    def digits(self) -> Iterator[Letter]:
        """All letters, one after the other."""
        return (one for line in self.letters for number in line for one in number)

    def after(self, cells: Box, *, level: bool) -> bool:
        """Whether it is beyond cells, and not before them. level: of rows, beside them, else above or below."""
        return self.area.left > cells.left if level else self.area.top > cells.top

    def widest_gap(self, *, level: bool) -> float:
        """How far apart two numbers of a line are at most, px. level: side by side, else one above the other."""
        gaps = [0.0]
        for line in self.letters:
            boxes = list(map(box_of, line))
            gaps += [b.left - a.right if level else b.top - a.bottom for a, b in pairwise(boxes)]
        return max(gaps)

    def likely_gap(self, other: Band, *, level: bool) -> float:
        """How far apart two numbers of a line may be, px: where none has two, so many times as far as on the other side.

        0 where none has two there either. level: as in `widest_gap`.
        """
        return self.widest_gap(level=level) or FAR * other.widest_gap(level=not level)

    @property
    def clued(self) -> float:
        """The share of the lines that have numbers."""
        return sum(map(bool, self.lines)) / max(len(self.lines), 1)

    def fitting(self, room: int) -> float:
        """The share of the lines that have numbers which are not too long for so many cells."""
        return sum(0 < sum(clue) <= room for clue in self.clues) / max(len(self.lines), 1)

    @cached_property
    def total(self) -> int:
        return sum(map(sum, self.clues))

    @cached_property
    def all_read(self) -> bool:
        return all(number.value is not None for line in self.lines for number in line)

    @cached_property
    def complete(self) -> bool:
        """Whether all numbers are read. A nought beside others is part of one, unless most lines are filled up with some."""
        noughts = [[number.value for number in line].count(0) for line in self.lines]
        parted = any(some and len(line) > 1 for some, line in zip(noughts, self.lines, strict=True))
        filled_up = sum(map(bool, noughts)) > FILLED_UP * len(noughts)
        return self.all_read and (not parted or filled_up)


def is_legible(line: Iterable[Number]) -> bool:
    """Whether all numbers look like what they were read as."""
    return all(number.confidence >= EXAMPLE_CONFIDENCE for number in line)


class Ways(Sequence[Band]):
    """The ways to see one side, the likeliest first; each is made when it is asked for.

    inner: further ones, which end where nothing but the other clues can say that they do.
    """

    def __init__(
        self, makers: Sequence[Callable[[], Band]], inner: Sequence[Callable[[], Band]] = ()
    ) -> None:
        self._makers, self._made = makers, dict[int, Band]()
        self.inner: Sequence[Band] = Ways(inner) if inner else ()

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


def cut_places(
    lines: Sequence[Sequence[float]], end: float, gap: float, pitch: float, share: float
) -> list[float]:
    """The reach of the band, then without its outermost layer, and so on: other text may follow the clues.

    lines: how far from the grid the numbers of every line are. What stands at a usual step from the number before it is a
    clue, and no cut goes between them unless other lines have a hole there. share: of the steps that are at most a usual one.
    """
    inside = [sorted(d for d in line if d <= end) for line in lines]
    usual = usual_step(inside, pitch, share)
    nearest = median([line[0] for line in inside if line]) if any(inside) else 0.0
    cuts = [end]
    for a, b in pairwise(sorted((d for line in inside for d in line), reverse=True)):
        cut = (a + b) / 2
        if (
            a - b > gap
            and len(cuts) < MOST_CUTS
            and (
                all(_parts(line, cut, usual, nearest) for line in inside) or _leaves_holes(inside, cut, usual)
            )
        ):
            cuts.append(cut)
    # Of many layers of text, the inner ones are the likelier ends of the clues.
    return [end, *cuts[1:][-MOST_CUTS + 1 :]]


def usual_step(lines: Sequence[Sequence[float]], pitch: float, share: float) -> float:
    """From one number of a line to the next. lines: in order; share: see `cut_places`."""
    steps = [b - a for line in lines for a, b in pairwise(line) if b - a <= NEXT * pitch]
    return far_step(lines, pitch) or (float(np.quantile(steps, share)) if steps else 0.0)


def far_step(lines: Sequence[Sequence[float]], pitch: float) -> float:
    """From one number to the next where all stand far from each other, and some lines have three; else 0.

    Two lines of a heading are not as far from each other as from the numbers. Nearer than half a pitch are digits.
    """
    steps = [[b - a for a, b in pairwise(sorted(line)) if b - a > pitch / 2] for line in lines]
    every = [step for own in steps for step in own]
    usual = median(every) if every else 0.0
    told = usual > NEXT * pitch and max(map(len, steps)) > 1
    even = all(abs(step - usual) <= EVEN * pitch for step in every)
    return usual if told and even and usual <= FAR * pitch else 0.0


def before_a_hole(line: Sequence[float], usual: float) -> float:
    """How far from the grid the numbers of a line go that follow each other. line: how far each is."""
    ordered = sorted(line)
    ends = (a for a, b in pairwise(ordered) if b - a > HOLE * usual)
    return next(ends, ordered[-1] if ordered else 0.0)


def inner_ends(lines: Sequence[Sequence[float]], cuts: Sequence[float], gap: float) -> list[float]:
    """Where else the band may end, nearest to the grid first: single numbers and text right above look like two numbers."""
    ordered = sorted(d for line in lines for d in line if d <= cuts[0])
    layers = [(a + b) / 2 for a, b in pairwise(ordered) if b - a > gap]
    return [layer for layer in layers if layer not in cuts][:MOST_INNER]


def _parts(line: Sequence[float], cut: float, usual: float, nearest: float) -> bool:
    """Whether what a line has beyond a cut stands off from the rest of it."""
    beyond = next((d for d in line if d > cut), None)
    if beyond is None:
        return True
    before = max((d for d in line if d <= cut), default=nearest)
    return beyond - before > LOOSE * usual


def _leaves_holes(lines: Sequence[Sequence[float]], cut: float, usual: float) -> bool:
    """Whether lines have a hole at the cut: numbers of one line follow each other, and a heading stands above all."""
    holes = [
        next(d for d in line if d > cut) - max(d for d in line if d <= cut) > HOLE * usual
        for line in lines
        if line and line[0] <= cut < line[-1]
    ]
    return any(holes)


def end_of(distances: Sequence[float], first: float, step: float) -> float:
    """How far from the grid the band goes: until nothing follows within a step."""
    end = -1.0
    for distance in sorted(distances):
        if distance > (first if end < 0 else end + step):
            break
        end = distance
    return end


def joints(rows: Sequence[Sequence[Letter]]) -> list[float]:
    """Distances between the middles of two letters up to which they are one number, likeliest first."""
    steps = sorted(b.middle[0] - a.middle[0] for line in rows for a, b in pairwise(line))
    letters = [one for line in rows for one in line]
    if not steps or not letters:
        return [0.0]
    height = median([one.box.height for one in letters])
    # Two digits of one number are 0.6 to 1.05 heights apart in all common fonts; a number apart starts there.
    # Middles lie on whole and half px.
    usual = 1.02 * height + 0.5
    jumps = [
        (b - a, (a + b) / 2)
        for a, b in pairwise(steps)
        if APART[0] * height < (a + b) / 2 < APART[1] * height
    ]
    clear = [middle for jump, middle in sorted(jumps, reverse=True)[:4] if jump > JUMP * height]
    ordered = [*sorted(clear, key=lambda limit: abs(limit - usual)), usual, 0.0]
    return [limit for i, limit in enumerate(ordered) if limit not in ordered[:i]]


def joined(line: Sequence[Letter], limit: float) -> Iterator[list[Letter]]:
    number: list[Letter] = []
    for letter in line:
        if number:
            near = letter.middle[0] - number[-1].middle[0] <= limit
            alike = apart(letter.colour, number[-1].colour) < OTHER_COLOUR
            if not (near and alike and len(number) < MOST_DIGITS):
                yield number
                number = []
        number.append(letter)
    if number:
        yield number


def middle(letters: Sequence[Letter]) -> tuple[float, float]:
    return letters[0].middle if len(letters) == 1 else box_of(letters).centre


def box_of(letters: Sequence[Letter]) -> Box:
    return Box.around(*(one.box for one in letters))


def number_in(letters: Sequence[Letter]) -> Number:
    """What the letters are as one number."""
    return letters[0].number if len(letters) == 1 else number_of([one.glyph for one in letters])


def two_each(band: Band, room: int) -> list[Band]:
    """The band with each number that is longer than its line, of so many cells, as two: in every way to part them. None where
    there are too many such numbers."""
    whole = [
        (line, nth)
        for line, numbers in enumerate(band.lines)
        for nth, number in enumerate(numbers)
        if (number.value or 0) > room
    ]
    if not 0 < len(whole) <= MOST_PARTED:
        return []
    numbers = [band.letters[line][nth] for line, nth in whole]
    # No number begins with a nought.
    ends = [[end for end in range(1, len(one)) if one[end].glyph.value] for one in numbers]
    found = []
    for some in product(*ends):
        letters = [list(line) for line in band.letters]
        for (line, nth), number, end in reversed(list(zip(whole, numbers, some, strict=True))):
            letters[line][nth : nth + 1] = number[:end], number[end:]
        lines = tuple(tuple(map(number_in, line)) for line in letters)
        found.append(replace(band, lines=lines, letters=tuple(map(tuple, letters))))
    return found


def is_readable(letters: Sequence[Letter]) -> bool:
    return all(letter.glyph.value is not None for letter in letters)


def wrapped(stacks: Mapping[int, Sequence[Sequence[Letter]]]) -> dict[int, list[Sequence[Letter]]]:
    """The columns with numbers that a narrow page has broken over two lines, 10 as a 1 over a 0, made whole.

    No number is a lone 0 below another one; and two lines of one number are nearer to each other than two numbers are.
    """
    steps = sorted(
        middle(b)[1] - middle(a)[1]
        for own in stacks.values()
        for a, b in pairwise(own)
        if len(a) == len(b) == 1
    )
    heights = [one.box.height for own in stacks.values() for number in own for one in number]
    height = median(heights) if heights else 0.0
    jumps = [(b - a, (a + b) / 2) for a, b in pairwise(steps) if (a + b) / 2 < NEXT_LINE * height]
    jump, limit = max(jumps, default=(0.0, 0.0))
    limit = limit if jump > LINE_JUMP * height else 0.0
    found: dict[int, list[Sequence[Letter]]] = {}
    for col, own in stacks.items():
        whole = found.setdefault(col, [])
        for number in own:
            last = whole[-1] if whole else []
            lone = len(last) == len(number) == 1
            nought = number[0].glyph.value == 0 and lone and last[0].glyph.value
            if lone and (nought or middle(number)[1] - middle(last)[1] <= limit):
                whole[-1] = [*last, *number]
            else:
                whole.append(number)
    return found
