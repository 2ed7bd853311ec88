"""The table's slots, arrows and buttons, and the next note among the player's things."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.frame import Box, Frame, Point
from vision.readers.thaumcraft.inventory import notes_in_inventory
from vision.readers.thaumcraft.locate import Placement
from vision.reading import Control

# Something is drawn over the wood where it is off by so many levels in the mean.
_CHANGED = 14.0


def buttons(frame: Frame, placement: Placement, finished: bool) -> dict[str, Control]:
    """All that can be clicked and is no entry of the palette.

    Slots are always there (active: something is in them); arrows and the copy button only when drawn.
    finished: of the note in the table.
    """
    width, height = frame.size
    found = {**_drawn(frame, placement), **_next_note(frame, placement, finished)}
    return {
        name: replace(control, symbol=False)
        for name, control in found.items()
        if 0 <= control.at.x < width and 0 <= control.at.y < height
    }


def _drawn(frame: Frame, placement: Placement) -> dict[str, Control]:
    layout = placement.backdrop.layout
    controls: dict[str, Control] = {}
    for name, box in (("note", layout.note), ("tools", layout.tools)):
        controls[name] = Control(_middle(placement, box), active=_changed(frame, placement, box))
    for number, box in enumerate(layout.slots, 1):
        controls[f"slot-{number}"] = Control(_middle(placement, box), active=_changed(frame, placement, box))
    if layout.combine is not None:
        controls["combine"] = Control(_middle(placement, layout.combine))
    for name, box in (*layout.arrows.items(), ("copy", layout.copy)):
        if _changed(frame, placement, box):
            controls[name] = Control(_middle(placement, box))
    return controls


def _next_note(frame: Frame, placement: Placement, finished: bool) -> dict[str, Control]:
    """The most note-like thing in the inventory. A finished note looks different and is no model for others."""
    width, height = frame.size
    found = () if finished else notes_in_inventory(frame.pixels, placement)
    best = next((at for at in found if 0 <= at.x < width and 0 <= at.y < height), None)
    return {} if best is None else {"next-note": Control(best)}


def _middle(placement: Placement, box: Box) -> Point:
    return placement.point(*box.centre)


def _changed(frame: Frame, placement: Placement, box: Box) -> bool:
    """Whether something is drawn over the empty wood there."""
    seen = placement.sample(frame.pixels, box.left, box.top, box.width, box.height, 1.0).astype(np.float32)
    bare = placement.backdrop.bare[box.window]
    return float(np.abs(seen - bare).mean()) > _CHANGED
