"""What stands in one cell of a photographed board, as far as its shade, its colour and the light around tell.

Brightness and chroma are shares of the white around.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.colour import hue_deg, nearest_hue, turned
from vision.readers.algemy.gems import HUES
from vision.readers.algemy.squared import CELL_PX, chroma_of
from vision.reading import Mark

Numbers = npt.NDArray[np.float64]
Channels = npt.NDArray[np.float64]

# An empty cell has at most so much darkness and chroma.
PLAIN_DARKNESS, PLAIN_CHROMA = 0.02, 0.05
BLACK = 0.28
# Chroma in the middle of a cell that light goes through, and of one that is dark; at its sides colour runs over.
LIGHT_CHROMA, NO_LIGHT_CHROMA = 0.16, 0.06
RUN_OVER_CHROMA = 0.14
COLOURED, VIOLET, RING_CHROMA = 0.057, 0.1, 0.05
UNEVEN = 0.1
# An unlit brown crystal is black and nothing else, a source's core nearly so.
BLACK_CHROMA, BLACK_MEAN, DARK_CORE = 0.08, 0.42, 0.5
# A gem is at least this dark on the whole. Where its lines leave the ring less bright than this, they alone can blacken a
# core, and make a white one yellowish.
LEAST_GEM, FAINT_LINES = 0.075, 0.865
# A gem full of colour has nothing as white as the first on its ring and nothing as bright as the second; a cell
# with light has something as white as the third.
FILLED_WHITE, FILLED_VALUE, WHITE = 0.7, 0.97, 0.85
SAME_SHADE, GROUND_CHROMA, SAME_HUE_DEG = 0.7, 0.08, 42.0
# Black lines on white have no colour. What the picture gives them is its noise: a core's colour is so many times that, and
# with more noise than the second nothing is known to be black.
OVER_NOISE, MOST_NOISE = 9.5, 0.012
# Where two beams cross it is not darker than this.
CROSSING = 0.4
BROWN_VALUE = 0.5
LEAST_HUE_MARGIN, LEAST_VIOLET_MARGIN = 0.5, 0.7

_LINE = (np.arange(CELL_PX) + 0.5) / CELL_PX - 0.5
_X, _Y = np.meshgrid(_LINE, _LINE)
FROM_MIDDLE = np.hypot(_X, _Y)
FROM_MIDDLE = np.hypot(_X, _Y)


def disc(radius: float, inner: float = -1.0) -> npt.NDArray[np.bool_]:
    """(CELL_PX, CELL_PX) the px of a cell that are so near to its middle, and no nearer than inner; in cells."""
    return np.asarray((radius > FROM_MIDDLE) & (inner < FROM_MIDDLE), np.bool_)


# The parts of a gem, from its core outwards.
HEART, CORE, RING, RIM = disc(0.12), disc(0.2), disc(0.34, 0.18), disc(0.42, 0.3)
WITHIN, BODY = disc(0.3), disc(0.4)
# The sides of a cell: from the first to the second from its middle, so wide to both sides; its corners.
_SIDE_FROM, _SIDE_TO, _SIDE_HALF = 0.28, 0.42, 0.3
_CORNER_AT, _CORNER_HALF = 0.38, 0.05
# Light that goes through is as strong everywhere as this share of the usual; of the cell so much is looked at across and along.
_UNBROKEN, _BEAM_HALF, _BEAM_LENGTH = 0.7, 0.35, 0.38
_MIDDLE_HALF, _MIDDLE_LENGTH = 0.2, 0.36
# So many places, and this share of those that a source shines on, must have its hue.
_FEWEST_LIT, _MOST_LIT = 3, 0.8
_NEAR_BORDER = (np.abs(_X) < _SIDE_TO) & (np.abs(_Y) < _SIDE_TO)
SIDES = {
    (-1, 0): _NEAR_BORDER & (np.abs(_X) < _SIDE_HALF) & (_Y < -_SIDE_FROM),
    (1, 0): _NEAR_BORDER & (np.abs(_X) < _SIDE_HALF) & (_Y > _SIDE_FROM),
    (0, -1): _NEAR_BORDER & (np.abs(_Y) < _SIDE_HALF) & (_X < -_SIDE_FROM),
    (0, 1): _NEAR_BORDER & (np.abs(_Y) < _SIDE_HALF) & (_X > _SIDE_FROM),
}
_CORNERS = [
    (np.abs(_X - _CORNER_AT * right) < _CORNER_HALF) & (np.abs(_Y - _CORNER_AT * low) < _CORNER_HALF)
    for right in (-1, 1)
    for low in (-1, 1)
]
_PAIRS = (((0, -1), (0, 1)), ((-1, 0), (1, 0)))


def mark_of(patch: Channels, noise: float) -> Mark:
    """What stands in a cell, as far as the cell itself tells; a black core is in doubt, with X for the runner-up.

    noise: the colour that a grey place may have.
    """
    value, chromas = patch.max(axis=2), chroma_of(patch)
    darkest = float(value[CORE].min())
    if darkest < BLACK:
        return Mark(None, 0.0, "X")
    darkness = float(np.clip(1.0 - value[BODY], 0.0, 1.0).mean())
    if darkness < PLAIN_DARKNESS and float(np.quantile(chromas[WITHIN], 0.9)) < PLAIN_CHROMA:
        return Mark("", 0.9)
    if is_filled(patch):
        return named(np.median(patch[WITHIN], axis=0))
    lit = {side: _light(patch, side)[0] for side in SIDES}
    through = [min(lit[side] for side in pair) > LIGHT_CHROMA for pair in _PAIRS]
    if any(through):
        # Where light crosses light, only what the light does beyond tells.
        across = through[0]
        straight = _straight(chromas if across else chromas.T) and _even(value if across else value.T)
        clear = not all(through) and straight and darkest > CROSSING and _whitest(patch) > WHITE
        return Mark("", 0.7) if clear else Mark(None, 0.2)
    # A mean, because single px of grey lines have a colour of their own by noise.
    shade = patch[CORE].mean(axis=0)
    coloured = float(np.ptp(shade) / shade.max())
    # Light that arrives is mixed into what little is seen of the core.
    dark = max(lit.values()) < RUN_OVER_CHROMA and float(chromas[RIM].mean()) < RING_CHROMA
    if dark and darkness > LEAST_GEM and coloured >= max(COLOURED, OVER_NOISE * noise):
        mark = named(shade)
        # A small core's yellow has been seen as orange, a white one's grey as yellow, and a pale blue as violet.
        sure = mark.symbol != "O" and (mark.symbol not in ("X", "Y") or _has_faint_lines(patch))
        sure = sure and (mark.symbol != "V" or coloured >= VIOLET)
        return mark if sure else Mark(None, 0.3, mark.symbol or mark.runner_up, "given")
    # White and a very faint yellow look the same.
    return Mark(None, 0.2, "W" if dark and darkness > 2 * PLAIN_DARKNESS else "")


def _light(patch: Channels, side: tuple[int, int]) -> tuple[float, tuple[float, float, float]]:
    """Chroma of the light at one side of a cell, where it is strongest, and its colour."""
    px = patch[SIDES[side]]
    chromas = px.max(axis=1) - px.min(axis=1)
    strongest = float(np.quantile(chromas, 0.85))
    blue, green, red = (255 * float(part) for part in np.median(px[chromas >= strongest], axis=0))
    return strongest, (blue, green, red)


def _straight(chromas: Numbers) -> bool:
    """Whether light goes through from left to right without a break."""
    along = chromas[np.abs(_LINE) < _BEAM_HALF][:, np.abs(_LINE) < _BEAM_LENGTH].mean(axis=0)
    return bool(along.min() > _UNBROKEN * np.median(along))


def _even(value: Numbers) -> bool:
    """Whether brightness does not change from left to right along the middle."""
    along = value[np.abs(_LINE) < _MIDDLE_HALF][:, np.abs(_LINE) < _MIDDLE_LENGTH].mean(axis=0)
    return float(np.ptp(along)) < UNEVEN


def _whitest(patch: Channels) -> float:
    """How white the whitest place is on the ring of a gem."""
    return float(np.quantile(patch.min(axis=2)[RING], 0.95))


def _has_faint_lines(patch: Channels) -> bool:
    """Whether the ring around a core is bright, so that the core's shade is its own and not that of lines."""
    return bool(patch.max(axis=2)[disc(0.36, 0.24)].mean() > FAINT_LINES)


