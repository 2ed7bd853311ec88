"""Writing on a picture: the glyphs of a region, whatever its background, read as digits.

A glyph is a blob that is lighter, or darker, than all around it: it hangs together above some level and not below
(an extremal region). Many levels of both are looked at, so that gradients, photographs, coloured boxes and dark corners do
not matter. Of the blobs at one place the
one that reads best counts. Digits with a line through them (clues that are done) are read as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision import digits
from vision.colour import strongest, usual_colour, weakest
from vision.components import components
from vision.frame import Box, Pixels
from vision.grids import runs

# A px and those around it.
AROUND = np.ones((3, 3), np.uint8)
# Levels of contrast under which nothing is writing.
LEAST_CONTRAST = 28.0
# Nor is what stands beside much stronger writing under so many: blurred edges and lines of print have up to 31 there, pale
# numbers that programs write have 36 and more.
LEAST_PALE = 34.0
# Strokes of digits are at most so wide, and digits at least so high (shares of the room they have); those of so many px
# are legible, and may be smaller: to the third share, or to the fourth where they are expected to be large.
WIDEST_STROKE = 0.3
SMALLEST, LEGIBLE_PX, LEAST_OF_LEGIBLE, LEAST_OF_LARGE = 0.11, 7.0, 0.05, 0.09
# What is straight for so long (share of the room of a digit) is a line.
LEAST_LINE = 1.2
# So many sure digits, and half of all blobs, are the writing of a region.
ENOUGH = 8
# On both sides of a gap between strokes this share has its colour, within this share of its contrast.
MOST_OPEN, SAME_INK = 0.4, 0.25
# Share of the strongest ink nearby from which a pixel belongs to a glyph: to the first, thin strokes are as pale. Where so
# many times as many px are that strong as have the second share, it is grain: in 21 fonts and on clean screens 1.0 to 1.3
# times as many (one drawing 1.6), on photographs and dithered grounds 1.6 to 8.9, on a photograph at twice its size less.
FAINT, SOLID, GRAINY = 0.25, 0.42, 1.35
# Grain has px of so many levels, so many times as many as of strokes: 0.5 to 5 on photographs and dithered grounds, 0.1 to 0.2
# beside small soft numbers of which some are pale. Numbers that are all soft, from 0.33 on, are no less told by their strokes.
NEXT_TO_NOTHING, SPECKLED = (5, 10), 0.3
# Thresholds at which light and dark blobs are looked for, from the middle outwards: there edges are sharpest.
LEVELS = (135, 112, 158, 89, 181, 66, 204, 43, 227, 20, 243)
# Brightest and darkest channel differ less than this (levels) in a picture without colours.
GREY = 24
# Added to the distance of a struck glyph: the bar of a 4 is no strike, one that sticks out surely is.
DOUBTFUL_STRIKE, SURE_STRIKE = 0.25, -0.4
# Nothing farther than this from every digit (see `digits.Glyph.distance`) is taken for one.
FARTHEST = 1.9
# A glyph this near to a digit surely is one.
GOOD = 1.3
# A blob that is so much of another (share of the area), and reads better by so much, is no piece of it.
NEARLY_ALL, BETTER = 0.8, 0.2
# Added for every further digit of a blob: a 7 of wide pixels is no 1 1.
SEVERAL = 0.2
# A single digit is at most this many times as wide as high, with the line through it.
WIDEST_DIGIT = 1.3
# Three digits that touch are at most this many times as wide as high.
WIDEST = 2.4
# A digit is at most this share of the frame, or chip, around it; chips have so many different digits on them.
FRAMED_HEIGHT, CHIP_VALUES = 0.8, 3
# Half of all shades: where most of the ground is darker, the writing is light; where more than the third share is of the
# other kind, too, some of it may be dark, some light.
MIDDLE, HALF, MIXED = 128, 0.5, 0.25
# The ground is what most px are within this share of the room that a digit has, of which so many steps are looked at.
GROUND, DIGIT_STEPS = 0.6, 8
# The colour of a blob is that of its strongest ink, and of what is weaker by this share; in a soft one from the second on.
WEAKER, STRONG = 0.15, 0.8
# A blob that fills more of its box than this is a block, unless it is as small as a dot or a bar (px, and per row), or has at
# most this share of its height as width: a 1 that is a bar.
BLOCK, DOT_PX, BAR_PX, BAR_WIDE = 0.92, 40, 4, 0.2
# What may be cut along a line through it is this high (px), and less full than this share.
LEAST_LINED_PX, LINED_FILL = 7, 0.7
# The ground around a blob is told from so many px.
LEAST_GROUND_PX = 4
# A number has no more digits that touch.
MOST_TOUCHING = 3
# Digits never share so much of the smaller one's width and height.
OVERLAP = 0.35
# What frames another has about its contrast.
LIKE_CONTRAST = 0.8
# A strike through writing: its rows are full to the first share, it is no thicker than the second (of the height), and it
# sticks out by the third.
STRIKE_FULL, STRIKE_THICK, STICKS_OUT = 0.93, 0.25, 0.06


@dataclass(frozen=True)
class Letter:
    """A digit on the picture: where, which, and its colour (BGR).

    contrast: levels between the writing and what is around it.
    glyph: its value is None for a blob of a digit's size that is no digit.
    """

    box: Box
    glyph: digits.Glyph
    colour: tuple[float, float, float]
    contrast: float = 255.0
    light: bool = False

    @cached_property
    def middle(self) -> tuple[float, float]:
        return self.box.centre

    @cached_property
    def number(self) -> digits.Number:
        """The number that the digit is alone."""
        return digits.number_of([self.glyph])


@dataclass(frozen=True, eq=False)
class _Blob:
    """A blob of a digit's size. ink: (h + 2, w + 2), the box and one px around it."""

    box: Box
    ink: digits.Ink
    colour: tuple[float, float, float]
    contrast: float
    light: bool


