"""Islands by their numbers alone: digits of one height that stand apart from all other writing.

Bare numbers have no edge, and discs in the colour of their bridges are one area with them. But every digit is a piece of
drawing of its own, whatever is around it.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision import digits
from vision.colour import usual_colour
from vision.components import components
from vision.frame import Box, Pixels, Point
from vision.readers.bridges.discs import Disc, Found, are_common, is_clue, of_one_size, read_numbers
from vision.scene import Scene

Floats = npt.NDArray[np.float64]

# Heights of digits, in px; their widths, in heights.
LEAST_PX, MOST_PX = 6, 90
WIDTH = (0.12, 1.05)
# So many pieces are looked at; heights are about one within this share and so many px.
MOST_PIECES = 2500
SAME_HEIGHT, SAME_PX = 0.12, 1.0
# Digits of one number are at most this share of their height apart; other writing keeps so far away, in heights.
JOINED, APART = 0.35, 0.6
# How far around digits an island's edge is looked for, in heights, and from how many levels on it is one.
AROUND = (0.62, 2.0)
EDGE_LEVELS = 16.0
# Without an edge a number takes so many heights to each side.
BARE = 0.8
ANGLES = np.arange(32) * np.pi / 16 + 0.1
# Digits are on one line where they share this much of the lower one's height.
ON_LINE = 0.5
# A dot is so wide, in heights, and full to this share but for so much of it at every edge.
DOT_WIDE, FULL, SOFT = 0.7, 0.8, 0.25
# Within digits that are not small the ground shows: there is less ink.
GROUND = 0.3


def islands_of_writing(scene: Scene, step: int) -> Found:
    """Numbers of one height that are islands; `step`: by how many levels their edges differ at least from what is around."""
    pieces, alike = _pieces(scene, step)
    boxes = _alone(pieces, alike)
    inks = [_ink(scene.pixels, box) for box in boxes]
    numbers = read_numbers(inks)
    # The dots of a lattice look like eights, and may be more than the islands; islands look like eights, too.
    discs = [
        Disc(*box.centre, float(box.height), number)
        for box, ink, number in zip(boxes, inks, numbers, strict=True)
        if is_clue(number) and not _is_dot(ink, box.height)
    ]
    islands = of_one_size(discs)
    if not islands:
        return Found([], [])
    height = float(np.median([disc.radius for disc in islands]))
    known = {(disc.x, disc.y) for disc in islands}
    blank = [
        box.centre
        for box in boxes
        if box.centre not in known and abs(box.height - height) <= _tolerance(height)
    ]
    blank += _amid(pieces[alike], islands, height)
    edge = _edge(scene.pixels, islands, height)
    radius = BARE * height if edge is None else edge
    found = [Disc(disc.x, disc.y, radius, disc.number) for disc in islands]
    # An edge of any form, as far as this tells.
    return Found(found, blank, square=True, written=True, bare=edge is None)


def _amid(pieces: npt.NDArray[np.int_], islands: Sequence[Disc], height: float) -> list[Point]:
    """Where pieces as high as the islands' numbers stand among the islands, also beside other writing."""
    middles, places = (pieces[:, :2] + pieces[:, 2:]) / 2, np.array([(disc.x, disc.y) for disc in islands])
    fits = (middles >= places.min(axis=0)).all(axis=1) & (middles <= places.max(axis=0)).all(axis=1)
    fits &= np.abs(pieces[:, 3] - pieces[:, 1] - height) <= _tolerance(height)
    fits &= ~(middles[:, None] == places).all(axis=2).any(axis=1)
    return [Point(*at) for at in middles[fits].tolist()]


def _tolerance(height: Floats | float) -> Floats:
    return np.maximum(SAME_HEIGHT * np.asarray(height), SAME_PX)


