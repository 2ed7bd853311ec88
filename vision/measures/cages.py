"""Areas of a board that thick lines or colours part, and cages drawn inside the cells, with a number in each."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from solver.grid.board import Board, named
from solver.grid.cages import borders_of, cages_of, totals_of
from solver.lattice import Square
from vision.components import components
from vision.digits import read_numbers
from vision.eyesight import Region
from vision.grids import Grid
from vision.measures.parts import box_at, cage_lines, grounds
from vision.measures.tints import covering, lightened, tinted
from vision.scene import Scene

Mask = npt.NDArray[np.bool_]

# The tint of the lines and numbers of cages, their own colour, and that of cages that are wrong.
YELLOW, INK, RED = "ffff00", "737317", "ff0000"
# A digit that is entered is so high, in cells: the numbers of cages are lower. What is larger than the second is a line.
DIGIT, LARGE = (0.29, 0.36), 0.62
# What reaches so much farther up than a digit is one that the number of its cage touches from above.
TOUCHED = 0.06
# Between two cells the lines are looked for so far to either side of the border, along the middle of it, in cells; a line is
# there along so much of it. It is none of the lattice's own, which is drawn on the border itself.
BESIDE, ALONG, LINE = (0.03, 0.16), (0.4, 0.6), 0.8
# Where the number stands in the first cell, what ink of a line counts, and how sure a number is.
NUMBER, FAINT, SURE = Region(0.03, 0.03, 0.75, 0.45), 0.1, 0.5
# The colour of a cell is told from along the edge of this, which thick lines of small cells do not reach.
FIELD = Region(0.15, 0.15, 0.85, 0.85)
# Neighbours in one area differ by no more than so many levels as a lossy format leaves them, and those of two areas by more
# than so many; in between it may be either. So many of the areas, of as many as there are rows, have a colour of their own.
ONE_COLOUR, TWO_COLOURS, COLOURED = 4, 12, 0.5


def blocks(scene: Scene, grid: Grid) -> list[tuple[Square, ...]]:
    """The areas that thick lines make. Use as `scene.once(blocks, grid)`."""
    return cages_of(grid.rows, scene.once(cage_lines, grid))


def coloured_areas(scene: Scene, grid: Grid) -> npt.NDArray[np.int32] | None:
    """(rows, cols) the number of the area that each cell of a square belongs to, -1 where that is in doubt; None where there
    are not as many areas as rows. Use as `scene.once(coloured_areas, grid)`.

    How many there are tells for most faint steps of colour what they are; lines tell where two areas have one colour, and where
    a cell is lighter than its area, as one below a pointer is.
    """
    side = grid.rows
    own = scene.once(grounds, grid, FIELD) if side == grid.cols else np.zeros((0, 3))
    if len(own) != side * side:
        return None
    colours = own.reshape(side, side, 3)
    right, down = (np.abs(np.diff(colours, axis=axis)).max(axis=2) for axis in (1, 0))
    (most, many), (fewest, few) = (_parted(right > step, down > step) for step in (ONE_COLOUR, TWO_COLOURS))
    if few <= COLOURED * side:
        return None
    if side in (many, few):
        return most if many == side else fewest
    lines = np.zeros((2, side, side), np.bool_)
    for row, col, way in scene.once(cage_lines, grid):
        lines["rd".index(way), row, col] = True
    drawn, count = _parted(lines[0, :, :-1], lines[1, :-1])
    if count == side:
        return drawn
    if not few < side < many:
        return None
    for name in range(few):
        # What a faint step may part from most of an area.
        pieces = most[fewest == name]
        fewest[(fewest == name) & (most != np.bincount(pieces).argmax())] = -1
    return fewest


def _parted(right: Mask, down: Mask) -> tuple[npt.NDArray[np.int32], int]:
    """(rows, cols) the number of the area of each cell, and how many areas there are.

    right: (rows, cols - 1) whether two areas meet to the right of a cell; down: (rows - 1, cols) below it.
    """
    # Every second place is a border.
    sheet = np.zeros((2 * len(right) - 1, 2 * down.shape[1] - 1), np.uint8)
    sheet[::2, ::2], sheet[::2, 1::2], sheet[1::2, ::2] = 1, ~right, ~down
    count, names = cv2.connectedComponents(sheet, connectivity=4)
    return np.asarray(names[::2, ::2] - 1, np.int32), count - 1


def without_blocks(scene: Scene, grid: Grid, board: Board) -> Board:
    """The board of a game whose lines are all alike. Raises InvalidPuzzle where thick ones make equal blocks, as Solo's do."""
    side = grid.rows if grid.rows == grid.cols else 0
    if side and [len(block) for block in blocks(scene, grid)] == [side] * side:
        raise InvalidPuzzle("thick lines make equal blocks of its cells")
    return board


