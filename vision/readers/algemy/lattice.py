"""Finds the board by its lines: two families of straight lines, or the honeycomb's edges."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from solver.algemy.board import MAX_SIDE, Shape
from vision.frame import Box, Point
from vision.readers.algemy.paper import Mask, Paper

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int32]
Codes = npt.NDArray[np.uint8]

# Cells smaller than this have no room for faces.
LEAST_PITCH_PX = 12.0
# Part of a line that is there where no colour covers it. Gems' upright sides reach 0.43 of a column of
# crystals.
LINE_COVERAGE = 0.6
EDGE_COVERAGE = 0.7
# Part of the board's height that a line shows in black, and part of the lines that must be found.
# Beams hide a third of a line, an open wheel up to half of it on a small board: first strict, then lenient.
LEAST_INK = (0.5, 0.28)
LINES_SEEN = 0.6
# The honeycomb is searched in a picture of at most this size, then measured in the whole one.
SEARCH_PX = 480
HONEYCOMBS = 2
ROW = math.sqrt(3) / 2
PITCH_AGREEMENT = 0.04
LEAST_SEARCH_PITCH_PX = 13.0
# Part of the box around the lines that a honeycomb fills; a whole hexagon fills 0.75 of its box.
LEAST_FILLED = 0.25


@dataclass(frozen=True)
class Found:
    """A board's lattice.

    rows: the centres of the cells, row by row.
    """

    shape: Shape
    rows: tuple[tuple[Point, ...], ...]
    pitch_px: float


def find_boards(sheet: Paper) -> Iterator[Found]:
    """Boards on the screen, larger ones first: mostly one, but frames and tables may look like a board too."""
    for number, box in enumerate(_regions(sheet)):
        window = (slice(box.top, box.top + box.height), slice(box.left, box.left + box.width))
        ink, colour = sheet.ink[window], sheet.colour[window]
        # The search for a honeycomb is the dear one: only what is large is worth it.
        honeycombs = _honeycomb(ink, colour) if number < HONEYCOMBS else iter(())
        for found in itertools.chain(_squares(ink, colour), honeycombs):
            rows = tuple(tuple(Point(at.x + box.left, at.y + box.top) for at in row) for row in found.rows)
            yield Found(found.shape, rows, found.pitch_px)


def _regions(sheet: Paper) -> Iterator[Box]:
    """Boxes around everything that hangs together, larger ones first."""
    marks = (sheet.ink | sheet.colour).astype(np.uint8)
    marks = np.asarray(cv2.dilate(marks, np.ones((3, 3), np.uint8)), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(marks, connectivity=8)
    boxes = [Box(*(int(part) for part in row[:4])) for row in stats[1:]]
    large = [box for box in boxes if min(box.width, box.height) >= 2 * LEAST_PITCH_PX]
    large.sort(key=lambda box: (-box.width * box.height, box))
    yield from large[:6]


def _squares(ink: Mask, colour: Mask) -> Iterator[Found]:
    """Square lattices, the one with most lines first. Where gems fill whole columns, half the pitch fits too."""
    tried: set[tuple[int, int]] = set()
    for least_ink in LEAST_INK:
        across = [_to_the_end(comb, ink, 0) for comb in _combs(_coverage(ink, colour, 0, least_ink))]
        down = [_to_the_end(comb, ink, 1) for comb in _combs(_coverage(ink, colour, 1, least_ink))]
        pairs = [
            (x, y)
            for x, y in itertools.product(across, down)
            if abs(x.pitch - y.pitch) <= PITCH_AGREEMENT * max(x.pitch, y.pitch) + 0.5
        ]
        pairs.sort(key=lambda pair: -pair[0].lines - pair[1].lines)
        for x, y in pairs[:4]:
            if (x.gaps, y.gaps) in tried:
                continue
            tried.add((x.gaps, y.gaps))
            centres = tuple(
                tuple(
                    Point(x.first + (col + 0.5) * x.pitch, y.first + (row + 0.5) * y.pitch)
                    for col in range(x.gaps)
                )
                for row in range(y.gaps)
            )
            yield Found("square", centres, min(x.pitch, y.pitch))


def _coverage(ink: Mask, colour: Mask, axis: int, least_ink: float) -> Numbers:
    """How much of each px column (axis 0) or row (axis 1) is line, where it is not under colour."""
    length = ink.shape[axis]
    black = ink.sum(axis=axis)
    seen = black / np.maximum(length - colour.sum(axis=axis), 1)
    return np.asarray(np.where(black >= least_ink * length, seen, 0.0), np.float64)


class _Comb(NamedTuple):
    """Evenly spaced lines: the first one's middle and the spacing in px, gaps between them, lines really seen."""

    first: float
    pitch: float
    gaps: int
    lines: int


