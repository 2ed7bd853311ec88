"""A photograph of a screen or of print, straightened: turned a little, seen a little from the side, or of a bent page.

The lines of a board, of a window and of writing run across and down. On a photograph each family meets in a vanishing
point, which most of its segments agree on (RANSAC; Fischler and Bolles, 1981). Where nothing is drawn but islands, the ways
from one to the next are such segments. Then the picture is drawn again with both points infinitely far away.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Box, Pixels, Point
from vision.measures.bent import Floats, Places, flattened
from vision.reading import Reading
from vision.scene import Scene

# Lines are at most so much askew (degrees); what is hardly askew readers take as it is, and is nowhere drawn again.
MOST_TURN, LEAST_TURN = 14.0, 0.6
# A family runs within so many degrees of across or down. Segments are so long, in shares of the picture's larger side; so
# few of a family tell nothing.
FAMILY, SEGMENT, LEAST_SEGMENTS = 20.0, 0.03, 8
# On a bent page they are shorter, and many are needed to tell where it bends.
BENT_SEGMENT, LEAST_BENT = 0.02, 70
# A segment agrees within so many degrees; so much of the length of each family has to.
AGREES, MOST_AGREE = 0.3, 0.25
# Of a photograph less than this share has exactly the colour of its neighbours.
MOST_FLAT = 0.25
# White is as light as a channel gets. Of what is neither white nor black so much has its neighbours' colour, in so few
# levels, on drawn windows (0.84 and more); of photographs as JPEG of quality 50 up to 0.82, of real ones at quality 15
# up to 0.68.
WHITE, DRAWN, LEVELS = 255, 0.83, 8
# So many pairs of segments are asked for their common point.
PAIRS = 400
# A line that is askew by LEAST_TURN leaves its row of px sooner than after so many.
ROW_PX = 120
# Two lines that are the same, or one line twice, have no point.
SAME_LINE = 1e-6
# With edges on a larger share of the px segments run every way through them.
MOST_EDGES = 0.25
# Edges from so many levels on; a picture may grow by this factor while it is straightened.
EDGES, MOST_GROWN = (40, 110), 1.6
# The px of a photographed screen are grain of so many levels, and edges everywhere; so much smoothing leaves none of it.
RASTERED, RASTER_PX = 4.0, 1.0
# A straight segment is so long at least; along an edge are gaps of so many px.
SHORTEST_PX, GAP_PX = 14, 2
# Islands that are looked at, and how many of the nearest of each.
MOST_AREAS, MOST_MIDDLES, NEAREST = 2000, 400, 8
# Neighbours of one area differ by at most so many levels; its sides, in px of the coarse picture, are alike.
STEP, SIDES, ALIKE = 24, (6, 90), 0.1
SQUARE = 1.3
# A bend is told so often, each time of a straighter picture; a place on a flat page is found on the bent one in so many
# steps, at one of so many px along each axis.
UNBENT, SETTLES, MESH_PX = 2, 8, 16
# Less is nothing, by the accuracy of sums.
NOTHING, NO_SHARE = 1e-15, 1e-9


@dataclass(frozen=True, eq=False)
class Straight:
    """The picture without its turn, and without the bend of its page.

    pixels: (H, W, 3) uint8; back: where (n, 2) places of it are on the photograph, in px; turn_deg: the most askew of its
    sides; bent: the picture without its turn alone, where both are undone.
    """

    pixels: Pixels
    back: Places
    turn_deg: float
    bent: Straight | None = None

    def at(self, point: Point) -> Point:
        """A place of the straight picture on the photograph."""
        x, y = self.back(np.array([point], np.float64))[0].tolist()
        return Point(x, y)

    def around(self, box: Box) -> Box:
        """The part of the photograph that holds a part of the straight picture."""
        ends = [self.at(Point(x, y)) for x in (box.left, box.right) for y in (box.top, box.bottom)]
        left, top = (int(np.floor(min(end[k] for end in ends))) for k in (0, 1))
        right, bottom = (int(np.ceil(max(end[k] for end in ends))) for k in (0, 1))
        return Box(left, top, right - left, bottom - top)


def is_photograph(scene: Scene) -> bool:
    """Whether next to nothing on the picture has one colour exactly, as all drawn screens have."""
    flat = np.count_nonzero(scene.spread[::2, ::2] == 0)
    return bool(flat < MOST_FLAT * scene.spread[::2, ::2].size)


def straightened(scene: Scene) -> Straight | None:
    """The picture with its lines across and down; None where they are so, or tell no turn or bend, and on drawn screens."""
    if _is_drawn(scene):
        return None
    coarse = scene.coarse
    edges = np.asarray(cv2.Canny(_smooth(coarse.shades), *EDGES), np.uint8)
    if cv2.countNonZero(edges) > MOST_EDGES * edges.size or _in_rows(edges):
        return None
    turned = None
    for lines in (_segments, _ways):
        found = lines(coarse)
        points = [_vanishing(_family(found, level)) for level in (True, False)]
        if points[0] is not None and points[1] is not None:
            turned = _drawn_again(scene, points[0], points[1])
            break
    first = straight = turned or Straight(scene.pixels, np.asarray, 0.0)
    for _ in range(UNBENT):
        flat = _unbent(scene, straight)
        if flat is None:
            break
        straight = flat
    return turned if straight is first else replace(straight, bent=turned)


def _unbent(scene: Scene, bent: Straight) -> Straight | None:
    """The picture as it is on a flat page; None where it is flat, or its lines do not tell."""
    seen = scene if bent.pixels is scene.pixels else Scene(bent.pixels)
    lines = _segments(seen.coarse, BENT_SEGMENT) * seen.factor
    families = [_family(lines, level) for level in (True, False)]
    if min(map(len, families)) < LEAST_BENT:
        return None
    flat = flattened(families[0], families[1], seen.size)
    if flat is None:
        return None
    edges = np.array([(x, y) for x in (0.0, 0.5, 1.0) for y in (0.0, 0.5, 1.0)]) * seen.size
    reached = flat(edges)
    first, last = np.floor(reached.min(axis=0)), reached.max(axis=0)
    width, height = np.ceil(last - first).astype(int).tolist()

    def back(places: Floats) -> Floats:
        there = places + first
        at = there
        for _ in range(SETTLES):
            at = at - (flat(at) - there)
        return bent.back(at)

    columns, rows = (np.arange(-MESH_PX / 2, side + MESH_PX, MESH_PX) - 0.5 for side in (width, height))
    x, y = np.meshgrid(columns, rows)
    nodes = back(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2).astype(np.float32)
    wide = cv2.resize(nodes, None, fx=MESH_PX, fy=MESH_PX, interpolation=cv2.INTER_LINEAR)
    where = cv2.split(wide[MESH_PX:, MESH_PX:][:height, :width])
    drawn = cv2.remap(
        scene.pixels,
        where[0],
        where[1],
        cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=_ground(scene),
    )
    slopes = np.diff(reached.reshape(3, 3, 2)[..., 1], axis=0) / (seen.size[0] / 2)
    turn = float(np.degrees(np.abs(slopes).max()))
    return Straight(_as_drawn(scene, drawn), back, max(bent.turn_deg, turn))


def _is_drawn(scene: Scene) -> bool:
    """Whether nearly all of it is flat in few colours; what is white or black at most is flat on photographs, too."""
    dark = scene.dark[::2, ::2]
    grey = (dark < WHITE) & (scene.light[::2, ::2] > 0)
    levels = np.bincount(dark[grey & (scene.spread[::2, ::2] == 0)], minlength=WHITE + 1)
    return bool(np.sort(levels)[-LEVELS:].sum() >= DRAWN * np.count_nonzero(grey))


def as_seen(reading: Reading[Any, Any], straight: Straight) -> Reading[Any, Any]:
    """A reading of the straight picture, with its places on the photograph. No later look compares it with another frame."""
    known = {field.name: getattr(reading, field.name) for field in fields(Reading)}
    geometry = reading.geometry
    centres = {cell: straight.at(at) for cell, at in geometry.centres.items()}
    known["geometry"] = replace(geometry, centres=centres)
    known["area"] = straight.around(reading.area)
    known["others"] = tuple(straight.around(one) for one in reading.others)
    known["controls"] = {name: replace(one, at=straight.at(one.at)) for name, one in reading.controls.items()}
    return Reading(**known)


def _in_rows(edges: npt.NDArray[np.uint8]) -> bool:
    """Whether as much of the edges as has to agree runs in rows of px, exactly, and as much in columns.

    On a page seen from the front all lines across may do so, and those in the middle of the ones down.
    """
    kept = []
    for across in (True, False):
        gap, run = (np.ones((1, px) if across else (px, 1), np.uint8) for px in (2 * GAP_PX + 1, ROW_PX))
        joined = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, gap)
        kept.append(cv2.countNonZero(cv2.bitwise_and(cv2.morphologyEx(joined, cv2.MORPH_OPEN, run), edges)))
    return min(kept) > MOST_AGREE * cv2.countNonZero(edges)


def _segments(scene: Scene, least: float = SEGMENT) -> Floats:
    """(n, 4) the ends (x, y) of straight edges, at least so long, as a share of the picture's larger side."""
    ends = scene.once(_all_segments)
    long = np.hypot(*(ends[:, 2:] - ends[:, :2]).T) >= max(least * max(scene.size), SHORTEST_PX)
    return np.asarray(ends[long], np.float64)


