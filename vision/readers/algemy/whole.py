"""Whether a board and its cells are seen whole: nothing of them beyond the picture's edge, nothing over their borders."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from vision.errors import UncertainReading
from vision.frame import Box
from vision.measures.edges import SIDES, near_edges, partly_off
from vision.readers.algemy.found import Found
from vision.readers.algemy.paper import Paper

Numbers = npt.NDArray[np.float64]

# A board goes on where its lines are seen again beyond it, each for itself: from this far behind its outer line up to that
# far, in cells, for so much of a cell, and so many of them; each within this reach. Where so much of the picture's edge
# is ink, a line lies on it.
AFTER_LINE, BEYOND, SHORTEST = 0.05, 2.5, 0.02
RUNNING_ON, LEAST_LINES, OFF_PLACE, ON_EDGE = 0.6, 2, 0.08, 0.5
# The same where more than a cell is seen beyond the board: nearly all lines, no fewer than so many, and so long.
ALL_LINES, LEAST_FAR, LONG = 0.8, 4, 0.08
# Corners of a cell, in cells from its middle, clockwise.
CORNERS = {
    "square": ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)),
    "hex": tuple(
        (math.sin(math.radians(60 * i)) / math.sqrt(3), -math.cos(math.radians(60 * i)) / math.sqrt(3))
        for i in range(6)
    ),
}
# Places along a border that are looked at, as shares of it; a line is within this reach of its place, and what is beside it
# this far away, in cells. A gem comes nearer than that at its own corners only.
PLACES = np.linspace(0.12, 0.88, 13)
LINE_REACH, BESIDE = 0.04, 0.09
# A line is there where it is so much of the usual line darker than what is beside it. So much of a border that no light
# hides must be, where so many places can be seen.
LINE_SHARE, LEAST_SHOWN, LEAST_SEEN = 0.35, 0.7, 5


def refuse_cut(sheet: Paper, found: Found) -> None:
    """Raises UncertainReading for a board that goes on beyond the picture, or beyond what lies over it."""
    height, width = sheet.ink.shape
    pitch = found.pitch_px
    corners = np.array(CORNERS[found.shape]) * pitch
    points = np.array([at for row in found.rows for at in row])
    low, high = points.min(axis=0) + corners.min(axis=0), points.max(axis=0) + corners.max(axis=0)
    lengths = [len(row) for row in found.rows]
    if found.shape == "hex" and lengths != lengths[::-1]:
        raise UncertainReading(
            f"a board with rows of {', '.join(map(str, lengths))} cells is no whole hexagon: something covers the rest",
            hint="show the board without anything over it",
        )
    # The game's boards without hexagons are squares.
    less = len(lengths) - max(lengths) if found.shape == "square" else 0
    short = ("top", "bottom") if less < 0 else ("left", "right") if less > 0 else ()
    board = Box(*np.floor(low).astype(int).tolist(), *np.ceil(high - low).astype(int).tolist())
    for side in SIDES:
        # Seen with the side on top.
        turns = {"left": 3, "top": 0, "right": 1, "bottom": 2}[side]
        ink, tint = np.rot90(sheet.ink, turns), np.rot90(sheet.tint, turns)
        start = {"left": height - high[1], "top": low[0], "right": low[1], "bottom": width - high[0]}[side]
        room = {"left": low[0], "top": low[1], "right": width - high[0], "bottom": height - high[1]}[side]
        lines = start + _lines_across(found, points - low, high - low, side)
        if side in near_edges(board, (width, height), pitch):
            edge = ink[0, max(0, round(lines[0])) : round(lines[-1]) + 1]
            # A line that lies on the edge itself may have cells on its far side.
            if room < 0 or side in short or edge.mean() > ON_EDGE:
                raise partly_off(f"a board of {len(points)} cells reaches to the {side} edge of the picture")
        # In a honeycomb every second row has its lines between those of the next one.
        others = (
            [lines, np.append(lines - pitch / 2, lines[-1] + pitch / 2)] if found.shape == "hex" else [lines]
        )
        if any(_runs_on(ink, tint, places, room, pitch) for places in others):
            if room < pitch:
                raise partly_off(f"a board of {len(points)} cells runs on to the {side} edge of the picture")
            raise UncertainReading(
                f"the lines of a board of {len(points)} cells run on beyond it at the {side}: something covers the rest",
                hint="show the board without anything over it",
            )


def _lines_across(found: Found, points: Numbers, size: Numbers, side: str) -> Numbers:
    """Where lines cross one side of a board, from its left end as seen with the side on top, in px.

    points: middles of the cells from the board's top left; of a honeycomb the lines are those of the next row.
    """
    axis = 0 if side in ("top", "bottom") else 1
    if found.shape == "hex" and axis == 0:
        middles = np.array([at.x for at in found.rows[0 if side == "top" else -1]])
        places = middles - min(at.x for row in found.rows for at in row) + found.pitch_px / 2
    else:
        half = np.array(CORNERS[found.shape])[:, axis].max() * found.pitch_px
        places = np.sort(np.concatenate([points[:, axis] - half, points[:, axis] + half]))
        # Cells side by side share a line.
        groups = np.split(places, np.flatnonzero(np.diff(places) > 2 * OFF_PLACE * found.pitch_px) + 1)
        places = np.array([float(group.mean()) for group in groups])
    return places if side in ("top", "right") else np.asarray(np.sort(size[axis] - places))


def _runs_on(
    ink: npt.NDArray[np.bool_], tint: npt.NDArray[np.bool_], lines: Numbers, room: float, pitch: float
) -> bool:
    """Whether above a board its lines are there again, each for itself: not only as one line across all of them."""
    first, last = max(0, math.ceil(room - BEYOND * pitch)), math.floor(room - AFTER_LINE * pitch)
    reach = max(1, round(0.5 * OFF_PLACE * pitch))
    if last <= first:
        return False

    def seen(picture: npt.NDArray[np.bool_], places: Numbers, near: int) -> npt.NDArray[np.bool_]:
        """(rows, places) whether there is anything near each place."""
        columns = [np.arange(max(0, round(at) - near), round(at) + near + 1) for at in places.tolist()]
        columns = [here[here < picture.shape[1]] for here in columns]
        return np.stack([picture[first : last + 1, here].any(axis=1) for here in columns], axis=1)

    # A gem of the next row ends half way between two lines.
    on, between = seen(ink, lines, reach), seen(ink, 0.7 * lines[1:] + 0.3 * lines[:-1], 1)
    shown = np.maximum((~seen(tint, lines, 0) | on).sum(axis=1), LEAST_LINES)
    apart = between.mean(axis=1) <= 1 - RUNNING_ON
    if room < pitch:
        return bool((apart & (on.sum(axis=1) >= RUNNING_ON * shown)).sum() >= max(2, SHORTEST * pitch))
    # Further away a button or a letter may stand where a line would run on.
    all_ = on.sum(axis=1) >= np.maximum(ALL_LINES * shown, LEAST_FAR)
    return bool((apart & all_).sum() >= LONG * pitch)


def covered(sheet: Paper, found: Found) -> npt.NDArray[np.bool_]:
    """(cells,) whether something that the game does not draw lies over the borders of a cell."""
    pitch = found.pitch_px
    middles = np.array([at for row in found.rows for at in row])
    corners = np.array(CORNERS[found.shape])
    edges = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    along = edges[:, 1] - edges[:, 0]
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    # (cells, edges, places, 2)
    places = edges[:, None, 0] + PLACES[None, :, None] * along[:, None]
    at = middles[:, None, None] + places[None] * pitch
    reach = max(1, round(LINE_REACH * pitch))
    line = np.max(
        [_at(sheet.darkness, at + step * normals[:, None]) for step in range(-reach, reach + 1)], axis=0
    )
    sides = [_at(sheet.darkness, at + way * BESIDE * pitch * normals[:, None]) for way in (-1, 1)]
    lit = np.any(
        [_at(sheet.tint, at + way * BESIDE * pitch * normals[:, None]) > 0 for way in (-1, 0, 1)], axis=0
    )
    depth = line - np.maximum(*sides)
    usual = float(np.median(depth[~lit])) if (~lit).any() else 0.0
    there = (depth > LINE_SHARE * usual) & ~lit
    seen = (~lit).sum(axis=2)
    shown = there.sum(axis=2) / np.maximum(seen, 1)
    return np.asarray(((seen >= LEAST_SEEN) & (shown < LEAST_SHOWN)).any(axis=1), np.bool_)


def _at(picture: npt.NDArray[np.uint8] | npt.NDArray[np.bool_], places: Numbers) -> npt.NDArray[np.int32]:
    """The values of a picture at places (..., 2), x before y; those at its edge beyond it."""
    columns = np.clip(np.floor(places[..., 0]).astype(np.int64), 0, picture.shape[1] - 1)
    rows = np.clip(np.floor(places[..., 1]).astype(np.int64), 0, picture.shape[0] - 1)
    return np.asarray(picture[rows, columns], np.int32)
