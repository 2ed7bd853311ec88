"""A legend beside the figure tells the targets by colour: a swatch, a word or the number itself is of a ring's colour."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.frame import Box, Pixels
from vision.readers.rings.figure import Circle
from vision.readers.rings.label import Label
from vision.readers.rings.lines import Lines

Colours = npt.NDArray[np.float32]

# Of the largest of the three channels, 0..255: rings whose colours are nearer than this are not told apart by them,
# and ink is of a ring's colour when it is within half of the way to any other ring's, and as near as this.
DISTINCT, SAME = 40.0, 45.0
# So far to the left of its number a swatch or a word begins, in heights of the number.
REACH = 6.0
# Of the square of the height: so much ink is a swatch, or a digit; of all ink of ring colours there, one has this share.
LEAST_INK, MOSTLY = 0.06, 0.85
# Points along a ring's line at which its colour is looked at.
POINTS = 240


class _Shown(NamedTuple):
    """The colours of the rings and of the ground, (rings + 1, 3), and how near to one a pixel is of it."""

    colours: Colours
    near: float


def by_colour(pixels: Pixels, loose: Sequence[Label], lines: Lines) -> dict[int, Label]:
    """The target of every ring, by circle, from numbers that show its colour; empty where that is not beyond doubt.

    loose: what stands outside all rings and is no stock; pixels: (H, W, 3) uint8, BGR.
    """
    numbers = [label for label in loose if label.kind in ("number", "unclear", "question")]
    circles = lines.circles
    if len(numbers) != len(circles):
        return {}
    colours = np.stack(
        [_colour_of(pixels, circle, lines.drawn[i]) for i, circle in enumerate(circles)] + [_ground(pixels)]
    )
    nearest = min((float(np.abs(a - b).max()) for a, b in combinations(colours, 2)), default=0.0)
    if nearest < DISTINCT:
        return {}
    shown = _Shown(colours, min(SAME, nearest / 2))
    found: dict[int, Label] = {}
    for label in numbers:
        ring = _shown(pixels, label, numbers, shown, lines)
        if ring is None or ring in found:
            return {}
        found[ring] = label
    return found


def _ground(pixels: Pixels) -> Colours:
    """(3,) the usual colour of the picture's edge."""
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    return np.asarray(np.median(edge, axis=0), np.float32)


def _colour_of(pixels: Pixels, circle: Circle, drawn: npt.NDArray[np.bool_]) -> Colours:
    """(3,) the usual colour of a ring's line, where it is there."""
    turns = np.flatnonzero(drawn)
    if not len(turns):
        return np.full(3, np.inf, np.float32)
    angles = turns[np.linspace(0, len(turns) - 1, POINTS).astype(np.int64)] * (2 * math.pi / len(drawn))
    xs = np.clip((circle.x + circle.radius * np.cos(angles)).astype(np.int64), 0, pixels.shape[1] - 1)
    ys = np.clip((circle.y + circle.radius * np.sin(angles)).astype(np.int64), 0, pixels.shape[0] - 1)
    return np.asarray(np.median(pixels[ys, xs], axis=0), np.float32)


def _shown(pixels: Pixels, label: Label, numbers: Sequence[Label], shown: _Shown, lines: Lines) -> int | None:
    """The ring whose colour what stands on the left of a number has, or else the number itself."""
    box = label.box
    left = max(0, box.left - round(REACH * box.height))
    for other in numbers:
        end = other.box.left + other.box.width
        if other is not label and end <= box.left and abs(other.at.y - label.at.y) < box.height:
            left = max(left, end)
    for start, end in ((left, box.left), (box.left, box.left + box.width)):
        counts = _counts(pixels, Box(start, box.top, end - start, box.height), shown, lines)
        best, ink = int(counts.argmax()), int(counts.sum())
        if counts[best] >= LEAST_INK * box.height**2:
            return best if counts[best] >= MOSTLY * ink else None
    return None


def _counts(pixels: Pixels, area: Box, shown: _Shown, lines: Lines) -> npt.NDArray[np.int64]:
    """How many pixels of an area, outside the figure, have the colour of each ring."""
    window = pixels[area.top : area.top + area.height, area.left : area.left + area.width]
    xs = np.arange(area.left, area.left + window.shape[1])[None, :]
    ys = np.arange(area.top, area.top + window.shape[0])[:, None]
    beyond = np.ones(window.shape[:2], np.bool_)
    for c in lines.circles:
        beyond &= np.hypot(xs - c.x, ys - c.y) > c.radius + 2 * lines.line_px + 2
    away = np.abs(window[beyond][:, None].astype(np.float32) - shown.colours[None]).max(axis=2)
    ring = away.argmin(axis=1)
    counts = np.bincount(ring[away.min(axis=1) <= shown.near], minlength=len(shown.colours))
    return np.asarray(counts[: len(lines.circles)], np.int64)
