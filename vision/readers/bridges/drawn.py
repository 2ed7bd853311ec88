"""How islands are drawn: the ground they stand on, and their edge."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.frame import Pixels, Point
from vision.readers.bridges.discs import Disc
from vision.readers.bridges.lattice import SURE_ENOUGH

Colour = npt.NDArray[np.float32]

# Around an island, so many radii of its inner edge from the middle, mostly its ground is seen.
AROUND = (1.55, 1.85, 2.1, 2.4, 2.7)
# Levels by which the ground may differ over the board and still count as one colour; a shade that a plane explains
# leaves less than that, and less than this share of it.
ONE_COLOUR = 8.0
EXPLAINED = 0.5
LEAST_OF_SHADE = 6
# A place with this share of a ring is an island; so is one with a fuller ring that is as faint as this share of the
# others' contrast, where rings reach so far that they are more than a few px of a drawn lattice.
LOOKS_ROUND = 0.65
PALE_ROUND, PALE, PALE_PX = 0.85, 0.25, 7.0
LEAST_PALE = 16.0
LEAST_ANGLES = 8
CIRCLE = np.array([np.cos(np.arange(32) * np.pi / 16 + 0.1), np.sin(np.arange(32) * np.pi / 16 + 0.1)])


class Ground(NamedTuple):
    """The colour behind the board: one, or a shade from side to side.

    colour: (3,) in the middle of the board; slope: (2, 3) levels per px to the right and down; x, y: that middle.
    """

    colour: Colour
    slope: Colour
    x: float
    y: float

    def at(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Colour:
        """(..., 3) the colour at places in px."""
        if not self.slope.any():
            return self.colour
        away = np.stack(np.broadcast_arrays(np.subtract(x, self.x), np.subtract(y, self.y)), axis=-1)
        return np.asarray(self.colour + away.astype(np.float32) @ self.slope, np.float32)


class Ring(NamedTuple):
    """How islands are drawn.

    outer: the radius to which they reach; width, contrast: of their edge, in px and levels.
    ink: the contrast of the edge, summed over px from its inside to its outside; blurring leaves that as it is.
    """

    outer: float
    width: float
    contrast: float
    ink: float


def ground_of(pixels: Pixels, discs: Collection[Disc]) -> Ground:
    """The ground that the islands tell: a plane through the colours around them, where one colour does not do."""
    around = grounds_around(pixels, discs)
    places = np.array([(d.x, d.y) for d in discs], np.float32)
    x, y = (float(at) for at in places.mean(axis=0))
    usual = np.median(around, axis=0)
    off = np.abs(around - usual).max(axis=1)
    one = Ground(usual, np.zeros((2, 3), np.float32), x, y)
    if len(around) < LEAST_OF_SHADE or np.median(off) <= ONE_COLOUR:
        return one
    terms = np.column_stack([np.ones(len(places)), places - (x, y)])
    plane = np.linalg.lstsq(terms, around, rcond=None)[0]
    near = np.abs(around - terms @ plane).max(axis=1) <= ONE_COLOUR
    if near.sum() >= LEAST_OF_SHADE:
        plane = np.linalg.lstsq(terms[near], around[near], rcond=None)[0]
    left = float(np.median(np.abs(around - terms @ plane).max(axis=1)))
    if left > min(ONE_COLOUR, EXPLAINED * float(np.median(off))):
        return one
    return Ground(plane[0].astype(np.float32), plane[1:].astype(np.float32), x, y)


def grounds_around(pixels: Pixels, discs: Collection[Disc]) -> Colour:
    """(discs, 3) the colour around each."""
    height, width = pixels.shape[:2]
    found = []
    for disc in discs:
        x, y = (
            at + disc.radius * np.outer(AROUND, direction).ravel()
            for at, direction in zip((disc.x, disc.y), CIRCLE, strict=True)
        )
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        seen = pixels[y[inside].astype(int), x[inside].astype(int)]
        found.append(np.median(seen, axis=0) if len(seen) else np.zeros(3))
    return np.asarray(found, np.float32)


def looks_like_island(pixels: Pixels, at: Point, ring: Ring, ground: Ground) -> bool:
    """Whether there is a ring or disc like an island's, with the board's background around it."""
    shares = [(0.5 * ring.contrast, LOOKS_ROUND)]
    if ring.outer >= PALE_PX:
        shares.append((max(PALE * ring.contrast, LEAST_PALE), PALE_ROUND))
    for levels, least in shares:
        on = _on_circle(pixels, at, _edge(ring), levels, ground)
        around = _on_circle(pixels, at, ring.outer + max(1.5, 0.1 * ring.outer), levels, ground)
        if on is not None and around is not None and on >= least and around <= 1 - LOOKS_ROUND:
            return True
    return False


def is_island(pixels: Pixels, disc: Disc, ring: Ring, ground: Ground) -> bool:
    """Whether a circle has a sure number or else an island's edge; bridges that cross between others leave neither."""
    if disc.number.confidence >= SURE_ENOUGH:
        return True
    on = _on_circle(pixels, Point(disc.x, disc.y), _edge(ring), 0.5 * ring.contrast, ground)
    return on is None or on >= 0.5


def _edge(ring: Ring) -> float:
    """The radius in the middle of an island's edge."""
    return ring.outer - min(0.5 * ring.width, 0.2 * ring.outer)


def _on_circle(pixels: Pixels, at: Point, radius: float, levels: float, ground: Ground) -> float | None:
    """The share of a circle that is so many levels from the background; None where the picture ends."""
    height, width = pixels.shape[:2]
    x = (at.x + radius * CIRCLE[0]).astype(int)
    y = (at.y + radius * CIRCLE[1]).astype(int)
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    if inside.sum() < LEAST_ANGLES:
        return None
    away = np.abs(pixels[y[inside], x[inside]].astype(np.float32) - ground.at(x[inside], y[inside])).max(
        axis=1
    )
    return float((away >= levels).mean())


def ring_of(pixels: Pixels, discs: Sequence[Disc], radius: float, pitch: float, ground: Ground) -> Ring:
    """How islands are drawn; `radius` is that of the circle found inside them."""
    angles = np.arange(24) * (2 * np.pi / 24) + 0.13
    steps = np.arange(0.6 * radius, min(0.75 * pitch, 1.5 * radius) + 2, 0.5)
    height, width = pixels.shape[:2]
    levels = []
    for disc in discs:
        x = np.clip((disc.x + steps[:, None] * np.cos(angles)).astype(int), 0, width - 1)
        y = np.clip((disc.y + steps[:, None] * np.sin(angles)).astype(int), 0, height - 1)
        levels.append(
            np.median(np.abs(pixels[y, x].astype(np.float32) - ground.at(disc.x, disc.y)).max(axis=2), axis=1)
        )
    usual = np.median(np.stack(levels), axis=0)
    outside = steps >= 0.85 * radius
    top = float(usual[outside].max())
    dark = usual >= 0.5 * top
    beyond = np.flatnonzero(dark & outside)
    if len(beyond) == 0:
        return Ring(radius, 0.0, top, 0.0)
    inside = np.flatnonzero(~dark[: beyond[-1]])
    inner = steps[inside[-1]] if len(inside) else 0.0
    edge = (steps >= inner - 1) & (steps <= steps[beyond[-1]] + 1.5)
    ink = 0.5 * float(usual[edge].sum())
    return Ring(float(steps[beyond[-1]]), float(steps[beyond[-1]] - inner), top, ink)
