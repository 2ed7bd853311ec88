"""How islands are drawn: the ground they stand on, the contrast of everything to it, and their edge."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from solver.lattice import Square
from vision.colour import away_from
from vision.frame import Box, Pixels
from vision.readers.bridges.discs import Disc

Colour = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

# Around an island, so many radii of its inner edge from the middle, mostly its ground is seen; beyond a broad edge so many.
AROUND, BEYOND = (1.55, 1.85, 2.1, 2.4, 2.7), (2.4, 2.7, 3.0, 3.3)
# A place with this share of a ring is an island, and clearly so with the second. One that changes may be as faint as the first
# of these shares of the others' contrast.
LOOKS_ROUND, CLEARLY_ROUND = 0.65, 0.8
PALE, LEAST_PALE = 0.25, 16.0
LEAST_ANGLES = 8
# The sides of a hexagon are so far from its middle where its corners are as far as a circle's edge.
SIDES = 0.87
# A number so sure makes an island whatever its edge.
SURE_ENOUGH = 0.75
# Levels from the ground under which islands have no edge.
LEAST_EDGE = 10.0
# So many islands tell how all are drawn.
ENOUGH = 24
CIRCLE = np.array([np.cos(np.arange(32) * np.pi / 16 + 0.1), np.sin(np.arange(32) * np.pi / 16 + 0.1)])
# What shows of an island that is hidden for the most part is at least this share of its edge.
ARC = 0.3
# A ring's px have this share of its contrast.
DRAWN = 0.5
# Half of an island's number may be hidden. The surroundings of a ring begin at this share of its radius.
HIDDEN, OUTSIDE_FROM = 0.5, 0.85
# So many px beyond its ring an island ends.
SOFT_PX = 1.5


@dataclass(frozen=True, eq=False)
class Contrast:
    """By how many levels a part of the picture differs from the board's ground.

    box: the part, in px of the picture. away: (height, width) uint8, in the strongest channel; grey: in brightness.
    """

    box: Box
    away: Pixels
    grey: Pixels

    def levels(self, x: Floats, y: Floats) -> tuple[Pixels, npt.NDArray[np.bool_]]:
        """`away` at places in px of the picture, and which of them are in the box; 0 elsewhere."""
        col, row = np.floor(x - self.box.left).astype(int), np.floor(y - self.box.top).astype(int)
        inside = (col >= 0) & (row >= 0) & (col < self.box.width) & (row < self.box.height)
        if inside.all():
            return self.away[row, col], inside
        seen = self.away[np.where(inside, row, 0), np.where(inside, col, 0)]
        return np.where(inside, seen, 0).astype(np.uint8), inside


def contrast_of(pixels: Pixels, ground: Colour, box: Box) -> Contrast:
    """The contrast to the ground in a part of the picture."""
    part = pixels[box.window]
    if not part.size:
        return Contrast(box, np.zeros(part.shape[:2], np.uint8), np.zeros(part.shape[:2], np.uint8))
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    shade = cv2.cvtColor(np.clip(np.rint(ground), 0, 255).astype(np.uint8)[None, None], cv2.COLOR_BGR2GRAY)
    return Contrast(
        box,
        away_from(part, ground),
        np.asarray(cv2.absdiff(grey, np.broadcast_to(shade, grey.shape)), np.uint8),
    )


class Ring(NamedTuple):
    """How islands are drawn.

    outer: the radius to which they reach; width, contrast: of their edge, in px and levels.
    ink: the contrast of the edge, summed over px from its inside to its outside; blurring leaves that as it is.
    """

    outer: float
    width: float
    contrast: float
    ink: float


def ground_of(pixels: Pixels, discs: Collection[Disc]) -> Colour:
    """(3,) the colour of the ground that the islands stand on, BGR: around them, or beyond a broad edge, if more has that."""
    near, far = (
        np.asarray(np.median(grounds_around(pixels, discs, radii), axis=0), np.float32)
        for radii in (AROUND, BEYOND)
    )
    if np.abs(near - far).max() < LEAST_EDGE:
        return near
    lefts, tops = ([int(at) for at in one] for one in zip(*((disc.x, disc.y) for disc in discs), strict=True))
    part = np.ascontiguousarray(
        pixels[max(min(tops), 0) : max(tops) + 1, max(min(lefts), 0) : max(lefts) + 1]
    )
    seen = [np.count_nonzero(away_from(part, ground) < LEAST_EDGE) for ground in (near, far)]
    return far if seen[1] > seen[0] else near


def grounds_around(pixels: Pixels, discs: Collection[Disc], radii: Sequence[float] = AROUND) -> Colour:
    """(discs, 3) the colour around each, so many radii from its middle."""
    height, width = pixels.shape[:2]
    x, y, radius = np.array([(d.x, d.y, d.radius) for d in discs], np.float64).T[..., None]
    at_x = (x + radius * np.outer(radii, CIRCLE[0]).ravel()).astype(int)
    at_y = (y + radius * np.outer(radii, CIRCLE[1]).ravel()).astype(int)
    inside = (at_x >= 0) & (at_y >= 0) & (at_x < width) & (at_y < height)
    seen = pixels[np.clip(at_y, 0, height - 1), np.clip(at_x, 0, width - 1)]
    found = np.median(seen, axis=1).astype(np.float32)
    for nth in np.flatnonzero(~inside.all(axis=1)).tolist():
        found[nth] = np.median(seen[nth, inside[nth]], axis=0) if inside[nth].any() else 0
    return np.asarray(found, np.float32)


def look_like_islands(
    contrast: Contrast,
    x: Floats,
    y: Floats,
    ring: Ring,
    *,
    clearly: npt.NDArray[np.bool_],
    cornered: bool = False,
) -> npt.NDArray[np.bool_]:
    """Where there is a ring or disc like an island's, with the board's background around it.

    clearly: where nothing less will do, as where letters of a heading stand. cornered: islands are hexagons or the like.
    """
    edge = _edge(ring)
    radii = np.arange(SIDES * edge, edge + 1) if cornered else edge
    on = _on_circle(contrast, x, y, radii, 0.5 * ring.contrast)
    around = shares_around(contrast, x, y, ring, 0.5 * ring.contrast)
    # Where the picture ends there is no share, and nothing is as large as that.
    found = (on >= LOOKS_ROUND) & (around <= 1 - LOOKS_ROUND)
    # The edge may be a px off its place, and is there all around.
    near = [_on_circle(contrast, x, y, edge + off, 0.5 * ring.contrast) for off in (-1, 0, 1)]
    return np.asarray(found & (~clearly | (np.max(near, axis=0) >= CLEARLY_ROUND)))


def arcs_of_islands(contrast: Contrast, x: Floats, y: Floats, ring: Ring) -> npt.NDArray[np.bool_]:
    """Where a good part of an island's edge shows in one piece, with the board's background around it: the rest is hidden."""
    radii = np.array([_edge(ring), ring.outer + SOFT_PX + 1])[:, None, None]
    levels, _ = contrast.levels(x[:, None] + radii * CIRCLE[0], y[:, None] + radii * CIRCLE[1])
    seen, beyond = levels >= DRAWN * ring.contrast
    # From any angle on, all the way round.
    count = CIRCLE.shape[1]
    steps = np.arange(count)[:, None] + np.arange(round(ARC * count))
    return np.asarray((seen & ~beyond)[:, steps % count].all(axis=2).any(axis=1))


def are_cornered(contrast: Contrast, discs: Collection[Disc], ring: Ring) -> bool:
    """Whether the edges of islands are on no circle."""
    x, y = np.array([(d.x, d.y) for d in discs], np.float64).T
    return bool(
        ring.width and np.nanmedian(edge_shares(contrast, x, y, ring, 0.5 * ring.contrast)) < LOOKS_ROUND
    )


def are_islands(contrast: Contrast, discs: Sequence[Disc], ring: Ring) -> list[bool]:
    """Which circles have a sure number or else an island's edge; bridges that cross between others leave neither."""
    x, y = np.array([(d.x, d.y) for d in discs], np.float64).T
    on = edge_shares(contrast, x, y, ring, 0.5 * ring.contrast)
    return [
        disc.number.confidence >= SURE_ENOUGH or not share < HIDDEN
        for disc, share in zip(discs, on.tolist(), strict=True)
    ]


