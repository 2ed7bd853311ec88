"""Finds the research table in a look that nobody has learned: by the outlines of its cells, and the slots below it.

Only the game's geometry is known. (1) The honeycomb that the outlines of free cells make is looked for at every scale,
lines against what lies beside them, lighter or darker. (2) The player's inventory, 9 x 4 squares, lies where the table
has it: that tells which cell is the middle one, and which table it is. (3) The sides of the table tell the two tables of
the other mod apart.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from solver.lattice import hexagon
from vision.colour import strongest
from vision.errors import BoardNotFound
from vision.frame import Pixels, Point
from vision.match import Floats
from vision.readers.thaumcraft.layout import (
    COLUMN_GUI,
    HEX_SIZE_GUI,
    PITCH_GUI,
    STOCK,
    TWEAKS,
    TWEAKS_3COL,
    Layout,
)
from vision.readers.thaumcraft.locate import sampled

SCALES = (0.9, 16.0, 1.02)
# Around what was found, in steps so fine, at twice the resolution.
NEAR, FINE_STEP = 0.025, 1.003
# A note fits into a picture of so many GUI px.
LEAST_GUI = 140
# Rings of cells that every note has.
RINGS = 2
# Lines are told from what lies around them within so many GUI px; stronger ones than this (levels) count no more.
AROUND_GUI, MOST_LEVELS = 3, 25.0
# Levels that a plain ground is taken to differ by anyway.
LEAST_LEVELS = 3.0
# Correlation of the outlines: 0.24 and more on real and drawn open notes, 0.19 and less on tables without one.
LIKE_CELLS = 0.21
# Correlation of the slots: 0.35 and more where they are.
LIKE_SLOTS = 0.3
# The middle cell may be so many cells off, and the slots so many GUI px.
OFF_CELLS, OFF_GUI = 3, 2
# Px that are no more than so much off a whole number of px per GUI px are meant so.
WHOLE = 0.015
REACH_GUI = 260


class Spot(NamedTuple):
    """A table: which, where its top left corner is (px of the picture), and its px per GUI px."""

    layout: Layout
    left: float
    top: float
    scale: float


class _Comb(NamedTuple):
    likeness: float
    scale: float
    x: float
    y: float


def spot(pixels: Pixels) -> Spot:
    """The table with an open note on a picture. Raises BoardNotFound."""
    shades = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    comb = _best(shades, SCALES, 1)
    if comb is None or comb.likeness < LIKE_CELLS:
        raise BoardNotFound(
            "no honeycomb of a research note's free cells is seen",
            hint="take a picture of the whole research table with an open note, and the mouse beside it",
        )
    comb = _finer(shades, comb)
    whole = round(comb.scale)
    if whole and abs(comb.scale / whole - 1) <= WHOLE:
        comb = comb._replace(scale=float(whole))
    found = max(
        (_by_slots(pixels, comb._replace(scale=comb.scale * share)) for share in (0.992, 0.996, 1.0, 1.004))
        if comb.scale != whole
        else (_by_slots(pixels, comb),),
        key=lambda one: one[0],
    )
    if found[0] < LIKE_SLOTS:
        raise BoardNotFound(
            "a honeycomb is seen, but no inventory where a research table has it",
            hint="take a picture of the whole table, with the player's things below it",
        )
    return found[1]


def _best(shades: Pixels, scales: tuple[float, float, float], per_gui: int) -> _Comb | None:
    """The likeliest honeycomb at scales from, to, by steps of."""
    height, width = shades.shape
    model = _outlines(per_gui)
    half, best = len(model) // 2, None
    scale, last, step = scales
    while scale <= last and LEAST_GUI * scale < min(height, width):
        size = round(width * per_gui / scale), round(height * per_gui / scale)
        way = cv2.INTER_AREA if scale >= per_gui else cv2.INTER_LINEAR
        lines = _lines(cv2.resize(shades, size, interpolation=way).astype(np.float32), per_gui)
        found = np.abs(cv2.matchTemplate(lines, model, cv2.TM_CCORR))
        there = cv2.boxFilter(lines * lines, -1, model.shape)[half:, half:][
            : found.shape[0], : found.shape[1]
        ]
        found /= np.sqrt(float((model**2).sum()) * model.size * np.maximum(there, LEAST_LEVELS**2))
        _, likeness, _, (x, y) = cv2.minMaxLoc(found)
        if best is None or likeness > best.likeness:
            best = _Comb(
                likeness, scale, (x + half + 0.5) * width / size[0], (y + half + 0.5) * height / size[1]
            )
        scale *= step
    return best


def _finer(shades: Pixels, comb: _Comb) -> _Comb:
    reach = LEAST_GUI * comb.scale
    left, top = max(0, round(comb.x - reach)), max(0, round(comb.y - reach))
    part = shades[top : round(comb.y + reach), left : round(comb.x + reach)]
    finer = _best(part, (comb.scale * (1 - NEAR), comb.scale * (1 + NEAR), FINE_STEP), 2)
    return comb if finer is None else finer._replace(x=finer.x + left, y=finer.y + top)


def _lines(shades: Floats, per_gui: int) -> Floats:
    wide = 2 * AROUND_GUI * per_gui + 1
    fine = shades - cv2.blur(shades, (wide, wide))
    return np.asarray(np.clip(fine, -MOST_LEVELS, MOST_LEVELS), np.float32)


def _outlines(per_gui: int) -> Floats:
    """The outlines of a note's inner cells, as lines that are 1 GUI px wide against what lies around."""
    fine = 8
    half = int(per_gui * (RINGS * PITCH_GUI + HEX_SIZE_GUI + 2))
    drawn = np.zeros(((2 * half + 1) * fine,) * 2, np.uint8)
    turns = np.arange(6) * np.pi / 3
    for cell in hexagon(RINGS):
        x, y = COLUMN_GUI * cell.q, PITCH_GUI * (cell.r + cell.q / 2)
        corners = np.stack([x + HEX_SIZE_GUI * np.cos(turns), y + HEX_SIZE_GUI * np.sin(turns)], axis=1)
        at = np.round((half + 0.5 + per_gui * corners) * fine).astype(np.int32)
        cv2.polylines(drawn, [at], True, 255, fine * per_gui)
    small = cv2.resize(drawn, (2 * half + 1,) * 2, interpolation=cv2.INTER_AREA)
    lines = _lines(np.asarray(small.astype(np.float32) / 255, np.float32), per_gui)
    return np.asarray(lines - lines.mean(), np.float32)


