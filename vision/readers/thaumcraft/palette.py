"""The palette: which aspect is in each entry and how many the player has.

The stock table lists aspects in alphabetical order, so its entries are read together: the rising sequence of
aspects that fits best, where each entry must win by a margin against every other sequence.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.errors import UncertainReading
from vision.frame import Box, Pixels, Point
from vision.match import Floats, likeness
from vision.profile import Profile
from vision.readers.thaumcraft.backdrop import Backdrop
from vision.readers.thaumcraft.digits import (
    Written,
    glyphs,
    read_counts,
    read_other_font,
    runs_on,
)
from vision.readers.thaumcraft.entries import LEAST, LEGIBLE, Entry, Icons, Seen, decide_entry
from vision.readers.thaumcraft.icons import SIDE, UNKNOWN, Bank, drawn_on, halved, moments, patches
from vision.readers.thaumcraft.light import Light
from vision.readers.thaumcraft.locate import Placement

_PRESENT = 7.0
# So many entries without anything end the palette: of those that show, hardly two that have run out are as dark side by side.
_END = 3
# What an entry of an alphabetical list scores that is none of the aspects.
_SOMETHING_ELSE = 0.25
# What is as strong as this and fits so badly is not one of the icons; so many tell.
_STRONG, _BAD_FIT, _ENOUGH = 20.0, 0.7, 8
# How the game draws what the player has none of.
DIM_ALPHA = 0.33
_BARE = 15.0
# Two colours that differ by less are one.
_SAME = 10.0
# A setting of profiles that do not know all icons.
PARTLY = "partly_taught"
# Scale from which a number in a font of its own has enough px.
_OTHER_LEGIBLE = 3.6
# An icon of one colour everywhere differs by less than this (levels), and hides what is behind it.
_FLAT, _OPAQUE = 4.0, 0.95
# Another skin: icons usually fit worse than this, or somewhat worse and so many of them badly.
_USUAL_FIT, _FAIR_FIT, _MANY_BAD = 0.85, 0.92, 0.2
# Where the number, the bonus sparkle with its number, and all that it may ever cover lie in an entry, GUI px.
_NUMBER_TOP, _NUMBER_LEFT, _SPARKLE, _SPARKLE_TOP, _SPARKLE_LEFT = 11, 3, 9, 11.5, 12
# Of an icon so much must be left to be compared.
_LEFT_OVER = 0.12
# A plain square: px differ by less than this, its colour is an aspect's within this, and it is lighter than this (levels).
_PLAIN_SPREAD, _PLAIN_COLOUR, _DARK = 6.0, 25.0, 60.0


def look_at_palette(
    pixels: Pixels, placement: Placement, bank: Bank, light: Light, profile: Profile
) -> tuple[Entry, ...]:
    """Every entry that holds something and lies wholly on the picture, in the game's order.

    Raises UncertainReading when the icons are those of another skin.
    """
    slots = visible_slots(placement, (pixels.shape[1], pixels.shape[0]))
    if not slots:
        return ()
    wood = _wood(placement.backdrop)
    known = np.array([i for i, symbol in enumerate(bank.symbols) if symbol != UNKNOWN])
    icons = Icons(
        bank, known, drawn_on(bank, wood, light)[known], drawn_on(bank, wood, light, DIM_ALPHA)[known]
    )
    seen = _see(pixels, placement, slots, icons, light, profile)
    rows = _filled_rows(placement, seen, light)
    if not rows:
        return ()
    if placement.backdrop.layout.column_major:
        through = _rising(seen.scores[rows])
    else:
        through = seen.scores[rows].astype(np.float64)
    # An entry without a number has run out, but only where numbers are such as we know.
    own_font = any(one.some for one in seen.numbers)
    if placement.scale >= _OTHER_LEGIBLE and not own_font:
        seen = replace(seen, numbers=_of_another_font(pixels, placement, seen.places))
    entries = [
        decide_entry(placement, seen, icons, light, row, ranking, own_font)
        for row, ranking in zip(rows, through, strict=True)
    ]
    beyond = _beyond_the_end(placement, seen, rows, light)
    return _once([replace(one, symbol=None) if one.slot in beyond else one for one in entries])


def _see(
    pixels: Pixels, placement: Placement, slots: Sequence[int], icons: Icons, light: Light, profile: Profile
) -> Seen:
    """Look at the entries in these slots. Raises UncertainReading when the icons are those of another skin."""
    layout = placement.backdrop.layout
    centres = layout.palette_centres
    places = [centres[slot] for slot in slots]
    seen = patches(pixels, placement, places, 0)
    ground = light(_empty(placement.backdrop)[list(slots)])
    scores, strength = _scores(halved(seen - ground), halved(icons.full))
    sharp = patches(pixels, placement, places, 0, sharp=True)
    numbers = read_counts(sharp, glyphs(profile))
    numbered = None if layout.column_major else np.array([one.some for one in numbers])
    tints = light(icons.bank.tints[icons.known][None])[0]
    solid, faded = _solid_scores(seen, ground, tints, numbered)
    # A skin may draw plain squares; otherwise a few are broken icons, and many another skin.
    fitting = np.maximum(scores, np.where(_plain_icons(icons.bank)[icons.known], solid, 0.0)).max(axis=1)
    if PARTLY not in profile.settings and _is_other_skin(fitting[strength > _STRONG * light.contrast]):
        raise UncertainReading(
            f"the table is there, but its icons are not those that were learned (profile {profile.name!r})",
            hint="calibrate again with this client's resource pack and mods: boardsight calibrate thaumcraft",
        )
    solid[_runs_beyond(pixels, placement, places, seen)] = 0
    is_solid = np.nanmax(solid, axis=1) > 0
    scores = np.where(is_solid[:, None], solid, scores)
    return Seen(
        slots, places, ground, seen - ground, sharp - ground, strength, scores, is_solid, faded, numbers
    )


def _filled_rows(placement: Placement, seen: Seen, light: Light) -> list[int]:
    """The rows of the entries that hold something."""
    some = np.array([one.some for one in seen.numbers])
    there = (seen.strength > _PRESENT * light.contrast) | some | seen.is_solid
    # Entries are filled without gaps; one that is nearly invisible lies before one that is not.
    block = placement.backdrop.layout.block
    last = {seen.slots[row] // block: seen.slots[row] for row in map(int, np.flatnonzero(there))}
    return [row for row, slot in enumerate(seen.slots) if slot <= last.get(slot // block, -1)]


def _beyond_the_end(placement: Placement, seen: Seen, rows: Sequence[int], light: Light) -> set[int]:
    """The slots with something behind so many empty ones that no entry can be there: a tooltip."""
    beyond: set[int] = set()
    block, empty = -1, 0
    for row in rows:
        slot = seen.slots[row]
        own = slot // placement.backdrop.layout.block
        if own != block:
            block, empty = own, 0
        nothing = not (seen.numbers[row].some or seen.is_solid[row])
        if nothing and seen.strength[row] <= LEAST * light.contrast:
            empty += 1
        elif empty >= _END:
            beyond.add(slot)
        else:
            empty = 0
    return beyond


def counts_again(
    pixels: Pixels,
    placement: Placement,
    entries: Sequence[Entry],
    slots: Collection[int],
    bank: Bank,
    light: Light,
    profile: Profile,
) -> tuple[Entry, ...] | None:
    """The entries with new numbers in some slots, whose icons are as they were; None where those cannot be told."""
    if placement.scale < LEGIBLE or not slots:
        return tuple(entries)
    changed = [entry for entry in entries if entry.slot in slots]
    if any(entry.symbol is None or entry.count is None or not entry.active for entry in changed):
        return None
    centres = placement.backdrop.layout.palette_centres
    sharp = patches(pixels, placement, [centres[entry.slot] for entry in changed], 0, sharp=True)
    ground = light(_empty(placement.backdrop)[[entry.slot for entry in changed]])
    icons = [bank.symbols.index(entry.symbol or "") for entry in changed]
    found = {}
    for entry, written, added, icon in zip(
        changed,
        read_counts(sharp, glyphs(profile)),
        sharp - ground,
        drawn_on(bank, _wood(placement.backdrop), light, which=icons),
        strict=True,
    ):
        if written.number is None or runs_on(added, icon, written.left, light.contrast):
            return None
        found[entry.slot] = replace(entry, count=written.number)
    return tuple(found.get(entry.slot, entry) for entry in entries)


@lru_cache(maxsize=8)
def entry_boxes(placement: Placement, slots: tuple[int, ...]) -> list[Box]:
    """Each entry, px of the frame, and after it the part where its number stands, and that where a bonus may sparkle.

    Remembered.
    """
    centres = placement.backdrop.layout.palette_centres
    found: list[Box] = []
    for x, y in (centres[slot] for slot in slots):
        near, far = placement.point(x - 8, y - 8), placement.point(x + 8, y + 8)
        number = Box.spanning(placement.point(x - 5, y + 3), far)
        sparkle = Box.spanning(near, placement.point(x + 4, y + 3))
        found += (Box.spanning(near, far), number, sparkle)
    return found


def _of_another_font(pixels: Pixels, placement: Placement, places: Sequence[Point]) -> list[Written]:
    """The numbers of all entries, each from its part below the middle and right of the left edge."""
    parts = []
    for x, y in places:
        near, far = placement.point(x - 6, y + 3), placement.point(x + 8, y + 8)
        part = pixels[max(0, round(near.y)) : round(far.y), max(0, round(near.x)) : round(far.x)]
        parts.append(part.astype(np.float32))
    return read_other_font(parts, placement.scale)


@lru_cache(maxsize=8)
def _plain_icons(bank: Bank) -> npt.NDArray[np.bool_]:
    """(M,): which icons are squares of one colour; remembered."""
    flat = bank.colours.astype(np.float32).std(axis=(1, 2)).max(axis=1) < _FLAT
    return np.asarray(flat & (bank.alphas.min(axis=(1, 2, 3)) > _OPAQUE), np.bool_)


def _is_other_skin(best: Floats) -> bool:
    """Whether icons that are plain to see fit so badly that they must be another resource pack's.

    best: score of each; a few may be broken or hidden.
    """
    if len(best) < _ENOUGH:
        return False
    usual, bad = float(np.median(best)), float((best < _BAD_FIT).mean())
    return usual < _USUAL_FIT or (usual < _FAIR_FIT and bad >= _MANY_BAD)


@lru_cache(maxsize=8)
def visible_slots(placement: Placement, size: tuple[int, int]) -> tuple[int, ...]:
    """The numbers of the palette entries that lie wholly on a picture of that width and height; remembered."""
    slots = []
    for slot, (x, y) in enumerate(placement.backdrop.layout.palette_centres):
        near, far = placement.point(x - 8, y - 8), placement.point(x + 8, y + 8)
        if near.x >= -1 and near.y >= -1 and far.x <= size[0] + 1 and far.y <= size[1] + 1:
            slots.append(slot)
    return tuple(slots)


@lru_cache(maxsize=8)
def _empty(backdrop: Backdrop) -> Pixels:
    """The patches of a palette with nothing in it; remembered."""
    flat = np.clip(backdrop.bare, 0, 255).astype(np.uint8)
    identity = Placement(backdrop, 0.0, 0.0, 1.0, 1.0, 1.0)
    return np.rint(patches(flat, identity, backdrop.layout.palette_centres, 0)).astype(np.uint8)


@lru_cache(maxsize=8)
def _wood(backdrop: Backdrop) -> Floats:
    """(3,) the mean colour of the empty palette; remembered."""
    return np.asarray(_empty(backdrop).mean(axis=(0, 1, 2), dtype=np.float32), np.float32)


def _scores(added: Floats, templates: Floats) -> tuple[Floats, Floats]:
    """(entries, icons) likeness of each icon, (entries,) strength of anything.

    Left out: the number at the lower right and, in further comparisons, the bonus sparkle at the top left as
    it is mostly, with its number, and all that it may ever cover.
    """
    y, x = np.mgrid[0 : SIDE // 2, 0 : SIDE // 2] + 0.5
    plain = np.where((y > _NUMBER_TOP) & (x > _NUMBER_LEFT), 0.0, 1.0).astype(np.float32)
    small = np.where((y < _SPARKLE) & (x < _SPARKLE), 0.0, plain).astype(np.float32)
    sparkling = np.where((y < _SPARKLE_TOP) & (x < _SPARKLE_LEFT), 0.0, plain).astype(np.float32)
    variants = []
    for weights, penalty in ((plain, 0.0), (small, 0.08), (sparkling, 0.12)):
        absolute = likeness(added, templates, weights, centred=False)
        shape = likeness(added, templates, weights, centred=True)
        share = (templates**2 * weights[None, :, :, None]).sum(axis=(1, 2, 3)) / np.maximum(
            (templates**2 * plain[None, :, :, None]).sum(axis=(1, 2, 3)), 1e-6
        )
        score = 0.4 * absolute + 0.6 * shape - penalty
        variants.append(np.where(share[None, :] > _LEFT_OVER, score, -1.0))
    weight = plain[None, :, :, None]
    strength = np.sqrt((added**2 * weight).sum(axis=(1, 2, 3)) / (3 * plain.sum()))
    return np.maximum.reduce(variants).astype(np.float32), strength.astype(np.float32)


def _solid_scores(
    seen: Floats, ground: Floats, tints: Floats, numbered: npt.NDArray[np.bool_] | None
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """(entries, icons): how near the colour of a plain square is to each icon's; all 0 for anything else.

    Then the same shape: whether it is nearer to how the icon looks when the player has none: that shows the
    wood through, and much less of its colour. numbered: the entries with a number, which are never drawn so,
    while the others nearly always are; None when it is not to be relied on.
    """
    part = seen[:, 2:20, 2:30]
    means, spreads = moments(part)
    spread, middle = spreads.max(axis=1), means[:, None]
    wood = moments(ground[:, 2:20, 2:30])[0][:, None]
    full = np.linalg.norm(middle - tints[None], axis=2)
    dimmed = np.linalg.norm(middle - wood * (1 - DIM_ALPHA) - DIM_ALPHA * tints[None], axis=2) / DIM_ALPHA
    distance = np.minimum(full, dimmed) if numbered is None else np.where(numbered[:, None], full, dimmed)
    scores = np.clip(1 - distance / 60, 0, 1)
    # Bare wood and what covers it are plain too.
    bare = np.linalg.norm(middle - wood, axis=2)[:, 0] < _BARE
    dark = middle.max(axis=(1, 2)) < _DARK
    plain = (spread < _PLAIN_SPREAD) & (distance.min(axis=1) < _PLAIN_COLOUR) & ~bare & ~dark
    return np.asarray(np.where(plain[:, None], scores, 0.0), np.float32), dimmed < full


def _runs_beyond(
    pixels: Pixels, placement: Placement, places: Sequence[tuple[float, float]], seen: Floats
) -> npt.NDArray[np.bool_]:
    """(entries,): where the colour of an entry's middle goes on beside it, as that of a square icon never does."""
    colour = moments(seen[:, 2:20, 2:30])[0][:, None]
    wide = patches(pixels, placement, places, 2)
    rims = (wide[:, :2, 4:-4], wide[:, -2:, 4:-4], wide[:, 4:-4, :2], wide[:, 4:-4, -2:])
    sides = [np.abs(rim.reshape(len(wide), -1, 3) - colour).mean(axis=2) for rim in rims]
    return np.asarray(np.min([np.median(side, axis=1) for side in sides], axis=0) < _SAME, np.bool_)


