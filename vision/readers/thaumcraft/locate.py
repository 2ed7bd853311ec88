"""Finds the research table in a picture: where it is, how large, and which of the tables it is.

Three steps, each on a picture no larger than it needs. (1) Parchment or wood above the inventory tell the place roughly, in
any skin that keeps the one warm or the other dark. Where they do not, the known parchment is looked for at every scale, on
thumbnails where it is 24 px wide. (2) For each table, small landmarks (corners of wood, frames and the rim of the parchment)
are matched around where they should be, at one px per GUI px; the table whose landmarks agree on one scale and place wins.
(3) The same once more at twice the resolution, which fixes the lattice to a fraction of a px. Nothing is assumed about
windows or sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import BoardNotFound, NoPuzzleShown
from vision.frame import Box, Pixels, Point
from vision.readers.thaumcraft.backdrop import LANDMARK_GUI, Backdrop, as_bytes, landmarks
from vision.readers.thaumcraft.claim import LEAST_SCALE, Seen, likeliest
from vision.readers.thaumcraft.layout import STOCK
from vision.scene import Scene

Grey = npt.NDArray[np.float32]
# The whole picture in grey, (H, W): places are found without colour.
Shades = npt.NDArray[np.uint8]

# The parchment is looked for with so much wood around it (GUI px), so many px wide, and at scales that far apart.
_RIM_GUI, _COARSE_PX, _COARSE_STEP = 8, 24, 1.055
# The correlation is 0.73 and more on 13 pictures of tables. Any light square on dark may be as like it: this only spares a
# closer look at pictures without one.
_LIKE_PARCHMENT = 0.55
_LANDMARK_SCORE = 0.6
_FIT_GUI = 0.7
# How much a difference of the two scales costs: (0.3 GUI px / 0.3 %)^2.
_ONE_SCALE = 1e4
_ENOUGH = 8
_SCORE = 0.6
_MERIT = 0.45
_SURE_MERIT = 0.8
_PIECE = 12
# So much of the rim of a note that is there looks like it.
_RIM = 0.5
# A scale is whole within this share, and a place within so many px.
_WHOLE_SCALE, _WHOLE_PX = 0.0025, 0.35
# What is so near (GUI px) to the picture's edge says nothing.
_EDGE = 3
# A piece tells something with so many px and so much spread, and so many pieces tell a merit.
_PIECE_PX, _PIECE_SPREAD, _PIECES = 30, 20, 8
# Correlations above this are a fault of numbers; bends below the second are none.
_MOST_SCORE, _NO_BEND = 1.01, -1e-9
# Pairs of landmarks that are so far apart (GUI px), and in the upper part of all, tell the scale; it is near to the guess,
# landmarks agree within so many GUI px, and both axes have one scale to the last share.
_FAR_GUI, _NEAR_GUESS, _AGREE_GUI, _ONE_ASPECT = 60.0, 0.06, 1.2, 0.02


@dataclass(frozen=True)
class Placement:
    """How GUI px lie on the frame: frame = origin + scale * GUI, for x and y.

    score: mean correlation of the landmarks that agree, 0..1.
    """

    backdrop: Backdrop
    left: float
    top: float
    scale_x: float
    scale_y: float
    score: float

    @property
    def scale(self) -> float:
        """Px per GUI px."""
        return float((self.scale_x * self.scale_y) ** 0.5)

    def point(self, x: float, y: float) -> Point:
        """GUI px -> px of the frame."""
        return Point(self.left + self.scale_x * x, self.top + self.scale_y * y)

    def box(self, box: Box) -> Box:
        """A box in GUI px -> whole px of the frame."""
        left, top = self.point(box.left, box.top)
        return Box(
            round(left),
            round(top),
            max(1, round(box.width * self.scale_x)),
            max(1, round(box.height * self.scale_y)),
        )

    def lines(self, shape: tuple[int, ...]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Where the upright and the level lines between the GUI px of a picture of that shape are, px of the frame."""
        upright = np.rint(self.left + self.scale_x * np.arange(shape[1] + 1))
        level = np.rint(self.top + self.scale_y * np.arange(shape[0] + 1))
        return upright.astype(np.int64), level.astype(np.int64)

    def sample(
        self, pixels: Pixels, left: float, top: float, width: int, height: int, per_gui: float
    ) -> Pixels:
        """A part of the frame at a resolution of our own: (height, width, 3) uint8, BGR, or grey from grey.

        left, top: GUI px of its corner; width, height: px of the result; per_gui: its px per GUI px.
        Outside of the frame it is black.
        """
        steps = self.scale_x / per_gui, self.scale_y / per_gui
        return sampled(pixels, self.point(left, top), steps, (width, height))