def _combs(coverage: Numbers) -> list[_Comb]:
    """Spacings that explain the lines, the one with most lines first, the widest of equals.

    Every pair of lines proposes a spacing.
    """
    on = np.flatnonzero(coverage >= LINE_COVERAGE)
    if on.size == 0:
        return []
    runs = np.split(on, np.flatnonzero(np.diff(on) > 1) + 1)
    lines = np.array([float(np.average(run, weights=coverage[run])) + 0.5 for run in runs])
    if not 3 <= len(lines) <= 3 * MAX_SIDE:
        return []
    found: dict[tuple[int, int], _Comb] = {}
    for first, second in itertools.combinations(lines[: 2 * MAX_SIDE], 2):
        pitch = float(second - first)
        if pitch < LEAST_PITCH_PX:
            continue
        index = np.round((lines - first) / pitch)
        fits = np.abs(first + index * pitch - lines) <= max(1.5, PITCH_AGREEMENT * pitch)
        count, span = int(fits.sum()), int(np.ptp(index[fits])) + 1
        if count < 3 or len(set(index[fits].tolist())) < LINES_SEEN * span or span > MAX_SIDE + 1:
            continue
        low = index[fits].min()
        step, start = (float(part) for part in np.polyfit(index[fits] - low, lines[fits], 1))
        comb = _Comb(start, step, span - 1, count)
        known = found.get((round(start), span))
        if known is None or count > known.lines:
            found[round(start), span] = comb
    return sorted(found.values(), key=lambda comb: (-comb.lines, -comb.pitch))[:6]


def _to_the_end(comb: _Comb, ink: Mask, axis: int) -> _Comb:
    """With the outer lines that a wheel has hidden so far that they were not found: lines go on where ink does."""
    on = np.flatnonzero(ink.any(axis=axis))
    before = max(0, round((comb.first - float(on[0])) / comb.pitch))
    after = max(0, round((float(on[-1]) - comb.first) / comb.pitch) - comb.gaps)
    return comb._replace(first=comb.first - before * comb.pitch, gaps=comb.gaps + before + after)


# Places on the six edges of a pointy-top cell, in cells, well away from the corners: (6 edges, 5 places, x
# and y).
_CORNERS = [
    (math.sin(math.radians(60 * index)) / math.sqrt(3), -math.cos(math.radians(60 * index)) / math.sqrt(3))
    for index in range(6)
]
_EDGES = np.array(
    [
        [
            [a[axis] + (b[axis] - a[axis]) * share for axis in (0, 1)]
            for share in (0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9)
        ]
        for a, b in zip(_CORNERS, _CORNERS[1:] + _CORNERS[:1], strict=True)
    ]
)


def _honeycomb(ink: Mask, colour: Mask) -> Iterator[Found]:
    """The comb with the most cells in a small picture, then fitted to the lines of the whole one."""
    scale = min(1.0, SEARCH_PX / max(ink.shape))
    size = (max(1, round(ink.shape[1] * scale)), max(1, round(ink.shape[0] * scale)))
    small_ink, small_colour = (
        np.asarray(cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA)) >= 0.25
        for mask in (ink, colour)
    )
    guess = _search(small_ink, small_colour & ~small_ink)
    if guess is None:
        return
    x, y, rows, pitch = guess
    width = float(ink.shape[1])
    x, y, pitch = _refined(ink, colour, rows, width, (x / scale, y / scale), pitch / scale)
    cells = _comb_cells(rows, width, pitch)
    there = _present(_coded(_near(ink, pitch), colour), _at(cells, (x, y), pitch), pitch)
    grid = {(int(row), int(col)): int(state) for (row, col), state in zip(cells, there, strict=True)}
    chosen = _hexagon(grid, rows)
    if chosen is None:
        return
    centres = _at(np.array(chosen, np.float64), (x, y), pitch)
    lines = itertools.groupby(zip(chosen, centres, strict=True), key=lambda item: item[0][0])
    points = tuple(tuple(Point(float(at[0]), float(at[1])) for _, at in line) for _, line in lines)
    yield Found("hex", points, pitch)