def half_hidden(contrast: Contrast, discs: Mapping[Square, Disc], ring: Ring) -> set[Square]:
    """The islands of whose edge less than half shows of what the others' do.

    Something covers them, and their numbers perhaps.
    """
    x, y = np.array([(d.x, d.y) for d in discs.values()], np.float64).T
    shares = edge_shares(contrast, x, y, ring, 0.5 * ring.contrast)
    usual = np.nanmedian(shares)
    if not usual >= LOOKS_ROUND:
        return set()
    return {at for at, share in zip(discs, shares.tolist(), strict=True) if share < HIDDEN * usual}


def edge_shares(contrast: Contrast, x: Floats, y: Floats, ring: Ring, levels: float) -> Floats:
    """The share of an island's edge that is so many levels from the ground at each place; NaN off the picture."""
    return _on_circle(contrast, x, y, _edge(ring), levels)


def shares_around(contrast: Contrast, x: Floats, y: Floats, ring: Ring, levels: float) -> Floats:
    """The same just outside the edge."""
    return _on_circle(contrast, x, y, ring.outer + max(1.5, 0.1 * ring.outer), levels)


def _edge(ring: Ring) -> float:
    """The radius in the middle of an island's edge."""
    return ring.outer - min(0.5 * ring.width, 0.2 * ring.outer)


