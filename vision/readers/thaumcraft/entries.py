"""One entry of the palette: which icon it shows, which number, and whether the player has any of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.frame import Point
from vision.match import Floats, best_two
from vision.readers.thaumcraft.digits import Written, looks_written, runs_on
from vision.readers.thaumcraft.icons import Bank, covered
from vision.readers.thaumcraft.light import Light
from vision.readers.thaumcraft.locate import Placement

# So little is nothing.
LEAST = 2.5
_SCORE, _MARGIN = 0.55, 0.05
# An icon that hardly shows must fit better; one of an alphabetical list need not fit so well.
_FAINT, _FAINT_SCORE = 10.0, 0.65
_SEQUENCE_SCORE = 0.3
# What something dark lies over must be as plain as this to be believed.
_COVERED_SCORE = 0.64
# By colour alone: 18 shades off at most, and as many from the next.
_SOLID_SCORE, _SOLID_MARGIN = 0.7, 0.3
_DIM_GAIN = 0.5
_SHADED = 0.8
# Where an icon is as transparent as this the wood shows, and so many px of it tell how bright it is.
_TRANSPARENT, _LEAST_WOOD_PX = 0.05, 20
# Px of an icon that are as strong as this share of its strongest decide whether it is dimmed.
_STRONG = 0.15
# Scale from which a number has enough px.
LEGIBLE = 1.8


@dataclass(frozen=True)
class Entry:
    """One palette entry. symbol None: something is there, but what cannot be told."""

    at: Point
    slot: int
    symbol: str | None
    count: int | None
    active: bool
    confidence: float


@dataclass(frozen=True, eq=False)
class Seen:
    """What the patches of the entries show before anything is decided of them; a row an entry, a column an icon.

    added, on_wood: the patch without the wood under it, as it is and sharp. strength: how much there is.
    scores: how well icons fit, by their shape or, where `is_solid`, by their colour alone. faded: whether that is a
    dimmed icon's colour.
    """

    slots: Sequence[int]
    places: Sequence[Point]
    ground: Floats
    added: Floats
    on_wood: Floats
    strength: Floats
    scores: Floats
    is_solid: npt.NDArray[np.bool_]
    faded: npt.NDArray[np.bool_]
    numbers: Sequence[Written]


@dataclass(frozen=True, eq=False)
class Drawn:
    """What an icon adds to the wood: (32, 32, 3) with stock, without, and its alpha, (32, 32)."""

    full: Floats
    dimmed: Floats
    alpha: Floats


@dataclass(frozen=True, eq=False)
class Icons:
    """The icons that are known: their numbers in the bank, and how they look there, full and dimmed."""

    bank: Bank
    known: npt.NDArray[np.intp]
    full: Floats
    dimmed: Floats

    def symbol(self, number: int) -> str:
        return self.bank.symbols[int(self.known[number])]

    def drawn(self, number: int) -> Drawn:
        alphas = self.bank.alphas[self.known[number]][:, :, 0]
        return Drawn(self.full[number], self.dimmed[number], alphas)


def decide_entry(
    placement: Placement,
    seen: Seen,
    icons: Icons,
    light: Light,
    row: int,
    ranking: npt.NDArray[np.float64],
    own_font: bool,
) -> Entry:
    """Decide one entry: which icon, which number, and whether the player has any of it."""
    sequence, is_solid = placement.backdrop.layout.column_major, bool(seen.is_solid[row])
    best, _, margin = best_two(ranking)
    if best == len(icons.known):
        best, margin = int(np.argmax(seen.scores[row])), 0.0
    score, written = float(seen.scores[row, best]), seen.numbers[row]
    needed, needed_margin = _needed(seen, light, row, sequence)
    sure = score >= needed and margin >= needed_margin and seen.strength[row] > LEAST * light.contrast
    count = written.number if placement.scale >= LEGIBLE else None
    dimmed = bool(is_solid and seen.faded[row, best] and not written.some)
    if sure and not is_solid:
        icon, added, ground = icons.drawn(best), seen.added[row], seen.ground[row]
        if score < _COVERED_SCORE:
            shade = _shade(added, ground, icon)
            sure = shade >= _SHADED and (shade <= 1 / _SHADED or sequence)
        # In an alphabetical list even a plain square has its name from its neighbours.
        sure = sure and (sequence or not _lies_under(added, icon, light.contrast))
        if count is not None and runs_on(seen.on_wood[row], icon.full, written.left, light.contrast):
            count = None
        if not written.some:
            dimmed = _is_dimmed(added, ground, icon)
            dimmed = dimmed and not looks_written(seen.on_wood[row] - icon.dimmed, light.contrast)
    dimmed &= own_font
    return Entry(
        placement.point(*seen.places[row]),
        seen.slots[row],
        icons.symbol(best) if sure else None,
        0 if dimmed and placement.scale >= LEGIBLE else count,
        not dimmed,
        min(1.0, 0.5 + margin * 1.5) if sure else 0.2,
    )


def _needed(seen: Seen, light: Light, row: int, sequence: bool) -> tuple[float, float]:
    """The score that an icon needs to be believed, and its margin over the next."""
    if sequence:
        return _SEQUENCE_SCORE, _MARGIN
    if seen.is_solid[row]:
        return _SOLID_SCORE, _SOLID_MARGIN
    return _FAINT_SCORE if seen.strength[row] < _FAINT * light.contrast else _SCORE, _MARGIN


def _shade(added: Floats, ground: Floats, icon: Drawn) -> float:
    """How bright the wood around an icon is, 1 as it should be; another value: something lies over it."""
    wood = icon.alpha < _TRANSPARENT
    wood[22:, 6:] = wood[:20, :20] = False
    if wood.sum() < _LEAST_WOOD_PX:
        return 1.0
    share = (added + ground)[wood].sum(axis=1) / np.maximum(ground[wood].sum(axis=1), 1.0)
    return float(np.partition(share, len(share) // 2)[len(share) // 2])


def _lies_under(added: Floats, icon: Drawn, contrast: float) -> bool:
    """Whether something plain lies over a part of an entry, its number left out."""
    looks = np.stack([added, icon.full, icon.dimmed])
    looks[:, 22:, 6:] = 0
    return covered(looks[0], looks[1], contrast) and covered(looks[0], looks[2], contrast)


def _is_dimmed(added: Floats, ground: Floats, icon: Drawn) -> bool:
    """Whether an entry is drawn as the game draws an aspect of which there is none; in doubt it is not.

    added, ground: (32, 32, 3), what the picture adds to the empty palette, and that palette. Most px of the icon
    decide, since the sparkle of a bonus, of this entry or the next one, may lie over some.
    """
    if _shade(added, ground, icon) < _SHADED:
        return False
    energy = (icon.full**2).sum(axis=2)
    energy[22:, 6:] = 0
    strong = energy > _STRONG * energy.max()
    gains = (added * icon.full).sum(axis=2)[strong] / energy[strong]
    return bool(len(gains)) and float(np.partition(gains, len(gains) // 2)[len(gains) // 2]) < _DIM_GAIN