def _search(ink: Mask, colour: Mask) -> tuple[float, float, int, float] | None:
    """(x, y of the first place, rows, pitch) by every number of rows that the height allows, at 16 phases in x."""
    ys, xs = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if ys.size == 0 or xs.size == 0:
        return None
    top, height = float(ys[0]), float(ys[-1] + 1 - ys[0])
    left, width = float(xs[0]), float(xs[-1] + 1 - xs[0])
    best: tuple[float, float, float, int, float] | None = None
    for rows in range(2, MAX_SIDE + 1):
        # A line's own weight is part of the height; 3 % of a cell is in the middle of what is drawn.
        pitch = height / ((rows - 1) * ROW + 2 / math.sqrt(3) + 0.03)
        if pitch < LEAST_SEARCH_PITCH_PX:
            break
        cells, codes = _comb_cells(rows, left + width, pitch), _coded(_near(ink, pitch), colour)
        for phase in np.arange(0.0, 1.0, 1 / 16):
            origin = (left + float(phase) * pitch, top + pitch * (1 / math.sqrt(3) + 0.015))
            there = _present(codes, _at(cells, origin, pitch), pitch, _FEW)
            share = float((there == 1).sum()) * pitch * pitch
            if best is None or share > best[0] * 1.02:
                best = (share, *origin, rows, pitch)
    if best is None or best[0] < LEAST_FILLED * width * height:
        return None
    return best[1:]


def _near(ink: Mask, pitch: float) -> Mask:
    """Where a line is within reach: places on edges are known to this accuracy only."""
    reach = max(1, round(0.035 * pitch))
    kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.dilate(ink.astype(np.uint8), kernel)) > 0


def _comb_cells(rows: int, width: float, pitch: float) -> Numbers:
    """(row, column) of every place for a cell: odd rows stand half a cell to the right."""
    count = int(width / pitch) + 2
    return np.array([(row, col) for row in range(rows) for col in range(-2, count)], np.float64)


def _at(cells: Numbers, origin: tuple[float, float], pitch: float) -> Numbers:
    """Centres in px, (N, 2)."""
    x = origin[0] + (cells[:, 1] + cells[:, 0] % 2 / 2) * pitch
    return np.stack([x, origin[1] + cells[:, 0] * ROW * pitch], axis=1)


# Enough of them to tell whether a honeycomb is there at all.
_FEW = _EDGES[:, [0, 2, 4, 6]]


def _edge_px(centres: Numbers, pitch: float, places: Numbers = _EDGES) -> Places:
    """Px of the edges' places, (N, 6, places, 2), x before y."""
    return np.floor(centres[:, None, None, :] + places[None] * pitch).astype(np.int32)


# What a px of the honeycomb's picture is.
_LINE, _HIDDEN = 1, 2


def _coded(near: Mask, colour: Mask) -> Codes:
    """Both masks as one picture with a margin of nothing, so that a place is looked up once."""
    codes = near.astype(np.uint8) * np.uint8(_LINE) + (colour & ~near).astype(np.uint8) * np.uint8(_HIDDEN)
    return np.pad(codes, 1)


def _look_up(codes: Codes, centres: Numbers, pitch: float, places: Numbers) -> Codes:
    """What is at the edges' places, (places, N, 6); nothing outside of the picture."""
    height, width = codes.shape
    away = places.transpose(1, 0, 2) * pitch
    x = np.floor(centres[:, 0, None] + away[:, None, :, 0]).astype(np.int64) + 1
    y = np.floor(centres[:, 1, None] + away[:, None, :, 1]).astype(np.int64) + 1
    np.clip(x, 0, width - 1, out=x)
    np.clip(y, 0, height - 1, out=y)
    y *= width
    y += x
    return np.asarray(codes.ravel().take(y), np.uint8)


