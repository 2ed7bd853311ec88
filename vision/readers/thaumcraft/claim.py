"""What speaks for a research table whose looks nobody has learned: parchment, or bare dark wood, above the game's inventory.

The inventory is 9 x 4 slots at a distance of 18 GUI px, light around and dark inside, in every window of the game. How
far it lies from the parchment, in shares of the parchment's side, is the table's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest, weakest
from vision.components import components
from vision.frame import Box, Pixels, Point
from vision.grids import Mask
from vision.readers.thaumcraft.layout import STOCK, TWEAKS, Layout
from vision.scene import Claim, Scene, reduced

# The sheet is warm: red above green above blue by so many levels, and no darker than this.
WARM_LEVELS, LEAST_RED = 10, 90
# Its sides, torn as they are, differ by at most this factor; sheet and inventory fill this share of their boxes.
SQUARE, FILLED = 1.14, 0.55
LEAST_SIDE_PX = 18
# A sheet is painted all over: of one colour to so many levels is at most 0.3 of it on 12 tables, and 0.6 and more of plain
# cells or panels in its colour. Which one it is, is told from every third px.
PLAIN_LEVELS, PLAIN, SAMPLED = 3, 0.45, 3
# The inventory is grey (levels between channels), at least so light, and between so many times as wide as high.
GREY_LEVELS, LEAST_LIGHT, WIDE = 14, 105, (1.7, 3.0)
# Wood above it is no lighter than this.
DARK_WOOD = 80
# Sheets are looked for on a picture of half the coarse one's size.
SHRINK = 2
# How many such sheets are looked at, the largest first.
MOST_SHEETS = 3
# A part of the table that is lower than this (GUI px) is the inventory; correlations above the second are a fault of numbers.
LOW_GUI, MOST_LIKENESS = 100, 1.01
# How far the inventory may be from where it should be (GUI px), and the scales that are tried.
REACH_GUI = 7
SCALES = (0.95, 0.965, 0.98, 0.995, 1.01, 1.025, 1.04)
# Slots are compared over so many GUI px, since their place is not known to the px, and at every second one.
SOFT, STEP = (3, 3), 2
# Px per GUI px: games draw one or more, and pictures made smaller than that are not read.
LEAST_SCALE = 0.8
# Correlation of the slots with the picture: 0.67 and more on 13 tables in 5 ways each, 0.57 and less on 385 other pictures.
LIKE_SLOTS = 0.6


def claim(scene: Scene) -> Claim | None:
    """A research table, in any skin that keeps parchment warm or wood dark; None where there is none."""
    best = scene.once(likeliest)
    if best is None:
        return None
    sides = (round(side * scene.factor) for side in best.table)
    return Claim(Box(*sides).clipped(scene.size), min(1.0, 0.5 + best.likeness / 2), best.evidence)


def likeliest(scene: Scene) -> Seen | None:
    """The likeliest research table on the picture; None where there is none. Use as `scene.once(likeliest)`."""
    return max(scene.once(_likely), key=lambda one: one.likeness, default=None)


def other_notes(scene: Scene, own: Box) -> tuple[Box, ...]:
    """Where the notes of other research tables on the picture are than the one with its note in a box, px of the frame."""
    places = {
        sheet: Box(*(scene.factor * side for side in sheet)) for sheet in scene.coarse.once(_warm_sheets)
    }
    return tuple(
        place
        for sheet, place in places.items()
        if min(own.shared(place)) <= 0
        and any(_is_likely(scene, seen) for seen in scene.coarse.once(_on_sheet, sheet))
    )


def _likely(scene: Scene) -> tuple[Seen, ...]:
    """All that may be research tables, of two layouts each."""
    coarse = scene.coarse
    sheets = (one for sheet in coarse.once(_warm_sheets) for one in coarse.once(_on_sheet, sheet))
    return tuple(one for one in (*sheets, *_bare(coarse)) if _is_likely(scene, one))


def _is_likely(scene: Scene, seen: Seen) -> bool:
    """Whether what was seen on the coarse picture may be a table."""
    return seen.scale * scene.factor >= LEAST_SCALE and seen.likeness >= LIKE_SLOTS


class Seen(NamedTuple):
    """A place that may be the table, in px of the coarse picture; scale: of those to one GUI px.

    likeness: of the inventory's place to slots, -1..1. sheet: where the note is, or would be. noted: whether it was seen.
    """

    likeness: float
    scale: float
    evidence: str
    table: tuple[float, float, float, float]
    sheet: Point
    noted: bool


def _warm_sheets(coarse: Scene) -> tuple[Box, ...]:
    sheets = _areas(coarse.once(_small), _is_warm, (1 / SQUARE, SQUARE))
    return tuple(sheet for sheet in sheets if not _is_plain(coarse.pixels[sheet.window]))


def _is_plain(part: Pixels) -> bool:
    colour = np.median(part[::SAMPLED, ::SAMPLED].reshape(-1, 3), axis=0)
    alike = cv2.countNonZero(cv2.inRange(part, colour - PLAIN_LEVELS, colour + PLAIN_LEVELS))
    return bool(alike > PLAIN * part.shape[0] * part.shape[1])


def _on_sheet(coarse: Scene, sheet: Box) -> tuple[Seen, ...]:
    """The tables that a sheet may lie on; those of the other mod differ at their sides only."""
    what = "a Thaumcraft research table with a note in it"
    return tuple(_table(coarse, sheet, layout.parchment, layout, what, True) for layout in (STOCK, TWEAKS))


def _bare(coarse: Scene) -> Iterator[Seen]:
    """Tables of the game's own kind without a note; it has dark wood above the inventory where other windows are light."""
    layout = STOCK
    for frame in _areas(coarse.once(_small), _is_grey, WIDE):
        inventory = Box(layout.inventory.left, layout.inventory.top, *SLOTS_GUI)
        seen = _table(coarse, frame, inventory, layout, "a Thaumcraft research table without a note", False)
        left, top, width, _ = seen.table
        wood = Box(round(left), round(top), round(width), round(0.6 * width)).clipped(coarse.size)
        if min(wood.width, wood.height) > 0 and float(np.median(coarse.light[wood.window])) <= DARK_WOOD:
            yield seen


