"""Doubtful clues decided by the others.

The rows hold as many filled cells as the columns, no clue is longer than its line, and there is just one solution: where
the picture leaves a doubt (two digits or two numbers, 6 or 8) these decide, and say so in remarks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, pairwise, product
from statistics import median

import numpy as np
import numpy.typing as npt

from solver import nonogram
from solver.answer import Answer, Limits
from solver.errors import NoSolution, SearchLimit
from solver.nonogram import Clue, Nonogram, Picture, faults
from vision.colour import apart
from vision.digits import EXAMPLE_CONFIDENCE, SURE_MARGIN, Glyph, Number, number_of
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box
from vision.readers.nonogram.bands import Band, Ways, box_of, is_legible, two_each
from vision.readers.nonogram.inks import Colour, palettes
from vision.readers.nonogram.meanings import Witness
from vision.scene import Scene
from vision.writing import Letter

# Another digit may be meant where it is a near tie: at most this share of the distance to the nearest one farther away
# than that. What has a larger margin is legible, and is not changed whatever the other clues say.
NEAR_TIE = SURE_MARGIN
# What is so far from every digit (see `digits.Glyph.distance`) is of a font of its own, handwriting or a pixel font: it may
# be any digit that is no farther away than this besides. Then no other way may be as likely within `AMBIGUOUS_SHAPES`. A
# sign of such a font stands in so many places; what stands in fewer is blurred, or two digits in one.
OWN_SHAPE, OWN_SHAPE_SLACK, AMBIGUOUS_SHAPES, OWN_SIGNS = 0.9, 0.8, 0.5, 4
# No glyph is nearer to a digit than this: closer ones are as good (see `digits._confidence`).
NEAREST = 0.25
# Two glyphs whose distances to all digits differ by no more are drawn alike.
SAME_DIGIT = 0.15
# So many doubts are looked at, so many of them decided at once, and so many puzzles solved for that.
MOST_DOUBTS, MOST_AT_ONCE = 24, 3
MOST_SOLVED = 16
# Two ways whose costs differ by less are about as likely.
AMBIGUOUS = 0.12
# How sure a number is that the other clues have decided.
DECIDED = 0.7
# With so many lines hardly any wrong digit leaves just one solution.
LARGE = 30
# What is left out is numbers where so many of it go on as the others do.
MOSTLY = 0.5
# In how many ways to see the clues (two digits or two numbers, where they end) doubts are tried.
MOST_PAIRS = 12
# The step from one number of a column to the next is known from so many. Another one is as far to this share of it, as high to
# this share or a px, in their colour to so many levels, and this share of its height beside them at most.
SOME_STEPS, SAME_STEP, SAME_HIGH, SAME_INK, IN_COLUMN = 2, 0.1, 0.06, 60, 0.25
# So many of the likeliest ways to see one side are tried with each inner end of the other.
MOST_ENDS = 3
# With more lines (share) whose clue is too long the numbers are no clues at all.
MOST_TOO_LONG = 0.35
# So many lines (share) of a nonogram have several numbers, and so many where all add up; other puzzles have one beside each.
LEAST_SEVERAL, SEVERAL_ADDED = 0.2, 0.1
# Solving to find out whether a reading makes sense may take this long; what all of several solutions have in common, so
# many choices.
WITNESS_S = 1.0
WITNESS_CHOICES = 300


def settled(ways: Ways, columns: Ways) -> tuple[Band, Band, tuple[str, ...]]:
    """The rows and columns that agree with each other, and what had to be decided for that."""
    pairs = sorted((i + j, i, j) for i in range(len(ways)) for j in range(len(columns)))
    agreeing = (
        (rows, cols)
        for rows, cols in ((ways[i], columns[j]) for _, i, j in pairs)
        if _sums_agree(rows, cols)
        and not any(_going_on(columns[0], cols, len(rows.lines)))
        and _answer(Nonogram(rows.clues, cols.clues))
    )
    if (first := next(agreeing, None)) is not None:
        # What is drawn beyond some lines may pass for a number that another line has lost.
        rows, cols = first if _is_clear(first) else next(filter(_is_clear, agreeing), first)
        _refuse_others(rows, cols)
        return rows, cols, ()
    for _, i, j in pairs[:MOST_PAIRS]:
        if ways[i].all_read and columns[j].all_read:
            corrected = _corrected(ways[i], columns[j])
            if corrected is not None:
                return corrected
    if otherwise := _otherwise(ways, columns):
        return otherwise
    unread = [
        f"{side} {number + 1}"
        for side, band in (("row", ways[0]), ("column", columns[0]))
        for number, line in enumerate(band.lines)
        if any(one.value is None for one in line)
    ]
    if unread:
        raise UncertainReading(
            f"the clues of {', '.join(unread[:4])} cannot be read", hint="a clearer or larger picture helps"
        )
    too_long = len([fault for fault in faults(Nonogram(ways[0].clues, columns[0].clues)) if "needs" in fault])
    if too_long > MOST_TOO_LONG * (len(ways[0].lines) + len(columns[0].lines)):
        raise BoardNotFound("a grid with numbers, most of which are too long for its lines: no nonogram")
    if not several_a_line(ways[0], columns[0]):
        raise BoardNotFound("a grid with single numbers beside its lines that do not add up: no nonogram")
    raise UncertainReading(
        "the clues contradict each other: "
        + "; ".join((*faults(Nonogram(ways[0].clues, columns[0].clues)), "no solution")[:2]),
        hint="a clearer or larger picture of the whole board helps",
    )


def several_a_line(rows: Band, cols: Band) -> bool:
    """Whether so many lines have more than one number as a nonogram's have."""
    lines = (*rows.lines, *cols.lines)
    return sum(len(line) > 1 for line in lines) >= LEAST_SEVERAL * len(lines)


