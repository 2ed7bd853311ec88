"""A later look at a research table that is known: only what changed on the note and in the palette is told again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solver.thaumcraft import Note, Solution
from vision.errors import UncertainReading
from vision.frame import Frame
from vision.readers.thaumcraft.board import Seen, reading_of
from vision.readers.thaumcraft.cells import look_at_cells, position_box
from vision.readers.thaumcraft.icons import bank
from vision.readers.thaumcraft.palette import counts_again, entry_boxes, visible_slots
from vision.reading import Reading
from vision.track import Changes, later

# Of what never changes so much may have: the mouse pointer, and what is carried with it.
MOST_OFF = 0.01


def reread(frame: Frame, earlier: Reading[Note, Solution]) -> Reading[Note, Solution] | None:
    """A later frame of a table that is known: it stays where it was, in its light and with its icons.

    Positions of the note and numbers of the palette that changed are looked at; None where something else did.
    """
    return later(frame, earlier, _again)


def _again(
    frame: Frame, earlier: Reading[Note, Solution], changed: Changes
) -> Reading[Note, Solution] | None:
    seen: Seen = earlier.seen
    placement, looks = seen.placement, bank(seen.profile)
    still = placement.backdrop.still
    height, width = still.shape
    # As the table is drawn, 1 px per GUI px: what never changes has not.
    whole = np.zeros(frame.pixels.shape[:2], np.uint8)
    whole[changed.area.window] = changed.mask * 255
    off = placement.sample(whole, 0, 0, width, height, 1.0) > 0
    if (off & still).sum() > MOST_OFF * still.sum():
        return None
    places = visible_slots(placement, frame.size)
    boxes = [box for entry in entry_boxes(placement, places) for box in entry]
    whole_entry, number, sparkle = changed.within(boxes).reshape(-1, 3).T
    # An icon that looks different may be another one.
    if (whole_entry > number + sparkle).any():
        return None
    slots = {slot for slot, is_so in zip(places, (number > 0).tolist(), strict=True) if is_so}
    known = {entry.slot for entry in seen.entries}
    if not {slot for slot, is_so in zip(places, (whole_entry > 0).tolist(), strict=True) if is_so} <= known:
        return None
    entries = counts_again(frame.pixels, placement, seen.entries, slots, looks, seen.light, seen.profile)
    if entries is None:
        return None
    positions = list(seen.looked.sights)
    touched = changed.within([position_box(placement, cell) for cell in positions])
    cells = [cell for cell, px in zip(positions, touched.tolist(), strict=True) if px]
    looked = look_at_cells(frame.pixels, placement, looks, seen.light, seen.looked, frozenset(cells))
    drawn = off.copy()
    for box in (placement.backdrop.layout.parchment, *placement.backdrop.layout.palette_boxes()):
        drawn[box.window] = False
    try:
        now = replace(seen, pixels=frame.pixels, entries=entries, looked=looked)
        return reading_of(frame, now, None if drawn.any() else earlier)
    except UncertainReading:
        return None