def read_letters(
    pixels: Pixels,
    region: Box,
    size_px: float,
    *,
    thorough: bool = True,
    first: Box | None = None,
    tiny: bool = True,
) -> list[Letter]:
    """The digits in the region, in no order, and the blobs of a digit's size that are none.

    One place may have several: `apart` chooses.

    size_px: about the room that a digit has (the pitch of the board); glyphs are 0.22 to 1.05 times as high.
    thorough: looks at many levels of contrast; otherwise only at what is darker, or lighter, than all that is wider than
        a stroke, which shows all writing of a clean screen, small print included, at a tenth of the cost.
    """
    if min(region.width, region.height) < digits.LEAST_HEIGHT_PX:
        return []
    part = pixels[region.window]
    letters: list[Letter] = []
    least = _least(size_px, tiny)
    ground = part if first is None or min(first.width, first.height) < 1 else pixels[first.window]
    dark = _darkness(ground, size_px)
    for blobs in [list(_blobs(part, size_px, least))] if thorough else _strokes(part, size_px, least, dark):
        letters += _best(blobs, region)
        # Nothing but noughts are the chips that other digits stand on.
        sure = sum(
            one.glyph.confidence >= digits.EXAMPLE_CONFIDENCE and one.glyph.value != 0 for one in letters
        )
        if sure >= max(ENOUGH, len(letters) / 2) and not (first and MIXED < dark < 1 - MIXED):
            # All writing is darker than its ground, or all is lighter: so much for the other way.
            break
    return letters


def _darkness(ground: Pixels, size_px: float) -> float:
    """The share of a ground that is dark. Digits are no ground, however bold they are: told from a few px of each."""
    step = max(1, int(size_px / DIGIT_STEPS))
    few = cv2.cvtColor(np.ascontiguousarray(ground[::step, ::step]), cv2.COLOR_BGR2GRAY)
    bare = cv2.medianBlur(few, round(GROUND * size_px / step) | 1)
    return np.count_nonzero(bare < MIDDLE) / bare.size