def _going_on(most: Band, cols: Band, room: int) -> list[bool]:
    """Whether each number without which the columns are left stands over their others, or below, as those do over each other.

    Such a one is as legible, of their size and colour, their step away, and no larger than a column has room for. most: all
    that may be numbers.
    """
    kept = [list(map(box_of, line)) for line in cols.letters]
    steps = [abs(b.centre.y - a.centre.y) for line in kept for a, b in pairwise(line)]
    if len(steps) < SOME_STEPS:
        return []
    own = {one.box for one in cols.digits}
    step, high = median(steps), median(box.height for box in own)
    colour = np.median([one.colour for one in cols.digits], axis=0).tolist()

    def goes_on(number: Sequence[Letter], near: Sequence[Box]) -> bool:
        box, value = box_of(number), number_of([one.glyph for one in number]).value
        alike = value is not None and value <= room
        alike &= all(
            one.glyph.confidence >= EXAMPLE_CONFIDENCE
            and abs(one.box.height - high) <= max(1.0, SAME_HIGH * high)
            and apart(one.colour, colour) <= SAME_INK
            for one in number
        )
        return alike and any(
            abs(abs(box.centre.y - one.centre.y) - step) <= SAME_STEP * step
            and abs(box.centre.x - one.centre.x) <= IN_COLUMN * high
            for one in near
        )

    return [
        goes_on(number, near)
        for line, near in zip(most.letters, kept, strict=True)
        for number in line
        if not any(one.box in own for one in number)
    ]


def _is_clear(sides: tuple[Band, Band]) -> bool:
    """Whether all numbers of both sides are legible."""
    return all(map(is_legible, chain(sides[0].lines, sides[1].lines)))


def _otherwise(ways: Ways, columns: Ways) -> tuple[Band, Band, tuple[str, ...]] | None:
    """Clues that end before text which stands as further numbers would, or of which some are two that stand as near as
    digits of one; where just one such way makes sense."""
    ends = "have fewer numbers than it looks: with all that stands"
    found: dict[Nonogram, tuple[Band, Band, str]] = {}
    for rows, cols, why in (
        *(
            (rows, cols, f"the columns {ends} above they do not add up")
            for rows, cols in product(ways[:MOST_ENDS], columns.inner)
            if np.mean(_going_on(columns[0], cols, len(rows.lines)) or [False]) < MOSTLY
        ),
        *(
            (rows, cols, f"the rows {ends} beside them they do not add up")
            for rows, cols in product(ways.inner, columns[:MOST_ENDS])
            if _lost_too_long(ways, rows, len(cols.lines))
        ),
        *(
            (rows, cols, "numbers that are longer than their rows are two each")
            for rows, cols in product(two_each(ways[0], len(columns[0].lines)), columns[:MOST_ENDS])
        ),
    ):
        if not _sums_agree(rows, cols):
            continue
        puzzle = Nonogram(rows.clues, cols.clues)
        if only_solution(puzzle):
            found.setdefault(puzzle, (rows, cols, why))
    if len(found) != 1:
        return None
    ((rows, cols, why),) = found.values()
    _refuse_others(rows, cols)
    return rows, cols, (why,)


