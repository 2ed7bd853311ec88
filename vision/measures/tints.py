"""What is drawn over a board in a colour of its own, and the picture without it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import count
from math import gcd

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest
from vision.eyesight import Region
from vision.frame import Pixels
from vision.grids import Grid
from vision.measures.likeness import COLOUR, bgr
from vision.measures.parts import Part, box_at, grounds, parts, parts_in, patches_at
from vision.scene import Scene

Mask = npt.NDArray[np.bool_]

# Less than this share of a picture, and than so many px, is no lines round all cells; it is told from each so many px, which
# do not stand one above the other.
LEAST, LEAST_LINES_PX, APART_PX = 0.001, 500, 9
# Marks of errors cover at most 0.06 of the golden and shared pictures that have some; what is red without being a mark 0.13 and
# more, and filling it in takes as long as five passes over the picture.
MOST = 0.1
# Soft edges of a colour have its tint by so many levels.
TINTED = 12
# A straight side is so long, what lies so near is beside it, and it is soft where more than this share lies there.
SIDE_PX, BESIDE_PX, SOFT = 12, 2, 0.1
# From this strength on what is drawn at the edge of a region goes on beyond it.
GOES_ON = 0.6
# A line has one colour, give or take so many levels (on a lighter ground 9), and a thin one is nowhere so thick.
EXACT, THICK_PX = 10, 4
# A quarter of the cells at least is light; a darker one has at most this share of their brightness.
LIGHT, DARKER = 75, 0.95
# How far round a px the ground is taken from.
AROUND_PX = 3


def covering(scene: Scene, rgb: str) -> bool:
    """Whether there is as much of a colour as lines round all cells have. Use as `scene.once(covering, rgb)`."""
    apart = next(px for px in count(APART_PX) if gcd(px, scene.size[0]) == 1)
    some = np.ascontiguousarray(scene.pixels.reshape(-1, 1, 3)[::apart])
    return cv2.countNonZero(_in(some, rgb)) >= max(LEAST * len(some), LEAST_LINES_PX / apart)


def unmarked(scene: Scene, rgb: str) -> Scene | None:
    """The picture with the ground in place of marks of errors. Use as `scene.once(unmarked, rgb)`.

    None where there are none with straight sides, where there is more than marks are, and where those sides are soft:
    resized or lossy, they leave traces beside them.
    """
    own = _in(scene.pixels, rgb)
    if not 0 < cv2.countNonZero(own) <= MOST * own.size:
        return None
    level = cv2.morphologyEx(own, cv2.MORPH_OPEN, np.ones((1, SIDE_PX), np.uint8))
    if not cv2.countNonZero(level):
        return None
    near = cv2.dilate(level, np.ones((2 * BESIDE_PX + 1, 1), np.uint8)) > 0
    soft = scene.once(tinted, rgb) & near & (own == 0)
    return None if soft.sum() > SOFT * cv2.countNonZero(level) else filled(scene, scene.once(tinted, rgb))


def without_thin(scene: Scene, rgb: str) -> Scene | None:
    """The picture with the ground in place of thin lines of just one colour; None where there are none, and where more than
    lines has it. Use as `scene.once(without_thin, rgb)`."""
    own = np.asarray(cv2.inRange(scene.pixels, bgr(rgb) - EXACT, bgr(rgb) + EXACT), np.uint8)
    if not cv2.countNonZero(own) or cv2.countNonZero(cv2.erode(own, np.ones((THICK_PX, THICK_PX), np.uint8))):
        return None
    return Scene(np.asarray(cv2.inpaint(scene.pixels, own, AROUND_PX, cv2.INPAINT_TELEA), np.uint8))


def entered(scene: Scene, grid: Grid, region: Region, wider: Region) -> dict[tuple[int, int], Part]:
    """The parts of a grid; what the region cuts of coloured entries, as it is in the wider one.

    Use as `scene.once(entered, grid, region, wider)`.
    """
    found = scene.once(parts, grid, region)
    return scene.each(
        grid,
        (entered, region, wider),
        list(found),
        lambda at: box_at(grid, *at, wider),
        lambda some: (
            {at: found[at] for at in some} | _uncut(scene, grid, {at: found[at] for at in some}, wider)
        ),
    )


def _uncut(
    scene: Scene, grid: Grid, found: Mapping[tuple[int, int], Part], wider: Region
) -> dict[tuple[int, int], Part]:
    """Those of some parts in which what is drawn goes on beyond them in colour, as that part of the wider region in which only
    colour counts."""
    cut = [at for at, part in found.items() if part.cut > GOES_ON and np.ptp(part.ink) > TINTED]
    patches = {}
    for at, patch in patches_at(scene.pixels, grid, cut, wider).items():
        coloured = patch.max(axis=2) - patch.min(axis=2) > TINTED
        patches[at] = np.asarray(np.where(coloured[..., None], patch, np.rint(found[at].ground)), np.uint8)
    return parts_in(patches)


def darker(scene: Scene, grid: Grid) -> set[tuple[int, int]]:
    """The cells, by row and column, whose ground is darker than that of the light ones."""
    levels = scene.once(grounds, grid).mean(axis=1)
    if len(levels) != grid.rows * grid.cols:
        return set()
    dark = np.flatnonzero(levels < DARKER * np.percentile(levels, LIGHT))
    return {divmod(cell, grid.cols) for cell in dark.tolist()}


def _in(pixels: Pixels, rgb: str) -> Pixels:
    """255 where the picture has a colour."""
    return np.asarray(cv2.inRange(pixels, bgr(rgb) - COLOUR, bgr(rgb) + COLOUR), np.uint8)


def filled(scene: Scene, mask: Mask) -> Scene:
    """The picture with the ground in place of the px (H, W) of a mask."""
    return Scene(
        np.asarray(cv2.inpaint(scene.pixels, mask.astype(np.uint8), AROUND_PX, cv2.INPAINT_TELEA), np.uint8)
    )


def lightened(scene: Scene, mask: Mask) -> Scene:
    """The picture with the lightest px near by, that of a light ground, in place of the px (H, W) of a mask of thin lines."""
    pixels, left = scene.pixels.copy(), mask.astype(np.uint8)
    pixels[mask] = 0
    for reach in (5, 9):
        near = cv2.dilate(pixels, np.ones((reach, reach), np.uint8))
        cv2.copyTo(near, left, pixels)
        left &= np.asarray(strongest(pixels) == 0, np.uint8)
    return Scene(pixels)


def tinted(scene: Scene, rgb: str) -> Mask:
    """(h, w) the px in which those channels lead that lead in a colour. Use as `scene.once(tinted, rgb)`."""
    wanted = bgr(rgb)
    channels = list(zip(cv2.split(scene.pixels), wanted > wanted.mean(), strict=True))
    leading, others = ([channel for channel, leads in channels if leads == lead] for lead in (True, False))
    return np.asarray(cv2.subtract(reduce(cv2.min, leading), reduce(cv2.max, others)) > TINTED, np.bool_)
