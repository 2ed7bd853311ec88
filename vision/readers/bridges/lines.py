"""Bridges on the picture: parallel lines between two islands.

Along a span the picture is reduced to one profile across it: at every offset the contrast that at least four
fifths of the length have. Crosses (no-bridge marks) are not as long, drawn lattice lines show on empty lattice
edges as well and are taken off, and what remains are the lines.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import strongest
from vision.frame import Pixels, Point
from vision.readers.bridges.drawn import Ground

Profile1 = npt.NDArray[np.float32]

# Look this far (share of the pitch) to both sides: rings in the next row begin at 0.4.
ASIDE = 0.38
# Contrast that this share of the length lacks does not count; what half of it shows is a dashed line or a doubt.
MISSING, DASHED = 20.0, 50.0
# Beside a badge so much is left of a span to look at, or all of it is looked at.
BESIDE_PX = 4
# Levels under which a line is none.
LEAST_LEVELS = 22.0
# A line shows at least this share of the strongest line of its span; what shows this one may be a line.
LINE = 0.5
WEAKER = 0.2
MOST_LINES = 4
# Between two lines the contrast falls to at most this share; from the second share on it is one line's own texture.
VALLEY = 0.7
SHALLOW = 0.85
UNSURE = -1
# A line so far from the middle (share of what is looked at) is neither surely a bridge nor surely none.
NEAR = 0.2
# Percentile of the strongest of what is drawn anyway.
STRONGEST = 95
# What is fainter than this share of the lines is the stripe of a locked bridge.
STRIPE = 0.3


def profile(
    pixels: Pixels,
    ground: Ground,
    a: Point,
    b: Point,
    clear_px: float,
    pitch_px: float,
    badge_px: float = 0.0,
) -> Profile1 | None:
    """(3, offsets) contrast to the ground in any channel, in brightness, and of dashes; None when there is no room.

    a, b: middles of the islands; clear_px: what to leave out at both ends; pitch_px: across the span; badge_px: what
    to leave out to both sides of the middle.
    """
    level = abs(a.y - b.y) < abs(a.x - b.x)
    picture = pixels if level else pixels.transpose(1, 0, 2)
    (x0, y0), (x1, y1) = ((a.x, a.y), (b.x, b.y)) if level else ((a.y, a.x), (b.y, b.x))
    if x0 > x1:
        x0, x1, y0, y1 = x1, x0, y1, y0
    start, end = int(np.ceil(x0 + clear_px)), int(x1 - clear_px)
    middle = (y0 + y1) / 2
    reach = max(int(ASIDE * pitch_px), 2)
    top = int(middle) - reach
    if end - start < 2 or top < 0 or top + 2 * reach + 1 > picture.shape[0]:
        return None
    strip = picture[top : top + 2 * reach + 1, max(start, 0) : end].astype(np.float32)
    if strip.shape[1] < 2:
        return None
    along, across = np.arange(max(start, 0), end), np.arange(top, top + strip.shape[0])[:, None]
    strip -= ground.at(along, across) if level else ground.at(across, along)
    beside = np.abs(along + 0.5 - (x0 + x1) / 2) > badge_px
    if badge_px and beside.sum() >= BESIDE_PX:
        strip = strip[:, beside]
    away = strongest(np.abs(strip))
    weights = np.array([0.114, 0.587, 0.299], np.float32)
    grey = np.abs(strip @ weights)
    return np.concatenate([_weak(np.stack([away, grey]), MISSING), _weak(away[None], DASHED)])


def _weak(contrast: npt.NDArray[np.float32], missing: float) -> Profile1:
    """The percentile `missing` along the last axis, between values as they lie; much faster than NumPy's own."""
    at = missing / 100 * (contrast.shape[-1] - 1)
    low = int(at)
    ordered = np.partition(contrast, (low, low + 1), axis=-1)
    below, above = ordered[..., low], ordered[..., low + 1]
    return np.asarray(below + (above - below) * np.float32(at - low), np.float32)


