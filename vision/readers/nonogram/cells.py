"""What stands in the cells of a nonogram: filled, marked empty, or nothing.

Cells that look alike are one *look*. What a look means is not known beforehand (dark on light, light on dark,
navy and yellow): it is concluded from the contrast, from the crosses, and from the solution of the puzzle, where
there is exactly one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple, get_args

import cv2
import numpy as np
import numpy.typing as npt

from solver.lattice import Square
from solver.nonogram import Picture
from vision.frame import Pixels
from vision.grids import Comb, Grid
from vision.reading import Geometry

Meaning = Literal["filled", "blank", "free"]
MEANINGS: tuple[Meaning, ...] = get_args(Meaning)

# Colours within this many levels are the same look.
SAME_LOOK = 26.0
# Cells whose colours differ by less than this hang together.
NEXT_LOOK = 8.0
# So few cells are no look of their own where another is near.
FEW = 3
# A cross or dot covers this share of a cell; less is noise, more is another colour.
MARKED = (0.035, 0.75)
# Share of a cross or dot that is the same upside down.
SYMMETRIC = 0.6
# Levels by which the ink of a cross differs from the cell.
MARK_LEVELS = 45.0
FAINT_LEVELS = 14.0
# A player enters this share of the cells wrongly.
WRONGLY_ENTERED = 0.02
# So many looks are decided together.
MOST_TOGETHER = 5
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
    """How one cell looks: its colour (BGR), whether something is drawn in it, and the share of it that stands out."""

    colour: tuple[float, float, float]
    marked: bool
    drawn: float = 0.0


def looks(pixels: Pixels, grid: Grid) -> list[Look]:
    """The looks of the grid, the most frequent first."""
    cells = [Square(row, col) for row in range(grid.rows) for col in range(grid.cols)]
    seen = [_look(pixels, grid, cell.row, cell.col) for cell in cells]
    faint = _faintly_marked(seen)
    groups: list[list[int]] = []
    for marked in (False, True):
        own = [i for i, one in enumerate(seen) if (one.marked or i in faint) == marked]
        groups += _alike(np.array([seen[i].colour for i in own]).reshape(-1, 3), own)
    groups.sort(key=lambda group: -len(group))
    found = []
    for group in groups:
        blue, green, red = np.median([seen[i].colour for i in group], axis=0).tolist()
        marked = seen[group[0]].marked or group[0] in faint
        found.append(Look((blue, green, red), marked, tuple(cells[i] for i in group)))
    return found


def _alike(colours: npt.NDArray[np.float64], names: Sequence[int]) -> list[list[int]]:
    """Cells whose colours hang together, in groups; a few cells apart join the nearest group.

    Colours that change slowly over the board, as of a photograph behind it, hang together, and two flat colours
    do not, however near they are.
    """
    rest, groups = set(range(len(names))), []
    while rest:
        group, front = [], [rest.pop()]
        while front:
            group += front
            left = np.array(sorted(rest), np.int64)
            away = np.abs(colours[left][None] - colours[front][:, None]).max(axis=2).min(axis=0)
            front = left[away < NEXT_LOOK].tolist() if len(left) else []
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


def _faintly_marked(seen: Sequence[_Seen]) -> set[int]:
    """Cells with faint crosses, where others of the same colour are clean: texture is in all of them."""
    clean = np.array([one.colour for one in seen if one.clean]).reshape(-1, 3)
    return {
        i
        for i, one in enumerate(seen)
        if one.faint and len(clean) > 1 and np.sort(np.abs(clean - one.colour).max(axis=1))[1] < NEXT_LOOK
    }


class _Seen(NamedTuple):
    """One cell: its colour (BGR), whether a cross or dot is in it, or a faint one, and the share that stands out."""

    colour: npt.NDArray[np.float64]
    marked: bool
    faint: bool
    drawn: float

    @property
    def clean(self) -> bool:
        return self.drawn < MARKED[0] / 4


def _look(pixels: Pixels, grid: Grid, row: int, col: int) -> _Seen:
    """From the inner two thirds of the cell."""
    height, width = pixels.shape[:2]
    left, right = round(grid.xs.at(col + 0.18)), round(grid.xs.at(col + 0.82))
    top, bottom = round(grid.ys.at(row + 0.18)), round(grid.ys.at(row + 0.82))
    top, bottom, left, right = max(top, 0), min(bottom, height), max(left, 0), min(right, width)
    inside = pixels[top:bottom, left:right].reshape(-1, 3).astype(int)
    if len(inside) == 0:
        return _Seen(np.zeros(3), False, False, 0.0)
    colour = _ground(inside)
    away = np.abs(inside - colour).max(axis=1).reshape(bottom - top, right - left)
    # Noise is everywhere, a mark is not.
    noise = float(np.median(away))
    return _Seen(
        colour,
        _is_mark(away > MARK_LEVELS),
        _is_mark(away > FAINT_LEVELS + 4 * noise),
        float((away > FAINT_LEVELS).mean()),
    )


def _ground(inside: npt.NDArray[np.int_]) -> npt.NDArray[np.float64]:
    """The colour that most of a cell has: in small cells a soft cross may cover more than half of it."""
    bright = inside.sum(axis=1)
    order = np.sort(bright)
    ends = np.searchsorted(order, order + 3 * SAME_LOOK, side="right")
    most = int(np.argmax(ends - np.arange(len(order))))
    alike = (bright >= order[most]) & (bright <= order[most] + 3 * SAME_LOOK)
    return np.asarray(np.median(inside[alike], axis=0), np.float64)


def _is_mark(drawn: npt.NDArray[np.bool_]) -> bool:
    return MARKED[0] <= float(drawn.mean()) <= MARKED[1] and _symmetric(drawn)


def sample(pixels: Pixels, geometry: Geometry, cell: Square) -> Sample:
    """How a cell of a board that has been read looks on another picture of it."""
    at, half = geometry.centres[cell], geometry.pitch_px / 2
    xs, ys = Comb(at.x - half, geometry.pitch_px, 2), Comb(at.y - half, geometry.pitch_px, 2)
    seen = _look(pixels, Grid(xs, ys), 0, 0)
    blue, green, red = seen.colour.tolist()
    return Sample((blue, green, red), seen.marked, seen.drawn)


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
        return _by_solution(found, solution, sgt=sgt)
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
    # White cells alone are no board of the collection: a new one is grey, a finished one has black cells.
    return result if set(result) != {"blank"} else None


def _by_solution(found: Sequence[Look], solution: Picture, *, sgt: bool) -> list[Meaning]:
    """The likeliest meanings of the looks, given which of their cells are filled in the only solution.

    The five largest looks are decided together, the others one by one.
    """
    cells = sum(len(look.cells) for look in found)
    density = min(max(len(solution.filled) / max(cells, 1), 0.05), 0.95)
    chances = [_chances(look, solution, density) for look in found]
    together = found[:MOST_TOGETHER]
    best = max(product(MEANINGS, repeat=len(together)), key=lambda meant: _likely(together, chances, meant))
    result: list[Meaning] = list(best)
    for count in range(len(together), len(found)):
        largest = found[: count + 1]
        result.append(max(MEANINGS, key=lambda one: _likely(largest, chances, (*result, one))))
    if "free" not in result and not sgt:
        # On a finished board nothing tells cells left alone from those set to empty, but crosses do.
        result = [
            "free" if meant == "blank" and not look.marked else meant
            for look, meant in zip(found, result, strict=True)
        ]
    return result


def _chances(look: Look, solution: Picture, density: float) -> dict[Meaning, float]:
    """The logarithm of the chance that a look of each meaning has as many filled cells as this one."""
    filled = sum(cell in solution.filled for cell in look.cells)
    shares: dict[Meaning, float] = {"filled": 1 - WRONGLY_ENTERED, "blank": WRONGLY_ENTERED, "free": density}
    return {
        meaning: filled * math.log(share) + (len(look.cells) - filled) * math.log(1 - share)
        for meaning, share in shares.items()
    }


def _likely(
    found: Sequence[Look], chances: Sequence[Mapping[Meaning, float]], meant: Sequence[Meaning]
) -> float:
    """How likely these meanings are together, as a logarithm."""
    total = 0.0
    first: dict[tuple[Meaning, bool], Look] = {}
    free = next((look for look, one in zip(found, meant, strict=True) if one == "free"), None)
    for look, one, chance in zip(found, meant, chances, strict=False):
        total += chance[one]
        # Two looks of one meaning are rare; a highlight is like what it highlights.
        same = first.setdefault((one, look.marked), look)
        if same is not look:
            total -= 3 + _away(same, look) / 25
        apart = _away(free, look) if free is not None and free is not look else FILLED_CONTRAST
        beneath = _beneath(look, found, meant)
        if beneath == "filled":
            # What is in a filled cell is dirt.
            total -= 0 if one == "filled" else 8
        elif one == "filled":
            # Filled cells stand out; they have no crosses, nor have crossed cells their colour.
            total -= max(0.0, FILLED_CONTRAST - apart) / 5
            crossed = any(o.marked and len(o.cells) >= len(look.cells) / 4 for o in found if _near(o, look))
            total -= 6 if look.marked or crossed else 0
        elif one == "blank" and not look.marked:
            total -= 4 + max(0.0, FILLED_CONTRAST - apart) / 10
        elif one == "free" and look.marked:
            total -= 4
    return total


def _beneath(look: Look, found: Sequence[Look], meant: Sequence[Meaning]) -> Meaning | None:
    """What the cells without a mark mean that have the colour of a marked look."""
    if not look.marked:
        return None
    same = [one for other, one in zip(found, meant, strict=True) if not other.marked and _near(other, look)]
    return same[0] if same else None


def _near(a: Look, b: Look) -> bool:
    return _away(a, b) < SAME_LOOK


def _away(a: Look, b: Look) -> float:
    return max(abs(x - y) for x, y in zip(a.colour, b.colour, strict=True))


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