def _on_circle(contrast: Contrast, x: Floats, y: Floats, radii: float | Floats, levels: float) -> Floats:
    """The share of angles at which a radius is so many levels from the background; NaN where too little is on the picture."""
    reach = np.reshape(radii, (-1, 1, 1))
    seen, inside = contrast.levels(x[:, None] + reach * CIRCLE[0], y[:, None] + reach * CIRCLE[1])
    count = inside.any(axis=0).sum(axis=1)
    share = ((seen >= levels) & inside).any(axis=0).sum(axis=1) / np.maximum(count, 1)
    return np.where(count >= LEAST_ANGLES, share, np.nan)


def ring_of(contrast: Contrast, discs: Sequence[Disc], radius: float, pitch: float) -> Ring:
    """How islands are drawn; `radius` is that of the circle found inside them."""
    some = discs[:: max(1, len(discs) // ENOUGH)]
    angles = np.arange(24) * (2 * np.pi / 24) + 0.13
    # Islands side by side are closer than they are wide; the circle itself is looked at all the same.
    steps = np.arange(0.6 * radius, max(radius, min(0.75 * pitch, 1.5 * radius)) + 2, 0.5)
    x, y = np.array([(d.x, d.y) for d in some], np.float64).T
    box = contrast.box
    at_x = np.clip(x[:, None, None] + steps[:, None] * np.cos(angles), box.left, box.right - 1)
    at_y = np.clip(y[:, None, None] + steps[:, None] * np.sin(angles), box.top, box.bottom - 1)
    seen, _ = contrast.levels(at_x, at_y)
    usual = np.median(np.median(seen, axis=2), axis=0)
    outside = steps >= OUTSIDE_FROM * radius
    top = float(usual[outside].max())
    if top < LEAST_EDGE:
        # Bare numbers.
        return Ring(radius, 0.0, 0.0, 0.0)
    dark = usual >= DRAWN * top
    beyond = np.flatnonzero(dark & outside)
    inside = np.flatnonzero(~dark[: beyond[-1]])
    inner = steps[inside[-1]] if len(inside) else 0.0
    edge = (steps >= inner - 1) & (steps <= steps[beyond[-1]] + SOFT_PX)
    ink = 0.5 * float(usual[edge].sum())
    return Ring(float(steps[beyond[-1]]), float(steps[beyond[-1]] - inner), top, ink)