def sampled(pixels: Pixels, corner: Point, steps: tuple[float, float], size: tuple[int, int]) -> Pixels:
    """A part of a picture from a corner on, of that (width, height): (height, width, 3) uint8, BGR, or grey from grey.

    steps: px of the picture to one of the part, across and down. Outside of the picture it is black.
    """
    (x, y), (step_x, step_y), (width, height) = corner, steps, size
    # Shrinking far would alias: a box filter of whole px first, on the part that is needed.
    blur = max(1, round(step_x)), max(1, round(step_y))
    far = Point(x + width * step_x, y + height * step_y)
    box = Box.spanning(corner, far).grown(max(blur) + 2).clipped((pixels.shape[1], pixels.shape[0]))
    if not box.width * box.height:
        return np.zeros((height, width, *pixels.shape[2:]), np.uint8)
    # The middles of px; a box of even size lies half a px to the left of its middle.
    matrix = np.array(
        [
            [step_x, 0, x + step_x / 2 - box.left - blur[0] % 2 / 2],
            [0, step_y, y + step_y / 2 - box.top - blur[1] % 2 / 2],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(cv2.blur(pixels[box.window], blur), matrix, size, flags=flags), np.uint8)


def locate(scene: Scene, backdrops: Sequence[Backdrop]) -> Placement:
    """The table on a picture, with a note in it. Raises BoardNotFound, NoPuzzleShown where there is no note."""
    seen = scene.once(likeliest)
    bare = seen is not None and not seen.noted
    for left, top, scale in _sheets(scene, seen, backdrops[0]):
        placement = _with_note(scene.shades, backdrops, left, top, scale)
        if placement is not None and (not bare or _shows_note(scene.pixels, placement)):
            return placement
    if bare:
        raise NoPuzzleShown("the research table is open, but there is no note in it", hint="put a note in")
    raise BoardNotFound(
        "no research table is on the picture, or its skin is unknown",
        hint="open the research table; for another resource pack: boardsight calibrate thaumcraft",
    )


def _sheets(scene: Scene, seen: Seen | None, backdrop: Backdrop) -> Iterator[tuple[float, float, float]]:
    """Where the note may be, likeliest first: left, top (px), px per GUI px."""
    if seen is not None:
        yield scene.factor * seen.sheet.x, scene.factor * seen.sheet.y, scene.factor * seen.scale
    yield from _parchment(scene, backdrop)


def _parchment(scene: Scene, backdrop: Backdrop) -> Iterator[tuple[float, float, float]]:
    """Where the picture is most like the parchment of a table and the wood around it, at whichever scale."""
    box = backdrop.layout.parchment.grown(_RIM_GUI)
    known = cv2.cvtColor(as_bytes(backdrop.canvas[box.window]), cv2.COLOR_BGR2GRAY)
    template = cv2.resize(known, (_COARSE_PX,) * 2, interpolation=cv2.INTER_AREA)
    most, best = _LIKE_PARCHMENT, None
    for scale, small in scene.once(_thumbnails, box.width):
        _, score, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(small, template, cv2.TM_CCOEFF_NORMED))
        if most < score <= _MOST_SCORE:
            px = box.width * scale / _COARSE_PX
            most, best = score, (x * px + _RIM_GUI * scale, y * px + _RIM_GUI * scale, scale)
    if best is not None:
        yield best


