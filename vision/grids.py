"""Grids of equal cells, found by the lines or gaps between the cells.

Every border of a cell is a straight step of colour: the two sides of a grid line, the bevel of a button, the edge
of a gap. Steps that run straight for some px are collected; those that hang together are one candidate. Their
positions along x and along y must be a comb of equal pitch; then every side of every cell is looked at, and the
largest block of rows and columns whose sides are there is the grid. Thick lines, missing pieces (filled cells
that hide the line between them) and lines that go on beside the grid (clue boxes) are thus no trouble.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from statistics import median
from typing import Any, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.components import components
from vision.frame import Box, Pixels, Point

Mask = npt.NDArray[np.bool_]
Level = TypeVar("Level", bound=np.number[Any])

# Levels of one channel: fainter steps are texture, gradients and JPEG.
STEP_LEVELS = 9
# A straight step shorter than this is writing.
LEAST_RUN_PX = 7
LEAST_PITCH_PX = 8.0
LEAST_CELLS = 3
# Pieces of a grid this far apart still hang together: from touching lines to wide gaps between round cells.
REACH_PX = (2, 5, 11, 21)
# Pieces are looked for on a picture as coarse as this, so many of them for each reach.
COARSE_PX = 4
MOST_PIECES = 5
# A piece of which a known grid covers this share has no larger one.
KNOWN = 0.7
# A comb of this score explains all steps and lacks none; one below the other is of writing.
CLEAR, LEAST_REGULAR = 0.93, 0.35
# Where every second line of a comb is no longer than this share of the longest, they are strokes in the middles of cells.
SHORTER = 0.5
# Pitches are looked for among these quantiles of the distances of lines, the last before all; they are one within this share.
STEPS_AT, SAME_PITCH = np.array((0.15, 0.3, 0.7, 0.85, 0.5)), 0.02
# Steps this near to each other (share of the pitch) are two sides of the same line.
SAME_LINE = 0.3
# Where a line is expected it may be this far off (share of the pitch).
ON_LATTICE = 0.14
# A line of the grid shows at least this share of its pieces; the rest may be hidden by filled cells.
LEAST_SHOWN = 0.34
LEAST_SHOWN_OVERALL = 0.55
# So many lines side by side may not be drawn at all, where this share of the lines across runs on.
MOST_VANISHED, RUNS_ON = 2, 0.8
# The outer lines are never hidden.
LEAST_OUTER = 0.6
# Nor less whole, cell corners included, than this share of what the inner lines are.
OUTER_WHOLE = 0.75
# An outer row has steps on no more than this share of its height, or than so many times what is usual on the others, at
# so many of its places at least: crosses leave some free. What is usual is told from so many.
GRAIN, GRAINIER, EVERYWHERE, SOME = 0.1, 2.0, 0.1, 5
# Grids are one where their pitches differ by no more than this share; cells are no further from squares than this, and a grid
# of squares is liked better by this much of what others differ from them.
ONE_PITCH, SQUARE, OBLONG = 0.05, 0.5, 0.5
# A comb that grows keeps its pitch to this share; scores that differ by less are equal.
GROWS, EQUAL = 0.1, 1e-6
# A step is strong from half way between the usual and the strongest; a line keeps the pitch to the second share, or all are
# even to so many px.
HALF_WAY, KEEPS_PITCH, EVEN_PX = 0.5, 0.06, 1.0
# An outer line is looked for up to this share of the pitch from its place; it is none where it is farther off than the
# others by so many px, and by the second share. A thick frame begins where a line would.
OUT_OF_REACH, ASTRAY_PX, ASTRAY = 0.3, 2.5, 0.1
# Lines so wide (px) more than the outer ones are gaps between cells.
LEAST_GAP_PX = 4
# A line shows along this share of itself.
LINE_SHOWS = 0.6


@dataclass(frozen=True)
class Comb:
    """Equally spaced lines: `first + pitch * (0..count - 1)`, in px."""

    first: float
    pitch: float
    count: int

    def at(self, index: float) -> float:
        return self.first + self.pitch * index


@dataclass(frozen=True)
class Grid:
    """Equal cells between `xs.count` vertical and `ys.count` horizontal lines."""

    xs: Comb
    ys: Comb

    @property
    def cols(self) -> int:
        return self.xs.count - 1

    @property
    def rows(self) -> int:
        return self.ys.count - 1

    @property
    def box(self) -> Box:
        left, top = round(self.xs.first), round(self.ys.first)
        return Box(left, top, round(self.xs.at(self.cols)) - left, round(self.ys.at(self.rows)) - top)

    def centre(self, row: int, col: int) -> Point:
        return Point(self.xs.at(col + 0.5), self.ys.at(row + 0.5))

    def enlarged(self, times: int) -> Grid:
        """The grid on a picture so many times as large."""
        return Grid(
            *(Comb(times * comb.first, times * comb.pitch, comb.count) for comb in (self.xs, self.ys))
        )

    def without(self, top: int = 0, left: int = 0, *, bottom: int = 0, right: int = 0) -> Grid:
        """The grid less its first, and its last, rows and columns."""
        return Grid(
            Comb(self.xs.at(left), self.xs.pitch, self.xs.count - left - right),
            Comb(self.ys.at(top), self.ys.pitch, self.ys.count - top - bottom),
        )


def straight_steps(pixels: Pixels, least_levels: int = STEP_LEVELS, gap_px: int = 0) -> tuple[Mask, Mask]:
    """Where colour changes along a straight vertical, and along a straight horizontal, border.

    pixels: (H, W) or (H, W, 3) uint8. Both are (H, W); place x means the border between x - 1 and x.
    least_levels: fainter steps do not count. gap_px: borders with gaps of so many px go on: dashes and dots.
    """
    height, width = pixels.shape[:2]
    across, down = np.zeros((2, height, width), np.uint8)
    planes = cv2.split(pixels)
    for steps, one, other in (
        (across[:, 1:], np.s_[:, 1:], np.s_[:, :-1]),
        (down[1:], np.s_[1:], np.s_[:-1]),
    ):
        strongest = cv2.absdiff(planes[0][one], planes[0][other])
        away = np.empty_like(strongest)
        for plane in planes[1:]:
            cv2.max(strongest, cv2.absdiff(plane[one], plane[other], away), strongest)
        cv2.threshold(strongest, least_levels - 1, 1, cv2.THRESH_BINARY, strongest)
        steps[:] = strongest
    if gap_px:
        for steps, shape in ((across, (gap_px + 1, 1)), (down, (1, gap_px + 1))):
            cv2.morphologyEx(steps, cv2.MORPH_CLOSE, np.ones(shape, np.uint8), steps)
    upright = cv2.morphologyEx(across, cv2.MORPH_OPEN, np.ones((LEAST_RUN_PX, 1), np.uint8))
    level = cv2.morphologyEx(down, cv2.MORPH_OPEN, np.ones((1, LEAST_RUN_PX), np.uint8))
    return upright.view(np.bool_), level.view(np.bool_)


def find_grids(pixels: Pixels) -> list[Grid]:
    """Every grid of the picture, the largest area first."""
    return grids_of(*straight_steps(pixels))


def grids_of(upright: Mask, level: Mask) -> list[Grid]:
    """Every grid that straight steps make (see `straight_steps`), the largest area first."""
    turned = np.asarray(cv2.transpose(level.view(np.uint8)), np.uint8).view(np.bool_)
    found: list[Grid] = []
    looked_at: list[Box] = []
    for box, own in _pieces(upright | level):
        # Whatever the reach, a piece with the same ends is the same; cells of a grid hold none.
        if any(box.like(other, COARSE_PX) for other in looked_at) or any(
            box.mostly_in(grid.box, KNOWN) for grid in found
        ):
            continue
        looked_at.append(box)
        seen = [_grid_in(upright, turned, box)]
        if own is not None:
            # Panels beside a grid have lines as well: a banner or a frame that reaches round both takes them in.
            shown = own()
            alone, alone_turned = np.zeros_like(upright), np.zeros_like(turned)
            alone[box.window] = upright[box.window] & shown
            alone_turned[box.window[::-1]] = turned[box.window[::-1]] & shown.T
            seen.append(_grid_in(alone, alone_turned, box))
        found += dict.fromkeys(grid for grid in seen if grid is not None and grid not in found)
    found.sort(key=lambda grid: -grid.box.width * grid.box.height)
    return distinct(found)


def distinct(grids: Sequence[Grid]) -> list[Grid]:
    """Without grids that say the same as one before."""
    kept: list[Grid] = []
    for grid in grids:
        if not any(
            abs(grid.xs.pitch - k.xs.pitch) < ONE_PITCH * k.xs.pitch and k.box.contains(grid.centre(0, 0))
            for k in kept
        ):
            kept.append(grid)
    return kept


def _pieces(steps: Mask) -> Iterator[tuple[Box, Callable[[], Mask] | None]]:
    """Boxes of what hangs together within each reach, the largest first: seen coarsely, for they are only windows.

    With what tells where in its box the piece is, (H, W) of the box, where others lie in it.
    """
    least = LEAST_CELLS * LEAST_PITCH_PX
    coarse: Pixels = steps.view(np.uint8)
    px = 1
    for reach in REACH_PX:
        while px < min(reach, COARSE_PX):
            wide = cv2.dilate(coarse, np.ones((2, 2), np.uint8), anchor=(0, 0))
            coarse, px = np.asarray(wide[::2, ::2].copy(), np.uint8), 2 * px
        near = cv2.dilate(coarse, np.ones((max(round(reach / px), 1),) * 2, np.uint8))
        names, stats = components(near)
        ends = px * stats[1:, :4]
        large = np.flatnonzero((ends[:, 2:] >= least).all(axis=1))
        order = large[np.argsort(-ends[large, 2:].prod(axis=1), kind="stable")]
        first, sizes = ends[order, :2], ends[order, 2:]
        last, middles = first + sizes, first + sizes / 2
        for nth, n in enumerate(order[:MOST_PIECES].tolist()):
            others = middles[nth + 1 :]
            within = ((first[nth] <= others) & (others < last[nth])).all(axis=1).any()
            box = Box(*ends[n].tolist())
            yield box, partial(_only, names, n + 1, px, box.clipped(steps.shape[::-1])) if within else None


def _only(names: npt.NDArray[Any], number: int, px: int, box: Box) -> Mask:
    """(H, W) where in a box a piece of a coarse picture is."""
    coarse = names[box.top // px : -(-box.bottom // px), box.left // px : -(-box.right // px)] == number
    fine = np.repeat(np.repeat(coarse, px, axis=0), px, axis=1)
    return np.asarray(fine[: box.height, : box.width], np.bool_)


def _grid_in(upright: Mask, turned: Mask, box: Box) -> Grid | None:
    """turned: the level steps with rows and columns exchanged."""
    rows = slice(box.top, box.bottom)
    cols = slice(box.left, box.right)
    best: tuple[float, Comb, Comb] | None = None
    across = list(_combs(counts(upright[rows, cols])))
    regular = any(score >= LEAST_REGULAR for score, _ in across)
    down = list(_combs(counts(turned[cols, rows]))) if regular else []
    for score_x, x in across:
        for score_y, y in down:
            if SQUARE <= x.pitch / y.pitch <= 1 / SQUARE:
                alike = 1 - OBLONG * abs(np.log(x.pitch / y.pitch))
                score = (score_x + score_y) * alike
                if best is None or score > best[0]:
                    best = score, x, y
    if best is None:
        return None
    grid = Grid(
        replace(best[1], first=best[1].first + box.left), replace(best[2], first=best[2].first + box.top)
    )
    return _shown_block(upright, turned, grid)


def counts(mask: Mask) -> npt.NDArray[np.int64]:
    """How many px of each column of a mask are set."""
    if not mask.size:
        return np.zeros(mask.shape[1], np.int64)
    sums = cv2.reduce(mask.view(np.uint8), 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S)
    return np.asarray(sums, np.int64).ravel()


def _combs(profile: npt.NDArray[np.int64]) -> Iterator[tuple[float, Comb]]:
    """Combs that explain where the steps are, with a score: the share of steps explained, and the count."""
    top = int(profile.max(initial=0))
    if top < LEAST_RUN_PX:
        return
    # First every step, then the long ones alone: crosses in the cells have short straight pieces, too.
    before = 0
    for share in (0.12, 0.5):
        places = (profile >= max(LEAST_RUN_PX, share * top)).nonzero()[0]
        if len(places) == before:
            # All steps are long ones.
            return
        before = len(places)
        weights, apart = profile[places].astype(np.float64), places[1:] - places[:-1]
        tried: set[int] = set()
        for gap in (2, 3, 5, 8, 13, 21):
            ends = (apart > gap).nonzero()[0]
            if len(ends) < LEAST_CELLS or len(ends) in tried:
                continue
            tried.add(len(ends))
            lines, mass = _merge(places, weights, ends)
            between = lines[1:] - lines[:-1]
            steps = quantiles(between, STEPS_AT)
            usual = between[np.abs(between - steps[-1]) <= ON_LATTICE * steps[-1]]
            if len(usual):
                # Where each fifth line is thicker, far lines stand whole cells off from what most steps tell.
                steps[-1] = sum(usual.tolist()) / len(usual)
            # The steps of a line stand no farther apart than those that are taken for one here.
            widest = int(apart[apart <= gap].max(initial=0))
            least = max(LEAST_PITCH_PX, widest / SAME_LINE * 0.8)
            steps = steps[steps >= least]
            # From pitches that are so near to each other the same combs are found.
            near = np.rint(np.log(steps) / SAME_PITCH)
            pitches = list(dict(zip(near.tolist(), steps.tolist(), strict=True)).values())
            if not pitches:
                continue
            fits = list(_fits(lines, mass, pitches))
            yield from fits
            for clear in [comb for score, comb in fits if score >= CLEAR]:
                wide = float(places[-1] - places[0] - apart[ends].sum()) / len(lines)
                second = np.rint((lines - clear.first) / clear.pitch) % 2 == 1
                if wide <= SAME_LINE * clear.pitch and mass[second].max(initial=0) > SHORTER * mass.max():
                    # All of it is one comb of what is narrow enough for lines: no other way to see them says more.
                    return


def quantiles(values: npt.NDArray[Level], shares: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """What NumPy's own say along the last axis, without its tens of microseconds of preparations."""
    ordered, at = np.sort(values), np.multiply(shares, values.shape[-1] - 1)
    low = at.astype(np.int64)
    below, above = ordered[..., low], ordered[..., np.minimum(low + 1, values.shape[-1] - 1)]
    return np.asarray(below + (above - below) * (at - low), np.float64)