def _rising(scores: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """For each entry and aspect the score of the best rising sequence through it; last, of one without it.

    (N, M) -> (N, M + 1). An entry may be something else, hidden for example, at the price of a bad score.
    """
    count, aspects = scores.shape
    # before[i, a]: the best for the entries before i with aspects below a; after[i, a]: for i and all after,
    # with a and what follows it.
    before = np.zeros((count + 1, aspects + 1))
    after = np.zeros((count + 1, aspects + 1))
    for i in range(count):
        chosen = np.maximum.accumulate(before[i, :-1] + scores[i])
        before[i + 1] = before[i] + _SOMETHING_ELSE
        before[i + 1, 1:] = np.maximum(before[i + 1, 1:], chosen)
    for i in reversed(range(count)):
        chosen = np.maximum.accumulate((after[i + 1, 1:] + scores[i])[::-1])[::-1]
        after[i] = after[i + 1] + _SOMETHING_ELSE
        after[i, :-1] = np.maximum(after[i, :-1], chosen)
    through = before[:-1, :-1] + scores + after[1:, 1:]
    without = (before[:-1] + after[1:]).max(axis=1, keepdims=True) + _SOMETHING_ELSE
    return np.asarray(np.concatenate([through, without], axis=1), np.float64)


def _once(entries: list[Entry]) -> tuple[Entry, ...]:
    """No aspect is listed twice: of two claims the surer stays, the other becomes unknown."""
    best: dict[str, Entry] = {}
    for entry in entries:
        if entry.symbol and (entry.symbol not in best or best[entry.symbol].confidence < entry.confidence):
            best[entry.symbol] = entry
    return tuple(
        entry
        if entry.symbol is None or best[entry.symbol] is entry
        else Entry(entry.at, entry.slot, None, entry.count, entry.active, 0.2)
        for entry in entries
    )
