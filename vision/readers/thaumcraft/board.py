"""Reads the research table on a frame: where it is, its light, the palette, the cells, and the note they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from solver.lattice import Hex
from solver.thaumcraft import Note, Solution, scarce_costs
from vision.errors import BoardNotFound, UncertainReading
from vision.frame import Box, Frame, Pixels
from vision.profile import Profile
from vision.readers.thaumcraft.assemble import Shown, put_together
from vision.readers.thaumcraft.backdrop import backdrops
from vision.readers.thaumcraft.buttons import buttons
from vision.readers.thaumcraft.cells import Looked, Sight, look_at_cells
from vision.readers.thaumcraft.claim import other_notes
from vision.readers.thaumcraft.entries import Entry
from vision.readers.thaumcraft.icons import bank
from vision.readers.thaumcraft.layout import PITCH_GUI
from vision.readers.thaumcraft.light import Light
from vision.readers.thaumcraft.locate import Placement, locate
from vision.readers.thaumcraft.palette import look_at_palette, visible_slots
from vision.reading import Control, Geometry, Mark, Reading, State
from vision.scene import scene_of
from vision.track import Windows

# Settings of a profile that say what is wanted: aspects that must not be placed, and that the rare is dear.
DISABLED, SCARCE = "disabled.", "scarce"


def read(frame: Frame, profile: Profile) -> Reading[Note, Solution]:
    """The note on a frame.

    A cell that cannot be told has a mark without symbol. The profile's settings may disable aspects and make the
    rare dear. The note has a stock where the whole palette is visible and every number readable; a remark says
    where not. Raises BoardNotFound when there is no table or no note in it, and UncertainReading when the note
    cannot be understood at all.
    """
    known = backdrops(profile)
    icons_known = any(name.startswith("aspects/") for name in profile.templates)
    if not known or not icons_known or "parchment" not in profile.templates:
        raise BoardNotFound(
            f"profile {profile.name!r} does not know the research table",
            hint="learn the game's looks with: boardsight calibrate thaumcraft",
        )
    placement = locate(scene_of(frame), known)
    light = Light(frame.pixels, placement)
    if not light.colourful:
        raise UncertainReading(
            "the research table is there, but the picture has no colours",
            hint="aspects are told by colour: take a picture in colour",
        )
    looks = bank(profile)
    entries = look_at_palette(frame.pixels, placement, looks, light, profile)
    looked = look_at_cells(frame.pixels, placement, looks, light)
    others = other_notes(scene_of(frame), placement.box(placement.backdrop.layout.parchment))
    return reading_of(frame, Seen(frame.pixels, profile, placement, light, entries, looked, others))


@dataclass(frozen=True, eq=False)
class Seen:
    """What a reading remembers: the picture, where the table is, and all that was seen on it.

    others: where the notes of other tables are. windows: what was measured of buttons.
    """

    pixels: Pixels
    profile: Profile
    placement: Placement
    light: Light
    entries: tuple[Entry, ...]
    looked: Looked
    others: tuple[Box, ...] = ()
    windows: Windows = field(default_factory=Windows)


def reading_of(frame: Frame, seen: Seen) -> Reading[Note, Solution]:
    """What was seen, as a board."""
    placement, entries, profile = seen.placement, seen.entries, seen.profile
    layout, sights = placement.backdrop.layout, seen.looked.sights
    board = put_together(sights)
    stock, unknown = _stock(placement, entries, frame)
    note = Note(
        frozenset(board.cells),
        {cell: s for cell, s in board.symbols.items() if cell in board.givens - board.doubtful},
        stock,
        _prices(entries) if SCARCE in profile.settings else {},
        frozenset(name.removeprefix(DISABLED) for name in profile.settings if name.startswith(DISABLED)),
    )
    marks = _marks(board, sights, min(1.0, placement.score / 0.8))
    doubts = [cell for cell, mark in marks.items() if mark.symbol is None]
    if len(doubts) * 2 > len(marks):
        raise UncertainReading(
            f"{len(doubts)} of {len(marks)} cells cannot be told",
            hint="something may cover the note, or the resource pack is another one: calibrate again",
            cells=doubts,
        )
    scene = scene_of(frame)
    found = buttons(scene, placement, board.finished)
    return Reading(
        puzzle=note,
        placed={c: s for c, s in board.symbols.items() if c not in board.givens | board.doubtful},
        geometry=Geometry(
            {cell: placement.point(*layout.cell_centres[cell]) for cell in board.cells},
            PITCH_GUI * placement.scale,
        ),
        marks=marks,
        area=_area(placement, frame),
        controls={
            **found,
            **_palette_controls(entries),
        },
        finished=board.finished,
        ui=layout.ui,
        remarks=board.remarks + unknown + tuple(_beside(placement, other) for other in seen.others),
        facts={
            "scale": placement.scale,
            "left": placement.left,
            "top": placement.top,
            "radius": float(board.radius),
        },
        others=seen.others,
        seen=replace(seen, windows=scene.windows.of(placement)),
    )


def _beside(placement: Placement, other: Box) -> str:
    """Where another table is, in words."""
    own = placement.box(placement.backdrop.layout.parchment)
    across, down = other.left - own.left, other.top - own.top
    if abs(across) > abs(down):
        where = "to the right of" if across > 0 else "to the left of"
    else:
        where = "below" if down > 0 else "above"
    return f"another research table is {where} the one that was read; to read that, cut the picture to it"


def _marks(board: Shown, sights: Mapping[Hex, Sight], trusted: float) -> dict[Hex, Mark]:
    """What is said about each cell. trusted: how sure the place of the table is, 0..1."""
    marks: dict[Hex, Mark] = {}
    for cell in board.cells:
        sight = sights[cell]
        state: State = "given" if cell in board.givens else "placed" if cell in board.icons else "free"
        confidence = sight.confidence * trusted
        if board.vanilla and cell in board.givens:
            confidence = (1 + confidence) / 2
        symbol = sight.symbol
        if cell in board.doubtful:
            symbol, confidence = None, min(confidence, 0.4)
        marks[cell] = Mark(symbol, round(confidence, 4), sight.runner_up, state)
    return marks


def _stock(
    placement: Placement, entries: tuple[Entry, ...], frame: Frame
) -> tuple[dict[str, int] | None, tuple[str, ...]]:
    """How many the player has of each aspect; None, and a remark that says why, where that is not known."""
    layout = placement.backdrop.layout
    counts = {entry.symbol: entry.count for entry in entries}
    known = {symbol: count for symbol, count in counts.items() if symbol is not None and count is not None}
    if layout.column_major:
        why = "the palette may have other pages"
    elif len(visible_slots(placement, frame.size)) < len(layout.palette_centres):
        why = "a part of the palette is not on the picture"
    elif not entries or len(known) < len(counts):
        why = "the palette cannot be read as a whole"
    else:
        return known, ()
    return None, (f"the stock is not known, since {why}: every aspect counts as owned",)


def _prices(entries: tuple[Entry, ...]) -> dict[str, int]:
    """Prices by which the rare is dear, of the aspects whose numbers are seen; on another page there may be more."""
    seen = {entry.symbol: entry.count for entry in entries if entry.symbol and entry.count is not None}
    prices = scarce_costs(Note(frozenset(), {}, seen))
    return {symbol: prices[symbol] for symbol in seen if symbol in prices}


def _palette_controls(entries: tuple[Entry, ...]) -> dict[str, Control]:
    return {
        entry.symbol: Control(entry.at, entry.count, entry.active, round(entry.confidence, 4))
        for entry in entries
        if entry.symbol is not None
    }


def _area(placement: Placement, frame: Frame) -> Box:
    """Table and inventory, as far as they are on the frame."""
    height, width = placement.backdrop.still.shape
    return placement.box(Box(0, 0, width, height)).clipped(frame.size)