def _merge(
    places: npt.NDArray[np.int64], weights: npt.NDArray[np.float64], ends: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Steps that are near each other as one line: its middle, and its weight. ends: which are the last ones of a line."""
    first = np.concatenate(([0], ends + 1))
    last = np.concatenate((ends, [len(places) - 1]))
    lines, wide = (places[first] + places[last]) / 2, (places[last] - places[first]).tolist()
    # The outer edges of cells with gaps between them lie half a gap inside the places of their lines.
    usual = median(wide) if max(wide) >= LEAST_GAP_PX else 0.0
    for outer, out in ((0, -1), (-1, 1)):
        inside = usual - wide[outer]
        lines[outer] += out * inside / 2 if inside >= LEAST_GAP_PX else 0
    return lines, np.maximum.reduceat(weights, first)


def _fits(
    lines: npt.NDArray[np.float64], mass: npt.NDArray[np.float64], pitches: Sequence[float]
) -> Iterator[tuple[float, Comb]]:
    """For each pitch, in order, the comb of about this pitch that explains most of the weight.

    Every heavy line is tried as the start; all starts of all pitches are fitted side by side, one row each.
    """
    starts = lines[(-mass).argsort()[:6]]
    wanted = np.array([pitch for pitch in pitches for _ in starts])
    first, step = np.array([*starts] * len(pitches)), wanted.copy()
    index, near = _nearest(lines, first, step)
    growing = _places(index, near) >= LEAST_CELLS + 1
    if not growing.any():
        return
    for _ in range(4):
        # Far lines count only when the near ones have made the pitch exact: grow outwards.
        first_new, step_new = _straight(index, lines, near * mass)
        growing &= np.abs(step_new - wanted) < GROWS * wanted
        if not growing.any():
            break
        first, step = np.where(growing, first_new, first), np.where(growing, step_new, step)
        before, (index, near) = (index, near), _nearest(lines, first, step)
        if not ((near != before[1]) | (index != before[0])).any():
            # On the same lines the same combs are found.
            break
        growing &= _places(index, near) >= LEAST_CELLS + 1
    held, total = near * mass, float(mass.sum())
    explained = held.sum(axis=1)
    # A line that is much longer than those of the grid, as a bar's above it, may weigh more than all of them.
    own = np.where(growing, explained - 0.5 * (total - explained), -np.inf).reshape(len(pitches), -1)
    # Starts on one comb differ by rounding only: the first of them is taken.
    firsts = (own >= own.max(axis=1, keepdims=True) - EQUAL).argmax(axis=1).tolist()
    for number, start in enumerate(firsts):
        best = number * len(starts) + start
        if not growing[best]:
            continue
        # In order, as the lines are.
        seen = index[best][near[best]]
        new = seen[1:] > seen[:-1]
        count = int(np.count_nonzero(new)) + 1
        odd = int(np.count_nonzero(seen[1:][new] % 2) + seen[0] % 2)
        # With a single line on all of every second place it is half of the pitch.
        if count == LEAST_CELLS + 1 or min(odd, count - odd) > 1:
            low, high = int(seen[0]), int(seen[-1])
            pitch = float(step[best])
            filled = count / (high - low + 1)
            share = float(explained[best]) / total
            # A box beside the grid may pass for a line of a comb that fits the others less well; one that
            # has all lines at the end of its reach is worth half.
            away = np.abs(lines - first[best] - index[best] * pitch)
            off = float(away @ held[best]) / (float(explained[best]) * pitch)
            yield (
                share * filled * (1 - off / ON_LATTICE / 2),
                Comb(float(first[best]) + low * pitch, pitch, high - low + 1),
            )


def _nearest(
    lines: npt.NDArray[np.float64], first: npt.NDArray[np.float64], step: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], Mask]:
    """(combs, lines) the nearest place of each comb to each line, and whether the line is on it."""
    away = lines[None] - first[:, None]
    index = np.rint(away / step[:, None])
    return index, np.abs(away - index * step[:, None]) <= ON_LATTICE * step[:, None]


def _places(index: npt.NDArray[np.float64], near: Mask) -> npt.NDArray[np.int64]:
    """(combs,) on how many different places there are lines; lines are in order, so places never go back."""
    last = np.maximum.accumulate(np.where(near, index, -np.inf), axis=1)
    new = near.copy()
    new[:, 1:] &= index[:, 1:] > last[:, :-1]
    return np.asarray(new.sum(axis=1), np.int64)


def _straight(
    index: npt.NDArray[np.float64], lines: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """(first, step) of each comb by weighted least squares; step 0 where there is nothing to fit."""
    total = np.maximum(weight.sum(axis=1), 1e-9)
    middle, at = (weight * index).sum(axis=1) / total, weight @ lines / total
    off = weight * (index - middle[:, None])
    # Together these weigh nothing: it does not matter from where lines and places are counted.
    step = off @ lines / np.maximum((off * index).sum(axis=1), 1e-9)
    return at - step * middle, step


def _shown_block(upright: Mask, turned: Mask, grid: Grid) -> Grid | None:
    """The largest block of rows and columns whose lines are really there."""
    # The thick outer line may have been too far off for the comb.
    combs, steps = (_longer(grid.xs), _longer(grid.ys)), (upright, turned)
    pairs = ((0, 1), (1, 0))
    tall, flat = (_sides(steps[one], combs[one], combs[other]) for one, other in pairs)
    sides = _with_vanished(tall, flat), _with_vanished(flat, tall)
    ends = [(0, comb.count - 1) for comb in combs]

    def block(one: int, other: int) -> npt.NDArray[np.float64]:
        """The sides of the cells of the block that lie on its lines across one axis."""
        return sides[one][ends[one][0] : ends[one][1] + 1, slice(*ends[other])]

    for _ in range(12):
        before = list(ends)
        for left in (_shown, _trimmed):
            for one, other in pairs:
                ends[one] = left(block(one, other), block(other, one), ends[one][0])
                if ends[one][1] - ends[one][0] < LEAST_CELLS:
                    return None
        if ends != before:
            continue
        for one, other in pairs:
            ends[one] = _drawn_alike(steps[one], combs[one], combs[other], ends[one], ends[other])
        for one, other in pairs:
            ends[one] = _no_grain(steps[other], combs[other], combs[one], ends[other], ends[one])
        if min(last - first for first, last in ends) < LEAST_CELLS:
            return None
        if ends == before:
            break
    if sum(float(block(*pair).mean()) for pair in pairs) / 2 < LEAST_SHOWN_OVERALL:
        return None
    unframed = _is_open(*sides, *ends)
    found = [
        Comb(comb.at(first - unframed), comb.pitch, last - first + 1 + 2 * unframed)
        for comb, (first, last) in zip(combs, ends, strict=True)
    ]
    # What is seen where it has no outer lines is writing beside it.
    for exact in (_refined,) if unframed else (_refined, _in_place):
        found = [exact(steps[one], found[one], found[other]) for one, other in pairs]
    return Grid(*found) if min(comb.count for comb in found) > LEAST_CELLS else None


def _shown(own: npt.NDArray[np.float64], other: npt.NDArray[np.float64], offset: int) -> tuple[int, int]:
    """(first, last) of the most lines side by side that show enough. own, other: as of `_trimmed`."""
    del other
    return longest(own.mean(axis=1) >= LEAST_SHOWN, offset)


def _with_vanished(own: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The sides (lines, cells) with those of thin lines that a browser which is zoomed out has not drawn: those across run on.

    other: the sides across, (lines across, cells). What is missing near an outer line only is the inside of a box of clues.
    """
    share = own.mean(axis=1)
    shown = np.flatnonzero(share >= LEAST_SHOWN * share.max(initial=0.0))
    pairs = list(pairwise(shown.tolist()))
    linked = [False] * (len(pairs) + 4)
    for nth, (before, after) in enumerate(pairs, 2):
        across = other[:, before:after].sum(axis=1)
        either = np.count_nonzero(across)
        whole = np.count_nonzero(across == after - before)
        runs_on = either > LEAST_CELLS and whole >= RUNS_ON * either
        linked[nth] = after == before + 1 or bool(after - before <= MOST_VANISHED + 1 and runs_on)
    gaps = {nth: pair for nth, pair in enumerate(pairs, 2) if linked[nth] and pair[1] - pair[0] > 1}
    near = 1 if len(gaps) > 1 else 2
    if not any(all(linked[nth - near : nth + near + 1]) for nth in gaps):
        return own
    drawn = own.copy()
    for before, after in gaps.values():
        drawn[before + 1 : after] = np.minimum(own[before], own[after])
    return drawn


def _is_open(
    tall: npt.NDArray[np.float64],
    flat: npt.NDArray[np.float64],
    xs: tuple[int, int],
    ys: tuple[int, int],
) -> bool:
    """Whether the lines stick out by one cell on all four sides, where none crosses them: a grid without a frame."""
    (x0, x1), (y0, y1) = xs, ys
    if min(x0, y0) < 1 or x1 + 1 >= len(tall) or y1 + 1 >= len(flat):
        return False
    ends = (
        tall[x0 : x1 + 1, y0 - 1],
        tall[x0 : x1 + 1, y1],
        flat[y0 : y1 + 1, x0 - 1],
        flat[y0 : y1 + 1, x1],
    )
    frame = (tall[x0 - 1, y0:y1], tall[x1 + 1, y0:y1], flat[y0 - 1, x0:x1], flat[y1 + 1, x0:x1])
    return all(end.all() for end in ends) and not any(side.any() for side in frame)


def _longer(comb: Comb) -> Comb:
    return Comb(comb.at(-1), comb.pitch, comb.count + 2)


def _trimmed(own: npt.NDArray[np.float64], other: npt.NDArray[np.float64], offset: int) -> tuple[int, int]:
    """(first, last) line without outer ones that hardly show, or whose cells have no sides.

    own: (lines, cells along them); other: the sides across, (other lines, cells across).
    """
    lines, cells = own.mean(axis=1) >= LEAST_OUTER, other.mean(axis=0) >= LEAST_OUTER
    first, last = 0, len(own) - 1
    while first < last and not (lines[first] and cells[first]):
        first += 1
    while first < last and not (lines[last] and cells[last - 1]):
        last -= 1
    return offset + first, offset + last


def _refined(steps: Mask, across: Comb, along: Comb) -> Comb:
    """The comb fitted to the inner lines of the block: the outer ones are thick, or have one side only."""
    top, bottom = max(round(along.first), 0), round(along.at(along.count - 1))
    profile = counts(steps[top:bottom]).astype(np.float64)
    reach = max(2.0, 0.2 * across.pitch)
    index, place = [], []
    for i in range(1, across.count - 1):
        left = max(int(across.at(i) - reach), 0)
        near = profile[left : int(across.at(i) + reach) + 2]
        if not near.any():
            continue
        # Where faint steps count, texture has some everywhere: the line is what stands out from it.
        strong = np.flatnonzero(near >= HALF_WAY * (np.sort(near)[len(near) // 4] + near.max()))
        index.append(i)
        place.append(left + (strong[0] + strong[-1]) / 2)
    if len(index) < LEAST_CELLS:
        return across
    nth, places = np.array(index), np.array(place)
    pitch, first = evenly(nth, places)
    away = np.abs(places - first - pitch * nth)
    good = away <= max(EVEN_PX, 2 * median(away.tolist()))
    if good.sum() >= LEAST_CELLS:
        pitch, first = evenly(nth[good], places[good])
    # A frame around the cells may have drawn a comb of few lines to its edges: all between these are even then.
    if abs(pitch - across.pitch) > KEEPS_PITCH * across.pitch and away.max() > EVEN_PX:
        return across
    return Comb(first, pitch, across.count)


def evenly(nth: npt.NDArray[Any], places: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The step and the first of the even places that come nearest to these; nth: which of them each is, two at least differ.

    >>> evenly(np.array([0, 1, 3]), np.array([5.0, 15.0, 35.0]))
    (10.0, 5.0)
    """
    off = nth - nth.mean()
    step = float(off @ places / (off @ off))
    return step, float(places.mean() - step * nth.mean())


def _in_place(steps: Mask, across: Comb, along: Comb) -> Comb:
    """The comb without outer lines that are farther off their places than the others are: edges of writing beside the grid."""
    top, bottom = max(round(along.first), 0), round(along.at(along.count - 1))
    profile = counts(steps[top:bottom])
    reach = round(OUT_OF_REACH * across.pitch)
    starts = [max(round(across.at(i)) - reach, 0) for i in range(across.count)]
    near = [profile[start : start + 2 * reach + 1] for start in starts]
    usual = median([int(one.max(initial=0)) for one in near])
    away = []
    for i, (start, one) in enumerate(zip(starts, near, strict=True)):
        # An outer line may show less than the others.
        strong = np.flatnonzero(one >= HALF_WAY * max(min(usual, one.max(initial=0)), 1))
        away.append(float(np.abs(start + strong - across.at(i)).min()) if len(strong) else 0.0)
    astray = np.array(away) > median(away) + max(ASTRAY_PX, ASTRAY * across.pitch)
    first, last = 0, across.count - 1
    while first < last and astray[first]:
        first += 1
    while first < last and astray[last]:
        last -= 1
    return Comb(across.at(first), across.pitch, last - first + 1)


def _sides(steps: Mask, across: Comb, along: Comb) -> npt.NDArray[np.float64]:
    """(lines, cells) whether each side of a cell shows: a step beside the line for most of its length."""
    height, width = steps.shape
    reach = max(2.0, 0.17 * across.pitch)
    left, right = max(int(across.at(0) - reach), 0), min(int(across.at(across.count) + reach), width)
    top, bottom = max(int(along.at(0)), 0), min(int(along.at(along.count)), height)
    if right <= left or bottom <= top:
        return np.zeros((across.count, along.count - 1))
    far = 2 * round(reach) + 1
    near = cv2.dilate(steps[top:bottom, left:right].view(np.uint8), np.ones((1, far), np.uint8))
    at = np.round(across.first + across.pitch * np.arange(across.count)).astype(np.int64) - left
    # At the edge of the picture a line may seem to be a px beyond.
    seen = (at >= -1) & (at <= right - left)
    strips = near[:, np.clip(at, 0, right - left - 1)] * seen.view(np.uint8)
    sums = np.concatenate((np.zeros((1, across.count), np.int64), np.cumsum(strips, axis=0, dtype=np.int64)))
    cells = along.first + along.pitch * np.arange(along.count - 1)
    first = np.clip(np.round(cells + 0.2 * along.pitch).astype(np.int64) - top, 0, bottom - top)
    last = np.clip(np.round(cells + 0.8 * along.pitch).astype(np.int64) - top, 0, bottom - top)
    lengths = np.maximum(last - first, 0)[:, None]
    shown = (lengths > 0) & ((sums[last] - sums[first]) / np.maximum(lengths, 1) >= LINE_SHOWS)
    return np.asarray(shown.T, np.float64)


def _drawn_alike(
    steps: Mask, across: Comb, along: Comb, lines: tuple[int, int], cells: tuple[int, int]
) -> tuple[int, int]:
    """(first, last) line without an outer one that is pieces where the inner ones are whole: edges of writing."""
    top, bottom = max(round(along.at(cells[0])), 0), min(round(along.at(cells[1])), len(steps))
    if bottom <= top:
        return lines
    reach = max(2.0, 0.17 * across.pitch)
    part = steps[top:bottom]
    shown = counts(np.asarray(part[:, 1:] | part[:, :-1])) / (bottom - top)
    whole = [
        float(shown[max(int(across.at(i) - reach), 0) : int(across.at(i) + reach) + 1].max(initial=0.0))
        for i in range(lines[0], lines[1] + 1)
    ]
    least = OUTER_WHOLE * median(whole[1:-1])
    return lines[0] + (whole[0] < least), lines[1] - (whole[-1] < least)


def _no_grain(
    steps: Mask, across: Comb, along: Comb, lines: tuple[int, int], cells: tuple[int, int]
) -> tuple[int, int]:
    """(first, last) end of the cells without an outer one to which grain only seems to give sides: they are pieces where
    those of the others are whole, or steps are everywhere."""
    left, right = max(round(across.at(lines[0])), 0), round(across.at(lines[1]))
    at = np.round(across.first + across.pitch * np.arange(lines[0], lines[1] + 1)).astype(np.int64)
    reach = max(2, int(0.17 * across.pitch))
    near = np.clip(at[:, None] + np.arange(-reach, reach + 1), 0, steps.shape[1] - 2)
    shares, wholes = [], []
    # The outer ones, and enough of the others to know what is usual.
    for cell in np.linspace(cells[0], cells[1] - 1, min(SOME, cells[1] - cells[0])).astype(int).tolist():
        inside = steps[max(round(along.at(cell)), 0) : max(round(along.at(cell + 1)), 0)]
        along_it = counts(inside[:, left:right]) / max(len(inside), 1)
        shares.append(float(quantiles(along_it, EVERYWHERE)) if inside.size else 0.0)
        either = counts(np.asarray(inside[:, 1:] | inside[:, :-1])) / max(len(inside), 1)
        wholes.append(float(either[near].max(axis=1).mean()))
    most, least = max(GRAIN, GRAINIER * median(shares)), OUTER_WHOLE * median(wholes)
    outer = [shares[i] > most or wholes[i] < least for i in (0, -1)]
    return cells[0] + outer[0], cells[1] - outer[1]


def longest(good: Mask, offset: int) -> tuple[int, int]:
    """(first, last) index of the longest run of True."""
    first, end = max(runs(good).tolist(), key=lambda run: run[1] - run[0], default=(0, 0))
    return offset + first, offset + end - 1


def runs(row: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """(n, 2) the first place of each run of True, and the one behind its last.

    >>> runs([True, True, False, True]).tolist()
    [[0, 2], [3, 4]]
    """
    places = np.concatenate(([False], np.asarray(row, np.bool_), [False]))
    return np.asarray((places[1:] != places[:-1]).nonzero()[0].reshape(-1, 2), np.int64)