def _all_segments(scene: Scene) -> Floats:
    """(n, 4) the ends (x, y) of straight edges (LSD; Grompone von Gioi and others, 2012)."""
    found = cv2.createLineSegmentDetector().detect(scene.shades)[0]
    return np.empty((0, 4)) if found is None else np.asarray(found, np.float64).reshape(-1, 4)


def _ways(scene: Scene) -> Floats:
    """(n, 4) from the middles of areas of one size to the nearest others."""
    areas = scene.areas(STEP)
    size = np.maximum(areas.width, areas.height)
    fits = (
        (size >= SIDES[0]) & (size <= SIDES[1]) & (size <= SQUARE * np.minimum(areas.width, areas.height) + 1)
    )
    fits[0] = False
    if not LEAST_SEGMENTS <= fits.sum() <= MOST_AREAS:
        return np.empty((0, 4))
    alike = np.abs(size[fits][:, None] - size[fits]) <= ALIKE * size[fits] + 1
    usual = size[fits][int((alike.sum(axis=1) * size[fits] ** 0.5).argmax())]
    fits &= np.abs(size - usual) <= ALIKE * usual + 1
    middles = np.column_stack([areas.left + areas.width / 2, areas.top + areas.height / 2])[fits][
        :MOST_MIDDLES
    ]
    away = np.hypot(*(middles[:, None] - middles).transpose(2, 0, 1))
    near = np.argsort(away, axis=1)[:, 1 : NEAREST + 1]
    starts = np.repeat(middles, near.shape[1], axis=0)
    return np.hstack([starts, middles[near.ravel()]])


