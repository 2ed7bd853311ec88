"""Reads nonograms of any program: the grid, the clues beside it, the cells.

The puzzle is a witness. The rows hold as many filled cells as the columns, no clue is longer than its line, and
there is a solution: where the picture leaves a doubt (two digits or two numbers, 6 or 8) these decide, and the
reading says so in its remarks. Nothing is decided against a picture that is clear.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from solver.lattice import Square
from solver.nonogram import Nonogram, Picture
from vision.blobs import find_blob_grids
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Pixels
from vision.grids import LEAST_RUN_PX, STEP_LEVELS, Grid, find_grids, straight_steps
from vision.measures.looks import Look, looks
from vision.profile import Profile
from vision.readers.nonogram.clues import Band, clue_rows_in_grid, read_columns, read_rows
from vision.readers.nonogram.corrections import settled, witness_of
from vision.readers.nonogram.inks import strong_inks
from vision.readers.nonogram.learned import entering_facts, looks_of, require_program
from vision.readers.nonogram.meanings import Meaning, Possible, meanings, picture
from vision.reading import Geometry, Mark, Reading

# This share of the lines must have a clue, or the grid is no nonogram.
LEAST_CLUES = 0.6
# How the marks name what a cell holds, and how sure a cell is that is in doubt.
SYMBOLS: Mapping[Meaning, str] = {"filled": "#", "blank": ".", "free": ""}
DOUBTFUL = 0.3
# Clues that agree in their sums and have just one solution are at least this sure.
WITNESSED = 0.9
# A board with fewer rows or columns is no witness for its own digits.
SMALL = 5
# Cells this faint (levels) are seen at the second look.
FAINT_STEP = 4
# Grain of this many levels is noise.
NOISE_LEVELS = 2
MOST_GRIDS = 5
# From so many strong colours on the clues are those of a coloured nonogram; a unique solution speaks against it.
COLOURED, COLOURED_UNIQUE = 2, 3
# A line that goes on past the last one to the picture's edge shows so much of itself there, and so many lines do; the
# frame itself takes so many px.
CUT_LINE, CUT_LINES, FRAME_PX = 0.8, 0.6, 4
# Channels of a grey differ by less.
GREY = 12


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
    if reading is None:
        return _read_cells(pixels, grid, profile, framed)
    if reading.remarks:
        # What had to be corrected may have lost a column of round cells that look like noughts.
        try:
            whole = _read_cells(pixels, grid, profile, framed)
        except (BoardNotFound, UncertainReading):
            whole = None
        if whole is not None and not whole.remarks:
            return whole
    return reading


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
    cut = _cut_sides(pixels, grid)
    try:
        rows, cols, remarks = settled(ways, columns)
    except UncertainReading as error:
        raise (_partly_off(cut, f"{error}") if cut else error) from None
    if any(whole == "cut" for whole in cut.values()):
        raise _partly_off(cut, "the lines of the grid go on to the picture's edge")
    if not any(rows.clues) and not any(cols.clues):
        # Round things beside a grid, pieces on a chessboard, that pass for noughts.
        return None
    if small and remarks:
        raise UncertainReading(
            f"a grid of {grid.rows} x {grid.cols} is too small to decide between digits: {remarks[0]}",
            hint="a clearer or larger picture of the whole board helps",
        )
    puzzle = Nonogram(rows.clues, cols.clues)
    sgt_lines = _collection_lines(pixels, grid)
    found = looks(pixels, grid)
    witness, unique = witness_of(puzzle)
    if strong_inks(pixels, (rows.area, cols.area), min(grid.xs.pitch, grid.ys.pitch)) >= (
        COLOURED_UNIQUE if unique else COLOURED
    ):
        raise UncertainReading(
            "the numbers have several strong colours: a coloured nonogram, which is not read from pictures",
            hint="give its clues as a webpbn XML file",
        )
    meant = meanings(found, witness, lines=sgt_lines, known=looks_of(profile))
    reading = Reading(
        puzzle=puzzle,
        placed=picture(found, meant),
        geometry=Geometry(
            {Square(r, c): grid.centre(r, c) for r in range(grid.rows) for c in range(grid.cols)},
            min(grid.xs.pitch, grid.ys.pitch),
        ),
        marks=_marks(found, meant, rows, cols, WITNESSED if unique else 0.0),
        area=_around(grid.box, rows.area, cols.area),
        ui="generic" if sgt_lines is None else "sgt",
        remarks=remarks,
        facts=entering_facts(profile),
    )
    require_program(profile, pixels, reading, found)
    return reading


def _cut_sides(pixels: Pixels, grid: Grid) -> dict[str, str]:
    """The sides on which the grid ends at the picture's edge, and whether it is "cut" there, or only "near" it."""
    height, width = pixels.shape[:2]
    upright, level = straight_steps(pixels)
    sides: dict[str, str] = {}
    for side, comb, along, end, steps in (
        ("right", grid.xs, grid.ys, width, level.T),
        ("bottom", grid.ys, grid.xs, height, upright),
    ):
        last = comb.at(comb.count - 1)
        if end - last >= comb.pitch:
            continue
        strip = steps[round(last) + FRAME_PX : end]
        lines = [round(along.at(i)) for i in range(1, along.count - 1)]
        shown = [
            strip[:, max(at - 1, 0) : at + 2].any(axis=1).mean() > CUT_LINE for at in lines if len(strip)
        ]
        goes_on = len(strip) >= LEAST_RUN_PX and float(np.mean(shown)) > CUT_LINES
        sides[side] = "cut" if goes_on else "near"
    return sides


