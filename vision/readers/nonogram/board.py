"""Reads nonograms of any program: the grid, the clues beside it, the cells.

The puzzle is a witness. The rows hold as many filled cells as the columns, no clue is longer than its line, and
there is a solution: where the picture leaves a doubt (two digits or two numbers, 6 or 8) these decide, and the
reading says so in its remarks. Nothing is decided against a picture that is clear.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from solver import nonogram
from solver.answer import Limits
from solver.errors import NoSolution, SearchLimit
from solver.lattice import Square
from solver.nonogram import Nonogram, Picture, faults
from vision.blobs import find_blob_grids
from vision.digits import Number
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Pixels
from vision.grids import STEP_LEVELS, Grid, find_grids
from vision.profile import Profile
from vision.readers.nonogram.cells import Look, Meaning, looks, meanings, picture
from vision.readers.nonogram.clues import Band, clue_rows_in_grid, read_columns, read_rows
from vision.readers.nonogram.learned import entering_facts, looks_of, require_program
from vision.reading import Geometry, Mark, Reading

# This share of the lines must have a clue, or the grid is no nonogram.
LEAST_CLUES = 0.6
# Another digit may be meant that is at most so much farther away than the nearest one (see `Glyph.distance`).
MOST_COST = 0.7
# Two glyphs whose distances to all digits differ by no more are drawn alike.
SAME_DIGIT = 0.15
# So many doubts are looked at, and so many puzzles solved for that.
MOST_DOUBTS = 24
MOST_SOLVED = 16
# How the marks name what a cell holds, and how sure a cell is that is in doubt.
SYMBOLS: Mapping[Meaning, str] = {"filled": "#", "blank": ".", "free": ""}
DOUBTFUL = 0.3
# Two ways whose costs differ by less are about as likely.
AMBIGUOUS = 0.12
# How sure a number is that the other clues have decided.
DECIDED = 0.7
# Clues that agree in their sums and have just one solution are at least this sure.
WITNESSED = 0.9
# A board with fewer rows or columns is no witness for its own digits.
SMALL = 5
# With so many lines hardly any wrong digit leaves just one solution.
LARGE = 30
# In how many ways to see the clues (two digits or two numbers, where they end) doubts are tried.
MOST_PAIRS = 12
# With more lines (share) whose clue is too long the numbers are no clues at all.
MOST_TOO_LONG = 0.35
# Cells this faint (levels) are seen at the second look.
FAINT_STEP = 4
# Grain of this many levels is noise.
NOISE_LEVELS = 2
MOST_GRIDS = 5
# Channels of a grey differ by less.
GREY = 12
# Solving to find out whether a reading makes sense may take this long.
WITNESS_S = 1.0


def read(frame: Frame, profile: Profile) -> Reading[Nonogram, Picture]:
    """The nonogram on the frame.

    Raises BoardNotFound when no grid with numbers above and left of it is there, UncertainReading when the
    numbers contradict each other and no doubtful one explains it.
    """
    try:
        return _read(frame.pixels, profile)
    except (BoardNotFound, UncertainReading) as error:
        # A second look, past the grain of a camera, or at what is fainter than usual.
        noisy = _is_noisy(frame.pixels)
        pixels = np.asarray(cv2.bilateralFilter(frame.pixels, 5, 36, 2), np.uint8) if noisy else frame.pixels
        try:
            return _read(pixels, profile, STEP_LEVELS if noisy else FAINT_STEP, again=True)
        except (BoardNotFound, UncertainReading):
            raise error from None


def _is_noisy(pixels: Pixels) -> bool:
    """Whether more than half of the picture is grain: a screen is flat, a camera or a stream is not."""
    grain = cv2.absdiff(pixels, cv2.medianBlur(pixels, 3))
    return float(np.median(grain)) >= NOISE_LEVELS


def _read(
    pixels: Pixels, profile: Profile, least_levels: int = STEP_LEVELS, *, again: bool = False
) -> Reading[Nonogram, Picture]:
    """One look. again: the frame of the grid may touch the numbers."""
    grids = find_grids(pixels, least_levels=least_levels)
    if least_levels != STEP_LEVELS:
        grids += find_blob_grids(pixels)
    doubts: UncertainReading | None = None
    for grid in grids[:MOST_GRIDS]:
        try:
            reading = _read_grid(pixels, grid, profile, again)
        except UncertainReading as error:
            doubts = doubts or error
            continue
        except BoardNotFound:
            continue
        if reading is not None:
            return reading
    if doubts is not None:
        raise doubts
    raise BoardNotFound(
        f"no grid with numbers above and left of it among {len(grids)} grids on the picture",
        hint="show the whole board with its clues",
    )


def _read_grid(
    pixels: Pixels, grid: Grid, profile: Profile, framed: bool
) -> Reading[Nonogram, Picture] | None:
    """The grid with the boxes of its first rows and columns as clues where they hold digits, or else all as cells."""
    top, left = clue_rows_in_grid(pixels, grid)
    if not top and not left:
        return _read_cells(pixels, grid, profile, framed)
    try:
        reading = _read_cells(pixels, grid.without(top, left), profile, framed)
    except (BoardNotFound, UncertainReading) as error:
        # Crosses may look like digits.
        try:
            return _read_cells(pixels, grid, profile, framed)
        except (BoardNotFound, UncertainReading):
            raise error from None
    return reading if reading is not None else _read_cells(pixels, grid, profile, framed)


def _read_cells(
    pixels: Pixels, grid: Grid, profile: Profile, framed: bool
) -> Reading[Nonogram, Picture] | None:
    """The board whose cells are these, all of them; None when too few of their lines have clues."""
    if min(grid.rows, grid.cols) < 2:
        return None
    ways, columns = read_rows(pixels, grid, framed=framed), read_columns(pixels, grid, framed=framed)
    lines = grid.rows + grid.cols
    clued = sum(bool(line) for line in (*columns[0].lines, *ways[0].lines))
    # A few cells with a few digits beside them may be anything: there every line must have its clue.
    small = min(grid.rows, grid.cols) < SMALL
    if clued < (1.0 if small else LEAST_CLUES) * lines or not any(columns[0].lines) or not any(ways[0].lines):
        return None
    rows, cols, remarks = _settled(ways, columns)
    if not any(rows.clues) and not any(cols.clues):
        # Round things beside a grid, pieces on a chessboard, that pass for noughts.
        return None
    if small and remarks:
        raise UncertainReading(
            f"a grid of {grid.rows} x {grid.cols} is too small to decide between digits: {remarks[0]}",
            hint="a clearer or larger picture of the whole board helps",
        )
    puzzle = Nonogram(rows.clues, cols.clues)
    sgt = _is_collection(pixels, grid)
    found = looks(pixels, grid)
    solution = _only_solution(puzzle)
    meant = meanings(found, solution, sgt=sgt, known=looks_of(profile))
    reading = Reading(
        puzzle=puzzle,
        placed=picture(found, meant),
        geometry=Geometry(
            {Square(r, c): grid.centre(r, c) for r in range(grid.rows) for c in range(grid.cols)},
            min(grid.xs.pitch, grid.ys.pitch),
        ),
        marks=_marks(found, meant, rows, cols, WITNESSED if solution is not None else 0.0),
        area=_around(grid.box, rows.area, cols.area),
        ui="sgt" if sgt else "generic",
        remarks=remarks,
        facts=entering_facts(profile),
    )
    require_program(profile, pixels, reading, found)
    return reading


def _around(*boxes: Box) -> Box:
    left, top = min(b.left for b in boxes), min(b.top for b in boxes)
    right, bottom = max(b.left + b.width for b in boxes), max(b.top + b.height for b in boxes)
    return Box(left, top, right - left, bottom - top)


def _settled(ways: Sequence[Band], columns: Sequence[Band]) -> tuple[Band, Band, tuple[str, ...]]:
    """The rows and columns that agree with each other, and what had to be decided for that."""
    pairs = sorted((i + j, i, j) for i in range(len(ways)) for j in range(len(columns)))
    for _, i, j in pairs:
        rows, cols = ways[i], columns[j]
        agree = _complete(rows) and _complete(cols) and not faults(Nonogram(rows.clues, cols.clues))
        if agree and _solvable(rows, cols) is not False:
            return rows, cols, ()
    for _, i, j in pairs[:MOST_PAIRS]:
        if _complete(ways[i]) and _complete(columns[j]):
            corrected = _corrected(ways[i], columns[j])
            if corrected is not None:
                return corrected
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
    raise UncertainReading(
        "the clues contradict each other: "
        + "; ".join((*faults(Nonogram(ways[0].clues, columns[0].clues)), "no solution")[:2]),
        hint="a clearer or larger picture of the whole board helps",
    )


def _complete(band: Band) -> bool:
    return all(number.value is not None for line in band.lines for number in line)


def _solvable(rows: Band, cols: Band) -> bool | None:
    """Whether the clues have a solution; None when that takes too long to say."""
    try:
        nonogram.solve(Nonogram(rows.clues, cols.clues), Limits(seconds=WITNESS_S))
    except NoSolution:
        return False
    except SearchLimit:
        return None
    return True


def _only_solution(puzzle: Nonogram) -> Picture | None:
    try:
        answer = nonogram.solve(puzzle, Limits(seconds=WITNESS_S, unique=True))
    except (NoSolution, SearchLimit):
        return None
    return answer.solution if answer.unique else None


@dataclass(frozen=True)
class _Doubt:
    """Digits that look alike and may be another one.

    cost: how much farther from them the other digit is.
    places: (side, line, number, digit) of each.
    """

    cost: float
    other: int
    places: tuple[tuple[int, int, int, int], ...]


def _doubts(rows: Band, cols: Band) -> list[_Doubt]:
    """What may be another digit, the likeliest first. One font draws a digit alike everywhere: all or none."""
    found: dict[tuple[int, int], list[tuple[npt.NDArray[np.float64], float, list[tuple[int, int, int, int]]]]]
    found = {}
    for side, band in enumerate((rows, cols)):
        for line, numbers in enumerate(band.lines):
            for place, number in enumerate(numbers):
                for at, glyph in enumerate(number.glyphs):
                    if glyph.value is None:
                        continue
                    away = np.array(glyph.distances)
                    for other in np.flatnonzero(away - away[glyph.value] <= MOST_COST).tolist():
                        if other == glyph.value:
                            continue
                        groups = found.setdefault((glyph.value, other), [])
                        for like, _, places in groups:
                            if float(np.abs(like - away).max()) < SAME_DIGIT:
                                places.append((side, line, place, at))
                                break
                        else:
                            cost = float(away[other] - away[glyph.value])
                            groups.append((away, max(cost, 0.0), [(side, line, place, at)]))
    doubts = [
        _Doubt(cost, other, tuple(places))
        for (_, other), groups in found.items()
        for _, cost, places in groups
    ]
    return sorted(doubts, key=lambda doubt: doubt.cost)


def _corrected(rows: Band, cols: Band) -> tuple[Band, Band, tuple[str, ...]] | None:
    """The bands with up to three doubts decided the other way, the likeliest that makes sense.

    None too where a small board leaves so many doubts that others as likely were not looked at.
    Raises UncertainReading when two ways that are about as likely make sense.
    """
    every = _doubts(rows, cols)
    doubts = every[:MOST_DOUBTS]
    large = len(rows.lines) + len(cols.lines) >= LARGE
    horizon = math.inf if large or len(every) <= MOST_DOUBTS else every[MOST_DOUBTS].cost
    # Only what makes the sums of rows and columns equal can be right.
    gain = {doubt: _gain(rows, cols, doubt) for doubt in doubts}
    apart = rows.total - cols.total
    changes = [
        change
        for count in (1, 2, 3)
        for change in combinations(doubts, count)
        if apart + sum(gain[doubt] for doubt in change) == 0
    ]
    changes.sort(key=lambda change: sum(doubt.cost for doubt in change))
    best: tuple[float, Band, Band, tuple[str, ...]] | None = None
    solved = 0
    for change in changes:
        cost = sum(doubt.cost for doubt in change)
        if cost > horizon or (best is not None and cost > best[0] + AMBIGUOUS):
            break
        if len({place for doubt in change for place in doubt.places}) < sum(len(d.places) for d in change):
            continue
        bands, remarks = _changed(rows, cols, change)
        puzzle = Nonogram(bands[0].clues, bands[1].clues)
        if faults(puzzle):
            continue
        if solved >= MOST_SOLVED:
            return best[1:] if best is not None and large else None
        solved += 1
        if _only_solution(puzzle) is None:
            continue
        if best is not None:
            raise UncertainReading(
                f"two readings make sense: {'; '.join(best[3])}, or {'; '.join(remarks)}",
                hint="a clearer or larger picture of the whole board helps",
            )
        best = cost, bands[0], bands[1], remarks
    return None if best is None or best[0] + AMBIGUOUS > horizon else best[1:]


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


def _is_collection(pixels: Pixels, grid: Grid) -> bool:
    """Whether it is the collection's own window: a flat surround, lines of 1 px, a frame of 3 px."""
    box = grid.box
    clear = pixels[max(box.top - 4, 0), max(box.left, 0) : box.left + box.width].astype(int)
    flat = bool((abs(clear - clear[:1]).max(axis=1) < 12).mean() > 0.9)
    inner, frame, grey = _line_widths(pixels, grid)
    return flat and grey and inner == 1 and frame == 3


