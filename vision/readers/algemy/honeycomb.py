"""Finds hexagonal boards by the edges of a honeycomb."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from solver.algemy.board import MAX_SIDE
from vision.frame import Point
from vision.readers.algemy.found import INK_BESIDE, Found
from vision.readers.algemy.paper import Mask

Numbers = npt.NDArray[np.float64]
T = TypeVar("T", bound=np.generic)
Codes = npt.NDArray[np.uint8]

# Part of an edge that is there where no colour covers it.
EDGE_COVERAGE = 0.7
# The honeycomb is searched in a picture of at most this size, then measured in the whole one.
SEARCH_PX = 480
ROW = math.sqrt(3) / 2
LEAST_SEARCH_PITCH_PX = 13.0
# A comb is tried so far to the right, in cells.
PHASES = [number / 16 for number in range(16)]
# A cell is likely there when its edges speak for it with this much (3 at most), and a shape is told from others by this
# much.
SURE_CELL = 0.4
SHAPE_MARGIN = 1.0
# Part of the box around the lines that a honeycomb fills; a whole hexagon fills 0.75 of its box.
LEAST_FILLED = 0.25
# A px of the small picture is ink where this share of it was; an edge can be seen where no colour covers this share.
SMALL_INK, SEEN = 0.25, 0.4
# Of the six edges of a cell so many must be seen, and all of them but one be lines, at least so many.
LEAST_SEEN_EDGES, LEAST_EDGES = 3, 2
# A comb with more cells by this share is better; fitting ends with steps of so many px.
BETTER, LEAST_STEP_PX, LEAST_GAIN = 1.02, 0.2, 1e-6

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


def find_honeycomb(ink: Mask, colour: Mask) -> Iterator[Found]:
    """The comb with the most cells in a small picture, then fitted to the lines of the whole one."""
    scale = min(1.0, SEARCH_PX / max(ink.shape))
    size = (max(1, round(ink.shape[1] * scale)), max(1, round(ink.shape[0] * scale)))
    small_ink, small_colour = (
        np.asarray(cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA)) >= SMALL_INK
        for mask in (ink, colour)
    )
    guess = _search(small_ink, small_colour & ~small_ink)
    if guess is None:
        return
    x, y, rows, pitch = guess
    width = float(ink.shape[1])
    x, y, pitch = _refined(ink, colour, rows, width, (x / scale, y / scale), pitch / scale)
    cells = _comb_cells(rows, width, pitch)
    covered, known = _edges(_coded(_near(ink, pitch), colour), _at(cells, (x, y), pitch), pitch)
    chosen = _hexagon([(int(row), int(col)) for row, col in cells], covered, known, rows)
    if chosen is None:
        return
    centres = _at(np.array(chosen, np.float64), (x, y), pitch)
    if _ink_beside(ink, centres, pitch) > INK_BESIDE:
        return
    lines = itertools.groupby(zip(chosen, centres, strict=True), key=lambda item: item[0][0])
    points = tuple(tuple(Point(float(at[0]), float(at[1])) for _, at in line) for _, line in lines)
    yield Found("hex", points, pitch)


def _ink_beside(ink: Mask, centres: Numbers, pitch: float) -> float:
    """Share of the ink that is on none of the cells: a board has no more cells than were found."""
    discs = np.zeros(ink.shape, np.uint8)
    for x, y in centres.tolist():
        cv2.circle(discs, (round(x - 0.5), round(y - 0.5)), math.ceil(0.66 * pitch), 1, -1)
    return 1.0 - float(ink[discs > 0].sum()) / max(1, int(ink.sum()))


def _search(ink: Mask, colour: Mask) -> tuple[float, float, int, float] | None:
    """(x, y of the first place, rows, pitch) by every number of rows that the height allows, at 16 phases in x."""
    ys, xs = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if ys.size == 0 or xs.size == 0:
        return None
    top, height = float(ys[0]), float(ys[-1] + 1 - ys[0])
    left, width = float(xs[0]), float(xs[-1] + 1 - xs[0])
    least = LEAST_FILLED * width * height
    best: tuple[float, float, int, float] | None = None
    for rows in range(2, MAX_SIDE + 1):
        # A line's own weight is part of the height; 3 % of a cell is in the middle of what is drawn.
        pitch = height / ((rows - 1) * ROW + 2 / math.sqrt(3) + 0.03)
        if pitch < LEAST_SEARCH_PITCH_PX:
            break
        cells, codes = _comb_cells(rows, left + width, pitch), _coded(_near(ink, pitch), colour)
        y = top + pitch * (1 / math.sqrt(3) + 0.015)
        places = np.stack([_at(cells, (left + phase * pitch, y), pitch) for phase in PHASES])
        maybe = _may_be(codes, places.reshape(-1, 2), pitch).reshape(places.shape[:2])
        for phase, centres, some in zip(PHASES, places, maybe, strict=True):
            # No more cells can be there than may be.
            if some.sum() * pitch * pitch < least:
                continue
            share = float(_present(codes, centres[some], pitch, _FEW).sum()) * pitch * pitch
            if share >= least:
                best, least = (left + phase * pitch, y, rows, pitch), share * BETTER
    return best


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
# The edge on the right and the one on the left.
_UPRIGHT = [1, 4]


# What a px of the honeycomb's picture is.
_LINE, _HIDDEN = 1, 2


def _coded(near: Mask, colour: Mask) -> Codes:
    """Both masks as one picture with a margin of nothing, so that a place is looked up once."""
    codes = near.astype(np.uint8) * np.uint8(_LINE) + (colour & ~near).astype(np.uint8) * np.uint8(_HIDDEN)
    return np.pad(codes, 1)


def _look_up(codes: npt.NDArray[T], centres: Numbers, pitch: float, places: Numbers) -> npt.NDArray[T]:
    """What is at the edges' places, (places, N, 6), of a picture with a margin of nothing."""
    height, width = codes.shape
    away = places.transpose(1, 0, 2) * pitch
    x = np.floor(centres[:, 0, None] + away[:, None, :, 0]).astype(np.int64) + 1
    y = np.floor(centres[:, 1, None] + away[:, None, :, 1]).astype(np.int64) + 1
    np.clip(x, 0, width - 1, out=x)
    np.clip(y, 0, height - 1, out=y)
    y *= width
    y += x
    return codes.ravel().take(y)