def numbered_cages(scene: Scene, grid: Grid) -> tuple[str, str]:
    """The borders of the cages inside the cells and their numbers, as texts. Raises InvalidPuzzle."""
    if grid.rows != grid.cols:
        raise InvalidPuzzle("a board with cages is a square")
    cages = cages_of(grid.rows, scene.once(cages_inside, grid))
    totals = {cage[0]: number_inside(scene, grid, cage[0]) for cage in cages}
    return borders_of(grid.rows, cages), totals_of(grid.rows, totals)


def without_cages(scene: Scene) -> Scene | None:
    """The picture with the ground in place of cages; None where none are seen. Use as `scene.once(without_cages)`."""
    if not scene.once(covering, INK):
        return None
    return lightened(scene, scene.once(cage_ink))


def cage_ink(scene: Scene) -> Mask:
    """(H, W) the px of lines and numbers of cages: all yellow ones, and the red ones that are no digits of the size that the
    lattice tells. Use as `scene.once(cage_ink)`."""
    yellow, red = scene.once(tinted, YELLOW), scene.once(tinted, RED)
    grids = lightened(scene, yellow).grids() if red.any() else ()
    if not grids:
        return yellow
    pitch = max(grids, key=lambda grid: grid.rows * grid.cols).ys.pitch
    names, stats = components(red.astype(np.uint8))
    wide, high = stats[:, 2] / pitch, stats[:, 3] / pitch
    digits = (high >= DIGIT[0]) & (np.maximum(wide, high) <= LARGE)
    digits[0] = True
    ink = np.asarray(yellow | ~digits[names], np.bool_)
    for piece in np.flatnonzero(digits[1:] & (high[1:] > DIGIT[1] + TOUCHED)) + 1:
        left, top, across, down = stats[piece, :4].tolist()
        above = np.s_[top : top + down - round(DIGIT[1] * pitch), left : left + across]
        ink[above] |= names[above] == piece
    return ink


def cages_inside(scene: Scene, grid: Grid) -> frozenset[tuple[int, int, str]]:
    """The borders between cages: (row, col, "r") to the right of a cell, (row, col, "d") below it.

    Raises InvalidPuzzle where a line is seen on one side of a border only.
    """
    mask = scene.once(cage_ink)
    found = set()
    for row, col, (down, right) in product(range(grid.rows), range(grid.cols), ((0, 1), (1, 0))):
        if row + down >= grid.rows or col + right >= grid.cols:
            continue
        sides = [_line_beside(mask, grid, row + down, col + right, bool(right), way) for way in (-1, 1)]
        if sides[0] != sides[1]:
            raise InvalidPuzzle(f"the cage at {named(Square(row, col))} is seen on one side only")
        if sides[0]:
            found.add((row, col, "r" if right else "d"))
    return frozenset(found)


def _line_beside(mask: Mask, grid: Grid, row: int, col: int, upright: bool, way: int) -> bool:
    """Whether a line goes along the left border of a cell (the upper one), before or behind it."""
    across, along = (grid.xs, grid.ys) if upright else (grid.ys, grid.xs)
    at, middle = (col, row) if upright else (row, col)
    ends = sorted(across.at(at) + way * share * across.pitch for share in BESIDE)
    first, last = (round(along.at(middle + share)) for share in ALONG)
    strip = (mask if upright else mask.T)[first:last, round(ends[0]) : round(ends[1]) + 1]
    return bool(strip.size and strip.mean(axis=0).max() >= LINE)


def number_inside(scene: Scene, grid: Grid, at: Square) -> int:
    """The number of the cage whose first cell this is. Raises InvalidPuzzle."""
    window = box_at(grid, *at, NUMBER).window
    pixels = scene.pixels[window].astype(np.float32)
    # Yellow and red have as little blue as there is ink.
    warm = np.clip(pixels[..., 2] - pixels[..., 0], 0, None) * scene.once(cage_ink)[window]
    ink = np.asarray(warm / max(1.0, float(warm.max(initial=0.0))), np.float32)
    # The lines above and to the left go on beyond what is looked at, digits end in it; they may touch.
    ink[ink[:, -1] > FAINT] = 0
    ink[:, ink[-1] > FAINT] = 0
    number = read_numbers([ink])[0]
    if number.value is None or number.confidence < SURE:
        raise InvalidPuzzle(f"the number of the cage at {named(at)} cannot be read")
    return number.value