def _lost_too_long(ways: Ways, inner: Band, room: int) -> bool:
    """Whether no line that has lost letters in a band which ends nearer could keep them: with them it needs more cells."""
    lost = [
        number
        for number, (line, kept) in enumerate(zip(ways[0].letters, inner.letters, strict=True))
        if sum(map(len, line)) > sum(map(len, kept))
    ]
    clues = [way.clues for way in ways]
    return all(min(sum(one[number]) + len(one[number]) - 1 for one in clues) > room for number in lost)


def in_colours(
    scene: Scene, ways: Sequence[Band], columns: Sequence[Band]
) -> tuple[Band, Band, Nonogram, Mapping[str, Colour]] | None:
    """The clues as those of a coloured nonogram, with the colour of every ink; None where they are none.

    Only a single solution proves it: then every ink has as many cells in the rows as in the columns.
    """
    pairs = sorted((i + j, i, j) for i in range(len(ways)) for j in range(len(columns)))
    # Ways to see the same clues show the same inks.
    agreeing: dict[tuple[tuple[Clue, ...], tuple[Clue, ...]], tuple[Band, Band]] = {}
    for _, i, j in pairs[:MOST_PAIRS]:
        rows, cols = ways[i], columns[j]
        if _sums_agree(rows, cols):
            agreeing.setdefault((rows.clues, cols.clues), (rows, cols))
    for rows, cols in agreeing.values():
        for palette, inks in palettes(scene, rows, cols):
            puzzle = Nonogram(rows.clues, cols.clues, palette=palette)
            if only_solution(puzzle) is not None:
                return rows, cols, puzzle, inks
    return None


def may_be_pointed_at(puzzle: Nonogram) -> bool:
    """Whether all inks but one are in a single row and column each, as numbers beside a cell that somebody points at are, and
    in one colour the clues have a picture as well."""
    assert puzzle.palette is not None
    seen = sorted(
        max(sum(ink.char in line for line in side) for side in (puzzle.palette.rows, puzzle.palette.cols))
        for ink in puzzle.palette.inks
    )
    return seen[-2] == 1 and has_solution(Nonogram(puzzle.rows, puzzle.cols))


def _sums_agree(rows: Band, cols: Band) -> bool:
    """Whether both sides are complete and hold as many filled cells: nothing else is worth a further look."""
    return rows.complete and cols.complete and rows.total == cols.total


def only_solution(puzzle: Nonogram) -> Picture | None:
    answer = _answer(puzzle)
    return answer.solution if isinstance(answer, Answer) and answer.unique else None


def has_solution(puzzle: Nonogram) -> bool:
    """Whether there is a picture, or it takes too long to say."""
    return bool(_answer(puzzle))


def witness_of(puzzle: Nonogram) -> tuple[Witness, bool]:
    """What is known of the cells, and whether that is all of them: the only solution, or what all have in common."""
    answer = _answer(puzzle)
    if not isinstance(answer, Answer):
        return Witness(puzzle), False
    one = answer.solution
    if answer.unique:
        return Witness(puzzle, one.filled, one.blank), True
    if answer.second is None:
        return Witness(puzzle), False
    common = nonogram.in_common(puzzle, one, answer.second, choices=WITNESS_CHOICES)
    return Witness(puzzle, common.filled, common.blank), False


@lru_cache(maxsize=64)
def _answer(puzzle: Nonogram) -> Answer[Picture] | bool:
    """The answer; False where there is none, True where it takes too long to say."""
    try:
        return nonogram.solve(puzzle, Limits(seconds=WITNESS_S, unique=True))
    except NoSolution:
        return False
    except SearchLimit:
        return True