def _strokes(part: Pixels, size_px: float, least: float, darkness: float) -> Iterator[list[_Blob]]:
    """The blobs of a digit's size that are darker, and those that are lighter, than all that is wider than a stroke.

    least: the height of a digit at least, px. darkness: the share of the ground that is dark; on a light one, what is darker
    comes first.
    """
    light, dark = strongest(part), weakest(part)
    maps = [light] if int(cv2.subtract(light, dark)[::3, ::3].max(initial=0)) < GREY else [light, dark]
    wide = max(round(WIDEST_STROKE * size_px) | 1, 5)
    kernel = np.ones((wide, wide), np.uint8)
    # Most of the ground is lighter than the middle: then the writing is dark, as a rule.
    ways = [cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT]
    if darkness > HALF:
        ways.reverse()
    for way in ways:
        away = cv2.morphologyEx(maps[0], way, kernel)
        for one in maps[1:]:
            away = cv2.max(away, cv2.morphologyEx(one, way, kernel))
        yield list(_blobs_of_ink(part, np.asarray(away, np.uint8), size_px, least, way == cv2.MORPH_TOPHAT))


def _least(size_px: float, tiny: bool) -> float:
    """How high a digit is at least, px, where there is room for one of this size."""
    share = LEAST_OF_LEGIBLE if tiny else LEAST_OF_LARGE
    return max(min(SMALLEST * size_px, LEGIBLE_PX), share * size_px, digits.LEAST_HEIGHT_PX)


def _blobs_of_ink(part: Pixels, away: Pixels, size_px: float, least: float, light: bool) -> Iterator[_Blob]:
    """away: (h, w) uint8, by how many levels each px stands out."""
    height, width = away.shape
    # Lines of boxes are no writing, and writing may touch them.
    long = max(round(LEAST_LINE * size_px) | 1, 9)
    upright = cv2.morphologyEx(away, cv2.MORPH_OPEN, np.ones((long, 1), np.uint8))
    level = cv2.morphologyEx(away, cv2.MORPH_OPEN, np.ones((1, long), np.uint8))
    away = np.asarray(cv2.subtract(away, cv2.max(upright, level)), np.uint8)
    # A screen draws a digit alike in many places: it is looked at once.
    known: dict[
        tuple[int, bytes, bytes, bytes], tuple[digits.Ink, tuple[float, float, float], float] | None
    ] = {}
    taken = np.zeros_like(away)
    for least_ink in (LEAST_CONTRAST, LEAST_PALE):
        if int(away.max(initial=0)) < least_ink:
            return
        faint, solid = _inked(away, size_px, least_ink)
        strong = least_ink == LEAST_CONTRAST
        grainy = strong and _is_grainy(away, faint, solid)
        names, stats = _pieces(solid if grainy else faint, least, 1.05 * size_px)
        wanted = _wanted(stats, least, 1.05 * size_px, (width, height))
        for name in wanted:
            left, tp, w, h, _ = stats[name].tolist()
            around = (slice(tp - 1, tp + h + 1), slice(left - 1, left + w + 1))
            if not strong and taken[around].any():
                # What touches strong writing is its shadow.
                continue
            own = (names[around] == name).view(np.uint8)
            pixels, ink = part[around], away[around]
            key = w, own.tobytes(), pixels.tobytes(), ink.tobytes()
            if key not in known:
                known[key] = _stroke(own, pixels, ink)
            found = known[key]
            if found and (strong or found[2] >= least_ink):
                yield _Blob(Box(left, tp, w, h), *found, light)
        if grainy or not wanted:
            return
        # Pale numbers between strong ones, as those of finished runs, show where these are gone.
        for left, tp, w, h, _ in stats[wanted].tolist():
            box = np.s_[tp - 1 : tp + h + 1, left - 1 : left + w + 1]
            away[box], taken[box] = 0, 1