def _edges(codes: Codes, centres: Numbers, pitch: float, places: Numbers = _EDGES) -> tuple[Numbers, Numbers]:
    """Share of each cell's edges that is covered by lines where it can be seen, and share that can be seen, (N, 6)."""
    seen_there = _look_up(codes, centres, pitch, places)
    known = (seen_there != _HIDDEN).sum(axis=0)
    covered = (seen_there == _LINE).sum(axis=0) / np.maximum(known, 1)
    return covered, known / places.shape[1]


def _present(codes: Codes, centres: Numbers, pitch: float, places: Numbers = _EDGES) -> Mask:
    """Per cell whether it is there: at least half its edges can be seen, and all of them or all but one are lines."""
    covered, known = _edges(codes, centres, pitch, places)
    seen = known >= SEEN
    there = seen & (covered >= EDGE_COVERAGE)
    present: Mask = (seen.sum(axis=1) >= LEAST_SEEN_EDGES) & (
        there.sum(axis=1) >= np.maximum(LEAST_EDGES, seen.sum(axis=1) - 1)
    )
    return present


def _may_be(codes: Codes, centres: Numbers, pitch: float) -> Mask:
    """Per cell whether it may be there for all that its upright edges tell: a cell lacks no two edges that can be seen."""
    covered, known = _edges(codes, centres, pitch, _FEW[_UPRIGHT])
    return np.asarray(~((known >= SEEN) & (covered < EDGE_COVERAGE)).all(axis=1), np.bool_)