def _partly_off(cut: Mapping[str, str], why: str) -> UncertainReading:
    return UncertainReading(
        f"{why}; the board reaches the picture's {' and '.join(cut)} edge: the window is partly off the screen",
        hint="move the whole window onto the screen, or show a picture of the whole board",
    )


def _around(*boxes: Box) -> Box:
    left, top = min(b.left for b in boxes), min(b.top for b in boxes)
    right, bottom = max(b.left + b.width for b in boxes), max(b.top + b.height for b in boxes)
    return Box(left, top, right - left, bottom - top)


def _collection_lines(pixels: Pixels, grid: Grid) -> float | None:
    """How bright the lines are in the collection's own window: a flat surround, lines of 1 px, a frame of 3 px.

    None where it is another program.
    """
    box = grid.box
    clear = pixels[max(box.top - 4, 0), max(box.left, 0) : box.left + box.width].astype(int)
    flat = bool((abs(clear - clear[:1]).max(axis=1) < 12).mean() > 0.9)
    inner, frame, colour = _line_widths(pixels, grid)
    grey = float(np.ptp(colour)) < GREY
    return float(np.median(colour)) if flat and grey and inner == 1 and frame == 3 else None


def _line_widths(pixels: Pixels, grid: Grid) -> tuple[int, int, npt.NDArray[np.float64]]:
    """Typical width in px of an inner line, and of the frame, on the left side of cells; and their colour (BGR).

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

    return width(inner), width(frame), colour


def _marks(
    found: Sequence[Look], meant: Sequence[Possible], rows: Band, cols: Band, least: float
) -> dict[Square, Mark]:
    """One mark per cell; no cell is surer than the clues of its row and column, or than a witness makes it."""
    sure_row = [min((n.confidence for n in line), default=1.0) for line in rows.lines]
    sure_col = [min((n.confidence for n in line), default=1.0) for line in cols.lines]
    marks: dict[Square, Mark] = {}
    for look, possible in zip(found, meant, strict=True):
        symbols = tuple(SYMBOLS[one] for one in possible)
        for cell in look.cells:
            if len(possible) > 1:
                marks[cell] = Mark(None, DOUBTFUL, symbols[0], "placed", harmless="filled" not in possible)
                continue
            sure = max(least, min(sure_row[cell.row], sure_col[cell.col]))
            marks[cell] = Mark(symbols[0], sure, state="placed" if symbols[0] else "free")
    return dict(sorted(marks.items()))
