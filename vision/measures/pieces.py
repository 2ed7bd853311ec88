"""Pieces of a colour in a cell, and numbers that stand somewhere beside a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from solver.errors import InvalidPuzzle
from vision import digits
from vision.components import components
from vision.eyesight import Region
from vision.frame import Pixels
from vision.grids import Grid
from vision.measures.edges import near_edges, partly_off
from vision.measures.likeness import bgr
from vision.measures.parts import Part, Place, box_at
from vision.reading import Mark
from vision.scene import Scene

# A number as sure as this is one.
SURE_ENOUGH = 0.6
# A face is so wide and so high in shares of what is looked at, the smaller one of a note so wide; less is an edge of
# writing. Faces stand in the middle from side to side, notes so far from it, each give or take so much.
FACE, NOTE, CORNER, OFF = ((0.6, 0.85), (0.5, 0.85)), (0.15, 0.52), 0.3, (0.14, 0.08)

# Left, top, right and bottom in shares of a patch.
Sides = tuple[float, float, float, float]


def shaded(
    colours: Mapping[str, str], light: str, cells: Sequence[Part]
) -> dict[str, npt.NDArray[np.float64]]:
    """(3,) BGR of colours that are told for cells of one ground, `light`, where most cells have another one."""
    ground = np.median([cell.ground for cell in cells], axis=0) if cells else bgr(light)
    return {name: bgr(rgb) * ground / bgr(light) for name, rgb in colours.items()}


def faces(
    found: Mapping[Place, Part], colours: Mapping[str, npt.NDArray[np.float64]], levels: int
) -> dict[Place, Mark]:
    """The marks of the places that show a face of some colours, or notes of small ones; in doubt where it is neither."""
    marks = {}
    for place, part in found.items():
        name, form = face_in(part.patch, colours, levels)
        if form == "whole":
            marks[place] = Mark(name, 1.0, state="placed")
        elif form != "none":
            marks[place] = Mark("", 1.0) if form == "note" else Mark(None, 0.0)
    return marks


def face_in(
    patch: Pixels, colours: Mapping[str, npt.NDArray[np.float64]], levels: int
) -> tuple[str, Literal["whole", "note", "broken", "none"]]:
    """Which of several faces a patch shows, and how; each is known by its colour, BGR give or take so many levels.

    whole: a face in the middle from side to side. note: only small ones in corners. broken: neither, nor nothing.
    """
    faces = {name: _largest(patch, colour, levels) for name, colour in colours.items()}
    name, face = max(faces.items(), key=lambda item: _size(item[1]))
    if _size(face) <= NOTE[0]:
        return name, "none"
    wide, high = face[2] - face[0], face[3] - face[1]
    in_size = FACE[0][0] <= wide <= FACE[0][1] and FACE[1][0] <= high <= FACE[1][1]
    if in_size and _off_middle(face)[0] <= OFF[0]:
        return name, "whole"
    notes = all(_in_corner(one) for one in faces.values() if _size(one) > NOTE[0])
    return name, "note" if notes else "broken"


def _size(box: Sides) -> float:
    """The larger side of a piece."""
    return max(box[2] - box[0], box[3] - box[1])


def _in_corner(box: Sides) -> bool:
    """Whether a piece is the face of a note."""
    return _size(box) <= NOTE[1] and all(abs(off - CORNER) <= OFF[1] for off in _off_middle(box))


def _off_middle(box: Sides) -> tuple[float, float]:
    """How far the middle of a piece is from that of the patch, across and down."""
    return abs(box[0] + box[2] - 1) / 2, abs(box[1] + box[3] - 1) / 2


def _largest(patch: Pixels, colour: npt.NDArray[np.float64], levels: int) -> Sides:
    """The largest piece of a colour; nothing in the middle where there is none."""
    mask = np.asarray(cv2.inRange(patch, colour - levels, colour + levels), np.uint8)
    if not cv2.countNonZero(mask):
        return 0.5, 0.5, 0.5, 0.5
    stats = components(mask).stats
    pieces = stats[1:, : cv2.CC_STAT_AREA] / np.tile(patch.shape[1::-1], 2)
    left, top, wide, high = pieces[pieces[:, 2:].max(axis=1).argmax()].tolist()
    return left, top, left + wide, top + high


def numbers_at(scene: Scene, grid: Grid, regions: Sequence[Region]) -> list[int]:
    """The numbers in regions that are told in cells from the grid's corner. Raises InvalidPuzzle where one cannot be read,
    PartlyOff where one is not on the picture."""
    inks = []
    for region in regions:
        box = box_at(grid, 0, 0, region)
        if cut := near_edges(box, scene.size, 0):
            raise partly_off(f"a number beside the board is cut by the {cut[0]} edge of the picture")
        inks.append(digits.ink_of(scene.pixels[box.window]))
    read = digits.read_numbers(inks)
    values = [
        number.value for number in read if number.value is not None and number.confidence >= SURE_ENOUGH
    ]
    if len(values) < len(read):
        raise InvalidPuzzle("a number beside the board cannot be read")
    return values
