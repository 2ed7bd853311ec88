"""Reads the Thaumcraft research table: the note, the palette and the buttons, on any of the three tables.

The picture says where and how large the table is (`locate`), how it shows colours (`light`), what the
palette holds (`palette`) and what is in each cell (`cells`); the rules of the game then confirm or question
it (`trust`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from solver.lattice import Hex, hex_distance
from solver.thaumcraft import Note, Solution
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Point
from vision.profile import Profile
from vision.readers.thaumcraft import trust
from vision.readers.thaumcraft.cells import Sight, look_at_cells
from vision.readers.thaumcraft.icons import Bank, bank
from vision.readers.thaumcraft.inventory import notes_in_inventory
from vision.readers.thaumcraft.layout import PITCH_GUI
from vision.readers.thaumcraft.light import Light
from vision.readers.thaumcraft.locate import Placement, locate
from vision.readers.thaumcraft.palette import Entry, faint_aspects, look_at_palette, visible_slots
from vision.readers.thaumcraft.scene import scenes
from vision.reading import Control, Geometry, Mark, Reading, State

__all__ = ["read"]

# Beside something that hides cells, only what is as clear as this is believed.
_SURE = 0.75


def read(frame: Frame, profile: Profile) -> Reading[Note, Solution]:
    """The note on a frame.

    A cell that cannot be told has a mark without symbol. `stock` of the note is filled when the whole palette
    is visible and every number readable. Raises BoardNotFound when there is no table or no note in it, and
    UncertainReading when the note cannot be understood at all.
    """
    known = scenes(profile)
    icons_known = any(name.startswith("aspects/") for name in profile.templates)
    if not known or not icons_known or "parchment" not in profile.templates:
        raise BoardNotFound(
            f"profile {profile.name!r} does not know the research table",
            hint="learn the game's looks with: boardsight calibrate thaumcraft",
        )
    placement = locate(frame.pixels, known)
    light = Light(frame.pixels, placement)
    if not light.colourful:
        raise UncertainReading(
            "the research table is there, but the picture has no colours",
            hint="aspects are told by colour: take a picture in colour",
        )
    looks = bank(profile)
    entries = look_at_palette(frame.pixels, placement, looks, light, profile)
    complete_palette = _whole_palette(placement, entries, frame)
    allowed: frozenset[str] | None = None
    if complete_palette:
        # What is nearly as dark as the wood may be there unseen.
        allowed = faint_aspects(looks, light, placement.scene)
        allowed |= {entry.symbol for entry in entries if entry.symbol}
    sights = look_at_cells(frame.pixels, placement, looks, light, allowed)
    return _reading(frame, placement, looks, entries, sights, complete_palette)


def _reading(
    frame: Frame,
    placement: Placement,
    looks: Bank,
    entries: tuple[Entry, ...],
    sights: Mapping[Hex, Sight],
    complete_palette: bool,
) -> Reading[Note, Solution]:
    layout = placement.scene.layout
    limits = trust.outlines(sights.values())
    radius = trust.note_radius(sights, limits)
    within = trust.inside(radius) if radius else ()
    icons = [cell for cell in within if trust.has_icon(sights[cell])]
    if not icons:
        raise UncertainReading(
            "the note is there, but no aspect can be seen on it",
            hint="move the mouse away from the table; for another resource pack calibrate again",
        )
    symbols = {cell: sight.symbol for cell in icons if (sight := sights[cell]).symbol}
    foreign = [cell for cell in within if sights[cell].foreign]
    free = [
        cell
        for cell in within
        if not trust.has_icon(sights[cell]) and limits.is_cell(sights[cell]) and not sights[cell].foreign
    ]
    # The free cells of a finished note vanish, and with them all outlines.
    bare = not free and len(icons) > 1
    finished = bare and not foreign and len(symbols) == len(icons)
    if bare:
        names = {cell: sights[cell].symbol or "" for cell in (*icons, *foreign)}
        if not trust.all_linked(names):
            raise UncertainReading(
                "no free cell can be seen, but the note is not complete either",
                hint="something may cover the note; move the mouse away",
                cells=icons,
            )
        givens, uncertain, confirmed = trust.givens_of_finished(names, radius)
    else:
        givens, uncertain, confirmed = trust.choose_givens(sights, icons, radius, limits)
    remarks: list[str] = []
    unclear = [
        cell
        for cell in within
        if not bare
        and cell not in free
        and cell not in foreign
        and not trust.has_icon(sights[cell])
        and not sights[cell].outline < limits.absent
    ]
    if not bare:
        seen = {*icons, *free, *foreign, *unclear}
        blanks = [cell for cell in within if cell not in seen]
        decided = unclear and trust.blanks_decide(radius, len(unclear))
        if decided and not trust.odd_blanks(radius, len(blanks) + len(unclear)):
            remarks.append(
                f"{len(unclear)} faint positions are taken for blanks, since the game makes so many"
            )
            unclear = []
        elif decided and not foreign and not trust.odd_blanks(radius, len(blanks)):
            remarks.append(
                f"{len(unclear)} faint cells are taken for free, since the game makes so few blanks"
            )
            free, unclear = free + unclear, []
        elif not unclear and not foreign and (odd := trust.odd_blanks(radius, len(blanks))):
            remarks.append(f"the game makes no note of radius {radius} with {len(blanks)} blanks")
            # Too many: the likeliest to be cells after all are in doubt.
            unclear = sorted(blanks, key=lambda cell: -abs(sights[cell].outline))[: max(0, odd)]
        if foreign:
            # What hides one cell may hide its neighbours' outlines too.
            unclear += [c for c in blanks if radius <= 2 or _beside(c, foreign)]
    if not confirmed:
        remarks.append("the givens are not where the game prints that many")
    remarks += [f"undiscovered aspect at {c.q},{c.r}" for c in icons if sights[c].undiscovered]
    hidden = [*foreign, *(cell for cell in icons if cell not in symbols)]
    wrong_light = trust.wrongly_lit(sights, symbols, hidden, givens) if not finished else []
    remarks += [f"{symbols[c]} at {c.q},{c.r} is lit or dimmed against the rules" for c in wrong_light]

    # A given that is not to be seen where the game prints one is there all the same.
    lost = [cell for cell in (givens if confirmed else ()) if cell not in icons]
    unclear += lost
    # What covers one cell may reach into the next.
    unclear += [
        cell for cell in {*icons, *free} if sights[cell].confidence < _SURE and _beside(cell, foreign)
    ]
    unclear += wrong_light
    cells = sorted({*icons, *free, *foreign, *unclear})
    note = Note(
        frozenset(cells),
        {cell: symbols[cell] for cell in givens if cell in symbols},
        _stock(entries) if complete_palette else None,
    )
    vanilla = confirmed and len(note.given) == len(givens)
    vanilla = vanilla and trust.is_research(symbols, givens, radius)
    if vanilla:
        remarks.append("confirmed by the game's research list")
    trusted = min(1.0, placement.score / 0.8)
    marks: dict[Hex, Mark] = {}
    for cell in cells:
        sight = sights[cell]
        state: State = "given" if cell in givens else "placed" if cell in icons else "free"
        confidence = sight.confidence * trusted
        if vanilla and cell in givens:
            confidence = (1 + confidence) / 2
        symbol = sight.symbol
        if cell in uncertain or cell in unclear:
            symbol, confidence = None, min(confidence, 0.4)
        marks[cell] = Mark(symbol, round(confidence, 4), sight.runner_up, state)
    doubts = [cell for cell in cells if marks[cell].symbol is None]
    if len(doubts) * 2 > len(cells):
        raise UncertainReading(
            f"{len(doubts)} of {len(cells)} cells cannot be told",
            hint="something may cover the note, or the resource pack is another one: calibrate again",
            cells=doubts,
        )
    return Reading(
        puzzle=note,
        placed={cell: symbol for cell, symbol in symbols.items() if cell not in givens},
        geometry=Geometry(
            {cell: placement.point(*layout.cell_centre(cell)) for cell in cells},
            PITCH_GUI * placement.scale,
        ),
        marks=marks,
        area=_area(placement, frame),
        controls={
            **_buttons(frame, placement),
            **_next_note(frame, placement, finished),
            **_palette_controls(entries),
        },
        finished=finished,
        ui=layout.ui,
        remarks=tuple(remarks),
        facts={
            "scale": placement.scale,
            "left": placement.left,
            "top": placement.top,
            "radius": float(radius),
        },
    )


def _beside(cell: Hex, others: Iterable[Hex]) -> bool:
    """Whether one of the others is a neighbour."""
    return any(hex_distance(cell, other) == 1 for other in others)


def _whole_palette(placement: Placement, entries: tuple[Entry, ...], frame: Frame) -> bool:
    """Whether every aspect that the player has is on the picture and known."""
    layout = placement.scene.layout
    if layout.column_major or not entries or any(entry.symbol is None for entry in entries):
        return False
    return len(visible_slots(placement, frame.size)) == len(layout.palette_centres())


def _stock(entries: tuple[Entry, ...]) -> dict[str, int] | None:
    stock = {entry.symbol: entry.count for entry in entries if entry.symbol is not None}
    if any(count is None for count in stock.values()):
        return None
    return {symbol: count for symbol, count in stock.items() if count is not None}


def _palette_controls(entries: tuple[Entry, ...]) -> dict[str, Control]:
    return {
        entry.symbol: Control(entry.at, entry.count, entry.active, round(entry.confidence, 4))
        for entry in entries
        if entry.symbol is not None
    }


def _buttons(frame: Frame, placement: Placement) -> dict[str, Control]:
    """Slots are always there (active: something is in them); arrows and the copy button only when drawn."""
    layout = placement.scene.layout
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
    width, height = frame.size
    return {name: c for name, c in controls.items() if 0 <= c.at.x < width and 0 <= c.at.y < height}


def _next_note(frame: Frame, placement: Placement, finished: bool) -> dict[str, Control]:
    """The most note-like thing in the inventory. A finished note looks different and is no model for others."""
    width, height = frame.size
    found = () if finished else notes_in_inventory(frame.pixels, placement)
    best = next((at for at in found if 0 <= at.x < width and 0 <= at.y < height), None)
    return {} if best is None else {"next-note": Control(best)}


def _middle(placement: Placement, box: Box) -> Point:
    return placement.point(box.left + box.width / 2, box.top + box.height / 2)


def _changed(frame: Frame, placement: Placement, box: Box) -> bool:
    """Whether something is drawn over the empty wood there."""
    seen = placement.sample(frame.pixels, box.left, box.top, box.width, box.height, 1.0).astype(np.float32)
    bare = placement.scene.bare[box.top : box.top + box.height, box.left : box.left + box.width]
    return float(np.abs(seen - bare).mean()) > 14


def _area(placement: Placement, frame: Frame) -> Box:
    """Table and inventory, as far as they are on the frame."""
    height, width = placement.scene.still.shape
    whole = placement.box(Box(0, 0, width, height))
    left, top = max(0, whole.left), max(0, whole.top)
    right = min(frame.size[0], whole.left + whole.width)
    bottom = min(frame.size[1], whole.top + whole.height)
    return Box(left, top, max(1, right - left), max(1, bottom - top))