def usual_profiles(profiles: Sequence[Profile1]) -> tuple[Profile1, ...]:
    """The profile of lattice edges where no bridge can be, what is drawn anyway: as it mostly is, and the strongest.

    Resampled grid lines of one strength are not equally strong any more. They run through the middle; what is to the
    side belongs to islands. Empty where there are too few edges.
    """
    if len(profiles) < 3:
        return ()
    size = min(p.shape[1] for p in profiles)
    cut = np.stack([p[:, (p.shape[1] - size) // 2 : (p.shape[1] - size) // 2 + size] for p in profiles])
    mostly = np.median(cut, axis=0).astype(np.float32)
    side = size // 3
    strongest = mostly.copy()
    strongest[:, side : size - side] = np.percentile(cut[:, :, side : size - side], STRONGEST, axis=0)
    return mostly, strongest


def count_lines(seen: Profile1, usual: Sequence[Profile1] = (), least: float = LEAST_LEVELS) -> int:
    """How many parallel lines the profile shows; UNSURE where it could be another number.

    usual: what is drawn anyway, as it mostly looks and as strong as it gets.
    """
    counts = {max(_count(seen[k], drawn[k], least) for k in (0, 1)) for drawn in usual or (np.zeros((2, 0)),)}
    return counts.pop() if len(counts) == 1 else UNSURE


def is_dashed(seen: Profile1, usual: Sequence[Profile1] = (), least: float = LEAST_LEVELS) -> bool:
    """Whether a profile without lines shows some that have gaps: bridges or hints, which nothing tells."""
    return all(_count(seen[2], drawn[2], least) for drawn in usual or (np.zeros((3, 0)),))


def ink(seen: Profile1) -> float:
    """The contrast of the lines, summed over px across them: blurring leaves that as it is."""
    own = seen[0]
    return float(own[own >= STRIPE * own.max(initial=0.0)].sum())


def _count(seen: Profile1, usual: Profile1, least: float) -> int:
    clear = seen.copy()
    if usual.max(initial=0) > 6:
        size = min(len(seen), len(usual))
        own, off = (len(seen) - size) // 2, (len(usual) - size) // 2
        drawn = usual[off : off + size]
        # The lattice line may be a px off.
        drawn = np.asarray(cv2.dilate(drawn[:, None], np.ones((5, 1), np.uint8)).ravel(), np.float32)
        part = clear[own : own + size]
        part[part <= 1.3 * drawn + 10] = 0
    top = float(clear.max(initial=0))
    if top < least:
        return 0
    dark = np.concatenate(([False], clear >= LINE * top, [False]))
    edges = np.flatnonzero(np.diff(dark.astype(np.int8))).reshape(-1, 2)
    if not _in_the_middle(edges, len(seen)):
        # The ring of a neighbour may look in from the side.
        edges = edges[_free(edges, len(seen))]
        if not _in_the_middle(edges, len(seen)):
            return UNSURE if _near_the_middle(edges, len(seen)) else 0
    # Two rings may look in from both sides; bundles as wide as that have lines in between.
    if not _free(edges, len(seen)).any():
        return 0
    lines = [_lines_in(clear[start:end]) for start, end in edges]
    if UNSURE in lines or _is_half(edges, clear):
        return UNSURE
    return sum(lines) if sum(lines) <= MOST_LINES else 0


def _is_half(edges: npt.NDArray[np.intp], clear: Profile1) -> bool:
    """Whether runs beside the middle have a weaker counterpart on the other side: resampled lines differ in strength."""
    weak = np.concatenate(([False], clear >= WEAKER * clear.max(), [False]))
    both = np.flatnonzero(np.diff(weak.astype(np.int8))).reshape(-1, 2)
    both = both[_free(both, len(clear))]
    if len(both) <= len(edges):
        return False
    off, off_both = (abs(float(runs.mean()) - len(clear) / 2) for runs in (edges, both))
    return off > 1 and off_both <= 0.5 * off


def _free(edges: npt.NDArray[np.intp], size: int) -> npt.NDArray[np.bool_]:
    """Which runs touch neither end of the profile."""
    return (edges[:, 0] > 0) & (edges[:, 1] < size)


def _in_the_middle(edges: npt.NDArray[np.intp], size: int) -> bool:
    """Whether the runs lie as a bundle of bridges does; anything else is a line of something else."""
    return len(edges) > 0 and bool(abs(float(edges.mean()) - size / 2) <= max(2.0, 0.12 * size))


def _near_the_middle(edges: npt.NDArray[np.intp], size: int) -> bool:
    """Whether the runs may be a bridge between islands whose middles are not where they were measured."""
    return len(edges) > 0 and bool(abs(float(edges.mean()) - size / 2) <= NEAR * size)


def _lines_in(run: Profile1) -> int:
    """How many lines a dark run is: blurred ones run into each other, but leave a valley in between."""
    shallow = 0
    lines = 1
    top, valley = float(run[0]), float(run[0])
    for value in run.tolist():
        if value <= valley:
            valley = value
        elif valley <= VALLEY * min(top, value):
            lines += 1
            top = valley = value
        elif valley <= SHALLOW * min(top, value):
            shallow += 1
            top = max(top, value)
        if value > top:
            top = valley = value
    return UNSURE if shallow and lines == 1 else lines
