"""The stock of a ring puzzle: a row or grid of number tiles, or rows of numbers, below the figure.

Tiles stand in even rows, so one that is missing leaves a gap. A tile that has been used does, too: there are at most as
many gaps as numbers have been entered. Where a tile would stand nothing else may be seen, however faint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from vision.errors import UncertainReading
from vision.frame import Box, Point
from vision.measures.edges import near_edges, partly_off
from vision.readers.rings.figure import Circle
from vision.readers.rings.symbols import Label
from vision.reading import Control

# Tiles are of one size, but for this share.
ALIKE = 0.15
# Places of a grid of tiles are in line to this share of a tile's height; those of the next row at most so many away.
IN_LINE, NEXT_TILE = 0.3, 1.7
# Numbers of tiles are of one height, but for this share.
SAME_HEIGHT = 0.25
# Of a tile's ink so much where no tile was seen is a tile that cannot be read.
FAINT = 0.3
# Below the figure by more than this many radii a row of numbers is no row of targets.
TARGETS_BELOW = 0.5
# Rows of numbers are so near to each other, in heights.
NEXT_ROW = 4.0
# Two numbers of a row without tiles are so many times the usual pitch apart where one is missing between them.
GAP = 1.75
# Numbers of a list are at most this far from each other, in heights.
LIST_PITCH = 5.0
# A sign between numbers is so long at least, in heights.
SIGN = 0.15
HINT = "take a larger or sharper picture, with the whole row of number tiles"
# Numbers of a list are on one line, and tiles in one row, where they are off by less than this share of their height.
ON_LINE, ONE_ROW = 0.5, 0.6
# Of a tile this share must be on the picture to be looked at.
ON_PICTURE = 0.25


@dataclass(frozen=True)
class Stock:
    """numbers: of the tiles; controls: where to tap for each; gaps: tiles missing between the others."""

    numbers: tuple[int, ...] = ()
    controls: dict[str, Control] | None = None
    gaps: int = 0


def split_stock(outside: Sequence[Label], circles: Sequence[Circle]) -> tuple[list[list[Label]], list[Label]]:
    """The rows of the stock below the figure, and the other labels outside the rings.

    Raises UncertainReading for plates of two sizes below the figure.
    """
    bottom = max(c.y + c.radius for c in circles)
    radius = circles[0].radius
    told = [label for label in outside if _is_told(label, outside)]
    outside = [label for label in outside if label not in told]
    plates = [label for label in outside if label.plate is not None and label.at.y > bottom]
    if plates:
        tiles = _alike(plates)
        # A tile too faint to be seen still shows its number.
        size = max(tile.plate.height for tile in tiles if tile.plate is not None)
        bare = [label for label in outside if label.plate is None and label.kind in ("number", "unclear")]
        while more := [label for label in bare if any(_continues(label, tile, size) for tile in tiles)]:
            tiles += more
            bare = [label for label in bare if label not in more]
        rows = _rows(tiles)
    else:
        # Targets may stand under the lowest rings; a stock is longer than such a row, or further down.
        below = [label for label in outside if label.box.top > bottom]
        lowest = sum(c.y + c.radius > bottom - radius / 2 for c in circles)
        rows = [
            row for row in _rows(below) if row[0].at.y > bottom + TARGETS_BELOW * radius or len(row) > lowest
        ]
        first = len(rows) - 1
        while first > 0:
            row, after = rows[first - 1], rows[first]
            # Only the last row of a stock is shorter than the others.
            if after[0].at.y - row[0].at.y > NEXT_ROW * row[0].box.height or len(row) < len(after):
                break
            first -= 1
        rows = rows[max(0, first) :]
    chosen = {id(label) for row in rows for label in row}
    return rows, told + [label for label in outside if id(label) not in chosen and label.kind != "empty"]


def _continues(label: Label, tile: Label, size: float) -> bool:
    """Whether a number stands in a tile's row, or below it and as high as the tile's own; above it targets may stand."""
    right, down = abs(label.at.x - tile.at.x), label.at.y - tile.at.y
    alike = abs(label.box.height - tile.box.height) <= SAME_HEIGHT * tile.box.height
    return abs(down) < IN_LINE * size or (alike and right < IN_LINE * size and 0 < down < NEXT_TILE * size)


def _is_told(label: Label, labels: Sequence[Label]) -> bool:
    """Whether a number alone stands behind a word: "Target: 13", but not the first one of "Numbers: 1 2 3"."""
    return (
        label.captioned
        and label.plate is None
        and not any(
            0 < other.at.x - label.at.x < LIST_PITCH * label.box.height
            and abs(other.at.y - label.at.y) < ON_LINE * label.box.height
            for other in labels
        )
    )


def read_stock(rows: Sequence[Sequence[Label]], specks: Sequence[Box], ink: npt.NDArray[np.uint8]) -> Stock:
    """What stands in the rows of a stock. specks: small parts outside the rings; ink: (H, W) of the picture.

    Raises UncertainReading for a tile that cannot be read, signs between numbers, and a stock that the picture's edge cuts.
    """
    labels = [label for row in rows for label in row]
    if not labels:
        return Stock()
    unclear = [label for label in labels if label.value is None]
    if unclear:
        at = unclear[0].at
        raise UncertainReading(
            f"{len(unclear)} of {len(labels)} stock tiles cannot be read, one at ({at.x:.0f}, {at.y:.0f})",
            hint=HINT,
        )
    tiled = all(label.plate is not None for label in labels)
    gaps = _gaps_between_tiles(rows, ink) if tiled else _gaps_between_numbers(rows, specks)
    _refuse_cut(labels, (ink.shape[1], ink.shape[0]))
    counts = Counter(label.value for label in labels)
    controls = {
        str(label.value): Control(label.at, counts[label.value], confidence=label.confidence)
        for label in labels
    }
    return Stock(tuple(label.value for label in labels if label.value is not None), controls, gaps)


def _alike(plates: Sequence[Label]) -> list[Label]:
    """The plates of a stock, which are of one size. Raises UncertainReading where there are two."""
    sizes = np.array(
        [(one.plate.width, one.plate.height) for one in plates if one.plate is not None], np.float64
    )
    usual = np.median(sizes, axis=0)
    other = (np.abs(sizes - usual) > ALIKE * usual + 2).any(axis=1)
    if other.any():
        at = plates[int(np.flatnonzero(other)[0])].at
        raise UncertainReading(
            f"the plates below the figure are not of one size (one at ({at.x:.0f}, {at.y:.0f})): which are the stock"
            " cannot be told",
            hint="show the figure with its number tiles alone below it",
        )
    return list(plates)


def _rows(labels: Sequence[Label]) -> list[list[Label]]:
    rows: list[list[Label]] = []
    for label in sorted(labels, key=lambda item: item.at.y):
        if rows and label.at.y - rows[-1][0].at.y < ONE_ROW * max(label.box.height, rows[-1][0].box.height):
            rows[-1].append(label)
        else:
            rows.append([label])
    return [sorted(row, key=lambda item: item.at.x) for row in rows]


def _gaps_between_tiles(rows: Sequence[Sequence[Label]], ink: npt.NDArray[np.uint8]) -> int:
    """How many tiles are missing between others in their grid. Raises UncertainReading for one that is faintly there."""
    plates = [[label.plate for label in row if label.plate is not None] for row in rows]
    steps = [b.centre.x - a.centre.x for row in plates for a, b in pairwise(row)]
    if not steps:
        return 0
    pitch = float(np.median([step for step in steps if step < GAP * min(steps)]))
    first = min(row[0].centre.x for row in plates)
    tops = [row[0].centre.y for row in plates]
    down = min((b - a for a, b in pairwise(tops)), default=pitch)
    width, height = plates[0][0].width, plates[0][0].height
    ground = float(np.median(ink[::3, ::3]))
    usual = (
        float(np.median([_ink_in(ink, plate.centre, width, height) for row in plates for plate in row]))
        - ground
    )
    last = max(round((plate.centre.x - first) / pitch) for row in plates for plate in row)
    gaps = 0
    for nth, (row, top) in enumerate(zip(plates, tops, strict=True)):
        taken = {round((plate.centre.x - first) / pitch) for plate in row}
        # All rows but the last are full.
        end = last if nth < len(plates) - 1 else max(taken)
        for column in range(-1, last + 2):
            at = Point(first + column * pitch, top)
            if column in taken:
                continue
            gaps += 0 <= column <= end
            side = (at.x - 0.5 * pitch, at.x + 0.5 * pitch)
            apart = [_ink_in(ink, Point(x, top), 0.7 * (pitch - width), height) for x in side]
            _refuse_faint(ink, at, (width, height), ground + FAINT * usual, apart)
    below = Point(first, tops[-1] + down)
    apart = [
        _ink_in(ink, Point(first, y), width, 0.7 * (down - height))
        for y in (below.y - down / 2, below.y + down / 2)
    ]
    _refuse_faint(ink, below, (width, height), ground + FAINT * usual, apart)
    return gaps


def _refuse_faint(
    ink: npt.NDArray[np.uint8], at: Point, size: tuple[int, int], limit: float, apart: Sequence[float]
) -> None:
    """apart: the ink between this place and those beside it; a tile stands apart from others."""
    if _ink_in(ink, at, *size) > limit >= max(apart):
        raise UncertainReading(
            f"a tile at ({at.x:.0f}, {at.y:.0f}) in the stock's row is too faint to be read", hint=HINT
        )


def _ink_in(ink: npt.NDArray[np.uint8], at: Point, width: float, height: float) -> float:
    """The mean ink where a tile would be, 0 where that is not on the picture."""
    left, top = round(at.x - 0.35 * width), round(at.y - 0.35 * height)
    part = ink[
        max(0, top) : max(0, top + round(0.7 * height)), max(0, left) : max(0, left + round(0.7 * width))
    ]
    return float(part.mean()) if part.size > ON_PICTURE * width * height > 0 else 0.0


def _gaps_between_numbers(rows: Sequence[Sequence[Label]], specks: Sequence[Box]) -> int:
    """How many numbers are missing in rows without tiles. Raises UncertainReading for signs between numbers."""
    gaps = 0
    for row in rows:
        top, end = min(one.box.top for one in row), max(one.box.bottom for one in row)
        left, right = row[0].box.left, row[-1].box.left + row[-1].box.width
        signs = [
            box for box in specks
            if left < box.centre.x < right and top <= box.centre.y <= end and max(box[2:]) > SIGN * (end - top)
        ]  # fmt: skip
        if signs:
            raise UncertainReading(
                f"a sign stands at ({signs[0].centre.x:.0f}, {signs[0].centre.y:.0f}) between the numbers of the stock:"
                " ranges are not read",
                hint="show the stock as a row of numbers",
            )
        steps = [b.at.x - a.at.x for a, b in pairwise(row)]
        if len(steps) > 1:
            usual = float(np.median(steps))
            gaps += sum(round(step / usual) - 1 for step in steps if step > GAP * usual)
    return gaps


def _refuse_cut(labels: Sequence[Label], size: tuple[int, int]) -> None:
    boxes = [label.plate or label.box for label in labels]
    whole = Box.around(*boxes)
    spaces = [b.left - a.left - a.width for a, b in pairwise(sorted(boxes)) if b.left > a.right]
    room = min([0.25 * boxes[0].height, *spaces])
    sides = near_edges(whole, size, max(2.0, 0.8 * room))
    if sides:
        raise partly_off(f"the stock of {len(labels)} numbers ends at the {sides[0]} of the picture")