def _by_slots(pixels: Pixels, comb: _Comb) -> tuple[float, Spot]:
    """How much the inventory of the likeliest table looks like slots, and that table."""
    view = _view(pixels, comb)
    found = cv2.matchTemplate(_edges(view), _slots(), cv2.TM_CCOEFF_NORMED)
    best = -1.0, Spot(STOCK, 0.0, 0.0, comb.scale)
    for layout in (STOCK, TWEAKS):
        for cell in hexagon(OFF_CELLS):
            off_x, off_y = COLUMN_GUI * cell.q, PITCH_GUI * (cell.r + cell.q / 2)
            x = round(REACH_GUI + off_x + layout.inventory.left - layout.centre.x)
            y = round(REACH_GUI + off_y + layout.inventory.top - layout.inventory_part_top - layout.centre.y)
            window = found[max(0, y - OFF_GUI) : y + OFF_GUI + 1, max(0, x - OFF_GUI) : x + OFF_GUI + 1]
            if not window.size or float(window.max()) <= best[0]:
                continue
            which = layout if layout is STOCK else _tweaks(view, off_x, off_y)
            left = comb.x + comb.scale * (off_x - which.centre.x)
            top = comb.y + comb.scale * (off_y - which.centre.y)
            best = float(window.max()), Spot(which, left, top, comb.scale)
    return best


def _view(pixels: Pixels, comb: _Comb) -> Pixels:
    """What lies around the middle, one px per GUI px."""
    corner = Point(comb.x - REACH_GUI * comb.scale, comb.y - REACH_GUI * comb.scale)
    return sampled(pixels, corner, (comb.scale, comb.scale), (2 * REACH_GUI, 2 * REACH_GUI))


def _edges(view: Pixels) -> Floats:
    colours = view.astype(np.float32)
    steps = [cv2.Sobel(colours, cv2.CV_32F, *way, ksize=1).reshape(*view.shape) for way in ((1, 0), (0, 1))]
    strength = np.minimum(strongest(np.hypot(*steps)), 40.0)
    return np.asarray(cv2.blur(strength, (3, 3)), np.float32)


def _slots() -> Floats:
    """The edges of the inventory's 36 slots."""
    edges = np.zeros((87, 176), np.float32)
    for top in (7, 25, 43, 65):
        for left in range(7, 169, 18):
            cv2.rectangle(edges, (left, top), (left + 17, top + 17), 1.0, 1)
    return np.asarray(cv2.blur(edges, (3, 3)), np.float32)


def _tweaks(view: Pixels, off_x: float, off_y: float) -> Layout:
    """Which of the other mod's tables has its sides where there are any."""

    def sides(layout: Layout) -> float:
        middle = REACH_GUI + off_x, REACH_GUI + off_y
        top = round(middle[1] - layout.centre.y)
        rows = slice(max(0, top + 4), max(0, top + layout.table.height - 30))
        found = []
        for outside, edge in ((-1, -layout.centre.x), (1, layout.table.width - layout.centre.x)):
            x = round(middle[0] + edge)
            beyond, within = (
                view[rows, max(0, at) : at + 3].astype(np.float32).mean(axis=1)
                for at in (x + 3 * outside - 1, x - 3 * outside - 1)
            )
            found.append(float(np.median(np.abs(beyond - within).max(axis=1))))
        return min(found)

    return max((TWEAKS, TWEAKS_3COL), key=sides)