def _thumbnails(scene: Scene, width: int) -> list[tuple[float, Shades]]:
    """The picture in grey at each scale, px per GUI px, on which what is so wide, in GUI px, has the px of a thumbnail."""
    grey, found = scene.coarse.shades, []
    scale, halved = LEAST_SCALE, scene.factor
    while width * scale <= min(scene.size):
        shrink = _COARSE_PX / (width * scale)
        if 2 * halved * shrink <= 1:
            grey, halved = _resized(grey, 0.5), 2 * halved
        found.append((scale, _resized(grey, halved * shrink)))
        scale *= _COARSE_STEP
    return found


def _resized(grey: Shades, share: float) -> Shades:
    return np.asarray(cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)


def _shows_note(pixels: Pixels, placement: Placement) -> bool:
    """Whether what shows of the note's rim is parchment rather than wood."""
    backdrop = placement.backdrop
    height, width = backdrop.still.shape
    seen = placement.sample(pixels, 0, 0, width, height, 1.0).astype(np.float32)
    note, wood = (np.abs(seen - one).max(axis=2) for one in (backdrop.canvas, backdrop.bare))
    rim = backdrop.still & (backdrop.canvas != backdrop.bare).any(axis=2)
    return bool((note < wood)[rim].mean() >= _RIM)


def _with_note(
    shades: Shades, backdrops: Sequence[Backdrop], left: float, top: float, scale: float
) -> Placement | None:
    """The likeliest of the tables with its note there; None when the picture disagrees."""
    best: Placement | None = None
    like: Placement | None = None
    most = 0.0
    for backdrop in backdrops:
        start = _with_note_at(Placement(backdrop, 0.0, 0.0, scale, scale, 0.0), left, top)
        # The two tables of the other mod differ at their sides only: one place is both's.
        found = _refine(shades, start, 1.0, 10) if like is None else _in_place_of(like, backdrop)
        if found is None:
            continue
        merit = _merit(found, shades)
        if backdrop.layout.ui != STOCK.ui and merit > _MERIT:
            like = found
        if best is None or merit > most:
            best, most = found, merit
        if backdrop.layout.ui == STOCK.ui and merit > _SURE_MERIT:
            # The other two share much with each other, but little with this one.
            break
    return None if best is None else _settled(shades, best)


def _with_note_at(placement: Placement, left: float, top: float) -> Placement:
    """The table of which the parchment is at a place of the frame."""
    sheet = placement.backdrop.layout.parchment
    return replace(
        placement, left=left - placement.scale_x * sheet.left, top=top - placement.scale_y * sheet.top
    )


def _in_place_of(placement: Placement, backdrop: Backdrop) -> Placement:
    """Another table with its parchment where that of a known one is."""
    sheet = placement.backdrop.layout.parchment
    return _with_note_at(replace(placement, backdrop=backdrop), *placement.point(sheet.left, sheet.top))


def _settled(shades: Shades, start: Placement) -> Placement | None:
    """The placement at its finest, whole where it is nearly whole; None when the picture disagrees."""
    best = _refine(shades, start, 2.0, 3)
    if best is None or best.score < _SCORE or _merit(best, shades) < _MERIT:
        return None
    whole = round(best.scale)
    if whole and max(abs(best.scale_x / whole - 1), abs(best.scale_y / whole - 1)) < _WHOLE_SCALE:
        # GUI px are whole device px unless the picture was resized: keep the table's middle in its place.
        middle_x, middle_y = best.backdrop.still.shape[1] / 2, best.backdrop.still.shape[0] / 2
        left = best.left + (best.scale_x - whole) * middle_x
        top = best.top + (best.scale_y - whole) * middle_y
        if max(abs(left - round(left)), abs(top - round(top))) < _WHOLE_PX:
            left, top = float(round(left)), float(round(top))
        best = replace(best, left=left, top=top, scale_x=float(whole), scale_y=float(whole))
    return best