def _pieces(scene: Scene, step: int) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.bool_]]:
    """(n, 4) left, top, right, bottom of what has the size of digits, and which are of a common height."""
    edges = cv2.threshold(scene.spread, step, 1, cv2.THRESH_BINARY)[1]
    stats = components(edges).stats[1:]
    left, top, width, height = stats[:, :4].astype(int).T
    # Every px was compared with those above and left of it.
    width, height = width - 1, height - 1
    fits = (height >= LEAST_PX) & (height <= MOST_PX)
    fits &= (width >= WIDTH[0] * height) & (width <= WIDTH[1] * height)
    found = np.column_stack([left, top, left + width, top + height])[fits][:MOST_PIECES]
    high = (found[:, 3] - found[:, 1]).astype(np.float64)
    return np.asarray(found, int), are_common(high, _tolerance(high))


def _alone(pieces: npt.NDArray[np.int_], alike: npt.NDArray[np.bool_]) -> list[Box]:
    """Those that are alike with no other writing beside them; two digits that belong together are one."""
    if not alike.any():
        return []
    left, top, right, bottom = pieces.T
    high = bottom - top
    beside = (np.minimum(bottom[:, None], bottom) - np.maximum(top[:, None], top)) > ON_LINE * np.minimum(
        high[:, None], high
    )
    gap = np.maximum(left[:, None], left) - np.minimum(right[:, None], right)
    # What lies within another piece is its hole, or what it is drawn around.
    within = (
        (left[:, None] >= left)
        & (right[:, None] <= right)
        & (top[:, None] >= top)
        & (bottom[:, None] <= bottom)
    )
    near = beside & (gap < APART * np.maximum(high[:, None], high)) & ~within & ~within.T
    boxes: list[Box] = []
    for nth in np.flatnonzero(alike).tolist():
        also = np.flatnonzero(near[nth]).tolist()
        if not also:
            boxes.append(_around(pieces[[nth]]))
        elif len(also) == 1 and also[0] > nth and near[also[0]].sum() == 1:
            same = abs(high[nth] - high[also[0]]) <= _tolerance(float(high[nth]))
            if same and gap[nth, also[0]] <= JOINED * high[nth]:
                boxes.append(_around(pieces[[nth, also[0]]]))
    return boxes


def _around(pieces: npt.NDArray[np.int_]) -> Box:
    (left, top), (right, bottom) = pieces[:, :2].min(axis=0).tolist(), pieces[:, 2:].max(axis=0).tolist()
    return Box(left, top, right - left, bottom - top)


def _ink(pixels: Pixels, box: Box) -> digits.Ink:
    """What is written there, against what is around it."""
    part = pixels[max(box.top - 1, 0) : box.bottom + 1, max(box.left - 1, 0) : box.right + 1]
    rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    ink = digits.ink_of(part, usual_colour(rim).tolist())
    if box.height >= 2 * LEAST_PX or not ink.size:
        return ink
    return np.asarray(cv2.resize(ink, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC).clip(0, 1), np.float32)


def _is_dot(ink: digits.Ink, height: int) -> bool:
    """Whether what is written is full in the middle, and wider than a 1; height: of it on the picture, px."""
    box = digits.ink_box(ink)
    if box is None or box.width <= DOT_WIDE * box.height:
        return False
    x, y = (round(side * SOFT) for side in (box.width, box.height))
    inside = ink[box.window][y : box.height - y, x : box.width - x]
    return bool(inside.size and inside.min() > (FULL if height < 2 * LEAST_PX else GROUND))


def _edge(pixels: Pixels, islands: Sequence[Disc], height: float) -> float | None:
    """How far it is from the middle of a number to the inner side of its island's edge; None of bare numbers."""
    steps = np.arange(AROUND[0] * height, AROUND[1] * height, 0.5)
    x, y = np.array([(disc.x, disc.y) for disc in islands]).T[..., None, None]
    rows = np.clip(y + steps[:, None] * np.sin(ANGLES), 0, pixels.shape[0] - 1).astype(int)
    cols = np.clip(x + steps[:, None] * np.cos(ANGLES), 0, pixels.shape[1] - 1).astype(int)
    around = np.median(pixels[rows, cols].astype(np.float32), axis=2)
    change = np.median(np.abs(around - around[:, :1]).max(axis=2), axis=0)
    there = np.flatnonzero(change >= EDGE_LEVELS)
    return float(steps[there[0]] - 0.5) if len(there) else None