@dataclass(frozen=True)
class _Doubt:
    """Digits that look alike and may be another one.

    cost: how much farther from them the other digit is. tie: whether that is a near tie.
    places: (side, line, number, digit) of each.
    """

    cost: float
    other: int
    places: tuple[tuple[int, int, int, int], ...]
    tie: bool = True


def _doubts(rows: Band, cols: Band) -> list[_Doubt]:
    """What may be another digit, the likeliest first. One font draws a digit alike everywhere: all or none."""
    found: dict[tuple[int, int], list[tuple[npt.NDArray[np.float64], float, list[tuple[int, int, int, int]]]]]
    found = {}
    for side, band in enumerate((rows, cols)):
        for line, numbers in enumerate(band.lines):
            for place, number in enumerate(numbers):
                for at, glyph in enumerate(number.glyphs):
                    for other in _others(glyph):
                        # A nought stands alone.
                        if glyph.value is None or (
                            other == at == 0 and len(numbers) + len(number.glyphs) > 2
                        ):
                            continue
                        away = np.array(glyph.distances)
                        groups = found.setdefault((glyph.value, other), [])
                        for like, _, places in groups:
                            if float(np.abs(like - away).max()) < SAME_DIGIT:
                                places.append((side, line, place, at))
                                break
                        else:
                            cost = float(away[other] - away[glyph.value])
                            groups.append((away, max(cost, 0.0), [(side, line, place, at)]))
    doubts = [
        _Doubt(cost, other, tuple(places), cost <= NEAR_TIE * max(float(like[value]), NEAREST))
        for (value, other), groups in found.items()
        for like, cost, places in groups
    ]
    return sorted(
        (doubt for doubt in doubts if doubt.tie or len(doubt.places) >= OWN_SIGNS),
        key=lambda doubt: doubt.cost,
    )


@lru_cache(maxsize=1024)
def _others(glyph: Glyph) -> tuple[int, ...]:
    """The digits that a glyph may be besides the one that it was told to be."""
    if glyph.value is None:
        return ()
    nearest = glyph.distances[glyph.value]
    slack = NEAR_TIE * max(nearest, NEAREST)
    most = max(slack, OWN_SHAPE_SLACK) if nearest >= OWN_SHAPE else slack
    return tuple(
        at for at, away in enumerate(glyph.distances) if away - nearest <= most and at != glyph.value
    )


def _corrected(rows: Band, cols: Band) -> tuple[Band, Band, tuple[str, ...]] | None:
    """The bands with up to three doubts decided the other way, the likeliest that makes sense.

    None too where a small board leaves so many doubts that others as likely were not looked at.
    Raises UncertainReading when two ways that are about as likely make sense.
    """
    every = _doubts(rows, cols)
    doubts = every[:MOST_DOUBTS]
    large = len(rows.lines) + len(cols.lines) >= LARGE
    horizon = math.inf if large or len(every) <= MOST_DOUBTS else every[MOST_DOUBTS].cost
    best: tuple[float, Band, Band, tuple[str, ...]] | None = None
    solved, apart_by = 0, AMBIGUOUS
    for change in _changes(rows, cols, doubts):
        cost = sum(doubt.cost for doubt in change)
        if cost > horizon or (best is not None and cost > best[0] + apart_by):
            break
        bands, remarks = _changed(rows, cols, change)
        puzzle = Nonogram(bands[0].clues, bands[1].clues)
        if faults(puzzle) or not all(band.complete for band in bands):
            continue
        if solved >= MOST_SOLVED:
            return best[1:] if best is not None and large else None
        solved += 1
        if only_solution(puzzle) is None:
            continue
        if best is not None:
            raise _two_ways("; ".join(best[3]), remarks)
        best = cost, bands[0], bands[1], remarks
        apart_by = AMBIGUOUS if all(doubt.tie for doubt in change) else AMBIGUOUS_SHAPES
    return None if best is None or best[0] + apart_by > horizon else best[1:]