def is_filled(patch: Channels) -> bool:
    """Whether a gem is full of colour: the whole cell is tinted, the core as the ring.

    Light alone leaves the room beside its beams white, and a gem that gets something else has a core of another shade.
    """
    value, chromas = patch.max(axis=2), chroma_of(patch)
    return bool(
        min(float(chromas[mask].mean()) for mask in _CORNERS) > GROUND_CHROMA
        and _whitest(patch) < FILLED_WHITE
        and np.quantile(value[RING], 0.97) < FILLED_VALUE
        and value[HEART].mean() > SAME_SHADE * np.median(value[RING])
        and chromas[HEART].mean() > SAME_SHADE * np.median(chromas[RING])
        and _is_of_one_hue(patch)
    )


def _is_of_one_hue(patch: Channels) -> bool:
    """Whether the corners and sides of a cell have the hue of its core."""
    core, *others = (hue_deg(_bgr(patch[mask].mean(axis=0))) for mask in (HEART, *_CORNERS, *SIDES.values()))
    return all(turned(hue, core) <= SAME_HUE_DEG for hue in others)


def _bgr(shade: Numbers) -> tuple[float, float, float]:
    """A share of white as a colour, 0..255."""
    blue, green, red = (255 * float(part) for part in shade)
    return blue, green, red


