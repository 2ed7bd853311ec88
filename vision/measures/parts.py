"""The cells of a grid, or the places between and beside them, one by one: their ground and what is drawn on it.

What is measured here knows no game: the colour of the ground, the colour, size and form of what is drawn, whether a
frame or ring goes round it, and the number that it may be.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import ceil, floor
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision import digits
from vision.colour import common_colour, usual_colour
from vision.components import components
from vision.eyesight import WHOLE, Region
from vision.frame import Box, Pixels
from vision.grids import Comb, Grid
from vision.scene import Scene

Mask = npt.NDArray[np.bool_]
Shape = npt.NDArray[np.float32]
Place = TypeVar("Place", bound=Hashable)
Level = TypeVar("Level", bound=np.generic)

# What differs from the ground by more levels is drawn, and by more than this share of what differs most in its cell: less
# is a trace of a lossy format beside it.
DRAWN_LEVELS, TRACES = 24, 0.2
# A frame or ring is as wide and as high as this share of what is looked at, and fills at most this share of its box.
FRAME_SIZE, FRAME_FILL = 0.62, 0.55
# A frame right at the edge is a line along so much of each side; of the ground right within it so much is drawn on.
LINED, CROSSED = 0.9, 0.3
# The ground is the colour of so much of the edge; where it is not in more than so many patches, they are no cells.
USUAL, MOST_MIXED = 0.4, 0.5
# A drawing is compared at so many by so many px.
SHAPE = 12
# Less drawn than this share of a cell is noise.
LEAST_DRAWN = 0.008
# Nothing is told of less than so many px each way.
LEAST_PX = 4
# Cells of so many px are measured at once.
TOGETHER_PX = 400_000
# A ground is told from so many px along each side of a cell.
RIM_SAMPLES = 7
# Whether something is in a cell is told from so many px along each side.
MARK_SAMPLES = 12
# Soft lines reach so many px into their cells.
LINE_PX = 3
# The widest lines of small cells reach so many px to either side; those of large ones do not reach as far as their notes.
NEAR_PX = 9
# A line's width is measured at these places beside a cell, in shares of it from its middle.
ALONG = (-0.2, -0.1, 0.1, 0.2, 0.3, 0.4)
# Drawn px from this share of the strongest on have the colour of the drawing; the others are its soft edge. Where so few
# would, those do that are fainter by less than the other share.
SOLID = 0.7
FEW_PX, SOFT_OF_FEW = 40, 0.15
# The rim of a shape begins at this share of its radius.
RIM = 0.9
# Nothing of a ring is nearer to the middle than this share of the radius.
WITHIN = 0.8
# Pieces of a drawing that are so high as this share of its tallest are tall ones: a number's digits, not a note beside it.
TALL = 0.8


@dataclass(frozen=True, eq=False)
class Part:
    """One cell as it looks.

    ground: BGR. drawn: (h, w) what differs from it, without a frame. ink: its colour, BGR; the ground's where nothing is
    drawn. share: of the region that is drawn. box: left, top, right, bottom of the drawing, in shares of the region.
    shape: (SHAPE, SHAPE) the drawing brought to its own box, 0..1. framed: whether a frame or ring goes round it;
    frame: the colour of that. tallest: height of the tallest piece of the drawing, in shares of the region.
    middle: x and y of the middle of its tall pieces, in shares of the region. cut: how strong the drawing is at the edge
    of the region, 1 as inside, 0 where nothing is drawn there; in a round one so much less as less hangs together with that.
    """

    ground: npt.NDArray[np.float64]
    drawn: Mask
    ink: npt.NDArray[np.float64]
    share: float
    box: tuple[float, float, float, float]
    shape: Shape
    framed: bool
    frame: npt.NDArray[np.float64]
    tallest: float
    middle: tuple[float, float]
    cut: float
    patch: Pixels = field(repr=False)

    @property
    def size(self) -> float:
        """The larger side of the drawing, in shares of the region."""
        left, top, right, bottom = self.box
        return max(right - left, bottom - top)

    @cached_property
    def number(self) -> digits.Number:
        """The number that the drawing is."""
        return digits.read_number(self.for_digits)

    @cached_property
    def for_digits(self) -> digits.Ink:
        """The drawing as ink on nothing, 0..1."""
        away = np.abs(self.patch.astype(np.float32) - self.ground.astype(np.float32)).max(axis=2)
        near = cv2.dilate(self.drawn.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
        away[~near] = 0
        top = float(away.max(initial=0.0))
        return np.asarray(away / top if top >= DRAWN_LEVELS else np.zeros_like(away), np.float32)


def parts(scene: Scene, grid: Grid, region: Region = WHOLE) -> dict[tuple[int, int], Part]:
    """Every cell of a grid by row and column, as far as the picture shows it. Use as `scene.once(parts, grid, region)`."""
    return parts_at(scene, grid, [(row, col) for row in range(grid.rows) for col in range(grid.cols)], region)


def parts_at(
    scene: Scene, grid: Grid, places: Sequence[tuple[int, int]], region: Region = WHOLE
) -> dict[tuple[int, int], Part]:
    """The parts at some places of a grid's lattice, also beside it; those that the picture does not show are left out."""
    return scene.each(
        grid,
        (parts, region),
        places,
        lambda at: box_at(grid, *at, region),
        lambda some: parts_in(patches_at(scene.pixels, grid, some, region), in_round=region.round),
    )


