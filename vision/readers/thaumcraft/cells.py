"""What is in each cell of the note: an icon, an outline, or nothing.

Icons are told by what they add to the parchment, in two products of matrices for all cells and icons: once
with absolute colours, once without regard to shade. The best must lead the second best. Outlines are fitted
by least squares away from the middle, where runes and orbs are. A second look leaves out what the icons of
neighbouring cells cover, since icons are wider than the lattice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from solver.lattice import Hex
from vision.frame import Box, Pixels
from vision.match import Floats, product, unit_rows
from vision.readers.thaumcraft.backdrop import Backdrop
from vision.readers.thaumcraft.icons import (
    PATCH_GUI,
    PER_GUI,
    SIDE,
    SILHOUETTE_ALPHA,
    SILHOUETTE_SHADE,
    UNKNOWN,
    Bank,
    covered,
    drawn_on,
    halved,
    moments,
    patches,
)
from vision.readers.thaumcraft.light import Light
from vision.readers.thaumcraft.locate import Placement
from vision.readers.thaumcraft.outlines import RUNE_OUTLINE, Edges, edges_of

# An icon adds at least this much (root mean square of shades 0..255) to the parchment; spiritus adds 24.
ICON_STRENGTH = 13.0
ICON_SCORE = 0.55
ICON_MARGIN = 0.06
ICON_CONFIDENCE = 0.55
# Without colours the shape must fit well; what half hides a cell is dark too.
SILHOUETTE_SCORE = 0.78
PLAIN_ICON_SCORE = 0.9
# The outline under the cursor is added to a parchment that is bright already, so most of it is cut off.
HOVER_CLEAR, HOVER_DARK = 0.2, -0.05
# More than this beside an icon is no parchment.
OVERLAY = 30.0
SOLID_SPREAD, SOLID_RANGE, SOLID_DETAIL = 12.0, 48.0, 15.0
# At least so much of a side is parchment beside a solid icon, where neighbours reach in.
_BARE_SHARE = 0.4
_MARGIN_GUI = 2
_EDGE = _MARGIN_GUI * PER_GUI
# An icon reaches into the patches of positions that are no farther away than this, either way.
_REACH_GUI = 18
# The icons of the next columns reach into strips as wide as this at the sides, which count so much.
_STRIP_GUI, _STRIP_COUNTS = 2.5, 0.4
# Scores of an icon as drawn and as a silhouette that differ by less do not tell which it is.
_DIM_MARGIN = 0.12
# Where a neighbour's icon shows more than this it hides something.
_HIDES = 0.25
# The middle of a cell, away from its outline; px of it lie wholly within from this share on.
_MIDDLE_GUI, _WITHIN = 6, 0.99
# Levels: of the whole middle, and of single px of it that have changed; the hovered outline changes a smaller share.
_LEVEL, _CHANGED, _CHANGED_SHARE = 45.0, 30.0, 0.25
# A rune makes the parchment no darker, by a third, nor lighter than this, in shares of it.
_RUNE_DARK, _RUNE_LIGHT = -0.42, 0.12
# A patch of one colour is no parchment from so many levels on, and an icon lets three sides of it free.
_OFF_PARCHMENT, _FREE_SIDES = 30.0, 3
# The colour of a broken icon is an aspect's within so many levels, clearly when others are so much further off.
_NEAR_TINT, _CLEAR_TINT, _CLEARER = 32.0, 8.0, 0.7


def _weights() -> Floats:
    """(16, 16): how much each px counts; the icons of the next columns reach into the strips at the sides."""
    x = np.arange(SIDE // 2) + 0.5
    strips = np.where((x < _STRIP_GUI) | (x > SIDE // 2 - _STRIP_GUI), _STRIP_COUNTS, 1.0)
    return np.tile(strips, (SIDE // 2, 1)).astype(np.float32)


_WEIGHTS = _weights()


@dataclass(frozen=True)
class Sight:
    """What was seen at one position of the lattice.

    symbol: "" nothing on it, None when it cannot be told; runner_up, confidence: of the symbol.
    outline: how much of a cell's outline is there: 1 all, 0 none; nan when hidden.
    hovered: the outline is the one under the cursor.
    foreign: something is there that is no icon that we know; solid: an icon with a broken texture.
    undiscovered: the tag of an aspect that the player does not know.
    dim: the icon is a silhouette, as the game draws what is not linked; None when that is not clear.
    """

    symbol: str | None
    confidence: float
    runner_up: str
    outline: float
    hovered: bool = False
    foreign: bool = False
    solid: bool = False
    undiscovered: bool = False
    dim: bool | None = None


@dataclass(frozen=True, eq=False)
class _View:
    """What everything that the game draws on a note looks like on the picture.

    flat: (positions, 40, 40, 3) the note with nothing on it, with a rim of 2 GUI px. mean: (3,) the parchment's colour.
    templates: (2M, 32, 32, 3) what icons add, as drawn, then as silhouettes; alphas of the same.
    known: (2M, 16, 16, 3) templates at half the resolution, without what is like an outline in them.
    dark: (32, 32, 3) what an outline adds; small_dark: at half the resolution; hover: what the hovered one adds.
    orbs: (K, 256) the frames of the orb at half the resolution, each of length 1.
    contrast: how far apart shades come out on the picture.
    """

    flat: Floats
    mean: Floats
    templates: Floats
    alphas: Floats
    known: Floats
    dark: Floats
    small_dark: Floats
    hover: Floats
    orbs: Floats
    contrast: float

    @cached_property
    def rows(self) -> tuple[Floats, Floats]:
        """The known icons as rows of length 1, in absolute colours and without regard to shade."""
        return unit_rows(self.known, _WEIGHTS, centred=False), unit_rows(self.known, _WEIGHTS, centred=True)

    @cached_property
    def edges(self) -> Edges:
        """An outline with nothing on top."""
        return edges_of(self.dark, self.hover)

    @cached_property
    def energies(self) -> Floats:
        """(2M,) how much each known icon adds."""
        return np.asarray((self.known**2 * _WEIGHTS[None, :, :, None]).sum(axis=(1, 2, 3)), np.float32)


@dataclass(frozen=True, eq=False)
class Looked:
    """What is at every position of the largest note.

    sights: in the end. first: before what the icons of neighbours cover was left out. view: how all may look.
    """

    sights: Mapping[Hex, Sight]
    first: Mapping[Hex, Sight]
    view: _View


def look_at_cells(
    pixels: Pixels,
    placement: Placement,
    bank: Bank,
    light: Light,
    before: Looked | None = None,
    changed: Collection[Hex] = (),
) -> Looked:
    """Every position of the largest note.

    before, changed: what was seen on an earlier picture in the same light, and the positions that may look different on
    this one: only those are looked at.
    """
    cells = list(placement.backdrop.layout.cell_centres)
    middles = np.array(list(placement.backdrop.layout.cell_centres.values()), np.float64)
    view = before.view if before else _view(placement.backdrop, bank, light)
    new = np.array([before is None or cell in changed for cell in cells])
    added = patches(pixels, placement, middles[new].tolist(), _MARGIN_GUI) - view.flat[new]
    first = dict(before.first) if before else {}
    judged = _judge_all(added, view, bank, light)
    first.update(zip([cells[i] for i in np.flatnonzero(new)], judged, strict=True))
    # Icons are wider than the lattice: where one has changed what it covers may look different, too.
    other = np.array([before is None or _hides(first[cell]) != _hides(before.first[cell]) for cell in cells])
    apart = np.abs(middles[:, None] - middles[other]).max(axis=2)
    near = np.flatnonzero(new | (apart <= _REACH_GUI).any(axis=1))
    sights = dict(before.sights) if before else {}
    sights.update((cells[i], first[cells[i]]) for i in near)
    hidden = _hidden([first[cell] for cell in cells], middles, near, bank)
    solid = np.array([first[cells[i]].solid for i in near], np.bool_)
    # Of those that have not changed it is not known how they look without what covered them.
    touched = np.flatnonzero((hidden.any(axis=(1, 2)) | ~new[near]) & ~solid)
    places = near[touched]
    # Mostly those that changed themselves.
    rest = places[~new[places]]
    more = patches(pixels, placement, middles[rest].tolist(), _MARGIN_GUI) - view.flat[rest]
    rows = np.cumsum(new) - 1
    rows[rest] = np.arange(len(rest)) + len(added)
    again = np.concatenate([added, more])[rows[places]]
    again[hidden[touched]] = 0
    sights.update(zip([cells[i] for i in places], _judge_all(again, view, bank, light), strict=True))
    return Looked(sights, first, view)


def _hides(sight: Sight) -> tuple[str | None, bool]:
    """What tells which px of its neighbours a position covers."""
    return sight.symbol, sight.solid


@lru_cache(maxsize=8)
def position_boxes(placement: Placement) -> Mapping[Hex, Box]:
    """Where the icon of every position would be, px of the frame; remembered."""
    reach = PATCH_GUI / 2
    return {
        cell: Box.spanning(placement.point(x - reach, y - reach), placement.point(x + reach, y + reach))
        for cell, (x, y) in placement.backdrop.layout.cell_centres.items()
    }


def _judge_all(added: Floats, view: _View, bank: Bank, light: Light) -> list[Sight]:
    """What is at each position. added: (n, 40, 40, 3) what the picture adds to the parchment there."""
    if not len(added):
        return []
    inner = np.ascontiguousarray(added[:, _EDGE:-_EDGE, _EDGE:-_EDGE])
    fits = view.edges.fit(inner)
    plain = _plain(inner, view.mean)
    strengths = np.sqrt((halved(inner) ** 2).mean(axis=(1, 2, 3))) / light.contrast
    hovered = (fits[:, 1] > HOVER_CLEAR) & (fits[:, 0] < HOVER_DARK)
    # Most positions show nothing but an outline, or not even that.
    some = np.flatnonzero((strengths >= ICON_STRENGTH) | plain | hovered)
    sights = [_bare(outline) for outline in fits[:, 0].tolist()]
    every = _all_scores(inner[some], view) if len(some) else ()
    left: dict[int, _Patch] = {}
    for i, scores in zip(some.tolist(), every, strict=True):
        outline, hover = fits[i].tolist()
        patch = _Patch(added[i], scores, float(strengths[i]), outline, hover, bool(plain[i]))
        sight = _icon(view, bank, light, patch)
        if sight is None:
            left[i] = patch
        else:
            sights[i] = sight
    which = [i for i, patch in left.items() if patch.strength >= ICON_STRENGTH or patch.hovered]
    outlines = np.array([0.0 if left[i].hovered else left[i].outline for i in which])
    strange = _foreign(inner[which], outlines, view, hovered[which]) if which else ()
    foreign = dict(zip(which, strange, strict=True))
    return [
        _no_icon(left[i], bool(foreign.get(i)), bank) if i in left else sight
        for i, sight in enumerate(sights)
    ]


def _bare(outline: float) -> Sight:
    """A position with nothing on it."""
    return Sight("", min(1.0, 0.6 + abs(outline - 0.4)), "", outline)


def _view(backdrop: Backdrop, bank: Bank, light: Light) -> _View:
    flat = _empty(backdrop)
    ground = light(flat)
    mean = np.asarray(ground.mean(axis=(0, 1, 2)), np.float32)
    parchment = flat.mean(axis=(0, 1, 2), dtype=np.float32)
    full = drawn_on(bank, parchment, light)
    dim = drawn_on(bank, parchment, light, SILHOUETTE_ALPHA, silhouettes=True)
    plain = light(parchment[None])[0]
    dark = light(parchment * (1 - bank.outline) + bank.outline_ink * bank.outline) - plain
    orbs = halved(bank.orb).reshape(len(bank.orb), -1)
    templates, small_dark = np.concatenate([full, dim]), halved(dark[None])[0]
    return _View(
        ground,
        mean,
        templates,
        np.concatenate([bank.alphas, SILHOUETTE_ALPHA * bank.alphas]),
        _without(halved(templates), small_dark),
        dark,
        small_dark,
        light(parchment + bank.hover) - plain,
        orbs / np.maximum(np.linalg.norm(orbs, axis=1, keepdims=True), 1e-6),
        light.contrast,
    )


@lru_cache(maxsize=8)
def _empty(backdrop: Backdrop) -> Pixels:
    """The patches of a note with nothing on it; remembered."""
    flat = np.clip(backdrop.canvas, 0, 255).astype(np.uint8)
    identity = Placement(backdrop, 0.0, 0.0, 1.0, 1.0, 1.0)
    centres = backdrop.layout.cell_centres.values()
    return np.rint(patches(flat, identity, list(centres), _MARGIN_GUI)).astype(np.uint8)


def _all_scores(inner: Floats, view: _View) -> Floats:
    """(positions, 2M) likeness of patches and icons, outlines left out."""
    seen = _without(halved(inner), view.small_dark)
    absolute, shape = (
        product(unit_rows(seen, _WEIGHTS, centred=centred), rows)
        for centred, rows in zip((False, True), view.rows, strict=True)
    )
    own, theirs = (seen**2 * _WEIGHTS[None, :, :, None]).sum(axis=(1, 2, 3)), view.energies
    gain = np.sqrt(own[:, None] / np.maximum(theirs[None, :], 1e-6))
    # An icon is drawn at its full strength: one that would have to be much stronger or weaker is less likely.
    fit = 2 * gain / (1 + gain**2)
    scores = 0.6 * absolute * (0.5 + 0.5 * fit) + 0.4 * shape
    return np.asarray(scores, np.float32)


def _without(images: Floats, part: Floats) -> Floats:
    """The images with their share of a picture taken away."""
    weight = _WEIGHTS[:, :, None]
    length = max(float((part**2 * weight).sum()), 1e-6)
    share = (images * part * weight).sum(axis=(1, 2, 3), keepdims=True) / length
    return np.asarray(images - share * part, np.float32)


@dataclass(frozen=True, eq=False)
class _Patch:
    """One position: what it adds to the parchment (40, 40, 3), and what the batches found."""

    added: Floats
    scores: Floats
    strength: float
    outline: float
    hover: float
    plain: bool

    @property
    def hovered(self) -> bool:
        """Whether its outline is the one under the cursor."""
        return self.hover > HOVER_CLEAR and self.outline < HOVER_DARK

    @cached_property
    def order(self) -> npt.NDArray[np.int64]:
        """The symbols, the likeliest first."""
        return np.asarray(np.argsort(-self.scores.reshape(2, -1).max(axis=0)), np.int64)


def _no_icon(patch: _Patch, foreign: bool, bank: Bank) -> Sight:
    """A position without an icon. foreign: something that we do not know is there."""
    if foreign:
        name = bank.symbols[int(patch.order[0])]
        return Sight(None, 0.2, name, 1.0 if patch.hovered else patch.outline, patch.hovered, foreign=True)
    return Sight("", 0.9, "", 1.0, hovered=True) if patch.hovered else _bare(patch.outline)


def _icon(view: _View, bank: Bank, light: Light, patch: _Patch) -> Sight | None:
    """The icon at one position, or what covers it; None where there is none."""
    added, scores, strength = patch.added, patch.scores, patch.strength
    inner = added[_EDGE:-_EDGE, _EDGE:-_EDGE]
    per_symbol, order = scores.reshape(2, -1).max(axis=0), patch.order
    best = float(per_symbol[order[0]])
    margin = best - float(per_symbol[order[1]]) if len(order) > 1 else best
    # An icon with an orb shining through it can be as plain as a broken one, but no square looks so like it.
    if patch.plain and best < PLAIN_ICON_SCORE:
        return _solid(added, view.mean, bank, light)
    name = bank.symbols[int(order[0])]
    other = bank.symbols[int(order[1])] if len(order) > 1 else ""
    if strength >= ICON_STRENGTH and best >= ICON_SCORE:
        chosen = int(scores.argmax())
        template = view.templates[chosen]
        behind, bright = _behind(view, chosen).fit_behind(inner - template)
        lit = bright > HOVER_CLEAR and behind < HOVER_DARK
        if covered(inner, template, view.contrast):
            return Sight(None, 0.2, name, float("nan"), foreign=True)
        if name == UNKNOWN:
            return Sight(None, 0.3, other, behind, lit, undiscovered=True)
        bright_score, dim_score = float(scores[order[0]]), float(scores[order[0] + len(bank.symbols)])
        dim = None if abs(bright_score - dim_score) < _DIM_MARGIN else dim_score > bright_score
        # Only what the player placed is ever a silhouette, and that has an outline; a rune has none.
        bare = behind < RUNE_OUTLINE and not lit
        if not bare or dim is False or (dim is None and not _like_rune(inner[None], view)[0]):
            confidence = min(1.0, 0.5 + 2 * margin) * min(1.0, best / 0.8)
            clear = margin >= ICON_MARGIN and confidence >= ICON_CONFIDENCE
            if not clear or (dim and best < SILHOUETTE_SCORE):
                return Sight(None, confidence * 0.5, name, behind, lit)
            return Sight(name, confidence, other, behind, lit, dim=dim)
    return None


@lru_cache(maxsize=64)
def _behind(view: _View, icon: int) -> Edges:
    """An outline behind one of the templates; remembered."""
    return edges_of(view.dark, view.hover, view.alphas[icon])


def _disc() -> npt.NDArray[np.bool_]:
    """(32, 32): the middle of a cell, away from its outline."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] - (SIDE - 1) / 2
    return np.asarray((x**2 + y**2) < (_MIDDLE_GUI * PER_GUI) ** 2)