def _table(coarse: Scene, seen: Box, part: Box, layout: Layout, evidence: str, noted: bool) -> Seen:
    """The table one part of which was seen."""
    likeness, scale = _slots_where_due(coarse.shades, seen, part, layout)
    whole = Box.around(layout.table, layout.inventory)
    left, top = seen.left - scale * part.left, seen.top - scale * part.top
    sheet = Point(left + scale * layout.parchment.left, top + scale * layout.parchment.top)
    return Seen(
        likeness, scale, evidence, (left, top, scale * whole.width, scale * whole.height), sheet, noted
    )


def _small(coarse: Scene) -> Pixels:
    """The picture on which sheets and frames are looked for."""
    return reduced(coarse.pixels, SHRINK)


def _is_warm(small: Pixels) -> Mask:
    blue, green, red = cv2.split(small)
    warm = (cv2.subtract(red, green) >= WARM_LEVELS // 2) & (cv2.subtract(green, blue) >= WARM_LEVELS)
    return np.asarray(warm & (red >= LEAST_RED))


def _is_grey(small: Pixels) -> Mask:
    light, dark = strongest(small), weakest(small)
    return np.asarray((light - dark <= GREY_LEVELS) & (dark >= LEAST_LIGHT))


def _areas(small: Pixels, wanted: Callable[[Pixels], Mask], shape: tuple[float, float]) -> Iterator[Box]:
    """Boxes of what is wanted and of that shape (width by height), the largest first, in px of the coarse picture."""
    mask = wanted(small).astype(np.uint8)
    # Aspects and hexagons on a sheet are no edge of it, and threads of wood beside it are none of it.
    for way in (cv2.MORPH_CLOSE, cv2.MORPH_OPEN):
        mask = cv2.morphologyEx(mask, way, np.ones((5, 5), np.uint8)).astype(np.uint8)
    stats = components(mask, 4).stats
    wide, high, area = stats[:, 2], stats[:, 3], stats[:, 4]
    fits = np.minimum(wide, high) >= LEAST_SIDE_PX
    fits &= (wide >= shape[0] * high) & (wide <= shape[1] * high) & (area >= FILLED * wide * high)
    fits[0] = False
    for number in np.flatnonzero(fits)[np.argsort(-area[fits])][:MOST_SHEETS].tolist():
        yield Box(*(int(value) * SHRINK for value in stats[number, :4]))


SLOTS_GUI = (176, 87)
# Three rows of slots are enough to know them.
LEAST_SEEN_GUI = 60


def _slots_where_due(shades: Pixels, seen: Box, part: Box, layout: Layout) -> tuple[float, float]:
    """How much the place of the inventory looks like slots (-1..1), and at how many px per GUI px.

    seen: where a part of the table is on the picture; part: where it is in GUI px.
    """
    box = layout.inventory
    best = (-1.0, 1.0)
    # An inventory that is cut at the bottom has its width only.
    usual = seen.width / part.width if part.height < LOW_GUI else (seen.width + seen.height) / 2 / part.width
    for share in SCALES:
        scale = share * usual
        middle = seen.left + seen.width / 2
        left = middle + scale * (box.left - part.left - part.width / 2 - REACH_GUI)
        top = seen.top + seen.height / 2 + scale * (box.top - part.top - part.height / 2 - REACH_GUI)
        if part.height < LOW_GUI:
            top = seen.top + scale * (box.top - part.top - REACH_GUI)
        # What is left of it on the picture: windows often cut the lowest row.
        rows = min(SLOTS_GUI[1], int((shades.shape[0] - top) / scale) - 2 * REACH_GUI)
        if rows < LEAST_SEEN_GUI:
            continue
        size = SLOTS_GUI[0] + 2 * REACH_GUI, rows + 2 * REACH_GUI
        matrix = np.array([[scale, 0, left + scale / 2 - 0.5], [0, scale, top + scale / 2 - 0.5]])
        view = cv2.warpAffine(shades, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        slots, counts = (one[: rows // STEP] for one in _slots())
        soft = np.ascontiguousarray(cv2.blur(view, SOFT)[::STEP, ::STEP])
        scores = cv2.matchTemplate(soft, slots, cv2.TM_CCOEFF_NORMED, mask=counts)
        likeness = float(scores[np.isfinite(scores)].max(initial=-1.0))
        if best[0] < likeness <= MOST_LIKENESS:
            best = likeness, scale
    return best


@cache
def _slots() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """The inventory as every window of the game draws it, in shades: a light frame and 36 darker slots; and what counts.

    Things may lie in the slots.
    """
    width, height = SLOTS_GUI
    picture, counts = np.full((height, width), 198, np.uint8), np.ones((height, width), np.uint8)
    for top in (7, 25, 43, 65):
        for left in range(7, 169, 18):
            picture[top : top + 18, left : left + 18] = 255
            picture[top : top + 17, left : left + 17] = 55
            picture[top + 1 : top + 17, left + 1 : left + 17] = 139
            counts[top + 2 : top + 16, left + 2 : left + 16] = 0
    soft = np.asarray(cv2.blur(picture, SOFT), np.uint8)
    return np.ascontiguousarray(soft[::STEP, ::STEP]), np.ascontiguousarray(counts[::STEP, ::STEP])
