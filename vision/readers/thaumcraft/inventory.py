"""Finds further research notes among the player's things: they look like the one that lies in the table."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest
from vision.frame import Pixels, Point
from vision.readers.thaumcraft.layout import ICON_GUI
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


def note_in_table(pixels: Pixels, placement: Placement) -> Pixels:
    """(16, 16, 3) what lies in the table's slot for a note."""
    at = placement.backdrop.layout.note
    return placement.sample(pixels, at.left, at.top, ICON_GUI, ICON_GUI, 1.0)


def notes_in_inventory(pixels: Pixels, placement: Placement, own: Pixels) -> tuple[Point, ...]:
    """Centres of the slots, px of the frame, that hold something that looks like the note in the table, `own`.

    The most alike first; nothing when the table's note slot is empty. An item is drawn over another background
    here and there: a x item + (1 - a) x background. So two pictures of one item differ at each pixel by a part
    of what their backgrounds differ by, and by nothing else.
    """
    layout, bare = placement.backdrop.layout, placement.backdrop.bare
    left, top = layout.note.left, layout.note.top
    note = own.astype(np.float32)
    under_note = bare[top : top + ICON_GUI, left : left + ICON_GUI]
    item = _covered(note, under_note)
    beside = ~cv2.dilate(item.astype(np.uint8), np.ones((3, 3))).astype(bool)
    if min(np.count_nonzero(item), np.count_nonzero(beside)) < LEAST_PX:
        return ()
    left, top = layout.inventory.left + 8, layout.inventory.top + 8 - layout.inventory_part_top
    width, height = 8 * SLOT_GUI + ICON_GUI, ROW_TOPS[-1] + ICON_GUI
    seen = _slots(placement.sample(pixels, left, top, width, height, 1.0).astype(np.float32))
    under = _slots(bare[top : top + height, left : left + width])
    change, ground = seen - note, under - under_note
    clear = (change * ground).sum(axis=3) / np.maximum(1.0, (ground * ground).sum(axis=3))
    off = change - np.clip(clear, 0.0, MOST_CLEAR)[..., None] * ground
    likeness = (strongest(np.abs(off)) < SAME)[:, item].mean(axis=1)
    alike = (likeness >= ALIKE) & ((~_covered(seen, under))[:, beside].mean(axis=1) >= ALIKE)
    found = sorted(np.flatnonzero(alike), key=lambda slot: -likeness[slot])
    return tuple(_middle(placement, left, top, int(slot)) for slot in found)


def _slots(inventory: Floats) -> Floats:
    """(36, 16, 16, 3): the player's slots in reading order, cut out of the box that just holds them."""
    columns = range(0, 9 * SLOT_GUI, SLOT_GUI)
    return np.stack([inventory[y : y + ICON_GUI, x : x + ICON_GUI] for y in ROW_TOPS for x in columns])


def _middle(placement: Placement, left: float, top: float, slot: int) -> Point:
    row, column = divmod(slot, 9)
    return placement.point(left + SLOT_GUI * column + ICON_GUI / 2, top + ROW_TOPS[row] + ICON_GUI / 2)


def _covered(seen: Floats, under: Floats) -> npt.NDArray[np.bool_]:
    return np.asarray(strongest(np.abs(seen - under)) >= SAME)
