"""What stands in the cells of a nonogram: filled, marked empty, or nothing.

Cells that look alike are one *look*. What a look means is not known beforehand (dark on light, light on dark,
navy and yellow): it is concluded from the contrast, from the crosses, and from the solution of the puzzle, where
there is exactly one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from solver.lattice import Square
from solver.nonogram import Picture
from vision.frame import Pixels
from vision.grids import Comb, Grid
from vision.reading import Geometry

Meaning = Literal["filled", "blank", "free"]

# Colours within this many levels are the same look.
SAME_LOOK = 26.0
# A cross or dot covers this share of a cell; less is noise, more is another colour.
MARKED = (0.035, 0.6)
# Share of a cross or dot that is the same upside down.
SYMMETRIC = 0.6
# Levels by which the ink of a cross differs from the cell.
MARK_LEVELS = 45.0
# Share of a look's cells that must agree with the solution.
AGREE = 0.85
# A look whose cells all are filled in the solution is so by chance this rarely.
BY_CHANCE = 1e-4
# A few cells of another colour may be highlighted, not set to empty; this many are not.
BLANK_BY_CHANCE = 0.2
# Filled cells differ this much (levels of brightness) from the free ones.
FILLED_CONTRAST = 60.0
# What sgt-pattern paints cells with unless its colours are changed.
COLLECTION_GREYS: Mapping[Meaning, float] = {"filled": 0.0, "free": 128.0, "blank": 255.0}


@dataclass(frozen=True)
class Look:
    """Cells that look alike: their colour (BGR), whether something is drawn in them, and which they are."""

    colour: tuple[float, float, float]
    marked: bool
    cells: tuple[Square, ...]

    @property
    def brightness(self) -> float:
        blue, green, red = self.colour
        return 0.114 * blue + 0.587 * green + 0.299 * red


@dataclass(frozen=True)
class Sample:
    """How one cell looks: its colour (BGR), and whether something is drawn in it."""

    colour: tuple[float, float, float]
    marked: bool


def looks(pixels: Pixels, grid: Grid) -> list[Look]:
    """The looks of the grid, the most frequent first."""
    groups: list[tuple[npt.NDArray[np.float64], bool, list[Square]]] = []
    for row in range(grid.rows):
        for col in range(grid.cols):
            colour, marked = _look(pixels, grid, row, col)
            for other, mark, cells in groups:
                if mark == marked and float(np.abs(other - colour).max()) < SAME_LOOK:
                    cells.append(Square(row, col))
                    break
            else:
                groups.append((colour, marked, [Square(row, col)]))
    groups.sort(key=lambda group: -len(group[2]))
    return [
        Look((float(c[0]), float(c[1]), float(c[2])), marked, tuple(cells)) for c, marked, cells in groups
    ]


def _look(pixels: Pixels, grid: Grid, row: int, col: int) -> tuple[npt.NDArray[np.float64], bool]:
    """Colour and whether something is drawn, from the inner two thirds of the cell."""
    height, width = pixels.shape[:2]
    left, right = round(grid.xs.at(col + 0.18)), round(grid.xs.at(col + 0.82))
    top, bottom = round(grid.ys.at(row + 0.18)), round(grid.ys.at(row + 0.82))
    top, bottom, left, right = max(top, 0), min(bottom, height), max(left, 0), min(right, width)
    inside = pixels[top:bottom, left:right].reshape(-1, 3).astype(int)
    if len(inside) == 0:
        return np.zeros(3), False
    colour = np.median(inside, axis=0)
    drawn = (np.abs(inside - colour).max(axis=1) > MARK_LEVELS).reshape(bottom - top, right - left)
    return colour, MARKED[0] <= float(drawn.mean()) <= MARKED[1] and _symmetric(drawn)


def sample(pixels: Pixels, geometry: Geometry, cell: Square) -> Sample:
    """How a cell of a board that has been read looks on another picture of it."""
    at, half = geometry.centres[cell], geometry.pitch_px / 2
    xs, ys = Comb(at.x - half, geometry.pitch_px, 2), Comb(at.y - half, geometry.pitch_px, 2)
    colour, marked = _look(pixels, Grid(xs, ys), 0, 0)
    return Sample((float(colour[0]), float(colour[1]), float(colour[2])), marked)


def _symmetric(drawn: npt.NDArray[np.bool_]) -> bool:
    """Whether something is the same upside down, as crosses and dots are; mouse pointers are not."""
    turned = cv2.dilate(drawn[::-1, ::-1].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return float((drawn & turned).sum()) >= SYMMETRIC * float(drawn.sum())


def meanings(
    found: Sequence[Look],
    solution: Picture | None,
    *,
    sgt: bool,
    known: Mapping[Meaning, Sample] | None = None,
) -> list[Meaning]:
    """What every look means.

    solution: the only one, when there is just one.
    known: how the states look in this program, when that has been learned.
    """
    concluded = _concluded(found, solution, sgt=sgt)
    return [by_samples(look, known or {}) or meant for look, meant in zip(found, concluded, strict=True)]


def by_samples(look: Look, known: Mapping[Meaning, Sample]) -> Meaning | None:
    """What a look that has been learned means; None for another one (highlights, the mouse pointer)."""
    away = {
        meaning: max(abs(a - b) for a, b in zip(one.colour, look.colour, strict=True))
        for meaning, one in known.items()
        if one.marked == look.marked
    }
    nearest = min(away, key=lambda meaning: away[meaning], default=None)
    return nearest if nearest is not None and away[nearest] < SAME_LOOK else None


def _concluded(found: Sequence[Look], solution: Picture | None, *, sgt: bool) -> list[Meaning]:
    # The collection draws no crosses: where several cells have one, its greys mean nothing.
    sgt = sgt and sum(len(look.cells) for look in found if look.marked) < 2
    if sgt and (greys := _by_collection(found)) is not None:
        return greys
    if solution is not None:
        agreed = _by_solution(found, solution, sgt=sgt)
        if agreed is not None:
            return agreed
    return _by_contrast(found, sgt=sgt)


def _by_collection(found: Sequence[Look]) -> list[Meaning] | None:
    """The collection's own three greys say it themselves; None where a look has another colour."""
    result: list[Meaning] = []
    for look in found:
        near = [
            meaning
            for meaning, grey in COLLECTION_GREYS.items()
            if max(abs(value - grey) for value in look.colour) < SAME_LOOK / 2
        ]
        if not near:
            return None
        result.append(near[0])
    return result