def _refined(
    ink: Mask, colour: Mask, rows: int, width: float, origin: tuple[float, float], pitch: float
) -> tuple[float, float, float]:
    """Moves and scales the comb until its edges lie best on the lines."""
    soft = np.pad(cv2.GaussianBlur(ink.astype(np.float32), (0, 0), max(0.8, 0.02 * pitch)), 1)
    cells = _comb_cells(rows, width, pitch)
    there = _present(_coded(_near(ink, pitch), colour), _at(cells, origin, pitch), pitch)
    cells = cells[there]
    if not len(cells):
        return origin[0], origin[1], pitch

    def score(x: float, y: float, p: float) -> float:
        return float(_look_up(soft, _at(cells, (x, y), p), p, _EDGES).mean())

    at = [origin[0], origin[1], pitch]
    best = score(*at)
    steps = [0.08 * pitch, 0.08 * pitch, 0.01 * pitch]
    while steps[0] > LEAST_STEP_PX:
        moved = False
        for axis in range(3):
            for sign in (-1, 1):
                trial = list(at)
                trial[axis] += sign * steps[axis]
                value = score(*trial)
                if value > best + LEAST_GAIN:
                    best, at, moved = value, trial, True
        if not moved:
            steps = [step / 2 for step in steps]
    return at[0], at[1], at[2]


def _hexagon(
    cells: Sequence[tuple[int, int]], covered: Numbers, known: Numbers, rows: int
) -> list[tuple[int, int]] | None:
    """The cells of the hexagonal shape whose edges are lines while those beside it are none; None without one.

    covered, known: of each cell's edges, as `_edges` tells. Every edge of a shape speaks for it as far as it is
    line, and against it as far as it is none; what is hidden says nothing.
    """
    worth = ((covered - 0.5) * known).sum(axis=1).reshape(rows, -1)
    # Up to each column of a row, so that a part of it is told by its ends.
    sums = np.pad(np.cumsum(worth, axis=1), ((0, 0), (1, 0))).tolist()
    likely, width = [np.flatnonzero(row > SURE_CELL).tolist() for row in worth], worth.shape[1]
    ranked = []
    for first, last in _row_spans([row for row, good in enumerate(likely) if good], rows):
        for top, good in [(top, likely[top]) for top in range(first, last + 1) if likely[top]]:
            starts, ends = range(max(0, good[0] - 2), good[0] + 1), range(good[-1], min(good[-1] + 3, width))
            for start, end in itertools.product(starts, ends):
                shape = _shape(first, last, top, start, end)
                if all(0 <= left < right <= width for _, left, right in shape):
                    value = sum(sums[row][right] - sums[row][left] for row, left, right in shape)
                    ranked.append((value, -sum(right - left for _, left, right in shape), shape))
    if not ranked:
        return None
    ranked.sort(key=lambda one: one[:2], reverse=True)
    best = ranked[0]
    other = next((one[0] for one in ranked[1:] if one[2] != best[2]), 0.0)
    chosen = [cells[row * width + col] for row, left, right in best[2] for col in range(left, right)]
    return None if best[0] - other < SHAPE_MARGIN else chosen


def _row_spans(seen: Sequence[int], rows: int) -> Iterator[tuple[int, int]]:
    """First and last row of the board: those with cells that are likely there, or one more or less."""
    if not seen:
        return
    for first in range(max(0, seen[0] - 1), min(seen[0] + 2, rows)):
        for last in range(max(0, seen[-1] - 1), min(seen[-1] + 2, rows)):
            if first <= last:
                yield first, last


def _shape(first: int, last: int, top: int, start: int, end: int) -> list[tuple[int, int, int]]:
    """(row, first column, column behind the last) of a hexagonal board whose widest row `top` spans start..end."""
    found = []
    for row in range(first, last + 1):
        less = abs(row - top)
        # Odd rows stand half a cell to the right of even ones.
        left = start + (less + top % 2 - row % 2) // 2
        found.append((row, left, left + end - start + 1 - less))
    return found