def _present(codes: Codes, centres: Numbers, pitch: float, places: Numbers = _EDGES) -> npt.NDArray[np.int64]:
    """Per cell 1 there, 0 not there, -1 hidden under colour."""
    seen_there = _look_up(codes, centres, pitch, places)
    known = (seen_there != _HIDDEN).sum(axis=0)
    covered = (seen_there == _LINE).sum(axis=0)
    edge_seen = known >= 0.4 * places.shape[1]
    edge_there = edge_seen & (covered >= EDGE_COVERAGE * np.maximum(known, 1))
    seen = edge_seen.sum(axis=1)
    there = edge_there.sum(axis=1)
    state = np.where(there == seen, 1, 0)
    return np.where(seen >= 2, state, -1)


def _refined(
    ink: Mask, colour: Mask, rows: int, width: float, origin: tuple[float, float], pitch: float
) -> tuple[float, float, float]:
    """Moves and scales the comb until its edges lie best on the lines."""
    soft = cv2.GaussianBlur(ink.astype(np.float32), (0, 0), max(0.8, 0.02 * pitch))
    cells = _comb_cells(rows, width, pitch)
    there = _present(_coded(_near(ink, pitch), colour), _at(cells, origin, pitch), pitch)
    cells = cells[there == 1]
    if not len(cells):
        return origin[0], origin[1], pitch

    def score(x: float, y: float, p: float) -> float:
        px = _edge_px(_at(cells, (x, y), p), p)
        px_x = np.clip(px[..., 0], 0, ink.shape[1] - 1)
        px_y = np.clip(px[..., 1], 0, ink.shape[0] - 1)
        return float(np.asarray(soft)[px_y, px_x].mean())

    at = [origin[0], origin[1], pitch]
    best = score(*at)
    steps = [0.08 * pitch, 0.08 * pitch, 0.01 * pitch]
    while steps[0] > 0.2:
        moved = False
        for axis in range(3):
            for sign in (-1, 1):
                trial = list(at)
                trial[axis] += sign * steps[axis]
                value = score(*trial)
                if value > best + 1e-6:
                    best, at, moved = value, trial, True
        if not moved:
            steps = [step / 2 for step in steps]
    return at[0], at[1], at[2]


def _hexagon(grid: dict[tuple[int, int], int], rows: int) -> list[tuple[int, int]] | None:
    """The cells of the hexagonal shape that agrees with all cells seen to be there or not; None without one.

    Hidden cells agree with anything; of several shapes the one with the most cells seen wins, then the
    smallest.
    """
    there = {cell for cell, state in grid.items() if state == 1}
    if not there:
        return None
    best: tuple[int, int, list[tuple[int, int]]] | None = None
    columns = sorted({col for _, col in grid})
    for first, last in _row_spans(sorted({row for row, _ in there}), rows):
        for top in range(first, last + 1):
            seen = [col for row, col in there if row == top]
            if not seen:
                continue
            for start, end in itertools.product(
                [col for col in columns if col <= min(seen)][-3:],
                [col for col in columns if col >= max(seen)][:3],
            ):
                cells = _shape(first, last, top, start, end)
                if cells is None or any(grid.get(cell, 0) == 0 for cell in cells):
                    continue
                inside = set(cells)
                if not there <= inside:
                    continue
                key = (-len(there & inside), len(cells))
                if best is None or key < best[:2]:
                    best = (*key, cells)
    return best[2] if best else None


def _row_spans(seen: Sequence[int], rows: int) -> Iterator[tuple[int, int]]:
    """First and last row of the board: those seen, or one more where all its cells may be hidden."""
    for before, after in ((0, 0), (1, 0), (0, 1)):
        first, last = seen[0] - before, seen[-1] + after
        if first >= 0 and last < rows:
            yield first, last


def _shape(first: int, last: int, top: int, start: int, end: int) -> list[tuple[int, int]] | None:
    """Cells of a hexagonal board whose widest row `top` spans the columns start..end; None when a row is empty."""
    cells: list[tuple[int, int]] = []
    for row in range(first, last + 1):
        less = abs(row - top)
        # Odd rows stand half a cell to the right of even ones.
        left = start + (less + top % 2 - row % 2) // 2
        length = end - start + 1 - less
        if length < 1:
            return None
        cells.extend((row, left + col) for col in range(length))
    return cells
