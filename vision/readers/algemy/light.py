"""Light on a photographed board: the cells that it runs through, and the sources that it comes from.

Light goes straight on over empty cells, up to a crystal or the edge of the board, and no source is in the light of another.
So what is lit at two opposite sides and shows no gem is empty; and a black core is a source where all that is seen to be
empty around it has light of one colour, some of which comes from nowhere else.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.algemy.board import BITS
from solver.lattice import Square
from vision.colour import Named, nearest_hue
from vision.readers.algemy.filmed_cells import BODY, CENTRE, is_black, is_full, is_unclear
from vision.readers.algemy.gems import HUES, LETTER
from vision.readers.algemy.squared import CELL_PX, Squared
from vision.reading import Mark

Numbers = npt.NDArray[np.float64]
Channels = npt.NDArray[np.float64]

# Chroma, a share of white, that light gives to the middle of a cell's side above the paler place beside it: on one side of a
# border between two cells as much as the first, on the other as the second.
LIT, FAINT = 0.1, 0.04
# Between the beams of an empty cell it is as bright as this, and in one of four places as white; gems have lines there.
BRIGHT, WHITE = 0.95, 0.72
# The corners of a cell with a gem are as bright as this, its middle is darker than paper by the second.
BRIGHT_CORNER, LEAST_GEM = 0.7, 0.05
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
    """Names among the cells in doubt the empty ones that light runs through, sources, and crystals full of their colour."""
    light = _Light(board, marks)
    for cell in itertools.chain.from_iterable(run.cells for run in light.runs):
        marks[cell] = Mark("", 0.7)
    colours = {cell: light.colour(cell) for cell in light.black}
    for cell, colour in colours.items():
        if colour and not any(colours.get(beside) for beside in _around(cell)):
            marks[cell] = Mark(colour, 0.7, "X", "placed")
    # A crystal that is known stops light that comes from behind it.
    for cell in [*light.lacks] * 2:
        letter = LETTER.get(light.received(cell)) if marks[cell].symbol is None else None
        if letter is not None and is_full(board.cell(*cell), letter):
            marks[cell] = Mark(letter, 0.7, "", "given")


class _Light:
    """Where light is on a board.

    marks: of its cells, looked at anew each time. lacks: for cells that nothing hides, what the middles of their sides lack
    of the paper beside them. black: those with a black core. gems: those with a gem, or what looks like one. lit: whether light
    crosses their sides, clockwise from the upper one.
    """

    def __init__(self, board: Squared, marks: Mapping[Square, Mark]) -> None:
        self.marks = marks
        seen = {cell: board.cell(*cell) for cell, mark in marks.items() if not is_hidden(mark)}
        self.lacks = {cell: _lacks(patch) for cell, patch in seen.items()}
        self.black = {cell for cell, patch in seen.items() if is_black(patch)}
        self.gems = {cell for cell, patch in seen.items() if _shows_gem(patch)}
        clean = {cell for cell, patch in seen.items() if cell not in self.black and _is_clean(patch)}
        self.lit = {cell: [self._is_lit(cell, way, clean) for way in range(len(STEPS))] for cell in seen}
        through = {cell for cell in clean if _goes_through(seen[cell], self.lit[cell])}
        may_shine = self.black | (marks.keys() - seen.keys())
        dark = {cell for cell, mark in marks.items() if mark.symbol == "" and not any(self.lit[cell])}
        runs = itertools.chain.from_iterable(self._runs(through, way) for way in (1, 2))
        self.runs = [run for run in runs if may_shine & {*run.ends} and not dark & {*run.ends}]

    def _is_lit(self, cell: Square, way: int, clean: set[Square]) -> bool:
        """Whether light crosses a side of a cell, as seen from both cells that it belongs to; a gem is no light."""
        beside = _next(cell, way)
        own = float(np.ptp(self.lacks[cell][way]))
        other = float(np.ptp(self.lacks[beside][way - 2])) if beside in clean else 0.0
        return own >= FAINT and max(own, other) >= LIT

    def _runs(self, through: set[Square], way: int) -> Iterator[_Run]:
        """Cells of these that follow each other on a way and have light along it."""
        lit = {cell for cell in through if self.lit[cell][way]}
        for cell in sorted(lit):
            before = _next(cell, way - 2)
            if before in lit:
                continue
            cells = [cell]
            while (after := _next(cells[-1], way)) in lit:
                cells.append(after)
            mean = np.mean([self.lacks[one][way % 2 :: 2].mean(axis=0) for one in cells], axis=0)
            blue, green, red = (255 * (1 - (mean - mean.min()))).tolist()
            yield _Run(tuple(cells), (before, after), nearest_hue((blue, green, red), HUES))

    def _run(self, cell: Square, way: int) -> _Run | None:
        """The run that starts beside a cell."""
        beside = _next(cell, way)
        return next((run for run in self.runs if beside in run.cells and cell in run.ends), None)

    def colour(self, cell: Square) -> str:
        """The colour of the light that leaves a black core; "" where a side has none, or all may come from elsewhere."""
        hues, leaves = [], False
        for way in range(len(STEPS)):
            run, beside = self._run(cell, way), _next(cell, way)
            if run is not None:
                hues.append(run.hue)
                leaves |= self._stops(run.ends[1 - run.ends.index(cell)], way)
            elif beside in self.marks and self.marks[beside].symbol == "":
                return ""
        clear = {hue.name for hue in hues if not is_unclear(hue)}
        sure = leaves and len(clear) == 1 and all(clear & {hue.name, hue.runner_up} for hue in hues)
        return clear.pop() if sure else ""

    def _stops(self, end: Square, way: int) -> bool:
        """Whether light stops here: the board ends, or there is a gem, and no light comes from or through it."""
        if end not in self.marks:
            return True
        after = _next(end, way)
        dark = after not in self.marks or (after in self.lit and not self.lit[after][way - 2])
        return end in self.gems - self.black and dark and after not in self.black

    def received(self, cell: Square) -> int:
        """The primaries of all light that comes to a cell; -1 where that is not known."""
        bits = 0
        for way in range(len(STEPS)):
            run, beside = self._run(cell, way), _next(cell, way)
            mark = self.marks.get(beside, Mark("", 1.0))
            if run is not None and not is_unclear(run.hue):
                bits |= BITS[run.hue.name]
            elif mark.state == "placed" and mark.symbol:
                bits |= BITS[mark.symbol]
            elif run is not None or not (
                (mark.symbol == "" and not (beside in self.lit and self.lit[beside][way - 2]))
                or mark.state == "given"
                or beside in self.gems - self.black
            ):
                return -1
        return bits


def _next(cell: Square, way: int) -> Square:
    """The cell beside a cell, which may lie beyond the board."""
    down, right = STEPS[way]
    return Square(cell.row + down, cell.col + right)


def _around(cell: Square) -> list[Square]:
    return [_next(cell, way) for way in range(len(STEPS))]


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


def _is_clean(patch: Channels) -> bool:
    """Whether it is bright and white between the places of beams, where gems have lines."""
    between = [np.rot90(patch, turns)[_BETWEEN] for turns in range(len(STEPS))]
    bright = float(np.mean([place.max(axis=2).mean() for place in between])) > BRIGHT
    return bright and max(float(place.min(axis=2).mean()) for place in between) > WHITE


def _goes_through(patch: Channels, lit: Sequence[bool]) -> bool:
    """Whether light goes through a cell as it does through an empty one."""
    up, right, down, left = lit
    if not any(lit) or up != down or right != left:
        return False
    value = patch.max(axis=2)
    sides = [float(np.rot90(value, way)[_SIDE][:, _MIDDLE].mean()) for way, there in enumerate(lit) if there]
    return all(lit) or float(value[CENTRE].mean()) > float(np.mean(sides)) - DARKER


def _shows_gem(patch: Channels) -> bool:
    """Whether the middle of a cell is darker than its paper, and its corners are not: nothing else lies over it."""
    value = patch.max(axis=2)
    corners = [np.rot90(value, turns)[_CORNER].mean() for turns in range(len(STEPS))]
    return min(corners) > BRIGHT_CORNER and float(np.clip(1 - value[BODY], 0, 1).mean()) > LEAST_GEM