def _refuse_others(rows: Band, cols: Band) -> None:
    """Raises UncertainReading where clues that add up may as well be others, which make as much sense.

    That is, have just one solution; or any, where these have several. Then those of one near tie that leave just one make
    more sense.
    """
    every = _doubts(rows, cols)
    doubts = [doubt for doubt in every if doubt.cost < AMBIGUOUS]
    answer = _answer(Nonogram(rows.clues, cols.clues)) if every else None
    makes_sense = only_solution if isinstance(answer, Answer) and answer.unique else _answer
    solved = 0
    for change in _changes(rows, cols, doubts[:MOST_DOUBTS]):
        if sum(doubt.cost for doubt in change) >= AMBIGUOUS or solved >= MOST_SOLVED:
            break
        bands, remarks = _changed(rows, cols, change)
        puzzle = Nonogram(bands[0].clues, bands[1].clues)
        if not faults(puzzle):
            solved += 1
            if makes_sense(puzzle):
                raise _two_ways("the numbers as they look", remarks)
    several = isinstance(answer, Answer) and answer.unique is False
    for tie in every[:MOST_DOUBTS] if several else ():
        if tie.tie and _gain(rows, cols, tie) == 0:
            bands, remarks = _changed(rows, cols, (tie,))
            if only_solution(Nonogram(bands[0].clues, bands[1].clues)):
                raise _two_ways("the numbers as they look", remarks)


def _two_ways(one: str, other: Sequence[str]) -> UncertainReading:
    return UncertainReading(
        f"two readings make sense: {one}, or {'; '.join(other)}",
        hint="a clearer or larger picture of the whole board helps",
    )


def _changes(rows: Band, cols: Band, doubts: Sequence[_Doubt]) -> list[tuple[_Doubt, ...]]:
    """Up to three of the doubts at once, the likeliest first, so that the sums of rows and columns are equal."""
    apart, changes = rows.total - cols.total, []
    gain = np.array([_gain(rows, cols, doubt) for doubt in doubts], np.int64)
    for count in range(1, min(MOST_AT_ONCE, len(doubts)) + 1):
        chosen = _chosen(len(doubts), count)
        for some in chosen[gain[chosen].sum(axis=1) == -apart].tolist():
            change = tuple(doubts[i] for i in some)
            if len({place for one in change for place in one.places}) == sum(
                len(one.places) for one in change
            ):
                changes.append(change)
    return sorted(changes, key=lambda change: sum(doubt.cost for doubt in change))


@lru_cache(maxsize=128)
def _chosen(number: int, count: int) -> npt.NDArray[np.int64]:
    """(ways, count) every way to choose so many of a number of things, in order."""
    return np.array(list(combinations(range(number), count)), np.int64)


def _gain(rows: Band, cols: Band, doubt: _Doubt) -> int:
    """How much larger the sum of the rows is against that of the columns with the other digit."""
    gain = 0
    for side, line, place, at in doubt.places:
        glyphs = (rows, cols)[side].lines[line][place].glyphs
        step = (doubt.other - (glyphs[at].value or 0)) * 10 ** (len(glyphs) - 1 - at)
        gain += -step if side else step
    return gain


def _changed(rows: Band, cols: Band, change: Sequence[_Doubt]) -> tuple[tuple[Band, Band], tuple[str, ...]]:
    bands, remarks = [rows, cols], []
    for doubt in change:
        for side, line, place, at in doubt.places:
            old = bands[side].lines[line][place]
            bands[side] = _with(bands[side], line, place, at, doubt.other)
            new = bands[side].lines[line][place]
            remarks.append(
                f"{('row', 'column')[side]} {line + 1}, number {place + 1}: {old.value} looked likelier,"
                f" but only {new.value} fits the other clues"
            )
    return (bands[0], bands[1]), tuple(remarks)


def _with(band: Band, line: int, place: int, at: int, digit: int) -> Band:
    numbers = list(band.lines[line])
    old = numbers[place]
    text = "".join(str(digit if i == at else glyph.value) for i, glyph in enumerate(old.glyphs))
    numbers[place] = Number(int(text), DECIDED, old.value, old.glyphs)
    lines = list(band.lines)
    lines[line] = tuple(numbers)
    return replace(band, lines=tuple(lines))
