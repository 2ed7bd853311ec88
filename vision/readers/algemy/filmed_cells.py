"""What stands in one cell of a photographed board, as far as its shade, its colour and the light around tell.

Brightness and chroma are shares of the white around.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.colour import Named, chroma_of, nearest_hue
from vision.readers.algemy.gems import HUES
from vision.readers.algemy.squared import CELL_PX
from vision.reading import Mark

Numbers = npt.NDArray[np.float64]
Channels = npt.NDArray[np.float64]

# An empty cell has at most so much darkness and chroma.
PLAIN_DARKNESS, PLAIN_CHROMA = 0.02, 0.12
BLACK = 0.4
# Chroma in the middle of a cell that is dark; at its sides colour runs over.
NO_LIGHT_CHROMA, RUN_OVER_CHROMA = 0.06, 0.14
COLOURED, VIOLET, RING_CHROMA = 0.057, 0.1, 0.05
# An unlit brown crystal is black and nothing else, a source's core nearly so.
BLACK_CHROMA, BLACK_MEAN = 0.08, 0.42
# A gem is at least this dark on the whole. Where its lines leave the ring less bright than this, they alone can blacken a
# core, and make a white one yellowish.
LEAST_GEM, FAINT_LINES = 0.075, 0.865
# Black lines on white have no colour. What the picture gives them is its noise: a core's colour is so many times that, and
# with more noise than the second nothing is known to be black.
OVER_NOISE, MOST_NOISE = 9.5, 0.012
BROWN_VALUE = 0.5
# A gem full of colour has nothing as white as this on its ring, and its ground has this chroma.
FULL_WHITE, TINTED = 0.7, 0.1
LEAST_HUE_MARGIN, LEAST_VIOLET_MARGIN = 0.5, 0.7

_LINE = (np.arange(CELL_PX) + 0.5) / CELL_PX - 0.5
_X, _Y = np.meshgrid(_LINE, _LINE)
FROM_MIDDLE = np.hypot(_X, _Y)


def disc(radius: float, inner: float = -1.0) -> npt.NDArray[np.bool_]:
    """(CELL_PX, CELL_PX) the px of a cell that are so near to its middle, and no nearer than inner; in cells."""
    return np.asarray((radius > FROM_MIDDLE) & (inner < FROM_MIDDLE), np.bool_)


# The parts of a gem, from its core outwards.
CENTRE, BLACK_CORE, CORE, WITHIN = disc(0.15), disc(0.17), disc(0.2), disc(0.3)
RING, RIM, BODY = disc(0.36, 0.24), disc(0.42, 0.3), disc(0.4)
# The sides of a cell: from the first to the second from its middle, so wide to both sides.
_SIDE_FROM, _SIDE_TO, _SIDE_HALF = 0.28, 0.42, 0.3
_LEVEL = (np.abs(_Y) < _SIDE_HALF) & (np.abs(_X) < _SIDE_TO)
_UPRIGHT = (np.abs(_X) < _SIDE_HALF) & (np.abs(_Y) < _SIDE_TO)
_SIDES = [
    _UPRIGHT & (_Y < -_SIDE_FROM), _UPRIGHT & (_Y > _SIDE_FROM), _LEVEL & (_X < -_SIDE_FROM), _LEVEL & (_X > _SIDE_FROM),
]  # fmt: skip


def mark_of(patch: Channels, noise: float) -> Mark:
    """What stands in a cell, as far as the cell itself tells; a black core is in doubt, with X for the runner-up.

    noise: the colour that a grey place may have.
    """
    value, chromas = patch.max(axis=2), chroma_of(patch)
    if is_black(patch):
        return Mark(None, 0.0, "X")
    darkness = float(np.clip(1.0 - value[BODY], 0.0, 1.0).mean())
    if darkness < PLAIN_DARKNESS and float(np.quantile(chromas[WITHIN], 0.9)) < PLAIN_CHROMA:
        return Mark("", 0.9)
    # A mean, because single px of grey lines have a colour of their own by noise.
    shade = patch[CORE].mean(axis=0)
    coloured = float(np.ptp(shade) / shade.max())
    # Light that arrives is mixed into what little is seen of the core.
    light = max(float(np.quantile(chromas[side], 0.85)) for side in _SIDES)
    dark = light < RUN_OVER_CHROMA and float(chromas[RIM].mean()) < RING_CHROMA
    if dark and darkness > LEAST_GEM and coloured >= max(COLOURED, OVER_NOISE * noise):
        mark = named(shade)
        # A small core's yellow has been seen as orange, a white one's grey as yellow, and a pale blue as violet.
        sure = mark.symbol != "O" and (mark.symbol not in ("X", "Y") or _has_faint_lines(patch))
        sure = sure and (mark.symbol != "V" or coloured >= VIOLET)
        return mark if sure else Mark(None, 0.3, mark.symbol or mark.runner_up, "given")
    # White and a very faint yellow look the same.
    return Mark(None, 0.2, "W" if dark and darkness > 2 * PLAIN_DARKNESS else "")


def is_black(patch: Channels) -> bool:
    """Whether the middle of a cell is as dark as the core of a source, or of a brown crystal."""
    return float(patch[CENTRE].max(axis=1).mean()) < BLACK


def _has_faint_lines(patch: Channels) -> bool:
    """Whether the ring around a core is bright, so that the core's shade is its own and not that of lines."""
    return bool(patch.max(axis=2)[RING].mean() > FAINT_LINES)