def _merit(placement: Placement, shades: Shades) -> float:
    """How well all of the still ground agrees, piece by piece: the mean correlation of 12 GUI px squares.

    Pieces off the picture do not count; ones hidden by something else count as 0.
    """
    backdrop = placement.backdrop
    height, width = backdrop.still.shape
    view = placement.sample(shades, 0, 0, width, height, 1.0)
    model = _grey_model(backdrop, 1.0)
    inside = _inside(shades, placement)
    mask = backdrop.still.copy()
    x, y = np.arange(width), np.arange(height)
    mask[:, (x < inside.left + 1) | (x >= inside.right - _EDGE)] = False
    mask[(y < inside.top + 1) | (y >= inside.bottom - _EDGE)] = False
    rows, cols = height // _PIECE, width // _PIECE

    def pieces(image: npt.NDArray[np.generic]) -> Grey:
        cut = image[: rows * _PIECE, : cols * _PIECE].astype(np.float32)
        return cut.reshape(rows, _PIECE, cols, _PIECE).transpose(0, 2, 1, 3).reshape(rows * cols, -1)

    weight, known, seen = pieces(mask), pieces(model), pieces(view)
    total = np.maximum(weight.sum(axis=1, keepdims=True), 1)
    known = (known - (known * weight).sum(axis=1, keepdims=True) / total) * weight
    seen = (seen - (seen * weight).sum(axis=1, keepdims=True) / total) * weight
    spread = np.sqrt((known**2).sum(axis=1) * (seen**2).sum(axis=1))
    usable = (weight.sum(axis=1) > _PIECE_PX) & ((known**2).sum(axis=1) > _PIECE_SPREAD * weight.sum(axis=1))
    if usable.sum() < _PIECES:
        return 0.0
    return float(np.clip((known * seen).sum(axis=1)[usable] / np.maximum(spread[usable], 1e-3), 0, 1).mean())


def _refine(shades: Shades, start: Placement, per_gui: float, reach_gui: int) -> Placement | None:
    """Matches landmarks around where they should be and fits scale and place; None when too few agree.

    per_gui: px per GUI px of the working picture; reach_gui: how far a landmark may be off, GUI px.
    """
    height, width = start.backdrop.opaque.shape
    margin = reach_gui + 4
    size = (int((width + 2 * margin) * per_gui), int((height + 2 * margin) * per_gui))
    grey = start.sample(shades, -margin, -margin, size[0], size[1], per_gui)
    inside = _inside(shades, start)
    model = _grey_model(start.backdrop, per_gui)
    half = LANDMARK_GUI // 2
    rows: list[tuple[float, float, float, float, float]] = []
    for x, y in landmarks(start.backdrop):
        if not (inside.left <= x - half and x + half <= inside.right):
            continue
        if not (inside.top <= y - half and y + half <= inside.bottom):
            continue
        u, v = int((x - half) * per_gui), int((y - half) * per_gui)
        piece = model[v : v + int(2 * half * per_gui), u : u + int(2 * half * per_gui)]
        s, t = int((x - half + margin - reach_gui) * per_gui), int((y - half + margin - reach_gui) * per_gui)
        reach = int(2 * reach_gui * per_gui)
        window = grey[t : t + piece.shape[0] + reach, s : s + piece.shape[1] + reach]
        scores = cv2.matchTemplate(window, piece, cv2.TM_CCOEFF_NORMED)
        _, score, _, (px, py) = cv2.minMaxLoc(scores)
        if not _LANDMARK_SCORE < score < _MOST_SCORE:
            continue
        at_x = (px + _peak(scores[py, :], px)) / per_gui - reach_gui
        at_y = (py + _peak(scores[:, px], py)) / per_gui - reach_gui
        rows.append((x, y, x + at_x, y + at_y, score))
    return _fit(start, rows)