def _line_widths(pixels: Pixels, grid: Grid) -> tuple[int, int, bool]:
    """Typical width in px of an inner line, and of the frame, on the left side of cells; whether they are grey.

    The frame tells the colour of the lines: the place of an inner line, 1 px wide, is not known that well.
    """
    reach = min(4, int(grid.xs.pitch / 2) - 1)
    strips = []
    for index in (1, 0):
        x = int(grid.xs.at(index))
        rows = [min(max(int(grid.ys.at(row + 0.5)), 0), pixels.shape[0] - 1) for row in range(grid.rows)]
        strips.append(pixels[rows, max(x - reach, 0) : x + reach + 1].astype(int))
    inner, frame = strips
    middle = int(grid.xs.at(0)) - max(int(grid.xs.at(0)) - reach, 0)
    colour = np.median(frame[:, middle], axis=0)

    def width(strip: npt.NDArray[np.int_]) -> int:
        counts = (np.abs(strip - colour).max(axis=2) < 14).sum(axis=1)
        return int(np.sort(counts)[len(counts) // 3])

    return width(inner), width(frame), float(np.ptp(colour)) < GREY


def _marks(
    found: Sequence[Look], meant: Sequence[Meaning | None], rows: Band, cols: Band, least: float
) -> dict[Square, Mark]:
    """One mark per cell; no cell is surer than the clues of its row and column, or than a witness makes it."""
    sure_row = [min((n.confidence for n in line), default=1.0) for line in rows.lines]
    sure_col = [min((n.confidence for n in line), default=1.0) for line in cols.lines]
    marks: dict[Square, Mark] = {}
    for look, meaning in zip(found, meant, strict=True):
        for cell in look.cells:
            sure = max(least, min(sure_row[cell.row], sure_col[cell.col]))
            symbol = SYMBOLS[meaning] if meaning else None
            marks[cell] = Mark(
                symbol, sure if meaning else DOUBTFUL, state="free" if meaning == "free" else "placed"
            )
    return dict(sorted(marks.items()))
