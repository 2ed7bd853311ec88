"""What speaks for an Algemy board: coloured gems in some cells of a lattice of lines, on a screen or on a photograph of one."""

from __future__ import annotations

from itertools import islice

import cv2
import numpy as np
import numpy.typing as npt

from vision.components import components
from vision.errors import BoardNotFound
from vision.frame import Box
from vision.readers.algemy.filmed import on_film, unread
from vision.readers.algemy.found import Found
from vision.readers.algemy.lattice import find_boards
from vision.readers.algemy.paper import COLOUR_CHROMA, sheets
from vision.readers.algemy.screen import filmed_board
from vision.scene import Claim, Scene

# A level has at least so many gems; specks of fewer px are none.
LEAST_GEMS, LEAST_SPOT_PX = 2, 9
# A gem's colour is seen in the middle of its cell: this share of the pitch to each side.
MIDDLE = 0.25
# Grounds and contrasts that are tried; more of them are for the reader, once there is reason to look closely.
MOST_SHEETS = 3
# Cells of a board are mostly free of colour or mostly lit; what has gems in all of them is a menu or a picture.
MOST_COLOURED = 0.95
# What is read of a film speaks for a board by the share that is known: of 1,340 other pictures with colours 25 had such lines,
# and on none of those was a board read.
ON_SCREEN, PHOTOGRAPHED = 0.9, 0.5
# Normals of the lines of both lattices, and how near to them an edge runs along a line. Stronger edges count no more.
SQUARE_DEG, HEX_DEG, NEAR_DEG = (0, 90), (0, 60, 120), 7
EDGE, MOST_EDGE = 40.0, 300.0
# Each direction of a lattice has this share of its part of the edges: boards 0.62 and more; squares everywhere, but a
# honeycomb's 0.31 at most in other pictures without one. Cubes on squares add 0.21 and more, other things 0.1 and less.
STRAIGHT, CUBES = 0.5, 0.14


def claim(scene: Scene) -> Claim | None:
    """A lattice with gems in it; None where there is none."""
    coarse = scene.coarse
    if coarse.once(_spots) < LEAST_GEMS:
        return None
    honeycombs = _along(coarse.once(_directions), HEX_DEG) >= STRAIGHT
    for sheet in islice(sheets(coarse.pixels), MOST_SHEETS if is_drawn(scene) else 0):
        for found in find_boards(sheet, honeycombs=honeycombs):
            gems = _gems(coarse, found)
            if LEAST_GEMS <= gems <= MOST_COLOURED * sum(map(len, found.rows)):
                what = "hexagonal" if found.shape == "hex" else "square"
                box = _around(found, scene.factor).clipped(scene.size)
                return Claim(box, ON_SCREEN, f"a {what} lattice of lines with {gems} coloured cells")
    filmed, seen = scene.once(filmed_board), scene.once(on_film)
    if filmed is None or seen is None:
        return None
    left, top = (min(at[axis] for at in filmed.corners) for axis in (0, 1))
    right, bottom = (max(at[axis] for at in filmed.corners) for axis in (0, 1))
    box = Box(int(left), int(top), max(1, int(right - left)), max(1, int(bottom - top)))
    known = PHOTOGRAPHED if isinstance(seen, BoardNotFound) else 1 - unread(list(seen.marks.values()))
    return Claim(box, known, "a photographed screen with a lattice of lines")


def is_drawn(scene: Scene) -> bool:
    """Whether most edges run along the lines of a board that is seen straight, and some as those of gems do."""
    squares, hexagons = (_along(scene.coarse.once(_directions), angles) for angles in (SQUARE_DEG, HEX_DEG))
    # Gems are cubes, whose edges run as those of a honeycomb do.
    return hexagons >= STRAIGHT or (squares >= STRAIGHT and hexagons >= CUBES)


def _directions(coarse: Scene) -> npt.NDArray[np.float64]:
    """(180,) how strong the colourless edges are that run across each direction, in degrees; all together 1."""
    shades = cv2.GaussianBlur(coarse.shades, (3, 3), 0)
    dx, dy = (cv2.Sobel(shades, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
    edges = cv2.subtract(coarse.light, coarse.dark) < COLOUR_CHROMA
    edges &= np.asarray(cv2.magnitude(dx, dy)) >= EDGE
    across, down = dx[edges], dy[edges]
    angle = np.asarray(np.degrees(np.arctan2(down, across)) % 180, np.int64) % 180
    usual = np.bincount(angle, np.minimum(np.hypot(across, down), MOST_EDGE), 180)
    return np.asarray(usual / max(1.0, float(usual.sum())), np.float64)


def _along(directions: npt.NDArray[np.float64], angles_deg: tuple[int, ...]) -> float:
    """Share of the edges that run across these directions and no others, told by the least of them, 0..1."""
    near = [[(at + off) % 180 for off in range(-NEAR_DEG, NEAR_DEG + 1)] for at in angles_deg]
    return min(float(directions[own].sum()) for own in near) * len(angles_deg)


def _spots(coarse: Scene) -> int:
    """How many pieces of strong colour there are."""
    colour = (cv2.subtract(coarse.light, coarse.dark) >= COLOUR_CHROMA).astype(np.uint8)
    stats = components(colour).stats
    return int((stats[1:, cv2.CC_STAT_AREA] >= LEAST_SPOT_PX).sum())


def _gems(coarse: Scene, found: Found) -> int:
    """In how many cells of the lattice the middle has a strong colour."""
    half = max(1, round(MIDDLE * found.pitch_px))
    gems = 0
    for row in found.rows:
        for at in row:
            box = Box(round(at.x) - half, round(at.y) - half, 2 * half, 2 * half).clipped(coarse.size)
            # Of a part that is beyond the picture OpenCV tells nothing.
            chroma = coarse.light[box.window] - coarse.dark[box.window]
            gems += int((chroma >= COLOUR_CHROMA).sum()) >= LEAST_SPOT_PX
    return gems


def _around(found: Found, factor: int) -> Box:
    """The board in px of the whole picture."""
    places = [at for row in found.rows for at in row]
    return Box(*(factor * side for side in Box.around(*(Box.about(at, found.pitch_px / 2) for at in places))))
