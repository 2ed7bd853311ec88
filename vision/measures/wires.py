"""Lines from the middle of a cell to the middles of its sides, and walls along its borders: tiles of pipes and wires."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from solver.grid.board import Board, Place
from solver.grid.wires import TILES, WALL, WAYS, WRAPPING, beyond, border, shaped
from solver.lattice import Square
from vision.colour import strongest
from vision.eyesight import Region
from vision.frame import Box, Pixels
from vision.grids import Grid
from vision.measures.likeness import bgr
from vision.measures.parts import DRAWN_LEVELS, box_at, line_colour
from vision.reading import Mark
from vision.scene import Scene

# A step of (row, col) to a neighbour.
Way = tuple[int, int]
# A wire is looked for so far from the middle of its cell, in pitches: beyond what stands there, before the border.
NEAR, FAR = 0.34, 0.44
# The middle line of a wall is on the border, and its dark sides reach so many px from there.
WALL_PX = 2.1
# It is so wide at most to either side; from here on the cell is empty, as far as its corners.
WIRE, EMPTY, CORNER = 0.05, 0.16, 0.3
# Where a wall is looked for along a border, and to either side of it, in pitches; there so many px at least.
ALONG, ACROSS, ACROSS_PX = (-0.3, -0.2, 0.2, 0.3), 0.04, 2
# It, or the thin line, must be seen at so many of these places.
MOST_ALONG = 3
# A wall has a colour: its channels differ by so many levels.
COLOURED = 70
# A thin line stands out from the cells beside it by these shares of what such lines do: soft ones by less.
STANDS_OUT = (0.35, 1.6)
# Ends of wires have their colour within so many levels, and so many px on the smallest board.
NEAR_LEVELS, LEAST_END_PX = 40.0, 60
# So many px from its middle a wire is its own colour, however thin.
WIRE_PX = 0.6
# What is looked at of a tile is within its cell, and places are rounded by so many px.
CELL, ROUNDED_PX = Region(0.0, 0.0, 1.0, 1.0), 2


class Wires(NamedTuple):
    """The wires of a tile as bits, and whether each side was clear to see."""

    bits: int
    clear: bool


def wires(scene: Scene, grid: Grid, ways: tuple[Way, ...]) -> dict[tuple[int, int], Wires]:
    """The wires of every cell by row and column, a bit for each way. Use as `scene.once(wires, grid, ways)`."""
    return scene.each(
        grid,
        (wires, ways),
        list(product(range(grid.rows), range(grid.cols))),
        lambda at: box_at(grid, *at, CELL).grown(ROUNDED_PX),
        lambda places: {at: _tile(scene.pixels, grid, *at, ways) for at in places},
    )


def walls(scene: Scene, grid: Grid, ways: tuple[Way, ...]) -> dict[tuple[int, int, Way], bool | None]:
    """Whether there is a wall along the border of each cell, by row, column and way; None where neither that nor the thin
    line is seen. Use as `scene.once(walls, grid, ways)`."""
    line = scene.once(line_colour, grid)
    sides = {
        (row, col, (down, right)): (row + max(0, down), col + max(0, right), bool(right))
        for row, col, (down, right) in product(range(grid.rows), range(grid.cols), ways)
    }
    found = scene.each(
        grid,
        (walls, line),
        sorted(set(sides.values())),
        lambda border: _border_box(grid, *border),
        lambda borders: {border: _walled(scene.pixels, grid, *border, np.array(line)) for border in borders},
    )
    return {side: found[border] for side, border in sides.items()}


def _border_box(grid: Grid, row: int, col: int, upright: bool) -> Box:
    """What is looked at of the left border of a cell, or of its upper one."""
    first, last = (0.5 + along for along in (ALONG[0], ALONG[-1]))
    side = Region(0.0, first, 0.0, last) if upright else Region(first, 0.0, last, 0.0)
    return box_at(grid, row, col, side).grown(_reach(grid) + ROUNDED_PX)


def wired_grids(scene: Scene, line: str, ends: tuple[str, ...]) -> list[Grid]:
    """The lattices of thin lines of a colour on a picture that shows something in the colours of the ends of wires."""
    from vision.readers.grid import drawn_in, tinted_in

    seen = sum(
        cv2.countNonZero(cv2.inRange(scene.pixels, bgr(end) - NEAR_LEVELS, bgr(end) + NEAR_LEVELS))
        for end in ends
    )
    if seen < LEAST_END_PX:
        return []
    # A screen draws its lines in just one colour; those of small tiles are short pieces between much else.
    return scene.once(drawn_in, line) or scene.once(tinted_in, line)


def tell_tiles(scene: Scene, grid: Grid) -> Mapping[Place, Mark]:
    """The tile of every cell as it lies now; in doubt where something hides a border of it."""
    tiles = scene.once(wires, grid, WAYS)
    # Where most cells show no wires it is no board of such tiles, and its borders tell nothing.
    wired = 2 * sum(tile.clear and tile.bits > 0 for tile in tiles.values()) >= len(tiles)
    borders = scene.once(walls, grid, WAYS) if wired else {}
    hidden = {(row, col) for (row, col, _), wall in borders.items() if wall is None}
    found: dict[Place, Mark] = {}
    for at, tile in tiles.items():
        clear = wired and tile.clear and at not in hidden
        found[Square(*at)] = Mark(
            TILES[tile.bits] if clear and tile.bits else None, float(clear), "", "placed"
        )
    return found


def with_walls(scene: Scene, grid: Grid, board: Board) -> Board:
    """The board with the kinds of its tiles and its walls: it wraps where no wall is all round. For `Eyesight.finish`."""
    read = tell_tiles(scene, grid)
    tiles = {at: mark.symbol for at in board.squares if (mark := read[at]).symbol}
    known = scene.once(walls, grid, WAYS)
    sides = {(at, way): known[at.row, at.col, WAYS[way]] for at in board.squares for way in range(4)}
    # What is hidden of a frame is a part of it.
    around = [side for side in sides if beyond(board, *side)[1]]
    framed = all(sides[side] is not False for side in around) and any(sides[side] for side in around)
    inner: dict[Place, str] = {
        border(board, *side): WALL for side, wall in sides.items() if wall and not (framed and side in around)
    }
    return shaped(board.height, board.width, tiles, inner, "" if framed else WRAPPING)


def _tile(pixels: Pixels, grid: Grid, row: int, col: int, ways: tuple[Way, ...]) -> Wires:
    bits, clear = 0, True
    for number, way in enumerate(ways):
        strip = _strip(pixels, grid, row, col, way)
        if strip is None:
            return Wires(0, False)
        if np.ptp(strip, axis=(0, 1)).max() <= DRAWN_LEVELS:
            # Nothing is drawn there.
            continue
        # Rows of the strip run across the wire.
        middle = (strip.shape[1] - 1) / 2
        away_from_middle = np.abs(np.arange(strip.shape[1]) - middle) / max(1.0, middle) * CORNER
        beside = away_from_middle >= EMPTY
        # A row across the wire may be that of a line: a cursor's frame.
        away = strongest(np.abs(strip - np.median(strip[:, beside], axis=1)[:, None]))
        drawn = away[:, away_from_middle <= max(WIRE, WIRE_PX / max(1.0, middle) * CORNER)].max(axis=1)
        bits |= int(drawn.min() > 2 * DRAWN_LEVELS) << number
        clear = clear and float(np.median(away[:, beside].max(axis=1))) <= DRAWN_LEVELS
        # All rows show a wire, or none does.
        clear = clear and (drawn.min() > 2 * DRAWN_LEVELS or drawn.max() <= DRAWN_LEVELS)
    return Wires(bits, clear)


def _strip(pixels: Pixels, grid: Grid, row: int, col: int, way: Way) -> npt.NDArray[np.float64] | None:
    """The px between what stands in the middle and a border, (along, across, 3); None beyond the edge of the picture."""
    y, x = grid.ys.at(row + 0.5), grid.xs.at(col + 0.5)
    down, right = way
    pitch = grid.ys.pitch if down else grid.xs.pitch
    wide = CORNER * (grid.xs.pitch if down else grid.ys.pitch)
    first, last = (
        round((y if down else x) + (down + right) * min(part * pitch, pitch / 2 - WALL_PX))
        for part in (NEAR, FAR)
    )
    low, high = min(first, last), max(first, last) + 1
    side = x if down else y
    left, end = round(side - wide), round(side + wide) + 1
    turned = pixels if down else pixels.transpose(1, 0, 2)
    whole = min(low, left) >= 0 and high <= turned.shape[0] and end <= turned.shape[1]
    return turned[low:high, left:end].astype(np.float64) if whole else None


def _walled(
    pixels: Pixels, grid: Grid, row: int, col: int, upright: bool, line: npt.NDArray[np.float64]
) -> bool | None:
    """Whether a coloured line goes along the left border of a cell, or its upper one; None where neither that nor a thin line
    is seen."""
    y, x = grid.ys.at(row + 0.5 * upright), grid.xs.at(col + 0.5 * (not upright))
    reach = _reach(grid)
    turned = pixels if upright else pixels.transpose(1, 0, 2)
    middle = round(x if upright else y)
    along = [round((y if upright else x) + part * (grid.ys if upright else grid.xs).pitch) for part in ALONG]
    if min(along) < 0 or max(along) >= len(turned):
        return None
    px = turned[along, max(0, middle - reach) : middle + reach + 1]
    if not px.size:
        return None
    coloured = (np.ptp(px, axis=2) > COLOURED).any(axis=1)
    thin = _are_thin(px.astype(np.float64), line) & ~coloured
    return True if sum(coloured) >= MOST_ALONG else False if sum(thin) >= MOST_ALONG else None


def _reach(grid: Grid) -> int:
    """How many px to either side of a border are looked at."""
    return max(ACROSS_PX, round(ACROSS * grid.xs.pitch))


def _are_thin(px: npt.NDArray[np.float64], line: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """(places,) whether one of the px (places, n, 3) across a border has as much of a thin line's colour as such a line."""
    ground = np.median(px, axis=1, keepdims=True)
    least, most = STANDS_OUT
    away = line - ground
    along = ((px - ground) * away).sum(axis=2) / np.maximum(1.0, (away * away).sum(axis=2))
    return np.asarray(((along >= least) & (along <= most)).any(axis=1), np.bool_)