def _bgr(shade: Numbers) -> tuple[float, float, float]:
    """A share of white as a colour, 0..255."""
    blue, green, red = (255 * float(part) for part in shade)
    return blue, green, red


def named(shade: Numbers) -> Mark:
    """The crystal of a colour."""
    named = nearest_hue(_bgr(shade), HUES)
    if is_unclear(named):
        return Mark(None, 0.3, named.name, "given")
    dark = shade.max() < BROWN_VALUE
    if dark and named.name == "R":
        return Mark(None, 0.3, "X", "given")
    letter = "X" if dark and named.name == "O" else named.name
    return Mark(letter, 0.6 + 0.3 * named.margin, named.runner_up, "given")


def is_full(patch: Channels, letter: str) -> bool:
    """Whether a gem is full of a colour: its ring has it, nothing on it is white, and the ground around is tinted."""
    corners = [np.rot90(patch, turns)[3:9, 3:9].mean(axis=(0, 1)) for turns in range(4)]
    ring = np.median(patch[RING], axis=0)
    dark = ring.max() < BROWN_VALUE and patch[CORE].max(axis=1).mean() < BROWN_VALUE
    hue = nearest_hue(_bgr(ring), HUES)
    named = hue.name == "O" if letter == "X" else hue.name == letter and not is_unclear(hue)
    return bool(
        named
        and dark == (letter == "X")
        and np.quantile(patch.min(axis=2)[RING], 0.95) < FULL_WHITE
        and np.mean([np.ptp(corner) for corner in corners]) > TINTED
    )


def is_unclear(hue: Named) -> bool:
    """Whether a hue may be another one: blue paint has some red in a photograph, and drifts towards violet."""
    return hue.margin < (LEAST_VIOLET_MARGIN if hue.name == "V" else LEAST_HUE_MARGIN)


def dark_core(patch: Channels, doubt: Mark, noise: float) -> Mark:
    """A brown crystal where a core is black and nothing else, though the lines around it are faint; in doubt otherwise."""
    core = patch[BLACK_CORE]
    black = core.max(axis=1).mean() < BLACK_MEAN and np.ptp(core, axis=1).max() < BLACK_CHROMA
    return Mark("X", 0.7, "", "given") if black and noise <= MOST_NOISE and _has_faint_lines(patch) else doubt