def _by_solution(found: Sequence[Look], solution: Picture, *, sgt: bool) -> list[Meaning] | None:
    """The looks whose cells all are filled in the solution are filled, and so on; None when nothing fits."""
    shares = [sum(cell in solution.filled for cell in look.cells) / len(look.cells) for look in found]
    free = [i for i, share in enumerate(shares) if 1 - AGREE < share < AGREE and len(found[i].cells) > 3]
    filled = [i for i, share in enumerate(shares) if share >= AGREE and not found[i].marked]
    base = free or [i for i, share in enumerate(shares) if share <= 1 - AGREE][:1]
    if not base:
        return None
    usual = found[base[0]]
    cells = sum(len(look.cells) for look in found)
    density = min(max(len(solution.filled) / max(cells, 1), 0.01), 0.99)
    result: list[Meaning] = []
    for i, look in enumerate(found):
        away = max(abs(a - b) for a, b in zip(look.colour, usual.colour, strict=True))
        # A highlighted row may be filled by chance; so many cells never are.
        surely = density ** (shares[i] * len(look.cells)) < BY_CHANCE
        if i in filled and (away >= FILLED_CONTRAST or surely or (sgt and away > SAME_LOOK)):
            result.append("filled")
        elif (look.marked and shares[i] < 0.5) or (
            shares[i] <= 1 - AGREE
            and ((1 - density) ** len(look.cells) < BLANK_BY_CHANCE or sgt)
            and _painted_white(look, i in free, bool(free), away, sgt=sgt)
        ):
            result.append("blank")
        else:
            result.append("free")
    return result


def _painted_white(look: Look, is_free: bool, others_free: bool, away: float, *, sgt: bool) -> bool:
    """Whether a look without filled cells has been set to empty, not just left alone.

    On a finished board nothing is left for comparison: only the collection paints its empty cells white.
    """
    if others_free:
        return not is_free and away > SAME_LOOK
    return sgt and (away > SAME_LOOK or look.brightness > 240)


def _by_contrast(found: Sequence[Look], *, sgt: bool) -> list[Meaning]:
    """The collection's three greys; elsewhere, what stands out most against the usual look is filled."""
    plain = [look for look in found if not look.marked] or list(found)
    if sgt and len(plain) >= 3:
        dark, light = min(p.brightness for p in plain), max(p.brightness for p in plain)
        return [
            "filled" if p.brightness < dark + 30 else "blank" if p.brightness > light - 30 else "free"
            for p in found
        ]
    usual = max(plain, key=lambda look: look.brightness) if not sgt else plain[0]
    result: list[Meaning] = []
    for look in found:
        if look.marked:
            result.append("blank")
        elif abs(look.brightness - usual.brightness) >= FILLED_CONTRAST:
            result.append("filled" if look.brightness < usual.brightness else "blank")
        else:
            result.append("free")
    return result


def picture(found: Sequence[Look], meant: Sequence[Meaning]) -> Picture:
    """What has been entered so far."""
    cells: Mapping[Meaning, set[Square]] = {"filled": set(), "blank": set(), "free": set()}
    for look, meaning in zip(found, meant, strict=True):
        cells[meaning].update(look.cells)
    return Picture(frozenset(cells["filled"]), frozenset(cells["blank"]))
