"""A later look at a research table that is known: only what changed on the note and in the palette is told again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from solver.lattice import Hex
from solver.thaumcraft import Note, Solution
from vision.errors import UncertainReading
from vision.frame import Box, Frame
from vision.readers.thaumcraft.board import Seen, reading_of
from vision.readers.thaumcraft.buttons import around
from vision.readers.thaumcraft.cells import look_at_cells, position_boxes
from vision.readers.thaumcraft.icons import bank
from vision.readers.thaumcraft.locate import Placement
from vision.readers.thaumcraft.palette import counts_again, entry_boxes, visible_slots
from vision.reading import Reading
from vision.scene import scene_of
from vision.track import Changes, Windows, later

# Of what never changes so much may have: the mouse pointer, and what is carried with it.
MOST_OFF = 0.01


def reread(frame: Frame, earlier: Reading[Note, Solution]) -> Reading[Note, Solution] | None:
    """A later frame of a table that is known: it stays where it was, in its light and with its icons.

    Positions of the note and numbers of the palette that changed are looked at; None where something else did.
    """
    if earlier.seen is None:
        return None
    placement: Placement = earlier.seen.placement
    things = around(placement, placement.backdrop.layout.inventory)
    return later(frame, earlier, _again, Box.around(earlier.area, things).clipped(frame.size))


def _again(
    frame: Frame, earlier: Reading[Note, Solution], changed: Changes
) -> Reading[Note, Solution] | None:
    seen: Seen = earlier.seen
    placement, looks = seen.placement, bank(seen.profile)
    still = placement.backdrop.still
    # As the table is drawn, 1 px per GUI px: what never changes has not.
    off = changed.between(*placement.lines(still.shape)) > 0
    if (off & still).sum() > MOST_OFF * still.sum():
        return None
    places = visible_slots(placement, frame.size)
    whole_entry, number, sparkle = changed.within(entry_boxes(placement, places)).reshape(-1, 3).T
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
    scene_of(frame).windows = Windows(seen.windows, changed)
    positions = position_boxes(placement)

    def with_changes(cells: Collection[Hex]) -> Reading[Note, Solution] | None:
        touched = changed.within([positions[cell] for cell in cells]).tolist()
        new = [cell for cell, px in zip(cells, touched, strict=True) if px]
        looked = look_at_cells(frame.pixels, placement, looks, seen.light, seen.looked, new)
        try:
            return reading_of(frame, replace(seen, pixels=frame.pixels, entries=entries, looked=looked))
        except UncertainReading:
            return None

    # Runes come and go beside the cells; where those say that it is another note, or a finished one, all is looked at. So it
    # is where it was finished: the cells that it lost may be back.
    now = None if earlier.finished else with_changes(earlier.puzzle.cells)
    return now if now and _note(now) == _note(earlier) else with_changes(positions)


def _note(reading: Reading[Note, Solution]) -> object:
    return reading.finished, reading.puzzle.cells, reading.puzzle.given
