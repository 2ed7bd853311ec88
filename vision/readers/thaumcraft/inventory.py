"""Finds further research notes among the player's things: they look like the one that lies in the table."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Pixels, Point
from vision.readers.thaumcraft.layout import ICON_GUI, Layout
from vision.readers.thaumcraft.locate import Placement

# A pixel agrees, or is bare, when no channel differs by more than this.
SAME = 30.0
# Least share of the note's pixels that agree: the ribbon's colour differs from research to research.
ALIKE = 0.8
# Fewer pixels than this are no item.
LEAST_PX = 30
# Paler pixels of an item than this are not compared: their background is most of what is seen.
MOST_CLEAR = 0.7
SLOT_GUI = 18
ROW_TOPS = (0, 18, 36, 58)

Floats: TypeAlias = npt.NDArray[np.float32]


def notes_in_inventory(pixels: Pixels, placement: Placement) -> tuple[Point, ...]:
    """Centres of the slots, px of the frame, that hold something that looks like the note in the table.

    The most alike first; nothing when the table's note slot is empty. An item is drawn over another background
    here and there: a x item + (1 - a) x background. So two pictures of one item differ at each pixel by a part
    of what their backgrounds differ by, and by nothing else.
    """
    layout = placement.scene.layout
    note, under_note = _patch(pixels, placement, layout.note.left, layout.note.top)
    item = _covered(note, under_note)
    if np.count_nonzero(item) < LEAST_PX:
        return ()
    beside = ~cv2.dilate(item.astype(np.uint8), np.ones((3, 3))).astype(bool)
    if not beside.any():
        return ()
    found: list[tuple[float, Point]] = []
    box = layout.inventory
    things = placement.sample(pixels, box.left, box.top, box.width, box.height, 1.0).astype(np.float32)
    for left, top in _slots(layout):
        x, y = left - box.left, top - box.top
        seen = things[y : y + ICON_GUI, x : x + ICON_GUI]
        under = placement.scene.bare[top : top + ICON_GUI, left : left + ICON_GUI]
        change, ground = seen - note, under - under_note
        clear = (change * ground).sum(axis=2) / np.maximum(1.0, (ground * ground).sum(axis=2))
        off = change - np.clip(clear, 0.0, MOST_CLEAR)[..., None] * ground
        likeness = float((np.abs(off).max(axis=2) < SAME)[item].mean())
        if likeness >= ALIKE and float((~_covered(seen, under))[beside].mean()) >= ALIKE:
            found.append((-likeness, placement.point(left + ICON_GUI / 2, top + ICON_GUI / 2)))
    return tuple(at for _, at in sorted(found))


def _slots(layout: Layout) -> list[tuple[int, int]]:
    """Top left corners of the player's 36 slots in GUI px, the hotbar last."""
    left, top = layout.inventory.left + 8, layout.inventory.top + 8 - layout.inventory_part_top
    return [(left + SLOT_GUI * column, top + row) for row in ROW_TOPS for column in range(9)]


def _patch(pixels: Pixels, placement: Placement, left: int, top: int) -> tuple[Floats, Floats]:
    """What is seen in a slot, and the empty slot: both (16, 16, 3)."""
    seen = placement.sample(pixels, left, top, ICON_GUI, ICON_GUI, 1.0).astype(np.float32)
    return seen, placement.scene.bare[top : top + ICON_GUI, left : left + ICON_GUI]


def _covered(seen: Floats, under: Floats) -> npt.NDArray[np.bool_]:
    return np.asarray(np.abs(seen - under).max(axis=2) >= SAME)