def _peak(values: npt.NDArray[Any], at: int) -> float:
    """Where between the samples the top of a parabola through three of them lies, -0.5..0.5."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, here, after = (float(values[i]) for i in (at - 1, at, at + 1))
    bend = before - 2 * here + after
    return 0.0 if bend >= _NO_BEND else max(-0.5, min(0.5, 0.5 * (before - after) / bend))


def _fit(start: Placement, rows: Sequence[tuple[float, float, float, float, float]]) -> Placement | None:
    """Scale and offset that most landmarks agree on (all pairs tried, then least squares on the agreeing)."""
    if len(rows) < _ENOUGH:
        return None
    table = np.array(rows, np.float64)
    here, there, scores = table[:, :2], table[:, 2:4], table[:, 4]
    i, j = np.triu_indices(len(rows), 1)
    span = np.abs(here[i] - here[j]).sum(axis=1)
    # Pairs that are far apart say most about the scale.
    far = span > max(_FAR_GUI, float(np.quantile(span, 0.7)))
    i, j, span = i[far], j[far], span[far]
    if not len(i):
        return None
    # One scale for both axes first: projected on the direction of the pair.
    direction = here[j] - here[i]
    scale = ((there[j] - there[i]) * direction).sum(axis=1) / (direction**2).sum(axis=1)
    offset = there[i] - scale[:, None] * here[i]
    keep = np.abs(scale - 1) < _NEAR_GUESS
    if not keep.any():
        return None
    scale, offset = scale[keep], offset[keep]
    off_x, off_y = (
        np.abs(scale[:, None] * here[:, axis] + offset[:, axis, None] - there[:, axis]) for axis in (0, 1)
    )
    agree = np.maximum(off_x, off_y) < _AGREE_GUI
    best = int(np.argmax((agree * scores).sum(axis=1)))
    good = agree[best]
    fit = np.array([[1.0, 0.0], [1.0, 0.0]])
    for _ in range(4):
        if good.sum() < _ENOUGH:
            return None
        x, y, share = here[good], there[good], scores[good, None] / scores[good].sum()
        mean_x, mean_y = (share * x).sum(axis=0), (share * y).sum(axis=0)
        spread = (share * (x - mean_x) ** 2).sum(axis=0) * good.sum()
        common = (share * (x - mean_x) * (y - mean_y)).sum(axis=0) * good.sum()
        # Both axes nearly always have one scale, which matters when a crop leaves one of them short.
        slope = np.linalg.solve(np.diag(spread) + _ONE_SCALE * np.array([[1, -1], [-1, 1]]), common)
        fit = np.stack([slope, mean_y - slope * mean_x], axis=1)
        good = np.abs(fit[:, 0] * here + fit[:, 1] - there).max(axis=1) < _FIT_GUI
    if good.sum() < _ENOUGH or abs(fit[0, 0] / fit[1, 0] - 1) > _ONE_ASPECT:
        return None
    left, top = start.point(float(fit[0, 1]), float(fit[1, 1]))
    return Placement(
        start.backdrop,
        left,
        top,
        start.scale_x * float(fit[0, 0]),
        start.scale_y * float(fit[1, 0]),
        float(scores[good].mean()),
    )


def _inside(pixels: Pixels, placement: Placement) -> Box:
    """The part of the GUI that is on the picture, in GUI px."""
    height, width = pixels.shape[:2]
    left, top = -placement.left / placement.scale_x, -placement.top / placement.scale_y
    return Box(
        int(np.floor(left)),
        int(np.floor(top)),
        int(width / placement.scale_x) + 2,
        int(height / placement.scale_y) + 2,
    )


@lru_cache(maxsize=32)
def _grey_model(backdrop: Backdrop, per_gui: float) -> Pixels:
    canvas = np.clip(backdrop.canvas, 0, 255).astype(np.uint8)
    grey = cv2.cvtColor(canvas, cv2.COLOR_BGR2GRAY)
    if per_gui != 1:
        grey = cv2.resize(grey, None, fx=per_gui, fy=per_gui, interpolation=cv2.INTER_NEAREST)
    return np.asarray(grey, np.uint8)