def _family(lines: Floats, level: bool) -> Floats:
    """Those that run about across, or about down."""
    along, over = (lines[:, 2:] - lines[:, :2]).T if level else (lines[:, 2:] - lines[:, :2]).T[::-1]
    return np.asarray(lines[np.abs(over) <= np.tan(np.radians(FAMILY)) * np.abs(along)], np.float64)


def _vanishing(lines: Floats) -> Floats | None:
    """(3,) the point (x, y, w) that most of the lines lead to; None where they agree on none."""
    if len(lines) < LEAST_SEGMENTS:
        return None
    # In thousands of px, so that the three numbers of a point are alike in size.
    ends = lines.reshape(-1, 2, 2) / 1000
    ends = np.concatenate([ends, np.ones((len(ends), 2, 1))], axis=2)
    through = np.cross(ends[:, 0], ends[:, 1])
    length = np.hypot(*(ends[:, 1] - ends[:, 0])[:, :2].T)
    rng = np.random.default_rng(len(lines))
    one, other = rng.integers(0, len(lines), (2, PAIRS))
    points = np.cross(through[one], through[other])
    points = points[np.abs(points).max(axis=1) > SAME_LINE]
    if not len(points):
        return None
    best = points[(_agree(ends, points) * length).sum(axis=1).argmax()]
    for _ in range(3):
        agree = _agree(ends, best[None])[0]
        if agree.sum() < LEAST_SEGMENTS or length[agree].sum() < MOST_AGREE * length.sum():
            return None
        best = np.linalg.svd(through[agree], full_matrices=False)[2][-1]
    return np.asarray(best * (1000, 1000, 1))