def parts_in(patches: Mapping[Place, Pixels], *, in_round: bool = False) -> dict[Place, Part]:
    """What patches of a few sizes show, in their order."""
    # Those of one size, which roundings make a few of, are measured together.
    alike: dict[tuple[int, ...], list[Place]] = {}
    for place, patch in patches.items():
        alike.setdefault(patch.shape[:2], []).append(place)
    found: dict[Place, Part] = {}
    for (height, width), places in alike.items():
        most = max(1, TOGETHER_PX // (height * width))
        for start in range(0, len(places), most):
            some = places[start : start + most]
            found |= zip(some, parts_of([patches[at] for at in some], in_round=in_round), strict=True)
    return {place: found[place] for place in patches}


def numbers(
    scene: Scene, grid: Grid, region: Region = WHOLE, *, signs: bool = False
) -> dict[tuple[int, int], digits.Number]:
    """What number each cell that something is drawn in may be, all in one font.

    signs: each is one sign, a letter above nine. Use as `scene.once(numbers, grid, region)`.
    """
    return numbers_of(scene, grid, scene.once(parts, grid, region), region, (parts, region), signs=signs)


def numbers_of(
    scene: Scene,
    grid: Grid,
    found: Mapping[tuple[int, int], Part],
    region: Region,
    name: Hashable,
    *,
    signs: bool = False,
) -> dict[tuple[int, int], digits.Number]:
    """What number each part may be that something is drawn in, all in one font.

    region: what was looked at of their cells. name: of how they were.
    """
    return scene.each(
        grid,
        (numbers, name, signs),
        [at for at, part in found.items() if part.share > LEAST_DRAWN],
        lambda at: box_at(grid, *at, region),
        lambda some: numbers_in({at: found[at] for at in some}, signs=signs),
    )


def numbers_in(found: Mapping[Place, Part], *, signs: bool = False) -> dict[Place, digits.Number]:
    """What number each of the parts that something is drawn in may be, all in one font."""
    drawn = {place: part for place, part in found.items() if part.share > LEAST_DRAWN}
    read = digits.read_signs if signs else digits.read_numbers
    return dict(zip(drawn, read([part.for_digits for part in drawn.values()]), strict=True))


def grounds(scene: Scene, grid: Grid, region: Region = WHOLE) -> npt.NDArray[np.float64]:
    """(cells, 3) the ground of every cell, BGR, from a few px along its edge: enough to tell what it is not.

    Cells that the picture does not show whole are left out.
    """
    along = np.linspace(0.0, 1.0, RIM_SAMPLES)
    ends = np.array([np.zeros_like(along), np.ones_like(along)]).ravel()
    right, down = np.concatenate((np.tile(along, 2), ends)), np.concatenate((ends, np.tile(along, 2)))
    shown = []
    for comb, inside, end in (
        (grid.xs, _between(region.left, region.right, right), scene.size[0]),
        (grid.ys, _between(region.top, region.bottom, down), scene.size[1]),
    ):
        at = np.round(comb.first + comb.pitch * (np.arange(comb.count - 1)[:, None] + inside))
        shown.append(at[(at.min(axis=1) >= 0) & (at.max(axis=1) < end)].astype(np.int64))
    xs, ys = shown
    return np.asarray(np.median(scene.pixels[ys[:, None], xs[None]], axis=2).reshape(-1, 3), np.float64)


def marked(scene: Scene, grid: Grid, least_levels: float) -> Mask:
    """(rows, cols) in which cells there is something: px inside that differ by so many levels, of a few that are looked at."""
    pitch = max(grid.xs.pitch, grid.ys.pitch)
    margin = max(WHOLE.left, LINE_PX / pitch)
    # More than one to each px show nothing more.
    samples = min(MARK_SAMPLES, ceil((1 - 2 * margin) * pitch) + 1)
    inside = np.linspace(margin, 1 - margin, samples)
    (ys, rows), (xs, cols) = (
        _sampled(comb, inside, end)
        for comb, end in zip((grid.ys, grid.xs), scene.pixels.shape[:2], strict=True)
    )
    seen = scene.pixels[ys[:, None], xs].reshape(len(rows), samples, len(cols), samples, 3)
    apart = seen.max(axis=1).max(axis=2).astype(np.int16) - seen.min(axis=1).min(axis=2)
    found = np.zeros((grid.rows, grid.cols), np.bool_)
    found[rows[:, None], cols] = apart.max(axis=2) >= least_levels
    return found


def _sampled(
    comb: Comb, inside: npt.NDArray[np.float64], end: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Places inside the cells of a comb, one cell after the other, for those on a picture that ends there; and which those are.

    inside: in shares of a cell.
    """
    places = (comb.first + comb.pitch * (np.arange(comb.count - 1)[:, None] + inside)).astype(np.int64)
    shown = ((places[:, -1] >= 0) & (places[:, 0] < end)).nonzero()[0]
    return places[shown].clip(0, end - 1).ravel(), shown


def _between(first: float, last: float, share: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    # The px of the edge are the first and last that belong to the region.
    inner = 0.02 * (last - first)
    return first + inner + (last - first - 2 * inner) * share


def box_at(grid: Grid, row: int, col: int, region: Region = WHOLE) -> Box:
    """What is looked at of one cell, px of the picture; of a round region no px that a ring around it may have."""
    left, right = _ends(grid.xs, col, region.left, region.right, region.round)
    top, bottom = _ends(grid.ys, row, region.top, region.bottom, region.round)
    return Box(left, top, right - left, bottom - top)


def _ends(comb: Comb, index: int, low: float, high: float, in_round: bool) -> tuple[int, int]:
    """The first px and the one behind the last of a part of a column, or of a row."""
    first, last = comb.at(index + low), comb.at(index + high)
    return (ceil(first), floor(last)) if in_round else (round(first), round(last))


def patches_at(
    pixels: Pixels, grid: Grid, places: Iterable[tuple[int, int]], region: Region = WHOLE
) -> dict[tuple[int, int], Pixels]:
    """What is looked at of some cells; without those of which the picture does not show all."""
    wanted = list(places)
    ways = (grid.ys, region.top, region.bottom), (grid.xs, region.left, region.right)
    shown: list[dict[int, slice]] = []
    for axis, (comb, low, high) in enumerate(ways):
        ends = {index: _ends(comb, index, low, high, region.round) for index in {at[axis] for at in wanted}}
        most = pixels.shape[axis]
        whole = {
            index: slice(*both)
            for index, both in ends.items()
            if both[0] >= 0 and both[1] <= most and both[1] - both[0] >= LEAST_PX
        }
        shown.append(whole)
    rows, cols = shown
    return {at: pixels[rows[at[0]], cols[at[1]]] for at in wanted if at[0] in rows and at[1] in cols}


def part_of(patch: Pixels) -> Part:
    """What a patch of the picture shows."""
    return parts_of([patch])[0]


def parts_of(patches: Sequence[Pixels], *, in_round: bool = False) -> list[Part]:
    """What patches of one size show, each for itself; what looks exactly alike is measured once.

    in_round: only in the ellipse inside them, where no frame goes round anything.
    """
    known: dict[bytes, int] = {}
    of = [known.setdefault(patch.tobytes(), len(known)) for patch in patches]
    distinct = _measured([patches[of.index(nth)] for nth in range(len(known))], in_round=in_round)
    return [distinct[nth] for nth in of]


def within_frame(part: Part) -> Part | None:
    """A part within a frame that goes along its very edge, where the ground is looked for; None where there is none."""
    patch, (height, width) = part.patch, part.patch.shape[:2]
    # The edge may cut a frame unevenly: the ground is behind its thickest side.
    for rim in range(1, min(_rim_px(height, width) + 2, (min(height, width) - 1) // 2)):
        ring = _ring(patch[rim:-rim, rim:-rim])
        ground = usual_colour(ring)
        other = np.abs(patch - ground).max(axis=2) > DRAWN_LEVELS
        sides = (other[:rim], other[-rim:], other.T[:rim], other.T[-rim:])
        lined = all(side[:, rim:-rim].mean(axis=1).max() >= LINED for side in sides)
        if lined and _ring(other[rim:-rim, rim:-rim]).mean() <= CROSSED:
            return _measured([patch], in_round=False, ground=ground[None])[0]
    return None


def _ring(patch: npt.NDArray[Level]) -> npt.NDArray[Level]:
    """The outermost px of a patch, one after the other."""
    return np.concatenate((patch[0], patch[-1], patch[1:-1, 0], patch[1:-1, -1]))


def _measured(
    patches: Sequence[Pixels], *, in_round: bool, ground: npt.NDArray[np.float64] | None = None
) -> list[Part]:
    """What patches of one size show; ground: (n, 3) of each, BGR, where it is known."""
    stack = np.stack(patches)
    count, height, width = stack.shape[:3]
    round_rim = _rim(height, width)
    if ground is None:
        # The smallest patches have no rim.
        ground = _usual(stack[:, round_rim]) if in_round and round_rim.any() else _grounds(stack)
    away = np.zeros((count, height, width), np.float32)
    for channel in range(3):
        # Halves of levels are exact in these, and take half the room.
        level = ground[:, channel, None, None].astype(np.float32)
        np.maximum(away, np.abs(stack[..., channel] - level), out=away)
    strongest = away.max(axis=(1, 2))
    drawn = away > np.maximum(DRAWN_LEVELS, TRACES * strongest)[:, None, None]
    edge = round_rim if in_round else _edge(height, width)
    # What goes on is as strong at the edge as inside, traces of a lossy format are not.
    at_edge = np.max(away[:, edge], axis=1, initial=0.0)
    cut = np.where(at_edge > DRAWN_LEVELS, at_edge / np.maximum(1.0, strongest), 0.0)
    if in_round:
        drawn &= _inside(height, width)
        cut *= _hanging(drawn, edge)
    rims, tallest, middles = _frames(drawn, framable=not in_round)
    found = []
    for nth, patch in enumerate(patches):
        rim, own, frame = rims.get(nth), drawn[nth], ground[nth]
        if rim is not None:
            own, frame = own & ~rim, _colour(patch, away[nth], rim)
        ink, share, box, shape = _drawing(patch, away[nth], own, ground[nth])
        around = rim is not None, frame, float(tallest[nth]), middles[nth], float(cut[nth]), patch
        found.append(Part(ground[nth], own, ink, share, box, shape, *around))
    return found


def _drawing(
    patch: Pixels, away: npt.NDArray[np.float32], drawn: Mask, ground: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], float, tuple[float, float, float, float], Shape]:
    """Ink, share, box and shape of what is drawn, as a `Part` has them."""
    height, width = drawn.shape
    left, top, wide, high = cv2.boundingRect(drawn.view(np.uint8))
    if not wide:
        return ground, 0.0, (0.5, 0.5, 0.5, 0.5), np.zeros((SHAPE, SHAPE), np.float32)
    inside = drawn[top : top + high, left : left + wide].astype(np.float32)
    if min(height, width) < SHAPE:
        # Of so few px the soft edges are as many as the others.
        inside = away[top : top + high, left : left + wide] / float(away[drawn].max()) * inside
    shape = np.asarray(cv2.resize(inside, (SHAPE, SHAPE), interpolation=cv2.INTER_AREA), np.float32)
    box = (left / width, top / height, (left + wide) / width, (top + high) / height)
    return _colour(patch, away, drawn), cv2.countNonZero(drawn.view(np.uint8)) / drawn.size, box, shape


@cache
def _radii(height: int, width: int) -> npt.NDArray[np.float64]:
    """How far every px is from the middle, in radii of the ellipse inside the patch."""
    down, right = np.mgrid[0:height, 0:width]
    return np.asarray(
        np.hypot((down - (height - 1) / 2) / (height / 2), (right - (width - 1) / 2) / (width / 2)),
        np.float64,
    )


def _inside(height: int, width: int, share: float = 1.0) -> Mask:
    return np.asarray(_radii(height, width) <= share, np.bool_)


def _rim(height: int, width: int) -> Mask:
    radii = _radii(height, width)
    return np.asarray((radii > RIM) & (radii <= 1.0), np.bool_)


@cache
def _edge(height: int, width: int) -> Mask:
    """The outermost px of a patch."""
    edge = np.ones((height, width), np.bool_)
    edge[1:-1, 1:-1] = False
    return edge


def _rim_px(height: int, width: int) -> int:
    """From how many px along its edge the ground of a patch is told."""
    return max(1, min(height, width) // 12)


def _grounds(stack: Pixels) -> npt.NDArray[np.float64]:
    """(n, 3) the colour along the edge of each patch: whatever is drawn in a cell stands in its middle."""
    count, height, width = stack.shape[:3]
    rim = _rim_px(height, width)
    sides = (stack[:, :rim], stack[:, -rim:], stack[:, :, :rim], stack[:, :, -rim:])
    edges = np.concatenate([side.reshape(count, -1, 3) for side in sides], axis=1)
    return _usual(edges)


def _usual(edges: Pixels) -> npt.NDArray[np.float64]:
    """(n, 3) the colour of most of the px along each of n edges (n, px, 3)."""
    found = np.asarray(np.median(edges, axis=1), np.float64)
    # Where much is drawn at the edge the middle of all colours is none of them.
    mixed = (np.abs(edges - found[:, None]).max(axis=2) <= DRAWN_LEVELS).mean(axis=1) < USUAL
    if mixed.any() and mixed.mean() <= MOST_MIXED:
        for nth in np.flatnonzero(mixed).tolist():
            found[nth] = common_colour(edges[[nth]])
    return found


def _colour(patch: Pixels, away: npt.NDArray[np.float32], mask: Mask) -> npt.NDArray[np.float64]:
    """The colour of what is drawn, without its soft edge."""
    strongest = float(away[mask].max())
    solid = mask & (away >= SOLID * strongest)
    # Of small writing hardly a px is all ink.
    if np.count_nonzero(solid) < FEW_PX:
        solid = mask & (away >= (1 - SOFT_OF_FEW) * strongest)
    return usual_colour(patch[solid])


def _frames(
    drawn: Mask, framable: bool
) -> tuple[dict[int, Mask], npt.NDArray[np.float64], list[tuple[float, float]]]:
    """The frame or ring round what is drawn in each of n patches, where there is one; the heights of the tallest other
    pieces and the middles of the tall ones, in shares of the patch."""
    count, height, width = drawn.shape
    # One above the other, with a row between them that joins nothing.
    sheet = np.zeros((count, height + 1, width), np.uint8)
    sheet[:, :height] = drawn
    names, stats = components(sheet.reshape(-1, width))
    names = names.reshape(sheet.shape)
    pieces = stats[1:].astype(np.int64)
    of, highs = pieces[:, 1] // (height + 1), pieces[:, 3].copy()
    large = (pieces[:, 2] >= FRAME_SIZE * width) & (highs >= FRAME_SIZE * height)
    large &= pieces[:, 4] <= FRAME_FILL * pieces[:, 2] * highs
    rims: dict[int, Mask] = {}
    for piece in np.flatnonzero(large).tolist() if framable else ():
        nth, (left, top, wide, high, _) = int(of[piece]), pieces[piece].tolist()
        middle = names[nth, top % (height + 1) + high // 2, left + wide // 4 : left + 3 * wide // 4]
        if nth not in rims and not (middle == piece + 1).any():
            rims[nth] = names[nth, :height] == piece + 1
            highs[piece] = 0
    for piece in [one for one in range(len(pieces)) if int(of[one]) in rims and highs[one]]:
        # The edge of the region cuts a ring into pieces.
        nth, (left, top, wide, high, _) = int(of[piece]), pieces[piece].tolist()
        first, own = top % (height + 1), names[nth, :height] == piece + 1
        at_edge = min(left, first, width - left - wide, height - first - high) == 0
        if at_edge and not (own & _inside(height, width, WITHIN)).any():
            rims[nth], highs[piece] = rims[nth] | own, 0
    tallest = np.zeros(count, np.int64)
    np.maximum.at(tallest, of, highs)
    tall = highs >= np.maximum(1, TALL * tallest[of])
    starts = np.stack((pieces[tall, 0], pieces[tall, 1] % (height + 1)), axis=1)
    middles = _middles(of[tall], starts, starts + pieces[tall][:, 2:4], (count, width, height))
    return rims, tallest / height, middles


def _hanging(drawn: Mask, edge: Mask) -> npt.NDArray[np.float64]:
    """(n,) the share of what is drawn in each of n patches that hangs together with what is drawn at its edge."""
    shares = np.zeros(len(drawn))
    for nth in np.flatnonzero(drawn[:, edge].any(axis=1)).tolist():
        _, names = cv2.connectedComponents(drawn[nth].astype(np.uint8), connectivity=8)
        at_edge = np.unique(names[edge & drawn[nth]])
        shares[nth] = np.isin(names[drawn[nth]], at_edge).mean()
    return shares


def _middles(
    of: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    shape: tuple[int, int, int],
) -> list[tuple[float, float]]:
    """The middle of the box round the pieces of each patch, in shares of it; of pieces their patch, and x and y of their
    boxes. shape: the number of patches, their width and their height."""
    count, width, height = shape
    first, last = np.full((count, 2), (width, height), np.int64), np.zeros((count, 2), np.int64)
    np.minimum.at(first, of, starts)
    np.maximum.at(last, of, ends)
    return [(x, y) for x, y in ((first + last) / (2 * width, 2 * height)).tolist()]


# A line is looked for so far from where it should be: in cells, as blocks stand off theirs, and px at least.
OFF_LINE, LEAST_OFF_PX = 0.13, 2


def line_colour(scene: Scene, grid: Grid) -> tuple[float, float, float]:
    """The colour of the thin lines between the cells, BGR: of what differs most from the cells beside it."""
    height, width = scene.pixels.shape[:2]
    beside = round(0.15 * grid.xs.pitch)
    reach = max(LEAST_OFF_PX, round(OFF_LINE * grid.xs.pitch))
    xs = np.round(grid.xs.first + grid.xs.pitch * np.arange(1, grid.cols)).astype(np.int64)
    # Not in the middle of a side, where wires cross it.
    rows = np.concatenate([np.arange(grid.rows) + along for along in (0.4, 0.6)])
    ys = np.round(grid.ys.first + grid.ys.pitch * rows).astype(np.int64)
    xs, ys = xs[(xs >= beside + 2) & (xs < width - beside - 2)], ys[(ys >= 0) & (ys < height)]
    if not (len(xs) and len(ys)):
        return 0.0, 0.0, 0.0
    around = xs[:, None] + np.arange(-reach, reach + 1)
    strips = scene.pixels[ys[:, None, None], around[None]].astype(np.int16)
    cells = scene.pixels[ys[:, None, None], (xs[:, None] + np.array([-beside, beside]))[None]].astype(
        np.int16
    )
    away = np.abs(strips[:, :, :, None] - cells[:, :, None]).max(axis=4).min(axis=3)
    lines = np.take_along_axis(strips, away.argmax(axis=2)[:, :, None, None], axis=2)
    blue, green, red = np.median(lines.reshape(-1, 3), axis=0).tolist()
    return float(blue), float(green), float(red)


# A thick line is so many times as wide as the thin ones, and by so many px. This share of the lines may be wider than
# the thick ones are, where there are more than a few.
THICK, THICK_PX, WIDER = 1.6, 0.9, 0.1


def cage_lines(scene: Scene, grid: Grid) -> frozenset[tuple[int, int, str]]:
    """The thick ones of the inner borders: (row, col, "r") to the right of a cell, (row, col, "d") below it."""
    (across, down), least = scene.once(line_widths, grid), scene.once(_least_thick, grid)
    found = {(int(row), int(col), "r") for row, col in np.argwhere(across >= least)}
    return frozenset(found | {(int(row), int(col), "d") for row, col in np.argwhere(down >= least)})


def thick_border(scene: Scene, grid: Grid) -> bool:
    """Whether the line round the whole grid is thicker than the thin ones between its cells."""
    return min(border_widths(scene, grid)) >= scene.once(_least_thick, grid)


def _least_thick(scene: Scene, grid: Grid) -> float:
    """How wide a thick line is at least: more than the thinnest one between the cells, and nearer to the thick ones.

    Thin lines of a picture that was made larger px by px are as wide again here and there.
    """
    widths = np.concatenate([one.ravel() for one in scene.once(line_widths, grid)])
    thin, thick = np.quantile(widths, (0.0, 1 - WIDER)).tolist() if len(widths) else (99.0, 99.0)
    return float(max(THICK * thin, thin + THICK_PX, (thin + thick) / 2))


def border_widths(scene: Scene, grid: Grid) -> tuple[float, float]:
    """How wide the lines left and right of the whole grid usually are, px."""
    left, right = np.median(_widths(scene.shades, grid.xs, grid.ys, (0, grid.cols)), axis=0).tolist()
    return left, right


def line_widths(scene: Scene, grid: Grid) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How many px of dark line are between neighbours: (rows, cols - 1) side by side, (rows - 1, cols) one below the other."""
    shades = scene.shades
    across = _widths(shades, grid.xs, grid.ys, range(1, grid.cols))
    return across, _widths(shades.T, grid.ys, grid.xs, range(1, grid.rows)).T


def grouped_by(scene: Scene, grid: Grid) -> tuple[int, int]:
    """After how many columns, and after how many rows, there is a thick line, from the first to the last; 0 without any."""
    (across, down), least = scene.once(line_widths, grid), scene.once(_least_thick, grid)
    return _every(np.median(across, axis=0) >= least), _every(np.median(down, axis=1) >= least)


def _every(thick: npt.NDArray[np.bool_]) -> int:
    """After how many cells one of the lines between them is thick. thick: which of them are."""
    found, cells = (np.flatnonzero(thick) + 1).tolist(), len(thick) + 1
    if not found or cells % found[0] or found != list(range(found[0], cells, found[0])):
        return 0
    return int(found[0])


def _widths(shades: Pixels, xs: Comb, ys: Comb, lines: Sequence[int]) -> npt.NDArray[np.float64]:
    """(rows, lines) the widths of upright lines beside each cell, in px of their full colour, however dark or light
    that is; of several places along it the median. Places that are not on the picture count nothing."""
    height, width = shades.shape
    reach = max(3, min(NEAR_PX, round(0.1 * xs.pitch)), round(0.08 * xs.pitch))
    rows = np.arange(ys.count - 1)[:, None] + 0.5 + np.array(ALONG)
    down = np.round(ys.first + ys.pitch * rows).astype(np.int64)
    at = np.round(xs.first + xs.pitch * np.array(lines)).astype(np.int64)
    shown = (down >= 0) & (down < height)
    px = np.clip(at[:, None] + np.arange(-reach, reach + 1), 0, width - 1)
    # (rows, places along, lines, px across)
    levels = shades[np.clip(down, 0, height - 1)[:, :, None, None], px].astype(np.float64)
    # A selected cell on one side is darker than that on the other, and no line.
    away = np.minimum(np.abs(levels - levels[..., :1]), np.abs(levels - levels[..., -1:]))
    wide = away.sum(axis=3) / np.maximum(away.max(axis=3), DRAWN_LEVELS)
    wide[~shown] = np.nan
    usual = np.zeros((len(rows), len(at)))
    some = shown.any(axis=1)
    # Over places that may be missing a median takes several times as long.
    usual[some] = (np.median if shown.all() else np.nanmedian)(wide[some], axis=1)
    return usual
