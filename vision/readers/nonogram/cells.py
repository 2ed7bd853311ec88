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
from vision.frame import Box, Pixels
from vision.grids import Comb, Grid
from vision.readers.nonogram.edges import Edges, edges_of, on_comb
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
# Share of a cross or dot that is the same upside down around the middle of the cell, and around its own.
SYMMETRIC = (0.6, 0.9)
# So far from the middle of its cell (share of what is looked at) is no cross.
OFF_MIDDLE = 0.2
# What is so nearly a cross (share of what a cross has) is in doubt.
ODD = 0.75
# Levels by which the ink of a cross differs from the cell.
MARK_LEVELS = 45.0
FAINT_LEVELS = 14.0
# A player enters this share of the cells wrongly.
WRONGLY_ENTERED = 0.02
# So many looks are decided together.
MOST_TOGETHER = 5
# Where another meaning of a few cells is less than so many times (as a logarithm) less likely, they are in doubt.
LEAST_MARGIN = 3.0
# Filled cells differ this much (levels of brightness) from the free ones.
FILLED_CONTRAST = 60.0
# What sgt-pattern paints cells with unless its colours are changed.
COLLECTION_GREYS: Mapping[Meaning, float] = {"filled": 0.0, "free": 128.0, "blank": 255.0}


@dataclass(frozen=True)
class Look:
    """Cells that look alike: their colour (BGR), whether something is drawn in them, and which they are.

    odd: what is drawn in them is no cross or dot: a pointer, perhaps, or a mark that is half hidden.
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
    faint = _among_clean(seen, [i for i, one in enumerate(seen) if one.faint])
    odd = _among_clean(seen, [i for i, one in enumerate(seen) if one.odd and i not in faint])
    groups: list[list[int]] = []
    for marked in (False, True):
        own = [i for i, one in enumerate(seen) if (one.marked or i in faint) == marked and i not in odd]
        groups += _alike(np.array([seen[i].colour for i in own]).reshape(-1, 3), own)
    groups.sort(key=lambda group: -len(group))
    found = []
    for group in groups + [[i] for i in sorted(odd)]:
        blue, green, red = np.median([seen[i].colour for i in group], axis=0).tolist()
        marked = seen[group[0]].marked or group[0] in faint
        found.append(Look((blue, green, red), marked, tuple(cells[i] for i in group), group[0] in odd))
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


def _among_clean(seen: Sequence[_Seen], some: Sequence[int]) -> set[int]:
    """Those of some cells for which others of the same colour are clean: texture is in all of them."""
    clean = np.array([one.colour for one in seen if one.clean]).reshape(-1, 3)
    return {
        i
        for i in some
        if len(clean) > 1 and np.sort(np.abs(clean - seen[i].colour).max(axis=1))[1] < NEXT_LOOK
    }


class _Seen(NamedTuple):
    """One cell: its colour (BGR), whether a cross or dot is in it, or a faint one, and the share that stands out.

    odd: what is in it is nearly as even as a cross.
    """

    colour: npt.NDArray[np.float64]
    marked: bool
    faint: bool
    drawn: float
    odd: bool = False

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
        return _Seen(np.zeros(3), False, False, 0.0)
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
        ODD <= even < 1.0,
    )


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
    shares = []
    for part, enough in ways:
        turned = cv2.dilate(part[::-1, ::-1].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        shares.append(float((part & turned).sum()) / max(float(part.sum()), 1.0) / enough)
    return max(shares)


def meanings(
    found: Sequence[Look],
    solution: Picture | None,
    *,
    sgt: bool,
    known: Mapping[Meaning, Sample] | None = None,
) -> list[Meaning | None]:
    """What every look means; None where that is in doubt.

    solution: the only one, when there is just one.
    known: how the states look in this program, when that has been learned.
    """
    clear = [look for look in found if not look.odd]
    concluded = [
        by_samples(look, known or {}) or meant
        for look, meant in zip(clear, _concluded(clear, solution, sgt=sgt), strict=True)
    ]
    # What is drawn on a filled cell is dirt; elsewhere it may be a mark.
    filled = [look for look, meant in zip(clear, concluded, strict=True) if meant == "filled"]
    return concluded + [
        "filled" if any(_near(one, look) for one in filled) else None for look in found if look.odd
    ]


def by_samples(look: Look, known: Mapping[Meaning, Sample]) -> Meaning | None:
    """What a look that has been learned means; None for another one (highlights, the mouse pointer)."""
    away = {
        meaning: max(abs(a - b) for a, b in zip(one.colour, look.colour, strict=True))
        for meaning, one in known.items()
        if one.marked == look.marked
    }
    nearest = min(away, key=lambda meaning: away[meaning], default=None)
    return nearest if nearest is not None and away[nearest] < SAME_LOOK else None


def _concluded(found: Sequence[Look], solution: Picture | None, *, sgt: bool) -> Sequence[Meaning | None]:
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


def _by_solution(found: Sequence[Look], solution: Picture, *, sgt: bool) -> list[Meaning | None]:
    """The likeliest meanings of the looks, given which of their cells are filled in the only solution.

    The five largest looks are decided together, the others one by one. A look of a few cells (a highlight, perhaps)
    is in doubt where another meaning is about as likely.
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
    doubtful = {
        number
        for number, look in enumerate(found)
        if len(look.cells) < FEW and _margin(found, chances, result, number) < LEAST_MARGIN
    }
    left = [cell for look, one in zip(found, result, strict=True) if one == "free" for cell in look.cells]
    if not sgt and solution.filled.isdisjoint(left):
        # On a finished board nothing tells cells left alone from those set to empty, but crosses do.
        result = [
            "free" if meant == "blank" and not look.marked else meant
            for look, meant in zip(found, result, strict=True)
        ]
    return [None if number in doubtful else meant for number, meant in enumerate(result)]


def _margin(
    found: Sequence[Look],
    chances: Sequence[Mapping[Meaning, float]],
    meant: Sequence[Meaning],
    number: int,
) -> float:
    """How much likelier (as a logarithm) the meaning of one look is than any other that it could have."""
    others = [
        _likely(found, chances, [*meant[:number], one, *meant[number + 1 :]])
        for one in MEANINGS
        if one != meant[number]
    ]
    return _likely(found, chances, meant) - max(others)


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
        # Two looks of one meaning are rare, but for a cell or two; a highlight is like what it highlights.
        same = first.setdefault((one, look.marked), look)
        if same is not look:
            unlike = _away(same, look) / 25
            total -= 1 + min(unlike, 2) if len(look.cells) < FEW else 3 + unlike
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
            total -= 6
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


def picture(found: Sequence[Look], meant: Sequence[Meaning | None]) -> Picture:
    """What has been entered so far."""
    cells: Mapping[Meaning, set[Square]] = {"filled": set(), "blank": set(), "free": set()}
    for look, meaning in zip(found, meant, strict=True):
        if meaning is not None:
            cells[meaning].update(look.cells)
    return Picture(frozenset(cells["filled"]), frozenset(cells["blank"]))
