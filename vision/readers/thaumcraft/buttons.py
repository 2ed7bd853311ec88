"""The table's slots, arrows and buttons, and the next note among the player's things."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.frame import Box, Pixels, Point
from vision.readers.thaumcraft.inventory import note_in_table, notes_in_inventory
from vision.readers.thaumcraft.locate import Placement
from vision.reading import Control
from vision.scene import Scene

# Something is drawn over the wood where it is off by so many levels in the mean.
_CHANGED = 14.0
# Places are rounded by so many px, and sampled from as many beside them.
ROUNDED_PX = 4


def buttons(scene: Scene, placement: Placement, finished: bool) -> dict[str, Control]:
    """All that can be clicked and is no entry of the palette.

    Slots are always there (active: something is in them); arrows and the copy button only when drawn.
    finished: of the note in the table.
    """
    width, height = scene.size
    found = {**_drawn(scene, placement), **_next_note(scene, placement, finished)}
    return {
        name: replace(control, symbol=False)
        for name, control in found.items()
        if 0 <= control.at.x < width and 0 <= control.at.y < height
    }


def _drawn(scene: Scene, placement: Placement) -> dict[str, Control]:
    layout = placement.backdrop.layout
    slots = {f"slot-{number}": box for number, box in enumerate(layout.slots, 1)}
    slots = {"note": layout.note, "tools": layout.tools, **slots}
    shown = {**layout.arrows, "copy": layout.copy}
    boxes = slots | shown
    changed = scene.each(
        placement,
        buttons,
        list(boxes),
        lambda name: around(placement, boxes[name]),
        lambda some: {name: _changed(scene.pixels, placement, boxes[name]) for name in some},
    )
    controls = {name: Control(_middle(placement, box), active=changed[name]) for name, box in slots.items()}
    if layout.combine is not None:
        controls["combine"] = Control(_middle(placement, layout.combine))
    controls |= {name: Control(_middle(placement, box)) for name, box in shown.items() if changed[name]}
    return controls


def around(placement: Placement, box: Box) -> Box:
    """The px of the picture that a part of the table is told from."""
    return placement.box(box).grown(round(placement.scale) + ROUNDED_PX)


def _next_note(scene: Scene, placement: Placement, finished: bool) -> dict[str, Control]:
    """The most note-like thing in the inventory. A finished note looks different and is no model for others."""
    if finished:
        return {}
    width, height = scene.size
    layout, own = placement.backdrop.layout, note_in_table(scene.pixels, placement)
    found = scene.each(
        placement,
        (notes_in_inventory, own.tobytes()),
        [layout.inventory],
        lambda box: around(placement, box),
        lambda some: {box: notes_in_inventory(scene.pixels, placement, own) for box in some},
    )[layout.inventory]
    best = next((at for at in found if 0 <= at.x < width and 0 <= at.y < height), None)
    return {} if best is None else {"next-note": Control(best)}


def _middle(placement: Placement, box: Box) -> Point:
    return placement.point(*box.centre)


def _changed(pixels: Pixels, placement: Placement, box: Box) -> bool:
    """Whether something is drawn over the empty wood there."""
    seen = placement.sample(pixels, box.left, box.top, box.width, box.height, 1.0).astype(np.float32)
    bare = placement.backdrop.bare[box.window]
    return float(np.abs(seen - bare).mean()) > _CHANGED
