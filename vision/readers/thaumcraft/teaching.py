"""Learns a look of the research table that no profile knows, from one picture on which a person names the icons.

The table's place follows from its geometry (`honeycomb`); wood, parchment and outlines are taken from the picture as they
are there, and each icon is cut from where it lies, in the palette or on the note.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from solver.lattice import Hex, hexagon
from solver.thaumcraft import EVERY, Note
from vision.errors import UncertainReading, VisionError
from vision.frame import Box, Frame, Pixels, Point
from vision.match import Floats
from vision.measures.parts import part_of
from vision.profile import Icon, Profile
from vision.readers.lessons import Group, Lesson, Named
from vision.readers.thaumcraft.backdrop import as_bytes, backdrops
from vision.readers.thaumcraft.board import read
from vision.readers.thaumcraft.honeycomb import Spot, spot
from vision.readers.thaumcraft.icons import OUTLINE_ALPHA, PER_GUI, SIDE, patches
from vision.readers.thaumcraft.layout import HEX_SIZE_GUI, LARGEST_RADIUS
from vision.readers.thaumcraft.locate import Placement, sampled
from vision.readers.thaumcraft.palette import PARTLY

# What only now and then lies over a table is much alike in every skin, and taken from another profile.
STAND_INS = ("orb", "sparkle", "hover", "unknown")
# An icon differs from what lies beneath by so much (levels, root mean square of its middle); runes may, too.
LEAST_STRENGTH = 14.0
# Px that differ by this share of what most of an icon does, so many levels, belong to it wholly; by less than that
# share of it, not at all.
OPAQUE_SHARE, OPAQUE_LEVELS, LEAST_ALPHA = 0.7, (25.0, 70.0), 0.15
# Wood and parchment have a grain.
GRAIN_LEVELS = 10.0
# The middle of a cell, where icons are and outlines are not, in GUI px.
MIDDLE_GUI = 5.0
# Parchment has one shade over so many GUI px.
SHADE_GUI = 31
# An outline is there where it is half as strong as most are.
THERE = 0.5
# The number at the lower right of an entry, px of a patch: the icon's other side stands for what it hides.
NUMBER_TOP, NUMBER_LEFT = 22, SIDE // 2


class _Entry(NamedTuple):
    """An entry of the palette, in the order that the game fills them."""

    number: int


_Place = Hex | _Entry


def teach(frame: Frame, stand_ins: Profile) -> Lesson:
    """The icons on a table in a look that is not known, to be named. Raises BoardNotFound."""
    at = spot(frame.pixels)
    every: tuple[_Place, ...] = (
        *hexagon(LARGEST_RADIUS),
        *map(_Entry, range(len(at.layout.palette_centres))),
    )
    icons = {
        place: both
        for place, both in _icons(frame.pixels, at, _bare(frame.pixels, at), every).items()
        if _strength(both[0] - both[1]) >= LEAST_STRENGTH
    }
    places = tuple(icons)
    words = _words(places)
    groups = tuple(
        Group((place,), part_of(np.clip(seen, 0, 255).astype(np.uint8)), words[place])
        for place, (seen, _) in icons.items()
    )

    def profile(name: str, named: Mapping[int, Named]) -> Profile:
        names = {places[number]: one.symbol for number, one in sorted(named.items()) if one.symbol}
        # What bears no name is the parchment's own.
        bare = _bare(frame.pixels, at, frozenset(place for place in names if isinstance(place, Hex)))
        icons = _icons(frame.pixels, at, bare, tuple(names))
        cut = {place: _cut(*icons[place], numbered=isinstance(place, _Entry)) for place in names}
        # In the palette an icon has no orb behind it; one that hardly shows there is taken from the note.
        order = sorted(names, key=lambda place: isinstance(place, _Entry))
        kept = {key: stand_ins.templates[key] for key in STAND_INS if key in stand_ins.templates}
        wrong: Sequence[Hex] = ()
        for _ in range(2):
            order += [cell for cell in wrong if cell in names]
            aspects = {f"aspects/{names[place]}": cut[place] for place in order}
            made = Profile(bare.game, name, {**kept, **bare.templates, **aspects}, {PARTLY: 1.0})
            wrong = _misread(frame, made, names)
            if not wrong:
                return made
        raise UncertainReading.of(
            wrong,
            hint="compare the names with the picture, or take a larger one",
            name=lambda cell: words.get(cell, "a cell without an icon"),
        )

    return Lesson(
        f"a research table ({at.layout.ui}) with {len(groups)} icons",
        groups,
        lambda note: _told(note, places, at),
        profile,
        symbols=frozenset(EVERY.components),
        states=(),
        keeps="aspects/",
    )


def _words(places: Iterable[_Place]) -> Mapping[_Place, str]:
    """Where the icons are: on the note column by column, as not all of its cells are known."""
    note = sorted(place for place in places if isinstance(place, Hex))
    entries = [place for place in places if isinstance(place, _Entry)]
    words: dict[_Place, str] = {
        place: f"icon {nth} on the note, from the left" for nth, place in enumerate(note, 1)
    }
    return words | {place: f"entry {place.number + 1} of the palette" for place in entries}


def _told(note: Note, places: Sequence[object], at: Spot) -> dict[object, Named]:
    """The names of the givens; and of the palette, where the stock tells them: that table lists them in alphabetical order."""
    told: dict[object, Named] = {
        place: Named(note.given[place], "given")
        for place in places
        if isinstance(place, Hex) and place in note.given
    }
    entries = [place for place in places if isinstance(place, _Entry)]
    stock = sorted(note.stock or ())
    if at.layout.column_major and len(stock) == len(entries):
        told |= {entry: Named(tag, "given") for entry, tag in zip(entries, stock, strict=True)}
    return told


def _misread(frame: Frame, profile: Profile, names: Mapping[_Place, str]) -> list[Hex]:
    """The cells of the very picture that are not read with what was learned as they were told. Raises UncertainReading."""
    try:
        reading = read(frame, profile)
    except VisionError as error:
        raise UncertainReading(
            f"the picture is not read with what was learned from it: {error}",
            hint="take a larger picture of a table with an untouched note, and the mouse beside it",
        ) from error
    seen = {**reading.puzzle.given, **reading.placed}
    told = {place: symbol for place, symbol in names.items() if isinstance(place, Hex)}
    return sorted(cell for cell in {**seen, **told} if seen.get(cell) != told.get(cell))


def _bare(pixels: Pixels, at: Spot, covered: Collection[Hex] | None = None) -> Profile:
    """The table with nothing on it, the parchment, and the outline of a cell, as the picture shows them.

    covered: the cells with an icon; None where that is not known.
    """
    layout = at.layout
    sheet, outline = _sheet(pixels, at, covered)
    frame, alpha = np.zeros((88, 184, 3), np.uint8), np.zeros((88, 184), np.uint8)
    rows = slice(layout.inventory_part_top, layout.inventory_part_top + layout.inventory.height)
    frame[rows, : layout.inventory.width] = _sample(pixels, at, layout.inventory)
    alpha[rows, : layout.inventory.width] = 255
    return Profile(
        "thaumcraft",
        "",
        {
            f"table/{layout.ui}": _solid(_emptied(_sample(pixels, at, layout.table), at)),
            "inventory": Icon(frame, alpha),
            "parchment": _solid(sheet),
            "hex": outline,
        },
    )


def _solid(pixels: Pixels) -> Icon:
    return Icon(pixels, np.full(pixels.shape[:2], 255, np.uint8))


def _placed(at: Spot, profile: Profile) -> Placement:
    return Placement(backdrops(profile)[0], at.left, at.top, at.scale, at.scale, 1.0)


def _sample(pixels: Pixels, at: Spot, box: Box) -> Pixels:
    """A part of the table, one px per GUI px."""
    corner = Point(at.left + at.scale * box.left, at.top + at.scale * box.top)
    return sampled(pixels, corner, (at.scale, at.scale), (box.width, box.height))


def _emptied(table: Pixels, at: Spot) -> Pixels:
    """The table without what lies in its slots, and with an empty palette."""
    layout = at.layout
    lying = (layout.note, layout.tools, layout.copy, *layout.slots, *layout.arrows.values())
    mask = np.zeros(table.shape[:2], np.uint8)
    for box in lying if layout.combine is None else (*lying, layout.combine):
        mask[box.window] = 255
    table = np.asarray(cv2.inpaint(table, mask, 3, cv2.INPAINT_TELEA), np.uint8)
    rims = [
        np.concatenate([table[y - 8, x - 8 : x + 8], table[y - 8 : y + 8, x - 8]])
        for x, y in ((round(x), round(y)) for x, y in layout.palette_centres)
    ]
    wood = np.median(np.concatenate(rims), axis=0)
    for box in layout.palette_boxes():
        table[box.window] = wood
    return table


def _sheet(pixels: Pixels, at: Spot, covered: Collection[Hex] | None) -> tuple[Pixels, Icon]:
    """The parchment with nothing on it, and the outline of a cell."""
    box = at.layout.parchment
    sheet = _sample(pixels, at, box)
    # Parchment is lighter here and darker there; what is drawn on it is small.
    low = np.asarray(cv2.medianBlur(sheet, SHADE_GUI), np.uint8)
    cells = hexagon(LARGEST_RADIUS)
    places = [at.layout.cell_centre(cell) for cell in cells]
    blank = Profile("thaumcraft", "", {f"table/{at.layout.ui}": _solid(_sample(pixels, at, at.layout.table))})
    identity = Placement(backdrops(blank)[0], 0.0, 0.0, 1.0, 1.0, 1.0)
    beneath = patches(low, identity, [(x - box.left, y - box.top) for x, y in places], 0)
    seen = patches(pixels, _placed(at, blank), places, 0)
    if covered is None:
        drawn_on = zip(seen, beneath, strict=True)
        free = np.array([_strength(one - ground) < LEAST_STRENGTH for one, ground in drawn_on], np.bool_)
    else:
        free = np.array([cell not in covered for cell in cells], np.bool_)
    lines, middle = _cell_lines(), _within(MIDDLE_GUI)
    off = seen - np.median(seen[:, middle], axis=1)[:, None, None]
    strengths = off[:, lines].mean(axis=(1, 2))
    strengths[~free] = 0
    usual_strength = float(np.quantile(np.abs(strengths[free]), 0.75)) if free.any() else 0.0
    there = free & (np.abs(strengths) >= THERE * usual_strength)
    drawn = np.median(off[there], axis=0) if there.any() else np.zeros((SIDE, SIDE, 3))
    mask, hidden = np.zeros(sheet.shape[:2], np.uint8), np.zeros(sheet.shape[:2], np.uint8)
    for (x, y), is_free in zip(places, free.tolist(), strict=True):
        cv2.polylines(mask, [_corners(x - box.left, y - box.top)], True, 255, 2)
        if not is_free:
            cv2.circle(hidden, (round(x - box.left), round(y - box.top)), 9, 255, -1)
    sheet[hidden > 0] = low[hidden > 0]
    clean = np.asarray(cv2.inpaint(sheet, mask, 3, cv2.INPAINT_TELEA), np.uint8)
    return clean, _outline(drawn, np.median(low.reshape(-1, 3), axis=0))


def _outline(drawn: npt.NDArray[np.floating], ground: npt.NDArray[np.floating]) -> Icon:
    """The outline that adds this to a ground of that colour: black or white, and how opaque."""
    ink = 0.0 if drawn[_cell_lines()].mean() < 0 else 255.0
    towards = ink - ground
    share = (drawn * towards).sum(axis=2) / max(float((towards**2).sum()), 1.0) / OUTLINE_ALPHA
    share[~cv2.dilate(_cell_lines().astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)] = 0
    alpha = np.rint(255 * np.clip(share, 0, 1)).astype(np.uint8)
    return Icon(np.full((SIDE, SIDE, 3), ink, np.uint8), alpha)


def _corners(x: float, y: float, scale: float = 1.0) -> npt.NDArray[np.int32]:
    turns = np.arange(6) * np.pi / 3
    size = HEX_SIZE_GUI * scale
    return np.round(np.stack([x + size * np.cos(turns), y + size * np.sin(turns)], axis=1)).astype(np.int32)


def _cell_lines() -> npt.NDArray[np.bool_]:
    """(32, 32): where the outline of a cell is."""
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.polylines(mask, [_corners(SIDE / 2 - 0.5, SIDE / 2 - 0.5, PER_GUI * 0.96)], True, 1, 2)
    return mask > 0


def _within(gui: float) -> npt.NDArray[np.bool_]:
    y, x = np.mgrid[0:SIDE, 0:SIDE] - (SIDE - 1) / 2
    return np.asarray(x**2 + y**2 <= (gui * PER_GUI) ** 2)


def _strength(added: npt.NDArray[np.floating]) -> float:
    return float(np.sqrt((added[_within(MIDDLE_GUI)] ** 2).mean()))


def _icons(
    pixels: Pixels, at: Spot, bare: Profile, places: Sequence[_Place]
) -> dict[_Place, tuple[Floats, Floats]]:
    """What is seen at places of the note and the palette, and the ground there: (32, 32, 3) both."""
    placement = _placed(at, bare)
    identity = replace(placement, left=0.0, top=0.0, scale_x=1.0, scale_y=1.0)
    entries = at.layout.palette_centres
    note, palette = as_bytes(placement.backdrop.canvas), as_bytes(placement.backdrop.bare)
    found = {}
    for place in places:
        on_note = isinstance(place, Hex)
        centre = at.layout.cell_centre(place) if isinstance(place, Hex) else entries[place.number]
        seen = patches(pixels, placement, [centre], 0)[0]
        found[place] = seen, patches(note if on_note else palette, identity, [centre], 0)[0]
    return found


def _cut(seen: Floats, ground: Floats, *, numbered: bool) -> Icon:
    """The icon that lies on a ground, as opaque as it differs from it."""
    off = np.abs(seen - ground).max(axis=2)
    opaque = np.clip(OPAQUE_SHARE * np.quantile(off[_within(MIDDLE_GUI)], 0.9), *OPAQUE_LEVELS)
    alpha = np.clip((off - GRAIN_LEVELS) / (opaque - GRAIN_LEVELS), 0, 1)
    alpha[alpha < LEAST_ALPHA] = 0
    colour = (seen - (1 - alpha[:, :, None]) * ground) / np.maximum(alpha, LEAST_ALPHA)[:, :, None]
    if numbered:
        for plane in (alpha, colour):
            plane[NUMBER_TOP:, NUMBER_LEFT:] = plane[NUMBER_TOP:, :NUMBER_LEFT][:, ::-1]
    return Icon(np.clip(np.rint(colour), 0, 255).astype(np.uint8), np.rint(255 * alpha).astype(np.uint8))
