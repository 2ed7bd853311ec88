"""How the cells of a nonogram look: their colours, and whether a cross or dot is drawn in them.

Cells that look alike are one *look*; what it means is for `meanings` to say.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from solver.lattice import Square
from vision.frame import Box, Pixels
from vision.grids import Comb, Grid
from vision.readers.nonogram.edges import Edges, edges_of, on_comb
from vision.reading import Geometry

# Colours within this many levels are the same look.
SAME_LOOK = 26.0
# Cells whose colours differ by less than this hang together; less where all cells have one of a few colours.
NEXT_LOOK, NEXT_FLAT = 8.0, 4.0
FEW_COLOURS = 12
# So few cells are no look of their own where another is near.
FEW = 3
# A cross or dot covers this share of a cell; less is noise, more is another colour.
MARKED = (0.035, 0.75)
# Share of a cross or dot that is the same upside down around the middle of the cell, and around its own.
SYMMETRIC = (0.6, 0.9)
# So far from the middle of its cell (share of what is looked at) is no cross.
OFF_MIDDLE = 0.2
# The middle of a thin cross may be half of this (share of what is looked at) off the middle of its cell.
NEAR_MIDDLE = 0.12
# What is so nearly a cross (share of what a cross has) is in doubt.
ODD = 0.75
# Drawings are compared at so many by so many px; they are alike, and are others, from and below these correlations.
SHAPE = 10
SAME_DRAWING, OTHER_DRAWING = 0.75, 0.5
# What covers so many times as much of its cell as most crosses is none.
OTHER_SHARE = 1.7
# Levels by which the ink of a cross differs from the cell.
MARK_LEVELS = 45.0
FAINT_LEVELS = 14.0


@dataclass(frozen=True)
class Look:
    """Cells that look alike: their colour (BGR), whether something is drawn in them, and which they are.

    odd: what is drawn in them is nearly a cross or dot, but not quite: a mark that is half hidden, perhaps.
    """

    colour: tuple[float, float, float]
    marked: bool
    cells: tuple[Square, ...]
    odd: bool = False

    @property
    def brightness(self) -> float:
        blue, green, red = self.colour
        return 0.114 * blue + 0.587 * green + 0.299 * red


@dataclass(frozen=True)
class Sample:
    """How one cell looks: its colour (BGR), whether something is drawn in it, and the share of it that stands out."""

    colour: tuple[float, float, float]
    marked: bool
    drawn: float = 0.0


def looks(pixels: Pixels, grid: Grid) -> list[Look]:
    """The looks of the grid, the most frequent first."""
    cells = [Square(row, col) for row in range(grid.rows) for col in range(grid.cols)]
    edges = edges_of(pixels, grid)
    seen = [_look(pixels, edges, cell.row, cell.col) for cell in cells]
    clean = {i for i, one in enumerate(seen) if one.clean}
    faint = _among(seen, [i for i, one in enumerate(seen) if one.faint], clean)
    marks = faint | {i for i, one in enumerate(seen) if one.marked}
    drawn = {i for i, one in enumerate(seen) if one.evenness is not None} - marks
    if len(marks) >= FEW:
        usual = np.mean([seen[i].shape for i in marks], axis=0)
        alike = {i for i in drawn if _alikeness(seen[i].shape, usual) >= SAME_DRAWING}
        drawn, marks = drawn - alike, marks | alike
    # One or two cells with something else in them have the mouse pointer there.
    strange = _among(seen, sorted(drawn), marks | clean)
    odd = {i for i in strange if len(strange) >= FEW or (seen[i].evenness or 0.0) >= ODD}
    odd |= {i for i in drawn if _same_colour(seen, i) < FEW}
    groups: list[list[int]] = []
    for marked in (False, True):
        own = [i for i in range(len(seen)) if (i in marks) == marked and i not in odd]
        groups += _alike(np.array([seen[i].colour for i in own]).reshape(-1, 3), own)
    # What most crosses of a colour do not look like is none, though it may be as even as they are.
    odd |= (others := {i for group in groups for i in _unlike_most(seen, group) if i in marks})
    groups = [rest for group in groups if (rest := [i for i in group if i not in others])]
    groups.sort(key=lambda group: -len(group))
    found = []
    for group in groups + [[i] for i in sorted(odd)]:
        blue, green, red = np.median([seen[i].colour for i in group], axis=0).tolist()
        found.append(
            Look((blue, green, red), group[0] in marks, tuple(cells[i] for i in group), group[0] in odd)
        )
    return found


def _alike(colours: npt.NDArray[np.float64], names: Sequence[int]) -> list[list[int]]:
    """Cells whose colours hang together, in groups; a few cells apart join the nearest group.

    Colours that change slowly over the board, as of a photograph behind it, hang together, and two flat colours
    do not, however near they are.
    """
    rest, groups = set(range(len(names))), []
    flat = len(np.unique(colours.round(), axis=0)) <= FEW_COLOURS
    next_look = NEXT_FLAT if flat else NEXT_LOOK
    while rest:
        group, front = [], [rest.pop()]
        while front:
            group += front
            left = np.array(sorted(rest), np.int64)
            away = np.abs(colours[left][None] - colours[front][:, None]).max(axis=2).min(axis=0)
            front = left[away < next_look].tolist() if len(left) else []
            rest -= set(front)
        groups.append(group)
    groups.sort(key=lambda group: -len(group))
    kept: list[list[int]] = []
    middles: list[npt.NDArray[np.float64]] = []
    for group in groups:
        middle = np.median(colours[group], axis=0)
        away = [float(np.abs(middle - other).max()) for other in middles]
        if len(group) < FEW and away and min(away) < SAME_LOOK:
            kept[int(np.argmin(away))] += group
        else:
            kept.append(group)
            middles.append(middle)
    return [[names[i] for i in group] for group in kept]


def _among(seen: Sequence[_Seen], some: Sequence[int], others: Set[int]) -> set[int]:
    """Those of some cells that have the colour of two others: a texture is in all cells of its colour."""
    colours = np.array([seen[i].colour for i in sorted(others)]).reshape(-1, 3)
    return {
        i
        for i in some
        if len(colours) > 1 and np.sort(np.abs(colours - seen[i].colour).max(axis=1))[1] < NEXT_LOOK
    }


def _same_colour(seen: Sequence[_Seen], one: int) -> int:
    """How many cells have the colour of one of them, itself included."""
    colours = np.array([other.colour for other in seen])
    return int((np.abs(colours - seen[one].colour).max(axis=1) < NEXT_LOOK).sum())


class _Seen(NamedTuple):
    """One cell: its colour (BGR), whether a cross or dot is in it, or a faint one, and the share that stands out.

    evenness: of what is drawn in it, in shares of what a cross has; None where nothing of the size of a cross is.
    shape: (SHAPE, SHAPE) how much of each part of the cell stands out, in levels.
    """

    colour: npt.NDArray[np.float64]
    marked: bool
    faint: bool
    drawn: float
    evenness: float | None
    shape: npt.NDArray[np.float32]

    @property
    def clean(self) -> bool:
        return self.drawn < MARKED[0] / 4


def _look(pixels: Pixels, edges: Edges, row: int, col: int) -> _Seen:
    """From the inner two thirds of the cell."""
    height, width = pixels.shape[:2]
    left, right, top, bottom = (round(at) for at in edges.inside(row, col, 0.18))
    top, bottom, left, right = max(top, 0), min(bottom, height), max(left, 0), min(right, width)
    inside = pixels[top:bottom, left:right].reshape(-1, 3).astype(int)
    if len(inside) == 0:
        return _Seen(np.zeros(3), False, False, 0.0, None, np.zeros((SHAPE, SHAPE), np.float32))
    colour = _ground(inside)
    away = np.abs(inside - colour).max(axis=1).reshape(bottom - top, right - left)
    # Noise is everywhere, a mark is not.
    noise = float(np.median(away))
    even = _evenness(away > MARK_LEVELS)
    return _Seen(
        colour,
        even >= 1.0,
        _evenness(away > FAINT_LEVELS + 4 * noise) >= 1.0,
        float((away > FAINT_LEVELS).mean()),
        even if even > 0.0 else None,
        cv2.resize(cv2.blur(away.astype(np.float32), (3, 3)), (SHAPE, SHAPE), interpolation=cv2.INTER_AREA),
    )


def _unlike_most(seen: Sequence[_Seen], group: Sequence[int]) -> set[int]:
    """The cells of a group in which something else is drawn than in most."""
    usual = np.median([seen[i].shape for i in group], axis=0)
    share = float(np.median([seen[i].drawn for i in group]))
    return {
        i
        for i in group
        if _alikeness(seen[i].shape, usual) < OTHER_DRAWING or seen[i].drawn > OTHER_SHARE * share
    }


def _alikeness(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    """How much alike two drawings are, up to 1, though perhaps not equally strong or a tenth of a cell off."""
    middle = np.ascontiguousarray(other[1:-1, 1:-1])
    return float(cv2.matchTemplate(one, middle, cv2.TM_CCOEFF_NORMED).max())


def _ground(inside: npt.NDArray[np.int_]) -> npt.NDArray[np.float64]:
    """The colour that most of a cell has: in small cells a soft cross may cover more than half of it."""
    bright = inside.sum(axis=1)
    order = np.sort(bright)
    ends = np.searchsorted(order, order + 3 * SAME_LOOK, side="right")
    most = int(np.argmax(ends - np.arange(len(order))))
    alike = (bright >= order[most]) & (bright <= order[most] + 3 * SAME_LOOK)
    return np.asarray(np.median(inside[alike], axis=0), np.float64)


def sample(pixels: Pixels, geometry: Geometry, cell: Square) -> Sample:
    """How a cell of a board that has been read looks on another picture of it."""
    at, half = geometry.centres[cell], geometry.pitch_px / 2
    xs, ys = Comb(at.x - half, geometry.pitch_px, 2), Comb(at.y - half, geometry.pitch_px, 2)
    seen = _look(pixels, on_comb(Grid(xs, ys)), 0, 0)
    blue, green, red = seen.colour.tolist()
    return Sample((blue, green, red), seen.marked, seen.drawn)


def _evenness(drawn: npt.NDArray[np.bool_]) -> float:
    """How much of something is the same upside down, as crosses and dots are; mouse pointers are not.

    From 1.0 on it is a cross or dot. Around the middle of the cell, or, where what is drawn is not far from there,
    around its own: letters stand where their font has them.
    """
    if not MARKED[0] <= float(drawn.mean()) <= MARKED[1]:
        return 0.0
    height, width = drawn.shape
    box = Box(*cv2.boundingRect(drawn.astype(np.uint8)))
    ways = [(drawn, SYMMETRIC[0])]
    off = (
        abs(box.left + box.width / 2 - width / 2) / width,
        abs(box.top + box.height / 2 - height / 2) / height,
    )
    if max(off) <= OFF_MIDDLE:
        ways.append((drawn[box.top : box.top + box.height, box.left : box.left + box.width], SYMMETRIC[1]))
    shares = [_same_turned(part, 0) / enough for part, enough in ways]
    if max(shares) < 1.0:
        # Around the place near the middle that suits it best: a thin cross shows every px that its cell is off.
        shares.append(_same_turned(drawn, round(NEAR_MIDDLE * min(height, width))) / SYMMETRIC[1])
    return max(shares)


def _same_turned(part: npt.NDArray[np.bool_], far: int) -> float:
    """The share of something that is the same upside down, around a place at most far / 2 px off its middle."""
    own = part.astype(np.float32)
    turned = cv2.dilate(own[::-1, ::-1], np.ones((3, 3), np.uint8))
    around = cv2.copyMakeBorder(turned, far, far, far, far, cv2.BORDER_CONSTANT, value=0)
    both = cv2.matchTemplate(around, own, cv2.TM_CCORR)
    return float(both.max()) / max(float(own.sum()), 1.0)