def named(shade: Numbers) -> Mark:
    """The crystal of a colour."""
    named = nearest_hue(_bgr(shade), HUES)
    # Blue paint has some red in a photograph, and drifts towards violet.
    if named.margin < (LEAST_VIOLET_MARGIN if named.name == "V" else LEAST_HUE_MARGIN):
        return Mark(None, 0.3, named.name, "given")
    dark = shade.max() < BROWN_VALUE
    if dark and named.name == "R":
        return Mark(None, 0.3, "X", "given")
    letter = "X" if dark and named.name == "O" else named.name
    return Mark(letter, 0.6 + 0.3 * named.margin, named.runner_up, "given")


def source_or_crystal(
    patch: Channels, rays: Sequence[Sequence[tuple[float, str]]], doubt: Mark, noise: float
) -> Mark:
    """What a black core is, by the light in the cells of its open sides."""
    core = patch[disc(0.17)]
    if any(ray[0][0] < NO_LIGHT_CHROMA for ray in rays):
        black = core.max(axis=1).mean() < BLACK_MEAN and np.ptp(core, axis=1).max() < BLACK_CHROMA
        return (
            Mark("X", 0.7, "", "given")
            if black and noise <= MOST_NOISE and _has_faint_lines(patch)
            else doubt
        )
    if any(ray[0][0] < LIGHT_CHROMA for ray in rays) or core.max(axis=1).mean() > DARK_CORE:
        return doubt
    hues = [hue for ray in rays for _, hue in ray if hue]
    ring = patch[disc(0.42, 0.22)]
    chromas = np.ptp(ring, axis=1)
    own = nearest_hue(_bgr(np.median(ring[chromas >= np.quantile(chromas, 0.8)], axis=0)), HUES)
    # Other light may cross the rays, so the source's own ring has to agree.
    for hue in dict.fromkeys(hues):
        enough = hues.count(hue) >= max(_FEWEST_LIT, _MOST_LIT * sum(map(len, rays)))
        if enough and own.name == hue and own.margin >= LEAST_HUE_MARGIN:
            return Mark(hue, 0.7, "", "placed")
    return doubt
