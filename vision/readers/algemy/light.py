"""Light on a photographed board: the cells that it runs through, and the sources that it comes from.

Light goes straight on over empty cells, up to a crystal or the edge of the board, and no source is in the light of another.
So what is lit at two opposite sides and shows no gem is empty; and a black core is a source where all that is seen to be
empty around it has light of one colour, some of which comes from nowhere else.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.lattice import Square
from vision.colour import Named, nearest_hue
from vision.readers.algemy.filmed_cells import BODY, CENTRE, is_unclear
from vision.readers.algemy.gems import HUES
from vision.readers.algemy.squared import CELL_PX, Squared
from vision.reading import Mark

Numbers = npt.NDArray[np.float64]
Channels = npt.NDArray[np.float64]

# Chroma, a share of white, that light gives to the middle of a cell's side above the paler place beside it: on one side of a
# border between two cells as much as the first, on the other as the second.
LIT, FAINT = 0.1, 0.04
# A source's core is darker than this on the mean.
BLACK_MEAN = 0.4
# Between the beams of an empty cell it is as bright as this, and in one of four places as white; gems have lines there.
BRIGHT, WHITE = 0.95, 0.72
# The corners of a cell with a gem are as bright as this, its middle is darker than paper by the second.
BRIGHT_CORNER, LEAST_GEM = 0.8, 0.05
# Light along one way only makes the middle no darker than the sides, by this.
DARKER = 0.05
STEPS = (-1, 0), (0, 1), (1, 0), (0, -1)


def _px(low: float, high: float) -> slice:
    """Px from one place to another, in cells from the middle."""
    return slice(round((low + 0.5) * CELL_PX), round((high + 0.5) * CELL_PX))


# The upper side of a cell: between the gem's core and the border, and there the middle and what is beside it.
_CORNER = _px(-0.42, -0.3), _px(-0.42, -0.3)
_BETWEEN = _px(-0.38, -0.2), _px(-0.38, -0.2)
_SIDE, _MIDDLE, _BESIDE = _px(-0.4, -0.24), _px(-0.1, 0.1), (_px(-0.4, -0.26), _px(0.26, 0.4))


class _Run(NamedTuple):
    """Cells side by side that light runs through, the two beyond its ends, and its hue."""

    cells: tuple[Square, ...]
    ends: tuple[Square, Square]
    hue: Named


def tell_lit(board: Squared, marks: dict[Square, Mark]) -> None:
    """Names the empty cells that light runs through, and the sources, among the cells in doubt that nothing hides."""
    lacks = {cell: _lacks(board.cell(*cell)) for cell, mark in marks.items() if not is_hidden(mark)}
    black = {cell for cell in lacks if board.cell(*cell)[CENTRE].max(axis=1).mean() < BLACK_MEAN}
    lit = {cell: tuple(_is_lit(cell, way, lacks) for way in range(len(STEPS))) for cell in lacks}
    open_ = [cell for cell in lacks if cell not in black and _has_no_gem(board.cell(*cell), lit[cell])]
    runs = [run for way in (1, 2) for run in _runs([cell for cell in open_ if lit[cell][way]], lacks, way)]
    may_shine = black | {cell for cell in marks if cell not in lacks}
    dark = {cell for cell, mark in marks.items() if mark.symbol == "" and not any(lit[cell])}
    runs = [run for run in runs if may_shine & {*run.ends} and not dark & {*run.ends}]
    for cell in itertools.chain.from_iterable(run.cells for run in runs):
        marks[cell] = Mark("", 0.7)
    gems = {cell for cell in lacks if cell not in black and _shows_gem(board.cell(*cell))}
    for cell in black:
        hues = _hues(cell, marks, runs, lit, gems)
        clear = {hue.name for hue in hues if not is_unclear(hue)}
        if len(clear) == 1 and all(clear & {hue.name, hue.runner_up} for hue in hues):
            marks[cell] = Mark(clear.pop(), 0.7, "X", "placed")


def is_hidden(mark: Mark) -> bool:
    """Whether the wheel hides a cell."""
    return mark.symbol is None and mark.confidence == 0.0 and not mark.runner_up


def _lacks(patch: Channels) -> Numbers:
    """(4, 3) what the middle of each side lacks of the paper beside it, clockwise from the upper one."""
    lacks = []
    for turns in range(len(STEPS)):
        side = np.rot90(patch, turns)[_SIDE]
        left, right = (side[:, part].mean(axis=(0, 1)) for part in _BESIDE)
        # The colour of a photograph may be off its place, so that one of them has some of the light.
        white = [left, right, (left + right) / 2]
        lacks.append(max((one - side[:, _MIDDLE].mean(axis=(0, 1)) for one in white), key=np.ptp))
    return np.array(lacks)


def _is_lit(cell: Square, way: int, lacks: Mapping[Square, Numbers]) -> bool:
    """Whether light crosses the border of a cell, as seen from both its sides."""
    own = float(np.ptp(lacks[cell][way]))
    beside = Square(cell.row + STEPS[way][0], cell.col + STEPS[way][1])
    other = float(np.ptp(lacks[beside][way - 2])) if beside in lacks else 0.0
    return own >= FAINT and max(own, other) >= LIT


def _has_no_gem(patch: Channels, lit: tuple[bool, ...]) -> bool:
    """Whether light goes through a cell as it does through an empty one."""
    up, right, down, left = lit
    if not any(lit) or up != down or right != left:
        return False
    value = patch.max(axis=2)
    sides = [float(np.rot90(value, way)[_SIDE][:, _MIDDLE].mean()) for way, there in enumerate(lit) if there]
    clear = all(lit) or value[CENTRE].mean() > np.mean(sides) - DARKER
    between = [np.rot90(patch, turns)[_BETWEEN] for turns in range(len(STEPS))]
    bright = np.mean([place.max(axis=2).mean() for place in between]) > BRIGHT
    return bool(clear and bright) and max(float(place.min(axis=2).mean()) for place in between) > WHITE


def _runs(lit: list[Square], lacks: Mapping[Square, Numbers], way: int) -> Iterator[_Run]:
    """Cells of these that follow each other on a way."""
    down, right = STEPS[way]
    for cell in lit:
        before = Square(cell.row - down, cell.col - right)
        if before in lit:
            continue
        cells = [cell]
        while (after := Square(cells[-1].row + down, cells[-1].col + right)) in lit:
            cells.append(after)
        mean = np.mean([lacks[one][way % 2 :: 2].mean(axis=0) for one in cells], axis=0)
        blue, green, red = (255 * (1 - (mean - mean.min()))).tolist()
        yield _Run(tuple(cells), (before, after), nearest_hue((blue, green, red), HUES))


def _shows_gem(patch: Channels) -> bool:
    """Whether the middle of a cell is darker than its paper, and its corners are not: nothing else lies over it."""
    value = patch.max(axis=2)
    corners = [np.rot90(value, turns)[_CORNER].mean() for turns in range(len(STEPS))]
    return min(corners) > BRIGHT_CORNER and float(np.clip(1 - value[BODY], 0, 1).mean()) > LEAST_GEM


def _hues(
    cell: Square,
    marks: Mapping[Square, Mark],
    runs: list[_Run],
    lit: Mapping[Square, tuple[bool, ...]],
    gems: set[Square],
) -> list[Named]:
    """Hues of the light around a black core; none where a side has no light, or where all of it may come from elsewhere."""
    hues, leaves = [], False
    for way, (down, right) in enumerate(STEPS):
        beside = Square(cell.row + down, cell.col + right)
        run = next((one for one in runs if beside in one.cells and cell in one.ends), None)
        if run is not None:
            hues.append(run.hue)
            end = run.ends[1 - run.ends.index(cell)]
            after = Square(end.row + down, end.col + right)
            # It ends at the board's edge, or at a gem that no light comes from or through.
            beyond = after not in marks or (
                after in lit and marks[after].runner_up != "X" and not lit[after][way - 2]
            )
            leaves |= end not in marks or (end in gems and beyond)
        elif beside in marks and marks[beside].symbol == "":
            return []
    return hues if leaves else []