_DISC = _disc()
_INSIDE = halved(_DISC[None, :, :, None].astype(np.float32))[0, :, :, 0] > _WITHIN


def _foreign(
    inner: Floats, outlines: npt.NDArray[np.float64], view: _View, hovered: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """(N,) whether the middles of patches (N, 32, 32, 3) hold what is no outline, orb or rune, nor the speck of a drag."""
    shares = np.clip(outlines, 0, 1.3).astype(np.float32)[:, None, None, None]
    left_over = inner - shares * view.dark
    disc = left_over[:, _DISC]
    level = np.partition(disc, disc.shape[1] // 2, axis=1)[:, disc.shape[1] // 2]
    middle = halved(np.asarray((left_over - level[:, None, None]) * _DISC[:, :, None], np.float32))
    whole = (middle**2).sum(axis=(1, 2, 3))
    # How much of it each frame of the orb, in any colour, explains.
    channels = np.ascontiguousarray(middle.transpose(0, 3, 1, 2)).reshape(3 * len(middle), -1)
    explained = (product(channels, view.orbs) ** 2).reshape(len(middle), 3, -1).sum(axis=1)
    least = whole - explained.max(axis=1, initial=0.0)
    rest = np.sqrt(np.maximum(least, 0) / (3 * _INSIDE.sum())) / view.contrast
    found = (rest > ICON_STRENGTH) | (np.abs(level).max(axis=1) >= _LEVEL * view.contrast)
    changed = np.abs(middle[:, _INSIDE]).max(axis=2) > _CHANGED * view.contrast
    found &= ~hovered | (changed.mean(axis=1) >= _CHANGED_SHARE)
    rune = outlines < RUNE_OUTLINE
    return np.asarray(found & ~(rune & _like_rune(left_over, view)), np.bool_)


def _like_rune(inner: Floats, view: _View) -> npt.NDArray[np.bool_]:
    """(N,) whether the middles of patches are nowhere darker than a rune makes them, by a third, nor lighter."""
    shades = halved(inner)[:, _INSIDE] / np.maximum(view.mean, 1)
    shade = np.sort(shades.reshape(len(inner), -1), axis=1)
    few = shade.shape[1] // 50
    return np.asarray((shade[:, few] > _RUNE_DARK) & (shade[:, -1 - few] < _RUNE_LIGHT), np.bool_)


def _plain(inner: Floats, mean: Floats) -> npt.NDArray[np.bool_]:
    """(N,): which patches are of one colour in the middle, and not the parchment's."""
    fine = halved(inner[:, 4:-4, 4:-4] + mean)
    middle = halved(fine)
    green = middle[..., 1]
    return np.asarray(
        (moments(fine)[1].max(axis=1) <= SOLID_DETAIL)
        & (green.max(axis=(1, 2)) - green.min(axis=(1, 2)) <= SOLID_RANGE)
        & (moments(middle)[1].max(axis=1) <= SOLID_SPREAD)
        & (np.abs(middle - mean).mean(axis=(1, 2, 3)) >= _OFF_PARCHMENT)
    )


def _solid(added: Floats, mean: Floats, bank: Bank, light: Light) -> Sight:
    """A plain patch: an icon whose texture is broken, of which the colour is the only clue; or a cover."""
    middle = added[_EDGE + 4 : -_EDGE - 4, _EDGE + 4 : -_EDGE - 4].mean(axis=(0, 1))
    around, within = (
        [float(np.quantile(np.abs(side - colour).mean(axis=1), share)) for side in _sides(added, inset)]
        for inset, colour, share in ((0, np.zeros(3, np.float32), _BARE_SHARE), (_EDGE + 1, middle, 0.6))
    )
    # An icon ends where icons end. A neighbour's may lie beside it, but not on all sides.
    bare = [beside < OVERLAY * light.contrast for beside in around]
    if sum(bare) < _FREE_SIDES or max(within) > OVERLAY * light.contrast:
        return _COVERED
    return _nearest_tint(middle + mean, mean, bank, light) or _COVERED


def _sides(patch: Floats, inset: int) -> Sequence[Floats]:
    """The four sides of a square frame 3 px wide that far inside a patch: (N, 3) px each."""
    end = len(patch) - inset
    near, far, along = slice(inset, inset + 3), slice(end - 3, end), slice(inset, end)
    sides = (patch[near, along], patch[far, along], patch[along, near], patch[along, far])
    return [side.reshape(-1, 3) for side in sides]


# Something flat that is no icon: a tooltip, an overlay.
_COVERED = Sight(None, 0.1, "", float("nan"), foreign=True)


def _nearest_tint(colour: Floats, parchment: Floats, bank: Bank, light: Light) -> Sight | None:
    """The aspect of that colour (BGR); in doubt when two are nearly as near, None when none is near."""
    distance = np.linalg.norm(light(bank.tints[None])[0] - colour, axis=1)
    distance = np.where(np.array(bank.symbols) != UNKNOWN, distance, 999.0)
    order = np.argsort(distance)
    nearest = float(distance[order[0]])
    following = float(distance[order[1]]) if len(order) > 1 else 999.0
    # What is not linked is drawn so dark that its colour says nothing.
    faded = parchment * (1 - SILHOUETTE_ALPHA) + SILHOUETTE_ALPHA * SILHOUETTE_SHADE * 128
    dark = float(np.linalg.norm(faded - colour))
    if min(nearest, dark) > _NEAR_TINT:
        return None
    name = bank.symbols[int(order[0])]
    if min(following, dark) - nearest < _CLEAR_TINT or nearest > _CLEARER * min(following, dark):
        return Sight(None, 0.3, name, float("nan"), solid=True)
    confidence = min(1.0, 0.6 + (following - nearest) / 100)
    return Sight(name, confidence, bank.symbols[int(order[1])], float("nan"), solid=True, dim=False)


def _hidden(
    sights: Sequence[Sight], middles: npt.NDArray[np.float64], which: npt.NDArray[np.int64], bank: Bank
) -> npt.NDArray[np.bool_]:
    """(which, 40, 40): where the icon of a neighbouring cell lies in the patches of some positions."""
    side = SIDE + 2 * _EDGE
    hidden = np.zeros((len(which), side, side), np.bool_)
    for j, sight in enumerate(sights):
        if not sight.symbol:
            continue
        alpha = bank.alphas[bank.symbols.index(sight.symbol)][:, :, 0]
        if sight.solid:
            alpha = np.ones_like(alpha)
        away = middles[j] - middles[which]
        for i in np.flatnonzero((np.abs(away).max(axis=1) <= _REACH_GUI) & (which != j)).tolist():
            dx, dy = away[i].tolist()
            shift = np.array([[1, 0, dx * PER_GUI + _EDGE], [0, 1, dy * PER_GUI + _EDGE]])
            moved = cv2.warpAffine(alpha, shift, (side, side))
            hidden[i] |= cv2.dilate(moved, np.ones((3, 3), np.uint8)) > _HIDES
    return hidden