def _inked(away: Pixels, size_px: float, least: float) -> list[npt.NDArray[np.uint8]]:
    """(h, w) what has the shares FAINT and SOLID of the strongest ink within a digit's size, by a cheap pyramid.

    least: levels of ink that count where there is no stronger one.
    """
    height, width = away.shape
    reach = max(round(size_px / 4), 2)
    top = np.maximum(cv2.dilate(_quartered(away), np.ones((reach, reach), np.uint8)), least)
    return [
        (away >= cv2.resize(low, (width, height), interpolation=cv2.INTER_NEAREST)).view(np.uint8)
        for low in ((share * top).astype(np.uint8) for share in (FAINT, SOLID))
    ]


def _is_grainy(away: Pixels, faint: npt.NDArray[np.uint8], solid: npt.NDArray[np.uint8]) -> bool:
    """Whether what is fainter than strokes are is grain: that has all levels, pale numbers have their own."""
    strokes = cv2.countNonZero(solid)
    if cv2.countNonZero(faint) <= GRAINY * strokes:
        return False
    return cv2.countNonZero(cv2.inRange(away, *NEXT_TO_NOTHING)) > SPECKLED * strokes


def _quartered(away: Pixels) -> Pixels:
    """(h // 4, w // 4) the largest of every 4 x 4 px."""
    for _ in range(2):
        first, second, third, fourth = (
            np.ascontiguousarray(away[i : len(away) // 4 * 4 : 4]) for i in range(4)
        )
        away = np.asarray(cv2.max(cv2.max(first, second), cv2.max(third, fourth)), np.uint8).T
    return away


def _stroke(
    own: npt.NDArray[np.uint8], pixels: Pixels, away: Pixels
) -> tuple[digits.Ink, tuple[float, float, float], float] | None:
    """Ink, colour and contrast of a blob; None where it is no writing. All with one px around the blob."""
    ink = away * cv2.dilate(own, AROUND)
    strongest_ink = int(ink.max())
    solid = pixels[ink >= (1 - WEAKER) * strongest_ink]
    colour = solid.sum(axis=0) / len(solid)
    high, wide, _ = pixels.shape
    sides = np.concatenate((pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]))
    near = np.abs(sides - colour).max(axis=1) < SAME_INK * strongest_ink
    begins, lengths = (0, wide, 2 * wide, 2 * wide + high), (wide, wide, high, high)
    top, bottom, start, end = (np.add.reduceat(near, begins, dtype=np.int64) / lengths).tolist()
    if max(min(top, bottom), min(start, end)) > MOST_OPEN:
        # The gap between two strokes: on two sides it goes on.
        return None
    blue, green, red = colour.tolist()
    return (ink / strongest_ink).astype(np.float32), (blue, green, red), float(strongest_ink)


def _wanted(stats: npt.NDArray[np.int32], least: float, most: float, size: tuple[int, int]) -> list[int]:
    """The numbers of the blobs that have a digit's size; what touches the edge is part of something else."""
    left, top, wide, tall, area = np.asarray(stats, np.int64).T
    wanted = (tall >= least) & (tall <= most) & (wide <= WIDEST * tall)
    bar = (wide * tall <= DOT_PX + BAR_PX * tall) | (wide <= BAR_WIDE * tall)
    wanted &= (area <= BLOCK * wide * tall) | bar
    wanted &= (left > 0) & (top > 0) & (left + wide < size[0]) & (top + tall < size[1])
    wanted[0] = False
    return [int(name) for name in np.flatnonzero(wanted)]


def _masks(part: Pixels) -> Iterator[npt.NDArray[np.uint8]]:
    """Every way to part writing from background."""
    light, dark = strongest(part), weakest(part)
    maps = [light] if int(np.percentile(light - dark, 99)) < GREY else [light, dark]
    for one in maps:
        low, high = int(one.min()), int(one.max())
        for level in LEVELS:
            if low < level <= high:
                above = (one >= level).astype(np.uint8)
                yield above
                yield 1 - above


def _blobs(part: Pixels, size_px: float, least: float) -> Iterator[_Blob]:
    """The blobs of a digit's size, one for each place and extent."""
    height, width = part.shape[:2]
    seen: dict[tuple[int, int], list[Box]] = {}
    for mask in _masks(part):
        names, stats = _pieces(mask, least, 1.05 * size_px)
        for name in _wanted(stats, least, 1.05 * size_px, (width, height)):
            left, top, w, h, _ = stats[name].tolist()
            box = Box(left, top, w, h)
            # A px more or less makes no difference: the soft edge belongs to the ink in any case.
            if any(box.like(other, 1) for other in seen.get((left // 4, top // 4), ())):
                continue
            for place in product({(left - 1) // 4, (left + 1) // 4}, {(top - 1) // 4, (top + 1) // 4}):
                seen.setdefault(place, []).append(box)
            blob = _blob(part, names, name, box)
            if blob is not None:
                yield blob


def _pieces(
    mask: npt.NDArray[np.uint8], least: float, most: float
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
    """What hangs together, by name, and the boxes; a line that is drawn through several numbers is cut between them.

    least, most: height of a digit.
    """
    names, stats = components(mask)
    tall, wide, area = stats[:, 3], stats[:, 2], stats[:, 4]
    lined = (
        (tall >= max(least, LEAST_LINED_PX))
        & (tall <= most)
        & (wide > WIDEST_DIGIT * tall)
        & (area <= LINED_FILL * wide * tall)
    )
    lined[0] = False
    cut = mask.copy() if lined.any() else mask
    for name in np.flatnonzero(lined).tolist():
        left, top, w, h, _ = stats[name].tolist()
        own = names[top : top + h, left : left + w] == name
        line = _strike(own.astype(np.float32), Box(0, 0, w, h))
        if line is None:
            continue
        rest = own.copy()
        rest[line[0]] = False
        near = np.ones((1, 2 * max(1, round(0.1 * h)) + 1), np.uint8)
        column = cv2.dilate(rest.any(axis=0).astype(np.uint8)[None], near)[0] > 0
        cut[top : top + h, left : left + w][own & ~column] = 0
    if cut is not mask:
        names, stats = components(cut)
    return names, stats


def _blob(part: Pixels, names: npt.NDArray[Any], name: int, box: Box) -> _Blob | None:
    """The blob with its soft edge, as ink: 0 the colour around it, 1 its own."""
    around = (slice(box.top - 1, box.bottom + 1), slice(box.left - 1, box.right + 1))
    own = (names[around] == name).astype(np.uint8)
    near = cv2.dilate(own, AROUND)
    pixels = part[around].astype(np.float32)
    outside = pixels[near == 0]
    if len(outside) < LEAST_GROUND_PX:
        outside = np.concatenate((pixels[0], pixels[-1]))
    behind = usual_colour(outside).astype(np.float32)
    inside = pixels[own > 0]
    away = np.abs(inside - behind).max(axis=1)
    strong = inside[away >= STRONG * float(np.percentile(away, 90))]
    colour = usual_colour(strong).astype(np.float32)
    contrast = float(np.abs(colour - behind).max())
    if contrast < LEAST_CONTRAST:
        return None
    step = colour - behind
    ink = np.clip((pixels - behind) @ step / float(step @ step), 0, 1) * near
    blue, green, red = colour.tolist()
    return _Blob(box, ink.astype(np.float32), (blue, green, red), contrast, bool(step.sum() > 0))


def _best(blobs: Sequence[_Blob], region: Box) -> Iterator[Letter]:
    """Every blob of a region as one digit or as several that touch, plain or with a line through them: what reads best."""
    # A screen draws a digit alike in many places: it is read once.
    first: dict[tuple[tuple[int, ...], bytes], int] = {}
    alike = [first.setdefault((blob.ink.shape, blob.ink.tobytes()), i) for i, blob in enumerate(blobs)]
    ways = [(i, *way) for i in first.values() for way in _ways(blobs[i].ink)]
    kinds: tuple[digits.Kind, digits.Kind] = ("digits", "struck")
    inks = [[ink for _, line, _, pieces in ways if line == struck for _, ink in pieces] for struck in (0, 1)]
    glyphs = [iter(digits.read_glyphs(own, kind=kind)) for own, kind in zip(inks, kinds, strict=True)]
    best: dict[int, tuple[float, list[tuple[Box, digits.Glyph]]]] = {}
    for i, line, cost, pieces in ways:
        read = [(box, next(glyphs[line])) for box, _ in pieces]
        worst = max(glyph.distance for _, glyph in read) + cost
        if i not in best or worst < best[i][0]:
            best[i] = worst, read
    for blob, i in zip(blobs, alike, strict=True):
        if i not in best:
            continue
        worst, read = best[i]
        look = (blob.colour, blob.contrast, blob.light)
        left, top = region.left + blob.box.left, region.top + blob.box.top
        if worst <= FARTHEST:
            for box, glyph in read:
                yield Letter(Box(left - 1 + box.left, top - 1 + box.top, box.width, box.height), glyph, *look)
        else:
            own = Box(left, top, blob.box.width, blob.box.height)
            yield Letter(own, replace(read[0][1], value=None, confidence=0.0), *look)


def _ways(ink: digits.Ink) -> Iterator[tuple[bool, float, list[tuple[Box, digits.Ink]]]]:
    """(with a line through it, cost, digits) for every way to see the ink of a blob."""
    for line, cost, cuts in _cuts(ink):
        least = max(digits.LEAST_HEIGHT_PX, 0.5 * (ink.shape[0] - 2))
        if 1 <= len(cuts) <= MOST_TOUCHING and min(cut.height for cut in cuts) >= least:
            yield line, cost + SEVERAL * (len(cuts) - 1), [(cut, ink[cut.window]) for cut in cuts]


def _cuts(ink: digits.Ink) -> Iterator[tuple[bool, float, list[Box]]]:
    whole = digits.ink_box(ink)
    if whole is None:
        return
    several = digits.split_glyphs(ink)
    if whole.width <= WIDEST_DIGIT * whole.height:
        yield False, 0.0, [whole]
    if len(several) > 1 or whole.width > WIDEST_DIGIT * whole.height:
        yield False, 0.0, several
    line = _strike(ink, whole)
    if line is None:
        return
    rows, sticks_out = line
    cost = SURE_STRIKE if sticks_out else DOUBTFUL_STRIKE
    if whole.width <= WIDEST_DIGIT * whole.height:
        yield True, cost, [whole]
    rest = ink.copy()
    rest[rows] = 0
    edges = runs((rest > digits.HALO).any(axis=0)).tolist()
    if len(edges) > 1:
        # The line goes on between the digits: each has half of it.
        middles = [whole.left, *((end + start) // 2 for (_, end), (start, _) in pairwise(edges)), whole.right]
        yield True, cost, [Box(a, whole.top, b - a, whole.height) for a, b in pairwise(middles)]


def apart(letters: Iterable[Letter]) -> list[Letter]:
    """One letter per place: the one that reads best; not the hole of a digit, its pieces, nor the frame around it."""
    everything = _without_chips(sorted(letters, key=_badness))
    if len(everything) < 2:
        return everything
    boxes = np.array([one.box for one in everything], np.int64).reshape(-1, 4)
    first, last = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    touch: npt.NDArray[np.bool_] = np.asarray((first[:, None] < last[None]).all(axis=2))
    touch &= touch.T
    np.fill_diagonal(touch, False)
    kept: list[Letter] = []
    left = [False] * len(everything)
    touched = {i: np.flatnonzero(touch[i]).tolist() for i in np.flatnonzero(touch.any(axis=1)).tolist()}
    for i, letter in enumerate(everything):
        near = touched.get(i)
        if not near:
            kept.append(letter)
            continue
        # Of two that hide each other, as a digit and its hole do that looks like one in a frame, the better one stays.
        if any(_hides(everything[j], letter) and not (j > i and _hides(letter, everything[j])) for j in near):
            continue
        if not any(left[j] and _same_place(letter.box, everything[j].box) for j in near):
            kept.append(letter)
            left[i] = True
    return kept


def _without_chips(letters: Sequence[Letter]) -> list[Letter]:
    """Without round chips with digits on them: they look like noughts, but what is in them is not alike, as holes are."""
    on = {
        i: one.glyph.value
        for i, chip in enumerate(letters)
        if chip.glyph.value == 0
        for one in letters
        if one.glyph.value is not None
        and one.light != chip.light
        and one.glyph.distance < GOOD
        and one.box.height <= FRAMED_HEIGHT * chip.box.height
        and _holds(chip.box, one.box, 2)
    }
    chips = on.keys() if len(set(on.values())) >= CHIP_VALUES else ()
    return [one for i, one in enumerate(letters) if i not in chips]


def _badness(letter: Letter) -> float:
    return letter.glyph.distance + (10.0 if letter.glyph.value is None else 0.0) - letter.contrast / 150


def _same_place(a: Box, b: Box) -> bool:
    """Whether they overlap as two digits never do."""
    wide, high = a.shared(b)
    return wide >= OVERLAP * min(a.width, b.width) and high >= OVERLAP * min(a.height, b.height)


def _hides(other: Letter, one: Letter) -> bool:
    """Whether the other letter makes this one meaningless: this is its hole, its frame, or a piece of it."""
    if other.glyph.value is None or other.glyph.distance > GOOD:
        return False
    a, b = other.box, one.box
    larger = a.width * a.height > b.width * b.height
    if larger and _holds(a, b, 0):
        if b.width * b.height >= NEARLY_ALL * a.width * a.height and one.glyph.value is not None:
            # The same digit, once with a px of its neighbour: the better one counts.
            return other.glyph.distance <= one.glyph.distance + BETTER
        if other.light != one.light:
            # A hole has a stroke on all sides.
            return _holds(a, b, 1)
        # What stands free inside is in a frame; a piece reaches the edge.
        return not _holds(a, b, max(2, round(0.08 * min(a.width, a.height))))
    framed = (
        _holds(b, a, 2)
        and a.height <= FRAMED_HEIGHT * b.height
        and other.contrast >= LIKE_CONTRAST * one.contrast
    )
    return framed and (one.glyph.value is None or other.glyph.distance < one.glyph.distance + BETTER)


def _holds(outer: Box, inner: Box, margin: int) -> bool:
    return (
        outer.left + margin <= inner.left
        and outer.top + margin <= inner.top
        and inner.right + margin <= outer.right
        and inner.bottom + margin <= outer.bottom
    )


def _strike(ink: digits.Ink, box: Box) -> tuple[slice, bool] | None:
    """The rows of the line through the middle of the writing, and whether it sticks out; None without a line."""
    if box.height < LEAST_LINED_PX:
        return None
    inside = ink[box.window]
    full = (inside > digits.HALO).mean(axis=1) >= STRIKE_FULL
    low, high = int(0.3 * box.height), int(0.72 * box.height)
    rows = [r for r in range(low, high + 1) if full[r]]
    if not rows or rows[-1] - rows[0] + 1 > max(2, STRIKE_THICK * box.height) or full[:low].any():
        return None
    first, last = rows[0], rows[-1]
    rest = np.concatenate((inside[: max(first - 1, 0)], inside[last + 2 :])) > digits.HALO
    columns = np.flatnonzero(rest.any(axis=0))
    if len(columns) == 0:
        return None
    # The bar of a 4 ends where its diagonal ends; a strike goes on at both sides.
    out = min(int(columns[0]), box.width - 1 - int(columns[-1]))
    rows_of_ink = slice(box.top + max(first - 1, 0), box.top + min(last + 2, box.height))
    return rows_of_ink, out >= max(1.0, STICKS_OUT * box.height)