def _agree(ends: Floats, points: Floats) -> npt.NDArray[np.bool_]:
    """(points, segments) which segments lead to each point."""
    way_x, way_y = (ends[:, 1] - ends[:, 0])[:, :2].T
    middle_x, middle_y = ends.mean(axis=1)[:, :2].T
    x, y, w = points.T[:, :, None]
    to_x, to_y = x - middle_x * w, y - middle_y * w
    least = np.sin(np.radians(AGREES)) * np.hypot(way_x, way_y)
    return np.asarray(np.abs(way_x * to_y - way_y * to_x) <= least * np.hypot(to_x, to_y) + NOTHING, bool)


def _drawn_again(scene: Scene, across: Floats, down: Floats) -> Straight | None:
    """The picture with both vanishing points (of its coarse form) infinitely far away."""
    width, height = scene.size
    scale = np.array([scene.factor, scene.factor, 1.0])
    lines = [np.cross(scale * across, (width / 2, y, 1.0)) for y in (0.0, height)]
    sides = [np.cross(scale * down, (x, height / 2, 1.0)) for x in (0.0, width)]
    ends = np.array([np.cross(line, side) for line in lines for side in sides])
    if (np.abs(ends[:, 2]) < NO_SHARE * np.abs(ends).max(axis=1)).any():
        return None
    top_left, top_right, low_left, low_right = corners = ends[:, :2] / ends[:, 2:]
    ways = [
        top_right - top_left,
        low_right - low_left,
        (low_left - top_left)[::-1],
        (low_right - top_right)[::-1],
    ]
    turns = [abs(float(np.degrees(np.arctan2(over, along)))) for along, over in ways]
    if not LEAST_TURN <= max(turns) <= MOST_TURN:
        return None
    wide, high = (float(np.hypot(*np.array(pair).T).mean()) for pair in (ways[:2], ways[2:]))
    flat = np.array([(0, 0), (wide, 0), (0, high), (wide, high)], np.float32)
    there = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    frame = np.array([[(0, 0), (width, 0), (0, height), (width, height)]], np.float32)
    reached = cv2.perspectiveTransform(frame, there)[0]
    first, last = reached.min(axis=0), reached.max(axis=0)
    size = np.ceil(last - first).astype(int)
    if (size > MOST_GROWN * np.array([width, height])).any() or (size < 1).any():
        return None
    there = np.array([(1, 0, -first[0]), (0, 1, -first[1]), (0, 0, 1)]) @ there
    drawn = cv2.warpPerspective(
        scene.pixels, there, size.tolist(), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT,
        borderValue=_ground(scene),
    )  # fmt: skip
    inverse = np.linalg.inv(there)

    def back(places: Floats) -> Floats:
        return np.asarray(cv2.perspectiveTransform(places[None], inverse)[0], np.float64)

    return Straight(_as_drawn(scene, drawn), back, max(turns))


def _as_drawn(scene: Scene, drawn: cv2.typing.MatLike) -> Pixels:
    """(H, W, 3) what was drawn again of the picture, without the px of a photographed screen."""
    return _smooth(drawn) if scene.grain >= RASTERED else np.asarray(drawn, np.uint8)


def _smooth(pixels: cv2.typing.MatLike) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), RASTER_PX), np.uint8)


def _ground(scene: Scene) -> tuple[float, ...]:
    return tuple(float(level) for level in scene.ground)
